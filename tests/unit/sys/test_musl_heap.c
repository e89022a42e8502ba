/* The heap of the program with musl's C library, under other names: blocks against copies of what they should hold. */
#include "base/base.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define malloc        heap_malloc
#define calloc        heap_calloc
#define realloc       heap_realloc
#define free          heap_free
#define aligned_alloc heap_aligned_alloc
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
void *aligned_alloc(size_t align, size_t size);
#define HEAP_TEST
#include "sys/musl_heap.c"
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef aligned_alloc

enum { SLOTS = 300, STEPS = 10000 };

struct slot {
	uint8_t *p;
	size_t size;
	uint8_t fill;
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static void check_filled(const uint8_t *p, size_t from, size_t to, uint8_t fill)
{
	for (size_t i = from; i < to; i++)
		if (p[i] != fill)
			fail_msg("byte %zu is %u, not %u", i, p[i], fill);
}

/* Sizes of all magnitudes to 1 MiB, most of them small. */
static size_t any_size(uint64_t *state) { return next_random(state) & (((uint64_t)1 << next_random(state) % 20) - 1); }

/* Blocks are given, changed and freed at random. Each keeps its bytes, so no two overlap. */
static void *storm(void *seed)
{
	static _Thread_local struct slot slots[SLOTS];
	uint64_t state = (uintptr_t)seed;
	for (int i = 0; i < STEPS; i++) {
		struct slot *s = &slots[next_random(&state) % SLOTS];
		size_t size = any_size(&state), kept = s->p ? min_u64(size, s->size) : 0;
		bool zeroed = !s->p && next_random(&state) % 2;
		if (s->p)
			check_filled(s->p, 0, s->size, s->fill);
		if (s->p && next_random(&state) % 2) {
			heap_free(s->p);
			*s = (struct slot){0};
			continue;
		}
		s->p = zeroed ? heap_calloc(size, 1) : heap_realloc(s->p, size);
		if (!s->p || (uintptr_t)s->p % 16)
			fail_msg("%zu bytes at %p", size, (void *)s->p);
		check_filled(s->p, 0, zeroed ? size : kept, zeroed ? 0 : s->fill);
		s->size = size;
		s->fill = (uint8_t)next_random(&state);
		memset(s->p, s->fill, size);
	}
	for (int i = 0; i < SLOTS; i++)
		heap_free(slots[i].p);
	return NULL;
}

static void keeps_bytes(UNUSED void **state)
{
	pthread_t threads[2];
	heap_free(heap_malloc(1)); /* before there are threads, as in a program */
	for (size_t i = 0; i < countof(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, storm, (void *)(uintptr_t)(i + 1)), 0);
	for (size_t i = 0; i < countof(threads); i++)
		pthread_join(threads[i], NULL);
}

/* Each size is in the smallest class that holds it, and wastes at most a quarter or 15 bytes. */
static void classes_fit(UNUSED void **state)
{
	size_t last = 0;
	for (size_t size = 0; size <= SMALL; size++) {
		size_t room = size, class = class_of(&room), again = room;
		assert_true(class >= max_u64(last, 1) && class <= last + 1 && class < CLASSES);
		assert_true(room >= size && room % UNIT == 0 && room - size <= max_u64(UNIT, size / 4));
		assert_int_equal(class_of(&again), class);
		assert_int_equal(again, room);
		last = class;
	}
	assert_int_equal(last, CLASSES - 1);
}

static void refuses_too_much(UNUSED void **state)
{
	void *p = heap_malloc(SMALL + 1);
	errno = 0;
	assert_null(heap_malloc(SIZE_MAX));
	assert_int_equal(errno, ENOMEM);
	assert_null(heap_calloc(SIZE_MAX / 2, 3));
	assert_null(heap_realloc(p, SIZE_MAX - 4));
	heap_free(p);
}

static void free_twice(uint8_t *p, UNUSED size_t size)
{
	heap_free(p);
	heap_free(p);
}
static void free_inside(uint8_t *p, UNUSED size_t size) { heap_free(p + 16); }
static void write_beyond(uint8_t *p, size_t size)
{
	uint8_t *next = heap_malloc(size);
	for (volatile uint8_t *at = p + size; at < next; at++)
		*at = 1;
	heap_free(next);
}

static void notices_misuse(UNUSED void **state)
{
	static void (*const misuses[])(uint8_t * p, size_t size) = {free_twice, free_inside, write_beyond};
	for (size_t i = 0; i < countof(misuses); i++) {
		pid_t pid = fork();
		if (pid == 0) {
			size_t size = 100 << 10;
			while (left < 2 * (SMALL + sizeof(struct block)))
				heap_malloc(SMALL);
			freed[class_of(&size)] = NULL; /* so that the next blocks are side by side */
			misuses[i](heap_malloc(size), size);
			_exit(0);
		}
		int status = 0;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
			fail_msg("misuse %zu is not noticed", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_fit),
		cmocka_unit_test(keeps_bytes),
		cmocka_unit_test(refuses_too_much),
		cmocka_unit_test(notices_misuse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
