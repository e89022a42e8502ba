/* findings.h - findings: conclusions that the metrics of a log or range prove; text, place, stake and RTS flag of
 * each.
 *
 * Each finding names the culprit (thread, capability, band, place in time) and its stake: the time or memory that it
 * costs. A stake counts once: time that one finding explains is left out of the more general ones.
 *
 * Findings about the program are ordered by the stake's share of the range or of peak live memory, those without a stake
 * last. The order is the same everywhere. */
#ifndef EVL_FINDINGS_H
#define EVL_FINDINGS_H

#include "report/figures.h"

enum finding_id {
#define FINDING(id, name, about, severity, flag, meaning) FINDING_##id,
#include "report/findings.def"
#undef FINDING
	FINDING_IDS
};

enum finding_grave { FINDING_WARN, FINDING_NOTE, FINDING_HINT };

enum finding_stake { STAKE_UNKNOWN, STAKE_NS, STAKE_BYTES };

enum { FINDING_TEXT = 320 };

#define FINDING_THREAT_BYTES (UINT64_C(1) << 30)
#define FINDING_TIME_SHARE   0.05

struct finding {
	enum finding_id id;
	enum finding_grave severity;
	enum metric metric; /* the figure that it is about; METRICS: none of the table */
	double value;       /* of it, in its unit; NAN: none */
	bool has_place;
	uint64_t t;            /* the place */
	uint32_t thread;       /* the thread that it is about; 0: none */
	char band[TREND_NAME]; /* the band of the heap profile that it is about; "": none */
	enum finding_stake stake_kind;
	uint64_t stake;          /* ns or bytes at stake */
	double explains;         /* ns left out of later findings: the stake, also where it is longer than the range */
	double stake_share;      /* of the range, or of the peak of live bytes: 0 … 1; NAN: STAKE_UNKNOWN */
	const char *flag;        /* RTS flag that would help; "" for none, or where the program ran with it */
	char text[FINDING_TEXT]; /* one line of UTF-8: "5 pauses over 40 ms, the longest 82.1 ms" */
};

struct findings {
	struct finding items[FINDING_IDS]; /* each rule at most once */
	size_t n;
	size_t warnings; /* of grade WARN: the badge on the tab */
};

/* "gc-pauses"; its meaning; the flag that would help or record, "" for none (of a finding: its own flag). */
const char *finding_name(enum finding_id id);
const char *finding_meaning(enum finding_id id);
const char *finding_flag(enum finding_id id);

/* "212 ms, 73.7%" of time, "80.1 MB, 95.0%" of memory; "" where the stake is unknown. Return out. */
enum { FINDING_STAKE_TEXT = 2 * TEXT_ROOM };
const char *finding_stake_text(const struct finding *f, char *out);

/* Warnings and notes are numbered in their order, from 1 on; what the log lacks is not. How many there are; the one of a
 * number, or NULL. */
size_t findings_numbered(const struct findings *f);
const struct finding *findings_number(const struct findings *f, size_t number);

/* Look for all of them. Puts their number into f->values, too. */
void findings_make(struct findings *out, const struct evl_log *log, struct figures *f);

#endif
