/* A profile's tree as rows: folding, walking, focus, what is found; and the job that makes it. */
#include "logs.h"

#include "jobs/other_log.h"
#include "jobs/prof_job.h"
#include "panes/prof/prof_rows.h"
#include "panes/prof/prof_whose.h"
#include "sched/thread_state.h"

#include <stdio.h>

/* main calls a 60 times of 100 and b 40; a calls deep 59 times and rare once; b is a leaf. */
static struct built family(void)
{
	static const struct {
		unsigned n, depth, stack[3];
	} samples[] = {{59, 3, {4, 2, 1}}, {1, 3, {5, 2, 1}}, {40, 2, {3, 1}}};
	static const char *const names[] = {"main", "a", "b", "deep", "rare"};
	struct built b = log_begin();
	uint64_t tick = 0;
	block_begin(&b, EVL_NO_CAP, 0);
	for (unsigned i = 0; i < countof(names); i++)
		put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", i + 1, names[i], 0u, "M", 0u, "M.hs:1:1", 0u, 0u);
	for (size_t s = 0; s < countof(samples); s++)
		for (unsigned i = 0; i < samples[s].n; i++, tick++) {
			size_t head = b.len;
			put(&b, 100 + tick, EVL_PROF_SAMPLE_COST_CENTRE, "481", 0u, tick + 1, samples[s].depth);
			for (unsigned d = 0; d < samples[s].depth; d++)
				add_number(&b, samples[s].stack[d], 4);
			patch(&b, head + 10, b.len - head - 12, 2);
		}
	block_end(&b, 1000);
	return b;
}

static struct evl_log *log_;
static struct built bytes;
static struct prof_job *job;
static struct prof_rows rows;

static void woken(void *ctx) { (void)ctx; }

static const struct prof_picture *picture_of(struct prof_ask ask)
{
	prof_job_ask(job, &ask);
	assert_true(prof_job_take(job, -1));
	assert_non_null(prof_job_picture(job));
	return prof_job_picture(job);
}

static struct prof_ask whole(enum prof_shape shape)
{
	return (struct prof_ask){.to = UINT64_MAX, .cap = PROF_ALL_CAPS, .shape = shape, .centre = PROF_NO_NAME};
}

static int begin(void **state)
{
	(void)state;
	bytes = family();
	log_ = walked(&bytes);
	job = prof_job_new(log_, PROF_CENTRES, woken, NULL);
	assert_non_null(job);
	assert_true(prof_rows_take(&rows, &picture_of(whole(PROF_TREE))->tree, false));
	return 0;
}

static int end(void **state)
{
	(void)state;
	prof_rows_free(&rows);
	prof_job_free(job);
	done(log_, &bytes);
	return 0;
}

static void expect(const char *label)
{
	uint32_t name = prof_rows_item(&rows, rows.selected)->name;
	struct evl_str got = prof_label(prof_job_names(job), name);
	if (!str_is(got, label))
		fail_msg("%.*s is selected, not %s", (int)got.len, (const char *)got.p, label);
	assert_int_equal(rows.items[rows.at], rows.selected);
}

static void rows_are_walked(void **state)
{
	(void)state;
	assert_int_equal(rows.n, 6); /* MAIN main a deep rare b: rare has too little to be opened, but it is a leaf */
	expect("MAIN");
	prof_rows_move(&rows, 3);
	expect("deep");
	prof_rows_move(&rows, -100);
	expect("MAIN");
	prof_rows_move(&rows, INT64_MAX / 2);
	expect("b");
	assert_true(prof_rows_sibling(&rows, false));
	expect("a");
	assert_true(prof_rows_child(&rows));
	expect("deep");
	assert_false(prof_rows_child(&rows));
	assert_true(prof_rows_parent(&rows));
	assert_false(prof_rows_sibling(&rows, false));
	assert_true(prof_rows_sibling(&rows, true));
	expect("b");
}

static void what_is_folded_opens_for_the_selected(void **state)
{
	(void)state;
	struct prof_path path;
	prof_rows_move(&rows, 2);
	expect("a");
	assert_true(prof_rows_fold(&rows, false));
	assert_false(prof_rows_fold(&rows, false));
	assert_int_equal(rows.n, 4);
	prof_rows_heaviest(&rows);
	expect("deep");
	assert_int_equal(rows.n, 6);
	prof_rows_path(&rows, rows.selected, &path);
	assert_int_equal(path.n, 3); /* main a deep */
	prof_rows_select(&rows, 0);
	assert_int_equal(prof_rows_find(&rows, &path), rows.items[3]);
	path.names[1] = PROF_NO_NAME;
	assert_int_equal(prof_rows_find(&rows, &path), rows.items[1]); /* as far as it goes */
}

static void focus_and_back(void **state)
{
	(void)state;
	prof_rows_move(&rows, 2);
	assert_true(prof_rows_focus(&rows));
	assert_int_equal(rows.n, 3); /* a deep rare */
	assert_false(prof_rows_focus(&rows));
	assert_false(prof_rows_parent(&rows));
	assert_true(prof_rows_unfocus(&rows));
	assert_false(prof_rows_unfocus(&rows));
	assert_int_equal(rows.n, 6);
	expect("a");
}

static void hits_are_gone_to(void **state)
{
	(void)state;
	bool found[16] = {0};
	for (uint32_t i = 0; i < prof_job_names(job)->n; i++)
		found[i] = str_is(prof_label(prof_job_names(job), i), "rare")
			|| str_is(prof_label(prof_job_names(job), i), "b");
	assert_int_equal(prof_rows_next(&rows, found, true), PROF_FOUND);
	expect("rare");
	assert_int_equal(prof_rows_next(&rows, found, true), PROF_FOUND);
	expect("b");
	assert_int_equal(prof_rows_next(&rows, found, true), PROF_FOUND_WRAPPED);
	expect("rare");
	assert_int_equal(prof_rows_next(&rows, found, false), PROF_FOUND_WRAPPED);
	expect("b");
	assert_int_equal(prof_rows_next(&rows, found, false), PROF_FOUND);
	expect("rare");
	for (uint32_t i = 0; i < prof_job_names(job)->n; i++)
		found[i] = found[i] && str_is(prof_label(prof_job_names(job), i), "b");
	assert_int_equal(prof_rows_next(&rows, found, true), PROF_FOUND);
	assert_int_equal(prof_rows_next(&rows, found, true), PROF_FOUND_ONLY);
	assert_int_equal(prof_rows_next(&rows, found, false), PROF_FOUND_ONLY);
	expect("b");
	memset(found, 0, sizeof found);
	assert_int_equal(prof_rows_next(&rows, found, true), PROF_FOUND_NONE);
	expect("b");
}

static void the_selected_row_is_scrolled_to(void **state)
{
	(void)state;
	prof_rows_move(&rows, 5);
	prof_rows_scroll(&rows, 3);
	assert_int_equal(rows.first, 3);
	prof_rows_move(&rows, -4);
	prof_rows_scroll(&rows, 3);
	assert_int_equal(rows.first, 1);
	prof_rows_scroll(&rows, 10);
	assert_int_equal(rows.first, 0);
}

/* The last question counts, whatever was in progress. */
static void the_job_answers_the_last(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct prof_ask ask = whole((enum prof_shape)(i % 3));
		ask.from = i % 7;
		ask.to = 100 + i % 50;
		prof_job_ask(job, &ask);
		prof_job_ask_axis(job, i % 5, 1000 + i, 10 + (int)i % 20);
		if (i % 10 == 0)
			prof_job_take(job, 0);
	}
	const struct prof_picture *p = picture_of(whole(PROF_FLAT));
	assert_int_equal(p->ask.shape, PROF_FLAT);
	assert_int_equal(p->total, 100);
	assert_false(prof_job_busy(job));
	prof_job_ask_axis(job, 0, 1000, 10);
	assert_true(prof_job_take(job, -1));
	const struct prof_axis *axis = prof_job_axis(job, 0, 1000, 10);
	assert_non_null(axis);
	assert_null(prof_job_axis(job, 0, 1000, 11));
	assert_int_equal(axis->n_lanes, 1);
	assert_int_equal(axis->samples[1], 100);
	prof_job_move_axis(job, 50, 1250, 4); /* columns of 300 ns, with the middles 200, 500, 800, 1100 */
	const struct prof_axis *moved = prof_job_axis(job, 50, 1250, 4);
	assert_non_null(moved);
	assert_ptr_equal(prof_job_axis(job, 0, 1000, 10), axis);
	for (int i = 0; i < 4; i++) {
		bool there = i < 3;
		assert_int_equal(moved->samples[i], there ? axis->samples[2 + 3 * i] : 0);
		assert_int_equal(moved->lanes[0].nodes[i], there ? axis->lanes[0].nodes[2 + 3 * i] : PROF_NO_NODE);
	}
	prof_job_move_axis(job, 100, 200, 2); /* columns with the middles 125 and 175, in that from 100 to 200 */
	assert_int_equal(prof_job_axis(job, 100, 200, 2)->samples[0], 100);
	assert_int_equal(prof_job_axis(job, 100, 200, 2)->samples[1], 100);
	prof_rows_free(&rows);
}

/* Rows belong to the picture that their pane took last, even if others use the job meanwhile. */
static void another_pane_leaves_the_picture(void **state)
{
	(void)state;
	const struct prof_picture *before = prof_job_picture(job);
	struct prof_ask ask = whole(PROF_BOTTOM_UP);
	prof_job_ask(job, &ask);
	prof_job_ask_axis(job, 0, 1000, 10);
	assert_true(prof_job_take_axis(job, -1));
	assert_non_null(prof_job_axis(job, 0, 1000, 10));
	assert_ptr_equal(prof_job_picture(job), before);
	assert_true(prof_job_news(job));
	assert_true(prof_job_take(job, -1));
	assert_int_equal(prof_job_picture(job)->ask.shape, PROF_BOTTOM_UP);
}

/* --- real logs ----------------------------------------------------------------------------------------------------- */

static uint64_t time_of(const struct evl_log *log, uint64_t from, uint64_t to, const char *only_text)
{
	struct whole_only only;
	struct whole_time w;
	uint64_t ns = 0;
	assert_int_equal(whole_only_parse(&only, only_text, NULL), 0);
	assert_int_equal(whole_time_make(&w, log, from, to, &only, NULL), 0);
	for (size_t i = 0; i < w.n; i++)
		ns += w.rows[i].ns;
	whole_only_free(&only);
	whole_time_free(&w);
	return ns;
}

static const struct prof_item *child(const struct prof_picture *p, uint32_t of, const char *name)
{
	for (uint32_t i = p->tree.items[of].child; i; i = p->tree.items[i].next)
		if (str_is(prof_label(&p->names, p->tree.items[i].name), name))
			return &p->tree.items[i];
	return NULL;
}

static bool is_mapped(const char *path)
{
	char line[512];
	bool found = false;
	FILE *maps = fopen("/proc/self/maps", "r");
	assert_non_null(maps);
	while (fgets(line, sizeof line, maps))
		found = found || strstr(line, path);
	fclose(maps);
	return found;
}

/* A thread's time in both ranges; in another log that of the threads of its label. And logs are closed when they are no longer
 * compared with. */
static void whole_time_is_compared(void **state)
{
	static const char path[] = "tests/logs/9.0.2-quarry-p-N2.eventlog",
			  second[] = "tests/logs/9.6.6-profmix-p.eventlog";
	(void)state;
	struct evl_log *log = walked_file("tests/logs/9.0.2-shares-p.eventlog");
	struct prof_job *own = prof_job_new(log, PROF_CENTRES, woken, NULL);
	struct prof_ask ask = whole(PROF_TREE);
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	ask.whole = ask.compares = true;
	ask.order = PROF_BY_CHANGE;
	ask.base_from = first;
	ask.base_to = first + (last - first) / 2;
	prof_job_ask(own, &ask);
	assert_true(prof_job_take(own, -1));
	const struct prof_picture *p = prof_job_picture(own);
	assert_int_equal(p->total, time_of(log, 0, UINT64_MAX, ""));
	assert_int_equal(p->base_total, time_of(log, ask.base_from, ask.base_to, ""));
	const struct prof_item *worker = child(p, 0, "6 worker");
	assert_non_null(worker);
	assert_int_equal(worker->incl, time_of(log, 0, UINT64_MAX, "label~worker"));
	assert_int_equal(worker->base_incl, time_of(log, ask.base_from, ask.base_to, "label~worker"));

	struct other_log *others[] = {other_log_open(path, woken, NULL), other_log_open(second, woken, NULL)};
	const struct evl_log *other = other_log_get(others[0], -1);
	assert_non_null(other);
	ask.other = others[0];
	prof_job_ask(own, &ask);
	assert_true(prof_job_take(own, -1));
	p = prof_job_picture(own);
	assert_int_equal(p->base_total, time_of(other, 0, UINT64_MAX, ""));
	const struct prof_item *timer = child(p, 0, "TimerManager");
	assert_non_null(timer);
	assert_int_equal(timer->incl, time_of(log, 0, UINT64_MAX, "label=TimerManager"));
	assert_int_equal(timer->base_incl, time_of(other, 0, UINT64_MAX, "label=TimerManager"));
	assert_true(timer->base_incl > 0);

	other_log_drop(others[0]);
	assert_true(is_mapped(path)); /* it is shown */
	assert_non_null(other_log_get(others[1], -1));
	ask.whole = false;
	ask.other = others[1];
	prof_job_ask(own, &ask);
	assert_true(prof_job_take(own, -1));
	assert_false(is_mapped(path));
	ask.compares = false;
	ask.other = NULL;
	prof_job_ask(own, &ask);
	assert_true(prof_job_take(own, -1));
	other_log_drop(others[1]);
	assert_false(is_mapped(second));
	prof_job_free(own);
	evl_close(log);
}

/* Each row's time is that of the samples that it picks. Return the number of rows of spans. */
static uint64_t expect_times(const struct evl_log *log)
{
	struct table_range of = {.log = log, .to = UINT64_MAX};
	const struct table_kind *kind = prof_whose.kind;
	void *list = table_list_new(kind, &of);
	struct buf scratch = {0};
	uint64_t spans = 0;
	assert_int_equal(kind->make(list, false, NULL), 0);
	assert_true(kind->count(list) > 5);
	for (uint64_t i = 0; i < kind->count(list); i++) {
		struct evl_str only = kind->cell(list, i, WHOSE_ONLY, &scratch).text;
		uint64_t ns = kind->cell(list, i, WHOSE_TIME, &scratch).count,
			 run = kind->cell(list, i, WHOSE_RUN, &scratch).count;
		char text[WHOLE_ONLY_TEXT] = "";
		if (i)
			snprintf(text, sizeof text, "%.*s", (int)only.len, (const char *)only.p);
		uint64_t picked = time_of(log, 0, UINT64_MAX, text);
		bool is_span = strncmp(text, "span", 4) == 0;
		spans += is_span;
		assert_true(run <= ns);
		if (is_span ? picked == 0 || picked > ns
			    : picked != ns) /* spans of a thread may be within each other */
			fail_msg("%s: %llu ns, not %llu", text, (unsigned long long)picked, (unsigned long long)ns);
	}
	buf_free(&scratch);
	table_list_free(kind, list);
	return spans;
}

/* Each is of two threads: none picks those of another. With a number of ns that no others add up to, and a span each. */
static void labels_are_taken_literally(void **state)
{
	static const char *const labels[] = {"a*b", "axxb", "Worker", "worker", "=x", "x", "what?", "whats", "c#", "c7",
		"say \"hi\"", "say ?hi?", "\"", "a (b) c", "w*-#1", "w*-#23", "wx-41", "wx-4#1", "W*-#1", "\\v^w"};
	struct built b = log_begin();
	uint64_t t = 10;
	(void)state;
	block_begin(&b, 0, t);
	for (unsigned i = 0; i < 2 * countof(labels); i++) {
		unsigned thread = i + 1;
		char text[64];
		put(&b, ++t, EVL_CREATE_THREAD, "4", thread);
		put(&b, t, EVL_THREAD_LABEL, "4s", thread, labels[i / 2]);
		put_run(&b, t, thread);
		snprintf(text, sizeof text, "START %s", labels[i / 2]);
		put(&b, t, EVL_USER_MSG, "s", text);
		snprintf(text, sizeof text, "STOP %s", labels[i / 2]);
		put(&b, t += (uint64_t)1 << (i / 2), EVL_USER_MSG, "s", text);
		put_stop(&b, t, thread, STOP_FINISHED);
	}
	block_end(&b, ++t);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_true(expect_times(log) > 5);
	done(log, &b);
}

static void the_list_has_what_it_picks(void **state)
{
	static const char *const names[] = {"9.0.2-quarry-p-N2", "9.0.2-shares-p"};
	(void)state;
	for (size_t l = 0; l < countof(names); l++) {
		char path[128];
		snprintf(path, sizeof path, "tests/logs/%s.eventlog", names[l]);
		struct evl_log *log = walked_file(path);
		for (int c = 0; c < prof_whose.kind->n_columns; c++)
			assert_int_equal(prof_whose.kind->columns[c].use, COLUMN_SHOWN); /* so that exports have them */
		assert_true(expect_times(log) > 3 || l);
		evl_close(log);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_are_walked, begin, end),
		cmocka_unit_test_setup_teardown(what_is_folded_opens_for_the_selected, begin, end),
		cmocka_unit_test_setup_teardown(focus_and_back, begin, end),
		cmocka_unit_test_setup_teardown(hits_are_gone_to, begin, end),
		cmocka_unit_test_setup_teardown(the_selected_row_is_scrolled_to, begin, end),
		cmocka_unit_test_setup_teardown(the_job_answers_the_last, begin, end),
		cmocka_unit_test_setup_teardown(another_pane_leaves_the_picture, begin, end),
		cmocka_unit_test(whole_time_is_compared),
		cmocka_unit_test(the_list_has_what_it_picks),
		cmocka_unit_test(labels_are_taken_literally),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
