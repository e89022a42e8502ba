/* findings_private.h - rules of findings (find_ID in findings_*.c), and the functions for writing them
 *
 * A rule decides whether the figures prove its finding. If so, it fills in the text, the place and the stake and
 * returns true:
 *
 *   bool find_CAP_ALONE(const struct finding_case *c, struct finding *out)
 *   {
 *           if (!(…))
 *                   return false;
 *           finding_say(out, "cap %u ran …", …);
 *           finding_place(out, t);
 *           finding_stake_ns(out, c, lost);
 *           return finding_about(out, c, METRIC_CAP_MOST);
 *   }
 *
 * Rules run in the order of findings.def. */
#ifndef EVL_FINDINGS_PRIVATE_H
#define EVL_FINDINGS_PRIVATE_H

#include "base/units.h"
#include "report/findings.h"

/* The longest pauses of the range, longest first. */
enum { FINDING_PAUSES = 1000 };
struct finding_pauses {
	const struct gc_row *rows[FINDING_PAUSES];
	size_t n;
	bool known;
};

/* The input of every rule. */
struct finding_case {
	const struct evl_log *log;
	const struct figures *f;
	const double *v;                /* f->values */
	double total, active;           /* ns of the range; ns of it without idle time, NAN: unknown */
	uint64_t shown;                 /* evl_complete_until: later events may be missing */
	const struct findings *earlier; /* findings of the rules that ran before */
	struct finding_pauses *pauses;  /* found when a rule asks for them */
};

/* Take the findings of the whole log from those that are kept with its index (figures_kept). Return false if none are. */
bool findings_recall(struct findings *out, const struct evl_log *log);

#define FINDING(id, name, about, severity, flag, brief, meaning)                                                       \
	bool find_##id(const struct finding_case *c, struct finding *out);
#include "report/findings.def"
#undef FINDING

enum { FINDING_NAME = 80 };

/* Set the text, one line of UTF-8, as printf does; it is cut at FINDING_TEXT bytes. */
void finding_say(struct finding *out, const char *form, ...) EVL_PRINTF(2, 3);

/* finding_place: set the moment that Enter jumps to. finding_stretch: set the stretch that it shows, with its start as
 * that moment: all that the finding is about. finding_longest: the longest of several. finding_part: a busy part of it. */
void finding_place(struct finding *out, uint64_t t);
void finding_stretch(struct finding *out, uint64_t t, uint64_t until);
void finding_longest(struct finding *out, uint64_t t, uint64_t until);
void finding_part(struct finding *out, uint64_t t, uint64_t until);

/* Add threads to those to look at, as far as there is room. */
void finding_look_at(struct finding *out, const uint32_t *threads, size_t n);

/* Set the stake: the largest possible saving in ns of the range, or in bytes. The share is of the range, or of peak
 * live bytes. A finding without a stake comes after all that have one. */
void finding_stake_ns(struct finding *out, const struct finding_case *c, double ns);
void finding_stake_bytes(struct finding *out, const struct finding_case *c, double bytes);

/* Set the change that would help, if it is not a flag. It saves the stake, unless the rule sets `saves`. */
#define FINDING_BUILD_THREADED "build with -threaded, run with +RTS --nonmoving-gc"
#define FINDING_SMALLER_AREA   "a smaller allocation area (-A): shorter pauses, but more of them"
#define FINDING_FEWER_CAPS     "fewer capabilities (-N)"
#define FINDING_NO_CENSUS      "run without -h" /* and the letter of the heap profile */
#define FINDING_YIELDS                                                                                                 \
	"compile with -fno-omit-yields if it loops without allocating, or make a long foreign call a safe one"
#define FINDING_SHORT_LOCKS "do less while holding a lock, or use several locks"
#define FINDING_NO_POLLING                                                                                             \
	"where a thread polls, let it wait for the event itself (MVar, STM); a shorter delay helps, too"
#define FINDING_STRICT        "if a chain of thunks makes it deep, evaluate earlier (foldl', modifyIORef', bang patterns)"
#define FINDING_TRACE_LOCKS   "call traceEventIO around the locks, to see which thread holds which"
#define FINDING_LABEL_THREADS "name the threads (labelThread), and " FINDING_TRACE_LOCKS
void finding_advise(struct finding *out, const char *advice);

/* Return the ns that the finding of an earlier rule explains, not clipped to the range; 0 if that rule found nothing
 * or its stake is not a time. */
double finding_stake_of(const struct finding_case *c, enum finding_id id);

/* Set the metric that the finding is about. Return true. */
bool finding_about(struct finding *out, const struct finding_case *c, enum metric m);

/* Capabilities of the range: the most that could run threads at once; and the ns in which fewer than two could, or the
 * log tells not of all that they did. A finding about how they share work is proved without that time. */
struct crowd {
	uint64_t caps;
	double unproved;
};
struct crowd finding_crowd(const struct finding_case *c);

/* Return "run" or "range": what shares are of. */
static inline const char *finding_range(const struct finding_case *c) { return c->f->whole ? "run" : "range"; }

/* Return the least time in which a capability ran a thread while no other did, outside pauses. */
double finding_least_alone(const struct finding_case *c, const struct cap_figures *cap);

/* The owners whose black holes threads waited for longest, if that is a finding; NULL: it is none. */
const struct owner_group *finding_black_holes(const struct finding_case *c);

/* Return the ns in which exactly one capability ran while threads waited for these, which no other finding counts; and a
 * clause about it in out, a buffer of BESIDES_TEXT bytes. */
enum { BESIDES_TEXT = TEXT_ROOM + 80 };
double finding_besides(const struct finding_case *c, char *out);

/* Is more than 1 % of this time unproved? Then a text says "at least". */
static inline bool is_bound(const struct crowd *crowd, double ns) { return crowd->unproved > 0.01 * ns; }

/* Write a thread's id and label ("thread 7 "worker"") to out, a buffer of FINDING_NAME bytes. Return out. */
const char *finding_thread(const struct finding_case *c, uint32_t thread, char *out);

#endif
