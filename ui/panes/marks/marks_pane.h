/* marks_pane.h - keys and commands for marks and named ranges, and the pane that lists them; every change is saved at
 * once */
#ifndef EVTUI_MARKS_PANE_H
#define EVTUI_MARKS_PANE_H

#include "chrome/pane.h"
#include "state/bookmarks_file.h"

extern const struct pane_ops marks_pane;

/* marks_load: load the marks saved for the log. marks_file: return the file that they are saved in. */
void marks_load(struct pane_host *h);
const struct bookmarks_file *marks_file(const struct pane_host *h);

/* Handle one of the keys m and '. letter: the letter typed after it. */
void marks_act(struct pane_host *h, enum action action, char letter);

/* Select a named range, and scroll it into view. */
void marks_select(struct model *m, const struct named_range *range, int64_t now_ms);

#endif
