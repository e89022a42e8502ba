#include "query/census_label.h"

#include <inttypes.h>
#include <stdio.h>

enum { LOOK_UP = 1024, ID = 4 };

int census_resolve(struct bands *bands, const struct evl_log *log, const atomic_bool *cancel)
{
	struct program_facts facts = program_get(&log->program);
	uint64_t shift = ipe_shift(facts.rts);
	struct ipe_reader reader;
	struct ipe_entry entry;
	char text[24];
	ipe_begin(&reader, &log->ipe, &log->blocks);
	for (unsigned i = 1; ipe_next(&reader, &entry); i++) {
		int len = snprintf(text, sizeof text, "0x%" PRIx64, entry.id - shift);
		struct band *band = bands_find(bands, (struct evl_str){(const uint8_t *)text, (size_t)len});
		if (band)
			band->ipe = entry.off;
		if (i % LOOK_UP == 0 && cancel && atomic_load_explicit(cancel, memory_order_relaxed))
			return EVL_CANCELLED;
	}
	return 0;
}

/* Those without a centre of their own are told apart by their module. */
static void put_centre(const struct prof_naming *names, uint32_t id, struct buf *out)
{
	struct cost_centre centre;
	if (!cost_centre_read(names->centres, names->blocks, id, &centre)) {
		buf_lit(out, "centre-");
		buf_decimal(out, id);
		return;
	}
	if (centre.is_caf) {
		buf_str(out, centre.module);
		buf_char(out, '.');
	}
	buf_str(out, centre.label);
}

void census_stack_label(const struct prof_naming *names, struct evl_str stack, struct buf *out)
{
	for (size_t i = 0; i + ID <= stack.len; i += ID) {
		if (i)
			buf_char(out, '/');
		put_centre(names, be32(stack.p + i), out);
	}
	if (stack.len < ID)
		buf_lit(out, "MAIN");
}

/* "88:13-41" of "src/Main.hs:88:13-41". */
static struct evl_str span_of(struct evl_str location)
{
	const uint8_t *slash = location.len ? memrchr(location.p, '/', location.len) : NULL;
	const uint8_t *from = slash ? slash : location.p, *end = location.p + location.len;
	const uint8_t *colon = location.len ? memchr(from, ':', (size_t)(end - from)) : NULL;
	return colon ? (struct evl_str){colon + 1, (size_t)(end - colon - 1)} : (struct evl_str){0};
}

static void put_entry(const struct ipe_entry *entry, struct buf *out)
{
	struct evl_str span = span_of(entry->location);
	buf_str(out, entry->label.len ? entry->label : entry->table);
	buf_char(out, ' ');
	buf_str(out, entry->module);
	if (span.len)
		buf_char(out, ':');
	buf_str(out, span);
}

void census_label(const struct prof_naming *names, const struct band *band, struct buf *out)
{
	struct evl_str key = band_key(band);
	struct ipe_entry entry;
	if (band->ipe && ipe_at(names->blocks, band->ipe, &entry))
		put_entry(&entry, out);
	else if (band->is_stack)
		census_stack_label(names, key, out);
	else if (key.len)
		buf_str(out, key);
	else
		buf_lit(out, "(no name)");
}

struct evl_str census_location(const struct prof_naming *names, const struct band *band)
{
	struct evl_str key = band_key(band);
	struct cost_centre centre;
	struct ipe_entry entry;
	if (band->ipe && ipe_at(names->blocks, band->ipe, &entry))
		return entry.location;
	if (band->is_stack && key.len >= ID && cost_centre_read(names->centres, names->blocks, be32(key.p), &centre))
		return centre.location;
	return (struct evl_str){0};
}
