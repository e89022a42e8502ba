#include "query/gc_detail.h"

#include "format/decode.h"

enum { PIECE = 4096 };

bool gc_stats(const struct evl_log *log, const struct gc_row *gc, struct gc_stats *out)
{
	struct evl_value values[EVL_MAX_FIELDS];
	struct frame f;
	if (gc->off == 0 || gc->off >= log->source.len || (log->fetch && !prefetch_ready(log->fetch, gc->off, PIECE))
		|| frame_read(&log->header, log->source.data, gc->off, log->source.len, &f) != FRAME_OK
		|| f.tag != EVL_GC_STATS_GHC)
		return false;
	const struct schema *schema = header_find(&log->header, f.tag)->schema;
	if (!schema || decode(schema, f.payload, values) < 0)
		return false;
	const struct {
		const char *name;
		uint64_t *to;
	} fields[] = {{"copied", &out->copied}, {"slop", &out->slop}, {"frag", &out->frag},
		{"par_balanced_copied", &out->par_balanced}, {"par_n_threads", &out->par_threads},
		{"par_max_copied", &out->par_max_copied}, {"par_tot_copied", &out->par_copied}};
	*out = (struct gc_stats){.t = f.t, .has_balanced = decode_field(schema, "par_balanced_copied") >= 0};
	for (size_t i = 0; i < countof(fields); i++) {
		int field = decode_field(schema, fields[i].name);
		*fields[i].to = field >= 0 ? values[field].u : 0;
	}
	return true;
}

/* What the capability did before it joined the collection: its GC_START is when it arrived, not when it stopped. */
static void before_arrival(const struct evl_log *log, uint32_t chain, uint64_t t, struct cap_moment *out)
{
	caps_at(&log->blocks, &log->tiles[chain], chain, t, out);
	if (out->known && out->state == CAP_GC && out->since > 0)
		caps_at(&log->blocks, &log->tiles[chain], chain, out->since - 1, out);
}

void gc_late(const struct evl_log *log, const struct gc_row *gc, struct gc_late *out)
{
	uint64_t last = gc_requested(gc);
	*out = (struct gc_late){.some = log->n_lanes > GC_DETAIL_CAPS};
	for (size_t i = 0; gc->sync && i < log->n_lanes && i < GC_DETAIL_CAPS; i++) {
		uint32_t chain = log->lanes[i];
		uint16_t cap = log->blocks.chains[chain].cap;
		struct cap_moment m;
		if (cap == gc->cap)
			continue;
		before_arrival(log, chain, gc->start - 1, &m);
		out->some = out->some || !m.known;
		uint64_t stopped = m.state == CAP_RUN ? min_u64(m.until, gc->start) : m.since;
		if (!m.known || m.state == CAP_GC || stopped <= last)
			continue;
		*out = (struct gc_late){.found = true, .some = out->some, .cap = cap, .thread = m.thread,
			.after = stopped - gc_requested(gc)};
		last = stopped;
	}
}
