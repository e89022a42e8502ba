#include "show/event_filter.h"

#include "format/decode.h"
#include "log/log.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALL_TAGS = UINT16_MAX + 1 };

/* --- fields -------------------------------------------------------------------------------------------------------- */

/* The types that occur in the log; without one, or while it is being read, all. */
static void event_names(const void *ctx, struct filter_offers *offers)
{
	size_t n;
	const struct evl_log *log = ctx;
	const struct schema *rows = schema_rows(&n);
	const struct event_counts_counts *tags = log && evl_progress(log).done ? &log->event_counts.tags : NULL;
	for (size_t i = 0; i < n; i++)
		if (!rows[i].until && (!tags || (rows[i].tag < tags->end && tags->n[rows[i].tag])))
			filter_offer(offers, rows[i].name);
}

enum { CAP, TYPE, THREAD, TEXT, TIME, FIELDS };

static const struct filter_field fields[FIELDS] = {
	[CAP] = {"cap", "cap:2 or cap:0-3", FILTER_NUMBER, .unit = UNIT_COUNT},
	[TYPE] = {"type", "type:GC_*", FILTER_TEXT, .values = event_names},
	[THREAD] = {"thread", "thread:26", FILTER_NUMBER, .unit = UNIT_COUNT},
	[TEXT] = {"text", "text~sort", .kind = FILTER_TEXT},
	[TIME] = {"t", "t>3.2s or t<50%", FILTER_MOMENT, .unit = UNIT_MOMENT}};

const struct filter_fields event_filter_fields = {fields, FIELDS, .open = false};

static bool is_of_type(const struct filter_term *t) { return t->field == TYPE || t->field < 0; }

/* --- which types ---------------------------------------------------------------------------------------------------- */

/* Properties of an event that follow from its tag alone. A word that is not in the name may be in the text. */
static enum filter_answer tag_holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	const uint16_t *held = ctx;
	if (!is_of_type(t))
		return FILTER_MAYBE;
	return *held >> (t - f->terms) & 1 ? FILTER_YES : t->field < 0 ? FILTER_MAYBE : FILTER_NO;
}

static uint16_t terms_of(const struct filter *f, const char *name)
{
	uint16_t held = 0;
	for (size_t i = 0; i < f->n; i++)
		if (is_of_type(&f->terms[i]) && !f->terms[i].bad && filter_text(f, &f->terms[i], str_of(name)))
			held |= (uint16_t)(1u << i);
	return held;
}

/* A type that none is like is a slip. */
static int check_types(const struct filter *f, uint16_t some, uint16_t all, struct evl_err *err)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct filter_term *t = &f->terms[i];
		const char *value = f->text + t->at;
		bool contains = t->op == FILTER_HOLDS;
		if (t->field != TYPE || (t->op == FILTER_IS_NOT ? !(all >> i & 1) : some >> i & 1))
			continue;
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
			contains ? "column %u: no event's name contains \"%.60s\""
				 : "column %u: no event is named \"%.60s\" (use type:GC_* or Tab for a list)",
			t->column, value);
	}
	return 0;
}

static int find_tags(struct event_filter *f, struct evl_err *err)
{
	uint16_t some = 0, all = UINT16_MAX;
	f->tags = malloc(ALL_TAGS * sizeof *f->tags);
	f->holds = malloc(ALL_TAGS * sizeof *f->holds);
	f->groups = 0;
	if (!f->tags || !f->holds)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	for (uint32_t tag = 0; tag < ALL_TAGS; tag++) {
		char number[8];
		const char *name = tag <= UINT8_MAX ? schema_name((uint16_t)tag) : NULL;
		snprintf(number, sizeof number, "%u", (unsigned)tag);
		f->holds[tag] = terms_of(&f->expr, name ? name : number);
		some |= f->holds[tag];
		all &= f->holds[tag];
		f->tags[tag] = filter_ask(&f->expr, tag_holds, &f->holds[tag]) != FILTER_NO;
		if (f->tags[tag] && !name)
			f->groups = UINT32_MAX;
	}
	return check_types(&f->expr, some, all, err);
}

/* Groups of the types that pass: tiles without them need not be read. */
static void find_groups(struct event_filter *f)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	for (size_t i = 0; i < n; i++)
		f->groups |= f->tags[rows[i].tag] ? 1u << rows[i].group : 0;
}

int event_filter_init(struct event_filter *f, const char *text, const struct time_expr *when, struct evl_err *err)
{
	struct filter_fields with = event_filter_fields;
	bool types = false;
	with.when = when;
	*f = (struct event_filter){.groups = UINT32_MAX};
	int result = filter_parse(&f->expr, &with, text, err);
	for (size_t i = 0; i < f->expr.n; i++) {
		f->needs_text |= f->expr.terms[i].field == TEXT || f->expr.terms[i].field < 0;
		types |= is_of_type(&f->expr.terms[i]);
	}
	if (result == 0 && types)
		result = find_tags(f, err);
	if (result < 0)
		event_filter_free(f);
	else if (types)
		find_groups(f);
	return result;
}

bool event_filter_copy(struct event_filter *out, const struct event_filter *f)
{
	*out = (struct event_filter){.groups = f->groups, .needs_text = f->needs_text};
	bool good = filter_copy(&out->expr, &f->expr);
	if (good && f->tags) {
		out->tags = malloc(ALL_TAGS * sizeof *f->tags);
		out->holds = malloc(ALL_TAGS * sizeof *f->holds);
		good = out->tags && out->holds;
	}
	if (good && f->tags) {
		memcpy(out->tags, f->tags, ALL_TAGS * sizeof *f->tags);
		memcpy(out->holds, f->holds, ALL_TAGS * sizeof *f->holds);
	}
	if (!good)
		event_filter_free(out);
	return good;
}

void event_filter_free(struct event_filter *f)
{
	filter_free(&f->expr);
	free_all(f->tags, f->holds);
	*f = (struct event_filter){0};
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

/* A message or marker of the program? */
static bool is_said(uint16_t tag)
{
	return tag == EVL_USER_MSG || tag == EVL_USER_MARKER || tag == EVL_USER_BINARY_MSG || tag == EVL_LOG_MSG;
}

static bool is_about(const struct event_subject *s, const struct filter_term *t)
{
	if (s->runner && is_said(s->frame->tag)) {
		uint32_t thread = s->runner(s->ctx);
		return thread && filter_number(t, thread);
	}
	struct evl_value values[EVL_MAX_FIELDS];
	const struct header_type *type = header_find(s->header, s->frame->tag);
	const struct schema *schema = type ? type->schema : NULL;
	int n = schema ? decode(schema, s->frame->payload, values) : 0;
	for (int i = 0; i < n; i++)
		if (schema->fields[i].kind == EVL_K_tid && filter_number(t, (double)values[i].u))
			return true;
	return false;
}

struct asked {
	const struct event_filter *filter;
	const struct event_subject *of;
	bool with_text;
};

static bool named(const struct asked *a, const struct filter_term *t)
{
	return a->filter->holds[a->of->frame->tag] >> (t - a->filter->expr.terms) & 1;
}

static enum filter_answer holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	const struct asked *a = ctx;
	const struct event_subject *s = a->of;
	bool held = false;
	switch (t->field) {
	case CAP: held = s->cap != EVL_NO_CAP && filter_number(t, s->cap); break;
	case THREAD: held = is_about(s, t); break;
	case TIME: held = filter_moment(t, s->frame->t); break;
	case TYPE: held = named(a, t); break;
	default: /* TEXT, or a word */
		held = t->field < 0 && named(a, t);
		if (!held && !a->with_text)
			return FILTER_MAYBE;
		held = held || filter_text(f, t, s->say(s->ctx));
	}
	return held ? FILTER_YES : FILTER_NO;
}

bool event_filter_keeps(const struct event_filter *f, const struct event_subject *s)
{
	struct asked asked = {f, s, false};
	if (f->tags && !f->tags[s->frame->tag])
		return false;
	enum filter_answer answer = filter_ask(&f->expr, holds, &asked);
	asked.with_text = answer == FILTER_MAYBE;
	return (asked.with_text ? filter_ask(&f->expr, holds, &asked) : answer) == FILTER_YES;
}
