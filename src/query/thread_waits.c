#include "query/thread_waits.h"

#include "base/idmap.h"
#include "query/sched_events.h"

#include <stdlib.h>

enum { CHECK_EVERY = 1 << 14 }; /* events between looks at whether to go on */
enum { STUCK_PART = 10 };       /* blocked for the last tenth of the range is stuck */

/* A thread that lives, as far as is known. */
struct live {
	struct thread_waits is;
	struct thread_pos pos;
	uint64_t at; /* it is accounted up to here */
	bool used;
};

struct scan {
	struct waits *out;
	const struct evl_log *log;
	uint64_t from, to;
	const struct progress *watch;
	void (*each)(void *ctx, const struct thread_waits *t);
	void *ctx;
	struct live *lives;
	size_t n, room;  /* slots of lives that were in use at one time */
	uint32_t *spare; /* slots that are free again */
	size_t n_spare, spare_room;
	struct idmap places;
	struct thread_feeds feeds;
	bool failed; /* a thread was left out for want of memory */
};

/* --- the best of all --- */

/* Put a thread into its place among the top ones, most first. */
static void rank(struct thread_waits *top, size_t *n, const struct thread_waits *t, size_t key)
{
	uint64_t value, other;
	size_t at = *n;
	memcpy(&value, (const char *)t + key, sizeof value);
	for (; at > 0; at--) {
		memcpy(&other, (const char *)&top[at - 1] + key, sizeof other);
		if (other > value || (other == value && top[at - 1].thread < t->thread))
			break;
	}
	if (at == WAITS_TOP || value == 0)
		return;
	*n += *n < WAITS_TOP;
	memmove(&top[at + 1], &top[at], (*n - at - 1) * sizeof *top);
	top[at] = *t;
}

static void note_stuck(struct scan *s, const struct thread_waits *t)
{
	if (t->state != THREAD_BLOCKED || t->since > s->to - (s->to - s->from) / STUCK_PART)
		return;
	if (s->out->stuck++ == 0 || t->since < s->out->stuck_since) {
		s->out->stuck_thread = t->thread;
		s->out->stuck_since = t->since;
	}
}

/* No more will be heard of the thread in the range. */
static void tell(struct scan *s, struct live *l, bool ended)
{
	struct waits *out = s->out;
	l->is.state = ended ? THREAD_ABSENT : l->pos.state;
	l->is.since = l->pos.since;
	rank(out->by_run, &out->n_run, &l->is, offsetof(struct thread_waits, run_ns));
	rank(out->by_blocked, &out->n_blocked, &l->is, offsetof(struct thread_waits, blocked_ns));
	rank(out->by_latency, &out->n_latency, &l->is, offsetof(struct thread_waits, longest_latency));
	note_stuck(s, &l->is);
	if (s->each)
		s->each(s->ctx, &l->is);
}

/* --- who lives --- */

static bool take_slot(struct scan *s, uint32_t *slot)
{
	if (s->n_spare > 0) {
		*slot = s->spare[--s->n_spare];
		return true;
	}
	if (s->n >= WAITS_THREADS)
		return false;
	s->failed = s->failed || !GROW(s->lives, s->n, s->room);
	if (s->failed)
		return false;
	*slot = (uint32_t)s->n++;
	return true;
}

/* A thread that nothing is known of yet; NULL: it cannot be followed. */
static struct live *enter(struct scan *s, uint32_t thread, uint64_t t)
{
	uint32_t slot;
	if (!take_slot(s, &slot))
		return NULL;
	s->lives[slot] = (struct live){.is = {.thread = thread, .cap = EVL_NO_CAP},
		.at = max_u64(t, s->from),
		.used = true,
		.pos = {.cap = EVL_NO_CAP, .state = THREAD_UNKNOWN}};
	if (idmap_put(&s->places, thread, slot))
		return &s->lives[slot];
	s->lives[slot].used = false;
	s->failed = true;
	return NULL;
}

/* What comes behind a thread's end is on its way still: a wake-up that was posted twice. */
static bool is_over(const struct scan *s, const struct thread_event *e, uint64_t t)
{
	const struct thread_row *row = threads_find(&s->log->threads, e->thread);
	uint64_t died =
		row ? atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->died, memory_order_relaxed) : 0;
	return died && died <= t && e->tag != EVL_RUN_THREAD && e->tag != EVL_CREATE_THREAD;
}

static struct live *live_of(struct scan *s, const struct thread_event *e, uint64_t t)
{
	uint32_t slot;
	if (idmap_find(&s->places, e->thread, &slot))
		return &s->lives[slot];
	if (is_over(s, e, t))
		return NULL;
	struct live *l = enter(s, e->thread, t);
	s->out->others += l == NULL;
	return l;
}

/* The thread has finished. */
static void leave(struct scan *s, struct live *l)
{
	tell(s, l, true);
	idmap_drop(&s->places, l->is.thread);
	l->used = false;
	if (GROW(s->spare, s->n_spare, s->spare_room))
		s->spare[s->n_spare++] = (uint32_t)(l - s->lives);
	else
		s->failed = true;
}

/* --- accounting --- */

/* It stays what it is until t. */
static void hold(struct scan *s, struct live *l, uint64_t t)
{
	uint64_t to = min_u64(t, s->to), ns = sub_or_0(to, l->at);
	struct waits *all = s->out;
	switch ((enum thread_state)l->pos.state) {
	case THREAD_RUNNING:
		l->is.run_ns += ns;
		all->run_ns += ns;
		break;
	case THREAD_RUNNABLE:
		l->is.runnable_ns += ns;
		all->runnable_ns += ns;
		break;
	case THREAD_FOREIGN:
		l->is.foreign_ns += ns;
		all->foreign_ns += ns;
		break;
	case THREAD_BLOCKED:
		l->is.blocked_ns += ns;
		all->blocked_ns += ns;
		all->blocked_by[l->pos.stop < STOP_REASONS ? l->pos.stop : STOP_OTHER] += ns;
		break;
	default: break;
	}
	l->at = max_u64(l->at, to);
}

/* A wait that began with `was` is over, or the range is: how much of it lies in the range? */
static void end_block(struct scan *s, struct live *l, const struct thread_pos *was, uint64_t t)
{
	uint64_t ns = sub_or_0(min_u64(t, s->to), max_u64(was->since, s->from));
	if (was->state != THREAD_BLOCKED || ns <= l->is.longest_blocked)
		return;
	l->is.longest_blocked = ns;
	l->is.blocked_at = was->since;
	l->is.stop = was->stop;
}

static void end_latency(struct scan *s, struct live *l, const struct thread_pos *was, uint64_t t)
{
	uint64_t ns = sub_or_0(t, was->since);
	if (was->state != THREAD_RUNNABLE || l->pos.state != THREAD_RUNNING || t < s->from)
		return;
	histogram_add(&s->out->latency, ns);
	l->is.latencies++;
	if (ns <= l->is.longest_latency)
		return;
	l->is.longest_latency = ns;
	l->is.latency_at = was->since;
}

static void take(struct scan *s, const struct thread_event *e, uint64_t t)
{
	struct live *l = live_of(s, e, t);
	struct thread_event at_t = *e;
	if (!l)
		return;
	at_t.t = t;
	hold(s, l, t);
	struct thread_pos was = l->pos;
	bool changed = thread_step(&l->pos, &at_t);
	if (l->pos.state != was.state) {
		end_block(s, l, &was, t);
		end_latency(s, l, &was, t);
	}
	if (l->pos.state == THREAD_RUNNING)
		l->is.cap = l->pos.cap;
	if (t >= s->from) {
		l->is.runs += e->tag == EVL_RUN_THREAD;
		s->out->runs += e->tag == EVL_RUN_THREAD;
		l->is.wakeups += changed && e->tag == EVL_THREAD_WAKEUP;
		l->is.migrations += e->tag == EVL_MIGRATE_THREAD;
	}
	if (e->tag == EVL_STOP_THREAD && e->stop == STOP_FINISHED && changed)
		leave(s, l);
}

static void lose(struct scan *s, uint32_t thread, uint16_t cap, uint64_t t)
{
	uint32_t slot;
	if (!idmap_find(&s->places, thread, &slot))
		return;
	hold(s, &s->lives[slot], t);
	thread_lost(&s->lives[slot].pos, cap, t);
}

/* --- the pass --- */

static int merge(struct scan *s)
{
	struct sched_events *f;
	for (uint64_t n = 1; (f = thread_feeds_head(&s->feeds)) && f->t < s->to; n++) {
		if (n % CHECK_EVERY == 0) {
			if (progress_cancelled(s->watch))
				return EVL_CANCELLED;
			progress_tell(s->watch, (double)sub_or_0(f->t, s->from) / (double)(s->to - s->from));
		}
		uint32_t lost = sched_events_take(f);
		if (lost != FEED_NOBODY)
			lose(s, lost, f->cap, f->t);
		if (f->next.tag != EVL_GC_START)
			take(s, &f->next, f->t);
		thread_feeds_pop(&s->feeds);
	}
	return s->failed ? EVL_NOMEM : 0;
}

/* Those that live at the end of the range. */
static void end_all(struct scan *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct live *l = &s->lives[i];
		if (!l->used)
			continue;
		hold(s, l, s->to);
		end_block(s, l, &l->pos, s->to);
		tell(s, l, false);
	}
}

int thread_waits_run(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch, void (*each)(void *ctx, const struct thread_waits *t), void *ctx)
{
	struct scan s = {.out = w, .log = log, .from = from, .to = to, .watch = watch, .each = each, .ctx = ctx};
	memset(w, 0, sizeof *w);
	int result = thread_feeds_begin(&s.feeds, log, from, to) ? merge(&s) : EVL_NOMEM;
	if (result == 0)
		end_all(&s);
	thread_feeds_free(&s.feeds);
	idmap_free(&s.places);
	free(s.lives);
	free(s.spare);
	return result;
}
