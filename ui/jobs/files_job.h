/* files_job.h - background job that lists the files of a directory, for the completion of names: a slow disk never holds
 * up a key. */
#ifndef EVTUI_FILES_JOB_H
#define EVTUI_FILES_JOB_H

#include "jobs/job.h"

#include <limits.h>

enum { FILES_MOST = 512 };

/* Zeroed before it is filled in: questions are compared byte by byte. */
struct files_ask {
	char dir[PATH_MAX], base[NAME_MAX + 1];
};

/* The names that start with `base`, sorted, with / after those of directories; NULL after the last. Those that a line cannot
 * hold are left out. */
struct files_found {
	char *names[FILES_MOST + 1];
};
void files_found_free(struct files_found *f);

/* NULL when memory or threads are out. */
struct answer_job *files_job_new(void);

/* Free the job, unless it waits for a disk: then it is left to the end of the process. */
void files_job_leave(struct answer_job *job);

#endif
