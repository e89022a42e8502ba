/* findings_sched.c - findings about capabilities, threads and sparks. */
#include "report/findings_private.h"

#include "base/units.h"

#include <stdio.h>

/* --- capabilities and threads --------------------------------------------------------------------------------------- */

/* The thread that certainly ran for most of what a capability ran, however the others ran it: 0, none. */
static uint32_t ran_most_of(const struct finding_case *c, const struct cap_figures *cap, double all_ns)
{
	const struct figures *f = c->f;
	bool lives = f->whole && f->lives.n_top, waits = !f->whole && f->waits && f->waits->n_run;
	if (!lives && !waits)
		return 0;
	double ns = (double)(lives ? f->lives.top[0].ns : f->waits->by_run[0].run_ns);
	double elsewhere = all_ns - (double)cap->run;
	if (!(ns - elsewhere > (double)cap->run / 2))
		return 0;
	return lives ? f->lives.top[0].thread : f->waits->by_run[0].thread;
}

bool find_CAP_ALONE(const struct finding_case *c, struct finding *out)
{
	const struct cap_figures *most = c->f->caps;
	char thread[FINDING_NAME];
	double run = 0;
	for (size_t i = 0; i < c->f->n_caps; i++) {
		run += (double)c->f->caps[i].run;
		most = c->f->caps[i].run > most->run ? &c->f->caps[i] : most;
	}
	if (c->f->n_caps < 2 || !((double)most->run > 0.8 * run) || most->run < FINDING_LEAST_NS)
		return false;
	out->thread = ran_most_of(c, most, run);
	out->has_cap = true;
	out->cap = most->cap;
	double rest = run - (double)most->run;
	finding_say(out, "cap %u ran %s of the %s of all thread time%s%s; %s", most->cap,
		as_share((double)most->run / run), as_duration((uint64_t)run), out->thread ? ", most of it " : "",
		out->thread ? finding_thread(c, out->thread, thread) : "",
		rest > 0.0005 * run ? c->f->n_caps == 2 ? "the other capability ran the rest"
							: "the other capabilities ran the rest"
			: c->f->n_caps == 2
			? rest > 0 ? "the other capability was almost unused" : "the other capability was unused"
			: rest > 0 ? "the other capabilities were almost unused"
				   : "the other capabilities were unused");
	finding_stake_ns(out, c, (double)most->run - run / (double)c->f->n_caps);
	return finding_about(out, c, METRIC_CAP_MOST);
}

/* --- the critical path -------------------------------------------------------------------------------------------- */

/* A thread's time on the path in foreign calls, or waiting for timers. */
static uint64_t time_in(const struct path_thread *t, enum path_what what)
{
	return what == PATH_TIMER ? t->timer_ns : t->ns[path_part_of(what)];
}

/* Return the thread with the longest. */
static const struct path_thread *most_of(const struct path *p, enum path_what what)
{
	const struct path_thread *best = NULL;
	for (size_t i = 0; i < p->n_threads; i++)
		if (!best || time_in(&p->threads[i], what) > time_in(best, what))
			best = &p->threads[i];
	return best;
}

/* "… for 363 ms (94%) …", where it is more than so large a part of `whole`. */
static bool held_by(const struct finding_case *c, struct finding *out, enum path_what what, double part_of_whole,
	double whole, const char *subject)
{
	const struct path *p = &c->f->path;
	const struct path_thread *most = most_of(p, what);
	const struct path_segment *longest = NULL;
	double ns = (double)p->by_what[what];
	char thread[FINDING_NAME];
	if (!most || !(whole > 0) || !(ns > part_of_whole * whole) || !(ns >= FINDING_LEAST_NS))
		return false;
	for (size_t i = 0; i < p->n_segments; i++) {
		const struct path_segment *s = &p->segments[i];
		if (s->what == what && s->thread == most->thread
			&& (!longest || s->to - s->from > longest->to - longest->from))
			longest = s;
	}
	finding_say(out, "%s took %s (%s) of the critical path, most of it in %s", subject, as_value(UNIT_NS, ns),
		as_share(ns / whole), finding_thread(c, most->thread, thread));
	if (longest)
		finding_stretch(out, longest->from, longest->to);
	out->thread = most->thread;
	finding_stake_ns(out, c, ns);
	return true;
}

bool find_FOREIGN_BLOCKING(const struct finding_case *c, struct finding *out)
{
	return held_by(c, out, PATH_FOREIGN, 0.25, c->total, "foreign calls");
}

bool find_TIMER_BOUND(const struct finding_case *c, struct finding *out)
{
	double all = 0;
	for (int part = 0; part < PATH_PART_COUNT; part++)
		all += (double)c->f->path.ns[part];
	return held_by(c, out, PATH_TIMER, 0.5, all, "waits for timers");
}

/* --- sparks ------------------------------------------------------------------------------------------------------- */

enum { FIRST_SPARK = FINDING_NAME + 32 };

/* Where single events tell: the place of the first of a kind, and the thread that sparked it, if it did, into more. */
static void first_spark(const struct finding_case *c, struct finding *out, enum spark_kind kind, char *more)
{
	struct found first;
	struct cap_moment cap;
	char name[FINDING_NAME];
	bool by_thread = kind == SPARK_DUD || kind == SPARK_OVERFLOWED, found = false;
	*more = '\0';
	bool any = true; /* after the windows before */
	first.t = 0;
	for (size_t i = 0; i < figures_n_windows(c->f) && !found && any; i++) {
		struct time_window w = figures_window(c->f, i);
		if (i > 0 && first.t >= w.to)
			continue;
		any = (i > 0 && first.t >= w.from)
			|| spark_events_near(&c->log->sparks.events, 1u << kind, sub_or_0(w.from, 1), true, &first);
		found = any && first.t < w.to;
	}
	if (!found)
		return;
	finding_place(out, first.t);
	caps_at(&c->log->blocks, &c->log->tiles[first.chain], first.chain, first.t, &cap);
	if (!by_thread || !cap.known || cap.state != CAP_RUN)
		return;
	out->thread = cap.thread;
	snprintf(more, FIRST_SPARK, "; the first by %s", finding_thread(c, cap.thread, name));
}

enum { SPARK_PARTS = 40 };

/* The part of [*from, *to) with the most sparks of a kind. False: there are none. */
static bool densest(const struct evl_log *log, enum spark_kind kind, uint64_t *from, uint64_t *to)
{
	uint64_t n[SPARK_PARTS] = {0}, t0 = *from, t1 = *to;
	int best = 0;
	for (size_t cap = 0; cap < log->n_caps; cap++) {
		struct spark_seek seek;
		struct spark_sums sums, before = {0};
		spark_seek_begin(&seek, &log->sparks.events, log->cap_chains[cap]);
		for (int i = 0; i <= SPARK_PARTS; i++, before = sums) {
			if (!spark_seek_sums(&seek, column_edge(t0, t1, SPARK_PARTS, i), &sums))
				break;
			if (i > 0)
				n[i - 1] += sums.n[kind] - before.n[kind];
		}
	}
	for (int i = 0; i < SPARK_PARTS; i++)
		best = n[i] > n[best] ? i : best;
	*from = column_edge(t0, t1, SPARK_PARTS, best);
	*to = column_edge(t0, t1, SPARK_PARTS, best + 1);
	return n[best] > 0;
}

/* Where there were most of them, from the first of these on. */
static void place_densest(const struct finding_case *c, struct finding *out, enum spark_kind kind)
{
	const struct spark_events *e = &c->log->sparks.events;
	uint64_t first, last, from, to;
	struct found found;
	if (!spark_events_any(e) || !evl_range(c->log, &first, &last))
		return;
	from = max_u64(first, c->f->from);
	to = min_u64(last + 1, c->f->to);
	if (from >= to || !densest(c->log, kind, &from, &to))
		return;
	uint64_t t = from, until = to;
	if (densest(c->log, kind, &from, &to))
		t = from;
	if (spark_events_near(e, 1u << kind, sub_or_0(t, 1), true, &found) && found.t < until)
		finding_stretch(out, found.t, until);
}

/* "12,345 sparks (4.5%) …", where they are more than so large a part and not just a few. */
static bool sparks(const struct finding_case *c, struct finding *out, enum spark_kind kind, enum metric number,
	enum metric share, double bound, const char *what)
{
	enum { LEAST = 10 };
	char more[FIRST_SPARK];
	if (!(c->v[share] > bound) || !(c->v[number] >= LEAST))
		return false;
	first_spark(c, out, kind, more);
	if (c->f->windows.n == 0)
		place_densest(c, out, kind);
	finding_say(out, "%s sparks (%s) %s%s", as_value(UNIT_COUNT, c->v[number]), as_share(c->v[share]), what, more);
	return finding_about(out, c, share);
}

bool find_SPARKS_LOST(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_OVERFLOWED, METRIC_SPARKS_OVERFLOWED, METRIC_SPARKS_OVERFLOWED_SHARE, 0.01,
		"were dropped: the pool was full");
}

bool find_SPARKS_FIZZLED(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_FIZZLED, METRIC_SPARKS_FIZZLED, METRIC_SPARKS_FIZZLED_SHARE, 0.1,
		"fizzled: already evaluated when taken from the pool");
}

bool find_SPARKS_DUD(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_DUD, METRIC_SPARKS_DUD, METRIC_SPARKS_DUD_SHARE, 0.1,
		"were duds: already evaluated when created");
}

bool find_SPARKS_GCD(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_GCD, METRIC_SPARKS_GCD, METRIC_SPARKS_GCD_SHARE, 0.1,
		"were collected before they ran: nothing referred to them any more");
}
