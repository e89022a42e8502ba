#include "threads/thread_list.h"

#include "base/gallop.h"
#include "base/order.h"
#include "sys/system.h"

#include <stdlib.h>
#include <string.h>

/* A thread in front, and what puts it there. */
struct candidate {
	uint64_t key;
	uint32_t id, rank, part; /* rank: in the part of the base; among equals it decides */
};

/* A place of the base that is left out. */
struct left_out {
	uint32_t part, rank;
};

/* A list in the making. */
struct maker {
	const struct thread_choice *choice;
	struct thread_list *out;
	struct candidate *front;
	struct left_out *gaps;
	size_t n_front, n_gaps;
};

static uint64_t key_of(enum thread_order order, const struct thread_sum *sum)
{
	switch (order) {
	case ORDER_RUN: return sum->run_ns;
	case ORDER_WAIT: return sum->wait_ns;
	case ORDER_WAKEUPS: return sum->wakeups;
	default: return 0;
	}
}

static size_t part_of(const struct maker *m, uint32_t thread)
{
	int fold = thread_fold_of(m->choice->log, m->choice->ask, thread);
	return fold >= 0 ? (size_t)fold : PART_REST;
}

static void leave_out(struct maker *m, uint32_t thread)
{
	size_t part = part_of(m, thread);
	uint32_t rank = thread_order_rank(m->out->base, part, thread);
	if (rank != THREAD_UNLISTED)
		m->gaps[m->n_gaps++] = (struct left_out){(uint32_t)part, rank};
}

/* A thread that does something in the window. */
static void take(struct maker *m, const struct thread_sum *sum)
{
	const struct thread_list_ask *ask = m->choice->ask;
	bool kept = thread_keeps(m->choice, sum->thread, sum), hidden = thread_is_hidden(ask, sum->thread);
	uint64_t key = key_of(ask->order, sum);
	size_t part = part_of(m, sum->thread);
	uint32_t rank = thread_order_rank(m->out->base, part, sum->thread);
	bool listed = rank != THREAD_UNLISTED;
	if (kept && !hidden)
		m->out->parts[part].key += min_u64(key, UINT64_MAX - m->out->parts[part].key);
	if (kept && !hidden && (key || !listed))
		m->front[m->n_front++] = (struct candidate){key, sum->thread, rank, (uint32_t)part};
	if (listed && (key || !kept))
		m->gaps[m->n_gaps++] = (struct left_out){(uint32_t)part, rank};
}

/* By part; in it, larger first. */
static int by_key(const void *a, const void *b, void *ctx)
{
	const struct candidate *x = a, *y = b;
	const struct maker *m = ctx;
	void *log = (void *)(uintptr_t)m->choice->log;
	if (x->part != y->part)
		return ORDER(x->part, y->part);
	if (m->choice->ask->order == ORDER_NAME) /* which has no keys */
		return thread_by_name(&x->id, &y->id, log);
	if (x->key != y->key)
		return ORDER(y->key, x->key);
	if (x->rank != y->rank)
		return ORDER(x->rank, y->rank);
	return m->choice->ask->order == ORDER_ID ? thread_by_id(&x->id, &y->id) : thread_by_total(&x->id, &y->id, log);
}

COMPARE_BY(by_place, struct left_out, RISING(part) ?: RISING(rank));

/* In ascending order, each once. */
static void put_gaps(struct maker *m)
{
	struct thread_list *l = m->out;
	const struct left_out *last = NULL;
	size_t n = 0;
	qsort(m->gaps, m->n_gaps, sizeof *m->gaps, by_place);
	for (size_t i = 0; i < m->n_gaps; last = &m->gaps[i++]) {
		struct list_part *part = &l->parts[m->gaps[i].part];
		if (last && by_place(last, &m->gaps[i]) == 0)
			continue;
		part->gaps = part->n_gaps++ ? part->gaps : l->gaps + n;
		l->gaps[n++] = m->gaps[i].rank;
	}
}

static void put_front(struct maker *m)
{
	struct thread_list *l = m->out;
	sys_sort(m->front, m->n_front, sizeof *m->front, by_key, m);
	for (size_t i = 0; i < m->n_front; i++) {
		struct list_part *part = &l->parts[m->front[i].part];
		part->front = part->n_front++ ? part->front : l->front + i;
		l->front[i] = m->front[i].id;
	}
}

/* The first gap that is not before this place in the base. */
static size_t gap_from(const struct list_part *p, uint32_t rank)
{
	BISECT(low, p->n_gaps, p->gaps[mid] < rank);
	return low;
}

/* How many of the rest did more, where only the whole run is known. */
static size_t before_in_run(const struct thread_list *l, uint64_t key)
{
	const struct thread_part *rest = &l->base->parts[PART_REST];
	BISECT(low, rest->n, thread_total_run(l->base->log, rest->ids[mid]) > key);
	return low - gap_from(&l->parts[PART_REST], (uint32_t)low);
}

static uint64_t run_of(const struct thread_list *l, size_t group)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < l->parts[group].n; i++)
		sum += min_u64(thread_total_run(l->base->log, thread_list_at(l, group, i)), UINT64_MAX - sum);
	return sum;
}

/* A group comes where a thread would that did all that its threads did; in an order of ids or names, first. */
static void place_groups(struct maker *m, bool sums)
{
	struct thread_list *l = m->out;
	const struct list_part *rest = &l->parts[PART_REST];
	size_t first = m->n_front - rest->n_front; /* of the rest among the candidates */
	for (uint32_t i = 0; i < m->choice->ask->n_folds && !thread_order_is_fixed(m->choice->ask->order); i++) {
		struct list_part *group = &l->parts[i];
		if (!sums) {
			group->key = run_of(l, i);
			group->at = before_in_run(l, group->key);
			continue;
		}
		BISECT(low, rest->n_front, m->front[first + mid].key > group->key);
		group->at = low;
	}
}

static void choose(struct maker *m, const struct thread_shares *sums)
{
	struct thread_list *l = m->out;
	const struct thread_list_ask *ask = m->choice->ask;
	for (size_t i = 0; sums && i < sums->n_sums; i++)
		take(m, &sums->sums[i]);
	for (uint32_t i = 0; i < ask->n_hidden; i++)
		leave_out(m, ask->hidden[i]);
	put_gaps(m);
	put_front(m);
	for (size_t i = 0; i < LIST_PARTS; i++) {
		struct list_part *part = &l->parts[i];
		part->n = part->n_front + l->base->parts[i].n - part->n_gaps;
		l->n += part->n;
		l->more += l->base->parts[i].more;
	}
	place_groups(m, sums);
}

int thread_list_make(struct thread_list *out, struct thread_base *base, const struct thread_choice *c,
	const struct thread_shares *sums)
{
	const struct thread_list_ask *ask = c->ask;
	size_t most = sums ? sums->n_sums : 0, most_gaps = most + ask->n_hidden + 1;
	struct maker m = {.choice = c,
		.out = out,
		.front = calloc(most + 1, sizeof *m.front),
		.gaps = calloc(most_gaps, sizeof *m.gaps)};
	*out = (struct thread_list){.base = thread_order_hold(base),
		.all = base->all,
		.t0 = ask->t0,
		.t1 = ask->t1,
		.front = calloc(most + 1, sizeof *out->front),
		.gaps = calloc(most_gaps, sizeof *out->gaps),
		.others = sums ? sums->others : 0,
		.in_window = sums || thread_order_is_fixed(ask->order) || (ask->whole && ask->order == ORDER_RUN)};
	bool good = m.front && m.gaps && out->front && out->gaps;
	if (good)
		choose(&m, sums);
	else
		thread_list_free(out);
	free_all(m.front, m.gaps);
	return good ? 0 : EVL_NOMEM;
}

void thread_list_free(struct thread_list *l)
{
	thread_order_drop(l->base);
	free_all(l->front, l->gaps);
	*l = (struct thread_list){0};
}

/* How many gaps come before the i-th thread of the base that is left: gaps[k] - k are left before gap k. */
static size_t gaps_passed(const struct list_part *p, size_t i)
{
	BISECT(low, p->n_gaps, p->gaps[mid] - mid <= i);
	return low;
}

uint32_t thread_list_at(const struct thread_list *l, size_t part, size_t i)
{
	const struct list_part *p = &l->parts[part];
	if (i < p->n_front)
		return p->front[i];
	i -= p->n_front;
	return l->base->parts[part].ids[i + gaps_passed(p, i)];
}

static bool find_in(const struct thread_list *l, size_t part, uint32_t thread, size_t *place)
{
	const struct list_part *p = &l->parts[part];
	for (*place = 0; *place < p->n_front; ++*place)
		if (p->front[*place] == thread)
			return true;
	uint32_t rank = thread_order_rank(l->base, part, thread);
	if (rank == THREAD_UNLISTED)
		return false;
	size_t gap = gap_from(p, rank);
	*place = p->n_front + rank - gap;
	return gap == p->n_gaps || p->gaps[gap] != rank;
}

bool thread_list_find(const struct thread_list *l, uint32_t thread, size_t *part, size_t *place)
{
	for (*part = 0; *part < LIST_PARTS && l->base; ++*part)
		if (l->parts[*part].n && find_in(l, *part, thread, place))
			return true;
	return false;
}

/* The room of a part may touch that of the next: the gaps move to a table with room for one more. */
static bool add_gap(struct thread_list *l, struct list_part *part, uint32_t rank)
{
	size_t at = gap_from(part, rank), n = 0;
	for (size_t i = 0; i < LIST_PARTS; i++)
		n += l->parts[i].n_gaps;
	uint32_t *gaps = calloc(n + 1, sizeof *gaps), *to = gaps;
	if (!gaps)
		return false;
	for (size_t i = 0; i < LIST_PARTS; i++) {
		struct list_part *p = &l->parts[i];
		size_t before = p == part ? at : p->n_gaps;
		uint32_t *from = p->gaps;
		p->gaps = to;
		if (before)
			memcpy(to, from, before * sizeof *to);
		to += before;
		if (p != part)
			continue;
		*to++ = rank;
		if (p->n_gaps > at)
			memcpy(to, from + at, (p->n_gaps - at) * sizeof *to);
		to += p->n_gaps++ - at;
	}
	free(l->gaps);
	l->gaps = gaps;
	return true;
}

void thread_list_drop(struct thread_list *l, uint32_t thread)
{
	size_t part, i;
	if (!thread_list_find(l, thread, &part, &i))
		return;
	struct list_part *p = &l->parts[part];
	if (i < p->n_front)
		memmove(p->front + i, p->front + i + 1, (--p->n_front - i) * sizeof *p->front);
	else if (!add_gap(l, p, thread_order_rank(l->base, part, thread)))
		return;
	p->n--;
	l->n--;
	for (size_t k = 0; k < PART_REST && part == PART_REST; k++)
		l->parts[k].at -= l->parts[k].at > i;
}
