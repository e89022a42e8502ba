/* elf_file.h - an executable, read by libelf: its sections, symbols and strings, and the bytes at an address.
 *
 * The file is not trusted: each access is checked against the section and the file. Only 64-bit little-endian files are
 * read, which GHC writes on x86-64 and AArch64. The file stays mapped. */
#ifndef EVL_ELF_FILE_H
#define EVL_ELF_FILE_H

#include "bytes/source.h"

struct elf_section {
	uint64_t addr, size;
	struct evl_str bytes; /* `size` bytes, or empty if the file stores none */
	const char *name;     /* in the file */
	bool is_code, is_loaded;
	void *owned; /* the bytes, if they were compressed; NULL: they are in the map */
};

/* A table of symbols and their names; n is 0 if the file has none. */
struct elf_symbols {
	const uint8_t *rows;
	uint64_t n;
	struct evl_str strings;
	const struct elf_file *of;
};

struct elf_symbol {
	uint64_t value;
	uint32_t name;
	uint16_t section;
};

struct elf_file {
	struct source source;
	void *elf; /* Elf * */
	struct elf_section *sections;
	size_t n;
	uint32_t *by_addr; /* loaded sections, sorted by address */
	size_t n_loaded;
	struct elf_symbols symbols;
	bool moves;              /* position-independent */
	uint64_t unpacked;       /* bytes of compressed sections */
	uint64_t heads;          /* offset of the table of sections, which libelf may write to */
	struct evl_str relative; /* relocations that add the load address, sorted by address; may be empty */
};

/* Map a file so that libelf can write to its copy of the headers, which it does if sections are compressed. */
int elf_source_open(struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Open a file and read its headers. Return 0, or EVL_IO, EVL_EMPTY, EVL_NOMEM or EVL_NOT_A_LOG (no executable) with err
 * filled. elf_file_from takes over the source, whose bytes must be writable. */
int elf_file_open(struct elf_file *f, const char *path, struct evl_err *err) EVL_MUST_USE;
int elf_file_from(struct elf_file *f, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;
void elf_file_close(struct elf_file *f);

/* Release the pages of the file that were read so far. Long passes call it regularly to use little memory. */
enum { ELF_RELEASE = 1 << 14, ELF_SCATTERED = 1 << 7 }; /* after this number of symbols in a row, or here and there */
void elf_release(const struct elf_file *f);

const struct elf_section *elf_section(const struct elf_file *f, const char *name);

/* Return the loaded section that contains an address, or NULL. */
const struct elf_section *elf_section_at(const struct elf_file *f, uint64_t addr);

/* Return the bytes [addr, addr + len), or NULL if the file does not have all of them. */
const uint8_t *elf_at(const struct elf_file *f, uint64_t addr, uint64_t len);

/* Return the pointer that the dynamic linker will write to an address, for files that store it only in their
 * relocations; 0: none. */
uint64_t elf_relocated(const struct elf_file *f, uint64_t addr);

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t le64(const uint8_t *p) { return le32(p) | (uint64_t)le32(p + 4) << 32; }

/* Return symbol i < n. Return its name, or an empty one if it is longer than `most` bytes. */
struct elf_symbol elf_symbol(const struct elf_symbols *s, uint64_t i);
struct evl_str elf_symbol_name(const struct elf_symbols *s, const struct elf_symbol *symbol, size_t most);

/* Is it a symbol of code? In a file of debug information, of code in the file that it was split from. */
bool elf_symbol_is_code(const struct elf_symbols *s, const struct elf_symbol *symbol);

/* Get the text at the start of the bytes, up to its NUL. Return false if the first `most` bytes have no NUL. */
bool elf_text(struct evl_str bytes, size_t most, struct evl_str *out);

/* Return the version of GHC that compiled the file, such as "9.10.3"; empty if the file does not tell. */
struct evl_str elf_ghc(const struct elf_file *f);

/* Get the next shared library that the file needs; start with *at = 0. Return false after the last. Return the directories in
 * which the system looks for them, separated by colons; empty: none. */
bool elf_next_needed(const struct elf_file *f, uint64_t *at, struct evl_str *name);
struct evl_str elf_library_path(const struct elf_file *f);

/* Open the file of debug information that belongs to a stripped one: by its build-id or its .gnu_debuglink, under
 * /usr/lib/debug, in the file's folder and in its .debug. Return false if there is none. */
bool elf_debug_open(const struct elf_file *f, const char *path, struct elf_file *debug) EVL_MUST_USE;

#endif
