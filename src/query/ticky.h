/* ticky.h - ticky counters (-ticky, +RTS -lT): entries and allocation per closure.
 *
 * Samples are increments since the last one; definitions are written at exit, so a killed program has numbers only.
 * Found by reading the tiles that hold such events. */
#ifndef EVL_TICKY_H
#define EVL_TICKY_H

#include "log/log.h"
#include "sys/progress.h"

enum { TICKY_COUNTERS = 1 << 16 };

struct ticky_row {
	uint64_t id, entries, allocs, allocd; /* allocs: bytes by its own code; allocd: bytes of its closures */
	uint64_t defined;                     /* file offset of its definition; 0: none was seen */
	uint64_t table;                       /* address of its info table; 0: unknown */
	struct evl_str source;                /* place of that in the source; empty: unknown, or not looked for */
};

struct ticky {
	struct ticky_row *items; /* most allocated first, then most entered */
	size_t n;
	uint64_t samples, other;          /* groups of samples; samples of counters past the ceiling */
	uint64_t entries, allocs, allocd; /* of all */
};

/* Those of [from, to). 0, EVL_NOMEM or EVL_CANCELLED. */
int ticky_make(struct ticky *t, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

/* Find where the counters' closures are in the source, by their info tables: in the log's map of them, which is read from its
 * beginning to its end, else in its program. 0, EVL_NOMEM or EVL_CANCELLED. */
int ticky_find_sources(struct ticky *t, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;
void ticky_free(struct ticky *t);

/* Name, arity and free variables of a counter. False where its definition was not seen. Borrowed from the log. */
struct ticky_name {
	struct evl_str label,
		kinds;        /* kinds: a letter per argument, as GHC writes them: i Int, L lifted, > function, … */
	struct evl_str what;  /* fun, thk, con, … ; empty before GHC 9.4 */
	unsigned arity, free; /* free variables, where has_free */
	bool has_free;
};
bool ticky_name(const struct evl_log *log, const struct ticky_row *row, struct ticky_name *out);

#endif
