/* The list of events: rows, pages, filters, hits and counts; and the job that finds them meanwhile. */
#include "jobs/event_job.h"
#include "jobs/event_row.h"
#include "logs.h"

#include <sched.h>
#include <stdio.h>

enum { ROUNDS = 3000 };

/* Two capabilities: a thread runs and stops on both, and a message now and then. */
static struct evl_log *sample(struct built *b)
{
	*b = log_begin();
	for (unsigned cap = 0; cap < 2; cap++) {
		uint64_t t = 100 + cap;
		block_begin(b, (uint16_t)cap, t);
		for (unsigned i = 0; i < ROUNDS; i++, t += 100) {
			put_run(b, t, i % 7);
			put_stop(b, t + 40, i % 7, 7);
			if (i % 100 == 50)
				put(b, t + 50, EVL_USER_MSG, "s", i % 200 == 50 ? "Needle" : "hay");
		}
		block_end(b, t);
	}
	log_end(b);
	return walked(b);
}

struct fixture {
	struct built b;
	struct evl_log *log;
	struct event_rank order;
	struct event_filter filter;
	struct pattern pattern;
	struct event_scan scan;
	atomic_bool stop;
};

static void open_fixture(struct fixture *x, const char *filter, const char *pattern)
{
	static const struct time_expr when = {.last = 1000000};
	*x = (struct fixture){0};
	x->log = sample(&x->b);
	assert_int_equal(event_rank_init(&x->order, &x->log->blocks, x->log->tiles), 0);
	assert_int_equal(event_filter_init(&x->filter, filter, &when, NULL), 0);
	if (*pattern)
		assert_int_equal(
			pattern_init(&x->pattern, (struct evl_str){(const uint8_t *)pattern, strlen(pattern)}, NULL),
			0);
	x->scan = (struct event_scan){.log = x->log,
		.order = &x->order,
		.filter = *filter ? &x->filter : NULL,
		.pattern = *pattern ? &x->pattern : NULL};
}

static void close_fixture(struct fixture *x)
{
	event_scan_free(&x->scan);
	event_filter_free(&x->filter);
	pattern_free(&x->pattern);
	event_rank_free(&x->order);
	done(x->log, &x->b);
}

static struct event_page page_of(struct fixture *x, struct event_ask ask)
{
	struct event_page page = {0};
	assert_true(event_page_page(&x->scan, &ask, &x->stop, &page));
	return page;
}

static void assert_text(const struct event_row *row, const char *want)
{
	char got[EVENT_ROOM + 1] = "";
	memcpy(got, row->text, row->text_len);
	assert_string_equal(got, want);
}

static void rows_of_a_page(void **state)
{
	(void)state;
	struct fixture x;
	open_fixture(&x, "", "");
	struct event_page page = page_of(&x, (struct event_ask){.at = 0, .below = 4, .above = 3});
	assert_int_equal(page.n, 5);
	assert_int_equal(page.cursor, 0);
	assert_true(page.begin);
	assert_false(page.end);
	assert_int_equal(page.total, 2 + 2 * (2 * ROUNDS + ROUNDS / 100));
	const struct event_row *r = page.rows;
	assert_string_equal(r[0].name, "BLOCK_MARKER");
	assert_string_equal(r[1].name, "RUN_THREAD");
	assert_text(&r[1], "thread 0");
	assert_string_equal(r[4].name, "STOP_THREAD");
	assert_text(&r[4], "blocked on an MVar  thread 0");
	assert_int_equal(r[4].number, 4);
	assert_int_equal(r[4].t, 140);
	assert_int_equal(r[4].delta, 39);
	assert_int_equal(r[2].cap, 1);
	event_page_free(&page);
	close_fixture(&x);
}

/* From any place by any number of rows: as the numbers say. */
static void moves(void **state)
{
	(void)state;
	static const struct {
		uint64_t from;
		int move;
		uint64_t want;
	} cases[] = {{0, 0, 0}, {0, -5, 0}, {10, 1, 11}, {10, -1, 9}, {5000, 700, 5700}, {5000, -700, 4300}, {3, -3, 0},
		{3, -4, 0}, {12050, 50, 12061}, {99999999, 0, 0}, {99999999, 2, 2}};
	struct fixture x;
	open_fixture(&x, "", "");
	for (size_t i = 0; i < countof(cases); i++) {
		struct event_page page = page_of(&x,
			(struct event_ask){.by = EVENT_BY_NUMBER,
				.number = cases[i].from,
				.move = cases[i].move,
				.above = 20,
				.below = 20});
		assert_int_equal(page.rows[page.cursor].number, cases[i].want);
		for (int k = 1; k < page.n; k++)
			assert_int_equal(page.rows[k].number, page.rows[k - 1].number + 1);
		assert_true(page.begin == (page.rows[0].number == 0));
		assert_true(page.end == (page.rows[page.n - 1].number + 1 == page.total));
		event_page_free(&page);
	}
	struct event_page page = page_of(&x, (struct event_ask){.at = ORDER_END, .above = 2});
	assert_int_equal(page.rows[page.cursor].number, page.total - 1);
	event_page_free(&page);
	close_fixture(&x);
}

static void filtered_rows_keep_their_numbers(void **state)
{
	(void)state;
	struct fixture all, x;
	open_fixture(&all, "", "");
	open_fixture(&x, "cap:1 type:USER_MSG", "needle");
	struct event_page page =
		page_of(&x, (struct event_ask){.at = event_rank_key_of(150000, 0), .above = 5, .below = 5});
	assert_int_equal(page.n, 11);
	for (int i = 0; i < page.n; i++) {
		struct event_page same =
			page_of(&all, (struct event_ask){.by = EVENT_BY_NUMBER, .number = page.rows[i].number});
		assert_int_equal(same.rows[0].off, page.rows[i].off);
		assert_string_equal(page.rows[i].name, "USER_MSG");
		assert_int_equal(page.rows[i].cap, 1);
		assert_true(page.rows[i].hit == (page.rows[i].text[0] == 'N'));
		event_page_free(&same);
	}
	assert_int_equal(page.rows[5].t, 101 + 1550 * 100 + 50); /* the first from there on */
	event_page_free(&page);
	close_fixture(&x);
	close_fixture(&all);
}

static void what_one_event_holds(void **state)
{
	(void)state;
	struct fixture x;
	open_fixture(&x, "", "");
	struct event_page page = page_of(&x, (struct event_ask){.by = EVENT_BY_NUMBER, .number = 4});
	const struct event_detail *d = &page.detail;
	assert_int_equal(d->size, 20);
	assert_int_equal(d->n_raw, 20);
	assert_int_equal(d->raw[1], EVL_STOP_THREAD);
	assert_int_equal(d->n_fields, 3);
	assert_string_equal(d->fields[1].name, "status");
	assert_memory_equal(d->fields[1].value, "blocked on an MVar", d->fields[1].len);
	assert_true(d->in_block && d->has_next && !d->has_prev);
	assert_int_equal(d->next_t, 141);
	event_page_free(&page);
	close_fixture(&x);
}

/* A crew with the filter and the pattern of the fixture. */
static struct event_crew *crew_of(struct fixture *x, int n)
{
	struct event_crew *crew = event_crew_new(x->log, &x->order, n);
	assert_non_null(crew);
	event_crew_use(crew, &x->scan);
	return crew;
}

static struct event_count count_all(struct fixture *x, struct event_crew *crew)
{
	struct event_count c;
	event_count_begin(&c, x->log);
	while (!c.over)
		event_count_more(&c, crew, &x->stop);
	return c;
}

/* All hits from a place on or back from it, one by one. */
static unsigned hits_from(
	struct fixture *x, struct event_crew *crew, const struct event_count *counted, event_rank_key *at, bool forward)
{
	struct event_find find;
	unsigned n = 0;
	for (int result = 1; result > 0; n += result > 0) {
		event_rank_key was = *at;
		event_find_begin(&find, x->log, &x->order, *at, forward);
		while ((result = event_find_more(&find, crew, counted, &x->stop, at)) == 0)
			;
		assert_true(result < 0 || (forward ? *at > was : *at < was));
	}
	return n;
}

static void hits_in_turn(void **state)
{
	(void)state;
	for (int crowd = 1; crowd <= 3; crowd++) {
		struct fixture x;
		open_fixture(&x, "cap:0", crowd == 2 ? "\\vNeedl." : "Needle");
		struct event_crew *crew = crew_of(&x, crowd);
		struct event_count c = count_all(&x, crew);
		for (int known = 0; known < 2; known++) {
			event_rank_key at = 0;
			assert_int_equal(hits_from(&x, crew, known ? &c : NULL, &at, true), ROUNDS / 200);
			assert_int_equal(event_rank_key_t(at), 100 + 2850 * 100 + 50);
			assert_int_equal(hits_from(&x, crew, known ? &c : NULL, &at, false), ROUNDS / 200 - 1);
			assert_int_equal(event_rank_key_t(at), 100 + 50 * 100 + 50);
		}
		event_crew_free(crew);
		close_fixture(&x);
	}
}

static uint64_t place_of(struct fixture *x, struct event_crew *crew, const struct event_rank_known *known, size_t n,
	const struct event_count *counted, event_rank_key hit)
{
	struct event_place p;
	uint64_t place = 0;
	int result;
	event_place_begin(&p, known, n, counted, x->log, &x->order, hit);
	while ((result = event_place_more(&p, crew, &x->stop, &place)) == 0)
		;
	assert_int_equal(result, 1);
	return place;
}

/* The place of every hit, counted from the start of the log, from others before and after it, and from the parts of a count. */
static void places_of_hits(void **state)
{
	(void)state;
	enum { ALL = 2 * ROUNDS / 100 };
	struct fixture x;
	event_rank_key hits[ALL], at = 0;
	open_fixture(&x, "", "USER_MSG");
	struct event_crew *crew = crew_of(&x, 2);
	struct event_count c = count_all(&x, crew);
	assert_int_equal(c.hits, ALL);
	for (size_t i = 0; i < ALL; i++) {
		struct event_find find;
		int result;
		event_find_begin(&find, x.log, &x.order, at, true);
		while ((result = event_find_more(&find, crew, NULL, &x.stop, &at)) == 0)
			;
		assert_int_equal(result, 1);
		hits[i] = at;
	}
	for (size_t i = 0; i < ALL; i++) {
		assert_int_equal(place_of(&x, crew, NULL, 0, NULL, hits[i]), i + 1);
		assert_int_equal(place_of(&x, crew, NULL, 0, &c, hits[i]), i + 1);
		for (size_t k = 0; k < ALL; k += 7)
			assert_int_equal(place_of(&x, crew, &(struct event_rank_known){hits[k], k + 1}, 1,
						 k % 2 ? &c : NULL, hits[i]),
				i + 1);
	}
	event_crew_free(crew);
	close_fixture(&x);
}

static void a_search_that_is_stopped_goes_on(void **state)
{
	(void)state;
	struct fixture x;
	event_rank_key hit;
	struct event_find find;
	open_fixture(&x, "", "Needle");
	struct event_crew *crew = crew_of(&x, 2);
	event_find_begin(&find, x.log, &x.order, 0, true);
	atomic_store(&x.stop, true);
	for (int i = 0; i < 100; i++)
		assert_int_equal(event_find_more(&find, crew, NULL, &x.stop, &hit), 0);
	atomic_store(&x.stop, false);
	while (event_find_more(&find, crew, NULL, &x.stop, &hit) == 0)
		;
	assert_int_equal(event_rank_key_t(hit), 100 + 50 * 100 + 50);
	event_crew_free(crew);
	close_fixture(&x);
}

/* Threads that talk while they run and are talked about after it, in many tiles of two capabilities. */
enum { TALKS = 2000, TALKERS = 5 };
static struct evl_log *talk(struct built *b)
{
	*b = log_begin();
	for (unsigned cap = 0; cap < 2; cap++) {
		uint64_t t = 1000 + cap;
		block_begin(b, (uint16_t)cap, t);
		put(b, t, EVL_CAPSET_CREATE, "42", 7u, 1u);
		for (unsigned i = 0; i < TALKS; i++, t += 100) {
			put_run(b, t, 1 + TALKERS * cap + i % TALKERS);
			put(b, t + 10, EVL_USER_MSG, "s", "while it runs");
			put(b, t + 20, EVL_USER_MARKER, "s", "a marker");
			put_stop(b, t + 30, 1 + TALKERS * cap + i % TALKERS, 7);
			put(b, t + 40, EVL_USER_MSG, "s", "after it ran");
		}
		block_end(b, t);
	}
	log_end(b);
	return walked(b);
}

static void open_talk(struct fixture *x, const char *filter)
{
	static const struct time_expr when = {.last = 1000000};
	*x = (struct fixture){0};
	x->log = talk(&x->b);
	assert_int_equal(event_rank_init(&x->order, &x->log->blocks, x->log->tiles), 0);
	assert_int_equal(event_filter_init(&x->filter, filter, &when, NULL), 0);
	x->scan = (struct event_scan){
		.log = x->log, .order = &x->order, .brief = true, .filter = *filter ? &x->filter : NULL};
}

static void each_row_knows_who_ran(void **state)
{
	(void)state;
	struct fixture x;
	open_talk(&x, "");
	struct event_page page = page_of(&x, (struct event_ask){.above = 10, .below = 30000});
	assert_int_equal(page.n, 2 * 5 * TALKS); /* neither markers of blocks nor the sets of capabilities */
	for (int i = 0; i < page.n; i++) {
		const struct event_row *row = &page.rows[i];
		uint64_t in = (row->t - 1000 - row->cap) % 100, round = (row->t - 1000 - row->cap) / 100;
		assert_int_equal(row->runner, in == 40 ? 0 : 1 + (uint64_t)TALKERS * row->cap + round % TALKERS);
		assert_int_equal(row->number, i + (i ? 4 : 2));
		uint64_t kind = row->cap == 1 ? 1 : row->tag == EVL_USER_MSG ? (in == 10 ? 69 : 29) : 99;
		assert_int_equal(row->kind_delta, i < 10 && kind != 1 && kind != 29 ? EVENT_NO_DELTA : kind);
	}
	event_page_free(&page);
	x.scan.brief = false;
	page = page_of(&x, (struct event_ask){.above = 10, .below = 30000});
	assert_int_equal(page.n, 2 * 5 * TALKS + 4);
	event_page_free(&page);
	close_fixture(&x);
}

/* Messages of a thread and events about it; both by pages and by counting. */
static void a_filter_for_a_thread_finds_its_words(void **state)
{
	(void)state;
	struct fixture x;
	open_talk(&x, "thread:7");
	struct event_page page = page_of(&x, (struct event_ask){.below = 30000});
	struct event_crew *crew = crew_of(&x, 2);
	struct event_count c = count_all(&x, crew);
	assert_int_equal(page.n, 4 * TALKS / TALKERS);
	assert_int_equal(c.passed, 4 * TALKS / TALKERS);
	for (int i = 0; i < page.n; i++)
		assert_int_equal(page.rows[i].runner, 7);
	event_crew_free(crew);
	event_page_free(&page);
	close_fixture(&x);
}

/* Events of the log's own making come when the filter names them. */
static void a_filter_shows_what_it_names(void **state)
{
	(void)state;
	static const struct {
		const char *filter;
		int n;
	} cases[] = {{"type:CAPSET_*", 2}, {"BLOCK", 2}, {"cap:1 !USER", 2 * TALKS},
		{"cap:1 !USER or BLOCK", 2 * TALKS + 2}};
	for (size_t i = 0; i < countof(cases); i++) {
		struct fixture x;
		open_talk(&x, cases[i].filter);
		struct event_page page = page_of(&x, (struct event_ask){.below = 30000});
		assert_int_equal(page.n, cases[i].n);
		event_page_free(&page);
		close_fixture(&x);
	}
}

static void counts(void **state)
{
	(void)state;
	for (int crowd = 1; crowd <= 4; crowd++) {
		struct fixture x;
		open_fixture(&x, "type:USER_MSG text~e", "Needle");
		struct event_crew *crew = crew_of(&x, crowd);
		struct event_count c = count_all(&x, crew);
		assert_int_equal(c.passed, 2 * ROUNDS / 100);
		assert_int_equal(c.hits, 2 * ROUNDS / 200);
		assert_int_equal(c.outside, 0);
		unsigned ticks = 0;
		for (size_t i = 0; i < COUNT_TICKS; i++) {
			ticks += c.ticks[i] > 0;
			assert_true(c.ticks[i] == 0 || c.ticks[i] == 2); /* one of each capability */
		}
		assert_int_equal(ticks, ROUNDS / 200);
		event_crew_free(crew);
		close_fixture(&x);
	}
}

static void a_job_does_it_meanwhile(void **state)
{
	(void)state;
	static const struct time_expr when = {.last = 1000000};
	struct built b;
	struct evl_log *log = sample(&b);
	struct event_job *job = event_job_new(log, NULL, NULL);
	struct event_page page = {0};
	struct event_filter filter;
	struct pattern pattern;
	struct event_job_state s;
	event_rank_key hit;
	for (uint64_t serial = 1; serial < 300; serial++) /* the last one counts */
		event_job_ask(job, &(struct event_ask){.by = EVENT_BY_NUMBER, .number = serial, .serial = serial});
	assert_true(event_job_wait(job, -1));
	assert_true(event_job_take(job, &page));
	assert_int_equal(page.serial, 299);
	assert_int_equal(page.rows[page.cursor].number, 299);
	assert_false(event_job_take(job, &page));
	assert_int_equal(event_filter_init(&filter, "cap:1", &when, NULL), 0);
	assert_int_equal(pattern_init(&pattern, EVL_STR("needle"), NULL), 0);
	event_job_filter(job, &filter);
	event_job_search(job, &pattern);
	event_job_find(job, 0, true);
	while (event_job_found(job, &hit) == FOUND_NOTHING_NEW)
		sched_yield();
	assert_int_equal(event_rank_key_t(hit), 101 + 50 * 100 + 50);
	char text[100];
	assert_string_equal(event_job_hit_text(job, text, sizeof text), "USER_MSG  Needle");
	for (s.place = 0; s.place == 0; event_job_state(job, &s))
		sched_yield();
	assert_int_equal(s.place, 1);
	event_job_find(job, 0, false);
	enum event_found found;
	while ((found = event_job_found(job, &hit)) == FOUND_NOTHING_NEW)
		sched_yield();
	assert_int_equal(found, FOUND_NOWHERE);
	while (event_job_busy(job))
		event_job_news(job), sched_yield();
	event_job_state(job, &s);
	assert_false(s.counting || s.finding || s.stopped);
	assert_int_equal(s.hits, ROUNDS / 200);
	assert_int_equal(s.passed, 2 * ROUNDS + ROUNDS / 100); /* without the block marker */
	assert_false(event_job_stop(job));
	event_page_free(&page);
	event_job_free(job);
	done(log, &b);
}

/* Cancelled questions never hang or leak. */
static void a_job_that_is_left_at_work(void **state)
{
	(void)state;
	static const struct time_expr when = {.last = 1000000};
	struct built b;
	struct evl_log *log = sample(&b);
	for (int i = 0; i < 20; i++) {
		struct event_job *job = event_job_new(log, NULL, NULL);
		struct event_filter filter;
		struct pattern pattern;
		for (int k = 0; k <= i % 3; k++) {
			assert_int_equal(event_filter_init(&filter, "text~nothing", &when, NULL), 0);
			assert_int_equal(pattern_init(&pattern, EVL_STR("\\vno.hing"), NULL), 0);
			event_job_filter(job, &filter);
			event_job_search(job, &pattern);
			event_job_find(job, 0, true);
			event_job_ask(job, &(struct event_ask){.below = 10});
		}
		if (i % 2)
			event_job_stop(job);
		event_job_free(job);
	}
	done(log, &b);
}

/* The next one of the name; an exact match before a prefix; after the last comes the first. */
static void markers_by_name(void **state)
{
	(void)state;
	static const char *const names[] = {"phase one", "phase", "other", "phase two", "phase"};
	static const struct {
		const char *name;
		uint64_t from, want;
	} cases[] = {{"phase", 0, 101}, {"phase", 101, 104}, {"phase", 104, 101}, {"phase ", 0, 100},
		{"phase ", 100, 103}, {"phase t", 103, 103}, {"othe", 9999, 102}, {"Phase", 0, 0}, {"x", 103, 0}};
	struct built b = log_begin();
	struct fixture x = {0};
	block_begin(&b, 0, 100);
	for (size_t i = 0; i < countof(names); i++)
		put(&b, 100 + i, EVL_USER_MARKER, "s", names[i]);
	block_end(&b, 110);
	x.log = walked(&b);
	assert_int_equal(event_rank_init(&x.order, &x.log->blocks, x.log->tiles), 0);
	x.scan = (struct event_scan){.log = x.log, .order = &x.order};
	for (size_t i = 0; i < countof(cases); i++) {
		struct event_ask ask = {.by = EVENT_BY_MARKER, .at = event_rank_key_of(cases[i].from, UINT64_MAX)};
		snprintf(ask.marker, sizeof ask.marker, "%s", cases[i].name);
		struct event_page page = page_of(&x, ask);
		assert_int_equal(page.missing, cases[i].want == 0);
		if (cases[i].want)
			assert_int_equal(page.rows[page.cursor].t, cases[i].want);
		event_page_free(&page);
	}
	event_scan_free(&x.scan);
	event_rank_free(&x.order);
	done(x.log, &b);
}

static void words(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 10);
	put(&b, 10, EVL_THREAD_LABEL, "4s", 5u, "worker");
	put_run(&b, 11, 5);
	put(&b, 12, EVL_STOP_THREAD, "424", 5u, 8u, 9u);
	put(&b, 13, EVL_HEAP_SIZE, "48", 0u, (uint64_t)520000000);
	put(&b, 14, EVL_STOP_THREAD, "424", 6u, 77u, 0u);
	put(&b, 15, EVL_THREAD_WAKEUP, "42", 5u, 0xffffu);
	put(&b, 16, EVL_THREAD_LABEL, "4s", 9u, "owner");
	block_end(&b, 20);
	static const char *const want[] = {"size 159  end 20 ns  cap 0", "thread 5  worker", "thread 5 \"worker\"",
		"blocked on a black hole  of thread 9 \"owner\"  thread 5 \"worker\"", "520 MB", "status 77  thread 6",
		"wakes 5 \"worker\"  on cap none", "thread 9  owner"};
	/* where a column names thread 5; NULL: all of it */
	static const char *const beside_5[countof(want)] = {
		[2] = "", [3] = "blocked on a black hole  of thread 9 \"owner\""};
	struct evl_log *log = walked(&b);
	struct buf out = {0};
	struct block block;
	assert_true(blocks_first(&log->blocks, &block));
	struct frame f = {.next = block.off};
	for (size_t i = 0; i < countof(want); i++) {
		assert_true(block_next(&log->blocks, &block, f.off, f.next, &f));
		buf_clear(&out);
		event_details(&out, log, &f);
		buf_char(&out, 0);
		assert_string_equal(out.p, want[i]);
		size_t all = strlen(want[i]);
		buf_clear(&out);
		assert_int_equal(event_details_of(&out, log, &f, 1234), all);
		buf_clear(&out);
		assert_int_equal(event_details_of(&out, log, &f, 5), beside_5[i] ? strlen(beside_5[i]) : all);
	}
	buf_free(&out);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_a_page),
		cmocka_unit_test(moves),
		cmocka_unit_test(filtered_rows_keep_their_numbers),
		cmocka_unit_test(what_one_event_holds),
		cmocka_unit_test(hits_in_turn),
		cmocka_unit_test(places_of_hits),
		cmocka_unit_test(a_search_that_is_stopped_goes_on),
		cmocka_unit_test(counts),
		cmocka_unit_test(each_row_knows_who_ran),
		cmocka_unit_test(a_filter_for_a_thread_finds_its_words),
		cmocka_unit_test(a_filter_shows_what_it_names),
		cmocka_unit_test(markers_by_name),
		cmocka_unit_test(a_job_does_it_meanwhile),
		cmocka_unit_test(a_job_that_is_left_at_work),
		cmocka_unit_test(words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
