#include "base/text_match.h"

#include "base/find.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <utf8proc.h>

static bool is_capital(uint32_t cp)
{
	utf8proc_category_t category = cp == UTF8_BAD ? UTF8PROC_CATEGORY_CN : utf8proc_category((utf8proc_int32_t)cp);
	return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

/* In a regular expression the letter after a backslash is not literal text. */
static bool has_capital(struct evl_str text, bool regex)
{
	while (text.len) {
		uint32_t cp = utf8_take(&text);
		if (regex && cp == '\\' && text.len)
			utf8_take(&text);
		else if (is_capital(cp))
			return true;
	}
	return false;
}

/* The next character of the text, folded and taken apart, into out; how many code points that makes, at most room. */
static size_t fold_next(struct evl_str *text, int32_t *out, size_t room)
{
	int boundary = 0;
	uint32_t cp = utf8_take(text);
	if (cp == UTF8_BAD) {
		*out = -1 - text->p[-1]; /* is no character */
		return 1;
	}
	utf8proc_ssize_t n = utf8proc_decompose_char(
		(utf8proc_int32_t)cp, out, (utf8proc_ssize_t)room, UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE, &boundary);
	return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

/* Where case does not count and there is more than ASCII. */
static void widen(struct pattern *p)
{
	struct evl_str text = {(const uint8_t *)p->text, p->len};
	p->wide = p->fold && !p->regex && utf8_plain_run(text) < text.len;
	while (p->wide && text.len && p->n_folds < countof(p->folds))
		p->n_folds += fold_next(&text, p->folds + p->n_folds, countof(p->folds) - p->n_folds);
}

static bool has_back_reference(const char *text)
{
	for (; *text; text++)
		if (*text == '\\' && text[1] && *++text >= '0' && *text <= '9')
			return true;
	return false;
}

/* Return the end of the bracket expression that starts at text. */
static const char *after_set(const char *text)
{
	text += text[1] == '^' ? 2 : 1;
	text += *text == ']'; /* as the first it is one of them */
	text += strcspn(text, "]");
	return *text ? text + 1 : text;
}

/* Return how many copies of its operand the repetition at *text expands to; move *text past it. */
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
		text = *text == '[' ? after_set(text) : text + 1 + (*text == '\\' && text[1]);
	}
	for (; depth > 0; depth--) /* not closed: that is found out at the end only */
		sums[0] += sums[depth];
	return *text ? UINT64_MAX : sums[0];
}

static int compile(struct pattern *p, struct evl_err *err)
{
	/* If all may be empty, regcomp needs 8 bytes times the square of this number, and as much time. */
	enum { MOST = 1000 };
	char why[128];
	if (has_back_reference(p->text))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "back references are not supported");
	if (written_out(p->text) > MOST)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "too many nested repetitions");
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
	p->fold = !has_capital(text, p->regex);
	widen(p);
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

enum { FOLDS_MOST = 32 }; /* of one character */

static bool wide_at(const struct pattern *p, struct evl_str text)
{
	int32_t folds[FOLDS_MOST];
	for (size_t i = 0; i < p->n_folds;) {
		size_t n = text.len ? fold_next(&text, folds, countof(folds)) : 0;
		if (n == 0)
			return false;
		for (size_t k = 0; k < n && i < p->n_folds; k++)
			if (folds[k] != p->folds[i++])
				return false;
	}
	return true;
}

static bool wide_in(const struct pattern *p, struct evl_str text)
{
	while (text.len) {
		if (wide_at(p, text))
			return true;
		utf8_take(&text);
	}
	return false;
}

/* Where one of two bytes occurs next, from `at` on; the end where none does. */
static size_t next_of(struct evl_str text, size_t at, uint8_t one, uint8_t other)
{
	const uint8_t *a = memchr(text.p + at, one, text.len - at);
	const uint8_t *b = other != one ? memchr(text.p + at, other, (a ? (size_t)(a - text.p) : text.len) - at) : NULL;
	return b ? (size_t)(b - text.p) : a ? (size_t)(a - text.p) : text.len;
}

static bool folded_in(const struct pattern *p, struct evl_str text)
{
	uint8_t first = (uint8_t)p->text[0],
		upper = first >= 'a' && first <= 'z' ? (uint8_t)(first - 'a' + 'A') : first;
	for (size_t i = 0; i + p->len <= text.len; i++) {
		size_t k = 1;
		i = next_of(text, i, first, upper);
		if (i + p->len > text.len)
			return false;
		while (k < p->len && lower_case(text.p[i + k]) == (uint8_t)p->text[k])
			k++;
		if (k == p->len)
			return true;
	}
	return false;
}

/* The text may hold NULs. Where there is no REG_STARTEND each piece between them is a text. */
static bool regex_in(const struct pattern *p, struct evl_str text)
{
	const char *at = text.len ? (const char *)text.p : "";
#ifdef REG_STARTEND
	regmatch_t range = {.rm_so = 0, .rm_eo = (regoff_t)text.len};
	return text.len < INT32_MAX && regexec(&p->compiled, at, 1, &range, REG_STARTEND) == 0;
#else
	for (const char *end = at + text.len;; at += strlen(at) + 1) {
		if (regexec(&p->compiled, at, 0, NULL, 0) == 0)
			return true;
		if (at + strlen(at) >= end)
			return false;
	}
#endif
}

bool pattern_in(const struct pattern *p, struct evl_str text)
{
	if (p->regex)
		return regex_in(p, text);
	if (p->wide)
		return wide_in(p, text);
	return p->fold ? folded_in(p, text) : text.len && find_bytes(text.p, text.len, p->text, p->len);
}
