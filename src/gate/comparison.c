#include "gate/comparison.h"

#include "gate/junit.h"
#include "gate/markdown.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

TEXT_FUNCTION(verdict_name, verdict, VERDICTS)

size_t comparison_least_runs(size_t n)
{
	size_t runs = 1;
	while (mann_whitney_least(runs, runs) * (double)(n ? n : 1) > COMPARISON_ALPHA)
		runs++;
	return runs;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

/* The values of both sets of one metric: those of the base, then those of the head. False where one is not known. */
static bool gather(const struct runs *r, size_t column, double *values, size_t n_base)
{
	size_t at[2] = {0, n_base};
	for (size_t i = 0; i < r->n; i++) {
		double value = runs_value(r, i, column);
		if (isnan(value))
			return false;
		values[at[r->rows[i].set]++] = value;
	}
	return true;
}

static int test(struct comparison_row *row, double *values, const struct comparison *c)
{
	struct mann_whitney test;
	double *base = values, *head = values + c->n_base;
	int result = mann_whitney(&test, base, c->n_base, head, c->n_head);
	result = result ? result : shift_of(&row->shift, base, c->n_base, head, c->n_head, COMPARISON_ALPHA);
	if (result < 0)
		return result;
	row->p = test.p;
	if (test.u * 2 < (double)c->n_base * (double)c->n_head)
		row->verdict = row->figure->sense == METRIC_UP ? VERDICT_WORSE : VERDICT_BETTER;
	else
		row->verdict = row->figure->sense == METRIC_UP ? VERDICT_BETTER : VERDICT_WORSE;
	return 0;
}

/* Half of the interval for the shift at the level that the whole family leaves to one figure. */
static int put_smallest(struct comparison_row *row, double *values, const struct comparison *c)
{
	struct shift s;
	int result = shift_of(&s, values, c->n_base, values + c->n_base, c->n_head, COMPARISON_ALPHA / (double)c->n);
	if (result < 0)
		return result;
	row->smallest = !s.bounded ? (double)NAN : s.high - s.by > s.by - s.low ? s.high - s.by : s.by - s.low;
	return 0;
}

static int finish(struct comparison *c, const struct runs *r, double *values)
{
	double *p = calloc(c->n ? c->n : 1, sizeof *p), *corrected = calloc(c->n ? c->n : 1, sizeof *corrected);
	int result = p && corrected ? 0 : EVL_NOMEM;
	for (size_t i = 0; result == 0 && i < c->n; i++)
		p[i] = c->rows[i].p;
	result = result ? result : holm(corrected, p, c->n);
	c->enough = mann_whitney_least(c->n_base, c->n_head) * (double)c->n <= COMPARISON_ALPHA;
	for (size_t i = 0; result == 0 && i < c->n; i++) {
		struct comparison_row *row = &c->rows[i];
		assert(row->figure);
		gather(r, (size_t)(row->figure - r->columns), values, c->n_base);
		result = put_smallest(row, values, c);
		row->base = median_of(values, c->n_base);
		row->head = median_of(values + c->n_base, c->n_head);
		row->p_holm = corrected[i];
		row->differs = c->enough && row->p_holm <= COMPARISON_ALPHA;
		if (!c->enough)
			row->verdict = VERDICT_TOO_FEW;
		else if (!row->differs || row->figure->sense == METRIC_FLAT)
			row->verdict = VERDICT_SAME;
		c->count[row->verdict]++;
	}
	free_all(p, corrected);
	return result;
}

int comparison_make(struct comparison *c, const struct runs *r)
{
	*c = (struct comparison){0};
	for (size_t i = 0; i < r->n; i++)
		*(r->rows[i].set ? &c->n_head : &c->n_base) += 1;
	double *values = calloc(r->n ? r->n : 1, sizeof *values);
	c->rows = calloc(r->n_columns ? r->n_columns : 1, sizeof *c->rows);
	c->unknown = calloc(r->n_columns ? r->n_columns : 1, sizeof *c->unknown);
	int result = values && c->rows && c->unknown ? 0 : EVL_NOMEM;
	for (size_t i = 0; result == 0 && i < r->n_columns; i++) {
		if (!gather(r, i, values, c->n_base)) {
			c->unknown[c->n_unknown++] = &r->columns[i];
			continue;
		}
		c->rows[c->n] = (struct comparison_row){.figure = &r->columns[i]};
		result = test(&c->rows[c->n++], values, c);
	}
	result = result ? result : finish(c, r, values);
	free(values);
	if (result < 0)
		comparison_free(c);
	return result;
}

void comparison_free(struct comparison *c)
{
	free_all(c->rows, c->unknown);
	*c = (struct comparison){0};
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

char *comparison_by_text(const struct comparison_row *r, char *out)
{
	char size[TEXT_CHANGE_ROOM], relative[TEXT_ROOM];
	text_change(size, r->figure->unit, r->shift.by);
	if (fabs(r->base) > 0 && fabs(r->shift.by) > 0)
		snprintf(out, COMPARISON_TEXT, "%s (%s)", size, text_relative(relative, r->base, r->shift.by));
	else
		snprintf(out, COMPARISON_TEXT, "%s", size);
	return out;
}

char *comparison_interval_text(const struct comparison_row *r, char *out)
{
	char low[TEXT_CHANGE_ROOM], high[TEXT_CHANGE_ROOM];
	*out = '\0';
	if (r->shift.bounded)
		snprintf(out, COMPARISON_TEXT, "%s … %s", text_change(low, r->figure->unit, r->shift.low),
			text_change(high, r->figure->unit, r->shift.high));
	return out;
}

char *comparison_p_text(double p, char *out)
{
	snprintf(out, COMPARISON_TEXT, p < 0.0001 ? "%.1e" : p < 0.01 ? "%.4f" : "%.2f", p);
	return out;
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void put_row(struct json *j, const struct comparison_row *r)
{
	json_open(j, '{');
	json_put_text(j, "name", str_of(r->figure->name));
	json_put_text(j, "unit", str_of(unit_name(r->figure->unit)));
	json_put_double(j, "base_median", r->base);
	json_put_double(j, "head_median", r->head);
	json_put_double(j, "difference", r->shift.by);
	json_key(j, "ci");
	if (r->shift.bounded) {
		json_open(j, '[');
		json_double(j, r->shift.low);
		json_double(j, r->shift.high);
		json_close(j, ']');
	} else {
		json_null(j);
	}
	json_put_double(j, "p", r->p);
	json_put_double(j, "p_holm", r->p_holm);
	json_put_double(j, "smallest", r->smallest);
	json_put_bool(j, "differs", r->differs);
	json_put_text(j, "verdict", str_of(verdict_name(r->verdict)));
	json_close(j, '}');
}

void comparison_json(const struct comparison *c, struct buf *out)
{
	struct json j = {out, false};
	json_open(&j, '{');
	json_put_u64(&j, "schema", 1);
	json_put_u64(&j, "base_runs", c->n_base);
	json_put_u64(&j, "head_runs", c->n_head);
	json_put_double(&j, "alpha", COMPARISON_ALPHA);
	json_put_u64(&j, "family", c->n);
	json_put_u64(&j, "least_runs", comparison_least_runs(c->n));
	json_put_open(&j, "figures", '[');
	for (size_t i = 0; i < c->n; i++)
		put_row(&j, &c->rows[i]);
	json_close(&j, ']');
	json_put_open(&j, "unknown", '[');
	for (size_t i = 0; i < c->n_unknown; i++)
		json_cstr(&j, c->unknown[i]->name);
	json_close(&j, ']');
	for (int v = 0; v < VERDICT_KINDS; v++) {
		static const char *const keys[] = {"worse", "better", "no_difference_shown", "too_few_runs"};
		json_put_u64(&j, keys[v], c->count[v]);
	}
	json_close(&j, '}');
	buf_char(out, '\n');
}

/* --- Markdown ----------------------------------------------------------------------------------------------------- */

static void put_cell(struct buf *out, const char *text) { buf_printf(out, " | %s", text); }

static void put_markdown_row(const struct comparison_row *r, struct buf *out)
{
	char text[COMPARISON_TEXT];
	bool loud = r->verdict == VERDICT_WORSE || r->verdict == VERDICT_BETTER;
	buf_lit(out, "| ");
	markdown_code(out, str_of(r->figure->name));
	put_cell(out, text_value(text, r->figure->unit, r->base));
	put_cell(out, text_value(text, r->figure->unit, r->head));
	put_cell(out, comparison_by_text(r, text));
	put_cell(out, comparison_interval_text(r, text));
	put_cell(out, comparison_p_text(r->p_holm, text));
	put_cell(out, loud ? "**" : "");
	buf_printf(out, "%s%s", verdict_name(r->verdict), loud ? "** |\n" : r->differs ? " (differs) |\n" : " |\n");
}

static void put_verdict(const struct comparison *c, enum verdict verdict, struct buf *out)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].verdict == verdict)
			put_markdown_row(&c->rows[i], out);
}

/* Those that are worse or better first: a comment is read from its top. */
void comparison_markdown(const struct comparison *c, struct buf *out)
{
	static const char head[] = "| Metric | Base | Head | Difference | 95 % interval | p | Verdict |\n"
				   "|---|---:|---:|---:|---:|---:|---|\n";
	char text[160];
	snprintf(text, sizeof text,
		"%zu run%s against %zu: %zu metric%s worse, %zu better, %zu without a significant difference",
		c->n_base, c->n_base == 1 ? "" : "s", c->n_head, c->count[VERDICT_WORSE],
		c->count[VERDICT_WORSE] == 1 ? "" : "s", c->count[VERDICT_BETTER], c->count[VERDICT_SAME]);
	buf_cstr(out, text);
	if (c->count[VERDICT_TOO_FEW])
		buf_printf(out, ", %zu undecided", c->count[VERDICT_TOO_FEW]);
	if (!c->enough) {
		snprintf(text, sizeof text, "; too few runs: %zu metric%s need%s at least %zu per side", c->n,
			c->n == 1 ? "" : "s", c->n == 1 ? "s" : "", comparison_least_runs(c->n));
		buf_cstr(out, text);
	}
	buf_lit(out, ".\n\n");
	if (c->count[VERDICT_WORSE] || c->count[VERDICT_BETTER]) {
		buf_cstr(out, head);
		put_verdict(c, VERDICT_WORSE, out);
		put_verdict(c, VERDICT_BETTER, out);
		buf_lit(out, "\n");
	}
	if (c->count[VERDICT_SAME] || c->count[VERDICT_TOO_FEW]) {
		buf_printf(out, "<details><summary>All other metrics</summary>\n\n%s", head);
		put_verdict(c, VERDICT_SAME, out);
		put_verdict(c, VERDICT_TOO_FEW, out);
		buf_lit(out, "\n</details>\n\n");
	}
	buf_lit(out, "p: Mann-Whitney, Holm's correction over all metrics, 0.05.\n");
}

/* --- JUnit -------------------------------------------------------------------------------------------------------- */

void comparison_junit(const struct comparison *c, struct buf *out)
{
	struct junit junit;
	junit_begin(&junit, out, "evtui compare", c->n, c->count[VERDICT_WORSE], 0, c->count[VERDICT_TOO_FEW]);
	for (size_t i = 0; i < c->n; i++) {
		const struct comparison_row *r = &c->rows[i];
		char message[4 * COMPARISON_TEXT], by[COMPARISON_TEXT], p[COMPARISON_TEXT];
		enum junit_outcome outcome = r->verdict == VERDICT_WORSE ? JUNIT_FAILURE
			: r->verdict == VERDICT_TOO_FEW                  ? JUNIT_SKIPPED
									 : JUNIT_PASSED;
		snprintf(message, sizeof message, "%s: %s, was %s: %s, p %s", verdict_name(r->verdict),
			as_value(r->figure->unit, r->head), as_value(r->figure->unit, r->base),
			comparison_by_text(r, by), comparison_p_text(r->p_holm, p));
		junit_case(&junit, EVL_STR("compare"), str_of(r->figure->name), outcome, str_of(message));
	}
	junit_end(&junit);
}
