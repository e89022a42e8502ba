#include "sql/fd_file.h"

#include "sys/anon_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static int fd_of(sqlite3_file *f) { return ((struct fd_file *)f)->fd; }

static int close_file(sqlite3_file *f)
{
	if (((struct fd_file *)f)->close)
		((struct fd_file *)f)->close(fd_of(f));
	return SQLITE_OK;
}

static int read_file(sqlite3_file *f, void *out, int n, sqlite3_int64 at)
{
	int64_t got = anon_file_read(fd_of(f), (uint64_t)at, out, (size_t)n);
	if (got < 0)
		return SQLITE_IOERR_READ;
	memset((char *)out + got, 0, (size_t)(n - got));
	return got < n ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int write_file(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
	if (anon_file_write(fd_of(f), (uint64_t)at, bytes, (size_t)n))
		return SQLITE_OK;
	return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int truncate_file(sqlite3_file *f, sqlite3_int64 size)
{
	return ftruncate(fd_of(f), size) ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int size_of_file(sqlite3_file *f, sqlite3_int64 *size)
{
	struct stat st;
	if (fstat(fd_of(f), &st))
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

static int sync_file(UNUSED sqlite3_file *f, UNUSED int flags) { return SQLITE_OK; }
static int lock_file(UNUSED sqlite3_file *f, UNUSED int lock) { return SQLITE_OK; }
static int check_lock(UNUSED sqlite3_file *f, int *out) { return *out = 0, SQLITE_OK; }
static int control(UNUSED sqlite3_file *f, UNUSED int op, UNUSED void *arg) { return SQLITE_NOTFOUND; }
static int sector_size(UNUSED sqlite3_file *f) { return 4096; }
static int traits(UNUSED sqlite3_file *f) { return 0; }

int fd_file_open(struct fd_file *f, int fd, void (*close)(int fd), int flags, int *out_flags)
{
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
	*f = (struct fd_file){.fd = fd, .close = close};
	if (fd < 0)
		return SQLITE_CANTOPEN;
	f->base.pMethods = &methods;
	if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}
