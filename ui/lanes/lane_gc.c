/* lane_gc.c - lane of GC pauses.
 *
 * Height is the logarithm of the longest pause in the column, 10 µs … 100 ms, or … 10 s if the run has longer ones; colour
 * the worst kind. */
#include "draw/text.h"
#include "lanes/parts.h"
#include "log/rts_flags.h"
#include "query/gc_detail.h"
#include "report/abilities.h"

#include <math.h>
#include <stdio.h>

enum { DECADES = 4, MORE_DECADES = 6, LEAST_NS = 10000, USUAL_NS = 100000000 };

static size_t count(UNUSED const struct evl_log *log) { return 1; }

/* One to say that nothing is recorded. */
static int rows(const struct lane_place *at)
{
	return at->tall && !(at->log && absence_is_sure(at->log, ABSENCE_GCS)) ? 2 : 1;
}

/* The same for all windows of a run. */
static bool has_long(const struct evl_log *log)
{
	return evl_progress(log).done && log->run_stats.pauses.max > USUAL_NS;
}

/* Eighths of a row that a pause is high, of `all`. */
static int height(const struct evl_log *log, uint64_t pause, int all)
{
	double h = log10((double)pause / LEAST_NS) / (has_long(log) ? MORE_DECADES : DECADES) * all;
	return h < 1 ? 1 : h > all ? all : (int)lround(h);
}

static void draw_column(
	const struct evl_log *log, const struct gc_sum *gc, const struct lane *lane, struct canvas *c, int y, int x)
{
	enum { HALF = 4 }; /* eighths */
	int left = height(log, gc->longest, lane->rows * 8);
	enum style kind = gc->major ? ST_MAJOR : ST_MINOR;
	for (int row = lane->rows - 1; row >= 0 && left > 0; row--, left -= 8)
		if (!c->mono)
			canvas_lower(c, y + row, x, left > 8 ? 8 : left, (uint8_t)kind, ST_PAGE);
		else if (row == lane->rows - 1 || left >= HALF)
			canvas_printf(c, y + row, x, 1, PEN(ST_TEXT), "%c", style_info(kind)->letter);
}

/* "gen1 parallel 3.38 ms" on a pause that is wide enough: on its bar if that fills the row, else in the row above. */
static void draw_name(const struct plot *p, const struct gc_row *r, const struct lane *lane,
	const struct lane_place *at, struct canvas *c, int y)
{
	const struct model *m = p->model;
	bool major = gc_is_major(&m->log->gcs, r), filled = height(m->log, gc_pause(r), lane->rows * 8) >= 8;
	enum style kind = major ? ST_MAJOR : ST_MINOR;
	uint64_t from = max_u64(gc_requested(r), p->t0), to = min_u64(gc_end(r), p->t1);
	int first = model_col(m, from) + (gc_requested(r) > p->t0), last = model_col(m, to - (to > from));
	char text[TEXT_ROOM + 32] = "";
	if (r->gen != GC_GEN_UNKNOWN)
		snprintf(text, sizeof text, "gen%u ", (unsigned)r->gen);
	size_t used = strlen(text);
	snprintf(text + used, sizeof text - used, "%s%s", r->sync ? r->parallel ? "parallel " : "sequential " : "",
		as_duration(gc_pause(r)));
	struct evl_str s = {(const uint8_t *)text, strlen(text)};
	if (c->mono || (!filled && lane->rows < 2) || text_width(s, c->ascii) + 1 > last - first)
		return;
	struct pen pen = filled ? (struct pen){(uint8_t)style_label(kind, at->theme), (uint8_t)kind, 0} : PEN(ST_DIM);
	canvas_text(c, filled ? y + lane->rows - 1 : y, at->plot_x + first, last - first, pen, s);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	uint64_t t0 = plot->t0, t1 = plot->t1;
	int known = lane_known_cols(plot, evl_known(log));
	bool recorded = !absence_is_sure(log, ABSENCE_GCS);
	bool scaled = lane->rows > 1 || c->mono; /* below the label; letters in one row have no scale */
	lane_label(at, c, y,
		at->wide                            ? scaled ? "GC pause" : "GC pause (log scale)"
			: scaled || at->label_w < 8 ? "GC"
			: at->label_w < 14          ? "GC (log)"
						    : "GC (log scale)");
	if (lane->rows > 1)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM),
			has_long(log)      ? at->wide ? "log scale 10 µs–10 s" : "10 µs–10 s"
				: at->wide ? "log scale 10 µs–100 ms"
					   : "10 µs–100 ms");
	if (plot->gc_all.n == 0 && plot->gc_all.longest == 0 && evl_progress(log).done)
		canvas_str(c, y, at->plot_x + 2, at->cols - 2, PEN(ST_DIM),
			recorded ? "none in this window" : absence_text(log, ABSENCE_GCS));
	for (int i = 0; i < plot->cols; i++)
		if (plot->gc[i].major || plot->gc[i].minor)
			draw_column(log, &plot->gc[i], lane, c, y, at->plot_x + i);
		else if (i >= known)
			lane_unknown(c, y + lane->rows - 1, at->plot_x + i);
	for (size_t i = 0; i < plot->gcs.n; i++)
		draw_name(plot, plot->gcs.rows[i], lane, at, c, y);
	char longest[TEXT_ROOM];
	if (plot->gc_all.longest) /* apart from the bars */
		lane_figure(at, c, y, ST_WARN, lane_duration(longest, plot->gc_all.longest, at->gutter_w - 1));
	if (!known && !plot->gc_all.n)
		lane_no_figure(at, c, y + lane->rows - 1);
	else if (recorded && (lane->rows > 1 || !plot->gc_all.longest))
		lane_counted(at, c, y + lane->rows - 1, gcs_widen(&log->gcs, &t0, &t1), "GC"); /* as ]l counts them */
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct gc_row *at = gcs_at(&log->gcs, t);
	const struct gc_row *row = forward ? gcs_after(&log->gcs, t, GC_ALL) : gcs_before(&log->gcs, t, GC_ALL);
	if (forward && at && gc_end(at) > t && (t >= at->start || !row))
		*out = gc_end(at);
	else if (!forward && row && gc_end(row) < t)
		*out = gc_end(row);
	else if (row)
		*out = row->start;
	else
		return false;
	return true;
}

static bool span(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	const struct gc_row *row = gcs_at(&log->gcs, t);
	if (!row)
		return false;
	*from = gc_requested(row);
	*to = gc_end(row);
	return true;
}

static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	const struct gc_row *gc = gcs_at(&m->log->gcs, m->at.cursor);
	if (!gc) {
		line_put(l, ST_DIM, false,
			absence_is_sure(m->log, ABSENCE_GCS) ? absence_text(m->log, ABSENCE_GCS)
							     : "no GC at the cursor");
		return;
	}
	line_gc(l, m->log, gc);
	line_pause(l, m, gc);
}

enum { ROOM_FOR_WHICH = 120 }; /* columns of the screen for what is less important */

/* --- anatomy of a pause -------------------------------------------------------------------------------------------- */

/* A line of parts. cut: there was no room for some of them. */
struct parts {
	struct line l;
	int first; /* row */
	bool cut;
};

/* A part of it, if there is room: after the first, apart from the one before. Room is left for the sign of a cut. */
static void put_part(struct parts *p, enum style style, const char *text)
{
	enum { APART = 2, CUT = 2 };
	int width = text_width(str_of(text), p->l.c->ascii);
	bool fits = line_room(&p->l) >= width + APART + CUT;
	if (fits) {
		bool first = p->l.x <= 3 && p->l.y <= p->first;
		line_put(&p->l, ST_DIM, false, first ? "" : ";");
		line_put(&p->l, ST_DIM, false, first ? "" : " "); /* not at the start of a row */
		line_put(&p->l, style, false, text);
	}
	p->cut = p->cut || !fits;
}

void text_copying(char *text, size_t room, const struct gc_row *gc, const struct gc_copying *c, bool census)
{
	const double ALL = 0.9; /* of the time */
	const double share = gc->elapsed ? (double)(c->ns + c->uneven_ns) / (double)gc->elapsed : 0;
	char times[TEXT_ROOM], uneven[TEXT_ROOM + 64] = "";
	snprintf(times, sizeof times, c->times < 0.05 ? "<0.1" : "%.*f", c->times < 9.95, c->times);
	if (c->uneven_ns)
		snprintf(uneven, sizeof uneven, ", %s more as its work was divided less evenly than theirs",
			as_duration(c->uneven_ns));
	snprintf(text, room, "copying %s (%s times the mean of %s %sgen %u GCs%s) would take %s at their usual %s%s%s",
		as_bytes(c->copied), times, as_count(c->others), census ? "" : "other ", (unsigned)gc->gen,
		census ? " without a census" : "", as_duration(c->ns), as_value(UNIT_RATE, c->rate), uneven,
		c->known || share < ALL ? "" : ", which explains this time");
}

void text_not_explained(char *text, size_t room, const struct gc_row *gc, const struct gc_copying *c, bool census)
{
	const double MUCH = 0.1, OF_PAUSE = 0.05;
	*text = '\0';
	if ((double)c->left > MUCH * (double)gc->elapsed && (double)c->left > OF_PAUSE * (double)gc_pause(gc))
		snprintf(text, room, "the log does not explain the other %s%s", as_duration(c->left),
			census ? " or more" : "");
}

void text_not_copied(char *text, size_t room, uint64_t bytes)
{
	*text = '\0';
	if (bytes)
		snprintf(text, room, "%s more were not copied, as large objects are not (stacks, arrays)",
			as_bytes(bytes));
}

const char *text_print_each(const struct evl_log *log, uint64_t ns)
{
	enum { LITTLE = 1000000 };
	return ns >= LITTLE && rts_flag_helps(log, "-S") ? " (+RTS -S prints the CPU time and page faults of each GC)"
							 : "";
}

/* crew: how many took part is said with what they did. The GC thread that copied most is told if it copied clearly more
 * than an equal share. */
static void put_copied(struct parts *p, const struct gc_row *gc, const struct gc_stats *s, uint64_t not_copied,
	const struct gc_copying *known, bool census, bool crew)
{
	const double CLEARLY = 1.25;
	char text[256];
	double a_second = gc->elapsed ? (double)s->copied * 1e9 / (double)gc->elapsed : 0;
	bool rate = !census && !not_copied; /* either takes part of the time */
	snprintf(text, sizeof text, "copied %s%s%s", as_bytes(s->copied), rate ? ", " : "",
		rate ? as_value(UNIT_RATE, a_second) : "");
	if (known)
		text_copying(text, sizeof text, gc, known, census);
	put_part(p, ST_TEXT, text);
	if (known)
		text_not_explained(text, sizeof text, gc, known, census);
	if (known && *text) /* before what may have no room */
		put_part(p, ST_TEXT, text);
	text_not_copied(text, sizeof text, not_copied);
	if (*text)
		put_part(p, ST_TEXT, text);
	if (s->par_threads < 2) {
		put_part(p, ST_TEXT, "one GC thread");
		return;
	}
	char share[TEXT_ROOM + 64] = "";
	bool uneven = (double)s->par_max_copied * (double)s->par_threads > CLEARLY * (double)s->par_copied;
	if (s->par_copied && uneven)
		snprintf(share, sizeof share, "one GC thread copied %s of it%s",
			as_share((double)s->par_max_copied / (double)s->par_copied),
			!crew && p->l.c->cols >= ROOM_FOR_WHICH ? " (the log does not say which)" : "");
	snprintf(text, sizeof text, "set up for %llu GC threads%s%s", (unsigned long long)s->par_threads,
		*share ? ", " : "", share);
	if (!crew || *share)
		put_part(p, ST_TEXT, crew ? share : text);
}

/* Capabilities that took part. */
struct crew {
	struct gc_worker workers[GC_DETAIL_CAPS];
	size_t n; /* 0: not known, or too many to look at */
};

/* The longest time in which no GC thread worked, in the word for its colour, and why, as far as the log shows it. */
static void put_lull(struct parts *p, const struct evl_log *log, const struct gc_row *gc)
{
	char text[256], late[TEXT_ROOM];
	struct gc_lull lull;
	if (!gc_lull(log, gc, &lull) || gc_lull_is_census(log, &lull))
		return;
	text_duration(late, lull.late_ns);
	size_t used = (size_t)snprintf(text, sizeof text, "%s of GC %s only", as_duration(lull.to - lull.from),
		log->n_caps == 1 ? "other" : "wait");
	if (lull.cause == BEGAN_LATE)
		snprintf(text + used, sizeof text - used,
			": the GC thread of cap %u began %s after that of cap %u (the log does not show why: no CPU, "
			"or %s)",
			lull.cap, late, lull.first, lull.cap == gc->cap ? "it still woke others" : "woken late");
	else if (lull.cause == DONE_LATE)
		snprintf(text + used, sizeof text - used,
			": the GC thread of cap %u was done %s after the last work, and the leader waited for it (the "
			"log "
			"does not show why: most likely no CPU)",
			lull.cap, late);
	else if (lull.cause == PRUNES_SPARKS)
		snprintf(text + used, sizeof text - used, ": %s sparks were pruned", as_count(lull.sparks));
	else
		snprintf(text + used, sizeof text - used,
			" (the log does not show why: work of the leader, cap %u, alone, or no CPU)",
			(unsigned)gc->cap);
	put_part(p, ST_WARN, text);
}

/* The capabilities that took part, and how long each was at work, as its events tell; the longest of many. */
static void put_workers(struct parts *p, const struct evl_log *log, const struct gc_row *gc, const struct crew *crew)
{
	enum { EACH = 4 };
	char text[EACH * (TEXT_ROOM + 16) + 64];
	size_t longest, len;
	if (crew->n < 2)
		return;
	enum gc_divided divided = gc_divided(crew->workers, crew->n, gc->elapsed, &longest);
	len = (size_t)snprintf(text, sizeof text, "%zu of %zu caps took part, at work: ", crew->n, log->n_caps);
	for (size_t i = 0; i < crew->n && crew->n <= EACH && len < sizeof text; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%scap %u %s", i ? ", " : "",
			crew->workers[i].cap, as_duration(crew->workers[i].work_ns));
	if (crew->n > EACH)
		len += (size_t)snprintf(text + len, sizeof text - len, "cap %u longest, %s", crew->workers[longest].cap,
			as_duration(crew->workers[longest].work_ns));
	if (divided == GC_DIVIDED_EQUAL && len < sizeof text)
		snprintf(text + len, sizeof text - len, ", about equally");
	put_part(p, ST_TEXT, text);
}

int part_anatomy(const struct model *m, const struct gc_row *gc, struct canvas *c, int y, int last)
{
	const struct evl_log *log = m->log;
	struct parts p = {
		.l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE, .wrap_y = last, .wrap_x = 3}, .first = y};
	struct gc_stats stats;
	struct crew crew;
	struct gc_caller caller;
	char text[160];
	const struct gc_copying *copying = model_copying(m, gc->start);
	bool census = gc_is_for_census(log, gc);
	unsigned why = evl_progress(log).done ? gc_why(log, gc) : 0;
	if (census) {
		uint64_t ns = gc_after_work(log, gc);
		snprintf(text, sizeof text, "includes a heap census%s%s", ns ? " of at most " : "",
			ns ? as_duration(ns) : "");
		put_part(&p, ST_WARN, text);
	} else if (why & GC_WHY_IDLE)
		put_part(&p, ST_TEXT, "requested by the idle timer");
	else if ((why & GC_WHY_FORCED) && gc_caller(log, gc, &caller)) {
		snprintf(text, sizeof text, "forced %s after thread %u began a foreign call (as performGC is)",
			as_duration(caller.ns), caller.thread);
		put_part(&p, ST_TEXT, text);
	} else if (why & GC_WHY_FORCED)
		put_part(&p, ST_TEXT, "forced (performGC, or at exit), not by allocation");
	bool few = log->n_caps <= countof(crew.workers);
	crew.n = few ? gc_workers(log, gc, crew.workers, countof(crew.workers)) : 0;
	put_lull(&p, log, gc);
	if (gc_stats(log, gc, &stats))
		put_copied(&p, gc, &stats, gc_not_copied(log, gc), copying, census, crew.n > 1);
	else
		put_part(&p, ST_DIM, gc->off ? "reading …" : "no statistics in the log");
	put_workers(&p, log, gc, &crew);
	if (p.cut)
		line_put(&p.l, ST_DIM, false, c->ascii ? " ~" : " …");
	return p.l.y + 1;
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct gc_sum *gc = &plot->gc[i];
	uint64_t all = model_edge(plot->model, i + 1) - model_edge(plot->model, i);
	if (absence_is_sure(plot->model->log, ABSENCE_GCS)) {
		line_pair(l, "  ", ST_DIM, absence_text(plot->model->log, ABSENCE_GCS));
		return;
	}
	line_printf(l, ST_TEXT, false, "  %s GC%s", as_count(gc->n), gc->n == 1 ? "" : "s");
	line_share(l, ST_MINOR, "minor ", gc->minor_ns, all);
	line_share(l, ST_WARN, "major ", gc->major_ns, all);
	if (gc->longest)
		line_pair(l, "  longest pause ", ST_TEXT, as_duration(gc->longest));
}

static const struct lane_colour colours[] = {{"GC pause", {ST_MINOR, ST_MAJOR}, 0x2586, '#'}, {0}};

const struct lane_ops lane_gc = {.name = "GC",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.unshaded = true,
	.colours = colours};
