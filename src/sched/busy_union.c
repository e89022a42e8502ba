#include "sched/busy_union.h"

#include "base/gallop.h"
#include "base/minheap.h"

#include <stdlib.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Delivered runs of a chain that are not merged yet: first those not taken, then those taken by the merging thread. */
struct busy_chain {
	struct busy_runs delivered; /* no chunk of them is empty */
	uint64_t until;
	struct busy_runs runs;
	size_t i;               /* the next run of the first chunk */
	struct busy_chunk *end; /* of merging: the next run is end_i of this chunk; NULL: there is none */
	size_t end_i;
	size_t gc, gc_n;        /* the next row of its collections, and how many rows this merge takes: more may come */
	size_t requested;       /* the first row whose pause is not merged: `gc`, or the one after it */
	struct walk_run before; /* the last run of the chunk before the first */
	uint16_t cap;
	uint64_t complete;
	struct walk_run open;          /* at its end; to: its thread runs elsewhere, UINT64_MAX: not yet */
	uint64_t open_merged;          /* up to here */
	bool ends_open, taken;         /* there is one; merging knows it */
	const struct walk_run *last;   /* that starts before a collection; NULL: none does */
	const struct busy_chunk *late; /* the run after it is the one in this chunk */
	size_t late_i;
	size_t tile; /* the next one that pieces of time have not passed */
};

/* Intervals in order: of a union, or what is to be merged of the runs of a chain. A mark is after the last. */
struct busy_list {
	const struct walk_run *at;
	struct busy_chunk *chunk; /* NULL: no runs */
	struct busy_chain *chain;
};

/* A chain whose capability led collections that are not merged, and the next of these. */
struct busy_leader {
	struct busy_chain *chain;
	const struct rows *rows;
	const struct gc_row *next;
};

int busy_init(struct busy *b, const struct blocks *blocks, const struct tile_table *tiles)
{
	*b = (struct busy){.n = blocks->n_chains, .tiles = tiles};
	busy_gaps_init(&b->gaps);
	pthread_mutex_init(&b->lock, NULL);
	pthread_mutex_init(&b->merging, NULL);
	b->chains = calloc(b->n ? b->n : 1, sizeof *b->chains);
	b->lists = calloc(2 * b->n + 1, sizeof *b->lists);
	b->picks = calloc(b->n + 1, sizeof *b->picks);
	b->leaders = calloc(b->n + 1, sizeof *b->leaders);
	b->bounds = calloc(b->n + 1, sizeof *b->bounds);
	for (size_t i = 0; b->chains && i < b->n; i++) { /* those of no capability have no runs */
		b->chains[i].cap = blocks->chains[i].cap;
		b->chains[i].until = b->chains[i].complete = blocks->chains[i].cap == EVL_NO_CAP ? UINT64_MAX : 0;
		if (b->bounds)
			b->bounds[i] = (struct busy_bound){UINT64_MAX, (uint32_t)i};
	}
	return b->chains && b->lists && b->picks && b->leaders && b->bounds ? 0 : EVL_NOMEM;
}

static void free_chunks(struct busy_chunk *chunk)
{
	while (chunk) {
		struct busy_chunk *next = chunk->next;
		free(chunk);
		chunk = next;
	}
}

static void free_spare(struct busy *b)
{
	for (size_t size = 0; size < BUSY_SIZES; size++) {
		free_chunks(b->spare[size]);
		b->spare[size] = NULL;
	}
}

static void free_spans(struct busy *b)
{
	for (size_t i = 0; i < BUSY_BUFFERS; i++) {
		free(b->spans[i]);
		b->spans[i] = NULL;
		b->room[i] = 0;
	}
}

void busy_drop(struct busy_runs *runs)
{
	free_chunks(runs->first);
	*runs = (struct busy_runs){0};
}

void busy_settle(struct busy *b)
{
	for (size_t c = 0; b->chains && c < b->n; c++) {
		busy_drop(&b->chains[c].delivered);
		busy_drop(&b->chains[c].runs);
	}
	if (b->chains) {
		pthread_mutex_destroy(&b->lock);
		pthread_mutex_destroy(&b->merging);
	}
	free_spare(b);
	free_spans(b);
	free_all(b->chains, b->lists, b->picks, b->leaders, b->bounds, b->opens);
	b->chains = NULL;
	b->lists = NULL;
	b->picks = NULL;
	b->leaders = NULL;
	b->bounds = NULL;
	b->opens = NULL;
}

void busy_free(struct busy *b)
{
	busy_settle(b);
	busy_gaps_free(&b->gaps);
	gc_delays_free(&b->delays);
	*b = (struct busy){0};
}

bool busy_grow(struct busy *b, struct busy_runs *runs)
{
	enum { FIRST = 8 };
	unsigned size = !runs->last ? 0 : runs->last->size + 1 < BUSY_SIZES ? runs->last->size + 1 : BUSY_SIZES - 1;
	uint32_t room = ((uint32_t)FIRST << size) - 1;
	pthread_mutex_lock(&b->lock);
	struct busy_chunk *chunk = b->spare[size];
	if (chunk)
		b->spare[size] = chunk->next;
	pthread_mutex_unlock(&b->lock);
	if (!chunk && !(chunk = oom_note(malloc(sizeof *chunk + (room + 1) * sizeof *chunk->runs)))) {
		atomic_store(&b->failed, true);
		return false;
	}
	chunk->size = size;
	chunk->room = room;
	chunk->n = 0;
	chunk->next = NULL;
	*(runs->last ? &runs->last->next : &runs->first) = chunk;
	runs->last = chunk;
	return true;
}

/* The first chunk of a chain was merged. */
static void reuse(struct busy *b, struct busy_chain *c)
{
	struct busy_chunk *chunk = c->runs.first;
	c->i = 0;
	c->runs.first = chunk->next;
	if (!chunk->next)
		c->runs.last = NULL;
	pthread_mutex_lock(&b->lock);
	chunk->next = b->spare[chunk->size];
	b->spare[chunk->size] = chunk;
	pthread_mutex_unlock(&b->lock);
}

static const struct gc_row *next_gc(const struct busy_chain *c, const struct rows *rows)
{
	return c->gc < c->gc_n ? rows_at(rows, c->gc) : NULL;
}

/* --- unions ------------------------------------------------------------------------------------------------------------ */

enum { GCS = BUSY_BUFFERS - 1 }; /* the buffer of collections; the others are of unions */

static bool reserve(struct busy *b, size_t buffer, size_t n)
{
	if (n > b->room[buffer]) {
		free(b->spans[buffer]);
		b->spans[buffer] = oom_note(malloc(n * sizeof **b->spans));
		b->room[buffer] = b->spans[buffer] ? n : 0;
	}
	return n <= b->room[buffer];
}

/* After the last interval of a list or of a chunk: when the next interval starts. Only empty intervals end as early. */
static struct walk_run mark(uint64_t from) { return (struct walk_run){.from = from}; }

static const struct walk_run at_end = {.from = UINT64_MAX};

static void in_chunk(struct busy_list *l, struct busy_chunk *chunk, size_t from)
{
	l->chunk = chunk;
	l->at = &chunk->runs[from];
	chunk->runs[chunk->n] = mark(chunk->next ? chunk->next->runs[0].from : UINT64_MAX);
}

static bool is_mark(const struct busy_list *l) { return l->chunk && l->at == &l->chunk->runs[l->chunk->n]; }

/* After a mark of a chunk comes the next chunk. */
static void pass_mark(struct busy_list *l)
{
	if (is_mark(l) && l->chunk->next)
		in_chunk(l, l->chunk->next, 0);
}

enum { GROUP = 4 };

/* A union in the making. */
struct uniting {
	struct busy_union sum; /* without out */
	struct busy_gap gap;
	struct walk_run *out, open;
};

static ALWAYS_INLINE void add(struct uniting *u, uint64_t from, uint64_t to, bool writes)
{
	if (writes) {
		bool apart = from > u->open.to;
		*u->out = u->open;
		u->out += apart;
		u->open.from = apart ? from : u->open.from;
		u->open.to = max_u64(u->open.to, to);
	} else {
		uint64_t start = max_u64(from, u->sum.end);
		busy_gap_note(&u->gap, from, start - u->sum.end);
		u->sum.ns += sub_or_0(to, start);
		u->sum.end = max_u64(u->sum.end, to);
	}
}

static ALWAYS_INLINE const struct walk_run *sooner(const struct walk_run *a, const struct walk_run *b)
{
	uint64_t least = min_u64(a->from, b->from);
	return a->from == least ? a : b;
}

/* Unite intervals of GROUP lists, or of a few, half of them, until the next starts at t or later or is a mark: return it. */
static ALWAYS_INLINE const struct walk_run *take(
	const struct walk_run **at, uint64_t t, struct uniting *uniting, bool few, bool writes)
{
	const struct walk_run *a = at[0], *b = at[1], *c = at[2], *d = at[3], *first;
	struct uniting u = *uniting;
	for (;;) {
		first = few ? sooner(a, b) : sooner(sooner(a, b), sooner(c, d));
		if (unlikely(first->from >= t || !first->to))
			break;
		add(&u, first->from, first->to, writes);
		a = first == a ? a + 1 : a;
		b = first == b ? b + 1 : b;
		if (few)
			continue;
		c = first == c ? c + 1 : c;
		d = first == d ? d + 1 : d;
	}
	at[0] = a;
	at[1] = b;
	at[2] = c;
	at[3] = d;
	*uniting = u;
	return first;
}

/* Unite what begins before t. The lists are left where it ends. */
static ALWAYS_INLINE void unite(
	struct busy_list *lists, size_t n, uint64_t t, struct uniting *uniting, bool few, bool writes)
{
	for (bool more = true; more;) {
		const struct walk_run *at[GROUP] = {&at_end, &at_end, &at_end, &at_end};
		for (size_t i = 0; i < n; i++) {
			pass_mark(&lists[i]);
			at[i] = lists[i].at;
		}
		const struct walk_run *next = take(at, t, uniting, few, writes);
		more = next->from < t;
		for (size_t i = 0; i < n; i++) {
			lists[i].at = at[i];
			lists[i].at += more && next == at[i] && !is_mark(&lists[i]); /* empty */
		}
	}
}

/* Add what begins before t in up to GROUP lists to a union, and note the gaps before. */
static void sum_up(struct busy_list *lists, size_t n, uint64_t t, struct busy_union *to, struct busy_gap *gap)
{
	struct uniting u = {.sum = *to, .gap = *gap};
	if (n <= 2)
		unite(lists, n, t, &u, true, false);
	else
		unite(lists, n, t, &u, false, false);
	*to = u.sum;
	*gap = u.gap;
}

/* Write it, and a mark after it; return the end of that. */
static struct walk_run *write_out(struct busy_list *lists, size_t n, uint64_t t, struct walk_run *out)
{
	struct uniting u = {.out = out, .open = {.from = UINT64_MAX}};
	for (size_t i = 0; i < n; i++)
		u.open.from = u.open.to = min_u64(u.open.from, lists[i].at->from);
	if (n <= 2)
		unite(lists, n, t, &u, true, true);
	else
		unite(lists, n, t, &u, false, true);
	u.out[0] = u.open;
	u.out[1] = mark(UINT64_MAX);
	return u.out + 2;
}

/* Note where merging left the runs of chains. */
static void leave(const struct busy_list *lists, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lists[i].chunk) {
			bool over = is_mark(&lists[i]);
			lists[i].chain->end = over ? lists[i].chunk->next : lists[i].chunk;
			lists[i].chain->end_i = over ? 0 : (size_t)(lists[i].at - lists[i].chunk->runs);
		}
}

/* Unite the first lists, up to GROUP at a time, until there are no more than GROUP; return how many. buffer: the first one to
 * write to. The buffers have room for the intervals of all, and two more for each; three are needed, as lists that remain
 * may be in the last two. */
static size_t unite_groups(struct busy *b, size_t n, uint64_t t, size_t *buffer)
{
	for (; n > GROUP; *buffer = (*buffer + 1) % GCS) {
		struct walk_run *out = b->spans[*buffer];
		size_t groups = 0, i = 0;
		for (size_t left = n, some; left > GROUP && i + 1 < n; left -= some - 1, i += some) {
			struct walk_run *from = out;
			some = min_u64(min_u64(GROUP, n - i), left - GROUP + 1);
			out = write_out(&b->lists[i], some, t, out);
			leave(&b->lists[i], some);
			b->lists[groups++] = (struct busy_list){.at = from};
		}
		memmove(&b->lists[groups], &b->lists[i], (n - i) * sizeof *b->lists);
		n = groups + n - i;
	}
	return n;
}

/* --- merging ----------------------------------------------------------------------------------------------------------- */

/* How many runs of a chain wait. */
static size_t waiting(const struct busy_chain *c)
{
	size_t n = 0;
	for (const struct busy_chunk *chunk = c->runs.first; chunk; chunk = chunk->next)
		n += chunk->n;
	return n - c->i;
}

/* When the run begins that is i runs after the next one of a chain. */
static uint64_t run_from(const struct busy_chain *c, size_t i)
{
	const struct busy_chunk *chunk = c->runs.first;
	for (i += c->i; i >= chunk->n; chunk = chunk->next)
		i -= chunk->n;
	return chunk->runs[i].from;
}

/* Merge up to here at once: all that is complete, or about MOST runs of it. */
static uint64_t window_end(const struct busy *b, uint64_t complete)
{
	enum { MOST = 1 << 14 };
	const struct busy_chain *longest = NULL;
	size_t total = 0, most = 0;
	for (size_t c = 0; c < b->n; c++) {
		size_t n = b->chains[c].runs.first ? waiting(&b->chains[c]) : 0;
		total += n;
		longest = n > most ? &b->chains[c] : longest;
		most = n > most ? n : most;
	}
	if (total <= MOST)
		return complete;
	uint64_t end = run_from(longest, (size_t)((double)MOST * (double)most / (double)total));
	return end > run_from(longest, 0) && end < complete ? end : complete;
}

/* Return how many runs of a chain begin before t, at most. */
static size_t runs_before(const struct busy_chain *c, uint64_t t)
{
	size_t n = 0;
	for (const struct busy_chunk *chunk = c->runs.first; chunk && chunk->runs[0].from < t; chunk = chunk->next)
		n += chunk->n;
	return n;
}

/* --- pieces of time --------------------------------------------------------------------------------------------------- */

static bool is_sooner(struct busy_bound a, struct busy_bound b) { return a.t < b.t; }

/* The next tile of a chain, if it is ready. */
static struct busy_bound bound_of(const struct busy *b, uint32_t chain)
{
	const struct tile_table *table = &b->tiles[chain];
	size_t tile = b->chains[chain].tile;
	bool ready = b->chains[chain].cap != EVL_NO_CAP && tile < load_acquire(&table->ready);
	return (struct busy_bound){ready ? table->tiles[tile].t : UINT64_MAX, chain};
}

/* Tiles may be ready now that were not before. */
static void renew_bounds(struct busy *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->bounds[i] = b->bounds[i].t < UINT64_MAX ? b->bounds[i] : bound_of(b, b->bounds[i].chain);
	MINHEAP_MAKE(b->bounds, b->n, is_sooner);
}

/* Find where the next piece ends before t, after what has been merged. */
static bool piece_ends(struct busy *b, uint64_t t, uint64_t *until)
{
	while (b->n && b->bounds[0].t < t) {
		*until = b->bounds[0].t;
		b->chains[b->bounds[0].chain].tile++;
		b->bounds[0] = bound_of(b, b->bounds[0].chain);
		MINHEAP_SIFT(b->bounds, b->n, 0, is_sooner);
		if (++b->piece_tiles >= GAP_TILES && *until > b->until)
			return true;
	}
	return false;
}

/* A piece ends where all before is merged. */
static void end_piece(struct busy *b, uint64_t until)
{
	struct busy_piece piece = {until, b->all.end, b->gap};
	if (!busy_gaps_add(&b->gaps, &piece))
		atomic_store(&b->failed, true);
	b->gap = (struct busy_gap){0};
	b->piece_tiles = 0;
	b->until = until;
}

/* --- collections ----------------------------------------------------------------------------------------------------- */

/* Return the last run of a chain that starts before t, or NULL. t never decreases until the runs are dropped. */
static const struct walk_run *last_before(struct busy_chain *c, uint64_t t)
{
	while (c->late && c->late->runs[c->late->n - 1].from < t) {
		c->last = &c->late->runs[c->late->n - 1];
		c->late = c->late->next;
		c->late_i = 0;
	}
	while (c->late && c->late->runs[c->late_i].from < t)
		c->last = &c->late->runs[c->late_i++];
	return c->last && c->last->from < t ? c->last : NULL;
}

/* The same before GC_START, and in *ran how long its thread ran since the request, without another between. Of the runs that
 * started before an earlier GC_START, only the last counts: syncs rarely overlap. */
static const struct walk_run *last_run(struct busy_chain *c, const struct gc_row *gc, uint64_t *ran)
{
	const uint64_t requested = gc_requested(gc);
	last_before(c, requested);
	const struct walk_run *last = c->last && c->last->from < gc->start ? c->last : NULL;
	*ran = last ? sub_or_0(min_u64(last->to, gc->start), max_u64(last->from, requested)) : 0;
	for (uint64_t from; c->late && (from = c->late->runs[c->late_i].from) < gc->start;) {
		const struct walk_run *next = last_before(c, from + 1);
		uint64_t here = sub_or_0(min_u64(next->to, gc->start), max_u64(from, requested));
		*ran = here + (last && last->thread == next->thread ? *ran : 0);
		last = next;
	}
	return last;
}

static void add_delay(struct busy *b, const struct gc_row *gc, const size_t *chains, size_t n)
{
	struct gc_late_run late = {0};
	for (size_t i = 0; i < n; i++) {
		struct busy_chain *c = &b->chains[chains[i]];
		uint64_t ran;
		const struct walk_run *run = c->cap == gc->cap ? NULL : last_run(c, gc, &ran);
		if (run)
			gc_late_note(&late, gc, run->to, ran, 0, c->cap, run->thread);
	}
	gc_delays_add(&b->delays, gc, &late, NULL);
}

/* The chains with runs that may have delayed a collection that starts before t and was requested at `since` or later. */
static size_t gather_late(const struct busy *b, uint64_t since, uint64_t t, size_t *chains)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n && i < BUSY_LATE_CAPS; i++) {
		const struct busy_chain *c = &b->chains[i];
		if ((c->last && c->last->to > since) || (c->late && c->late->runs[c->late_i].from < t))
			chains[n++] = i;
	}
	return n;
}

/* The leader whose next collection starts first; of equals the first. */
static size_t first_leader(const struct busy_leader *leaders, size_t n)
{
	size_t at = 0;
	for (size_t i = 1; i < n; i++)
		at = leaders[i].next->start < leaders[at].next->start ? i : at;
	return at;
}

/* The most pauses of a chain that are requested before t and are not merged. */
static size_t most_gcs(struct busy_chain *c, const struct rows *rows, uint64_t t)
{
	size_t n = c->gc_n = rows_count(rows);
	return c->gc < n ? sub_or_0(rows_first_at(rows, n, offsetof(struct gc_row, start), t), c->gc) + 1 : 0;
}

static void extend(struct busy_union *u, uint64_t from, uint64_t to)
{
	u->ns += sub_or_0(to, max_u64(from, u->end));
	u->end = max_u64(u->end, to);
}

/* Put the pause of a leader's next collection into its place among n; return how many there are now. Collections come in the
 * order of their starts, and so nearly in that of their requests. */
static size_t put_pause(struct walk_run *pauses, size_t n, struct busy_leader *leader)
{
	const struct gc_row *gc = leader->next;
	const uint64_t from = gc_requested(gc);
	size_t at = n;
	if (leader->chain->gc < leader->chain->requested)
		return n;
	leader->chain->requested = leader->chain->gc + 1;
	for (; at && pauses[at - 1].from > from; at--)
		pauses[at] = pauses[at - 1];
	pauses[at] = (struct walk_run){.from = from, .to = gc_end(gc)};
	return n + 1;
}

/* Add the collections that start before t, and the pauses that are requested before it: a union takes what begins before t,
 * or what another leader began before that would come too late. All runs that start before t are known, and so are those that
 * delayed these collections. Leave the pauses in their buffer, and a mark after them; return their number. */
static size_t merge_gcs(struct busy *b, const struct gcs *g, uint64_t t)
{
	struct busy_leader *leaders = b->leaders;
	struct walk_run *pauses = b->spans[GCS];
	size_t n = 0, n_pauses = 0, first;
	uint64_t since = UINT64_MAX;
	for (size_t i = 0; i < b->n; i++) {
		const struct gc_row *gc = next_gc(&b->chains[i], &g->tables[i].rows);
		if (!gc || gc_requested(gc) >= t)
			continue;
		leaders[n++] = (struct busy_leader){&b->chains[i], &g->tables[i].rows, gc};
		since = min_u64(since, gc_requested(gc));
	}
	const size_t n_late = n ? gather_late(b, since, t, b->picks) : 0;
	while (n && leaders[first = first_leader(leaders, n)].next->start < t) {
		struct busy_leader *leader = &leaders[first];
		n_pauses = put_pause(pauses, n_pauses, leader);
		extend(&b->gc, leader->next->start, gc_end(leader->next));
		if (leader->next->sync)
			add_delay(b, leader->next, b->picks, n_late);
		leader->chain->gc++;
		leader->next = next_gc(leader->chain, leader->rows);
		if (!leader->next || gc_requested(leader->next) >= t)
			memmove(leader, leader + 1, (--n - first) * sizeof *leader);
	}
	for (size_t i = 0; i < n; i++)
		n_pauses = put_pause(pauses, n_pauses, &leaders[i]);
	for (size_t i = 0; i < n_pauses; i++)
		extend(&b->pause, pauses[i].from, pauses[i].to);
	pauses[n_pauses] = mark(UINT64_MAX);
	return n_pauses;
}

/* Add everything before t to the unions; false: no memory. */
static bool merge_unions(struct busy *b, const struct gcs *g, uint64_t t)
{
	const bool many = b->n + 1 > GROUP; /* lists, of runs and of pauses: all buffers are needed */
	size_t n = 0, gcs = 0, lists = 0, buffer = 0;
	for (size_t c = 0; c < b->n; c++) {
		struct busy_chain *chain = &b->chains[c];
		chain->end = chain->runs.first;
		chain->end_i = chain->i;
		gcs += most_gcs(chain, &g->tables[c].rows, t);
		n += many ? runs_before(chain, t) : 0;
	}
	for (size_t i = 0; i < BUSY_BUFFERS; i++)
		if (many ? !reserve(b, i, n + gcs + 4 * b->n + 2) : i == GCS && !reserve(b, i, gcs + 1))
			return false;
	if (gcs && merge_gcs(b, g, t))
		b->lists[lists++] = (struct busy_list){.at = b->spans[GCS]};
	for (size_t c = 0; c < b->n; c++) {
		struct busy_chain *chain = &b->chains[c];
		if (chain->runs.first && chain->runs.first->runs[chain->i].from < t) {
			b->lists[lists].chain = chain;
			in_chunk(&b->lists[lists++], chain->runs.first, chain->i);
		}
	}
	lists = unite_groups(b, lists, t, &buffer);
	for (uint64_t until; piece_ends(b, t, &until); end_piece(b, until))
		sum_up(b->lists, lists, until, &b->all, &b->gap);
	sum_up(b->lists, lists, t, &b->all, &b->gap);
	b->until = t;
	leave(b->lists, lists);
	return true;
}

/* Drop the runs that were merged. */
static void drop(struct busy *b)
{
	for (size_t c = 0; c < b->n; c++) {
		struct busy_chain *chain = &b->chains[c];
		while (chain->runs.first != chain->end) {
			chain->before = chain->runs.first->runs[chain->runs.first->n - 1];
			reuse(b, chain);
		}
		if (chain->end && chain->end_i > chain->i)
			chain->before = chain->end->runs[chain->end_i - 1];
		chain->i = chain->end ? chain->end_i : 0;
		chain->last = chain->before.to ? &chain->before : NULL;
		chain->late = chain->runs.first;
		chain->late_i = chain->i;
	}
}

/* Return how many open runs are of a lower thread than this run, or of its thread and begin before it. */
static size_t opens_before(const struct busy *b, const struct walk_run *run)
{
	const struct walk_run *open;
	BISECT(low, b->n_opens,
		(open = &b->chains[b->opens[mid]].open)->thread < run->thread
			|| (open->thread == run->thread && open->from < run->from));
	return low;
}

/* End the open runs of its thread that start before this run. Runs of one thread end in the order of their starts. */
static void note_move(struct busy *b, const struct walk_run *run)
{
	for (size_t i = opens_before(b, run); i--;) {
		struct walk_run *open = &b->chains[b->opens[i]].open;
		if (open->thread != run->thread || open->to <= run->from)
			return;
		open->to = run->from;
	}
}

/* The end of a chain was delivered, and its last run is open: so may be others of its thread. */
static void take_open(struct busy *b, uint32_t i)
{
	struct busy_chain *chain = &b->chains[i];
	chain->taken = true;
	chain->open_merged = chain->open.from;
	if (!b->opens && !(b->opens = calloc(b->n, sizeof *b->opens))) {
		atomic_store(&b->failed, true);
		return;
	}
	size_t place = opens_before(b, &chain->open), after = b->n_opens - place;
	if (after) {
		const struct walk_run *next = &b->chains[b->opens[place]].open;
		if (next->thread == chain->open.thread)
			chain->open.to = next->from > chain->open.from ? next->from : next->to;
	}
	note_move(b, &chain->open);
	memmove(b->opens + place + 1, b->opens + place, after * sizeof *b->opens);
	b->opens[place] = i;
	b->n_opens++;
	b->open_filter |= 1ull << (chain->open.thread & 63);
}

/* Note when the threads of open runs run elsewhere, by the runs before t. */
static void find_moves(struct busy *b, uint64_t t)
{
	for (size_t c = 0; c < b->n; c++) {
		const struct busy_chunk *chunk = b->chains[c].runs.first;
		for (size_t i = b->chains[c].i; chunk; chunk = chunk->next, i = 0)
			for (; i < chunk->n && chunk->runs[i].from < t; i++)
				if (unlikely(b->open_filter >> (chunk->runs[i].thread & 63) & 1))
					note_move(b, &chunk->runs[i]);
	}
}

/* Make what lies before t of open runs part of the runs of their chains. */
static void add_opens(struct busy *b, uint64_t t)
{
	for (size_t i = 0; i < b->n; i++) {
		struct busy_chain *c = &b->chains[i];
		uint64_t from = c->open_merged, to = min_u64(c->open.to, t < UINT64_MAX ? t : b->last_t);
		if (!c->taken || from >= to)
			continue;
		busy_add(b, &c->runs, from, to, c->open.thread);
		c->open_merged = to;
		if (!c->late) {
			c->late = c->runs.first;
			c->late_i = c->i;
		}
		pthread_mutex_lock(&b->lock);
		b->run_ns += to - from;
		pthread_mutex_unlock(&b->lock);
	}
}

/* Merge everything before the time up to which every chain is complete. */
static void merge(struct busy *b, const struct gcs *g)
{
	uint64_t complete = UINT64_MAX, t;
	for (size_t c = 0; c < b->n; c++) {
		struct busy_chain *chain = &b->chains[c];
		complete = min_u64(complete, chain->complete);
		if (!chain->late) { /* what has come since */
			chain->late = chain->runs.first;
			chain->late_i = chain->i;
		}
	}
	renew_bounds(b);
	do {
		t = window_end(b, complete);
		if (b->open_filter) {
			find_moves(b, t);
			add_opens(b, t);
		}
		if (!merge_unions(b, g, t)) {
			atomic_store(&b->failed, true);
			return;
		}
		drop(b);
	} while (t < complete);
}

/* Append runs to others, and clear them. */
static void append(struct busy_runs *to, struct busy_runs *runs)
{
	if (runs->first) {
		*(to->last ? &to->last->next : &to->first) = runs->first;
		to->last = runs->last;
	}
	*runs = (struct busy_runs){0};
}

void busy_join(struct busy *b, uint32_t chain, struct busy_runs *runs, uint64_t complete, uint64_t last_t)
{
	struct busy_chain *c = &b->chains[chain];
	pthread_mutex_lock(&b->lock);
	b->run_ns += runs->ns;
	append(&c->delivered, runs);
	c->until = max_u64(c->until, complete);
	b->last_t = max_u64(b->last_t, last_t);
	b->news++;
	pthread_mutex_unlock(&b->lock);
}

void busy_open(struct busy *b, uint32_t chain, uint64_t from, uint32_t thread)
{
	struct busy_chain *c = &b->chains[chain];
	pthread_mutex_lock(&b->lock);
	c->open = (struct walk_run){.from = from, .to = UINT64_MAX, .thread = thread};
	c->ends_open = true;
	pthread_mutex_unlock(&b->lock);
}

uint64_t busy_moved(const struct busy *b, uint32_t chain)
{
	const struct busy_chain *c = &b->chains[chain];
	return c->taken && c->open.to < UINT64_MAX ? c->open.to : 0;
}

/* Take the delivered runs for merging; return false if fewer than that number of parts were delivered. */
static bool take_delivered(struct busy *b, size_t least)
{
	pthread_mutex_lock(&b->lock);
	bool news = b->news >= least;
	b->news = news ? 0 : b->news;
	for (size_t c = 0; news && c < b->n; c++) {
		append(&b->chains[c].runs, &b->chains[c].delivered);
		b->chains[c].complete = b->chains[c].until;
		if (b->chains[c].ends_open && !b->chains[c].taken)
			take_open(b, (uint32_t)c);
	}
	pthread_mutex_unlock(&b->lock);
	return news;
}

static void merge_news(struct busy *b, const struct gcs *g, size_t least)
{
	if (pthread_mutex_trylock(&b->merging))
		return; /* who merges looks again when he is done; what he misses is merged with the next part, or at the end */
	while (take_delivered(b, least))
		merge(b, g);
	pthread_mutex_unlock(&b->merging);
}

void busy_merge(struct busy *b, const struct gcs *g)
{
	enum { CHAINS_A_PART = 16 };
	merge_news(b, g, b->n / CHAINS_A_PART + 1);
}

void busy_end(struct busy *b, const struct gcs *g)
{
	merge_news(b, g, 1);
	if (b->until == UINT64_MAX && b->last_t > b->all.end)
		busy_gap_note(&b->gap, b->last_t, b->last_t - b->all.end);
	end_piece(b, b->until);
	free_spare(b);
	free_spans(b);
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void histogram_image(struct image *im, struct histogram *h)
{
	uint64_t n = 0;
	IMAGE_VALUE(im, *h);
	for (size_t i = 0; i < HISTOGRAM_CLASSES; i++)
		n += h->counts[i];
	image_require(im, n == h->n);
}

static void copy_runs(struct image *im, struct busy_runs *runs)
{
	struct busy_chunk **at = &runs->first;
	for (runs->last = NULL; *at; runs->last = *at, at = &runs->last->next) {
		const struct busy_chunk *chunk = *at;
		image_own(im, (void **)at, 1, sizeof *chunk + (chunk->room + 1) * sizeof *chunk->runs);
		if (!*at)
			return;
	}
}

/* Between two mergings, when no buffer is in use: `last` is the run before the first chunk, and `late` that chunk. */
static void copy_state(struct image *im, struct busy *b, const struct tile_table *tiles)
{
	b->tiles = tiles;
	pthread_mutex_init(&b->lock, NULL);
	pthread_mutex_init(&b->merging, NULL);
	memset(b->spans, 0, sizeof b->spans);
	memset(b->room, 0, sizeof b->room);
	memset(b->spare, 0, sizeof b->spare);
	image_own(im, (void **)&b->chains, b->n, sizeof *b->chains);
	image_own(im, (void **)&b->lists, 2 * b->n + 1, sizeof *b->lists);
	image_own(im, (void **)&b->picks, b->n + 1, sizeof *b->picks);
	image_own(im, (void **)&b->leaders, b->n + 1, sizeof *b->leaders);
	image_own(im, (void **)&b->bounds, b->n + 1, sizeof *b->bounds);
	image_own(im, (void **)&b->opens, b->n, sizeof *b->opens);
	for (size_t i = 0; b->chains && i < b->n; i++) {
		struct busy_chain *c = &b->chains[i];
		copy_runs(im, &c->delivered);
		copy_runs(im, &c->runs);
		c->last = c->last ? &c->before : NULL;
		c->late = c->late ? c->runs.first : NULL;
	}
}

void busy_image(struct image *im, struct busy *b, const struct tile_table *tiles)
{
	if (im->loads)
		*b = (struct busy){0};
	if (im->copies)
		copy_state(im, b, tiles);
	IMAGE_VALUE(im, b->run_ns);
	IMAGE_VALUE(im, b->gc);
	IMAGE_VALUE(im, b->pause);
	IMAGE_VALUE(im, b->all);
	IMAGE_VALUE(im, b->last_t);
	busy_gaps_image(im, &b->gaps);
	image_flag(im, &b->failed);
	IMAGE_VALUE(im, b->delays.thread_ns);
	IMAGE_VALUE(im, b->delays.wakeup_ns);
	histogram_image(im, &b->delays.rests);
	image_size(im, &b->delays.n_threads, GC_DELAY_THREADS);
	b->delays.threads = image_array(im, b->delays.threads, b->delays.n_threads, sizeof *b->delays.threads);
	image_size(im, &b->delays.n_ties, GC_DELAY_TIES);
	b->delays.ties = image_array(im, b->delays.ties, b->delays.n_ties, sizeof *b->delays.ties);
	if (im->copies) {
		b->delays.room = b->delays.n_threads;
		b->delays.ties_room = b->delays.n_ties;
	}
	image_own(im, (void **)&b->delays.places.slots, b->delays.places.room, sizeof *b->delays.places.slots);
	for (size_t i = 0; im->loads && i < b->delays.n_ties && !im->bad; i++) {
		const struct gc_row *gc = &b->delays.ties[i].gc;
		image_require(im, (gc->start | gc->elapsed | gc_requested(gc)) <= INT64_MAX);
	}
}
