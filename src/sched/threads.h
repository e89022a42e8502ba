/* threads.h - table of all threads, one row each (struct thread_row, 32 bytes): run time, creation and end, label.
 *
 * Thread ids are dense, so rows are in a paged array indexed by id. A page is allocated only while all pages
 * together have room for not much more than the threads seen; ids beyond that (a hostile log) are counted in
 * `others`. Several workers write at once, each its batch for 64 threads at a time; any thread reads. Complete when
 * the walk is over. */
#ifndef EVL_THREADS_H
#define EVL_THREADS_H

#include "index/walk.h"

#include <pthread.h>

struct thread_row {
	_Atomic uint64_t run_ns;     /* closed RUN … STOP intervals */
	_Atomic uint64_t born, died; /* the last CREATE_THREAD and last STOP; 0: not seen */
	_Atomic uint32_t runs;       /* closed intervals */
	_Atomic uint32_t label;      /* about where its label event is: file offset >> label_shift, + 1; 0: none */
};
_Static_assert(sizeof(struct thread_row) == 32, "32 bytes a thread");

enum { THREADS_PAGE_BITS = 16, THREADS_PAGES = 1 << 16, THREADS_LOCKS = 64 };

struct threads {
	const struct blocks *blocks;
	_Atomic(struct thread_row *) *pages;
	pthread_mutex_t lock;                /* of opening pages */
	pthread_mutex_t rows[THREADS_LOCKS]; /* of adding to rows: by stretches of 64 ids */
	unsigned label_shift;                /* 0 in logs of less than 4 GiB */
	size_t n_pages;                      /* opened */
	_Atomic uint32_t top;                /* the highest id that something is known of */
	_Atomic uint64_t seen;               /* threads whose creation was seen */
	_Atomic uint64_t created, finished, total_run_ns, others;
	uint64_t anomalies; /* a RUN in a run, a STOP of another thread */
};

int threads_init(struct threads *t, const struct blocks *blocks) EVL_MUST_USE;
void threads_free(struct threads *t);

/* Totals that a worker has not added to the rows yet: living threads run often, and threads created together have
 * adjacent ids. A line holds 64 of them; the next that needs its place flushes it to the table. Starts as zeros. */
enum { THREADS_LINE = 64, THREADS_LINES = 64 };
struct thread_line {
	uint64_t used;  /* of its threads: those that something is known of */
	uint32_t index; /* id / THREADS_LINE */
};
struct thread_cache {
	struct thread_line lines[THREADS_LINES];
	struct thread_tally {
		uint64_t ns, moments[2]; /* born, died */
		uint32_t runs, label;
	} sums[THREADS_LINES * THREADS_LINE]; /* line after line */
};

/* Report events of threads, from a worker. threads_ran returns the length of all runs, lost ones too. */
uint64_t threads_ran(struct threads *t, struct thread_cache *cache, const struct walk_run *runs, size_t n);
void threads_lived(struct threads *t, struct thread_cache *cache, const struct walk_life *lives, size_t n);

/* Add what is left in the cache. */
void threads_flush(struct threads *t, struct thread_cache *cache);

/* A label event, from a worker. */
void threads_label(struct threads *t, struct thread_cache *cache, const struct frame *f);

/* The row, or NULL where the thread was not seen. */
const struct thread_row *threads_find(const struct threads *t, uint32_t id);

/* The number of pages, and the rows of one up to the last that something is known of; NULL: there are none. */
uint32_t threads_pages(const struct threads *t);
const struct thread_row *threads_page(const struct threads *t, uint32_t page, uint32_t *n);

/* The same for every thread that was seen to be created, to run or to end. */
void threads_all(
	const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx);

/* Return the thread with the lowest id above `after` that was seen to be created, to run or to end; NULL: there are no
 * more. */
const struct thread_row *threads_next(const struct threads *t, uint32_t after, uint32_t *id);

/* File offset of the thread's label event, the latest if there are more; 0: none, or, in a log of 4 GiB or more, that its
 * place had to be looked into and is being fetched (blocks.fetch). */
uint64_t threads_label_at(const struct threads *t, uint32_t id);

/* To or from a file (image.h). */
void threads_image(struct image *im, struct threads *t, const struct blocks *blocks);

#endif
