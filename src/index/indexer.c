#include "index/indexer_private.h"

#include "base/order.h"
#include "bytes/source.h"
#include "sys/clock.h"
#include "sys/system.h"
#include "sys/worker.h"

#include <assert.h>
#include <stdlib.h>

enum { WAKE_EVERY_MS = 100, STRETCHES_A_WORKER = 8 };
enum { HOPS_FIRST = 64, HOPS_AT_ONCE = 1024 /* a log of more blocks gets a sketch */, SMALL_BLOCK = 256 << 10 };
/* Bytes of a stretch: more where the parts of many chains would be smaller than PART_LEAST, as each part costs some memory
 * and time. Tests set other bounds, so that small logs have many parts. */
#ifndef INDEXER_LEAST
#define INDEXER_LEAST (1 << 20)
#define INDEXER_MOST  (4 << 20)
#endif
enum { PART_LEAST = INDEXER_MOST / 32 };

/* Called with the lock held, or by the only thread. */
static void report(struct indexer *ix, bool now)
{
	int64_t t = clock_ms();
	if (!now && t - ix->woke_ms < WAKE_EVERY_MS)
		return;
	ix->woke_ms = t;
	if (ix->jobs.wake)
		ix->jobs.wake(ix->jobs.wake_ctx);
}

/* --- cutting --------------------------------------------------------------------------------------------------------- */

/* A row of blocks, and when the first of them starts. */
struct timed {
	uint64_t t;
	uint32_t row;
};

/* Sort by time, by one byte of it at a time; rows of equal time keep their order. A large log has tens of
 * thousands of rows. spare: room for n. Return where the
 * sorted rows are: items or spare. */
static struct timed *by_time(struct timed *items, struct timed *spare, size_t n)
{
	enum { DIGIT = 8, DIGITS = 1 << DIGIT };
	uint64_t differ = 0;
	bool sorted = true;
	for (size_t i = 1; i < n; i++) {
		differ |= items[i].t ^ items[0].t;
		sorted = sorted && items[i - 1].t <= items[i].t;
	}
	for (unsigned shift = 0; !sorted && shift < 64; shift += DIGIT) {
		size_t at[DIGITS + 1] = {0};
		if ((differ >> shift) % DIGITS == 0)
			continue;
		for (size_t i = 0; i < n; i++)
			at[(items[i].t >> shift) % DIGITS + 1]++;
		for (size_t d = 1; d < DIGITS; d++)
			at[d] += at[d - 1];
		for (size_t i = 0; i < n; i++)
			spare[at[(items[i].t >> shift) % DIGITS]++] = items[i];
		struct timed *swap = items;
		items = spare;
		spare = swap;
	}
	return items;
}

/* Within a chain the numbers never go back, whatever the clocks of a damaged log say. highest: by chain. */
static uint32_t raise(const struct blocks *b, const struct block_row *row, uint32_t number, uint32_t *highest)
{
	uint32_t chain;
	for (struct row_chains c = row_chains(b, row); row_chains_next(&c, &chain);)
		number = highest[chain] > number ? highest[chain] : number;
	for (struct row_chains c = row_chains(b, row); row_chains_next(&c, &chain);)
		highest[chain] = number;
	return number;
}

/* Is part of a chain between these two file offsets to be walked? */
static bool is_wanted(const struct indexer *ix, uint32_t chain, uint64_t off, uint64_t end)
{
	return (!ix->from || ix->from[chain].block.off < end) && (!ix->until || off < ix->until[chain].block.off);
}

static bool row_is_wanted(const struct indexer *ix, const struct block_row *row)
{
	uint32_t chain;
	bool wanted = false;
	for (struct row_chains c = row_chains(ix->blocks, row); !wanted && row_chains_next(&c, &chain);)
		wanted = is_wanted(ix, chain, row->off, row->off + row->len);
	return wanted;
}

/* Give every row of blocks that is to be walked the number of its stretch: in order of time until a stretch is full. How many
 * there are. */
static uint32_t number_rows(const struct indexer *ix, uint32_t *stretch_of, struct timed *order, uint32_t *highest)
{
	const struct blocks *b = ix->blocks;
	uint64_t most = min_u64(b->n_chains * (uint64_t)PART_LEAST, 4 * (uint64_t)INDEXER_MOST);
	uint64_t full = b->len / (uint64_t)(workers_for(ix->jobs.workers) * STRETCHES_A_WORKER), bytes = 0;
	uint32_t n = 0;
	size_t rows = 0;
	full = max_u64(INDEXER_LEAST, min_u64(full, max_u64(INDEXER_MOST, most)));
	for (uint32_t i = 0; i < b->n_rows; i++)
		if (row_is_wanted(ix, &b->rows[i]))
			order[rows++] = (struct timed){b->rows[i].t, i};
	order = by_time(order, order + rows, rows);
	for (size_t i = 0; i < rows; i++) {
		if (bytes >= full) {
			n++;
			bytes = 0;
		}
		stretch_of[order[i].row] = n;
		bytes += b->rows[order[i].row].len;
	}
	for (size_t i = 0; i < b->n_rows; i++)
		if (row_is_wanted(ix, &b->rows[i]))
			stretch_of[i] = raise(b, &b->rows[i], stretch_of[i], highest);
	return rows ? n + 1 : 0;
}

/* How far a chain has been cut: its open part, an index into ix->parts + 1, and its bytes so far. */
struct cutter {
	size_t part;
	uint64_t chain_at;
};

static int cut_block(struct indexer *ix, const struct block *block, uint32_t stretch, struct cutter *at)
{
	struct part *open = at->part ? &ix->parts[at->part - 1] : NULL;
	assert(!open || open->stretch <= stretch); /* parts of a chain are joined in the order of its blocks */
	if (!open || open->stretch != stretch) {
		if (!GROW(ix->parts, ix->n_parts, ix->parts_room))
			return EVL_NOMEM;
		open = &ix->parts[ix->n_parts++];
		*open = (struct part){.chain = block->chain,
			.first = *block,
			.chain_at = at->chain_at,
			.whole = at->chain_at == 0,
			.goes_on = ix->from && ix->from[block->chain].rests
				&& ix->from[block->chain].block.off == block->off,
			.rest = ix->until && ix->until[block->chain].rests ? ix->until[block->chain].block.off : 0,
			.stretch = stretch};
		at->part = ix->n_parts;
	}
	open->until = block->off + 1;
	open->bytes += block->len;
	at->chain_at += block->len;
	return 0;
}

COMPARE_BY(by_stretch, struct part, RISING(stretch) ?: RISING(first.off));

/* The parts in the order of their stretches, each in file order. In place: a log of thousands of capabilities has
 * megabytes of parts. */
static int sort_parts(struct indexer *ix, uint32_t n)
{
	ix->stretches = calloc(n + 1, sizeof *ix->stretches);
	if (!ix->stretches)
		return EVL_NOMEM;
	if (n > 1 && ix->n_parts)
		qsort(ix->parts, ix->n_parts, sizeof *ix->parts, by_stretch);
	for (size_t i = 0; i < ix->n_parts; i++)
		ix->stretches[ix->parts[i].stretch].n++;
	for (size_t s = 1; s < n; s++)
		ix->stretches[s].first = ix->stretches[s - 1].first + ix->stretches[s - 1].n;
	ix->n_stretches = n;
	return 0;
}

/* The order in which each chain's parts are joined. */
static int order_parts(struct indexer *ix)
{
	size_t chains = ix->blocks->n_chains, n = 0;
	ix->next = calloc(chains + 1, sizeof *ix->next);
	ix->chain_end = calloc(chains + 1, sizeof *ix->chain_end);
	ix->by_chain = calloc(ix->n_parts + 1, sizeof *ix->by_chain);
	if (!ix->next || !ix->chain_end || !ix->by_chain)
		return EVL_NOMEM;
	for (size_t p = 0; p < ix->n_parts; p++)
		ix->chain_end[ix->parts[p].chain]++;
	for (size_t c = 0; c < chains; c++) {
		ix->next[c] = n;
		n += ix->chain_end[c];
		ix->chain_end[c] = ix->next[c];
	}
	for (size_t p = 0; p < ix->n_parts; p++)
		ix->by_chain[ix->chain_end[ix->parts[p].chain]++] = p;
	return 0;
}

/* Cut a row block by block. */
static int cut_blocks(struct indexer *ix, size_t row, uint32_t stretch, struct cutter *at)
{
	const struct blocks *b = ix->blocks;
	struct block block;
	int result = 0;
	blocks_warm_row(b, row);
	bool more = blocks_from_row(b, row, &block);
	for (; more && block.row == row && result == 0; more = blocks_next(b, &block))
		if (is_wanted(ix, block.chain, block.off, block.off + 1))
			result = cut_block(ix, &block, stretch, &at[block.chain]);
	return result;
}

/* Add a row to the open parts of its chains, by sums. Return false if a part starts in it. */
static bool extend_parts(
	struct indexer *ix, const struct block_row *row, uint32_t stretch, const uint32_t *sums, struct cutter *at)
{
	uint32_t chain;
	for (struct row_chains c = row_chains(ix->blocks, row); row_chains_next(&c, &chain);)
		if (at[chain].part == 0 || ix->parts[at[chain].part - 1].stretch != stretch)
			return false;
	for (struct row_chains c = row_chains(ix->blocks, row); row_chains_next(&c, &chain); sums++) {
		struct part *open = &ix->parts[at[chain].part - 1];
		open->until = row->off + row->len;
		open->bytes += *sums;
		at[chain].chain_at += *sums;
	}
	return true;
}

static int cut_rows(struct indexer *ix, const uint32_t *stretch_of, struct cutter *at)
{
	const struct blocks *b = ix->blocks;
	const bool sums = !ix->from && !ix->until && b->row_bytes && b->summed == b->n_rows;
	size_t sum = 0;
	int result = 0;
	for (size_t i = 0; i < b->n_rows && result == 0; i++) {
		const struct block_row *row = &b->rows[i];
		if (!(row->n > 1 && sums && extend_parts(ix, row, stretch_of[i], b->sums + sum, at))
			&& row_is_wanted(ix, row))
			result = cut_blocks(ix, i, stretch_of[i], at);
		sum += row->n > 1 ? row_chains_count(row) : 0;
	}
	return result;
}

int indexer_cut(struct indexer *ix)
{
	struct blocks *b = ix->blocks;
	uint32_t *stretch_of = calloc(b->n_rows + 1, sizeof *stretch_of);
	struct timed *order = malloc((2 * b->n_rows + 1) * sizeof *order);
	uint32_t *highest = calloc(b->n_chains + 1, sizeof *highest), n = 0;
	struct cutter *at = calloc(b->n_chains + 1, sizeof *at);
	int result = stretch_of && order && highest && at ? 0 : EVL_NOMEM;
	if (result == 0)
		n = number_rows(ix, stretch_of, order, highest);
	for (size_t c = 0; ix->from && result == 0 && c < b->n_chains; c++)
		at[c].chain_at = ix->from[c].chain_at;
	result = result ? result : cut_rows(ix, stretch_of, at);
	blocks_drop_sums(b);
	free_all(stretch_of, order, highest, at);
	result = result ? result : sort_parts(ix, n);
	return result ? result : order_parts(ix);
}

/* --- walking --------------------------------------------------------------------------------------------------------- */

/* The next stretch to walk, or NULL: none is left. */
static struct stretch *take_stretch(struct indexer *ix)
{
	size_t i = atomic_fetch_add_explicit(&ix->taken, 1, memory_order_relaxed);
	return i < ix->n_stretches ? &ix->stretches[i] : NULL;
}

/* A part has been walked: join all parts of its chain that come next. */
static void join(struct indexer *ix, struct part *walked)
{
	uint32_t chain = walked->chain;
	pthread_mutex_lock(&ix->lock);
	walked->walked = true;
	for (size_t *i = &ix->next[chain]; *i < ix->chain_end[chain] && ix->parts[ix->by_chain[*i]].walked; ++*i) {
		struct part *p = &ix->parts[ix->by_chain[*i]];
		walk_join(ix->walk, p);
		if (p->failed)
			atomic_store(&ix->result, EVL_NOMEM);
		if (p->data_end)
			atomic_store(&ix->data_end, true);
		for (size_t d = 0; d < p->damage.n; d++)
			damage_add(ix->damage, p->damage.items[d].off, p->damage.items[d].len,
				(enum damage_reason)p->damage.items[d].reason, p->damage.items[d].tag);
		damage_add_more(ix->damage, &p->damage);
		bool stopped = p->stopped;
		part_free(ix->walk, p);
		if (stopped)
			ix->chain_end[chain] = *i; /* others are not joined any more */
	}
	report(ix, false);
	pthread_mutex_unlock(&ix->lock);
	walk_joined(ix->walk);
}

/* A table that gets no memory for a row counts it or goes without it; then what it says is not all. Whichever it was,
 * word was left. */
static void note_memory(struct indexer *ix)
{
	if (oom_take())
		atomic_store(&ix->result, EVL_NOMEM);
}

/* Walk the parts of a stretch in one pass over the log if little else lies between them, else one after another. */
static void walk_stretch(struct indexer *ix, const struct stretch *s, int worker)
{
	enum { AT_ONCE = 128 }; /* parts: each needs eight kilobytes until all have been walked */
	struct part *parts = &ix->parts[s->first];
	uint64_t bytes = 0, end = 0;
	if (s->n == 0)
		return;
	for (size_t i = 0; i < s->n; i++) {
		bytes += parts[i].bytes;
		end = max_u64(end, parts[i].until);
	}
	size_t step = s->n <= AT_ONCE && (end - parts[0].first.off) / 2 <= bytes ? s->n : 1;
	for (size_t i = 0; i < s->n; i += step) {
		walk_parts(ix->walk, &parts[i], step, worker, ix->stop);
		for (size_t k = i; k < i + step; k++) {
			atomic_fetch_add_explicit(&ix->events, parts[k].events, memory_order_relaxed);
			atomic_fetch_add_explicit(&ix->bytes, parts[k].bytes, memory_order_relaxed);
			join(ix, &parts[k]);
			note_memory(ix);
		}
	}
}

static void *work(void *arg)
{
	struct indexer *ix = arg;
	const int64_t begun = clock_thread_ms();
	int worker = atomic_fetch_add(&ix->workers, 1);
	struct stretch *s;
	if (ix->jobs.low_priority)
		worker_low_priority();
	(void)oom_take(); /* of something before */
	while (!load_relaxed(ix->stop) && (s = take_stretch(ix))) {
		walk_stretch(ix, s, worker);
		walk_rested(ix->walk, worker);
		note_memory(ix);
	}
	atomic_fetch_add(&ix->cpu_ms, clock_thread_ms() - begun);
	return NULL;
}

/* Each worker may be a stretch ahead of the others, with parts of all chains that wait to be joined, kilobytes each. */
static int workers_for_chains(int n, size_t chains)
{
	enum { PARTS_AT_ONCE = 4096 };
	size_t most = PARTS_AT_ONCE / (chains + 1) + 1;
	return most < (size_t)n ? (int)most : n;
}

static void free_parts(struct indexer *ix)
{
	for (size_t i = 0; i < ix->n_parts; i++)
		part_free(ix->walk, &ix->parts[i]);
	free_all(ix->stretches, ix->parts, ix->next, ix->by_chain, ix->chain_end);
	ix->stretches = NULL;
	ix->parts = NULL;
	ix->next = ix->by_chain = ix->chain_end = NULL;
	ix->n_parts = ix->parts_room = ix->n_stretches = 0;
}

void indexer_walk(struct indexer *ix)
{
	int n = workers_for_chains(workers_for(ix->jobs.workers), ix->blocks->n_chains);
	const int64_t begun = clock_thread_ms();
	atomic_store(&ix->taken, 0);
	atomic_store(&ix->workers, 0);
	workers_share(ix->n_stretches < (size_t)n ? (int)ix->n_stretches : n, work, ix);
	atomic_fetch_sub(&ix->cpu_ms, clock_thread_ms() - begun); /* this thread's is counted at its end */
	free_parts(ix);
}

/* The first hops tell how to read: where blocks are small, a disk reads all that is between their markers in less time
 * than it takes to go to each of them, and all of it is wanted next. */
static int begin_hop(struct indexer *ix)
{
	struct blocks *b = ix->blocks;
	int result = blocks_begin(b, ix->header, ix->source->data, ix->source->len);
	b->cancel = &ix->cancel;
	b->reads_inside = ix->jobs.reads_inside;
	source_advise(ix->source, 0, ix->source->len, SOURCE_RANDOM);
	result = result ? result : blocks_more(b, HOPS_FIRST);
	ix->small = b->found - ix->header->data_off < (uint64_t)HOPS_FIRST * SMALL_BLOCK;
	if (ix->small)
		source_advise(ix->source, 0, ix->source->len, SOURCE_SEQUENTIAL);
	return result;
}

/* Blocks found before a cancellation are kept. sketches: show what is found first. */
static int find_blocks(struct indexer *ix, bool sketches)
{
	struct blocks *b = ix->blocks;
	int result = 0;
	b->cancel = &ix->cancel;
	for (bool first = true; result == 0 && b->found < b->len && b->found != b->stop && !atomic_load(&ix->cancel);
		first = false) {
		result = blocks_more(b, HOPS_AT_ONCE);
		if (first && sketches && result == 0 && b->found < b->len && ix->jobs.sketch)
			ix->jobs.sketch(ix->jobs.ctx);
		atomic_store(&ix->found, b->found - ix->header->data_off);
		report(ix, first);
	}
	b->cancel = NULL;
	return result;
}

int indexer_find_blocks(struct indexer *ix) { return find_blocks(ix, true); }

/* Blocks of the second half of the log. */
struct half {
	struct blocks blocks;
	struct indexer *ix;
	int result;
};

static void *find_half(void *arg)
{
	struct half *half = arg;
	if (half->ix->jobs.low_priority)
		worker_low_priority();
	half->result = blocks_more_ahead(&half->blocks);
	return NULL;
}

/* Where blocks are small, finding them reads a byte of nearly all pages: another core finds those of the second half. */
static int find_all_blocks(struct indexer *ix)
{
	enum { LEAST = 4 * INDEXER_MOST };
	struct half half = {.ix = ix};
	struct blocks *b = ix->blocks;
	pthread_t helper;
	if (!ix->small || ix->source->len < LEAST || workers_for(ix->jobs.workers) == 1)
		return indexer_find_blocks(ix);
	int result = blocks_more(b, HOPS_AT_ONCE); /* the capabilities are known then */
	bool helped = result == 0 && blocks_ahead(&half.blocks, b, b->len / 2);
	half.blocks.cancel = &ix->hopped;
	b->stop = helped ? half.blocks.found : 0;
	helped = helped && worker_start(&helper, find_half, &half);
	b->stop = helped ? b->stop : 0;
	result = result ? result : find_blocks(ix, true);
	if (result || b->found != b->stop)
		atomic_store(&ix->hopped, true);
	if (helped) {
		pthread_join(helper, NULL);
		result = result ? result : half.result;
		if (result == 0 && b->found == b->stop)
			result = blocks_append(b, &half.blocks);
		b->stop = 0;
		b->cancel = &ix->cancel;
		result = result ? result : blocks_more(b, 1);
		result = result ? result : find_blocks(ix, false);
	}
	blocks_free(&half.blocks);
	return result;
}

static bool recall(struct indexer *ix)
{
	struct indexer_recalled walk = {0};
	if (!ix->jobs.recall || !ix->jobs.recall(ix->jobs.ctx, &walk, &ix->cancel))
		return false;
	atomic_store(&ix->events, walk.events);
	atomic_store(&ix->data_end, walk.data_end != 0);
	atomic_store(&ix->found, ix->source->len - ix->header->data_off);
	atomic_store(&ix->began_ms, clock_ms());
	store_release(&ix->ready, true);
	return true;
}

static void keep(struct indexer *ix)
{
	const struct indexer_recalled walk = {atomic_load(&ix->events), atomic_load(&ix->data_end)};
	if (ix->jobs.keep && atomic_load(&ix->result) == 0)
		ix->jobs.keep(ix->jobs.ctx, &walk, &ix->cancel);
}

static int begin_tables(struct indexer *ix, struct walk_hooks *hooks)
{
	*ix->tiles = tiles_new(ix->blocks);
	int result = *ix->tiles ? ix->jobs.begin(ix->jobs.ctx, hooks) : EVL_NOMEM;
	if (result < 0)
		return result;
	ix->walk = walk_new(ix->blocks, *ix->tiles, hooks);
	return ix->walk ? 0 : EVL_NOMEM;
}

/* From its first block on. */
static int begin(struct indexer *ix, struct walk_hooks *hooks)
{
	int result = begin_hop(ix);
	result = result ? result : find_all_blocks(ix);
	source_advise(ix->source, 0, ix->source->len, SOURCE_SEQUENTIAL);
	result = result ? result : begin_tables(ix, hooks);
	return result || !ix->jobs.grows ? result : growing_index_plan(ix);
}

static int prepare(struct indexer *ix, struct walk_hooks *hooks)
{
	bool begun = false;
	int result = ix->jobs.grows ? growing_index_go_on(ix, hooks, &begun) : 0;
	result = result || begun ? result : begin(ix, hooks);
	result = result ? result : indexer_cut(ix);
	if (result < 0 && ix->jobs.grows && !begun) /* its settled part may be half made */
		growing_index_spoil(ix->jobs.grows);
	if (result < 0)
		return result;
	atomic_store(&ix->began_ms, clock_ms());
	store_release(&ix->ready, true); /* there is something to draw */
	report(ix, true);
	return 0;
}

static void *run(void *arg)
{
	enum { TRIM_FROM = 16 << 20 }; /* the indexes of smaller logs leave little that is free */
	struct indexer *ix = arg;
	struct walk_hooks hooks = {0};
	bool recalled = recall(ix);
	int result = recalled ? 0 : prepare(ix, &hooks);
	if (result == 0 && !recalled) {
		indexer_walk(ix);
		if (ix->until && (result = growing_index_settle(ix)) == 0)
			indexer_walk(ix);
		result = result < 0 ? result : atomic_load(&ix->result);
		int ended = ix->jobs.end(ix->jobs.ctx);
		if (ix->source->len >= TRIM_FROM)
			sys_heap_trim();
		result = result < 0 ? result : atomic_load(&ix->cancel) ? EVL_CANCELLED : ended;
	}
	atomic_store(&ix->result, result);
	atomic_fetch_add(&ix->cpu_ms, clock_thread_ms());
	atomic_store(&ix->took_ms, clock_ms() - atomic_load(&ix->began_ms));
	store_release(&ix->done, true);
	report(ix, true);
	if (!recalled)
		keep(ix);
	return NULL;
}

int indexer_start(struct indexer **out, struct blocks *blocks, const struct header *h, const struct source *src,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs)
{
	struct indexer *ix = *out = calloc(1, sizeof *ix);
	if (!ix)
		return EVL_NOMEM;
	*ix = (struct indexer){
		.blocks = blocks, .header = h, .source = src, .tiles = tiles, .damage = damage, .jobs = *jobs};
	ix->stop = &ix->cancel;
	pthread_mutex_init(&ix->lock, NULL);
	if (!worker_start(&ix->thread, run, ix)) {
		pthread_mutex_destroy(&ix->lock);
		free(ix);
		*out = NULL;
		return EVL_NOMEM;
	}
	return 0;
}

void indexer_cancel(struct indexer *ix)
{
	atomic_store(&ix->cancel, true);
	atomic_store(&ix->hopped, true);
}

int indexer_wait(struct indexer *ix)
{
	if (!ix->joined)
		pthread_join(ix->thread, NULL);
	ix->joined = true;
	return atomic_load(&ix->result);
}

void indexer_free(struct indexer *ix)
{
	if (!ix)
		return;
	indexer_cancel(ix);
	indexer_wait(ix);
	free_parts(ix);
	walk_free(ix->walk);
	pthread_mutex_destroy(&ix->lock);
	free(ix);
}

struct indexer_state indexer_state(const struct indexer *ix)
{
	struct indexer_state s = {.total = ix->source->len - ix->header->data_off};
	s.done = load_acquire(&ix->done);
	s.ready = load_acquire(&ix->ready);
	s.bytes = s.done && atomic_load(&ix->result) == 0 ? s.total : min_u64(atomic_load(&ix->bytes), s.total);
	s.events = atomic_load(&ix->events);
	s.found = atomic_load(&ix->found);
	if (s.ready)
		s.ms = (uint64_t)(s.done ? atomic_load(&ix->took_ms) : clock_ms() - atomic_load(&ix->began_ms));
	s.cpu_ms = atomic_load(&ix->cpu_ms);
	s.data_end = atomic_load(&ix->data_end);
	s.result = atomic_load(&ix->result);
	return s;
}
