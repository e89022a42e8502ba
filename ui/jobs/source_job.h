/* source_job.h - background job that reads a source file around a line, with what each of its lines costs. */
#ifndef EVTUI_SOURCE_JOB_H
#define EVTUI_SOURCE_JOB_H

#include "log/log.h"

enum { SOURCE_ROWS = 96, SOURCE_TEXT = 200, SOURCE_PLACE = 600 };

struct source_ask {
	uint64_t from, to;
	char location[SOURCE_PLACE]; /* as the log has it; "" for none */
	uint32_t hot;                /* instead: the line of this rank by cost, from 1 on; 0: the location */
	uint32_t rows;               /* that there is room for */
};

struct source_row {
	uint32_t line;
	uint64_t samples;
	double time, heap, bytes; /* shares: NAN where there is no such profile */
	char text[SOURCE_TEXT];
};

struct source_page {
	struct source_ask ask;
	char place[SOURCE_PLACE];  /* "src/Main.hs:31:54" that is shown; "": nowhere */
	char name[SOURCE_TEXT];    /* of what costs most at that line; "": nothing does */
	bool found;                /* the file was: rows are its lines; else those that cost anything */
	uint64_t samples;          /* of the program, without the run-time system's: shares of time are of these */
	uint32_t line, hot, n_hot; /* line: of the place; hot: its rank by cost, 0: it has none */
	size_t n;
	struct source_row rows[SOURCE_ROWS];
	int result; /* 0 or EVL_NOMEM */
};

struct source_job;

/* dir: --src, or NULL; it outlives the job. */
struct source_job *source_job_new(const struct evl_log *log, const char *dir, void (*wake)(void *), void *ctx);
void source_job_free(struct source_job *job);

/* Ask; the last page that is there, which may be of an earlier question; NULL: none yet. */
const struct source_page *source_job_get(struct source_job *job, const struct source_ask *ask, int wait_ms);

bool source_job_news(struct source_job *job);
bool source_job_busy(struct source_job *job);

#endif
