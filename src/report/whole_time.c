#include "report/whole_time.h"

#include "prof/prof_samples.h"
#include "query/thread_history.h"
#include "sched/thread_state.h"

#include <stdlib.h>

enum { BATCH = 1 << 18, NODE_BITS = 20, REASON_BITS = 6 };

TEXT_FUNCTION(whole_kind_name, whole_kind, WHOLE_KINDS_DEF)

/* A sample that waits for its turn. */
struct waiting {
	uint64_t t;
	uint32_t node;
	uint16_t cap;
};

/* What is kept of a thread. */
struct life {
	uint32_t thread, node; /* of its last sample; WHOLE_NO_STACK: none yet */
};

struct making {
	struct whole_time *out;
	const struct evl_log *log;
	uint32_t only;
	size_t room;
	struct idmap rows, lives; /* by thread, kind, reason and node; by thread */
	struct life *items;
	size_t n_lives, lives_room;
	uint32_t *on_cap; /* the thread that runs on a capability; 0: none */
	struct waiting *samples;
	size_t n, samples_room;
	uint64_t until; /* samples from here on are left for the next batch */
	bool failed;
};

static struct life *life_of(struct making *m, uint32_t thread)
{
	uint32_t place;
	if (idmap_find(&m->lives, thread, &place))
		return &m->items[place];
	if (!GROW(m->items, m->n_lives, m->lives_room) || !idmap_put(&m->lives, thread, (uint32_t)m->n_lives)) {
		m->failed = true;
		return NULL;
	}
	m->items[m->n_lives] = (struct life){thread, WHOLE_NO_STACK};
	return &m->items[m->n_lives++];
}

static void add(struct making *m, struct whole_row row)
{
	uint32_t place;
	struct whole_time *w = m->out;
	if (w->n >= WHOLE_ROWS)
		row.node = WHOLE_NO_STACK;
	uint64_t node = row.node == WHOLE_NO_STACK ? 0 : (uint64_t)row.node + 1;
	uint64_t key = (uint64_t)row.thread << 32 | (uint64_t)row.kind << (NODE_BITS + REASON_BITS)
		| (uint64_t)(row.reason & ((1 << REASON_BITS) - 1)) << NODE_BITS | node;
	if (idmap_find(&m->rows, key, &place)) {
		w->rows[place].ns += row.ns;
		w->rows[place].samples += row.samples;
		return;
	}
	if (!GROW(w->rows, w->n, m->room) || !idmap_put(&m->rows, key, (uint32_t)w->n)) {
		m->failed = true;
		return;
	}
	w->rows[w->n++] = row;
}
_Static_assert(
	MAX_STACKS < 1 << NODE_BITS && WHOLE_KINDS <= 1 << (32 - NODE_BITS - REASON_BITS), "they fit into a key");

static bool is_timer(const struct evl_log *log, uint32_t thread)
{
	return thread && str_is(evl_label(log, thread), "TimerManager");
}

static enum whole_kind kind_of(const struct making *m, const struct stretch *s)
{
	switch ((enum thread_state)s->state) {
	case THREAD_RUNNING: return WHOLE_CPU;
	case THREAD_RUNNABLE: return WHOLE_RUNNABLE;
	case THREAD_BLOCKED: return s->stop == STOP_DELAY || is_timer(m->log, s->waker) ? WHOLE_TIMER : WHOLE_BLOCKED;
	case THREAD_FOREIGN: return WHOLE_FOREIGN;
	default: return WHOLE_UNKNOWN;
	}
}

static void on_stretch(void *ctx, const struct stretch *s)
{
	struct making *m = ctx;
	if (s->state == THREAD_RUNNING && m->on_cap[s->cap] == s->thread)
		m->on_cap[s->cap] = 0;
	if ((m->only && s->thread != m->only) || s->to <= s->from)
		return;
	const struct life *life = life_of(m, s->thread);
	enum whole_kind kind = kind_of(m, s);
	uint64_t ns = s->to - s->from,
		 paused = kind == WHOLE_CPU || kind == WHOLE_RUNNABLE ? min_u64(s->paused, ns) : 0;
	struct whole_row row = {.thread = s->thread,
		.kind = (uint8_t)kind,
		.node = kind == WHOLE_CPU || kind == WHOLE_UNKNOWN || !life ? WHOLE_NO_STACK : life->node,
		.reason = kind == WHOLE_BLOCKED ? thread_block_reason(s->stop) : 0,
		.ns = ns - paused};
	if (row.ns)
		add(m, row);
	if (paused)
		add(m, (struct whole_row){.thread = s->thread, .node = WHOLE_NO_STACK, .kind = WHOLE_GC, .ns = paused});
}

static void on_begin(void *ctx, const struct stretch *s)
{
	struct making *m = ctx;
	if (s->state == THREAD_RUNNING)
		m->on_cap[s->cap] = s->thread;
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

static bool keep(void *ctx, const struct prof_sample *sample)
{
	struct making *m = ctx;
	if (!GROW(m->samples, m->n, m->samples_room)) {
		m->failed = true;
		return false;
	}
	m->samples[m->n++] = (struct waiting){sample->t, sample->node, sample->cap};
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	return (x->t > y->t) - (x->t < y->t);
}

static void take_sample(struct making *m, const struct waiting *s)
{
	uint32_t thread = m->on_cap[s->cap];
	m->out->samples++;
	if (thread == 0 || (m->only && thread != m->only))
		return;
	struct life *life = life_of(m, thread);
	if (life)
		life->node = s->node;
	m->out->of_threads++;
	add(m, (struct whole_row){.thread = thread, .node = s->node, .kind = WHOLE_CPU, .samples = 1});
}

/* The samples of [from, to), each when the threads have come to its time. */
static int take_samples(
	struct making *m, struct thread_history *h, uint64_t from, uint64_t to, const struct progress *watch)
{
	struct prof_each ask = {from, to, watch ? watch->cancel : NULL, keep, m};
	m->n = 0;
	int result = prof_each(evl_profile(m->log), &m->log->blocks, &ask);
	if (m->n)
		qsort(m->samples, m->n, sizeof *m->samples, by_time);
	for (size_t i = 0; i < m->n && result == 0; i++) {
		result = thread_history_until(h, m->samples[i].t, UINT64_MAX);
		take_sample(m, &m->samples[i]);
	}
	return result;
}

/* In parts of the time that hold about BATCH samples, so that memory is bounded. */
static int follow(struct making *m, struct thread_history *h, uint64_t from, uint64_t to, const struct progress *watch)
{
	uint64_t first, last, all = prof_samples(evl_profile(m->log)), parts = all / BATCH + 1;
	int result = 0;
	if (!evl_range(m->log, &first, &last))
		return 0;
	from = max_u64(from, first);
	to = min_u64(to, last + 1);
	for (uint64_t i = 0; i < parts && from < to && result == 0; i++)
		result = take_samples(m, h, from + (uint64_t)((unsigned __int128)(to - from) * i / parts),
			from + (uint64_t)((unsigned __int128)(to - from) * (i + 1) / parts), watch);
	return result;
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static int by_thread(const void *a, const void *b)
{
	const struct whole_row *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->node != y->node ? (x->node < y->node ? -1 : 1) : (x->reason > y->reason) - (x->reason < y->reason);
}

/* Divide the running time of a thread among its samples; rows [from, to) are its time on the CPU. */
static void divide(struct whole_row *rows, size_t from, size_t to)
{
	uint64_t ns = 0, samples = 0, given = 0, seen = 0;
	for (size_t i = from; i < to; i++) {
		ns += rows[i].ns;
		samples += rows[i].samples;
	}
	if (samples == 0)
		return;
	for (size_t i = from; i < to; i++) {
		seen += rows[i].samples;
		uint64_t until = (uint64_t)((unsigned __int128)ns * seen / samples);
		rows[i].ns = until - given;
		given = until;
	}
}

static void divide_all(struct whole_time *w)
{
	if (w->n)
		qsort(w->rows, w->n, sizeof *w->rows, by_thread);
	for (size_t i = 0, end; i < w->n; i = end) {
		for (end = i + 1;
			end < w->n && w->rows[end].thread == w->rows[i].thread && w->rows[end].kind == w->rows[i].kind;
			end++)
			;
		if (w->rows[i].kind == WHOLE_CPU)
			divide(w->rows, i, end);
	}
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->rows[i].ns)
			w->rows[n++] = w->rows[i];
	w->n = n;
}

static int pass(struct making *m, uint64_t from, uint64_t to, const struct progress *watch)
{
	struct gc_pauses pauses = {0};
	struct thread_history h;
	const struct thread_history_sink sink = {.stretch = on_stretch, .begins = on_begin, .ctx = m};
	int result = gc_pauses_make(&pauses, &m->log->gcs, 0, to, watch);
	if (result < 0)
		return result;
	struct thread_history_ask ask = {.log = m->log,
		.from = from,
		.to = to,
		.readers = {&sink},
		.n_readers = 1,
		.pauses = &pauses,
		.watch = watch};
	result = thread_history_begin(&h, &ask);
	result = result ? result : follow(m, &h, from, to, watch);
	result = result ? result : thread_history_end(&h);
	thread_history_free(&h);
	gc_pauses_free(&pauses);
	return result;
}

int whole_time_make(struct whole_time *w, const struct evl_log *log, uint64_t from, uint64_t to, uint32_t thread,
	const struct progress *watch)
{
	*w = (struct whole_time){0};
	struct making m = {.out = w, .log = log, .only = thread, .on_cap = calloc(PROF_CAPS, sizeof *m.on_cap)};
	int result = m.on_cap ? pass(&m, from, to, watch) : EVL_NOMEM;
	result = m.failed ? EVL_NOMEM : result; /* keep() ends the samples where memory ran out */
	idmap_free(&m.rows);
	idmap_free(&m.lives);
	free(m.items);
	free(m.on_cap);
	free(m.samples);
	if (result < 0)
		whole_time_free(w);
	else
		divide_all(w);
	return result;
}

void whole_time_free(struct whole_time *w)
{
	free(w->rows);
	*w = (struct whole_time){0};
}
