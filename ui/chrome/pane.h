/* pane.h - interface of a pane (struct pane_ops), and the state shared by all panes (struct pane_host)
 *
 * A pane is a constant struct of functions, one line in the registry (ui/app/panes.c), and private state (`view`
 * below). It draws the whole screen and gets each key first. Keys that it does not handle mean the same in every
 * pane (panes_act). Times of the log are in ns. */
#ifndef EVTUI_PANE_H
#define EVTUI_PANE_H

#include "chrome/history.h"
#include "chrome/prompt.h"
#include "chrome/screen_rows.h"
#include "chrome/source_view.h"
#include "index/event_rank.h"
#include "jobs/rest.h"
#include "query/exe_match.h"
#include "state/jump.h"

struct pane_host;

/* Receives the text of a prompt: with PROMPT_EDITING after each change, and with another result at its end; if it is
 * cancelled, the text that the prompt was opened with. So Enter keeps a filter or a search, and Esc restores the former. */
typedef void pane_answer(struct pane_host *h, const char *text, enum prompt_result result);

struct event_job;
struct export_job;
struct lane_colour;
struct other_log;
struct prof_job;
struct answer_job;
struct child;
struct filter_fields;
struct export_list;
struct questions;
struct table_kind;
struct table_view;

/* A kind of pane. */
struct pane_ops {
	const char *name;  /* title of its tab */
	const char *brief; /* short title; NULL: the first four letters of `name` */
	enum action key;   /* action that shows the pane; its key is on the tab */
	const char
		*exports; /* format that the e key suggests where no table is open, and its table; NULL: "eventlog" */
	/* Return the format instead of `exports` (NULL: there is nothing to export). The range to export, [*from, *to), is the
	 * selected range or the visible window, unless it is changed; UINT64_MAX: to the end. NULL: use `exports`. */
	const char *(*offers)(const void *view, const struct pane_host *h, uint64_t *from, uint64_t *to);
	/* Get the open table as it is shown, for "csv shown"; neither kind nor keep: it is the result of h->statement. Return
	 * false if none is open. NULL: there is never one. */
	bool (*lists)(const void *view, const struct pane_host *h, struct export_list *out);
	enum keymap_pane pane;                      /* section of the key table used for hints and help */
	bool (*there)(const struct pane_host *h);   /* return whether the pane is available; NULL: always */
	bool (*has_tab)(const struct pane_host *h); /* return whether the title shows its tab; NULL: always */
	void *(*open)(struct pane_host *h);         /* create the view; returns NULL if memory ran out */
	void (*close)(void *view);
	/* One of: draw the whole screen; draw the rows between title and hints (part_frame). */
	void (*draw)(void *view, struct pane_host *h, struct canvas *c);
	part_body *body;
	/* Handle an action. Return false if it has no special meaning in this pane. */
	bool (*act)(void *view, struct pane_host *h, enum action action);
	/* Handle a left click at row y, column x, outside of hints and tabs. twice: second click of a double click.
	 * NULL: clicks do nothing. */
	void (*click)(void *view, struct pane_host *h, int y, int x, bool twice);
	/* Draw the text that y copies, on a canvas wide enough for any row. NULL: the moment at the cursor is copied
	 * (copy.h). */
	void (*copy)(void *view, struct pane_host *h, struct canvas *c);
	/* Drop everything that belongs to the old log, which is still open; h->log is the new one, usually longer.
	 * NULL: the pane is closed and opened again. */
	void (*on_log_replaced)(void *view, struct pane_host *h);
	/* news: return whether there is anything new to draw. busy: return whether a job is running. NULL: the pane has
	 * no jobs. */
	bool (*news)(void *view);
	bool (*busy)(const void *view);
	/* is_over: return whether a table, path, source or comparison lies over the pane, or the pane over another one; leave:
	 * close the topmost (Esc, q). May be NULL. */
	bool (*is_over)(const void *view, const struct pane_host *h);
	void (*leave)(void *view, struct pane_host *h);
	/* Return the filter of what is shown, "" if there is none; Esc clears it: set_filter gets "". NULL: Esc closes what is
	 * filtered, or there are no filters. */
	const char *(*filter)(const void *view, const struct pane_host *h);
	pane_answer *set_filter;
	/* Return the kind of the open table, whose columns the help explains; NULL if none is open. May be NULL. */
	const struct table_kind *(*table)(const void *view);
	/* Return the signs of the pane, which C explains; the last has no word. NULL: none. */
	const struct lane_colour *(*signs)(const void *view, const struct pane_host *h);
	/* Return whether an action would do something now, so that its hint is shown. NULL: always. */
	bool (*acts)(const void *view, const struct pane_host *h, enum action action);
	/* Cancel running jobs (Ctrl-C). Return false if there were none. NULL: the pane has no jobs. */
	bool (*stop)(void *view);
	/* Return the number shown on the tab, of things that need attention; 0: none. NULL: no number. */
	size_t (*badge)(void *view, struct pane_host *h);
};

enum pane_kind {
	PANE_TIMELINE,
	PANE_HEAP,
	PANE_PROF,
	PANE_EVENTS,
	PANE_STATS,
	PANE_OUTPUT,
	PANE_QUERY,
	PANE_MARKS,
	PANE_KINDS
};
enum { PANE_MESSAGE = 512 };

/* Uses of the prompt; each has a separate history. */
enum pane_prompt {
	ASK_TIME,
	ASK_LANES,
	ASK_COMMAND,
	ASK_EVENTS,
	ASK_NUMBER,
	ASK_SEARCH,
	ASK_HEAP,
	ASK_PROFILE,
	ASK_THREADS,
	ASK_ROWS,
	ASK_SQL,
	ASK_BOXES,
	ASK_USES
};

/* State shared by all panes. */
struct pane_host {
	struct evl_log *log;
	struct model model;
	enum theme theme;
	void (*wake)(void *); /* called from other threads when there is news */
	void *wake_ctx;
	bool wait_for_jobs; /* for tests: draw a frame only when all its data is known */
	int64_t now_ms;
	bool draw_again;  /* the frame lacks what takes long: draw another one at once */
	bool goes_on;     /* on_log_replaced: the log is a longer state of the former one */
	struct rest rest; /* of jobs on a growing log */
	int rows, cols;   /* size of the screen at the last frame */
	const struct pane_ops *kinds[PANE_KINDS];
	void *views[PANE_KINDS];      /* private state of each pane */
	enum pane_kind shown, before; /* before: the one that a key left for `shown` */
	bool split;                   /* timeline above events; `shown` is the one that gets the keys */
	bool went_in;                 /* the events were opened by pressing Enter twice on an item; q and u go back */
	uint8_t list; /* 1 + the pane from whose list Enter led to the timeline; 0: none, or another was chosen since */
	bool list_undone;             /* the list is in the list of undo */
	struct model_place went_from; /* the place of the timeline then, to which u returns */
	bool colours;                 /* the list of colours is to be opened */
	enum pane_kind colours_from;  /* pane in which it was asked for, to which closing it returns */
	int split_y;                  /* row between the two panes in the last frame; 0: one pane */
	size_t badges[PANE_KINDS];    /* numbers on the tabs, as last computed */
	/* Most severe finding of the whole run, owned by the Stats pane; NULL: none or unknown yet. */
	const struct finding *worst;
	size_t warnings;                 /* number of findings of the whole run that are warnings */
	const struct finding *finding;   /* finding that ]f last went to; NULL: none, or dropped by Esc or u */
	size_t finding_number, findings; /* number of `finding`, from 1; number of findings */
	uint64_t found_until;       /* if they are of an earlier state of a growing log: its end, ns; 0: they are not */
	uint64_t census_ns;         /* time (ns) of all pauses for heap censuses, as far as known */
	double queued;              /* stats_queued of the whole run, if that is told first; 0: not, or not known yet */
	const char *state;          /* stats_state of the whole run; "" or NULL: not known yet */
	double caps_busy;           /* METRIC_CONCURRENCY_BUSY of the whole run; NaN: not known yet */
	char message[PANE_MESSAGE]; /* message in the bottom row; "": none */
	bool warning;               /* message is a warning, which stays until a key is pressed */
	int64_t said_ms;            /* time of the message; others than warnings disappear after a while */
	const char *pending;        /* keys of an unfinished chord */
	struct prompt prompt;
	enum pane_prompt asks;              /* use of the open prompt */
	pane_answer *answer;                /* receives its text */
	char former[PROMPT_ROOM];           /* the text that the prompt was opened with, which Esc restores */
	struct table_view *filtered;        /* table whose filter is typed (table_view_ask) */
	const struct filter_fields *fields; /* fields that Tab completes at the prompt; NULL: none */
	struct history history[ASK_USES];
	char command[PROMPT_ROOM];     /* command to run after the next frame; "": none */
	struct hint_spots hints, tabs; /* clickable places in the last frame */
	struct jumper jumper;
	struct event_job *job; /* event list and search; NULL until needed */
	/* Time profiles. job: of `log`, which is held; NULL until needed. next: of resting.log, a longer state; it takes the place of
	 * `job` when it has answered the same questions; NULL: none. */
	struct pane_profile {
		struct prof_job *job, *next;
		struct evl_log *log;
		struct resting resting;
		uint64_t t0, t1, to; /* window and end of the range that was asked about last */
	} profiles[PROF_SOURCES];
	struct export_job *exporting;      /* running export; NULL: none */
	struct other_log *other;           /* log to compare with (:diff); NULL: none */
	struct other_log *other_before;    /* the one before, until `other` has been read; NULL: none */
	char search[PROMPT_ROOM];          /* search text; "": none */
	bool own_times;                    /* event list and timeline may show different times */
	bool search_last;                  /* n and N repeat the search, not a jump */
	bool not_found;                    /* the search has found nothing, which is said when all hits are counted */
	bool search_back;                  /* the last search went back in time */
	bool search_wraps;                 /* it has reached the end of the log, and goes on at its other end */
	bool search_quiet;                 /* Esc: the number of matches is not shown until the next search */
	event_rank_key place;              /* event of the last jump */
	bool placed;                       /* the event list has yet to go to `place` */
	struct child *child;               /* program run by evtui, and its output; NULL: none */
	struct following *following;       /* stream that the log comes from (follow.h) */
	struct name_files names_given;     /* files to take names from; without an executable, it is searched for */
	struct answer_job *names;          /* job that finds the executable (names.h); NULL: not running */
	struct answer_job *files;          /* job that lists a folder for Tab; NULL: not running */
	const struct evl_log *names_of;    /* log for which `names` was last started */
	struct source_view source;         /* source text next to tables of the Heap and Profile panes */
	const char *statement;             /* statement of the Query pane, as last run; NULL: none */
	const struct questions *questions; /* its prepared queries; NULL: none */
	const char *source_dir;            /* folder to search for sources first (--src); NULL: none */
	char live[80];                     /* state of a growing log, as shown; "": the log does not grow */
};

/* pane_shown: return the shown pane. pane_there: return whether a pane is available. pane_has_tab: return whether
 * the title shows its tab. */
const struct pane_ops *pane_shown(const struct pane_host *h);
bool pane_there(const struct pane_host *h, enum pane_kind kind);
bool pane_has_tab(const struct pane_host *h, enum pane_kind kind);

/* Return the finding that ]f went to, if the timeline shows its text; NULL: there is none, or the window has left its place,
 * or shows the whole run again, or the whole run was shown and the cursor has left the place. */
const struct finding *pane_finding(const struct pane_host *h);

/* Return the first thing that Esc closes, in an order that is the same in all panes: an unfinished range, something that lies
 * over the pane (is_over), the marks of a search, the text of a finding, the filter, the timeline over a list (is_from_list), the
 * range. The hint bar names it. */
enum pane_esc { ESC_NOTHING, ESC_BACK, ESC_SEARCH, ESC_FINDING, ESC_FILTER, ESC_LIST, ESC_RANGE };
enum pane_esc pane_esc(const struct pane_host *h);

/* Return whether something lies over the pane; whether the timeline was reached by Enter in a list of another pane. q goes back
 * from both. */
bool pane_is_over(const struct pane_host *h);
static inline bool is_from_list(const struct pane_host *h) { return h->list && h->shown == PANE_TIMELINE; }

/* pane_say: show a message in the bottom row. pane_refuse: show why something is not done; NULL: nothing. pane_ask: open
 * the prompt with a text; answer receives the input. */
void pane_say(struct pane_host *h, bool warning, const char *format, ...) EVL_PRINTF(3, 4);
void pane_refuse(struct pane_host *h, const char *why);
void pane_ask(struct pane_host *h, enum pane_prompt asks, const char *text, pane_answer *answer);

/* pane_ask_again: tell the user why the input is invalid, and keep it in the open prompt. pane_filter_again: the same, of a
 * filter. The former input applies again. */
void pane_ask_again(struct pane_host *h, const char *why);
void pane_filter_again(struct pane_host *h, const char *why);

/* Handle a key typed at the prompt. */
void pane_prompt_key(struct pane_host *h, const struct key *key);

/* Return the job of the event list, created when first needed; NULL if memory ran out. It starts working once the
 * log has been read. */
struct event_job *pane_job(struct pane_host *h);

/* pane_prof_job: return the job of a time profile, created when first needed; NULL if the log is still being read or has no
 * samples, or if memory ran out. pane_ask_axis: request its samples in the window, which rests while it follows a growing log: then
 * those of the last window are moved. pane_prof_as_of: return the end of the log that it is about if that has grown since; else 0. */
struct prof_job *pane_prof_job(struct pane_host *h, enum prof_source source);
void pane_ask_axis(struct pane_host *h, enum prof_source source);
uint64_t pane_prof_as_of(const struct pane_host *h, enum prof_source source);

/* Free the jobs of time profiles after the log was replaced, but those that go on. stays: these may. */
void pane_drop_profiles(struct pane_host *h, bool stays);

/* pane_compare: open another log for panes to compare with; path "": none. Return NULL, or the reason for refusing.
 * pane_settle_other: if that log could not be read, report why and go back to the one before; return whether it did.
 * pane_compares: return whether panes may still show a comparison with this log: it is the one, or the one before. */
const char *pane_compare(struct pane_host *h, const char *path);
bool pane_settle_other(struct pane_host *h);
bool pane_compares(const struct pane_host *h, const struct other_log *other);

/* Handle an action that moves the cursor, the window or the selected range along time; these keys mean the same in
 * every pane with a time axis. Return false for other actions. Problems are reported on the screen. */
bool window_keys(struct pane_host *h, enum action action);

#endif
