#include "jobs/rest.h"

#include "sys/clock.h"

void rest_spend(struct rest *r, int64_t cpu_ms, int64_t now_ms)
{
	int64_t from = r->until_ms > now_ms ? r->until_ms : now_ms;
	r->until_ms = cpu_ms < (INT64_MAX - from) / REST_TIMES ? from + REST_TIMES * cpu_ms : INT64_MAX;
}

int64_t rest_left_ms(struct rest *r, int64_t now_ms)
{
	int64_t left = r->grows && r->until_ms > now_ms ? r->until_ms - now_ms : 0;
	r->awaited = r->awaited || left;
	return left;
}

bool resting_renew(struct resting *r, struct rest *rest, struct answer_job *job, struct evl_log *shown, bool other)
{
	const int64_t now = clock_ms();
	const int64_t spent = job_spent_ms(job);
	evl_hold(&r->former, NULL);
	if (rest->grows)
		rest_spend(rest, spent, now);
	if (r->log == shown)
		return false;
	if (r->log && rest->grows && !other && (job_busy(job) || rest_left_ms(rest, now)))
		return false;
	evl_hold(&r->former, r->log);
	evl_hold(&r->log, shown);
	return true;
}

bool resting_stays(const struct resting *r, const struct rest *rest, bool goes_on)
{
	return goes_on && rest->grows && r->log;
}

void resting_drop(struct resting *r, bool goes_on)
{
	evl_hold(&r->former, NULL);
	evl_hold(&r->log, NULL);
	r->follows = false;
	r->answered = goes_on ? r->answered : 0;
}

static uint64_t end_of(const struct evl_log *log)
{
	uint64_t first, last;
	return evl_range(log, &first, &last) ? last + 1 : 0;
}

void resting_answered(struct resting *r) { r->answered = end_of(r->log); }

uint64_t resting_as_of(const struct resting *r, const struct evl_log *shown)
{
	return r->answered < end_of(shown) ? r->answered : 0;
}

bool resting_answers(const struct resting *r, bool follows, uint64_t t1)
{
	return r->log && ((follows && r->follows) || t1 <= end_of(r->log));
}
