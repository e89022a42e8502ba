/* stats_tables.h - the tables that the Stats pane opens: collections, threads, spans, phases, … */
#ifndef EVTUI_STATS_TABLES_H
#define EVTUI_STATS_TABLES_H

#include "tables/table_job.h"

extern const struct table_source stats_gcs, stats_syncs, stats_threads, stats_span_names, stats_spans, stats_phases,
	stats_path, stats_blocked, stats_wakers, stats_caps, stats_findings, stats_concurrency, stats_cycles,
	stats_segments, stats_ticky, stats_damage;

#endif
