/* prof_figures.h - cost centres of a time range by time, as in GHC's .prof report; also as JSON. */
#ifndef EVL_PROF_FIGURES_H
#define EVL_PROF_FIGURES_H

#include "base/json.h"
#include "prof/prof_window.h"

enum { PROF_TOP = 10 };

/* One cost centre. Its shares refer to prof_figures.program. */
struct prof_figure {
	uint32_t name;
	/* samples with the centre innermost; with it anywhere in the stack, each counted once */
	uint64_t self, incl;
};

struct prof_figures {
	struct prof_names names;
	/* number of all samples; without those of the run-time system (GC, IDLE, SYSTEM, …), as in GHC's .prof */
	uint64_t samples, program;
	uint64_t interval;                /* ns per sample; 0: unknown */
	uint64_t gaps;                    /* number of times that profiling was off, in the whole log */
	struct prof_figure top[PROF_TOP]; /* by self, largest first */
	size_t n;
};

/* Compute the figures of [from, to). Return 0, or EVL_CANCELLED or EVL_NOMEM with nothing to free. cancel may be NULL.
 * May wait for the disk; the log must be indexed. */
int prof_figures_make(struct prof_figures *f, const struct prof *p, const struct prof_naming *naming, uint64_t from,
	uint64_t to, const atomic_bool *cancel) EVL_MUST_USE;
void prof_figures_free(struct prof_figures *f);

/* Append an object, or null if there are no samples. Call it after the key. */
void prof_figures_json(const struct prof_figures *f, struct json *j);

#endif
