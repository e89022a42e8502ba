/* rest.h - jobs on a growing log: the rule that bounds their processor time
 *
 * A job reads the log that was shown when it began, to its end, although longer ones are shown meanwhile. It begins again with a
 * longer log after a rest: when work took c of processor time, all such work of the program rests for 19 c longer, so all of it
 * together takes at most a twentieth of a processor. Another question does not rest. When the log has ended, nothing does. */
#ifndef EVTUI_REST_H
#define EVTUI_REST_H

#include "jobs/job.h"
#include "log/log.h"

enum { REST_TIMES = 19 };

/* The rest of all jobs. Initialize with zeros: there is none. */
struct rest {
	int64_t until_ms;
	bool grows;   /* the log may grow, so work rests */
	bool awaited; /* set when some work waits for the end of the rest */
};

/* Prolong the rest for work that took this processor time (ms). */
void rest_spend(struct rest *r, int64_t cpu_ms, int64_t now_ms);

/* Return for how long (ms) work still rests, and note that it waits; 0: no more. */
int64_t rest_left_ms(struct rest *r, int64_t now_ms);

/* The log that a job reads: held, so it stays open while longer ones are shown. NULL: none yet. */
struct resting {
	struct evl_log *log;
	struct evl_log *former; /* of the job that resting_renew replaces: stays open until the next call of it */
	uint64_t answered;      /* end, in ns, of the log of the last answer; 0: none */
	bool follows;           /* the last question was about a window that follows the end of the log */
};

/* Let a job read the shown log, if it reads an earlier state of it and does not rest. job: on r->log, or NULL. other: there is
 * another question than the job's last, which is not to be answered from r->log. Return true if so: then free the job, whose log stays
 * open until the next call, and start another. */
bool resting_renew(struct resting *r, struct rest *rest, struct answer_job *job, struct evl_log *shown, bool other);

/* Return whether the job goes on now that the log was replaced; goes_on: by a longer state of the same. Otherwise free the job, and
 * call resting_drop, which closes the log that it reads. The last answer may stay if the log goes on. */
bool resting_stays(const struct resting *r, const struct rest *rest, bool goes_on);
void resting_drop(struct resting *r, bool goes_on);

/* Return whether the job reads an earlier state of the shown log. */
static inline bool resting_is_old(const struct resting *r, const struct evl_log *shown)
{
	return r->log && r->log != shown;
}

/* resting_answered: note that the shown answer is about r->log. resting_as_of: return the end, in ns, of the log that it is about, if
 * the shown log is longer; else 0. */
void resting_answered(struct resting *r);
uint64_t resting_as_of(const struct resting *r, const struct evl_log *shown);

/* Return whether a question about a window that ends at t1 can be answered from r->log: both this window and the one asked about
 * before follow the end of the log, or the log has its times. follows: this one does. */
bool resting_answers(const struct resting *r, bool follows, uint64_t t1);

#endif
