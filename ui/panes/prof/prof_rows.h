/* prof_rows.h - a profile tree as a list of rows: folding, focus, selection, movement
 *
 * Nothing is drawn here. Items are indices into tree->items. */
#ifndef EVTUI_PROF_ROWS_H
#define EVTUI_PROF_ROWS_H

#include "prof/prof_tree.h"

enum { PROF_PATH = 2 * STACK_DEPTH };

/* A tree as a list of rows: one per item that is not folded away. */
struct prof_rows {
	const struct prof_tree *tree; /* borrowed; NULL: none */
	uint8_t *open;                /* indexed by item: enum fold */
	uint32_t *items;              /* items of the rows, from top to bottom */
	uint32_t n;
	uint32_t focus;        /* item at the top; its ancestors and siblings are not shown */
	uint32_t selected, at; /* selected item, and its row */
	uint32_t first;        /* first visible row */
	bool closed;           /* items whose fold was not changed are closed */
};

/* Names from the root to an item, without the root's. */
struct prof_path {
	uint32_t names[PROF_PATH];
	size_t n;
};

void prof_rows_free(struct prof_rows *r);

/* Set a new tree: reset all folds, and select and focus the root. closed: show only the root's children at first;
 * otherwise also open items with at least a fiftieth of all samples. Return false if memory ran out. */
bool prof_rows_take(struct prof_rows *r, const struct prof_tree *tree, bool closed);

/* Rebuild the list of rows, after the tree was sorted again or a fold was changed. Always return true. */
bool prof_rows_list(struct prof_rows *r);

/* Get the path to an item. */
void prof_rows_path(const struct prof_rows *r, uint32_t item, struct prof_path *out);

/* Return the item at the end of a path, or the last item of the path that exists. */
uint32_t prof_rows_find(const struct prof_rows *r, const struct prof_path *path);

/* Select an item. Its ancestors are opened; if it is outside of the focus, the focus is moved to contain it. */
void prof_rows_select(struct prof_rows *r, uint32_t item);

/* Move the selection by this number of rows; or to the parent, the first child, or the next or previous sibling: these
 * return false if there is none. */
void prof_rows_move(struct prof_rows *r, int64_t by);
bool prof_rows_parent(struct prof_rows *r);
bool prof_rows_child(struct prof_rows *r);
bool prof_rows_sibling(struct prof_rows *r, bool forward);

/* Select the end of the path that follows the child with most samples. */
void prof_rows_heaviest(struct prof_rows *r);

/* prof_rows_is_open: return whether an item's children are shown. prof_rows_fold: show or hide those of the selected
 * item; return false if it has none or nothing changes. */
bool prof_rows_is_open(const struct prof_rows *r, uint32_t item);
bool prof_rows_fold(struct prof_rows *r, bool open);

/* Focus on the selected item, or remove the focus. Return false if nothing changes. */
bool prof_rows_focus(struct prof_rows *r);
bool prof_rows_unfocus(struct prof_rows *r);

/* Select the next (or previous) item within the focus, including folded ones, whose name passes; after the last, the first. passes:
 * indexed by name. */
enum prof_found { PROF_FOUND_NONE, PROF_FOUND, PROF_FOUND_WRAPPED, PROF_FOUND_ONLY };
enum prof_found prof_rows_next(struct prof_rows *r, const bool *passes, bool forward);

/* Scroll so that the selected row is one of the `rows` visible ones. */
void prof_rows_scroll(struct prof_rows *r, uint32_t rows);

static inline const struct prof_item *prof_rows_item(const struct prof_rows *r, uint32_t item)
{
	return &r->tree->items[item];
}

#endif
