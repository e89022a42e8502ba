/* The selection: its ends, the columns it touches, its figures. */
#include "jobs/range_stats_job.h"
#include "logs.h"
#include "state/model.h"

enum { MESSAGES = 500, COLS = 100 };

static struct evl_log *log_;
static struct built bytes;

static int open_log(void **state)
{
	(void)state;
	bytes = log_begin();
	block_begin(&bytes, 0, 1000);
	put_run(&bytes, 1000, 1);
	put_stop(&bytes, 101000, 1, 3);
	put_gc(&bytes, 200000, 210000, 300000, 0);
	put(&bytes, 350000, EVL_USER_MARKER, "s", "here");
	put_gc(&bytes, 400000, 410000, 420000, 1);
	for (unsigned i = 0; i < MESSAGES; i++)
		put(&bytes, 500000 + 10 * (uint64_t)i, EVL_USER_MSG, "s", "hello");
	put(&bytes, 1000999, EVL_USER_MARKER, "s", "end");
	block_end(&bytes, 1000999);
	log_ = walked(&bytes);
	return 0;
}

static int close_log(void **state)
{
	(void)state;
	done(log_, &bytes);
	return 0;
}

static void ends(void **state)
{
	(void)state;
	struct selection s = {0};
	assert_false(selection_keep(&s));
	selection_begin(&s, 500);
	selection_move(&s, 300);
	assert_int_equal(selection_from(&s), 300);
	assert_int_equal(selection_to(&s), 500);
	assert_int_equal(selection_turn(&s), 500); /* the cursor is at the later end now */
	selection_move(&s, 700);
	assert_int_equal(selection_from(&s), 300);
	assert_int_equal(selection_to(&s), 700);
	assert_true(selection_keep(&s));
	selection_move(&s, 900); /* it is kept */
	assert_int_equal(selection_to(&s), 700);
	selection_begin(&s, 5);
	assert_false(selection_keep(&s)); /* empty */
	assert_false(s.on);
	selection_set(&s, 7, 7);
	assert_false(s.on);
}

static void columns(void **state)
{
	(void)state;
	struct model m;
	int from, to;
	model_init(&m, log_);
	model_set_cols(&m, COLS);
	assert_false(model_selected_cols(&m, &from, &to));
	selection_set(&m.selection, 11000, 21000); /* a column is 10 us */
	assert_true(model_selected_cols(&m, &from, &to));
	assert_int_equal(from, 1);
	assert_int_equal(to, 2);
	selection_set(&m.selection, 11000, 21001); /* one ns of the next one */
	assert_true(model_selected_cols(&m, &from, &to));
	assert_int_equal(to, 3);
	selection_set(&m.selection, 0, UINT64_MAX);
	assert_true(model_selected_cols(&m, &from, &to));
	assert_int_equal(from, 0);
	assert_int_equal(to, COLS);
	model_fit(&m, 500000, 600000, 0);
	selection_set(&m.selection, 1000, 2000);
	assert_false(model_selected_cols(&m, &from, &to));
}

static void wake(void *ctx) { atomic_fetch_add((atomic_int *)ctx, 1); }

/* The metrics of a range, if they are there within ms milliseconds. */
static bool get(struct answer_job *job, uint64_t from, uint64_t to, int ms, struct range_figures *out)
{
	const struct range_figures *f = job_answer(job, &(struct range_ask){from, to}, ms);
	if (!f || f->of.from != from || f->of.to != to)
		return false;
	*out = *f;
	return true;
}

static void figures(void **state)
{
	(void)state;
	atomic_int woken = 0;
	struct range_figures f;
	struct answer_job *job = range_stats_job_new(log_, wake, &woken);
	assert_non_null(job);
	assert_true(get(job, 51000, 350001, -1, &f));
	assert_int_equal(f.result, 0);
	assert_int_equal(f.stats.time.total, 299001);
	assert_int_equal(f.stats.time.mutator, 50000);
	assert_int_equal(f.stats.time.sync, 10000);
	assert_int_equal(f.stats.time.gc, 90000);
	assert_int_equal(f.stats.pauses.n, 1);
	assert_int_equal(f.stats.pauses.max, 100000);
	assert_int_equal(f.markers, 1);
	assert_int_equal(f.messages, 0);
	assert_false(job_news(job)); /* it was taken */
	assert_int_equal(woken, 1);
	assert_true(get(job, 350000, 500050, -1, &f)); /* half-open at both ends */
	assert_int_equal(f.markers, 1);
	assert_int_equal(f.messages, 5);
	assert_int_equal(f.stats.pauses.n, 1);
	job_free(job);
}

static void can_be_cancelled(void **state)
{
	(void)state;
	struct run_stats s;
	atomic_bool cancel = true;
	assert_int_equal(evl_stats(log_, 1000, 900000, &cancel, &s), EVL_CANCELLED);
	cancel = false;
	assert_int_equal(evl_stats(log_, 1000, 900000, &cancel, &s), 0);
}

/* Only the last of many ranges is answered, whatever the thread was doing. */
static void the_last_ask_counts(void **state)
{
	(void)state;
	atomic_int woken = 0;
	struct range_figures f;
	struct answer_job *job = range_stats_job_new(log_, wake, &woken);
	for (uint64_t i = 1; i < 200; i++)
		if (get(job, 1000, 1000 + 1000 * i, 0, &f))
			assert_int_equal(f.stats.time.total, 1000 * i);
	assert_true(get(job, 1000, 2000, -1, &f));
	assert_int_equal(f.stats.time.total, 1000);
	assert_false(job_busy(job));
	get(job, 1000, 900000, 0, &f);
	job_free(job); /* with one in progress */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test_setup_teardown(columns, open_log, close_log),
		cmocka_unit_test_setup_teardown(figures, open_log, close_log),
		cmocka_unit_test_setup_teardown(can_be_cancelled, open_log, close_log),
		cmocka_unit_test_setup_teardown(the_last_ask_counts, open_log, close_log),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
