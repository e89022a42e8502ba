/* log_tables.h - pass events to the tables of a log while it is indexed: which table takes which event (`feeds` in
 * log_tables.c). */
#ifndef EVL_LOG_TABLES_H
#define EVL_LOG_TABLES_H

#include "log/log.h"

/* Callbacks for the indexer: `begin` and `end` of struct indexer_jobs. evl_begin allocates the tables before the events
 * are read, evl_end completes them afterwards. log is a struct evl_log. Return 0 or an error such as EVL_NOMEM. */
int evl_begin(void *log, struct walk_hooks *hooks);
int evl_end(void *log);

/* Do the same as evl_begin for a log that starts with the events of another: copy the tables of that one, which is not
 * changed meanwhile. */
int evl_go_on(struct evl_log *log, const struct evl_log *from, struct walk_hooks *hooks);

/* Fill in log->cap_chains, once the blocks are known. Return 0 or EVL_NOMEM. */
int evl_make_lanes(struct evl_log *log) EVL_MUST_USE;

/* Free the tables that evl_begin allocated, with their contents. */
void evl_free_tables(struct evl_log *log);

#endif
