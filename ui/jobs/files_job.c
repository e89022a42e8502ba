#include "jobs/files_job.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool is_folder_in(const char *dir, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	return snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path && stat(path, &st) == 0
		&& S_ISDIR(st.st_mode);
}

static void list_files(const char *dir, const char *base, const struct progress *watch, char **out)
{
	size_t n = 0, len = strlen(base);
	DIR *d = opendir(dir);
	for (struct dirent *e; d && n < FILES_MOST && !progress_cancelled(watch) && (e = readdir(d));) {
		bool hidden = e->d_name[0] == '.' && base[0] != '.', odd = false;
		for (const char *p = e->d_name; *p && !odd; p++)
			odd = (unsigned char)*p < ' ' || *p == 0x7f;
		if (hidden || odd || strncmp(e->d_name, base, len) != 0 || !strcmp(e->d_name, ".")
			|| !strcmp(e->d_name, ".."))
			continue;
		size_t room = strlen(e->d_name) + sizeof "/";
		if (!(out[n] = malloc(room)))
			break;
		snprintf(out[n++], room, "%s%s", e->d_name, is_folder_in(dir, e->d_name) ? "/" : "");
	}
	out[n] = NULL;
	if (d)
		closedir(d);
	qsort(out, n, sizeof *out, by_text);
}

void files_found_free(struct files_found *f)
{
	for (char **name = f->names; *name; name++)
		free(*name);
	*f = (struct files_found){0};
}

static void find(UNUSED void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct files_ask *ask = question;
	struct files_found *found = answer;
	list_files(ask->dir, ask->base, watch, found->names);
}

static void drop(void *answer) { files_found_free(answer); }

/* Tab is pressed again: nothing is drawn when the answer comes, and the job may outlive the screen. */
static void silent(UNUSED void *ctx) {}

struct answer_job *files_job_new(void)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct files_ask), .answer = sizeof(struct files_found), .find = find, .drop = drop};
	return job_new(&ops, NULL, silent, NULL);
}

void files_job_leave(struct answer_job *job)
{
	if (job && !job_busy(job))
		job_free(job);
}
