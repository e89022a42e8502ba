/* mkmetrics - docs/metrics.md: the figures, the findings and the columns of tables, from their tables in src/. */
#include "report/findings.h"
#include "report/named.h"
#include "table/blocked_list.h"
#include "table/gc_table.h"
#include "table/phase_list.h"
#include "table/span_list.h"
#include "table/thread_table.h"

#include <stdio.h>

static const char introduction[] =
	"# Figures\n\n"
	"Made from `src/report/metrics.def`, `src/report/findings.def`, `src/table/gc_columns.def`, "
	"`thread_columns.def`, `span_columns.def`,\n`phase_columns.def` and `blocked_columns.def` by `make docs`.\n\n"
	"`evtui stats` and the Stats pane show them; `evtui stats --json` has those marked *own* under their name "
	"(each part\n"
	"before a dot is an object; the unit is the suffix of the key: `gc.pause.p99` is `.gc.pause.p99_ns`), the "
	"others as\n"
	"part of a list; `evtui check --fail-if 'gc.pause.p99>20ms'` bounds them, `evtui diff A B` compares them. What "
	"is not\n"
	"known is `null`. Times are in ns, sizes in bytes, shares from 0 to 1.\n\n"
	"A pause is `[REQUEST_*_GC (else GC_START), GC_END]` of the capability that leads a collection: what the "
	"program feels.\n"
	"A range `[from, to)` (`--from`, `--to`, a selection) clips intervals; a collection counts where its "
	"`GC_START` lies, a\n"
	"span and a thread where they begin. Quantiles of pauses, waits for capabilities and spans are exact, those "
	"of\n"
	"latencies within 1 %. Of logs larger than 16 MB, peaks and the line of live bytes come from the largest "
	"sample of each\n"
	"1 to 256 KB of the log; ranges of such logs divide what was allocated between two samples evenly.\n\n"
	"What a log names has figures of its own: `spans.NAME.p99`, `heap.band.NAME.peak`, `prof.centre.M.f.self`; "
	"the table\n"
	"below lists them. Of user spans an end closes the innermost open span of its name and thread, else the oldest "
	"of its "
	"name, which\n"
	"then is crossed. Total is the time from begin to end, of unfinished spans to the end of the log; they are in "
	"no mean,\n"
	"quantile or maximum. The budget divides total by what the thread did that began the span: it ran, it could "
	"have run but\n"
	"for a pause (gc), it waited for a capability (runnable), it was blocked, in a safe foreign call, or that is "
	"unknown. Net is\n"
	"total without all pauses in it, whatever the thread did; gc_share is the share of these. `START 0 job` and "
	"`START 1 job` are\n"
	"spans `0 job` and `1 job` with the label job: `spans` of the JSON lists names, `span_labels` labels.\n\n"
	"Phases are the intervals between user markers (those of spans do not count), named by the marker that starts "
	"them.\n\n"
	"Values of bounds: times `20ms`, `1.5s`, `250us` (bare: ns); sizes `64MB`, `1GiB`; shares `80%` or `0.8`; "
	"rates\n"
	"`10MB/s`; numbers. Operators: `<` `<=` `>` `>=` `=` `!=`. The bound says what must not be. With `--baseline`, "
	"a percentage\n"
	"is a share of the baseline's median: `gc.pause.p99>110%`. A figure that does not exist or is not known in the "
	"log breaks\n"
	"the check (status 2) unless `--allow-unknown` is given. [ci.md](ci.md) shows how to use all this.\n";

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
	puts("\n## All figures\n\n| Name | Unit | JSON | Flag | Meaning |\n|---|---|---|---|---|");
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
	puts("\n## Figures by name\n\nNAME is what the log says. `stats --json` has them in the lists `spans`, "
	     "`heap.bands`, `centres`, `phases` and\n`threads.by_label`. Things of one name are added up, or the most "
	     "of them counts.\n\n| Name | Unit | Flag | Meaning |\n|---|---|---|---|");
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

static void print_findings(void)
{
	puts("\n## Findings\n\nStatements that the figures prove; each with its figure, a place where there is one, "
	     "and a flag of the "
	     "run-time\nsystem that would help. Active time is all but what was idle.\n\n| Name | Flag | Found where "
	     "|\n|---|---|---|");
	for (int id = 0; id < FINDING_IDS; id++) {
		const char *flag = finding_flag((enum finding_id)id);
		printf("| `%s` | %s%s%s | ", finding_name((enum finding_id)id), *flag ? "`" : "", flag,
			*flag ? "`" : "");
		cell(finding_meaning((enum finding_id)id));
		puts(" |");
	}
}

static void print_columns(const struct table_kind *kind, const char *title)
{
	printf("\n## %s\n\n`evtui export csv --table %s`; in filters and orders by these names.\n\n"
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
	return fflush(stdout) ? 1 : 0;
}
