/* Any line as a bound of `check` and as a filter of a table: it is refused with a word, or it is one that says the same
 * twice. */
#include "check.h"
#include "gc_list.h"

#include <math.h>
#include <stdlib.h>

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* Figures of which half are known. */
static void fill(struct figures *f)
{
	static struct span_name span = {.n = 3, .unfinished = 1, .total = 50, .gc = 10, .p50 = 20, .max = 30};
	span.name = EVL_STR("a.b");
	*f = (struct figures){.spans = {.items = &span, .n = 1}};
	for (int m = 0; m < METRICS; m++)
		f->values[m] = m % 2 ? (double)NAN : m * 1e6;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { ROOM = 300 };
	static struct figures figures;
	struct check bound;
	struct table_filter filter;
	struct evl_err err = {0};
	char line[ROOM];
	size_t len = size < ROOM - 1 ? size : ROOM - 1;
	if (len)
		memcpy(line, data, len);
	line[len] = '\0';
	fill(&figures);
	int result = check_parse(&bound, line, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result == 0) {
		double is, again;
		enum check_result found = check_run(&bound, &figures, &is);
		check(found == check_run(&bound, &figures, &again) && isfinite(bound.value));
		check((found == CHECK_UNKNOWN) == (isnan(is) != 0));
		check_is_deep(&bound);
	}
	err = (struct evl_err){0};
	result = table_filter_parse(&filter, &gc_table_kind, (struct evl_str){data, size}, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	check(result || filter.n <= TABLE_TERMS);
	return 0;
}
