#include "base/base.h"

#include <stdlib.h>

static _Thread_local bool short_of_memory;

void *oom_note(void *memory)
{
	short_of_memory |= !memory;
	return memory;
}

bool oom_take(void)
{
	bool failed = short_of_memory;
	short_of_memory = false;
	return failed;
}

bool evl_grow(void **items, size_t size, size_t *room)
{
	size_t want = *room ? *room * 2 : 16;
	void *grown = oom_note(want > *room && want <= SIZE_MAX / size ? realloc(*items, want * size) : NULL);
	if (!grown)
		return false;
	*items = grown;
	*room = want;
	return true;
}

void free_each(void *const *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(items[i]);
}

int by_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return ORDER(x, y);
}

int by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return ORDER(x, y);
}
