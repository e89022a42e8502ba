/* The screen when memory or threads run out, at every place once and from every place on: a smaller picture or a word,
 * no crash, nothing lost. */
#include "logs.h"

#include "for_every.h"
#include "ui/command.h"
#include "ui/panes.h"
#include "ui/report.h"
#include "ui/view_help.h"
#include "ui/view_timeline.h"

#include <fcntl.h>
#include <sys/mman.h>

enum { ROWS = 30, COLS = 100 };

static struct built b;
static struct evl_log *log_;

static int build(void **state)
{
	(void)state;
	b = log_begin();
	for (unsigned k = 0; k < 4; k++) {
		uint64_t t = 10 + 1000 * k;
		block_begin(&b, (uint16_t)(k % 2), t);
		put(&b, t, EVL_CREATE_THREAD, "4", k + 1);
		put(&b, t, EVL_THREAD_LABEL, "4s", k + 1, "worker");
		put_run(&b, t + 10, k + 1);
		put(&b, t + 12, EVL_USER_MSG, "s", "START work");
		put(&b, t + 14, EVL_USER_MARKER, "s", "here");
		put(&b, t + 16, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)k * 4096);
		put_stop(&b, t + 20, k + 1, 7);
		put_gc(&b, t + 100, t + 110, t + 200, k % 2);
		block_end(&b, t + 400);
	}
	log_end(&b);
	log_ = walked(&b);
	setenv("EDITOR", "true", true); /* keys may start one */
	unsetenv("VISUAL");
	return 0;
}

static int drop(void **state)
{
	(void)state;
	done(log_, &b);
	return 0;
}

static void wake(void *ctx) { (void)ctx; }

/* Draw, take what the jobs have found, draw again. */
static void frame(struct view_host *h, struct canvas *c)
{
	model_refresh(&h->model);
	panes_draw(h, c);
	panes_news(h);
}

/* What a user does in a minute. */
static void use(struct view_host *h, struct canvas *c)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	frame(h, c);
	for (size_t i = 0; i < n; i++) {
		if (!h->prompt.open)
			panes_act(h, rows[i].action);
		if (h->prompt.open)
			view_prompt_key(h, &(struct key){.kind = KEY_NAME, .name = "<Esc>"});
		if (i % 8 == 0)
			frame(h, c);
	}
}

static void view_it(void)
{
	struct canvas c = {0};
	struct view_host h = {.log = log_, .theme = THEME_DARK, .pending = "", .wake = wake};
	model_init(&h.model, log_);
	if (panes_open(&h) && canvas_resize(&c, ROWS, COLS) == 0)
		use(&h, &c);
	panes_close(&h);
	canvas_free(&c);
}

/* The jobs may be done sooner or later: how much is asked for is not the same each time. */
static void the_panes(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, view_it) > 20);
	assert_true(for_every(FAULT_THREAD, view_it) > 0);
}

static void help_it(void)
{
	char *text = help_text();
	assert_true(!text || *text);
	free(text);
}

static void dump_it(void)
{
	struct canvas c = {0};
	if (canvas_resize(&c, ROWS, COLS) == 0)
		free(canvas_dump(&c));
	canvas_free(&c);
}

static void texts(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, help_it) > 0);
	assert_true(for_every(FAULT_MEMORY, dump_it) > 1);
}

/* --- what is printed --- */

/* Standard output and standard error go into files that can be looked at. */
static void hide_output(int *saved, const int *files)
{
	fflush(NULL);
	for (int i = 0; i < 2; i++) {
		saved[i] = dup(i + 1);
		assert_true(ftruncate(files[i], 0) == 0 && lseek(files[i], 0, SEEK_SET) == 0 && dup2(files[i], i + 1) == i + 1);
	}
}

static void show_output(const int *saved)
{
	fflush(NULL);
	for (int i = 0; i < 2; i++) {
		dup2(saved[i], i + 1);
		close(saved[i]);
	}
}

static int files[2]; /* what was written to standard output and standard error */
static char *whole;  /* what is printed when nothing fails */
static size_t whole_len;

static void check_printed(int status)
{
	char line[300] = "";
	off_t len = lseek(files[0], 0, SEEK_END);
	ssize_t n = pread(files[1], line, sizeof line - 1, 0);
	char *text = mmap(NULL, (size_t)len + 1, PROT_READ, MAP_SHARED, files[0], 0);
	if (status != 0 && (n <= 0 || strncmp(line, "evtui: ", 7) != 0 || strchr(line, '\n') != line + n - 1))
		fail_msg("status %d, and it says: %s", status, line);
	bool partly = status == 0 && (whole_len != (size_t)len || memcmp(whole, text, whole_len) != 0);
	if (partly && whole)
		fail_msg("fault %llu: status 0, and it prints %zu bytes of %zu: %.*s", (unsigned long long)faults.at, (size_t)len, whole_len, (int)len, text);
	if (!whole) {
		whole = malloc((size_t)len + 1);
		assert_non_null(whole);
		memcpy(whole, text, whole_len = (size_t)len);
	}
	munmap(text, (size_t)len + 1);
}

static void print_it(struct options o, int (*print)(struct evl_log *, const struct options *))
{
	struct evl_log *log;
	struct evl_err err;
	int saved[2];
	if (evl_open_memory(&log, b.data, b.len, &err) < 0)
		return;
	hide_output(saved, files);
	int status = print(log, &o);
	show_output(saved);
	evl_close(log);
	check_printed(status);
}

static void print_show(void) { print_it((struct options){.cap = -1, .from = "1%", .type = "GC_*"}, report_show); }
static void print_stats(void) { print_it((struct options){.cap = -1, .to = "1us"}, report_stats); }
static void print_json(void) { print_it((struct options){.cap = -1, .json = true}, report_stats); }
static void print_log(void) { print_it((struct options){.cap = -1, .words = {"eventlog"}}, report_export); }

/* Done and whole, or one line that says why not. */
static void reports(void **state)
{
	static void (*const runs[])(void) = {print_show, print_stats, print_json, print_log};
	(void)state;
	for (int i = 0; i < 2; i++)
		files[i] = memfd_create("printed", MFD_CLOEXEC);
	for (size_t i = 0; i < countof(runs); i++) {
		whole = NULL;
		runs[i]();
		assert_non_null(whole);
		assert_true(for_every(FAULT_MEMORY, runs[i]) > 50);
		for_every(FAULT_THREAD, runs[i]);
		for_every(FAULT_DISK, runs[i]);
		faults_begin(FAULT_INTERRUPT, 0, false); /* by signals: it goes on */
		runs[i]();
		assert_true(faults_end() > 0);
		free(whole);
	}
	for (int i = 0; i < 2; i++)
		close(files[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_panes),
		cmocka_unit_test(texts),
		cmocka_unit_test(reports),
	};
	return cmocka_run_group_tests(tests, build, drop);
}
