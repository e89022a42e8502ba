/* findings_sched.c - findings about capabilities, threads and sparks. */
#include "report/findings_private.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>

/* --- capabilities and threads --------------------------------------------------------------------------------------- */

/* The thread that certainly ran for most of what a capability ran, however the others ran it: 0, none. */
static uint32_t ran_most_of(const struct finding_case *c, const struct cap_figures *cap, double all_ns, double unproved)
{
	const struct figures *f = c->f;
	bool lives = f->whole && f->lives.n_top, waits = !f->whole && f->waits && f->waits->n_run;
	if (!lives && !waits)
		return 0;
	double ns = (double)(lives ? f->lives.top[0].ns : f->waits->by_run[0].run_ns);
	double elsewhere = all_ns - (double)cap->run;
	if (!(ns - elsewhere - unproved > (double)cap->run / 2))
		return 0;
	return lives ? f->lives.top[0].thread : f->waits->by_run[0].thread;
}

/* The capabilities that could run threads, as cap_life tells it event by event. */
struct enabled {
	uint8_t known[(UINT16_MAX + 1) / 8], absent[(UINT16_MAX + 1) / 8];
	uint64_t n, t; /* their number since t */
	size_t window; /* the first that ends after t */
};

static bool has_bit(const uint8_t *bits, uint16_t i) { return bits[i / 8] >> i % 8 & 1; }

static void set_bit(uint8_t *bits, uint16_t i, bool on)
{
	bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)on << i % 8);
}

static void set_absent(struct enabled *e, const struct cap_life_row *row, bool absent)
{
	if (!has_bit(e->known, row->cap) || has_bit(e->absent, row->cap) == absent)
		return;
	set_bit(e->absent, row->cap, absent);
	e->n = absent ? e->n - 1 : e->n + 1;
}

/* Window i of the range, within the log. */
static struct time_window window_of(const struct finding_case *c, size_t i)
{
	struct time_window w = figures_window(c->f, i);
	w.to = min_u64(w.to, c->f->to);
	return w;
}

/* Their number does not change from e->t to t. */
static void count_until(struct crowd *out, struct enabled *e, const struct finding_case *c, uint64_t t)
{
	for (size_t n = figures_n_windows(c->f); e->window < n; e->window++) {
		struct time_window w = window_of(c, e->window);
		uint64_t from = max_u64(e->t, w.from), to = min_u64(min_u64(t, c->shown), w.to);
		if (from < to) {
			out->caps = max_u64(out->caps, e->n);
			out->unproved += e->n < 2 ? (double)(to - from) : 0;
		}
		if (w.to > t)
			break;
	}
	e->t = max_u64(e->t, t);
}

struct crowd finding_crowd(const struct finding_case *c)
{
	const struct rows *rows = &c->log->cap_life.rows;
	struct crowd out = {0};
	struct enabled e = {.n = c->log->n_caps};
	for (size_t i = 0; i < c->log->n_caps; i++)
		set_bit(e.known, c->log->blocks.chains[c->log->cap_chains[i]].cap, true);
	for (size_t i = rows_count(rows); i-- > 0;) { /* its first event tells what was before it */
		const struct cap_life_row *row = rows_at(rows, i);
		set_absent(&e, row, row->tag == EVL_CAP_CREATE);
	}
	for (size_t i = 0; i < figures_n_windows(c->f); i++) {
		struct time_window w = window_of(c, i);
		out.unproved += (double)sub_or_0(w.to, max_u64(w.from, c->shown));
	}
	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct cap_life_row *row = rows_at(rows, i);
		count_until(&out, &e, c, row->t);
		set_absent(&e, row, row->tag == EVL_CAP_DISABLE || row->tag == EVL_CAP_DELETE);
	}
	count_until(&out, &e, c, UINT64_MAX);
	return out;
}

enum { LATE_TEXT = TEXT_ROOM + 60 };

/* Where its thread ran alone for longest, if it ran alone more than any other. */
static void alone_stretch(const struct finding_case *c, struct finding *out)
{
	const struct waits *w = c->f->waits;
	const struct thread_waits *most = w && w->n_alone ? &w->by_alone[0] : NULL;
	if (out->thread && most && most->thread == out->thread && most->alone_at + most->longest_alone <= c->shown)
		finding_longest(out, most->alone_at, most->alone_at + most->longest_alone);
}

/* The time in which capability `cap` ran threads while collections waited for them, if that is a finding; *all: of all
 * capabilities. */
static double run_late(const struct finding_case *c, uint16_t cap, double *all)
{
	double ns = 0;
	*all = 0;
	for (size_t i = 0; c->f->waits && finding_stake_of(c, FINDING_GC_SYNC_THREAD) > 0 && i < c->log->n_caps; i++) {
		double late = (double)c->f->waits->late_ns[i];
		*all += late;
		ns += c->log->blocks.chains[c->log->cap_chains[i]].cap == cap ? late : 0;
	}
	return ns;
}

double finding_least_alone(const struct finding_case *c, const struct cap_figures *cap)
{
	const struct waits *w = c->f->waits;
	double ns = (double)cap->run;
	for (size_t i = 2; w && i < w->n_levels; i++)
		ns -= (double)w->levels[i];
	for (size_t i = 0; w && i < c->log->n_caps; i++)
		ns -= c->log->blocks.chains[c->log->cap_chains[i]].cap == cap->cap ? (double)w->late_ns[i] : 0;
	return w ? fmax(ns, 0) : 0;
}

bool find_CAP_ALONE(const struct finding_case *c, struct finding *out)
{
	const struct cap_figures *most = c->f->caps;
	const struct crowd crowd = finding_crowd(c);
	char thread[FINDING_NAME];
	double run = 0;
	for (size_t i = 0; i < c->f->n_caps; i++) {
		run += (double)c->f->caps[i].run;
		most = c->f->caps[i].run > most->run ? &c->f->caps[i] : most;
	}
	double all_late, late = run_late(c, c->f->n_caps ? most->cap : 0, &all_late);
	double proved = c->f->n_caps ? (double)most->run - crowd.unproved : 0, own = proved - late;
	if (crowd.caps < 2 || !(own > 0.8 * (run - all_late - crowd.unproved)) || own < FINDING_LEAST_NS)
		return false;
	const struct finding *serial = findings_of(c->earlier, FINDING_SERIAL);
	const bool same = serial && serial->has_cap && serial->cap == most->cap; /* that gives way */
	out->repeats = serial && !same && finding_least_alone(c, most) >= 0.9 * (double)most->run;
	out->thread = ran_most_of(c, most, run, crowd.unproved);
	out->has_cap = true;
	out->cap = most->cap;
	alone_stretch(c, out);
	char besides[BESIDES_TEXT + LATE_TEXT];
	double explained = finding_besides(c, besides) * (1 - 1 / (double)crowd.caps);
	double gain = own - (run - all_late - crowd.unproved) / (double)crowd.caps - explained;
	if (!(gain > 0)) /* all of it is told elsewhere */
		return false;
	/* what is proved: for over half of the active time one capability ran alone, and all but this one ran for less than a
	 * quarter of it */
	const char *overlap = serial && !same ? "; this overlaps with the time in which only one capability ran" : "";
	if (late > 0)
		snprintf(besides + strlen(besides), LATE_TEXT, "%s %s in which collections waited for it, ",
			*besides ? "nor" : "not counting", as_value(UNIT_NS, late));
	finding_stake_ns(out, c, gain);
	if (is_bound(&crowd, run)) {
		finding_say(out,
			"cap %u ran at least %s of all thread time while several capabilities could run threads%s%s; "
			"%sif its work could be divided among all, it would take %s less%s",
			most->cap, as_share(proved / (run - crowd.unproved)), out->thread ? ", most of it " : "",
			out->thread ? finding_thread(c, out->thread, thread) : "", besides, as_value(UNIT_NS, gain),
			overlap);
		return finding_about(out, c, METRIC_CAP_MOST);
	}
	double rest = run - (double)most->run;
	finding_say(out,
		"cap %u ran %s of all thread time (%s)%s%s; %s; "
		"%sif its work could be divided among all, it would take %s less%s",
		most->cap, as_share((double)most->run / run), as_duration((uint64_t)run),
		out->thread ? ", most of it " : "", out->thread ? finding_thread(c, out->thread, thread) : "",
		rest > 0.0005 * run
			? crowd.caps == 2 ? "the other capability ran the rest" : "the other capabilities ran the rest"
			: crowd.caps == 2
			? rest > 0 ? "the other capability was almost unused" : "the other capability was unused"
			: rest > 0 ? "the other capabilities were almost unused"
				   : "the other capabilities were unused",
		besides, as_value(UNIT_NS, gain), overlap);
	return finding_about(out, c, METRIC_CAP_MOST);
}

/* --- the critical path -------------------------------------------------------------------------------------------- */

/* Kinds of segments of the path. */
struct path_kinds {
	enum path_what first, last;
};

/* A thread's time on the path in foreign calls, waiting for timers, or for these and for input or output. */
static uint64_t time_in(const struct path_thread *t, struct path_kinds kinds)
{
	if (kinds.first != PATH_TIMER)
		return t->ns[path_part_of(kinds.first)];
	return t->timer_ns + (kinds.last == PATH_IO ? t->io_ns : 0);
}

/* Return the thread with the longest. */
static const struct path_thread *most_of(const struct path *p, struct path_kinds kinds)
{
	const struct path_thread *best = NULL;
	for (size_t i = 0; i < p->n_threads; i++)
		if (!best || time_in(&p->threads[i], kinds) > time_in(best, kinds))
			best = &p->threads[i];
	return best;
}

static bool is_of(const struct path_kinds *kinds, unsigned what) { return what >= kinds->first && what <= kinds->last; }

/* The thread with most of it, and where its longest is. all: the time of all threads, on the path or not; 0: unknown. */
static void held_in(const struct finding_case *c, struct finding *out, struct path_kinds kinds, double ns, double all,
	char *text, size_t room)
{
	const struct path *p = &c->f->path;
	const struct path_thread *most = most_of(p, kinds);
	const struct path_segment *longest = NULL;
	const double MORE = 1.1;
	char thread[FINDING_NAME];
	for (size_t i = 0; i < p->n_segments; i++) {
		const struct path_segment *s = &p->segments[i];
		if (is_of(&kinds, s->what) && s->thread == most->thread
			&& (!longest || s->to - s->from > longest->to - longest->from))
			longest = s;
	}
	if (longest && all > MORE * ns) /* one that is not on the path may be longer */
		finding_part(out, longest->from, longest->to);
	else if (longest)
		finding_longest(out, longest->from, longest->to);
	out->thread = most->thread;
	finding_thread(c, most->thread, thread);
	double own = (double)time_in(most, kinds);
	if (all > MORE * ns)
		snprintf(text, room, ", for example in %s; all threads together waited %s for timers", thread,
			as_value(UNIT_NS, all));
	else if (own > ns / 2)
		snprintf(text, room, ", most of it in %s", thread);
	else
		snprintf(text, room, ", %s of it in %s", as_value(UNIT_NS, own), thread);
}

enum { HELD_TEXT = FINDING_NAME + 2 * TEXT_ROOM + 80 };

/* "… for 363 ms (94%) …", where it is longer than this, without the time that something else explains. */
static bool held_by(const struct finding_case *c, struct finding *out, enum path_what what, double least,
	const char *subject, double explained, double all)
{
	const struct path *p = &c->f->path;
	double ns = (double)p->by_what[what] - explained;
	char besides[TEXT_ROOM + 48] = "", held[HELD_TEXT];
	if (p->n_threads == 0 || !(ns > least) || !(ns >= FINDING_LEAST_NS))
		return false;
	if (explained >= 0.01 * ns)
		snprintf(besides, sizeof besides, ", not counting %s of GC pauses meanwhile",
			as_value(UNIT_NS, explained));
	held_in(c, out, (struct path_kinds){what, what}, ns, all, held, sizeof held);
	finding_say(out, "%s took %s of the critical path%s%s", subject, as_value(UNIT_NS, ns), besides, held);
	finding_stake_ns(out, c, ns);
	return true;
}

bool find_FOREIGN_BLOCKING(const struct finding_case *c, struct finding *out)
{
	return held_by(c, out, PATH_FOREIGN, 0.25 * c->total, "foreign calls", (double)c->f->path.paused_ns, 0);
}

/* The time for which threads waited for timers: in the threaded run-time system, until the timer manager woke them. */
static double timer_waits(const struct finding_case *c)
{
	const struct waits *w = c->f->waits;
	double ns = 0;
	for (size_t i = 0; w && i < w->n_reasons; i++)
		ns += w->reasons[i].reason == STOP_DELAY ? (double)w->reasons[i].ns : 0;
	for (size_t i = 0; w && i < w->n_by_label; i++)
		ns += w->by_label[i].reason != STOP_DELAY && str_is(w->by_label[i].label, "TimerManager")
			? (double)w->by_label[i].ns
			: 0;
	return ns;
}

bool find_TIMER_BOUND(const struct finding_case *c, struct finding *out)
{
	const double least = 0.5 * (double)path_total(&c->f->path);
	finding_advise(out, FINDING_NO_POLLING);
	return held_by(c, out, PATH_TIMER, least, "waits for timers", 0, timer_waits(c));
}

bool find_EXTERNAL_WAITS(const struct finding_case *c, struct finding *out)
{
	const struct path_kinds kinds = {PATH_TIMER, PATH_IO};
	const double LEAST = 0.1, MUCH = 0.1; /* of the range; of these waits */
	const struct path *p = &c->f->path;
	double timers = (double)p->by_what[PATH_TIMER], ns = timers;
	char both[2 * TEXT_ROOM + 48] = "", held[HELD_TEXT];
	for (unsigned what = PATH_READ; what <= PATH_IO; what++)
		ns += (double)p->by_what[what];
	if (findings_of(c->earlier, FINDING_TIMER_BOUND) || p->n_threads == 0 || !(ns > LEAST * c->total)
		|| ns < FINDING_LEAST_NS)
		return false;
	const bool mixed = timers >= MUCH * ns && timers <= (1 - MUCH) * ns, most = timers > ns / 2;
	const char *const names[] = {"timers", "input or output"};
	held_in(c, out, kinds, ns, most ? timer_waits(c) : 0, held, sizeof held);
	if (mixed)
		snprintf(both, sizeof both, " (%s) and %s (%s)", as_value(UNIT_NS, fmax(timers, ns - timers)),
			names[most], as_value(UNIT_NS, fmin(timers, ns - timers)));
	finding_say(
		out, "waits for %s%s took %s of the critical path%s", names[!most], both, as_value(UNIT_NS, ns), held);
	finding_stake_ns(out, c, ns);
	return true;
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

/* A stretch that starts with the first of them in it, and their number, as far as they are compared. */
struct spark_place {
	uint64_t from, to, n;
	uint64_t gc; /* of fullest_pause: the request for it */
};

/* The densest part of [from, to). False: there are none. */
static bool densest_part(
	const struct evl_log *log, enum spark_kind kind, uint64_t from, uint64_t to, struct spark_place *out)
{
	struct found found;
	if (!densest(log, kind, &from, &to)
		|| !spark_events_near(&log->sparks.events, 1u << kind, sub_or_0(from, 1), true, &found)
		|| found.t >= to)
		return false;
	*out = (struct spark_place){.from = found.t, .to = to};
	return true;
}

static uint64_t sparks_in(const struct evl_log *log, enum spark_kind kind, uint64_t from, uint64_t to)
{
	uint64_t n = 0;
	for (size_t cap = 0; cap < log->n_caps; cap++) {
		struct spark_sums before, sums;
		if (spark_events_before(&log->sparks.events, log->cap_chains[cap], from, &before)
			&& spark_events_before(&log->sparks.events, log->cap_chains[cap], to, &sums))
			n += sums.n[kind] - before.n[kind];
	}
	return n;
}

/* A collection drops many at once: of the pauses that hold the densest part of each fortieth of [from, to), the one with most
 * of them there. False: there is none. */
static bool fullest_pause(const struct evl_log *log, uint64_t from, uint64_t to, struct spark_place *out)
{
	*out = (struct spark_place){0};
	for (int i = 0; i < SPARK_PARTS; i++) {
		struct spark_place at;
		struct found first;
		const struct gc_row *gc = densest_part(log, SPARK_GCD, column_edge(from, to, SPARK_PARTS, i),
						  column_edge(from, to, SPARK_PARTS, i + 1), &at)
			? gcs_at(&log->gcs, at.from)
			: NULL;
		if (!gc || (out->n && gc_end(gc) <= out->to))
			continue;
		uint64_t start = max_u64(gc_requested(gc), from), end = min_u64(gc_end(gc), to),
			 n = sparks_in(log, SPARK_GCD, start, end);
		if (n > out->n
			&& spark_events_near(&log->sparks.events, 1u << SPARK_GCD, sub_or_0(start, 1), true, &first))
			*out = (struct spark_place){first.t, end, n, gc_requested(gc)};
	}
	return out->n > 0;
}

/* Where there were most of them, from the first of these on. The collection that dropped most, into more. */
static void place_densest(const struct finding_case *c, struct finding *out, enum spark_kind kind, char *more)
{
	uint64_t from = c->f->from, to = c->f->until; /* with the last event of the log */
	struct spark_place at;
	if (from >= to || !spark_events_any(&c->log->sparks.events))
		return;
	if (kind == SPARK_GCD && fullest_pause(c->log, from, to, &at)) {
		finding_part(out, at.from, at.to);
		snprintf(more, FIRST_SPARK, "; %s of them by the GC at %s", as_value(UNIT_COUNT, (double)at.n),
			as_value(UNIT_MOMENT, (double)at.gc));
	} else if (densest(c->log, kind, &from, &to) && densest_part(c->log, kind, from, to, &at))
		finding_part(out, at.from, to);
}

/* "12,345 sparks fizzled (4.5% of those created): …", where they are more than `bound` of them and not just a few. */
static bool sparks(const struct finding_case *c, struct finding *out, enum spark_kind kind, enum metric number,
	enum metric share, double bound, const char *did, const char *why, const char *advice)
{
	enum { LEAST = 10 };
	char more[FIRST_SPARK];
	bool attempted = kind == SPARK_DUD || kind == SPARK_OVERFLOWED;
	if (!(c->v[share] > bound) || !(c->v[number] >= LEAST))
		return false;
	first_spark(c, out, kind, more);
	if (c->f->windows.n == 0)
		place_densest(c, out, kind, more);
	finding_say(out, "%s sparks %s (%s of those %s): %s%s", as_value(UNIT_COUNT, c->v[number]), did,
		as_share(c->v[share]), attempted ? "attempted" : "created", why, more);
	finding_advise(out, advice);
	return finding_about(out, c, share);
}

bool find_SPARKS_LOST(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_OVERFLOWED, METRIC_SPARKS_OVERFLOWED, METRIC_SPARKS_OVERFLOWED_SHARE, 0.01,
		"were dropped", "the pool was full", "spark fewer and larger parts of the work");
}

bool find_SPARKS_FIZZLED(const struct finding_case *c, struct finding *out)
{
	bool one = c->log->n_caps == 1;
	return sparks(c, out, SPARK_FIZZLED, METRIC_SPARKS_FIZZLED, METRIC_SPARKS_FIZZLED_SHARE, 0.1, "fizzled",
		one ? "already evaluated when taken from the pool; one capability runs no sparks in parallel"
		    : "already evaluated when taken from the pool, as the program needed them first",
		one ? "" : "spark larger parts of the work, or earlier");
}

bool find_SPARKS_DUD(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_DUD, METRIC_SPARKS_DUD, METRIC_SPARKS_DUD_SHARE, 0.1, "were duds",
		"already evaluated when created", "spark only what is not evaluated yet");
}

bool find_SPARKS_GCD(const struct finding_case *c, struct finding *out)
{
	return sparks(c, out, SPARK_GCD, METRIC_SPARKS_GCD, METRIC_SPARKS_GCD_SHARE, 0.1,
		"were collected before they ran", "nothing referred to them any more", "spark only what is used later");
}
