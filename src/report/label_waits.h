/* label_waits.h - what the threads of one label did, summed: run, runnable, blocked, in foreign calls.
 *
 * Filled thread by thread from thread_waits_run. Threads without a label are left out; past LABELS_MOST labels the threads of
 * further ones are counted. */
#ifndef EVL_LABEL_WAITS_H
#define EVL_LABEL_WAITS_H

#include "query/thread_waits.h"

#include <uthash.h>

enum { LABELS_MOST = 1024 };

struct label_waits {
	UT_hash_handle hh;      /* key: the label, borrowed from the log */
	uint64_t n;             /* threads */
	struct thread_waits is; /* sums; of longest_… the largest */
};

struct labels_waits {
	const struct evl_log *log;
	struct label_waits *by_label; /* in the order of first occurrence */
	size_t n;
	uint64_t others; /* threads of labels past the ceiling */
	bool failed;     /* memory was out: the sums are not whole */
};

/* ctx: a struct labels_waits whose log is set. */
void label_waits_add(void *ctx, const struct thread_waits *t);
void label_waits_free(struct labels_waits *l);

#endif
