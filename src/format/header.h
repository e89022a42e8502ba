/* header.h - parse the header of an eventlog: the event types that the file declares, and their sizes.
 *
 * The size of an event always comes from here, never from a built-in table; the schema (schema.h) only tells which
 * fields can be decoded. */
#ifndef EVL_HEADER_H
#define EVL_HEADER_H

#include "base/err.h"

struct schema;

enum { EVL_VARIABLE = -1 }; /* as a size: each event carries the length of its payload */
enum { EVL_DATA_END = 0xffff };
enum { HEADER_QUICK = 256, HEADER_ODD = -2 };

struct header_type {
	uint16_t tag;
	int32_t size;                /* bytes of the payload, or EVL_VARIABLE */
	struct evl_str desc;         /* description; borrowed from the file; may contain any bytes */
	const struct schema *schema; /* fields that can be decoded, or NULL if the type is unknown */
};

struct header {
	struct header_type *types; /* in file order */
	size_t n, room;
	uint64_t data_off; /* file offset of the first event */
	/* the file ends inside the header: `types` is incomplete, and there are no events */
	bool cut;
	struct {
		/* extent in the file of the first declaration that repeats a tag; len 0: there is none */
		uint64_t off, len;
		uint64_t more; /* number of further repeated declarations */
		uint16_t tag;
	} twice;
	uint32_t *row; /* by tag: index into types + 1, or 0 if not declared; the last declaration of a tag wins */
	int32_t quick[HEADER_QUICK]; /* by tag: size, or HEADER_ODD if not declared or for IPE (frame.h) */
};

/* Check whether the data can be the start of a log or of a classic heap profile (.hp), which is converted to a log.
 * HEADER_LOOK bytes are enough; if the file is shorter, pass all of it. Return 0, or EVL_NOT_A_LOG with err filled. */
enum { HEADER_LOOK = 32 };
int header_look(const uint8_t *data, uint64_t len, struct evl_err *err) EVL_MUST_USE;

/* Parse the header at the start of the data, which must outlive h. Return 0, or EVL_NOT_A_LOG or EVL_NOMEM with err
 * filled; the text does not name the file. */
int header_parse(struct header *h, const uint8_t *data, uint64_t len, struct evl_err *err) EVL_MUST_USE;
void header_free(struct header *h);

/* Return the declaration of a tag, or NULL. header_of is for tags known to be declared, such as that of any event
 * read. */
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
