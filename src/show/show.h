/* show.h - `evtui show`: print the whole log as text or JSON lines, in time order
 *
 * It needs only the directory of blocks from the index, and memory only for event_merge.h and a buffer. */
#ifndef EVL_SHOW_H
#define EVL_SHOW_H

#include "show/event_merge.h"

struct show_options {
	bool json;
	bool printable;    /* escape control characters and the like, for a terminal */
	bool reads_inside; /* the log is known to have blocks inside other blocks */
	struct event_merge_want want;
};

/* Receives output. Return false to stop. */
typedef bool show_put(void *ctx, const char *bytes, size_t len);

/* Print the log, given its header and all `len` bytes of the file. Return 0; EVL_CANCELLED if put returned false; or
 * EVL_NOMEM. If the file shrinks meanwhile, the output ends early. */
int show(const struct header *h, const uint8_t *data, uint64_t len, const struct show_options *o, show_put *put,
	void *ctx) EVL_MUST_USE;

/* Find the event types whose names match a glob pattern, ignoring case; types without a name are named by their
 * number. *tags: an array of UINT16_MAX + 1 entries, which the caller frees. Return the number of types found, or
 * EVL_NOMEM. */
int show_tags(const char *glob, bool **tags) EVL_MUST_USE;

#endif
