#include "gc/gc_pauses.h"

#include "base/gallop.h"
#include "base/minheap.h"
#include "sys/worker.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 14 }; /* rows between looks at whether to go on */

/* The rows of one leader that are not in the union yet: the next, the number that follow in the same chunk, it included, and
 * of all. */
struct leader {
	const struct rows *rows;
	const struct gc_row *next;
	size_t beside, left;
	size_t i; /* the first row of the next chunk */
};

/* Leaders, and a binary heap of them: the one whose next pause begins first is on top. */
struct leaders {
	struct leader *items;
	struct leader_next {
		uint64_t from;
		struct leader *leader;
	} * heap;
	size_t n, rows;
	bool elapsed; /* without syncs */
};

/* Go on to the next chunk. */
static void enter_rows(struct leader *l)
{
	l->next = rows_at(l->rows, l->i);
	l->beside = rows_beside(l->i);
	l->i += l->beside;
}

static struct leader_next next_of(const struct leaders *h, struct leader *l)
{
	return (struct leader_next){h->elapsed ? l->next->start : gc_requested(l->next), l};
}

/* Of equals the first chain's comes first. */
static bool is_sooner(struct leader_next a, struct leader_next b)
{
	return a.from != b.from ? a.from < b.from : a.leader < b.leader;
}

/* The rows of one chain whose pauses may touch [from, to): one that starts after it may have been requested within
 * it. */
static struct leader leader_of(const struct gc_table *t, uint64_t from, uint64_t to)
{
	size_t n = rows_count(&t->rows), offset = offsetof(struct gc_row, start);
	size_t first = rows_first_at(&t->rows, n, offset, from), last = rows_first_at(&t->rows, n, offset, to);
	first -= first > 0;
	return (struct leader){.rows = &t->rows, .i = first, .left = last + (last < n) - first};
}

/* Room for the leaders of all chains. */
static bool make_leaders(struct leaders *h, const struct gcs *g)
{
	*h = (struct leaders){
		.items = calloc(g->n ? g->n : 1, sizeof *h->items), .heap = calloc(g->n ? g->n : 1, sizeof *h->heap)};
	return h->items && h->heap;
}

static void free_leaders(struct leaders *h) { free_all(h->items, h->heap); }

static void find_leaders(struct leaders *h, const struct gcs *g, uint64_t from, uint64_t to, bool elapsed)
{
	h->n = h->rows = 0;
	h->elapsed = elapsed;
	for (size_t c = 0; c < g->n; c++) {
		if (rows_count(&g->tables[c].rows) == 0)
			continue;
		struct leader l = leader_of(&g->tables[c], from, to);
		h->rows += l.left;
		if (l.left == 0)
			continue;
		enter_rows(&l);
		h->items[h->n] = l;
		h->heap[h->n] = next_of(h, &h->items[h->n]);
		h->n++;
	}
	MINHEAP_MAKE(h->heap, h->n, is_sooner);
}

/* Go on to the next row of the leader on top, which may not be the first then. */
static inline void next_row(struct leaders *h, struct leader *l)
{
	l->next++;
	if (--l->left == 0)
		return;
	if (--l->beside == 0)
		enter_rows(l);
	h->heap[0] = next_of(h, l);
}

/* Put the leader on top where its next row comes; remove one that has none. */
static inline void settle_top(struct leaders *h)
{
	if (h->heap[0].leader->left == 0)
		h->heap[0] = h->heap[--h->n];
	MINHEAP_SIFT(h->heap, h->n, 0, is_sooner);
}

static void step(struct leaders *h)
{
	next_row(h, h->heap[0].leader);
	settle_top(h);
}

const struct gc_row **gcs_list(const struct gcs *g, uint64_t from, uint64_t to, size_t *n)
{
	const struct gc_row *before = gcs_at(g, from), **out = NULL;
	uint64_t least = before ? before->start : from + 1;
	struct leaders h;
	*n = 0;
	if (make_leaders(&h, g)) {
		find_leaders(&h, g, from, to, true);
		out = malloc((h.rows ? h.rows : 1) * sizeof *out);
	}
	for (; out && h.n > 0; step(&h)) {
		const struct gc_row *row = h.heap[0].leader->next;
		if (row->start < least)
			continue;
		if (gc_requested(row) >= to)
			break;
		out[(*n)++] = row;
		least = row->start + 1;
	}
	free_leaders(&h);
	return out;
}

/* --- the union, pause by pause --- */

struct walk {
	struct leaders leaders;
	uint64_t from, to;
	struct pause open; /* the next, as far as it is known; to 0: there is none, but `before` is known */
	const struct gc_range *range;
	const struct progress *watch; /* NULL: it cannot be cancelled */
	size_t rows;                  /* that were looked at */
	bool cancelled;
};

/* Start again at a time; before: the sum up to it. The leaders have room. */
static void walk_begin(struct walk *w, const struct gc_range *range, uint64_t from, uint64_t before, bool elapsed)
{
	w->from = from;
	w->to = range->to;
	w->open = (struct pause){.before = before};
	w->range = range;
	find_leaders(&w->leaders, range->gcs, from, range->to, elapsed);
}

/* The one after that on top. */
static struct leader_next second_of(const struct leaders *h)
{
	if (h->n < 2)
		return (struct leader_next){UINT64_MAX, NULL};
	return h->heap[h->n > 2 && is_sooner(h->heap[2], h->heap[1]) ? 2 : 1];
}

/* Write up to `room` of the next pauses. Return their number, which is less after the last of all, and once it is cancelled.
 * A leader's rows are taken as long as they come before those of all others. */
static size_t walk_some(struct walk *w, struct pause *out, size_t room)
{
	struct leaders *h = &w->leaders;
	struct pause open = w->open;
	const bool skips = w->range->n_skip;
	size_t n = 0;
	while (h->n > 0 && n < room && !w->cancelled) {
		const struct leader_next second = second_of(h);
		struct leader *l = h->heap[0].leader;
		do {
			const struct gc_row *row = l->next;
			uint64_t from = max_u64(h->heap[0].from, w->from), to = min_u64(gc_end(row), w->to);
			if (++w->rows % CHECK_EVERY == 0 && w->watch && progress_cancelled(w->watch)) {
				w->cancelled = true;
				break;
			}
			next_row(h, l);
			if (from >= to || to <= open.to || (skips && gc_range_skips(w->range, row->start)))
				continue;
			if (open.to > 0 && from <= open.to) {
				open.to = to;
				continue;
			}
			assert(from > open.to || open.to == 0); /* disjoint and in order: found by bisection */
			if (open.to > 0)
				out[n++] = open;
			open = (struct pause){from, to, open.before + open.to - open.from};
		} while (l->left > 0 && n < room && (!second.leader || is_sooner(h->heap[0], second)));
		settle_top(h);
	}
	if (n < room && open.to > 0 && !w->cancelled) {
		out[n++] = open;
		open = (struct pause){0, 0, open.before + open.to - open.from};
	}
	w->open = open;
	return n;
}

/* --- groups of pauses --- */

enum { GROUP = 64, SLOTS = 1024 };

/* The pauses of a group, and one more: when the next begins. */
struct pause_slot {
	size_t number; /* of the group, + 1; 0: of none */
	size_t n;
	struct pause items[];
};

/* Group k is kept in slot k % n. */
struct pause_slots {
	struct walk walk;
	struct gc_range range;
	size_t follows; /* the walk comes to this group; SIZE_MAX: to none */
	size_t n, stride;
	uint8_t *bytes;
};

static struct pause_slot *slot_at(const struct pause_slots *s, size_t i)
{
	return (struct pause_slot *)(void *)(s->bytes + i * s->stride);
}

static size_t count_groups(const struct gc_pauses *p) { return (p->n + p->group - 1) / p->group; }

static bool make_reader(struct gc_pauses *p)
{
	static const struct pause none[2] = {{.from = UINT64_MAX}, {0}};
	struct pause_slots *s = calloc(1, sizeof *s);
	p->reader = calloc(1, sizeof *p->reader);
	if (!s || !p->reader) {
		free_all(s, p->reader);
		p->reader = NULL;
		return false;
	}
	p->reader->now = none;
	p->reader->slots = s;
	s->n = min_u64(count_groups(p), SLOTS);
	s->stride = sizeof(struct pause_slot) + (p->group + 1) * sizeof(struct pause);
	s->range = (struct gc_range){.gcs = p->gcs, .from = p->from, .to = p->to};
	s->follows = SIZE_MAX;
	s->bytes = calloc(s->n ? s->n : 1, s->stride); /* of which only what is used gets memory */
	return s->bytes && make_leaders(&s->walk.leaders, p->gcs);
}

/* Find the pauses of a group again. */
static const struct pause_slot *have_group(const struct gc_pauses *p, size_t k)
{
	struct pause_slots *s = p->reader->slots;
	struct pause_slot *slot = slot_at(s, k % s->n);
	bool last = k + 1 == count_groups(p);
	if (slot->number == k + 1)
		return slot;
	if (s->follows != k)
		walk_begin(&s->walk, &s->range, p->marks[k].from, p->marks[k].before, p->elapsed);
	size_t n = last ? p->n - k * p->group : p->group;
	slot->number = k + 1;
	slot->n = walk_some(&s->walk, slot->items, n);
	slot->items[slot->n] = (struct pause){.from = last ? UINT64_MAX : p->marks[k + 1].from};
	s->follows = k + 1;
	return slot;
}

/* Write down when groups begin. They are larger where many chains lead, each of which is looked at for a group. */
static int make_marks(struct gc_pauses *p, struct walk *w)
{
	struct pause pauses[GROUP];
	for (p->group = GROUP; p->group < w->leaders.n;)
		p->group *= 2;
	p->marks = calloc(w->leaders.rows / p->group + 1, sizeof *p->marks);
	if (!p->marks)
		return EVL_NOMEM;
	for (size_t n; (n = walk_some(w, pauses, GROUP)) > 0; p->n += n)
		if (p->n % p->group == 0)
			p->marks[p->n / p->group] = (struct pause_mark){pauses[0].from, pauses[0].before};
	if (w->cancelled)
		return EVL_CANCELLED;
	p->first = p->n ? p->marks[0].from : UINT64_MAX;
	return 0;
}

static int make_union(struct gc_pauses *p, const struct gc_range *range, bool elapsed, const struct progress *watch)
{
	struct walk w = {.watch = watch};
	*p = (struct gc_pauses){.gcs = range->gcs, .elapsed = elapsed, .from = range->from, .to = range->to};
	int result = make_leaders(&w.leaders, range->gcs) ? 0 : EVL_NOMEM;
	if (result == 0) {
		walk_begin(&w, range, range->from, 0, elapsed);
		result = make_marks(p, &w);
	}
	free_leaders(&w.leaders);
	if (result == 0 && p->n && !make_reader(p))
		result = EVL_NOMEM;
	if (result < 0)
		gc_pauses_free(p);
	return result;
}

int gc_pauses_make(struct gc_pauses *p, const struct gcs *g, uint64_t from, uint64_t to, const struct progress *watch)
{
	return make_union(p, &(struct gc_range){.gcs = g, .from = from, .to = to}, false, watch);
}

int gc_elapsed_make(struct gc_pauses *p, const struct gcs *g, uint64_t from, uint64_t to, const struct progress *watch)
{
	return make_union(p, &(struct gc_range){.gcs = g, .from = from, .to = to}, true, watch);
}

int gc_pauses_borrow(struct gc_pauses *out, const struct gc_pauses *p)
{
	*out = *p;
	out->borrows = true;
	out->reader = NULL;
	if (p->n == 0 || make_reader(out))
		return 0;
	gc_pauses_free(out);
	return EVL_NOMEM;
}

void gc_pauses_free(struct gc_pauses *p)
{
	if (p->reader) {
		free_leaders(&p->reader->slots->walk.leaders);
		free_all(p->reader->slots->bytes, p->reader->slots);
	}
	free(p->reader);
	if (!p->borrows)
		free(p->marks);
	*p = (struct gc_pauses){0};
}

/* --- what they cover --- */

/* The group that t lies in, or lies after: some pause begins before t or at it. */
static size_t group_of(const struct gc_pauses *p, uint64_t t)
{
	size_t n = count_groups(p), next = p->reader->slots->follows;
	if (next < n && p->marks[next].from <= t && (next + 1 == n || p->marks[next + 1].from > t))
		return next;
	BISECT(low, n, p->marks[mid].from <= t);
	return low - 1;
}

/* Return the last pause that starts at t or before; there is one. */
static const struct pause *last_from(const struct gc_pauses *p, uint64_t t, size_t *number)
{
	size_t k = group_of(p, t);
	const struct pause_slot *slot = have_group(p, k);
	BISECT(low, slot->n, slot->items[mid].from <= t);
	*number = k * p->group + low - 1;
	return &slot->items[low - 1];
}

uint64_t gc_pauses_seek(const struct gc_pauses *p, uint64_t t)
{
	struct pause_reader *r = p->reader;
	size_t number;
	if (r->left > 0 && t > r->now[1].from && t <= r->now[2].from) {
		r->now++;
		r->left--;
	} else {
		r->now = last_from(p, t - 1, &number);
		r->left = slot_at(r->slots, number / p->group % r->slots->n)->n - number % p->group - 1;
	}
	const struct pause *x = r->now;
	return x->before + min_u64(t, x->to) - x->from;
}

size_t gc_pauses_after(const struct gc_pauses *p, uint64_t t)
{
	size_t number;
	if (p->n == 0 || t < p->first)
		return 0;
	return last_from(p, t, &number)->to > t ? number : number + 1;
}

struct pause gc_pauses_at(const struct gc_pauses *p, size_t i)
{
	return have_group(p, i / p->group)->items[i % p->group];
}

uint64_t gc_pauses_within(const struct gc_pauses *p, uint64_t t0, uint64_t t1)
{
	return t0 < t1 ? gc_pauses_before(p, t1) - gc_pauses_before(p, t0) : 0;
}

/* --- minimum mutator utilisation --- */

/* The worst window so far. */
struct worst {
	uint64_t paused, at;
};

static inline void note(struct worst *w, uint64_t paused, uint64_t at)
{
	if (paused > w->paused || (paused == w->paused && at < w->at))
		*w = (struct worst){paused, at};
}

/* Work that is shared among workers: stretches of the range, and the longest window that ends with it. */
struct search {
	const struct gc_range *range;
	const uint64_t *windows;
	int n;
	uint64_t longest; /* window that fits into the range */
	uint64_t width;   /* of a stretch */
	uint64_t n_stretches;
	_Atomic uint64_t next;
	_Atomic int result;
	pthread_mutex_t lock;
	struct worst worst[MMU_MOST];
};

static bool fits(const struct search *s, int i) { return s->windows[i] > 0 && s->windows[i] <= s->longest; }

/* A window that slides over the pauses of a stretch. */
struct slide {
	uint64_t width, last; /* it starts at `last` at the latest */
	size_t next,
		after; /* the pause that it starts with next; the first that ended after it when it was looked at last */
	struct worst *worst;
};

/* The pauses of a stretch that some window needs still: in front of `n`, one at the end of time. */
struct slides {
	struct pause *items;
	size_t n, room;
	struct slide windows[MMU_MOST];
	int n_windows;
};

/* Time in pauses before t, which the pause is the first to end after. */
static inline uint64_t paused_before(const struct pause *p, uint64_t t) { return p->before + sub_or_0(t, p->from); }

/* Return the first pause that ends after t, which is about at `guess`. */
static inline size_t first_after(const struct slides *s, size_t guess, uint64_t t)
{
	size_t i = min_u64(guess, s->n);
	while (i > 0 && s->items[i - 1].to > t)
		i--;
	while (s->items[i].to <= t)
		i++;
	return i;
}

/* Slide from pause to pause, before `end`. */
static void slide_by_one(const struct slides *s, struct slide *w, size_t end)
{
	const struct pause *after = &s->items[w->after];
	for (const struct pause *p = &s->items[w->next]; p < &s->items[end]; p++) {
		while (after->to <= p->from + w->width)
			after++;
		note(w->worst, paused_before(after, p->from + w->width) - p->before, p->from);
	}
	w->next = end;
	w->after = (size_t)(after - s->items);
}

/* Slide by rows of pauses, before `end`. No window that starts in a row has more of them than one from its first to the end
 * of that of its last: rows that cannot be worse than the worst are passed at once, the others in smaller rows. */
static void slide_by_rows(const struct slides *s, struct slide *w, size_t end, size_t row)
{
	enum { SHARE = 8 };
	while (w->next < end) {
		const struct pause *first = &s->items[w->next];
		size_t n = min_u64(row, end - w->next);
		uint64_t t = first[n - 1].from + w->width;
		size_t after = first_after(s, w->after + n, t);
		if (paused_before(&s->items[after], t) - first->before > w->worst->paused) {
			if (row > SHARE)
				slide_by_rows(s, w, w->next + n, row / SHARE);
			else
				slide_by_one(s, w, w->next + n);
		} else {
			w->next += n;
			w->after = after;
		}
	}
}

/* Slide all windows as far as the pauses are known, which are not all if there is more, and forget those that no window
 * needs. */
static void slide(struct slides *s, bool more)
{
	enum { ROW = 32 };
	size_t needed = s->n;
	for (int i = 0; i < s->n_windows; i++) {
		struct slide *w = &s->windows[i];
		uint64_t end = w->last, known = more ? s->items[s->n - 1].from : UINT64_MAX;
		if (known <= w->width)
			end = 0;
		else if (known - w->width <= end)
			end = known - w->width - 1;
		BISECT(low, s->n, s->items[mid].from <= end);
		slide_by_rows(s, w, low, ROW);
		needed = min_u64(needed, min_u64(w->next, w->after));
	}
	memmove(s->items, s->items + needed, (s->n - needed + 1) * sizeof *s->items);
	s->n -= needed;
	for (int i = 0; i < s->n_windows; i++) {
		s->windows[i].next -= needed;
		s->windows[i].after -= needed;
	}
}

/* Room for as many pauses again, and for the one at the end of time. */
static bool slides_room(struct slides *s)
{
	enum { FIRST = 1 << 12 };
	size_t room = s->room ? 2 * s->room : FIRST;
	if (s->n < s->room / 2)
		return true;
	struct pause *items = oom_note(realloc(s->items, room * sizeof *items));
	if (!items)
		return false;
	s->items = items;
	s->room = room;
	return true;
}

/* A worst window starts with a pause, or ends with the range: one that starts between two pauses can be moved to the
 * next without loss, and one that starts within a pause can be moved to its start, which gains at least as much as
 * is lost at the window's end. */
static int look_at_stretch(struct walk *walk, struct slides *slides)
{
	for (bool more = true; more;) {
		if (!slides_room(slides))
			return EVL_NOMEM;
		size_t room = slides->room - slides->n - 1, n = walk_some(walk, &slides->items[slides->n], room);
		slides->n += n;
		more = n == room;
		if (walk->cancelled)
			return EVL_CANCELLED;
		slides->items[slides->n] = (struct pause){UINT64_MAX, UINT64_MAX, walk->open.before};
		slide(slides, more);
	}
	return 0;
}

/* The windows that end with the range. */
static int look_at_end(const struct search *s, struct walk *walk, struct worst *worst)
{
	uint64_t paused[MMU_MOST] = {0}, end = s->range->to;
	struct pause some[GROUP];
	for (size_t n; (n = walk_some(walk, some, GROUP)) > 0;)
		for (int i = 0; i < s->n; i++)
			for (size_t k = 0; k < n && fits(s, i); k++)
				paused[i] +=
					sub_or_0(min_u64(some[k].to, end), max_u64(some[k].from, end - s->windows[i]));
	for (int i = 0; i < s->n; i++)
		if (fits(s, i))
			note(&worst[i], paused[i], end - s->windows[i]);
	return walk->cancelled ? EVL_CANCELLED : 0;
}

static int look_at_part(const struct search *s, uint64_t stretch, struct worst *worst)
{
	const struct gc_range *r = s->range;
	bool at_end = stretch == s->n_stretches;
	uint64_t from = at_end ? r->to - s->longest : r->from + stretch * s->width, room = r->to - from;
	struct gc_range part = *r;
	struct progress watch = {.cancel = r->cancel};
	struct walk walk = {.watch = &watch};
	struct slides slides = {0};
	part.from = from;
	part.to = from + min_u64(room, s->width + s->longest);
	if (is_cancelled(r->cancel))
		return EVL_CANCELLED;
	if (!make_leaders(&walk.leaders, r->gcs)) {
		free_leaders(&walk.leaders);
		return EVL_NOMEM;
	}
	walk_begin(&walk, &part, from, 0, false);
	for (int i = 0; i < s->n; i++)
		if (fits(s, i))
			slides.windows[slides.n_windows++] = (struct slide){.width = s->windows[i],
				.last = min_u64(from + min_u64(s->width, room) - 1, r->to - s->windows[i]),
				.worst = &worst[i]};
	int result = at_end ? look_at_end(s, &walk, worst) : look_at_stretch(&walk, &slides);
	free_leaders(&walk.leaders);
	free(slides.items);
	return result;
}

/* Stretches are taken in order: of windows that are as bad as the worst a later one does not count. */
static void *search(void *arg)
{
	struct search *s = arg;
	struct worst worst[MMU_MOST] = {0};
	int result = 0;
	for (int i = 0; i < s->n; i++)
		worst[i] = (struct worst){.at = UINT64_MAX};
	for (uint64_t k; result == 0 && (k = atomic_fetch_add(&s->next, 1)) <= s->n_stretches;)
		result = look_at_part(s, k, worst);
	if (result < 0)
		atomic_store(&s->result, result);
	pthread_mutex_lock(&s->lock);
	for (int i = 0; i < s->n; i++)
		note(&s->worst[i], worst[i].paused, worst[i].at);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

int gc_pauses_worst(const struct gc_range *range, const uint64_t *windows, int n, struct mmu *out)
{
	enum { LEAST_WINDOWS = 2 };
	uint64_t length = range->to - range->from, workers = (uint64_t)gc_scan_workers(range);
	struct search s = {.range = range, .windows = windows, .n = n};
	for (int i = 0; i < n; i++) {
		out[i] = (struct mmu){.window = windows[i], .share = (double)NAN};
		s.worst[i] = (struct worst){.at = UINT64_MAX};
		s.longest = windows[i] <= length ? max_u64(s.longest, windows[i]) : s.longest;
	}
	if (s.longest == 0)
		return 0;
	s.width = max_u64(length / workers + 1, min_u64(length, LEAST_WINDOWS * s.longest));
	s.n_stretches = (length + s.width - 1) / s.width;
	pthread_mutex_init(&s.lock, NULL);
	workers_share((int)min_u64(workers, s.n_stretches), search, &s);
	pthread_mutex_destroy(&s.lock);
	for (int i = 0; i < n; i++)
		if (fits(&s, i)) {
			out[i].share = 1 - (double)s.worst[i].paused / (double)windows[i];
			out[i].at = s.worst[i].at;
		}
	return atomic_load(&s.result);
}

/* --- by length --- */

static const struct pause_class classes[PAUSE_CLASSES] = {{100000, "< 100 µs"}, {300000, "100-300 µs"},
	{1000000, "0.3-1 ms"}, {3000000, "1-3 ms"}, {10000000, "3-10 ms"}, {30000000, "10-30 ms"},
	{100000000, "30-100 ms"}, {UINT64_MAX, "≥ 100 ms"}};

const struct pause_class *pause_class(int i) { return &classes[i]; }

int pause_class_of(uint64_t ns)
{
	int i = 0;
	while (i + 1 < PAUSE_CLASSES && ns >= classes[i].below)
		i++;
	return i;
}

static const struct pause_class heat[PAUSE_HEATS] = {
	{300000, "< 0.3 ms"}, {1000000, "0.3-1 ms"}, {10000000, "1-10 ms"}, {UINT64_MAX, "> 10 ms"}};

const char *pause_heat_name(int row) { return heat[row].name; }

static int heat_of(uint64_t ns)
{
	int i = 0;
	while (i + 1 < PAUSE_HEATS && ns >= heat[i].below)
		i++;
	return i;
}

/* The parts of a stretch of time, and the pauses in each. */
struct strip {
	uint64_t t0, t1;
	int n;
	uint32_t (*out)[PAUSE_HEATS];
};

static bool heat_up(void *ctx, const struct gc_row *r)
{
	struct strip *s = ctx;
	unsigned __int128 at = (unsigned __int128)sub_or_0(r->start, s->t0) * (unsigned)s->n / (s->t1 - s->t0);
	s->out[at][heat_of(gc_pause(r))]++;
	return true;
}

void pause_heat(const struct gcs *g, uint64_t t0, uint64_t t1, int n, uint32_t (*out)[PAUSE_HEATS])
{
	struct strip strip = {t0, t1, n, out};
	memset(out, 0, (size_t)n * sizeof *out);
	if (t0 < t1)
		gcs_each(g, t0, t1, heat_up, &strip);
}
