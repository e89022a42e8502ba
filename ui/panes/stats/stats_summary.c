#include "panes/stats/stats_summary.h"

#include "base/units.h"
#include "sched/idle.h"

#include <math.h>
#include <stdio.h>

uint64_t stats_cap_there(const struct figures *f, size_t i) { return sub_or_0(figures_total(f), f->caps[i].absent); }

double stats_idle_share(const struct figures *f, size_t i)
{
	const uint64_t LEAST =
		10; /* of a capability that exists for less than such a part of the range, nothing is asked */
	uint64_t there = stats_cap_there(f, i);
	return there && there >= figures_total(f) / LEAST ? (double)f->caps[i].idle / (double)there : 0;
}

double stats_queued(const struct figures *f, const struct stats_summary *s)
{
	const double LEAST = 0.05, LEAST_NS = 5e6;
	double share = f->values[METRIC_CONCURRENCY_KEPT];
	return share >= LEAST && share * (double)figures_total(f) >= LEAST_NS && s->all_known ? share : 0;
}

bool stats_leads_with_queues(const struct findings *all, const struct figures *f, const struct stats_summary *s)
{
	return stats_queued(f, s) > 0 && all->warnings == 0 && !finding_is_costly(findings_number(all, 1));
}

const char *stats_state(const struct figures *f, const struct stats_summary *s, char *out)
{
	enum { ALL, SOME, NONE, PAUSES, STATES };
	const struct waits *w = f->waits;
	const size_t n = w && w->n_levels ? w->n_levels - 1 : 0;
	uint64_t ns[STATES] = {0};
	size_t most = ALL;
	*out = '\0';
	if (n == 0 || !s->all_known || f->windows.label || figures_total(f) == 0)
		return out;
	for (size_t i = 1; i < n; i++)
		ns[SOME] += w->levels[i];
	ns[ALL] = w->levels[n];
	ns[NONE] = sub_or_0(w->levels[0], w->paused_ns);
	ns[PAUSES] = w->paused_ns;
	for (size_t i = 0; i < STATES; i++)
		most = ns[i] > ns[most] ? i : most;
	char caps[TEXT_ROOM + 16] = "the only cap", others[TEXT_ROOM] = "1";
	if (n > 1)
		snprintf(caps, sizeof caps, n == 2 ? "both caps" : "all %zu caps", n);
	if (n > 2)
		snprintf(others, sizeof others, "1 to %zu", n - 1);
	const char *share = as_share((double)ns[most] / (double)figures_total(f));
	if (most == PAUSES)
		snprintf(out, STATS_STATE, "collections took %s", share);
	else if (most == SOME)
		snprintf(out, STATS_STATE, "%s of %zu caps ran threads %s", others, n, share);
	else
		snprintf(out, STATS_STATE, "%s %s %s", caps,
			most == ALL     ? "ran threads"
				: n > 1 ? "were idle"
					: "was idle",
			share);
	return out;
}

/* Find the end of the events of capabilities of which some are lost. */
static void find_lost(struct stats_summary *out, const struct evl_log *log, const struct figures *f)
{
	out->all_known = true;
	for (size_t i = 0; i < log->n_caps; i++) {
		uint32_t chain = log->cap_chains[i];
		uint64_t lost = load_acquire(&log->tiles[chain].lost_t);
		if (lost == 0 || lost >= f->to)
			continue;
		out->all_known = false;
		if (log->blocks.chains[chain].cap == f->caps[out->cap].cap)
			out->lost = lost;
	}
}

static void find_absences(struct stats_summary *out, const struct evl_log *log, const struct figures *f)
{
	enum { MOST = 256 };
	struct cap_absence all[MOST];
	size_t n = cap_life_absent(&log->cap_life, f->caps[out->cap].cap, f->from, f->to, all, MOST);
	for (size_t i = 0; i < n; i++)
		out->absences |= 1u << all[i].state;
}

static uint64_t length(const struct idle_gap *gap) { return gap->to - gap->from; }

static int find_idle(struct idle_gap *out, const struct evl_log *log, uint32_t chain, uint64_t from, uint64_t to,
	const struct progress *watch)
{
	*out = (struct idle_gap){0};
	return from < to
		? idle_longest(out, &log->blocks, log->tiles, &log->gcs, &log->cap_life, chain, from, to, watch)
		: 0;
}

/* Tell why the capability was idle in the middle of a gap. */
static int explain_idle(struct stats_summary *out, const struct evl_log *log, uint16_t cap, const struct idle_gap *gap,
	const struct progress *watch)
{
	struct idle_why why;
	uint64_t t = gap->from + length(gap) / 2;
	int result = idle_why_at(&why, log, t, watch);
	if (result < 0)
		return result;
	out->idle = *gap;
	out->t = t;
	out->why = why;
	idle_around_at(&out->around, log, t, cap);
	idle_end_at(&out->end, log, cap, t,
		&(struct thread_budget){.tiles = THREAD_JUMP_TILES, .cancel = watch ? watch->cancel : NULL});
	out->explained = true;
	return 0;
}

static bool none_alive(const struct idle_why *why)
{
	return !why->partial && why->runnable + why->blocked + why->foreign + why->others == 0;
}

/* Before the first thread and after the last one, none is alive: look between such stretches for the longest one. */
static int describe_idle(
	struct stats_summary *out, const struct evl_log *log, const struct figures *f, const struct progress *watch)
{
	enum { TRIES = 4 };
	uint16_t cap = f->caps[out->cap].cap;
	uint64_t from = f->from, to = f->to;
	struct idle_gap gap, before, after;
	uint32_t chain = log->blocks.chain_of[cap];
	if (chain-- == 0)
		return 0;
	int result = find_idle(&gap, log, chain, from, to, watch);
	if (result == 0 && length(&gap))
		result = explain_idle(out, log, cap, &gap, watch);
	if (result || !out->explained)
		return result;
	const struct stats_summary first = *out;
	for (int i = 0; i < TRIES && result == 0 && length(&gap) && none_alive(&out->why); i++) {
		result = find_idle(&before, log, chain, from, gap.from, watch);
		result = result ? result : find_idle(&after, log, chain, gap.to, to, watch);
		if (result)
			break;
		bool later = length(&after) > length(&before);
		from = later ? gap.to : from;
		to = later ? to : gap.from;
		gap = later ? after : before;
		if (length(&gap))
			result = explain_idle(out, log, cap, &gap, watch);
	}
	if (none_alive(&out->why))
		*out = first;
	else if (out->t != first.t)
		out->unalive = first.idle;
	return result;
}

static void describe_pause(struct stats_summary *out, const struct evl_log *log, const struct figures *f)
{
	const struct gc_row *gc = &f->longest[0];
	uint64_t end = f->waits ? f->waits->contention.main_end : UINT64_MAX;
	out->pause_why = gc_why(log, gc);
	if (!(out->pause_why & GC_WHY_FORCED) || !gc_caller(log, gc, &out->caller))
		out->caller.thread = 0;
	out->pause_main = end == UINT64_MAX ? END_UNKNOWN : gc_requested(gc) < end ? BEFORE_END : AFTER_END;
	out->has_stats = gc_stats(log, gc, &out->stats);
	out->not_copied = gc_not_copied(log, gc);
	out->n_workers = gc_workers(log, gc, out->workers, PAUSE_WORKERS);
	if (out->n_workers < 2 || out->n_workers > PAUSE_WORKERS)
		out->n_workers = 0;
}

/* A centre that is not among the first few has less than that share. */
static double profiler_share(const struct evl_log *log)
{
	enum { CENTRES = 64 };
	const struct prof *prof = &log->prof[PROF_CENTRES];
	uint32_t ids[CENTRES];
	uint64_t samples[CENTRES], own = 0, idle = 0;
	size_t n = prof_top(prof, ids, samples, CENTRES);
	for (size_t i = 0; i < n; i++) {
		struct cost_centre c;
		if (!cost_centre_read(&log->cost_centres, &log->blocks, ids[i], &c) || !c.is_rts)
			continue;
		own += str_is(c.label, "OVERHEAD_of") ? samples[i] : 0;
		idle += str_is(c.label, "IDLE") ? samples[i] : 0;
	}
	double share = own ? (double)own / (double)(prof_samples(prof) - idle) : 0;
	return share > PROFILER_LEAST ? share : 0;
}

int stats_summary_make(struct stats_summary *out, const struct evl_log *log, const struct figures *f, bool deep,
	const struct progress *watch)
{
	*out = (struct stats_summary){.has_cap = f->has_gc && f->n_caps, .profiler = profiler_share(log)};
	if (f->n_longest)
		describe_pause(out, log, f);
	for (size_t i = 0; i < f->n_caps; i++) {
		out->most_off = max_u64(out->most_off, f->caps[i].off);
		out->cap = stats_idle_share(f, i) > stats_idle_share(f, out->cap) ? i : out->cap;
	}
	bool sizes = deep && !f->windows.label && spark_events_any(&log->sparks.events);
	int result = sizes
		? spark_sizes_make(&out->sparks, &log->blocks, log->cap_chains, log->n_caps, f->from, f->until, watch)
		: 0;
	out->sized = sizes && result == 0;
	if (result || !out->has_cap)
		return result;
	find_lost(out, log, f);
	find_absences(out, log, f);
	return deep && !f->windows.label ? describe_idle(out, log, f, watch) : 0;
}
