#include "lanes/parts.h"
#include "chrome/view.h"

enum { LEAST_ROWS = 5, LEAST_COLS = 20, INSPECTOR_ROWS = 12 };

void part_frame(void *view, struct view_host *h, struct canvas *c, part_body *body)
{
	int inspector = c->rows >= INSPECTOR_ROWS, bottom = c->rows - 1 - inspector;
	canvas_clear(c);
	if (c->rows < LEAST_ROWS || c->cols < LEAST_COLS) {
		canvas_str(c, 0, 0, c->cols, PEN(ST_TEXT), "evtui: too small");
		return;
	}
	part_title(h, c, 0);
	body(view, h, c, 1, bottom);
	if (inspector)
		part_inspector(&h->model, NULL, NULL, c, bottom, 1);
	part_hints(h, c, c->rows - 1);
}
