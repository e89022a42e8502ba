/* cursor_job.h - background jobs that explain what is at the cursor: what a span consists of, why a capability is idle, what a
 * thread does. */
#ifndef EVTUI_CURSOR_JOB_H
#define EVTUI_CURSOR_JOB_H

#include "jobs/job.h"
#include "query/span_budget.h"
#include "query/thread_find.h"
#include "query/thread_waits.h"

/* The answer; the question is the number of a span in its table, a uint64_t. */
struct span_answer {
	uint64_t span;
	int result; /* 0, or EVL_NOMEM */
	bool made;
	uint64_t ns; /* its length */
	struct span_detail detail;
};

/* NULL when memory or threads are out. */
struct answer_job *span_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* The answer; the question is a moment, a uint64_t. */
struct why_answer {
	uint64_t t;
	bool made;
	struct idle_why why;
};

struct answer_job *why_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* The state of a thread at a moment, looked for farther than a frame can wait. */
struct moment_ask {
	uint64_t t, thread;
};
struct moment_answer {
	struct moment_ask of;
	bool made;
	struct thread_moment now;
};

struct answer_job *moment_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
