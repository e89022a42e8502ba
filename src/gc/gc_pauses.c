#include "gc/gc_pauses.h"

#include "base/gallop.h"
#include "base/minheap.h"
#include "sys/worker.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 14 }; /* rows between looks at whether to go on */

/* The rows of one leader that are not in the union yet: the next, and when its pause begins. */
struct leader {
	const struct rows *rows;
	size_t i, n;
	const struct gc_row *next;
	uint64_t from;
	bool elapsed; /* without syncs */
};

/* Leaders as a binary heap: the one whose next pause begins first is on top. */
struct leaders {
	struct leader *items;
	size_t n, rows;
};

static void look_ahead(struct leader *l)
{
	l->next = rows_at(l->rows, l->i);
	l->from = l->elapsed ? l->next->start : gc_requested(l->next);
}

static bool is_sooner(struct leader a, struct leader b) { return a.from < b.from; }

/* The rows of one chain whose pauses may touch [from, to): one that starts after it may have been requested within
 * it. */
static struct leader leader_of(const struct gc_table *t, uint64_t from, uint64_t to)
{
	size_t n = rows_count(&t->rows), offset = offsetof(struct gc_row, start);
	size_t first = rows_first_at(&t->rows, n, offset, from), last = rows_first_at(&t->rows, n, offset, to);
	return (struct leader){.rows = &t->rows, .i = first - (first > 0), .n = last + (last < n)};
}

/* Room for the leaders of all chains. */
static bool make_leaders(struct leaders *h, const struct gcs *g)
{
	*h = (struct leaders){.items = calloc(g->n ? g->n : 1, sizeof *h->items)};
	return h->items;
}

static void find_leaders(struct leaders *h, const struct gcs *g, uint64_t from, uint64_t to, bool elapsed)
{
	h->n = h->rows = 0;
	for (size_t c = 0; c < g->n; c++) {
		if (rows_count(&g->tables[c].rows) == 0)
			continue;
		struct leader l = leader_of(&g->tables[c], from, to);
		h->rows += l.n - l.i;
		if (l.i == l.n)
			continue;
		l.elapsed = elapsed;
		look_ahead(&l);
		h->items[h->n++] = l;
	}
	MINHEAP_MAKE(h->items, h->n, is_sooner);
}

/* On to the next row of the leader on top. */
static void step(struct leaders *h)
{
	struct leader *l = &h->items[0];
	if (++l->i < l->n)
		look_ahead(l);
	else
		*l = h->items[--h->n];
	MINHEAP_SIFT(h->items, h->n, 0, is_sooner);
}

/* --- the union, pause by pause --- */

struct walk {
	struct leaders leaders;
	uint64_t from, to;
	struct pause open; /* the next, as far as it is known; to 0: there is none */
	uint64_t ns;       /* of those before it */
	const struct gc_range *range;
	const struct progress *watch; /* NULL: it cannot be cancelled */
	size_t rows;                  /* that were looked at */
	bool cancelled;
};

/* Begin anew at a time; before: what is counted then. The leaders have room. */
static void walk_begin(struct walk *w, const struct gc_range *range, uint64_t from, uint64_t before, bool elapsed)
{
	w->from = from;
	w->to = range->to;
	w->open = (struct pause){0};
	w->ns = before;
	w->range = range;
	find_leaders(&w->leaders, range->gcs, from, range->to, elapsed);
}

/* Is t in the range's sorted times? */
static bool is_skipped(const struct gc_range *r, uint64_t t)
{
	BISECT(low, r->n_skip, r->skip[mid] < t);
	return low < r->n_skip && r->skip[low] == t;
}

static void walk_tell(struct walk *w, struct pause *out)
{
	*out = w->open;
	out->before = w->ns;
	w->ns += out->to - out->from;
}

/* Return false after the last pause, and once it is cancelled. */
static bool walk_next(struct walk *w, struct pause *out)
{
	struct leaders *h = &w->leaders;
	while (h->n > 0) {
		if (++w->rows % CHECK_EVERY == 0 && w->watch && progress_cancelled(w->watch)) {
			w->cancelled = true;
			return false;
		}
		const struct gc_row *row = h->items[0].next;
		uint64_t from = max_u64(h->items[0].from, w->from), to = min_u64(gc_end(row), w->to);
		bool more = w->open.to > 0;
		step(h);
		if (from >= to || to <= w->open.to || (w->range->n_skip && is_skipped(w->range, row->start)))
			continue;
		if (more && from <= w->open.to) {
			w->open.to = to;
			continue;
		}
		assert(!more || from > w->open.to); /* they are disjoint and in order, so they are found by bisection */
		if (more)
			walk_tell(w, out);
		w->open = (struct pause){.from = from, .to = to};
		if (more)
			return true;
	}
	if (w->open.to == 0)
		return false;
	walk_tell(w, out);
	w->open.to = 0;
	return true;
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
	*p->reader = (struct pause_reader){none, s};
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
	for (slot->n = 0; slot->n < n && walk_next(&s->walk, &slot->items[slot->n]);)
		slot->n++;
	slot->items[slot->n] = (struct pause){.from = last ? UINT64_MAX : p->marks[k + 1].from};
	s->follows = k + 1;
	return slot;
}

/* Write down when groups begin. They are larger where many chains lead, each of which is looked at for a group. */
static int make_marks(struct gc_pauses *p, struct walk *w)
{
	struct pause pause;
	for (p->group = GROUP; p->group < w->leaders.n;)
		p->group *= 2;
	p->marks = calloc(w->leaders.rows / p->group + 1, sizeof *p->marks);
	for (; p->marks && walk_next(w, &pause); p->n++)
		if (p->n % p->group == 0)
			p->marks[p->n / p->group] = (struct pause_mark){pause.from, pause.before};
	if (w->cancelled)
		return EVL_CANCELLED;
	p->first = p->n ? p->marks[0].from : UINT64_MAX;
	return p->marks ? 0 : EVL_NOMEM;
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
	free(w.leaders.items);
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
	if (p->reader)
		free_all(p->reader->slots->walk.leaders.items, p->reader->slots->bytes, p->reader->slots);
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

/* The last pause that begins at t or before, which there is. */
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
	size_t number;
	const struct pause *x = p->reader->now = last_from(p, t - 1, &number);
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

/* The pauses of a stretch of the range, and one after them at the end of time. */
struct stretch {
	struct pause *items;
	size_t n;
};

static int make_stretch(struct stretch *out, const struct gc_range *range)
{
	struct progress watch = {.cancel = range->cancel};
	struct walk w = {.watch = &watch};
	*out = (struct stretch){0};
	if (!make_leaders(&w.leaders, range->gcs))
		return EVL_NOMEM;
	walk_begin(&w, range, range->from, 0, false);
	out->items = calloc(w.leaders.rows + 1, sizeof *out->items);
	while (out->items && walk_next(&w, &out->items[out->n]))
		out->n++;
	free(w.leaders.items);
	if (!out->items)
		return EVL_NOMEM;
	if (w.cancelled) {
		free(out->items);
		return EVL_CANCELLED;
	}
	out->items[out->n] = (struct pause){.from = UINT64_MAX, .to = UINT64_MAX, .before = w.ns};
	return 0;
}

/* Time in pauses before t, which the pause is the first to end after. */
static inline uint64_t paused_before(const struct pause *p, uint64_t t) { return p->before + sub_or_0(t, p->from); }

/* The windows that start in a stretch, with the pauses from its start on. */
static void look_at(const struct stretch *p, uint64_t width, uint64_t last, struct worst *w)
{
	const struct pause *after = p->items; /* the first pause that ends after the window */
	for (size_t i = 0; i < p->n && p->items[i].from <= last; i++) {
		uint64_t t = p->items[i].from;
		while (after < p->items + p->n && after->to <= t + width)
			after++;
		note(w, paused_before(after, t + width) - p->items[i].before, t);
	}
}

/* The window that ends with the stretch. */
static void look_at_end(const struct stretch *p, uint64_t width, uint64_t end, struct worst *w)
{
	uint64_t paused = 0;
	for (size_t i = 0; i < p->n; i++)
		paused += sub_or_0(min_u64(p->items[i].to, end), max_u64(p->items[i].from, end - width));
	note(w, paused, end - width);
}

/* Work that is shared among workers: stretches of the range, the last of which is the longest window that ends with
 * it. */
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

/* A worst window starts with a pause, or ends with the range: one that starts between two pauses can be moved to the
 * next without loss, and one that starts within a pause can be moved to its start, which gains at least as much as
 * is lost at the window's end. */
static int look_at_stretch(const struct search *s, uint64_t stretch, struct worst *worst)
{
	const struct gc_range *r = s->range;
	bool at_end = stretch == s->n_stretches;
	uint64_t from = at_end ? r->to - s->longest : r->from + stretch * s->width;
	uint64_t room = r->to - from, last = from + min_u64(s->width, room) - 1;
	struct stretch p;
	struct gc_range stretch_of = *r;
	stretch_of.from = from;
	stretch_of.to = from + min_u64(room, s->width + s->longest);
	bool cancelled = r->cancel && atomic_load_explicit(r->cancel, memory_order_relaxed);
	int result = cancelled ? EVL_CANCELLED : make_stretch(&p, &stretch_of);
	if (result < 0)
		return result;
	for (int i = 0; i < s->n; i++) {
		if (fits(s, i) && at_end)
			look_at_end(&p, s->windows[i], r->to, &worst[i]);
		else if (fits(s, i))
			look_at(&p, s->windows[i], min_u64(last, r->to - s->windows[i]), &worst[i]);
	}
	free(p.items);
	return 0;
}

static void *search(void *arg)
{
	struct search *s = arg;
	struct worst worst[MMU_MOST] = {0};
	int result = 0;
	for (int i = 0; i < s->n; i++)
		worst[i] = (struct worst){.at = UINT64_MAX};
	for (uint64_t k; result == 0 && (k = atomic_fetch_add(&s->next, 1)) <= s->n_stretches;)
		result = look_at_stretch(s, k, worst);
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
	enum { ROWS_A_STRETCH = 1 << 16 };
	uint64_t length = range->to - range->from, rows = gc_range_rows(range);
	struct search s = {.range = range, .windows = windows, .n = n};
	for (int i = 0; i < n; i++) {
		out[i] = (struct mmu){.window = windows[i], .share = (double)NAN};
		s.worst[i] = (struct worst){.at = UINT64_MAX};
		s.longest = windows[i] <= length ? max_u64(s.longest, windows[i]) : s.longest;
	}
	if (s.longest == 0)
		return 0;
	s.width = max_u64(length / (rows / ROWS_A_STRETCH + 1) + 1, s.longest);
	s.n_stretches = (length + s.width - 1) / s.width;
	pthread_mutex_init(&s.lock, NULL);
	workers_share((int)min_u64((uint64_t)gc_scan_workers(range), s.n_stretches), search, &s);
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
