#include "panes/heap/heap_modes.h"

#include "query/census_label.h"
#include "heap/census_roots.h"
#include "heap/census_tree.h"
#include "panes/heap/heap_list.h"
#include "draw/style.h"

/* One stands on a row by its number in the list. */
static size_t cursor_in_rows(const struct heap_ask *ask, size_t n)
{
	int64_t to = (ask->at == BANDS_REST ? 0 : (int64_t)ask->at) + ask->move;
	int64_t last = n ? (int64_t)n - 1 : 0;
	return (size_t)(to < 0 ? 0 : to > last ? last : to);
}

static void fill_node(struct heap_scan *s, const struct census_node *node, uint32_t number, struct heap_row *row)
{
	uint8_t id[4] = {(uint8_t)(node->centre >> 24), (uint8_t)(node->centre >> 16), (uint8_t)(node->centre >> 8),
		(uint8_t)node->centre};
	*row = (struct heap_row){.number = number, .depth = (int)node->depth, .bytes = node->inclusive, .self = node->self,
		.style = ST_PAGE};
	buf_clear(&s->text);
	census_stack_label(s->log, (struct evl_str){id, node->depth ? sizeof id : 0}, &s->text);
	heap_put_label(row->label, (struct evl_str){(const uint8_t *)s->text.p, s->text.len});
}

/* The source of the node one stands on. */
static void locate(struct heap_scan *s, const struct census_node *node, struct heap_answer *page)
{
	struct cost_centre centre;
	page->location_len = 0;
	if (node->depth == 0 || !evl_cost_centre(s->log, node->centre, &centre) || centre.location.len > sizeof page->location)
		return;
	memcpy(page->location, centre.location.p, centre.location.len);
	page->location_len = centre.location.len;
}

int heap_rows_of_tree(struct heap_scan *s, struct heap_answer *page)
{
	struct census_tree tree;
	int result = census_tree(&tree, &s->reads[READ_AT].values, &s->survey.bands);
	if (result < 0)
		return result;
	page->hidden = 0;
	heap_place(&s->ask, tree.n, cursor_in_rows(&s->ask, tree.n), page);
	if (heap_rows_fit(page, page->n)) {
		for (size_t i = 0; i < page->n; i++)
			fill_node(s, &tree.nodes[page->top + i], (uint32_t)(page->top + i), &page->rows[i]);
		locate(s, &tree.nodes[page->top + page->cursor], page);
	} else {
		result = EVL_NOMEM;
	}
	census_tree_free(&tree);
	return result;
}

int heap_rows_of_roots(struct heap_scan *s, struct heap_answer *page)
{
	struct census_roots roots;
	census_roots(&roots, &s->reads[READ_AT].values, &s->survey.bands, s->told.join);
	page->hidden = 0;
	heap_place(&s->ask, roots.n, cursor_in_rows(&s->ask, roots.n), page);
	if (!heap_rows_fit(page, page->n))
		return EVL_NOMEM;
	for (size_t i = 0; i < page->n; i++) {
		const struct census_root *root = &roots.roots[page->top + i];
		page->rows[i] = (struct heap_row){.number = (uint32_t)(page->top + i), .self = root->own,
			.bytes = add_or_max(root->own, root->shared), .style = ST_PAGE};
		heap_put_label(page->rows[i].label, root->name);
	}
	return 0;
}
