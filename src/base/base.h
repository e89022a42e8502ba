/* base.h - byte slices (struct evl_str), big-endian loads, saturating arithmetic, and the note that memory ran out
 * (oom_note).
 *
 * Everything in an eventlog is big-endian and unaligned; loads go through memcpy, which compilers turn into one
 * instruction. Loads do not check bounds: their callers have. */
#ifndef EVL_BASE_H
#define EVL_BASE_H

#include "evl.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define countof(a) (sizeof(a) / sizeof *(a))
/* Define the function that returns the text of an enum's value; LIST(X): the rows X(id, text) that the enum is made of. */
#define TEXT_FUNCTION(function, type, LIST)                                                                            \
	const char *function(enum type value)                                                                          \
	{                                                                                                              \
		static const char *const texts[] = {LIST(TEXT_OF_ROW)};                                                \
		return texts[value];                                                                                   \
	}
#define TEXT_OF_ROW(id, text) text,

#define EVL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define likely(x)        __builtin_expect(!!(x), 1)
#define unlikely(x)      __builtin_expect(!!(x), 0)

#define EVL_STR(literal) ((struct evl_str){(const uint8_t *)(literal), sizeof(literal) - 1})

/* Return a string of C; NULL: none. */
static inline struct evl_str str_of(const char *s) { return (struct evl_str){(const uint8_t *)s, s ? strlen(s) : 0}; }

static inline bool str_is(struct evl_str s, const char *text)
{
	return s.len == strlen(text) && (s.len == 0 || memcmp(s.p, text, s.len) == 0);
}

/* Free each of some pointers. */
void free_each(void *const *items, size_t n);
#define free_all(...) free_each((void *const[]){__VA_ARGS__}, countof(((void *const[]){__VA_ARGS__})))

/* Compare numbers: less, equal or more than 0. Define a comparison for qsort: of structs by a number in them. */
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))
#define ORDER_BY(function, type, member)                                                                               \
	static int function(const void *a, const void *b)                                                              \
	{                                                                                                              \
		return ORDER(((const type *)a)->member, ((const type *)b)->member);                                    \
	}                                                                                                              \
	static_assert(sizeof((type){0}.member) <= sizeof(uint64_t), "a number")

/* By bytes; less, equal or more than 0. */
static inline int str_order(struct evl_str a, struct evl_str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	assert(len == 0 || (a.p && b.p));
	int order = len ? memcmp(a.p, b.p, len) : 0;
	return order ? order : ORDER(a.len, b.len);
}

static inline uint16_t be16(const uint8_t *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof v);
	return __builtin_bswap16(v);
}

static inline uint32_t be32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return __builtin_bswap32(v);
}

static inline uint64_t be64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return __builtin_bswap64(v);
}

static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* a - b, or 0 where b is the larger: for times and sums from a log that may lie. */
static inline uint64_t sub_or_0(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* a + b, or 2^64-1 where that is less: such a sum is shown as "more than". */
static inline uint64_t add_or_max(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

/* The mean without its fraction, as it is shown. */
static inline double whole_mean(uint64_t sum, uint64_t n)
{
	sum /= n;
	return (double)sum;
}

/* A stretch of time, [from, to). */
struct time_window {
	uint64_t from, to;
};

/* For qsort: numbers in order. */
int by_u64(const void *a, const void *b);

/* Column i of n covers [column_edge(i), column_edge(i + 1)). */
static inline uint64_t column_edge(uint64_t t0, uint64_t t1, int n, int i)
{
	return t0 + (uint64_t)((unsigned __int128)(t1 - t0) * (unsigned)i / (unsigned)n);
}

/* Make room for one more element in the growing array (items, n, room); false when memory is out. */
#define GROW(items, n, room)                                                                                           \
	((n) < (room) ? (assert(items), true) : evl_grow((void **)&(items), sizeof *(items), &(room)))
bool evl_grow(void **items, size_t size, size_t *room) EVL_MUST_USE;

/* Return p, the result of malloc or calloc; if it is NULL, note for this thread that memory ran out. Tables that are
 * fed while the log is walked drop the rows they have no memory for, so their allocations, and GROW, go through
 * this. (errno is no substitute: malloc may set it to ENOMEM and succeed.) */
void *oom_note(void *memory);

/* Was word left on this thread? Asking takes it away. */
bool oom_take(void);

#endif
