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

static bool find_leaders(struct leaders *h, const struct gcs *g, uint64_t from, uint64_t to, bool elapsed)
{
	*h = (struct leaders){.items = calloc(g->n ? g->n : 1, sizeof *h->items)};
	for (size_t c = 0; h->items && c < g->n; c++) {
		struct leader l = leader_of(&g->tables[c], from, to);
		h->rows += l.n - l.i;
		if (l.i == l.n)
			continue;
		l.elapsed = elapsed;
		look_ahead(&l);
		h->items[h->n++] = l;
	}
	if (h->items)
		MINHEAP_MAKE(h->items, h->n, is_sooner);
	return h->items;
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

/* All but the last pause are final: sum up those before it where a group starts with it. */
static void sum_up(struct gc_pauses *p)
{
	size_t first = p->n - 1;
	if (first % PAUSES_SUMMED == 0 && first)
		p->before[first / PAUSES_SUMMED] = gc_pauses_before(p, first - 1, p->items[first - 1].to);
}

/* Extend the union, which ends with its last item. */
static void extend(struct gc_pauses *p, uint64_t from, uint64_t to)
{
	struct pause *last = p->n ? &p->items[p->n - 1] : NULL;
	from = max_u64(from, p->from);
	to = min_u64(to, p->to);
	if (from >= to || (last && to <= last->to))
		return;
	if (last && from <= last->to) {
		last->to = to;
		return;
	}
	assert(!last || from > last->to); /* pauses are disjoint and in order, so they are found by bisection */
	p->items[p->n++] = (struct pause){from, to};
	sum_up(p);
}

/* Is t in the range's sorted times? */
static bool is_skipped(const struct gc_range *r, uint64_t t)
{
	BISECT(low, r->n_skip, r->skip[mid] < t);
	return low < r->n_skip && r->skip[low] == t;
}

/* The pauses that touch the range, without those to skip. */
static int make_union(struct gc_pauses *p, const struct gc_range *r, bool elapsed, const struct progress *watch)
{
	struct leaders h;
	*p = (struct gc_pauses){.from = r->from, .to = r->to};
	bool good = find_leaders(&h, r->gcs, r->from, r->to, elapsed);
	p->items = good ? calloc(h.rows ? h.rows : 1, sizeof *p->items) : NULL;
	p->before = good ? calloc(h.rows / PAUSES_SUMMED + 1, sizeof *p->before) : NULL;
	int result = p->items && p->before ? 0 : EVL_NOMEM;
	for (size_t i = 0; result == 0 && h.n > 0; i++) {
		if (r->n_skip == 0 || !is_skipped(r, h.items[0].next->start))
			extend(p, h.items[0].from, gc_end(h.items[0].next));
		step(&h);
		if (i % CHECK_EVERY == CHECK_EVERY - 1 && progress_cancelled(watch))
			result = EVL_CANCELLED;
	}
	free(h.items);
	if (result == 0 && p->n && p->n % PAUSES_SUMMED == 0)
		p->before[p->n / PAUSES_SUMMED] = gc_pauses_before(p, p->n - 1, p->items[p->n - 1].to);
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

int gc_elapsed_within(const struct gcs *g, uint64_t from, uint64_t to, uint64_t *ns)
{
	struct leaders h;
	uint64_t until = from;
	*ns = 0;
	if (!find_leaders(&h, g, from, to, true))
		return EVL_NOMEM;
	for (; h.n > 0; step(&h)) {
		uint64_t end = min_u64(gc_end(h.items[0].next), to);
		*ns += sub_or_0(end, max_u64(h.items[0].from, until));
		until = max_u64(until, end);
	}
	free(h.items);
	return 0;
}

void gc_pauses_free(struct gc_pauses *p)
{
	free(p->items);
	free(p->before);
	*p = (struct gc_pauses){0};
}

/* --- what they cover --- */

static size_t first_behind(const struct gc_pauses *p, uint64_t t)
{
	BISECT(low, p->n, p->items[mid].to <= t);
	return low;
}

uint64_t gc_pauses_within(const struct gc_pauses *p, uint64_t t0, uint64_t t1)
{
	return t0 < t1 ? gc_pauses_before(p, first_behind(p, t1), t1) - gc_pauses_before(p, first_behind(p, t0), t0)
		       : 0;
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

/* The windows of a width that start with a pause, up to `last`, with the pauses from the first of them on. */
static void look_at(const struct gc_pauses *p, uint64_t width, uint64_t last, struct worst *w)
{
	const struct pause *items = p->items;
	size_t next = 0;     /* the first pause that ends after the window */
	uint64_t within = 0; /* the length of those before it that the window holds */
	for (size_t i = 0; i < p->n && items[i].from <= last; i++) {
		uint64_t end = items[i].from + width;
		for (; next < p->n && items[next].to <= end; next++)
			within += items[next].to - items[next].from;
		note(w, within + (next < p->n ? sub_or_0(end, items[next].from) : 0), items[i].from);
		if (next > i)
			within -= items[i].to - items[i].from;
		else
			next = i + 1;
	}
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
	struct progress watch = {.cancel = r->cancel};
	struct gc_pauses p;
	struct gc_range stretch_of = *r;
	stretch_of.from = from;
	stretch_of.to = from + min_u64(room, s->width + s->longest);
	int result = make_union(&p, &stretch_of, false, &watch);
	for (int i = 0; i < s->n && result == 0; i++) {
		if (fits(s, i) && at_end)
			note(&worst[i], gc_pauses_within(&p, r->to - s->windows[i], r->to), r->to - s->windows[i]);
		else if (fits(s, i))
			look_at(&p, s->windows[i], min_u64(last, r->to - s->windows[i]), &worst[i]);
	}
	gc_pauses_free(&p);
	return result;
}

static void *search(void *arg)
{
	struct search *s = arg;
	struct worst worst[MMU_MOST];
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
	enum { ROWS_A_STRETCH = 1 << 18 };
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

static const struct pause_class classes[PAUSE_CLASSES] = {{100000, "<100us"}, {300000, "100-300us"},
	{1000000, "0.3-1ms"}, {3000000, "1-3ms"}, {10000000, "3-10ms"}, {30000000, "10-30ms"}, {100000000, "30-100ms"},
	{UINT64_MAX, ">100ms"}};

const struct pause_class *pause_class(int i) { return &classes[i]; }

int pause_class_of(uint64_t ns)
{
	int i = 0;
	while (i + 1 < PAUSE_CLASSES && ns >= classes[i].below)
		i++;
	return i;
}

static const struct pause_class heat[PAUSE_HEATS] = {
	{300000, "<0.3ms"}, {1000000, "0.3-1ms"}, {10000000, "1-10ms"}, {UINT64_MAX, ">10ms"}};

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
