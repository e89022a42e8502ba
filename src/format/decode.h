/* decode.h - decode an event's payload into field values, by the schema that fits its declared size.
 *
 * Never reads outside of the payload. A text without a NUL ends with the payload; a stack deeper than its payload is
 * clamped to it. Trailing texts and the fields after them may be missing: GHC added fields over time. */
#ifndef EVL_DECODE_H
#define EVL_DECODE_H

#include "format/schema.h"

/* The value of a field: u for numbers, str for texts, raw bytes and stacks (u32 ids, big-endian). Strings borrow from
 * the payload. */
struct evl_value {
	uint64_t u;
	struct evl_str str;
};

/* Decode into values[EVL_MAX_FIELDS]. Return the number of fields present (the values of the others are 0), or -1 if
 * the payload is too short for the fixed fields at its start. */
int decode(const struct schema *s, struct evl_str payload, struct evl_value *values) EVL_MUST_USE;

/* The index of a field by name; -1: no such field. */
int decode_field(const struct schema *s, const char *name);

/* Take the next text of a `strs` value from *rest; false at the end. */
bool decode_next_str(struct evl_str *rest, struct evl_str *out);

#endif
