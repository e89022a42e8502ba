/* report_word.c - evtui help WORD: a word of the screen, a metric or a column, in a sentence. */
#include "cli/report.h"
#include "draw/glossary.h"
#include "report/figure_lists.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_named(const struct figure_term *t, const char *word)
{
	return strcmp(t->key, word) == 0 || strcasecmp(t->title, word) == 0;
}

static bool is_term(const char *word)
{
	struct figure_term t;
	for (size_t i = 0; figure_term(i, &t); i++)
		if (is_named(&t, word))
			return true;
	return false;
}

bool report_word_is_known(const char *word) { return glossary_find(word) || is_term(word); }

/* Tables share columns: a sentence is printed once. */
static bool is_new(const struct figure_term *t, size_t before, const char *word)
{
	struct figure_term e;
	for (size_t i = 0; i < before && figure_term(i, &e); i++)
		if (is_named(&e, word) && strcmp(e.meaning, t->meaning) == 0)
			return false;
	return true;
}

int report_word(const struct options *o)
{
	const struct glossary_word *word = glossary_find(o->log);
	struct figure_term t;
	if (word)
		printf("%s: %s\n", word->word, word->sentence);
	for (size_t i = 0; figure_term(i, &t); i++)
		if (is_named(&t, o->log) && is_new(&t, i, o->log))
			printf("%s%s%s: %s\n", t.key, *t.list ? " in " : "", t.list, t.meaning);
	return out_stdio();
}
