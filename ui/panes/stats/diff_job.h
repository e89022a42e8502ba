/* diff_job.h - background job that compares two ranges, of this log or of the other one (:diff), as lines to be drawn. */
#ifndef EVTUI_DIFF_JOB_H
#define EVTUI_DIFF_JOB_H

#include "jobs/job.h"
#include "report/diff.h"

enum { DIFF_NAME = 64 };

/* A range of this log, or of the other, and its name. */
struct diff_range {
	uint64_t from, to; /* all of it: 0 and UINT64_MAX */
	uint64_t label;    /* of it, the time that spans of this label cover (idmap_key); 0: all */
	bool other;
	char name[DIFF_NAME];
};

/* The question. Made from zeros. */
struct diff_ask {
	struct diff_range ranges[2];
};

enum diff_kind {
	DIFF_HEAD,    /* begins a group */
	DIFF_FIGURE,  /* of the run, or the first one of a name */
	DIFF_DETAIL,  /* a further one of that name */
	DIFF_FINDING, /* a sentence */
	DIFF_MORE     /* how many names are left out */
};
enum diff_only { DIFF_BOTH, DIFF_ONLY_A, DIFF_ONLY_B };

struct diff_line {
	enum diff_kind kind;
	enum diff_only only; /* a name or finding that one side does not have */
	enum unit unit;
	bool sum;       /* it grows with the range */
	size_t at, len; /* in the text */
	struct diff_row row;
};

/* The answer, first that of the index alone. err.code is 0, or says why there are no lines. */
struct diff_answer {
	bool made;
	struct evl_err err;
	double total[2]; /* ns that each range lasts */
	struct buf text;
	struct diff_line *lines;
	size_t n, room;
};
void diff_answer_free(struct diff_answer *a);

/* other: NULL where only ranges of this log are compared. NULL when memory or threads are out. */
struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx);

#endif
