#include "panes/heap/heap_base.h"

#include "base/idmap.h"
#include "panes/heap/heap_chart_data.h"
#include "query/census_label.h"

#include <stdlib.h>

static void forget_match(struct heap_base *b)
{
	free_all(b->bytes, b->only);
	b->bytes = NULL;
	b->only = NULL;
	b->n_bands = b->n_only = b->only_room = 0;
}

void heap_base_free(struct heap_base *b)
{
	forget_match(b);
	free(b->items);
	buf_free(&b->text);
	*b = (struct heap_base){.of = NULL};
}

uint64_t heap_base_bytes(const struct heap_base *b, uint32_t number)
{
	if (number < b->n_bands)
		return b->bytes[number];
	return number - b->n_bands < b->n_only ? b->only[number - b->n_bands].bytes : 0;
}

struct evl_str heap_base_label(const struct heap_base *b, uint32_t number)
{
	const struct base_only *only = &b->only[number - b->n_bands];
	return buf_slice(&b->text, only->at, only->len);
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

/* The profile of the same kind; CENSUS_PROFILES: there is none. */
static unsigned same_kind(const struct evl_log *log, const struct breakdown_found *kind)
{
	for (unsigned p = 0; (p = census_profile_from(&log->census, &log->blocks, p)) < CENSUS_PROFILES; p++)
		if (census_kind_of(log, p).by == kind->by)
			return p;
	return CENSUS_PROFILES;
}

static bool add_band(
	struct heap_base *b, size_t *room, const struct prof_naming *names, const struct band *band, uint64_t bytes)
{
	size_t at = b->text.len;
	struct evl_str module = census_naming_of((void *)(uintptr_t)names, band, &b->text);
	struct base_band item = {
		.at = at, .len = b->text.len - at - 1, .module = b->text.len, .module_len = module.len};
	buf_str(&b->text, module);
	item.bytes = bytes;
	if (b->text.failed || !GROW(b->items, b->n, *room))
		return false;
	b->items[b->n++] = item;
	return true;
}

/* The bands of the largest sample. */
static int read_largest(struct heap_base *b, struct census_survey *s, const struct census_run *run)
{
	struct census_values v = {0};
	const struct prof_naming names = evl_naming(b->of);
	size_t peak = 0, room = 0;
	for (size_t i = 0; i < s->n; i++)
		peak = s->totals[i] > s->totals[peak] ? i : peak;
	int result = s->n ? census_values_read(
			     &v, &s->bands, run->census, run->blocks, s->samples[peak], run->profile, run->cancel)
			  : 0;
	for (size_t k = 0; k < v.n && result == 0; k++)
		if (!add_band(b, &room, &names, bands_at(&s->bands, v.numbers[k]), v.bytes[v.numbers[k]]))
			result = EVL_NOMEM;
	b->total = v.total;
	b->t = s->n ? census_at(run->census, s->samples[peak])->t : 0;
	b->there = s->n > 0;
	census_values_free(&v);
	return result;
}

static int read_other(struct heap_scan *s, struct heap_base *b)
{
	const struct evl_log *log = s->ask.against;
	unsigned profile = same_kind(log, &s->announced);
	b->of = log;
	b->profile = s->profile;
	if (profile == CENSUS_PROFILES)
		return 0;
	struct census_run run = heap_run(s, census_count(&log->census));
	struct census_survey survey;
	run.census = &log->census;
	run.blocks = &log->blocks;
	run.profile = (uint8_t)profile;
	int result = census_survey(&survey, &run);
	if (result < 0)
		return result;
	if (s->announced.by == BY_INFO_TABLE)
		result = census_resolve(&survey.bands, log, s->cancel);
	result = result ? result : read_largest(b, &survey, &run);
	census_survey_free(&survey);
	heap_run(s, 0);
	return result;
}

/* --- matching ------------------------------------------------------------------------------------------------------ */

/* Names are the same if they differ only in the version of their package: "containers-0.7-inplace:Data.Map.Internal.Bin". */
static uint64_t key_of(const struct heap_scan *s, struct evl_str name, struct buf *key)
{
	const uint8_t *colon = name.len ? memchr(name.p, ':', name.len) : NULL;
	size_t package = colon ? (size_t)(colon - name.p) : name.len, at = 0;
	while (at + 1 < package && !(name.p[at] == '-' && is_digit(name.p[at + 1])))
		at++;
	if (s->announced.by != BY_CLOSURE_TYPE || at == 0 || at + 1 >= package)
		return idmap_key(name);
	buf_clear(key);
	buf_put(key, name.p, at);
	buf_put(key, name.p + package, name.len - package);
	return idmap_key((struct evl_str){(const uint8_t *)key->p, key->len});
}

static bool add_only(struct heap_base *b, struct idmap *numbers, uint64_t key, struct evl_str name)
{
	if (!GROW(b->only, b->n_only, b->only_room))
		return false;
	b->only[b->n_only] = (struct base_only){.at = b->text.len, .len = name.len};
	buf_str(&b->text, name);
	return !b->text.failed && idmap_put(numbers, key, (uint32_t)(b->n_bands + b->n_only++));
}

/* Add the bytes of a band to those of its name. */
static bool match_band(struct heap_scan *s, const struct base_band *item, const struct census_grouping *g,
	struct idmap *numbers, struct buf *name, struct buf *key_text)
{
	struct heap_base *b = &s->base;
	uint32_t number;
	buf_clear(name);
	census_group_name(
		g, buf_slice(&b->text, item->at, item->len), buf_slice(&b->text, item->module, item->module_len), name);
	struct evl_str text = {(const uint8_t *)name->p, name->len};
	uint64_t key = key_of(s, text, key_text);
	if (name->failed || key_text->failed)
		return false;
	if (!idmap_find(numbers, key, &number)) {
		number = (uint32_t)(b->n_bands + b->n_only);
		if (!add_only(b, numbers, key, text))
			return false;
	}
	*(number < b->n_bands ? &b->bytes[number] : &b->only[number - b->n_bands].bytes) += item->bytes;
	return true;
}

static int match(struct heap_scan *s, struct heap_base *b)
{
	struct census_grouping g;
	struct idmap numbers = {0};
	struct buf name = {0}, key = {0};
	forget_match(b);
	b->n_bands = bands_count(&s->survey.bands);
	b->bytes = calloc(b->n_bands + 1, sizeof *b->bytes);
	if (heap_grouping(s, &g) < 0)
		g = (struct census_grouping){.by = GROUP_BY_NONE};
	bool good = b->bytes;
	for (uint32_t i = 0; i < b->n_bands && good; i++) {
		uint32_t other;
		uint64_t k = key_of(s, heap_scan_label(s, i), &key);
		good = !key.failed && (idmap_find(&numbers, k, &other) || idmap_put(&numbers, k, i));
	}
	for (size_t i = 0; i < b->n && good; i++)
		good = match_band(s, &b->items[i], &g, &numbers, &name, &key);
	census_grouping_free(&g);
	idmap_free(&numbers);
	buf_free(&name);
	buf_free(&key);
	return good && !s->text.failed ? 0 : EVL_NOMEM;
}

int heap_base_find(struct heap_scan *s)
{
	struct heap_base *b = &s->base;
	bool fits = b->of == s->ask.against && (!b->of || b->profile == s->profile);
	int result = 0;
	if (fits && (!b->of || b->bytes))
		return 0;
	heap_forget_list(s); /* it has bands of the other log */
	if (!fits) {
		heap_base_free(b);
		result = s->ask.against ? read_other(s, b) : 0;
	}
	result = result || !b->of ? result : match(s, b);
	if (result < 0)
		heap_base_free(b);
	return result;
}
