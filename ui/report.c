#include "report.h"

#include "decode.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>

/* Log text as one clean line of ASCII: a report may go to a terminal or a mail. */
static void put_text(FILE *out, struct evl_str s)
{
	struct text_cell cell;
	while (text_next(&s, true, &cell)) {
		fputc((int)cell.ch, out);
		if (cell.tail)
			fputc(cell.tail, out);
	}
}

static void put_program(FILE *out, const struct names_facts *facts)
{
	struct evl_str rest = facts->program, arg;
	fputs("program   ", out);
	while (decode_next_str(&rest, &arg)) {
		fputc(' ', out);
		put_text(out, arg);
	}
	fputs("\nrts        ", out);
	put_text(out, facts->rts);
	fputc('\n', out);
}

static void put_share(FILE *out, const char *name, uint64_t ns, uint64_t total)
{
	char share[TEXT_ROOM], time[TEXT_ROOM];
	text_share(share, (double)ns / (double)(total ? total : 1));
	fprintf(out, "%-10s %12s  %s\n", name, text_duration(time, ns), share);
}

static void put_time(FILE *out, const struct time_split *t)
{
	put_share(out, "total", t->total, t->total);
	put_share(out, "mutator", t->mutator, t->total);
	put_share(out, "GC", t->gc, t->total);
	put_share(out, "  minor", t->minor_gc, t->total);
	put_share(out, "  major", t->major_gc, t->total);
	put_share(out, "GC sync", t->sync, t->total);
	put_share(out, "idle", t->idle, t->total);
}

static void put_pauses(FILE *out, const struct pause_stats *p)
{
	char text[TEXT_ROOM];
	fprintf(out, "GC pauses  %12zu  %zu major\n", p->n, p->n_major);
	if (p->n == 0)
		return;
	fprintf(out, "  p50      %12s\n", text_duration(text, p->p50));
	fprintf(out, "  p90      %12s\n", text_duration(text, p->p90));
	fprintf(out, "  p99      %12s\n", text_duration(text, p->p99));
	fprintf(out, "  max      %12s\n", text_duration(text, p->max));
}

static void put_heap(FILE *out, const struct heap *h)
{
	char text[TEXT_ROOM];
	fprintf(out, "peak live  %12s\n", h->has_live ? text_bytes(text, h->max_live) : "unknown");
	fprintf(out, "peak size  %12s\n", h->has_size ? text_bytes(text, h->max_size) : "unknown");
	fprintf(out, "allocated  %12s\n", h->has_allocated ? text_bytes(text, heap_allocated(h)) : "unknown");
}

static void put_damage(FILE *out, const struct damage_list *list)
{
	char text[80];
	for (size_t i = 0; i < list->n; i++)
		fprintf(out, "damage at byte %" PRIu64 ", %" PRIu64 " bytes: %s\n", list->items[i].off, list->items[i].len,
			damage_text(&list->items[i], text, sizeof text));
	if (list->more)
		fprintf(out, "and %" PRIu64 " more places\n", list->more);
}

int report_stats(struct evl_log *log, FILE *out)
{
	char text[TEXT_ROOM];
	if (evl_start(log, NULL, NULL) < 0 || evl_wait(log) < 0) {
		fprintf(stderr, "evtui: %s: %s\n", log->path, evl_strerror(EVL_NOMEM));
		return EXIT_FAILURE;
	}
	struct names_facts facts = names_get(&log->names);
	put_program(out, &facts);
	fprintf(out, "events     %12s\n", text_count(text, evl_progress(log).events));
	fprintf(out, "caps       %12zu\n", log->n_lanes);
	put_time(out, &log->stats.time);
	put_pauses(out, &log->stats.pauses);
	put_heap(out, &log->heap);
	fprintf(out, "threads    %12" PRIu64 "  %" PRIu64 " finished\n", log->threads.created, log->threads.finished);
	if (evl_unfinished(log))
		fputs("unfinished: the log has no end marker\n", out);
	put_damage(out, &log->damage);
	return EXIT_SUCCESS;
}
