#include "prof/source_loc.h"

/* A number at s[*at]; 0: there is none, or it is too large for a line. */
static uint32_t take_number(struct evl_str s, size_t *at)
{
	enum { MOST = 100000000 };
	uint32_t n = 0;
	for (; *at < s.len && is_digit(s.p[*at]) && n < MOST; ++*at)
		n = 10 * n + (uint32_t)(s.p[*at] - '0');
	return n < MOST ? n : 0;
}

/* ":88:13", ":(88,13)" or ":88" at s[at]. */
static bool parse_at(struct evl_str s, size_t at, struct source_loc *out)
{
	bool pair = ++at < s.len && s.p[at] == '(';
	at += pair;
	uint32_t line = take_number(s, &at), col = 0;
	if (at < s.len && s.p[at] == (pair ? ',' : ':')) {
		at++;
		col = take_number(s, &at);
	}
	if (line == 0)
		return false;
	out->line = line;
	out->col = col;
	return true;
}

bool source_loc_parse(struct evl_str text, struct source_loc *out)
{
	*out = (struct source_loc){.file = text};
	for (size_t i = 0; i < text.len; i++)
		if (text.p[i] == ':' && parse_at(text, i, out)) {
			out->file.len = i;
			break;
		}
	return out->file.len > 0 && out->file.p[0] != '<';
}
