/* canvas.h - grid of cells that panes and lanes draw on: text, glyphs, boxes, clipping.
 *
 * A cell is one glyph of one column, with a foreground and a background from the table of styles. Drawing outside of
 * the grid is clipped, so callers never check bounds. All text passes through text.c, the one gate from log bytes to
 * the screen. In ASCII mode (canvas.ascii) every glyph drawn here is ASCII. A grapheme two columns wide is a cell of
 * width 2 followed by one of width 0; overwriting half of one blanks the other half. tty.c shows the grid. */
#ifndef EVTUI_CANVAS_H
#define EVTUI_CANVAS_H

#include "base/base.h"
#include "draw/style.h"

struct cell {
	uint32_t ch;      /* a printable code point; ' ' for empty */
	uint32_t mark[2]; /* combining marks, 0 where none */
	uint8_t fg, bg;   /* enum style */
	uint8_t attr;     /* ATTR_… bits */
	uint8_t width;    /* 1; or 2; or 0: the right half of the cell before */
};

enum { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4 };

struct canvas {
	int rows, cols;
	bool ascii;             /* only ASCII glyphs: --ascii or a codeset that is not UTF-8 */
	bool mono;              /* no colours: lanes draw the letters of their states */
	bool few;               /* 8 colours: some states share one, and say by a letter which they are */
	int cursor_y, cursor_x; /* where the terminal's cursor rests (and is shown, if cursor_on) */
	bool cursor_on;
	struct cell *cells; /* rows * cols */
};

/* Letters and signs, as opposed to blanks and parts of a cell. */
static inline bool canvas_is_text(const struct cell *cell)
{
	return cell->ch > ' ' && (cell->ch < 0x2580 || cell->ch > 0x259f);
}

/* A pen: how text is drawn. */
struct pen {
	uint8_t fg, bg, attr;
};

#define PEN(fg)      ((struct pen){(fg), ST_PAGE, 0})
#define PEN_BOLD(fg) ((struct pen){(fg), ST_PAGE, ATTR_BOLD})

/* Change the size; the content is then blank. -1 when memory is out (the canvas is then 0 x 0). */
int canvas_resize(struct canvas *c, int rows, int cols);
void canvas_free(struct canvas *c);
void canvas_clear(struct canvas *c);

/* The cell, or NULL outside of the grid. */
struct cell *canvas_at(struct canvas *c, int y, int x);

/* Draw text in at most `width` columns from (y, x); return the columns used. Longer text is cut with `…` at its end
 * (canvas_text) or in its middle: canvas_name keeps as much of its end as of its beginning, canvas_label a quarter. There is no padding. */
int canvas_text(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);
int canvas_name(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);
int canvas_label(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);

/* The same, cut at its beginning: of a frame's name the end tells most. */
int canvas_tail(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);
int canvas_str(struct canvas *c, int y, int x, int width, struct pen pen, const char *text);
int canvas_printf(struct canvas *c, int y, int x, int width, struct pen pen, const char *format, ...) EVL_PRINTF(6, 7);

/* Draw one of our glyphs, given as a code point and its ASCII replacement. */
void canvas_glyph(struct canvas *c, int y, int x, struct pen pen, uint32_t ch, char ascii);

/* A rectangle of blanks on `bg`. */
void canvas_fill(struct canvas *c, int y, int x, int h, int w, uint8_t bg);

/* Parts of a cell in eighths, 0…8, the rest in `bg`: from below (shares, bars) and from the left (exact edges).
 * 0 and 8 are blanks on a background, never U+2588: full blocks show seams. In ASCII mode a ramp character. */
void canvas_lower(struct canvas *c, int y, int x, int eighths, uint8_t fg, uint8_t bg);
void canvas_left(struct canvas *c, int y, int x, int eighths, uint8_t fg, uint8_t bg);

/* A frame of lines with a title, its inside blank. Smaller than 2 x 2: nothing. */
void canvas_box(struct canvas *c, int y, int x, int h, int w, struct pen pen, const char *title);

/* Return the grid as UTF-8 text, one line per row, without trailing blanks; the caller frees it. NULL if memory ran
 * out. */
char *canvas_dump(const struct canvas *c);

#endif
