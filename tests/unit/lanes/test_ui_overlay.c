/* Drawings over lanes and words in lanes: pauses over all lanes, samples of perf, marked objects, heap
 * before its first sample, the ruler in wall-clock time. */
#include "lanes/lane_overlay.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "logs.h"

#include <stdio.h>
#include <stdlib.h>

enum { MS = 1000000, COLS = 100, CELLS = 128 };

static const struct lane_place place = {
	.rows = 24, .label_x = 1, .label_w = 8, .plot_x = 10, .cols = COLS, .gutter_x = 111, .gutter_w = 9};

/* The whole of a log of 100 ms, a column per ms. */
struct scene {
	struct built bytes;
	struct evl_log *log;
	struct model m;
	struct plot plot;
	struct canvas c;
};

static void show(struct scene *s)
{
	log_end(&s->bytes);
	s->log = walked(&s->bytes);
	model_init(&s->m, s->log);
	model_set_cols(&s->m, COLS);
	s->m.at.t0 = 0;
	s->m.at.t1 = 100 * MS;
	assert_int_equal(canvas_resize(&s->c, 24, CELLS), 0);
	canvas_clear(&s->c);
	assert_true(plot_update(&s->plot, &s->m));
}

static void end(struct scene *s)
{
	plot_free(&s->plot);
	canvas_free(&s->c);
	done(s->log, &s->bytes);
}

static bool shows(const struct scene *s, const char *text)
{
	char *dump = canvas_dump(&s->c);
	bool found = strstr(dump, text);
	free(dump);
	return found;
}

/* Pauses of 1, 2 and 10 ms, the last one major; between them eight of 0.6 ms each in neighbouring columns. */
static void begin_pauses(struct scene *s)
{
	*s = (struct scene){.bytes = log_begin()};
	block_begin(&s->bytes, 0, 0);
	put(&s->bytes, 1, EVL_CREATE_THREAD, "4", 7u);
	put_run(&s->bytes, 2, 7);
	put_stop(&s->bytes, 9 * MS, 7, 6);
	put_gc(&s->bytes, 10 * MS, 10 * MS, 11 * MS, 0);
	put_gc(&s->bytes, 20 * MS, 20 * MS, 22 * MS, 0);
	for (unsigned i = 0; i < 8; i++) {
		put_gc(&s->bytes, (30 + i) * MS + 1000, (30 + i) * MS + 1000, (30 + i) * MS + 301000, 0);
		put_gc(&s->bytes, (30 + i) * MS + 400000, (30 + i) * MS + 400000, (30 + i) * MS + 900000, 0);
	}
	put_gc(&s->bytes, 60 * MS, 63 * MS, 70 * MS, 1);
	put_run(&s->bytes, 80 * MS, 7);
	put_stop(&s->bytes, 100 * MS - 1, 7, 5);
	block_end(&s->bytes, 100 * MS);
	show(s);
}

static void pauses_that_are_wide_are_shaded(void **state)
{
	(void)state;
	struct scene s;
	uint8_t got[COLS];
	begin_pauses(&s);
	assert_true(shade_columns(&s.plot, SHADE_AUTO, got));
	for (int i = 0; i < COLS; i++) { /* the first and last column of the last one; sync is part of it */
		bool want = i == 60 || i == 69;
		assert_int_equal(got[i], want ? SHADED_MAJOR : 0);
	}
	assert_true(shade_columns(&s.plot, SHADE_ON, got));
	assert_int_equal(got[10], SHADED_MINOR);
	assert_int_equal(got[20], SHADED_MINOR);
	assert_int_equal(got[21], SHADED_MINOR);
	assert_int_equal(got[30], SHADED_MINOR); /* several of a column together */
	assert_int_equal(got[31], 0);
	assert_int_equal(got[37], SHADED_MINOR);
	assert_int_equal(got[9] + got[11] + got[22] + got[29] + got[38] + got[59] + got[70], 0);
	assert_false(shade_columns(&s.plot, SHADE_OFF, got));
	for (int i = 0; i < COLS; i++)
		assert_int_equal(got[i], 0);
	end(&s);
}

/* The pause is a sign; the colour under it still says that the thread had stopped by itself. */
static void shade_keeps_what_is_under_it(void **state)
{
	(void)state;
	struct scene s;
	uint8_t shade[COLS];
	begin_pauses(&s);
	struct lanes l = {.log = s.log, .position = SIZE_MAX};
	struct placed_lane placed = {.lane = {.ops = &lane_thread, .index = 7, .rows = 1}, .y = 3};
	s.plot.lanes = &l;
	s.m.at.cursor = 5 * MS;
	l.shade = shade_columns(&s.plot, SHADE_AUTO, shade) ? shade : NULL;
	canvas_fill(&s.c, 3, place.plot_x + 55, 1, 10, ST_BLOCKED);
	canvas_str(&s.c, 3, place.plot_x + 67, 3, PEN(ST_TEXT), "a b");
	canvas_str(&s.c, 3, place.plot_x + 4, 3, PEN(ST_TEXT), "r-4");
	marks_draw(&s.plot, &placed, &place, &s.c);
	const struct cell *blocked = canvas_at(&s.c, 3, place.plot_x + 60),
			  *before = canvas_at(&s.c, 3, place.plot_x + 59);
	assert_int_equal(blocked->ch, 0x250b);
	assert_int_equal(blocked->bg, ST_BLOCKED);
	assert_int_equal(blocked->fg, ST_MAJOR);
	assert_int_equal(before->ch, ' ');
	assert_int_equal(canvas_at(&s.c, 3, place.plot_x + 64)->bg, ST_BLOCKED);
	assert_int_equal(canvas_at(&s.c, 3, place.plot_x + 68)->ch, ' '); /* a blank between words */
	assert_int_equal(canvas_at(&s.c, 3, place.plot_x + 69)->ch, 'b');
	assert_int_equal(canvas_at(&s.c, 3, place.plot_x + 5)->ch, '-'); /* under the cursor */
	assert_int_equal(canvas_at(&s.c, 3, place.plot_x + 5)->attr, ATTR_REVERSE);
	placed.y = 7;
	s.c.mono = true;
	canvas_str(&s.c, 7, place.plot_x + 67, 3, PEN(ST_TEXT), "a b");
	marks_draw(&s.plot, &placed, &place, &s.c);
	assert_int_equal(canvas_at(&s.c, 7, place.plot_x + 60)->ch, 0x250b);
	assert_int_equal(canvas_at(&s.c, 7, place.plot_x + 68)->ch, ' ');
	s.c.mono = false;
	placed.y = 5;
	s.c.ascii = true;
	marks_draw(&s.plot, &placed, &place, &s.c);
	assert_int_equal(canvas_at(&s.c, 5, place.plot_x + 60)->ch, '%');
	end(&s);
}

/* Ten counters, of which eight are kept; number 5 has no samples, and number 2 no name. */
static void perf_counters_are_lanes(void **state)
{
	(void)state;
	struct scene s = {.bytes = log_begin()};
	char name[16];
	unsigned want[10][COLS] = {0};
	block_begin(&s.bytes, 0, 0);
	for (unsigned k = 0; k < 10; k++) {
		snprintf(name, sizeof name, "counter-%u", k);
		if (k != 2)
			put(&s.bytes, 1 + k, EVL_PERF_NAME, "4s", k, name);
		else
			put(&s.bytes, 1 + k, EVL_PERF_TRACEPOINT, "48", k, (uint64_t)4711);
		want[k][0] += k == 2;
	}
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t t = (uint64_t)i * MS / 10 + 20;
		unsigned k = i * i % 10;
		if (k == 5)
			continue;
		put(&s.bytes, t, EVL_PERF_COUNTER, "488", k, (uint64_t)4711, (uint64_t)1000 + i);
		want[k][t / MS]++;
	}
	block_end(&s.bytes, 100 * MS);
	show(&s);
	assert_int_equal(lane_perf.count(s.log), 5); /* squares end in 0 1 4 5 6 9, and there is the tracepoint */
	assert_true(s.log->perf.more > 0);
	const unsigned ids[] = {0, 1, 2, 4, 6};
	for (unsigned i = 0; i < 5; i++) {
		const struct perf_counter *c = perf_at(&s.log->perf, i);
		assert_int_equal(c->id, ids[i]);
		for (int col = 0; col < COLS; col++)
			assert_int_equal(points_in(&c->samples, (uint64_t)col * MS, (uint64_t)(col + 1) * MS, NULL),
				want[ids[i]][col]);
	}
	struct lane lane = {.ops = &lane_perf, .index = 1, .rows = 1};
	struct line l = {.c = &s.c, .y = 1, .x = 1, .end = CELLS, .bg = ST_PAGE};
	lane_perf.draw(&lane, &s.plot, &place, &s.c, 0);
	assert_true(shows(&s, "coun…r-1"));
	s.m.at.cursor = 20 + MS / 10 + 500; /* sample 1 of counter 1 */
	lane_perf.inspect(&lane, &s.m, &l);
	assert_true(shows(&s, "perf counter-1  last sample of 1,001 in OS thread 4711, 500 ns ago"));
	uint64_t t;
	assert_true(lane_perf.change(&lane, s.log, 20 + MS / 10, true, &t));
	assert_int_equal(t, 20 + 9 * (MS / 10));
	lane.index = 2;
	canvas_clear(&s.c);
	lane_perf.draw(&lane, &s.plot, &place, &s.c, 0);
	assert_true(shows(&s, "perf 2"));
	end(&s);
}

static void marked_objects_are_told(void **state)
{
	(void)state;
	struct scene s = {.bytes = log_begin()};
	uint64_t marked;
	block_begin(&s.bytes, 0, 0);
	put_run(&s.bytes, 1, 1);
	put_stop(&s.bytes, 100 * MS - 1, 1, 5);
	block_end(&s.bytes, 100 * MS);
	block_begin(&s.bytes, EVL_NO_CAP, 0);
	put(&s.bytes, 10 * MS, EVL_CONC_MARK_BEGIN, "");
	put(&s.bytes, 60 * MS, EVL_CONC_MARK_END, "4", 12345u);
	put(&s.bytes, 61 * MS, EVL_CONC_SYNC_BEGIN, "");
	put(&s.bytes, 62 * MS, EVL_CONC_MARK_END, "4", 7u);
	put(&s.bytes, 63 * MS, EVL_CONC_SYNC_END, "");
	block_end(&s.bytes, 100 * MS);
	show(&s);
	assert_true(nonmoving_marked(&s.log->nonmoving, &s.log->blocks, 10 * MS, 60 * MS, &marked));
	assert_int_equal(marked, 12345);
	assert_true(nonmoving_marked(&s.log->nonmoving, &s.log->blocks, 0, UINT64_MAX, &marked));
	assert_int_equal(marked, 12352);
	assert_false(nonmoving_marked(&s.log->nonmoving, &s.log->blocks, 10 * MS, 60 * MS - 1, &marked));
	struct lane lane = {.ops = &lane_nonmoving, .rows = 1};
	struct line l = {.c = &s.c, .y = 1, .x = 1, .end = CELLS, .bg = ST_PAGE};
	lane_nonmoving.draw(&lane, &s.plot, &place, &s.c, 0);
	assert_true(shows(&s, "mark 12,345 objects"));
	s.m.at.cursor = 62 * MS;
	lane_nonmoving.inspect(&lane, &s.m, &l);
	assert_true(shows(&s, "sync  2.00 ms  marked 7 objects"));
	end(&s);
}

static void the_heap_says_why_it_is_empty(void **state)
{
	(void)state;
	struct scene s = {.bytes = log_begin()};
	struct lane_place tall = place;
	block_begin(&s.bytes, 0, 0);
	put(&s.bytes, 1, EVL_HEAP_INFO_GHC, "2888888", 0u, (uint64_t)2, (uint64_t)0, (uint64_t)1 << 20,
		(uint64_t)1 << 20, (uint64_t)1 << 20, (uint64_t)4096);
	put_run(&s.bytes, 2, 1);
	put(&s.bytes, 50 * MS, EVL_HEAP_SIZE, "48", 0u, (uint64_t)1 << 20);
	put_stop(&s.bytes, 100 * MS - 1, 1, 5);
	block_end(&s.bytes, 100 * MS);
	show(&s);
	tall.tall = true;
	tall.log = s.log;
	assert_int_equal(lane_heap.rows(&tall), 2);
	struct lane lane = {.ops = &lane_heap, .rows = 2};
	lane_heap.draw(&lane, &s.plot, &place, &s.c, 0);
	assert_true(shows(&s, "no heap data before the first GC"));
	assert_true(shows(&s, "live bytes are known after a major GC: none in this log"));
	lane_heap.inspect_column(
		&lane, &s.plot, 5, &(struct line){.c = &s.c, .y = 9, .x = 1, .end = CELLS, .bg = ST_PAGE});
	assert_true(shows(&s, "   no heap data before the first GC"));
	end(&s);
}

static void the_ruler_shows_the_time_of_day(void **state)
{
	(void)state;
	struct scene s = {.bytes = log_begin()};
	setenv("TZ", "UTC0", 1);
	block_begin(&s.bytes, 0, 0);
	put(&s.bytes, 1, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)1763655000, 990000000u); /* 16:10:00.99 */
	put_run(&s.bytes, 2, 1);
	put_stop(&s.bytes, 100 * MS - 1, 1, 5);
	block_end(&s.bytes, 100 * MS);
	show(&s);
	s.m.wall = true;
	part_ruler(&s.m, &place, &s.c, 0);
	assert_true(shows(&s, "│16:10:01.00"));
	assert_false(shows(&s, "│0.0"));
	const struct cell *tick = canvas_at(&s.c, 0, place.plot_x + 10); /* a second after the log's time 0.99 */
	assert_int_equal(tick->ch, 0x2502);
	s.m.wall = false;
	canvas_clear(&s.c);
	part_ruler(&s.m, &place, &s.c, 0);
	assert_true(shows(&s, "│0.0"));
	end(&s);
}

/* The text of a tick is next to it, or is left out where a mark or the cursor would be on it or read with it. */
static void the_ruler_keeps_signs_and_texts_apart(void **state)
{
	(void)state;
	struct scene s = {.bytes = log_begin()};
	block_begin(&s.bytes, 0, 0);
	put_run(&s.bytes, 2, 1);
	put_stop(&s.bytes, 100 * MS - 1, 1, 5);
	block_end(&s.bytes, 100 * MS);
	show(&s);
	struct lane_place wide = place;
	wide.wide = true;
	part_ruler(&s.m, &wide, &s.c, 0);
	assert_true(shows(&s, "│0.02 s "));
	assert_true(shows(&s, " in window"));
	assert_true(bookmarks_set(&s.m.marks, 'a', 20 * MS));
	assert_true(bookmarks_set(&s.m.marks, 'b', 42 * MS));
	assert_true(bookmarks_set(&s.m.marks, 'c', 65 * MS));
	assert_true(bookmarks_set(&s.m.marks, 'd', 99 * MS));
	canvas_clear(&s.c);
	part_ruler(&s.m, &wide, &s.c, 0);
	assert_true(shows(&s, "│0.01 s   a         │0.03 s   │ b       │0.05 s   │    c    │0.07 s   │0.08 s "));
	assert_true(shows(&s, "d    window"));
	s.m.at.cursor = 82 * MS;
	canvas_clear(&s.c);
	part_ruler(&s.m, &wide, &s.c, 0);
	assert_true(shows(&s, "│ ▼       │0.09 s "));
	s.m.at.cursor = 80 * MS;
	canvas_clear(&s.c);
	part_ruler(&s.m, &wide, &s.c, 0);
	assert_true(shows(&s, "▼0.08 s "));
	s.m.at.t0 += MS;
	s.m.at.t1 += MS;
	s.m.at.cursor = 100 * MS; /* in the last column, with the tick of 0.1 */
	canvas_clear(&s.c);
	part_ruler(&s.m, &wide, &s.c, 0);
	assert_true(shows(&s, "▼ in window"));
	s.m.at.cursor = 50 * MS;
	canvas_clear(&s.c);
	part_ruler(&s.m, &wide, &s.c, 0);
	assert_true(shows(&s, "d  in window"));
	end(&s);
}

/* The line of a lane of moments names the last one up to the cursor and the next one, and of messages the last one before it.
 * Both are compared with a look at all of them. */
static void moments_are_named_from_the_cursor(void **state)
{
	(void)state;
	enum { MARKERS = 9, APART = 10 * MS };
	struct scene s = {.bytes = log_begin()};
	struct lane markers = {.ops = &lane_markers, .rows = 1}, messages = {.ops = &lane_messages, .rows = 1};
	char text[32];
	for (uint16_t cap = 0; cap < 2; cap++) { /* in turn on both capabilities */
		block_begin(&s.bytes, cap, 0);
		for (unsigned i = cap; i < MARKERS; i += 2) {
			snprintf(text, sizeof text, "mark %u", i);
			put(&s.bytes, (i + 1) * APART, EVL_USER_MARKER, "s", text);
			put(&s.bytes, (i + 1) * APART, EVL_USER_MSG, "s", text);
		}
		block_end(&s.bytes, 100 * MS);
	}
	show(&s);
	for (uint64_t t = 0; t < 100 * MS; t += APART / 4) {
		int last = -1, next = MARKERS, said = -1;
		for (int i = 0; i < MARKERS; i++) {
			uint64_t at = (uint64_t)(i + 1) * APART;
			last = at <= t ? i : last;
			said = at < t ? i : said;
			next = at > t && next == MARKERS ? i : next;
		}
		canvas_clear(&s.c);
		s.m.at.cursor = t;
		struct line l = {.c = &s.c, .y = 1, .x = 1, .end = CELLS, .bg = ST_PAGE};
		lane_markers.inspect(&markers, &s.m, &l);
		l = (struct line){.c = &s.c, .y = 2, .x = 1, .end = CELLS, .bg = ST_PAGE};
		lane_messages.inspect(&messages, &s.m, &l);
		snprintf(text, sizeof text, "last \"mark %d\" ", last);
		assert_int_equal(shows(&s, last < 0 ? "last \"" : text), last >= 0);
		snprintf(text, sizeof text, "next \"mark %d\" in ", next);
		assert_int_equal(shows(&s, next == MARKERS ? "next \"" : text), next < MARKERS);
		snprintf(text, sizeof text, " ago: mark %d", said);
		assert_true(shows(&s, said < 0 ? "no message yet" : text));
	}
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pauses_that_are_wide_are_shaded),
		cmocka_unit_test(shade_keeps_what_is_under_it),
		cmocka_unit_test(perf_counters_are_lanes),
		cmocka_unit_test(marked_objects_are_told),
		cmocka_unit_test(moments_are_named_from_the_cursor),
		cmocka_unit_test(the_heap_says_why_it_is_empty),
		cmocka_unit_test(the_ruler_shows_the_time_of_day),
		cmocka_unit_test(the_ruler_keeps_signs_and_texts_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
