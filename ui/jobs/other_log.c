#include "jobs/other_log.h"

#include "jobs/job.h"
#include "query/exe_match.h"
#include "sys/clock.h"

#include <stdlib.h>

struct opened {
	struct evl_log *log; /* NULL: err says why */
	struct evl_err err;
};

struct other_log {
	unsigned owners;
	struct answer_job *job;
	struct opened opened;
	bool stopped;
	char path[]; /* the question, too: the job looks for it here */
};

/* Unpacking is the first third, as far as it is told; reading is the rest. */
#define UNPACKING (1.0 / 3)

static bool is_wanted(void *ctx, uint64_t done, uint64_t total)
{
	const struct progress *watch = ctx;
	progress_tell(watch, total ? UNPACKING * (double)min_u64(done, total) / (double)total : 0);
	return !progress_cancelled(watch);
}

/* Read all of it, looking now and then whether anybody still wants it. */
static int read_log(struct evl_log *log, const struct progress *watch)
{
	enum { LOOK_MS = 10 };
	int result = evl_start(log, NULL, NULL);
	for (struct evl_progress p = evl_progress(log); result == 0 && !p.done; p = evl_progress(log)) {
		progress_tell(watch, UNPACKING + (1 - UNPACKING) * (p.total ? (double)p.bytes / (double)p.total : 0));
		if (progress_cancelled(watch))
			evl_cancel(log);
		sleep_ms(LOOK_MS);
	}
	return result < 0 ? result : evl_wait(log);
}

/* Info tables and call stacks are compared by name, where the program of that log is found. */
static void name_it(struct evl_log *log, const struct progress *watch)
{
	struct exe *exe = exe_is_wanted(log) ? exe_search(log, watch->cancel) : NULL;
	if (exe)
		evl_use_exe(log, exe);
}

static void find(void *ctx, UNUSED const void *question, const struct progress *watch, void *answer)
{
	struct decompress_watch unpacking = {.tell = is_wanted, .ctx = (void *)(uintptr_t)watch};
	struct opened *out = answer;
	const char *path = ctx;
	if (evl_open_watched(&out->log, path, &unpacking, &out->err) < 0)
		return;
	int result = read_log(out->log, watch);
	if (result == 0) {
		name_it(out->log, watch);
		return;
	}
	evl_close(out->log);
	out->log = NULL;
	evl_fail(&out->err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
}

static void drop(void *answer)
{
	struct opened *o = answer;
	evl_close(o->log);
	o->log = NULL;
}

struct other_log *other_log_open(const char *path, void (*wake)(void *), void *ctx)
{
	static const struct answer_ops ops = {
		.question = 1, .answer = sizeof(struct opened), .find = find, .drop = drop};
	size_t len = strlen(path) + 1;
	struct other_log *o = calloc(1, sizeof *o + len);
	if (!o)
		return NULL;
	o->owners = 1;
	memcpy(o->path, path, len);
	if (!(o->job = job_new(&ops, o->path, wake, ctx))) {
		free(o);
		return NULL;
	}
	job_ask(o->job, "");
	return o;
}

struct other_log *other_log_hold(struct other_log *other)
{
	if (other)
		other->owners++;
	return other;
}

void other_log_drop(struct other_log *other)
{
	if (!other || --other->owners)
		return;
	job_free(other->job);
	drop(&other->opened);
	free(other);
}

bool held_logs_add(struct held_logs *h, struct other_log *other)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->items[i] == other)
			return true;
	if (other && !GROW(h->items, h->n, h->room))
		return false;
	if (other)
		h->items[h->n++] = other_log_hold(other);
	return true;
}

void held_logs_keep(struct held_logs *h, struct other_log *const *kept, size_t n)
{
	size_t all = h->n;
	h->n = 0;
	for (size_t i = 0; i < all; i++) {
		bool keeps = false;
		for (size_t k = 0; k < n; k++)
			keeps = keeps || h->items[i] == kept[k];
		if (keeps)
			h->items[h->n++] = h->items[i];
		else
			other_log_drop(h->items[i]);
	}
	if (h->n == 0) {
		free(h->items);
		*h = (struct held_logs){0};
	}
}

const struct evl_log *other_log_get(struct other_log *other, int ms)
{
	job_wait(other->job, ms);
	job_take(other->job, &other->opened);
	return other->opened.log;
}

const char *other_log_path(const struct other_log *other) { return other->path; }

const char *other_log_error(const struct other_log *other)
{
	return other->stopped ? "stopped reading it" : other->opened.err.code ? other->opened.err.text : "";
}

bool other_log_busy(struct other_log *other) { return other && job_busy(other->job); }
double other_log_share(const struct other_log *other) { return job_share(other->job); }
bool other_log_news(struct other_log *other) { return other && job_news(other->job); }

bool other_log_stop(struct other_log *other)
{
	bool stopped = other && job_stop(other->job);
	if (stopped)
		other->stopped = true;
	return stopped;
}
