/* Findings, each by its definition: what slow code finds that takes the events one after another raises a finding in every log
 * of the tests, whole and cut, where the library does and nowhere else, with the same stake, thread and place.
 *
 * Given files, it looks at these instead. Findings about concurrency and delays are in test_concurrency.c, those about the
 * critical path in test_findings_path.c, those about threads that wait for each other in test_findings_threads.c. */
#include "each_log.h"
#include "log/rts_flags.h"
#include "report/findings.h"
#include "slow_gcs.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_NS = 5000000, LONG_NS = 10000000 };

struct reference {
	const char *name;
	const struct evl_log *log;
	struct slow slow;
	struct pauses pauses, gcs; /* the unions of [request, end] and of [start, end] */
	struct slow_delays
		delays; /* in the range, of the program's collections that start while the log tells of all capabilities */
	bool *census; /* by collection: a heap census asked for it */
	unsigned oldest;
	uint64_t from, to;         /* the range: what happens at `to` is not in it */
	bool runs, collects, told; /* the log holds events of threads, of collections; declares statistics of these */
	double total, active, mutator;
	struct findings found;
	const double *values; /* of the metrics that the findings are made from */
	const struct gen_figures *gens;
	size_t n_gens;
};

/* How often each was raised. */
static uint64_t raised_in[FINDING_IDS], placed_in[FINDING_IDS], logs_seen, more_than_stake;
static uint64_t only_others; /* not the longest pause would be shorter */
static uint64_t cut_censuses, forced_long, advised_in, counted_major, mostly_forced,
	mostly_sync;                                                  /* pauses, pauses, then ranges */
static uint64_t threads_advised[2];                                   /* not, or so */
static uint64_t mmu_seen[2];                                          /* of all pauses, without those for censuses */
static uint64_t spark_pauses;                                         /* places in a pause that dropped sparks */
static uint64_t reached_early, unmeasured, stopped_growing, cut_long; /* cut_long: long pauses that a range cuts */

static bool inside(const struct reference *r, uint64_t t) { return t >= r->from && t < r->to; }

static const struct finding *find(const struct reference *r, enum finding_id id)
{
	for (size_t i = 0; i < r->found.n; i++)
		if (r->found.items[i].id == id)
			return &r->found.items[i];
	return NULL;
}

/* The finding, if it is raised; fail unless it should be. */
static const struct finding *expect_raised(const struct reference *r, enum finding_id id, bool raised)
{
	const struct finding *got = find(r, id);
	if (raised != (got != NULL))
		fail_msg("%s [%llu, %llu): %s is %sraised", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, finding_name(id), got ? "" : "not ");
	raised_in[id] += raised;
	return got;
}

/* Later findings leave out the time that it explains, also outside of the range. */
static void expect_stake(const struct reference *r, const struct finding *got, enum finding_stake kind, double stake)
{
	double explains = kind == STAKE_NS && stake > 0 ? stake : 0;
	if (got && fabs(got->explains - explains) > 1 + 1e-9 * explains)
		fail_msg("%s [%llu, %llu): %s explains %.17g, not %.17g", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, finding_name(got->id), got->explains, explains);
	more_than_stake += got && explains > r->total;
	if (kind == STAKE_NS && r->from > 0) /* pauses of collections that start in a range end after it */
		stake = fmin(stake, r->total);
	if (got && (got->stake_kind != kind || fabs((double)got->stake - stake) > 1 + 1e-9 * stake))
		fail_msg("%s [%llu, %llu): %s: %llu at stake, not %.17g", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, finding_name(got->id), (unsigned long long)got->stake, stake);
}

static void expect_place(const struct reference *r, const struct finding *got, uint64_t t)
{
	if (got && (!got->has_place || got->t != max_u64(t, max_u64(r->from, r->slow.first))))
		fail_msg("%s [%llu, %llu): %s is at %llu, not %llu", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, finding_name(got->id), (unsigned long long)got->t,
			(unsigned long long)t);
}

static void expect_thread(const struct reference *r, const struct finding *got, uint32_t thread)
{
	if (got && got->thread != thread)
		fail_msg("%s: %s names thread %u, not %u", r->name, finding_name(got->id), got->thread, thread);
}

/* --- collections ---------------------------------------------------------------------------------------------------- */

enum { NO_GEN = 255 };

static unsigned gen_of(const struct slow_gc *g)
{
	return g->said.len ? (unsigned)min_u64(be16(g->said.p + 4), NO_GEN - 1) : NO_GEN;
}

static bool is_major(const struct reference *r, const struct slow_gc *g)
{
	return gen_of(g) != NO_GEN && gen_of(g) >= r->oldest;
}

/* A census takes its sample in the collection that it asks for. */
static void find_census(struct reference *r)
{
	r->census = calloc(r->pauses.n_gcs + 1, sizeof *r->census);
	assert_non_null(r->census);
	for (size_t k = 0; k < r->slow.n; k++) {
		uint64_t t;
		if (!slow_sampled(&r->slow.events[k].f, &t))
			continue;
		for (size_t i = 0; i < r->pauses.n_gcs; i++) {
			const struct slow_gc *g = &r->pauses.gcs[i];
			if (g->start <= t && t < g->end && (is_major(r, g) || gen_of(g) == NO_GEN))
				r->census[i] = true;
		}
	}
}

static double expect_delays(const struct reference *r)
{
	const struct slow_delays *d = &r->delays;
	double lost = (double)d->lost, rests = (double)d->rests;
	uint32_t worst = slow_latest(d, r->slow.n_threads);
	bool late = worst && lost > 0.02 * r->active && lost >= LEAST_NS;
	bool rested = d->rests_n >= 5 && rests > 0.02 * r->active;
	const struct finding *got = expect_raised(r, FINDING_GC_SYNC_THREAD, late);
	expect_stake(r, got, STAKE_NS, lost);
	expect_thread(r, got, worst);
	expect_stake(r, expect_raised(r, FINDING_OVERSUBSCRIBED, rested), STAKE_NS, rests);
	return (late ? lost : 0) + (rested ? rests : 0);
}

/* The time of a fortieth of the range from a pause on in pauses, without those that a heap census asked for. */
static uint64_t busy_from(const struct reference *r, uint64_t t, uint64_t part, uint64_t end)
{
	uint64_t to = min_u64(t + part, end), ns = 0;
	for (size_t k = 0; k < r->pauses.n_gcs; k++) {
		const struct slow_gc *g = &r->pauses.gcs[k];
		ns += r->census[k] ? 0 : sub_or_0(min_u64(g->end, to), max_u64(g->request, t));
	}
	return ns;
}

/* The place is the pause from which on most time of a fortieth of the range is in pauses: of equals, the longest, then the
 * first. A pause that fills the fortieth is shown whole. Where there are more than
 * LOOKED_AT, that is known of the longest and of the first of each fortieth only. */
static void expect_busy(const struct reference *r, const struct finding *got)
{
	enum { PARTS = 40, LOOKED_AT = 100 };
	uint64_t from = max_u64(r->from, r->slow.first), to = min_u64(r->to, r->slow.last + 1), best = 0, at = 0;
	uint64_t part = max_u64((to - from) / PARTS, 1), n = 0, longest = 0, ns_there = 0, most = 0, end = 0;
	for (size_t k = 0; got && k < r->pauses.n_gcs; k++) {
		const struct slow_gc *g = &r->pauses.gcs[k];
		uint64_t t = max_u64(g->request, from);
		if (r->census[k] || !inside(r, g->start) || t >= to)
			continue;
		uint64_t ns = busy_from(r, t, part, to);
		n++;
		longest = max_u64(longest, min_u64(g->end, min_u64(to, t + part)) - t);
		ns_there = got->t == t ? ns : ns_there;
		uint64_t length = g->end - g->request;
		if (ns > best || (ns == best && (length > most || (length == most && t < at)))) {
			best = ns;
			most = length;
			end = min_u64(g->end, to);
			at = t;
		}
	}
	if (best > 0 && n <= LOOKED_AT) {
		expect_place(r, got, at);
		bool whole = end >= min_u64(at + part, to);
		if ((got->shows == SHOWS_BUSY) == whole || (whole && got->until != end))
			fail_msg("%s [%llu, %llu): gc-share shows a pause until %llu%s", r->name,
				(unsigned long long)r->from, (unsigned long long)r->to, (unsigned long long)got->until,
				got->shows == SHOWS_BUSY ? ", as a part" : "");
	}
	if (best > 0 && n > LOOKED_AT && (!got->has_place || ns_there < longest))
		fail_msg("%s [%llu, %llu): gc-share goes to a part with %llu ns in pauses", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, (unsigned long long)ns_there);
	else if (best == 0 && got && got->has_place)
		fail_msg("%s [%llu, %llu): gc-share has a place, but no collection began there", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to);
}

/* The time of the range in pauses for censuses, also in those that start before it or end after it. */
static double expect_census(const struct reference *r)
{
	struct pauses asked = {0};
	uint64_t most = 0, at = 0;
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		uint64_t here = sub_or_0(min_u64(g->end, r->to), max_u64(g->request, r->from));
		if (!r->census[i] || (here == 0 && !inside(r, g->start)))
			continue;
		assert_true(GROW(asked.items, asked.n, asked.room));
		asked.items[asked.n++] = (struct span_of_time){g->request, g->end};
		if (here > most || (here == most && g->request < at))
			at = g->request;
		most = max_u64(most, here);
		cut_censuses += here > 0 && here < g->end - g->request;
	}
	size_t n = asked.n;
	unite(&asked);
	double census = (double)covered(&asked, r->from, r->to), left = r->total - census;
	const struct finding *got = expect_raised(r, FINDING_GC_CENSUS, census > 0.02 * r->total && census >= LEAST_NS);
	expect_stake(r, got, STAKE_NS, census);
	expect_place(r, got, at);
	slow_pauses_free(&asked);
	double is = r->values[METRIC_GC_CENSUS_TIME], productivity = r->values[METRIC_GC_OWN_PRODUCTIVITY];
	if (isnan(is) ? n > 0 : fabs(is - census) > 0.5)
		fail_msg("%s [%llu, %llu): %.17g ns in censuses, not %.17g", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, is, census);
	bool known = n && r->runs && left > 0;
	if (known != !isnan(productivity) || (known && fabs(productivity * left - r->mutator) > 1 + 1e-9 * left))
		fail_msg("%s [%llu, %llu): without censuses %.17g of %.17g ns, not %.17g ns", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, productivity, left, r->mutator);
	return census;
}

/* The least share of a window of this length without these pauses: the worst begins or ends at the edge of one. */
static double slow_mmu(const struct reference *r, const struct pauses *p, uint64_t width)
{
	uint64_t from = max_u64(r->from, r->slow.first), to = min_u64(r->to, r->slow.last), worst = 0;
	if (r->slow.n == 0 || to - from < width)
		return (double)NAN;
	for (size_t i = 0; i <= 2 * p->n; i++) {
		uint64_t edge = i == 0 ? from : i % 2 ? p->items[i / 2].from : p->items[i / 2 - 1].to;
		uint64_t begin = min_u64(max_u64(edge, from), to - width),
			 end = min_u64(max_u64(edge, from + width), to);
		worst = max_u64(worst, max_u64(covered(p, begin, begin + width), covered(p, end - width, end)));
	}
	return 1 - (double)worst / (double)width;
}

/* Minimum mutator utilisation, of all pauses and of those that no census asked for. */
static void expect_mmu(const struct reference *r)
{
	enum { MOST = 300 }; /* it is quadratic */
	static const uint64_t ms[] = {1, 10, 50, 100, 500, 1000, 5000};
	struct pauses own = {0};
	bool is_sampled = !isnan(r->values[METRIC_GC_CENSUS_TIME]) && r->values[METRIC_GC_CENSUS_TIME] > 0;
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		if (r->census[i])
			continue;
		assert_true(GROW(own.items, own.n, own.room));
		own.items[own.n++] = (struct span_of_time){r->pauses.gcs[i].request, r->pauses.gcs[i].end};
	}
	unite(&own);
	for (size_t i = 0; i < countof(ms) && r->pauses.n < MOST && r->collects; i++) {
		for (int without = 0; without <= is_sampled; without++) {
			enum metric m = (enum metric)(without ? METRIC_OWN_MMU_1MS : METRIC_MMU_1MS) + (enum metric)i;
			double is = r->values[m], want = slow_mmu(r, without ? &own : &r->pauses, ms[i] * 1000000);
			if (isnan(want) ? !isnan(is) : !(fabs(is - want) < 1e-9))
				fail_msg("%s [%llu, %llu): %s is %.12g, not %.12g", r->name,
					(unsigned long long)r->from, (unsigned long long)r->to, metric_info(m)->name,
					is, want);
			mmu_seen[without] += want < 1;
		}
	}
	slow_pauses_free(&own);
}

/* Did anything run, or was there any collection, in the 0.3 s before it was requested? */
static bool is_idle(const struct reference *r, const struct slow_gc *g)
{
	const uint64_t most = 300000000, to = g->request - 1, from = sub_or_0(to, most);
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *s = &r->slow.list.items[i];
		if (s->state == THREAD_RUNNING && s->since <= to && s->to > from)
			return false;
	}
	return from >= r->slow.first && covered(&r->pauses, from, to) == 0;
}

/* It is major, and the last thread of its capability had stopped for another reason than a heap overflow. */
static bool is_forced(const struct reference *r, const struct slow_gc *g)
{
	const struct event *last = NULL;
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &r->slow.events[i];
		if (e->cap == g->cap && e->f.tag == EVL_STOP_THREAD && e->f.t <= g->request
			&& (!last || e->f.t >= last->f.t))
			last = e;
	}
	return is_major(r, g) && last && be16(last->f.payload.p + 4) != 1 && !is_idle(r, g);
}

static size_t callers; /* collections that followed on a foreign call, as seen by the test */

/* A forced collection is told to follow on a foreign call if that was the last stop on its capability, within 1 ms. */
static void expect_caller(const struct reference *r, const struct slow_gc *g)
{
	enum { SOON_NS = 1000000 };
	const struct gc_row *row = gcs_at(&r->log->gcs, g->start);
	const struct event *last = NULL;
	struct gc_caller got;
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &r->slow.events[i];
		if (e->cap == g->cap && e->f.tag == EVL_STOP_THREAD && e->f.t <= g->request
			&& (!last || e->f.t >= last->f.t))
			last = e;
	}
	bool is = last && is_forced(r, g) && be16(last->f.payload.p + 4) == 6 && g->request - last->f.t <= SOON_NS;
	if (!row || row->start != g->start)
		return;
	assert_int_equal((gc_why(r->log, row) & GC_WHY_FORCED) && gc_caller(r->log, row, &got), is);
	if (is && (got.thread != be32(last->f.payload.p) || got.ns != g->request - last->f.t))
		fail_msg("%s: thread %u is told to have called for the collection at %llu", r->name, got.thread,
			(unsigned long long)g->start);
	callers += is;
}

/* The time of a collection that its bytes take at the usual rate of its generation, which test_figures.c compares; all of it,
 * if that is unknown. */
static double copying_ns(const struct reference *r, const struct slow_gc *g)
{
	double ns = (double)(g->end - g->start);
	for (size_t i = 0; i < r->n_gens; i++)
		if (g->said.len && r->gens[i].gen == be16(g->said.p + 4) && r->gens[i].usual > 0)
			return fmin(ns, floor((double)be64(g->said.p + 6) / r->gens[i].usual * 1e9));
	return ns;
}

/* The nonmoving collector is advised where more than half of the time of long pauses is in major collections, and copying
 * explains more than half of that, and of the longest that was not forced; it saves what copying explains. The text counts
 * these, and tells if copying does not explain them. */
static void expect_advice(const struct reference *r, const struct finding *got)
{
	double all = 0, shortened = 0, unforced = 0;
	uint64_t n = 0, major = 0, forced_n = 0;
	const struct slow_gc *longest = NULL; /* that was not forced */
	char text[TEXT_ROOM + 32];
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		double pause = (double)(g->end - g->request);
		if (r->census[i] || !inside(r, g->start) || pause < LONG_NS)
			continue;
		bool forced = is_forced(r, g);
		if (!forced && (!longest || pause > (double)(longest->end - longest->request)))
			longest = g;
		n++;
		major += is_major(r, g);
		forced_n += forced;
		all += pause;
		shortened += is_major(r, g) && !forced ? copying_ns(r, g) : 0;
		unforced += is_major(r, g) && !forced ? (double)(g->end - g->start) : 0;
		forced_long += forced;
	}
	const char *flag = finding_flag(got->id);
	bool copies = 2 * unforced > all && 2 * shortened > unforced;
	bool worst =
		copies && is_major(r, longest) && 2 * copying_ns(r, longest) > (double)(longest->end - longest->start);
	only_others += copies && !worst;
	if ((copies && !worst) != (strstr(got->text, "; the longest") || strstr(got->text, "explains only")))
		fail_msg("%s [%llu, %llu): %s", r->name, (unsigned long long)r->from, (unsigned long long)r->to,
			got->text);
	if (*got->flag && fabs(got->saves - fmin(shortened, (double)got->stake)) > 1)
		fail_msg("%s: %s saves %.0f, not %.0f", r->name, got->flag, got->saves, shortened);
	bool advised = worst && rts_is_threaded(r->log) && rts_flag_helps(r->log, flag);
	if (strcmp(got->flag, advised ? flag : "") != 0)
		fail_msg("%s [%llu, %llu): gc-pauses advises \"%s\"", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, got->flag);
	advised_in += advised;
	bool unexplained = 2 * unforced > all && !copies;
	if (unexplained != (strstr(got->text, "explains") && strstr(got->text, "of the time of the major one")))
		fail_msg("%s [%llu, %llu): copying is %stold: %s", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, unexplained ? "not " : "", got->text);
	if (n == 1 || forced_n == n)
		return;
	snprintf(text, sizeof text,
		major == n      ? ", all major"
			: major ? ", %s of them major"
				: ", all minor",
		as_count(major));
	if (!strstr(got->text, text))
		fail_msg("%s [%llu, %llu): \"%s\" is not in: %s", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, text, got->text);
	counted_major += major > 0;
}

/* The time of the range in minor collections. */
static double covered_minor(const struct reference *r)
{
	double major_ns = 0, all = (double)covered(&r->gcs, r->from, r->to);
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		uint64_t here = sub_or_0(min_u64(g->end, r->to), max_u64(g->start, r->from));
		major_ns += is_major(r, g) ? (double)here : 0;
	}
	return all - fmin(major_ns, all);
}

/* Return the time that it explains. */
/* The place is the first fortieth of the range with minor collections in which most collections start, from the first minor one
 * that starts there on. */
static void expect_dense(const struct reference *r, const struct finding *got)
{
	enum { PARTS = 40 };
	uint64_t from = max_u64(r->from, r->slow.first), to = min_u64(r->to, r->slow.last + 1), at = 0, until = 0;
	size_t most = 0;
	for (int i = 0; got && i < PARTS; i++) {
		uint64_t a = column_edge(from, to, PARTS, i), b = column_edge(from, to, PARTS, i + 1);
		size_t n = 0;
		uint64_t first = UINT64_MAX, request = a;
		bool minor = false; /* or it reaches into that */
		for (size_t k = 0; k < r->pauses.n_gcs; k++) {
			const struct slow_gc *g = &r->pauses.gcs[k];
			n += g->start >= a && g->start < b;
			minor = minor || (!is_major(r, g) && g->start < b && g->end > a);
			if (!is_major(r, g) && g->start >= a && g->start < b && g->start < first) {
				first = g->start;
				request = g->request;
			}
		}
		if (minor && n > most) {
			most = n;
			at = request;
			until = b;
		}
	}
	if (most > 0)
		expect_place(r, got, at);
	if (most > 0 && (got->shows != SHOWS_BUSY || got->until != until))
		fail_msg("%s [%llu, %llu): gc-minor-frequent shows a part until %llu", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, (unsigned long long)got->until);
}

static double expect_minor(const struct reference *r)
{
	double minor = covered_minor(r), n = 0;
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		n += inside(r, g->start) && !is_major(r, g);
	}
	bool often = n * 1e9 > 500 * r->mutator && r->mutator > 0 && minor > 0.05 * r->active && minor >= LEAST_NS;
	const struct finding *got = expect_raised(r, FINDING_GC_MINOR, r->told && often);
	expect_stake(r, got, STAKE_NS, minor);
	expect_dense(r, got);
	return r->told && often ? minor : 0;
}

static size_t fewer_major; /* findings that advise -F4 */

/* A larger factor of the old generation is advised where major collections of the program took clearly more time than minor
 * ones that no other finding explains, and a larger allocation area where clearly less; within a hundredth of each other, either. */
static void expect_factor(const struct reference *r, const struct finding *got, double elsewhere)
{
	double major = 0, minor = covered_minor(r) - elsewhere;
	uint64_t n = 0;
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		if (!is_major(r, g) || r->census[i] || g->end <= r->from || g->start >= r->to)
			continue;
		n += inside(r, g->start);
		major += (double)(min_u64(g->end, r->to) - max_u64(g->start, r->from));
	}
	bool advised = n >= 3 && major > minor, either = fabs(major - minor) < 0.01 * (major + minor);
	const char *flag = advised ? "-F4" : "-A64m";
	if (!either && strcmp(got->flag, rts_flag_helps(r->log, flag) && covered_minor(r) > 0 ? flag : "") != 0)
		fail_msg("%s [%llu, %llu): gc-share advises \"%s\", major %.0f in %llu, minor %.0f", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, got->flag, major, (unsigned long long)n,
			minor);
	double saves = advised ? major : fmax(got->explains - major, 0);
	if (!either && *got->flag && fabs(got->saves - saves) > 1 + 1e-6 * saves)
		fail_msg("%s [%llu, %llu): %s saves %.0f, not %.0f", r->name, (unsigned long long)r->from,
			(unsigned long long)r->to, got->flag, got->saves, saves);
	fewer_major += !either && advised;
}

/* The text names, in full, the findings that explain a part of the time, and no others. */
static void expect_others(const struct reference *r, const struct finding *got, double late, double minor)
{
	const struct {
		const char *part;
		bool is;
	} of[] = {{"threads that stopped last", late > 0 && find(r, FINDING_GC_SYNC_THREAD)},
		{"waits after all had stopped", late > 0 && find(r, FINDING_OVERSUBSCRIBED)},
		{"minor collections)", minor > 0}};
	for (size_t i = 0; got && i < countof(of); i++)
		if (of[i].is != (strstr(got->text, of[i].part) != NULL))
			fail_msg("%s [%llu, %llu): \"%s\" is %sin: %s", r->name, (unsigned long long)r->from,
				(unsigned long long)r->to, of[i].part, of[i].is ? "not " : "", got->text);
}

/* Pauses of the program's collections: their share, and the long ones. */
static void expect_pauses(const struct reference *r)
{
	enum { LOOKED_AT = 100, CALLERS = 20 };
	double census = expect_census(r), lost = expect_delays(r), minor = expect_minor(r);
	double long_ns = 0, long_sync = 0, long_minor = 0,
	       after = 0; /* after: of a pause that starts after the range */
	uint64_t longest = 0, at = 0, long_n = 0, n_own = 0;
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		uint64_t pause = g->end - g->request;
		if (g->start >= r->to && g->request < r->to)
			after = fmax(after, (double)(r->to - max_u64(g->request, r->from)));
		if (!inside(r, g->start) || r->census[i])
			continue;
		if (i < CALLERS)
			expect_caller(r, g);
		n_own++;
		long_n += pause >= LONG_NS;
		uint64_t from = max_u64(g->request, r->from); /* the part of the pause that lies in the range */
		long_ns += pause >= LONG_NS ? (double)sub_or_0(min_u64(g->end, r->to), from) : 0;
		long_sync += pause >= LONG_NS ? (double)sub_or_0(g->start, from) : 0;
		if (pause >= LONG_NS && !is_major(r, g))
			long_minor += (double)sub_or_0(min_u64(g->end, r->to), max_u64(g->start, r->from));
		cut_long += pause >= LONG_NS && (from > g->request || g->end > r->to);
		if (pause > longest || (pause == longest && g->request < at))
			at = g->request;
		longest = max_u64(longest, pause);
	}
	const struct finding *got;
	double all = (double)covered(&r->pauses, r->from, r->to), own = all - census - lost;
	double active = isnan(r->active) ? r->total : r->active; /* no more than that */
	double sync = all - (double)covered(&r->gcs, r->from, r->to) - lost;
	got = expect_raised(r, FINDING_GC_SHARE, own > 0.2 * (active - census) && own >= LEAST_NS);
	expect_stake(r, got, STAKE_NS, fmax(own - minor, 0));
	expect_others(r, got, lost, minor);
	expect_busy(r, got);
	if (got && covered_minor(r) == 0 && *got->flag)
		fail_msg("%s [%llu, %llu): gc-share advises %s without minor collections", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, got->flag);
	if (got && n_own <= LOOKED_AT) {
		uint64_t forced_ns = 0, own_ns = 0;
		for (size_t i = 0; i < r->pauses.n_gcs; i++) {
			const struct slow_gc *g = &r->pauses.gcs[i];
			uint64_t pause = inside(r, g->start) && !r->census[i] ? g->end - g->request : 0;
			own_ns += pause;
			forced_ns += is_forced(r, g) ? pause : 0;
		}
		bool are_forced = forced_ns > own_ns / 2, waits = 2 * sync > own - minor;
		if (are_forced != (strstr(got->text, "forced") != NULL) || (are_forced && *got->flag))
			fail_msg("%s [%llu, %llu): gc-share advises \"%s\": %s", r->name, (unsigned long long)r->from,
				(unsigned long long)r->to, got->flag, got->text);
		mostly_forced += are_forced;
		mostly_sync += waits;
		if (waits && *got->flag)
			fail_msg("%s: gc-share advises %s for sync", r->name, got->flag);
		if (!are_forced && !waits)
			expect_factor(r, got, minor);
	}
	double explained =
		fmin(fmax(lost - after, 0), long_sync); /* what short pauses waited is no part of long ones */
	got = expect_raised(r, FINDING_GC_PAUSES, long_n > 0 && long_ns > explained);
	expect_stake(r, got, STAKE_NS, fmax(long_ns - explained - fmin(minor, long_minor), 0));
	expect_others(r, got, explained, fmin(minor, long_minor));
	expect_place(r, got, at);
	if (got && long_n <= LOOKED_AT)
		expect_advice(r, got);
}

static int by_pause(const void *a, const void *b)
{
	const struct slow_gc *x = *(struct slow_gc *const *)a, *y = *(struct slow_gc *const *)b;
	uint64_t p = x->end - x->request, q = y->end - y->request;
	return p != q ? (p < q ? 1 : -1) : (x->request > y->request) - (x->request < y->request);
}

/* The capabilities that worked in a collection. */
static uint64_t working_in(const struct reference *r, const struct slow_gc *g)
{
	static bool seen[1 << 16];
	uint64_t n = 0;
	memset(seen, 0, sizeof seen);
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &r->slow.events[i];
		bool works = e->cap >= 0 && e->f.tag == EVL_GC_WORK && e->f.t >= g->start && e->f.t <= g->end;
		if (works && !seen[e->cap])
			n += seen[e->cap] = true;
	}
	return n;
}

static double own_balance(const struct slow_gc *g)
{
	double all = (double)be64(g->said.p + 6), one = (double)be64(g->said.p + 34);
	return g->said.len >= 58 ? (double)be64(g->said.p + 50) / all : (all / one - 1) / (be32(g->said.p + 30) - 1);
}

/* The advice is the number of threads that the work kept busy, unless no more had work to do on average: in the one-sided ones among the
 * hundred longest. */
static void expect_threads(const struct reference *r, const struct finding *got, double busy, double threads)
{
	enum { LOOKED_AT = 100 };
	static const int few[] = {1, 2, 3, 4, 6, 8};
	const struct slow_gc **longest = calloc(r->pauses.n_gcs + 1, sizeof *longest);
	size_t n = 0, best = 0;
	double sided = 0, worked = 0;
	char flag[16], some[96];
	assert_non_null(longest);
	for (size_t i = 0; i < r->pauses.n_gcs; i++)
		if (!r->census[i] && inside(r, r->pauses.gcs[i].start))
			longest[n++] = &r->pauses.gcs[i];
	qsort(longest, n, sizeof *longest, by_pause);
	for (size_t i = 0; i < n && i < LOOKED_AT; i++) {
		bool par = longest[i]->said.len >= 50 && be32(longest[i]->said.p + 30) > 1
			&& be64(longest[i]->said.p + 34) > 0;
		double working = par && own_balance(longest[i]) < 0.3 ? (double)working_in(r, longest[i]) : 0;
		sided += working > 0;
		worked += working;
	}
	for (size_t i = 0; i < countof(few); i++)
		best = fabs(few[i] - busy) < fabs(few[best] - busy) ? i : best;
	snprintf(flag, sizeof flag, busy <= 8 ? "-qn%d" : "-qn", few[best]);
	bool advised = rts_flag_helps(r->log, "-qn") && !(sided > 0 && worked <= few[best] * sided);
	if (strcmp(got->flag, advised ? flag : "") != 0)
		fail_msg("%s [%llu, %llu): %.9g of %.9g worked in %g, %.9g busy, advised is \"%s\"", r->name,
			(unsigned long long)r->from, (unsigned long long)r->to, worked, threads, sided, busy,
			got->flag);
	snprintf(some, sizeof some, "; %.1f of %.0f had work to do, on average over %.0f of ", worked / sided, threads,
		sided);
	if ((sided > 0 && worked < threads * sided) != (strstr(got->text, some) != NULL))
		fail_msg("%s: %s: %s", r->name, some, got->text);
	threads_advised[advised]++;
	free(longest);
}

/* Collections by several threads: in perfect balance they would take this much less time. */
static void expect_balance(const struct reference *r)
{
	double n = 0, copied = 0, most = 0, balanced = 0, threads = 0, ns = 0;
	bool has_balanced = false;
	uint64_t longest = 0, most_paused = 0, at = 0; /* of those that are out of balance */
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		bool par = g->said.len >= 50 && be32(g->said.p + 30) > 1;
		if (r->census[i] || !inside(r, g->start))
			continue;
		if (!par)
			continue;
		n++;
		ns += (double)(g->end - g->start);
		threads = fmax(threads, be32(g->said.p + 30));
		copied += (double)be64(g->said.p + 6);
		most += (double)be64(g->said.p + 34);
		balanced += g->said.len >= 58 ? (double)be64(g->said.p + 50) : 0;
		has_balanced = has_balanced || g->said.len >= 58;
		uint64_t pause = g->end - g->request, length = g->end - g->start;
		if (be64(g->said.p + 34) > 0 && own_balance(g) < 0.3
			&& (length > longest || (length == longest && pause > most_paused))) {
			longest = length;
			most_paused = pause;
			at = g->start;
		}
	}
	double balance = has_balanced ? balanced / copied : (copied / most - 1) / (threads - 1);
	const struct finding *got = expect_raised(r, FINDING_GC_BALANCE, n > 10 && copied > 0 && balance < 0.3);
	double busy = 1 + balance * (threads - 1);
	expect_stake(r, got, STAKE_NS, ns * (1 - busy / threads));
	if (longest)
		expect_place(r, got, at);
	if (got)
		expect_threads(r, got, busy, threads);
}

/* --- sparks --------------------------------------------------------------------------------------------------------- */

/* The thread that ran at the first event with this tag, if it sparked it. */
static void expect_first(const struct reference *r, const struct finding *got, uint16_t tag, bool by_thread)
{
	struct event *sorted = malloc((r->slow.n + 1) * sizeof *sorted);
	static uint32_t running[1 << 16];
	assert_non_null(sorted);
	memset(running, 0, sizeof running);
	if (r->slow.n)
		memcpy(sorted, r->slow.events, r->slow.n * sizeof *sorted);
	qsort(sorted, r->slow.n, sizeof *sorted, by_time);
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &sorted[i];
		if (e->cap >= 0 && e->f.tag == EVL_RUN_THREAD)
			running[e->cap] = be32(e->f.payload.p);
		else if (e->cap >= 0 && e->f.tag == EVL_STOP_THREAD)
			running[e->cap] = 0;
		if (e->cap < 0 || e->f.tag != tag || !inside(r, e->f.t))
			continue;
		expect_thread(r, got, by_thread ? running[e->cap] : 0);
		break;
	}
	free(sorted);
}

/* Set [*from, *to) to that fortieth of it which has the most events of a kind. */
static void densest(const struct reference *r, uint16_t tag, uint64_t *from, uint64_t *to)
{
	enum { PARTS = 40 };
	uint64_t edges[PARTS + 1], most = 0;
	int best = 0;
	for (unsigned i = 0; i <= PARTS; i++)
		edges[i] = *from + (uint64_t)((unsigned __int128)(*to - *from) * i / PARTS);
	for (int i = 0; i < PARTS; i++) {
		uint64_t n = 0;
		for (size_t k = 0; k < r->slow.n; k++) {
			const struct event *e = &r->slow.events[k];
			n += e->cap >= 0 && e->f.tag == tag && e->f.t >= edges[i] && e->f.t < edges[i + 1];
		}
		best = n > most ? i : best;
		most = max_u64(n, most);
	}
	*from = edges[best];
	*to = edges[best + 1];
}

/* The first of them from `from` on, and how many there are from there to `to`. */
static uint64_t first_of(const struct reference *r, uint16_t tag, uint64_t from, uint64_t to, uint64_t *n)
{
	uint64_t first = UINT64_MAX;
	*n = 0;
	for (size_t k = 0; k < r->slow.n; k++) {
		const struct event *e = &r->slow.events[k];
		if (e->cap < 0 || e->f.tag != tag || e->f.t < from)
			continue;
		first = min_u64(first, e->f.t);
		*n += e->f.t < to;
	}
	return first;
}

/* The place is the first of them where they are densest: the fortieth of a fortieth of the range. Those that collections
 * dropped: in the pause with most of them, of those that hold the first in the densest fortieth of each fortieth. */
static void expect_densest(const struct reference *r, const struct finding *got, uint16_t tag)
{
	uint64_t from = max_u64(r->from, r->slow.first), to = min_u64(r->to, r->slow.last + 1), most = 0, n, place = 0;
	for (unsigned i = 0; i < 40 && tag == EVL_SPARK_GC; i++) {
		uint64_t a = from + (uint64_t)((unsigned __int128)(to - from) * i / 40),
			 b = from + (uint64_t)((unsigned __int128)(to - from) * (i + 1) / 40);
		first_of(r, tag, a, b, &n);
		if (n == 0)
			continue;
		densest(r, tag, &a, &b);
		const struct gc_row *gc = gcs_at(&r->log->gcs, first_of(r, tag, a, b, &n));
		if (!gc)
			continue;
		uint64_t t = first_of(r, tag, max_u64(gc_requested(gc), from), min_u64(gc_end(gc), to), &n);
		place = n > most ? t : place;
		most = max_u64(n, most);
	}
	spark_pauses += most > 0;
	if (most == 0) {
		densest(r, tag, &from, &to);
		densest(r, tag, &from, &to);
		place = first_of(r, tag, from, to, &n);
	}
	expect_place(r, got, place);
}

static void expect_sparks(const struct reference *r)
{
	enum { CREATED, DUD, OVERFLOWED, CONVERTED, GCD, FIZZLED, KINDS };
	static const uint16_t tags[] = {EVL_SPARK_CREATE, EVL_SPARK_DUD, EVL_SPARK_OVERFLOW, EVL_SPARK_RUN,
		EVL_SPARK_GC, EVL_SPARK_FIZZLE, EVL_SPARK_STEAL, EVL_RUN_SPARK, EVL_STEAL_SPARK};
	static uint64_t counters[1 << 16][KINDS], before[1 << 16][KINDS];
	double n[KINDS] = {0}, single = 0;
	bool counted = false;
	memset(counters, 0, sizeof counters);
	memset(before, 0, sizeof before);
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct event *e = &r->slow.events[i];
		bool counts = e->cap >= 0 && e->f.tag == EVL_SPARK_COUNTERS && e->f.payload.len >= 8 * KINDS;
		counted = counted || e->f.tag == EVL_SPARK_COUNTERS;
		for (int k = 0; k < KINDS && counts; k++) {
			before[e->cap][k] = e->f.t < r->from ? be64(e->f.payload.p + 8 * k) : before[e->cap][k];
			counters[e->cap][k] = e->f.t < r->to ? be64(e->f.payload.p + 8 * k) : counters[e->cap][k];
		}
		for (size_t k = 0; k < countof(tags); k++) {
			single += e->f.tag == tags[k];
			n[k < KINDS ? k : CONVERTED] += e->f.tag == tags[k] && inside(r, e->f.t);
		}
	}
	for (size_t i = 0; i < countof(counters) && single < 1; i++)
		for (int k = 0; k < KINDS; k++)
			n[k] += (double)(counters[i][k] - before[i][k]);
	const struct {
		enum finding_id id;
		int kind;
		double least, of;
	} rules[] = {{FINDING_SPARKS_LOST, OVERFLOWED, 0.01, n[CREATED] + n[DUD] + n[OVERFLOWED]},
		{FINDING_SPARKS_DUD, DUD, 0.1, n[CREATED] + n[DUD] + n[OVERFLOWED]},
		{FINDING_SPARKS_FIZZLED, FIZZLED, 0.1, n[CREATED]}, {FINDING_SPARKS_GCD, GCD, 0.1, n[CREATED]}};
	for (size_t i = 0; i < countof(rules); i++) {
		double part = n[rules[i].kind];
		bool raised = part >= 10 && part <= rules[i].of && part > rules[i].least * rules[i].of;
		const struct finding *got = expect_raised(r, rules[i].id, raised);
		expect_stake(r, got, STAKE_UNKNOWN, 0);
		if (got && single > 0)
			expect_first(r, got, tags[rules[i].kind], rules[i].kind == DUD || rules[i].kind == OVERFLOWED);
		if (got && single > 0)
			expect_densest(r, got, tags[rules[i].kind]);
	}
	static bool caps[1 << 16];
	uint64_t n_caps = 0;
	memset(caps, 0, sizeof caps);
	for (size_t i = 0; i < r->slow.n; i++) {
		int cap = r->slow.events[i].cap;
		if (cap >= 0 && !caps[cap])
			n_caps += caps[cap] = true;
	}
	expect_raised(r, FINDING_NO_SPARKS, n_caps > 1 && !counted && single < 1);
}

/* --- the heap ------------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 512 };

/* Samples of a heap profile. */
struct samples {
	size_t n;
	uint64_t t[SAMPLES], total[SAMPLES];
};

static bool is_bands(uint16_t tag)
{
	return tag == EVL_HEAP_PROF_SAMPLE_STRING || tag == EVL_HEAP_PROF_SAMPLE_COST_CENTRE;
}

/* Bytes of a band are followed by what tells it apart. One that -hT says twice in a sample is the larger. */
static uint64_t more_of_band(const struct reference *r, size_t begin, size_t i)
{
	const struct frame *f = &r->slow.events[i].f;
	uint64_t bytes = be64(f->payload.p + 1), before = 0;
	for (size_t k = begin; k < i; k++) {
		const struct frame *e = &r->slow.events[k].f;
		if (e->tag == f->tag && e->payload.len == f->payload.len
			&& memcmp(e->payload.p + 9, f->payload.p + 9, f->payload.len - 9) == 0)
			before = max_u64(before, be64(e->payload.p + 1));
	}
	return sub_or_0(bytes, before);
}

static void read_samples(const struct reference *r, struct samples *out)
{
	size_t begin = 0;
	bool here = false;
	out->n = 0;
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct frame *f = &r->slow.events[i].f;
		here = f->tag == EVL_HEAP_PROF_SAMPLE_BEGIN ? inside(r, f->t) : here;
		if (!here)
			continue;
		if (f->tag == EVL_HEAP_PROF_SAMPLE_BEGIN) {
			assert_true(out->n < SAMPLES);
			out->t[out->n] = f->t;
			out->total[out->n++] = 0;
			begin = i;
		} else if (out->n && is_bands(f->tag) && f->payload.len > 9) {
			out->total[out->n - 1] += more_of_band(r, begin, i);
		}
	}
}

static uint64_t middle(const uint64_t *of, size_t n)
{
	uint64_t sorted[SAMPLES];
	memcpy(sorted, of, n * sizeof *of);
	qsort(sorted, n, sizeof *sorted, by_u64);
	return sorted[n / 2];
}

/* Does memory double in a fifth of the time, or between two samples, and stay up for a fifth? *by: how much. */
static bool steps(const struct samples *s, uint64_t *by, uint64_t *since, uint64_t *until)
{
	size_t eighth = s->n / 8, low = 0, high = s->n ? s->n - 1 : 0;
	if (s->n < 8)
		return false;
	uint64_t before = middle(s->total, eighth), after = middle(s->total + s->n - eighth, eighth), most = 0;
	uint64_t fifth = (s->t[s->n - 1] - s->t[0]) / 5;
	*by = sub_or_0(after, before);
	if (after / 2 < before || *by < 1 << 20)
		return false;
	while (high > 0 && s->total[high - 1] >= after - *by / 5)
		high--;
	for (size_t i = 0; i <= high; i++)
		low = s->total[i] <= before + *by / 10 ? i : low;
	for (size_t i = high; i < s->n; i++)
		most = max_u64(most, s->total[i]);
	bool stays = s->t[s->n - 1] - s->t[high] >= fifth && most <= after + *by / 4;
	*since = s->t[low];
	*until = s->t[high];
	*by = sub_or_0(s->total[high], s->total[low]);
	return (low + 1 == high || s->t[high] - s->t[low] <= fifth) && stays;
}

/* Live bytes after major collections, without the one at the end of a log that has an end. */
static void expect_heap(const struct reference *r)
{
	static struct samples samples;
	uint64_t end = 0, first = 0, last = 0, most = 0, first_t = UINT64_MAX, last_t = 0, by = 0, since = 0, until = 0,
		 reached = UINT64_MAX, now = 0;
	double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
	bool ends = !find(r, FINDING_UNFINISHED), profiled = false;
	for (size_t i = 0; i < r->slow.n; i++)
		profiled = profiled || is_bands(r->slow.events[i].f.tag);
	for (size_t i = 0; i < r->slow.n; i++)
		if (r->slow.events[i].f.tag == EVL_HEAP_LIVE)
			end = max_u64(end, r->slow.events[i].f.t);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < r->slow.n; i++) {
			const struct frame *f = &r->slow.events[i].f;
			if (f->tag != EVL_HEAP_LIVE || r->slow.events[i].cap < 0 || (ends && f->t >= end)
				|| !inside(r, f->t))
				continue;
			double t = (double)(f->t - r->slow.first), bytes = (double)be64(f->payload.p + 4);
			if (pass == 0) {
				n++;
				x += t;
				y += bytes;
				most = max_u64(most, be64(f->payload.p + 4));
				first = f->t < first_t ? be64(f->payload.p + 4) : first;
				first_t = min_u64(first_t, f->t);
				last = f->t >= last_t ? be64(f->payload.p + 4) : last;
				last_t = max_u64(last_t, f->t);
			} else {
				xx += (t - x / n) * (t - x / n);
				xy += (t - x / n) * (bytes - y / n);
				yy += (bytes - y / n) * (bytes - y / n);
			}
		}
	}
	read_samples(r, &samples);
	bool step = steps(&samples, &by, &since, &until);
	bool few = n >= 4 && n < 6 && !profiled && 2 * (double)(last_t - first_t) > r->total;
	for (size_t i = 0; i < r->slow.n && few; i++) { /* the one before */
		const struct frame *f = &r->slow.events[i].f;
		if (f->tag != EVL_HEAP_LIVE || r->slow.events[i].cap < 0 || (ends && f->t >= end) || !inside(r, f->t))
			continue;
		few = be64(f->payload.p + 4) >= now + now / 2;
		now = be64(f->payload.p + 4);
	}
	bool grows = (few || (n >= 6 && xy * xy > 0.8 * xx * yy)) && last >= 2 * first && last > first
		&& most - last <= most / 4;
	double during = 0, after = 0;
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		uint64_t start = r->pauses.gcs[i].start;
		during += start >= first_t && start < last_t;
		after += start >= last_t && start < r->to;
	}
	bool stops =
		grows && !rts_flag_given(r->log, "-F") && after / during * (double)(last - first) > 3 * (double)last;
	stopped_growing += stops;
	grows = grows && !stops;
	const struct finding *growth = expect_raised(r, FINDING_HEAP_GROWS, grows && !step);
	expect_stake(r, growth, STAKE_BYTES, (double)(last - first));
	for (size_t i = 0; i < r->slow.n && growth; i++) {
		const struct frame *f = &r->slow.events[i].f;
		if (f->tag == EVL_HEAP_LIVE && r->slow.events[i].cap >= 0 && inside(r, f->t)
			&& be64(f->payload.p + 4) >= last)
			reached = min_u64(reached, f->t);
	}
	if (growth) {
		bool is_told = strstr(growth->text, " after the last of "),
		     early = reached - first_t <= (last_t - first_t) / 4 * 3;
		if (is_told != early || growth->until != reached)
			fail_msg(
				"%s: as much was live at %llu: %s", r->name, (unsigned long long)reached, growth->text);
		reached_early += early;
		bool late = sub_or_0(min_u64(r->slow.last, r->to), last_t) > (last_t - first_t) / 4;
		const char *told = strstr(growth->text, "; not measured after ");
		if (late != (told != NULL) || (late && !strstr(told, as_value(UNIT_MOMENT, (double)last_t))))
			fail_msg("%s: measured until %llu: %s", r->name, (unsigned long long)last_t, growth->text);
		unmeasured += late;
	}
	expect_raised(r, FINDING_NO_HEAP, grows && !samples.n);
	const struct finding *got = expect_raised(r, FINDING_HEAP_STEPS, step);
	expect_stake(r, got, STAKE_BYTES, (double)by);
	expect_place(r, got, since);
	if (got && got->until != until)
		fail_msg("%s: the step ends at %llu, not %llu", r->name, (unsigned long long)got->until,
			(unsigned long long)until);
}

/* --- the log itself ------------------------------------------------------------------------------------------------- */

/* Take the bytes of a log in their order, without blocks: the header, then one event after another. */
enum plain_end {
	ENDS,    /* each is of a declared type, and the last says that the log ends */
	STOPS,   /* so, but none says that it ends */
	IS_CUT,  /* so, but the last lacks bytes */
	IS_OTHER /* there are bytes that are no event, or more than one log: this walk cannot tell */
};

static bool is_word(const uint8_t *p, const char *word) { return memcmp(p, word, 4) == 0; }

static enum plain_end walk_plainly(const uint8_t *p, size_t len)
{
	static int sizes[1 << 16]; /* + 1; -1: variable; 0: not declared */
	const uint8_t *end = p + len;
	memset(sizes, 0, sizeof sizes);
	if (len < 8 || !is_word(p, "hdrb") || !is_word(p + 4, "hetb"))
		return IS_OTHER;
	for (p += 8; end - p >= 12 && is_word(p, "etb"); p += 4) {
		uint16_t tag = be16(p + 4);
		sizes[tag] = be16(p + 6) == 0xffff ? -1 : be16(p + 6) + 1;
		p += 8;
		for (int i = 0; i < 2; i++) { /* its name, and what comes after it */
			if (end - p < 4 || (size_t)(end - p) - 4 < be32(p))
				return IS_CUT;
			p += 4 + be32(p);
		}
		if (end - p < 4 || !is_word(p, "ete"))
			return end - p < 4 ? IS_CUT : IS_OTHER;
	}
	if (end - p < 12 || !is_word(p, "hete") || !is_word(p + 4, "hdre") || !is_word(p + 8, "datb"))
		return end - p < 12 ? IS_CUT : IS_OTHER;
	for (p += 12; end - p >= 2;) {
		uint16_t tag = be16(p);
		if (tag == 0xffff)
			return end - p == 2 ? ENDS : IS_OTHER;
		size_t room = (size_t)(end - p), head = sizes[tag] < 0 ? 12 : 10;
		if (sizes[tag] == 0 || room < head)
			return sizes[tag] == 0 ? IS_OTHER : IS_CUT;
		size_t size = sizes[tag] < 0 ? be16(p + 10) : (size_t)sizes[tag] - 1;
		if (room - head < size)
			return IS_CUT;
		p += head + size;
	}
	return p == end ? STOPS : IS_CUT;
}

static void expect_log(const struct reference *r)
{
	enum plain_end at = walk_plainly(r->log->source.data, r->log->source.len);
	if (at != IS_OTHER) {
		expect_raised(r, FINDING_UNFINISHED, at != ENDS);
		expect_raised(r, FINDING_DAMAGED, at == IS_CUT);
	}
	const struct finding *cut = find(r, FINDING_UNFINISHED);
	if (cut && r->slow.n && r->slow.last < r->to && (!cut->has_place || cut->t != r->slow.last))
		fail_msg("%s: the log ends at %llu, not %llu", r->name, (unsigned long long)r->slow.last,
			(unsigned long long)cut->t);
	expect_raised(r, FINDING_NO_SCHED, r->slow.n && !r->runs);
	expect_raised(r, FINDING_NO_GC, r->slow.n && !r->collects);
}

/* --- all ------------------------------------------------------------------------------------------------------------ */

static void read_slowly(struct reference *r)
{
	struct pauses busy = {0};
	slow_read(&r->slow, r->log);
	r->pauses = slow_pauses(&r->slow, r->log); /* from now on events are in file order */
	r->told = header_find(&r->log->header, EVL_GC_STATS_GHC);
	r->oldest = 1;
	for (size_t i = 0; i < r->slow.n; i++) {
		const struct frame *f = &r->slow.events[i].f;
		r->runs = r->runs || f->tag == EVL_RUN_THREAD;
		r->collects = r->collects || f->tag == EVL_GC_START;
		if (f->tag == EVL_HEAP_INFO_GHC)
			r->oldest = be16(f->payload.p + 4) > 0 ? be16(f->payload.p + 4) - 1u : 0;
	}
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		assert_true(GROW(r->gcs.items, r->gcs.n, r->gcs.room));
		r->gcs.items[r->gcs.n++] = (struct span_of_time){r->pauses.gcs[i].start, r->pauses.gcs[i].end};
	}
	unite(&r->gcs);
	for (size_t i = 0; i < r->pauses.n; i++) {
		assert_true(GROW(busy.items, busy.n, busy.room));
		busy.items[busy.n++] = r->pauses.items[i];
	}
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *s = &r->slow.list.items[i];
		if (s->state != THREAD_RUNNING)
			continue;
		assert_true(GROW(busy.items, busy.n, busy.room));
		busy.items[busy.n++] = (struct span_of_time){s->since, s->to};
	}
	unite(&busy);
	uint64_t from = max_u64(r->from, r->slow.first), to = min_u64(r->to, r->slow.last);
	r->total = r->slow.n ? (double)(to - from) : 0;
	r->active = r->runs && r->collects ? (double)covered(&busy, r->from, r->to) : (double)NAN;
	r->mutator = (double)covered(&busy, r->from, r->to) - (double)covered(&r->pauses, r->from, r->to);
	slow_pauses_free(&busy);
	find_census(r);
	struct pauses own = {.gcs = calloc(r->pauses.n_gcs + 1, sizeof *own.gcs)};
	assert_non_null(own.gcs);
	for (size_t i = 0; i < r->pauses.n_gcs; i++) {
		const struct slow_gc *g = &r->pauses.gcs[i];
		bool counts = g->start >= r->from && g->request < r->to && g->start < slow_shown(r->log);
		if (counts && !r->census[i])
			own.gcs[own.n_gcs++] = *g;
	}
	r->delays = slow_delays(&r->slow, &own, r->from, r->to);
	free(own.gcs);
}

/* Is a thread in this state over [from, to), perhaps but for pauses, or at `from`, if that is all? */
static bool in_state(const struct reference *r, uint32_t thread, enum thread_state state, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < r->slow.list.n; i++) {
		const struct stretch *s = &r->slow.list.items[i];
		if (s->thread == thread && s->state == state)
			ns += sub_or_0(min_u64(s->to, to), max_u64(s->since, from));
	}
	return ns > 0 && ns + covered(&r->pauses, from, to) >= to - from;
}

/* Does the finding belong to a pause that holds its moment? */
static bool is_of_pause(const struct reference *r, const struct finding *f, size_t i)
{
	const struct slow_gc *g = &r->pauses.gcs[i];
	const uint64_t REST = 1000000;
	if (f->t < g->request || f->t >= max_u64(g->end, g->request + 1))
		return false;
	switch (f->id) {
	case FINDING_GC_CENSUS: return r->census[i];
	case FINDING_GC_PAUSES: return !r->census[i] && g->end - g->request >= LONG_NS;
	case FINDING_GC_MINOR: return !is_major(r, g);
	case FINDING_GC_BALANCE: return f->t == g->start && own_balance(g) < 0.3;
	case FINDING_GC_SYNC_THREAD: return f->t < g->start && in_state(r, f->thread, THREAD_RUNNING, f->t, f->t + 1);
	case FINDING_OVERSUBSCRIBED: return g->start - f->t > REST || f->t == r->from;
	default: return true;
	}
}

/* The timeline shows an instance of each finding at its place. */
static void expect_instances(const struct reference *r)
{
	static const struct {
		enum finding_id id;
		enum thread_state state; /* of its thread there; THREAD_UNKNOWN: it is of a pause */
		bool all;                /* over the whole stretch */
	} of[] = {{FINDING_GC_CENSUS, THREAD_UNKNOWN, false}, {FINDING_GC_PAUSES, THREAD_UNKNOWN, false},
		{FINDING_GC_MINOR, THREAD_UNKNOWN, false}, {FINDING_GC_SHARE, THREAD_UNKNOWN, false},
		{FINDING_GC_BALANCE, THREAD_UNKNOWN, false}, {FINDING_GC_SYNC_THREAD, THREAD_UNKNOWN, false},
		{FINDING_OVERSUBSCRIBED, THREAD_UNKNOWN, false}, {FINDING_SERIAL, THREAD_RUNNING, false},
		{FINDING_CAP_ALONE, THREAD_RUNNING, false}, {FINDING_LOCK_CONTENTION, THREAD_BLOCKED, true},
		{FINDING_STM_CONTENTION, THREAD_BLOCKED, false}, {FINDING_BLACKHOLE_CONTENTION, THREAD_BLOCKED, true},
		{FINDING_DEADLOCK, THREAD_BLOCKED, true}, {FINDING_STACK_GROWTH, THREAD_RUNNING, false},
		{FINDING_THREADS_STUCK, THREAD_BLOCKED, true}, {FINDING_THREADS_LATENCY, THREAD_RUNNABLE, true},
		{FINDING_FOREIGN_BLOCKING, THREAD_FOREIGN, true}, {FINDING_TIMER_BOUND, THREAD_BLOCKED, true},
		{FINDING_EXTERNAL_WAITS, THREAD_BLOCKED, true}};
	for (size_t k = 0; k < countof(of); k++) {
		const struct finding *f = find(r, of[k].id);
		if (!f || !f->has_place)
			continue;
		uint32_t thread = f->n_threads ? f->threads[0] : f->thread;
		uint64_t until = of[k].all && f->until > f->t ? f->until : f->t + 1;
		bool is = of[k].state != THREAD_UNKNOWN && in_state(r, thread, of[k].state, f->t, until);
		bool waits = f->id == FINDING_TIMER_BOUND || f->id == FINDING_EXTERNAL_WAITS;
		is = is || (waits && in_state(r, thread, THREAD_FOREIGN, f->t, until)); /* a manager polls */
		for (size_t i = 0; of[k].state == THREAD_UNKNOWN && i < r->pauses.n_gcs && !is; i++)
			is = is_of_pause(r, f, i);
		if (!is)
			fail_msg("%s [%llu, %llu): %s is not at %llu until %llu, thread %u: %s", r->name,
				(unsigned long long)r->from, (unsigned long long)r->to, finding_name(f->id),
				(unsigned long long)f->t, (unsigned long long)f->until, thread, f->text);
		placed_in[f->id]++;
	}
}

static void compare_range(const struct evl_log *log, const char *name, uint64_t from, uint64_t to)
{
	static struct reference r;
	struct figures f;
	memset(&r, 0, sizeof r);
	r.name = name;
	r.log = log;
	r.from = from;
	r.to = to;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to, .deep = true}), 0);
	findings_make(&r.found, log, &f);
	r.values = f.values;
	r.gens = f.gens;
	r.n_gens = f.n_gens;
	read_slowly(&r);
	expect_pauses(&r);
	expect_mmu(&r);
	expect_minor(&r);
	expect_balance(&r);
	expect_sparks(&r);
	expect_log(&r);
	expect_heap(&r);
	expect_instances(&r);
	logs_seen++;
	figures_free(&f);
	slow_free(&r.slow);
	slow_pauses_free(&r.pauses);
	slow_pauses_free(&r.gcs);
	free(r.delays.by);
	free(r.delays.ran);
	free(r.census);
}

/* Ranges that start within the longest pause for a census, end in it, or lie in it. */
static void compare_in_census(const struct evl_log *log, const char *name, uint64_t first, uint64_t last)
{
	const struct gc_row *longest = NULL, *gc;
	uint64_t length = (last - first) / 50;
	for (size_t i = 0; i < census_count(&log->census); i++)
		if ((gc = gcs_at(&log->gcs, census_at(&log->census, i)->t))
			&& (!longest || gc_pause(gc) > gc_pause(longest)))
			longest = gc;
	if (!longest || gc_pause(longest) < 4)
		return;
	uint64_t from = gc_requested(longest), quarter = gc_pause(longest) / 4, middle = from + 2 * quarter;
	compare_range(log, name, middle, middle + length);
	compare_range(log, name, sub_or_0(middle, length), middle);
	compare_range(log, name, from + quarter, middle);
}

/* The whole log, two parts of it, and parts of which censuses take much. */
static void compare(const struct evl_log *log, const char *name)
{
	uint64_t first, last;
	compare_range(log, name, 0, UINT64_MAX);
	if (!evl_range(log, &first, &last) || last - first < 4)
		return;
	for (unsigned i = 0; i < 2; i++)
		compare_range(log, name, first + (last - first) / 4 * (i + 1), first + (last - first) / 4 * (i + 2));
	compare_in_census(log, name, first, last);
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
	static const enum finding_id seen[] = {FINDING_GC_CENSUS, FINDING_GC_SYNC_THREAD, FINDING_OVERSUBSCRIBED,
		FINDING_GC_SHARE, FINDING_GC_PAUSES, FINDING_GC_MINOR, FINDING_GC_BALANCE, FINDING_SPARKS_LOST,
		FINDING_SPARKS_FIZZLED, FINDING_SPARKS_DUD, FINDING_SPARKS_GCD, FINDING_DAMAGED, FINDING_UNFINISHED,
		FINDING_NO_SCHED, FINDING_NO_GC, FINDING_NO_SPARKS, FINDING_HEAP_GROWS, FINDING_NO_HEAP};
	for (size_t i = 0; i < countof(seen); i++)
		assert_true(*given || raised_in[seen[i]]);
	static const enum finding_id placed[] = {FINDING_GC_CENSUS, FINDING_GC_PAUSES, FINDING_GC_MINOR,
		FINDING_GC_SHARE, FINDING_GC_BALANCE, FINDING_GC_SYNC_THREAD, FINDING_OVERSUBSCRIBED, FINDING_SERIAL,
		FINDING_CAP_ALONE, FINDING_DEADLOCK, FINDING_TIMER_BOUND, FINDING_EXTERNAL_WAITS, FINDING_THREADS_STUCK,
		FINDING_FOREIGN_BLOCKING};
	for (size_t i = 0; i < countof(placed); i++)
		if (!*given && !placed_in[placed[i]])
			fail_msg("no log has %s at a place", finding_name(placed[i]));
	assert_true(*given || threads_advised[true]);
	assert_true(*given || (mmu_seen[0] && mmu_seen[1]));
	print_message("%d pauses for censuses cut, %d long pauses forced, %d ranges with advice\n", (int)cut_censuses,
		(int)forced_long, (int)advised_in);
	assert_true(*given
		|| (cut_censuses && cut_long && forced_long && advised_in && counted_major && mostly_forced
			&& mostly_sync && fewer_major));
}

/* A heap profile whose total goes from one value to another: at once in the middle, or in `parts` parts around it. apart: ns added
 * between the samples in the middle. */
static void expect_samples(uint64_t from, uint64_t to, unsigned parts, uint64_t apart, bool is_step)
{
	enum { N = 40 };
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 7u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	for (unsigned i = 0; i < N; i++) {
		uint64_t t = 1000 + 1000 * i + (i < N / 2 ? 0 : apart);
		uint64_t done_parts = min_u64(sub_or_0(i + 1 + parts / 2, N / 2), parts);
		uint64_t bytes = from + (to - from) * done_parts / parts;
		put(&b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, bytes / 2, "Map", 0u);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, bytes - bytes / 2, "Bin", 0u);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, bytes / 2, "Map", 0u); /* again */
		put(&b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	block_end(&b, 1000 + 1000 * N + apart);
	block_begin(&b, 0, 1000);
	put(&b, 1000, EVL_HEAP_LIVE, "48", 0u, to);
	block_end(&b, 1000 + 1000 * N + apart);
	log_end(&b);
	struct evl_log *log = walked(&b);
	uint64_t before = raised_in[FINDING_HEAP_STEPS];
	compare_range(log, "samples", 0, UINT64_MAX);
	assert_int_equal(raised_in[FINDING_HEAP_STEPS] - before, is_step);
	done(log, &b);
}

static void heap_steps(void **state)
{
	(void)state;
	expect_samples(2 << 20, 8 << 20, 1, 0, true);
	expect_samples(2 << 20, 8 << 20, 1, 30000, true); /* between two samples, far apart */
	expect_samples(2 << 20, 8 << 20, 2, 30000, false);
	expect_samples(2 << 20, 8 << 20, 40, 0, false);
	expect_samples(20 << 20, 24 << 20, 1, 0, false); /* not twice as much */
	expect_samples(1 << 18, 1 << 20, 1, 0, false);   /* a small one */
}

/* Live memory grows evenly, for all of the time or the first half of it, by bands that grow alike: two of them are named, which are
 * most of it or not. `more` ns later a thread runs. */
static void expect_growth(unsigned n_bands, bool stops, uint64_t more, const char *words)
{
	enum { N = 40, MB = 1 << 20 };
	struct built b = log_begin();
	struct findings found;
	struct figures f;
	const struct finding *got = NULL;
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 7u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	for (unsigned i = 0; i < N; i++) {
		uint64_t t = 1000 + 1000 * i, bytes = (uint64_t)MB * (1 + (stops && i > N * 5 / 8 ? N * 5 / 8 : i));
		put(&b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		for (unsigned k = 0; k < n_bands; k++)
			put(&b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, bytes, (char[]){(char)('A' + k), '\0'}, 0u);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	block_end(&b, 1000 + 1000 * N);
	block_begin(&b, 0, 1000);
	for (unsigned i = 0; i < N; i++)
		put(&b, 1000 + 1000 * i, EVL_HEAP_LIVE, "48", 0u,
			(uint64_t)MB * n_bands * (1 + (stops && i > N * 5 / 8 ? N * 5 / 8 : i)));
	if (more)
		put_run(&b, 1000 * N + more, 1);
	block_end(&b, 1000 + 1000 * N + more);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&found, log, &f);
	for (size_t i = 0; i < found.n; i++)
		got = found.items[i].id == FINDING_HEAP_GROWS ? &found.items[i] : got;
	assert_non_null(got);
	if (!strstr(got->text, words) || !strstr(got->text, " after the last of ") != !stops)
		fail_msg("%u bands: %s", n_bands, got->text);
	figures_free(&f);
	compare_range(log, "growth", 0, UINT64_MAX);
	done(log, &b);
}

static void growth(void **state)
{
	(void)state;
	expect_growth(2, false, 0, "; mostly since ");
	expect_growth(5, false, 0, "; largest rises since ");
	expect_growth(2, true, 0, "; mostly since ");
	expect_growth(2, false, 20000, "; mostly since ");
	assert_true(reached_early > 0 && unmeasured > 0 && spark_pauses > 0);
}

/* Live memory grows from 1 MiB to 10 MiB in 18 collections, then `more` minor ones follow, and the one at exit. Had it grown on, 60
 * would bring it to 40 MiB. */
static void expect_stop(unsigned more, bool grows)
{
	enum { N = 10, MB = 1 << 20 };
	struct built b = log_begin();
	uint64_t before = raised_in[FINDING_HEAP_GROWS], t = 1000;
	block_begin(&b, 0, 1);
	for (unsigned i = 0; i < N; i++, t += 1000) {
		put_gc(&b, t, t + 10, t + 100, 0);
		put_gc(&b, t + 200, t + 210, t + 300, 1);
		put(&b, t + 300, EVL_HEAP_LIVE, "48", 0u, (uint64_t)MB * (1 + i));
	}
	for (unsigned i = 0; i < more; i++, t += 1000)
		put_gc(&b, t, t + 10, t + 100, 0);
	put_gc(&b, t, t + 10, t + 100, 1);
	put(&b, t + 100, EVL_HEAP_LIVE, "48", 0u, (uint64_t)MB);
	block_end(&b, t + 200);
	log_end(&b);
	struct evl_log *log = walked(&b);
	compare_range(log, "stops growing", 0, UINT64_MAX);
	assert_int_equal(raised_in[FINDING_HEAP_GROWS] - before, grows);
	done(log, &b);
}

static void stop(void **state)
{
	(void)state;
	expect_stop(59, true);
	expect_stop(60, false);
	assert_true(stopped_growing > 0);
}

/* Live memory grows to 36 MiB, and then falls to `last` MiB: it grows if that is three quarters of the peak. */
static void expect_fall(unsigned last, bool grows)
{
	enum { N = 39, PEAK = 36, MB = 1 << 20 };
	struct built b = log_begin();
	uint64_t before = raised_in[FINDING_HEAP_GROWS];
	block_begin(&b, 0, 1000);
	for (unsigned i = 1; i <= N; i++)
		put(&b, 1000 * i, EVL_HEAP_LIVE, "48", 0u, (uint64_t)MB * (i <= PEAK ? i : last));
	put(&b, 1000 * (N + 1), EVL_HEAP_LIVE, "48", 0u, (uint64_t)MB); /* at exit */
	block_end(&b, 1000 * (N + 2));
	log_end(&b);
	struct evl_log *log = walked(&b);
	compare_range(log, "fall", 0, UINT64_MAX);
	assert_int_equal(raised_in[FINDING_HEAP_GROWS] - before, grows);
	done(log, &b);
}

/* Live memory doubles from 1 MiB in `n` collections, 1 ms apart for each MiB, the last of `last` MiB; then the run goes on for
 * `more` ms. */
static void expect_few(unsigned n, unsigned last, unsigned more, bool sampled, bool grows)
{
	enum { MS = 1000000, MB = 1 << 20 };
	struct built b = log_begin();
	uint64_t before = raised_in[FINDING_HEAP_GROWS], t = 0;
	block_begin(&b, 0, 1000);
	for (unsigned i = 0; i < n; i++) {
		t = (uint64_t)MS << i;
		put(&b, t, EVL_HEAP_LIVE, "48", 0u, (uint64_t)MB * (i + 1 < n ? 1u << i : last));
	}
	if (sampled)
		put(&b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	if (sampled)
		put(&b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)100, "Map", 0u);
	t += more * (uint64_t)MS;
	put(&b, t, EVL_HEAP_LIVE, "48", 0u, (uint64_t)MB); /* at exit */
	block_end(&b, t + 1);
	log_end(&b);
	struct evl_log *log = walked(&b);
	compare_range(log, "few", 0, UINT64_MAX);
	assert_int_equal(raised_in[FINDING_HEAP_GROWS] - before, grows);
	done(log, &b);
}

static void few_collections(void **state)
{
	(void)state;
	expect_few(4, 8, 5, false, true);
	expect_few(3, 4, 2, false, false);
	expect_few(4, 8, 7, false, false); /* they cover less than half of the run */
	expect_few(4, 6, 5, false, true);
	expect_few(4, 5, 5, false, false);
	expect_few(5, 16, 5, false, true);
	expect_few(4, 8, 5, true, false); /* a sample: the profile has told of others */
}

static void fall(void **state)
{
	(void)state;
	expect_fall(27, true);
	expect_fall(26, false);
}

/* A collection of `ms` that a thread on another capability delays by 6 ms, and one of 3 ms that a census asked for, which is too
 * short for a finding. */
static void expect_share(unsigned ms, bool is)
{
	enum { MS = 1000000 };
	struct built b = log_begin();
	uint64_t end = (16 + ms) * (uint64_t)MS, before = raised_in[FINDING_GC_SHARE];
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 7u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	put(&b, end + 15 * MS, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	put(&b, end + 15 * MS, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)100, "Map", 0u);
	put(&b, end + 15 * MS, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	block_end(&b, end + 34 * MS);
	block_begin(&b, 0, 0);
	put_run(&b, 1, 1);
	put_stop(&b, 10 * MS, 1, STOP_YIELD);
	put_gc(&b, 10 * MS, 16 * MS, end, 0);
	put_run(&b, end + 10, 1);
	put_stop(&b, end + 14 * MS, 1, STOP_YIELD);
	put_gc(&b, 0, end + 14 * MS, end + 17 * MS, 1);
	put_run(&b, end + 17 * MS + 10, 1);
	put_stop(&b, end + 34 * MS, 1, STOP_FINISHED);
	block_end(&b, end + 34 * MS);
	block_begin(&b, 1, 0);
	put_run(&b, 1, 2);
	put_stop(&b, 16 * MS, 2, STOP_MVAR);
	block_end(&b, end + 34 * MS);
	log_end(&b);
	struct evl_log *log = walked(&b);
	compare_range(log, "a share", 0, UINT64_MAX);
	assert_int_equal(raised_in[FINDING_GC_SHARE] - before, is);
	done(log, &b);
}

/* A collection of `ms` in 100 ms, in a log that holds no events of threads: then all of them may have been active. */
static void expect_share_without_threads(unsigned ms, bool is)
{
	enum { MS = 1000000, END = 100 };
	struct built b = log_begin();
	uint64_t before = raised_in[FINDING_GC_SHARE];
	block_begin(&b, 0, 0);
	put(&b, 1, EVL_USER_MARKER, "s1", "begin");
	put_gc(&b, 0, 10 * MS, (10 + ms) * (uint64_t)MS, 0);
	put(&b, (uint64_t)END * MS, EVL_USER_MARKER, "s1", "end");
	block_end(&b, (uint64_t)END * MS);
	log_end(&b);
	struct evl_log *log = walked(&b);
	compare_range(log, "a share of all", 0, UINT64_MAX);
	assert_int_equal(raised_in[FINDING_GC_SHARE] - before, is);
	done(log, &b);
}

static void shares(void **state)
{
	uint64_t census = raised_in[FINDING_GC_CENSUS], late = raised_in[FINDING_GC_SYNC_THREAD];
	expect_share_without_threads(19, false);
	expect_share_without_threads(22, true);
	(void)state;
	expect_share(10, false);
	expect_share(20, true);
	assert_int_equal(raised_in[FINDING_GC_CENSUS], census);
	assert_int_equal(raised_in[FINDING_GC_SYNC_THREAD], late + 2);
}

/* Collections by four threads, a quarter of whose work is in balance; in each of them some capabilities post that they worked, in
 * the longest ones none or all. */
static void threads_that_worked(void **state)
{
	enum { GCS = 150, MS = 1000000, CAPS = 4 };
	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		struct built b = log_begin();
		unsigned working[GCS];
		for (unsigned i = 0; i < GCS; i++)
			working[i] = i < 5 ? CAPS * (round % 2) : 1 + (i * 7 + i / 3) % (1 + round / 3);
		for (unsigned cap = 0; cap < CAPS; cap++) {
			block_begin(&b, (uint16_t)cap, 1);
			put_run(&b, 1 + cap, 1 + cap);
			put_stop(&b, 100 + cap, 1 + cap, STOP_FINISHED);
			for (unsigned i = 0; i < GCS; i++) {
				uint64_t t = (i + 1) * (uint64_t)MS, end = t + MS / 2 - 1000 * i;
				if (cap > 0 && cap >= working[i])
					continue;
				put(&b, t + cap, EVL_GC_START, "");
				if (cap < working[i])
					put(&b, t + cap + 1, EVL_GC_WORK, "");
				if (cap == 0)
					put(&b, end, EVL_GC_STATS_GHC, "428884888", 0u, 0u, (uint64_t)4000, (uint64_t)0,
						(uint64_t)0, (unsigned)CAPS, (uint64_t)3000, (uint64_t)4000,
						(uint64_t)(i % 10 ? 1000 : 3900)); /* those are balanced */
				put(&b, end, EVL_GC_END, "");
			}
			block_end(&b, (GCS + 2) * (uint64_t)MS);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare_range(log, "threads that worked", 0, UINT64_MAX);
		compare_range(log, "threads that worked", 100 * MS, UINT64_MAX);
		done(log, &b);
	}
	assert_true(threads_advised[false] > 0 && threads_advised[true] > 0);
}

/* Sparks are densest where the last event of the log fizzles. */
static void last_spark(void **state)
{
	enum { N = 20, LAST = 1600 };
	(void)state;
	for (unsigned n = 0; n < 3; n++) { /* at the end */
		struct built b = log_begin();
		uint64_t before = raised_in[FINDING_SPARKS_FIZZLED];
		for (uint16_t cap = 0; cap < 2; cap++) {
			block_begin(&b, cap, 0);
			for (unsigned i = 0; i < N && cap == 0; i++)
				put(&b, 10 * i, EVL_SPARK_CREATE, "");
			for (unsigned i = 0; i < N - n && cap == 0; i++)
				put(&b, 10 * N + 40 * i, EVL_SPARK_FIZZLE, "");
			for (unsigned i = 0; i < n && cap == 0; i++)
				put(&b, LAST, EVL_SPARK_FIZZLE, "");
			block_end(&b, LAST);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare_range(log, "the last spark", 0, UINT64_MAX);
		compare_range(log, "the last spark", 0, LAST);
		assert_int_equal(raised_in[FINDING_SPARKS_FIZZLED], before + 2);
		done(log, &b);
	}
}

/* Events of single sparks as GHC 7.0 wrote them are events of sparks, too. */
static void old_sparks(void **state)
{
	(void)state;
	for (int old = 0; old < 2; old++) {
		struct built b = log_begin();
		uint64_t before = raised_in[FINDING_NO_SPARKS];
		for (uint16_t cap = 0; cap < 2; cap++) {
			block_begin(&b, cap, 1);
			put_run(&b, 1, 1 + cap);
			if (old)
				put(&b, 10, cap ? EVL_STEAL_SPARK : EVL_RUN_SPARK, cap ? "42" : "4", 1u + cap, 0u);
			put_stop(&b, 100, 1 + cap, STOP_FINISHED);
			block_end(&b, 200);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare_range(log, "old sparks", 0, UINT64_MAX);
		assert_int_equal(raised_in[FINDING_NO_SPARKS], before + !old);
		done(log, &b);
	}
}

/* A biographical profile writes its samples when the program ends, each with the time of its census. */
static void biography(void **state)
{
	enum { MS = 1000000, END = 100 };
	(void)state;
	for (unsigned at = 0; at < 60; at += 5) {
		struct built b = log_begin();
		uint64_t before = raised_in[FINDING_GC_CENSUS];
		block_begin(&b, EVL_NO_CAP, 1);
		put(&b, END * MS, EVL_HEAP_BIO_PROF_SAMPLE_BEGIN, "88", (uint64_t)1, (uint64_t)at * MS);
		put(&b, END * MS, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)1);
		block_end(&b, END * MS);
		block_begin(&b, 0, 0);
		put_run(&b, 1, 1);
		put_stop(&b, 10 * MS, 1, STOP_YIELD);
		put_gc(&b, 0, 10 * MS, 18 * MS, 1);
		put_run(&b, 18 * MS + 10, 1);
		put_stop(&b, 40 * MS, 1, STOP_YIELD);
		put_gc(&b, 0, 40 * MS, 52 * MS, 1);
		put_run(&b, 52 * MS + 10, 1);
		put_stop(&b, END * MS, 1, STOP_FINISHED);
		block_end(&b, END * MS);
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare_range(log, "biography", 0, UINT64_MAX);
		assert_int_equal(
			raised_in[FINDING_GC_CENSUS], before + ((at >= 10 && at < 18) || (at >= 40 && at < 52)));
		done(log, &b);
	}
}

/* Given logs, look at these only. */
int main(int argc, char **argv)
{
	const struct CMUnitTest real[] = {cmocka_unit_test(real_logs)};
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(heap_steps),
		cmocka_unit_test(growth), cmocka_unit_test(stop), cmocka_unit_test(fall),
		cmocka_unit_test(few_collections), cmocka_unit_test(shares), cmocka_unit_test(threads_that_worked),
		cmocka_unit_test(last_spark), cmocka_unit_test(old_sparks), cmocka_unit_test(biography)};
	given = argv + (argc > 0);
	return argc > 1 ? cmocka_run_group_tests(real, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
