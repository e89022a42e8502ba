/* heap_base.h - the heap profile of another log, to compare with: its bands at its largest sample, by name
 *
 * The other log is read once; then names and bytes are kept, so that a different grouping needs no further reading. */
#ifndef EVTUI_HEAP_BASE_H
#define EVTUI_HEAP_BASE_H

#include "panes/heap/heap_query.h"

/* Read the profile of s->ask.against, unless that is done, and match its bands with those of this log (s->survey).
 * Return 0, EVL_CANCELLED or EVL_NOMEM. */
int heap_base_find(struct heap_scan *s) EVL_MUST_USE;
void heap_base_free(struct heap_base *b);

/* Return the bytes of a band in the other log. Numbers from b->n_bands on are bands that only the other log has. */
uint64_t heap_base_bytes(const struct heap_base *b, uint32_t number);

/* Return the name of a band that only the other log has. */
struct evl_str heap_base_label(const struct heap_base *b, uint32_t number);

#endif
