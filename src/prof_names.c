#include "prof_names.h"

#include <stdio.h>
#include <stdlib.h>

/* While names are gathered: by frame, index + 1; 0: free. */
struct table {
	uint32_t *slots;
	size_t n_slots;
};

static uint32_t *slot_of(const struct table *t, const struct prof_names *n, uint32_t frame)
{
	size_t at = (size_t)(frame * 0x9e3779b97f4a7c15 >> 32) & (t->n_slots - 1);
	while (t->slots[at] && n->items[t->slots[at] - 1].frame != frame)
		at = (at + 1) & (t->n_slots - 1);
	return &t->slots[at];
}

static uint16_t put_text(struct buf *b, struct evl_str s)
{
	size_t len = s.len < PROF_TEXT ? s.len : PROF_TEXT;
	buf_put(b, s.p, len);
	return (uint16_t)len;
}

static void name_it(struct prof_names *n, uint32_t name, const struct cost_centre *c)
{
	struct prof_name *item = &n->items[name];
	item->text = (uint32_t)n->text.len;
	item->label = put_text(&n->text, c->label);
	item->module = put_text(&n->text, c->module);
	item->location = put_text(&n->text, c->location);
	item->is_rts = c->is_rts;
}

static void name_centre(struct prof_names *n, uint32_t name, const struct cost_centres *centres, const struct blocks *b)
{
	struct cost_centre c;
	char id[24];
	n->items[name].known = cost_centre_read(centres, b, n->items[name].frame, &c);
	if (!n->items[name].known) {
		int len = snprintf(id, sizeof id, "centre %u", n->items[name].frame);
		c = (struct cost_centre){.label = {(const uint8_t *)id, (size_t)len}, .module = EVL_STR("?")};
	}
	name_it(n, name, &c);
}

static void name_root(struct prof_names *n)
{
	n->items[PROF_MAIN] = (struct prof_name){.frame = STACK_NO_FRAME, .known = true};
	name_it(n, PROF_MAIN, &(struct cost_centre){.label = EVL_STR("MAIN"), .module = EVL_STR("MAIN"),
		.location = EVL_STR("<built-in>")});
	n->n = 1;
}

/* Gives every node the name of its frame. */
static void gather(struct prof_names *n, const struct table *t, const struct prof *p)
{
	for (uint32_t i = 1; i < n->n_nodes; i++) {
		uint32_t frame = stacks_at(&p->stacks, i)->frame, *slot = slot_of(t, n, frame);
		if (!*slot) {
			n->items[n->n++] = (struct prof_name){.frame = frame};
			*slot = n->n;
		}
		n->of_node[i] = *slot - 1;
	}
}

int prof_names_make(struct prof_names *n, const struct prof *p, const struct cost_centres *centres,
	const struct blocks *b)
{
	uint32_t nodes = stacks_count(&p->stacks);
	struct table t = {.n_slots = 64};
	while (t.n_slots < 2 * (size_t)nodes)
		t.n_slots *= 2;
	t.slots = calloc(t.n_slots, sizeof *t.slots);
	*n = (struct prof_names){.n_nodes = nodes, .items = malloc((nodes + 1) * sizeof *n->items),
		.of_node = calloc(nodes + 1, sizeof *n->of_node)};
	if (t.slots && n->items && n->of_node) {
		name_root(n);
		gather(n, &t, p);
		for (uint32_t i = 1; i < n->n; i++)
			name_centre(n, i, centres, b);
	}
	bool good = t.slots && n->items && n->of_node && !n->text.failed;
	free(t.slots);
	if (!good)
		prof_names_free(n);
	return good ? 0 : EVL_NOMEM;
}

void prof_names_free(struct prof_names *n)
{
	free(n->items);
	free(n->of_node);
	buf_free(&n->text);
	*n = (struct prof_names){0};
}

static struct evl_str text_at(const struct prof_names *n, size_t at, size_t len)
{
	return (struct evl_str){len ? (const uint8_t *)n->text.p + at : NULL, len};
}

struct evl_str prof_label(const struct prof_names *n, uint32_t name)
{
	const struct prof_name *item = &n->items[name];
	return text_at(n, item->text, item->label);
}

struct evl_str prof_module(const struct prof_names *n, uint32_t name)
{
	const struct prof_name *item = &n->items[name];
	return text_at(n, item->text + item->label, item->module);
}

struct evl_str prof_location(const struct prof_names *n, uint32_t name)
{
	const struct prof_name *item = &n->items[name];
	return text_at(n, item->text + item->label + item->module, item->location);
}

static int compare(struct evl_str a, struct evl_str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len ? memcmp(a.p, b.p, len) : 0;
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

int prof_names_compare(const struct prof_names *n, uint32_t a, uint32_t b)
{
	int order = compare(prof_label(n, a), prof_label(n, b));
	order = order ? order : compare(prof_module(n, a), prof_module(n, b));
	order = order ? order : compare(prof_location(n, a), prof_location(n, b));
	return order ? order : (a > b) - (a < b);
}
