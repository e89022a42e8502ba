/* Tables on the screen: order, filter, moves through very many rows, jumps to a row; and the job of the table. */
#include "logs.h"
#include "tables/table_view.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 100000, SCREEN = 20, HEADERS = 2, WIDE = 120 };
enum { ID, LENGTH, NAME, AT, LATE, COLUMNS };

/* A table that counts how often it is asked. */
struct fake {
	struct table_range of;
	bool deep;
};
static atomic_uint cells;

static const struct table_column columns[COLUMNS] = {{.key = "id", .title = "id", .unit = UNIT_COUNT},
	{.key = "length", .title = "length", .unit = UNIT_NS}, {.key = "name", .title = "name", .unit = UNIT_TEXT},
	{.key = "at", .title = "at", .unit = UNIT_MOMENT}, {.key = "late", .title = "late", .unit = UNIT_COUNT}};

/* A permutation of the rows. */
static uint64_t length_of(uint64_t ref) { return ref * 7919 % ROWS; }

static struct datum cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct fake *f = ctx;
	cells++;
	switch (column) {
	case ID: return cell_count(ref);
	case LENGTH: return cell_known(length_of(ref) != 77, length_of(ref));
	case AT: return cell_count(ref * 1000);
	case LATE: return cell_known(f->deep, ref);
	default:
		buf_cstr(scratch, ref % 2 ? "odd" : "even");
		return cell_text((struct evl_str){(const uint8_t *)scratch->p, scratch->len});
	}
}

static int make(void *ctx, bool deep, const struct progress *watch)
{
	(void)watch;
	((struct fake *)ctx)->deep = deep;
	return 0;
}

static size_t count_rows(const void *ctx)
{
	(void)ctx;
	return ROWS;
}

static const struct table_kind kind = {.name = "fake",
	.columns = columns,
	.n_columns = COLUMNS,
	.cell = cell,
	.count = count_rows,
	.size = sizeof(struct fake),
	.make = make};

static const struct table_source source = {
	.kind = &kind, .title = "rows", .none = "none", .sorted = LENGTH, .falling = true, .wide = -1, .at = AT};

static struct canvas canvas;

static void draw(struct table_view *v)
{
	canvas_clear(&canvas);
	table_view_draw(v, &canvas, 0, SCREEN + HEADERS, -1);
}

static void open_view(struct table_view *v, const struct table_source *of, const char *filter)
{
	assert_int_equal(canvas_resize(&canvas, SCREEN + HEADERS, WIDE), 0);
	assert_true(table_view_open(v, of, &(struct table_range){.log = NULL}, filter, NULL, NULL));
	draw(v);
}

static void close_view(struct table_view *v)
{
	table_view_close(v);
	canvas_free(&canvas);
}

static void press(struct table_view *v, enum action action)
{
	assert_true(table_view_act(v, action));
	draw(v);
}

static uint64_t here(const struct table_view *v)
{
	uint64_t ref = UINT64_MAX;
	assert_true(table_view_row(v, &ref));
	return ref;
}

static void assert_shown(const char *text)
{
	char *dump = canvas_dump(&canvas);
	assert_non_null(dump);
	if (!strstr(dump, text))
		fail_msg("“%s” is not in\n%s", text, dump);
	free(dump);
}

static void the_largest_is_first(void **state)
{
	(void)state;
	struct table_view v;
	open_view(&v, &source, "");
	assert_int_equal(length_of(here(&v)), ROWS - 1);
	press(&v, ACT_DOWN);
	assert_int_equal(length_of(here(&v)), ROWS - 2);
	press(&v, ACT_SORT);
	assert_int_equal(length_of(here(&v)), ROWS - 2); /* one stays on the row, not at the place */
	press(&v, ACT_START);
	assert_int_equal(length_of(here(&v)), 0);
	close_view(&v);
}

static void what_is_not_known_is_last_in_both_orders(void **state)
{
	(void)state;
	struct table_view v;
	open_view(&v, &source, "");
	press(&v, ACT_END);
	assert_int_equal(length_of(here(&v)), 77);
	press(&v, ACT_SORT);
	press(&v, ACT_END);
	assert_int_equal(length_of(here(&v)), 77);
	close_view(&v);
}

static void the_next_column_sorts(void **state)
{
	(void)state;
	struct table_view v;
	open_view(&v, &source, "");
	uint64_t ref = here(&v);
	press(&v, ACT_LOWER); /* by id */
	assert_int_equal(here(&v), ref);
	assert_int_equal(v.at, ref);
	press(&v, ACT_UP);
	assert_int_equal(here(&v), ref - 1);
	press(&v, ACT_LOWER); /* all the way round */
	assert_int_equal(v.ask.column, LATE);
	close_view(&v);
}

static void filters(void **state)
{
	(void)state;
	struct table_view v;
	struct evl_err err = {0};
	open_view(&v, &source, "odd");
	assert_int_equal(v.page.passed, ROWS / 2);
	assert_int_equal(v.page.all, ROWS);
	assert_int_equal(here(&v) % 2, 1);
	assert_int_equal(table_view_filter(&v, "id<10", &err), 0);
	draw(&v);
	assert_int_equal(v.page.passed, 10);
	assert_shown("10 match");
	assert_int_equal(table_view_filter(&v, "id<", &err), EVL_USAGE);
	assert_string_equal(v.ask.filter, "id<10");
	assert_int_equal(table_view_filter(&v, "id>1000000", &err), 0);
	draw(&v);
	assert_shown("no row matches the filter");
	uint64_t ref;
	assert_false(table_view_row(&v, &ref));
	close_view(&v);
}

static void enter_goes_to_the_moment_of_the_row(void **state)
{
	(void)state;
	struct table_view v;
	uint64_t t;
	open_view(&v, &source, "");
	press(&v, ACT_PAGE_DOWN);
	assert_true(table_view_moment(&v, &t));
	assert_int_equal(t, here(&v) * 1000);
	close_view(&v);
}

/* However many rows there are, a step decodes what is on the screen. */
static void a_step_reads_what_is_seen(void **state)
{
	(void)state;
	struct table_view v;
	open_view(&v, &source, "");
	press(&v, ACT_END);
	unsigned begin = cells;
	for (int i = 0; i < 100; i++) {
		unsigned before = cells;
		press(&v, ACT_PAGE_UP);
		assert_in_range(cells - before, 0, SCREEN * COLUMNS);
	}
	assert_true(cells > begin);
	assert_int_equal(v.at, ROWS - 1 - 100 * (SCREEN - 1));
	close_view(&v);
}

static void scrolls_columns_but_the_first(void **state)
{
	(void)state;
	struct table_view v;
	open_view(&v, &source, "");
	press(&v, ACT_RIGHT);
	assert_int_equal(v.first_column, 1); /* all are seen */
	assert_int_equal(canvas_resize(&canvas, SCREEN + HEADERS, 40), 0);
	draw(&v);
	press(&v, ACT_RIGHT);
	assert_int_equal(v.first_column, 2);
	assert_shown("id");
	press(&v, ACT_LEFT_HALF);
	assert_int_equal(v.first_column, 1);
	close_view(&v);
}

static void the_deep_table_takes_over(void **state)
{
	(void)state;
	struct table_source deep = source;
	struct table_view v;
	deep.deepens = "reading";
	open_view(&v, &deep, "");
	draw(&v);
	assert_null(v.deep);
	assert_true(v.page.deep);
	assert_int_equal(length_of(here(&v)), ROWS - 1);
	assert_true(table_page_cell(&v.page, 0, LATE)->known);
	close_view(&v);
}

/* After a move, the row stays selected. */
static void the_deep_table_is_shown_from_its_top(void **state)
{
	(void)state;
	struct table_source deep = source;
	struct table_view v;
	deep.deepens = "reading";
	deep.sorted = LATE;
	open_view(&v, &deep, "");
	draw(&v);
	assert_null(v.deep);
	assert_int_equal(v.at, 0);
	assert_int_equal(here(&v), ROWS - 1);
	close_view(&v);
}

static void what_is_stopped_leaves_what_was_there(void **state)
{
	(void)state;
	struct table_source deep = source;
	struct table_view v;
	deep.deepens = "reading";
	open_view(&v, &deep, "");
	uint64_t ref = here(&v);
	assert_true(table_view_act(&v, ACT_HIGHER));
	table_view_draw(&v, &canvas, 0, SCREEN + HEADERS, 0); /* it is not waited for */
	if (table_view_stop(&v)) {
		assert_int_equal(v.ask.column, LENGTH);
		assert_int_equal(here(&v), ref);
	}
	press(&v, ACT_DOWN);
	assert_int_not_equal(here(&v), ref);
	close_view(&v);
}

/* --- the job ------------------------------------------------------------------------------------------------------- */

struct gate {
	atomic_bool open;
};

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct gate *gate = ctx;
	while (!atomic_load(&gate->open) && !progress_cancelled(watch))
		;
	progress_tell(watch, 1);
	*(int *)answer = 2 * *(const int *)question;
}

static void the_last_question_is_answered(void **state)
{
	(void)state;
	static const struct answer_ops ops = {.question = sizeof(int), .answer = sizeof(int), .find = find};
	struct gate gate = {false};
	struct answer_job *job = job_new(&ops, &gate, NULL, NULL);
	int answer = 0;
	assert_non_null(job);
	job_ask(job, &(int){3});
	job_ask(job, &(int){4});
	assert_false(job_wait(job, 1));
	assert_true(job_busy(job));
	atomic_store(&gate.open, true);
	assert_true(job_wait(job, -1));
	assert_true(job_news(job));
	assert_true(job_take(job, &answer));
	assert_int_equal(answer, 8);
	assert_false(job_take(job, &answer));
	job_ask(job, &(int){4}); /* answered already */
	assert_false(job_busy(job));
	job_free(job);
}

static void what_is_stopped_can_be_asked_again(void **state)
{
	(void)state;
	static const struct answer_ops ops = {.question = sizeof(int), .answer = sizeof(int), .find = find};
	struct gate gate = {false};
	struct answer_job *job = job_new(&ops, &gate, NULL, NULL);
	int answer = 0;
	assert_non_null(job);
	assert_false(job_stop(job));
	job_ask(job, &(int){5});
	assert_true(job_stop(job));
	assert_true(job_wait(job, -1));
	assert_false(job_take(job, &answer));
	atomic_store(&gate.open, true);
	job_ask(job, &(int){5});
	assert_true(job_wait(job, -1));
	assert_true(job_take(job, &answer));
	assert_int_equal(answer, 10);
	job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_is_first),
		cmocka_unit_test(what_is_not_known_is_last_in_both_orders),
		cmocka_unit_test(the_next_column_sorts),
		cmocka_unit_test(filters),
		cmocka_unit_test(enter_goes_to_the_moment_of_the_row),
		cmocka_unit_test(a_step_reads_what_is_seen),
		cmocka_unit_test(scrolls_columns_but_the_first),
		cmocka_unit_test(the_deep_table_takes_over),
		cmocka_unit_test(the_deep_table_is_shown_from_its_top),
		cmocka_unit_test(what_is_stopped_leaves_what_was_there),
		cmocka_unit_test(the_last_question_is_answered),
		cmocka_unit_test(what_is_stopped_can_be_asked_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
