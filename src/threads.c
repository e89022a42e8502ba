#include "threads.h"

#include <stdlib.h>

enum { PAGE_ROWS = 1 << THREADS_PAGE_BITS, ROOM_PER_THREAD = 16, ROOM_AT_START = 1 << 20 };

int threads_init(struct threads *t)
{
	*t = (struct threads){0};
	pthread_mutex_init(&t->lock, NULL);
	rows_init(&t->labels, sizeof(struct thread_label));
	t->pages = calloc(THREADS_PAGES, sizeof *t->pages); /* 8 MB of which only what is used gets memory */
	return t->pages ? 0 : EVL_NOMEM;
}

void threads_free(struct threads *t)
{
	if (!t->pages)
		return;
	for (size_t i = 0; t->n_pages && i <= t->top_page; i++)
		free(atomic_load(&t->pages[i]));
	free(t->pages);
	rows_free(&t->labels);
	pthread_mutex_destroy(&t->lock);
	*t = (struct threads){0};
}

static struct thread_row *page_at(const struct threads *t, uint32_t page)
{
	return atomic_load_explicit(&t->pages[page], memory_order_acquire);
}

/* A page for these ids; NULL where all pages together would have room for far more than the threads seen. */
static struct thread_row *open_page(struct threads *t, uint32_t page)
{
	pthread_mutex_lock(&t->lock);
	struct thread_row *rows = page_at(t, page);
	bool room = (t->n_pages + 1) * PAGE_ROWS <= atomic_load(&t->seen) * ROOM_PER_THREAD + ROOM_AT_START;
	if (!rows && room && (rows = evl_noted(calloc(PAGE_ROWS, sizeof *rows)))) {
		t->n_pages++;
		t->top_page = page > t->top_page ? page : t->top_page;
		atomic_store_explicit(&t->pages[page], rows, memory_order_release);
	}
	pthread_mutex_unlock(&t->lock);
	return rows;
}

/* The row to write to, made if need be; NULL where there is no room for it. */
static struct thread_row *row_for(struct threads *t, uint32_t id)
{
	uint32_t page = id >> THREADS_PAGE_BITS;
	struct thread_row *rows = page_at(t, page);
	if (!rows && !(rows = open_page(t, page))) {
		atomic_fetch_add_explicit(&t->others, 1, memory_order_relaxed);
		return NULL;
	}
	return &rows[id & (PAGE_ROWS - 1)];
}

static void add_sum(struct threads *t, const struct thread_tally *sum)
{
	struct thread_row *row = sum->runs ? row_for(t, sum->thread) : NULL;
	if (!row)
		return;
	atomic_fetch_add_explicit(&row->run_ns, sum->ns, memory_order_relaxed);
	atomic_fetch_add_explicit(&row->runs, sum->runs, memory_order_relaxed);
}

static void add_run(struct threads *t, struct thread_cache *cache, const struct walk_note *note)
{
	struct thread_tally *sum = &cache->sums[note->thread % THREADS_CACHE];
	if (sum->thread != note->thread) {
		add_sum(t, sum);
		*sum = (struct thread_tally){.thread = note->thread};
	}
	sum->ns += note->ns;
	sum->runs++;
}

static void set_life(struct threads *t, const struct walk_note *note)
{
	struct thread_row *row = row_for(t, note->thread);
	if (row)
		atomic_store_explicit(note->what == NOTE_BORN ? &row->born : &row->died, note->t, memory_order_relaxed);
}

void threads_notes(struct threads *t, struct thread_cache *cache, const struct walk_note *notes, size_t n)
{
	uint64_t created = 0, finished = 0, ran = 0;
	for (size_t i = 0; i < n; i++) {
		if (notes[i].what == NOTE_RAN) {
			add_run(t, cache, &notes[i]);
			ran += notes[i].ns;
		} else if (notes[i].what != NOTE_LOST) {
			set_life(t, &notes[i]);
			created += notes[i].what == NOTE_BORN;
			finished += notes[i].what == NOTE_DIED;
		}
	}
	atomic_fetch_add_explicit(&t->created, created, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->seen, created, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->finished, finished, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->total_run_ns, ran, memory_order_relaxed);
}

void threads_flush(struct threads *t, struct thread_cache *cache)
{
	for (size_t i = 0; i < THREADS_CACHE; i++) {
		add_sum(t, &cache->sums[i]);
		cache->sums[i].ns = cache->sums[i].runs = 0;
	}
}

void threads_label(struct threads *t, const struct thread_label *label)
{
	struct thread_row *row = row_for(t, label->thread);
	uint32_t former = row ? atomic_load_explicit(&row->label, memory_order_relaxed) : 0;
	if (former && ((const struct thread_label *)rows_at(&t->labels, former - 1))->t > label->t)
		return;
	if (row && rows_add(&t->labels, label))
		atomic_store_explicit(&row->label, (uint32_t)rows_count(&t->labels), memory_order_release);
}

const struct thread_row *threads_find(const struct threads *t, uint32_t id)
{
	struct thread_row *rows = page_at(t, id >> THREADS_PAGE_BITS);
	return rows ? &rows[id & (PAGE_ROWS - 1)] : NULL;
}

static inline uint64_t load(const _Atomic uint64_t *v)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)v, memory_order_relaxed);
}

static inline uint32_t runs_of(const struct thread_row *row)
{
	return atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->runs, memory_order_relaxed);
}

static void each(const struct threads *t, bool all, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row),
	void *ctx)
{
	for (uint32_t page = 0; t->n_pages && page <= t->top_page; page++) {
		const struct thread_row *rows = threads_find(t, page << THREADS_PAGE_BITS);
		for (uint32_t i = 0; rows && i < PAGE_ROWS; i++)
			if (runs_of(&rows[i]) || (all && (load(&rows[i].born) || load(&rows[i].died))))
				visit(ctx, page << THREADS_PAGE_BITS | i, &rows[i]);
	}
}

void threads_each(const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx)
{
	each(t, false, visit, ctx);
}

void threads_all(const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx)
{
	each(t, true, visit, ctx);
}

uint64_t threads_label_at(const struct threads *t, uint32_t id)
{
	const struct thread_row *row = threads_find(t, id);
	uint32_t index = row ? atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->label, memory_order_acquire) : 0;
	return index ? ((const struct thread_label *)rows_at(&t->labels, index - 1))->off : 0;
}
