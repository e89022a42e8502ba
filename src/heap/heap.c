#include "heap/heap.h"

#include <stdlib.h>

enum { BYTES_AT = 4 }; /* after the capset in all of them */

int heap_init(struct heap *h, const struct blocks *blocks)
{
	*h = (struct heap){.n = blocks->n_chains};
	h->chains = calloc(h->n ? h->n : 1, sizeof *h->chains);
	return h->chains ? points_init(&h->returns, h->n, MAX_POINTS) : EVL_NOMEM;
}

static struct heap_chain *chain_of(const struct heap *h, size_t i) { return load_acquire(&h->chains[i]); }

static void free_chain(struct heap_chain *chain)
{
	for (int k = 0; chain && k < HEAP_CURVES; k++)
		series_free(&chain->curves[k]);
	if (chain)
		series_free(&chain->allocated);
	free(chain);
}

void heap_free(struct heap *h)
{
	for (size_t i = 0; h->chains && i < h->n; i++)
		free_chain(chain_of(h, i));
	free(h->chains);
	points_free(&h->returns);
	*h = (struct heap){0};
}

/* The chain's series; NULL when memory is out. */
static struct heap_chain *make_chain(struct heap *h, uint32_t i)
{
	struct heap_chain *chain = chain_of(h, i);
	if (chain || !(chain = oom_note(calloc(1, sizeof *chain))))
		return chain;
	for (int k = 0; k < HEAP_CURVES; k++)
		series_init(&chain->curves[k]);
	series_init(&chain->allocated);
	store_release(&h->chains[i], chain);
	return chain;
}

static void add_sample(struct heap *h, struct heap_chain *chain, enum heap_curve curve, uint64_t t, uint64_t bytes)
{
	_Atomic uint64_t *const max[] = {&h->max_live, &h->max_size, &h->max_blocks};
	atomic_bool *const has[] = {&h->has_live, &h->has_size, &h->has_blocks};
	series_add(&chain->curves[curve], t, bytes);
	raise_to(max[curve], bytes);
	store_relaxed(has[curve], true);
}

bool heap_wants(uint16_t tag)
{
	return tag == EVL_HEAP_ALLOCATED || tag == EVL_HEAP_SIZE || tag == EVL_HEAP_LIVE || tag == EVL_BLOCKS_SIZE
		|| tag == EVL_MEM_RETURN;
}

void heap_event(struct heap *h, uint32_t chain, const struct frame *f)
{
	struct heap_chain *to;
	if (f->tag == EVL_MEM_RETURN)
		points_add(&h->returns, chain, f->t, f->off);
	if (f->tag == EVL_MEM_RETURN || !heap_wants(f->tag) || !(to = make_chain(h, chain)))
		return;
	uint64_t bytes = be64(f->payload.p + BYTES_AT);
	if (f->tag == EVL_HEAP_ALLOCATED) {
		series_add(&to->allocated, f->t, counter_take(&to->counter, bytes));
		store_relaxed(&h->has_allocated, true);
	} else {
		add_sample(h, to,
			f->tag == EVL_HEAP_LIVE           ? HEAP_CURVE_LIVE
				: f->tag == EVL_HEAP_SIZE ? HEAP_CURVE_SIZE
							  : HEAP_CURVE_BLOCKS,
			f->t, bytes);
	}
}

uint64_t heap_allocated(const struct heap *h)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < h->n; i++)
		if (chain_of(h, i))
			sum = add_or_max(sum, chain_of(h, i)->counter.total);
	return sum;
}

bool heap_at(const struct heap *h, enum heap_curve curve, uint64_t t, struct series_row *out)
{
	bool found = false;
	for (size_t i = 0; i < h->n; i++) {
		const struct heap_chain *chain = chain_of(h, i);
		size_t n = chain ? series_before(&chain->curves[curve], t < UINT64_MAX ? t + 1 : t) : 0;
		if (n == 0 || (found && series_row(&chain->curves[curve], n - 1)->t < out->t))
			continue;
		*out = *series_row(&chain->curves[curve], n - 1);
		found = true;
	}
	return found;
}

bool heap_after(const struct heap *h, enum heap_curve curve, uint64_t t, struct series_row *out)
{
	bool found = false;
	for (size_t i = 0; i < h->n && t < UINT64_MAX; i++) {
		const struct heap_chain *chain = chain_of(h, i);
		size_t at = chain ? series_before(&chain->curves[curve], t + 1) : 0;
		if (!chain || at >= rows_count(&chain->curves[curve].rows)
			|| (found && series_row(&chain->curves[curve], at)->t >= out->t))
			continue;
		*out = *series_row(&chain->curves[curve], at);
		found = true;
	}
	return found;
}

/* Samples [from, to) of a chain lie in the column. */
static void add_samples(const struct series *s, size_t from, size_t to, struct heap_column *col)
{
	struct series_peaks peaks = series_peaks(s, from, to);
	const struct series_row *last = series_row(s, to - 1);
	col->min = col->fresh ? min_u64(col->min, peaks.min) : peaks.min;
	col->max = col->fresh ? max_u64(col->max, peaks.max) : peaks.max;
	if (!col->fresh || last->t >= col->last_t) {
		col->last = last->value;
		col->last_t = last->t;
	}
	col->fresh = col->known = true;
}

static void carry_into(const struct series_row *carried, struct heap_column *col)
{
	if (!col->fresh) {
		*col = (struct heap_column){carried->value, carried->value, carried->value, carried->t, true, false};
		return;
	}
	col->min = min_u64(col->min, carried->value);
	col->max = max_u64(col->max, carried->value);
}

void heap_columns(const struct heap *h, enum heap_curve curve, uint64_t t0, uint64_t t1, int n, struct heap_column *out)
{
	memset(out, 0, (size_t)n * sizeof *out);
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = chain_of(h, c);
		size_t from = chain ? series_before(&chain->curves[curve], t0) : 0;
		for (int i = 0; chain && i < n; i++) {
			size_t to = series_before(&chain->curves[curve], column_edge(t0, t1, n, i + 1));
			if (to > from)
				add_samples(&chain->curves[curve], from, to, &out[i]);
			from = to;
		}
	}
	struct series_row carried;
	bool known = t0 > 0 && heap_at(h, curve, t0 - 1, &carried);
	for (int i = 0; i < n; i++) {
		if (known)
			carry_into(&carried, &out[i]);
		known = known || out[i].known;
		carried = (struct series_row){out[i].last_t, out[i].last};
	}
}

void heap_allocations(const struct heap *h, uint64_t t0, uint64_t t1, int n, uint64_t *out)
{
	memset(out, 0, (size_t)n * sizeof *out);
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = chain_of(h, c);
		size_t row = chain ? series_before(&chain->allocated, t0) : 0;
		uint64_t from = chain ? series_total_next(&chain->allocated, &row, t0) : 0;
		for (int i = 0; chain && i < n; i++) {
			uint64_t to = series_total_next(&chain->allocated, &row, column_edge(t0, t1, n, i + 1));
			out[i] += sub_or_0(to, from);
			from = to;
		}
	}
}

uint64_t heap_allocated_between(const struct heap *h, uint64_t first, uint64_t t0, uint64_t t1)
{
	uint64_t bytes = 0;
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = chain_of(h, c);
		if (chain)
			bytes += sub_or_0(series_total_from(&chain->allocated, first, t1),
				series_total_from(&chain->allocated, first, t0));
	}
	return bytes;
}

uint64_t heap_allocated_known(const struct heap *h)
{
	uint64_t last = 0;
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = chain_of(h, c);
		last = max_u64(last, chain ? series_known(&chain->allocated) : 0);
	}
	return last;
}

bool heap_return_at(const struct blocks *b, uint64_t off, struct heap_return *out)
{
	struct frame f;
	if (off >= b->len || frame_read(b->header, b->data, off, b->len, &f) != FRAME_OK || f.tag != EVL_MEM_RETURN
		|| !event_readable(b->header, &f))
		return false;
	const uint8_t *p = f.payload.p + BYTES_AT;
	*out = (struct heap_return){be32(p), be32(p + 4), be32(p + 8)};
	return true;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void chain_image(struct image *im, struct heap_chain *chain)
{
	for (int k = 0; k < HEAP_CURVES; k++)
		series_image(im, &chain->curves[k]);
	series_image(im, &chain->allocated);
	IMAGE_VALUE(im, chain->counter);
}

void heap_image(struct image *im, struct heap *h, const struct blocks *blocks)
{
	_Atomic uint64_t *const max[] = {&h->max_live, &h->max_size, &h->max_blocks};
	atomic_bool *const has[] = {&h->has_live, &h->has_size, &h->has_blocks, &h->has_allocated};
	if (im->loads)
		*h = (struct heap){.n = blocks->n_chains, .chains = image_new(im, blocks->n_chains, sizeof *h->chains)};
	image_own(im, (void **)&h->chains, h->n, sizeof *h->chains);
	for (size_t i = 0; h->chains && i < h->n; i++) {
		struct heap_chain *chain;
		if (IMAGE_ATOMIC(im, &h->chains[i], chain, sizeof *chain))
			chain_image(im, chain);
	}
	points_image(im, &h->returns, blocks->n_chains, MAX_POINTS, blocks->len);
	for (size_t i = 0; i < countof(max); i++)
		IMAGE_VALUE(im, *max[i]);
	for (size_t i = 0; i < countof(has); i++)
		image_flag(im, has[i]);
}
