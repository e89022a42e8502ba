#include "table/table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 10 }; /* rows between looks at whether to go on */

/* --- lists -------------------------------------------------------------------------------------------------------- */

void *table_list_new(const struct table_kind *kind, const void *of)
{
	if (!kind->size)
		return (void *)(uintptr_t)of;
	assert(kind->size >= sizeof(struct table_range));
	void *list = calloc(1, kind->size);
	if (list)
		memcpy(list, of, sizeof(struct table_range));
	return list;
}

void table_list_free(const struct table_kind *kind, void *list)
{
	if (list && kind->unmake)
		kind->unmake(list);
	if (kind->size)
		free(list);
}

int table_refs(const struct table_kind *kind, void *list, uint64_t **refs, size_t *n)
{
	if (kind->refs)
		return kind->refs(list, refs, n);
	*n = kind->count(list);
	*refs = calloc(*n ? *n : 1, sizeof **refs);
	for (size_t i = 0; *refs && i < *n; i++)
		(*refs)[i] = i;
	return *refs ? 0 : EVL_NOMEM;
}

void table_column_name(struct buf *out, const struct table_column *column)
{
	const char *suffix = unit_suffix(column->unit);
	buf_cstr(out, column->key);
	if (*suffix && strcmp(column->key, suffix + 1) != 0)
		buf_cstr(out, suffix);
}

void table_json_key(struct json *j, const struct table_column *column)
{
	struct buf name = {0};
	table_column_name(&name, column);
	buf_char(&name, '\0');
	j->out->failed = j->out->failed || name.failed;
	json_key(j, name.failed ? "" : name.p);
	buf_free(&name);
}

void table_json_cells(struct json *j, const struct table_kind *kind, void *list, uint64_t ref)
{
	struct buf scratch = {0};
	for (int i = 0; kind->json ? kind->json[i] != UINT8_MAX : i < kind->n_columns; i++) {
		int column = kind->json ? kind->json[i] : i;
		const struct table_column *c = &kind->columns[column];
		if (c->use == COLUMN_HIDDEN || c->use == COLUMN_ROWS)
			continue;
		struct datum cell = kind->cell(list, ref, column, &scratch);
		if (c->use == COLUMN_KNOWN && !cell.kind)
			continue;
		table_json_key(j, c);
		cell_json(j, &cell);
	}
	j->out->failed = j->out->failed || scratch.failed;
	buf_free(&scratch);
}

void table_json(struct json *j, const struct table_kind *kind, void *list, size_t most)
{
	json_open(j, '[');
	for (size_t i = 0, n = min_u64(kind->count(list), most); i < n; i++) {
		json_open(j, '{');
		table_json_cells(j, kind, list, i);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static bool is_in_rows(const struct table_column *c) { return c->use == COLUMN_SHOWN || c->use == COLUMN_ROWS; }

void table_csv_head(struct buf *out, const struct table_kind *kind)
{
	for (int i = 0, n = 0; i < kind->n_columns; i++) {
		if (!is_in_rows(&kind->columns[i]))
			continue;
		buf_cstr(out, n++ ? "," : "");
		table_column_name(out, &kind->columns[i]);
	}
	buf_char(out, '\n');
}

void table_csv_row(struct buf *out, const struct table_kind *kind, void *list, uint64_t ref, bool spreadsheet)
{
	struct buf scratch = {0};
	for (int i = 0, n = 0; i < kind->n_columns; i++) {
		if (!is_in_rows(&kind->columns[i]))
			continue;
		buf_clear(&scratch);
		struct datum cell = kind->cell(list, ref, i, &scratch);
		buf_cstr(out, n++ ? "," : "");
		(spreadsheet ? cell_csv_safe : cell_csv)(out, &cell);
	}
	buf_char(out, '\n');
	out->failed = out->failed || scratch.failed;
	buf_free(&scratch);
}

/* --- filters ------------------------------------------------------------------------------------------------------ */

/* Format of a value of the unit. */
static const char *const examples[UNITS] = {[UNIT_COUNT] = "a whole number such as 2, or 0-3",
	[UNIT_NS] = "a time such as 5ms",
	[UNIT_MOMENT] = "a time such as 3.2s",
	[UNIT_BYTES] = "a size such as 64KiB",
	[UNIT_SHARE] = "a share such as 5%",
	[UNIT_RATE] = "a rate such as 10MB/s",
	[UNIT_FREQUENCY] = "a number such as 1000",
	[UNIT_NUMBER] = "a number such as 0.5",
	[UNIT_TEXT] = "= or ~ and a text"};
static const char share_example[] = "a time such as 5ms, or a share such as 50%";

static bool takes_shares(const struct table_kind *kind, int column)
{
	return kind->whole && column != kind->whole && kind->columns[column].unit == UNIT_NS;
}

static struct filter_field field_of(const struct table_kind *kind, const char *name, int column)
{
	enum unit unit = kind->columns[column].unit;
	bool shares = takes_shares(kind, column);
	return (struct filter_field){.name = name,
		.example = shares ? share_example : examples[unit],
		.kind = unit == UNIT_TEXT ? FILTER_TEXT : FILTER_NUMBER,
		.unit = unit,
		.shares = shares};
}

static int column_of(const struct table_kind *kind, int field)
{
	return field < kind->n_columns ? field : kind->aliases[field - kind->n_columns].column;
}

struct filter_fields table_filter_fields(const struct table_kind *kind, struct filter_field items[TABLE_FIELDS])
{
	size_t n = 0;
	for (int i = 0; i < kind->n_columns && n < TABLE_FIELDS; i++)
		items[n++] = field_of(kind, kind->columns[i].key, i);
	for (const struct table_alias *a = kind->aliases; a && a->name && n < TABLE_FIELDS; a++)
		items[n++] = field_of(kind, a->name, a->column);
	return (struct filter_fields){.items = items, .n = n};
}

int table_filter_parse(struct filter *f, const struct table_kind *kind, const char *text, struct evl_err *err)
{
	struct filter_field items[TABLE_FIELDS];
	struct filter_fields fields = table_filter_fields(kind, items);
	return filter_parse(f, &fields, text, err);
}

struct row {
	const struct table_kind *kind;
	void *ctx;
	uint64_t ref;
	struct buf *scratch;
};

static bool text_holds(const struct filter *f, const struct filter_term *t, struct evl_str text)
{
	text.len = min_u64(text.len, FILTER_TEXT_MOST);
	return filter_text(f, t, text);
}

static bool in_any_text(const struct row *r, const struct filter *f, const struct filter_term *t)
{
	uint64_t names = r->kind->names;
	for (int i = 0; i < r->kind->n_columns; i++) {
		bool is_text = r->kind->columns[i].unit == UNIT_TEXT;
		if (names ? !(names >> i & 1) : !is_text)
			continue;
		struct datum cell = r->kind->cell(r->ctx, r->ref, i, r->scratch);
		char number[TEXT_ROOM] = "";
		if (cell.kind == CELL_COUNT)
			snprintf(number, sizeof number, "%llu", (unsigned long long)cell.count);
		if (cell.kind && text_holds(f, t, is_text ? cell.text : str_of(number)))
			return true;
	}
	return false;
}

static double range_length(const struct table_range *of)
{
	uint64_t first, last;
	if (!evl_range(of->log, &first, &last))
		return (double)NAN;
	return (double)sub_or_0(min_u64(of->to, last + (last < UINT64_MAX)), max_u64(of->from, first));
}

/* The time that times of the row are shares of. */
static double whole_of(const struct row *r)
{
	if (r->kind->whole == TABLE_WHOLE_RANGE)
		return range_length(r->ctx);
	struct datum whole = r->kind->cell(r->ctx, r->ref, r->kind->whole, r->scratch);
	return whole.kind ? cell_double(&whole) : (double)NAN;
}

double table_number(const struct table_kind *kind, void *list, uint64_t ref, int column, bool share)
{
	struct buf scratch = {0};
	struct row row = {kind, list, ref, &scratch};
	struct datum cell = kind->cell(list, ref, column, &scratch);
	double value = cell_double(&cell), whole = share ? whole_of(&row) : 1;
	buf_free(&scratch);
	return whole > 0 ? value / whole : (double)NAN;
}

static enum filter_answer row_holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	const struct row *r = ctx;
	if (t->field < 0)
		return in_any_text(r, f, t) ? FILTER_YES : FILTER_NO;
	struct datum cell = r->kind->cell(r->ctx, r->ref, column_of(r->kind, t->field), r->scratch);
	if (cell.kind == CELL_TEXT)
		return text_holds(f, t, cell.text) ? FILTER_YES : FILTER_NO;
	double value = cell_double(&cell);
	if (t->share && cell.kind)
		value /= whole_of(r);
	return cell.kind && !isnan(value) && filter_number(t, value) ? FILTER_YES : FILTER_NO;
}

static bool takes(const struct filter *f, const struct table_kind *kind, void *ctx, uint64_t ref, struct buf *scratch)
{
	struct row row = {kind, ctx, ref, scratch};
	return filter_ask(f, row_holds, &row) != FILTER_NO;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* Sort key of a row: a number; for text its first characters, as a number. */
struct keyed {
	uint64_t ref;
	double key;
};

enum { KEY_CHARACTERS = 6 }; /* as many as a double holds exactly */

static double text_key(struct evl_str text)
{
	double key = 0;
	for (size_t i = 0; i < KEY_CHARACTERS; i++)
		key = key * 256 + (i < text.len ? (double)lower_case(text.p[i]) : 0);
	return key;
}

/* Unknown cells get the key that goes last. */
static double key_of(
	const struct table_kind *kind, void *ctx, uint64_t ref, const struct table_order *order, struct buf *scratch)
{
	struct datum cell = kind->cell(ctx, ref, order->column, scratch);
	double key = cell.kind == CELL_TEXT ? text_key(cell.text) : cell_double(&cell);
	if (isnan(key))
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
	free_all(items, spare);
	return result;
}

static int leave_out(struct table_rows *r, const struct table_kind *kind, void *ctx, const struct filter *f,
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
