#include "prof/prof_window.h"

#include "base/order.h"

#include <stdlib.h>

/* State of a scan. Equal counts are found by a hash table that is kept half empty. */
struct gathering {
	struct prof_window *w;
	int cap;
	uint32_t *slots; /* index into counts + 1; 0: free */
	size_t n_slots;
	bool caps[PROF_CAPS];
};

static size_t hash(const struct prof_count *c)
{
	uint64_t h = (((uint64_t)c->cap << 48 | (uint64_t)c->part << 32) ^ c->node) * 0x9e3779b97f4a7c15;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93; /* the capability is in the highest bits only */
	return (size_t)(h ^ h >> 32);
}

static uint32_t *slot_of(const struct gathering *g, const struct prof_count *c)
{
	size_t at = hash(c) & (g->n_slots - 1);
	for (; g->slots[at]; at = (at + 1) & (g->n_slots - 1)) {
		const struct prof_count *other = &g->w->counts[g->slots[at] - 1];
		if (other->node == c->node && other->cap == c->cap && other->part == c->part)
			break;
	}
	return &g->slots[at];
}

static bool grow(struct gathering *g)
{
	if (2 * (g->w->n + 1) <= g->n_slots)
		return true;
	uint32_t *slots = calloc(2 * g->n_slots, sizeof *slots);
	if (!slots)
		return false;
	free(g->slots);
	g->slots = slots;
	g->n_slots *= 2;
	for (size_t i = 0; i < g->w->n; i++)
		*slot_of(g, &g->w->counts[i]) = (uint32_t)i + 1;
	return true;
}

static void count_column(struct gathering *g, const struct prof_count *c)
{
	struct prof_window *w = g->w;
	uint32_t *slot = slot_of(g, c);
	if (*slot) {
		w->counts[*slot - 1].n += c->n;
	} else if (w->n >= MAX_PROF_COUNTS || !grow(g) || !GROW(w->counts, w->n, w->room)) {
		w->more += c->n;
	} else {
		w->counts[w->n++] = *c;
		*slot_of(g, c) = (uint32_t)w->n;
	}
}

static void take(void *ctx, const struct prof_count *c)
{
	struct gathering *g = ctx;
	g->caps[c->cap] = true;
	if (g->cap == PROF_ALL_CAPS || g->cap == c->cap) {
		g->w->self[c->node] += c->n;
		g->w->total += c->n;
	}
	count_column(g, c);
}

COMPARE_BY(by_place, struct prof_count, RISING(cap) ?: RISING(part) ?: RISING(node));

static bool list_caps(struct prof_window *w, const struct gathering *g)
{
	size_t room = 0;
	for (unsigned cap = 0; cap < PROF_CAPS; cap++)
		if (g->caps[cap]) {
			if (!GROW(w->caps, w->n_caps, room))
				return false;
			w->caps[w->n_caps++] = (uint16_t)cap;
		}
	return true;
}

int prof_window_make(struct prof_window *w, const struct prof *p, const struct blocks *b, uint64_t from, uint64_t to,
	int cols, int cap, const atomic_bool *cancel)
{
	struct gathering *g = calloc(1, sizeof *g);
	int result = EVL_NOMEM;
	*w = (struct prof_window){.from = from, .to = to, .cols = cols, .n_nodes = stacks_count(&p->stacks)};
	w->self = calloc(w->n_nodes + 1, sizeof *w->self);
	if (g && w->self) {
		*g = (struct gathering){.w = w, .cap = cap, .n_slots = 1024, .slots = calloc(1024, sizeof *g->slots)};
		struct prof_samples ask = {from, to, cols, cancel, take, g};
		result = g->slots ? prof_scan(p, b, &ask) : EVL_NOMEM;
		result = result == 0 && !list_caps(w, g) ? EVL_NOMEM : result;
		free(g->slots);
	}
	free(g);
	if (result < 0)
		prof_window_free(w);
	else if (w->n)
		qsort(w->counts, w->n, sizeof *w->counts, by_place);
	return result;
}

void prof_window_free(struct prof_window *w)
{
	free_all(w->counts, w->self, w->caps);
	*w = (struct prof_window){0};
}

uint64_t prof_hide_rts(const struct prof_names *names, uint64_t *self, uint32_t n_nodes)
{
	uint64_t total = 0;
	for (uint32_t i = 0; i < n_nodes; i++) {
		self[i] = names->items[names->of_node[i]].is_rts ? 0 : self[i];
		total += self[i];
	}
	return total;
}

/* --- over time ----------------------------------------------------------------------------------------------------- */

/* The frames of a stack from the outside in, as nodes, into path; how many. */
static uint32_t spell(const struct stacks *stacks, uint32_t node, uint32_t *path)
{
	uint32_t depth = stacks_at(stacks, node)->depth;
	for (uint32_t i = depth; i-- > 0; node = stacks_at(stacks, node)->parent)
		path[i] = node;
	return depth;
}

/* One count and its path, while a column's heaviest stack is looked for. */
struct candidate {
	uint32_t depth, n;
	uint32_t path[STACK_DEPTH];
};

enum { CANDIDATES = 64 }; /* the most frequent stacks of a column; others do not matter for it */

/* Which frame at this depth has most samples among those that are still in; PROF_NO_NODE: no more than end here. */
static uint32_t heaviest_at(const struct candidate *c, size_t n, uint32_t depth, uint32_t parent)
{
	uint32_t best = PROF_NO_NODE;
	uint64_t most = 0, ends = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t sum = 0;
		bool in = depth == 0 || (c[i].depth >= depth && c[i].path[depth - 1] == parent);
		if (in && c[i].depth == depth)
			ends += c[i].n;
		if (!in || c[i].depth <= depth)
			continue;
		for (size_t k = 0; k < n; k++)
			sum += c[k].depth > depth && c[k].path[depth] == c[i].path[depth] ? c[k].n : 0;
		if (sum > most) {
			most = sum;
			best = c[i].path[depth];
		}
	}
	return most > ends ? best : PROF_NO_NODE;
}

static uint32_t heaviest(const struct candidate *c, size_t n)
{
	uint32_t node = STACK_ROOT, next;
	for (uint32_t depth = 0; depth < STACK_DEPTH && (next = heaviest_at(c, n, depth, node)) != PROF_NO_NODE;
		depth++)
		node = next;
	return node;
}

/* The counts of one column: the most frequent of them. */
static size_t choose(const struct prof_count *counts, size_t n, const struct stacks *stacks, struct candidate *out)
{
	size_t chosen = 0;
	for (size_t i = 0; i < n; i++) {
		size_t at = chosen;
		if (chosen == CANDIDATES) {
			at = 0;
			for (size_t k = 1; k < chosen; k++)
				at = out[k].n < out[at].n ? k : at;
			if (out[at].n >= counts[i].n)
				continue;
		} else {
			chosen++;
		}
		out[at].n = counts[i].n;
		out[at].depth = spell(stacks, counts[i].node, out[at].path);
	}
	return chosen;
}

int prof_window_heaviest(const struct prof_window *w, const struct stacks *stacks, uint16_t cap, uint32_t *nodes)
{
	struct candidate *c = malloc(CANDIDATES * sizeof *c);
	if (!c)
		return EVL_NOMEM;
	for (int i = 0; i < w->cols; i++)
		nodes[i] = PROF_NO_NODE;
	for (size_t i = 0, end; i < w->n; i = end) {
		const struct prof_count *first = &w->counts[i];
		for (end = i; end < w->n && w->counts[end].cap == first->cap && w->counts[end].part == first->part;
			end++)
			;
		if (first->cap == cap)
			nodes[first->part] = heaviest(c, choose(first, end - i, stacks, c));
	}
	free(c);
	return 0;
}

int prof_window_series(const struct prof_window *w, const struct stacks *stacks, const struct prof_names *names,
	uint32_t name, int cap, uint64_t *out)
{
	bool *holds = calloc(w->n_nodes + 1, sizeof *holds); /* by node: the centre is in its stack */
	if (!holds)
		return EVL_NOMEM;
	for (uint32_t i = 0; i < w->n_nodes; i++)
		holds[i] = holds[stacks_at(stacks, i)->parent] || names->of_node[i] == name;
	memset(out, 0, (size_t)w->cols * sizeof *out);
	for (size_t i = 0; i < w->n; i++) {
		const struct prof_count *c = &w->counts[i];
		out[c->part] += holds[c->node] && (cap == PROF_ALL_CAPS || cap == c->cap) ? c->n : 0;
	}
	free(holds);
	return 0;
}

bool prof_was_off(const struct prof *p, uint64_t from, uint64_t to)
{
	for (size_t i = 0, n = rows_count(&p->gaps); i < n; i++) {
		const struct prof_gap *gap = rows_at(&p->gaps, i);
		if (gap->from <= from && gap->to >= to)
			return true;
	}
	return false;
}
