#include "base/filter.h"

#include "base/order.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 16 };

/* --- reading a line ------------------------------------------------------------------------------------------------ */

struct filter_offers {
	const char *typed;
	size_t len, n, common;
	char first[128], *say;
	bool full; /* there are more than `say` has room for */
};

struct reader {
	struct filter *f;
	const struct filter_fields *fields;
	const char *line, *p;
	int depth;
	struct evl_err *err;
	int result; /* the first that went wrong */
};

static int bad(struct reader *r, const char *at, const char *what, struct evl_str word)
{
	if (r->result == 0)
		r->result = evl_fail(r->err, EVL_USAGE, EVL_NO_OFFSET, "column %zu: %s%s%.*s%s",
			(size_t)(at - r->line) + 1, what, word.len ? " \"" : "", (int)min_u64(word.len, 60),
			(const char *)word.p, word.len ? "\"" : "");
	return r->result;
}

/* The same with what is allowed: `invalid state "foo" (use running, runnable, …)`. */
static int invalid(struct reader *r, const char *at, const char *what, struct evl_str word, const char *use)
{
	if (r->result == 0)
		r->result = evl_fail(r->err, EVL_USAGE, EVL_NO_OFFSET, "column %zu: invalid %s \"%.*s\" (use %s)",
			(size_t)(at - r->line) + 1, what, (int)min_u64(word.len, 30), (const char *)word.p, use);
	return r->result;
}

static void blanks(struct reader *r) { r->p += strspn(r->p, " \t"); }

static uint8_t node(struct reader *r, struct filter_node n)
{
	assert(r->f->n_nodes < FILTER_NODES); /* see is_full */
	r->f->nodes[r->f->n_nodes] = n;
	return r->f->n_nodes++;
}

static const struct {
	const char *sign;
	enum filter_op op;
} signs[] = {{"!=", FILTER_IS_NOT}, {"<=", FILTER_LE}, {">=", FILTER_GE}, {"==", FILTER_IS}, {"=", FILTER_IS},
	{":", FILTER_IS}, {"<", FILTER_LT}, {">", FILTER_GT}, {"~", FILTER_HOLDS}};

/* The operator at p, and how long it is; 0: none. */
static size_t sign_at(const char *p, enum filter_op *op)
{
	for (size_t i = 0; i < countof(signs); i++)
		if (strncmp(p, signs[i].sign, strlen(signs[i].sign)) == 0) {
			*op = signs[i].op;
			return strlen(signs[i].sign);
		}
	return 0;
}

static size_t name_len(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
}

/* By its name, or its name in JSON, CSV and SQL: with the suffix of its unit. */
static int field_named(const struct filter_fields *fields, const char *name, size_t len)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct filter_field *f = &fields->items[i];
		size_t own = strlen(f->name);
		const char *suffix = f->kind == FILTER_NUMBER ? unit_suffix(f->unit) : "";
		if (len < own || memcmp(f->name, name, own) != 0)
			continue;
		if (len == own || (len == own + strlen(suffix) && memcmp(name + own, suffix, len - own) == 0))
			return (int)i;
	}
	return -1;
}

/* The rest of the word, without its quotes (but two of them within quotes are one), up to a blank, or to a parenthesis that closes one before the word. */
static void read_value(struct reader *r, struct filter_term *t)
{
	struct filter *f = r->f;
	const char *begin = r->p;
	bool quoted = false;
	int open = 0;
	t->at = (uint16_t)f->len;
	for (; *r->p && (quoted || !strchr(" \t", *r->p)); r->p++) {
		open += !quoted && *r->p == '(';
		if (!quoted && *r->p == ')' && open-- == 0 && r->depth)
			break;
		if (*r->p == '"' && !(quoted && r->p[1] == '"' && *++r->p))
			quoted = !quoted;
		else if (f->len < FILTER_ROOM - 1)
			f->text[f->len++] = *r->p;
	}
	t->len = (uint16_t)(f->len - t->at);
	if (f->len == FILTER_ROOM - 1)
		bad(r, begin, "the filter is too long", (struct evl_str){0});
	else
		f->text[f->len++] = '\0';
	if (quoted)
		bad(r, begin, "a quote is not closed", (struct evl_str){0});
}

static struct evl_str value_of(const struct filter *f, const struct filter_term *t)
{
	return (struct evl_str){(const uint8_t *)f->text + t->at, t->len};
}

static bool parse_one(
	struct reader *r, const struct filter_field *field, struct filter_term *t, struct evl_str text, bool to)
{
	double *number = to ? &t->to : &t->from;
	char copy[64];
	if (text.len == 0 || text.len >= sizeof copy)
		return false;
	memcpy(copy, text.p, text.len);
	copy[text.len] = '\0';
	if (field->kind == FILTER_MOMENT)
		return r->fields->when && time_expr_parse(r->fields->when, copy, to ? &t->to_t : &t->from_t, NULL) == 0;
	t->share = field->shares && copy[text.len - 1] == '%';
	return unit_parse(t->share ? UNIT_SHARE : field->unit, text, number, NULL) == 0
		&& (field->unit != UNIT_COUNT || (*number >= 0 && *number == floor(*number)));
}

/* One value, or a range of them. */
static bool parse_range(struct reader *r, const struct filter_field *field, struct filter_term *t)
{
	struct evl_str all = value_of(r->f, t);
	if (parse_one(r, field, t, all, false)) {
		t->to = t->from;
		t->to_t = t->from_t;
		return true;
	}
	for (size_t i = 1; i < all.len && t->op <= FILTER_IS_NOT; i++)
		if (all.p[i] == '-')
			return parse_one(r, field, t, (struct evl_str){all.p, i}, false)
				&& parse_one(r, field, t, (struct evl_str){all.p + i + 1, all.len - i - 1}, true)
				&& (field->kind == FILTER_MOMENT ? t->from_t <= t->to_t : t->from <= t->to);
	return false;
}

/* The words that a choice can be, comma-separated; 0: none begins as the text does. */
static size_t choices(struct reader *r, const struct filter_field *field, const char *typed, char say[FILTER_SAY])
{
	struct filter_offers o = {.typed = typed, .len = strlen(typed), .say = say};
	*say = '\0';
	field->values(r->fields->ctx, &o);
	for (char *gap = say; (gap = strstr(gap, "  ")); gap += 2)
		gap[0] = ',';
	return o.n;
}

static int parse_value(struct reader *r, const char *at, struct filter_term *t)
{
	const struct filter_field *field = t->field < 0 ? NULL : &r->fields->items[t->field];
	struct evl_str text = value_of(r->f, t);
	char say[FILTER_SAY];
	bool numeric = field && field->kind <= FILTER_MOMENT;
	if (text.len == 0)
		return bad(r, at, "nothing follows", (struct evl_str){(const uint8_t *)at, (size_t)(r->p - at)});
	if (!field || (!numeric && t->op == FILTER_HOLDS)) {
		struct evl_err why = {0};
		if (!(t->pattern = calloc(1, sizeof *t->pattern)))
			return r->result = evl_fail(r->err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
		return pattern_init(t->pattern, text, &why) == 0 ? 0 : bad(r, at, why.text, (struct evl_str){0});
	}
	bool good = numeric ? t->op != FILTER_HOLDS && parse_range(r, field, t) : t->op <= FILTER_IS_NOT;
	if (!good)
		return invalid(r, at, field->name, text, field->example);
	if (field->kind == FILTER_CHOICE && field->values && choices(r, field, (const char *)text.p, say) == 0) {
		choices(r, field, "", say);
		return invalid(r, at, field->name, text, say);
	}
	return 0;
}

static void no_such_field(struct reader *r, const char *at, size_t len)
{
	char say[FILTER_SAY] = "";
	for (size_t i = 0, used = 0; i < r->fields->n && used < sizeof say; i++)
		used += (size_t)snprintf(
			say + used, sizeof say - used, "%s%s", i ? ", " : "", r->fields->items[i].name);
	invalid(r, at, "field", (struct evl_str){(const uint8_t *)at, len}, say);
}

/* FIELD OP VALUE, or a word; "cap 0-3" is an old spelling of cap:0-3. */
static uint8_t read_term(struct reader *r)
{
	const char *at = r->p;
	size_t len = name_len(at), sign;
	struct filter_term *t = &r->f->terms[r->f->n];
	*t = (struct filter_term){.field = field_named(r->fields, at, len),
		.op = FILTER_HOLDS,
		.column = (uint16_t)min_u64((uint64_t)(at - r->line) + 1, UINT16_MAX)};
	if ((sign = sign_at(at + len, &t->op)) == 0) {
		const char *next = at + len + strspn(at + len, " ");
		bool old = t->field >= 0 && r->fields->items[t->field].kind == FILTER_NUMBER && next > at + len
			&& is_digit(*next);
		t->op = old ? FILTER_IS : FILTER_HOLDS;
		sign = old ? (size_t)(next - at) - len : 0;
		t->field = old ? t->field : -1;
	}
	if (t->field >= 0)
		r->p += len + sign;
	else if (sign && len && (!r->fields->open || at[len] != ':'))
		no_such_field(r, at, len);
	t->exact = t->field >= 0 && sign == 2 && strncmp(at + len, "==", 2) == 0;
	int before = r->result;
	read_value(r, t);
	if (r->result == before)
		parse_value(r, at, t);
	t->bad = r->result != 0; /* the first that is wrong, and all after it */
	return node(r, (struct filter_node){.kind = FILTER_TERM, .a = (uint8_t)r->f->n++});
}

static bool is_or(const struct reader *r)
{
	return strncmp(r->p, "or", 2) == 0 && (!r->p[2] || strchr(" \t(", r->p[2]));
}

static bool read_either(struct reader *r, uint8_t *out);

/* A term is a node, and so may be its negation and what joins it to the ones before; the same goes for each parenthesis
 * around it. */
static bool is_full(const struct reader *r)
{
	return r->f->n == FILTER_TERMS || r->depth == DEEPEST || r->f->n_nodes + 3 * (r->depth + 1) >= FILTER_NODES;
}

/* Return false if nothing is there. */
static bool read_not(struct reader *r, uint8_t *out)
{
	const char *at = r->p;
	bool negated = *r->p == '!';
	r->p += negated;
	bool nested = *r->p == '(';
	if (negated && (!*r->p || strchr(" \t)!", *r->p)))
		bad(r, at, "nothing follows", EVL_STR("!"));
	if (is_full(r))
		bad(r, at, "too many terms", (struct evl_str){0});
	if (r->result || !*r->p)
		return false;
	if (nested) {
		r->p++;
		r->depth++;
		if (!read_either(r, out)) {
			bad(r, at, "empty parentheses", (struct evl_str){0});
			return false;
		}
		r->depth--;
		if (*r->p == ')')
			r->p++;
		else
			bad(r, at, "a parenthesis is not closed", (struct evl_str){0});
	} else {
		*out = read_term(r);
	}
	if (negated)
		*out = node(r, (struct filter_node){.kind = FILTER_NOT, .a = *out});
	return true;
}

static bool read_both(struct reader *r, uint8_t *out)
{
	bool any = false;
	for (blanks(r); *r->p && !(r->depth && *r->p == ')') && !is_or(r); blanks(r)) {
		uint8_t next;
		if (!read_not(r, &next))
			break;
		*out = any ? node(r, (struct filter_node){.kind = FILTER_AND, .a = *out, .b = next}) : next;
		any = true;
	}
	return any;
}

static bool read_either(struct reader *r, uint8_t *out)
{
	bool any = read_both(r, out);
	while (is_or(r) && r->result == 0) {
		const char *at = r->p;
		uint8_t next;
		r->p += 2;
		if (!any || !read_both(r, &next)) {
			bad(r, at, "nothing on one side of", EVL_STR("or"));
			return any;
		}
		*out = node(r, (struct filter_node){.kind = FILTER_OR, .a = *out, .b = next});
	}
	return any;
}

int filter_parse(struct filter *f, const struct filter_fields *fields, const char *text, struct evl_err *err)
{
	struct reader r = {.f = f, .fields = fields, .line = text, .p = text, .err = err};
	*f = (struct filter){0};
	read_either(&r, &f->root);
	return r.result;
}

void filter_free(struct filter *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->terms[i].pattern)
			pattern_free(f->terms[i].pattern);
		free(f->terms[i].pattern);
	}
	*f = (struct filter){0};
}

bool filter_copy(struct filter *out, const struct filter *f)
{
	bool good = true;
	*out = *f;
	for (size_t i = 0; i < f->n; i++)
		out->terms[i].pattern = NULL;
	for (size_t i = 0; i < f->n && good; i++) {
		struct pattern *copy = f->terms[i].pattern ? calloc(1, sizeof *copy) : NULL;
		good = !f->terms[i].pattern || (copy && pattern_copy(copy, f->terms[i].pattern));
		out->terms[i].pattern = copy;
	}
	if (!good)
		filter_free(out);
	return good;
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static enum filter_answer ask(const struct filter *f, uint8_t at, filter_holds *holds, void *ctx)
{
	const struct filter_node *n = &f->nodes[at];
	enum filter_answer stop = n->kind == FILTER_OR ? FILTER_YES : FILTER_NO, a, b;
	if (n->kind == FILTER_TERM)
		return f->terms[n->a].bad ? FILTER_MAYBE : holds(ctx, f, &f->terms[n->a]);
	assert(n->a < at && n->b < at); /* parts come before the whole */
	a = ask(f, n->a, holds, ctx);
	if (n->kind == FILTER_NOT)
		return (enum filter_answer)(FILTER_YES - a);
	if (a == stop)
		return a;
	b = ask(f, n->b, holds, ctx);
	return b == stop || a == FILTER_YES || a == FILTER_NO ? b : a;
}

enum filter_answer filter_ask(const struct filter *f, filter_holds *holds, void *ctx)
{
	return f->n ? ask(f, f->root, holds, ctx) : FILTER_YES;
}

bool filter_number(const struct filter_term *t, double value)
{
	switch (t->op) {
	case FILTER_LT: return value < t->from;
	case FILTER_LE: return value <= t->from;
	case FILTER_GT: return value > t->from;
	case FILTER_GE: return value >= t->from;
	default: return (value >= t->from && value <= t->to) == (t->op == FILTER_IS);
	}
}

bool filter_moment(const struct filter_term *t, uint64_t value)
{
	switch (t->op) {
	case FILTER_LT: return value < t->from_t;
	case FILTER_LE: return value <= t->from_t;
	case FILTER_GT: return value > t->from_t;
	case FILTER_GE: return value >= t->from_t;
	default: return (value >= t->from_t && value <= t->to_t) == (t->op == FILTER_IS);
	}
}

/* Only the last * is tried again: at most as many steps as the one length times the other. A # takes all digits that
 * follow one another. */
static bool is_like(struct evl_str glob, struct evl_str text)
{
	size_t g = 0, i = 0, star = SIZE_MAX, from = 0;
	while (i < text.len) {
		if (g < glob.len && glob.p[g] == '*') {
			star = g++;
			from = i;
		} else if (g < glob.len && glob.p[g] == '#' && is_digit(text.p[i])) {
			for (g++; i < text.len && is_digit(text.p[i]);)
				i++;
		} else if (g < glob.len && (glob.p[g] == '?' || lower_case(glob.p[g]) == lower_case(text.p[i]))) {
			g++;
			i++;
		} else if (star != SIZE_MAX) {
			g = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (g < glob.len && glob.p[g] == '*')
		g++;
	return g == glob.len;
}

bool filter_text(const struct filter *f, const struct filter_term *t, struct evl_str value)
{
	uint8_t copy[FILTER_TEXT_MOST + 1];
	if (!t->pattern) {
		bool is = t->exact ? str_order(value_of(f, t), value) == 0 : is_like(value_of(f, t), value);
		return is == (t->op == FILTER_IS);
	}
	if (t->pattern->regex && value.len <= FILTER_TEXT_MOST) { /* some regexec need a NUL after it */
		if (value.len)
			memcpy(copy, value.p, value.len);
		copy[value.len] = 0;
		value.p = copy;
	}
	return pattern_in(t->pattern, value);
}

/* Is it of a text that has to be whole, as in text:tick? */
static bool is_of_whole(const struct filter *f, const struct filter_fields *fields, const struct filter_term *t)
{
	return t->field >= 0 && fields->items[t->field].kind == FILTER_TEXT && t->op == FILTER_IS && !t->exact
		&& !strpbrk(f->text + t->at, "*?#\"");
}

const char *filter_none(const struct filter_fields *fields, const char *text, const char *noun, char *out)
{
	struct filter f;
	struct evl_err err;
	struct filter_fields strict = *fields; /* a label may have such a sign in it, but none has */
	strict.open = false;
	bool good = filter_parse(&f, &strict, text, &err) == 0, wrong = fields->open && !good;
	int len = wrong ? snprintf(out, FILTER_SAY, "no %s matches: %s", noun, err.text)
			: snprintf(out, FILTER_SAY, "no %s matches the filter", noun);
	for (size_t i = 0; good && i < f.n; i++) {
		const struct filter_term *t = &f.terms[i];
		const char *quote = strchr(f.text + t->at, ' ') ? "\"" : "";
		if (!is_of_whole(&f, fields, t))
			continue;
		snprintf(out + len, (size_t)(FILTER_SAY - len), " (%s~%s%.*s%s matches a part of the text)",
			fields->items[t->field].name, quote, FILTER_SAY / 2, f.text + t->at, quote);
		good = false;
	}
	filter_free(&f);
	return out;
}

bool filter_choice(const struct filter *f, const struct filter_term *t, const char *value)
{
	if (t->pattern)
		return filter_text(f, t, str_of(value));
	size_t i = 0;
	while (i < t->len && lower_case(value[i]) == lower_case(f->text[t->at + i]))
		i++;
	return i == t->len;
}

/* --- completion ---------------------------------------------------------------------------------------------------- */

/* Append a word to the hint; "…" after the last that there is room for. */
static void say_word(struct filter_offers *o, const char *word, size_t len)
{
	static const char more[] = "  …";
	size_t said = strlen(o->say), gap = said ? 2 : 0;
	bool fits = said + gap + len + sizeof more <= FILTER_SAY;
	if (!o->full)
		snprintf(o->say + said, FILTER_SAY - said, "%s%.*s", fits && !gap ? "" : "  ",
			(int)(fits ? len : sizeof more), fits ? word : more + 2);
	o->full = o->full || !fits;
}

void filter_offer(struct filter_offers *o, const char *word)
{
	size_t i = 0;
	while (i < o->len && word[i] && lower_case(word[i]) == lower_case(o->typed[i]))
		i++;
	if (i < o->len || strlen(word) >= sizeof o->first || (o->n && strcmp(o->first, word) == 0))
		return;
	if (o->n++ == 0) {
		snprintf(o->first, sizeof o->first, "%s", word);
		o->common = strlen(word);
	}
	while (strncmp(o->first, word, o->common) != 0)
		o->common--;
	say_word(o, word, strlen(word));
}

/* Offer the start of a filter: an example of each field, words with a meaning, and how to combine them. */
static void say_examples(const struct filter_fields *fields, struct filter_offers *o)
{
	for (size_t i = 0; i < fields->n; i++) {
		const char *example = fields->items[i].example, *other = strstr(example, " or ");
		bool said = false; /* for another name of the field */
		for (size_t k = 0; k < i && !said; k++)
			said = strcmp(fields->items[k].example, example) == 0;
		if (!said)
			say_word(o, example, other ? (size_t)(other - example) : strlen(example));
	}
	for (const char *const *word = fields->words; word && *word; word++)
		say_word(o, *word, strlen(*word));
	static const char combined[] = "!x  x or y";
	say_word(o, combined, sizeof combined - 1);
}

void filter_complete(const struct filter_fields *fields, const char *text, char *out, size_t room, char *say)
{
	static const char *const operators[] = {"", "", "~", ":"}; /* by kind: what most often follows */
	size_t at = strlen(text);
	enum filter_op op;
	while (at && !strchr(" \t(!", text[at - 1]))
		at--;
	size_t len = name_len(text + at), sign = sign_at(text + at + len, &op);
	int field = sign ? field_named(fields, text + at, len) : -1;
	snprintf(out, room, "%s", text);
	*say = '\0';
	at += field >= 0 ? len + sign : 0;
	struct filter_offers o = {.typed = text + at, .len = strlen(text + at), .say = say};
	for (size_t i = 0; field < 0 && i < fields->n; i++) {
		char word[sizeof o.first];
		snprintf(word, sizeof word, "%s%s", fields->items[i].name, operators[fields->items[i].kind]);
		filter_offer(&o, word);
	}
	for (const char *const *word = fields->words; field < 0 && word && *word; word++)
		filter_offer(&o, *word);
	if (field < 0 && !*o.typed) {
		*say = '\0';
		o.full = false;
		say_examples(fields, &o);
		return;
	}
	if (field >= 0 && fields->items[field].values)
		fields->items[field].values(fields->ctx, &o);
	if (o.n)
		snprintf(out, room, "%.*s%.*s", (int)at, text, (int)o.common, o.first);
	else if (field >= 0)
		snprintf(say, FILTER_SAY, "%s", fields->items[field].example);
	if (o.n == 1)
		*say = '\0';
}
