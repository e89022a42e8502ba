#include "base/compare.h"

/* Longer ones first. */
static const struct {
	const char *sign;
	enum compare_op op;
} signs[] = {{"<=", OP_LE}, {">=", OP_GE}, {"==", OP_EQ}, {"!=", OP_NE}, {"<", OP_LT}, {">", OP_GT}, {"=", OP_EQ}};

static struct evl_str trim(struct evl_str s)
{
	while (s.len && s.p[0] == ' ')
		s = (struct evl_str){s.p + 1, s.len - 1};
	while (s.len && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

bool compare_split(struct evl_str text, struct compare_parts *out)
{
	for (size_t at = 0; at < text.len; at++)
		for (size_t i = 0; i < countof(signs); i++) {
			size_t len = strlen(signs[i].sign);
			if (text.len - at < len || memcmp(text.p + at, signs[i].sign, len) != 0)
				continue;
			*out = (struct compare_parts){trim((struct evl_str){text.p, at}),
				trim((struct evl_str){text.p + at + len, text.len - at - len}), signs[i].op};
			return true;
		}
	return false;
}

bool compare(double a, enum compare_op op, double b)
{
	switch (op) {
	case OP_LT: return a < b;
	case OP_LE: return a <= b;
	case OP_GT: return a > b;
	case OP_GE: return a >= b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	}
	return false;
}
