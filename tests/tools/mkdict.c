/* mkdict - the words of the languages that evtui reads, for the fuzzer: mkdict options | command | filter | check
 *
 * From the tables that the parsers are made of: options.def, modes.def, export.def, rows.def, command.def, events.def, metrics.def. */
#include "base/base.h"

#include <stdio.h>

static const char *const options[] = {
#define OPTION(id, name, letter, arg, effect, help) "--" name,
#include "cli/options.def"
#undef OPTION
#define TAKES(id)
#define MODE(id, word, words, help, takes) word,
#include "cli/modes.def"
#undef MODE
#undef TAKES
#define NO_TABLE
#define TO_FILE
#define TABLE
#define EXPORT_FORMAT(name, tables, help) #name,
#include "export/export.def"
#undef EXPORT_FORMAT
#undef TABLE
#define LISTED(name, help) #name,
#include "rows/rows.def"
	"auto",
	"always",
	"never",
	"256",
	"dark",
	"light",
	"mono",
	"GC_*",
	"3.2s",
	"50%",
	"@14:03:22.5",
	"--",
};

static const char *const command[] = {
#define COMMAND(name, arguments, needs, when, completes, help) #name,
#include "app/command.def"
#undef COMMAND
	"cap",
	"name",
	"worker-*",
	"3.2s",
	"+40ms",
	"-1us",
	"50%",
	"@14:03:22",
	"#10",
	"run",
	"wait",
	"wakeups",
	"dark",
	"letters",
	"mouse",
	"ascii",
	"escms",
	"on",
	"off",
};

static const char *const filter[] = {
#define EVENT(tag, name, ...) #name,
#define LAYOUT(tag, name, ...)
#include "format/events.def"
	"cap:",
	"thread:",
	"text~",
	"t>",
	"t<",
	"!",
	"*",
	"cap ",
	"idle",
	"run>",
	"wait<",
	"wakeups>",
	"state:",
	"mvar",
	"blackhole",
	"[a-z]+",
	"(.*)",
	"%",
	"ms",
};

static const char *const check[] = {
#define METRIC(id, name, ...) name,
#include "report/metrics.def"
#undef METRIC
	"spans.",
	".p99",
	".gc_share",
	"<=",
	">=",
	"==",
	"!=",
	"20ms",
	"1.5s",
	"4GiB",
	"90%",
	"1e9",
};

static void print(const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (*words[i])
			printf("\"%s\"\n", words[i]);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	if (strcmp(what, "options") == 0)
		print(options, countof(options));
	else if (strcmp(what, "command") == 0)
		print(command, countof(command));
	else if (strcmp(what, "filter") == 0)
		print(filter, countof(filter));
	else if (strcmp(what, "check") == 0)
		print(check, countof(check));
	else
		return fputs("usage: mkdict options | command | filter | check\n", stderr), 2;
	return fflush(stdout) ? 1 : 0;
}
