#include "query/census_label.h"

#include "base/find.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOK_UP = 1024, ID = 4 };

bool census_address(struct evl_str key, uint64_t *out)
{
	enum { PREFIX = 2, DIGITS = 16 };
	*out = 0;
	if (key.len <= PREFIX || key.len > PREFIX + DIGITS || key.p[0] != '0' || key.p[1] != 'x')
		return false;
	for (size_t i = PREFIX; i < key.len; i++) {
		uint8_t c = key.p[i];
		if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
			return false;
		*out = *out << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return true;
}

static int ask_exe(struct bands *bands, struct exe *exe, const atomic_bool *cancel)
{
	size_t n = 0, all = bands_count(bands);
	uint64_t *ids = malloc((all + 1) * sizeof *ids);
	for (uint32_t i = 0; ids && i < all; i++) {
		const struct band *band = bands_at(bands, i);
		n += !band->ipe && !band->is_stack && census_address(band_key(band), &ids[n]);
	}
	int result = ids ? exe_resolve(exe, ids, n, cancel) : EVL_NOMEM;
	free(ids);
	return result;
}

int census_resolve(struct bands *bands, const struct evl_log *log, const atomic_bool *cancel)
{
	struct program_facts facts = program_get(&log->program);
	uint64_t shift = ipe_shift(facts.rts);
	struct exe *exe = evl_naming(log).exe;
	struct ipe_reader reader;
	struct ipe_entry entry;
	char text[24];
	ipe_begin(&reader, &log->ipe, &log->blocks);
	for (unsigned i = 1; ipe_next(&reader, &entry); i++) {
		int len = snprintf(text, sizeof text, "0x%" PRIx64, entry.id - shift);
		struct band *band = bands_find(bands, (struct evl_str){(const uint8_t *)text, (size_t)len});
		if (band)
			band->ipe = entry.off;
		if (i % LOOK_UP == 0 && is_cancelled(cancel))
			return EVL_CANCELLED;
	}
	return exe ? ask_exe(bands, exe, cancel) : 0;
}

struct census_run census_run_of(const struct evl_log *log, unsigned profile, const atomic_bool *cancel)
{
	return (struct census_run){
		.census = &log->census, .blocks = &log->blocks, .profile = (uint8_t)profile, .cancel = cancel};
}

struct breakdown_found census_kind_of(const struct evl_log *log, unsigned profile)
{
	struct program_facts facts = program_get(&log->program);
	return census_breakdown(&log->census, &log->blocks, &facts, (uint8_t)profile);
}

int census_survey_named(struct census_survey *s, const struct evl_log *log, const struct census_run *run)
{
	int result = census_survey(s, run);
	if (result < 0)
		return result;
	result = census_resolve(&s->bands, log, run->cancel);
	if (result < 0)
		census_survey_free(s);
	return result;
}

bool census_table(const struct prof_naming *names, const struct band *band, struct ipe_entry *out, bool *near)
{
	uint64_t id;
	*near = false;
	if (band->ipe && ipe_at(names->blocks, band->ipe, out))
		return true;
	if (!names->exe || band->is_stack || !census_address(band_key(band), &id))
		return false;
	const struct exe_name *found = exe_find(names->exe, id);
	if (!found)
		return false;
	*out = found->entry;
	*near = found->how == EXE_NEAR;
	if (found->how == EXE_SYMBOL || found->how == EXE_NEAR) { /* they say their module themselves */
		out->label = found->full;
		out->module = (struct evl_str){0};
	}
	return true;
}

/* Closures without a cost centre are distinguished by module. */
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
	const uint8_t *slash = location.len ? find_last_byte(location.p, '/', location.len) : NULL;
	const uint8_t *from = slash ? slash : location.p, *end = location.p + location.len;
	const uint8_t *colon = location.len ? memchr(from, ':', (size_t)(end - from)) : NULL;
	return colon ? (struct evl_str){colon + 1, (size_t)(end - colon - 1)} : (struct evl_str){0};
}

static void put_entry(const struct ipe_entry *entry, struct buf *out)
{
	struct evl_str span = span_of(entry->location);
	buf_str(out, entry->label.len ? entry->label : entry->table);
	if (entry->module.len || span.len)
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
	bool near;
	if (census_table(names, band, &entry, &near))
		put_entry(&entry, out);
	else if (band->is_stack)
		census_stack_label(names, key, out);
	else if (key.len)
		buf_str(out, key);
	else
		buf_lit(out, "(no name)");
}

/* The module of an info table, or of the innermost cost centre, and its name there; of others empty, and the label. */
static struct evl_str module_and_name(const struct prof_naming *names, const struct band *band, struct evl_str *name)
{
	struct evl_str key = band_key(band);
	struct cost_centre centre;
	struct ipe_entry entry;
	bool near;
	*name = key;
	if (census_table(names, band, &entry, &near)) {
		*name = entry.label.len ? entry.label : entry.table;
		return entry.module;
	}
	if (!band->is_stack || key.len < ID || !cost_centre_read(names->centres, names->blocks, be32(key.p), &centre))
		return (struct evl_str){0};
	*name = centre.label;
	return centre.module;
}

void census_name(const struct prof_naming *names, const struct band *band, struct buf *out)
{
	struct evl_str name, module = module_and_name(names, band, &name);
	buf_str(out, module);
	if (module.len)
		buf_char(out, '.');
	buf_str(out, name);
}

struct evl_str census_naming_of(void *ctx, const struct band *band, struct buf *label)
{
	struct evl_str name;
	census_label(ctx, band, label);
	buf_char(label, 0);
	return module_and_name(ctx, band, &name);
}

int census_group_as(struct census_survey *s, const struct evl_log *log, const char *how, const struct census_run *run)
{
	struct prof_naming names = evl_naming(log);
	struct census_grouping grouping;
	if (!how || census_grouping_parse(&grouping, how, NULL) < 0)
		return 0;
	int result = grouping.by == GROUP_BY_NONE ? 0 : census_group(s, &grouping, census_naming_of, &names, run);
	census_grouping_free(&grouping);
	return result;
}

/* 1, 0 or EVL_NOMEM. */
static int share_names(const struct prof_naming *names, const struct bands *bands)
{
	struct idmap seen = {0};
	struct buf label = {0};
	int result = 0;
	for (uint32_t b = 0; result == 0 && b < bands_count(bands); b++) {
		uint32_t other;
		buf_clear(&label);
		census_label(names, bands_at(bands, b), &label);
		uint64_t key = idmap_key((struct evl_str){(const uint8_t *)label.p, label.len});
		if (label.failed)
			result = EVL_NOMEM;
		else if (idmap_find(&seen, key, &other))
			result = 1;
		else if (!idmap_put(&seen, key, b))
			result = EVL_NOMEM;
	}
	idmap_free(&seen);
	buf_free(&label);
	return result;
}

int census_group_by_name(struct census_survey *s, const struct evl_log *log, const struct census_run *run)
{
	const struct census_grouping by_label = {.by = GROUP_BY_NONE};
	struct prof_naming names = evl_naming(log);
	int result = share_names(&names, &s->bands);
	return result == 1 ? census_group(s, &by_label, census_naming_of, &names, run) : result;
}

struct evl_str census_table_name(const struct prof_naming *names, const struct band *band)
{
	struct ipe_entry entry;
	uint64_t id;
	bool near;
	if (!census_table(names, band, &entry, &near))
		return (struct evl_str){0};
	if (!band->ipe && names->exe && census_address(band_key(band), &id)) {
		const struct exe_name *found = exe_find(names->exe, id);
		return found ? found->full : (struct evl_str){0};
	}
	return entry.label.len ? entry.label : entry.table;
}

struct evl_str census_location(const struct prof_naming *names, const struct band *band)
{
	struct evl_str key = band_key(band);
	struct cost_centre centre;
	struct ipe_entry entry;
	bool near;
	if (census_table(names, band, &entry, &near))
		return entry.location;
	if (band->is_stack && key.len >= ID && cost_centre_read(names->centres, names->blocks, be32(key.p), &centre))
		return centre.location;
	return (struct evl_str){0};
}
