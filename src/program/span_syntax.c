#include "program/span_syntax.h"

#include "format/schema.h"

/* Prefixes of the events of each convention. */
struct form {
	uint16_t tag;
	uint8_t convention;
	bool begins;
	struct evl_str prefix;
};

#define FORM(tag, convention, begins, text)                                                                            \
	{                                                                                                              \
		tag, convention, begins, { (const uint8_t *)(text), sizeof(text) - 1 }                                 \
	}

static const struct form forms[] = {
	FORM(EVL_USER_MSG, SPAN_ANALYZE, true, "START "),
	FORM(EVL_USER_MSG, SPAN_ANALYZE, false, "STOP "),
	FORM(EVL_USER_MARKER, SPAN_ANALYZE, true, "START "),
	FORM(EVL_USER_MARKER, SPAN_ANALYZE, false, "STOP "),
	FORM(EVL_USER_MSG, SPAN_GHC, true, "GHC:started: "),
	FORM(EVL_USER_MSG, SPAN_GHC, false, "GHC:finished: "),
	FORM(EVL_USER_MARKER, SPAN_GHC, true, "GHC:started: "),
	FORM(EVL_USER_MARKER, SPAN_GHC, false, "GHC:finished: "),
	FORM(EVL_USER_MSG, SPAN_OT_TEXT, true, "ot2 begin span "),
	FORM(EVL_USER_MSG, SPAN_OT_TEXT, false, "ot2 end span "),
	FORM(EVL_USER_BINARY_MSG, SPAN_OT_BINARY, true, "OT\x03\x01"),
	FORM(EVL_USER_BINARY_MSG, SPAN_OT_BINARY, false, "OT\x03\x02"),
};

bool span_syntax_wants(uint16_t tag)
{
	return tag == EVL_USER_MSG || tag == EVL_USER_MARKER || tag == EVL_USER_BINARY_MSG;
}

/* Multiply and fold (as FNV does), finished so that all bits of a short text count. */
static uint64_t hash(struct evl_str s)
{
	uint64_t h = 0xcbf29ce484222325;
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.p[i]) * 0x100000001b3;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
	return h ^ h >> 32;
}

/* Digits before a blank or the end; the blank is taken too. False: there are none, *s is as it was. */
static bool take_number(struct evl_str *s, struct evl_str *digits)
{
	size_t n = 0;
	while (n < s->len && is_digit(s->p[n]))
		n++;
	if (n == 0 || (n < s->len && s->p[n] != ' '))
		return false;
	*digits = (struct evl_str){s->p, n};
	n += n < s->len;
	*s = (struct evl_str){s->p + n, s->len - n};
	return true;
}

struct evl_str span_syntax_label(enum span_convention convention, struct evl_str name)
{
	struct evl_str label = name, digits;
	bool has_number = convention == SPAN_ANALYZE && take_number(&label, &digits) && label.len > 0;
	return has_number ? label : name; /* a number alone is a label */
}

static bool parse_analyze(struct evl_str rest, struct span_syntax *out)
{
	if (rest.len == 0 || !out)
		return rest.len > 0;
	out->name = rest;
	out->label = span_syntax_label(SPAN_ANALYZE, rest);
	out->key = hash(rest);
	return true;
}

static bool parse_ot_text(struct evl_str rest, struct span_syntax *out)
{
	struct evl_str digits;
	if (!take_number(&rest, &digits))
		return false;
	if (!out)
		return true;
	for (; digits.len > 1 && *digits.p == '0'; digits.len--)
		digits.p++;
	out->name = out->label = rest;
	out->key = hash(digits);
	return true;
}

static bool parse_ot_binary(struct evl_str rest, struct span_syntax *out)
{
	if (rest.len < sizeof out->key || !out)
		return rest.len >= sizeof out->key;
	out->key = __builtin_bswap64(be64(rest.p)); /* little-endian */
	out->name = out->label = (struct evl_str){rest.p + sizeof out->key, rest.len - sizeof out->key};
	return true;
}

static bool parse_ghc(struct evl_str rest, struct span_syntax *out)
{
	if (rest.len == 0 || !out)
		return rest.len > 0;
	out->name = out->label = rest;
	out->key = hash(rest);
	return true;
}

/* Most messages are not of spans, which their first byte tells. */
static inline bool may_match(uint8_t first) { return first == 'S' || first == 'G' || first == 'o' || first == 'O'; }

bool span_syntax_parse(uint16_t tag, struct evl_str payload, struct span_syntax *out)
{
	static bool (*const parse[SPAN_CONVENTIONS])(struct evl_str rest, struct span_syntax * out) = {
		[SPAN_ANALYZE] = parse_analyze,
		[SPAN_GHC] = parse_ghc,
		[SPAN_OT_TEXT] = parse_ot_text,
		[SPAN_OT_BINARY] = parse_ot_binary};
	for (size_t i = 0; payload.len && may_match(*payload.p) && i < countof(forms); i++) {
		const struct form *f = &forms[i];
		if (f->tag != tag || *payload.p != *f->prefix.p || payload.len < f->prefix.len
			|| memcmp(payload.p, f->prefix.p, f->prefix.len) != 0)
			continue;
		struct evl_str rest = {payload.p + f->prefix.len, payload.len - f->prefix.len};
		if (out) {
			out->convention = (enum span_convention)f->convention;
			out->begins = f->begins;
		}
		return parse[f->convention](rest, out);
	}
	return false;
}
