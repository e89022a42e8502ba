/* prof_style.h - colours of cost centres, and highlighting of searched and selected ones. */
#ifndef EVTUI_PROF_STYLE_H
#define EVTUI_PROF_STYLE_H

#include "draw/canvas.h"
#include "prof/prof_names.h"

struct prof_look {
	const struct prof_names *names;
	enum theme theme;
	const bool *found; /* by name; NULL: nothing is searched for */
	uint32_t selected; /* a name, PROF_NO_NAME: none */
	uint64_t total;    /* what shares are shares of; 0: none are shown */
	bool compares;     /* items are compared with others: red has more, blue less, grey is within chance */
	bool whole;        /* samples are ns: the time of threads */
	bool by_module;    /* colours are of modules, else of cost centres */
	const char *root;  /* what a table calls its root; NULL: by its name */
};

/* A frame of one name in columns [x, x + width): its label and, where there is room, its share. here: it is
 * selected. beside: another frame ends where it starts. times: over 1, it is recursion folded into one frame.
 * paint: its colour; ST_PAGE: that of its name. */
void prof_frame(const struct prof_look *look, struct canvas *c, int y, int x, int width, uint32_t name,
	uint64_t samples, uint32_t times, enum style paint, bool here, bool beside);

/* Write a name, cut at its beginning, and after it " ×120" where it is folded recursion; returns the columns used. */
int prof_put_name(const struct prof_names *names, struct canvas *c, int y, int x, int width, struct pen pen,
	uint32_t name, uint32_t times);

#endif
