#include "show/show.h"

#include "show/event_text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLUSH_AT = 64 << 10 };

struct output {
	struct event_text say;
	show_put *put;
	void *ctx;
};

static int flush(struct output *o)
{
	if (o->say.out.failed)
		return EVL_NOMEM;
	bool on = o->put(o->ctx, o->say.out.p, o->say.out.len);
	buf_clear(&o->say.out);
	return on ? 0 : EVL_CANCELLED;
}

static void line(struct output *o, const struct header_type *type, const struct frame *f, uint16_t cap, bool json)
{
	if (json) {
		event_text_json(&o->say, type, f, cap);
		return;
	}
	event_text_prefix(&o->say, f->t, cap);
	event_text_event(&o->say, type, f);
	buf_char(&o->say.out, '\n');
}

/* Find all blocks again, those inside of others, too. */
static int hop_inside(struct blocks *b)
{
	const struct header *h = b->header;
	const uint8_t *data = b->data;
	uint64_t len = b->len;
	blocks_free(b);
	int result = blocks_begin(b, h, data, len);
	b->reads_inside = true;
	return result ? result : blocks_more(b, SIZE_MAX);
}

static int begin(struct event_merge *m, struct blocks *b, const struct show_options *options)
{
	int result = event_merge_begin(m, b, &options->want);
	if (result < 0 || b->reads_inside || !m->nested)
		return result;
	event_merge_end(m);
	result = hop_inside(b);
	return result < 0 ? result : event_merge_begin(m, b, &options->want);
}

static int events(struct output *o, struct blocks *b, const struct show_options *options)
{
	struct event_merge m;
	struct frame f;
	const struct block *block;
	int result = begin(&m, b, options);
	if (result < 0)
		return result;
	while (result == 0 && event_merge_next(&m, &f, &block)) {
		line(o, header_of(b->header, f.tag), &f, b->chains[block->chain].cap, options->json);
		if (o->say.out.len >= FLUSH_AT)
			result = flush(o);
	}
	if (result == 0 && m.failed)
		result = EVL_NOMEM;
	event_merge_end(&m);
	return result;
}

/* The header, the events, and the newline that ghc-events prints at the end. */
static int whole(struct output *o, struct blocks *b, const struct show_options *options)
{
	if (!options->json)
		event_text_header(&o->say, b->header);
	int result = events(o, b, options);
	if (result < 0)
		return result;
	if (!options->json)
		buf_char(&o->say.out, '\n');
	return flush(o);
}

int show(const struct header *h, const uint8_t *data, uint64_t len, const struct show_options *options, show_put *put,
	void *ctx)
{
	struct output o = {.put = put, .ctx = ctx};
	struct blocks blocks;
	int result = event_text_init(&o.say, options->printable);
	if (result < 0)
		return result;
	result = blocks_hop(&blocks, h, data, len);
	if (result == 0 && options->reads_inside)
		result = hop_inside(&blocks);
	if (result == 0)
		result = whole(&o, &blocks, options);
	blocks_free(&blocks);
	event_text_free(&o.say);
	return result;
}

/* A copy in lower case, as far as it fits. */
static void put_lower(char *out, size_t room, const char *text)
{
	size_t n = 0;
	for (; text[n] && n + 1 < room; n++)
		out[n] = (char)(text[n] >= 'A' && text[n] <= 'Z' ? text[n] - 'A' + 'a' : text[n]);
	out[n] = '\0';
}

int show_tags(const char *glob, bool **tags)
{
	char number[8], name[128];
	size_t room = strlen(glob) + 1;
	char *folded = malloc(room);
	int n = 0;
	*tags = folded ? calloc((size_t)UINT16_MAX + 1, sizeof **tags) : NULL;
	if (!*tags) {
		free(folded);
		return EVL_NOMEM;
	}
	put_lower(folded, room, glob);
	for (unsigned tag = 0; tag <= UINT16_MAX; tag++) {
		const char *named = schema_name((uint16_t)tag);
		snprintf(number, sizeof number, "%u", tag);
		put_lower(name, sizeof name, named ? named : number);
		(*tags)[tag] = fnmatch(folded, name, 0) == 0;
		n += (*tags)[tag];
	}
	free(folded);
	return n;
}
