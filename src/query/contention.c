#include "query/contention.h"

#include "base/gallop.h"

#include "query/path_threads.h"

#include <stdlib.h>

enum { CHAIN = 64 }; /* owners of black holes that are followed */
enum {
	RESURRECTED_NS = 10000000, /* from the collection, or from an exception, until the thread runs */
	AGAIN_NS = 100000          /* a retry that ran for longer has done something */
};

/* --- groups -------------------------------------------------------------------------------------------------------- */

struct evl_str label_stem(struct evl_str label)
{
	size_t len = label.len;
	while (len > 0 && label.p[len - 1] >= '0' && label.p[len - 1] <= '9')
		len--;
	while (len > 0 && len < label.len && strchr("-_ #:./([", label.p[len - 1]))
		len--;
	return (struct evl_str){label.p, len ? len : label.len};
}

void contention_find_label(const struct contention_scan *s, struct contender *c, uint32_t thread)
{
	c->label = evl_label(s->history->log, thread);
	const enum path_role role = path_role_by_label(c->label);
	c->manages = role == ROLE_TIMER || role == ROLE_IO;
	c->labelled = true;
}

/* Find or add the group of a thread, and find its label. */
static __attribute__((noinline)) struct wait_group *find_group(
	struct contention_scan *s, struct contender *c, uint32_t thread)
{
	struct contention *out = s->out;
	uint32_t place;
	if (!c->labelled)
		contention_find_label(s, c, thread);
	struct evl_str name = label_stem(c->label);
	uint64_t key = idmap_key(name);
	if (!idmap_find(&s->names, key, &place)) {
		place = (uint32_t)out->n;
		if (out->n == CONTENTION_GROUPS) {
			place = CONTENTION_GROUPS - 1;
		} else if (!GROW(out->groups, out->n, out->room) || !GROW(s->outside, s->n_outside, s->room_outside)
			|| !idmap_put(&s->names, key, place)) {
			s->failed = true;
			return NULL;
		} else {
			s->outside[s->n_outside++] = (struct outside_waits){0};
			out->groups[out->n++] = (struct wait_group){.name = name};
		}
	}
	c->group = place + 1;
	out->groups[place].n++;
	return &out->groups[place];
}

static inline struct wait_group *group_of(struct contention_scan *s, struct contender *c, uint32_t thread)
{
	return likely(c->group) ? &s->out->groups[c->group - 1] : find_group(s, c, thread);
}

/* Add a wait that ended last of all. Most often it overlaps the last one only. */
static bool outside_add(struct outside_waits *w, uint64_t from, uint64_t to)
{
	struct outside_wait *const end = w->items + w->n;
	if (w->n && end[-1].to >= from && (w->n == 1 || end[-2].to < from)) {
		end[-1].from = min_u64(from, end[-1].from);
		end[-1].to = to;
		return true;
	}
	while (w->n && w->items[w->n - 1].to >= from)
		from = min_u64(from, w->items[--w->n].from);
	if (w->n == OUTSIDE_WAITS) {
		w->n /= 2;
		memmove(w->items, w->items + w->n, w->n * sizeof *w->items);
	}
	if (!GROW(w->items, w->n, w->room))
		return false;
	const struct outside_wait *last = w->n ? &w->items[w->n - 1] : NULL;
	w->items[w->n++] = (struct outside_wait){from, to, last ? last->before + last->to - last->from : 0};
	return true;
}

/* Return the length of the union before t. */
static uint64_t outside_before(const struct outside_waits *w, uint64_t t)
{
	if (w->n == 0)
		return 0;
	BISECT(later, w->n, w->items[mid].from < t);
	if (later == 0)
		return w->items[0].before;
	const struct outside_wait *x = &w->items[later - 1];
	return x->before + min_u64(t, x->to) - x->from;
}

bool contention_find_groups(
	struct contention_scan *s, struct contender *c, uint32_t thread, struct contender *waker, uint32_t waker_thread)
{
	return group_of(s, waker, waker_thread) && group_of(s, c, thread);
}

void contention_freed(
	struct contention_scan *s, struct contender *c, struct contender *waker, uint64_t from, uint64_t to)
{
	struct outside_waits *outside = &s->outside[c->group - 1];
	if (waker->group != c->group) {
		if (!waker->manages && !outside_add(outside, from, to))
			s->failed = true;
		return;
	}
	c->freed_ns += to - from;
	c->queued_ns += outside_before(outside, to) - outside_before(outside, from);
	waker->freeing_ns += to - from;
	s->out->groups[c->group - 1].freed_ns += to - from;
}

/* --- deadlocks ----------------------------------------------------------------------------------------------------- */

static struct deadlock_row *row_of(struct deadlock *d, uint32_t thread, uint64_t since)
{
	for (size_t i = 0; i < d->n_rows; i++)
		if (d->rows[i].thread == thread && d->rows[i].since == since)
			return &d->rows[i];
	return NULL;
}

/* Make room for a row: drop the oldest one that nothing proves, unless it is of this collection. */
static bool drop_one(struct deadlock *d, const struct gc_row *gc)
{
	size_t at = 0;
	while (at < d->n_rows && (d->rows[at].proved || (gc && d->rows[at].gc == gc->start)))
		at++;
	if (at == d->n_rows)
		return false;
	d->n_rows--;
	memmove(&d->rows[at], &d->rows[at + 1], (d->n_rows - at) * sizeof *d->rows);
	return true;
}

/* Name a thread; NULL if there are too many. */
static struct deadlock_row *add_row(
	struct deadlock *d, const struct stretch *wait, uint64_t at, const struct gc_row *gc)
{
	d->n++;
	if (d->n_rows == DEADLOCK_ROWS && !drop_one(d, gc))
		return NULL;
	d->rows[d->n_rows] = (struct deadlock_row){.thread = wait->thread,
		.since = wait->since,
		.at = at,
		.stop = wait->stop,
		.owner = wait->stop == STOP_BLACK_HOLE ? wait->info : 0};
	return &d->rows[d->n_rows++];
}

/* x is blocked on a black hole from now on: does its owner wait for x, however indirectly? */
static void look_for_cycle(struct contention_scan *s, const struct stretch *x)
{
	struct stretch waits[CHAIN] = {*x};
	for (size_t n = 1; n < CHAIN; n++) {
		uint32_t owner = waits[n - 1].info;
		if (owner == x->thread) {
			s->cycles++;
			for (size_t i = 0; i < n; i++) {
				struct deadlock_row *r = add_row(&s->out->deadlock, &waits[i], x->from, NULL);
				if (!r)
					continue;
				r->cycle = s->cycles;
				r->certain = r->proved = true;
				s->in_cycles++;
			}
			return;
		}
		if (!thread_history_now(s->history, owner, x->from, &waits[n]) || waits[n].state != THREAD_BLOCKED
			|| waits[n].stop != STOP_BLACK_HOLE)
			return;
	}
}

/* A wait of one in a cycle, or the part of it in a window. If a thread ended it, that went on, and the events named another
 * owner: there was no deadlock. */
static void leave_cycle(struct contention_scan *s, const struct stretch *wait)
{
	struct deadlock *d = &s->out->deadlock;
	struct deadlock_row *r = row_of(d, wait->thread, wait->since);
	if (!r || r->cycle == 0)
		return;
	r->ns += wait->to - wait->from;
	d->ns = max_u64(d->ns, r->ns);
	if (wait->open)
		return;
	s->in_cycles--;
	if (!wait->woken || wait->waker == 0)
		return;
	for (size_t i = 0; i < d->n_rows; i++)
		if (d->rows[i].cycle == r->cycle)
			d->rows[i].certain = d->rows[i].proved = false;
}

static bool may_deadlock(const struct stretch *x)
{
	return x->state == THREAD_BLOCKED
		&& (x->stop == STOP_MVAR || x->stop == STOP_MVAR_READ || x->stop == STOP_STM
			|| x->stop == STOP_BLACK_HOLE);
}

/* The last major collection that had ended at t, which never decreases; NULL: none. */
static const struct gc_row *last_major(struct contention_scan *s, uint64_t t)
{
	const struct gcs *gcs = &s->history->log->gcs;
	const struct gc_row *next;
	if (t < s->next_end)
		return s->gc;
	s->gc = gcs_before(gcs, t + 1, GC_MAJOR);
	next = s->gc && gc_end(s->gc) > t ? s->gc : gcs_after(gcs, t, GC_MAJOR);
	if (next && next == s->gc)
		s->gc = gcs_before(gcs, next->start, GC_MAJOR);
	s->next_end = next ? gc_end(next) : UINT64_MAX;
	return s->gc;
}

/* The collection resurrected a thread: it ran without a wake-up soon after. managers: so it did after a manager, which may
 * have thrown the exception. */
static void note_resurrected(
	struct contention_scan *s, const struct gc_row *gc, const struct stretch *wait, bool certain, bool managers)
{
	struct deadlock *d = &s->out->deadlock;
	struct deadlock_row *r = row_of(d, wait->thread, wait->since);
	r = r ? r : add_row(d, wait, wait->to, gc);
	d->ns = max_u64(d->ns, wait->to - wait->from);
	if (!r)
		return;
	r->gc = gc->start;
	r->resurrected = true;
	r->ns = max_u64(r->ns, wait->to - wait->from);
	r->after_manager = managers && certain && !r->certain;
	r->certain = r->certain || certain;
	s->proved = certain ? gc : s->proved;
	for (size_t i = 0; i < d->n_rows; i++)
		if (d->rows[i].resurrected && d->rows[i].gc == gc->start)
			d->rows[i].proved = d->rows[i].proved || s->proved == gc;
}

/* A manager of this program throws exceptions: withdraw each row that is certain only if none does. */
static void doubt_managers(struct deadlock *d)
{
	for (size_t i = 0; i < d->n_rows; i++) {
		d->rows[i].certain = d->rows[i].certain && !d->rows[i].after_manager;
		d->rows[i].proved = d->rows[i].certain;
	}
	for (size_t i = 0; i < d->n_rows; i++)
		for (size_t k = 0; k < d->n_rows && d->rows[i].certain && !d->rows[i].cycle; k++)
			if (d->rows[k].resurrected && d->rows[k].gc == d->rows[i].gc)
				d->rows[k].proved = true;
}

/* Did another such thread run on the capability after t? */
static bool ran_since(const struct contention_runs *runs, uint32_t but, uint64_t t)
{
	return (runs->thread && runs->thread != but) || runs->until > t;
}

/* A thread runs from now on. If it was blocked and nothing woke it, an exception did. A thread that throws one to a thread of
 * its capability puts it into the queue there; one of another capability is blocked in throwTo until that has read the message.
 * So if neither happened lately, the collection that ended just before threw it. */
void contention_resurrected(struct contention_scan *s, struct stretch x)
{
	const struct stretch *wait = &s->freed;
	if (wait->thread != x.thread || wait->to != x.from || x.from >= s->main_end)
		return;
	const struct gc_row *gc = last_major(s, x.from);
	bool by_gc = gc && x.from - gc_end(gc) <= RESURRECTED_NS && wait->since <= gc->start;
	uint64_t since = max_u64(wait->since, sub_or_0(by_gc ? gc_requested(gc) : x.from, RESURRECTED_NS));
	const struct contention_cap *cap = &s->caps[wait->cap];
	bool managers = ran_since(&cap->managers, x.thread, since);
	bool others = ran_since(&cap->others, x.thread, since) || s->throwing || s->sent > since
		|| since < s->history->begin || wait->cap == EVL_NO_CAP;
	if (by_gc)
		note_resurrected(s, gc, wait, !others && gc_end(gc) >= s->history->from, managers);
	else
		s->managers_throw = s->managers_throw || (managers && !others);
	s->freed.thread = 0;
}

/* --- what is told of threads --------------------------------------------------------------------------------------- */

bool contention_begin(struct contention_scan *s, struct contention *out, const struct thread_history *history,
	uint64_t main_end, size_t own_at)
{
	*out = (struct contention){.main_end = main_end};
	*s = (struct contention_scan){.out = out, .history = history, .main_end = main_end, .own_at = own_at};
	s->caps = calloc(UINT16_MAX + 1, sizeof *s->caps);
	return s->caps;
}

static void rank_thread(struct thread_top *top, uint32_t thread, uint64_t ns)
{
	uint32_t at = top->n;
	for (; at > 0 && (ns > top->ns[at - 1] || (ns == top->ns[at - 1] && thread < top->threads[at - 1])); at--)
		if (at < THREAD_TOP) {
			top->ns[at] = top->ns[at - 1];
			top->threads[at] = top->threads[at - 1];
		}
	if (at == THREAD_TOP)
		return;
	top->ns[at] = ns;
	top->threads[at] = thread;
	top->n += top->n < THREAD_TOP;
}

static void note_stm(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	struct wait_group *g = group_of(s, c, x->thread);
	c->stm_ns += x->to - x->from;
	c->retries = x->woken && !x->open;
	c->retry_ns = 0;
	if (g)
		g->stm_wakes += c->retries;
}

/* A wait that began again soon after the one before. */
static void note_again(struct wait_group *g, struct contender *c, const struct stretch *x)
{
	g->stm_again++;
	g->stm_run_ns += c->retry_ns;
	if (c->row++ == 0)
		c->row_at = x->since;
	if (c->row <= g->stm_row)
		return;
	g->stm_row = c->row;
	g->stm_row_at = c->row_at;
	g->stm_row_to = x->since;
	g->stm_thread = x->thread;
}

/* The number of threads that are blocked in throwTo, and when the last such wait ended. */
void contention_throws(struct contention_scan *s, struct contender *c, bool on, uint64_t t)
{
	if (c->throwing == on)
		return;
	s->throwing += (uint64_t)on - (uint64_t)c->throwing;
	s->sent = on ? s->sent : t;
	c->throwing = on;
}

/* Runs and exceptions just before the range count for a collection that ends in it. */
void contention_changes(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	contention_turn(s, c, x);
	contention_throws(s, c, x->state == THREAD_BLOCKED && x->stop == STOP_THROWTO, x->from);
}

void contention_waited(struct contention_scan *s, struct contender *c, struct stretch x)
{
	if (!x.open)
		contention_throws(s, c, false, x.to);
	if (x.stop == STOP_STM)
		note_stm(s, c, &x);
	if (!may_deadlock(&x))
		return;
	if (s->in_cycles && x.stop == STOP_BLACK_HOLE)
		leave_cycle(s, &x);
	if (x.from < s->main_end && s->main_end <= x.to) {
		struct wait_group *g = group_of(s, c, x.thread);
		if (g) {
			g->stuck++;
			rank_thread(&g->stuck_top, x.thread, s->main_end - x.since);
		}
	}
	if (x.next == THREAD_RUNNING && !x.woken)
		s->freed = x;
}

void contention_blocks(struct contention_scan *s, struct contender *c, struct stretch x)
{
	bool again = c->retries && x.stop == STOP_STM && c->retry_ns <= AGAIN_NS
		&& (c->retry_ns || !s->history->windows); /* else it ran between windows */
	struct wait_group *g = again ? group_of(s, c, x.thread) : NULL;
	if (g)
		note_again(g, c, &x);
	else
		c->row = 0;
	c->retries = false;
	if (x.stop == STOP_BLACK_HOLE && x.info)
		look_for_cycle(s, &x);
}

void contention_grows(struct contention_scan *s, struct stretch x)
{
	if (x.info <= s->out->stack_words)
		return;
	s->out->stack_words = x.info;
	s->out->stack_at = x.from;
	s->out->stack_thread = x.thread;
}

void contention_leaves(
	struct contention_scan *s, struct contender *c, const struct stretch *last, uint64_t run_ns, uint64_t life_ns)
{
	uint32_t thread = last->thread;
	struct wait_group *g = c->group ? &s->out->groups[c->group - 1] : NULL;
	if (last->state == THREAD_ABSENT)
		contention_turn(s, c, last);
	if (!g)
		return;
	if (c->stm_ns > 0) {
		g->stm_n++;
		rank_thread(&g->stm_top, thread, c->stm_ns);
	}
	if (c->lock_ns <= life_ns / 2 || c->freed_ns <= c->lock_ns / 2)
		return;
	g->lock_n++;
	rank_thread(&g->lock_top, thread, c->lock_ns);
	g->lock_freed_ns += c->freed_ns;
	g->queued_ns += c->queued_ns;
	g->lock_freeing_ns += c->freeing_ns;
	g->lock_ns += c->lock_ns;
	g->lock_run_ns += run_ns;
	g->lock_most_run_ns = max_u64(g->lock_most_run_ns, run_ns);
	g->lock_room_ns += c->lock_room_ns;
	if (c->lock_most_room < g->lock_most_room
		|| (c->lock_most_room == g->lock_most_room && c->lock_to - c->lock_at <= g->lock_to - g->lock_at))
		return;
	g->lock_most_room = c->lock_most_room;
	g->lock_at = c->lock_at;
	g->lock_to = c->lock_to;
	g->lock_thread = thread;
}

void contention_end(struct contention_scan *s)
{
	if (s->managers_throw)
		doubt_managers(&s->out->deadlock);
	free(s->caps);
	idmap_free(&s->names);
	for (size_t i = 0; i < s->n_outside; i++)
		free(s->outside[i].items);
	free(s->outside);
	*s = (struct contention_scan){0};
}

void contention_free(struct contention *c)
{
	free(c->groups);
	*c = (struct contention){0};
}
