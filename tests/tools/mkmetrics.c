/* mkmetrics - docs/metrics.md: the metrics, the findings and the columns of tables, from their tables in src/. */
#include "report/figure_lists.h"
#include "report/findings.h"
#include "report/named.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

#include <stdio.h>

static const char introduction[] =
	"# Metrics\n\n"
	"Made from `src/report/metrics.def`, `src/report/findings.def`, `src/table/gc_columns.def`, "
	"`thread_columns.def`\nand `lists.def` by `make docs`.\n\n"
	"`evtui stats` and the Stats pane show the metrics, `evtui check --fail-if 'gc.pause.p99>20ms'` fails if a "
	"condition is true,\n"
	"and `evtui diff A B` compares two logs. In `evtui stats --json`, a metric marked *own* below has a key: each "
	"part of "
	"its name before a\n"
	"dot is an object, and the key ends with the unit, so `gc.pause.p99` is `.gc.pause.p99_ns`. The others are in "
	"lists. Unknown\n"
	"metrics are `null`. Times are in ns, sizes in bytes, shares from 0 to 1.\n"
	"\n"
	"A pause is `[REQUEST_*_GC (or GC_START), GC_END]` of the capability that leads a collection. A\n"
	"range `[from, to)` (`--from`, `--to`, a selection) clips intervals; a collection belongs to the range that "
	"contains "
	"its `GC_START`,\na span "
	"and a thread to the range that contains their start. Quantiles of pauses, waits for capabilities and spans "
	"are exact, those "
	"of latencies within\n"
	"1 %. In logs larger than 16 MB, peaks and the regression line of live bytes use the largest sample per 1 to "
	"256 KB of the log,\n"
	"and ranges divide allocation between two samples evenly.\n"
	"\n"
	"Spans, heap bands, cost centres, phases and labels have metrics by name, too: `spans.NAME.p99`, "
	"`heap.band.NAME.peak`, "
	"`prof.centre.M.f.self` (see below).\n"
	"\n"
	"The end of a user span closes the innermost open span of its name and thread, or else the oldest of its name, "
	"which is then\n"
	"counted as crossed. Total is the time from start to end, or to the end of the log for unfinished spans, which "
	"are excluded from\n"
	"means, quantiles and maxima. The budget divides the total by the state of the thread that started the span: "
	"running, ready but\n"
	"stopped by a pause (gc), waiting for a capability (runnable), blocked, in a safe foreign call, or unknown. "
	"Net is the total\n"
	"without all pauses within it; gc_share is their share. `START 0 job` and `START 1 job` are spans `0 job` and "
	"`1 job` with the\n"
	"label job: `spans` in the JSON lists names, `span_labels` labels.\n"
	"\n"
	"Phases are the intervals between user markers (except those of spans), named by the marker that starts them.\n"
	"\n"
	"Values in conditions: times `20ms`, `1.5s`, `250us` (without a unit: ns); sizes `64MB`, `1GiB`; shares `80%` "
	"or "
	"`0.8`; rates\n"
	"`10MB/s`; numbers. Operators: `<` `<=` `>` `>=` `=` `!=`. The check fails if the condition is true. With "
	"`--baseline`, a\n"
	"percentage refers to the baseline's median: `gc.pause.p99>110%`. If a metric is unknown in the log, the check "
	"exits with\n"
	"status 2 unless `--allow-unknown` is given; if no metric has the name, it always does. [ci.md](ci.md) has "
	"examples.\n";

static void cell(const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			putchar('\\');
		putchar(*text);
	}
}

static void print_metrics(void)
{
	puts("\n## All metrics\n\n| Name | Unit | JSON | Flag | Meaning |\n|---|---|---|---|---|");
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *i = metric_info((enum metric)m);
		printf("| `%s` | %s | %s | %s%s%s | ", i->name, unit_name(i->unit),
			i->where == METRIC_OWN ? "own" : "listed", *i->flag ? "`" : "", i->flag, *i->flag ? "`" : "");
		cell(i->meaning);
		puts(" |");
	}
}

/* One row per field; NAME in the first means any name. */
static void print_named(void)
{
	puts("\n## Metrics by name\n\nNAME is a name from the log. `stats --json` has them in the lists `spans`, "
	     "`heap.bands`, `centres`, `phases`,\n`threads.by_label`, `wakers` and `path_by_label`. Values with the "
	     "same name are added; of "
	     "maxima, the "
	     "largest counts.\n\n| Name | Unit | Flag | Meaning |\n|---|---|---|---|");
	for (int g = 0; g < NAMED_GROUPS; g++) {
		struct named_kind kind = named_kind((enum named_group)g);
		for (size_t i = 0; i < kind.n_fields; i++) {
			printf("| `%s.NAME.%s` | %s | `%s` | ", kind.prefix, kind.fields[i].name,
				unit_name(kind.fields[i].unit), kind.flag);
			cell(kind.fields[i].meaning);
			puts(" |");
		}
	}
}

/* The key `deadlock`: the columns of its list, and when it is certain. */
static void print_deadlocks(void)
{
	const struct table_kind *kind = figure_list(FIGURES_deadlocked);
	puts("\n## Deadlocks\n\nThe key `deadlock` of `stats --json` names threads that a major collection "
	     "resurrected: they "
	     "were blocked on an MVar, STM or a\nblack hole, and ran within 10 ms of its end without a wake-up, before "
	     "the "
	     "main thread ended. It also names those in a cycle of\nowners of black holes. It is null if there are "
	     "none. "
	     "`certain` is whether any listed thread is certain; `reason` and `at_ns` are\nof the first certain one, "
	     "else of "
	     "the first one; `stake_ns` is the longest wait; `n` is how many there are;\n`threads_not_listed` is how "
	     "many "
	     "`threads` leaves out. Each of `threads` has:\n\n| Key | Unit | Meaning |\n|---|---|---|");
	for (int i = 0; i < kind->n_columns; i++) {
		const struct table_column *c = &kind->columns[i];
		if (c->use == COLUMN_HIDDEN)
			continue;
		printf("| `%s%s` | %s | ", c->key, unit_suffix(c->unit),
			i == deadlocked_CERTAIN ? "true or false" : unit_name(c->unit));
		cell(c->meaning);
		puts(" |");
	}
	puts("\nAn exception, such as that of a timeout, ends a wait in the same way. A resurrected thread is "
	     "`certain` if no thread can have\nthrown one: from 50 µs before the request until it ran, no thread ran "
	     "on its capability but certain ones, new ones that the\ncollection made, managers that it stopped and, "
	     "before it, the one that asked for it; none was blocked in `throwTo`, as one is\nthat throws an exception "
	     "to a thread of another capability; and no such exception came within 10 ms of the collection. A\ncycle "
	     "is "
	     "certain unless a thread woke one of it. The finding `deadlock` is raised if a thread is certain, and "
	     "names "
	     "all that\nthe same collection resurrected. It is not raised if all of them were blocked on the "
	     "capability "
	     "of a thread that called\n`performGC` and went on before them: if that had called `killThread`, the "
	     "events "
	     "would be the same.");
}

static void print_findings(void)
{
	puts("\n## Findings\n\nA finding is a problem that the metrics prove, with its moment, if it has one, "
	     "and an RTS flag that may help. Its *stake* is\nthe time or memory that it concerns; of a pause or wait "
	     "that begins before the range, only the time within it. Time of collections that one\n"
	     "finding explains is left out of the more general ones; otherwise several findings may count the same "
	     "time, so stakes do\nnot add up. Findings are ordered by "
	     "the share of their stake in the total time or in peak live memory,\nand `]f` visits them in this order. "
	     "Above the "
	     "timeline is the first warning, or a later one about more than half of the time if the\nfirst is about "
	     "memory; without "
	     "warnings, the first note. Active time is the total time without idle time.\n\n| Name | Flag | "
	     "Reported if "
	     "|\n|---|---|---|");
	for (int id = 0; id < FINDING_IDS; id++) {
		const char *flag = finding_flag((enum finding_id)id);
		printf("| `%s` | %s%s%s | ", finding_name((enum finding_id)id), *flag ? "`" : "", flag,
			*flag ? "`" : "");
		cell(finding_meaning((enum finding_id)id));
		puts(" |");
	}
	print_deadlocks();
}

static void print_columns(const struct table_kind *kind, const char *title)
{
	printf("\n## %s\n\n`evtui export csv --table %s`; filters and sort orders use these names.\n\n"
	       "| Column | Unit | Meaning |\n|---|---|---|\n",
		title, kind->name);
	for (int i = 0; i < kind->n_columns; i++) {
		printf("| `%s` | %s | ", kind->columns[i].key, unit_name(kind->columns[i].unit));
		cell(kind->columns[i].meaning);
		puts(" |");
	}
}

int main(void)
{
	fputs(introduction, stdout);
	print_metrics();
	print_named();
	print_findings();
	print_columns(&gc_table_kind, "The table of collections");
	print_columns(&thread_table_kind, "The table of threads");
	print_columns(&span_list_kind, "The table of spans");
	print_columns(&phase_list_kind, "The table of phases");
	print_columns(&blocked_list_kind, "The table of blocked time");
	print_columns(&wakers_list_kind, "The table of wakers");
	return fflush(stdout) ? 1 : 0;
}
