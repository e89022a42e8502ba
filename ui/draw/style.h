/* style.h - styles and themes, expanded from style.def: the colour of a style on a given terminal. */
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

enum { STYLE_BANDS = 14 }; /* ST_BAND_0 … */

/* How many colours a terminal has, or is to be taken to have; TTY_AUTO: as it says itself, but none with NO_COLOR. */
enum tty_colours { TTY_AUTO = -1, TTY_MONO = 0, TTY_8 = 8, TTY_16 = 16, TTY_256 = 256 };

/* THEME_SAFE: on a dark page; on a light one THEME_LIGHT is as safe. */
enum theme { THEME_DARK, THEME_LIGHT, THEME_SAFE, THEMES };

struct style_info {
	const char *name; /* "RUN" */
	const char *text; /* for the legend; "" where it is no state */
	char letter;      /* the state without colours; ' ' where it is no state */
};

/* Never NULL. */
const struct style_info *style_info(enum style s);

/* The palette index on a terminal of `colours` colours (256 or more, 16, 8); -1: the terminal's own colour. */
int style_colour(enum style s, enum theme theme, int colours);

/* The same for letters in the colour of s on the page: lighter or darker where the cell's colour would be hard to read. */
int style_letters(enum style s, enum theme theme, int colours);

/* 0xRRGGBB of an index of the 256-colour palette; what the first 16 look like is up to the terminal: a guess. */
uint32_t style_rgb(int index);

/* Do 8 colours not tell this state from one before it in the table? */
bool style_is_shared(enum style s);

/* The theme of that name ("dark", "light", "safe"); THEMES: there is none. */
enum theme style_theme(const char *name);

/* The style of text on a background of style s: ST_LABEL_DARK or ST_LABEL_LIGHT. */
enum style style_label(enum style s, enum theme theme);

#endif
