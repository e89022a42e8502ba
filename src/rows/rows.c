/* rows.c - tables of rows.def: find one, scan it, write its rows as text. */
#include "rows/rows.h"

#include "base/utf8.h"
#include "rows/rows_private.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define LISTED(name, help)                    const char name##_help[] = help;
#define ROWS(name, key, help)                 LISTED(name, help) const struct table_column columns_of_##name[] = {
#define COLUMN(table, id, key, unit, meaning) [table##_##id] = {key, key, UNIT_##unit, meaning, SHALLOW, COLUMN_SHOWN},
#define END_ROWS(name)                                                                                                 \
	}                                                                                                              \
	;
#include "rows/rows.def"

static const struct rows_table *const tables[ROWS_TABLES] = {
#define LISTED(name, help) [ROWS_##name] = &rows_##name,
#include "rows/rows.def"
};

const struct rows_table *rows_table(enum rows_id id) { return tables[id]; }

const struct rows_table *rows_find(const char *name)
{
	for (size_t i = 0; i < countof(tables); i++)
		if (strcmp(tables[i]->name, name) == 0)
			return tables[i];
	return NULL;
}

char *rows_names(char *out, size_t room)
{
	size_t used = 0;
	*out = '\0';
	for (size_t i = 0; i < countof(tables); i++) {
		bool last = i + 1 == countof(tables);
		if (used + strlen(tables[i]->name) + (last ? sizeof ", " : sizeof ", , …") > room) {
			snprintf(out + used, room - used, ", …");
			break;
		}
		used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", tables[i]->name);
	}
	return out;
}

const char *rows_unit(enum unit unit)
{
	switch (unit) {
	case UNIT_NS:
	case UNIT_MOMENT: return "ns";
	case UNIT_BYTES: return "bytes";
	case UNIT_RATE: return "bytes/s";
	case UNIT_FREQUENCY: return "1/s";
	case UNIT_COUNT: return "count";
	default: return unit_name(unit);
	}
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static size_t id_of(const struct rows_table *table)
{
	size_t i = 0;
	while (tables[i] != table)
		i++;
	return i;
}

void rows_source_drop(struct rows_source *s, const struct rows_table *table)
{
	void **made = s->made[id_of(table)];
	for (int deep = 0; deep < 2; deep++)
		if (made[deep])
			table->unmake(made[deep]);
	made[false] = made[true] = NULL;
}

void rows_source_free(struct rows_source *s)
{
	for (size_t i = 0; i < ROWS_TABLES; i++)
		rows_source_drop(s, tables[i]);
	rows_figures_free(s);
	rows_rank_free(s);
}

/* State shared by the scans of a table; the deep one serves all. Other scans may hold the shallow one. */
static int state_of(struct rows_scan *s, void **out)
{
	void **made = s->source->made[id_of(s->table)];
	const struct rows_table *t = s->table;
	bool deep = made[true];
	*out = NULL;
	if (!t->make && !t->list)
		return 0;
	for (int i = 0; i < t->n_columns; i++)
		deep = deep || (t->columns[i].deep && rows_wants(s, i));
	int result = made[deep] ? 0
		: t->make       ? t->make(s->source, deep, &made[deep])
				: rows_make_list(t->list, s->source, deep, &made[deep]);
	if (result < 0)
		made[deep] = NULL;
	*out = made[deep];
	return result;
}

/* --- scans -------------------------------------------------------------------------------------------------------- */

int rows_open(struct rows_scan *s)
{
	enum { MOST = 16 }; /* a join opens more: then all rows are cheaper */
	void *state, **made = s->source->made[id_of(s->table)];
	unsigned *few = &s->source->few[id_of(s->table)];
	s->at = s->end = 0;
	if (s->table->open_few && !made[false] && !made[true] && *few < MOST) {
		int opened = s->table->open_few(s);
		*few += opened > 0;
		if (opened)
			return opened < 0 ? opened : 0;
	}
	int result = state_of(s, &state);
	return result < 0 ? result : s->table->open(s, state);
}

int rows_next(struct rows_scan *s)
{
	if (is_cancelled(s->source->cancel))
		return EVL_CANCELLED;
	buf_clear(&s->scratch);
	return s->table->next(s);
}

struct datum rows_cell(struct rows_scan *s, int column) { return rows_or_none(s->table->cell(s, column)); }

/* A text in scratch moves when the buffer grows for a later one: the row is then made once more, in the room found. */
void rows_row(struct rows_scan *s, struct datum *out)
{
	const struct rows_table *t = s->table;
	const char *before;
	assert(t->n_columns <= ROWS_COLUMNS);
	do {
		before = s->scratch.p;
		buf_clear(&s->scratch);
		if (t->row)
			t->row(s, out);
		else
			for (int i = 0; i < t->n_columns; i++)
				out[i] = rows_or_none(t->cell(s, i));
	} while (s->scratch.p != before);
}

void rows_close(struct rows_scan *s)
{
	if (s->table->close)
		s->table->close(s);
	buf_free(&s->scratch);
	s->own = NULL;
}

/* --- texts that come again ------------------------------------------------------------------------------------------ */

bool row_texts_find(const struct row_texts *t, uint64_t number, struct evl_str *out)
{
	if (!t || t->slots[number % ROW_TEXTS].key != number + 1)
		return false;
	*out = buf_since(&t->slots[number % ROW_TEXTS].text, 0);
	return true;
}

void row_texts_keep(struct row_texts *t, uint64_t number, struct evl_str text)
{
	if (!t || text.len == 0 || text.len > ROW_TEXT_MOST)
		return;
	struct buf *slot = &t->slots[number % ROW_TEXTS].text;
	buf_clear(slot);
	buf_str(slot, text);
	t->slots[number % ROW_TEXTS].key = slot->failed ? 0 : number + 1;
}

void row_texts_free(struct row_texts *t)
{
	for (size_t i = 0; t && i < ROW_TEXTS; i++)
		buf_free(&t->slots[i].text);
	free(t);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

void rows_csv_head(struct buf *out, const struct rows_table *table)
{
	for (int i = 0; i < table->n_columns; i++) {
		if (i)
			buf_char(out, ',');
		table_column_name(out, &table->columns[i]);
	}
	buf_char(out, '\n');
}

char *rows_put_other(struct buf *out, char *p, struct datum c)
{
	if (c.kind == CELL_TEXT && c.text.len <= DECIMAL_ROOM && utf8_run_without(c.text, ',', '"') == c.text.len) {
		memcpy(p, c.text.p, c.text.len); /* most words: as they are, in the room of a number */
		return p + c.text.len;
	}
	rows_put_end(out, p);
	cell_csv(out, &c);
	return rows_put_begin(out);
}

void rows_csv_cells(struct rows_scan *s, struct buf *out)
{
	const struct rows_table *t = s->table;
	struct datum cells[ROWS_COLUMNS];
	if (t->row)
		rows_row(s, cells);
	char *p = rows_put_begin(out);
	for (int i = 0; i < t->n_columns && p; i++) {
		if (i)
			*p++ = ',';
		p = rows_put_cell(out, p, t->row ? cells[i] : rows_or_none(t->cell(s, i)));
		if (p && i % ROWS_PUT == ROWS_PUT - 1) {
			rows_put_end(out, p);
			p = rows_put_begin(out);
		}
	}
	rows_put_end(out, p);
}

static void put_safe_cells(struct rows_scan *s, struct buf *out)
{
	for (int i = 0; i < s->table->n_columns; i++) {
		struct datum c = rows_cell(s, i);
		if (i)
			buf_char(out, ',');
		cell_csv_safe(out, &c);
	}
}

void rows_csv(struct buf *out, struct rows_scan *s, bool spreadsheet)
{
	(spreadsheet ? put_safe_cells : s->table->csv ? s->table->csv : rows_csv_cells)(s, out);
	buf_char(out, '\n');
}

void rows_json(struct buf *out, struct rows_scan *s)
{
	struct json j = {.out = out};
	struct datum cells[ROWS_COLUMNS];
	rows_row(s, cells);
	json_open(&j, '{');
	for (int i = 0; i < s->table->n_columns; i++) {
		table_json_key(&j, &s->table->columns[i]);
		if (cells[i].kind == CELL_BOOL)
			cells[i].kind = CELL_COUNT;
		cell_json(&j, &cells[i]);
	}
	json_close(&j, '}');
	buf_char(out, '\n');
}
