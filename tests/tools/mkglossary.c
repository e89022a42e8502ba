/* mkglossary - docs/glossary.md: the words of the screen and of the JSON, from ui/draw/glossary.def. */
#include "draw/glossary.h"

#include <stdio.h>
#include <string.h>

/* In a table of Markdown a bar ends the cell. */
static void put(const char *text)
{
	for (; *text; text++)
		if (*text == '|')
			fputs(", ", stdout);
		else
			putchar(*text);
}

int main(void)
{
	static const struct {
		const char *places, *title;
	} parts[] = {{"L", "Legend"}, {"S", "First lines"}, {"T", "Timeline"}, {"H", "Heap"}, {"P", "Profile"},
		{"E", "Events"}, {"F", "Metrics"}, {"J", "JSON keys"}};
	size_t n;
	const struct glossary_word *words = glossary_words(&n);
	puts("# Glossary\n\nMade from `ui/draw/glossary.def` by `make docs`. The viewer shows these entries, too: "
	     "`?` lists those of the "
	     "current\npane, `:help WORD` and `evtui help WORD` show one. [metrics.md](metrics.md) has the exact "
	     "definition of each "
	     "metric.");
	for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
		printf("\n## %s\n\n| word | also | |\n|---|---|---|\n", parts[part].title);
		for (size_t i = 0; i < n; i++) {
			if (words[i].places[0] != parts[part].places[0])
				continue;
			printf("| %s | ", words[i].word);
			put(words[i].others);
			printf(" | %s |\n", words[i].sentence);
		}
	}
	return 0;
}
