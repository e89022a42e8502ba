/* findings_gc.c - findings about collections. */
#include "report/findings_private.h"

#include "base/gallop.h"
#include "base/units.h"
#include "log/rts_flags.h"
#include "query/gc_detail.h"
#include "query/idle_why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AREA_ROOM = 64, GC_PARTS = 40, LEAST_AREA = 1 << 20 };

bool find_GC_CENSUS(const struct finding_case *c, struct finding *out)
{
	const struct census_gcs *census = &c->f->census;
	double ns = (double)census->range_ns;
	bool one = census->touching == 1;
	uint64_t before = census->touching - census->n;
	char begun[TEXT_ROOM + 48] = "", longest[TEXT_ROOM + 16] = "",
			       own[TEXT_ROOM + 48] = "no other pause starts there";
	if (!(ns > 0.02 * c->total) || ns < FINDING_LEAST_NS)
		return false;
	if (before)
		snprintf(begun, sizeof begun, ", %s%sbegun outside of the %s,", one ? "" : as_count(before),
			one ? "" : " of them ", finding_range(c));
	if (!one)
		snprintf(longest, sizeof longest, ", the longest %s", as_duration(census->most_ns));
	if (census->own_longest)
		snprintf(own, sizeof own, "without %s the longest pause is %s", one ? "it" : "them",
			as_duration(census->own_longest));
	finding_say(out, "%s collection%s for %s%s took %s%s; %s", as_count(census->touching), one ? "" : "s",
		one ? "a heap census" : "heap censuses", begun, as_value(UNIT_NS, ns), longest, own);
	const char *profile = rts_heap_profile(c->log);
	char advice[FINDING_ADVICE];
	snprintf(advice, sizeof advice, "%s%s to measure time, or with a longer -i for fewer censuses",
		FINDING_NO_CENSUS, strlen(profile) > 2 ? profile + 2 : "");
	finding_advise(out, advice);
	finding_place(out, census->at);
	finding_stake_ns(out, c, ns);
	return finding_about(out, c, METRIC_GC_CENSUS_TIME);
}

enum { EXPLAINED_TEXT = 192 };

/* "; other findings count 229 ms of it (heap censuses, threads that stopped last)": time that these explain, after `link`.
 * late: that of late_ns, or a part of it. */
static const char *explained_text(
	const struct finding_case *c, double census, double late, double minor, const char *link, char *out)
{
	const struct {
		enum finding_id id;
		double ns;
		const char *name;
	} others[] = {{FINDING_GC_CENSUS, census, "heap censuses"},
		{FINDING_GC_SYNC_THREAD, late, "threads that stopped last"},
		{FINDING_OVERSUBSCRIBED, late, "waits after all had stopped"},
		{FINDING_GC_MINOR, minor, "minor collections"}};
	const double explained = census + late + minor;
	size_t len = 0, n = 0;
	*out = '\0';
	if (!(explained > 0))
		return out;
	len = (size_t)snprintf(
		out, EXPLAINED_TEXT, "%s other findings count %s of it (", link, as_value(UNIT_NS, explained));
	for (size_t i = 0; i < countof(others); i++)
		if (others[i].ns > 0 && finding_stake_of(c, others[i].id) > 0)
			len += (size_t)snprintf(
				out + len, EXPLAINED_TEXT - len, "%s%s", n++ ? ", " : "", others[i].name);
	snprintf(out + len, EXPLAINED_TEXT - len, ")");
	return out;
}

/* The time of waiting for collections that findings above explain. */
static double late_ns(const struct finding_case *c)
{
	return finding_stake_of(c, FINDING_GC_SYNC_THREAD) + finding_stake_of(c, FINDING_OVERSUBSCRIBED);
}

static uint64_t overlap(const struct gc_row *gc, uint64_t from, uint64_t to)
{
	return sub_or_0(min_u64(gc_end(gc), to), max_u64(gc_requested(gc), from));
}

/* The time of collections that heap censuses asked for, in [from, to). */
static uint64_t census_ns(const struct evl_log *log, uint64_t from, uint64_t to)
{
	size_t n = census_count(&log->census);
	const struct gc_row *last = gcs_at(&log->gcs, from);
	uint64_t ns = last && gc_is_for_census(log, last) ? overlap(last, from, to) : 0;
	BISECT(i, n, census_at(&log->census, mid)->t < from);
	for (; i < n; i++) {
		uint64_t t = census_at(&log->census, i)->t;
		const struct gc_row *gc = gcs_at(&log->gcs, t);
		if ((gc ? gc_requested(gc) : t) >= to)
			break;
		if (gc && gc != last && gc_is_for_census(log, gc))
			ns += overlap(gc, from, to);
		last = gc ? gc : last;
	}
	return ns;
}

/* The first collection of the program that starts in [from, to). */
static const struct gc_row *first_own(const struct evl_log *log, uint64_t from, uint64_t to)
{
	const struct gc_row *gc = gcs_after(&log->gcs, from ? from - 1 : 0, GC_ALL);
	while (gc && gc->start < to && gc_is_for_census(log, gc))
		gc = gcs_after(&log->gcs, gc->start, GC_ALL);
	return gc && gc->start < to ? gc : NULL;
}

/* The longest pauses, longest first. */
struct longest {
	const struct gc_row *gc;
	size_t own, all; /* number of those passed: of the program; with those for censuses */
};

/* Go on to the next of the program: of the first hundred, and of the first thousand of all; of windows, of those listed. */
static bool next_longest(const struct finding_case *c, struct longest *at)
{
	enum { OWN = 100 };
	const struct figures *f = c->f;
	struct finding_pauses *all = c->pauses;
	if (!f->windows.label && !all->known)
		all->n = gcs_ranking(&c->log->gcs, f->from, f->to, all->rows, FINDING_PAUSES);
	all->known = true;
	do {
		if (at->own == OWN || at->all == (f->windows.label ? f->n_longest : all->n))
			return false;
		at->gc = f->windows.label ? &f->longest[at->all] : all->rows[at->all];
		at->all++;
	} while (gc_is_for_census(c->log, at->gc));
	at->own++;
	return true;
}

/* Place the finding at the longest pause of the program for which this holds, and return it; NULL: it is not among the
 * first. */
static const struct gc_row *place_longest(const struct finding_case *c, struct finding *out,
	bool (*holds)(const struct evl_log *log, const struct gc_row *gc))
{
	struct longest at = {0};
	while (next_longest(c, &at))
		if (holds(c->log, at.gc)) {
			finding_place(out, gc_requested(at.gc));
			return at.gc;
		}
	return NULL;
}

static bool is_any(UNUSED const struct evl_log *log, UNUSED const struct gc_row *gc) { return true; }

static bool is_minor(const struct evl_log *log, const struct gc_row *gc) { return !gc_is_major(&log->gcs, gc); }

/* A fortieth of the range in which the program's collections took much time. */
struct busy_part {
	const struct evl_log *log;
	uint64_t first, last;         /* the range */
	uint64_t best, from, to, end; /* end: of the pause at `from` */
};

/* Is more of that from this collection on? Of equals, the first that was looked at is kept. */
static void look_from(struct busy_part *p, const struct gc_row *gc)
{
	uint64_t from = max_u64(gc_requested(gc), p->first),
		 part = column_edge(p->first, p->last, GC_PARTS, 1) - p->first;
	uint64_t to = min_u64(from + max_u64(part, 1), p->last);
	struct gc_sum sum;
	if (from >= to)
		return;
	gcs_sum(&p->log->gcs, from, to, &sum);
	uint64_t ns = sub_or_0(sum.minor_ns + sum.major_ns + sum.sync_ns, census_ns(p->log, from, to));
	if (ns <= p->best)
		return;
	p->best = ns;
	p->from = from;
	p->to = to;
	p->end = min_u64(gc_end(gc), p->last);
}

/* Show the part in which the program's collections took the most time, of those that start with one of the longest pauses or
 * with the first collection of a fortieth of the range; of equals, the longest pause. If the pause is longer than the part, or of
 * windows, show the longest pause. */
static void place_busy(const struct finding_case *c, struct finding *out)
{
	struct busy_part p = {.log = c->log};
	struct longest at = {0};
	if (c->f->windows.label) {
		place_longest(c, out, is_any);
		return;
	}
	if (!evl_range(c->log, &p.first, &p.last))
		return;
	p.first = max_u64(p.first, c->f->from);
	p.last = min_u64(p.last + 1, c->f->to);
	while (next_longest(c, &at))
		look_from(&p, at.gc);
	for (int i = 0; i < GC_PARTS && p.first < p.last; i++) {
		const struct gc_row *gc = first_own(c->log, column_edge(p.first, p.last, GC_PARTS, i),
			column_edge(p.first, p.last, GC_PARTS, i + 1));
		if (gc)
			look_from(&p, gc);
	}
	if (p.best && p.end >= p.to)
		finding_longest(out, p.from, p.end);
	else if (p.best)
		finding_part(out, p.from, p.to);
}

/* The first minor collection that starts in [from, to). */
static const struct gc_row *first_minor(const struct evl_log *log, uint64_t from, uint64_t to)
{
	const struct gc_row *gc = gcs_after(&log->gcs, from ? from - 1 : 0, GC_ALL);
	while (gc && gc->start < to && gc_is_major(&log->gcs, gc))
		gc = gcs_after(&log->gcs, gc->start, GC_ALL);
	return gc && gc->start < to ? gc : NULL;
}

/* Show the first fortieth of the range with minor collections in which most collections start, from the first of these minor
 * collections on; of windows, the longest minor pause. */
static void place_dense(const struct finding_case *c, struct finding *out)
{
	uint64_t first = c->f->from, last = c->f->until; /* with the last event of the log */
	size_t most = 0;
	if (c->f->windows.label) {
		place_longest(c, out, is_minor);
		return;
	}
	for (int i = 0; i < GC_PARTS && first < last; i++) {
		uint64_t from = column_edge(first, last, GC_PARTS, i), to = column_edge(first, last, GC_PARTS, i + 1);
		struct gc_sum sum = {0};
		if (from < to)
			gcs_sum(&c->log->gcs, from, to, &sum);
		if (!sum.minor || sum.n <= most)
			continue;
		most = sum.n;
		const struct gc_row *gc = first_minor(c->log, from, to);
		finding_part(out, gc ? max_u64(gc_requested(gc), c->f->from) : from, to);
	}
}

/* Sums over the longest pauses of the program. */
struct longest_sums {
	uint64_t n, ns;
	uint64_t major;             /* number of major ones */
	uint64_t forced, forced_ns; /* of these, those that performGC or the exit asked for */
	/* of the others, from GC_START to GC_END; and the part of it that their bytes take at the usual rate: a nonmoving
	 * collector would shorten that */
	uint64_t unforced_ns, shortened_ns;
	const struct gc_row *first; /* the longest that was not forced */
};

/* The time of a collection that copying explains; all of it, if the log does not tell. */
static uint64_t copying_ns(const struct finding_case *c, const struct gc_row *gc)
{
	struct gc_stats stats;
	const struct gen_figures *gen = figures_gen(c->f, gc);
	for (size_t i = 0; i < c->f->n_longest; i++) /* as the summary and the inspector tell of it */
		if (c->f->longest[i].start == gc->start && c->f->longest_copying[i].others)
			return min_u64(gc->elapsed, c->f->longest_copying[i].ns);
	return gen && gen->usual > 0 && gc_stats(c->log, gc, &stats)
		? min_u64(gc->elapsed, gc_rate_ns(stats.copied, gen->usual))
		: gc->elapsed;
}

static struct longest_sums sum_longest(const struct finding_case *c, uint64_t least_ns)
{
	struct longest_sums sums = {0};
	struct longest at = {0};
	while (next_longest(c, &at) && gc_pause(at.gc) >= least_ns) {
		bool forced = gc_why(c->log, at.gc) & GC_WHY_FORCED, major = gc_is_major(&c->log->gcs, at.gc);
		sums.n++;
		sums.ns += gc_pause(at.gc);
		sums.forced += forced;
		sums.forced_ns += forced ? gc_pause(at.gc) : 0;
		sums.major += major;
		sums.first = sums.first || forced ? sums.first : at.gc;
		sums.unforced_ns += !forced && major ? at.gc->elapsed : 0;
		sums.shortened_ns += !forced && major ? copying_ns(c, at.gc) : 0;
	}
	return sums;
}

/* The time of major collections that no heap census asked for. */
static double own_major(const struct finding_case *c)
{
	return fmax(c->v[METRIC_TIME_GC_MAJOR] - (double)c->f->census.collecting_ns, 0);
}

/* The same, if they are several and took more than the minor ones that no other finding explains; 0: they did not. */
static double mostly_major(const struct finding_case *c)
{
	enum { SEVERAL = 3 };
	double n = c->v[METRIC_GC_MAJOR_N] - (double)c->f->census.n;
	double minor = c->v[METRIC_TIME_GC_MINOR] - finding_stake_of(c, FINDING_GC_MINOR);
	return n >= SEVERAL && own_major(c) > minor ? own_major(c) : 0;
}

/* "; a pause from 0.062756 s to 0.087736 s covers 17.2 ms of this range": most of this time of collections, though none of it
 * starts there. */
static const char *cut_text(const struct finding_case *c, double ns, char *out, size_t room)
{
	struct cut_gcs cut = figures_cut_gcs(c->f, c->log);
	bool ends = figures_cut_ns(c->f, cut.end) > figures_cut_ns(c->f, cut.begin);
	const struct gc_row *gc = ends ? cut.end : cut.begin;
	uint64_t part = figures_cut_ns(c->f, gc);
	*out = '\0';
	if (gc && (double)part > ns / 2)
		snprintf(out, room, "; a pause from %s to %s covers %s of this range",
			as_value(UNIT_MOMENT, (double)gc_requested(gc)), as_value(UNIT_MOMENT, (double)gc_end(gc)),
			as_duration(part));
	return out;
}

bool find_GC_SHARE(const struct finding_case *c, struct finding *out)
{
	char others[EXPLAINED_TEXT], sync[TEXT_ROOM + 48] = "", of_range[3 * TEXT_ROOM + 80],
						      of_active[TEXT_ROOM + 24] = "", forced[2 * TEXT_ROOM + 64] = "",
						      in_major[TEXT_ROOM + 48] = "", cut[3 * TEXT_ROOM + 48];
	double census = (double)c->f->census.range_ns, late = late_ns(c);
	double minor = finding_stake_of(c, FINDING_GC_MINOR);
	double both = c->v[METRIC_TIME_GC] + c->v[METRIC_TIME_GC_SYNC] - census - late;
	bool idle_known = !isnan(c->active); /* else the active time is at most the range */
	double active = idle_known ? c->active : c->total;
	if (!(both > 0.2 * (active - census)) || both < FINDING_LEAST_NS)
		return false;
	bool waits = 2 * (c->v[METRIC_TIME_GC_SYNC] - late) > both - minor;
	double all = c->v[METRIC_TIME_GC] + c->v[METRIC_TIME_GC_SYNC];
	if (c->v[METRIC_TIME_GC_SYNC] > 0)
		snprintf(sync, sizeof sync, "; %s in GC sync", as_value(UNIT_NS, c->v[METRIC_TIME_GC_SYNC]));
	const double own = fmax(both - minor, 0);
	if (own < 0.99 * all)
		snprintf(of_range, sizeof of_range, "%s (%s of the %s)", as_value(UNIT_NS, all),
			as_share(all / c->total), finding_range(c));
	else /* its cost tells the share */
		snprintf(of_range, sizeof of_range, "%s", as_value(UNIT_NS, all));
	if (idle_known && !(all > 0.2 * c->total))
		snprintf(of_active, sizeof of_active, ", %s of its active time", as_share(all / active));
	struct longest_sums longest = sum_longest(c, 0);
	bool are_forced = longest.forced_ns > longest.ns / 2;
	if (are_forced)
		snprintf(forced, sizeof forced, "; %s of the %s longest pause%s forced (performGC, or at exit)",
			as_count(longest.forced), as_count(longest.n), longest.n == 1 ? " was" : "s were");
	double major = are_forced ? 0 : mostly_major(c);
	if (major > 0 && !waits)
		snprintf(in_major, sizeof in_major, "%s %s in major ones", *sync ? "," : ";", as_value(UNIT_NS, major));
	finding_say(out, "collections took %s%s%s%s%s%s%s", of_range, of_active,
		explained_text(c, finding_stake_of(c, FINDING_GC_CENSUS), late, minor, ",", others), sync, in_major,
		cut_text(c, all, cut, sizeof cut), forced);
	place_busy(c, out);
	finding_stake_ns(out, c, own);
	/* a larger allocation area saves minor collections and their sync, but not waits for threads that do not stop */
	out->saves = fmax(both - minor - own_major(c), 0);
	if (c->v[METRIC_TIME_GC_MINOR] <= 0 || are_forced || waits) {
		*out->flag = '\0';
	} else if (major > 0) { /* a larger factor, major ones */
		snprintf(out->flag, sizeof out->flag, "-F4");
		out->saves = major;
	}
	return finding_about(out, c, METRIC_TIME_GC);
}

/* ", 8 of them major, 2 of them forced (performGC, or at exit)", of n pauses of 10 ms or more. major: UINT64_MAX: unknown. */
static void kinds_text(const struct longest_sums *longest, uint64_t n, uint64_t major, char *out, size_t room)
{
	int len = 0;
	*out = '\0';
	if (longest->forced != n && n > 1 && major != UINT64_MAX)
		len = major == n ? snprintf(out, room, ", all major")
			: major  ? snprintf(out, room, ", %s of them major", as_count(major))
				 : snprintf(out, room, ", all minor");
	out += len;
	room -= (size_t)len;
	if (longest->forced == n)
		snprintf(out, room, ", %sforced (performGC, or at exit)", n > 1 ? "all " : "");
	else if (longest->forced)
		snprintf(out, room, ", %s of %s%s forced (performGC, or at exit)", as_count(longest->forced),
			longest->n < n ? "the longest " : "them", longest->n < n ? as_count(longest->n) : "");
}

/* As the flag -A says it: "4 MiB (-A4m)". */
static const char *area_text(uint64_t bytes, char *out)
{
	unsigned long long mib = bytes >> 20;
	if (bytes && bytes == mib << 20)
		snprintf(out, AREA_ROOM, "%llu MiB (-A%llum)", mib, mib);
	else if (bytes)
		snprintf(out, AREA_ROOM, "%llu KiB (-A%lluk)", (unsigned long long)bytes >> 10,
			(unsigned long long)bytes >> 10);
	else
		snprintf(out, AREA_ROOM, "unknown");
	return out;
}

/* Long minor collections are mostly those that copy more than others, or else the log does not say why. Most of the long
 * pauses are such: what to do. */
static void minor_text(
	const struct finding_case *c, uint64_t n, double here, struct finding *found, char *out, size_t room)
{
	const struct figures *f = c->f;
	struct gc_gen all = {0};
	char area[AREA_ROOM];
	uint64_t alloc_area = program_get(&c->log->program).alloc_area;
	uint64_t most = 0;
	double usual = 0; /* of the minor generation that copied most */
	for (size_t i = 0; i < f->n_gens; i++)
		if (f->gens[i].gen < gcs_oldest(&c->log->gcs)) {
			all.n += f->gens[i].sum.n;
			all.copied += f->gens[i].sum.copied;
			usual = f->gens[i].sum.copied > most ? f->gens[i].usual : usual;
			most = max_u64(most, f->gens[i].sum.copied);
		}
	*out = '\0';
	if (n == 0 || !all.copied || !f->long_minor_elapsed || (double)f->long_minor_ns <= here / 2)
		return;
	double explained = fmin(1, (double)gc_rate_ns(f->long_minor_copied, usual) / (double)f->long_minor_elapsed);
	int len = snprintf(out, room,
		"; the minor ones copied %s each, %.1f times the mean of all minor ones, which at the usual rate "
		"explains %s of their time",
		as_bytes(f->long_minor_copied / n),
		(double)f->long_minor_copied / (double)n * (double)all.n / (double)all.copied, as_share(explained));
	if (explained < 0.5)
		snprintf(out + len, room - (size_t)len,
			"; each also scans mutable arrays, stacks that ran and threads; it could also be a busy "
			"machine");
	else if (alloc_area > LEAST_AREA) {
		snprintf(out + len, room - (size_t)len, "; allocation area %s", area_text(alloc_area, area));
		finding_advise(found, FINDING_SMALLER_AREA);
		found->saves = 0; /* it is copied in smaller parts, more often */
	}
}

bool find_GC_PAUSES(const struct finding_case *c, struct finding *out)
{
	const struct figures *f = c->f;
	char others[EXPLAINED_TEXT], kinds[2 * TEXT_ROOM + 96], minors[2 * TEXT_ROOM + 200];
	uint64_t n = f->long_n - f->census.long_n, ns = f->long_ns - f->census.long_ns;
	uint64_t most = f->census.n ? f->census.own_longest : f->n_longest ? gc_pause(&f->longest[0]) : 0;
	double here = (double)(f->long_in_ns - f->census.long_in_ns);
	/* that of short pauses, too, but not of one that starts after the range: it is none of these */
	double others_late = fmax(late_ns(c) - (double)figures_cut_ns(f, figures_cut_gcs(f, c->log).end), 0);
	double sync = fmin(others_late, (double)(f->long_sync_ns - f->census.long_sync_ns));
	double minor = fmin(finding_stake_of(c, FINDING_GC_MINOR), (double)f->long_minor_ns);
	if (n == 0 || here <= sync)
		return false;
	struct longest_sums longest = sum_longest(c, LONG_PAUSE_NS);
	/* those for censuses are major, if it is known of all */
	bool known = f->long_major_n + f->long_minor_n == f->long_n;
	kinds_text(&longest, n, known ? f->long_major_n - f->census.long_n : UINT64_MAX, kinds, sizeof kinds);
	minor_text(c, f->long_minor_n, here, out, minors, sizeof minors);
	bool unforced = longest.unforced_ns > longest.ns / 2, threaded = rts_is_threaded(c->log);
	bool copied = unforced && longest.shortened_ns > longest.unforced_ns / 2;
	bool major_first = copied && gc_is_major(&c->log->gcs, longest.first);
	bool shortened = major_first && copying_ns(c, longest.first) > longest.first->elapsed / 2;
	if (copied && !major_first)
		snprintf(minors, sizeof minors, "; the longest%s is a minor one",
			longest.forced ? " that was not forced" : "");
	else if (copied && !shortened)
		snprintf(minors, sizeof minors, "; copying at the usual rate explains only %s of the longest%s",
			as_duration(copying_ns(c, longest.first)), longest.forced ? " that was not forced" : "");
	if (unforced && !copied)
		snprintf(minors, sizeof minors, "; copying at the usual rate explains %s of the time of %s major %s",
			as_share((double)longest.shortened_ns / (double)longest.unforced_ns),
			longest.n < n ? "the longest" : "the", longest.major == 1 ? "one" : "ones");
	bool build = shortened && !threaded && program_get(&c->log->program).rts.len
		&& rts_flag_helps(c->log, finding_flag(out->id));
	finding_say(out, "%s pause%s of 10 ms or more (%s%s%s)%s%s%s%s", as_count(n), n == 1 ? "" : "s",
		n == 1 ? "" : as_duration(ns), n == 1 ? "" : " in total, the longest ", as_duration(most), kinds,
		f->census.long_n ? ", not counting those for heap censuses" : "",
		explained_text(c, 0, sync, minor, ";", others), minors);
	finding_place(out, f->census.n ? f->census.own_at : gc_requested(&f->longest[0]));
	finding_stake_ns(out, c, fmax(here - sync - minor, 0));
	/* the nonmoving collector shortens major collections of the threaded RTS */
	if (!shortened || !threaded)
		*out->flag = '\0';
	if (shortened)
		finding_advise(out, build ? FINDING_BUILD_THREADED : "");
	if (shortened)
		out->saves = fmin((double)longest.shortened_ns, (double)out->stake);
	return finding_about(out, c, METRIC_GC_PAUSE_MAX);
}

/* ", where thread 9 "middle" ran for 40.5 ms of it": on the capability of the longest delay, if another thread than the last one
 * ran longest. */
static const char *longest_ran(
	const struct finding_case *c, const struct gc_row *gc, uint32_t last, char *out, size_t room)
{
	struct gc_late late;
	struct gc_late_threads threads;
	char name[FINDING_NAME];
	*out = '\0';
	if (!gc)
		return out;
	gc_late(c->log, gc, &late);
	if (late.by_thread && late.run.thread == last && gc_late_threads(c->log, gc, &late, &threads) && threads.most_ns
		&& threads.most != last)
		snprintf(out, room, ", where %s ran for %s of it", finding_thread(c, threads.most, name),
			as_duration(threads.most_ns));
	return out;
}

/* Did the thread run for most of the time until it stopped? */
static bool ran_on(const struct gc_delay_thread *t) { return t->ran >= t->ns - t->ran; }

/* Else what took the rest, in the collection in which it ran longest or in general. */
static const char *blame_text(const struct finding_case *c, const struct gc_row *gc,
	const struct gc_delay_thread *worst, char *out, size_t room)
{
	struct gc_late late = {0};
	if (ran_on(worst))
		return "";
	if (gc)
		gc_late(c->log, gc, &late);
	if (late.left <= late.run.late / 2)
		return "; for the rest, its capability was idle, ran other threads or was still in the previous GC";
	snprintf(out, room, "; its capability was still in the previous GC for %s of %s then", as_duration(late.left),
		as_duration(late.run.late));
	return out;
}

/* When the thread that stopped last runs after the request, or else the request. */
static uint64_t runs_late(const struct finding_case *c, const struct gc_row *gc, uint32_t thread)
{
	struct gc_late late;
	gc_late(c->log, gc, &late);
	return gc_requested(gc) + (late.run.thread == thread ? sub_or_0(late.run.late, late.run.ran) : 0);
}

bool find_GC_SYNC_THREAD(const struct finding_case *c, struct finding *out)
{
	const struct gc_laggards *s = &c->f->blamed;
	const struct gc_row *gc = gcs_at(&c->log->gcs, s->worst.at);
	char thread[FINDING_NAME], other[FINDING_NAME + TEXT_ROOM + 32], blame[2 * TEXT_ROOM + 64],
		part[TEXT_ROOM] = "most";
	double ns = (double)s->thread_ns;
	if (!(ns > 0.02 * c->active) || ns < FINDING_LEAST_NS || !s->has_worst)
		return false;
	if (s->worst.ns < s->thread_ns - s->thread_ns / 100)
		snprintf(part, sizeof part, "%s of it", as_duration(s->worst.ns));
	finding_say(out,
		"collections waited %s for threads to stop, %s for %s, the last to stop in %s of them; it ran for "
		"%s of that, %s at most (on cap %u%s)%s",
		as_value(UNIT_NS, ns), part, finding_thread(c, s->worst.thread, thread), as_count(s->worst.n),
		as_duration(s->worst.ran), as_duration(s->worst.longest), (unsigned)s->worst.cap,
		longest_ran(c, gc, s->worst.thread, other, sizeof other),
		blame_text(c, gc, &s->worst, blame, sizeof blame));
	finding_place(out, gc ? runs_late(c, gc, s->worst.thread) : s->worst.at);
	if (ran_on(&s->worst))
		finding_advise(out, FINDING_YIELDS);
	out->thread = s->worst.thread;
	finding_stake_ns(out, c, ns);
	return finding_about(out, c, METRIC_GC_SYNC_THREAD);
}

/* Show the longest wait of more than 1 ms after all threads had stopped. */
static void place_rest(const struct finding_case *c, struct finding *out)
{
	uint64_t most = 0;
	struct longest at = {0};
	while (next_longest(c, &at)) {
		struct gc_late late;
		gc_late(c->log, at.gc, &late);
		if (!gc_late_waits(&late) || late.rest <= most)
			continue;
		most = late.rest;
		finding_place(out, gc_requested(at.gc) + late.run.late);
	}
}

/* Collections whose work is shared less evenly are reported. */
static const double balance_least = 0.3;

/* Is the work balance of this collection below the bound of the finding? */
static bool is_one_sided(const struct evl_log *log, const struct gc_row *gc)
{
	struct gc_stats s;
	if (!gc_stats(log, gc, &s) || s.par_threads < 2 || s.par_max_copied == 0)
		return false;
	double copied = (double)s.par_copied, most = (double)s.par_max_copied;
	return (s.has_balanced ? (double)s.par_balanced / copied : (copied / most - 1) / (double)(s.par_threads - 1))
		< balance_least;
}

enum { CALLS_TEXT = FINDING_NAME + TEXT_ROOM + 96 };

/* "; in the longest, 3 threads were in safe foreign calls (…), which may use processors, too": other threads than the managers, which
 * wait in theirs, and than one in performGC, which waits for this collection. The log does not tell whether a call uses one. */
static const char *calls_text(const struct finding_case *c, uint64_t t, char *out)
{
	struct idle_why why;
	char name[FINDING_NAME];
	const struct gc_row *gc = gcs_at(&c->log->gcs, t);
	*out = '\0';
	if (!gc || gc_why(c->log, gc) & GC_WHY_FORCED || !c->f->deep || idle_why_at(&why, c->log, t, NULL)
		|| !why.n_calling)
		return out;
	uint32_t n = why.foreign - why.managers;
	finding_thread(c, why.calling[0], name);
	if (n == 1)
		snprintf(out, CALLS_TEXT,
			"; in the longest, %s was in a safe foreign call, which may use a processor, too", name);
	else
		snprintf(out, CALLS_TEXT,
			"; in the longest, %s%s threads were in safe foreign calls (%s …), which may use processors, "
			"too",
			why.partial ? "at least " : "", as_count(n), name);
	return out;
}

bool find_OVERSUBSCRIBED(const struct finding_case *c, struct finding *out)
{
	enum { LEAST = 5 };
	const struct gc_laggards *s = &c->f->blamed;
	double ns = (double)s->rests_ns;
	char calls[CALLS_TEXT] = "";
	if (s->n_rests < LEAST || !(ns > 0.02 * c->active))
		return false;
	place_rest(c, out);
	finding_say(out,
		"%s collections most likely waited for a processor (more than 1 ms each after all threads had "
		"stopped, %s in total, median %s)%s",
		as_count(s->n_rests), as_value(UNIT_NS, ns), as_duration(s->rest_p50),
		out->has_place ? calls_text(c, out->t, calls) : "");
	if (c->log->n_caps > 1)
		finding_advise(
			out, *calls ? FINDING_FEWER_CAPS ", or fewer foreign calls at once" : FINDING_FEWER_CAPS);
	finding_stake_ns(out, c, ns);
	return finding_about(out, c, METRIC_GC_SYNC_WAKEUP);
}

bool find_GC_MINOR(const struct finding_case *c, struct finding *out)
{
	char area[AREA_ROOM];
	double minor = c->v[METRIC_GC_N] - c->v[METRIC_GC_MAJOR_N], a_second = minor * 1e9 / c->v[METRIC_TIME_MUTATOR];
	uint64_t alloc_area = program_get(&c->log->program).alloc_area;
	if (!(a_second > 500) || !(a_second < 1e18) || !(c->v[METRIC_TIME_GC_MINOR] > 0.05 * c->active)
		|| c->v[METRIC_TIME_GC_MINOR] < FINDING_LEAST_NS)
		return false;
	place_dense(c, out);
	finding_say(out, "%s minor collections per second of mutator time; allocation area %s",
		as_count((uint64_t)a_second), area_text(alloc_area, area));
	finding_stake_ns(out, c, c->v[METRIC_TIME_GC_MINOR]);
	return finding_about(out, c, METRIC_GC_RATE);
}

/* The one-sided collections of the program among its longest pauses: the longest collection, their number, and how many of their GC
 * threads had work to do in all. */
struct one_sided {
	const struct gc_row *longest;
	uint64_t n, working;
	size_t of; /* among this number of the longest pauses; 0: among all of the range */
};

static struct one_sided sum_one_sided(const struct finding_case *c)
{
	struct one_sided sums = {0};
	struct longest at = {0};
	while (next_longest(c, &at)) {
		uint64_t working;
		if (!is_one_sided(c->log, at.gc))
			continue;
		if (!sums.longest || at.gc->elapsed > sums.longest->elapsed)
			sums.longest = at.gc;
		if (!gc_working(c->log, at.gc, &working) || !working)
			continue;
		sums.n++;
		sums.working += working;
	}
	sums.of = (double)at.all >= c->v[METRIC_GC_N] ? 0 : at.own;
	return sums;
}

/* Advise as many GC threads as the work kept busy ("-qn2"), unless no more than those worked on average. Findings are raised
 * where that is less than a third of those that took part; past the table, the number is left to the user: "-qn". */
static void advise_threads(const struct shared_gcs *s, const struct one_sided *one, struct finding *out)
{
	static const int threads[] = {1, 2, 3, 4, 6, 8};
	double busy = 1 + s->balance * ((double)s->threads - 1);
	size_t i = 0;
	while (i + 1 < countof(threads) && fabs(threads[i + 1] - busy) < fabs(threads[i] - busy))
		i++;
	if (one->n && (uint64_t)threads[i] * one->n >= one->working)
		*out->flag = '\0';
	else if (busy <= threads[countof(threads) - 1])
		snprintf(out->flag, sizeof out->flag, "-qn%d", threads[i]);
}

bool find_GC_BALANCE(const struct finding_case *c, struct finding *out)
{
	const struct shared_gcs *s = &c->f->shared;
	if (s->n <= 10 || !(s->balance < balance_least))
		return false;
	char some[3 * TEXT_ROOM + 64] = "";
	struct one_sided one = sum_one_sided(c);
	if (one.longest)
		finding_place(out, one.longest->start);
	char of[2 * TEXT_ROOM] = "them";
	if (one.of)
		snprintf(of, sizeof of, "the %zu longest", one.of);
	if (one.n && one.working < one.n * s->threads)
		snprintf(some, sizeof some, "; %.1f of %s had work to do, on average over %s of %s",
			(double)one.working / (double)one.n, as_count(s->threads), as_count(one.n), of);
	finding_say(out, "one GC thread copied most in %s parallel collections, the others waited (work balance %s)%s",
		as_count(s->n), as_share(s->balance), some);
	/* in perfect balance they would take this much less: 1 + balance (n - 1) of n threads were busy */
	finding_stake_ns(out, c, s->ns * (1 - s->balance) * (1 - 1 / fmax(1, (double)s->threads)));
	advise_threads(s, &one, out);
	return finding_about(out, c, METRIC_GC_WORK_BALANCE);
}
