/* musl_heap.c - malloc for a program with musl's C library, whose own returns tables to the system when they are freed: a
 * walk, whose tables grow by doubling, would get the same pages again and again, a fifth of its processor time.
 *
 * A small block is of one of four sizes between two powers of two, and when it is freed, kept for the next one of its
 * size. A large one is the system's. A check before each block notices a second free(), one of no block, and a write
 * beyond the end of the block before. */
#include "base/base.h" /* before the question: a C library's header says whose it is */

#if (defined STATIC_PROGRAM && !defined __GLIBC__ && defined __linux__) || defined HEAP_TEST
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>

struct block {
	size_t size; /* of what follows */
	uint64_t check;
};

enum {
	UNIT = 16, /* sizes are multiples; a block is aligned to it */
	SMALL = 128 << 10,
	CLASSES = 49,
	PIECE = 1 << 20, /* what small blocks are cut from */
	PAGE = 4096
};
_Static_assert(sizeof(struct block) == UNIT, "what follows is aligned");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *freed[CLASSES]; /* linked by the first word of what follows */
static char *piece;
static size_t left; /* of the piece */
static uint64_t secret;

/* Round up a size, which is at most SMALL. Its class is between 1 and CLASSES - 1. */
static size_t class_of(size_t *size)
{
	unsigned bits = 63 - (unsigned)__builtin_clzll((*size - (*size > 0)) | (8 * UNIT - 1)), shift = bits - 2;
	size_t steps = max_u64((*size + ((size_t)1 << shift) - 1) >> shift, 1);
	*size = steps << shift;
	return (bits - 6) * (size_t)4 + steps;
}

static uint64_t check_of(const struct block *b)
{
	return ((uintptr_t)b ^ b->size << 40 ^ b->size) * 0x9e3779b97f4a7c15ull ^ secret;
}

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* The block before what malloc() returned. */
static struct block *block_at(void *p)
{
	struct block *b = (struct block *)p - 1;
	if ((uintptr_t)p % UNIT || b->check != check_of(b))
		abort();
	return b;
}

static size_t whole(size_t large) { return (large + sizeof(struct block) + PAGE - 1) & -(size_t)PAGE; }

static void *give(struct block *b, size_t size)
{
	b->size = size;
	b->check = check_of(b);
	return b + 1;
}

/* Its bytes are 0 if they never were another block's. */
static void *small_block(size_t size, bool *used)
{
	struct block *b = NULL;
	size_t class = class_of(&size);
	pthread_mutex_lock(&lock);
	*used = freed[class];
	if (*used) {
		b = freed[class];
		if (b->check != ~check_of(b))
			abort();
		freed[class] = *(struct block **)(b + 1);
	} else {
		if (left < size + sizeof *b) {
			char *next = map(PIECE);
			piece = next ? next : piece;
			left = next ? PIECE : left;
		}
		if (left >= size + sizeof *b) {
			b = (struct block *)(void *)piece;
			piece += size + sizeof *b;
			left -= size + sizeof *b;
		}
	}
	void *p = b ? give(b, size) : NULL;
	pthread_mutex_unlock(&lock);
	return p;
}

static void *new_block(size_t size, bool *used)
{
	void *p = NULL;
	*used = false;
	if (!secret) /* the first call: there are no threads yet */
		memcpy(&secret, (const void *)getauxval(AT_RANDOM), sizeof secret);
	if (size <= SMALL)
		p = small_block(size, used);
	else if (size <= PTRDIFF_MAX - PIECE && (p = map(whole(size))))
		p = give(p, whole(size) - sizeof(struct block));
	if (!p)
		errno = ENOMEM;
	return p;
}

void *malloc(size_t size)
{
	bool used;
	return new_block(size, &used);
}

void *calloc(size_t n, size_t size)
{
	bool used;
	size_t bytes = n * size;
	void *p = size && n > SIZE_MAX / size ? NULL : new_block(bytes, &used);
	if (!p)
		errno = ENOMEM;
	else if (used)
		memset(p, 0, bytes);
	return p;
}

void free(void *p)
{
	if (!p)
		return;
	struct block *b = block_at(p);
	if (b->size > SMALL) {
		int error = errno;
		munmap(b, b->size + sizeof *b);
		errno = error;
		return;
	}
	size_t size = b->size, class = class_of(&size);
	pthread_mutex_lock(&lock);
	b->check = ~b->check;
	*(struct block **)p = freed[class];
	freed[class] = b;
	pthread_mutex_unlock(&lock);
}

void *realloc(void *p, size_t size)
{
	if (!p)
		return malloc(size);
	struct block *b = block_at(p);
	if (b->size > SMALL && size > SMALL && size <= PTRDIFF_MAX - PIECE) {
		b = mremap(b, b->size + sizeof *b, whole(size), MREMAP_MAYMOVE);
		return b == MAP_FAILED ? NULL : give(b, whole(size) - sizeof *b);
	}
	if (size <= b->size && b->size <= SMALL)
		return p;
	void *next = malloc(size);
	if (next) {
		memcpy(next, p, min_u64(size, b->size));
		free(p);
	}
	return next;
}

static void hold(void) { pthread_mutex_lock(&lock); }
static void release(void) { pthread_mutex_unlock(&lock); }

/* A child of fork() may allocate before it runs its program. */
__attribute__((constructor)) static void prepare(void) { pthread_atfork(hold, release, release); }

/* A larger alignment is refused: only libelf asks for it, when it writes files. */
void *aligned_alloc(size_t align, size_t size) { return align <= UNIT ? malloc(size) : NULL; }
#else
typedef int musl_heap_is_not_used;
#endif
