/* event_json.c - an event as a JSON object, as a line or as a cell of CSV.
 *
 * The words around the values of each type are put together once: `,"tag":1,"name":"RUN_THREAD","thread":`. */
#include "base/decimal.h"
#include "base/json.h"
#include "base/utf8.h"
#include "format/decode.h"
#include "show/event_text.h"

#include <stdlib.h>

static void json_strs(struct json *j, struct evl_str rest)
{
	struct evl_str text;
	json_open(j, '[');
	while (decode_next_str(&rest, &text))
		json_str(j, text);
	json_close(j, ']');
}

static void json_stack(struct json *j, struct evl_str ids)
{
	json_open(j, '[');
	for (size_t i = 0; i + 4 <= ids.len; i += 4)
		json_u64(j, be32(ids.p + i));
	json_close(j, ']');
}

/* --- words ---------------------------------------------------------------------------------------------------------- */

/* Where a type's words begin: tag and name, then the key of each field; and the end. They are copied by the piece. */
enum { WORDS = EVL_MAX_FIELDS + 2, PIECE = 32 };

static void put_key(struct buf *out, const char *quote, const char *name)
{
	buf_char(out, ',');
	buf_cstr(out, quote);
	buf_cstr(out, name);
	buf_cstr(out, quote);
	buf_char(out, ':');
}

static void put_words(struct event_words *w, const struct schema *row, const char *quote, uint32_t *at)
{
	at[0] = (uint32_t)w->text.len;
	put_key(&w->text, quote, "tag");
	buf_decimal(&w->text, row->tag);
	put_key(&w->text, quote, "name");
	buf_cstr(&w->text, quote);
	buf_cstr(&w->text, row->name);
	buf_cstr(&w->text, quote);
	for (int i = 1; i < WORDS; i++) {
		at[i] = (uint32_t)w->text.len;
		if (i <= row->n_fields)
			put_key(&w->text, quote, row->fields[i - 1].name);
	}
}

static bool make_words(struct event_words *w, bool is_csv)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	w->at = calloc(n * WORDS, sizeof *w->at);
	for (size_t i = 0; w->at && i < n; i++)
		put_words(w, &rows[i], is_csv ? "\"\"" : "\"", &w->at[i * WORDS]);
	bool good = w->at && buf_fits(&w->text, PIECE) && !w->text.failed;
	if (good)
		memset(w->text.p + w->text.len, 0, PIECE);
	else
		event_words_free(w);
	return good;
}

void event_words_free(struct event_words *w)
{
	buf_free(&w->text);
	free(w->at);
	w->at = NULL;
}

/* Up to PIECE bytes more are read and written. */
static inline char *copy_words(char *out, const struct event_words *w, const uint32_t *at)
{
	const size_t len = at[1] - at[0];
	const char *words = w->text.p + at[0];
	for (size_t done = 0; done < len; done += PIECE)
		memcpy(out + done, words + done, PIECE);
	return out + len;
}

/* --- values --------------------------------------------------------------------------------------------------------- */

static inline char *put_number(char *out, uint64_t v, enum evl_kind kind)
{
	if (kind == EVL_K_sbytes && (int64_t)v < 0) {
		*out++ = '-';
		v = 0 - v;
	}
	return decimal_put(out, v);
}

/* Double each quote from `at` on. */
static void double_quotes(struct buf *out, size_t at)
{
	size_t quotes = 0;
	for (size_t i = at; i < out->len; i++)
		quotes += out->p[i] == '"';
	if (!buf_fits(out, quotes))
		return;
	size_t from = out->len, to = from + quotes;
	out->len = to;
	while (from < to) {
		char c = out->p[--to] = out->p[--from];
		if (c == '"')
			out->p[--to] = c;
	}
}

static bool is_text(enum evl_kind kind)
{
	return kind == EVL_K_str || kind == EVL_K_zstr || kind == EVL_K_istr || kind == EVL_K_strs;
}

/* A field whose width varies. */
static void put_text(struct buf *out, enum evl_kind kind, struct evl_str text, bool is_csv)
{
	struct json j = {.out = out};
	size_t at = out->len;
	switch (kind) {
	case EVL_K_strs: json_strs(&j, text); break;
	case EVL_K_stack: json_stack(&j, text); break;
	case EVL_K_raw: json_hex(&j, text); break;
	default: json_str(&j, text); break;
	}
	if (is_csv)
		double_quotes(out, at);
}

/* The first bytes of an object, its words before the fields, and room for those of n fields that are numbers. */
static void put_start(struct buf *out, const struct frame *f, uint16_t cap, const struct event_words *w,
	const uint32_t *at, bool is_csv)
{
	static const struct {
		char t[PIECE], cap[PIECE];
		size_t t_len, cap_len;
	} starts[] = {{"{\"t\":", ",\"cap\":", 5, 7}, {"{\"\"t\"\":", ",\"\"cap\"\":", 7, 9}};
	enum { ROOM = (EVL_MAX_FIELDS + 2) * (1 + DECIMAL_ROOM) + 4 * PIECE };
	if (!buf_fits(out, ROOM + at[WORDS - 1] - at[0]))
		return;
	char *p = out->p + out->len;
	memcpy(p, starts[is_csv].t, PIECE);
	p = decimal_put(p + starts[is_csv].t_len, f->t);
	memcpy(p, starts[is_csv].cap, PIECE);
	p += starts[is_csv].cap_len;
	p = cap == SAY_NO_CAP ? stpcpy(p, "null") : decimal_put(p, cap);
	out->len = (size_t)(copy_words(p, w, at) - out->p);
}

/* Fields that are all numbers, for which there is room. */
static void put_numbers(struct buf *out, const struct schema *row, const uint8_t *payload, const struct event_words *w,
	const uint32_t *at)
{
	char *p = out->p + out->len;
	for (int i = 0; i < row->n_fields; i++) {
		const unsigned width = schema_width(row->fields[i].kind);
		p = put_number(copy_words(p, w, &at[i + 1]), be_load(payload, width), row->fields[i].kind);
		payload += width;
	}
	out->len = (size_t)(p - out->p);
}

static void put_raw(struct buf *out, struct evl_str payload, bool is_csv)
{
	size_t at = out->len;
	struct json j = {.out = out, .comma = true};
	json_key(&j, "raw");
	json_hex(&j, payload);
	if (is_csv)
		double_quotes(out, at);
}

/* n fields, and all bytes where a text is not UTF-8. */
static void put_fields(struct buf *out, const struct schema *row, struct evl_str payload,
	const struct evl_value *values, int n, const struct event_words *w, const uint32_t *at, bool is_csv)
{
	bool valid = true;
	for (int i = 0; i < n; i++) {
		const enum evl_kind kind = row->fields[i].kind;
		buf_put(out, w->text.p + at[i + 1], at[i + 2] - at[i + 1]);
		if (!schema_width(kind))
			put_text(out, kind, values[i].str, is_csv);
		else if (buf_fits(out, 1 + DECIMAL_ROOM))
			out->len = (size_t)(put_number(out->p + out->len, values[i].u, kind) - out->p);
		valid = valid && !(is_text(kind) && !utf8_valid(values[i].str));
	}
	if (!valid)
		put_raw(out, payload, is_csv);
}

/* An event whose fields are not known: the file's description of its type, and its bytes. */
static void put_unknown(
	struct buf *out, const struct header_type *type, const struct frame *f, uint16_t cap, bool is_csv)
{
	const char *name = type->schema ? type->schema->name : schema_name(f->tag);
	struct json j = {.out = out};
	size_t at = out->len;
	json_open(&j, '{');
	json_put_u64(&j, "t", f->t);
	json_put_known(&j, "cap", cap != SAY_NO_CAP, cap);
	json_put_u64(&j, "tag", f->tag);
	json_put_text(&j, "name", name ? (struct evl_str){(const uint8_t *)name, strlen(name)} : EVL_STR(""));
	json_put_str(&j, "desc", type->desc);
	if (is_csv)
		double_quotes(out, at);
	put_raw(out, f->payload, is_csv);
}

/* All but the last brace; in CSV with doubled quotes. */
static void put_object(struct event_text *s, struct buf *out, const struct header_type *type, const struct frame *f,
	uint16_t cap, bool is_csv)
{
	struct event_words *w = &s->words[is_csv];
	const struct schema *row = type->schema;
	struct evl_value values[EVL_MAX_FIELDS];
	size_t n_rows;
	const bool numbers = row && !row->variable && f->payload.len >= row->size;
	const int n = !row ? -1 : numbers ? 0 : decode(row, f->payload, values);
	if (n < 0) {
		put_unknown(out, type, f, cap, is_csv);
		return;
	}
	if (!w->at && !make_words(w, is_csv)) {
		out->failed = true;
		return;
	}
	const uint32_t *at = &w->at[(size_t)(row - schema_rows(&n_rows)) * WORDS];
	put_start(out, f, cap, w, at, is_csv);
	if (out->failed)
		return;
	if (numbers)
		put_numbers(out, row, f->payload.p, w, at);
	else
		put_fields(out, row, f->payload, values, n, w, at, is_csv);
}

void event_text_json(struct event_text *s, const struct header_type *type, const struct frame *f, uint16_t cap)
{
	put_object(s, &s->out, type, f, cap, false);
	buf_lit(&s->out, "}\n");
}

void event_text_csv(
	struct event_text *s, struct buf *out, const struct header_type *type, const struct frame *f, uint16_t cap)
{
	buf_char(out, '"');
	put_object(s, out, type, f, cap, true);
	buf_lit(out, "}\"");
}
