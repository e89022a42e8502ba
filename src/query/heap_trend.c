#include "query/heap_trend.h"

#include "base/utf8.h"
#include "heap/census_survey.h"
#include "query/census_label.h"

#include <stdlib.h>

/* The samples that are looked at: time, total and the largest bands. */
struct trend_point {
	uint64_t t, total, bands[TREND_BANDS];
};

struct trend_points {
	struct trend_point items[TREND_POINTS];
	size_t n, n_bands;
	uint32_t numbers[TREND_BANDS]; /* of the bands */
};

static int read_points(
	struct trend_points *p, struct census_survey *s, const struct census_run *run, uint64_t from, uint64_t to)
{
	struct census_values v = {0};
	size_t first = 0, end = s->n;
	int result = 0;
	while (first < end && census_at(run->census, s->samples[first])->t < from)
		first++;
	while (end > first && census_at(run->census, s->samples[end - 1])->t >= to)
		end--;
	for (uint32_t b = 0; b < bands_count(&s->bands); b++)
		if (bands_at(&s->bands, b)->rank < TREND_BANDS)
			p->numbers[p->n_bands++] = b;
	size_t n = end - first < TREND_POINTS ? end - first : TREND_POINTS;
	for (size_t i = 0; i < n && result == 0; i++) {
		size_t sample = first + (size_t)((unsigned __int128)(end - first - 1) * i / (n > 1 ? n - 1 : 1));
		result = census_values_read(
			&v, &s->bands, run->census, run->blocks, s->samples[sample], run->profile, run->cancel);
		if (result < 0)
			break;
		struct trend_point *at = &p->items[p->n++];
		*at = (struct trend_point){
			.t = census_at(run->census, s->samples[sample])->t, .total = s->totals[sample]};
		for (size_t b = 0; b < p->n_bands; b++)
			at->bands[b] = census_bytes(&v, p->numbers[b]);
	}
	census_values_free(&v);
	return result;
}

/* band < 0: the total. */
static uint64_t value(const struct trend_points *p, size_t i, int band)
{
	return band < 0 ? p->items[i].total : p->items[i].bands[band];
}

/* The median of n points from i on. */
static uint64_t median(const struct trend_points *p, size_t i, size_t n, int band)
{
	uint64_t values[TREND_POINTS] = {0};
	for (size_t k = 0; k < n; k++)
		values[k] = value(p, i + k, band);
	qsort(values, n, sizeof *values, by_u64);
	return values[n / 2];
}

/* A rise from `before` to `after`: the last point in its lowest tenth, and the first from which on all are above four
 * fifths of it. */
static void edges(const struct trend_points *p, int band, uint64_t before, uint64_t after, size_t *last, size_t *first)
{
	uint64_t by = after - before, low = before + by / 10, high = after - by / 5;
	*last = 0;
	*first = p->n - 1;
	while (*first > 0 && value(p, *first - 1, band) >= high)
		--*first;
	for (size_t i = 0; i <= *first; i++)
		if (value(p, i, band) <= low)
			*last = i;
}

/* Start of a rise that goes on until the last point; or `otherwise`. */
static uint64_t rises_since(const struct trend_points *p, int band, uint64_t otherwise)
{
	struct shape_point points[TREND_POINTS];
	struct census_shape shape;
	for (size_t i = 0; i < p->n; i++)
		points[i] = (struct shape_point){p->items[i].t, value(p, i, band)};
	census_shape(&shape, points, p->n);
	return shape.grows ? shape.since : otherwise;
}

static void name_band(struct trend_band *out, const struct evl_log *log, const struct trend_points *p,
	struct bands *bands, size_t band)
{
	struct buf text = {0};
	const struct prof_naming names = evl_naming(log);
	census_label(&names, bands_at(bands, p->numbers[band]), &text);
	size_t len = utf8_cut(buf_since(&text, 0), TREND_NAME - 1).len;
	if (len)
		memcpy(out->name, text.p, len);
	out->name[len] = '\0';
	out->cut = len < text.len;
	buf_free(&text);
}

/* Find the bands that grow most; the second only if it grows at least half as much as the first. Return the first,
 * or -1, and store all in found. */
static int find_bands(struct heap_trend *t, const struct evl_log *log, const struct trend_points *p,
	struct bands *bands, int found[TREND_NAMED])
{
	size_t eighth = p->n / 8;
	uint64_t least = 0;
	int best = -1, taken = -1;
	for (t->n_bands = 0; t->n_bands < TREND_NAMED; t->n_bands++) {
		struct trend_band *out = &t->bands[t->n_bands];
		int most = -1;
		for (size_t b = 0; b < p->n_bands; b++) {
			uint64_t before = median(p, 0, eighth, (int)b),
				 after = median(p, p->n - eighth, eighth, (int)b);
			if ((int)b == taken || after <= before || after - before <= sub_or_0(out->after, out->before)
				|| after - before < least)
				continue;
			most = (int)b;
			out->before = before;
			out->after = after;
		}
		if (most < 0)
			break;
		name_band(out, log, p, bands, (size_t)most);
		found[t->n_bands] = most;
		least = (out->after - out->before) / 2;
		taken = most;
		best = best < 0 ? most : best;
	}
	return best;
}

static void look(struct heap_trend *t, const struct evl_log *log, const struct trend_points *p, struct bands *bands)
{
	enum { LEAST = 1 << 20 };
	size_t last, first, eighth = p->n / 8;
	int found[TREND_NAMED];
	if (!(t->known = p->n >= TREND_LEAST))
		return;
	uint64_t begin = p->items[0].t, end = p->items[p->n - 1].t, fifth = (end - begin) / 5, most = 0;
	t->before = median(p, 0, eighth, -1);
	t->after = median(p, p->n - eighth, eighth, -1);
	t->rises = t->after / 2 >= t->before && t->after - t->before >= LEAST;
	if (!t->rises)
		return;
	int band = find_bands(t, log, p, bands, found);
	edges(p, -1, t->before, t->after, &last, &first);
	for (size_t i = first; i < p->n; i++)
		most = max_u64(most, p->items[i].total);
	t->step = (first == last + 1 || p->items[first].t - p->items[last].t <= fifth)
		&& end - p->items[first].t >= fifth && most - t->after <= (t->after - t->before) / 4;
	if (!t->step && band >= 0)
		edges(p, band, t->bands[0].before, t->bands[0].after, &last, &first);
	t->since = p->items[last].t;
	t->until = p->items[first].t;
	if (!t->step && band >= 0)
		t->since = rises_since(p, band, t->since);
	while (p->items[last].t > t->since)
		last--;
	while (p->items[last].t < t->since)
		last++;
	first = t->step ? first : p->n - 1;
	t->before = value(p, last, -1);
	t->after = value(p, first, -1);
	for (size_t i = 0; i < t->n_bands; i++) {
		t->bands[i].before = value(p, last, found[i]);
		t->bands[i].after = value(p, first, found[i]);
	}
}

/* Does a sum of the survey stop at 2^64-1? */
static bool is_cut(const struct census_survey *s)
{
	bool cut = s->largest == UINT64_MAX;
	for (size_t i = 0; i < bands_count(&s->bands) && !cut; i++)
		cut = bands_at(&s->bands, (uint32_t)i)->sum == UINT64_MAX;
	return cut;
}

int heap_trend_make(
	struct heap_trend *t, const struct evl_log *log, uint64_t from, uint64_t to, const struct progress *watch)
{
	unsigned profile = census_profile_from(&log->census, &log->blocks, 0);
	*t = (struct heap_trend){0};
	if (census_count(&log->census) < TREND_LEAST || profile >= CENSUS_PROFILES
		|| log->census.profiles[profile].filtered || log->census.profiles[profile].biography
		|| census_kind_of(log, profile).by_index)
		return 0;
	const struct census_run run = census_run_of(log, profile, watch ? watch->cancel : NULL);
	struct census_survey survey;
	struct trend_points *points = calloc(1, sizeof *points);
	if (!points)
		return EVL_NOMEM;
	int result = census_survey_named(&survey, log, &run);
	if (result == 0) {
		t->cut = is_cut(&survey);
		result = read_points(points, &survey, &run, from, to);
		if (result == 0)
			look(t, log, points, &survey.bands);
		census_survey_free(&survey);
	}
	free(points);
	return result;
}
