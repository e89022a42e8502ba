#include "show/event_text_forms.h"

#include "base/printable.h"
#include "base/utf8.h"
#include "format/decode.h"

#include <wctype.h>

/* --- text --------------------------------------------------------------------------------------------------------- */

static void put_char(struct event_text *s, uint32_t cp)
{
	if (s->printable)
		printable_char(&s->out, cp);
	else
		printable_code_point(&s->out, cp);
}

void say_text(struct event_text *s, struct evl_str text)
{
	for (uint32_t cp; printable_next(&s->out, &text, &cp);)
		put_char(s, cp);
}

/* --- forms -------------------------------------------------------------------------------------------------------- */

static void form_decimal(struct event_text *s, const struct evl_value *v) { buf_decimal(&s->out, v->u); }
static void form_hex(struct event_text *s, const struct evl_value *v) { buf_hex(&s->out, v->u); }
static void form_low16(struct event_text *s, const struct evl_value *v) { buf_decimal(&s->out, v->u & 0xffff); }
static void form_successor(struct event_text *s, const struct evl_value *v) { buf_decimal(&s->out, v->u + 1); }
static void form_text(struct event_text *s, const struct evl_value *v) { say_text(s, v->str); }

/* In 16 bits, as the reference has it: too large a power is 0. */
static void form_power_of_2(struct event_text *s, const struct evl_value *v)
{
	buf_decimal(&s->out, v->u < 16 ? 1u << v->u : 0);
}

static void form_latin1(struct event_text *s, const struct evl_value *v)
{
	for (size_t i = 0; i < v->str.len; i++)
		put_char(s, v->str.p[i]);
}

static void form_stack(struct event_text *s, const struct evl_value *v)
{
	for (size_t i = 0; i + 4 <= v->str.len; i += 4) {
		if (i)
			buf_lit(&s->out, ", ");
		buf_decimal(&s->out, be32(v->str.p + i));
	}
}

/* names[u], or the number where it has none. */
static void put_name(struct buf *out, const char *const *names, size_t n, uint64_t u, const char *what)
{
	if (u < n && names[u]) {
		buf_cstr(out, names[u]);
	} else {
		buf_cstr(out, what);
		buf_char(out, ' ');
		buf_decimal(out, u);
	}
}

/* The word after the status, the info, is part of two of the reasons. */
static void form_stop(struct event_text *s, const struct evl_value *v)
{
	enum { STACK_OVERFLOW = 2, BLACK_HOLE = 8 };
	static const char *const why[] = {
		[0] = "No stop thread status",
		[1] = "heap overflow",
		[STACK_OVERFLOW] = "stack overflow, size ",
		[3] = "thread yielding",
		[5] = "thread finished",
		[6] = "making a foreign call",
		[7] = "blocked on an MVar",
		[BLACK_HOLE] = "blocked on black hole owned by thread ",
		[9] = "blocked on I/O read",
		[10] = "blocked on I/O write",
		[11] = "blocked on threadDelay",
		[12] = "blocked in STM retry",
		[13] = "blocked on asyncDoProc",
		[18] = "blocked in throwTo",
		[19] = "No stop thread status",
		[20] = "blocked reading an MVar",
	};
	put_name(&s->out, why, countof(why), v->u, "status");
	if (v->u == STACK_OVERFLOW || v->u == BLACK_HOLE)
		buf_decimal(&s->out, v[1].u);
}

static void form_capset_type(struct event_text *s, const struct evl_value *v)
{
	static const char *const names[] = {"Unknown", "Custom", "OsProcess", "ClockDomain"};
	buf_lit(&s->out, "Capset");
	buf_cstr(&s->out, names[v->u < countof(names) ? v->u : 0]);
}

static void form_breakdown(struct event_text *s, const struct evl_value *v)
{
	static const char *const names[] = {
#define BREAKDOWN(number, id, flag, name, question, needs) [number] = name,
#include "heap/breakdown.def"
#undef BREAKDOWN
	};
	put_name(&s->out, names, countof(names), v->u, "breakdown");
}

static void form_eden_tag(struct event_text *s, const struct evl_value *v)
{
	enum { FIRST = 0x50 };
	static const char *const names[] = {"Ready", "NewPE", "PETIDS", "Finish", "FailPE", "RFork", "Connect",
		"DataMes", "Head", "Constr", "Part", "Terminate", "Packet"};
	if (v->u >= FIRST && v->u < FIRST + countof(names))
		buf_cstr(&s->out, names[v->u - FIRST]);
	else
		buf_decimal(&s->out, v->u);
}

static void form_caf(struct event_text *s, const struct evl_value *v)
{
	if (v->u & 1)
		buf_lit(&s->out, " CAF");
}

/* The filters of a heap profile that are set, each followed by a comma. */
static void form_filters(struct event_text *s, const struct evl_value *v)
{
	enum { FILTERS = 7 };
	bool any = false;
	for (int i = 0; i < FILTERS; i++) {
		if (v[i].str.len == 0)
			continue;
		if (!any)
			buf_lit(&s->out, " filtered by ");
		any = true;
		say_text(s, v[i].str);
		buf_lit(&s->out, ", ");
	}
}

/* The number that a text begins with, in 64 bits; the text where it begins with none. */
static void form_number(struct event_text *s, const struct evl_value *v)
{
	uint64_t n = 0;
	size_t i = 0;
	for (; i < v->str.len && is_digit(v->str.p[i]); i++)
		n = n * 10 + v->str.p[i] - '0';
	if (i)
		buf_signed(&s->out, (int64_t)n);
	else
		say_text(s, v->str);
}

/* Printable as Haskell has it, so that what is printed of a binary message is the same. */
static bool haskell_prints(const struct event_text *s, uint32_t cp)
{
	return !utf8_unseen(cp) && (cp < 0x80 || !s->unicode || iswprint_l((wint_t)cp, s->unicode));
}

static void form_binary(struct event_text *s, const struct evl_value *v)
{
	for (struct evl_str rest = v->str; rest.len;) {
		uint32_t cp = utf8_take(&rest);
		printable_code_point(&s->out, cp != UTF8_BAD && haskell_prints(s, cp) ? cp : '.');
	}
}

/* --- Haskell's show of strings ------------------------------------------------------------------------------------ */

static void put_haskell_control(struct buf *out, uint32_t cp, char next)
{
	static const char *const names[] = {"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v",
		"f", "r", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
		"FS", "GS", "RS", "US"};
	buf_char(out, '\\');
	buf_cstr(out, cp == 0x7f ? "DEL" : names[cp]);
	if (cp == 0x0e && next == 'H')
		buf_lit(out, "\\&");
}

static void put_haskell_char(struct buf *out, uint32_t cp, char next)
{
	if (cp == '"' || cp == '\\') {
		buf_char(out, '\\');
		buf_char(out, (char)cp);
	} else if (cp < 0x20 || cp == 0x7f) {
		put_haskell_control(out, cp, next);
	} else if (cp < 0x80) {
		buf_char(out, (char)cp);
	} else {
		buf_char(out, '\\');
		buf_decimal(out, cp);
		if (is_digit(next))
			buf_lit(out, "\\&");
	}
}

static void put_haskell_string(struct buf *out, struct evl_str text)
{
	buf_char(out, '"');
	while (text.len) {
		uint8_t byte = *text.p;
		uint32_t cp = utf8_take(&text);
		if (cp == UTF8_BAD)
			printable_byte(out, byte);
		else
			put_haskell_char(out, cp, text.len ? (char)*text.p : 0);
	}
	buf_char(out, '"');
}

/* Split at NULs, those at the end stripped first: no texts at all are said as one that is empty. */
static void form_quoted(struct event_text *s, const struct evl_value *v)
{
	struct evl_str rest = v->str, text;
	while (rest.len && rest.p[rest.len - 1] == 0)
		rest.len--;
	if (!decode_next_str(&rest, &text))
		text = EVL_STR("");
	put_haskell_string(&s->out, text);
	while (decode_next_str(&rest, &text)) {
		buf_char(&s->out, ',');
		put_haskell_string(&s->out, text);
	}
}

/* --- by name ------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	event_text_form_fn *fn;
} forms[] = {
#define FORM(name)                                                                                                     \
	{                                                                                                              \
#name, form_##name                                                                                     \
	}
	FORM(hex),
	FORM(low16),
	FORM(successor),
	FORM(power_of_2),
	FORM(latin1),
	FORM(stop),
	FORM(capset_type),
	FORM(breakdown),
	FORM(eden_tag),
	FORM(caf),
	FORM(filters),
	FORM(number),
	FORM(binary),
	FORM(quoted),
#undef FORM
};

event_text_form_fn *event_text_form_of_kind(enum evl_kind kind)
{
	switch (kind) {
	case EVL_K_task:
	case EVL_K_addr: return form_hex;
	case EVL_K_stack: return form_stack;
	default: return schema_width(kind) ? form_decimal : form_text;
	}
}

event_text_form_fn *event_text_form_named(const char *name, size_t len)
{
	for (size_t i = 0; i < countof(forms); i++)
		if (strlen(forms[i].name) == len && memcmp(forms[i].name, name, len) == 0)
			return forms[i].fn;
	return NULL;
}
