/* heap_private.h - state of the Heap pane, shared by its files. */
#ifndef EVTUI_HEAP_PRIVATE_H
#define EVTUI_HEAP_PRIVATE_H

#include "chrome/pane.h"
#include "panes/heap/heap_chart.h"
#include "panes/heap/heap_job.h"
#include "panes/heap/heap_table.h"

struct heap_pane {
	struct heap_job *job;    /* NULL until the pane is looked at */
	struct heap_answer page; /* what is shown */
	bool started;            /* the cursor was put at the peak, or had been moved */
	bool there;              /* it answers what was asked last */
	struct heap_look look;
	struct plot plot;
	uint32_t profile, only, mode, sort; /* as in struct heap_ask */
	uint32_t at, top;                   /* the rows of the cursor and at the top */
	int move;                           /* rows to move, not yet answered */
	int room;                           /* rows of the table on the screen */
	struct heap_box plot_at, rows_at;   /* where the picture and the rows of the table are in the last frame */
	bool compares;
	uint64_t compared;      /* with this moment */
	char compared_with[24]; /* "mark a", "the range's other end", "the start of the window" */
	enum heap_sort before;  /* the order before bands were compared */
	char filter[HEAP_FILTER];
	char group[GROUP_TEXT];  /* "": bands are not grouped */
	char open[GROUP_TEXT];   /* the group that is opened; "": none */
	struct other_log *other; /* compared with this log (pane_host.other); NULL: with a moment */
	char find[HEAP_LABEL];   /* a band to be found by its label; "": none */
	bool axis;               /* trends are to the scale of the picture, else each to its own */
};

/* Draw the pane without a profile: what the log has of the heap all the same, and how to get one. */
void heap_none_draw(struct heap_pane *v, struct pane_host *h, struct canvas *c, int y, int end);

enum heap_compare { COMPARE_NONE, COMPARE_LOG, COMPARE_MOMENT };
void heap_pane_compare(struct heap_pane *v, struct pane_host *h, enum heap_compare with);

/* Handle a key. Return false if it has no special meaning here. */
bool heap_keys(struct heap_pane *v, struct pane_host *h, enum action action);

#endif
