/* report_word.c - evtui help WORD: a word of the screen, or a metric, in a sentence. */
#include "cli/report.h"
#include "draw/glossary.h"
#include "report/metrics.h"

#include <stdio.h>
#include <string.h>

static const struct metric_info *metric_named(const char *name)
{
	for (int m = 0; m < METRICS; m++)
		if (strcmp(metric_info((enum metric)m)->name, name) == 0)
			return metric_info((enum metric)m);
	return NULL;
}

bool report_word_is_known(const char *word) { return glossary_find(word) || metric_named(word); }

int report_word(const struct options *o)
{
	const struct glossary_word *word = glossary_find(o->log);
	const struct metric_info *metric = metric_named(o->log);
	if (word)
		printf("%s: %s\n", word->word, word->sentence);
	if (metric)
		printf("%s: %s\n", metric->name, metric->meaning);
	return out_stdio();
}
