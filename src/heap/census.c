#include "heap/census.h"

#include "format/decode.h"

void census_init(struct census *c)
{
	*c = (struct census){.chain = UINT32_MAX};
	rows_init(&c->samples, sizeof(struct census_sample));
}

void census_free(struct census *c) { rows_free(&c->samples); }

bool census_wants(uint16_t tag)
{
	return tag == EVL_HEAP_PROF_BEGIN || tag == EVL_HEAP_PROF_SAMPLE_BEGIN || tag == EVL_HEAP_BIO_PROF_SAMPLE_BEGIN
		|| tag == EVL_HEAP_PROF_SAMPLE_END;
}

static void take_profile(struct census *c, const struct header *h, const struct frame *f)
{
	enum { PROFILE, PERIOD, BREAKDOWN, FIRST_FILTER, BIOGRAPHY = 9 };
	struct evl_value v[EVL_MAX_FIELDS];
	if (decode(header_of(h, f->tag)->schema, f->payload, v) < 0)
		return;
	struct census_profile p = {f->off, v[PERIOD].u, (uint32_t)v[BREAKDOWN].u, false, v[BIOGRAPHY].str.len > 0};
	for (int i = FIRST_FILTER; i <= BIOGRAPHY; i++)
		p.filtered = p.filtered || v[i].str.len > 0;
	c->profiles[v[PROFILE].u] = p;
}

/* Without memory it is counted. */
static void close_sample(struct census *c, bool ended)
{
	if (!c->is_open)
		return;
	size_t n = census_count(c);
	c->open.ended = ended;
	c->open.t = n ? max_u64(c->open.t, census_at(c, n - 1)->t) : c->open.t;
	if (n >= MOST_SAMPLES || !rows_add(&c->samples, &c->open))
		atomic_fetch_add_explicit(&c->more, 1, memory_order_relaxed);
	c->is_open = false;
}

static void open_sample(struct census *c, const struct frame *f)
{
	enum { TIME_AT = 8 };
	bool timed = f->tag == EVL_HEAP_BIO_PROF_SAMPLE_BEGIN;
	uint64_t t = timed ? be64(f->payload.p + TIME_AT) : f->t;
	close_sample(c, false);
	c->open = (struct census_sample){
		.t = t <= INT64_MAX ? t : f->t, .off = f->off & ((1ull << 48) - 1), .timed = timed};
	c->is_open = true;
}

void census_event(struct census *c, const struct header *h, uint32_t chain, const struct frame *f)
{
	if (!census_wants(f->tag))
		return;
	if (f->tag == EVL_HEAP_PROF_BEGIN) {
		take_profile(c, h, f);
		return;
	}
	if (c->chain == UINT32_MAX)
		c->chain = chain;
	if (c->chain != chain)
		return;
	if (f->tag != EVL_HEAP_PROF_SAMPLE_END) {
		open_sample(c, f);
		return;
	}
	close_sample(c, true);
	c->ends = true;
}

void census_end(struct census *c) { close_sample(c, false); }

bool census_is_cut(const struct census *c, size_t i, bool unfinished)
{
	bool last = i + 1 == census_count(c) && !atomic_load(&c->more);
	return !census_at(c, i)->ended && (c->ends || (last && unfinished));
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void profile_image(struct image *im, struct census_profile *p, uint64_t len)
{
	IMAGE_VALUE(im, p->off);
	IMAGE_VALUE(im, p->period);
	IMAGE_VALUE(im, p->breakdown);
	image_bool(im, &p->filtered);
	image_bool(im, &p->biography);
	image_require(im, p->off < len);
}

void census_image(struct image *im, struct census *c, const struct blocks *blocks)
{
	if (im->loads)
		*c = (struct census){0};
	image_rows(im, &c->samples, sizeof(struct census_sample));
	for (size_t i = 0; im->loads && i < census_count(c); i++)
		image_require(im, census_at(c, i)->off < blocks->len);
	IMAGE_VALUE(im, c->more);
	IMAGE_VALUE(im, c->chain);
	image_require(im, c->chain < blocks->n_chains || (c->chain == UINT32_MAX && census_count(c) == 0));
	for (size_t i = 0; i < CENSUS_PROFILES; i++)
		profile_image(im, &c->profiles[i], blocks->len);
	image_bool(im, &c->ends);
}
