#include "log/event_counts.h"

#include <stdlib.h>

/* Offsets in payloads. */
enum { STOP_STATUS_AT = 4, STATS_GEN_AT = 4, ENTRY_BYTES_AT = 1 };

static struct event_counts_counts counts_new(void)
{
	return (struct event_counts_counts){.n = calloc((size_t)UINT16_MAX + 1, sizeof(uint64_t))};
}

int event_counts_init(struct event_counts *f, const struct blocks *blocks)
{
	size_t chains = blocks->n_chains ? blocks->n_chains : 1;
	*f = (struct event_counts){
		.tags = counts_new(),
		.generations = counts_new(),
		.statuses = counts_new(),
		.in_chain = calloc(chains, sizeof *f->in_chain),
		.sparks = calloc(chains, sizeof *f->sparks),
	};
	for (size_t i = 0; i < FACTS_TEXTS; i++)
		f->texts[i].first = UINT64_MAX;
	bool good = f->tags.n && f->generations.n && f->statuses.n && f->in_chain && f->sparks;
	return good ? 0 : EVL_NOMEM;
}

void event_counts_free(struct event_counts *f)
{
	free_all(f->tags.n, f->generations.n, f->statuses.n, f->in_chain, f->sparks);
	*f = (struct event_counts){0};
}

static void text(struct event_counts_span *texts, enum event_counts_text kind, uint64_t t)
{
	texts[kind].first = min_u64(texts[kind].first, t);
	texts[kind].last = max_u64(texts[kind].last, t);
}

/* --- heap profile ------------------------------------------------------------------------------------------------- */

static void sample_begin(struct event_counts_samples *s, uint64_t t)
{
	s->open = (struct event_counts_sample){.t = t, .index = s->count++};
	s->is_open = true;
	if (s->open.index == 0)
		s->largest = s->open;
}

/* The sum only grows, up to all that 64 bits can say, so the largest sample can be kept while it is being read. */
static void sample_entry(struct event_counts_samples *s, uint64_t bytes)
{
	if (!s->is_open)
		return;
	s->entries++;
	s->open.entries++;
	s->open.bytes = add_or_max(s->open.bytes, bytes);
	if (s->open.bytes > s->largest.bytes || s->open.index == s->largest.index)
		s->largest = s->open;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

static void phase_begin(struct event_counts_phase *p, uint64_t t)
{
	if (!p->open)
		p->since = t;
	p->open = true;
}

static void phase_end(struct event_counts_phase *p, uint64_t t)
{
	if (!p->open)
		return;
	p->intervals++;
	p->ns += sub_or_0(t, p->since);
	p->open = false;
}

static void sparks(struct event_counts_sparks *s, const uint8_t *payload)
{
	s->seen = true;
	for (int i = 0; i < SPARK_COUNTERS; i++)
		s->counters[i] = be64(payload + 8 * i);
}

bool event_counts_takes(uint16_t tag)
{
	switch (tag) {
	case EVL_GC_STATS_GHC:
	case EVL_SPARK_COUNTERS:
	case EVL_USER_MSG:
	case EVL_USER_MARKER:
	case EVL_USER_BINARY_MSG:
	case EVL_LOG_MSG:
	case EVL_HEAP_PROF_SAMPLE_BEGIN:
	case EVL_HEAP_BIO_PROF_SAMPLE_BEGIN:
	case EVL_HEAP_PROF_SAMPLE_COST_CENTRE:
	case EVL_HEAP_PROF_SAMPLE_STRING:
	case EVL_HEAP_PROF_SAMPLE_END: return true;
	default: return false;
	}
}

bool event_counts_wants_later(uint16_t tag)
{
	switch (tag) {
	case EVL_STOP_THREAD: /* of a status that the walk does not count */
	case EVL_CONC_MARK_BEGIN:
	case EVL_CONC_MARK_END:
	case EVL_CONC_SYNC_BEGIN:
	case EVL_CONC_SYNC_END:
	case EVL_CONC_SWEEP_BEGIN:
	case EVL_CONC_SWEEP_END: return true;
	default: return tag >= WALK_TAGS;
	}
}

void event_counts_open(struct event_counts_partial *s)
{
	for (size_t i = 0; i < FACTS_TEXTS; i++)
		s->texts[i].first = UINT64_MAX;
}

static void collected(struct event_counts_partial *s, size_t generation)
{
	s->generations[generation]++;
	s->n_generations = generation >= s->n_generations ? generation + 1 : s->n_generations;
}

void event_counts_now(struct event_counts_partial *s, const struct frame *e)
{
	const uint8_t *p = e->payload.p;
	switch (e->tag) {
	case EVL_GC_STATS_GHC: collected(s, min_u64(be16(p + STATS_GEN_AT), FACTS_GENERATIONS - 1)); break;
	case EVL_SPARK_COUNTERS: s->sparks = p; break;
	case EVL_USER_MSG: text(s->texts, FACTS_USER_MSG, e->t); break;
	case EVL_USER_MARKER: text(s->texts, FACTS_USER_MARKER, e->t); break;
	case EVL_USER_BINARY_MSG: text(s->texts, FACTS_USER_BINARY, e->t); break;
	case EVL_LOG_MSG: text(s->texts, FACTS_LOG_MSG, e->t); break;
	case EVL_HEAP_PROF_SAMPLE_BEGIN:
	case EVL_HEAP_BIO_PROF_SAMPLE_BEGIN: sample_begin(&s->heap, e->t); break;
	case EVL_HEAP_PROF_SAMPLE_COST_CENTRE:
	case EVL_HEAP_PROF_SAMPLE_STRING: sample_entry(&s->heap, be64(p + ENTRY_BYTES_AT)); break;
	case EVL_HEAP_PROF_SAMPLE_END: s->heap.is_open = false; break;
	default: break;
	}
}

void event_counts_later(struct event_counts *f, const struct frame *e)
{
	const uint8_t *p = e->payload.p;
	switch (e->tag) {
	case EVL_STOP_THREAD: event_counts_add(&f->statuses, be16(p + STOP_STATUS_AT), 1); break;
	case EVL_CONC_MARK_BEGIN: phase_begin(&f->phases[FACTS_MARK], e->t); break;
	case EVL_CONC_MARK_END: phase_end(&f->phases[FACTS_MARK], e->t); break;
	case EVL_CONC_SYNC_BEGIN: phase_begin(&f->phases[FACTS_SYNC], e->t); break;
	case EVL_CONC_SYNC_END: phase_end(&f->phases[FACTS_SYNC], e->t); break;
	case EVL_CONC_SWEEP_BEGIN: phase_begin(&f->phases[FACTS_SWEEP], e->t); break;
	case EVL_CONC_SWEEP_END: phase_end(&f->phases[FACTS_SWEEP], e->t); break;
	default: event_counts_add(&f->tags, e->tag, 1); break;
	}
}

static void join_samples(struct event_counts_samples *all, const struct event_counts_samples *s)
{
	struct event_counts_sample largest = s->largest;
	largest.index += all->count;
	if (s->count && (all->count == 0 || largest.bytes > all->largest.bytes))
		all->largest = largest;
	all->count += s->count;
	all->entries += s->entries;
}

void event_counts_join(
	struct event_counts *f, uint32_t chain, const struct event_counts_partial *s, const struct part *part)
{
	for (unsigned tag = 0; tag < WALK_TAGS; tag++)
		if (part->counts->tags[tag])
			event_counts_add(&f->tags, (uint16_t)tag, part->counts->tags[tag]);
	for (unsigned i = 0; i < WALK_STATUSES; i++)
		event_counts_add(&f->statuses, (uint16_t)i, part->counts->statuses[i]);
	for (size_t gen = 0; gen < s->n_generations; gen++)
		event_counts_add(&f->generations, (uint16_t)gen, s->generations[gen]);
	f->in_chain[chain] += part->events - part->counts->tags[EVL_BLOCK_MARKER];
	if (s->sparks)
		sparks(&f->sparks[chain], s->sparks);
	for (size_t i = 0; i < FACTS_TEXTS; i++) {
		f->texts[i].first = min_u64(f->texts[i].first, s->texts[i].first);
		f->texts[i].last = max_u64(f->texts[i].last, s->texts[i].last);
	}
	join_samples(&f->heap, &s->heap);
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void counts_image(struct image *im, struct event_counts_counts *c)
{
	c->end = (uint32_t)image_numbers(im, &c->n, (size_t)UINT16_MAX + 1);
}

static void samples_image(struct image *im, struct event_counts_samples *s)
{
	IMAGE_VALUE(im, s->count);
	IMAGE_VALUE(im, s->entries);
	IMAGE_VALUE(im, s->open);
	IMAGE_VALUE(im, s->largest);
	image_bool(im, &s->is_open);
}

void event_counts_image(struct image *im, struct event_counts *f, const struct blocks *blocks)
{
	if (im->loads)
		*f = (struct event_counts){.sparks = image_new(im, blocks->n_chains, sizeof *f->sparks)};
	counts_image(im, &f->tags);
	counts_image(im, &f->generations);
	counts_image(im, &f->statuses);
	f->in_chain = image_array(im, f->in_chain, blocks->n_chains, sizeof *f->in_chain);
	image_own(im, (void **)&f->sparks, blocks->n_chains, sizeof *f->sparks);
	for (size_t i = 0; f->sparks && i < blocks->n_chains; i++) {
		IMAGE_VALUE(im, f->sparks[i].counters);
		image_bool(im, &f->sparks[i].seen);
	}
	samples_image(im, &f->heap);
	IMAGE_VALUE(im, f->texts);
	for (size_t i = 0; i < FACTS_PHASES; i++) {
		struct event_counts_phase *p = &f->phases[i];
		IMAGE_VALUE(im, p->intervals);
		IMAGE_VALUE(im, p->ns);
		IMAGE_VALUE(im, p->since);
		image_bool(im, &p->open);
	}
}
