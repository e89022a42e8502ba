#include "bytes/source.h"

#include "sys/retry.h"
#include "sys/system.h"
#include "sys/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The maps that the SIGBUS handler may repair. A signal handler takes no context argument, so this table is the one
 * mutable global of the library; entries are claimed and freed atomically, never shared. */
enum { MAX_MAPS = 64 };
static struct guarded {
	atomic_uintptr_t begin; /* 0: free */
	atomic_uintptr_t end;
	atomic_bool vanished;
} maps[MAX_MAPS];
static struct sigaction former;

/* Put a page of zeros where the file has none any more; the faulting load is then repeated and succeeds. */
static bool mend(uintptr_t at)
{
	uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE), page = at & ~(page_size - 1);
	for (size_t i = 0; i < MAX_MAPS; i++) {
		uintptr_t begin = atomic_load(&maps[i].begin);
		if (begin == 0 || at < begin || at >= atomic_load(&maps[i].end))
			continue;
		atomic_store(&maps[i].vanished, true);
		return sys_zeros_at((void *)page, page_size);
	}
	return false;
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	int keep = errno;
	bool mended = mend((uintptr_t)info->si_addr);
	errno = keep;
	if (mended)
		return;
	if (former.sa_flags & SA_SIGINFO && former.sa_sigaction) {
		former.sa_sigaction(sig, info, context);
	} else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
		former.sa_handler(sig);
	} else { /* the fault repeats and takes its default course */
		signal(sig, SIG_DFL);
	}
}

static void install(void)
{
	struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &former);
}

static int guard(const uint8_t *data, uint64_t len)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, install);
	uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)data, end = (begin + len + page_size - 1) & ~(page_size - 1);
	for (int i = 0; i < MAX_MAPS; i++) {
		uintptr_t none = 0;
		if (atomic_compare_exchange_strong(&maps[i].begin, &none, begin)) {
			atomic_store(&maps[i].vanished, false);
			atomic_store(&maps[i].end, end);
			return i;
		}
	}
	return -1;
}

bool source_data_end(int fd, uint64_t *end)
{
	enum { PAGE = 4096, BLOCK = 512 };
	struct stat st;
	if (fstat(fd, &st))
		return false;
	uint64_t low = 0, high = (uint64_t)st.st_size;
	*end = high;
	if ((uint64_t)st.st_blocks * BLOCK >= high || sys_has_data(fd, (high - 1) / PAGE * PAGE))
		return true;
	while (high - low > PAGE) { /* data before high, none after it */
		uint64_t middle = low + (high - low) / 2;
		*(sys_has_data(fd, middle) ? &low : &high) = middle;
	}
	*end = min_u64(*end, (high + PAGE - 1) / PAGE * PAGE);
	return true;
}

static int64_t ns_of(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

struct source_id source_id_of(const struct stat *st)
{
	return (struct source_id){.dev = st->st_dev,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime = ns_of(st->st_mtim),
		.ctime = ns_of(st->st_ctim)};
}

bool source_id_same(const struct source_id *a, const struct source_id *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mtime == b->mtime
		&& a->ctime == b->ctime;
}

int source_from_fd(struct source *src, int fd, const char *path, struct evl_err *err)
{
	struct stat st;
	if (fstat(fd, &st))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: is a directory", path);
	if (!S_ISREG(st.st_mode))
		return evl_fail(
			err, EVL_IO, EVL_NO_OFFSET, "%s: is not a regular file; save the log to one first", path);
	if (st.st_size == 0)
		return evl_fail(err, EVL_EMPTY, EVL_NO_OFFSET, "%s: empty", path);
	uint64_t len = (uint64_t)st.st_size;
	if (!source_data_end(fd, &len))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: %s", path, strerror(errno));
	len = max_u64(len, 1);
	void *map = mmap(NULL, (size_t)len, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: cannot be mapped: %s", path, strerror(errno));
	*src = (struct source){.data = map, .len = len, .mapped = true, .slot = -1, .id = source_id_of(&st)};
	src->hole = sub_or_0((uint64_t)st.st_size, len);
	src->slot = guard(src->data, src->len);
	return 0;
}

/* Write the head over the bytes before it in a private copy of those pages: the file is not changed. */
int source_from_part(struct source *src, int fd, struct evl_str head, uint64_t from, uint64_t to, struct evl_err *err)
{
	uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE), begin = (from - head.len) & ~(page_size - 1);
	uint32_t skip = (uint32_t)(from - head.len - begin);
	if (to == begin) {
		source_from_memory(src, "", 0);
		return 0;
	}
	uint8_t *map = sys_map_private(fd, begin, (size_t)(to - begin));
	if (map == MAP_FAILED)
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "cannot be mapped: %s", strerror(errno));
	if (head.len)
		memcpy(map + skip, head.p, head.len);
	mprotect(map, (size_t)(to - begin), PROT_READ);
	*src = (struct source){.data = map + skip, .len = to - begin - skip, .mapped = true, .skip = skip, .slot = -1};
	src->slot = guard(map, src->len + skip);
	return 0;
}

int source_open(struct source *src, const char *path, struct evl_err *err)
{
	int fd = open_again(
		path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0); /* opening a pipe without a writer would block */
	if (fd < 0)
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: %s", path, strerror(errno));
	int result = source_from_fd(src, fd, path, err);
	close(fd);
	return result;
}

void source_from_memory(struct source *src, const void *data, size_t len)
{
	*src = (struct source){.data = data, .len = len, .slot = -1};
}

/* The pages of a map, of which workers take some at a time. */
struct unmapping {
	uint8_t *begin;
	uint64_t len;
	_Atomic uint64_t taken;
};

enum { RELEASED_AT_ONCE = 32 << 20 };

static void *release_pages(void *arg)
{
	struct unmapping *u = arg;
	for (uint64_t at; (at = atomic_fetch_add(&u->taken, RELEASED_AT_ONCE)) < u->len;)
		sys_release(u->begin + at, (size_t)min_u64(RELEASED_AT_ONCE, u->len - at));
	return NULL;
}

void source_release(const struct source *src, int workers)
{
	struct unmapping u = {(uint8_t *)(uintptr_t)(src->data - src->skip), src->len + src->skip, 0};
	uint64_t most = u.len / RELEASED_AT_ONCE;
	if (src->mapped && most > 1 && workers_for(workers) > 1)
		workers_share((int)min_u64(most, (uint64_t)workers_for(workers)), release_pages, &u);
}

void source_close(struct source *src)
{
	if (src->slot >= 0) {
		atomic_store(&maps[src->slot].end, 0);
		atomic_store(&maps[src->slot].begin, 0);
	}
	if (src->mapped)
		munmap((void *)(uintptr_t)(src->data - src->skip), (size_t)(src->len + src->skip));
	*src = (struct source){.slot = -1};
}

bool source_vanished(const struct source *src) { return src->slot >= 0 && atomic_load(&maps[src->slot].vanished); }

/* The whole pages that [off, off + len) lies in, as far as the file goes. False: none, or it is no map. */
static bool pages_of(const struct source *src, uint64_t off, uint64_t len, void **begin, size_t *size)
{
	if (!src->mapped || off >= src->len || len == 0)
		return false;
	uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)(src->data + off) & ~(page_size - 1);
	uintptr_t to = (uintptr_t)(src->data + off + min_u64(len, src->len - off));
	*begin = (void *)from;
	*size = to - from;
	return true;
}

void source_advise(const struct source *src, uint64_t off, uint64_t len, enum source_use use)
{
	void *begin;
	size_t size;
	if (pages_of(src, off, len, &begin, &size))
		posix_madvise(begin, size, use == SOURCE_RANDOM ? POSIX_MADV_RANDOM : POSIX_MADV_NORMAL);
}

void source_populate(const struct source *src, uint64_t off, uint64_t len)
{
	void *begin;
	size_t size;
	if (!pages_of(src, off, len, &begin, &size))
		return;
	if (sys_populate(begin, size) && sys_resident(begin, size)) /* an emulator may do nothing and call it done */
		return;
	for (size_t at = 0; at < size; at += (size_t)sysconf(_SC_PAGESIZE))
		(void)*((volatile const uint8_t *)begin + at);
}

bool source_resident(const struct source *src, uint64_t off, uint64_t len)
{
	void *begin;
	size_t size;
	return !pages_of(src, off, len, &begin, &size) || sys_resident(begin, size);
}
