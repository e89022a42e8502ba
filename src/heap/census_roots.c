#include "heap/census_roots.h"

#include "base/order.h"

#include <stdlib.h>

enum { MOST_IN_SET = 64 }; /* GHC's patches know 62 roots at most */

bool census_root_next(struct evl_str *rest, char join, struct evl_str *name)
{
	if (rest->len == 0)
		return false;
	const uint8_t *end = join ? memchr(rest->p, join, rest->len) : NULL;
	*name = (struct evl_str){rest->p, end ? (size_t)(end - rest->p) : rest->len};
	size_t taken = name->len + (end != NULL);
	*rest = (struct evl_str){rest->p + taken, rest->len - taken};
	return true;
}

static bool same(struct evl_str a, struct evl_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

static struct evl_str label_of(const struct bands *bands, uint32_t number)
{
	const struct band *band = bands_at(bands, number);
	return (struct evl_str){band->hh.key, band->is_stack ? 0 : band->hh.keylen};
}

/* Its row; NULL: there are too many. */
static struct census_root *root_of(struct census_roots *all, struct evl_str name)
{
	for (size_t i = 0; i < all->n; i++)
		if (same(all->roots[i].name, name))
			return &all->roots[i];
	if (all->n == MOST_ROOTS) {
		all->more = true;
		return NULL;
	}
	all->roots[all->n] = (struct census_root){.name = name};
	return &all->roots[all->n++];
}

COMPARE_BY(by_total, struct census_root, ORDER(add_or_max(y->own, y->shared), add_or_max(x->own, x->shared)));

void census_roots(struct census_roots *out, const struct census_values *v, const struct bands *bands, char join)
{
	out->n = 0;
	out->more = false;
	for (size_t i = 0; i < v->n; i++) {
		struct evl_str label = label_of(bands, v->numbers[i]), rest = label, name;
		uint64_t bytes = v->bytes[v->numbers[i]];
		for (int k = 0; k < MOST_IN_SET && census_root_next(&rest, join, &name); k++) {
			struct census_root *root = root_of(out, name);
			if (root && same(name, label))
				root->own = add_or_max(root->own, bytes);
			else if (root)
				root->shared = add_or_max(root->shared, bytes);
		}
	}
	qsort(out->roots, out->n, sizeof *out->roots, by_total);
}

static bool holds(struct evl_str label, char join, struct evl_str root)
{
	struct evl_str name;
	for (int k = 0; k < MOST_IN_SET && census_root_next(&label, join, &name); k++)
		if (same(name, root))
			return true;
	return false;
}

void census_roots_shared(const struct census_roots *all, const struct census_values *v, const struct bands *bands,
	char join, struct evl_str root, uint64_t *shared)
{
	memset(shared, 0, all->n * sizeof *shared);
	for (size_t i = 0; i < v->n; i++) {
		struct evl_str label = label_of(bands, v->numbers[i]);
		if (!holds(label, join, root))
			continue;
		for (size_t k = 0; k < all->n; k++)
			if (!same(all->roots[k].name, root) && holds(label, join, all->roots[k].name))
				shared[k] = add_or_max(shared[k], v->bytes[v->numbers[i]]);
	}
}
