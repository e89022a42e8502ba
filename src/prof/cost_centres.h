/* cost_centres.h - cost centres of a profiled program: id to label, module and source location.
 *
 * Definitions are kept by their offset (by_id.h); texts stay in the map and are read on demand. If a centre is defined
 * again, as in logs restarted in mid-run, the last definition counts. Those that have no room are counted and not kept.
 * One writer, any number of readers. */
#ifndef EVL_COST_CENTRES_H
#define EVL_COST_CENTRES_H

#include "base/err.h"
#include "index/blocks.h"
#include "prof/by_id.h"

struct cost_centres {
	struct by_id defined;  /* offset of the latest definition */
	_Atomic uint32_t n;    /* centres that are defined */
	_Atomic uint64_t more; /* definitions that were not kept */
};

/* Any bytes, of up to 64 KiB, but for NUL; they belong to the map. */
struct cost_centre {
	struct evl_str label, module, location; /* "go", "Main", "src/Main.hs:3:1-9", "<built-in>", "<entire-module>" */
	bool is_caf;                            /* constant applicative forms without a cost centre */
	bool is_rts; /* GC, SYSTEM, IDLE, OVERHEAD_of, DONT_CARE: not the program's own work, not in GHC's .prof */
};

void cost_centres_free(struct cost_centres *c);

/* Is this an event that cost_centres_event asks for? */
bool cost_centres_wants(uint16_t tag);
void cost_centres_event(struct cost_centres *c, const struct frame *f);

/* How many are defined. */
uint32_t cost_centres_count(const struct cost_centres *c);

/* Look up an id. Return false if it is not defined or (only on the thread that must not wait, see prefetch.h) its
 * definition is not in memory yet; it is then being fetched. */
bool cost_centre_read(const struct cost_centres *c, const struct blocks *b, uint32_t id, struct cost_centre *out);

/* To or from a file (image.h). Loading, into one of zeros. */
void cost_centres_image(struct image *im, struct cost_centres *c, const struct blocks *b);

#endif
