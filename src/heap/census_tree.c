#define HASH_NONFATAL_OOM 1
#include "heap/census_tree.h"

#include "base/order.h"

#include <stdlib.h>

enum { ID = 4, ROOT = 0 };

/* A node while the tree grows; rows never move, and are known by their number. */
struct branch {
	uint64_t key; /* the parent's number, and the centre */
	uint32_t number, parent;
	uint32_t first, children; /* its children in `listed` */
	struct census_node node;
	UT_hash_handle hh;
};

struct growing {
	struct rows rows;
	struct branch *head;
	uint64_t more;
};

static struct branch *branch_at(const struct growing *g, uint32_t number) { return rows_at(&g->rows, number); }

static uint64_t key_of(uint32_t parent, uint32_t centre) { return (uint64_t)parent << 32 | centre; }

static struct branch *add(struct growing *g, uint32_t parent, uint32_t centre)
{
	struct branch row = {.key = key_of(parent, centre),
		.number = (uint32_t)rows_count(&g->rows),
		.parent = parent,
		.node.centre = centre};
	row.node.depth = row.number == ROOT ? 0 : branch_at(g, parent)->node.depth + 1;
	if (!rows_add(&g->rows, &row))
		return NULL;
	struct branch *added = branch_at(g, row.number);
	HASH_ADD(hh, g->head, key, sizeof added->key, added);
	return added;
}

/* The child of a branch, made if need be; NULL where it cannot be. */
static struct branch *child_of(struct growing *g, uint32_t parent, uint32_t centre)
{
	struct branch *found;
	uint64_t key = key_of(parent, centre);
	HASH_FIND(hh, g->head, &key, sizeof key, found);
	return found || rows_count(&g->rows) >= MOST_TREE_NODES ? found : add(g, parent, centre);
}

/* From the root, which is the last of a stack, to the innermost. */
static void take_stack(struct growing *g, struct evl_str stack, uint64_t bytes)
{
	struct branch *at = branch_at(g, ROOT);
	at->node.inclusive = add_or_max(at->node.inclusive, bytes);
	for (size_t left = stack.len / ID; left-- > 0;) {
		struct branch *child = child_of(g, at->number, be32(stack.p + left * ID));
		if (!child) {
			g->more = add_or_max(g->more, bytes);
			break;
		}
		at = child;
		at->node.inclusive = add_or_max(at->node.inclusive, bytes);
	}
	at->node.self = add_or_max(at->node.self, bytes);
}

/* --- listing ------------------------------------------------------------------------------------------------------- */

/* Children of one parent together, the larger first; of equals the one that came first. */
COMPARE_POINTERS_BY(by_parent, struct branch, RISING(parent) ?: FALLING(node.inclusive) ?: RISING(number));

/* All but the root, children together. */
static void group(const struct growing *g, struct branch **listed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		listed[i] = branch_at(g, (uint32_t)i + 1);
	qsort(listed, n, sizeof(struct branch *), by_parent);
	for (size_t i = n; i-- > 0;) {
		struct branch *parent = branch_at(g, listed[i]->parent);
		parent->first = (uint32_t)i;
		parent->children++;
	}
}

/* Depth first. pending: as long as listed. */
static void list(const struct growing *g, struct branch **listed, struct branch **pending, struct census_tree *t)
{
	size_t n = 0;
	pending[n++] = branch_at(g, ROOT);
	while (n) {
		struct branch *at = pending[--n];
		t->nodes[t->n++] = at->node;
		for (uint32_t i = at->children; i-- > 0;)
			pending[n++] = listed[at->first + i];
	}
}

static int finish(const struct growing *g, struct census_tree *t)
{
	size_t n = rows_count(&g->rows);
	struct branch **listed = calloc(n, sizeof(struct branch *)), **pending = calloc(n, sizeof(struct branch *));
	t->nodes = calloc(n, sizeof *t->nodes);
	bool good = listed && pending && t->nodes;
	if (good) {
		group(g, listed, n - 1);
		list(g, listed, pending, t);
		t->more = g->more;
	}
	free_all(listed, pending);
	return good ? 0 : EVL_NOMEM;
}

int census_tree(struct census_tree *t, const struct census_values *v, const struct bands *bands)
{
	struct growing g = {0};
	*t = (struct census_tree){0};
	rows_init(&g.rows, sizeof(struct branch));
	int result = add(&g, 0, 0) ? 0 : EVL_NOMEM;
	for (size_t i = 0; result == 0 && i < v->n; i++) {
		const struct band *band = bands_at(bands, v->numbers[i]);
		if (band->is_stack)
			take_stack(&g, (struct evl_str){band->hh.key, band->hh.keylen}, v->bytes[v->numbers[i]]);
	}
	result = result ? result : finish(&g, t);
	HASH_CLEAR(hh, g.head);
	rows_free(&g.rows);
	if (result < 0)
		census_tree_free(t);
	return result;
}

void census_tree_free(struct census_tree *t)
{
	free(t->nodes);
	*t = (struct census_tree){0};
}
