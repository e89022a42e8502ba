#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 10 }; /* rows between looks at whether to go on */

/* The column of that name, or -1. */
static int column_named(const struct table_kind *kind, struct evl_str name)
{
	for (int i = 0; i < kind->n_columns; i++)
		if (strlen(kind->columns[i].key) == name.len && memcmp(kind->columns[i].key, name.p, name.len) == 0)
			return i;
	return -1;
}

/* --- filters ------------------------------------------------------------------------------------------------------ */

static bool parse_term(struct table_term *t, const struct table_kind *kind, struct evl_str word, struct evl_err *err)
{
	struct compare_parts parts;
	*t = (struct table_term){.column = -1, .text = word};
	if (!compare_split(word, &parts))
		return true;
	t->column = column_named(kind, parts.name);
	t->op = parts.op;
	t->text = parts.value;
	if (t->column < 0) {
		evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "no column is called %.*s", (int)min_u64(parts.name.len, 40),
			(const char *)parts.name.p);
		return false;
	}
	enum unit unit = kind->columns[t->column].unit;
	if (unit != UNIT_TEXT)
		return unit_parse(unit, parts.value, &t->number, err) == 0;
	if (t->op == OP_EQ || t->op == OP_NE)
		return true;
	evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "a text is = or != another: %.*s", (int)min_u64(word.len, 60),
		(const char *)word.p);
	return false;
}

int table_filter_parse(struct table_filter *f, const struct table_kind *kind, struct evl_str text, struct evl_err *err)
{
	*f = (struct table_filter){0};
	if (text.len >= TABLE_FILTER)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "a filter has at most %d characters", TABLE_FILTER - 1);
	memcpy(f->text, text.p ? (const char *)text.p : "", text.len);
	for (char *rest = f->text, *word; (word = strsep(&rest, " "));) {
		if (!*word)
			continue;
		if (f->n == TABLE_TERMS)
			return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "a filter has at most %d words", TABLE_TERMS);
		if (!parse_term(&f->terms[f->n++], kind, (struct evl_str){(uint8_t *)word, strlen(word)}, err))
			return EVL_USAGE;
	}
	return 0;
}

static char lower(uint8_t c) { return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

static bool same_at(const uint8_t *a, const uint8_t *b, size_t len)
{
	size_t i = 0;
	while (i < len && lower(a[i]) == lower(b[i]))
		i++;
	return i == len;
}

static bool occurs(struct evl_str what, struct evl_str in)
{
	for (size_t i = 0; i + what.len <= in.len; i++)
		if (same_at(in.p + i, what.p, what.len))
			return true;
	return false;
}

/* The whole text, or with a * at the end its begin, whatever the case. */
static bool matches(struct evl_str pattern, struct evl_str text)
{
	bool open = pattern.len && pattern.p[pattern.len - 1] == '*';
	size_t len = pattern.len - open;
	return (open ? text.len >= len : text.len == len) && same_at(text.p, pattern.p, len);
}

static bool in_any_text(
	const struct table_term *t, const struct table_kind *kind, void *ctx, uint64_t ref, struct buf *scratch)
{
	for (int i = 0; i < kind->n_columns; i++) {
		if (kind->columns[i].unit != UNIT_TEXT)
			continue;
		struct table_cell cell = kind->cell(ctx, ref, i, scratch);
		if (cell.known && occurs(t->text, cell.text))
			return true;
	}
	return false;
}

static bool term_takes(
	const struct table_term *t, const struct table_kind *kind, void *ctx, uint64_t ref, struct buf *scratch)
{
	if (t->column < 0)
		return in_any_text(t, kind, ctx, ref, scratch);
	struct table_cell cell = kind->cell(ctx, ref, t->column, scratch);
	if (!cell.known)
		return false;
	if (kind->columns[t->column].unit == UNIT_TEXT)
		return matches(t->text, cell.text) == (t->op == OP_EQ);
	return compare(cell.number, t->op, t->number);
}

static bool takes(
	const struct table_filter *f, const struct table_kind *kind, void *ctx, uint64_t ref, struct buf *scratch)
{
	for (int i = 0; i < f->n; i++)
		if (!term_takes(&f->terms[i], kind, ctx, ref, scratch))
			return false;
	return true;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* What a row is sorted by: a number; of text the first characters, as a number. */
struct keyed {
	uint64_t ref;
	double key;
};

enum { KEY_CHARACTERS = 6 }; /* as many as a double holds exactly */

static double text_key(struct evl_str text)
{
	double key = 0;
	for (size_t i = 0; i < KEY_CHARACTERS; i++)
		key = key * 256 + (i < text.len ? (double)(uint8_t)lower(text.p[i]) : 0);
	return key;
}

/* Unknown cells get the key that goes last. */
static double key_of(
	const struct table_kind *kind, void *ctx, uint64_t ref, const struct table_order *order, struct buf *scratch)
{
	struct table_cell cell = kind->cell(ctx, ref, order->column, scratch);
	bool text = kind->columns[order->column].unit == UNIT_TEXT;
	double key = text ? text_key(cell.text) : cell.number;
	if (!cell.known || isnan(key))
		return (double)INFINITY;
	return order->falling ? -key : key;
}

/* Merge two runs in order into `out`; of equals those of the first come first. */
static void merge_runs(struct keyed *out, const struct keyed *a, size_t n, const struct keyed *b, size_t m)
{
	while (n && m) {
		bool second = b->key < a->key;
		*out++ = second ? *b : *a;
		b += second;
		m -= second;
		a += !second;
		n -= !second;
	}
	memcpy(out, a, n * sizeof *a);
	memcpy(out + n, b, m * sizeof *b);
}

/* Merge sort: equals stay in their order, and it can be left after each round. False when it was. */
static bool sort(struct keyed *items, struct keyed *spare, size_t n, const struct progress *watch)
{
	for (size_t run = 1; run < n; run *= 2) {
		if (progress_cancelled(watch))
			return false;
		for (size_t i = 0; i < n; i += 2 * run) {
			size_t first = min_u64(run, n - i), second = min_u64(run, n - i - first);
			merge_runs(spare + i, items + i, first, items + i + first, second);
		}
		memcpy(items, spare, n * sizeof *items);
	}
	return true;
}

static int make_keys(struct table_rows *r, struct keyed *items, const struct table_kind *kind, void *ctx,
	const struct table_order *order, const struct progress *watch)
{
	struct buf scratch = {0};
	int result = 0;
	for (size_t i = 0; result == 0 && i < r->n; i++) {
		if (i % CHECK_EVERY == 0) {
			result = progress_cancelled(watch) ? EVL_CANCELLED : 0;
			progress_tell(watch, (double)i / (double)r->n);
		}
		buf_clear(&scratch);
		items[i] = (struct keyed){r->refs[i], key_of(kind, ctx, r->refs[i], order, &scratch)};
	}
	result = scratch.failed ? EVL_NOMEM : result;
	buf_free(&scratch);
	return result;
}

static int put_in_order(struct table_rows *r, const struct table_kind *kind, void *ctx, const struct table_order *order,
	const struct progress *watch)
{
	struct keyed *items = calloc(r->n ? r->n : 1, sizeof *items), *spare = calloc(r->n ? r->n : 1, sizeof *spare);
	int result = items && spare ? make_keys(r, items, kind, ctx, order, watch) : EVL_NOMEM;
	if (result == 0)
		result = sort(items, spare, r->n, watch) ? 0 : EVL_CANCELLED;
	for (size_t i = 0; result == 0 && i < r->n; i++)
		r->refs[i] = items[i].ref;
	free(items);
	free(spare);
	return result;
}

static int leave_out(struct table_rows *r, const struct table_kind *kind, void *ctx, const struct table_filter *f,
	const struct progress *watch)
{
	struct buf scratch = {0};
	size_t kept = 0;
	for (size_t i = 0; i < r->all; i++) {
		if (i % CHECK_EVERY == 0 && progress_cancelled(watch))
			break;
		buf_clear(&scratch);
		if (takes(f, kind, ctx, r->refs[i], &scratch))
			r->refs[kept++] = r->refs[i];
	}
	bool out_of_memory = scratch.failed;
	buf_free(&scratch);
	r->n = kept;
	return out_of_memory ? EVL_NOMEM : progress_cancelled(watch) ? EVL_CANCELLED : 0;
}

int table_rows_make(struct table_rows *out, const struct table_kind *kind, void *ctx, uint64_t *refs, size_t n,
	const struct table_order *order, const struct progress *watch)
{
	*out = (struct table_rows){refs, n, n};
	int result = order->filter && order->filter->n ? leave_out(out, kind, ctx, order->filter, watch) : 0;
	if (result == 0 && order->column >= 0)
		result = put_in_order(out, kind, ctx, order, watch);
	if (result < 0)
		table_rows_free(out);
	return result;
}

void table_rows_free(struct table_rows *r)
{
	free(r->refs);
	*r = (struct table_rows){0};
}

void table_cell_plain(struct buf *out, enum unit unit, const struct table_cell *cell)
{
	const double most = 18446744073709549568.0; /* the largest double that is a u64 */
	char number[40];
	if (!cell->known || (unit != UNIT_TEXT && isnan(cell->number)))
		return;
	if (unit == UNIT_TEXT) {
		buf_str(out, cell->text);
	} else if (unit_is_whole(unit)) {
		if (cell->number <= -0.5) {
			snprintf(number, sizeof number, "%.0f", cell->number);
			buf_cstr(out, number);
			return;
		}
		buf_decimal(out,
			cell->number >= most       ? UINT64_MAX
				: cell->number > 0 ? (uint64_t)(cell->number + 0.5)
						   : 0);
	} else {
		snprintf(number, sizeof number, "%.6g", cell->number);
		buf_cstr(out, number);
	}
}
