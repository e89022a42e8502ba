#include "sched/spark_sizes.h"

#include "base/histogram.h"
#include "base/idmap.h"
#include "sched/thread_state.h"

#include <stdlib.h>

const uint64_t spark_size_bounds[SPARK_SIZE_CLASSES - 1] = {1000, 10000, 100000, 1000000, 10000000, 100000000};

enum { OPEN_MOST = 1 << 16, CHECK_EVERY = 1 << 12 };

/* A spark that is being evaluated; thread 0: the slot is free. */
struct open_spark {
	uint64_t start, ns;
	uint32_t thread;
};

struct scan {
	struct spark_sizes *out;
	uint64_t from, to;
	struct histogram *lengths;
	struct idmap by_thread;
	struct open_spark *open;
	size_t n, room;
	uint32_t running; /* the thread that runs, since; 0: none */
	uint64_t since;
	bool failed;
};

static struct open_spark *find(const struct scan *s, uint32_t thread)
{
	uint32_t place;
	return thread && idmap_find(&s->by_thread, thread, &place) ? &s->open[place] : NULL;
}

static bool counts(const struct scan *s, const struct open_spark *o) { return o->start >= s->from && o->start < s->to; }

/* The thread ran up to t. */
static void add_time(struct scan *s, uint64_t t)
{
	struct open_spark *o = find(s, s->running);
	if (o)
		o->ns += sub_or_0(t, s->since);
	s->since = t;
}

/* The last slot takes the place of the one that becomes free. */
static void drop(struct scan *s, struct open_spark *o)
{
	uint32_t place = (uint32_t)(o - s->open);
	idmap_drop(&s->by_thread, o->thread);
	*o = s->open[--s->n];
	if (place < s->n && !idmap_put(&s->by_thread, o->thread, place))
		s->failed = true;
}

static void end(struct scan *s, uint32_t thread)
{
	struct open_spark *o = find(s, thread);
	struct spark_sizes *out = s->out;
	size_t class = 0;
	if (!o)
		return;
	while (class + 1 < SPARK_SIZE_CLASSES && o->ns >= spark_size_bounds[class])
		class ++;
	if (counts(s, o)) {
		if (out->n == 0 || o->ns > out->longest) {
			out->longest = o->ns;
			out->longest_at = o->start;
		}
		out->n++;
		out->total_ns += o->ns;
		out->classes[class]++;
		out->class_ns[class] += o->ns;
		histogram_add(s->lengths, o->ns);
	}
	drop(s, o);
}

static void begin(struct scan *s, uint64_t t)
{
	end(s, s->running);
	if (s->running == 0 || s->n >= OPEN_MOST) {
		s->out->open += t >= s->from && t < s->to;
		return;
	}
	if (!GROW(s->open, s->n, s->room) || !idmap_put(&s->by_thread, s->running, (uint32_t)s->n)) {
		s->failed = true;
		return;
	}
	s->open[s->n++] = (struct open_spark){.start = t, .thread = s->running};
}

/* Another capability continues the thread. */
static void lose(struct scan *s, uint32_t thread)
{
	struct open_spark *o = find(s, thread);
	if (!o)
		return;
	s->out->open += counts(s, o);
	drop(s, o);
}

static void step(struct scan *s, const struct frame *f)
{
	uint32_t thread = f->payload.len >= 4 ? be32(f->payload.p) : 0;
	switch (f->tag) {
	case EVL_RUN_THREAD:
		add_time(s, f->t);
		s->running = thread;
		break;
	case EVL_STOP_THREAD:
		add_time(s, f->t);
		if (f->payload.len >= 6 && be16(f->payload.p + 4) == STOP_FINISHED)
			end(s, thread);
		s->running = 0;
		break;
	case EVL_MIGRATE_THREAD: lose(s, thread); break;
	case EVL_SPARK_RUN:
	case EVL_SPARK_STEAL:
		add_time(s, f->t);
		begin(s, f->t);
		break;
	default: break;
	}
}

static int scan_chain(struct scan *s, const struct blocks *b, uint32_t chain, const struct progress *watch)
{
	const uint64_t wanted = 1ull << EVL_RUN_THREAD | 1ull << EVL_STOP_THREAD | 1ull << EVL_MIGRATE_THREAD
		| 1ull << EVL_SPARK_RUN | 1ull << EVL_SPARK_STEAL;
	struct cursor c;
	struct frame f;
	const struct block *block;
	cursor_begin(&c, b, &b->chains[chain], UINT64_MAX);
	s->running = 0;
	for (size_t i = 0; cursor_next_of(&c, wanted, UINT64_MAX, &f, &block) && !s->failed; i++) {
		if (i % CHECK_EVERY == 0 && progress_cancelled(watch))
			return EVL_CANCELLED;
		if (event_readable(b->header, &f))
			step(s, &f);
	}
	while (s->n)
		lose(s, s->open[0].thread);
	return s->failed ? EVL_NOMEM : 0;
}

int spark_sizes_make(struct spark_sizes *out, const struct blocks *b, const uint32_t *chains, size_t n_chains,
	uint64_t from, uint64_t to, const struct progress *watch)
{
	struct scan s = {.out = out, .from = from, .to = to, .lengths = calloc(1, sizeof *s.lengths)};
	int result = s.lengths ? 0 : EVL_NOMEM;
	*out = (struct spark_sizes){0};
	for (size_t i = 0; i < n_chains && result == 0; i++)
		result = scan_chain(&s, b, chains[i], watch);
	if (result == 0)
		out->median = histogram_quantile(s.lengths, 50);
	idmap_free(&s.by_thread);
	free_all(s.open, s.lengths);
	return result;
}
