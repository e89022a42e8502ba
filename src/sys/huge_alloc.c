#include "sys/huge_alloc.h"

#include "sys/system.h"

#include <sys/mman.h>

void *huge_alloc_new(size_t bytes) { return oom_note(sys_pages(bytes)); }

void huge_alloc_free(void *pages, size_t bytes)
{
	if (pages)
		munmap(pages, bytes);
}

void huge_alloc_fill(void *pages, size_t bytes) { sys_populate_write(pages, bytes); }
