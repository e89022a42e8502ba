#include "query/exe_match.h"

#include "base/find.h"
#include "bytes/decompress.h"
#include "format/decode.h"
#include "heap/census_survey.h"
#include "prof/ccdb.h"
#include "query/census_label.h"
#include "query/ticky.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAMPLES = 3, EVIDENCE_MOST = 1 << 14 };

/* Addresses of info tables that occur in a log (IPE events, heap profile by info table, call stacks, ticky counters),
 * sorted, at most EVIDENCE_MOST of them. */
struct evidence {
	uint64_t *ids;
	size_t n;
};

static bool add(struct evidence *e, uint64_t id)
{
	if (e->n < EVIDENCE_MOST && id)
		e->ids[e->n++] = id;
	return e->n < EVIDENCE_MOST;
}

/* The bands of some samples: the last have most of what lives long. */
static void add_bands(struct evidence *e, const struct evl_log *log, size_t most)
{
	size_t n = census_count(&log->census);
	for (size_t k = 0; k < SAMPLES && k < n; k++) {
		struct census_reader reader;
		struct census_band band;
		uint64_t id;
		census_read(
			&reader, &log->census, &log->blocks, census_at(&log->census, n - 1 - k * (n - 1) / SAMPLES));
		while (census_next(&reader, &band) && e->n < most)
			if (!band.is_stack && census_address(band.key, &id))
				add(e, id);
	}
}

static void add_calls(struct evidence *e, const struct evl_log *log, size_t most)
{
	const struct rows *frames = &log->prof[PROF_CALLS].calls.frames;
	for (size_t i = 0; i < rows_count(frames) && e->n < most; i++) {
		const struct call_frame *call = rows_at(frames, i);
		if (call->kind == CALL_AT_ADDRESS)
			add(e, call->id);
	}
}

/* The info tables of ticky counters. */
static int add_counters(struct evidence *e, const struct evl_log *log, size_t most, const atomic_bool *cancel)
{
	struct ticky t;
	if (!log->event_counts.tags.n[EVL_TICKY_COUNTER_DEF])
		return 0;
	int result = ticky_make(&t, log, 0, UINT64_MAX, &(struct progress){.cancel = cancel});
	for (size_t i = 0; result == 0 && i < t.n && e->n < most; i++)
		add(e, t.items[i].table);
	if (result == 0)
		ticky_free(&t);
	return result;
}

static void add_entries(struct evidence *e, const struct evl_log *log)
{
	struct program_facts facts = program_get(&log->program);
	uint64_t shift = ipe_shift(facts.rts);
	struct ipe_reader reader;
	struct ipe_entry entry;
	ipe_begin(&reader, &log->ipe, &log->blocks);
	while (ipe_next(&reader, &entry) && add(e, entry.id - shift)) {
	}
}

/* 0; or EVL_NOMEM or EVL_CANCELLED, then it has none. */
static int evidence_make(struct evidence *e, const struct evl_log *log, const atomic_bool *cancel)
{
	*e = (struct evidence){.ids = malloc(EVIDENCE_MOST * sizeof *e->ids)};
	if (!e->ids)
		return EVL_NOMEM;
	add_bands(e, log, EVIDENCE_MOST / 3);
	add_calls(e, log, EVIDENCE_MOST / 3 * 2);
	int result = add_counters(e, log, EVIDENCE_MOST / 6 * 5, cancel);
	add_entries(e, log);
	qsort(e->ids, e->n, sizeof *e->ids, by_u64);
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++)
		if (i == 0 || e->ids[i] != e->ids[n - 1])
			e->ids[n++] = e->ids[i];
	e->n = n;
	if (result < 0) {
		free(e->ids);
		*e = (struct evidence){0};
	}
	return result;
}

bool exe_is_wanted(const struct evl_log *log)
{
	unsigned p = census_count(&log->census) ? census_profile_from(&log->census, &log->blocks, 0) : CENSUS_PROFILES;
	bool tables = p < CENSUS_PROFILES && census_kind_of(log, p).by == BY_INFO_TABLE;
	const struct rows *frames = &log->prof[PROF_CALLS].calls.frames;
	tables = tables || log->event_counts.tags.n[EVL_TICKY_COUNTER_DEF] > 0;
	for (size_t i = 0; i < rows_count(frames) && !tables; i++)
		tables = ((const struct call_frame *)rows_at(frames, i))->kind == CALL_AT_ADDRESS;
	return tables;
}

static const char *check(struct exe *exe, const struct evl_log *log, const atomic_bool *cancel)
{
	struct program_facts facts = program_get(&log->program);
	struct evidence e;
	if (evidence_make(&e, log, cancel) < 0)
		return "cannot be checked: out of memory";
	const char *why = exe_check(exe,
		&(struct exe_evidence){.ids = e.ids,
			.n = e.n,
			.ghc = program_ghc(&facts),
			.build_id = log->build_id,
			.profiled = find_word(facts.rts, "_p"),
			.cancel = cancel});
	free(e.ids);
	return why;
}

int exe_match(
	struct exe **exe, const struct evl_log *log, const char *path, const atomic_bool *cancel, struct evl_err *err)
{
	int result = exe_open(exe, path, err);
	if (result < 0)
		return result;
	const char *why = check(*exe, log, cancel);
	if (!why)
		return 0;
	result = evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s %s", path, why);
	exe_close(*exe);
	*exe = NULL;
	return is_cancelled(cancel) ? EVL_CANCELLED : result;
}

int exe_match_ipedb(
	struct exe **exe, const struct evl_log *log, const char *path, const atomic_bool *cancel, struct evl_err *err)
{
	struct evidence e;
	if (*exe)
		return exe_add_ipedb(*exe, path, err);
	int result = exe_from_ipedb(exe, path, err);
	if (result < 0)
		return result;
	result = evidence_make(&e, log, cancel);
	result = result ? result : exe_resolve(*exe, e.ids, e.n, cancel);
	bool any = false;
	for (size_t i = 0; result == 0 && i < e.n && !any; i++)
		any = exe_find(*exe, e.ids[i]);
	free(e.ids);
	if (result == 0 && !any)
		result = evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s names none of the log's addresses", path);
	else if (result < 0)
		evl_fail(err, result, EVL_NO_OFFSET, "%s: %s", path, evl_strerror(result));
	if (result < 0) {
		exe_close(*exe);
		*exe = NULL;
	}
	return result;
}

/* --- cost centres ---------------------------------------------------------------------------------------------------- */

struct centre_check {
	const struct evl_log *log;
	const struct ccdb *db;
	const char *path;
	struct evl_err *err;
	int result;
};

static void refuse(struct centre_check *c, uint32_t id, const char *why)
{
	if (c->result == 0)
		c->result = evl_fail(c->err, EVL_USAGE, EVL_NO_OFFSET, "%s is of another program: it %s cost centre %u",
			c->path, why, id);
}

static void check_defined(void *ctx, uint32_t id, UNUSED uint64_t off)
{
	struct centre_check *c = ctx;
	struct cost_centre told, found;
	if (evl_cost_centre(c->log, id, &told) && ccdb_find(c->db, id, &found)
		&& (str_order(told.label, found.label) != 0 || str_order(told.module, found.module) != 0))
		refuse(c, id, "has another name for");
}

static void check_used(void *ctx, uint32_t id, UNUSED uint64_t samples)
{
	struct centre_check *c = ctx;
	struct cost_centre found;
	if (!evl_cost_centre(c->log, id, &found) && !ccdb_find(c->db, id, &found))
		refuse(c, id, "lacks");
}

static void check_census(struct centre_check *c)
{
	const struct evl_log *log = c->log;
	size_t n = census_count(&log->census);
	for (size_t k = 0; k < SAMPLES && k < n; k++) {
		struct census_reader reader;
		struct census_band band;
		census_read(
			&reader, &log->census, &log->blocks, census_at(&log->census, n - 1 - k * (n - 1) / SAMPLES));
		while (census_next(&reader, &band))
			for (size_t i = 0; band.is_stack && i + 4 <= band.key.len; i += 4)
				check_used(c, be32(band.key.p + i), 1);
	}
}

int ccdb_match(struct ccdb **db, const struct evl_log *log, const char *path, struct evl_err *err)
{
	int result = ccdb_open(db, path, err);
	if (result < 0)
		return result;
	struct centre_check c = {.log = log, .db = *db, .path = path, .err = err};
	by_id_each(&log->cost_centres.defined, check_defined, &c);
	by_id_each(&log->prof[PROF_CENTRES].on_top, check_used, &c);
	check_census(&c);
	if (c.result < 0) {
		ccdb_close(*db);
		*db = NULL;
	}
	return c.result;
}

/* --- where it may be ----------------------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* DIR/NAME, if it is one. */
static bool join(const char *dir, size_t dir_len, struct evl_str name, char *out)
{
	int n = snprintf(out, EXE_PATH, "%.*s%s%.*s", (int)dir_len, dir, dir_len ? "/" : "", (int)name.len,
		(const char *)name.p);
	return n > 0 && n < EXE_PATH && is_file(out) && access(out, X_OK) == 0;
}

static bool is_name(struct evl_str name)
{
	return name.len && name.len < EXE_PATH && !memchr(name.p, '/', name.len) && !memchr(name.p, 0, name.len);
}

/* The executable NAME of $PATH. */
static bool on_path(struct evl_str name, char *out)
{
	const char *dirs = getenv("PATH");
	for (size_t len; is_name(name) && dirs && *dirs; dirs += len + (dirs[len] != 0)) {
		len = strcspn(dirs, ":");
		if (len && join(dirs, len, name, out))
			return true;
	}
	return false;
}

/* The directory of a file: "" and 1 for the root. */
static size_t directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) : 0;
}

static bool join_beside(const char *log, struct evl_str name, char *out)
{
	size_t dir = directory(log);
	return is_name(name) && (dir || *log != '/' ? join(log, dir, name, out) : join("/", 1, name, out));
}

/* NAME in the folder of the log NAME.eventlog. */
static bool beside(const char *log, char *out, struct evl_str *name)
{
	const char *base = log + directory(log), *end = strstr(base, ".eventlog");
	base += *base == '/';
	*name = (struct evl_str){(const uint8_t *)base, end ? (size_t)(end - base) : 0};
	return join_beside(log, *name, out);
}

/* The places of a program that was called so, in order; until take returns false. */
static void each_place(const char *log, struct evl_str called, exe_place_fn *take, void *ctx)
{
	const uint8_t *slash = called.len ? find_last_byte(called.p, '/', called.len) : NULL;
	struct evl_str name = called, stem;
	char path[EXE_PATH];
	if (slash)
		name = (struct evl_str){slash + 1, (size_t)(called.p + called.len - slash - 1)};
	bool on = !join_beside(log, name, path) || take(ctx, path);
	if (on && beside(log, path, &stem) && str_order(stem, name) != 0)
		on = take(ctx, path);
	if (on && slash && join("", 0, called, path))
		on = take(ctx, path);
	if (on && on_path(name, path))
		take(ctx, path);
}

struct search {
	const struct evl_log *log;
	const atomic_bool *cancel;
	struct exe *exe;
};

static bool try(void *ctx, const char *path)
{
	struct search *s = ctx;
	return exe_match(&s->exe, s->log, path, s->cancel, NULL) < 0;
}

struct exe *exe_search(const struct evl_log *log, const atomic_bool *cancel)
{
	struct search s = {log, cancel, NULL};
	struct evl_str rest = program_get(&log->program).program, called = {0};
	if (!decode_next_str(&rest, &called))
		called = (struct evl_str){0};
	each_place(log->path, called, try, &s);
	return s.exe;
}

/* --- before the log may be read ------------------------------------------------------------------------------------ */

/* The first word of what looks like an event of the program's arguments: tag, time, length, capability set 0, words. */
static bool called_in(const uint8_t *p, size_t len, struct evl_str *called)
{
	enum { TIME = 8, WORDS_AT = 14 };
	for (const uint8_t *at = p, *end = p + len; (at = memchr(at, EVL_PROGRAM_ARGS, (size_t)(end - at))); at++) {
		if (at == p || at[-1] != 0 || end - at <= 1 + WORDS_AT)
			continue;
		size_t size = be16(at + 1 + TIME), n = 0;
		const uint8_t *word = at + 1 + WORDS_AT;
		if (size <= 4 || be32(at + 1 + TIME + 2) != 0 || size - 4 > (size_t)(end - word))
			continue;
		while (n < size - 4 && word[n] >= ' ')
			n++;
		if (n && n < EXE_PATH && (n == size - 4 || word[n] == 0)) {
			*called = (struct evl_str){word, n};
			return true;
		}
	}
	return false;
}

/* The event is near the start of the log or, by some versions of GHC, near its end; of compressed logs, only the start is
 * looked at. */
void exe_places(const char *log, exe_place_fn *take, void *ctx)
{
	enum { LOOKED_AT = 1 << 20 };
	struct source source;
	struct evl_str called = {0};
	uint8_t *bytes = malloc(LOOKED_AT);
	bool there = bytes && is_file(log) && source_open(&source, log, NULL) == 0;
	if (there && unpack_knows(source.data, source.len)) {
		called_in(bytes, unpack_head(source.data, source.len, bytes, LOOKED_AT), &called);
	} else if (there) {
		size_t n = min_u64(source.len, LOOKED_AT);
		memcpy(bytes, source.data, n);
		if (!called_in(bytes, n, &called) && source.len > n) {
			memcpy(bytes, source.data + source.len - n, n);
			called_in(bytes, n, &called);
		}
	}
	if (there)
		source_close(&source);
	each_place(log, called, take, ctx);
	free(bytes);
}
