#include "program/spans.h"

#include "base/err.h"
#include "bytes/prefetch.h"
#include "index/chain_seek.h"
#include "sched/caps.h"

#include <stdlib.h>

enum { FIRST_MATCH = 64, JITTER_NS = 1000 };

int spans_init(struct spans *s, size_t n_chains)
{
	*s = (struct spans){.n_chains = n_chains, .next_match = FIRST_MATCH, .kept_until = UINT64_MAX};
	s->events = calloc(n_chains ? n_chains : 1, sizeof *s->events);
	if (!s->events)
		return EVL_NOMEM;
	for (size_t i = 0; i < n_chains; i++)
		rows_init(&s->events[i], sizeof(struct span_event));
	return 0;
}

void spans_free(struct spans *s)
{
	for (struct span_table *t = atomic_load(&s->table), *older; t; t = older) {
		older = t->older;
		free(t);
	}
	for (size_t i = 0; s->events && i < s->n_chains; i++)
		rows_free(&s->events[i]);
	free(s->events);
	*s = (struct spans){0};
}

void spans_now(struct span_partial *share, const struct frame *f)
{
	if (!span_syntax_parse(f->tag, f->payload, NULL))
		return;
	if (share->n < MAX_SPAN_EVENTS && GROW(share->events, share->n, share->room)) {
		share->events[share->n++] = (struct span_event){f->t, f->off};
	} else {
		share->more_from = share->more ? min_u64(share->more_from, f->t) : f->t;
		share->more++;
	}
}

static void give_up(struct spans *s, uint64_t n, uint64_t from)
{
	atomic_fetch_add_explicit(&s->more, n, memory_order_relaxed);
	atomic_store(&s->kept_until, min_u64(atomic_load(&s->kept_until), from));
}

bool spans_join(struct spans *s, uint32_t chain, struct span_partial *share)
{
	size_t i = 0;
	while (i < share->n && s->n_events < MAX_SPAN_EVENTS && rows_add(&s->events[chain], &share->events[i]))
		i++, s->n_events++;
	if (i < share->n)
		give_up(s, share->n - i, share->events[i].t);
	if (share->more)
		give_up(s, share->more, share->more_from);
	free(share->events);
	*share = (struct span_partial){0};
	if (s->n_events < s->next_match)
		return false;
	s->next_match = 4 * s->n_events;
	return true;
}

/* --- matching --- */

struct found {
	uint64_t t, key, off;
	uint32_t chain;
	uint8_t convention;
	bool begins;
};

/* A span, and what it takes to find its place. */
struct piece {
	struct span span;
	uint32_t chain;  /* on which it began */
	uint32_t thread; /* that began it: of opentelemetry's only; 0: unknown */
	int row;         /* SPAN_ROWS: there is none left */
};

/* What a match works on: all events, then all spans. */
struct work {
	struct found *events;
	struct piece *pieces;
	size_t n_events, n;
	uint64_t strays;
	uint64_t until, end; /* all events before are kept; where what is open ends */
};

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_time(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = compare(x->t, y->t);
	return order ? order : compare(x->off, y->off);
}

/* Earlier ones first; of those that begin together the longer, which then lies above. */
static int by_start(const void *a, const void *b)
{
	const struct span *x = &((const struct piece *)a)->span, *y = &((const struct piece *)b)->span;
	int order = compare(x->start, y->start);
	order = order ? order : compare(y->end, x->end);
	return order ? order : compare(x->off, y->off);
}

/* Read an event again. */
static bool read_again(const struct blocks *b, uint64_t off, struct span_syntax *out)
{
	struct frame f;
	return off < b->len && frame_read(b->header, b->data, off, b->len, &f) == FRAME_OK
		&& span_syntax_parse(f.tag, f.payload, out);
}

static void collect_chain(const struct spans *s, uint32_t chain, const struct blocks *b, struct work *w, size_t room)
{
	for (size_t i = 0, n = rows_count(&s->events[chain]); i < n && w->n_events < room; i++) {
		const struct span_event *e = rows_at(&s->events[chain], i);
		struct span_syntax text;
		if (e->t < w->until && read_again(b, e->off, &text))
			w->events[w->n_events++] =
				(struct found){e->t, text.key, e->off, chain, (uint8_t)text.convention, text.begins};
	}
}

static bool same_key(const struct found *a, const struct found *b)
{
	return a->key == b->key && a->convention == b->convention;
}

/* Give each event the number of its key, in the order of their first events. hash: places of first events + 1. Returns how
 * many keys there are. */
static uint32_t number_keys(const struct work *w, uint32_t *hash, size_t mask, uint32_t *key_of)
{
	uint32_t n = 0;
	for (size_t i = 0; i < w->n_events; i++) {
		size_t at = (w->events[i].key ^ w->events[i].key >> 32) * 0x9e3779b97f4a7c15 >> 20 & mask;
		while (hash[at] && !same_key(&w->events[hash[at] - 1], &w->events[i]))
			at = (at + 1) & mask;
		if (!hash[at])
			hash[at] = (uint32_t)i + 1;
		key_of[i] = hash[at] == i + 1 ? n++ : key_of[hash[at] - 1];
	}
	return n;
}

/* In order of time; they come in the order of their chains. */
static void sort_key(struct found *events, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (by_time(&events[i - 1], &events[i]) > 0) {
			qsort(events, n, sizeof *events, by_time);
			return;
		}
}

/* The events key by key; cheaper than sorting them by their keys. */
static bool group(struct work *w)
{
	size_t room = 64, n = w->n_events;
	while (room < 2 * n)
		room *= 2;
	uint32_t *hash = calloc(room, sizeof *hash), *key_of = calloc(n + 1, sizeof *key_of),
		 *ends = calloc(n + 2, sizeof *ends);
	struct found *grouped = calloc(n + 1, sizeof *grouped);
	bool good = hash && key_of && ends && grouped;
	uint32_t keys = good ? number_keys(w, hash, room - 1, key_of) : 0;
	for (size_t i = 0; i < n && good; i++)
		ends[key_of[i] + 1]++;
	for (uint32_t k = 1; k <= keys; k++)
		ends[k] += ends[k - 1]; /* where key k begins; when all are placed, where it ends */
	for (size_t i = 0; i < n && good; i++)
		grouped[ends[key_of[i]]++] = w->events[i];
	for (uint32_t k = 0, from = 0; k < keys; from = ends[k++])
		sort_key(grouped + from, ends[k] - from);
	free(hash);
	free(key_of);
	free(ends);
	free(w->events);
	w->events = grouped;
	return good;
}

static bool collect(const struct spans *s, const struct blocks *b, struct work *w)
{
	size_t room = s->n_events;
	w->events = calloc(room, sizeof *w->events);
	w->pieces = calloc(room, sizeof *w->pieces);
	if (!w->events || !w->pieces)
		return false;
	for (uint32_t chain = 0; chain < s->n_chains; chain++)
		collect_chain(s, chain, b, w, room);
	return group(w);
}

static void emit(struct work *w, const struct found *begin, uint64_t end, bool unfinished)
{
	w->pieces[w->n++] = (struct piece){.chain = begin->chain,
		.span = {.start = begin->t,
			.end = max_u64(end, begin->t),
			.off = begin->off & 0xffffffffffff,
			.convention = begin->convention,
			.unfinished = unfinished}};
}

/* Capabilities read the clock each for itself: an end may seem to come just before its begin. */
static bool ends_too_early(const struct found *end, const struct found *next, const struct found *after)
{
	return next < after && same_key(end, next) && next->begins && next->chain != end->chain
		&& next->t - end->t <= JITTER_NS;
}

/* All events of one key, in order of time: from the first begin to the end of the last. */
static const struct found *pair_key(struct work *w, const struct found *e, const struct found *after)
{
	const struct found *first = e, *begin = NULL;
	uint64_t depth = 0;
	for (; e < after && same_key(first, e); e++) {
		if (e->begins) {
			begin = depth++ ? begin : e;
		} else if (depth) {
			if (--depth == 0)
				emit(w, begin, e->t, false);
		} else if (ends_too_early(e, e + 1, after)) {
			emit(w, ++e, 0, false);
		} else {
			w->strays++;
		}
	}
	if (depth)
		emit(w, begin, w->end, true);
	return e;
}

/* The threads that began opentelemetry's spans. They come in order of time, so each chain is passed once. */
static void find_threads(struct work *w, const struct blocks *b, const struct tile_table *tiles)
{
	struct chain_seek *seekers = calloc(b->n_chains ? b->n_chains : 1, sizeof *seekers);
	for (size_t i = 0; seekers && i < w->n; i++) {
		struct piece *p = &w->pieces[i];
		struct chain_seek *s = &seekers[p->chain];
		if (p->span.convention != SPAN_OT_TEXT && p->span.convention != SPAN_OT_BINARY)
			continue;
		if (!s->table && !chain_seek_begin(s, b, &tiles[p->chain], p->chain))
			continue;
		if (s->ready)
			chain_seek_advance(s, p->span.start + 1);
		p->thread = s->pos.state == CAP_RUN ? s->pos.thread : 0;
	}
	free(seekers);
}

/* The last span of every row while they are filled. */
struct layout {
	const struct piece *last[SPAN_ROWS];
};

/* The row below the innermost open span that this one is a part of; 0 where it is part of none. */
static int row_below_parent(const struct layout *l, const struct piece *p)
{
	for (int row = SPAN_ROWS; p->thread && row-- > 0;) {
		const struct piece *open = l->last[row];
		if (open && open->thread == p->thread && open->span.convention == p->span.convention
			&& open->span.end >= p->span.end && open->span.end > p->span.start)
			return row + 1;
	}
	return 0;
}

static void lay_out(struct work *w)
{
	struct layout l = {0};
	for (size_t i = 0; i < w->n; i++) {
		struct piece *p = &w->pieces[i];
		p->row = row_below_parent(&l, p);
		while (p->row < SPAN_ROWS && l.last[p->row] && l.last[p->row]->span.end > p->span.start)
			p->row++;
		if (p->row < SPAN_ROWS)
			l.last[p->row] = p;
	}
}

static void append(struct span_table *t, size_t *at, const struct piece *p)
{
	struct span *to = &t->items[at[p->row]++];
	const struct span *before = to == t->rows[p->row].items ? NULL : to - 1;
	*to = p->span;
	to->before = before ? before->before + (before->end - before->start) : 0;
	t->unfinished += p->span.unfinished;
}

/* The table: spans row by row, each row in order of time. */
static struct span_table *tabulate(const struct work *w)
{
	struct span_table *t = calloc(1, sizeof *t + w->n * sizeof *t->items);
	size_t at[SPAN_ROWS] = {0};
	if (!t)
		return NULL;
	t->strays = w->strays;
	for (size_t i = 0; i < w->n; i++)
		*(w->pieces[i].row < SPAN_ROWS ? &t->rows[w->pieces[i].row].n : &t->deeper) += 1;
	for (int row = 0; row < SPAN_ROWS; row++) {
		t->rows[row].items = t->items + t->n;
		at[row] = t->n;
		t->n += t->rows[row].n;
		t->n_rows = t->rows[row].n ? row + 1 : t->n_rows;
	}
	for (size_t i = 0; i < w->n; i++)
		if (w->pieces[i].row < SPAN_ROWS)
			append(t, at, &w->pieces[i]);
	return t;
}

static struct span_table *match(
	const struct spans *s, const struct blocks *b, const struct tile_table *tiles, uint64_t log_end)
{
	uint64_t until = atomic_load(&s->kept_until);
	struct work w = {.until = until, .end = min_u64(log_end, until)};
	struct span_table *table = NULL;
	if (collect(s, b, &w)) {
		const struct found *after = w.events + w.n_events;
		for (const struct found *e = w.events; e < after;)
			e = pair_key(&w, e, after);
		qsort(w.pieces, w.n, sizeof *w.pieces, by_start);
		find_threads(&w, b, tiles);
		lay_out(&w);
		table = tabulate(&w);
	}
	free(w.events);
	free(w.pieces);
	return table;
}

int spans_match(struct spans *s, const struct blocks *b, const struct tile_table *tiles, uint64_t log_end, bool last)
{
	if (s->n_events == 0)
		return 0;
	struct span_table *table = match(s, b, tiles, log_end);
	for (size_t i = 0; last && i < s->n_chains; i++)
		rows_free(&s->events[i]);
	if (!table)
		return EVL_NOMEM;
	table->older = atomic_load_explicit(&s->table, memory_order_relaxed);
	atomic_store_explicit(&s->table, table, memory_order_release);
	return 0;
}

/* --- questions --- */

const struct span_table *spans_table(const struct spans *s)
{
	return atomic_load_explicit(&((struct spans *)(uintptr_t)s)->table, memory_order_acquire);
}

/* The first span of a row that begins at t or later. */
static size_t first_from(const struct span_table *t, int row, uint64_t at)
{
	size_t low = 0, high = t->rows[row].n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (t->rows[row].items[mid].start < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The length of the row's spans before t. */
static uint64_t covered(const struct span_table *t, int row, uint64_t at)
{
	size_t i = first_from(t, row, at);
	if (i == 0)
		return 0;
	const struct span *last = &t->rows[row].items[i - 1];
	return last->before + (min_u64(last->end, at) - last->start);
}

struct span_sum spans_in(const struct span_table *t, int row, uint64_t t0, uint64_t t1)
{
	const struct span *items = t->rows[row].items;
	size_t from = first_from(t, row, t0), to = first_from(t, row, t1);
	if (from > 0 && items[from - 1].end > t0)
		from--;
	return (struct span_sum){.n = to - from,
		.ns = covered(t, row, t1) - covered(t, row, t0),
		.first = from < to ? &items[from] : NULL};
}

const struct span *spans_at(const struct span_table *t, int row, uint64_t at)
{
	size_t i = first_from(t, row, at + 1);
	const struct span *s = i > 0 ? &t->rows[row].items[i - 1] : NULL;
	return s && (at < s->end || at == s->start || (s->unfinished && at == s->end)) ? s : NULL;
}

const struct span *spans_after(const struct span_table *t, int row, uint64_t at)
{
	size_t i = first_from(t, row, at + 1);
	return i < t->rows[row].n ? &t->rows[row].items[i] : NULL;
}

const struct span *spans_before(const struct span_table *t, int row, uint64_t at)
{
	size_t i = first_from(t, row, at);
	return i > 0 ? &t->rows[row].items[i - 1] : NULL;
}

/* May it be touched by who must not wait for the disk? */
static bool is_at_hand(const struct blocks *b, uint64_t off, uint64_t len)
{
	return !b->fetch || prefetch_ready(b->fetch, off, len);
}

struct evl_str spans_name(const struct blocks *b, const struct span *s)
{
	struct span_syntax text;
	struct frame f;
	if (s->off >= b->len || !is_at_hand(b, s->off, FRAME_VARIABLE)
		|| frame_read(b->header, b->data, s->off, b->len, &f) != FRAME_OK
		|| !is_at_hand(b, s->off, f.next - s->off))
		return (struct evl_str){0};
	return span_syntax_parse(f.tag, f.payload, &text) ? text.name : (struct evl_str){0};
}

uint32_t spans_thread(const struct blocks *b, const struct tile_table *tiles, const struct span *s)
{
	struct block block;
	struct cap_moment at = {0};
	if (blocks_at(b, s->off, &block) && b->chains[block.chain].cap != EVL_NO_CAP)
		caps_at(b, &tiles[block.chain], block.chain, s->start, &at);
	return at.known && at.state == CAP_RUN ? at.thread : 0;
}

const char *spans_convention(const struct span *s)
{
	static const char *const names[SPAN_CONVENTIONS] = {[SPAN_ANALYZE] = "START/STOP",
		[SPAN_GHC] = "GHC",
		[SPAN_OT_TEXT] = "opentelemetry",
		[SPAN_OT_BINARY] = "opentelemetry"};
	return names[s->convention < SPAN_CONVENTIONS ? s->convention : 0];
}
