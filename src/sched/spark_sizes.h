/* spark_sizes.h - how long sparks took to evaluate, as a histogram, from single-spark events (-lf)
 *
 * A spark starts with the SPARK_RUN or SPARK_STEAL event of the thread that evaluates it; it ends with the next such
 * event of that thread, or when the thread ends. Its size is the time that the thread ran in between, on one
 * capability. Sparks of threads that moved to another capability, and those open at the end of the log, are counted as
 * open. The computation reads the whole log of each capability once. */
#ifndef EVL_SPARK_SIZES_H
#define EVL_SPARK_SIZES_H

#include "index/cursor.h"
#include "sys/progress.h"

/* Upper bounds of the classes in ns, exclusive; the last class has none. */
enum { SPARK_SIZE_CLASSES = 7 };
extern const uint64_t spark_size_bounds[SPARK_SIZE_CLASSES - 1];

struct spark_sizes {
	uint64_t n, total_ns, longest, longest_at; /* number, sum, largest (ns), and when the largest started */
	uint64_t open;                             /* sparks with unknown end */
	/* number of sparks and their total time, by class */
	uint64_t classes[SPARK_SIZE_CLASSES], class_ns[SPARK_SIZE_CLASSES];
	uint64_t median; /* ns */
};

/* Compute the sizes of the sparks that start in [from, to). A spark that ends later counts with its full size.
 * chains: indices into b->chains. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int spark_sizes_make(struct spark_sizes *s, const struct blocks *b, const uint32_t *chains, size_t n_chains,
	uint64_t from, uint64_t to, const struct progress *watch) EVL_MUST_USE;

#endif
