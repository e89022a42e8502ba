#include "panes/heap/heap_filter.h"

static const struct filter_field fields[] = {
	{.name = "label", .example = "label~Map or label=GHC.*", .kind = FILTER_TEXT}};

const struct filter_fields heap_filter_fields = {fields, countof(fields), .open = true};

static enum filter_answer holds(void *label, const struct filter *f, const struct filter_term *t)
{
	return filter_text(f, t, *(const struct evl_str *)label) ? FILTER_YES : FILTER_NO;
}

bool heap_filter_keeps(const struct filter *f, struct evl_str label)
{
	return filter_ask(f, holds, &label) != FILTER_NO;
}
