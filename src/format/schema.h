/* schema.h - the table of event types, expanded from events.def: look up name, fields and text by tag and size.
 *
 * A tag whose payload has grown over GHC's releases has one row per layout. schema_find chooses by the size that the
 * file declares: the largest known layout that fits; further bytes of the payload are ignored. */
#ifndef EVL_SCHEMA_H
#define EVL_SCHEMA_H

#include "base/base.h"

/* The tags: EVL_RUN_THREAD = 1, …. */
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

/* Kinds of field: K(kind, bytes). The kind determines the width in the file and the format on the screen; width 0 means
 * variable. */
// clang-format off
#define EVL_KINDS(K)												       \
	K(u8, 1)												       \
	K(u16, 2)												       \
	K(u32, 4)												       \
	K(u64, 8)												       \
	K(tid, 4)    /* thread id */										       \
	K(cap, 2)    /* capability */										       \
	K(capset, 4) /* set of capabilities */									       \
	K(task, 8)   /* OS thread; shown in hexadecimal */							       \
	K(addr, 8)   /* address; shown in hexadecimal */							       \
	K(bytes, 8)												       \
	K(sbytes, 8) /* signed */										       \
	K(ns, 8)												       \
	K(status, 2) /* why a thread stopped */									       \
	K(str, 0)    /* the rest of the payload is text */							       \
	K(zstr, 0)   /* text up to a NUL */									       \
	K(strs, 0) /* the rest of the payload: texts, each followed by a NUL */					       \
	K(stack, 0) /* u8 depth, then that number of u32 cost-centre ids, innermost first */			       \
	K(raw, 0) /* the rest of the payload: any bytes */							       \
	K(istr, 0) /* text: the rest of the payload except its last 4 bytes */
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
	/* sentence of `ghc-events show` with {fields}; NULL: the description in the file's header is shown */
	const char *text;
	const char *until; /* older layout: the last GHC that wrote it, for example "7_0"; NULL: current layout */
	/* bytes of the fields of fixed width: the smallest size a file can declare for this layout */
	uint16_t size;
	bool variable; /* has a field of variable width */
	uint8_t n_fields;
	struct schema_field fields[EVL_MAX_FIELDS];
};

/* Return the layout for a tag that a file declares with this size (EVL_VARIABLE: -1), or NULL if none fits. */
const struct schema *schema_find(uint16_t tag, int32_t size);

/* Return the name of a tag, or NULL if the tag is unknown. */
const char *schema_name(uint16_t tag);

/* Return the whole table; *n receives the number of rows. */
const struct schema *schema_rows(size_t *n);

/* Return the number of bytes that a kind takes in the file; 0: variable. */
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
