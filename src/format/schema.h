/* schema.h - the table of event types, expanded from events.def: look up name, fields and text by tag and size.
 *
 * A tag whose payload grew over the releases has one row per layout. schema_find picks by the size that the file
 * declares: the largest known layout that fits; surplus bytes are ignored. */
#ifndef EVL_SCHEMA_H
#define EVL_SCHEMA_H

#include "base/base.h"

/* EVL_RUN_THREAD = 1, … */
enum evl_tag {
#define EVENT(tag, name, group, text, fields) EVL_##name = tag,
#define LAYOUT(tag, name, until, group, text, fields)
#define FIELD(kind, name)
#include "format/events.def"
#undef EVENT
#undef LAYOUT
#undef FIELD
};

enum evl_group {
	EVL_SCHED,
	EVL_GC,
	EVL_HEAP,
	EVL_SPARK,
	EVL_USER,
	EVL_META,
	EVL_TASK,
	EVL_HEAP_PROF,
	EVL_TIME_PROF,
	EVL_NONMOVING,
	EVL_TICKY,
	EVL_EDEN,
	EVL_MERCURY,
	EVL_PERF
};

/* Kinds of field, which determine width on the wire and format on the screen. */
// clang-format off
#define EVL_KINDS(K)                                                                                                   \
	K(u8, 1)                                                                                                       \
	K(u16, 2)                                                                                                      \
	K(u32, 4)                                                                                                      \
	K(u64, 8)                                                                                                      \
	K(tid, 4)    /* thread id */                                                                                   \
	K(cap, 2)    /* capability */                                                                                  \
	K(capset, 4) /* set of capabilities */                                                                         \
	K(task, 8)   /* OS thread, address-like: hexadecimal */                                                        \
	K(addr, 8)   /* address: hexadecimal */                                                                        \
	K(bytes, 8)                                                                                                    \
	K(sbytes, 8) /* that may be below 0 */                                                                         \
	K(ns, 8)                                                                                                       \
	K(status, 2) /* why a thread stopped */                                                                        \
	K(str, 0)    /* the rest of the payload is text */                                                             \
	K(zstr, 0)   /* text up to a NUL */                                                                            \
	K(strs, 0) /* the rest: texts, each followed by a NUL */                        \
	K(stack, 0) /* u8 depth, then as many u32 cost-centre ids, innermost first */    \
	K(raw, 0) /* the rest: any bytes */                                            \
	K(istr, 0) /* the rest but for its last 4 bytes is text */
// clang-format on

enum evl_kind {
#define K(name, width) EVL_K_##name,
	EVL_KINDS(K)
#undef K
};

struct schema_field {
	const char *name;
	enum evl_kind kind;
};

enum { EVL_MAX_FIELDS = 12 };

struct schema {
	uint16_t tag;
	const char *name; /* "RUN_THREAD" */
	enum evl_group group;
	const char *text; /* the sentence of `ghc-events show` with {fields}; NULL: the header's description is shown */
	const char *until; /* an older layout: of GHCs up to this, "7_0"; NULL: today's */
	uint16_t size;     /* bytes of the fixed fields: the least that a payload of fixed size must have */
	bool variable;     /* has a str, zstr, strs, stack, raw or istr */
	uint8_t n_fields;
	struct schema_field fields[EVL_MAX_FIELDS];
};

/* The layout for a tag that a file declares with this size (EVL_VARIABLE: -1); NULL where none fits. */
const struct schema *schema_find(uint16_t tag, int32_t size);

/* The name of a tag: that of its first row; NULL where the tag is unknown. */
const char *schema_name(uint16_t tag);

/* All rows, for documents and dictionaries. */
const struct schema *schema_rows(size_t *n);

/* Bytes that a kind takes on the wire; 0: it varies. */
static inline unsigned schema_width(enum evl_kind kind)
{
	static const uint8_t widths[] = {
#define K(name, width) width,
		EVL_KINDS(K)
#undef K
	};
	return widths[kind];
}

#endif
