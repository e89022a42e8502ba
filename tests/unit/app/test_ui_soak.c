/* Zooms, pans, panes and sizes, many thousand times: memory and descriptors are unchanged afterwards. STORM in the
 * environment multiplies their number. */
#include "app/panes.h"
#include "logs.h"

#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#define LOG "tests/logs/9.10.3-conczoo-thr-N2.eventlog"

enum { ZOOMS = 2000, RESIZES = 200, WARM = 400, ROWS = 40, COLS = 120, SLACK = 512 << 10 };

static struct pane_host host = {.theme = THEME_DARK, .pending = "", .wait_for_jobs = true};
static struct canvas canvas;

static void wake(void *ctx) { (void)ctx; }

static int open_log(void **state)
{
	struct evl_err err;
	(void)state;
	if (evl_open(&host.log, LOG, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(evl_start(host.log, NULL, NULL), 0);
	assert_int_equal(evl_wait(host.log), 0);
	host.wake = wake;
	model_init(&host.model, host.log);
	assert_true(panes_open(&host));
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
	return 0;
}

static int close_log(void **state)
{
	(void)state;
	panes_close(&host);
	canvas_free(&canvas);
	evl_close(host.log);
	return 0;
}

static int times(void)
{
	const char *storm = getenv("STORM");
	return storm ? atoi(storm) : 1;
}

static void draw(void)
{
	model_refresh(&host.model);
	panes_draw(&host, &canvas);
	panes_news(&host);
}

static void zoom(uint32_t random)
{
	switch (random % 8) {
	case 0: model_whole(&host.model, 0); break;
	case 1:
	case 2: model_zoom(&host.model, 2, 1, 0); break;
	case 3: model_pan(&host.model, random & 8 ? 1 : -1, 3, 0); break;
	case 4: panes_act(&host, ACT_NEXT_PANE); break;
	default: model_zoom(&host.model, 1, 2, 0); break;
	}
	if (random % 4 == 0)
		draw();
}

static void resize(uint32_t random)
{
	assert_int_equal(canvas_resize(&canvas, 1 + (int)(random % 80), 1 + (int)(random / 80 % 250)), 0);
	draw();
}

static int descriptors(void)
{
	int n = 0;
	DIR *dir = opendir("/proc/self/fd");
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/* Bytes in use, what the last window left in caches included, with the first pane, the whole run and the first size on the screen. */
static size_t in_use(void)
{
	while (host.shown != PANE_TIMELINE)
		panes_act(&host, ACT_NEXT_PANE);
	model_whole(&host.model, 0);
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
	draw();
	draw();
	return mallinfo2().uordblks;
}

static void repeat(void (*act)(uint32_t), int n)
{
	uint32_t seed = 1;
	for (int i = 0; i < n; i++)
		act((seed = seed * 1664525 + 1013904223) >> 8);
}

static void assert_flat(void (*act)(uint32_t), int n)
{
	repeat(act, WARM);
	size_t before = in_use();
	int open_before = descriptors();
	repeat(act, n * times());
	size_t after = in_use();
	if (after > before + SLACK)
		fail_msg("%zu bytes in use before, %zu after", before, after);
	print_message("%d: %zu bytes in use before, %zu after\n", n * times(), before, after);
	assert_int_equal(descriptors(), open_before);
}

static void zooms(void **state)
{
	(void)state;
	assert_flat(zoom, ZOOMS);
}

static void sizes(void **state)
{
	(void)state;
	assert_flat(resize, RESIZES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zooms),
		cmocka_unit_test(sizes),
	};
	return cmocka_run_group_tests(tests, open_log, close_log);
}
