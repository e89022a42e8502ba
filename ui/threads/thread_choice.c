#include "threads/thread_choice.h"

#include <stdlib.h>
#include <string.h>

const char *thread_order_name(enum thread_order order)
{
	static const char *const names[ORDERS] = {"run time", "time waiting to run", "wake-ups", "id", "name"};
	return names[order];
}

bool thread_order_is_fixed(enum thread_order order) { return order == ORDER_ID || order == ORDER_NAME; }

/* --- groups --- */

void thread_fold(char *out, struct evl_str label)
{
	size_t n = 0;
	for (size_t i = 0; i < label.len && n + 1 < LIST_NAME; i++) {
		bool digit = is_digit(label.p[i]);
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

/* --- the filter --- */

struct thread_choice thread_choice(const struct evl_log *log, const struct thread_list_ask *ask, bool sums)
{
	struct thread_choice c = {.most = THREADS_LISTED, .log = log, .ask = ask};
	filter_parse(&c.filter, &lane_filter_fields, ask->filter, NULL); /* what is wrong was said where it was typed */
	if (!sums && lane_filter_needs_sums(&c.filter))
		c.known = ask->whole ? CHOICE_RUN : CHOICE_ANY;
	return c;
}

bool thread_is_hidden(const struct thread_list_ask *ask, uint32_t thread)
{
	return ask->n_hidden && bsearch(&thread, ask->hidden, ask->n_hidden, sizeof thread, thread_by_id);
}

uint64_t thread_total_run(const struct evl_log *log, uint32_t thread)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	return row ? load_relaxed(&row->run_ns) : 0;
}

bool thread_keeps(const struct thread_choice *c, uint32_t thread, const struct thread_sum *sum)
{
	struct lane_facts facts = {.thread = thread, .cap = EVL_NO_CAP, .window_ns = c->ask->t1 - c->ask->t0};
	if (c->filter.n == 0 || c->known == CHOICE_ANY)
		return true;
	facts.label = evl_label(c->log, thread);
	facts.run_ns = c->known == CHOICE_RUN ? thread_total_run(c->log, thread) : 0;
	if (sum) {
		facts.cap = sum->pos.cap;
		facts.run_ns = sum->run_ns;
		facts.wait_ns = sum->wait_ns;
		facts.wakeups = sum->wakeups;
		facts.stops = sum->stops;
		facts.states = sum->states;
	}
	return lane_filter_keeps(&c->filter, &facts);
}

/* --- orders --- */

int thread_by_id(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return ORDER(x, y);
}

int thread_by_total(const void *a, const void *b, void *log)
{
	uint64_t p = thread_total_run(log, *(const uint32_t *)a), q = thread_total_run(log, *(const uint32_t *)b);
	return p != q ? ORDER(q, p) : thread_by_id(a, b);
}

static bool digit_at(struct evl_str s, size_t i) { return i < s.len && is_digit(s.p[i]); }

/* Parse the number at *i and move *i past it. */
static uint64_t number_at(struct evl_str s, size_t *i)
{
	uint64_t value = 0;
	for (; digit_at(s, *i); ++*i)
		value = value < UINT64_MAX / 16 ? value * 10 + (uint64_t)(s.p[*i] - '0') : value;
	return value;
}

int thread_by_name(const void *a, const void *b, void *log)
{
	struct evl_str p = evl_label(log, *(const uint32_t *)a), q = evl_label(log, *(const uint32_t *)b);
	size_t i = 0, j = 0;
	if (!p.len != !q.len)
		return p.len ? -1 : 1;
	while (i < p.len && j < q.len) {
		if (digit_at(p, i) && digit_at(q, j)) {
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
	return left != right ? ORDER(left, right) : thread_by_id(a, b);
}
