#include "query/thread_waits.h"

#include "base/gallop.h"
#include "base/order.h"
#include "base/select.h"
#include "query/thread_history_pass.h"

#include <stdlib.h>
#include <string.h>

/* Limit of pairs of a reason and a thread; when it is reached, the half with less time is kept by label only. And of owners
 * of black holes; the waits for others are only added up. */
enum { WHO_MOST = 1 << 16, OWNERS_MOST = 1 << 14 };

struct capability;

/* State of a living thread. */
struct own {
	struct thread_waits is;
	struct contender contender;
	uint64_t unknown_ns;
	uint64_t alone_from, alone_until; /* the latest stretch in which only this thread ran */
	uint64_t run_since;               /* start of the last run that is counted, + 1; 0: none */
	struct capability *runs_on;       /* NULL: none */
	struct capability *home,
		*queued;    /* the one in whose queue it would wait, and that in whose it waits now; or NULL */
	uint32_t waits_for; /* index of the owner of the black hole it is blocked on + 1; 0: none */
	uint32_t pair;      /* index in `pairs` of that of its last wait */
	uint64_t since_room, locked_at; /* if it is blocked on an MVar: value of the clock `room`, and since when */
	bool locked;
	uint8_t state; /* enum thread_state */
};

/* The time in which at least one thread waits for something; and the part in which exactly one capability runs. */
struct awaited {
	uint64_t since, since_alone; /* the clocks when the first of those that wait now began to */
	uint64_t ns, alone_ns;
	uint32_t waiting;
};

/* A thread whose black holes others wait for. */
struct owner {
	struct awaited is;
	struct wait_who who;
	uint32_t group;
	uint32_t n_since, since[THREAD_TOP]; /* the first threads that waited since none did */
};

/* Clocks, which stop in pauses and outside of windows, at a time of the range. At any time at most one but the first
 * goes on. */
struct clocks {
	uint64_t all;
	uint64_t ready;  /* while threads are runnable */
	uint64_t others; /* while none is, and threads run */
	uint64_t none;   /* while no state of a thread is known */
};

/* A capability. */
struct capability {
	struct cap_idle *sum;
	/* Unless it runs a thread: since when, and the clocks then. */
	uint64_t since_t;
	struct clocks since;
	uint64_t idle_here; /* time since then with threads in its queue, if it was not absent */
	/* If threads are in its queue: when their number, or whether it runs a thread, last changed, and the clocks then. */
	uint64_t queue_t, queue_all, queue_room;
	struct idle_stretch here, kept; /* the last with threads in its queue: idle; running */
	struct {
		uint64_t at, to, ns[IDLE_REASONS];
	} idle;          /* the last in which it was idle */
	uint32_t queued; /* runnable threads in its queue, as far as events tell */
	bool runs, absent;
};

#define SEVERAL UINT64_MAX /* threads ran; no value of idle_scan.runners */

/* The clocks at time t of the range, and one for the time in which a capability could run a thread and ran none. */
struct idle_scan {
	const struct thread_history *pass;
	const struct cap_life *life;
	size_t row;                   /* of `life`: the next one */
	uint64_t life_t;              /* its time; UINT64_MAX: there is none */
	struct waits_mark *mark;      /* the next one */
	size_t n_marks;               /* from it on */
	struct capability **numbered; /* by number: of `caps`, or NULL */
	struct capability *caps;
	size_t n;
	struct owner *owners;
	size_t n_owners, owners_room;
	struct idmap places; /* of owners, by thread */
	struct owner_group *groups;
	struct awaited *awaited; /* of each group */
	size_t n_groups, groups_room, awaited_room;
	struct idmap names; /* of groups */
	struct waits *out;
	uint64_t states[THREAD_STATES]; /* threads in each state now */
	uint64_t runners; /* bitwise exclusive or of the offsets in pass->lives of `own` of running threads */
	uint64_t free;    /* capabilities that could run a thread now and run none */
	struct clocks clock;
	uint64_t keeping; /* capabilities that run a thread while others wait in their queue */
	uint64_t t, room, kept;
	uint64_t *levels, top;      /* of `out`, and the last of them */
	uint64_t above, run_paused; /* time running threads, summed over all capabilities: past `top`, and in pauses */
	uint64_t alone;             /* time in which exactly one thread ran */
	uint64_t last_alone;        /* `runners` when a thread ran last; SEVERAL: more than one did */
	uint64_t looked;            /* of windows: the end of the time that was looked at */
	uint64_t paused;            /* time in pauses before t */
	uint64_t edge; /* more happens between t and this time, or a later one, than that the clocks go on */
	bool failed;
};

/* The time that threads waited for one reason until one thread woke them, or for what one owns. */
struct pair {
	uint64_t ns, n;
	uint32_t thread;
	uint8_t reason;
	bool owner;
};

struct waits_reader {
	struct waits *out;
	const struct thread_history *pass;
	struct thread_history_sink sink;
	struct contention_scan contention;
	struct idle_scan idle;
	void (*each)(void *ctx, const struct thread_waits *t);
	void *ctx;
	uint8_t reasons_of[STOP_REASONS]; /* thread_block_reason */
	struct pair *pairs;
	size_t n_pairs, pairs_room;
	struct idmap places; /* of pairs */
	const struct evl_log *log;
	struct idmap labels; /* rows of out->by_label */
	size_t labels_room;
	struct wait_reason reasons[STOP_REASONS];
	struct histogram unpaused; /* latencies without time in pauses: they count in both of `out` */
	bool failed;
};

/* --- the best of all ----------------------------------------------------------------------------------------------- */

/* Put a thread into its place among the top ones, most first. */
static void put_in_rank(struct thread_waits *top, size_t *n, const struct thread_waits *t, size_t key)
{
	uint64_t value, other;
	size_t at = *n;
	memcpy(&value, (const char *)t + key, sizeof value);
	for (; at > 0; at--) {
		memcpy(&other, (const char *)&top[at - 1] + key, sizeof other);
		if (other > value || (other == value && top[at - 1].thread < t->thread))
			break;
	}
	if (at == WAITS_TOP)
		return;
	*n += *n < WAITS_TOP;
	memmove(&top[at + 1], &top[at], (*n - at - 1) * sizeof *top);
	top[at] = *t;
}

/* Most threads are not among the top ones. */
HISTORY_INLINE void rank(struct thread_waits *top, size_t *n, const struct thread_waits *t, size_t key)
{
	uint64_t value, least = 1;
	memcpy(&value, (const char *)t + key, sizeof value);
	if (*n == WAITS_TOP)
		memcpy(&least, (const char *)&top[WAITS_TOP - 1] + key, sizeof least);
	if (value >= least)
		put_in_rank(top, n, t, key);
}

/* --- who woke, who owned ------------------------------------------------------------------------------------------- */

static uint64_t key_of(uint8_t reason, bool owner, uint32_t thread)
{
	return (uint64_t)thread << 9 | (uint64_t)reason << 1 | owner;
}

COMPARE_BY(by_ns, struct pair, FALLING(ns) ?: (x->thread == 0) - (y->thread == 0) ?: RISING(thread));

/* Find the row of a label for a reason, or the key for a new one. */
static struct wait_label *find_label(const struct waits_reader *s, const struct wait_label *row, uint64_t *key)
{
	uint32_t place;
	*key = idmap_key(row->label) + ((uint64_t)row->reason << 1 | row->unknown);
	for (; idmap_find(&s->labels, *key, &place); ++*key) { /* texts may share a hash */
		struct wait_label *is = &s->out->by_label[place];
		if (is->reason == row->reason && is->unknown == row->unknown && str_order(is->label, row->label) == 0)
			return is;
	}
	return NULL;
}

/* Return the row of the pair's label and reason; of further labels, that of WAITS_OTHERS. NULL: there is no memory. */
static struct wait_label *label_of(struct waits_reader *s, const struct pair *p)
{
	struct waits *out = s->out;
	struct wait_label row = {.label = p->thread ? evl_label(s->log, p->thread) : EVL_STR(""),
		.reason = p->reason,
		.unknown = p->thread == 0};
	uint64_t key;
	struct wait_label *is = find_label(s, &row, &key);
	if (!is && out->n_by_label >= WAITS_LABELS) {
		row.label = EVL_STR(WAITS_OTHERS);
		row.unknown = false;
		is = find_label(s, &row, &key);
	}
	if (is)
		return is;
	if (!GROW(out->by_label, out->n_by_label, s->labels_room)
		|| !idmap_put(&s->labels, key, (uint32_t)out->n_by_label)) {
		s->failed = true;
		return NULL;
	}
	out->by_label[out->n_by_label] = row;
	return &out->by_label[out->n_by_label++];
}

/* Sum up the waits of pairs by the label of the waker. */
static void sum_by_label(struct waits_reader *s, const struct pair *pairs, size_t n)
{
	for (size_t i = 0; i < n && !s->failed; i++) {
		struct wait_label *l = pairs[i].owner ? NULL : label_of(s, &pairs[i]);
		if (l) {
			l->n += pairs[i].n;
			l->ns += pairs[i].ns;
		}
	}
}

/* Drop the pairs with the least time. */
static bool shorten(struct waits_reader *s)
{
	bool good = true;
	size_t kept = s->n_pairs / 2;
	select_first(s->pairs, s->n_pairs, sizeof *s->pairs, kept, by_ns);
	sum_by_label(s, s->pairs + kept, s->n_pairs - kept);
	s->n_pairs = kept;
	idmap_clear(&s->places);
	for (size_t i = 0; i < s->n_pairs && good; i++)
		good = idmap_put(
			&s->places, key_of(s->pairs[i].reason, s->pairs[i].owner, s->pairs[i].thread), (uint32_t)i);
	return good;
}

static struct pair *find_pair(struct waits_reader *s, uint8_t reason, bool owner, uint32_t thread)
{
	uint64_t key = key_of(reason, owner, thread);
	uint32_t place;
	if (!idmap_find(&s->places, key, &place)) {
		bool room = (s->n_pairs < WHO_MOST || shorten(s)) && GROW(s->pairs, s->n_pairs, s->pairs_room);
		place = (uint32_t)s->n_pairs;
		if (!room || !idmap_put(&s->places, key, place)) {
			s->failed = true;
			return NULL;
		}
		s->pairs[s->n_pairs++] = (struct pair){.thread = thread, .reason = reason, .owner = owner};
	}
	return &s->pairs[place];
}

/* hint: index of the pair, most often. */
static inline void note_pair(
	struct waits_reader *s, uint32_t *hint, uint8_t reason, bool owner, uint32_t thread, uint64_t ns)
{
	struct pair *p = *hint < s->n_pairs ? &s->pairs[*hint] : NULL;
	if (unlikely(!p || p->thread != thread || p->reason != reason || p->owner != owner)) {
		if (!(p = find_pair(s, reason, owner, thread)))
			return;
		*hint = (uint32_t)(p - s->pairs);
	}
	p->n++;
	p->ns += ns;
}

COMPARE_BY(by_reason_ns, struct wait_reason,
	FALLING(ns) ?: strcmp(thread_block_name(x->reason), thread_block_name(y->reason)));

/* Add the time in which any thread waited for an owner. For owners past OWNERS_MOST, only the sum of the waits is known,
 * and that it is no longer than the clock ran. */
static void put_owner(struct idle_scan *r, struct wait_who *who)
{
	uint32_t place;
	bool known = who->thread && idmap_find(&r->places, who->thread, &place);
	who->once_ns = min_u64(who->ns, r->clock.all);
	if (known)
		*who = r->owners[place].who;
}

/* Put the thread of a pair into its place among those that matter most; in the order of by_ns. */
static void put_who(struct wait_who *who, uint8_t *n, const struct pair *p)
{
	size_t at = *n;
	for (; at > 0; at--) {
		const struct pair other = {.ns = who[at - 1].ns, .thread = who[at - 1].thread};
		if (by_ns(&other, p) < 0)
			break;
	}
	if (at == WAITS_WHO)
		return;
	*n = (uint8_t)(*n + (*n < WAITS_WHO));
	memmove(&who[at + 1], &who[at], (*n - at - 1) * sizeof *who);
	who[at] = (struct wait_who){.thread = p->thread, .n = p->n, .ns = p->ns};
}

/* The reasons that occurred, with the threads that matter most. */
static void put_reasons(struct waits_reader *s)
{
	struct waits *out = s->out;
	if (s->n_pairs > WAITS_LABELS) /* so that the labels with the most time have rows */
		select_first(s->pairs, s->n_pairs, sizeof *s->pairs, WAITS_LABELS, by_ns);
	sum_by_label(s, s->pairs, s->n_pairs);
	for (size_t i = 0; i < s->n_pairs; i++) {
		const struct pair *p = &s->pairs[i];
		struct wait_reason *r = &s->reasons[p->reason];
		if (p->owner)
			put_who(r->owners, &r->n_owners, p);
		else
			put_who(r->wakers, &r->n_wakers, p);
	}
	for (size_t i = 0; i < STOP_REASONS; i++) {
		for (size_t k = 0; k < s->reasons[i].n_owners; k++)
			put_owner(&s->idle, &s->reasons[i].owners[k]);
		s->reasons[i].reason = (uint8_t)i;
		if (s->reasons[i].n)
			out->reasons[out->n_reasons++] = s->reasons[i];
	}
	if (out->n_reasons)
		qsort(out->reasons, out->n_reasons, sizeof *out->reasons, by_reason_ns);
}

/* --- idle capabilities ---------------------------------------------------------------------------------------------- */

/* [from, to), of which ns count, is the next part of a stretch, or another begins with it. Return true if it is the first that
 * counts. */
static bool add_part(struct idle_stretch *now, struct idle_stretch *most, uint64_t from, uint64_t to, uint64_t ns)
{
	if (now->to != from)
		*now = (struct idle_stretch){.at = from};
	bool first = ns && !now->ns;
	now->ns += ns;
	now->to = to;
	if (now->ns > most->ns || (now->ns && now->at == most->at))
		*most = *now;
	return first;
}

uint64_t idle_reason_ns(const struct cap_idle *idle, enum idle_reason part)
{
	switch (part) {
	case IDLE_ELSEWHERE: return idle->ready_ns - idle->here_ns;
	case IDLE_OTHERS: return idle->others_ns;
	case IDLE_UNALIVE: return idle->none_ns;
	default: return idle->ns - idle->ready_ns - idle->others_ns - idle->none_ns;
	}
}

const struct idle_stretch *idle_longest_of_largest(const struct cap_idle *idle)
{
	const struct idle_stretch *out = &idle->here_most;
	uint64_t most = idle->here_ns;
	for (int i = 0; i < IDLE_REASONS; i++) {
		uint64_t ns = idle_reason_ns(idle, (enum idle_reason)i);
		out = ns > most ? &idle->most[i] : out;
		most = max_u64(ns, most);
	}
	return out;
}

static inline uint64_t time_now(const struct idle_scan *r) { return max_u64(r->t, r->pass->from); }

/* It was idle until t: add the time of each part to the sums. */
static void end_idle(const struct idle_scan *r, struct capability *c, uint64_t t)
{
	struct cap_idle *sum = c->sum;
	const uint64_t ns = r->clock.all - c->since.all, from = max_u64(c->since_t, r->pass->from);
	if (t == c->since_t)
		return;
	if (c->absent) {
		sum->off_ns += ns;
		return;
	}
	const struct cap_idle parts = {.ns = ns,
		.ready_ns = r->clock.ready - c->since.ready,
		.here_ns = c->idle_here,
		.others_ns = r->clock.others - c->since.others,
		.none_ns = r->clock.none - c->since.none};
	sum->ns += ns;
	sum->ready_ns += parts.ready_ns;
	sum->here_ns += parts.here_ns;
	sum->others_ns += parts.others_ns;
	sum->none_ns += parts.none_ns;
	if (c->idle.to != from) {
		c->idle.at = from;
		memset(c->idle.ns, 0, sizeof c->idle.ns);
	}
	c->idle.to = t;
	for (int i = 0; i < IDLE_REASONS; i++) {
		struct idle_stretch *most = &sum->most[i];
		const uint64_t all = c->idle.ns[i] += idle_reason_ns(&parts, (enum idle_reason)i);
		if (all > most->ns || (all && c->idle.at == most->at))
			*most = (struct idle_stretch){all, c->idle.at, t};
	}
}

static inline void begin_idle(const struct idle_scan *r, struct capability *c, uint64_t t)
{
	c->since_t = t;
	c->since = r->clock;
	c->idle_here = 0;
}

/* Threads waited in its queue until t: it was idle, or it ran another thread while some capability was idle. */
static void add_queued(const struct idle_scan *r, struct capability *c, uint64_t t)
{
	struct cap_idle *sum = c->sum;
	if (c->runs) {
		const uint64_t kept = r->room - c->queue_room;
		sum->kept_ns += kept;
		sum->kept_threads_ns += c->queued * kept;
		add_part(&c->kept, &sum->kept_most, c->queue_t, t, kept);
	} else if (!c->absent) {
		const uint64_t ns = r->clock.all - c->queue_all;
		c->idle_here += ns;
		sum->here_n += add_part(&c->here, &sum->here_most, c->queue_t, t, ns);
	}
}

/* Its queue, or whether it runs a thread, is about to change. */
HISTORY_INLINE uint64_t before_change(const struct idle_scan *r, struct capability *c)
{
	const uint64_t t = time_now(r);
	if (c->queued && t != c->queue_t)
		add_queued(r, c, t);
	c->queue_t = t;
	c->queue_all = r->clock.all;
	c->queue_room = r->room;
	return t;
}

/* From now on `queued` threads are in its queue. */
static inline void change_queued(struct idle_scan *r, struct capability *c, uint32_t queued)
{
	before_change(r, c);
	if (c->runs)
		r->keeping += (uint64_t)(queued > 0) - (uint64_t)(c->queued > 0);
	c->queued = queued;
}

/* From now on it runs a thread, which may have been in its queue. */
HISTORY_INLINE void start_run(struct idle_scan *r, struct capability *c, bool waited)
{
	const uint64_t t = before_change(r, c);
	if (likely(!c->runs)) {
		c->runs = true;
		end_idle(r, c, t);
		r->free -= !c->absent;
	} else if (c->queued) {
		r->keeping--;
	}
	c->queued -= waited;
	if (c->queued)
		r->keeping++;
}

HISTORY_INLINE void stop_run(struct idle_scan *r, struct capability *c)
{
	if (unlikely(!c->runs))
		return;
	begin_idle(r, c, before_change(r, c));
	if (c->queued)
		r->keeping--;
	c->runs = false;
	r->free += !c->absent;
}

static void change_absent(struct idle_scan *r, struct capability *c, bool absent)
{
	const uint64_t t = before_change(r, c);
	if (!c->runs) {
		end_idle(r, c, t);
		begin_idle(r, c, t);
		r->free += (uint64_t)!absent - (uint64_t)!c->absent;
	}
	c->absent = absent;
}

static inline void note_alone(struct idle_scan *r, struct own *own, uint64_t from, uint64_t to, uint64_t ns)
{
	enum { BREAK_NS = 1000000 };
	own->is.alone_ns += ns;
	if (r->last_alone != r->runners || !own->alone_until || from - own->alone_until > BREAK_NS)
		own->alone_from = from;
	r->last_alone = r->runners;
	own->alone_until = to;
	if (to - own->alone_from <= own->is.longest_alone)
		return;
	own->is.longest_alone = to - own->alone_from;
	own->is.alone_at = own->alone_from;
}

/* A time of the range in which nothing changes goes by. by, paused: its parts outside pauses and in them. */
HISTORY_INLINE void pass_time(struct idle_scan *r, uint64_t from, uint64_t to, uint64_t by, uint64_t paused)
{
	const uint64_t *n = r->states, level = n[THREAD_RUNNING];
	r->clock.all += by;
	if (n[THREAD_RUNNABLE])
		r->clock.ready += by;
	else if (level)
		r->clock.others += by;
	else if (n[THREAD_BLOCKED] + n[THREAD_FOREIGN] == 0)
		r->clock.none += by;
	if (r->free) {
		r->room += by;
		r->kept += r->keeping ? by : 0;
	}
	if (likely(level <= r->top)) {
		r->levels[level] += by;
	} else {
		r->levels[r->top] += by;
		r->above += (level - r->top) * by;
	}
	if (unlikely(paused)) {
		r->run_paused += level * paused;
		r->levels[0] += paused;
		r->out->paused_ns += paused;
	}
	if (level == 1) {
		r->alone += by;
		note_alone(r, (struct own *)(void *)(r->pass->lives + r->runners), from, to, by);
	} else if (level) {
		r->last_alone = SEVERAL;
	}
}

static __attribute__((noinline)) void pass_windows(struct idle_scan *r, uint64_t from, uint64_t until)
{
	uint64_t to = until;
	for (size_t window = 0; thread_history_piece(r->pass, &window, &from, &to); from = to, to = until) {
		const uint64_t paused = gc_pauses_within(r->pass->pauses, from, to);
		if (from != r->looked)
			r->last_alone = SEVERAL;
		r->looked = to;
		pass_time(r, from, to, to - from - paused, paused);
	}
}

/* Let the clocks go on to t, as far as it is in the range. */
static inline void tick(struct idle_scan *r, uint64_t t)
{
	const struct thread_history *h = r->pass;
	if (t <= max_u64(r->t, h->from))
		return;
	if (unlikely(r->t <= h->from)) {
		r->t = h->from;
		r->paused = h->paused_from;
	}
	const uint64_t paused = t == h->at ? h->paused : h->pauses ? gc_pauses_before(h->pauses, t) : 0;
	if (unlikely(h->windows))
		pass_windows(r, r->t, t);
	else
		pass_time(r, r->t, t, t - r->t - (paused - r->paused), paused - r->paused);
	r->t = t;
	r->paused = paused;
}

static inline struct capability *find_cap(const struct idle_scan *r, uint16_t cap) { return r->numbered[cap]; }

static const struct cap_life_row *life_row(const struct idle_scan *r, size_t i) { return rows_at(&r->life->rows, i); }

static uint64_t life_time(const struct idle_scan *r, size_t i)
{
	return i < rows_count(&r->life->rows) ? life_row(r, i)->t : UINT64_MAX;
}

static uint64_t mark_time(const struct idle_scan *r)
{
	return r->n_marks ? min_u64(r->mark->t, r->pass->to) : UINT64_MAX;
}

/* The times at which capabilities come and go, or sums are wanted, until t. */
static __attribute__((noinline)) void advance_lives(struct idle_scan *r, uint64_t t)
{
	while (r->life_t <= t && r->life_t <= mark_time(r) && r->row < rows_count(&r->life->rows)) {
		const struct cap_life_row *row = life_row(r, r->row++);
		struct capability *c = find_cap(r, row->cap);
		tick(r, row->t);
		if (c)
			change_absent(r, c, row->tag == EVL_CAP_DISABLE || row->tag == EVL_CAP_DELETE);
		r->life_t = life_time(r, r->row);
	}
}

/* Return whether there is a mark at t or before, and fill it in. */
static bool pass_mark(struct idle_scan *r, uint64_t t)
{
	if (mark_time(r) > t)
		return false;
	tick(r, mark_time(r));
	struct waits_mark *m = r->mark++;
	m->idle = r->levels[0] - r->out->paused_ns;
	m->mutator = r->clock.all - m->idle;
	m->busy = r->above;
	for (uint64_t i = 1; i <= r->top; i++)
		m->busy += i * r->levels[i];
	m->run = m->busy + r->run_paused;
	r->n_marks--;
	return true;
}

static __attribute__((noinline)) void advance_far(struct idle_scan *r, uint64_t t)
{
	const struct thread_history *h = r->pass;
	t = min_u64(t, h->to);
	do
		advance_lives(r, t);
	while (pass_mark(r, t));
	tick(r, t);
	r->edge = r->t <= h->from || h->windows ? 0 : min_u64(min_u64(r->life_t, mark_time(r)), h->to);
}

/* Go on to t, the time of the event in progress, or UINT64_MAX. */
HISTORY_INLINE void advance(struct idle_scan *r, uint64_t t)
{
	if (unlikely(t >= r->edge)) {
		advance_far(r, t);
	} else if (t > r->t) {
		const uint64_t paused = r->pass->paused - r->paused;
		pass_time(r, r->t, t, t - r->t - paused, paused);
		r->t = t;
		r->paused += paused;
	}
}

/* Add the group of an owner, unless another owner did. */
static bool add_group(struct idle_scan *r, struct owner *o)
{
	struct evl_str name = label_stem(evl_label(r->pass->log, o->who.thread));
	uint64_t key = idmap_key(name);
	for (; name.len && idmap_find(&r->names, key, &o->group); key++) /* texts may share a hash */
		if (str_order(r->groups[o->group].name, name) == 0)
			return true;
	o->group = (uint32_t)r->n_groups;
	if (!GROW(r->groups, r->n_groups, r->groups_room) || !GROW(r->awaited, r->n_groups, r->awaited_room)
		|| (name.len && !idmap_put(&r->names, key, o->group)))
		return false;
	r->awaited[r->n_groups] = (struct awaited){0};
	r->groups[r->n_groups++] = (struct owner_group){.name = name};
	return true;
}

/* The owner of the black hole that a thread is blocked on from now on: its index + 1. */
static uint32_t owner_of(struct idle_scan *r, uint32_t thread)
{
	uint32_t place;
	if (idmap_find(&r->places, thread, &place))
		return place + 1;
	if (r->n_owners == OWNERS_MOST)
		return 0;
	struct owner owner = {.who.thread = thread};
	r->failed = r->failed || !GROW(r->owners, r->n_owners, r->owners_room) || !add_group(r, &owner)
		|| !idmap_put(&r->places, thread, (uint32_t)r->n_owners);
	if (r->failed)
		return 0;
	r->owners[r->n_owners++] = owner;
	return (uint32_t)r->n_owners;
}

/* While several threads wait for the same, the time passes once. */
static void await(const struct idle_scan *r, struct awaited *a)
{
	if (a->waiting++)
		return;
	a->since = r->clock.all;
	a->since_alone = r->alone;
}

static void await_no_more(const struct idle_scan *r, struct awaited *a)
{
	if (--a->waiting)
		return;
	a->ns += r->clock.all - a->since;
	a->alone_ns += r->alone - a->since_alone;
}

/* Note who waits for an owner, before it is counted. */
static void note_waiter(struct owner *o, uint32_t thread)
{
	uint32_t i = 0;
	o->n_since = o->is.waiting ? o->n_since : 0;
	while (i < o->n_since && o->since[i] != thread)
		i++;
	if (i == o->n_since && i < THREAD_TOP)
		o->since[o->n_since++] = thread;
}

static void wait_for(struct idle_scan *r, struct own *own, uint32_t thread, uint32_t owner)
{
	struct owner *was = own->waits_for ? &r->owners[own->waits_for - 1] : NULL;
	struct owner *is = owner ? &r->owners[owner - 1] : NULL;
	if (was) {
		await_no_more(r, &was->is);
		await_no_more(r, &r->awaited[was->group]);
	}
	if (is) {
		note_waiter(is, thread);
		await(r, &is->is);
		await(r, &r->awaited[is->group]);
	}
	own->waits_for = owner;
}

/* Sum up the waits for owners, also those that last. */
static void sum_owners(struct idle_scan *r)
{
	for (size_t i = 0; i < r->n_owners; i++) {
		struct owner *o = &r->owners[i];
		struct owner_group *g = &r->groups[o->group];
		bool more = o->who.ns > g->most.ns || (o->who.ns == g->most.ns && o->who.thread < g->most.thread);
		o->who.once_ns = o->is.ns + (o->is.waiting ? r->clock.all - o->is.since : 0);
		g->owners += o->who.n > 0;
		g->n += o->who.n;
		g->ns += o->who.ns;
		g->most = more ? o->who : g->most;
	}
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct awaited *a = &r->awaited[i];
		r->groups[i].once_ns = a->ns + (a->waiting ? r->clock.all - a->since : 0);
		r->groups[i].alone_ns = a->alone_ns + (a->waiting ? r->alone - a->since_alone : 0);
	}
}

/* A wait for an MVar ends at t, or the range does. */
static inline void unlock(struct idle_scan *r, struct own *own, uint64_t t)
{
	if (!own->locked)
		return;
	contention_room(&own->contender, max_u64(own->locked_at, r->pass->from), min_u64(t, r->pass->to),
		r->room - own->since_room);
	own->locked = false;
}

/* The thread waits in the queue of this capability from now on, if any, and no longer in another. */
static void set_queue(struct idle_scan *r, struct own *own, struct capability *to)
{
	struct capability *was = own->queued;
	own->queued = to;
	if (was)
		change_queued(r, was, was->queued - 1);
	if (to)
		change_queued(r, to, to->queued + 1);
}

/* A thread changes to another state. */
HISTORY_INLINE void idle_change(struct idle_scan *r, struct own *own, enum thread_state was, const struct stretch *x)
{
	const enum thread_state is = (enum thread_state)x->state;
	struct capability *queue = NULL;
	unlock(r, own, x->from);
	if (unlikely(own->waits_for))
		wait_for(r, own, x->thread, 0);
	r->states[was]--; /* a new thread was absent: these are not counted */
	r->states[is]++;
	own->state = x->state;
	if ((was == THREAD_RUNNING) != (is == THREAD_RUNNING))
		r->runners ^= (uint64_t)((uint8_t *)own - r->pass->lives);
	if (own->runs_on) {
		stop_run(r, own->runs_on);
		own->runs_on = NULL;
	}
	if (is == THREAD_RUNNING) {
		struct capability *cap = own->runs_on = find_cap(r, x->cap);
		if (cap) { /* most often from its own queue */
			const bool waited = own->queued == cap;
			start_run(r, cap, waited);
			own->queued = waited ? NULL : own->queued;
			own->home = cap;
		}
	} else if (is == THREAD_RUNNABLE) {
		queue = own->home;
	} else if (is == THREAD_BLOCKED) {
		if (x->stop == STOP_MVAR) {
			own->locked = true;
			own->locked_at = x->from;
			own->since_room = r->room;
		} else if (x->stop == STOP_BLACK_HOLE && x->info) {
			wait_for(r, own, x->thread, owner_of(r, x->info));
		}
	}
	if (own->queued != queue)
		set_queue(r, own, queue);
}

static bool idle_begin(
	struct idle_scan *r, struct waits *w, const struct evl_log *log, const struct thread_history *pass)
{
	w->idle = calloc(log->n_caps + 1, sizeof *w->idle);
	w->late_ns = calloc(log->n_caps + 1, sizeof *w->late_ns);
	*r = (struct idle_scan){.last_alone = SEVERAL,
		.pass = pass,
		.life = &log->cap_life,
		.out = w,
		.levels = w->levels,
		.top = w->n_levels - 1};
	r->caps = calloc(log->n_caps + 1, sizeof *r->caps);
	r->numbered = calloc(EVL_NO_CAP + 1, sizeof *r->numbered);
	if (!r->caps || !r->numbered || !w->idle || !w->late_ns)
		return false;
	for (r->n = 0; r->n < log->n_caps; r->n++) {
		r->caps[r->n].sum = &w->idle[r->n];
		r->numbered[log->blocks.chains[log->cap_chains[r->n]].cap] = &r->caps[r->n];
	}
	r->life_t = life_time(r, 0);
	for (size_t i = rows_count(&r->life->rows); i-- > 0;) { /* its first event tells what was before it */
		const struct cap_life_row *row = life_row(r, i);
		struct capability *c = find_cap(r, row->cap);
		if (c)
			c->absent = row->tag == EVL_CAP_CREATE;
	}
	for (size_t i = 0; i < r->n; i++)
		r->free += !r->caps[i].absent;
	return true;
}

static void idle_end(struct idle_scan *r, struct waits *w)
{
	uint64_t first, last;
	for (size_t i = 0; i < r->n; i++) {
		const uint64_t t = before_change(r, &r->caps[i]);
		if (!r->caps[i].runs)
			end_idle(r, &r->caps[i], t);
	}
	w->kept_ns = r->kept;
	free_all(r->caps, r->numbered, r->owners, r->awaited);
	idmap_free(&r->places);
	idmap_free(&r->names);
	w->owner_groups = r->groups;
	w->n_owner_groups = r->n_groups;
	w->all_threads = r->pass->log && evl_range(r->pass->log, &first, &last) && r->pass->begin <= first
		&& r->pass->others == 0;
	if (!r->pass->windows && r->pass->others == 0 && r->life->more == 0)
		return;
	free(w->idle);
	w->idle = NULL;
}

/* --- stretches ----------------------------------------------------------------------------------------------------- */

HISTORY_INLINE void on_blocked(struct waits_reader *s, struct own *own, const struct stretch *x)
{
	uint64_t ns = x->to - x->from;
	uint8_t reason = s->reasons_of[x->stop];
	struct wait_reason *r = &s->reasons[reason];
	own->is.blocked_ns += ns;
	if (ns > own->is.longest_blocked) {
		own->is.longest_blocked = ns;
		own->is.blocked_at = x->from;
		own->is.stop = x->stop;
	}
	if (r->n++ == 0 || ns > r->longest || (ns == r->longest && x->from < r->longest_at)) {
		r->longest = ns;
		r->longest_at = x->from;
		r->longest_thread = x->thread;
	}
	r->ns += ns;
	r->unwoken += !x->woken && !s->pass->windows;
	note_pair(s, &own->pair, reason, false, x->woken ? x->waker : 0, ns);
	if (reason != STOP_BLACK_HOLE)
		return;
	uint32_t hint = UINT32_MAX;
	note_pair(s, &hint, reason, true, x->info, ns);
	struct owner *o = own->waits_for ? &s->idle.owners[own->waits_for - 1] : NULL;
	struct wait_who *who = o ? &o->who : NULL;
	if (!who)
		return;
	who->n++;
	who->ns += ns;
	if (ns > who->longest || (ns == who->longest && x->from < who->longest_at)) {
		who->longest = ns;
		who->longest_at = x->from;
		who->longest_thread = x->thread;
		who->n_with = o->n_since;
		memcpy(who->with, o->since, sizeof who->with);
	}
}

HISTORY_INLINE void on_run(struct waits_reader *s, struct own *own, const struct stretch *x)
{
	uint64_t ns = x->to - x->from;
	own->is.run_ns += ns;
	if (x->paused && find_cap(&s->idle, x->cap))
		s->out->late_ns[find_cap(&s->idle, x->cap) - s->idle.caps] += x->paused;
	if (own->run_since != x->since + 1) { /* it started before the range */
		own->run_since = x->since + 1;
		own->is.runs++;
	}
	if (ns > own->is.longest_run) {
		own->is.longest_run = ns;
		own->is.run_at = x->from;
	}
	if (x->ready == x->since || x->since < x->from) /* of what begins in the range */
		return;
	uint64_t latency = x->since - x->ready;
	uint64_t wait = latency - x->latency_paused;
	if (likely(wait == latency)) {
		histogram_add(&s->unpaused, latency);
	} else {
		histogram_add(&s->out->latency, latency);
		histogram_add(&s->out->latency_wait, wait);
	}
	own->is.latencies++;
	if (latency > own->is.longest_latency) {
		own->is.longest_latency = latency;
		own->is.latency_at = x->ready;
	}
	if (wait > own->is.longest_wait) {
		own->is.longest_wait = wait;
		own->is.wait_at = x->ready;
		own->is.wait_to = x->since;
	}
}

HISTORY_INLINE void on_stretch(void *ctx, const struct stretch *x)
{
	struct waits_reader *s = ctx;
	struct own *own = x->own;
	uint64_t ns = x->to - x->from;
	switch ((enum thread_state)x->state) {
	case THREAD_RUNNING: on_run(s, own, x); break;
	case THREAD_RUNNABLE:
		own->is.runnable_ns += ns;
		own->is.runnable_gc_ns += x->paused;
		break;
	case THREAD_FOREIGN: own->is.foreign_ns += ns; break;
	case THREAD_BLOCKED: on_blocked(s, own, x); break;
	default: own->unknown_ns += ns; break;
	}
	contention_stretch(&s->contention, &own->contender, x);
}

HISTORY_INLINE void on_start(void *ctx, const struct stretch *x)
{
	struct waits_reader *s = ctx;
	struct own *own = x->own;
	if (x->state == THREAD_RUNNING) {
		own->run_since = x->since + 1;
		own->is.runs++;
		s->out->runs++;
	}
	contention_starts(&s->contention, &own->contender, x);
	idle_change(&s->idle, own, (enum thread_state)x->was, x);
}

static void before_start(void *ctx, const struct stretch *x)
{
	struct waits_reader *s = ctx;
	struct own *own = x->own;
	contention_changes(&s->contention, &own->contender, x);
	idle_change(&s->idle, own, (enum thread_state)x->was, x);
}

HISTORY_INLINE void on_event(void *ctx, const struct thread_event *e, uint64_t t, enum thread_state was, void *of)
{
	struct waits_reader *s = ctx;
	struct own *own = of;
	bool waits = was == THREAD_BLOCKED || was == THREAD_UNKNOWN;
	if (was != THREAD_RUNNING) { /* a wake-up of a thread that runs is a copy, and late */
		own->home = find_cap(&s->idle, e->to_cap);
		if (own->queued != (was == THREAD_RUNNABLE ? own->home : NULL))
			set_queue(&s->idle, own, was == THREAD_RUNNABLE ? own->home : NULL);
	}
	if (t < s->pass->from)
		return;
	own->is.wakeups += waits && e->tag == EVL_THREAD_WAKEUP;
	own->is.migrations += e->tag == EVL_MIGRATE_THREAD;
}

HISTORY_INLINE void on_tick(void *ctx, uint64_t t)
{
	struct waits_reader *s = ctx;
	advance(&s->idle, t);
}

static void on_leave(void *ctx, const struct stretch *last)
{
	struct waits_reader *s = ctx;
	struct own *own = last->own;
	struct waits *out = s->out;
	if (last->state != THREAD_ABSENT)
		advance(&s->idle, UINT64_MAX);
	if (s->each && !own->contender.labelled)
		contention_find_label(&s->contention, &own->contender, last->thread);
	own->is.label = own->contender.label;
	own->is.thread = last->thread;
	own->is.cap = last->cap;
	own->is.state = last->state;
	own->is.since = last->since;
	out->run_ns += own->is.run_ns;
	out->runnable_ns += own->is.runnable_ns;
	out->runnable_gc_ns += own->is.runnable_gc_ns;
	out->blocked_ns += own->is.blocked_ns;
	out->foreign_ns += own->is.foreign_ns;
	rank(out->by_run, &out->n_run, &own->is, offsetof(struct thread_waits, run_ns));
	rank(out->by_blocked, &out->n_blocked, &own->is, offsetof(struct thread_waits, blocked_ns));
	rank(out->by_latency, &out->n_latency, &own->is, offsetof(struct thread_waits, longest_latency));
	rank(out->by_wait, &out->n_wait, &own->is, offsetof(struct thread_waits, longest_wait));
	rank(out->by_alone, &out->n_alone, &own->is, offsetof(struct thread_waits, alone_ns));
	if (last->state == THREAD_ABSENT)
		idle_change(&s->idle, own, (enum thread_state)own->state, last);
	else
		unlock(&s->idle, own, UINT64_MAX);
	contention_leaves(&s->contention, &own->contender, last, own->is.run_ns,
		own->is.run_ns + own->is.runnable_ns + own->is.blocked_ns + own->is.foreign_ns + own->unknown_ns);
	if (s->each)
		s->each(s->ctx, &own->is);
}

static int until(struct thread_history *h, uint64_t t, uint64_t off);

static const struct thread_history_sink waits_sink = {.stretch = on_stretch,
	.begins = on_start,
	.before = before_start,
	.leaves = on_leave,
	.event = on_event,
	.tick = on_tick,
	.width = sizeof(struct own),
	.wants_wakers = true,
	.until = until};

static int until(struct thread_history *h, uint64_t t, uint64_t off) { return history_until(h, &waits_sink, t, off); }

/* --- the pass ------------------------------------------------------------------------------------------------------ */

int waits_reader_open(struct waits_reader **out, struct waits *w, const struct evl_log *log,
	const struct thread_history *pass, uint64_t main_end, void (*each)(void *ctx, const struct thread_waits *t),
	void *ctx)
{
	struct waits_reader *s = *out = malloc(sizeof *s);
	*w = (struct waits){.n_levels = min_u64(log->n_caps, WAITS_LEVELS) + 1};
	w->levels = calloc(w->n_levels, sizeof *w->levels);
	if (!s)
		return EVL_NOMEM;
	*s = (struct waits_reader){.out = w, .log = log, .pass = pass, .each = each, .ctx = ctx};
	s->sink = waits_sink;
	s->sink.ctx = s;
	for (unsigned stop = 0; stop < STOP_REASONS; stop++)
		s->reasons_of[stop] = thread_block_reason((uint8_t)stop);
	bool begun = contention_begin(&s->contention, &w->contention, pass, main_end, offsetof(struct own, contender));
	begun = idle_begin(&s->idle, w, log, pass) && begun;
	return begun && w->levels ? 0 : EVL_NOMEM;
}

const struct thread_history_sink *waits_reader_sink(const struct waits_reader *r) { return &r->sink; }

void waits_reader_mark(struct waits_reader *r, struct waits_mark *marks, size_t n)
{
	r->idle.mark = marks;
	r->idle.n_marks = n;
}

int waits_reader_close(struct waits_reader *s)
{
	if (!s)
		return 0;
	s->out->others = s->pass->others;
	s->out->wakers_unread = s->pass->wakers_unread;
	histogram_join(&s->out->latency, &s->unpaused);
	histogram_join(&s->out->latency_wait, &s->unpaused);
	advance(&s->idle, UINT64_MAX);
	sum_owners(&s->idle);
	put_reasons(s);
	bool failed = s->failed || s->idle.failed || s->contention.failed;
	idle_end(&s->idle, s->out);
	contention_end(&s->contention);
	idmap_free(&s->places);
	idmap_free(&s->labels);
	free_all(s->pairs, s);
	return failed ? EVL_NOMEM : 0;
}

/* Run a pass over [from, to) for one reader, which is open if `opened` is 0; `result` of opening it. */
static int run_alone(struct thread_history *pass, struct waits_reader *r, const struct evl_log *log, uint64_t from,
	uint64_t to, int opened, const struct progress *watch)
{
	struct gc_pauses pauses = {0};
	int result =
		opened ? opened : evl_all_pauses(&pauses, log, watch); /* a latency may have begun before the range */
	if (result == 0)
		result = thread_history_begin(pass,
			&(struct thread_history_ask){.log = log,
				.from = from,
				.to = to,
				.readers = {&r->sink},
				.n_readers = 1,
				.pauses = &pauses,
				.watch = watch});
	result = result ? result : thread_history_end(pass);
	int closed = waits_reader_close(r);
	thread_history_free(pass);
	gc_pauses_free(&pauses);
	return result ? result : closed;
}

int thread_waits_run(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to, uint64_t main_end,
	const struct progress *watch, void (*each)(void *ctx, const struct thread_waits *t), void *ctx)
{
	struct thread_history pass = {0};
	struct waits_reader *r;
	int opened = waits_reader_open(&r, w, log, &pass, main_end, each, ctx);
	return run_alone(&pass, r, log, from, to, opened, watch);
}

int thread_waits_marks(struct waits_mark *marks, size_t n, const struct evl_log *log, const struct progress *watch)
{
	struct waits *w = calloc(1, sizeof *w); /* too large for the stack */
	struct thread_history pass = {0};
	struct waits_reader *r;
	if (!w)
		return EVL_NOMEM;
	int opened = waits_reader_open(&r, w, log, &pass, UINT64_MAX, NULL, NULL);
	if (opened == 0)
		waits_reader_mark(r, marks, n);
	int result = run_alone(&pass, r, log, marks[0].t, marks[n - 1].t, opened, watch);
	thread_waits_free(w);
	free(w);
	return result;
}

void thread_waits_free(struct waits *w)
{
	free_all(w->levels, w->idle, w->late_ns, w->by_label, w->owner_groups);
	contention_free(&w->contention);
	*w = (struct waits){0};
}
