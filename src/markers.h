/* markers.h - the user markers (traceMarker) of the log, where the timeline draws its labels.
 *
 * 16 bytes a marker, in time order within each chain. Past MAX_MARKERS in all they are only counted. */
#ifndef EVL_MARKERS_H
#define EVL_MARKERS_H

#include "blocks.h"
#include "rows.h"

enum { MAX_MARKERS = 1 << 17 };

struct marker_row {
	uint64_t t;
	uint64_t off; /* of the event */
};

struct markers {
	struct rows *tables; /* struct marker_row; one a chain */
	size_t n;
	_Atomic uint64_t kept, more; /* in all tables; not kept */
	_Atomic uint64_t kept_until; /* all markers before this time are kept */
};

int markers_init(struct markers *m, const struct blocks *blocks) EVL_MUST_USE;
void markers_free(struct markers *m);
/* Does it look at events with this tag? */
bool markers_wants(uint16_t tag);

void markers_event(struct markers *m, uint32_t chain, const struct frame *f);

/* How many lie in [t0, t1); *first: the earliest of them (untouched where none). */
size_t markers_in(const struct markers *m, uint64_t t0, uint64_t t1, struct marker_row *first);

/* The first after t, and the last before t; false where there is none. */
bool markers_after(const struct markers *m, uint64_t t, struct marker_row *out);
bool markers_before(const struct markers *m, uint64_t t, struct marker_row *out);

#endif
