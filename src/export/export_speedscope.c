/* export_speedscope.c - export speedscope: the time profile for speedscope.app, a profile per capability on the
 * log's clock.
 *
 * Evented profiles: a frame opens at the first sample that has it and closes where the next sample has it no more,
 * so what is flat in time is one frame. A sample lasts to the next one; behind the last, and where ticks are
 * missing, for one interval: there all frames are closed. */
#include "export/export.h"
#include "prof/prof_window.h"
#include "prof/source_loc.h"

#include "base/json.h"

#include <stdio.h>

struct scope {
	struct export *x;
	struct json json;
	const struct prof_names *names;
	const struct stacks *stacks;
	uint64_t interval;
	uint16_t cap;
	uint64_t at; /* of the last event */
	struct prof_sample last;
	bool any;
	uint32_t open[STACK_DEPTH + 1]; /* nodes whose frames are open, from the outside in; the root is the first */
	uint32_t n_open;
	int result;
};

static void put_str(struct json *j, const char *key, struct evl_str s)
{
	json_key(j, key);
	json_str(j, s);
}

static void put_frame(struct scope *s, struct buf *text, uint32_t name)
{
	struct source_loc place;
	buf_clear(text);
	buf_str(text, prof_module(s->names, name));
	if (text->len)
		buf_char(text, '.');
	buf_str(text, prof_label(s->names, name));
	json_open(&s->json, '{');
	put_str(&s->json, "name", (struct evl_str){(const uint8_t *)text->p, text->len});
	if (source_loc_parse(prof_location(s->names, name), &place)) {
		put_str(&s->json, "file", place.file);
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
	json_key(&s->json, "shared");
	json_open(&s->json, '{');
	json_key(&s->json, "frames");
	json_open(&s->json, '[');
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
	json_key(&s->json, "type");
	json_cstr(&s->json, type);
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
	return min_u64(s->last.t + s->interval, max_u64(s->last.t, s->x->to));
}

static bool take(void *ctx, const struct prof_sample *sample)
{
	struct scope *s = ctx;
	if (sample->cap != s->cap)
		return true;
	if (s->any && sample->tick > s->last.tick + 1)
		close_to(s, 0, min_u64(end_of_last(s), sample->t));
	change_to(s, sample->node, sample->t);
	s->last = *sample;
	s->any = true;
	s->result = export_more(s->x);
	return s->result == 0;
}

static int put_profile(struct scope *s, uint16_t cap, uint64_t from, uint64_t to)
{
	const struct evl_log *log = s->x->log;
	struct prof_each ask = {s->x->from, s->x->to, s->x->cancel, take, s};
	char name[16];
	snprintf(name, sizeof name, "cap %u", cap);
	s->cap = cap;
	s->at = from;
	s->any = false;
	json_open(&s->json, '{');
	json_key(&s->json, "type");
	json_cstr(&s->json, "evented");
	json_key(&s->json, "name");
	json_cstr(&s->json, name);
	json_key(&s->json, "unit");
	json_cstr(&s->json, "nanoseconds");
	json_put_u64(&s->json, "startValue", from);
	json_put_u64(&s->json, "endValue", to);
	json_key(&s->json, "events");
	json_open(&s->json, '[');
	int result = prof_each(evl_profile(log), &log->blocks, &ask);
	close_to(s, 0, s->any ? min_u64(end_of_last(s), to) : from);
	json_close(&s->json, ']');
	json_close(&s->json, '}');
	return s->result < 0 ? s->result : result;
}

/* --- the whole ------------------------------------------------------------------------------------------------------ */

static int put_profiles(struct scope *s)
{
	const struct prof *p = evl_profile(s->x->log);
	uint64_t first, last;
	int result = 0;
	json_key(&s->json, "profiles");
	json_open(&s->json, '[');
	if (evl_range(s->x->log, &first, &last)) {
		uint64_t from = max_u64(first, s->x->from), to = max_u64(from, min_u64(last + s->interval, s->x->to));
		for (unsigned cap = 0; cap < PROF_CAPS && result == 0; cap++)
			if (p->by_cap[cap])
				result = put_profile(s, (uint16_t)cap, from, to);
	}
	json_close(&s->json, ']');
	return result;
}

int export_speedscope(struct export *x)
{
	const struct evl_log *log = x->log;
	struct program_facts facts = program_get(&log->program);
	struct evl_str program = program_program(&facts);
	struct prof_names names;
	const struct prof *p = evl_profile(log);
	struct prof_naming naming = evl_naming(log);
	int result = prof_names_make(&names, p, &naming);
	if (result < 0)
		return result;
	struct scope s = {
		.x = x, .json = {.out = &x->out}, .names = &names, .stacks = &p->stacks, .interval = prof_interval(p)};
	json_open(&s.json, '{');
	json_key(&s.json, "$schema");
	json_cstr(&s.json, "https://www.speedscope.app/file-format-schema.json");
	json_key(&s.json, "exporter");
	json_cstr(&s.json, "evtui");
	put_str(&s.json, "name", program.len ? program : EVL_STR("evtui"));
	result = put_frames(&s);
	result = result ? result : put_profiles(&s);
	json_close(&s.json, '}');
	buf_char(&x->out, '\n');
	prof_names_free(&names);
	return result;
}
