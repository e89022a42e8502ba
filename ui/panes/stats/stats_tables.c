#include "panes/stats/stats_tables.h"

#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

const struct table_source stats_gcs = {.kind = &gc_table_kind,
	.title = "collections",
	.absence = ABSENCE_GCS,
	.sorted = GC_COLUMN_PAUSE,
	.falling = true,
	.wide = -1,
	.at = GC_COLUMN_START};

const struct table_source stats_threads = {.kind = &thread_table_kind,
	.title = "threads",
	.absence = ABSENCE_THREADS,
	.sorted = THREAD_COLUMN_RUN,
	.falling = true,
	.wide = THREAD_COLUMN_LABEL,
	.at = THREAD_COLUMN_BORN,
	.deepens = "reading how threads waited"};

const struct table_source stats_spans = {.kind = &span_list_kind,
	.title = "spans",
	.absence = ABSENCE_SPANS,
	.sorted = SPAN_COLUMN_DURATION,
	.falling = true,
	.wide = SPAN_COLUMN_NAME,
	.at = SPAN_COLUMN_START,
	.deepens = "reading what their time went into"};

const struct table_source stats_phases = {.kind = &phase_list_kind,
	.title = "phases",
	.absence = ABSENCE_PHASES,
	.sorted = PHASE_COLUMN_FROM,
	.wide = PHASE_COLUMN_NAME,
	.at = PHASE_COLUMN_FROM};

const struct table_source stats_path = {.kind = &path_list_kind,
	.title = "critical path",
	.absence = ABSENCE_THREADS,
	.sorted = PATH_COLUMN_DURATION,
	.falling = true,
	.wide = PATH_COLUMN_LABEL,
	.at = PATH_COLUMN_FROM,
	.deepens = "following the path to its start"};

const struct table_source stats_ticky = {.kind = &ticky_list_kind,
	.title = "ticky counters",
	.absence = ABSENCE_TICKY,
	.sorted = TICKY_COLUMN_ALLOCS,
	.falling = true,
	.wide = TICKY_COLUMN_NAME,
	.at = -1};
