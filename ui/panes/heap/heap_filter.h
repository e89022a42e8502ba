/* heap_filter.h - filter of heap bands: a filter expression (filter.h) with the band's label as its only field. */
#ifndef EVTUI_HEAP_FILTER_H
#define EVTUI_HEAP_FILTER_H

#include "base/filter.h"

extern const struct filter_fields heap_filter_fields;

/* Return whether the filter keeps the band with this label, which must be followed by a NUL. */
bool heap_filter_keeps(const struct filter *f, struct evl_str label);

#endif
