/* stats_tables.h - tables opened from the Stats pane: which (GC, threads, …), and what each lists. */
#ifndef EVTUI_STATS_TABLES_H
#define EVTUI_STATS_TABLES_H

#include "log/log.h"
#include "tables/table_job.h"

/* The range of the log that they show. */
struct stats_range {
	const struct evl_log *log;
	uint64_t from, to;
	uint64_t label;  /* of spans: struct span_list */
	uint32_t thread; /* that a path ends with; 0: the main thread */
};

extern const struct table_source stats_gcs;     /* references: gc_table.h */
extern const struct table_source stats_threads; /* references: threads */
extern const struct table_source stats_spans;   /* references: span_list.h */
extern const struct table_source stats_phases;  /* references: phase_list.h */
extern const struct table_source stats_path;    /* references: path_table.h */

#endif
