#include "sched/cap_shares.h"

#include "base/gallop.h"
#include "index/chain_seek.h"

enum { NEAR_TILES = 1 }; /* columns that end at most this number of tiles ahead are decoded */

/* When a capability could not run threads, and the next of these times. */
struct absences {
	const struct cap_absence *items;
	size_t n, i;
};

/* Fills a column from left to right. */
struct painter {
	const struct cap_shares_gcs *gcs;
	struct cap_column *col;
	uint64_t from, at; /* the column's begin; what is painted ends here */
	uint64_t until;    /* what is walked ends here */
	size_t gc;         /* the first collection of the list that ends after `at` */
	size_t tile;       /* the last that starts before `at` */
	size_t stride;     /* tiles of the column before */
	uint16_t cap;      /* the capability's number */
	uint16_t phase;    /* tag of its last phase event in a collection; 0: none */
	bool works;        /* the log declares GC_WORK */
	bool all;          /* columns are exact, however long they are, and only their sums are asked for */
	bool passed;       /* the position is the start of the tile after `tile`, whose events the seek is not at */
	uint64_t clear;    /* until then there is no collection; `away`: the capability is absent */
	bool away;
	struct absences off; /* of the capability; off_ns: their parts in which it would be idle */
	uint64_t off_ns;
	struct gc_walk led; /* of the collections that the capability leads */
	const struct progress *watch;
};

/* The part of [from, to) that lies in absences. `from` never decreases. */
static uint64_t absent_ns(struct absences *a, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	while (a->i < a->n && a->items[a->i].to <= from)
		a->i++;
	for (size_t i = a->i; i < a->n && a->items[i].from < to; i++)
		ns += min_u64(a->items[i].to, to) - max_u64(a->items[i].from, from);
	return ns;
}

/* Is the capability absent at t? Until when does that hold? `t` never decreases. */
static bool is_absent(struct absences *a, uint64_t t, uint64_t *until)
{
	while (a->i < a->n && a->items[a->i].to <= t)
		a->i++;
	const struct cap_absence *next = a->i < a->n ? &a->items[a->i] : NULL;
	*until = !next ? UINT64_MAX : t < next->from ? next->from : next->to;
	return next && t >= next->from;
}

static void put(struct painter *p, enum cap_share share, uint64_t to)
{
	struct cap_column *col = p->col;
	if (p->at == p->from) {
		col->from = (uint8_t)share;
	} else if (share != col->to) {
		col->changes++;
		col->change_t = p->at;
	}
	col->to = (uint8_t)share;
	col->ns[share] += to - p->at;
	if (share == SHARE_IDLE)
		p->off_ns += absent_ns(&p->off, p->at, to);
	p->at = to;
}

static enum cap_share working(const struct cap_shares_gcs *gcs, const struct gc_row *row)
{
	return row && gc_is_major(gcs->gcs, row) ? SHARE_MAJOR : SHARE_MINOR;
}

/* The last collection that ended at p->at or before, or NULL. */
static const struct gc_row *ended(const struct painter *p)
{
	const struct gc_row *row = p->gc ? p->gcs->rows[p->gc - 1] : gcs_before(p->gcs->gcs, p->at, GC_ALL);
	return row && gc_end(row) <= p->at ? row : NULL;
}

/* Has the capability no work in its own collection? A helper posts GC_START when it has stopped, and GC_WORK when it begins.
 * The leader prepares the collection between them. */
static bool waits(const struct painter *p, const struct gc_row *row)
{
	return p->phase == EVL_GC_IDLE || p->phase == EVL_GC_DONE
		|| (p->phase == EVL_GC_START && p->works && row && row->cap != p->cap);
}

/* In a collection since then, outside of all pauses: a helper often posts the end when it is woken for the next
 * collection; until then it has nothing to do. */
static enum cap_share outside(const struct painter *p, uint64_t since)
{
	const struct gc_row *row = ended(p);
	if (row && gc_end(row) > since)
		return SHARE_IDLE;
	return waits(p, NULL) ? SHARE_WAIT : working(p->gcs, row);
}

/* Return the state at p->at, given the current or next collection (NULL: none). */
static enum cap_share share_at(const struct painter *p, enum cap_state state, uint64_t since, const struct gc_row *row)
{
	bool paused = row && p->at >= gc_requested(row), sync = paused && p->at < row->start;
	if (state == CAP_RUN)
		return SHARE_RUN;
	if (sync)
		return SHARE_SYNC;
	if (state == CAP_IDLE)
		return paused ? SHARE_STOPPED : SHARE_IDLE;
	if (!paused)
		return outside(p, since);
	return waits(p, row) ? SHARE_WAIT : working(p->gcs, row);
}

/* Where what holds at p->at may end, by the collections alone. */
static uint64_t next_edge(const struct painter *p, const struct gc_row *row)
{
	if (!row)
		return UINT64_MAX;
	return p->at < gc_requested(row) ? gc_requested(row) : p->at < row->start ? row->start : gc_end(row);
}

/* Go to t; there is no collection. It runs for `run` ns of the time. */
static void pass_between(struct painter *p, uint64_t t, uint64_t run)
{
	uint64_t ns = t - p->at, idle = sub_or_0(ns, run);
	p->col->ns[SHARE_RUN] += min_u64(run, ns);
	p->col->ns[SHARE_IDLE] += idle;
	p->off_ns += p->away ? idle : 0;
	p->at = t;
}

/* Go to `to`, or to where that is not known any more. */
static void pass_clear(struct painter *p, enum cap_state state, uint64_t to)
{
	uint64_t until = min_u64(to, p->clear);
	pass_between(p, until, state == CAP_RUN ? until - p->at : 0);
}

/* Return the collection at p->at, or else the next one; NULL: there is none. */
static const struct gc_row *gc_from(struct painter *p)
{
	while (p->gc < p->gcs->n && gc_end(p->gcs->rows[p->gc]) <= p->at)
		p->gc++;
	return p->gc < p->gcs->n ? p->gcs->rows[p->gc] : NULL;
}

/* There is no collection at p->at: until when, and until when is the capability absent, or not? */
static void look_ahead(struct painter *p, const struct gc_row *next)
{
	p->away = is_absent(&p->off, p->at, &p->clear);
	p->clear = next ? min_u64(p->clear, gc_requested(next)) : p->clear;
}

static void paint(struct painter *p, enum cap_state state, uint64_t since, uint64_t to)
{
	if (state != CAP_GC && p->at < to && p->at < p->clear)
		pass_clear(p, state, to);
	while (p->at < to) {
		const struct gc_row *row = gc_from(p);
		if (p->all && state != CAP_GC && (!row || p->at < gc_requested(row))) {
			look_ahead(p, row);
			pass_clear(p, state, to);
		} else {
			put(p, share_at(p, state, since, row), min_u64(to, next_edge(p, row)));
		}
	}
}

/* Paint what an event ends. */
static void paint_event(void *painter, enum cap_state was, uint64_t since, uint16_t tag, uint64_t t)
{
	struct painter *p = painter;
	if (p->col)
		paint(p, was, since, min_u64(t, p->until));
	if (chain_seek_is_phase(tag))
		p->phase = tag;
}

static void walk(struct painter *p, struct chain_seek *s, uint64_t t)
{
	p->until = t;
	chain_seek_walk(s, t, paint_event, p);
}

/* Walk until the capability has left a collection that is over, and to the events at p->at. */
static void leave_gc(struct painter *p, struct chain_seek *s, uint64_t t)
{
	p->until = t;
	while ((s->pos.state == CAP_GC || s->next.t <= p->at) && chain_seek_due(s, t) && !progress_cancelled(p->watch))
		chain_seek_step_seen(s, paint_event, p);
}

/* Paint to t, which lies after all that was walked. */
static void paint_rest(struct painter *p, struct chain_seek *s, uint64_t t)
{
	struct cap_pos was = s->pos;
	if (chain_seek_leave_open(s, t))
		paint(p, (enum cap_state)was.state, was.since, s->pos.since);
	paint(p, (enum cap_state)s->pos.state, s->pos.since, t);
}

/* --- between collections ------------------------------------------------------------------------------------------- */

/* Go to the start of a tile before the next collection or absence: the time until then is run or idle, and the tile has
 * the sums. Not back, and not if the capability collects without a collection (the log is damaged). */
static void skip(struct painter *p, struct chain_seek *s, size_t tile)
{
	const struct tile *x = &s->table->tiles[tile];
	struct cap_pos was = s->pos;
	if (tile <= s->tile + NEAR_TILES || !s->have_next || x->off <= s->next.off || was.state == CAP_GC
		|| x->state == CAP_GC || x->gc_ns != was.gc_ns || x->since < p->at)
		return;
	chain_seek_enter(s, tile);
	pass_between(p, x->since, sub_or_0(cap_run_until(&s->pos, x->since), cap_run_until(&was, p->at)));
}

/* Paint all to `to` exactly: decode collections and absences, and skip what lies between them. Where several collections
 * are so near that nothing can be skipped, whole tiles are decoded at once. */
static void pass_all(struct painter *p, struct chain_seek *s, uint64_t to)
{
	enum { MOST = 256 }; /* tiles from one look at `watch` to the next */
	while (p->at < to && !progress_cancelled(p->watch)) {
		const struct gc_row *row = gc_from(p);
		const size_t next = s->tile + NEAR_TILES + 1;
		const uint64_t far = next < s->ready ? min_u64(to, s->table->tiles[next].t) : to;
		bool dense = p->gc + 1 < p->gcs->n && gc_requested(p->gcs->rows[p->gc + 1]) < far && p->at < far;
		bool between = !dense && (!row || p->at < gc_requested(row));
		if (between)
			look_ahead(p, row);
		uint64_t t = min_u64(to, dense ? far : between ? p->clear : gc_end(row));
		size_t tile = tiles_from(s->table, s->ready, s->tile, 1, t);
		if (between)
			leave_gc(p, s, t);
		if (between && p->at < t)
			skip(p, s, tile);
		if (tile > s->tile + MOST)
			t = min_u64(t, max_u64(s->table->tiles[s->tile + MOST].t, p->at + 1));
		walk(p, s, t);
		s->tile = min_u64(tile, s->tile + MOST);
		paint_rest(p, s, t);
	}
}

/* --- columns ------------------------------------------------------------------------------------------------------- */

/* The seek is at t, in or after a tile. Within a collection its phase must be known; if the phase started before the tile, the
 * tile before has it. */
static void find_phase(struct painter *p, struct chain_seek *s, size_t tile, uint64_t t)
{
	p->phase = s->pos.state == CAP_GC ? s->phase : 0;
	if (s->pos.state != CAP_GC || s->phase || tile == 0)
		return;
	chain_seek_enter(s, tile - 1);
	walk(p, s, t);
}

/* Go to t, in or after a tile, without painting. Where the next tile starts, it has the position; its events are read only if
 * the next column is painted. */
static void jump(struct painter *p, struct chain_seek *s, size_t tile, uint64_t t)
{
	p->col = NULL;
	p->passed = tile + 1 < s->ready && s->table->tiles[tile + 1].t == t;
	if (p->passed) {
		s->pos = tile_pos(&s->table->tiles[tile + 1]);
		return;
	}
	chain_seek_advance_in(s, tile, t);
	find_phase(p, s, tile, t);
}

static enum cap_share plain(enum cap_state state, const struct cap_column *col)
{
	if (state == CAP_GC && col->ns[SHARE_MAJOR] + col->ns[SHARE_MINOR])
		return col->ns[SHARE_MAJOR] > col->ns[SHARE_MINOR] ? SHARE_MAJOR : SHARE_MINOR;
	return state == CAP_RUN ? SHARE_RUN : col->ns[SHARE_IDLE] ? SHARE_IDLE : SHARE_STOPPED;
}

/* The column from its sums. */
static void estimate(
	const struct gc_sum *sum, const struct gc_sum *led, uint64_t t0, uint64_t t1, struct cap_column *col)
{
	uint64_t gc_ns = min_u64(col->gc_ns, sum->minor_ns + sum->major_ns), idle = t1 - t0 - col->run_ns - gc_ns;
	col->ns[SHARE_RUN] = col->run_ns;
	col->ns[SHARE_MAJOR] = min_u64(gc_ns, sum->major_ns);
	col->ns[SHARE_MINOR] = gc_ns - col->ns[SHARE_MAJOR];
	col->ns[SHARE_STOPPED] = min_u64(idle, sub_or_0(sum->minor_ns + sum->major_ns, gc_ns));
	idle -= col->ns[SHARE_STOPPED];
	col->ns[SHARE_SYNC] = min_u64(idle, led->sync_ns);
	col->ns[SHARE_IDLE] = idle - col->ns[SHARE_SYNC];
	bool mixed = (col->ns[SHARE_STOPPED] || col->ns[SHARE_SYNC]) && col->switches < 2;
	col->changes = mixed ? 2 : col->switches;
	col->change_t = col->split;
	col->from = (uint8_t)plain((enum cap_state)col->first, col);
	col->to = (uint8_t)plain((enum cap_state)col->last, col);
}

/* Paint the column [from, to) if its events lie near; else only go to its end. */
static void pass(struct painter *p, struct chain_seek *s, uint64_t from, uint64_t to, struct cap_column *col)
{
	size_t first = p->tile, last = tiles_from(s->table, s->ready, first, p->stride, to);
	p->tile = last;
	p->stride = last - first;
	col->exact = p->gcs->rows && (p->all || last - first <= NEAR_TILES);
	if (!col->exact) {
		jump(p, s, last, to);
		return;
	}
	if (p->passed) {
		p->passed = false;
		chain_seek_enter(s, first + 1);
		find_phase(p, s, first + 1, from);
	}
	p->col = col;
	p->from = p->at = from;
	if (p->all) {
		pass_all(p, s, to);
		return;
	}
	walk(p, s, to);
	s->tile = last > s->tile ? last : s->tile;
	paint_rest(p, s, to);
}

/* Go to t, where the first column begins. Return false if nothing of the capability is indexed. */
static bool start(struct painter *p, struct chain_seek *s, const struct blocks *b, const struct tile_table *table,
	uint32_t chain, uint64_t t)
{
	if (!chain_seek_begin(s, b, table, chain))
		return false;
	p->cap = b->chains[chain].cap;
	p->works = header_find(b->header, EVL_GC_WORK);
	gc_walk_begin(&p->led, p->gcs->gcs, chain, t);
	p->tile = tiles_before(table, s->ready, t);
	jump(p, s, p->tile, t);
	return true;
}

/* Fill the column [from, to), where the one before ended. sum: of all collections in it; NULL: add them up. */
static void fill(struct painter *p, struct chain_seek *s, uint64_t from, uint64_t to, const struct gc_sum *sum,
	struct cap_column *col)
{
	struct cap_pos before = s->pos;
	struct gc_sum led = {0}, own;
	bool lost = s->cursor.missing;
	gc_walk_next(&p->led, to, &led);
	pass(p, s, from, to, col);
	col->known = col->known && !lost && !s->cursor.missing;
	caps_between(&before, &s->pos, from, to, col);
	if (col->exact)
		return;
	if (!sum)
		gcs_sum(p->gcs->gcs, from, to, &own);
	estimate(sum ? sum : &own, &led, from, to, col);
}

void cap_shares_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct cap_shares_gcs *gcs, uint64_t t0, uint64_t t1, int n, struct cap_column *out)
{
	struct painter p = {.gcs = gcs};
	struct chain_seek s;
	caps_blank(b, table, chain, t0, t1, n, out);
	bool any = start(&p, &s, b, table, chain, t0);
	for (int i = 0; i < n; i++) {
		uint64_t from = column_edge(t0, t1, n, i), to = column_edge(t0, t1, n, i + 1);
		if (any)
			fill(&p, &s, from, to, &gcs->columns[i], &out[i]);
		else /* not yet, or its blocks hold nothing that can be read */
			out[i].ns[SHARE_IDLE] = to - from;
	}
}

/* Go to the start of a window after the column before. */
static void leap(struct painter *p, struct chain_seek *s, uint64_t from)
{
	struct gc_sum between = {0};
	gc_walk_next(&p->led, from, &between);
	p->tile = tiles_from(s->table, s->ready, p->tile, p->stride, from);
	jump(p, s, p->tile, from);
}

int cap_shares_over(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct cap_shares_gcs *gcs, const struct cap_shares_ask *ask, struct cap_shares_sum *out)
{
	struct painter p = {.gcs = gcs, .all = ask->all, .off = {ask->absent, ask->n_absent, 0}, .watch = ask->watch};
	struct absences absent = p.off;
	struct chain_seek s;
	bool any = ask->n && start(&p, &s, b, table, chain, ask->windows[0].from);
	*out = (struct cap_shares_sum){.exact = true};
	for (size_t i = 0; i < ask->n; i++) {
		struct cap_column col = {0};
		const struct time_window w = ask->windows[i];
		uint64_t lost = absent_ns(&absent, w.from, w.to), off = p.off_ns;
		if (progress_cancelled(ask->watch))
			return EVL_CANCELLED;
		if (any && i && w.from > ask->windows[i - 1].to)
			leap(&p, &s, w.from);
		if (any)
			fill(&p, &s, w.from, w.to, gcs->columns ? &gcs->columns[i] : NULL, &col);
		else
			col.ns[SHARE_IDLE] = w.to - w.from;
		off = col.exact ? p.off_ns - off : sub_or_0(lost + col.ns[SHARE_IDLE], w.to - w.from);
		for (int k = 0; k < CAP_SHARES; k++)
			out->ns[k] += col.ns[k];
		out->ns[SHARE_IDLE] -= off;
		out->off_ns += off;
		out->absent_ns += lost;
		out->switches += col.switches;
		out->exact = out->exact && col.exact;
	}
	return progress_cancelled(ask->watch) ? EVL_CANCELLED : 0;
}

size_t cap_shares_cut(const struct tile_table *table, uint64_t from, uint64_t to, int n, struct time_window *out)
{
	const size_t ready = load_acquire(&table->ready);
	size_t cut = 0, tile = 0, stride = 0;
	uint64_t at = from;
	for (int i = 1; i <= n; i++) {
		uint64_t edge = column_edge(from, to, n, i);
		if (edge <= at)
			continue;
		if (edge < to && ready) {
			size_t last = tiles_from(table, ready, tile, stride, edge);
			stride = last - tile;
			tile = last;
			edge = last + 1 < ready ? min_u64(table->tiles[last + 1].t, to) : to;
		}
		out[cut++] = (struct time_window){at, edge};
		at = edge;
	}
	return cut;
}

const struct gc_row *cap_shares_gc_at(const struct cap_shares_gcs *gcs, uint64_t t)
{
	BISECT(low, gcs->n, gc_end(gcs->rows[mid]) <= t);
	return low < gcs->n && gc_requested(gcs->rows[low]) <= t ? gcs->rows[low] : NULL;
}

void cap_shares_gc_columns(const struct gcs *gcs, uint64_t t0, uint64_t t1, int n, struct gc_sum *out)
{
	for (int i = 0; i < n; i++)
		out[i] = (struct gc_sum){0};
	for (uint32_t chain = 0; chain < gcs->n; chain++) {
		struct gc_walk w;
		gc_walk_begin(&w, gcs, chain, t0);
		for (int i = 0; i < n; i++)
			gc_walk_next(&w, column_edge(t0, t1, n, i + 1), &out[i]);
	}
}
