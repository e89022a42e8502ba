/* heap_export.c - the table of the Heap pane as a list to export: all rows of the question that the pane has answered */
#include "export/export_list.h"
#include "jobs/other_log.h"
#include "panes/heap/heap_private.h"
#include "panes/heap/heap_query.h"

#include <stdlib.h>

struct heap_export {
	struct heap_ask ask;
	struct heap_scan scan;
	struct heap_answer page;
	struct held_logs held;
};

/* A label that the row may have cut is looked up. */
static struct datum name_of(struct heap_export *l, const struct heap_row *r)
{
	enum { LONGEST = HEAP_LABEL - sizeof "\xff\xff\xff\xff" };
	bool cut = l->ask.mode == HEAP_BANDS && strlen(r->label) >= LONGEST;
	return cell_text(cut ? heap_scan_label(&l->scan, r->number) : str_of(r->label));
}

static size_t count_rows(const void *list) { return ((const struct heap_export *)list)->page.n; }

static int make_rows(void *list, UNUSED bool deep, const struct progress *watch)
{
	struct heap_export *l = list;
	l->scan.cancel = watch->cancel;
	return heap_find_page(&l->scan, &l->ask, &l->page);
}

#define LISTS "panes/heap/heap_rows.def"
#include "table/declare_lists.def"

#define LISTS "panes/heap/heap_rows.def"
#include "table/define_lists.def"

static void drop(void *list)
{
	struct heap_export *l = list;
	heap_scan_free(&l->scan);
	heap_answer_free(&l->page);
	held_logs_keep(&l->held, NULL, 0);
	free(l);
}

bool heap_export(const void *view, const struct pane_host *h, struct export_list *out)
{
	const struct heap_pane *v = view;
	const struct heap_ask *ask = &v->page.ask;
	bool compares = ask->against, there = v->other && ask->against == other_log_get(v->other, 0);
	struct heap_export *l = v->page.samples && (!compares || there) ? calloc(1, sizeof *l) : NULL;
	if (!l)
		return false;
	heap_scan_init(&l->scan, h->log, NULL);
	l->ask = *ask;
	l->ask.at = BANDS_REST;
	l->ask.move = 0;
	l->ask.top = 0;
	l->ask.room = HEAP_ALL_ROWS;
	*out = (struct export_list){.kind = &heap_row_kind, .made = l, .drop = drop, .column = -1};
	if (compares && !held_logs_add(&l->held, v->other)) {
		drop(l);
		return false;
	}
	out->range.from = ask->t0;
	out->range.to = ask->t1;
	return true;
}
