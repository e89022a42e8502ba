#include "panes/heap/heap_query.h"

#include "base/utf8.h"
#include "panes/heap/heap_base.h"
#include "panes/heap/heap_chart_data.h"
#include "panes/heap/heap_courses.h"
#include "panes/heap/heap_detail.h"
#include "panes/heap/heap_list.h"
#include "query/census_label.h"

#include <stdio.h>
#include <stdlib.h>

void heap_answer_free(struct heap_answer *page)
{
	free_all(page->knots, page->rows);
	*page = (struct heap_answer){0};
}

void heap_scan_init(struct heap_scan *s, const struct evl_log *log, const atomic_bool *cancel)
{
	*s = (struct heap_scan){.log = log, .cancel = cancel};
}

void heap_forget_list(struct heap_scan *s)
{
	free_all(s->hidden, s->order);
	s->hidden = NULL;
	s->order = NULL;
	s->n_order = s->n_hidden = 0;
	s->filter_text[0] = 0;
	s->listed = s->pictured = false;
}

/* Forget all that was computed from the survey. */
static void forget_views(struct heap_scan *s)
{
	census_window_free(&s->window);
	for (int i = 0; i < HEAP_READS; i++) {
		census_values_free(&s->reads[i].values);
		s->reads[i] = (struct heap_read){0};
	}
	heap_series_free(&s->series);
	heap_forget_list(s);
	free(s->base.bytes);
	s->base.bytes = NULL;
	s->windowed = s->pictured = s->has_grown = false;
}

static void forget(struct heap_scan *s)
{
	forget_views(s);
	census_survey_free(&s->survey);
	s->grouped_by[0] = s->opened[0] = '\0';
	s->by_name = s->surveyed = false;
}

void heap_scan_free(struct heap_scan *s)
{
	forget(s);
	heap_base_free(&s->base);
	filter_free(&s->filter);
	heap_answer_free(&s->picture);
	buf_free(&s->text);
	free(s->which);
}

struct evl_str heap_scan_label(struct heap_scan *s, uint32_t number)
{
	buf_clear(&s->text);
	const struct prof_naming names = evl_naming(s->log);
	if (number == BANDS_OPEN)
		buf_cstr(&s->text, s->ask.open);
	else if (number >= bands_count(&s->survey.bands))
		buf_str(&s->text, heap_base_label(&s->base, number));
	else
		census_label(&names, bands_at(&s->survey.bands, number), &s->text);
	buf_char(&s->text, 0); /* some regexec insist on it */
	return (struct evl_str){(const uint8_t *)s->text.p, s->text.len ? s->text.len - 1 : 0};
}

void heap_put_label(char *out, struct evl_str label)
{
	size_t n = utf8_cut(label, HEAP_LABEL - 1).len;
	if (n)
		memcpy(out, label.p, n);
	out[n] = 0;
	for (size_t i = 0; i < n; i++)
		out[i] = out[i] ? out[i] : ' ';
}

/* --- what takes long ----------------------------------------------------------------------------------------------- */

/* The n-th profile that there is; the last where there are fewer. */
static void find_profile(struct heap_scan *s, uint32_t n)
{
	const struct evl_log *log = s->log;
	s->profiles = s->profile = 0;
	for (unsigned p = 0; (p = census_profile_from(&log->census, &log->blocks, p)) < CENSUS_PROFILES; p++)
		if (s->profiles++ <= n)
			s->profile = p;
}

static int survey(struct heap_scan *s)
{
	const struct evl_log *log = s->log;
	if (s->surveyed && s->surveyed_profile == s->ask.profile && s->surveyed_samples == census_count(&log->census))
		return 0;
	forget(s);
	find_profile(s, s->ask.profile);
	s->announced = census_kind_of(log, s->profile);
	struct census_run run = heap_run(s, census_count(&log->census));
	atomic_store(&s->surveying, true);
	int result = census_survey(&s->survey, &run);
	heap_run(s, 0);
	if (result == 0 && s->announced.by == BY_INFO_TABLE)
		result = census_resolve(&s->survey.bands, log, s->cancel);
	if (result < 0)
		census_survey_free(&s->survey);
	atomic_store(&s->surveying, false);
	for (size_t i = s->peak = 0; result == 0 && i < s->survey.n; i++)
		s->peak = s->survey.totals[i] > s->survey.totals[s->peak] ? i : s->peak;
	s->surveyed = result == 0;
	s->surveyed_profile = s->ask.profile;
	s->surveyed_samples = census_count(&log->census);
	return result;
}

int heap_grouping(const struct heap_scan *s, struct census_grouping *g)
{
	int result = census_grouping_parse(g, s->ask.group, NULL);
	g->open = result == 0 && s->ask.open[0] ? s->ask.open : NULL;
	return result;
}

/* Group, or make one band of those that share a name. A grouping that cannot be understood is none: it was refused where it was
 * typed. */
static int make_groups(struct heap_scan *s, bool by_name)
{
	struct census_grouping g;
	struct prof_naming names = evl_naming(s->log);
	struct census_run run = heap_run(s, s->ask.group[0] || by_name ? s->survey.n : 0);
	if (by_name)
		return census_group_by_name(&s->survey, s->log, &run);
	if (heap_grouping(s, &g) < 0)
		return 0;
	int result = g.by == GROUP_BY_NONE ? 0 : census_group(&s->survey, &g, census_naming_of, &names, &run);
	census_grouping_free(&g);
	return result;
}

/* Bands of two logs are matched by name. */
static int group(struct heap_scan *s)
{
	bool by_name = s->ask.against && s->ask.group[0] == '\0';
	if (strcmp(s->grouped_by, s->ask.group) == 0 && strcmp(s->opened, s->ask.open) == 0 && s->by_name == by_name)
		return 0;
	forget_views(s);
	census_ungroup(&s->survey);
	s->grouped_by[0] = s->opened[0] = '\0';
	s->by_name = false;
	int result = make_groups(s, by_name);
	heap_run(s, 0);
	if (result < 0)
		return result;
	memcpy(s->grouped_by, s->ask.group, sizeof s->grouped_by);
	memcpy(s->opened, s->ask.open, sizeof s->opened);
	s->by_name = by_name;
	return 0;
}

static void set_axis(struct heap_scan *s)
{
	struct census_axis axis = {
		&s->log->census, s->survey.samples, s->survey.n, s->ask.first, s->ask.last, s->announced.by_index};
	if (axis.by_index && (axis.first != s->axis.first || axis.last != s->axis.last))
		s->windowed = s->pictured = false;
	s->axis = axis;
}

static int look_through_window(struct heap_scan *s)
{
	size_t from = census_axis_before(&s->axis, s->ask.t0), to = census_axis_before(&s->axis, s->ask.t1);
	if (s->windowed && s->window.from == from && s->window.to == to)
		return 0;
	census_window_free(&s->window);
	s->windowed = s->pictured = s->listed = false;
	struct census_run run = heap_run(s, to - from);
	int result = census_window(&s->window, &s->survey, &s->axis, from, to, &run);
	s->windowed = result == 0;
	return result;
}

/* The cursor has no sample before the first one; another moment there is compared with the first one. */
static int read_moment(struct heap_scan *s, int which, uint64_t t)
{
	struct heap_read *read = &s->reads[which];
	size_t sample = census_axis_at(&s->axis, t);
	bool early = which == READ_AT && !s->announced.by_index && t < census_axis_time(&s->axis, sample);
	if (read->there && read->sample == sample && read->early == early)
		return 0;
	struct census_run run = heap_run(s, 0);
	int result = 0;
	if (early)
		census_values_free(&read->values);
	else
		result = census_values_read(&read->values, &s->survey.bands, run.census, run.blocks,
			s->survey.samples[sample], run.profile, s->cancel);
	read->sample = sample;
	read->early = early;
	read->there = result == 0;
	s->listed = false;
	return result;
}

/* --- the page ------------------------------------------------------------------------------------------------------ */

static struct heap_moment moment_of(const struct heap_scan *s, const struct heap_read *read)
{
	const struct census *c = &s->log->census;
	return (struct heap_moment){.sample = read->sample,
		.t = census_axis_time(&s->axis, read->sample),
		.total = read->values.total,
		.cut = !read->early && census_is_cut(c, s->survey.samples[read->sample], evl_unfinished(s->log)),
		.early = read->early};
}

/* The samples before and after the cursor, and how many are in the range. */
static void tell_neighbours(const struct heap_scan *s, struct heap_answer *page)
{
	page->in_range = sub_or_0(
		census_axis_before(&s->axis, s->ask.range_to), census_axis_before(&s->axis, s->ask.range_from));
	size_t before = census_axis_before(&s->axis, s->ask.cursor),
	       after = census_axis_before(&s->axis, s->ask.cursor + 1);
	page->has_before = before > 0;
	page->has_after = after < s->axis.n;
	page->before_t = page->has_before ? census_axis_time(&s->axis, before - 1) : 0;
	page->after_t = page->has_after ? census_axis_time(&s->axis, after) : 0;
	bool forward = page->has_after
		&& (!page->has_before || page->after_t - s->ask.cursor < s->ask.cursor - page->before_t);
	if (before != after)
		snprintf(page->nearest, sizeof page->nearest, "one is at the cursor");
	else if (!page->has_before && !page->has_after)
		page->nearest[0] = '\0';
	else if (s->announced.by_index)
		snprintf(page->nearest, sizeof page->nearest, "the nearest is sample %s (key %c)",
			as_count(forward ? after + 1 : before), forward ? '.' : ',');
	else
		snprintf(page->nearest, sizeof page->nearest, "the nearest is at %s (key %c)",
			as_value(UNIT_MOMENT, (double)(forward ? page->after_t : page->before_t)), forward ? '.' : ',');
}

/* Live bytes as the collector counted them in the collection that took the sample: it posts them at its end. */
static void tell_live(const struct heap_scan *s, struct heap_answer *page)
{
	const struct evl_log *log = s->log;
	uint64_t t = census_at(&log->census, s->survey.samples[page->at.sample])->t;
	const struct gc_row *gc = gcs_before(&log->gcs, t + 1, GC_ALL);
	const struct gc_row *next = gc ? gcs_after(&log->gcs, gc->start, GC_ALL) : NULL;
	struct series_row row;
	page->has_live = !s->announced.by_index && !page->at.early && gc && t <= gc_end(gc)
		&& heap_after(&log->heap, HEAP_CURVE_LIVE, t, &row) && (!next || row.t <= next->start);
	page->live = page->has_live ? row.value : 0;
}

static void tell_profile(const struct heap_scan *s, struct heap_answer *page)
{
	const struct census *c = &s->log->census;
	page->ask = s->ask;
	page->samples = s->survey.n;
	page->more = atomic_load(&c->more);
	page->announced = s->announced;
	page->profile = s->profile;
	page->profiles = s->profiles;
	page->period = c->profiles[s->profile].period;
	page->filtered = c->profiles[s->profile].filtered;
	page->bands = bands_count(&s->survey.bands);
	page->dropped = s->survey.bands.dropped;
	page->stacks = s->survey.bands.heads[1] != NULL;
	page->grouped = s->survey.bands.members && !s->by_name ? bands_count(s->survey.bands.members) : 0;
	tell_neighbours(s, page);
	page->at = moment_of(s, &s->reads[READ_AT]);
	page->other = s->base.of ? (struct heap_moment){.t = s->base.t, .total = s->base.total}
				 : moment_of(s, &s->reads[READ_OTHER]);
	page->no_other = s->base.of && !s->base.there;
	page->peak_t = census_axis_time(&s->axis, s->peak);
	tell_live(s, page);
}

static int rows_of(struct heap_scan *s, struct heap_answer *page)
{
	return s->ask.mode == HEAP_TREE     ? heap_rows_of_tree(s, page)
		: s->ask.mode == HEAP_ROOTS ? heap_rows_of_roots(s, page)
					    : heap_rows(s, page);
}

static int fill(struct heap_scan *s, struct heap_answer *page)
{
	int result = survey(s);
	if (result < 0)
		return result;
	if (s->survey.n == 0)
		return 0;
	if ((result = group(s)) < 0)
		return result;
	set_axis(s);
	if ((result = heap_base_find(s)) < 0)
		return result;
	if (s->ask.only != BANDS_REST && s->ask.only >= bands_count(&s->survey.bands))
		s->ask.only = BANDS_REST;
	result = look_through_window(s);
	result = result ? result : heap_hide(s);
	result = result ? result : heap_picture(s);
	result = result ? result : read_moment(s, READ_AT, s->ask.cursor);
	if (result == 0 && s->ask.compares && !s->base.of)
		result = read_moment(s, READ_OTHER, s->ask.other);
	result = result ? result : heap_chart_data_copy(s, page);
	if (result < 0)
		return result;
	tell_profile(s, page);
	result = rows_of(s, page);
	if (result == 0 && s->ask.mode == HEAP_BANDS && s->ask.room != HEAP_ALL_ROWS)
		result = heap_courses(s, page);
	if (result < 0)
		return result;
	heap_facts(s, page);
	return heap_growth(s, page);
}

int heap_find_page(struct heap_scan *s, const struct heap_ask *ask, struct heap_answer *page)
{
	s->ask = *ask;
	page->ask = *ask;
	page->samples = 0;
	int result = census_count(&s->log->census) ? fill(s, page) : 0;
	page->ask = *ask;
	atomic_store(&s->total, 0);
	return result < 0 ? result : s->text.failed ? EVL_NOMEM : 0;
}
