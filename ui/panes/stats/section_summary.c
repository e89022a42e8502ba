/* section_summary.c - Stats box SUMMARY: the questions of a first look, each answered in words from the other boxes. */
#include "base/order.h"
#include "panes/stats/section.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"

#include "draw/text.h"
#include "lanes/parts.h"
#include "log/rts_flags.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LABEL = 14 };

static const char *whole(const struct stats_data *d) { return d->f->whole ? "run" : "range"; }

/* " (finding 2)": as numbered in the box of findings. */
static void put_number(const struct stats_data *d, struct line *l, const struct finding *f)
{
	line_printf(l, ST_DIM, false, " (finding %zu)", findings_number_of(&d->answer->findings, f));
}

/* --- the worst finding --------------------------------------------------------------------------------------------- */

/* On a small screen, rows tell only what matters most, so that the findings are on it, too: Enter goes to the rest. */
static bool is_brief(const struct stats_data *d)
{
	enum { BRIEF = 100 };
	return d->width < BRIEF;
}

/* The first clause of a text: up to a semicolon outside of parentheses and quotes; brief: or a comma, and without what is
 * in parentheses at its end. */
static struct evl_str first_clause(const char *text, bool brief)
{
	int depth = 0;
	size_t len = 0, opened = 0;
	bool quoted = false;
	for (; text[len]; len++) {
		if (depth == 0 && !quoted && (text[len] == ';' || (brief && text[len] == ',' && text[len + 1] == ' ')))
			break;
		quoted = quoted != (text[len] == '"');
		opened = text[len] == '(' && depth == 0 ? len : opened;
		depth += (text[len] == '(') - (text[len] == ')');
	}
	if (brief && opened > 1 && text[len - 1] == ')')
		len = opened - 1;
	return (struct evl_str){(const uint8_t *)text, len};
}

static const struct finding *first_finding(const struct stats_data *d)
{
	return findings_number(&d->answer->findings, 1);
}

/* Threads waited in queues while capabilities were idle, for long enough to tell. */
static bool has_queues(const struct stats_data *d) { return stats_queued(d->f, &d->answer->summary) > 0; }

/* "; try first: +RTS -A64m (acts on minor collections: 28.9% of the run)"; with the number of another finding than the main one. */
static void put_todo(const struct stats_data *d, struct line *l, const char *before, const struct finding *f)
{
	char todo[FINDING_TODO];
	double saves = findings_saved_by(&d->answer->findings, f), total = (double)figures_total(d->f);
	line_put(l, ST_DIM, false, before);
	line_text(l, ST_ACCENT, false, first_clause(finding_todo(f, todo), false));
	if (saves >= FINDING_MINOR_SHARE * total)
		line_printf(l, ST_TEXT, false, " (acts on %s: %s of the %s)",
			findings_acts_on(&d->answer->findings, f, d->f->values[METRIC_TIME_GC_SYNC] > 0),
			as_share(saves / total), whole(d));
	if (f != first_finding(d))
		put_number(d, l, f);
}

/* The advice that acts on most time, and that of the main problem; on a small screen the first of these. For memory, the main
 * problem's is the flag that records more about it, and comes first. */
static void put_advice(const struct stats_data *d, struct line *l, const struct finding *main)
{
	const struct findings *all = &d->answer->findings;
	const struct finding *best = findings_best_advice(all);
	const bool advises = (*main->flag || *main->advice) && !finding_is_minor(main),
		   memory = advises && main->stake_kind == STAKE_BYTES;
	const bool better = best && findings_saved_by(all, best) > findings_saved_by(all, main)
		&& findings_saved_by(all, best) >= FINDING_MINOR_SHARE * (double)figures_total(d->f);
	if (memory)
		put_todo(d, l, "; ", main);
	if (better && !(memory && is_brief(d)))
		put_todo(d, l, memory ? "; also try: " : "; try first: ", best);
	if (advises && !memory && !(better && is_brief(d)))
		put_todo(d, l, better ? "; then: " : "; try first: ", main);
}

static bool leads_with_queues(const struct stats_data *d)
{
	return stats_leads_with_queues(&d->answer->findings, d->f, &d->answer->summary);
}

static void place_queues(const struct stats_data *d, struct stats_place *out);

/* "60.2% of the time: only one of 4 capabilities ran, for 241 ms, 82.3% of the active time (finding 1)": the first finding. */
static void put_main(const struct stats_data *d, struct line *l)
{
	char share[FINDING_SHARE], state[STATS_STATE];
	const double total = (double)figures_total(d->f);
	const struct finding *f = first_finding(d);
	bool alarms = f && finding_is_grave(f), costly = finding_is_costly(f), leads = leads_with_queues(d),
	     warned = d->answer->findings.warnings > 0; /* a note may cost more */
	if (d->f->windows.label) {
		line_put(l, ST_DIM, false, FIGURES_NOT_OVER_WINDOWS);
		return;
	}
	if (leads) { /* and only minor findings follow */
		line_printf(
			l, ST_WARN, true, "%s of the %s: ", as_share(d->f->values[METRIC_CONCURRENCY_KEPT]), whole(d));
		line_put(l, ST_EM, true, "threads waited in a queue while another capability was idle");
		line_put(l, ST_DIM, false, " (queues, below)");
		if (!f || is_brief(d))
			return;
	}
	bool none = !leads && !alarms && !costly;
	if (none && !f && FINDING_LEAST_NS >= FINDING_MINOR_SHARE * total)
		line_printf(l, ST_EM, true, "no finding; most need at least %d ms, %s of the %s",
			FINDING_LEAST_NS / 1000000,
			total < FINDING_LEAST_NS ? "more than all" : as_share(FINDING_LEAST_NS / total), whole(d));
	else if (none)
		line_printf(l, ST_EM, true, "no finding costs %.0f%% of the %s or more", 100 * FINDING_MINOR_SHARE,
			whole(d));
	if (none && *stats_state(d->f, &d->answer->summary, state))
		line_printf(l, ST_TEXT, false, "; %s of it", state);
	if (!f) {
		bool lacks = !d->f->has_gc || !d->f->has_sched;
		if (lacks)
			line_printf(l, ST_DIM, false, "; the log has no events of %s",
				d->f->has_gc              ? "threads"
					: d->f->has_sched ? "collections"
							  : "collections and threads");
		line_put(l, ST_DIM, false, lacks || d->f->deep ? "" : "; how threads waited is not read yet");
		return;
	}
	if (!alarms && !costly)
		line_put(l, ST_DIM, false, finding_is_minor(f) ? "; the largest finding: " : "; note: ");
	else if (!alarms)
		line_put(l, ST_DIM, false, "note: ");
	if (*finding_cost(f, share) && !finding_is_minor(f))
		line_printf(l, alarms ? ST_WARN : ST_TEXT, alarms, "%s: ", share);
	line_text(l, alarms ? ST_WARN : ST_TEXT, alarms, first_clause(f->text, is_brief(d)));
	put_number(d, l, f);
	put_advice(d, l, f);
	if (!leads && !warned && has_queues(d))
		line_printf(l, ST_TEXT, false, "; queues, below: %s", as_share(d->f->values[METRIC_CONCURRENCY_KEPT]));
}

static void place_main(const struct stats_data *d, struct stats_place *out)
{
	const struct finding *f = first_finding(d);
	if (leads_with_queues(d))
		place_queues(d, out);
	else if (f)
		section_place_finding(d, f, out);
}

/* --- is GC to blame? ----------------------------------------------------------------------------------------------- */

/* The findings of which the time of collections consists, but for heap censuses, in their order. */
struct gc_findings {
	const struct finding *items[5];
	size_t n;
};

static struct gc_findings gc_findings(const struct stats_data *d)
{
	static const enum finding_id about[] = {
		FINDING_GC_SHARE, FINDING_GC_PAUSES, FINDING_GC_MINOR, FINDING_GC_SYNC_THREAD, FINDING_OVERSUBSCRIBED};
	const struct findings *all = &d->answer->findings;
	struct gc_findings out = {.n = 0};
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < countof(about); k++)
			if (all->items[i].id == about[k] && all->items[i].stake && out.n < countof(out.items))
				out.items[out.n++] = &all->items[i];
	return out;
}

static const struct finding *costliest(const struct gc_findings *of)
{
	const struct finding *most = of->n ? of->items[0] : NULL;
	for (size_t i = 1; i < of->n; i++)
		most = of->items[i]->stake > most->stake ? of->items[i] : most;
	return most;
}

/* The word for the findings about collections: the costliest is about sync, or one is about the share of collections, and most of
 * their time is sync; one is about their share; or neither. */
static const char *gc_word(const struct stats_data *d, const struct finding *most)
{
	const double *v = d->f->values;
	bool share = findings_of(&d->answer->findings, FINDING_GC_SHARE);
	bool sync = most->id == FINDING_GC_SYNC_THREAD || most->id == FINDING_OVERSUBSCRIBED;
	if ((share || sync) && v[METRIC_TIME_GC_SYNC] > v[METRIC_TIME_GC])
		return "mostly the sync";
	return share ? "yes" : "in part";
}

/* " (findings 1, 3 and 4)" */
static void put_numbers(const struct stats_data *d, struct line *l, const struct gc_findings *of)
{
	for (size_t i = 0; i < of->n; i++)
		line_printf(l, ST_DIM, false, "%s%zu",
			i == 0                  ? of->n > 1 ? " (findings " : " (finding "
				: i + 1 < of->n ? ", "
						: " and ",
			findings_number_of(&d->answer->findings, of->items[i]));
	line_put(l, ST_DIM, false, of->n ? ")" : "");
}

/* The phase with the largest share of pauses, if that is over half of it and twice that of the whole; NULL: none. */
static const struct phase *gc_phase(const struct stats_data *d, double whole_share, double *share)
{
	const struct phases *p = &d->f->phases;
	const struct phase *most = NULL;
	*share = fmax(0.5, 2 * whole_share);
	for (size_t i = 0; i < p->n; i++) {
		const struct phase *at = &p->items[i];
		double length = (double)(at->to - at->from), part = (double)(at->gc + at->sync) / length;
		if (length < 0.05 * d->f->values[METRIC_TIME_TOTAL] || !(part > *share))
			continue;
		*share = part;
		most = at;
	}
	return most;
}

static void put_gc(const struct stats_data *d, struct line *l)
{
	const double *v = d->f->values, total = v[METRIC_TIME_TOTAL];
	double sync = isnan(v[METRIC_TIME_GC_SYNC]) ? 0 : v[METRIC_TIME_GC_SYNC], gc = v[METRIC_TIME_GC] + sync;
	const struct gc_findings of = gc_findings(d);
	const struct finding *f = costliest(&of);
	if (isnan(gc) || (d->f->stats.pauses.n == 0 && gc <= 0)) {
		line_put(l, ST_EM, true, d->f->has_gc ? "no: " : "");
		line_put(l, ST_DIM, false, absence_text(d->log, ABSENCE_GCS));
		return;
	}
	double census = (double)d->f->census.range_ns, own = fmax(0, gc - census), in_phase;
	double share = total > census ? own / (total - census) : 0;
	if (census > 0 && total <= census) {
		line_put(l, ST_EM, true, "no");
		line_printf(l, ST_TEXT, false, ": all of the %s is", whole(d));
		line_put(l, ST_TEXT, false, " in pauses for heap censuses, which only profiling needs");
		return;
	}
	const struct phase *phase = census > 0 || findings_of(&d->answer->findings, FINDING_GC_SHARE)
		? NULL
		: gc_phase(d, share, &in_phase);
	bool brief = !f && !phase && share > 0.2; /* then only the least time of the finding keeps it away */
	line_put(l, f || phase ? ST_WARN : ST_EM, true,
		f               ? gc_word(d, f)
			: phase ? "in part"
			: brief ? "too short to tell"
				: "no");
	const bool censuses =
		census > 0 && census >= FINDING_MINOR_SHARE * total; /* else they are told with the rest */
	double told = censuses ? own : gc;
	line_pair(l, ": ", ST_TEXT, as_value(UNIT_NS, told));
	line_printf(l, ST_TEXT, false, ", %s of the %s", as_share(total > 0 ? told / total : 0), whole(d));
	if (sync > 0 && !censuses && !is_brief(d)) {
		line_printf(l, ST_DIM, false, " (GC %s", as_share(total > 0 ? v[METRIC_TIME_GC] / total : 0));
		line_printf(l, ST_DIM, false, ", sync %s)", as_share(total > 0 ? sync / total : 0));
	}
	if (phase) {
		line_pair(l, ", but ", ST_WARN, as_share(in_phase));
		line_put(
			l, ST_TEXT, false, phase->marker ? " of the phase \"" : " of the time before the first marker");
		line_text(l, ST_TEXT, false, phase_name(d->log, phase));
		line_put(l, ST_TEXT, false, phase->marker ? "\"" : "");
	}
	if (of.n == 1 && f->id != FINDING_GC_SHARE && f != first_finding(d)) {
		line_put(l, ST_TEXT, false, "; ");
		line_text(l, ST_TEXT, false, first_clause(f->text, is_brief(d)));
	}
	put_numbers(d, l, &of);
	if (censuses) {
		line_pair(l, "; heap censuses (profiling) ", ST_TEXT, as_value(UNIT_NS, census));
		line_printf(l, ST_TEXT, false, ", %s more", as_share(census / total));
	}
}

static void place_gc(const struct stats_data *d, struct stats_place *out)
{
	const struct gc_findings of = gc_findings(d);
	if (of.n)
		section_place_finding(d, costliest(&of), out);
	if (out->kind == PLACE_NONE && d->f->stats.pauses.n)
		section_place_list(out, &stats_gcs);
}

/* --- the longest pause --------------------------------------------------------------------------------------------- */

/* ": copying 4.6 MB (0.9 times the mean of …", or, without others to compare with, ", which copied 4.6 MB: 131 MB/s" */
static void put_copying(const struct stats_data *d, struct line *l, const struct gc_row *gc)
{
	const struct gc_copying *copying = &d->f->longest_copying[0];
	const struct stats_summary *s = &d->answer->summary;
	char text[256];
	if (copying->others && is_brief(d)) {
		line_pair(l, ": copying ", ST_TEXT, as_bytes(copying->copied));
		line_printf(l, ST_TEXT, false, ", %.*f times the mean", copying->times < 9.95, copying->times);
	} else if (copying->others) {
		text_copying(text, sizeof text, gc, copying, d->f->longest_census[0]);
		line_pair(l, ": ", ST_TEXT, text);
	} else if (s->has_stats) {
		double copied = (double)s->stats.copied;
		line_pair(l, ", which copied ", ST_TEXT, as_bytes(s->stats.copied));
		if (gc->elapsed && !d->f->longest_census[0] && !s->not_copied) /* either takes part of the time */
			line_pair(l, ": ", ST_TEXT, as_value(UNIT_RATE, copied * 1e9 / (double)gc->elapsed));
	}
	text_not_copied(text, sizeof text, s->not_copied);
	line_pair(l, *text ? "; " : "", ST_TEXT, text);
}

/* "; mostly cap 0 worked, for 32.0 ms"; "; by a single GC thread", though there are several capabilities. */
static void put_workers(const struct stats_data *d, const struct stats_summary *s, struct line *l)
{
	size_t most;
	if (s->has_stats && s->stats.par_threads == 1 && d->log->n_caps > 1)
		line_put(l, ST_TEXT, false, "; by a single GC thread");
	if (s->n_workers == 0)
		return;
	enum gc_divided divided = gc_divided(s->workers, s->n_workers, d->f->longest[0].elapsed, &most);
	if (divided == GC_DIVIDED_EQUAL) {
		line_printf(l, ST_TEXT, false, "; %zu caps worked about equally", s->n_workers);
		return;
	}
	if (divided == GC_DIVIDED_ONE)
		line_printf(l, ST_TEXT, false, "; mostly cap %u worked, for ", s->workers[most].cap);
	else
		line_printf(l, ST_TEXT, false, "; of %zu caps, cap %u worked longest: ", s->n_workers,
			s->workers[most].cap);
	line_duration(l, ST_TEXT, s->workers[most].work_ns);
}

/* "; 3.89 ms of the pause were GC wait only: the GC thread of cap 1 began 3.80 ms late". Return the time for which no cause is
 * logged. */
static uint64_t put_lull(const struct evl_log *log, const struct gc_lull *lull, struct line *l)
{
	const uint64_t ns = lull->to - lull->from;
	if (ns == 0 || gc_lull_is_census(log, lull))
		return 0;
	line_pair(l, "; ", ST_WARN, as_duration(ns));
	line_printf(l, ST_WARN, false, " of the pause were %s", log->n_caps == 1 ? "other GC work" : "GC wait only");
	if (lull->cause == LULL_UNKNOWN)
		line_put(l, ST_TEXT, false,
			log->n_caps == 1 ? ", with no logged cause" : ": no GC thread is logged as working");
	if (lull->sparks)
		line_printf(l, ST_TEXT, false, ": %s sparks were pruned", as_count(lull->sparks));
	if (lull->cause == LULL_UNKNOWN || lull->sparks)
		return lull->sparks ? 0 : ns;
	line_printf(l, ST_WARN, false, ": the GC thread of cap %u %s ", lull->cap,
		lull->cause == BEGAN_LATE ? "began" : "was done");
	line_duration(l, ST_WARN, lull->late_ns);
	line_put(l, ST_WARN, false, " late");
	return 0;
}

/* "a pause from 37.38 s to 37.78 s, a major GC, covers 2 ms of this range", of those that the range cuts and that do not start
 * in it. */
static void put_cut(const struct stats_data *d, struct line *l, const char *before)
{
	const struct cut_gcs cut = figures_cut_gcs(d->f, d->log);
	const struct gc_row *const gcs[] = {cut.begin, cut.end};
	for (size_t i = 0; i < countof(gcs); i++) {
		if (!gcs[i])
			continue;
		line_put(l, ST_DIM, false, before);
		line_pair(l, "a pause from ", ST_TEXT, as_time(gc_requested(gcs[i])));
		line_pair(l, " s to ", ST_TEXT, as_time(gc_end(gcs[i])));
		line_put(l, ST_DIM, false, " s, a ");
		line_gc(l, d->log, gcs[i]);
		line_late(l, d->log, gcs[i], true, findings_of(&d->answer->findings, FINDING_OVERSUBSCRIBED));
		line_put(l, ST_DIM, false, ", covers ");
		line_duration(l, ST_TEXT, figures_cut_ns(d->f, gcs[i]));
		line_put(l, ST_DIM, false, " of this range");
		before = "; ";
	}
}

/* " forced 4.20 µs after thread 5 "main" began a foreign call (as performGC is)": the log does not say more. */
static void put_forced(const struct stats_data *d, struct line *l)
{
	const struct stats_summary *s = &d->answer->summary;
	if (s->pause_main == AFTER_END) {
		line_put(l, ST_TEXT, false, " forced after the main thread's end (as at exit)");
	} else if (s->caller.thread) {
		line_pair(l, " forced ", ST_TEXT, as_duration(s->caller.ns));
		line_put(l, ST_TEXT, false, " after ");
		line_thread(l, d->log, s->caller.thread);
		line_put(l, ST_TEXT, false, " began a foreign call (as performGC is)");
	} else {
		line_put(l, ST_TEXT, false,
			s->pause_main == BEFORE_END ? " that was forced, not by allocation"
						    : " that was forced (performGC, or at exit)");
	}
}

static void put_pause(const struct stats_data *d, struct line *l)
{
	enum { MUCH = 20 };
	const struct stats_summary *s = &d->answer->summary;
	const struct gc_row *gc = &d->f->longest[0];
	const char *profile = rts_heap_profile(d->log);
	char text[160] = "";
	if (d->f->n_longest == 0) {
		bool cut = d->f->stats.time.gc + d->f->stats.time.sync > 0;
		line_put(l, ST_DIM, false, cut ? "none starts in this range; " : absence_text(d->log, ABSENCE_GCS));
		put_cut(d, l, "");
		return;
	}
	line_duration(l, ST_TEXT, gc_pause(gc));
	line_pair(l, " at ", ST_TEXT, as_time(gc_requested(gc)));
	line_put(l, ST_DIM, false, " s, a ");
	line_gc(l, d->log, gc);
	if (d->f->longest_census[0])
		line_printf(l, ST_WARN, false, " for a heap census (profiling%s%s)", *profile ? " by " : "", profile);
	else if (s->pause_why & GC_WHY_IDLE)
		line_put(l, ST_TEXT, false, " requested by the idle timer");
	else if (s->pause_why & GC_WHY_FORCED)
		put_forced(d, l);
	bool sums_up = is_brief(d) && gc->sync < gc->elapsed / MUCH; /* its length says all */
	line_put(l, ST_DIM, false, sums_up ? "" : ": ");
	if (gc->sync && !sums_up) {
		line_duration(l, ST_SYNC, gc->sync);
		line_put(l, ST_DIM, false, " sync");
		line_late(l, d->log, gc, true, findings_of(&d->answer->findings, FINDING_OVERSUBSCRIBED));
		line_put(l, ST_DIM, false, ", then ");
	}
	if (!sums_up) {
		line_duration(l, ST_TEXT, gc->elapsed);
		line_put(l, ST_DIM, false, " collecting");
	}
	put_copying(d, l, gc);
	if (!is_brief(d))
		put_workers(d, s, l);
	if (d->f->longest_census_ns[0])
		line_pair(l, "; the census itself at most ", ST_WARN, as_duration(d->f->longest_census_ns[0]));
	uint64_t unexplained = put_lull(d->log, &d->f->longest_lulls[0], l);
	if (d->f->longest_copying[0].others) {
		text_not_explained(text, sizeof text, gc, &d->f->longest_copying[0], d->f->longest_census[0]);
		line_put(l, ST_DIM, false, *text ? "; " : "");
		line_put(l, ST_WARN, false, text);
	}
	unexplained += *text ? d->f->longest_copying[0].left : 0;
	line_put(l, ST_DIM, false, text_print_each(d->log, unexplained));
	put_cut(d, l, "; ");
}

static void place_pause(const struct stats_data *d, struct stats_place *out)
{
	const struct cut_gcs cut = figures_cut_gcs(d->f, d->log);
	const struct gc_row *gc = d->f->n_longest ? &d->f->longest[0] : cut.begin ? cut.begin : cut.end;
	if (!gc)
		return;
	out->kind = PLACE_PAUSE;
	out->t = gc->start;
}

/* --- threads ------------------------------------------------------------------------------------------------------- */

/* "23.77 s: 46.6% of the run": the share that the timeline shows. */
static void put_run_share(const struct stats_data *d, const struct thread_waits *t, struct line *l)
{
	double total = d->f->values[METRIC_TIME_TOTAL];
	bool cut = evl_complete_until(d->log) < d->f->to; /* an open run lasts until the end */
	line_thread(l, d->log, t->thread);
	line_pair(l, cut ? ", at most " : ", ", ST_TEXT, as_duration(t->run_ns));
	line_printf(l, ST_TEXT, false, ": %s of the %s", as_share(total > 0 ? (double)t->run_ns / total : 0), whole(d));
}

/* "; together, 3 threads "chunk" 271 ms: 31.2%": threads of one label, or without one, that ran longer than any one, by
 * over 1%: else the others hardly ran. */
static void put_together(const struct stats_data *d, uint64_t one, struct line *l)
{
	const struct labels_waits *labels = &d->f->labels;
	const struct label_waits *most = NULL;
	const double MORE = 1.01;
	uint64_t named = 0;
	if (!d->f->deep || labels->failed || labels->others || evl_complete_until(d->log) < d->f->to)
		return;
	for (const struct label_waits *x = labels->by_label; x; x = x->hh.next) {
		named += x->is.run_ns;
		most = x->n > 1 && (!most || x->is.run_ns > most->is.run_ns) ? x : most;
	}
	double unnamed = d->f->values[METRIC_TIME_RUN] - (double)named, total = d->f->values[METRIC_TIME_TOTAL],
	       ns = fmax(unnamed, most ? (double)most->is.run_ns : 0);
	if (!(ns > MORE * (double)one) || !(total > 0))
		return;
	line_put(l, ST_DIM, false, "; together, ");
	if (ns > unnamed) {
		line_printf(l, ST_EM, true, "%s threads \"", as_count(most->n));
		line_text(l, ST_EM, true, (struct evl_str){most->hh.key, most->hh.keylen});
		line_put(l, ST_EM, true, "\"");
	} else {
		line_put(l, ST_EM, true, "threads without a label");
	}
	line_pair(l, " ", ST_TEXT, as_value(UNIT_NS, ns));
	if (ns <= total) /* else several ran at once */
		line_printf(l, ST_TEXT, false, ": %s", as_share(ns / total));
}

static void put_thread(const struct stats_data *d, struct line *l)
{
	struct thread_waits t;
	if (!section_ran_most(d, 0, &t)) {
		bool pending = d->f->has_sched && !d->f->deep && !d->f->whole;
		line_put(l, ST_DIM, false, pending ? "not read yet" : absence_text(d->log, ABSENCE_THREADS));
		return;
	}
	put_run_share(d, &t, l);
	if (t.longest_run && !is_brief(d)) {
		line_pair(l, " (longest run ", ST_TEXT, as_duration(t.longest_run));
		line_pair(l, " at ", ST_TEXT, as_time(t.run_at));
		line_put(l, ST_DIM, false, " s)");
	}
	put_together(d, t.run_ns, l);
	const double NEAR = 0.95;
	double most = (double)t.run_ns;
	if (!section_ran_most(d, 1, &t))
		return;
	line_put(l, ST_DIM, false, (double)t.run_ns >= NEAR * most ? "; nearly as long: " : "; next: ");
	put_run_share(d, &t, l);
}

static void place_thread(const struct stats_data *d, struct stats_place *out)
{
	struct thread_waits t;
	if (section_ran_most(d, 0, &t))
		section_place_run(d, &t, out);
}

/* --- the capability that was idle most ----------------------------------------------------------------------------- */

/* "; cap 0 about as idle": of capabilities that differ in less than a twentieth, none is idle most. */
static void put_as_idle(const struct figures *f, size_t most, struct line *l)
{
	const double NEAR = 0.95;
	size_t n = 0, last = 0;
	for (size_t i = 0; i < f->n_caps; i++)
		if (i != most && stats_idle_share(f, i) >= NEAR * stats_idle_share(f, most)) {
			n++;
			last = i;
		}
	if (n == 1)
		line_printf(l, ST_TEXT, false, "; cap %u about as idle", f->caps[last].cap);
	else if (n)
		line_printf(l, ST_TEXT, false, "; %s%zu other caps about as idle", n + 1 == f->n_caps ? "the " : "", n);
}

/* "cap 3, idle for 95.5% of the 7.10 ms in which it existed (16.8% of the run)". Return the time that the share is of. */
static uint64_t put_idle_share(
	const struct stats_data *d, const struct cap_figures *most, const char *bound, struct line *l)
{
	const double LONG = 0.1;
	const struct stats_summary *s = &d->answer->summary;
	const bool late = section_share(d->f, most->absent) >= ABSENT_LEAST;
	double share = section_share(d->f, most->idle);
	line_put(l, ST_TEXT, false, stats_idle_share(d->f, s->cap) < LONG ? "none for long; most: " : "");
	line_printf(l, ST_EM, true, "cap %u", most->cap);
	if (!late) {
		line_printf(l, ST_TEXT, false, ", idle for %s%s of the %s", bound, as_share(share), whole(d));
		return figures_total(d->f);
	}
	uint64_t there = stats_cap_there(d->f, s->cap);
	line_printf(l, ST_TEXT, false, ", idle for %s%s of the %s in which it %s", bound,
		as_share(stats_idle_share(d->f, s->cap)), as_duration(there),
		s->absences >> CAP_DISABLED & 1 ? "was enabled" : "existed");
	line_printf(l, ST_TEXT, false, " (%s of the %s)", as_share(share), whole(d));
	return there;
}

/* "; ready here 2,540 times, 784 µs at most (from 2.362269282 s)": a thread in its queue, if that is much. */
static void put_ready_here(const struct stats_data *d, const struct cap_idle *idle, struct line *l)
{
	const double MUCH = 0.1, LEAST = 0.01; /* of its idle time, of the run */
	double ns = (double)idle->here_ns;
	if (!(ns >= MUCH * (double)idle->ns && ns >= LEAST * (double)figures_total(d->f)) || !idle->here_n)
		return;
	line_pair(l, "; ready here ", ST_TEXT, as_count(idle->here_n));
	line_put(l, ST_DIM, false, idle->here_n == 1 ? " time, " : " times, ");
	line_duration(l, ST_TEXT, idle->here_most.ns);
	line_pair(l, idle->here_n == 1 ? " (from " : " at most (from ", ST_TEXT, as_time(idle->here_most.at));
	line_put(l, ST_DIM, false, " s)");
}

/* "; see finding 1": threads were mostly blocked or in foreign calls, and the first of the findings that say for what. */
static void put_waited_for(const struct stats_data *d, const struct cap_idle *idle, struct line *l)
{
	static const enum finding_id about[] = {FINDING_TIMER_BOUND, FINDING_EXTERNAL_WAITS, FINDING_FOREIGN_BLOCKING,
		FINDING_DEADLOCK, FINDING_LOCK_CONTENTION};
	const struct findings *all = &d->answer->findings;
	const struct finding *first = NULL;
	for (size_t i = 0; i < countof(about); i++) {
		const struct finding *f = findings_of(all, about[i]);
		first = f && (!first || f < first) ? f : first;
	}
	if (first && d->f->waits->all_threads && 2 * idle_reason_ns(idle, IDLE_BLOCKED) > idle->ns)
		line_printf(l, ST_TEXT, false, "; see finding %zu", findings_number_of(all, first));
}

static uint64_t paused_of(const struct cap_figures *c) { return c->gc + c->sync + c->stopped; }

/* Another capability may run nothing for longer, as collections stop it: that is not idle time. */
static void put_longer_paused(const struct stats_data *d, const struct cap_figures *idle, struct line *l)
{
	const struct cap_figures *most = idle;
	for (size_t i = 0; i < d->f->n_caps; i++)
		most = paused_of(&d->f->caps[i]) > paused_of(most) ? &d->f->caps[i] : most;
	if (most != idle && paused_of(most) > idle->idle + paused_of(idle))
		line_printf(l, ST_TEXT, false, "; but cap %u was in or stopped by collections for %s%s", most->cap,
			most->exact ? "" : "at most ", as_share(section_share(d->f, paused_of(most))));
}

/* The only capability is not there before the first thread or after the last, in the time that the row "all idle" of the box TIME
 * includes. */
static void put_idle(const struct stats_data *d, struct line *l)
{
	const struct stats_summary *s = &d->answer->summary;
	if (!s->has_cap) {
		bool runs = absence_seen(d->log, ABSENCE_RUNS);
		line_put(l, ST_DIM, false, runs ? "not known without GC events: " : "");
		line_put(l, ST_DIM, false, absence_text(d->log, runs ? ABSENCE_GCS : ABSENCE_RUNS));
		return;
	}
	const struct cap_figures *most = &d->f->caps[s->cap];
	const struct cap_idle *idle = figures_idle(d->f);
	const char *bound = s->lost || !most->exact ? "at most " : "";
	uint64_t paused = paused_of(most), of = figures_total(d->f);
	if (d->log->n_caps > 1)
		of = put_idle_share(d, most, bound, l);
	else
		line_printf(l, ST_TEXT, false, "%s%s, %s of the %s", bound, as_duration(most->idle + most->off),
			as_share(section_share(d->f, most->idle + most->off)), whole(d));
	if (idle && s->all_known && idle[s->cap].ns) {
		struct cap_idle parts = idle[s->cap];
		parts.ns += d->log->n_caps == 1 ? parts.off_ns : 0;
		parts.none_ns += d->log->n_caps == 1 ? parts.off_ns : 0;
		line_idle_parts(l, d->log, &parts, d->f->waits->all_threads, ": ", of);
		put_waited_for(d, &parts, l);
	}
	if (d->log->n_caps > 1)
		put_as_idle(d->f, s->cap, l);
	if (idle && s->all_known && !is_brief(d) && d->f->waits->all_threads)
		put_ready_here(d, &idle[s->cap], l);
	if (section_share(d->f, paused) >= ABSENT_LEAST && (!is_brief(d) || paused > most->idle))
		line_printf(l, ST_TEXT, false, "; in or stopped by collections %s%s", most->exact ? "" : "at most ",
			as_share((double)paused / (double)of));
	if (s->lost)
		line_printf(l, ST_WARN, false, " (its events after %s s are lost)", as_time(s->lost));
	put_longer_paused(d, most, l);
}

/* The stretch with most of the reason that the row names first; else the longest one. */
static void place_idle_cap(const struct stats_data *d, struct stats_place *out)
{
	const struct stats_summary *s = &d->answer->summary;
	const struct cap_idle *idle = figures_idle(d->f);
	if (!s->has_cap)
		return;
	out->kind = s->idle.to > s->idle.from ? PLACE_IDLE : PLACE_CAP;
	out->t = s->idle.from;
	out->end = s->idle.to;
	out->id = d->f->caps[s->cap].cap;
	if (out->kind == PLACE_CAP || !idle || !s->all_known || !d->f->waits->all_threads)
		return;
	const struct idle_stretch *most = idle_longest_of_largest(&idle[s->cap]);
	out->t = most->ns ? most->at : out->t;
	out->end = most->ns ? most->to : out->end;
}

/* "of cap 1: 45.0 ms from 0.015513897 s; in its middle: nothing to run: …" */
static void put_longest_idle(const struct stats_data *d, struct line *l)
{
	const struct stats_summary *s = &d->answer->summary;
	bool known = d->f->deep || d->f->windows.label;
	if (!s->has_cap || s->idle.to == s->idle.from) {
		line_put(l, ST_DIM, false, !s->has_cap ? "not known" : known ? "none" : "not read yet");
		return;
	}
	uint16_t cap = d->f->caps[s->cap].cap;
	const uint64_t off = d->f->caps[s->cap].off;
	if (d->log->n_caps > 1)
		line_printf(l, ST_TEXT, false, "of cap %u: ", cap);
	line_duration(l, ST_TEXT, s->idle.to - s->idle.from);
	line_pair(l, " from ", ST_TEXT, as_time(s->idle.from));
	line_put(l, ST_DIM, false, gcs_at(&d->log->gcs, s->idle.to) ? " s, until a GC" : " s");
	line_put(l, ST_DIM, false, s->explained ? "; in its middle: " : ""); /* the reason may change within it */
	struct idle_end end = s->end;
	end.found = end.found && end.t <= s->idle.to; /* else a collection, not this run, ends it */
	if (s->explained)
		line_why_idle(l, d->log, &s->why, &end, &s->around, cap);
	if (s->unalive.to > s->unalive.from) {
		line_pair(l, "; longer, but with no thread alive: ", ST_TEXT,
			as_duration(s->unalive.to - s->unalive.from));
		line_pair(l, " from ", ST_TEXT, as_time(s->unalive.from));
		line_put(l, ST_DIM, false, " s");
	}
	if (d->log->n_caps == 1 && section_share(d->f, off) >= ABSENT_LEAST && off > s->idle.to - s->idle.from)
		line_pair(l, "; longer, but before the first thread or after the last: ", ST_TEXT, as_duration(off));
}

static void place_idle(const struct stats_data *d, struct stats_place *out)
{
	const struct stats_summary *s = &d->answer->summary;
	if (s->idle.to <= s->idle.from)
		return;
	place_idle_cap(d, out);
	out->t = s->idle.from;
	out->end = s->idle.to;
}

/* --- threads that wait in queues while capabilities are idle ------------------------------------------------------- */

/* The capability that kept threads longest, of those that follow `last` in that order; of equals the first. n_caps: none. */
static size_t next_keeper(const struct figures *f, const struct cap_idle *idle, size_t last)
{
	size_t best = f->n_caps;
	for (size_t i = 0; i < f->n_caps; i++) {
		bool follows = last == f->n_caps || idle[i].kept_ns < idle[last].kept_ns
			|| (idle[i].kept_ns == idle[last].kept_ns && i > last);
		if (follows && (best == f->n_caps || idle[i].kept_ns > idle[best].kept_ns))
			best = i;
	}
	return best;
}

/* "33.1% of the run: threads that could run waited in the queue of a capability that ran another one, …" */
static void put_queues(const struct stats_data *d, struct line *l)
{
	enum { MOST = 3 };
	const double LEAST = 0.1; /* of that time */
	const struct figures *f = d->f;
	const struct cap_idle *idle = figures_idle(f);
	double total = (double)figures_total(f), all = f->values[METRIC_CONCURRENCY_KEPT];
	line_put(l, ST_WARN, false, as_share(all));
	line_printf(l, ST_TEXT, false,
		" of the %s: threads waited in the queue of a busy capability while another was idle", whole(d));
	for (size_t k = 0, i = next_keeper(f, idle, f->n_caps); k < MOST && i < f->n_caps;
		k++, i = next_keeper(f, idle, i)) {
		if ((double)idle[i].kept_ns < LEAST * all * total)
			break;
		line_put(l, ST_DIM, false, k ? ", busy " : ": busy ");
		line_printf(l, ST_EM, true, "cap %u", f->caps[i].cap);
		line_printf(l, ST_TEXT, false, " for %s", as_share((double)idle[i].kept_ns / total));
		line_printf(l, ST_TEXT, false, " (%.1f waiting on average)",
			(double)idle[i].kept_threads_ns / (double)idle[i].kept_ns);
	}
	size_t most = next_keeper(f, idle, f->n_caps);
	line_printf(l, ST_DIM, false, "; on cap %u at most ", f->caps[most].cap);
	line_put(l, ST_TEXT, false, as_duration(idle[most].kept_most.ns));
	line_pair(l, " at a time, from ", ST_TEXT, as_time(idle[most].kept_most.at));
	line_put(l, ST_TEXT, false, " s");
}

static void place_queues(const struct stats_data *d, struct stats_place *out)
{
	const struct cap_idle *idle = figures_idle(d->f);
	size_t most = next_keeper(d->f, idle, d->f->n_caps);
	out->kind = PLACE_IDLE;
	out->t = idle[most].kept_most.at;
	out->end = idle[most].kept_most.to;
	out->id = d->f->caps[most].cap;
}

/* --- sparks that are too small --------------------------------------------------------------------------------------- */

static bool has_tiny_sparks(const struct stats_data *d)
{
	enum { LEAST = 100, SMALL_NS = 1000 };
	const struct spark_sizes *s = &d->answer->summary.sparks;
	return d->answer->summary.sized && s->n >= LEAST && s->median < SMALL_NS;
}

static void put_tiny_sparks(const struct stats_data *d, struct line *l)
{
	const struct spark_sizes *s = &d->answer->summary.sparks;
	line_printf(l, ST_TEXT, false, "half of the %s sparks that ran took at most ", as_count(s->n));
	line_duration(l, ST_WARN, s->median);
	line_put(l, ST_TEXT, false,
		", with the time to fetch the next one: too little to be worth a spark; let each do more "
		"(parListChunk, "
		"parBuffer)");
}

/* --- colours ------------------------------------------------------------------------------------------------------- */

static void put_colours(UNUSED const struct stats_data *d, struct line *l)
{
	line_put(l, ST_KEY, true, "Enter");
	line_put(l, ST_TEXT, false, " explains those of the timeline, ");
	line_put(l, ST_KEY, true, "C");
	line_put(l, ST_TEXT, false, " those of this pane");
}

static void place_colours(UNUSED const struct stats_data *d, struct stats_place *out) { out->kind = PLACE_COLOURS; }

/* --- the profiler -------------------------------------------------------------------------------------------------- */

static bool has_profiler(const struct stats_data *d) { return d->answer->summary.profiler > 0; }

static void put_profiler(const struct stats_data *d, struct line *l)
{
	line_put(l, ST_WARN, false, as_share(d->answer->summary.profiler));
	line_put(l, ST_TEXT, false,
		" of the samples of the run's time profile, without IDLE, are the profiler's own work "
		"(OVERHEAD_of), which a program without profiling does not do");
}

/* --- the box ------------------------------------------------------------------------------------------------------- */

static const struct section_entry answers[] = {{.label = "main problem", .put = put_main, .place = place_main},
	{.label = "GC a problem?", .put = put_gc, .place = place_gc},
	{.label = "longest pause", .put = put_pause, .place = place_pause},
	{.label = "ran most", .put = put_thread, .place = place_thread},
	{.label = "idle most", .alone = "idle", .put = put_idle, .place = place_idle_cap},
	{.label = "longest idle", .put = put_longest_idle, .place = place_idle},
	{.label = "colours", .put = put_colours, .place = place_colours, .of_screen = true},
	{.label = "queues", .put = put_queues, .place = place_queues, .there = has_queues},
	{.label = "sparks", .put = put_tiny_sparks, .there = has_tiny_sparks},
	{.label = "profiler", .put = put_profiler, .there = has_profiler}};
static const struct section_entries entries = {answers, countof(answers), LABEL};

static void head(UNUSED const struct stats_data *d, struct line *l)
{
	line_put(l, ST_DIM, false, "Enter on a row below: its finding, its place, or a list");
}

const struct section_ops section_summary = {
	.title = "SUMMARY", .missing = "", .wide = true, .entries = &entries, .head = head};
