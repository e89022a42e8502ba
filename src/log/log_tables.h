/* log_tables.h - feed the tables of a log from the walk: which table takes which event (table `feeds` in
 * log_tables.c). */
#ifndef EVL_LOG_TABLES_H
#define EVL_LOG_TABLES_H

#include "log/log.h"

/* Hooks of the indexer (`begin` and `end` of struct indexer_jobs): allocate the tables before the walk; complete them after it.
 * log is a struct evl_log. Return 0 or an error such as EVL_NOMEM. */
int evl_begin(void *log, struct walk_hooks *hooks);
int evl_end(void *log);

/* Number the capabilities (log->cap_chains), when the blocks are known. EVL_NOMEM or 0. */
int evl_make_lanes(struct evl_log *log) EVL_MUST_USE;

/* Free the tables that evl_begin allocated, with their contents. */
void evl_free_tables(struct evl_log *log);

#endif
