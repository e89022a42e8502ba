/* event_search.h - count the events that pass the filter and match the search, and find the next match, on all cores
 *
 * Work is divided into tiles (event_rank.h). Batches of tiles are shared among worker threads, each with its own
 * copy of filter and pattern, and their results are combined. May wait for the disk. Called by the thread of
 * event_job.h and by tests. */
#ifndef EVTUI_EVENT_SEARCH_H
#define EVTUI_EVENT_SEARCH_H

#include "jobs/event_page.h"

/* --- workers --- */

struct event_crew;

/* Create n workers. The log and its order must outlive them. Return NULL if memory ran out. */
struct event_crew *event_crew_new(const struct evl_log *log, const struct event_rank *order, int n);
void event_crew_free(struct event_crew *crew);

/* Use the filter, the pattern and the `brief` flag of this scan from now on. They must stay valid while in use. */
void event_crew_use(struct event_crew *crew, const struct event_scan *scan);

/* --- counting --- */

enum { COUNT_TICKS = 1024 };

/* A count in progress. */
struct event_count {
	uint64_t passed, hits; /* events that pass the filter; those of them that match the search */
	uint64_t looked;       /* bytes examined so far */
	uint32_t chain;        /* where to continue: index into blocks.chains, and tile */
	size_t tile;
	bool over;                   /* everything is counted */
	uint64_t first, last;        /* the run, which is cut into COUNT_TICKS parts */
	uint64_t outside;            /* matches with a time outside of it */
	uint64_t ticks[COUNT_TICKS]; /* matches in each part */
};
/* Start counting. */
void event_count_begin(struct event_count *c, const struct evl_log *log);

/* Continue counting for some milliseconds, or until *stop is true. Sets c->over at the end. */
void event_count_more(struct event_count *c, struct event_crew *crew, const atomic_bool *stop);

/* --- finding --- */

/* A search in progress. */
struct event_find {
	event_rank_key at, width; /* position to continue from, forward or backward; size of the next stretch */
	event_rank_key end;       /* exclusive end of the search */
	bool forward;
};

/* Start a search forward from after `at`, or backward from before it. */
void event_find_begin(struct event_find *f, const struct evl_log *log, const struct event_rank *order,
	event_rank_key at, bool forward);

/* Search the next stretch, or until *stop is true (NULL: never). counted: a complete count, used to skip parts
 * without matches; NULL: none. Return 1 if *hit was found; 0 if not yet, call again; -1 if there is no match or
 * memory ran out. */
int event_find_more(struct event_find *f, struct event_crew *crew, const struct event_count *counted,
	const atomic_bool *stop, event_rank_key *hit);

/* --- number of a match among all matches --- */

/* A position with a known number of matches up to it. */
struct event_rank_known {
	event_rank_key at;
	uint64_t hits;
};

/* A numbering in progress. */
struct event_place {
	struct event_rank_known from; /* known position where counting starts */
	event_rank_key hit;           /* the match to number */
	struct event_find find;
	uint64_t between; /* matches counted so far */
};

/* Start numbering a match, by counting the matches between it and the nearest known position. known[n]: candidates;
 * all zeros means the start of the log, with no matches before. counted: a complete count, whose parts are
 * candidates, too; NULL: none. */
void event_place_begin(struct event_place *p, const struct event_rank_known *known, size_t n,
	const struct event_count *counted, const struct evl_log *log, const struct event_rank *order,
	event_rank_key hit);

/* Continue for some milliseconds, or until *stop is true. Return 1 with *out the number of matches up to and
 * including this one; 0 if not done, call again; -1 if memory ran out. */
int event_place_more(struct event_place *p, struct event_crew *crew, const atomic_bool *stop, uint64_t *out);

#endif
