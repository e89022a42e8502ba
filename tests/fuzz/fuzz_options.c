/* Any words as a command line: it is understood and names a log, or it is refused with the status for that. */
#include "fuzz.h"

#include "cli/options.h"

#include <getopt.h>

/* Cut at the NULs. How many words. */
static int cut(char *text, size_t len, char **words, int room)
{
	int n = 0;
	for (size_t at = 0; at < len && n < room; at += strlen(text + at) + 1)
		words[n++] = text + at;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 512, WORDS = 24 };
	char text[ROOM + 1] = "", *words[WORDS + 2] = {"evtui"};
	struct options o;
	len = len < ROOM ? len : ROOM;
	memcpy(text, data, len);
	int n = 1 + cut(text, len, words + 1, WORDS);
	optind = 0; /* getopt starts over */
	int status = options_parse(&o, n, words);
	check(status == 0 || status == EXIT_USAGE);
	if (status)
		return 0;
	check(o.mode <= MODE_LIST_METRICS && (o.mode >= MODES || o.log || o.program));
	check(o.cap >= -1 && o.cap <= 99999 && o.threads >= 0 && o.threads < 1000);
	return 0;
}
