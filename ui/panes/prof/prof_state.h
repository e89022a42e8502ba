/* prof_state.h - state of the Profile pane: mode, order, source, rows, search
 *
 * Times are in ns. */
#ifndef EVTUI_PROF_STATE_H
#define EVTUI_PROF_STATE_H

#include "chrome/pane.h"
#include "jobs/prof_job.h"
#include "lanes/prof_time.h"
#include "panes/prof/prof_icicle.h"
#include "tables/table_view.h"

/* Views of the pane. */
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
	enum prof_source source; /* the profile that is shown */
	enum prof_mode mode;
	int cap; /* capability; PROF_ALL_CAPS: all */
	/* Hide the run-time system; show direct recursion as one frame; colour by module. */
	bool hide_rts, fold, by_module;
	bool compares; /* compare with the range [base_from, base_to) */
	uint64_t base_from, base_to;
	struct other_log *other; /* compare with all of this log instead (pane_host.other); NULL: with the range */
	enum prof_order order;
	bool ordered; /* the user chose the order; false: each mode has its default */
	struct prof_rows rows;
	/* prof_picture.serial of the picture that the rows show; 0: none yet; UINT64_MAX: one of a log that was
	 * replaced */
	uint64_t serial;
	struct prof_ask shown; /* request that this picture answers */
	/* If `renewed`: selection and focus of the old log, to be found again in the new one. */
	struct prof_path selected, focus;
	bool renewed;
	struct time_spot spot; /* for MODE_TIME */
	/* Filter of samples (whole_only_parse): "thread:9", "label~worker", "span:req"; "": all. */
	char only[WHOLE_ONLY_TEXT];
	struct table_view whose; /* list to choose the filter from, while open */
	struct table_range whose_of;
	bool picks;               /* a row of `whose` was chosen: apply it as soon as it is known */
	char search[PROMPT_ROOM]; /* search text; "": none */
	bool *found;              /* indexed by name, n_found elements: whether it matches the search */
	uint32_t n_found;
	uint64_t in_found; /* samples with a matching name in their stack */
	uint32_t page;     /* number of visible rows of the table, as last drawn */
	/* Screen row of the table's headings, its first column, and the column after its right edge, as last drawn;
	 * table_y -1: not shown. */
	int table_y, table_x, table_end;
	/* First screen row and column of the picture over time, as last drawn; time_y -1: not shown. */
	int time_y, plot_x;
	struct icicle_spots spots;
};

/* prof_state_job: return the job of the present source; NULL until pane_prof_job has created it, so not NULL if there
 * is a picture. prof_state_log: return the log that it reads, the one that is shown or an earlier state of that. prof_state_prof:
 * return the profile. */
static inline struct prof_job *prof_state_job(const struct prof_pane *v, const struct pane_host *h)
{
	return h->profiles[v->source].job;
}
static inline const struct evl_log *prof_state_log(const struct prof_pane *v, const struct pane_host *h)
{
	const struct evl_log *log = h->profiles[v->source].log;
	return log ? log : h->log;
}
static inline const struct prof *prof_state_prof(const struct prof_pane *v, const struct pane_host *h)
{
	return &prof_state_log(v, h)->prof[v->source];
}

/* prof_mode_name: return the displayed name. prof_state_order, prof_order_name: return the order in use, and its
 * displayed name. */
const char *prof_mode_name(enum prof_mode mode);
enum prof_order prof_state_order(const struct prof_pane *v);
const char *prof_order_name(const struct prof_pane *v);

/* Switch to the other profile if the present profile has no samples. Return false if neither has. */
bool prof_state_choose(struct prof_pane *v, struct pane_host *h);

/* Show this profile. */
void prof_state_source(struct prof_pane *v, enum prof_source source);

/* After the log was replaced, prepare to restore the selection, the focus and the search in the new one. */
void prof_state_on_log_replaced(struct prof_pane *v);

/* Request what the pane shows, and take what is ready. Return the picture, or NULL if there is none yet. It belongs to
 * the job and is valid until the next call. */
const struct prof_picture *prof_state_update(struct prof_pane *v, struct pane_host *h);

/* Return the selected name, or PROF_NO_NAME. */
uint32_t prof_state_name(const struct prof_pane *v, const struct pane_host *h);

/* Set the search; "" ends it. If the text is invalid, tell the user and return false. */
bool prof_state_search(struct prof_pane *v, struct pane_host *h, const char *text);

/* Get the profiled range: the selection, else the whole run. */
void prof_state_range(const struct prof_pane *v, const struct pane_host *h, uint64_t *from, uint64_t *to);

/* Set the filter of samples (whole_only_parse). Return 0, or a negative code with *err filled if the text is
 * invalid. */
int prof_state_only(struct prof_pane *v, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Return whether a mode draws an icicle, in which the arrow keys move to callees, callers and siblings, not from row to
 * row. */
static inline bool prof_is_icicle(enum prof_mode mode)
{
	return mode == MODE_ICICLE || mode == MODE_LEFT_HEAVY || mode == MODE_WHOLE;
}

#endif
