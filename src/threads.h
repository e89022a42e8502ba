/* threads.h - one row of 32 bytes for every thread: its run time, its life, its label.
 *
 * Thread ids are dense, so rows lie in a paged array indexed by id. A page is opened only while all pages together have
 * room for not much more than the threads seen; ids beyond that (a hostile log) are counted in `others`. The walk
 * writes, any thread reads; totals are complete when the walk is over. */
#ifndef EVL_THREADS_H
#define EVL_THREADS_H

#include "blocks.h"
#include "rows.h"

struct thread_row {
	_Atomic uint64_t run_ns; /* closed RUN … STOP intervals */
	uint64_t born, died;     /* CREATE_THREAD and its last STOP; 0: not seen */
	_Atomic uint32_t runs;   /* closed intervals */
	_Atomic uint32_t label;  /* index + 1 into labels; 0: none */
};

struct thread_label { /* a THREAD_LABEL event */
	uint64_t off;
	uint32_t thread;
};

enum { THREADS_PAGE_BITS = 12, THREADS_PAGES = 1 << 20 };

/* What runs on a chain's capability right now, by RUN and STOP alone. */
struct thread_run {
	uint64_t since;
	uint32_t thread;
	bool open;
};

struct threads {
	_Atomic(struct thread_row *) *pages;
	struct thread_run *running; /* one a chain */
	struct rows labels;         /* struct thread_label, in the order of the walk */
	size_t n_pages, seen;       /* pages opened; rows in use */
	uint64_t created, finished, total_run_ns, anomalies, others;
};

int threads_init(struct threads *t, const struct blocks *blocks) EVL_MUST_USE;
void threads_free(struct threads *t);

/* Feed an event of a chain, in file order. */
void threads_event(struct threads *t, uint32_t chain, const struct frame *f);

/* The row, or NULL where the thread was not seen. */
const struct thread_row *threads_find(const struct threads *t, uint32_t id);

/* File offset of the thread's last label event; 0: none. */
uint64_t threads_label_at(const struct threads *t, uint32_t id);

#endif
