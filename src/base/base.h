/* base.h - byte slices (struct evl_str), big-endian loads, atomic loads and stores, saturating arithmetic, and the record
 * of failed allocations (oom_note).
 *
 * All numbers in an eventlog are big-endian and unaligned. The loads use memcpy, which compilers turn into one
 * instruction. They do not check bounds: the caller must. */
#ifndef EVL_BASE_H
#define EVL_BASE_H

#include "evl.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Return the number of elements of an array. */
#define countof(a) (sizeof(a) / sizeof *(a))
/* Define a function that returns the text of a value of an enum. LIST(X) expands to X(id, text) for each value, in the
 * order of the enum. */
#define TEXT_FUNCTION(function, type, LIST)                                                                            \
	const char *function(enum type value)                                                                          \
	{                                                                                                              \
		static const char *const texts[] = {LIST(TEXT_OF_ROW)};                                                \
		return texts[value];                                                                                   \
	}
#define TEXT_OF_ROW(id, text) text,

#define EVL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define UNUSED           __attribute__((unused)) /* before a parameter or variable that is not always read */
#define likely(x)        __builtin_expect(!!(x), 1)
#define unlikely(x)      __builtin_expect(!!(x), 0)

/* Return a string literal as a slice, without its NUL. */
#define EVL_STR(literal) ((struct evl_str){(const uint8_t *)(literal), sizeof(literal) - 1})

/* Return a C string as a slice that borrows it; the slice is empty if s is NULL. */
static inline struct evl_str str_of(const char *s) { return (struct evl_str){(const uint8_t *)s, s ? strlen(s) : 0}; }

/* Report whether the bytes of s equal the C string `text`. */
static inline bool str_is(struct evl_str s, const char *text)
{
	return s.len == strlen(text) && (s.len == 0 || memcmp(s.p, text, s.len) == 0);
}

/* Report whether s begins or ends with the C string `text`. */
static inline bool str_begins(struct evl_str s, const char *text)
{
	size_t len = strlen(text);
	return s.len >= len && memcmp(s.p, text, len) == 0;
}

static inline bool str_ends(struct evl_str s, const char *text)
{
	size_t len = strlen(text);
	return s.len >= len && memcmp(s.p + s.len - len, text, len) == 0;
}

/* Call free on n pointers; free_all takes the pointers themselves as arguments. */
void free_each(void *const *items, size_t n);
#define free_all(...) free_each((void *const[]){__VA_ARGS__}, countof(((void *const[]){__VA_ARGS__})))

/* ORDER compares two numbers: the result is -1, 0 or 1. ORDER_BY defines a comparison function for qsort that orders
 * structs of `type` by the number in `member`. */
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))
#define ORDER_BY(function, type, member)                                                                               \
	static int function(const void *a, const void *b)                                                              \
	{                                                                                                              \
		return ORDER(((const type *)a)->member, ((const type *)b)->member);                                    \
	}                                                                                                              \
	static_assert(sizeof((type){0}.member) <= sizeof(uint64_t), "a number")

/* Report whether a character is an ASCII digit; return a byte with ASCII capitals in lower case. No locale matters. */
static inline bool is_digit(int c) { return c >= '0' && c <= '9'; }
static inline int lower_case(int c) { return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c; }

/* Compare two slices byte by byte. Return a number below, equal to or above 0, as memcmp does. */
static inline int str_order(struct evl_str a, struct evl_str b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	assert(len == 0 || (a.p && b.p));
	int order = len ? memcmp(a.p, b.p, len) : 0;
	return order ? order : ORDER(a.len, b.len);
}

/* Load a big-endian number. */
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

/* Load a big-endian number of 1, 2, 4 or 8 bytes. */
static inline uint64_t be_load(const uint8_t *p, unsigned width)
{
	switch (width) {
	case 1: return *p;
	case 2: return be16(p);
	case 4: return be32(p);
	default: return be64(p);
	}
}

/* Load and store atomic objects with an order weaker than that of atomic_load and atomic_store. */
#define load_relaxed(p)     atomic_load_explicit(p, memory_order_relaxed)
#define load_acquire(p)     atomic_load_explicit(p, memory_order_acquire)
#define store_relaxed(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#define store_release(p, v) atomic_store_explicit(p, v, memory_order_release)

/* Set *max to the value if that is larger. */
static inline void raise_to(_Atomic uint64_t *max, uint64_t value)
{
	uint64_t was = load_relaxed(max);
	while (was < value && !atomic_compare_exchange_weak(max, &was, value))
		;
}

/* Report whether another thread set the flag that cancels this work. NULL: it cannot be cancelled. */
static inline bool is_cancelled(const atomic_bool *cancel) { return cancel && load_relaxed(cancel); }

/* Return the smaller or the larger number. */
static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int max_int(int a, int b) { return a > b ? a : b; }

/* Return a - b, or 0 if b is larger. A damaged log may contain times and sums that would otherwise wrap around. */
static inline uint64_t sub_or_0(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* Return a + b, or 2^64-1 if the sum overflows. Such a sum is displayed as "more than". */
static inline uint64_t add_or_max(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

/* Return sum / n rounded down, which is how means are displayed; n must not be 0. */
static inline double whole_mean(uint64_t sum, uint64_t n)
{
	sum /= n;
	return (double)sum;
}

/* A period of time in ns: `from` is inside, `to` is not. */
struct time_window {
	uint64_t from, to;
};

/* Compare two uint64_t or two double, for qsort: ascending. */
int by_u64(const void *a, const void *b);
int by_double(const void *a, const void *b);

/* Return whole * part / all, rounded down. part: at most `all`, which is not 0. Most products fit into 64 bits, which are
 * divided much faster. */
static inline uint64_t mul_div(uint64_t whole, uint64_t part, uint64_t all)
{
	uint64_t product;
	if (likely(!__builtin_mul_overflow(whole, part, &product)))
		return product / all;
	return (uint64_t)((unsigned __int128)whole * part / all);
}

/* Return the time at which column i starts if [t0, t1) is divided into n columns; column i ends where column i + 1
 * starts. */
static inline uint64_t column_edge(uint64_t t0, uint64_t t1, int n, int i)
{
	return t0 + mul_div(t1 - t0, (unsigned)i, (unsigned)n);
}

/* Make room for one more element in an array of `room` elements of which n are used; `items` and `room` are updated.
 * Return false if memory ran out; the array is then unchanged. */
#define GROW(items, n, room)                                                                                           \
	((n) < (room) ? (assert(items), true) : evl_grow((void **)&(items), sizeof *(items), &(room)))
bool evl_grow(void **items, size_t size, size_t *room) EVL_MUST_USE;

/* Return `memory`, the result of malloc or calloc. If it is NULL, set a flag of this thread that oom_take reads. While
 * a log is indexed, tables drop the rows for which there is no memory; their allocations, and GROW, go through this
 * function so that the loss is reported. (errno is no substitute: malloc may set it to ENOMEM and succeed.) */
void *oom_note(void *memory);

/* Report whether oom_note saw a failed allocation on this thread since the last call, and clear the flag. */
bool oom_take(void);

#endif
