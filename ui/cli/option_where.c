#include "cli/option_where.h"

#include "base/base.h"

#include <stdint.h>
#include <stdio.h>

enum {
#define OPTION(id, name, letter, arg, effect, help) ROW_##id,
#include "cli/options.def"
#undef OPTION
};

static const struct {
	const char *word;
	uint64_t takes;
} modes[] = {
#define TAKES(id)                          | UINT64_C(1) << ROW_##id
#define MODE(id, word, words, help, takes) {word, 0 takes},
#include "cli/modes.def"
#undef MODE
#undef TAKES
};

char *option_where(size_t i, char out[OPTION_WHERE])
{
	enum { FEW = 3 };
	size_t n = 0, at = 0;
	for (size_t m = 0; m < countof(modes); m++)
		n += modes[m].takes >> i & 1;
	bool all = n == countof(modes), but = n + FEW >= countof(modes);
	const char *before = but ? " [all but " : " [";
	out[0] = '\0';
	for (size_t m = 0; m < countof(modes) && n && !all && at < OPTION_WHERE; m++)
		if ((modes[m].takes >> i & 1) != but) {
			const char *word = *modes[m].word ? modes[m].word : "viewer";
			at += (size_t)snprintf(out + at, OPTION_WHERE - at, "%s%s", before, word);
			before = ", ";
		}
	if (n && at < OPTION_WHERE)
		snprintf(out + at, OPTION_WHERE - at, "%s", all ? " [all]" : "]");
	return out;
}
