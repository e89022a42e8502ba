/* heap_answer.h - question and answer of the heap job: everything that the Heap pane shows, including texts
 *
 * Drawing an answer does not access the log. */
#ifndef EVTUI_HEAP_ANSWER_H
#define EVTUI_HEAP_ANSWER_H

#include "heap/census_group.h"
#include "heap/census_shape.h"
#include "heap/census_window.h"

/* heap_ask.room for all rows of the table, without heap_row.since. */
#define HEAP_ALL_ROWS UINT32_MAX

/* heap_row.number of an opened group's row, which is above its bands. */
#define BANDS_OPEN (UINT32_MAX - 1)

enum { HEAP_LABEL = 200, HEAP_FILTER = 256, HEAP_FACTS = 40, HEAP_GROWTH = 4 };

/* Contents of the table: bands, the tree of cost-centre stacks, or root sets (who holds the memory). */
enum heap_mode { HEAP_BANDS, HEAP_TREE, HEAP_ROOTS };

#define HEAP_SORTS(S)                                                                                                  \
	S(PEAK, "peak") /* in the window; bands get their colours in this order */                                     \
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

/* The question. Compared byte by byte, so initialize with zeros. */
struct heap_ask {
	uint64_t t0, t1, first, last;  /* window [t0, t1), and the run [first, last + 1), in ns */
	uint64_t cursor, other;        /* other: moment to compare the cursor's with */
	uint64_t range_from, range_to; /* range for growth, ns */
	uint32_t cols, rows;           /* size of the picture in cells */
	uint32_t profile;              /* index of the profile among those of the log, from 0 */
	uint32_t only;                 /* show this band alone; BANDS_REST: show all */
	uint32_t mode, sort;
	uint32_t at;        /* selected band (HEAP_BANDS) or row number; BANDS_REST: the first row */
	int32_t move;       /* rows to move the selection by; negative: up */
	uint32_t top, room; /* first visible row; number of visible rows (HEAP_ALL_ROWS) */
	uint32_t hues;      /* number of bands that the picture draws separately */
	uint32_t compares;  /* 1: compare with the other moment or another log */
	/* Log to compare with; NULL: none. The job holds a reference to it. */
	const struct evl_log *against;
	char find[HEAP_LABEL]; /* label of the band to select; "": use `at` */
	char filter[HEAP_FILTER];
	char group[GROUP_TEXT]; /* grouping as census_grouping_parse reads it; "": none */
	char open[GROUP_TEXT];  /* name of the group that is opened into its bands; "": none */
};

/* A row of the table. */
struct heap_row {
	uint32_t number; /* number of the band, or of the row in other modes */
	int depth;       /* depth in the tree; bands of the opened group: 1 */
	enum heap_fold { FOLD_NONE, FOLD_CLOSED, FOLD_OPEN } fold;
	char label[HEAP_LABEL];
	uint64_t bytes;               /* at the cursor; in trees and root sets: inclusive */
	uint64_t self;                /* only in trees and root sets: exclusive */
	uint64_t other;               /* bytes at the other moment */
	uint64_t peak, peak_t;        /* largest bytes, and when */
	struct census_growth growth;  /* growth in the range */
	uint16_t spark[CENSUS_SPARK]; /* values of the sparkline */
	uint8_t style;                /* colour in the picture */
	char since[48];               /* course in the range, abbreviated: "rises since 110 ms" */
	bool still;                   /* it still grows at the end */
	bool is_drawn;                /* it has a separate colour in the picture */
};

struct heap_fact {
	char name[16], text[HEAP_LABEL]; /* a line of the details: name and value */
	uint8_t style;                   /* of the text */
};

/* The sample at a moment: its index, time in ns, and total bytes. cut: it is incomplete; early: there is none yet, and index and
 * time are those of the first one. */
struct heap_moment {
	size_t sample;
	uint64_t t, total;
	bool cut, early;
};

/* The bands that changed most, up or down, with the change in bytes. */
struct heap_changes {
	struct {
		char label[HEAP_LABEL];
		int64_t by;
	} items[HEAP_GROWTH];
	int n;
};

/* The answer, ready to draw. */
struct heap_answer {
	struct heap_ask ask;              /* the question that this answers */
	size_t samples;                   /* number of samples; 0: there is no profile, and no other member is valid */
	uint64_t more;                    /* number of samples that were not kept */
	struct breakdown_found announced; /* kind of the profile */
	unsigned profile, profiles;       /* id of the profile; number of profiles in the log */
	uint64_t period;                  /* interval between samples, ns */
	bool filtered;                    /* the profile was restricted to a part of the heap by RTS flags */
	size_t bands, dropped;            /* number of bands; number of bands left out at the limit */
	bool stacks;                      /* bands are cost-centre stacks */
	size_t grouped;                   /* bands in the displayed groups; 0: bands are not grouped */
	struct census_knot *knots;        /* the curves of the picture */
	size_t n_knots, knots_room;
	struct census_slots slots;
	uint8_t styles[CENSUS_SLOTS];
	size_t others;       /* number of bands merged into "others" in the picture */
	uint64_t trend_most; /* scale of the sparklines in bytes; 0: each has its own peak as scale */
	uint64_t largest;    /* largest total in the picture, bytes */
	uint64_t peak_t;     /* time of the largest sample of the run */
	/* Live bytes after the collection that took the sample at the cursor; valid if has_live. */
	uint64_t live;
	bool has_live;
	struct heap_moment at, other; /* moments of the cursor and of comparison; the latter may be in another log */
	bool no_other;                /* the other log has no such profile */
	bool has_before, has_after;   /* there are samples before, and after, the cursor; their times follow */
	uint64_t before_t, after_t;
	char nearest[64];      /* "the nearest is at 1.263230 s (key .)"; "": there is none */
	struct heap_row *rows; /* the visible part of the table */
	size_t n, rows_room;
	/* Index of the first of `rows` in the whole table; number of its rows; number of bands hidden by the filter. */
	size_t top, all, hidden;
	size_t cursor;                      /* index of the selected row in `rows` */
	struct heap_row rest;               /* sum of all bands that are not in the table */
	size_t unlisted;                    /* number of these bands */
	struct heap_fact facts[HEAP_FACTS]; /* details of the selected row */
	int n_facts, n_numbers;             /* the first n_numbers facts are its figures over time */
	char location[HEAP_LABEL * 2];      /* source location of the selected row, location_len bytes */
	size_t location_len;
	struct heap_changes growth; /* changes in the range */
	size_t in_range;            /* number of samples in the range */
	bool one_sample;            /* both ends of the range have the same sample: nothing can be told */
};

void heap_answer_free(struct heap_answer *page);

#endif
