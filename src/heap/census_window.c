#include "heap/census_window.h"

#include "base/gallop.h"

#include <math.h>
#include <stdlib.h>

/* --- numbers in 16 bits: 6 bits of exponent, 10 of mantissa --- */

enum { MANTISSA = 10 };

uint16_t census_rough(uint64_t bytes)
{
	unsigned bits = bytes ? 64u - (unsigned)__builtin_clzll(bytes) : 0;
	unsigned shift = bits > MANTISSA ? bits - MANTISSA : 0;
	return (uint16_t)(shift << MANTISSA | (bytes >> shift & ((1u << MANTISSA) - 1)));
}

uint64_t census_smooth(uint16_t rough) { return (uint64_t)(rough & ((1u << MANTISSA) - 1)) << (rough >> MANTISSA); }

/* --- courses ------------------------------------------------------------------------------------------------------- */

struct moment {
	size_t sample;
	double t; /* seconds from the middle */
	double w; /* seconds that it counts for: half of those to its neighbours */
	int part; /* of the sparkline */
};

static void add(struct band_course *c, uint64_t bytes, const struct moment *m)
{
	double x = (double)bytes;
	uint16_t rough = census_rough(bytes);
	c->x += x;
	c->xx += x * x;
	c->tx += m->t * x;
	c->area += m->w * x;
	c->n++;
	if (bytes > c->peak) {
		c->peak = bytes;
		c->peak_at = (uint32_t)m->sample;
	}
	if (rough > c->spark[m->part])
		c->spark[m->part] = rough;
}

static struct moment moment_of(const struct census_window *w, const struct census_axis *axis, size_t sample)
{
	uint64_t t0 = census_axis_time(axis, w->from), t1 = census_axis_time(axis, w->to - 1),
		 t = census_axis_time(axis, sample);
	double part = t1 > t0 ? (double)(t - t0) / (double)(t1 - t0) * CENSUS_SPARK : 0;
	double seconds = ((double)(t - t0) - (double)(t1 - t0) / 2) / 1e9;
	uint64_t before = sample > w->from ? census_axis_time(axis, sample - 1) : t,
		 after = sample + 1 < w->to ? census_axis_time(axis, sample + 1) : t;
	double weight = after > before ? (double)(after - before) / 2e9 : 0;
	return (struct moment){sample, seconds, weight, part < CENSUS_SPARK ? (int)part : CENSUS_SPARK - 1};
}

static void take_sample(struct census_window *w, const struct census_values *v, const struct moment *m)
{
	w->t += m->t;
	w->tt += m->t * m->t;
	add(&w->all, v->total, m);
	for (size_t k = 0; k < v->n; k++)
		add(&w->courses[v->numbers[k]], v->bytes[v->numbers[k]], m);
}

int census_window(struct census_window *w, struct census_survey *s, const struct census_axis *axis, size_t from,
	size_t to, const struct census_run *run)
{
	struct census_values v = {0};
	*w = (struct census_window){
		.from = from, .to = to, .n_bands = bands_count(&s->bands), .timed = !axis->by_index};
	w->courses = calloc(w->n_bands ? w->n_bands : 1, sizeof *w->courses);
	int result = w->courses ? 0 : EVL_NOMEM;
	for (size_t i = from; result == 0 && i < to; i++) {
		result = census_values_read(
			&v, &s->bands, run->census, run->blocks, s->samples[i], run->profile, run->cancel);
		struct moment m = moment_of(w, axis, i);
		if (result == 0)
			take_sample(w, &v, &m);
		census_done(run, i + 1 - from);
	}
	census_values_free(&v);
	if (result < 0)
		census_window_free(w);
	return result;
}

void census_window_free(struct census_window *w)
{
	free(w->courses);
	*w = (struct census_window){0};
}

/* Sums of products of differences from the means, as the formulas of linear regression have them. */
struct census_growth census_growth(const struct census_window *w, const struct band_course *c)
{
	enum { FEWEST = 3 };
	double n = (double)(w->to - w->from);
	if (!w->timed || n < FEWEST)
		return (struct census_growth){0};
	double stt = w->tt - w->t * w->t / n, stx = c->tx - w->t * c->x / n, sxx = c->xx - c->x * c->x / n;
	if (stt <= 0)
		return (struct census_growth){0};
	double r2 = sxx > c->xx * 1e-14 ? stx * stx / (stt * sxx) : NAN;
	return (struct census_growth){stx / stt, r2 > 1 ? 1 : r2, true};
}

double census_deviation(const struct census_window *w, const struct band_course *c)
{
	double n = (double)(w->to - w->from), mean = n > 0 ? c->x / n : 0, square = n > 0 ? c->xx / n - mean * mean : 0;
	return square > 0 ? sqrt(square) : 0;
}

double census_mean(const struct census_window *w, const struct band_course *c)
{
	return w->to > w->from ? c->x / (double)(w->to - w->from) : 0;
}

/* --- the picture --------------------------------------------------------------------------------------------------- */

/* The largest of the samples [from, to). */
static size_t largest(const struct census_survey *s, size_t from, size_t to)
{
	size_t best = from;
	for (size_t i = from; i < to; i++)
		best = s->totals[i] > s->totals[best] ? i : best;
	return best;
}

size_t census_knots(const struct census_survey *s, const struct census_axis *axis, uint64_t t0, uint64_t t1, int cols,
	struct census_knot *out, size_t *which)
{
	size_t from = census_axis_before(axis, t0), end = census_axis_before(axis, t1), n = 0;
	if (from > 0)
		which[n++] = from - 1;
	for (int i = 0; i < cols && from < end; i++) {
		size_t to = census_axis_before(axis, column_edge(t0, t1, cols, i + 1));
		if (to > from)
			which[n++] = largest(s, from, to);
		from = to;
	}
	if (end < axis->n)
		which[n++] = end;
	for (size_t k = 0; k < n; k++)
		out[k] = (struct census_knot){.t = census_axis_time(axis, which[k]), .total = s->totals[which[k]]};
	return n;
}

bool census_knots_at(const struct census_knot *knots, size_t n, uint64_t from, uint64_t to, double *values)
{
	BISECT(k, n, knots[mid].t < from);
	bool within = k < n && knots[k].t < to;
	if (!within && (k == 0 || k == n))
		return false;
	const struct census_knot *b = &knots[k], *a = within ? b : b - 1;
	uint64_t middle = from + (to - from) / 2;
	double part = within ? 0 : (double)(middle - a->t) / (double)(b->t - a->t);
	for (int s = 0; s < CENSUS_SLOTS; s++)
		values[s] = (double)a->parts[s] * (1 - part) + (double)b->parts[s] * part;
	return true;
}

static uint64_t hidden_bytes(const struct census_values *v, const bool *hidden)
{
	uint64_t sum = 0;
	for (size_t k = 0; hidden && k < v->n; k++)
		if (hidden[v->numbers[k]])
			sum = add_or_max(sum, v->bytes[v->numbers[k]]);
	return sum;
}

static void fill(struct census_knot *knot, const struct census_values *v, const struct census_slots *slots)
{
	uint64_t rest = sub_or_0(v->total, hidden_bytes(v, slots->hidden));
	knot->total = slots->alone ? 0 : rest;
	for (int k = 0; k < slots->n; k++) {
		knot->parts[k] = census_bytes(v, slots->bands[k]);
		knot->total += slots->alone ? knot->parts[k] : 0;
		rest = sub_or_0(rest, knot->parts[k]);
	}
	knot->parts[CENSUS_SLOTS - 1] = slots->alone ? 0 : rest;
}

int census_knots_fill(struct census_knot *knots, const size_t *which, size_t n_knots, const struct census_slots *slots,
	struct census_survey *s, const struct census_run *run)
{
	struct census_values v = {0};
	int result = 0;
	for (size_t i = 0; result == 0 && i < n_knots; i++) {
		result = census_values_read(
			&v, &s->bands, run->census, run->blocks, s->samples[which[i]], run->profile, run->cancel);
		if (result == 0)
			fill(&knots[i], &v, slots);
		census_done(run, i + 1);
	}
	census_values_free(&v);
	return result;
}
