/* Keys that mean the same in every list: filters, sorting, and what leads back. */
#include "chrome/copy.h"
#include "chrome/export_cmd.h"
#include "everything.h"
#include "jobs/event_row.h"
#include "paned.h"
#include "panes/marks/marks_pane.h"
#include "panes/prof/prof_whose.h"
#include "panes/stats/diff_view.h"
#include "panes/stats/stats_tables.h"
#include "panes/timeline/timeline.h"
#include "report/whole_time.h"
#include "rows/rows.h"
#include "show/event_merge.h"
#include "table/thread_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct built bytes;
static struct evl_log *log_;

static void begin(enum pane_kind pane)
{
	bytes = everything(40);
	log_ = walked(&bytes);
	paned_open(log_, pane, 40, 120);
}

static void end(void)
{
	paned_close();
	done(log_, &bytes);
}

/* Type a key, or a text, into the prompt; without what is said of it. */
static void type_key(const char *name)
{
	struct key key = {.kind = KEY_NAME};
	snprintf(key.name, sizeof key.name, "%s", name);
	pane_prompt_key(&host, &key);
	host.message[0] = '\0';
}

static void type(const char *text)
{
	for (; *text; text++)
		type_key((char[]){*text, 0});
	paned_draw();
}

static void end_prompt(const char *key)
{
	type_key(key);
	paned_draw();
}

/* --- Enter takes a filter, Esc at the prompt keeps the former one, Esc in the pane clears it --- */

static const struct {
	enum pane_kind pane;
	enum action opens; /* the list; ACT_NONE: it is there */
} lists[] = {{PANE_TIMELINE, ACT_NONE}, {PANE_HEAP, ACT_NONE}, {PANE_EVENTS, ACT_NONE}, {PANE_PROF, ACT_FILTER},
	{PANE_STATS, ACT_PATH}, {PANE_STATS, ACT_DIFFERENCE}, {PANE_QUERY, ACT_NONE}, {PANE_QUERY, ACT_EXPAND}};

static void escape_clears_a_filter(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(lists); i++) {
		begin(lists[i].pane);
		if (lists[i].opens == ACT_DIFFERENCE)
			selection_set(&host.model.selection, host.model.first, host.model.last / 2);
		if (lists[i].opens)
			paned_key(lists[i].opens);
		paned_key(ACT_FILTER);
		const char *filter = lists[i].pane == PANE_EVENTS ? "text~zq" : "zq";
		type(filter);
		end_prompt("<Enter>");
		if (!paned_has("zq"))
			fail_msg("%s: the filter is not kept", host.kinds[lists[i].pane]->name);
		paned_key(ACT_FILTER);
		assert_string_equal(host.prompt.text, filter);
		type("x");
		end_prompt("<Esc>");
		if (!paned_has("zq") || paned_has("zqx"))
			fail_msg("%s: the former filter is not kept", host.kinds[lists[i].pane]->name);
		for (int k = 0; k < 3 && paned_has("zq"); k++) { /* a range is dropped first */
			panes_escape(&host);
			paned_draw();
		}
		if (paned_has("zq"))
			fail_msg("%s: the filter is not cleared", host.kinds[lists[i].pane]->name);
		if (lists[i].opens == ACT_FILTER)
			paned_key(ACT_FILTER); /* the list was closed */
		paned_key(ACT_FILTER);
		if (host.prompt.open && *host.prompt.text)
			fail_msg("%s: \"%s\" is still asked for", host.kinds[lists[i].pane]->name, host.prompt.text);
		end();
	}
}

/* --- a list is copied and exported --- */

static void a_list_is_copied_and_exported(void **state)
{
	static const struct {
		enum pane_kind pane;
		enum action opens;
		const char *row, *export;
	} open[] = {{PANE_PROF, ACT_FILTER, "all threads", "export csv shown "},
		{PANE_STATS, ACT_PATH, "worker", "export csv shown "},
		{PANE_QUERY, ACT_NONE, "blocked-on", "export csv blocked-on "},
		{PANE_PROF, ACT_NONE, "a.hs", "export folded "}, {PANE_HEAP, ACT_NONE, "Main.Node", "export hp "}};
	(void)state;
	for (size_t i = 0; i < countof(open); i++) {
		char text[256];
		struct buf copied = {0};
		begin(open[i].pane);
		if (open[i].opens)
			paned_key(open[i].opens);
		assert_true(copy_row(&host, true, &copied));
		buf_char(&copied, '\0');
		if (!strstr(copied.p, open[i].row))
			fail_msg("%s: \"%s\" is copied", host.kinds[open[i].pane]->name, copied.p);
		assert_non_null(export_cmd_offer(&host, text, sizeof text));
		if (strncmp(text, open[i].export, strlen(open[i].export)) != 0)
			fail_msg("%s: \"%s\" is offered", host.kinds[open[i].pane]->name, text);
		buf_free(&copied);
		end();
	}
}

/* --- marks --- */

/* Filter, sort, go to, and remove a row. */
static void marks_are_a_table(void **state)
{
	struct buf copied = {0};
	(void)state;
	begin(PANE_HEAP);
	paned_key(ACT_MARKS);
	assert_seen("no marks yet");
	marks_act(&host, ACT_TO_MARK, 'b');
	assert_string_equal(host.message, "mark b is not set (mb sets it)");
	assert_true(panes_leave(&host));
	assert_int_equal(host.shown, PANE_HEAP);
	model_goto(&host.model, 9000, 0);
	marks_act(&host, ACT_MARK, 'b');
	model_goto(&host.model, 4000, 0);
	marks_act(&host, ACT_MARK, 'x');
	assert_null(bookmarks_add_range(&host.model.marks, "warm", 2000, 12000));
	paned_key(ACT_MARKS);
	assert_seen("marks and ranges 3");
	assert_seen("> b "); /* by name, ranges last */
	paned_key(ACT_HIGHER);
	paned_key(ACT_HIGHER);
	paned_key(ACT_START);
	assert_seen("> warm "); /* by time */
	assert_true(copy_row(&host, true, &copied));
	buf_char(&copied, '\0');
	assert_non_null(strstr(copied.p, "10.0 us"));
	buf_free(&copied);
	paned_key(ACT_FILTER);
	type("at>5us");
	end_prompt("<Enter>");
	assert_seen("1 match");
	paned_key(ACT_EXPAND);
	assert_int_equal(host.shown, PANE_HEAP);
	assert_int_equal(host.model.at.cursor, 9000);
	paned_key(ACT_MARKS);
	paned_key(ACT_REMOVE);
	assert_seen("no row matches the filter");
	uint64_t t;
	assert_false(bookmarks_get(&host.model.marks, 'b', &t));
	paned_key(ACT_FILTER);
	type_key("<C-u>");
	end_prompt("<Enter>");
	paned_key(ACT_START);
	paned_key(ACT_EXPAND);
	assert_true(host.model.selection.on);
	assert_int_equal(selection_from(&host.model.selection), 2000);
	assert_int_equal(selection_to(&host.model.selection), 12000);
	end();
}

/* Get the file that `:export csv shown` writes. */
static void export_shown(char *text, size_t room)
{
	char name[] = "/tmp/evtui-shown-XXXXXX", command[64];
	struct evl_err err;
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	snprintf(command, sizeof command, "csv shown %s", name);
	assert_int_equal(export_cmd_begin(&host, command, true, &err), 0);
	while (export_cmd_busy(&host))
		export_cmd_news(&host);
	FILE *f = fopen(name, "r");
	assert_non_null(f);
	size_t n = fread(text, 1, room - 1, f);
	assert_true(n < room - 1);
	text[n] = '\0';
	fclose(f);
	close(fd);
	unlink(name);
}

/* The rows as shown, filtered. */
static void marks_are_exported(void **state)
{
	static const char want[] = "name,at_ns,away_ns,to_ns,lasts_ns\nwarm,2000,2000,12000,10000\n";
	char text[256];
	(void)state;
	begin(PANE_TIMELINE);
	model_goto(&host.model, 4000, 0);
	marks_act(&host, ACT_MARK, 'x');
	assert_null(bookmarks_add_range(&host.model.marks, "warm", 2000, 12000));
	paned_key(ACT_MARKS);
	paned_key(ACT_FILTER);
	type("lasts>1us");
	end_prompt("<Enter>");
	export_shown(text, sizeof text);
	assert_string_equal(text, want);
	end();
}

static void filter_by(const char *text)
{
	paned_key(ACT_FILTER);
	type(text);
	end_prompt("<Enter>");
}

static void expect_offer(const char *start)
{
	char text[256] = "";
	if (!export_cmd_offer(&host, text, sizeof text) || strncmp(text, start, strlen(start)) != 0)
		fail_msg("\"%s\" is offered", text);
}

/* The events of the list are exported: those that a slow search finds, too. */
static void filtered_events_are_exported(void **state)
{
	enum { ROOM = 1 << 20 };
	static char text[ROOM];
	struct event_merge m;
	struct frame f;
	const struct block *block;
	(void)state;
	log_ = walked_file("assets/bazaar.eventlog");
	paned_open(log_, PANE_EVENTS, 40, 120);
	expect_offer("export eventlog bazaar.eventlog");
	filter_by("cap:1 (type:GC_* or text~parse)");
	expect_offer("export csv shown bazaar-shown.csv");
	for (int ranged = 0; ranged < 2; ranged++) {
		const uint64_t from = ranged ? 1000000000 : 0, to = ranged ? 2000000000 : UINT64_MAX;
		size_t rows = 0;
		char *line = text;
		if (ranged)
			selection_set(&host.model.selection, from, to);
		export_shown(text, sizeof text);
		assert_memory_equal(line, "t_ns,cap,tag,name,json\n", 23);
		assert_int_equal(event_merge_begin(&m, &log_->blocks, &MERGE_ALL), 0);
		while (event_merge_next(&m, &f, &block)) {
			char start[64];
			struct buf details = {0};
			event_details(&details, log_, &f);
			buf_char(&details, '\0');
			const char *name = schema_name(f.tag);
			bool meant = log_->blocks.chains[block->chain].cap == 1 && f.t >= from && f.t < to
				&& (strncmp(name, "GC_", 3) == 0 || strstr(details.p, "parse"));
			buf_free(&details);
			if (!meant)
				continue;
			snprintf(start, sizeof start, "%" PRIu64 ",1,%u,%s,", f.t, (unsigned)f.tag, name);
			line = strchr(line, '\n');
			assert_non_null(line);
			line++;
			if (strncmp(line, start, strlen(start)) != 0)
				fail_msg("%s is missing before %.60s", start, line);
			rows++;
		}
		event_merge_end(&m);
		assert_true(rows > 100);
		line = strchr(line, '\n');
		assert_string_equal(line, "\n");
	}
	paned_close();
	evl_close(log_);
}

/* Get the bytes of a band in the sample at this time, as the table census has them; *n: number of bands that `word` is in. */
static double census_bytes_of(uint64_t t, const char *band, const char *word, size_t *n)
{
	struct rows_source source = {.log = log_, .to = UINT64_MAX};
	struct rows_scan scan = {.table = rows_find("census"), .source = &source, .ask = ROWS_ALL};
	double found = NAN;
	*n = 0;
	assert_int_equal(rows_open(&scan), 0);
	while (rows_next(&scan) > 0) {
		enum { TIME = 2, BAND, BYTES };
		struct datum cell = rows_cell(&scan, TIME);
		if (cell.count != t)
			continue;
		char name[200];
		cell = rows_cell(&scan, BAND);
		snprintf(name, sizeof name, "%.*s", (int)cell.text.len, (const char *)cell.text.p);
		*n += strstr(name, word) != NULL;
		const char *end = strstr(name, band); /* the list leaves the package out */
		cell = rows_cell(&scan, BYTES);
		if (end && strcmp(end, band) == 0 && (end == name || end[-1] == ':'))
			found = cell_double(&cell);
	}
	rows_close(&scan);
	rows_source_free(&source);
	return found;
}

/* The rows of the list are exported with their sizes, filtered, in the order of the list. */
static void heap_rows_are_exported(void **state)
{
	enum { NAME, DEPTH, SIZE, SHARE, SELF, BEFORE, CHANGE, PEAK, COLUMNS = 11 };
	static char text[1 << 16];
	(void)state;
	log_ = walked_file("tests/logs/9.6.6-leaky-hT.eventlog");
	paned_open(log_, PANE_HEAP, 40, 120);
	expect_offer("export hp 9.6.6-leaky-hT.hp");
	filter_by("base");
	expect_offer("export csv shown 9.6.6-leaky-hT-shown.csv");
	const uint64_t t = census_at(&log_->census, census_count(&log_->census) / 2)->t;
	model_goto(&host.model, t, 0);
	for (int compared = 0; compared < 2; compared++) {
		double above = INFINITY;
		size_t rows = 0, there = 0, bands = 0;
		if (compared)
			paned_key(ACT_DIFFERENCE);
		paned_draw();
		export_shown(text, sizeof text);
		for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
			char *cells[COLUMNS] = {line}, name[200];
			for (int i = 1; i < COLUMNS; i++)
				cells[i] = strchr(cells[i - 1], ',') + 1;
			snprintf(name, sizeof name, "%.*s", (int)(cells[DEPTH] - 1 - line), line);
			double size = strtod(cells[SIZE], NULL), want = census_bytes_of(t, name, "base", &bands),
			       by = strtod(cells[compared ? CHANGE : PEAK], NULL);
			assert_true(isnan(want) ? size == 0 : size == want);
			assert_true(by <= above);
			above = by;
			assert_true(compared ? by == size - strtod(cells[BEFORE], NULL) : *cells[CHANGE] == ',');
			assert_true(*cells[SELF] == ',');
			rows++;
			there += size > 0;
		}
		assert_int_equal(there, bands);
		assert_true(rows > 10);
	}
	paned_close();
	evl_close(log_);
	log_ = walked_file("tests/logs/9.10.3-profmix-p-hc.eventlog"); /* a tree: its parts are those of its root */
	paned_open(log_, PANE_HEAP, 40, 120);
	paned_key(ACT_MODE);
	paned_key(ACT_MODE);
	expect_offer("export csv shown ");
	export_shown(text, sizeof text);
	char *line = strchr(text, '\n') + 1;
	uint64_t size = 0, whole = strtoull(line + strlen("MAIN,0,"), NULL, 10);
	assert_memory_equal(line, "MAIN,0,", 7);
	for (; *line; line = strchr(line, '\n') + 1) {
		const char *cell = line;
		for (int i = 0; i < SELF; i++)
			cell = strchr(cell, ',') + 1;
		size += strtoull(cell, NULL, 10);
	}
	assert_int_equal(size, whole);
	paned_close();
	evl_close(log_);
}

/* A comparison is exported as it is shown, with the values that evtui diff compares. Sums differ if those per second do. */
static void a_comparison_is_exported(void **state)
{
	enum { ROOM = 1 << 17 };
	static char text[ROOM], line[512];
	static struct difference d;
	size_t rows = 0, lines = 0;
	(void)state;
	log_ = walked_file("assets/bazaar.eventlog");
	paned_open(log_, PANE_STATS, 40, 120);
	selection_set(&host.model.selection, 1000000000, 2000000000);
	paned_key(ACT_DIFFERENCE);
	assert_seen("A: the range 1.00 s");
	assert_non_null(strstr(export_cmd_offer(&host, line, sizeof line), "csv shown bazaar-shown.csv"));
	export_shown(text, sizeof text);
	const struct diff_side sides[2] = {
		{.log = log_, .from = 1000000000, .to = 2000000000}, {.log = log_, .to = UINT64_MAX}};
	assert_int_equal(difference_make(&d, sides, 0, true, NULL), 0);
	for (enum metric m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info(m);
		const struct diff_row *r = &d.rows[m];
		if (isnan(r->a) && isnan(r->b))
			continue;
		const double numbers[] = {r->a, r->b, r->by, r->ratio};
		snprintf(line, sizeof line, ",%s,,%s,", info->name, unit_name(info->unit));
		const char *cells = strstr(text, line);
		assert_non_null(cells);
		cells += strlen(line);
		for (size_t i = 0; i < countof(numbers); i++, cells += strcspn(cells, ",\n") + 1) {
			double half = i < 2 && unit_is_whole(info->unit) ? 0.5 : 0; /* of a rounded value */
			assert_true(isnan(numbers[i]) ? *cells == ',' : fabs(strtod(cells, NULL) - numbers[i]) <= half);
		}
		double seconds = d.rows[METRIC_TIME_TOTAL].b / 1e9; /* the range is one second */
		struct diff_row shown = metric_is_sum(m) ? diff_row(info->unit, METRIC_FLAT, r->a, r->b / seconds) : *r;
		bool tenth = fabs(shown.by) > 0 && (isnan(shown.ratio) || fabs(shown.ratio) >= 0.1);
		const char *verdict = shown.notable ? "differs,"
			: !tenth                    ? ","
			: info->unit == UNIT_COUNT  ? "too few,"
						    : "too small,";
		assert_memory_equal(cells, verdict, strlen(verdict));
		rows++;
	}
	assert_true(rows > 80);
	const char *finding = strstr(text, "\nfindings,"); /* has no values */
	assert_non_null(finding);
	finding += strlen("\nfindings,");
	assert_memory_equal(finding + strcspn(finding, ","), ",,,,,,,", 7);
	difference_free(&d);
	paned_key(ACT_FILTER);
	type("group=heap verdict=differs");
	end_prompt("<Enter>");
	export_shown(text, sizeof text);
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, 4);
	assert_non_null(strstr(
		text, "\nheap,heap.max_size,,bytes,570425344,680525824,110100480,0.19301470588235295,differs,\n"));
	paned_close();
	evl_close(log_);
}

/* Live bytes fall by 1 GB in the first second and grow by 100 bytes in the next: no factor leads from one slope to the
 * other. */
static void a_fall_has_no_factor(void **state)
{
	enum { STEP = 10000000, N = 100 };
	bytes = log_begin();
	(void)state;
	block_begin(&bytes, 0, 1);
	for (unsigned i = 0; i < 2 * N; i++) {
		put(&bytes, 1 + (uint64_t)i * STEP, EVL_HEAP_LIVE, "48", 0u,
			i < N ? (uint64_t)(N - i) * STEP : (uint64_t)1000 + i);
		put_run(&bytes, 2 + (uint64_t)i * STEP, 1);
		put_stop(&bytes, 3 + (uint64_t)i * STEP, 1, 3);
	}
	block_end(&bytes, (uint64_t)2 * N * STEP);
	log_end(&bytes);
	log_ = walked(&bytes);
	paned_open(log_, PANE_STATS, 40, 160);
	selection_set(&host.model.selection, (uint64_t)N * STEP, (uint64_t)2 * N * STEP);
	paned_key(ACT_DIFFERENCE);
	paned_key(ACT_FILTER);
	type("name~growth");
	end_prompt("<Enter>");
	assert_seen("live growth");
	assert_seen("e+08% ");
	end();
}

/* --- boxes of the Stats pane --- */

/* Select the title of a box. */
static void go_to_box(const char *title)
{
	char text[40];
	snprintf(text, sizeof text, "\\v^%s[^A-Za-z]", title);
	paned_key(ACT_SEARCH);
	type(text);
	end_prompt("<Enter>");
}

/* Spans of four threads overlap. A low screen shows two of their rows: a span in another becomes the range. */
static void a_span_without_a_lane_becomes_the_range(void **state)
{
	enum { N = 4, STEP = 1000 };
	char text[40];
	bytes = log_begin();
	(void)state;
	for (unsigned i = 0; i < N; i++) {
		block_begin(&bytes, (uint16_t)i, (uint64_t)i * STEP);
		put_run(&bytes, 1 + (uint64_t)i * STEP, i + 1);
		snprintf(text, sizeof text, "START job%u", i);
		put(&bytes, 2 + (uint64_t)i * STEP, EVL_USER_MSG, "s", text);
		snprintf(text, sizeof text, "STOP job%u", i);
		put(&bytes, 50 * STEP + i, EVL_USER_MSG, "s", text);
		put_stop(&bytes, 60 * STEP + i, i + 1, 5);
		block_end(&bytes, 70 * STEP);
	}
	log_end(&bytes);
	log_ = walked(&bytes);
	for (unsigned i = 0; i < N; i += N - 1) {
		paned_open(log_, PANE_TIMELINE, 24, 80);
		paned_draw();
		host.shown = PANE_STATS;
		paned_draw();
		go_to_box("SPANS");
		paned_key(ACT_SORT);
		paned_key(ACT_FILTER);
		snprintf(text, sizeof text, "job%u", i);
		type(text);
		end_prompt("<Enter>");
		paned_key(ACT_EXPAND);
		paned_key(ACT_EXPAND);
		assert_int_equal(host.shown, PANE_TIMELINE);
		const struct selection *range = &host.model.selection;
		assert_int_equal(range->on, i > 1);
		if (i > 1) {
			assert_int_equal(range->anchor < range->end ? range->anchor : range->end, 2 + i * STEP);
			assert_int_equal(range->anchor < range->end ? range->end : range->anchor, 50 * STEP + i);
		}
		paned_close();
	}
	done(log_, &bytes);
}

/* Growth is told from where to where, if it is known. */
static void growth_has_bounds(void **state)
{
	(void)state;
	log_ = walked_file("assets/bazaar.eventlog");
	paned_open(log_, PANE_STATS, 70, 160);
	go_to_box("HEAP");
	assert_seen("from 3.7 MB to 355 MB");
	selection_set(&host.model.selection, 1000000, 2000000);
	paned_draw();
	go_to_box("HEAP");
	assert_false(paned_has("live grew"));
	paned_close();
	evl_close(log_);
}

/* f and O in a box open its list; where its rows are none, they say so. */
static void a_box_is_filtered_and_sorted(void **state)
{
	static const struct {
		const char *box, *table;
	} boxes[] = {{"PAUSES", "collections 840"}, {"LONGEST PAUSES", "collections 840"}, {"GC  ", "collections 840"},
		{"SYNC DELAYS", "collections 840"}, {"PAUSE HEAT", "collections 840"}, {"CAPS", "capabilities 4"},
		{"THREADS", "threads 66"}, {"BLOCKED", "blocked time 4"}, {"NM CYCLES", "nonmoving cycles 9"},
		{"NM SEGMENTS", "block sizes of the last sweep 23"}, {"PHASES", "phases 6"},
		{"SPANS", "names of spans 21"}, {"FINDINGS", "findings 9"}, {"CAPS RUNNING AT ONCE", "run at once 5"},
		{"SUMMARY", NULL}, {"TIME", NULL}, {"HEAP", NULL}, {"MMU", NULL}, {"SPARKS", NULL}, {"PROGRAM", NULL},
		{"TICKY", NULL}};
	(void)state;
	log_ = walked_file("assets/bazaar.eventlog");
	paned_open(log_, PANE_STATS, 40, 120);
	for (size_t i = 0; i < countof(boxes); i++) {
		const char *table = boxes[i].table;
		go_to_box(boxes[i].box);
		host.message[0] = '\0';
		paned_key(ACT_SORT);
		if (table && !paned_has(table))
			fail_msg("%s does not open its list", boxes[i].box);
		if (!table && !host.message[0])
			fail_msg("%s does not say that it is no list", boxes[i].box);
		if (!table)
			continue;
		assert_true(panes_leave(&host));
		paned_draw();
		paned_key(ACT_FILTER);
		type("zq");
		assert_true(host.prompt.open);
		if (!paned_has("no row matches the filter"))
			fail_msg("%s: the rows are not filtered", boxes[i].box);
		end_prompt("<Esc>");
		if (!paned_has(table))
			fail_msg("%s: %s is not shown", boxes[i].box, table);
		assert_true(panes_leave(&host));
		paned_draw();
	}
	go_to_box("SPANS");
	paned_key(ACT_FILTER);
	type("parse");
	end_prompt("<Enter>");
	paned_key(ACT_EXPAND); /* the spans of that name */
	assert_seen("spans of \"parse\": 420 rows");
	assert_true(panes_leave(&host)); /* to the names, as they were filtered */
	paned_draw();
	assert_seen("names of spans 21  .  filter parse  > 1 match");
	paned_key(ACT_EXPAND);
	paned_key(ACT_SELECT_SPAN); /* the span becomes the range: no table is left */
	assert_false(panes_leave(&host));
	paned_close();
	evl_close(log_);
}

/* From a reason to its wakers, and from these to the threads of one label. */
static void a_reason_lists_its_wakers(void **state)
{
	(void)state;
	log_ = walked_file("assets/bazaar.eventlog");
	paned_open(log_, PANE_STATS, 40, 120);
	go_to_box("BLOCKED");
	paned_key(ACT_EXPAND);
	assert_seen("blocked time 4");
	paned_key(ACT_EXPAND);
	assert_seen("wakers 20  .  filter reason=\"mvar\"  > 9 match");
	assert_seen("TimerManager                   1         63    5.62 s       68.5%");
	assert_true(panes_leave(&host));
	paned_draw();
	assert_seen("blocked time 4");
	paned_key(ACT_EXPAND);
	paned_key(ACT_EXPAND);
	assert_seen("filter label=\"TimerManager\"");
	assert_true(panes_leave(&host));
	paned_close();
	evl_close(log_);
}

static void damage_is_a_table(void **state)
{
	char text[64];
	(void)state;
	bytes = everything(40);
	memset(bytes.data + bytes.len / 2, 0xff, 200);
	log_ = walked(&bytes);
	paned_open(log_, PANE_STATS, 40, 120);
	assert_true(log_->damage.n > 0);
	go_to_box("DAMAGE");
	paned_key(ACT_EXPAND);
	snprintf(text, sizeof text, "damaged places %zu", log_->damage.n);
	assert_seen(text);
	paned_key(ACT_FILTER);
	type("bytes>1MB");
	end_prompt("<Enter>");
	assert_seen("no row matches the filter");
	end();
}

/* To the first and the last row of a box. */
static void a_box_has_ends(void **state)
{
	(void)state;
	log_ = walked_file("assets/bazaar.eventlog");
	paned_open(log_, PANE_STATS, 40, 120);
	go_to_box("PHASES");
	paned_key(ACT_WINDOW_END);
	assert_seen(">phase: idle");
	paned_key(ACT_HOME);
	assert_seen(">before the first");
	paned_key(ACT_LOWER); /* folded */
	paned_key(ACT_WINDOW_END);
	assert_seen(">PHASES");
	paned_close();
	evl_close(log_);
}

/* --- a query picks the same threads in each --- */

enum { THREADS = 4096 };

static void set_lanes(const char *query, bool *picked)
{
	struct evl_err err;
	const struct thread_list *l = &timeline_of(&host)->lanes.threads;
	assert_int_equal(timeline_filter(timeline_of(&host), query, &err), 0);
	do
		paned_draw();
	while (panes_news(&host) || panes_busy(&host));
	for (uint32_t id = 1; id < THREADS; id++) {
		size_t part, place;
		picked[id] = thread_list_find(l, id, &part, &place);
	}
}

/* column: of the thread. Return false if the table lacks a field of the query. */
static bool set_table(const struct table_source *source, int column, const char *query, bool *picked)
{
	const struct table_range of = {.log = log_, .to = UINT64_MAX};
	const struct table_kind *kind = source->kind;
	void *list = table_list_new(kind, &of);
	struct filter filter;
	struct table_rows rows;
	struct evl_err err;
	struct buf scratch = {0};
	uint64_t *refs;
	size_t n;
	unsigned thread;
	char text[64];
	bool there = table_filter_parse(&filter, kind, query, &err) == 0;
	assert_non_null(list);
	assert_int_equal(kind->make(list, true, NULL), 0);
	assert_int_equal(table_refs(kind, list, &refs, &n), 0);
	const struct table_order order = {.column = -1, .filter = &filter};
	assert_int_equal(table_rows_make(&rows, kind, list, refs, n, &order, NULL), 0);
	for (size_t i = 0; i < rows.n; i++) {
		const struct datum cell = kind->cell(list, rows.refs[i], column, &scratch);
		if (cell.kind != CELL_TEXT) {
			picked[cell.count] = true;
			continue;
		}
		snprintf(text, sizeof text, "%.*s", (int)cell.text.len, (const char *)cell.text.p);
		if (sscanf(text, "thread:%u", &thread) == 1)
			picked[thread] = true;
	}
	table_rows_free(&rows);
	filter_free(&filter);
	buf_free(&scratch);
	table_list_free(kind, list);
	return there;
}

/* The threads with time that count in the profile. Return false if its filter lacks a field of the query. */
static bool set_profile(const char *query, bool *picked)
{
	struct whole_only only;
	struct whole_time w;
	bool there = whole_only_parse(&only, query, NULL) == 0;
	if (there) {
		assert_int_equal(whole_time_make(&w, log_, 0, UINT64_MAX, &only, NULL), 0);
		for (size_t i = 0; i < w.n; i++)
			picked[w.rows[i].thread] = true;
		whole_time_free(&w);
	}
	whole_only_free(&only);
	return there;
}

static void a_query_picks_the_same_threads(void **state)
{
	static const char *const logs[] = {"tests/logs/9.0.2-quarry-p-N2.eventlog",
		"tests/logs/9.10.3-conczoo-thr-N2.eventlog", "assets/bazaar.eventlog"},
				 *const queries[] = {"run>5%", "run>1% run<20%", "run>1ms", "!run>100us", "run=0",
					 "work", "!1", "7 or main", "label~work", "label~work run>0.5%", "thread:5",
					 "thread:2-9 !thread:4", "label=worker-#", "label=*#", "label:work", "cap:0",
					 "cap:1 wakeups>2", "runnable_wait>20us", "runnable_wait>0.01%"};
	size_t some = 0, in_profile = 0;
	(void)state;
	for (size_t l = 0; l < countof(logs); l++) {
		bool all[THREADS] = {false};
		log_ = walked_file(logs[l]);
		assert_true(set_profile("", all));
		paned_open(log_, PANE_TIMELINE, 40, 120);
		for (size_t i = 0; i < countof(queries); i++) {
			bool lanes[THREADS] = {false}, table[THREADS] = {false}, whose[THREADS] = {false},
			     profile[THREADS] = {false};
			size_t n = 0;
			bool in = set_profile(queries[i], profile);
			set_lanes(queries[i], lanes);
			assert_true(set_table(&stats_threads, THREAD_COLUMN_ID, queries[i], table));
			bool known = set_table(&prof_whose, WHOSE_ONLY, queries[i], whose);
			for (size_t k = 0; k < THREADS; n += lanes[k++]) {
				if (lanes[k] != table[k])
					fail_msg("%s, %s: thread %zu is picked by %s", logs[l], queries[i], k,
						lanes[k] ? "lanes" : "the table");
				if (known && whose[k] != table[k])
					fail_msg("%s, %s: thread %zu is picked by %s", logs[l], queries[i], k,
						whose[k] ? "the profile" : "the table");
			}
			for (size_t k = 0; k < THREADS && in; k++)
				assert_int_equal(profile[k], lanes[k] && all[k]);
			some += n > 0;
			in_profile += in && n > 0;
		}
		paned_close();
		evl_close(log_);
	}
	assert_true(some > countof(queries) && in_profile > 5);
}

/* --- a click on a heading sorts by its column --- */

/* other: a heading in the same row. */
static void click_on(const char *heading, const char *other)
{
	for (int y = 0; y < canvas.rows; y++) {
		char row[512] = "";
		for (int x = 0; x < canvas.cols; x++)
			row[x] = (char)(canvas.cells[y * canvas.cols + x].ch & 0x7f);
		const char *at = strstr(row, heading);
		if (!at || !strstr(row, other))
			continue;
		host.kinds[host.shown]->click(host.views[host.shown], &host, y, (int)(at - row) + 1, false);
		paned_draw();
		return;
	}
	fail_msg("no heading %s", heading);
}

static void a_click_on_a_heading_sorts(void **state)
{
	static const char *const heap[][2] = {{"at cursor", "O sort: at cursor"}, {" growth", "O sort: growth"},
		{" peak ", "O sort: peak"}, {" band ", "O sort: name"}},
				 *const prof[][2] = {{"incl%", "by inclusive"}, {"self%", "by self"},
					 {"module", "by module"}, {"cost centre", "by name"}, {"self bar", "by self"},
					 {"samples  ", "by inclusive"}};
	(void)state;
	log_ = walked_file("tests/logs/9.0.2-leaky-hd.eventlog");
	paned_open(log_, PANE_HEAP, 50, 240);
	for (size_t i = 0; i < countof(heap); i++) {
		click_on(heap[i][0], "at cursor");
		assert_seen(heap[i][1]);
	}
	paned_close();
	evl_close(log_);
	log_ = walked_file("tests/logs/9.0.2-quarry-p-N2.eventlog");
	paned_open(log_, PANE_PROF, 50, 160);
	for (int i = 0; i < 3; i++)
		paned_key(ACT_MODE);
	for (size_t i = 0; i < countof(prof); i++) {
		click_on(prof[i][0], "self%");
		assert_seen(prof[i][1]);
	}
	paned_close();
	evl_close(log_);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escape_clears_a_filter),
		cmocka_unit_test(a_list_is_copied_and_exported),
		cmocka_unit_test(marks_are_a_table),
		cmocka_unit_test(marks_are_exported),
		cmocka_unit_test(filtered_events_are_exported),
		cmocka_unit_test(heap_rows_are_exported),
		cmocka_unit_test(a_comparison_is_exported),
		cmocka_unit_test(a_fall_has_no_factor),
		cmocka_unit_test(growth_has_bounds),
		cmocka_unit_test(a_span_without_a_lane_becomes_the_range),
		cmocka_unit_test(a_box_is_filtered_and_sorted),
		cmocka_unit_test(a_reason_lists_its_wakers),
		cmocka_unit_test(damage_is_a_table),
		cmocka_unit_test(a_box_has_ends),
		cmocka_unit_test(a_query_picks_the_same_threads),
		cmocka_unit_test(a_click_on_a_heading_sorts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
