/* fuzz.h - what all fuzz targets begin with. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define check(...) ((__VA_ARGS__) ? (void)0 : fuzz_found(__FILE__, __LINE__))
static inline _Noreturn void fuzz_found(const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold\n", file, line);
	abort();
}

/* Numbers that follow from the input, so that a finding can be repeated: questions for what the input made. */
static inline uint64_t fuzz_seed(const uint8_t *data, size_t len)
{
	uint64_t sum = 0xcbf29ce484222325;
	for (size_t i = 0; i < len; i++)
		sum = (sum ^ data[i]) * 0x100000001b3;
	return sum;
}

static inline uint64_t fuzz_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 16;
}

#endif
