/* export.h - `evtui export` and the viewer's e: run an exporter of export.def; progress, cancellation, errors.
 *
 * An exporter appends to x->out and calls export_more after every few rows: that passes on the bytes and says
 * whether to continue, so an export needs no memory for the whole and can be cancelled. All of them may wait for the
 * disk: do not call them from the drawing thread. */
#ifndef EVL_EXPORT_H
#define EVL_EXPORT_H

#include "base/buf.h"
#include "log/log.h"
#include "sys/atomic_file.h"

struct export
{
	const struct evl_log *log; /* walked to its end */
	uint64_t from, to;         /* [from, to) of the times; the whole log: 0 and UINT64_MAX */
	const char *table;         /* of those formats that want one, else NULL */
	const char *sql;           /* csv: the answer of this statement instead of a table; NULL: none */
	bool spreadsheet;          /* csv: mark texts that a spreadsheet would run as a formula */
	const char *group;         /* html, csv of census and bands: grouping (census_group.h); NULL: none */
	bool no_rts;               /* folded, speedscope, pprof: without the run-time system's cost centres */
	bool raw;                  /* of sqlite: every event, too */
	struct atomic_file *file;  /* of formats that need a file to write to and read from; else NULL */
	const char *why;           /* what the log lacks, of an exporter that failed; NULL: the code says it */
	const atomic_bool *cancel; /* becomes true when the work is to stop; NULL: never */
	bool (*put)(void *ctx, const char *bytes, size_t len); /* false: no more output is accepted */
	void *ctx;
	void (*tell)(void); /* called now and then while it works; NULL: never */
	struct buf out;     /* zeros at first */
};

struct export_format {
	const char *name;
	int (*run)(struct export *x); /* 0 or a code of enum evl_code */
	enum export_wants {
		NO_TABLE,
		TABLE,  /* one of rows.def */
		TO_FILE /* a file, not a stream */
	} wants;
	const char *help;
};

/* All of them, in the order of export.def. */
const struct export_format *export_formats(size_t *n);

/* By name; NULL where there is none. */
const struct export_format *export_find(const char *name);

/* Check the request before any work: return 0, or EVL_USAGE with err filled. */
int export_check(const struct export_format *format, const char *table, struct evl_err *err) EVL_MUST_USE;

/* Does it export the time profile, with or without the run-time system's centres? */
bool export_is_profile(const struct export_format *format);

/* Write everything. Return 0, EVL_CANCELLED (also if no more output is accepted), EVL_NOMEM, or the exporter's
 * error. Frees x->out. */
int export_run(const struct export_format *format, struct export *x) EVL_MUST_USE;

/* For exporters: append a stack as folded stacks have it, root first: "MAIN.MAIN;M.f;M.g". */
struct prof_names;
void export_stack(struct buf *out, const struct stacks *stacks, const struct prof_names *names, uint32_t node);

/* For exporters of the time profile: it has no samples, or none in the range. The code to leave with. */
int export_no_samples(struct export *x, const struct prof *p);

/* For exporters: hand on what has come together, if it is much. 0: go on, else the code to leave with. */
int export_more(struct export *x) EVL_MUST_USE;

#define EXPORT_FORMAT(name, wants, help) int export_##name(struct export *x) EVL_MUST_USE;
#include "export/export.def"
#undef EXPORT_FORMAT

#endif
