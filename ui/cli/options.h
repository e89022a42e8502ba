/* options.h - parse the command line into struct options (tables: options.def, modes.def) */
#ifndef EVTUI_OPTIONS_H
#define EVTUI_OPTIONS_H

#include "exe/elf_file.h"
#include "panes/program/presets.h"
#include "query/exe_match.h"
#include "term/tty.h"

#include <stdio.h>

enum { EXIT_USAGE = 2, EXIT_INTERRUPTED = 130, MAX_REPEATS = 256, MAX_PARAMS = 32 };

/* Values of an option that can be repeated. */
struct option_list {
	const char *items[MAX_REPEATS];
	size_t n;
};

/* The command to run. */
enum mode {
#define MODE(id, word, words, help, takes) MODE_##id,
#include "cli/modes.def"
#undef MODE
	MODES, /* number of commands that take a log */
	MODE_HELP = MODES,
	MODE_VERSION,
	MODE_LIST_KEYS,
	MODE_LIST_METRICS,
	MODE_WORD, /* `evtui help WORD`; the word is in `log` */
};

/* The parsed command line. Strings point into argv. */
struct options {
	enum mode mode;
	enum mode help_of; /* if mode is MODE_HELP: the command to explain; MODE_VIEW: all */
	struct tty_options tty;
	/* The argument of the command other than the log, which comes before or after the log; NULL: not given. */
	const char *words[1];
	const char *log; /* NULL: not given, `program` will write one */
	char **logs;     /* all n_logs of them, if the mode takes several */
	int n_logs;
	enum preset preset;
	char **program; /* program to run and its arguments, NULL-terminated; NULL: none */
	bool json;
	const char *from, *to;           /* time expressions (time_expr.h); NULL: not given */
	int cap;                         /* capability; -1: not given */
	const char *config, *script;     /* command files; NULL: not given */
	const char *copy_file;           /* NULL: not given */
	const char *type;                /* glob pattern of event types; NULL: not given */
	int threads;                     /* 0: not given */
	uint32_t thread;                 /* 0: not given */
	const char *span;                /* NULL: not given */
	const char *output, *table;      /* NULL: not given */
	struct name_files names;         /* files that name the addresses in the log */
	uint8_t build_id[BUILD_ID_MOST]; /* bytes of names.build_id */
	const char *src;                 /* folder of source files; NULL: not given */
	struct atomic_file *file;        /* open output file; NULL: standard output, or not open yet */
	bool follow;
	const char *header;        /* file name of a log; NULL: not given */
	uint64_t spool_max;        /* limit of bytes kept of a stream; 0: none */
	const char *pane;          /* pane of the viewer to export; NULL: not given */
	int width, height;         /* size of that pane in cells; 0: not given */
	uint64_t slice_by;         /* length of slices in ns; 0: not given */
	struct index_cache *cache; /* on-disk cache of the indexes of large logs; NULL: none */
	bool force, all, verbose, no_cache, quickfix, spreadsheet;
	bool csv, markdown, schema, raw, no_rts, whole, jsonl, compress;
	const char *group;              /* grouping of heap bands; NULL: not given */
	const char *sql_file;           /* NULL: not given */
	const char *params[MAX_PARAMS]; /* n_params strings "NAME=VALUE" */
	int n_params;
	struct option_list fail_if, fail_if_worse, base, head, series, metrics;
	bool allow_unknown;
	const char *bounds, *baseline, *junit; /* NULL: not given */
	const char *const *further;            /* n_further more logs, to be opened by name after `log` */
	size_t n_further;
};

/* Parse the command line. Return 0, or EXIT_USAGE after an error message. */
int options_parse(struct options *o, int argc, char **argv);

/* Return whether the command is `evtui export dataset`, which takes several logs. */
bool options_are_dataset(const struct options *o);

/* Return whether the command takes names from an executable (--exe). */
bool options_take_exe(const struct options *o);

/* Print an error about the command line, with the offending value in quotes ("": none). Return EXIT_USAGE. */
int options_refuse(const char *what, const char *value);

/* Do the same with a reason instead of a value. */
int options_fail(const char *what, const char *why);

/* Do the same for an invalid value: `invalid --cap "x" (use …)`. */
int options_invalid(const char *what, const char *value, const char *use);

/* Print the text of --help, for all commands or one. */
void options_help(FILE *out, enum mode of);

#endif
