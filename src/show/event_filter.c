#include "show/event_filter.h"

#include "format/decode.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALL_TAGS = UINT16_MAX + 1, WORD_ROOM = PATTERN_ROOM + 32 };

/* --- reading a line ------------------------------------------------------------------------------------------------ */

/* The next term of the line into word, its quotes taken off. 0 at the end; EVL_USAGE. */
static int next_word(const char **at, char *word, struct evl_err *err)
{
	size_t n = 0;
	bool quoted = false;
	*at += strspn(*at, " ");
	for (; **at && (quoted || **at != ' '); ++*at) {
		if (**at == '"') {
			quoted = !quoted;
			continue;
		}
		if (n + 1 >= WORD_ROOM)
			return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "a term is too long");
		word[n++] = **at;
	}
	word[n] = 0;
	if (quoted)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "a quote is not closed");
	return n > 0;
}

static bool parse_number(const char **at, uint64_t *out)
{
	enum { DIGITS = 10 };
	size_t n = strspn(*at, "0123456789");
	*out = strtoull(*at, NULL, 10);
	*at += n;
	return n > 0 && n <= DIGITS;
}

static int parse_caps(struct event_term *t, const char *value, struct evl_err *err)
{
	const char *at = value;
	bool good = parse_number(&at, &t->from);
	t->to = t->from;
	if (good && *at == '-') {
		at++;
		good = parse_number(&at, &t->to);
	}
	return good && !*at ? 0
			    : evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "«%s» is no capability: cap:2 or cap:0-3", value);
}

static int parse_thread(struct event_term *t, const char *value, struct evl_err *err)
{
	const char *at = value;
	return parse_number(&at, &t->from) && !*at
		? 0
		: evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "«%s» is no thread: thread:26", value);
}

/* The tags of a term: its names match a glob, or contain a word. */
static int limit_tags(struct event_filter *f, const struct event_term *t, const char *glob, struct evl_err *err)
{
	bool any = false;
	if (!f->tags && !(f->tags = malloc(ALL_TAGS)))
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	if (f->groups == UINT32_MAX)
		memset(f->tags, true, ALL_TAGS);
	f->groups = 0;
	bool numbers = strspn(glob, "0123456789*?") == strlen(glob);
	for (uint32_t tag = 0; tag < ALL_TAGS; tag++) {
		char number[8];
		const char *name = tag <= UINT8_MAX ? schema_name((uint16_t)tag) : NULL;
		if (!name && numbers)
			snprintf(number, sizeof number, "%u", (unsigned)tag);
		bool matches = (name || numbers) && fnmatch(glob, name ? name : number, FNM_CASEFOLD) == 0;
		any = any || (matches && name);
		f->tags[tag] = f->tags[tag] && matches != t->negated;
	}
	return any || *glob != '*' || strlen(glob) < 2
		? 0
		: evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "no event's name contains «%.*s»", (int)strlen(glob) - 2,
			glob + 1);
}

static int parse_moment(struct event_term *t, const char *value, const struct time_expr *when, struct evl_err *err)
{
	return time_expr_parse(when, value, &t->from, err);
}

static int parse_term(struct event_filter *f, const char *word, const struct time_expr *when, struct evl_err *err)
{
	struct event_term *t = &f->terms[f->n];
	char glob[WORD_ROOM + 2];
	t->negated = *word == '!';
	word += t->negated;
	if (strncmp(word, "cap:", 4) == 0) {
		t->kind = TERM_CAP;
		return parse_caps(t, word + 4, err);
	}
	if (strncmp(word, "thread:", 7) == 0) {
		t->kind = TERM_THREAD;
		return parse_thread(t, word + 7, err);
	}
	if (strncmp(word, "text~", 5) == 0) {
		t->kind = TERM_TEXT;
		f->needs_text = true;
		return pattern_init(&t->pattern, (struct evl_str){(const uint8_t *)word + 5, strlen(word + 5)}, err);
	}
	if (strncmp(word, "t>", 2) == 0 || strncmp(word, "t<", 2) == 0) {
		t->kind = word[1] == '>' ? TERM_AFTER : TERM_BEFORE;
		return parse_moment(t, word + 2, when, err);
	}
	t->kind = TERM_TYPE;
	if (strncmp(word, "type:", 5) == 0)
		return limit_tags(f, t, word + 5, err);
	if (!*word || strpbrk(word, ":~<>"))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
			"«%s» is no term: cap:2 type:GC* thread:26 text~sort t>3.2 !SPARK", word);
	snprintf(glob, sizeof glob, "*%s*", word);
	return limit_tags(f, t, glob, err);
}

/* Groups of the types that pass: tiles without them need not be read. */
static void find_groups(struct event_filter *f)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	for (size_t i = 0; i < n; i++)
		f->groups |= f->tags[rows[i].tag] ? 1u << rows[i].group : 0;
	for (uint32_t tag = 0; tag < ALL_TAGS; tag++)
		if (f->tags[tag] && (tag > UINT8_MAX || !schema_name((uint16_t)tag)))
			f->groups = UINT32_MAX;
}

int event_filter_init(struct event_filter *f, const char *text, const struct time_expr *when, struct evl_err *err)
{
	char word[WORD_ROOM];
	int result;
	*f = (struct event_filter){.groups = UINT32_MAX};
	while ((result = next_word(&text, word, err)) > 0) {
		if (f->n == FILTER_MOST_TERMS)
			result = evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "more than %d terms", FILTER_MOST_TERMS);
		else
			result = parse_term(f, word, when, err);
		if (result < 0)
			break;
		f->n++;
	}
	if (result < 0)
		event_filter_free(f);
	else if (f->tags)
		find_groups(f);
	return result;
}

bool event_filter_copy(struct event_filter *out, const struct event_filter *f)
{
	bool good = true;
	*out = (struct event_filter){.groups = f->groups, .needs_text = f->needs_text};
	for (size_t i = 0; i < f->n && good; i++) {
		out->terms[i] = f->terms[i];
		good = f->terms[i].kind != TERM_TEXT || pattern_copy(&out->terms[i].pattern, &f->terms[i].pattern);
		out->n += good;
	}
	if (good && f->tags) {
		out->tags = malloc(ALL_TAGS);
		good = out->tags;
	}
	if (good && f->tags)
		memcpy(out->tags, f->tags, ALL_TAGS);
	if (!good)
		event_filter_free(out);
	return good;
}

void event_filter_free(struct event_filter *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->terms[i].kind == TERM_TEXT)
			pattern_free(&f->terms[i].pattern);
	free(f->tags);
	*f = (struct event_filter){0};
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static bool is_about(const struct event_subject *s, uint64_t thread)
{
	struct evl_value values[EVL_MAX_FIELDS];
	const struct header_type *type = header_find(s->header, s->frame->tag);
	const struct schema *schema = type ? type->schema : NULL;
	int n = schema ? decode(schema, s->frame->payload, values) : 0;
	for (int i = 0; i < n; i++)
		if (schema->fields[i].kind == EVL_K_tid && values[i].u == thread)
			return true;
	return false;
}

static bool holds(const struct event_term *t, const struct event_subject *s)
{
	switch (t->kind) {
	case TERM_CAP: return s->cap != EVL_NO_CAP && s->cap >= t->from && s->cap <= t->to;
	case TERM_THREAD: return is_about(s, t->from);
	case TERM_TEXT: return pattern_in(&t->pattern, s->say(s->ctx));
	case TERM_AFTER: return s->frame->t > t->from;
	case TERM_BEFORE: return s->frame->t < t->from;
	case TERM_TYPE: return !t->negated; /* the table of tags has told */
	}
	return true;
}

bool event_filter_keeps(const struct event_filter *f, const struct event_subject *s)
{
	if (f->tags && !f->tags[s->frame->tag])
		return false;
	for (int text = 0; text <= f->needs_text; text++)
		for (size_t i = 0; i < f->n; i++)
			if ((f->terms[i].kind == TERM_TEXT) == text && holds(&f->terms[i], s) == f->terms[i].negated)
				return false;
	return true;
}
