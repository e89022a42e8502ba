/* log_tables.h - feed the tables of a log from the walk: which table takes which event (table `feeds` in
 * log_tables.c). */
#ifndef EVL_LOG_TABLES_H
#define EVL_LOG_TABLES_H

#include "log/log.h"

/* indexer_jobs.begin and .end of a log. */
int evl_begin(void *log, struct walk_hooks *hooks);
int evl_end(void *log);

/* Free all that evl_begin made, and what the walk put into it. */
void evl_free_tables(struct evl_log *log);

#endif
