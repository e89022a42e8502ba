/* Columns that a window kept from the one before are those that it would have asked for. */
#include "logs.h"
#include "state/plot.h"

#include <math.h>

enum { COLS = 97, STEPS = 400 };

static uint32_t seed = 7;

static unsigned any(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

static void assert_as_new(struct plot *p, const struct model *m)
{
	struct plot fresh = {0};
	assert_true(plot_update(&fresh, m));
	for (size_t i = 0; i < p->n_caps; i++)
		assert_memory_equal(plot_cap(p, i), plot_cap(&fresh, i), (size_t)m->cols * sizeof(struct cap_column));
	for (enum heap_curve curve = HEAP_CURVE_LIVE; curve <= HEAP_CURVE_SIZE; curve++)
		assert_memory_equal(
			plot_heap(p, curve), plot_heap(&fresh, curve), (size_t)m->cols * sizeof(struct heap_column));
	assert_memory_equal(plot_allocated(p), plot_allocated(&fresh), (size_t)m->cols * sizeof(uint64_t));
	assert_memory_equal(p->gc, fresh.gc, (size_t)m->cols * sizeof *p->gc);
	plot_free(&fresh);
}

/* Pans near and far, to and fro, zooms, another width of the screen. */
static void move(struct model *m, int64_t now)
{
	unsigned what = any(12);
	if (what < 8)
		model_pan(m, what < 4 ? 1 : -1, 1 + (int)any(8), now);
	else if (what < 10)
		model_zoom(m, what == 8 ? 1 : 2, what == 8 ? 2 : 1, now);
	else if (what == 10)
		model_goto(m, m->first + (m->last - m->first) / 1000 * any(1000), now);
	else
		model_set_cols(m, COLS + (int)any(2));
}

static void kept_columns(void **state)
{
	const char *const logs[] = {"assets/bazaar.eventlog", "tests/logs/9.0.2-gcstorm-seqgc.eventlog",
		"tests/logs/9.10.3-gcstorm-N64.eventlog"};
	(void)state;
	for (size_t k = 0; k < countof(logs); k++) {
		struct evl_log *log = walked_file(logs[k]);
		struct model m;
		struct plot p = {0};
		int kept = 0;
		model_init(&m, log);
		model_set_cols(&m, COLS);
		model_zoom(&m, 1, 3, 0);
		for (int i = 0; i < STEPS; i++) {
			move(&m, 1000 * i);
			assert_true(plot_update(&p, &m));
			kept += p.before != NULL;
			assert_as_new(&p, &m);
		}
		assert_true(kept > STEPS / 8);
		plot_free(&p);
		evl_close(log);
	}
}

/* Tasks on each capability in each column: those with any stay that touches it. */
static void tasks_in_columns(void **state)
{
	static const char *const logs[] = {"assets/bazaar.eventlog", "tests/logs/9.6.6-boundherd.eventlog"};
	(void)state;
	for (size_t k = 0; k < countof(logs); k++) {
		struct evl_log *log = walked_file(logs[k]);
		struct model m;
		struct plot p = {0};
		size_t found = 0;
		model_init(&m, log);
		model_set_cols(&m, COLS);
		assert_true(plot_update(&p, &m));
		const uint8_t(*got)[PLOT_TASK_CAPS + 1] = plot_tasks(&p);
		for (int i = 0; i < m.cols; i++)
			for (uint16_t cap = 0; cap <= PLOT_TASK_CAPS && got[i][0] != UINT8_MAX; cap++) {
				uint64_t from = model_edge(&m, i), to = model_edge(&m, i + 1), n = 0;
				for (size_t t = 0; t < tasks_count(&log->tasks); t++) {
					const struct task *task = tasks_at(&log->tasks, t);
					uint64_t died = atomic_load(&((struct task *)(uintptr_t)task)->died);
					bool is = false;
					for (size_t j = 0; j < rows_count(&task->moves); j++) {
						const struct task_move *now = rows_at(&task->moves, j);
						uint64_t end = j + 1 < rows_count(&task->moves)
							? ((const struct task_move *)rows_at(&task->moves, j + 1))->t
							: died ? died
							       : UINT64_MAX;
						uint64_t begin = j ? now->t : task->born;
						uint16_t on = task->roams ? PLOT_TASK_CAPS : now->cap;
						is = is || (on == cap && begin < to && end > from);
					}
					n += is;
				}
				assert_int_equal(got[i][cap], n);
				found += n;
			}
		assert_true(found > 0);
		plot_free(&p);
		evl_close(log);
	}
}

/* Half of 400 capabilities run for 292 years: sums over them exceed 64 bits, their shares are those of a short run. */
static void sums_over_many_long_columns(void **state)
{
	enum { CAPS = 400, GROUP = CAPS / 8, LAST = 30 };
	(void)state;
	for (int shift = 0; shift <= 58; shift += 58) {
		struct built b = log_begin();
		struct model m;
		struct plot p = {0};
		double running;
		for (unsigned cap = 0; cap < CAPS; cap++) {
			uint64_t to = cap % 2 ? 2 : LAST;
			block_begin(&b, (uint16_t)cap, 0);
			put_run(&b, 0, cap + 1);
			put_stop(&b, to << shift, cap + 1, 7);
			put(&b, (uint64_t)LAST << shift, EVL_REQUEST_SEQ_GC, "");
			block_end(&b, (uint64_t)LAST << shift);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		model_init(&m, log);
		model_set_cols(&m, 10);
		assert_true(plot_update(&p, &m));
		const struct plot_group *busy = plot_busy(&p, GROUP), *group = plot_group(&p, 1, GROUP);
		for (int i = 1; i < m.cols - 1; i++) {
			double width = (double)plot_group_width(&p, i);
			assert_true(fabs((double)busy[i].ns[SHARE_RUN] / width - CAPS / 2) < 0.1);
			assert_true(fabs((double)group[i].ns[SHARE_RUN] / width - GROUP / 2) < 0.1);
		}
		assert_true(plot_running(&p, GROUP, 2 * GROUP, &running));
		assert_true(fabs(running - GROUP / 2 * (1 + 2.0 / LAST)) < 1);
		plot_free(&p);
		done(log, &b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_columns),
		cmocka_unit_test(tasks_in_columns),
		cmocka_unit_test(sums_over_many_long_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
