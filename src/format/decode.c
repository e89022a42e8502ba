#include "format/decode.h"

enum { INTERN_ID = 4, STACK_ID = 4 };

static struct evl_str take(struct evl_str *rest, size_t n)
{
	struct evl_str head = {rest->p, n};
	rest->p += n;
	rest->len -= n;
	return head;
}

static struct evl_str take_zstr(struct evl_str *rest)
{
	const uint8_t *nul = rest->len ? memchr(rest->p, 0, rest->len) : NULL;
	if (!nul)
		return take(rest, rest->len);
	struct evl_str text = take(rest, (size_t)(nul - rest->p));
	take(rest, 1);
	return text;
}

static struct evl_str take_stack(struct evl_str *rest)
{
	size_t depth = *take(rest, 1).p, room = rest->len / STACK_ID;
	return take(rest, (depth < room ? depth : room) * STACK_ID);
}

/* Decode a field of variable width. Return false if it is absent. */
static bool take_text(enum evl_kind kind, struct evl_str *rest, struct evl_str *out)
{
	size_t least = kind == EVL_K_zstr || kind == EVL_K_stack ? 1 : kind == EVL_K_istr ? INTERN_ID : 0;
	if (rest->len < least)
		return false;
	switch (kind) {
	case EVL_K_zstr: *out = take_zstr(rest); break;
	case EVL_K_stack: *out = take_stack(rest); break;
	case EVL_K_istr: *out = take(rest, rest->len - INTERN_ID); break;
	default: *out = take(rest, rest->len); break;
	}
	return true;
}

/* Fields from i on are not there. That is bad only where the payload should have begun with all of them. */
static int end_early(const struct schema *s, int i, bool seen_text, struct evl_value *values)
{
	if (!seen_text && (schema_width(s->fields[i].kind) || s->fields[i].kind == EVL_K_istr))
		return -1;
	memset(values + i, 0, sizeof *values * (size_t)(s->n_fields - i));
	return i;
}

int decode(const struct schema *s, struct evl_str payload, struct evl_value *values)
{
	bool seen_text = false;
	for (int i = 0; i < s->n_fields; i++) {
		unsigned width = schema_width(s->fields[i].kind);
		values[i] = (struct evl_value){0};
		if (width) {
			if (payload.len < width)
				return end_early(s, i, seen_text, values);
			values[i].u = be_load(take(&payload, width).p, width);
		} else {
			if (!take_text(s->fields[i].kind, &payload, &values[i].str))
				return end_early(s, i, seen_text, values);
			seen_text = true;
		}
	}
	return s->n_fields;
}

int decode_field(const struct schema *s, const char *name)
{
	for (int i = 0; i < s->n_fields; i++)
		if (strcmp(s->fields[i].name, name) == 0)
			return i;
	return -1;
}

bool decode_next_str(struct evl_str *rest, struct evl_str *out)
{
	if (rest->len == 0)
		return false;
	*out = take_zstr(rest);
	return true;
}
