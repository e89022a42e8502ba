#include "program/ipe.h"

#include "base/find.h"
#include "format/decode.h"

#include <stdlib.h>

void ipe_free(struct ipe *ipe)
{
	free(ipe->runs);
	*ipe = (struct ipe){0};
}

void ipe_partial_free(struct ipe_partial *partial)
{
	free(partial->runs);
	*partial = (struct ipe_partial){0};
}

void ipe_take(struct ipe_partial *partial, const struct frame *f)
{
	struct ipe_run *run = partial->n ? &partial->runs[partial->n - 1] : NULL;
	partial->entries++;
	if (run && (f->off - run->last <= IPE_GAP || partial->n >= IPE_SHARE_RUNS))
		run->last = f->off;
	else if (GROW(partial->runs, partial->n, partial->room))
		partial->runs[partial->n++] = (struct ipe_run){.first = f->off, .last = f->off};
}

static void add_run(struct ipe *ipe, struct ipe_run run)
{
	struct ipe_run *before = ipe->n ? &ipe->runs[ipe->n - 1] : NULL;
	bool joins = before && before->chain == run.chain && run.first >= before->last;
	if (joins && (run.first - before->last <= IPE_GAP || ipe->n >= MOST_IPE_RUNS))
		before->last = run.last;
	else if (ipe->n < MOST_IPE_RUNS && GROW(ipe->runs, ipe->n, ipe->room))
		ipe->runs[ipe->n++] = run;
}

void ipe_join(struct ipe *ipe, uint32_t chain, struct ipe_partial *partial)
{
	for (size_t i = 0; i < partial->n; i++) {
		partial->runs[i].chain = chain;
		add_run(ipe, partial->runs[i]);
	}
	ipe->entries += partial->entries;
	ipe_partial_free(partial);
}

static bool decode_entry(const struct header *h, const struct frame *f, struct ipe_entry *out)
{
	enum { ID, TABLE, CLOSURE, TYPE, LABEL, MODULE, LOCATION };
	struct evl_value v[EVL_MAX_FIELDS];
	if (f->tag != EVL_IPE || !event_readable(h, f) || decode(header_of(h, f->tag)->schema, f->payload, v) < 0)
		return false;
	*out = (struct ipe_entry){v[ID].u, f->off, v[TABLE].str, v[CLOSURE].str, v[TYPE].str, v[LABEL].str,
		v[MODULE].str, v[LOCATION].str};
	return true;
}

bool ipe_at(const struct blocks *b, uint64_t off, struct ipe_entry *out)
{
	struct frame f;
	return off && off < b->len && frame_read(b->header, b->data, off, b->len, &f) == FRAME_OK
		&& decode_entry(b->header, &f, out);
}

void ipe_begin(struct ipe_reader *r, const struct ipe *ipe, const struct blocks *b)
{
	*r = (struct ipe_reader){.ipe = ipe, .blocks = b};
}

static void next_run(struct ipe_reader *r)
{
	const struct ipe_run *run = &r->ipe->runs[r->run++];
	const struct chain *chain = &r->blocks->chains[run->chain];
	cursor_begin(&r->cursor, r->blocks, chain, UINT64_MAX);
	cursor_seek(&r->cursor, run->first);
	r->last = run->last;
}

bool ipe_next(struct ipe_reader *r, struct ipe_entry *out)
{
	const struct block *block;
	struct frame f;
	for (;;) {
		while (r->cursor.blocks && cursor_next(&r->cursor, &f, &block) && f.off <= r->last)
			if (decode_entry(r->blocks->header, &f, out))
				return true;
		if (r->run == r->ipe->n)
			return false;
		next_run(r);
	}
}

uint64_t ipe_shift(struct evl_str rts)
{
	enum { TABLE = 16, PROFILED_TABLE = 32 };
	static const struct evl_str odd = {(const uint8_t *)"GHC-9.4.3 ", 10};
	if (rts.len < odd.len || memcmp(rts.p, odd.p, odd.len) != 0)
		return 0;
	return find_word(rts, "_p") ? PROFILED_TABLE : TABLE;
}

void ipe_image(struct image *im, struct ipe *ipe, const struct blocks *blocks)
{
	image_size(im, &ipe->n, MOST_IPE_RUNS);
	ipe->runs = image_array(im, ipe->runs, ipe->n, sizeof *ipe->runs);
	ipe->room = image_fills(im) ? ipe->n : ipe->room;
	IMAGE_VALUE(im, ipe->entries);
	for (size_t i = 0; im->loads && !im->bad && i < ipe->n; i++)
		image_require(im,
			ipe->runs[i].chain < blocks->n_chains && ipe->runs[i].first < blocks->len
				&& ipe->runs[i].last < blocks->len);
}
