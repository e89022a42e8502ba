/* debug_lines.h - functions and source lines of addresses by an executable's DWARF debug information (-g), read by libdw. */
#ifndef EVL_DEBUG_LINES_H
#define EVL_DEBUG_LINES_H

#include "exe/elf_file.h"

#include <stdatomic.h>

/* Of codes[i]: the function, "go" or "spawn.waiting" (empty: unnamed), and "src/Main.hs:49" (empty: unknown). The texts last
 * for the call. */
typedef void debug_line_fn(void *ctx, size_t i, struct evl_str function, struct evl_str place);

/* Report the functions and places of some addresses, in ascending order. Costs one pass over the functions of the
 * units that they are in. */
void debug_lines(const struct elf_file *f, const uint64_t *codes, size_t n, const atomic_bool *cancel,
	debug_line_fn *tell, void *ctx);

#endif
