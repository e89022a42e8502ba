/* Lists of figures as tables of rows: they say the same as the figures, also if all tables are scanned. */
#include "everything.h"
#include "report/findings.h"
#include "rows/rows.h"

#include <math.h>

/* The figures themselves. */
struct told {
	struct figures f;
	struct findings findings;
};

static void scan(struct rows_source *source, const char *table, const struct told *told,
	void (*check)(struct rows_scan *s, size_t i, const struct told *told), size_t rows)
{
	struct rows_scan s = {.table = rows_find(table), .source = source, .ask = ROWS_ALL};
	size_t n = 0;
	assert_int_equal(rows_open(&s), 0);
	for (; rows_next(&s) > 0; n++)
		check(&s, n, told);
	assert_int_equal(n, rows);
	rows_close(&s);
}

static double number(struct rows_scan *s, int column)
{
	struct datum cell = rows_cell(s, column);
	return cell_double(&cell);
}

static void check_level(struct rows_scan *s, size_t i, const struct told *told)
{
	const double *v = told->f.values, ns = (double)told->f.waits->levels[i];
	assert_true(number(s, 0) >= (double)i && number(s, 0) <= (double)i);
	assert_int_equal(number(s, 1), ns);
	assert_true(fabs(number(s, 2) - ns / v[METRIC_TIME_TOTAL]) < 1e-12);
	if (i < 2)
		assert_true(fabs(number(s, 2) - v[i ? METRIC_CONCURRENCY_ONE : METRIC_CONCURRENCY_NONE]) < 1e-12);
}

static void check_finding(struct rows_scan *s, size_t i, const struct told *told)
{
	static const char *const words[] = {
		[FINDING_WARN] = "warning", [FINDING_NOTE] = "note", [FINDING_HINT] = "hint"};
	const struct finding *f = &told->findings.items[i];
	assert_true(str_is(rows_cell(s, 0).text, finding_name(f->id)));
	assert_true(str_is(rows_cell(s, 1).text, words[f->severity]));
	assert_true(str_is(rows_cell(s, 2).text, f->text));
	assert_true(
		f->has_place ? number(s, 3) <= (double)f->t && number(s, 3) >= (double)f->t : !rows_cell(s, 3).kind);
	assert_true(f->stake_kind ? rows_cell(s, 4).count == f->stake : !rows_cell(s, 4).kind);
}

static void check_nothing(struct rows_scan *s, size_t i, const struct told *told) { (void)s, (void)i, (void)told; }

static void rows_are_those_of_the_figures(void **state)
{
	(void)state;
	static struct told told;
	struct built bytes = everything(40);
	struct evl_log *log = walked(&bytes);
	assert_int_equal(figures_make(&told.f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&told.findings, log, &told.f);
	assert_true(told.findings.n > 0 && told.f.waits->n_levels > 1 && told.f.waits->n_reasons > 0);
	for (int all = 0; all < 2; all++) {
		struct rows_source source = {.log = log, .to = UINT64_MAX, .all = all};
		for (int again = 0; again < 2; again++) { /* the second time others have taken what they share */
			scan(&source, "concurrency", &told, check_level, told.f.waits->n_levels);
			scan(&source, "findings", &told, check_finding, told.findings.n);
			scan(&source, "blocked", &told, check_nothing, told.f.waits->n_reasons);
			scan(&source, "caps", &told, check_nothing, told.f.n_caps);
		}
		rows_source_free(&source);
	}
	figures_free(&told.f);
	done(log, &bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_the_figures)};
	return cmocka_run_group_tests_name("rows of figures", tests, NULL, NULL);
}
