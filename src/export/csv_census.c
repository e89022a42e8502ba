/* csv_census.c - export csv --table census: a row per band of each heap sample.
 *
 * name: of info tables what is bound there; source: where that, or the innermost cost centre, is in the source. */
#include "export/csv.h"
#include "heap/census_survey.h"
#include "query/census_label.h"

struct table {
	struct export *x;
	struct census_survey survey;
	struct census_values values;
	struct buf text;
	bool by_index;
	uint8_t profile;
};

static void put_key(struct table *t, const struct band *band)
{
	buf_clear(&t->text);
	const struct prof_naming names = evl_naming(t->x->log);
	if (band->is_stack)
		census_stack_label(&names, band_key(band), &t->text);
	else
		buf_str(&t->text, band_key(band));
	csv_str(&t->x->out, (struct evl_str){(const uint8_t *)t->text.p, t->text.len});
}

static void put_name(struct table *t, const struct band *band)
{
	const struct prof_naming names = evl_naming(t->x->log);
	struct ipe_entry entry;
	bool near;
	if (!census_table(&names, band, &entry, &near))
		entry = (struct ipe_entry){0};
	csv_str(&t->x->out, entry.label.len ? entry.label : entry.table);
	csv_str(&t->x->out, census_location(&names, band));
}

static int put_row(struct table *t, size_t sample, uint32_t number, uint64_t bytes)
{
	struct buf *out = &t->x->out;
	csv_u64(out, t->profile);
	csv_u64(out, sample + 1);
	csv_known(out, !t->by_index, census_at(&t->x->log->census, t->survey.samples[sample])->t);
	if (number == BANDS_REST) {
		csv_cstr(out, "OTHER");
		csv_u64(out, bytes);
		csv_cstr(out, "");
		csv_cstr(out, "");
	} else {
		put_key(t, bands_at(&t->survey.bands, number));
		csv_u64(out, bytes);
		put_name(t, bands_at(&t->survey.bands, number));
	}
	csv_end(out);
	return export_more(t->x);
}

static int put_sample(struct table *t, size_t i)
{
	const struct evl_log *log = t->x->log;
	struct census_values *v = &t->values;
	int result = census_values_read(
		v, &t->survey.bands, &log->census, &log->blocks, t->survey.samples[i], t->profile, t->x->cancel);
	for (size_t k = 0; k < v->n && result == 0; k++)
		result = put_row(t, i, v->numbers[k], v->bytes[v->numbers[k]]);
	if (result == 0 && v->rest)
		result = put_row(t, i, BANDS_REST, v->rest);
	return result;
}

static int put_profile(struct table *t)
{
	const struct evl_log *log = t->x->log;
	struct program_facts facts = program_get(&log->program);
	struct census_run run = {
		.census = &log->census, .blocks = &log->blocks, .profile = t->profile, .cancel = t->x->cancel};
	int result = census_survey(&t->survey, &run);
	if (result < 0)
		return result;
	t->by_index = census_breakdown(&log->census, &log->blocks, &facts, t->profile).by_index;
	result = census_resolve(&t->survey.bands, log, t->x->cancel);
	for (size_t i = 0; i < t->survey.n && result == 0; i++) {
		uint64_t at = census_at(&log->census, t->survey.samples[i])->t;
		if (t->by_index || (at >= t->x->from && at < t->x->to))
			result = put_sample(t, i);
	}
	census_survey_free(&t->survey);
	census_values_free(&t->values); /* its numbers were those of this profile */
	return result;
}

int csv_census(struct export *x)
{
	const struct evl_log *log = x->log;
	struct table t = {.x = x};
	int result = 0;
	buf_lit(&x->out, "profile,sample,time_ns,band,bytes,name,source\n");
	for (unsigned p = 0; result == 0 && (p = census_profile_from(&log->census, &log->blocks, p)) < CENSUS_PROFILES;
		p++) {
		t.profile = (uint8_t)p;
		result = put_profile(&t);
	}
	result = result == 0 && t.text.failed ? EVL_NOMEM : result;
	buf_free(&t.text);
	return result;
}
