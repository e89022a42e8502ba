/* weird.h - a log made by a recipe of any bytes: all event types, numbers at their most, texts that terminals obey,
 * times that go back, blocks that lie about themselves, damage. */
#ifndef TESTS_WEIRD_H
#define TESTS_WEIRD_H

#include "base/buf.h"
#include "format/schema.h"
#include "index/blocks.h"

/* Bytes to take choices from; after the last, zeros. */
struct recipe {
	const uint8_t *p;
	size_t left;
};

static inline uint8_t recipe_byte(struct recipe *r)
{
	if (r->left == 0)
		return 0;
	r->left--;
	return *r->p++;
}

static inline size_t recipe_below(struct recipe *r, size_t n) { return recipe_byte(r) % n; }

struct weird {
	struct recipe *r;
	struct buf *out;
	uint64_t t;
	size_t block; /* where the open one starts; 0: none is open */
	bool lies;    /* of the size and the end of blocks */
};

enum { WEIRD_SIZE_AT = 10, WEIRD_END_AT = 14, WEIRD_TEXT = 300, WEIRD_MOST = 1 << 18 };

/* Mostly small; at their most now and then. */
static inline uint64_t weird_number(struct recipe *r)
{
	static const uint64_t edges[] = {UINT64_MAX, UINT64_MAX - 1, INT64_MAX, UINT64_C(1) << 63, UINT32_MAX,
		INT32_MAX, 1 << 20, (1 << 20) + 7, 1 << 16, 65535, 65534, 32768, 4096, 4095, 4094, 1024, 1023, 256, 255,
		64, 16, 15};
	uint8_t first = recipe_byte(r);
	return first < 200 ? first % 16 : edges[first % countof(edges)];
}

static inline void weird_text(struct recipe *r, struct buf *out)
{
	static const char *const texts[] = {"", "x", "START a", "STOP a", "START b", "STOP b", "main", "worker-1",
		"\x1b]0;TELLTALE\a\x1b[2J", "\xc2\x9b;1m\x9b;J", "\xe2\x80\xaelive", "=cmd|calc!A1", "a\nb\r\tc",
		"\"\\,;'<script>", "GHC:started:parse", "GHC:finished:parse", "\xff\xfe\x80", "%s%n", "0x7f00",
		"src/Main.hs:3:1-9", "TimerManager", "GC"};
	size_t which = recipe_below(r, countof(texts) + 2);
	if (which < countof(texts)) {
		buf_cstr(out, texts[which]);
	} else if (which == countof(texts)) {
		for (size_t n = recipe_below(r, 16); n--;)
			buf_char(out, (char)recipe_byte(r));
	} else {
		for (size_t n = WEIRD_TEXT; n--;)
			buf_lit(out, "\xcc\x81");
	}
}

static inline void weird_field(struct recipe *r, enum evl_kind kind, struct buf *out)
{
	unsigned width = schema_width(kind);
	if (width) {
		buf_be(out, weird_number(r), width);
	} else if (kind == EVL_K_stack) {
		size_t depth = recipe_below(r, 8);
		buf_be(out, depth, 1);
		while (depth--)
			buf_be(out, weird_number(r), 4);
	} else {
		for (size_t n = kind == EVL_K_strs ? recipe_below(r, 4) : 1; n--;) {
			weird_text(r, out);
			if (kind == EVL_K_zstr || kind == EVL_K_strs)
				buf_char(out, 0);
		}
	}
}

static inline void weird_patch(struct buf *b, size_t at, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width && at + i < b->len; i++)
		b->p[at + i] = (char)(v >> 8 * (width - 1 - i));
}

static inline void weird_end_block(struct weird *w)
{
	if (w->block && !w->lies) {
		weird_patch(w->out, w->block + WEIRD_SIZE_AT, w->out->len - w->block, 4);
		weird_patch(w->out, w->block + WEIRD_END_AT, w->t, 8);
	}
	w->block = 0;
}

static inline void weird_begin_block(struct weird *w)
{
	weird_end_block(w);
	uint8_t cap = recipe_byte(w->r);
	w->block = w->out->len;
	w->lies = cap >= 250;
	buf_be(w->out, EVL_BLOCK_MARKER, 2);
	buf_be(w->out, w->t, 8);
	buf_be(w->out, w->lies ? weird_number(w->r) : 0, 4);
	buf_be(w->out, w->lies ? weird_number(w->r) : 0, 8);
	buf_be(w->out, cap < 80 ? EVL_NO_CAP : cap < 200 ? cap % 4 : weird_number(w->r), 2);
}

static inline void weird_event(struct weird *w, const struct schema *row)
{
	size_t head = w->out->len;
	buf_be(w->out, row->tag, 2);
	buf_be(w->out, w->t, 8);
	if (row->variable)
		buf_be(w->out, 0, 2);
	size_t payload = w->out->len;
	for (unsigned i = 0; i < row->n_fields; i++)
		weird_field(w->r, row->fields[i].kind, w->out);
	if (row->variable)
		weird_patch(w->out, head + 10, w->out->len - payload, 2);
}

/* The last bytes once more, again and again. */
static inline void weird_repeat(struct weird *w, size_t from)
{
	size_t len = w->out->len - from;
	for (size_t n = recipe_byte(w->r); n-- && len && w->out->len < WEIRD_MOST;)
		if (buf_fits(w->out, len)) {
			memcpy(w->out->p + w->out->len, w->out->p + from, len);
			w->out->len += len;
		}
}

static inline void weird_time(struct weird *w)
{
	uint8_t step = recipe_byte(w->r);
	if (step < 160)
		w->t += step;
	else if (step < 200)
		w->t -= min_u64(w->t, step);
	else if (step < 240)
		w->t += (uint64_t)(step - 199) * 1000003;
	else if (step < 250)
		w->t += UINT64_C(1) << (step - 200);
	else
		w->t = weird_number(w->r);
}

/* Types that are declared: all, or without some, or of other sizes. */
static inline void weird_header(struct recipe *r, struct buf *out)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	uint8_t odd = recipe_byte(r);
	buf_lit(out, "hdrbhetb");
	for (size_t i = 0; i < n; i++) {
		bool old = rows[i].until, changed = odd >= 200 && i % 29 == odd % 29;
		if (old != (changed && odd & 1))
			continue;
		buf_lit(out, "etb\0");
		buf_be(out, rows[i].tag, 2);
		buf_be(out, rows[i].variable ? 0xffff : rows[i].size + (changed && odd & 2 ? 3u : 0u), 2);
		buf_be(out, strlen(rows[i].name), 4);
		buf_cstr(out, rows[i].name);
		buf_lit(out, "\0\0\0\0ete\0");
	}
	buf_lit(out, "hetehdredatb");
}

static inline void weird_step(struct weird *w)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	uint8_t what = recipe_byte(w->r);
	if (what < n && what != 255) {
		if (rows[what].tag != EVL_BLOCK_MARKER && !rows[what].until)
			weird_event(w, &rows[what]);
	} else if (what < 190) {
		weird_time(w);
	} else if (what < 225) {
		weird_begin_block(w);
	} else if (what < 240) {
		weird_repeat(w, w->block ? w->block : w->out->len - (w->out->len < 40 ? w->out->len : 40));
	} else if (what < 250) {
		for (size_t len = recipe_below(w->r, 24); len--;)
			buf_char(w->out, (char)recipe_byte(w->r));
	} else if (what < 252) {
		weird_end_block(w);
		buf_lit(w->out, "\xff\xff");
	} else if (what == 252) {
		weird_end_block(w);
		weird_header(w->r, w->out);
	} else {
		weird_end_block(w);
	}
}

/* Append the log of a recipe. */
static inline void weird_log(struct recipe *r, struct buf *out)
{
	struct weird w = {.r = r, .out = out, .t = 10};
	weird_header(r, out);
	weird_begin_block(&w);
	while (r->left && out->len < WEIRD_MOST && !out->failed) {
		weird_time(&w);
		weird_step(&w);
	}
	weird_end_block(&w);
	if (out->len % 3)
		buf_lit(out, "\xff\xff");
}

#endif
