/* heap_private.h - state of the Heap pane, shared by its files */
#ifndef EVTUI_HEAP_PRIVATE_H
#define EVTUI_HEAP_PRIVATE_H

#include "chrome/pane.h"
#include "panes/heap/heap_chart.h"
#include "panes/heap/heap_job.h"
#include "panes/heap/heap_table.h"

struct heap_pane {
	struct heap_job *job;    /* NULL until the pane is first shown */
	struct resting resting;  /* the log that it reads */
	struct model seen;       /* with the window of the last question, which the picture shows */
	struct heap_answer page; /* the displayed page */
	bool started;            /* the initial position of the cursor is chosen: the peak, unless the user moved it */
	bool there;              /* `page` answers the last request */
	struct heap_look look;
	struct plot plot;
	uint32_t profile, only, mode, sort; /* as in struct heap_ask */
	uint32_t at, top;                   /* selected row; first visible row */
	int move;                           /* rows to move by, not answered yet */
	int room;                           /* visible rows of the table */
	struct heap_box plot_at, rows_at;   /* positions of the chart and of the table's rows in the last frame */
	bool compares;                      /* a comparison is shown */
	bool from_window;                   /* compare with the start of the window, wherever it moves */
	uint64_t compared;                  /* otherwise, the moment to compare with */
	char compared_with[24]; /* its description: "mark a", "the range's other end", "the start of the window" */
	enum heap_sort before;  /* sort order before the comparison */
	char filter[HEAP_FILTER];
	char group[GROUP_TEXT];  /* grouping rule; "": none */
	char open[GROUP_TEXT];   /* name of the opened group; "": none */
	struct other_log *other; /* log to compare with (pane_host.other); NULL: compare with a moment */
	char find[HEAP_LABEL];   /* label of a band to find; "": none */
	bool axis;               /* sparklines have the scale of the chart; false: each has its own */
};

/* Draw the pane of a log without a heap profile: other heap data that the log has, and how to record a profile. */
void heap_none_draw(struct heap_pane *v, struct pane_host *h, struct canvas *c, int y, int end);

enum heap_compare { COMPARE_NONE, COMPARE_LOG, COMPARE_MOMENT };
/* Start or end the comparison with the other log or with a moment. */
void heap_pane_compare(struct heap_pane *v, struct pane_host *h, enum heap_compare with);

/* pane_ops.lists: the rows of the table in the displayed order, without their courses in words. */
bool heap_export(const void *view, const struct pane_host *h, struct export_list *out);

/* pane_ops.is_over and leave: one band alone, the source, a comparison. */
bool heap_is_over(const void *view, const struct pane_host *h);
void heap_leave(void *view, struct pane_host *h);

/* pane_ops.set_filter. */
void heap_set_filter(struct pane_host *h, const char *text, enum prompt_result result);

/* Handle an action. Return false if it has no special meaning in this pane. */
bool heap_keys(void *view, struct pane_host *h, enum action action);

#endif
