/* parts.h - the lines around the lanes: title, answers, overview, ruler, inspector, legend, hints. Each draws one or
 * two rows of the canvas from the model and knows nothing of the others. */
#ifndef EVTUI_PARTS_H
#define EVTUI_PARTS_H

#include "jobs/range_stats_job.h"
#include "lanes/lane.h"
#include "term/keymap.h"

/* Pens move along a row: text is put down piece by piece until the room ends. */
struct line {
	struct canvas *c;
	int y, x, end;
	uint8_t bg;
};
void line_put(struct line *l, enum style style, bool bold, const char *text);
void line_text(struct line *l, enum style style, bool bold, struct evl_str text);
void line_skip(struct line *l, int cols);
void line_duration(struct line *l, enum style style, uint64_t ns);
void line_bytes(struct line *l, enum style style, uint64_t bytes);
/* That of the samples in this log the largest of each stretch are kept, if so and if there is room to say it. */
void line_thinned(struct line *l, const struct evl_log *log);
void line_merged(struct line *l, enum style style, uint64_t n, const char *what); /* "n = 55,000 spans", "1 span" */
void line_gc(struct line *l, const struct evl_log *log, const struct gc_row *gc); /* "minor GC gen 0" */
void line_gc_late(struct line *l, const struct evl_log *log, const struct gc_row *gc); /* "  last to stop cap 3 …" */
void line_thread(struct line *l, const struct evl_log *log, uint32_t thread);          /* "thread 26 “worker-2”" */
void line_share(struct line *l, enum style style, const char *name, uint64_t part, uint64_t all); /* "  run 71%" */
static inline int line_room(const struct line *l) { return l->end > l->x ? l->end - l->x : 0; }

/* ` evtui parsort  +RTS -N8   GHC 9.10.1   12.48 s   8 caps   4,213,871 events   1 Timeline  4 Events` */
struct pane_host;
void part_title(struct pane_host *h, struct canvas *c, int y); /* sets h->tabs */

/* What is around every pane but the timeline: title, the moment under the cursor where there is room, hints. body draws
 * the rows [y, bottom) between them; it is not called where the screen is too small for any. */
typedef void part_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom);
void part_frame(void *view, struct pane_host *h, struct canvas *c, part_body *body);

/* ` mutator 81.3% ████ GC 18.7% (minor 11.2% major 7.5%)  412 pauses p50 1.2 ms …` */
void part_answers(const struct model *m, struct canvas *c, int y);

/* The whole run in two rows (the strip; its two ends) or one, with the window in brackets. What it shows is kept. */
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

/* Times above the plot. */
void part_ruler(const struct model *m, const struct lane_place *at, struct canvas *c, int y);

/* The moment under the cursor: what the selected lane did then; with two rows also its column in figures. */
void part_inspector(
	const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y, int rows);

/* The figures of the selection; NULL: they are not known yet. */
void part_range(const struct range_figures *f, struct canvas *c, int y);

/* The states that occur in this log. */
void part_legend(const struct model *m, struct canvas *c, int y);

/* Where the hints stand that can be clicked on: columns [x, end). */
struct hint_spots {
	int n;
	struct {
		int x, end;
		enum action action;
	} items[32];
};

/* The bottom row: a message (or the keys that can be pressed now), and how far reading and search are. Sets
 * h->hints. */
void part_hints(struct pane_host *h, struct canvas *c, int y);

#endif
