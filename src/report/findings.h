/* findings.h - findings: conclusions drawn from the metrics of a log or range, each with a text, a place and a stake
 *
 * A finding names the culprit (thread, capability, band or moment) and its stake, the time or memory that it costs.
 * Time of collections that one finding explains is excluded from the more general ones. Other stakes may overlap: the
 * time in which one thread runs alone may also be time in which others wait for it.
 *
 * Findings about the program are ordered by stake, as a share of the range or of peak live memory; those without a
 * stake come last. Data (JSON, CSV, SQL) is in this order; what people read is ranked (findings_rank). */
#ifndef EVL_FINDINGS_H
#define EVL_FINDINGS_H

#include "report/figures.h"

enum finding_id {
#define FINDING(id, name, about, severity, flag, brief, meaning) FINDING_##id,
#include "report/findings.def"
#undef FINDING
	FINDING_IDS
};

/* Severity: something costs time or memory; is worth knowing; is missing from the log. */
enum finding_severity { FINDING_WARN, FINDING_NOTE, FINDING_HINT };

/* Unit of a stake. */
enum finding_stake { STAKE_UNKNOWN, STAKE_NS, STAKE_BYTES };

enum { FINDING_TEXT = 384, FINDING_FLAG = 32, FINDING_ADVICE = 112, FINDING_THREADS = 8 };

#define FINDING_THREAT_BYTES (UINT64_C(1) << 30)
#define FINDING_TIME_SHARE   0.05

/* All of it; the longest of several stretches; a busy part of it. */
enum finding_shows { SHOWS_ALL, SHOWS_LONGEST, SHOWS_BUSY };

/* A finding. */
struct finding {
	enum finding_id id;
	enum finding_severity severity;
	enum metric metric;       /* the metric that the finding is about; METRICS: none in the table */
	double value;             /* value of the metric, in its unit; NAN: none */
	bool has_place, repeats;  /* repeats: another finding tells of the same cause; people read only that one */
	uint64_t t;               /* if has_place: the moment to look at */
	uint64_t until;           /* if after t: end of the stretch to look at */
	enum finding_shows shows; /* the stretch, of the time that the finding is about */
	uint32_t thread;          /* the thread to blame; 0: none */
	/* The threads to look at there: first one that waits, or waited longest. */
	uint32_t threads[FINDING_THREADS], n_threads;
	bool has_cap;
	uint16_t cap;          /* if has_cap: the capability to blame */
	char band[TREND_NAME]; /* the heap-profile band to blame; "": none */
	enum finding_stake stake_kind;
	uint64_t stake;     /* ns or bytes, by stake_kind */
	double explains;    /* ns to exclude from later findings: the stake before it is clipped to the range */
	double stake_share; /* stake / length of the range, or / peak live bytes, at most 1; NAN if STAKE_UNKNOWN */
	char flag[FINDING_FLAG];     /* RTS flag that would help; "": none, or the program ran with it */
	char advice[FINDING_ADVICE]; /* after the flag, or without one, the change that would help; "": none */
	double saves; /* ns: the part of the stake that the flag or advice acts on, which it saves at most; NAN: none */
	char text[FINDING_TEXT]; /* one line of UTF-8: "5 pauses over 40 ms, the longest 82.1 ms" */
};

/* The findings of a log or range, in their order. */
struct findings {
	struct finding items[FINDING_IDS]; /* at most one per rule */
	size_t n;
	size_t warnings; /* number of FINDING_WARN items; once they are ranked, of grave ones: the badge of the tab */
};

/* Return whether data gives a stake: waits for something outside are told with their time, but they are no fault of the program. */
bool finding_has_stake(const struct finding *f);

/* Return the name ("gc-pauses"), the cause in brief, the meaning, or the RTS flag of a kind of finding. The flag is "" if there is
 * none; a finding's own `flag` member leaves out a flag that the program ran with. */
enum { FINDING_BRIEF = 46 };
const char *finding_name(enum finding_id id);
const char *finding_brief(enum finding_id id);
const char *finding_meaning(enum finding_id id);
const char *finding_flag(enum finding_id id);

/* finding_stake_text: write the stake to out, FINDING_STAKE_TEXT bytes: "212 ms, 73.7% of the time" or "80.1 MB, 95.0% of
 * peak live", without a share if these are more bytes than peak live memory, which only collections measure; "" if it is
 * unknown. finding_cost: "costs 73.7% of the time" or "95.0% of peak live", as is written before the text alone. Return
 * out. */
enum { FINDING_SHARE = TEXT_ROOM + 24, FINDING_STAKE_TEXT = FINDING_SHARE + TEXT_ROOM };
const char *finding_cost(const struct finding *f, char *out);
const char *finding_stake_text(const struct finding *f, char *out);

/* Write the place to out, FINDING_WHERE bytes: "see 0.115886 s"; of a stretch, "from 0.115886 s to 0.127168 s", after "longest"
 * or "for example" if it is not all; "" if there is none. Return out. */
enum { FINDING_WHERE = 2 * TEXT_ROOM + 32 };
const char *finding_where(const struct finding *f, char *out);

/* Write what to do to out, FINDING_TODO bytes: "+RTS -A64m", "fewer capabilities (-N)"; "" if nothing is advised. Return
 * out. */
enum { FINDING_TODO = FINDING_FLAG + FINDING_ADVICE + 8 };
const char *finding_todo(const struct finding *f, char *out);

/* Remove contradicting advice, such as a smaller allocation area where others advise a larger one: the direction that
 * saves more stays. */
void findings_reconcile(struct findings *f);

/* findings_saved_by: return the ns that the advice of a finding saves at most: in all findings with this advice; 0: none, or it
 * advises nothing. findings_acts_on: return a name for the time from which it saves this, "minor collections"; syncs: there
 * is GC sync. findings_best_advice: return the first of the findings whose advice saves most; NULL: none saves any. */
double findings_saved_by(const struct findings *f, const struct finding *item);
const char *findings_acts_on(const struct findings *f, const struct finding *item, bool syncs);
const struct finding *findings_best_advice(const struct findings *f);

/* Most findings about time need that much of it. */
enum { FINDING_LEAST_NS = 5000000 };

/* Is it a matter of little time? A warning that costs less of the range becomes a note. */
#define FINDING_MINOR_SHARE 0.01
static inline bool finding_is_minor(const struct finding *f)
{
	return f->stake_kind == STAKE_NS && f->stake_share < FINDING_MINOR_SHARE;
}

/* Does it cost as much, in time or memory? f may be NULL. */
static inline bool finding_is_costly(const struct finding *f)
{
	return f && f->stake_kind != STAKE_UNKNOWN && f->stake_share >= FINDING_MINOR_SHARE;
}

/* Return whether a finding may be the main problem: a warning, or a note that costs over half of the time,
 * unless profiling costs it, or waits for input as a server has them. */
bool finding_is_grave(const struct finding *f);

/* Order findings for people, by cost: warnings about the log; grave ones that cost over half of the time; all others with a
 * cost; those without, warnings first; hints. Within each by stake: a share of peak memory is no share of time, so neither
 * outweighs the other below that half. Those that repeat another one are left out. `warnings` becomes the number of grave
 * ones. */
void findings_rank(struct findings *f);

/* Return the first finding of this kind, or NULL. */
const struct finding *findings_of(const struct findings *f, enum finding_id id);

/* findings_numbered: return the number of warnings and notes. findings_number: return the warning or note with this
 * number, or NULL if there is none. findings_number_of: return the number of a warning or note of f. They are numbered
 * from 1 in their order; hints have no numbers. */
size_t findings_numbered(const struct findings *f);
const struct finding *findings_number(const struct findings *f, size_t number);
size_t findings_number_of(const struct findings *f, const struct finding *item);

/* Write that no finding about the program is proved, how many kinds were looked for, and from which size on, to out,
 * FINDING_TEXT bytes. Return out. */
const char *findings_none(const struct figures *f, char *out);

/* Evaluate all rules. Also stores the number of findings in f->values. */
void findings_make(struct findings *out, const struct evl_log *log, struct figures *f);

#endif
