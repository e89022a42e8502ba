/* breakdown.h - the kind of a heap profile (-hc, -hT, -hi, …), called its breakdown, and how to determine it from a
 * log.
 *
 * The event HEAP_PROF_BEGIN contains the kind as a number. If that event is missing, as in logs restarted in mid-run,
 * the kind follows from the program's arguments, or else from the bands (the entries of the samples). Number 8 without
 * addresses and numbers above 9 come from unreleased run-time systems: such bands are plain text or, if labels join
 * names by commas or dashes, sets of GC roots. */
#ifndef EVL_BREAKDOWN_H
#define EVL_BREAKDOWN_H

#include "heap/census_read.h"
#include "program/program.h"

enum breakdown {
	BY_UNKNOWN,
#define BREAKDOWN(number, id, flag, name, question, needs) BY_##id,
#include "heap/breakdown.def"
#undef BREAKDOWN
	BY_ROOTS,
	BY_TEXT, /* plain text: the number is not assigned */
};

/* A row of breakdown.def. breakdown_rows returns all rows, of which row i describes the enum value i + 1; *n receives
 * their number. */
struct breakdown_row {
	uint32_t number;
	const char *flag, *name, *question, *needs;
};
const struct breakdown_row *breakdown_rows(size_t *n);

struct breakdown_found {
	enum breakdown by;
	uint32_t number; /* number in the log; 0: none */
	bool guessed;    /* derived from the bands, because neither the log nor the arguments tell it */
	bool by_index;   /* the times of samples are not known: place them evenly */
	char join;       /* BY_ROOTS: separator between the names of a set */
};

/* Counts of bands by the form of their labels, from which the kind is derived. breakdown_look adds a band. */
struct breakdown_looks {
	size_t n, stacks, addresses, digits, biography, closures, commas, dashes;
};
void breakdown_look(struct breakdown_looks *looks, const struct census_band *band);

/* Determine the kind. timed: the samples state their times. */
struct breakdown_found breakdown_tell(const struct census_profile *profile, const struct program_facts *facts,
	const struct breakdown_looks *looks, bool timed);

/* Write a name such as "closure type", "root set", "breakdown 12" or "unknown" to `out` (BREAKDOWN_ROOM bytes) and
 * return it. breakdown_flag returns the flag of the run-time system, such as "-hT", or "". */
enum { BREAKDOWN_ROOM = 32 };
char *breakdown_name(const struct breakdown_found *announced, char *out);
const char *breakdown_flag(const struct breakdown_found *announced);

#endif
