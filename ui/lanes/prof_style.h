/* prof_style.h - draw frames of a profile: colours of cost centres, and highlighting of found and selected ones */
#ifndef EVTUI_PROF_STYLE_H
#define EVTUI_PROF_STYLE_H

#include "draw/canvas.h"
#include "prof/prof_names.h"

/* Display options of a profile. */
struct prof_look {
	const struct prof_names *names;
	enum theme theme;
	const bool *found; /* indexed by name: whether it matches the search; NULL: no search */
	uint32_t selected; /* selected name; PROF_NO_NAME: none */
	uint64_t total;    /* samples that count as 100 %; 0: shares are not shown */
	/* Colours compare with another profile: red has more, blue less, grey no significant difference. */
	bool compares;
	bool whole; /* samples are ns of thread time */
	/* Rows lead from the innermost centre to its callers: what came through a row, not what it includes. */
	bool bottom_up;
	bool by_module;   /* one colour per module, not per cost centre */
	const char *root; /* displayed name of a table's root; NULL: its own name */
};

/* Return the colour of a name. */
enum style prof_style_of(const struct prof_look *look, uint32_t name);

/* Return a clause on what the run-time system counts in a built-in centre; "" for other centres. */
const char *prof_counts(struct evl_str label, struct evl_str module);

/* Draw a frame in columns [x, x + width): the label of its name and, if there is room, its share. times: > 1 if it is
 * folded recursion; paint: colour of the frame, or ST_PAGE for the colour of its name; here: the frame is selected;
 * beside: another frame ends where it starts. */
void prof_frame(const struct prof_look *look, struct canvas *c, int y, int x, int width, uint32_t name,
	uint64_t samples, uint32_t times, enum style paint, bool here, bool beside);

/* Write a name, cut at its start if too long, followed by " ×120" if times > 1 (folded recursion). Return the number
 * of columns used. */
int prof_put_name(const struct prof_names *names, struct canvas *c, int y, int x, int width, struct pen pen,
	uint32_t name, uint32_t times);

#endif
