/* Span messages of programs. Each line of the input is a separate message, a nanosecond apart; a line that
 * starts with # is a binary message. Spans of a row never overlap, and each starts and ends within the log. */
#include "fuzz.h"

#include "base/buf.h"
#include "log/log.h"

enum { ROOM = 1000, FIRST_NS = 1000 };

static void put_be(struct buf *b, uint64_t v, int width)
{
	while (width-- > 0)
		buf_char(b, (char)(uint8_t)(v >> 8 * width));
}

/* A header that declares the texts, and one block around them. */
static void begin(struct buf *b)
{
	static const uint8_t bytes[] = "hdrbhetb"
				       "etb\0"
				       "\0\x12"
				       "\0\x0e"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "etb\0"
				       "\0\x13"
				       "\xff\xff"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "etb\0"
				       "\0\xb5"
				       "\xff\xff"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "hetehdredatb";
	buf_put(b, bytes, sizeof bytes - 1);
}

static void put_message(struct buf *b, uint64_t t, const uint8_t *text, size_t len)
{
	bool binary = len && *text == '#';
	put_be(b, binary ? EVL_USER_BINARY_MSG : EVL_USER_MSG, 2);
	put_be(b, t, 8);
	put_be(b, len - binary, 2);
	buf_put(b, text + binary, len - binary);
}

static uint64_t put_messages(struct buf *b, const uint8_t *data, size_t len)
{
	uint64_t t = FIRST_NS;
	while (len) {
		const uint8_t *end = memchr(data, '\n', len);
		size_t line = end ? (size_t)(end - data) : len;
		put_message(b, t++, data, line < ROOM ? line : ROOM);
		data += line + (end != NULL);
		len -= line + (end != NULL);
	}
	return t;
}

static void check_spans(const struct span_table *t, uint64_t end)
{
	size_t n = 0;
	for (int row = 0; t && row < t->n_rows; row++) {
		uint64_t at = FIRST_NS, ns = 0;
		for (size_t i = 0; i < t->rows[row].n; i++, n++) {
			const struct span *s = &t->rows[row].items[i];
			check(s->start >= at && s->end >= s->start && s->end <= end && s->before == ns);
			check(s->convention < SPAN_CONVENTIONS && spans_convention(s));
			ns += s->end - s->start;
			at = s->end;
		}
		check(spans_in(t, row, 0, UINT64_MAX).ns == ns);
	}
	check(!t || n + t->deeper == t->n);
	for (size_t i = n; t && i < t->n; i++)
		check(t->items[i].row == SPAN_ROWS && t->items[i].end <= end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct buf b = {0};
	struct evl_log *log;
	begin(&b);
	size_t marker = b.len;
	for (int i = 0; i < BLOCK_HEAD; i++)
		buf_char(&b, 0);
	uint64_t end = put_messages(&b, data, len);
	struct buf head = {0};
	put_be(&head, EVL_BLOCK_MARKER, 2);
	put_be(&head, FIRST_NS, 8);
	put_be(&head, b.len - marker, 4);
	put_be(&head, end, 8);
	put_be(&head, 0, 2);
	check(!b.failed && head.len == BLOCK_HEAD);
	memcpy(b.p + marker, head.p, BLOCK_HEAD);
	check(evl_open_memory(&log, b.p, b.len, NULL) == 0 && evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	check(log->damage.n == 0);
	check_spans(spans_table(&log->spans), end);
	evl_close(log);
	buf_free(&head);
	buf_free(&b);
	return 0;
}
