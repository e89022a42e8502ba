/* cursor_job.h - background jobs about the item at the cursor: a span's time, why a capability is idle, thread
 * states */
#ifndef EVTUI_CURSOR_JOB_H
#define EVTUI_CURSOR_JOB_H

#include "jobs/job.h"
#include "query/idle_why.h"
#include "query/span_budget.h"
#include "query/thread_waits.h"

/* Question: a span, by its index in the table of spans. from, to: its times, as a growing log may have another at this index. */
struct span_ask {
	uint64_t span, from, to;
};
struct span_answer {
	struct span_ask of;
	int result;  /* 0, or EVL_NOMEM */
	bool made;   /* ns and detail are valid */
	uint64_t ns; /* length of the span */
	struct span_detail detail;
};

/* Start a job (job.h) that answers with a struct span_answer. Return NULL if memory ran out or no thread could be
 * started. */
struct answer_job *span_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Question: why a capability is idle at a moment, and which thread it runs next. */
struct why_ask {
	uint64_t t, cap;
};
struct why_answer {
	struct why_ask of;
	bool made; /* why and end are valid */
	struct idle_why why;
	struct idle_end end;
};

/* Start a job that answers with a struct why_answer, like span_job_new. */
struct answer_job *why_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Question: what the threads did while a capability was idle in [from, to). lane: its index in log->cap_chains. */
struct idle_ask {
	uint64_t lane, from, to;
};
struct idle_answer {
	struct idle_ask of;
	bool made;        /* the rest is valid */
	bool all_threads; /* as in struct waits */
	struct cap_idle is;
};

/* Start a job that answers with a struct idle_answer, like span_job_new. */
struct answer_job *idle_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Question: the state of a thread at a moment. It is asked if the search made while drawing ended early
 * (thread_find.h). */
struct moment_ask {
	uint64_t t, thread;
};
struct moment_answer {
	struct moment_ask of;
	bool made;
	struct thread_moment now; /* valid if made */
};

/* Start a job that answers with a struct moment_answer, like span_job_new. */
struct answer_job *moment_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
