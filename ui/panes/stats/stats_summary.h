/* stats_summary.h - facts of the box SUMMARY that no metric tells: the longest pause, and the capability idle most */
#ifndef EVTUI_STATS_SUMMARY_H
#define EVTUI_STATS_SUMMARY_H

#include "lanes/parts.h"
#include "panes/stats/section.h"
#include "query/gc_detail.h"
#include "sched/idle.h"
#include "sched/spark_sizes.h"
#include "sys/progress.h"

#define PROFILER_LEAST 0.02
enum { PAUSE_WORKERS = 4 };

struct stats_summary {
	/* The longest pause, if there is one: the bits of gc_why; the thread that may have called for it, 0: none
	 * (gc_caller); whether the main thread had ended before it; its statistics, and gc_not_copied; the
	 * capabilities that took part if there were more than one and at most PAUSE_WORKERS. */
	unsigned pause_why;
	struct gc_caller caller;
	enum { END_UNKNOWN, BEFORE_END, AFTER_END } pause_main;
	uint64_t not_copied;
	bool has_stats;
	struct gc_stats stats;
	struct gc_worker workers[PAUSE_WORKERS];
	size_t n_workers;
	/* The capability with the largest stats_idle_share: its index in the figures, and its longest idle time, empty
	 * if it has none. If no thread was alive in the middle of that (at the start and the exit of the program), it is
	 * the longest one outside of such stretches if a thread was alive in the middle of this one; `unalive` is then the
	 * first. */
	bool has_cap;
	size_t cap;
	unsigned absences; /* in which states it could not run threads: bits 1 << enum cap_life_state */
	struct idle_gap idle, unalive;
	/* The end of its events, if the program was killed before it wrote the rest of the range; 0: they are all known. */
	uint64_t lost;
	bool all_known;    /* the events of all capabilities are */
	uint64_t most_off; /* ns that the capability that was absent for longest was */
	/* The samples of the time profile of the whole run that are the profiler's own work, as a share of those that are no idle
	 * time; 0: they are no more than PROFILER_LEAST. */
	double profiler;
	bool sized; /* `sparks` is valid: the log has single-spark events, and the answer is deep */
	struct spark_sizes sparks;
	/* Why it was idle in the middle of that time. */
	bool explained;
	uint64_t t;
	struct idle_why why;
	struct idle_end end;
	struct idle_around around;
};

/* stats_cap_there: return the ns of the range in which capability i of the figures existed and was enabled. stats_idle_share: return
 * the part of them in which it was idle; 0 if it was there for less than a tenth of the range. */
uint64_t stats_cap_there(const struct figures *f, size_t i);
double stats_idle_share(const struct figures *f, size_t i);

/* stats_queued: return the share of the range in which threads waited in queues of busy capabilities while others were idle; 0 if
 * that is short or not known. stats_leads_with_queues: return whether that is told first: no finding warns or costs much. */
double stats_queued(const struct figures *f, const struct stats_summary *s);
bool stats_leads_with_queues(const struct findings *all, const struct figures *f, const struct stats_summary *s);

/* Write the largest part of the range, "all 4 caps ran threads 94.8%", to out, STATS_STATE bytes: all capabilities ran threads, fewer
 * did, none did, or it lies in pauses; "" if that is not known. Return out. */
enum { STATS_STATE = 96 };
const char *stats_state(const struct figures *f, const struct stats_summary *s, char *out);

/* Gather them; deep: also those that take another reading of the log. Return 0, EVL_CANCELLED or EVL_NOMEM; then the rest
 * stays unknown. */
int stats_summary_make(struct stats_summary *out, const struct evl_log *log, const struct figures *f, bool deep,
	const struct progress *watch);

#endif
