#include "prof/prof_samples.h"

#include "index/cursor.h"

#include <stdlib.h>

enum { LOOK_EVERY = 1 << 10 }; /* samples between two looks at `cancel` */

/* Which of n equal parts of [from, to) a time lies in. */
static int part_of(const struct prof_samples *ask, uint64_t t)
{
	double share = (double)(t - ask->from) / (double)(ask->to - ask->from);
	int part = (int)(share * ask->parts);
	part = part < 0 ? 0 : part >= ask->parts ? ask->parts - 1 : part;
	for (; part > 0 && t < column_edge(ask->from, ask->to, ask->parts, part); part--)
		;
	for (; part + 1 < ask->parts && t >= column_edge(ask->from, ask->to, ask->parts, part + 1); part++)
		;
	return part;
}

/* Step through the samples of a page. */
struct reading {
	const struct prof *prof;
	struct prof_reader *reader;
	const atomic_bool *cancel;
};

static int read_page(const struct reading *r, const struct blocks *b, size_t chain, const struct prof_page *page,
	bool (*take)(void *ctx, const struct prof_sample *sample), void *ctx)
{
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	struct prof_sample sample;
	uint32_t left = page->samples;
	cursor_begin(&cursor, b, &b->chains[chain], UINT64_MAX);
	cursor_seek(&cursor, page->off);
	r->reader->n_ring = r->reader->off = 0;
	while (left && cursor_next(&cursor, &f, &block)) {
		if (!event_readable(b->header, &f) || !prof_read(r->prof, r->reader, &f, &sample))
			continue;
		if (--left % LOOK_EVERY == 0 && is_cancelled(r->cancel))
			return EVL_CANCELLED;
		if (!take(ctx, &sample))
			return EVL_CANCELLED;
	}
	return 0;
}

static bool take_one(void *ctx, const struct prof_sample *s)
{
	const struct prof_samples *ask = ctx;
	if (s->t >= ask->from && s->t < ask->to)
		ask->take(ask->ctx, &(struct prof_count){s->node, 1, s->cap, (uint16_t)part_of(ask, s->t)});
	return true;
}

static void take_sums(const struct prof_samples *ask, const struct prof_chain *chain, const struct prof_page *page)
{
	uint16_t part = (uint16_t)part_of(ask, page->first_t);
	for (uint32_t i = 0; i < page->n_sums; i++) {
		const struct prof_sum *sum = rows_at(&chain->sums, page->sums + i);
		ask->take(ask->ctx, &(struct prof_count){sum->node, sum->n, sum->cap, part});
	}
}

static int scan_page(const struct reading *r, const struct blocks *b, size_t chain, const struct prof_page *page,
	const struct prof_samples *ask)
{
	struct prof_samples own = *ask;
	bool inside = page->first_t >= ask->from && page->last_t < ask->to;
	if (page->last_t < ask->from || page->first_t >= ask->to)
		return 0;
	if (!inside || page->n_sums == 0 || part_of(ask, page->first_t) != part_of(ask, page->last_t))
		return read_page(r, b, chain, page, take_one, &own);
	take_sums(ask, &r->prof->chains[chain], page);
	return 0;
}

int prof_scan(const struct prof *p, const struct blocks *b, const struct prof_samples *ask)
{
	struct stack_cache *cache = calloc(1, sizeof *cache);
	struct prof_reader reader = {.cache = cache};
	struct reading r = {.prof = p, .reader = &reader, .cancel = ask->cancel};
	int result = cache ? 0 : EVL_NOMEM;
	for (size_t c = 0; c < p->n_chains && ask->from < ask->to; c++) {
		size_t n = rows_count(&p->chains[c].pages);
		for (size_t i = 0; i < n && result == 0; i++)
			result = scan_page(&r, b, c, rows_at(&p->chains[c].pages, i), ask);
	}
	free(cache);
	return result;
}

static bool take_each(void *ctx, const struct prof_sample *s)
{
	const struct prof_each *ask = ctx;
	return s->t < ask->from || s->t >= ask->to || ask->take(ask->ctx, s);
}

int prof_each(const struct prof *p, const struct blocks *b, const struct prof_each *ask)
{
	struct stack_cache *cache = calloc(1, sizeof *cache);
	struct prof_reader reader = {.cache = cache};
	struct reading r = {.prof = p, .reader = &reader, .cancel = ask->cancel};
	struct prof_each own = *ask;
	int result = cache ? 0 : EVL_NOMEM;
	for (size_t c = 0; c < p->n_chains; c++) {
		size_t n = rows_count(&p->chains[c].pages);
		for (size_t i = 0; i < n && result == 0; i++) {
			const struct prof_page *page = rows_at(&p->chains[c].pages, i);
			if (page->last_t >= ask->from && page->first_t < ask->to)
				result = read_page(&r, b, c, page, take_each, &own);
		}
	}
	free(cache);
	return result;
}
