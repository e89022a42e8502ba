/* cell.c - values as text of CSV and JSON. */
#include "base/cell.h"

#include "base/utf8.h"

#include <math.h>

struct datum cell_cstr(const char *s) { return cell_text(str_of(s)); }

struct datum cell_name(struct evl_str s) { return s.len ? cell_text(s) : CELL_NONE; }

struct datum cell_word(const char *s) { return *s ? cell_cstr(s) : CELL_NONE; }

struct datum cell_real(double v) { return isfinite(v) ? (struct datum){.kind = CELL_REAL, .real = v} : CELL_NONE; }

double cell_double(const struct datum *c)
{
	switch (c->kind) {
	case CELL_BOOL:
	case CELL_COUNT: return (double)c->count;
	case CELL_SIGNED: return (double)c->number;
	case CELL_REAL: return c->real;
	default: return (double)NAN;
	}
}

static bool needs_quotes(struct evl_str s)
{
	size_t i = 0;
	while ((i += utf8_run_without((struct evl_str){s.p + i, s.len - i}, ',', '"')) < s.len) {
		if (s.p[i] == ',' || s.p[i] == '"' || s.p[i] < ' ')
			return true;
		i++;
	}
	return false;
}

/* With each quote doubled if the text is in quotes. */
static void put_text(struct buf *out, struct evl_str s, bool quotes)
{
	char utf8[UTF8_MAX];
	while (s.len > 0) {
		size_t plain = utf8_run_without(s, quotes ? '"' : 0, 0);
		buf_put(out, s.p, plain);
		s.p += plain;
		s.len -= plain;
		if (s.len == 0)
			break;
		uint32_t cp = utf8_take(&s);
		if (quotes && cp == '"')
			buf_char(out, '"');
		buf_put(out, utf8, utf8_encode(cp > 0x10ffff ? 0xfffd : cp, utf8));
	}
}

static void put_quoted(struct buf *out, const char *before, struct evl_str s)
{
	buf_char(out, '"');
	buf_cstr(out, before);
	put_text(out, s, true);
	buf_char(out, '"');
}

void cell_csv_text(struct buf *out, struct evl_str s)
{
	if (utf8_run_without(s, ',', '"') == s.len)
		buf_str(out, s);
	else if (needs_quotes(s))
		put_quoted(out, "", s);
	else
		put_text(out, s, false);
}

/* Wide forms of the signs count, too. */
static bool is_formula(struct evl_str s)
{
	static const uint32_t signs[] = {'=', '+', '-', '@', '\t', '\r', '\n', 0xff1d, 0xff0b, 0xff0d, 0xff20};
	uint32_t first = s.len ? utf8_take(&s) : 0;
	for (size_t i = 0; i < countof(signs); i++)
		if (first == signs[i])
			return true;
	return false;
}

void cell_csv_safe(struct buf *out, const struct datum *c)
{
	if (c->kind != CELL_TEXT || c->text.len == 0)
		cell_csv(out, c);
	else
		put_quoted(out, is_formula(c->text) ? "'" : "", c->text);
}

void cell_csv(struct buf *out, const struct datum *c)
{
	struct json number = {.out = out};
	switch (c->kind) {
	case CELL_UNKNOWN: break;
	case CELL_BOOL:
	case CELL_COUNT: buf_decimal(out, c->count); break;
	case CELL_SIGNED: buf_signed(out, c->number); break;
	case CELL_REAL: json_double(&number, c->real); break;
	case CELL_TEXT: cell_csv_text(out, c->text); break;
	}
}

void cell_json(struct json *j, const struct datum *c)
{
	switch (c->kind) {
	case CELL_UNKNOWN: json_null(j); break;
	case CELL_BOOL: json_bool(j, c->count); break;
	case CELL_COUNT: json_u64(j, c->count); break;
	case CELL_SIGNED: json_i64(j, c->number); break;
	case CELL_REAL: json_double(j, c->real); break;
	case CELL_TEXT: json_str(j, c->text); break;
	}
}

void cell_json_key(struct json *j, struct evl_str name)
{
	json_str(j, name);
	buf_char(j->out, ':');
	j->comma = false;
}
