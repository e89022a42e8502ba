/* block_read.c - find the events of a block whose bytes are damaged.
 *
 * Bytes here are not always as GHC writes them. */

#include "index/blocks_private.h"

#include <pthread.h>
#include <stdlib.h>

/* Records that make sense in a row before reading goes on there; how far times may go back, ns, and those that were taken
 * before their event was posted; how many records may be earlier than the one before the damage: none or at least these,
 * as it is then the one whose time is wrong. */
enum { IN_A_ROW = 32, TIME_BACK = 1000000, OWN_TIME_BACK = 1000000000, EARLIER = 3 };

/* Events whose time is taken before they are posted. */
static bool has_own_time(uint16_t tag)
{
	return tag == EVL_GC_START || tag == EVL_GC_END || tag == EVL_WALL_CLOCK_TIME || tag == EVL_CREATE_MACHINE;
}

/* A record of zeros reads as CREATE_THREAD of thread 0 at time 0. */
static bool is_zero(const struct frame *f) { return f->tag == EVL_CREATE_THREAD && f->t == 0; }

/* --- events of odd times --------------------------------------------------------------------------------------------- */

bool block_believes(const struct blocks *b, const struct block *block, const struct frame *f)
{
	enum { A_FEW = 8 };
	const uint64_t end = block->off + block->len, latest = block_latest(b, block);
	struct frame next = *f;
	if (is_zero(f) || f->t > latest)
		return false;
	if (f->t == 0)
		return block->t == 0;
	for (int i = 0; i < A_FEW && next.next < end; i++) {
		enum frame_result r = frame_read(b->header, b->data, next.next, end, &next);
		if (r == FRAME_DATA_END)
			return next.next == end;
		if (r != FRAME_OK || is_zero(&next) || next.t > latest)
			return false;
	}
	return true;
}

static bool ends_data(const struct blocks *b, const struct block *block, uint64_t next)
{
	const uint64_t end = block->off + block->len;
	struct frame f;
	return next == end
		|| (frame_read(b->header, b->data, next, end, &f) == FRAME_OK && block_admits(block, f.tag, f.t));
}

enum frame_result block_judge(
	const struct blocks *b, const struct block *block, enum frame_result r, const struct frame *f)
{
	if (r == FRAME_DATA_END)
		return ends_data(b, block, f->next) ? r : FRAME_UNDECLARED;
	return block_believes(b, block, f) ? FRAME_OK : FRAME_BAD_TIME;
}

/* --- after damage ---------------------------------------------------------------------------------------------------- */

/* Where events are looked for. */
struct gap {
	const struct blocks *b;
	const struct block *block;
	uint64_t end;    /* of the block */
	bool cut;        /* the file ends in the block */
	uint64_t before; /* the event before the gap; 0: none */
	uint64_t t;      /* its time */
};

/* Records in a row: does the next one make sense after them? */
struct row {
	const struct gap *gap;
	uint64_t t; /* the latest so far */
	int n;
	bool earlier;        /* the first is earlier than the event before the gap */
	bool known, running; /* by RUN and STOP: it is known whether a thread runs, and it does */
	uint32_t thread;
};

static bool time_fits(struct row *row, const struct frame *f)
{
	const uint64_t t = f->t + (has_own_time(f->tag) ? OWN_TIME_BACK : TIME_BACK);
	bool earlier = t < row->gap->t;
	if (row->n == 0)
		row->earlier = earlier;
	if (t < row->t || (row->n < EARLIER && earlier != row->earlier))
		return false;
	row->t = max_u64(row->t, f->t);
	return true;
}

static bool scheduling_fits(struct row *row, const struct frame *f)
{
	if ((f->tag != EVL_RUN_THREAD && f->tag != EVL_STOP_THREAD) || !event_readable(row->gap->b->header, f))
		return true;
	bool run = f->tag == EVL_RUN_THREAD;
	uint32_t thread = be32(f->payload.p);
	if (row->known && (row->running == run || (!run && row->thread != thread)))
		return false;
	row->known = true;
	row->running = run;
	row->thread = thread;
	return true;
}

/* Threads, capabilities and reasons to stop are small numbers. */
bool event_fields_fit(const struct header *h, const struct frame *f)
{
	enum { MOST_THREADS = 1 << 28, AT_SECOND = 4, MOST_REASONS = 64 };
	bool two = f->tag == EVL_STOP_THREAD || f->tag == EVL_MIGRATE_THREAD || f->tag == EVL_THREAD_WAKEUP;
	if ((!two && f->tag != EVL_CREATE_THREAD && f->tag != EVL_RUN_THREAD && f->tag != EVL_THREAD_RUNNABLE)
		|| !event_readable(h, f))
		return true;
	uint32_t thread = be32(f->payload.p), second = two ? be16(f->payload.p + AT_SECOND) : 0;
	return thread > 0 && thread < MOST_THREADS
		&& second < (f->tag == EVL_STOP_THREAD ? (uint32_t)MOST_REASONS : MAX_CAP + 1u);
}

static bool record_fits(struct row *row, const struct frame *f)
{
	bool fits = !is_zero(f) && f->tag != EVL_BLOCK_MARKER && block_admits(row->gap->block, f->tag, f->t)
		&& time_fits(row, f) && scheduling_fits(row, f) && event_fields_fit(row->gap->b->header, f);
	row->n++;
	return fits;
}

static bool is_end(const struct gap *g, uint64_t off)
{
	return off == g->end || (off + 2 == g->end && be16(g->b->data + off) == EVL_DATA_END);
}

/* Do several records in a row make sense from off on, or all up to the end of the block? With `across`: and all up to
 * there, but none starts there. */
static bool makes_sense(const struct gap *g, uint64_t off, uint64_t across)
{
	struct row row = {.gap = g};
	struct frame f;
	for (; row.n < IN_A_ROW || off <= across; off = f.next) {
		if (off == across)
			return false;
		if (row.n > 0 && is_end(g, off))
			return true;
		enum frame_result r = frame_read(g->b->header, g->b->data, off, g->end, &f);
		if (r == FRAME_CUT && g->cut && row.n > 0)
			return true;
		if (r != FRAME_OK || !record_fits(&row, &f))
			return false;
	}
	return true;
}

/* The first place in [from, to) that makes sense; `to` where there is none. Most bytes are told by a look. Zeros and bytes
 * of a time read as CREATE_THREAD: as the first record it is not believed. */
static uint64_t search(const struct gap *g, uint64_t from, uint64_t to)
{
	struct frame f;
	const uint8_t *data = g->b->data;
	to = min_u64(to, max_u64(from, sub_or_0(g->end, FRAME_FIXED - 1)));
	for (; from < to; from++) {
		uint64_t tag = be16(data + from), t = be64(data + from + 2);
		if (t <= g->block->end_t && t + tag != 0 && g->b->header->row[tag] && makes_sense(g, from, 0))
			return tag == EVL_CREATE_THREAD && frame_read(g->b->header, data, from, g->end, &f) == FRAME_OK
				? f.next
				: from;
	}
	return g->end;
}

/* Where in the payload of the event before the gap events start that its wrong length hides; `bad`: its length is right.
 * Events that end where it does are its own text. */
static uint64_t hidden(const struct gap *g, uint64_t bad)
{
	const struct header_type *type = g->before ? header_find(g->b->header, be16(g->b->data + g->before)) : NULL;
	if (!type || type->size != EVL_VARIABLE)
		return bad;
	uint64_t at = search(g, g->before + FRAME_VARIABLE, bad);
	return at < bad && makes_sense(g, at, bad) ? at : bad;
}

/* Where the damaged record at `bad` ends by its length; 0: that leads nowhere. Its payload is not searched then. A long
 * one is: a damaged length may lead to some event by chance, and all between would be lost. */
static uint64_t stated_end(const struct gap *g, uint64_t bad)
{
	enum { SHORT = 1 << 10 };
	struct frame f;
	enum frame_result r = frame_read(g->b->header, g->b->data, bad, g->end, &f);
	uint64_t next = r == FRAME_OK || r == FRAME_BAD_TIME ? f.next : 0;
	if (r == FRAME_UNDECLARED && g->end - bad > FRAME_VARIABLE) /* maybe a text whose length was spared */
		next = bad + FRAME_VARIABLE + be16(g->b->data + bad + FRAME_FIXED);
	bool good = next && next - bad <= SHORT && next < g->end && !is_zero(&f) && makes_sense(g, next, 0);
	return good ? next : 0;
}

static uint64_t find_resumption(const struct blocks *b, const struct block *block, uint64_t before, uint64_t bad)
{
	const struct gap g = {.b = b,
		.block = block,
		.end = block->off + block->len,
		.cut = block->off + block->len == b->len,
		.before = before,
		.t = before ? be64(b->data + before + 2) : 0};
	const uint64_t to = min_u64(g.end, bad + SEARCH_MOST);
	uint64_t at = hidden(&g, bad);
	if (at == bad)
		at = stated_end(&g, bad);
	if (at == 0)
		at = search(&g, bad + 1, to);
	return at;
}

/* Last result, as the same damage is met again and again while its surroundings are on the screen. */
enum { KNOWN_GAPS = 1024 };
struct known_gaps {
	pthread_mutex_t lock;
	struct {
		uint64_t bad, before, end, next;
	} items[KNOWN_GAPS];
};

struct known_gaps *known_gaps_new(void)
{
	struct known_gaps *known = calloc(1, sizeof *known);
	if (known)
		pthread_mutex_init(&known->lock, NULL);
	return known;
}

void known_gaps_free(struct known_gaps *known)
{
	if (known)
		pthread_mutex_destroy(&known->lock);
	free(known);
}

uint64_t block_resume(const struct blocks *b, const struct block *block, uint64_t before, uint64_t bad)
{
	enum { WORTH_KEEPING = 4096 };
	const uint64_t end = block->off + block->len;
	struct known_gaps *known = b->known;
	size_t i = (bad ^ bad >> 10) % KNOWN_GAPS;
	uint64_t next = 0;
	if (known) {
		pthread_mutex_lock(&known->lock);
		if (known->items[i].bad == bad && known->items[i].before == before && known->items[i].end == end)
			next = known->items[i].next;
		pthread_mutex_unlock(&known->lock);
	}
	if (next)
		return next;
	next = find_resumption(b, block, before, bad);
	if (known && next > bad + WORTH_KEEPING) {
		pthread_mutex_lock(&known->lock);
		known->items[i].bad = bad;
		known->items[i].before = before;
		known->items[i].end = end;
		known->items[i].next = next;
		pthread_mutex_unlock(&known->lock);
	}
	return next;
}

bool block_begins_well(const struct blocks *b, const struct block *block, bool cut)
{
	const struct gap g = {.b = b, .block = block, .end = block->off + block->len, .cut = cut};
	return block->len == block->head || makes_sense(&g, block->off + block->head, 0);
}
