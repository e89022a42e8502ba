#include "panes/stats/stats_tables.h"

#include "report/figure_lists.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

const struct table_source stats_gcs = {.kind = &gc_table_kind,
	.title = "collections",
	.exported = "csv gc",
	.absence = ABSENCE_GCS,
	.sorted = GC_COLUMN_PAUSE,
	.falling = true,
	.wide = GC_COLUMN_MOSTLY,
	.at = GC_COLUMN_START};

const struct table_source stats_syncs = {.kind = &gc_table_kind,
	.title = "collections",
	.exported = "csv gc",
	.absence = ABSENCE_REQUESTS,
	.sorted = GC_COLUMN_SYNC,
	.falling = true,
	.wide = GC_COLUMN_MOSTLY,
	.at = GC_COLUMN_START};

const struct table_source stats_threads = {.kind = &thread_table_kind,
	.title = "threads",
	.exported = "csv threads",
	.absence = ABSENCE_THREADS,
	.sorted = THREAD_COLUMN_RUN,
	.falling = true,
	.wide = THREAD_COLUMN_LABEL,
	.at = THREAD_COLUMN_BORN,
	.deepens = "reading how threads waited"};

const struct table_source stats_span_names = {.kind = &figure_tables[FIGURES_spans],
	.list = FIGURES_spans,
	.title = "names of spans",
	.absence = ABSENCE_SPANS,
	.sorted = spans_ROW_TOTAL,
	.falling = true,
	.wide = spans_ROW_NAME,
	.at = spans_ROW_MAX_AT,
	.deepens = "reading what their time went into"};

const struct table_source stats_spans = {.kind = &span_list_kind,
	.title = "spans",
	.exported = "csv spans",
	.absence = ABSENCE_SPANS,
	.sorted = SPAN_COLUMN_DURATION,
	.falling = true,
	.wide = SPAN_COLUMN_NAME,
	.at = SPAN_COLUMN_START,
	.deepens = "reading what their time went into"};

const struct table_source stats_phases = {.kind = &phase_list_kind,
	.title = "phases",
	.exported = "csv phases",
	.absence = ABSENCE_PHASES,
	.sorted = PHASE_COLUMN_FROM,
	.wide = PHASE_COLUMN_NAME,
	.at = PHASE_COLUMN_FROM};

const struct table_source stats_path = {.kind = &path_list_kind,
	.title = "critical path",
	.absence = ABSENCE_THREADS,
	.sorted = PATH_COLUMN_FROM,
	.wide = PATH_COLUMN_LABEL,
	.at = PATH_COLUMN_FROM,
	.deepens = "following the path to its start"};

static const uint8_t blocked_widths[BLOCKED_COLUMNS] = {[BLOCKED_COLUMN_REASON] = 20,
	[BLOCKED_COLUMN_N] = 8,
	[BLOCKED_COLUMN_LONGEST_THREAD] = 8,
	[BLOCKED_COLUMN_WAKERS] = 40,
	[BLOCKED_COLUMN_OWNERS] = 40};

const struct table_source stats_blocked = {.kind = &blocked_list_kind,
	.title = "blocked time",
	.exported = "csv blocked",
	.absence = ABSENCE_THREADS,
	.sorted = BLOCKED_COLUMN_TOTAL,
	.falling = true,
	.wide = BLOCKED_COLUMN_REASON,
	.widths = blocked_widths,
	.at = BLOCKED_COLUMN_LONGEST_AT};

static const uint8_t wakers_widths[WAKERS_COLUMNS] = {
	[WAKERS_COLUMN_REASON] = 20, [WAKERS_COLUMN_LABEL] = 24, [WAKERS_COLUMN_N] = 9};

const struct table_source stats_wakers = {.kind = &wakers_list_kind,
	.title = "wakers",
	.exported = "csv wakers",
	.absence = ABSENCE_THREADS,
	.sorted = WAKERS_COLUMN_TOTAL,
	.falling = true,
	.wide = WAKERS_COLUMN_LABEL,
	.widths = wakers_widths,
	.at = -1};

const struct table_source stats_caps = {.kind = &figure_tables[FIGURES_caps],
	.list = FIGURES_caps,
	.title = "capabilities",
	.exported = "csv caps",
	.absence = ABSENCE_RUNS,
	.deepens = "reading what each capability did",
	.sorted = caps_ROW_CAP,
	.wide = -1,
	.at = -1};

static const uint8_t finding_widths[findings_ROWS] = {
	[findings_ROW_ID] = 20, [findings_ROW_SEVERITY] = 8, [findings_ROW_TEXT] = 44, [findings_ROW_STAKE] = 14};

const struct table_source stats_findings = {.kind = &figure_tables[FIGURES_findings],
	.list = FIGURES_findings,
	.title = "findings",
	.none = "no findings",
	.sorted = -1,
	.wide = findings_ROW_TEXT,
	.fills = true,
	.widths = finding_widths,
	.at = findings_ROW_T,
	.deepens = "reading how threads waited"};

const struct table_source stats_concurrency = {.kind = &figure_tables[FIGURES_concurrency],
	.list = FIGURES_concurrency,
	.title = "capabilities that run at once",
	.exported = "csv concurrency",
	.absence = ABSENCE_RUNS,
	.sorted = concurrency_ROW_CAPS,
	.wide = -1,
	.at = -1,
	.deepens = "reading how threads waited"};

const struct table_source stats_cycles = {.kind = &figure_tables[FIGURES_nm_cycles],
	.list = FIGURES_nm_cycles,
	.title = "nonmoving cycles",
	.exported = "csv nm_cycles",
	.absence = ABSENCE_NONMOVING,
	.sorted = nm_cycles_ROW_START,
	.wide = -1,
	.at = nm_cycles_ROW_START};

const struct table_source stats_segments = {.kind = &figure_tables[FIGURES_nm_census],
	.list = FIGURES_nm_census,
	.title = "block sizes of the last sweep",
	.absence = ABSENCE_NM_CENSUS,
	.sorted = nm_census_ROW_BLOCK,
	.wide = -1,
	.at = -1};

/* Of the texts: a closure is "go1{v s5oP} (Main) (fun) in r5ns". */
static const uint8_t ticky_widths[TICKY_COLUMNS] = {
	[TICKY_COLUMN_NAME] = 37, [TICKY_COLUMN_ARGS] = 6, [TICKY_COLUMN_WHAT] = 6, [TICKY_COLUMN_SOURCE] = 40};

const struct table_source stats_ticky = {.kind = &ticky_list_kind,
	.title = "ticky counters",
	.absence = ABSENCE_TICKY,
	.sorted = TICKY_COLUMN_ALLOCS,
	.falling = true,
	.wide = TICKY_COLUMN_NAME,
	.widths = ticky_widths,
	.at = -1};

static const uint8_t damage_widths[DAMAGE_COLUMNS] = {[DAMAGE_COLUMN_OFFSET] = 18, [DAMAGE_COLUMN_REASON] = 44};

const struct table_source stats_damage = {.kind = &damage_list_kind,
	.title = "damaged places",
	.exported = "csv damage",
	.none = "none",
	.sorted = DAMAGE_COLUMN_OFFSET,
	.wide = DAMAGE_COLUMN_REASON,
	.fills = true,
	.widths = damage_widths,
	.at = -1};
