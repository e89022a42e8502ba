/* stats_boxes.h - layout of the Stats pane: place, selection, scrolling and folding of its boxes.
 *
 * Boxes are laid out on a page as wide as the screen and as high as needed: in columns, each box in the shortest
 * one; a wide box closes all columns. The screen is a window on that page. */
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

struct stats_box {
	int y, x, width; /* of its title, on the page */
	int rows;        /* below it; 1 where it only says what is missing, 0 when it is folded */
	bool missing, folded;
};

struct stats_boxes {
	struct stats_box items[STATS_SECTIONS];
	int height;       /* of the page */
	int section, row; /* the selection; row -1: the title of the box */
	int goal_x;       /* the column of the screen that moves up and down keep to */
	int top, shown;   /* the first row of the page on the screen, and how many there are */
};

/* Lay out for a screen of `cols` columns. The selected row stays the same and is scrolled into view (of `rows`
 * rows). */
void stats_boxes_layout(struct stats_boxes *b, const struct stats_data *d, int cols, int rows);

void stats_boxes_draw(const struct stats_boxes *b, const struct stats_data *d, struct canvas *c, int y);

/* Run an action that moves the selection or folds a box. Return false for other actions. */
bool stats_boxes_act(struct stats_boxes *b, enum action action);

/* Select the next row (by 1), the previous one (-1) or the first from the selection on (0) whose text as on the screen
 * contains the pattern, around the ends. Return its number among all such rows, whose number goes to *n; 0: there are none. */
size_t stats_boxes_find(struct stats_boxes *b, const struct stats_data *d, const struct pattern *p, int by, size_t *n);

/* Draw the selected row, as on the screen, into the first row of a canvas. */
void stats_boxes_copy(const struct stats_boxes *b, const struct stats_data *d, struct canvas *c);

/* Select the row at y, x of the part of the screen that has the boxes. Return false if there is none. */
bool stats_boxes_click(struct stats_boxes *b, int y, int x);

/* Return the action of Enter on the selected row. */
struct stats_place stats_boxes_place(const struct stats_boxes *b, const struct stats_data *d);

#endif
