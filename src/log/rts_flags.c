#include "log/rts_flags.h"

#include "format/decode.h"
#include "heap/breakdown.h"

/* The arguments that the run-time system takes. */
struct rts_args {
	struct evl_str rest;
	bool in;
};

static struct rts_args rts_args(const struct evl_log *log)
{
	return (struct rts_args){program_get(&log->program).program, false};
}

static bool next_arg(struct rts_args *a, struct evl_str *out)
{
	while (decode_next_str(&a->rest, out)) {
		if (str_is(*out, "--RTS") || (!a->in && str_is(*out, "--")))
			return false;
		if (str_is(*out, "+RTS") || str_is(*out, "-RTS"))
			a->in = out->p[0] == '+';
		else if (a->in)
			return true;
	}
	return false;
}

const char *rts_heap_profile(const struct evl_log *log)
{
	size_t n;
	const struct breakdown_row *rows = breakdown_rows(&n);
	uint32_t number = program_get(&log->program).breakdown;
	for (size_t i = 0; i < n; i++)
		if (number > 0 && rows[i].number == number)
			return rows[i].flag;
	return "";
}

bool rts_flag_given(const struct evl_log *log, const char *prefix)
{
	struct rts_args args = rts_args(log);
	struct evl_str arg;
	while (next_arg(&args, &arg))
		if (str_begins(arg, prefix))
			return true;
	return str_begins(str_of(rts_heap_profile(log)), prefix);
}

static bool is_way(const struct evl_log *log, const char *way)
{
	struct evl_str rts = program_get(&log->program).rts;
	size_t len = strlen(way);
	for (size_t i = 0; i + len <= rts.len; i++)
		if (memcmp(rts.p + i, way, len) == 0 && (i + len == rts.len || rts.p[i + len] == '_'))
			return true;
	return false;
}

bool rts_is_threaded(const struct evl_log *log) { return is_way(log, "_thr"); }

bool rts_is_profiled(const struct evl_log *log) { return is_way(log, "_p"); }

/* Arguments as GHC reads them: each -l turns on the default classes and leaves the others, a letter adds its class, "-"
 * before it takes it away. was: by the arguments before. */
static enum rts_traced traced_by(struct evl_str letters, char class, enum rts_traced was)
{
	bool on = was == RTS_TRACED || (class != 'f' && class != 'n' && class != 'T'), add = true;
	for (size_t i = 0; i < letters.len; i++) {
		char c = (char)letters.p[i];
		if (c == class || (c == 'a' && class != 'T'))
			on = add;
		add = c != '-';
	}
	return on ? RTS_TRACED : RTS_NOT_TRACED;
}

enum rts_traced rts_traced(const struct evl_log *log, char class)
{
	struct rts_args args = rts_args(log);
	struct evl_str arg;
	enum rts_traced traced = RTS_TRACED_UNKNOWN;
	while (next_arg(&args, &arg))
		if (str_begins(arg, "-l"))
			traced = traced_by((struct evl_str){arg.p + 2, arg.len - 2}, class, traced);
	return traced;
}

/* --- advice ------------------------------------------------------------------------------------------------------- */

static bool has_several_caps(const struct evl_log *log) { return log->n_caps > 1 || !rts_is_threaded(log); }
static bool has_large_area(const struct evl_log *log)
{
	enum { LARGE = 64 << 20 };
	return program_get(&log->program).alloc_area >= LARGE;
}
/* It ran, or the run-time system (GHC before 8.10) has none. */
static bool has_nonmoving(const struct evl_log *log)
{
	return nonmoving_any(&log->nonmoving) || !header_find(&log->header, EVL_CONC_MARK_BEGIN);
}
/* Heap profiles are in the log since GHC 8.2. */
static bool has_census(const struct evl_log *log)
{
	return log->event_counts.heap.count > 0 || !header_find(&log->header, EVL_HEAP_PROF_BEGIN);
}
/* GHC has the flag since 8.2. */
static bool has_no_qn(const struct evl_log *log) { return !header_find(&log->header, EVL_HEAP_PROF_BEGIN); }
/* GHC has the flag since 9.2. */
static bool has_no_hi(const struct evl_log *log) { return !header_find(&log->header, EVL_MEM_RETURN); }
/* GHC has the flag since 9.2; without threads, it does not work, and can damage the log. */
static bool has_no_flush(const struct evl_log *log)
{
	return !header_find(&log->header, EVL_MEM_RETURN)
		|| (program_get(&log->program).rts.len > 0 && !rts_is_threaded(log));
}

/* Flags that are advised; arguments that amount to them; what else says that they would not help. */
static const struct {
	const char *flag, *given[2];
	bool (*has)(const struct evl_log *log);
} advised[] = {
	{"-N", {0}, has_several_caps},
	{"-A64m", {"-A64m"}, has_large_area},
	{"--nonmoving-gc", {"--nonmoving-gc", "-xn"}, has_nonmoving},
	{"-F4", {"-F", "-M"}, NULL}, /* more memory, where it is not limited */
	{"-qn", {"-qn", "-qg"}, has_no_qn},
	{"-hT", {"-h"}, has_census},
	{"-hi", {"-hi"}, has_no_hi},
	{"--eventlog-flush-interval=1", {"--eventlog-flush-interval"}, has_no_flush},
};

bool rts_flag_helps(const struct evl_log *log, const char *flag)
{
	if (str_begins(str_of(flag), "-l")) {
		bool traced = true;
		for (const char *class = flag + 2; *class; class ++)
			traced = traced && rts_traced(log, *class) == RTS_TRACED;
		return !traced;
	}
	for (size_t i = 0; i < countof(advised); i++) {
		if (strncmp(advised[i].flag, flag, strlen(advised[i].flag)) != 0) /* -qn2 is -qn */
			continue;
		for (size_t k = 0; k < countof(advised[i].given) && advised[i].given[k]; k++)
			if (rts_flag_given(log, advised[i].given[k]))
				return false;
		return !advised[i].has || !advised[i].has(log);
	}
	return *flag && !rts_flag_given(log, flag);
}
