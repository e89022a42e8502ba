#include "query/gc_detail.h"

#include "format/decode.h"
#include "index/chain_seek.h"
#include "index/event_find.h"

#include <stdlib.h>

/* gc_around - what stands around a collection in the log: of gc_detail.h what is found by reading on. */

enum { MOST_EVENTS = 1 << 16 }; /* that are read of one capability for one collection */

static size_t ready_tiles(const struct tile_table *table)
{
	return atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->ready, memory_order_acquire);
}

/* Stand a little before t in a chain. False: nothing of it is indexed. */
static bool begin_at(struct cursor *c, const struct evl_log *log, uint32_t chain, uint64_t t)
{
	const struct tile_table *table = &log->tiles[chain];
	size_t ready = ready_tiles(table), tile;
	if (ready == 0)
		return false;
	tile = tiles_before(table, ready, t);
	cursor_begin(c, &log->blocks, &log->blocks.chains[chain],
		atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->walked, memory_order_acquire));
	cursor_seek(c, table->tiles[tile].off);
	return true;
}

static bool readable(const struct evl_log *log, const struct frame *f) { return event_readable(&log->header, f); }

/* --- its leader ----------------------------------------------------------------------------------------------------- */

static void take_size(const struct evl_log *log, const struct frame *f, struct gc_around *out)
{
	enum { BYTES_AT = 4 };
	struct heap_return r;
	const uint8_t *p = f->payload.p;
	switch (f->tag) {
	case EVL_HEAP_LIVE:
		out->has_live = true;
		out->live = be64(p + BYTES_AT);
		break;
	case EVL_HEAP_SIZE:
		out->has_size = true;
		out->size = be64(p + BYTES_AT);
		break;
	case EVL_BLOCKS_SIZE:
		out->has_blocks = true;
		out->blocks = be64(p + BYTES_AT);
		break;
	case EVL_MEM_RETURN:
		out->has_return = heap_return_at(&log->blocks, f->off, &r);
		if (out->has_return) {
			out->current = r.current;
			out->needed = r.needed;
			out->returned = r.returned;
		}
		break;
	default: break;
	}
}

/* Find what a capability does next. */
static bool goes_on(uint16_t tag)
{
	return tag == EVL_RUN_THREAD || tag == EVL_REQUEST_SEQ_GC || tag == EVL_REQUEST_PAR_GC || tag == EVL_GC_START;
}

bool gc_around(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_around *out)
{
	struct cursor c;
	struct frame f;
	const struct block *block;
	bool in = false;
	*out = (struct gc_around){0};
	if (!begin_at(&c, log, chain, gc->start))
		return false;
	for (int n = 0; n < MOST_EVENTS && cursor_next(&c, &f, &block); n++) {
		bool begins = f.tag == EVL_GC_START && f.t == gc->start;
		if (in && goes_on(f.tag))
			return true;
		in = in || begins;
		if (in && readable(log, &f))
			take_size(log, &f, out);
	}
	return !c.missing;
}

/* --- all capabilities ------------------------------------------------------------------------------------------------- */

/* The phase that a worker is in when an event comes. */
struct phase {
	uint16_t tag;
	uint64_t since;
};

static void take_phase(struct gc_worker *w, struct phase *phase, const struct frame *f)
{
	if (phase->tag == EVL_GC_IDLE)
		w->idle_ns += sub_or_0(f->t, phase->since);
	*phase = (struct phase){f->tag, f->t};
	if (f->tag == EVL_GC_WORK && !w->work)
		w->work = f->t;
	if (f->tag == EVL_GC_DONE)
		w->done = f->t;
	if (f->tag == EVL_GC_END)
		w->end = f->t;
}

/* Describe a capability between request and end; return false if it did not take part. */
static bool worked(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_worker *w)
{
	struct cursor c;
	struct frame f;
	const struct block *block;
	struct phase phase = {0};
	*w = (struct gc_worker){.cap = log->blocks.chains[chain].cap};
	if (!begin_at(&c, log, chain, gc_requested(gc)))
		return false;
	for (int n = 0; n < MOST_EVENTS && cursor_next(&c, &f, &block); n++) {
		bool is_phase = f.tag >= EVL_GC_START && f.tag <= EVL_GC_END,
		     later = f.tag >= EVL_GC_IDLE && f.tag <= EVL_GC_DONE;
		if (w->end || (!w->start && f.t > gc_end(gc)) || (w->start && f.tag == EVL_RUN_THREAD))
			break;
		if (f.tag == EVL_GC_START && !w->start && f.t >= gc_requested(gc) && f.t <= gc_end(gc))
			w->start = f.t;
		if (w->start && (is_phase || later))
			take_phase(w, &phase, &f);
	}
	return w->start;
}

size_t gc_workers(const struct evl_log *log, const struct gc_row *gc, struct gc_worker *out, size_t room)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n_caps; i++) {
		struct gc_worker w;
		if (!worked(log, log->cap_chains[i], gc, &w))
			continue;
		if (n < room)
			out[n] = w;
		n++;
	}
	return n;
}

/* --- allocation --------------------------------------------------------------------------------------------------- */

/* Return the bytes allocated by all capabilities by the end of a collection. In small logs every sample is kept; in
 * large ones they are looked up in the log. */
static bool allocated_by(const struct evl_log *log, const struct gc_row *gc, uint64_t *sum)
{
	struct gc_stats stats = {0};
	struct found last;
	struct frame f;
	enum { BYTES_AT = 4 };
	if (gc && gc->off && !gc_stats(log, gc, &stats))
		return false;
	uint64_t t = gc ? max_u64(gc_end(gc), stats.t) + 1 : 0;
	for (size_t i = 0; i < log->n_caps && t; i++) {
		if (!find_last_in(&log->blocks, log->tiles, log->cap_chains[i], EVL_HEAP_ALLOCATED, t, &last)) {
			if (last.missing)
				return false;
			continue;
		}
		if (frame_read(&log->header, log->source.data, last.off, log->source.len, &f) == FRAME_OK
			&& readable(log, &f))
			*sum += be64(f.payload.p + BYTES_AT);
	}
	return true;
}

bool gc_allocated(const struct evl_log *log, const struct gc_row *gc, uint64_t *out)
{
	uint64_t before = 0, after = 0;
	if (!log->heap.has_allocated)
		return false;
	if (!allocated_by(log, gcs_before(&log->gcs, gc->start, GC_ALL), &before) || !allocated_by(log, gc, &after))
		return false;
	*out = sub_or_0(after, before);
	return true;
}

/* --- why ---------------------------------------------------------------------------------------------------------- */

static bool nothing_ran(const struct evl_log *log, uint64_t t)
{
	enum { IDLE_NS = 300000000 };
	for (size_t i = 0; i < log->n_caps; i++) {
		struct cap_moment m;
		caps_at(&log->blocks, &log->tiles[log->cap_chains[i]], log->cap_chains[i], t, &m);
		if (!m.known || m.state != CAP_IDLE || t - min_u64(m.since, t) < IDLE_NS)
			return false;
	}
	return log->n_caps > 0;
}

/* The leader's last stop before the request was for another reason than a heap overflow. */
static bool stopped_otherwise(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	enum { STATUS_AT = 4, HEAP_OVERFLOW = 1 };
	struct found last;
	struct frame f;
	return find_last_in(&log->blocks, log->tiles, chain, EVL_STOP_THREAD, t + 1, &last)
		&& frame_read(&log->header, log->source.data, last.off, log->source.len, &f) == FRAME_OK
		&& readable(log, &f) && be16(f.payload.p + STATUS_AT) != HEAP_OVERFLOW;
}

unsigned gc_why(const struct evl_log *log, uint32_t chain, const struct gc_row *gc)
{
	struct nm_phase phase;
	unsigned why = 0;
	if (gc_requested(gc) > 0 && nothing_ran(log, gc_requested(gc) - 1))
		why |= GC_WHY_IDLE;
	if (!gc_is_major(&log->gcs, gc))
		return why;
	if (!(why & GC_WHY_IDLE) && stopped_otherwise(log, chain, gc_requested(gc)))
		why |= GC_WHY_FORCED;
	if (nonmoving_after(&log->nonmoving, gc->start, &phase) && phase.kind == NM_MARK) {
		const struct gc_row *next = gcs_after(&log->gcs, gc->start, GC_ALL);
		why |= !next || phase.start < next->start ? GC_WHY_NONMOVING : 0;
	}
	return why;
}

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

/* Take the last run of a capability that starts before the collection and ends after the request. Return false if
 * its activity then is not completely known. */
static bool note_last_run(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_late_run *out)
{
	struct chain_seek s;
	uint64_t last = 0;
	uint32_t thread = 0;
	if (!chain_seek_begin(&s, &log->blocks, &log->tiles[chain], chain))
		return false;
	chain_seek_advance(&s, gc_requested(gc) + 1);
	while (chain_seek_due(&s, gc->start)) {
		struct cap_pos was = s.pos;
		uint64_t t = s.next.t;
		if (!chain_seek_step(&s) || was.state != CAP_RUN)
			continue;
		last = t;
		thread = was.thread;
	}
	if (s.pos.state == CAP_RUN) {
		last = gc->start;
		thread = s.pos.thread;
	}
	gc_late_note(out, gc, last, log->blocks.chains[chain].cap, thread);
	return !s.cursor.missing && gc->start <= chain_seek_known(&log->tiles[chain]);
}

void gc_late(const struct evl_log *log, const struct gc_row *gc, struct gc_late *out)
{
	*out = (struct gc_late){.some = log->n_caps > GC_DETAIL_CAPS};
	for (size_t i = 0; gc->sync && i < log->n_caps && i < GC_DETAIL_CAPS; i++) {
		uint32_t chain = log->cap_chains[i];
		if (log->blocks.chains[chain].cap != gc->cap && !note_last_run(log, chain, gc, &out->run))
			out->some = true;
	}
	out->rest = gc->sync - out->run.late;
	out->by_thread = gc_late_is_cause(gc, out->run.late);
}
