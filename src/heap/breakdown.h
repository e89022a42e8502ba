/* breakdown.h - the kind of a heap profile (-hc, -hT, -hi, …), and how it is determined from a log.
 *
 * HEAP_PROF_BEGIN contains its number. If that event is missing, as in logs restarted in mid-run, it follows from the
 * program's arguments, or else from the bands themselves. Number 8 without addresses and numbers past 9 come from
 * run-time systems that were never released: plain text, or, where labels join names by commas or dashes, sets of
 * roots. */
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
	BY_TEXT, /* an unassigned number */
};

/* Rows of the table, by enum breakdown from 1 on. */
struct breakdown_row {
	uint32_t number;
	const char *flag, *name, *question, *needs;
};
const struct breakdown_row *breakdown_rows(size_t *n);

struct breakdown_found {
	enum breakdown by;
	uint32_t number; /* from the log; 0: missing */
	bool guessed;    /* from the looks of the bands, as neither log nor arguments have it */
	bool by_index;   /* samples are in the log without their times */
	char join;       /* of BY_ROOTS: between the names of a set */
};

/* Statistics on the bands of a profile. */
struct breakdown_looks {
	size_t n, stacks, addresses, digits, biography, closures, commas, dashes;
};
void breakdown_look(struct breakdown_looks *looks, const struct census_band *band);

/* Determine the kind. timed: the samples have times. */
struct breakdown_found breakdown_tell(const struct census_profile *profile, const struct program_facts *facts,
	const struct breakdown_looks *looks, bool timed);

/* "closure type", "root set", "breakdown 12", "unknown" into out (BREAKDOWN_ROOM bytes), which is returned; and the flag,
 * "" where there is none. */
enum { BREAKDOWN_ROOM = 32 };
char *breakdown_name(const struct breakdown_found *announced, char *out);
const char *breakdown_flag(const struct breakdown_found *announced);

#endif
