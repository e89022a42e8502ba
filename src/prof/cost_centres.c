#include "prof/cost_centres.h"

#include "bytes/prefetch.h"
#include "format/decode.h"
#include "prof/ccdb.h"

enum { DEFINITION_PIECE = 512 }; /* bytes that hold nearly every definition */

void cost_centres_free(struct cost_centres *c)
{
	by_id_free(&c->defined);
	*c = (struct cost_centres){.n = 0};
}

bool cost_centres_wants(uint16_t tag) { return tag == EVL_HEAP_PROF_COST_CENTRE; }

void cost_centres_event(struct cost_centres *c, const struct frame *f)
{
	if (f->tag != EVL_HEAP_PROF_COST_CENTRE)
		return;
	_Atomic uint64_t *off = by_id_add(&c->defined, be32(f->payload.p));
	if (!off)
		atomic_fetch_add_explicit(&c->more, 1, memory_order_relaxed);
	else if (atomic_exchange_explicit(off, f->off, memory_order_release) == 0)
		atomic_fetch_add_explicit(&c->n, 1, memory_order_relaxed);
}

uint32_t cost_centres_count(const struct cost_centres *c) { return load_relaxed(&c->n); }

bool cost_centre_is_built_in(struct evl_str label, struct evl_str module)
{
	static const struct {
		const char *label, *module;
	} names[] = {{"GC", "GC"}, {"SYSTEM", "SYSTEM"}, {"IDLE", "IDLE"}, {"OVERHEAD_of", "PROFILING"},
		{"DONT_CARE", "MAIN"}};
	bool found = false;
	for (size_t i = 0; i < countof(names) && !found; i++)
		found = str_is(label, names[i].label) && str_is(module, names[i].module);
	return found;
}

/* A program may define a centre GC, but only the run-time system's is built in. */
static bool is_of_rts(const struct cost_centre *centre)
{
	return str_is(centre->location, "<built-in>") && cost_centre_is_built_in(centre->label, centre->module);
}

bool cost_centre_read(const struct cost_centres *c, const struct blocks *b, uint32_t id, struct cost_centre *out)
{
	enum { ID, LABEL, MODULE, LOCATION, FLAGS };
	struct evl_value v[EVL_MAX_FIELDS];
	struct frame f;
	uint64_t off = by_id_get(&c->defined, id);
	const struct ccdb *others = off ? NULL : atomic_load(&c->others);
	*out = (struct cost_centre){0};
	if (off == 0)
		return others && ccdb_find(others, id, out);
	if (off >= b->len || (b->fetch && !prefetch_ready(b->fetch, off, DEFINITION_PIECE))
		|| frame_read(b->header, b->data, off, b->len, &f) != FRAME_OK || f.tag != EVL_HEAP_PROF_COST_CENTRE
		|| !event_readable(b->header, &f) || decode(header_of(b->header, f.tag)->schema, f.payload, v) < 0)
		return false;
	*out = (struct cost_centre){
		.label = v[LABEL].str, .module = v[MODULE].str, .location = v[LOCATION].str, .is_caf = v[FLAGS].u & 1};
	out->is_rts = is_of_rts(out);
	return true;
}

void cost_centres_image(struct image *im, struct cost_centres *c, const struct blocks *b)
{
	by_id_image(im, &c->defined, b->len);
	IMAGE_VALUE(im, c->n);
	IMAGE_VALUE(im, c->more);
}
