/* timeline.h - layout of the Timeline pane: which parts and lanes fit, and where (keys: timeline_pane.c) */
#ifndef EVTUI_TIMELINE_H
#define EVTUI_TIMELINE_H

#include "chrome/screen_rows.h"
#include "draw/canvas.h"
#include "jobs/range_stats_job.h"
#include "jobs/rest.h"
#include "lanes/lanes.h"
#include "lanes/parts.h"
#include "threads/lane_filter.h"

enum { TIMELINE_FINDING_ROWS = 24 }; /* screens with at least this many rows have a row for a finding */

/* Positions in the last frame, for clicks. A row of -1: not shown. */
struct timeline_spots {
	struct lane_place place;
	int cols;
	int overview_y, overview_rows, ruler_y, lanes_y, lanes_end;
	int finding_y, finding_rows; /* text of a finding; 0 rows: none */
	int above_y, below_y;        /* signs of more lanes, at the right edge */
	struct legend_spots legend;
	bool unknown; /* there are cells of unknown state */
	bool answers; /* line 2 is shown */
	struct answer_spots line_2;
};

enum timeline_job {
	JOB_RANGE,  /* metrics of the selected range */
	JOB_BANDS,  /* bands of the heap profile */
	JOB_PATH,   /* the critical path */
	JOB_SPAN,   /* time of the span at the cursor */
	JOB_WHY,    /* why the capability at the cursor is idle */
	JOB_IDLE,   /* why it is idle in the column at the cursor */
	JOB_MOMENT, /* state of the selected thread at the cursor, if finding it takes long */
	TIMELINE_JOBS
};

struct timeline {
	struct plot plot;
	struct overview overview;
	struct lanes lanes;
	struct filter filter;       /* compiled from lanes.ask.filter */
	struct placed_lane *placed; /* the lanes on the screen */
	size_t n_placed;
	void (*wake)(void *); /* called from other threads when there is news */
	void *wake_ctx;
	struct rest *rest; /* of all jobs on a growing log; NULL: nothing was drawn yet */
	struct timeline_work {
		struct answer_job *job; /* NULL until first needed */
		struct answer_job *
			former; /* on an earlier state of the log: its last answer serves until `job` has one; NULL: none */
		struct resting resting; /* the log that `job` reads */
	} works[TIMELINE_JOBS];
	struct {
		bool on;                       /* the path is shown */
		struct path_subject of, asked; /* asked: the subject of the last question */
		const struct path_cols *cols;  /* latest answer; NULL: none */
	} path;
	struct moment_answer moment; /* state of the selected thread at the cursor */
	struct timeline_spots spots;
	struct canvas notes;            /* the inspector and what belongs to it, before it is copied to the screen */
	struct model_place fitted;      /* window that z or Enter made, and the lane */
	const char *word;               /* word of the legend under the pointer; NULL: none */
	bool wait_for_jobs;             /* for tests: draw a frame only when all its data is known */
	const struct evl_log *pictured; /* the log whose lanes were drawn */
	int names;                      /* columns that the names of threads take in this frame */
	int names_before;               /* most that they took when a key was pressed */
	bool low;                       /* draw fewer lanes, as on a small screen, for a slow link */
	bool tell_filter;               /* say how many threads the new filter keeps, once that is known */
	bool show_hidden;               /* show lanes that are hidden by default, too */
};

struct pane_host;
struct pane_ops;

extern const struct pane_ops timeline_pane;
/* Return the state of the timeline pane. */
struct timeline *timeline_of(const struct pane_host *h);

/* Fit the window to the selected range, else to the span at the cursor. Called again, it goes back. */
void timeline_fit(struct pane_host *h);

/* Show the pane, and the list of its colours over it. */
void timeline_show_colours(struct pane_host *h);

/* Store the colours and signs of the last frame, at most TIMELINE_COLOURS: those of the legend, of the lanes, and over
 * them. c: that frame, to tell which of them are on it. Return their number. */
enum { TIMELINE_COLOURS = 64 };
int timeline_colours(const struct timeline *t, const struct model *m, const struct canvas *c, struct shown_colour *out);

/* Initialize. wait_for_jobs: draw a frame only when all its data is known, for tests. */
void timeline_init(struct timeline *t, const struct evl_log *log, void (*wake)(void *), void *ctx, bool wait_for_jobs);

/* Stop all jobs and free them. Call it before the log is closed. */
void timeline_free(struct timeline *t);

/* Functions of the pane (pane_ops); view: a struct timeline. timeline_draw sets the model's plot width; timeline_copy draws the texts
 * about the cursor, each in one row. */
void timeline_on_log_replaced(void *view, struct pane_host *h);
void timeline_draw(void *view, struct pane_host *h, struct canvas *c);
void timeline_copy(void *view, struct pane_host *h, struct canvas *c);
bool timeline_news(void *view);
bool timeline_busy(const void *view);

/* Return the columns of labels, plot and figures on a screen of this width; used for everything drawn over time. names: columns
 * that names of lanes need; 0: there are only short ones. */
struct lane_place timeline_place(const struct canvas *c, enum theme theme, int names);

/* Return the selected lane, or NULL if the log has no lanes. */
const struct lane *timeline_lane(const struct timeline *t);

/* Return the word of the glossary that explains a position of the last frame: of the legend, line 2, the overview, the name of a
 * lane that is not selected (which the inspector describes), or the figures of the lanes; NULL: none. */
const char *timeline_word_at(const struct timeline *t, int y, int x);

/* Return the span at the cursor in the selected lane; NULL: none. */
const struct span *timeline_span(const struct timeline *t, const struct model *m);

/* Show a critical path; NULL: hide it. */
void timeline_show_path(struct timeline *t, const struct path_subject *of);

/* Return the cause that a finding's text tells, in `width` columns: all of the text, or its first clauses; or, if not even one fits,
 * the short form of its kind. */
struct finding;
struct evl_str finding_cause(const struct finding *f, int width, bool ascii);

/* Set the filter of lanes; "": show all. Return 0, or an error code with *err filled. */
int timeline_filter(struct timeline *t, const char *text, struct evl_err *err);

#endif
