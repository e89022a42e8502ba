/* Findings about threads that wait for each other: raised in the logs of the tests, whole and cut, where slow code that looks at
 * every stretch of every thread says so, with its stake, thread and place. Given files, it looks at these instead. */
#include "each_log.h"
#include "report/findings.h"
#include "slow_gcs.h"

#include <math.h>

enum { LEAST_NS = 5000000, AGAIN_NS = 100000, IDLE_NS = 1000000, RESURRECTED_NS = 10000000 };

/* Threads whose labels differ in the number at the end only. */
struct group {
	struct evl_str name;
	double locked_n, locked_ns, run_ns,
		most_run_ns; /* by MVars, for most of their lives, and freed by each other */
	double stm_n, stm_ns, wakes, again;
	uint64_t stuck_n, stuck_since;
};

struct about_thread {
	bool named, ran, foreign; /* foreign: the last stretch was */
	size_t group;
	double life, run, locked, freed, stm;
	bool retries;
	uint64_t ran_ns; /* since it was woken from STM */
};

struct reference {
	const char *name;
	const struct evl_log *log;
	struct slow slow;
	struct pauses pauses;
	size_t *next; /* of a stretch: the place of the thread's next one; SIZE_MAX: none */
	struct about_thread *threads;
	struct group *groups;
	size_t n_groups, room;
	uint64_t main_end; /* UINT64_MAX: it did not end */
	struct findings found;
};

static uint64_t raised_in[FINDING_IDS], logs_seen;

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

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

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

static bool is_on_mvar(const struct stretch *x)
{
	return x->state == THREAD_BLOCKED && (x->stop == STOP_MVAR || x->stop == STOP_MVAR_READ);
}

static bool is_on_stm(const struct stretch *x) { return x->state == THREAD_BLOCKED && x->stop == STOP_STM; }

static bool is_on_black_hole(const struct stretch *x)
{
	return x->state == THREAD_BLOCKED && x->stop == STOP_BLACK_HOLE;
}

static bool may_last(const struct stretch *x) { return is_on_mvar(x) || is_on_stm(x) || is_on_black_hole(x); }

/* --- stuck ---------------------------------------------------------------------------------------------------------- */

static bool is_stuck(const struct reference *r, const struct stretch *x)
{
	uint64_t first = r->slow.first, last = r->slow.last;
	if (!may_last(x))
		return false;
	if (r->main_end != UINT64_MAX)
		return x->since < r->main_end && r->main_end <= x->to;
	return x->to == last && x->next == THREAD_ABSENT && x->since <= last - (last - first) / 10;
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
	for (size_t i = 0; i < r->slow.list.n && got; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		if (!is_stuck(r, x) || x->thread != got->thread)
			continue;
		const struct group *g = its_group(r, x->thread);
		expect_stake(r, got, (double)(min_u64(x->to, r->main_end) - x->since));
		good = g->stuck_n == most && x->since == g->stuck_since && got->t == x->since;
	}
	if (got && !good)
		fail_msg("%s: thread %u is not the first of the largest group that is stuck", r->name, got->thread);
}

/* --- locks and transactions ----------------------------------------------------------------------------------------- */

static void look_at_threads(struct reference *r)
{
	for (size_t i = 0; i < r->slow.list.n; i++) { /* in order of their ends */
		const struct stretch *x = &r->slow.list.items[i];
		struct about_thread *a = &r->threads[x->thread];
		uint64_t ns = x->to - x->since;
		a->life += (double)ns;
		a->run += x->state == THREAD_RUNNING ? (double)ns : 0;
		a->ran_ns += x->state == THREAD_RUNNING ? ns : 0;
		a->locked += is_on_mvar(x) ? (double)ns : 0;
		if (is_on_mvar(x) && x->woken && x->waker && x->waker != x->thread)
			a->freed += group_of(r, x->waker) == group_of(r, x->thread) ? (double)ns : 0;
		if (x->state != THREAD_BLOCKED)
			continue;
		struct group *g = its_group(r, x->thread);
		g->again += a->retries && is_on_stm(x) && a->ran_ns <= AGAIN_NS;
		a->stm += is_on_stm(x) ? (double)ns : 0;
		a->retries = is_on_stm(x) && x->woken;
		g->wakes += a->retries;
		a->ran_ns = 0;
	}
	for (uint32_t id = 1; id < r->slow.n_threads; id++) {
		const struct about_thread *a = &r->threads[id];
		struct group *g = &r->groups[a->group];
		if (!a->named)
			continue;
		g->stm_n += a->stm > 0;
		g->stm_ns += a->stm;
		if (a->locked <= a->life / 2 || a->freed <= a->locked / 2)
			continue;
		g->locked_n++;
		g->locked_ns += a->locked;
		g->run_ns += a->run;
		g->most_run_ns = fmax(g->most_run_ns, a->run);
	}
}

static void expect_contention(struct reference *r)
{
	double locked = 0, again = 0, stm = 0;
	look_at_threads(r);
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct group *g = &r->groups[i];
		if (g->locked_n >= 2 && g->most_run_ns <= g->run_ns / 2)
			locked = fmax(locked, g->locked_ns / g->locked_n);
		if (g->wakes >= 100 && g->again > g->wakes / 2 && g->again > again) {
			again = g->again;
			stm = g->stm_ns / g->stm_n;
		}
	}
	const struct finding *got = expect_raised(r, FINDING_LOCK_CONTENTION, locked >= LEAST_NS);
	if (got)
		expect_stake(r, got, locked);
	if ((got = expect_raised(r, FINDING_STM_CONTENTION, again > 0)))
		expect_stake(r, got, stm);
}

/* --- deadlocks ------------------------------------------------------------------------------------------------------ */

/* The major collection that began last before a thread ran. */
static const struct slow_gc *major_before(const struct reference *r, uint64_t t)
{
	const struct slow_gc *best = NULL;
	unsigned oldest = 1;
	for (size_t i = 0; i < r->slow.n; i++)
		if (r->slow.events[i].f.tag == EVL_HEAP_INFO_GHC)
			oldest = (unsigned)sub_or_0(be16(r->slow.events[i].f.payload.p + 4), 1);
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		if (g->said.len && be16(g->said.p + 4) >= oldest && g->start <= t && (!best || g->start > best->start))
			best = g;
	}
	return best;
}

/* Of a capability: when the last run ended; when the last began before which it was idle for long; when the last began of a
 * thread that had run before, and was neither in a foreign call nor certainly resurrected. */
struct about_cap {
	uint64_t until, idle, ran_at;
};

struct deadlock_found {
	uint64_t n, ns, at;
	uint32_t thread;
};

static void add(struct deadlock_found *d, const struct stretch *wait)
{
	if (d->n++ == 0) {
		d->thread = wait->thread;
		d->at = wait->to;
	}
	d->ns = max_u64(d->ns, wait->to - wait->since);
}

/* Threads that ran soon after a major collection, which nothing had woken, on a capability that was never idle in between. One
 * of them at least was the first that ran there since. */
static struct deadlock_found find_resurrected(struct reference *r)
{
	static struct about_cap caps[1 << 16];
	const struct stretch *maybe[64];
	size_t n_maybe = 0;
	const struct slow_gc *by = NULL, *certain = NULL;
	struct deadlock_found d = {0};
	memset(caps, 0, sizeof caps);
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		struct about_thread *a = &r->threads[x->thread];
		if (x->state == THREAD_RUNNING)
			caps[x->cap].until = x->to;
		a->ran = a->ran || x->state == THREAD_RUNNING;
		a->foreign = x->state == THREAD_FOREIGN;
		if (r->next[i] == SIZE_MAX || x->next != THREAD_RUNNING)
			continue;
		const struct stretch *run = &r->slow.list.items[r->next[i]];
		struct about_cap *cap = &caps[run->cap];
		const struct slow_gc *gc = NULL;
		if (sub_or_0(run->since, cap->until) > IDLE_NS)
			cap->idle = run->since;
		if (may_last(x) && !x->woken)
			gc = major_before(r, run->since);
		if (gc
			&& (gc->end > run->since || run->since - gc->end > RESURRECTED_NS || x->since >= gc->start
				|| run->since > r->main_end || cap->idle > gc->end + IDLE_NS))
			gc = NULL;
		if (gc && gc != by)
			n_maybe = 0;
		by = gc ? gc : by;
		if (gc && (cap->ran_at < gc->start || gc == certain)) {
			for (size_t k = 0; k < n_maybe; k++)
				add(&d, maybe[k]);
			n_maybe = 0;
			certain = gc;
			add(&d, x);
		} else if (gc && n_maybe < countof(maybe)) {
			maybe[n_maybe++] = x;
		}
		if ((!gc || gc != certain) && a->ran && !a->foreign)
			cap->ran_at = run->since;
	}
	return d;
}

/* Do the owners of black holes, from that which x waits for on, lead to x's thread at the moment when it blocks? */
static bool is_in_cycle(const struct reference *r, const struct stretch *x)
{
	uint32_t owner = x->info;
	for (int steps = 0; steps < 64 && owner; steps++) {
		uint32_t next = 0;
		if (owner == x->thread)
			return true;
		for (size_t i = 0; i < r->slow.list.n; i++) {
			const struct stretch *y = &r->slow.list.items[i];
			if (y->thread == owner && is_on_black_hole(y) && y->since <= x->since && x->since < y->to)
				next = y->info;
		}
		owner = next;
	}
	return false;
}

static void expect_deadlock(struct reference *r)
{
	struct deadlock_found d = find_resurrected(r);
	size_t cycles = 0;
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *x = &r->slow.list.items[i];
		/* it is not one, if a thread wakes it */
		cycles += is_on_black_hole(x) && x->info && is_in_cycle(r, x) && !(x->woken && x->waker);
	}
	const struct finding *got = expect_raised(r, FINDING_DEADLOCK, d.n || cycles);
	if (!got || cycles)
		return;
	expect_stake(r, got, (double)d.ns);
	if (got->thread != d.thread || got->t != d.at)
		fail_msg("%s: thread %u at %llu, not %u at %llu", r->name, got->thread, (unsigned long long)got->t,
			d.thread, (unsigned long long)d.at);
}

/* --- all ------------------------------------------------------------------------------------------------------------ */

static void compare(const struct evl_log *log, const char *name)
{
	static struct reference r;
	struct figures f;
	memset(&r, 0, sizeof r);
	r.name = name;
	r.log = log;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&r.found, log, &f);
	slow_read(&r.slow, log);
	r.main_end = find_main_end(&r);
	r.pauses = slow_pauses(&r.slow, log);
	r.threads = calloc((size_t)r.slow.n_threads + 1, sizeof *r.threads);
	r.next = calloc(r.slow.list.n + 1, sizeof *r.next);
	size_t *last = calloc((size_t)r.slow.n_threads + 1, sizeof *last);
	assert_true(r.threads && r.next && last);
	for (size_t i = r.slow.list.n; i-- > 0;) {
		uint32_t id = r.slow.list.items[i].thread;
		r.next[i] = last[id] ? last[id] - 1 : SIZE_MAX;
		last[id] = i + 1;
	}
	free(last);
	expect_stuck(&r);
	expect_contention(&r);
	expect_deadlock(&r);
	logs_seen++;
	figures_free(&f);
	slow_free(&r.slow);
	slow_pauses_free(&r.pauses);
	free(r.threads);
	free(r.groups);
	free(r.next);
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
	assert_true(*given || (raised_in[FINDING_LOCK_CONTENTION] && raised_in[FINDING_DEADLOCK]));
	assert_true(*given || raised_in[FINDING_THREADS_STUCK]);
}

static void expect_raised_by(struct built *b, enum finding_id id, bool is)
{
	log_end(b);
	struct evl_log *log = walked(b);
	uint64_t before = raised_in[id];
	compare(log, "by hand");
	assert_int_equal(raised_in[id] - before, is);
	done(log, b);
}

/* Thread 1 wakes thread 2, which runs for so long and waits for STM again. */
static void expect_retries(unsigned n, unsigned ran, bool is)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 1, 1);
	for (unsigned i = 0; i < n; i++)
		put(&b, 300000 + 300000 * i, EVL_THREAD_WAKEUP, "42", 2u, 1u);
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_logs), cmocka_unit_test(retries), cmocka_unit_test(black_holes)};
	given = argv + (argc > 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
