#include "query/contention.h"

#include <stdlib.h>

enum { CHAIN = 64 }; /* owners of black holes that are followed */
enum {
	RESURRECTED_NS = 10000000, /* after the collection */
	RESUME_NS = 1000000,       /* until a capability runs a thread that can run */
	AGAIN_NS = 100000,         /* a retry that ran for longer has done something */
	STUCK_PART = 10
}; /* blocked for the last tenth of a range without its end is stuck */

/* --- groups -------------------------------------------------------------------------------------------------------- */

/* The label without the number at its end. */
static struct evl_str stem(struct evl_str label)
{
	size_t len = label.len;
	while (len > 0 && label.p[len - 1] >= '0' && label.p[len - 1] <= '9')
		len--;
	while (len > 0 && len < label.len && strchr("-_ #:./([", label.p[len - 1]))
		len--;
	return (struct evl_str){label.p, len ? len : label.len};
}

static struct wait_group *group_of(struct contention_scan *s, struct contender *c, uint32_t thread)
{
	struct contention *out = s->out;
	uint32_t place;
	if (c->group)
		return &out->groups[c->group - 1];
	struct evl_str name = stem(evl_label(s->history->log, thread));
	uint64_t key = idmap_key(name);
	if (!idmap_find(&s->names, key, &place)) {
		place = (uint32_t)out->n;
		if (out->n == CONTENTION_GROUPS) {
			place = CONTENTION_GROUPS - 1;
		} else if (!GROW(out->groups, out->n, out->room) || !idmap_put(&s->names, key, place)) {
			s->failed = true;
			return NULL;
		} else {
			out->groups[out->n++] = (struct wait_group){.name = name, .stuck_since = UINT64_MAX};
		}
	}
	c->group = place + 1;
	out->groups[place].n++;
	return &out->groups[place];
}

static struct contender *contender_of(const struct contention_scan *s, uint32_t thread)
{
	uint8_t *own = thread ? thread_history_own(s->history, thread) : NULL;
	return own ? (struct contender *)(void *)(own + s->own_at) : NULL;
}

static bool same_group(struct contention_scan *s, struct contender *c, uint32_t thread, uint32_t other)
{
	struct contender *o = other != thread ? contender_of(s, other) : NULL;
	return o && group_of(s, c, thread) && group_of(s, o, other) && o->group == c->group;
}

/* --- deadlocks ----------------------------------------------------------------------------------------------------- */

static bool is_named(const struct deadlock *d, uint32_t thread)
{
	for (size_t i = 0; i < d->n_named; i++)
		if (d->named[i] == thread)
			return true;
	return false;
}

static void name(struct deadlock *d, uint32_t thread, uint8_t stop, uint64_t at)
{
	if (is_named(d, thread))
		return;
	if (d->n++ == 0) {
		d->at = at;
		d->stop = stop;
	}
	if (d->n_named < CONTENTION_NAMED)
		d->named[d->n_named++] = thread;
}

/* x is blocked on a black hole from now on: does its owner wait for x, however indirectly? */
static void look_for_cycle(struct contention_scan *s, const struct stretch *x)
{
	uint32_t threads[CHAIN] = {x->thread};
	struct deadlock *d = &s->out->deadlock;
	struct stretch owner = *x;
	for (size_t n = 1; n < CHAIN; n++) {
		threads[n] = owner.info;
		if (threads[n] == x->thread) {
			d->cycle = d->cycle || d->n == 0;
			for (size_t i = 0; i < n; i++)
				name(d, threads[i], STOP_BLACK_HOLE, x->from);
			return;
		}
		if (!thread_history_now(s->history, threads[n], x->from, &owner) || owner.state != THREAD_BLOCKED
			|| owner.stop != STOP_BLACK_HOLE)
			return;
	}
}

static bool may_deadlock(const struct stretch *x)
{
	return x->state == THREAD_BLOCKED
		&& (x->stop == STOP_MVAR || x->stop == STOP_MVAR_READ || x->stop == STOP_STM
			|| x->stop == STOP_BLACK_HOLE);
}

/* A thread that was blocked runs though nothing woke it: an exception. Return the major collection that may have thrown it: one
 * that ended just before, and since when the capability always had something to run, as this thread would have been next. Later
 * exceptions, such as those of timeouts, come at any time. */
static const struct gc_row *freed_by(
	const struct contention_scan *s, const struct stretch *wait, const struct stretch *run)
{
	const struct gc_row *gc = gcs_before(&s->history->log->gcs, run->from + 1, GC_MAJOR);
	bool may = gc && gc_end(gc) <= run->from && run->from - gc_end(gc) <= RESURRECTED_NS && wait->since < gc->start
		&& s->caps[run->cap].idle <= gc_end(gc) + RESUME_NS;
	return may && run->from <= s->main_end ? gc : NULL;
}

static void name_resurrected(struct contention_scan *s, const struct stretch *wait)
{
	struct deadlock *d = &s->out->deadlock;
	name(d, wait->thread, wait->stop, wait->to);
	d->ns = max_u64(d->ns, wait->to - wait->from);
}

/* It did throw it if nothing ran on that capability since that could have. Else a thread that ran there may have; but the
 * collection found a deadlock if it threw exceptions to others, and that one of them is killed in the same moment is unlikely. */
static void note_freed(struct contention_scan *s, const struct gc_row *gc, const struct stretch *wait, uint16_t cap)
{
	if (s->maybe_by != gc->start)
		s->n_maybe = 0;
	s->maybe_by = gc->start;
	if (s->caps[cap].ran_at < gc->start) {
		for (size_t i = 0; i < s->n_maybe; i++)
			name_resurrected(s, &s->maybe[i]);
		s->n_maybe = 0;
		s->resurrected = gc->start;
		name_resurrected(s, wait);
	} else if (s->resurrected == gc->start) {
		name_resurrected(s, wait);
	} else if (s->n_maybe < CONTENTION_NAMED) {
		s->maybe[s->n_maybe++] = *wait;
	}
}

/* --- what is told of threads --------------------------------------------------------------------------------------- */

bool contention_begin(struct contention_scan *s, struct contention *out, const struct thread_history *history,
	uint64_t main_end, size_t own_at)
{
	*out = (struct contention){0};
	*s = (struct contention_scan){.out = out, .history = history, .main_end = main_end, .own_at = own_at};
	s->caps = calloc(UINT16_MAX + 1, sizeof *s->caps);
	return s->caps;
}

/* Was it blocked when the main thread ended, or, in a log without that, for its last tenth? */
static bool is_stuck(const struct contention_scan *s, const struct stretch *x)
{
	const struct thread_history *h = s->history;
	if (s->main_end != UINT64_MAX)
		return x->since < s->main_end && s->main_end <= x->to;
	return x->open && x->to == h->to && x->since <= h->to - (h->to - h->from) / STUCK_PART;
}

static void note_stuck(struct wait_group *g, const struct stretch *x, uint64_t main_end)
{
	g->stuck++;
	if (x->since >= g->stuck_since)
		return;
	g->stuck_since = x->since;
	g->stuck_thread = x->thread;
	g->stuck_ns = min_u64(x->to, main_end) - x->from;
}

static void note_lock(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	uint64_t ns = x->to - x->from;
	c->lock_ns += ns;
	if (x->woken && same_group(s, c, x->thread, x->waker))
		c->peer_ns += ns;
	if (ns <= c->lock_longest)
		return;
	c->lock_longest = ns;
	c->lock_at = x->since;
}

static void note_stm(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	struct wait_group *g = group_of(s, c, x->thread);
	uint64_t ns = x->to - x->from;
	c->stm_ns += ns;
	c->retries = x->woken && !x->open;
	c->retry_ns = 0;
	if (!g)
		return;
	g->stm_wakes += c->retries;
	if (ns <= g->stm_longest)
		return;
	g->stm_longest = ns;
	g->stm_at = x->since;
	g->stm_thread = x->thread;
}

void contention_stretch(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	uint64_t ns = x->to - x->from;
	struct deadlock *d = &s->out->deadlock;
	c->life_ns += ns;
	c->foreign = x->state == THREAD_FOREIGN;
	if (x->state == THREAD_RUNNING) {
		c->ran = true;
		s->caps[x->cap].until = x->to;
		c->run_ns += ns;
		c->retry_ns += ns;
		c->retries = c->retries && !x->open && (!s->history->windows || x->from == x->since);
		return;
	}
	if (x->state != THREAD_BLOCKED)
		return;
	if (x->stop == STOP_MVAR || x->stop == STOP_MVAR_READ)
		note_lock(s, c, x);
	else if (x->stop == STOP_STM)
		note_stm(s, c, x);
	if (!may_deadlock(x))
		return;
	if (d->cycle && x->woken && x->waker && is_named(d, x->thread))
		*d = (struct deadlock){0}; /* a thread went on and woke it: the events named another owner */
	if (is_named(d, x->thread))
		d->ns = max_u64(d->ns, ns);
	if (is_stuck(s, x)) {
		struct wait_group *g = group_of(s, c, x->thread);
		if (g)
			note_stuck(g, x, s->main_end);
	}
	if (x->next == THREAD_RUNNING && !x->woken)
		s->freed = *x;
}

void contention_starts(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	if (x->state == THREAD_BLOCKED) {
		bool again = c->retries && x->stop == STOP_STM && c->retry_ns <= AGAIN_NS
			&& (c->retry_ns || !s->history->windows); /* else it ran between windows */
		struct wait_group *g = again ? group_of(s, c, x->thread) : NULL;
		if (g)
			g->stm_again++;
		c->retries = false;
		if (x->stop == STOP_BLACK_HOLE && x->info)
			look_for_cycle(s, x);
	} else if (x->state == THREAD_RUNNABLE && x->stop == STOP_STACK && x->info > s->out->stack_words) {
		s->out->stack_words = x->info;
		s->out->stack_at = x->from;
		s->out->stack_thread = x->thread;
	} else if (x->state == THREAD_RUNNING) {
		if (sub_or_0(x->from, s->caps[x->cap].until) > RESUME_NS)
			s->caps[x->cap].idle = x->from;
		bool freed = s->freed.thread == x->thread && s->freed.to == x->from;
		const struct gc_row *gc = freed ? freed_by(s, &s->freed, x) : NULL;
		if (gc)
			note_freed(s, gc, &s->freed, x->cap);
		if ((!gc || s->resurrected != gc->start) && c->ran && !c->foreign)
			s->caps[x->cap].ran_at = x->from; /* new ones are finalizers, others return from performGC */
		s->freed.thread = 0;
	}
}

void contention_leaves(struct contention_scan *s, struct contender *c, uint32_t thread)
{
	struct wait_group *g = c->group ? &s->out->groups[c->group - 1] : NULL;
	if (!g)
		return;
	if (c->stm_ns) {
		g->stm_n++;
		g->stm_ns += c->stm_ns;
	}
	if (c->lock_ns <= c->life_ns / 2 || c->peer_ns <= c->lock_ns / 2)
		return;
	g->lock_n++;
	g->lock_ns += c->lock_ns;
	g->lock_run_ns += c->run_ns;
	g->lock_most_run_ns = max_u64(g->lock_most_run_ns, c->run_ns);
	if (c->lock_longest <= g->lock_longest)
		return;
	g->lock_longest = c->lock_longest;
	g->lock_at = c->lock_at;
	g->lock_thread = thread;
}

void contention_end(struct contention_scan *s)
{
	free(s->caps);
	idmap_free(&s->names);
	*s = (struct contention_scan){0};
}

void contention_free(struct contention *c)
{
	free(c->groups);
	*c = (struct contention){0};
}
