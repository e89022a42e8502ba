/* timeline.h - layout of the Timeline pane: which parts and lanes fit, and where; keys: timeline_pane.c. */
#ifndef EVTUI_TIMELINE_H
#define EVTUI_TIMELINE_H

#include "chrome/screen_rows.h"
#include "jobs/range_stats_job.h"
#include "lanes/lanes.h"
#include "lanes/parts.h"
#include "threads/lane_filter.h"

enum { TIMELINE_FINDING_ROWS = 24 }; /* of a screen with a row for a finding */

/* Where things were in the last frame: for the mouse. A row of -1: not there. */
struct timeline_spots {
	struct lane_place place;
	int cols;
	int overview_y, overview_rows, ruler_y, lanes_y, lanes_end;
	struct legend_spots legend;
};

struct timeline {
	struct plot plot;
	struct overview overview;
	struct lanes lanes;
	struct filter filter;       /* of lanes.ask.filter */
	struct placed_lane *placed; /* on the screen */
	size_t n_placed;
	void (*wake)(void *); /* called from another thread when there is news */
	void *wake_ctx;
	struct range_stats_job *range; /* figures of the selection; NULL: none were asked for yet */
	struct bands_job *bands;       /* of the heap profile; NULL: their lane was not seen yet */
	struct {
		struct answer_job *job; /* NULL: no path was asked for yet */
		bool on;
		struct path_subject of;
		struct path_cols cols; /* the last that came */
	} path;
	struct answer_job *span_job; /* budget of the span at the cursor; NULL: none was asked for yet */
	struct span_answer span;     /* the last that came */
	struct answer_job *why_job;  /* why the capability at the cursor is idle; likewise */
	struct why_answer why;
	struct answer_job *moment_job; /* state of the selected thread at the cursor, where that is far; likewise */
	struct moment_answer moment;
	struct timeline_spots spots;
	const char *word;   /* of the legend, that the pointer rests on; NULL: none */
	bool wait_for_jobs; /* wait for all that a frame shows */
	bool low;           /* lanes as on a small screen, for a slow link */
	bool show_hidden;   /* lanes too that are hidden by default */
};

struct pane_host;
struct pane_ops;

/* That of the timeline pane. */
extern const struct pane_ops timeline_pane;
struct timeline *timeline_of(const struct pane_host *h);

/* The window to the range, else the span at the cursor; again: back. */
void timeline_fit(struct pane_host *h);

/* patient: frames wait until all that they show is known, for tests. */
void timeline_init(struct timeline *t, const struct evl_log *log, void (*wake)(void *), void *ctx, bool wait_for_jobs);

/* Before the log is closed: it is still being read from. */
void timeline_free(struct timeline *t);

/* Another log is shown: pane_ops.renew. */
void timeline_on_log_replaced(struct timeline *t, const struct evl_log *log);

/* Draw everything. Tells the model how wide the plot is. */
void timeline_draw(struct timeline *t, struct pane_host *h, struct canvas *c);

/* Columns of labels, plot and numbers on a screen of this width, for everything drawn over time. */
struct lane_place timeline_place(const struct canvas *c, enum theme theme);

/* Report whether there is anything new to draw; report whether a job is running. */
bool timeline_news(struct timeline *t);
bool timeline_busy(const struct timeline *t);

/* The selected lane; NULL where the log has none. */
const struct lane *timeline_lane(const struct timeline *t);

/* Show a critical path; NULL: none. */
void timeline_show_path(struct timeline *t, const struct path_subject *of);

/* Show only lanes that pass; "" for all. */
int timeline_filter(struct timeline *t, const char *text, struct evl_err *err);

#endif
