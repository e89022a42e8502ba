/* idle.h - find the next or previous period in which all capabilities are idle, and the longest one of a capability
 *
 * The capabilities take turns: each moves the search to its own next long idle period, until all agree. Tiles (8 KB
 * of log each) in which no long enough period can end are not decoded. After decoding IDLE_BUDGET tiles the search
 * returns, so that the caller can pause or cancel it. */
#ifndef EVL_IDLE_H
#define EVL_IDLE_H

#include "gc/gc.h"
#include "index/cursor.h"
#include "sched/cap_life.h"
#include "sys/progress.h"

enum { IDLE_BUDGET = 4096 }; /* in tiles: 32 MB of events */

enum idle_result {
	IDLE_FOUND,
	IDLE_NONE, /* there is none in the indexed part */
	/* Budget spent: there is none up to out->from (forward) or from out->to on (backward). Call again from
	 * there. */
	IDLE_RESTED,
};

struct idle_gap {
	uint64_t from, to;
};

/* Find the first period of at least `least` ns (> 0) that starts after t. lanes: the chains of the capabilities,
 * indices into b->chains. */
enum idle_result idle_after(const struct blocks *b, const struct tile_table *tiles, const uint32_t *lanes,
	size_t n_lanes, uint64_t t, uint64_t least, struct idle_gap *out);

/* Find the last period of at least `least` ns that starts before t; it may end after t. */
enum idle_result idle_before(const struct blocks *b, const struct tile_table *tiles, const uint32_t *lanes,
	size_t n_lanes, uint64_t t, uint64_t least, struct idle_gap *out);

/* Find the longest interval of [from, to), the first of equals, in which the capability of a chain (an index into
 * b->chains) is idle: it runs no thread and takes part in no collection (caps.h), no pause is in progress, and it exists and is
 * not disabled. It may last to the end of the log, but not past the first event that is lost. out->from == out->to: there
 * is none. The log must be indexed. May wait for the disk; watch may be NULL. Return 0 or EVL_CANCELLED. */
int idle_longest(struct idle_gap *out, const struct blocks *b, const struct tile_table *tiles, const struct gcs *gcs,
	const struct cap_life *life, uint32_t chain, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

#endif
