/* temp_file.c - SQLite's temporary files (what a sort or GROUP BY spills) as unlinked files that were opened before the sandbox. */
#include "sql/sql_private.h"

#include "sys/anon_file.h"

#include <pthread.h>
#include <unistd.h>

struct temp_file {
	sqlite3_file base;
	int fd;
	sqlite3_int64 size;
};

/* Files that were closed are used again, since no others can be opened in the sandbox. */
static struct {
	pthread_mutex_t lock;
	int fds[SQL_TEMP_FILES], n;
} unused = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int take_file(void)
{
	pthread_mutex_lock(&unused.lock);
	int fd = unused.n ? unused.fds[--unused.n] : -1;
	pthread_mutex_unlock(&unused.lock);
	return fd >= 0 ? fd : anon_file_open();
}

static int close_file(sqlite3_file *file)
{
	int fd = ((struct temp_file *)file)->fd;
	pthread_mutex_lock(&unused.lock);
	bool kept = unused.n < SQL_TEMP_FILES && ftruncate(fd, 0) == 0;
	if (kept)
		unused.fds[unused.n++] = fd;
	pthread_mutex_unlock(&unused.lock);
	if (!kept)
		close(fd);
	return SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *out, int n, sqlite3_int64 at)
{
	int64_t got = anon_file_read(((struct temp_file *)file)->fd, (uint64_t)at, out, (size_t)n);
	if (got < 0)
		return SQLITE_IOERR_READ;
	memset((char *)out + got, 0, (size_t)(n - got));
	return got < n ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int write_file(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
	struct temp_file *f = (struct temp_file *)file;
	if (!anon_file_write(f->fd, (uint64_t)at, bytes, (size_t)n))
		return SQLITE_FULL;
	f->size = at + n > f->size ? at + n : f->size;
	return SQLITE_OK;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
	struct temp_file *f = (struct temp_file *)file;
	f->size = size;
	return ftruncate(f->fd, size) ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size)
{
	*size = ((struct temp_file *)file)->size;
	return SQLITE_OK;
}

static int sync_file(UNUSED sqlite3_file *file, UNUSED int flags) { return SQLITE_OK; }
static int lock_file(UNUSED sqlite3_file *file, UNUSED int lock) { return SQLITE_OK; }
static int check_lock(UNUSED sqlite3_file *file, int *out) { return *out = 0, SQLITE_OK; }
static int control(UNUSED sqlite3_file *file, UNUSED int op, UNUSED void *arg) { return SQLITE_NOTFOUND; }
static int sector_size(UNUSED sqlite3_file *file) { return 4096; }
static int traits(UNUSED sqlite3_file *file) { return 0; }

static const sqlite3_io_methods methods = {.iVersion = 1,
	.xClose = close_file,
	.xRead = read_file,
	.xWrite = write_file,
	.xTruncate = truncate_file,
	.xSync = sync_file,
	.xFileSize = size_of_file,
	.xLock = lock_file,
	.xUnlock = lock_file,
	.xCheckReservedLock = check_lock,
	.xFileControl = control,
	.xSectorSize = sector_size,
	.xDeviceCharacteristics = traits};

/* Files without a name only: this connection has no others. */
static int open_file(UNUSED sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	struct temp_file *f = (struct temp_file *)file;
	*f = (struct temp_file){.fd = name ? -1 : take_file()};
	if (f->fd < 0)
		return SQLITE_CANTOPEN;
	f->base.pMethods = &methods;
	if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}

static sqlite3_vfs vfs;

static void register_vfs(void)
{
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
	if (!usual)
		return;
	vfs = *usual;
	vfs.zName = SQL_TEMP_VFS;
	vfs.szOsFile = sizeof(struct temp_file);
	vfs.xOpen = open_file;
	vfs.pNext = NULL;
	sqlite3_vfs_register(&vfs, 0);
}

bool sql_temp_files(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, register_vfs);
	return vfs.zName;
}
