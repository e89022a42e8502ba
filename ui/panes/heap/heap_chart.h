/* heap_chart.h - draw a heap profile: bands stacked over time, as columns (band_stack.h) or lines. */
#ifndef EVTUI_HEAP_CHART_H
#define EVTUI_HEAP_CHART_H

#include "lanes/band_stack.h"
#include "panes/heap/heap_answer.h"

/* How it is looked at. */
struct heap_look {
	bool share, inverted, curves; /* of the whole; the small bands below; lines of the heap over it */
	bool lines;                   /* a line per band, not stacked */
	uint32_t selected;            /* a band that is hatched; BANDS_REST: none */
	struct plot *plot;            /* where the lines come from */
};

/* The end of an axis from 0 to at least `most` whose ticks are 1, 2 or 5 with zeros, and the step between them. */
uint64_t heap_axis(uint64_t most, int rows, uint64_t *step);

void heap_chart(const struct heap_answer *page, const struct heap_look *look, const struct model *m,
	const struct lane_place *at, struct canvas *c, int y, int rows);

/* The numbers of samples below the picture, where they have no times. */
void heap_chart_ruler(
	const struct heap_answer *page, const struct model *m, const struct lane_place *at, struct canvas *c, int y);

/* Draw a sparkline in `cells` cells. */
void heap_spark(const uint16_t *spark, uint64_t peak, enum style style, struct pen pen, struct canvas *c, int y, int x,
	int cells);

#endif
