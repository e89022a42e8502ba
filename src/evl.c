#include "evl.h"

#include "decode.h"
#include "indexer.h"

#include <stdlib.h>

static int by_cap(const void *a, const void *b, void *ctx)
{
	const struct chain *chains = ctx;
	return chains[*(const uint32_t *)a].cap - chains[*(const uint32_t *)b].cap;
}

static int make_lanes(struct evl_log *log)
{
	const struct blocks *b = &log->blocks;
	log->lanes = calloc(b->n_chains ? b->n_chains : 1, sizeof *log->lanes);
	if (!log->lanes)
		return EVL_NOMEM;
	for (uint32_t i = 0; i < b->n_chains; i++)
		if (b->chains[i].cap != EVL_NO_CAP)
			log->lanes[log->n_lanes++] = i;
	qsort_r(log->lanes, log->n_lanes, sizeof *log->lanes, by_cap, b->chains);
	return 0;
}

static int begin(void *ctx)
{
	struct evl_log *log = ctx;
	const struct blocks *b = &log->blocks;
	int result = make_lanes(log);
	result = result ? result : gcs_init(&log->gcs, b);
	result = result ? result : threads_init(&log->threads, b);
	result = result ? result : markers_init(&log->markers, b);
	return result ? result : heap_init(&log->heap, b);
}

static void event(void *ctx, const struct frame *f, const struct block *block)
{
	struct evl_log *log = ctx;
	threads_event(&log->threads, block->chain, f);
	gcs_event(&log->gcs, block->chain, log->blocks.chains[block->chain].cap, f);
	heap_event(&log->heap, block->chain, f);
	markers_event(&log->markers, block->chain, f);
	names_event(&log->names, &log->header, f);
}

static int by_offset(const void *a, const void *b)
{
	const struct damage *x = a, *y = b;
	return (x->off > y->off) - (x->off < y->off);
}

/* What the hop and the walk found damaged, in one list by offset. */
static void merge_damage(struct evl_log *log)
{
	struct damage_list *all = &log->damage, *hop = &log->blocks.damage;
	for (size_t i = 0; i < hop->n; i++) {
		if (!GROW(all->items, all->n, all->room))
			break;
		all->items[all->n++] = hop->items[i];
	}
	all->more += hop->more;
	if (all->n)
		qsort(all->items, all->n, sizeof *all->items, by_offset);
}

static int end(void *ctx, const atomic_bool *cancel)
{
	struct evl_log *log = ctx;
	uint64_t first, last;
	merge_damage(log);
	if (!evl_range(log, &first, &last))
		return 0;
	int result = stats_time(&log->blocks, log->tiles, &log->gcs, first, last, cancel, &log->stats.time);
	return result ? result : stats_pauses(&log->gcs, first, last + 1, &log->stats.pauses);
}

/* Of opening, what files and memory have in common: the header. Takes over the source. */
static int open_source(struct evl_log **out, const char *path, struct source *src, struct evl_err *err)
{
	struct evl_log *log = calloc(1, sizeof *log);
	char *name = strdup(path);
	*out = NULL;
	if (!log || !name) {
		free(log);
		free(name);
		source_close(src);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	log->path = name;
	log->source = *src;
	names_init(&log->names);
	struct evl_err why = {0};
	int result = header_parse(&log->header, src->data, src->len, &why);
	if (result < 0) {
		evl_close(log);
		return evl_fail(err, result, why.off, "%s: %s", path, why.text);
	}
	*out = log;
	return 0;
}

int evl_open(struct evl_log **log, const char *path, struct evl_err *err)
{
	struct source src;
	*log = NULL;
	int result = source_open(&src, path, err);
	return result < 0 ? result : open_source(log, path, &src, err);
}

int evl_open_memory(struct evl_log **log, const void *data, size_t len, struct evl_err *err)
{
	struct source src;
	source_from_memory(&src, data, len);
	return open_source(log, "memory", &src, err);
}

int evl_start(struct evl_log *log, void (*wake)(void *), void *ctx)
{
	struct indexer_jobs jobs = {.ctx = log, .begin = begin, .event = event, .end = end, .wake = wake, .wake_ctx = ctx};
	log->indexer = indexer_start(&log->blocks, &log->header, log->source.data, log->source.len, &log->tiles, &log->damage,
		&jobs);
	return log->indexer ? 0 : EVL_NOMEM;
}

int evl_wait(struct evl_log *log)
{
	return indexer_wait(log->indexer);
}

void evl_cancel(struct evl_log *log)
{
	indexer_cancel(log->indexer);
}

void evl_close(struct evl_log *log)
{
	if (!log)
		return;
	indexer_free(log->indexer);
	gcs_free(&log->gcs);
	threads_free(&log->threads);
	markers_free(&log->markers);
	heap_free(&log->heap);
	names_free(&log->names);
	tiles_free(log->tiles, log->blocks.n_chains);
	blocks_free(&log->blocks);
	header_free(&log->header);
	source_close(&log->source);
	free(log->damage.items);
	free(log->lanes);
	free(log->path);
	free(log);
}

struct evl_progress evl_progress(const struct evl_log *log)
{
	if (!log->indexer)
		return (struct evl_progress){0};
	struct indexer_state s = indexer_state(log->indexer);
	return (struct evl_progress){.bytes = s.bytes, .total = s.total, .events = s.events, .ready = s.ready,
		.done = s.done, .result = s.result};
}

/* As the block markers tell: the begin is exact more often than not, the end is late. */
static void range_of_blocks(const struct blocks *b, uint64_t *first, uint64_t *last)
{
	for (size_t i = 0; i < b->n; i++) {
		*first = min_u64(*first, b->items[i].t);
		*last = max_u64(*last, b->items[i].head ? b->items[i].end_t : 0);
	}
}

bool evl_range(const struct evl_log *log, uint64_t *first, uint64_t *last)
{
	bool walked = true;
	*first = UINT64_MAX;
	*last = 0;
	for (size_t i = 0; i < log->blocks.n_chains; i++) {
		struct tile_table *t = &log->tiles[i];
		walked = walked && atomic_load(&t->known_t) == UINT64_MAX;
		*first = min_u64(*first, atomic_load(&t->first_t));
		*last = max_u64(*last, atomic_load(&t->last_t));
	}
	if (!walked)
		range_of_blocks(&log->blocks, first, last);
	return *first <= *last;
}

bool evl_unfinished(const struct evl_log *log)
{
	return !log->blocks.ended && !indexer_state(log->indexer).data_end;
}

struct evl_str evl_text_at(const struct evl_log *log, uint64_t off)
{
	struct evl_value values[EVL_MAX_FIELDS];
	struct frame f;
	if (off == 0 || off >= log->source.len
		|| frame_read(&log->header, log->source.data, off, log->source.len, &f) != FRAME_OK)
		return (struct evl_str){0};
	const struct schema *schema = header_find(&log->header, f.tag)->schema;
	int n = schema ? decode(schema, f.payload, values) : 0;
	for (int i = 0; i < n; i++)
		if (schema->fields[i].kind == EVL_K_str)
			return values[i].str;
	return (struct evl_str){0};
}

struct evl_str evl_label(const struct evl_log *log, uint32_t thread)
{
	return evl_text_at(log, threads_label_at(&log->threads, thread));
}
