/* The command language: names and prefixes, completion, files of commands, screenshots, history. */
#include "app/command.h"
#include "app/script.h"
#include "chrome/history.h"
#include "chrome/pane.h"
#include "draw/screenshot.h"
#include "jobs/event_job.h"
#include "jobs/export_job.h"
#include "lanes/lanes_edit.h"
#include "logs.h"
#include "panes/events/events_pane.h"
#include "panes/heap/heap_pane.h"
#include "panes/prof/prof_pane.h"
#include "panes/query/query_pane.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/timeline.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct evl_log *log_;
static struct built bytes;
static struct pane_host view = {.theme = THEME_DARK,
	.kinds = {[PANE_TIMELINE] = &timeline_pane,
		[PANE_HEAP] = &heap_pane,
		[PANE_PROF] = &prof_pane,
		[PANE_EVENTS] = &events_pane,
		[PANE_STATS] = &stats_pane,
		[PANE_QUERY] = &query_pane}};
static struct timeline timeline;
static struct help help;
static struct bookmarks_file no_file;
static struct command_host host;
static struct canvas screen;
static enum theme theme;
static int colours = 256;
static struct evl_err err;

static void wake(void *ctx) { (void)ctx; }

static int begin(void **state)
{
	(void)state;
	bytes = log_begin();
	block_begin(&bytes, 0, 1000);
	put(&bytes, 1000, EVL_THREAD_LABEL, "4s", 7u, "worker-1");
	put_run(&bytes, 1000, 7);
	put_stop(&bytes, 500000000, 7, 3);
	put(&bytes, 1000000999, EVL_USER_MARKER, "s", "end");
	block_end(&bytes, 1000000999);
	log_ = walked(&bytes);
	model_init(&view.model, log_);
	timeline_init(&timeline, log_, wake, NULL, true);
	view.log = log_;
	view.wake = wake;
	view.views[PANE_EVENTS] = events_pane.open(&view);
	assert_non_null(view.views[PANE_EVENTS]);
	view.views[PANE_QUERY] = query_pane.open(&view);
	assert_non_null(view.views[PANE_QUERY]);
	help = (struct help){0};
	host = (struct command_host){.view = &view,
		.model = &view.model,
		.timeline = &timeline,
		.help = &help,
		.marks_file = &no_file,
		.canvas = &screen,
		.theme = &theme,
		.colours = &colours};
	return 0;
}

static int end(void **state)
{
	(void)state;
	export_job_free(view.exporting);
	view.exporting = NULL;
	event_job_free(view.job);
	view.job = NULL;
	events_pane.close(view.views[PANE_EVENTS]);
	query_pane.close(view.views[PANE_QUERY]);
	timeline_free(&timeline);
	done(log_, &bytes);
	return 0;
}

static void runs(const char *line)
{
	if (command_run(&host, line, &err) < 0)
		fail_msg("«%s»: %s", line, err.text);
}

static void fails(const char *line, const char *why)
{
	struct model_place was = view.model.at;
	assert_true(command_run(&host, line, &err) < 0);
	if (!strstr(err.text, why))
		fail_msg("«%s» says: %s", line, err.text);
	assert_memory_equal(&was, &view.model.at, sizeof was);
}

static void diff_is_told(void **state)
{
	(void)state;
	runs("diff");
	assert_string_equal(host.say, "not compared with another log (:diff FILE compares)");
}

static void moves(void **state)
{
	(void)state;
	runs("goto 0.25");
	assert_int_equal(view.model.at.cursor, 250000000);
	runs("  :go   50%  \r");
	assert_int_equal(view.model.at.cursor, 500000999);
	runs("zoom 100ms +0");
	assert_int_equal(view.model.at.t0, 100000000);
	assert_int_equal(view.model.at.t1, 500000999);
	runs("");
	runs("   ");
	runs("origin 0.1");
	assert_int_equal(view.model.origin, 100000000);
	runs("mark a 0.2");
	assert_int_equal(view.model.marks.t[0], 200000000);
	assert_true(view.model.marks.set[0]);
	runs("q");
	assert_true(host.leave);
}

static void refuses(void **state)
{
	(void)state;
	fails("s x", "is ambiguous: sort select set screenshot");
	fails("z", "zoom needs A B");
	fails("zoom 1s", "two times");
	fails("zoom 1s 2s 3s", "two times");
	fails("zoom 2s 1s", "end");
	fails("zoom 1s 1s", "end");
	fails("goto", "needs T");
	fails("goto 1x",
		"invalid time \"1x\" (use 3.2s, 40ms, 50%, @14:03:22, +40ms, #5 for an event or 'a for a mark)");
	fails("goto 'q", "mark q is not set");
	fails("goto #", "invalid event number");
	fails("range one", "no range selected");
	fails("range one 2s 1s", "end");
	fails("range one 1s", "two times");
	fails("select none", "no range is named \"none\"");
	fails("select 1s 1s", "end");
	fails("export", "needs FORMAT");
	fails("export xyzzy", "invalid format \"xyzzy\" (use eventlog");
	fails("gotoo 1s", "no such command");
	fails("goto! 1s", "does not accept \"!\"");
	fails("mark 0", "letter");
	fails("mark ab", "letter");
	fails("mark", "needs LETTER");
	fails("q!", "does not accept \"!\"");
	fails("sort up", "invalid order");
	fails("set", "needs NAME VALUE");
	fails("set letters", "on or off");
	fails("set axis x", "invalid axis \"x\" (use log or wall)");
	fails("set x on", "use letters, mouse, ascii, lowbw, gcshade, axis or escms)");
	fails("theme THEME", "use dark, light, safe or mono)");
	fails("set escms 5x", "escms");
	fails("screenshot x.png", ".svg");
	fails("help flying", "no help");
	char line[COMMAND_ROOM + 10];
	memset(line, 'x', sizeof line - 1);
	line[sizeof line - 1] = '\0';
	fails(line, "too long");
	memcpy(line, "filter ", 7);
	line[400] = '\0';
	fails(line, "too long");
	assert_false(host.leave);
}

/* The marker comes later. */
static void goes_to(const char *line, uint64_t want)
{
	runs(line);
	event_job_wait(view.job, -1);
	events_news(&view);
	assert_int_equal(view.model.at.cursor, want);
}

static void finds_events_and_markers(void **state)
{
	(void)state;
	goes_to("goto #3", 1000);
	goes_to("goto end", 1000000999);
	goes_to("goto #4", 500000000);
	goes_to("goto nowhere", 500000000);
	assert_non_null(strstr(view.message, "no marker or time"));
	goes_to("goto #77", 500000000);
	assert_non_null(strstr(view.message, "(the last is 5)"));
	runs("goto 2h");
	assert_non_null(strstr(view.message, "past the end"));
	assert_int_equal(view.model.at.cursor, 1000000999);
}

static void keeps_ranges(void **state)
{
	(void)state;
	runs("range early 0.1 0.2");
	runs("select 0.3 0.4");
	assert_int_equal(selection_from(&view.model.selection), 300000000);
	runs("range late");
	runs("select early");
	assert_int_equal(selection_to(&view.model.selection), 200000000);
	assert_int_equal(view.model.at.cursor, 100000000);
	assert_int_equal(view.model.marks.n_ranges, 2);
	assert_int_equal(bookmarks_range(&view.model.marks, "late")->to, 400000000);
	runs("range early 0.2 0.3");
	assert_int_equal(view.model.marks.n_ranges, 2);
	bookmarks_remove_range(&view.model.marks, "early");
	assert_null(bookmarks_range(&view.model.marks, "early"));
	runs("mark b 0.9");
	runs("goto 'b");
	assert_int_equal(view.model.at.cursor, 900000000);
}

static void waits(void **state)
{
	(void)state;
	assert_true(command_waits("goto 1s"));
	assert_true(command_waits(" :scr x.txt"));
	assert_true(command_waits("screenshot! x.txt"));
	assert_false(command_waits("theme dark"));
	assert_false(command_waits("s"));
	assert_false(command_waits("nonsense"));
}

static void completes_to(const char *text, const char *want, const char *choice)
{
	char out[PROMPT_ROOM], say[COMMAND_SAY];
	view.wait_for_jobs = true;
	command_complete(&view, text, out, sizeof out, say);
	assert_string_equal(out, want);
	assert_string_equal(say, choice);
}

/* Without words to offer: the usage of the command. */
static void tells_usage(const char *text, const char *usage)
{
	char out[PROMPT_ROOM], say[COMMAND_SAY];
	command_complete(&view, text, out, sizeof out, say);
	assert_string_equal(out, text);
	assert_memory_equal(say, usage, strlen(usage));
}

static void completes(void **state)
{
	(void)state;
	completes_to("g", "g", "goto group");
	completes_to("go", "goto ", "");
	completes_to("s", "s", "sort select set screenshot sql");
	completes_to("sc", "screenshot ", "");
	completes_to("theme l", "theme light ", "");
	completes_to("th m", "th mono ", "");
	completes_to("set ", "set ", "letters mouse ascii lowbw gcshade axis escms");
	completes_to("set mouse o", "set mouse o", "on off");
	completes_to("set mouse of", "set mouse off ", "");
	completes_to("set gcshade ", "set gcshade ", "auto on off");
	completes_to("set axis w", "set axis wall ", "");
	tells_usage("set escms ", "set NAME VALUE: change a setting: ");
	completes_to("sort w", "sort wa", "");
	completes_to("sort wa", "sort wa", "wait wakeups");
	tells_usage("sort name x", "sort ORDER: sort threads by ");
	completes_to("sql slow", "sql slow-requests ", "");
	tells_usage("sql sel", "sql [SELECT … | NAME]: ");
	completes_to("sql SELECT max(paus", "sql SELECT max(pause_ns ", "");
	tells_usage("goto 1", "goto T: go to a time, as t does");
	tells_usage("mark ", "mark LETTER [T]: set a mark at T, or at the cursor");
	tells_usage("range ", "range NAME [A B]: name the selected range");
	tells_usage("origin ", "origin [T]: start the time axis at T");
	completes_to("xyz", "xyz", "");
	completes_to("xyz a", "xyz a", "");
	completes_to(":z", ":zoom ", "");
}

/* Files of a directory of this test: one with a blank in its name, one hidden, one with a control character, a directory. */
static void completes_files(void **state)
{
	static const char *const names[] = {"one.txt", "one more.svg", ".onehidden",
		"on\x1b"
		"e",
		"two.eventlog"};
	char dir[] = "/tmp/evtui-complete-XXXXXX", path[96], text[96], want[96];
	(void)state;
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < countof(names); i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fclose(f);
	}
	snprintf(path, sizeof path, "%s/sub", dir);
	assert_int_equal(mkdir(path, 0700), 0);
#define COMPLETES(in, out, choice)                                                                                     \
	(snprintf(text, sizeof text, in, dir), snprintf(want, sizeof want, out, dir), completes_to(text, want, choice))
	COMPLETES("screenshot %s/o", "screenshot %s/one", "");
	COMPLETES("screenshot %s/one", "screenshot %s/one", "one more.svg one.txt");
	COMPLETES("screenshot %s/one m", "screenshot %s/one more.svg ", "");
	COMPLETES("diff %s/tw", "diff %s/two.eventlog ", "");
	COMPLETES("exe %s/s", "exe %s/sub/", "");
	COMPLETES("exe %s/.", "exe %s/.onehidden ", "");
	COMPLETES("export csv gc %s/tw", "export csv gc %s/two.eventlog ", "");
	COMPLETES("w %s/nothing", "w %s/nothing", "");
	for (size_t i = 0; i < countof(names); i++) {
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/sub", dir);
	rmdir(path);
	rmdir(dir);
}

/* Any input: no crash, and completions start with the input. */
static void noise(void **state)
{
	(void)state;
	uint32_t seed = 7;
	static const char alphabet[] = "  :!sgotwzmpqhlen*[]%0189.-\xc3\xa4";
	for (int i = 0; i < 20000; i++) {
		char text[40], out[64], say[COMMAND_SAY];
		size_t len = 0;
		do {
			seed = seed * 1664525u + 1013904223u;
			text[len++] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
		} while (len < sizeof text - 1 && seed >> 28);
		text[len] = '\0';
		command_complete(&view, text, out, sizeof out, say);
		assert_memory_equal(out, text, len);
		command_waits(text);
		if (!strstr(text, "s") && !strstr(text, "t") && !strstr(text, "w")) /* no files, no terminal here */
			assert_true(command_run(&host, text, &err) <= 0);
	}
}

static void globs(void **state)
{
	(void)state;
	struct canvas c = {0};
	const char *why;
	assert_int_equal(canvas_resize(&c, 24, 80), 0);
	timeline_draw(&timeline, &view, &c);
	assert_int_equal(lanes_glob(&timeline.lanes, "nothing*", lanes_pin, &why), 0);
	assert_null(why);
	assert_int_equal(lanes_glob(&timeline.lanes, "work*", lanes_pin, &why), 1);
	assert_int_equal(timeline.lanes.n_pinned, 1);
	assert_int_equal(timeline.lanes.pinned[0], 7);
	timeline_draw(&timeline, &view, &c);
	assert_int_equal(lanes_glob(&timeline.lanes, "work*", lanes_pin, &why), 0); /* it is pinned: it stays so */
	assert_int_equal(timeline.lanes.n_pinned, 1);
	assert_int_equal(lanes_glob(&timeline.lanes, "cap [0-9]", lanes_hide, &why), 1);
	canvas_free(&c);
}

static char dir[] = "/tmp/evtui-command-XXXXXX";

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) && setenv("XDG_STATE_HOME", dir, 1) == 0 ? 0 : -1;
}

static char *in_dir(const char *name)
{
	static char path[2][128];
	static int which;
	which = !which;
	snprintf(path[which], sizeof path[which], "%s/%s", dir, name);
	return path[which];
}

static void put_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void scripts(void **state)
{
	(void)state;
	struct script s = {0};
	char where[200], want[200];
	put_file(in_dir("a"), "# one\n\n  theme light\r\n\t# two\nq", 30);
	put_file(in_dir("b"), "", 0);
	char *a = strdup(in_dir("a")), *b = strdup(in_dir("b"));
	assert_true(script_load(&s, in_dir("none"), &err) < 0);
	assert_non_null(strstr(err.text, "No such file"));
	assert_true(script_load(&s, dir, &err) < 0);
	assert_true(script_load(&s, "/dev/zero", &err) < 0);
	assert_int_equal(script_load(&s, b, &err), 0);
	assert_int_equal(script_load(&s, a, &err), 0);
	assert_string_equal(script_line(&s), "  theme light\r");
	assert_string_equal(script_line(&s), "  theme light\r"); /* until script_next */
	snprintf(want, sizeof want, "%s:3", a);
	assert_string_equal(script_where(&s, where, sizeof where), want);
	script_next(&s);
	assert_string_equal(script_line(&s), "q");
	script_next(&s);
	assert_null(script_line(&s));
	script_free(&s);
	put_file(a, "q\0q", 3);
	assert_true(script_load(&s, a, &err) < 0); /* not a text */
	unlink(a);
	unlink(b);
	free(a);
	free(b);
}

static char *contents(const char *path)
{
	static char text[65536];
	assert_true(state_read(path, text, sizeof text) > 0);
	return text;
}

static void screenshots(void **state)
{
	(void)state;
	struct canvas c = {0};
	struct screenshot shot = {.canvas = &c, .colours = 256};
	assert_int_equal(canvas_resize(&c, 2, 8), 0);
	canvas_str(&c, 0, 0, 8, PEN_BOLD(ST_KEY), "a<&漢");
	canvas_lower(&c, 1, 0, 4, ST_RUN, ST_IDLE);
	char *txt = strdup(in_dir("x.txt")), *ans = strdup(in_dir("x.ans")), *svg = strdup(in_dir("x.svg"));
	assert_int_equal(screenshot_write(&shot, txt, false, &err), 0);
	assert_string_equal(contents(txt), "a<&漢\n▄\n");
	assert_int_equal(screenshot_write(&shot, txt, false, &err), EVL_EXISTS);
	assert_non_null(strstr(err.text, "exists"));
	canvas_str(&c, 0, 0, 8, PEN(ST_TEXT), "b");
	assert_string_equal(contents(txt), "a<&漢\n▄\n");
	assert_int_equal(screenshot_write(&shot, txt, true, &err), 0);
	assert_string_equal(contents(txt), "b<&漢\n▄\n");
	assert_int_equal(screenshot_write(&shot, ans, false, &err), 0);
	assert_non_null(strstr(contents(ans), "\x1b[0;1;38;5;222m<&漢"));
	assert_non_null(strstr(contents(ans), "\x1b[0;38;5;107;48;5;235m▄"));
	shot.colours = 16;
	assert_int_equal(screenshot_write(&shot, ans, true, &err), 0);
	assert_non_null(strstr(contents(ans), "\x1b[0;1;93m<&漢"));
	shot.colours = 0;
	assert_int_equal(screenshot_write(&shot, ans, true, &err), 0);
	assert_null(strstr(contents(ans), "38;5"));
	shot.colours = 256;
	assert_int_equal(screenshot_write(&shot, svg, false, &err), 0);
	assert_non_null(strstr(contents(svg), ">&lt;</text>"));
	assert_non_null(strstr(contents(svg), ">&amp;</text>"));
	assert_non_null(strstr(contents(svg), "</svg>"));
	assert_int_equal(screenshot_write(&shot, in_dir("none/x.txt"), false, &err), EVL_IO);
	assert_int_equal(screenshot_write(&shot, ".txt", false, &err), EVL_USAGE);
	assert_int_equal(screenshot_write(&shot, "", false, &err), EVL_USAGE);
	assert_int_equal(unlink(txt) + unlink(ans) + unlink(svg), 0);
	free(txt);
	free(ans);
	free(svg);
	canvas_free(&c);
}

static struct history h, again;

static void press(struct prompt *p, const char *name, bool taken)
{
	struct key key = {.kind = KEY_NAME};
	snprintf(key.name, sizeof key.name, "%s", name);
	assert_int_equal(history_key(&h, p, &key), taken);
}

static void histories(void **state)
{
	(void)state;
	struct prompt p;
	char line[20];
	history_open(&h, "test");
	assert_int_equal(h.n, 0);
	history_add(&h, "");
	history_add(&h, "one");
	history_add(&h, "two");
	history_add(&h, "one"); /* the latest now, and once */
	assert_int_equal(h.n, 2);
	prompt_open_with(&p, ":", "dra");
	press(&p, "<Left>", false);
	press(&p, "<Up>", true);
	assert_string_equal(p.text, "one");
	press(&p, "<Up>", true);
	press(&p, "<Up>", true);
	assert_string_equal(p.text, "two");
	press(&p, "<Down>", true);
	press(&p, "<Down>", true);
	press(&p, "<Down>", true);
	assert_string_equal(p.text, "dra");
	for (int i = 0; i < 2 * HISTORY_LINES; i++) {
		snprintf(line, sizeof line, "line %d", i);
		history_add(&h, line);
	}
	history_open(&again, "test");
	assert_int_equal(again.n, HISTORY_LINES);
	assert_string_equal(again.lines[HISTORY_LINES - 1], line);
	assert_string_equal(again.lines[0], "line 100");
	put_file(in_dir("evtui/history-bad"), "good\n\x1b[2J\n\xff\n\nend", 17);
	history_free(&again);
	again = (struct history){0};
	history_open(&again, "bad");
	assert_int_equal(again.n, 2);
	assert_string_equal(again.lines[0], "good");
	assert_string_equal(again.lines[1], "end");
	history_free(&again);
	history_free(&h);
	unlink(in_dir("evtui/history-bad"));
	unlink(in_dir("evtui/history-test"));
	assert_int_equal(rmdir(in_dir("evtui")), 0);
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir); /* no files remain */
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		T(diff_is_told),
		T(moves),
		T(refuses),
		T(finds_events_and_markers),
		T(keeps_ranges),
		T(waits),
		T(completes),
		T(completes_files),
		T(noise),
		T(globs),
		cmocka_unit_test(scripts),
		cmocka_unit_test(screenshots),
		cmocka_unit_test(histories),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
