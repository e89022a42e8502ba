/* exe.h - names of info tables, taken from the executable that wrote a log: from its info table map and its symbols.
 *
 * Only requested names are kept. A request scans the map and the symbols once for its addresses, so a million symbols
 * cost no memory. Names found are kept for later requests (at most EXE_NAMES, with EXE_TEXTS bytes of text in total)
 * and never move. All functions except exe_check may be called from several threads at once. */
#ifndef EVL_EXE_H
#define EVL_EXE_H

#include "exe/elf_file.h"
#include "exe/ipedb.h"
#include "program/ipe.h"

enum { EXE_NAMES = 1 << 18, EXE_TEXTS = 32 << 20 };

/* The way in which a name was found. */
enum exe_how {
	EXE_UNKNOWN,
	EXE_MAP,    /* an entry of the executable's info table map (-finfo-table-map) */
	EXE_SYMBOL, /* a symbol at exactly this address */
	EXE_DEBUG,  /* the function that contains the address, from debug information (-g) */
	EXE_NEAR    /* the nearest symbol: GHC puts the code of local closures before that of their function */
};

struct exe_name {
	/* EXE_MAP: all texts; EXE_SYMBOL and EXE_NEAR: only label and module. With EXE_NEAR the label is such as "in
	 * go15 -456": 456 bytes before the symbol. */
	struct ipe_entry entry;
	/* The name to display. EXE_MAP: the label or, if it is empty, the name of the table. EXE_SYMBOL: "Main.go15";
	 * EXE_NEAR: "in Main.go15 -456"; EXE_DEBUG: "Main.spawn.waiting in Main.spawn -2064". */
	struct evl_str full;
	enum exe_how how;
	int64_t offset; /* EXE_NEAR: bytes from the symbol to the address */
};

/* Facts about the program that the log contains, by which an executable is recognised. */
struct exe_evidence {
	const uint64_t *ids; /* addresses of info tables */
	size_t n;
	struct evl_str ghc;        /* "9.10.3"; empty: unknown */
	struct evl_str build_id;   /* build-id that the program must have, as bytes; empty: unknown */
	bool profiled;             /* built for profiling: info tables are 16 bytes longer */
	const atomic_bool *cancel; /* may be NULL */
};

struct exe;

/* Open an executable. Return 0, or an error code with err filled and *exe NULL. */
int exe_open(struct exe **exe, const char *path, struct evl_err *err) EVL_MUST_USE;
/* Open an executable from an open source, whose bytes must be writable. The function takes ownership of the source even
 * if it fails. Return 0, or an error code with err filled and *exe NULL. */
int exe_from(struct exe **exe, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Read names from a file of ipedb (ipedb.h). exe_from_ipedb uses only that file, so the names cannot be checked against
 * a program; exe_add_ipedb adds them to those of an executable, whose own map takes precedence. Return 0, or an error
 * code with err filled. */
int exe_from_ipedb(struct exe **exe, const char *path, struct evl_err *err) EVL_MUST_USE;
int exe_add_ipedb(struct exe *exe, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Close exe and the executables that it replaced (exe_after); exe may be NULL. */
void exe_close(struct exe *exe);

/* Make exe the replacement of `former` (may be NULL) and its owner, because names of `former` may still be in use. */
void exe_after(struct exe *exe, struct exe *former);
const char *exe_path(const struct exe *exe);

/* The sources of names that a file has. */
struct exe_abilities {
	bool map, symbols, debug; /* has an info table map, symbols, DWARF debug information */
	bool moves;               /* position-independent */
	struct evl_str build_id;  /* build-id as bytes, borrowed from the executable; empty: none */
};
struct exe_abilities exe_abilities(const struct exe *exe);

/* Check that exe is the program that wrote the log. Call this before exe_resolve. Return NULL if it is; otherwise the
 * reason why it is not, or why that cannot be decided, as a text to print after the path; exe owns the text. */
const char *exe_check(struct exe *exe, const struct exe_evidence *evidence) EVL_MUST_USE;

/* Look up the names of n addresses of info tables; exe_find returns them. cancel may be NULL. Return 0, EVL_NOMEM or
 * EVL_CANCELLED. */
int exe_resolve(struct exe *exe, const uint64_t *ids, size_t n, const atomic_bool *cancel) EVL_MUST_USE;

/* Return the name of an address that exe_resolve looked up, or NULL if none was found. */
const struct exe_name *exe_find(struct exe *exe, uint64_t id);

/* Call take for each entry of the info table map, with the address that a log would contain, until it returns false.
 * Texts are valid only during the call. Return 0, or EVL_CANCELLED if take returned false. */
int exe_each(struct exe *exe, bool (*take)(void *ctx, const struct ipe_entry *entry), void *ctx) EVL_MUST_USE;

#endif
