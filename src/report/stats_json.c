#include "report/stats_json.h"

#include "format/decode.h"
#include "prof/prof_figures.h"
#include "query/census_label.h"
#include "show/event_text_forms.h"
#include "table/lists.h"

#include <stdio.h>

enum { TOP_THREADS = 5, TOP_CENTRES = 10 };

/* A number as a key. */
static void number_key(struct json *j, uint64_t n)
{
	char key[24];
	snprintf(key, sizeof key, "%llu", (unsigned long long)n);
	json_key(j, key);
}

static void put_counts(struct json *j, const char *key, const struct event_counts_counts *counts)
{
	json_put_open(j, key, '{');
	for (unsigned i = 0; i < counts->end; i++)
		if (counts->n[i]) {
			number_key(j, i);
			json_u64(j, counts->n[i]);
		}
	json_close(j, '}');
}

/* --- the log itself ----------------------------------------------------------------------------------------------- */

static void put_program(struct json *j, struct evl_str args)
{
	struct evl_str arg;
	json_key(j, "program");
	if (args.len == 0) {
		json_null(j);
		return;
	}
	json_open(j, '[');
	while (decode_next_str(&args, &arg))
		json_str(j, arg);
	json_close(j, ']');
}

/* As the log begins its profile, else as the arguments or the bands tell. */
static void put_breakdown(struct json *j, const struct evl_log *log, const struct program_facts *facts)
{
	uint32_t breakdown = facts->breakdown;
	unsigned profile = breakdown ? CENSUS_PROFILES : census_profile_from(&log->census, &log->blocks, 0);
	if (profile < CENSUS_PROFILES) {
		char name[BREAKDOWN_ROOM];
		struct breakdown_found told = census_kind_of(log, profile);
		breakdown_name(&told, name);
		json_put_text(j, "breakdown", told.by == BY_UNKNOWN ? EVL_STR("") : str_of(name));
		return;
	}
	struct event_text say = {0};
	event_text_form_named("breakdown", strlen("breakdown"))(&say, &(struct evl_value){.u = breakdown});
	j->out->failed = j->out->failed || say.out.failed;
	json_put_text(j, "breakdown", breakdown ? (struct evl_str){(uint8_t *)say.out.p, say.out.len} : EVL_STR(""));
	event_text_free(&say);
}

static void put_range(struct json *j, const struct figures *f)
{
	json_put_open(j, "range", '{');
	json_put_u64(j, "from_ns", f->from);
	json_put_u64(j, "to_ns", f->to);
	if (f->windows.label) {
		json_put_text(j, "span", f->windows.name);
		json_put_u64(j, "spans", f->windows.spans);
		json_put_u64(j, "windows", f->windows.n);
		json_put_u64(j, "windows_ns", f->windows.covered);
		json_put_cstr(j, "null_because", FIGURES_NOT_OVER_WINDOWS);
	}
	json_close(j, '}');
}

static void put_log(struct json *j, const struct evl_log *log)
{
	struct program_facts names = program_get(&log->program);
	json_key(j, "damage");
	table_json(j, &damage_list_kind, &(struct damage_places){.of.log = log}, SIZE_MAX);
	json_put_u64(j, "damage_not_listed", log->damage.more);
	json_put_bool(j, "unfinished", evl_unfinished(log));
	uint64_t first, last, until = evl_complete_until(log);
	json_put_known(j, "complete_until_ns", evl_range(log, &first, &last) && until <= last, until);
	put_program(j, names.program);
	json_put_text(j, "rts", names.rts);
	json_put_known(j, "wall_start_ns", names.wall_ns, names.wall_ns);
	json_put_u64(j, "caps", log->n_caps);
	put_breakdown(j, log, &names);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void put_events_per_cap(struct json *j, const struct evl_log *log)
{
	const struct blocks *b = &log->blocks;
	const uint64_t *in_chain = log->event_counts.in_chain;
	json_put_open(j, "events_per_cap", '{');
	for (size_t i = 0; i < b->n_chains; i++)
		if (b->chains[i].cap == EVL_NO_CAP && in_chain[i])
			json_put_u64(j, "none", in_chain[i]);
	for (size_t i = 0; i < log->n_caps; i++)
		if (in_chain[log->cap_chains[i]]) {
			number_key(j, b->chains[log->cap_chains[i]].cap);
			json_u64(j, in_chain[log->cap_chains[i]]);
		}
	json_close(j, '}');
}

static void put_events(struct json *j, const struct evl_log *log)
{
	const struct event_counts_counts *tags = &log->event_counts.tags;
	uint64_t total = 0, first, last;
	bool any = evl_range(log, &first, &last);
	for (unsigned i = 0; i < tags->end; i++)
		total += tags->n[i];
	json_put_u64(j, "total_events", total);
	json_put_u64(j, "block_markers", tags->n[EVL_BLOCK_MARKER]);
	json_put_known(j, "first_ns", any, first);
	json_put_known(j, "last_ns", any, last);
	json_put_known(j, "duration_ns", any, last - first);
	put_events_per_cap(j, log);
	put_counts(j, "tags", tags);
}

static void put_span(
	struct json *j, const char *key, const struct event_counts *f, uint16_t tag, enum event_counts_text kind)
{
	const struct event_counts_span *span = &f->texts[kind];
	bool any = span->first <= span->last;
	json_put_open(j, key, '{');
	json_put_u64(j, "count", f->tags.n[tag]);
	json_put_known(j, "first_ns", any, span->first);
	json_put_known(j, "last_ns", any, span->last);
	json_close(j, '}');
}

static void put_texts(struct json *j, const struct event_counts *f)
{
	put_span(j, "user_messages", f, EVL_USER_MSG, FACTS_USER_MSG);
	put_span(j, "user_markers", f, EVL_USER_MARKER, FACTS_USER_MARKER);
	put_span(j, "user_binary", f, EVL_USER_BINARY_MSG, FACTS_USER_BINARY);
	put_span(j, "log_messages", f, EVL_LOG_MSG, FACTS_LOG_MSG);
}

/* --- collections -------------------------------------------------------------------------------------------------- */

/* Elapsed as +RTS -s counts it: from the leader's GC_START to its GC_END, of the collections with statistics, which alone
 * tell generations. */
static void put_gcs(struct json *j, const struct evl_log *log)
{
	uint64_t total = 0, longest = 0, incomplete = 0;
	for (size_t i = 0; i + 1 < GC_GENS; i++) {
		total += log->gcs.sums.gens[i].elapsed;
		longest = max_u64(longest, log->gcs.sums.gens[i].max);
	}
	for (size_t i = 0; i < log->gcs.n; i++)
		incomplete += log->gcs.tables[i].without_interval;
	put_counts(j, "gc_count_per_generation", &log->event_counts.generations);
	json_put_u64(j, "gc_total_ns", total);
	json_put_u64(j, "gc_max_ns", longest);
	json_put_u64(j, "gc_stats_without_interval", incomplete);
	json_put_u64(j, "gc_start_events", log->event_counts.tags.n[EVL_GC_START]);
	json_put_u64(j, "gc_end_events", log->event_counts.tags.n[EVL_GC_END]);
}

static void put_phase(struct json *j, const char *key, const struct event_counts *f, enum event_counts_nonmoving phase)
{
	static const struct {
		uint16_t begin, end;
	} tags[] = {[FACTS_MARK] = {EVL_CONC_MARK_BEGIN, EVL_CONC_MARK_END},
		[FACTS_SYNC] = {EVL_CONC_SYNC_BEGIN, EVL_CONC_SYNC_END},
		[FACTS_SWEEP] = {EVL_CONC_SWEEP_BEGIN, EVL_CONC_SWEEP_END}};
	json_put_open(j, key, '{');
	json_put_u64(j, "begin_events", f->tags.n[tags[phase].begin]);
	json_put_u64(j, "end_events", f->tags.n[tags[phase].end]);
	json_put_u64(j, "intervals", f->phases[phase].intervals);
	json_put_u64(j, "ns", f->phases[phase].ns);
	json_close(j, '}');
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void put_top_threads(struct json *j, const struct evl_log *log, const struct thread_lives *lives)
{
	json_put_open(j, "top_threads_by_run_ns", '[');
	for (size_t i = 0; i < lives->n_top && i < TOP_THREADS; i++) {
		json_open(j, '{');
		json_put_u64(j, "thread", lives->top[i].thread);
		json_put_u64(j, "ns", lives->top[i].ns);
		json_put_u64(j, "runs", lives->top[i].runs);
		json_put_text(j, "label", evl_label(log, lives->top[i].thread));
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Migrating has its own number of late; it is counted with 0, "no reason", as the reference says both. */
static void put_statuses(struct json *j, const struct event_counts_counts *statuses)
{
	enum { NO_REASON = 0, MIGRATING = 19 };
	json_put_open(j, "stop_status_counts", '{');
	for (unsigned i = 0; i < statuses->end; i++) {
		uint64_t n = i == MIGRATING ? 0 : statuses->n[i] + (i == NO_REASON ? statuses->n[MIGRATING] : 0);
		if (n) {
			number_key(j, i);
			json_u64(j, n);
		}
	}
	json_close(j, '}');
}

static void put_threads(struct json *j, const struct evl_log *log, const struct figures *f)
{
	json_put_u64(j, "threads_created", log->event_counts.tags.n[EVL_CREATE_THREAD]);
	json_put_u64(j, "threads_finished", log->threads.finished);
	json_put_u64(j, "thread_labels", log->event_counts.tags.n[EVL_THREAD_LABEL]);
	put_statuses(j, &log->event_counts.statuses);
	json_put_u64(j, "run_anomalies", log->threads.anomalies);
	json_put_u64(j, "total_run_ns", log->threads.total_run_ns);
	put_top_threads(j, log, &f->lives);
}

/* --- profiles and sparks ------------------------------------------------------------------------------------------ */

static void put_heap_samples(struct json *j, const struct event_counts_samples *s)
{
	json_put_open(j, "heap_samples", '{');
	json_put_u64(j, "count", s->count);
	if (s->count) {
		json_put_u64(j, "largest_bytes", s->largest.bytes);
		json_put_u64(j, "largest_index", s->largest.index);
		json_put_u64(j, "largest_time_ns", s->largest.t);
		json_put_u64(j, "largest_entries", s->largest.entries);
		json_put_u64(j, "entries_total", s->entries);
	}
	json_close(j, '}');
}

/* MODULE.LABEL; null for a centre without a definition. */
static void put_centre_name(struct json *j, const struct evl_log *log, uint32_t id)
{
	struct cost_centre centre;
	struct buf name = {0};
	json_key(j, "name");
	if (!evl_cost_centre(log, id, &centre)) {
		json_null(j);
		return;
	}
	buf_str(&name, centre.module);
	buf_char(&name, '.');
	buf_str(&name, centre.label);
	j->out->failed = j->out->failed || name.failed;
	json_str(j, (struct evl_str){(uint8_t *)name.p, name.len});
	buf_free(&name);
}

static void put_centre(struct json *j, const struct evl_log *log, uint32_t id, uint64_t ticks)
{
	json_open(j, '{');
	json_put_u64(j, "cc", id);
	put_centre_name(j, log, id);
	json_put_u64(j, "ticks", ticks);
	json_close(j, '}');
}

static void put_empty_stack(struct json *j, uint64_t ticks)
{
	json_open(j, '{');
	json_put_null(j, "cc");
	json_put_cstr(j, "name", "MAIN (empty stack)");
	json_put_u64(j, "ticks", ticks);
	json_close(j, '}');
}

/* The empty stack, which has no id, comes first among equals. */
static void put_top_centres(struct json *j, const struct evl_log *log)
{
	const struct prof *p = &log->prof[PROF_CENTRES];
	uint32_t top[TOP_CENTRES];
	uint64_t ticks[TOP_CENTRES];
	size_t n = prof_top(p, top, ticks, TOP_CENTRES), put = 0;
	bool empty = p->empty > 0;
	json_put_open(j, "prof_top10", '[');
	for (size_t i = 0; put < TOP_CENTRES && (i < n || empty); put++) {
		if (empty && (i == n || ticks[i] <= p->empty)) {
			put_empty_stack(j, p->empty);
			empty = false;
		} else {
			put_centre(j, log, top[i], ticks[i]);
			i++;
		}
	}
	json_close(j, ']');
}

static void put_samples_of(struct json *j, const struct prof *p)
{
	json_put_open(j, "prof_samples_per_cap", '{');
	for (unsigned cap = 0; p->by_cap && cap < PROF_CAPS; cap++)
		if (p->by_cap[cap]) {
			number_key(j, cap);
			json_u64(j, p->by_cap[cap]);
		}
	json_close(j, '}');
}

static void put_profiles(struct json *j, const struct evl_log *log)
{
	const struct event_counts *f = &log->event_counts;
	put_heap_samples(j, &f->heap);
	json_put_u64(j, "cost_centres", cost_centres_count(&log->cost_centres));
	json_put_u64(j, "prof_samples", f->tags.n[EVL_PROF_SAMPLE_COST_CENTRE]);
	json_put_u64(j, "prof_last_tick", log->prof[PROF_CENTRES].last_tick);
	put_samples_of(j, &log->prof[PROF_CENTRES]);
	put_top_centres(j, log);
}

/* Write the time profile of the whole log, or of the range of the other figures. */
static void put_time_profile(struct json *j, const struct evl_log *log, const struct figures *of)
{
	struct prof_figures f = {0};
	uint64_t from = of->whole ? 0 : of->from, to = of->whole ? UINT64_MAX : of->until;
	const struct prof *p = evl_profile(log);
	struct prof_naming naming = evl_naming(log);
	if (of->windows.label) {
		json_put_null(j, "profile");
		return;
	}
	if (prof_samples(p) && prof_figures_make(&f, p, &naming, from, to, NULL) < 0)
		j->out->failed = true;
	json_key(j, "profile");
	prof_figures_json(&f, j);
	prof_figures_free(&f);
}

static void put_spark_counters(struct json *j, const uint64_t *counters)
{
	static const char *const names[SPARK_COUNTERS] = {
		"created", "dud", "overflowed", "converted", "gcd", "fizzled", "remaining"};
	json_open(j, '{');
	for (int i = 0; i < SPARK_COUNTERS; i++)
		json_put_u64(j, names[i], counters[i]);
	json_close(j, '}');
}

static void put_sparks(struct json *j, const struct evl_log *log)
{
	uint64_t sum[SPARK_COUNTERS] = {0};
	if (log->event_counts.tags.n[EVL_SPARK_COUNTERS] == 0)
		return;
	json_put_open(j, "spark_counters_at_end", '{');
	for (size_t i = 0; i < log->n_caps; i++) {
		const struct event_counts_sparks *s = &log->event_counts.sparks[log->cap_chains[i]];
		if (!s->seen)
			continue;
		number_key(j, log->blocks.chains[log->cap_chains[i]].cap);
		put_spark_counters(j, s->counters);
		for (int k = 0; k < SPARK_COUNTERS; k++)
			sum[k] += s->counters[k];
	}
	json_close(j, '}');
	json_key(j, "spark_counters_sum");
	put_spark_counters(j, sum);
}

void stats_json(const struct evl_log *log, const struct figures *f, const struct findings *findings, struct buf *out)
{
	struct json j = {out, false};
	json_open(&j, '{');
	json_put_u64(&j, "schema", STATS_SCHEMA);
	put_log(&j, log);
	put_range(&j, f);
	figures_json(&j, log, f, findings);
	put_events(&j, log);
	put_gcs(&j, log);
	put_phase(&j, "nonmoving_mark", &log->event_counts, FACTS_MARK);
	put_phase(&j, "nonmoving_sync", &log->event_counts, FACTS_SYNC);
	put_phase(&j, "nonmoving_sweep", &log->event_counts, FACTS_SWEEP);
	put_threads(&j, log, f);
	put_texts(&j, &log->event_counts);
	put_profiles(&j, log);
	put_time_profile(&j, log, f);
	put_sparks(&j, log);
	json_close(&j, '}');
	buf_char(out, '\n');
}
