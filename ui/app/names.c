#include "app/names.h"

#include "app/panes.h"
#include "jobs/job.h"
#include "prof/ccdb.h"
#include "query/exe_match.h"

#include <stdlib.h>

struct question {
	char path[EXE_PATH]; /* "": it is looked for */
	const char *ipedb;   /* NULL: not given */
	const char *ccdb;
};

struct names_found {
	struct exe *exe;
	struct ccdb *ccdb;
	struct evl_err err;
	bool asked; /* somebody named it */
};

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct evl_log *log = ctx;
	const struct question *q = question;
	struct names_found *found = answer;
	found->asked = *q->path || q->ipedb || q->ccdb;
	if (!*q->path && !q->ipedb)
		found->exe = exe_is_wanted(log) ? exe_search(log, watch->cancel) : NULL;
	else if (*q->path && exe_match(&found->exe, log, q->path, watch->cancel, &found->err) < 0)
		found->exe = NULL;
	if (q->ipedb && exe_match_ipedb(&found->exe, log, q->ipedb, watch->cancel, &found->err) < 0 && !*q->path)
		found->exe = NULL;
	if (q->ccdb && ccdb_match(&found->ccdb, log, q->ccdb, &found->err) < 0)
		found->ccdb = NULL;
}

static void drop(void *answer)
{
	struct names_found *found = answer;
	exe_close(found->exe);
	ccdb_close(found->ccdb);
}

bool names_ask(struct pane_host *h, const char *path)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct question), .answer = sizeof(struct names_found), .find = find, .drop = drop};
	struct question *q = calloc(1, sizeof *q);
	if (!h->names)
		h->names = job_new(&ops, h->log, h->wake, h->wake_ctx);
	h->names_of = h->log;
	bool good = q && h->names && strlen(path) < sizeof q->path;
	if (good) {
		memcpy(q->path, path, strlen(path) + 1);
		q->ipedb = h->names_given.ipedb;
		q->ccdb = h->log->ccdb ? NULL : h->names_given.ccdb;
		h->log->build_id = h->names_given.build_id;
		job_ask(h->names, q);
	}
	free(q);
	return good;
}

/* Has the log been read, and has it anything that a program could name? */
static bool is_due(const struct pane_host *h)
{
	const struct evl_log *log = h->log;
	return h->names_of != log && evl_progress(log).done
		&& (census_count(&log->census) || prof_samples(&log->prof[PROF_CALLS])
			|| (h->names_given.ccdb && prof_samples(&log->prof[PROF_CENTRES]))
			|| log->event_counts.tags.n[EVL_TICKY_COUNTER_DEF]);
}

bool names_news(struct pane_host *h)
{
	struct names_found found = {0};
	if (is_due(h))
		names_ask(h, h->names_given.exe ? h->names_given.exe : "");
	if (!h->names || !job_take(h->names, &found))
		return false;
	if (found.exe)
		evl_use_exe(h->log, found.exe);
	if (found.ccdb)
		evl_use_ccdb(h->log, found.ccdb);
	bool good = (!found.exe && !found.ccdb) || panes_on_log_replaced(h, h->log, false);
	if (good && found.exe)
		pane_say(h, false, "names of info tables: from %.200s", exe_path(found.exe));
	if (found.asked && found.err.text[0])
		pane_say(h, true, "%s", found.err.text);
	names_stop(h);
	return found.exe || found.asked;
}

bool names_busy(const struct pane_host *h) { return h->names ? job_busy(h->names) || job_news(h->names) : is_due(h); }

void names_stop(struct pane_host *h)
{
	job_free(h->names);
	h->names = NULL;
}
