/* order.h - comparison functions for qsort, defined by their keys */
#ifndef EVL_ORDER_H
#define EVL_ORDER_H

#include "base/base.h"

/* Define a function that compares two structs x and y of `type` by the first key that differs:
 * COMPARE_BY(by_size, struct file, FALLING(size) ?: strcmp(x->name, y->name)). For one number, use ORDER_BY (base.h). */
#define RISING(member)  ORDER(x->member, y->member)
#define FALLING(member) ORDER(y->member, x->member)
#define COMPARE_BY(function, type, keys)                                                                               \
	static int function(const void *a, const void *b)                                                              \
	{                                                                                                              \
		const type *x = a, *y = b;                                                                             \
		return keys;                                                                                           \
	}                                                                                                              \
	static_assert(sizeof(type) > 0, "complete")

/* The same for an array of pointers to structs. */
#define COMPARE_POINTERS_BY(function, type, keys)                                                                      \
	static int function(const void *a, const void *b)                                                              \
	{                                                                                                              \
		const type *x = *(const type *const *)a, *y = *(const type *const *)b;                                 \
		return keys;                                                                                           \
	}                                                                                                              \
	static_assert(sizeof(type) > 0, "complete")

#endif
