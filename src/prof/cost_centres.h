/* cost_centres.h - cost centres of a profiled program: id to label, module and source location.
 *
 * For each centre only the file offset of its definition is stored (by_id.h); texts are read from the log on request.
 * If a centre is defined again, as in logs restarted in mid-run, the last definition counts. Definitions for which
 * by_id.h has no room are only counted. One writer, any number of readers. */
#ifndef EVL_COST_CENTRES_H
#define EVL_COST_CENTRES_H

#include "base/err.h"
#include "index/blocks.h"
#include "prof/by_id.h"

struct ccdb;

struct cost_centres {
	struct by_id defined;                /* by id: file offset of the latest definition */
	_Atomic(const struct ccdb *) others; /* names of centres that are not defined (ccdb.h); NULL: none */
	_Atomic uint32_t n;                  /* number of centres defined */
	_Atomic uint64_t more;               /* number of definitions not kept */
};

/* The definition of a cost centre. Texts have up to 64 KiB of any bytes except NUL, and are borrowed from the log. */
struct cost_centre {
	/* such as "go", "Main", "src/Main.hs:3:1-9"; a location may be "<built-in>" or "<entire-module>" */
	struct evl_str label, module, location;
	/* collects constant applicative forms (CAFs) that have no cost centre */
	bool is_caf;
	/* GC, SYSTEM, IDLE, OVERHEAD_of or DONT_CARE: not the program's own work, and not in GHC's .prof */
	bool is_rts;
};

void cost_centres_free(struct cost_centres *c);

/* Report whether cost_centres_event uses events with this tag. */
bool cost_centres_wants(uint16_t tag);

/* Process the next event. */
void cost_centres_event(struct cost_centres *c, const struct frame *f);

/* Report whether a centre belongs to the run-time system and so has no source location. This is decided by its name,
 * because ids differ from program to program. */
bool cost_centre_is_built_in(struct evl_str label, struct evl_str module);

/* Return the number of centres defined. */
uint32_t cost_centres_count(const struct cost_centres *c);

/* Look up a centre. Return false if it is neither defined nor in `others`, or if its definition is not in memory. The
 * latter happens only on the thread that must not wait for the disk (prefetch.h): the definition is then read in the
 * background, so call again later. */
bool cost_centre_read(const struct cost_centres *c, const struct blocks *b, uint32_t id, struct cost_centre *out);

/* Save or load the table, according to im->loads; failure sets im->bad (image.h). Load into a zeroed struct. */
void cost_centres_image(struct image *im, struct cost_centres *c, const struct blocks *b);

#endif
