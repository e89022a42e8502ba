/* The screen when memory or threads run out, at every place once and from every place on: a smaller picture or a word, no
 * crash, nothing lost. test_ui_faults_reports does the same with the commands. */
#include "everything.h"

#include "app/command.h"
#include "app/help.h"
#include "app/panes.h"
#include "for_every.h"
#include "panes/timeline/timeline.h"

#include <unistd.h>

enum { ROWS = 30, COLS = 100 };

static struct built b;
static struct evl_log *log_;

static int build(void **state)
{
	(void)state;
	b = everything(4);
	log_ = walked(&b);
	keep_pauses(log_);
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
static void frame(struct pane_host *h, struct canvas *c)
{
	model_refresh(&h->model);
	panes_draw(h, c);
	panes_news(h);
}

static enum pane_kind pane;

/* A minute of a user's keys in a pane. */
static void use(struct pane_host *h, struct canvas *c)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	h->shown = pane;
	frame(h, c);
	for (size_t i = 0; i < n; i++) {
		if (!h->prompt.open)
			panes_act(h, rows[i].action);
		if (h->prompt.open)
			pane_prompt_key(h, &(struct key){.kind = KEY_NAME, .name = "<Esc>"});
		h->shown = pane;
		if (i % 8 == 0)
			frame(h, c);
	}
}

static void view_it(void)
{
	struct canvas c = {0};
	struct pane_host h = {.log = log_, .theme = THEME_DARK, .pending = "", .wake = wake, .wait_for_jobs = true};
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
	for (pane = 0; pane < PANE_KINDS; pane++) {
		uint64_t memory = for_every(FAULT_MEMORY, view_it), threads = for_every(FAULT_THREAD, view_it);
		assert_true(memory > 20 && threads > 0);
		print_message("pane %d: %llu allocations, %llu threads\n", (int)pane, (unsigned long long)memory,
			(unsigned long long)threads);
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_panes), cmocka_unit_test(texts)};
	return cmocka_run_group_tests(tests, build, drop);
}
