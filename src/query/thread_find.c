#include "query/thread_find.h"

#include "base/gallop.h"

#include <stdlib.h>

/* A wake-up may come after the run that it caused: clocks of two capabilities differ. */
/* --- tiles of all chains in time order --- */

/* The chains that hold events, each at a tile: [0, n) of them are not at their end. */
struct sweep {
	const struct evl_log *log;
	struct lane_at {
		uint32_t chain;
		size_t tile, ready;
	} * at;
	size_t n;
};

static bool sweep_begin(struct sweep *s, const struct evl_log *log, uint64_t t)
{
	*s = (struct sweep){.log = log, .at = oom_note(calloc(log->n_caps ? log->n_caps : 1, sizeof *s->at))};
	for (size_t i = 0; s->at && i < log->n_caps; i++) {
		const struct tile_table *table = &log->tiles[log->cap_chains[i]];
		size_t ready = load_acquire(&table->ready);
		if (ready)
			s->at[s->n++] = (struct lane_at){log->cap_chains[i], tiles_before(table, ready, t), ready};
	}
	return s->at;
}

static void sweep_drop(struct sweep *s, size_t i) { s->at[i] = s->at[--s->n]; }

/* Go to the next or the former tile whose filter has one of the bits of mask (0: to the very next). */
static void sweep_on(struct sweep *s, size_t i, uint64_t mask)
{
	struct lane_at *at = &s->at[i];
	const struct tile_want want = {.filter = mask};
	at->tile = tiles_next(&s->log->tiles[at->chain], at->ready, at->tile + 1, at->ready, &want);
	if (at->tile == at->ready)
		sweep_drop(s, i);
}

static void sweep_back(struct sweep *s, size_t i, uint64_t mask)
{
	struct lane_at *at = &s->at[i];
	const struct tile_want want = {.filter = mask};
	size_t former = tiles_prev(&s->log->tiles[at->chain], at->ready, 0, at->tile, &want);
	if (former == at->tile)
		sweep_drop(s, i);
	else
		at->tile = former;
}

static const struct tile *tile_of(const struct sweep *s, size_t i)
{
	return &s->log->tiles[s->at[i].chain].tiles[s->at[i].tile];
}

/* No event of the tile is later: where the next begins. */
static uint64_t tile_end(const struct sweep *s, size_t i)
{
	return s->at[i].tile + 1 < s->at[i].ready ? tile_of(s, i)[1].t : UINT64_MAX;
}

/* The events of a tile, one after another. */
struct tile_events {
	struct cursor cursor;
	uint64_t end; /* file offset */
	uint32_t tags;
	uint16_t cap;
};

static void tile_open(struct tile_events *e, const struct sweep *s, size_t i)
{
	const struct evl_log *log = s->log;
	const struct chain *chain = &log->blocks.chains[s->at[i].chain];
	const struct tile *tile = tile_of(s, i);
	e->cap = chain->cap;
	e->tags = thread_tags_read(&log->header);
	e->end = s->at[i].tile + 1 < s->at[i].ready ? tile[1].off : UINT64_MAX;
	cursor_begin(&e->cursor, &log->blocks, chain, load_acquire(&log->tiles[s->at[i].chain].walked));
	cursor_seek(&e->cursor, tile->off);
}

static bool tile_next(struct tile_events *e, struct thread_event *out)
{
	const struct block *block;
	struct frame f;
	if (!cursor_next_of(&e->cursor, e->tags, e->end, &f, &block) || f.off >= e->end)
		return false;
	thread_event_decode(e->cursor.blocks->header, e->cap, &f, out);
	return true;
}

/* Return false if the search must be cancelled. */
static bool spend(struct thread_budget *b)
{
	if (b->tiles == 0 || is_cancelled(b->cancel))
		b->spent = true;
	else
		b->tiles--;
	return !b->spent;
}

static bool runs_or_stops(const struct thread_event *e)
{
	return e->tag == EVL_RUN_THREAD || e->tag == EVL_STOP_THREAD;
}

/* --- backwards --- */

static struct thread_last *find_last(struct thread_last *items, size_t n, uint32_t thread)
{
	BISECT(low, n, items[mid].thread < thread);
	return low < n && items[low].thread == thread ? &items[low] : NULL;
}

static void note_last(struct tile_events *e, uint64_t t, struct thread_last *items, size_t n)
{
	struct thread_event event;
	while (tile_next(e, &event)) {
		bool counts = event.t < t && runs_or_stops(&event);
		struct thread_last *item = counts ? find_last(items, n, event.thread) : NULL;
		if (!item || (item->found && item->event.t > event.t))
			continue;
		item->found = true;
		item->event = event;
	}
}

static uint64_t born(const struct evl_log *log, uint32_t thread)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	return row ? row->born : 0;
}

/* Is there anything to look for before time t? If so *mask says in which tiles. */
static bool wanted_before(
	const struct evl_log *log, uint64_t t, const struct thread_last *items, size_t n, uint64_t *mask)
{
	*mask = 0;
	for (size_t i = 0; i < n; i++)
		if (items[i].found ? items[i].event.t < t : born(log, items[i].thread) < t)
			*mask |= 1ull << (items[i].thread & 63);
	return *mask != 0;
}

static size_t latest(const struct sweep *s)
{
	size_t best = 0;
	for (size_t i = 1; i < s->n; i++)
		if (tile_end(s, i) > tile_end(s, best))
			best = i;
	return best;
}

void threads_last_before(
	const struct evl_log *log, uint64_t t, struct thread_last *items, size_t n, struct thread_budget *budget)
{
	struct sweep s;
	uint64_t mask, asked_at = UINT64_MAX;
	for (size_t i = 0; i < n; i++)
		items[i].found = false;
	if (!sweep_begin(&s, log, t))
		return;
	bool wanted = wanted_before(log, t, items, n, &mask);
	while (s.n && wanted) {
		size_t i = latest(&s);
		if (tile_of(&s, i)->filter & mask) {
			struct tile_events e;
			if (!spend(budget))
				break;
			tile_open(&e, &s, i);
			note_last(&e, t, items, n);
			asked_at = UINT64_MAX;
		}
		uint64_t end = min_u64(tile_end(&s, i), t);
		if (end < asked_at) /* what was found in other chains, and births, end the search one by one */
			wanted = wanted_before(log, asked_at = end, items, n, &mask);
		sweep_back(&s, i, mask);
	}
	free(s.at);
}

bool thread_prev_run(
	const struct evl_log *log, uint32_t thread, uint64_t t, struct thread_budget *budget, struct thread_event *out)
{
	struct thread_last last = {.thread = thread};
	do {
		threads_last_before(log, t, &last, 1, budget);
		t = last.event.t;
		*out = last.event;
	} while (last.found && out->tag != EVL_RUN_THREAD);
	return last.found;
}

/* --- forwards --- */

static size_t earliest(const struct sweep *s)
{
	size_t best = 0;
	for (size_t i = 1; i < s->n; i++)
		if (tile_of(s, i)->t < tile_of(s, best)->t)
			best = i;
	return best;
}

typedef bool event_test(const struct thread_event *e);

/* The first event of the thread in [from, to] that passes the test, in tiles whose filter has one of the bits of mask
 * (0: in all). */
static bool search(const struct evl_log *log, uint32_t thread, uint64_t from, uint64_t to, uint64_t mask,
	event_test *test, struct thread_budget *budget, struct thread_event *out)
{
	struct sweep s;
	struct tile_events events;
	struct thread_event e;
	bool found = false;
	if (!sweep_begin(&s, log, from))
		return false;
	while (s.n) {
		size_t i = earliest(&s);
		if (tile_of(&s, i)->t > (found ? out->t : to))
			break;
		if (!mask || (tile_of(&s, i)->filter & mask)) {
			if (!spend(budget))
				break;
			for (tile_open(&events, &s, i); tile_next(&events, &e);) {
				if (e.thread != thread || e.t < from || e.t > to || !test(&e)
					|| (found && e.t >= out->t))
					continue;
				*out = e;
				found = true;
			}
		}
		sweep_on(&s, i, mask);
	}
	free(s.at);
	return found && !budget->spent;
}

static bool runs(const struct thread_event *e) { return e->tag == EVL_RUN_THREAD; }

static bool wakes(const struct thread_event *e) { return e->tag == EVL_THREAD_WAKEUP || e->tag == EVL_THREAD_RUNNABLE; }

/* To a thread of another capability, which posts a copy when the wake-up is delivered; that copy. */
static bool sends_wake(const struct thread_event *e) { return wakes(e) && e->cap != e->to_cap; }
static bool hears_wake(const struct thread_event *e) { return wakes(e) && e->cap == e->to_cap; }

bool thread_next(const struct evl_log *log, uint32_t thread, uint64_t t, bool runs_only, struct thread_budget *budget,
	struct thread_event *out)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	uint64_t end = row && row->died ? row->died : UINT64_MAX;
	uint64_t mask = 1ull << (thread & 63);
	return t < end && search(log, thread, t + 1, end, mask, runs_only ? runs : runs_or_stops, budget, out);
}

bool cap_next_run(
	const struct evl_log *log, uint32_t chain, uint64_t t, struct thread_budget *budget, struct thread_event *out)
{
	const struct tile_table *table = &log->tiles[chain];
	size_t ready = load_acquire(&table->ready);
	struct lane_at at = {chain, ready ? tiles_before(table, ready, t) : 0, ready};
	struct sweep s = {.log = log, .at = &at, .n = ready > 0};
	struct tile_events events;
	for (; s.n; sweep_on(&s, 0, UINT64_MAX)) {
		if (tile_of(&s, 0)->filter == 0)
			continue;
		if (!spend(budget))
			return false;
		for (tile_open(&events, &s, 0); tile_next(&events, out);)
			if (out->tag == EVL_RUN_THREAD && out->t > t)
				return true;
	}
	return false;
}

/* --- moments --- */

/* The thread that ran where an event was posted. */
static uint32_t poster(const struct evl_log *log, const struct thread_event *e)
{
	struct cap_moment now;
	uint32_t chain = e->cap == EVL_NO_CAP ? 0 : log->blocks.chain_of[e->cap];
	if (chain-- == 0)
		return 0;
	caps_at(&log->blocks, &log->tiles[chain], chain, e->t, &now);
	return now.known && now.state == CAP_RUN && now.thread != e->thread ? now.thread : 0;
}

/* How long the wake-up of a thread that runs elsewhere was on its way: it is posted again where it arrives. */
static uint64_t delivery_of(
	const struct evl_log *log, const struct thread_event *wake, uint64_t to, struct thread_budget *budget)
{
	struct thread_event again;
	event_test *elsewhere = wake->cap == wake->to_cap ? sends_wake : hears_wake;
	return search(log, wake->thread, wake->t, to, 0, elsewhere, budget, &again) ? again.t - wake->t : UINT64_MAX;
}

/* A thread that is blocked: when it is woken, and what it is at t. */
static void split_wait(
	const struct evl_log *log, uint32_t thread, uint64_t t, struct thread_budget budget, struct thread_moment *m)
{
	m->woken = search(log, thread, m->pos.since, m->ran, 0, wakes, &budget, &m->wake);
	m->unsure = budget.spent;
	if (!m->woken)
		return;
	uint64_t woken = m->wake.t;
	if (m->ran != UINT64_MAX) /* else there is no end to the search */
		m->delivery = delivery_of(log, &m->wake, m->ran, &budget);
	m->waker = poster(log, &m->wake);
	if (t < woken) {
		m->until = woken;
	} else {
		m->pos.state = THREAD_RUNNABLE;
		m->pos.since = woken;
	}
}

/* A thread that runs where the log is truncated: until then; unknown from there on. */
static void cut_run(const struct evl_log *log, uint64_t t, struct thread_moment *m)
{
	uint32_t chain = m->pos.cap == EVL_NO_CAP ? 0 : log->blocks.chain_of[m->pos.cap];
	uint64_t lost = chain ? load_acquire(&log->tiles[chain - 1].lost_t) : 0;
	if (lost && t < lost)
		m->until = lost;
	else if (lost)
		m->pos = (struct thread_pos){lost, m->pos.cap, THREAD_UNKNOWN, STOP_NONE};
}

void thread_look(const struct evl_log *log, uint32_t thread, uint64_t t, const struct thread_budget *each,
	struct thread_moment *out)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	struct thread_budget budget = *each, ahead = *each;
	struct thread_last last = {.thread = thread};
	struct thread_event next;
	*out = (struct thread_moment){.until = UINT64_MAX, .ran = UINT64_MAX, .delivery = UINT64_MAX};
	threads_last_before(log, t + 1, &last, 1, &budget);
	if (last.found)
		thread_step(&out->pos, &last.event);
	else if (row && row->born && row->born <= t)
		out->pos = (struct thread_pos){row->born, EVL_NO_CAP, THREAD_RUNNABLE, STOP_NONE};
	else if (row && !row->born) /* it was there before the log, or before its part that is not lost */
		out->pos.state = THREAD_UNKNOWN;
	bool more = thread_next(log, thread, t, false, &ahead, &next);
	out->known = !budget.spent && !ahead.spent;
	if (more) {
		out->until = next.t;
		out->ends_by = next.stop;
		out->ran = next.tag == EVL_RUN_THREAD ? next.t : UINT64_MAX;
	}
	if (out->pos.state == THREAD_RUNNING && !more)
		cut_run(log, t, out);
	if (out->pos.state == THREAD_BLOCKED)
		split_wait(log, thread, t, *each, out);
	if (out->pos.state == THREAD_BLOCKED && out->pos.stop == STOP_BLACK_HOLE)
		out->owner = last.event.info;
	if (out->pos.state == THREAD_ABSENT && row && t < row->born)
		out->until = row->born;
}

void thread_at(const struct evl_log *log, uint32_t thread, uint64_t t, size_t tiles, struct thread_moment *out)
{
	thread_look(log, thread, t, &(struct thread_budget){.tiles = tiles}, out);
}

/* The thread's state before it ran. Yields and foreign calls have no waker. */
static bool came_by_itself(const struct thread_moment *before)
{
	return before->pos.state == THREAD_RUNNABLE || before->pos.state == THREAD_FOREIGN;
}

enum wake_result thread_woken_by(
	const struct evl_log *log, uint32_t thread, uint64_t t, size_t tiles, struct wake_up *out)
{
	enum { RUNS_BACK = 1000 };
	struct thread_moment now;
	struct thread_budget budget = {.tiles = tiles};
	struct thread_event run = {.t = t + 1};
	*out = (struct wake_up){0};
	thread_at(log, thread, t, tiles, &now);
	for (int i = 0; !now.woken; i++) {
		out->foreign_calls += now.pos.state == THREAD_FOREIGN;
		if (i > 0 && now.known && !now.unsure && !came_by_itself(&now))
			return WAKE_NONE;
		if (!now.known || (i > 0 && now.unsure) || i == RUNS_BACK)
			return WAKE_GIVEN_UP;
		if (!thread_prev_run(log, thread, run.t, &budget, &run) || run.t == 0)
			return budget.spent ? WAKE_GIVEN_UP : WAKE_NONE;
		thread_at(log, thread, run.t - 1, tiles, &now);
	}
	out->event = now.wake;
	out->waker = now.waker;
	return WAKE_FOUND;
}
