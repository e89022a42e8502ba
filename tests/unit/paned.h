/* paned.h - a pane on a canvas, for tests of what it shows; texts are in ASCII. */
#ifndef TESTS_PANED_H
#define TESTS_PANED_H

#include "app/panes.h"
#include "logs.h"

static struct pane_host host;
static struct canvas canvas;

static inline void paned_wake(void *ctx) { (void)ctx; }

static inline void paned_draw(void)
{
	model_refresh(&host.model);
	panes_draw(&host, &canvas); /* frames wait for what they show; the first may move the cursor */
	panes_draw(&host, &canvas);
}

static inline void paned_open(struct evl_log *log, enum pane_kind pane, int rows, int cols)
{
	host = (struct pane_host){.log = log, .theme = THEME_DARK, .wake = paned_wake, .wait_for_jobs = true};
	model_init(&host.model, log);
	assert_true(panes_open(&host));
	assert_int_equal(canvas_resize(&canvas, rows, cols), 0);
	canvas.ascii = true;
	host.shown = pane;
	paned_draw();
}

static inline void paned_close(void)
{
	panes_close(&host);
	canvas_free(&canvas);
}

static inline void paned_key(enum action action)
{
	assert_true(panes_act(&host, action));
	paned_draw();
}

/* Is a text within one row? */
static inline bool paned_has(const char *text)
{
	for (int y = 0; y < canvas.rows; y++) {
		char row[512];
		int n = 0;
		for (int x = 0; x < canvas.cols && n < (int)sizeof row - 1; x++)
			row[n++] = (char)(canvas.cells[y * canvas.cols + x].ch & 0x7f);
		row[n] = '\0';
		if (strstr(row, text))
			return true;
	}
	return false;
}

#define assert_seen(text)                                                                                              \
	do {                                                                                                           \
		if (!paned_has(text))                                                                                  \
			fail_msg("not on the screen: %s", text);                                                       \
	} while (0)

#endif
