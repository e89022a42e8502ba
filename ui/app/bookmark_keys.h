/* bookmark_keys.h - keys and commands of marks and named ranges; every change is saved at once. */
#ifndef EVTUI_BOOKMARK_KEYS_H
#define EVTUI_BOOKMARK_KEYS_H

#include "app/bookmark_list.h"
#include "chrome/pane.h"
#include "state/bookmarks_file.h"

struct bookmark_keys {
	struct bookmarks_file file;
	struct bookmark_list list;
};

/* The marks of the log, from where they are kept. */
void bookmark_keys_load(struct bookmark_keys *k, struct pane_host *h);

/* m, ', B; letter: that of the key. */
void bookmark_keys_act(struct bookmark_keys *k, struct pane_host *h, enum action action, char letter);

/* A key while the list is open. */
void bookmark_keys_list(struct bookmark_keys *k, struct pane_host *h, const char *key);

/* A range that is kept becomes the selection, and is seen. */
void bookmark_keys_select(struct model *m, const struct named_range *range, int64_t now_ms);

#endif
