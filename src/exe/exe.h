/* exe.h - names of info tables from the executable that wrote a log: its info table map, its symbols.
 *
 * Only requested names are kept: a query walks over the map and the symbols once and looks for its addresses,
 * so that a million symbols cost no memory. Names are kept for later queries (at most EXE_NAMES, with EXE_TEXTS
 * bytes of text) and never move. All functions but exe_check may be called from several threads. */
#ifndef EVL_EXE_H
#define EVL_EXE_H

#include "exe/elf_file.h"
#include "exe/ipedb.h"
#include "program/ipe.h"

#include <stdatomic.h>

enum { EXE_NAMES = 1 << 18, EXE_TEXTS = 32 << 20 };

enum exe_how {
	EXE_UNKNOWN,
	EXE_MAP,    /* an entry of the info table map, the same as in the log */
	EXE_SYMBOL, /* a symbol at the address */
	EXE_DEBUG,  /* the function at the address by debug information (-g) */
	EXE_NEAR    /* the nearest symbol: GHC puts the code of local closures before that of their function */
};

struct exe_name {
	struct ipe_entry entry; /* of symbols: label and module; "in go15 -456" if not exact */
	struct evl_str full;    /* label, or table; of symbols "Main.go15", "in Main.go15 -456"; of debug
	                           * information "Main.spawn.waiting in Main.spawn -2064" */
	enum exe_how how;
	int64_t offset; /* from the symbol, of EXE_NEAR */
};

/* The log's knowledge of its program's addresses. */
struct exe_evidence {
	const uint64_t *ids; /* of info tables */
	size_t n;
	struct evl_str ghc;        /* "9.10.3"; empty: unknown */
	bool profiled;             /* info tables have 16 bytes more */
	const atomic_bool *cancel; /* may be NULL */
};

struct exe;

/* Open an executable. Return 0, or an error with err filled and *exe NULL. */
int exe_open(struct exe **exe, const char *path, struct evl_err *err) EVL_MUST_USE;
/* The same for an open source, which the executable takes over even on failure. Its bytes must be writable. */
int exe_from(struct exe **exe, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Read names from a file of ipedb: alone, so that they cannot be checked; or in addition to those of an executable, whose map takes
 * precedence. */
int exe_from_ipedb(struct exe **exe, const char *path, struct evl_err *err) EVL_MUST_USE;
int exe_add_ipedb(struct exe *exe, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Close the executable and those that it replaced (exe_after). NULL is allowed. */
void exe_close(struct exe *exe);

/* Make exe the replacement of another executable (NULL: none), which it owns from now on: names may still be in use. */
void exe_after(struct exe *exe, struct exe *former);
const char *exe_path(const struct exe *exe);

/* Sources of names in a file. */
struct exe_abilities {
	bool map, symbols, debug; /* an info table map; symbols; DWARF debug information */
	bool moves;               /* position-independent */
};
struct exe_abilities exe_abilities(const struct exe *exe);

/* Check that exe is the program that wrote the log; call before asking for names. Return NULL if it is, else the reason why not,
 * or why that is unknown: a text to print after the path, which belongs to exe. */
const char *exe_check(struct exe *exe, const struct exe_evidence *evidence) EVL_MUST_USE;

/* Look up the names of n addresses of info tables. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int exe_resolve(struct exe *exe, const uint64_t *ids, size_t n, const atomic_bool *cancel) EVL_MUST_USE;

/* Return the name of an address that exe_resolve looked up, or NULL if it has none. */
const struct exe_name *exe_find(struct exe *exe, uint64_t id);

/* Call take for each entry of the map, in the form of a log's; it returns false to stop. The texts are valid during that call
 * only. Return 0, or EVL_CANCELLED if stopped. */
int exe_each(struct exe *exe, bool (*take)(void *ctx, const struct ipe_entry *entry), void *ctx) EVL_MUST_USE;

#endif
