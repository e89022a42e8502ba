/* event_counts.h - event counts by type, thread, capability and profile, gathered in one pass over all events.
 *
 * Fed by the walk, block by block. Counters are arrays indexed by tag, capability or id, which take memory only
 * where they are touched: no event costs a search. Per-thread and per-GC figures are those of threads.h and gc.h. */
#ifndef EVL_EVENT_COUNTS_H
#define EVL_EVENT_COUNTS_H

#include "index/walk.h"

enum { SPARK_COUNTERS = 7 };

/* A counter for each number of 16 bits; those from `end` on are 0. */
struct event_counts_counts {
	uint64_t *n;
	uint32_t end;
};

static inline void event_counts_add(struct event_counts_counts *c, uint16_t number, uint64_t times)
{
	c->n[number] += times;
	if (times && number >= c->end)
		c->end = number + 1u;
}

/* Times of the first and last event of a kind; first > last: there was none. */
struct event_counts_span {
	uint64_t first, last;
};
enum event_counts_text { FACTS_USER_MSG, FACTS_USER_MARKER, FACTS_USER_BINARY, FACTS_LOG_MSG, FACTS_TEXTS };

/* Heap profile samples: a sample spans the events between its begin event and its end event, or the next begin. */
struct event_counts_sample {
	uint64_t t, bytes, entries, index;
};
struct event_counts_samples {
	uint64_t count, entries;
	struct event_counts_sample open, largest; /* the first of the largest */
	bool is_open;
};

/* A phase of the nonmoving collector: a begin event opens it unless it is open, an end event closes it. The threaded
 * RTS posts both twice, so plain pairs would count wrongly. */
struct event_counts_phase {
	uint64_t intervals, ns, since;
	bool open;
};
enum event_counts_nonmoving { FACTS_MARK, FACTS_SYNC, FACTS_SWEEP, FACTS_PHASES };

/* Last spark counters of a chain's capability, in the order of the payload. */
struct event_counts_sparks {
	uint64_t counters[SPARK_COUNTERS];
	bool seen;
};

struct event_counts {
	struct event_counts_counts tags;        /* events by tag, whether they can be read or not */
	struct event_counts_counts generations; /* GC_STATS_GHC by generation */
	struct event_counts_counts statuses;    /* STOP_THREAD by status */
	uint64_t *in_chain;                     /* events by chain, without block markers */
	struct event_counts_sparks *sparks;     /* by chain */
	struct event_counts_samples heap;
	struct event_counts_span texts[FACTS_TEXTS];
	struct event_counts_phase phases[FACTS_PHASES];
};

int event_counts_init(struct event_counts *f, const struct blocks *blocks) EVL_MUST_USE;
void event_counts_free(struct event_counts *f);

enum { FACTS_GENERATIONS = 1024 }; /* older ones are counted with the last */

/* Contribution of one part of a chain; its order within the part matters, that of the parts only for an open sample. */
struct event_counts_partial {
	struct event_counts_samples heap;
	struct event_counts_span texts[FACTS_TEXTS];
	const uint8_t *sparks; /* payload of the last SPARK_COUNTERS */
	size_t n_generations;  /* of which some were collected */
	uint64_t generations[FACTS_GENERATIONS];
};
void event_counts_open(struct event_counts_partial *s); /* of zeros */

/* Are events with this tag passed on at once (takes), or when their part is joined (wants_later)? */
bool event_counts_takes(uint16_t tag);
bool event_counts_wants_later(uint16_t tag);

/* Take what an event says that is handed on at once; and one that is handed on when its part is joined. */
void event_counts_now(struct event_counts_partial *s, const struct frame *e);
void event_counts_later(struct event_counts *f, const struct frame *e);

/* Add what the next part of a chain counted. */
void event_counts_join(
	struct event_counts *f, uint32_t chain, const struct event_counts_partial *s, const struct part *part);

/* To or from a file (image.h). */
void event_counts_image(struct image *im, struct event_counts *f, const struct blocks *blocks);

#endif
