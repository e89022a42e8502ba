/* lane.h - interface of a lane (struct lane_ops): count, height, drawing, state changes, inspector text.
 *
 * A lane is a const struct of functions and one line in lane.def. Kinds with many lanes (capabilities) say how many;
 * the lane's `index` tells them apart. */
#ifndef EVTUI_LANE_H
#define EVTUI_LANE_H

#include "draw/line.h"
#include "state/plot.h"

/* Where things go on a row: label, plot, gutter with figures. */
struct lane_place {
	const struct evl_log *log; /* of lane_ops.rows; NULL elsewhere */
	int label_x, label_w, plot_x, cols, gutter_x, gutter_w;
	bool wide; /* long labels, share bars */
	bool tall; /* room for more rows a lane */
	bool path; /* a critical path is shown */
	int rows;  /* of the screen */
	enum theme theme;
};

enum { LANE_LOW = 40 };

struct lane_ops;

struct lane {
	const struct lane_ops *ops;
	uint32_t index;
	int rows;
};

struct lane_ops {
	const char *name;
	/* How many lanes of this kind the log has. */
	size_t (*count)(const struct evl_log *log); /* NULL: they are made elsewhere */
	/* Rows that a lane of this kind wants; 0: none on such a screen; less: none, whatever is asked for. NULL:
	 * one. */
	int (*rows)(const struct lane_place *at);
	void (*draw)(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y);
	/* The next (forward) or previous change of state seen from t; return false if there is none. May be NULL. */
	bool (*change)(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out);
	/* The span at t; return false if there is none. May be NULL. */
	bool (*span)(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to);
	/* Describe the lane at the cursor in words. May be NULL. */
	void (*inspect)(const struct lane *lane, const struct model *m, struct line *l);
	/* The figures of one column of the window. NULL: it has none. */
	void (*inspect_column)(const struct lane *lane, struct plot *plot, int col, struct line *l);
	bool hidden_by_default; /* until it is asked for */
	uint32_t most_when_low; /* lanes of this kind on a screen of less than LANE_LOW rows; 0: as many as there are */
};

#define LANE(name) extern const struct lane_ops lane_##name;
#include "lanes/lane.def"
#undef LANE

/* All kinds in the order of the screen, terminated by NULL. */
extern const struct lane_ops *const lane_kinds[];

/* The label and the number of a row, in their places. */
void lane_label(const struct lane_place *at, struct canvas *c, int y, const char *text);
void lane_figure(const struct lane_place *at, struct canvas *c, int y, enum style style, const char *text);
void lane_no_figure(const struct lane_place *at, struct canvas *c, int y); /* it is not known yet */

/* A short number for the gutter, into `out` (TEXT_ROOM bytes), which is returned: "421M", "1.2k", "7". */
char *lane_short(char *out, uint64_t n);
#define as_short(n) lane_short((char[TEXT_ROOM]){0}, n)

/* A sign over a cell: what is under it keeps its colour as the background. */
void lane_sign(const struct lane_place *at, struct canvas *c, int y, int x, uint32_t sign, char ascii);

/* A cell that is one state. */
void lane_solid(struct canvas *c, int y, int x, enum style state);

/* The pen for words on that colour. */
struct pen lane_pen_on(enum style style, const struct lane_place *at, const struct canvas *c);

/* A cell that is not indexed yet. */
void lane_unknown(struct canvas *c, int y, int x);

/* How many columns, from the left, end at t or before: where all before t is known, these are. */
int lane_known_cols(const struct plot *p, uint64_t t);

/* Everything of all capabilities before this time is indexed. */
uint64_t lane_known(const struct evl_log *log);

#endif
