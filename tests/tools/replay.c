/* replay LOG [SPEED [SEED]] - write a log to standard output as the program wrote it: block by block, each when it was
 * flushed. SPEED: times as fast (default 1; 0: at once). SEED: in fragments of odd lengths, as a net may deliver them. */
#include "log/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint32_t seed;

static size_t fragment(size_t len)
{
	if (seed == 0)
		return len;
	seed = seed * 1664525 + 1013904223;
	size_t part = 1 + (seed >> 8) % 4099;
	return part < len ? part : len;
}

static void put(const uint8_t *p, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, p, fragment(len));
		if (n < 0)
			exit(1);
		p += n;
		len -= (size_t)n;
	}
}

static void wait_until(const struct timespec *begin, uint64_t ns)
{
	struct timespec t = *begin;
	t.tv_sec += (time_t)(ns / 1000000000);
	t.tv_nsec += (long)(ns % 1000000000);
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

int main(int argc, char **argv)
{
	struct evl_log *log;
	struct evl_err err;
	struct blocks b;
	struct timespec begin;
	double speed = argc > 2 ? atof(argv[2]) : 1;
	seed = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
	if (argc < 2 || evl_open(&log, argv[1], &err) < 0
		|| blocks_hop(&b, &log->header, log->source.data, log->source.len) < 0)
		return 1;
	put(log->source.data, (size_t)log->header.data_off);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	uint64_t at = log->header.data_off;
	struct block block;
	for (bool more = blocks_first(&b, &block); more; more = blocks_next(&b, &block)) {
		if (speed > 0 && block.head)
			wait_until(&begin, (uint64_t)((double)block.end_t / speed));
		uint64_t end = block.off + block.len;
		put(log->source.data + at, (size_t)(end - at));
		at = end;
	}
	put(log->source.data + at, (size_t)(log->source.len - at));
	blocks_free(&b);
	evl_close(log);
	return 0;
}
