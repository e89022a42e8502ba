/* history.h - history of the lines entered at a prompt, kept between runs */
#ifndef EVTUI_HISTORY_H
#define EVTUI_HISTORY_H

#include "chrome/prompt.h"

enum { HISTORY_LINES = 100 };

struct history {
	char *lines[HISTORY_LINES]; /* oldest first */
	int n, at;                  /* at: index of the line shown in the prompt; n: the line being typed */
	char draft[PROMPT_ROOM];    /* the line being typed, while an older one is shown */
	const char *name;           /* name of its file; NULL: not read yet */
};

/* Call when a prompt opens. The first time, it reads the file of this name; invalid lines are skipped. */
void history_open(struct history *h, const char *name);
void history_free(struct history *h);

/* Put the previous line (Up) or the next line (Down) into the prompt. Return false for other keys. */
bool history_key(struct history *h, struct prompt *p, const struct key *key);

/* Add an entered line as the latest, remove an older equal one, and save the history. */
void history_add(struct history *h, const char *line);

#endif
