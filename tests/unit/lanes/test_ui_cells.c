/* Cells of merged columns: the largest remainder computed another way, one row and many, ticks, edges. */
#include "lanes/cells.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY = 20000, ROWS = 12 };

static uint32_t seed = 1;

static uint32_t dice(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Few states or many, of like or of very unlike lengths. */
static struct cell_shares any(void)
{
	struct cell_shares s = {0};
	uint32_t n = 1 + dice(CELL_STATES), most = 1;
	for (uint32_t k = dice(20); k-- > 0;)
		most *= 2;
	for (uint32_t i = 0; i < n; i++)
		s.ns[dice(CELL_STATES)] = 1 + dice(most) * (dice(3) ? 1 : 50);
	return s;
}

/* --- the reference: units are dealt out one by one ----------------------------------------------------------------- */

/* How far a state is from its quota if it has `has` units: (quota - has) * all. */
static int64_t missing(uint64_t ns, uint64_t all, int units, int has)
{
	return (int64_t)(ns * (uint64_t)units) - (int64_t)all * has;
}

/* First every state gets whole units while a whole one is due; then one more, who is missing most first. */
static void deal(const struct cell_shares *s, int units, int out[CELL_STATES])
{
	uint64_t all = 0, kept[CELL_STATES], sum = 0;
	bool more[CELL_STATES] = {0};
	int dealt = 0;
	for (int i = 0; i < CELL_STATES; i++)
		all += s->ns[i];
	for (int i = 0; i < CELL_STATES; i++) {
		bool small = (double)s->ns[i] * units / (double)all < 0.5;
		kept[i] = small ? 0 : s->ns[i];
		sum += kept[i];
		out[i] = 0;
	}
	for (int i = 0; i < CELL_STATES; i++)
		for (; missing(kept[i], sum, units, out[i] + 1) >= 0 && kept[i]; dealt++)
			out[i]++;
	while (dealt < units) {
		int most = -1;
		for (int i = CELL_STATES - 1; i >= 0; i--)
			if (kept[i] && !more[i]
				&& (most < 0
					|| missing(kept[i], sum, units, out[i])
						>= missing(kept[most], sum, units, out[most])))
				most = i;
		assert_true(most >= 0);
		more[most] = true;
		out[most]++;
		dealt++;
	}
}

static void largest_remainder(void **state)
{
	(void)state;
	for (int i = 0; i < MANY; i++) {
		struct cell_shares s = any();
		int units = CELL_EIGHTHS * (1 + (int)dice(ROWS)), got[CELL_STATES], want[CELL_STATES];
		cells_share(&s, units, got);
		deal(&s, units, want);
		assert_memory_equal(got, want, sizeof got);
	}
}

static void nothing_and_all(void **state)
{
	struct cell_shares none = {0}, full;
	int units[CELL_STATES], sum = 0;
	struct cell_pair pair;
	(void)state;
	cells_share(&none, CELL_EIGHTHS, units);
	for (int i = 0; i < CELL_STATES; i++)
		sum += units[i];
	assert_int_equal(sum, 0);
	cells_pairs(&none, 1, &pair);
	assert_int_equal(pair.low, pair.high);
	for (int i = 0; i < CELL_STATES; i++)
		full.ns[i] = UINT64_MAX;
	cells_share(&full, 2 * CELL_EIGHTHS, units);
	for (int i = 0; i < CELL_STATES; i++)
		sum += units[i];
	assert_int_equal(sum, 2 * CELL_EIGHTHS);
	assert_int_equal(cells_eighths(UINT64_MAX, 1), CELL_EIGHTHS);
	assert_int_equal(cells_eighths(1, 0), 0);
}

/* --- one row ------------------------------------------------------------------------------------------------------- */

static void one_row(void **state)
{
	(void)state;
	for (int i = 0; i < MANY; i++) {
		struct cell_shares s = any();
		struct cell_pair pair;
		uint64_t all = 0, other = 0;
		s.ns[CELL_NM_MARK] = 0; /* of the lane that has no running */
		for (int k = 0; k < CELL_STATES; k++) {
			all += s.ns[k];
			other = k != CELL_RUN && s.ns[k] > other ? s.ns[k] : other;
		}
		if (all == 0)
			continue;
		cells_pairs(&s, 1, &pair);
		int want = (int)floor((double)s.ns[CELL_RUN] * CELL_EIGHTHS / (double)all + 0.5);
		int run = pair.low == CELL_RUN ? pair.eighths : 0;
		assert_int_equal(run, want);
		if (run < CELL_EIGHTHS)
			assert_int_equal(s.ns[pair.high], other);
		if (run > 0 && run < CELL_EIGHTHS)
			assert_int_equal(pair.tick, CELL_STATES);
	}
}

static struct cell_shares shares(uint64_t run, uint64_t major, uint64_t idle)
{
	return (struct cell_shares){.ns = {[CELL_RUN] = run, [CELL_MAJOR] = major, [CELL_IDLE] = idle}};
}

static void rare_is_a_tick(void **state)
{
	struct cell_shares s = shares(0, 4, 996);
	struct cell_pair pairs[2];
	(void)state;
	cells_pairs(&s, 1, pairs);
	assert_int_equal(pairs[0].low, CELL_IDLE);
	assert_int_equal(pairs[0].high, CELL_IDLE);
	assert_int_equal(pairs[0].tick, CELL_MAJOR);
	s = shares(0, 600, 400); /* it is what is seen */
	cells_pairs(&s, 1, pairs);
	assert_int_equal(pairs[0].high, CELL_MAJOR);
	assert_int_equal(pairs[0].tick, CELL_STATES);
	s = shares(400, 4, 596); /* no room for a third colour */
	cells_pairs(&s, 1, pairs);
	assert_int_equal(pairs[0].eighths, 3);
	assert_int_equal(pairs[0].high, CELL_IDLE);
	cells_pairs(&s, 2, pairs); /* but above it there is */
	assert_int_equal(pairs[0].low, CELL_RUN);
	assert_int_equal(pairs[0].eighths, 6);
	assert_int_equal(pairs[1].low, CELL_IDLE);
	assert_int_equal(pairs[1].tick, CELL_MAJOR);
	s = (struct cell_shares){.ns = {[CELL_MINOR] = 4, [CELL_IDLE] = 996}}; /* and what is frequent has none */
	cells_pairs(&s, 1, pairs);
	assert_int_equal(pairs[0].tick, CELL_STATES);
}

/* --- several rows -------------------------------------------------------------------------------------------------- */

/* The eighths of a column as a list: what each is by the units, and the two of each cell that have most of it. */
static void several_rows(void **state)
{
	(void)state;
	for (int i = 0; i < MANY; i++) {
		struct cell_shares s = any();
		int rows = 2 + (int)dice(ROWS - 1), units[CELL_STATES], list[ROWS * CELL_EIGHTHS], n = 0;
		struct cell_pair pairs[ROWS];
		cells_share(&s, rows * CELL_EIGHTHS, units);
		for (int k = 0; k < CELL_STATES; k++)
			for (int u = 0; u < units[k]; u++)
				list[n++] = k;
		assert_int_equal(n, rows * CELL_EIGHTHS);
		cells_pairs(&s, rows, pairs);
		for (int row = 0; row < rows; row++) {
			const int *cell = &list[row * CELL_EIGHTHS];
			int has[CELL_STATES] = {0}, kinds = 0, wrong = 0, kept, others = 0;
			for (int u = 0; u < CELL_EIGHTHS; u++)
				kinds += has[cell[u]]++ == 0;
			for (int u = 0; u < CELL_EIGHTHS; u++)
				wrong += cell[u] != (int)(u < pairs[row].eighths ? pairs[row].low : pairs[row].high);
			kept = has[pairs[row].low] + (pairs[row].low != pairs[row].high ? has[pairs[row].high] : 0);
			for (int k = 0; k < CELL_STATES; k++)
				if (k != (int)pairs[row].low && k != (int)pairs[row].high) {
					others += has[k];
					assert_true(has[k] <= has[pairs[row].low]);
					assert_true(has[k] <= has[pairs[row].high]);
				}
			assert_int_equal(kept + others, CELL_EIGHTHS);
			assert_int_equal(wrong, others); /* those of the two kept stay where they are */
			if (kinds <= 2)
				assert_int_equal(wrong, 0);
		}
	}
}

/* --- on the canvas ------------------------------------------------------------------------------------------------- */

static void drawn(void **state)
{
	struct canvas c = {0};
	struct cell_shares s = shares(400, 4, 596);
	struct cells to = {.c = &c, .y = 0, .rows = 2};
	(void)state;
	assert_int_equal(canvas_resize(&c, 2, 12), 0);
	cells_draw(&to, 0, &s);
	assert_int_equal(canvas_at(&c, 1, 0)->ch, 0x2586); /* 6 of 8 */
	assert_int_equal(canvas_at(&c, 1, 0)->fg, ST_RUN);
	assert_int_equal(canvas_at(&c, 1, 0)->bg, ST_IDLE);
	assert_int_equal(canvas_at(&c, 0, 0)->ch, 0x2594);
	assert_int_equal(canvas_at(&c, 0, 0)->fg, ST_MAJOR);
	assert_int_equal(canvas_at(&c, 0, 0)->bg, ST_IDLE);
	to.rows = 1;
	cells_draw_edge(&to, 1, CELL_ABSENT, CELL_RUN, 2);
	assert_int_equal(canvas_at(&c, 0, 1)->attr, ATTR_REVERSE);
	cells_draw_edge(&to, 2, CELL_IDLE, CELL_RUN, 0);
	assert_int_equal(canvas_at(&c, 0, 2)->bg, ST_RUN);
	cells_draw_edge(&to, 3, CELL_IDLE, CELL_RUN, 8);
	assert_int_equal(canvas_at(&c, 0, 3)->bg, ST_IDLE);
	s = shares(25, 50, 25);
	cells_draw_bar(&c, 1, 4, 8, &s);
	for (int x = 0; x < 8; x++)
		assert_int_equal(canvas_at(&c, 1, 4 + x)->bg, x < 2 ? ST_RUN : x < 6 ? ST_MAJOR : ST_IDLE);
	to.blank = true;
	s = shares(0, 0, 1);
	cells_draw(&to, 4, &s);
	assert_int_equal(canvas_at(&c, 0, 4)->bg, ST_PAGE);
	c.mono = true;
	to.blank = false;
	s = shares(300, 4, 696);
	cells_draw(&to, 5, &s);
	assert_int_equal(canvas_at(&c, 0, 5)->ch, ':');
	s = shares(600, 4, 396);
	cells_draw(&to, 5, &s);
	assert_int_equal(canvas_at(&c, 0, 5)->ch, '#');
	s = shares(10, 4, 986);
	cells_draw(&to, 5, &s);
	assert_int_equal(canvas_at(&c, 0, 5)->ch, '.');
	s = shares(100, 600, 300);
	cells_draw(&to, 5, &s);
	assert_int_equal(canvas_at(&c, 0, 5)->ch, 'M');
	canvas_free(&c);
}

/* Four capabilities, 100 ns: a collection of 20, with a sync of 10 before it, by two of them stops the other two. */
static void all_caps(void **state)
{
	const uint64_t ns[CAP_SHARES] = {[SHARE_RUN] = 120,
		[SHARE_IDLE] = 100,
		[SHARE_MINOR] = 30,
		[SHARE_MAJOR] = 8,
		[SHARE_WAIT] = 2,
		[SHARE_SYNC] = 40,
		[SHARE_STOPPED] = 40};
	struct cell_shares s = cells_of_caps(ns, 400);
	(void)state;
	assert_int_equal(s.ns[CELL_RUN], 120);
	assert_int_equal(s.ns[CELL_MINOR], 30);
	assert_int_equal(s.ns[CELL_MAJOR], 8);
	assert_int_equal(s.ns[CELL_WAIT], 2);
	assert_int_equal(s.ns[CELL_SYNC], 40);
	assert_int_equal(s.ns[CELL_STOPPED], 40);
	assert_int_equal(s.ns[CELL_IDLE], 160); /* one of them was not there for 60 */
	s = cells_of_caps(ns, 10);              /* figures that contradict each other */
	assert_int_equal(s.ns[CELL_IDLE], 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(largest_remainder),
		cmocka_unit_test(nothing_and_all),
		cmocka_unit_test(one_row),
		cmocka_unit_test(rare_is_a_tick),
		cmocka_unit_test(several_rows),
		cmocka_unit_test(drawn),
		cmocka_unit_test(all_caps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
