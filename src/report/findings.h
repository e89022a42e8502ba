/* findings.h - what the figures of a log or a range prove: rules (findings.def), each with its figure, a place, a flag.
 *
 * A finding is a statement about what was measured, never a guess about why. */
#ifndef EVL_FINDINGS_H
#define EVL_FINDINGS_H

#include "report/figures.h"

enum finding_id {
#define FINDING(id, name, severity, flag, meaning) FINDING_##id,
#include "report/findings.def"
#undef FINDING
	FINDING_IDS
};

enum finding_grave { FINDING_WARN, FINDING_NOTE, FINDING_HINT };

enum { FINDING_TEXT = 200 };

struct finding {
	enum finding_id id;
	enum finding_grave severity;
	enum metric metric; /* the figure that it is about; METRICS: none of the table */
	double value;       /* of it, in its unit; NAN: none */
	bool has_place;
	uint64_t t;              /* the place */
	uint32_t thread;         /* the thread that it is about; 0: none */
	char text[FINDING_TEXT]; /* one line of UTF-8: "5 pauses over 40 ms, the longest 82.1 ms" */
};

struct findings {
	struct finding items[FINDING_IDS]; /* each rule at most once */
	size_t n;
	size_t warnings; /* of grade WARN: the badge on the tab */
};

/* "gc-pauses"; its meaning; the flag that would help or record, "" for none. */
const char *finding_name(enum finding_id id);
const char *finding_meaning(enum finding_id id);
const char *finding_flag(enum finding_id id);

/* Look for all of them. Puts their number into f->values, too. */
void findings_make(struct findings *out, const struct evl_log *log, struct figures *f);

#endif
