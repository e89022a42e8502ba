#include "threads/thread_patterns.h"

#include "base/idmap.h"
#include "base/order.h"

#include <stdlib.h>

struct label_count {
	uint64_t key, run_ns;
	uint32_t n, thread; /* threads, less those that paid for others; one of them */
};

struct counters {
	struct label_count *items; /* PATTERNS_SEEN */
	size_t n;
	struct idmap by_key;
};

/* No room for another label: each pattern pays with one thread, and those with none left go. */
static bool make_room(struct counters *c)
{
	size_t kept = 0;
	bool good = true;
	for (size_t i = 0; i < c->n; i++) {
		struct label_count p = c->items[i];
		if (--p.n == 0) {
			idmap_drop(&c->by_key, p.key);
			continue;
		}
		good = idmap_put(&c->by_key, p.key, (uint32_t)kept) && good;
		c->items[kept++] = p;
	}
	c->n = kept;
	return good;
}

static bool count(struct counters *c, const struct evl_log *log, uint32_t thread, uint64_t run)
{
	struct evl_str label = evl_label(log, thread);
	char name[LIST_NAME];
	uint32_t place;
	thread_fold(name, label); /* "" of no label */
	uint64_t key = idmap_key(str_of(name));
	if (!idmap_find(&c->by_key, key, &place)) {
		if (c->n == PATTERNS_SEEN)
			return make_room(c);
		place = (uint32_t)c->n;
		if (!idmap_put(&c->by_key, key, place))
			return false;
		c->items[c->n++] = (struct label_count){.key = key, .thread = thread};
	}
	struct label_count *p = &c->items[place];
	p->n += p->n < UINT32_MAX;
	p->run_ns = run < UINT64_MAX - p->run_ns ? p->run_ns + run : UINT64_MAX;
	return true;
}

COMPARE_BY(by_run, struct label_count, FALLING(run_ns) ?: RISING(thread));

int thread_patterns_find(const struct evl_log *log, const atomic_bool *cancel, struct thread_patterns *out)
{
	enum { CHECKED = 4096 };
	struct counters c = {.items = calloc(PATTERNS_SEEN, sizeof *c.items)};
	bool good = c.items, cancelled = false;
	uint32_t thread = 0, n = 0;
	uint64_t longest = 0;
	bool top_unlabelled = false;
	*out = (struct thread_patterns){0};
	while (good && !cancelled && threads_next(&log->threads, thread, &thread)) {
		uint64_t run = thread_total_run(log, thread);
		good = count(&c, log, thread, run);
		if (run > longest)
			top_unlabelled = evl_label(log, thread).len == 0;
		longest = max_u64(longest, run);
		cancelled = ++n % CHECKED == 0 && load_relaxed(cancel);
	}
	if (good && c.n)
		qsort(c.items, c.n, sizeof *c.items, by_run);
	for (size_t i = 0; good && !cancelled && i < c.n && out->n < PATTERNS; i++) {
		struct evl_str label = evl_label(log, c.items[i].thread);
		if (c.items[i].n < PATTERN_LEAST || (label.len == 0 && c.n == 1))
			continue;
		out->few_unlabelled =
			out->few_unlabelled || (label.len == 0 && top_unlabelled && c.items[i].n <= PATTERN_FEW);
		thread_fold(out->names[out->n++], label);
	}
	idmap_free(&c.by_key);
	free(c.items);
	return !good ? EVL_NOMEM : cancelled ? EVL_CANCELLED : 0;
}
