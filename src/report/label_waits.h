/* label_waits.h - sums over the threads of one label: time running, runnable, blocked and in foreign calls
 *
 * label_waits_add is a callback of thread_waits_run. Threads without a label are left out. At most LABELS_MOST
 * labels are kept; the threads of further labels are only counted. */
#ifndef EVL_LABEL_WAITS_H
#define EVL_LABEL_WAITS_H

#include "query/thread_waits.h"

#include <uthash.h>

enum { LABELS_MOST = 1024 };

/* Sums over the threads of one label. */
struct label_waits {
	UT_hash_handle hh;      /* key: the label, borrowed from the log */
	uint64_t n;             /* number of threads */
	struct thread_waits is; /* sums over the threads; for each longest_… member, the largest */
};

/* The sums of all labels. */
struct labels_waits {
	struct label_waits *by_label; /* hash table, in the order of first occurrence */
	size_t n;
	uint64_t others; /* number of threads of labels that are not kept */
	bool failed;     /* memory ran out: the sums are incomplete */
};

/* Add one thread. ctx: a struct labels_waits. */
void label_waits_add(void *ctx, const struct thread_waits *t);
void label_waits_free(struct labels_waits *l);

#endif
