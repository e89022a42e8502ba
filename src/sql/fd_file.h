/* fd_file.h - an open file as a file of SQLite: the methods that its VFS gives to SQLite */
#ifndef EVL_FD_FILE_H
#define EVL_FD_FILE_H

#include <sqlite3.h>

struct fd_file {
	sqlite3_file base;
	int fd;
	void (*close)(int fd); /* NULL: the file stays open */
};

/* Open a file without a name for what SQLite sorts (temp_file.c); in the sandbox there are SQL_TEMP_FILES of them. Return
 * the result of xOpen. */
int fd_file_temporary(struct fd_file *f, int flags, int *out_flags);

/* Return the result of a VFS's xOpen for this descriptor; -1: none. *out_flags is set if it is not NULL. */
int fd_file_open(struct fd_file *f, int fd, void (*close)(int fd), int flags, int *out_flags);

#endif
