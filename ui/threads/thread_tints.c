#include "threads/thread_tints.h"

#include "base/order.h"
#include "base/select.h"

#include <stdlib.h>

COMPARE_BY(by_run, struct thread_tint, FALLING(run_ns) ?: RISING(id));
ORDER_BY(by_id, struct thread_tint, id);

static void add(void *ctx, uint32_t id, const struct thread_row *row)
{
	struct thread_tints *t = ctx;
	const uint64_t run = load_relaxed(&row->run_ns);
	if (run == 0)
		return;
	if (t->n == 2 * THREAD_TINTS) {
		select_first(t->items, t->n, sizeof *t->items, THREAD_TINTS, by_run);
		t->n = THREAD_TINTS;
	}
	t->items[t->n++] = (struct thread_tint){.run_ns = run, .id = id};
}

void thread_tints_find(const struct evl_log *log, struct thread_tints *out)
{
	out->n = 0;
	threads_all(&log->threads, add, out);
	qsort(out->items, out->n, sizeof *out->items, by_run);
	out->n = out->n < THREAD_TINTS ? out->n : THREAD_TINTS;
	for (size_t i = 0; i < out->n; i++)
		out->items[i].rank = (uint32_t)i;
	qsort(out->items, out->n, sizeof *out->items, by_id);
}

uint32_t thread_tints_of(const struct thread_tints *t, uint32_t thread)
{
	const struct thread_tint key = {.id = thread}, *found = bsearch(&key, t->items, t->n, sizeof key, by_id);
	return found ? found->rank : thread;
}
