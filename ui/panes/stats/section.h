/* section.h - interface of a box of the Stats pane (struct section_ops): title, rows, action on Enter; in
 * section_NAME.c files.
 *
 * A section is a const struct of functions and one line in section.def. It draws into the room it is given, and asks
 * the library nothing that costs more than its visible rows. */
#ifndef EVTUI_SECTION_H
#define EVTUI_SECTION_H

#include "lanes/parts.h"
#include "report/absence.h"
#include "report/figure_lists.h"
#include "report/findings.h"

struct stats_answer;

/* The idle share of a capability's time without its waits for collections. */
struct cap_split {
	double sync, stopped; /* from request to start, and in collections that it takes no part in */
	bool exact;           /* false: at least these */
};

/* Pauses in equal parts of the range; n of 0: not known yet. */
struct stats_heat {
	size_t n;
	uint32_t (*cells)[PAUSE_HEATS];
};

struct stats_data {
	const struct evl_log *log;
	const struct stats_answer *answer;
	const struct figures *f; /* the same's */
	const struct stats_heat *heat;
	int width;     /* of the box, in columns */
	bool all_caps; /* a row per capability, however many */
};

/* Action of Enter. */
enum place_kind {
	PLACE_NONE,
	PLACE_MOMENT,
	PLACE_BAND,  /* of the heap profile, whose label is the filter */
	PLACE_PAUSE, /* of the collection that starts at t */
	PLACE_RANGE,
	PLACE_CAP,
	PLACE_THREAD,
	PLACE_SPAN,
	PLACE_SEGMENT,   /* of a path: on a capability, or EVL_NO_CAP */
	PLACE_SELECTION, /* [t, end) becomes the range */
	PLACE_ALL_CAPS,  /* fold or unfold those past the first ones */
	PLACE_GCS,       /* these open tables */
	PLACE_THREADS,
	PLACE_SPANS,
	PLACE_PHASES,
	PLACE_BLOCKED,
	PLACE_CAPS,
	PLACE_CYCLES,
	PLACE_TICKY
};
struct stats_place {
	enum place_kind kind;
	uint64_t t, end; /* the moment; what it began, [t, end), where that is known */
	uint32_t id;     /* the capability's number; the thread, whose lane is selected at t; of a span, its row */
	uint32_t thread; /* of a span: that began it; 0: none */
	uint64_t label;  /* of the spans of the table that opens (struct span_list); 0: all */
	char filter[64]; /* of the table that opens */
};

struct section_ops {
	const char *title;
	const char *missing; /* says instead of rows what would record them; NULL: */
	enum absence absence;
	bool wide;   /* over all columns of boxes */
	bool of_log; /* it tells of the log, not of the range */
	int (*rows)(const struct stats_data *d);
	void (*head)(const struct stats_data *d, struct line *l); /* after the title; may be NULL */
	void (*draw)(const struct stats_data *d, int row, struct line *l);
	/* Row -1 is the title. NULL: nowhere. */
	void (*place)(const struct stats_data *d, int row, struct stats_place *out);
};

#define SECTION(name) extern const struct section_ops section_##name;
#include "panes/stats/section.def"
#undef SECTION

/* --- what sections draw with ---------------------------------------------------------------------------------------- */

/* Draw a text right- or left-aligned in a field of `width` columns, followed by an empty column. */
void section_right(struct line *l, enum style style, int width, const char *text);
void section_left(struct line *l, enum style style, int width, const char *text);
void section_name(struct line *l, enum style style, int width, struct evl_str text); /* cut in its middle */

/* A figure, to the right; a number that is too long for its field in brief. */
void section_unit(struct line *l, enum style style, int width, enum unit unit, double value);

/* "peak live      421 MB": label and figure, or the flag that would record it. */
void section_metric(const struct stats_data *d, struct line *l, enum metric m, int label_w, int value_w);

/* The columns of a list of figures that a box shows; wide: only where all of them have room. Draw their titles, a row. */
struct section_field {
	int column, width;
	enum style style;
	bool wide;
	const char *title; /* NULL: that of the column */
};
struct section_list {
	enum figure_list_id id;
	const struct section_field *fields;
	size_t n;
};
#define SECTION_FIELDS(items) items, countof(items)
void section_titles(struct line *l, const struct section_list *list, bool all);
void section_cells(struct line *l, const struct section_list *list, const struct figure_list *of, size_t row, bool all);

/* Return the value of a cell, NAN if it is unknown. */
double section_value(const struct section_list *list, const struct figure_list *of, size_t row, int column);

/* value / max as a bar in what is left of the row, at most `width` columns; what is there is at least an eighth. */
void section_bar(struct line *l, int width, double value, double max, enum style style);

/* The parts of a whole, one after another. */
struct section_part {
	double share;
	enum style style;
};
void section_parts(struct line *l, int width, const struct section_part *parts, size_t n);

/* "thread 26 “worker-2”", in at most `width` columns. */
void section_thread(const struct stats_data *d, struct line *l, int width, uint32_t thread);

/* When a thread was created, or the start of the range. */
uint64_t section_born(const struct stats_data *d, uint32_t thread);

/* "at 6.318 s". */
void section_at(struct line *l, uint64_t t);

#endif
