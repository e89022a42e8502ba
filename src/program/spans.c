#include "program/spans.h"

#include "base/gallop.h"
#include "base/idmap.h"
#include "base/minheap.h"
#include "bytes/prefetch.h"

#include <assert.h>
#include <stdlib.h>

enum {
	FIRST_MATCH = 64,
	LAST_PROGRESS = MAX_SPAN_EVENTS / 4, /* matching more than that takes memory */
	SPARE = MAX_SPAN_EVENTS / 4,         /* kept above the limit before the latest are left out */
	MOST_ROWS = 4 * MAX_SPAN_EVENTS,
};

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

void spans_now(struct span_partial *partial, const struct frame *f, uint32_t thread)
{
	if (!span_syntax_parse(f->tag, f->payload, NULL))
		return;
	if (partial->n < MAX_SPAN_EVENTS && GROW(partial->events, partial->n, partial->room)) {
		partial->events[partial->n++] = (struct span_event){f->t, f->off, thread};
	} else {
		partial->more_from = partial->more ? min_u64(partial->more_from, f->t) : f->t;
		partial->more++;
	}
}

/* Sort n items where they are, as qsort may not, which takes as much memory again. is_later(a, b): of two items. */
#define SORT(items, n, is_later)                                                                                       \
	do {                                                                                                           \
		size_t sorted = 1;                                                                                     \
		while (sorted < (n) && !is_later((items)[sorted - 1], (items)[sorted]))                                \
			sorted++;                                                                                      \
		if (sorted >= (n))                                                                                     \
			break;                                                                                         \
		MINHEAP_MAKE(items, n, is_later);                                                                      \
		for (size_t left = (n); left-- > 1;) {                                                                 \
			__typeof__(*(items)) top = (items)[0];                                                         \
			(items)[0] = (items)[left];                                                                    \
			(items)[left] = top;                                                                           \
			MINHEAP_SIFT(items, left, 0, is_later);                                                        \
		}                                                                                                      \
	} while (0)

static void give_up(struct spans *s, uint64_t n, uint64_t from)
{
	atomic_fetch_add_explicit(&s->more, n, memory_order_relaxed);
	atomic_store(&s->kept_until, min_u64(atomic_load(&s->kept_until), from));
}

static bool is_after(uint64_t a, uint64_t b) { return a > b; }

/* Leave out the latest, so that the earliest MAX_SPAN_EVENTS remain whatever the order in which chains were joined. */
static bool leave_out(struct spans *s)
{
	uint64_t until = atomic_load(&s->kept_until), before = s->n_events;
	uint64_t *times = oom_note(malloc((s->n_rows ? s->n_rows : 1) * sizeof *times));
	size_t n = 0;
	for (size_t chain = 0; times && chain < s->n_chains; chain++)
		for (size_t i = 0, rows = rows_count(&s->events[chain]); i < rows; i++) {
			uint64_t t = ((const struct span_event *)rows_at(&s->events[chain], i))->t;
			times[n] = t;
			n += t < until;
		}
	if (n > MAX_SPAN_EVENTS) {
		SORT(times, n, is_after);
		until = times[MAX_SPAN_EVENTS];
		for (n = MAX_SPAN_EVENTS; n > 0 && times[n - 1] == until;)
			n--;
	}
	free(times);
	if (!times)
		return false;
	s->n_events = n;
	give_up(s, before - n, until);
	return true;
}

bool spans_join(struct spans *s, uint32_t chain, struct span_partial *partial)
{
	uint64_t until = atomic_load(&s->kept_until);
	for (size_t i = 0; i < partial->n; i++) {
		if (partial->events[i].t >= until) {
			give_up(s, 1, until);
		} else if (s->n_rows < MOST_ROWS
			&& rows_put(&s->events[chain], &partial->events[i], sizeof *partial->events)) {
			s->n_events++;
			s->n_rows++;
		} else {
			until = partial->events[i].t;
			give_up(s, 1, until);
		}
	}
	if (partial->more)
		give_up(s, partial->more, partial->more_from);
	free(partial->events);
	*partial = (struct span_partial){0};
	if (s->n_events > MAX_SPAN_EVENTS + SPARE && !leave_out(s))
		give_up(s, 0, 0);
	if (s->n_events < s->next_match || s->n_events > LAST_PROGRESS)
		return false;
	s->next_match = 4 * s->n_events;
	return true;
}

/* --- matching --- */

/* A start or an end, read again. */
struct found {
	uint64_t t, key;
	uint64_t off : 48;
	uint64_t convention : 8;
	uint64_t begins : 8;
	uint32_t thread;
};

/* Open spans: those that one thread started with one key, innermost last; or all of a key, oldest first. Numbers of
 * spans + 1; 0: none. In a stack, closed ones are below open ones. */
union opened {
	struct { /* first: {0} may leave bytes after the first member uninitialised */
		uint32_t oldest, newest;
	};
	uint32_t top;
};

struct work {
	struct found *events;
	struct span *spans; /* in order of start */
	size_t n_events, n;
	uint32_t *under, *next; /* of a span: the one below it in its stack, the one begun after it with its key */
	struct idmap places;    /* of stacks and keys, in opened */
	union opened *opened;
	size_t n_opened, opened_room;
	bool failed;
	uint64_t strays;
	uint64_t until, end; /* all events before are kept; where what is open ends */
};

static bool is_later(struct found a, struct found b) { return a.t != b.t ? a.t > b.t : a.off > b.off; }

/* Earlier ones first; of those that start together the longer, which is then drawn above. */
static bool starts_later(struct span a, struct span b)
{
	if (a.start != b.start)
		return a.start > b.start;
	return a.end != b.end ? a.end < b.end : a.off > b.off;
}

/* Read an event again. */
static bool read_again(const struct blocks *b, uint64_t off, struct span_syntax *out)
{
	struct frame f;
	return off < b->len && frame_read(b->header, b->data, off, b->len, &f) == FRAME_OK
		&& span_syntax_parse(f.tag, f.payload, out);
}

/* The events of a chain that are yet to be collected, and the first of them. */
struct queue {
	struct span_event first;
	const struct rows *events;
	size_t next;
};

static bool is_first(struct queue a, struct queue b)
{
	return a.first.t != b.first.t ? a.first.t < b.first.t : a.first.off < b.first.off;
}

static bool advance(struct queue *q)
{
	if (q->next == rows_count(q->events))
		return false;
	q->first = *(const struct span_event *)rows_at(q->events, q->next++);
	return true;
}

static void collect_one(struct work *w, const struct blocks *b, const struct span_event *e)
{
	struct span_syntax text;
	if (e->t >= w->until || !read_again(b, e->off, &text))
		return;
	w->events[w->n_events++] = (struct found){.t = e->t,
		.key = text.key,
		.off = e->off & 0xffffffffffff,
		.convention = text.convention & 0xff,
		.begins = text.begins,
		.thread = e->thread};
	w->n += text.begins;
}

/* Merge the events of all chains: they are in order then, unless those of a chain are not. */
static bool collect_events(const struct spans *s, const struct blocks *b, struct work *w, size_t room)
{
	struct queue *queues = malloc((s->n_chains ? s->n_chains : 1) * sizeof *queues);
	size_t n = 0;
	for (size_t chain = 0; queues && chain < s->n_chains; chain++) {
		queues[n] = (struct queue){.events = &s->events[chain]};
		n += advance(&queues[n]);
	}
	if (queues)
		MINHEAP_MAKE(queues, n, is_first);
	while (n > 0 && w->n_events < room) {
		collect_one(w, b, &queues[0].first);
		if (!advance(&queues[0]))
			queues[0] = queues[--n];
		MINHEAP_SIFT(queues, n, 0, is_first);
	}
	bool good = queues;
	free(queues);
	return good;
}

/* All events in order of time, and room for their spans. final: nothing else will ask for the events. */
static bool collect(struct spans *s, const struct blocks *b, bool final, struct work *w)
{
	size_t room = s->n_events;
	w->events = calloc(room ? room : 1, sizeof *w->events);
	bool good = w->events && collect_events(s, b, w, room);
	for (size_t chain = 0; final && chain < s->n_chains; chain++)
		rows_free(&s->events[chain]);
	size_t n = w->n + 1;
	w->spans = calloc(n, sizeof *w->spans);
	w->under = calloc(n, sizeof *w->under);
	w->next = calloc(n, sizeof *w->next);
	w->n = 0;
	if (w->events)
		SORT(w->events, w->n_events, is_later);
	return good && w->spans && w->under && w->next;
}

static union opened *place_of(struct work *w, uint64_t key)
{
	static union opened none;
	uint32_t place;
	if (idmap_find(&w->places, key, &place))
		return &w->opened[place];
	if (!GROW(w->opened, w->n_opened, w->opened_room) || !idmap_put(&w->places, key, (uint32_t)w->n_opened)) {
		w->failed = true;
		none = (union opened){0};
		return &none;
	}
	w->opened[w->n_opened] = (union opened){0};
	return &w->opened[w->n_opened++];
}

static bool by_id(const struct found *e) { return span_by_id((enum span_convention)e->convention); }

/* Conventions do not mix, nor do the stacks of a key with the list of all that it began. */
static uint64_t key_of(const struct found *e) { return (e->key ^ e->convention) * 0x9e3779b97f4a7c15; }

static uint64_t stack_of(const struct found *e)
{
	uint64_t thread = by_id(e) ? 0 : e->thread;
	return (key_of(e) ^ (thread + 1)) * 0xd6e8feb86659fd93;
}

static void begin_span(struct work *w, const struct found *e)
{
	uint32_t span = (uint32_t)w->n + 1;
	union opened *stack = place_of(w, stack_of(e));
	w->under[w->n] = stack->top;
	stack->top = span;
	if (!by_id(e)) {
		union opened *list = place_of(w, key_of(e));
		if (list->newest)
			w->next[list->newest - 1] = span;
		else
			list->oldest = span;
		list->newest = span;
	}
	w->spans[w->n++] = (struct span){.start = e->t,
		.end = max_u64(w->end, e->t),
		.off = e->off,
		.convention = e->convention & 0x3fu,
		.unfinished = true,
		.thread = e->thread};
}

/* The innermost open span of the stack; 0: none. */
static uint32_t innermost(struct work *w, const struct found *e)
{
	union opened *stack = place_of(w, stack_of(e));
	uint32_t span = stack->top;
	if (span && !w->spans[span - 1].unfinished)
		span = 0;
	stack->top = span ? w->under[span - 1] : 0;
	return span;
}

/* Return the oldest open span of the key, of any thread; 0: none. */
static uint32_t oldest(struct work *w, const struct found *e)
{
	union opened *list = place_of(w, key_of(e));
	while (list->oldest && !w->spans[list->oldest - 1].unfinished)
		list->oldest = w->next[list->oldest - 1];
	if (!list->oldest)
		list->newest = 0;
	return list->oldest;
}

static void end_span(struct work *w, const struct found *e)
{
	uint32_t span = innermost(w, e);
	span = span || by_id(e) ? span : oldest(w, e);
	if (!span) {
		w->strays++;
		return;
	}
	struct span *s = &w->spans[span - 1];
	s->end = max_u64(e->t, s->start);
	s->unfinished = false;
	s->ended_by = e->thread;
	s->crossed = s->thread != e->thread;
}

static void pair(struct work *w)
{
	for (size_t i = 0; i < w->n_events && !w->failed; i++)
		if (w->events[i].begins)
			begin_span(w, &w->events[i]);
		else
			end_span(w, &w->events[i]);
}

/* Rows while they are filled. A row is busy until its last span has ended. Few spans are open at a time, but those
 * that never end stay: only rows that may matter are looked at. */
struct layout {
	const struct span *last[SPAN_ROWS]; /* of busy rows */
	uint32_t busy;                      /* bits of rows */
	uint32_t of_threads[64];            /* busy rows by the thread of their last span, as bits */
	uint8_t order[SPAN_ROWS];           /* busy rows, that which ends first as the last */
	int n;
};

static uint32_t *rows_of_thread(struct layout *l, uint32_t thread) { return &l->of_threads[thread % 64]; }

/* Free the rows whose spans have ended at t. */
static void free_rows(struct layout *l, uint64_t t)
{
	for (; l->n && l->last[l->order[l->n - 1]]->end <= t; l->n--) {
		int row = l->order[l->n - 1];
		l->busy &= ~(1u << row);
		*rows_of_thread(l, l->last[row]->thread) &= ~(1u << row);
	}
}

static void take_row(struct layout *l, int row, const struct span *s)
{
	int at = l->n++;
	for (; at > 0 && l->last[l->order[at - 1]]->end < s->end; at--)
		l->order[at] = l->order[at - 1];
	l->order[at] = (uint8_t)row;
	l->last[row] = s;
	l->busy |= 1u << row;
	*rows_of_thread(l, s->thread) |= 1u << row;
}

/* The row below the innermost open span that this one is a part of; 0 where it is part of none. */
static int row_below_parent(struct layout *l, const struct span *s)
{
	uint32_t rows = s->thread ? *rows_of_thread(l, s->thread) : 0;
	while (rows) {
		int row = 31 - __builtin_clz(rows);
		const struct span *open = l->last[row];
		if (open->thread == s->thread && open->convention == s->convention && open->end >= s->end)
			return row + 1;
		rows ^= 1u << row;
	}
	return 0;
}

static void lay_out(struct work *w)
{
	struct layout l = {.n = 0};
	_Static_assert(SPAN_ROWS == 32, "a bit for each row");
	for (size_t i = 0; i < w->n; i++) {
		struct span *s = &w->spans[i];
		free_rows(&l, s->start);
		int row = row_below_parent(&l, s);
		row = __builtin_ctzll(~(uint64_t)l.busy & UINT64_MAX << row);
		s->row = (uint64_t)row & 0xff;
		if (row < SPAN_ROWS && s->end > s->start)
			take_row(&l, row, s);
	}
}

static void append(struct span_table *t, size_t *at, const struct span *s)
{
	struct span *to = &t->items[at[s->row]++];
	const struct span *before = s->row == SPAN_ROWS || to == t->rows[s->row].items ? NULL : to - 1;
	*to = *s;
	to->before = before ? before->before + (before->end - before->start) : 0;
	t->unfinished += s->unfinished;
	t->crossed += s->crossed;
}

/* The table: spans row by row, each row in order of time; then those that found none. */
static struct span_table *tabulate(const struct work *w)
{
	struct span_table *t = calloc(1, sizeof *t + w->n * sizeof *t->items);
	size_t at[SPAN_ROWS + 1] = {0};
	if (!t)
		return NULL;
	t->items = (struct span *)(t + 1);
	t->strays = w->strays;
	for (size_t i = 0; i < w->n; i++)
		*(w->spans[i].row < SPAN_ROWS ? &t->rows[w->spans[i].row].n : &t->deeper) += 1;
	for (int row = 0; row < SPAN_ROWS; row++) {
		t->rows[row].items = t->items + t->n;
		at[row] = t->n;
		t->n += t->rows[row].n;
		t->n_rows = t->rows[row].n ? row + 1 : t->n_rows;
	}
	at[SPAN_ROWS] = t->n;
	t->n = w->n;
	for (size_t i = 0; i < w->n; i++)
		append(t, at, &w->spans[i]);
	return t;
}

static struct span_table *match(struct spans *s, const struct blocks *b, uint64_t log_end, bool final)
{
	uint64_t until = atomic_load(&s->kept_until);
	struct work w = {.until = until, .end = min_u64(log_end, until)};
	struct span_table *table = NULL;
	if (collect(s, b, final, &w))
		pair(&w);
	else
		w.failed = true;
	free_all(w.events, w.under, w.next, w.opened);
	idmap_free(&w.places);
	if (!w.failed) {
		SORT(w.spans, w.n, starts_later);
		lay_out(&w);
		table = tabulate(&w);
	}
	free(w.spans);
	return table;
}

int spans_match(struct spans *s, const struct blocks *b, uint64_t log_end, bool last)
{
	if (s->n_events == 0)
		return 0;
	if (last && (s->n_events > MAX_SPAN_EVENTS || atomic_load(&s->kept_until) != UINT64_MAX) && !leave_out(s))
		return EVL_NOMEM;
	struct span_table *table = match(s, b, log_end, last);
	for (size_t i = 0; last && i < s->n_chains; i++)
		rows_free(&s->events[i]);
	if (!table)
		return EVL_NOMEM;
	table->older = load_relaxed(&s->table);
	store_release(&s->table, table);
	return 0;
}

/* --- questions --- */

const struct span_table *spans_table(const struct spans *s) { return load_acquire(&s->table); }

/* The first span of a row that starts at t or later. */
static size_t first_from(const struct span_table *t, int row, uint64_t at)
{
	BISECT(low, t->rows[row].n, t->rows[row].items[mid].start < at);
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

struct evl_str spans_label(const struct blocks *b, const struct span *s)
{
	return span_syntax_label((enum span_convention)s->convention, spans_name(b, s));
}

const char *spans_convention(const struct span *s)
{
	static const char *const names[SPAN_CONVENTIONS] = {[SPAN_ANALYZE] = "START/STOP",
		[SPAN_GHC] = "GHC",
		[SPAN_OT_TEXT] = "opentelemetry",
		[SPAN_OT_BINARY] = "opentelemetry"};
	return names[s->convention < SPAN_CONVENTIONS ? s->convention : 0];
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static bool check_spans(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct span *spans = items;
	bool good = true;
	for (size_t i = from; i < to; i++)
		good &= spans[i].row == bounds[0] && spans[i].start <= spans[i].end && spans[i].off < bounds[1]
			&& spans[i].convention < SPAN_CONVENTIONS;
	return good;
}

/* The rows of a loaded table, one after the other; no row before the last is empty. */
static void load_rows(struct image *im, struct span_table *t, uint64_t len)
{
	size_t first = 0;
	for (int row = 0; row <= SPAN_ROWS; row++) {
		size_t n = row < SPAN_ROWS ? t->rows[row].n : t->deeper;
		if (row < SPAN_ROWS) {
			t->rows[row].items = t->items + first;
			image_require(im, n == 0 || t->n_rows == row);
			t->n_rows += n > 0;
		}
		image_check_later(im, t->items + first, n, sizeof *t->items, check_spans, (uint64_t)row, len);
		first += n;
	}
	image_require(im, first == t->n);
}

static void table_image(struct image *im, struct span_table *t, uint64_t len)
{
	size_t left = t->n;
	for (int row = 0; row < SPAN_ROWS; row++) {
		image_size(im, &t->rows[row].n, left);
		left -= t->rows[row].n;
	}
	image_size(im, &t->deeper, left);
	IMAGE_VALUE(im, t->strays);
	IMAGE_VALUE(im, t->unfinished);
	IMAGE_VALUE(im, t->crossed);
	t->items = image_array(im, t->items, t->n, sizeof *t->items);
	if (im->loads && !im->bad)
		load_rows(im, t, len);
}

/* While a log is indexed: spans that are matched already, to be shown meanwhile, are matched again. */
static void copy_events(struct image *im, struct spans *s)
{
	atomic_init(&s->table, NULL);
	image_own(im, (void **)&s->events, s->n_chains, sizeof *s->events);
	for (size_t i = 0; s->events && i < s->n_chains; i++)
		image_rows(im, &s->events[i], sizeof(struct span_event));
}

void spans_image(struct image *im, struct spans *s, const struct blocks *blocks)
{
	struct span_table *t = im->loads ? NULL : (struct span_table *)(uintptr_t)spans_table(s);
	size_t n = t ? t->n : 0;
	bool is = t;
	if (im->loads)
		*s = (struct spans){.n_chains = blocks->n_chains};
	if (im->copies) {
		copy_events(im, s);
		return;
	}
	IMAGE_VALUE(im, s->more);
	IMAGE_VALUE(im, s->kept_until);
	IMAGE_VALUE(im, s->n_events);
	image_size(im, &n, MAX_SPAN_EVENTS);
	image_bool(im, &is);
	if (!is || (im->loads && !(t = image_new(im, 1, sizeof *t))))
		return;
	assert(t); /* is */
	t->n = n;
	table_image(im, t, blocks->len);
	if (im->loads && !im->bad)
		atomic_store(&s->table, t);
}
