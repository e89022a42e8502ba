/* findings_private.h - rules of findings (find_ID in findings_*.c) and the functions they are written with.
 *
 * A rule decides whether the figures prove its finding and, if so, fills in the text, the place and the stake:
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

#include "report/findings.h"

/* The input of every rule. */
struct finding_case {
	const struct evl_log *log;
	const struct figures *f;
	const double *v;                /* f->values */
	double total, active;           /* ns of the range; without idle time, NAN: not known */
	const struct findings *earlier; /* raised by the rows above */
};

#define FINDING(id, name, about, severity, flag, meaning)                                                              \
	bool find_##id(const struct finding_case *c, struct finding *out);
#include "report/findings.def"
#undef FINDING

enum { FINDING_LEAST_NS = 5000000, FINDING_NAME = 80 };

/* Set the text: one line of UTF-8, as printf; cut at FINDING_TEXT. */
void finding_say(struct finding *out, const char *form, ...) EVL_PRINTF(2, 3);

/* Set the moment that Enter goes to. */
void finding_place(struct finding *out, uint64_t t);

/* Set the stake: how much of the range's time would be saved at most, or how many bytes of memory. The share is of the
 * range, or of the largest number of live bytes. Without a stake a finding comes after all that have one. */
void finding_stake_ns(struct finding *out, const struct finding_case *c, double ns);
void finding_stake_bytes(struct finding *out, const struct finding_case *c, double bytes);

/* Return the ns that a finding raised by a row above explains, also past the end of the range; 0: not raised, or not in ns. */
double finding_stake_of(const struct finding_case *c, enum finding_id id);

/* Set the metric that the finding is about. Always true. */
bool finding_about(struct finding *out, const struct finding_case *c, enum metric m);

/* Write "thread 7 "worker"" to out, a buffer of FINDING_NAME bytes; returns it. */
const char *finding_thread(const struct finding_case *c, uint32_t thread, char *out);

#endif
