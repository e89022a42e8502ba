#include "statistics/change_points.h"

#include "base/gallop.h"
#include "statistics/mann_whitney.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_SIDE = 2, ENOUGH = 20 }; /* values on each side of a split; larger statistics after which p is clear */

struct piece {
	size_t from, to; /* steps */
};

struct series {
	const double *values;
	const size_t *steps;
	double *ranks, *sorted; /* of the current piece */
	double alpha;
	size_t permutations;
};

/* The rank of a value among n sorted ones; equal values share theirs. */
static double rank_of(const double *sorted, size_t n, double value)
{
	BISECT(low, n, sorted[mid] < value);
	BISECT(last, n, sorted[mid] <= value);
	return (double)(low + 1 + last) / 2;
}

/* The largest statistic of all splits of the piece, and the step that it is at. */
static double statistic(const struct series *s, struct piece piece, size_t *at)
{
	size_t first = s->steps[piece.from], n = s->steps[piece.to] - first, done = 0;
	double sum = 0, most = 0, mean = (double)(n + 1) / 2;
	*at = piece.from;
	for (size_t step = piece.from; step + 1 < piece.to; step++) {
		for (; done < s->steps[step + 1] - first; done++)
			sum += s->ranks[done] - mean;
		if (done < LEAST_SIDE || n - done < LEAST_SIDE)
			continue;
		double is = fabs(sum) / sqrt((double)done * (double)(n - done));
		if (is > most) {
			most = is;
			*at = step + 1;
		}
	}
	return most;
}

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void shuffle(double *values, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)((unsigned __int128)draw(state) * i >> 64);
		double swap = values[i - 1];
		values[i - 1] = values[k];
		values[k] = swap;
	}
}

/* Compute the p of a piece, and the step of its best split. Permutations end early once enough are larger that p
 * cannot be significant (Besag and Clifford). */
static double test(const struct series *s, struct piece piece, size_t *at)
{
	size_t first = s->steps[piece.from], n = s->steps[piece.to] - first, larger = 0, other, done = 0;
	uint64_t state = 1;
	memcpy(s->sorted, s->values + first, n * sizeof *s->sorted);
	qsort(s->sorted, n, sizeof *s->sorted, by_double);
	for (size_t i = 0; i < n; i++)
		s->ranks[i] = rank_of(s->sorted, n, s->values[first + i]);
	double is = statistic(s, piece, at);
	if (!(is > 0))
		return 1;
	while (done < s->permutations && larger < ENOUGH) {
		shuffle(s->ranks, n, &state);
		larger += statistic(s, piece, &other) >= is * (1 - 1e-12);
		done++;
	}
	return larger == ENOUGH ? (double)larger / (double)done : (double)(larger + 1) / (double)(done + 1);
}

static double level(const struct series *s, struct piece piece)
{
	size_t first = s->steps[piece.from], n = s->steps[piece.to] - first;
	memcpy(s->sorted, s->values + first, n * sizeof *s->sorted);
	return median_of(s->sorted, n);
}

static void add(struct changes *out, struct change change)
{
	size_t i = out->n;
	if (i == CHANGES_MOST) {
		out->more = true;
		return;
	}
	for (; i > 0 && out->items[i - 1].at > change.at; i--)
		out->items[i] = out->items[i - 1];
	out->items[i] = change;
	out->n++;
}

/* Cut a piece, and its pieces. A piece that is cut has a change in the list, so that they are few. */
static void cut(const struct series *s, struct changes *out, struct piece piece, bool whole)
{
	size_t at;
	double p = test(s, piece, &at);
	if (whole)
		out->p = p;
	if (p > s->alpha || out->more)
		return;
	struct piece left = {piece.from, at}, right = {at, piece.to};
	add(out, (struct change){at, p, level(s, left), level(s, right)});
	cut(s, out, left, false);
	cut(s, out, right, false);
}

/* Each change is between two levels: those of the pieces that are left in the end. */
static void put_levels(const struct series *s, struct changes *out, size_t n_steps)
{
	for (size_t i = 0; i < out->n; i++) {
		size_t from = i ? out->items[i - 1].at : 0, to = i + 1 < out->n ? out->items[i + 1].at : n_steps;
		out->items[i].before = level(s, (struct piece){from, out->items[i].at});
		out->items[i].after = level(s, (struct piece){out->items[i].at, to});
	}
}

int change_points(struct changes *out, const double *values, const size_t *steps, size_t n_steps, double alpha)
{
	enum { LEAST = 9999, MOST = 999999 };
	size_t n = steps[n_steps] - steps[0];
	struct series s = {.values = values, .steps = steps, .alpha = alpha};
	double want = 20 / alpha; /* so that p is known well enough at alpha */
	*out = (struct changes){.p = 1};
	s.permutations = want < LEAST ? LEAST : want > MOST ? MOST : (size_t)want;
	s.ranks = calloc(n ? n : 1, sizeof *s.ranks);
	s.sorted = malloc((n ? n : 1) * sizeof *s.sorted);
	int result = s.ranks && s.sorted ? 0 : EVL_NOMEM;
	if (result == 0 && n_steps > 1) {
		cut(&s, out, (struct piece){0, n_steps}, true);
		put_levels(&s, out, n_steps);
	}
	free_all(s.ranks, s.sorted);
	return result;
}
