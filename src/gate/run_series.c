#include "gate/run_series.h"

#include "base/json.h"
#include "gate/markdown.h"
#include "statistics/mann_whitney.h"

#include <math.h>
#include <stdlib.h>

#define SERIES_ALPHA 0.05

bool run_series_known(const struct runs *r, size_t column)
{
	for (size_t i = 0; i < r->n; i++)
		if (isnan(runs_value(r, i, column)))
			return false;
	return r->n > 0;
}

static int add_changes(struct run_series *s, const struct runs_column *figure, const struct changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		int up = c->items[i].after > c->items[i].before ? 1 : c->items[i].after < c->items[i].before ? -1 : 0;
		if (!GROW(s->items, s->n, s->room))
			return EVL_NOMEM;
		s->items[s->n++] = (struct series_change){.figure = figure,
			.change = c->items[i],
			.sense = figure->sense == METRIC_UP    ? up
				: figure->sense == METRIC_DOWN ? -up
							       : 0,
			.last = i + 1 == c->n};
	}
	return 0;
}

/* Where the values of each step begin; the runs are in the order of steps. */
static void find_bounds(const struct runs *r, size_t *bounds, size_t n_steps)
{
	size_t row = 0;
	for (size_t step = 0; step <= n_steps; step++) {
		while (row < r->n && r->rows[row].set < step)
			row++;
		bounds[step] = row;
	}
}

int run_series_make(struct run_series *s, const struct runs *r, size_t n_steps)
{
	double *values = calloc(r->n ? r->n : 1, sizeof *values);
	size_t *bounds = calloc(n_steps + 1, sizeof *bounds);
	int result = values && bounds ? 0 : EVL_NOMEM;
	*s = (struct run_series){.n_steps = n_steps};
	for (size_t i = 0; i < r->n_columns; i++)
		s->family += run_series_known(r, i);
	if (result == 0)
		find_bounds(r, bounds, n_steps);
	double alpha = SERIES_ALPHA / (double)(s->family ? s->family : 1);
	s->enough = n_steps > 1 && r->n > 1 && mann_whitney_least(r->n / 2, r->n - r->n / 2) <= alpha;
	for (size_t i = 0; i < r->n_columns && s->enough && result == 0; i++) {
		struct changes changes;
		if (!run_series_known(r, i))
			continue;
		for (size_t row = 0; row < r->n; row++)
			values[row] = runs_value(r, row, i);
		result = change_points(&changes, values, bounds, n_steps, alpha);
		result = result ? result : add_changes(s, &r->columns[i], &changes);
	}
	free_all(values, bounds);
	if (result < 0)
		run_series_free(s);
	return result;
}

void run_series_free(struct run_series *s)
{
	free(s->items);
	*s = (struct run_series){0};
}

static const char *const senses[] = {"better", "neither", "worse"};

void run_series_json(const struct run_series *s, char *const *steps, struct buf *out)
{
	struct json j = {out, false};
	json_open(&j, '{');
	json_put_u64(&j, "schema", 1);
	json_put_u64(&j, "family", s->family);
	json_put_double(&j, "alpha", SERIES_ALPHA);
	json_put_bool(&j, "enough_runs", s->enough);
	json_put_open(&j, "steps", '[');
	for (size_t i = 0; i < s->n_steps; i++)
		json_cstr(&j, steps[i]);
	json_close(&j, ']');
	json_put_open(&j, "changes", '[');
	for (size_t i = 0; i < s->n; i++) {
		const struct series_change *c = &s->items[i];
		json_open(&j, '{');
		json_put_text(&j, "name", str_of(c->figure->name));
		json_put_text(&j, "unit", str_of(unit_name(c->figure->unit)));
		json_put_u64(&j, "step", c->change.at);
		json_put_text(&j, "since", str_of(steps[c->change.at]));
		json_put_double(&j, "before", c->change.before);
		json_put_double(&j, "after", c->change.after);
		json_put_double(&j, "p", c->change.p);
		json_put_text(&j, "is", str_of(senses[c->sense + 1]));
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(out, '\n');
}

void run_series_markdown(const struct run_series *s, char *const *steps, struct buf *out)
{
	buf_lit(out, "| Metric | Since | Before | After | Change |\n|---|---|---:|---:|---|\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct series_change *c = &s->items[i];
		buf_lit(out, "| ");
		markdown_code(out, str_of(c->figure->name));
		buf_lit(out, " | ");
		markdown_code(out, str_of(steps[c->change.at]));
		buf_printf(out, " | %s | %s | %s |\n", as_value(c->figure->unit, c->change.before),
			as_value(c->figure->unit, c->change.after), c->sense ? senses[c->sense + 1] : "differs");
	}
}
