#include "threads/thread_order.h"

#include "base/gallop.h"
#include "sys/system.h"

#include <stdlib.h>
#include <string.h>

/* A base in the making. Of each part the first `most` of the order stay. */
struct maker {
	const struct thread_choice *choice;
	const atomic_bool *cancel;
	struct thread_base *out;
	bool failed; /* out of memory */
};

static bool was_seen(const struct thread_row *row)
{
	return row->born || row->died || load_relaxed(&row->runs) || load_relaxed(&row->label);
}

/* Call visit for every thread that was seen, by id. False: cancelled. */
static bool each(struct maker *m, void (*visit)(struct maker *m, uint32_t thread))
{
	const struct threads *threads = &m->choice->log->threads;
	for (uint32_t page = 0; page < threads_pages(threads); page++) {
		uint32_t n;
		const struct thread_row *rows = threads_page(threads, page, &n);
		for (uint32_t i = 0; rows && i < n; i++)
			if (was_seen(&rows[i]))
				visit(m, page << THREADS_PAGE_BITS | i);
		if (rows && is_cancelled(m->cancel))
			return false;
	}
	return true;
}

/* After a cancellation sorting stops: all are equal then. */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct maker *m = ctx;
	void *log = (void *)(uintptr_t)m->choice->log;
	if (is_cancelled(m->cancel))
		return 0;
	switch (m->choice->ask->order) {
	case ORDER_ID: return thread_by_id(a, b);
	case ORDER_NAME: return thread_by_name(a, b, log);
	default: return thread_by_total(a, b, log);
	}
}

/* Put a part in order, and keep no more than are listed. */
static void prune(struct maker *m, struct thread_part *p)
{
	if (p->n)
		sys_sort(p->ids, p->n, sizeof *p->ids, compare, m);
	p->pruned = p->n >= m->choice->most;
	p->more += p->n - min_u64(p->n, m->choice->most);
	p->n = min_u64(p->n, m->choice->most);
}

static void list(struct maker *m, struct thread_part *p, uint32_t thread)
{
	if (p->n >= 2 * m->choice->most)
		prune(m, p);
	if (p->pruned && compare(&thread, &p->ids[m->choice->most - 1], m) > 0)
		p->more++;
	else if (GROW(p->ids, p->n, p->room))
		p->ids[p->n++] = thread;
	else
		m->failed = true;
}

static void take(struct maker *m, uint32_t thread)
{
	int fold = thread_fold_of(m->choice->log, m->choice->ask, thread);
	m->out->all++;
	if (fold >= 0)
		m->out->members[fold]++;
	if (thread_keeps(m->choice, thread, NULL))
		list(m, &m->out->parts[fold >= 0 ? fold : PART_REST], thread);
}

/* --- places ---------------------------------------------------------------------------------------------------------- */

static struct thread_step step_of(const struct thread_base *b, uint32_t thread)
{
	return (struct thread_step){b->ask.order == ORDER_ID ? 0 : thread_total_run(b->log, thread), thread};
}

static bool make_steps(const struct thread_base *b, struct thread_part *p)
{
	p->steps = calloc(p->n / THREAD_STEP + 1, sizeof *p->steps);
	for (size_t i = 0; p->steps && i < p->n; i += THREAD_STEP)
		p->steps[i / THREAD_STEP] = step_of(b, p->ids[i]);
	return p->steps;
}

static bool is_after(const struct thread_step *a, const struct thread_step *b)
{
	return a->run_ns != b->run_ns ? a->run_ns < b->run_ns : a->id > b->id;
}

/* Between two steps the ids are compared: they are few, and lie side by side. */
static uint32_t rank_by_steps(const struct thread_base *b, const struct thread_part *p, uint32_t thread)
{
	struct thread_step wanted = step_of(b, thread);
	BISECT(after, (p->n + THREAD_STEP - 1) / THREAD_STEP, !is_after(&p->steps[mid], &wanted));
	for (size_t low = after ? after - 1 : 0, i = low * THREAD_STEP; i < p->n && i < (low + 1) * THREAD_STEP; i++)
		if (p->ids[i] == thread)
			return (uint32_t)i;
	return THREAD_UNLISTED;
}

/* Names are in the log, which the screen's thread does not touch, and a growing log is closed before its list is replaced: so each
 * thread's place is kept for them. */
static bool make_places(struct thread_part *p)
{
	p->places = calloc(p->n + 1, sizeof *p->places);
	for (size_t i = 0; p->places && i < p->n; i++)
		p->places[i] = (struct thread_place){p->ids[i], (uint32_t)i};
	if (p->places) /* the id comes first in a place */
		qsort(p->places, p->n, sizeof *p->places, thread_by_id);
	return p->places;
}

uint32_t thread_order_rank(const struct thread_base *b, size_t part, uint32_t thread)
{
	const struct thread_part *p = &b->parts[part];
	if (p->steps)
		return rank_by_steps(b, p, thread);
	const struct thread_place *place =
		p->places ? bsearch(&thread, p->places, p->n, sizeof *p->places, thread_by_id) : NULL;
	return place ? place->rank : THREAD_UNLISTED;
}

/* --- making ---------------------------------------------------------------------------------------------------------- */

static bool finish(struct maker *m, struct thread_part *p)
{
	if (p->n == 0)
		return true;
	prune(m, p);
	uint32_t *fitting = realloc(p->ids, p->n * sizeof *p->ids);
	if (fitting)
		p->ids = fitting;
	p->room = p->n;
	return m->out->ask.order == ORDER_NAME || m->out->ask.grows ? make_places(p) : make_steps(m->out, p);
}

static bool fill(struct maker *m)
{
	if (!each(m, take) || m->failed)
		return false;
	for (size_t i = 0; i < LIST_PARTS; i++)
		if (!finish(m, &m->out->parts[i]))
			return false;
	return !is_cancelled(m->cancel);
}

struct thread_base *thread_order_new(const struct thread_choice *c, const atomic_bool *cancel)
{
	struct maker m = {.choice = c, .cancel = cancel, .out = calloc(1, sizeof *m.out)};
	if (!m.out)
		return NULL;
	m.out->holders = 1;
	m.out->log = c->log;
	m.out->ask = *c->ask;
	m.out->known = c->known;
	if (fill(&m))
		return m.out;
	thread_order_drop(m.out);
	return NULL;
}

/* Orders by what happens in the window are by the whole run for those to whom nothing happens. */
static enum thread_order fixed(enum thread_order order) { return thread_order_is_fixed(order) ? order : ORDER_RUN; }

bool thread_order_fits(const struct thread_base *b, const struct thread_choice *c)
{
	const struct thread_list_ask *a = &b->ask, *ask = c->ask;
	return b->known == c->known && a->grows == ask->grows && fixed(a->order) == fixed(ask->order)
		&& strcmp(a->filter, ask->filter) == 0 && a->n_folds == ask->n_folds
		&& memcmp(a->folds, ask->folds, sizeof a->folds) == 0;
}

struct thread_base *thread_order_hold(struct thread_base *b)
{
	atomic_fetch_add(&b->holders, 1);
	return b;
}

void thread_order_drop(struct thread_base *b)
{
	if (!b || atomic_fetch_sub(&b->holders, 1) > 1)
		return;
	for (size_t i = 0; i < LIST_PARTS; i++)
		free_all(b->parts[i].places, b->parts[i].steps, b->parts[i].ids);
	free(b);
}
