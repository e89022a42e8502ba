/* export_cmd.h - the e key and :export: export the selected range, or else the visible window, in the background */
#ifndef EVTUI_EXPORT_CMD_H
#define EVTUI_EXPORT_CMD_H

#include "chrome/pane.h"

/* Start an export. args: the arguments of :export, "FORMAT [--spreadsheet] [TABLE] [FILE]"; force: replace an
 * existing file. Return 0; or an error code with *err filled, then nothing was started. */
int export_cmd_begin(struct pane_host *h, const char *args, bool force, struct evl_err *err) EVL_MUST_USE;

/* Write the command that e suggests to out, and return out: the best format for the pane, and a file name. Return NULL
 * if there is nothing to export. */
char *export_cmd_offer(const struct pane_host *h, char *out, size_t room);

/* export_cmd_news: report the end of an export to the user; return false if none was running. export_cmd_busy:
 * return whether an export is running. */
bool export_cmd_news(struct pane_host *h);
bool export_cmd_busy(const struct pane_host *h);

/* Cancel the export. Return false if none is running. */
bool export_cmd_cancel(struct pane_host *h);

/* Write " exporting 12 MB" to out, "" if no export is running. */
void export_cmd_status(const struct pane_host *h, char *out, size_t room);

#endif
