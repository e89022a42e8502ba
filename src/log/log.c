#include "log/log.h"

#include "format/decode.h"
#include "index/indexer.h"
#include "log/growing.h"
#include "log/hp_import.h"
#include "log/index_cache.h"
#include "log/log_tables.h"
#include "prof/ccdb.h"

#include <assert.h>
#include <stdlib.h>

static void free_sketch(struct evl_log *sketch)
{
	if (sketch)
		evl_free_tables(sketch);
	free(sketch);
}

static const struct evl_log *whole_of(const struct evl_log *log)
{
	const struct evl_log *whole = log->whole;
	return whole ? whole : log;
}

/* Out of memory: there is none. */
static void make_sketch(void *ctx)
{
	struct evl_log *log = ctx, *s = calloc(1, sizeof *s);
	struct walk_hooks unused = {0};
	if (!s)
		return;
	*s = (struct evl_log){.path = log->path,
		.source = log->source,
		.from_t = log->from_t,
		.header = log->header,
		.fetch = log->fetch,
		.whole = log};
	program_init(&s->program);
	bool good = blocks_sketch(&s->blocks, &log->blocks) == 0 && (s->tiles = tiles_new(&s->blocks))
		&& evl_begin(s, &unused) == 0;
	if (good)
		store_release(&log->sketch, s);
	else
		free_sketch(s);
}

/* Parse the header; shared by evl_open and evl_open_memory. Takes ownership of the source. */
int evl_open_source(struct evl_log **out, const char *path, struct source *src, struct evl_err *err)
{
	struct evl_log *log = calloc(1, sizeof *log);
	char *name = strdup(path);
	*out = NULL;
	if (!log || !name) {
		free_all(log, name);
		source_close(src);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	log->path = name;
	log->source = *src;
	program_init(&log->program);
	struct evl_err why = {0};
	int result = header_parse(&log->header, src->data, src->len, &why);
	if (result < 0) {
		evl_close(log);
		return evl_fail(err, result, why.off, "%s: %s", path, why.text);
	}
	*out = log;
	return 0;
}

int evl_open_watched(struct evl_log **log, const char *path, const struct decompress_watch *watch, struct evl_err *err)
{
	struct source src = {0};
	*log = NULL;
	int result = source_open(&src, path, err);
	const uint8_t *packed = src.data;
	result = result < 0 ? result : unpack(&src, path, watch, err);
	result = result < 0 ? result : hp_open(&src, path, watch, err);
	result = result < 0 ? result : evl_open_source(log, path, &src, err);
	if (result == 0)
		(*log)->unpacked = (*log)->source.data != packed;
	return result;
}

int evl_open(struct evl_log **log, const char *path, struct evl_err *err)
{
	return evl_open_watched(log, path, NULL, err);
}

int evl_open_memory(struct evl_log **log, const void *data, size_t len, struct evl_err *err)
{
	struct source src;
	source_from_memory(&src, data, len);
	return evl_open_source(log, "memory", &src, err);
}

void evl_never_wait(struct evl_log *log, void (*wake)(void *), void *ctx)
{
	log->fetch = prefetch_new(&log->source, wake, ctx);
}

void evl_use_threads(struct evl_log *log, int n) { log->workers = n; }

void evl_use_cache(struct evl_log *log, struct index_cache *cache) { log->cache = cache; }

void evl_keep_late(struct evl_log *log) { log->keeps_late = log->cache != NULL; }

void evl_keep(struct evl_log *log)
{
	atomic_bool never = false;
	struct indexer_state s =
		log->keeps_late && log->indexer ? indexer_state(log->indexer) : (struct indexer_state){0};
	log->keeps_late = false;
	if (s.done && s.result == 0 && !log->recalled && !evl_misread(log))
		index_cache_keep(log, &(struct indexer_recalled){s.events, s.data_end}, &never);
}

static void keep(void *ctx, const struct indexer_recalled *walked, const atomic_bool *cancel)
{
	if (!evl_misread(ctx))
		index_cache_keep(ctx, walked, cancel);
}

static int start(struct evl_log *log)
{
	struct indexer_jobs jobs = {.ctx = log,
		.recall = log->cache && !log->reads_inside ? index_cache_recall : NULL,
		.keep = log->cache && !log->keeps_late ? keep : NULL,
		.sketch = log->fetch && !log->sketch ? make_sketch : NULL,
		.begin = evl_begin,
		.grows = log->grows ? growing_index_of(log->grows) : NULL,
		.go_on = growing_go_on,
		.settle = growing_settle,
		.end = evl_end,
		.wake = log->wake,
		.wake_ctx = log->wake_ctx,
		.workers = log->workers,
		.low_priority = log->fetch != NULL,
		.reads_inside = log->reads_inside};
	return indexer_start(&log->indexer, &log->blocks, &log->header, &log->source, &log->tiles, &log->damage, &jobs);
}

int evl_start(struct evl_log *log, void (*wake)(void *), void *ctx)
{
	log->wake = wake;
	log->wake_ctx = ctx;
	return start(log);
}

bool evl_misread(const struct evl_log *log) { return log->nested && !log->reads_inside; }

int evl_read_again(struct evl_log *log)
{
	indexer_free(log->indexer);
	evl_free_tables(log);
	*log = (struct evl_log){.path = log->path,
		.source = log->source,
		.unpacked = log->unpacked,
		.from_t = log->from_t,
		.header = log->header,
		.reads_inside = true,
		.wake = log->wake,
		.wake_ctx = log->wake_ctx,
		.workers = log->workers,
		.exe = log->exe,
		.build_id = log->build_id,
		.ccdb = log->ccdb,
		.fetch = log->fetch,
		.sketch = log->sketch,
		.cache = log->cache,
		.keeps_late = log->keeps_late,
		.may_keep = log->may_keep,
		.holds = log->holds};
	program_init(&log->program);
	log->cost_centres.others = log->ccdb;
	int result = start(log);
	if (log->sketch)
		log->sketch->whole = log;
	return result;
}

int evl_wait(struct evl_log *log)
{
	log = log->whole ? log->whole : log;
	int result = indexer_wait(log->indexer);
	if (result < 0 || !evl_misread(log))
		return result;
	result = evl_read_again(log);
	return result < 0 ? result : indexer_wait(log->indexer);
}

struct evl_log *evl_sketch(struct evl_log *log)
{
	struct evl_log *sketch = log->sketch;
	if (!sketch) {
		make_sketch(log);
		sketch = log->sketch;
	}
	if (sketch) /* its jobs must not look at an indexer that is freed */
		sketch->whole = NULL;
	return sketch;
}

struct evl_log *evl_shown(struct evl_log *log)
{
	struct evl_log *whole = log->whole ? log->whole : log, *sketch = load_acquire(&whole->sketch);
	return sketch && (!whole->indexer || !indexer_state(whole->indexer).ready) ? sketch : whole;
}

void evl_cancel(struct evl_log *log)
{
	if (whole_of(log)->indexer) /* none: evl_read_again got no memory for it */
		indexer_cancel(whole_of(log)->indexer);
}

void evl_hold(struct evl_log **place, struct evl_log *log)
{
	if (log)
		log->holds++;
	evl_close(*place);
	*place = log;
}

void evl_close(struct evl_log *log)
{
	if (!log)
		return;
	if (log->holds) {
		log->holds--;
		return;
	}
	log = log->whole ? log->whole : log;
	evl_keep(log);
	indexer_free(log->indexer);
	free_sketch(log->sketch);
	exe_close(log->exe);
	ccdb_close(log->ccdb);
	prefetch_free(log->fetch);
	evl_free_tables(log);
	header_free(&log->header);
	source_release(&log->source, log->workers);
	source_close(&log->source);
	free_all(log->path, log);
}

/* Keep them for the next query if the log is indexed, unless another thread kept its own in the meantime: nothing else
 * changes in a log that is done. */
int evl_all_pauses(struct gc_pauses *out, const struct evl_log *log, const struct progress *watch)
{
	_Atomic(struct gc_pauses *) *place = (void *)(uintptr_t)&log->pauses;
	bool done = evl_progress(log).done;
	struct gc_pauses *kept = atomic_load(place), *none = NULL;
	if (kept)
		return gc_pauses_borrow(out, kept);
	int result = gc_pauses_make(out, &log->gcs, 0, UINT64_MAX, watch);
	if (result < 0 || !done || !(kept = malloc(sizeof *kept)))
		return result;
	*kept = *out;
	kept->reader = NULL;
	out->borrows = atomic_compare_exchange_strong(place, &none, kept);
	if (!out->borrows)
		free(kept);
	return 0;
}

struct evl_progress evl_progress(const struct evl_log *log)
{
	const struct evl_log *whole = whole_of(log);
	if (!whole->indexer)
		return (struct evl_progress){0};
	struct indexer_state s = indexer_state(whole->indexer);
	bool fetching = log->fetch && prefetch_due(log->fetch); /* before they are counted */
	struct evl_progress p = {.bytes = s.bytes,
		.total = s.total,
		.found = s.found,
		.events = s.events,
		.ms = s.ms,
		.ready = s.ready,
		.done = s.done,
		.result = s.result,
		.fetching = fetching,
		.fetched = log->fetch ? prefetch_count(log->fetch) : 0};
	if (log->whole) { /* what is ready then is not this one */
		p.done = p.done && !p.ready;
		p.ready = true;
	}
	return p;
}

int64_t evl_index_cpu_ms(const struct evl_log *log) { return log->indexer ? indexer_state(log->indexer).cpu_ms : 0; }

bool evl_unfinished(const struct evl_log *log)
{
	const struct indexer *indexer = whole_of(log)->indexer;
	bool data_end = log->recalled || !indexer ? log->data_end : indexer_state(indexer).data_end;
	return !log->blocks.ended && !data_end;
}

uint64_t evl_index_bytes(const struct evl_log *log)
{
	uint64_t sum = log->blocks.n_rows * sizeof *log->blocks.rows + log->blocks.n_list * sizeof *log->blocks.list
		+ busy_gaps_bytes(&log->busy.gaps);
	for (size_t i = 0; i < log->blocks.n_chains; i++) {
		sum += tiles_bytes(&log->tiles[i]);
		sum += gc_pyramid_bytes(&log->gcs.tables[i].pyramid);
	}
	return sum;
}

uint64_t evl_known(const struct evl_log *log)
{
	uint64_t known = UINT64_MAX;
	for (size_t i = 0; i < log->n_caps; i++)
		known = min_u64(known, load_acquire(&log->tiles[log->cap_chains[i]].known_t));
	return known;
}

uint64_t evl_complete_until(const struct evl_log *log)
{
	uint64_t shown = UINT64_MAX;
	for (size_t i = 0; i < log->n_caps; i++)
		shown = min_u64(shown, load_acquire(&log->tiles[log->cap_chains[i]].lost_t) - 1);
	return shown == UINT64_MAX ? shown : shown + 1;
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
	if (!walked && log->blocks.n) { /* from the block markers: the start is usually exact, the end is late */
		*first = min_u64(*first, log->blocks.first_t);
		*last = max_u64(*last, log->blocks.max_end);
	}
	*first = max_u64(*first, log->from_t);
	return *first <= *last;
}

/* Texts are fetched in pieces as large as nearly all of them are. */
enum { TEXT_PIECE = 4096 };

struct evl_str evl_text_at(const struct evl_log *log, uint64_t off)
{
	struct evl_value values[EVL_MAX_FIELDS];
	struct frame f;
	if (off == 0 || off >= log->source.len || (log->fetch && !prefetch_ready(log->fetch, off, TEXT_PIECE))
		|| frame_read(&log->header, log->source.data, off, log->source.len, &f) != FRAME_OK)
		return (struct evl_str){0};
	const struct schema *schema = header_of(&log->header, f.tag)->schema;
	int n = schema ? decode(schema, f.payload, values) : 0;
	for (int i = 0; i < n; i++)
		if (schema->fields[i].kind == EVL_K_str)
			return values[i].str;
	return (struct evl_str){0};
}

bool evl_cost_centre(const struct evl_log *log, uint32_t id, struct cost_centre *out)
{
	return cost_centre_read(&log->cost_centres, &log->blocks, id, out);
}

const struct prof *evl_profile(const struct evl_log *log)
{
	bool centres = prof_samples(&log->prof[PROF_CENTRES]) || !prof_samples(&log->prof[PROF_CALLS]);
	return &log->prof[centres ? PROF_CENTRES : PROF_CALLS];
}

struct prof_naming evl_naming(const struct evl_log *log)
{
	return (struct prof_naming){&log->cost_centres, &log->ipe, &log->blocks, atomic_load(&log->exe)};
}

void evl_use_exe(struct evl_log *log, struct exe *exe)
{
	exe_after(exe, atomic_load(&log->exe));
	atomic_store(&log->exe, exe);
}

void evl_use_ccdb(struct evl_log *log, struct ccdb *db)
{
	assert(!log->ccdb);
	log->ccdb = db;
	atomic_store(&log->cost_centres.others, db);
}

struct evl_str evl_label(const struct evl_log *log, uint32_t thread)
{
	return evl_text_at(log, threads_label_at(&log->threads, thread));
}

int evl_stats(const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel, struct run_stats *out)
{
	uint64_t first, last;
	*out = (struct run_stats){0};
	if (!evl_range(log, &first, &last))
		return 0;
	out->from = min_u64(max_u64(from, first), last);
	out->to = max_u64(min_u64(to, last), out->from);
	int result = run_stats_time(&log->blocks, log->tiles, &log->gcs, out->from, out->to, cancel, &out->time);
	struct gc_range range = {.gcs = &log->gcs, .from = from, .to = to, .workers = log->workers, .cancel = cancel};
	return result ? result : run_stats_pauses(&range, &out->pauses);
}
