/* Pages of a database that are written without SQLite: SQLite finds them whole, with every row and type as given. */
#include "export/sqlite_pages.h"

#include "logs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/evl-pages-XXXXXX";

static sqlite3 *open_db(void)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

static sqlite3_int64 ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s;
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	sqlite3_int64 v = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return v;
}

static void assert_whole(sqlite3 *db)
{
	sqlite3_stmt *s;
	assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(s, 0), "ok");
	sqlite3_finalize(s);
}

/* Empty tables, by SQLite; the trees to fill. */
static void begin(struct sqlite_pages *p, struct sqlite_tree *rows, struct sqlite_tree *keys)
{
	int fd = mkstemp(strcpy(path, "/tmp/evl-pages-XXXXXX"));
	assert_true(fd >= 0);
	sqlite3 *db = open_db();
	assert_int_equal(sqlite3_exec(db,
				 "PRAGMA page_size = 16384; CREATE TABLE t (k INTEGER, s TEXT, n NUMERIC, r REAL);"
				 "CREATE INDEX i ON t (k)",
				 NULL, NULL, NULL),
		SQLITE_OK);
	*p = (struct sqlite_pages){.fd = fd, .n = (uint32_t)ask(db, "PRAGMA page_count")};
	*rows = (struct sqlite_tree){
		.file = p, .root = (uint32_t)ask(db, "SELECT rootpage FROM sqlite_schema WHERE name = 't'")};
	*keys = (struct sqlite_tree){.file = p,
		.root = (uint32_t)ask(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'i'"),
		.is_index = true};
	sqlite3_close(db);
}

static sqlite3 *end(struct sqlite_pages *p, struct sqlite_tree *rows, struct sqlite_tree *keys)
{
	sqlite_tree_end(rows);
	sqlite_tree_end(keys);
	sqlite_pages_end(p);
	assert_int_equal(p->error, 0);
	sqlite_tree_free(rows);
	sqlite_tree_free(keys);
	close(p->fd);
	sqlite3 *db = open_db();
	assert_whole(db);
	return db;
}

static const uint8_t affinity[] = {SQLITE_NUMERICAL, SQLITE_TEXTUAL, SQLITE_NUMERICAL, SQLITE_REALS};

static void test_values(void **state)
{
	static const int64_t numbers[] = {0, 1, 2, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 8388607,
		8388608, -8388608, -8388609, 2147483647, 2147483648, -2147483648, -2147483649, 140737488355327,
		140737488355328, -140737488355328, -140737488355329, INT64_MAX, INT64_MIN};
	static const size_t lengths[] = {0, 1, 57, 58, 8000, 16340, 16341, 16342, 16343, 16344, 16345, 16346, 16347,
		16348, 16349, 16350, 16360, 16384, 32700, 32740, 50000, 400000};
	const size_t n = countof(numbers) > countof(lengths) ? countof(numbers) : countof(lengths);
	struct sqlite_pages p;
	struct sqlite_tree rows, keys;
	uint8_t *text = malloc(400000);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < 400000; i++)
		text[i] = (uint8_t)('a' + i * 7 % 26);
	begin(&p, &rows, &keys);
	for (size_t i = 0; i < n; i++) {
		struct evl_str s = {text, lengths[i % countof(lengths)]};
		struct datum cells[] = {cell_count(i), cell_text(s), cell_signed(numbers[i % countof(numbers)]),
			i % 3 ? cell_real((double)i / 4) : CELL_NONE};
		sqlite_tree_row(&rows, cells, affinity, countof(cells));
		sqlite_tree_key(&keys, i, i + 1);
	}
	struct datum last[] = {cell_count(UINT64_MAX), cell_text(EVL_STR("\xff<")), cell_real(3), cell_count(7)};
	sqlite_tree_row(&rows, last, affinity, countof(last));
	sqlite_tree_key(&keys, INT64_MAX, n + 1); /* no index has it: SQLite is to see that */
	sqlite_tree_end(&rows);
	sqlite_pages_end(&p);
	sqlite_tree_free(&rows);
	sqlite_tree_free(&keys);
	close(p.fd);
	sqlite3 *db = open_db();
	sqlite3_exec(db, "REINDEX i", NULL, NULL, NULL);
	assert_whole(db);
	sqlite3_stmt *s;
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT k, s, n, r FROM t ORDER BY rowid", -1, &s, NULL), SQLITE_OK);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(sqlite3_step(s), SQLITE_ROW);
		assert_int_equal(sqlite3_column_int64(s, 0), i);
		assert_int_equal(sqlite3_column_bytes(s, 1), lengths[i % countof(lengths)]);
		assert_memory_equal(sqlite3_column_text(s, 1), text, lengths[i % countof(lengths)]);
		assert_true(sqlite3_column_int64(s, 2) == numbers[i % countof(numbers)]);
		assert_int_equal(sqlite3_column_type(s, 3), i % 3 ? SQLITE_FLOAT : SQLITE_NULL);
		assert_true(i % 3 == 0 || sqlite3_column_double(s, 3) == (double)i / 4);
	}
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_int_equal(sqlite3_column_type(s, 0), SQLITE_FLOAT);
	assert_string_equal((const char *)sqlite3_column_text(s, 1), "\xef\xbf\xbd<");
	assert_int_equal(sqlite3_column_type(s, 2), SQLITE_INTEGER);
	assert_int_equal(sqlite3_column_type(s, 3), SQLITE_FLOAT);
	assert_int_equal(sqlite3_step(s), SQLITE_DONE);
	sqlite3_finalize(s);
	sqlite3_close(db);
	unlink(path);
	free(text);
}

/* Trees of one page, of two levels and of three; every row is found by its key and by its rowid. */
static void fill(size_t n, size_t text_len)
{
	struct sqlite_pages p;
	struct sqlite_tree rows, keys;
	char *text = calloc(1, text_len + 1), sql[200];
	assert_non_null(text);
	memset(text, 'x', text_len);
	begin(&p, &rows, &keys);
	for (size_t i = 0; i < n; i++) {
		struct datum cells[] = {cell_count((uint64_t)1 << 33 | i / 3),
			cell_text((struct evl_str){(uint8_t *)text, text_len}), cell_count(i), cell_real(0.5)};
		sqlite_tree_row(&rows, cells, affinity, countof(cells));
		sqlite_tree_key(&keys, cells[0].count, i + 1);
	}
	sqlite3 *db = end(&p, &rows, &keys);
	assert_int_equal(ask(db, "SELECT count(*) FROM t NOT INDEXED"), n);
	assert_int_equal(ask(db, "SELECT count(k) FROM t INDEXED BY i"), n);
	assert_int_equal(ask(db, "SELECT count(*) FROM t WHERE rowid <> n + 1 OR length(s) IS NULL"), 0);
	for (size_t i = 0; i < n; i += n / 50 + 1) {
		snprintf(sql, sizeof sql, "SELECT min(n) FROM t INDEXED BY i WHERE k = %llu", (1ull << 33) + i / 3);
		assert_int_equal(ask(db, sql), i / 3 * 3);
		snprintf(sql, sizeof sql, "SELECT n FROM t WHERE rowid = %zu", i + 1);
		assert_int_equal(ask(db, sql), i);
	}
	assert_int_equal(
		sqlite3_exec(db, "INSERT INTO t VALUES (1, 'y', 2, 3); DELETE FROM t WHERE n % 2", NULL, NULL, NULL),
		SQLITE_OK);
	assert_whole(db);
	sqlite3_close(db);
	unlink(path);
	free(text);
}

static void test_trees(void **state)
{
	(void)state;
	fill(0, 0);
	fill(1, 10);
	for (size_t n = 600; n < 1200; n += 97)
		fill(n, 4);
	fill(1 << 16, 1);
	fill(6000, 4000); /* three levels */
}

/* Drop the index, end the file, and open it as a database. */
static sqlite3 *end_without_keys(struct sqlite_pages *p, struct sqlite_tree *rows, struct sqlite_tree *keys)
{
	sqlite_tree_drop(keys);
	sqlite_tree_end(rows);
	sqlite_pages_end(p);
	assert_int_equal(p->error, 0);
	sqlite_tree_free(rows);
	close(p->fd);
	return open_db();
}

/* Keys of n rows that turn out not to be in order: the pages of the index are free, and SQLite takes them for its own. */
static void fall(size_t n)
{
	struct sqlite_pages p;
	struct sqlite_tree rows, keys;
	begin(&p, &rows, &keys);
	for (size_t i = 0; i < n; i++) {
		struct datum cells[] = {cell_count((uint64_t)1 << 33 | (n - i)), CELL_NONE, cell_count(i), CELL_NONE};
		sqlite_tree_row(&rows, cells, affinity, countof(cells));
		sqlite_tree_key(&keys, (uint64_t)1 << 33 | i, i + 1);
	}
	sqlite3 *db = end_without_keys(&p, &rows, &keys);
	assert_int_equal(ask(db, "PRAGMA freelist_count") > 0, n > 2000);
	assert_int_equal(sqlite3_exec(db, "REINDEX i", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(ask(db, "PRAGMA freelist_count") <= 1 + (sqlite3_int64)n / 100000, 1);
	assert_whole(db);
	assert_int_equal(ask(db, "SELECT count(*) FROM t INDEXED BY i WHERE k > 0"), n);
	sqlite3_close(db);
	unlink(path);
}

static void test_falls(void **state)
{
	(void)state;
	fall(10);
	fall(5000);
	fall(200000);
}

/* More unused pages than one page lists. */
static void test_many_unused(void **state)
{
	enum { MANY = 10000 };
	struct sqlite_pages p;
	struct sqlite_tree rows, keys;
	(void)state;
	begin(&p, &rows, &keys);
	keys.pages = calloc(MANY, sizeof *keys.pages);
	assert_non_null(keys.pages);
	for (keys.n_pages = 0; keys.n_pages < MANY;)
		keys.pages[keys.n_pages++] = ++p.n;
	assert_int_equal(ftruncate(p.fd, (off_t)p.n * SQLITE_PAGE), 0);
	sqlite3 *db = end_without_keys(&p, &rows, &keys);
	assert_int_equal(ask(db, "PRAGMA freelist_count"), MANY);
	assert_whole(db);
	sqlite3_close(db);
	unlink(path);
}

/* The file cannot be written. */
static void test_failure(void **state)
{
	struct sqlite_pages p = {.fd = -1, .n = 3};
	struct sqlite_tree rows = {.file = &p, .root = 2};
	struct datum cells[] = {cell_count(1), cell_word("text"), CELL_NONE, CELL_NONE};
	(void)state;
	for (size_t i = 0; i < 5000; i++)
		sqlite_tree_row(&rows, cells, affinity, countof(cells));
	sqlite_tree_end(&rows);
	assert_int_equal(p.error, EVL_IO);
	sqlite_tree_free(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_falls),
		cmocka_unit_test(test_many_unused),
		cmocka_unit_test(test_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
