/* shown.h - what `show` says of a log that a test has built. */
#ifndef TESTS_SHOWN_H
#define TESTS_SHOWN_H

#include "base/buf.h"
#include "logs.h"
#include "show/show.h"

static inline bool shown_put(void *ctx, const char *bytes, size_t len)
{
	buf_put(ctx, bytes, len);
	return true;
}

/* The events as text, NUL-terminated; free it. */
static inline char *shown_with(const struct built *b, const struct show_options *options)
{
	struct header h;
	struct buf out = {0};
	assert_int_equal(header_parse(&h, b->data, b->len, NULL), 0);
	assert_int_equal(show(&h, b->data, b->len, options, shown_put, &out), 0);
	header_free(&h);
	buf_char(&out, 0);
	assert_false(out.failed);
	char *events = strstr(out.p, "\nEvents:\n");
	if (events)
		memmove(out.p, events + strlen("\nEvents:\n"), strlen(events) - strlen("\nEvents:\n") + 1);
	return out.p;
}

static inline char *shown(const struct built *b) { return shown_with(b, &(struct show_options){.want = MERGE_ALL}); }

/* Events that are shown, block markers among them. */
static inline unsigned shown_events(const struct built *b)
{
	unsigned n = 0;
	char *text = shown_with(b, &(struct show_options){.json = true, .want = MERGE_ALL});
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		n++;
	free(text);
	return n;
}

#endif
