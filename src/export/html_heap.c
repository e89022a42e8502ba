#include "export/html_heap.h"

#include "base/units.h"
#include "export/picture.h"
#include "heap/census_shape.h"
#include "heap/census_window.h"
#include "query/census_label.h"
#include "sys/system.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WIDTH = 1200, HEIGHT = 320, LEFT = 90, BOTTOM = 22, COLUMNS = 400, OTHERS = CENSUS_SLOTS - 1, ROWS_MOST = 200 };

/* Distinct in all kinds of colour vision, the largest band first; the last is "other". */
static const char *const hues[CENSUS_SLOTS] = {"#4477aa", "#ee6677", "#ccbb44", "#228833", "#66ccee", "#aa3377",
	"#e69f00", "#332288", "#88ccaa", "#882255", "#ddaa99", "#117788", "#999933", "#bbbbbb"};

struct heap_page {
	struct export *x;
	struct buf *out;
	struct census_survey survey;
	struct census_axis axis;
	struct census_window window;
	struct census_slots slots;
	struct census_knot knots[COLUMNS + 2];
	size_t n_knots;
	uint32_t *order; /* the bands of the range by their peak, n of them */
	size_t n;
	uint64_t t0, t1, top;
};

static int by_peak(const void *a, const void *b, void *ctx)
{
	const struct census_window *w = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = w->courses[x].peak, q = w->courses[y].peak;
	return p != q ? (p < q ? 1 : -1) : ORDER(x, y);
}

/* --- the picture --------------------------------------------------------------------------------------------------- */

static double column(const struct heap_page *h, uint64_t t)
{
	double part = h->t1 > h->t0 ? ((double)t - (double)h->t0) / (double)(h->t1 - h->t0) : 0;
	return LEFT + (part < 0 ? 0 : part > 1 ? 1 : part) * (WIDTH - LEFT);
}

static double row(const struct heap_page *h, double bytes)
{
	return HEIGHT - BOTTOM - (h->top ? bytes / (double)h->top : 0) * (HEIGHT - BOTTOM - 10);
}

/* 1, 2 or 5 with zeros, so that four of them reach `most`. */
static uint64_t round_step(uint64_t most)
{
	uint64_t least = most / 4 + 1, step = 1;
	for (int k = 0; step < least && step <= UINT64_MAX / 10; k++)
		step = k % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

static void put_axes(struct heap_page *h, uint64_t step)
{
	for (uint64_t v = 0; v <= h->top && v >= step * (v > 0); v += step) {
		double y = row(h, (double)v);
		buf_printf(
			h->out, "<line class=\"g\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH, y, y);
		buf_printf(h->out, "<text class=\"l\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT - 6, y + 4,
			v ? as_bytes(v) : "0");
	}
	for (int i = 0; i <= 10 && !h->axis.by_index; i++) {
		uint64_t t = h->t0 + (h->t1 - h->t0) / 10 * (uint64_t)i;
		buf_printf(h->out, "<text class=\"t\" x=\"%.1f\" y=\"%d\">%.3f s</text>\n",
			column(h, t) - (i == 10 ? 20 : 0), HEIGHT - 6, (double)t / 1e9);
	}
}

/* The sum of the slots up to this one at a moment. */
static double below(const struct heap_page *h, size_t knot, int slot)
{
	double sum = 0;
	for (int s = 0; s <= slot; s++)
		sum += s < h->slots.n || s == OTHERS ? (double)h->knots[knot].parts[s] : 0;
	return sum;
}

static void put_band(struct heap_page *h, int slot)
{
	buf_printf(h->out, "<polygon fill=\"%s\" points=\"", hues[slot]);
	for (size_t i = 0; i < h->n_knots; i++)
		buf_printf(h->out, "%.1f,%.1f ", column(h, h->knots[i].t), row(h, below(h, i, slot)));
	for (size_t i = h->n_knots; i-- > 0;)
		buf_printf(h->out, "%.1f,%.1f ", column(h, h->knots[i].t), row(h, slot ? below(h, i, slot - 1) : 0));
	buf_lit(h->out, "\"/>\n");
}

static void put_marks(struct heap_page *h)
{
	struct point marker;
	int n = 0;
	for (uint64_t t = h->t0; n < 100 && points_after(&h->x->log->markers, t, &marker) && marker.t < h->t1;
		t = marker.t, n++) {
		double x = column(h, marker.t);
		buf_printf(h->out,
			"<line class=\"m\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\">", x,
			x, HEIGHT - BOTTOM, x + 3, 12 + n % 3 * 12);
		picture_text(h->out, evl_text_at(h->x->log, marker.off));
		buf_lit(h->out, "</text>\n");
	}
}

static void put_picture(struct heap_page *h)
{
	uint64_t most = 0;
	for (size_t i = 0; i < h->n_knots; i++)
		most = max_u64(most, h->knots[i].total);
	uint64_t step = round_step(most);
	h->top = (most / step + (most % step != 0)) * step;
	buf_printf(h->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", WIDTH,
		HEIGHT, WIDTH, HEIGHT);
	put_axes(h, step);
	for (int s = 0; s < CENSUS_SLOTS; s++)
		if (s < h->slots.n || s == OTHERS)
			put_band(h, s);
	if (!h->axis.by_index)
		put_marks(h);
	buf_lit(h->out, "</svg>\n");
}

/* --- the table ----------------------------------------------------------------------------------------------------- */

static void put_label(struct heap_page *h, uint32_t band)
{
	const struct prof_naming names = evl_naming(h->x->log);
	struct buf text = {0};
	census_label(&names, bands_at(&h->survey.bands, band), &text);
	if (text.failed)
		h->out->failed = true;
	picture_text(h->out, (struct evl_str){(const uint8_t *)text.p, text.len});
	buf_free(&text);
}

/* Read the bytes of each listed band at evenly spread samples: n of each. */
static int read_points(
	struct heap_page *h, size_t n_bands, struct shape_point *points, size_t n, const struct census_run *run)
{
	struct census_values v = {0};
	int result = 0;
	for (size_t i = 0; i < n && result == 0; i++) {
		size_t sample = h->window.from + (h->window.to - h->window.from - 1) * i / (n > 1 ? n - 1 : 1);
		result = census_values_read(&v, &h->survey.bands, run->census, run->blocks, h->survey.samples[sample],
			run->profile, run->cancel);
		for (size_t k = 0; k < n_bands && result == 0; k++)
			points[k * n + i] =
				(struct shape_point){census_axis_time(&h->axis, sample), census_bytes(&v, h->order[k])};
	}
	census_values_free(&v);
	return result;
}

static void put_row(struct heap_page *h, size_t k, const struct shape_point *points, size_t n)
{
	const struct band_course *c = &h->window.courses[h->order[k]];
	char text[SHAPE_TEXT];
	struct census_shape shape;
	int slot = 0;
	while (slot < h->slots.n && h->slots.bands[slot] != h->order[k])
		slot++;
	census_shape(&shape, points, h->axis.by_index ? 0 : n);
	buf_printf(h->out, "<tr><td style=\"background:%s\">&nbsp;&nbsp;</td><td>",
		hues[slot < h->slots.n ? slot : OTHERS]);
	put_label(h, h->order[k]);
	buf_printf(h->out, "</td><td class=\"n\" data-value=\"%" PRIu64 "\">%s</td><td class=\"n\">%s</td>", c->peak,
		as_bytes(c->peak), as_duration(c->peak ? census_axis_time(&h->axis, c->peak_at) : 0));
	buf_printf(h->out,
		"<td class=\"n\" data-value=\"%.0f\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s·s</td><td>",
		census_mean(&h->window, c), as_bytes((uint64_t)census_mean(&h->window, c)),
		as_bytes((uint64_t)census_deviation(&h->window, c)),
		as_bytes(c->area < 1e18 ? (uint64_t)c->area : (uint64_t)1e18));
	if (!h->axis.by_index)
		buf_cstr(h->out, census_shape_text(text, &shape));
	buf_lit(h->out, "</td></tr>\n");
}

static int put_table(struct heap_page *h, const struct census_run *run)
{
	size_t all = h->n, n_bands = all < ROWS_MOST ? all : ROWS_MOST, n = h->window.to - h->window.from;
	n = n < SHAPE_POINTS ? n : SHAPE_POINTS;
	struct shape_point *points = calloc(n_bands * n + 1, sizeof *points);
	int result = points ? read_points(h, n_bands, points, n, run) : EVL_NOMEM;
	if (result == 0) {
		buf_lit(h->out,
			"<p><label>Filter bands: <input id=\"band\" size=\"40\"></label></p>\n<table "
			"id=\"bands\">\n<tr><th></th>"
			"<th>band</th><th>peak</th><th>at</th><th>mean</th><th>deviation</th><th>area</th>"
			"<th>history</th></tr>\n");
		for (size_t k = 0; k < n_bands; k++)
			put_row(h, k, points + k * n, n);
		buf_lit(h->out, "</table>\n");
		if (all > n_bands)
			buf_printf(h->out, "<p>and %zu smaller bands</p>\n", all - n_bands);
		buf_lit(h->out,
			"<script>\ndocument.getElementById(\"band\").addEventListener(\"input\", function () {\n"
			"  var want = this.value.toLowerCase(), rows = document.getElementById(\"bands\").rows;\n"
			"  for (var i = 1; i < rows.length; i++)\n"
			"    rows[i].style.display = rows[i].cells[1].textContent.toLowerCase().indexOf(want) < 0 ? "
			"\"none\" : \"\";\n"
			"});\n</script>\n");
	}
	free(points);
	return result;
}

/* --- the section --------------------------------------------------------------------------------------------------- */

static int fill(struct heap_page *h, const struct census_run *run)
{
	size_t which[COLUMNS + 2], n = bands_count(&h->survey.bands);
	int result = census_window(&h->window, &h->survey, &h->axis, census_axis_before(&h->axis, h->t0),
		census_axis_before(&h->axis, h->t1), run);
	if (result < 0)
		return result;
	h->order = malloc((n + 1) * sizeof *h->order);
	if (!h->order)
		return EVL_NOMEM;
	for (uint32_t i = 0; i < n; i++)
		if (h->window.courses[i].n)
			h->order[h->n++] = i;
	sys_sort(h->order, h->n, sizeof *h->order, by_peak, &h->window);
	for (h->slots.n = 0; h->slots.n < OTHERS && (size_t)h->slots.n < h->n; h->slots.n++)
		h->slots.bands[h->slots.n] = h->order[h->slots.n];
	h->n_knots = census_knots(&h->survey, &h->axis, h->t0, h->t1, COLUMNS, h->knots, which);
	return census_knots_fill(h->knots, which, h->n_knots, &h->slots, &h->survey, run);
}

static int put_profile(struct heap_page *h, const struct census_run *run, const struct breakdown_found *kind)
{
	char name[BREAKDOWN_ROOM];
	int result = fill(h, run);
	if (result == 0 && h->window.to > h->window.from) {
		buf_lit(h->out, "<h2>Heap by ");
		picture_text(h->out, (struct evl_str){(const uint8_t *)breakdown_name(kind, name), strlen(name)});
		buf_lit(h->out, "</h2>\n");
		put_picture(h);
		result = put_table(h, run);
	}
	free(h->order);
	census_window_free(&h->window);
	return result;
}

int html_heap_put(struct export *x)
{
	const struct evl_log *log = x->log;
	unsigned profile = census_profile_from(&log->census, &log->blocks, 0);
	uint64_t first, last;
	if (profile == CENSUS_PROFILES || !evl_range(log, &first, &last))
		return 0;
	const struct census_run run = census_run_of(log, profile, x->cancel);
	const struct breakdown_found kind = census_kind_of(log, profile);
	struct heap_page *h = calloc(1, sizeof *h);
	if (!h)
		return EVL_NOMEM;
	*h = (struct heap_page){
		.x = x, .out = &x->out, .t0 = max_u64(first, x->from), .t1 = max_u64(first, min_u64(last + 1, x->to))};
	int result = census_survey_named(&h->survey, log, &run);
	if (result == 0) {
		h->axis =
			(struct census_axis){&log->census, h->survey.samples, h->survey.n, first, last, kind.by_index};
		result = x->group ? census_group_as(&h->survey, log, x->group, &run)
				  : census_group_by_name(&h->survey, log, &run);
		result = result || h->survey.n == 0 ? result : put_profile(h, &run, &kind);
		census_survey_free(&h->survey);
	}
	free(h);
	return result;
}
