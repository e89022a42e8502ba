#include "heap/census_read.h"

enum { BYTES_AT = 1, LABEL_AT = 9, ID = 4 };

static bool is_band(uint16_t tag)
{
	return tag == EVL_HEAP_PROF_SAMPLE_STRING || tag == EVL_HEAP_PROF_SAMPLE_COST_CENTRE;
}

/* Text ends with its NUL, or with the payload; a stack is as deep as it says, or as the payload has room for. */
static struct evl_str key_of(const struct frame *f, bool is_stack)
{
	struct evl_str key = {f->payload.p + LABEL_AT, f->payload.len - LABEL_AT};
	if (is_stack) {
		size_t depth = key.len ? key.p[0] : 0, fits = key.len ? (key.len - 1) / ID : 0;
		return (struct evl_str){key.p + (key.len ? 1 : 0), ID * (depth < fits ? depth : fits)};
	}
	const uint8_t *nul = key.len ? memchr(key.p, 0, key.len) : NULL;
	key.len = nul ? (size_t)(nul - key.p) : key.len;
	return key;
}

static bool take(const struct header *h, const struct frame *f, struct census_band *out)
{
	if (!is_band(f->tag) || !event_readable(h, f) || f->payload.len < LABEL_AT)
		return false;
	bool is_stack = f->tag == EVL_HEAP_PROF_SAMPLE_COST_CENTRE;
	*out = (struct census_band){.bytes = be64(f->payload.p + BYTES_AT),
		.off = f->off,
		.key = key_of(f, is_stack),
		.profile = f->payload.p[0],
		.is_stack = is_stack};
	return true;
}

void census_read(struct census_reader *r, const struct census *c, const struct blocks *b, const struct census_sample *s)
{
	const struct chain *chain = &b->chains[c->chain];
	const struct block *block;
	struct frame f;
	r->header = b->header;
	cursor_begin(&r->cursor, b, chain, UINT64_MAX);
	cursor_seek(&r->cursor, s->off);
	if (!cursor_next(&r->cursor, &f, &block) || f.off != s->off) /* the file has changed under us */
		cursor_end(&r->cursor);
}

bool census_next(struct census_reader *r, struct census_band *out)
{
	const struct block *block;
	struct frame f;
	while (cursor_next(&r->cursor, &f, &block)) {
		if (take(r->header, &f, out))
			return true;
		if (f.tag == EVL_HEAP_PROF_SAMPLE_END || f.tag == EVL_HEAP_PROF_SAMPLE_BEGIN
			|| f.tag == EVL_HEAP_BIO_PROF_SAMPLE_BEGIN)
			break;
	}
	cursor_end(&r->cursor);
	return false;
}
