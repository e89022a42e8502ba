/* prompt.h - line editor at the bottom of the screen. */
#ifndef EVTUI_PROMPT_H
#define EVTUI_PROMPT_H

#include "draw/canvas.h"
#include "term/input.h"

enum { PROMPT_ROOM = 8192 };

struct prompt {
	bool open;
	const char *title;      /* "go to time: " */
	char text[PROMPT_ROOM]; /* UTF-8 */
	size_t at, len;         /* the cursor and the end, bytes */
};

enum prompt_result { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

void prompt_open(struct prompt *p, const char *title);

/* The same with a text to go on from. */
void prompt_open_with(struct prompt *p, const char *title, const char *text);

/* Another text in its place, the cursor at its end. One that is too long: nothing happens. */
void prompt_set(struct prompt *p, const char *text);

/* A key or a paste. Enter: DONE, the text stays; Esc, C-g, C-c: CANCELLED. Both close it. */
enum prompt_result prompt_key(struct prompt *p, const struct key *key);

/* In row y, over what is there; places the terminal's cursor. */
void prompt_draw(const struct prompt *p, struct canvas *c, int y);

#endif
