/* Every figure of the real logs, whole and a range of each, is what slow and simple code finds in the same events. */
#include "cap_events.h"
#include "logs.h"
#include "report/figure_lists.h"
#include "report/named.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>

/* --- the events, one after another, as an array --- */

struct event {
	struct frame f;
	int cap;          /* -1: of none */
	uint64_t chain_t; /* never less than that of an event before it in its chain */
};

struct events {
	struct event *items;
	size_t n, room;
};

static struct events read_events(const struct evl_log *log)
{
	struct events all = {0};
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		const struct block *block;
		struct event e = {.cap = log->blocks.chains[c].cap == EVL_NO_CAP ? -1 : log->blocks.chains[c].cap};
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &e.f, &block)) {
			e.chain_t = max_u64(e.chain_t, e.f.t);
			assert_true(GROW(all.items, all.n, all.room));
			if (event_readable(&log->header, &e.f))
				all.items[all.n++] = e;
		}
	}
	return all;
}

static uint32_t u32_at(const struct event *e, size_t at) { return be32(e->f.payload.p + at); }
static uint64_t u64_at(const struct event *e, size_t at) { return be64(e->f.payload.p + at); }

/* --- intervals --- */

struct interval {
	uint64_t from, to;
};

struct intervals {
	struct interval *items;
	size_t n, room;
};

static void add(struct intervals *all, uint64_t from, uint64_t to)
{
	assert_true(GROW(all->items, all->n, all->room));
	all->items[all->n++] = (struct interval){from, to};
}

static int by_from(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static struct intervals united(const struct intervals *a, const struct intervals *b, uint64_t from, uint64_t to)
{
	struct intervals all = {0}, out = {0};
	for (size_t i = 0; i < a->n; i++)
		add(&all, max_u64(a->items[i].from, from), min_u64(a->items[i].to, to));
	for (size_t i = 0; b && i < b->n; i++)
		add(&all, max_u64(b->items[i].from, from), min_u64(b->items[i].to, to));
	if (all.n)
		qsort(all.items, all.n, sizeof *all.items, by_from);
	for (size_t i = 0; i < all.n; i++) {
		struct interval *last = out.n ? &out.items[out.n - 1] : NULL;
		if (all.items[i].from >= all.items[i].to)
			continue;
		if (last && all.items[i].from <= last->to)
			last->to = max_u64(last->to, all.items[i].to);
		else
			add(&out, all.items[i].from, all.items[i].to);
	}
	free(all.items);
	return out;
}

static uint64_t covered(const struct intervals *u, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < u->n; i++)
		sum += sub_or_0(min_u64(u->items[i].to, to), max_u64(u->items[i].from, from));
	return sum;
}

/* --- what is expected --- */

struct naive {
	const struct evl_log *log;
	struct events events;
	const struct figures *f;
	const char *name;
	struct intervals runs, gcs, pauses;
	struct naive_gc {
		uint64_t request, start, end;
		unsigned gen;
		const uint8_t *stats;
	} * rows;
	size_t n_rows, rows_room;
};

static void expect(const struct naive *n, enum metric m, double want, double tolerance)
{
	double got = n->f->values[m];
	bool same = isnan(want) ? isnan(got) : fabs(got - want) <= tolerance;
	if (!same)
		fail_msg("%s [%llu, %llu): %s is %.17g, not %.17g", n->name, (unsigned long long)n->f->from,
			(unsigned long long)n->f->to, metric_info(m)->name, got, want);
}

/* The machine of one capability: its runs, and the collections that it leads. */
static void read_chain(struct naive *n, size_t first, size_t end)
{
	uint64_t run = 0, start = 0, request = 0;
	bool runs = false, open = false, requested = false;
	const uint8_t *stats = NULL;
	for (size_t i = first; i < end; i++) {
		const struct event *e = &n->events.items[i];
		uint16_t tag = e->f.tag;
		bool phase = tag == EVL_GC_START || tag == EVL_GC_WORK || tag == EVL_GC_IDLE || tag == EVL_GC_DONE;
		if (e->cap >= 0 && runs && (tag == EVL_RUN_THREAD || tag == EVL_STOP_THREAD || phase)) {
			add(&n->runs, run, e->f.t);
			runs = false;
		}
		if (e->cap >= 0 && tag == EVL_RUN_THREAD) {
			runs = true;
			run = e->f.t;
		}
		if (tag == EVL_REQUEST_PAR_GC || tag == EVL_REQUEST_SEQ_GC) {
			requested = true;
			request = e->f.t;
		}
		if (tag == EVL_GC_START && !open) {
			open = true;
			start = e->f.t;
		}
		if (tag == EVL_GC_STATS_GHC)
			stats = e->f.payload.p;
		if (tag == EVL_GC_END && stats && open) {
			assert_true(GROW(n->rows, n->n_rows, n->rows_room));
			n->rows[n->n_rows++] = (struct naive_gc){
				requested && request <= start ? request : start, start, e->f.t, be16(stats + 4), stats};
			add(&n->gcs, start, e->f.t);
			add(&n->pauses, n->rows[n->n_rows - 1].request, e->f.t);
		}
		if (tag == EVL_GC_END || tag == EVL_RUN_THREAD) {
			open = requested = false;
			stats = NULL;
		}
	}
	if (runs)
		add(&n->runs, run, max_u64(run, n->events.items[end - 1].chain_t));
}

static void read_chains(struct naive *n)
{
	for (size_t i = 0, end; i < n->events.n; i = end) {
		for (end = i + 1; end < n->events.n && n->events.items[end].cap == n->events.items[i].cap; end++)
			;
		read_chain(n, i, end);
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static double nth(uint64_t *values, size_t n, unsigned percent)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof *values, by_value);
	size_t rank = (n * percent + 99) / 100;
	return (double)values[rank ? rank - 1 : 0];
}

static void expect_pauses(const struct naive *n)
{
	uint64_t *pauses = calloc(n->n_rows + 1, sizeof *pauses), *syncs = calloc(n->n_rows + 1, sizeof *syncs);
	double elapsed = 0, total = 0, copied = 0, par = 0, par_copied = 0, balanced = 0, sync = 0;
	size_t k = 0;
	for (size_t i = 0; i < n->n_rows; i++) {
		const struct naive_gc *r = &n->rows[i];
		if (r->start < n->f->from || r->start >= n->f->until)
			continue;
		pauses[k] = r->end - r->request;
		syncs[k++] = r->start - r->request;
		sync += (double)(r->start - r->request);
		total += (double)(r->end - r->request);
		elapsed += (double)(r->end - r->start);
		copied += (double)be64(r->stats + 6);
		if (be32(r->stats + 30) > 1) {
			par++;
			par_copied += (double)be64(r->stats + 6);
			balanced += (double)be64(r->stats + 50);
		}
	}
	expect(n, METRIC_GC_N, (double)k, 0);
	expect(n, METRIC_GC_PAR_N, par, 0);
	expect(n, METRIC_GC_ELAPSED, elapsed, 0);
	expect(n, METRIC_GC_COPIED, copied, 0);
	expect(n, METRIC_GC_WORK_BALANCE, par_copied > 0 ? balanced / par_copied : NAN, 1e-12);
	expect(n, METRIC_GC_PAUSE_TOTAL, total, 0);
	expect(n, METRIC_GC_PAUSE_MEAN, k ? total / (double)k : NAN, 1);
	expect(n, METRIC_GC_SYNC_TOTAL, sync, 0);
	expect(n, METRIC_GC_SYNC_P99, nth(syncs, k, 99), 0);
	expect(n, METRIC_GC_SYNC_MAX, nth(syncs, k, 100), 0);
	expect(n, METRIC_GC_PAUSE_P50, nth(pauses, k, 50), 0);
	expect(n, METRIC_GC_PAUSE_P90, nth(pauses, k, 90), 0);
	expect(n, METRIC_GC_PAUSE_P99, nth(pauses, k, 99), 0);
	expect(n, METRIC_GC_PAUSE_MAX, nth(pauses, k, 100), 0);
	free(pauses);
	free(syncs);
}

/* A pause is slow if it took longer than the mean of its generation, and copied at less than a tenth of its rate. */
static void expect_slow(const struct naive *n)
{
	for (size_t i = 0; i < n->f->n_longest; i++) {
		const struct naive_gc *one = NULL;
		double count = 0, copied = 0, elapsed = 0;
		for (size_t k = 0; k < n->n_rows; k++)
			if (n->rows[k].start == n->f->longest[i].start)
				one = &n->rows[k];
		assert_non_null(one);
		for (size_t k = 0; k < n->n_rows; k++) {
			const struct naive_gc *r = &n->rows[k];
			if (r->gen != one->gen || r->start < n->f->from || r->start >= n->f->until)
				continue;
			count++;
			copied += (double)be64(r->stats + 6);
			elapsed += (double)(r->end - r->start);
		}
		double length = (double)(one->end - one->start), rate = (double)be64(one->stats + 6) / length * 1e9;
		if (length > floor(elapsed / count) && rate * 10 < copied / elapsed * 1e9)
			assert_true(fabs(n->f->longest_slow[i] - rate) <= 1e-6 * rate);
		else
			assert_true(isnan(n->f->longest_slow[i]));
	}
}

static const struct naive_gc *gc_from(const struct naive *n, uint64_t start)
{
	for (size_t k = 0; k < n->n_rows; k++)
		if (n->rows[k].start == start)
			return &n->rows[k];
	return NULL;
}

static bool has_sample(const struct naive *n, const struct naive_gc *gc)
{
	bool sampled = false;
	for (size_t i = 0; i < census_count(&n->log->census); i++) {
		uint64_t t = census_at(&n->log->census, i)->t;
		sampled = sampled || (t >= gc->start && t < gc->end);
	}
	return sampled && gc->gen >= gcs_oldest(&n->log->gcs);
}

static double most_of(const struct naive_gc *gc)
{
	double most = be32(gc->stats + 30) > 1 ? (double)be64(gc->stats + 34) : 0;
	return most > 0 ? most : (double)be64(gc->stats + 6);
}

static size_t long_minor, long_major;                                   /* ranges with such pauses */
static size_t copying_known, copying_uneven, copying_left, copying_cut; /* over all logs */
static size_t rates_sampled, rates_robust;

/* The collections of a generation that no census asked for; of more than 128, every k-th. */
static size_t sample(const struct naive *n, unsigned gen, const struct naive_gc **out, size_t *count)
{
	size_t every = 0, taken = 0, k = 0;
	*count = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n->n_rows; i++) {
			const struct naive_gc *r = &n->rows[i];
			if (r->gen != gen || r->start < n->f->from || r->start >= n->f->until || has_sample(n, r))
				continue;
			if (pass == 0)
				(*count)++;
			else if (k++ % every == 0 && r->end > r->start)
				out[taken++] = r;
		}
		every = (*count + 127) / 128;
	}
	rates_sampled += every > 1;
	return taken;
}

static double bytes_of(const struct naive_gc *r, bool most) { return most ? most_of(r) : (double)be64(r->stats + 6); }

static double bytes_per_ns(const struct naive_gc *r, bool most)
{
	return bytes_of(r, most) / (double)(r->end - r->start);
}

/* The highest rate at which, or faster, half of the bytes were copied. */
static double usual_of(const struct naive_gc **rows, size_t n_rows, const struct naive_gc *without, bool most)
{
	double usual = NAN, all = 0;
	for (size_t i = 0; i < n_rows; i++)
		all += rows[i] != without ? bytes_of(rows[i], most) : 0;
	for (size_t i = 0; i < n_rows; i++) {
		double rate = bytes_per_ns(rows[i], most), sum = 0;
		for (size_t k = 0; k < n_rows; k++)
			if (rows[k] != without && bytes_per_ns(rows[k], most) >= rate)
				sum += bytes_of(rows[k], most);
		if (rows[i] != without && all > 0 && 2 * sum >= all && !(rate <= usual))
			usual = rate;
	}
	return usual * 1e9;
}

static void expect_rates(const struct naive *n)
{
	const struct naive_gc *rows[128];
	for (size_t g = 0; g < n->f->n_gens; g++) {
		size_t count, taken = sample(n, n->f->gens[g].gen, rows, &count);
		double want = count < 5 ? NAN : usual_of(rows, taken, NULL, false), got = n->f->gens[g].usual,
		       mean = (double)n->f->gens[g].sum.copied / (double)n->f->gens[g].sum.elapsed * 1e9;
		if (isnan(want) ? !isnan(got) : fabs(got - want) > 1e-9 * want)
			fail_msg("%s: gen %u copies %.17g, not %.17g", n->name, n->f->gens[g].gen, got, want);
		rates_robust += got > 1.5 * mean;
	}
}

/* The time of a long pause that copying explains, by the other collections of its generation. */
static void expect_copying(const struct naive *n)
{
	for (size_t i = 0; i < n->f->n_longest; i++) {
		const struct naive_gc *one = gc_from(n, n->f->longest[i].start), *rows[128];
		const struct gc_copying *got = &n->f->longest_copying[i];
		size_t all, taken = sample(n, one->gen, rows, &all);
		double count = 0, copied = 0, own = (double)be64(one->stats + 6);
		for (size_t k = 0; k < n->n_rows; k++) {
			const struct naive_gc *r = &n->rows[k];
			if (r == one || r->gen != one->gen || r->start < n->f->from || r->start >= n->f->until
				|| has_sample(n, r))
				continue;
			count++;
			copied += (double)be64(r->stats + 6);
		}
		double rate = usual_of(rows, taken, one, false), most = usual_of(rows, taken, one, true);
		if (count < 5 || !(rate > 0) || copied < own) {
			assert_int_equal(got->others, 0);
			continue;
		}
		double want = own / rate * 1e9, with = most > 0 ? most_of(one) / most * 1e9 : 0,
		       length = (double)(one->end - one->start);
		double known = n->f->longest_census[i]
			? (double)n->f->longest_census_ns[i]
			: (double)(n->f->longest_lulls[i].to - n->f->longest_lulls[i].from);
		assert_int_equal(got->others, (uint64_t)count);
		assert_int_equal(got->copied, (uint64_t)own);
		assert_true(fabs(got->times - own / (copied / count)) <= 1e-9 * got->times);
		assert_true(fabs(got->rate - rate) <= 1e-9 * got->rate);
		assert_true(fabs((double)got->ns - want) <= 1 + 1e-9 * want);
		double uneven = fmax(0, fmin(with - want, length - want - known));
		uneven = want + known >= 0.9 * length || uneven < 0.05 * length ? 0 : uneven;
		assert_true(fabs((double)got->uneven_ns - uneven) <= 4 + 1e-9 * with);
		assert_true(fabs((double)got->left - fmax(0, length - want - known - uneven)) <= 4 + 1e-9 * length);
		copying_known++;
		copying_uneven += got->uneven_ns > 1000;
		copying_cut += with > length - known && length > want + known;
		copying_left += got->left > 1000;
	}
}

/* Pauses of 10 ms or more, by kind. */
static void expect_long(const struct naive *n)
{
	uint64_t count = 0, major = 0, elapsed = 0, copied = 0;
	for (size_t k = 0; k < n->n_rows; k++) {
		const struct naive_gc *r = &n->rows[k];
		bool is_major = r->gen >= gcs_oldest(&n->log->gcs);
		if (r->end - r->request < 10000000 || r->start < n->f->from || r->start >= n->f->until)
			continue;
		count++;
		major += is_major;
		elapsed += is_major ? 0 : r->end - r->start;
		copied += is_major ? 0 : be64(r->stats + 6);
	}
	assert_int_equal(n->f->long_n, count);
	assert_int_equal(n->f->long_major_n, major);
	assert_int_equal(n->f->long_minor_n, count - major);
	assert_int_equal(n->f->long_minor_elapsed, elapsed);
	assert_int_equal(n->f->long_minor_copied, copied);
	long_minor += count > major;
	long_major += major > 0;
}

/* Windows at every edge of every pause. */
static void expect_mmu(const struct naive *n)
{
	struct intervals u = united(&n->pauses, NULL, n->f->from, n->f->to);
	for (int i = 0; i < MMU_WINDOWS; i++) {
		const struct mmu *m = &n->f->mmu[i];
		uint64_t worst = 0;
		if (n->f->to - n->f->from < m->window) {
			assert_true(isnan(m->share));
			continue;
		}
		uint64_t last = n->f->to - m->window;
		for (size_t k = 0; k < u.n; k++) {
			uint64_t edges[] = {u.items[k].from, sub_or_0(u.items[k].to, m->window), n->f->from, last};
			for (size_t e = 0; e < countof(edges); e++) {
				uint64_t t = min_u64(max_u64(edges[e], n->f->from), last);
				worst = max_u64(worst, covered(&u, t, t + m->window));
			}
		}
		expect(n, METRIC_MMU_1MS + (enum metric)i, 1 - (double)worst / (double)m->window, 1e-12);
		assert_int_equal(covered(&u, m->at, m->at + m->window), worst);
	}
	free(u.items);
}

static void expect_time(const struct naive *n)
{
	uint64_t from = n->f->from, to = n->f->to;
	struct intervals gc = united(&n->gcs, NULL, from, to), pause = united(&n->pauses, NULL, from, to),
			 busy = united(&n->pauses, &n->runs, from, to);
	double total = (double)(to - from), run = 0;
	double gc_ns = (double)covered(&gc, 0, UINT64_MAX), sync = (double)covered(&pause, 0, UINT64_MAX) - gc_ns,
	       mutator = (double)covered(&busy, 0, UINT64_MAX) - gc_ns - sync;
	for (size_t i = 0; i < n->runs.n; i++)
		run += (double)sub_or_0(min_u64(n->runs.items[i].to, to), max_u64(n->runs.items[i].from, from));
	expect(n, METRIC_TIME_TOTAL, total, 0);
	if (n->f->has_gc) {
		expect(n, METRIC_TIME_GC, gc_ns, 0);
		expect(n, METRIC_TIME_GC_SYNC, sync, 0);
		struct evl_str rts = program_get(&n->log->program).rts; /* of -prof, it counts censuses apart */
		bool apart = rts.len && memmem(rts.p, rts.len, "_p", 2) && census_count(&n->log->census);
		expect(n, METRIC_TIME_PRODUCTIVITY_RTS, apart ? (double)NAN : (total - gc_ns) / total, 1e-12);
	}
	if (n->f->has_sched) {
		expect(n, METRIC_TIME_MUTATOR, mutator, 0);
		expect(n, METRIC_TIME_RUN, run, 0);
		expect(n, METRIC_CAP_UTILISATION, run / total / (double)n->log->n_caps, 1e-12);
	}
	if (n->f->has_gc && n->f->has_sched) {
		expect(n, METRIC_TIME_IDLE, total - gc_ns - sync - mutator, 0);
		expect(n, METRIC_TIME_PRODUCTIVITY, mutator / total, 1e-12);
	}
	free(gc.items);
	free(pause.items);
	free(busy.items);
}

/* --- threads --- */

struct naive_thread {
	uint64_t born, died, ns[THREAD_STATES], since;
	struct thread_pos pos;
};

static int by_chain_time(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;
	int order = (x->chain_t > y->chain_t) - (x->chain_t < y->chain_t);
	return order ? order : (x->f.off > y->f.off) - (x->f.off < y->f.off);
}

static uint32_t most_thread(const struct naive *n)
{
	uint32_t most = 0;
	for (size_t i = 0; i < n->events.n; i++)
		if (n->events.items[i].f.tag <= EVL_THREAD_WAKEUP && n->events.items[i].f.payload.len >= 4)
			most = u32_at(&n->events.items[i], 0) > most ? u32_at(&n->events.items[i], 0) : most;
	return most;
}

/* Threads alive at a moment, counted one by one. */
static double alive_at(const struct naive_thread *threads, uint32_t most, uint64_t t)
{
	double alive = 0;
	for (uint32_t id = 0; id <= most; id++)
		alive += threads[id].born && threads[id].born <= t && (!threads[id].died || threads[id].died > t);
	return alive;
}

static void expect_lives(const struct naive *n, const struct naive_thread *threads, uint32_t most)
{
	double peak = alive_at(threads, most, n->f->from);
	for (uint32_t id = 0; id <= most; id++)
		if (threads[id].born >= n->f->from && threads[id].born < n->f->until) {
			double alive = alive_at(threads, most, threads[id].born);
			peak = alive > peak ? alive : peak;
		}
	expect(n, METRIC_THREADS_PEAK_ALIVE, peak, 0);
	expect(n, METRIC_THREADS_ALIVE_END, alive_at(threads, most, n->f->until - 1), 0);
	assert_true(alive_at(threads, most, n->f->lives.peak_at) == peak); /* NOLINT: whole numbers */
}

/* The state of every thread, from the start of the log on: a scan that starts there must find the same. */
struct machine {
	const struct naive *n;
	struct naive_thread *threads;
	uint64_t *latencies;
	size_t n_latencies;
	uint32_t running[1 << 16]; /* by capability */
};

static void hold(struct naive_thread *t, uint64_t at)
{
	t->ns[t->pos.state] += sub_or_0(at, t->since);
	t->since = at;
}

static void step(struct machine *m, const struct event *e)
{
	struct thread_event te;
	uint32_t *running = &m->running[e->cap];
	bool gc = e->f.tag == EVL_GC_START, scheduler = gc || e->f.tag == EVL_RUN_THREAD || e->f.tag == EVL_STOP_THREAD;
	if (!gc && !thread_event_read(&m->n->log->header, (uint16_t)e->cap, &e->f, &te))
		return;
	if (scheduler && *running && (gc || te.thread != *running)) {
		hold(&m->threads[*running], e->chain_t);
		thread_lost(&m->threads[*running].pos, (uint16_t)e->cap, e->chain_t);
	}
	if (scheduler)
		*running = e->f.tag == EVL_RUN_THREAD ? te.thread : 0;
	if (gc)
		return;
	struct naive_thread *t = &m->threads[te.thread];
	struct thread_pos was = t->pos;
	te.t = e->chain_t;
	hold(t, te.t);
	thread_step(&t->pos, &te);
	if (was.state == THREAD_RUNNABLE && t->pos.state == THREAD_RUNNING && te.t > was.since)
		m->latencies[m->n_latencies++] = te.t - was.since;
}

static void expect_waits(const struct naive *n, struct machine *m, uint32_t most)
{
	double ns[THREAD_STATES] = {0};
	enum { P50 = 50, P90 = 90, P99 = 99 };
	for (uint32_t id = 0; id <= most; id++) {
		hold(&m->threads[id], n->f->until);
		for (int s = 0; s < THREAD_STATES; s++)
			ns[s] += (double)m->threads[id].ns[s];
	}
	double slack = 2e-3 * ns[THREAD_RUNNABLE] + 2000; /* events of two capabilities at one moment have no order */
	expect(n, METRIC_THREADS_BLOCKED, ns[THREAD_BLOCKED], slack);
	expect(n, METRIC_THREADS_RUNNABLE, ns[THREAD_RUNNABLE], slack);
	expect(n, METRIC_THREADS_FOREIGN, ns[THREAD_FOREIGN], slack);
	expect(n, METRIC_THREADS_LATENCY_N, (double)m->n_latencies, 0);
	double p50 = nth(m->latencies, m->n_latencies, P50), p90 = nth(m->latencies, m->n_latencies, P90),
	       p99 = nth(m->latencies, m->n_latencies, P99);
	expect(n, METRIC_THREADS_LATENCY_P50, p50, 0.01 * p50);
	expect(n, METRIC_THREADS_LATENCY_P90, p90, 0.01 * p90);
	expect(n, METRIC_THREADS_LATENCY_P99, p99, 0.01 * p99);
	expect(n, METRIC_THREADS_LATENCY_MAX, nth(m->latencies, m->n_latencies, 100), 0);
}

static void expect_threads(const struct naive *n)
{
	enum { STATUS_AT = 4 };
	uint32_t most = most_thread(n);
	struct machine *m = calloc(1, sizeof *m);
	struct event **order = calloc(n->events.n + 1, sizeof *order);
	size_t k = 0;
	assert_true(m && order && most < 1 << 20);
	*m = (struct machine){.n = n,
		.threads = calloc(most + 1, sizeof *m->threads),
		.latencies = calloc(n->events.n + 1, sizeof *m->latencies)};
	for (uint32_t id = 0; id <= most; id++)
		m->threads[id].pos = (struct thread_pos){.cap = EVL_NO_CAP, .state = THREAD_UNKNOWN};
	for (size_t i = 0; i < n->events.n; i++) {
		struct event *e = &n->events.items[i];
		if (e->f.tag == EVL_CREATE_THREAD)
			m->threads[u32_at(e, 0)].born = e->f.t;
		if (e->f.tag == EVL_STOP_THREAD && be16(e->f.payload.p + STATUS_AT) == STOP_FINISHED)
			m->threads[u32_at(e, 0)].died = e->f.t;
		if (e->cap >= 0)
			order[k++] = e;
	}
	expect_lives(n, m->threads, most);
	qsort(order, k, sizeof *order, by_chain_time);
	for (size_t i = 0; i < k; i++)
		step(m, order[i]);
	if (n->f->whole)
		expect_waits(n, m, most);
	free(m->threads);
	free(m->latencies);
	free(m);
	free(order);
}

/* --- heap and sparks --- */

static size_t fits_seen;

/* The samples that the slope of live bytes is said to be fitted to: "over N major GCs, until T". */
static void expect_fit(const struct naive *n, uint64_t at_exit)
{
	static unsigned gens[MAX_CAP + 1]; /* by capability: the generation of its last collection, + 1 */
	const struct live_trend *live = &n->f->live;
	const unsigned oldest = atomic_load(&n->log->gcs.generations);
	uint64_t k = 0, first = UINT64_MAX, last = 0, most = 0;
	memset(gens, 0, sizeof gens);
	for (size_t i = 0; i < n->events.n; i++) {
		const struct event *e = &n->events.items[i];
		if (e->f.tag == EVL_GC_STATS_GHC && e->cap >= 0)
			gens[e->cap] = be16(e->f.payload.p + 4) + 1u;
		if (e->f.tag != EVL_HEAP_LIVE || e->f.t < n->f->from || e->f.t >= n->f->until
			|| (e->f.t == at_exit && !evl_unfinished(n->log)))
			continue;
		assert_true(e->cap < 0 || gens[e->cap] == 0 || gens[e->cap] == oldest);
		fits_seen += e->cap >= 0 && gens[e->cap] == oldest;
		first = min_u64(first, e->f.t);
		last = max_u64(last, e->f.t);
		most = max_u64(most, u64_at(e, 4));
		k++;
	}
	assert_int_equal(live->n, k);
	if (k == 0)
		return;
	assert_int_equal(live->first_t, first);
	assert_int_equal(live->last_t, last);
	assert_int_equal(live->most, most);
}

static void expect_heap(const struct naive *n)
{
	double k = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, most = NAN;
	uint64_t at_exit = 0;
	for (size_t i = 0; i < n->events.n; i++)
		if (n->events.items[i].f.tag == EVL_HEAP_LIVE)
			at_exit = max_u64(at_exit, n->events.items[i].f.t);
	expect_fit(n, at_exit);
	for (size_t i = 0; i < n->events.n; i++) {
		const struct event *e = &n->events.items[i];
		if (e->f.tag != EVL_HEAP_LIVE || e->f.t < n->f->from || e->f.t >= n->f->until)
			continue;
		double t = (double)(e->f.t - n->f->from) / 1e9, live = (double)u64_at(e, 4);
		most = live > most || isnan(most) ? live : most;
		if (e->f.t == at_exit && !evl_unfinished(n->log))
			continue;
		k++;
		x += t, y += live, xx += t * t, xy += t * live, yy += live * live;
	}
	double sxx = xx - x * x / k, sxy = xy - x * y / k, syy = yy - y * y / k;
	if (n->f->whole)
		expect(n, METRIC_HEAP_MAX_LIVE, most, 0);
	if (k < 2 || !(sxx > 1e-12))
		return;
	expect(n, METRIC_HEAP_LIVE_SLOPE, sxy / sxx, fabs(sxy / sxx) * 1e-4 + 1);
	if (syy > 1e-6 * yy)
		expect(n, METRIC_HEAP_LIVE_R2, sxy * sxy / sxx / syy, 1e-3);
}

/* By single events, where there are any. */
static bool expect_single_sparks(const struct naive *n)
{
	double kinds[EVL_SPARK_GC + 1] = {0};
	bool any = false;
	for (size_t i = 0; i < n->events.n; i++) {
		const struct event *e = &n->events.items[i];
		if (e->f.tag < EVL_SPARK_CREATE || e->f.tag > EVL_SPARK_GC)
			continue;
		any = true;
		kinds[e->f.tag] += e->chain_t >= n->f->from && e->chain_t < n->f->until;
	}
	if (!any)
		return false;
	expect(n, METRIC_SPARKS_CREATED, kinds[EVL_SPARK_CREATE], 0);
	expect(n, METRIC_SPARKS_DUD, kinds[EVL_SPARK_DUD], 0);
	expect(n, METRIC_SPARKS_OVERFLOWED, kinds[EVL_SPARK_OVERFLOW], 0);
	expect(n, METRIC_SPARKS_RUN, kinds[EVL_SPARK_RUN], 0);
	expect(n, METRIC_SPARKS_STOLEN, kinds[EVL_SPARK_STEAL], 0);
	expect(n, METRIC_SPARKS_CONVERTED, kinds[EVL_SPARK_RUN] + kinds[EVL_SPARK_STEAL], 0);
	expect(n, METRIC_SPARKS_FIZZLED, kinds[EVL_SPARK_FIZZLE], 0);
	expect(n, METRIC_SPARKS_GCD, kinds[EVL_SPARK_GC], 0);
	return true;
}

static void expect_sparks(const struct naive *n)
{
	static const enum metric metrics[] = {METRIC_SPARKS_CREATED, METRIC_SPARKS_DUD, METRIC_SPARKS_OVERFLOWED,
		METRIC_SPARKS_CONVERTED, METRIC_SPARKS_GCD, METRIC_SPARKS_FIZZLED};
	double sums[countof(metrics)] = {0};
	bool any = false;
	if (expect_single_sparks(n))
		return;
	expect(n, METRIC_SPARKS_STOLEN, NAN, 0);
	for (size_t i = 0, end; i < n->events.n; i = end) {
		const struct event *before = NULL, *last = NULL;
		for (end = i; end < n->events.n && n->events.items[end].cap == n->events.items[i].cap; end++) {
			const struct event *e = &n->events.items[end];
			any = any || e->f.tag == EVL_SPARK_COUNTERS;
			if (e->f.tag == EVL_SPARK_COUNTERS && e->f.t < n->f->until)
				last = e;
			if (e->f.tag == EVL_SPARK_COUNTERS && e->f.t < n->f->from)
				before = e;
		}
		for (size_t k = 0; k < countof(metrics) && last; k++)
			sums[k] += (double)(u64_at(last, 8 * k) - (before ? u64_at(before, 8 * k) : 0));
	}
	for (size_t k = 0; k < countof(metrics); k++)
		expect(n, metrics[k], any ? sums[k] : NAN, 0);
}

/* --- all logs --- */

static void free_naive(struct naive *n)
{
	free(n->events.items);
	free(n->runs.items);
	free(n->gcs.items);
	free(n->pauses.items);
	free(n->rows);
}

static void compare_log(const struct evl_log *log, const char *name, uint64_t from, uint64_t to)
{
	struct figures f;
	struct naive n = {.log = log, .f = &f, .name = name};
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to, .deep = true}), 0);
	n.events = read_events(log);
	read_chains(&n);
	if (f.to > f.from && (log->gcs.has_stats || !f.has_gc)) {
		expect_time(&n);
		if (f.has_gc) {
			expect_pauses(&n);
			expect_slow(&n);
			expect_rates(&n);
			expect_copying(&n);
			expect_long(&n);
			expect_mmu(&n);
		}
		if (f.has_sched)
			expect_threads(&n);
		expect_heap(&n);
		expect_sparks(&n);
	}
	for (size_t i = 0; i < f.n_caps; i++)
		assert_int_equal(f.caps[i].absent, cap_events_off(log, f.caps[i].cap, f.from, f.to));
	for (size_t i = 0; i < f.nonmoving.n_sizes; i++) /* a share, if it is one */
		assert_false(f.nonmoving.sizes[i].occupancy > 1);
	free_naive(&n);
	figures_free(&f);
}

/* Figures that only the deep reading provides are marked as deep. */
static void compare_depth(const struct evl_log *log)
{
	struct figures deep, shallow;
	assert_int_equal(figures_make(&deep, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	assert_int_equal(figures_make(&shallow, log, &(struct figures_ask){.to = UINT64_MAX}), 0);
	for (int m = 0; m < METRICS; m++)
		if (isnan(shallow.values[m]) && !isnan(deep.values[m]) && !metric_is_deep((enum metric)m))
			fail_msg("%s is deep", metric_info((enum metric)m)->name);
	figures_free(&deep);
	figures_free(&shallow);
}

static void figures_of_real_logs(void **state)
{
	glob_t logs;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	for (size_t i = 0; i < logs.gl_pathc; i++) {
		struct evl_log *log;
		uint64_t first, last;
		if (evl_open(&log, logs.gl_pathv[i], NULL) < 0)
			continue;
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		if (evl_range(log, &first, &last)) {
			compare_log(log, logs.gl_pathv[i], 0, UINT64_MAX);
			compare_log(log, logs.gl_pathv[i], first + (last - first) / 4, first + (last - first) / 4 * 3);
		}
		compare_depth(log);
		evl_close(log);
	}
	assert_true(logs.gl_pathc > 20 && fits_seen > 100);
	assert_true(long_minor > 2 && long_major > 2);
	assert_true(copying_known > 100 && copying_uneven > 10 && copying_left > 10 && copying_cut > 3);
	assert_true(rates_sampled > 10 && rates_robust > 0);
	globfree(&logs);
}

static void histograms(void **state)
{
	(void)state;
	struct histogram *h = calloc(1, sizeof *h);
	uint64_t values[1000], seed = 7;
	for (size_t i = 0; i < countof(values); i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		values[i] = seed >> (8 + i % 50);
		histogram_add(h, values[i]);
	}
	for (unsigned percent = 0; percent <= 100; percent++) {
		double about = (double)histogram_quantile(h, percent), exact = nth(values, countof(values), percent);
		assert_true(fabs(about - exact) <= 0.01 * exact);
		assert_true(
			(double)quantile_of(values, countof(values), percent) == exact); /* NOLINT: the same number */
	}
	assert_int_equal(histogram_quantile(h, 100), values[countof(values) - 1]);
	histogram_add(h, UINT64_MAX);
	assert_true(histogram_quantile(h, 100) == UINT64_MAX);
	free(h);
}

/* An order in which the middle value is the smallest that is left, in each round of the search: with this one alone, the test
 * takes 80 billion steps. */
static void histograms_crafted(void **state)
{
	(void)state;
	enum { N = 400000 };
	uint64_t *values = calloc(N, sizeof *values);
	size_t *at = calloc(N, sizeof *at);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	for (size_t low = 0; low < N; low++) {
		size_t middle = low + (N - 1 - low) / 2, swap = at[low];
		values[at[middle]] = low;
		at[low] = at[middle];
		at[middle] = swap;
	}
	assert_int_equal(value_of_rank(values, N, N - 2), N - 2);
	assert_int_equal(quantile_of(values, N, 99), N / 100 * 99 - 1);
	free(values);
	free(at);
}

/* Two cost centres of one label: its figures are those of both together, sample by sample. */
static void bands_of_one_name(void **state)
{
	(void)state;
	enum { SAMPLES = 4 };
	static const uint64_t first[SAMPLES] = {8, 1, 7, 0}, second[SAMPLES] = {0, 6, 7, 5}; /* MB */
	struct built b = log_begin();
	struct evl_log *log;
	struct figures f;
	struct named named;
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 3, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 1u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	for (unsigned id = 1; id <= 2; id++)
		put(&b, 3, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", id, "go", 0u, id == 1 ? "Main" : "Lib", 0u, "", 0u,
			0u);
	for (unsigned i = 0; i < SAMPLES; i++) {
		uint64_t t = 10000000 * (uint64_t)(i + 1);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		if (first[i])
			put(&b, t, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "1814", 0u, first[i] << 20, 1u, 1u);
		if (second[i])
			put(&b, t, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "1814", 0u, second[i] << 20, 1u, 2u);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	block_end(&b, 500000000);
	log_end(&b);
	assert_int_equal(evl_open_memory(&log, b.data, b.len, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	assert_int_equal(named_make(&named, log, &f, 1u << NAMED_BANDS, NULL), 0);
	const struct named_list *bands = &named.groups[NAMED_BANDS];
	const struct named_kind kind = named_kind(NAMED_BANDS);
	const double want[] = {14 << 20, (double)(34 << 20) / SAMPLES, SAMPLES};
	const char *const fields[] = {"peak", "mean", "n"};
	assert_int_equal(bands->n, 1);
	for (size_t i = 0; i < countof(fields); i++) {
		int at = named_field_at(&kind, (struct evl_str){(const uint8_t *)fields[i], strlen(fields[i])});
		assert_true(at >= 0 && fabs(named_values(bands, 0)[at] - want[i]) < 1);
	}
	named_free(&named);
	figures_free(&f);
	evl_close(log);
	free(b.data);
}

/* A list whose range differs from that of the metrics holds the metrics of its range. */
static void lists_hold_their_figures(void **state)
{
	struct evl_log *log;
	struct figures f;
	uint64_t first, last, *refs;
	size_t n;
	(void)state;
	assert_int_equal(evl_open(&log, "tests/logs/9.6.6-nonmover-N2.eventlog", NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_true(evl_range(log, &first, &last));
	struct table_range of = {.log = log, .from = first + (last - first) / 3, .to = last, .list = FIGURES_caps};
	const struct table_kind *kind = &figure_tables[FIGURES_caps];
	void *list = table_list_new(kind, &of);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = of.from, .to = of.to}), 0);
	for (int times = 0; times < 2; times++) { /* the second takes the place of the first */
		assert_int_equal(kind->make(list, false, NULL), 0);
		assert_int_equal(table_refs(kind, list, &refs, &n), 0);
		free(refs);
		assert_int_equal(n, f.n_caps);
	}
	for (size_t i = 0; i < n; i++) {
		struct datum cap = kind->cell(list, i, caps_CAP, NULL), run = kind->cell(list, i, caps_RUN, NULL),
			     share = kind->cell(list, i, caps_RUN_SHARE, NULL);
		assert_true(cap.kind == CELL_COUNT && cap.count == f.caps[i].cap);
		assert_true(run.kind == CELL_COUNT && run.count == f.caps[i].run);
		assert_true(fabs(cell_double(&share) * (double)figures_total(&f) - (double)f.caps[i].run) < 0.5);
	}
	assert_true(n == 2 && f.caps[0].run > 0);
	table_list_free(kind, list);
	figures_free(&f);
	evl_close(log);
}

/* Capability 1 logs the end of a collection when it is woken for the next. */
static void collections_whose_end_is_logged_late(void **state)
{
	struct figures f;
	struct built b = log_begin();
	(void)state;
	block_begin(&b, 0, 1000);
	put_run(&b, 1000, 1);
	put_gc(&b, 0, 2000, 2500, 1);
	put_gc(&b, 0, 4000, 4500, 1);
	block_end(&b, 6000);
	block_begin(&b, 1, 1000);
	put(&b, 2000, EVL_GC_START, "");
	put(&b, 3990, EVL_GC_END, "");
	put(&b, 4000, EVL_GC_START, "");
	put(&b, 6000, EVL_GC_END, "");
	block_end(&b, 6000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX}), 0);
	assert_int_equal(f.n_caps, 2);
	assert_int_equal(f.values[METRIC_TIME_GC], 1000);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(f.caps[i].gc, 1000);
	assert_true(f.caps[1].idle > 3500);
	figures_free(&f);
	done(log, &b);
}

/* A sum is a count or an amount; names do not decide: damage and findings are of the log, however long it is. */
static void sums_grow_with_the_range(void **state)
{
	static const enum metric others[] = {METRIC_TIME_TOTAL, METRIC_FINDINGS_N, METRIC_DAMAGE_N, METRIC_GC_PAUSE_MAX,
		METRIC_GC_OWN_MAX, METRIC_THREADS_ALIVE_END, METRIC_HEAP_MAX_LIVE, METRIC_GC_RATE},
				 sums[] = {METRIC_GC_N, METRIC_TIME_GC, METRIC_GC_OWN_TOTAL, METRIC_HEAP_ALLOCATED,
					 METRIC_SPANS_N};
	(void)state;
	for (size_t i = 0; i < countof(others); i++)
		assert_false(metric_is_sum(others[i]));
	for (size_t i = 0; i < countof(sums); i++)
		assert_true(metric_is_sum(sums[i]));
	for (int m = 0; m < METRICS; m++) {
		enum unit unit = metric_info((enum metric)m)->unit;
		assert_true(
			!metric_is_sum((enum metric)m) || unit == UNIT_NS || unit == UNIT_BYTES || unit == UNIT_COUNT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_real_logs),
		cmocka_unit_test(histograms),
		cmocka_unit_test(histograms_crafted),
		cmocka_unit_test(sums_grow_with_the_range),
		cmocka_unit_test(bands_of_one_name),
		cmocka_unit_test(lists_hold_their_figures),
		cmocka_unit_test(collections_whose_end_is_logged_late),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
