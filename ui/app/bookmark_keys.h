/* bookmark_keys.h - keys and commands for marks and named ranges; every change is saved at once */
#ifndef EVTUI_BOOKMARK_KEYS_H
#define EVTUI_BOOKMARK_KEYS_H

#include "app/bookmark_list.h"
#include "chrome/pane.h"
#include "state/bookmarks_file.h"

struct bookmark_keys {
	struct bookmarks_file file;
	struct bookmark_list list;
};

/* Load the marks saved for the log. */
void bookmark_keys_load(struct bookmark_keys *k, struct pane_host *h);

/* Handle one of the keys m, ' and B. letter: the letter typed after m or '. */
void bookmark_keys_act(struct bookmark_keys *k, struct pane_host *h, enum action action, char letter);

/* Handle a key while the list of marks is open. */
void bookmark_keys_list(struct bookmark_keys *k, struct pane_host *h, const char *key);

/* Select a named range, and scroll it into view. */
void bookmark_keys_select(struct model *m, const struct named_range *range, int64_t now_ms);

#endif
