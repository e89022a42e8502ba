/* prof_state.h - state of the Profile pane: mode, order, source, rows, search. */
#ifndef EVTUI_PROF_STATE_H
#define EVTUI_PROF_STATE_H

#include "chrome/pane.h"
#include "jobs/prof_job.h"
#include "lanes/prof_time.h"
#include "panes/prof/prof_icicle.h"
#include "tables/table_view.h"

enum prof_mode {
	MODE_ICICLE,
	MODE_TREE,
	MODE_BOTTOM_UP,
	MODE_FLAT,
	MODE_SANDWICH,
	MODE_TIME,
	MODE_LEFT_HEAVY,
	MODE_WHOLE, /* time of threads on and off the CPU */
	PROF_MODES
};

struct prof_pane {
	enum prof_source source;
	enum prof_mode mode;
	int cap;                        /* or PROF_ALL_CAPS */
	bool hide_rts, fold, by_module; /* fold: direct recursion as one frame */
	bool compares;                  /* with the range [base_from, base_to) */
	uint64_t base_from, base_to;
	struct other_log *other; /* with all of this log instead (pane_host.other); NULL: with the range */
	enum prof_order order;
	bool ordered; /* somebody chose the order; else each mode has its own */
	struct prof_rows rows;
	uint64_t serial;                  /* of the picture that the rows are of; 0: none */
	struct prof_ask shown;            /* what that was asked for */
	struct prof_path selected, focus; /* of the rows of a former log; as long as `renewed` */
	bool renewed;
	struct time_spot spot;      /* of MODE_TIME */
	char only[WHOLE_ONLY_TEXT]; /* whose samples: "thread:9", "label:worker", "span:req"; "" for all */
	struct table_view whose;    /* the list to pick that from, as long as it is open */
	bool picks;                 /* its selected row, as soon as that is known */
	char search[PROMPT_ROOM];   /* "" for none */
	bool *found;                /* by name, n_found of them: it is what is searched for */
	uint32_t n_found;
	uint64_t in_found;      /* samples with any of them in their stack */
	uint32_t page;          /* rows of the table in the last frame */
	int table_y, table_end; /* where its header is, and where it ends on the right; y -1: it is not there */
	int time_y, plot_x;     /* where the picture over time begins; y -1: it is not there */
	struct icicle_spots spots;
};

/* The job and the profile that are shown; the job is there while there is a picture. */
static inline struct prof_job *prof_state_job(const struct prof_pane *v, const struct pane_host *h)
{
	return h->prof[v->source];
}
static inline const struct prof *prof_state_prof(const struct prof_pane *v, const struct pane_host *h)
{
	return &h->log->prof[v->source];
}

/* Name of a mode, and the shape of its tree. */
const char *prof_mode_name(enum prof_mode mode);
const char *prof_order_name(enum prof_order order);
enum prof_order prof_state_order(const struct prof_pane *v);

/* Show the existing profile, unless the chosen one has samples. Return false if there is none. */
bool prof_state_choose(struct prof_pane *v, struct pane_host *h);

/* Show the other profile. */
void prof_state_source(struct prof_pane *v, enum prof_source source);

/* The log is another one: what is selected and searched for is looked for in its picture. */
void prof_state_on_log_replaced(struct prof_pane *v);

/* Ask for what is to be seen and take what is there. NULL: there is nothing yet. */
const struct prof_picture *prof_state_update(struct prof_pane *v, struct pane_host *h);

/* The name that is selected: PROF_NO_NAME where none is. */
uint32_t prof_state_name(const struct prof_pane *v, const struct pane_host *h);

/* Set the search; "" ends it. Return false, and report it, if the text is invalid. */
bool prof_state_search(struct prof_pane *v, struct pane_host *h, const char *text);

/* The range that is profiled: the selection, else the whole run. */
void prof_state_range(const struct pane_host *h, uint64_t *from, uint64_t *to);

/* Show the samples of these threads only. Return a negative code with *err filled if the text is invalid. */
int prof_state_only(struct prof_pane *v, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Is the shown mode one of an icicle, through which one walks by place? */
static inline bool prof_is_icicle(enum prof_mode mode)
{
	return mode == MODE_ICICLE || mode == MODE_LEFT_HEAVY || mode == MODE_WHOLE;
}

#endif
