#include "prof/prof_tree.h"

#include "prof/prof_centres.h"
#include "prof/prof_diff.h"
#include "sys/system.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* --- from a trie to a tree ----------------------------------------------------------------------------------------- */

/* Parents come before their children, so going backwards all sums are complete when they are added on. */
static void sum_up(const struct stacks *trie, const uint64_t *self, uint64_t *incl, uint32_t n)
{
	assert(self);
	memcpy(incl, self, n * sizeof *incl);
	for (uint32_t i = n; i-- > 1;)
		incl[stacks_at(trie, i)->parent] += incl[i];
}

static void link_children(struct prof_tree *t)
{
	for (uint32_t i = t->n; i-- > 1;) {
		struct prof_item *parent = &t->items[t->items[i].parent];
		t->items[i].next = parent->child;
		parent->child = i;
		parent->kids++;
	}
}

/* Nodes without a sample are left out. of_node: their names; NULL: frames are names. times: by node; NULL: all 0. */
static int tree_of(struct prof_tree *t, const struct stacks *trie, const uint32_t *of_node, const uint32_t *times,
	uint32_t root_name, const uint64_t *self, uint32_t n)
{
	uint64_t *incl = malloc(n * sizeof *incl);
	uint32_t *item_of = calloc(n, sizeof *item_of);
	t->items = malloc(n * sizeof *t->items);
	bool good = incl && item_of && t->items;
	if (good)
		sum_up(trie, self, incl, n);
	for (uint32_t i = 0; i < n && good; i++) {
		const struct stack_node *node = stacks_at(trie, i);
		if (i && incl[i] == 0)
			continue;
		item_of[i] = t->n;
		t->items[t->n++] = (struct prof_item){.name = i == 0 ? root_name
				: of_node                            ? of_node[i]
								     : node->frame,
			.parent = item_of[node->parent],
			.depth = node->depth,
			.times = times ? times[i] : 0,
			.self = self[i],
			.incl = incl[i]};
	}
	if (good)
		link_children(t);
	free_all(incl, item_of);
	return good ? 0 : EVL_NOMEM;
}

int prof_tree_of_trie(struct prof_tree *t, const struct stacks *trie, const uint64_t *self, uint32_t root_name)
{
	*t = (struct prof_tree){0};
	int result = tree_of(t, trie, NULL, NULL, root_name, self, stacks_count(trie));
	if (result < 0)
		prof_tree_free(t);
	return result;
}

/* --- other shapes: tries of names ---------------------------------------------------------------------------------- */

/* The names of a stack, innermost first, MAIN last. */
static size_t path_of(const struct stacks *stacks, const struct prof_names *names, uint32_t node, uint32_t *path)
{
	size_t n = 0;
	for (; node != STACK_ROOT; node = stacks_at(stacks, node)->parent)
		path[n++] = names->of_node[node];
	path[n++] = PROF_MAIN;
	return n;
}

/* The part of the path that the shape has, in the order from its root: into part. false: the stack is not in it. */
static bool part_of(enum prof_shape shape, const uint32_t *path, size_t n, uint32_t centre, uint32_t *part, size_t *len)
{
	size_t at = n; /* after the centre's outermost occurrence */
	*len = 0;
	while (shape != PROF_BOTTOM_UP && at > 0 && path[at - 1] != centre)
		at--;
	if (shape != PROF_BOTTOM_UP && at == 0)
		return false;
	if (shape == PROF_CALLEES)
		for (size_t i = at - 1; i-- > 0;)
			part[(*len)++] = path[i];
	else
		for (size_t i = shape == PROF_CALLERS ? at : 0; i < n && *len < STACK_DEPTH; i++)
			part[(*len)++] = path[i];
	return true;
}

/* Grow to at least this number of counts. */
static int count_to(uint64_t **counts, size_t *n, size_t *room, size_t least)
{
	while (*n < least) {
		if (!GROW(*counts, *n, *room))
			return EVL_NOMEM;
		(*counts)[(*n)++] = 0;
	}
	return 0;
}

static int add_stack(struct stacks *trie, uint64_t **counts, size_t *n, size_t *room, const uint32_t *part, size_t len,
	uint64_t samples)
{
	uint32_t node = stacks_intern(trie, part, len);
	int result = count_to(counts, n, room, (size_t)node + 1);
	if (result == 0)
		(*counts)[node] += samples;
	return result;
}

static int make_other(struct prof_tree *t, enum prof_shape shape, const struct stacks *stacks,
	const struct prof_names *names, const uint64_t *self, uint32_t centre)
{
	uint32_t path[STACK_DEPTH + 1], part[STACK_DEPTH + 1];
	uint64_t *counts = NULL;
	size_t n = 0, room = 0, len;
	struct stacks trie;
	int result = stacks_init(&trie);
	for (uint32_t node = 0; node < names->n_nodes && result == 0; node++) {
		if (self[node] && part_of(shape, path, path_of(stacks, names, node, path), centre, part, &len)) {
			uint64_t was = atomic_load(&trie.cut);
			result = add_stack(&trie, &counts, &n, &room, part, len, self[node]);
			t->cut += atomic_load(&trie.cut) > was ? self[node] : 0;
		}
	}
	uint32_t all = stacks_count(&trie);
	result = result == 0 ? count_to(&counts, &n, &room, all) : result; /* nodes that are on the way only */
	if (result == 0)
		result = tree_of(t, &trie, NULL, NULL, shape == PROF_BOTTOM_UP ? PROF_MAIN : centre, counts, all);
	free(counts);
	stacks_free(&trie);
	return result;
}

/* --- recursion ----------------------------------------------------------------------------------------------------- */

/* The names from the root's child down to an item, each direct recursion once, and how long it is. */
static size_t fold_path(const struct prof_tree *t, uint32_t item, uint32_t *part, uint32_t *runs)
{
	size_t n = 0;
	for (; item && n <= STACK_DEPTH; item = t->items[item].parent) {
		uint32_t name = t->items[item].name;
		if (n && part[n - 1] == name) {
			runs[n - 1]++;
			continue;
		}
		part[n] = name;
		runs[n++] = 1;
	}
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t name = part[i], run = runs[i];
		part[i] = part[n - 1 - i];
		runs[i] = runs[n - 1 - i];
		part[n - 1 - i] = name;
		runs[n - 1 - i] = run;
	}
	return n;
}

struct folding {
	struct stacks trie;
	uint64_t *counts;
	size_t n, room;
	uint32_t *times; /* by node; at most as many as items */
	uint32_t part[STACK_DEPTH + 1], runs[STACK_DEPTH + 1];
};

static int fold_item(struct folding *f, const struct prof_tree *t, uint32_t item)
{
	size_t len = fold_path(t, item, f->part, f->runs);
	int result = add_stack(&f->trie, &f->counts, &f->n, &f->room, f->part, len, t->items[item].self);
	uint32_t node = result == 0 ? stacks_find(&f->trie, f->part, len) : STACK_ROOT;
	size_t depth = stacks_at(&f->trie, node)->depth;
	assert(depth <= len);
	for (size_t k = depth; k-- > 0; node = stacks_at(&f->trie, node)->parent)
		if (node < t->n && f->runs[k] > f->times[node])
			f->times[node] = f->runs[k];
	return result;
}

int prof_tree_fold(struct prof_tree *t)
{
	struct folding f = {.times = calloc(t->n + 1, sizeof *f.times)};
	struct prof_tree folded = {.cut = t->cut};
	int result = stacks_init(&f.trie);
	result = result ? result : f.times ? 0 : EVL_NOMEM;
	for (uint32_t i = 0; i < t->n && result == 0; i++)
		if (t->items[i].self)
			result = fold_item(&f, t, i);
	uint32_t all = stacks_count(&f.trie);
	result = result == 0 ? count_to(&f.counts, &f.n, &f.room, all) : result;
	assert(result < 0 || all <= t->n + 1);
	if (result == 0 && t->n)
		result = tree_of(&folded, &f.trie, NULL, f.times, t->items[0].name, f.counts, all);
	if (result == 0 && t->n) {
		free(t->items);
		*t = folded;
	} else {
		prof_tree_free(&folded);
	}
	free_all(f.counts, f.times);
	stacks_free(&f.trie);
	return result;
}

/* --- flat ---------------------------------------------------------------------------------------------------------- */

static int make_flat(
	struct prof_tree *t, const struct stacks *stacks, const struct prof_names *names, const uint64_t *self)
{
	uint64_t *incl = malloc(names->n * sizeof *incl), *own = malloc(names->n * sizeof *own);
	t->items = malloc((names->n + 1) * sizeof *t->items);
	int result = incl && own && t->items ? prof_sums(stacks, names, self, incl, own) : EVL_NOMEM;
	if (result == 0)
		t->items[t->n++] = (struct prof_item){.name = PROF_MAIN, .incl = incl[PROF_MAIN]};
	for (uint32_t name = 0; name < names->n && result == 0; name++)
		if (incl[name])
			t->items[t->n++] =
				(struct prof_item){.name = name, .depth = 1, .self = own[name], .incl = incl[name]};
	if (result == 0)
		link_children(t);
	free_all(incl, own);
	return result;
}

int prof_tree_make(struct prof_tree *t, enum prof_shape shape, const struct stacks *stacks,
	const struct prof_names *names, const uint64_t *self, uint32_t centre)
{
	*t = (struct prof_tree){0};
	int result = shape == PROF_FLAT ? make_flat(t, stacks, names, self)
		: shape == PROF_TREE    ? tree_of(t, stacks, names->of_node, NULL, PROF_MAIN, self, names->n_nodes)
					: make_other(t, shape, stacks, names, self, centre);
	for (uint32_t i = 0; i < t->n && shape == PROF_BOTTOM_UP; i++) /* the others called those of the first level */
		t->items[i].self = t->items[i].depth == 1 ? t->items[i].incl : 0;
	if (result < 0)
		prof_tree_free(t);
	return result;
}

void prof_tree_free(struct prof_tree *t)
{
	free(t->items);
	*t = (struct prof_tree){0};
}

/* --- order --------------------------------------------------------------------------------------------------------- */

struct sorting {
	const struct prof_tree *tree;
	const struct prof_names *names;
	enum prof_order order;
};

static double share(uint64_t n, uint64_t all) { return all ? (double)n / (double)all : 0; }

double prof_tree_change(const struct prof_tree *t, const struct prof_item *i, bool *noise)
{
	uint64_t now = prof_tree_now(t, i), base = prof_tree_base(t, i);
	uint64_t unit = max_u64(t->unit, 1);
	*noise = prof_is_noise(now / unit, t->items[0].incl / unit, base / unit, t->items[0].base_incl / unit);
	return share(now, t->items[0].incl) - share(base, t->items[0].base_incl);
}

static int larger_change(const struct prof_tree *t, const struct prof_item *a, const struct prof_item *b)
{
	bool noise;
	double x = fabs(prof_tree_change(t, a, &noise)), y = fabs(prof_tree_change(t, b, &noise));
	return ORDER(y, x);
}

static int compare_items(const void *x, const void *y, void *ctx)
{
	const struct sorting *s = ctx;
	const struct prof_item *a = &s->tree->items[*(const uint32_t *)x], *b = &s->tree->items[*(const uint32_t *)y];
	int order = ORDER(a->parent, b->parent), more = ORDER(b->incl, a->incl), more_self = ORDER(b->self, a->self);
	if (order)
		return order;
	switch (s->order) {
	case PROF_BY_CHANGE: order = larger_change(s->tree, a, b) ?: more; break;
	case PROF_BY_SELF: order = more_self ?: more; break;
	case PROF_BY_MODULE:
		order = str_order(prof_module(s->names, a->name), prof_module(s->names, b->name)) ?: more;
		break;
	case PROF_BY_INCL: order = more ?: more_self; break;
	default: break;
	}
	return order ?: prof_names_compare(s->names, a->name, b->name);
}

int prof_tree_sort(struct prof_tree *t, const struct prof_names *names, enum prof_order order)
{
	struct sorting s = {t, names, order};
	uint32_t *by = malloc((t->n + 1) * sizeof *by);
	if (!by)
		return EVL_NOMEM;
	for (uint32_t i = 0; i < t->n; i++)
		by[i] = i;
	if (t->n > 1)
		sys_sort(by + 1, t->n - 1, sizeof *by, compare_items, &s);
	for (uint32_t i = 0; i < t->n; i++)
		t->items[i].child = 0;
	for (uint32_t i = t->n; i-- > 1;) {
		struct prof_item *item = &t->items[by[i]], *parent = &t->items[item->parent];
		item->next = parent->child;
		parent->child = by[i];
	}
	free(by);
	return 0;
}

/* --- comparing ----------------------------------------------------------------------------------------------------- */

/* The children of both come in the same order; each of base is among those of t. */
static void match_children(struct prof_tree *t, uint32_t item, const struct prof_tree *base, uint32_t of, uint32_t *map)
{
	uint32_t at = t->items[item].child;
	for (uint32_t child = base->items[of].child; child; child = base->items[child].next) {
		while (at && t->items[at].name != base->items[child].name)
			at = t->items[at].next;
		map[child] = at;
	}
}

int prof_tree_compare(struct prof_tree *t, struct prof_tree *base, const struct prof_names *names)
{
	uint32_t *map = calloc(base->n + 1, sizeof *map);
	int result = map ? 0 : EVL_NOMEM;
	result = result ? result : prof_tree_sort(t, names, PROF_BY_NAME);
	result = result ? result : prof_tree_sort(base, names, PROF_BY_NAME);
	for (uint32_t i = 0; i < base->n && t->n && result == 0; i++) {
		struct prof_item *item = &t->items[map[i]];
		if (i && !map[i])
			continue; /* the tree was full */
		item->base_self = base->items[i].self;
		item->base_incl = base->items[i].incl;
		item->self = sub_or_0(item->self, item->base_self);
		item->incl = sub_or_0(item->incl, item->base_incl);
		match_children(t, map[i], base, i, map);
	}
	free(map);
	return result;
}
