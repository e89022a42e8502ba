#include "log/log_tables.h"

#include "log/index_cache.h"
#include "log/log_image.h"
#include "sys/system.h"
#include "sys/worker.h"

#include <stdlib.h>

static int by_cap(const void *a, const void *b, void *ctx)
{
	const struct chain *chains = ctx;
	return chains[*(const uint32_t *)a].cap - chains[*(const uint32_t *)b].cap;
}

int evl_make_lanes(struct evl_log *log)
{
	const struct blocks *b = &log->blocks;
	log->cap_chains = calloc(b->n_chains ? b->n_chains : 1, sizeof *log->cap_chains);
	if (!log->cap_chains)
		return EVL_NOMEM;
	for (uint32_t i = 0; i < b->n_chains; i++)
		if (b->chains[i].cap != EVL_NO_CAP)
			log->cap_chains[log->n_caps++] = i;
	sys_sort(log->cap_chains, log->n_caps, sizeof *log->cap_chains, by_cap, b->chains);
	return 0;
}

/* Partial results of one part of a chain while it is walked. */
struct partial {
	struct evl_log *log;
	struct gc_partial gc;
	struct event_counts_partial facts;
	struct prof_partial prof[PROF_SOURCES];
	struct busy_runs runs;
	struct thread_cache *threads; /* of the worker */
	struct message_partial messages;
	struct points_partial markers;
	struct span_partial spans;
	struct spark_partial sparks;
	struct ipe_partial ipe;
	struct log_gaps_partial gaps;
	uint64_t tasks_past; /* number of events */
};

static void *open_partial(void *ctx, uint32_t chain, int worker)
{
	struct evl_log *log = ctx;
	struct partial *partial = calloc(1, sizeof *partial);
	if (!partial)
		return NULL;
	partial->log = log;
	partial->threads = &log->thread_caches[worker];
	partial->gc.cap = log->blocks.chains[chain].cap;
	event_counts_open(&partial->facts);
	return partial;
}

static void free_partial(void *arg)
{
	struct partial *partial = arg;
	free(partial->gc.rows);
	busy_drop(&partial->runs);
	for (int i = 0; i < PROF_SOURCES; i++)
		prof_drop(&partial->prof[i]);
	free_all(partial->messages.times, partial->markers.items, partial->spans.events, partial->sparks.notes,
		partial->gaps.items);
	ipe_partial_free(&partial->ipe);
	free(partial);
}

/* --- what a part gathers while it is walked --------------------------------------------------------------------------- */

#define TAKE(name, ...)                                                                                                \
	static void take_##name(void *arg, const struct frame *f, UNUSED uint32_t thread)                              \
	{                                                                                                              \
		struct partial *partial = arg;                                                                         \
		__VA_ARGS__;                                                                                           \
	}
TAKE(facts, event_counts_now(&partial->facts, f))
TAKE(gcs, gcs_event(&partial->log->gcs, &partial->gc, f))
TAKE(label, threads_label(&partial->log->threads, partial->threads, f))
TAKE(ipe, ipe_take(&partial->ipe, f))

static void take_prof(void *arg, const struct frame *f, UNUSED uint32_t thread)
{
	struct partial *partial = arg;
	for (int i = 0; i < PROF_SOURCES; i++)
		prof_now(&partial->log->prof[i], &partial->prof[i], f);
}

/* Events that the program logs itself go to several tables. */
static void take_user(void *arg, const struct frame *f, uint32_t thread)
{
	struct partial *partial = arg;
	event_counts_now(&partial->facts, f);
	spans_now(&partial->spans, f, thread);
	messages_now(&partial->messages, f);
	if (f->tag == EVL_USER_MARKER)
		points_now(&partial->log->markers, &partial->markers, f);
}

static bool facts_want(uint16_t tag) { return event_counts_takes(tag) && !span_syntax_wants(tag); }
static bool labels_want(uint16_t tag) { return tag == EVL_THREAD_LABEL; }
static bool ipe_wants(uint16_t tag) { return tag == EVL_IPE; }

static const struct {
	bool (*wants)(uint16_t tag);
	void (*take)(void *partial, const struct frame *f, uint32_t thread);
} takers[] = {{span_syntax_wants, take_user}, {facts_want, take_facts}, {gcs_wants, take_gcs}, {prof_wants, take_prof},
	{labels_want, take_label}, {ipe_wants, take_ipe}};

/* Pass an event to all of its takers, for tags that several tables want. */
static void take_all(void *arg, const struct frame *f, uint32_t thread)
{
	struct partial *partial = arg;
	for (unsigned left = partial->log->takers[f->tag]; left; left &= left - 1)
		takers[__builtin_ctz(left)].take(arg, f, thread);
}

static bool spare_task(void *arg, const struct frame *f)
{
	struct partial *partial = arg;
	bool past = tasks_is_past(&partial->log->tasks, f);
	partial->tasks_past += past;
	return past;
}

static void block_begins(void *arg, const struct block *block)
{
	struct partial *partial = arg;
	log_gaps_block(&partial->gaps, block);
}

static void tile(void *arg, size_t tile, const uint64_t *tags)
{
	struct partial *partial = arg;
	spark_events_tile(&partial->log->sparks.events, &partial->sparks, tile, tags);
}

static void run_begins(void *arg)
{
	struct partial *partial = arg;
	gcs_run(&partial->gc);
}

static struct walk_run *room(void *arg, size_t *n)
{
	struct partial *partial = arg;
	return busy_room(&partial->log->busy, &partial->runs, n);
}

static void ran(void *arg, const struct walk_run *runs, size_t n)
{
	struct partial *partial = arg;
	partial->runs.ns += threads_ran(&partial->log->threads, partial->threads, runs, n);
	busy_wrote(&partial->runs, runs, n);
}

static void lived(void *arg, const struct walk_life *lives, size_t n)
{
	struct partial *partial = arg;
	threads_lived(&partial->log->threads, partial->threads, lives, n);
}

static void walked(void *arg)
{
	struct partial *partial = arg;
	for (int i = 0; i < PROF_SOURCES; i++)
		prof_walked(&partial->log->prof[i], &partial->prof[i]);
}

static void rested(void *ctx, int worker)
{
	struct evl_log *log = ctx;
	threads_flush(&log->threads, &log->thread_caches[worker]);
}

/* Match the spans known so far. If memory runs out, the previous table is kept. */
static int match_spans(struct evl_log *log, bool all)
{
	uint64_t first, last;
	return evl_range(log, &first, &last) ? spans_match(&log->spans, &log->blocks, last, all) : 0;
}

/* --- tables that are fed in the order of the chains ------------------------------------------------------------------ */

#define FEED(name, ...)                                                                                                \
	static void to_##name(struct evl_log *log, UNUSED uint32_t chain, const struct frame *f)                       \
	{                                                                                                              \
		name##_event(&log->name, __VA_ARGS__);                                                                 \
	}
FEED(heap, chain, f)
FEED(census, &log->header, chain, f)
FEED(nonmoving, chain, f)
FEED(sparks, chain, f)
FEED(cap_life, log->blocks.chains[chain].cap, f)
FEED(tasks, f)
FEED(program, &log->header, f)
FEED(cost_centres, f)
FEED(perf, chain, f)

static const struct {
	bool (*wants)(uint16_t tag);
	void (*take)(struct evl_log *log, uint32_t chain, const struct frame *f);
} feeds[] = {{heap_wants, to_heap}, {census_wants, to_census}, {nonmoving_wants, to_nonmoving},
	{sparks_wants, to_sparks}, {cap_life_wants, to_cap_life}, {tasks_wants, to_tasks}, {program_wants, to_program},
	{cost_centres_wants, to_cost_centres}, {perf_wants, to_perf}};
_Static_assert(countof(feeds) <= 16 && countof(takers) <= 8, "as many as bits in evl_log.feeds, takers");

static void later(void *ctx, uint32_t chain, const struct frame *f)
{
	struct evl_log *log = ctx;
	if (event_counts_wants_later(f->tag))
		event_counts_later(&log->event_counts, f);
	unsigned left = f->tag < WALK_TAGS && event_readable(&log->header, f) ? log->feeds[f->tag] : 0;
	for (; left; left &= left - 1)
		feeds[__builtin_ctz(left)].take(log, chain, f);
}

static void join(void *ctx, uint32_t chain, void *arg, const struct part *part)
{
	struct evl_log *log = ctx;
	struct partial *partial = arg;
	gcs_join(&log->gcs, chain, &partial->gc);
	messages_join(&log->messages, chain, &partial->messages);
	points_join(&log->markers, chain, &partial->markers);
	if (spans_join(&log->spans, chain, &partial->spans) && log->wake)
		match_spans(log, false);
	for (int i = 0; i < PROF_SOURCES; i++)
		prof_join(&log->prof[i], chain, &partial->prof[i]);
	ipe_join(&log->ipe, chain, &partial->ipe);
	log_gaps_join(&log->gaps, chain, &partial->gaps);
	tasks_count_more(&log->tasks, partial->tasks_past);
	spark_events_join(&log->sparks.events, chain, &partial->sparks, part);
	event_counts_join(&log->event_counts, chain, &partial->facts, part);
	if (part->end.state == CAP_RUN && part->last)
		busy_open(&log->busy, chain, part->end.since, part->end.thread);
	busy_join(&log->busy, chain, &partial->runs, part->last ? UINT64_MAX : part->end_t, part->last_t);
	log->threads.anomalies += part->anomalies;
	log->data_end = log->data_end || part->data_end;
	log->nested = log->nested || part->nested;
	free_partial(partial);
}

static void joined(void *ctx)
{
	struct evl_log *log = ctx;
	busy_merge(&log->busy, &log->gcs);
}

/* Return the tables that want a tag and are fed in the order of the chains: bits, by their places in `feeds`. */
static uint16_t feeds_of(uint16_t tag)
{
	unsigned bits = 0;
	for (unsigned i = 0; i < countof(feeds); i++)
		bits |= (unsigned)feeds[i].wants(tag) << i;
	return (uint16_t)bits;
}

static void set_hooks(struct evl_log *log, struct walk_hooks *hooks)
{
	*hooks = (struct walk_hooks){.ctx = log,
		.open = open_partial,
		.free = free_partial,
		.block = block_begins,
		.tile = tile,
		.run = run_begins,
		.room = room,
		.ran = ran,
		.lived = lived,
		.walked = walked,
		.rested = rested,
		.joins = later,
		.join = join,
		.joined = joined};
	for (uint32_t t = 0; t < WALK_TAGS; t++) {
		uint16_t tag = (uint16_t)t;
		log->feeds[tag] = feeds_of(tag);
		hooks->later[tag] = log->feeds[tag] || event_counts_wants_later(tag);
		hooks->spare[tag] = tasks_wants(tag) ? spare_task : NULL;
		log->takers[tag] = 0;
		for (size_t i = 0; i < countof(takers); i++)
			if (takers[i].wants(tag)) {
				log->takers[tag] |= (uint8_t)(1u << i);
				hooks->take[tag] = hooks->take[tag] ? take_all : takers[i].take;
			}
	}
}

static int begin_walk(struct evl_log *log, struct walk_hooks *hooks)
{
	set_hooks(log, hooks);
	hooks->thin_shift = log->downsample_shift = downsample_shift(log->source.len, log->blocks.n_chains);
	log->blocks.fetch = log->fetch;
	log->thread_caches = calloc((size_t)workers_for(log->workers), sizeof *log->thread_caches);
	return log->thread_caches ? evl_make_lanes(log) : EVL_NOMEM;
}

int evl_go_on(struct evl_log *log, const struct evl_log *from, struct walk_hooks *hooks)
{
	int result = begin_walk(log, hooks);
	result = result ? result : log_image_copy(log, from);
	return result ? result : tiles_extend(log->tiles, &log->blocks);
}

int evl_begin(void *ctx, struct walk_hooks *hooks)
{
	struct evl_log *log = ctx;
	const struct blocks *b = &log->blocks;
	int result = begin_walk(log, hooks);
#define TABLE(section, type, member, init, image) result = result ? result : init;
#include "log/log_tables.def"
	return result;
}

/* Free everything that `begin` allocated, filled by the walk or not. */
void evl_free_tables(struct evl_log *log)
{
	if (log->recalled) {
		log_image_drop(log);
		image_free(&log->image);
		if (log->cached.mapped)
			source_close(&log->cached);
	} else if (log->cache && log->cache->figures) {
		log->cache->figures->drop(log->figures);
	}
#define TABLE(section, type, member, init, image) type##_free(&log->member);
#include "log/log_tables.def"
	if (log->pauses)
		gc_pauses_free(log->pauses);
	free_all(log->pauses, log->thread_caches);
	program_free(&log->program);
	tiles_free(log->tiles, log->blocks.n_chains);
	blocks_free(&log->blocks);
	free_all(log->damage.items, log->cap_chains);
}

ORDER_BY(by_offset, struct damage, off);

static void add_damage(struct damage_list *list, struct damage d)
{
	if (GROW(list->items, list->n, list->room))
		list->items[list->n++] = d;
	else
		damage_add_more(list, &(struct damage_list){.more = 1, .more_lost = damage_loses(&d)});
}

/* Collect the damage found by opening, the hop and the walk in one list, in order of offset. */
static void merge_damage(struct evl_log *log)
{
	struct damage_list *all = &log->damage, *hop = &log->blocks.damage;
	const struct {
		bool is_so;
		uint16_t reason;
	} whole[] = {{log->header.cut, DAMAGE_HEADER}, {log->source.truncated, DAMAGE_UNPACK},
		{source_vanished(&log->source), DAMAGE_VANISHED}};
	for (size_t i = 0; i < hop->n; i++)
		add_damage(all, hop->items[i]);
	damage_add_more(all, hop);
	all->more += log->header.twice.more;
	if (log->header.twice.len)
		add_damage(all,
			(struct damage){.off = log->header.twice.off,
				.len = log->header.twice.len,
				.reason = DAMAGE_TWICE,
				.tag = log->header.twice.tag});
	for (size_t i = 0; i < countof(whole); i++)
		if (whole[i].is_so)
			add_damage(all, (struct damage){.off = log->source.len, .reason = whole[i].reason});
	if (log->source.hole) /* with the zeros before it, if there are any */
		damage_add(all, log->source.len, log->source.hole, DAMAGE_ZEROS, 0);
	if (all->n)
		qsort(all->items, all->n, sizeof *all->items, by_offset);
	const struct damage *last = all->n ? &all->items[all->n - 1] : NULL;
	if (log->grows_on && last && last->reason == DAMAGE_CUT && last->off + last->len == log->source.len)
		all->n--;
}

/* Metrics of the whole log, whose time the walk has already split. */
static int stats_of_all(struct evl_log *log)
{
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		return 0;
	log->run_stats = (struct run_stats){.from = first, .to = last};
	run_stats_whole(&log->busy, &log->gcs, last - first, &log->run_stats.time);
	if (log->event_counts.tags.n[EVL_RUN_THREAD]
		&& thread_lives_make(&log->lives, &log->threads, first, last + (last < UINT64_MAX), log->workers) < 0)
		return EVL_NOMEM;
	struct gc_range range = {.gcs = &log->gcs, .from = first, .to = last + 1, .workers = log->workers};
	return run_stats_pauses(&range, &log->run_stats.pauses);
}

/* A program that was killed has not written what was in its buffers: a capability is unknown after the flush of its
 * last block or, if that block is damaged or cut, after its last event. */
static void note_lost(struct evl_log *log)
{
	bool whole_log = log->blocks.ended || log->data_end;
	for (size_t i = 0; i < log->blocks.n_chains && !whole_log; i++) {
		const struct chain *chain = &log->blocks.chains[i];
		const struct block *last = &chain->last;
		uint64_t known = atomic_load(&log->tiles[i].last_t) + 1;
		bool whole = last->head && be32(log->source.data + last->off + FRAME_FIXED) <= last->len;
		for (size_t k = 0; k < log->damage.n; k++)
			whole = whole && log->damage.items[k].off - last->off >= last->len;
		if (chain->cap != EVL_NO_CAP)
			atomic_store(&log->tiles[i].lost_t, whole ? max_u64(known, last->end_t) : known);
	}
}

int evl_end(void *ctx)
{
	struct evl_log *log = ctx;
	busy_end(&log->busy, &log->gcs);
	for (uint32_t i = 0; i < log->blocks.n_chains; i++)
		atomic_store(&log->tiles[i].moved_t, busy_moved(&log->busy, i));
	busy_settle(&log->busy);
	free(log->thread_caches); /* the walk has ended */
	log->thread_caches = NULL;
	census_end(&log->census);
	merge_damage(log);
	note_lost(log);
	tiles_settle(log->tiles, log->blocks.n_chains);
	const uint64_t *n = log->event_counts.tags.n;
	const bool runs = n[EVL_RUN_THREAD] > 0;
	tasks_settle(&(struct tasks_settling){.tasks = &log->tasks,
		.blocks = &log->blocks,
		.tables = log->tiles,
		.runs = runs,
		.migrates = n[EVL_MIGRATE_THREAD] > 0 || (!runs && log->n_caps > 1),
		.workers = log->workers});
	int result = match_spans(log, true);
	return result ? result : stats_of_all(log);
}
