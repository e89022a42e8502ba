/* decode.h - decode an event's payload into field values, using the schema that fits the size declared for its type in
 * the log's header.
 *
 * Decoding never reads outside the payload. A text without a terminating NUL ends with the payload; a stack is cut at
 * the end of the payload. Trailing texts and the fields after them may be missing, because GHC added fields over
 * time. */
#ifndef EVL_DECODE_H
#define EVL_DECODE_H

#include "format/schema.h"

/* The value of a field: `u` for numbers; `str` for texts, raw bytes and stacks (big-endian u32 ids). `str` borrows from
 * the payload. */
struct evl_value {
	uint64_t u;
	struct evl_str str;
};

/* Decode a payload into values[EVL_MAX_FIELDS]. Return the number of fields present (the values of missing fields are
 * 0), or -1 if the payload is too short for the fixed fields at its start. */
int decode(const struct schema *s, struct evl_str payload, struct evl_value *values) EVL_MUST_USE;

/* Return the index of the field with this name, or -1. */
int decode_field(const struct schema *s, const char *name);

/* Remove the next text from *rest, which starts as the value of a field of kind `strs` (several texts, schema.h), and
 * store it in *out. Return false at the end. */
bool decode_next_str(struct evl_str *rest, struct evl_str *out);

#endif
