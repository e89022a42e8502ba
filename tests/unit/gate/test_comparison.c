/* Comparisons of runs that were made from one real log (warp.h): how often equal sets raise an alarm, whether 5 % are found; what
 * named figures are, against the events; verdicts and forms. */
#include "gate/comparison.h"
#include "gate/run_series.h"
#include "heap/census_read.h"
#include "logs.h"
#include "tests/tools/warp.h"

#include <math.h>
#include <stdio.h>

#define LOG "tests/logs/9.0.2-gcstorm-seqgc.eventlog"

enum { POOL = 60, SIDE = 10, DRAWS = 1000 };

static struct evl_log *open_log(const char *path)
{
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open(&log, path, &err), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

static struct runs_patterns everything(void)
{
	static const char *const all[] = {"*"};
	return (struct runs_patterns){all, 1};
}

static void add_log(struct runs *runs, size_t set, const struct evl_log *log)
{
	struct figures f;
	struct named named;
	struct runs_patterns all = everything();
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	assert_int_equal(named_make(&named, log, &f, runs_groups(&all), NULL), 0);
	assert_int_equal(runs_add(runs, set, &f, &named, &all), 0);
	named_free(&named);
	figures_free(&f);
}

static void add_warped(struct runs *runs, size_t set, const struct evl_log *log, double factor, uint64_t seed)
{
	struct evl_log *warped;
	struct evl_err err;
	uint8_t *bytes = warp(log, factor, seed);
	assert_non_null(bytes);
	assert_int_equal(evl_open_memory(&warped, bytes, log->source.len, &err), 0);
	assert_int_equal(evl_start(warped, NULL, NULL), 0);
	assert_int_equal(evl_wait(warped), 0);
	assert_int_equal(evl_progress(warped).events, evl_progress(log).events);
	add_log(runs, set, warped);
	evl_close(warped);
	free(bytes);
}

static const struct comparison_row *row_of(const struct comparison *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->rows[i].figure->name, name) == 0)
			return &c->rows[i];
	fail_msg("no %s", name);
	return NULL;
}

/* --- alarms and power --------------------------------------------------------------------------------------------- */

static struct runs pool; /* set 0: POOL equal runs; set 1: as many with collections 5 % longer */

static int make_pool(void **unused)
{
	(void)unused;
	struct evl_log *log = open_log(LOG);
	for (size_t i = 0; i < 2 * POOL; i++)
		add_warped(&pool, i >= POOL, log, i < POOL ? 1 : 1.05, i + 1);
	evl_close(log);
	return 0;
}

static int free_pool(void **unused)
{
	(void)unused;
	runs_free(&pool);
	free(warp_pieces.items);
	return 0;
}

/* SIDE runs of the first set against SIDE others of it, or of the second; the values stay the pool's. */
static void draw_sets(struct runs *drawn, struct runs_row *rows, bool equal)
{
	size_t order[POOL];
	for (size_t i = 0; i < POOL; i++)
		order[i] = i;
	for (size_t i = 0; i < 2 * SIDE; i++) {
		size_t k = i + (size_t)(warp_uniform() * (double)(POOL - i));
		size_t swap = order[i];
		order[i] = order[k];
		order[k] = swap;
		rows[i] = pool.rows[order[i] + (!equal && i >= SIDE ? POOL : 0)];
		rows[i].set = i >= SIDE;
	}
	*drawn = pool;
	drawn->rows = rows;
	drawn->n = 2 * SIDE;
}

static void equal_sets_raise_few_alarms(void **unused)
{
	(void)unused;
	int alarms = 0;
	warp_state = 1;
	for (int i = 0; i < DRAWS; i++) {
		struct runs drawn;
		struct runs_row rows[2 * SIDE];
		struct comparison c;
		draw_sets(&drawn, rows, true);
		assert_int_equal(comparison_make(&c, &drawn), 0);
		assert_true(c.enough && c.n > 60);
		alarms += c.count[VERDICT_WORSE] + c.count[VERDICT_BETTER] > 0;
		comparison_free(&c);
	}
	print_message("# of %d draws of equal sets %d raise an alarm\n", DRAWS, alarms);
	assert_true(alarms <= DRAWS / 20);
}

static void five_per_cent_are_found(void **unused)
{
	(void)unused;
	int found = 0;
	warp_state = 2;
	for (int i = 0; i < DRAWS; i++) {
		struct runs drawn;
		struct runs_row rows[2 * SIDE];
		struct comparison c;
		draw_sets(&drawn, rows, false);
		assert_int_equal(comparison_make(&c, &drawn), 0);
		found += row_of(&c, "gc.pause.total")->verdict == VERDICT_WORSE;
		comparison_free(&c);
	}
	print_message("# pauses 5 %% longer in 10 against 10 runs: found in %d of %d draws\n", found, DRAWS);
	assert_true(found * 20 >= DRAWS * 19);
}

/* --- what a comparison says --------------------------------------------------------------------------------------- */

static void rows_are_what_the_values_say(void **unused)
{
	(void)unused;
	struct runs drawn;
	struct runs_row rows[2 * SIDE];
	struct comparison c;
	warp_state = 3;
	draw_sets(&drawn, rows, false);
	assert_int_equal(comparison_make(&c, &drawn), 0);
	double *p = calloc(c.n, sizeof *p), *corrected = calloc(c.n, sizeof *corrected);
	for (size_t i = 0; i < c.n; i++) {
		double base[SIDE], head[SIDE];
		struct mann_whitney test;
		for (size_t k = 0; k < SIDE; k++) {
			base[k] = runs_value(&drawn, k, (size_t)(c.rows[i].figure - pool.columns));
			head[k] = runs_value(&drawn, SIDE + k, (size_t)(c.rows[i].figure - pool.columns));
		}
		assert_int_equal(mann_whitney(&test, base, SIDE, head, SIDE), 0);
		p[i] = test.p;
		assert_true(fabs(c.rows[i].p - test.p) < 1e-15);
		assert_true(fabs(c.rows[i].base - median_of(base, SIDE)) < 1e-9);
		assert_true(fabs(c.rows[i].head - median_of(head, SIDE)) < 1e-9);
	}
	assert_int_equal(holm(corrected, p, c.n), 0);
	for (size_t i = 0; i < c.n; i++)
		assert_true(fabs(corrected[i] - c.rows[i].p_holm) < 1e-15);
	const struct comparison_row *total = row_of(&c, "gc.pause.total");
	assert_true(total->differs && total->shift.low > 0 && total->shift.low < total->shift.by);
	assert_true(total->smallest > 0 && total->smallest < total->shift.by);
	assert_true(row_of(&c, "gc.n")->verdict == VERDICT_SAME && fabs(row_of(&c, "gc.n")->p - 1) < 1e-15);
	free(p);
	free(corrected);
	comparison_free(&c);
}

static void few_runs_show_nothing(void **unused)
{
	(void)unused;
	struct runs drawn;
	struct runs_row rows[2 * SIDE];
	struct comparison c;
	warp_state = 4;
	draw_sets(&drawn, rows, false);
	drawn.rows = rows + SIDE - 2;
	drawn.n = 4;
	assert_int_equal(comparison_make(&c, &drawn), 0);
	assert_int_equal(c.n_base, 2);
	assert_int_equal(c.count[VERDICT_TOO_FEW], c.n);
	assert_false(c.enough);
	assert_true(isnan(c.rows[0].smallest));
	size_t least = comparison_least_runs(c.n);
	assert_true(mann_whitney_least(least, least) * (double)c.n <= 0.05);
	assert_true(mann_whitney_least(least - 1, least - 1) * (double)c.n > 0.05);
	comparison_free(&c);
}

static void what_is_known_in_part_is_not_tested(void **unused)
{
	(void)unused;
	struct runs drawn;
	struct runs_row rows[2 * SIDE];
	struct comparison c;
	warp_state = 5;
	draw_sets(&drawn, rows, true);
	rows[3].values = NULL;
	rows[3].n = 0;
	assert_int_equal(comparison_make(&c, &drawn), 0);
	assert_int_equal(c.n, 0);
	assert_int_equal(c.n_unknown, pool.n_columns);
	comparison_free(&c);
}

static void a_series_changes_where_it_was_made_to(void **unused)
{
	(void)unused;
	struct runs drawn = pool;
	struct runs_row rows[30];
	struct run_series s;
	bool found = false;
	for (size_t i = 0; i < 30; i++) {
		rows[i] = pool.rows[i < 18 ? i : POOL + i];
		rows[i].set = i;
	}
	drawn.rows = rows;
	drawn.n = 30;
	assert_int_equal(run_series_make(&s, &drawn, 30), 0);
	for (size_t i = 0; i < s.n; i++)
		if (strcmp(s.items[i].figure->name, "gc.pause.total") == 0) {
			assert_int_equal(s.items[i].change.at, 18);
			assert_int_equal(s.items[i].sense, 1);
			assert_true(s.items[i].last && !found);
			found = true;
		}
	assert_true(found && s.enough);
	run_series_free(&s);
}

/* --- named figures ------------------------------------------------------------------------------------------------ */

static void measure(const char *path, struct evl_log **log, struct figures *f, struct named *named)
{
	*log = open_log(path);
	assert_int_equal(figures_make(f, *log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	assert_int_equal(named_make(named, *log, f, (1u << NAMED_GROUPS) - 1, NULL), 0);
}

static double value(const char *name, const struct figures *f, const struct named *named)
{
	struct figure_name parsed;
	assert_true(figure_name_parse((struct evl_str){(const uint8_t *)name, strlen(name)}, &parsed));
	return figure_name_value(&parsed, f, named);
}

static void labels_add_up(void **unused)
{
	(void)unused;
	struct evl_log *log;
	struct figures f;
	struct named named;
	measure("tests/logs/9.0.2-mixer-N2.eventlog", &log, &f, &named);
	const struct named_list *l = &named.groups[NAMED_LABELS];
	assert_true(l->n > 3);
	for (size_t i = 0; i < l->n; i++) {
		uint64_t run = 0, n = 0;
		struct evl_str label = named_name(l, i);
		for (uint32_t id = 1; id < 10000; id++) {
			const struct thread_row *t = threads_find(&log->threads, id);
			if (t && str_order(evl_label(log, id), label) == 0) {
				run += t->run_ns;
				n++;
			}
		}
		char name[200];
		snprintf(name, sizeof name, "threads.label.%.*s.run", (int)label.len, (const char *)label.p);
		assert_true(fabs(value(name, &f, &named) - (double)run) < 0.5);
		snprintf(name, sizeof name, "threads.label.%.*s.n", (int)label.len, (const char *)label.p);
		assert_true(fabs(value(name, &f, &named) - (double)n) < 0.5);
		assert_true(i == 0 || str_order(named_name(l, i - 1), label) < 0);
	}
	assert_true(isnan(value("threads.label.nobody.run", &f, &named)));
	named_free(&named);
	figures_free(&f);
	evl_close(log);
}

/* The largest sample of each band, read one by one. */
static void bands_are_those_of_the_samples(void **unused)
{
	(void)unused;
	struct evl_log *log;
	struct figures f;
	struct named named;
	measure("tests/logs/9.6.6-leaky-hT.eventlog", &log, &f, &named);
	const struct named_list *l = &named.groups[NAMED_BANDS];
	assert_true(l->n > 5);
	for (size_t i = 0; i < l->n; i++) {
		struct evl_str name = named_name(l, i);
		uint64_t peak = 0, all = 0;
		size_t named_in = 0, samples = census_count(&log->census);
		for (size_t k = 0; k < samples; k++) {
			struct census_reader r;
			struct census_band band;
			uint64_t sum = 0;
			bool any = false;
			census_read(&r, &log->census, &log->blocks, census_at(&log->census, k));
			while (census_next(&r, &band))
				if (str_order(band.key, name) == 0) {
					sum += band.bytes;
					any = true;
				}
			peak = max_u64(peak, sum);
			all += sum;
			named_in += any;
		}
		const double *v = named_values(l, i);
		struct named_kind kind = named_kind(NAMED_BANDS);
		assert_true(fabs(v[named_field_at(&kind, EVL_STR("peak"))] - (double)peak) < 0.5);
		assert_true(fabs(v[named_field_at(&kind, EVL_STR("n"))] - (double)named_in) < 0.5);
		assert_true(fabs(v[named_field_at(&kind, EVL_STR("mean"))] - (double)all / (double)samples)
			<= 1e-9 * (double)all + 1);
	}
	named_free(&named);
	figures_free(&f);
	evl_close(log);
}

static void centres_add_up_to_the_programs_samples(void **unused)
{
	(void)unused;
	struct evl_log *log;
	struct figures f;
	struct named named;
	double shares = 0;
	measure("tests/logs/9.6.6-profmix-p.eventlog", &log, &f, &named);
	const struct named_list *l = &named.groups[NAMED_CENTRES];
	for (size_t i = 0; i < l->n; i++)
		shares += named_values(l, i)[0];
	assert_true(l->n > 5 && fabs(shares - 1) < 1e-9);
	assert_true(fabs(value("prof.centre.MAIN.MAIN.inclusive", &f, &named) - 1) < 1e-9);
	named_free(&named);
	figures_free(&f);
	evl_close(log);
}

static void names_are_taken_apart(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		bool exists;
		int group;
		const char *name;
	} cases[] = {{"gc.pause.p99", true, -1, ""}, {"gc.pausee.p99", false, -1, ""},
		{"spans.a.b.p99", true, NAMED_SPANS, "a.b"}, {"spans.a.p98", false, NAMED_SPANS, "a"},
		{"spans.p99", false, -1, ""}, {"spans..p99", true, NAMED_SPANS, ""},
		{"heap.band.Main.peak", true, NAMED_BANDS, "Main"},
		{"prof.centre.M.>>=.self", true, NAMED_CENTRES, "M.>>="}, {"phase..gc_n", true, NAMED_PHASES, ""},
		{"threads.label.x.run", true, NAMED_LABELS, "x"}};
	for (size_t i = 0; i < countof(cases); i++) {
		struct figure_name name;
		bool exists = figure_name_parse(
			(struct evl_str){(const uint8_t *)cases[i].text, strlen(cases[i].text)}, &name);
		assert_int_equal(exists, cases[i].exists);
		assert_int_equal(name.group, cases[i].group);
		assert_true(str_is(name.name, cases[i].name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(equal_sets_raise_few_alarms),
		cmocka_unit_test(five_per_cent_are_found), cmocka_unit_test(rows_are_what_the_values_say),
		cmocka_unit_test(few_runs_show_nothing), cmocka_unit_test(what_is_known_in_part_is_not_tested),
		cmocka_unit_test(a_series_changes_where_it_was_made_to), cmocka_unit_test(labels_add_up),
		cmocka_unit_test(bands_are_those_of_the_samples),
		cmocka_unit_test(centres_add_up_to_the_programs_samples), cmocka_unit_test(names_are_taken_apart)};
	return cmocka_run_group_tests(tests, make_pool, free_pool);
}
