/* export_pprof.c - export pprof: the time profile as profile.proto, gzip'ed where zlib is built in.
 *
 * A location and a function per cost centre, named as in export folded; a sample per stack: how many samples, and, where
 * the interval of the profiler is known, their time. Field numbers: proto/profile.proto of github.com/google/pprof. */
#include "export/export.h"
#include "export/intern.h"
#include "export/proto.h"
#include "prof/prof_window.h"
#include "prof/source_loc.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { /* of Profile */ SAMPLE_TYPE = 1,
	SAMPLE = 2,
	LOCATION = 4,
	FUNCTION = 5,
	STRING_TABLE = 6,
	TIME_NANOS = 9,
	DURATION_NANOS = 10,
	PERIOD_TYPE = 11,
	PERIOD = 12 };
enum { /* of ValueType */ TYPE = 1, UNIT = 2 };
enum { /* of Sample */ LOCATION_ID = 1, VALUE = 2 };
enum { /* of Location */ ID = 1, LINE = 4 };
enum { /* of Line */ FUNCTION_ID = 1, LINE_NUMBER = 2 };
enum { /* of Function */ NAME = 2, FILENAME = 4, START_LINE = 5 };

struct pprof {
	struct export *x;
	struct buf raw; /* not compressed yet */
	struct interns strings;
	struct buf clean;
	uint64_t interval;
	bool failed;
#ifdef HAVE_ZLIB
	z_stream z;
#endif
};

/* --- output --------------------------------------------------------------------------------------------------------- */

#ifdef HAVE_ZLIB
enum { GZIP = 15 + 16, MEMORY = 8 };

static bool begin(struct pprof *p)
{
	return deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
}

static int pass_on(struct pprof *p, bool end)
{
	enum { PIECE = 32 << 10 };
	char out[PIECE];
	int result = p->raw.failed ? EVL_NOMEM : 0;
	p->z.next_in = (Bytef *)p->raw.p;
	p->z.avail_in = (uInt)p->raw.len;
	for (p->z.avail_out = 0; result == 0 && p->z.avail_out == 0;) {
		p->z.next_out = (Bytef *)out;
		p->z.avail_out = sizeof out;
		deflate(&p->z, end ? Z_FINISH : Z_NO_FLUSH);
		buf_put(&p->x->out, out, sizeof out - p->z.avail_out);
		result = export_more(p->x);
	}
	buf_clear(&p->raw);
	return result;
}

static void finish(struct pprof *p) { deflateEnd(&p->z); }
#else
static bool begin(struct pprof *p) { return p != NULL; }

static int pass_on(struct pprof *p, UNUSED bool end)
{
	buf_put(&p->x->out, p->raw.p, p->raw.len);
	buf_clear(&p->raw);
	return p->raw.failed ? EVL_NOMEM : export_more(p->x);
}

static void finish(UNUSED struct pprof *p) {}
#endif

static int more(struct pprof *p)
{
	enum { FLUSH_AT = 64 << 10 };
	return p->failed ? EVL_NOMEM : p->raw.len < FLUSH_AT ? 0 : pass_on(p, false);
}

/* --- strings -------------------------------------------------------------------------------------------------------- */

/* The number of a string; the first time it is written, too. Number 0 is the empty one. */
static uint64_t string(struct pprof *p, struct evl_str s)
{
	bool is_new;
	buf_clear(&p->clean);
	proto_clean(&p->clean, s);
	uint64_t number = intern(&p->strings, (struct evl_str){(const uint8_t *)p->clean.p, p->clean.len}, &is_new);
	p->failed = p->failed || !number || p->clean.failed;
	if (is_new && number)
		proto_bytes(&p->raw, STRING_TABLE, p->clean.p, p->clean.len);
	return number ? number - 1 : 0;
}

static uint64_t literal(struct pprof *p, const char *s) { return string(p, str_of(s)); }

/* --- the profile ---------------------------------------------------------------------------------------------------- */

static void put_type(struct pprof *p, unsigned field, const char *type, const char *unit)
{
	uint64_t numbers[] = {literal(p, type), literal(p, unit)};
	size_t open = proto_open(&p->raw, field);
	proto_number(&p->raw, TYPE, numbers[0]);
	proto_number(&p->raw, UNIT, numbers[1]);
	proto_close(&p->raw, open);
}

static void put_head(struct pprof *p)
{
	const struct evl_log *log = p->x->log;
	struct program_facts facts = program_get(&log->program);
	uint64_t first, last;
	literal(p, "");
	put_type(p, SAMPLE_TYPE, "samples", "count");
	if (p->interval) {
		put_type(p, SAMPLE_TYPE, "time", "nanoseconds");
		put_type(p, PERIOD_TYPE, "time", "nanoseconds");
		proto_number(&p->raw, PERIOD, p->interval);
	}
	if (!evl_range(log, &first, &last))
		return;
	first = max_u64(first, p->x->from);
	last = max_u64(first, min_u64(last, p->x->to));
	if (facts.wall_ns)
		proto_number(&p->raw, TIME_NANOS, facts.wall_ns + first);
	proto_number(&p->raw, DURATION_NANOS, last - first);
}

/* The function and the location of a name: both have its number + 1. */
static void put_name(struct pprof *p, const struct prof_names *names, uint32_t name, struct buf *text)
{
	struct source_loc place = {0};
	buf_clear(text);
	prof_frame_text(text, names, name);
	bool placed = source_loc_parse(prof_location(names, name), &place);
	uint64_t called = string(p, (struct evl_str){(const uint8_t *)text->p, text->len});
	uint64_t file = placed ? string(p, place.file) : 0;
	size_t open = proto_open(&p->raw, FUNCTION);
	proto_number(&p->raw, ID, (uint64_t)name + 1);
	proto_number(&p->raw, NAME, called);
	if (file)
		proto_number(&p->raw, FILENAME, file);
	if (place.line)
		proto_number(&p->raw, START_LINE, place.line);
	proto_close(&p->raw, open);
	open = proto_open(&p->raw, LOCATION);
	proto_number(&p->raw, ID, (uint64_t)name + 1);
	size_t line = proto_open(&p->raw, LINE);
	proto_number(&p->raw, FUNCTION_ID, (uint64_t)name + 1);
	if (place.line)
		proto_number(&p->raw, LINE_NUMBER, place.line);
	proto_close(&p->raw, line);
	proto_close(&p->raw, open);
}

/* The innermost frame first. */
static void put_sample(
	struct pprof *p, const struct stacks *stacks, const struct prof_names *names, uint32_t node, uint64_t n)
{
	size_t open = proto_open(&p->raw, SAMPLE);
	for (; node != STACK_ROOT; node = stacks_at(stacks, node)->parent)
		proto_number(&p->raw, LOCATION_ID, (uint64_t)names->of_node[node] + 1);
	proto_number(&p->raw, LOCATION_ID, PROF_MAIN + 1);
	proto_number(&p->raw, VALUE, n);
	if (p->interval)
		proto_number(&p->raw, VALUE, n * p->interval);
	proto_close(&p->raw, open);
}

static int put_all(
	struct pprof *p, const struct prof *prof, const struct prof_names *names, const struct prof_window *w)
{
	struct buf text = {0};
	int result = 0;
	put_head(p);
	for (uint32_t name = 0; name < names->n && result == 0; name++) {
		put_name(p, names, name, &text);
		result = more(p);
	}
	for (uint32_t node = 0; node < w->n_nodes && result == 0; node++)
		if (w->self[node]) {
			put_sample(p, &prof->stacks, names, node, w->self[node]);
			result = more(p);
		}
	result = result == 0 && (text.failed || p->failed) ? EVL_NOMEM : result;
	buf_free(&text);
	return result == 0 ? pass_on(p, true) : result;
}

int export_pprof(struct export *x)
{
	const struct prof *prof = evl_profile(x->log);
	struct pprof p = {.x = x, .interval = prof_interval(prof)};
	struct prof_names names;
	struct prof_window w;
	int result = export_samples(x, &w, &names);
	if (result == 0) {
		result = begin(&p) ? put_all(&p, prof, &names, &w) : EVL_NOMEM;
		finish(&p);
	}
	interns_free(&p.strings);
	buf_free(&p.clean);
	buf_free(&p.raw);
	prof_window_free(&w);
	prof_names_free(&names);
	return result;
}
