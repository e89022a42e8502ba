/* mkmetrics - docs/metrics.md: the metrics, the findings and the columns of tables, from their tables in src/. */
#include "report/figure_lists.h"
#include "report/findings.h"
#include "report/named.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

#include <stdio.h>

static const char introduction[] =
	"# Metrics\n"
	"\n"
	"`make docs` writes this page from `src/report/metrics.def`, `src/report/findings.def`, and "
	"`gc_columns.def`,\n"
	"`thread_columns.def` and `lists.def` of `src/table`.\n"
	"\n"
	"`evtui stats` and the Stats pane show the metrics, `evtui check --fail-if 'gc.pause.p99>20ms'` "
	"fails if a condition is true,\n"
	"and `evtui diff A B` compares two logs. In `evtui stats --json`, a metric marked *own* below has a "
	"key: each part of its name\n"
	"before a dot is an object, and the key ends with the unit, so `gc.pause.p99` is `.gc.pause.p99_ns`. "
	"The others are in lists.\n"
	"Unknown metrics are `null`. Times are in ns, sizes in bytes, shares from 0 to 1.\n"
	"\n"
	"A pause is `[REQUEST_*_GC (or GC_START), GC_END]` of the capability that leads a collection. A "
	"range `[from, to)` (`--from`,\n"
	"`--to`, a selection) clips intervals; a collection belongs to the range that contains its "
	"`GC_START`, a span and a thread to\n"
	"the range that contains their start. Quantiles of pauses, waits for capabilities and spans are "
	"exact, those of latencies\n"
	"within 1 %. In logs larger than 16 MB, peaks and the regression line of live bytes use the largest "
	"sample per 1 to 256 KB of\n"
	"the log, and ranges divide allocation between two samples evenly.\n"
	"\n"
	"Spans, heap bands, cost centres, phases and labels have metrics by name, too: `spans.NAME.p99`, "
	"`heap.band.NAME.peak`,\n"
	"`prof.centre.M.f.self` ([below](#metrics-by-name)).\n"
	"\n"
	"The end of a user span closes the innermost open span of its name and thread, or else the oldest of "
	"its name, which is then\n"
	"counted as crossed. Total is the time from start to end, or to the end of the log for unfinished "
	"spans, which are excluded\n"
	"from means, quantiles and maxima. The budget divides the total by the state of the thread that "
	"started the span: running,\n"
	"able to run but stopped by a pause (gc), waiting for a capability (runnable), blocked, in a safe "
	"foreign call, or unknown. Net\n"
	"is the total without all pauses within it; gc_share is their share. `START 0 job` and `START 1 job` "
	"start the spans `0 job`\n"
	"and `1 job` with the label job. In the JSON, `spans` lists names and `span_labels` labels.\n"
	"\n"
	"Phases are the intervals between user markers (except those of spans). Each is named after the "
	"marker that starts it.\n"
	"\n"
	"Conditions compare a metric with a value: a time `20ms`, `1.5s`, `250us` (without a unit: ns), a "
	"size `64MB`, `1GiB`, a share\n"
	"`80%` or `0.8`, a rate `10MB/s`, or a number. Operators: `<` `<=` `>` `>=` `=` `!=`. The check "
	"fails if the condition is true.\n"
	"With `--baseline`, a percentage refers to the baseline's median: `gc.pause.p99>110%`. If a metric "
	"is unknown in the log, the\n"
	"check exits with status 2 unless `--allow-unknown` is given; if no metric has the name, it always "
	"does. [ci.md](ci.md) has\n"
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
	puts("\n"
	     "## Metrics by name\n"
	     "\n"
	     "NAME is a name from the log. `stats --json` has these metrics in the lists `spans`, `heap.bands`, "
	     "`centres`, `phases`,\n"
	     "`threads.by_label`, `wakers` and `path_by_label`. The values of things with the same name are "
	     "added; of maxima, the largest\n"
	     "counts.\n"
	     "\n"
	     "| Name | Unit | Flag | Meaning |\n"
	     "|---|---|---|---|");
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
	puts("\n"
	     "## Deadlocks\n"
	     "\n"
	     "The key `deadlock` of `stats --json` names the threads that a major collection resurrected: they "
	     "were blocked on an MVar, STM\n"
	     "or a black hole, and ran within 10 ms of its end without a wake-up, before the main thread ended. "
	     "It also names the threads\n"
	     "in a cycle of owners of black holes. It is null if there are none. `certain` tells whether any "
	     "listed thread is certain;\n"
	     "`reason` and `at_ns` are those of the first certain thread, or else of the first; `stake_ns` is the "
	     "longest wait; `n` is the\n"
	     "number of threads; `threads_not_listed` is the number that the list `threads` leaves out. Each row "
	     "of `threads` has:\n"
	     "\n"
	     "| Key | Unit | Meaning |\n"
	     "|---|---|---|");
	for (int i = 0; i < kind->n_columns; i++) {
		const struct table_column *c = &kind->columns[i];
		if (c->use == COLUMN_HIDDEN)
			continue;
		printf("| `%s%s` | %s | ", c->key, unit_suffix(c->unit),
			i == deadlocked_CERTAIN ? "true or false" : unit_name(c->unit));
		cell(c->meaning);
		puts(" |");
	}
	puts("\n"
	     "An exception, such as that of a timeout, ends a wait in the same way. A resurrected thread is "
	     "`certain` if no thread can have\n"
	     "thrown one:\n"
	     "\n"
	     "* from 10 ms before the request until it ran, no other thread ran on the capability on which it was "
	     "blocked: only there can a\n"
	     "  thread throw an exception without an event;\n"
	     "* in that time no thread was blocked in `throwTo`, as a thread is that throws an exception to a "
	     "thread of another capability.\n"
	     "\n"
	     "I/O and timer managers may have run there, unless an exception elsewhere in the range shows that "
	     "they throw some: one that came\n"
	     "just after a manager ran, and that neither another thread nor a collection can have thrown.\n"
	     "\n"
	     "A cycle is certain unless a thread woke one of its threads. The finding `deadlock` is raised if a "
	     "thread is certain, and names\n"
	     "all threads that the same collection resurrected. It is not raised if another thread ran before each "
	     "of them on its capability,\n"
	     "such as the one that called `performGC`: if that thread had called `killThread`, the events would be the "
	     "same.");
}

static void print_findings(void)
{
	puts("\n"
	     "## Findings\n"
	     "\n"
	     "A finding is a problem that the metrics prove, with its moment, if it has one, and an RTS flag that "
	     "may help. Its *stake* is\n"
	     "the time or memory that it concerns. For a pause or wait that starts before the range, only the time "
	     "within the range counts.\n"
	     "The time of collections that one finding explains is excluded from the more general ones. Otherwise "
	     "several findings may count\n"
	     "the same time, so stakes do not add up. In JSON, CSV and SQL, findings are ordered by the share of "
	     "their stake in the total\n"
	     "time or in peak live memory. For people, on pages, on screens and by `]f`, the worst come first: "
	     "warnings about the log, findings\n"
	     "that cost over half of the time, other warnings, notes. Active time is the total time without idle "
	     "time.\n"
	     "\n"
	     "*Advice* is the flag that may help, or another change. It saves at most the part of the stake on which "
	     "it acts: `-A64m` minor\n"
	     "collections and GC sync, `-F4` major collections, `--nonmoving-gc` copying in long major pauses, a "
	     "smaller allocation area none\n"
	     "(pauses are shorter, but there are more of them), everything else the stake. Where findings advise both "
	     "directions of one setting,\n"
	     "such as a larger and a smaller allocation area, only the direction that saves more in all is advised. "
	     "SUMMARY names the advice of\n"
	     "the main problem, and then that of another finding if it saves more.\n"
	     "\n"
	     "| Name | Flag | Reported if |\n"
	     "|---|---|---|");
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
