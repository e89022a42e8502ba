/* all_answers.h - all answers about a log as one text, for tests that index it in two ways */
#ifndef TESTS_ALL_ANSWERS_H
#define TESTS_ALL_ANSWERS_H

#include "logs.h"
#include "report/figure_lists.h"
#include "report/stats_json.h"
#include "rows/rows.h"

static inline void put_rows(struct buf *out, struct evl_log *log)
{
	struct rows_source source = {.log = log, .to = UINT64_MAX};
	for (int i = 0; i < ROWS_TABLES; i++) {
		struct rows_scan s = {.table = rows_table((enum rows_id)i), .source = &source, .ask = ROWS_ALL};
		int result = rows_open(&s);
		while (result == 0 && rows_next(&s) > 0)
			rows_json(out, &s);
		rows_close(&s);
	}
	rows_source_free(&source);
}

/* All cells of all lists that come from figures, those that `stats --json` leaves out as well. */
static inline void put_lists(
	struct buf *out, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	struct buf scratch = {0};
	for (int id = 0; id < FIGURE_LISTS; id++)
		for (int by_label = 0; by_label < 1 + (id == FIGURES_spans); by_label++) {
			struct figure_list list = {.log = log,
				.f = f,
				.spans = by_label ? &f->span_labels : &f->spans,
				.findings = findings};
			const struct table_kind *kind = figure_list((enum figure_list_id)id);
			for (uint64_t i = 0, n = kind->count(&list); i < n; i++)
				for (int c = 0; c < kind->n_columns; c++) {
					struct datum d = kind->cell(&list, i, c, &scratch);
					buf_printf(out, "%s %d %d: ", kind->name, c, (int)d.kind);
					if (d.kind == CELL_TEXT)
						buf_str(out, d.text);
					else
						buf_decimal(out, d.count); /* of a real: its bits */
					buf_char(out, '\n');
				}
		}
	buf_free(&scratch);
}

static inline void put_figures(struct buf *out, const struct evl_log *log, const struct figures_ask *ask)
{
	struct figures f;
	static struct findings findings;
	assert_int_equal(figures_make(&f, log, ask), 0);
	findings_make(&findings, log, &f);
	stats_json(log, &f, &findings, out);
	put_lists(out, log, &f, &findings);
	for (int i = 0; i < PAUSE_CLASSES; i++)
		buf_decimal(out, f.pause_classes[i]);
	figures_free(&f);
}

/* All figures, with those of a second reading, all findings, all rows of all tables. */
static inline struct buf all_of(struct evl_log *log)
{
	struct buf out = {0};
	put_figures(&out, log, &(struct figures_ask){.to = UINT64_MAX});
	put_figures(&out, log, &(struct figures_ask){.to = UINT64_MAX, .group = "package"});
	put_figures(&out, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true});
	put_rows(&out, log);
	assert_false(out.failed);
	return out;
}

#endif
