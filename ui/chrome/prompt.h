/* prompt.h - line editor at the bottom of the screen */
#ifndef EVTUI_PROMPT_H
#define EVTUI_PROMPT_H

#include "draw/canvas.h"
#include "term/input.h"

enum { PROMPT_ROOM = 8192 };

struct prompt {
	bool open;
	const char *title;      /* shown before the text: "go to time: " */
	char text[PROMPT_ROOM]; /* UTF-8, NUL-terminated */
	size_t at, len;         /* byte offsets of the cursor and of the end */
	bool selected;          /* the first character typed replaces the text */
};

/* Effect of a key: the text is still being edited; was entered; was abandoned. */
enum prompt_result { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

/* Open the prompt with no text. title is borrowed. */
void prompt_open(struct prompt *p, const char *title);

/* Open the prompt with a text to edit. */
void prompt_open_with(struct prompt *p, const char *title, const char *text);

/* Replace the text, and put the cursor at its end. Does nothing if the new text is too long. */
void prompt_set(struct prompt *p, const char *text);

/* Handle a key or a paste. Enter returns PROMPT_DONE and keeps the text; Esc, Ctrl-G and Ctrl-C return
 * PROMPT_CANCELLED. Both close the prompt. */
enum prompt_result prompt_key(struct prompt *p, const struct key *key);

/* Draw the prompt in row y, and place the terminal's cursor. */
void prompt_draw(const struct prompt *p, struct canvas *c, int y);

#endif
