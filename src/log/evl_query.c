#include "log/log.h"

#include "format/decode.h"

uint64_t evl_index_bytes(const struct evl_log *log)
{
	uint64_t sum = log->blocks.n_rows * sizeof *log->blocks.rows;
	for (size_t i = 0; i < log->blocks.n_chains; i++) {
		sum += tiles_bytes(&log->tiles[i]);
		for (int k = 0; k < PYRAMID_LEVELS; k++)
			sum += rows_count(&log->gcs.tables[i].pyramid.levels[k]) * sizeof(struct gc_pyramid_node);
	}
	return sum;
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
	if (!walked && log->blocks.n) { /* as the markers tell: the begin is exact more often than not, the end is late */
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
	const struct schema *schema = header_find(&log->header, f.tag)->schema;
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
	return (struct prof_naming){&log->cost_centres, &log->ipe, &log->blocks};
}

struct evl_str evl_label(const struct evl_log *log, uint32_t thread)
{
	return evl_text_at(log, threads_label_at(&log->threads, thread));
}

int evl_stats(const struct evl_log *log, uint64_t from, uint64_t to, struct run_stats *out)
{
	return evl_stats_until(log, from, to, NULL, out);
}

int evl_stats_until(const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel, struct run_stats *out)
{
	uint64_t first, last;
	*out = (struct run_stats){0};
	if (!evl_range(log, &first, &last))
		return 0;
	out->from = min_u64(max_u64(from, first), last);
	out->to = max_u64(min_u64(to, last), out->from);
	int result = run_stats_time(&log->blocks, log->tiles, &log->gcs, out->from, out->to, cancel, &out->time);
	struct gc_range range = {&log->gcs, from, to, log->workers, cancel};
	return result ? result : run_stats_pauses(&range, &out->pauses);
}
