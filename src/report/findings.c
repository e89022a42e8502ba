#include "report/findings.h"

#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const struct {
	const char *name, *flag, *meaning;
	enum finding_grave severity;
} table[FINDING_IDS] = {
#define FINDING(id, name, severity, flag, meaning) [FINDING_##id] = {name, flag, meaning, FINDING_##severity},
#include "report/findings.def"
#undef FINDING
};

const char *finding_name(enum finding_id id) { return table[id].name; }
const char *finding_meaning(enum finding_id id) { return table[id].meaning; }
const char *finding_flag(enum finding_id id) { return table[id].flag; }

/* What the rules look at. */
struct case_of {
	const struct evl_log *log;
	const struct figures *f;
	const double *v;
	double active; /* ns; NAN: not known */
};

enum { LEAST_NS = 5000000, LEAST_SPARKS = 10 };

static void say(struct finding *out, const char *form, ...) EVL_PRINTF(2, 3);

static void say(struct finding *out, const char *form, ...)
{
	va_list args;
	va_start(args, form);
	vsnprintf(out->text, sizeof out->text, form, args);
	va_end(args);
}

static bool figure(struct finding *out, const struct case_of *c, enum metric m)
{
	out->metric = m;
	out->value = c->v[m];
	return true;
}

static void place(struct finding *out, uint64_t t)
{
	out->has_place = true;
	out->t = t;
}

/* "thread 7 (worker)" */
static const char *thread_text(const struct case_of *c, uint32_t thread, char *out, size_t room)
{
	enum { LABEL = 40 };
	struct evl_str label = evl_label(c->log, thread);
	if (label.len)
		snprintf(out, room, "thread %u (%.*s)", thread, (int)min_u64(label.len, LABEL), (const char *)label.p);
	else
		snprintf(out, room, "thread %u", thread);
	return out;
}

/* --- collections -------------------------------------------------------------------------------------------------- */

static bool find_GC_SHARE(const struct case_of *c, struct finding *out)
{
	char share[TEXT_ROOM], gc[TEXT_ROOM], sync[TEXT_ROOM];
	double both = c->v[METRIC_TIME_GC] + c->v[METRIC_TIME_GC_SYNC];
	if (!(both > 0.2 * c->active) || both < LEAST_NS)
		return false;
	say(out, "collections took %s of the active time: %s, and %s of waiting for them",
		text_share(share, both / c->active), text_value(gc, UNIT_NS, c->v[METRIC_TIME_GC]),
		text_value(sync, UNIT_NS, c->v[METRIC_TIME_GC_SYNC]));
	if (c->f->n_longest)
		place(out, gc_requested(&c->f->longest[0]));
	return figure(out, c, METRIC_TIME_GC);
}

static bool find_GC_PAUSES(const struct case_of *c, struct finding *out)
{
	enum { BOUND = 10000000 };
	char count[TEXT_ROOM], longest[TEXT_ROOM];
	uint64_t n = 0;
	for (int i = 0; i < PAUSE_CLASSES; i++)
		n += i > pause_class_of(BOUND - 1) ? c->f->pause_classes[i] : 0;
	if (n == 0)
		return false;
	say(out, "%s pause%s of 10 ms or more, the longest %s", text_count(count, n), n == 1 ? "" : "s",
		text_value(longest, UNIT_NS, c->v[METRIC_GC_PAUSE_MAX]));
	place(out, gc_requested(&c->f->longest[0]));
	return figure(out, c, METRIC_GC_PAUSE_MAX);
}

static bool find_GC_SYNC(const struct case_of *c, struct finding *out)
{
	const struct gc_laggards *s = &c->f->sync;
	char time[TEXT_ROOM], share[TEXT_ROOM], part[TEXT_ROOM], thread[80];
	double sync = c->v[METRIC_TIME_GC_SYNC];
	if (!(sync > 0.02 * c->active) || sync < LEAST_NS || !s->has_worst || s->ns <= s->looked / 2)
		return false;
	say(out,
		"waiting for capabilities to stop took %s, %s of the active time; cap %u was the last in %s of the %zu "
		"longest: %s",
		text_value(time, UNIT_NS, sync), text_share(share, sync / c->active), s->cap,
		text_share(part, (double)s->ns / (double)s->looked), s->n,
		thread_text(c, s->thread, thread, sizeof thread));
	for (size_t i = 0; i < s->n && !out->has_place; i++)
		if (s->rows[i].late.found && s->rows[i].late.cap == s->cap)
			place(out, gc_requested(&s->rows[i].gc));
	out->thread = s->thread;
	return figure(out, c, METRIC_TIME_GC_SYNC);
}

static bool find_GC_MINOR(const struct case_of *c, struct finding *out)
{
	char rate[TEXT_ROOM], share[TEXT_ROOM], area[TEXT_ROOM];
	double minor = c->v[METRIC_GC_N] - c->v[METRIC_GC_MAJOR_N], a_second = minor * 1e9 / c->v[METRIC_TIME_MUTATOR];
	uint64_t alloc_area = program_get(&c->log->program).alloc_area;
	if (!(a_second > 500) || !(a_second < 1e18) || !(c->v[METRIC_TIME_GC_MINOR] > 0.05 * c->active)
		|| c->v[METRIC_TIME_GC_MINOR] < LEAST_NS)
		return false;
	say(out, "%s minor collections a second of mutator time, %s of the active time; allocation area %s",
		text_count(rate, (uint64_t)a_second), text_share(share, c->v[METRIC_TIME_GC_MINOR] / c->active),
		alloc_area ? text_bytes(area, alloc_area) : "unknown");
	return figure(out, c, METRIC_GC_RATE);
}

static bool find_GC_BALANCE(const struct case_of *c, struct finding *out)
{
	char balance[TEXT_ROOM], n[TEXT_ROOM];
	if (!(c->v[METRIC_GC_PAR_N] > 10) || !(c->v[METRIC_GC_WORK_BALANCE] < 0.3))
		return false;
	say(out, "work balance of %s parallel collections is %s: mostly one thread copied, the others waited",
		text_value(n, UNIT_COUNT, c->v[METRIC_GC_PAR_N]), text_share(balance, c->v[METRIC_GC_WORK_BALANCE]));
	return figure(out, c, METRIC_GC_WORK_BALANCE);
}

/* --- capabilities and threads --------------------------------------------------------------------------------------- */

static bool find_CAP_ALONE(const struct case_of *c, struct finding *out)
{
	const struct cap_figures *most = c->f->caps;
	char share[TEXT_ROOM], time[TEXT_ROOM];
	double run = 0;
	for (size_t i = 0; i < c->f->n_caps; i++) {
		run += (double)c->f->caps[i].run_ns;
		most = c->f->caps[i].run_ns > most->run_ns ? &c->f->caps[i] : most;
	}
	if (c->f->n_caps < 2 || !((double)most->run_ns > 0.8 * run) || most->run_ns < LEAST_NS)
		return false;
	say(out, "cap %u ran %s of all thread time (%s of it), %s the rest", most->cap,
		text_share(share, (double)most->run_ns / run), text_duration(time, (uint64_t)run),
		c->f->n_caps == 2 ? "the other" : "the others");
	return figure(out, c, METRIC_CAP_MOST);
}

static bool find_THREADS_STUCK(const struct case_of *c, struct finding *out)
{
	const struct waits *w = c->f->waits;
	char n[TEXT_ROOM], thread[80], since[TEXT_ROOM];
	if (!w || !c->f->whole || w->stuck == 0)
		return false;
	say(out, "%s thread%s blocked to the end of the log: %s since %s", text_count(n, w->stuck),
		w->stuck == 1 ? "" : "s", thread_text(c, w->stuck_thread, thread, sizeof thread),
		text_value(since, UNIT_MOMENT, (double)w->stuck_since));
	place(out, w->stuck_since);
	out->thread = w->stuck_thread;
	return figure(out, c, METRIC_THREADS_ALIVE_END);
}

static bool find_THREADS_LATENCY(const struct case_of *c, struct finding *out)
{
	const struct waits *w = c->f->waits;
	char p99[TEXT_ROOM], longest[TEXT_ROOM], thread[80];
	if (!w || w->latency.n < 100 || !(c->v[METRIC_THREADS_LATENCY_P99] > 10e6) || w->n_latency == 0)
		return false;
	say(out, "threads that could run waited up to %s for it (99%% at most %s): %s",
		text_value(longest, UNIT_NS, c->v[METRIC_THREADS_LATENCY_MAX]),
		text_value(p99, UNIT_NS, c->v[METRIC_THREADS_LATENCY_P99]),
		thread_text(c, w->by_latency[0].thread, thread, sizeof thread));
	place(out, w->by_latency[0].latency_at);
	out->thread = w->by_latency[0].thread;
	return figure(out, c, METRIC_THREADS_LATENCY_P99);
}

/* --- sparks ------------------------------------------------------------------------------------------------------- */

/* "12,345 sparks (4.5%) …", where they are more than so large a part and not just a few. */
static bool sparks(const struct case_of *c, struct finding *out, enum metric number, enum metric share, double bound,
	const char *what)
{
	char n[TEXT_ROOM], part[TEXT_ROOM];
	if (!(c->v[share] > bound) || !(c->v[number] >= LEAST_SPARKS))
		return false;
	say(out, "%s sparks (%s) %s", text_value(n, UNIT_COUNT, c->v[number]), text_share(part, c->v[share]), what);
	return figure(out, c, share);
}

static bool find_SPARKS_LOST(const struct case_of *c, struct finding *out)
{
	return sparks(c, out, METRIC_SPARKS_OVERFLOWED, METRIC_SPARKS_OVERFLOWED_SHARE, 0.01,
		"were dropped: the pool was full");
}

static bool find_SPARKS_FIZZLED(const struct case_of *c, struct finding *out)
{
	return sparks(c, out, METRIC_SPARKS_FIZZLED, METRIC_SPARKS_FIZZLED_SHARE, 0.1,
		"fizzled: somebody else evaluated them first");
}

static bool find_SPARKS_DUD(const struct case_of *c, struct finding *out)
{
	return sparks(
		c, out, METRIC_SPARKS_DUD, METRIC_SPARKS_DUD_SHARE, 0.1, "were duds: evaluated already when sparked");
}

static bool find_SPARKS_GCD(const struct case_of *c, struct finding *out)
{
	return sparks(c, out, METRIC_SPARKS_GCD, METRIC_SPARKS_GCD_SHARE, 0.1,
		"were collected before they ran: nothing referred to them any more");
}

/* --- the heap ----------------------------------------------------------------------------------------------------- */

static bool grows(const struct case_of *c)
{
	const struct live_trend *l = &c->f->live;
	return l->n >= 6 && c->v[METRIC_HEAP_LIVE_R2] > 0.8 && l->last / 2 >= l->first && l->last > l->first;
}

static bool find_HEAP_GROWS(const struct case_of *c, struct finding *out)
{
	char slope[TEXT_ROOM], first[TEXT_ROOM], last[TEXT_ROOM];
	const struct live_trend *l = &c->f->live;
	if (!grows(c))
		return false;
	say(out, "live memory grows by %s, from %s to %s over %" PRIu64 " major collections (r2 %.2f)",
		text_value(slope, UNIT_RATE, c->v[METRIC_HEAP_LIVE_SLOPE]), text_bytes(first, l->first),
		text_bytes(last, l->last), l->n, c->v[METRIC_HEAP_LIVE_R2]);
	place(out, l->first_t);
	return figure(out, c, METRIC_HEAP_LIVE_SLOPE);
}

static bool find_NO_HEAP(const struct case_of *c, struct finding *out)
{
	if (!grows(c) || c->log->event_counts.heap.count > 0)
		return false;
	say(out, "no heap profile in the log: -hT would tell what the growing memory is");
	return true;
}

/* --- the log ------------------------------------------------------------------------------------------------------ */

static bool find_DAMAGED(const struct case_of *c, struct finding *out)
{
	const struct damage_list *d = &c->log->damage;
	uint64_t bytes = 0;
	char size[TEXT_ROOM];
	for (size_t i = 0; i < d->n; i++)
		bytes += d->items[i].len;
	if (d->n == 0)
		return false;
	say(out, "%" PRIu64 " place%s of the log cannot be read%s%s; the first at byte %" PRIu64, d->n + d->more,
		d->n + d->more == 1 ? "" : "s", bytes ? ", " : "", bytes ? text_bytes(size, bytes) : "",
		d->items[0].off);
	return figure(out, c, METRIC_DAMAGE_N);
}

static bool find_UNFINISHED(const struct case_of *c, struct finding *out)
{
	if (!evl_unfinished(c->log))
		return false;
	say(out, "the log has no end marker: killed, or still running; what was in buffers is missing");
	return true;
}

static bool any_event(const struct case_of *c) { return evl_progress(c->log).events > 0; }

static bool find_NO_SCHED(const struct case_of *c, struct finding *out)
{
	if (c->f->has_sched || !any_event(c))
		return false;
	say(out, "no scheduler events: what threads and capabilities did is not known");
	return true;
}

static bool find_NO_GC(const struct case_of *c, struct finding *out)
{
	if (c->f->has_gc || !any_event(c))
		return false;
	say(out, "no collections: none happened, or -lg was not given; pauses and idle time are not known");
	return true;
}

static bool find_NO_SPARKS(const struct case_of *c, struct finding *out)
{
	if (c->log->n_caps < 2 || !any_event(c) || c->log->event_counts.tags.n[EVL_SPARK_COUNTERS] > 0)
		return false;
	say(out, "%zu capabilities and no counters of sparks", c->log->n_caps);
	return true;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

typedef bool rule(const struct case_of *c, struct finding *out);

static rule *const rules[FINDING_IDS] = {
#define FINDING(id, name, severity, flag, meaning) [FINDING_##id] = find_##id,
#include "report/findings.def"
#undef FINDING
};

void findings_make(struct findings *out, const struct evl_log *log, struct figures *f)
{
	const double *v = f->values;
	struct case_of c = {log, f, v, v[METRIC_TIME_TOTAL] - v[METRIC_TIME_IDLE]};
	*out = (struct findings){0};
	for (int id = 0; id < FINDING_IDS; id++) {
		struct finding *found = &out->items[out->n];
		*found = (struct finding){.id = (enum finding_id)id,
			.severity = table[id].severity,
			.metric = METRICS,
			.value = (double)NAN};
		if (!rules[id](&c, found))
			continue;
		out->n++;
		out->warnings += table[id].severity == FINDING_WARN;
	}
	f->values[METRIC_FINDINGS_N] = (double)out->warnings;
}
