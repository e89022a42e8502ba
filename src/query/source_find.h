/* source_find.h - find the source file that a log names: in a given directory, here, where the program and the log are. */
#ifndef EVL_SOURCE_FIND_H
#define EVL_SOURCE_FIND_H

#include "base/base.h"

enum { SOURCE_PATH = 4096 };

struct source_places {
	const char *dir;       /* --src; there the file is also found under the end of its path. NULL: none */
	const char *exe, *log; /* files: their directories and those above. NULL: none */
};

/* Find a regular file and write its absolute name to out[SOURCE_PATH]. Return false if it is in none of the places. */
bool source_find(struct evl_str path, const struct source_places *places, char *out);

#endif
