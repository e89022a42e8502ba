/* export html: its figures and findings are those of `stats --json`, to the last digit; its bands those of the census. */
#include "logs.h"

#include "export/picture.h"
#include "exported.h"
#include "report/stats_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *stats_of(const struct evl_log *log, uint64_t from, uint64_t to, const char *group)
{
	struct buf text = {0};
	struct figures figures;
	struct findings findings;
	assert_int_equal(figures_make(&figures, log,
				 &(struct figures_ask){.from = from, .to = to, .deep = true, .group = group}),
		0);
	findings_make(&findings, log, &figures);
	stats_json(log, &figures, &findings, &text);
	figures_free(&figures);
	json_t *stats = json_loadb(text.p, text.len, 0, NULL);
	assert_non_null(stats);
	buf_free(&text);
	return stats;
}

/* The value under "gc.pause.max", whose key there is "max_ns". */
static const json_t *value_of(const json_t *stats, const struct metric_info *info)
{
	char path[128], *at = path, *dot;
	snprintf(path, sizeof path, "%s%s", info->name, unit_suffix(info->unit));
	for (; (dot = strchr(at, '.')); at = dot + 1) {
		*dot = '\0';
		stats = json_object_get(stats, at);
	}
	return json_object_get(stats, at);
}

static void same_figures(const char *page, const json_t *stats)
{
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		const json_t *want = info->where == METRIC_OWN ? value_of(stats, info) : NULL;
		char row[128];
		snprintf(row, sizeof row, "<tr><td>%s</td><td class=\"n\" data-value=\"", info->name);
		const char *found = strstr(page, row);
		if (info->where == METRIC_OWN && (want == NULL || json_is_null(want) != (found == NULL)))
			fail_msg("%s is in one of them only", info->name);
		if (want && found && strtod(found + strlen(row), NULL) != json_number_value(want))
			fail_msg("%s: %.20s in the page, %.17g in JSON", info->name, found + strlen(row),
				json_number_value(want));
	}
}

/* A member of a finding, if it is known. */
static void expect_member(const char *page, const json_t *finding, const char *key)
{
	const char *text = json_string_value(json_object_get(finding, key));
	struct buf escaped = {0};
	if (!text)
		return;
	picture_text(&escaped, (struct evl_str){(const uint8_t *)text, strlen(text)});
	buf_char(&escaped, '\0');
	assert_non_null(strstr(page, escaped.p));
	buf_free(&escaped);
}

static void same_findings(const char *page, const json_t *stats)
{
	const json_t *finding;
	size_t i;
	json_array_foreach(json_object_get(stats, "findings"), i, finding)
	{
		expect_member(page, finding, "text");
		expect_member(page, finding, "advice");
	}
}

/* The value of a cell after its row's label; NAN: the label has no row there. */
static double cell_of(const char *page, const char *label, int cell)
{
	struct buf row = {0};
	buf_lit(&row, "</td><td>");
	picture_text(&row, (struct evl_str){(const uint8_t *)label, strlen(label)});
	buf_lit(&row, "</td><td class=\"n\" data-value=\"");
	buf_char(&row, '\0');
	const char *at = strstr(page, row.p);
	at = at ? at + row.len - 1 : NULL;
	buf_free(&row);
	for (; at && cell > 0; cell--) {
		at = strstr(at, "data-value=\"");
		at = at ? at + strlen("data-value=\"") : NULL;
	}
	return at ? strtod(at, NULL) : (double)NAN;
}

/* Every band of the one is in the other, with its peak and its mean. */
static size_t same_bands(const char *page, const json_t *stats)
{
	const json_t *band, *bands = json_object_get(json_object_get(stats, "heap"), "bands");
	const char *table = strstr(page, "id=\"bands\"");
	size_t i, rows = 0;
	json_array_foreach(bands, i, band)
	{
		const char *name = json_string_value(json_object_get(band, "name"));
		double peak = json_number_value(json_object_get(band, "peak_bytes")),
		       mean = json_number_value(json_object_get(band, "mean_bytes"));
		assert_non_null(table);
		if (cell_of(table, name, 0) != peak || fabs(cell_of(table, name, 1) - mean) > 1)
			fail_msg("%s: peak %.0f and mean %.0f in the page, %.0f and %.0f in JSON", name,
				cell_of(table, name, 0), cell_of(table, name, 1), peak, mean);
	}
	for (const char *at = table; at && (at = strstr(at, "<tr><td style=")); at++)
		rows++;
	assert_int_equal(rows, json_array_size(bands));
	return rows;
}

static void bands_are_those_of_the_census(void **state)
{
	static const struct {
		const char *name, *group;
		uint64_t from, to;
	} pages[] = {{"9.6.6-leaky-hT", NULL, 0, UINT64_MAX}, {"9.6.6-leaky-hT", "package", 0, UINT64_MAX},
		{"9.6.6-leaky-hT", NULL, 100000000, 200000000}, {"9.0.2-leaky-hy", NULL, 0, UINT64_MAX},
		{"9.10.3-leaky-hi-live", NULL, 0, UINT64_MAX}, {"9.0.2-leaky-hr", NULL, 0, UINT64_MAX}};
	size_t rows = 0;
	(void)state;
	for (size_t i = 0; i < countof(pages); i++) {
		char path[128];
		snprintf(path, sizeof path, "tests/logs/%s.eventlog", pages[i].name);
		struct evl_log *log = walked_file(path);
		struct buf page = {0};
		struct export x = {.log = log,
			.from = pages[i].from,
			.to = pages[i].to,
			.group = pages[i].group,
			.put = keep_bytes,
			.ctx = &page};
		json_t *stats = stats_of(log, pages[i].from, pages[i].to, pages[i].group);
		assert_int_equal(export_run(export_find("html"), &x), 0);
		buf_char(&page, '\0');
		rows += same_bands(page.p, stats);
		buf_free(&page);
		json_decref(stats);
		evl_close(log);
	}
	assert_true(rows > 50);
}

static void the_page_says_what_the_figures_say(void **state)
{
	static const char *const names[] = {
		"9.0.2-mixer-N2", "9.6.6-leaky-hT", "9.0.2-quarry-p-N2", "9.0.2-trouble-leak"};
	(void)state;
	for (size_t i = 0; i < countof(names); i++) {
		char path[128];
		snprintf(path, sizeof path, "tests/logs/%s.eventlog", names[i]);
		struct evl_log *log = walked_file(path);
		json_t *stats = stats_of(log, 0, UINT64_MAX, NULL);
		char *page = exported(log, "html", 0, UINT64_MAX);
		same_figures(page, stats);
		same_findings(page, stats);
		free(page);
		json_decref(stats);
		evl_close(log);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_says_what_the_figures_say), cmocka_unit_test(bands_are_those_of_the_census)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
