#include "sys/huge_alloc.h"

#include <sys/mman.h>

void *huge_alloc_new(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return oom_note(pages == MAP_FAILED ? NULL : pages);
}

void huge_alloc_free(void *pages, size_t bytes)
{
	if (pages)
		munmap(pages, bytes);
}

void huge_alloc_fill(void *pages, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	madvise(pages, bytes, MADV_POPULATE_WRITE); /* that it may not be able to is no loss */
#else
	(void)pages, (void)bytes;
#endif
}
