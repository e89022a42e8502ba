#include "threads/thread_job.h"

#include "jobs/job.h"
#include "query/thread_shares.h"
#include "sys/worker.h"
#include "threads/thread_tints.h"

#include <pthread.h>
#include <stdlib.h>

/* The columns of one lane. */
struct stored {
	uint32_t id; /* a thread, or the number of a group */
	bool group, final;
	struct thread_column *columns;
};

struct stored_key {
	uint32_t id;
	bool group;
};

/* `ask` and the lanes are under the lock; the rest is the job's own. */
struct thread_job {
	const struct evl_log *log;
	struct answer_job *job;
	pthread_mutex_t lock;
	struct thread_job_ask ask; /* the last */
	_Atomic int64_t spent_ms;
	unsigned state, renewed; /* how often the log was replaced, and the list made again */
	unsigned renewed_state;  /* the state of the log then */
	struct stored *lanes;    /* of its window */
	size_t n_lanes, room;

	struct thread_job_ask now; /* what the job works on */
	const struct progress *watch;
	struct thread_list *list; /* to be filled */
	bool asked, listed;
	atomic_bool leaving;       /* no list is wanted any more */
	struct thread_base *base;  /* of the last list */
	bool base_is_old;          /* of an earlier state of the log */
	struct thread_shares sums; /* of now's window; only its sums */
	bool has_sums;
	const struct stored_key *scanned; /* filled by the current scan, in order */
	size_t n_scanned;
	const struct thread_choice *choice; /* of the threads that lanes of groups show */
	struct thread_shares scan;
	struct thread_patterns patterns; /* once has_patterns */
	bool has_patterns;
	unsigned patterns_renewed; /* ask.renewed then */
	struct thread_tints tints; /* once has_tints; those of a growing log stay */
	atomic_bool has_tints;
	struct thread_course course; /* of the whole run of a growing log: */
	struct thread_job_ask course_of;
	bool catches_up;       /* it has not read the settled part of the log yet */
	uint64_t sums_settled; /* time before which the sums are those of longer logs, too */
	void (*wake)(void *);
	void *wake_ctx;
};

static bool same_window(const struct thread_job_ask *a, const struct thread_job_ask *b)
{
	return a->list.t0 == b->list.t0 && a->list.t1 == b->list.t1 && a->cols == b->cols;
}

static bool same_folds(const struct thread_job_ask *a, const struct thread_job_ask *b)
{
	return a->list.n_folds == b->list.n_folds && memcmp(a->list.folds, b->list.folds, sizeof a->list.folds) == 0;
}

static bool same_hidden(const struct thread_job_ask *a, const struct thread_job_ask *b)
{
	return a->list.n_hidden == b->list.n_hidden
		&& memcmp(a->list.hidden, b->list.hidden, a->list.n_hidden * sizeof *a->list.hidden) == 0;
}

/* Do both want the same kind of list? */
static bool same_kind(const struct thread_job_ask *a, const struct thread_job_ask *b)
{
	return a->list.order == b->list.order && a->list.grows == b->list.grows && a->list.patterns == b->list.patterns
		&& strcmp(a->list.filter, b->list.filter) == 0 && same_folds(a, b) && same_hidden(a, b);
}

/* Does the same list answer both? */
static bool same_list(const struct thread_job_ask *a, const struct thread_job_ask *b)
{
	return same_window(a, b) && a->list.whole == b->list.whole && same_kind(a, b);
}

static bool same_ids(const struct thread_job_ask *a, const struct thread_job_ask *b)
{
	return a->n_ids == b->n_ids && memcmp(a->ids, b->ids, a->n_ids * sizeof *a->ids) == 0;
}

/* --- lanes kept --- */

static struct stored *find(const struct thread_job *job, uint32_t id, bool group)
{
	for (size_t i = 0; i < job->n_lanes; i++)
		if (job->lanes[i].id == id && job->lanes[i].group == group)
			return &job->lanes[i];
	return NULL;
}

static void drop_lanes(struct thread_job *job, bool groups_only)
{
	size_t kept = 0;
	for (size_t i = 0; i < job->n_lanes; i++) {
		if (groups_only && !job->lanes[i].group)
			job->lanes[kept++] = job->lanes[i];
		else
			free(job->lanes[i].columns);
	}
	job->n_lanes = kept;
}

/* Lanes that are not asked for any more go when there are too many. */
static void drop_surplus(struct thread_job *job)
{
	size_t kept = 0;
	if (job->n_lanes < 2 * JOB_IDS)
		return;
	for (size_t i = 0; i < job->n_lanes; i++) {
		bool wanted = job->lanes[i].group;
		for (size_t k = 0; k < job->ask.n_ids && !wanted; k++)
			wanted = job->ask.ids[k] == job->lanes[i].id;
		if (wanted)
			job->lanes[kept++] = job->lanes[i];
		else
			free(job->lanes[i].columns);
	}
	job->n_lanes = kept;
}

/* Columns of a window that was moved by whole columns stay what they are. Return false if they do not. */
static bool shift_lanes(struct thread_job *job, const struct thread_job_ask *to)
{
	const struct thread_job_ask *from = &job->ask;
	uint64_t width = from->list.t1 - from->list.t0, n = (uint64_t)from->cols, by = to->list.t0 - from->list.t0;
	if (to->cols != from->cols || to->list.t1 - to->list.t0 != width || width % n || to->list.t0 < from->list.t0
		|| by >= width || by % (width / n))
		return false;
	size_t gone = (size_t)(by / (width / n)), left = (size_t)n - gone;
	for (size_t i = 0; i < job->n_lanes; i++) {
		struct stored *lane = &job->lanes[i];
		memmove(lane->columns, lane->columns + gone, left * sizeof *lane->columns);
		memset(lane->columns + left, 0, gone * sizeof *lane->columns);
		lane->final = false;
	}
	return true;
}

/* Longer logs may have more events from `settled` on. Columns of the whole run follow at once. */
static void age_lanes(struct thread_job *job, uint64_t settled)
{
	const struct thread_list_ask *w = &job->ask.list;
	for (size_t i = 0; i < job->n_lanes && settled < w->t1; i++) {
		job->lanes[i].final = false;
		for (int col = 0; col < job->ask.cols && !w->whole; col++)
			job->lanes[i].columns[col].known &=
				column_edge(w->t0, w->t1, job->ask.cols, col + 1) <= settled;
	}
}

static struct stored *store(struct thread_job *job, uint32_t id, bool group)
{
	struct stored *old = find(job, id, group);
	if (old)
		return old;
	struct thread_column *columns = calloc((size_t)job->now.cols, sizeof *columns);
	if (!columns || !GROW(job->lanes, job->n_lanes, job->room)) {
		free(columns);
		return NULL;
	}
	job->lanes[job->n_lanes] = (struct stored){.id = id, .group = group, .columns = columns};
	return &job->lanes[job->n_lanes++];
}

/* --- on the job's thread --- */

/* Publish the scan's partial result, unless another window has been requested. */
static void publish_columns(struct thread_job *job, bool final)
{
	size_t bytes = (size_t)job->now.cols * sizeof(struct thread_column);
	pthread_mutex_lock(&job->lock);
	bool current = same_window(&job->ask, &job->now) && same_folds(&job->ask, &job->now);
	for (size_t i = 0; current && i < job->n_scanned; i++) {
		struct stored *to = store(job, job->scanned[i].id, job->scanned[i].group);
		if (!to)
			break;
		memcpy(to->columns, job->scan.columns + i * (size_t)job->now.cols, bytes);
		to->final = final;
	}
	pthread_mutex_unlock(&job->lock);
	job_tell(job->watch);
}

static void progress(void *ctx, UNUSED int cols) { publish_columns(ctx, false); }

/* The base that fits; one that is begun is made to its end, whatever is asked meanwhile. */
static bool find_base(struct thread_job *job, const struct thread_choice *choice)
{
	if (job->base && !job->base_is_old && thread_order_fits(job->base, choice))
		return true;
	thread_order_drop(job->base);
	job->base_is_old = false;
	job->base = thread_order_new(choice, &job->leaving);
	return job->base;
}

static void publish_list(struct thread_job *job)
{
	struct thread_list *list = job->list;
	struct thread_choice choice = thread_choice(job->log, &job->now.list, job->has_sums);
	bool made = find_base(job, &choice)
		&& thread_list_make(list, job->base, &choice, job->has_sums ? &job->sums : NULL) == 0;
	filter_free(&choice.filter);
	if (made)
		job_publish(job->watch);
}

/* The lanes that are asked for and not there yet: threads first, then groups. */
static size_t missing(struct thread_job *job, struct stored_key *keys, size_t *n_ids)
{
	size_t n = 0;
	pthread_mutex_lock(&job->lock);
	for (size_t i = 0; i < job->now.n_ids; i++) {
		const struct stored *lane = find(job, job->now.ids[i], false);
		if (!lane || !lane->final)
			keys[n++] = (struct stored_key){job->now.ids[i], false};
	}
	*n_ids = n;
	for (uint32_t i = 0; i < job->now.list.n_folds; i++) {
		const struct stored *lane = find(job, i, true);
		if (!lane || !lane->final)
			keys[n++] = (struct stored_key){i, true};
	}
	pthread_mutex_unlock(&job->lock);
	return n;
}

/* Only threads that the list has in the group: others are filtered out, hidden or pinned. */
static int group_lane(void *ctx, uint32_t thread)
{
	const struct thread_job *job = ctx;
	const struct thread_sum *sum = job->has_sums ? thread_shares_find(&job->sums, thread) : NULL;
	int fold = thread_fold_of(job->log, &job->now.list, thread);
	if (fold < 0 || thread_is_hidden(&job->now.list, thread) || !thread_keeps(job->choice, thread, sum))
		return -1;
	for (size_t i = 0; i < job->n_scanned; i++)
		if (job->scanned[i].group && job->scanned[i].id == (uint32_t)fold)
			return (int)i;
	return -1;
}

/* The sums are kept for later lists of this window, without the columns. */
static void keep_sums(struct thread_job *job)
{
	thread_shares_free(&job->sums);
	job->sums = job->scan;
	job->sums.columns = NULL;
	free(job->scan.columns);
	job->scan = (struct thread_shares){0};
	job->has_sums = true;
	job->sums_settled = job->log->settled_t;
}

/* Is the whole run shown, and are the lanes of groups chosen by labels alone? */
static bool may_go_on(const struct thread_job *job) { return job->now.list.whole && !*job->now.list.filter; }

static int by_id(const void *a, const void *b)
{
	const struct stored_key *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* All lanes that are asked for, and those that are read already, so that these can go on. */
static size_t lanes_of_course(const struct thread_job *job, struct stored_key *keys, size_t *n_ids)
{
	const struct thread_course *c = &job->course;
	size_t n = 0, found = 0;
	for (; n < job->now.n_ids; n++)
		keys[n] = (struct stored_key){job->now.ids[n], false};
	qsort(keys, n, sizeof *keys, by_id);
	for (size_t i = 0; i < c->n_ids; i++)
		found += bsearch(&(struct stored_key){c->ids[i], false}, keys, n, sizeof *keys, by_id) != NULL;
	if (found == n && c->n_ids)
		for (n = 0; n < c->n_ids; n++)
			keys[n] = (struct stored_key){c->ids[n], false};
	*n_ids = n;
	for (uint32_t i = 0; i < job->now.list.n_folds; i++)
		keys[n++] = (struct stored_key){i, true};
	return n;
}

static int scan(struct thread_job *job, const struct stored_key *keys, size_t n, size_t n_ids, bool sums, bool again)
{
	uint32_t ids[JOB_IDS];
	for (size_t i = 0; i < n_ids; i++)
		ids[i] = keys[i].id;
	struct thread_choice choice = thread_choice(job->log, &job->now.list, job->has_sums);
	job->choice = &choice;
	job->scanned = keys;
	job->n_scanned = n;
	uint64_t first, last;
	struct thread_shares_ask ask = {.t0 = job->now.list.t0,
		.t1 = job->now.list.t1,
		.end = evl_range(job->log, &first, &last) ? last + 1 : 0,
		.cols = job->now.cols,
		.sums = sums,
		.ids = ids,
		.n_ids = n_ids,
		.n_lanes = n - n_ids,
		.lane_of = n > n_ids ? group_lane : NULL,
		.progress = progress,
		.ctx = job,
		.cancel = job->watch->cancel};
	bool goes_on = may_go_on(job) && thread_course_can(job->log, &ask);
	int result = EVL_CANCELLED;
	if (goes_on && (!same_folds(&job->course_of, &job->now) || !same_hidden(&job->course_of, &job->now)))
		thread_course_free(&job->course);
	if (goes_on && (again || !job->course.at.columns || thread_course_fits(&job->course, job->log, &ask))) {
		job->course_of = job->now;
		result = thread_course_run(&job->course, job->log, &ask, &job->scan);
		job->catches_up = result == EVL_CANCELLED;
	} else if (!goes_on && again) {
		result = thread_shares_run(&job->scan, job->log, &ask);
	}
	if (result == 0) {
		publish_columns(job, true);
		if (sums)
			keep_sums(job);
	}
	thread_shares_free(&job->scan);
	job->choice = NULL;
	filter_free(&choice.filter);
	job->n_scanned = 0;
	return result;
}

static bool filter_needs_sums(const struct thread_list_ask *ask)
{
	struct filter filter;
	bool needs =
		filter_parse(&filter, &lane_filter_fields, ask->filter, NULL) < 0 || lane_filter_needs_sums(&filter);
	filter_free(&filter);
	return needs;
}

/* First the list with what is known of old, then the lanes, then the list with what they told. Another window alone
 * brings no list before its sums: the one of the window before stays. Where only sums tell which threads the filter keeps, the
 * groups' lanes take another reading after them. again: not only what goes on. */
static void work(struct thread_job *job, bool new_list, bool only_window, bool again)
{
	struct stored_key keys[JOB_IDS + LIST_FOLDS];
	const struct thread_list_ask *ask = &job->now.list;
	size_t n_ids, n;
	bool filters = filter_needs_sums(ask), had_sums = job->has_sums;
	bool needs_sums = !ask->whole || ask->order == ORDER_WAIT || ask->order == ORDER_WAKEUPS || filters;
	if (new_list && !(only_window && needs_sums))
		publish_list(job);
	n = job->log->settled_t && may_go_on(job) && !needs_sums ? lanes_of_course(job, keys, &n_ids)
								 : missing(job, keys, &n_ids);
	bool sums = needs_sums && !had_sums;
	size_t first = filters && sums ? n_ids : n;
	if ((first || sums) && scan(job, keys, first, n_ids, sums, again) == 0 && sums)
		publish_list(job);
	if (first < n && job->has_sums)
		scan(job, keys + first, n - first, 0, false, again);
}

/* Labels that can be grouped, found at the first question; a search that has begun goes on to its end. */
static void publish_patterns(struct thread_job *job)
{
	job->has_patterns = job->has_patterns || thread_patterns_find(job->log, &job->leaving, &job->patterns) == 0;
	if (!job->has_tints)
		thread_tints_find(job->log, &job->tints);
	atomic_store(&job->has_tints, true);
	job->list->patterns = &job->patterns;
	job_publish(job->watch);
}

static void forget_patterns(struct thread_job *job)
{
	job->has_patterns = false;
	job->patterns = (struct thread_patterns){0};
}

static void answer(void *ctx, const void *question, const struct progress *watch, void *list)
{
	struct thread_job *job = ctx;
	const struct thread_job_ask *ask = question;
	const int64_t begun = worker_cpu_ms();
	bool window = !same_window(ask, &job->now), kind = !same_kind(ask, &job->now), first = !job->listed;
	bool later = ask->state != job->now.state, renewed = ask->renewed != job->now.renewed;
	job->watch = watch;
	job->list = list;
	if (ask->list.patterns) {
		if (ask->renewed != job->patterns_renewed)
			forget_patterns(job);
		job->patterns_renewed = ask->renewed;
		publish_patterns(job);
		atomic_fetch_add(&job->spent_ms, worker_cpu_ms() - begun);
		return;
	}
	bool by_log = !first && !kind && !renewed && later && (!window || ask->follows); /* no other question */
	job->listed = true;
	job->now = *ask;
	if (window || (renewed && job->sums_settled < ask->list.t1)) {
		thread_shares_free(&job->sums);
		job->has_sums = false;
	}
	work(job, !by_log && (first || window || kind || renewed), !first && !kind && !renewed,
		!by_log || job->catches_up);
	if (!by_log || job->catches_up)
		atomic_fetch_add(&job->spent_ms, worker_cpu_ms() - begun);
}

static bool is_outdated(UNUSED void *ctx, const void *was, const void *now) { return !same_list(was, now); }

static void drop(void *list) { thread_list_free(list); }

/* --- on the screen's thread --- */

static const struct answer_ops ops = {.question = sizeof(struct thread_job_ask),
	.answer = sizeof(struct thread_list),
	.find = answer,
	.is_outdated = is_outdated,
	.parts = true,
	.drop = drop};

struct thread_job *thread_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	struct thread_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->log = log;
	job->wake = wake;
	job->wake_ctx = ctx;
	pthread_mutex_init(&job->lock, NULL);
	if ((job->job = job_new(&ops, job, wake, ctx)))
		return job;
	pthread_mutex_destroy(&job->lock);
	free(job);
	return NULL;
}

void thread_job_free(struct thread_job *job)
{
	if (!job)
		return;
	atomic_store(&job->leaving, true);
	job_free(job->job);
	pthread_mutex_destroy(&job->lock);
	drop_lanes(job, false);
	free(job->lanes);
	thread_shares_free(&job->sums);
	thread_course_free(&job->course);
	thread_order_drop(job->base);
	free(job);
}

bool thread_job_go_on(struct thread_job *job, const struct evl_log *log)
{
	atomic_store(&job->leaving, true);
	job_free(job->job);
	atomic_store(&job->leaving, false);
	age_lanes(job, job->log->settled_t);
	job->log = log;
	job->base_is_old = true;
	job->state++;
	job->job = job_new(&ops, job, job->wake, job->wake_ctx);
	return job->job;
}

bool thread_job_is_old(const struct thread_job *job) { return job->renewed_state != job->state; }

void thread_job_renew(struct thread_job *job)
{
	job->renewed++;
	job->renewed_state = job->state;
}

int64_t thread_job_spent_ms(struct thread_job *job) { return atomic_exchange(&job->spent_ms, 0); }

bool thread_job_ask(struct thread_job *job, const struct thread_job_ask *asked)
{
	struct thread_job_ask ask = *asked;
	ask.state = job->state;
	ask.renewed = job->renewed;
	bool list = !job->asked || !same_list(&job->ask, &ask);
	if (!list && same_ids(&job->ask, &ask) && job->ask.state == ask.state && job->ask.renewed == ask.renewed)
		return false;
	pthread_mutex_lock(&job->lock);
	if (!job->asked || (!same_window(&job->ask, &ask) && !(ask.follows && shift_lanes(job, &ask))))
		drop_lanes(job, false);
	else if (list)
		drop_lanes(job, true);
	job->ask = ask;
	job->asked = true;
	drop_surplus(job);
	pthread_mutex_unlock(&job->lock);
	job_ask(job->job, &ask);
	return true;
}

bool thread_job_wait(struct thread_job *job, int ms) { return job_wait(job->job, ms); }

bool thread_job_news(struct thread_job *job) { return job_news(job->job); }

bool thread_job_take_list(struct thread_job *job, struct thread_list *list)
{
	struct thread_list news = {0};
	if (!job_take(job->job, &news))
		return false;
	if (news.patterns) { /* and nothing else */
		list->patterns = news.patterns;
		return true;
	}
	thread_list_free(list);
	*list = news;
	return true;
}

uint32_t thread_job_tint(const struct thread_job *job, uint32_t thread)
{
	return job && atomic_load(&job->has_tints) ? thread_tints_of(&job->tints, thread) : thread;
}

bool thread_job_columns(struct thread_job *job, uint32_t id, bool group, struct thread_column *out, int cols)
{
	pthread_mutex_lock(&job->lock);
	const struct stored *lane = job->ask.cols == cols ? find(job, id, group) : NULL;
	if (lane)
		memcpy(out, lane->columns, (size_t)cols * sizeof *out);
	pthread_mutex_unlock(&job->lock);
	return lane;
}
