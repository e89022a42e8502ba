/* heap_chart.h - draw a heap profile over time, as stacked bands (band_stack.h) or as lines */
#ifndef EVTUI_HEAP_CHART_H
#define EVTUI_HEAP_CHART_H

#include "lanes/band_stack.h"
#include "panes/heap/heap_answer.h"

/* Display options. */
struct heap_look {
	/* Show shares of the total; reverse the order of the bands; draw curves of the heap size on top. */
	bool share, inverted, curves;
	bool lines;        /* draw a line per band instead of stacking */
	uint32_t selected; /* band to draw hatched; BANDS_REST: none */
	struct plot *plot; /* source of the heap curves */
};

/* Return the end of an axis from 0 to at least `most`, with ticks at multiples of 1, 2 or 5 times a power of ten.
 * *step: distance of the ticks. rows: height of the axis. */
uint64_t heap_axis(uint64_t most, int rows, uint64_t *step);

/* Draw the chart in rows [y, y + rows). */
void heap_chart(const struct heap_answer *page, const struct heap_look *look, const struct model *m,
	const struct lane_place *at, struct canvas *c, int y, int rows);

/* Draw sample numbers below the chart, for a profile without times. */
void heap_chart_ruler(
	const struct heap_answer *page, const struct model *m, const struct lane_place *at, struct canvas *c, int y);

/* Draw a sparkline of `cells` cells at row y, column x. */
void heap_spark(const uint16_t *spark, uint64_t peak, enum style style, struct pen pen, struct canvas *c, int y, int x,
	int cells);

#endif
