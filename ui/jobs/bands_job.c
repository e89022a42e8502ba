#include "jobs/bands_job.h"

#include "base/utf8.h"
#include "query/census_label.h"

#include <stdlib.h>

enum { OTHERS = CENSUS_SLOTS - 1 };

struct bands_job {
	const struct evl_log *log;
	struct census_survey survey;
	atomic_bool surveyed; /* is_outdated looks at it, too */
	bool by_index;
	uint8_t profile;
	struct census_slots slots;
	char labels[OTHERS][BANDS_LABEL];
};

/* The bands with the highest peaks of the run, largest first. */
static void choose(struct bands_job *b)
{
	const struct bands *bands = &b->survey.bands;
	struct census_slots *slots = &b->slots;
	for (uint32_t i = 0; i < bands_count(bands); i++) {
		uint64_t peak = bands_at(bands, i)->peak;
		int at = slots->n < OTHERS ? slots->n++ : OTHERS;
		for (; at > 0 && peak > bands_at(bands, slots->bands[at - 1])->peak; at--)
			if (at < OTHERS)
				slots->bands[at] = slots->bands[at - 1];
		if (at < OTHERS)
			slots->bands[at] = i;
	}
}

static int name(struct bands_job *b)
{
	const struct prof_naming names = evl_naming(b->log);
	struct buf text = {0};
	for (int i = 0; i < b->slots.n; i++) {
		buf_clear(&text);
		census_label(&names, bands_at(&b->survey.bands, b->slots.bands[i]), &text);
		size_t n = utf8_cut(buf_since(&text, 0), BANDS_LABEL - 1).len;
		memset(b->labels[i], 0, sizeof b->labels[i]);
		if (n)
			memcpy(b->labels[i], text.p, n);
	}
	int result = text.failed ? EVL_NOMEM : 0;
	buf_free(&text);
	return result;
}

static int survey(struct bands_job *b, const struct census_run *run)
{
	int result = census_survey_named(&b->survey, b->log, run);
	if (result < 0)
		return result;
	b->slots = (struct census_slots){.n = 0};
	b->by_index = census_kind_of(b->log, run->profile).by_index;
	choose(b);
	result = name(b);
	b->surveyed = result == 0;
	if (result < 0)
		census_survey_free(&b->survey);
	return result;
}

static int draw(struct bands_job *b, const struct bands_ask *q, const struct census_run *run, struct bands_picture *out)
{
	uint64_t first, last;
	size_t room = (size_t)q->cols + 2, *which = calloc(room, sizeof *which);
	out->knots = calloc(room, sizeof *out->knots);
	int result = which && out->knots ? 0 : EVL_NOMEM;
	if (result == 0 && evl_range(b->log, &first, &last) && !b->by_index) {
		const struct census_axis axis = {run->census, b->survey.samples, b->survey.n, first, last, false};
		out->n_knots = census_knots(&b->survey, &axis, q->t0, q->t1, (int)q->cols, out->knots, which);
		result = census_knots_fill(out->knots, which, out->n_knots, &b->slots, &b->survey, run);
	}
	free(which);
	return result;
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct bands_job *b = ctx;
	const struct bands_ask *q = question;
	struct bands_picture *out = answer;
	const struct evl_log *log = b->log;
	unsigned profile = census_profile_from(&log->census, &log->blocks, 0);
	const struct census_run run = census_run_of(log, profile, watch->cancel);
	if (profile == CENSUS_PROFILES || (!b->surveyed && survey(b, &run) < 0) || draw(b, q, &run, out) < 0) {
		out->n_knots = 0;
		out->failed = true;
	}
	out->of = *q;
	if (out->failed)
		return;
	out->n = b->slots.n;
	out->largest = b->survey.largest;
	memcpy(out->labels, b->labels, sizeof out->labels);
}

static void drop(void *answer)
{
	struct bands_picture *p = answer;
	free(p->knots);
}

/* The survey serves any window. */
static bool is_outdated(void *ctx, UNUSED const void *was, UNUSED const void *now)
{
	return ((const struct bands_job *)ctx)->surveyed;
}

static void close_job(void *ctx)
{
	struct bands_job *b = ctx;
	if (b->surveyed)
		census_survey_free(&b->survey);
	free(b);
}

struct answer_job *bands_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct bands_ask),
		.answer = sizeof(struct bands_picture),
		.find = find,
		.is_outdated = is_outdated,
		.drop = drop,
		.close = close_job};
	struct bands_job *b = calloc(1, sizeof *b);
	if (b)
		b->log = log;
	return job_new(&ops, b, wake, wake_ctx);
}
