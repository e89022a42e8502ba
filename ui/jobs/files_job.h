/* files_job.h - background job that lists a folder for Tab completion, so that a slow disk never delays a key */
#ifndef EVTUI_FILES_JOB_H
#define EVTUI_FILES_JOB_H

#include "jobs/job.h"

#include <limits.h>

enum { FILES_MOST = 512 };

/* The question. Zero it before filling it in, because questions are compared byte by byte. */
struct files_ask {
	char dir[PATH_MAX], base[NAME_MAX + 1]; /* folder; start of the name */
};

/* The answer: the names that start with `base`, sorted; those of folders end with /. NULL after the last. Names with
 * characters that the prompt cannot hold are left out. */
struct files_found {
	char *names[FILES_MOST + 1];
};
void files_found_free(struct files_found *f);

/* Start the job (job.h). Return NULL if memory ran out or the thread could not be started. */
struct answer_job *files_job_new(void);

/* Free the job, unless its thread is waiting for a disk: then it is left until the process ends. */
void files_job_leave(struct answer_job *job);

#endif
