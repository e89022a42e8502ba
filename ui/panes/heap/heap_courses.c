#include "panes/heap/heap_courses.h"

#include "panes/heap/heap_chart_data.h"

#include <stdio.h>
#include <stdlib.h>

void heap_series_free(struct heap_series *s)
{
	free_all(s->bands, s->times, s->bytes);
	*s = (struct heap_series){0};
}

static bool fits(const struct heap_series *c, size_t from, size_t to, const struct heap_answer *page)
{
	if (!c->bands || c->from != from || c->to != to || c->n_bands != page->n)
		return false;
	for (size_t i = 0; i < page->n; i++)
		if (c->bands[i] != page->rows[i].number)
			return false;
	return true;
}

static int read_points(struct heap_scan *s, struct heap_series *c)
{
	struct census_run run = heap_run(s, 0);
	struct census_values v = {0};
	int result = 0;
	for (size_t i = 0; i < c->n && result == 0; i++) {
		size_t sample =
			c->from + (size_t)((unsigned __int128)(c->to - c->from - 1) * i / (c->n > 1 ? c->n - 1 : 1));
		result = census_values_read(&v, &s->survey.bands, run.census, run.blocks, s->survey.samples[sample],
			run.profile, s->cancel);
		c->times[i] = census_axis_time(&s->axis, sample);
		for (size_t k = 0; k < c->n_bands && result == 0; k++)
			c->bytes[k * c->n + i] = census_bytes(&v, c->bands[k]);
	}
	census_values_free(&v);
	return result;
}

static int make_series(struct heap_scan *s, size_t from, size_t to, const struct heap_answer *page)
{
	struct heap_series *c = &s->series;
	size_t n = to - from < SHAPE_POINTS ? to - from : SHAPE_POINTS;
	heap_series_free(c);
	*c = (struct heap_series){.from = from, .to = to, .n = n, .n_bands = page->n};
	c->bands = calloc(page->n + 1, sizeof *c->bands);
	c->times = calloc(n + 1, sizeof *c->times);
	c->bytes = calloc(page->n * n + 1, sizeof *c->bytes);
	int result = c->bands && c->times && c->bytes ? 0 : EVL_NOMEM;
	for (size_t i = 0; i < page->n && result == 0; i++)
		c->bands[i] = page->rows[i].number;
	result = result ? result : read_points(s, c);
	if (result < 0)
		heap_series_free(c);
	return result;
}

void heap_course(const struct heap_scan *s, uint32_t band, struct census_shape *out)
{
	const struct heap_series *c = &s->series;
	struct shape_point points[SHAPE_POINTS];
	size_t k = 0;
	while (k < c->n_bands && c->bands[k] != band)
		k++;
	size_t n = k < c->n_bands && !s->announced.by_index ? c->n : 0;
	for (size_t i = 0; i < n; i++)
		points[i] = (struct shape_point){c->times[i], c->bytes[k * c->n + i]};
	census_shape(out, points, n);
}

int heap_courses(struct heap_scan *s, struct heap_answer *page)
{
	size_t from = census_axis_before(&s->axis, s->ask.range_from),
	       to = census_axis_before(&s->axis, s->ask.range_to);
	int result = to <= from || fits(&s->series, from, to, page) ? 0 : make_series(s, from, to, page);
	if (to <= from)
		heap_series_free(&s->series);
	for (size_t i = 0; i < page->n && result == 0; i++) {
		struct heap_row *row = &page->rows[i];
		struct census_shape shape;
		char text[SHAPE_TEXT];
		if (row->number >= bands_count(&s->survey.bands)) /* a group's, or only in another log */
			continue;
		heap_course(s, row->number, &shape);
		snprintf(row->since, sizeof row->since, "%s", census_shape_brief(text, &shape));
		row->still = shape.grows;
	}
	return result;
}
