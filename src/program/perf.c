#include "program/perf.h"

#include "bytes/prefetch.h"

void perf_init(struct perf *p, const struct blocks *blocks) { *p = (struct perf){.blocks = blocks}; }

void perf_free(struct perf *p)
{
	for (size_t i = 0; i < atomic_load(&p->n); i++)
		points_free(&p->counters[i].samples);
	*p = (struct perf){0};
}

bool perf_wants(uint16_t tag) { return tag >= EVL_PERF_NAME && tag <= EVL_PERF_TRACEPOINT; }

/* The counter of this id, which may be new. NULL: there is no room for it. */
static struct perf_counter *counter_of(struct perf *p, uint32_t id)
{
	size_t n = atomic_load(&p->n);
	for (size_t i = 0; i < n; i++)
		if (p->counters[i].id == id)
			return &p->counters[i];
	if (n == PERF_COUNTERS)
		return NULL;
	struct perf_counter *c = &p->counters[n];
	*c = (struct perf_counter){.id = id};
	if (points_init(&c->samples, p->blocks->n_chains, PERF_POINTS) < 0) {
		points_free(&c->samples);
		return NULL;
	}
	atomic_store(&p->n, n + 1); /* readers see all of it */
	return c;
}

void perf_event(struct perf *p, uint32_t chain, const struct frame *f)
{
	if (!perf_wants(f->tag) || f->payload.len < 4)
		return;
	struct perf_counter *c = counter_of(p, be32(f->payload.p));
	if (!c)
		atomic_fetch_add(&p->more, 1);
	else if (f->tag == EVL_PERF_NAME)
		atomic_store(&c->name, f->off);
	else
		points_add(&c->samples, chain, f->t, f->off);
}

const struct perf_counter *perf_at(const struct perf *p, size_t i)
{
	size_t n = atomic_load(&p->n);
	for (size_t k = 0; k < n; k++)
		if (points_count(&p->counters[k].samples) && i-- == 0)
			return &p->counters[k];
	return NULL;
}

size_t perf_count(const struct perf *p)
{
	size_t n = 0;
	while (perf_at(p, n))
		n++;
	return n;
}

bool perf_sample(const struct blocks *b, uint64_t off, struct perf_sample *out)
{
	enum { TID = 4, PERIOD = 12, END = 20, EVENT_BYTES = 64 };
	struct frame f;
	if (off < b->len && b->fetch && !prefetch_ready(b->fetch, off, min_u64(EVENT_BYTES, b->len - off)))
		return false; /* it is fetched in the background */
	if (off >= b->len || frame_read(b->header, b->data, off, b->len, &f) != FRAME_OK || f.tag == EVL_PERF_NAME
		|| !perf_wants(f.tag) || f.payload.len < PERIOD)
		return false;
	bool counts = f.tag == EVL_PERF_COUNTER && f.payload.len >= END;
	*out = (struct perf_sample){counts ? be64(f.payload.p + PERIOD) : 0, be64(f.payload.p + TID)};
	return true;
}

void perf_image(struct image *im, struct perf *p, const struct blocks *blocks)
{
	size_t n = im->loads ? 0 : im->copies ? atomic_load(&p->n) : perf_count(p);
	if (im->loads)
		*p = (struct perf){0};
	if (image_fills(im))
		p->blocks = blocks;
	image_size(im, &n, PERF_COUNTERS);
	for (size_t i = 0; i < n; i++) {
		struct perf_counter *c = &p->counters[i];
		IMAGE_VALUE(im, c->id);
		IMAGE_VALUE(im, c->name);
		image_require(im, c->name < blocks->len);
		points_image(im, &c->samples, blocks->n_chains, PERF_POINTS, blocks->len);
	}
	IMAGE_VALUE(im, p->more);
	if (im->loads)
		atomic_store(&p->n, im->bad ? 0 : n);
}
