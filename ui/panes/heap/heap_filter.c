#include "panes/heap/heap_filter.h"

void heap_filter_free(struct heap_filter *f)
{
	for (size_t i = 0; i < f->n; i++)
		pattern_free(&f->terms[i].pattern);
	*f = (struct heap_filter){0};
}

/* The next word of the line, its quotes taken off; its length, 0 at the end. */
static size_t next_word(const char **at, char *word)
{
	size_t n = 0;
	bool quoted = false;
	*at += strspn(*at, " ");
	for (; **at && (quoted || **at != ' '); ++*at) {
		if (**at == '"')
			quoted = !quoted;
		else if (n + 1 < PATTERN_ROOM)
			word[n++] = **at;
	}
	word[n] = 0;
	return n;
}

static int add_term(struct heap_filter *f, const char *word, struct evl_err *err)
{
	bool excludes = *word == '!' && word[1];
	if (f->n == HEAP_FILTER_TERMS)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "more than %d words", HEAP_FILTER_TERMS);
	word += excludes;
	int result = pattern_init(&f->terms[f->n].pattern, (struct evl_str){(const uint8_t *)word, strlen(word)}, err);
	if (result < 0)
		return result;
	f->terms[f->n++].excludes = excludes;
	f->includes = f->includes || !excludes;
	return 0;
}

int heap_filter_init(struct heap_filter *f, const char *text, struct evl_err *err)
{
	char word[PATTERN_ROOM];
	int result = 0;
	*f = (struct heap_filter){0};
	while (result == 0 && next_word(&text, word))
		result = add_term(f, word, err);
	if (result < 0)
		heap_filter_free(f);
	return result;
}

bool heap_filter_keeps(const struct heap_filter *f, struct evl_str label)
{
	bool included = !f->includes;
	for (size_t i = 0; i < f->n; i++) {
		bool excludes = f->terms[i].excludes;
		if ((excludes || !included) && pattern_in(&f->terms[i].pattern, label)) {
			if (excludes)
				return false;
			included = true;
		}
	}
	return included;
}
