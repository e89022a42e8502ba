/* prof_window.h - profile samples of a range scanned once: totals by stack, and counts by stack, capability and
 * column for curves.
 *
 * At most MAX_PROF_COUNTS counts of columns are kept; samples beyond are still in the totals and are counted in
 * `more`. */
#ifndef EVL_PROF_WINDOW_H
#define EVL_PROF_WINDOW_H

#include "prof/prof_names.h"
#include "prof/prof_samples.h"

enum { MAX_PROF_COUNTS = 1 << 19, PROF_ALL_CAPS = -1, PROF_NO_NODE = UINT32_MAX, PROF_PARTS = 4096 };

struct prof_window {
	uint64_t from, to;
	int cols;
	uint32_t n_nodes;
	struct prof_count *counts; /* sorted by capability, column, stack; each once */
	size_t n, room;
	uint64_t more;  /* samples that are in no count */
	uint64_t *self; /* by node: samples of the chosen capability, or of all */
	uint64_t total; /* their sum, RTS centres too */
	uint16_t *caps; /* capabilities with samples */
	size_t n_caps;
};

/* Scan. cap: the one that `self` sums, or PROF_ALL_CAPS. 0, EVL_CANCELLED or EVL_NOMEM; then it holds nothing. The
 * walk must be over; it may wait for the disk. */
int prof_window_make(struct prof_window *w, const struct prof *p, const struct blocks *b, uint64_t from, uint64_t to,
	int cols, int cap, const atomic_bool *cancel) EVL_MUST_USE;
void prof_window_free(struct prof_window *w);

/* No more samples whose innermost centre is the run-time system's: the sum of those that stay. */
uint64_t prof_hide_rts(const struct prof_names *names, uint64_t *self, uint32_t n_nodes);

/* The heaviest stack of each column of a capability: at each step inwards the frame with most samples. into nodes[cols],
 * PROF_NO_NODE where there is no sample. */
int prof_window_heaviest(
	const struct prof_window *w, const struct stacks *stacks, uint16_t cap, uint32_t *nodes) EVL_MUST_USE;

/* Samples whose stack holds a centre, by column, of one capability or PROF_ALL_CAPS, into out[cols]. */
int prof_window_series(const struct prof_window *w, const struct stacks *stacks, const struct prof_names *names,
	uint32_t name, int cap, uint64_t *out) EVL_MUST_USE;

/* Was profiling off (ticks are missing) all through a time? */
bool prof_was_off(const struct prof *p, uint64_t from, uint64_t to);

#endif
