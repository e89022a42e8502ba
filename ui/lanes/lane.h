/* lane.h - interface of a lane (struct lane_ops): count, height, drawing, state changes, inspector text
 *
 * Each kind of lane is a constant struct of functions and one line in lane.def. A kind can have many lanes (for
 * example, one per capability); `index` distinguishes them. Times are in ns. */
#ifndef EVTUI_LANE_H
#define EVTUI_LANE_H

#include "draw/line.h"
#include "state/plot.h"

/* Layout of the lanes on the screen: columns of label, plot, and gutter with figures. */
struct lane_place {
	const struct evl_log *log; /* only for lane_ops.rows; NULL elsewhere */
	int label_x, label_w, plot_x, cols, gutter_x, gutter_w;
	bool wide; /* room for long labels and share bars */
	bool tall; /* room for more rows per lane */
	bool path; /* a critical path is shown */
	int rows;  /* rows of the screen */
	enum theme theme;
};

enum { LANE_NAMES_WIDE = 22 }; /* least columns of the names of lanes on a wide screen */
enum { LANE_LOW = 40 };        /* a screen of fewer rows is low: kinds of lanes may be limited or hidden on it */

struct lane_ops;

/* A sign that a lane draws in its own colours: a word of the glossary, and one or two styles. */
struct lane_colour {
	const char *word;
	enum style styles[2];
	uint32_t sign;
	char ascii;
};

/* A colour or sign of a screen. */
struct shown_colour {
	struct lane_colour of;
	struct evl_str name; /* of the log, instead of the word; empty: none */
	const char *brief;   /* with a name: its meaning */
	const char *shorter; /* its name in the legend of this screen; NULL: the word */
	bool absent;         /* it is in the legend only, not on the lanes at the moment */
	uint32_t then;       /* its second shape, drawn after the first; 0: none */
	char then_ascii;
};

struct lane {
	const struct lane_ops *ops;
	uint32_t index; /* among the lanes of its kind */
	int rows;
};

/* A kind of lane. */
struct lane_ops {
	const char *name;
	/* Return the number of lanes of this kind in the log; NULL: created elsewhere. */
	size_t (*count)(const struct evl_log *log);
	/* Return the preferred number of rows of a lane of this kind. 0: not shown on such a screen; negative: not
	 * shown even on request. NULL: one row. */
	int (*rows)(const struct lane_place *at);
	void (*draw)(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y);
	/* Find the next change of state after t, or the last one before t. Return false if there is none. May be
	 * NULL. */
	bool (*change)(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out);
	/* Get the interval of the state at t. Return false if there is none. May be NULL. */
	bool (*span)(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to);
	/* Write about the lane at the cursor, for the inspector. May be NULL. */
	void (*inspect)(const struct lane *lane, const struct model *m, struct line *l);
	/* Write the figures of one column of the window. NULL: there are none. */
	void (*inspect_column)(const struct lane *lane, struct plot *plot, int col, struct line *l);
	bool hidden_by_default; /* hidden until the user asks for it */
	bool unshaded;          /* no lines of pauses over it: they would look like its signs, or repeat it */
	/* Its colours that are not those of the legend, up to an element without a word. NULL: nothing. */
	const struct lane_colour *colours;
	/* Store the colours of names of the log in all lanes of this kind, at most `room`. Return their number. May be NULL. */
	int (*shown)(const struct plot *p, struct shown_colour *out, int room);
	/* Maximum number of lanes of this kind on a screen of fewer than LANE_LOW rows; 0: no limit. */
	uint32_t most_when_low;
};

#define LANE(name) extern const struct lane_ops lane_##name;
#include "lanes/lane.def"
#undef LANE

/* All kinds in screen order, NULL-terminated. */
extern const struct lane_ops *const lane_kinds[];

/* Draw the label of a row, or the figure in its gutter. */
void lane_label(const struct lane_place *at, struct canvas *c, int y, const char *text);
void lane_figure(const struct lane_place *at, struct canvas *c, int y, enum style style, const char *text);
const char *lane_duration(char *out, uint64_t ns, int width); /* "6.53 ms"; if that is wider, two digits: "6.5 ms" */
void lane_no_figure(const struct lane_place *at, struct canvas *c, int y); /* a figure that is not known yet */

/* Draw a number with its word, or alone if there is no room for both. lane_counted: "840 GCs"; lane_named: "live 421M". */
void lane_counted(const struct lane_place *at, struct canvas *c, int y, uint64_t n, const char *word);
void lane_named(const struct lane_place *at, struct canvas *c, int y, enum style style, const char *word, uint64_t n);

/* Write a short number for the gutter ("421M", "1.2k", "7") to out, TEXT_ROOM bytes. Return out. */
char *lane_short(char *out, uint64_t n);
#define as_short(n) lane_short((char[TEXT_ROOM]){0}, n)

/* Draw a sign over a cell, keeping the cell's colour as background. */
void lane_sign(const struct lane_place *at, struct canvas *c, int y, int x, uint32_t sign, char ascii);

/* Draw a cell of one state. */
void lane_solid(struct canvas *c, int y, int x, enum style state);

/* Return the pen for text on a background of this style. */
struct pen lane_pen_on(enum style style, const struct lane_place *at, const struct canvas *c);

/* Draw a cell that is not indexed yet. */
void lane_unknown(struct canvas *c, int y, int x);
void lane_disabled(struct canvas *c, int y, int x); /* hatch a cell: the capability may run no threads */

/* Return how many columns, from the left, end at or before t. If everything before t is indexed, these are known. */
int lane_known_cols(const struct plot *p, uint64_t t);

#endif
