/* pprof: what it writes, unpacked by zlib and decoded here, says what `export folded` says, line by line. */
#include "logs.h"

#include "exported.h"

#include <stdio.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

enum { MOST_STRINGS = 4096, MOST_IDS = 4096, MOST_LINES = 4096 };

/* profile.proto, as far as stacks need it. */
struct decoded {
	struct evl_str strings[MOST_STRINGS];
	size_t n_strings;
	uint64_t functions[MOST_IDS], locations[MOST_IDS]; /* by id: string of the name; id of the function */
	uint64_t types[4], units[4], values[4], period;
	size_t n_types;
	struct evl_str samples[MOST_LINES];
	size_t n_samples;
};

struct field {
	unsigned number, wire;
	uint64_t value;
	struct evl_str bytes;
};

static uint64_t varint(struct evl_str *s)
{
	uint64_t v = 0;
	for (unsigned shift = 0;; shift += 7) {
		assert_true(s->len > 0 && shift < 64);
		uint8_t byte = *s->p++;
		s->len--;
		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
}

static bool next_field(struct evl_str *s, struct field *f)
{
	if (s->len == 0)
		return false;
	uint64_t key = varint(s);
	*f = (struct field){.number = (unsigned)(key >> 3), .wire = key & 7};
	f->value = varint(s);
	assert_true(f->wire == 0 || f->wire == 2);
	if (f->wire == 2) {
		assert_true(f->value <= s->len);
		f->bytes = (struct evl_str){s->p, f->value};
		s->p += f->value;
		s->len -= f->value;
	}
	return true;
}

/* The number in a field of a message; 0: not there. */
static uint64_t number_in(struct evl_str s, unsigned number)
{
	struct field f;
	while (next_field(&s, &f))
		if (f.number == number && f.wire == 0)
			return f.value;
	return 0;
}

static uint64_t line_function(struct evl_str location)
{
	struct field f;
	while (next_field(&location, &f))
		if (f.number == 4)
			return number_in(f.bytes, 1);
	return 0;
}

static void take(struct decoded *d, const struct field *f)
{
	uint64_t id = f->wire == 2 && (f->number == 4 || f->number == 5) ? number_in(f->bytes, 1) : 0;
	assert_true(id < MOST_IDS);
	switch (f->number) {
	case 1:
		assert_true(d->n_types < countof(d->types));
		d->types[d->n_types] = number_in(f->bytes, 1);
		d->units[d->n_types++] = number_in(f->bytes, 2);
		break;
	case 2:
		assert_true(d->n_samples < MOST_LINES);
		d->samples[d->n_samples++] = f->bytes;
		break;
	case 4: d->locations[id] = line_function(f->bytes); break;
	case 5: d->functions[id] = number_in(f->bytes, 2); break;
	case 6:
		assert_true(d->n_strings < MOST_STRINGS);
		d->strings[d->n_strings++] = f->bytes;
		break;
	case 12: d->period = f->value; break;
	default: break;
	}
}

static struct evl_str function_name(const struct decoded *d, uint64_t location)
{
	assert_true(location > 0 && location < MOST_IDS && d->locations[location] > 0);
	uint64_t name = d->functions[d->locations[location]];
	assert_true(name > 0 && name < d->n_strings);
	return d->strings[name];
}

/* A sample as a line of folded stacks: outermost first. */
static void put_line(const struct decoded *d, struct evl_str sample, struct buf *out)
{
	uint64_t ids[512], values[4];
	size_t n = 0, n_values = 0;
	struct field f;
	while (next_field(&sample, &f)) {
		struct evl_str packed = f.bytes; /* repeated numbers come packed, or one by one */
		do {
			uint64_t v = f.wire == 2 ? varint(&packed) : f.value;
			if (f.number == 1 && n < countof(ids))
				ids[n++] = v;
			else if (f.number == 2 && n_values < countof(values))
				values[n_values++] = v;
		} while (packed.len);
	}
	assert_int_equal(n_values, d->n_types);
	while (n-- > 0) {
		buf_str(out, function_name(d, ids[n]));
		buf_char(out, n ? ';' : ' ');
	}
	buf_decimal(out, values[0]);
	buf_char(out, '\n');
	if (n_values == 2)
		assert_int_equal(values[1], values[0] * d->period);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The lines of a text in order; it is taken apart. */
static size_t lines_of(char *text, char **out)
{
	size_t n = 0;
	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
		assert_true(n < MOST_LINES);
		out[n++] = at;
	}
	qsort(out, n, sizeof *out, by_text);
	return n;
}

static struct buf export_bytes(const struct evl_log *log, const char *format, uint64_t from, uint64_t to, bool no_rts)
{
	struct buf all = {0};
	struct export x = {.log = log, .from = from, .to = to, .no_rts = no_rts, .put = keep_bytes, .ctx = &all};
	assert_int_equal(export_run(export_find(format), &x), 0);
	return all;
}

static struct buf unpacked(struct buf raw)
{
	struct buf out = {0};
#ifdef HAVE_ZLIB
	z_stream z = {.next_in = (Bytef *)raw.p, .avail_in = (uInt)raw.len};
	char piece[4096];
	int result = Z_OK;
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	while (result == Z_OK) {
		z.next_out = (Bytef *)piece;
		z.avail_out = sizeof piece;
		result = inflate(&z, Z_NO_FLUSH);
		buf_put(&out, piece, sizeof piece - z.avail_out);
	}
	assert_int_equal(result, Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
#else
	buf_put(&out, raw.p, raw.len);
#endif
	buf_free(&raw);
	return out;
}

static void assert_same(const struct evl_log *log, uint64_t from, uint64_t to, bool no_rts)
{
	static struct decoded d;
	static char *got[MOST_LINES], *want[MOST_LINES];
	struct buf raw = unpacked(export_bytes(log, "pprof", from, to, no_rts)), text = {0},
		   folded = export_bytes(log, "folded", from, to, no_rts);
	struct evl_str rest = {(const uint8_t *)raw.p, raw.len};
	struct field f;
	memset(&d, 0, sizeof d);
	while (next_field(&rest, &f))
		take(&d, &f);
	assert_int_equal(d.strings[0].len, 0);
	assert_true(str_is(d.strings[d.types[0]], "samples") && str_is(d.strings[d.units[0]], "count"));
	assert_true(d.n_types == 1 || (str_is(d.strings[d.units[1]], "nanoseconds") && d.period > 0));
	for (size_t i = 0; i < d.n_samples; i++)
		put_line(&d, d.samples[i], &text);
	buf_char(&text, '\0');
	buf_char(&folded, '\0');
	size_t n = lines_of(text.p, got);
	assert_int_equal(n, lines_of(folded.p, want));
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(got[i], want[i]);
	buf_free(&raw);
	buf_free(&text);
	buf_free(&folded);
}

static void as_folded_stacks(void **state)
{
	static const char *const names[] = {"9.10.3-profmix-p-hc", "9.0.2-quarry-p-N2", "9.10.3-restart-prof"};
	(void)state;
	for (size_t i = 0; i < countof(names); i++) {
		char path[128];
		uint64_t first, last;
		snprintf(path, sizeof path, "tests/logs/%s.eventlog", names[i]);
		struct evl_log *log = walked_file(path);
		assert_true(evl_range(log, &first, &last));
		assert_same(log, 0, UINT64_MAX, false);
		assert_same(log, 0, UINT64_MAX, true);
		assert_same(log, first + (last - first) / 4, first + (last - first) / 4 * 3, false);
		evl_close(log);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_folded_stacks)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
