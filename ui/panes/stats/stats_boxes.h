/* stats_boxes.h - layout of the Stats pane: position, selection, scrolling and folding of its boxes
 *
 * Boxes are laid out on a page as wide as the screen and as high as needed. They are stacked in columns, each box in
 * the column that is shortest so far; a wide box starts below all columns. Boxes without rows come last, a line for each
 * reason. The screen shows a part of the page. */
#ifndef EVTUI_STATS_BOXES_H
#define EVTUI_STATS_BOXES_H

#include "base/text_match.h"
#include "panes/stats/section.h"
#include "term/keymap.h"

enum stats_section {
#define SECTION(name) STATS_##name,
#include "panes/stats/section.def"
#undef SECTION
	STATS_SECTIONS
};

enum { BOX_CONTINUED = 256 }; /* rows from there on are entries by themselves */

/* Position of a box. */
struct stats_box {
	int y, x, width; /* of its title, on the page */
	int rows;        /* rows below the title; 0 if folded or missing; -1: its title is in the line of another one */
	bool missing, folded;
	bool continued[BOX_CONTINUED]; /* the row belongs to the entry above: it is never selected */
};

struct stats_boxes {
	struct stats_box items[STATS_SECTIONS];
	int height;       /* rows of the page */
	int section, row; /* selected row; -1: the title of the box */
	int goal_x;       /* screen column that vertical moves keep to */
	int top, shown;   /* first visible row of the page; number of visible rows */
};

/* Compute the layout for a screen of `cols` columns. The selected row remains selected and is scrolled into view
 * (`rows` rows). */
void stats_boxes_layout(struct stats_boxes *b, const struct stats_data *d, int cols, int rows);

/* Draw the visible part of the page from screen row y on. */
void stats_boxes_draw(const struct stats_boxes *b, const struct stats_data *d, struct canvas *c, int y);

/* Handle an action that moves the selection or folds a box. Return false for other actions. */
bool stats_boxes_act(struct stats_boxes *b, enum action action);

/* Select the next (by 1), previous (-1), or first row from the selection on (0) whose text as shown contains the
 * pattern; the search wraps around. Return the number of that row among all matching rows, from 1, or 0 if none
 * matches. *n: how many match. */
size_t stats_boxes_find(struct stats_boxes *b, const struct stats_data *d, const struct pattern *p, int by, size_t *n);

/* Draw the selected entry as shown into a canvas from row 0 on. */
void stats_boxes_copy(const struct stats_boxes *b, const struct stats_data *d, struct canvas *c);

/* Select the row at row y, column x of the area of the boxes. Return false if there is none. */
bool stats_boxes_click(struct stats_boxes *b, int y, int x);

/* Return where Enter goes from the selected row. */
struct stats_place stats_boxes_place(const struct stats_boxes *b, const struct stats_data *d);

/* Return the table of the rows of the selected box, or NULL if these are no list. */
const struct table_source *stats_boxes_table(const struct stats_boxes *b, const struct stats_data *d);

/* Return the format and the table that the e key suggests: that of the selected box. */
const char *stats_boxes_exported(const struct stats_boxes *b);

#endif
