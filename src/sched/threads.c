#include "sched/threads.h"

#include "bytes/prefetch.h"
#include "sys/huge_alloc.h"

#include <assert.h>
#include <stdlib.h>

enum {
	PAGE_ROWS = 1 << THREADS_PAGE_BITS,
	PAGE_BYTES = PAGE_ROWS * sizeof(struct thread_row),
	ROOM_PER_THREAD = 16,
	ROOM_AT_START = 1 << 20
};

int threads_init(struct threads *t, const struct blocks *blocks)
{
	*t = (struct threads){.blocks = blocks};
	pthread_mutex_init(&t->lock, NULL);
	for (int i = 0; i < THREADS_LOCKS; i++)
		pthread_mutex_init(&t->rows[i], NULL);
	t->label_shift = threads_label_shift(blocks->len);
	t->pages = calloc(THREADS_PAGES, sizeof *t->pages); /* of which only what is used gets memory */
	return t->pages ? 0 : EVL_NOMEM;
}

void threads_free(struct threads *t)
{
	if (!t->blocks)
		return;
	for (uint32_t i = 0; i < threads_pages(t); i++)
		huge_alloc_free(atomic_load(&t->pages[i]), PAGE_BYTES);
	free_all(t->pages, t->titled);
	for (int i = 0; i < THREADS_LOCKS; i++)
		pthread_mutex_destroy(&t->rows[i]);
	pthread_mutex_destroy(&t->lock);
	*t = (struct threads){0};
}

static struct thread_row *page_at(const struct threads *t, uint32_t page) { return load_acquire(&t->pages[page]); }

static void raise_top(struct threads *t, uint32_t id)
{
	uint32_t top = load_relaxed(&t->top);
	while (id > top && !atomic_compare_exchange_weak(&t->top, &top, id))
		continue;
}

/* A page for these ids; NULL where all pages together would have room for far more than the threads seen. Where at least
 * half of the rows of several pages are threads that were seen, the next will be filled as well. */
static struct thread_row *open_page(struct threads *t, uint32_t page)
{
	enum { SEVERAL = 4 };
	pthread_mutex_lock(&t->lock);
	struct thread_row *rows = page_at(t, page);
	uint64_t seen = atomic_load(&t->seen), room = seen * ROOM_PER_THREAD + ROOM_AT_START;
	bool dense = !rows && t->n_pages >= SEVERAL && seen >= t->n_pages * PAGE_ROWS / 2;
	if (!rows && (t->n_pages + 1) * PAGE_ROWS <= room && (rows = huge_alloc_new(PAGE_BYTES))) {
		if (dense) /* before another worker writes to it, or it would consist of small pages */
			huge_alloc_fill(rows, PAGE_BYTES);
		t->n_pages++;
		raise_top(t, page << THREADS_PAGE_BITS);
		store_release(&t->pages[page], rows);
	}
	pthread_mutex_unlock(&t->lock);
	return rows;
}

/* The row to write to, made if need be; NULL where there is no room for it. */
static struct thread_row *row_for(struct threads *t, uint32_t id)
{
	uint32_t page = id >> THREADS_PAGE_BITS;
	struct thread_row *rows = page_at(t, page);
	if (!rows)
		rows = open_page(t, page);
	return rows ? &rows[id & (PAGE_ROWS - 1)] : NULL;
}

/* --- labels ---------------------------------------------------------------------------------------------------------- */

/* Find the label event that a row's `label` refers to. In a log of 4 GiB or more `label` is not the exact offset:
 * then it is the first label of that thread among the few bytes there. */
static bool read_label(const struct threads *t, uint32_t label, uint32_t id, struct frame *f)
{
	const struct blocks *b = t->blocks;
	uint64_t from = (uint64_t)(label - 1) << t->label_shift,
		 until = min_u64(from + (1ull << t->label_shift), b->len);
	for (uint64_t off = from; off < until; off++)
		if (frame_read(b->header, b->data, off, b->len, f) == FRAME_OK && f->tag == EVL_THREAD_LABEL
			&& event_readable(b->header, f) && be32(f->payload.p) == id)
			return true;
	return false;
}

/* Return the later of two labels of a thread, one of which may be none. */
static uint32_t later_label(const struct threads *t, uint32_t id, uint32_t a, uint32_t b)
{
	struct frame x, y;
	if (!a || !read_label(t, a, id, &x))
		return b;
	if (!b || !read_label(t, b, id, &y))
		return a;
	return x.t > y.t || (x.t == y.t && x.off > y.off) ? a : b;
}

/* --- adding ---------------------------------------------------------------------------------------------------------- */

/* Only who holds the lock of the row writes: so nothing needs to be atomic but the loads and stores themselves. */
static inline void add(_Atomic uint64_t *v, uint64_t by) { store_relaxed(v, load_relaxed(v) + by); }

static inline void raise(_Atomic uint64_t *v, uint64_t to)
{
	if (to > load_relaxed(v))
		store_relaxed(v, to);
}

/* Most threads are known to one worker only, which flushes them once: their rows are blank. */
static inline bool is_blank(const struct thread_row *row)
{
	return !(load_relaxed(&row->run_ns) | load_relaxed(&row->born) | load_relaxed(&row->died)
		| load_relaxed(&row->runs) | load_relaxed(&row->label));
}

static void add_tally(struct threads *t, struct thread_row *row, uint32_t id, const struct thread_tally *sum)
{
	if (likely(is_blank(row))) {
		store_relaxed(&row->run_ns, sum->ns);
		store_relaxed(&row->born, sum->moments[0]);
		store_relaxed(&row->died, sum->moments[1]);
		store_relaxed(&row->runs, sum->runs);
		store_relaxed(&row->label, sum->label);
		return;
	}
	add(&row->run_ns, sum->ns);
	raise(&row->born, sum->moments[0]);
	raise(&row->died, sum->moments[1]);
	store_relaxed(&row->runs, load_relaxed(&row->runs) + sum->runs);
	if (sum->label)
		store_relaxed(&row->label, later_label(t, id, load_relaxed(&row->label), sum->label));
}

/* Memory that is read before it is written is first mapped to a shared page of zeros and soon after to a private
 * one: twice the work for the kernel. So the first change writes without reading. */
static void touch(struct thread_row *row, struct thread_tally *sum)
{
	atomic_fetch_add_explicit(&row->run_ns, sum->ns, memory_order_relaxed);
	sum->ns = 0;
}

/* Add the totals of a line's threads to their rows. */
static void flush_line(struct threads *t, struct thread_cache *cache, size_t at)
{
	struct thread_line *line = &cache->lines[at];
	struct thread_tally *sums = &cache->sums[at * THREADS_LINE];
	pthread_mutex_t *lock = &t->rows[line->index % THREADS_LOCKS];
	uint32_t first = line->index * THREADS_LINE;
	struct thread_row *rows = line->used ? row_for(t, first) : NULL;
	if (rows) {
		raise_top(t, first + 63 - (uint32_t)__builtin_clzll(line->used));
		pthread_mutex_lock(lock);
		touch(&rows[__builtin_ctzll(line->used)], &sums[__builtin_ctzll(line->used)]);
	} else {
		atomic_fetch_add_explicit(&t->others, (uint64_t)__builtin_popcountll(line->used), memory_order_relaxed);
	}
	for (uint64_t left = line->used; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctzll(left);
		if (rows)
			add_tally(t, &rows[i], first + i, &sums[i]);
		sums[i] = (struct thread_tally){0};
	}
	if (rows)
		pthread_mutex_unlock(lock);
	line->used = 0;
}

static __attribute__((noinline)) void change_line(struct threads *t, struct thread_cache *cache, uint32_t index)
{
	flush_line(t, cache, index % THREADS_LINES);
	cache->lines[index % THREADS_LINES].index = index;
}

static inline struct thread_tally *tally_of(struct threads *t, struct thread_cache *cache, uint32_t thread)
{
	uint32_t index = thread / THREADS_LINE;
	struct thread_line *line = &cache->lines[index % THREADS_LINES];
	if (unlikely(line->index != index))
		change_line(t, cache, index);
	line->used |= 1ull << thread % THREADS_LINE;
	return &cache->sums[thread % (THREADS_LINES * THREADS_LINE)];
}

uint64_t threads_ran(struct threads *t, struct thread_cache *cache, const struct walk_run *runs, size_t n)
{
	uint64_t all = 0, lost = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t ns = runs[i].to - runs[i].from;
		all += ns;
		if (unlikely(runs[i].lost)) {
			lost += ns;
			continue;
		}
		struct thread_tally *sum = tally_of(t, cache, runs[i].thread);
		sum->ns += ns;
		sum->runs++;
	}
	atomic_fetch_add_explicit(&t->total_run_ns, all - lost, memory_order_relaxed);
	return all;
}

static void note_title(struct threads *t, uint32_t id, enum thread_title title)
{
	pthread_mutex_lock(&t->lock);
	if (!t->titled)
		t->titled = malloc(THREADS_TITLED * sizeof *t->titled);
	size_t n = t->titled ? atomic_load(&t->n_titled) : THREADS_TITLED;
	if (n < THREADS_TITLED)
		t->titled[n++] = (struct thread_titled){id, title};
	else
		n = THREADS_TITLED + 1;
	atomic_store(&t->n_titled, n);
	pthread_mutex_unlock(&t->lock);
}

void threads_lived(struct threads *t, struct thread_cache *cache, const struct walk_life *lives, size_t n)
{
	uint64_t finished = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t *moment = &tally_of(t, cache, lives[i].thread)->moments[lives[i].died];
		*moment = max_u64(*moment, lives[i].t);
		finished += lives[i].died;
		if (lives[i].root)
			note_title(t, lives[i].thread, TITLE_ROOT);
	}
	atomic_fetch_add_explicit(&t->created, n - finished, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->seen, n - finished, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->finished, finished, memory_order_relaxed);
}

enum thread_title thread_title_of(struct evl_str label)
{
	if (str_is(label, "main") || str_is(label, "main thread"))
		return TITLE_MAIN;
	if (str_begins(label, "TimerManager"))
		return TITLE_TIMER;
	return str_begins(label, "IOManager") ? TITLE_IO : TITLE_NONE;
}

void threads_label(struct threads *t, struct thread_cache *cache, const struct frame *f)
{
	uint32_t id = be32(f->payload.p), label = (uint32_t)(f->off >> t->label_shift) + 1;
	struct thread_tally *sum = tally_of(t, cache, id);
	sum->label = sum->label ? later_label(t, id, sum->label, label) : label;
	enum thread_title title =
		thread_title_of((struct evl_str){f->payload.p + sizeof id, f->payload.len - sizeof id});
	if (title != TITLE_NONE)
		note_title(t, id, title);
}

const struct thread_titled *threads_titled(const struct threads *t, size_t *n)
{
	static const struct thread_titled none;
	*n = atomic_load(&t->n_titled);
	return *n > THREADS_TITLED ? NULL : *n ? t->titled : &none;
}

void threads_flush(struct threads *t, struct thread_cache *cache)
{
	for (size_t i = 0; i < THREADS_LINES; i++)
		flush_line(t, cache, i);
}

uint64_t threads_label_at(const struct threads *t, uint32_t id)
{
	const struct thread_row *row = threads_find(t, id);
	uint32_t label = row ? load_relaxed(&row->label) : 0;
	uint64_t from = (uint64_t)(label - (label > 0)) << t->label_shift;
	struct frame f;
	if (!label || t->label_shift == 0)
		return from;
	if (t->blocks->fetch
		&& !prefetch_ready(t->blocks->fetch, from, (1ull << t->label_shift) + FRAME_VARIABLE + sizeof id))
		return 0;
	return read_label(t, label, id, &f) ? f.off : 0;
}

/* --- reading --------------------------------------------------------------------------------------------------------- */

const struct thread_row *threads_find(const struct threads *t, uint32_t id)
{
	struct thread_row *rows = page_at(t, id >> THREADS_PAGE_BITS);
	return rows ? &rows[id & (PAGE_ROWS - 1)] : NULL;
}

uint32_t threads_pages(const struct threads *t)
{
	return t->n_pages ? (load_relaxed(&t->top) >> THREADS_PAGE_BITS) + 1 : 0;
}

const struct thread_row *threads_page(const struct threads *t, uint32_t page, uint32_t *n)
{
	uint32_t top = load_relaxed(&t->top);
	*n = page == top >> THREADS_PAGE_BITS ? (top & (PAGE_ROWS - 1)) + 1 : PAGE_ROWS;
	return page_at(t, page);
}

static bool is_seen(const struct thread_row *row)
{
	return load_relaxed(&row->runs) || load_relaxed(&row->born) || load_relaxed(&row->died);
}

bool threads_seen(const struct threads *t, uint32_t id)
{
	const struct thread_row *row = threads_find(t, id);
	return row && is_seen(row);
}

const struct thread_row *threads_next(const struct threads *t, uint32_t after, uint32_t *id)
{
	uint64_t at = (uint64_t)after + 1, top = load_relaxed(&t->top);
	while (at <= top) {
		const struct thread_row *row = threads_find(t, (uint32_t)at);
		if (row && is_seen(row)) {
			*id = (uint32_t)at;
			return row;
		}
		at = row ? at + 1 : (at | (PAGE_ROWS - 1)) + 1;
	}
	return NULL;
}

void threads_all(
	const struct threads *t, void (*visit)(void *ctx, uint32_t id, const struct thread_row *row), void *ctx)
{
	for (uint32_t page = 0; page < threads_pages(t); page++) {
		uint32_t n;
		const struct thread_row *rows = threads_page(t, page, &n);
		for (uint32_t i = 0; rows && i < n; i++)
			if (is_seen(&rows[i]))
				visit(ctx, page << THREADS_PAGE_BITS | i, &rows[i]);
	}
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

/* A page whose last rows are blank is saved without them, and made again whole. */
static void page_image(struct image *im, struct threads *t, uint32_t page, size_t *made)
{
	enum { MOST_MADE = 64 };
	struct thread_row *rows = im->loads ? NULL : page_at(t, page);
	size_t n = rows ? PAGE_ROWS : 0;
	while (n && is_blank(&rows[n - 1]))
		n--;
	image_size(im, &n, PAGE_ROWS);
	rows = n ? image_array(im, rows, n, sizeof *rows) : NULL;
	*made += n && n < PAGE_ROWS;
	image_require(im, *made <= MOST_MADE);
	if (!im->loads || !n || im->bad)
		return;
	assert(rows);
	if (n < PAGE_ROWS) {
		const void *some = rows;
		if (!(rows = image_new(im, PAGE_ROWS, sizeof *rows)))
			return;
		memcpy((void *)rows, some, n * sizeof *rows);
	}
	atomic_store(&t->pages[page], rows);
	t->n_pages++;
}

/* Replace the pages and all else that copies may not share. */
static void copy_state(struct image *im, struct threads *t, const struct blocks *blocks)
{
	const uint32_t n = threads_pages(t);
	t->blocks = blocks;
	pthread_mutex_init(&t->lock, NULL);
	for (int i = 0; i < THREADS_LOCKS; i++)
		pthread_mutex_init(&t->rows[i], NULL);
	image_own(im, (void **)&t->pages, THREADS_PAGES, sizeof *t->pages);
	t->n_pages = t->pages ? t->n_pages : 0;
	image_own(im, (void **)&t->titled, THREADS_TITLED, sizeof *t->titled);
	for (uint32_t i = 0; t->pages && i < n; i++) {
		const struct thread_row *from = page_at(t, i);
		struct thread_row *to = from ? huge_alloc_new(PAGE_BYTES) : NULL;
		im->bad = im->bad || (from && !to);
		atomic_store(&t->pages[i], to);
		if (!to)
			continue;
		huge_alloc_fill(to, PAGE_BYTES);
		memcpy((void *)to, (const void *)from, PAGE_BYTES);
	}
}

void threads_image(struct image *im, struct threads *t, const struct blocks *blocks)
{
	size_t made = 0;
	if (im->copies) {
		copy_state(im, t, blocks);
		return;
	}
	if (im->loads)
		*t = (struct threads){.blocks = blocks,
			.label_shift = threads_label_shift(blocks->len),
			.pages = image_new(im, THREADS_PAGES, sizeof *t->pages)};
	IMAGE_VALUE(im, t->seen);
	IMAGE_VALUE(im, t->created);
	IMAGE_VALUE(im, t->finished);
	IMAGE_VALUE(im, t->total_run_ns);
	IMAGE_VALUE(im, t->others);
	IMAGE_VALUE(im, t->anomalies);
	IMAGE_VALUE(im, t->top);
	size_t titled = min_u64(atomic_load(&t->n_titled), THREADS_TITLED + 1);
	image_size(im, &titled, THREADS_TITLED + 1);
	struct thread_titled *kept = image_array(im, t->titled, titled <= THREADS_TITLED ? titled : 0, sizeof *kept);
	if (im->loads) {
		atomic_store(&t->n_titled, titled);
		t->titled = kept;
	}
	image_require(im, t->pages);
	for (uint32_t page = 0; !im->bad && page <= t->top >> THREADS_PAGE_BITS; page++)
		page_image(im, t, page, &made);
}
