/* show.h - `evtui show`: the whole log as text or JSON lines, in time order.
 *
 * Needs only the directory of blocks of the index; memory is that of event_merge.h and a buffer. */
#ifndef EVL_SHOW_H
#define EVL_SHOW_H

#include "show/event_merge.h"

struct show_options {
	bool json;
	bool printable;    /* for a terminal: escape what it would obey */
	bool reads_inside; /* blocks begin inside of others, as is known already */
	struct event_merge_want want;
};

/* Takes bytes; false: no more, please. */
typedef bool show_put(void *ctx, const char *bytes, size_t len);

/* 0; EVL_CANCELLED when put said so; EVL_NOMEM. A log that shrinks meanwhile ends early. */
int show(const struct header *h, const uint8_t *data, uint64_t len, const struct show_options *o, show_put *put,
	void *ctx) EVL_MUST_USE;

/* The tags whose names match the glob, in whatever case: *tags, UINT16_MAX + 1 of them, which the caller frees. Types
 * without a name go by their number. How many there are, or EVL_NOMEM. */
int show_tags(const char *glob, bool **tags) EVL_MUST_USE;

#endif
