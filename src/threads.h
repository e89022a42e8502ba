/* threads.h - one row of 32 bytes for every thread: its run time, its life, its label.
 *
 * Thread ids are dense, so rows lie in a paged array indexed by id. A page is opened only while all pages together have
 * room for not much more than the threads seen; ids beyond that (a hostile log) are counted in `others`. Several workers
 * write at once, any thread reads; totals are complete when the walk is over. */
#ifndef EVL_THREADS_H
#define EVL_THREADS_H

#include "rows.h"
#include "walk.h"

#include <pthread.h>

struct thread_row {
	_Atomic uint64_t run_ns;     /* closed RUN … STOP intervals */
	_Atomic uint64_t born, died; /* CREATE_THREAD and its last STOP; 0: not seen */
	_Atomic uint32_t runs;       /* closed intervals */
	_Atomic uint32_t label;      /* index + 1 into labels; 0: none */
};

struct thread_label { /* a THREAD_LABEL event */
	uint64_t off, t;
	uint32_t thread;
};

enum { THREADS_PAGE_BITS = 12, THREADS_PAGES = 1 << 20 };

struct threads {
	_Atomic(struct thread_row *) *pages;
	pthread_mutex_t lock;  /* of opening pages */
	struct rows labels;    /* struct thread_label, in the order of the walk */
	size_t n_pages;        /* opened */
	uint32_t top_page;     /* the highest one */
	_Atomic uint64_t seen; /* threads whose creation was seen */
	_Atomic uint64_t created, finished, total_run_ns, others;
	uint64_t anomalies;    /* a RUN in a run, a STOP of another thread */
};

int threads_init(struct threads *t) EVL_MUST_USE;
void threads_free(struct threads *t);

/* Runs that a worker has not added to the rows of their threads yet: threads that live run often, and a row is shared by
 * all workers. Zeroed at the begin. */
enum { THREADS_CACHE = 4096 };
struct thread_cache {
	struct thread_tally {
		uint64_t ns;
		uint32_t thread, runs;
	} sums[THREADS_CACHE];
};

/* What happened to threads, from a worker. */
void threads_notes(struct threads *t, struct thread_cache *cache, const struct walk_note *notes, size_t n);

/* Add what is left in the cache. */
void threads_flush(struct threads *t, struct thread_cache *cache);

/* A label event. From one thread at a time; labels may come in another order than they were given. */
void threads_label(struct threads *t, const struct thread_label *label);

/* The row, or NULL where the thread was not seen. */
const struct thread_row *threads_find(const struct threads *t, uint32_t id);

/* Call visit for every thread that was seen to run, in order of their ids. Only when the walk is over. */
void threads_each(const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx);

/* The same for every thread that was seen to be created, to run or to end. */
void threads_all(const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx);

/* File offset of the thread's label event, the latest if there are more; 0: none. */
uint64_t threads_label_at(const struct threads *t, uint32_t id);

#endif
