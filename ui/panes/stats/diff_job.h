/* diff_job.h - background job that compares two ranges, of this log or of another one (:diff) */
#ifndef EVTUI_DIFF_JOB_H
#define EVTUI_DIFF_JOB_H

#include "jobs/job.h"
#include "report/diff.h"

enum { DIFF_NAME = 64 };

/* A range of this log or of the other one, and its displayed name. */
struct diff_range {
	uint64_t from, to; /* half-open, ns; 0 and UINT64_MAX: the whole log */
	uint64_t label;    /* hash (idmap_key) of a label: only the time covered by its spans; 0: all */
	bool other;        /* of the other log */
	char name[DIFF_NAME];
};

/* The question. Initialize with zeros. */
struct diff_ask {
	struct diff_range ranges[2];
};

/* Kind of a line. */
enum diff_kind {
	DIFF_HEAD,    /* heading of a group */
	DIFF_FIGURE,  /* a metric, or the first metric of a named thing */
	DIFF_DETAIL,  /* a further metric of the named thing */
	DIFF_FINDING, /* text of a finding */
	DIFF_MORE     /* number of names left out */
};
enum diff_only { DIFF_BOTH, DIFF_ONLY_A, DIFF_ONLY_B };

/* A line of the comparison. */
struct diff_line {
	enum diff_kind kind;
	enum diff_only only;     /* name or finding that only one side has */
	enum finding_id finding; /* of a DIFF_FINDING */
	enum unit unit;
	bool sum;           /* the metric grows with the length of the range */
	const char *metric; /* name of the metric, or id of the finding; NULL: it belongs to a named thing */
	const char *field;  /* of a named thing: which of its metrics */
	size_t at, len;     /* position of the line's name or text in `text` */
	struct diff_row row;
};

/* The answer: at first from the index alone, later complete. err.code is 0, or tells why there are no lines. */
struct diff_answer {
	bool made; /* the other members are valid */
	struct evl_err err;
	double total[2]; /* length of each range in ns */
	struct buf text;
	struct diff_line *lines;
	size_t n, room;
};
void diff_answer_free(struct diff_answer *a);

/* Start the job (job.h). other: the other log; NULL: only ranges of this log will be compared. Return NULL if memory
 * ran out or the thread could not be started. */
struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx);

#endif
