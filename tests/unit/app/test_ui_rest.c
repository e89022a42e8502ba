/* A growing log is examined again only after a rest: until then, findings and figures are those of an earlier state, and say so. */
#include "everything.h"
#include "jobs/bands_job.h"
#include "jobs/prof_job.h"
#include "jobs/rest.h"
#include "log/growing.h"
#include "paned.h"
#include "panes/query/query_pane.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/timeline.h"
#include "query/thread_shares.h"
#include "report/findings.h"

enum { MS = 1000000 };

/* The rests of works that end at about the same time add up. */
static void work_rests_for_nineteen_times_its_processor_time(void **state)
{
	(void)state;
	struct rest r = {.grows = true};
	assert_int_equal(rest_left_ms(&r, 0), 0);
	assert_false(r.awaited);
	rest_spend(&r, 40, 6000);
	assert_int_equal(rest_left_ms(&r, 6000), 19 * 40);
	assert_true(r.awaited);
	assert_int_equal(rest_left_ms(&r, 6000 + 19 * 40), 0);
	rest_spend(&r, 10, 6100);
	assert_int_equal(rest_left_ms(&r, 6100), 19 * 50 - 100);
	rest_spend(&r, 1, 9000);
	assert_int_equal(rest_left_ms(&r, 9000), 19);
	r.grows = false;
	assert_int_equal(rest_left_ms(&r, 9000), 0);
	r = (struct rest){.until_ms = INT64_MAX, .grows = true};
	rest_spend(&r, 1, 9000);
	assert_true(r.until_ms == INT64_MAX);
}

/* n collections of `ms`, one in each 50 ms; damaged: and an event that cannot be read. */
static struct evl_log *log_of(struct built *b, int n, uint64_t ms, bool damaged)
{
	enum { UNDECLARED = 9021 };
	*b = log_begin();
	block_begin(b, 0, 0);
	put(b, 1, EVL_CREATE_THREAD, "4", 1u);
	put(b, 2, EVL_RUN_THREAD, "4", 1u);
	for (uint64_t t = 0; t < (uint64_t)n * 50 * MS; t += 50 * MS)
		put_gc(b, t + 8 * MS, t + 10 * MS, t + (10 + ms) * MS, 0);
	put(b, (uint64_t)n * 50 * MS, EVL_USER_MARKER, "s", "end");
	if (damaged)
		add_number(b, UNDECLARED, 2);
	block_end(b, (uint64_t)n * 50 * MS);
	return walked(b);
}

static struct evl_log *log_of_gcs(struct built *b, int n) { return log_of(b, n, 10, false); }

/* As follow.c does. */
static void show(struct evl_log *log)
{
	struct evl_log *former = host.log;
	host.goes_on = host.model.growing;
	assert_true(panes_on_log_replaced(&host, log, false));
	host.goes_on = false;
	evl_close(former);
	paned_draw();
}

static void draw_until_answered(void)
{
	do
		paned_draw();
	while (host.found_until || panes_busy(&host));
}

static void begin(struct evl_log *log)
{
	paned_open(log, PANE_TIMELINE, 40, 160);
	host.wait_for_jobs = timeline_of(&host)->wait_for_jobs = false;
	host.model.live = host.model.growing = true;
	model_follow_end(&host.model);
	host.rest.until_ms = INT64_MAX;
}

static void end(struct built *bytes, int n)
{
	paned_close();
	evl_close(host.log);
	for (int i = 0; i < n; i++)
		free(bytes[i].data);
}

static void findings_of_a_growing_log_rest(void **state)
{
	(void)state;
	struct built bytes[3];
	begin(log_of_gcs(&bytes[0], 4));
	assert_seen("main problem, costs 20");
	show(log_of_gcs(&bytes[1], 8));
	assert_int_equal(host.found_until, 200 * MS);
	assert_seen("main problem as of 0.2");
	assert_true(host.rest.awaited);
	host.rest.until_ms = 0; /* the rest is over */
	draw_until_answered();
	assert_false(paned_has("as of"));
	host.rest.until_ms = INT64_MAX;
	show(log_of_gcs(&bytes[2], 16));
	assert_int_equal(host.found_until, 400 * MS);
	host.model.growing = false; /* the log has ended */
	draw_until_answered();
	assert_false(paned_has("as of"));
	host.wait_for_jobs = true;
	host.shown = PANE_STATS;
	paned_draw();
	assert_seen("total             800 ms");
	end(bytes, 3);
}

static void figures_of_a_growing_log_rest(void **state)
{
	(void)state;
	struct built bytes[3];
	begin(log_of_gcs(&bytes[0], 4));
	host.shown = PANE_STATS;
	draw_until_answered();
	host.rest.until_ms = INT64_MAX;
	show(log_of_gcs(&bytes[1], 8));
	show(log_of_gcs(&bytes[2], 16)); /* the first is still read */
	assert_seen("as of 0.2");
	assert_seen("total             200 ms");
	selection_set(&host.model.selection, 500 * MS, 700 * MS); /* another question: of the log that is shown */
	host.wait_for_jobs = true;
	paned_draw();
	assert_seen("range 200 ms");
	assert_seen("total             200 ms");
	assert_false(paned_has("as of"));
	end(bytes, 3);
}

/* While the timeline is shown, figures hold no earlier state of the log but that of their answer, whose names they show: when they
 * are shown again, they are of the latest one. */
static void figures_that_are_not_shown_hold_the_log_of_their_answer(void **state)
{
	(void)state;
	struct built bytes[3];
	struct evl_log *held = NULL;
	begin(log_of_gcs(&bytes[0], 4));
	draw_until_answered();
	for (int i = 1; i < 3; i++) {
		host.rest.until_ms = INT64_MAX;
		evl_hold(&held, host.log);
		show(log_of_gcs(&bytes[i], 4 << i));
		assert_seen("main problem as of 0.2");
		assert_int_equal(held->holds, i == 1); /* by nothing else */
	}
	evl_hold(&held, NULL);
	host.shown = PANE_STATS;
	do
		paned_draw();
	while (!paned_has("total             800 ms"));
	assert_false(paned_has("as of"));
	end(bytes, 3);
}

static struct evl_log *log_of_spans(struct built *b, unsigned n)
{
	*b = log_begin();
	block_begin(b, 0, 0);
	put_run(b, 2, 1);
	for (unsigned i = 0; i < n; i++) {
		uint64_t t = 10 + i * (uint64_t)MS;
		put(b, t, EVL_USER_MSG, "s", "START work");
		put_gc(b, t + 1000, t + 1100, t + 600000, 0);
		put(b, t + 700000, EVL_USER_MSG, "s", "STOP work");
	}
	put(b, n * (uint64_t)MS, EVL_USER_MARKER, "s", "end");
	block_end(b, n * (uint64_t)MS);
	return walked(b);
}

static void figures_come_that_take_longer_than_a_frame(void **state)
{
	enum { FEW = 20, MANY = 50000 };
	(void)state;
	struct built bytes[2];
	begin(log_of_spans(&bytes[0], FEW));
	draw_until_answered();
	show(log_of_spans(&bytes[1], MANY));
	host.shown = PANE_STATS;
	canvas_resize(&canvas, 100, 200);
	paned_draw();
	assert_seen("work"); /* of the log before */
	host.model.growing = false;
	host.wait_for_jobs = true;
	paned_draw();
	paned_draw();
	assert_seen("total            50.00 s");
	assert_false(paned_has("as of"));
	end(bytes, 2);
}

/* The finding about the time of collections is the second, then the fourth, and then none: its number is not kept, but what it
 * is. */
static void the_shown_finding_stays_while_others_come(void **state)
{
	(void)state;
	struct built bytes[3];
	begin(log_of_gcs(&bytes[0], 4));
	draw_until_answered();
	paned_key(ACT_NEXT_FINDING);
	paned_key(ACT_NEXT_FINDING);
	assert_seen("finding 2 of 4");
	assert_seen("48.0 ms (");
	const struct model_place at = host.model.at;
	host.rest.until_ms = 0;
	show(log_of(&bytes[1], 8, 10, true));
	draw_until_answered();
	assert_seen("finding 4 of 6");
	assert_seen("96.0 ms (");
	assert_int_equal(host.finding->id, FINDING_GC_SHARE);
	assert_int_equal(host.model.at.finding, 4);
	assert_true(host.model.at.t0 == at.t0 && host.model.at.t1 == at.t1);
	host.rest.until_ms = 0;
	show(log_of(&bytes[2], 1, 1, true)); /* another log in its place */
	draw_until_answered();
	assert_null(host.finding);
	assert_int_equal(host.model.at.finding, 0);
	end(bytes, 3);
}

/* Two threads that run in turn on two capabilities, in blocks of 10 ms: the first n. */
static struct built turns(int n)
{
	struct built b = log_begin();
	for (int i = 0; i < n; i++)
		for (uint16_t cap = 0; cap < 2; cap++) {
			uint64_t from = (uint64_t)i * 10 * MS;
			block_begin(&b, cap, from);
			for (uint64_t t = from; t < from + 10 * MS; t += MS) {
				put_run(&b, t, cap + 1u);
				put_stop(&b, t + MS / (2u + cap), cap + 1u, STOP_MVAR);
				put(&b, t + MS - 100, EVL_THREAD_WAKEUP, "42", 2u - cap, (unsigned)cap);
			}
			block_end(&b, from + 10 * MS);
		}
	return b;
}

static struct evl_log *snapshot(struct growing *g, const struct built *b)
{
	struct evl_log *log;
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	growing_use(g, log);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

/* The lanes are those that a reading of the window finds. */
static void expect_lanes(struct thread_job *job)
{
	enum { COLS = 512 };
	static struct thread_column got[COLS];
	const struct model *m = &host.model;
	const uint32_t ids[] = {1, 2};
	struct thread_shares want;
	struct thread_shares_ask ask = {
		.t0 = m->at.t0, .t1 = m->at.t1, .end = m->last + 1, .cols = m->cols, .ids = ids, .n_ids = 2};
	assert_int_equal(thread_shares_run(&want, host.log, &ask), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_true(thread_job_columns(job, ids[i], false, got, m->cols));
		for (int k = 0; k < m->cols; k++) {
			const struct thread_column *col = &want.columns[i * (size_t)m->cols + (size_t)k];
			assert_int_equal(got[k].known, col->known);
			if (col->known)
				assert_memory_equal(got[k].ns, col->ns, sizeof col->ns);
		}
	}
	thread_shares_free(&want);
}

static void lanes_of_threads_go_on(void **state)
{
	enum { FIRST = 40, STEPS = 12 };
	(void)state;
	struct built bytes[STEPS];
	struct growing *g = growing_new();
	for (int i = 0; i < STEPS; i++) {
		bytes[i] = turns(FIRST + i * i);
		struct evl_log *log = snapshot(g, &bytes[i]);
		if (i == 0)
			begin(log);
		else
			show(log);
		struct thread_job *job = timeline_of(&host)->lanes.job;
		do {
			host.rest.until_ms = 0;
			paned_draw();
		} while (thread_job_is_old(job));
		assert_true(thread_job_wait(job, -1));
		paned_draw();
		assert_true(model_is_whole(&host.model));
		assert_int_equal(host.model.at.t1 - host.model.at.t0,
			course_window(host.model.last + 1 - host.model.first, host.model.cols));
		expect_lanes(job);
	}
	host.model.growing = false;
	paned_draw();
	assert_int_equal(host.model.at.t1, host.model.last + 1);
	assert_true(thread_job_wait(timeline_of(&host)->lanes.job, -1));
	expect_lanes(timeline_of(&host)->lanes.job);
	paned_close();
	evl_close(host.log);
	growing_free(g);
	for (int i = 0; i < STEPS; i++)
		free(bytes[i].data);
}

static void draw_until_there_is_a_path(const struct timeline *t)
{
	do
		paned_draw();
	while (!t->lanes.path || !t->lanes.path->made || job_busy(t->works[JOB_PATH].job));
}

static void the_path_of_a_growing_log_rests(void **state)
{
	(void)state;
	struct built bytes[] = {turns(10), turns(20), turns(40)};
	struct growing *g = growing_new();
	begin(snapshot(g, &bytes[0]));
	struct timeline *t = timeline_of(&host);
	paned_key(ACT_PATH);
	draw_until_there_is_a_path(t);
	assert_true(t->lanes.path_until == UINT64_MAX);
	const uint64_t end = host.model.last + 1;
	host.rest.until_ms = INT64_MAX;
	show(snapshot(g, &bytes[1]));
	assert_int_equal(t->lanes.path_until, end);
	assert_true(t->lanes.path->ask.t1 < host.model.last);
	timeline_show_path(t, &(struct path_subject){.to = UINT64_MAX, .thread = 2}); /* another one is asked for */
	draw_until_there_is_a_path(t);
	assert_true(t->lanes.path_until == UINT64_MAX);
	host.rest.until_ms = INT64_MAX;
	show(snapshot(g, &bytes[2]));
	assert_true(t->lanes.path_until < host.model.last);
	host.rest.until_ms = 0; /* the rest is over */
	draw_until_there_is_a_path(t);
	assert_true(t->lanes.path_until == UINT64_MAX);
	paned_close();
	evl_close(host.log);
	growing_free(g);
	for (size_t i = 0; i < countof(bytes); i++)
		free(bytes[i].data);
}

/* n samples of a heap and a time profile, one in each 10 ms. */
static struct built sampled(int n)
{
	struct built b = log_begin();
	put_definitions(&b);
	block_begin(&b, 0, 10);
	put(&b, 10, EVL_CREATE_THREAD, "4", 1u);
	put_run(&b, 11, 1);
	for (int i = 1; i <= n; i++)
		put_samples(&b, (uint64_t)i * 10 * MS, (uint64_t)i * 1000);
	block_end(&b, (uint64_t)n * 10 * MS + 2);
	return b;
}

enum { SAMPLED = 4 };

/* Show the first of some logs, each twice as long as the one before, in a pane. */
static void begin_sampled(struct built *bytes, enum pane_kind pane)
{
	for (int i = 0; i < SAMPLED; i++)
		bytes[i] = sampled(20 << i);
	begin(walked(&bytes[0]));
	host.shown = pane;
}

static void end_sampled(struct built *bytes) { end(bytes, SAMPLED); }

/* Draw until a text is on the screen, or is no longer. */
static void draw_until(const char *text, bool there)
{
	do
		paned_draw();
	while (paned_has(text) != there);
}

static void the_heap_profile_of_a_growing_log_rests(void **state)
{
	(void)state;
	struct built bytes[SAMPLED];
	begin_sampled(bytes, PANE_HEAP);
	draw_until("20 samples", true);
	assert_false(paned_has("as of"));
	show(walked(&bytes[1]));
	assert_seen("as of 0.2");
	assert_seen("20 samples");
	assert_true(host.model.follow);
	host.rest.until_ms = 0;
	draw_until("40 samples", true);
	assert_false(paned_has("as of"));
	host.rest.until_ms = INT64_MAX;
	show(walked(&bytes[2]));
	assert_seen("as of 0.4");
	model_fit(&host.model, 100 * MS, 300 * MS, 0); /* the earlier state has this window */
	draw_until("as of 0.4", true);
	assert_seen("40 samples");
	model_fit(&host.model, 100 * MS, 600 * MS, 0); /* and not this one */
	draw_until("80 samples", true);
	assert_false(paned_has("as of"));
	host.shown = PANE_TIMELINE; /* a pane that is not seen holds no log */
	show(walked(&bytes[3]));
	host.shown = PANE_HEAP;
	draw_until("160 samples", true);
	end_sampled(bytes);
}

/* The columns of the lane that are known: as many as the samples of its log take. */
static void the_lane_of_bands_of_a_growing_log_rests(void **state)
{
	(void)state;
	struct built bytes[SAMPLED];
	begin_sampled(bytes, PANE_TIMELINE);
	struct timeline *t = timeline_of(&host);
	const struct timeline_work *w = &t->works[JOB_BANDS];
	do
		paned_draw();
	while (!t->plot.bands || w->resting.answered < 200 * MS);
	assert_int_equal(t->lanes.bands_until, 0);
	show(walked(&bytes[1]));
	while (!t->plot.bands || t->plot.bands->of.t1 != host.model.at.t1)
		paned_draw();
	assert_int_equal(t->lanes.bands_until, 200 * MS + 2);
	assert_int_equal(t->plot.bands->largest, 20 * 1500);
	show(walked(&bytes[2])); /* the first state is still held */
	assert_int_equal(t->lanes.bands_until, 200 * MS + 2);
	host.rest.until_ms = 0;
	while (t->lanes.bands_until || !t->plot.bands || t->plot.bands->largest != 80 * 1500)
		paned_draw();
	assert_ptr_equal(w->resting.log, host.log);
	assert_null(w->former);
	end_sampled(bytes);
}

static void figures_of_a_range_of_a_growing_log_rest(void **state)
{
	(void)state;
	struct built bytes[3];
	begin(log_of_gcs(&bytes[0], 4));
	const struct resting *r = &timeline_of(&host)->works[JOB_RANGE].resting;
	selection_set(&host.model.selection, 60 * MS, 220 * MS);
	draw_until("3 GCs", true);
	show(log_of_gcs(&bytes[1], 8));
	assert_seen("range as of 0.2");
	assert_seen("3 GCs");
	selection_set(&host.model.selection, 60 * MS, 190 * MS); /* another question */
	draw_until("range: ", true);
	assert_ptr_equal(r->log, host.log);
	host.rest.until_ms = INT64_MAX;
	show(log_of_gcs(&bytes[2], 16));
	assert_seen("range: "); /* all of it was there before */
	assert_ptr_not_equal(r->log, host.log);
	host.rest.until_ms = 0;
	while (r->log != host.log)
		paned_draw();
	end(bytes, 3);
}

/* The pane shows the samples of an earlier state until those of a later one are counted, and so do the lanes of the timeline. */
static void the_time_profile_of_a_growing_log_rests(void **state)
{
	(void)state;
	struct built bytes[SAMPLED];
	begin_sampled(bytes, PANE_PROF);
	const struct pane_profile *p = &host.profiles[PROF_CENTRES];
	draw_until("20 samples", true);
	assert_false(paned_has("as of"));
	show(walked(&bytes[1]));
	assert_seen("as of 0.2");
	assert_seen("20 samples");
	host.rest.until_ms = 0;
	do {
		paned_draw();
		assert_true(paned_has("20 samples") || paned_has("40 samples"));
	} while (!paned_has("40 samples"));
	assert_false(paned_has("as of"));
	assert_ptr_equal(p->log, host.log);
	host.rest.until_ms = INT64_MAX;
	host.shown = PANE_TIMELINE;
	draw_until("profile", true);
	show(walked(&bytes[2]));
	const struct model *m = &host.model;
	assert_int_equal(timeline_of(&host)->lanes.prof_until, 400 * MS + 2);
	assert_non_null(prof_job_axis(p->job, m->at.t0, m->at.t1, m->cols));
	host.shown = PANE_PROF;
	draw_until("as of 0.4", true);
	selection_set(&host.model.selection, 500 * MS, 600 * MS); /* later times are not in that state */
	draw_until("range 100 ms", true);
	while (paned_has("as of"))
		paned_draw();
	assert_seen("10 samples");
	host.shown = PANE_STATS; /* which needs none of it */
	show(walked(&bytes[3]));
	assert_null(p->job);
	assert_null(p->log);
	end_sampled(bytes);
}

/* A query ends on the log that it began with, and is asked again after a rest. */
static void queries_about_a_growing_log_rest(void **state)
{
	(void)state;
	struct built bytes[SAMPLED];
	begin_sampled(bytes, PANE_TIMELINE);
	paned_draw();
	assert_null(query_run(
		&host, "SELECT count(*) AS rows, 'x' AS x FROM events WHERE name = 'HEAP_PROF_SAMPLE_BEGIN'"));
	show(walked(&bytes[1]));
	draw_until("as of 0.2", true);
	draw_until("20  x", true);
	show(walked(&bytes[2]));
	assert_seen("as of 0.2");
	assert_seen("20  x");
	host.rest.until_ms = 0;
	draw_until("80  x", true);
	assert_false(paned_has("as of"));
	host.rest.until_ms = INT64_MAX;
	show(walked(&bytes[3]));
	assert_seen("as of 0.8");
	assert_null(query_run(&host, "")); /* asked again by the user */
	draw_until("160  x", true);
	assert_false(paned_has("as of"));
	end_sampled(bytes);
}

static void check_place(const struct model_place *place, enum finding_id id)
{
	const struct model_place at = host.model.at;
	host.model.at = *place;
	stats_update_finding(&host);
	assert_non_null(host.finding);
	assert_int_equal(host.finding->id, id);
	host.model.at = at;
	stats_update_finding(&host);
}

/* Undo, redo and the place before a jump lead to the findings that were shown there, whose numbers are others by now. */
static void undo_leads_to_the_same_finding_while_others_come(void **state)
{
	(void)state;
	enum finding_id shown[4];
	struct built bytes[3];
	begin(log_of_gcs(&bytes[0], 4));
	draw_until_answered();
	for (int i = 0; i < 4; i++) {
		paned_key(ACT_NEXT_FINDING);
		assert_non_null(host.finding);
		shown[i] = host.finding->id;
	}
	paned_key(ACT_UNDO);
	assert_int_equal(host.model.n_undo, 3);
	assert_int_equal(host.model.n_redo, 1);
	host.rest.until_ms = 0;
	show(log_of(&bytes[1], 8, 10, true));
	draw_until_answered();
	assert_int_equal(host.model.at.finding, 5);
	check_place(&host.model.before, shown[2]);
	for (int i = 1; i >= 0; i--) {
		paned_key(ACT_UNDO);
		assert_int_equal(host.finding->id, shown[i]);
	}
	for (int i = 1; i < 4; i++) {
		paned_key(ACT_REDO);
		assert_int_equal(host.finding->id, shown[i]);
	}
	host.rest.until_ms = 0;
	show(log_of(&bytes[2], 1, 1, true)); /* another log in its place, with the last only */
	draw_until_answered();
	assert_int_equal(host.finding->id, shown[3]);
	for (int i = 0; i < 3; i++) {
		paned_key(ACT_UNDO);
		assert_null(host.finding);
	}
	assert_int_equal(host.model.redo[0].finding, host.findings);
	end(bytes, 3);
}

static void a_query_may_replace_one_that_still_reads_an_earlier_log(void **state)
{
	(void)state;
	struct built bytes[SAMPLED];
	begin_sampled(bytes, PANE_QUERY);
	paned_draw();
	assert_null(query_run(
		&host, "SELECT count(*) FROM events a, events b, events c WHERE a.t_ns + b.t_ns + c.t_ns > 1"));
	show(walked(&bytes[1]));
	assert_null(query_run(&host, "SELECT 1234 AS one"));
	draw_until("1234", true);
	end_sampled(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_rests_for_nineteen_times_its_processor_time),
		cmocka_unit_test(findings_of_a_growing_log_rest),
		cmocka_unit_test(figures_of_a_growing_log_rest),
		cmocka_unit_test(figures_that_are_not_shown_hold_the_log_of_their_answer),
		cmocka_unit_test(figures_come_that_take_longer_than_a_frame),
		cmocka_unit_test(the_shown_finding_stays_while_others_come),
		cmocka_unit_test(undo_leads_to_the_same_finding_while_others_come),
		cmocka_unit_test(lanes_of_threads_go_on),
		cmocka_unit_test(the_path_of_a_growing_log_rests),
		cmocka_unit_test(the_heap_profile_of_a_growing_log_rests),
		cmocka_unit_test(the_lane_of_bands_of_a_growing_log_rests),
		cmocka_unit_test(figures_of_a_range_of_a_growing_log_rest),
		cmocka_unit_test(the_time_profile_of_a_growing_log_rests),
		cmocka_unit_test(queries_about_a_growing_log_rest),
		cmocka_unit_test(a_query_may_replace_one_that_still_reads_an_earlier_log),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
