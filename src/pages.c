#include "pages.h"

#include <sys/mman.h>

/* The system aligns to its small pages only: so more is asked for, and what is too much given back. */
void *pages_new(size_t bytes, bool huge)
{
	size_t all = bytes + PAGES_PIECE;
	uint8_t *raw = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (raw == MAP_FAILED)
		return evl_noted(NULL);
	size_t before = -(uintptr_t)raw % PAGES_PIECE;
	if (before)
		munmap(raw, before);
	munmap(raw + before + bytes, all - before - bytes);
#ifdef MADV_HUGEPAGE
	if (huge)
		madvise(raw + before, bytes, MADV_HUGEPAGE);
#else
	(void)huge;
#endif
	return raw + before;
}

void pages_free(void *pages, size_t bytes)
{
	if (pages)
		munmap(pages, bytes);
}
