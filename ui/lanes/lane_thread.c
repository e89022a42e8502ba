/* lane_thread.c - lane of a Haskell thread: running, runnable, blocked. */
#include "draw/text.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "lanes/thread_cells.h"
#include "query/thread_find.h"

#include <stdio.h>
#include <stdlib.h>

/* One thread: when it ran, waited to run, was blocked and why. */

enum { ID_W = 4, HALF_UPPER = 0x2580 };

static bool has_swatches(const struct lane_place *at, const struct canvas *c)
{
	return at->tall && at->wide && !c->mono && !c->ascii;
}

/* "  12 worker-0", "▀ 12 finaliz…ead" */
static void draw_label(const struct plot *p, uint32_t thread, const struct lane_place *at, struct canvas *c, int y)
{
	struct evl_str label = evl_label(p->model->log, thread);
	struct pen pen = p->lanes->highlight == thread ? PEN_BOLD(ST_KEY) : PEN(ST_TEXT);
	enum { LEAST = 3 }; /* columns of a label */
	char id[16];
	int id_w = snprintf(id, sizeof id, "%u", thread);
	/* a swatch is the key to the colours in lanes of capabilities */
	bool swatches = has_swatches(at, c);
	int widest = p->lanes->id_w > id_w ? p->lanes->id_w : id_w;
	int id_end = swatches + widest, left = at->label_w - id_end - 1 - p->lanes->label_w;
	int spaced = max_int(ID_W, id_end + swatches); /* with a blank after the swatch */
	if (swatches)
		canvas_glyph(c, y, at->label_x, PEN((uint8_t)cap_thread_tint(p, thread)), HALF_UPPER, ' ');
	if (at->wide && left > 0 && id_end < spaced)
		id_end = min_int(id_end + left, spaced);
	canvas_str(c, y, at->label_x + id_end - id_w, id_w, pen, id);
	if (at->label_w - id_end - 1 >= LEAST)
		canvas_name(c, y, at->label_x + id_end + 1, at->label_w - id_end - 1, pen, label);
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct thread_moment now;
	if (!forward && t == 0)
		return false;
	thread_at(log, lane->index, forward ? t : t - 1, THREAD_JUMP_TILES, &now);
	*out = forward ? now.until : now.pos.since;
	return now.known && (forward ? now.until != UINT64_MAX : now.pos.since > 0);
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	struct thread_moment now;
	thread_at(log, lane->index, t, THREAD_JUMP_TILES, &now);
	*from = now.pos.since;
	*to = now.until;
	return now.known && now.pos.since > 0 && now.until != UINT64_MAX;
}

static void put_state(struct line *l, const struct thread_moment *now, bool narrow)
{
	static const char *const names[THREAD_STATES] = {
		"not alive", "not known", "running", "runnable", "blocked", "foreign call"};
	const char *reason = thread_stop_text(now->pos.stop);
	char brief[32];
	line_skip(l, 2);
	snprintf(brief, sizeof brief, "blocked: %s", thread_stop_word(now->pos.stop));
	reason = narrow ? brief : reason;
	bool blocked = now->pos.state == THREAD_BLOCKED, coloured = !blocked && now->pos.state > THREAD_UNKNOWN;
	line_put(l, coloured ? thread_cells_style(now->pos.state) : ST_TEXT, true,
		blocked && reason ? reason : names[now->pos.state]);
	if (now->pos.state == THREAD_RUNNING)
		line_printf(l, ST_TEXT, false, " on cap %u", now->pos.cap);
	else if (now->owner)
		line_printf(l, ST_TEXT, false, " of thread %u", now->owner);
}

/* The part that lies in pauses: the rest of a runnable stretch is waiting for a capability. */
static void put_paused(struct line *l, const struct evl_log *log, const struct thread_moment *now)
{
	struct gc_sum sum;
	gcs_sum(&log->gcs, now->pos.since, now->until, &sum);
	uint64_t paused = sum.minor_ns + sum.major_ns + sum.sync_ns;
	if (paused == 0)
		return;
	line_pair(l, " (", ST_RUNNABLE_GC, as_duration(min_u64(paused, now->until - now->pos.since)));
	line_put(l, ST_DIM, false, " in pauses)");
}

/* How long, and what came then. */
static void put_span(struct line *l, const struct evl_log *log, const struct thread_moment *now)
{
	bool ends = now->until != UINT64_MAX;
	line_skip(l, 2);
	if (now->pos.since && ends)
		line_duration(l, ST_TEXT, now->until - now->pos.since);
	else
		line_put(l, ST_DIM, false, ends ? "since before the log" : "to the end");
	if (now->pos.state > THREAD_RUNNING && now->pos.since && ends)
		put_paused(l, log, now);
	if (now->pos.state == THREAD_RUNNING && ends && thread_stop_text(now->ends_by))
		line_pair(l, "  then ", ST_TEXT, line_stop_text(now->ends_by, line_left(l)));
}

/* "  woken by thread 12 "x" on cap 0 (delivered in 1.1 µs), ran 4.2 µs later" */
static void put_waker(struct line *l, const struct evl_log *log, const struct thread_moment *now)
{
	enum { NAMED = 60, LEAST = 11 }; /* columns: of a line with names, of " (cap 12)" or ", +1.23 ms" */
	if (now->unsure && !now->woken)
		line_put(l, ST_DIM, false, "  no wake-up within 128 MB of the log");
	if (!now->woken)
		return;
	bool narrow = line_room(l) < NAMED;
	const char *event = line_waited_for(log, now->waker);
	if (event)
		line_printf(l, ST_TEXT, false, "  for %s,", event);
	line_put(l, ST_DIM, false, event ? " woken by " : "  woken by ");
	if (now->waker && narrow)
		line_printf(l, ST_EM, true, "thr %u", now->waker);
	else if (now->waker)
		line_thread(l, log, now->waker);
	if (narrow && now->waker && line_room(l) < LEAST)
		return;
	line_printf(l, ST_DIM, false, "%scap %u%s", now->waker ? narrow ? " (" : " on " : "", now->wake.cap,
		now->waker && narrow ? ")" : "");
	if (now->delivery != UINT64_MAX && !narrow) {
		line_pair(l, " (delivered in ", ST_TEXT, as_duration(now->delivery));
		line_put(l, ST_DIM, false, ")");
	}
	if (now->ran == UINT64_MAX || (narrow && line_room(l) < LEAST))
		return;
	line_pair(l, narrow ? ", ran +" : ", ran ", ST_TEXT, as_duration(sub_or_0(now->ran, now->wake.t)));
	if (!narrow)
		line_put(l, ST_DIM, false, " later");
}

void thread_inspect(const struct lane *lane, const struct model *m, const struct thread_moment *now, struct line *l)
{
	enum { NAMED = 70 };
	bool narrow = line_room(l) < NAMED; /* then the label of the lane is enough */
	if (narrow)
		line_printf(l, ST_EM, true, "thr %u", lane->index);
	else
		line_thread(l, m->log, lane->index);
	if (!evl_progress(m->log).done)
		return;
	if (!now->known) {
		line_put(l, ST_DIM, false, "  state unknown: its last run is too far away (, and . go there)");
		return;
	}
	put_state(l, now, narrow);
	if (now->pos.state == THREAD_ABSENT)
		return;
	put_span(l, m->log, now);
	put_waker(l, m->log, now);
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	struct thread_moment now = {0};
	if (evl_progress(m->log).done)
		thread_at(m->log, lane->index, m->at.cursor, THREAD_FRAME_TILES, &now);
	thread_inspect(lane, m, &now, l);
}

/* --- a group: threads whose labels differ in digits only, together in one lane --- */

const char *group_name(const struct lanes *l, uint32_t fold)
{
	return l->ask.folds[fold][0] ? l->ask.folds[fold] : "no label";
}

/* "51", or "3/51" where some are filtered out, hidden or pinned: the lane shows the others. */
static void group_count(const struct lanes *l, uint32_t fold, char *out, size_t room)
{
	size_t all, kept = lanes_group_size(l, fold, &all);
	if (kept < all)
		snprintf(out, room, "%s/%s", as_count(kept), as_count(all));
	else
		snprintf(out, room, "%s", as_count(all));
}

int threads_measure(struct lanes *l, const struct placed_lane *placed, size_t n, const struct lane_place *at,
	const struct canvas *c)
{
	int groups = 0;
	l->id_w = l->label_w = 0;
	for (const struct placed_lane *p = placed; p < placed + n; p++) {
		const uint32_t thread = lanes_thread(&p->lane);
		if (thread) {
			l->id_w = max_int(l->id_w, snprintf(NULL, 0, "%u", thread));
			l->label_w = max_int(l->label_w, text_width(evl_label(l->log, thread), c->ascii));
		} else if (p->lane.ops == &lane_group) {
			int name = text_width(str_of(group_name(l, p->lane.index)), c->ascii);
			groups = max_int(groups, 1 + at->wide + name); /* its number only if there is room */
		}
	}
	int names = l->id_w ? has_swatches(at, c) + l->id_w + (l->label_w ? 1 + l->label_w : 0) : 0;
	return max_int(groups, names + (has_swatches(at, c) && names > LANE_NAMES_WIDE)); /* a blank after the swatch */
}

/* The first thread of a closed group in the order of the list, where that says which has the most; 0: none. */
static uint32_t group_first(const struct lanes *l, uint32_t fold)
{
	size_t all, part = l->folds[fold].part;
	bool by_id = l->ask.order == ORDER_ID || l->ask.order == ORDER_NAME;
	if (by_id || lanes_group_is_open(l, fold) || lanes_group_size(l, fold, &all) < 2 || !l->threads.parts[part].n)
		return 0;
	return thread_list_at(&l->threads, part, 0);
}

/* "▸ worker-# (51), most: thread 14"; in less room "▸worker-# (51)", "▸worker-#" or "▸work…-#": the number is in the inspector.
 * Without labels, which thread has the most is told in any case: "▸no label, most: 14", "▸14, 50 more". */
static void draw_group_label(const struct lanes *l, uint32_t fold, const struct lane_place *at, struct canvas *c, int y)
{
	enum { LEAST = 10, FORMS = 7 }; /* columns of a name that is cut, or there is no number after it */
	char n[48], forms[FORMS][LIST_NAME + 96] = {{0}};
	bool open = lanes_group_is_open(l, fold);
	const char *name = group_name(l, fold);
	const uint32_t first = group_first(l, fold);
	int x = at->label_x, end = x + at->label_w, best = 0;
	size_t all, kept = lanes_group_size(l, fold, &all);
	group_count(l, fold, n, sizeof n);
	if (first) {
		snprintf(forms[0], sizeof forms[0], "%s (%s), most: thread %u", name, n, first);
		snprintf(forms[1], sizeof forms[1], "%s (%s), most: %u", name, n, first);
	}
	if (first && !l->ask.folds[fold][0]) {
		snprintf(forms[2], sizeof forms[2], "%s, most: thread %u", name, first);
		snprintf(forms[3], sizeof forms[3], "%s, most: %u", name, first);
		snprintf(forms[4], sizeof forms[4], "%u, %s more", first, as_short(kept - 1));
		snprintf(forms[5], sizeof forms[5], "most: %u", first);
	}
	snprintf(forms[FORMS - 1], sizeof forms[FORMS - 1], "%s (%s)", name, n);
	canvas_glyph(c, y, x++, PEN(ST_KEY), open ? 0x25be : 0x25b8, open ? '-' : '+');
	x += at->wide;
	while (best < FORMS && (!forms[best][0] || text_width(str_of(forms[best]), c->ascii) > end - x))
		best++;
	if (best < FORMS) {
		canvas_str(c, y, x, end - x, PEN(ST_TEXT), forms[best]);
		return;
	}
	const struct evl_str text = str_of(name);
	int width = text_width(text, c->ascii), room = end - x - (int)strlen(n) - 3;
	bool numbered = room >= LEAST && end - x < width;
	x += canvas_name(c, y, x, numbered ? room : end - x, PEN(ST_TEXT), text);
	if (numbered)
		canvas_printf(c, y, x, end - x, PEN(ST_TEXT), " (%s)", n);
}

/* The columns of a thread or a group, as far as they are known; NULL: memory is out. To be freed. */
static struct thread_column *columns_of(const struct lane *lane, const struct plot *p)
{
	struct thread_column *cols = thread_cells_new(p);
	if (cols && p->lanes->job)
		thread_job_columns(p->lanes->job, lane->index, lane->ops == &lane_group, cols, p->cols);
	return cols;
}

static void draw(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	struct thread_column *cols = columns_of(lane, p);
	bool group = lane->ops == &lane_group;
	if (group)
		draw_group_label(p->lanes, lane->index, at, c, y);
	else
		draw_label(p, lane->index, at, c, y);
	if (cols) {
		thread_cells_draw(lane, p, cols, group, at, c, y);
		thread_cells_figure(p, cols, at, c, y);
	}
	free(cols);
}

static void inspect_column(const struct lane *lane, struct plot *p, int i, struct line *l)
{
	struct thread_column *cols = columns_of(lane, p);
	uint64_t width = model_edge(p->model, i + 1) - model_edge(p->model, i);
	if (cols && cols[i].known)
		thread_cells_inspect(&cols[i], max_u64(width, 1), l);
	else
		line_put(l, ST_DIM, false, "  not known yet");
	free(cols);
}

void group_inspect(const struct lanes *lanes, uint32_t fold, struct line *l)
{
	char n[48];
	bool narrow = line_room(l) < 75;
	group_count(lanes, fold, n, sizeof n);
	line_put(l, ST_EM, true, n);
	line_put(l, ST_DIM, false, lanes->ask.folds[fold][0] ? " threads " : " threads without a label");
	if (lanes->ask.folds[fold][0])
		line_put(l, ST_EM, true, group_name(lanes, fold));
	if (!narrow && strchr(group_name(lanes, fold), '#'))
		line_put(l, ST_DIM, false, " (#: any digits)");
	line_put(l, ST_DIM, false, narrow ? "  " : ", together in this lane: ");
	line_put(l, ST_KEY, true, "Enter");
	line_put(l, ST_DIM, false,
		lanes_group_is_open(lanes, fold) ? (narrow ? ": close" : " closes")
			: narrow                 ? ": list"
						 : " lists them");
	line_put(l, ST_KEY, true, narrow ? "  R" : ", R");
	line_put(l, ST_DIM, false, narrow ? ": ungroup" : " ungroups");
}

const struct lane_ops lane_group = {.name = "group", .draw = draw, .inspect_column = inspect_column};

const struct lane_ops lane_thread = {.name = "thread",
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column};
