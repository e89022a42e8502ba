/* export_speedscope.c - export speedscope: the time profile for speedscope.app, a profile per capability on the
 * log's clock.
 *
 * Evented profiles: a frame opens at the first sample that has it and closes at the first that does not, so a long call
 * is one frame. A sample lasts to the next one; after the last, and where ticks are missing, for one interval: there
 * all frames are closed.
 *
 * The log is read once for as many capabilities as have samples that fit into 8 MiB and 1/200 of the log; one that has more
 * is read by itself. So it is read at most 800 times, and a log of many capabilities mostly once. */
#include "export/export.h"
#include "prof/prof_window.h"
#include "prof/source_loc.h"

#include "base/json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* A sample that waits for its capability's turn. */
struct waiting {
	uint64_t t;
	uint32_t node;
	bool after_gap; /* ticks are missing before it */
};

/* Capabilities whose samples are read together: those from `first` on, before `end`. */
struct batch {
	unsigned first, end;
	struct waiting *samples; /* by capability; not used for one alone, which is written as it is read */
	struct lot {
		size_t from, at, end; /* its samples so far: [from, at); room for more until end */
		uint64_t tick;        /* of the last */
	} * lots;                     /* by capability - first */
};

struct scope {
	struct export *x;
	struct json json;
	const struct prof_names *names;
	const struct stacks *stacks;
	uint64_t interval;
	uint64_t at;                /* of the last event */
	uint64_t last_t, last_tick; /* of the last sample, if there was any */
	bool any;
	struct batch batch;
	uint32_t open[STACK_DEPTH + 1]; /* nodes whose frames are open, from the outside in; the root is the first */
	uint32_t n_open;
	int result;
};

static void put_frame(struct scope *s, struct buf *text, uint32_t name)
{
	struct source_loc place;
	buf_clear(text);
	prof_full_name(s->names, name, text);
	json_open(&s->json, '{');
	json_put_str(&s->json, "name", (struct evl_str){(const uint8_t *)text->p, text->len});
	if (source_loc_parse(prof_location(s->names, name), &place)) {
		json_put_str(&s->json, "file", place.file);
		if (place.line)
			json_put_u64(&s->json, "line", place.line);
		if (place.col)
			json_put_u64(&s->json, "col", place.col);
	}
	json_close(&s->json, '}');
}

static int put_frames(struct scope *s)
{
	struct buf text = {0};
	int result = 0;
	json_put_open(&s->json, "shared", '{');
	json_put_open(&s->json, "frames", '[');
	for (uint32_t name = 0; name < s->names->n && result == 0; name++) {
		put_frame(s, &text, name);
		result = export_more(s->x);
	}
	json_close(&s->json, ']');
	json_close(&s->json, '}');
	result = text.failed ? EVL_NOMEM : result;
	buf_free(&text);
	return result;
}

/* --- events -------------------------------------------------------------------------------------------------------- */

static void put_event(struct scope *s, const char *type, uint32_t node, uint64_t at)
{
	s->at = max_u64(s->at, at);
	json_open(&s->json, '{');
	json_put_cstr(&s->json, "type", type);
	json_put_u64(&s->json, "frame", s->names->of_node[node]);
	json_put_u64(&s->json, "at", s->at);
	json_close(&s->json, '}');
}

static void close_to(struct scope *s, uint32_t n, uint64_t at)
{
	while (s->n_open > n)
		put_event(s, "C", s->open[--s->n_open], at);
}

/* Close what the stack does not share with what is open, and open the rest of it. */
static void change_to(struct scope *s, uint32_t node, uint64_t at)
{
	uint32_t path[STACK_DEPTH + 1], n = stacks_at(s->stacks, node)->depth + 1, same = 0;
	for (uint32_t i = n; i-- > 0; node = stacks_at(s->stacks, node)->parent)
		path[i] = node;
	assert(n > 0); /* the root is open, too */
	/* cppcheck-suppress uninitvar */
	while (same < n && same < s->n_open && path[same] == s->open[same])
		same++;
	close_to(s, same, at);
	for (; s->n_open < n; s->n_open++) {
		s->open[s->n_open] = path[s->n_open];
		put_event(s, "O", path[s->n_open], at);
	}
}

/* When the last sample is over, if nothing is known to follow it. */
static uint64_t end_of_last(const struct scope *s)
{
	return min_u64(s->last_t + s->interval, max_u64(s->last_t, s->x->to));
}

static bool put_sample(struct scope *s, uint64_t t, uint32_t node, bool after_gap)
{
	if (s->x->no_rts && s->names->items[s->names->of_node[node]].is_rts) {
		close_to(s, 0, after_gap ? min_u64(end_of_last(s), t) : t);
		s->any = false;
		return true;
	}
	if (s->any && after_gap)
		close_to(s, 0, min_u64(end_of_last(s), t));
	change_to(s, node, t);
	s->last_t = t;
	s->any = true;
	s->result = export_more(s->x);
	return s->result == 0;
}

/* --- profiles ------------------------------------------------------------------------------------------------------- */

static void begin_profile(struct scope *s, unsigned cap, uint64_t from, uint64_t to)
{
	char name[16];
	snprintf(name, sizeof name, "cap %u", cap);
	s->at = from;
	s->any = false;
	json_open(&s->json, '{');
	json_put_cstr(&s->json, "type", "evented");
	json_put_cstr(&s->json, "name", name);
	json_put_cstr(&s->json, "unit", "nanoseconds");
	json_put_u64(&s->json, "startValue", from);
	json_put_u64(&s->json, "endValue", to);
	json_put_open(&s->json, "events", '[');
}

static void end_profile(struct scope *s, uint64_t from, uint64_t to)
{
	close_to(s, 0, s->any ? min_u64(end_of_last(s), to) : from);
	json_close(&s->json, ']');
	json_close(&s->json, '}');
}

static bool put_alone(void *ctx, const struct prof_sample *sample)
{
	struct scope *s = ctx;
	if (sample->cap != s->batch.first)
		return true;
	bool after_gap = s->any && sample->tick > s->last_tick + 1;
	s->last_tick = sample->tick;
	return put_sample(s, sample->t, sample->node, after_gap);
}

static bool keep(void *ctx, const struct prof_sample *sample)
{
	struct scope *s = ctx;
	struct batch *b = &s->batch;
	if (sample->cap < b->first || sample->cap >= b->end)
		return true;
	struct lot *lot = &b->lots[sample->cap - b->first];
	bool after_gap = lot->at > lot->from && sample->tick > lot->tick + 1;
	if (lot->at < lot->end) /* more than there were: the file has changed */
		b->samples[lot->at++] = (struct waiting){sample->t, sample->node, after_gap};
	lot->tick = sample->tick;
	return true;
}

static int read_batch(struct scope *s, bool (*take)(void *ctx, const struct prof_sample *sample))
{
	const struct evl_log *log = s->x->log;
	struct prof_each ask = {s->x->from, s->x->to, s->x->cancel, take, s};
	int result = prof_each(evl_profile(log), &log->blocks, &ask);
	return s->result < 0 ? s->result : result;
}

/* Read the samples of the batch, then write each capability's. */
static int put_batch(struct scope *s, const struct prof *p, uint64_t from, uint64_t to)
{
	struct batch *b = &s->batch;
	size_t n = 0;
	for (unsigned cap = b->first; cap < b->end; cap++) {
		b->lots[cap - b->first] = (struct lot){.from = n, .at = n, .end = n + p->by_cap[cap]};
		n += p->by_cap[cap];
	}
	int result = read_batch(s, keep);
	for (unsigned cap = b->first; cap < b->end && result == 0; cap++) {
		const struct lot *lot = &b->lots[cap - b->first];
		if (lot->from == lot->end)
			continue;
		begin_profile(s, cap, from, to);
		for (size_t i = lot->from; i < lot->at && result == 0; i++)
			if (!put_sample(s, b->samples[i].t, b->samples[i].node, b->samples[i].after_gap))
				result = s->result;
		end_profile(s, from, to);
	}
	return result;
}

static int put_one(struct scope *s, uint64_t from, uint64_t to)
{
	begin_profile(s, s->batch.first, from, to);
	int result = read_batch(s, put_alone);
	end_profile(s, from, to);
	return result;
}

/* Take the capabilities that fit; at least one. */
static unsigned end_of_batch(const struct prof *p, unsigned cap, uint64_t most)
{
	uint64_t n = p->by_cap[cap++];
	while (cap < PROF_CAPS && p->by_cap[cap] <= most && n + p->by_cap[cap] <= most)
		n += p->by_cap[cap++];
	return cap;
}

static int put_batches(struct scope *s, const struct prof *p, uint64_t most, uint64_t from, uint64_t to)
{
	struct batch *b = &s->batch;
	int result = 0;
	for (b->end = 0; b->end < PROF_CAPS && result == 0;) {
		b->first = b->end;
		b->end = end_of_batch(p, b->first, most);
		if (b->end - b->first > 1)
			result = put_batch(s, p, from, to);
		else if (p->by_cap[b->first])
			result = put_one(s, from, to);
	}
	return result;
}

static int put_profiles(struct scope *s)
{
	enum { LEAST = (8 << 20) / sizeof(struct waiting), LOG_PART = 200 * sizeof(struct waiting) };
	const struct prof *p = evl_profile(s->x->log);
	uint64_t first, last, most = min_u64(prof_samples(p), LEAST + s->x->log->blocks.len / LOG_PART);
	struct batch *b = &s->batch;
	int result = 0;
	json_put_open(&s->json, "profiles", '[');
	if (evl_range(s->x->log, &first, &last)) {
		uint64_t from = max_u64(first, s->x->from), to = max_u64(from, min_u64(last + s->interval, s->x->to));
		b->samples = malloc((most + 1) * sizeof *b->samples);
		b->lots = malloc(PROF_CAPS * sizeof *b->lots);
		result = b->samples && b->lots ? put_batches(s, p, most, from, to) : EVL_NOMEM;
		free_all(b->samples, b->lots);
	}
	json_close(&s->json, ']');
	return result;
}

/* --- the whole ------------------------------------------------------------------------------------------------------ */

int export_speedscope(struct export *x)
{
	const struct evl_log *log = x->log;
	struct program_facts facts = program_get(&log->program);
	struct evl_str program = program_program(&facts);
	struct prof_names names;
	const struct prof *p = evl_profile(log);
	struct prof_naming naming = evl_naming(log);
	if (prof_samples(p) == 0)
		return export_no_samples(x, p);
	int result = prof_names_make(&names, p, &naming);
	if (result < 0)
		return result;
	struct scope s = {
		.x = x, .json = {.out = &x->out}, .names = &names, .stacks = &p->stacks, .interval = prof_interval(p)};
	json_open(&s.json, '{');
	json_put_cstr(&s.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_put_cstr(&s.json, "exporter", "evtui");
	json_put_str(&s.json, "name", program.len ? program : EVL_STR("evtui"));
	result = put_frames(&s);
	result = result ? result : put_profiles(&s);
	json_close(&s.json, '}');
	buf_char(&x->out, '\n');
	prof_names_free(&names);
	return result;
}
