/* export.h - run an exporter of export.def, for `evtui export` and the viewer's key e, with progress, cancellation and
 * errors.
 *
 * An exporter appends to x->out and calls export_more after every few rows. export_more passes on the bytes and reports
 * whether to continue, so an export never holds the whole output in memory and can be cancelled. Exporters may wait for
 * the disk: do not call them from the drawing thread. */
#ifndef EVL_EXPORT_H
#define EVL_EXPORT_H

#include "base/buf.h"
#include "log/log.h"
#include "sys/atomic_file.h"
#include "sys/progress.h"

struct export_list;

struct export
{
	const struct evl_log *log; /* indexed completely */
	uint64_t from, to;         /* [from, to) in ns of the log; 0 and UINT64_MAX for the whole log */
	const char *table;         /* name of the table for formats that need one (rows.def), else NULL */
	const char *sql;           /* csv: export the result of this SQL statement instead of a table; may be NULL */
	/* csv: export this list instead of a table, or filter and sort the result of `sql` so (export_list.h); may be NULL */
	const struct export_list *list;
	bool spreadsheet; /* csv: neutralise texts that a spreadsheet would evaluate as a formula */
	/* html, csv of the tables census and bands: how to group bands (census_group.h); NULL: no groups */
	const char *group;
	bool no_rts;               /* folded, speedscope, pprof: omit the cost centres of the run-time system */
	bool raw;                  /* sqlite: include every event */
	bool no_rows;              /* set by csv: the table has its heading only */
	struct atomic_file *file;  /* output of TO_FILE formats, which also read it; else NULL */
	const char *why;           /* set by a failed exporter: what the log lacks; NULL: the error code says enough */
	const atomic_bool *cancel; /* set to true to cancel; may be NULL */
	bool (*put)(void *ctx, const char *bytes, size_t len); /* writes output; false: no more is accepted */
	void *ctx;
	const struct progress *watch; /* told by each export_more that the export is still running; may be NULL */
	struct buf out;               /* zeroed by the caller */
};

struct export_format {
	const char *name;
	int (*run)(struct export *x); /* returns 0 or a negative code of enum evl_code */
	enum export_wants {
		NO_TABLE,
		TABLE,  /* needs a table of rows.def */
		TO_FILE /* the output must be a file, not a stream */
	} wants;
	const char *help;
};

/* Return the formats in the order of export.def; *n receives their number. */
const struct export_format *export_formats(size_t *n);

/* Return the format with this name, or NULL. */
const struct export_format *export_find(const char *name);

/* Write the names of all formats to out, separated by commas. Return out. */
const char *export_names(char *out, size_t room);

/* Check a request before starting. Return 0, or EVL_USAGE with err filled. */
int export_check(const struct export_format *format, const char *table, struct evl_err *err) EVL_MUST_USE;

/* Report whether the format exports the time profile and respects export.no_rts. */
bool export_is_profile(const struct export_format *format);

/* Run the exporter and pass on all output. Return 0, EVL_CANCELLED (also if no more output is accepted), EVL_NOMEM, or
 * the exporter's error. x->out is freed. */
int export_run(const struct export_format *format, struct export *x) EVL_MUST_USE;

/* For exporters: append a call stack in folded form, root first: "MAIN.MAIN;M.f;M.g". */
struct prof_names;
void export_stack(struct buf *out, const struct stacks *stacks, const struct prof_names *names, uint32_t node);

/* For exporters: sum the samples of the range by stack, and name their frames; without cost centres of the run-time
 * system if x->no_rts. Return 0, or the code for the exporter to return: x->why then tells if there are no samples.
 * Free the window and the names in either case. */
struct prof_window;
int export_samples(struct export *x, struct prof_window *w, struct prof_names *names) EVL_MUST_USE;

/* Set x->why to the reason why there are no samples, in the log or in the range. Return the code for the exporter to
 * return (EVL_EMPTY). */
int export_no_samples(struct export *x, const struct prof *p);

/* Pass on the output gathered so far if it has reached 64 KiB. Return 0 to continue, otherwise the code for the
 * exporter to return. */
int export_more(struct export *x) EVL_MUST_USE;

#define EXPORT_FORMAT(name, wants, help) int export_##name(struct export *x) EVL_MUST_USE;
#include "export/export.def"
#undef EXPORT_FORMAT

#endif
