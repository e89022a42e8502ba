/* header.h - parse the header of an eventlog: the event types the file declares and their sizes.
 *
 * Sizes always come from here, never from a built-in table: the schema only tells which fields can be read. */
#ifndef EVL_HEADER_H
#define EVL_HEADER_H

#include "base/err.h"

struct schema;

enum { EVL_VARIABLE = -1 }; /* a size: the payload carries its own length */
enum { EVL_DATA_END = 0xffff };
enum { HEADER_QUICK = 256, HEADER_ODD = -2 };

struct header_type {
	uint16_t tag;
	int32_t size;                /* bytes of payload, or EVL_VARIABLE */
	struct evl_str desc;         /* borrowed from the file; any bytes */
	const struct schema *schema; /* the fields that can be read; NULL: none is known */
};

struct header {
	struct header_type *types; /* in file order */
	size_t n, room;
	uint64_t data_off; /* of the first event */
	bool cut;          /* the file ends inside its header: the types so far, no events */
	struct {
		uint64_t off, len; /* the first declaration whose tag had one already; len 0: there is none */
		uint64_t more;     /* further ones */
		uint16_t tag;
	} twice;
	uint32_t *row; /* tag -> index into types + 1; 0: not declared. The last declaration of a tag wins */
	int32_t quick
		[HEADER_QUICK]; /* the sizes of the first tags; HEADER_ODD: not declared, or not to be trusted (IPE) */
};

/* Check whether these can be the first bytes of a log, or of a classic heap profile (.hp), which is converted to one.
 * HEADER_LOOK bytes are enough; a shorter file is checked as it is. Return 0, or EVL_NOT_A_LOG with err filled. */
enum { HEADER_LOOK = 32 };
int header_look(const uint8_t *data, uint64_t len, struct evl_err *err) EVL_MUST_USE;

/* Read the header at the start of the bytes. EVL_NOT_A_LOG or EVL_NOMEM with err filled (text without file name). */
int header_parse(struct header *h, const uint8_t *data, uint64_t len, struct evl_err *err) EVL_MUST_USE;
void header_free(struct header *h);

/* The declaration of a tag, or NULL. header_of: of a tag that is declared, as that of each event that was read. */
static inline const struct header_type *header_find(const struct header *h, uint16_t tag)
{
	uint32_t row = h->row[tag];
	return row ? &h->types[row - 1] : NULL;
}
static inline const struct header_type *header_of(const struct header *h, uint16_t tag)
{
	assert(h->row[tag]);
	return &h->types[h->row[tag] - 1];
}

#endif
