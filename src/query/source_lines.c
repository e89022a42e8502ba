#include "query/source_lines.h"

#include "base/order.h"
#include "base/units.h"
#include "heap/census_window.h"
#include "prof/prof_centres.h"
#include "prof/source_loc.h"
#include "query/census_label.h"

#include <math.h>
#include <stdlib.h>

/* --- gathering ----------------------------------------------------------------------------------------------------- */

/* While the texts grow a text is an offset: where `p` will point. */
static struct evl_str keep(struct source_lines *s, struct evl_str text)
{
	struct evl_str kept = {(const uint8_t *)(uintptr_t)s->text.len, text.len};
	buf_str(&s->text, text);
	return kept;
}

static void settle(const struct source_lines *s, struct evl_str *text)
{
	*text = buf_slice(&s->text, (uintptr_t)text->p, text->len);
}

/* False when memory is out. A place that names no line is left out. */
static bool add(struct source_lines *s, struct evl_str location, struct evl_str name, struct source_line cost)
{
	struct source_loc loc;
	if (!source_loc_parse(location, &loc) || loc.line == 0)
		return true;
	if (!GROW(s->items, s->n, s->room))
		return false;
	cost.file = keep(s, loc.file);
	cost.name = keep(s, name);
	cost.line = loc.line;
	cost.col = loc.col;
	s->items[s->n++] = cost;
	return !s->text.failed;
}

static int add_time(
	struct source_lines *s, const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel)
{
	const struct prof_naming naming = evl_naming(log);
	struct prof_centres c;
	struct buf full = {0};
	if (prof_samples(evl_profile(log)) == 0)
		return 0;
	int result = prof_centres_make(&c, evl_profile(log), &naming, from, to, false, cancel);
	if (result < 0)
		return result;
	bool good = true;
	s->samples = c.program;
	for (uint32_t name = 0; good && name < c.names.n; name++) {
		if (!c.self[name])
			continue;
		buf_clear(&full);
		prof_full_name(&c.names, name, &full);
		good = !full.failed
			&& add(s, prof_location(&c.names, name), (struct evl_str){(const uint8_t *)full.p, full.len},
				(struct source_line){.samples = c.self[name], .growth = NAN});
	}
	prof_centres_free(&c);
	buf_free(&full);
	return good ? 0 : EVL_NOMEM;
}

static int add_bands(
	struct source_lines *s, const struct evl_log *log, struct bands *bands, const struct census_window *w)
{
	const struct prof_naming names = evl_naming(log);
	struct buf label = {0};
	bool good = true;
	for (uint32_t i = 0; good && i < bands_count(bands); i++) {
		const struct band *band = bands_at(bands, i);
		struct evl_str location = census_location(&names, band);
		double mean = census_mean(w, &w->courses[i]);
		struct census_growth growth = census_growth(w, &w->courses[i]);
		if (location.len == 0 || !(mean > 0))
			continue;
		buf_clear(&label);
		census_name(&names, band, &label);
		good = !label.failed
			&& add(s, location, (struct evl_str){(const uint8_t *)label.p, label.len},
				(struct source_line){.bytes = mean, .growth = growth.known ? growth.slope : NAN});
	}
	buf_free(&label);
	return good ? 0 : EVL_NOMEM;
}

static int add_heap(
	struct source_lines *s, const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel)
{
	unsigned profile = census_profile_from(&log->census, &log->blocks, 0);
	if (census_count(&log->census) == 0 || profile >= CENSUS_PROFILES)
		return 0;
	const struct census_run run = census_run_of(log, profile, cancel);
	struct census_survey survey;
	struct census_window w;
	int result = census_survey_named(&survey, log, &run);
	if (result < 0)
		return result;
	struct census_axis axis = {&log->census, survey.samples, survey.n, 0, 0, census_kind_of(log, profile).by_index};
	if (survey.n && evl_range(log, &axis.first, &axis.last)) {
		size_t first = census_axis_before(&axis, from), last = census_axis_before(&axis, to);
		result = first < last ? census_window(&w, &survey, &axis, first, last, &run) : 0;
		if (result == 0 && first < last) {
			s->bytes = census_mean(&w, &w.all);
			result = add_bands(s, log, &survey.bands, &w);
			census_window_free(&w);
		}
	}
	census_survey_free(&survey);
	return result;
}

/* --- joining ------------------------------------------------------------------------------------------------------- */

COMPARE_BY(by_cost, struct source_line, FALLING(samples) ?: FALLING(bytes));

COMPARE_BY(by_name_of_place, struct source_line, str_order(x->file, y->file) ?: RISING(line) ?: str_order(x->name, y->name) ?: by_cost(x, y) ?: RISING(col));

COMPARE_BY(by_rank, struct source_line, by_cost(x, y) ?: str_order(x->file, y->file) ?: RISING(line));

COMPARE_BY(by_cost_of_name, struct source_name, FALLING(samples) ?: FALLING(bytes) ?: str_order(x->name, y->name));

static bool is_same_line(const struct source_line *a, const struct source_line *b)
{
	return a->line == b->line && str_order(a->file, b->file) == 0;
}

/* Name a line after the most costly of its names. items: those of the line, by name and then by cost. */
static void name_line(struct source_lines *s, struct source_line *line, const struct source_line *items, size_t n)
{
	struct source_name *names = s->names + line->names;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || str_order(items[i - 1].name, items[i].name) != 0)
			names[line->n_names++] = (struct source_name){.name = items[i].name};
		names[line->n_names - 1].samples += items[i].samples;
		names[line->n_names - 1].bytes += items[i].bytes;
	}
	qsort(names, line->n_names, sizeof *names, by_cost_of_name);
	for (size_t i = n; i-- > 0;)
		if (str_order(items[i].name, names->name) == 0) {
			line->name = items[i].name;
			line->col = items[i].col;
		}
}

/* One row per line. */
static void join(struct source_lines *s)
{
	size_t n = 0;
	for (size_t i = 0, of_line; i < s->n; i += of_line) {
		const struct source_line *items = &s->items[i];
		struct source_line line = {
			.file = items->file, .line = items->line, .growth = NAN, .names = i, .n_names = 0};
		for (of_line = 0; i + of_line < s->n && is_same_line(items, &items[of_line]); of_line++) {
			line.samples += items[of_line].samples;
			line.bytes += items[of_line].bytes;
			if (!isnan(items[of_line].growth))
				line.growth = isnan(line.growth) ? items[of_line].growth
								 : line.growth + items[of_line].growth;
		}
		name_line(s, &line, items, of_line);
		s->items[n++] = line;
	}
	s->n = n;
}

int source_lines_make(
	struct source_lines *s, const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel)
{
	*s = (struct source_lines){0};
	int result = add_time(s, log, from, to, cancel);
	result = result ? result : add_heap(s, log, from, to, cancel);
	if (result < 0) {
		source_lines_free(s);
		return result;
	}
	for (size_t i = 0; i < s->n; i++) {
		settle(s, &s->items[i].file);
		settle(s, &s->items[i].name);
	}
	if (s->n == 0) /* then there are no items to sort */
		return 0;
	s->names = oom_note(calloc(s->n, sizeof *s->names));
	if (!s->names) {
		source_lines_free(s);
		return EVL_NOMEM;
	}
	qsort(s->items, s->n, sizeof *s->items, by_name_of_place);
	join(s);
	qsort(s->items, s->n, sizeof *s->items, by_rank);
	return 0;
}

void source_lines_free(struct source_lines *s)
{
	free_all(s->items, s->names);
	buf_free(&s->text);
	*s = (struct source_lines){0};
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

void source_line_names(const struct source_lines *s, const struct source_line *line, struct buf *out)
{
	enum { MOST = 2 };
	const struct source_name *names = s->names + line->names;
	for (size_t i = 0; i < line->n_names && i < MOST; i++) {
		buf_cstr(out, i ? ", " : "");
		buf_str(out, names[i].name);
		if (names[i].samples && line->n_names > 1)
			buf_printf(out, " %s", as_share((double)names[i].samples / (double)s->samples));
	}
	if (line->n_names > MOST)
		buf_printf(out, ", %zu more", line->n_names - MOST);
}

double source_time_share(const struct source_lines *s, const struct source_line *line)
{
	return s->samples ? (double)line->samples / (double)s->samples : NAN;
}

double source_heap_share(const struct source_lines *s, const struct source_line *line)
{
	return s->bytes > 0 ? line->bytes / s->bytes : NAN;
}

bool source_is(struct evl_str file, struct evl_str path)
{
	while (file.len > 2 && file.p[0] == '.' && file.p[1] == '/')
		file = (struct evl_str){file.p + 2, file.len - 2};
	while (path.len > 2 && path.p[0] == '.' && path.p[1] == '/')
		path = (struct evl_str){path.p + 2, path.len - 2};
	struct evl_str longer = file.len > path.len ? file : path, shorter = file.len > path.len ? path : file;
	size_t more = longer.len - shorter.len;
	return shorter.len && memcmp(longer.p + more, shorter.p, shorter.len) == 0
		&& (more == 0 || longer.p[more - 1] == '/');
}

static void put_number(struct json *j, const char *key, bool known, double v)
{
	json_key(j, key);
	if (known && !isnan(v))
		json_double(j, v);
	else
		json_null(j);
}

static void put_line(const struct source_lines *s, const struct source_line *line, struct json *j)
{
	json_open(j, '{');
	json_put_text(j, "file", line->file);
	json_put_u64(j, "line", line->line);
	json_put_known(j, "col", line->col, line->col);
	json_put_text(j, "name", line->name);
	json_put_known(j, "samples", s->samples, line->samples);
	put_number(j, "time_share", true, source_time_share(s, line));
	put_number(j, "bytes", s->bytes > 0, line->bytes);
	put_number(j, "heap_share", true, source_heap_share(s, line));
	put_number(j, "growth_bytes_per_s", s->bytes > 0, line->growth);
	json_put_open(j, "names", '[');
	for (size_t i = line->names; i < line->names + line->n_names; i++) {
		json_open(j, '{');
		json_put_text(j, "name", s->names[i].name);
		json_put_known(j, "samples", s->samples, s->names[i].samples);
		put_number(j, "bytes", s->bytes > 0, s->names[i].bytes);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

void source_lines_json(const struct source_lines *s, struct evl_str file, struct json *j)
{
	json_open(j, '{');
	json_put_known(j, "samples", s->samples, s->samples);
	put_number(j, "bytes", s->bytes > 0, s->bytes);
	json_put_open(j, "lines", '[');
	for (size_t i = 0; i < s->n; i++)
		if (file.len == 0 || source_is(s->items[i].file, file))
			put_line(s, &s->items[i], j);
	json_close(j, ']');
	json_close(j, '}');
}
