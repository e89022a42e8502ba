/* report.h - batch commands (show, stats, check, diff, export in report*.c): output file, ranges, errors, exit
 * status. */
#ifndef EVTUI_REPORT_H
#define EVTUI_REPORT_H

#include "cli/options.h"
#include "log/log.h"
#include "sys/atomic_file.h"

/* Where the bytes go; error: the errno of the write that failed. */
struct out {
	int fd, error;
	bool gated;      /* a terminal, to which only text goes (base/printable.h) */
	bool binary;     /* gated, and it is no text: nothing more goes there */
	uint8_t rest[4]; /* gated: a sequence of UTF-8 that is not whole yet */
	size_t n_rest;
};

/* Standard output, for what is safe on a terminal; for what may be anything. */
struct out out_open(void);
struct out out_gated(void);

/* ctx: a struct out. False once a write failed. */
bool out_put(void *ctx, const char *bytes, size_t len);

/* Put a text, and free it. EVL_NOMEM: it is not whole, and nothing was put; else 0. */
int out_text(struct out *out, struct buf *text);

/* The exit status at the end, after a line on standard error if it is not 0. A reader that closed its pipe is no error. */
int out_status(struct out *out);

/* The same for what was printed to stdout; nothing can be printed afterwards. */
int out_stdio(void);

/* Say a code of enum evl_code on standard error; the exit status. */
int report_fail(const struct evl_log *log, int code);

/* Walk the log to its end. 0 or a code. */
int report_walk(struct evl_log *log);

/* Walk, then take names from --exe; a program that does not fit is said, and no names are taken. Without --exe the program
 * is looked for. 0 or a code. */
int report_walk_named(struct evl_log *log, const struct options *o);

struct range {
	uint64_t from, to; /* [from, to) */
};

/* Resolve --from and --to; walked: the log has been walked, so all times are known. Return 0 or the exit status. */
int report_range(const struct evl_log *log, const struct options *o, bool walked, struct range *out);

/* The commands that print and leave: `evtui show`, `evtui stats`, `evtui export`.
 *
 * They write to standard output, and to a terminal only what it may be told. They return the exit status, after a line
 * on standard error if it is not 0. A reader that closes its pipe early has what it wanted: that is no error. */

int report_show(struct evl_log *log, const struct options *o);
int report_stats(struct evl_log *log, const struct options *o);
int report_check(struct evl_log *log, const struct options *o); /* ends o->file */
int report_diff(struct evl_log *log, const struct options *o);  /* the log is B, o->words[0] names A */
int report_path(struct evl_log *log, const struct options *o);
int report_prof(struct evl_log *log, const struct options *o);
int report_doctor(struct evl_log *log, const struct options *o);   /* NULL: of this build and the terminal alone */
int report_annotate(struct evl_log *log, const struct options *o); /* o->words[0]: only this file */
int report_export(struct evl_log *log, const struct options *o);   /* ends o->file */

/* `evtui query` over logs that were walked: text is its statement. */
int report_query(struct evl_log **logs, char **names, size_t n, const struct options *o, const char *text);

/* The statement that is asked for, malloc'ed; NULL with the exit status, or for --schema, which report_schema answers. */
char *report_query_text(const struct options *o, int *status);
int report_schema(bool many);

/* Short names of logs, each different where the paths are: the file without .eventlog, with as many of its folders in front
 * as are needed. malloc'ed, all of them; NULL: memory is out. */
char **report_log_names(char **paths, size_t n);

/* `evtui export dataset`: confine is called when the folder is open. And is the request one that can be met? */
int report_dataset(const struct options *o, void (*confine)(const struct options *o));
int report_dataset_check(const struct options *o);

/* A pane of the viewer as an export format (report_pane.c). */
const struct export_format *report_pane_format(const struct options *o);
bool report_is_pane(const char *name);

/* Before the log is opened: is the request one that can be met? 0 or the exit status. */
int report_export_check(const struct options *o);

/* `evtui doctor`: look at the terminal, before the sandbox closes. Is it about a program, whose path goes to out[EXE_PATH]? */
void report_doctor_prepare(const struct options *o);
bool report_doctor_is_program(const char *name, char *out);
int report_doctor_program(const struct options *o, const char *path);

/* `evtui compare`: its logs are found before the sandbox closes (o->further), and read one after another. */
int report_compare_prepare(struct options *o);
int report_compare(const struct options *o); /* ends o->file */

/* The same for `evtui check`: parse bounds, find the logs of the baseline (o->further). */
int report_check_prepare(struct options *o);

/* From now on Ctrl-C ends the process with status 130, after the file that is being written (NULL: none) is removed. */
void report_export_interruptible(const struct atomic_file *file);

/* Is there an --output other than standard output? */
bool report_output_is_file(const struct options *o);

/* While a compressed log is being unpacked: says how far, on standard error if that is a terminal. */
struct decompress_watch report_unpacking(const struct options *o);

/* evtui help WORD, of a word of the glossary or a figure. */
bool report_word_is_known(const char *word);
int report_word(const struct options *o);

#endif
