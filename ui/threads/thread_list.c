#include "threads/thread_list.h"

#include "base/gallop.h"

#include <stdlib.h>
#include <string.h>

/* A thread in front, and what puts it there. */
struct candidate {
	uint64_t key;
	uint32_t id, rank; /* rank: in the base; among equals it decides */
};

/* A list in the making. */
struct maker {
	const struct thread_choice *choice;
	struct thread_list *out;
	struct candidate *front;
};

static bool is_hidden(const struct thread_list_ask *ask, uint32_t thread)
{
	return ask->n_hidden && bsearch(&thread, ask->hidden, ask->n_hidden, sizeof thread, thread_by_id);
}

static uint64_t key_of(enum thread_order order, const struct thread_sum *sum)
{
	switch (order) {
	case ORDER_RUN: return sum->run_ns;
	case ORDER_WAIT: return sum->wait_ns;
	case ORDER_WAKEUPS: return sum->wakeups;
	default: return 0;
	}
}

static void leave_out(struct thread_list *l, uint32_t thread)
{
	uint32_t rank = thread_order_rank(l->base, thread);
	if (rank != THREAD_UNLISTED)
		l->gaps[l->n_gaps++] = rank;
}

/* A member of a group: the base has counted it if the filter keeps it although it does nothing. */
static void count_member(struct maker *m, int fold, bool kept, uint32_t thread)
{
	m->out->in_fold[fold] -= thread_keeps(m->choice, thread, NULL);
	m->out->in_fold[fold] += kept;
}

/* A thread that does something in the window. */
static void take(struct maker *m, const struct thread_sum *sum)
{
	struct thread_list *l = m->out;
	const struct thread_list_ask *ask = m->choice->ask;
	int fold = thread_fold_of(m->choice->log, ask, sum->thread);
	bool kept = thread_keeps(m->choice, sum->thread, sum);
	uint64_t key = key_of(ask->order, sum);
	if (fold >= 0) {
		count_member(m, fold, kept, sum->thread);
		return;
	}
	uint32_t rank = thread_order_rank(l->base, sum->thread);
	bool listed = rank != THREAD_UNLISTED;
	if (kept && (key || !listed) && !is_hidden(ask, sum->thread))
		m->front[l->n_front++] = (struct candidate){key, sum->thread, rank};
	if (listed && (key || !kept))
		l->gaps[l->n_gaps++] = rank;
}

/* Larger first. */
static int by_key(const void *a, const void *b, void *ctx)
{
	const struct candidate *x = a, *y = b;
	const struct maker *m = ctx;
	void *log = (void *)(uintptr_t)m->choice->log;
	if (m->choice->ask->order == ORDER_NAME) /* which has no keys */
		return thread_by_name(&x->id, &y->id, log);
	if (x->key != y->key)
		return (x->key < y->key) - (x->key > y->key);
	if (x->rank != y->rank)
		return (x->rank > y->rank) - (x->rank < y->rank);
	return m->choice->ask->order == ORDER_ID ? thread_by_id(&x->id, &y->id) : thread_by_total(&x->id, &y->id, log);
}

/* In ascending order, each once. */
static void order_gaps(struct thread_list *l)
{
	size_t n = 0;
	qsort(l->gaps, l->n_gaps, sizeof *l->gaps, thread_by_id);
	for (size_t i = 0; i < l->n_gaps; i++)
		if (n == 0 || l->gaps[n - 1] != l->gaps[i])
			l->gaps[n++] = l->gaps[i];
	l->n_gaps = n;
}

static void choose(struct maker *m, const struct thread_shares *sums)
{
	struct thread_list *l = m->out;
	const struct thread_list_ask *ask = m->choice->ask;
	for (size_t i = 0; sums && i < sums->n_sums; i++)
		take(m, &sums->sums[i]);
	for (uint32_t i = 0; i < ask->n_hidden; i++)
		leave_out(l, ask->hidden[i]);
	order_gaps(l);
	qsort_r(m->front, l->n_front, sizeof *m->front, by_key, m);
	for (size_t i = 0; i < l->n_front; i++)
		l->front[i] = m->front[i].id;
	l->n = l->n_front + l->base->n - l->n_gaps;
}

int thread_list_make(struct thread_list *out, struct thread_base *base, const struct thread_choice *c,
	const struct thread_shares *sums)
{
	const struct thread_list_ask *ask = c->ask;
	size_t most = sums ? sums->n_sums : 0;
	struct maker m = {.choice = c, .out = out, .front = calloc(most + 1, sizeof *m.front)};
	*out = (struct thread_list){.base = thread_order_hold(base),
		.all = base->all,
		.t0 = ask->t0,
		.t1 = ask->t1,
		.front = calloc(most + 1, sizeof *out->front),
		.gaps = calloc(most + ask->n_hidden + 1, sizeof *out->gaps),
		.others = sums ? sums->others : 0,
		.in_window = sums || thread_order_is_fixed(ask->order) || (ask->whole && ask->order == ORDER_RUN)};
	memcpy(out->in_fold, base->in_fold, sizeof out->in_fold);
	bool good = m.front && out->front && out->gaps;
	if (good)
		choose(&m, sums);
	else
		thread_list_free(out);
	free(m.front);
	return good ? 0 : EVL_NOMEM;
}

void thread_list_free(struct thread_list *l)
{
	thread_order_drop(l->base);
	free(l->front);
	free(l->gaps);
	*l = (struct thread_list){0};
}

/* How many gaps come before the i-th thread of the base that is left: gaps[k] - k are left before gap k. */
static size_t gaps_passed(const struct thread_list *l, size_t i)
{
	BISECT(low, l->n_gaps, l->gaps[mid] - mid <= i);
	return low;
}

/* The first gap that is not before this place in the base. */
static size_t gap_from(const struct thread_list *l, uint32_t rank)
{
	BISECT(low, l->n_gaps, l->gaps[mid] < rank);
	return low;
}

uint32_t thread_list_at(const struct thread_list *l, size_t i)
{
	if (i < l->n_front)
		return l->front[i];
	i -= l->n_front;
	return l->base->ids[i + gaps_passed(l, i)];
}

size_t thread_list_find(const struct thread_list *l, uint32_t thread)
{
	for (size_t i = 0; i < l->n_front; i++)
		if (l->front[i] == thread)
			return i;
	uint32_t rank = l->base ? thread_order_rank(l->base, thread) : THREAD_UNLISTED;
	if (rank == THREAD_UNLISTED)
		return l->n;
	size_t gap = gap_from(l, rank);
	return gap < l->n_gaps && l->gaps[gap] == rank ? l->n : l->n_front + rank - gap;
}

static bool add_gap(struct thread_list *l, uint32_t rank)
{
	size_t at = gap_from(l, rank);
	uint32_t *gaps = realloc(l->gaps, (l->n_gaps + 1) * sizeof *gaps);
	if (!gaps)
		return false;
	memmove(gaps + at + 1, gaps + at, (l->n_gaps++ - at) * sizeof *gaps);
	gaps[at] = rank;
	l->gaps = gaps;
	return true;
}

void thread_list_drop(struct thread_list *l, uint32_t thread)
{
	size_t i = thread_list_find(l, thread);
	if (i == l->n)
		return;
	if (i < l->n_front)
		memmove(l->front + i, l->front + i + 1, (--l->n_front - i) * sizeof *l->front);
	else if (!add_gap(l, thread_order_rank(l->base, thread)))
		return;
	l->n--;
}
