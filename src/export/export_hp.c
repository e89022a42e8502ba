/* export_hp.c - export hp: the heap profile as GHC's .hp file.
 *
 * Equal bands of a sample are one line. Stacks of cost centres have a number before their name, as in GHC's files,
 * so that two stacks of one name stay two. hp2ps needs names without blanks, of less than 5000 bytes, that are not
 * its keywords. A file holds one profile: the first. Samples without times are counted instead. */
#include "export/export.h"
#include "format/decode.h"
#include "heap/census_survey.h"
#include "log/rts_flags.h"
#include "query/census_label.h"

#include <stdio.h>
#include <time.h>

enum { NAME_MOST = 4000 };

struct hp {
	struct export *x;
	struct census_survey survey; /* of groups, and for names from the program */
	struct bands own, *bands;    /* own: as they come, where bands are not grouped */
	struct census_values values;
	struct buf name;
	struct breakdown_found announced;
	uint8_t profile;
};

/* --- the head ------------------------------------------------------------------------------------------------------ */

/* Text between quotes, those in it doubled. */
static void put_quoted(struct buf *out, struct evl_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] == '"')
			buf_char(out, '"');
		buf_char(out, s.p[i] < ' ' || s.p[i] == 0x7f ? ' ' : (char)s.p[i]);
	}
}

static void put_job(struct buf *out, const struct program_facts *facts)
{
	struct evl_str rest = facts->program, arg;
	buf_lit(out, "JOB \"");
	for (int i = 0; decode_next_str(&rest, &arg); i++) {
		if (i)
			buf_char(out, ' ');
		put_quoted(out, arg);
	}
	if (facts->program.len == 0)
		buf_lit(out, "unknown");
	buf_lit(out, "\"\n");
}

static void put_head(const struct hp *hp)
{
	struct program_facts facts = program_get(&hp->x->log->program);
	struct buf *out = &hp->x->out;
	time_t at = (time_t)(facts.wall_ns / 1000000000);
	char date[64] = "unknown";
	struct tm local;
	if (facts.wall_ns && localtime_r(&at, &local))
		strftime(date, sizeof date, "%a %b %e %H:%M %Y", &local);
	put_job(out, &facts);
	buf_lit(out, "DATE \"");
	buf_cstr(out, date);
	buf_cstr(out, hp->announced.by_index ? "\"\nSAMPLE_UNIT \"samples\"" : "\"\nSAMPLE_UNIT \"seconds\"");
	buf_lit(out, "\nVALUE_UNIT \"bytes\"\n");
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

static bool is_word_of_hp(const struct buf *name)
{
	static const char *const words[] = {
		"JOB", "DATE", "SAMPLE_UNIT", "VALUE_UNIT", "BEGIN_SAMPLE", "END_SAMPLE", "MARK"};
	for (size_t i = 0; i < countof(words); i++)
		if (name->len == strlen(words[i]) && memcmp(name->p, words[i], name->len) == 0)
			return true;
	return false;
}

static void put_name(struct hp *hp, const struct band *band)
{
	struct buf *out = &hp->x->out;
	buf_clear(&hp->name);
	const struct prof_naming names = evl_naming(hp->x->log);
	census_label(&names, band, &hp->name);
	if (band->is_stack && band_key(band).len) {
		buf_char(out, '(');
		buf_decimal(out, band->number + 1);
		buf_char(out, ')');
	} else if (is_word_of_hp(&hp->name)) {
		buf_char(out, '_');
	}
	for (size_t i = 0; i < hp->name.len && i < NAME_MOST; i++) {
		uint8_t c = (uint8_t)hp->name.p[i];
		buf_char(out, c <= ' ' || c == 0x7f ? '_' : c == '"' ? '\'' : (char)c);
	}
}

static void put_moment(const struct hp *hp, const char *word, size_t sample)
{
	char line[64];
	double at =
		hp->announced.by_index ? (double)(sample + 1) : (double)census_at(&hp->x->log->census, sample)->t / 1e9;
	snprintf(line, sizeof line, "%s %.6f\n", word, at);
	buf_cstr(&hp->x->out, line);
}

static void put_band(struct hp *hp, const struct band *band, uint64_t bytes)
{
	struct buf *out = &hp->x->out;
	if (bytes == 0)
		return;
	if (band)
		put_name(hp, band);
	else
		buf_lit(out, "OTHER");
	buf_char(out, '\t');
	buf_decimal(out, bytes);
	buf_char(out, '\n');
}

static int put_sample(struct hp *hp, size_t i)
{
	struct export *x = hp->x;
	int result =
		census_values_read(&hp->values, hp->bands, &x->log->census, &x->log->blocks, i, hp->profile, x->cancel);
	if (result < 0 || census_is_foreign(&hp->values))
		return result;
	put_moment(hp, "BEGIN_SAMPLE", i);
	for (size_t k = 0; k < hp->values.n && result == 0; k++) {
		uint32_t number = hp->values.numbers[k];
		put_band(hp, bands_at(hp->bands, number), hp->values.bytes[number]);
		result = export_more(x);
	}
	put_band(hp, NULL, hp->values.rest);
	put_moment(hp, "END_SAMPLE", i);
	return result;
}

/* User markers since `from` and before t, as hp2ps draws them: without their names. */
static void put_marks(const struct hp *hp, uint64_t *from, uint64_t t)
{
	struct point marker;
	char line[64];
	while (!hp->announced.by_index && *from < t && points_after(&hp->x->log->markers, *from - (*from > 0), &marker)
		&& marker.t < t) {
		if (marker.t >= hp->x->from) {
			snprintf(line, sizeof line, "MARK %.6f\n", (double)marker.t / 1e9);
			buf_cstr(&hp->x->out, line);
		}
		*from = marker.t + 1;
	}
}

static int put_samples(struct hp *hp)
{
	const struct census *c = &hp->x->log->census;
	uint64_t marked = hp->x->from;
	int result = 0;
	for (size_t i = 0; i < census_count(c) && result == 0; i++) {
		uint64_t t = census_at(c, i)->t;
		put_marks(hp, &marked, min_u64(t, hp->x->to));
		if (hp->announced.by_index || (t >= hp->x->from && t < hp->x->to))
			result = put_sample(hp, i);
	}
	put_marks(hp, &marked, hp->x->to);
	return result;
}

/* Names from the program, and groups: all bands are looked for at once, before the first is written. */
static int survey(struct hp *hp)
{
	const struct evl_log *log = hp->x->log;
	const struct census_run run = census_run_of(log, hp->profile, hp->x->cancel);
	if (!evl_naming(log).exe && !hp->x->group)
		return 0;
	int result = census_survey_named(&hp->survey, log, &run);
	result = result ? result : census_group_as(&hp->survey, log, hp->x->group, &run);
	hp->bands = hp->survey.bands.members ? &hp->survey.bands : hp->bands;
	return result;
}

int export_hp(struct export *x)
{
	const struct evl_log *log = x->log;
	unsigned profile = census_profile_from(&log->census, &log->blocks, 0);
	if (profile == CENSUS_PROFILES) {
		x->why = rts_flag_given(log, "-h")
			? "no heap profile in this log: the run ended before the first census (-i)"
			: "no heap profile in this log (run with +RTS -hT -l; with -prof also -hc, -hy, …)";
		return EVL_EMPTY;
	}
	struct hp hp = {.x = x, .profile = (uint8_t)profile, .announced = census_kind_of(log, profile)};
	bands_init(&hp.own);
	hp.bands = &hp.own;
	put_head(&hp);
	int result = survey(&hp);
	result = result ? result : put_samples(&hp);
	bands_free(&hp.own);
	census_survey_free(&hp.survey);
	census_values_free(&hp.values);
	result = result == 0 && hp.name.failed ? EVL_NOMEM : result;
	buf_free(&hp.name);
	return result;
}
