/* report.h - `evtui stats`: the figures of the whole run as text. */
#ifndef EVTUI_REPORT_H
#define EVTUI_REPORT_H

#include "evl.h"

#include <stdio.h>

/* Read the whole log and print. Returns the exit status. */
int report_stats(struct evl_log *log, FILE *out);

#endif
