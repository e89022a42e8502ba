/* facts.h - what can be counted in one pass over all events: how many of each kind, heap profiles, sparks, phases.
 *
 * Fed by the walk, block by block. Counters are arrays indexed by tag, capability or id, which take memory only where
 * they are touched: no event costs a search. Per-thread and per-GC figures are those of threads.h and gc.h. */
#ifndef EVL_FACTS_H
#define EVL_FACTS_H

#include "index/walk.h"

enum { SPARK_COUNTERS = 7 };

/* A counter for each number of 16 bits; those from `end` on are 0. */
struct facts_counts {
	uint64_t *n;
	uint32_t end;
};

static inline void facts_add(struct facts_counts *c, uint16_t number, uint64_t times)
{
	c->n[number] += times;
	if (times && number >= c->end)
		c->end = number + 1u;
}

/* When events of a kind began and ended to come; first > last: never. */
struct facts_span {
	uint64_t first, last;
};
enum facts_text { FACTS_USER_MSG, FACTS_USER_MARKER, FACTS_USER_BINARY, FACTS_LOG_MSG, FACTS_TEXTS };

/* Heap profile samples: a sample is what stands between its begin and its end, or the next begin. */
struct facts_sample {
	uint64_t t, bytes, entries, index;
};
struct facts_samples {
	uint64_t count, entries;
	struct facts_sample open, largest; /* the first of the largest */
	bool is_open;
};

/* A phase of the nonmoving collector: a begin opens it unless it is open, an end closes it. The threaded RTS posts both
 * twice, so plain pairs would count wrongly. */
struct facts_phase {
	uint64_t intervals, ns, since;
	bool open;
};
enum facts_nonmoving { FACTS_MARK, FACTS_SYNC, FACTS_SWEEP, FACTS_PHASES };

/* What a chain's capability said last of its sparks, in the order of the payload. */
struct facts_sparks {
	uint64_t counters[SPARK_COUNTERS];
	bool seen;
};

struct facts {
	struct facts_counts tags;        /* events by tag, whether they can be read or not */
	struct facts_counts generations; /* GC_STATS_GHC by generation */
	struct facts_counts statuses;    /* STOP_THREAD by status */
	uint64_t *in_chain;    /* events by chain, without block markers */
	struct facts_sparks *sparks; /* by chain */
	struct facts_samples heap;
	struct facts_span texts[FACTS_TEXTS];
	struct facts_phase phases[FACTS_PHASES];
};

int facts_init(struct facts *f, const struct blocks *blocks) EVL_MUST_USE;
void facts_free(struct facts *f);

enum { FACTS_GENERATIONS = 16 }; /* older ones are counted with the last */

/* What a part of a chain adds; its order within the part matters, that of the parts only for an open sample. */
struct facts_share {
	struct facts_samples heap;
	struct facts_span texts[FACTS_TEXTS];
	struct facts_sparks sparks;
	uint64_t generations[FACTS_GENERATIONS];
};
void facts_open(struct facts_share *s);

/* When an event with this tag is to be handed on. */
enum walk_when facts_when(uint16_t tag);

/* Take what an event says that is handed on at once; and one that is handed on when its part is joined. */
void facts_now(struct facts_share *s, const struct frame *e);
void facts_later(struct facts *f, const struct frame *e);

/* Add what the next part of a chain counted. */
void facts_join(struct facts *f, uint32_t chain, const struct facts_share *s, const struct part *part);

#endif
