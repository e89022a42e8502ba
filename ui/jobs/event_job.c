#include "jobs/event_job.h"

#include "sys/clock.h"
#include "sys/worker.h"

#include <stdlib.h>
#include <time.h>

enum { TELL_MS = 100 };

/* Under the lock, but for what is the job's own. */
struct event_job {
	const struct evl_log *log;
	void (*wake)(void *);
	void *wake_ctx;
	struct worker worker;
	bool news;
	uint64_t asked, answered; /* numbers of asks */
	struct event_ask ask;
	struct event_page page; /* for the screen to take */
	bool has_page;
	struct event_filter filter; /* to be taken over by the job, as the search */
	struct pattern pattern;
	bool new_filter, new_pattern;
	bool filtered, searching;
	bool find_asked, finding, counting, stopped;
	event_rank_key find_at;
	bool find_forward;
	unsigned find_times; /* on to the next hit so often */
	enum event_found found;
	event_rank_key hit;
	struct event_count counted; /* so far */
	uint64_t bytes;             /* of all chains */

	struct event_rank order; /* the job's own from here on */
	struct event_scan scan;
	struct event_filter own_filter;
	struct pattern own_pattern;
	struct event_crew *crew;
	struct event_find find;
	struct event_count count;
	int64_t count_ms, find_ms; /* that counting, and this search, took so far */
	bool counts_turn;          /* the last one was counting's */
	int64_t told_ms;
};

/* --- on the job's thread ------------------------------------------------------------------------------------------- */

static void tell(struct event_job *job)
{
	job->news = true;
	job->told_ms = clock_ms();
	pthread_cond_broadcast(&job->worker.changed);
	if (job->wake)
		job->wake(job->wake_ctx);
}

static void begin_counting(struct event_job *job)
{
	event_count_begin(&job->count, job->log);
	job->counted = job->count;
	job->count_ms = 0;
	job->counting = job->filtered || job->searching;
	job->stopped = false;
}

/* A new filter or search. Called and left with the lock held, as all that follows. */
static void take_over(struct event_job *job)
{
	if (job->new_filter) {
		event_filter_free(&job->own_filter);
		job->own_filter = job->filter;
		job->filter = (struct event_filter){0};
		job->filtered = job->own_filter.n > 0;
		job->scan.filter = job->filtered ? &job->own_filter : NULL;
	}
	if (job->new_pattern) {
		pattern_free(&job->own_pattern);
		job->own_pattern = job->pattern;
		job->pattern = (struct pattern){0};
		job->searching = job->own_pattern.len > 0;
		job->scan.pattern = job->searching ? &job->own_pattern : NULL;
	}
	if (job->new_filter || job->new_pattern) {
		job->new_filter = job->new_pattern = false;
		event_crew_use(job->crew, job->scan.filter, job->scan.pattern);
		begin_counting(job);
		tell(job);
	}
}

static void make_page(struct event_job *job, struct event_page *page)
{
	struct event_ask ask = job->ask;
	uint64_t number = job->asked;
	atomic_store(&job->worker.cancel, false);
	pthread_mutex_unlock(&job->worker.lock);
	if (!event_page_page(&job->scan, &ask, &job->worker.cancel, page))
		page->n = 0;
	pthread_mutex_lock(&job->worker.lock);
	if (number != job->asked)
		return; /* something else is asked for by now */
	struct event_page former = job->page;
	job->page = *page;
	*page = former;
	job->has_page = true;
	job->answered = number;
	tell(job);
}

static void find_more(struct event_job *job)
{
	event_rank_key hit;
	int64_t began = clock_ms();
	job->find_ms = job->find_asked ? 0 : job->find_ms;
	if (job->find_asked)
		event_find_begin(&job->find, job->log, &job->order, job->find_at, job->find_forward);
	job->find_asked = false;
	atomic_store(&job->worker.cancel, false);
	pthread_mutex_unlock(&job->worker.lock);
	int result =
		event_find_more(&job->find, job->crew, job->count.over ? &job->count : NULL, &job->worker.cancel, &hit);
	pthread_mutex_lock(&job->worker.lock);
	job->find_ms += clock_ms() - began;
	if (result == 0 || job->find_asked || !job->finding)
		return;
	if (result > 0) {
		job->find_at = job->hit = hit;
		job->found = FOUND_HIT;
		job->find_asked = --job->find_times > 0;
	} else if (job->found != FOUND_HIT) { /* else the last one there is */
		job->found = FOUND_NOWHERE;
	}
	job->finding = job->find_asked;
	if (!job->finding)
		tell(job);
}

static void count_more(struct event_job *job)
{
	int64_t began = clock_ms();
	atomic_store(&job->worker.cancel, false);
	pthread_mutex_unlock(&job->worker.lock);
	event_count_more(&job->count, job->crew, &job->worker.cancel);
	pthread_mutex_lock(&job->worker.lock);
	job->count_ms += clock_ms() - began;
	job->counted = job->count;
	job->counting = job->counting && !job->count.over;
	if (!job->counting || clock_ms() - job->told_ms >= TELL_MS)
		tell(job);
}

/* What is near is found at once. A search that goes far takes turns with counting: that shows how far it is, and what it
 * has counted at its end tells the search where there is nothing to look for. */
static bool is_counts_turn(struct event_job *job)
{
	enum { AT_ONCE_MS = 200 };
	job->counts_turn = job->counting && job->find_ms > AT_ONCE_MS && !job->counts_turn;
	return job->counts_turn;
}

/* Until the log has been read. False: it is not needed any more. */
static bool wait_for_walk(struct event_job *job)
{
	enum { LOOK_MS = 20 };
	pthread_mutex_lock(&job->worker.lock);
	while (!job->worker.quit && !evl_progress(job->log).done) {
		struct timespec until = worker_until(LOOK_MS);
		pthread_cond_timedwait(&job->worker.changed, &job->worker.lock, &until);
	}
	bool wanted = !job->worker.quit;
	pthread_mutex_unlock(&job->worker.lock);
	return wanted;
}

static void *work(void *ctx)
{
	struct event_job *job = ctx;
	struct event_page spare = {0};
	bool ordered = wait_for_walk(job) && event_rank_init(&job->order, &job->log->blocks, job->log->tiles) == 0;
	job->scan = (struct event_scan){.log = job->log, .order = &job->order};
	job->crew = ordered ? event_crew_new(job->log, &job->order, workers_for(job->log->workers)) : NULL;
	pthread_mutex_lock(&job->worker.lock);
	for (size_t i = 0; ordered && i < job->log->blocks.n_chains; i++)
		job->bytes += job->log->blocks.chains[i].len;
	while (job->crew && !job->worker.quit) {
		take_over(job);
		if (job->answered != job->asked)
			make_page(job, &spare);
		else if (job->finding && !is_counts_turn(job))
			find_more(job);
		else if (job->counting)
			count_more(job);
		else
			pthread_cond_wait(&job->worker.changed, &job->worker.lock);
	}
	job->answered = UINT64_MAX; /* out of memory: nobody waits for what will not come */
	job->finding = job->counting = false;
	tell(job);
	pthread_mutex_unlock(&job->worker.lock);
	event_page_free(&spare);
	event_crew_free(job->crew);
	event_scan_free(&job->scan);
	event_filter_free(&job->own_filter);
	pattern_free(&job->own_pattern);
	event_rank_free(&job->order);
	return NULL;
}

/* --- on the screen's thread ---------------------------------------------------------------------------------------- */

struct event_job *event_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	struct event_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	*job = (struct event_job){.log = log, .wake = wake, .wake_ctx = ctx};
	if (worker_open(&job->worker, work, job))
		return job;
	free(job);
	return NULL;
}

void event_job_free(struct event_job *job)
{
	if (!job)
		return;
	worker_close(&job->worker);
	event_filter_free(&job->filter);
	pattern_free(&job->pattern);
	event_page_free(&job->page);
	free(job);
}

static void ask_again(struct event_job *job)
{
	if (job->answered != UINT64_MAX)
		job->asked++;
	atomic_store(&job->worker.cancel, true);
	pthread_cond_broadcast(&job->worker.changed);
}

void event_job_ask(struct event_job *job, const struct event_ask *ask)
{
	pthread_mutex_lock(&job->worker.lock);
	job->ask = *ask;
	ask_again(job);
	pthread_mutex_unlock(&job->worker.lock);
}

static bool is_answered(const struct event_job *job)
{
	return job->answered == job->asked || job->answered == UINT64_MAX;
}

bool event_job_wait(struct event_job *job, int ms)
{
	struct timespec until = worker_until(ms);
	int result = 0;
	pthread_mutex_lock(&job->worker.lock);
	while (!is_answered(job) && result == 0)
		result = ms < 0 ? pthread_cond_wait(&job->worker.changed, &job->worker.lock)
				: pthread_cond_timedwait(&job->worker.changed, &job->worker.lock, &until);
	bool answered = is_answered(job);
	pthread_mutex_unlock(&job->worker.lock);
	return answered;
}

bool event_job_take(struct event_job *job, struct event_page *page)
{
	pthread_mutex_lock(&job->worker.lock);
	bool has = job->has_page;
	if (has) {
		struct event_page former = *page;
		*page = job->page;
		job->page = former;
		job->has_page = false;
	}
	pthread_mutex_unlock(&job->worker.lock);
	return has;
}

void event_job_filter(struct event_job *job, struct event_filter *filter)
{
	pthread_mutex_lock(&job->worker.lock);
	event_filter_free(&job->filter); /* one that the job has not come to take */
	job->filter = *filter;
	*filter = (struct event_filter){0};
	job->new_filter = true;
	job->filtered = job->filter.n > 0;
	ask_again(job);
	pthread_mutex_unlock(&job->worker.lock);
}

void event_job_search(struct event_job *job, struct pattern *pattern)
{
	pthread_mutex_lock(&job->worker.lock);
	pattern_free(&job->pattern);
	job->pattern = *pattern;
	*pattern = (struct pattern){0};
	job->new_pattern = true;
	job->searching = job->pattern.len > 0;
	job->finding = job->find_asked = false;
	job->found = FOUND_NOTHING_NEW;
	pthread_cond_broadcast(&job->worker.changed);
	pthread_mutex_unlock(&job->worker.lock);
}

void event_job_find(struct event_job *job, event_rank_key at, bool forward)
{
	pthread_mutex_lock(&job->worker.lock);
	if (job->finding && job->find_forward == forward) {
		job->find_times++;
	} else {
		job->find_at = job->found == FOUND_HIT ? job->hit : at; /* a hit not told of yet is where we stand */
		job->find_forward = forward;
		job->find_times = 1;
		job->find_asked = job->finding = job->answered != UINT64_MAX;
		job->found = FOUND_NOTHING_NEW;
	}
	pthread_cond_broadcast(&job->worker.changed);
	pthread_mutex_unlock(&job->worker.lock);
}

enum event_found event_job_found(struct event_job *job, event_rank_key *hit)
{
	pthread_mutex_lock(&job->worker.lock);
	enum event_found found = job->finding ? FOUND_NOTHING_NEW : job->found;
	job->found = job->finding ? job->found : FOUND_NOTHING_NEW;
	*hit = job->hit;
	pthread_mutex_unlock(&job->worker.lock);
	return found;
}

bool event_job_stop(struct event_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool any = job->finding || job->counting || !is_answered(job);
	atomic_store(&job->worker.cancel, true);
	job->stopped = job->stopped || job->counting;
	job->finding = job->find_asked = job->counting = false;
	pthread_mutex_unlock(&job->worker.lock);
	return any;
}

void event_job_state(struct event_job *job, struct event_job_state *out)
{
	pthread_mutex_lock(&job->worker.lock);
	bool fresh = !job->new_filter && !job->new_pattern;
	*out = (struct event_job_state){.finding = job->finding,
		.filtered = job->filtered,
		.searching = job->searching,
		.counting = job->counting || !fresh,
		.stopped = job->stopped};
	if (fresh) {
		out->passed = job->counted.passed;
		out->hits = job->counted.hits;
		out->share = job->bytes ? (double)min_u64(job->counted.looked, job->bytes) / (double)job->bytes : 1;
		out->rate = job->count_ms > 0 ? job->counted.looked * 1000 / (uint64_t)job->count_ms : 0;
		memcpy(out->ticks, job->counted.ticks, sizeof out->ticks);
	}
	pthread_mutex_unlock(&job->worker.lock);
}

bool event_job_news(struct event_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool news = job->news;
	job->news = false;
	pthread_mutex_unlock(&job->worker.lock);
	return news;
}

bool event_job_busy(struct event_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool busy = !is_answered(job) || job->finding || job->counting || job->new_filter || job->new_pattern
		|| job->news || job->found != FOUND_NOTHING_NEW;
	busy = busy && job->answered != UINT64_MAX;
	pthread_mutex_unlock(&job->worker.lock);
	return busy;
}
