/* A log whose blocks take long to find: until then its first blocks and its last are shown, every key works, and the real
 * log takes the place of the sketch without a jump. The hop waits in `wake` for as long as the test wants. */
#include "app/panes.h"
#include "index/indexer.h"
#include "jobs/event_job.h"
#include "logs.h"
#include "panes/timeline/timeline.h"

#include <semaphore.h>

enum { ROWS = 50, COLS = 160, BLOCKS = 6000, CAPS = 3 };

static sem_t sketched, go_on;
static atomic_bool released;
static struct pane_host host;
static struct canvas canvas;

static void nothing(void *ctx) { (void)ctx; }

static void wake(void *ctx)
{
	(void)ctx;
	if (atomic_load(&released))
		return;
	sem_post(&sketched);
	sem_wait(&go_on);
	atomic_store(&released, true);
}

/* The third capability comes at the end only. */
static struct built large(void)
{
	struct built b = log_begin();
	for (unsigned k = 0; k < BLOCKS; k++) {
		uint64_t t = 1000 + (uint64_t)k * 1000;
		block_begin(&b, k + 1 == BLOCKS ? CAPS - 1 : (uint16_t)(k % (CAPS - 1)), t);
		put_run(&b, t + 100, 1 + k % 7);
		put_stop(&b, t + 700, 1 + k % 7, 1);
		block_end(&b, t + 900);
	}
	log_end(&b);
	return b;
}

static struct evl_log *begun(const struct built *b)
{
	struct evl_log *log;
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	evl_never_wait(log, nothing, NULL);
	sem_init(&sketched, 0, 0);
	sem_init(&go_on, 0, 0);
	atomic_store(&released, false);
	assert_int_equal(evl_start(log, wake, NULL), 0);
	sem_wait(&sketched);
	assert_false(evl_progress(log).ready);
	return log;
}

static void draw(void)
{
	model_refresh(&host.model);
	panes_draw(&host, &canvas);
}

static void open_panes(struct evl_log *log)
{
	host = (struct pane_host){.log = log, .theme = THEME_DARK, .wake = nothing, .wait_for_jobs = true};
	model_init(&host.model, log);
	assert_true(panes_open(&host));
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
}

static void close_panes(void)
{
	panes_close(&host);
	canvas_free(&canvas);
}

static void assert_shown(const char *text, bool there)
{
	char *dump = canvas_dump(&canvas);
	assert_int_equal(strstr(dump, text) != NULL, there);
	free(dump);
}

/* The log without a sketch, at the same place. */
static char *as_opened(const struct built *b, const struct model_place *at)
{
	struct evl_log *log;
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	assert_int_equal(evl_start(log, nothing, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	open_panes(log);
	host.model.at = *at;
	draw();
	char *text = canvas_dump(&canvas);
	close_panes();
	evl_close(log);
	return text;
}

static void press_every_key(void)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n; i++) {
		if (!panes_act(&host, rows[i].action))
			continue;
		draw();
		host.shown = PANE_TIMELINE;
		host.prompt.open = host.split = false;
	}
}

static void is_looked_at_until_the_log_is_there(void **state)
{
	(void)state;
	struct built b = large();
	struct evl_log *log = begun(&b), *sketch = evl_shown(log);
	assert_ptr_not_equal(sketch, log);
	open_panes(log);
	assert_true(panes_on_log_replaced(&host, sketch, false));
	draw();
	assert_shown("cap 0", true);
	assert_shown("cap 2", true);
	assert_shown("finding blocks", true);
	assert_int_equal(host.model.last, 1000 + (BLOCKS - 1) * 1000 + 900);
	press_every_key();
	model_goto(&host.model, 2000000, 0);
	host.model.at = (struct model_place){.t0 = 2000000, .t1 = 2010000, .cursor = 2004000};
	struct model_place at = host.model.at;
	sem_post(&go_on);
	assert_int_equal(evl_wait(sketch), 0);
	assert_ptr_equal(evl_shown(sketch), log);
	assert_true(panes_on_log_replaced(&host, log, false));
	close_panes(); /* the keys left their traces */
	open_panes(log);
	host.model.at = at;
	draw();
	char *text = canvas_dump(&canvas);
	close_panes();
	evl_close(log);
	char *want = as_opened(&b, &at);
	assert_string_equal(text, want);
	free(text);
	free(want);
	free(b.data);
}

static void keeps_its_place(void **state)
{
	(void)state;
	struct built b = large();
	struct evl_log *log = begun(&b);
	open_panes(log);
	assert_true(panes_on_log_replaced(&host, evl_shown(log), false));
	draw();
	host.model.at = (struct model_place){.t0 = 3000000, .t1 = 3500000, .cursor = 3100000};
	sem_post(&go_on);
	assert_int_equal(evl_wait(log), 0);
	assert_true(panes_on_log_replaced(&host, evl_shown(host.log), false));
	draw();
	assert_int_equal(host.model.at.t0, 3000000);
	assert_int_equal(host.model.at.t1, 3500000);
	assert_int_equal(host.model.at.cursor, 3100000);
	assert_shown("finding", false);
	assert_shown("3 caps", true);
	close_panes();
	evl_close(log);
	free(b.data);
}

static void may_be_stopped(void **state)
{
	(void)state;
	struct built b = large();
	struct evl_log *log = begun(&b), *sketch = evl_shown(log);
	open_panes(log);
	assert_true(panes_on_log_replaced(&host, sketch, false));
	draw();
	evl_cancel(sketch);
	sem_post(&go_on);
	assert_int_equal(evl_wait(sketch), EVL_CANCELLED);
	struct evl_progress now = evl_progress(log);
	assert_true(now.done && now.ready && now.found < now.total);
	assert_ptr_equal(evl_shown(sketch), log);
	assert_true(panes_on_log_replaced(&host, log, false));
	draw();
	assert_shown("stopped at", true);
	press_every_key();
	close_panes();
	evl_close(log);
	free(b.data);
}

static void is_not_made_where_nobody_looks(void **state)
{
	(void)state;
	struct built b = large();
	struct evl_log *log = walked(&b);
	assert_ptr_equal(evl_shown(log), log);
	assert_null(atomic_load(&log->sketch));
	evl_close(log);
	free(b.data);
}

static void is_apart_until_its_log_is_read_again(void **state)
{
	(void)state;
	struct evl_log *log;
	assert_int_equal(evl_open(&log, "tests/screen/nested.eventlog", NULL), 0);
	evl_never_wait(log, nothing, NULL);
	assert_int_equal(evl_start(log, nothing, NULL), 0);
	assert_int_equal(indexer_wait(log->indexer), 0);
	assert_true(evl_misread(log));
	struct evl_log *sketch = evl_sketch(log);
	assert_non_null(sketch);
	struct evl_progress now = evl_progress(sketch);
	assert_true(now.total == 0 && !now.done);
	struct event_job *job = event_job_new(sketch, nothing, NULL);
	assert_non_null(job);
	event_job_ask(job, &(struct event_ask){.below = 10}); /* it asks for progress until its log is read */
	assert_int_equal(evl_read_again(log), 0);
	assert_true(evl_progress(sketch).total > 0);
	assert_int_equal(evl_wait(sketch), 0);
	assert_false(evl_misread(log));
	event_job_free(job);
	evl_close(sketch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_looked_at_until_the_log_is_there),
		cmocka_unit_test(keeps_its_place),
		cmocka_unit_test(may_be_stopped),
		cmocka_unit_test(is_not_made_where_nobody_looks),
		cmocka_unit_test(is_apart_until_its_log_is_read_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
