#include "prof/prof_names.h"

#include "base/utf8.h"

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

static void name_centre(struct prof_names *n, uint32_t name, const struct prof_naming *from)
{
	struct cost_centre c;
	char id[24];
	n->items[name].known = cost_centre_read(from->centres, from->blocks, n->items[name].frame, &c);
	if (!n->items[name].known) {
		int len = snprintf(id, sizeof id, "centre %u", n->items[name].frame);
		c = (struct cost_centre){.label = {(const uint8_t *)id, (size_t)len}, .module = EVL_STR("?")};
	}
	name_it(n, name, &c);
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

/* A text with its source place; an address until info tables are read. */
static void name_call(struct prof_names *n, uint32_t name, const struct prof *p, const struct prof_naming *from)
{
	const struct call_frame *call = rows_at(&p->calls.frames, n->items[name].frame);
	struct cost_centre c = {0};
	char id[32], place[CALL_PLACE_ROOM] = "";
	bool address = call->kind == CALL_AT_ADDRESS;
	snprintf(id, sizeof id, address ? "0x%llx" : "text %llu", (unsigned long long)call->id);
	n->items[name].known = !address && call_text(&p->calls, from->blocks, call->id, &c.label);
	if (!n->items[name].known)
		c.label = str_of(id);
	if (call->kind == CALL_PLACED && call_place(&p->calls, from->blocks, call->place, place))
		c.location = str_of(place);
	name_it(n, name, &c);
}

/* An address and whose name it is of. */
struct address {
	uint64_t id;
	uint32_t name;
};

ORDER_BY(by_id, struct address, id);

static size_t list_addresses(const struct prof_names *n, const struct prof *p, struct address *out)
{
	size_t found = 0;
	for (uint32_t i = 1; i < n->n; i++) {
		const struct call_frame *call = rows_at(&p->calls.frames, n->items[i].frame);
		if (call->kind == CALL_AT_ADDRESS)
			out[found++] = (struct address){call->id, i};
	}
	qsort(out, found, sizeof *out, by_id);
	return found;
}

static void name_entry(struct prof_names *n, uint32_t name, const struct ipe_entry *entry)
{
	n->items[name].known = true;
	name_it(n, name,
		&(struct cost_centre){.label = entry->label.len ? entry->label : entry->table,
			.module = entry->module,
			.location = entry->location});
}

/* The addresses that the log has no names for. Out of memory leaves them as they are. */
static void ask_exe(struct prof_names *n, struct exe *exe, const struct address *wanted, size_t count)
{
	uint64_t *ids = malloc((count + 1) * sizeof *ids);
	size_t asked = 0;
	for (size_t i = 0; ids && i < count; i++)
		if (!n->items[wanted[i].name].known)
			ids[asked++] = wanted[i].id;
	if (asked && exe_resolve(exe, ids, asked, NULL) == 0)
		for (size_t i = 0; i < count; i++) {
			const struct exe_name *found = exe_find(exe, wanted[i].id);
			if (!found || n->items[wanted[i].name].known)
				continue;
			struct ipe_entry entry = found->entry;
			if (found->how == EXE_NEAR) { /* "in Main.go15 -456" */
				entry.label = found->full;
				entry.module = (struct evl_str){0};
			}
			name_entry(n, wanted[i].name, &entry);
		}
	free(ids);
}

/* One pass over the info tables of the log. Out of memory leaves the addresses as they are. */
static void name_addresses(struct prof_names *n, const struct prof *p, const struct prof_naming *from)
{
	struct address *wanted = malloc((n->n + 1) * sizeof *wanted);
	size_t count = wanted ? list_addresses(n, p, wanted) : 0;
	struct ipe_reader reader;
	struct ipe_entry entry;
	ipe_begin(&reader, from->ipe, from->blocks);
	while (count && ipe_next(&reader, &entry)) {
		const struct address key = {.id = entry.id}, *hit = bsearch(&key, wanted, count, sizeof *wanted, by_id);
		if (!hit || n->items[hit->name].known)
			continue;
		name_entry(n, hit->name, &entry);
	}
	if (count && from->exe)
		ask_exe(n, from->exe, wanted, count);
	free(wanted);
}

static void name_all(struct prof_names *n, const struct prof *p, const struct prof_naming *from)
{
	for (uint32_t i = 1; i < n->n; i++)
		if (p->source == PROF_CALLS)
			name_call(n, i, p, from);
		else
			name_centre(n, i, from);
	if (p->source == PROF_CALLS)
		name_addresses(n, p, from);
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static void name_root(struct prof_names *n, enum prof_source source)
{
	static const struct cost_centre roots[PROF_SOURCES] = {[PROF_CENTRES] = {.label = {(const uint8_t *)"MAIN", 4},
								       .module = {(const uint8_t *)"MAIN", 4},
								       .location = {(const uint8_t *)"<built-in>", 10}},
		[PROF_CALLS] = {.label = {(const uint8_t *)"all", 3}}};
	n->items[PROF_MAIN] = (struct prof_name){.frame = STACK_NO_FRAME, .known = true};
	name_it(n, PROF_MAIN, &roots[source]);
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

int prof_names_make(struct prof_names *n, const struct prof *p, const struct prof_naming *from)
{
	uint32_t nodes = stacks_count(&p->stacks);
	struct table t = {.n_slots = 64};
	while (t.n_slots < 2 * (size_t)nodes)
		t.n_slots *= 2;
	t.slots = calloc(t.n_slots, sizeof *t.slots);
	*n = (struct prof_names){.n_nodes = nodes,
		.items = malloc((nodes + 1) * sizeof *n->items),
		.of_node = calloc(nodes + 1, sizeof *n->of_node)};
	if (t.slots && n->items && n->of_node) {
		name_root(n, p->source);
		gather(n, &t, p);
		name_all(n, p, from);
	}
	bool good = t.slots && n->items && n->of_node && !n->text.failed;
	free(t.slots);
	if (!good)
		prof_names_free(n);
	return good ? 0 : EVL_NOMEM;
}

int prof_names_extend(struct prof_names *n, const struct prof_names *from, size_t more)
{
	struct buf text = {0};
	buf_put(&text, from->text.p, from->text.len);
	*n = (struct prof_names){.n = from->n,
		.n_nodes = from->n_nodes,
		.items = malloc((from->n + more + 1) * sizeof *n->items),
		.of_node = malloc((from->n_nodes + 1) * sizeof *n->of_node),
		.text = text};
	if (!n->items || !n->of_node || n->text.failed) {
		prof_names_free(n);
		return EVL_NOMEM;
	}
	memcpy(n->items, from->items, from->n * sizeof *n->items);
	memcpy(n->of_node, from->of_node, from->n_nodes * sizeof *n->of_node);
	return 0;
}

uint32_t prof_names_add(struct prof_names *n, struct evl_str label, struct evl_str module, bool is_rts)
{
	n->items[n->n] = (struct prof_name){.frame = STACK_NO_FRAME, .known = true};
	name_it(n, n->n, &(struct cost_centre){.label = label, .module = module, .is_rts = is_rts});
	return n->n++;
}

void prof_names_free(struct prof_names *n)
{
	free_all(n->items, n->of_node);
	buf_free(&n->text);
	*n = (struct prof_names){0};
}

struct evl_str prof_label(const struct prof_names *n, uint32_t name)
{
	const struct prof_name *item = &n->items[name];
	return buf_slice(&n->text, item->text, item->label);
}

struct evl_str prof_module(const struct prof_names *n, uint32_t name)
{
	const struct prof_name *item = &n->items[name];
	return buf_slice(&n->text, item->text + item->label, item->module);
}

struct evl_str prof_location(const struct prof_names *n, uint32_t name)
{
	const struct prof_name *item = &n->items[name];
	return buf_slice(&n->text, item->text + item->label + item->module, item->location);
}

int prof_names_compare(const struct prof_names *n, uint32_t a, uint32_t b)
{
	return str_order(prof_label(n, a), prof_label(n, b)) ?: str_order(prof_module(n, a), prof_module(n, b)) ?: str_order(prof_location(n, a), prof_location(n, b)) ?: ORDER(a, b);
}

void prof_full_name(const struct prof_names *n, uint32_t name, struct buf *out)
{
	struct evl_str module = prof_module(n, name);
	buf_str(out, module);
	if (module.len)
		buf_char(out, '.');
	buf_str(out, prof_label(n, name));
}

/* Replace the separators of frames and lines in folded stacks within a name. */
static void put_folded(struct buf *b, struct evl_str s)
{
	char utf8[UTF8_MAX];
	while (s.len > 0) {
		uint32_t cp = utf8_take(&s);
		cp = cp > 0x10ffff ? 0xfffd : cp == ';' ? ',' : cp < ' ' || cp == 0x7f ? '?' : cp;
		buf_put(b, utf8, utf8_encode(cp, utf8));
	}
}

void prof_frame_text(struct buf *out, const struct prof_names *n, uint32_t name)
{
	put_folded(out, prof_module(n, name));
	if (prof_module(n, name).len)
		buf_char(out, '.');
	put_folded(out, prof_label(n, name));
}
