/* screen_rows.h - the rows around a pane: title, overview of the run, hints; frame of all panes but the timeline */
#ifndef EVTUI_SCREEN_ROWS_H
#define EVTUI_SCREEN_ROWS_H

#include "lanes/parts.h"
#include "state/plot.h"
#include "term/keymap.h"

struct pane_host;

/* Draw the title row: ` evtui parsort  +RTS -N8   GHC 9.10.1   12.48 s   8 caps   4,213,871 events   1 Timeline  4
 * Events` */
void part_title(struct pane_host *h, struct canvas *c, int y); /* sets h->tabs */

/* Draw a pane other than the timeline: title, the moment under the cursor if there is room, body, hints. body draws
 * the rows [y, bottom); it is not called if the screen is too small for any. */
typedef void part_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom);
void part_frame(void *view, struct pane_host *h, struct canvas *c, part_body *body);

/* The overview of the whole run, with the window in brackets: a strip of activity and, with two rows, the times of
 * its ends. The contents are cached here. */
struct overview {
	struct model whole; /* a window on the whole run */
	struct plot plot;   /* of that */
};
void part_overview(struct overview *o, const struct model *m, struct canvas *c, int y, int rows);
void part_ticks(struct pane_host *h, struct canvas *c, int y, int rows); /* marks search hits in the overview */
void overview_free(struct overview *o);

/* Clickable places in a row, columns [x, end). */
struct hint_spots {
	int n;
	struct {
		int x, end;
		enum action action;
	} items[32];
};

/* Draw the message in row y up to column `end` (exclusive); a long one takes the rows above, too. */
void part_message(const struct pane_host *h, struct canvas *c, int y, int end);

/* Draw the bottom row: a message, or the keys that can be pressed now; and the progress of reading and searching.
 * Sets h->hints. */
void part_hints(struct pane_host *h, struct canvas *c, int y);

#endif
