/* spark_sizes.h - how long sparks took to evaluate, from their single events (-lf), as a histogram.
 *
 * A spark starts with SPARK_RUN or SPARK_STEAL of the thread that evaluates it and ends with that thread's next one, or with the
 * thread. Its size is the time that the thread ran meanwhile, on one capability: sparks of threads that moved to another, and
 * those still open at the end of the log, are counted apart. Reads the whole log of every capability once. */
#ifndef EVL_SPARK_SIZES_H
#define EVL_SPARK_SIZES_H

#include "index/cursor.h"
#include "sys/progress.h"

/* Sizes below each of these ns; the last class has no bound. */
enum { SPARK_SIZE_CLASSES = 7 };
extern const uint64_t spark_size_bounds[SPARK_SIZE_CLASSES - 1];

struct spark_sizes {
	uint64_t n, total_ns, longest, longest_at; /* longest_at: when it started */
	uint64_t open;                             /* sparks whose end is not known */
	uint64_t classes[SPARK_SIZE_CLASSES], class_ns[SPARK_SIZE_CLASSES];
	uint64_t median;
};

/* Of sparks that start in [from, to), whole. chains: indices into blocks->chains. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int spark_sizes_make(struct spark_sizes *s, const struct blocks *b, const uint32_t *chains, size_t n_chains,
	uint64_t from, uint64_t to, const struct progress *watch) EVL_MUST_USE;

#endif
