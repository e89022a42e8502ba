#include "report/whole_time.h"

#include "base/gallop.h"
#include "base/order.h"
#include "prof/prof_samples.h"
#include "query/thread_history.h"
#include "sched/thread_state.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 1 << 18, NODE_BITS = 20, REASON_BITS = 6 };

TEXT_FUNCTION(whole_kind_name, whole_kind, WHOLE_KINDS_DEF)

/* A sample that waits for its turn. */
struct waiting {
	uint64_t t;
	uint32_t node;
	uint16_t cap;
};

/* A thread that is followed. */
struct life {
	uint32_t thread, node; /* of its last sample; WHOLE_NO_STACK: none yet */
	bool counts;
};

/* Times of a thread in spans that count: disjoint. */
struct window {
	uint32_t thread;
	uint64_t from, to;
};

struct making {
	struct whole_time *out;
	const struct evl_log *log;
	const struct whole_only *only; /* NULL: all */
	struct gc_pauses pauses;
	struct window *windows; /* by thread, then by time */
	size_t n_windows, windows_room;
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

/* --- what counts --------------------------------------------------------------------------------------------------- */

enum { THREAD, LABEL, STEM, SPAN, FIELDS };

static const struct filter_field fields[FIELDS] = {
	[THREAD] = {"thread", "thread:9 or thread:2-5", FILTER_NUMBER, .unit = UNIT_COUNT},
	[LABEL] = {.name = "label", .example = "label~worker or label=worker-#", .kind = FILTER_TEXT},
	[STEM] = {.name = "stem", .example = "stem=worker-", .kind = FILTER_TEXT},
	[SPAN] = {.name = "span", .example = "span:req", .kind = FILTER_TEXT}};

bool whole_only_is_meant(const char *text)
{
	for (size_t i = 0; i < FIELDS; i++) {
		size_t len = strlen(fields[i].name);
		if (strncmp(text, fields[i].name, len) == 0 && text[len] && strchr(":=~!<>", text[len]))
			return true;
	}
	return false;
}

/* The number of the term on spans that all of a node asks for; 0: there is none. */
static uint8_t span_term(const struct filter *f, uint8_t at)
{
	const struct filter_node *n = &f->nodes[at];
	if (n->kind == FILTER_AND)
		return span_term(f, n->a) ?: span_term(f, n->b);
	return n->kind == FILTER_TERM && f->terms[n->a].field == SPAN ? n->a + 1 : 0;
}

int whole_only_parse(struct whole_only *only, const char *text, struct evl_err *err)
{
	static const struct filter_fields all = {fields, FIELDS, NULL, .open = false};
	*only = (struct whole_only){.thread = 0};
	int result = filter_parse(&only->filter, &all, text, err);
	if (result < 0 || only->filter.n == 0)
		return result;
	only->span = span_term(&only->filter, only->filter.root);
	for (uint8_t i = 0; i < only->filter.n; i++)
		if (only->filter.terms[i].field == SPAN && i + 1 != only->span)
			return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
				"column %u: span may be given once, and neither negated nor in an or",
				only->filter.terms[i].column);
	return 0;
}

void whole_only_free(struct whole_only *only) { filter_free(&only->filter); }

/* The part of a text that a filter may read; the log continues after it. */
static struct evl_str filtered(struct evl_str text)
{
	text.len = min_u64(text.len, FILTER_TEXT_MOST);
	return text;
}

struct evl_str whole_stem(struct evl_str label)
{
	struct evl_str stem = label;
	while (stem.len && is_digit(stem.p[stem.len - 1]))
		stem.len--;
	return stem.len ? stem : label;
}

struct thread_name {
	uint32_t thread;
	struct evl_str label, stem;
};

/* As in the lanes: a word may also be in the number of the thread. */
static enum filter_answer holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	const struct thread_name *of = ctx;
	char id[16];
	snprintf(id, sizeof id, "%u", of->thread);
	bool held = t->field == SPAN || (t->field == THREAD && filter_number(t, of->thread))
		|| (t->field != THREAD && filter_text(f, t, t->field == STEM ? of->stem : of->label))
		|| (t->field < 0 && filter_text(f, t, str_of(id)));
	return held ? FILTER_YES : FILTER_NO;
}

static bool counts(const struct making *m, uint32_t thread)
{
	struct evl_str label = evl_label(m->log, thread);
	struct thread_name name = {thread, filtered(label), filtered(whole_stem(label))};
	return !m->only
		|| ((m->only->thread == 0 || m->only->thread == thread)
			&& filter_ask(&m->only->filter, holds, &name) == FILTER_YES);
}

COMPARE_BY(by_thread_and_time, struct window, RISING(thread) ?: RISING(from));

/* The spans of the label, those of a thread that overlap as one. */
static int find_windows(struct making *m)
{
	const struct span_table *t = m->only && m->only->span ? spans_table(&m->log->spans) : NULL;
	const struct filter *f = t ? &m->only->filter : NULL;
	for (size_t i = 0; t && i < t->n; i++) {
		const struct span *s = &t->items[i];
		struct evl_str name = filtered(spans_name(&m->log->blocks, s)),
			       label = filtered(spans_label(&m->log->blocks, s));
		const struct filter_term *term = &f->terms[m->only->span - 1];
		if (s->thread == 0 || s->end <= s->start
			|| !(filter_text(f, term, name) || filter_text(f, term, label)))
			continue;
		if (!GROW(m->windows, m->n_windows, m->windows_room))
			return EVL_NOMEM;
		m->windows[m->n_windows++] = (struct window){s->thread, s->start, s->end};
	}
	if (m->n_windows)
		qsort(m->windows, m->n_windows, sizeof *m->windows, by_thread_and_time);
	size_t n = 0;
	for (size_t i = 0; i < m->n_windows; i++) {
		const struct window *w = &m->windows[i];
		if (n && m->windows[n - 1].thread == w->thread && w->from <= m->windows[n - 1].to)
			m->windows[n - 1].to = max_u64(m->windows[n - 1].to, w->to);
		else
			m->windows[n++] = *w;
	}
	m->n_windows = n;
	return 0;
}

/* The first window of a thread that ends after t; n_windows: none does. */
static size_t window_after(const struct making *m, uint32_t thread, uint64_t t)
{
	BISECT(low, m->n_windows,
		m->windows[mid].thread < thread || (m->windows[mid].thread == thread && m->windows[mid].to <= t));
	return low < m->n_windows && m->windows[low].thread == thread ? low : m->n_windows;
}

/* How much of [from, to) of a thread counts, and how much of that lies in pauses. */
static uint64_t time_that_counts(const struct making *m, const struct stretch *s, uint64_t *paused)
{
	uint64_t ns = 0;
	*paused = min_u64(s->paused, s->to - s->from);
	if (!m->only || m->only->span == 0)
		return s->to - s->from;
	*paused = 0;
	for (size_t i = window_after(m, s->thread, s->from);
		i < m->n_windows && m->windows[i].thread == s->thread && m->windows[i].from < s->to; i++) {
		uint64_t from = max_u64(s->from, m->windows[i].from), to = min_u64(s->to, m->windows[i].to);
		ns += to - from;
		*paused += gc_pauses_within(&m->pauses, from, to);
	}
	return ns;
}

static bool is_time_that_counts(const struct making *m, uint32_t thread, uint64_t t)
{
	if (!m->only || m->only->span == 0)
		return true;
	size_t i = window_after(m, thread, t);
	return i < m->n_windows && m->windows[i].from <= t;
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static struct life *life_of(struct making *m, uint32_t thread)
{
	uint32_t place;
	if (idmap_find(&m->lives, thread, &place))
		return &m->items[place];
	if (!GROW(m->items, m->n_lives, m->lives_room) || !idmap_put(&m->lives, thread, (uint32_t)m->n_lives)) {
		m->failed = true;
		return NULL;
	}
	m->items[m->n_lives] = (struct life){thread, WHOLE_NO_STACK, counts(m, thread)};
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
	if (s->to <= s->from)
		return;
	const struct life *life = life_of(m, s->thread);
	enum whole_kind kind = kind_of(m, s);
	uint64_t paused, ns = time_that_counts(m, s, &paused);
	if (!life || !life->counts)
		return;
	paused = kind == WHOLE_RUNNABLE ? paused : 0; /* a thread that still runs in a sync is on the CPU */
	struct whole_row row = {.thread = s->thread,
		.kind = (uint8_t)kind,
		.node = kind == WHOLE_CPU || kind == WHOLE_UNKNOWN ? WHOLE_NO_STACK : life->node,
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

static const struct prof *profile_of(const struct making *m)
{
	return m->only && m->only->profile ? m->only->profile : evl_profile(m->log);
}

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

ORDER_BY(by_time, struct waiting, t);

static void take_sample(struct making *m, const struct waiting *s)
{
	uint32_t thread = m->on_cap[s->cap];
	m->out->samples++;
	struct life *life = thread ? life_of(m, thread) : NULL;
	if (!life || !life->counts)
		return;
	life->node = s->node;
	if (!is_time_that_counts(m, thread, s->t))
		return;
	m->out->of_threads++;
	add(m, (struct whole_row){.thread = thread, .node = s->node, .kind = WHOLE_CPU, .samples = 1});
}

/* The samples of [from, to), each when the threads have come to its time. */
static int take_samples(
	struct making *m, struct thread_history *h, uint64_t from, uint64_t to, const struct progress *watch)
{
	struct prof_each ask = {from, to, watch ? watch->cancel : NULL, keep, m};
	m->n = 0;
	int result = prof_each(profile_of(m), &m->log->blocks, &ask);
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
	uint64_t first, last, all = prof_samples(profile_of(m)), parts = all / BATCH + 1;
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

COMPARE_BY(by_thread, struct whole_row, RISING(thread) ?: RISING(kind) ?: FALLING(samples) ?: FALLING(ns) ?: RISING(node) ?: RISING(reason));

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

uint64_t whole_time_samples(const struct whole_time *w, uint64_t *self, uint32_t n_nodes)
{
	uint64_t total = 0;
	memset(self, 0, n_nodes * sizeof *self);
	for (size_t i = 0; i < w->n; i++)
		if (w->rows[i].kind == WHOLE_CPU && w->rows[i].node < n_nodes) {
			self[w->rows[i].node] += w->rows[i].samples;
			total += w->rows[i].samples;
		}
	return total;
}

static int pass(struct making *m, uint64_t from, uint64_t to, const struct progress *watch)
{
	struct thread_history h;
	const struct thread_history_sink sink = {.stretch = on_stretch, .begins = on_begin, .ctx = m};
	int result = evl_all_pauses(&m->pauses, m->log, watch);
	result = result ? result : find_windows(m);
	if (result < 0)
		return result;
	struct thread_history_ask ask = {.log = m->log,
		.from = from,
		.to = to,
		.readers = {&sink},
		.n_readers = 1,
		.pauses = &m->pauses,
		.watch = watch};
	result = thread_history_begin(&h, &ask);
	result = result ? result : follow(m, &h, from, to, watch);
	result = result ? result : thread_history_end(&h);
	thread_history_free(&h);
	return result;
}

int whole_time_make(struct whole_time *w, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct whole_only *only, const struct progress *watch)
{
	*w = (struct whole_time){0};
	struct making m = {.out = w, .log = log, .only = only, .on_cap = calloc(PROF_CAPS, sizeof *m.on_cap)};
	int result = m.on_cap ? pass(&m, from, to, watch) : EVL_NOMEM;
	result = m.failed ? EVL_NOMEM : result; /* keep() ends the samples where memory ran out */
	idmap_free(&m.rows);
	idmap_free(&m.lives);
	gc_pauses_free(&m.pauses);
	free_all(m.items, m.windows, m.on_cap, m.samples);
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
