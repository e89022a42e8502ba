/* sql_table.c - the virtual tables: which constraints a scan takes over, and its rows as SQLite's. */
#include "sql/sql_private.h"

#include "base/utf8.h"
#include "format/schema.h"

#include <math.h>
#include <stdlib.h>

enum slot_kind { SLOT_LOG, SLOT_ROW, SLOT_WALL };

/* A column as SQLite numbers them. */
struct slot {
	enum slot_kind kind;
	int column; /* of the table */
};

enum { MOST_SLOTS = 63 }; /* so that each has its bit in colUsed */

struct vtab {
	sqlite3_vtab base;
	struct sql *sql;
	const struct rows_table *table;
	struct slot slots[MOST_SLOTS];
	int n_slots;
	int cap, tag, name; /* columns that a scan of events can be limited by; -1: none */
};

struct vcursor {
	sqlite3_vtab_cursor base;
	struct rows_scan scan;
	struct rows_ask ask;
	size_t log, end; /* the log that is scanned, and the one to stop before */
	bool open, eof;
	sqlite3_int64 row;
};

/* --- columns ---------------------------------------------------------------------------------------------------------- */

static const char *type_of(enum unit unit)
{
	return unit == UNIT_TEXT ? "TEXT" : unit_is_whole(unit) ? "INTEGER" : unit == UNIT_NUMBER ? "NUMERIC" : "REAL";
}

void sql_column(struct buf *out, const struct table_column *column)
{
	buf_char(out, '"');
	table_column_name(out, column);
	buf_printf(out, "\" %s", type_of(column->unit));
}

static bool is_name(const struct rows_table *t, const char *key)
{
	struct buf name = {0};
	bool found = false;
	for (int i = 0; i < t->n_columns && !found; i++) {
		buf_clear(&name);
		table_column_name(&name, &t->columns[i]);
		found = name.len == strlen(key) && memcmp(name.p, key, name.len) == 0;
	}
	buf_free(&name);
	return found;
}

static bool has_time(const struct rows_table *t) { return t->key >= 0 && t->columns[t->key].unit == UNIT_MOMENT; }

static void add_slot(struct vtab *v, enum slot_kind kind, int column)
{
	if (v->n_slots < MOST_SLOTS)
		v->slots[v->n_slots++] = (struct slot){kind, column};
}

/* "CREATE TABLE x(log TEXT, "start_ns" INTEGER, …, "start" INTEGER HIDDEN, …)" */
static void declare(struct vtab *v, struct buf *out)
{
	const struct rows_table *t = v->table;
	buf_lit(out, "CREATE TABLE x(");
	if (v->sql->n > 1) {
		buf_lit(out, "log TEXT, ");
		add_slot(v, SLOT_LOG, 0);
	}
	for (int i = 0; i < t->n_columns; i++) {
		if (i)
			buf_lit(out, ", ");
		sql_column(out, &t->columns[i]);
		add_slot(v, SLOT_ROW, i);
	}
	for (int i = 0; i < t->n_columns && v->n_slots < MOST_SLOTS - 1; i++) {
		if (!*unit_suffix(t->columns[i].unit) || is_name(t, t->columns[i].key))
			continue;
		buf_printf(out, ", \"%s\" %s HIDDEN", t->columns[i].key, type_of(t->columns[i].unit));
		add_slot(v, SLOT_ROW, i);
	}
	if (has_time(t)) {
		buf_lit(out, ", wall_ns INTEGER HIDDEN");
		add_slot(v, SLOT_WALL, t->key);
	}
	buf_lit(out, ")");
	buf_char(out, '\0');
}

static int column_keyed(const struct rows_table *t, const char *key)
{
	for (int i = 0; i < t->n_columns; i++)
		if (strcmp(t->columns[i].key, key) == 0)
			return i;
	return -1;
}

struct module_ctx {
	struct sql *sql;
	const struct rows_table *table;
};

static int connect_table(
	sqlite3 *db, void *ctx, UNUSED int argc, UNUSED const char *const *argv, sqlite3_vtab **out, char **message)
{
	const struct module_ctx *m = ctx;
	struct buf sql = {0};
	struct vtab *v = sqlite3_malloc(sizeof *v);
	if (!v)
		return SQLITE_NOMEM;
	bool events = m->table == rows_find("events");
	bool chained = events || (has_time(m->table) && m->table->limits_cap);
	*v = (struct vtab){.sql = m->sql,
		.table = m->table,
		.cap = chained ? column_keyed(m->table, "cap") : -1,
		.tag = events ? column_keyed(m->table, "tag") : -1,
		.name = events ? column_keyed(m->table, "name") : -1};
	declare(v, &sql);
	int result = sql.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, sql.p);
	if (result != SQLITE_OK && !sql.failed)
		*message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
	buf_free(&sql);
	if (result != SQLITE_OK)
		sqlite3_free(v);
	else
		*out = &v->base;
	return result;
}

static int disconnect(sqlite3_vtab *v)
{
	sqlite3_free(v);
	return SQLITE_OK;
}

/* --- plans ------------------------------------------------------------------------------------------------------------ */

/* Kind of an argument of the scan: lower (g) or upper (l) bound of the key, or both (e); cap, tag, name, log. */
static char bound_of(const struct vtab *v, const struct slot *slot, unsigned char op)
{
	bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
	if (slot->kind == SLOT_LOG)
		return equal ? 'f' : 0;
	if (slot->kind != SLOT_ROW)
		return 0;
	if (slot->column == v->table->key)
		switch (op) {
		case SQLITE_INDEX_CONSTRAINT_EQ: return 'e';
		case SQLITE_INDEX_CONSTRAINT_GT:
		case SQLITE_INDEX_CONSTRAINT_GE: return 'g';
		case SQLITE_INDEX_CONSTRAINT_LT:
		case SQLITE_INDEX_CONSTRAINT_LE: return 'l';
		default: return 0;
		}
	return !equal                     ? 0
		: slot->column == v->cap  ? 'c'
		: slot->column == v->tag  ? 't'
		: slot->column == v->name ? 'n'
					  : 0;
}

/* The table's columns for those of SQLite. */
static uint64_t columns_used(const struct vtab *v, uint64_t used)
{
	uint64_t columns = 0;
	for (int i = 0; i < v->n_slots; i++)
		if (used >> i & 1 && v->slots[i].kind != SLOT_LOG)
			columns |= 1ull << v->slots[i].column;
	return columns;
}

/* A guess at what is left of the rows, for the planner. */
static double share_of(char bound)
{
	switch (bound) {
	case 'e': return 0.00001;
	case 'g':
	case 'l': return 0.2;
	case 'f':
	case 'c':
	case 't':
	case 'n': return 0.1;
	default: return 1;
	}
}

static int plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
	enum { MOST_BOUNDS = 32, USUAL_ROWS = 100000, MANY_ROWS = 4000000 };
	const struct vtab *v = (const struct vtab *)base;
	char bounds[MOST_BOUNDS + 1] = "";
	int n = 0;
	bool one_log = v->sql->n == 1;
	double rows = v->table->limits_cap ? MANY_ROWS : USUAL_ROWS;
	for (int i = 0; i < info->nConstraint && n < MOST_BOUNDS; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];
		char bound = c->usable && c->iColumn >= 0 ? bound_of(v, &v->slots[c->iColumn], c->op) : 0;
		if (!bound)
			continue;
		bounds[n++] = bound;
		info->aConstraintUsage[i].argvIndex = n;
		rows *= share_of(bound);
		one_log = one_log || bound == 'f';
	}
	bounds[n] = '\0';
	if (info->nOrderBy == 1 && one_log && !info->aOrderBy[0].desc && info->aOrderBy[0].iColumn >= 0) {
		const struct slot *slot = &v->slots[info->aOrderBy[0].iColumn];
		info->orderByConsumed = slot->kind != SLOT_LOG && v->table->key >= 0 && slot->column == v->table->key;
	}
	info->idxStr = sqlite3_mprintf("%llx %s", (unsigned long long)columns_used(v, info->colUsed), bounds);
	info->needToFreeIdxStr = 1;
	info->estimatedRows = (sqlite3_int64)(rows < 1 ? 1 : rows);
	info->estimatedCost = rows + 10;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* --- cursors ---------------------------------------------------------------------------------------------------------- */

static int open_cursor(UNUSED sqlite3_vtab *v, sqlite3_vtab_cursor **out)
{
	struct vcursor *c = calloc(1, sizeof *c);
	if (!c)
		return SQLITE_NOMEM;
	c->eof = true;
	*out = &c->base;
	return SQLITE_OK;
}

static void close_scan(struct vcursor *c)
{
	if (c->open)
		rows_close(&c->scan);
	c->open = false;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	close_scan((struct vcursor *)base);
	free(base);
	return SQLITE_OK;
}

static int code_of(int result)
{
	return result == EVL_CANCELLED ? SQLITE_INTERRUPT : result == EVL_NOMEM ? SQLITE_NOMEM : SQLITE_ERROR;
}

/* Go to the next row, of this log or of the next one that has any. */
static int step(struct vcursor *c)
{
	const struct vtab *v = (const struct vtab *)c->base.pVtab;
	for (; c->log < c->end; c->log++) {
		int result = 0;
		if (!c->open) {
			c->scan = (struct rows_scan){
				.table = v->table, .source = &v->sql->sources[c->log], .ask = c->ask};
			c->open = true;
			result = rows_open(&c->scan);
		}
		result = result < 0 ? result : rows_next(&c->scan);
		if (result > 0) {
			v->sql->scanned++;
			return SQLITE_OK;
		}
		close_scan(c);
		if (result < 0)
			return code_of(result);
	}
	c->eof = true;
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
	struct vcursor *c = (struct vcursor *)base;
	c->row++;
	return step(c);
}

static void nothing(struct vcursor *c) { c->end = 0; }

/* A number as a bound of the key. Numbers that no key has leave nothing. */
static void bound_key(struct vcursor *c, char bound, sqlite3_value *value)
{
	const double most = 18446744073709549568.0;
	uint64_t low, high;
	int type = sqlite3_value_numeric_type(value);
	if (type == SQLITE_INTEGER) {
		sqlite3_int64 n = sqlite3_value_int64(value);
		if (n < 0 && bound != 'g')
			nothing(c);
		low = high = n < 0 ? 0 : (uint64_t)n;
	} else if (type == SQLITE_FLOAT) {
		double n = sqlite3_value_double(value);
		if (n < 0 && bound != 'g')
			nothing(c);
		low = !(n > 0) ? 0 : n >= most ? UINT64_MAX - 4096 : (uint64_t)floor(n);
		high = !(n > 0) ? 0 : n >= most ? UINT64_MAX : (uint64_t)ceil(n);
	} else {
		if (type == SQLITE_NULL)
			nothing(c);
		return; /* text is more than any number */
	}
	if (bound != 'l' && low > c->ask.low)
		c->ask.low = low;
	if (bound != 'g' && high < c->ask.high)
		c->ask.high = high;
}

static int number_of(sqlite3_value *value, int most)
{
	bool is_number = sqlite3_value_numeric_type(value) == SQLITE_INTEGER;
	sqlite3_int64 n = is_number ? sqlite3_value_int64(value) : -1;
	return n >= 0 && n <= most ? (int)n : -1;
}

/* The tag with a name; -1: none, or several may have it. */
static int tag_named(const char *name)
{
	for (unsigned tag = 0; name && tag <= UINT16_MAX; tag++) {
		const char *has = schema_name((uint16_t)tag);
		if (has && strcmp(has, name) == 0)
			return (int)tag;
	}
	return -1;
}

static void bound_by(struct vcursor *c, const struct vtab *v, char bound, sqlite3_value *value)
{
	size_t i = 0;
	const char *name;
	switch (bound) {
	case 'c': c->ask.cap = number_of(value, MAX_CAP); break;
	case 't': c->ask.tag = number_of(value, UINT16_MAX); break;
	case 'n':
		if (c->ask.tag < 0)
			c->ask.tag = tag_named((const char *)sqlite3_value_text(value));
		break;
	case 'f':
		name = (const char *)sqlite3_value_text(value);
		while (name && i < v->sql->n && strcmp(v->sql->logs[i].name, name) != 0)
			i++;
		if (!name || i == v->sql->n) {
			nothing(c);
		} else {
			c->log = i;
			c->end = c->end < i + 1 ? c->end : i + 1;
		}
		break;
	default: bound_key(c, bound, value); break;
	}
}

static int filter(sqlite3_vtab_cursor *base, UNUSED int number, const char *text, int argc, sqlite3_value **argv)
{
	struct vcursor *c = (struct vcursor *)base;
	const struct vtab *v = (const struct vtab *)base->pVtab;
	char *bounds;
	close_scan(c);
	c->ask = ROWS_ALL;
	c->ask.columns = strtoull(text, &bounds, 16);
	c->log = 0;
	c->end = v->sql->n;
	c->eof = false;
	c->row = 0;
	for (int i = 0; i < argc; i++)
		bound_by(c, v, bounds[1 + i], argv[i]);
	return step(c);
}

static int at_end(sqlite3_vtab_cursor *base) { return ((struct vcursor *)base)->eof; }

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = ((struct vcursor *)base)->row;
	return SQLITE_OK;
}

/* The text with each byte that is not UTF-8 as U+FFFD: itself, or what is put into clean. */
static struct evl_str clean_text(struct buf *clean, struct evl_str s)
{
	char utf8[UTF8_MAX];
	if (utf8_valid(s))
		return s;
	buf_clear(clean);
	while (s.len) {
		uint32_t cp = utf8_take(&s);
		buf_put(clean, utf8, utf8_encode(cp > 0x10ffff ? 0xfffd : cp, utf8));
	}
	return (struct evl_str){(const uint8_t *)clean->p, clean->len};
}

static void give_text(sqlite3_context *to, struct evl_str s)
{
	struct buf clean = {0};
	s = clean_text(&clean, s);
	if (clean.failed)
		sqlite3_result_error_nomem(to);
	else
		sqlite3_result_text64(to, (const char *)s.p, s.len, SQLITE_TRANSIENT, SQLITE_UTF8);
	buf_free(&clean);
}

static void give(sqlite3_context *to, const struct datum *cell)
{
	switch (cell->kind) {
	case CELL_UNKNOWN: sqlite3_result_null(to); break;
	case CELL_BOOL:
	case CELL_COUNT:
		if (cell->count > INT64_MAX)
			sqlite3_result_double(to, (double)cell->count);
		else
			sqlite3_result_int64(to, (sqlite3_int64)cell->count);
		break;
	case CELL_SIGNED: sqlite3_result_int64(to, cell->number); break;
	case CELL_REAL: sqlite3_result_double(to, cell->real); break;
	case CELL_TEXT: give_text(to, cell->text); break;
	}
}

/* The Unix time of the row. */
static struct datum wall_of(struct vcursor *c, const struct vtab *v, int column)
{
	struct program_facts facts = program_get(&v->sql->logs[c->log].log->program);
	struct datum t = rows_cell(&c->scan, column);
	uint64_t most = (uint64_t)INT64_MAX;
	bool known = facts.wall_ns && t.kind == CELL_COUNT && facts.wall_ns < most && t.count < most - facts.wall_ns;
	return cell_known(known, known ? facts.wall_ns + t.count : 0);
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *to, int i)
{
	struct vcursor *c = (struct vcursor *)base;
	const struct vtab *v = (const struct vtab *)base->pVtab;
	const struct slot *slot = &v->slots[i];
	struct datum cell = slot->kind == SLOT_LOG ? cell_cstr(v->sql->logs[c->log].name)
		: slot->kind == SLOT_WALL          ? wall_of(c, v, slot->column)
						   : rows_cell(&c->scan, slot->column);
	if (c->scan.scratch.failed)
		return SQLITE_NOMEM;
	give(to, &cell);
	return SQLITE_OK;
}

/* Without xCreate: a table is there under the name of its module, and no other can be made. */
static const sqlite3_module module = {.iVersion = 1,
	.xConnect = connect_table,
	.xBestIndex = plan,
	.xDisconnect = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = at_end,
	.xColumn = column,
	.xRowid = row_id};

int sql_add_tables(struct sql *s)
{
	for (int i = 0; i < ROWS_TABLES; i++) {
		struct module_ctx *m = sqlite3_malloc(sizeof *m);
		if (!m)
			return EVL_NOMEM;
		*m = (struct module_ctx){s, rows_table((enum rows_id)i)};
		if (sqlite3_create_module_v2(s->db, m->table->name, &module, m, sqlite3_free) != SQLITE_OK)
			return EVL_NOMEM;
	}
	return 0;
}

void sql_schema(struct buf *out, bool many)
{
	for (int i = 0; i < ROWS_TABLES; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		buf_printf(out, "-- %s\nCREATE TABLE %s (\n", t->help, t->name);
		if (many)
			buf_lit(out, "  \"log\" TEXT, -- name of the log\n");
		for (int k = 0; k < t->n_columns; k++) {
			buf_lit(out, "  ");
			sql_column(out, &t->columns[k]);
			buf_printf(out, "%s%s\n", k + 1 < t->n_columns ? ", -- " : " -- ", t->columns[k].meaning);
		}
		buf_lit(out, ");\n\n");
	}
}
