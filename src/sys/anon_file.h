/* anon_file.h - unlinked temporary file for data that cannot be mapped where it is: streams, decompressed logs.
 *
 * No other process can open it, and it disappears with the process however that ends. */
#ifndef EVL_ANON_FILE_H
#define EVL_ANON_FILE_H

#include "base/base.h"

/* Where such files lie: $TMPDIR, else /tmp. */
const char *anon_file_dir(void);

/* Open n of them now, for a process that cannot do so later. Those that cannot be had are missed later. */
void anon_file_reserve(int n);

/* A new one, open for reading and writing. -1 with errno. */
int anon_file_open(void);

/* Write all of the bytes at an offset. False with errno. */
bool anon_file_write(int fd, uint64_t at, const void *bytes, size_t len) EVL_MUST_USE;

/* Read up to room bytes at an offset, as many as there are. Less than 0 with errno. */
int64_t anon_file_read(int fd, uint64_t at, void *bytes, size_t room) EVL_MUST_USE;

/* Is there less room on the file's disk than others may need: 64 MiB, or a fiftieth of it? */
bool anon_file_disk_full(int fd);

/* Release the disk space before this offset, if the file system can; the bytes then read as zeros. */
void anon_file_drop(int fd, uint64_t before);

#endif
