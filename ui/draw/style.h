/* style.h - styles and themes: the colour of each style on a given terminal (table: style.def) */
#ifndef EVTUI_STYLE_H
#define EVTUI_STYLE_H

#include <stdbool.h>
#include <stdint.h>

enum style {
#define STYLE(name, dark, light, safe, c16, c8, letter, text) ST_##name,
#include "draw/style.def"
#undef STYLE
	ST_COUNT
};

enum { STYLE_BANDS = 14 }; /* number of styles ST_BAND_0, ST_BAND_1, … */

/* Number of colours of a terminal. TTY_AUTO: as the terminal reports, but none if NO_COLOR is set. */
enum tty_colours { TTY_AUTO = -1, TTY_MONO = 0, TTY_8 = 8, TTY_16 = 16, TTY_256 = 256 };

/* THEME_SAFE has colours for all kinds of colour vision, on a dark page. On a light page THEME_LIGHT is as safe. */
enum theme { THEME_DARK, THEME_LIGHT, THEME_SAFE, THEMES };

struct style_info {
	const char *name; /* "RUN" */
	const char *text; /* text in the legend; "": not a state */
	char letter;      /* letter of the state without colours; ' ': not a state */
};

/* Return the description of a style; never NULL. */
const struct style_info *style_info(enum style s);

/* Return the palette index of a style on a terminal with `colours` colours (256, 16 or 8); -1: the terminal's
 * default colour. */
int style_colour(enum style s, enum theme theme, int colours);

/* Return the palette index for letters of this style on the page: made lighter or darker if style_colour would be
 * hard to read. */
int style_letters(enum style s, enum theme theme, int colours);

/* Return 0xRRGGBB of an index of the 256-colour palette. For the first 16, which terminals define differently, it is
 * a guess. */
uint32_t style_rgb(int index);

/* Return whether, with 8 colours, this state has the same colour as an earlier one of the table. */
bool style_is_shared(enum style s);

/* Return the theme with this name ("dark", "light", "safe"), or THEMES if there is none. */
enum theme style_theme(const char *name);

/* Return the style of text on a background of style s: ST_LABEL_DARK or ST_LABEL_LIGHT. */
enum style style_label(enum style s, enum theme theme);

#endif
