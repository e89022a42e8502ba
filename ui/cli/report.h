/* report.h - the commands that print and leave: `evtui show`, `evtui stats`, `evtui export`.
 *
 * They write to standard output, and to a terminal only what it may be told. They return the exit status, after a line
 * on standard error if it is not 0. A reader that closes its pipe early has what it wanted: that is no error. */
#ifndef EVTUI_REPORT_H
#define EVTUI_REPORT_H

#include "log/log.h"
#include "cli/options.h"

int report_show(struct evl_log *log, const struct options *o);
int report_stats(struct evl_log *log, const struct options *o);
int report_check(struct evl_log *log, const struct options *o);
int report_diff(struct evl_log *log, const struct options *o); /* the log is B, o->words[0] names A */
int report_export(struct evl_log *log, const struct options *o);

/* While a compressed log is being unpacked: says how far, on standard error if that is a terminal. */
struct decompress_watch report_unpacking(void);

#endif
