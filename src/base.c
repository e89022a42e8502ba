#include "base.h"

#include <stdlib.h>

bool evl_grow(void **items, size_t size, size_t *room)
{
	size_t want = *room ? *room * 2 : 16;
	void *grown = want > *room && want <= SIZE_MAX / size ? realloc(*items, want * size) : NULL;
	if (!grown)
		return false;
	*items = grown;
	*room = want;
	return true;
}
