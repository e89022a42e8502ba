/* rows_events.c - tables of events in time order: heap, runs, wakes, markers, messages, events, spark counters, profile samples. */
#include "index/event_rank.h"
#include "prof/prof_names.h"
#include "rows/rows_private.h"
#include "sched/thread_state.h"
#include "show/event_text.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

/* State shared by scans of these tables. */
struct order {
	const struct event_rank *rank;
	const struct evl_log *log;
	struct prof_names names; /* of samples */
};

struct runner { /* one chain */
	struct cursor cursor;
	uint64_t read;   /* file offset of the event that was read last; 0: none */
	uint32_t thread; /* that runs; 0: none */
	bool known;
};

struct events {
	const struct order *order;
	struct event_rank_walk walk;
	struct event_rank_list list;
	size_t i;                    /* the next item */
	bool *tags;                  /* up to the highest that is wanted */
	bool has_stops;              /* RUN_THREAD and STOP_THREAD are among them */
	struct runner *runners;      /* by chain, for tables that ask who runs */
	bool borrows;                /* they are of another scan */
	struct prof_reader *readers; /* by chain, for samples */
	struct event_text text;      /* for events */
	const struct frame *frame;   /* the row; of a scan that shares its pass: of that pass */
	struct frame own_frame;      /* where `frame` is, otherwise */
	const struct event_rank_item *item,
		*end_item; /* end_item: where the list ends if it has all runs and stops in order */
	uint16_t cap;
	uint64_t end; /* of runs: the end of the row's run, */
	int stop;     /* its status, or -1, */
	bool has_end; /* and whether the end is known */
	struct prof_sample sample;
	struct row_texts *stacks; /* by node */
};

/* --- what is shared ------------------------------------------------------------------------------------------------- */

static void unmake_order(void *state)
{
	struct order *o = state;
	prof_names_free(&o->names);
	free(o);
}

void rows_rank_free(struct rows_source *s)
{
	if (s->rank)
		event_rank_free(s->rank);
	free(s->rank);
	s->rank = NULL;
}

static int make_order(struct rows_source *s, UNUSED bool deep, void **state)
{
	struct order *o = *state = calloc(1, sizeof *o);
	if (o && !s->rank && (s->rank = calloc(1, sizeof *s->rank))
		&& event_rank_init(s->rank, &s->log->blocks, s->log->tiles) < 0)
		rows_rank_free(s);
	if (!o || !s->rank) {
		free(o);
		return EVL_NOMEM;
	}
	o->log = s->log;
	o->rank = s->rank;
	return 0;
}

static int make_samples(struct rows_source *s, bool deep, void **state)
{
	int result = make_order(s, deep, state);
	if (result < 0)
		return result;
	struct order *o = *state;
	struct prof_naming naming = evl_naming(s->log);
	result = prof_names_make(&o->names, evl_profile(s->log), &naming);
	if (result < 0) {
		o->names = (struct prof_names){0};
		unmake_order(o);
	}
	return result;
}

/* --- scanning ------------------------------------------------------------------------------------------------------- */

static void close_events(struct rows_scan *s)
{
	struct events *e = s->own;
	if (!e)
		return;
	if (e->readers)
		for (size_t i = 0; i < e->order->log->blocks.n_chains; i++)
			free(e->readers[i].cache);
	event_rank_list_free(&e->list);
	event_text_free(&e->text);
	row_texts_free(e->stacks);
	free_all(e->readers, e->borrows ? NULL : e->runners, e->tags, e);
	s->own = NULL;
}

/* Which tiles can hold events with these tags; 0: any. */
static uint32_t classes_of(const struct evl_log *log, const uint16_t *tags, size_t n)
{
	uint32_t classes = 0;
	for (size_t i = 0; i < n; i++) {
		const struct header_type *type = header_find(&log->header, tags[i]);
		if (!type)
			continue;
		if (!type->schema)
			return 0;
		classes |= tile_mark(type);
	}
	return classes;
}

/* n tags; 0: all. */
static int begin(struct rows_scan *s, const struct order *order, const uint16_t *tags, size_t n)
{
	struct events *e = calloc(1, sizeof *e);
	const struct evl_log *log = order->log;
	uint64_t from = max_u64(s->ask.low, s->source->from);
	s->own = e;
	if (!e)
		return EVL_NOMEM;
	e->order = order;
	e->frame = &e->own_frame;
	e->list.cancel = s->source->cancel;
	for (size_t i = 0; i < n; i++)
		e->list.n_tags = max_u64(e->list.n_tags, tags[i] + 1);
	if (n) {
		e->tags = calloc(e->list.n_tags, sizeof *e->tags);
		if (!e->tags)
			return EVL_NOMEM;
		for (size_t i = 0; i < n; i++) {
			e->tags[tags[i]] = true;
			e->list.bits |= 1ull << cursor_bit(tags[i]);
		}
		e->list.tags = e->tags;
		e->has_stops = e->list.n_tags > EVL_STOP_THREAD && e->tags[EVL_RUN_THREAD] && e->tags[EVL_STOP_THREAD];
		e->list.classes = classes_of(log, tags, n);
	}
	if (s->ask.cap >= 0) {
		e->list.chain_no = s->ask.cap <= UINT16_MAX ? log->blocks.chain_of[s->ask.cap] : 0;
		from = e->list.chain_no ? from : UINT64_MAX;
	}
	event_rank_walk_begin(&e->walk, order->rank, event_rank_key_of(from, 0), true);
	event_rank_walk_far(&e->walk);
	return 0;
}

/* The next event: 1, 0 or a code. */
static int next_event(struct rows_scan *s)
{
	struct events *e = s->own;
	const uint64_t until = s->source->to, high = min_u64(s->ask.high, sub_or_0(until, 1));
	while (until > 0) {
		while (e->i < e->list.n) {
			e->item = &e->list.items[e->i++];
			if (e->item->t > high)
				return 0;
			if (!event_rank_read(e->order->rank, e->item, &e->own_frame))
				continue; /* the file became shorter */
			e->cap = e->order->log->blocks.chains[e->item->chain].cap;
			return 1;
		}
		e->i = e->list.n = 0;
		if (event_rank_key_t(e->walk.at) > high)
			return 0;
		if (!event_rank_walk_next(&e->walk, &e->list)) {
			bool cancelled = is_cancelled(e->list.cancel);
			return cancelled ? EVL_CANCELLED : e->walk.at < ORDER_END ? EVL_NOMEM : 0;
		}
		e->end_item = e->has_stops && e->list.in_order && e->list.n ? e->list.items + e->list.n : NULL;
	}
	return 0;
}

/* The next row: the next event that the table takes. */
static int next_taken(struct rows_scan *s)
{
	const struct events *e = s->own;
	int result, took = 0;
	while ((result = next_event(s)) > 0
		&& ((took = s->table->take(s)) == 0 || (s->keep && !s->keep(s->keep_ctx, e->item->chain, e->frame))))
		continue;
	return result > 0 ? took : result;
}

static int take_any(UNUSED struct rows_scan *s) { return 1; }

/* Does the event hold its fields? */
static int take_readable(struct rows_scan *s)
{
	const struct events *e = s->own;
	return event_readable(&e->order->log->header, e->frame);
}

/* gcc warns of the pragma where it does not optimize. */
#ifdef __OPTIMIZE__
#define UNROLL _Pragma("GCC unroll 16")
#else
#define UNROLL
#endif

/* All cells of a row at once: the loop is unrolled, so that each cell costs no call. */
#define EVENT_ROWS(name, make_, open_, take_, ...)                                                                     \
	__attribute__((flatten)) static void csv_of_##name(struct rows_scan *s, struct buf *out)                       \
	{                                                                                                              \
		char *p = rows_put_begin(out);                                                                         \
		UNROLL for (int i = 0; i < name##_COLUMNS && p; i++)                                                   \
		{                                                                                                      \
			if (i)                                                                                         \
				*p++ = ',';                                                                            \
			p = rows_put_cell(out, p, rows_or_none(cell_of_##name(s, i)));                                 \
		}                                                                                                      \
		rows_put_end(out, p);                                                                                  \
	}                                                                                                              \
	EVENT_ROWS_AS(name, make_, open_, take_, csv_of_##name, __VA_ARGS__)
#define EVENT_ROWS_AS(name, make_, open_, take_, csv_, ...)                                                            \
	static void row_of_##name(struct rows_scan *s, struct datum *out)                                              \
	{                                                                                                              \
		UNROLL for (int i = 0; i < name##_COLUMNS; i++) out[i] = rows_or_none(cell_of_##name(s, i));           \
	}                                                                                                              \
	const struct rows_table rows_##name = {ROWS_OF_DEF(name), .make = make_, .unmake = unmake_order,               \
		.open = open_, .next = next_taken, .take = take_, .cell = cell_of_##name, .row = row_of_##name,        \
		.csv = csv_, .close = close_events, __VA_ARGS__};

static struct datum cap_cell(const struct events *e) { return cell_known(e->cap != EVL_NO_CAP, e->cap); }

/* --- who runs --------------------------------------------------------------------------------------------------------- */

static int add_runners(struct events *e)
{
	e->runners = calloc(e->order->log->blocks.n_chains + 1, sizeof *e->runners);
	return e->runners ? 0 : EVL_NOMEM;
}

static void step_runner(struct runner *r, const struct frame *f)
{
	if (f->tag == EVL_RUN_THREAD)
		r->thread = be32(f->payload.p);
	else if (f->tag == EVL_STOP_THREAD)
		r->thread = 0;
}

/* Find who runs on the chain before the row: from the tile before it on. */
static void look_back(const struct events *e, struct runner *r)
{
	const struct evl_log *log = e->order->log;
	uint32_t chain = e->item->chain;
	const struct tile_table *table = &log->tiles[chain];
	size_t ready = load_acquire(&table->ready);
	struct cursor c;
	struct frame f;
	const struct block *block;
	r->known = true;
	if (ready == 0)
		return;
	const struct tile *tile = &table->tiles[tiles_before(table, ready, e->item->t)];
	r->thread = (enum cap_state)tile->state == CAP_RUN ? tile->thread : 0;
	cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], UINT64_MAX);
	cursor_seek(&c, tile->off);
	while (cursor_next(&c, &f, &block) && f.off < e->item->off)
		if (event_readable(&log->header, &f))
			step_runner(r, &f);
}

/* RUN and STOP tell who runs; other events are rows. */
static int take_of_runner(struct rows_scan *s)
{
	struct events *e = s->own;
	if (!take_readable(s) || !e->runners)
		return take_readable(s);
	struct runner *r = &e->runners[e->item->chain];
	if (!r->known)
		look_back(e, r);
	if (e->frame->tag != EVL_RUN_THREAD && e->frame->tag != EVL_STOP_THREAD)
		return 1;
	step_runner(r, e->frame);
	return 0;
}

static struct datum runner_cell(const struct events *e)
{
	uint32_t thread = e->runners ? e->runners[e->item->chain].thread : 0;
	return cell_known(thread, thread);
}

static int open_runner(struct rows_scan *s, const struct order *order, uint16_t tag, int column)
{
	const uint16_t tags[] = {tag, EVL_RUN_THREAD, EVL_STOP_THREAD};
	if (!rows_wants(s, column))
		return begin(s, order, &tag, 1);
	int result = begin(s, order, tags, countof(tags));
	return result == 0 ? add_runners(s->own) : result;
}

/* --- wakes ------------------------------------------------------------------------------------------------------------ */

static int open_wakes(struct rows_scan *s, void *state)
{
	return open_runner(s, state, EVL_THREAD_WAKEUP, wakes_WAKER);
}

static struct datum cell_of_wakes(struct rows_scan *s, int column)
{
	enum { OTHER_CAP_AT = 4 };
	const struct events *e = s->own;
	switch (column) {
	case wakes_T: return cell_count(e->frame->t);
	case wakes_THREAD: return cell_count(be32(e->frame->payload.p));
	case wakes_WAKER: return runner_cell(e);
	case wakes_CAP: return cap_cell(e);
	default: return cell_count(be16(e->frame->payload.p + OTHER_CAP_AT));
	}
}

EVENT_ROWS(wakes, make_order, open_wakes, take_of_runner)

/* --- messages, markers -------------------------------------------------------------------------------------------------- */

static int open_messages(struct rows_scan *s, void *state)
{
	return open_runner(s, state, EVL_USER_MSG, messages_THREAD);
}

static struct datum cell_of_messages(struct rows_scan *s, int column)
{
	const struct events *e = s->own;
	switch (column) {
	case messages_T: return cell_count(e->frame->t);
	case messages_CAP: return cap_cell(e);
	case messages_THREAD: return runner_cell(e);
	default: return cell_text(e->frame->payload);
	}
}

EVENT_ROWS(messages, make_order, open_messages, take_of_runner)

static int open_markers(struct rows_scan *s, void *state)
{
	static const uint16_t tags[] = {EVL_USER_MARKER};
	return begin(s, state, tags, countof(tags));
}

static struct datum cell_of_markers(struct rows_scan *s, int column)
{
	const struct events *e = s->own;
	return column == markers_T ? cell_count(e->frame->t) : cell_text(e->frame->payload);
}

EVENT_ROWS(markers, make_order, open_markers, take_readable)

/* --- runs --------------------------------------------------------------------------------------------------------------- */

static int open_runs(struct rows_scan *s, void *state)
{
	static const uint16_t tags[] = {EVL_RUN_THREAD};
	int result = begin(s, state, tags, countof(tags));
	return result == 0 ? add_runners(s->own) : result;
}

enum { RUN_OR_STOP = 1 << EVL_RUN_THREAD | 1 << EVL_STOP_THREAD };

/* Go to the place after the row's RUN_THREAD: by reading on from the last run of the chain, if that is near. */
static void go_past(const struct events *e, struct runner *r)
{
	enum { NEAR = 4096 };
	const struct blocks *b = &e->order->log->blocks;
	struct frame f = {.off = r->read};
	const struct block *block;
	if (!r->read || e->frame->off <= r->read || e->frame->off - r->read > NEAR) {
		cursor_begin(&r->cursor, b, &b->chains[e->item->chain], UINT64_MAX);
		cursor_seek(&r->cursor, e->frame->off);
		f.off = 0;
	}
	while (f.off < e->frame->off && cursor_next_of(&r->cursor, RUN_OR_STOP, e->frame->off, &f, &block))
		r->read = f.off;
}

/* The next event of the capability that tells who runs is this one: the end of the row's run, or another thread runs. */
static void set_end(struct events *e, const struct frame *f)
{
	enum { STATUS_AT = 4 };
	if (f->tag != EVL_STOP_THREAD || be32(f->payload.p) != be32(e->frame->payload.p))
		return;
	e->end = f->t;
	e->stop = be16(f->payload.p + STATUS_AT);
	e->has_end = true;
}

/* Is it one of the next events of the list? */
static bool find_end_near(struct events *e)
{
	enum { NEAR = 64 };
	struct frame f;
	for (const struct event_rank_item *item = e->item + 1, *end = item + NEAR; item < e->end_item && item < end;
		item++) {
		if (item->chain != e->item->chain || (item->tag != EVL_RUN_THREAD && item->tag != EVL_STOP_THREAD))
			continue;
		if (!event_rank_read(e->order->rank, item, &f))
			return false;
		if (!event_readable(&e->order->log->header, &f))
			continue;
		set_end(e, &f);
		return true;
	}
	return false;
}

/* Find how the run of the row ends. */
static void find_end(struct rows_scan *s, struct events *e)
{
	enum { PIECE = 1 << 20 };
	const struct evl_log *log = e->order->log;
	struct runner *r = &e->runners[e->item->chain];
	uint64_t first;
	struct frame f;
	const struct block *block;
	e->stop = -1;
	e->has_end = false;
	if (find_end_near(e))
		return;
	go_past(e, r);
	f.off = e->frame->off;
	for (uint64_t piece = f.off + PIECE; cursor_next_of(&r->cursor, RUN_OR_STOP, piece, &f, &block);) {
		r->read = f.off;
		if (f.off >= piece && is_cancelled(s->source->cancel))
			return;
		piece = f.off + PIECE;
		if (!event_readable(&log->header, &f) || (f.tag != EVL_STOP_THREAD && f.tag != EVL_RUN_THREAD))
			continue;
		set_end(e, &f);
		if (f.tag == EVL_RUN_THREAD)
			r->read = 0; /* it may be the next row */
		return;
	}
	r->read = 0;
	e->has_end = evl_range(log, &first, &e->end);
}

static int take_run(struct rows_scan *s)
{
	bool good = take_readable(s);
	if (good && (rows_wants(s, runs_END) || rows_wants(s, runs_STOP) || rows_wants(s, runs_WHY)))
		find_end(s, s->own);
	return good;
}

/* In words; a reason that has none by the word that filters have for it. */
static struct datum why_stopped(const struct events *e)
{
	if (e->stop < 0)
		return CELL_NONE;
	uint8_t stop = thread_stop_read(&e->order->log->header, (uint16_t)e->stop);
	const char *text = thread_stop_text(stop);
	return cell_word(text ? text : thread_stop_word(stop));
}

static struct datum cell_of_runs(struct rows_scan *s, int column)
{
	const struct events *e = s->own;
	switch (column) {
	case runs_START: return cell_count(e->frame->t);
	case runs_END: return cell_known(e->has_end, e->end);
	case runs_CAP: return cap_cell(e);
	case runs_THREAD: return cell_count(be32(e->frame->payload.p));
	case runs_STOP: return cell_known(e->stop >= 0, (uint64_t)e->stop);
	default: return why_stopped(e);
	}
}

EVENT_ROWS(runs, make_order, open_runs, take_run)

/* --- events ------------------------------------------------------------------------------------------------------------- */

static int open_all(struct rows_scan *s, void *state)
{
	uint16_t tag = (uint16_t)s->ask.tag;
	int result = begin(s, state, &tag, s->ask.tag >= 0);
	struct events *e = s->own;
	return result == 0 && rows_wants(s, events_JSON) ? event_text_init(&e->text, false) : result;
}

static struct datum json_of(struct rows_scan *s, struct events *e)
{
	if (!e->text.first)
		return (struct datum){0};
	buf_clear(&e->text.out);
	event_text_json(&e->text, header_of(&e->order->log->header, e->frame->tag), e->frame, e->cap);
	size_t len = e->text.out.len;
	s->scratch.failed = s->scratch.failed || e->text.out.failed;
	return cell_name((struct evl_str){(const uint8_t *)e->text.out.p, len ? len - 1 : 0}); /* without the newline */
}

static struct datum cell_of_events(struct rows_scan *s, int column)
{
	struct events *e = s->own;
	const struct header_type *type;
	const char *name;
	switch (column) {
	case events_T: return cell_count(e->frame->t);
	case events_CAP: return cap_cell(e);
	case events_TAG: return cell_count(e->frame->tag);
	case events_NAME:
		type = header_find(&e->order->log->header, e->frame->tag);
		name = type && type->schema ? type->schema->name : schema_name(e->frame->tag);
		return name ? cell_cstr(name) : (struct datum){0};
	default: return json_of(s, e);
	}
}

static void csv_of_events(struct rows_scan *s, struct buf *out)
{
	struct events *e = s->own;
	const struct header_type *type = header_of(&e->order->log->header, e->frame->tag);
	const char *name = type->schema ? type->schema->name : NULL;
	if (!name || !e->text.first || !buf_fits(out, 3 * (1 + DECIMAL_ROOM))) {
		rows_csv_cells(s, out);
		return;
	}
	char *p = decimal_put(out->p + out->len, e->frame->t);
	*p++ = ',';
	if (e->cap != EVL_NO_CAP)
		p = decimal_put(p, e->cap);
	*p++ = ',';
	p = decimal_put(p, e->frame->tag);
	*p++ = ',';
	out->len = (size_t)(p - out->p);
	buf_cstr(out, name);
	buf_char(out, ',');
	event_text_csv(&e->text, out, type, e->frame, e->cap);
}

EVENT_ROWS_AS(events, make_order, open_all, take_any, csv_of_events)

/* --- heap --------------------------------------------------------------------------------------------------------------- */

static const uint16_t heap_tags[heap_COLUMNS] = {[heap_ALLOCATED] = EVL_HEAP_ALLOCATED,
	[heap_LIVE] = EVL_HEAP_LIVE,
	[heap_SIZE] = EVL_HEAP_SIZE,
	[heap_BLOCKS] = EVL_BLOCKS_SIZE};

static int open_heap(struct rows_scan *s, void *state)
{
	return begin(s, state, &heap_tags[heap_ALLOCATED], heap_COLUMNS - heap_ALLOCATED);
}

static struct datum cell_of_heap(struct rows_scan *s, int column)
{
	enum { BYTES_AT = 4 };
	const struct events *e = s->own;
	switch (column) {
	case heap_T: return cell_count(e->frame->t);
	case heap_CAP: return cap_cell(e);
	default: return cell_known(e->frame->tag == heap_tags[column], be64(e->frame->payload.p + BYTES_AT));
	}
}

EVENT_ROWS(heap, make_order, open_heap, take_readable)

/* --- spark counters ------------------------------------------------------------------------------------------------------- */

static int open_sparks(struct rows_scan *s, void *state)
{
	static const uint16_t tags[] = {EVL_SPARK_COUNTERS};
	return begin(s, state, tags, countof(tags));
}

/* The counters are in the order of the columns. */
static struct datum cell_of_sparks(struct rows_scan *s, int column)
{
	const struct events *e = s->own;
	switch (column) {
	case sparks_T: return cell_count(e->frame->t);
	case sparks_CAP: return cap_cell(e);
	default: return cell_count(be64(e->frame->payload.p + 8 * (size_t)(column - sparks_CREATED)));
	}
}

EVENT_ROWS(sparks, make_order, open_sparks, take_readable)

/* --- profile samples -------------------------------------------------------------------------------------------------------- */

static int open_samples(struct rows_scan *s, void *state)
{
	static const uint16_t centres[] = {EVL_PROF_SAMPLE_COST_CENTRE}, calls[] = {EVL_USER_BINARY_MSG};
	const struct order *order = state;
	int result = begin(s, order, evl_profile(order->log)->source == PROF_CENTRES ? centres : calls, 1);
	if (result < 0)
		return result;
	struct events *e = s->own;
	e->stacks = calloc(1, sizeof *e->stacks);
	e->readers = calloc(order->log->blocks.n_chains + 1, sizeof *e->readers);
	return e->readers && e->stacks ? 0 : EVL_NOMEM;
}

static int take_sample(struct rows_scan *s)
{
	struct events *e = s->own;
	return prof_read(evl_profile(e->order->log), &e->readers[e->item->chain], e->frame, &e->sample);
}

static struct datum stack_of(struct rows_scan *s, const struct events *e)
{
	const struct stacks *stacks = &evl_profile(e->order->log)->stacks;
	uint32_t path[STACK_DEPTH];
	size_t n = 0, at = s->scratch.len;
	struct evl_str text;
	if (row_texts_find(e->stacks, e->sample.node, &text))
		return cell_text(text);
	for (uint32_t node = e->sample.node; node != STACK_ROOT && n < STACK_DEPTH;
		node = stacks_at(stacks, node)->parent)
		path[n++] = e->order->names.of_node[node];
	prof_frame_text(&s->scratch, &e->order->names, PROF_MAIN);
	while (n-- > 0) {
		buf_char(&s->scratch, ';');
		prof_frame_text(&s->scratch, &e->order->names, path[n]);
	}
	text = s->scratch.failed ? EVL_STR("") : buf_since(&s->scratch, at);
	row_texts_keep(e->stacks, e->sample.node, text);
	return cell_name(text);
}

static struct datum cell_of_samples(struct rows_scan *s, int column)
{
	const struct events *e = s->own;
	const struct prof_names *names = &e->order->names;
	uint32_t name = e->sample.node == STACK_ROOT ? PROF_MAIN : names->of_node[e->sample.node];
	switch (column) {
	case samples_T: return cell_count(e->sample.t);
	case samples_CAP: return cell_known(e->sample.cap != EVL_NO_CAP, e->sample.cap);
	case samples_TICK: return cell_known(evl_profile(e->order->log)->source == PROF_CENTRES, e->sample.tick);
	case samples_LABEL: return cell_name(prof_label(names, name));
	case samples_MODULE: return cell_name(prof_module(names, name));
	case samples_SOURCE: return cell_name(prof_location(names, name));
	default: return stack_of(s, e);
	}
}

EVENT_ROWS(samples, make_samples, open_samples, take_sample, .of_profile = true)

/* --- several tables in one walk --------------------------------------------------------------------------------------------- */

bool rows_can_share(const struct rows_table *table) { return table->take && table != &rows_events; }

/* Tables that ask who runs share the answer, which the lead keeps up to date: of RUN and STOP they are not told. */
static void share_runners(struct rows_together *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct events *e = g->scans[i].own;
		if (g->scans[i].table->take != take_of_runner || !e->runners)
			continue;
		if (g->follower) {
			free(e->runners);
			e->runners = ((const struct events *)g->follower->own)->runners;
			e->borrows = true;
		} else {
			g->follower = &g->scans[i];
		}
		g->of_tag[EVL_RUN_THREAD] &= ~(1u << i);
		g->of_tag[EVL_STOP_THREAD] &= ~(1u << i);
	}
}

/* The events of the lead are those of all tables. */
static int open_lead(struct rows_together *g)
{
	const struct events *first = g->scans[0].own;
	uint16_t tags[ROWS_TAGS];
	size_t n = 0;
	for (int tag = 0; tag < ROWS_TAGS; tag++) {
		for (size_t i = 0; i < g->n; i++) {
			const struct events *e = g->scans[i].own;
			if ((size_t)tag < e->list.n_tags && e->tags[tag])
				g->of_tag[tag] |= 1u << i;
		}
		if (g->of_tag[tag])
			tags[n++] = (uint16_t)tag;
	}
	share_runners(g);
	return begin(&g->lead, first->order, tags, n);
}

/* The row of a scan is the event of the lead. */
static void hand_on(const struct events *lead, struct rows_scan *s)
{
	struct events *e = s->own;
	e->item = lead->item;
	e->end_item = lead->end_item;
	e->frame = lead->frame;
	e->cap = lead->cap;
}

int rows_open_together(struct rows_together *g)
{
	int result = 0;
	assert(g->n > 0 && g->n <= sizeof *g->of_tag * CHAR_BIT);
	for (size_t i = 0; i < g->n && result == 0; i++) {
		assert(rows_can_share(g->scans[i].table) && g->scans[i].source == g->scans[0].source);
		result = rows_open(&g->scans[i]);
	}
	g->lead = (struct rows_scan){.source = g->scans[0].source, .ask = ROWS_ALL};
	return result == 0 ? open_lead(g) : result;
}

int rows_next_together(struct rows_together *g, struct rows_scan **out)
{
	const struct events *lead = g->lead.own;
	for (;;) {
		for (; g->left; g->left &= g->left - 1) {
			struct rows_scan *s = &g->scans[__builtin_ctz(g->left)];
			hand_on(lead, s);
			buf_clear(&s->scratch);
			if (s->table->take(s)) {
				*out = s;
				g->left &= g->left - 1;
				return 1;
			}
		}
		if (is_cancelled(g->lead.source->cancel))
			return EVL_CANCELLED;
		int result = next_event(&g->lead);
		if (result <= 0)
			return result;
		g->left = lead->frame->tag < ROWS_TAGS ? g->of_tag[lead->frame->tag] : 0;
		if (g->follower && (lead->frame->tag == EVL_RUN_THREAD || lead->frame->tag == EVL_STOP_THREAD)) {
			hand_on(lead, g->follower);
			take_of_runner(g->follower);
		}
	}
}

void rows_close_together(struct rows_together *g)
{
	for (size_t i = 0; i < g->n; i++)
		rows_close(&g->scans[i]);
	close_events(&g->lead);
	buf_free(&g->lead.scratch);
}
