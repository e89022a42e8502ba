#include "pattern.h"

#include <stdlib.h>

static uint8_t lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 'a' - 'A') : c;
}

/* In a regular expression the letter behind a backslash is no text. */
static bool has_capital(const char *text, bool regex)
{
	for (; *text; text++) {
		if (regex && *text == '\\' && text[1])
			text++;
		else if (*text >= 'A' && *text <= 'Z')
			return true;
	}
	return false;
}

static bool has_back_reference(const char *text)
{
	for (; *text; text++)
		if (*text == '\\' && text[1] && *++text >= '0' && *text <= '9')
			return true;
	return false;
}

/* Behind the set of characters that begins at text. */
static const char *behind_set(const char *text)
{
	text += text[1] == '^' ? 2 : 1;
	text += *text == ']'; /* as the first it is one of them */
	text += strcspn(text, "]");
	return *text ? text + 1 : text;
}

/* How often the repetition at *text wants what stands before it to be written out; *text is left behind it. */
static uint64_t times(const char **text)
{
	uint64_t most = 1;
	if (**text != '{') {
		most = **text == '+' ? 2 : 1;
		++*text;
		return most;
	}
	for (++*text; **text && **text != '}'; ++*text)
		if (**text >= '0' && **text <= '9' && ((*text)[-1] < '0' || (*text)[-1] > '9'))
			most = max_u64(most, min_u64(strtoull(*text, NULL, 10), UINT16_MAX));
	*text += **text == '}';
	return most;
}

/* regcomp writes repetitions out: a{99} as 99 times a, a+ as aa*, and all of it again for one around them. How much
 * would that be? UINT64_MAX: out of all bounds. */
static uint64_t written_out(const char *text)
{
	enum { DEPTH = 100 };
	uint64_t sums[DEPTH] = {0}, last = 0;
	int depth = 0;
	while (*text && sums[depth] < UINT32_MAX) {
		if (strchr("*+?{", *text)) {
			uint64_t n = times(&text);
			sums[depth] += last * (n - 1);
			last *= n;
			continue;
		}
		last = 1;
		if (*text == '(') {
			if (++depth == DEPTH)
				return UINT64_MAX;
			sums[depth] = last = 0;
		} else if (*text == ')' && depth > 0) {
			last = sums[depth--] + 1;
		}
		sums[depth] += last;
		text = *text == '[' ? behind_set(text) : text + 1 + (*text == '\\' && text[1]);
	}
	for (; depth > 0; depth--) /* not closed: that is found out at the end only */
		sums[0] += sums[depth];
	return *text ? UINT64_MAX : sums[0];
}

static int compile(struct pattern *p, struct evl_err *err)
{
	enum { MOST = 20000 };
	char why[128];
	if (has_back_reference(p->text))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "back references are not supported");
	if (written_out(p->text) > MOST)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "too many repetitions in each other");
	int result = regcomp(&p->compiled, p->text, REG_EXTENDED | REG_NOSUB | (p->fold ? REG_ICASE : 0));
	if (result == 0)
		return 0;
	regerror(result, &p->compiled, why, sizeof why);
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "not a regular expression: %s", why);
}

int pattern_init(struct pattern *p, struct evl_str text, struct evl_err *err)
{
	*p = (struct pattern){.regex = text.len >= 2 && memcmp(text.p, "\\v", 2) == 0};
	if (p->regex)
		text = (struct evl_str){text.p + 2, text.len - 2};
	if (text.len == 0 || text.len >= PATTERN_ROOM || memchr(text.p, 0, text.len)) {
		*p = (struct pattern){0};
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s", text.len ? "too long" : "nothing to search for");
	}
	memcpy(p->text, text.p, text.len);
	p->len = text.len;
	p->fold = !has_capital(p->text, p->regex);
	int failed = p->regex ? compile(p, err) : 0;
	if (failed)
		*p = (struct pattern){0};
	return failed;
}

void pattern_free(struct pattern *p)
{
	if (p->regex)
		regfree(&p->compiled);
	*p = (struct pattern){0};
}

static bool folded_in(const struct pattern *p, struct evl_str text)
{
	for (size_t i = 0; i + p->len <= text.len; i++) {
		size_t k = 0;
		while (k < p->len && lower(text.p[i + k]) == (uint8_t)p->text[k])
			k++;
		if (k == p->len)
			return true;
	}
	return false;
}

bool pattern_in(const struct pattern *p, struct evl_str text)
{
	regmatch_t range = {.rm_so = 0, .rm_eo = (regoff_t)text.len};
	if (p->regex) /* REG_STARTEND: the text may hold NULs */
		return text.len < INT32_MAX && regexec(&p->compiled, text.len ? (const char *)text.p : "", 1, &range, REG_STARTEND) == 0;
	return p->fold ? folded_in(p, text) : text.len && memmem(text.p, text.len, p->text, p->len);
}
