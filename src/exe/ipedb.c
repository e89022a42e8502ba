#include "exe/ipedb.h"

#include "exe/saved_table.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* A lookup may take STEPS steps, and all together STEPS_MOST times as many more: a few that are hard, not each one. */
enum { TEXTS = 5, STEPS = 4096, STEPS_MOST = 1024, LENGTH_MOST = 1 << 20 };

struct ipedb {
	sqlite3 *db;
	sqlite3_stmt *find, *string, *string_id, *entry;
	uint64_t steps, most; /* of all lookups, in units of STEPS: taken, allowed */
	char closure[24];
	struct source source;     /* of SQLite */
	struct saved_table table; /* of 0.2; then db is NULL */
	struct buf place;
};

static const char schema[] =
	"CREATE TABLE strings (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);"
	"CREATE TABLE info_prov (info_id INTEGER PRIMARY KEY, table_name INTEGER NOT NULL REFERENCES strings(id),"
	" closure_desc INTEGER NOT NULL, type_desc INTEGER NOT NULL REFERENCES strings(id),"
	" label INTEGER NOT NULL REFERENCES strings(id), module_name INTEGER NOT NULL REFERENCES strings(id),"
	" src_loc INTEGER NOT NULL REFERENCES strings(id));"
	"CREATE VIEW view_info_prov AS SELECT i.info_id, t.value AS table_name, i.closure_desc, y.value AS type_desc,"
	" l.value AS label, m.value AS module_name, s.value AS src_loc FROM info_prov i"
	" JOIN strings t ON i.table_name = t.id JOIN strings y ON i.type_desc = y.id JOIN strings l ON i.label = l.id"
	" JOIN strings m ON i.module_name = m.id JOIN strings s ON i.src_loc = s.id;";

static const char find_sql[] =
	"SELECT t.value, y.value, l.value, m.value, s.value, i.closure_desc FROM info_prov i"
	" JOIN strings t ON i.table_name = t.id JOIN strings y ON i.type_desc = y.id JOIN strings l ON i.label = l.id"
	" JOIN strings m ON i.module_name = m.id JOIN strings s ON i.src_loc = s.id WHERE i.info_id = ?";

static int too_long(void *ctx)
{
	struct ipedb *db = ctx;
	return ++db->steps > db->most;
}

void ipedb_close(struct ipedb *db)
{
	if (!db)
		return;
	sqlite3_finalize(db->find);
	sqlite3_finalize(db->string);
	sqlite3_finalize(db->string_id);
	sqlite3_finalize(db->entry);
	sqlite3_close(db->db);
	source_close(&db->source);
	saved_table_close(&db->table);
	buf_free(&db->place);
	free(db);
}

static struct ipedb *make(void)
{
	struct ipedb *db = calloc(1, sizeof *db);
	if (db)
		db->source.slot = db->table.source.slot = -1;
	return db;
}

/* A connection that can load nothing and open no other file; NULL when memory is out. */
static struct ipedb *connect(void)
{
	struct ipedb *db = make();
	if (!db)
		return NULL;
	if (sqlite3_open_v2(":memory:", &db->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		ipedb_close(db);
		return NULL;
	}
	sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(db->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db->db, SQLITE_LIMIT_ATTACHED, 0);
	return db;
}

static int open_table(struct ipedb **out, struct source *source, const char *path, struct evl_err *err)
{
	struct ipedb *db = make();
	if (!db) {
		source_close(source);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	int result = saved_table_open(&db->table, source, path, err);
	if (result < 0)
		ipedb_close(db);
	else
		*out = db;
	return result;
}

int ipedb_open(struct ipedb **out, struct source *source, const char *path, struct evl_err *err)
{
	*out = NULL;
	if (saved_table_is(source->data, source->len))
		return open_table(out, source, path, err);
	struct ipedb *db = connect();
	struct evl_str bytes = {source->data, source->len};
	if (!db) {
		source_close(source);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	db->source = *source;
	sqlite3_limit(db->db, SQLITE_LIMIT_LENGTH, LENGTH_MOST);
	db->most = STEPS_MOST;
	sqlite3_progress_handler(db->db, STEPS, too_long, db);
	int result = sqlite3_deserialize(db->db, "main", (unsigned char *)(uintptr_t)bytes.p, (sqlite3_int64)bytes.len,
		(sqlite3_int64)bytes.len, SQLITE_DESERIALIZE_READONLY);
	if (result == SQLITE_OK)
		result = sqlite3_prepare_v2(db->db, find_sql, -1, &db->find, NULL);
	if (result != SQLITE_OK) {
		evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: not a database of info tables: %s", path,
			sqlite3_errmsg(db->db));
		ipedb_close(db);
		return EVL_NOT_A_LOG;
	}
	*out = db;
	return 0;
}

int ipedb_new(struct ipedb **out)
{
	struct ipedb *db = *out = connect();
	bool good = db && sqlite3_exec(db->db, schema, NULL, NULL, NULL) == SQLITE_OK
		&& sqlite3_exec(db->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK
		&& sqlite3_prepare_v2(db->db, "INSERT OR IGNORE INTO strings(value) VALUES (?)", -1, &db->string, NULL)
			== SQLITE_OK
		&& sqlite3_prepare_v2(db->db, "SELECT id FROM strings WHERE value = ?", -1, &db->string_id, NULL)
			== SQLITE_OK
		&& sqlite3_prepare_v2(db->db,
			   "INSERT OR IGNORE INTO info_prov(table_name, type_desc, label, module_name, src_loc, "
			   "closure_desc, info_id)"
			   " VALUES (?, ?, ?, ?, ?, ?, ?)",
			   -1, &db->entry, NULL)
			== SQLITE_OK;
	if (good)
		return 0;
	ipedb_close(db);
	*out = NULL;
	return EVL_NOMEM;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static void put_closure(struct ipedb *db, int64_t type, struct ipe_entry *out)
{
	int n = snprintf(db->closure, sizeof db->closure, "%" PRId64, type);
	out->closure = (struct evl_str){(const uint8_t *)db->closure, (size_t)n};
}

static struct evl_str text_of(sqlite3_stmt *row, int column)
{
	const unsigned char *p = sqlite3_column_text(row, column);
	return (struct evl_str){p, p ? (size_t)sqlite3_column_bytes(row, column) : 0};
}

static bool find_saved(struct ipedb *db, uint64_t id, struct ipe_entry *out)
{
	struct saved_value v = {0};
	if (!saved_table_find(&db->table, id, sizeof id, &v.rest))
		return false;
	*out = (struct ipe_entry){.id = id, .table = saved_text(&v)};
	int64_t closure = (int64_t)saved_number(&v, sizeof closure);
	out->type = saved_text(&v);
	out->label = saved_text(&v);
	out->module = saved_text(&v);
	buf_clear(&db->place);
	saved_place(&v, &db->place);
	out->location = (struct evl_str){(const uint8_t *)db->place.p, db->place.len};
	put_closure(db, closure, out);
	return !v.bad && !db->place.failed;
}

bool ipedb_find(struct ipedb *db, uint64_t id, struct ipe_entry *out)
{
	if (!db->db)
		return find_saved(db, id, out);
	db->most++;
	db->steps = min_u64(db->steps, db->most);
	sqlite3_reset(db->find);
	if (sqlite3_bind_int64(db->find, 1, (sqlite3_int64)id) != SQLITE_OK || sqlite3_step(db->find) != SQLITE_ROW)
		return false;
	*out = (struct ipe_entry){.id = id};
	struct evl_str *const texts[TEXTS] = {&out->table, &out->type, &out->label, &out->module, &out->location};
	for (int i = 0; i < TEXTS; i++)
		*texts[i] = text_of(db->find, i);
	put_closure(db, (int64_t)sqlite3_column_int64(db->find, TEXTS), out);
	return true;
}

/* --- writing ------------------------------------------------------------------------------------------------------- */

static bool run(sqlite3_stmt *statement, int wanted)
{
	int result = sqlite3_step(statement);
	return result == wanted;
}

/* The id of a text, which is added if need be; false when memory is out. */
static bool id_of(struct ipedb *db, struct evl_str text, sqlite3_int64 *id)
{
	const char *p = text.len ? (const char *)text.p : "";
	sqlite3_reset(db->string);
	sqlite3_bind_text(db->string, 1, p, (int)text.len, SQLITE_STATIC);
	sqlite3_reset(db->string_id);
	sqlite3_bind_text(db->string_id, 1, p, (int)text.len, SQLITE_STATIC);
	if (!run(db->string, SQLITE_DONE) || !run(db->string_id, SQLITE_ROW))
		return false;
	*id = sqlite3_column_int64(db->string_id, 0);
	return true;
}

static int64_t number_of(struct evl_str digits)
{
	enum { MOST = 9 };
	int64_t n = 0;
	for (size_t i = 0; i < digits.len && i < MOST && is_digit(digits.p[i]); i++)
		n = 10 * n + digits.p[i] - '0';
	return n;
}

int ipedb_add(struct ipedb *db, const struct ipe_entry *e)
{
	const struct evl_str texts[TEXTS] = {e->table, e->type, e->label, e->module, e->location};
	sqlite3_int64 id;
	sqlite3_reset(db->entry);
	for (int i = 0; i < TEXTS; i++) {
		if (!id_of(db, texts[i], &id))
			return EVL_NOMEM;
		sqlite3_bind_int64(db->entry, i + 1, id);
	}
	sqlite3_bind_int64(db->entry, TEXTS + 1, number_of(e->closure));
	sqlite3_bind_int64(db->entry, TEXTS + 2, (sqlite3_int64)e->id);
	return run(db->entry, SQLITE_DONE) ? 0 : EVL_NOMEM;
}

int ipedb_save(struct ipedb *db, struct buf *out)
{
	sqlite3_int64 size = 0;
	sqlite3_reset(db->string);
	sqlite3_reset(db->string_id);
	sqlite3_reset(db->entry);
	if (sqlite3_exec(db->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		return EVL_NOMEM;
	unsigned char *bytes = sqlite3_serialize(db->db, "main", &size, 0);
	if (bytes)
		buf_put(out, bytes, (size_t)size);
	sqlite3_free(bytes);
	return bytes && !out->failed ? 0 : EVL_NOMEM;
}
