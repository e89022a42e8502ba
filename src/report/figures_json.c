/* figures_json.c - metrics, their lists and findings as members of a JSON object; a critical path. */
#include "report/stats_json.h"

#include "report/figure_lists.h"
#include "report/named.h"
#include "table/lists.h"

#include <math.h>
#include <stdio.h>

void figures_json_value(struct json *j, enum unit unit, double value)
{
	struct datum cell = figure_cell(unit, value);
	cell_json(j, &cell);
}

/* --- lists of groups ---------------------------------------------------------------------------------------------- */

static void put_list(struct json *j, const struct evl_log *log, const struct figures *f, enum figure_list_id id)
{
	json_key(j, figure_list(id)->name);
	table_json(j, figure_list(id), &(struct figure_list){.log = log, .f = f}, SIZE_MAX);
}

static void put_gc_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	for (enum figure_list_id id = FIGURES_generations; id <= FIGURES_sync_delays; id++)
		put_list(j, log, f, id);
}

static void put_blocked_on(struct json *j, const struct waits *w)
{
	json_put_open(j, "blocked_on", '{');
	for (size_t i = 0; i < w->n_reasons; i++) {
		char key[32];
		snprintf(key, sizeof key, "%u_%s_ns", w->reasons[i].reason, thread_stop_word(w->reasons[i].reason));
		json_put_u64(j, key, w->reasons[i].ns);
	}
	json_close(j, '}');
}

static void put_blocked(struct json *j, const struct evl_log *log, struct waits *w)
{
	struct blocked_list list = {.of.log = log, .waits = w};
	if (!w) {
		json_put_null(j, "blocked");
		return;
	}
	json_put_open(j, "blocked", '[');
	for (size_t i = 0; i < w->n_reasons; i++) {
		const struct wait_reason *r = &w->reasons[i];
		json_open(j, '{');
		table_json_cells(j, &blocked_list_kind, &list, i);
		json_key(j, "wakers");
		wait_who_json(j, log, r->wakers, r->n_wakers, true);
		if (r->reason == STOP_BLACK_HOLE) {
			json_key(j, "owners");
			wait_who_json(j, log, r->owners, r->n_owners, false);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Null where no thread was deadlocked. */
static void put_deadlock(struct json *j, const struct evl_log *log, const struct figures *f)
{
	const struct deadlock *d = f->waits ? &f->waits->contention.deadlock : NULL;
	if (!d || d->n_rows == 0) {
		json_put_null(j, "deadlock");
		return;
	}
	const struct deadlock_row *first = &d->rows[0]; /* of the certain ones, if any is */
	for (size_t i = 0; i < d->n_rows && !first->certain; i++)
		first = d->rows[i].certain ? &d->rows[i] : first;
	json_key(j, "deadlock");
	json_open(j, '{');
	json_put_cstr(j, "reason", thread_block_name(first->stop));
	json_put_u64(j, "at_ns", first->at);
	json_put_u64(j, "stake_ns", d->ns);
	json_key(j, "certain");
	json_bool(j, first->certain);
	json_put_u64(j, "n", d->n);
	json_key(j, "threads");
	table_json(j, figure_list(FIGURES_deadlocked), &(struct figure_list){.log = log, .f = f}, SIZE_MAX);
	json_put_u64(j, "threads_not_listed", d->n - d->n_rows);
	json_close(j, '}');
}

/* An array of the shares alone; null if the log was not read for them. */
static void put_concurrency(struct json *j, const struct figures *f)
{
	struct figure_list list = {.f = f};
	size_t n = figure_list(FIGURES_concurrency)->count(&list);
	json_key(j, "concurrency");
	if (n) {
		json_open(j, '[');
		for (size_t i = 0; i < n; i++)
			json_double(
				j, table_number(figure_list(FIGURES_concurrency), &list, i, concurrency_SHARE, false));
		json_close(j, ']');
	} else {
		json_null(j);
	}
	json_put_double(j, "concurrency_gc", f->values[METRIC_CONCURRENCY_GC]);
	json_put_double(j, "concurrency_kept", f->values[METRIC_CONCURRENCY_KEPT]);
}

/* Write metrics by name, at most `most`; null if the log was not read for them. */
static void put_named(struct json *j, const struct evl_log *log, const struct figures *f, enum named_group group)
{
	enum { NAMES = 1000 };
	struct named named;
	bool over_windows = group == NAMED_LABELS || group == NAMED_WAKERS || group == NAMED_PATHS;
	bool known = f->deep && (!f->windows.label || over_windows);
	if (!known) {
		json_put_null(j, named_kind(group).list);
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
	if (f->whole || f->waits)
		put_list(j, log, f, FIGURES_top_run);
	else
		json_put_null(j, "top_run");
	put_named(j, log, f, NAMED_LABELS);
	if (!f->waits) {
		json_put_null(j, "top_blocked");
		json_put_null(j, "top_latency");
		json_put_null(j, "blocked_on");
		return;
	}
	put_list(j, log, f, FIGURES_top_blocked);
	put_list(j, log, f, FIGURES_top_latency);
	put_blocked_on(j, f->waits);
}

static void put_nonmoving_lists(struct json *j, const struct evl_log *log, const struct figures *f)
{
	struct figure_list list = {.log = log, .f = f};
	json_key(j, "list");
	table_json(j, figure_list(FIGURES_nm_cycles), &list, 100);
	json_key(j, "census");
	table_json(j, figure_list(FIGURES_nm_census), &list, SIZE_MAX);
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
	bool all = spark_events_enter(log);
	json_open(j, '[');
	for (size_t i = 0; i < f->n_caps; i++) {
		struct spark_sums sums;
		bool known = true;
		known = figures_sparks_of(f, log, log->cap_chains[i], &sums, &known, NULL) == 0 && known;
		json_open(j, '{');
		json_put_u64(j, "cap", f->caps[i].cap);
		for (int k = 0; k < SPARK_KINDS; k++)
			json_put_known(j, names[k], known && (all || k == SPARK_RUN || k == SPARK_STOLEN), sums.n[k]);
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
		json_put_open(g->j, g->path + have, '{');
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
	json_put_open(j, "mmu", '[');
	for (int i = 0; i < MMU_WINDOWS; i++) {
		const struct mmu *m = &f->mmu[i];
		if (m->window == 0)
			continue;
		json_open(j, '{');
		json_put_u64(j, "window_ns", m->window);
		json_put_double(j, "share", m->share);
		json_put_known(j, "at_ns", !isnan(m->share), m->at);
		if (f->census.touching)
			json_put_double(j, "share_without_census", f->census.mmu[i].share);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_spans(struct json *j, const char *key, const struct evl_log *log, const struct figures *f,
	const struct span_stats *spans)
{
	json_key(j, key);
	table_json(j, figure_list(FIGURES_spans), &(struct figure_list){.log = log, .f = f, .spans = spans}, SIZE_MAX);
}

/* Null where there are markers and the log was not read for them. */
static void put_phases(struct json *j, const struct evl_log *log, const struct figures *f)
{
	struct phase_list list = {.of.log = log, .phases = f->phases};
	json_key(j, "phases");
	if (!f->deep && points_count(&log->markers))
		json_null(j);
	else
		table_json(j, &phase_list_kind, &list, SIZE_MAX);
	json_put_u64(j, "phases_not_listed", f->phases.others);
}

static void put_ticky(struct json *j, const struct evl_log *log, const struct figures *f)
{
	json_key(j, "ticky");
	if (!f->deep || f->windows.label)
		json_null(j);
	else
		table_json(j, &ticky_list_kind, &(struct ticky_list){.of.log = log, .ticky = f->ticky}, 100);
}

void figures_json(struct json *j, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	put_groups(j, log, f);
	put_mmu(j, f);
	json_key(j, "utilisation");
	table_json(j, figure_list(FIGURES_caps), &(struct figure_list){.log = log, .f = f}, SIZE_MAX);
	put_blocked(j, log, f->waits);
	put_named(j, log, f, NAMED_WAKERS);
	put_named(j, log, f, NAMED_PATHS);
	put_deadlock(j, log, f);
	put_concurrency(j, f);
	put_spans(j, "spans", log, f, &f->spans);
	json_put_u64(j, "spans_not_listed", f->spans.other_spans);
	put_spans(j, "span_labels", log, f, &f->span_labels);
	put_phases(j, log, f);
	put_ticky(j, log, f);
	put_named(j, log, f, NAMED_CENTRES);
	json_key(j, "findings");
	table_json(j, figure_list(FIGURES_findings), &(struct figure_list){.findings = findings}, SIZE_MAX);
}

/* --- a critical path alone ------------------------------------------------------------------------------------------ */

void path_json(const struct evl_log *log, const struct path *p, struct buf *out)
{
	enum { THREADS_LISTED = 1000 };
	struct json j = {.out = out};
	struct path_list list = {.of.log = log, .path = *p};
	json_open(&j, '{');
	json_put_u64(&j, "from_ns", p->from);
	json_put_u64(&j, "to_ns", p->to);
	if (p->windows) {
		json_put_u64(&j, "windows", p->windows);
		json_put_u64(&j, "windows_ns", p->covered);
	}
	json_put_u64(&j, "thread", p->thread);
	json_put_text(&j, "label", evl_label(log, p->thread));
	json_put_open(&j, "parts", '{');
	for (int part = 0; part < PATH_PART_COUNT; part++)
		json_put_u64(&j, path_part_key((enum path_part)part), p->ns[part]);
	json_close(&j, '}');
	json_put_u64(&j, "hops", p->hops);
	json_key(&j, "threads");
	table_json(&j, &path_threads_kind, &list, THREADS_LISTED);
	json_put_u64(&j, "threads_not_listed", sub_or_0(p->n_threads, THREADS_LISTED) + p->threads_not_listed);
	json_key(&j, "segments");
	table_json(&j, &path_list_kind, &list, SIZE_MAX);
	json_put_u64(&j, "segments_not_listed", p->segments_not_listed);
	json_close(&j, '}');
	buf_char(out, '\n');
}
