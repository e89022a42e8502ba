/* sql.c - connections, statements and parameters; the authorizer that lets nothing but reading pass. */
#include "base/nearest.h"
#include "sql/sql_private.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef STATIC_PROGRAM
/* A third of SQLite's library is not linked: full-text search, R-trees and tables about pages and
 * statements, which the authorizer forbids to make. */
int sqlite3Fts3Init(sqlite3 *db);
int sqlite3Fts5Init(sqlite3 *db);
int sqlite3RtreeInit(sqlite3 *db);
int sqlite3DbstatRegister(sqlite3 *db);
int sqlite3StmtVtabInit(sqlite3 *db);

int sqlite3Fts3Init(UNUSED sqlite3 *db) { return SQLITE_OK; }
int sqlite3Fts5Init(UNUSED sqlite3 *db) { return SQLITE_OK; }
int sqlite3RtreeInit(UNUSED sqlite3 *db) { return SQLITE_OK; }
int sqlite3DbstatRegister(UNUSED sqlite3 *db) { return SQLITE_OK; }
int sqlite3StmtVtabInit(UNUSED sqlite3 *db) { return SQLITE_OK; }
#endif

/* --- connections ------------------------------------------------------------------------------------------------------ */

/* Functions that could reach out of the database, were they there. */
static bool is_harmless(const char *function)
{
	static const char *const others[] = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"};
	for (size_t i = 0; function && i < countof(others); i++)
		if (sqlite3_stricmp(function, others[i]) == 0)
			return false;
	return function != NULL;
}

static int authorize(UNUSED void *ctx, int action, UNUSED const char *a, const char *b, UNUSED const char *database,
	UNUSED const char *by)
{
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE: return SQLITE_OK;
	case SQLITE_FUNCTION: return is_harmless(b) ? SQLITE_OK : SQLITE_DENY;
	default: return SQLITE_DENY;
	}
}

static int is_over(void *ctx)
{
	const struct sql *s = ctx;
	if (s->told)
		store_relaxed(s->told, s->scanned);
	progress_tell(s->watch, 0);
	return is_cancelled(s->cancel);
}

/* Tables are declared when they are first named, for which SQLite asks the authorizer to write: do that before. */
static int connect_table(struct sql *s, const char *name)
{
	char text[64];
	sqlite3_stmt *statement = NULL;
	snprintf(text, sizeof text, "SELECT 1 FROM \"%s\"", name);
	int status = sqlite3_prepare_v2(s->db, text, -1, &statement, NULL);
	sqlite3_finalize(statement);
	return status == SQLITE_OK ? 0 : EVL_NOMEM;
}

/* Memory limit of a statement for sorting and grouping, in addition to that of the tables. */
enum { MEMORY_MB = 1024 };

int sql_open(struct sql *s, const struct sql_log *logs, size_t n, const atomic_bool *cancel)
{
	enum { LOOK_UP = 2000 };
	*s = (struct sql){.logs = logs, .n = n, .cancel = cancel, .sources = calloc(n ? n : 1, sizeof *s->sources)};
	if (!s->sources)
		return EVL_NOMEM;
	for (size_t i = 0; i < n; i++)
		s->sources[i] = (struct rows_source){.log = logs[i].log, .to = UINT64_MAX, .cancel = cancel};
	sqlite3_hard_heap_limit64((sqlite3_int64)MEMORY_MB << 20);
	if (!sql_temp_files()
		|| sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, SQL_TEMP_VFS)
			!= SQLITE_OK)
		return EVL_NOMEM;
	if (sqlite3_exec(s->db, "PRAGMA temp_store = FILE; PRAGMA trusted_schema = OFF", NULL, NULL, NULL) != SQLITE_OK)
		return EVL_NOMEM;
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
	int result = sql_add_tables(s);
	for (int i = 0; i < ROWS_TABLES && result == 0; i++)
		result = connect_table(s, rows_table((enum rows_id)i)->name);
	sqlite3_set_authorizer(s->db, authorize, NULL);
	sqlite3_progress_handler(s->db, LOOK_UP, is_over, s);
	return result;
}

void sql_close(struct sql *s)
{
	sqlite3_close_v2(s->db);
	for (size_t i = 0; s->sources && i < s->n; i++)
		rows_source_free(&s->sources[i]);
	free(s->sources);
	*s = (struct sql){0};
}

/* --- errors ----------------------------------------------------------------------------------------------------------- */

/* The number of the character at a byte, from 1 on. */
static size_t character(const char *text, size_t byte)
{
	size_t n = 1;
	for (size_t i = 0; i < byte && text[i]; i++)
		n += ((unsigned char)text[i + 1] & 0xc0) != 0x80;
	return n;
}

/* Where the statement begins: after blanks and comments. */
static const char *begin_of(const char *p)
{
	for (;;) {
		p += strspn(p, " \t\n\f\r");
		if (p[0] == '-' && p[1] == '-') {
			p += strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			p = end ? end + 2 : p + strlen(p);
		} else {
			return p;
		}
	}
}

/* The byte that a message without a place is about: the word that it ends with, where the text has it. */
static size_t place_of(const char *text, const char *message)
{
	const char *word = strrchr(message, ':');
	word = word ? word + 1 + strspn(word + 1, " ") : NULL;
	const char *dot = word ? strrchr(word, '.') : NULL;
	const char *at = word && *word ? strstr(text, word) : NULL;
	at = !at && dot && dot[1] ? strstr(text, dot + 1) : at;
	return (size_t)((at ? at : begin_of(text)) - text);
}

static int fail(struct sql_error *e, const char *text, size_t byte, const char *message)
{
	snprintf(e->text, sizeof e->text, "%s", message);
	for (char *p = e->text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	e->at = character(text, byte);
	return EVL_USAGE;
}

static int refused(struct sql_error *e, const char *text)
{
	return fail(e, text, (size_t)(begin_of(text) - text), "only SELECT statements are allowed");
}

/* Append to the error, as far as there is room. */
static void add_to(struct sql_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_to(struct sql_error *e, const char *format, ...)
{
	size_t len = strlen(e->text);
	va_list args;
	va_start(args, format);
	vsnprintf(e->text + len, sizeof e->text - len, format, args);
	va_end(args);
}

/* Return the name after "no such table: " or a like start of the error; NULL: the error is another one. */
static const char *unknown_name(const struct sql_error *e, const char *start)
{
	size_t len = strlen(start);
	return strncmp(e->text, start, len) == 0 ? e->text + len : NULL;
}

/* Does the statement have the word, in any case? */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	for (const char *p = text; *p; p++) {
		bool begins = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
		if (begins && sqlite3_strnicmp(p, word, (int)len) == 0 && !isalnum((unsigned char)p[len])
			&& p[len] != '_')
			return true;
	}
	return false;
}

#define SCHEMA_HINT " (evtui query --schema lists all)"

/* Add the nearest table to "no such table: gcs". */
static void suggest_table(struct sql_error *e, const char *name)
{
	struct nearest near = {.wanted = str_of(name)};
	for (int i = 0; i < ROWS_TABLES; i++)
		nearest_offer(&near, str_of(rows_table((enum rows_id)i)->name));
	if (near.n)
		add_to(e, "; did you mean %.*s?", (int)near.names[0].len, (const char *)near.names[0].p);
	add_to(e, "%s", SCHEMA_HINT);
}

/* Add to "no such column: paus" the nearest column of the tables that the statement names, by its name without the unit; if
 * none is near, all of them. */
static void suggest_column(struct sql_error *e, const char *name, const char *text)
{
	const char *dot = strrchr(name, '.');
	struct nearest near = {.wanted = str_of(dot ? dot + 1 : name)};
	struct buf all = {0}, nearest = {0};
	for (int i = 0; i < ROWS_TABLES; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		for (int k = 0; k < t->n_columns && has_word(text, t->name); k++) {
			const struct evl_str key = str_of(t->columns[k].key);
			buf_cstr(&all, all.len ? ", " : "");
			table_column_name(&all, &t->columns[k]);
			nearest_offer(&near, key);
			if (near.n && near.names[0].p == key.p) {
				buf_clear(&nearest);
				table_column_name(&nearest, &t->columns[k]);
			}
		}
	}
	if (nearest.len && !nearest.failed)
		add_to(e, "; did you mean %.*s?", (int)nearest.len, nearest.p);
	else if (all.len && !all.failed && strlen(e->text) + strlen(" ()") + all.len < sizeof e->text)
		add_to(e, " (%.*s)", (int)all.len, all.p);
	else
		add_to(e, "%s", SCHEMA_HINT);
	buf_free(&all);
	buf_free(&nearest);
}

static int fail_sqlite(struct sql *s, struct sql_error *e, const char *text, size_t before)
{
	const char *message = sqlite3_errmsg(s->db);
	int code = sqlite3_errcode(s->db), at = sqlite3_error_offset(s->db);
	if (code == SQLITE_NOMEM) {
		fail(e, text, 0, "out of memory");
		return EVL_NOMEM;
	}
	if (code == SQLITE_INTERRUPT) {
		fail(e, text, 0, "interrupted");
		return EVL_CANCELLED;
	}
	if (code == SQLITE_AUTH)
		return strstr(message, "function") ? fail(e, text, place_of(text, message), message) : refused(e, text);
	fail(e, text, at >= 0 ? before + (size_t)at : place_of(text, message), message);
	const char *table = unknown_name(e, "no such table: "), *column = unknown_name(e, "no such column: ");
	if (table)
		suggest_table(e, table);
	if (column)
		suggest_column(e, column, text);
	return EVL_USAGE;
}

int sql_failed(struct sql *s, struct sql_error *error) { return fail_sqlite(s, error, "", 0); }

/* --- statements ------------------------------------------------------------------------------------------------------- */

int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **out, struct sql_error *error)
{
	const char *rest, *begin = begin_of(text);
	while (*begin == ';')
		begin = begin_of(begin + 1);
	*out = NULL;
	if (!*begin)
		return fail(error, text, (size_t)(begin - text), "no statement");
	if (sqlite3_prepare_v2(s->db, begin, -1, out, &rest) != SQLITE_OK)
		return fail_sqlite(s, error, text, (size_t)(begin - text));
	while (*(rest = begin_of(rest)) == ';')
		rest++;
	int result = !sqlite3_stmt_readonly(*out) || sqlite3_column_count(*out) == 0 ? refused(error, text)
		: *rest ? fail(error, text, (size_t)(rest - text), "only one statement is allowed")
			: 0;
	if (result < 0) {
		sqlite3_finalize(*out);
		*out = NULL;
	}
	return result;
}

/* The parameter of that name, with any of the signs before it; 0: there is none. */
static int parameter(sqlite3_stmt *statement, const char *name, size_t len)
{
	for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
		const char *has = sqlite3_bind_parameter_name(statement, i);
		if (has && strlen(has + 1) == len && memcmp(has + 1, name, len) == 0)
			return i;
	}
	return 0;
}

static int bind_value(sqlite3_stmt *statement, int i, const char *value)
{
	char *end;
	long long n;
	size_t digits = strspn(value + (*value == '-'), "0123456789");
	if (digits && digits <= 18 && !value[digits + (*value == '-')]) {
		n = strtoll(value, NULL, 10);
		return sqlite3_bind_int64(statement, i, n);
	}
	double real = strtod(value, &end);
	if (*value && !*end && strspn(value, "+-.eE0123456789") == strlen(value))
		return sqlite3_bind_double(statement, i, real);
	return sqlite3_bind_text(statement, i, value, -1, SQLITE_TRANSIENT);
}

int sql_bind(sqlite3_stmt *statement, const char *param, struct sql_error *error)
{
	char what[128];
	size_t len = strcspn(param, "=");
	int i = parameter(statement, param, len);
	if (param[len] != '=') {
		snprintf(what, sizeof what, "--param needs name=value, not \"%.60s\"", param);
		return fail(error, "", 0, what);
	}
	if (!i) {
		snprintf(what, sizeof what, "the statement has no parameter \":%.*s\"", (int)min_u64(len, 60), param);
		return fail(error, "", 0, what);
	}
	return bind_value(statement, i, param + len + 1) == SQLITE_OK ? 0 : EVL_NOMEM;
}

int sql_all_bound(sqlite3_stmt *statement, const char *const *params, size_t n, struct sql_error *error)
{
	for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
		const char *name = sqlite3_bind_parameter_name(statement, i);
		bool found = false;
		for (size_t k = 0; k < n && name; k++)
			found = found || parameter(statement, params[k], strcspn(params[k], "=")) == i;
		if (!found) {
			char what[128];
			snprintf(what, sizeof what, "no value for \"%.40s\": --param %.40s=VALUE", name ? name : "?",
				name ? name + 1 : "NAME");
			return fail(error, "", 0, what);
		}
	}
	return 0;
}

struct evl_str sql_name(sqlite3_stmt *statement, int column)
{
	const char *name = sqlite3_column_name(statement, column);
	return (struct evl_str){(const uint8_t *)(name ? name : ""), name ? strlen(name) : 0};
}

/* A character of "NAME_2"; tail: "_2". */
static int name_char(struct evl_str name, const char *tail, size_t i)
{
	return lower_case((char)(i < name.len ? (char)name.p[i] : tail[i - name.len]));
}

static bool is_same_name(struct evl_str a, int a_nth, struct evl_str b, int b_nth)
{
	char tails[2][16] = {"", ""};
	if (a_nth > 1)
		snprintf(tails[0], sizeof tails[0], "_%d", a_nth);
	if (b_nth > 1)
		snprintf(tails[1], sizeof tails[1], "_%d", b_nth);
	size_t len = a.len + strlen(tails[0]);
	bool same = len == b.len + strlen(tails[1]);
	for (size_t i = 0; i < len && same; i++)
		same = name_char(a, tails[0], i) == name_char(b, tails[1], i);
	return same;
}

void sql_number_names(const struct evl_str *names, int n, int *nth)
{
	for (int i = 0; i < n; i++) {
		nth[i] = 1;
		for (int k = 0; k < i;) {
			bool same = is_same_name(names[i], nth[i], names[k], nth[k]);
			nth[i] += same;
			k = same ? 0 : k + 1;
		}
	}
}

struct datum sql_cell(sqlite3_stmt *statement, int column)
{
	const uint8_t *text;
	switch (sqlite3_column_type(statement, column)) {
	case SQLITE_INTEGER: return cell_signed(sqlite3_column_int64(statement, column));
	case SQLITE_FLOAT: return cell_real(sqlite3_column_double(statement, column));
	case SQLITE_NULL: return (struct datum){0};
	default: text = sqlite3_column_blob(statement, column); break;
	}
	return cell_text(
		(struct evl_str){text ? text : (const uint8_t *)"", (size_t)sqlite3_column_bytes(statement, column)});
}

void sql_csv_head(struct buf *out, sqlite3_stmt *statement)
{
	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		if (i)
			buf_char(out, ',');
		cell_csv_text(out, sql_name(statement, i));
	}
	buf_char(out, '\n');
}

void sql_csv(struct buf *out, sqlite3_stmt *statement, bool spreadsheet)
{
	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		struct datum cell = sql_cell(statement, i);
		if (i)
			buf_char(out, ',');
		(spreadsheet ? cell_csv_safe : cell_csv)(out, &cell);
	}
	buf_char(out, '\n');
}
