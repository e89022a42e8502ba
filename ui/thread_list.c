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

/* A list in the making: those that the order tells apart, and the others as they come. */
struct maker {
	const struct evl_log *log;
	const struct thread_list_ask *ask;
	const struct thread_scan *sums;
	struct lane_filter filter;
	uint32_t *front, *back;
	size_t n_front, n_back, front_room, back_room;
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

static bool take(struct maker *m, uint32_t thread, const struct thread_row *row)
{
	if (is_hidden(m->ask, thread) || !passes(m, thread, row))
		return true;
	int fold = thread_fold_of(m->log, m->ask, thread);
	if (fold >= 0) {
		m->out->in_fold[fold]++;
	} else if (key_of(m, thread)) {
		if (!GROW(m->front, m->n_front, m->front_room))
			return false;
		m->front[m->n_front++] = thread;
	} else {
		if (!GROW(m->back, m->n_back, m->back_room))
			return false;
		m->back[m->n_back++] = thread;
	}
	return true;
}

/* Every thread that was seen, by id. */
static bool each_row(const struct evl_log *log, bool (*visit)(struct maker *m, uint32_t id, const struct thread_row *row),
	struct maker *m)
{
	enum { PAGE = 1 << THREADS_PAGE_BITS };
	for (uint32_t page = 0; page < THREADS_PAGES; page++) {
		const struct thread_row *rows = threads_find(&log->threads, page << THREADS_PAGE_BITS);
		for (uint32_t i = 0; rows && i < PAGE; i++)
			if (was_seen(&rows[i]) && !visit(m, page << THREADS_PAGE_BITS | i, &rows[i]))
				return false;
	}
	return true;
}

static bool each_of(struct maker *m, const struct thread_list *base)
{
	for (size_t i = 0; i < base->n; i++)
		if (!take(m, base->ids[i], threads_find(&m->log->threads, base->ids[i])))
			return false;
	return true;
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

static bool add_base(struct maker *m, uint32_t thread, const struct thread_row *row)
{
	(void)row;
	if (!GROW(m->back, m->n_back, m->back_room))
		return false;
	m->back[m->n_back++] = thread;
	return true;
}

int thread_list_base(struct thread_list *out, const struct evl_log *log)
{
	struct maker m = {.log = log};
	*out = (struct thread_list){0};
	if (!each_row(log, add_base, &m)) {
		free(m.back);
		return EVL_NOMEM;
	}
	if (m.n_back)
		qsort_r(m.back, m.n_back, sizeof *m.back, by_total, &m);
	uint32_t *fitting = realloc(m.back, (m.n_back ? m.n_back : 1) * sizeof *m.back);
	*out = (struct thread_list){.ids = fitting ? fitting : m.back, .n = m.n_back, .all = m.n_back};
	return 0;
}

/* The front before the back, in no more memory than that takes. False when memory is out; nothing is freed then. */
static bool join(struct maker *m)
{
	size_t n = m->n_front + m->n_back;
	uint32_t *ids = calloc(n ? n : 1, sizeof *ids);
	if (!ids)
		return false;
	if (m->n_front)
		memcpy(ids, m->front, m->n_front * sizeof *ids);
	if (m->n_back)
		memcpy(ids + m->n_front, m->back, m->n_back * sizeof *ids);
	m->out->ids = ids;
	m->out->n = n;
	return true;
}

int thread_list_make(struct thread_list *out, const struct evl_log *log, const struct thread_list *base,
	const struct thread_list_ask *ask, const struct thread_scan *sums)
{
	struct maker m = {.log = log, .ask = ask, .sums = sums, .out = out};
	bool by_id_or_name = ask->order == ORDER_ID || ask->order == ORDER_NAME;
	*out = (struct thread_list){.all = base->n, .t0 = ask->t0, .t1 = ask->t1, .others = sums ? sums->others : 0,
		.in_window = sums || by_id_or_name || (ask->whole && ask->order == ORDER_RUN)};
	lane_filter_parse(&m.filter, ask->filter);
	bool good = by_id_or_name ? each_row(log, take, &m) : each_of(&m, base);
	if (good && m.n_front)
		qsort_r(m.front, m.n_front, sizeof *m.front, ask->order == ORDER_NAME ? by_name : by_key, &m);
	good = good && join(&m);
	free(m.front);
	free(m.back);
	return good ? 0 : EVL_NOMEM;
}

void thread_list_free(struct thread_list *l)
{
	free(l->ids);
	*l = (struct thread_list){0};
}
