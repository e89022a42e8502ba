/* export_perfetto.c - export perfetto: the timeline as TrackEvent packets, for ui.perfetto.dev and trace_processor.
 *
 * Tracks: each capability (runs, messages, wake-ups), each thread with a label (runs), GC (a slice per collection, from its
 * request, the sync as its child), nonmoving, spans (by row), markers, and counters of the heap. A flow leads from a
 * wake-up to the run that followed. Packets of a track are in order of time, those of several are not.
 *
 * The events are read twice: at first to find the wake-ups that a run follows, a bit each. Field numbers:
 * protos/perfetto/trace of github.com/google/perfetto. */
#include "base/decimal.h"
#include "base/idmap.h"
#include "export/export.h"
#include "export/intern.h"
#include "export/proto.h"
#include "index/event_rank.h"
#include "rows/rows.h"
#include "table/gc_table.h"

#include <stdio.h>
#include <stdlib.h>

enum { /* of Trace */ PACKET = 1 };
enum { /* of TracePacket */ TIMESTAMP = 8,
	SEQUENCE_ID = 10,
	TRACK_EVENT = 11,
	INTERNED = 12,
	SEQUENCE_FLAGS = 13,
	TRACK_DESCRIPTOR = 60 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum { /* of TrackEvent */ ANNOTATION = 4,
	TYPE = 9,
	NAME_IID = 10,
	TRACK_UUID = 11,
	NAME = 23,
	COUNTER_VALUE = 30,
	FLOW_IDS = 47,
	TERMINATING_FLOW_IDS = 48 };
enum { /* of InternedData */ EVENT_NAMES = 2 };
enum { /* of EventName */ IID = 1, IID_NAME = 2 };
enum { /* of DebugAnnotation */ ANNOTATION_UINT = 3, ANNOTATION_NAME = 10 };
enum { /* of TrackDescriptor */ UUID = 1, TRACK_NAME = 2, PROCESS = 3, PARENT = 5, COUNTER = 8 };
enum { /* of ProcessDescriptor */ PID = 1, CMDLINE = 2, PROCESS_NAME = 6 };
enum { /* of CounterDescriptor */ COUNTER_UNIT = 3, UNIT_SIZE_BYTES = 3 };
enum event_type { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNT = 4 };

/* Tracks by uuid. */
enum {
	TRACK_PROCESS = 1,
	TRACK_GC,
	TRACK_NONMOVING,
	TRACK_MARKERS,
	TRACK_MESSAGES,
	TRACK_LIVE,
	TRACK_SIZE,
	TRACK_BLOCKS,
	TRACK_SPANS = 0x100,
	TRACK_CAPS = 0x10000,
	TRACK_ALLOCATED = 0x20000
};
static uint64_t thread_track(uint32_t thread) { return 1ull << 32 | thread; }

struct wakes {                /* the same in both passes */
	struct idmap pending; /* thread -> number of the wake-up that nothing followed yet */
	uint32_t n;
};

enum { RECENT = 1 << 12 };

struct trace {
	struct export *x;
	struct buf *out;
	uint64_t from, to; /* within the log */
	struct interns names;
	uint64_t bits;       /* cursor_bit of the events that are read */
	uint32_t *running;   /* by chain: the thread that runs; 0: none */
	uint64_t *cap_names; /* by chain: number of its capability's name; 0: not known yet */
	uint64_t wake_name;  /* number of "wake-up"; 0: not known yet */
	struct recent {      /* threads that ran, by id % RECENT */
		uint32_t thread;
		bool labelled, unnumbered;
		uint64_t name; /* its number; 0: it is not known yet, or it has none */
	} * recent;
	struct idmap on_track; /* threads with an open slice on their track */
	uint8_t *followed;     /* a bit per wake-up */
	size_t followed_room;
	bool failed;
};

/* --- packets ---------------------------------------------------------------------------------------------------------- */

struct flow {
	uint64_t out, in; /* 0: none */
};

enum { MOST_NAMES = 1 << 16 };

/* Return the number of a name; 0: it has none, and is written in its events. *is_new: it must be defined first. */
static uint64_t iid_of(struct trace *t, struct evl_str name, bool *is_new)
{
	*is_new = false;
	if (t->names.n == MOST_NAMES)
		return interns_find(&t->names, name);
	uint64_t number = intern(&t->names, name, is_new);
	t->failed = t->failed || !number;
	return number;
}

struct packet {
	uint64_t track, t;
	enum event_type type;
	struct evl_str name; /* of slice starts and instants */
	bool keep;           /* the name comes again */
	uint64_t iid;        /* its number, if it is known already; 0: it is looked up */
	const char *key;     /* of an annotation; NULL: none */
	uint64_t value;      /* of it, or of the counter */
	struct flow flow;
};

/* Return the number of its name; 0: it has none. */
static uint64_t put(struct trace *t, const struct packet *p)
{
	enum { FIELDS = 16 };
	struct buf *b = t->out;
	bool is_new = false;
	struct evl_str name = p->name.len ? p->name : EVL_STR("?");
	struct evl_str key = {(const uint8_t *)p->key, p->key ? strlen(p->key) : 0};
	bool named = p->type == SLICE_BEGIN || p->type == INSTANT;
	uint64_t iid = !named || !p->keep ? 0 : p->iid ? p->iid : iid_of(t, name, &is_new);
	if (!buf_fits(b, FIELDS * PROTO_MOST + 3 * (name.len + key.len)))
		return 0;
	char *at = b->p + b->len, *packet = at = proto_put_open(at, PACKET);
	at = proto_put_number(at, TIMESTAMP, p->t);
	at = proto_put_number(at, SEQUENCE_ID, 1);
	at = proto_put_number(at, SEQUENCE_FLAGS, NEEDS_STATE);
	if (is_new) {
		char *data = at = proto_put_open(at, INTERNED), *entry = at = proto_put_open(at, EVENT_NAMES);
		at = proto_put_number(at, IID, iid);
		at = proto_put_text(at, IID_NAME, name);
		proto_put_close(entry, at);
		proto_put_close(data, at);
	}
	char *event = at = proto_put_open(at, TRACK_EVENT);
	at = proto_put_number(at, TYPE, p->type);
	at = proto_put_number(at, TRACK_UUID, p->track);
	if (iid)
		at = proto_put_number(at, NAME_IID, iid);
	else if (named)
		at = proto_put_text(at, NAME, name);
	if (p->type == COUNT)
		at = proto_put_number(at, COUNTER_VALUE, p->value);
	if (key.len) {
		char *annotation = at = proto_put_open(at, ANNOTATION);
		at = proto_put_text(at, ANNOTATION_NAME, key);
		at = proto_put_number(at, ANNOTATION_UINT, p->value);
		proto_put_close(annotation, at);
	}
	if (p->flow.out)
		at = proto_put_fixed64(at, FLOW_IDS, p->flow.out);
	if (p->flow.in)
		at = proto_put_fixed64(at, TERMINATING_FLOW_IDS, p->flow.in);
	proto_put_close(event, at);
	proto_put_close(packet, at);
	b->len = (size_t)(at - b->p);
	return iid;
}

static void put_end(struct trace *t, uint64_t track, uint64_t at)
{
	put(t, &(struct packet){.track = track, .t = at, .type = SLICE_END});
}

static int more(struct trace *t) { return t->failed || t->out->failed ? EVL_NOMEM : export_more(t->x); }

/* --- descriptors ------------------------------------------------------------------------------------------------------ */

static void put_track(struct trace *t, uint64_t uuid, struct evl_str name, bool counter)
{
	struct buf *b = t->out;
	size_t packet = proto_open(b, PACKET);
	proto_number(b, SEQUENCE_ID, 1);
	size_t track = proto_open(b, TRACK_DESCRIPTOR);
	proto_number(b, UUID, uuid);
	proto_number(b, PARENT, TRACK_PROCESS);
	proto_text(b, TRACK_NAME, name);
	if (counter) {
		size_t c = proto_open(b, COUNTER);
		proto_number(b, COUNTER_UNIT, UNIT_SIZE_BYTES);
		proto_close(b, c);
	}
	proto_close(b, track);
	proto_close(b, packet);
}

static void put_named(struct trace *t, uint64_t uuid, const char *name, bool counter)
{
	put_track(t, uuid, str_of(name), counter);
}

static void put_process(struct trace *t)
{
	struct program_facts facts = program_get(&t->x->log->program);
	struct evl_str name = program_program(&facts);
	struct buf *b = t->out;
	size_t packet = proto_open(b, PACKET);
	proto_number(b, SEQUENCE_ID, 1);
	proto_number(b, SEQUENCE_FLAGS, STATE_CLEARED);
	size_t track = proto_open(b, TRACK_DESCRIPTOR);
	proto_number(b, UUID, TRACK_PROCESS);
	size_t process = proto_open(b, PROCESS);
	proto_number(b, PID, facts.pid ? facts.pid : 1);
	proto_text(b, PROCESS_NAME, name.len ? name : EVL_STR("Haskell program"));
	proto_close(b, process);
	proto_close(b, track);
	proto_close(b, packet);
}

static int put_tracks(struct trace *t)
{
	const struct evl_log *log = t->x->log;
	char text[48];
	int result = 0;
	put_process(t);
	for (size_t i = 0; i < log->n_caps && result == 0; i++) {
		unsigned cap = log->blocks.chains[log->cap_chains[i]].cap;
		snprintf(text, sizeof text, "cap %u", cap);
		put_named(t, TRACK_CAPS + cap, text, false);
		if (log->heap.has_allocated) {
			snprintf(text, sizeof text, "allocated by cap %u", cap);
			put_named(t, TRACK_ALLOCATED + cap, text, true);
		}
		result = more(t);
	}
	put_named(t, TRACK_GC, "GC", false);
	put_named(t, TRACK_MARKERS, "markers", false);
	put_named(t, TRACK_MESSAGES, "messages without capability", false);
	if (nonmoving_any(&log->nonmoving))
		put_named(t, TRACK_NONMOVING, "nonmoving", false);
	put_named(t, TRACK_LIVE, "heap live", true);
	put_named(t, TRACK_SIZE, "heap size", true);
	put_named(t, TRACK_BLOCKS, "heap blocks", true);
	const struct span_table *spans = spans_table(&log->spans);
	for (int i = 0; spans && i < spans->n_rows; i++) {
		snprintf(text, sizeof text, "spans %d", i);
		put_named(t, TRACK_SPANS + (uint64_t)i, text, false);
	}
	struct buf name = {0};
	for (uint32_t id = 0; result == 0 && threads_next(&log->threads, id, &id);) {
		struct evl_str label = evl_label(log, id);
		if (!label.len)
			continue;
		buf_clear(&name);
		buf_str(&name, label);
		snprintf(text, sizeof text, " (%u)", id);
		buf_cstr(&name, text);
		put_track(t, thread_track(id), (struct evl_str){(const uint8_t *)name.p, name.len}, false);
		result = more(t);
	}
	result = result == 0 && name.failed ? EVL_NOMEM : result;
	buf_free(&name);
	return result;
}

/* --- runs and wake-ups ------------------------------------------------------------------------------------------------ */

/* The wake-up counts if a thread ran where it was posted and the thread waits for none already. Its number + 1, or 0. */
static uint32_t take_wake(struct trace *t, struct wakes *w, uint32_t thread, uint32_t waker)
{
	uint32_t before;
	if (w->n == UINT32_MAX - 1)
		return 0;
	w->n++;
	if (!waker || idmap_find(&w->pending, thread, &before))
		return 0;
	if (!idmap_put(&w->pending, thread, w->n - 1)) {
		t->failed = true;
		return 0;
	}
	return w->n;
}

/* The number + 1 of the wake-up that the run follows; 0: none. */
static uint32_t take_run(struct wakes *w, uint32_t thread)
{
	uint32_t number;
	if (!idmap_find(&w->pending, thread, &number))
		return 0;
	idmap_drop(&w->pending, thread);
	return number + 1;
}

static bool is_followed(const struct trace *t, uint32_t wake)
{
	size_t i = wake - 1;
	return wake && i / 8 < t->followed_room && t->followed[i / 8] >> i % 8 & 1;
}

static void note_followed(struct trace *t, uint32_t wake)
{
	size_t byte = (wake - 1) / 8;
	if (!wake)
		return;
	if (byte >= t->followed_room) {
		size_t room = byte * 2 + 4096;
		uint8_t *grown = realloc(t->followed, room);
		if (!grown) {
			t->failed = true;
			return;
		}
		memset(grown + t->followed_room, 0, room - t->followed_room);
		t->followed = grown;
		t->followed_room = room;
	}
	t->followed[byte] |= (uint8_t)(1u << (wake - 1) % 8);
}

static void end_run(struct trace *t, uint32_t chain, uint16_t cap, uint64_t at)
{
	uint32_t thread = t->running[chain], open;
	if (!thread)
		return;
	put_end(t, TRACK_CAPS + cap, at);
	if (idmap_find(&t->on_track, thread, &open)) {
		put_end(t, thread_track(thread), at);
		idmap_drop(&t->on_track, thread);
	}
	t->running[chain] = 0;
}

/* "thread 12", in text. */
static struct evl_str name_of(uint32_t thread, char text[48])
{
	static const char word[] = "thread ";
	memcpy(text, word, sizeof word - 1);
	return (struct evl_str){(const uint8_t *)text, (size_t)(decimal_put(text + sizeof word - 1, thread) - text)};
}

static void begin_run(struct trace *t, uint32_t chain, uint16_t cap, uint32_t thread, uint64_t at, uint32_t wake)
{
	struct recent *recent = &t->recent[thread % RECENT];
	struct packet run = {.track = TRACK_CAPS + cap,
		.t = at,
		.type = SLICE_BEGIN,
		.keep = true,
		.key = "thread",
		.value = thread,
		.flow.in = is_followed(t, wake) ? wake : 0};
	char text[48];
	uint32_t open;
	if (recent->thread != thread || !recent->name) {
		struct evl_str label = evl_label(t->x->log, thread);
		if (recent->thread != thread)
			*recent = (struct recent){.thread = thread, .labelled = label.len > 0};
		run.name = label.len ? label : name_of(thread, text);
	}
	run.iid = recent->name;
	run.keep = !recent->unnumbered;
	recent->name = put(t, &run);
	recent->unnumbered = !recent->name && t->names.n == MOST_NAMES; /* permanently: no more names get numbers */
	t->running[chain] = thread;
	if (!recent->labelled)
		return;
	if (idmap_find(&t->on_track, thread, &open))
		put_end(t, thread_track(thread), at); /* a log that has it run twice at once */
	struct packet slice = {
		.track = thread_track(thread), .t = at, .type = SLICE_BEGIN, .keep = true, .iid = t->cap_names[chain]};
	if (!slice.iid) {
		snprintf(text, sizeof text, "cap %u", cap);
		slice.name = str_of(text);
	}
	t->cap_names[chain] = put(t, &slice);
	t->failed = t->failed || !idmap_put(&t->on_track, thread, 0);
}

/* The threads that run at the start of the range. */
static void begin_runs(struct trace *t, bool say)
{
	const struct evl_log *log = t->x->log;
	memset(t->running, 0, (log->blocks.n_chains + 1) * sizeof *t->running);
	for (size_t i = 0; i < log->n_caps && t->x->from; i++) {
		uint32_t chain = log->cap_chains[i];
		struct cap_moment now;
		caps_at(&log->blocks, &log->tiles[chain], chain, t->from, &now);
		if (!now.known || now.state != CAP_RUN || !now.thread || now.since >= t->from)
			continue;
		if (say)
			begin_run(t, chain, log->blocks.chains[chain].cap, now.thread, t->from, 0);
		else
			t->running[chain] = now.thread;
	}
}

static void take_event(struct trace *t, struct wakes *w, const struct frame *f, uint32_t chain, bool say)
{
	uint16_t cap = t->x->log->blocks.chains[chain].cap;
	uint64_t track = cap == EVL_NO_CAP ? (uint64_t)TRACK_MESSAGES : (uint64_t)TRACK_CAPS + cap;
	uint32_t thread, wake;
	switch (f->tag) {
	case EVL_RUN_THREAD:
		thread = be32(f->payload.p);
		wake = take_run(w, thread);
		if (cap == EVL_NO_CAP || !thread)
			break;
		if (!say) {
			note_followed(t, wake);
			t->running[chain] = thread;
			break;
		}
		end_run(t, chain, cap, f->t);
		begin_run(t, chain, cap, thread, f->t, wake);
		break;
	case EVL_STOP_THREAD:
		if (say)
			end_run(t, chain, cap, f->t);
		t->running[chain] = 0;
		break;
	case EVL_THREAD_WAKEUP:
		thread = be32(f->payload.p);
		wake = take_wake(t, w, thread, t->running[chain]);
		if (say && is_followed(t, wake))
			t->wake_name = put(t,
				&(struct packet){.track = track,
					.t = f->t,
					.type = INSTANT,
					.name = EVL_STR("wake-up"),
					.keep = true,
					.iid = t->wake_name,
					.key = "thread",
					.value = thread,
					.flow.out = wake});
		break;
	default:
		if (say)
			put(t, &(struct packet){.track = track, .t = f->t, .type = INSTANT, .name = f->payload});
		break;
	}
}

/* Take the events of a list that are in the range. */
static int take_list(
	struct trace *t, struct wakes *w, const struct event_rank *order, const struct event_rank_list *list, bool say)
{
	const struct evl_log *log = t->x->log;
	struct frame f;
	int result = more(t);
	for (size_t i = 0; i < list->n && list->items[i].t < t->x->to && result == 0; i++) {
		const struct event_rank_item *item = &list->items[i];
		if (event_rank_read(order, item, &f) && event_readable(&log->header, &f))
			take_event(t, w, &f, item->chain, say);
		result = say ? more(t) : 0;
	}
	return result;
}

static int pass(struct trace *t, const struct event_rank *order, const bool *tags, bool say)
{
	const struct evl_log *log = t->x->log;
	struct event_rank_walk walk;
	struct event_rank_list list = {
		.tags = tags, .n_tags = (size_t)UINT16_MAX + 1, .bits = t->bits, .cancel = t->x->cancel};
	struct wakes wakes = {.n = 0};
	int result = 0;
	begin_runs(t, say);
	event_rank_walk_begin(&walk, order, event_rank_key_of(t->x->from, 0), true);
	event_rank_walk_far(&walk);
	while (result == 0 && event_rank_key_t(walk.at) < t->x->to && event_rank_walk_next(&walk, &list))
		result = take_list(t, &wakes, order, &list, say);
	if (result == 0)
		result = more(t);
	if (result == 0 && event_rank_key_t(walk.at) < t->x->to)
		result = EVL_NOMEM;
	event_rank_list_free(&list);
	for (uint32_t i = 0; say && i < log->blocks.n_chains; i++)
		end_run(t, i, log->blocks.chains[i].cap, t->to);
	idmap_free(&wakes.pending);
	return result;
}

static int put_runs(struct trace *t)
{
	static const uint16_t tags[] = {EVL_RUN_THREAD, EVL_STOP_THREAD, EVL_THREAD_WAKEUP, EVL_USER_MSG};
	bool *wanted = calloc((size_t)UINT16_MAX + 1, sizeof *wanted);
	t->running = calloc(t->x->log->blocks.n_chains + 1, sizeof *t->running);
	t->cap_names = calloc(t->x->log->blocks.n_chains + 1, sizeof *t->cap_names);
	t->recent = calloc(RECENT, sizeof *t->recent);
	struct event_rank order = {0};
	int result = wanted && t->running && t->cap_names && t->recent ? 0 : EVL_NOMEM;
	for (size_t i = 0; wanted && i < countof(tags); i++) {
		wanted[tags[i]] = true;
		t->bits |= 1ull << cursor_bit(tags[i]);
	}
	result = result ? result : event_rank_init(&order, &t->x->log->blocks, t->x->log->tiles);
	result = result ? result : pass(t, &order, wanted, false);
	result = result ? result : pass(t, &order, wanted, true);
	event_rank_free(&order);
	free(wanted);
	return result;
}

/* --- collections, phases, spans: slices one after another ------------------------------------------------------------- */

struct slices {
	uint64_t track, end; /* of the last one */
};

/* The part of [from, to) after the last slice and within the range; false: there is none. */
static bool fit(const struct trace *t, const struct slices *s, uint64_t *from, uint64_t *to)
{
	*from = max_u64(max_u64(*from, s->end), t->from);
	*to = max_u64(min_u64(*to, t->to), *from);
	return *from <= t->to;
}

static uint64_t count_of(struct rows_scan *s, int column)
{
	struct datum v = rows_cell(s, column);
	return v.kind == CELL_COUNT ? v.count : 0;
}

static void put_gc(struct trace *t, struct slices *s, struct rows_scan *scan)
{
	uint64_t start = count_of(scan, GC_COLUMN_START), end = count_of(scan, GC_COLUMN_END);
	uint64_t from = sub_or_0(start, count_of(scan, GC_COLUMN_SYNC)), sync = start;
	struct datum kind = rows_cell(scan, GC_COLUMN_KIND);
	bool major = kind.kind == CELL_TEXT && str_is(kind.text, "major");
	if (!fit(t, s, &from, &end))
		return;
	sync = min_u64(max_u64(sync, from), end);
	put(t,
		&(struct packet){.track = s->track,
			.t = from,
			.type = SLICE_BEGIN,
			.name = major                    ? EVL_STR("major GC")
				: kind.kind == CELL_TEXT ? EVL_STR("minor GC")
							 : EVL_STR("GC"),
			.keep = true,
			.key = "generation",
			.value = count_of(scan, GC_COLUMN_GEN)});
	if (sync > from) {
		put(t,
			&(struct packet){.track = s->track,
				.t = from,
				.type = SLICE_BEGIN,
				.name = EVL_STR("sync"),
				.keep = true});
		put_end(t, s->track, sync);
	}
	put_end(t, s->track, end);
	s->end = end;
}

static int put_gcs(struct trace *t, struct rows_source *source)
{
	struct slices s = {.track = TRACK_GC};
	struct rows_scan scan = {.table = rows_find("gc"), .source = source, .ask = ROWS_ALL};
	int result = rows_open(&scan);
	while (result == 0 && (result = rows_next(&scan)) > 0) {
		put_gc(t, &s, &scan);
		result = more(t);
	}
	rows_close(&scan);
	return result;
}

static int put_nonmoving(struct trace *t)
{
	static const struct evl_str names[] = {
		[NM_MARK] = EVL_STR("mark"), [NM_SYNC] = EVL_STR("sync"), [NM_SWEEP] = EVL_STR("sweep")};
	struct slices s = {.track = TRACK_NONMOVING};
	struct nm_phase phase;
	int result = 0;
	for (uint64_t at = sub_or_0(t->from, 1);
		result == 0 && nonmoving_after(&t->x->log->nonmoving, at, &phase) && phase.start < t->x->to;
		at = phase.start) {
		uint64_t from = phase.start, to = phase.end;
		if (!fit(t, &s, &from, &to))
			continue;
		put(t,
			&(struct packet){.track = s.track,
				.t = from,
				.type = SLICE_BEGIN,
				.name = names[phase.kind],
				.keep = true});
		put_end(t, s.track, to);
		s.end = to;
		result = more(t);
	}
	return result;
}

static int put_spans(struct trace *t)
{
	const struct evl_log *log = t->x->log;
	const struct span_table *table = spans_table(&log->spans);
	int result = 0;
	for (int row = 0; table && row < table->n_rows; row++) {
		struct slices s = {.track = TRACK_SPANS + (uint64_t)row};
		for (size_t i = 0; i < table->rows[row].n && result == 0; i++) {
			const struct span *span = &table->rows[row].items[i];
			uint64_t from = span->start, to = span->end;
			if (to < t->from || from >= t->x->to || !fit(t, &s, &from, &to))
				continue;
			put(t,
				&(struct packet){.track = s.track,
					.t = from,
					.type = SLICE_BEGIN,
					.name = spans_name(&log->blocks, span),
					.keep = true,
					.key = "thread",
					.value = span->thread});
			put_end(t, s.track, to);
			s.end = to;
			result = more(t);
		}
	}
	return result;
}

/* --- markers, counters ------------------------------------------------------------------------------------------------ */

static int put_markers(struct trace *t, struct rows_source *source)
{
	enum { T, TEXT };
	struct rows_scan scan = {.table = rows_find("markers"), .source = source, .ask = ROWS_ALL};
	int result = rows_open(&scan);
	while (result == 0 && (result = rows_next(&scan)) > 0) {
		struct packet p = {.track = TRACK_MARKERS, .type = INSTANT, .t = count_of(&scan, T)};
		struct datum text = rows_cell(&scan, TEXT);
		p.name = text.kind == CELL_TEXT ? text.text : EVL_STR("");
		put(t, &p);
		result = more(t);
	}
	rows_close(&scan);
	return result;
}

static int put_counters(struct trace *t, struct rows_source *source)
{
	enum { T, CAP, ALLOCATED, LIVE, COUNTERS = 4 }; /* columns of the table heap */
	static const uint64_t tracks[COUNTERS] = {TRACK_ALLOCATED, TRACK_LIVE, TRACK_SIZE, TRACK_BLOCKS};
	struct rows_scan scan = {.table = rows_find("heap"), .source = source, .ask = ROWS_ALL};
	int result = rows_open(&scan);
	while (result == 0 && (result = rows_next(&scan)) > 0) {
		struct datum cap = rows_cell(&scan, CAP);
		for (int i = 0; i < COUNTERS; i++) {
			struct datum v = rows_cell(&scan, ALLOCATED + i);
			if (v.kind != CELL_COUNT || (i == 0 && cap.kind != CELL_COUNT))
				continue;
			put(t,
				&(struct packet){.track = tracks[i] + (i == 0 ? cap.count : 0),
					.type = COUNT,
					.t = count_of(&scan, T),
					.value = min_u64(v.count, INT64_MAX)});
		}
		result = more(t);
	}
	rows_close(&scan);
	return result;
}

/* --- the whole -------------------------------------------------------------------------------------------------------- */

static int put_all(struct trace *t)
{
	struct rows_source source = {.log = t->x->log, .from = t->x->from, .to = t->x->to, .cancel = t->x->cancel};
	int result = put_tracks(t);
	result = result ? result : put_runs(t);
	result = result ? result : put_gcs(t, &source);
	result = result ? result : put_nonmoving(t);
	result = result ? result : put_spans(t);
	result = result ? result : put_markers(t, &source);
	result = result ? result : put_counters(t, &source);
	rows_source_free(&source);
	return result;
}

int export_perfetto(struct export *x)
{
	struct trace t = {.x = x, .out = &x->out};
	uint64_t first, last;
	if (!evl_range(x->log, &first, &last))
		first = last = 0;
	t.from = min_u64(max_u64(first, x->from), last);
	t.to = max_u64(t.from, min_u64(last, x->to));
	int result = put_all(&t);
	interns_free(&t.names);
	idmap_free(&t.on_track);
	free_all(t.running, t.cap_names, t.followed, t.recent);
	return result;
}
