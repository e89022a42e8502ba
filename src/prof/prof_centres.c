#include "prof/prof_centres.h"

#include <stdlib.h>

int prof_sums(const struct stacks *stacks, const struct prof_names *names, const uint64_t *self, uint64_t *incl,
	uint64_t *own)
{
	uint32_t *seen = calloc(names->n, sizeof *seen); /* by the stack with this number + 1 */
	memset(incl, 0, names->n * sizeof *incl);
	memset(own, 0, names->n * sizeof *own);
	for (uint32_t node = 0; node < names->n_nodes && seen; node++) {
		if (self[node] == 0)
			continue;
		own[names->of_node[node]] += self[node];
		incl[PROF_MAIN] += self[node];
		for (uint32_t i = node; i != STACK_ROOT; i = stacks_at(stacks, i)->parent) {
			uint32_t name = names->of_node[i];
			incl[name] += seen[name] == node + 1 ? 0 : self[node];
			seen[name] = node + 1;
		}
	}
	free(seen);
	return seen ? 0 : EVL_NOMEM;
}

int prof_centres_make(struct prof_centres *c, const struct prof *p, const struct prof_naming *naming, uint64_t from,
	uint64_t to, bool rts, const atomic_bool *cancel)
{
	struct prof_window w;
	*c = (struct prof_centres){0};
	int result = prof_names_make(&c->names, p, naming);
	if (result < 0)
		return result;
	c->self = malloc(c->names.n * sizeof *c->self);
	c->incl = malloc(c->names.n * sizeof *c->incl);
	result = c->self && c->incl ? prof_window_make(&w, p, naming->blocks, from, to, 1, PROF_ALL_CAPS, cancel)
				    : EVL_NOMEM;
	if (result == 0) {
		c->all = w.total;
		c->program = rts ? w.total : prof_hide_rts(&c->names, w.self, w.n_nodes);
		result = prof_sums(&p->stacks, &c->names, w.self, c->incl, c->self);
		prof_window_free(&w);
	}
	if (result < 0)
		prof_centres_free(c);
	return result;
}

void prof_centres_free(struct prof_centres *c)
{
	prof_names_free(&c->names);
	free_all(c->self, c->incl);
	*c = (struct prof_centres){0};
}

int prof_centres_order(const void *a, const void *b, void *centres)
{
	const struct prof_centres *c = centres;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return ORDER(c->self[y], c->self[x]) ?: ORDER(c->incl[y], c->incl[x]) ?: prof_names_compare(&c->names, x, y);
}
