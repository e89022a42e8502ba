/* busy_streams.h - runs and pauses of all capabilities in a range, in order of their starts, read from the log again */
#ifndef EVL_BUSY_STREAMS_H
#define EVL_BUSY_STREAMS_H

#include "gc/gc.h"
#include "sched/caps.h"

/* RUNS: of threads; GCS: from GC_START to GC_END; PAUSES: from the request to GC_END. */
enum busy_kinds { BUSY_RUNS = 1, BUSY_GCS = 2, BUSY_PAUSES = 4 };

struct busy_stream {
	const struct rows *gcs; /* NULL: the runs of a chain */
	size_t i;
	bool requests;
	struct cap_runs runs;
	uint64_t from, to;
};

struct busy_streams {
	struct busy_stream *items;
	struct busy_stream **heap; /* n streams, as a heap by time */
	size_t n;
	uint64_t t0, t1;
	bool missing; /* some of the log is not in memory (cursor.h) */
};

/* Begin with intervals of these kinds (a sum of enum busy_kinds) that overlap [t0, t1). Return 0 or EVL_NOMEM; call
 * busy_streams_free in any case. */
int busy_streams_begin(struct busy_streams *s, const struct blocks *b, const struct tile_table *tiles,
	const struct gcs *g, int kinds, uint64_t t0, uint64_t t1) EVL_MUST_USE;
void busy_streams_free(struct busy_streams *s);

/* Get the next interval, cut to the range. Return false at the end. */
bool busy_streams_next(struct busy_streams *s, uint64_t *from, uint64_t *to);

#endif
