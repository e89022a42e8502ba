/* prof_rows.h - profile tree as a list of rows: folding, focus, selection, moving.
 *
 * Pure data. */
#ifndef EVTUI_PROF_ROWS_H
#define EVTUI_PROF_ROWS_H

#include "prof/prof_tree.h"

enum { PROF_PATH = 2 * STACK_DEPTH };

struct prof_rows {
	const struct prof_tree *tree; /* borrowed; NULL: none */
	uint8_t *open;                /* by item: enum fold */
	uint32_t *items;              /* the rows from top to bottom */
	uint32_t n;
	uint32_t focus;        /* the item at the top */
	uint32_t selected, at; /* an item and its row */
	uint32_t first;        /* the row at the top of the screen */
	bool closed;           /* untouched items are closed */
};

/* Names from the root to an item. */
struct prof_path {
	uint32_t names[PROF_PATH];
	size_t n;
};

void prof_rows_free(struct prof_rows *r);

/* Set another tree: reset all items, and select and focus on the root. closed: show only the root's children at
 * first; otherwise also items with a fiftieth of all samples. Return false if memory ran out. */
bool prof_rows_take(struct prof_rows *r, const struct prof_tree *tree, bool closed);

/* The same items in another order, or where a fold was changed. */
bool prof_rows_list(struct prof_rows *r);

void prof_rows_path(const struct prof_rows *r, uint32_t item, struct prof_path *out);

/* The item at the end of a path; as far as it goes. */
uint32_t prof_rows_find(const struct prof_rows *r, const struct prof_path *path);

/* Select an item; what hides it is opened, and what is not within the focus moves that out. */
void prof_rows_select(struct prof_rows *r, uint32_t item);

/* Select another row, the parent, the first child, or a sibling. Return false if there is none. */
void prof_rows_move(struct prof_rows *r, int64_t by);
bool prof_rows_parent(struct prof_rows *r);
bool prof_rows_child(struct prof_rows *r);
bool prof_rows_sibling(struct prof_rows *r, bool forward);

/* Follow the child with most samples to where it ends. */
void prof_rows_heaviest(struct prof_rows *r);

/* Are the item's children seen? Show or hide them: false if it has none, or that is so. */
bool prof_rows_is_open(const struct prof_rows *r, uint32_t item);
bool prof_rows_fold(struct prof_rows *r, bool open);

/* Focus on the selected item, so that it is at the top; undo that. Return false without effect. */
bool prof_rows_focus(struct prof_rows *r);
bool prof_rows_unfocus(struct prof_rows *r);

/* The next item in the order of the rows, folded ones too, whose name passes; false: none. */
bool prof_rows_next(struct prof_rows *r, const bool *passes, bool forward);

/* Scroll so that the selected row is among the `rows` visible rows. */
void prof_rows_scroll(struct prof_rows *r, uint32_t rows);

static inline const struct prof_item *prof_rows_item(const struct prof_rows *r, uint32_t item)
{
	return &r->tree->items[item];
}

#endif
