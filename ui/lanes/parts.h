/* parts.h - rows of the timeline around its lanes: metrics of the run or range, ruler, inspector, legend */
#ifndef EVTUI_PARTS_H
#define EVTUI_PARTS_H

#include "draw/line.h"
#include "jobs/cursor_job.h"
#include "jobs/range_stats_job.h"
#include "lanes/lane.h"

/* If only the largest samples of each interval of this log were kept, say so, if there is room. */
void line_thinned(struct line *l, const struct evl_log *log);
void line_gc(struct line *l, const struct evl_log *log, const struct gc_row *gc); /* writes "minor GC gen 0" */
/* Write about a pause: "  longest pause 1 of 840: 7.17 ms = 3.99 ms sync (held up by thread 11 "worker-4" on cap 1
 * for 3.96 ms) + 3.18 ms GC". Each lane that shows the collection uses this text. If there is less room, rank and
 * label are left out. */
void line_pause(struct line *l, const struct model *m, const struct gc_row *gc);
/* Write the part of that text about the sync: " (held up by thread 11 "worker-4" on cap 1 for 3.96 ms)"; or, if that thread
 * ran for less than half of this time, " (cap 1 stopped last, 3.96 ms after the request; thread 11 "worker-4" ran there for 5 µs)",
 * or "3 threads ran there, thread 17 "chunk" longest, 72.3 µs; thread 11 "worker-4" last)". oversubscribed: there is a finding
 * of this name, which tells why collections wait for which gc_late_waits is true. */
void line_late(struct line *l, const struct evl_log *log, const struct gc_row *gc, bool wide, bool oversubscribed);
/* Return text on why a run ended and what follows it, in `room` columns, or NULL if there is none for this status. */
const char *line_stop_text(uint16_t status, int room);
/* Return "a timer" or "I/O", for which a thread waited that this manager of the run-time system woke; NULL: it is none. */
const char *line_waited_for(const struct evl_log *log, uint32_t waker);

void line_label(struct line *l, const struct evl_log *log, uint32_t thread);  /* writes " "worker-2"", or nothing */
void line_thread(struct line *l, const struct evl_log *log, uint32_t thread); /* writes "thread 26 "worker-2"" */

/* Draw the metrics of the run: ` mutator 81.3% ████ GC 18.7% (minor 11.2% major 7.5% census 4.1%)  412 pauses p50
 * 1.2 ms …`. census_ns: the time in pauses for heap censuses. busy: the capabilities that ran a
 * thread outside of pauses, on average; NaN: not known, then an upper bound is shown. spots: where each of them is. */
enum { ANSWERS = 16 };
struct answer_spots {
	int n;
	struct {
		int x, end;
		const char *name; /* as written: "(minor " */
	} items[ANSWERS];
};
void part_answers(
	const struct model *m, uint64_t census_ns, double busy, struct canvas *c, int y, struct answer_spots *spots);

/* Draw the times above the plot. */
void part_ruler(const struct model *m, const struct lane_place *at, struct canvas *c, int y);

/* Draw the inspector: the state of the selected lane at the cursor, in rows y to `last`. column: the figures of the column
 * follow (part_column). Return the row after it. */
int part_inspector(const struct model *m, const struct lane *lane, struct plot *plot, bool column, struct canvas *c,
	int y, int last);

/* Activity elsewhere at that moment. */
struct idle_around {
	uint64_t sparks; /* that wait; 0: none, or the log has only counters */
	uint32_t n;      /* other capabilities that run a thread */
	uint32_t thread; /* one of these threads, */
	uint16_t on;     /* and its capability */
	bool all;        /* all capabilities were examined and are known */
};

/* Look around at t; `cap` is the idle capability. Examines at most 64 capabilities. */
void idle_around_at(struct idle_around *out, const struct evl_log *log, uint64_t t, uint16_t cap);

/* Write "nothing to run: 8 threads blocked (4 mvar, 4 stm), 5 in foreign calls; only thread 9 runs, on cap 2; runs next:
 * thread 7 at 3.43 s (mvar), woken by thread 9 on cap 2". In little room, reasons are left out. */
void line_why_idle(struct line *l, const struct evl_log *log, const struct idle_why *why, const struct idle_end *end,
	const struct idle_around *around, uint16_t cap);

/* Write why a capability was idle, as shares of the whole time: ": 30.1% no thread alive, 21.2% …, 11.4% other", the two largest
 * parts, a third if it is a tenth of the idle time, and the rest. all_threads: as in struct waits. */
void line_idle_parts(struct line *l, const struct evl_log *log, const struct cap_idle *idle, bool all_threads,
	const char *before, uint64_t whole);

/* Draw the figures of the lane's column at the cursor, in rows y to `last`. Return the row after them. */
int part_column(const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y, int last);

/* Draw the metrics of the selected range; NULL: not known yet. as_of: end of the log when they were computed, if it has grown since
 * then; else 0. */
void part_range(const struct evl_log *log, const struct range_figures *f, uint64_t as_of, struct canvas *c, int y);

/* Draw a span's time by activity; NULL: not known yet. */
void part_span(const struct evl_log *log, const struct span_answer *a, struct canvas *c, int y);

/* Draw the cause and the parts of a pause, as far as known, in rows y to `last`; end with "…" if there is no room for
 * all. Return the row after them. */
int part_anatomy(const struct model *m, const struct gc_row *gc, struct canvas *c, int y, int last);

/* Write into text how far copying explains the time of a collection: "copying 4.6 MB (0.9 times the mean of 15 other gen 1
 * GCs) takes 20.7 ms at their 222 MB/s, 2.10 ms more as one GC thread copied 64% of it". census: a heap census requested it. */
void text_copying(char *text, size_t room, const struct gc_row *gc, const struct gc_copying *c, bool census);
/* Write "the log does not explain the other 14.3 ms", or nothing if it is little. */
void text_not_explained(char *text, size_t room, const struct gc_row *gc, const struct gc_copying *c, bool census);
/* Write "12.6 MB more were not copied, as large objects are not (stacks, arrays)"; bytes: gc_not_copied. */
void text_not_copied(char *text, size_t room, uint64_t bytes);
/* Return " (+RTS -S prints the CPU time and page faults of each GC)" for a pause with unexplained time; "" if that is less than
 * 1 ms, or the program ran with that flag. */
const char *text_print_each(const struct evl_log *log, uint64_t ns);

/* The words of the legend and their positions, for clicks; those that are not on the screen have none. */
enum { LEGEND_WORDS = 25 };
struct legend_spots {
	int rows, screen;   /* rows of the legend, and of the screen */
	bool tinted;        /* some lanes show threads by colour */
	bool shaded;        /* wide pauses are marked over the lanes */
	const char *chosen; /* the word that is explained; NULL: none */
	/* the rows and columns of the lanes, whose states are shown; left == right: all are */
	int top, bottom, left, right;
	int n;
	struct legend_spot {
		int x, end, y;
		const char *word, *shorter; /* shorter: as the legend writes it; NULL: in full */
		bool absent;                /* it is not on the lanes at the moment */
	} items[LEGEND_WORDS];
};

/* Draw the legend: the states on the lanes, and on a wide screen, dim, the others that occur in this log.
 * part_legend_rows: return the rows that it should have, one or two. */
int part_legend_rows(const struct model *m, const struct canvas *c, const struct legend_spots *spots);
void part_legend(const struct model *m, struct canvas *c, int y, struct legend_spots *spots);

/* Get entry i of the legend: in full, of medium length and abbreviated. Return false if there are fewer entries. */
enum { LEGEND_NAMES = 3 };
bool part_legend_word(size_t i, const char *names[LEGEND_NAMES]);

/* Return the word at a position, or NULL. */
const char *part_legend_at(const struct legend_spots *spots, int y, int x);

/* Draw the sign of a colour, two columns wide; where it has none, as the legend draws its word. */
enum { SIGN_W = 2 };
void part_sign(struct canvas *c, int y, int x, const struct lane_colour *colour);

/* Is that sign, or a bar in its colour, in the rows from y to `end` of the columns from x to end_x? */
bool part_has_sign(const struct canvas *c, int y, int end, int x, int end_x, const struct lane_colour *colour);

/* Draw the explanation of a legend's word, after the cursor's time, from row y up to row `end`; a longer one starts
 * above y. */
void part_word(const struct model *m, const char *word, struct canvas *c, int y, int end);

#endif
