/* Columns of curves: heights, two parts in a cell, what is left without colours. */
#include "draw/bars.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 3, COLS = 12 };

static struct canvas grid(void)
{
	struct canvas c = {0};
	assert_int_equal(canvas_resize(&c, ROWS, COLS), 0);
	return c;
}

static void heights(void **state)
{
	struct canvas c = grid();
	struct bars b = {&c, 0, ROWS};
	(void)state;
	assert_int_equal(bars_height(&b, 0, 100), 0);
	assert_int_equal(bars_height(&b, 1, 1000000), 1); /* hardly anything is not nothing */
	assert_int_equal(bars_height(&b, 50, 100), 12);
	assert_int_equal(bars_height(&b, 100, 100), 24);
	assert_int_equal(bars_height(&b, 200, 100), 24);
	assert_int_equal(bars_height(&b, 5, 0), 0);
	assert_int_equal(bars_height(&b, UINT64_MAX, UINT64_MAX), 24);
	canvas_free(&c);
}

/* Column x holds what its index says: the front up to x, the back up to 20 eighths. */
static void parts(void **state)
{
	struct canvas c = grid();
	struct bars b = {&c, 0, ROWS};
	(void)state;
	bars_draw(&b, 0, 0, ST_LIVE, 0, ST_SIZE);
	bars_draw(&b, 1, 4, ST_LIVE, 0, ST_SIZE);
	bars_draw(&b, 2, 4, ST_LIVE, 20, ST_SIZE);
	bars_draw(&b, 3, 24, ST_LIVE, 24, ST_SIZE);
	bars_draw(&b, 4, 0, ST_LIVE, 12, ST_SIZE);
	bars_draw(&b, 5, 1, ST_LIVE, 2, ST_SIZE); /* three parts in one cell: the page is more than the back */
	assert_int_equal(canvas_at(&c, 2, 0)->bg, ST_PAGE);
	assert_int_equal(canvas_at(&c, 2, 1)->ch, 0x2584);
	assert_int_equal(canvas_at(&c, 2, 1)->bg, ST_PAGE);
	assert_int_equal(canvas_at(&c, 2, 2)->fg, ST_LIVE);
	assert_int_equal(canvas_at(&c, 2, 2)->bg, ST_SIZE);
	assert_int_equal(canvas_at(&c, 1, 2)->bg, ST_SIZE);
	assert_int_equal(canvas_at(&c, 0, 2)->fg, ST_SIZE);
	assert_int_equal(canvas_at(&c, 0, 2)->ch, 0x2584);
	for (int row = 0; row < ROWS; row++)
		assert_int_equal(canvas_at(&c, row, 3)->bg, ST_LIVE);
	assert_int_equal(canvas_at(&c, 0, 4)->bg, ST_PAGE);
	assert_int_equal(canvas_at(&c, 1, 4)->fg, ST_SIZE);
	assert_int_equal(canvas_at(&c, 2, 5)->fg, ST_LIVE);
	assert_int_equal(canvas_at(&c, 2, 5)->bg, ST_PAGE);
	canvas_free(&c);
}

static void without_colours(void **state)
{
	struct canvas c = grid();
	struct bars b = {&c, 0, ROWS};
	(void)state;
	c.mono = true;
	bars_draw(&b, 0, 4, ST_LIVE, 16, ST_SIZE);
	assert_int_equal(canvas_at(&c, 2, 0)->ch, 0x2584);
	assert_int_equal(canvas_at(&c, 2, 0)->bg, ST_PAGE);
	assert_int_equal(canvas_at(&c, 1, 0)->ch, 0x2592);
	assert_int_equal(canvas_at(&c, 0, 0)->ch, ' ');
	c.ascii = true;
	bars_draw(&b, 1, 4, ST_LIVE, 16, ST_SIZE);
	assert_int_equal(canvas_at(&c, 1, 1)->ch, ':');
	assert_true(canvas_at(&c, 2, 1)->ch > ' ' && canvas_at(&c, 2, 1)->ch < 127);
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heights),
		cmocka_unit_test(parts),
		cmocka_unit_test(without_colours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
