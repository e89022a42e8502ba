/* heap_base.h - another log's heap profile to compare with: its bands at its largest sample, by name.
 *
 * The other log is read once; afterwards only names and bytes are kept, whatever groups are made of them. */
#ifndef EVTUI_HEAP_BASE_H
#define EVTUI_HEAP_BASE_H

#include "panes/heap/heap_query.h"

/* Read what s->ask.against says, if that is new, and match it with the bands of the survey. 0, EVL_CANCELLED or EVL_NOMEM. */
int heap_base_find(struct heap_scan *s) EVL_MUST_USE;
void heap_base_free(struct heap_base *b);

/* Return the bytes that a band, or a number past them (a band that only the other log has), held there. */
uint64_t heap_base_bytes(const struct heap_base *b, uint32_t number);

/* The name of a band that only the other log has. */
struct evl_str heap_base_label(const struct heap_base *b, uint32_t number);

#endif
