/* options.h - parse the command line (struct options), expanded from options.def and modes.def. */
#ifndef EVTUI_OPTIONS_H
#define EVTUI_OPTIONS_H

#include "exe/elf_file.h"
#include "panes/program/presets.h"
#include "query/exe_match.h"
#include "term/tty.h"

#include <stdio.h>

enum { EXIT_USAGE = 2, EXIT_INTERRUPTED = 130, MAX_REPEATS = 256, MAX_PARAMS = 32 };

/* The values of an option that can be given again and again. */
struct option_list {
	const char *items[MAX_REPEATS];
	size_t n;
};

enum mode {
#define MODE(id, word, words, help, takes) MODE_##id,
#include "cli/modes.def"
#undef MODE
	MODES, /* of those that take a log */
	MODE_HELP = MODES,
	MODE_VERSION,
	MODE_LIST_KEYS,
	MODE_LIST_METRICS,
	MODE_WORD, /* evtui help WORD: it is in `log` */
};

struct options {
	enum mode mode;
	enum mode help_of; /* of MODE_HELP: a command, or MODE_VIEW */
	struct tty_options tty;
	const char *words[1]; /* those before the log, as many as the mode has; or the one after it, NULL: not given */
	const char *log;      /* NULL: `program` writes one */
	char **logs;          /* all of them, where the mode takes several: n_logs */
	int n_logs;
	enum preset preset;
	char **program; /* to run, with its arguments; NULL: none */
	bool json;
	const char *from, *to;       /* moments as in time_expr.h; NULL: not given */
	int cap;                     /* -1: not given */
	const char *config, *script; /* files of commands; NULL: not given */
	const char *copy_file;       /* NULL: not given */
	const char *type;            /* a glob; NULL: not given */
	int threads;                 /* 0: not given */
	uint32_t thread;             /* 0: not given */
	const char *span;            /* NULL: not given */
	const char *output, *table;  /* NULL: not given */
	struct name_files names;
	uint8_t build_id[BUILD_ID_MOST]; /* of names */
	const char *src;                 /* NULL: not given */
	struct atomic_file *file;        /* the output, open; NULL: standard output, or not open yet */
	bool follow;
	const char *header;        /* NULL: not given */
	uint64_t spool_max;        /* bytes */
	const char *pane;          /* of the viewer, to be drawn; NULL: not given */
	int width, height;         /* of it; 0: not given */
	uint64_t slice_by;         /* ns; 0: not given */
	struct index_cache *cache; /* of the indexes of big logs; NULL: none */
	bool force, all, verbose, no_cache, quickfix, spreadsheet;
	bool csv, markdown, schema, raw, no_rts, whole, jsonl, compress;
	const char *group;              /* of heap bands; NULL: not given */
	const char *sql_file;           /* NULL: not given */
	const char *params[MAX_PARAMS]; /* as many as n_params */
	int n_params;
	struct option_list fail_if, fail_if_worse, base, head, series, metrics;
	bool allow_unknown;
	const char *bounds, *baseline, *junit; /* NULL: not given */
	const char *const *further;            /* further logs after `log`, read by name; n_further */
	size_t n_further;
};

/* 0, or EXIT_USAGE after one line on standard error. */
int options_parse(struct options *o, int argc, char **argv);

/* evtui export dataset, of several logs? */
bool options_are_dataset(const struct options *o);

/* Does the command take names from an executable (--exe)? */
bool options_take_exe(const struct options *o);

/* Say on standard error what is wrong with the command line; EXIT_USAGE. */
int options_refuse(const char *what, const char *value);

/* The text of --help: of all, or of one command. */
void options_help(FILE *out, enum mode of);

#endif
