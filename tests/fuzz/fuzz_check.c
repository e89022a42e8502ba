/* Any line as a bound of `evtui check`, and as the filter of a table: it is refused with a word, or it names a figure and a
 * number to compare with, and says the same twice. */
#include "fuzz.h"

#include "gate/check.h"
#include "table/gc_table.h"

#include <math.h>

/* Figures of which half are known. */
static void fill(struct figures *f)
{
	static struct span_name span = {
		.n = 3, .unfinished = 1, .total = 50, .finished = 40, .paused = 10, .p50 = 20, .max = 30};
	span.name = EVL_STR("a.b");
	*f = (struct figures){.spans = {.items = &span, .n = 1}};
	for (int m = 0; m < METRICS; m++)
		f->values[m] = m % 2 ? (double)NAN : m * 1e6;
}

static void check_bound(const char *line)
{
	static const char bytes[] = "hdrbhetbhetehdredatb\xff\xff";
	static struct evl_log *log; /* of which nothing is known */
	static struct figures figures;
	struct evl_err err = {0};
	struct check c;
	static struct named named;
	check(log || evl_open_memory(&log, bytes, sizeof bytes - 1, NULL) == 0);
	int result = check_parse(&c, line, line[0] & 1, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result < 0)
		return;
	const struct figure_name *name = &c.name;
	check(name->metric <= METRICS && name->text.len > 0 && isfinite(c.value)
		&& name->text.p >= (const uint8_t *)line
		&& name->text.p + name->text.len <= (const uint8_t *)line + strlen(line));
	check(c.exists == (name->metric != METRICS || name->field >= 0));
	fill(&figures);
	if (named_make(&named, NULL, &figures, 1u << NAMED_SPANS, NULL) < 0)
		return;
	struct check_result found = check_run(&c, &figures, &named, c.relative ? 7e6 : (double)NAN);
	check((found.outcome == CHECK_UNKNOWN) == (isnan(found.is) != 0));
	struct buf why = {0};
	check_explain(&c, &found, log, &figures, &named, &why);
	check(why.failed || why.len > 0);
	buf_free(&why);
	named_free(&named);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 256 };
	char line[ROOM] = "";
	struct evl_err err = {0};
	struct filter filter;
	if (len)
		memcpy(line, data, len < ROOM - 1 ? len : ROOM - 1);
	check_bound(line);
	int result = table_filter_parse(&filter, &gc_table_kind, line, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	filter_free(&filter);
	return 0;
}
