#include "report/diff.h"

#include "report/figures_json.h"

#include <math.h>

/* Differences up to these are trifles, by unit: what any two runs of one program differ by. */
static const double trifles[UNITS] = {[UNIT_COUNT] = 10,
	[UNIT_NS] = 100e3,
	[UNIT_MOMENT] = 100e3,
	[UNIT_BYTES] = 65536,
	[UNIT_SHARE] = 0.02,
	[UNIT_RATE] = 1e6,
	[UNIT_FREQUENCY] = 1,
	[UNIT_NUMBER] = 0.1};

#define NOTABLE_RATIO 0.1

static struct diff_row row_of(const struct metric_info *info, double a, double b)
{
	struct diff_row r = {.a = a, .b = b, .by = b - a, .ratio = fabs(a) > 0 ? (b - a) / fabs(a) : (double)NAN};
	bool much = isnan(r.ratio) || fabs(r.ratio) >= NOTABLE_RATIO;
	r.notable = much && fabs(r.by) > trifles[info->unit];
	if (r.notable && info->sense != METRIC_FLAT)
		r.sense = (r.by > 0) == (info->sense == METRIC_UP) ? 1 : -1;
	return r;
}

void diff_make(struct diff_row *rows, const struct figures *a, const struct figures *b)
{
	for (int m = 0; m < METRICS; m++)
		rows[m] = row_of(metric_info((enum metric)m), a->values[m], b->values[m]);
}

static void put_row(struct json *j, const struct metric_info *info, const struct diff_row *r)
{
	static const char *const senses[] = {"better", "neither", "worse"};
	json_open(j, '{');
	json_key(j, "name");
	json_cstr(j, info->name);
	json_key(j, "unit");
	json_cstr(j, unit_name(info->unit));
	json_key(j, "a");
	figures_json_value(j, info->unit, r->a);
	json_key(j, "b");
	figures_json_value(j, info->unit, r->b);
	json_put_double(j, "by", r->by);
	json_put_double(j, "ratio", r->ratio);
	json_key(j, "notable");
	json_bool(j, r->notable);
	json_key(j, "b_is");
	json_cstr(j, senses[r->sense + 1]);
	json_close(j, '}');
}

void diff_json(
	const struct diff_row *rows, const struct prof_diff *profile, const char *a, const char *b, struct buf *out)
{
	enum { SCHEMA = 1 };
	struct json j = {out, false};
	json_open(&j, '{');
	json_put_u64(&j, "schema", SCHEMA);
	json_put_text(&j, "a", (struct evl_str){(const uint8_t *)a, strlen(a)});
	json_put_text(&j, "b", (struct evl_str){(const uint8_t *)b, strlen(b)});
	json_key(&j, "figures");
	json_open(&j, '[');
	for (int m = 0; m < METRICS; m++)
		put_row(&j, metric_info((enum metric)m), &rows[m]);
	json_close(&j, ']');
	json_key(&j, "profile");
	prof_diff_json(profile, &j);
	json_close(&j, '}');
	buf_char(out, '\n');
}
