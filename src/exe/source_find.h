/* source_find.h - find the source file that a log names: in a given directory, in the current one, or near the program
 * and the log. */
#ifndef EVL_SOURCE_FIND_H
#define EVL_SOURCE_FIND_H

#include "base/base.h"

enum { SOURCE_PATH = 4096 };

struct source_places {
	/* directory of --src, may be NULL. If DIR/a/b/c.hs does not exist, DIR/b/c.hs and DIR/c.hs are tried. */
	const char *dir;
	const char *exe, *log; /* files: their directories and all parents are searched; may be NULL */
};

/* Find a regular file and write its absolute path to out[SOURCE_PATH]. Return false if none of the places has it. */
bool source_find(struct evl_str path, const struct source_places *places, char *out);

#endif
