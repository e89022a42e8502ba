/* heap_answer.h - question and answer of the heap job: everything on the screen, texts included.
 *
 * Drawing an answer does not touch the log. */
#ifndef EVTUI_HEAP_ANSWER_H
#define EVTUI_HEAP_ANSWER_H

#include "heap/census_group.h"
#include "heap/census_shape.h"
#include "heap/census_window.h"

/* The number of the opened group's row, which is above its bands. */
#define BANDS_OPEN (UINT32_MAX - 1)

enum { HEAP_LABEL = 200, HEAP_FILTER = 256, HEAP_FACTS = 40, HEAP_GROWTH = 4 };

/* Contents of the table: bands, the tree of stacks, or the roots of sets. */
enum heap_mode { HEAP_BANDS, HEAP_TREE, HEAP_ROOTS };

#define HEAP_SORTS(S)                                                                                                  \
	S(PEAK, "peak") /* in the window, as hues are given */                                                         \
	S(MEAN, "mean size")                                                                                           \
	S(AT, "at cursor")                                                                                             \
	S(GROWTH, "growth")                                                                                            \
	S(NAME, "name")                                                                                                \
	S(CHANGE, "difference") /* from the other moment to the cursor */
enum heap_sort {
#define S(name, text) HEAP_BY_##name,
	HEAP_SORTS(S)
#undef S
		HEAP_SORT_COUNT
};

/* Compared byte by byte: set it to zeros first. */
struct heap_ask {
	uint64_t t0, t1, first, last;  /* the window; the run */
	uint64_t cursor, other;        /* other: the moment that the cursor's is compared with */
	uint64_t range_from, range_to; /* growth is told between these two */
	uint32_t cols, rows;           /* of the picture */
	uint32_t profile;              /* the n-th that there is */
	uint32_t only;                 /* the band that is shown alone; BANDS_REST: all */
	uint32_t mode, sort;
	uint32_t at;        /* the row of the cursor: a band; in other modes a row. BANDS_REST: on the first row */
	int32_t move;       /* number of rows on or back from there */
	uint32_t top, room; /* the first row on the screen, and how many there are */
	uint32_t hues;      /* bands that the picture draws separately */
	uint32_t compares;  /* with the other moment, or another log */
	const struct evl_log *against; /* that log; NULL: none. The job holds it */
	char find[HEAP_LABEL];         /* the band to select, by its label; "": as `at` has it */
	char filter[HEAP_FILTER];
	char group[GROUP_TEXT]; /* as census_grouping_parse reads it */
	char open[GROUP_TEXT];  /* the group that is opened into its bands; "": none */
};

struct heap_row {
	uint32_t number; /* of the band, or of the row */
	int depth;       /* in a tree; bands of the opened group: 1 */
	enum heap_fold { FOLD_NONE, FOLD_CLOSED, FOLD_OPEN } fold;
	char label[HEAP_LABEL];
	uint64_t bytes; /* at the cursor; of trees and roots: all of it */
	uint64_t self;  /* of trees and roots: its own */
	uint64_t other; /* at the other moment */
	uint64_t peak, peak_t;
	struct census_growth growth;
	uint16_t spark[CENSUS_SPARK];
	uint8_t style;  /* its colour in the picture */
	char since[48]; /* its course in the range in brief: "rises since 110 ms" */
	bool still;     /* it grows on at the end */
	bool is_drawn;  /* it has a distinct hue there */
};

struct heap_fact {
	char name[16], text[HEAP_LABEL];
	uint8_t style; /* of the text */
};

struct heap_moment {
	size_t sample;
	uint64_t t, total;
	bool cut;
};

/* The bands that grew most, and the one that shrank most. */
struct heap_changes {
	struct {
		char label[HEAP_LABEL];
		int64_t by;
	} items[HEAP_GROWTH];
	int n;
};

struct heap_answer {
	struct heap_ask ask; /* that it answers */
	size_t samples;      /* 0: there is no profile, and nothing else here is set */
	uint64_t more;       /* samples that are not kept */
	struct breakdown_found announced;
	unsigned profile, profiles; /* its id; how many there are */
	uint64_t period;
	bool filtered; /* only a part of the heap was counted */
	size_t bands, dropped;
	bool stacks;               /* bands are stacks of cost centres */
	size_t grouped;            /* bands that are in the groups shown; 0: bands are shown */
	struct census_knot *knots; /* the picture */
	size_t n_knots, knots_room;
	struct census_slots slots;
	uint8_t styles[CENSUS_SLOTS];
	size_t others;                /* bands in it */
	uint64_t trend_most;          /* what the trend of a row is as high as; 0: its own peak */
	uint64_t largest;             /* total in the picture */
	uint64_t peak_t;              /* when the largest sample of the run was taken */
	uint64_t live;                /* live bytes at the end of the collection that took the sample at the cursor */
	bool has_live;                /* they are known */
	struct heap_moment at, other; /* other: also the largest sample of another log */
	bool no_other;                /* that has no such profile */
	bool has_before, has_after;   /* samples before and after the cursor */
	uint64_t before_t, after_t;
	struct heap_row *rows; /* of the table */
	size_t n, rows_room;
	size_t top, all, hidden;            /* the first of rows; rows in all; bands that the filter hides */
	size_t cursor;                      /* in rows */
	struct heap_row rest;               /* all that is in no row, together */
	size_t unlisted;                    /* bands that are */
	struct heap_fact facts[HEAP_FACTS]; /* of the selected band */
	int n_facts, n_numbers;             /* the first n_numbers are its figures over time */
	char location[HEAP_LABEL * 2];
	size_t location_len;
	struct heap_changes growth; /* in the range */
};

void heap_answer_free(struct heap_answer *page);

#endif
