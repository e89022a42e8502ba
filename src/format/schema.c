#include "format/schema.h"

/* The width of a row, as a constant: an initialiser cannot loop over the fields. */
enum {
#define K(name, width) WIDTH_##name = width,
	EVL_KINDS(K)
#undef K
#define EVENT(tag, name, group, text, fields)         SIZE_##name = 0 fields,
#define LAYOUT(tag, name, until, group, text, fields) SIZE_##name##_##until = 0 fields,
#define FIELD(kind, name)                             +WIDTH_##kind
#include "format/events.def"
#undef EVENT
#undef LAYOUT
#undef FIELD
};

/* Number of fields of a row, and of those with variable width. */
enum {
#define EVENT(tag, name, group, text, fields)         COUNT_##name = 0 fields,
#define LAYOUT(tag, name, until, group, text, fields) COUNT_##name##_##until = 0 fields,
#define FIELD(kind, name)                             +1
#include "format/events.def"
#undef EVENT
#undef LAYOUT
#undef FIELD
#define EVENT(tag, name, group, text, fields)         TEXTS_##name = 0 fields,
#define LAYOUT(tag, name, until, group, text, fields) TEXTS_##name##_##until = 0 fields,
#define FIELD(kind, name)                             +(WIDTH_##kind == 0)
#include "format/events.def"
#undef EVENT
#undef LAYOUT
#undef FIELD
};

static const struct schema rows[] = {
#define EVENT(tag, name, group, text, fields)                                                                          \
	{tag, #name, EVL_##group, text, NULL, SIZE_##name, TEXTS_##name > 0, COUNT_##name, {fields}},
#define LAYOUT(tag, name, until, group, text, fields)                                                                  \
	{tag, #name, EVL_##group, text, #until, SIZE_##name##_##until, TEXTS_##name##_##until > 0,                     \
		COUNT_##name##_##until, {fields}},
#define FIELD(kind, name) {#name, EVL_K_##kind},
#include "format/events.def"
#undef EVENT
#undef LAYOUT
#undef FIELD
};

const struct schema *schema_find(uint16_t tag, int32_t size)
{
	const struct schema *best = NULL;
	for (const struct schema *s = rows; s < rows + countof(rows); s++) {
		bool fits = s->variable ? size < 0 : size >= s->size;
		if (s->tag == tag && fits && (!best || s->size > best->size))
			best = s;
	}
	return best;
}

const char *schema_name(uint16_t tag)
{
	for (const struct schema *s = rows; s < rows + countof(rows); s++)
		if (s->tag == tag)
			return s->name;
	return NULL;
}

const struct schema *schema_rows(size_t *n)
{
	*n = countof(rows);
	return rows;
}
