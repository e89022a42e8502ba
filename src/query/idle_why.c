#include "query/idle_why.h"

#include "query/thread_history.h"

/* Where a thread waits to run, as far as its events tell. */
struct queue {
	bool known;
	uint16_t cap;
};

struct look {
	struct idle_why *out;
	const struct evl_log *log;
	uint64_t t;
};

/* Did a thread stop with a heap overflow, and has no collection begun since then? */
static bool waits_for_gc(const struct look *look, const struct stretch *runnable)
{
	const struct gc_row *gc = gcs_before(&look->log->gcs, look->t + 1, GC_ALL);
	return runnable->stop == STOP_HEAP && (!gc || gc->start < runnable->since);
}

static void on_run(UNUSED void *ctx, const struct stretch *s)
{
	if (s->state == THREAD_RUNNING)
		*(struct queue *)s->own = (struct queue){true, s->cap};
}

/* It is created, woken or migrated; a wake-up of a thread that runs is a copy, and late. */
static void on_event(
	UNUSED void *ctx, const struct thread_event *e, UNUSED uint64_t t, enum thread_state was, void *own)
{
	if (was != THREAD_RUNNING)
		*(struct queue *)own = (struct queue){true, e->to_cap};
}

static void on_thread_left(void *ctx, const struct stretch *last)
{
	const struct look *look = ctx;
	struct idle_why *out = look->out;
	out->had = true;
	if (last->state == THREAD_RUNNABLE && out->runnable++ < IDLE_READY) {
		out->ready[out->runnable - 1].thread = last->thread;
		const struct queue *queue = last->own;
		out->ready[out->runnable - 1].cap = queue->known ? queue->cap : EVL_NO_CAP;
		out->ready[out->runnable - 1].waits_for_gc = waits_for_gc(look, last);
	}
	if (last->state == THREAD_FOREIGN) {
		bool manages = thread_title_of(evl_label(look->log, last->thread)) >= TITLE_TIMER;
		out->foreign++;
		out->managers += manages;
		if (!manages && out->n_calling < IDLE_CALLING)
			out->calling[out->n_calling++] = last->thread;
	}
	out->others += last->state == THREAD_RUNNING || last->state == THREAD_UNKNOWN;
	if (last->state != THREAD_BLOCKED)
		return;
	out->blocked++;
	out->by_reason[thread_block_reason(last->stop)]++;
}

int idle_why_at(struct idle_why *out, const struct evl_log *log, uint64_t t, const struct progress *watch)
{
	struct thread_history h;
	uint64_t first, last;
	*out = (struct idle_why){0};
	if (!evl_range(log, &first, &last) || t < first)
		return 0;
	struct look look = {out, log, t};
	const struct thread_history_sink sink = {.leaves = on_thread_left,
		.event = on_event,
		.before = on_run,
		.width = sizeof(struct queue),
		.ctx = &look};
	int result = thread_history_begin(&h,
		&(struct thread_history_ask){.log = log,
			.from = t,
			.to = t + (t < UINT64_MAX),
			.readers = {&sink},
			.n_readers = 1,
			.watch = watch});
	bool partial = h.begin > first;
	result = result ? result : thread_history_end(&h);
	out->partial = partial || h.others;
	thread_history_free(&h);
	return result;
}

/* When the last of the tasks that the log last placed on a capability before t came to it, after a moment. There are at most
 * MAX_TASKS, and the moves of each are bisected. */
static uint64_t task_came(const struct tasks *tasks, uint16_t cap, uint64_t after, uint64_t t)
{
	uint64_t came = 0;
	for (size_t i = 0; i < tasks_count(tasks); i++) {
		const struct task_move *move = tasks_came(tasks_at(tasks, i), t);
		if (move && move->cap == cap && move->t > after)
			came = max_u64(came, move->t);
	}
	return t - came <= came - min_u64(after, came) ? came : 0;
}

/* Until when the capability is in a collection that is over at t. */
static uint64_t leaves_gc(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	struct cap_moment now;
	caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
	return now.known && now.state == CAP_GC && now.ends_by == EVL_GC_END && !gcs_at(&log->gcs, t) ? now.until : 0;
}

void idle_end_at(
	struct idle_end *out, const struct evl_log *log, uint16_t cap, uint64_t t, const struct thread_budget *each)
{
	struct thread_budget budget = *each;
	struct thread_event run;
	uint32_t chain = log->blocks.chain_of[cap];
	*out = (struct idle_end){0};
	if (chain-- == 0)
		return;
	out->found = cap_next_run(log, chain, t, &budget, &run);
	out->none = !out->found && !budget.spent && !load_acquire(&log->tiles[chain].lost_t);
	out->left_t = leaves_gc(log, chain, t);
	const struct gc_row *gc = out->found || out->none ? gcs_after(&log->gcs, t, GC_ALL) : NULL;
	out->gc_t = gc && (out->none || gc->start <= run.t) ? gc->start : 0;
	if (!out->found)
		return;
	out->thread = run.thread;
	out->t = run.t;
	out->task_t = task_came(&log->tasks, cap, t, run.t);
	thread_look(log, run.thread, t, each, &out->before);
}
