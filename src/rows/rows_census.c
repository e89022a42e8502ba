/* rows_census.c - tables of the heap profile: its bands, and each sample; equal bands of a sample are summed. */
#include "heap/census_survey.h"
#include "query/census_label.h"
#include "rows/rows_private.h"

#include <stdlib.h>

/* One heap profile, surveyed. */
struct profile {
	struct census_survey survey;
	uint8_t id;
	bool by_index;
};

struct profiles {
	const struct evl_log *log;
	struct profile *items;
	size_t n, room;
};

struct bands_scan {
	struct profiles *all;
	size_t profile, sample; /* of the row; at: the place in the sample, + 1 */
	bool is_read;           /* the sample is in values */
	struct census_values values;
	uint32_t *order;         /* of bands: their numbers by rank */
	struct row_texts *texts; /* of stacks: their labels */
};

/* --- what is shared ------------------------------------------------------------------------------------------------- */

static void unmake_profiles(void *state)
{
	struct profiles *all = state;
	for (size_t i = 0; i < all->n; i++)
		census_survey_free(&all->items[i].survey);
	free_all(all->items, all);
}

static int survey(struct profiles *all, uint8_t id, const char *how, const atomic_bool *cancel)
{
	const struct evl_log *log = all->log;
	const struct census_run run = census_run_of(log, id, cancel);
	if (!GROW(all->items, all->n, all->room))
		return EVL_NOMEM;
	struct profile *p = &all->items[all->n];
	*p = (struct profile){.id = id, .by_index = census_kind_of(log, id).by_index};
	int result = census_survey_named(&p->survey, log, &run);
	if (result < 0)
		return result;
	all->n++;
	return census_group_as(&p->survey, log, how, &run);
}

static int make_profiles(struct rows_source *s, UNUSED bool deep, void **state)
{
	struct profiles *all = *state = calloc(1, sizeof *all);
	int result = all ? 0 : EVL_NOMEM;
	if (!all)
		return result;
	all->log = s->log;
	for (unsigned p = 0;
		result == 0 && (p = census_profile_from(&s->log->census, &s->log->blocks, p)) < CENSUS_PROFILES; p++)
		result = survey(all, (uint8_t)p, s->group, s->cancel);
	if (result < 0)
		unmake_profiles(all);
	return result;
}

static int open_profiles(struct rows_scan *s, void *state)
{
	struct bands_scan *b = s->own = calloc(1, sizeof *b);
	if (!b)
		return EVL_NOMEM;
	b->all = state;
	b->texts = calloc(1, sizeof *b->texts);
	return b->texts ? 0 : EVL_NOMEM;
}

static void close_profiles(struct rows_scan *s)
{
	struct bands_scan *b = s->own;
	if (b) {
		census_values_free(&b->values);
		free(b->order);
	}
	row_texts_free(b ? b->texts : NULL);
	free(b);
	s->own = NULL;
}

static const struct profile *profile_of(const struct bands_scan *b) { return &b->all->items[b->profile]; }

/* place: of the band in its profile */
static struct datum key_cell(struct rows_scan *s, const struct bands_scan *b, const struct band *band, uint32_t place)
{
	const struct prof_naming names = evl_naming(b->all->log);
	if (!band->is_stack)
		return cell_text(band_key(band));
	struct evl_str text;
	uint64_t number = (uint64_t)b->profile << 32 | place;
	if (row_texts_find(b->texts, number, &text))
		return cell_text(text);
	size_t at = s->scratch.len;
	census_stack_label(&names, band_key(band), &s->scratch);
	text = s->scratch.failed ? EVL_STR("") : buf_since(&s->scratch, at);
	row_texts_keep(b->texts, number, text);
	return cell_text(text);
}

/* Ids are names, not numbers. */
static struct datum id_cell(struct rows_scan *s, const struct profile *p)
{
	size_t at = s->scratch.len;
	buf_decimal(&s->scratch, p->id);
	return cell_text(buf_since(&s->scratch, at));
}

static struct datum name_cell(const struct bands_scan *b, const struct band *band)
{
	const struct prof_naming names = evl_naming(b->all->log);
	return cell_name(census_table_name(&names, band));
}

static struct datum source_cell(const struct bands_scan *b, const struct band *band)
{
	const struct prof_naming names = evl_naming(b->all->log);
	return cell_name(census_location(&names, band));
}

/* --- census --------------------------------------------------------------------------------------------------------- */

/* Is the sample in the range? Those of a biographical profile are written at the end of the run. */
static bool in_range(const struct rows_source *s, const struct profile *p, size_t i)
{
	uint64_t at = census_at(&s->log->census, p->survey.samples[i])->t;
	return p->by_index || (at >= s->from && at < s->to);
}

static int next_of_census(struct rows_scan *s)
{
	struct bands_scan *b = s->own;
	const struct evl_log *log = b->all->log;
	for (; b->profile < b->all->n; b->profile++, b->sample = 0) {
		struct profile *p = &b->all->items[b->profile];
		for (; b->sample < p->survey.n; b->sample++, b->is_read = false, s->at = 0) {
			if (!b->is_read && !in_range(s->source, p, b->sample))
				continue;
			if (!b->is_read) {
				int result = census_values_read(&b->values, &p->survey.bands, &log->census,
					&log->blocks, p->survey.samples[b->sample], p->id, s->source->cancel);
				if (result < 0)
					return result;
				b->is_read = true;
			}
			s->end = b->values.n + (b->values.rest > 0); /* the bytes outside of all bands last */
			if (rows_count_up(s))
				return 1;
		}
		census_values_free(&b->values); /* its numbers were those of this profile */
	}
	return 0;
}

static struct datum cell_of_census(struct rows_scan *s, int column)
{
	struct bands_scan *b = s->own;
	const struct profile *p = profile_of(b);
	bool rest = s->at > b->values.n;
	uint32_t number = rest ? 0 : b->values.numbers[s->at - 1];
	const struct band *band = rest ? NULL : bands_at(&p->survey.bands, number);
	switch (column) {
	case census_PROFILE: return id_cell(s, p);
	case census_SAMPLE: return cell_count(b->sample + 1);
	case census_TIME:
		return cell_known(!p->by_index, census_at(&b->all->log->census, p->survey.samples[b->sample])->t);
	case census_BAND: return band ? key_cell(s, b, band, number) : cell_cstr("OTHER");
	case census_BYTES: return cell_count(rest ? b->values.rest : b->values.bytes[number]);
	case census_NAME: return band ? name_cell(b, band) : (struct datum){0};
	default: return band ? source_cell(b, band) : (struct datum){0};
	}
}

const struct rows_table rows_census = {ROWS_OF_DEF(census), .make = make_profiles, .unmake = unmake_profiles,
	.open = open_profiles, .next = next_of_census, .cell = cell_of_census, .close = close_profiles};

/* --- bands ---------------------------------------------------------------------------------------------------------- */

static int next_of_bands(struct rows_scan *s)
{
	struct bands_scan *b = s->own;
	for (; b->profile < b->all->n; b->profile++, s->at = 0) {
		struct bands *bands = &b->all->items[b->profile].survey.bands;
		s->end = bands_count(bands);
		if (s->at == 0 && s->end) {
			free(b->order);
			b->order = calloc(s->end, sizeof *b->order);
			if (!b->order)
				return EVL_NOMEM;
			for (uint32_t i = 0; i < s->end; i++)
				if (bands_at(bands, i)->rank < s->end)
					b->order[bands_at(bands, i)->rank] = i;
		}
		if (rows_count_up(s))
			return 1;
	}
	return 0;
}

static struct datum cell_of_bands(struct rows_scan *s, int column)
{
	const struct bands_scan *b = s->own;
	const struct profile *p = profile_of(b);
	const struct band *band = bands_at(&p->survey.bands, b->order[s->at - 1]);
	switch (column) {
	case bands_PROFILE: return id_cell(s, p);
	case bands_RANK: return cell_count(s->at);
	case bands_BAND: return key_cell(s, b, band, b->order[s->at - 1]);
	case bands_TOTAL: return cell_count(band->sum);
	case bands_MEAN: return cell_known(p->survey.n > 0, p->survey.n ? band->sum / p->survey.n : 0);
	case bands_NAME: return name_cell(b, band);
	default: return source_cell(b, band);
	}
}

const struct rows_table rows_bands = {ROWS_OF_DEF(bands), .make = make_profiles, .unmake = unmake_profiles,
	.open = open_profiles, .next = next_of_bands, .cell = cell_of_bands, .close = close_profiles};
