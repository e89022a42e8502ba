/* debug_lines.h - find the functions and source lines of addresses in an executable's DWARF debug information (-g), by
 * libdw. */
#ifndef EVL_DEBUG_LINES_H
#define EVL_DEBUG_LINES_H

#include "exe/elf_file.h"

/* Receive the function that contains codes[i], such as "go" or "spawn.waiting" (empty: unnamed), and its place, such as
 * "src/Main.hs:49" (empty: unknown). The texts are valid only during the call. */
typedef void debug_line_fn(void *ctx, size_t i, struct evl_str function, struct evl_str place);

/* Call tell for each of n addresses, given in ascending order, that lies in a function. The cost is one pass over the
 * functions of the compilation units that contain them. Stop early once *cancel is true; cancel may be NULL. */
void debug_lines(const struct elf_file *f, const uint64_t *codes, size_t n, const atomic_bool *cancel,
	debug_line_fn *tell, void *ctx);

#endif
