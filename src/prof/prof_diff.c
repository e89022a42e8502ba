#include "prof/prof_diff.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_MOVE      0.005
#define STANDARD_ERRORS 3

COMPARE_BY(by_name, struct prof_diff_row, str_order(x->module, y->module) ?: str_order(x->label, y->label));

/* A row for each name that was sampled; what has the same module and label is summed later. */
static bool list_side(struct prof_diff *d, const struct prof_centres *s, int side)
{
	d->program[side] = s->program;
	for (uint32_t i = 0; i < s->names.n; i++) {
		if (s->incl[i] == 0)
			continue;
		if (!GROW(d->rows, d->n, d->room))
			return false;
		struct prof_diff_row *row = &d->rows[d->n++];
		*row = (struct prof_diff_row){.module = prof_module(&s->names, i), .label = prof_label(&s->names, i)};
		row->self[side] = s->self[i];
		row->incl[side] = s->incl[i];
	}
	return true;
}

/* Sorted rows of one name become one. Inclusive samples of namesakes may overlap: their sum is at most all. */
static void join_rows(struct prof_diff *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++) {
		if (n == 0 || by_name(&d->rows[n - 1], &d->rows[i]) != 0) {
			d->rows[n++] = d->rows[i];
			continue;
		}
		for (int side = 0; side < 2; side++) {
			d->rows[n - 1].self[side] += d->rows[i].self[side];
			d->rows[n - 1].incl[side] =
				min_u64(d->rows[n - 1].incl[side] + d->rows[i].incl[side], d->program[side]);
		}
	}
	d->n = n;
}

static double share_of(uint64_t n, uint64_t all) { return all ? (double)n / (double)all : 0; }

bool prof_is_noise(uint64_t a, uint64_t all_a, uint64_t b, uint64_t all_b)
{
	double na = (double)all_a, nb = (double)all_b, by = share_of(a, all_a) - share_of(b, all_b);
	if (all_a == 0 || all_b == 0)
		return a == 0 && b == 0;
	double p = (double)(a + b) / (na + nb), variance = p * (1 - p) * (1 / na + 1 / nb);
	return fabs(by) < LEAST_MOVE || by * by <= STANDARD_ERRORS * STANDARD_ERRORS * variance;
}

static void judge(const struct prof_diff *d, struct prof_diff_row *row)
{
	for (int side = 0; side < 2; side++) {
		row->share[side] = share_of(row->self[side], d->program[side]);
		row->incl_share[side] = share_of(row->incl[side], d->program[side]);
	}
	row->change = row->incl[1] == 0 ? PROF_ONLY_A
		: row->incl[0] == 0     ? PROF_ONLY_B
		: prof_is_noise(row->self[0], d->program[0], row->self[1], d->program[1])
			&& prof_is_noise(row->incl[0], d->program[0], row->incl[1], d->program[1])
		? PROF_STAYED
		: PROF_MOVED;
}

static int by_difference(const double x[2], const double y[2])
{
	double in_x = fabs(x[1] - x[0]), in_y = fabs(y[1] - y[0]);
	return ORDER(in_y, in_x);
}

COMPARE_BY(by_change, struct prof_diff_row, RISING(change) ?: by_difference(x->share, y->share) ?: by_difference(x->incl_share, y->incl_share) ?: by_name(x, y));

int prof_diff(struct prof_diff *d, const struct prof_centres *a, const struct prof_centres *b)
{
	*d = (struct prof_diff){0};
	if (!list_side(d, a, 0) || !list_side(d, b, 1)) {
		prof_diff_free(d);
		return EVL_NOMEM;
	}
	if (d->n)
		qsort(d->rows, d->n, sizeof *d->rows, by_name);
	join_rows(d);
	for (size_t i = 0; i < d->n; i++) {
		judge(d, &d->rows[i]);
		d->count[d->rows[i].change]++;
	}
	if (d->n)
		qsort(d->rows, d->n, sizeof *d->rows, by_change);
	return 0;
}

void prof_diff_free(struct prof_diff *d)
{
	free(d->rows);
	*d = (struct prof_diff){0};
}

const char *prof_change_name(enum prof_change change)
{
	static const char *const names[] = {"only in A", "only in B", "moved", "stayed"};
	return names[change];
}

static void put_pair(struct json *j, const char *key, const double *values)
{
	json_put_open(j, key, '[');
	json_double(j, values[0]);
	json_double(j, values[1]);
	json_close(j, ']');
}

void prof_diff_json(const struct prof_diff *d, struct json *j)
{
	json_open(j, '[');
	for (size_t i = 0; i < d->n && d->rows[i].change != PROF_STAYED; i++) {
		const struct prof_diff_row *row = &d->rows[i];
		json_open(j, '{');
		json_put_cstr(j, "change", prof_change_name(row->change));
		json_put_str(j, "centre", row->label);
		json_put_str(j, "module", row->module);
		put_pair(j, "self_share", row->share);
		put_pair(j, "inclusive_share", row->incl_share);
		json_close(j, '}');
	}
	json_close(j, ']');
}
