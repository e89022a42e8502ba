#include "prof/ccdb.h"

#include "base/idmap.h"
#include "exe/saved_table.h"

#include <stdlib.h>

/* A centre without its place, which is in `places`. */
struct centre {
	struct cost_centre c;
	size_t place, len;
};

struct ccdb {
	struct saved_table table;
	struct centre *centres;
	size_t n, room;
	struct idmap by_id;
	struct buf places;
	int result;
	const char *why;
};

static bool add(void *ctx, uint64_t id, struct evl_str value)
{
	struct ccdb *db = ctx;
	struct saved_value v = {.rest = value};
	struct centre centre = {.place = db->places.len};
	uint32_t place;
	centre.c.label = saved_text(&v);
	centre.c.module = saved_text(&v);
	saved_place(&v, &db->places);
	centre.c.is_caf = saved_number(&v, 1) & 1;
	centre.len = db->places.len - centre.place;
	if (v.bad || idmap_find(&db->by_id, id, &place)) {
		db->places.len = centre.place;
		return true;
	}
	if (db->n == CCDB_MOST || db->places.len > CCDB_TEXTS) {
		db->result = EVL_NOT_A_LOG;
		db->why = "has too many cost centres";
	} else if (db->places.failed || !GROW(db->centres, db->n, db->room)
		|| !idmap_put(&db->by_id, id, (uint32_t)db->n)) {
		db->result = EVL_NOMEM;
		db->why = "out of memory";
	} else {
		db->centres[db->n++] = centre;
	}
	return db->result == 0;
}

/* The places do not move any more. Where ccdb has none, GHC had "<built-in>", or "<entire-module>" for the CAFs of one. */
static void finish(struct ccdb *db)
{
	for (size_t i = 0; i < db->n; i++) {
		struct centre *c = &db->centres[i];
		const uint8_t *place = (const uint8_t *)db->places.p + c->place;
		bool known = c->len > 1; /* than a colon */
		struct evl_str none = c->c.is_caf ? EVL_STR("<entire-module>") : EVL_STR("<built-in>");
		c->c.location = known ? (struct evl_str){place, c->len} : none;
		c->c.is_rts = !known && cost_centre_is_built_in(c->c.label, c->c.module);
	}
}

int ccdb_open(struct ccdb **out, const char *path, struct evl_err *err)
{
	struct source source;
	struct ccdb *db = *out = calloc(1, sizeof *db);
	if (!db)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	db->table.source.slot = -1;
	int result = source_open(&source, path, err);
	result = result ? result : saved_table_open(&db->table, &source, path, err);
	if (result == 0) {
		saved_table_each(&db->table, sizeof(uint32_t), add, db);
		if (db->result == 0 && db->n == 0) {
			db->result = EVL_NOT_A_LOG;
			db->why = "has no cost centres";
		}
		result = db->result ? evl_fail(err, db->result, EVL_NO_OFFSET, "%s: %s", path, db->why) : 0;
	}
	if (result < 0) {
		ccdb_close(db);
		*out = NULL;
	} else {
		finish(db);
	}
	return result;
}

void ccdb_close(struct ccdb *db)
{
	if (!db)
		return;
	saved_table_close(&db->table);
	free_all(db->centres);
	idmap_free(&db->by_id);
	buf_free(&db->places);
	free(db);
}

bool ccdb_find(const struct ccdb *db, uint32_t id, struct cost_centre *out)
{
	uint32_t place;
	if (!idmap_find(&db->by_id, id, &place))
		return false;
	*out = db->centres[place].c;
	return true;
}
