#include "state/moment.h"

struct time_expr moment_when(const struct model *m)
{
	return (struct time_expr){.first = m->first,
		.last = m->last,
		.wall_ns = program_get(&m->log->program).wall_ns,
		.cursor = m->at.cursor,
		.has_cursor = true};
}

bool moment_event(const char *text, uint64_t *from_0)
{
	enum { MOST_DIGITS = 15 };
	uint64_t n = 0;
	int digits = 0;
	for (text += *text == '#'; *text; text++) {
		if (is_digit(*text) && ++digits <= MOST_DIGITS)
			n = n * 10 + (uint64_t)(*text - '0');
		else if (*text != ',' && *text != ' ')
			return false;
	}
	*from_0 = n - 1;
	return n > 0;
}

static int mark_time(const struct model *m, const char *letter, uint64_t *t, struct evl_err *err)
{
	if (letter[0] && !letter[1] && bookmarks_get(&m->marks, letter[0], t))
		return 0;
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "mark %s is not set", letter);
}

int moment_time(const struct model *m, const char *text, uint64_t *t, struct evl_err *err)
{
	struct time_expr when = moment_when(m);
	text += strspn(text, " ");
	if (!m->ranged)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "there are no events");
	return *text == '\'' ? mark_time(m, text + 1, t, err) : time_expr_parse(&when, text, t, err);
}

/* May it be the name of a marker? Not what was meant for a time and is none. */
static bool may_be_name(const struct model *m, const char *text)
{
	return *text && !strchr("+-@'.0123456789", *text) && (m->log->markers.kept || m->log->markers.more);
}

int moment_parse(const struct model *m, const char *text, struct moment *out, struct evl_err *err)
{
	*out = (struct moment){0};
	text += strspn(text, " ");
	if (*text == '#') {
		out->kind = MOMENT_EVENT;
		return moment_event(text, &out->event) ? 0
						       : evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
							       "invalid event number \"%.100s\" (use #1 and up)", text);
	}
	int result = moment_time(m, text, &out->t, err);
	if (result == 0 || !may_be_name(m, text))
		return result;
	out->kind = MOMENT_MARKER;
	out->name = text;
	return 0;
}
