/* pour LOG MB SECONDS - an endless program: the blocks of LOG again and again, each time later, MB megabytes per
 * second for SECONDS seconds, to standard output. The same threads come and go, so what a viewer must remember does
 * not grow. */
#include "index/blocks.h"
#include "log/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void put(const uint8_t *p, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, p, len);
		if (n < 0)
			exit(0); /* no reader is left */
		p += n;
		len -= (size_t)n;
	}
}

static void put_be64(uint8_t *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof v);
}

/* Move all times of the events in the bytes by `shift`; return the latest. A block that ends after the bytes ends
 * with them. */
static uint64_t move(const struct header *h, uint8_t *bytes, size_t len, uint64_t by)
{
	enum { TIME_AT = 2, SIZE_AT = 10, END_AT = 14 };
	struct frame f;
	uint64_t latest = 0;
	for (uint64_t off = 0; off < len && frame_read(h, bytes, off, len, &f) == FRAME_OK; off = f.next) {
		put_be64(bytes + off + TIME_AT, f.t + by);
		if (f.tag == EVL_BLOCK_MARKER) {
			uint32_t size = __builtin_bswap32((uint32_t)min_u64(be32(bytes + off + SIZE_AT), len - off));
			memcpy(bytes + off + SIZE_AT, &size, sizeof size);
			put_be64(bytes + off + END_AT, be64(bytes + off + END_AT) + by);
		}
		latest = max_u64(latest, f.t);
	}
	return latest;
}

int main(int argc, char **argv)
{
	enum { AT_ONCE = 16 << 10, DATA_END = 2 };
	struct evl_log *log;
	struct evl_err err;
	if (argc < 4 || evl_open(&log, argv[1], &err) < 0)
		return 1;
	double rate = atof(argv[2]) * 1e6, until = seconds() + atof(argv[3]), began = seconds(), done = 0;
	const struct header *h = &log->header;
	size_t len = (size_t)(log->source.len - h->data_off - DATA_END);
	uint8_t *bytes = malloc(len);
	if (!bytes)
		return 1;
	memcpy(bytes, log->source.data + h->data_off, len);
	put(log->source.data, (size_t)h->data_off);
	uint64_t span = move(h, bytes, len, 0);
	for (; seconds() < until; move(h, bytes, len, span))
		for (size_t at = 0; at < len && seconds() < until; at += AT_ONCE) {
			size_t part = min_u64(AT_ONCE, len - at);
			put(bytes + at, part);
			done += (double)part;
			double early = began + done / rate - seconds();
			if (early > 0)
				usleep((useconds_t)(early * 1e6));
		}
	free(bytes);
	evl_close(log);
	return 0;
}
