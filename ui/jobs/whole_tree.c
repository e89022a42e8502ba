#include "jobs/whole_tree.h"

#include "base/order.h"
#include "sched/thread_state.h"

#include <stdio.h>
#include <stdlib.h>

enum { REASONS = UINT8_MAX + 1, ABOVE = 3 }; /* items above a stack: thread, kind, estimated */

struct making {
	const struct evl_log *log;
	const struct stacks *stacks;
	struct whole_trie *out;
	size_t n, room; /* of out->self */
	bool by_label;
	uint32_t *of_node;                                                /* names of the profile's stacks */
	uint32_t kinds[WHOLE_KINDS], reasons[REASONS], estimated, others; /* names; 0: not there yet */
};

static uint32_t name(struct making *m, uint32_t *known, const char *text)
{
	if (!*known)
		*known = prof_names_add(&m->out->names, str_of(text), (struct evl_str){0}, true);
	return *known;
}

static uint32_t kind_name(struct making *m, const struct whole_row *row)
{
	char text[64];
	if (row->kind != WHOLE_BLOCKED)
		return name(m, &m->kinds[row->kind], whole_kind_name((enum whole_kind)row->kind));
	snprintf(text, sizeof text, "blocked: %s", thread_block_name(row->reason));
	return name(m, &m->reasons[row->reason], text);
}

static uint32_t thread_name(struct making *m, uint32_t thread)
{
	struct evl_str label = evl_label(m->log, thread);
	struct buf text = {0};
	if (!m->by_label || !label.len)
		buf_printf(&text, label.len ? "%u " : "thread %u", thread);
	buf_str(&text, label);
	uint32_t added =
		prof_names_add(&m->out->names, (struct evl_str){(const uint8_t *)text.p, text.len}, EVL_STR(""), true);
	m->out->names.text.failed |= text.failed;
	buf_free(&text);
	return added;
}

/* Thread, kind, whether the stack is estimated, the stack from the outermost frame on. Innermost frames of deep stacks are cut. */
static int add_row(struct making *m, uint32_t thread, const struct whole_row *row)
{
	uint32_t path[STACK_DEPTH], node = row->node;
	size_t n = 0;
	path[n++] = thread;
	path[n++] = kind_name(m, row);
	if (node != WHOLE_NO_STACK && row->kind != WHOLE_CPU)
		path[n++] = name(m, &m->estimated, "(last stack)");
	size_t depth = node == WHOLE_NO_STACK ? 0 : stacks_at(m->stacks, node)->depth;
	for (; depth > STACK_DEPTH - ABOVE; depth--)
		node = stacks_at(m->stacks, node)->parent;
	for (size_t i = depth; i-- > 0; node = stacks_at(m->stacks, node)->parent)
		path[n + i] = m->of_node[node];
	uint32_t at = stacks_intern(&m->out->stacks, path, n + depth);
	while (m->n <= at) {
		if (!GROW(m->out->self, m->n, m->room))
			return EVL_NOMEM;
		m->out->self[m->n++] = 0;
	}
	m->out->self[at] += row->ns;
	return 0;
}

/* --- threads ------------------------------------------------------------------------------------------------------- */

struct total {
	uint64_t ns;
	uint32_t thread;
	size_t from, to; /* its rows */
};

COMPARE_BY(by_ns, struct total, FALLING(ns) ?: RISING(thread));

ORDER_BY(by_id, struct total, thread);

/* Rows come by thread. The caller frees it. */
static struct total *list_threads(const struct whole_time *w, size_t *n)
{
	struct total *all = malloc((w->n + 1) * sizeof *all);
	*n = 0;
	for (size_t i = 0; all && i < w->n; i++) {
		if (i == 0 || w->rows[i].thread != w->rows[i - 1].thread)
			all[(*n)++] = (struct total){.thread = w->rows[i].thread, .from = i};
		all[*n - 1].ns += w->rows[i].ns;
		all[*n - 1].to = i + 1;
	}
	return all;
}

static int add_rows(struct making *m, const struct whole_time *w)
{
	size_t n;
	struct total *threads = list_threads(w, &n);
	char text[48];
	int result = threads ? 0 : EVL_NOMEM;
	if (result < 0)
		return result;
	qsort(threads, n, sizeof *threads, by_ns);
	size_t own = n < WHOLE_THREADS ? n : WHOLE_THREADS;
	qsort(threads, own, sizeof *threads, by_id); /* so that the names of threads are alike in another range */
	for (size_t i = 0; i < n && result == 0; i++) {
		uint32_t at = i < own ? thread_name(m, threads[i].thread) : 0;
		if (i >= own) {
			snprintf(text, sizeof text, m->by_label ? "other threads" : "%zu other threads", n - own);
			at = name(m, &m->others, text);
		}
		for (size_t k = threads[i].from; k < threads[i].to && result == 0; k++)
			result = add_row(m, at, &w->rows[k]);
	}
	free(threads);
	return result;
}

/* Nodes that are only on the way have no time; frames are names. */
static int fill_up(struct making *m)
{
	struct whole_trie *t = m->out;
	t->n = stacks_count(&t->stacks);
	while (m->n < t->n) {
		if (!GROW(t->self, m->n, m->room))
			return EVL_NOMEM;
		t->self[m->n++] = 0;
	}
	t->names.n_nodes = t->n;
	t->names.of_node = malloc(((size_t)t->n + 1) * sizeof *t->names.of_node);
	for (uint32_t i = 0; t->names.of_node && i < t->n; i++)
		t->names.of_node[i] = i == STACK_ROOT ? t->root : stacks_at(&t->stacks, i)->frame;
	return t->names.of_node && !t->names.text.failed ? 0 : EVL_NOMEM;
}

int whole_trie_make(struct whole_trie *t, const struct whole_time *w, const struct evl_log *log,
	const struct stacks *stacks, const struct prof_names *from, bool by_label)
{
	struct making m = {.log = log, .stacks = stacks, .out = t, .by_label = by_label};
	*t = (struct whole_trie){.n = 0};
	int result = prof_names_extend(&t->names, from, WHOLE_THREADS + WHOLE_KINDS + REASONS + ABOVE);
	if (result < 0)
		return result;
	m.of_node = t->names.of_node;
	t->names.of_node = NULL;
	result = stacks_init(&t->stacks);
	if (result == 0) {
		name(&m, &t->root, "all threads");
		result = add_rows(&m, w);
		result = result ? result : fill_up(&m);
	}
	free(m.of_node);
	if (result < 0)
		whole_trie_free(t);
	return result;
}

void whole_trie_free(struct whole_trie *t)
{
	stacks_free(&t->stacks);
	prof_names_free(&t->names);
	free(t->self);
	*t = (struct whole_trie){.n = 0};
}

int whole_tree_make(struct prof_tree *t, struct prof_names *names, const struct whole_time *w,
	const struct evl_log *log, const struct stacks *stacks, const struct prof_names *from)
{
	struct whole_trie trie;
	*t = (struct prof_tree){0};
	int result = whole_trie_make(&trie, w, log, stacks, from, false);
	result = result ? result : prof_tree_of_trie(t, &trie.stacks, trie.self, trie.root);
	if (result < 0) {
		whole_trie_free(&trie);
		return result;
	}
	t->cut = atomic_load(&trie.stacks.cut);
	*names = trie.names;
	trie.names = (struct prof_names){0};
	whole_trie_free(&trie);
	return 0;
}
