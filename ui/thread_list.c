#include "thread_list.h"

#include <stdio.h>
#include <stdlib.h>

const char *thread_order_name(enum thread_order order)
{
	static const char *const names[ORDERS] = {"run time", "time waiting to run", "wake-ups", "id", "name"};
	return names[order];
}

void thread_fold(char *out, struct evl_str label)
{
	size_t n = 0;
	for (size_t i = 0; i < label.len && n + 1 < LIST_NAME; i++) {
		bool digit = label.p[i] >= '0' && label.p[i] <= '9';
		if (label.p[i] && !(digit && n && out[n - 1] == '#'))
			out[n++] = digit ? '#' : (char)label.p[i];
	}
	out[n] = '\0';
}

int thread_fold_of(const struct evl_log *log, const struct thread_list_ask *ask, uint32_t thread)
{
	char name[LIST_NAME];
	if (ask->n_folds == 0)
		return -1;
	thread_fold(name, evl_label(log, thread));
	for (uint32_t i = 0; i < ask->n_folds; i++)
		if (strcmp(ask->folds[i], name) == 0)
			return (int)i;
	return -1;
}

/* --- choosing --- */

/* A list in the making, in the memory of the whole: from the front those that the order tells apart, from the back the
 * others, the first of them last. */
struct maker {
	const struct evl_log *log;
	const struct thread_list_ask *ask;
	const struct thread_scan *sums;
	struct lane_filter filter;
	uint32_t *ids;
	size_t room, n_front, n_back;
	struct thread_list *out;
};

static int by_id(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static bool is_hidden(const struct thread_list_ask *ask, uint32_t thread)
{
	return ask->n_hidden && bsearch(&thread, ask->hidden, ask->n_hidden, sizeof thread, by_id);
}

static uint64_t total_run(const struct thread_row *row)
{
	return row ? atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->run_ns, memory_order_relaxed) : 0;
}

static bool was_seen(const struct thread_row *row)
{
	struct thread_row *r = (struct thread_row *)(uintptr_t)row; /* C11 atomics have no loads from const */
	return row->born || row->died || atomic_load_explicit(&r->runs, memory_order_relaxed)
		|| atomic_load_explicit(&r->label, memory_order_relaxed);
}

static bool passes(const struct maker *m, uint32_t thread, const struct thread_row *row)
{
	struct lane_facts facts = {.thread = thread, .cap = EVL_NO_CAP, .window_ns = m->ask->t1 - m->ask->t0};
	const struct thread_sum *sum = m->sums ? thread_scan_find(m->sums, thread) : NULL;
	if (m->filter.n == 0)
		return true;
	if (!m->sums && !m->ask->whole && lane_filter_needs_sums(&m->filter))
		return true; /* not known yet */
	facts.label = evl_label(m->log, thread);
	facts.run_ns = m->sums ? 0 : total_run(row);
	if (sum) {
		facts.cap = sum->pos.cap;
		facts.run_ns = sum->run_ns;
		facts.wait_ns = sum->wait_ns;
		facts.wakeups = sum->wakeups;
		facts.stops = sum->stops;
		facts.states = sum->states;
	}
	return lane_filter_keeps(&m->filter, &facts);
}

static uint64_t key_of(const struct maker *m, uint32_t thread)
{
	const struct thread_sum *sum = m->sums ? thread_scan_find(m->sums, thread) : NULL;
	switch (m->ask->order) {
	case ORDER_RUN: return sum ? sum->run_ns : 0;
	case ORDER_WAIT: return sum ? sum->wait_ns : 0;
	case ORDER_WAKEUPS: return sum ? sum->wakeups : 0;
	case ORDER_NAME: return threads_label_at(&m->log->threads, thread);
	default: return 0;
	}
}

static void take(struct maker *m, uint32_t thread, const struct thread_row *row)
{
	if (is_hidden(m->ask, thread) || !passes(m, thread, row) || m->n_front + m->n_back == m->room)
		return;
	int fold = thread_fold_of(m->log, m->ask, thread);
	if (fold >= 0)
		m->out->in_fold[fold]++;
	else if (key_of(m, thread))
		m->ids[m->n_front++] = thread;
	else
		m->ids[m->room - ++m->n_back] = thread;
}

/* Every thread that was seen, by id. */
static void each_row(struct maker *m, void (*visit)(struct maker *m, uint32_t id, const struct thread_row *row))
{
	enum { PAGE = 1 << THREADS_PAGE_BITS };
	for (uint32_t page = 0; page < THREADS_PAGES; page++) {
		const struct thread_row *rows = threads_find(&m->log->threads, page << THREADS_PAGE_BITS);
		for (uint32_t i = 0; rows && i < PAGE; i++)
			if (was_seen(&rows[i]))
				visit(m, page << THREADS_PAGE_BITS | i, &rows[i]);
	}
}

static void each_of(struct maker *m, const struct thread_list *base)
{
	for (size_t i = 0; i < base->n; i++)
		take(m, base->ids[i], threads_find(&m->log->threads, base->ids[i]));
}

/* --- sorting --- */

/* What ran more in the whole run, then by id. */
static int by_total(const void *a, const void *b, void *ctx)
{
	const struct maker *m = ctx;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = total_run(threads_find(&m->log->threads, x)), q = total_run(threads_find(&m->log->threads, y));
	return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

/* Larger first. */
static int by_key(const void *a, const void *b, void *ctx)
{
	uint64_t p = key_of(ctx, *(const uint32_t *)a), q = key_of(ctx, *(const uint32_t *)b);
	return p != q ? (p < q) - (p > q) : by_total(a, b, ctx);
}

static bool is_digit(struct evl_str s, size_t i)
{
	return i < s.len && s.p[i] >= '0' && s.p[i] <= '9';
}

/* The number at *i, which is then behind it. */
static uint64_t number_at(struct evl_str s, size_t *i)
{
	uint64_t value = 0;
	for (; is_digit(s, *i); ++*i)
		value = value < UINT64_MAX / 16 ? value * 10 + (uint64_t)(s.p[*i] - '0') : value;
	return value;
}

/* worker-2 before worker-10. */
static int by_name(const void *a, const void *b, void *ctx)
{
	const struct maker *m = ctx;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	struct evl_str p = evl_label(m->log, x), q = evl_label(m->log, y);
	size_t i = 0, j = 0;
	while (i < p.len && j < q.len) {
		if (is_digit(p, i) && is_digit(q, j)) {
			uint64_t u = number_at(p, &i), v = number_at(q, &j);
			if (u != v)
				return u < v ? -1 : 1;
		} else if (p.p[i] != q.p[j]) {
			return p.p[i] < q.p[j] ? -1 : 1;
		} else {
			i++, j++;
		}
	}
	size_t left = p.len - i, right = q.len - j;
	return left != right ? (left > right) - (left < right) : (x > y) - (x < y);
}

static void count(struct maker *m, uint32_t thread, const struct thread_row *row)
{
	(void)thread;
	(void)row;
	m->room++;
}

static void add(struct maker *m, uint32_t thread, const struct thread_row *row)
{
	(void)row;
	if (m->n_front < m->room)
		m->ids[m->n_front++] = thread;
}

int thread_list_base(struct thread_list *out, const struct evl_log *log)
{
	struct maker m = {.log = log};
	*out = (struct thread_list){0};
	each_row(&m, count);
	m.ids = calloc(m.room ? m.room : 1, sizeof *m.ids);
	if (!m.ids)
		return EVL_NOMEM;
	each_row(&m, add);
	qsort_r(m.ids, m.n_front, sizeof *m.ids, by_total, &m);
	*out = (struct thread_list){.ids = m.ids, .n = m.n_front, .all = m.n_front};
	return 0;
}

/* The back in its order, next to the front. */
static void join(struct maker *m)
{
	uint32_t *back = m->ids + (m->room - m->n_back);
	for (size_t i = 0; i < m->n_back / 2; i++) {
		uint32_t kept = back[i];
		back[i] = back[m->n_back - 1 - i];
		back[m->n_back - 1 - i] = kept;
	}
	memmove(m->ids + m->n_front, back, m->n_back * sizeof *back);
}

int thread_list_make(struct thread_list *out, const struct evl_log *log, const struct thread_list *base,
	const struct thread_list_ask *ask, const struct thread_scan *sums)
{
	struct maker m = {.log = log, .ask = ask, .sums = sums, .out = out, .room = base->n};
	bool by_id_or_name = ask->order == ORDER_ID || ask->order == ORDER_NAME;
	*out = (struct thread_list){.all = base->n, .t0 = ask->t0, .t1 = ask->t1, .others = sums ? sums->others : 0,
		.in_window = sums || by_id_or_name || (ask->whole && ask->order == ORDER_RUN)};
	m.ids = calloc(m.room ? m.room : 1, sizeof *m.ids);
	if (!m.ids)
		return EVL_NOMEM;
	lane_filter_parse(&m.filter, ask->filter);
	if (by_id_or_name)
		each_row(&m, take);
	else
		each_of(&m, base);
	qsort_r(m.ids, m.n_front, sizeof *m.ids, ask->order == ORDER_NAME ? by_name : by_key, &m);
	join(&m);
	out->ids = m.ids;
	out->n = m.n_front + m.n_back;
	out->borrowed = out->n == base->n && memcmp(m.ids, base->ids, base->n * sizeof *m.ids) == 0;
	if (out->borrowed) {
		free(m.ids);
		out->ids = base->ids;
	}
	return 0;
}

void thread_list_free(struct thread_list *l)
{
	if (!l->borrowed)
		free(l->ids);
	*l = (struct thread_list){0};
}

/* The base keeps what is borrowed from it. When memory is out the thread stays. */
static bool own(struct thread_list *l)
{
	uint32_t *ids = l->borrowed ? malloc(l->n * sizeof *ids) : l->ids;
	if (ids && l->borrowed)
		memcpy(ids, l->ids, l->n * sizeof *ids);
	if (!ids)
		return false;
	l->ids = ids;
	l->borrowed = false;
	return true;
}

void thread_list_drop(struct thread_list *l, uint32_t thread)
{
	size_t i = 0;
	while (i < l->n && l->ids[i] != thread)
		i++;
	if (i < l->n && own(l))
		memmove(l->ids + i, l->ids + i + 1, (--l->n - i) * sizeof *l->ids);
}
