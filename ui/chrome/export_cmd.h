/* export_cmd.h - the e key and :export: write the range, else the window, in the background. */
#ifndef EVTUI_EXPORT_CMD_H
#define EVTUI_EXPORT_CMD_H

#include "chrome/pane.h"

/* Do what follows :export: "FORMAT [--spreadsheet] [TABLE] [FILE]". 0, or a code with err filled: then nothing was begun. */
int export_cmd_begin(struct pane_host *h, const char *args, bool force, struct evl_err *err) EVL_MUST_USE;

/* The command that e offers: what the pane is best written as, and a name; into out, which is returned. */
char *export_cmd_offer(const struct pane_host *h, char *out, size_t room);

/* Report the end of the export, if it has ended. Return false if there is no export. */
bool export_cmd_news(struct pane_host *h);
bool export_cmd_busy(const struct pane_host *h);

/* Cancel it. Return false if none is running. */
bool export_cmd_cancel(struct pane_host *h);

/* " exporting 12 MB", or "". */
void export_cmd_status(const struct pane_host *h, char *out, size_t room);

#endif
