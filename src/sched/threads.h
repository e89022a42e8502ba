/* threads.h - table of all threads, one row each (struct thread_row, 32 bytes): run time, creation and end, label
 *
 * Thread ids are dense, so the rows are a paged array indexed by id. The number of pages is limited in proportion to
 * the number of threads created, so that large ids in a hostile log cannot exhaust the memory. For threads
 * without a page, only the number of reports is kept, in `others`. Several workers write at once, each in batches of 64 threads;
 * any thread may read. The table is complete when the log is indexed. Times are in ns. */
#ifndef EVL_THREADS_H
#define EVL_THREADS_H

#include "index/walk.h"

#include <pthread.h>

/* One thread. */
struct thread_row {
	_Atomic uint64_t run_ns;     /* sum of completed runs, RUN_THREAD to STOP_THREAD */
	_Atomic uint64_t born, died; /* times of the last creation and last end; 0: not in the log */
	_Atomic uint32_t runs;       /* number of completed runs */
	_Atomic uint32_t label;      /* place of its label event: (file offset >> label_shift) + 1; 0: no label */
};
_Static_assert(sizeof(struct thread_row) == 32, "32 bytes a thread");

/* Labels that GHC gives: "main" and "main thread"; "TimerManager…"; "IOManager…". TITLE_ROOT, whatever its label: a thread
 * that no other thread created. */
enum thread_title { TITLE_NONE, TITLE_MAIN, TITLE_TIMER, TITLE_IO, TITLE_ROOT };
enum thread_title thread_title_of(struct evl_str label);
struct thread_titled {
	uint32_t thread, title;
};

enum { THREADS_PAGE_BITS = 16, THREADS_PAGES = 1 << 16, THREADS_LOCKS = 64, THREADS_TITLED = 1 << 17 };

struct threads {
	const struct blocks *blocks;
	_Atomic(struct thread_row *) *pages;
	pthread_mutex_t lock;                /* guards the allocation of pages */
	pthread_mutex_t rows[THREADS_LOCKS]; /* guard the rows, by ranges of 64 ids */
	unsigned label_shift;                /* 0 in logs smaller than 4 GiB */
	size_t n_pages;                      /* number of allocated pages */
	_Atomic uint32_t top;                /* highest id of which anything is known */
	_Atomic uint64_t seen;               /* creations so far, which limit the pages */
	/* numbers of creations and ends; run time of all threads; reports about threads without a page */
	_Atomic uint64_t created, finished, total_run_ns, others;
	_Atomic size_t n_titled;      /* number of `titled`; more than THREADS_TITLED: some are not kept */
	struct thread_titled *titled; /* threads that had a title at some time, in any order, maybe more than once */
	uint64_t anomalies;           /* RUN_THREAD events during a run, STOP_THREAD events of another thread */
};

/* Return the label_shift for a log of this many bytes. */
static inline unsigned threads_label_shift(uint64_t log_bytes)
{
	unsigned shift = 0;
	while (log_bytes >> shift >= UINT32_MAX)
		shift++;
	return shift;
}

/* Initialize. blocks must outlive it. Return 0 or EVL_NOMEM. */
int threads_init(struct threads *t, const struct blocks *blocks) EVL_MUST_USE;
void threads_free(struct threads *t);

/* Cache of the totals of one worker that are not in the rows yet. It avoids most locking, because the same threads run
 * again and again, and threads created together have adjacent ids. A line holds 64 threads; it is flushed to the table
 * when its slot is needed for another line. Initialize with zeros. */
enum { THREADS_LINE = 64, THREADS_LINES = 128 };
struct thread_line {
	uint64_t used;  /* bit i: something is known of its thread i */
	uint32_t index; /* id / THREADS_LINE */
};
struct thread_cache {
	struct thread_line lines[THREADS_LINES];
	struct thread_tally {
		uint64_t ns, moments[2]; /* time of creation and of the end; 0: none */
		uint32_t runs, label;
	} sums[THREADS_LINES * THREADS_LINE]; /* line by line */
};

/* Report runs, or creations and ends, from a worker. threads_ran returns the length of all runs, including runs
 * whose stop event is lost. */
uint64_t threads_ran(struct threads *t, struct thread_cache *cache, const struct walk_run *runs, size_t n);
void threads_lived(struct threads *t, struct thread_cache *cache, const struct walk_life *lives, size_t n);

/* Flush the cache to the table. */
void threads_flush(struct threads *t, struct thread_cache *cache);

/* Report a label event, from a worker. */
void threads_label(struct threads *t, struct thread_cache *cache, const struct frame *f);

/* Return the row of a thread, or NULL if it has none. */
const struct thread_row *threads_find(const struct threads *t, uint32_t id);

/* Return the number of pages. */
uint32_t threads_pages(const struct threads *t);

/* Return the rows of a page, up to the last thread of which anything is known, and their number in *n; NULL if there
 * are none. */
const struct thread_row *threads_page(const struct threads *t, uint32_t page, uint32_t *n);

/* Call visit for each thread that was created, ran or ended in the log. */
void threads_all(
	const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx);

/* Return the thread with the lowest id above `after` that was created, ran or ended in the log; NULL if there is
 * none. */
const struct thread_row *threads_next(const struct threads *t, uint32_t after, uint32_t *id);

/* Return the file offset of the thread's latest label event; 0 if it has none, or, in a log of 4 GiB or more, if
 * that place is not in memory yet and is being fetched (blocks.fetch). */
uint64_t threads_label_at(const struct threads *t, uint32_t id);

/* Return the threads that had a title at some time, maybe more than once, and their number in *n; NULL if there were too
 * many, so that all labels have to be read. A thread may have another label later. The log must be indexed. */
const struct thread_titled *threads_titled(const struct threads *t, size_t *n);

/* Report whether the thread was created, ran or ended in the log. */
bool threads_seen(const struct threads *t, uint32_t id);

/* Save to, or load from, the index cache (image.h). */
void threads_image(struct image *im, struct threads *t, const struct blocks *blocks);

#endif
