/* Any bytes as a file of info tables (SQLite or an archive): it is refused, or looked up in; each lookup ends. Names found are
 * added to a file made here, and found again there. */
#include "fuzz.h"

#include "exe/ipedb.h"
#include "exe/saved_table.h"

enum { IDS = 24 };

static bool equal(struct evl_str a, struct evl_str b) { return a.len == b.len && (!a.len || !memcmp(a.p, b.p, a.len)); }

static void check_again(const struct buf *file, uint64_t id, struct evl_str table, struct evl_str location)
{
	struct ipedb *db;
	struct ipe_entry entry;
	struct source bytes;
	source_from_memory(&bytes, file->p, file->len);
	check(ipedb_open(&db, &bytes, "again", NULL) == 0);
	check(ipedb_find(db, id, &entry) && equal(entry.table, table) && equal(entry.location, location));
	ipedb_close(db);
}

static bool read_value(void *ctx, uint64_t key, struct evl_str value)
{
	struct saved_value v = {.rest = value};
	struct buf place = {0};
	size_t *n = ctx;
	struct evl_str text = saved_text(&v);
	*n += fuzz_seed(text.p, text.len) + key;
	saved_place(&v, &place);
	buf_free(&place);
	return saved_number(&v, 1) != 7;
}

static void read_table(const uint8_t *data, size_t len)
{
	struct saved_table t;
	struct source source;
	size_t n = 0;
	source_from_memory(&source, data, len);
	if (!saved_table_is(data, len) || saved_table_open(&t, &source, "any.tar", NULL) < 0)
		return;
	saved_table_each(&t, 4, read_value, &n);
	saved_table_close(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ipedb *db, *made;
	struct ipe_entry entry;
	struct evl_err err = {0};
	struct buf file = {0}, table = {0}, location = {0};
	uint64_t seed = fuzz_seed(data, len), last = 0;
	bool found = false;
	struct source source;
	source_from_memory(&source, data, len);
	read_table(data, len);
	int result = ipedb_open(&db, &source, "any.db", &err);
	check(result == 0 || ((result == EVL_NOT_A_LOG || result == EVL_IO) && err.text[0] && !db));
	if (result < 0)
		return 0;
	check(ipedb_new(&made) == 0);
	for (uint64_t i = 0; i < IDS; i++) {
		uint64_t id = i < IDS / 2 ? i : fuzz_random(&seed);
		if (!ipedb_find(db, id, &entry))
			continue;
		found = true;
		last = id;
		check(ipedb_add(made, &entry) == 0);
		buf_clear(&table);
		buf_clear(&location);
		buf_str(&table, entry.table);
		buf_str(&location, entry.location);
	}
	check(ipedb_save(made, &file) == 0);
	if (found)
		check_again(&file, last, (struct evl_str){(const uint8_t *)table.p, table.len},
			(struct evl_str){(const uint8_t *)location.p, location.len});
	ipedb_close(made);
	ipedb_close(db);
	buf_free(&file);
	buf_free(&table);
	buf_free(&location);
	return 0;
}
