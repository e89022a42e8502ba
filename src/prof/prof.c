#include "prof/prof.h"

#include <stdlib.h>

/* In payloads. */
enum { TICK_AT = 4, DEPTH_AT = 12, STACK_AT = 13, ID = 4 };
enum { OPEN_SLOTS = 2 * PAGE_SAMPLES, LOG_PART = 256, LEAST_SUMS = 1 << 18 };

/* How many sums to keep of a log. */
static uint64_t most_sums(uint64_t log_bytes) { return LEAST_SUMS + log_bytes / (LOG_PART * sizeof(struct prof_sum)); }

void prof_extend(struct prof *p, uint64_t log_bytes, uint64_t more)
{
	p->sums_left += most_sums(log_bytes + more) - most_sums(log_bytes);
}

int prof_init(struct prof *p, enum prof_source source, const struct blocks *blocks)
{
	*p = (struct prof){.source = source,
		.n_chains = blocks->n_chains,
		.sums_left = most_sums(blocks->len),
		.chains = calloc(blocks->n_chains ? blocks->n_chains : 1, sizeof *p->chains),
		.by_cap = calloc(PROF_CAPS, sizeof *p->by_cap)};
	for (size_t i = 0; p->chains && i < p->n_chains; i++) {
		rows_init(&p->chains[i].pages, sizeof(struct prof_page));
		rows_init(&p->chains[i].sums, sizeof(struct prof_sum));
	}
	rows_init(&p->gaps, sizeof(struct prof_gap));
	int result = p->chains && p->by_cap ? stacks_init(&p->stacks) : EVL_NOMEM;
	return result == 0 && source == PROF_CALLS ? call_frames_init(&p->calls) : result;
}

void prof_free(struct prof *p)
{
	for (size_t i = 0; p->chains && i < p->n_chains; i++) {
		rows_free(&p->chains[i].pages);
		rows_free(&p->chains[i].sums);
	}
	if (p->chains)
		rows_free(&p->gaps);
	free_all(p->chains, p->by_cap);
	by_id_free(&p->on_top);
	stacks_free(&p->stacks);
	call_frames_free(&p->calls);
	*p = (struct prof){0};
}

bool prof_wants(uint16_t tag)
{
	return tag == EVL_PROF_SAMPLE_COST_CENTRE || tag == EVL_PROF_BEGIN || tag == EVL_USER_BINARY_MSG;
}

/* --- samples of cost centres --------------------------------------------------------------------------------------- */

/* The stack as in the payload, as far as it is complete. */
static struct evl_str raw_stack(struct evl_str payload)
{
	if (payload.len < STACK_AT)
		return (struct evl_str){0};
	size_t depth = payload.p[DEPTH_AT], room = (payload.len - STACK_AT) / ID;
	return (struct evl_str){payload.p + STACK_AT, (depth < room ? depth : room) * ID};
}

/* adds: NULL, or the stacks again, that may grow. */
static uint32_t node_of(const struct stacks *stacks, struct stacks *adds, const uint32_t *frames, size_t n)
{
	return adds ? stacks_intern(adds, frames, n) : stacks_find(stacks, frames, n);
}

/* Return the innermost frame of a node, or PROF_EMPTY of the root. */
static uint64_t frame_of(const struct prof *p, uint32_t node)
{
	return node == STACK_ROOT ? PROF_EMPTY : stacks_at(&p->stacks, node)->frame;
}

/* Return the slot for a stack as in the log, or NULL. */
static struct stack_cached *slot_of(struct prof_reader *r, struct evl_str raw)
{
	return r->cache && raw.len ? stack_cache_slot(r->cache, raw) : NULL;
}

static uint32_t centres_node(const struct prof *p, struct prof *adds, struct prof_reader *r, struct evl_str raw)
{
	uint32_t frames[STACK_DEPTH];
	size_t n = raw.len / ID;
	struct stack_cached *slot = slot_of(r, raw);
	if (slot && stack_cached_is(slot, raw))
		return slot->node;
	frames[0] = 0;                 /* gcc 14 takes them for uninitialized if there are none */
	for (size_t i = 0; i < n; i++) /* they are listed from the inside out */
		frames[n - 1 - i] = be32(raw.p + ID * i);
	uint32_t node = node_of(&p->stacks, adds ? &adds->stacks : NULL, frames, n);
	if (slot)
		*slot = (struct stack_cached){raw, node};
	return node;
}

static bool read_centres(
	const struct prof *p, struct prof *adds, struct prof_reader *r, const struct frame *f, struct prof_sample *out)
{
	if (f->tag != EVL_PROF_SAMPLE_COST_CENTRE || f->payload.len < DEPTH_AT)
		return false;
	struct evl_str raw = raw_stack(f->payload);
	*out = (struct prof_sample){.t = f->t,
		.tick = be64(f->payload.p + TICK_AT),
		.off = f->off,
		.cap = (uint16_t)be32(f->payload.p),
		.node = centres_node(p, adds, r, raw),
		.innermost = raw.len ? be32(raw.p) : PROF_EMPTY};
	out->cut = stacks_at(&p->stacks, out->node)->depth * ID != raw.len;
	return true;
}

/* --- samples of calls ---------------------------------------------------------------------------------------------- */

/* Only the lock of its frames changes in a const profile, unless it may grow. */
static void push_calls(const struct prof *p, bool adds, struct prof_reader *r, const struct call_message *m)
{
	struct evl_str entries = m->entries;
	struct call_frame frame;
	for (unsigned i = 0; i < m->n && call_next(&entries, &frame); i++) {
		uint32_t id = call_frames_id((struct call_frames *)(uintptr_t)&p->calls, &frame, adds);
		if (id != STACK_NO_FRAME)
			r->ring[r->n_ring++ % STACK_DEPTH] = id;
	}
}

/* The stack whose last part was pushed: its innermost frames. */
static uint32_t calls_node(const struct prof *p, struct prof *adds, struct prof_reader *r)
{
	uint32_t frames[STACK_DEPTH];
	size_t n = r->n_ring < STACK_DEPTH ? (size_t)r->n_ring : STACK_DEPTH;
	for (size_t i = 0; i < n; i++)
		frames[i] = r->ring[(r->n_ring - n + i) % STACK_DEPTH];
	return node_of(&p->stacks, adds ? &adds->stacks : NULL, frames, n);
}

static void end_calls(const struct prof *p, struct prof *adds, struct prof_reader *r, const struct call_message *m,
	struct prof_sample *out)
{
	struct stack_cached *slot = r->off ? NULL : slot_of(r, m->entries); /* one whole stack in one message */
	if (slot && stack_cached_is(slot, m->entries)) {
		out->node = slot->node;
		out->innermost = frame_of(p, slot->node);
		return;
	}
	push_calls(p, adds, r, m);
	size_t n = r->n_ring < STACK_DEPTH ? (size_t)r->n_ring : STACK_DEPTH;
	out->node = calls_node(p, adds, r);
	out->innermost = n ? r->ring[(r->n_ring - 1) % STACK_DEPTH] : PROF_EMPTY;
	out->cut = stacks_at(&p->stacks, out->node)->depth != n;
	if (slot && !out->cut)
		*slot = (struct stack_cached){m->entries, out->node};
}

static bool read_calls(
	const struct prof *p, struct prof *adds, struct prof_reader *r, const struct frame *f, struct prof_sample *out)
{
	struct call_message m;
	if (f->tag != EVL_USER_BINARY_MSG || !call_message_parse(f->payload, &m))
		return false;
	if (adds)
		call_frames_define(&adds->calls, &m, f->off);
	if (m.form == CALL_PART) {
		push_calls(p, adds, r, &m);
		r->off = r->off ? r->off : f->off;
	}
	if (m.form != CALL_STACK)
		return false;
	*out = (struct prof_sample){.t = f->t, .off = r->off ? r->off : f->off, .cap = (uint16_t)m.cap};
	end_calls(p, adds, r, &m, out);
	r->n_ring = r->off = 0;
	return true;
}

/* adds: NULL, or the profile again, whose stacks may grow. */
static bool read_sample(
	const struct prof *p, struct prof *adds, struct prof_reader *r, const struct frame *f, struct prof_sample *out)
{
	return p->source == PROF_CALLS ? read_calls(p, adds, r, f, out) : read_centres(p, adds, r, f, out);
}

bool prof_read(const struct prof *p, struct prof_reader *r, const struct frame *f, struct prof_sample *out)
{
	return read_sample(p, NULL, r, f, out);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

static void count_on_top(struct prof *p, uint64_t innermost, uint64_t n)
{
	_Atomic uint64_t *to = innermost == PROF_EMPTY ? &p->empty : by_id_add(&p->on_top, (uint32_t)innermost);
	atomic_fetch_add_explicit(to ? to : &p->others, n, memory_order_relaxed);
}

static void count_sum(struct prof *p, const struct prof_sum *sum)
{
	count_on_top(p, frame_of(p, sum->node), sum->n);
	atomic_fetch_add_explicit(&p->by_cap[sum->cap], sum->n, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->samples, sum->n, memory_order_relaxed);
}

/* The open page is over: its sums go to the share's. */
static void close_page(struct prof *p, struct prof_partial *s)
{
	struct prof_page page = s->page;
	bool fits = page.samples && GROW(s->pages, s->n_pages, s->pages_room);
	for (uint32_t i = 0; i < page.n_sums; i++)
		count_sum(p, &s->open[i]);
	page.sums = s->n_sums;
	for (uint32_t i = 0; i < page.n_sums && fits; i++) {
		fits = GROW(s->sums, s->n_sums, s->sums_room);
		if (fits)
			s->sums[s->n_sums++] = s->open[i];
	}
	if (fits)
		s->pages[s->n_pages++] = page;
	s->failed |= page.samples && !fits;
	if (page.samples)
		memset(s->slots, 0, OPEN_SLOTS * sizeof *s->slots);
	s->page = (struct prof_page){0};
}

static bool open_partial(struct prof_partial *s)
{
	if (s->slots)
		return true;
	s->reader.cache = oom_note(calloc(1, sizeof *s->reader.cache));
	s->slots = oom_note(calloc(OPEN_SLOTS, sizeof *s->slots));
	s->open = oom_note(malloc(PAGE_SAMPLES * sizeof *s->open));
	if (s->reader.cache && s->slots && s->open)
		return true;
	prof_drop(s);
	return false;
}

static struct prof_sum *open_sum(struct prof_partial *s, uint32_t node, uint16_t cap)
{
	uint64_t h = ((uint64_t)cap << 32 | node) * 0x9e3779b97f4a7c15;
	size_t at = (size_t)(h >> 32) & (OPEN_SLOTS - 1);
	for (; s->slots[at]; at = (at + 1) & (OPEN_SLOTS - 1)) {
		struct prof_sum *sum = &s->open[s->slots[at] - 1];
		if (sum->node == node && sum->cap == cap)
			return sum;
	}
	s->open[s->page.n_sums] = (struct prof_sum){.node = node, .cap = cap};
	s->slots[at] = ++s->page.n_sums;
	return &s->open[s->page.n_sums - 1];
}

static void add_gap(struct prof_partial *s, const struct prof_sample *a, const struct prof_sample *b)
{
	if (b->tick > a->tick + 1 && b->t >= a->t && s->n_gaps < MAX_PROF_GAPS
		&& GROW(s->gaps, s->n_gaps, s->gaps_room))
		s->gaps[s->n_gaps++] = (struct prof_gap){a->t, b->t, b->tick - a->tick - 1};
}

static void add_sample(struct prof *p, struct prof_partial *s, const struct prof_sample *sample)
{
	struct prof_page *page = &s->page;
	if (page->samples == 0)
		*page = (struct prof_page){.first_t = sample->t, .last_t = sample->t, .off = sample->off};
	page->first_t = min_u64(page->first_t, sample->t);
	page->last_t = max_u64(page->last_t, sample->t);
	open_sum(s, sample->node, sample->cap)->n++;
	if (sample->cut) { /* for its sum counts the node's frame */
		count_on_top(p, sample->innermost, 1);
		count_on_top(p, frame_of(p, sample->node), (uint64_t)-1);
	}
	if (s->any)
		add_gap(s, &s->last, sample);
	else
		s->first = *sample;
	s->any = true;
	s->last = *sample;
	raise_to(&p->last_tick, sample->tick);
	if (++page->samples == PAGE_SAMPLES)
		close_page(p, s);
}

/* Most logs have no event that is a sample: what gathers them is made when the first may be one. */
static bool may_sample(const struct prof *p, const struct frame *f)
{
	struct call_message m;
	return p->source == PROF_CENTRES ? f->tag == EVL_PROF_SAMPLE_COST_CENTRE
					 : f->tag == EVL_USER_BINARY_MSG && call_message_parse(f->payload, &m);
}

void prof_now(struct prof *p, struct prof_partial *s, const struct frame *f)
{
	struct prof_sample sample;
	if (f->tag == EVL_PROF_BEGIN && p->source == PROF_CENTRES)
		store_relaxed(&p->interval, be64(f->payload.p));
	else if (may_sample(p, f) && open_partial(s) && read_sample(p, p, &s->reader, f, &sample))
		add_sample(p, s, &sample);
}

static void close_share(struct prof_partial *s)
{
	free_all(s->reader.cache, s->slots, s->open);
	s->reader.cache = NULL;
	s->slots = NULL;
	s->open = NULL;
}

void prof_walked(struct prof *p, struct prof_partial *s)
{
	close_page(p, s);
	close_share(s);
}

void prof_drop(struct prof_partial *s)
{
	close_share(s);
	free_all(s->pages, s->sums, s->gaps);
	*s = (struct prof_partial){0};
}

/* --- joining ------------------------------------------------------------------------------------------------------- */

static void join_gap(struct prof *p, const struct prof_gap *gap)
{
	if (rows_count(&p->gaps) >= MAX_PROF_GAPS || !rows_add(&p->gaps, gap))
		p->more_gaps++;
}

static bool join_sums(struct prof *p, struct prof_chain *to, const struct prof_sum *sums, uint32_t n)
{
	if (n > p->sums_left)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!rows_add(&to->sums, &sums[i]))
			return false;
	p->sums_left -= n;
	return true;
}

void prof_join(struct prof *p, uint32_t chain, struct prof_partial *s)
{
	struct prof_chain *to = &p->chains[chain];
	if (s->any && rows_count(&to->pages) && s->first.tick > to->last_tick + 1 && s->first.t >= to->last_t)
		join_gap(p, &(struct prof_gap){to->last_t, s->first.t, s->first.tick - to->last_tick - 1});
	for (size_t i = 0; i < s->n_gaps; i++)
		join_gap(p, &s->gaps[i]);
	for (size_t i = 0; i < s->n_pages; i++) {
		struct prof_page page = s->pages[i];
		const struct prof_sum *sums = s->sums + page.sums;
		page.sums = rows_count(&to->sums);
		if (!join_sums(p, to, sums, page.n_sums))
			page.n_sums = 0;
		if (!rows_add(&to->pages, &page))
			break;
	}
	if (s->any) {
		to->last_t = s->last.t;
		to->last_tick = s->last.tick;
	}
	prof_drop(s);
}

/* --- the top ------------------------------------------------------------------------------------------------------- */

struct best {
	uint32_t *ids;
	uint64_t *samples;
	size_t n, room;
};

/* Report whether a centre with this number of samples is among the best. Lower ids go first among equals. */
static void rank(void *ctx, uint32_t id, uint64_t samples)
{
	struct best *best = ctx;
	size_t at = best->n;
	while (at > 0
		&& (best->samples[at - 1] < samples || (best->samples[at - 1] == samples && best->ids[at - 1] > id)))
		at--;
	if (at >= best->room)
		return;
	best->n += best->n < best->room;
	memmove(best->ids + at + 1, best->ids + at, (best->n - at - 1) * sizeof *best->ids);
	memmove(best->samples + at + 1, best->samples + at, (best->n - at - 1) * sizeof *best->samples);
	best->ids[at] = id;
	best->samples[at] = samples;
}

size_t prof_top(const struct prof *p, uint32_t *out, uint64_t *samples, size_t n)
{
	struct best best = {.ids = out, .samples = samples, .room = n};
	by_id_each(&p->on_top, rank, &best);
	return best.n;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static bool check_sums(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct prof_sum *sums = items;
	bool good = true;
	for (size_t i = from; i < to; i++)
		good &= sums[i].node < bounds[0];
	return good;
}

static bool check_pages(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct prof_page *pages = items;
	bool good = true;
	for (size_t i = from; i < to; i++)
		good &= pages[i].sums <= bounds[0] && pages[i].n_sums <= bounds[0] - pages[i].sums
			&& pages[i].off < bounds[1];
	return good;
}

static void chain_image(struct image *im, struct prof_chain *c, uint32_t stacks, uint64_t len)
{
	image_rows(im, &c->pages, sizeof(struct prof_page));
	image_rows(im, &c->sums, sizeof(struct prof_sum));
	IMAGE_VALUE(im, c->last_t);
	IMAGE_VALUE(im, c->last_tick);
	size_t n = rows_count(&c->sums), n_pages = rows_count(&c->pages);
	image_check_later(im, image_rows_of(&c->pages), n_pages, sizeof(struct prof_page), check_pages, n, len);
	image_check_later(im, image_rows_of(&c->sums), n, sizeof(struct prof_sum), check_sums, stacks, 0);
}

/* Room for the samples of capabilities is made by their numbers. */
static bool caps_add_up(const struct prof *p)
{
	uint64_t left = p->samples;
	for (size_t i = 0; i < PROF_CAPS; i++) {
		uint64_t n = p->by_cap[i];
		if (n > left)
			return false;
		left -= n;
	}
	return left == 0;
}

void prof_image(struct image *im, struct prof *p, enum prof_source source, const struct blocks *blocks)
{
	if (im->loads)
		*p = (struct prof){.source = source,
			.n_chains = blocks->n_chains,
			.chains = image_new(im, blocks->n_chains, sizeof *p->chains)};
	if (source == PROF_CALLS)
		call_frames_image(im, &p->calls, blocks->len);
	stacks_image(im, &p->stacks, source == PROF_CALLS ? rows_count(&p->calls.frames) : (uint64_t)UINT32_MAX + 1);
	image_own(im, (void **)&p->chains, p->n_chains, sizeof *p->chains);
	for (size_t i = 0; p->chains && i < p->n_chains && image_goes_on(im); i++)
		chain_image(im, &p->chains[i], stacks_count(&p->stacks), blocks->len);
	image_rows(im, &p->gaps, sizeof(struct prof_gap));
	IMAGE_VALUE(im, p->more_gaps);
	IMAGE_VALUE(im, p->samples);
	IMAGE_VALUE(im, p->empty);
	IMAGE_VALUE(im, p->last_tick);
	IMAGE_VALUE(im, p->interval);
	IMAGE_VALUE(im, p->others);
	uint64_t *by_cap = (uint64_t *)(uintptr_t)p->by_cap;
	image_numbers(im, &by_cap, PROF_CAPS);
	p->by_cap = (_Atomic uint64_t *)(uintptr_t)by_cap;
	image_require(im, !im->loads || !by_cap || caps_add_up(p));
	by_id_image(im, &p->on_top, UINT64_MAX);
}
