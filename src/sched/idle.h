/* idle.h - find the next or previous period in which all capabilities are idle, and the longest one of a capability
 *
 * All are idle while none runs a thread and no pause is in progress, as in the idle time of a run (run_stats.h). The table
 * of gaps (busy_gaps.h) tells in which piece of the log the period is; only if that holds several of that length is it
 * read. */
#ifndef EVL_IDLE_H
#define EVL_IDLE_H

#include "gc/gc.h"
#include "index/cursor.h"
#include "sched/busy_union.h"
#include "sched/cap_life.h"
#include "sys/progress.h"

enum idle_result {
	IDLE_FOUND,
	IDLE_NONE,    /* there is none in the indexed part */
	IDLE_MISSING, /* the bytes that tell are not in memory; they are being read */
};

struct idle_gap {
	uint64_t from, to;
};

/* Find the first period of at least `least` ns (> 0) that starts after t or, unless `forward`, the last that starts before
 * t, even if it ends after t. The time before the first run or pause of the log is not idle. */
enum idle_result idle_near(const struct blocks *b, const struct tile_table *tiles, const struct gcs *gcs,
	const struct busy *busy, uint64_t t, uint64_t least, bool forward, struct idle_gap *out);

/* Find the longest interval of [from, to), the first of equals, in which the capability of a chain (an index into
 * b->chains) is idle: it runs no thread and takes part in no collection (caps.h), no pause is in progress, and it exists and is
 * not disabled. It may last to the end of the log, but not past the first event that is lost. out->from == out->to: there
 * is none. The log must be indexed. May wait for the disk; watch may be NULL. Return 0 or EVL_CANCELLED. */
int idle_longest(struct idle_gap *out, const struct blocks *b, const struct tile_table *tiles, const struct gcs *gcs,
	const struct cap_life *life, uint32_t chain, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

#endif
