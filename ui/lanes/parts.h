/* parts.h - rows of the timeline around its lanes: metrics of the run or range, ruler, inspector, legend. */
#ifndef EVTUI_PARTS_H
#define EVTUI_PARTS_H

#include "draw/line.h"
#include "jobs/cursor_job.h"
#include "jobs/range_stats_job.h"
#include "lanes/lane.h"

/* Say that of the samples in this log only the largest of each stretch are kept, if so and if there is room. */
void line_thinned(struct line *l, const struct evl_log *log);
void line_gc(struct line *l, const struct evl_log *log, const struct gc_row *gc); /* "minor GC gen 0" */
/* "  longest pause 1 of 840: 7.17 ms = 3.99 ms sync (held up by thread 11 “worker-4” on cap 1 for 3.96 ms) + 3.18 ms GC":
 * the same in each lane that shows the collection; in less room without rank and label. */
void line_pause(struct line *l, const struct evl_log *log, const struct gc_row *gc);
void line_thread(struct line *l, const struct evl_log *log, uint32_t thread); /* "thread 26 “worker-2”" */

/* ` mutator 81.3% ████ GC 18.7% (minor 11.2% major 7.5% census 4.1%)  412 pauses p50 1.2 ms …`; census_ns: the part of the
 * GC time that heap censuses asked for. */
void part_answers(const struct model *m, uint64_t census_ns, struct canvas *c, int y);

/* Times above the plot. */
void part_ruler(const struct model *m, const struct lane_place *at, struct canvas *c, int y);

/* The moment under the cursor: what the selected lane did then; with two rows also its column in figures. */
void part_inspector(
	const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y, int rows);

/* The metrics of the selection; NULL: they are not known yet. */
void part_range(const struct range_figures *f, struct canvas *c, int y);

/* The time of a span by activity, or NULL if not known yet. */
void part_span(const struct evl_log *log, const struct span_answer *a, struct canvas *c, int y);

/* The parts of a pause as far as the log tells; "…" after them: there was no room for all. */
void part_anatomy(const struct evl_log *log, const struct gc_row *gc, struct canvas *c, int y);

/* The words of the legend and where they are. */
enum { LEGEND_WORDS = 24 };
struct legend_spots {
	int n, y;
	bool tinted; /* some lanes show threads by colours */
	struct legend_spot {
		int x, end;
		const char *word;
	} items[LEGEND_WORDS];
};

/* The states that occur in this log. */
void part_legend(const struct model *m, struct canvas *c, int y, struct legend_spots *spots);

/* Entry i of the legend in full, of medium length and in brief; false: there are fewer. */
enum { LEGEND_NAMES = 3 };
bool part_legend_word(size_t i, const char *names[LEGEND_NAMES]);

/* The word at that place; NULL: none. */
const char *part_legend_at(const struct legend_spots *spots, int y, int x);

/* A word of the legend in a sentence, after the cursor's time in row y; on in row `next`. */
void part_word(const struct model *m, const char *word, struct canvas *c, int y, int next);

#endif
