/* Delays of collections, against every run of every capability, one by one: on all real logs, whole and cut. */
#include "logs.h"
#include "report/figures.h"
#include "show/event_merge.h"

#include <glob.h>

/* A run of a thread, as RUN_THREAD and STOP_THREAD of one capability tell in the order of time. A run that is open ends when
 * its thread runs elsewhere, else with the log. */
struct run {
	uint64_t from, to, off; /* off: of the event that ended it; 0: none */
	uint32_t thread;
	uint16_t cap;
	bool open;
};

struct runs {
	struct run *items;
	size_t n, room;
};

static void end_run(struct runs *r, uint16_t cap, uint64_t t, uint64_t off)
{
	for (size_t i = r->n; i-- > 0;)
		if (r->items[i].cap == cap) {
			r->items[i].to = r->items[i].open ? t : r->items[i].to;
			r->items[i].off = r->items[i].open ? off : r->items[i].off;
			r->items[i].open = false;
			return;
		}
}

/* The thread runs on one capability at a time. */
static void leave_others(struct runs *r, uint16_t cap, uint32_t thread, uint64_t t)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->items[i].open && r->items[i].cap != cap && r->items[i].thread == thread)
			end_run(r, r->items[i].cap, t, 0);
}

static struct runs runs_of(const struct evl_log *log)
{
	struct runs r = {0};
	struct event_merge m;
	struct frame f;
	const struct block *block;
	uint64_t last = 0;
	assert_int_equal(event_merge_begin(&m, &log->blocks, &MERGE_ALL), 0);
	while (event_merge_next(&m, &f, &block)) {
		last = f.t;
		if (f.tag == EVL_RUN_THREAD || f.tag == EVL_STOP_THREAD || f.tag == EVL_GC_START)
			end_run(&r, log->blocks.chains[block->chain].cap, f.t, f.off);
		if (f.tag != EVL_RUN_THREAD)
			continue;
		leave_others(&r, log->blocks.chains[block->chain].cap, be32(f.payload.p), f.t);
		assert_true(GROW(r.items, r.n, r.room));
		r.items[r.n++] = (struct run){.from = f.t,
			.thread = be32(f.payload.p),
			.cap = log->blocks.chains[block->chain].cap,
			.open = true};
	}
	event_merge_end(&m);
	for (size_t i = 0; i < r.n; i++)
		if (r.items[i].open)
			r.items[i].to = last;
	return r;
}

/* How many runs ended last, at the same time before GC_START. */
static size_t ties, most_of_tie, ties_at_start;

/* L, and the run that it is of: the last in the file of those that ended then; at GC_START that of the lowest capability. */
static uint64_t late_of(const struct runs *r, const struct gc_row *gc, const struct run **who)
{
	uint64_t late = 0, n = 0;
	*who = NULL;
	for (size_t i = 0; i < r->n; i++) {
		const struct run *run = &r->items[i];
		uint64_t end = run->to < gc->start ? run->to : gc->start, l = sub_or_0(end, gc_requested(gc));
		if (run->cap == gc->cap || run->from >= gc->start || l == 0 || l < late)
			continue;
		n = l > late ? 1 : n + 1;
		if (l > late
			|| (l < gc->sync && run->off != (*who)->off ? run->off > (*who)->off : run->cap < (*who)->cap))
			*who = run;
		late = l;
	}
	ties += n > 1 && late < gc->sync;
	ties_at_start += n > 1 && late == gc->sync;
	most_of_tie = max_u64(most_of_tie, n);
	return late;
}

/* How long the thread of that run ran on its capability from the request to the end of L, since another thread ran there. */
static uint64_t ran_of(const struct runs *r, const struct gc_row *gc, const struct run *who)
{
	uint64_t ran = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct run *run = &r->items[i];
		uint64_t from = max_u64(run->from, gc_requested(gc)), to = min_u64(run->to, gc->start);
		if (run->cap != who->cap || run->from >= gc->start || to <= gc_requested(gc))
			continue;
		ran = run->thread == who->thread ? ran + sub_or_0(to, from) : 0;
	}
	return ran;
}

/* Collections with several threads on the late capability, of which another than the last ran longest. */
static size_t others_longest;

/* The threads that ran on the capability of that run from the request on, and the longest time of one. */
static void check_threads(const struct evl_log *log, const struct runs *r, const struct gc_row *gc,
	const struct gc_late *late, const struct run *who)
{
	struct gc_late_threads got;
	uint64_t most = 0, of_most = 0;
	size_t n = 0;
	if (!gc_late_threads(log, gc, late, &got))
		return;
	for (size_t i = 0; i < r->n; i++) {
		uint64_t ns = 0;
		bool first = true;
		for (size_t k = 0; k < r->n; k++) {
			const struct run *run = &r->items[k];
			uint64_t here = sub_or_0(min_u64(run->to, gc->start), max_u64(run->from, gc_requested(gc)));
			if (run->cap != who->cap || run->thread != r->items[i].thread || here == 0)
				continue;
			first = first && k >= i;
			ns += here;
		}
		n += first && ns && r->items[i].cap == who->cap
			&& sub_or_0(min_u64(r->items[i].to, gc->start), max_u64(r->items[i].from, gc_requested(gc)));
		most = max_u64(most, ns);
		of_most = r->items[i].thread == got.most ? ns : of_most;
	}
	assert_int_equal(got.n, n);
	assert_int_equal(got.most_ns, most);
	assert_int_equal(of_most, most);
	others_longest += n > 1 && got.most != who->thread;
}

/* How long after the request the capability left an earlier collection, by reading all its events; 0: it had left it. */
static uint64_t left_of(const struct evl_log *log, const struct gc_row *gc, uint16_t cap)
{
	const struct block *block;
	uint32_t chain = log->blocks.chain_of[cap] - 1u;
	uint64_t left = 0;
	bool in = false;
	struct cursor c;
	struct frame f;
	cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], UINT64_MAX);
	while (cursor_next(&c, &f, &block)) {
		bool starts =
			f.tag == EVL_GC_START || f.tag == EVL_GC_WORK || f.tag == EVL_GC_IDLE || f.tag == EVL_GC_DONE;
		bool ends = f.tag == EVL_GC_END || f.tag == EVL_RUN_THREAD;
		if (ends && in && f.t > gc_requested(gc) && f.t < gc->start)
			left = f.t - gc_requested(gc);
		in = starts || (in && !ends);
	}
	return left;
}

/* Time from the request to `left` in marking outside of syncs, by reading all events of the global buffer. */
static uint64_t marked_of(const struct evl_log *log, const struct gc_row *gc, uint64_t left)
{
	const struct block *block;
	const uint64_t from = gc_requested(gc), to = from + left;
	uint64_t marked = 0, since = 0;
	bool marks = false, syncs = false;
	struct cursor c;
	struct frame f;
	if (log->nonmoving.global == UINT32_MAX)
		return 0;
	cursor_begin(&c, &log->blocks, &log->blocks.chains[log->nonmoving.global], UINT64_MAX);
	while (cursor_next(&c, &f, &block)) {
		if (f.tag == EVL_CONC_MARK_BEGIN && !syncs && !marks) {
			marks = true;
			since = f.t;
		} else if ((f.tag == EVL_CONC_MARK_END || f.tag == EVL_CONC_SYNC_BEGIN) && marks) {
			marks = false;
			marked += sub_or_0(min_u64(f.t, to), max_u64(since, from));
		}
		syncs = f.tag == EVL_CONC_SYNC_BEGIN || (syncs && f.tag != EVL_CONC_SYNC_END);
	}
	return marked + (marks ? sub_or_0(to, max_u64(since, from)) : 0);
}

/* Number of collections during whose delay was marked. */
static size_t with_marks;

enum { MOST_BLAMED = 1000 };

struct sums {
	uint64_t thread_ns, wakeup_ns, blamed_ns, n_rests, rests_ns;
	uint64_t thread_in, wakeup_in, rests_in, n_rests_in; /* the range */
	struct gc_delay_thread blamed[MOST_BLAMED];
	size_t n_blamed;
};

static void blame(struct sums *s, const struct gc_row *gc, const struct run *who, uint64_t late, uint64_t ran)
{
	size_t i = 0;
	while (i < s->n_blamed && s->blamed[i].thread != who->thread)
		i++;
	assert_true(i < MOST_BLAMED);
	struct gc_delay_thread *b = &s->blamed[i];
	if (i == s->n_blamed)
		s->blamed[s->n_blamed++] = (struct gc_delay_thread){.thread = who->thread};
	b->ns += late;
	b->ran += ran;
	b->n++;
	s->blamed_ns += late;
	if (ran > b->longest || (ran == b->longest && gc->start < b->at)) {
		b->longest = ran;
		b->at = gc->start;
		b->cap = who->cap;
	}
}

/* Numbers of collections whose L, or long D - L, is only in part in the range; of those with a part of L that start after it. */
static size_t cut_late, cut_rests, cut_ends;

/* Number of collections whose last thread ran for less than half of L. */
static size_t hardly;

/* Look at each collection that starts in [from, to); of those that start after it and were requested in it, at their time in it. */
static struct sums check_each(
	const struct evl_log *log, const struct runs *r, uint64_t from, uint64_t to, size_t *named)
{
	struct sums s = {0};
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			const struct run *who;
			struct gc_late late;
			if (gc->start < from || gc_requested(gc) >= to || !gc->sync
				|| (gc->start >= to && gc->start >= evl_complete_until(log)))
				continue;
			uint64_t wanted = late_of(r, gc, &who), rest = gc->sync - wanted;
			uint64_t stopped = gc_requested(gc) + wanted;
			uint64_t before = sub_or_0(min_u64(stopped, to), max_u64(gc_requested(gc), from));
			uint64_t after = sub_or_0(min_u64(gc->start, to), max_u64(stopped, from));
			s.thread_in += before;
			s.wakeup_in += after;
			s.rests_in += rest > 1000000 ? after : 0;
			s.n_rests_in += rest > 1000000 && after;
			cut_late += before < wanted;
			cut_rests += rest > 1000000 && after < rest;
			if (gc->start >= to) {
				cut_ends += before > 0;
				continue;
			}
			gc_late(log, gc, &late);
			assert_int_equal(late.run.late, wanted);
			assert_int_equal(late.rest, rest);
			assert_int_equal(late.by_thread, wanted && 2 * wanted >= gc->sync);
			if (late.by_thread) {
				assert_int_equal(late.run.thread, who->thread);
				assert_int_equal(late.run.cap, who->cap);
				assert_int_equal(late.run.ran, ran_of(r, gc, who));
				assert_true(late.run.ran <= late.run.late);
				assert_int_equal(late.left, left_of(log, gc, late.run.cap));
				assert_int_equal(gc_late_nm_mark(log, gc, &late), marked_of(log, gc, late.left));
				with_marks += marked_of(log, gc, late.left) > 0;
				if (2 * late.run.ran < wanted)
					check_threads(log, r, gc, &late, who);
				blame(&s, gc, who, wanted, ran_of(r, gc, who));
				++*named;
				hardly += late.run.ran < late.run.late - late.run.ran;
			}
			s.thread_ns += wanted;
			s.wakeup_ns += rest;
			s.n_rests += rest > 1000000;
			s.rests_ns += rest > 1000000 ? rest : 0;
		}
	return s;
}

static int by_begin(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

/* Time of [from, to) in which any capability ran a thread or paused. */
static uint64_t active_of(const struct evl_log *log, const struct runs *r, uint64_t from, uint64_t to)
{
	struct runs all = {0};
	uint64_t ns = 0, end = from;
	for (size_t i = 0; i < r->n; i++) {
		assert_true(GROW(all.items, all.n, all.room));
		all.items[all.n++] = r->items[i];
	}
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			assert_true(GROW(all.items, all.n, all.room));
			all.items[all.n++] = (struct run){.from = gc_requested(gc), .to = gc_end(gc)};
		}
	qsort(all.items, all.n, sizeof *all.items, by_begin);
	for (size_t i = 0; i < all.n; i++) {
		ns += sub_or_0(min_u64(all.items[i].to, to), max_u64(all.items[i].from, end));
		end = max_u64(end, all.items[i].to);
	}
	free(all.items);
	return ns;
}

static void check_sums(const struct evl_log *log, const struct runs *r, uint64_t from, uint64_t to, size_t *named)
{
	struct figures f;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to}), 0);
	struct sums s = check_each(log, r, f.from, f.until, named);
	assert_int_equal(f.sync.thread_ns, s.thread_ns);
	assert_int_equal(f.sync.wakeup_ns, s.wakeup_ns);
	assert_int_equal(f.sync.blamed_ns, s.blamed_ns);
	assert_int_equal(f.sync.n_rests, s.n_rests);
	assert_int_equal(f.sync.rests_ns, s.rests_ns);
	if (census_count(&log->census) == 0 && evl_complete_until(log) >= f.until) {
		assert_int_equal(f.blamed.thread_ns, s.thread_in);
		assert_int_equal(f.blamed.wakeup_ns, s.wakeup_in);
		assert_int_equal(f.blamed.n_rests, s.n_rests_in);
		assert_int_equal(f.blamed.rests_ns, s.rests_in);
	}
	const struct gc_delay_thread *worst = NULL;
	for (size_t i = 0; i < s.n_blamed; i++)
		if (!worst || s.blamed[i].ran > worst->ran
			|| (s.blamed[i].ran == worst->ran
				&& (s.blamed[i].ns > worst->ns
					|| (s.blamed[i].ns == worst->ns && s.blamed[i].thread < worst->thread))))
			worst = &s.blamed[i];
	assert_int_equal(f.sync.has_worst, worst != NULL);
	if (worst) {
		const struct gc_delay_thread *got = &f.sync.worst;
		assert_true(got->thread == worst->thread && got->ns == worst->ns && got->n == worst->n
			&& got->ran == worst->ran && got->longest == worst->longest && got->at == worst->at
			&& got->cap == worst->cap);
	}
	assert_int_equal(f.stats.time.total - f.stats.time.idle, active_of(log, r, f.from, f.to));
	figures_free(&f);
}

static void check_log(const struct evl_log *log, size_t *named)
{
	uint64_t first, last;
	if (!evl_range(log, &first, &last) || !log->event_counts.tags.n[EVL_GC_START])
		return;
	struct runs r = runs_of(log);
	check_sums(log, &r, 0, UINT64_MAX, named);
	check_sums(log, &r, first + (last - first) / 3, first + (last - first) / 2, named);
	for (size_t c = 0; c < log->gcs.n; c++) { /* ranges from within the longest sync of a leader */
		const struct gc_row *longest = NULL;
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			longest = !longest || gc->sync > longest->sync ? gc : longest;
		}
		if (longest && longest->sync) {
			check_sums(log, &r, longest->start - longest->sync / 5, last, named);
			check_sums(log, &r, longest->start - longest->sync / 5 * 4, last, named);
			check_sums(log, &r, first, longest->start - longest->sync / 5, named);
			check_sums(log, &r, first, longest->start - longest->sync / 5 * 4, named);
		}
	}
	free(r.items);
}

/* Parts of a file, as logs of a program that was killed. Count the capabilities whose last thread ran elsewhere later. */
static void check_cuts(const struct evl_log *whole, size_t *named, size_t *moved)
{
	enum { PARTS = 8 };
	for (size_t k = 2; k < PARTS; k++) {
		struct evl_log *log;
		if (evl_open_memory(&log, whole->source.data, whole->source.len / PARTS * k, NULL) != 0)
			continue;
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		check_log(log, named);
		for (size_t i = 0; i < log->n_caps; i++)
			*moved += log->tiles[log->cap_chains[i]].moved_t > 0;
		evl_close(log);
	}
}

static void as_every_run_tells(void **state)
{
	glob_t paths;
	size_t named = 0, named_in_cuts = 0, moved = 0;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &paths), 0);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		struct evl_log *log = walked_file(paths.gl_pathv[i]);
		check_log(log, &named);
		check_cuts(log, &named_in_cuts, &moved);
		evl_close(log);
	}
	globfree(&paths);
	assert_true(named > 20 && named_in_cuts > 20 && hardly > 0 && with_marks > 0);
	assert_true(moved > 3 && cut_late > 3 && cut_rests > 3 && cut_ends > 3);
}

/* Three threads run on the late capability after the request, the first for the longest time. */
static void another_than_the_last_ran_longest(void **state)
{
	struct built b = log_begin();
	size_t named = 0;
	(void)state;
	block_begin(&b, 0, 0);
	put_gc(&b, 100, 240, 300, 0);
	block_end(&b, 1000);
	block_begin(&b, 1, 0);
	put_run(&b, 10, 17);
	put_stop(&b, 170, 17, 1);
	put_run(&b, 172, 6);
	put_stop(&b, 190, 6, 1);
	put_run(&b, 210, 4);
	put_stop(&b, 220, 4, 1);
	put_run(&b, 400, 4);
	put_stop(&b, 500, 4, 1);
	block_end(&b, 1000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct runs r = runs_of(log);
	struct gc_late late;
	struct gc_late_threads got;
	const struct gc_row *gc = gcs_after(&log->gcs, 0, GC_ALL);
	others_longest = 0;
	gc_late(log, gc, &late);
	assert_int_equal(late.run.late, 120);
	assert_int_equal(late.run.ran, 10);
	check_each(log, &r, 0, UINT64_MAX, &named);
	assert_int_equal(named, 1);
	assert_true(gc_late_threads(log, gc, &late, &got));
	assert_int_equal(got.n, 3);
	assert_int_equal(got.most, 17);
	assert_int_equal(got.most_ns, 70);
	assert_int_equal(others_longest, 1);
	free(r.items);
	done(log, &b);
}

enum { CAPS = 4, STEPS = 300 };

static unsigned any(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

/* Something that happens on a capability. */
struct happening {
	uint64_t t;
	unsigned cap, thread, tag, sync;
};

/* Runs and collections in order of time. A thread runs on one capability at a time. */
static void make_up(struct happening *all, unsigned *seed)
{
	unsigned on[CAPS] = {0}, runs[CAPS + 3] = {0};
	for (size_t i = 0; i < STEPS; i++) {
		struct happening *h = &all[i];
		unsigned thread = 1 + any(seed, CAPS + 2);
		*h = (struct happening){.t = 300 * i + 200 + any(seed, 90), .cap = any(seed, CAPS)};
		if (on[h->cap]) {
			h->tag = EVL_STOP_THREAD;
			h->thread = on[h->cap];
			runs[h->thread] = on[h->cap] = 0;
		} else if (!runs[thread]) {
			h->tag = EVL_RUN_THREAD;
			h->thread = on[h->cap] = thread;
			runs[thread] = 1;
		} else {
			h->tag = EVL_GC_START;
			h->sync = any(seed, 150);
		}
	}
}

/* Keep only the first events of each capability, as if the rest had never been written. */
static struct built cut_at_random(unsigned seed)
{
	static struct happening all[STEPS];
	struct built b = log_begin();
	make_up(all, &seed);
	for (unsigned cap = 0; cap < CAPS; cap++) {
		size_t end = any(&seed, STEPS);
		block_begin(&b, (uint16_t)cap, 1);
		for (size_t i = 0; i < end; i++) {
			const struct happening *h = &all[i];
			if (h->cap == cap && h->tag == EVL_RUN_THREAD)
				put_run(&b, h->t, h->thread);
			else if (h->cap == cap && h->tag == EVL_STOP_THREAD)
				put_stop(&b, h->t, h->thread, 3);
			else if (h->cap == cap)
				put_gc(&b, h->t - h->sync, h->t, h->t + 20, 0);
		}
		block_end(&b, 300 * end + 300);
	}
	return b;
}

static void capabilities_that_end_early(void **state)
{
	size_t named = 0, moved = 0;
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct built b = cut_at_random(seed);
		struct evl_log *log = walked(&b);
		check_log(log, &named);
		for (size_t i = 0; i < log->n_caps; i++)
			moved += log->tiles[log->cap_chains[i]].moved_t > 0;
		done(log, &b);
	}
	assert_true(named > 100 && moved > 100);
}

/* Collections that are requested while all capabilities run a thread. These stop at few different times, some only
 * after GC_START, and some are not seen to stop at all; the blocks of the capabilities are in any order. */
static struct built stops_that_tie(unsigned seed, unsigned caps, bool all_stop)
{
	enum { GROUPS = 4, ROUNDS = 8, ROUND_NS = 1000 };
	struct built b = log_begin();
	for (uint64_t group = 0; group < GROUPS; group++) {
		unsigned first = any(&seed, 997) % caps, leader = any(&seed, 997) % caps;
		for (unsigned i = 0; i < caps; i++) {
			unsigned cap = (first + i) % caps;
			uint64_t t = 1000 + ROUND_NS * ROUNDS * group;
			block_begin(&b, (uint16_t)cap, t);
			for (unsigned r = 0; r < ROUNDS; r++, t += ROUND_NS) {
				uint64_t late = cap == leader ? 0 : 20 * (any(&seed, 997) % 4);
				put_run(&b, t, cap + 1 + caps * (r % 3));
				if (cap == leader || all_stop || any(&seed, 997) % 3)
					put_stop(&b, t + 100 + late, cap + 1 + caps * (r % 3), 3);
				if (cap == leader)
					put_gc(&b, t + 110, t + 150, t + 200, 0);
			}
			block_end(&b, t);
		}
	}
	return b;
}

static void ties_of_stops(void **state)
{
	size_t named = 0, before = ties, kept = 0;
	(void)state;
	for (unsigned seed = 1; seed <= 100; seed++) {
		struct built b = stops_that_tie(seed, CAPS, true);
		struct evl_log *log = walked(&b);
		check_log(log, &named);
		kept += log->busy.delays.n_ties;
		done(log, &b);
	}
	assert_true(named > 1000 && kept > 300 && ties > before + 300 && most_of_tie == CAPS - 1);
}

/* At GC_START several threads still run, of which no stop is logged before the next run. */
static void ties_without_stops(void **state)
{
	size_t named = 0, before = ties_at_start;
	(void)state;
	for (unsigned seed = 1; seed <= 100; seed++) {
		struct built b = stops_that_tie(seed, CAPS, false);
		struct evl_log *log = walked(&b);
		check_log(log, &named);
		done(log, &b);
	}
	assert_true(named > 1000 && ties_at_start > before + 300);
}

static void hundreds_of_capabilities(void **state)
{
	enum { MANY = 300 };
	size_t named = 0;
	(void)state;
	for (unsigned seed = 1; seed <= 2; seed++) {
		struct built b = stops_that_tie(seed, MANY, seed == 1);
		struct evl_log *log = walked(&b);
		assert_int_equal(log->n_caps, MANY);
		check_log(log, &named);
		done(log, &b);
	}
	assert_true(named > 30 && most_of_tie > MANY / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_every_run_tells),
		cmocka_unit_test(another_than_the_last_ran_longest), cmocka_unit_test(ties_of_stops),
		cmocka_unit_test(ties_without_stops), cmocka_unit_test(hundreds_of_capabilities),
		cmocka_unit_test(capabilities_that_end_early)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
