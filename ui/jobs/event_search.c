#include "jobs/event_search.h"

#include "sys/worker.h"

#include <stdlib.h>

/* --- the crew ------------------------------------------------------------------------------------------------------ */

enum { TASK_TILES = 8, TASKS_EACH = 16 };

/* Some tiles of a chain. */
struct sweep_task {
	uint32_t chain;
	size_t first, end;
};

/* Result of one worker in this sweep. */
struct finds {
	uint64_t passed, hits, outside;
	event_rank_key low, high; /* the first and the last hit, if there is one */
	uint64_t ticks[COUNT_TICKS];
};

struct member {
	struct event_scan scan;
	struct event_filter filter;
	struct pattern pattern;
	struct finds finds;
};

struct event_crew {
	const struct evl_log *log;
	const struct event_rank *order;
	struct member *members;
	int n, able; /* all; those who have filter and pattern */
	/* this sweep: */
	struct sweep_task *tasks;
	size_t n_tasks, tasks_room;
	event_rank_key from, to; /* events in [from, to) count */
	uint64_t first, last;    /* the run */
	const atomic_bool *stop;
	atomic_size_t taken;
	atomic_int joined;
};

struct event_crew *event_crew_new(const struct evl_log *log, const struct event_rank *order, int n)
{
	struct event_crew *crew = calloc(1, sizeof *crew);
	struct member *members = crew ? calloc((size_t)n, sizeof *members) : NULL;
	if (!members) {
		free(crew);
		return NULL;
	}
	*crew = (struct event_crew){.log = log, .order = order, .members = members, .n = n, .able = n};
	for (int i = 0; i < n; i++)
		members[i].scan = (struct event_scan){.log = log, .order = order};
	return crew;
}

/* Separate copies of filters and patterns; the first worker uses the originals. */
static void disarm(struct event_crew *crew)
{
	for (int i = 1; i < crew->n; i++) {
		event_filter_free(&crew->members[i].filter);
		pattern_free(&crew->members[i].pattern);
	}
}

void event_crew_free(struct event_crew *crew)
{
	if (!crew)
		return;
	disarm(crew);
	for (int i = 0; i < crew->n; i++)
		event_scan_free(&crew->members[i].scan);
	free_all(crew->members, crew->tasks, crew);
}

static bool arm(struct member *m, const struct event_filter *filter, const struct pattern *pattern)
{
	if (filter && !event_filter_copy(&m->filter, filter))
		return false;
	if (pattern && !pattern_copy(&m->pattern, pattern))
		return false;
	m->scan.filter = filter ? &m->filter : NULL;
	m->scan.pattern = pattern ? &m->pattern : NULL;
	return true;
}

void event_crew_use(struct event_crew *crew, const struct event_scan *scan)
{
	disarm(crew);
	crew->members[0].scan.filter = scan->filter;
	crew->members[0].scan.pattern = scan->pattern;
	crew->able = 1;
	while (crew->able < crew->n && arm(&crew->members[crew->able], scan->filter, scan->pattern))
		crew->able++;
	for (int i = 0; i < crew->able; i++)
		crew->members[i].scan.brief = scan->brief;
}

/* --- a sweep ------------------------------------------------------------------------------------------------------- */

static void take_hit(const struct event_crew *crew, struct finds *f, event_rank_key key)
{
	uint64_t t = event_rank_key_t(key);
	f->low = f->hits == 0 || key < f->low ? key : f->low;
	f->high = f->hits == 0 || key > f->high ? key : f->high;
	f->hits++;
	if (t >= crew->first && t <= crew->last)
		f->ticks[(unsigned __int128)(t - crew->first) * COUNT_TICKS / (crew->last - crew->first + 1)]++;
	else
		f->outside++;
}

/* May an event of the tile pass? */
static bool may_pass(const struct event_scan *s, const struct tile *tile)
{
	return !s->filter || s->filter->groups == UINT32_MAX || (tile->classes & s->filter->groups);
}

static void sweep_tile(const struct event_crew *crew, struct member *m, uint32_t chain, size_t tile)
{
	uint64_t end;
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	if (!may_pass(&m->scan, &crew->log->tiles[chain].tiles[tile]))
		return;
	event_rank_tile(crew->order, chain, tile, &cursor, &end);
	while (cursor_next(&cursor, &f, &block) && f.off < end) {
		event_rank_key key = event_rank_key_of(f.t, f.off);
		if (key < crew->from || key >= crew->to || !event_page_passes(&m->scan, chain, &f))
			continue;
		m->finds.passed++;
		if (event_page_hits(&m->scan, &f))
			take_hit(crew, &m->finds, key);
	}
}

/* One of the crew: as long as there is something to take. */
static void *work(void *arg)
{
	struct event_crew *crew = arg;
	struct member *m = &crew->members[atomic_fetch_add(&crew->joined, 1)];
	while (!is_cancelled(crew->stop)) {
		size_t i = atomic_fetch_add(&crew->taken, 1);
		if (i >= crew->n_tasks)
			break;
		for (size_t tile = crew->tasks[i].first; tile < crew->tasks[i].end; tile++)
			sweep_tile(crew, m, crew->tasks[i].chain, tile);
	}
	return NULL;
}

/* Result of all workers. */
static struct finds gather(const struct event_crew *crew)
{
	struct finds sum = {0};
	for (int i = 0; i < crew->able; i++) {
		const struct finds *f = &crew->members[i].finds;
		if (f->hits) {
			sum.low = sum.hits == 0 || f->low < sum.low ? f->low : sum.low;
			sum.high = sum.hits == 0 || f->high > sum.high ? f->high : sum.high;
		}
		sum.passed += f->passed;
		sum.hits += f->hits;
		sum.outside += f->outside;
		for (size_t k = 0; k < COUNT_TICKS && f->hits; k++)
			sum.ticks[k] += f->ticks[k];
	}
	return sum;
}

/* Do the tasks; returns how many were done: all, or the first ones when stopped. */
static size_t sweep(
	struct event_crew *crew, event_rank_key from, event_rank_key to, const atomic_bool *stop, struct finds *out)
{
	crew->from = from;
	crew->to = to;
	crew->stop = stop;
	crew->first = crew->last = 0;
	evl_range(crew->log, &crew->first, &crew->last);
	atomic_store(&crew->taken, 0);
	atomic_store(&crew->joined, 0);
	for (int i = 0; i < crew->able; i++)
		crew->members[i].finds = (struct finds){0};
	workers_share(crew->able, work, crew);
	*out = gather(crew);
	size_t taken = atomic_load(&crew->taken);
	return taken < crew->n_tasks ? taken : crew->n_tasks;
}

/* Add tasks for these tiles. False: there are `most` by now, or memory is out. */
static bool plan_tiles(struct event_crew *crew, uint32_t chain, size_t tile, size_t end, size_t most)
{
	for (; tile < end; tile += TASK_TILES) {
		if (crew->n_tasks == most || !GROW(crew->tasks, crew->n_tasks, crew->tasks_room))
			return false;
		crew->tasks[crew->n_tasks++] =
			(struct sweep_task){chain, tile, end - tile > TASK_TILES ? tile + TASK_TILES : end};
	}
	return true;
}

/* --- counting ------------------------------------------------------------------------------------------------------ */

void event_count_begin(struct event_count *c, const struct evl_log *log)
{
	*c = (struct event_count){0};
	evl_range(log, &c->first, &c->last);
}

/* Where counting goes on. */
static void plan_count(struct event_crew *crew, const struct event_count *c)
{
	size_t most = (size_t)crew->able * TASKS_EACH, tile = c->tile;
	crew->n_tasks = 0;
	for (uint32_t chain = c->chain; chain < crew->log->blocks.n_chains; chain++, tile = 0)
		if (!plan_tiles(crew, chain, tile, event_rank_tiles(crew->order, chain), most))
			return;
}

void event_count_more(struct event_count *c, struct event_crew *crew, const atomic_bool *stop)
{
	struct finds finds;
	plan_count(crew, c);
	size_t done = sweep(crew, 0, ORDER_END, stop, &finds);
	for (size_t i = 0; i < done; i++)
		c->looked += (crew->tasks[i].end - crew->tasks[i].first) * TILE_BYTES;
	if (done) {
		c->chain = crew->tasks[done - 1].chain;
		c->tile = crew->tasks[done - 1].end;
	}
	c->over = crew->n_tasks == 0;
	c->passed += finds.passed;
	c->hits += finds.hits;
	c->outside += finds.outside;
	for (size_t i = 0; i < COUNT_TICKS; i++)
		c->ticks[i] += finds.ticks[i];
}

/* --- finding ------------------------------------------------------------------------------------------------------- */

void event_find_begin(struct event_find *f, const struct evl_log *log, const struct event_rank *order,
	event_rank_key at, bool forward)
{
	enum { FEW = 1 << 10 };
	uint64_t first = 0, last = 0;
	evl_range(log, &first, &last);
	uint64_t width = (last - first) / (order->total / FEW + 1) + 1;
	*f = (struct event_find){.at = forward ? at + 1 : at,
		.width = event_rank_key_of(width, 0),
		.end = ORDER_END,
		.forward = forward};
}

/* The start of a part of the run, as divided by take_hit. */
static event_rank_key tick_begin(const struct event_count *c, size_t tick)
{
	unsigned __int128 run = (unsigned __int128)(c->last - c->first) + 1;
	return event_rank_key_of(c->first + (uint64_t)((run * tick + COUNT_TICKS - 1) / COUNT_TICKS), 0);
}

/* On to the next part of the run that has hits; at the end of it, or where hits lie outside of the run, nothing. */
static void skip_barren(struct event_find *f, const struct event_count *c)
{
	size_t tick = 0;
	if (c->outside)
		return;
	if (f->forward) {
		while (tick < COUNT_TICKS
			&& (!c->ticks[tick] || (tick + 1 < COUNT_TICKS && tick_begin(c, tick + 1) <= f->at)))
			tick++;
		event_rank_key begin = tick < COUNT_TICKS ? tick_begin(c, tick) : ORDER_END;
		f->at = begin > f->at ? begin : f->at;
		return;
	}
	tick = COUNT_TICKS;
	while (tick > 0 && (!c->ticks[tick - 1] || tick_begin(c, tick - 1) >= f->at))
		tick--;
	event_rank_key end = tick == COUNT_TICKS ? ORDER_END : tick > 0 ? tick_begin(c, tick) : 0;
	f->at = end < f->at ? end : f->at;
}

/* The tiles of the stretch [from, to). False: memory is out. */
static bool plan_stretch(struct event_crew *crew, event_rank_key from, event_rank_key to)
{
	bool good = true;
	crew->n_tasks = 0;
	for (uint32_t chain = 0; good && chain < crew->log->blocks.n_chains; chain++) {
		size_t tile, end;
		event_rank_tiles_in(crew->order, chain, from, to, &tile, &end);
		good = plan_tiles(crew, chain, tile, end, SIZE_MAX);
	}
	return good;
}

/* The next stretch: not more than can be looked through in some milliseconds, unless a shorter one is as dear: in a log
 * whose times are in disorder. */
static bool plan_find(struct event_find *f, struct event_crew *crew, event_rank_key *from, event_rank_key *to)
{
	size_t most = (size_t)crew->able * TASKS_EACH, before = SIZE_MAX;
	event_rank_key left = f->forward ? f->end - f->at : f->at;
	for (f->width = f->width < left ? f->width : left;; f->width /= 2) {
		*from = f->forward ? f->at : f->at - f->width;
		*to = *from + f->width;
		if (!plan_stretch(crew, *from, *to))
			return false;
		if (crew->n_tasks <= most || f->width == 1 || crew->n_tasks > before - before / 8)
			return true;
		before = crew->n_tasks;
	}
}

/* After the last event, or before the first, planning is useless: every stretch costs the same. */
static bool is_past(const struct event_find *f, const struct event_crew *crew)
{
	uint64_t first, last;
	if (!evl_range(crew->log, &first, &last))
		return true;
	return f->forward ? event_rank_key_t(f->at) > last : f->at <= event_rank_key_of(first, 0);
}

int event_find_more(struct event_find *f, struct event_crew *crew, const struct event_count *counted,
	const atomic_bool *stop, event_rank_key *hit)
{
	struct finds finds;
	event_rank_key from, to;
	if (counted)
		skip_barren(f, counted);
	if (f->at == (f->forward ? ORDER_END : 0) || is_past(f, crew) || !plan_find(f, crew, &from, &to))
		return -1;
	if (sweep(crew, from, to, stop, &finds) < crew->n_tasks)
		return 0; /* stopped: again from here */
	f->at = f->forward ? to : from;
	f->width = f->width > ORDER_END / 2 ? ORDER_END : 2 * f->width;
	if (finds.hits)
		*hit = f->forward ? finds.low : finds.high;
	return finds.hits > 0;
}

/* --- the place of a hit -------------------------------------------------------------------------------------------- */

/* The start of the part of the run that holds the hit, and the hits before it. False: it is outside of the run. */
static bool known_by_parts(const struct event_count *c, event_rank_key hit, struct event_rank_known *out)
{
	*out = (struct event_rank_known){0};
	if (c->outside || hit < tick_begin(c, 0))
		return false;
	for (size_t i = 0; i < COUNT_TICKS && tick_begin(c, i) <= hit; i++) {
		out->at = tick_begin(c, i) - 1;
		if (i + 1 < COUNT_TICKS && tick_begin(c, i + 1) <= hit)
			out->hits += c->ticks[i];
	}
	return true;
}

static event_rank_key distance(event_rank_key a, event_rank_key b) { return a > b ? a - b : b - a; }

void event_place_begin(struct event_place *p, const struct event_rank_known *known, size_t n,
	const struct event_count *counted, const struct evl_log *log, const struct event_rank *order,
	event_rank_key hit)
{
	struct event_rank_known part;
	*p = (struct event_place){.hit = hit};
	for (size_t i = 0; i < n; i++)
		if (distance(known[i].at, hit) < distance(p->from.at, hit))
			p->from = known[i];
	if (counted && known_by_parts(counted, hit, &part) && distance(part.at, hit) < distance(p->from.at, hit))
		p->from = part;
	bool on = hit > p->from.at;
	event_find_begin(&p->find, log, order, on ? p->from.at : hit, true);
	p->find.at = (on ? p->from.at : hit) + (on && p->from.at == 0 ? 0 : 1);
	p->find.end = (on ? hit : p->from.at) + 1;
}

int event_place_more(struct event_place *p, struct event_crew *crew, const atomic_bool *stop, uint64_t *out)
{
	struct event_find *f = &p->find;
	struct finds finds;
	event_rank_key from, to;
	if (f->at < f->end) {
		if (!plan_find(f, crew, &from, &to))
			return -1;
		if (sweep(crew, from, to, stop, &finds) < crew->n_tasks)
			return 0; /* stopped: again from here */
		p->between += finds.hits;
		f->at = to;
		f->width = f->width > ORDER_END / 2 ? ORDER_END : 2 * f->width;
	}
	*out = p->hit > p->from.at ? p->from.hits + p->between : p->from.hits - p->between;
	return f->at >= f->end;
}
