#include "chrome/copy.h"

#include <stdlib.h>

enum { ROWS = 4, COLS = 5000 };

/* Rows of text, parted by two blanks. */
static void put_joined(struct buf *out, const char *text)
{
	for (const char *end; *text; text = end + (*end == '\n')) {
		text += strspn(text, " ");
		end = text + strcspn(text, "\n");
		if (end > text && out->len)
			buf_lit(out, "  ");
		buf_put(out, text, (size_t)(end - text));
	}
}

static void draw_row(struct pane_host *h, struct canvas *c)
{
	const struct pane_ops *ops = pane_shown(h);
	if (ops->copy) {
		ops->copy(h->views[h->shown], h, c);
		return;
	}
	part_inspector(&h->model, NULL, NULL, false, c, 0, 0);
	canvas_fill(c, 0, 0, 1, 3, ST_PAGE); /* its sign */
}

bool copy_row(struct pane_host *h, bool ascii, struct buf *out)
{
	struct canvas c = {.ascii = ascii};
	if (canvas_resize(&c, ROWS, COLS))
		return false;
	draw_row(h, &c);
	char *text = canvas_dump(&c);
	if (text)
		put_joined(out, text);
	free(text);
	canvas_free(&c);
	return out->len > 0 && !out->failed;
}

bool copy_screen(const struct canvas *c, struct buf *out)
{
	char *text = canvas_dump(c);
	if (text)
		buf_put(out, text, strlen(text));
	while (out->len && out->p[out->len - 1] == '\n')
		out->len--;
	free(text);
	return out->len > 0 && !out->failed;
}
