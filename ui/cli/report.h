/* report.h - batch commands (show, stats, check, diff, export, …; report*.c): output, ranges, errors, exit status */
#ifndef EVTUI_REPORT_H
#define EVTUI_REPORT_H

#include "cli/options.h"
#include "log/log.h"
#include "sys/atomic_file.h"
#include "sys/progress.h"

/* Destination of output. error: errno of the first failed write; 0: none. */
struct out {
	int fd, error;
	bool file;       /* output is a file, not a terminal or a pipe */
	bool gated;      /* output is a terminal, so only printable text is written (base/printable.h) */
	bool binary;     /* if gated: binary data appeared, so nothing more is written */
	uint8_t rest[4]; /* if gated: incomplete UTF-8 sequence at the end, n_rest bytes */
	size_t n_rest;
};

/* Return standard output. out_open is for text that is safe on a terminal; out_gated is for arbitrary data, which is
 * filtered if standard output is a terminal. */
struct out out_open(void);
struct out out_gated(void);

/* Write bytes. ctx: a struct out. Return false if this or an earlier write failed. */
bool out_put(void *ctx, const char *bytes, size_t len);

/* Write a text and free it. Return EVL_NOMEM, without writing, if the text is incomplete (text->failed); else 0. */
int out_text(struct out *out, struct buf *text);

/* Return the exit status at the end of a command; if it is not 0, an error message has been printed. It is not an error
 * if the reader of a pipe closes it early. */
int out_status(struct out *out);

/* Return the same for output written to stdout. Nothing may be written to stdout afterwards. */
int out_stdio(void);

/* Let Ctrl-C set a flag, and a second one end the process. Return the flag. */
const atomic_bool *report_cancellable(void);

/* Return a text file, NUL-terminated, to be freed; NULL, after an error message, if it cannot be read. too_long: message for a file
 * of a megabyte or more. */
char *report_text(const char *path, const char *too_long);

/* Print "FILE: REASON" for an error code (enum evl_code) and the file of an open log. Return the exit status. */
int report_fail(const struct evl_log *log, int code);

/* Print an error, and how to replace a file that exists. Return the exit status. */
int report_err(const struct evl_err *err);

/* Index the log completely. If that takes long, a line on a terminal (standard error) shows how much is read. Return 0 or an
 * error code. */
int report_walk(struct evl_log *log);

/* Room for a line of progress: it must not wrap on a terminal of 80 columns. */
enum { REPORT_LINE = 80 };

/* The same. early is called once when indexing takes long, and writes the answer for what is known of the log so far as
 * a text of one line, which is shown until the log is indexed. */
int report_walk_showing(struct evl_log *log, void (*early)(struct evl_log *log, char *text, size_t room));

/* Index the log completely, then take names from the executable given by --exe, or else from one that is found. If
 * the given one does not match the log, print a warning and use no names. Return 0 or an error code. */
int report_walk_named(struct evl_log *log, const struct options *o);

/* A range of time. */
struct range {
	uint64_t from, to; /* half-open, ns */
};

/* Resolve --from and --to. walked: the log is indexed, so that all times are known. Return 0; or print an error message
 * and return the exit status. */
int report_range(const struct evl_log *log, const struct options *o, bool walked, struct range *out);

/* Index the log completely, with names if the command takes them, and resolve --from and --to. Return 0; or print an
 * error message and return the exit status. */
int report_begin(struct evl_log *log, const struct options *o, struct range *out);

/* Commands that print and exit. They write to standard output, and to a terminal only printable text. Each returns the
 * exit status; if it is not 0, an error message has been printed. */

int report_show(struct evl_log *log, const struct options *o);
int report_stats(struct evl_log *log, const struct options *o);
int report_check(struct evl_log *log, const struct options *o); /* closes o->file */
int report_diff(struct evl_log *log, const struct options *o);  /* log is B, o->words[0] is the file name of A */
int report_path(struct evl_log *log, const struct options *o);
int report_prof(struct evl_log *log, const struct options *o);
/* If log is NULL, it reports only about this build and the terminal. */
int report_doctor(struct evl_log *log, const struct options *o);
/* If o->words[0] is not NULL, it is the only source file to annotate. */
int report_annotate(struct evl_log *log, const struct options *o);
int report_export(struct evl_log *log, const struct options *o); /* closes o->file */

/* Run `evtui query`: the statement `text` over n indexed logs. Return the exit status. */
int report_query(struct evl_log **logs, char **names, size_t n, const struct options *o, const char *text);

/* report_query_text: return the SQL statement to run; the caller frees it. Return NULL with *status not 0 on failure;
 * and NULL with *status 0 for --schema, which has no statement: call report_schema then. report_schema: print the
 * tables and columns; many: several logs are queried, so each table has the column `log`. Return the exit status. */
char *report_query_text(const struct options *o, int *status);
int report_schema(bool many);

/* Return n short, distinct names for logs: the file name without .eventlog, preceded by as many parent folders as
 * needed. One allocation, freed by the caller; NULL if memory ran out. */
char **report_log_names(char **paths, size_t n);

/* report_dataset: run `evtui export dataset`; it calls confine (which enters the sandbox) once the output folder is
 * open. report_dataset_check: check its options. Both return the exit status. */
int report_dataset(const struct options *o, void (*confine)(const struct options *o));
int report_dataset_check(const struct options *o);

/* report_pane_format: return the export format that draws a pane of the viewer (report_pane.c); never NULL. *o must
 * outlive its use. report_is_pane: return whether this is the name of a pane. */
const struct export_format *report_pane_format(const struct options *o);
bool report_is_pane(const char *name);

/* Check the options of `evtui export` before the log is opened. Return 0; or print an error message and return the exit
 * status. */
int report_export_check(const struct options *o);

/* For `evtui doctor`. report_doctor_prepare: examine the terminal, before the sandbox is entered.
 * report_doctor_is_program: return whether a name is that of a program; out[EXE_PATH]: the path of its file, "" if there is
 * none.
 * report_doctor_program: report about that program; return the exit status. */
void report_doctor_prepare(const struct options *o);
bool report_doctor_is_program(const char *name, char *out);
int report_doctor_program(const struct options *o, const char *path);

/* For `evtui compare`. report_compare_prepare: find its logs (o->further), before the sandbox is entered.
 * report_compare: read and compare them. Both return the exit status. */
int report_compare_prepare(struct options *o);
int report_compare(const struct options *o); /* closes o->file */

/* For `evtui check`: parse the bounds and find the logs of the baseline (o->further), before the sandbox is entered.
 * Return 0; or print an error message and return the exit status. */
int report_check_prepare(struct options *o);

/* From now on, let Ctrl-C remove the file being written (NULL: none) and exit with status 130. */
void report_export_interruptible(const struct atomic_file *file);

/* Return whether --output names something other than standard output. */
bool report_output_is_file(const struct options *o);

/* For work after the log was indexed: return a watch which, on a terminal (standard error), shows after a second and then four
 * times a second how long it has taken. what: such as "exporting". report_work_over removes the line; the first output
 * that may be on a terminal does so, too. */
struct progress report_work(const char *what);
void report_work_over(void);

/* Return callbacks that report the progress of decompressing a log on standard error, if that is a terminal. */
struct decompress_watch report_unpacking(const struct options *o);

/* For `evtui help WORD`. report_word_is_known: return whether the word is in the glossary or names a metric.
 * report_word: explain the word, which the options keep in o->log; return the exit status. */
bool report_word_is_known(const char *word);
int report_word(const struct options *o);

#endif
