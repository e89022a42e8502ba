/* source_loc.h - parse source locations as GHC writes them: "src/Main.hs:88:13-41", "src/Main.hs:(88,13)-(90,2)",
 * "src/Main.hs:88". */
#ifndef EVL_SOURCE_LOC_H
#define EVL_SOURCE_LOC_H

#include "base/base.h"

struct source_loc {
	struct evl_str file; /* borrowed from the text */
	uint32_t line, col;  /* from 1; 0: unknown */
};

/* Parse a source location. Return false if it names no file, such as "<built-in>" and "". */
bool source_loc_parse(struct evl_str text, struct source_loc *out);

#endif
