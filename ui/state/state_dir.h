/* state_dir.h - paths and small files of $XDG_STATE_HOME/evtui and the configuration directory. */
#ifndef EVTUI_STATE_DIR_H
#define EVTUI_STATE_DIR_H

#include "base/base.h"

enum { STATE_PATH = 4096 };

/* The path of one of them into out (STATE_PATH bytes); false where there is no home for it. */
bool state_path(char *out, const char *name);

/* Likewise of what the user wrote: $XDG_CONFIG_HOME/evtui, else ~/.config/evtui. */
bool config_path(char *out, const char *name);

/* A whole file of less than `room` bytes, NUL-terminated; its length. -1 with errno: it cannot be had; EFBIG: too
 * large. */
int64_t state_read(const char *path, char *out, size_t room);

/* Put bytes in the place of the file, all or nothing; makes the directories. 0, or -1 with errno. */
int state_write(const char *path, const void *bytes, size_t len);

#endif
