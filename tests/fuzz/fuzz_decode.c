/* One event of any tag, size and payload, to text and to JSON. Input: u16 tag, u16 declared size, payload.
 *
 * The output is always UTF-8; JSON is one line; the printable text has nothing that a terminal obeys. */
#include "fuzz.h"

#include "base/utf8.h"
#include "format/decode.h"
#include "show/event_text.h"

static struct evl_str said(const struct event_text *s)
{
	check(!s->out.failed);
	return (struct evl_str){(const uint8_t *)s->out.p, s->out.len};
}

static void check_text(struct event_text *s, const struct header_type *type, const struct frame *f)
{
	buf_clear(&s->out);
	event_text_event(s, type, f);
	struct evl_str text = said(s);
	if (f->tag == EVL_BLOCK_MARKER && text.len && text.p[text.len - 1] == '\n')
		text.len--; /* its own */
	while (text.len) {
		uint32_t cp = utf8_take(&text);
		check(cp != UTF8_BAD && !(s->printable && utf8_unseen(cp)));
	}
}

static void check_json(struct event_text *s, const struct header_type *type, const struct frame *f)
{
	buf_clear(&s->out);
	event_text_json(s, type, f, f->tag);
	struct evl_str line = said(s);
	check(line.len > 2 && line.p[0] == '{' && line.p[line.len - 2] == '}' && line.p[line.len - 1] == '\n');
	for (line.len--; line.len;)
		check(!utf8_unseen(utf8_take(&line)));
}

/* Values lie within the payload. */
static void check_values(const struct schema *s, struct evl_str payload)
{
	struct evl_value values[EVL_MAX_FIELDS];
	int n = decode(s, payload, values);
	check(n >= -1 && n <= s->n_fields);
	for (int i = 0; i < n; i++) {
		struct evl_str v = values[i].str;
		check(v.len == 0 || (v.p >= payload.p && v.len <= payload.len - (size_t)(v.p - payload.p)));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct event_text plain, printable;
	if (!plain.ops)
		check(event_text_init(&plain, false) == 0 && event_text_init(&printable, true) == 0);
	if (len < 4)
		return 0;
	struct frame f = {.tag = be16(data), .t = len, .payload = {data + 4, len - 4}};
	uint16_t size = be16(data + 2);
	struct header_type type = {.tag = f.tag, .size = size == UINT16_MAX ? EVL_VARIABLE : size, .desc = f.payload};
	type.schema = schema_find(type.tag, type.size);
	if (type.schema)
		check_values(type.schema, f.payload);
	check_text(&plain, &type, &f);
	check_text(&printable, &type, &f);
	check_json(&plain, &type, &f);
	return 0;
}
