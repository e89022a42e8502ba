/* source_job.h - background job that reads a source file around a line, with the cost of each line
 *
 * Times are in ns. */
#ifndef EVTUI_SOURCE_JOB_H
#define EVTUI_SOURCE_JOB_H

#include "jobs/job.h"
#include "log/log.h"

enum { SOURCE_ROWS = 96, SOURCE_TEXT = 200, SOURCE_PLACE = 600 };

/* The question. Compared byte by byte, so initialize with zeros. */
struct source_ask {
	uint64_t from, to;           /* range for which costs are computed */
	char location[SOURCE_PLACE]; /* location as in the log; "": none */
	/* If not 0: show the line with this rank by cost, from 1, instead of the location. */
	uint32_t hot;
	uint32_t rows; /* number of rows wanted */
};

/* A line of source and its cost. */
struct source_row {
	uint32_t line;
	uint64_t samples;
	/* Shares of time and of live bytes (0 to 1), and live bytes; NAN: there is no such profile. */
	double time, heap, bytes;
	char text[SOURCE_TEXT];
};

/* The answer. */
struct source_page {
	struct source_ask ask;
	char place[SOURCE_PLACE]; /* the location shown, "src/Main.hs:31:54"; "": none */
	char name[SOURCE_TEXT];   /* names of the most expensive items at that line (source_line_names); "": none */
	/* The file was found, and rows are its lines; if not, rows are the lines that cost anything. */
	bool found;
	/* Number of samples of the program without the run-time system; source_row.time is a share of it. */
	uint64_t samples;
	/* line: number of the shown line; hot: its rank by cost, 0: none; n_hot: number of ranked lines */
	uint32_t line, hot, n_hot;
	size_t n;
	struct source_row rows[SOURCE_ROWS];
	int result; /* 0 or EVL_NOMEM */
};

/* Start the job (job.h). dir: the folder given by --src, which must outlive the job; NULL: none. Return NULL if memory
 * ran out or the thread could not be started. */
struct answer_job *source_job_new(const struct evl_log *log, const char *dir, void (*wake)(void *), void *wake_ctx);

#endif
