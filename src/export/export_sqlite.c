/* export_sqlite.c - export sqlite: all tables of rows.def as a database, with indexes, views and a table of units.
 *
 * SQLite creates the empty tables and their indexes, the pages of the rows are written without it (sqlite_pages.h), and it
 * adds the views and the other indexes to the whole. It works through a dedicated VFS on the file that is open already,
 * so the export works in the sandbox and leaves no half file. */
#include "export/export.h"
#include "export/sqlite_pages.h"
#include "sql/fd_file.h"
#include "sql/sql.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* --- the file --------------------------------------------------------------------------------------------------------- */

static int vfs_open(sqlite3_vfs *vfs, UNUSED const char *name, sqlite3_file *file, int flags, int *out)
{
	struct fd_file *f = (struct fd_file *)file;
	return flags & SQLITE_OPEN_MAIN_DB ? fd_file_open(f, *(const int *)vfs->pAppData, NULL, flags, out)
					   : fd_file_temporary(f, flags, out);
}

static int vfs_delete(UNUSED sqlite3_vfs *v, UNUSED const char *name, UNUSED int sync) { return SQLITE_OK; }

static int vfs_access(UNUSED sqlite3_vfs *v, UNUSED const char *name, UNUSED int flags, int *out)
{
	return *out = 0, SQLITE_OK;
}

static int vfs_path(UNUSED sqlite3_vfs *v, const char *name, int n, char *out)
{
	sqlite3_snprintf(n, out, "%s", name);
	return SQLITE_OK;
}

/* A database needs no chance. */
static int vfs_random(UNUSED sqlite3_vfs *v, int n, char *out) { return memset(out, 0, (size_t)n), n; }
static int vfs_sleep(UNUSED sqlite3_vfs *v, int us) { return us; }
static int vfs_time(UNUSED sqlite3_vfs *v, double *out) { return *out = 0, SQLITE_OK; }

/* --- tables ----------------------------------------------------------------------------------------------------------- */

/* A table while its rows are written. */
struct filled {
	const struct rows_table *table;
	struct sqlite_tree rows, keys; /* keys.root 0: the table has no key */
	uint64_t last;                 /* key */
	bool falls;                    /* keys are not in order: SQLite makes the index */
	uint8_t affinity[ROWS_COLUMNS];
};

struct db {
	struct export *x;
	struct rows_source source;
	sqlite3 *db;
	sqlite3_vfs vfs;
	char vfs_name[32];
	struct sqlite_pages pages;
	struct filled tables[ROWS_TABLES];
};

static int code_of(struct db *d, int status)
{
	if (status == SQLITE_OK || status == SQLITE_DONE)
		return 0;
	if (status == SQLITE_NOMEM)
		return EVL_NOMEM;
	if (status == SQLITE_INTERRUPT)
		return EVL_CANCELLED;
	d->x->why = d->x->why           ? d->x->why
		: status == SQLITE_FULL ? "no space left on the disk"
					: "the database cannot be written";
	return EVL_IO;
}

/* Called by SQLite while a statement runs. There is nothing to pass on, but the export may be cancelled. */
static int is_over(void *ctx) { return export_more(((struct db *)ctx)->x) < 0; }

static int run(struct db *d, const char *sql) { return code_of(d, sqlite3_exec(d->db, sql, NULL, NULL, NULL)); }

static int run_buf(struct db *d, struct buf *sql)
{
	buf_char(sql, '\0');
	return sql->failed ? EVL_NOMEM : run(d, sql->p);
}

/* The table of all events is called event: it is raw, the others are derived. */
static const char *name_of(const struct rows_table *t) { return t == rows_find("events") ? "event" : t->name; }

/* The affinity of the type that sql_column declares. */
static uint8_t affinity_of(enum unit unit)
{
	return unit == UNIT_TEXT                             ? SQLITE_TEXTUAL
		: unit_is_whole(unit) || unit == UNIT_NUMBER ? SQLITE_NUMERICAL
							     : SQLITE_REALS;
}

static int create(struct db *d, const struct rows_table *t)
{
	struct buf sql = {0};
	buf_printf(&sql, "CREATE TABLE \"%s", name_of(t));
	for (int i = 0; i < t->n_columns; i++) {
		buf_cstr(&sql, i ? ", " : "\" (");
		sql_column(&sql, &t->columns[i]);
	}
	buf_lit(&sql, ")");
	int result = run_buf(d, &sql);
	if (result == 0 && t->key >= 0) {
		buf_clear(&sql);
		buf_printf(&sql, "CREATE INDEX \"%s_key\" ON \"%s\" (\"", name_of(t), name_of(t));
		table_column_name(&sql, &t->columns[t->key]);
		buf_lit(&sql, "\")");
		result = run_buf(d, &sql);
	}
	buf_free(&sql);
	return result;
}

static struct filled *table_called(struct db *d, const char *name)
{
	for (size_t i = 0; i < ROWS_TABLES; i++)
		if (d->tables[i].table && strcmp(name_of(d->tables[i].table), name) == 0)
			return &d->tables[i];
	return NULL;
}

/* The pages that the tables and their indexes begin with, and how many there are. */
static int find_roots(struct db *d)
{
	sqlite3_stmt *s = NULL;
	int status = sqlite3_prepare_v2(
		d->db, "SELECT tbl_name, type = 'index', rootpage FROM sqlite_schema WHERE rootpage > 1", -1, &s, NULL);
	while (status == SQLITE_OK && (status = sqlite3_step(s)) == SQLITE_ROW) {
		struct filled *f = table_called(d, (const char *)sqlite3_column_text(s, 0));
		if (f)
			*(sqlite3_column_int(s, 1) ? &f->keys : &f->rows) = (struct sqlite_tree){.file = &d->pages,
				.root = (uint32_t)sqlite3_column_int64(s, 2),
				.is_index = sqlite3_column_int(s, 1)};
		status = SQLITE_OK;
	}
	sqlite3_finalize(s);
	if (status == SQLITE_DONE)
		status = sqlite3_prepare_v2(d->db, "PRAGMA page_count", -1, &s, NULL);
	else
		s = NULL;
	if (status == SQLITE_OK && (status = sqlite3_step(s)) == SQLITE_ROW) {
		d->pages.n = (uint32_t)sqlite3_column_int64(s, 0);
		status = SQLITE_OK;
	}
	sqlite3_finalize(s);
	return code_of(d, status);
}

/* A tree that cannot be written: no space, most often. */
static int pages_failed(struct db *d)
{
	if (d->pages.error == EVL_IO)
		return code_of(d, errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR);
	return d->pages.error;
}

static int add_row(struct db *d, struct filled *f, struct rows_scan *scan)
{
	enum { LOOK_UP = 1 << 10 };
	struct datum cells[ROWS_COLUMNS];
	rows_row(scan, cells);
	if (scan->scratch.failed)
		return EVL_NOMEM;
	sqlite_tree_row(&f->rows, cells, f->affinity, f->table->n_columns);
	if (f->keys.root && !f->falls) {
		const struct datum *key = &cells[f->table->key];
		f->falls = key->kind != CELL_COUNT || key->count < f->last || key->count > INT64_MAX;
		f->last = key->count;
		if (f->falls)
			sqlite_tree_drop(&f->keys);
		else
			sqlite_tree_key(&f->keys, f->last, f->rows.rowid);
	}
	if (d->pages.error)
		return pages_failed(d);
	return f->rows.rowid % LOOK_UP ? 0 : export_more(d->x);
}

static int fill_alone(struct db *d, struct filled *f)
{
	struct rows_scan scan = {.table = f->table, .source = &d->source, .ask = ROWS_ALL};
	int result = rows_open(&scan);
	while (result == 0 && (result = rows_next(&scan)) > 0)
		result = add_row(d, f, &scan);
	rows_close(&scan);
	rows_source_drop(&d->source, f->table);
	return result;
}

static int fill_together(struct db *d)
{
	struct rows_together *g = calloc(1, sizeof *g);
	struct filled *of[ROWS_TABLES];
	struct rows_scan *scan;
	if (!g)
		return EVL_NOMEM;
	for (size_t i = 0; i < ROWS_TABLES; i++)
		if (d->tables[i].table && rows_can_share(d->tables[i].table)) {
			of[g->n] = &d->tables[i];
			g->scans[g->n++] =
				(struct rows_scan){.table = d->tables[i].table, .source = &d->source, .ask = ROWS_ALL};
		}
	int result = rows_open_together(g);
	while (result == 0 && (result = rows_next_together(g, &scan)) > 0)
		result = add_row(d, of[scan - g->scans], scan);
	rows_close_together(g);
	free(g);
	return result;
}

/* An index whose keys were not in order is left empty. */
static int fill(struct db *d)
{
	int result = fill_together(d);
	for (size_t i = 0; i < ROWS_TABLES && result == 0; i++)
		if (d->tables[i].table && !rows_can_share(d->tables[i].table))
			result = fill_alone(d, &d->tables[i]);
	for (size_t i = 0; i < ROWS_TABLES && result == 0; i++)
		if (d->tables[i].table) {
			sqlite_tree_end(&d->tables[i].rows);
			if (!d->tables[i].falls)
				sqlite_tree_end(&d->tables[i].keys);
		}
	if (result == 0)
		sqlite_pages_end(&d->pages);
	return result == 0 && d->pages.error ? pages_failed(d) : result;
}

/* meta: the unit and the meaning of each column. */
static int put_meta(struct db *d, bool raw)
{
	sqlite3_stmt *s = NULL;
	int result = run(d, "CREATE TABLE meta (\"table\" TEXT, \"column\" TEXT, unit TEXT, meaning TEXT)");
	result = result ? result
			: code_of(d, sqlite3_prepare_v2(d->db, "INSERT INTO meta VALUES (?, ?, ?, ?)", -1, &s, NULL));
	for (int i = 0; i < ROWS_TABLES && result == 0; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		for (int k = 0; k < t->n_columns && result == 0 && (raw || i != ROWS_events); k++) {
			struct buf name = {0};
			table_column_name(&name, &t->columns[k]);
			sqlite3_bind_text(s, 1, name_of(t), -1, SQLITE_STATIC);
			sqlite3_bind_text(s, 2, name.p, (int)name.len, SQLITE_TRANSIENT);
			sqlite3_bind_text(s, 3, rows_unit(t->columns[k].unit), -1, SQLITE_STATIC);
			sqlite3_bind_text(s, 4, t->columns[k].meaning, -1, SQLITE_STATIC);
			result = name.failed ? EVL_NOMEM : code_of(d, sqlite3_step(s));
			sqlite3_reset(s);
			buf_free(&name);
		}
	}
	sqlite3_finalize(s);
	return result;
}

static const char views[] =
	"CREATE INDEX threads_label ON threads (label) WHERE label IS NOT NULL;"
	"CREATE INDEX spans_name ON spans (name);"
	"CREATE VIEW gc_generations AS SELECT gen, count(*) AS n, sum(pause_ns) AS pause_ns, max(pause_ns) AS "
	"max_pause_ns,"
	" sum(copied_bytes) AS copied_bytes FROM gc GROUP BY gen;"
	"CREATE VIEW span_names AS SELECT name, count(*) AS n, sum(duration_ns) AS total_ns, max(duration_ns) AS "
	"max_ns,"
	" sum(gc_ns) AS gc_ns, sum(blocked_ns) AS blocked_ns FROM spans GROUP BY name;"
	"CREATE VIEW thread_labels AS SELECT label, count(*) AS n, sum(run_ns) AS run_ns, sum(blocked_ns) AS "
	"blocked_ns,"
	" max(latency_wait_ns) AS max_wait_ns FROM threads GROUP BY label;"
	"CREATE VIEW named_runs AS SELECT r.*, t.label FROM runs r LEFT JOIN threads t ON t.id = r.thread;"
	"CREATE VIEW wake_pairs AS SELECT waker, thread, count(*) AS n FROM wakes GROUP BY waker, thread;";

static int close_db(struct db *d, int result)
{
	int closed = sqlite3_close(d->db);
	d->db = NULL;
	return result == 0 ? code_of(d, closed) : result;
}

static int open_db(struct db *d)
{
	enum { LOOK_UP = 100000 };
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	int result = code_of(d, sqlite3_open_v2("evl.db", &d->db, flags, d->vfs_name));
	if (result == 0)
		sqlite3_progress_handler(d->db, LOOK_UP, is_over, d);
	return result ? result
		      : run(d,
			      "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
			      "PRAGMA temp_store = FILE; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -2000; "
			      "BEGIN");
}

static int make_empty(struct db *d)
{
	int result = open_db(d);
	for (int i = 0; i < ROWS_TABLES && result == 0; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		if (i == ROWS_events && !d->x->raw)
			continue;
		d->tables[i].table = t;
		for (int k = 0; k < t->n_columns; k++)
			d->tables[i].affinity[k] = affinity_of(t->columns[k].unit);
		result = create(d, t);
	}
	result = result ? result : put_meta(d, d->x->raw);
	result = result ? result : run(d, "COMMIT");
	result = result ? result : find_roots(d);
	return close_db(d, result);
}

static int finish(struct db *d)
{
	struct buf sql = {0};
	int result = open_db(d);
	for (size_t i = 0; i < ROWS_TABLES; i++)
		if (d->tables[i].falls) {
			buf_printf(&sql, "REINDEX \"%s_key\";", name_of(d->tables[i].table));
		}
	buf_printf(&sql, "%sCOMMIT", views);
	result = result ? result : run_buf(d, &sql);
	buf_free(&sql);
	return close_db(d, result);
}

static int put_all(struct db *d)
{
	int result = make_empty(d);
	result = result ? result : fill(d);
	for (size_t i = 0; i < ROWS_TABLES; i++) {
		sqlite_tree_free(&d->tables[i].rows);
		sqlite_tree_free(&d->tables[i].keys);
	}
	rows_source_free(&d->source);
	return result ? result : finish(d);
}

int export_sqlite(struct export *x)
{
	if (!x->file || x->file->direct) {
		x->why = "a database can only be written to a regular file";
		return EVL_USAGE;
	}
	struct db *d = calloc(1, sizeof *d);
	if (!d)
		return EVL_NOMEM;
	d->x = x;
	d->source = (struct rows_source){.log = x->log, .from = x->from, .to = x->to, .cancel = x->cancel, .all = true};
	d->pages.fd = x->file->fd;
	sqlite3_snprintf(sizeof d->vfs_name, d->vfs_name, "evl-%p", (void *)d);
	d->vfs = (sqlite3_vfs){.iVersion = 1,
		.szOsFile = sizeof(struct fd_file),
		.mxPathname = 64,
		.zName = d->vfs_name,
		.pAppData = &x->file->fd,
		.xOpen = vfs_open,
		.xDelete = vfs_delete,
		.xAccess = vfs_access,
		.xFullPathname = vfs_path,
		.xRandomness = vfs_random,
		.xSleep = vfs_sleep,
		.xCurrentTime = vfs_time};
	int result = sqlite3_vfs_register(&d->vfs, 0) == SQLITE_OK ? 0 : EVL_NOMEM;
	if (result == 0) {
		result = put_all(d);
		sqlite3_vfs_unregister(&d->vfs);
	}
	free(d->pages.unused);
	free(d);
	return result;
}
