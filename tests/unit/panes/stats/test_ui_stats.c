/* The boxes of the pane of figures: their places on screens of all widths, and that every row is reached. */
#include "cap_events.h"
#include "export/export_list.h"
#include "panes/stats/diff_view.h"
#include "panes/stats/span_groups.h"
#include "panes/stats/stats_boxes.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"
#include "sched/caps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct fixture {
	struct evl_log *log;
	struct stats_answer answer;
	struct stats_heat heat;
	struct stats_data data;
};

static void answer_range(struct fixture *x, struct evl_log *log, uint64_t from, uint64_t to)
{
	*x = (struct fixture){.log = log};
	struct answer_job *job = stats_job_new(x->log, NULL, NULL);
	assert_non_null(job);
	job_ask(job, &(struct stats_ask){.from = from, .to = to, .deep = 1});
	assert_true(job_wait(job, -1));
	assert_true(job_take(job, &x->answer));
	job_free(job);
	assert_true(x->answer.made);
	x->data = (struct stats_data){x->log, &x->answer, &x->answer.figures, &x->heat, 0};
}

static void answer(struct fixture *x, struct evl_log *log) { answer_range(x, log, 0, UINT64_MAX); }

static void open_fixture(struct fixture *x, const char *path)
{
	struct evl_err err;
	struct evl_log *log;
	assert_int_equal(evl_open(&log, path, &err), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	answer(x, log);
}

static void close_fixture(struct fixture *x)
{
	stats_answer_free(&x->answer);
	evl_close(x->log);
}

static bool overlap(const struct stats_box *a, const struct stats_box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->rows + 1
		&& b->y < a->y + a->rows + 1;
}

static const char *const logs[] = {"tests/logs/9.6.6-nonmover-N2.eventlog", "tests/logs/9.10.3-gcstorm-N64.eventlog",
	"tests/logs/9.10.3-conczoo-nothing.eventlog", "tests/logs/hostile.eventlog"};

static void boxes_do_not_overlap(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		open_fixture(&x, logs[i]);
		for (int cols = 20; cols < 300; cols += 7) {
			struct stats_boxes b = {.goal_x = 1};
			stats_boxes_layout(&b, &x.data, cols, 40);
			for (int k = 0; k < STATS_SECTIONS; k++) {
				assert_true(b.items[k].x + b.items[k].width < cols);
				for (int m = 0; m < k; m++)
					assert_false(overlap(&b.items[k], &b.items[m]));
			}
		}
		close_fixture(&x);
	}
}

/* Down from the top, in one column, comes by every row once. */
static size_t continued_rows(const struct stats_box *box)
{
	size_t n = 0;
	for (int row = 1; row < box->rows && row < BOX_CONTINUED; row++)
		n += box->continued[row];
	return n;
}

/* Boxes without rows are lines at the end of the page, one after the other, that say why: one for each reason. */
static void boxes_without_rows_are_lines_at_the_end(void **state)
{
	(void)state;
	static const char *const nothing[] = {
		" PAUSES, LONGEST PAUSES, GC, HEAP, MMU, SYNC DELAYS, PAUSE HEAT  not recorded (+RTS -lg)\n",
		" CAPS, THREADS, BLOCKED, CAPS RUNNING AT ONCE  not recorded (+RTS -ls)\n",
		" SPARKS                not recorded (+RTS -lp)\n",
		" DAMAGE                none: the log was read to its end marker\n"};
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		struct canvas c = {0};
		struct stats_boxes b = {.goal_x = 1};
		int end = 0, lines = 0;
		open_fixture(&x, logs[i]);
		assert_int_equal(canvas_resize(&c, 400, 160), 0);
		stats_boxes_layout(&b, &x.data, 160, 400);
		stats_boxes_draw(&b, &x.data, &c, 0);
		for (int k = 0; k < STATS_SECTIONS; k++) {
			const struct stats_box *box = &b.items[k];
			lines += box->missing && box->rows == 0;
			end = !box->missing && box->y + box->rows + 2 > end ? box->y + box->rows + 2 : end;
		}
		assert_int_equal(b.height, end + lines);
		for (int k = 0, y = end; k < STATS_SECTIONS; k++) {
			assert_int_equal(b.items[k].missing, b.items[k].rows <= 0);
			if (b.items[k].missing && b.items[k].rows == 0)
				assert_int_equal(b.items[k].y, y++);
			else if (b.items[k].missing) /* in the line of another */
				assert_true(b.items[k].y < y);
		}
		char *text = canvas_dump(&c);
		assert_non_null(text);
		for (size_t k = 0; k < countof(nothing) && i == 2; k++)
			assert_non_null(strstr(text, nothing[k]));
		free(text);
		canvas_free(&c);
		close_fixture(&x);
	}
}

/* Only the lines after the first of an entry are indented. */
static void entries_begin_at_the_edge(void **state)
{
	static const int wrapped[] = {STATS_summary, STATS_findings};
	size_t met = 0;
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		struct canvas c = {0};
		struct stats_boxes b = {.goal_x = 1};
		open_fixture(&x, logs[i]);
		assert_int_equal(canvas_resize(&c, 400, 80), 0);
		stats_boxes_layout(&b, &x.data, 80, 400);
		stats_boxes_draw(&b, &x.data, &c, 0);
		for (size_t k = 0; k < countof(wrapped); k++) {
			const struct stats_box *box = &b.items[wrapped[k]];
			for (int row = 0; row < box->rows && !box->missing; row++) {
				bool blank = true;
				for (int col = 0; col < 3; col++)
					blank = blank && canvas_at(&c, box->y + 1 + row, box->x + col)->ch == ' ';
				assert_int_equal(box->continued[row], blank);
				met += blank;
			}
		}
		for (int y = 0; y < 400; y++) /* a click on any line of an entry selects the entry */
			if (stats_boxes_click(&b, y, 2) && b.row >= 0)
				assert_false(b.items[b.section].continued[b.row]);
		canvas_free(&c);
		close_fixture(&x);
	}
	assert_true(met > 3);
}

static void down_comes_by_every_entry(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		struct stats_boxes b = {.goal_x = 1};
		int rows = 0, met = 1;
		open_fixture(&x, logs[i]);
		stats_boxes_layout(&b, &x.data, 80, 20);
		stats_boxes_act(&b, ACT_START); /* to the first row, below the title */
		assert_int_equal(b.row, 0);
		stats_boxes_act(&b, ACT_UP);
		for (int k = 0; k < STATS_SECTIONS; k++)
			rows += b.items[k].rows + 1 - (int)continued_rows(&b.items[k]);
		for (int last = -2; met <= rows; met++) {
			int now = b.items[b.section].y + b.row;
			assert_in_range(now + 1 - b.top, 0, 19);
			if (now == last)
				break;
			last = now;
			stats_boxes_act(&b, ACT_DOWN);
		}
		assert_int_equal(met, rows + 1);
		close_fixture(&x);
	}
}

static void every_row_can_be_drawn_and_asked(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		struct canvas c = {0};
		open_fixture(&x, logs[i]);
		assert_int_equal(canvas_resize(&c, 400, 160), 0);
		struct stats_boxes b = {.goal_x = 1};
		stats_boxes_layout(&b, &x.data, 160, 400);
		for (int k = 0; k < STATS_SECTIONS; k++) {
			for (int row = -1; row < b.items[k].rows; row++) {
				b.section = k;
				b.row = row;
				canvas_clear(&c);
				stats_boxes_draw(&b, &x.data, &c, 0);
				struct stats_place place = stats_boxes_place(&b, &x.data);
				bool timed = place.kind == PLACE_MOMENT || place.kind == PLACE_RANGE
					|| place.kind == PLACE_THREAD;
				if (timed)
					assert_in_range(place.t, x.data.f->from, x.data.f->until);
			}
		}
		canvas_free(&c);
		close_fixture(&x);
	}
}

/* A row that tells that there are more, and one that holds the rest of a list, opens a table. */
static void rows_of_cut_lists_open_them(void **state)
{
	(void)state;
	static const char *const cut[] = {"tests/logs/9.10.3-gcstorm-N64.eventlog",
		"tests/logs/9.6.6-nonmover-N2.eventlog", "tests/logs/9.10.3-profmix-ticky.eventlog",
		"tests/logs/hostile.eventlog", "tests/logs/9.10.3-messages.eventlog", "assets/bazaar.eventlog",
		"tests/logs/9.10.3-conczoo-thr-N2.eventlog"};
	bool met[STATS_SECTIONS] = {false};
	for (size_t i = 0; i < countof(cut); i++) {
		struct fixture x;
		struct canvas c = {0};
		struct stats_boxes b = {.goal_x = 1};
		open_fixture(&x, cut[i]);
		assert_int_equal(canvas_resize(&c, 1, 160), 0);
		stats_boxes_layout(&b, &x.data, 160, 400);
		for (b.section = STATS_time; b.section < STATS_SECTIONS; b.section++)
			for (b.row = 0; b.row < b.items[b.section].rows; b.row++) {
				canvas_clear(&c);
				stats_boxes_copy(&b, &x.data, &c);
				char *text = canvas_dump(&c);
				bool rest = strstr(text, " more ") || strstr(text, "by others ");
				met[b.section] = met[b.section] || rest;
				if (rest)
					assert_int_equal(stats_boxes_place(&b, &x.data).kind, PLACE_LIST);
				free(text);
			}
		canvas_free(&c);
		close_fixture(&x);
	}
	assert_true(met[STATS_caps] && met[STATS_blocked] && met[STATS_phases] && met[STATS_ticky]);
}

static void a_folded_box_is_its_title(void **state)
{
	(void)state;
	struct fixture x;
	struct stats_boxes b = {.goal_x = 1};
	open_fixture(&x, logs[0]);
	stats_boxes_layout(&b, &x.data, 80, 20);
	stats_boxes_act(&b, ACT_DOWN);
	int height = b.height, rows = b.items[b.section].rows;
	stats_boxes_act(&b, ACT_LOWER);
	stats_boxes_layout(&b, &x.data, 80, 20);
	assert_int_equal(b.row, -1);
	assert_int_equal(b.height, height - rows);
	stats_boxes_act(&b, ACT_HIGHER);
	stats_boxes_layout(&b, &x.data, 80, 20);
	assert_int_equal(b.height, height);
	close_fixture(&x);
}

/* From the first title to the last and back, on screens of one to three columns; each is seen. */
static void jumps_come_by_every_box(void **state)
{
	(void)state;
	struct fixture x;
	open_fixture(&x, logs[0]);
	for (int cols = 80; cols <= 160; cols += 40) {
		struct stats_boxes b = {.goal_x = 1};
		bool met[STATS_SECTIONS] = {false};
		stats_boxes_layout(&b, &x.data, cols, 20);
		stats_boxes_act(&b, ACT_PREV_BOX);
		for (int i = 0; i < STATS_SECTIONS; i++) {
			assert_int_equal(b.row, -1);
			assert_false(met[b.section]);
			met[b.section] = true;
			assert_in_range(b.items[b.section].y - b.top, 0, 19);
			stats_boxes_act(&b, ACT_NEXT_BOX);
		}
		int last = b.section;
		for (int i = 1; i < STATS_SECTIONS; i++)
			stats_boxes_act(&b, ACT_PREV_BOX);
		assert_int_equal(b.section, STATS_summary);
		stats_boxes_act(&b, ACT_NEXT_BOX);
		stats_boxes_act(&b, ACT_DOWN);
		stats_boxes_act(&b, ACT_PREV_BOX); /* within a box: to its title */
		assert_int_equal(b.row, -1);
		assert_int_not_equal(last, b.section);
	}
	close_fixture(&x);
}

/* The word that findings about collections prove, where most of their time is sync or not. */
static const char *gc_word(const struct stats_answer *a)
{
	const double *v = a->figures.values;
	const bool syncs = v[METRIC_TIME_GC_SYNC] > v[METRIC_TIME_GC];
	const char *first = NULL;
	for (size_t i = 0; i < a->findings.n; i++) {
		const char *id = finding_name(a->findings.items[i].id);
		if (strcmp(id, "gc-share") == 0)
			return syncs ? "GC a problem?  mostly the sync: " : "GC a problem?  yes: ";
		bool waits = strcmp(id, "gc-sync-thread") == 0 || strcmp(id, "oversubscribed") == 0;
		if (!first && (waits || strcmp(id, "gc-pauses") == 0 || strcmp(id, "gc-minor-frequent") == 0))
			first = waits && syncs ? "GC a problem?  mostly the sync: " : "GC a problem?  in part: ";
	}
	return first ? first : "GC a problem?  no: ";
}

/* The idle time that the box names is the longest; if no thread was alive in its middle, the second longest, if one was in
 * the middle of this. */
static void expect_idle(const struct fixture *x, const struct stats_summary *s)
{
	const struct figures *f = x->data.f;
	struct idle_gap gaps[2];
	struct idle_why why;
	uint64_t longest = 0;
	uint32_t chain = 0;
	while (x->log->blocks.chains[chain].cap != f->caps[s->cap].cap)
		chain++;
	const uint64_t edges[] = {f->from, s->idle.from, s->idle.to, f->to};
	for (size_t i = 0; i < 2; i++) {
		gaps[i] = (struct idle_gap){0};
		if (edges[2 * i] < edges[2 * i + 1])
			assert_int_equal(idle_longest(&gaps[i], &x->log->blocks, x->log->tiles, &x->log->gcs,
						 &x->log->cap_life, chain, edges[2 * i], edges[2 * i + 1], NULL),
				0);
		longest = max_u64(longest, gaps[i].to - gaps[i].from);
	}
	const uint64_t unalive = s->unalive.to - s->unalive.from;
	if (unalive == 0) {
		assert_true(longest <= s->idle.to - s->idle.from);
		return;
	}
	assert_int_equal(unalive, longest);
	assert_true(unalive >= s->idle.to - s->idle.from);
	assert_int_equal(idle_why_at(&why, x->log, s->t, NULL), 0);
	assert_true(why.runnable + why.blocked + why.foreign + why.others > 0);
	const struct idle_gap *first = gaps[0].to - gaps[0].from == longest ? &gaps[0] : &gaps[1];
	assert_int_equal(s->unalive.from, first->from);
	assert_int_equal(idle_why_at(&why, x->log, first->from + longest / 2, NULL), 0);
	assert_int_equal(why.runnable + why.blocked + why.foreign + why.others, 0);
}

/* The stretch with most of the largest part of the capability's idle time. */
static struct idle_stretch longest_of_largest(const struct cap_idle *idle)
{
	const uint64_t parts[] = {idle->here_ns, idle->ready_ns - idle->here_ns, idle->others_ns,
		idle->ns - idle->ready_ns - idle->others_ns - idle->none_ns, idle->none_ns};
	const struct idle_stretch *most[] = {&idle->here_most, &idle->most[IDLE_ELSEWHERE], &idle->most[IDLE_OTHERS],
		&idle->most[IDLE_BLOCKED], &idle->most[IDLE_UNALIVE]};
	size_t largest = 0;
	for (size_t i = 1; i < countof(parts); i++)
		largest = parts[i] > parts[largest] ? i : largest;
	return *most[largest];
}

/* Enter on the rows goes to the stretch that they name first, and from "idle most" to the longest one of its first reason. leads: the
 * first row is about queues, too. */
static void expect_idle_place(const struct fixture *x, struct stats_boxes *b, const char *text, bool queues, bool leads)
{
	static const char *const before[][2] = {{" longest idle ", " from "}, {" queues ", " at a time, from "}};
	const struct cap_idle *idle = figures_idle(x->data.f);
	size_t n = 0;
	b->section = STATS_summary;
	b->row = 0;
	const struct stats_place first = stats_boxes_place(b, &x->data);
	for (b->row = leads; b->row < b->items[STATS_summary].rows; b->row++) {
		struct stats_place place = stats_boxes_place(b, &x->data);
		if (place.kind != PLACE_IDLE || b->items[STATS_summary].continued[b->row])
			continue;
		assert_true(place.end > place.t);
		if (n++ == 0) {
			struct idle_stretch most = longest_of_largest(&idle[x->answer.summary.cap]);
			assert_true(place.t == most.at && place.end == most.to);
			continue;
		}
		const char *const *at = before[n - 2];
		const char *named = strstr(strstr(text, at[0]), at[1]) + strlen(at[1]);
		assert_memory_equal(named, as_time(place.t), strlen(as_time(place.t)));
		if (n == 3)
			assert_true((first.t == place.t && first.end == place.end) == leads);
	}
	assert_int_equal(n, 2 + queues);
}

/* The first row is the first clause of finding 1, after "note" if it is no warning; else queues, if threads waited in them and
 * no finding costs a hundredth. Return whether it is these. */
static bool expect_main(const struct fixture *x, const char *text, bool queued)
{
	const struct findings *all = &x->answer.findings;
	const struct finding *f = findings_number(all, 1);
	char first[FINDING_TEXT] = "main problem   no finding", share[FINDING_SHARE] = "";
	bool costly = f && f->stake_kind != STAKE_UNKNOWN && f->stake_share >= 0.01,
	     leads = queued && !costly && !all->warnings;
	if (costly) {
		finding_cost(f, share);
		snprintf(first, sizeof first, "main problem   %s%s%s%.20s", finding_is_grave(f) ? "" : "note: ", share,
			*share ? ": " : "", f->text);
	}
	assert_int_equal(
		strstr(text, "of the run: threads waited in a queue while another capability was idle") != NULL, leads);
	if (leads)
		return true;
	assert_non_null(strstr(text, first));
	return false;
}

/* The screen of this many columns has all of these texts, or none. */
static void expect_summary(const struct fixture *x, int cols, const char *const *texts, size_t n, bool has)
{
	struct canvas c = {0};
	struct stats_boxes b = {.goal_x = 1};
	stats_boxes_layout(&b, &x->data, cols, 20);
	assert_int_equal(canvas_resize(&c, 20, cols), 0);
	stats_boxes_draw(&b, &x->data, &c, 0);
	char *text = canvas_dump(&c);
	for (size_t i = 0; i < n; i++)
		if ((strstr(text, texts[i]) != NULL) != has)
			fail_msg("%d columns: %s: %s", cols, texts[i], text);
	free(text);
	canvas_free(&c);
}

/* The row about GC names every finding that counts the time of collections, and Enter goes to the costliest. */
static void the_row_about_gc_names_its_findings(void **state)
{
	static const char *const ids[] = {
		"gc-share", "gc-pauses", "gc-minor-frequent", "gc-sync-thread", "oversubscribed"};
	static const char *const paths[] = {"tests/logs/9.0.2-trouble-late.eventlog",
		"tests/logs/9.6.6-leaky-hT.eventlog", "tests/logs/9.0.2-trouble-leak.eventlog",
		"assets/bazaar.eventlog", "tests/logs/9.0.2-mixer-N2.eventlog"};
	size_t several = 0;
	(void)state;
	for (size_t i = 0; i < countof(paths); i++) {
		struct fixture x;
		struct canvas lines;
		char want[64] = "", number[16];
		size_t n = 0, most = 0;
		open_fixture(&x, paths[i]);
		const struct findings *all = &x.answer.findings;
		for (size_t k = 0; k < all->n; k++)
			for (size_t id = 0; id < countof(ids); id++) {
				if (strcmp(finding_name(all->items[k].id), ids[id]) != 0 || !all->items[k].stake)
					continue;
				snprintf(number, sizeof number, "%s%zu", n ? "+" : "",
					findings_number_of(all, &all->items[k]));
				strcat(want, number);
				most = n++ == 0 || all->items[k].stake > all->items[most].stake ? k : most;
			}
		x.data.width = 1000;
		assert_int_equal(section_entry_lines(section_summary.entries, &x.data, 1, true, &lines), 1);
		char *text = canvas_dump(&lines), got[64] = "";
		for (char *at = strstr(text, " (finding"); at && *at != ')'; at++)
			if (*at >= '0' && *at <= '9') {
				snprintf(number, sizeof number, "%s%c", *got ? "+" : "", *at);
				strcat(got, number);
			}
		assert_string_equal(got, want);
		struct stats_place place = {0};
		section_place(
			&section_summary, &x.data, 1 + section_entry_rows(&section_summary, &x.data, 0) - 1, &place);
		assert_int_equal(place.kind, n ? PLACE_FINDING : x.data.f->stats.pauses.n ? PLACE_LIST : PLACE_NONE);
		assert_true(n == 0 || place.id == most);
		several += n > 1;
		free(text);
		canvas_free(&lines);
		close_fixture(&x);
	}
	assert_true(several >= 2);
}

/* The plain state is the largest part of the time: by how many capabilities ran threads, or in pauses. */
static void the_plain_state_is_the_largest_part(void **state)
{
	static const struct {
		size_t caps;
		uint64_t levels[6], paused;
		const char *state;
	} of[] = {{1, {105, 895}, 10, "the only cap ran threads 89.5%"},
		{1, {970, 30}, 0, "the only cap was idle 97.0%"}, {2, {14, 35, 951}, 2, "both caps ran threads 95.1%"},
		{2, {100, 800, 100}, 0, "1 of 2 caps ran threads 80.0%"},
		{4, {100, 200, 200, 200, 300}, 0, "1 to 3 of 4 caps ran threads 60.0%"},
		{4, {600, 100, 100, 100, 100}, 50, "all 4 caps were idle 55.0%"},
		{4, {700, 100, 100, 50, 50}, 600, "collections took 60.0%"},
		{4, {0, 0, 100, 0, 900}, 0, "all 4 caps ran threads 90.0%"}};
	char text[STATS_STATE];
	(void)state;
	for (size_t i = 0; i < countof(of); i++) {
		static struct figures f;
		uint64_t levels[6];
		memcpy(levels, of[i].levels, sizeof levels);
		struct waits w = {.n_levels = of[i].caps + 1, .levels = levels, .paused_ns = of[i].paused};
		f = (struct figures){.to = 1000, .until = 1000, .waits = &w};
		assert_string_equal(stats_state(&f, &(struct stats_summary){.all_known = true}, text), of[i].state);
		assert_string_equal(stats_state(&f, &(struct stats_summary){.all_known = false}, text), "");
		f.waits = NULL;
		assert_string_equal(stats_state(&f, &(struct stats_summary){.all_known = true}, text), "");
	}
}

/* So that the findings are on it, too. */
static void the_summary_is_brief_on_a_small_screen(void **state)
{
	static const char *const more[] = {" (longest run ", " would take "};
	struct fixture x;
	(void)state;
	open_fixture(&x, "tests/logs/9.6.6-nonmover-N2.eventlog");
	expect_summary(&x, 160, more, countof(more), true);
	expect_summary(&x, 80, more, countof(more), false);
	close_fixture(&x);
}

/* The share of the time in which it existed and was enabled, if that is a tenth of the range. */
static double idle_share(const struct figures *f, size_t i)
{
	double there = (double)(f->to - f->from - f->caps[i].absent);
	return there >= 0.1 * (double)(f->to - f->from) ? (double)f->caps[i].idle / there : 0;
}

static uint64_t paused_of(const struct cap_figures *c) { return c->gc + c->sync + c->stopped; }

/* If a capability is longer in or stopped by collections than the one that is idle most does nothing, the longest is told. */
static void expect_paused(const struct fixture *x, const char *text)
{
	const struct figures *f = x->data.f;
	const struct cap_figures *idle = &f->caps[x->answer.summary.cap], *most = idle;
	char told[64] = "; but cap ";
	for (size_t i = 0; i < f->n_caps; i++)
		most = paused_of(&f->caps[i]) > paused_of(most) ? &f->caps[i] : most;
	const bool longer = paused_of(most) > idle->idle + paused_of(idle);
	if (longer)
		snprintf(told, sizeof told, "; but cap %u was in or stopped by collections for ", most->cap);
	assert_int_equal(strstr(text, told) != NULL, longer);
}

/* And no capability is idle for a larger share than the one that the box names. */
static void the_summary_is_of_the_other_boxes(void **state)
{
	static const struct {
		const char *path;
		bool gcs;
	} of[] = {{"tests/logs/9.6.6-nonmover-N2.eventlog", true}, {"tests/logs/9.10.3-gcstorm-N64.eventlog", true},
		{"assets/bazaar.eventlog", true}, {"tests/logs/9.10.3-conczoo-nothing.eventlog", false},
		{"tests/logs/9.0.2-pinned.eventlog", true}};
	size_t unalive = 0, near_ties = 0, queues = 0, led = 0, ready = 0;
	(void)state;
	for (size_t i = 0; i < countof(of); i++) {
		struct fixture x;
		struct canvas c = {.ascii = true};
		open_fixture(&x, of[i].path);
		struct stats_boxes b = {.goal_x = 1};
		stats_boxes_layout(&b, &x.data, 500, 40); /* in one line */
		assert_int_equal(canvas_resize(&c, 40, 500), 0);
		stats_boxes_draw(&b, &x.data, &c, 0);
		char *text = canvas_dump(&c);
		assert_non_null(
			strstr(text, of[i].gcs ? gc_word(&x.answer) : "GC a problem?  not recorded (+RTS -lg)"));
		const struct stats_summary *s = &x.answer.summary;
		assert_int_equal(s->has_cap, of[i].gcs);
		for (size_t k = 0; k < x.data.f->n_caps && s->has_cap; k++)
			assert_true(idle_share(x.data.f, k) <= idle_share(x.data.f, s->cap));
		size_t near = 0;
		for (size_t k = 0; k < x.data.f->n_caps && s->has_cap; k++)
			near += k != s->cap && idle_share(x.data.f, k) >= 0.95 * idle_share(x.data.f, s->cap);
		assert_int_equal(strstr(text, " about as idle") != NULL, near > 0);
		near_ties += near > 0;
		double kept = x.data.f->values[METRIC_CONCURRENCY_KEPT],
		       kept_ns = kept * (double)(x.data.f->to - x.data.f->from);
		bool told = kept >= 0.05 && kept_ns >= 5e6;
		assert_int_equal(strstr(text, " waiting on average)") != NULL, told);
		queues += told;
		const bool leads = expect_main(&x, text, told);
		led += leads;
		const struct cap_idle *idle = figures_idle(x.data.f);
		bool is_ready = s->has_cap && idle && 10 * idle[s->cap].here_ns >= idle[s->cap].ns
			&& 100 * idle[s->cap].here_ns >= x.data.f->to - x.data.f->from;
		assert_int_equal(strstr(text, "; ready here ") != NULL, is_ready);
		ready += is_ready;
		assert_int_equal(
			strstr(text, "; longer, but with no thread alive: ") != NULL, s->unalive.to > s->unalive.from);
		if (s->has_cap) {
			expect_paused(&x, text);
			expect_idle(&x, s);
			unalive += s->unalive.to > s->unalive.from;
			expect_idle_place(&x, &b, text, told, leads);
		}
		free(text);
		canvas_free(&c);
		close_fixture(&x);
	}
	assert_true(unalive > 0 && near_ties > 0 && led > 0 && led < queues && queues < countof(of));
	assert_true(ready > 0 && ready < countof(of));
}

/* A thread on capability 0 stops `late` ms after capability 1 has asked for a collection; after it, both are idle for 30 ms and 26. */
static void expect_late(unsigned late, bool told)
{
	enum { MS = 1000000 };
	struct built b = log_begin();
	const uint64_t start = (10 + late) * (uint64_t)MS, end = start + 2 * MS;
	for (uint16_t cap = 0; cap < 2; cap++) {
		block_begin(&b, cap, 1);
		put_run(&b, 1, cap + 1u);
		put_stop(&b, cap ? 10 * MS : start, cap + 1u, STOP_HEAP);
		if (cap)
			put_gc(&b, 10 * MS, start, end, 0);
		put_run(&b, end + (cap ? 4 * MS : 10), cap + 1u);
		put_stop(&b, end + (cap ? 5 * MS : 1000), cap + 1u, STOP_MVAR);
		put_run(&b, end + 30 * MS, cap + 1u);
		put_stop(&b, end + 31 * MS, cap + 1u, STOP_FINISHED);
		block_end(&b, end + 31 * MS);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct fixture x;
	answer(&x, log);
	assert_int_equal(x.answer.summary.cap, 0);
	expect_summary(&x, 200, (const char *const[]){"; but cap 1 was in or stopped by collections for "}, 1, told);
	stats_answer_free(&x.answer);
	done(log, &b);
}

static void one_that_waits_for_collections_is_not_idle(void **state)
{
	(void)state;
	expect_late(100, true);
	expect_late(5, false);
}

enum { HEAP_OVERFLOW = 1 };

/* A major GC of 20 ms that copies 1 MiB and leaves `live` MiB live, of which the summary says this; the main thread ends at `end`. */
static void expect_pause(unsigned live, unsigned end, unsigned stop, int cols, const char *text, bool has)
{
	enum { MS = 1000000, MB = 1 << 20 };
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put(&b, 1, EVL_THREAD_LABEL, "4s", 1u, "main");
	put_run(&b, 1, 1);
	put_stop(&b, end * (uint64_t)MS, 1, STOP_FINISHED);
	put_run(&b, 8 * MS, 2);
	put_stop(&b, 10 * MS, 2, stop);
	put(&b, 10 * MS, EVL_REQUEST_PAR_GC, "");
	put(&b, 10 * MS, EVL_GC_START, "");
	put(&b, 10 * MS, EVL_GC_WORK, "");
	put(&b, 30 * MS, EVL_GC_GLOBAL_SYNC, "");
	put(&b, 30 * MS, EVL_GC_STATS_GHC, "428884888", 0u, 1u, (uint64_t)MB, (uint64_t)0, (uint64_t)0, 1u, (uint64_t)0,
		(uint64_t)0, (uint64_t)0);
	put(&b, 30 * MS, EVL_GC_END, "");
	put(&b, 30 * MS, EVL_HEAP_LIVE, "48", 0u, (uint64_t)live * MB);
	put_run(&b, 31 * MS, 2);
	put_stop(&b, 40 * MS, 2, STOP_FINISHED);
	block_end(&b, 50 * MS);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct fixture x;
	answer(&x, log);
	expect_summary(&x, cols, &text, 1, has);
	stats_answer_free(&x.answer);
	done(log, &b);
}

static void the_longest_pause_is_explained(void **state)
{
	(void)state;
	for (int wide = 0; wide < 2; wide++) {
		const char *place = "MB more";
		expect_pause(5, 7, HEAP_OVERFLOW, wide ? 200 : 80, place, true);
		expect_pause(3, 7, HEAP_OVERFLOW, wide ? 200 : 80, place, true);
		expect_pause(2, 7, HEAP_OVERFLOW, wide ? 200 : 80, place, false); /* as many as it copied */
		expect_pause(2, 7, HEAP_OVERFLOW, wide ? 200 : 80, "1.0 MB: 52", true);
		expect_pause(2, 7, HEAP_OVERFLOW, wide ? 200 : 80, "forced", false);
		expect_pause(2, 7, STOP_YIELD, wide ? 200 : 80, "forced after", true);
	}
	static const struct {
		const char *path;
		bool one;
	} of[] = {{"tests/logs/9.0.2-gcstorm-seqgc.eventlog", true}, {"tests/logs/9.10.3-gcstorm-N64.eventlog", false}};
	for (size_t i = 0; i < countof(of); i++) {
		struct fixture x;
		open_fixture(&x, of[i].path);
		expect_summary(&x, 200, (const char *const[]){"a single GC thread"}, 1, of[i].one);
		close_fixture(&x);
	}
	expect_pause(5, 7, HEAP_OVERFLOW, 200, "4.2 MB more were not copied, as large objects are not (stacks, arrays)",
		true);
}

/* A run of 10 ms with little GC, and in it a phase of 1 ms (or, brief, 0.4 ms) that collects for three quarters of its time. */
static void gc_in_one_phase(void **state)
{
	(void)state;
	for (int brief = 0; brief < 2; brief++) {
		struct fixture x;
		struct canvas c = {.ascii = true};
		struct built b = log_begin();
		uint64_t from = 2000000, length = brief ? 400000 : 1000000;
		block_begin(&b, 0, 1);
		put(&b, 1, EVL_CREATE_THREAD, "4", 1u);
		put_run(&b, 2, 1);
		put(&b, from, EVL_USER_MARKER, "s", "load");
		put_stop(&b, from + 1, 1, STOP_HEAP);
		put_gc(&b, from + 2, from + 2, from + length * 3 / 4, 0);
		put_run(&b, from + length * 3 / 4 + 1, 1);
		put(&b, from + length, EVL_USER_MARKER, "s", "solve");
		put_stop(&b, 10000000, 1, STOP_FINISHED);
		block_end(&b, 10000001);
		log_end(&b);
		answer(&x, walked(&b));
		struct stats_boxes boxes = {.goal_x = 1};
		stats_boxes_layout(&boxes, &x.data, 160, 40);
		assert_int_equal(canvas_resize(&c, 40, 160), 0);
		stats_boxes_draw(&boxes, &x.data, &c, 0);
		char *text = canvas_dump(&c);
		assert_non_null(strstr(text,
			brief ? "GC a problem?  no: 300 us, 3.0% of the run\n"
			      : "GC a problem?  in part: 750 us, 7.5% of the run, but 75.0% of the phase \"load\""));
		free(text);
		canvas_free(&c);
		stats_answer_free(&x.answer);
		done(x.log, &b);
	}
}

/* Small sparks are told from 100 on, if half of them take less than 1 us. */
static void small_sparks_are_told(void **state)
{
	static const struct {
		unsigned small, large;
	} of[] = {{99, 0}, {100, 0}, {60, 60}, {60, 61}, {0, 200}};
	static const bool told[] = {false, true, true, false, false};
	(void)state;
	for (size_t i = 0; i < countof(of); i++) {
		struct fixture x = {0};
		struct built b = log_begin();
		uint64_t t = 10;
		block_begin(&b, 0, 1);
		put(&b, 1, EVL_CREATE_THREAD, "4", 1u);
		put_run(&b, 2, 1);
		for (unsigned k = 0; k < of[i].small + of[i].large; k++) {
			put(&b, t, EVL_SPARK_RUN, "");
			t += k < of[i].small ? 400 : 5000;
		}
		put_stop(&b, t, 1, 5);
		block_end(&b, t + 1);
		log_end(&b);
		answer(&x, walked(&b));
		x.data.width = 160;
		assert_int_equal(x.answer.summary.sparks.n, of[i].small + of[i].large);
		size_t n_told = 0;
		for (size_t k = 0; k < section_summary.entries->n; k++) {
			struct canvas lines;
			char *text = section_entry_lines(section_summary.entries, &x.data, k, false, &lines)
				? canvas_dump(&lines)
				: NULL;
			n_told += text && strstr(text, "sparks that ran took at most ") != NULL;
			free(text);
			canvas_free(&lines);
		}
		assert_int_equal(n_told, told[i]);
		stats_answer_free(&x.answer);
		done(x.log, &b);
	}
}

/* How much of a time profile is the profiler's own is told from more than 2 % on, without the samples that are idle. */
static void the_work_of_the_profiler_is_told(void **state)
{
	static const struct {
		const char *label, *module;
		unsigned samples[3];
	} centres[] = {{"OVERHEAD_of", "PROFILING", {0, 2, 30}}, {"IDLE", "IDLE", {50, 1000, 100}},
		{"work", "Main", {100, 98, 70}}, {"OVERHEAD_of", "Main", {9, 0, 0}}};
	static const char *const told[] = {NULL, NULL, "profiler       30.0% of the samples"};
	(void)state;
	for (size_t i = 0; i < countof(told); i++) {
		struct fixture x = {0};
		struct built b = log_begin();
		uint64_t tick = 0;
		block_begin(&b, 0, 1);
		put(&b, 1, EVL_PROF_BEGIN, "8", (uint64_t)1000);
		for (unsigned id = 0; id < countof(centres); id++)
			put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", id + 1, centres[id].label, 0u,
				centres[id].module, 0u, id < 2 ? "<built-in>" : "a.hs:1:1-2", 0u, 0u);
		for (unsigned id = 0; id < countof(centres); id++)
			for (unsigned k = 0; k < centres[id].samples[i]; k++, tick++)
				put(&b, 1000 * tick + 2, EVL_PROF_SAMPLE_COST_CENTRE, "4814", 0u, tick, 1u, id + 1);
		block_end(&b, 1000 * tick + 3);
		log_end(&b);
		answer(&x, walked(&b));
		x.data.width = 160;
		if ((x.answer.summary.profiler > 0) != (told[i] != NULL))
			fail_msg("%zu: %g", i, x.answer.summary.profiler);
		struct canvas lines;
		const struct section_entries *e = section_summary.entries;
		int n = section_entry_lines(e, &x.data, e->n - 1, false, &lines);
		char *text = canvas_dump(&lines);
		assert_true(told[i] ? n > 0 && strncmp(text, told[i], strlen(told[i])) == 0 : n == 0);
		free(text);
		canvas_free(&lines);
		stats_answer_free(&x.answer);
		done(x.log, &b);
	}
}

/* Pauses from 10 ms to 30 ms, for a census, and from 40 ms to 40.3 ms: what ranges that cut them are told. */
static void gc_of_ranges_that_cut_pauses(void **state)
{
	enum { US = 1000, MS = 1000000 };
	static const struct {
		uint64_t from, to;
		const char *gc, *longest;
	} of[] = {{0, UINT64_MAX,
			  "GC a problem?  no: 300 us, 0.6% of the run; heap censuses (profiling) 20.0 ms, 40.0% more\n",
			  "longest pause  20.0 ms at 0.010000000 s, a major GC gen 1 for a heap census (profiling by "
			  "-hT): "},
		{20 * MS, 40 * MS,
			"GC a problem?  no: 0 s, 0.0% of the range; heap censuses (profiling) 10.0 ms, 50.0% more\n",
			"longest pause  none starts in this range; a pause from 0.010000000 s to 0.030000000 s, a "
			"major GC gen 1, "
			"covers 10.0 ms of this range"},
		{15 * MS, 25 * MS, "GC a problem?  no: all of the range is in pauses for heap censuses", NULL},
		{28 * MS, 41 * MS,
			"GC a problem?  no: 300 us, 2.3% of the range; heap censuses (profiling) 2.00 ms, 15.4% more\n",
			"; a pause from 0.010000000 s to 0.030000000 s, a major GC gen 1, covers 2.00 ms of this "
			"range"},
		{40 * MS + 100 * US, 40 * MS + 300 * US,
			"GC a problem?  too short to tell: 200 us, 100.0% of the range\n",
			"a pause from 0.040000000 s to 0.040300000 s, a minor GC gen 0, covers 200 us of this range"},
		{40 * MS - 100 * US, 40 * MS + 100 * US,
			"GC a problem?  too short to tell: 100 us, 50.0% of the range\n", "longest pause  300 us"},
		{31 * MS, 39 * MS, "GC a problem?  no: none in this range\n", "longest pause  none in this range\n"}};
	(void)state;
	for (size_t i = 0; i < countof(of); i++) {
		struct fixture x;
		struct canvas c = {.ascii = true};
		struct built b = log_begin();
		block_begin(&b, EVL_NO_CAP, 1);
		put(&b, 1, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 7u, "", 0u, "", 0u, "", 0u, "",
			0u, "", 0u, "", 0u);
		put(&b, 29 * MS, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		put(&b, 29 * MS, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)100, "Map", 0u);
		put(&b, 29 * MS, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
		block_end(&b, 50 * MS);
		block_begin(&b, 0, 0);
		put_run(&b, 0, 1);
		put_stop(&b, 10 * MS, 1, STOP_YIELD);
		put_gc(&b, 10 * MS, 10 * MS, 30 * MS, 1);
		put_run(&b, 30 * MS, 1);
		put_stop(&b, 40 * MS, 1, STOP_HEAP);
		put_gc(&b, 40 * MS, 40 * MS, 40 * MS + 300 * US, 0);
		put_run(&b, 40 * MS + 300 * US, 1);
		put_stop(&b, 50 * MS, 1, STOP_FINISHED);
		block_end(&b, 50 * MS);
		log_end(&b);
		answer_range(&x, walked(&b), of[i].from, of[i].to);
		struct stats_boxes boxes = {.goal_x = 1};
		stats_boxes_layout(&boxes, &x.data, 200, 40);
		assert_int_equal(canvas_resize(&c, 40, 200), 0);
		stats_boxes_draw(&boxes, &x.data, &c, 0);
		char *text = canvas_dump(&c);
		if (!strstr(text, of[i].gc) || (of[i].longest && !strstr(text, of[i].longest)))
			fail_msg("%zu: %s", i, text);
		free(text);
		canvas_free(&c);
		stats_answer_free(&x.answer);
		done(x.log, &b);
	}
}

/* Thread 2 waits for the black hole of thread 1, until that or thread 3 wakes it. */
static void owners_that_wake_are_told_once(void **state)
{
	(void)state;
	for (unsigned waker = 1; waker <= 3; waker += 2) {
		struct fixture x;
		struct built b = log_begin();
		struct canvas c = {.ascii = true};
		block_begin(&b, 0, 1);
		put_run(&b, 1, 2);
		put(&b, 100, EVL_STOP_THREAD, "424", 2u, (unsigned)STOP_BLACK_HOLE, 1u);
		put_run(&b, 1000, 2);
		put_stop(&b, 1100, 2, STOP_FINISHED);
		block_end(&b, 2000);
		block_begin(&b, 1, 1);
		put_run(&b, 2, waker);
		put(&b, 900, EVL_THREAD_WAKEUP, "42", 2u, 0u);
		put_stop(&b, 1200, waker, STOP_FINISHED);
		block_end(&b, 2000);
		log_end(&b);
		answer_range(&x, walked(&b), 0, UINT64_MAX);
		struct stats_boxes boxes = {.goal_x = 1};
		stats_boxes_layout(&boxes, &x.data, 200, 60);
		assert_int_equal(canvas_resize(&c, 60, 200), 0);
		stats_boxes_draw(&boxes, &x.data, &c, 0);
		char *text = canvas_dump(&c);
		if (!strstr(text, "  owner 1 ") || !strstr(text, "  by 3 ") == (waker == 3) || strstr(text, "  by 1 "))
			fail_msg("woken by %u: %s", waker, text);
		free(text);
		canvas_free(&c);
		stats_answer_free(&x.answer);
		done(x.log, &b);
	}
}

/* The last events of cap 1 are missing if the program was killed. */
static void lost_events_bound_the_idle_time(void **state)
{
	(void)state;
	for (int killed = 0; killed < 2; killed++) {
		struct fixture x;
		struct built b = log_begin();
		struct canvas c = {.ascii = true};
		block_begin(&b, 0, 1);
		put(&b, 1, EVL_CREATE_THREAD, "4", 1u);
		put_run(&b, 10, 1);
		put_stop(&b, 1000, 1, 1);
		put_gc(&b, 1001, 1002, 1006, 0);
		put_run(&b, 1010, 1);
		put_stop(&b, 8999, 1, 5);
		block_end(&b, 9000);
		block_begin(&b, 1, 1);
		put(&b, 1, EVL_CREATE_THREAD, "4", 2u);
		put_run(&b, 1, 2);
		put_stop(&b, 100, 2, 5);
		block_end(&b, 1300);
		if (!killed)
			log_end(&b);
		answer(&x, walked(&b));
		const struct stats_summary *s = &x.answer.summary;
		assert_true(s->has_cap && x.data.f->caps[s->cap].cap == 1);
		assert_int_equal(s->lost, killed ? 1300 : 0);
		assert_int_equal(s->all_known, !killed);
		struct stats_boxes boxes = {.goal_x = 1};
		stats_boxes_layout(&boxes, &x.data, 160, 40);
		assert_int_equal(canvas_resize(&c, 40, 160), 0);
		stats_boxes_draw(&boxes, &x.data, &c, 0);
		char *text = canvas_dump(&c);
		assert_int_equal(!!strstr(text, "cap 1, idle for at most "), killed);
		assert_int_equal(!!strstr(text, "(its events after 0.000001300 s are lost)"), killed);
		assert_int_equal(!strstr(text, "% of the run: "), killed);
		free(text);
		canvas_free(&c);
		stats_answer_free(&x.answer);
		done(x.log, &b);
	}
}

static void a_disabled_capability_is_not_idle(void **state)
{
	(void)state;
	struct fixture x;
	struct canvas c = {.ascii = true};
	struct stats_boxes b = {.goal_x = 1};
	open_fixture(&x, "tests/logs/9.10.3-capdance-N4.eventlog");
	const struct figures *f = x.data.f;
	assert_int_equal(f->n_caps, 6);
	for (size_t i = 0; i < f->n_caps; i++) {
		double want = (double)cap_events_off(x.log, f->caps[i].cap, f->from, f->to) / (double)(f->to - f->from);
		double off = section_share(f, f->caps[i].off);
		assert_true(off <= want && off >= want - 0.02); /* without pauses */
		assert_true((want > 0.1) == (f->caps[i].cap > 0));
	}
	assert_int_equal(f->caps[x.answer.summary.cap].cap, 5); /* of the time in which it was enabled */
	stats_boxes_layout(&b, &x.data, 240, 40);
	assert_int_equal(canvas_resize(&c, 40, 240), 0);
	stats_boxes_draw(&b, &x.data, &c, 0);
	char *text = canvas_dump(&c);
	assert_non_null(
		strstr(text, "cap 5, idle for 99.1% of the 7.09 ms in which it was enabled (22.8% of the run): "));
	const struct cap_idle *idle = figures_idle(f);
	char want[128];
	assert_true(idle && f->waits->all_threads && idle->ready_ns > 0);
	snprintf(want, sizeof want, "%s threads ready only in other caps' queues",
		as_share((double)(idle[5].ready_ns - idle[5].here_ns) / (double)(f->to - f->from - f->caps[5].absent)));
	assert_non_null(strstr(text, want));
	free(text);
	canvas_free(&c);
	close_fixture(&x);
}

static void many_capabilities_are_folded(void **state)
{
	(void)state;
	struct fixture x;
	struct stats_boxes b = {.goal_x = 1};
	open_fixture(&x, "tests/logs/9.10.3-gcstorm-N64.eventlog");
	stats_boxes_layout(&b, &x.data, 80, 20);
	assert_int_equal(b.items[STATS_caps].rows, 17);
	b.section = STATS_caps;
	b.row = 16;
	assert_int_equal(stats_boxes_place(&b, &x.data).kind, PLACE_LIST);
	assert_ptr_equal(stats_boxes_place(&b, &x.data).list, &stats_caps);
	close_fixture(&x);
}

/* Waits for collections, by looking at many moments one by one. */
static void idle_sync_and_stopped_are_told_apart(void **state)
{
	(void)state;
	enum { MOMENTS = 4000, MOST_GCS = 4096 };
	struct fixture x;
	open_fixture(&x, "tests/logs/9.6.6-nonmover-N2.eventlog");
	const struct figures *f = x.data.f;
	static const struct gc_row *gcs[MOST_GCS];
	size_t n_gcs = 0;
	const struct gc_row *gc = NULL;
	while ((gc = gcs_after(&x.log->gcs, gc ? gc->start : 0, GC_ALL)) && n_gcs < MOST_GCS)
		gcs[n_gcs++] = gc;
	assert_in_range(n_gcs, 10, MOST_GCS - 1);
	for (size_t i = 0; i < f->n_caps; i++) {
		uint32_t chain = x.log->cap_chains[i];
		double sync = 0, stopped = 0;
		for (uint64_t k = 0; k < MOMENTS; k++) {
			uint64_t t = f->from + (2 * k + 1) * (f->to - f->from) / (2 * MOMENTS);
			struct cap_moment at;
			caps_at(&x.log->blocks, &x.log->tiles[chain], chain, t, &at);
			for (size_t g = 0; g < n_gcs; g++) {
				bool in_sync = t >= gc_requested(gcs[g]) && t < gcs[g]->start;
				sync += in_sync && at.state != CAP_RUN;
				stopped += t >= gcs[g]->start && t < gc_end(gcs[g]) && at.state == CAP_IDLE;
			}
		}
		const struct cap_figures *r = &f->caps[i];
		assert_true(r->exact && r->sync + r->stopped > 0);
		assert_true(fabs(sync / MOMENTS - section_share(f, r->sync)) < 0.01);
		assert_true(fabs(stopped / MOMENTS - section_share(f, r->stopped)) < 0.01);
	}
	close_fixture(&x);
}

/* v is the percentile: fewer than percent % of the lengths are shorter, and at least as many are not longer. */
static void check_quantile(uint64_t v, const unsigned *lengths, size_t n, unsigned percent)
{
	size_t shorter = 0, not_longer = 0;
	for (size_t i = 0; i < n; i++) {
		shorter += lengths[i] < v;
		not_longer += lengths[i] <= v;
	}
	assert_true(shorter * 100 < percent * n && not_longer * 100 >= percent * n);
}

/* Rows of names that differ in a final number, made of a log whose spans follow each other. Quantiles are of all spans. */
static void numbered_spans_are_one_row(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned lengths[5]; /* to 0 */
	} spans[] = {{"report 3", {300000}}, {"other", {10, 20, 10, 10, 15}}, {"report 1", {100000}},
		{"report 22", {200000}}, {"pair 1", {2}}, {"pair 2", {2}}, {"job1", {7, 911, 40}}, {"job2", {3}},
		{"job3", {9000, 8}}};
	static const unsigned reports[] = {300000, 100000, 200000}, jobs[] = {7, 911, 40, 3, 9000, 8};
	struct fixture x;
	char text[64];
	uint64_t t = 100;
	struct built b = log_begin();
	block_begin(&b, 0, 50);
	for (size_t i = 0; i < countof(spans); i++)
		for (size_t k = 0; k < 5 && spans[i].lengths[k]; k++, t += 10) {
			snprintf(text, sizeof text, "START %s", spans[i].name);
			put(&b, t, EVL_USER_MSG, "s", text);
			t += spans[i].lengths[k];
			snprintf(text, sizeof text, "STOP %s", spans[i].name);
			put(&b, t, EVL_USER_MSG, "s", text);
		}
	put(&b, t, EVL_USER_MSG, "s", "START job7"); /* does not end */
	block_end(&b, t + 10);
	log_end(&b);
	answer(&x, walked(&b));
	const struct span_groups *g = &x.answer.spans;
	assert_int_equal(g->n, 5); /* report #, job #, other, pair 1, pair 2 */
	assert_int_equal(g->items[0].names, 3);
	assert_int_equal(g->items[0].sum.name.len, strlen("report "));
	assert_int_equal(g->items[0].sum.n, 3);
	assert_int_equal(g->items[0].sum.total, 600000);
	assert_int_equal(g->items[0].sum.max, 300000);
	assert_int_equal(g->items[1].names, 4);
	assert_int_equal(g->items[1].sum.n, countof(jobs) + 1);
	assert_int_equal(g->items[1].sum.unfinished, 1);
	assert_int_equal(g->items[2].names, 1);
	assert_int_equal(g->items[2].sum.total, 65);
	for (size_t i = 0; i < 2; i++) {
		const struct span_name *sum = &g->items[i].sum;
		assert_true(g->items[i].quantiles);
		check_quantile(sum->p50, i ? jobs : reports, i ? countof(jobs) : countof(reports), 50);
		check_quantile(sum->p90, i ? jobs : reports, i ? countof(jobs) : countof(reports), 90);
		check_quantile(sum->p99, i ? jobs : reports, i ? countof(jobs) : countof(reports), 99);
	}
	stats_answer_free(&x.answer);
	done(x.log, &b);
}

/* --- the order and the filter of a comparison ------------------------------------------------------------------------ */

/* text: what is shown; a heading begins a group, a line that is no detail a name. */
static void add_line(struct diff_answer *a, struct difference_item line, const char *text)
{
	const struct difference_item *last = a->list.n ? &a->list.items[a->list.n - 1] : NULL;
	line.group = line.kind == DIFF_HEAD ? text : last->group;
	if (line.kind == DIFF_DETAIL)
		line.name = last->name;
	else if (line.kind == DIFF_FINDING)
		line.text = str_of(text);
	else if (line.name.len)
		line.label = text;
	else
		line.name = str_of(text);
	if (line.kind == DIFF_DETAIL)
		line.figure = text;
	a->list.items[a->list.n++] = line;
}

/* The lines of the rows, as letters: the first line is a. */
static void assert_rows(const struct diff_view *v, const char *want)
{
	char rows[32] = "";
	assert_true(v->n < sizeof rows);
	for (size_t i = 0; i < v->n; i++)
		rows[i] = (char)('a' + v->rows[i]);
	assert_string_equal(rows, want);
}

static void lines_of_a_comparison_are_filtered_and_sorted(void **state)
{
	(void)state;
	struct difference_item lines[10];
	const struct difference_item head = {.kind = DIFF_HEAD};
	struct diff_view v = {.open = true, .answer = {.made = true, .list.items = lines}};
	struct evl_err err = {0};
	add_line(&v.answer, head, "time");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .row = {.ratio = 0.1}}, "total");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .row = {.ratio = -0.5, .notable = true}},
		"GC");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .row = {.ratio = 3}}, "  minor");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .row = {.ratio = NAN}}, "idle");
	add_line(&v.answer, head, "spans");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .row = {.ratio = 0.2}}, "load");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_DETAIL, .row = {.ratio = -2}}, "p99");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .only = DIFF_ONLY_B, .row = {.ratio = NAN}},
		"save");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_MORE}, "and 3 more");
	static const struct {
		const char *filter, *rows, *sorted;
	} cases[] = {{"", "abcdefghij", "acdbefighj"}, {"p99", "fgh", "fgh"}, {"minor", "acd", "acd"},
		{"group=time", "abcde", "acdbe"}, {"relative>0.15", "acdfgh", "acdfgh"},
		{"relative<0", "acdfgh", "acdfgh"}, {"verdict=differs", "acd", "acd"}, {"verdict~only", "fi", "fi"},
		{"!spans", "abcde", "acdbe"}, {"total or save", "abfi", "abfi"}, {"nothing", "", ""}};
	for (size_t i = 0; i < countof(cases); i++) {
		assert_int_equal(diff_view_filter(&v, cases[i].filter, &err), 0);
		assert_rows(&v, cases[i].rows);
		assert_true(diff_view_act(&v, ACT_SORT));
		assert_rows(&v, cases[i].sorted);
		assert_true(diff_view_act(&v, ACT_LOWER)); /* no column has been drawn: the order of the list */
	}
	assert_int_equal(diff_view_filter(&v, "load", &err), 0);
	assert_int_equal(diff_view_filter(&v, "load nosuch>3", &err), EVL_USAGE);
	assert_non_null(strstr(err.text, "column 6"));
	assert_rows(&v, "fgh"); /* the old one stays */
	v.at = 1;
	assert_int_equal(diff_view_filter(&v, "", &err), 0);
	assert_ptr_equal(diff_view_line(&v), &lines[6]); /* so does the selected line */
	v.answer.list.items = NULL;
	diff_view_close(&v);
}

/* Each column sorts the names of a group, largest first, and reversed; what is unknown comes last. */
static void a_comparison_is_sorted_by_each_column(void **state)
{
	(void)state;
	struct difference_item lines[8];
	const struct difference_item head = {.kind = DIFF_HEAD};
	struct diff_view v = {.open = true, .answer = {.made = true, .list = {.items = lines, .total = {1, 2}}}};
	const struct {
		enum diff_order order;
		const char *falling, *rising;
	} cases[] = {{DIFF_IN_LIST, "abcdefg", "abcdefg"}, {DIFF_BY_A, "acbdfeg", "afdbceg"},
		{DIFF_BY_B, "adbcefg", "aecbdfg"}, {DIFF_BY_CHANGE, "acdbefg", "abdcefg"},
		{DIFF_BY_RATIO, "aedcbfg", "abcdefg"}, {DIFF_BY_RATE, "acbdefg", "abcdefg"},
		{DIFF_BY_VERDICT, "acdebfg", "aecdbfg"}};
	add_line(&v.answer, head, "time");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FIGURE, .sum = true, .row = diff_row(UNIT_NS, 0, 2e9, 2e9)},
		"total");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FIGURE, .sum = true, .row = diff_row(UNIT_NS, 0, 4e9, 1e9)},
		"GC");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FIGURE, .row = diff_row(UNIT_NS, METRIC_DOWN, 1e9, 3e9)}, "idle");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FIGURE, .only = DIFF_ONLY_B, .row = diff_row(UNIT_NS, 0, NAN, 1)},
		"save");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_FIGURE, .row = diff_row(UNIT_NS, 0, 1, NAN)}, "load");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_MORE}, "and 3 more");
	v.answer.made = true;
	for (int i = 0; i < DIFF_ORDERS; i++)
		v.ends[i] = 10 * i;
	for (size_t i = 1; i <= countof(cases); i++) {
		size_t k = i % countof(cases);
		assert_true(diff_view_act(&v, ACT_HIGHER));
		assert_int_equal(v.order, cases[k].order);
		assert_rows(&v, cases[k].falling);
		if (v.order == DIFF_IN_LIST)
			continue;
		assert_true(diff_view_act(&v, ACT_SORT));
		assert_rows(&v, cases[k].rising);
	}
	v.y = 1;
	assert_false(diff_view_click(&v, 0, 15)); /* a heading */
	assert_int_equal(v.order, DIFF_BY_B);
	v.answer.list.items = NULL;
	diff_view_close(&v);
}

/* The rows that are exported are those that are shown, each with its group and name; they outlive the view. */
static void lines_of_a_comparison_are_exported_as_shown(void **state)
{
	(void)state;
	struct difference_item lines[8];
	const struct difference_item head = {.kind = DIFF_HEAD};
	struct diff_view v = {.open = true, .answer = {.made = true, .list.items = lines}};
	struct evl_err err = {0};
	struct export_list list;
	struct buf out = {0};
	add_line(&v.answer, head, "time");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FIGURE,
			.name = EVL_STR("time.gc"),
			.unit = UNIT_NS,
			.row = diff_row(UNIT_NS, METRIC_FLAT, 1e9, 3e9)},
		"GC");
	add_line(&v.answer, head, "spans");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FIGURE,
			.figure = "total",
			.unit = UNIT_NS,
			.only = DIFF_ONLY_B,
			.row = diff_row(UNIT_NS, METRIC_FLAT, NAN, 5)},
		"load, and store");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_DETAIL,
			.figure = "p99",
			.unit = UNIT_SHARE,
			.row = {.a = 0.25, .b = 0.5, .by = 0.25, .ratio = 1}},
		"p99");
	add_line(&v.answer, (struct difference_item){.kind = DIFF_MORE}, "and 3 more");
	add_line(&v.answer, head, "findings");
	add_line(&v.answer,
		(struct difference_item){.kind = DIFF_FINDING,
			.name = EVL_STR("gc-share"),
			.unit = UNITS,
			.only = DIFF_ONLY_A,
			.row = {.a = NAN, .b = NAN, .by = NAN, .ratio = NAN}},
		"much GC");
	assert_int_equal(diff_view_filter(&v, "!group~time", &err), 0);
	assert_true(diff_view_act(&v, ACT_SORT));
	assert_true(diff_view_list(&v, &list));
	v.answer.list.items = NULL;
	diff_view_close(&v);
	for (size_t i = 0, n = list.kind->count(list.made); i < n; i++)
		table_csv_row(&out, list.kind, list.made, i, false);
	buf_char(&out, '\0');
	assert_string_equal(out.p,
		"spans,\"load, and store\",total,time,,5,,,B only,\n"
		"spans,\"load, and store\",p99,share,0.25,0.5,0.25,1,,\n"
		"findings,gc-share,,,,,,,A only,much GC\n");
	buf_free(&out);
	list.drop(list.made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_do_not_overlap),
		cmocka_unit_test(boxes_without_rows_are_lines_at_the_end),
		cmocka_unit_test(entries_begin_at_the_edge),
		cmocka_unit_test(down_comes_by_every_entry),
		cmocka_unit_test(every_row_can_be_drawn_and_asked),
		cmocka_unit_test(rows_of_cut_lists_open_them),
		cmocka_unit_test(a_folded_box_is_its_title),
		cmocka_unit_test(jumps_come_by_every_box),
		cmocka_unit_test(the_summary_is_of_the_other_boxes),
		cmocka_unit_test(the_row_about_gc_names_its_findings),
		cmocka_unit_test(the_plain_state_is_the_largest_part),
		cmocka_unit_test(the_summary_is_brief_on_a_small_screen),
		cmocka_unit_test(one_that_waits_for_collections_is_not_idle),
		cmocka_unit_test(the_longest_pause_is_explained),
		cmocka_unit_test(gc_in_one_phase),
		cmocka_unit_test(gc_of_ranges_that_cut_pauses),
		cmocka_unit_test(owners_that_wake_are_told_once),
		cmocka_unit_test(lost_events_bound_the_idle_time),
		cmocka_unit_test(a_disabled_capability_is_not_idle),
		cmocka_unit_test(many_capabilities_are_folded),
		cmocka_unit_test(idle_sync_and_stopped_are_told_apart),
		cmocka_unit_test(numbered_spans_are_one_row),
		cmocka_unit_test(lines_of_a_comparison_are_filtered_and_sorted),
		cmocka_unit_test(small_sparks_are_told),
		cmocka_unit_test(the_work_of_the_profiler_is_told),
		cmocka_unit_test(a_comparison_is_sorted_by_each_column),
		cmocka_unit_test(lines_of_a_comparison_are_exported_as_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
