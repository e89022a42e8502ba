/* anon_file.h - unlinked temporary file, for data that cannot be mapped directly: streams, decompressed logs
 *
 * No other process can open it, and it disappears when the process ends for any reason. */
#ifndef EVL_ANON_FILE_H
#define EVL_ANON_FILE_H

#include "base/base.h"

/* Return the folder of such files: $TMPDIR, else /tmp. */
const char *anon_file_dir(void);

/* Open n files in advance, for a process that cannot open files later. Files that cannot be opened now are not
 * reported; anon_file_open will fail instead. */
void anon_file_reserve(int n);

/* Open a new file for reading and writing. Return its descriptor, or -1 with errno set. */
int anon_file_open(void);

/* Write all bytes at an offset. Return false with errno set on failure. */
bool anon_file_write(int fd, uint64_t at, const void *bytes, size_t len) EVL_MUST_USE;

/* Read up to `room` bytes at an offset. Return the number of bytes read, or a negative value with errno set. */
int64_t anon_file_read(int fd, uint64_t at, void *bytes, size_t room) EVL_MUST_USE;

/* Return true if the file's disk is almost full: less than 64 MiB and less than 2 % of it are free. */
bool anon_file_disk_full(int fd);

/* Free the disk space of the file before this offset, if the file system can. Those bytes then read as zeros. */
void anon_file_drop(int fd, uint64_t before);

#endif
