/* screen_rows.h - the rows around a pane: title, overview of the run, hint bar, and the frame of all panes but the timeline. */
#ifndef EVTUI_SCREEN_ROWS_H
#define EVTUI_SCREEN_ROWS_H

#include "lanes/parts.h"
#include "term/keymap.h"

struct pane_host;

/* ` evtui parsort  +RTS -N8   GHC 9.10.1   12.48 s   8 caps   4,213,871 events   1 Timeline  4 Events` */
void part_title(struct pane_host *h, struct canvas *c, int y); /* sets h->tabs */

/* Frame of every pane but the timeline: title, the moment under the cursor where there is room, hints. body draws
 * the rows [y, bottom) between them; it is not called where the screen is too small for any. */
typedef void part_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom);
void part_frame(void *view, struct pane_host *h, struct canvas *c, part_body *body);

/* The whole run in two rows (the strip; its two ends) or one, with the window in brackets. Its contents are cached. */
struct overview {
	uint64_t walked, fetched, first, last;
	int cols;
	bool done;
	struct overview_col {
		uint64_t run_ns, gc_ns; /* sums over all capabilities */
		struct gc_sum pauses;
		bool known;
	} * items;
};
void part_overview(struct overview *o, const struct model *m, struct canvas *c, int y, int rows);
void part_ticks(struct pane_host *h, struct canvas *c, int y, int rows); /* where in the run there are hits */
void overview_free(struct overview *o);

/* Where the hints stand that can be clicked on: columns [x, end). */
struct hint_spots {
	int n;
	struct {
		int x, end;
		enum action action;
	} items[32];
};

/* The message in row y up to column `end`; one that is too long takes the rows above, too. */
void part_message(const struct pane_host *h, struct canvas *c, int y, int end);

/* The bottom row: a message (or the keys that can be pressed now), and how far reading and search are. Sets
 * h->hints. */
void part_hints(struct pane_host *h, struct canvas *c, int y);

#endif
