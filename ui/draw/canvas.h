/* canvas.h - grid of character cells that panes and lanes draw on: text, glyphs, boxes, clipping
 *
 * A cell is one column wide and has a foreground and a background style. Drawing outside of the grid is clipped, so
 * callers never check bounds. All text is sanitised by text.c. In ASCII mode (canvas.ascii) only ASCII is drawn. A
 * grapheme two columns wide takes a cell of width 2 and one of width 0; overwriting either blanks the other. tty.c
 * shows the grid on the terminal. */
#ifndef EVTUI_CANVAS_H
#define EVTUI_CANVAS_H

#include "base/base.h"
#include "draw/style.h"

struct cell {
	uint32_t ch;      /* printable code point; ' ': empty */
	uint32_t mark[2]; /* combining marks; 0: none */
	uint8_t fg, bg;   /* enum style */
	uint8_t attr;     /* ATTR_… bits */
	uint8_t width;    /* columns: 1 or 2; 0: right half of the previous cell */
};

enum { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4 };

struct canvas {
	int rows, cols;
	bool ascii;             /* ASCII only: --ascii, or the locale is not UTF-8 */
	bool mono;              /* no colours: lanes show letters for states */
	bool few;               /* 8 colours: states that share a colour show letters, too */
	int cursor_y, cursor_x; /* position of the terminal's cursor, visible if cursor_on */
	bool cursor_on;
	struct cell *cells; /* rows * cols cells */
};

/* Return whether a cell shows a letter or sign, not a blank or a block element. */
static inline bool canvas_is_text(const struct cell *cell)
{
	return cell->ch > ' ' && (cell->ch < 0x2580 || cell->ch > 0x259f);
}

/* Style and attributes of text. */
struct pen {
	uint8_t fg, bg, attr;
};

#define PEN(fg)      ((struct pen){(fg), ST_PAGE, 0})
#define PEN_BOLD(fg) ((struct pen){(fg), ST_PAGE, ATTR_BOLD})

/* Change the size and clear the canvas. Return 0, or -1 if memory ran out; the canvas then has 0 rows and columns. */
int canvas_resize(struct canvas *c, int rows, int cols);
void canvas_free(struct canvas *c);
void canvas_clear(struct canvas *c);

/* Return the cell at row y, column x, or NULL if it is outside of the grid. */
struct cell *canvas_at(struct canvas *c, int y, int x);

/* Draw text in at most `width` columns from row y, column x. Return the number of columns used. Text that is too
 * long is cut with `…`: canvas_name, for names and labels in all lists, cuts the middle; canvas_tail, for modules and
 * paths, the start; canvas_text, for sentences, and stacks that start with the innermost centre, the end. */
int canvas_text(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);
int canvas_name(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);
int canvas_tail(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text);

/* Return the columns before the cut of canvas_name: half, but the last component of a qualified name stays whole, with
 * its dot, as long as a quarter is left for the start. */
int canvas_name_start(struct evl_str text, int width, bool ascii);

/* Like canvas_text, of C strings. */
int canvas_str(struct canvas *c, int y, int x, int width, struct pen pen, const char *text);
int canvas_printf(struct canvas *c, int y, int x, int width, struct pen pen, const char *format, ...) EVL_PRINTF(6, 7);

/* Draw a glyph, given as code point and as the character for ASCII mode. */
void canvas_glyph(struct canvas *c, int y, int x, struct pen pen, uint32_t ch, char ascii);

/* Is the blank in column x of a row of cells, which ends before `end`, between a number and its unit ("12 ms")? */
bool cells_in_number(const struct cell *cells, int x, int end);

/* Blank a rectangle with a background style. */
void canvas_fill(struct canvas *c, int y, int x, int h, int w, uint8_t bg);

/* Fill part of a cell, in eighths from 0 to 8: canvas_lower from below, canvas_left from the left; the rest has
 * style bg. Full cells are drawn as background, not as U+2588, which shows seams. In ASCII mode a character shows
 * the fill level. */
void canvas_lower(struct canvas *c, int y, int x, int eighths, uint8_t fg, uint8_t bg);
void canvas_left(struct canvas *c, int y, int x, int eighths, uint8_t fg, uint8_t bg);

/* Draw a box with a title and a blank inside; nothing if it is smaller than 2 x 2. */
void canvas_box(struct canvas *c, int y, int x, int h, int w, struct pen pen, const char *title);

/* Copy row `row` of another canvas to at most `rows` rows from row y on: break lines at blanks, indent all but the first
 * by three columns, and end with `…` if there is not enough room. Return the number of rows used. */
int canvas_wrap(struct canvas *c, int y, int rows, const struct canvas *from, int row);

/* Return the canvas as UTF-8 text, one line per row, without trailing blanks; the caller frees it. NULL if memory
 * ran out. */
char *canvas_dump(const struct canvas *c);

#endif
