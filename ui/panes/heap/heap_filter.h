/* heap_filter.h - filter expressions for heap bands (filter.h), with the band's label as their only field */
#ifndef EVTUI_HEAP_FILTER_H
#define EVTUI_HEAP_FILTER_H

#include "base/filter.h"

extern const struct filter_fields heap_filter_fields;

/* Return whether the filter keeps the band with this label. A NUL must follow the label's bytes. */
bool heap_filter_keeps(const struct filter *f, struct evl_str label);

#endif
