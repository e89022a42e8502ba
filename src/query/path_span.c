/* path_span.c - find the span that `evtui path --span` refers to, or the time windows of all spans of a name */
#include "query/path.h"

#include "base/order.h"
#include "query/phases.h"

#include <stdlib.h>

/* The spans of a name. */
struct matches {
	const struct span **items;
	size_t n, room;
};

COMPARE_POINTERS_BY(by_start, struct span, RISING(start) ?: RISING(off));

/* In the order in which they begin. */
static int find_all(const struct evl_log *log, struct evl_str name, bool labels, struct matches *out)
{
	const struct span_table *t = spans_table(&log->spans);
	for (size_t i = 0; t && i < t->n; i++) {
		const struct span *s = &t->items[i];
		struct evl_str is = (labels ? spans_label : spans_name)(&log->blocks, s);
		if (str_order(is, name) != 0)
			continue;
		if (!GROW(out->items, out->n, out->room))
			return EVL_NOMEM;
		out->items[out->n++] = s;
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, by_start);
	return 0;
}

/* Spans with exactly this name, or else with it as the name of instances. */
static int find_name(const struct evl_log *log, struct evl_str name, struct matches *out)
{
	int result = find_all(log, name, false, out);
	return result || out->n ? result : find_all(log, name, true, out);
}

static const struct span *longest(const struct matches *m)
{
	const struct span *best = NULL;
	for (size_t i = 0; i < m->n; i++) {
		const struct span *s = m->items[i];
		if (!best || (best->unfinished && !s->unfinished)
			|| (best->unfinished == s->unfinished && s->end - s->start > best->end - best->start))
			best = s;
	}
	return best;
}

/* Take "#K" off the end of a text. False: it has none. */
static bool take_number(struct evl_str *text, uint64_t *k)
{
	enum { MOST_DIGITS = 9 };
	size_t digits = 0;
	uint64_t unit = 1;
	for (*k = 0; digits < text->len && digits < MOST_DIGITS; digits++, unit *= 10) {
		uint8_t c = text->p[text->len - 1 - digits];
		if (c < '0' || c > '9')
			break;
		*k += unit * (uint64_t)(c - '0');
	}
	if (digits == 0 || digits == text->len || text->p[text->len - 1 - digits] != '#')
		return false;
	text->len -= digits + 1;
	return true;
}

int path_span_find(const struct evl_log *log, struct evl_str text, const struct span **out)
{
	struct matches m = {0};
	uint64_t k;
	int result = find_name(log, text, &m);
	*out = longest(&m);
	if (result == 0 && !*out && take_number(&text, &k)) {
		result = find_name(log, text, &m);
		*out = k >= 1 && k <= m.n ? m.items[k - 1] : NULL;
	}
	free(m.items);
	return result;
}

/* --- all spans of a name -------------------------------------------------------------------------------------------- */

ORDER_BY(by_from, struct path_window, from);

int path_windows_find(
	const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to, struct path_window **out, size_t *n)
{
	const struct span_table *t = spans_table(&log->spans);
	struct path_window *items = NULL;
	size_t found = 0, kept = 0, room = 0;
	*out = NULL;
	*n = 0;
	for (size_t i = 0; t && i < t->n; i++) {
		const struct span *s = &t->items[i];
		uint64_t end = min_u64(s->end, to);
		if (s->start < from || s->start >= end || !span_is_of(&log->blocks, s, label))
			continue;
		if (!GROW(items, found, room)) {
			free(items);
			return EVL_NOMEM;
		}
		items[found++] =
			(struct path_window){s->start, end, end == s->end && s->ended_by ? s->ended_by : s->thread};
	}
	if (found == 0)
		return 0;
	qsort(items, found, sizeof *items, by_from);
	for (size_t i = 1; i < found; i++) {
		if (items[i].from > items[kept].to) {
			items[++kept] = items[i];
		} else if (items[i].to > items[kept].to) {
			items[kept].to = items[i].to;
			items[kept].thread = items[i].thread;
		}
	}
	*out = items;
	*n = kept + 1;
	return 0;
}
