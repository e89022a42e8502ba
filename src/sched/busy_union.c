#include "sched/busy_union.h"

#include "base/minheap.h"

#include <stdlib.h>

/* Delivered runs of a chain that are not merged yet: first those not taken, then those taken by the merging thread. */
struct busy_chain {
	struct busy_runs delivered; /* no chunk of them is empty */
	uint64_t until;
	struct busy_runs runs;
	size_t i;               /* the next run of the first chunk */
	size_t gc;              /* the next row of its collections, */
	size_t started;         /* and of those that have not started */
	struct busy_run before; /* the last run of the chunk before the first */
	uint16_t cap;
	uint64_t complete;
};

/* When the next run of a chain begins, its next collection is requested, or starts. */
struct busy_next {
	uint64_t from;
	uint32_t chain;
	enum busy_kind { BUSY_RUN, BUSY_REQUEST, BUSY_START, BUSY_KINDS } kind;
};

int busy_init(struct busy *b, const struct blocks *blocks)
{
	*b = (struct busy){.n = blocks->n_chains};
	pthread_mutex_init(&b->lock, NULL);
	pthread_mutex_init(&b->merging, NULL);
	b->chains = calloc(b->n ? b->n : 1, sizeof *b->chains);
	b->heap = calloc(BUSY_KINDS * b->n + 1, sizeof *b->heap);
	for (size_t i = 0; b->chains && i < b->n; i++) { /* those of no capability have no runs */
		b->chains[i].cap = blocks->chains[i].cap;
		b->chains[i].until = b->chains[i].complete = blocks->chains[i].cap == EVL_NO_CAP ? UINT64_MAX : 0;
	}
	return b->chains && b->heap ? 0 : EVL_NOMEM;
}

static void free_chunks(struct busy_chunk *chunk)
{
	while (chunk) {
		struct busy_chunk *next = chunk->next;
		free(chunk);
		chunk = next;
	}
}

static void free_spare(struct busy *b)
{
	for (size_t size = 0; size < BUSY_SIZES; size++) {
		free_chunks(b->spare[size]);
		b->spare[size] = NULL;
	}
}

void busy_drop(struct busy_runs *runs)
{
	free_chunks(runs->first);
	*runs = (struct busy_runs){0};
}

void busy_free(struct busy *b)
{
	for (size_t c = 0; b->chains && c < b->n; c++) {
		busy_drop(&b->chains[c].delivered);
		busy_drop(&b->chains[c].runs);
	}
	free_spare(b);
	free(b->chains);
	free(b->heap);
	gc_delays_free(&b->delays);
	if (b->chains) {
		pthread_mutex_destroy(&b->lock);
		pthread_mutex_destroy(&b->merging);
	}
	*b = (struct busy){0};
}

bool busy_grow(struct busy *b, struct busy_runs *runs)
{
	static const uint32_t rooms[BUSY_SIZES] = {15, 127, 1023};
	unsigned size = !runs->last ? 0 : runs->last->size + 1 < BUSY_SIZES ? runs->last->size + 1 : BUSY_SIZES - 1;
	pthread_mutex_lock(&b->lock);
	struct busy_chunk *chunk = b->spare[size];
	if (chunk)
		b->spare[size] = chunk->next;
	pthread_mutex_unlock(&b->lock);
	if (!chunk && !(chunk = oom_note(malloc(sizeof *chunk + rooms[size] * sizeof *chunk->runs)))) {
		atomic_store(&b->failed, true);
		return false;
	}
	chunk->size = size;
	chunk->room = rooms[size];
	chunk->n = 0;
	chunk->next = NULL;
	*(runs->last ? &runs->last->next : &runs->first) = chunk;
	runs->last = chunk;
	return true;
}

/* Unless the union already ends after it. */
static inline void extend(struct busy_union *u, uint64_t from, uint64_t to)
{
	uint64_t new = max_u64(from, u->end);
	if (to <= new)
		return;
	u->ns += to - new;
	u->end = to;
}

/* The first chunk of the chain is merged up to its run i. */
static void advance(struct busy *b, struct busy_chain *c, size_t i)
{
	struct busy_chunk *chunk = c->runs.first;
	c->i = i;
	if (i < chunk->n)
		return;
	c->i = 0;
	c->before = chunk->runs[chunk->n - 1];
	c->runs.first = chunk->next;
	if (!chunk->next)
		c->runs.last = NULL;
	pthread_mutex_lock(&b->lock);
	chunk->next = b->spare[chunk->size];
	b->spare[chunk->size] = chunk;
	pthread_mutex_unlock(&b->lock);
}

static const struct gc_row *next_gc(const struct gcs *g, size_t chain, size_t i)
{
	const struct rows *rows = &g->tables[chain].rows;
	return i < rows_count(rows) ? rows_at(rows, i) : NULL;
}

/* --- what begins soonest ----------------------------------------------------------------------------------------------- */

/* Is there a next one? Then *next says when it begins. */
static inline bool look(const struct busy *b, const struct gcs *g, struct busy_next *next)
{
	const struct busy_chain *c = &b->chains[next->chain];
	const struct gc_row *gc;
	switch (next->kind) {
	case BUSY_REQUEST:
		if ((gc = next_gc(g, next->chain, c->gc)))
			next->from = gc_requested(gc);
		return gc;
	case BUSY_START:
		if ((gc = next_gc(g, next->chain, c->started)))
			next->from = gc->start;
		return gc;
	default:
		if (c->runs.first)
			next->from = c->runs.first->runs[c->i].from;
		return c->runs.first;
	}
}

static inline bool is_sooner(struct busy_next a, struct busy_next b) { return a.from < b.from; }

/* Heap of the next run of each chain; its size. */
static size_t gather(struct busy *b, const struct gcs *g)
{
	size_t n = 0;
	for (uint32_t i = 0; i < BUSY_KINDS * b->n; i++) {
		struct busy_next next = {.chain = i / BUSY_KINDS, .kind = (enum busy_kind)(i % BUSY_KINDS)};
		if (look(b, g, &next))
			b->heap[n++] = next;
	}
	MINHEAP_MAKE(b->heap, n, is_sooner);
	return n;
}

/* --- merging ----------------------------------------------------------------------------------------------------------- */

/* Merge the runs of the chain that start before `until`: at least one. */
static inline void merge_runs(struct busy *b, struct busy_chain *c, uint64_t until)
{
	const struct busy_chunk *chunk = c->runs.first;
	const struct busy_run *run = &chunk->runs[c->i], *end = chunk->runs + chunk->n;
	struct busy_union all = b->all;
	uint64_t sum = 0;
	do {
		extend(&all, run->from, run->to);
		sum += run->to - run->from;
	} while (++run < end && run->from < until);
	b->all = all;
	b->run_ns += sum;
	advance(b, c, (size_t)(run - chunk->runs));
}

static void merge_gc(struct busy *b, const struct gcs *g, uint32_t chain)
{
	const struct gc_row *gc = next_gc(g, chain, b->chains[chain].gc++);
	extend(&b->gc, gc->start, gc_end(gc));
	extend(&b->pause, gc_requested(gc), gc_end(gc));
	extend(&b->all, gc_requested(gc), gc_end(gc));
}

/* Return the last merged run of a chain that starts before t, or NULL. */
static const struct busy_run *last_before(const struct busy_chain *c, uint64_t t)
{
	for (size_t i = c->i; c->runs.first && i > 0; i--)
		if (c->runs.first->runs[i - 1].from < t)
			return &c->runs.first->runs[i - 1];
	return c->before.to && c->before.from < t ? &c->before : NULL;
}

/* A collection starts: all runs that start before it are merged, so those that delayed it are known. */
static void merge_start(struct busy *b, const struct gcs *g, uint32_t chain)
{
	const struct gc_row *gc = next_gc(g, chain, b->chains[chain].started++);
	struct gc_late_run late = {0};
	for (size_t i = 0; gc->sync && i < b->n && i < BUSY_LATE_CAPS; i++) {
		const struct busy_run *run = b->chains[i].cap == gc->cap ? NULL : last_before(&b->chains[i], gc->start);
		if (run)
			gc_late_note(&late, gc, run->to, b->chains[i].cap, run->thread);
	}
	if (gc->sync)
		gc_delays_add(&b->delays, gc, &late);
}

/* Merge two chains whose runs alternate unpredictably, without branches, while both have runs that start before
 * `until`. */
static void merge_two(struct busy *b, struct busy_chain *x, struct busy_chain *y, uint64_t until)
{
	const struct busy_chunk *xs = x->runs.first, *ys = y->runs.first;
	const struct busy_run *i = &xs->runs[x->i], *i_end = xs->runs + xs->n;
	const struct busy_run *k = &ys->runs[y->i], *k_end = ys->runs + ys->n;
	uint64_t ns = 0, end = b->all.end, sum = 0;
	while (i < i_end && k < k_end && i->from < until && k->from < until) {
		bool first = i->from <= k->from;
		const struct busy_run *run = first ? i : k;
		uint64_t from = max_u64(run->from, end);
		i += first;
		k += !first;
		sum += run->to - run->from;
		end = max_u64(end, run->to);
		ns += end > from ? end - from : 0;
	}
	b->all = (struct busy_union){b->all.ns + ns, end};
	b->run_ns += sum;
	advance(b, x, (size_t)(i - xs->runs));
	advance(b, y, (size_t)(k - ys->runs));
}

/* The second entry of the heap, and the start of the third. */
static size_t second(const struct busy_next *items, size_t n, uint64_t *third)
{
	uint64_t from[7];
	for (size_t i = 1; i < countof(from); i++)
		from[i] = i < n ? items[i].from : UINT64_MAX;
	size_t at = from[2] < from[1] ? 2 : 1;
	*third = min_u64(from[3 - at], min_u64(from[2 * at + 1], from[2 * at + 2]));
	return at;
}

/* The item at i was merged in part: restore the heap. Return its size. */
static size_t replace(struct busy *b, const struct gcs *g, size_t n, size_t i)
{
	if (!look(b, g, &b->heap[i]))
		b->heap[i] = b->heap[--n];
	if (i < n)
		MINHEAP_SIFT(b->heap, n, i, is_sooner);
	return n;
}

/* Merge all runs that start before the time up to which every chain is complete. */
static void merge(struct busy *b, const struct gcs *g)
{
	uint64_t complete = UINT64_MAX, third;
	for (size_t c = 0; c < b->n; c++)
		complete = min_u64(complete, b->chains[c].complete);
	size_t n = gather(b, g);
	while (n && b->heap[0].from < complete) {
		size_t at = second(b->heap, n, &third);
		struct busy_next *top = &b->heap[0], *next = &b->heap[at];
		uint64_t until = min_u64(complete, at < n ? next->from : UINT64_MAX);
		if (top->kind == BUSY_REQUEST) {
			merge_gc(b, g, top->chain);
		} else if (top->kind == BUSY_START) {
			merge_start(b, g, top->chain);
		} else if (at < n && next->kind == BUSY_RUN && next->from < min_u64(complete, third)) {
			merge_two(b, &b->chains[top->chain], &b->chains[next->chain], min_u64(complete, third));
			n = replace(b, g, n, at);
		} else {
			merge_runs(b, &b->chains[top->chain], until);
		}
		n = replace(b, g, n, 0);
	}
}

/* Append runs to others, and clear them. */
static void append(struct busy_runs *to, struct busy_runs *runs)
{
	if (runs->first) {
		*(to->last ? &to->last->next : &to->first) = runs->first;
		to->last = runs->last;
	}
	*runs = (struct busy_runs){0};
}

void busy_join(struct busy *b, uint32_t chain, struct busy_runs *runs, uint64_t complete)
{
	struct busy_chain *c = &b->chains[chain];
	pthread_mutex_lock(&b->lock);
	append(&c->delivered, runs);
	c->until = max_u64(c->until, complete);
	b->news++;
	pthread_mutex_unlock(&b->lock);
}

/* Take the delivered runs for merging; return false if fewer than that number of parts were delivered. */
static bool take_delivered(struct busy *b, size_t least)
{
	pthread_mutex_lock(&b->lock);
	bool news = b->news >= least;
	b->news = news ? 0 : b->news;
	for (size_t c = 0; news && c < b->n; c++) {
		append(&b->chains[c].runs, &b->chains[c].delivered);
		b->chains[c].complete = b->chains[c].until;
	}
	pthread_mutex_unlock(&b->lock);
	return news;
}

static void merge_news(struct busy *b, const struct gcs *g, size_t least)
{
	if (pthread_mutex_trylock(&b->merging))
		return; /* who merges looks again when he is done; what he misses is merged with the next part, or at the end */
	while (take_delivered(b, least))
		merge(b, g);
	pthread_mutex_unlock(&b->merging);
}

void busy_merge(struct busy *b, const struct gcs *g)
{
	enum { CHAINS_A_PART = 16 };
	merge_news(b, g, b->n / CHAINS_A_PART + 1);
}

void busy_end(struct busy *b, const struct gcs *g)
{
	merge_news(b, g, 1);
	free_spare(b);
}
