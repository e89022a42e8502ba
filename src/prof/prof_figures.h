/* prof_figures.h - cost centres of a range by time, as in GHC's .prof report; also as JSON. */
#ifndef EVL_PROF_FIGURES_H
#define EVL_PROF_FIGURES_H

#include "base/json.h"
#include "prof/prof_window.h"

enum { PROF_TOP = 10 };

/* Shares are of `program`: of all samples but those of the run-time system (GC, IDLE, SYSTEM, …), as in GHC's .prof. */
struct prof_figure {
	uint32_t name;
	uint64_t self,
		incl; /* samples with the centre innermost; with it anywhere in the stack, recursion counted once */
};

struct prof_figures {
	struct prof_names names;
	uint64_t samples, program;        /* all; without the run-time system's */
	uint64_t interval;                /* ns per sample; 0: unknown */
	uint64_t gaps;                    /* times in the whole log that profiling was off */
	struct prof_figure top[PROF_TOP]; /* by self, most first */
	size_t n;
};

/* Compute those of [from, to). Return 0, or EVL_CANCELLED or EVL_NOMEM with nothing to free. May wait for the disk; the
 * walk must be over. */
int prof_figures_make(struct prof_figures *f, const struct prof *p, const struct prof_naming *naming, uint64_t from,
	uint64_t to, const atomic_bool *cancel) EVL_MUST_USE;
void prof_figures_free(struct prof_figures *f);

/* Append the value of a key: an object, or null if there are no samples. */
void prof_figures_json(const struct prof_figures *f, struct json *j);

#endif
