#include "sched/busy_union.h"

#include <stdlib.h>

/* Delivered runs of a chain that are not merged yet: first those not taken, then those taken by the merging thread. */
struct busy_chain {
	struct busy_runs delivered; /* no chunk of them is empty */
	uint64_t until;
	struct busy_runs runs;
	size_t i;     /* the next run of the first chunk */
	size_t end_i; /* with end, the first run that is not merged now; end NULL: all are */
	const struct busy_chunk *end;
	size_t gc, gc_end;       /* the next row of its collections, and the one up to which they are merged */
	size_t begun, begun_end; /* the same of those that have started, not only been requested */
	size_t started;          /* the first row whose delay is not computed */
	struct walk_run before;  /* the last run of the chunk before the first */
	uint16_t cap;
	uint64_t complete;
	const struct walk_run *last;   /* that starts before a collection; NULL: none does */
	const struct busy_chunk *late; /* the run after it is the one in this chunk */
	size_t late_i;
};

/* An interval of a union. */
struct busy_span {
	uint64_t from, to;
};

/* Intervals in order: spans one after the other, or what is to be merged of the runs of a chain. Both begin with their two
 * times. */
struct busy_list {
	const uint8_t *at, *end;
	size_t stride;
	const struct busy_chain *chain; /* NULL: spans */
	const struct busy_chunk *chunk;
};

int busy_init(struct busy *b, const struct blocks *blocks)
{
	*b = (struct busy){.n = blocks->n_chains};
	pthread_mutex_init(&b->lock, NULL);
	pthread_mutex_init(&b->merging, NULL);
	b->chains = calloc(b->n ? b->n : 1, sizeof *b->chains);
	b->lists = calloc(2 * b->n + 1, sizeof *b->lists);
	b->picks = calloc(2 * b->n + 1, sizeof *b->picks);
	for (size_t i = 0; b->chains && i < b->n; i++) { /* those of no capability have no runs */
		b->chains[i].cap = blocks->chains[i].cap;
		b->chains[i].until = b->chains[i].complete = blocks->chains[i].cap == EVL_NO_CAP ? UINT64_MAX : 0;
	}
	return b->chains && b->lists && b->picks ? 0 : EVL_NOMEM;
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

static void free_spans(struct busy *b)
{
	for (size_t i = 0; i < BUSY_BUFFERS; i++) {
		free(b->spans[i]);
		b->spans[i] = NULL;
		b->room[i] = 0;
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
	free_spans(b);
	free_all(b->lists, b->picks);
	gc_delays_free(&b->delays);
	if (b->chains) {
		pthread_mutex_destroy(&b->lock);
		pthread_mutex_destroy(&b->merging);
	}
	*b = (struct busy){0};
}

bool busy_grow(struct busy *b, struct busy_runs *runs)
{
	enum { FIRST = 8 };
	unsigned size = !runs->last ? 0 : runs->last->size + 1 < BUSY_SIZES ? runs->last->size + 1 : BUSY_SIZES - 1;
	uint32_t room = ((uint32_t)FIRST << size) - 1;
	pthread_mutex_lock(&b->lock);
	struct busy_chunk *chunk = b->spare[size];
	if (chunk)
		b->spare[size] = chunk->next;
	pthread_mutex_unlock(&b->lock);
	if (!chunk && !(chunk = oom_note(malloc(sizeof *chunk + room * sizeof *chunk->runs)))) {
		atomic_store(&b->failed, true);
		return false;
	}
	chunk->size = size;
	chunk->room = room;
	chunk->n = 0;
	chunk->next = NULL;
	*(runs->last ? &runs->last->next : &runs->first) = chunk;
	runs->last = chunk;
	return true;
}

/* The first chunk of a chain was merged. */
static void reuse(struct busy *b, struct busy_chain *c)
{
	struct busy_chunk *chunk = c->runs.first;
	c->i = 0;
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

/* --- unions ------------------------------------------------------------------------------------------------------------ */

static bool reserve(struct busy *b, size_t buffer, size_t n)
{
	if (n > b->room[buffer]) {
		free(b->spans[buffer]);
		b->spans[buffer] = oom_note(malloc(n * sizeof **b->spans));
		b->room[buffer] = b->spans[buffer] ? n : 0;
	}
	return n <= b->room[buffer];
}

static struct busy_list list_of(const struct busy_span *spans, size_t n)
{
	return (struct busy_list){(const uint8_t *)spans, (const uint8_t *)(spans + n), sizeof *spans, NULL, NULL};
}

static void in_chunk(struct busy_list *l, const struct busy_chunk *chunk, size_t from)
{
	l->chunk = chunk;
	l->at = (const uint8_t *)&chunk->runs[from];
	l->end = (const uint8_t *)&chunk->runs[chunk == l->chain->end ? l->chain->end_i : chunk->n];
}

/* A chain's runs that are to be merged: some. */
static struct busy_list list_of_runs(const struct busy_chain *c)
{
	struct busy_list l = {.stride = sizeof(struct walk_run), .chain = c};
	in_chunk(&l, c->runs.first, c->i);
	return l;
}

/* Is there anything left? */
static bool list_more(struct busy_list *l)
{
	if (l->at == l->end && l->chain && l->chunk != l->chain->end && l->chunk->next)
		in_chunk(l, l->chunk->next, 0);
	return l->at < l->end;
}

static uint64_t first_from(const struct busy_list *l) { return ((const struct busy_span *)(const void *)l->at)->from; }

/* The union of two lists, without branches that depend on which is next: return its length. They are not both empty. */
static size_t unite(struct busy_list *a, struct busy_list *b, struct busy_span *out)
{
	size_t n = 0;
	bool more_a = list_more(a), more_b = list_more(b);
	uint64_t begin = min_u64(more_a ? first_from(a) : UINT64_MAX, more_b ? first_from(b) : UINT64_MAX);
	struct busy_span open = {begin, begin};
	for (; more_a && more_b; more_a = list_more(a), more_b = list_more(b)) {
		const uint8_t *i = a->at, *k = b->at, *i_end = a->end, *k_end = b->end;
		size_t i_step = a->stride, k_step = b->stride;
		while (i < i_end && k < k_end) {
			const struct busy_span *x = (const void *)i, *y = (const void *)k;
			bool first = x->from <= y->from;
			uint64_t from = first ? x->from : y->from, to = first ? x->to : y->to;
			i += first ? i_step : 0;
			k += first ? 0 : k_step;
			out[n] = open;
			n += from > open.to;
			open.from = from > open.to ? from : open.from;
			open.to = max_u64(open.to, to);
		}
		a->at = i;
		b->at = k;
	}
	for (struct busy_list *rest = more_a ? a : b; list_more(rest);)
		for (; rest->at < rest->end; rest->at += rest->stride) {
			const struct busy_span *next = (const void *)rest->at;
			out[n] = open;
			n += next->from > open.to;
			open.from = next->from > open.to ? next->from : open.from;
			open.to = max_u64(open.to, next->to);
		}
	out[n] = open;
	return n + 1;
}

/* Add n lists to a union, but for what is before its end: two become one until there is one. The buffers have room for the
 * intervals of all. Return the length of the last, which lists[0] ends with. */
static size_t add_lists(struct busy *b, size_t n, struct busy_union *to)
{
	for (size_t buffer = 0; n > 1; buffer ^= 1) {
		struct busy_span *out = b->spans[buffer];
		size_t half = (n + 1) / 2;
		for (size_t i = 0; i < half; i++) {
			struct busy_list none = {0}, *a = &b->lists[2 * i], *second = 2 * i + 1 < n ? a + 1 : &none;
			size_t length = unite(a, second, out);
			b->lists[i] = list_of(out, length);
			out += length;
		}
		n = half;
	}
	size_t length = 0;
	while (n && list_more(&b->lists[0]))
		for (struct busy_list *l = &b->lists[0]; l->at < l->end; l->at += l->stride, length++) {
			const struct busy_span *span = (const void *)l->at;
			to->ns += sub_or_0(span->to, max_u64(span->from, to->end));
			to->end = max_u64(to->end, span->to);
		}
	return length;
}

/* --- merging ----------------------------------------------------------------------------------------------------------- */

/* How many runs of a chain wait. */
static size_t waiting(const struct busy_chain *c)
{
	size_t n = 0;
	for (const struct busy_chunk *chunk = c->runs.first; chunk; chunk = chunk->next)
		n += chunk->n;
	return n - c->i;
}

/* When the run begins that is i runs after the next one of a chain. */
static uint64_t run_from(const struct busy_chain *c, size_t i)
{
	const struct busy_chunk *chunk = c->runs.first;
	for (i += c->i; i >= chunk->n; chunk = chunk->next)
		i -= chunk->n;
	return chunk->runs[i].from;
}

/* Merge up to here at once: all that is complete, or about MOST runs of it. */
static uint64_t window_end(const struct busy *b, uint64_t complete)
{
	enum { MOST = 1 << 14 };
	const struct busy_chain *longest = NULL;
	size_t total = 0, most = 0;
	for (size_t c = 0; c < b->n; c++) {
		size_t n = b->chains[c].runs.first ? waiting(&b->chains[c]) : 0;
		total += n;
		longest = n > most ? &b->chains[c] : longest;
		most = n > most ? n : most;
	}
	if (total <= MOST)
		return complete;
	uint64_t end = run_from(longest, (size_t)((double)MOST * (double)most / (double)total));
	return end > run_from(longest, 0) && end < complete ? end : complete;
}

/* Find where a chain's runs that start before t end. Return how many there are at most. */
static size_t find_end(struct busy_chain *c, uint64_t t)
{
	size_t n = 0, i = c->i;
	for (c->end = c->runs.first; c->end; c->end = c->end->next, i = 0) {
		if (c->end->runs[c->end->n - 1].from >= t)
			break;
		n += c->end->n;
	}
	for (; c->end && c->end->runs[i].from < t;)
		i++;
	c->end_i = i;
	return n + i;
}

/* How many collections of a chain to merge at most: those requested before t, and those started before it. A union takes
 * what begins before t, else what another leader began before that would come too late. */
static size_t count_gcs(struct busy_chain *c, const struct rows *rows, uint64_t t)
{
	size_t n = rows_count(rows);
	c->gc_end = c->gc;
	while (c->gc_end < n && gc_requested(rows_at(rows, c->gc_end)) < t)
		c->gc_end++;
	c->begun_end = c->begun;
	while (c->begun_end < c->gc_end && ((const struct gc_row *)rows_at(rows, c->begun_end))->start < t)
		c->begun_end++;
	return c->gc_end - min_u64(c->gc, c->begun);
}

/* The collections before t, chain by chain: from their starts or from their requests on. Return the number of lists. */
static size_t gather_gcs(struct busy *b, const struct gcs *g, bool start, struct busy_span *at)
{
	size_t lists = 0;
	for (size_t c = 0; c < b->n; c++) {
		struct busy_span *from = at;
		const struct busy_chain *chain = &b->chains[c];
		size_t end = start ? chain->begun_end : chain->gc_end;
		for (size_t i = start ? chain->begun : chain->gc; i < end; i++) {
			const struct gc_row *gc = rows_at(&g->tables[c].rows, i);
			*at++ = (struct busy_span){start ? gc->start : gc_requested(gc), gc_end(gc)};
		}
		if (at > from)
			b->lists[lists++] = list_of(from, (size_t)(at - from));
	}
	return lists;
}

/* Add everything before t to the unions; false: no memory. */
static bool merge_unions(struct busy *b, const struct gcs *g, uint64_t t)
{
	enum { GCS = BUSY_BUFFERS - 1 };
	size_t runs = 0, gcs = 0, lists = 0;
	for (size_t c = 0; c < b->n; c++) {
		runs += find_end(&b->chains[c], t);
		gcs += count_gcs(&b->chains[c], &g->tables[c].rows, t);
	}
	for (size_t i = 0; i < BUSY_BUFFERS; i++)
		if (!reserve(b, i, i == GCS ? gcs : runs + gcs))
			return false;
	if (gcs) {
		add_lists(b, gather_gcs(b, g, true, b->spans[GCS]), &b->gc);
		lists = gather_gcs(b, g, false, b->spans[GCS]);
		size_t n = add_lists(b, lists, &b->pause);
		if (lists > 1)
			memcpy(b->spans[GCS], b->lists[0].end - n * sizeof **b->spans, n * sizeof **b->spans);
		b->lists[0] = list_of(b->spans[GCS], n);
		lists = 1;
	}
	for (size_t c = 0; c < b->n; c++) {
		const struct busy_chain *chain = &b->chains[c];
		if (chain->runs.first && (chain->end != chain->runs.first || chain->end_i > chain->i))
			b->lists[lists++] = list_of_runs(chain);
	}
	add_lists(b, lists, &b->all);
	return true;
}

/* Return the last run of a chain that starts before t, or NULL. t never decreases until the runs are dropped. */
static const struct walk_run *last_before(struct busy_chain *c, uint64_t t)
{
	while (c->late && c->late->runs[c->late_i].from < t) {
		c->last = &c->late->runs[c->late_i];
		if (++c->late_i == c->late->n) {
			c->late = c->late->next;
			c->late_i = 0;
		}
	}
	return c->last && c->last->from < t ? c->last : NULL;
}

static void add_delay(struct busy *b, const struct gc_row *gc, const size_t *chains, size_t n)
{
	struct gc_late_run late = {0};
	for (size_t i = 0; i < n; i++) {
		struct busy_chain *c = &b->chains[chains[i]];
		const struct walk_run *run = c->cap == gc->cap ? NULL : last_before(c, gc->start);
		if (run)
			gc_late_note(&late, gc, run->to, c->cap, run->thread);
	}
	gc_delays_add(&b->delays, gc, &late);
}

/* The chains with runs that may have delayed a collection that starts before t and was requested at `since` or later. */
static size_t gather_late(const struct busy *b, uint64_t since, uint64_t t, size_t *chains)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n && i < BUSY_LATE_CAPS; i++) {
		const struct busy_chain *c = &b->chains[i];
		if ((c->last && c->last->to > since) || (c->late && c->late->runs[c->late_i].from < t))
			chains[n++] = i;
	}
	return n;
}

/* All runs that start before t are known, so those that delayed the collections that start before it: in their order. */
static void merge_delays(struct busy *b, const struct gcs *g, uint64_t t)
{
	size_t n = 0, *leaders = b->picks, *late = b->picks + b->n;
	uint64_t since = UINT64_MAX;
	for (size_t i = 0; i < b->n; i++) {
		const struct gc_row *gc = next_gc(g, i, b->chains[i].started);
		if (!gc || gc->start >= t)
			continue;
		leaders[n++] = i;
		since = min_u64(since, gc_requested(gc));
	}
	size_t n_late = n ? gather_late(b, since, t, late) : 0;
	while (n) {
		const struct gc_row *first = NULL;
		size_t at = 0;
		for (size_t i = 0; i < n; i++) {
			const struct gc_row *gc = next_gc(g, leaders[i], b->chains[leaders[i]].started);
			if (!first || gc->start < first->start) {
				first = gc;
				at = i;
			}
		}
		if (first->sync)
			add_delay(b, first, late, n_late);
		const struct gc_row *next = next_gc(g, leaders[at], ++b->chains[leaders[at]].started);
		if (!next || next->start >= t)
			memmove(&leaders[at], &leaders[at + 1], (--n - at) * sizeof *leaders);
	}
}

/* Drop what was merged: runs and collections up to the ends that were found. */
static void drop(struct busy *b)
{
	for (size_t c = 0; c < b->n; c++) {
		struct busy_chain *chain = &b->chains[c];
		while (chain->runs.first != chain->end) {
			chain->before = chain->runs.first->runs[chain->runs.first->n - 1];
			reuse(b, chain);
		}
		if (chain->end && chain->end_i > chain->i)
			chain->before = chain->end->runs[chain->end_i - 1];
		chain->i = chain->end ? chain->end_i : 0;
		chain->last = chain->before.to ? &chain->before : NULL;
		chain->late = chain->runs.first;
		chain->late_i = chain->i;
		chain->gc = chain->gc_end;
		chain->begun = chain->begun_end;
	}
}

/* Merge everything before the time up to which every chain is complete. */
static void merge(struct busy *b, const struct gcs *g)
{
	uint64_t complete = UINT64_MAX, t;
	for (size_t c = 0; c < b->n; c++) {
		struct busy_chain *chain = &b->chains[c];
		complete = min_u64(complete, chain->complete);
		if (!chain->late) { /* what has come since */
			chain->late = chain->runs.first;
			chain->late_i = chain->i;
		}
	}
	do {
		t = window_end(b, complete);
		if (!merge_unions(b, g, t))
			atomic_store(&b->failed, true);
		merge_delays(b, g, t);
		drop(b);
	} while (t < complete);
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
	b->run_ns += runs->ns;
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
	free_spans(b);
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void histogram_image(struct image *im, struct histogram *h)
{
	uint64_t n = 0;
	IMAGE_VALUE(im, *h);
	for (size_t i = 0; i < HISTOGRAM_CLASSES; i++)
		n += h->counts[i];
	image_require(im, n == h->n);
}

void busy_image(struct image *im, struct busy *b)
{
	if (im->loads)
		*b = (struct busy){0};
	IMAGE_VALUE(im, b->run_ns);
	IMAGE_VALUE(im, b->gc);
	IMAGE_VALUE(im, b->pause);
	IMAGE_VALUE(im, b->all);
	image_flag(im, &b->failed);
	IMAGE_VALUE(im, b->delays.thread_ns);
	IMAGE_VALUE(im, b->delays.wakeup_ns);
	histogram_image(im, &b->delays.rests);
	image_size(im, &b->delays.n_threads, GC_DELAY_THREADS);
	b->delays.threads = image_array(im, b->delays.threads, b->delays.n_threads, sizeof *b->delays.threads);
}
