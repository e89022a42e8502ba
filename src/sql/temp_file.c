/* temp_file.c - SQLite's temporary files (what a sort or GROUP BY spills) as unlinked files that were opened before the sandbox. */
#include "sql/sql_private.h"

#include "sql/fd_file.h"
#include "sys/anon_file.h"

#include <pthread.h>
#include <unistd.h>

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

static void give_back(int fd)
{
	pthread_mutex_lock(&unused.lock);
	bool kept = unused.n < SQL_TEMP_FILES && ftruncate(fd, 0) == 0;
	if (kept)
		unused.fds[unused.n++] = fd;
	pthread_mutex_unlock(&unused.lock);
	if (!kept)
		close(fd);
}

int fd_file_temporary(struct fd_file *f, int flags, int *out_flags)
{
	return fd_file_open(f, take_file(), give_back, flags, out_flags);
}

/* Files without a name only: this connection has no others. */
static int open_file(UNUSED sqlite3_vfs *v, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	struct fd_file *f = (struct fd_file *)file;
	return name ? fd_file_open(f, -1, NULL, flags, out_flags) : fd_file_temporary(f, flags, out_flags);
}

static sqlite3_vfs vfs;

static void register_vfs(void)
{
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
	if (!usual)
		return;
	vfs = *usual;
	vfs.zName = SQL_TEMP_VFS;
	vfs.szOsFile = sizeof(struct fd_file);
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
