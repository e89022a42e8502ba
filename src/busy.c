#include "busy.h"

#include <stdlib.h>

/* What a chain has delivered and is not merged yet: whole parts of it, the oldest first. */
struct busy_chain {
	struct busy_runs *parts;
	size_t n, room;
	size_t i;          /* the next run of the oldest part */
	size_t gc;         /* the next row of its collections */
	uint64_t complete;
};

int busy_init(struct busy *b, const struct blocks *blocks)
{
	*b = (struct busy){.n = blocks->n_chains};
	b->chains = calloc(b->n ? b->n : 1, sizeof *b->chains);
	for (size_t i = 0; b->chains && i < b->n; i++) /* those of no capability have no runs */
		b->chains[i].complete = blocks->chains[i].cap == EVL_NO_CAP ? UINT64_MAX : 0;
	return b->chains ? 0 : EVL_NOMEM;
}

void busy_free(struct busy *b)
{
	for (size_t c = 0; b->chains && c < b->n; c++) {
		for (size_t i = 0; i < b->chains[c].n; i++)
			free(b->chains[c].parts[i].items);
		free(b->chains[c].parts);
	}
	free(b->chains);
	*b = (struct busy){0};
}

static inline void extend(struct busy_union *u, uint64_t from, uint64_t to)
{
	uint64_t new = max_u64(from, u->end);
	if (to <= new)
		return;
	u->ns += to - new;
	u->end = to;
}

/* The next run of the chain, or NULL. */
static inline const struct busy_run *head(const struct busy_chain *c)
{
	return c->n ? &c->parts[0].items[c->i] : NULL;
}

static void drop_part(struct busy_chain *c)
{
	free(c->parts[0].items);
	memmove(c->parts, c->parts + 1, --c->n * sizeof *c->parts);
	c->i = 0;
}

static void merge_runs(struct busy *b, struct busy_chain *c, uint64_t until)
{
	struct busy_union all = b->all;
	uint64_t sum = 0;
	while (c->n) {
		const struct busy_run *run = head(c), *end = c->parts[0].items + c->parts[0].n;
		for (; run < end && run->from < until; run++) {
			extend(&all, run->from, run->to);
			sum += run->to - run->from;
		}
		c->i = (size_t)(run - c->parts[0].items);
		if (run < end)
			break;
		drop_part(c);
	}
	b->all = all;
	b->run_ns += sum;
}

static const struct gc_row *next_gc(const struct gcs *g, size_t chain, size_t i)
{
	const struct rows *rows = &g->tables[chain].rows;
	return i < rows_count(rows) ? rows_at(rows, i) : NULL;
}

/* Something that begins soonest on one of the chains. */
struct soonest {
	size_t chain;
	uint64_t from, second; /* when it begins, and when something next begins on another chain */
	bool is_gc;
};

static void offer(struct soonest *s, size_t chain, uint64_t from, bool is_gc)
{
	if (from < s->from) {
		s->second = s->from;
		*s = (struct soonest){.chain = chain, .from = from, .second = s->second, .is_gc = is_gc};
	} else {
		s->second = min_u64(s->second, from);
	}
}

static struct soonest find_soonest(const struct busy *b, const struct gcs *g)
{
	struct soonest s = {.from = UINT64_MAX, .second = UINT64_MAX};
	for (size_t c = 0; c < b->n; c++) {
		const struct busy_run *run = head(&b->chains[c]);
		const struct gc_row *gc = next_gc(g, c, b->chains[c].gc);
		if (run)
			offer(&s, c, run->from, false);
		if (gc)
			offer(&s, c, gc_requested(gc), true);
	}
	return s;
}

/* Merge all that begins before the time up to which every chain is complete. */
static void merge(struct busy *b, const struct gcs *g)
{
	uint64_t complete = UINT64_MAX;
	for (size_t c = 0; c < b->n; c++)
		complete = min_u64(complete, b->chains[c].complete);
	for (struct soonest s = find_soonest(b, g); s.from < complete; s = find_soonest(b, g)) {
		struct busy_chain *c = &b->chains[s.chain];
		if (!s.is_gc) {
			merge_runs(b, c, min_u64(complete, max_u64(s.second, s.from + 1)));
			continue;
		}
		const struct gc_row *gc = next_gc(g, s.chain, c->gc++);
		extend(&b->gc, gc->start, gc_end(gc));
		extend(&b->pause, gc_requested(gc), gc_end(gc));
		extend(&b->all, gc_requested(gc), gc_end(gc));
	}
}

void busy_join(struct busy *b, const struct gcs *g, uint32_t chain, struct busy_runs *runs, uint64_t complete)
{
	struct busy_chain *c = &b->chains[chain];
	if (runs->n && GROW(c->parts, c->n, c->room)) {
		c->parts[c->n++] = *runs;
	} else {
		b->failed = b->failed || runs->n;
		free(runs->items);
	}
	*runs = (struct busy_runs){0};
	if (complete > c->complete)
		c->complete = complete;
	merge(b, g);
}
