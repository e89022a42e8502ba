#include "jobs/event_job.h"

#include "jobs/job.h"
#include "sys/clock.h"
#include "sys/worker.h"

#include <stdio.h>
#include <stdlib.h>

/* Another page, or another reason to look what is to be done. */
struct question {
	struct event_ask ask;
	uint64_t page, number;
};

enum { HIT_TEXT = 200 };

/* Under the lock, but for what is the job's or the screen's own. */
struct event_job {
	const struct evl_log *log;
	struct answer_job *job;
	pthread_mutex_t lock;
	struct event_filter filter; /* to be taken over by the job, as the search */
	struct pattern pattern;
	bool new_filter, new_pattern, new_brief;
	bool brief;
	bool filtered, searching;
	bool find_asked, finding, counting, stopped;
	event_rank_key find_at;
	bool find_forward;
	unsigned find_times; /* on to the next hit so often */
	enum event_found found;
	event_rank_key hit;
	char hit_text[HIT_TEXT];
	bool placing, place_known;
	struct event_rank_known place; /* of the last hit whose place is known */
	struct event_count counted;    /* so far */
	uint64_t bytes;                /* of all chains */
	bool failed;                   /* out of memory: nothing is answered */

	struct question question; /* the screen's own */

	const struct progress *watch; /* the job's own from here on */
	struct event_rank order;
	struct event_scan scan;
	struct event_filter own_filter;
	struct pattern own_pattern;
	struct event_crew *crew;
	struct event_find find;
	struct event_place placed;
	bool by_parts; /* it is counted from the parts of a count that is over */
	struct event_count count;
	int64_t count_ms, find_ms; /* that counting, and this search, took so far */
	bool counts_turn;          /* the last one was counting's */
	uint64_t page;             /* the last that was made */
};

/* --- on the job's thread ------------------------------------------------------------------------------------------- */

static void begin_counting(struct event_job *job)
{
	event_count_begin(&job->count, job->log);
	job->counted = job->count;
	job->count_ms = 0;
	job->counting = job->filtered || job->searching;
	job->stopped = job->placing = job->place_known = false;
}

/* A new filter or search. Called and left with the lock held, as all that follows. */
static void take_over(struct event_job *job)
{
	bool anew = job->new_filter || job->new_pattern || job->new_brief;
	if (job->new_filter) {
		event_filter_free(&job->own_filter);
		job->own_filter = job->filter;
		job->filter = (struct event_filter){0};
		job->filtered = job->own_filter.expr.n > 0;
		job->scan.filter = job->filtered ? &job->own_filter : NULL;
	}
	if (job->new_pattern) {
		pattern_free(&job->own_pattern);
		job->own_pattern = job->pattern;
		job->pattern = (struct pattern){0};
		job->searching = job->own_pattern.len > 0;
		job->scan.pattern = job->searching ? &job->own_pattern : NULL;
	}
	job->new_filter = job->new_pattern = job->new_brief = false;
	job->scan.brief = job->brief;
	if (anew) {
		event_crew_use(job->crew, &job->scan);
		begin_counting(job);
		job_tell(job->watch);
	}
}

/* The text of the event at a place. */
static void read_hit(struct event_job *job, event_rank_key hit, char *out)
{
	struct event_rank_walk w;
	struct event_rank_list stretch = {0};
	struct frame f;
	struct buf text = {0};
	*out = '\0';
	event_rank_walk_begin(&w, &job->order, hit, true);
	bool any = event_rank_walk_next(&w, &stretch);
	for (size_t i = 0; i < stretch.n && any; i++) {
		if (event_rank_item_key(&stretch.items[i]) != hit
			|| !event_rank_read(&job->order, &stretch.items[i], &f))
			continue;
		event_name(&text, job->log, f.tag);
		buf_lit(&text, "  ");
		event_details(&text, job->log, &f);
		break;
	}
	if (!text.failed && text.len)
		snprintf(out, HIT_TEXT, "%.*s", (int)min_u64(text.len, HIT_TEXT - 1), text.p);
	buf_free(&text);
	event_rank_list_free(&stretch);
}

static void begin_placing(struct event_job *job)
{
	job->by_parts = job->count.over;
	event_place_begin(&job->placed, &job->place, job->place_known, job->count.over ? &job->count : NULL, job->log,
		&job->order, job->hit);
	job->placing = true;
}

/* Count how many hits there are up to the last one that was found. */
static void place_more(struct event_job *job)
{
	uint64_t hits = 0;
	int64_t began = clock_ms();
	if (job->count.over && !job->by_parts)
		begin_placing(job); /* there is less to count now */
	pthread_mutex_unlock(&job->lock);
	int result = event_place_more(&job->placed, job->crew, job->watch->cancel, &hits);
	pthread_mutex_lock(&job->lock);
	job->find_ms += clock_ms() - began;
	if (result == 0 || !job->placing)
		return;
	job->placing = false;
	job->place_known = result > 0;
	job->place = (struct event_rank_known){job->placed.hit, hits};
	job_tell(job->watch);
}

static void find_more(struct event_job *job)
{
	char text[HIT_TEXT];
	event_rank_key hit;
	int64_t began = clock_ms();
	job->find_ms = job->find_asked ? 0 : job->find_ms;
	if (job->find_asked)
		event_find_begin(&job->find, job->log, &job->order, job->find_at, job->find_forward);
	job->find_asked = false;
	pthread_mutex_unlock(&job->lock);
	int result =
		event_find_more(&job->find, job->crew, job->count.over ? &job->count : NULL, job->watch->cancel, &hit);
	if (result > 0)
		read_hit(job, hit, text);
	pthread_mutex_lock(&job->lock);
	job->find_ms += clock_ms() - began;
	if (result == 0 || job->find_asked || !job->finding)
		return;
	if (result > 0) {
		job->find_at = job->hit = hit;
		memcpy(job->hit_text, text, sizeof text);
		begin_placing(job);
		job->found = FOUND_HIT;
		job->find_asked = --job->find_times > 0;
	} else if (job->found != FOUND_HIT) { /* else the last one there is */
		job->found = FOUND_NOWHERE;
	}
	job->finding = job->find_asked;
	if (!job->finding)
		job_tell(job->watch);
}

static void count_more(struct event_job *job)
{
	int64_t began = clock_ms();
	pthread_mutex_unlock(&job->lock);
	event_count_more(&job->count, job->crew, job->watch->cancel);
	pthread_mutex_lock(&job->lock);
	job->count_ms += clock_ms() - began;
	job->counted = job->count;
	job->counting = job->counting && !job->count.over;
	if (job->counting)
		progress_tell(job->watch, 0);
	else
		job_tell(job->watch);
}

/* Near matches are found at once. A long search takes turns with counting, which shows its progress; the counts then
 * tell the search which parts to skip. */
static bool is_counts_turn(struct event_job *job)
{
	enum { AT_ONCE_MS = 200 };
	job->counts_turn = job->counting && job->find_ms > AT_ONCE_MS && !job->counts_turn;
	return job->counts_turn;
}

/* Prepare for questions, once the log has been read. False: cancelled, or out of memory. */
static bool begin(struct event_job *job)
{
	enum { LOOK_MS = 10 };
	while (!evl_progress(job->log).done && !progress_cancelled(job->watch))
		sleep_ms(LOOK_MS);
	if (job->crew || job->failed || !evl_progress(job->log).done)
		return job->crew;
	bool ordered = event_rank_init(&job->order, &job->log->blocks, job->log->tiles) == 0;
	job->scan = (struct event_scan){.log = job->log, .order = &job->order};
	job->crew = ordered ? event_crew_new(job->log, &job->order, workers_for(job->log->workers)) : NULL;
	pthread_mutex_lock(&job->lock);
	for (size_t i = 0; job->crew && i < job->log->blocks.n_chains; i++)
		job->bytes += job->log->blocks.chains[i].len;
	job->failed = !job->crew;
	job->finding = job->finding && job->crew;
	pthread_mutex_unlock(&job->lock);
	return job->crew;
}

/* The page comes first, then searching and counting for as long as nothing else is asked. */
static void answer(void *ctx, const void *question, const struct progress *watch, void *page)
{
	struct event_job *job = ctx;
	const struct question *q = question;
	job->watch = watch;
	if (!begin(job))
		return;
	pthread_mutex_lock(&job->lock);
	take_over(job);
	pthread_mutex_unlock(&job->lock);
	if (q->page != job->page) {
		bool made = event_page_page(&job->scan, &q->ask, watch->cancel, page);
		if (progress_cancelled(watch))
			return;
		if (!made)
			((struct event_page *)page)->n = 0;
		job->page = q->page;
		job_publish(watch);
	}
	job_settle(watch);
	pthread_mutex_lock(&job->lock);
	while ((job->finding || job->placing || job->counting) && !progress_cancelled(watch)) {
		if (job->finding && !is_counts_turn(job))
			find_more(job);
		else if (job->placing && !is_counts_turn(job))
			place_more(job);
		else if (job->counting)
			count_more(job);
	}
	pthread_mutex_unlock(&job->lock);
}

static void drop(void *page) { event_page_free(page); }

/* --- on the screen's thread ---------------------------------------------------------------------------------------- */

struct event_job *event_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct question),
		.answer = sizeof(struct event_page),
		.find = answer,
		.parts = true,
		.drop = drop};
	struct event_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->log = log;
	job->brief = job->new_brief = true;
	pthread_mutex_init(&job->lock, NULL);
	if ((job->job = job_new(&ops, job, wake, ctx)))
		return job;
	pthread_mutex_destroy(&job->lock);
	free(job);
	return NULL;
}

void event_job_free(struct event_job *job)
{
	if (!job)
		return;
	job_free(job->job);
	pthread_mutex_destroy(&job->lock);
	event_filter_free(&job->filter);
	pattern_free(&job->pattern);
	event_crew_free(job->crew);
	event_scan_free(&job->scan);
	event_filter_free(&job->own_filter);
	pattern_free(&job->own_pattern);
	event_rank_free(&job->order);
	free(job);
}

/* Interrupt the current task; it continues after the new one. */
static void look_again(struct event_job *job)
{
	job->question.number++;
	job_ask(job->job, &job->question);
}

void event_job_ask(struct event_job *job, const struct event_ask *ask)
{
	job->question.ask = *ask;
	job->question.page++;
	look_again(job);
}

bool event_job_wait(struct event_job *job, int ms) { return job_wait(job->job, ms); }

bool event_job_take(struct event_job *job, struct event_page *page) { return job_take(job->job, page); }

void event_job_filter(struct event_job *job, struct event_filter *filter)
{
	pthread_mutex_lock(&job->lock);
	event_filter_free(&job->filter); /* one that the job has not come to take */
	job->filter = *filter;
	*filter = (struct event_filter){0};
	job->new_filter = true;
	job->filtered = job->filter.expr.n > 0;
	pthread_mutex_unlock(&job->lock);
	job->question.page++;
	look_again(job);
}

void event_job_brief(struct event_job *job, bool brief)
{
	pthread_mutex_lock(&job->lock);
	job->brief = brief;
	job->new_brief = true;
	pthread_mutex_unlock(&job->lock);
	job->question.page++;
	look_again(job);
}

void event_job_search(struct event_job *job, struct pattern *pattern)
{
	pthread_mutex_lock(&job->lock);
	pattern_free(&job->pattern);
	job->pattern = *pattern;
	*pattern = (struct pattern){0};
	job->new_pattern = true;
	job->searching = job->pattern.len > 0;
	job->finding = job->find_asked = job->placing = job->place_known = false;
	job->found = FOUND_NOTHING_NEW;
	pthread_mutex_unlock(&job->lock);
	look_again(job);
}

void event_job_find(struct event_job *job, event_rank_key at, bool forward)
{
	pthread_mutex_lock(&job->lock);
	if (job->finding && job->find_forward == forward) {
		job->find_times++;
	} else {
		job->find_at = job->found == FOUND_HIT ? job->hit : at; /* from a hit that was not reported yet */
		job->find_forward = forward;
		job->find_times = 1;
		job->find_asked = job->finding = !job->failed;
		job->found = FOUND_NOTHING_NEW;
	}
	pthread_mutex_unlock(&job->lock);
	look_again(job);
}

enum event_found event_job_found(struct event_job *job, event_rank_key *hit)
{
	pthread_mutex_lock(&job->lock);
	enum event_found found = job->finding ? FOUND_NOTHING_NEW : job->found;
	job->found = job->finding ? job->found : FOUND_NOTHING_NEW;
	*hit = job->hit;
	pthread_mutex_unlock(&job->lock);
	return found;
}

char *event_job_hit_text(struct event_job *job, char *out, size_t room)
{
	pthread_mutex_lock(&job->lock);
	snprintf(out, room, "%s", job->hit_text);
	pthread_mutex_unlock(&job->lock);
	return out;
}

bool event_job_stop(struct event_job *job)
{
	bool page = job_stop(job->job);
	pthread_mutex_lock(&job->lock);
	bool any = job->finding || job->counting || job->placing;
	job->stopped = job->stopped || job->counting;
	job->finding = job->find_asked = job->counting = job->placing = false;
	pthread_mutex_unlock(&job->lock);
	return any || page;
}

void event_job_state(struct event_job *job, struct event_job_state *out)
{
	pthread_mutex_lock(&job->lock);
	bool fresh = !job->new_filter && !job->new_pattern;
	*out = (struct event_job_state){.finding = job->finding,
		.filtered = job->filtered,
		.searching = job->searching,
		.counting = job->counting || !fresh,
		.stopped = job->stopped};
	if (fresh) {
		out->passed = job->counted.passed;
		out->hits = job->counted.hits;
		out->hit = job->hit;
		out->place = job->place_known && job->place.at == job->hit ? job->place.hits : 0;
		out->share = job->bytes ? (double)min_u64(job->counted.looked, job->bytes) / (double)job->bytes : 1;
		out->rate = job->count_ms > 0 ? job->counted.looked * 1000 / (uint64_t)job->count_ms : 0;
		memcpy(out->ticks, job->counted.ticks, sizeof out->ticks);
	}
	pthread_mutex_unlock(&job->lock);
}

bool event_job_news(struct event_job *job) { return job_news(job->job); }

bool event_job_busy(struct event_job *job)
{
	bool page = job_busy(job->job) || job_has_news(job->job);
	pthread_mutex_lock(&job->lock);
	bool busy = page || job->finding || job->counting || job->placing || job->new_filter || job->new_pattern
		|| job->found != FOUND_NOTHING_NEW;
	busy = busy && !job->failed;
	pthread_mutex_unlock(&job->lock);
	return busy;
}
