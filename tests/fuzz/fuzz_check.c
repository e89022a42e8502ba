/* Any line as a bound of `evtui check`, and as the filter of a table: it is refused with a word, or it names a figure and a
 * number to compare with, and says the same twice. */
#include "fuzz.h"

#include "report/check.h"
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
	static struct figures figures;
	struct evl_err err = {0};
	struct check c;
	double is, again;
	int result = check_parse(&c, line, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result < 0)
		return;
	check(c.metric <= METRICS && c.name.len > 0 && isfinite(c.value) && c.name.p >= (const uint8_t *)line
		&& c.name.p + c.name.len <= (const uint8_t *)line + strlen(line));
	fill(&figures);
	enum check_result found = check_run(&c, &figures, &is);
	check(found == check_run(&c, &figures, &again) && (found == CHECK_UNKNOWN) == (isnan(is) != 0));
	check_is_deep(&c);
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
