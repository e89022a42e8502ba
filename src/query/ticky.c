#include "query/ticky.h"

#include "base/find.h"
#include "base/gallop.h"
#include "base/idmap.h"
#include "base/order.h"
#include "exe/exe.h"
#include "format/decode.h"

#include <stdlib.h>

struct work {
	struct ticky *out;
	const struct evl_log *log;
	uint64_t from, to;
	struct idmap places;
	size_t room;
	bool failed;
};

/* The row of a counter; NULL past the ceiling. */
static struct ticky_row *row_of(struct work *w, uint64_t id)
{
	struct ticky *t = w->out;
	uint32_t place;
	if (idmap_find(&w->places, id, &place))
		return &t->items[place];
	if (t->n >= TICKY_COUNTERS)
		return NULL;
	if (!GROW(t->items, t->n, w->room) || !idmap_put(&w->places, id, (uint32_t)t->n)) {
		w->failed = true;
		return NULL;
	}
	t->items[t->n] = (struct ticky_row){.id = id};
	return &t->items[t->n++];
}

static void add_sample(struct work *w, const uint8_t *payload)
{
	enum { ENTRIES_AT = 8, ALLOCS_AT = 16, ALLOCD_AT = 24 };
	struct ticky *t = w->out;
	struct ticky_row *row = row_of(w, be64(payload));
	uint64_t entries = be64(payload + ENTRIES_AT), allocs = be64(payload + ALLOCS_AT),
		 allocd = be64(payload + ALLOCD_AT);
	t->entries += entries;
	t->allocs += allocs;
	t->allocd += allocd;
	t->other += row == NULL;
	if (!row)
		return;
	row->entries += entries;
	row->allocs += allocs;
	row->allocd += allocd;
}

/* The info table that a definition names. */
static uint64_t table_of(const struct evl_log *log, const struct frame *f)
{
	struct evl_value values[EVL_MAX_FIELDS];
	const struct schema *schema = header_of(&log->header, f->tag)->schema;
	int table = schema ? decode_field(schema, "info_table") : -1;
	return table >= 0 && decode(schema, f->payload, values) >= 0 ? values[table].u : 0;
}

static void add(struct work *w, const struct frame *f)
{
	bool inside = f->t >= w->from && f->t < w->to;
	if (!event_readable(&w->log->header, f))
		return;
	if (f->tag == EVL_TICKY_BEGIN_SAMPLE) {
		w->out->samples += inside;
	} else if (f->tag == EVL_TICKY_COUNTER_SAMPLE && inside) {
		add_sample(w, f->payload.p);
	} else if (f->tag == EVL_TICKY_COUNTER_DEF) {
		struct ticky_row *row = row_of(w, be64(f->payload.p));
		if (row) {
			row->defined = f->off;
			row->table = table_of(w->log, f);
		}
	}
}

/* The tiles of a chain in which such events occur. */
static int read_chain(struct work *w, uint32_t chain, const struct progress *watch)
{
	const struct blocks *b = &w->log->blocks;
	const struct tile_table *table = &w->log->tiles[chain];
	size_t ready = atomic_load(&table->ready);
	const struct tile_want want = {.classes = tile_class(header_find(b->header, EVL_TICKY_COUNTER_SAMPLE))};
	struct cursor c;
	struct frame f;
	const struct block *block;
	cursor_begin(&c, b, &b->chains[chain], atomic_load(&table->walked));
	for (size_t i = 0; (i = tiles_next(table, ready, i, ready, &want)) < ready; i++) {
		if (progress_cancelled(watch))
			return EVL_CANCELLED;
		uint64_t end = i + 1 < ready ? table->tiles[i + 1].off : UINT64_MAX;
		cursor_seek(&c, table->tiles[i].off);
		while (cursor_next(&c, &f, &block) && f.off < end)
			add(w, &f);
	}
	return 0;
}

COMPARE_BY(by_allocs, struct ticky_row, FALLING(allocs) ?: FALLING(entries) ?: RISING(id));

struct wanted {
	uint64_t table;
	struct ticky_row *row;
};

ORDER_BY(by_table, struct wanted, table);

/* Ask the program for the places that the log does not have. */
static int ask_exe(struct wanted *all, size_t n, struct exe *exe, const struct progress *watch)
{
	uint64_t *ids = malloc((n + 1) * sizeof *ids);
	size_t asked = 0;
	for (size_t i = 0; ids && i < n; i++)
		if (!all[i].row->source.len)
			ids[asked++] = all[i].table;
	int result = ids ? exe_resolve(exe, ids, asked, watch ? watch->cancel : NULL) : EVL_NOMEM;
	free(ids);
	for (size_t i = 0; i < n && result == 0; i++) {
		const struct exe_name *name = all[i].row->source.len ? NULL : exe_find(exe, all[i].table);
		if (name && name->how != EXE_NEAR && !str_is(name->entry.location, ":"))
			all[i].row->source = name->entry.location;
	}
	return result;
}

int ticky_find_sources(struct ticky *t, const struct evl_log *log, const struct progress *watch)
{
	enum { LOOK = 1 << 12 }; /* entries from one look at `cancel` to the next */
	const struct program_facts facts = program_get(&log->program);
	const uint64_t shift = ipe_shift(facts.rts);
	struct wanted *all = malloc((t->n + 1) * sizeof *all);
	struct exe *exe = evl_naming(log).exe;
	struct ipe_reader reader;
	struct ipe_entry entry;
	size_t n = 0, read = 0;
	int result = 0;
	if (!all)
		return EVL_NOMEM;
	for (size_t i = 0; i < t->n; i++)
		if (t->items[i].table)
			all[n++] = (struct wanted){t->items[i].table, &t->items[i]};
	if (n)
		qsort(all, n, sizeof *all, by_table);
	ipe_begin(&reader, &log->ipe, &log->blocks);
	while (n && result == 0 && ipe_next(&reader, &entry)) {
		result = read++ % LOOK == 0 && progress_cancelled(watch) ? EVL_CANCELLED : 0;
		BISECT(at, n, all[mid].table < entry.id - shift);
		for (; at < n && all[at].table == entry.id - shift; at++)
			if (!str_is(entry.location, ":"))
				all[at].row->source = entry.location;
	}
	if (result == 0 && n && exe)
		result = ask_exe(all, n, exe, watch);
	free(all);
	return result;
}

int ticky_make(struct ticky *t, const struct evl_log *log, uint64_t from, uint64_t to, const struct progress *watch)
{
	struct work w = {.out = t, .log = log, .from = from, .to = to};
	bool any = log->event_counts.tags.n[EVL_TICKY_COUNTER_SAMPLE] > 0;
	int result = 0;
	*t = (struct ticky){0};
	for (uint32_t c = 0; any && result == 0 && c < log->blocks.n_chains; c++)
		result = read_chain(&w, c, watch);
	idmap_free(&w.places);
	if (result == 0 && w.failed)
		result = EVL_NOMEM;
	if (result == 0 && t->n)
		qsort(t->items, t->n, sizeof *t->items, by_allocs);
	if (result < 0)
		ticky_free(t);
	return result;
}

void ticky_free(struct ticky *t)
{
	free(t->items);
	*t = (struct ticky){0};
}

/* The rest of a text after its first occurrence of a key; empty if it is not there. */
static struct evl_str rest_after(struct evl_str s, const char *key)
{
	const uint8_t *at = s.len ? find_bytes(s.p, s.len, key, strlen(key)) : NULL;
	return at ? (struct evl_str){at + strlen(key), s.len - (size_t)(at - s.p) - strlen(key)} : (struct evl_str){0};
}

static struct evl_str quoted_after(struct evl_str s, const char *key)
{
	s = rest_after(s, key);
	const uint8_t *end = s.len ? memchr(s.p, '"', s.len) : NULL;
	return end ? (struct evl_str){s.p, (size_t)(end - s.p)} : (struct evl_str){0};
}

/* {"type":"entCntr","subTy":"fun","fvs_c":1,"fvs":"L","args":"iL"} */
static void read_json(struct evl_str json, struct ticky_name *out)
{
	struct evl_str args = quoted_after(json, "\"args\":\""), count = rest_after(json, "\"fvs_c\":");
	out->what = quoted_after(json, "\"subTy\":\"");
	out->kinds = out->kinds.len ? out->kinds : args;
	for (size_t i = 0; i < count.len && is_digit(count.p[i]) && out->free < 1 << 16; i++) {
		out->free = 10 * out->free + (unsigned)(count.p[i] - '0');
		out->has_free = true;
	}
}

bool ticky_name(const struct evl_log *log, const struct ticky_row *row, struct ticky_name *out)
{
	struct evl_value values[EVL_MAX_FIELDS];
	struct frame f;
	*out = (struct ticky_name){0};
	if (row->defined == 0
		|| frame_read(&log->header, log->source.data, row->defined, log->source.len, &f) != FRAME_OK)
		return false;
	const struct schema *schema = header_of(&log->header, f.tag)->schema;
	if (!schema || decode(schema, f.payload, values) < 0)
		return false;
	int arity = decode_field(schema, "arity"), kinds = decode_field(schema, "kinds"),
	    label = decode_field(schema, "label");
	out->arity = arity >= 0 ? (unsigned)values[arity].u : 0;
	out->kinds = kinds >= 0 ? values[kinds].str : (struct evl_str){0};
	int json = decode_field(schema, "json");
	if (json >= 0)
		read_json(values[json].str, out);
	out->label = label >= 0 ? values[label].str : (struct evl_str){0};
	return label >= 0;
}
