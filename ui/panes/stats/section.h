/* section.h - interface of a box of the Stats pane (struct section_ops): title, rows, action of Enter
 *
 * Each box is a constant struct of functions in a section_*.c file and one line in section.def. It draws into the room
 * it is given. The cost of its functions must depend only on the visible rows. Times are in ns. */
#ifndef EVTUI_SECTION_H
#define EVTUI_SECTION_H

#include "lanes/parts.h"
#include "report/abilities.h"
#include "report/figure_lists.h"
#include "report/findings.h"

struct section_entries;
struct stats_answer;
struct table_source;

/* Share from which on the absence of a capability is told: not the time before it is created as the program starts. */
#define ABSENT_LEAST 0.01

/* Return ns as a share of the time that the figures cover. */
static inline double section_share(const struct figures *f, uint64_t ns)
{
	return (double)ns / (double)figures_total(f);
}

/* Number of pauses in each of n equal parts of [from, to), by length class. n is 0 if not known yet. */
struct heat_ask {
	uint64_t from, to, n;
};
struct stats_heat {
	struct heat_ask of;
	size_t n;
	uint32_t (*cells)[PAUSE_HEATS];
};

/* Input of all boxes. */
struct stats_data {
	const struct evl_log *log;
	const struct stats_answer *answer;
	const struct figures *f; /* answer->figures */
	const struct stats_heat *heat;
	int width; /* columns of the box */
};

/* Kinds of target of Enter. */
enum place_kind {
	PLACE_NONE,
	PLACE_MOMENT,
	PLACE_BAND, /* band of the heap profile; its label is in `filter` */
	PLACE_FINDING,
	PLACE_PAUSE, /* pause of the collection that starts at t */
	PLACE_RANGE,
	PLACE_CAP,
	PLACE_THREAD,
	PLACE_SPAN,
	PLACE_SEGMENT,   /* segment of a path, on a capability or EVL_NO_CAP */
	PLACE_COLOURS,   /* the legend of the timeline */
	PLACE_IDLE,      /* idle or other time [t, end) of a capability: its middle */
	PLACE_SELECTION, /* select the range [t, end) */
	PLACE_LIST       /* open a table */
};
/* A target of Enter. */
struct stats_place {
	enum place_kind kind;
	uint64_t t, end;                 /* the moment; if known, [t, end) is the interval that starts there */
	uint32_t id;                     /* number of the capability; id of the thread; for a span, its row */
	uint32_t thread;                 /* thread that started the span; 0: none */
	const struct table_source *list; /* the table to open */
	uint64_t label;                  /* hash of a span label, for that table (struct span_list); 0: all */
	char filter[64];                 /* filter of that table */
};

/* A box. head and place are called only while it has rows. */
struct section_ops {
	const char *title;
	const char *missing; /* text after the title if there are no rows; NULL: derived from `absence` */
	enum absence absence;
	const char *exported;             /* format and table that the e key suggests in this box; NULL: all metrics */
	const struct table_source *table; /* table of the box's rows, to filter and sort; NULL: the one of its title */
	bool wide;                        /* the box spans all columns */
	bool of_log;                      /* it describes the whole log, not the range */
	const struct section_entries *entries;   /* all of its rows; then rows, entry_rows, draw and place are NULL */
	int (*rows)(const struct stats_data *d); /* return the number of rows; 0: nothing to show */
	/* Return the number of rows of entry i, 0 past the last; one step of the selection is one entry. NULL: one each. */
	int (*entry_rows)(const struct stats_data *d, size_t i);
	void (*head)(const struct stats_data *d, struct line *l);          /* draw after the title; may be NULL */
	void (*draw)(const struct stats_data *d, int row, struct line *l); /* draw one row, from 0 */
	/* Set where Enter goes from a row; -1 is the title. NULL: nowhere. */
	void (*place)(const struct stats_data *d, int row, struct stats_place *out);
};

#define SECTION(name) extern const struct section_ops section_##name;
#include "panes/stats/section.def"
#undef SECTION

/* Return how many classes there are from the first to the last that is used; *first: the first; 0: none is. */
size_t section_used(const uint64_t *counts, size_t n, size_t *first);

/* Draw text right- or left-aligned in a field of `width` columns, followed by a blank. */
void section_right(struct line *l, enum style style, int width, const char *text);
void section_left(struct line *l, enum style style, int width, const char *text);
void section_name(struct line *l, enum style style, int width, struct evl_str text); /* shortened in the middle */

/* Draw a value in its unit, right-aligned; abbreviate it if it is too long for the field. */
void section_unit(struct line *l, enum style style, int width, enum unit unit, double value);

/* Draw why a metric is unknown: "no census", "none in this range", "not known", with the RTS flag that would record it. whole:
 * it was asked of the whole log, or not all of the range has been read; windows: of the time that spans cover. */
void section_absent(struct line *l, const struct evl_log *log, enum metric m, bool whole, bool windows);

/* Draw "peak live      421 MB": the label and value of a metric, or the RTS flag that would record it. */
void section_metric(const struct stats_data *d, struct line *l, enum metric m, int label_w, int value_w);

/* The columns of a list that a box shows. share: as a share of the row's whole (table_kind.whole); wide: omitted unless all
 * columns fit. */
struct section_field {
	int column, width;
	enum style style;
	bool wide, share;
	const char *title; /* heading; NULL: the column's title */
};
struct section_list {
	const struct table_kind *kind;
	const struct section_field *fields;
	size_t n;
};
#define SECTION_FIELDS(items) items, countof(items)
/* section_titles: draw the headings of the columns. section_cells: draw row `row`. all: there is room for all
 * columns. */
void section_titles(struct line *l, const struct section_list *list, bool all);
void section_cells(struct line *l, const struct section_list *list, void *of, size_t row, bool all);

/* Entries of a box that are broken into lines of its width: each a label and a text, and where Enter goes (NULL: nowhere). */
struct section_entry {
	const char *label, *alone; /* alone: its label in a log of one capability; NULL: the same */
	void (*put)(const struct stats_data *d, struct line *l);
	void (*place)(const struct stats_data *d, struct stats_place *out);
	bool of_screen;                            /* it is about the screen: not for a page of text */
	bool (*there)(const struct stats_data *d); /* NULL: always; others come last */
};
struct section_entries {
	const struct section_entry *items;
	size_t n;
	int label_w;
};
/* Break entry i into lines of the width of the box, on a new canvas. Return their number; 0: it is not there, or out of memory
 * (recorded by oom_note). */
int section_entry_lines(
	const struct section_entries *e, const struct stats_data *d, size_t i, bool ascii, struct canvas *lines);

/* The functions of section_ops, for boxes with and without entries. section_has_entries: rows may belong together. */
bool section_has_entries(const struct section_ops *ops);
int section_rows(const struct section_ops *ops, const struct stats_data *d);
int section_entry_rows(const struct section_ops *ops, const struct stats_data *d, size_t i);
void section_draw(const struct section_ops *ops, const struct stats_data *d, int row, struct line *l);
void section_place(const struct section_ops *ops, const struct stats_data *d, int row, struct stats_place *out);

/* Draw value / max as a bar in the rest of the row, at most `width` columns; at least an eighth of a cell if value >
 * 0. */
void section_bar(struct line *l, int width, double value, double max, enum style style);

/* Draw the parts of a whole as a bar of `width` columns. */
struct section_part {
	double share;
	enum style style;
};
void section_parts(struct line *l, int width, const struct section_part *parts, size_t n);

/* Draw "thread 26 "worker-2"", in at most `width` columns. */
void section_thread(const struct stats_data *d, struct line *l, int width, uint32_t thread);

/* Get the times of the thread that ran most (i: 0), second most (1), …; false: there is none, or it is not known. */
bool section_ran_most(const struct stats_data *d, size_t i, struct thread_waits *out);

/* The place of a thread's longest run; where that is not known, of its creation, or the start of the range. */
void section_place_run(const struct stats_data *d, const struct thread_waits *t, struct stats_place *out);

/* The place of a finding of the answer; a hint has none. */
void section_place_finding(const struct stats_data *d, const struct finding *f, struct stats_place *out);

/* The place is a table. */
void section_place_list(struct stats_place *out, const struct table_source *list);

/* Draw the last row of a list that is cut: "12 more (Enter: all)". */
void section_more(struct line *l, uint64_t n);

/* Draw "at 6.318 s". */
void section_at(struct line *l, uint64_t t);

#endif
