/* event_counts.h - event counts by type, thread, capability and profile, gathered in one pass over all events.
 *
 * The events are counted while the log is indexed. The counters are arrays indexed by tag, capability or id; only the
 * pages of an array that are used take memory, and no event costs a search. Metrics per thread and per collection are
 * in threads.h and gc.h. */
#ifndef EVL_EVENT_COUNTS_H
#define EVL_EVENT_COUNTS_H

#include "index/walk.h"

enum { SPARK_COUNTERS = 7 };

/* A counter for each 16-bit number (tag, generation or status); counters from `end` on are 0. */
struct event_counts_counts {
	uint64_t *n;
	uint32_t end;
};

/* Add `times` to the counter of a number. */
static inline void event_counts_add(struct event_counts_counts *c, uint16_t number, uint64_t times)
{
	c->n[number] += times;
	if (times && number >= c->end)
		c->end = number + 1u;
}

/* Times of the first and the last event of a kind in ns; first > last if there was none. */
struct event_counts_span {
	uint64_t first, last;
};
enum event_counts_text { FACTS_USER_MSG, FACTS_USER_MARKER, FACTS_USER_BINARY, FACTS_LOG_MSG, FACTS_TEXTS };

/* A heap-profile sample: time in ns, sum of bytes, number of entries, and number of the sample from 0. A sample extends
 * from HEAP_PROF_SAMPLE_BEGIN to HEAP_PROF_SAMPLE_END or to the next HEAP_PROF_SAMPLE_BEGIN. */
struct event_counts_sample {
	uint64_t t, bytes, entries, index;
};
struct event_counts_samples {
	uint64_t count, entries;
	struct event_counts_sample open, largest; /* largest: the first one if several are equal */
	bool is_open;
};

/* A phase of the nonmoving collector: a BEGIN event starts it unless it is open, an END event ends it. The threaded
 * run-time system posts both twice, so BEGIN events must not be counted. */
struct event_counts_phase {
	uint64_t intervals, ns, since; /* number of phases, their total ns, start of the open one */
	bool open;
};
enum event_counts_nonmoving { FACTS_MARK, FACTS_SYNC, FACTS_SWEEP, FACTS_PHASES };

/* The last spark counters of a chain's capability, in the order of the payload. (A chain is all blocks of one
 * capability.) */
struct event_counts_sparks {
	uint64_t counters[SPARK_COUNTERS];
	bool seen;
};

struct event_counts {
	struct event_counts_counts tags;        /* events by tag, readable or not */
	struct event_counts_counts generations; /* GC_STATS_GHC by generation */
	struct event_counts_counts statuses;    /* STOP_THREAD by status */
	uint64_t *in_chain;                     /* events by chain, not counting block markers */
	struct event_counts_sparks *sparks;     /* by chain */
	struct event_counts_samples heap;
	struct event_counts_span texts[FACTS_TEXTS];
	struct event_counts_phase phases[FACTS_PHASES];
};

/* Allocate all counters. Return 0 or EVL_NOMEM. */
int event_counts_init(struct event_counts *f, const struct blocks *blocks) EVL_MUST_USE;
void event_counts_free(struct event_counts *f);

enum { FACTS_GENERATIONS = 1024 }; /* higher generations are counted with the last */

/* The counts of one part of a chain. Process the events of a part in order; parts may be joined in any order, except
 * that a heap-profile sample left open needs the next part. */
struct event_counts_partial {
	struct event_counts_samples heap;
	struct event_counts_span texts[FACTS_TEXTS];
	const uint8_t *sparks; /* payload of the last SPARK_COUNTERS; NULL: none */
	size_t n_generations;  /* highest generation that was collected, plus 1 */
	uint64_t generations[FACTS_GENERATIONS];
};
void event_counts_open(struct event_counts_partial *s); /* initialises a zeroed struct */

/* Report whether events with this tag are counted while their part is read (takes, event_counts_now) or when it is
 * joined (wants_later, event_counts_later). */
bool event_counts_takes(uint16_t tag);
bool event_counts_wants_later(uint16_t tag);

/* Count an event of a part, or an event of a part that is being joined. */
void event_counts_now(struct event_counts_partial *s, const struct frame *e);
void event_counts_later(struct event_counts *f, const struct frame *e);

/* Add the counts of the next part of a chain. */
void event_counts_join(
	struct event_counts *f, uint32_t chain, const struct event_counts_partial *s, const struct part *part);

/* Save or load all counts (image.h). */
void event_counts_image(struct image *im, struct event_counts *f, const struct blocks *blocks);

#endif
