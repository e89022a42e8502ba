/* Findings about threads that wait for each other: raised in the logs of the tests, whole and cut, where slow code that looks at
 * every stretch of every thread says so, with its stake, thread and place. Given files, it looks at these instead. */
#include "each_log.h"
#include "report/findings.h"
#include "slow_gcs.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_NS = 5000000, AGAIN_NS = 100000, RESURRECTED_NS = 10000000 };

/* Threads whose labels differ in the number at the end only. */
struct group {
	struct evl_str name;
	/* blocked on MVars for most of their lives, mostly until others of the label freed them */
	double locked_n, locked_ns, room_ns, run_ns, most_run_ns;
	double most_room;    /* in one wait */
	double queued_ns;    /* of freed_ns: while one waited until a thread of another label came */
	struct list outside; /* those waits, in the order of their ends */
	double freed_ns, freeing_ns, all_freed_ns; /* freed, by these and of these; of all of the label */
	double stm_n, again_run_ns, wakes, again;
	uint64_t stuck_n, stuck_since;
};

/* A time outside of pauses in which a capability that could run a thread ran none; the sum of those before it. */
struct room {
	uint64_t from, to, before;
};

struct about_thread {
	bool named;
	size_t group;
	double life, run, locked, room, most_room, freed, queued, freeing, stm;
	bool retries;
	uint64_t ran_ns; /* since it was woken from STM */
};

struct reference {
	const char *name;
	const struct evl_log *log;
	struct slow slow;
	struct pauses pauses;
	struct list all;    /* stretches, of the whole log */
	uint64_t from, to;  /* the range: stretches are cut to it */
	bool whole, to_end; /* the range is the whole log; has no end */
	struct room *rooms; /* in the order of times */
	size_t n_rooms;
	struct about_thread *threads;
	struct group *groups;
	size_t n_groups, room;
	uint64_t main_end; /* UINT64_MAX: it did not end */
	uint64_t shown;    /* what all capabilities did is logged until then; UINT64_MAX: the log has an end */
	struct findings found;
};

static uint64_t raised_in[FINDING_IDS], logs_seen, named_seen, certain_seen, stuck_in_ranges;

static const struct finding *expect_raised(const struct reference *r, enum finding_id id, bool raised)
{
	const struct finding *got = NULL;
	for (size_t i = 0; i < r->found.n; i++)
		got = r->found.items[i].id == id ? &r->found.items[i] : got;
	if (raised != (got != NULL))
		fail_msg("%s: %s is %sraised", r->name, finding_name(id), got ? "" : "not ");
	raised_in[id] += raised;
	return got;
}

static void expect_stake(const struct reference *r, const struct finding *got, double ns)
{
	if (got->stake_kind != STAKE_NS || fabs((double)got->stake - ns) > 1)
		fail_msg("%s: %s: %llu at stake, not %.17g", r->name, finding_name(got->id),
			(unsigned long long)got->stake, ns);
}

/* --- threads and groups --------------------------------------------------------------------------------------------- */

/* "worker-1", "worker 2": "worker". All of it, if nothing else is left. */
static struct evl_str without_number(struct evl_str s)
{
	struct evl_str out = s;
	while (out.len && is_digit(out.p[out.len - 1]))
		out.len--;
	while (out.len && out.len < s.len && strchr("-_ #:./([", out.p[out.len - 1]))
		out.len--;
	return out.len ? out : s;
}

static size_t group_of(struct reference *r, uint32_t thread)
{
	struct about_thread *a = &r->threads[thread];
	struct evl_str name = without_number(evl_label(r->log, thread));
	if (a->named)
		return a->group;
	a->named = true;
	for (a->group = 0; a->group < r->n_groups; a->group++) {
		struct evl_str other = r->groups[a->group].name;
		if (other.len == name.len && (name.len == 0 || memcmp(other.p, name.p, name.len) == 0))
			return a->group;
	}
	assert_true(GROW(r->groups, r->n_groups, r->room));
	r->groups[r->n_groups++] = (struct group){.name = name, .stuck_since = UINT64_MAX};
	return a->group;
}

static struct group *its_group(struct reference *r, uint32_t thread)
{
	size_t at = group_of(r, thread);
	return &r->groups[at];
}

static bool begins(struct evl_str s, const char *word)
{
	return s.len >= strlen(word) && memcmp(s.p, word, strlen(word)) == 0;
}

/* The main thread is labelled so; else it is the one that lived longest of those that no thread created. Events are in
 * order of time. */
static uint64_t find_main_end(const struct reference *r)
{
	struct {
		uint64_t born, ended;
		bool has_born, created, known, ran;
	} *lives = calloc((size_t)r->slow.n_threads + 1, sizeof *lives);
	static uint32_t running[1 << 16];
	uint32_t main = 0;
	assert_non_null(lives);
	memset(running, 0, sizeof running);
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &r->slow.events[i];
		if (e->cap < 0 || e->f.tag > EVL_THREAD_WAKEUP || e->f.payload.len < 4)
			continue;
		uint32_t id = be32(e->f.payload.p);
		if (id >= r->slow.n_threads)
			continue;
		if (e->f.tag == EVL_CREATE_THREAD && !lives[id].known) {
			lives[id].born = e->f.t;
			lives[id].has_born = true;
			lives[id].created = running[e->cap];
		}
		lives[id].known = true;
		lives[id].ran = lives[id].ran || e->f.tag == EVL_RUN_THREAD;
		if (e->f.tag == EVL_RUN_THREAD)
			running[e->cap] = id;
		if (e->f.tag == EVL_STOP_THREAD)
			running[e->cap] = 0;
		if (e->f.tag == EVL_STOP_THREAD && be16(e->f.payload.p + 4) == 5)
			lives[id].ended = e->f.t;
	}
	for (uint32_t id = r->slow.n_threads; id-- > 1;) {
		struct evl_str label = evl_label(r->log, id);
		main = lives[id].known && (str_is(label, "main") || str_is(label, "main thread")) ? id : main;
	}
	bool labelled = main;
	uint64_t longest = 0;
	for (uint32_t id = 1; id < r->slow.n_threads && !labelled; id++) {
		struct evl_str label = evl_label(r->log, id);
		uint64_t lived = (lives[id].ended ? lives[id].ended : r->slow.last) - lives[id].born;
		if (!lives[id].has_born || lives[id].created || !lives[id].ran || begins(label, "TimerManager")
			|| begins(label, "IOManager") || (main && lived <= longest))
			continue;
		main = id;
		longest = lived;
	}
	uint64_t end = main && lives[main].ended ? lives[main].ended : UINT64_MAX;
	free(lives);
	return end;
}

static bool is_on_mvar(const struct stretch *x) { return x->state == THREAD_BLOCKED && x->stop == STOP_MVAR; }

static bool is_on_stm(const struct stretch *x) { return x->state == THREAD_BLOCKED && x->stop == STOP_STM; }

static bool is_on_black_hole(const struct stretch *x)
{
	return x->state == THREAD_BLOCKED && x->stop == STOP_BLACK_HOLE;
}

static bool may_last(const struct stretch *x)
{
	return is_on_mvar(x) || (x->state == THREAD_BLOCKED && x->stop == STOP_MVAR_READ) || is_on_stm(x)
		|| is_on_black_hole(x);
}

/* The thread of the finding, then those with the longest times; of equals, the one with the smaller id. */
static void expect_looked_at(const struct reference *r, const struct finding *got, double *times)
{
	uint32_t want[FINDING_THREADS + 1] = {got->thread}, n = 1;
	for (unsigned top = 0; top < 8; top++) {
		uint32_t most = 0;
		for (uint32_t id = 1; id < r->slow.n_threads; id++)
			most = times[id] > times[most] ? id : most;
		if (most && most != got->thread)
			want[n++] = most;
		times[most] = 0;
	}
	n = n < FINDING_THREADS ? n : FINDING_THREADS;
	if (got->n_threads != n || memcmp(got->threads, want, n * sizeof *want) != 0)
		fail_msg("%s [%llu, %llu): %s does not look at the threads that waited longest", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, finding_name(got->id));
}

/* --- stuck ---------------------------------------------------------------------------------------------------------- */

/* Blocked when the main thread ended. A log that is cut before that proves nothing: a capability without an end in the log may
 * have run it later. */
static bool is_stuck(const struct reference *r, const struct stretch *x)
{
	return may_last(x) && r->main_end <= r->shown && x->from < r->main_end && r->main_end <= x->to;
}

static void expect_stuck(struct reference *r)
{
	uint64_t most = 0;
	bool good = false;
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		if (!is_stuck(r, x))
			continue;
		struct group *g = its_group(r, x->thread);
		most = max_u64(most, ++g->stuck_n);
		g->stuck_since = min_u64(g->stuck_since, x->since);
	}
	const struct finding *got = expect_raised(r, FINDING_THREADS_STUCK, most > 0);
	stuck_in_ranges += got && !r->whole;
	double *times = test_calloc(r->slow.n_threads + 1, sizeof *times);
	for (size_t i = 0; i < r->slow.list.n && got; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		const struct group *g = its_group(r, x->thread);
		if (is_stuck(r, x) && g == its_group(r, got->thread))
			times[x->thread] = (double)(r->main_end - x->since);
		if (!is_stuck(r, x) || x->thread != got->thread)
			continue;
		good = g->stuck_n == most && x->since == g->stuck_since && got->t == max_u64(x->since, r->from)
			&& got->until == r->main_end && got->stake_kind == STAKE_UNKNOWN;
	}
	if (got && !good)
		fail_msg("%s [%llu, %llu): thread %u at %llu is not the first of the largest group that is stuck",
			r->name, (unsigned long long)r->from, (unsigned long long)r->to, got->thread,
			(unsigned long long)got->t);
	if (got)
		expect_looked_at(r, got, times);
	test_free(times);
}

/* --- locks and transactions ----------------------------------------------------------------------------------------- */

struct edge {
	uint64_t t;
	int by;
};

static int by_edge(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return x->t != y->t ? (x->t > y->t) - (x->t < y->t) : x->by - y->by;
}

/* When capabilities of the log came and went: into edges. Return how many there were before. */
static int read_lives(const struct reference *r, struct edge *edges, size_t *n)
{
	static bool known[1 << 16], seen[1 << 16], absent[1 << 16];
	int before = (int)r->log->n_caps;
	memset(known, 0, sizeof known);
	memset(seen, 0, sizeof seen);
	memset(absent, 0, sizeof absent);
	for (size_t i = 0; i < r->log->n_caps; i++)
		known[r->log->blocks.chains[r->log->cap_chains[i]].cap] = true;
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct frame *f = &r->slow.events[i].f;
		if (r->slow.events[i].cap >= 0 || f->tag < EVL_CAP_CREATE || f->tag > EVL_CAP_ENABLE)
			continue;
		uint16_t cap = be16(f->payload.p);
		bool goes = f->tag == EVL_CAP_DISABLE || f->tag == EVL_CAP_DELETE;
		if (known[cap] && !seen[cap])
			before -= absent[cap] = f->tag == EVL_CAP_CREATE;
		seen[cap] = true;
		if (known[cap] && goes != absent[cap])
			edges[(*n)++] = (struct edge){f->t, goes ? -1 : 1};
		absent[cap] = goes;
	}
	return before;
}

/* The times of the range outside of pauses in which a capability that could run a thread ran none. */
static void find_rooms(struct reference *r)
{
	struct edge *edges = calloc(2 * r->slow.list.n + r->slow.n + 1, sizeof *edges);
	uint64_t t = r->from, sum = 0;
	size_t n = 0;
	assert_non_null(edges);
	int room = read_lives(r, edges, &n);
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		if (x->state != THREAD_RUNNING)
			continue;
		edges[n++] = (struct edge){x->from, -1};
		edges[n++] = (struct edge){x->to, 1};
	}
	qsort(edges, n, sizeof *edges, by_edge);
	r->rooms = calloc(n + 1, sizeof *r->rooms);
	assert_non_null(r->rooms);
	for (size_t i = 0; i <= n; i++) {
		uint64_t to = i < n ? min_u64(edges[i].t, r->to) : r->to;
		if (room > 0 && t < to) {
			r->rooms[r->n_rooms++] = (struct room){t, to, sum};
			sum += to - t - covered(&r->pauses, t, to);
		}
		t = max_u64(t, to);
		room += i < n ? edges[i].by : 0;
	}
	free(edges);
}

/* How much of them is before t. */
static uint64_t room_before(const struct reference *r, uint64_t t)
{
	size_t n = 0, end = r->n_rooms;
	while (n < end) {
		size_t mid = (n + end) / 2;
		n = r->rooms[mid].from < t ? mid + 1 : n;
		end = r->rooms[mid].from < t ? end : mid;
	}
	if (n == 0)
		return 0;
	const struct room *last = &r->rooms[n - 1];
	uint64_t to = min_u64(t, last->to);
	return last->before + (to - last->from - covered(&r->pauses, last->from, to));
}

/* The time of a wait in which one of the waits that ended before its end was open, from its end back. */
static double queued_in(const struct list *outside, const struct stretch *x)
{
	uint64_t ns = 0, edge = x->to;
	for (size_t i = outside->n; i-- > 0 && outside->items[i].to > x->from;) {
		uint64_t a = max_u64(outside->items[i].from, x->from), b = min_u64(outside->items[i].to, edge);
		ns += sub_or_0(b, a);
		edge = min_u64(edge, a);
	}
	return (double)ns;
}

static void look_at_threads(struct reference *r)
{
	for (size_t i = 0; i < r->slow.list.n; i++) { /* in order of their ends */
		const struct stretch *x = &r->slow.list.items[i];
		struct about_thread *a = &r->threads[x->thread];
		uint64_t ns = x->to - x->from;
		a->life += (double)ns;
		a->run += x->state == THREAD_RUNNING ? (double)ns : 0;
		a->ran_ns += x->state == THREAD_RUNNING ? ns : 0;
		if (is_on_mvar(x)) {
			double room = (double)(room_before(r, x->to) - room_before(r, x->from));
			a->locked += (double)ns;
			a->room += room;
			a->most_room = fmax(a->most_room, room);
		}
		if (is_on_mvar(x) && x->woken && x->waker && x->waker != x->thread
			&& group_of(r, x->waker) == group_of(r, x->thread)) {
			a->freed += (double)ns;
			a->queued += queued_in(&its_group(r, x->thread)->outside, x);
			r->threads[x->waker].freeing += (double)ns;
			its_group(r, x->thread)->all_freed_ns += (double)ns;
		} else if (is_on_mvar(x) && x->woken && x->waker && x->waker != x->thread) {
			struct evl_str label = evl_label(r->log, x->waker);
			bool manages = (label.len == 12 && memcmp(label.p, "TimerManager", 12) == 0)
				|| (label.len > 9 && memcmp(label.p, "IOManager", 9) == 0);
			struct list *outside = &its_group(r, x->thread)->outside;
			assert_true(GROW(outside->items, outside->n, outside->room));
			if (!manages)
				outside->items[outside->n++] = *x;
		}
		if (x->state != THREAD_BLOCKED)
			continue;
		struct group *g = its_group(r, x->thread);
		bool again = a->retries && is_on_stm(x) && a->ran_ns <= AGAIN_NS;
		g->again += again;
		g->again_run_ns += again ? (double)a->ran_ns : 0;
		a->stm += is_on_stm(x) ? (double)ns : 0;
		a->retries = is_on_stm(x) && x->woken && !x->open;
		g->wakes += a->retries;
		a->ran_ns = 0;
	}
	for (uint32_t id = 1; id < r->slow.n_threads; id++) {
		const struct about_thread *a = &r->threads[id];
		struct group *g = &r->groups[a->group];
		if (!a->named)
			continue;
		g->stm_n += a->stm > 0;
		if (a->locked <= a->life / 2 || a->freed <= a->locked / 2)
			continue;
		g->freed_ns += a->freed;
		g->queued_ns += a->queued;
		g->freeing_ns += a->freeing;
		g->locked_n++;
		g->locked_ns += a->locked;
		g->room_ns += a->room;
		g->most_room = fmax(g->most_room, a->most_room);
		g->run_ns += a->run;
		g->most_run_ns = fmax(g->most_run_ns, a->run);
	}
}

/* Is there a wait for an MVar from t on with this time of a free capability? */
static bool has_room(const struct reference *r, uint64_t t, double ns)
{
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		if (is_on_mvar(x) && x->from == t && (double)(room_before(r, x->to) - room_before(r, t)) == ns)
			return true;
	}
	return false;
}

static void expect_contention(struct reference *r)
{
	double gain = 0, blocked = 0, again = 0, stm = 0;
	const struct group *most = NULL;
	find_rooms(r);
	look_at_threads(r);
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct group *g = &r->groups[i];
		/* what others of the label ended, at most, was not ended by these */
		double by_each_other = g->freed_ns - (g->all_freed_ns - g->freeing_ns);
		double mean = floor(g->locked_ns / g->locked_n), room = floor(g->room_ns / g->locked_n);
		if (g->locked_n >= 2 && g->most_run_ns <= g->run_ns / 2 && by_each_other > g->locked_ns / 2
			&& g->queued_ns < floor(g->freed_ns / 2) && mean >= LEAST_NS
			&& (room > gain || (room == gain && mean > blocked))) {
			most = g;
			gain = room;
			blocked = mean;
		}
		if (g->wakes >= 100 && g->again > g->wakes / 2 && g->again > again) {
			again = g->again;
			stm = g->again_run_ns;
		}
	}
	const struct finding *got = expect_raised(r, FINDING_LOCK_CONTENTION, most != NULL);
	if (got)
		expect_stake(r, got, most->room_ns / most->locked_n);
	if (got && most->most_room > 0 && !has_room(r, got->t, most->most_room))
		fail_msg("%s: not %.17g ns of room from %llu on", r->name, most->most_room, (unsigned long long)got->t);
	free(r->rooms);
	double *times = test_calloc(r->slow.n_threads + 1, sizeof *times);
	for (uint32_t id = 1; id < r->slow.n_threads && got; id++) {
		const struct about_thread *a = &r->threads[id];
		bool locked = a->named && a->locked > a->life / 2 && a->freed > a->locked / 2;
		times[id] = locked && &r->groups[a->group] == most ? a->locked : 0;
	}
	if (got)
		expect_looked_at(r, got, times);
	got = expect_raised(r, FINDING_STM_CONTENTION, again > 0);
	if (got)
		expect_stake(r, got, stm);
	for (uint32_t id = 1; id < r->slow.n_threads && got; id++) {
		const struct about_thread *a = &r->threads[id];
		times[id] = a->named && a->group == r->threads[got->thread].group ? a->stm : 0;
	}
	if (got)
		expect_looked_at(r, got, times);
	test_free(times);
}

/* --- deadlocks: who is deadlocked by the letter, and whether that is certain ------------------------------------------ */

static size_t managers_blamed, managers_cleared;

/* A run: a stretch, and what the thread did before it; both NULL where nothing is known. */
struct run {
	const struct stretch *is, *before;
	const struct event *event;
	bool freed;               /* it was blocked before, and no event says that it was woken */
	const struct slow_gc *gc; /* the major collection that ended last before it */
	bool by_gc, certain;      /* the collection resurrected it */
	bool managers, others;    /* may have thrown an exception to it */
};

/* A wait that is named. */
struct named {
	const struct stretch *wait;
	const struct run *run;    /* resurrected: that began with it */
	size_t cycle;             /* 0: none */
	const struct stretch *on; /* in a cycle: the wait of the owner */
	bool is_over;             /* in a cycle: a thread woke one of it */
};

struct deadlocks {
	struct run *runs;
	struct stretch *empty; /* for runs that end as they begin */
	size_t n_runs;
	struct named *named;
	size_t n, room;
};

static bool is_major(const struct reference *r, const struct slow_gc *g)
{
	unsigned oldest = 1;
	for (size_t i = 0; i < r->slow.n; i++)
		if (r->slow.events[i].f.tag == EVL_HEAP_INFO_GHC)
			oldest = (unsigned)sub_or_0(be16(r->slow.events[i].f.payload.p + 4), 1);
	return g->said.len && be16(g->said.p + 4) >= oldest;
}

/* Find the stretch that a RUN_THREAD starts; an empty one if its thread stopped in the same moment. */
static const struct stretch *stretch_of(const struct reference *r, const struct event *e, struct stretch *empty)
{
	uint32_t thread = be32(e->f.payload.p);
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		if (x->thread == thread && x->since == e->f.t && x->state == THREAD_RUNNING)
			return x;
	}
	*empty = (struct stretch){
		.thread = thread, .cap = (uint16_t)e->cap, .since = e->f.t, .from = e->f.t, .to = e->f.t};
	return empty;
}

/* Find all runs whose RUN_THREAD is in the range, in order. */
static void find_runs(struct reference *r, struct deadlocks *d)
{
	const struct stretch **last = calloc((size_t)r->slow.n_threads + 1, sizeof *last);
	size_t room = 0, over = 0;
	for (size_t i = 0; i < r->slow.n; i++)
		room += r->slow.events[i].f.tag == EVL_RUN_THREAD;
	d->runs = calloc(room + 1, sizeof *d->runs);
	d->empty = calloc(room + 1, sizeof *d->empty);
	assert_true(last && d->runs && d->empty);
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &r->slow.events[i];
		bool inside = e->f.t >= r->from && (r->to_end || e->f.t < r->to);
		if (e->cap < 0 || e->f.tag != EVL_RUN_THREAD || !inside)
			continue;
		for (; over < r->slow.list.n && r->slow.list.items[over].to <= e->f.t; over++) {
			const struct stretch *x = &r->slow.list.items[over];
			last[x->thread] = x;
		}
		struct run *run = &d->runs[d->n_runs];
		run->event = e;
		run->is = stretch_of(r, e, &d->empty[d->n_runs++]);
		run->before = last[run->is->thread];
		run->freed = run->before && may_last(run->before) && run->before->next == THREAD_RUNNING
			&& !run->before->woken && run->before->to == e->f.t;
	}
	free(last);
	for (size_t k = 0; k < r->pauses.n_gcs; k++) {
		const struct slow_gc *g = &r->pauses.gcs[k];
		if (!is_major(r, g))
			continue;
		for (size_t i = 0; i < d->n_runs; i++)
			if (g->end <= d->runs[i].is->since && (!d->runs[i].gc || d->runs[i].gc->start < g->start))
				d->runs[i].gc = g;
	}
}

static bool manages(const struct reference *r, uint32_t thread)
{
	return begins(evl_label(r->log, thread), "TimerManager") || begins(evl_label(r->log, thread), "IOManager");
}

/* Did another thread run, after t and before this run, on the capability on which its thread was blocked? */
static bool ran_since(const struct reference *r, const struct run *x, uint64_t t, bool managers)
{
	uint16_t cap = x->before->cap;
	for (const struct event *e = r->slow.events; e < x->event; e++) {
		uint32_t thread = e->f.tag == EVL_RUN_THREAD ? be32(e->f.payload.p) : x->is->thread;
		if (e->cap == cap && e->f.t > t && thread != x->is->thread && manages(r, thread) == managers)
			return true;
	}
	for (size_t i = 0; i < r->all.n; i++) { /* or since before */
		const struct stretch *y = &r->all.items[i];
		if (y->state == THREAD_RUNNING && y->cap == cap && y->since <= t && y->to > t
			&& y->thread != x->is->thread && manages(r, y->thread) == managers)
			return true;
	}
	return false;
}

/* Was a thread blocked in throwTo, so that it may have thrown an exception to one of another capability? */
static bool is_sent(const struct reference *r, const struct run *x, uint64_t t)
{
	for (size_t i = 0; i < r->all.n; i++) {
		const struct stretch *y = &r->all.items[i];
		if (y->state == THREAD_BLOCKED && y->stop == STOP_THROWTO && y->since <= x->is->since && y->to > t)
			return true;
	}
	return false;
}

static void name(struct deadlocks *d, struct named x)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->named[i].wait == x.wait) {
			d->named[i].run = x.run ? x.run : d->named[i].run;
			return;
		}
	assert_true(GROW(d->named, d->n, d->room));
	d->named[d->n++] = x;
}

/* Those that a major collection resurrected; and who else may have thrown an exception to them in the 10 ms before the request
 * for it, or later: managers count if they did so elsewhere in this range. */
static void find_resurrected(const struct reference *r, struct deadlocks *d)
{
	bool managers_throw = false;
	for (size_t i = 0; i < d->n_runs; i++) {
		struct run *x = &d->runs[i];
		const struct slow_gc *g = x->gc;
		if (!x->freed || x->is->since >= r->main_end)
			continue;
		x->by_gc = g && x->before->since <= g->start && x->is->since <= g->end + RESURRECTED_NS;
		uint64_t t = max_u64(x->before->since, sub_or_0(x->by_gc ? g->request : x->is->since, RESURRECTED_NS));
		x->managers = ran_since(r, x, t, true);
		x->others = ran_since(r, x, t, false) || is_sent(r, x, t) || x->before->cap == EVL_NO_CAP;
		managers_throw = managers_throw || (!x->by_gc && x->managers && !x->others);
	}
	for (size_t i = 0; i < d->n_runs; i++) {
		struct run *x = &d->runs[i];
		x->certain = x->by_gc && x->gc->end >= r->from && !x->others && !(x->managers && managers_throw);
		managers_blamed += x->by_gc && !x->others && x->managers && managers_throw;
		managers_cleared += x->certain && x->managers;
		if (x->by_gc)
			name(d, (struct named){.wait = x->before, .run = x});
	}
}

/* Return a thread's wait for a black hole at a moment; NULL if it has none. */
static const struct stretch *wait_at(const struct reference *r, uint32_t thread, uint64_t t)
{
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		if (x->thread == thread && is_on_black_hole(x) && x->since <= t && t < x->to)
			return x;
	}
	return NULL;
}

/* Cycles of owners of black holes: each closes when the last of its waits begins. */
static void find_cycles(const struct reference *r, struct deadlocks *d)
{
	size_t cycles = 0;
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i], *chain[64] = {x};
		size_t n = 1;
		bool closes = false, is_over = false;
		if (!is_on_black_hole(x) || x->since < r->from)
			continue;
		while (n < countof(chain) && !(closes = chain[n - 1]->info == x->thread)
			&& (chain[n] = wait_at(r, chain[n - 1]->info, x->since)))
			n++;
		if (!closes)
			continue;
		for (size_t k = 0; k < n; k++)
			is_over = is_over || (chain[k]->woken && !chain[k]->open && chain[k]->waker);
		cycles++;
		for (size_t k = 0; k < n; k++)
			name(d,
				(struct named){.wait = chain[k],
					.cycle = cycles,
					.on = chain[(k + 1) % n],
					.is_over = is_over});
	}
}

static uint64_t length(const struct stretch *x) { return x->to - x->from; }

/* Does a certain one of the same collection, or its cycle, prove it? */
static bool is_proved(const struct deadlocks *d, const struct named *x)
{
	if (x->cycle && !x->is_over)
		return true;
	for (size_t i = 0; i < d->n && x->run; i++)
		if (d->named[i].run && d->named[i].run->gc == x->run->gc && d->named[i].run->certain)
			return true;
	return false;
}

static void expect_row(
	const struct reference *r, const struct deadlock *got, const struct deadlocks *d, const struct named *x)
{
	bool certain = (x->cycle && !x->is_over) || (x->run && x->run->certain);
	for (size_t i = 0; i < got->n_rows; i++) {
		const struct deadlock_row *row = &got->rows[i];
		if (row->thread != x->wait->thread || row->since != x->wait->since)
			continue;
		if (row->stop != x->wait->stop || row->resurrected != (x->run != NULL)
			|| (row->cycle != 0) != (x->cycle != 0)
			|| (x->run && (row->gc != x->run->gc->start || row->ns != length(x->wait)))
			|| row->certain != certain || row->proved != is_proved(d, x)
			|| (x->cycle && row->ns != length(x->wait))
			|| row->owner != (is_on_black_hole(x->wait) ? x->wait->info : 0))
			fail_msg("%s [%llu, %llu): thread %u since %llu: ns %llu, %s%s%s, not %llu, %s%s%s", r->name,
				(unsigned long long)r->from, (unsigned long long)r->to, row->thread,
				(unsigned long long)row->since, (unsigned long long)row->ns,
				row->resurrected ? "resurrected " : "", row->certain ? "certain " : "",
				row->proved ? "proved" : "", (unsigned long long)length(x->wait),
				x->run ? "resurrected " : "", certain ? "certain " : "",
				is_proved(d, x) ? "proved" : "");
		if (x->cycle && i + 1 < got->n_rows && got->rows[i + 1].cycle == row->cycle)
			assert_int_equal(got->rows[i + 1].thread, x->on->thread); /* in order */
		return;
	}
	if (got->n <= DEADLOCK_ROWS)
		fail_msg("%s: thread %u is not named, which was blocked at %llu", r->name, x->wait->thread,
			(unsigned long long)x->wait->since);
}

/* The first proved row, by which the finding is named. */
static const struct named *named_first(const struct deadlocks *d, const struct deadlock *got)
{
	const struct deadlock_row *row = got->rows;
	size_t i = 0;
	while (!row->proved)
		row++;
	while (d->named[i].wait->thread != row->thread || d->named[i].wait->since != row->since)
		i++;
	return &d->named[i];
}

static void expect_deadlock(struct reference *r, const struct deadlock *got, double metric)
{
	struct deadlocks d = {0};
	const struct named *first = NULL;
	uint64_t longest = 0, stake = 0, proved = 0;
	find_runs(r, &d);
	find_cycles(r, &d);
	find_resurrected(r, &d);
	if (got->n != d.n)
		fail_msg("%s [%llu, %llu): %llu are deadlocked, not %zu", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, (unsigned long long)got->n, d.n);
	for (size_t i = 0; i < d.n; i++) {
		const struct named *x = &d.named[i];
		expect_row(r, got, &d, x);
		longest = max_u64(longest, length(x->wait));
		if (!is_proved(&d, x))
			continue;
		proved++;
		first = first ? first : x;
	}
	/* that of the first, whose threads are named */
	for (size_t i = 0; i < got->n_rows && first; i++) {
		const struct deadlock_row *row = &got->rows[i], *of = row;
		for (size_t k = i; k-- > 0;)
			of = got->rows[k].proved ? &got->rows[k] : of;
		if (row->proved && row->cycle == of->cycle && (row->cycle || row->gc == of->gc))
			stake = max_u64(stake, row->ns); /* which expect_row compares */
	}
	assert_int_equal(got->ns, longest);
	if (got->n <= DEADLOCK_ROWS)
		assert_int_equal((uint64_t)metric, proved);
	for (size_t i = 1; i < got->n_rows; i++)
		assert_true(got->rows[i].at >= got->rows[i - 1].at);
	certain_seen += first != NULL;
	named_seen += d.n;
	const struct finding *raised = expect_raised(r, FINDING_DEADLOCK, first);
	if (raised && got->n <= DEADLOCK_ROWS)
		expect_stake(r, raised, (double)stake);
	/* its place: the last of its waits to begin, which closes the deadlock */
	const struct stretch *last = NULL;
	const struct named *of = raised && got->n <= DEADLOCK_ROWS ? named_first(&d, got) : NULL;
	for (size_t i = 0; i < d.n && of; i++) {
		const struct named *x = &d.named[i];
		bool same = of->cycle ? x->cycle == of->cycle : !x->cycle && x->run && x->run->gc == of->run->gc;
		if (same && is_proved(&d, x) && (!last || x->wait->since > last->since))
			last = x->wait;
	}
	if (of) {
		assert_int_equal(raised->thread, last->thread);
		assert_int_equal(raised->t, max_u64(last->since, r->from));
		assert_int_equal(raised->until, last->to);
	}
	free(d.runs);
	free(d.empty);
	free(d.named);
}

/* --- all ------------------------------------------------------------------------------------------------------------ */

/* Keep what lies in the range of each stretch, and where the thread ran last. A stretch that continues after it has no end. */
static void cut(struct reference *r)
{
	struct list *l = &r->slow.list;
	size_t kept = 0;
	uint16_t *caps = malloc(((size_t)r->slow.n_threads + 1) * sizeof *caps);
	assert_non_null(caps);
	memset(caps, 0xff, ((size_t)r->slow.n_threads + 1) * sizeof *caps);
	for (size_t i = 0; i < l->n; i++) {
		struct stretch *x = &l->items[i];
		caps[x->thread] = x->state == THREAD_RUNNING ? x->cap : caps[x->thread];
		x->cap = caps[x->thread];
	}
	free(caps);
	for (size_t i = 0; i < l->n; i++) {
		struct stretch x = l->items[i];
		x.from = max_u64(x.since, r->from);
		if (x.to >= r->to && !r->to_end) {
			x.to = r->to;
			x.next = THREAD_ABSENT;
			x.open = true; /* what ends it is read from what follows */
		}
		if (x.from < x.to)
			l->items[kept++] = x;
	}
	l->n = kept;
}

static void compare_range(const struct evl_log *log, const char *name, uint64_t from, uint64_t to)
{
	static struct reference r;
	struct figures f;
	memset(&r, 0, sizeof r);
	r.name = name;
	r.log = log;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to, .deep = true}), 0);
	findings_make(&r.found, log, &f);
	slow_read(&r.slow, log);
	r.main_end = find_main_end(&r);
	r.shown = slow_shown(log);
	r.pauses = slow_pauses(&r.slow, log);
	if (r.slow.n)
		qsort(r.slow.events, r.slow.n, sizeof *r.slow.events, by_time);
	r.threads = calloc((size_t)r.slow.n_threads + 1, sizeof *r.threads);
	assert_non_null(r.threads);
	r.to_end = to == UINT64_MAX;
	r.whole = from == 0 && r.to_end;
	r.from = max_u64(from, r.slow.first);
	r.to = min_u64(to, r.slow.last);
	for (size_t i = 0; i < r.slow.list.n; i++)
		keep(&r.all, &r.slow.list.items[i]);
	cut(&r);
	expect_stuck(&r);
	expect_contention(&r);
	if (f.waits)
		expect_deadlock(&r, &f.waits->contention.deadlock, f.values[METRIC_BLOCKED_DEADLOCKED]);
	logs_seen++;
	figures_free(&f);
	slow_free(&r.slow);
	slow_pauses_free(&r.pauses);
	free(r.all.items);
	free(r.threads);
	for (size_t i = 0; i < r.n_groups; i++)
		free(r.groups[i].outside.items);
	free(r.groups);
}

/* The whole log, and two parts of it. */
static void compare(const struct evl_log *log, const char *name)
{
	uint64_t first, last;
	compare_range(log, name, 0, UINT64_MAX);
	if (!evl_range(log, &first, &last) || last - first < 3)
		return;
	compare_range(log, name, first + (last - first) / 3, first + (last - first) / 3 * 2);
	compare_range(log, name, first + (last - first) / 2, last);
}

static char **given; /* files */

static void real_logs(void **state)
{
	(void)state;
	each_log_of(given, compare);
	for (int id = 0; id < FINDING_IDS; id++)
		if (raised_in[id])
			print_message("%s: %d of %d\n", finding_name((enum finding_id)id), (int)raised_in[id],
				(int)logs_seen);
	assert_true(*given || (raised_in[FINDING_THREADS_STUCK] && raised_in[FINDING_DEADLOCK] > 1));
	assert_true(*given || stuck_in_ranges > 1);
	assert_true(*given || (named_seen > 5 && certain_seen < named_seen));
}

static void expect_raised_by(struct built *b, enum finding_id id, bool is)
{
	log_end(b);
	struct evl_log *log = walked(b);
	uint64_t before = raised_in[id];
	compare(log, "by hand");
	assert_int_equal(raised_in[id] > before, is);
	done(log, b);
}

/* Threads 1, 2 and 3 are each woken from an MVar, in turns: by the one before, or all by thread 4, which never waits. It keeps
 * the other capability busy up to the end, or leaves it free. */
static void expect_lock(bool by_server, bool is_busy, bool is)
{
	enum { TURN = 1000000, TURNS = 30 };
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	for (unsigned i = 0; i < TURNS; i++) {
		unsigned thread = i % 3 + 1;
		uint64_t t = 1000 + (uint64_t)TURN * i;
		put_run(&b, t, thread);
		if (!by_server)
			put(&b, t + TURN - 2000, EVL_THREAD_WAKEUP, "42", thread % 3 + 1, 0u);
		put_stop(&b, t + TURN, thread, STOP_MVAR);
	}
	block_end(&b, (uint64_t)TURN * (TURNS + 1));
	block_begin(&b, 1, 0);
	put_run(&b, 1, 4);
	if (!is_busy)
		put_stop(&b, 1000, 4, STOP_FINISHED);
	for (unsigned i = 1; i < TURNS && by_server; i++)
		put(&b, 1000 + (uint64_t)TURN * i - 1500, EVL_THREAD_WAKEUP, "42", i % 3 + 1, 1u);
	block_end(&b, (uint64_t)TURN * (TURNS + 1));
	expect_raised_by(&b, FINDING_LOCK_CONTENTION, is);
}

static void locks(void **state)
{
	(void)state;
	expect_lock(false, false, true);
	expect_lock(false, true, true);
	expect_lock(true, true, false);
}

/* Thread 1 wakes thread 2, which runs for so long and waits for STM again. */
static void expect_retries(unsigned n, unsigned ran, bool is)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 1, 1);
	for (unsigned i = 0; i < n; i++)
		put(&b, 300000 + 300000 * i, EVL_THREAD_WAKEUP, "42", 2u, 1u);
	put_stop(&b, 300000 * (n + 1), 1, STOP_FINISHED);
	block_end(&b, 300000 * (n + 1));
	block_begin(&b, 1, 0);
	put_run(&b, 1, 2);
	put_stop(&b, 100, 2, STOP_STM);
	for (unsigned i = 0; i < n; i++) {
		put_run(&b, 300000 + 300000 * i + 10, 2);
		put_stop(&b, 300000 + 300000 * i + 10 + ran, 2, STOP_STM);
	}
	block_end(&b, 300000 * (n + 1));
	expect_raised_by(&b, FINDING_STM_CONTENTION, is);
}

static void retries(void **state)
{
	(void)state;
	expect_retries(120, 100000, true);
	expect_retries(120, 100001, false);
	expect_retries(99, 50, false);
}

/* Threads 1 and 2, each on a black hole of the other's; or 2 on one of thread 3's. */
static void black_holes(void **state)
{
	(void)state;
	for (unsigned owner = 1; owner <= 3; owner += 2) {
		struct built b = log_begin();
		block_begin(&b, 0, 0);
		put_run(&b, 10, 1);
		put(&b, 50, EVL_STOP_THREAD, "424", 1u, (unsigned)STOP_BLACK_HOLE, 2u);
		block_end(&b, 1000);
		block_begin(&b, 1, 0);
		put_run(&b, 10, 2);
		put(&b, 70, EVL_STOP_THREAD, "424", 2u, (unsigned)STOP_BLACK_HOLE, owner);
		put_run(&b, 80, 3);
		block_end(&b, 1000);
		expect_raised_by(&b, FINDING_DEADLOCK, owner == 1);
	}
}

/* Three threads, each on a black hole of the next one; the second later on one that it owns. If a thread wakes
 * one of them, that cycle was none. */
static void long_cycles(void **state)
{
	(void)state;
	for (int woken = 0; woken < 2; woken++) {
		struct built b = log_begin();
		for (unsigned thread = 1; thread <= 3; thread++) {
			block_begin(&b, (uint16_t)thread, 0);
			put_run(&b, 10, thread);
			put(&b, 100 - 10 * thread, EVL_STOP_THREAD, "424", thread, (unsigned)STOP_BLACK_HOLE,
				thread % 3 + 1);
			if (thread == 2) {
				put_run(&b, 500, 2); /* an exception */
				put(&b, 600, EVL_STOP_THREAD, "424", 2u, (unsigned)STOP_BLACK_HOLE, 2u);
				put_run(&b, 9000, 2);
			}
			block_end(&b, 10000);
		}
		block_begin(&b, 0, 0);
		put_run(&b, 20, 4);
		if (woken)
			put(&b, 400, EVL_THREAD_WAKEUP, "42", 3u, 3u);
		block_end(&b, 10000);
		expect_raised_by(&b, FINDING_DEADLOCK, true); /* thread 2 waits for itself */
	}
}

/* Thread 2 is blocked before a major collection, and runs so long after it. */
struct resurrection {
	unsigned after;     /* ns after its end that it runs */
	unsigned before;    /* ns that thread 1 stops before the request; 0: it did so long before */
	unsigned later;     /* ns after its end that thread 1 runs; 0: not at all */
	bool manager;       /* thread 1 is the timer manager */
	unsigned killer;    /* ns after its end that thread 3 runs on the other capability; 0: not at all */
	bool sends;         /* it stops in throwTo */
	unsigned stop;      /* thread 2's wait */
	bool woken, ends;   /* an event says that it was woken; thread 4, which is main, has ended */
	bool blocked_since; /* blocked only after it */
	bool minor;         /* it is a minor one */
	uint64_t exception; /* when another thread ran with one, after thread 1; 0: none did */
	uint64_t throws_to; /* a thread is blocked in throwTo, until then; 0: none is */
	uint64_t from;      /* start of the range */
	unsigned n;         /* named: 1 or 0 */
	bool raised;
};

static void resurrections(void **state)
{
	enum { REQUEST = 40000000, START = 40001000, END = 41000000 };
	static const struct resurrection all[] = {
		{.after = 1000, .stop = STOP_MVAR, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_STM, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_BLACK_HOLE, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR_READ, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_DELAY},
		{.after = 1000, .stop = STOP_MVAR, .minor = true},
		{.after = 1000, .stop = STOP_MVAR, .woken = true},
		{.after = 1000, .stop = STOP_MVAR, .ends = true},
		{.after = 500000, .stop = STOP_MVAR, .blocked_since = true},
		{.after = 10000000, .stop = STOP_MVAR, .n = 1, .raised = true},
		{.after = 10000001, .stop = STOP_MVAR},
		/* another thread of its capability ran before it */
		{.after = 1000, .stop = STOP_MVAR, .before = 10000000, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR, .before = 9999999, .n = 1},
		{.after = 1000, .stop = STOP_MVAR, .before = 9999999, .from = REQUEST - 100, .n = 1},
		{.after = 1000, .stop = STOP_MVAR, .before = 10000000, .from = REQUEST - 100, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR, .later = 500, .n = 1},
		/* a manager did, and perhaps throws exceptions */
		{.after = 1000, .stop = STOP_MVAR, .before = 1000, .manager = true, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR, .later = 500, .manager = true, .n = 1, .raised = true},
		{.after = 1000,
			.stop = STOP_MVAR,
			.before = 1000,
			.manager = true,
			.exception = END + 11000000,
			.n = 1},
		{.after = 1000, .stop = STOP_MVAR, .exception = END + 11000000, .n = 1, .raised = true},
		{.after = 1000,
			.stop = STOP_MVAR,
			.manager = true,
			.exception = END + 11000000,
			.n = 1,
			.raised = true},
		/* a thread of another capability did, and perhaps sends one */
		{.after = 200001, .stop = STOP_MVAR, .killer = 20000, .n = 1, .raised = true},
		{.after = 30000, .stop = STOP_MVAR, .killer = 20000, .sends = true, .n = 1},
		{.after = 1000, .stop = STOP_MVAR, .killer = 20000, .sends = true, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR, .from = 10000000, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR, .throws_to = 80000000, .from = 10000000, .n = 1},
		{.after = 1000, .stop = STOP_MVAR, .throws_to = 9000000, .from = 10000000, .n = 1, .raised = true},
		{.after = 1000, .stop = STOP_MVAR, .throws_to = REQUEST - 9999999, .from = REQUEST - 100, .n = 1},
		{.after = 1000,
			.stop = STOP_MVAR,
			.throws_to = REQUEST - 10000000,
			.from = REQUEST - 100,
			.n = 1,
			.raised = true},
	};
	(void)state;
	for (size_t i = 0; i < countof(all); i++) {
		const struct resurrection *x = &all[i];
		uint64_t ran = (uint64_t)END + x->after, since = x->blocked_since ? END + 1000 : 2000;
		struct built b = log_begin();
		uint64_t before = named_seen;
		block_begin(&b, 0, 0);
		put(&b, 1, EVL_THREAD_LABEL, "4s", 4u, "main");
		if (x->manager)
			put(&b, 1, EVL_THREAD_LABEL, "4s", 1u, "TimerManager");
		put_run(&b, 1000, 4);
		put_stop(&b, 1500, 4, x->ends ? STOP_FINISHED : STOP_MVAR);
		put_gc(&b, REQUEST, START, END, !x->minor);
		if (x->killer)
			put_run(&b, END + x->killer, 3);
		if (x->sends)
			put_stop(&b, END + x->killer + 1000, 3, STOP_THROWTO);
		block_end(&b, 90000000);
		block_begin(&b, 1, 0);
		if (!x->blocked_since) {
			put_run(&b, 1000, 2);
			put_stop(&b, since, 2, x->stop);
		}
		put_run(&b, 3000, 5);
		put_stop(&b, 4000, 5, STOP_MVAR);
		put_run(&b, 5000, 1);
		put_stop(&b, 6000, 1, STOP_DELAY);
		if (x->before) {
			put_run(&b, REQUEST - x->before - 1000, 1);
			put_stop(&b, REQUEST - x->before, 1, STOP_DELAY);
		}
		if (x->blocked_since) {
			put_run(&b, END + 500, 2);
			put_stop(&b, since, 2, x->stop);
		}
		if (x->later) {
			put_run(&b, END + x->later, 1);
			put_stop(&b, END + x->later + 100, 1, STOP_DELAY);
		}
		if (x->woken)
			put(&b, ran - 100, EVL_THREAD_WAKEUP, "42", 2u, 1u);
		put_run(&b, ran, 2);
		if (x->exception) {
			put_stop(&b, ran + 100, 2, STOP_FINISHED);
			put_run(&b, x->exception - 1000, 1);
			put_stop(&b, x->exception - 900, 1, STOP_DELAY);
			put_run(&b, x->exception, 5);
		}
		block_end(&b, 90000000);
		if (x->throws_to) {
			block_begin(&b, 2, 0);
			put_run(&b, 4000, 6);
			put_stop(&b, 5000, 6, STOP_THROWTO);
			put(&b, x->throws_to, EVL_THREAD_WAKEUP, "42", 6u, 2u);
			block_end(&b, 90000000);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		uint64_t raised = raised_in[FINDING_DEADLOCK];
		compare_range(log, "a small one", x->from, UINT64_MAX);
		if (named_seen - before != x->n || raised_in[FINDING_DEADLOCK] - raised != x->raised)
			fail_msg("case %zu: %llu named, %sraised", i, (unsigned long long)(named_seen - before),
				raised_in[FINDING_DEADLOCK] > raised ? "" : "not ");
		done(log, &b);
	}
	assert_true(managers_blamed && managers_cleared);
}

/* Does the thread of a row say that the collector threw the exception? */
static bool says_resurrected(const struct evl_log *log, const struct deadlock_row *row)
{
	static struct slow slow;
	bool killed = false, said = false;
	memset(&slow, 0, sizeof slow);
	slow_read(&slow, log);
	qsort(slow.events, slow.n, sizeof *slow.events, by_time);
	for (size_t i = 0; i < slow.n && !said; i++) {
		const struct event *e = &slow.events[i];
		struct evl_str text = {e->f.payload.p, e->f.payload.len};
		said = e->f.t >= row->at && e->f.tag == EVL_USER_MSG
			&& ((killed = begins(text, "killed")) || begins(text, "resurrected"));
	}
	slow_free(&slow);
	assert_true(said);
	return !killed;
}

/* Threads that the collector threw an exception to, and others that killThread did, around collections. */
static void exceptions(void **state)
{
	static const struct {
		const char *name;
		size_t certain;
		bool killed;
	} all[] = {
		{"bank", 3, false}, {"alone", 4, false}, {"before", 0, true}, {"after", 0, true}, {"manager", 0, true}};
	(void)state;
	for (size_t i = 0; i < countof(all); i++) {
		char path[80];
		struct figures f;
		snprintf(path, sizeof path, "tests/logs/9.0.2-thrown-%s.eventlog", all[i].name);
		struct evl_log *log = walked_file(path);
		assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
		const struct deadlock *d = &f.waits->contention.deadlock;
		size_t certain = 0;
		assert_true(d->n_rows > 0);
		for (size_t k = 0; k < d->n_rows; k++) {
			certain += d->rows[k].certain;
			assert_int_equal(says_resurrected(log, &d->rows[k]), !all[i].killed);
		}
		assert_int_equal(certain, all[i].certain);
		figures_free(&f);
		evl_close(log);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(locks),
		cmocka_unit_test(retries), cmocka_unit_test(black_holes), cmocka_unit_test(long_cycles),
		cmocka_unit_test(resurrections), cmocka_unit_test(exceptions)};
	given = argv + (argc > 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
