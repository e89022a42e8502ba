#include "sql/answer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct sql_kept {
	union {
		double number;
		size_t at; /* of the text */
	};
	uint32_t len;
	uint8_t kind; /* enum cell_kind, as far as it matters: unknown, number, text */
};

static struct datum cell_of(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct sql_answer *a = ctx;
	const struct sql_kept *k = &a->cells[ref * (size_t)a->kind.n_columns + (size_t)column];
	size_t from = scratch->len;
	if (k->kind == CELL_UNKNOWN)
		return CELL_NONE;
	if (k->kind == CELL_TEXT)
		return cell_text(buf_slice(&a->text, k->at, k->len));
	if (a->kind.columns[column].unit != UNIT_TEXT)
		return (struct datum){.kind = CELL_REAL, .real = k->number};
	buf_cstr(scratch, as_value(UNIT_NUMBER, k->number));
	return cell_text(buf_since(scratch, from));
}

static size_t count_of(const void *ctx) { return ((const struct sql_answer *)ctx)->n; }

/* --- columns ------------------------------------------------------------------------------------------------------------ */

/* The unit of a column of rows.def of that name; UNITS: there is none. */
static enum unit unit_of_rows(struct evl_str name)
{
	struct buf has = {0};
	enum unit unit = UNITS;
	for (int i = 0; i < ROWS_TABLES && unit == UNITS; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		for (int k = 0; k < t->n_columns && unit == UNITS; k++) {
			buf_clear(&has);
			table_column_name(&has, &t->columns[k]);
			if (has.len == name.len && memcmp(has.p, name.p, name.len) == 0)
				unit = t->columns[k].unit;
		}
	}
	buf_free(&has);
	return unit;
}

/* The argument of "max(pause_ns)", if the function keeps the unit. */
static struct evl_str inner(struct evl_str name)
{
	static const char *const keep[] = {"max(", "min(", "sum(", "avg(", "total("};
	for (size_t i = 0; i < countof(keep); i++) {
		size_t n = strlen(keep[i]);
		if (name.len > n + 1 && name.p[name.len - 1] == ')'
			&& strncasecmp((const char *)name.p, keep[i], n) == 0)
			return (struct evl_str){name.p + n, name.len - n - 1};
	}
	return name;
}

static enum unit unit_named(struct evl_str name)
{
	enum unit unit = unit_of_rows(name);
	return unit != UNITS               ? unit
		: str_ends(name, "_at_ns") ? UNIT_MOMENT
		: str_is(name, "wall_ns")  ? UNIT_COUNT
		: str_ends(name, "_ns")    ? UNIT_NS
		: str_ends(name, "_bytes") ? UNIT_BYTES
		: str_ends(name, "_share") ? UNIT_SHARE
					   : UNITS;
}

static bool make_columns(struct sql_answer *a, int n)
{
	a->columns = calloc(1, sizeof *a->columns);
	a->result = a->columns ? a->result : EVL_NOMEM;
	a->kind = (struct table_kind){.name = "query",
		.columns = a->columns ? a->columns->items : NULL,
		.n_columns = a->columns ? n : 0,
		.cell = cell_of,
		.count = count_of};
	a->moment = a->end = a->thread = -1;
	return a->columns;
}

enum { NUMBER = 16 }; /* room for the number of a title */

/* A title is one line. */
static void name_column(struct sql_answer *a, int i, enum unit unit, struct evl_str title)
{
	char *out = a->columns->titles[i];
	for (size_t n = 0; n < title.len && n + NUMBER < SQL_ANSWER_TITLE; n++)
		out[n] = iscntrl(title.p[n]) ? ' ' : (char)title.p[n];
	a->columns->items[i] = (struct table_column){.key = out, .title = out, .unit = unit, .meaning = ""};
}

/* Equal titles are numbered, as a filter means one column. */
static void number_columns(struct sql_answer *a)
{
	struct evl_str names[SQL_ANSWER_COLUMNS];
	int nth[SQL_ANSWER_COLUMNS];
	for (int i = 0; i < a->kind.n_columns; i++)
		names[i] = str_of(a->columns->titles[i]);
	sql_number_names(names, a->kind.n_columns, nth);
	for (int i = 0; i < a->kind.n_columns; i++)
		if (nth[i] > 1)
			snprintf(a->columns->titles[i] + names[i].len, NUMBER, "_%d", nth[i]);
}

/* Is there another column of that name? */
static bool is_other(const struct sql_answer *a, sqlite3_stmt *statement, int i, struct evl_str name)
{
	for (int k = 0; k < a->kind.n_columns; k++) {
		struct evl_str other = sql_name(statement, k);
		if (k != i && other.len == name.len
			&& strncasecmp((const char *)other.p, (const char *)name.p, name.len) == 0)
			return true;
	}
	return false;
}

/* The title shows the unit only where it tells two columns apart: run_ns from run, a share. */
static void name_columns(struct sql_answer *a, sqlite3_stmt *statement)
{
	for (int i = 0; i < a->kind.n_columns; i++) {
		struct evl_str name = sql_name(statement, i), within = inner(name);
		enum unit unit = unit_named(within);
		const char *suffix = unit == UNITS ? "" : unit_suffix(unit);
		struct evl_str brief = {name.p, name.len - strlen(suffix)};
		if (within.len == name.len && name.len > strlen(suffix) && str_ends(name, suffix)
			&& !is_other(a, statement, i, brief))
			name = brief;
		name_column(a, i, unit, name);
	}
	number_columns(a);
}

/* --- cells -------------------------------------------------------------------------------------------------------------- */

bool sql_answer_put(struct sql_answer *a, const struct datum *cell)
{
	bool number = cell->kind != CELL_TEXT && cell->kind != CELL_UNKNOWN;
	struct sql_kept k = {.kind = (uint8_t)(number ? CELL_REAL : cell->kind)};
	if (!a->kind.n_columns)
		return false; /* memory was out */
	if (a->n_cells * sizeof k + a->text.len > SQL_ANSWER_MOST_BYTES) {
		a->more = true;
		return false;
	}
	if (cell->kind == CELL_TEXT) {
		k.at = a->text.len;
		k.len = (uint32_t)min_u64(cell->text.len, FILTER_TEXT_MOST);
		buf_put(&a->text, (const char *)cell->text.p, k.len);
	} else if (number) {
		k.number = cell_double(cell);
	}
	if (!GROW(a->cells, a->n_cells, a->room) || a->text.failed) {
		a->result = EVL_NOMEM;
		return false;
	}
	a->cells[a->n_cells++] = k;
	a->n = a->n_cells / (size_t)a->kind.n_columns;
	return true;
}

/* Kind of the cells of a column without a unit; and how wide they are. */
static void settle_column(struct sql_answer *a, int column)
{
	struct table_column *c = &a->columns->items[column];
	bool text = false, fraction = false;
	double largest = 0;
	size_t widest = strlen(c->title) + 1, columns = (size_t)a->kind.n_columns;
	for (size_t i = (size_t)column; i < a->n * columns; i += columns) {
		const struct sql_kept *k = &a->cells[i];
		text = text || k->kind == CELL_TEXT;
		fraction = fraction
			|| (k->kind == CELL_REAL
				&& !(k->number >= 0 && k->number < 1e15 && k->number == (double)(uint64_t)k->number));
		if (k->kind == CELL_TEXT)
			widest = max_u64(widest, k->len);
		else if (k->kind == CELL_REAL && k->number > largest)
			largest = k->number;
	}
	if (c->unit == UNITS || text)
		c->unit = text ? UNIT_TEXT : fraction ? UNIT_NUMBER : UNIT_COUNT;
	if (c->unit == UNIT_COUNT)
		widest = max_u64(widest, strlen(as_value(UNIT_COUNT, largest)));
	for (size_t i = (size_t)column; c->unit == UNIT_NUMBER && i < a->n * columns; i += columns)
		if (a->cells[i].kind == CELL_REAL)
			widest = max_u64(widest, strlen(as_value(UNIT_NUMBER, a->cells[i].number)));
	a->columns->widths[column] = (uint8_t)min_u64(widest, UINT8_MAX);
}

static bool is_moment(const struct sql_answer *a, int column) { return a->kind.columns[column].unit == UNIT_MOMENT; }

static void settle(struct sql_answer *a)
{
	for (int i = 0; i < a->kind.n_columns; i++) {
		settle_column(a, i);
		if (is_moment(a, i) && a->moment < 0)
			a->moment = i;
		else if (is_moment(a, i) && a->end < 0)
			a->end = i;
		if (strcmp(a->kind.columns[i].key, "thread") == 0)
			a->thread = i;
	}
}

/* Note the end of a line; without memory the text is marked as failed. */
static void end_line(struct sql_lines *lines)
{
	if (GROW(lines->ends, lines->n, lines->room))
		lines->ends[lines->n++] = lines->text.len;
	else
		lines->text.failed = true;
}

static void keep_rows(struct sql_answer *a, struct sql *s, sqlite3_stmt *statement, struct sql_lines *lines)
{
	int status;
	bool going = true;
	if (lines) {
		sql_csv_head(&lines->text, statement);
		end_line(lines);
	}
	while (going && (status = sqlite3_step(statement)) == SQLITE_ROW) {
		for (int i = 0; i < a->kind.n_columns && going; i++) {
			struct datum cell = sql_cell(statement, i);
			going = sql_answer_put(a, &cell);
		}
		if (going && lines) {
			sql_csv(&lines->text, statement, lines->spreadsheet);
			end_line(lines);
		}
	}
	a->n_cells = a->n * (size_t)a->kind.n_columns; /* of whole rows */
	if (going && status != SQLITE_DONE)
		a->result = sql_failed(s, &a->error);
	if (lines && lines->text.failed)
		a->result = EVL_NOMEM;
}

void sql_lines_free(struct sql_lines *lines)
{
	buf_free(&lines->text);
	free(lines->ends);
}

void sql_answer_make(struct sql_answer *a, struct sql *s, const char *text, struct sql_lines *lines)
{
	sqlite3_stmt *statement;
	*a = (struct sql_answer){.moment = -1, .end = -1, .thread = -1};
	a->result = sql_prepare(s, text, &statement, &a->error);
	if (a->result == 0)
		a->result = sql_all_bound(statement, NULL, 0, &a->error);
	int n = a->result == 0 ? sqlite3_column_count(statement) : 0;
	if (n && make_columns(a, n < SQL_ANSWER_COLUMNS ? n : SQL_ANSWER_COLUMNS)) {
		name_columns(a, statement);
		keep_rows(a, s, statement, lines);
		settle(a);
	}
	sqlite3_finalize(statement);
}

void sql_answer_begin(struct sql_answer *a, const struct table_column *columns, int n)
{
	*a = (struct sql_answer){0};
	if (make_columns(a, n))
		memcpy(a->columns->items, columns, (size_t)n * sizeof *columns);
}

void sql_answer_end(struct sql_answer *a) { settle(a); }

void sql_answer_free(struct sql_answer *a)
{
	free(a->cells);
	buf_free(&a->text);
	free(a->columns);
	*a = (struct sql_answer){0};
}
