stats_pane.o: ui/panes/stats/stats_pane.c /tmp/me/bx/prelude-Og.h \
 ui/panes/stats/stats_pane.h ui/chrome/pane.h ui/chrome/history.h \
 ui/chrome/prompt.h ui/draw/canvas.h src/base/base.h src/evl.h \
 ui/draw/style.h ui/draw/style.def ui/term/input.h \
 ui/chrome/screen_rows.h ui/lanes/parts.h ui/draw/line.h src/base/units.h \
 src/base/err.h ui/jobs/cursor_job.h ui/jobs/job.h src/sys/progress.h \
 src/query/span_budget.h src/gc/gc_pauses.h src/gc/gc_scan.h src/gc/gc.h \
 src/base/rows.h src/gc/gc_pyramid.h src/base/image.h src/index/blocks.h \
 src/format/frame.h src/format/header.h src/format/schema.h \
 src/format/events.def src/log/log.h src/bytes/decompress.h \
 src/bytes/source.h src/gc/nonmoving.h src/index/points.h \
 src/heap/census.h src/heap/heap.h src/index/series.h \
 src/index/downsample.h src/index/event_find.h src/index/cursor.h \
 src/bytes/prefetch.h src/index/tiles.h src/log/event_counts.h \
 src/index/walk.h src/log/run_stats.h src/sched/busy_union.h \
 src/gc/gc_delays.h src/base/histogram.h src/base/idmap.h \
 src/sched/caps.h src/prof/cost_centres.h src/prof/by_id.h \
 src/prof/prof_names.h src/base/buf.h src/exe/exe.h src/exe/elf_file.h \
 src/exe/ipedb.h src/program/ipe.h src/prof/prof.h \
 src/prof/stack_profiler.h src/prof/stacks.h src/program/messages.h \
 src/program/perf.h src/program/program.h src/program/spans.h \
 src/program/span_syntax.h src/sched/cap_life.h src/sched/idle.h \
 src/sched/log_gaps.h src/sched/sparks.h src/sched/spark_events.h \
 src/index/chain_seek.h src/sched/tasks.h src/sched/thread_lives.h \
 src/sched/threads.h src/query/thread_history.h src/query/sched_events.h \
 src/sched/thread_state.h src/sched/stops.def src/query/thread_find.h \
 src/query/thread_waits.h src/query/contention.h \
 ui/jobs/range_stats_job.h ui/lanes/lane.h ui/state/plot.h \
 src/sched/cap_shares.h ui/state/model.h ui/state/bookmarks.h \
 ui/lanes/lane.def ui/term/keymap.h ui/term/keymap.def \
 ui/chrome/source_view.h ui/jobs/source_job.h src/index/event_rank.h \
 src/query/exe_match.h ui/state/jump.h ui/jobs/path_job.h \
 src/query/path.h ui/panes/stats/section.h src/report/absence.h \
 src/report/figure_lists.h src/report/figures.h src/query/gc_laggards.h \
 src/query/gc_detail.h src/query/heap_trend.h src/query/nm_cycles.h \
 src/query/phases.h src/query/span_stats.h src/query/ticky.h \
 src/report/label_waits.h src/report/metrics.h src/report/metrics.def \
 src/table/table.h src/base/cell.h src/base/json.h src/base/filter.h \
 src/base/text_match.h src/base/time_expr.h src/report/figure_lists.def \
 src/report/findings.h src/report/findings.def ui/panes/stats/section.def \
 ui/panes/heap/heap_pane.h src/base/utf8.h ui/chrome/edit_source.h \
 src/query/source_find.h ui/draw/text.h src/export/export.h \
 src/sys/atomic_file.h src/export/export.def src/export/export_list.h \
 ui/lanes/lane_threads.h ui/lanes/lanes.h ui/threads/thread_job.h \
 ui/threads/thread_list.h ui/threads/thread_order.h \
 ui/threads/thread_choice.h src/query/thread_shares.h \
 ui/threads/lane_filter.h ui/threads/thread_patterns.h \
 ui/panes/stats/diff_view.h ui/jobs/other_log.h ui/panes/stats/diff_job.h \
 src/report/diff.h src/prof/prof_diff.h src/report/named_diff.h \
 src/report/named.h src/report/named.def ui/panes/stats/stats_boxes.h \
 ui/panes/stats/stats_job.h ui/panes/stats/span_groups.h \
 ui/panes/stats/stats_summary.h src/sched/spark_sizes.h \
 ui/panes/stats/stats_tables.h ui/tables/table_job.h \
 ui/panes/timeline/selection_keys.h ui/panes/timeline/timeline.h \
 src/table/lists.h src/table/thread_table.h src/table/declare_lists.def \
 src/table/thread_columns.def src/table/lists.def ui/tables/table_view.h
/tmp/me/bx/prelude-Og.h:
ui/panes/stats/stats_pane.h:
ui/chrome/pane.h:
ui/chrome/history.h:
ui/chrome/prompt.h:
ui/draw/canvas.h:
src/base/base.h:
src/evl.h:
ui/draw/style.h:
ui/draw/style.def:
ui/term/input.h:
ui/chrome/screen_rows.h:
ui/lanes/parts.h:
ui/draw/line.h:
src/base/units.h:
src/base/err.h:
ui/jobs/cursor_job.h:
ui/jobs/job.h:
src/sys/progress.h:
src/query/span_budget.h:
src/gc/gc_pauses.h:
src/gc/gc_scan.h:
src/gc/gc.h:
src/base/rows.h:
src/gc/gc_pyramid.h:
src/base/image.h:
src/index/blocks.h:
src/format/frame.h:
src/format/header.h:
src/format/schema.h:
src/format/events.def:
src/log/log.h:
src/bytes/decompress.h:
src/bytes/source.h:
src/gc/nonmoving.h:
src/index/points.h:
src/heap/census.h:
src/heap/heap.h:
src/index/series.h:
src/index/downsample.h:
src/index/event_find.h:
src/index/cursor.h:
src/bytes/prefetch.h:
src/index/tiles.h:
src/log/event_counts.h:
src/index/walk.h:
src/log/run_stats.h:
src/sched/busy_union.h:
src/gc/gc_delays.h:
src/base/histogram.h:
src/base/idmap.h:
src/sched/caps.h:
src/prof/cost_centres.h:
src/prof/by_id.h:
src/prof/prof_names.h:
src/base/buf.h:
src/exe/exe.h:
src/exe/elf_file.h:
src/exe/ipedb.h:
src/program/ipe.h:
src/prof/prof.h:
src/prof/stack_profiler.h:
src/prof/stacks.h:
src/program/messages.h:
src/program/perf.h:
src/program/program.h:
src/program/spans.h:
src/program/span_syntax.h:
src/sched/cap_life.h:
src/sched/idle.h:
src/sched/log_gaps.h:
src/sched/sparks.h:
src/sched/spark_events.h:
src/index/chain_seek.h:
src/sched/tasks.h:
src/sched/thread_lives.h:
src/sched/threads.h:
src/query/thread_history.h:
src/query/sched_events.h:
src/sched/thread_state.h:
src/sched/stops.def:
src/query/thread_find.h:
src/query/thread_waits.h:
src/query/contention.h:
ui/jobs/range_stats_job.h:
ui/lanes/lane.h:
ui/state/plot.h:
src/sched/cap_shares.h:
ui/state/model.h:
ui/state/bookmarks.h:
ui/lanes/lane.def:
ui/term/keymap.h:
ui/term/keymap.def:
ui/chrome/source_view.h:
ui/jobs/source_job.h:
src/index/event_rank.h:
src/query/exe_match.h:
ui/state/jump.h:
ui/jobs/path_job.h:
src/query/path.h:
ui/panes/stats/section.h:
src/report/absence.h:
src/report/figure_lists.h:
src/report/figures.h:
src/query/gc_laggards.h:
src/query/gc_detail.h:
src/query/heap_trend.h:
src/query/nm_cycles.h:
src/query/phases.h:
src/query/span_stats.h:
src/query/ticky.h:
src/report/label_waits.h:
src/report/metrics.h:
src/report/metrics.def:
src/table/table.h:
src/base/cell.h:
src/base/json.h:
src/base/filter.h:
src/base/text_match.h:
src/base/time_expr.h:
src/report/figure_lists.def:
src/report/findings.h:
src/report/findings.def:
ui/panes/stats/section.def:
ui/panes/heap/heap_pane.h:
src/base/utf8.h:
ui/chrome/edit_source.h:
src/query/source_find.h:
ui/draw/text.h:
src/export/export.h:
src/sys/atomic_file.h:
src/export/export.def:
src/export/export_list.h:
ui/lanes/lane_threads.h:
ui/lanes/lanes.h:
ui/threads/thread_job.h:
ui/threads/thread_list.h:
ui/threads/thread_order.h:
ui/threads/thread_choice.h:
src/query/thread_shares.h:
ui/threads/lane_filter.h:
ui/threads/thread_patterns.h:
ui/panes/stats/diff_view.h:
ui/jobs/other_log.h:
ui/panes/stats/diff_job.h:
src/report/diff.h:
src/prof/prof_diff.h:
src/report/named_diff.h:
src/report/named.h:
src/report/named.def:
ui/panes/stats/stats_boxes.h:
ui/panes/stats/stats_job.h:
ui/panes/stats/span_groups.h:
ui/panes/stats/stats_summary.h:
src/sched/spark_sizes.h:
ui/panes/stats/stats_tables.h:
ui/tables/table_job.h:
ui/panes/timeline/selection_keys.h:
ui/panes/timeline/timeline.h:
src/table/lists.h:
src/table/thread_table.h:
src/table/declare_lists.def:
src/table/thread_columns.def:
src/table/lists.def:
ui/tables/table_view.h:
