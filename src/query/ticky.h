/* ticky.h - ticky counters (-ticky, +RTS -lT): entries and allocation per closure.
 *
 * A sample contains the increments since the previous sample. Definitions of counters are written at exit, so the log
 * of a killed program has only numbers. The events are found by reading the tiles (tiles.h) that contain ticky
 * events. */
#ifndef EVL_TICKY_H
#define EVL_TICKY_H

#include "log/log.h"
#include "sys/progress.h"

enum { TICKY_COUNTERS = 1 << 16 };

struct ticky_row {
	/* id of the counter; number of entries; bytes allocated by its code; bytes of its closures, allocated by any
	 * code */
	uint64_t id, entries, allocs, allocd;
	uint64_t defined; /* file offset of its definition; 0: none in the log */
	uint64_t table;   /* address of its info table; 0: unknown */
	/* source location of the closure; empty: unknown, or ticky_find_sources was not called */
	struct evl_str source;
};

struct ticky {
	struct ticky_row *items; /* most bytes allocated first, then most entries */
	size_t n;
	uint64_t samples, other;          /* number of samples; number of counter values dropped past TICKY_COUNTERS */
	uint64_t entries, allocs, allocd; /* sums over all counters */
};

/* Sum the counters over the samples in [from, to) (ns). watch may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int ticky_make(struct ticky *t, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

/* Fill in the source locations of the counters' closures by their info tables: from the log's info table map, which is
 * read completely, or otherwise from its program. watch may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int ticky_find_sources(struct ticky *t, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;
void ticky_free(struct ticky *t);

/* Read the name, arity and number of free variables of a counter. Return false if the log does not define it. Texts are
 * borrowed from the log. */
struct ticky_name {
	/* kinds: a letter per argument, as GHC writes them: i Int, L lifted, > function, … */
	struct evl_str label, kinds;
	struct evl_str what;  /* such as fun, thk or con; empty before GHC 9.4 */
	unsigned arity, free; /* free: number of free variables, if has_free */
	bool has_free;
};
bool ticky_name(const struct evl_log *log, const struct ticky_row *row, struct ticky_name *out);

#endif
