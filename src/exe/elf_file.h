/* elf_file.h - read an executable through libelf: its sections, symbols and strings, and the bytes at an address.
 *
 * The file is not trusted: each access is checked against the bounds of the section and of the file. Only 64-bit
 * little-endian files are supported, which is what GHC writes on x86-64 and AArch64. The file stays mapped. */
#ifndef EVL_ELF_FILE_H
#define EVL_ELF_FILE_H

#include "bytes/source.h"

/* A section of the file. */
struct elf_section {
	uint64_t addr, size;  /* address in memory and size in bytes */
	struct evl_str bytes; /* `size` bytes, or empty if the file stores none */
	const char *name;     /* borrowed from the file */
	bool is_code, is_loaded;
	void *owned; /* the decompressed bytes, if the section was compressed; NULL: `bytes` points into the map */
};

/* The symbol table and the names of its symbols; n is 0 if the file has none. */
struct elf_symbols {
	const uint8_t *rows;
	uint64_t n;
	struct evl_str strings;
	const struct elf_file *of;
};

/* A symbol: address, offset of the name in the string table, and index of the section (0: undefined). */
struct elf_symbol {
	uint64_t value;
	uint32_t name;
	uint16_t section;
};

struct elf_file {
	struct source source;
	void *elf; /* the Elf * of libelf */
	struct elf_section *sections;
	size_t n;
	uint32_t *by_addr; /* indices of the loaded sections, sorted by address */
	size_t n_loaded;
	struct elf_symbols symbols;
	bool moves;              /* position-independent: addresses at run time differ by a constant */
	uint64_t unpacked;       /* total size of the sections that were decompressed, in bytes */
	uint64_t heads;          /* file offset of the section headers, which libelf may write to */
	struct evl_str relative; /* relocations that add the load address, sorted by address; may be empty */
};

/* Map a file so that libelf can write to its own copy of the headers, which it does if sections are compressed. Return
 * 0, or an error code with err filled. */
int elf_source_open(struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Read the headers of an open source, whose bytes must be writable; the file takes ownership of it even on failure. Return
 * 0, or EVL_IO, EVL_EMPTY, EVL_NOMEM or EVL_NOT_A_LOG (not a supported executable) with err filled. */
int elf_file_from(struct elf_file *f, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;
void elf_file_close(struct elf_file *f);

/* Tell the kernel that the pages of the file read so far are no longer needed. To use little memory, long passes call
 * this after every ELF_RELEASE symbols read in sequence or ELF_SCATTERED symbols read at random. */
enum { ELF_RELEASE = 1 << 14, ELF_SCATTERED = 1 << 7 };
void elf_release(const struct elf_file *f);

/* Return the section with this name, or NULL. */
const struct elf_section *elf_section(const struct elf_file *f, const char *name);

/* Return the loaded section that contains an address, or NULL. */
const struct elf_section *elf_section_at(const struct elf_file *f, uint64_t addr);

/* Return the bytes [addr, addr + len), or NULL if the file does not have all of them. */
const uint8_t *elf_at(const struct elf_file *f, uint64_t addr, uint64_t len);

/* Return the pointer that the dynamic linker will write to an address, according to the relocations, or 0 if there is
 * none. Position-independent files may store pointers only there. */
uint64_t elf_relocated(const struct elf_file *f, uint64_t addr);

/* Load a little-endian number. */
static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t le64(const uint8_t *p) { return le32(p) | (uint64_t)le32(p + 4) << 32; }

/* Return symbol i < n, or the name of a symbol; the name is empty if it is longer than `most` bytes. */
struct elf_symbol elf_symbol(const struct elf_symbols *s, uint64_t i);
struct evl_str elf_symbol_name(const struct elf_symbols *s, const struct elf_symbol *symbol, size_t most);

/* Report whether a symbol belongs to code. In a separate file of debug information, whose code sections are empty, this
 * also holds for symbols in these sections. */
bool elf_symbol_is_code(const struct elf_symbols *s, const struct elf_symbol *symbol);

/* Store the text at the start of the bytes, up to its NUL, in *out. Return false if the first `most` bytes contain no
 * NUL. */
bool elf_text(struct evl_str bytes, size_t most, struct evl_str *out);

/* Return the version of GHC that compiled the file, such as "9.10.3"; empty if the file does not record it. */
struct evl_str elf_ghc(const struct elf_file *f);

/* Return the build-id as bytes, borrowed from the file; empty if the file has none or its length is not in this
 * range. */
enum { BUILD_ID_LEAST = 4, BUILD_ID_MOST = 64 };
struct evl_str elf_build_id(const struct elf_file *f);

/* Store the name of the next shared library that the file needs; start with *at = 0. Return false after the last one.
 * elf_library_path returns the directories recorded in the file in which to search for them, separated by colons, or an
 * empty text. */
bool elf_next_needed(const struct elf_file *f, uint64_t *at, struct evl_str *name);
struct evl_str elf_library_path(const struct elf_file *f);

/* Open the separate file of debug information that belongs to a stripped file, found by build-id or .gnu_debuglink:
 * under /usr/lib/debug, in the file's directory, and in the directory .debug there. Return false if there is none. */
bool elf_debug_open(const struct elf_file *f, const char *path, struct elf_file *debug) EVL_MUST_USE;

#endif
