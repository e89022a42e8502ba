/* How many capabilities ran at once, and the table of phases: every key that `stats --json` has of them is what slow code finds
 * that takes the events one after another; in every log of the tests, in parts of it, and cut. So are findings about
 * capabilities, waits and delays: raised where the bounds are exceeded, with the thread to blame, and nowhere else. */
#include "report/stats_json.h"
#include "slow_gcs.h"

#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* From t on that many threads run, each on a capability. */
struct level {
	uint64_t t;
	int64_t n;
};

struct naive {
	const char *name;
	const struct figures *f;
	struct slow *slow;
	struct pauses pauses, gcs; /* the unions of [request, end] and of [start, end] */
	struct level *levels;
	size_t n_levels, n_caps;
	bool runs, collects; /* the log tells of threads, of collections */
	uint64_t shown;      /* of all capabilities, until then */
	struct event **markers;
	size_t n_markers;
	json_t *stats;
	size_t findings; /* that were compared and raised */
	const struct findings *found;
};

/* serial findings by what they name */
static size_t serial_threads, serial_labels;
/* findings of black holes of one owner, and of several; findings that do not count time told there */
static size_t black_holes_of[2], not_counted, waited_for, serial_explained, in_ranges,
	given_way[2]; /* serial, cap-alone */

static int by_since(const void *a, const void *b)
{
	const struct stretch *x = *(struct stretch *const *)a, *y = *(struct stretch *const *)b;
	return (x->since > y->since) - (x->since < y->since);
}

static int by_moment(const void *a, const void *b)
{
	const struct level *x = a, *y = b;
	return (x->t > y->t) - (x->t < y->t);
}

/* One more where a thread begins to run, one less where it stops. */
static void read_levels(struct naive *n)
{
	size_t k = 0;
	n->levels = calloc(2 * n->slow->list.n + 1, sizeof *n->levels);
	assert_non_null(n->levels);
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *s = &n->slow->list.items[i];
		if (s->state != THREAD_RUNNING)
			continue;
		n->levels[k++] = (struct level){s->since, 1};
		n->levels[k++] = (struct level){s->to, -1};
	}
	qsort(n->levels, k, sizeof *n->levels, by_moment);
	for (size_t i = 1; i < k; i++)
		n->levels[i].n += n->levels[i - 1].n;
	n->n_levels = k;
}

/* Is it "START x" and the like? */
static bool is_of_a_span(struct evl_str s)
{
	static const char *const words[] = {"START ", "STOP ", "GHC:started: ", "GHC:finished: "};
	for (size_t i = 0; i < countof(words); i++)
		if (s.len > strlen(words[i]) && memcmp(s.p, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

static int by_place(const void *a, const void *b) { return by_time(*(void *const *)a, *(void *const *)b); }

/* Collect runs and pauses from the events, which are in file order. */
static void read_slowly(struct naive *n, struct slow *s, const struct evl_log *log)
{
	static bool caps[1 << 16];
	slow_read(s, log);
	n->slow = s;
	n->pauses = slow_pauses(s, log);
	for (size_t i = 0; i < n->pauses.n_gcs; i++) {
		assert_true(GROW(n->gcs.items, n->gcs.n, n->gcs.room));
		n->gcs.items[n->gcs.n++] = (struct span_of_time){n->pauses.gcs[i].start, n->pauses.gcs[i].end};
	}
	unite(&n->gcs);
	read_levels(n);
	memset(caps, 0, sizeof caps);
	n->markers = calloc(s->n + 1, sizeof *n->markers);
	assert_non_null(n->markers);
	for (size_t i = 0; i < s->n; i++) {
		struct event *e = &s->events[i];
		n->runs = n->runs || e->f.tag == EVL_RUN_THREAD;
		n->collects = n->collects || e->f.tag == EVL_GC_START;
		if (e->cap >= 0 && !caps[e->cap])
			n->n_caps += caps[e->cap] = true;
		if (e->f.tag == EVL_USER_MARKER && !is_of_a_span(e->f.payload))
			n->markers[n->n_markers++] = e;
	}
	qsort(n->markers, n->n_markers, sizeof *n->markers, by_place);
}

static void free_naive(struct naive *n)
{
	slow_free(n->slow);
	slow_pauses_free(&n->pauses);
	slow_pauses_free(&n->gcs);
	free(n->levels);
	free(n->markers);
}

/* --- what is compared ----------------------------------------------------------------------------------------------- */

static void expect(const struct naive *n, const json_t *of, const char *key, double want, double tolerance)
{
	const json_t *got = json_object_get(of, key);
	bool same = isnan(want) ? json_is_null(got)
				: json_is_number(got) && fabs(json_number_value(got) - want) <= tolerance;
	if (!same)
		fail_msg("%s [%llu, %llu): \"%s\" is %.17g, not %.17g", n->name, (unsigned long long)n->f->from,
			(unsigned long long)n->f->to, key, json_is_number(got) ? json_number_value(got) : (double)NAN,
			want);
}

/* Time of [from, to) in which k run, outside of pauses: alone[k]; in all: all[k]. */
struct times {
	uint64_t *alone, *all;
};

static struct times times_of(const struct naive *n, uint64_t from, uint64_t to)
{
	struct times x = {calloc(n->n_caps + 1, sizeof *x.alone), calloc(n->n_caps + 1, sizeof *x.all)};
	assert_true(x.alone && x.all);
	for (size_t i = 0; i <= n->n_levels; i++) {
		uint64_t a = max_u64(i ? n->levels[i - 1].t : 0, from);
		uint64_t b = min_u64(i < n->n_levels ? n->levels[i].t : UINT64_MAX, to);
		size_t level = i ? (size_t)n->levels[i - 1].n : 0;
		if (a >= b)
			continue;
		assert_true(level <= n->n_caps);
		x.all[level] += b - a;
		x.alone[level] += b - a - covered(&n->pauses, a, b);
	}
	return x;
}

static void expect_concurrency(const struct naive *n)
{
	uint64_t from = n->f->from, to = n->f->to, paused = covered(&n->pauses, from, to);
	struct times x = times_of(n, from, to);
	const json_t *got = json_object_get(n->stats, "concurrency");
	double total = (double)(to - from), sum = 0, busy = 0;
	x.alone[0] += paused;
	assert_int_equal(json_array_size(got), n->runs ? n->n_caps + 1 : 0);
	assert_true(n->runs || json_is_null(got));
	for (size_t k = 0; k <= n->n_caps && n->runs; k++) {
		double share = json_number_value(json_array_get(got, k));
		if (fabs(share - (double)x.alone[k] / total) > 1e-12)
			fail_msg("%s [%llu, %llu): %zu at once for %.17g of the time, not %.17g", n->name,
				(unsigned long long)from, (unsigned long long)to, k, share, (double)x.alone[k] / total);
		sum += share;
		busy += (double)k * (double)x.alone[k];
	}
	assert_true(!n->runs || fabs(sum - 1) < 1e-9);
	expect(n, n->stats, "concurrency_gc", n->runs && n->collects ? (double)paused / total : NAN, 1e-12);
	double line2 = n->f->values[METRIC_CONCURRENCY_BUSY]; /* "caps busy" */
	assert_true(n->runs ? fabs(line2 - busy / total) < 1e-9 : isnan(line2));
	free(x.alone);
	free(x.all);
}

/* Bytes that a capability had allocated before t. Its events are in file order; a smaller number begins at 0 again. */
static double allocated_before(const struct naive *n, int cap, uint64_t t)
{
	uint64_t at = n->slow->first, last = 0;
	double sum = 0;
	for (size_t i = 0; i < n->slow->n; i++) {
		const struct event *e = &n->slow->events[i];
		if (e->cap != cap || e->f.tag != EVL_HEAP_ALLOCATED || e->f.payload.len < 12 || e->f.t < at)
			continue;
		uint64_t value = be64(e->f.payload.p + 4), more = value < last ? value : value - last;
		if (e->f.t >= t)
			return sum + (e->f.t > at ? (double)more * (double)(t - at) / (double)(e->f.t - at) : 0);
		sum += (double)more;
		at = e->f.t;
		last = value;
	}
	return sum;
}

static double allocated_between(const struct naive *n, uint64_t from, uint64_t to)
{
	static bool caps[1 << 16];
	double sum = NAN;
	memset(caps, 0, sizeof caps);
	for (size_t i = 0; i < n->slow->n; i++) {
		int cap = n->slow->events[i].cap;
		if (n->slow->events[i].f.tag != EVL_HEAP_ALLOCATED || cap < 0 || caps[cap])
			continue;
		caps[cap] = true;
		sum = isnan(sum) ? 0 : sum;
		sum += allocated_before(n, cap, to) - allocated_before(n, cap, from);
	}
	return sum;
}

static void expect_name(const struct event *marker, const json_t *got)
{
	const char *name = json_string_value(got);
	size_t plain = 0; /* up to what is not ASCII, which may be no text */
	if (!marker) {
		assert_true(json_is_null(got));
		return;
	}
	struct evl_str want = marker->f.payload;
	while (plain < want.len && want.p[plain] && want.p[plain] < 0x80)
		plain++;
	assert_true(name && strlen(name) >= plain && memcmp(name, want.p, plain) == 0);
	assert_true(plain < want.len || strlen(name) == plain);
}

static void expect_phase(
	const struct naive *n, const struct event *marker, uint64_t from, uint64_t to, const json_t *got)
{
	enum { KEYS = 13 };
	struct times x = times_of(n, from, to);
	uint64_t longest = 0, gc = covered(&n->gcs, from, to), paused = covered(&n->pauses, from, to), gc_n = 0;
	double run = 0, busy = 0, mutator = 0, total = (double)(to - from);
	for (size_t k = 1; k <= n->n_caps; k++) {
		run += (double)k * (double)x.all[k];
		busy += (double)k * (double)x.alone[k];
		mutator += (double)x.alone[k];
	}
	for (size_t i = 0; i < n->pauses.n_gcs; i++) {
		const struct slow_gc *g = &n->pauses.gcs[i];
		bool here = g->start >= from && g->start < to;
		gc_n += here;
		longest = here ? max_u64(longest, g->end - g->request) : longest;
	}
	assert_int_equal(json_object_size(got), KEYS);
	expect_name(marker, json_object_get(got, "name"));
	expect(n, got, "from_ns", (double)from, 0);
	expect(n, got, "to_ns", (double)to, 0);
	expect(n, got, "total_ns", total, 0);
	expect(n, got, "mutator_ns", n->runs ? mutator : NAN, 0);
	expect(n, got, "run_ns", n->runs ? run : NAN, 0);
	expect(n, got, "caps_busy", n->runs ? busy / total : NAN, 1e-9);
	expect(n, got, "gc_ns", n->collects ? (double)gc : NAN, 0);
	expect(n, got, "gc_sync_ns", n->collects ? (double)(paused - gc) : NAN, 0);
	expect(n, got, "idle_ns", n->runs && n->collects ? total - mutator - (double)paused : NAN, 0);
	expect(n, got, "gc_n", n->collects ? (double)gc_n : NAN, 0);
	expect(n, got, "max_pause_ns", n->collects ? (double)longest : NAN, 0);
	double bytes = allocated_between(n, from, to);
	expect(n, got, "allocated_bytes", bytes, (double)n->n_caps + 1e-9 * bytes); /* whole bytes of each */
	free(x.alone);
	free(x.all);
}

/* The intervals between markers, and that before them all. Those of no length are counted. Return how many are listed. */
static size_t expect_phases(const struct naive *n)
{
	const json_t *got = json_object_get(n->stats, "phases");
	size_t listed = 0, k = 0;
	double empty = 0;
	while (k < n->n_markers && n->markers[k]->f.t < n->f->until)
		k++;
	for (size_t i = 0; k && i <= k; i++) {
		uint64_t begin = i ? n->markers[i - 1]->f.t : n->slow->first;
		uint64_t from = max_u64(begin, n->f->from);
		uint64_t to = min_u64(i < k ? n->markers[i]->f.t : n->f->to, n->f->to);
		if (from < to)
			expect_phase(n, i ? n->markers[i - 1] : NULL, from, to, json_array_get(got, listed++));
		else
			empty += begin >= n->f->from;
	}
	assert_true(json_is_array(got));
	assert_int_equal(json_array_size(got), listed);
	expect(n, n->stats, "phases_not_listed", empty, 0);
	return listed;
}

/* --- findings ------------------------------------------------------------------------------------------------------- */

enum { LEAST_NS = 5000000, ANY_THREAD = -1 };

static const json_t *finding(const struct naive *n, const char *id)
{
	const json_t *one;
	size_t i;
	json_array_foreach(json_object_get(n->stats, "findings"), i,
		one) if (strcmp(json_string_value(json_object_get(one, "id")), id) == 0) return one;
	return NULL;
}

/* thread: 0: none is to blame. Return 1 if it is raised. */
static size_t expect_finding(const struct naive *n, const char *id, bool raised, int64_t thread)
{
	const json_t *got = finding(n, id);
	if (raised != (got != NULL))
		fail_msg("%s: %s is %sraised", n->name, id, got ? "" : "not ");
	json_int_t named = got ? json_integer_value(json_object_get(got, "thread")) : 0;
	if (raised && thread != ANY_THREAD && named != thread)
		fail_msg("%s: %s blames %lld, not %lld", n->name, id, (long long)named, (long long)thread);
	return raised;
}

/* Sums by thread; the one with most of all, of equals the first. */
struct sums {
	uint64_t *ns;
	uint32_t n;
};

static uint32_t most_of(const struct sums *s)
{
	uint32_t most = 0;
	for (uint32_t id = 1; id < s->n; id++)
		most = s->ns[id] > s->ns[most] ? id : most;
	return most;
}

static struct sums sums_of(const struct naive *n)
{
	struct sums s = {calloc((size_t)n->slow->n_threads + 1, sizeof *s.ns), n->slow->n_threads + 1};
	assert_non_null(s.ns);
	return s;
}

static size_t expect_delays(const struct naive *n, double active)
{
	struct slow_delays d = slow_blamed(n->slow, &n->pauses, n->shown);
	uint32_t worst = slow_latest(&d, n->slow->n_threads);
	size_t seen = expect_finding(
		n, "gc-sync-thread", worst && (double)d.lost > 0.02 * active && d.lost >= LEAST_NS, worst);
	seen += expect_finding(n, "oversubscribed", d.rests_n >= 5 && (double)d.rests > 0.02 * active, 0);
	free(d.by);
	free(d.ran);
	return seen;
}

static int by_length(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* The wait of a thread for a black hole at a moment; NULL: it has none. */
static const struct stretch *hole_of(const struct naive *n, uint32_t thread, uint64_t t)
{
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *s = &n->slow->list.items[i];
		if (s->thread == thread && s->state == THREAD_BLOCKED && s->stop == STOP_BLACK_HOLE && s->since <= t
			&& t < s->to)
			return s;
	}
	return NULL;
}

/* Which threads wait for each other in a cycle, unless a thread woke one of them? */
static bool *in_cycles(const struct naive *n)
{
	bool *is = calloc((size_t)n->slow->n_threads + 1, sizeof *is);
	assert_non_null(is);
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *x = &n->slow->list.items[i], *s = x;
		bool woken = false, stuck = x->state == THREAD_BLOCKED && x->stop == STOP_BLACK_HOLE && x->info;
		size_t steps = 0;
		for (; stuck && steps <= n->slow->n_threads && s; steps++) {
			woken = woken || (s->woken && s->waker);
			if (s->info == x->thread)
				break;
			s = hole_of(n, s->info, x->since);
		}
		for (stuck = stuck && s && steps <= n->slow->n_threads && !woken; stuck; steps--) {
			is[s->thread] = true;
			s = hole_of(n, s->info, x->since);
			stuck = steps > 0;
		}
	}
	return is;
}

/* The label of each thread: what the last event says. */
static struct evl_str *labels_of(const struct naive *n)
{
	struct evl_str *labels = calloc((size_t)n->slow->n_threads + 1, sizeof *labels);
	uint64_t *t = calloc((size_t)n->slow->n_threads + 1, sizeof *t);
	assert_true(labels && t);
	for (size_t i = 0; i < n->slow->n; i++) {
		const struct frame *f = &n->slow->events[i].f;
		uint32_t id = f->tag == EVL_THREAD_LABEL ? be32(f->payload.p) : 0;
		if (id == 0 || id > n->slow->n_threads || f->t < t[id])
			continue;
		t[id] = f->t;
		labels[id] = (struct evl_str){f->payload.p + 4, f->payload.len - 4};
	}
	free(t);
	return labels;
}

/* "worker" of "worker-12"; all of "12". */
static struct evl_str without_number(struct evl_str label)
{
	struct evl_str s = label;
	while (s.len && s.p[s.len - 1] >= '0' && s.p[s.len - 1] <= '9')
		s.len--;
	bool numbered = s.len < label.len;
	while (numbered && s.len && s.p[s.len - 1] && strchr("-_ #:./([", s.p[s.len - 1]))
		s.len--;
	return s.len ? s : label;
}

static bool are_mates(const struct evl_str *labels, uint32_t a, uint32_t b)
{
	struct evl_str x = without_number(labels[a]), y = without_number(labels[b]);
	return a == b || (x.len && x.len == y.len && memcmp(x.p, y.p, x.len) == 0);
}

/* Waits for owners of one group: their number and total, the time outside of pauses in which there is any, and the part of it
 * in which exactly one thread runs; the owners and the one with most. */
struct hole_sums {
	uint64_t n, ns, once, alone;
	uint32_t owners, most;
	bool cycle;
};

/* The part of [from, to) outside of pauses in which exactly one thread runs. */
static uint64_t alone_between(const struct naive *n, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i + 1 < n->n_levels; i++) {
		uint64_t a = max_u64(n->levels[i].t, from), b = min_u64(n->levels[i + 1].t, to);
		ns += n->levels[i].n == 1 && a < b ? b - a - covered(&n->pauses, a, b) : 0;
	}
	return ns;
}

static struct hole_sums holes_of_mates(
	const struct naive *n, const struct evl_str *labels, const bool *cycles, uint32_t owner)
{
	struct hole_sums is = {0};
	struct pauses waits = {0};
	struct sums by = sums_of(n);
	for (uint32_t id = 1; id < by.n; id++)
		is.cycle = is.cycle || (cycles[id] && are_mates(labels, id, owner));
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *s = &n->slow->list.items[i];
		if (s->state != THREAD_BLOCKED || s->stop != STOP_BLACK_HOLE || s->info == 0 || s->info >= by.n
			|| !are_mates(labels, s->info, owner))
			continue;
		is.n++;
		is.ns += s->to - s->since;
		is.owners += by.ns[s->info] == 0;
		by.ns[s->info] += s->to - s->since;
		assert_true(GROW(waits.items, waits.n, waits.room));
		waits.items[waits.n++] = (struct span_of_time){s->since, s->to};
	}
	unite(&waits);
	for (size_t i = 0; i < waits.n; i++) {
		uint64_t from = waits.items[i].from, to = waits.items[i].to;
		is.once += to - from - covered(&n->pauses, from, to);
		is.alone += alone_between(n, from, to);
	}
	is.most = most_of(&by);
	free(by.ns);
	slow_pauses_free(&waits);
	return is;
}

/* The group with the longest time of those that are a finding. */
static struct hole_sums longest_holes(const struct naive *n)
{
	struct evl_str *labels = labels_of(n);
	bool *cycles = in_cycles(n);
	struct hole_sums most = {0};
	struct sums owners = sums_of(n);
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *s = &n->slow->list.items[i];
		if (s->state == THREAD_BLOCKED && s->stop == STOP_BLACK_HOLE && s->info && s->info < owners.n)
			owners.ns[s->info] = 1;
	}
	for (uint32_t id = 1; id < owners.n; id++) {
		if (!owners.ns[id])
			continue;
		for (uint32_t mate = id; mate < owners.n; mate++)
			owners.ns[mate] = owners.ns[mate] && !are_mates(labels, mate, id);
		struct hole_sums is = holes_of_mates(n, labels, cycles, id);
		bool proved = is.once >= LEAST_NS && (double)is.once > 0.02 * (double)(n->slow->last - n->slow->first);
		if (proved && !is.cycle
			&& (is.once > most.once || (is.once == most.once && (!most.most || is.most < most.most))))
			most = is;
	}
	free(owners.ns);
	free(cycles);
	free(labels);
	return most;
}

static void expect_stake(const struct naive *n, const char *id, double ns)
{
	const json_t *got = finding(n, id);
	ns = fmin(ns, (double)(n->slow->last - n->slow->first));
	if (got && fabs(json_number_value(json_object_get(got, "stake_ns")) - ns) > 1)
		fail_msg("%s: %s costs %lld, not %.0f", n->name, id,
			json_integer_value(json_object_get(got, "stake_ns")), ns);
}

static size_t expect_waits(const struct naive *n)
{
	uint64_t *waits = calloc(n->slow->list.n + 1, sizeof *waits), words = 0;
	uint32_t grown = 0;
	size_t k = 0;
	assert_non_null(waits);
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *s = &n->slow->list.items[i];
		if (s->state == THREAD_RUNNING && s->ready < s->since)
			waits[k++] = s->since - s->ready - covered(&n->pauses, s->ready, s->since);
	}
	for (size_t i = 0; i < n->slow->n; i++) {
		const struct event *e = &n->slow->events[i];
		bool overflow = e->f.tag == EVL_STOP_THREAD && e->f.payload.len >= 10 && be16(e->f.payload.p + 4) == 2;
		if (overflow && be32(e->f.payload.p + 6) > words) {
			words = be32(e->f.payload.p + 6);
			grown = be32(e->f.payload.p);
		}
	}
	qsort(waits, k, sizeof *waits, by_length);
	size_t seen = expect_finding(n, "threads-latency",
		n->shown >= n->f->to && k >= 100 && waits[(k * 99 + 99) / 100 - 1] > 10000000, ANY_THREAD);
	seen += expect_finding(n, "stack-growth", words * 8 > 8 << 20, grown);
	free(waits);
	return seen;
}

/* Can a capability run threads at t? It can before its first event, unless that creates it. Events are in order of time. */
static bool is_enabled(const struct event *const *life, size_t n, int cap, uint64_t t)
{
	bool enabled = true;
	for (size_t i = n; i-- > 0;)
		if (be16(life[i]->f.payload.p) == cap)
			enabled = life[i]->f.tag != EVL_CAP_CREATE;
	for (size_t i = 0; i < n && life[i]->f.t <= t; i++)
		if (be16(life[i]->f.payload.p) == cap)
			enabled = life[i]->f.tag == EVL_CAP_CREATE || life[i]->f.tag == EVL_CAP_ENABLE;
	return enabled;
}

/* The time in which fewer than two capabilities can run threads, or not all that they did is in the log; *most: of those that
 * can at once. */
static double unproved(const struct naive *n, uint64_t shown, size_t *most)
{
	const struct slow *s = n->slow;
	const struct event **life = calloc(s->n + 1, sizeof *life);
	static bool caps[1 << 16];
	double ns = 0;
	size_t k = 0;
	assert_non_null(life);
	memset(caps, 0, sizeof caps);
	for (size_t i = 0; i < s->n; i++) {
		const struct event *e = &s->events[i];
		if (e->cap >= 0)
			caps[e->cap] = true;
		if (e->cap < 0 && e->f.tag >= EVL_CAP_CREATE && e->f.tag <= EVL_CAP_ENABLE)
			life[k++] = e;
	}
	qsort(life, k, sizeof *life, by_place);
	*most = 0;
	for (size_t i = 0; i <= k; i++) {
		uint64_t from = max_u64(i ? life[i - 1]->f.t : 0, n->f->from), enabled = 0;
		uint64_t to = min_u64(min_u64(i < k ? life[i]->f.t : UINT64_MAX, n->f->to), shown);
		if (from >= to)
			continue;
		for (int cap = 0; cap < 1 << 16; cap++)
			enabled += caps[cap] && is_enabled(life, k, cap, from);
		*most = max_u64(*most, enabled);
		ns += enabled < 2 ? (double)(to - from) : 0;
	}
	free(life);
	return ns + (double)sub_or_0(n->f->to, max_u64(shown, n->f->from));
}

/* The time that each thread ran alone, outside of pauses; *longest: of each, its longest stretch, perhaps with breaks of at most a
 * millisecond in which none runs. */
static struct sums alone_by_thread(const struct naive *n, struct sums *longest)
{
	const uint64_t BREAK_NS = 1000000;
	struct sums alone = sums_of(n);
	const struct stretch **on = calloc(1 << 16, sizeof(struct stretch *)),
			     **by = calloc(n->slow->list.n + 1, sizeof *by);
	uint64_t from = 0, since = 0, until = 0;
	uint32_t before = 0;
	size_t k = 0, running = 0, at = 0;
	assert_true(on && by);
	*longest = sums_of(n);
	for (size_t i = 0; i < n->slow->list.n; i++)
		if (n->slow->list.items[i].state == THREAD_RUNNING)
			by[k++] = &n->slow->list.items[i];
	qsort(by, k, sizeof *by, by_since);
	while (at < k || running > 0) { /* take the next begin or end */
		size_t last = 0;
		for (size_t i = 0; i < running; i++)
			last = on[i]->to < on[last]->to ? i : last;
		bool ends = running > 0 && (at == k || on[last]->to <= by[at]->since);
		uint64_t t = ends ? on[last]->to : by[at]->since;
		uint32_t thread = running == 1 ? on[0]->thread : 0;
		if (t > from) {
			since = !running || (thread && thread == before && from - until <= BREAK_NS) ? since : from;
			until = thread ? t : until;
			before = running ? thread : before;
			alone.ns[thread] += thread ? t - from - covered(&n->pauses, from, t) : 0;
			longest->ns[thread] = max_u64(longest->ns[thread], thread ? t - since : 0);
		}
		from = t;
		if (ends)
			on[last] = on[--running];
		else
			on[running++] = by[at++];
	}
	free(on);
	free(by);
	return alone;
}

static void expect_text(const struct naive *n, const char *text, const char *part, bool is)
{
	if (is != (strstr(text, part) != NULL))
		fail_msg("%s: \"%s\" is %sin: %s", n->name, part, is ? "not " : "", text);
}

/* The label of which several threads ran alone for longer together than any one did; ns: of that one. Return that time. A thread
 * that ran for at most half of it is not named. */
static uint64_t expect_label(
	const struct naive *n, const struct sums *alone, uint64_t one, double told, const char *text)
{
	uint64_t ns = one;
	struct evl_str *labels = labels_of(n), most = {0};
	uint64_t threads = 0;
	char part[128];
	for (uint32_t id = 1; id < n->slow->n_threads; id++) {
		uint64_t sum = 0, of = 0;
		for (uint32_t other = 1; other < n->slow->n_threads && labels[id].len; other++) {
			bool same = n->slow->threads[other].known && labels[other].len == labels[id].len
				&& memcmp(labels[other].p, labels[id].p, labels[id].len) == 0;
			of += same;
			sum += same ? alone->ns[other] : 0;
		}
		if (of < 2 || sum <= ns)
			continue;
		ns = sum;
		most = labels[id];
		threads = of;
	}
	snprintf(part, sizeof part, "; %s of that in %s threads \"%.*s\"%s", as_share((double)ns / told),
		as_count(threads), (int)min_u64(most.len, 40), most.len ? (const char *)most.p : "",
		2 * one <= ns ? ";" : ", ");
	expect_text(n, text, most.len ? part : " threads \"", most.len > 0);
	free(labels);
	return most.len ? ns : 0;
}

/* Did the others run for less than a tenth of that time? */
static bool is_of_cap(uint64_t run, uint64_t most_run, double told) { return (double)(run - most_run) <= told / 10; }

/* The time told: without the time that is not proved, if that is much. */
static double told_of(double one, double without) { return without > 0.01 * (one - without) ? one - without : one; }

/* It names the thread that ran alone for longest, a label of which several did so for longer together, and a capability, if the
 * others ran for less than a tenth of that, or if it ran alone for three quarters of it at least. */
static void expect_serial(
	const struct naive *n, double one, double without, uint64_t run, uint64_t most_run, double least, double active)
{
	const struct finding *got = NULL;
	struct sums longest, alone = alone_by_thread(n, &longest);
	uint64_t ns = alone.ns[most_of(&alone)];
	bool at_least = without > 0.01 * (one - without), cap = false;
	double told = told_of(one, without), own = (double)ns - without;
	char part[128];
	for (size_t i = 0; i < n->found->n; i++)
		got = n->found->items[i].id == FINDING_SERIAL ? &n->found->items[i] : got;
	assert_non_null(got);
	cap = is_of_cap(run, most_run, told);
	assert_int_equal(got->has_cap, cap);
	expect_text(n, got->text, " for nearly all of it)", cap || least >= 0.9 * told);
	snprintf(part, sizeof part, " for at least %s of it)", as_share(least / told));
	expect_text(n, got->text, part, !cap && least < 0.9 * told && least >= 0.75 * told);
	snprintf(part, sizeof part, " for %s%s, %s of the active time", at_least ? "at least " : "",
		as_value(UNIT_NS, told), as_share(told / active));
	expect_text(n, got->text, part, true);
	assert_int_equal(got->thread != 0, own > 0);
	if (own > 0) {
		assert_int_equal(alone.ns[got->thread], ns);
		uint64_t label = at_least ? 0 : expect_label(n, &alone, ns, told, got->text);
		snprintf(part, sizeof part, "%s %s%s in thread %u", label ? "," : ";",
			as_share((at_least ? own : (double)ns) / told), label ? "" : " of that", got->thread);
		expect_text(n, got->text, part, !label || 2 * ns > label);
		if (got->until > got->t)
			assert_int_equal(got->until - got->t, longest.ns[got->thread]);
		serial_labels += label > 0;
		serial_threads++;
	}
	free(alone.ns);
	free(longest.ns);
}

/* The text about black holes, and that what is told there is not told again. */
static void expect_holes(const struct naive *n, const struct hole_sums *holes)
{
	const char *text = json_string_value(json_object_get(finding(n, "blackhole-contention"), "text"));
	char part[128];
	snprintf(part, sizeof part, "%s wait%s for black holes of ", as_count(holes->n), holes->n == 1 ? "" : "s");
	expect_text(n, text, part, true);
	snprintf(part, sizeof part, ", %s in total", as_duration(holes->ns));
	expect_text(n, text, part, true);
	snprintf(part, sizeof part, "black holes of %s threads \"", as_count(holes->owners));
	expect_text(n, text, part, holes->owners > 1);
	snprintf(part, sizeof part, "thread %u", holes->most);
	expect_text(n, text, part, true);
	black_holes_of[holes->owners > 1]++;
	snprintf(part, sizeof part, "not counting %s of that in which threads were blocked on black holes, ",
		as_duration(holes->alone));
	for (size_t i = 0; i < n->found->n; i++) {
		const struct finding *f = &n->found->items[i];
		if (f->id != FINDING_SERIAL && f->id != FINDING_CAP_ALONE)
			continue;
		expect_text(n, f->text, part, holes->alone > 0);
		not_counted += holes->alone > 0;
	}
}

/* Of a whole log; of a range in which no black holes are told of, only those about capabilities. */
static size_t expect_findings(const struct naive *n)
{
	if (!n->f->whole && finding(n, "blackhole-contention"))
		return 0;
	uint64_t from = n->f->from, to = n->f->to, paused = covered(&n->pauses, from, to), run = 0, most = 0;
	static uint64_t caps[1 << 16], late[1 << 16];
	uint64_t all_late = 0;
	static uint64_t in_pauses[1 << 16];
	size_t best = 0;
	struct times x = times_of(n, from, to);
	double active = (double)paused;
	for (size_t k = 1; k <= n->n_caps; k++)
		active += (double)x.alone[k];
	memset(caps, 0, sizeof caps);
	memset(late, 0, sizeof late);
	memset(in_pauses, 0, sizeof in_pauses);
	for (size_t i = 0; i < n->slow->list.n; i++) {
		const struct stretch *s = &n->slow->list.items[i];
		uint64_t begin = max_u64(s->since, from), end = min_u64(s->to, to);
		if (s->state != THREAD_RUNNING || begin >= end)
			continue;
		uint64_t in = covered(&n->pauses, begin, end);
		run += end - begin;
		caps[s->cap] += end - begin;
		in_pauses[s->cap] += in;
		late[s->cap] += finding(n, "gc-sync-thread") ? in : 0;
		all_late += finding(n, "gc-sync-thread") ? in : 0;
	}
	for (size_t cap = 0; cap < countof(caps); cap++)
		best = caps[cap] > caps[best] ? cap : best;
	most = caps[best];
	size_t enabled;
	double without = unproved(n, n->shown, &enabled), proved = (double)most - without;
	double alone = n->n_caps ? (double)x.alone[1] - without : 0;
	struct hole_sums holes = n->f->whole ? longest_holes(n) : (struct hole_sums){0};
	double part = enabled ? 1 - 1 / (double)enabled : 0;
	double apart = fmin((double)holes.alone, alone), told = (double)holes.alone * part;
	double own = proved - (double)late[best], rest = (double)(run - all_late) - without;
	double gain = own - rest * (1 - part) - told; /* 0: all of it is told elsewhere */
	bool one = enabled > 1 && own > 0.8 * rest && own >= LEAST_NS && gain > 0;
	bool serial = enabled > 1 && alone > active / 2 && alone >= LEAST_NS;
	serial_explained += serial && !(alone > apart);
	serial = serial && alone > apart;
	double least = (double)(most - in_pauses[best]); /* alone: the others may have run with it */
	for (size_t k = 2; k <= n->n_caps; k++)
		least -= (double)x.alone[k];
	least = fmax(least, 0);
	bool same = serial && is_of_cap(run, most, told_of((double)x.alone[1], without));
	bool within = serial && !same && least >= 0.9 * (double)most;
	given_way[0] += one && same;
	given_way[1] += one && within;
	for (const struct finding *f = n->found->items; f < n->found->items + n->found->n; f++)
		if (f->id == FINDING_SERIAL || f->id == FINDING_CAP_ALONE)
			assert_int_equal(f->repeats, f->id == FINDING_SERIAL ? one && same : within);
	size_t seen = expect_finding(n, "cap-alone", one, ANY_THREAD);
	seen += expect_finding(n, "serial", serial, ANY_THREAD);
	expect_stake(n, "serial", (alone - apart) * part);
	expect_stake(n, "cap-alone", gain);
	if (!n->f->whole) {
		in_ranges += seen;
		free(x.alone);
		free(x.all);
		return 0;
	}
	seen += expect_finding(n, "blackhole-contention", holes.most, holes.most);
	expect_stake(n, "blackhole-contention", (double)holes.once);
	if (holes.most)
		expect_holes(n, &holes);
	if (one) {
		const char *text = json_string_value(json_object_get(finding(n, "cap-alone"), "text"));
		expect_text(n, text, "; this overlaps with the time in which only one capability ran", serial && !same);
		expect_text(n, text, " in which collections waited for it, ", late[best] > 0);
		waited_for += late[best] > 0;
	}
	if (serial)
		expect_serial(n, (double)x.alone[1], without, run, most, least, active);
	free(x.alone);
	free(x.all);
	return seen + expect_delays(n, active) + expect_waits(n);
}

static size_t compare(struct naive *n, const struct evl_log *log, uint64_t from, uint64_t to)
{
	struct figures f;
	struct findings findings;
	struct buf text = {0};
	json_error_t error;
	size_t phases = 0;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to, .deep = true}), 0);
	findings_make(&findings, log, &f);
	stats_json(log, &f, &findings, &text);
	n->stats = json_loadb(text.p, text.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
	if (!n->stats)
		fail_msg("%s: not JSON: %s", n->name, error.text);
	n->f = &f;
	n->found = &findings;
	if (f.to > f.from) {
		expect_concurrency(n);
		phases = expect_phases(n);
		n->findings += n->runs && n->collects ? expect_findings(n) : 0;
	}
	json_decref(n->stats);
	figures_free(&f);
	buf_free(&text);
	return phases;
}

/* The whole log, and parts of it. Return its phases. */
static size_t compare_log(struct evl_log *log, const char *name, size_t *findings)
{
	enum { PARTS = 5 };
	static struct slow s;
	struct naive n = {.name = name, .shown = slow_shown(log)};
	memset(&s, 0, sizeof s);
	read_slowly(&n, &s, log);
	size_t phases = compare(&n, log, 0, UINT64_MAX);
	for (uint64_t i = 0, step = s.n ? (s.last - s.first) / PARTS : 0; i < PARTS && step; i++)
		compare(&n, log, s.first + i * step, s.first + (i + 2) * step);
	*findings += n.findings;
	free_naive(&n);
	return phases;
}

/* A part of the file, as a log whose program was killed. */
static void compare_cut(const char *path)
{
	size_t findings = 0;
	struct evl_log *whole, *log;
	assert_int_equal(evl_open(&whole, path, NULL), 0);
	if (evl_open_memory(&log, whole->source.data, whole->source.len / 3 * 2, NULL) == 0) {
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		compare_log(log, path, &findings);
		evl_close(log);
	}
	evl_close(whole);
}

static void real_logs(void **state)
{
	glob_t logs;
	size_t phases = 0, findings = 0;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	for (size_t i = 0; i < logs.gl_pathc; i++) {
		struct evl_log *log = walked_file(logs.gl_pathv[i]);
		phases += compare_log(log, logs.gl_pathv[i], &findings);
		evl_close(log);
		compare_cut(logs.gl_pathv[i]);
	}
	globfree(&logs);
	assert_true(phases > 100 && findings > 5 && in_ranges > 10);
}

/* Capability 1 runs for 59 ms: for 6 of them a collection waits for it, and only gc-sync-thread counts these. If it runs for
 * little more, nothing else is told. */
static void run_late(void **state)
{
	enum { MS = 1000000 };
	(void)state;
	for (int more = 0; more < 2; more++) {
		struct built b = log_begin();
		size_t findings = 0, before = waited_for;
		block_begin(&b, 0, 0);
		put_run(&b, 0, 1);
		put_stop(&b, more ? 1 * MS : 20 * MS, 1, 3);
		put_gc(&b, 20 * MS, 26 * MS, 27 * MS, 0);
		block_end(&b, 60 * MS);
		block_begin(&b, 1, 0);
		put_run(&b, 5 * MS, 2);
		put_stop(&b, 26 * MS, 2, 3);
		put_run(&b, 27 * MS, 2);
		put_stop(&b, more ? 60 * MS : 28 * MS, 2, 5);
		block_end(&b, 60 * MS);
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare_log(log, "late", &findings);
		assert_int_equal(waited_for - before, more);
		done(log, &b);
	}
}

/* Thread 1 runs alone while thread 2 waits for its black hole; for 1 ms more, or not. */
static void all_explained(void **state)
{
	enum { MS = 1000000 };
	(void)state;
	for (unsigned more = 0; more < 2; more++) {
		struct built b = log_begin();
		size_t findings = 0, raised = serial_threads, explained = serial_explained;
		block_begin(&b, 0, 0);
		put_run(&b, 0, 1);
		put(&b, 40 * MS, EVL_THREAD_WAKEUP, "42", 2u, 1u);
		put_stop(&b, 45 * MS, 1, STOP_FINISHED);
		put_gc(&b, 45 * MS, 45 * MS, 46 * MS, 0);
		block_end(&b, 46 * MS);
		block_begin(&b, 1, 0);
		put_run(&b, 0, 2);
		put(&b, 1 * MS, EVL_STOP_THREAD, "424", 2u, (unsigned)STOP_BLACK_HOLE, 1u);
		put_run(&b, (40 + more) * MS, 2);
		put_stop(&b, 45 * MS, 2, STOP_FINISHED);
		block_end(&b, 46 * MS);
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare_log(log, "explained", &findings);
		assert_int_equal(serial_threads - raised, more);
		assert_int_equal(serial_explained - explained, !more);
		done(log, &b);
	}
}

/* Two capabilities and two collections: every figure computed manually. */
static void by_hand(void **state)
{
	struct built b = log_begin();
	struct figures f;
	(void)state;
	block_begin(&b, 0, 0);
	put(&b, 0, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)0);
	put_run(&b, 10, 1);
	put(&b, 40, EVL_USER_MARKER, "s", "one");
	put_stop(&b, 50, 1, 3);
	put_gc(&b, 50, 60, 80, 0);
	put_run(&b, 80, 1);
	put(&b, 90, EVL_USER_MARKER, "s", "two");
	put_stop(&b, 100, 1, 5);
	put(&b, 100, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)1000);
	block_end(&b, 100);
	block_begin(&b, 1, 0);
	put_run(&b, 30, 2);
	put_stop(&b, 70, 2, 5);
	block_end(&b, 100);
	log_end(&b);
	struct evl_log *log = walked(&b);
	size_t findings = 0;
	compare_log(log, "by hand", &findings);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	assert_int_equal(f.waits->levels[2], 20); /* 30 to 50 */
	assert_int_equal(f.waits->levels[1], 20 + 20);
	assert_int_equal(f.waits->levels[0], 10 + 30);
	assert_int_equal(f.phases.n, 3);
	const struct phase *p = &f.phases.items[1];
	assert_int_equal(p->run, 10 + 10 + 30); /* of thread 2 in the pause, too */
	assert_int_equal(p->busy, 10 + 10 + 10);
	assert_int_equal(p->mutator, 10 + 10);
	assert_int_equal(p->gc, 20);
	assert_int_equal(p->sync, 10);
	assert_int_equal(p->idle, 0);
	assert_int_equal(p->allocated, 500);
	figures_free(&f);
	done(log, &b);
}

/* One thread or two run on each of three capabilities, while others wait for threads of one label, or without one. In every fourth
 * log, threads 6 and 7 wait for each other to the end. */
static void random_black_holes(void **state)
{
	enum { CAPS = 3, THREADS = 7, SLICES = 40, MS = 1000000 };
	static const char *const names[] = {"", "solver-1", "solver-2", "solver", "", "7", "pair 6", "pair 7"};
	uint64_t seed = 5;
	(void)state;
	for (int round = 0; round < 60; round++) {
		struct built b = log_begin();
		static struct built caps[CAPS];
		uint64_t t[CAPS];
		for (unsigned cap = 0; cap < CAPS; cap++) {
			caps[cap] = (struct built){0};
			t[cap] = MS;
			block_begin(&caps[cap], (uint16_t)cap, MS);
		}
		for (unsigned id = 1; id <= THREADS; id++)
			if (*names[id])
				put(&caps[0], MS, EVL_THREAD_LABEL, "4s", id, names[id]);
		for (int i = 0; i < SLICES; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			unsigned any = (unsigned)(seed >> 33), cap = any % CAPS, id = 1 + any / 8 % 5;
			unsigned owner = 1 + (id + any / 64 % 4) % 5, waiter = 10 + cap;
			put_run(&caps[cap], t[cap] += 10, 20 + cap);
			put_stop(&caps[cap], t[cap] += 1 + any % (2 * MS), 20 + cap, STOP_YIELD);
			put_run(&caps[cap], t[cap] += 10, waiter);
			put(&caps[cap], t[cap] += 10, EVL_STOP_THREAD, "424", waiter, (unsigned)STOP_BLACK_HOLE,
				round % 5 == 0      ? 4u
					: round % 3 ? owner
						    : 1 + cap % 2);
			if (any % 7 == 0) {
				put_gc(&caps[cap], t[cap] + 10, t[cap] + 20, t[cap] + MS / 10, 0);
				t[cap] += MS / 5;
			}
			put(&caps[cap], t[cap] += any / 9 % (3 * MS), EVL_THREAD_WAKEUP, "42", waiter, cap);
		}
		for (unsigned id = 6; id <= THREADS && round % 4 == 0; id++) {
			put_run(&caps[id - 6], t[id - 6] += 10, id);
			put(&caps[id - 6], t[id - 6] += 10, EVL_STOP_THREAD, "424", id, (unsigned)STOP_BLACK_HOLE,
				13 - id);
		}
		for (unsigned cap = 0; cap < CAPS; cap++) {
			put_run(&caps[cap], t[cap] + 40 * MS, 100 + cap);
			block_end(&caps[cap], t[cap] + 41 * MS);
			add_bytes(&b, caps[cap].data, caps[cap].len);
			free(caps[cap].data);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		size_t findings = 0;
		compare_log(log, "black holes", &findings);
		done(log, &b);
	}
	assert_true(black_holes_of[0] > 3 && black_holes_of[1] > 30 && not_counted > 3);
}

/* Threads of two labels and without one, which run on three or hundreds of capabilities, mostly one at a time, and mostly on the
 * first or not; some run on while a collection waits for them. */
static void random_serial(void **state)
{
	enum { FEW = 3, MANY = 300, THREADS = 9, SLICES = 60, MS = 1000000 };
	uint64_t seed = 11;
	(void)state;
	for (int round = 0; round < 40; round++) {
		struct built b = log_begin();
		static struct built caps[MANY];
		unsigned n_caps = round ? FEW : MANY;
		uint64_t t = MS;
		for (unsigned cap = 0; cap < n_caps; cap++) {
			caps[cap] = (struct built){0};
			block_begin(&caps[cap], (uint16_t)cap, t);
		}
		for (unsigned id = 1; id <= THREADS; id++)
			if (id % 3)
				put(&caps[0], t, EVL_THREAD_LABEL, "4s", id, id % 3 == 1 ? "chunk" : "rest");
		for (int i = 0; i < SLICES; i++, t += 10) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			unsigned any = (unsigned)(seed >> 33), cap = any / 1000 % (round % 2 ? 40 : n_caps),
				 id = any % THREADS + 1;
			cap = cap < n_caps ? cap : 0;
			uint64_t ns = 1 + any % (2 * MS);
			put_run(&caps[cap], t, id);
			if (any % 7 == 0) { /* two at a time */
				put_run(&caps[(cap + 1) % n_caps], t + 1, THREADS + 1);
				put_stop(&caps[(cap + 1) % n_caps], t + 1 + (any % 11 ? ns / 2 : ns + 5), THREADS + 1,
					STOP_YIELD);
			}
			put_stop(&caps[cap], t += ns, id, STOP_YIELD);
			if (any % 11 == 0) {
				put_gc(&caps[cap], t, t + 10, t + 1000, 0);
				t += 2000;
			}
		}
		for (unsigned cap = 0; cap < n_caps; cap++) {
			if (cap == 0)
				put_gc(&caps[cap], t + 3000, t + 3010, t + 3020, 0);
			block_end(&caps[cap], t + 4000);
			add_bytes(&b, caps[cap].data, caps[cap].len);
			free(caps[cap].data);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		size_t findings = 0;
		compare_log(log, "turns", &findings);
		done(log, &b);
	}
	assert_true(given_way[0] > 0 && given_way[1] > 0 && serial_threads > 0 && serial_labels > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(by_hand),
		cmocka_unit_test(run_late), cmocka_unit_test(all_explained), cmocka_unit_test(random_serial),
		cmocka_unit_test(random_black_holes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
