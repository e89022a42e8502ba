#include "query/gc_detail.h"

#include "base/gallop.h"
#include "index/chain_seek.h"
#include "index/event_find.h"
#include "log/rts_flags.h"
#include "sched/thread_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* gc_around - the part of gc_detail.h that reads on in the log: a collection with the events around it. */

enum { MOST_EVENTS = 1 << 16 }; /* that are read of one capability for one collection */

/* Begin a little before t in a chain. False: nothing of it is indexed. */
static bool begin_at(struct cursor *c, const struct evl_log *log, uint32_t chain, uint64_t t)
{
	const struct tile_table *table = &log->tiles[chain];
	size_t ready = load_acquire(&table->ready), tile;
	if (ready == 0)
		return false;
	tile = tiles_before(table, ready, t);
	cursor_begin(c, &log->blocks, &log->blocks.chains[chain], load_acquire(&table->walked));
	cursor_seek(c, table->tiles[tile].off);
	return true;
}

/* --- its leader ----------------------------------------------------------------------------------------------------- */

static void take_size(const struct evl_log *log, const struct frame *f, struct gc_around *out)
{
	enum { BYTES_AT = 4 };
	struct heap_return r;
	const uint8_t *p = f->payload.p;
	switch (f->tag) {
	case EVL_HEAP_LIVE:
		out->has_live = true;
		out->live = be64(p + BYTES_AT);
		break;
	case EVL_HEAP_SIZE:
		out->has_size = true;
		out->size = be64(p + BYTES_AT);
		break;
	case EVL_BLOCKS_SIZE:
		out->has_blocks = true;
		out->blocks = be64(p + BYTES_AT);
		break;
	case EVL_MEM_RETURN:
		out->has_return = heap_return_at(&log->blocks, f->off, &r);
		if (out->has_return) {
			out->current = r.current;
			out->needed = r.needed;
			out->returned = r.returned;
		}
		break;
	default: break;
	}
}

/* Find what a capability does next. */
static bool goes_on(uint16_t tag)
{
	return tag == EVL_RUN_THREAD || tag == EVL_REQUEST_SEQ_GC || tag == EVL_REQUEST_PAR_GC || tag == EVL_GC_START;
}

/* Read from the cursor on. *past: file offset of the event after the collection; 0: it was not found. */
static bool read_around(
	const struct evl_log *log, struct cursor *c, const struct gc_row *gc, struct gc_around *out, uint64_t *past)
{
	struct frame f;
	const struct block *block;
	bool in = false;
	*out = (struct gc_around){0};
	*past = 0;
	for (int n = 0; n < MOST_EVENTS && cursor_next(c, &f, &block); n++) {
		bool begins = f.tag == EVL_GC_START && f.t == gc->start;
		if (in && goes_on(f.tag)) {
			*past = f.off;
			return true;
		}
		in = in || begins;
		if (in && event_readable(&log->header, &f))
			take_size(log, &f, out);
	}
	return !c->missing;
}

bool gc_around(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_around *out)
{
	struct cursor c;
	uint64_t past;
	*out = (struct gc_around){0};
	return begin_at(&c, log, chain, gc->start) && read_around(log, &c, gc, out, &past);
}

/* --- all capabilities ------------------------------------------------------------------------------------------------- */

/* Report whether the events of some capability are missing altogether: the program was killed before it wrote any. There
 * are at least as many capabilities as were created, or as GC threads. */
static bool lacks_caps(const struct evl_log *log, const struct gc_row *gc)
{
	struct gc_stats stats = {0};
	return evl_unfinished(log)
		&& (program_get(&log->program).caps_created > log->n_caps
			|| (gc_stats(log, gc, &stats) && stats.par_threads > log->n_caps));
}

/* Runs of threads are not recorded, as far as is known: the counts change while the log is read. */
static bool lacks_threads(const struct evl_log *log)
{
	return evl_progress(log).done && log->event_counts.tags.n[EVL_RUN_THREAD] == 0;
}

/* Stretches of a collection in which no capability worked; those shorter than `least` are dropped. So there are few. */
struct lulls {
	uint64_t least;
	size_t n;
	struct {
		uint64_t from, to;
	} items[4];
};

/* Cut [from, to) out of all of them. */
static void cut_lulls(struct lulls *l, uint64_t from, uint64_t to)
{
	struct lulls left = {.least = l->least};
	for (size_t i = 0; i < l->n; i++) {
		const uint64_t edges[] = {
			l->items[i].from, min_u64(l->items[i].to, from), max_u64(l->items[i].from, to), l->items[i].to};
		for (size_t k = 0; k < countof(edges); k += 2)
			if (sub_or_0(edges[k + 1], edges[k]) >= l->least && left.n < countof(left.items)) {
				left.items[left.n].from = edges[k];
				left.items[left.n++].to = edges[k + 1];
			}
	}
	*l = left;
}

/* The phase that a worker is in when an event comes. */
struct phase {
	uint16_t tag;
	uint64_t since;
};

static void take_phase(struct gc_worker *w, struct phase *phase, struct lulls *lulls, const struct frame *f)
{
	if (phase->tag == EVL_GC_IDLE)
		w->idle_ns += sub_or_0(f->t, phase->since);
	else if (phase->tag == EVL_GC_WORK) {
		w->work_ns += sub_or_0(f->t, phase->since);
		cut_lulls(lulls, phase->since, max_u64(f->t, phase->since));
	}
	*phase = (struct phase){f->tag, f->t};
	if (f->tag == EVL_GC_WORK && !w->work)
		w->work = f->t;
	if (f->tag == EVL_GC_DONE)
		w->done = f->t;
	if (f->tag == EVL_GC_END)
		w->end = f->t;
}

/* Describe a capability between request and end, and cut its work out of the lulls. Return false if its events were not
 * all read. */
static bool worked(
	const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_worker *w, struct lulls *lulls)
{
	struct cursor c;
	struct frame f;
	const struct block *block;
	struct phase phase = {0};
	bool all = false;
	*w = (struct gc_worker){.cap = log->blocks.chains[chain].cap};
	if (!begin_at(&c, log, chain, gc_requested(gc)))
		return false;
	for (int n = 0; n < MOST_EVENTS; n++) {
		bool more = cursor_next(&c, &f, &block);
		all = !more ? !c.missing && !evl_unfinished(log)
			    : w->end || (!w->start && f.t > gc_end(gc)) || (w->start && f.tag == EVL_RUN_THREAD);
		if (!more || all)
			break;
		bool is_phase = f.tag >= EVL_GC_START && f.tag <= EVL_GC_END,
		     later = f.tag >= EVL_GC_IDLE && f.tag <= EVL_GC_DONE;
		if (f.tag == EVL_GC_START && !w->start && f.t >= gc_requested(gc) && f.t <= gc_end(gc))
			w->start = f.t;
		if (w->start && (is_phase || later))
			take_phase(w, &phase, lulls, &f);
	}
	if (phase.tag == EVL_GC_WORK) /* no event ends it */
		cut_lulls(lulls, phase.since, UINT64_MAX);
	return all;
}

/* Describe the capability of each chain; *all: the events of all were read. */
static size_t look_at_workers(const struct evl_log *log, const struct gc_row *gc, struct gc_worker *out, size_t room,
	struct lulls *lulls, bool *all)
{
	size_t n = 0;
	*all = !lacks_caps(log, gc);
	for (size_t i = 0; i < log->n_caps; i++) {
		struct gc_worker w;
		*all = worked(log, log->cap_chains[i], gc, &w, lulls) && *all;
		if (w.start == 0)
			continue;
		if (n < room)
			out[n] = w;
		n++;
	}
	return n;
}

size_t gc_workers(const struct evl_log *log, const struct gc_row *gc, struct gc_worker *out, size_t room)
{
	struct lulls none = {0};
	bool all;
	return look_at_workers(log, gc, out, room, &none, &all);
}

bool gc_working(const struct evl_log *log, const struct gc_row *gc, uint64_t *n)
{
	enum { WORKERS = 256 };
	struct gc_worker workers[WORKERS];
	size_t started = min_u64(gc_workers(log, gc, workers, WORKERS), WORKERS);
	*n = 0;
	for (size_t i = 0; i < started; i++)
		*n += workers[i].work > 0;
	return started > 0;
}

enum gc_divided gc_divided(const struct gc_worker *workers, size_t n, uint64_t elapsed, size_t *most)
{
	uint64_t others = 0, least = UINT64_MAX;
	*most = 0;
	for (size_t i = 0; i < n; i++) {
		*most = workers[i].work_ns > workers[*most].work_ns ? i : *most;
		least = min_u64(least, workers[i].work_ns);
		others += workers[i].work_ns;
	}
	uint64_t longest = n ? workers[*most].work_ns : 0;
	others -= longest;
	if (longest > elapsed / 2 && (double)longest > 1.5 * (double)others)
		return GC_DIVIDED_ONE;
	return n > 1 && longest && (double)least >= 0.8 * (double)longest ? GC_DIVIDED_EQUAL : GC_DIVIDED_SOME;
}

/* The GC thread that was done last, in the second half of a lull, while the leader waited since the first half. */
static void find_late_end(struct gc_lull *lull, const struct gc_row *gc, const struct gc_worker *workers, size_t n)
{
	const struct gc_worker *last = NULL;
	uint64_t leader = 0;
	for (size_t i = 0; i < n; i++)
		if (workers[i].cap == gc->cap)
			leader = workers[i].done;
		else if (workers[i].done > lull->from && workers[i].done <= lull->to
			&& (!last || workers[i].done > last->done))
			last = &workers[i];
	if (!last || last->done - lull->from < lull->to - last->done || leader == 0
		|| sub_or_0(leader, lull->from) >= sub_or_0(lull->to, leader))
		return;
	lull->cause = DONE_LATE;
	lull->cap = last->cap;
	lull->late_ns = last->done - lull->from;
}

/* Return false if events are not in memory. */
static bool find_pruning(struct gc_lull *lull, const struct evl_log *log)
{
	const unsigned pruned = 1u << SPARK_FIZZLED | 1u << SPARK_GCD;
	const struct spark_events *e = &log->sparks.events;
	struct found first, last = {0};
	struct spark_sums before, after;
	if (!spark_events_any(e))
		return true;
	if (!spark_events_near(e, pruned, sub_or_0(lull->from, 1), true, &first)
		|| !spark_events_near(e, pruned, lull->to + 1, false, &last))
		return !first.missing && !last.missing;
	if (last.t < first.t || last.t - first.t < lull->to - lull->from - (last.t - first.t))
		return true;
	for (uint32_t i = 0; i < e->n; i++) {
		if (!spark_events_before(e, i, lull->from, &before) || !spark_events_before(e, i, lull->to + 1, &after))
			return false;
		lull->sparks +=
			after.n[SPARK_FIZZLED] + after.n[SPARK_GCD] - before.n[SPARK_FIZZLED] - before.n[SPARK_GCD];
	}
	lull->cause = lull->sparks ? PRUNES_SPARKS : LULL_UNKNOWN;
	return true;
}

bool gc_lull(const struct evl_log *log, const struct gc_row *gc, struct gc_lull *out)
{
	enum { PARTS = 4 };
	struct gc_worker workers[GC_DETAIL_CAPS];
	struct lulls l = {.least = gc->elapsed / PARTS + (gc->elapsed % PARTS > 0), .n = 1};
	const struct gc_worker *first = NULL, *late = NULL;
	bool all;
	*out = (struct gc_lull){0};
	l.items[0].from = gc->start;
	l.items[0].to = gc_end(gc);
	if (log->n_caps > countof(workers))
		return false;
	size_t n = look_at_workers(log, gc, workers, countof(workers), &l, &all), longest = 0;
	if (!all || l.n == 0 || l.least == 0)
		return false;
	for (size_t i = 1; i < l.n; i++)
		if (l.items[i].to - l.items[i].from > l.items[longest].to - l.items[longest].from)
			longest = i;
	out->from = l.items[longest].from;
	out->to = l.items[longest].to;
	for (size_t i = 0; i < n; i++) {
		const struct gc_worker *w = &workers[i];
		first = w->work && (!first || w->work < first->work) ? w : first;
		late = !late && w->work == out->to ? w : late;
	}
	if (first && late && first->work < late->work)
		*out = (struct gc_lull){
			out->from, out->to, BEGAN_LATE, late->cap, first->cap, late->work - first->work, 0};
	else
		find_late_end(out, gc, workers, n);
	return first && (out->cause != LULL_UNKNOWN || find_pruning(out, log));
}

size_t gc_joined(const struct evl_log *log, const struct gc_row *gc, uint64_t *ns)
{
	struct gc_worker workers[GC_DETAIL_CAPS];
	bool few = log->n_caps <= countof(workers);
	size_t n = few ? gc_workers(log, gc, workers, countof(workers)) : 0, joined = 0;
	*ns = 0;
	for (size_t i = 0; i < n; i++)
		if (workers[i].cap != gc->cap && workers[i].start <= gc->start) {
			*ns = max_u64(*ns, workers[i].start - gc_requested(gc));
			joined++;
		}
	return joined;
}

uint64_t gc_after_work(const struct evl_log *log, const struct gc_row *gc)
{
	struct gc_worker workers[GC_DETAIL_CAPS];
	struct lulls none = {0};
	uint64_t done = 0;
	bool all;
	if (log->n_caps > countof(workers))
		return 0;
	size_t n = look_at_workers(log, gc, workers, countof(workers), &none, &all);
	for (size_t i = 0; i < n; i++)
		done = max_u64(done, workers[i].done);
	return all && done ? sub_or_0(gc_end(gc), done) : 0;
}

bool gc_lull_is_census(const struct evl_log *log, const struct gc_lull *lull)
{
	size_t n = census_count(&log->census);
	BISECT(i, n, census_at(&log->census, mid)->t < lull->from);
	return lull->cause == LULL_UNKNOWN && i < n && census_at(&log->census, i)->t <= lull->to;
}

/* --- usual rates --------------------------------------------------------------------------------------------------- */

struct sample {
	struct gc_rates *out;
	const struct evl_log *log;
	const struct gc_range *range;
	unsigned gen;
	uint64_t every, left; /* to pass before the next */
};

static bool visit(void *ctx, const struct gc_row *gc)
{
	struct sample *s = ctx;
	struct gc_rates *r = s->out;
	struct gc_stats stats;
	if (gc->gen == GC_GEN_UNKNOWN || min_u64(gc->gen, GC_GENS - 2) != s->gen
		|| (s->range->windows && !gc_range_has(s->range, gc->start))
		|| (s->range->n_skip && gc_range_skips(s->range, gc->start)))
		return true;
	if (s->left > 0) {
		s->left--;
		return true;
	}
	s->left = s->every - 1;
	if (!gc->elapsed || r->n == GC_RATES || !gc_stats(s->log, gc, &stats))
		return true;
	r->all[r->n] = (struct gc_rate){gc->start, gc->elapsed, stats.copied};
	r->busiest[r->n++] = (struct gc_rate){gc->start, gc->elapsed, gc_busiest(gc, &stats)};
	return true;
}

static double rate_of(const struct gc_rate *r) { return (double)r->bytes / (double)r->elapsed; }

static int by_rate(const void *a, const void *b)
{
	double x = rate_of(a), y = rate_of(b);
	return (x < y) - (x > y);
}

void gc_rates_make(
	struct gc_rates *r, const struct evl_log *log, const struct gc_range *range, unsigned gen, uint64_t n)
{
	struct sample s = {r, log, range, gen, n / GC_RATES + (n % GC_RATES > 0), 0};
	r->n = 0;
	if (n)
		gcs_each(range->gcs, range->from, range->to, visit, &s);
	qsort(r->all, r->n, sizeof *r->all, by_rate);
	qsort(r->busiest, r->n, sizeof *r->busiest, by_rate);
}

double gc_rates_usual(const struct gc_rate *rates, size_t n, uint64_t without)
{
	const double SECOND = 1e9;
	double all = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		all += rates[i].start != without ? (double)rates[i].bytes : 0;
	for (size_t i = 0; i < n && all > 0; i++) {
		sum += rates[i].start != without ? (double)rates[i].bytes : 0;
		if (2 * sum >= all)
			return rate_of(&rates[i]) * SECOND;
	}
	return (double)NAN;
}

uint64_t gc_rate_ns(uint64_t bytes, double rate)
{
	const double MOST = 1e18, SECOND = 1e9;
	return rate > 0 ? (uint64_t)fmin((double)bytes / rate * SECOND, MOST) : 0;
}

/* --- copying ------------------------------------------------------------------------------------------------------ */

void gc_copying(struct gc_copying *out, const struct evl_log *log, const struct gc_row *gc, const struct gc_gen *others,
	const struct gc_rates *rates, uint64_t known_ns)
{
	const double ALL = 0.9, SOME = 0.05; /* of elapsed */
	struct gc_stats s;
	double rate = gc_rates_usual(rates->all, rates->n, gc->start);
	*out = (struct gc_copying){0};
	if (others->n < GC_COPYING_LEAST || !(rate > 0) || !gc_stats(log, gc, &s) || others->copied < s.copied)
		return;
	out->others = others->n;
	out->copied = s.copied;
	out->times = (double)s.copied * (double)others->n / (double)others->copied;
	out->rate = rate;
	out->ns = gc_rate_ns(s.copied, rate);
	const uint64_t rest = sub_or_0(gc->elapsed, out->ns + known_ns),
		       busiest = gc_rate_ns(gc_busiest(gc, &s), gc_rates_usual(rates->busiest, rates->n, gc->start));
	out->uneven_ns = min_u64(sub_or_0(busiest, out->ns), rest);
	if ((double)(out->ns + known_ns) >= ALL * (double)gc->elapsed
		|| (double)out->uneven_ns < SOME * (double)gc->elapsed)
		out->uneven_ns = 0;
	out->left = rest - out->uneven_ns;
	out->known = known_ns;
}

/* --- allocation --------------------------------------------------------------------------------------------------- */

/* Return the bytes allocated by all capabilities by the end of a collection. In small logs every sample is kept; in
 * large ones they are looked up in the log. */
static bool allocated_by(const struct evl_log *log, const struct gc_row *gc, uint64_t *sum)
{
	struct gc_stats stats = {0};
	struct found last;
	struct frame f;
	enum { BYTES_AT = 4 };
	if (gc && gc->off && !gc_stats(log, gc, &stats))
		return false;
	uint64_t t = gc ? max_u64(gc_end(gc), stats.t) + 1 : 0;
	for (size_t i = 0; i < log->n_caps && t; i++) {
		if (!find_last_in(&log->blocks, log->tiles, log->cap_chains[i], EVL_HEAP_ALLOCATED, t, &last)) {
			if (last.missing)
				return false;
			continue;
		}
		if (frame_read(&log->header, log->source.data, last.off, log->source.len, &f) == FRAME_OK
			&& event_readable(&log->header, &f))
			*sum += be64(f.payload.p + BYTES_AT);
	}
	return true;
}

bool gc_allocated(const struct evl_log *log, const struct gc_row *gc, uint64_t *out)
{
	uint64_t before = 0, after = 0;
	if (!log->heap.has_allocated)
		return false;
	if (!allocated_by(log, gcs_before(&log->gcs, gc->start, GC_ALL), &before) || !allocated_by(log, gc, &after))
		return false;
	*out = sub_or_0(after, before);
	return true;
}

/* --- why ---------------------------------------------------------------------------------------------------------- */

static bool is_idle(const struct cap_moment *m, uint64_t t)
{
	enum { IDLE_NS = 300000000 };
	return m->known && m->state == CAP_IDLE && t - min_u64(m->since, t) >= IDLE_NS;
}

static bool nothing_ran(const struct evl_log *log, uint64_t t)
{
	for (size_t i = 0; i < log->n_caps; i++) {
		struct cap_moment m;
		caps_at(&log->blocks, &log->tiles[log->cap_chains[i]], log->cap_chains[i], t, &m);
		if (!is_idle(&m, t))
			return false;
	}
	return log->n_caps > 0;
}

/* The last stop of a thread on a chain at t or before. */
struct last_stop {
	uint64_t t;
	uint32_t thread;
	uint16_t status;
};

static bool stop_before(const struct evl_log *log, uint32_t chain, uint64_t t, struct last_stop *out)
{
	enum { STATUS_AT = 4 };
	struct found last;
	struct frame f;
	if (!find_last_in(&log->blocks, log->tiles, chain, EVL_STOP_THREAD, t + 1, &last)
		|| frame_read(&log->header, log->source.data, last.off, log->source.len, &f) != FRAME_OK
		|| !event_readable(&log->header, &f))
		return false;
	*out = (struct last_stop){last.t, be32(f.payload.p), be16(f.payload.p + STATUS_AT)};
	return true;
}

/* The leader's last stop before the request was for another reason than a heap overflow. */
static bool stopped_otherwise(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	enum { HEAP_OVERFLOW = 1 };
	struct last_stop stop;
	return stop_before(log, chain, t, &stop) && stop.status != HEAP_OVERFLOW;
}

bool gc_caller(const struct evl_log *log, const struct gc_row *gc, struct gc_caller *out)
{
	enum { SOON_NS = 1000000 };
	uint32_t chain = log->blocks.chain_of[gc->cap];
	uint64_t t = gc_requested(gc);
	struct last_stop stop;
	if (!chain || !stop_before(log, chain - 1, t, &stop)
		|| thread_stop_read(&log->header, stop.status) != STOP_FOREIGN || t - stop.t > SOON_NS)
		return false;
	*out = (struct gc_caller){stop.thread, t - stop.t};
	return true;
}

static unsigned why_of(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, bool idle)
{
	struct nm_phase phase;
	unsigned why = idle ? GC_WHY_IDLE : 0;
	if (!gc_is_major(&log->gcs, gc))
		return why;
	if (!(why & GC_WHY_IDLE) && stopped_otherwise(log, chain, gc_requested(gc)))
		why |= GC_WHY_FORCED;
	if (nonmoving_after(&log->nonmoving, gc->start, &phase) && phase.kind == NM_MARK) {
		const struct gc_row *next = gcs_after(&log->gcs, gc->start, GC_ALL);
		why |= !next || phase.start < next->start ? GC_WHY_NONMOVING : 0;
	}
	return why;
}

unsigned gc_why(const struct evl_log *log, const struct gc_row *gc)
{
	uint32_t chain = log->blocks.chain_of[gc->cap];
	bool idle = gc_requested(gc) > 0 && nothing_ran(log, gc_requested(gc) - 1);
	return chain ? why_of(log, chain - 1, gc, idle) : 0;
}

enum { PIECE = 4096 };

bool gc_stats(const struct evl_log *log, const struct gc_row *gc, struct gc_stats *out)
{
	enum { COPIED = 6, SLOP = 14, FRAG = 22, THREADS = 30, MAX_COPIED = 34, ALL_COPIED = 42, BALANCED = 50 };
	struct frame f;
	if (gc->off == 0 || gc->off >= log->source.len || (log->fetch && !prefetch_ready(log->fetch, gc->off, PIECE))
		|| frame_read(&log->header, log->source.data, gc->off, log->source.len, &f) != FRAME_OK
		|| f.tag != EVL_GC_STATS_GHC)
		return false;
	const struct schema *schema = header_of(&log->header, f.tag)->schema;
	const uint8_t *p = f.payload.p;
	if (!schema || f.payload.len < schema->size)
		return false;
	assert(schema->size >= BALANCED); /* all layouts begin alike */
	*out = (struct gc_stats){.t = f.t,
		.copied = be64(p + COPIED),
		.slop = be64(p + SLOP),
		.frag = be64(p + FRAG),
		.par_threads = be32(p + THREADS),
		.par_max_copied = be64(p + MAX_COPIED),
		.par_copied = be64(p + ALL_COPIED),
		.has_balanced = schema->size >= BALANCED + sizeof out->par_balanced};
	out->par_balanced = out->has_balanced ? be64(p + BALANCED) : 0;
	return true;
}

bool gc_is_for_census(const struct evl_log *log, const struct gc_row *gc)
{
	size_t n = census_count(&log->census);
	BISECT(i, n, census_at(&log->census, mid)->t < gc->start);
	return i < n && census_at(&log->census, i)->t < gc_end(gc)
		&& (gc->gen == GC_GEN_UNKNOWN || gc_is_major(&log->gcs, gc));
}

uint64_t gc_not_copied(const struct evl_log *log, const struct gc_row *gc)
{
	enum { LEAST = 1 << 20 };
	struct gc_stats stats;
	struct gc_around around;
	uint32_t chain = log->blocks.chain_of[gc->cap];
	static const char *const elsewhere[] = {"-c", "-M", "-w", "-xn", "--nonmoving-gc"};
	bool in_place = nonmoving_any(&log->nonmoving);
	for (size_t i = 0; i < countof(elsewhere); i++)
		in_place = in_place || rts_flag_given(log, elsewhere[i]);
	if (!chain || in_place || !gc_is_major(&log->gcs, gc) || !gc_stats(log, gc, &stats)
		|| !gc_around(log, chain - 1, gc, &around) || !around.has_live)
		return 0;
	uint64_t rest = sub_or_0(around.live, stats.copied);
	return rest > stats.copied && rest >= LEAST ? rest : 0;
}

/* The thread of the last run of a capability, the end of this run and the offset of the event that ended it, the time
 * since the request in which the thread ran, and the time from the request to the end of an earlier collection there. */
struct last_run {
	uint64_t to, off, ran, left;
	uint32_t thread;
};

static void add_run(struct last_run *last, const struct cap_pos *run, uint64_t requested, uint64_t to, uint64_t off)
{
	if (run->thread != last->thread)
		last->ran = 0;
	last->ran += sub_or_0(to, max_u64(run->since, requested));
	last->thread = run->thread;
	last->to = to;
	last->off = off;
}

/* Take the last run of a capability that starts before the collection and ends after the request. Return false if
 * its activity then is not completely known. */
static bool note_last_run(
	const struct evl_log *log, struct chain_seek *s, uint32_t chain, const struct gc_row *gc, struct gc_late *out)
{
	const uint64_t requested = gc_requested(gc);
	const struct gc_late_run before = out->run;
	struct last_run last = {0};
	chain_seek_advance(s, requested + 1);
	while (chain_seek_due(s, gc->start)) {
		struct cap_pos was = s->pos;
		uint64_t t = s->next.t, off = s->next.off;
		if (!chain_seek_step(s))
			continue;
		if (was.state == CAP_RUN)
			add_run(&last, &was, requested, t, off);
		else if (was.state == CAP_GC)
			last.left = t - requested;
	}
	if (s->pos.state == CAP_RUN)
		add_run(&last, &s->pos, requested,
			s->have_next ? gc->start : min_u64(gc->start, chain_seek_open_until(&log->tiles[chain])), 0);
	gc_late_note(&out->run, gc, last.to, last.ran, last.off, log->blocks.chains[chain].cap, last.thread);
	if (out->run.late != before.late || out->run.cap != before.cap)
		out->left = last.left;
	return !s->cursor.missing && gc->start <= chain_seek_known(&log->tiles[chain]);
}

void gc_late(const struct evl_log *log, const struct gc_row *gc, struct gc_late *out)
{
	struct chain_seek s;
	*out = (struct gc_late){.some = log->n_caps > GC_DETAIL_CAPS || lacks_threads(log) || lacks_caps(log, gc)};
	for (size_t i = 0; gc->sync && i < log->n_caps && i < GC_DETAIL_CAPS; i++) {
		uint32_t chain = log->cap_chains[i];
		if (log->blocks.chains[chain].cap != gc->cap
			&& (!chain_seek_begin(&s, &log->blocks, &log->tiles[chain], chain)
				|| !note_last_run(log, &s, chain, gc, out)))
			out->some = true;
	}
	out->rest = gc->sync - out->run.late;
	out->by_thread = gc_late_is_cause(gc, out->run.late);
}

uint64_t gc_late_nm_mark(const struct evl_log *log, const struct gc_row *gc, const struct gc_late *late)
{
	struct nm_column nm = {.ns = {0}};
	if (late->left)
		nonmoving_column(&log->nonmoving, gc_requested(gc), gc_requested(gc) + late->left, &nm);
	return nm.ns[NM_MARK];
}

bool gc_late_threads(
	const struct evl_log *log, const struct gc_row *gc, const struct gc_late *late, struct gc_late_threads *out)
{
	struct {
		uint32_t thread;
		uint64_t ns;
	} ran[LATE_THREADS];
	struct chain_seek s;
	uint32_t chain = log->blocks.chain_of[late->run.cap];
	*out = (struct gc_late_threads){0};
	if (chain-- == 0 || !chain_seek_begin(&s, &log->blocks, &log->tiles[chain], chain))
		return false;
	chain_seek_advance(&s, gc_requested(gc) + 1);
	for (bool more = true; more;) {
		const struct cap_pos was = s.pos;
		more = chain_seek_due(&s, gc->start);
		uint64_t to = more ? s.next.t : gc->start, ns = sub_or_0(to, max_u64(was.since, gc_requested(gc)));
		size_t i = 0;
		if (more && !chain_seek_step(&s))
			continue;
		if (was.state != CAP_RUN || ns == 0)
			continue;
		while (i < out->n && ran[i].thread != was.thread)
			i++;
		if (i == LATE_THREADS)
			return false;
		if (i == out->n) {
			ran[out->n].thread = was.thread;
			ran[out->n++].ns = 0;
		}
		ran[i].ns += ns;
	}
	for (size_t i = 0; i < out->n; i++)
		if (ran[i].ns > out->most_ns) {
			out->most = ran[i].thread;
			out->most_ns = ran[i].ns;
		}
	return !s.cursor.missing && gc->start <= chain_seek_known(&log->tiles[chain]);
}

/* --- many collections ------------------------------------------------------------------------------------------------- */

struct sweep_cap {
	struct chain_seek seek;
	uint64_t t;           /* events before it were passed */
	uint64_t past, start; /* file offset of the event after its last collection, 0: not known; when that started */
	uint64_t begin;       /* caps_begin */
	bool open;
};

struct gc_sweep {
	const struct evl_log *log;
	struct sweep_cap caps[]; /* n_caps */
};

struct gc_sweep *gc_sweep_open(const struct evl_log *log)
{
	if (log->n_caps > GC_DETAIL_CAPS)
		return NULL;
	struct gc_sweep *s = calloc(1, sizeof *s + log->n_caps * sizeof *s->caps);
	if (!s)
		return NULL;
	s->log = log;
	for (size_t i = 0; i < log->n_caps; i++)
		s->caps[i].begin = caps_begin(&log->blocks, &log->tiles[log->cap_chains[i]], log->cap_chains[i]);
	return s;
}

void gc_sweep_close(struct gc_sweep *s) { free(s); }

/* The position of a capability at t or before it; NULL: nothing of it is indexed. */
static struct chain_seek *before(struct gc_sweep *s, size_t i, uint64_t t)
{
	struct sweep_cap *c = &s->caps[i];
	uint32_t chain = s->log->cap_chains[i];
	if (!c->open || c->t > t)
		c->open = chain_seek_begin(&c->seek, &s->log->blocks, &s->log->tiles[chain], chain);
	c->t = t;
	return c->open ? &c->seek : NULL;
}

unsigned gc_sweep_why(struct gc_sweep *s, uint32_t chain, const struct gc_row *gc, struct gc_late *late)
{
	const struct evl_log *log = s->log;
	const uint64_t requested = gc_requested(gc);
	bool idle = requested > 0 && log->n_caps > 0;
	*late = (struct gc_late){.some = lacks_threads(log) || lacks_caps(log, gc)};
	for (size_t i = 0; i < log->n_caps && (idle || gc->sync); i++) {
		uint32_t of = log->cap_chains[i];
		struct cap_moment m = {0};
		struct chain_seek *seek = before(s, i, requested);
		if (idle && seek)
			caps_on_to(seek, s->caps[i].begin, requested - 1, &m);
		idle = idle && is_idle(&m, requested - 1);
		if (!gc->sync || log->blocks.chains[of].cap == gc->cap)
			continue;
		late->some = !seek || !note_last_run(log, seek, of, gc, late) || late->some;
		s->caps[i].t = gc->start;
	}
	late->rest = gc->sync - late->run.late;
	late->by_thread = gc_late_is_cause(gc, late->run.late);
	return why_of(log, chain, gc, idle);
}

bool gc_sweep_around(struct gc_sweep *s, uint32_t chain, const struct gc_row *gc, struct gc_around *out)
{
	const struct evl_log *log = s->log;
	struct sweep_cap *c = NULL;
	struct cursor at;
	uint64_t past = 0;
	for (size_t i = 0; i < log->n_caps && !c; i++)
		c = log->cap_chains[i] == chain ? &s->caps[i] : NULL;
	*out = (struct gc_around){0};
	if (!begin_at(&at, log, chain, gc->start))
		return false;
	if (c && c->past && c->start < gc->start && (!at.at || at.at < c->past)) {
		cursor_seek(&at, c->past);
		if (!read_around(log, &at, gc, out, &past) || !past)
			begin_at(&at, log, chain, gc->start);
	}
	bool known = past || read_around(log, &at, gc, out, &past);
	if (c) {
		c->past = past;
		c->start = gc->start;
	}
	return known;
}
