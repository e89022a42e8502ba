/* event_search.h - count the events that pass filter and search, and find the next one, on all cores.
 *
 * Both sweep over tiles (event_rank.h): a batch is shared out among workers, each with its copy of filter and
 * pattern, and their results are combined. Waits for the disk: for the thread of event_job.h, and tests. */
#ifndef EVTUI_EVENT_SEARCH_H
#define EVTUI_EVENT_SEARCH_H

#include "jobs/event_page.h"

/* --- the crew --- */

struct event_crew;

/* n: how many; NULL when memory is out. Log and order outlive it. */
struct event_crew *event_crew_new(const struct evl_log *log, const struct event_rank *order, int n);
void event_crew_free(struct event_crew *crew);

/* From now on filter and pattern of this scan count, which outlive their use, and whether it is brief. */
void event_crew_use(struct event_crew *crew, const struct event_scan *scan);

/* --- counting --- */

enum { COUNT_TICKS = 1024 };

struct event_count {
	uint64_t passed, hits;
	uint64_t looked; /* bytes of chains */
	uint32_t chain;  /* where it goes on */
	size_t tile;
	bool over;
	uint64_t first, last;        /* the run, cut into COUNT_TICKS parts */
	uint64_t outside;            /* hits whose time lies outside of it */
	uint64_t ticks[COUNT_TICKS]; /* hits in each part */
};
void event_count_begin(struct event_count *c, const struct evl_log *log);

/* Count on for some milliseconds, or until *stop is set; `over` is set at the end. */
void event_count_more(struct event_count *c, struct event_crew *crew, const atomic_bool *stop);

/* --- finding --- */

struct event_find {
	event_rank_key at, width; /* from here on, or back from here; so far at once */
	event_rank_key end;       /* not from here on */
	bool forward;
};

/* From after the place on, or back from it. */
void event_find_begin(struct event_find *f, const struct evl_log *log, const struct event_rank *order,
	event_rank_key at, bool forward);

/* Look through the next stretch, or until *stop is set (NULL: never). counted: where there are hits, if all is counted,
 * else NULL. 1: *hit is found; 0: not there, go on; -1: nowhere, or memory is out. */
int event_find_more(struct event_find *f, struct event_crew *crew, const struct event_count *counted,
	const atomic_bool *stop, event_rank_key *hit);

/* --- the place of a hit among all of them --- */

/* Some place, and the number of hits up to it. */
struct event_rank_known {
	event_rank_key at;
	uint64_t hits;
};

struct event_place {
	struct event_rank_known from; /* it is counted from there, on or back, */
	event_rank_key hit;           /* to the hit */
	struct event_find find;
	uint64_t between;
};

/* Count the hits between what is known and a hit; of the known places, whose first may be zeros (no hits before the log's
 * begin), and of the parts of a count that is over (else NULL) the nearest is taken. */
void event_place_begin(struct event_place *p, const struct event_rank_known *known, size_t n,
	const struct event_count *counted, const struct evl_log *log, const struct event_rank *order,
	event_rank_key hit);

/* Count on for some milliseconds, or until *stop is set. 1: *out is the number of hits up to the hit, that one included; 0: go
 * on; -1: memory is out. */
int event_place_more(struct event_place *p, struct event_crew *crew, const atomic_bool *stop, uint64_t *out);

#endif
