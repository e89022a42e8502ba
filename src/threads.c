#include "threads.h"

#include <stdlib.h>

enum { PAGE_ROWS = 1 << THREADS_PAGE_BITS, ROOM_PER_THREAD = 16, ROOM_AT_START = 1 << 20 };
enum { STATUS_AT = 4, FINISHED = 5 }; /* in STOP_THREAD */

int threads_init(struct threads *t, const struct blocks *blocks)
{
	*t = (struct threads){0};
	rows_init(&t->labels, sizeof(struct thread_label));
	t->pages = calloc(THREADS_PAGES, sizeof *t->pages); /* 8 MB of which only what is used gets memory */
	t->running = calloc(blocks->n_chains ? blocks->n_chains : 1, sizeof *t->running);
	return t->pages && t->running ? 0 : EVL_NOMEM;
}

void threads_free(struct threads *t)
{
	for (size_t i = 0; t->pages && t->n_pages && i < THREADS_PAGES; i++)
		free(atomic_load(&t->pages[i]));
	free(t->pages);
	free(t->running);
	rows_free(&t->labels);
	*t = (struct threads){0};
}

static struct thread_row *open_page(struct threads *t, uint32_t page)
{
	if ((t->n_pages + 1) * PAGE_ROWS > t->seen * ROOM_PER_THREAD + ROOM_AT_START)
		return NULL;
	struct thread_row *rows = calloc(PAGE_ROWS, sizeof *rows);
	if (!rows)
		return NULL;
	t->n_pages++;
	atomic_store_explicit(&t->pages[page], rows, memory_order_release);
	return rows;
}

/* The row to write to, made if need be; NULL where there is no room for it. */
static struct thread_row *row_for(struct threads *t, uint32_t id)
{
	uint32_t page = id >> THREADS_PAGE_BITS;
	struct thread_row *rows = atomic_load_explicit(&t->pages[page], memory_order_relaxed);
	if (!rows && !(rows = open_page(t, page))) {
		t->others++;
		return NULL;
	}
	return &rows[id & (PAGE_ROWS - 1)];
}

static void create(struct threads *t, const struct frame *f)
{
	struct thread_row *row = row_for(t, be32(f->payload.p));
	t->created++;
	if (row && !row->born) {
		row->born = f->t;
		t->seen++;
	}
}

static void run(struct threads *t, uint32_t chain, const struct frame *f)
{
	struct thread_run *r = &t->running[chain];
	t->anomalies += r->open;
	*r = (struct thread_run){.thread = be32(f->payload.p), .since = f->t, .open = true};
}

static void add_run(struct threads *t, uint32_t id, uint64_t ns)
{
	t->total_run_ns += ns;
	struct thread_row *row = row_for(t, id);
	if (!row)
		return;
	atomic_fetch_add_explicit(&row->run_ns, ns, memory_order_relaxed);
	atomic_fetch_add_explicit(&row->runs, 1, memory_order_relaxed);
}

static void stop(struct threads *t, uint32_t chain, const struct frame *f)
{
	struct thread_run *r = &t->running[chain];
	uint32_t id = be32(f->payload.p);
	if (r->open && r->thread == id)
		add_run(t, id, sub_or_0(f->t, r->since));
	else
		t->anomalies++;
	r->open = false;
	if (be16(f->payload.p + STATUS_AT) != FINISHED)
		return;
	t->finished++;
	struct thread_row *row = row_for(t, id);
	if (row)
		row->died = f->t;
}

static void label(struct threads *t, const struct frame *f)
{
	struct thread_label l = {.off = f->off, .thread = be32(f->payload.p)};
	struct thread_row *row = row_for(t, l.thread);
	if (row && rows_add(&t->labels, &l))
		atomic_store_explicit(&row->label, (uint32_t)rows_count(&t->labels), memory_order_release);
}

void threads_event(struct threads *t, uint32_t chain, const struct frame *f)
{
	switch (f->tag) {
	case EVL_CREATE_THREAD: create(t, f); break;
	case EVL_RUN_THREAD: run(t, chain, f); break;
	case EVL_STOP_THREAD: stop(t, chain, f); break;
	case EVL_THREAD_LABEL: label(t, f); break;
	default: break;
	}
}

const struct thread_row *threads_find(const struct threads *t, uint32_t id)
{
	struct thread_row *rows = atomic_load_explicit(&t->pages[id >> THREADS_PAGE_BITS], memory_order_acquire);
	return rows ? &rows[id & (PAGE_ROWS - 1)] : NULL;
}

uint64_t threads_label_at(const struct threads *t, uint32_t id)
{
	const struct thread_row *row = threads_find(t, id);
	uint32_t index = row ? atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->label, memory_order_acquire) : 0;
	return index ? ((const struct thread_label *)rows_at(&t->labels, index - 1))->off : 0;
}
