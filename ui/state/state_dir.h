/* state_dir.h - paths, reading and writing of small files in $XDG_STATE_HOME/evtui and the configuration directory */
#ifndef EVTUI_STATE_DIR_H
#define EVTUI_STATE_DIR_H

#include "base/base.h"

enum { STATE_PATH = 4096 };

/* Return the part of a path after its last slash. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Write the path of a state file to out (STATE_PATH bytes). Return false if no directory for it is known. */
bool state_path(char *out, const char *name);

/* Do the same for a configuration file: $XDG_CONFIG_HOME/evtui, else ~/.config/evtui. */
bool config_path(char *out, const char *name);

/* Read a whole file of less than `room` bytes, and NUL-terminate it. Return its length, or -1 with errno set (EFBIG:
 * too large). */
int64_t state_read(const char *path, char *out, size_t room);

/* Replace the contents of a file atomically, creating directories as needed. Return 0, or -1 with errno set. */
int state_write(const char *path, const void *bytes, size_t len);

#endif
