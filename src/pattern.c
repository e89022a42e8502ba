#include "pattern.h"

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

/* Counted repetitions are written out by regcomp: some of them in each other would fill the memory. */
static bool repeats_much(const char *text)
{
	enum { MOST = 2 };
	int n = 0;
	for (; *text; text++)
		n += *text == '{';
	return n > MOST;
}

static int compile(struct pattern *p, struct evl_err *err)
{
	char why[128];
	if (has_back_reference(p->text))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "back references are not supported");
	if (repeats_much(p->text))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "more than two counted repetitions are not supported");
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

bool pattern_copy(struct pattern *out, const struct pattern *p)
{
	*out = *p;
	bool good = !p->regex || compile(out, NULL) == 0;
	if (!good)
		*out = (struct pattern){0};
	return good;
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
