#include "program/span_syntax.h"

#include "format/schema.h"

/* How the events of each convention begin: convention, whether they start a span, text. */
#define TEXT_FORMS(FORM)                                                                                               \
	FORM(SPAN_ANALYZE, true, "START ")                                                                             \
	FORM(SPAN_ANALYZE, false, "STOP ")                                                                             \
	FORM(SPAN_GHC, true, "GHC:started: ")                                                                          \
	FORM(SPAN_GHC, false, "GHC:finished: ")                                                                        \
	FORM(SPAN_OT_TEXT, true, "ot2 begin span ")                                                                    \
	FORM(SPAN_OT_TEXT, false, "ot2 end span ")
#define BINARY_FORMS(FORM)                                                                                             \
	FORM(SPAN_OT_BINARY, true, "OT\x03\x01")                                                                       \
	FORM(SPAN_OT_BINARY, false, "OT\x03\x02")

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

static bool parse_name(enum span_convention convention, struct evl_str rest, struct span_syntax *out)
{
	if (rest.len == 0 || !out)
		return rest.len > 0;
	out->name = rest;
	out->label = span_syntax_label(convention, rest);
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

/* Parse what follows the words by which the form was recognised. */
static bool parse(enum span_convention convention, bool begins, struct evl_str rest, struct span_syntax *out)
{
	if (out) {
		out->convention = convention;
		out->begins = begins;
	}
	return convention == SPAN_OT_TEXT      ? parse_ot_text(rest, out)
		: convention == SPAN_OT_BINARY ? parse_ot_binary(rest, out)
					       : parse_name(convention, rest, out);
}

/* Most messages are not of spans, which their first byte tells. */
static inline bool may_match(uint8_t first) { return first == 'S' || first == 'G' || first == 'o' || first == 'O'; }

bool span_syntax_parse(uint16_t tag, struct evl_str payload, struct span_syntax *out)
{
	if (!payload.len || !may_match(*payload.p))
		return false;
#define FORM(convention, begins, text)                                                                                 \
	if (payload.len >= sizeof(text) - 1 && memcmp(payload.p, text, sizeof(text) - 1) == 0)                         \
		return parse(convention, begins,                                                                       \
			(struct evl_str){payload.p + sizeof(text) - 1, payload.len - (sizeof(text) - 1)}, out);
	if (tag == EVL_USER_MSG || tag == EVL_USER_MARKER) {
		TEXT_FORMS(FORM)
	} else if (tag == EVL_USER_BINARY_MSG) {
		BINARY_FORMS(FORM)
	}
#undef FORM
	return false;
}
