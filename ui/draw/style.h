/* style.h - styles and themes, expanded from style.def: the colour of a style on a given terminal. */
#ifndef EVTUI_STYLE_H
#define EVTUI_STYLE_H

#include <stdbool.h>
#include <stdint.h>

enum style {
#define STYLE(name, dark, light, c16, c8, letter, text) ST_##name,
#include "draw/style.def"
#undef STYLE
	ST_COUNT
};

enum { STYLE_BANDS = 14 }; /* ST_BAND_0 … */

/* How many colours a terminal has, or is to be taken to have; TTY_AUTO: as it says itself, but none with NO_COLOR. */
enum tty_colours { TTY_AUTO = -1, TTY_MONO = 0, TTY_8 = 8, TTY_16 = 16, TTY_256 = 256 };

enum theme { THEME_DARK, THEME_LIGHT };

struct style_info {
	const char *name; /* "RUN" */
	const char *text; /* for the legend; "" where it is no state */
	char letter;      /* the state without colours; ' ' where it is no state */
};

/* Never NULL. */
const struct style_info *style_info(enum style s);

/* The palette index on a terminal of `colours` colours (256 or more, 16, 8); -1: the terminal's own colour. */
int style_colour(enum style s, enum theme theme, int colours);

/* 0xRRGGBB of an index of the 256-colour palette; what the first 16 look like is up to the terminal: a guess. */
uint32_t style_rgb(int index);

/* Do 8 colours not tell this state from one before it in the table? */
bool style_is_shared(enum style s);

/* The style of text on a background of style s: ST_LABEL_DARK or ST_LABEL_LIGHT. */
enum style style_label(enum style s, enum theme theme);

#endif
