/* A compressed file: what comes out is a file that can be read, or there is a word why not. */
#include "fuzz.h"

#include "bytes/decompress.h"

#include <sys/mman.h>
#include <unistd.h>

/* Told once a MiB: a bomb is stopped. */
static bool tell(void *ctx, uint64_t done, uint64_t total)
{
	enum { MOST = 3 };
	check(done <= total);
	return ++*(int *)ctx < MOST;
}

static bool open_bytes(struct source *src, const uint8_t *data, size_t len)
{
	struct evl_err err;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	check(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	int result = source_from_fd(src, fd, "fuzz", &err);
	close(fd);
	return result == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct source src;
	struct evl_err err = {0};
	int announced = 0;
	volatile uint8_t sum = 0;
	setenv("TMPDIR", "/dev/shm", 0);
	if (!open_bytes(&src, data, len))
		return 0;
	int result = unpack(&src, "fuzz", &(struct decompress_watch){.tell = tell, .ctx = &announced}, &err);
	check(result == 0 || (err.code == result && err.text[0]));
	for (uint64_t i = 0; result == 0 && i < src.len; i += 1000)
		sum = (uint8_t)(sum + src.data[i]);
	if (result == 0)
		source_close(&src);
	return 0;
}
