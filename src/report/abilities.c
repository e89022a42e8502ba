#include "report/abilities.h"

#include "log/rts_flags.h"
#include "query/census_label.h"

enum { SAMES = 2 };

static bool has(const struct evl_log *log, uint16_t tag)
{
	const struct event_counts_counts *tags = &log->event_counts.tags;
	return tag < tags->end && tags->n[tag];
}

static bool has_breakdown(const struct evl_log *log, enum breakdown by)
{
	for (unsigned p = 0; (p = census_profile_from(&log->census, &log->blocks, p)) < CENSUS_PROFILES; p++)
		if (census_kind_of(log, p).by == by)
			return log->event_counts.heap.count > 0;
	return false;
}

static bool see_scheduling(const struct evl_log *log) { return has(log, EVL_RUN_THREAD); }
static bool see_labels(const struct evl_log *log) { return has(log, EVL_THREAD_LABEL); }
static bool see_tasks(const struct evl_log *log) { return has(log, EVL_TASK_CREATE) || has(log, EVL_TASK_MIGRATE); }
static bool see_gc(const struct evl_log *log) { return has(log, EVL_GC_START); }
static bool see_sync(const struct evl_log *log) { return has(log, EVL_REQUEST_SEQ_GC) || has(log, EVL_REQUEST_PAR_GC); }
static bool see_sizes(const struct evl_log *log)
{
	return has(log, EVL_HEAP_ALLOCATED) || has(log, EVL_HEAP_SIZE) || has(log, EVL_HEAP_LIVE);
}
static bool see_nonmoving(const struct evl_log *log) { return nonmoving_any(&log->nonmoving); }
static bool see_each_spark(const struct evl_log *log)
{
	return has(log, EVL_SPARK_CREATE) || has(log, EVL_SPARK_DUD) || has(log, EVL_SPARK_RUN)
		|| has(log, EVL_RUN_SPARK) || has(log, EVL_STEAL_SPARK);
}
static bool see_sparks(const struct evl_log *log) { return has(log, EVL_SPARK_COUNTERS) || see_each_spark(log); }
static bool see_spans(const struct evl_log *log)
{
	const struct span_table *t = spans_table(&log->spans);
	return t && t->n > 0;
}
static bool see_phases(const struct evl_log *log) { return has(log, EVL_USER_MARKER); }
static bool see_heap_profile(const struct evl_log *log) { return log->event_counts.heap.count > 0; }
static bool see_heap_cause(const struct evl_log *log)
{
	return see_heap_profile(log) && has(log, EVL_HEAP_PROF_SAMPLE_COST_CENTRE);
}
static bool see_heap_source(const struct evl_log *log) { return has_breakdown(log, BY_INFO_TABLE); }
static bool see_time_profile(const struct evl_log *log) { return prof_samples(evl_profile(log)) > 0; }
static bool see_ticky(const struct evl_log *log) { return has(log, EVL_TICKY_BEGIN_SAMPLE); }

static const struct {
	const char *id, *name;
	char class;
	const char *flag, *same[SAMES];
	unsigned ghc;
	const char *build, *detail;
	bool (*see)(const struct evl_log *log);
} rows[ABILITIES] = {
#define SAME(...)                                                                                                      \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}
#define ABILITY(id, name, class, flag, same, ghc, build, detail)                                                       \
	[ABILITY_##id] = {#id, name, class, flag, same, ghc, build, detail, see_##id},
#include "report/abilities.def"
#undef ABILITY
#undef SAME
};

static bool begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Was the flag given, or one that amounts to it? */
static bool is_given(const struct evl_log *log, enum ability_id id)
{
	for (size_t i = 0; i < SAMES && rows[id].same[i]; i++)
		if (rts_flag_given(log, rows[id].same[i]))
			return true;
	return rts_flag_given(log, rows[id].flag);
}

/* Was the program built so, by its run-time system's way ("rts_thr_p") and what the log holds? */
static bool has_build(const struct evl_log *log, const char *build)
{
	if (begins(build, "-threaded"))
		return rts_is_threaded(log);
	return begins(build, "-prof") ? rts_is_profiled(log) : has(log, EVL_IPE);
}

/* Is it known not to have been built so? */
static bool lacks_build(const struct evl_log *log, const char *build)
{
	bool of_way = build && (begins(build, "-threaded") || begins(build, "-prof"));
	return of_way && program_get(&log->program).rts.len > 0 && !has_build(log, build);
}

static enum ability_state state_of(const struct evl_log *log, enum ability_id id)
{
	if (rows[id].see(log))
		return ABILITY_SHOWN;
	if (lacks_build(log, rows[id].build))
		return ABILITY_NOT_RECORDED;
	if (!rows[id].class)
		return is_given(log, id) ? ABILITY_NONE : ABILITY_NOT_RECORDED;
	switch (rts_traced(log, rows[id].class)) {
	case RTS_TRACED: return ABILITY_NONE;
	case RTS_NOT_TRACED: return ABILITY_NOT_RECORDED;
	default: return ABILITY_UNKNOWN;
	}
}

unsigned ghc_number(struct evl_str version)
{
	unsigned part[2] = {0, 0}, k = 0;
	for (size_t i = 0; i < version.len && k < 2; i++) {
		uint8_t c = version.p[i];
		if (c == '.')
			k++;
		else if (c < '0' || c > '9' || part[k] > 99)
			return 0;
		else
			part[k] = 10 * part[k] + (unsigned)(c - '0');
	}
	return part[0] ? 100 * part[0] + (part[1] > 99 ? 99 : part[1]) : 0;
}

static const char *const state_names[] = {[ABILITY_SHOWN] = "shown",
	[ABILITY_NONE] = "none",
	[ABILITY_NOT_RECORDED] = "not recorded",
	[ABILITY_UNKNOWN] = "unknown"};

struct ability ability_of_log(const struct evl_log *log, enum ability_id id)
{
	struct program_facts facts = program_get(&log->program);
	enum ability_state state = state_of(log, id);
	struct ability a = {.id = rows[id].id, .name = rows[id].name, .state = state, .state_name = state_names[state]};
	unsigned ghc = ghc_number(program_ghc(&facts)); /* 0: its version is unknown */
	bool known = ghc == 0 || ghc >= rows[id].ghc;
	if (state == ABILITY_SHOWN)
		return a;
	if (state == ABILITY_NONE)
		a.detail = rows[id].detail;
	else if (!known)
		a.detail = "this GHC is too old for it";
	if (state == ABILITY_NOT_RECORDED && known) {
		bool traced = rows[id].class ? rts_traced(log, rows[id].class) == RTS_TRACED : is_given(log, id);
		a.flag = traced ? NULL : rows[id].flag;
		a.build = rows[id].build && !has_build(log, rows[id].build) ? rows[id].build : NULL;
	}
	if (state == ABILITY_UNKNOWN)
		a.detail = "none, or not recorded: the log does not name the flags it ran with";
	return a;
}

void abilities_json(const struct evl_log *log, struct json *j)
{
	json_open(j, '[');
	for (enum ability_id id = 0; id < ABILITIES; id++) {
		struct ability a = ability_of_log(log, id);
		json_open(j, '{');
		json_put_cstr(j, "id", a.id);
		json_put_cstr(j, "name", a.name);
		json_put_cstr(j, "state", a.state_name);
		json_put_cstr(j, "flag", a.flag);
		json_put_cstr(j, "build", a.build);
		json_put_cstr(j, "detail", a.detail);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* --- what a box or a lane lacks --------------------------------------------------------------------------------------- */

enum { TAGS = 5 };

/* Why there is nothing: the class was traced, it was not, or it is not known if it was. */
struct absence_texts {
	const char *none, *not_recorded, *either;
};

/* how: of whom records it, ending with a comma and a space, or "" */
#define TEXTS(more, how, flag)                                                                                         \
	{                                                                                                              \
		"none in this log" more, "not recorded (" how "+RTS " flag ")",                                        \
			"none, or not recorded (" how "+RTS " flag ")"                                                 \
	}
#define SPANS_HOW "traceEvent \"START x\" and \"STOP x\", or opentelemetry, write them"

/* How to tell that the log has some: by events, or by a function. class: of rts_traced; 0: by the flag. */
static const struct {
	char class;
	uint16_t tags[TAGS];
	bool (*any)(const struct evl_log *log);
	const char *flag;
	struct absence_texts texts;
} kinds[ABSENCES] = {
	[ABSENCE_GCS] = {'g', {EVL_GC_START}, NULL, "-lg", TEXTS("", "", "-lg")},
	[ABSENCE_REQUESTS] = {'g', {EVL_REQUEST_SEQ_GC, EVL_REQUEST_PAR_GC}, NULL, "-lg", TEXTS("", "", "-lg")},
	[ABSENCE_HEAP] = {'g', {EVL_HEAP_ALLOCATED, EVL_HEAP_SIZE, EVL_HEAP_LIVE}, NULL, "-lg", TEXTS("", "", "-lg")},
	[ABSENCE_RUNS] = {'s', {EVL_RUN_THREAD}, NULL, "-ls", TEXTS("", "", "-ls")},
	[ABSENCE_THREADS] = {'s', {EVL_CREATE_THREAD, EVL_RUN_THREAD}, NULL, "-ls", TEXTS("", "", "-ls")},
	[ABSENCE_SPARKS] = {'p', {EVL_SPARK_COUNTERS, EVL_SPARK_CREATE, EVL_SPARK_DUD, EVL_RUN_SPARK, EVL_STEAL_SPARK},
		NULL, "-lp", TEXTS("", "", "-lp")},
	[ABSENCE_SPANS] = {'u', {0}, see_spans, "-lu",
		{"none in this log: " SPANS_HOW, "not recorded (+RTS -lu)", "none: " SPANS_HOW " (+RTS -lu)"}},
	[ABSENCE_PHASES] = {'u', {EVL_USER_MARKER}, NULL, "-lu",
		{"none in this log: traceMarker starts them", "not recorded (+RTS -lu)",
			"none: traceMarker starts them (+RTS -lu)"}},
	[ABSENCE_TICKY] = {'T', {EVL_TICKY_BEGIN_SAMPLE}, NULL, "-lT",
		{"none in this log (build with -ticky)", "none: build with -ticky, run with +RTS -lT",
			"none: build with -ticky, run with +RTS -lT"}},
	[ABSENCE_NONMOVING] = {0, {EVL_CONC_MARK_BEGIN, EVL_CONC_SYNC_BEGIN}, NULL, "--nonmoving-gc",
		{"it did not run", "it did not run (+RTS --nonmoving-gc)", NULL}},
	[ABSENCE_NM_CENSUS] = {'n', {EVL_NONMOVING_HEAP_CENSUS}, NULL, "-ln", TEXTS("", "", "-ln")},
	[ABSENCE_TASKS] = {'s', {EVL_TASK_CREATE, EVL_TASK_MIGRATE}, NULL, "-ls", TEXTS("", "", "-ls")},
};

/* The texts of a program without the threaded run-time system, which alone writes these events. */
static const struct absence_texts single_texts[ABSENCES] = {
	[ABSENCE_REQUESTS] = TEXTS(" (the threaded RTS logs them)", "threaded RTS, ", "-lg"),
	[ABSENCE_SPARKS] = TEXTS(" (the threaded RTS counts them)", "threaded RTS, ", "-lp"),
};
#undef TEXTS

bool absence_seen(const struct evl_log *log, enum absence of)
{
	const struct event_counts_counts *tags = &log->event_counts.tags;
	for (int i = 0; i < TAGS; i++)
		if (kinds[of].tags[i] && kinds[of].tags[i] < tags->end && tags->n[kinds[of].tags[i]])
			return true;
	return kinds[of].any && kinds[of].any(log);
}

bool absence_is_sure(const struct evl_log *log, enum absence of)
{
	return evl_progress(log).done && !absence_seen(log, of);
}

static enum rts_traced traced(const struct evl_log *log, enum absence of)
{
	if (kinds[of].class)
		return rts_traced(log, kinds[of].class);
	return rts_flag_given(log, kinds[of].flag) || !rts_flag_helps(log, kinds[of].flag) ? RTS_TRACED
											   : RTS_NOT_TRACED;
}

/* The text for a log without an end: the program was killed, or still runs, and may do more. NULL: as for any other log. */
static const char *none_so_far(enum absence of, bool traced)
{
	if (of != ABSENCE_NONMOVING && (of != ABSENCE_NM_CENSUS || !traced))
		return NULL;
	return traced ? "none in what was written of this log" : "none was written (+RTS --nonmoving-gc)";
}

/* May events be missing between others? */
static bool has_holes(const struct evl_log *log)
{
	const struct damage_list *list = &log->damage;
	for (size_t i = 0; i < list->n; i++)
		if (damage_loses(&list->items[i]) && list->items[i].reason != DAMAGE_CUT)
			return true;
	return list->more_lost > 0;
}

static const char *none_of(const struct evl_log *log, bool seen)
{
	if (has_holes(log))
		return seen ? "none readable in this range" : "none readable in this log";
	return seen ? "none in this range" : "none in this log";
}

const char *absence_text(const struct evl_log *log, enum absence of)
{
	if (absence_seen(log, of))
		return none_of(log, true);
	if (of == ABSENCE_NM_CENSUS && !absence_seen(log, ABSENCE_NONMOVING))
		of = ABSENCE_NONMOVING;
	if (of == ABSENCE_NONMOVING && !header_find(&log->header, EVL_CONC_MARK_BEGIN)) /* GHC before 8.10 */
		return "not recorded: the log has no such events";
	enum rts_traced is = traced(log, of);
	const char *so_far = evl_unfinished(log) ? none_so_far(of, is == RTS_TRACED) : NULL;
	const struct absence_texts *single = &single_texts[of], *texts = &kinds[of].texts;
	if (single->none && !rts_is_threaded(log))
		texts = single;
	switch (is) {
	case RTS_TRACED: return so_far ? so_far : has_holes(log) ? none_of(log, false) : texts->none;
	case RTS_NOT_TRACED: return so_far ? so_far : texts->not_recorded;
	default: return texts->either;
	}
}

const char *absence_over(const struct evl_log *log, enum absence of, bool whole)
{
	if (whole && absence_seen(log, of))
		return has_holes(log) ? "none readable in this run" : "none in this run";
	return absence_text(log, of);
}

const char *absence_of_samples(const struct evl_log *log)
{
	struct ability a = ability_of_log(log, ABILITY_time_profile);
	return a.build   ? "no samples of a time profile in this log (build with -prof, run with +RTS -p -l)"
		: a.flag ? "no samples of a time profile in this log (run with +RTS -p -l)"
			 : "no samples of a time profile in this log";
}

static bool class_seen(const struct evl_log *log, char class)
{
	for (enum absence of = 0; of < ABSENCES; of++)
		if (kinds[of].class == class && absence_seen(log, of))
			return true;
	return false;
}

/* Does the log lack the events of a class, and was the class not traced? */
static bool class_helps(const struct evl_log *log, char class)
{
	return rts_traced(log, class) != RTS_TRACED && !class_seen(log, class);
}

const char *absence_by_flag(const struct evl_log *log, const char *flag)
{
	bool seen = true;
	for (const char *letter = begins(flag, "-l") ? flag + 2 : ""; *letter; letter++)
		seen = seen && (*letter == 'f' ? see_each_spark(log) : class_seen(log, *letter));
	return none_of(log, seen);
}

bool absence_flag_helps(const struct evl_log *log, const char *flag)
{
	bool helps = false;
	if (!begins(flag, "-l")) {
		for (enum absence of = 0; of < ABSENCES; of++)
			if (strcmp(kinds[of].flag, flag) == 0 && absence_seen(log, of))
				return false;
		return rts_flag_helps(log, flag);
	}
	for (const char *class = flag + 2; *class && !helps; class ++)
		helps = class_helps(log, *class);
	return helps;
}
