/* prof_window.h - one scan of the profile samples of a time range: totals by stack, and counts by stack, capability and
 * column for curves.
 *
 * At most MAX_PROF_COUNTS counts are kept; further samples are in the totals and in `more`. */
#ifndef EVL_PROF_WINDOW_H
#define EVL_PROF_WINDOW_H

#include "prof/prof_names.h"
#include "prof/prof_samples.h"

enum { MAX_PROF_COUNTS = 1 << 19, PROF_ALL_CAPS = -1, PROF_NO_NODE = UINT32_MAX, PROF_PARTS = 4096 };

struct prof_window {
	uint64_t from, to; /* time range [from, to) in ns */
	int cols;
	uint32_t n_nodes;
	struct prof_count *counts; /* sorted by capability, column and stack; each combination once */
	size_t n, room;
	uint64_t more;  /* samples that are in no count */
	uint64_t *self; /* by node of the stacks: samples of the chosen capability, or of all */
	uint64_t total; /* sum of self, including cost centres of the run-time system */
	uint16_t *caps; /* numbers of the capabilities with samples */
	size_t n_caps;
};

/* Scan [from, to), divided into `cols` equal columns. cap is the capability for `self`, or PROF_ALL_CAPS. cancel may be
 * NULL. Return 0, or EVL_CANCELLED or EVL_NOMEM with *w empty. The log must be indexed; may wait for the disk. */
int prof_window_make(struct prof_window *w, const struct prof *p, const struct blocks *b, uint64_t from, uint64_t to,
	int cols, int cap, const atomic_bool *cancel) EVL_MUST_USE;
void prof_window_free(struct prof_window *w);

/* Set to 0 the samples in self[n_nodes] whose innermost centre belongs to the run-time system. Return the sum of the
 * others. */
uint64_t prof_hide_rts(const struct prof_names *names, uint64_t *self, uint32_t n_nodes);

/* Store in nodes[cols] the heaviest stack of each column of a capability: at each step inwards, the frame with the most
 * samples; PROF_NO_NODE if the column has no samples. Return 0 or EVL_NOMEM. */
int prof_window_heaviest(
	const struct prof_window *w, const struct stacks *stacks, uint16_t cap, uint32_t *nodes) EVL_MUST_USE;

/* Store in out[cols] the samples per column whose stack contains a centre (`name`), for one capability or
 * PROF_ALL_CAPS. Return 0 or EVL_NOMEM. */
int prof_window_series(const struct prof_window *w, const struct stacks *stacks, const struct prof_names *names,
	uint32_t name, int cap, uint64_t *out) EVL_MUST_USE;

/* Report whether profiling was off during all of [from, to]: ticks are missing. */
bool prof_was_off(const struct prof *p, uint64_t from, uint64_t to);

#endif
