/* history.h - history of a prompt's input, kept between runs. */
#ifndef EVTUI_HISTORY_H
#define EVTUI_HISTORY_H

#include "chrome/prompt.h"

enum { HISTORY_LINES = 100 };

struct history {
	char *lines[HISTORY_LINES]; /* the latest last */
	int n, at;                  /* at == n: what is being typed */
	char draft[PROMPT_ROOM];    /* that, while older lines are looked at */
	const char *name;           /* of its file; NULL: it was not read yet */
};

/* A prompt begins. Reads what is kept under the name, the first time; lines that make no sense are left out. */
void history_open(struct history *h, const char *name);
void history_free(struct history *h);

/* Up and Down put older and newer lines into the prompt; other keys: false. */
bool history_key(struct history *h, struct prompt *p, const struct key *key);

/* A line was entered: it is the latest now, and only that. Kept if there is a place for it. */
void history_add(struct history *h, const char *line);

#endif
