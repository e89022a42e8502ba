#include "draw/glossary.h"

#include "base/base.h"

#include <string.h>
#include <strings.h>

static const struct glossary_word words[] = {
#define WORD(word, others, places, sentence)        {word, others, places, NULL, sentence},
#define SIGN(word, others, places, brief, sentence) {word, others, places, brief, sentence},
#include "draw/glossary.def"
#undef SIGN
#undef WORD
};

const struct glossary_word *glossary_words(size_t *n)
{
	*n = countof(words);
	return words;
}

enum { SPELLING = 64 };

/* Is it that spelling? Blanks and underscores are alike. begins: its start is enough, unless it is a part of a longer key. */
static bool is_same(const char *spelling, size_t spelling_len, const char *word, size_t len, bool begins)
{
	if (begins ? spelling_len < len || (spelling_len > len && spelling[len] == '_') : spelling_len != len)
		return false;
	for (size_t i = 0; i < len; i++) {
		char a = spelling[i] == '_' ? ' ' : spelling[i], b = word[i] == '_' ? ' ' : word[i];
		if (strncasecmp(&a, &b, 1) != 0)
			return false;
	}
	return true;
}

static bool is_spelled(const struct glossary_word *w, const char *word, size_t len, bool begins)
{
	if (is_same(w->word, strlen(w->word), word, len, begins))
		return true;
	for (const char *p = w->others; *p; p += strcspn(p, "|"), p += *p == '|')
		if (is_same(p, strcspn(p, "|"), word, len, begins))
			return true;
	return false;
}

bool glossary_is_spelled(const struct glossary_word *w, const char *topic)
{
	return is_spelled(w, topic, strlen(topic), false);
}

bool glossary_is_about(const struct glossary_word *w, const char *topic)
{
	return is_spelled(w, topic, strlen(topic), strlen(topic) > 2);
}

static const struct glossary_word *find(const char *word, size_t len)
{
	for (size_t i = 0; i < countof(words); i++)
		if (is_same(words[i].word, strlen(words[i].word), word, len, false))
			return &words[i];
	for (size_t i = 0; i < countof(words); i++)
		if (is_spelled(&words[i], word, len, false))
			return &words[i];
	return NULL;
}

/* A name without its numbers: "profile 0", "!12", "1 of 66". */
static const struct glossary_word *find_without_number(const char *word)
{
	size_t numbers = strspn(word, "0123456789,");
	word += numbers && word[numbers] == ' ' ? numbers + 1 : 0;
	size_t len = strlen(word), all = len;
	while (len && ((word[len - 1] >= '0' && word[len - 1] <= '9') || word[len - 1] == ','))
		len--;
	while (len && len < all && word[len - 1] == ' ')
		len--;
	return len && len < all && len < SPELLING ? find(word, len) : NULL;
}

/* A key of the JSON without its statistic, without its unit. */
const struct glossary_word *glossary_find(const char *word)
{
	static const char *const heads[] = {"max_", "mean_", "total_", "peak_", "longest_", "gc_", "top_", "share_"};
	static const char *const tails[] = {
		"_not_listed", "_without_census", "_ns", "_bytes", "_share", "_n", "_at", "_max", "_total", "_rate"};
	size_t len = strlen(word);
	bool badge = strpbrk(word, "!*") && strspn(word, "()!*0123456789") == len; /* "(3!)", "1*" */
	const struct glossary_word *found = badge ? find("!", 1) : len && len < SPELLING ? find(word, len) : NULL;
	for (size_t i = 0, tail; i < countof(tails) && !found && len < SPELLING; i++) {
		tail = strlen(tails[i]);
		if (len <= tail || strncmp(word + len - tail, tails[i], tail) != 0)
			continue;
		len -= tail;
		found = find(word, len);
		i = (size_t)-1; /* there may be another: max_pause_ns */
	}
	for (size_t i = 0; i < countof(heads) && !found; i++)
		if (strncmp(word, heads[i], strlen(heads[i])) == 0 && len > strlen(heads[i]))
			found = find(word + strlen(heads[i]), len - strlen(heads[i]));
	return found ? found : find_without_number(word);
}
