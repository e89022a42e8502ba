#include "jobs/two_profiles.h"

#include "base/gallop.h"
#include "sys/system.h"

#include <stdlib.h>

static int order_of(const struct prof_names *a, uint32_t x, const struct prof_names *b, uint32_t y)
{
	return str_order(prof_label(a, x), prof_label(b, y)) ?: str_order(prof_module(a, x), prof_module(b, y));
}

static int by_text(const void *a, const void *b, void *ctx)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return order_of(ctx, x, ctx, y) ?: ORDER(x, y);
}

/* The name like one of the base: of several with its label and module the one at the same place, else the first. at: where those
 * begin in the order. */
static uint32_t like(
	const struct prof_names *now, const uint32_t *order, uint32_t at, const struct prof_names *base, uint32_t i)
{
	enum { LOOKED_AT = 64 };
	for (uint32_t k = at; k < now->n && k < at + LOOKED_AT && order_of(now, order[k], base, i) == 0; k++)
		if (str_order(prof_location(now, order[k]), prof_location(base, i)) == 0)
			return order[k];
	return order[at];
}

/* Find each name of the base among all names; add those without a match. The caller frees the table. NULL: out of memory. */
static uint32_t *match(struct prof_names *all, const struct prof_names *now, const struct prof_names *base)
{
	uint32_t *order = malloc((now->n + 1) * sizeof *order), *to = malloc((base->n + 1) * sizeof *to);
	if (!order || !to) {
		free_all(order, to);
		return NULL;
	}
	for (uint32_t i = 0; i < now->n; i++)
		order[i] = i;
	sys_sort(order, now->n, sizeof *order, by_text, (void *)(uintptr_t)now);
	for (uint32_t i = 0; i < base->n; i++) {
		BISECT(low, now->n, order_of(now, order[mid], base, i) < 0);
		if (i == PROF_MAIN)
			to[i] = PROF_MAIN;
		else if (low < now->n && order_of(now, order[low], base, i) == 0)
			to[i] = like(now, order, (uint32_t)low, base, i);
		else
			to[i] = prof_names_add(all, prof_label(base, i), prof_module(base, i), base->items[i].is_rts);
	}
	free(order);
	return to;
}

static bool grow_to(struct two_profiles *two, size_t *room, uint32_t least)
{
	size_t more = *room ? *room : 256;
	while (more < least)
		more *= 2;
	if (more == *room)
		return true;
	uint64_t *self = realloc(two->self, more * sizeof *self);
	two->self = self ? self : two->self;
	uint64_t *base = self ? realloc(two->base, more * sizeof *base) : NULL;
	two->base = base ? base : two->base;
	if (!base)
		return false;
	memset(self + *room, 0, (more - *room) * sizeof *self);
	memset(base + *room, 0, (more - *room) * sizeof *base);
	*room = more;
	return true;
}

/* Add the samples of one of them. to: names of these; NULL: they are the same. */
static bool add(struct two_profiles *two, size_t *room, const struct one_profile *one, const uint32_t *to, bool is_base)
{
	uint32_t path[STACK_DEPTH];
	for (uint32_t i = 0; i < one->n && i < one->names->n_nodes; i++) {
		if (one->self[i] == 0)
			continue;
		size_t depth = stacks_at(one->stacks, i)->depth;
		uint32_t node = i;
		for (size_t k = depth; k-- > 0; node = stacks_at(one->stacks, node)->parent) {
			uint32_t name = one->names->of_node[node];
			path[k] = to ? to[name] : name;
		}
		uint32_t at = stacks_intern(&two->stacks, path, depth);
		if (!grow_to(two, room, at + 1))
			return false;
		*(is_base ? &two->base[at] : &two->self[at]) += one->self[i];
	}
	return true;
}

static bool name_nodes(struct two_profiles *two, const struct prof_names *names)
{
	two->names = *names;
	two->names.n_nodes = two->n;
	two->names.of_node = malloc(((size_t)two->n + 1) * sizeof *two->names.of_node);
	for (uint32_t i = 0; two->names.of_node && i < two->n; i++)
		two->names.of_node[i] = i == STACK_ROOT ? PROF_MAIN : stacks_at(&two->stacks, i)->frame;
	return two->names.of_node;
}

int two_profiles_make(struct two_profiles *two, struct prof_names *names, const struct one_profile *now,
	const struct one_profile *base)
{
	size_t room = 0;
	*two = (struct two_profiles){.n = 0};
	int result = stacks_init(&two->stacks);
	result = result ? result : prof_names_extend(names, now->names, base->names->n);
	if (result < 0) {
		stacks_free(&two->stacks);
		return result;
	}
	uint32_t *to = match(names, now->names, base->names);
	bool good = to && !names->text.failed && add(two, &room, now, NULL, false) && add(two, &room, base, to, true);
	two->n = good ? stacks_count(&two->stacks) : 0;
	good = good && grow_to(two, &room, two->n) && name_nodes(two, names);
	free(to);
	if (good)
		return 0;
	two_profiles_free(two);
	prof_names_free(names);
	return EVL_NOMEM;
}

void two_profiles_free(struct two_profiles *two)
{
	stacks_free(&two->stacks);
	free_all(two->names.of_node, two->self, two->base);
	*two = (struct two_profiles){.n = 0};
}
