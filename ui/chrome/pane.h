/* pane.h - interface of a pane (struct pane_ops) and the state shared by all panes (struct pane_host): messages,
 * prompts, jobs.
 *
 * A pane is a const struct of functions, one line in the registry (ui/app/panes.c) and its private state. It draws
 * the whole screen and handles a key first; keys that it does not handle mean the same in every pane (panes_act). */
#ifndef EVTUI_PANE_H
#define EVTUI_PANE_H

#include "chrome/history.h"
#include "chrome/prompt.h"
#include "chrome/screen_rows.h"
#include "chrome/source_view.h"
#include "index/event_rank.h"
#include "query/exe_match.h"
#include "state/jump.h"

struct pane_host;
struct event_job;
struct export_job;
struct other_log;
struct prof_job;
struct answer_job;
struct child;
struct filter_fields;
struct table_kind;

struct pane_ops {
	const char *name;    /* on its tab */
	const char *brief;   /* the same where there is little room; NULL: the first four letters */
	enum action key;     /* shows it; the tab has the letter of the key */
	const char *exports; /* what e offers: a format, and its table; NULL: an eventlog */
	/* Or what it offers now, of which range [*from, *to); all of the log: UINT64_MAX. NULL: `exports` of what is seen. */
	const char *(*offers)(const void *view, const struct pane_host *h, uint64_t *from, uint64_t *to);
	enum keymap_pane pane;                      /* whose keys are hinted at, and come first in the help */
	bool (*there)(const struct pane_host *h);   /* is there such a pane now? NULL: always */
	bool (*has_tab)(const struct pane_host *h); /* and is it in the title? NULL: always */
	void *(*open)(struct pane_host *h);         /* NULL: out of memory */
	void (*close)(void *view);
	void (*draw)(void *view, struct pane_host *h, struct canvas *c);
	/* Return false if the action has no special meaning here. */
	bool (*act)(void *view, struct pane_host *h, enum action action);
	/* A left click in row y, column x, where no hint and no tab is; twice: the second of two. NULL: nothing. */
	void (*click)(void *view, struct pane_host *h, int y, int x, bool twice);
	/* Draw what y copies on a canvas of any width; NULL: the moment at the cursor is copied (copy.h). */
	void (*copy)(void *view, struct pane_host *h, struct canvas *c);
	/* h->log has been replaced, usually by a longer version: drop everything that belongs to the former, which
	 * is still open. NULL: the pane is closed and opened again. */
	void (*on_log_replaced)(void *view, struct pane_host *h);
	/* Report whether there is anything new to draw; report whether a job is running. */
	bool (*news)(void *view);
	bool (*busy)(const void *view);
	/* Esc and q: close an overlay, prompt or table of the pane. Return false if none is open. May be NULL. */
	bool (*leave)(void *view, struct pane_host *h);
	/* The kind of the table that is open, whose columns the help explains; NULL: none is. May be NULL. */
	const struct table_kind *(*table)(const void *view);
	/* Is the key of a hint of use now? NULL: all are. */
	bool (*acts)(const void *view, const struct pane_host *h, enum action action);
	/* Ctrl-C: cancel running jobs. Return false if there were none. NULL: the pane has no jobs. */
	bool (*stop)(void *view);
	/* How many things in the pane want to be looked at: a number on its tab. NULL: none. */
	size_t (*badge)(void *view, struct pane_host *h);
};

enum pane_kind { PANE_TIMELINE, PANE_HEAP, PANE_PROF, PANE_EVENTS, PANE_STATS, PANE_OUTPUT, PANE_QUERY, PANE_KINDS };
enum { PANE_MESSAGE = 256 };

/* Kinds of prompt; each has a separate history. */
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

/* Take the text of a prompt: while it is edited, and at its end. */
typedef void pane_answer(struct pane_host *h, const char *text, enum prompt_result result);

struct pane_host {
	struct evl_log *log;
	struct model model;
	enum theme theme;
	void (*wake)(void *); /* called from other threads when there is news */
	void *wake_ctx;
	bool wait_for_jobs; /* frames wait until all that they show is known, for tests */
	int64_t now_ms;
	int rows, cols; /* of the screen, as last drawn */
	const struct pane_ops *kinds[PANE_KINDS];
	void *views[PANE_KINDS]; /* the state of each */
	enum pane_kind shown;
	bool split;                      /* timeline above events; of these, `shown` is the one that keys work on */
	bool went_in;                    /* the events are those of what Enter was pressed on twice; u goes back */
	int split_y;                     /* in the last frame: the row between them; 0: there is one pane */
	size_t badges[PANE_KINDS];       /* on the tabs, as last asked for */
	const struct finding *worst;     /* of the whole run; NULL: none, or not known yet. Of the pane of figures */
	bool warned;                     /* there are graver findings than notes */
	const struct finding *finding;   /* that ]f went to last; NULL: none, or Esc or u dropped it; */
	size_t finding_number, findings; /* its number, and how many there are */
	uint64_t census_ns;              /* GC time of the whole run that heap censuses asked for, as far as is known */
	char message[PANE_MESSAGE];      /* "" for none */
	bool warning;                    /* it stays until a key is pressed; */
	int64_t said_ms;                 /* others until some time after this */
	const char *pending;             /* keys of a chord that has begun */
	struct prompt prompt;
	enum pane_prompt asks;
	pane_answer *answer;
	const struct filter_fields *fields; /* what Tab completes at the prompt; NULL: nothing */
	struct history history[ASK_USES];
	char command[PROMPT_ROOM];     /* was entered, and is run after the next frame; "": none */
	struct hint_spots hints, tabs; /* in the last frame */
	struct jumper jumper;
	struct event_job *job;               /* the list of events and the search; NULL until it is needed */
	struct prof_job *prof[PROF_SOURCES]; /* time profiles; NULL until they are needed */
	struct export_job *exporting;        /* NULL: nothing is being written */
	struct other_log *other;             /* compared with this one (:diff); NULL: none is */
	char search[PROMPT_ROOM];            /* "" for none */
	bool own_times;                      /* list and timeline are not kept at the same time */
	bool search_last;                    /* n and N go on with the search, not with a jump */
	event_rank_key place;                /* the event of the last jump */
	bool placed;                         /* the list of events has not moved there yet */
	struct child *child;                 /* the program that is run, with what it prints; NULL: none is */
	struct following *following;         /* the stream that the log comes from (follow.h) */
	struct name_files names_given;       /* no program: it is looked for */
	struct answer_job *names;            /* searches for them (names.h); NULL: not running */
	struct answer_job *files;            /* lists a directory for Tab; NULL: not running */
	const struct evl_log *names_of;      /* the log that it was asked for last */
	struct source_view source;           /* next to the tables of the heap and the profile */
	const char *statement;               /* of the Query pane, as last asked; NULL: none was */
	const char *source_dir;              /* where sources are looked for first; NULL: --src was not given */
	char live[80];                       /* how it stands with a log that grows; "" for one that does not */
};

const struct pane_ops *pane_shown(const struct pane_host *h);
bool pane_there(const struct pane_host *h, enum pane_kind kind);
bool pane_has_tab(const struct pane_host *h, enum pane_kind kind);

void pane_say(struct pane_host *h, bool warning, const char *format, ...) EVL_PRINTF(3, 4);
void pane_ask(struct pane_host *h, enum pane_prompt asks, const char *text, pane_answer *answer);

/* The input is invalid: report why, and keep the prompt open with it. */
void pane_ask_again(struct pane_host *h, const char *why);

/* A key at the prompt: what it does there, and the answer. */
void pane_prompt_key(struct pane_host *h, const struct key *key);

/* The job, which begins with what it is asked for when the log has been read; NULL when memory is out. */
struct event_job *pane_job(struct pane_host *h);

/* A time profile's job; NULL while the log is being read, where nothing was sampled, and when memory is out. */
struct prof_job *pane_prof_job(struct pane_host *h, enum prof_source source);

/* Open the log that panes compare with, in place of the one before; "": none. NULL, or why that cannot be. */
const char *pane_compare(struct pane_host *h, const char *path);

/* Keys that move the cursor, the window and the range along time: the same in every pane that has a
 * picture over time. */

/* Perform the action if it is one of these. Problems are reported on the screen. */
bool window_keys(struct pane_host *h, enum action action);

#endif
