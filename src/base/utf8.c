#include "base/utf8.h"

/* Lead bytes of sequences of two, three and four bytes. */
static const struct lead {
	uint8_t mask, bits;
	unsigned more;  /* bytes that follow */
	uint32_t least; /* smaller code points have shorter forms */
} leads[] = {
	{0xe0, 0xc0, 1, 0x80},
	{0xf0, 0xe0, 2, 0x800},
	{0xf8, 0xf0, 3, 0x10000},
};

static uint32_t take_long(struct evl_str *s, const struct lead *lead)
{
	if (s->len <= lead->more)
		return UTF8_BAD;
	uint32_t cp = s->p[0] & (uint8_t)~lead->mask;
	for (unsigned i = 1; i <= lead->more; i++) {
		if ((s->p[i] & 0xc0) != 0x80)
			return UTF8_BAD;
		cp = cp << 6 | (s->p[i] & 0x3f);
	}
	if (cp < lead->least || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return UTF8_BAD;
	s->p += lead->more;
	s->len -= lead->more;
	return cp;
}

uint32_t utf8_take(struct evl_str *s)
{
	uint32_t cp = s->p[0] < 0x80 ? s->p[0] : UTF8_BAD;
	for (size_t i = 0; i < countof(leads) && cp == UTF8_BAD; i++)
		if ((s->p[0] & leads[i].mask) == leads[i].bits)
			cp = take_long(s, &leads[i]);
	s->p++;
	s->len--;
	return cp;
}

size_t utf8_encode(uint32_t cp, char *out)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)(leads[n - 2].bits | cp);
	return n;
}

bool utf8_valid(struct evl_str s)
{
	while (s.len) {
		size_t plain = utf8_plain_run(s);
		s.p += plain;
		s.len -= plain;
		if (s.len && utf8_take(&s) == UTF8_BAD)
			return false;
	}
	return true;
}

bool utf8_unseen(uint32_t cp)
{
	/* Unicode's categories Cf, Zl, Zp and Co. */
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		/* clang-format off */
		{0xad, 0xad}, {0x600, 0x605}, {0x61c, 0x61c}, {0x6dd, 0x6dd}, {0x70f, 0x70f}, {0x890, 0x891},
		{0x8e2, 0x8e2}, {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2064},
		{0x2066, 0x206f}, {0xe000, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0x110bd, 0x110bd},
		{0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0001, 0xe0001},
		{0xe0020, 0xe007f}, {0xf0000, 0x10ffff},
		/* clang-format on */
	};
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp & 0xfffe) == 0xfffe)
		return true;
	for (size_t i = 0; i < countof(ranges) && cp >= ranges[i].first; i++)
		if (cp <= ranges[i].last)
			return true;
	return false;
}
