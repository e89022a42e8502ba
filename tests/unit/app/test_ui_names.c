/* With its program, a log without IPE events shows the same screens as the one with them. */
#include "named.h"
#include "paned.h"

#include <unistd.h>

enum { ROWS = 40, COLS = 160, MOVES = CLOSURES + 2, CELLS = ROWS * COLS };

/* The screens of a pane, one for each row that is selected. */
static struct cell *screens_of(struct evl_log *log, enum pane_kind pane, const char *seen)
{
	struct cell *all = malloc((size_t)MOVES * CELLS * sizeof *all);
	bool found = false;
	assert_non_null(all);
	paned_open(log, pane, ROWS, COLS);
	for (int i = 0; i < MOVES; i++) {
		memcpy(all + (ptrdiff_t)i * CELLS, canvas.cells, CELLS * sizeof *all);
		found = found || paned_has(seen);
		paned_key(ACT_DOWN);
	}
	assert_true(found);
	paned_close();
	return all;
}

/* But for the title bar, which counts events. */
static bool same(const struct cell *a, const struct cell *b)
{
	for (int i = 0; i < MOVES * CELLS; i++)
		if (i % CELLS >= COLS && (a[i].ch != b[i].ch || a[i].fg != b[i].fg || a[i].bg != b[i].bg))
			return false;
	return true;
}

static void the_same_screens(void **state)
{
	static const struct {
		enum pane_kind pane;
		const char *bare, *named; /* a text on the screen, without the program and with it */
	} rows[] = {{PANE_HEAP, "0x", "src/Main.hs:12:3-9"}, {PANE_PROF, "0x", "GHC.Base.map"}};
	char dir[] = "/tmp/evtui-names-XXXXXX", path[64];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/prog", dir);
	make_program(path, 0);
	struct built with = make_log(true), without = make_log(false);
	struct evl_log *told = walked(&with), *bare = walked(&without);
	struct cell *unnamed[countof(rows)];
	for (size_t i = 0; i < countof(rows); i++)
		unnamed[i] = screens_of(bare, rows[i].pane, rows[i].bare);
	assert_int_equal(use(told, path).code, 0);
	assert_int_equal(use(bare, path).code, 0);
	for (size_t i = 0; i < countof(rows); i++) {
		struct cell *a = screens_of(told, rows[i].pane, rows[i].named);
		struct cell *b = screens_of(bare, rows[i].pane, rows[i].named);
		assert_true(same(a, b));
		assert_false(same(unnamed[i], b));
		free(a);
		free(b);
		free(unnamed[i]);
	}
	done(told, &with);
	done(bare, &without);
	unlink(path);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_screens)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
