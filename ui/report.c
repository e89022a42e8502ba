#include "report.h"

#include "decode.h"
#include "report_base.h"
#include "show.h"
#include "stats_json.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

static bool tell(void *ctx, uint64_t done, uint64_t total)
{
	static const char wipe[] = "\r                         \r";
	(void)ctx;
	if (done >= total)
		fputs(wipe, stderr);
	else
		fprintf(stderr, "\runpacking … %u%% ", (unsigned)(done * 100 / total));
	return true;
}

static bool tell_nobody(void *ctx, uint64_t done, uint64_t total)
{
	(void)ctx, (void)done, (void)total;
	return true;
}

struct unpack_watch report_unpacking(void)
{
	return (struct unpack_watch){.tell = isatty(STDERR_FILENO) ? tell : tell_nobody};
}

/* Does the moment depend on what is in the log? */
static bool needs_walk(const char *moment)
{
	return moment && strpbrk(moment, "%@");
}

/* --- show --------------------------------------------------------------------------------------------------------- */

/* Not all of the file could be shown, and nothing in the output says so. */
static void note(const struct evl_log *log)
{
	if (log->source.torn)
		fprintf(stderr, "evtui: %s: the compressed file is cut or broken: this is not all\n", log->path);
	if (source_vanished(&log->source))
		fprintf(stderr, "evtui: %s: became shorter while it was read\n", log->path);
}

static int show_wanted(struct evl_log *log, const struct options *o, const struct range *range, const bool *tags)
{
	struct out out = out_open();
	struct show_options options = {.json = o->json, .printable = isatty(out.fd),
		.want = {.from = range->from, .to = range->to, .cap = o->cap, .tags = tags}};
	int result = show(&log->header, log->source.data, log->source.len, &options, out_put, &out);
	note(log);
	return result < 0 && result != EVL_CANCELLED ? report_fail(log, result) : out_status(&out);
}

int report_show(struct evl_log *log, const struct options *o)
{
	struct range range;
	bool *tags = NULL, walked = needs_walk(o->from) || needs_walk(o->to);
	int result = walked ? report_walk(log) : 0;
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, walked, &range);
	if (status)
		return status;
	result = o->type ? show_tags(o->type, &tags) : 1;
	if (result == 0)
		status = options_refuse("--type: no event has such a name: ", o->type);
	else
		status = result < 0 ? report_fail(log, result) : show_wanted(log, o, &range, tags);
	free(tags);
	return status;
}

/* --- stats as text ------------------------------------------------------------------------------------------------ */

struct page {
	FILE *out;
	bool colour;
};

enum ink { BOLD = 1, RED = 31 };

static void put_inked(const struct page *p, enum ink ink, const char *text)
{
	if (p->colour)
		fprintf(p->out, "\033[%dm%s\033[m", (int)ink, text);
	else
		fputs(text, p->out);
}

/* Colours where they are asked for, or on a terminal that has them. */
static bool in_colour(const struct options *o)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	if (o->tty.colours != TTY_AUTO)
		return o->tty.colours != TTY_MONO;
	return isatty(STDOUT_FILENO) && !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

/* Log text as one clean line of ASCII: a report may go to a terminal or a mail. */
static void put_text(FILE *out, struct evl_str s)
{
	struct text_cell cell;
	s = text_capped(s);
	while (text_next(&s, true, &cell)) {
		fputc((int)cell.ch, out);
		if (cell.tail)
			fputc(cell.tail, out);
	}
}

static void put_heading(const struct page *p, const char *name)
{
	fputc('\n', p->out);
	put_inked(p, BOLD, name);
	fputc('\n', p->out);
}

enum { VALUE_COLUMNS = 12 };

/* A row: its name, its value, and what else is to be said; NULL: nothing. */
static void put_row(const struct page *p, const char *name, const char *value, const char *more)
{
	int width = text_width((struct evl_str){(const uint8_t *)value, strlen(value)}, false);
	int room = width < VALUE_COLUMNS ? VALUE_COLUMNS - width : 0;
	fprintf(p->out, "  %-12s %*s%s%s%s\n", name, room, "", value, more ? "  " : "", more ? more : "");
}

/* On the clock that @14:03:22 is read on. */
static void put_wall(const struct page *p, uint64_t wall_ns)
{
	char text[64];
	time_t at = (time_t)(wall_ns / 1000000000);
	struct tm local;
	if (wall_ns && localtime_r(&at, &local) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", &local))
		fprintf(p->out, "  %-12s %s\n", "began", text);
}

static void put_program(const struct page *p, const struct evl_log *log)
{
	struct names_facts facts = names_get(&log->names);
	struct evl_str rest = facts.program, arg;
	char text[TEXT_ROOM];
	fprintf(p->out, "  %-12s", "program");
	while (decode_next_str(&rest, &arg)) {
		fputc(' ', p->out);
		put_text(p->out, arg);
	}
	fprintf(p->out, "%s\n  %-12s ", facts.program.len ? "" : " unknown", "rts");
	put_text(p->out, facts.rts.len ? facts.rts : EVL_STR("unknown"));
	fputc('\n', p->out);
	put_wall(p, facts.wall_ns);
	put_row(p, "events", text_count(text, evl_progress(log).events), NULL);
	put_row(p, "capabilities", text_count(text, log->n_lanes), NULL);
	if (evl_unfinished(log))
		fputs("  unfinished: the log has no end marker\n", p->out);
}

static void put_share(const struct page *p, const char *name, uint64_t ns, uint64_t total)
{
	char share[TEXT_ROOM], padded[TEXT_ROOM], time[TEXT_ROOM];
	snprintf(padded, sizeof padded, "%6s", text_share(share, (double)ns / (double)(total ? total : 1)));
	put_row(p, name, text_duration(time, ns), padded);
}

static void put_productivity(const struct page *p, const struct time_split *t)
{
	char share[TEXT_ROOM];
	if (t->total)
		put_row(p, "productivity", text_share(share, time_productivity_rts(t)), "all but GC, as in +RTS -s");
}

static void put_time(const struct page *p, const struct stats *s, bool whole)
{
	const struct time_split *t = &s->time;
	char from[TEXT_ROOM], to[TEXT_ROOM];
	put_heading(p, "time");
	if (!whole)
		fprintf(p->out, "  from %s s to %s s\n", text_time(from, s->from), text_time(to, s->to));
	put_share(p, "total", t->total, t->total);
	put_share(p, "mutator", t->mutator, t->total);
	put_share(p, "GC", t->gc, t->total);
	put_share(p, "  minor", t->minor_gc, t->total);
	put_share(p, "  major", t->major_gc, t->total);
	put_share(p, "GC sync", t->sync, t->total);
	put_share(p, "idle", t->idle, t->total);
	put_productivity(p, t);
}

static void put_pauses(const struct page *p, const struct pause_stats *s)
{
	char text[TEXT_ROOM], major[TEXT_ROOM + 8], count[TEXT_ROOM];
	put_heading(p, "GC pauses");
	snprintf(major, sizeof major, "%s major", text_count(count, s->n_major));
	put_row(p, "number", text_count(text, s->n), major);
	if (s->n == 0)
		return;
	put_row(p, "p50", text_duration(text, s->p50), NULL);
	put_row(p, "p90", text_duration(text, s->p90), NULL);
	put_row(p, "p99", text_duration(text, s->p99), NULL);
	put_row(p, "longest", text_duration(text, s->max), NULL);
}

/* What is known of the whole run only is said to be that. */
static void put_threads(const struct page *p, const struct threads *t, bool whole)
{
	char text[TEXT_ROOM];
	put_heading(p, whole ? "threads" : "threads, whole run");
	put_row(p, "created", text_count(text, t->created), NULL);
	put_row(p, "finished", text_count(text, t->finished), NULL);
	put_row(p, "ran", text_duration(text, t->total_run_ns), "all together");
}

static void put_heap(const struct page *p, const struct heap *h, bool whole)
{
	char text[TEXT_ROOM];
	put_heading(p, whole ? "heap" : "heap, whole run");
	put_row(p, "peak live", h->has_live ? text_bytes(text, h->max_live) : "unknown", NULL);
	put_row(p, "peak size", h->has_size ? text_bytes(text, h->max_size) : "unknown", NULL);
	put_row(p, "allocated", h->has_allocated ? text_bytes(text, heap_allocated(h)) : "unknown", NULL);
}

static void put_damage(const struct page *p, const struct damage_list *list)
{
	char text[96];
	if (list->n == 0)
		return;
	fputc('\n', p->out);
	put_inked(p, RED, "damage");
	fputc('\n', p->out);
	for (size_t i = 0; i < list->n; i++)
		fprintf(p->out, "  at byte %" PRIu64 ", %" PRIu64 " bytes: %s\n", list->items[i].off,
			list->items[i].len, damage_text(&list->items[i], text, sizeof text));
	if (list->more)
		fprintf(p->out, "  and %" PRIu64 " more places\n", list->more);
}

static void put_report(const struct page *p, const struct evl_log *log, const struct stats *stats, bool whole)
{
	put_inked(p, BOLD, "log");
	fputc('\n', p->out);
	put_program(p, log);
	put_time(p, stats, whole);
	put_pauses(p, &stats->pauses);
	put_threads(p, &log->threads, whole);
	put_heap(p, &log->heap, whole);
	put_damage(p, &log->damage);
}

/* --- stats -------------------------------------------------------------------------------------------------------- */

static int print_text(const struct evl_log *log, const struct options *o, const struct stats *stats, struct out *out)
{
	char *text = NULL;
	size_t len = 0;
	struct page page = {.out = open_memstream(&text, &len), .colour = in_colour(o)};
	if (!page.out)
		return EVL_NOMEM;
	put_report(&page, log, stats, !o->from && !o->to);
	bool good = fclose(page.out) == 0;
	if (good)
		out_put(out, text, len);
	free(text);
	return good ? 0 : EVL_NOMEM;
}

static int print_json(const struct evl_log *log, const struct stats *stats, struct out *out)
{
	struct buf text = {0};
	stats_json(log, stats, &text);
	if (!text.failed)
		out_put(out, text.p, text.len);
	int result = text.failed ? EVL_NOMEM : 0;
	buf_free(&text);
	return result;
}

int report_stats(struct evl_log *log, const struct options *o)
{
	struct range range;
	struct stats stats;
	struct out out = out_open();
	int result = report_walk(log);
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, true, &range);
	if (status)
		return status;
	stats = log->stats;
	result = o->from || o->to ? evl_stats(log, range.from, range.to, &stats) : 0;
	if (result == 0)
		result = o->json ? print_json(log, &stats, &out) : print_text(log, o, &stats, &out);
	return result < 0 ? report_fail(log, result) : out_status(&out);
}
