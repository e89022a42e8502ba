#include "report/figures_json.h"

#include "report/named.h"

#include <math.h>
#include <stdio.h>

void figures_json_value(struct json *j, enum unit unit, double value)
{
	const double most = 18446744073709549568.0; /* the largest double that is a u64 */
	if (!unit_is_whole(unit) || isnan(value))
		json_double(j, value);
	else
		json_u64(j, value >= most ? UINT64_MAX : value > 0 ? (uint64_t)(value + 0.5) : 0);
}

/* --- lists of groups ---------------------------------------------------------------------------------------------- */

static void put_generations(struct json *j, const struct figures *f)
{
	json_key(j, "generations");
	json_open(j, '[');
	for (size_t i = 0; i < f->n_gens; i++) {
		const struct gen_figures *g = &f->gens[i];
		json_open(j, '{');
		json_put_known(j, "gen", g->gen != GC_GEN_UNKNOWN, g->gen);
		json_put_u64(j, "n", g->sum.n);
		json_put_u64(j, "par", g->sum.par);
		json_put_u64(j, "elapsed_ns", g->sum.elapsed);
		json_put_u64(j, "mean_ns", g->sum.n ? g->sum.elapsed / g->sum.n : 0);
		json_put_u64(j, "max_ns", g->sum.max);
		json_put_known(j, "copied_bytes", g->gen != GC_GEN_UNKNOWN, g->sum.copied);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_pause_classes(struct json *j, const struct figures *f)
{
	json_key(j, "pause_classes");
	json_open(j, '[');
	for (int i = 0; i < PAUSE_CLASSES; i++) {
		const struct pause_class *class = pause_class(i);
		json_open(j, '{');
		json_put_known(j, "below_ns", class->below != UINT64_MAX, class->below);
		json_put_u64(j, "n", f->pause_classes[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_longest(struct json *j, const struct figures *f)
{
	json_key(j, "longest");
	json_open(j, '[');
	for (size_t i = 0; i < f->n_longest; i++) {
		const struct gc_row *r = &f->longest[i];
		json_open(j, '{');
		json_put_u64(j, "start_ns", r->start);
		json_put_u64(j, "pause_ns", gc_pause(r));
		json_put_u64(j, "sync_ns", r->sync);
		json_put_known(j, "gen", r->gen != GC_GEN_UNKNOWN, r->gen);
		json_put_u64(j, "cap", r->cap);
		json_key(j, "census");
		json_bool(j, f->longest_census[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_sync_delays(struct json *j, const struct figures *f)
{
	json_key(j, "sync_delays");
	json_open(j, '[');
	for (size_t i = 0; i < f->sync.n; i++) {
		const struct sync_row *r = &f->sync.rows[i];
		json_open(j, '{');
		json_put_u64(j, "start_ns", r->gc.start);
		json_put_u64(j, "sync_ns", r->gc.sync);
		json_key(j, "cause");
		json_cstr(j, r->late.by_thread ? "thread" : "wakeup");
		json_put_known(j, "late_cap", r->late.by_thread, r->late.run.cap);
		json_put_known(j, "late_thread", r->late.by_thread, r->late.run.thread);
		json_put_u64(j, "late_ns", r->late.run.late);
		json_put_u64(j, "rest_ns", r->late.rest);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_gc_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	(void)log;
	put_generations(j, f);
	put_pause_classes(j, f);
	put_longest(j, f);
	put_sync_delays(j, f);
}

static void open_thread(struct json *j, const struct evl_log *log, uint32_t thread)
{
	json_open(j, '{');
	json_put_u64(j, "thread", thread);
	json_put_text(j, "label", evl_label(log, thread));
}

static void put_top_run(struct json *j, const struct evl_log *log, const struct figures *f)
{
	const struct waits *w = f->waits;
	json_key(j, "top_run");
	if (!f->whole && !w) {
		json_null(j);
		return;
	}
	json_open(j, '[');
	for (size_t i = 0; i < (f->whole ? f->lives.n_top : w->n_run); i++) {
		open_thread(j, log, f->whole ? f->lives.top[i].thread : w->by_run[i].thread);
		json_put_u64(j, "run_ns", f->whole ? f->lives.top[i].ns : w->by_run[i].run_ns);
		json_put_u64(j, "runs", f->whole ? f->lives.top[i].runs : w->by_run[i].runs);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_top_blocked(struct json *j, const struct evl_log *log, const struct waits *w)
{
	json_key(j, "top_blocked");
	json_open(j, '[');
	for (size_t i = 0; i < w->n_blocked; i++) {
		const struct thread_waits *t = &w->by_blocked[i];
		open_thread(j, log, t->thread);
		json_put_u64(j, "blocked_ns", t->blocked_ns);
		json_put_u64(j, "longest_ns", t->longest_blocked);
		json_put_u64(j, "longest_at_ns", t->blocked_at);
		json_key(j, "longest_on");
		json_cstr(j, thread_stop_word(t->stop));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_top_latency(struct json *j, const struct evl_log *log, const struct waits *w)
{
	json_key(j, "top_latency");
	json_open(j, '[');
	for (size_t i = 0; i < w->n_latency; i++) {
		const struct thread_waits *t = &w->by_latency[i];
		open_thread(j, log, t->thread);
		json_put_u64(j, "longest_ns", t->longest_latency);
		json_put_u64(j, "longest_at_ns", t->latency_at);
		json_put_u64(j, "longest_wait_ns", t->longest_wait);
		json_put_u64(j, "runnable_ns", t->runnable_ns);
		json_put_u64(j, "runnable_wait_ns", t->runnable_ns - t->runnable_gc_ns);
		json_put_u64(j, "times", t->latencies);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_blocked_on(struct json *j, const struct waits *w)
{
	json_key(j, "blocked_on");
	json_open(j, '{');
	for (size_t i = 0; i < w->n_reasons; i++) {
		char key[32];
		snprintf(key, sizeof key, "%u_%s_ns", w->reasons[i].reason, thread_stop_word(w->reasons[i].reason));
		json_put_u64(j, key, w->reasons[i].ns);
	}
	json_close(j, '}');
}

void figures_json_who(struct json *j, const struct evl_log *log, const struct wait_who *who, size_t n, bool unknown)
{
	json_open(j, '[');
	for (size_t i = 0; i < n; i++) {
		struct evl_str label = who[i].thread ? evl_label(log, who[i].thread) : EVL_STR("");
		json_open(j, '{');
		json_put_known(j, "thread", who[i].thread || !unknown, who[i].thread);
		json_key(j, "label");
		if (label.len)
			json_str(j, label);
		else
			json_null(j);
		json_put_u64(j, "n", who[i].n);
		json_put_u64(j, "total_ns", who[i].ns);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_blocked(struct json *j, const struct evl_log *log, const struct waits *w)
{
	json_key(j, "blocked");
	if (!w) {
		json_null(j);
		return;
	}
	json_open(j, '[');
	for (size_t i = 0; i < w->n_reasons; i++) {
		const struct wait_reason *r = &w->reasons[i];
		json_open(j, '{');
		json_key(j, "reason");
		json_cstr(j, thread_block_name(r->reason));
		json_put_u64(j, "n", r->n);
		json_put_u64(j, "total_ns", r->ns);
		json_put_u64(j, "longest_ns", r->longest);
		json_put_u64(j, "longest_thread", r->longest_thread);
		json_put_u64(j, "longest_at_ns", r->longest_at);
		json_key(j, "wakers");
		figures_json_who(j, log, r->wakers, r->n_wakers, true);
		if (r->reason == STOP_BLACK_HOLE) {
			json_key(j, "owners");
			figures_json_who(j, log, r->owners, r->n_owners, false);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_concurrency(struct json *j, const struct figures *f)
{
	double total = (double)figures_total(f);
	json_key(j, "concurrency");
	if (f->waits && total > 0) {
		json_open(j, '[');
		for (size_t i = 0; i < f->waits->n_levels; i++)
			json_double(j, (double)f->waits->levels[i] / total);
		json_close(j, ']');
	} else {
		json_null(j);
	}
	json_put_double(j, "concurrency_gc", f->values[METRIC_CONCURRENCY_GC]);
}

/* Write figures by name, at most `most`; null if the log was not read for them. */
static void put_named(struct json *j, const struct evl_log *log, const struct figures *f, enum named_group group)
{
	enum { NAMES = 1000 };
	struct named named;
	bool known = f->deep && (!f->windows.label || group == NAMED_LABELS);
	if (!known) {
		json_key(j, named_kind(group).list);
		json_null(j);
	} else if (named_make(&named, log, f, 1u << group, NULL) < 0
		|| named_json(&named.groups[group], group, NAMES, j) < 0) {
		j->out->failed = true;
	}
	if (known)
		named_free(&named);
}

static void put_heap_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	put_named(j, log, f, NAMED_BANDS);
}

static void put_thread_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	static const char *const deep[] = {"top_blocked", "top_latency", "blocked_on"};
	put_top_run(j, log, f);
	put_named(j, log, f, NAMED_LABELS);
	if (f->waits) {
		put_top_blocked(j, log, f->waits);
		put_top_latency(j, log, f->waits);
		put_blocked_on(j, f->waits);
	}
	for (size_t i = 0; !f->waits && i < countof(deep); i++) {
		json_key(j, deep[i]);
		json_null(j);
	}
}

static void put_cycles(struct json *j, const struct nm_cycles *c)
{
	enum { SHOWN = 100 };
	json_key(j, "list");
	json_open(j, '[');
	for (size_t i = 0; i < c->n && i < SHOWN; i++) {
		const struct nm_cycle *cycle = &c->items[i];
		json_open(j, '{');
		json_put_u64(j, "start_ns", cycle->start);
		json_put_known(j, "end_ns", cycle->end != NM_OPEN, cycle->end);
		json_put_u64(j, "mark_ns", cycle->ns[NM_MARK]);
		json_put_u64(j, "sync_ns", cycle->ns[NM_SYNC]);
		json_put_u64(j, "sweep_ns", cycle->ns[NM_SWEEP]);
		json_put_u64(j, "stopped_ns", cycle->stopped);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_census(struct json *j, const struct nm_cycles *c)
{
	json_key(j, "census");
	json_open(j, '[');
	for (size_t i = 0; i < c->n_sizes; i++) {
		const struct nm_size *s = &c->sizes[i];
		json_open(j, '{');
		json_put_u64(j, "block_bytes", s->block_size);
		json_put_u64(j, "active_segments", s->active);
		json_put_u64(j, "filled_segments", s->filled);
		json_put_u64(j, "live_blocks", s->live);
		json_put_double(j, "occupancy", s->occupancy);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_nonmoving_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	(void)log;
	put_cycles(j, &f->nonmoving);
	put_census(j, &f->nonmoving);
	json_put_known(j, "census_t_ns", f->nonmoving.n_sizes > 0, f->nonmoving.census_t);
}

/* Write sparks per capability from single events; null if the log has none. */
static void put_spark_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	static const char *const names[SPARK_KINDS] = {
		"created", "dud", "overflowed", "run", "stolen", "fizzled", "gcd"};
	const struct spark_events *e = &log->sparks.events;
	json_key(j, "caps");
	if (!spark_events_any(e)) {
		json_null(j);
		return;
	}
	json_open(j, '[');
	for (size_t i = 0; i < f->n_caps; i++) {
		struct spark_sums sums;
		bool known = figures_sparks_of(f, log, log->cap_chains[i], &sums);
		json_open(j, '{');
		json_put_u64(j, "cap", f->caps[i].cap);
		for (int k = 0; k < SPARK_KINDS; k++)
			json_put_known(j, names[k], known, sums.n[k]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *group;
	void (*put)(struct json *j, const struct evl_log *log, const struct figures *f);
} lists[] = {{"gc", put_gc_lists}, {"threads", put_thread_lists}, {"heap", put_heap_lists},
	{"nonmoving", put_nonmoving_lists}, {"sparks", put_spark_lists}};

/* The groups that are open, one in the other. */
struct groups {
	struct json *j;
	const struct evl_log *log;
	const struct figures *f;
	char path[64]; /* "gc.pause." */
};

/* How many characters of a name are its groups, with their dots. */
static size_t groups_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? (size_t)(dot - name) + 1 : 0;
}

/* Close the innermost group; the outermost with its lists. */
static void close_group(struct groups *g)
{
	size_t len = strlen(g->path) - 1;
	g->path[len] = '\0';
	for (size_t i = 0; i < countof(lists); i++)
		if (strcmp(lists[i].group, g->path) == 0)
			lists[i].put(g->j, g->log, g->f);
	g->path[groups_of(g->path)] = '\0';
	json_close(g->j, '}');
}

/* Open and close until those are open that the name tells. */
static void go_to(struct groups *g, const char *name)
{
	size_t want = groups_of(name), have;
	while ((have = strlen(g->path)) > want || memcmp(g->path, name, have) != 0)
		close_group(g);
	while ((have = strlen(g->path)) < want) {
		size_t len = (size_t)(strchr(name + have, '.') - (name + have));
		memcpy(g->path + have, name + have, len);
		g->path[have + len] = '\0';
		json_key(g->j, g->path + have);
		json_open(g->j, '{');
		memcpy(g->path + have + len, ".", 2);
	}
}

static void put_groups(struct json *j, const struct evl_log *log, const struct figures *f)
{
	struct groups g = {j, log, f, ""};
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		char key[64];
		if (info->where != METRIC_OWN)
			continue;
		go_to(&g, info->name);
		snprintf(key, sizeof key, "%s%s", info->name + groups_of(info->name), unit_suffix(info->unit));
		json_key(j, key);
		figures_json_value(j, info->unit, f->values[m]);
	}
	while (*g.path)
		close_group(&g);
}

/* --- lists outside of groups ----------------------------------------------------------------------------------------- */

static void put_mmu(struct json *j, const struct figures *f)
{
	json_key(j, "mmu");
	json_open(j, '[');
	for (int i = 0; i < MMU_WINDOWS; i++) {
		const struct mmu *m = &f->mmu[i];
		if (m->window == 0)
			continue;
		json_open(j, '{');
		json_put_u64(j, "window_ns", m->window);
		json_put_double(j, "share", m->share);
		json_put_known(j, "at_ns", !isnan(m->share), m->at);
		if (f->census.n)
			json_put_double(j, "share_without_census", f->census.mmu[i].share);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_utilisation(struct json *j, const struct figures *f)
{
	json_key(j, "utilisation");
	json_open(j, '[');
	for (size_t i = 0; i < f->n_caps; i++) {
		const struct cap_figures *c = &f->caps[i];
		json_open(j, '{');
		json_put_u64(j, "cap", c->cap);
		json_put_double(j, "run", c->run);
		json_put_double(j, "gc", c->gc);
		json_put_double(j, "idle", c->idle);
		json_put_u64(j, "run_ns", c->run_ns);
		json_put_u64(j, "gc_ns", c->gc_ns);
		json_put_u64(j, "switches", c->switches);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* The parts of the budget are null where the log was not read for them. */
static void put_budget(struct json *j, const struct span_name *s, bool known)
{
#define X(part) json_put_known(j, #part "_ns", known, s->budget.part);
	SPAN_PARTS(X)
#undef X
	json_put_known(j, "unknown_ns", known, span_budget_unknown(&s->budget, s->total));
}

static void put_span(struct json *j, const struct span_name *s, bool deep)
{
	uint64_t finished = s->n - s->unfinished;
	json_open(j, '{');
	json_key(j, "name");
	json_str(j, s->name);
	json_put_u64(j, "n", s->n);
	json_put_u64(j, "unfinished", s->unfinished);
	json_put_u64(j, "crossed", s->crossed);
	json_put_u64(j, "total_ns", s->total);
	put_budget(j, s, deep);
	json_put_u64(j, "net_ns", s->total - s->paused);
	json_put_double(j, "gc_share", span_name_gc_share(s));
	json_put_known(j, "mean_ns", finished, finished ? s->finished / finished : 0);
	json_put_known(j, "p50_ns", finished, s->p50);
	json_put_known(j, "p90_ns", finished, s->p90);
	json_put_known(j, "p99_ns", finished, s->p99);
	json_put_known(j, "max_ns", finished, s->max);
	json_put_known(j, "max_at_ns", finished, s->slowest.start);
	json_put_known(j, "slowest_at_ns", finished, s->slowest.start);
	json_close(j, '}');
}

static void put_spans(struct json *j, const char *key, const struct span_stats *s, bool deep)
{
	json_key(j, key);
	json_open(j, '[');
	for (size_t i = 0; i < s->n; i++)
		put_span(j, &s->items[i], deep);
	json_close(j, ']');
}

static void put_phase(struct json *j, const struct evl_log *log, const struct figures *f, const struct phase *p)
{
	struct evl_str name = phase_name(log, p);
	bool sched = f->has_sched, gc = f->has_gc;
	json_open(j, '{');
	json_key(j, "name");
	if (name.p)
		json_str(j, name);
	else
		json_null(j);
	json_put_u64(j, "from_ns", p->from);
	json_put_u64(j, "to_ns", p->to);
	json_put_u64(j, "total_ns", p->to - p->from);
	json_put_known(j, "mutator_ns", sched, p->mutator);
	json_put_known(j, "gc_ns", gc, p->gc);
	json_put_known(j, "gc_sync_ns", gc, p->sync);
	json_put_known(j, "idle_ns", sched && gc, p->idle);
	json_put_known(j, "run_ns", sched, p->run);
	json_put_known(j, "gc_n", gc, p->gc_n);
	json_put_known(j, "max_pause_ns", gc, p->max_pause);
	json_put_known(j, "allocated_bytes", log->heap.has_allocated, p->allocated);
	json_put_double(j, "caps_busy", sched ? phase_caps_busy(p) : (double)NAN);
	json_close(j, '}');
}

/* Null where there are markers and the log was not read for them. */
static void put_phases(struct json *j, const struct evl_log *log, const struct figures *f)
{
	json_key(j, "phases");
	if (!f->deep && points_count(&log->markers)) {
		json_null(j);
	} else {
		json_open(j, '[');
		for (size_t i = 0; i < f->phases.n; i++)
			put_phase(j, log, f, &f->phases.items[i]);
		json_close(j, ']');
	}
	json_put_u64(j, "phases_not_listed", f->phases.others);
}

static void put_ticky(struct json *j, const struct evl_log *log, const struct figures *f)
{
	enum { SHOWN = 100 };
	json_key(j, "ticky");
	if (!f->deep || f->windows.label) {
		json_null(j);
		return;
	}
	json_open(j, '[');
	for (size_t i = 0; i < f->ticky.n && i < SHOWN; i++) {
		const struct ticky_row *r = &f->ticky.items[i];
		struct ticky_name name;
		ticky_name(log, r, &name);
		json_open(j, '{');
		json_put_u64(j, "id", r->id);
		json_put_text(j, "name", name.label);
		json_put_u64(j, "entries", r->entries);
		json_put_u64(j, "allocs_bytes", r->allocs);
		json_put_u64(j, "allocd_bytes", r->allocd);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_findings(struct json *j, const struct findings *findings)
{
	static const char *const graves[] = {
		[FINDING_WARN] = "warning", [FINDING_NOTE] = "note", [FINDING_HINT] = "hint"};
	json_key(j, "findings");
	json_open(j, '[');
	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *f = &findings->items[i];
		json_open(j, '{');
		json_key(j, "id");
		json_cstr(j, finding_name(f->id));
		json_key(j, "grave");
		json_cstr(j, graves[f->severity]);
		json_key(j, "text");
		json_cstr(j, f->text);
		json_put_known(j, "t", f->has_place, f->t);
		json_put_known(j, "thread", f->thread, f->thread);
		if (f->stake_kind != STAKE_UNKNOWN)
			json_put_u64(j, f->stake_kind == STAKE_NS ? "stake_ns" : "stake_bytes", f->stake);
		json_put_double(j, "stake_share", f->stake_share);
		json_put_text(j, "flag", (struct evl_str){(const uint8_t *)f->flag, strlen(f->flag)});
		json_close(j, '}');
	}
	json_close(j, ']');
}

void figures_json(struct json *j, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	put_groups(j, log, f);
	put_mmu(j, f);
	put_utilisation(j, f);
	put_blocked(j, log, f->waits);
	put_concurrency(j, f);
	put_spans(j, "spans", &f->spans, f->deep);
	json_put_u64(j, "spans_not_listed", f->spans.other_spans);
	put_spans(j, "span_labels", &f->span_labels, f->deep);
	put_phases(j, log, f);
	put_ticky(j, log, f);
	put_named(j, log, f, NAMED_CENTRES);
	put_findings(j, findings);
}
