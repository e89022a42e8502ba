/* growing.h - the part of a growing log that is indexed once for all of its snapshots (growing_index.h), with its tables */
#ifndef EVL_GROWING_H
#define EVL_GROWING_H

#include "index/growing_index.h"
#include "log/log.h"

struct growing;

/* Allocate one without tables; NULL: memory ran out. growing_free accepts NULL. Logs that used it stay valid. */
struct growing *growing_new(void);
void growing_free(struct growing *g);

/* Let the next snapshot go on from the earlier ones that used g, which must be indexed. Call it before evl_start, with a log
 * that starts with the bytes of those. If it cannot go on, it is indexed from its start: return false if that is known now. */
bool growing_use(struct growing *g, struct evl_log *log);

/* Report whether the next snapshot will go on from those indexed so far. */
bool growing_goes_on(const struct growing *g);

/* For log.c: the index, and the jobs `go_on` and `settle` of the snapshots (indexer.h). */
struct growing_index *growing_index_of(struct growing *g);
int growing_go_on(void *log, struct walk_hooks *hooks) EVL_MUST_USE;
int growing_settle(void *log, struct walk_hooks *hooks) EVL_MUST_USE;

#endif
