#include "format/header.h"

#include "format/schema.h"

#include <stdlib.h>

/* The markers between the parts of a header. */
#define HEADER_BEGIN EVL_STR("hdrb")
#define TYPES_BEGIN  EVL_STR("hetb")
#define TYPE_BEGIN   EVL_STR("etb\0")
#define TYPE_END     EVL_STR("ete\0")
#define TYPES_END    EVL_STR("hete")
#define HEADER_END   EVL_STR("hdre")
#define DATA_BEGIN   EVL_STR("datb")

/* A logging session that a GHC of 8.10 or 9.0 restarted begins with a stray block marker of this size. */
enum { STRAY_MARKER = 24, BLOCK_MARKER_TAG = 18 };

/* A cursor with sticky failure: after the first read that does not fit, all fail. */
struct bytes {
	const uint8_t *data;
	uint64_t at, len;
	bool cut;
};

static bool room_for(struct bytes *b, uint64_t n)
{
	if (b->len - b->at < n)
		b->cut = true;
	return !b->cut;
}

static bool accept(struct bytes *b, struct evl_str word)
{
	if (!room_for(b, word.len) || memcmp(b->data + b->at, word.p, word.len) != 0)
		return false;
	b->at += word.len;
	return true;
}

static uint16_t take_u16(struct bytes *b)
{
	if (!room_for(b, 2))
		return 0;
	b->at += 2;
	return be16(b->data + b->at - 2);
}

/* A length and that many bytes. */
static struct evl_str take_counted(struct bytes *b)
{
	if (!room_for(b, 4))
		return (struct evl_str){0};
	uint32_t len = be32(b->data + b->at);
	b->at += 4;
	if (!room_for(b, len))
		return (struct evl_str){0};
	b->at += len;
	return (struct evl_str){b->data + b->at - len, len};
}

/* "hdrb" as the first bytes, or after a stray block marker. */
static bool begin(struct bytes *b)
{
	if (accept(b, HEADER_BEGIN))
		return true;
	if (b->len < STRAY_MARKER + 4 || be16(b->data) != BLOCK_MARKER_TAG)
		return false;
	b->at = STRAY_MARKER;
	return accept(b, HEADER_BEGIN);
}

static int refuse(const struct bytes *b, struct evl_err *err)
{
	static const struct {
		struct evl_str magic;
		const char *what;
	} known[] = {
		{EVL_STR("\x1f\x8b"), "it is compressed with gzip"},
		{EVL_STR("\x28\xb5\x2f\xfd"), "it is compressed with zstd"},
		{EVL_STR("\xfd"
			 "7zXZ"),
			"it is compressed with xz"},
		{EVL_STR("version https://git-lfs"), "it is a Git LFS pointer, not the file itself"},
		{EVL_STR("JOB \""), "it is a heap profile (.hp)"},
	};
	for (size_t i = 0; i < countof(known); i++)
		if (b->len >= known[i].magic.len && memcmp(b->data, known[i].magic.p, known[i].magic.len) == 0)
			return evl_fail(err, EVL_NOT_A_LOG, 0, "not a GHC eventlog: %s", known[i].what);
	return evl_fail(err, EVL_NOT_A_LOG, 0, "not a GHC eventlog: it does not start with \"hdrb\"");
}

int header_look(const uint8_t *data, uint64_t len, struct evl_err *err)
{
	struct bytes b = {.data = data, .len = len};
	struct evl_str hp = EVL_STR("JOB \"");
	size_t shown = (size_t)min_u64(len, 4);
	bool good = begin(&b) || (len >= hp.len && memcmp(data, hp.p, hp.len) == 0)
		|| (len < HEADER_LOOK && memcmp(data, "hdrb", shown) == 0);
	return good ? 0 : refuse(&b, err);
}

/* The type whose record begins at `off` is declared already. */
static void note_twice(struct header *h, uint64_t off, uint64_t end, uint16_t tag)
{
	if (h->twice.len) {
		h->twice.more++;
		return;
	}
	h->twice.off = off;
	h->twice.len = end - off;
	h->twice.tag = tag;
}

static int add_type(struct header *h, struct bytes *b)
{
	uint64_t begin = b->at - TYPE_BEGIN.len;
	struct header_type type = {.tag = take_u16(b)};
	uint16_t size = take_u16(b);
	type.size = size == UINT16_MAX ? EVL_VARIABLE : size;
	type.desc = take_counted(b);
	take_counted(b); /* extra information: no GHC writes any */
	if (b->cut)
		return 0;
	type.schema = schema_find(type.tag, type.size);
	if (!GROW(h->types, h->n, h->room))
		return EVL_NOMEM;
	if (h->row[type.tag])
		note_twice(h, begin, b->at + TYPE_END.len, type.tag);
	h->types[h->n++] = type;
	h->row[type.tag] = (uint32_t)h->n;
	if (type.tag < HEADER_QUICK)
		h->quick[type.tag] = type.tag == EVL_IPE ? HEADER_ODD : type.size;
	return 0;
}

/* The expected bytes are missing at b->at: either the file is truncated there, or it is not a log. */
static int missing(struct header *h, struct bytes *b, struct evl_err *err, const char *what)
{
	if (!b->cut)
		return evl_fail(
			err, EVL_NOT_A_LOG, b->at, "damaged header: %s at byte %llu", what, (unsigned long long)b->at);
	h->cut = true;
	h->data_off = b->len;
	return 0;
}

static int parse(struct header *h, struct bytes *b, struct evl_err *err)
{
	if (!begin(b) && !(b->cut && b->len < 4 && memcmp(b->data, "hdrb", b->len) == 0))
		return refuse(b, err);
	if (!accept(b, TYPES_BEGIN))
		return missing(h, b, err, "no event types");
	while (accept(b, TYPE_BEGIN)) {
		if (add_type(h, b) < 0)
			return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
		if (!accept(b, TYPE_END))
			return missing(h, b, err, "an event type that does not end");
	}
	if (b->cut || !accept(b, TYPES_END) || !accept(b, HEADER_END) || !accept(b, DATA_BEGIN))
		return missing(h, b, err, "an unexpected marker");
	h->data_off = b->at;
	return 0;
}

int header_parse(struct header *h, const uint8_t *data, uint64_t len, struct evl_err *err)
{
	*h = (struct header){.row = calloc((size_t)UINT16_MAX + 1, sizeof *h->row)};
	if (!h->row)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	for (size_t i = 0; i < HEADER_QUICK; i++)
		h->quick[i] = HEADER_ODD;
	struct bytes b = {.data = data, .len = len};
	int result = parse(h, &b, err);
	if (result < 0)
		header_free(h);
	return result;
}

void header_free(struct header *h)
{
	free_all(h->types, h->row);
	*h = (struct header){0};
}
