/* elf_file.h - an executable, read by libelf: its sections, symbols and strings, and the bytes at an address.
 *
 * Nothing in the file is believed: each access is checked against the section and the file. Only 64-bit little-endian
 * files, which GHC writes on x86-64 and AArch64. The file stays mapped. */
#ifndef EVL_ELF_FILE_H
#define EVL_ELF_FILE_H

#include "bytes/source.h"

struct elf_section {
	uint64_t addr, size;
	struct evl_str bytes; /* empty where the file has none; as long as size otherwise */
	const char *name;     /* in the file */
	bool is_code, is_loaded;
	void *owned; /* bytes that were unpacked here; NULL: none */
};

/* A table of symbols and their names; n is 0 where there is none. */
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
	uint32_t *by_addr; /* those that are loaded, by address */
	size_t n_loaded;
	struct elf_symbols symbols;
	bool moves;              /* position-independent */
	uint64_t unpacked;       /* bytes of compressed sections */
	uint64_t heads;          /* where its table of sections is, which libelf may write to */
	struct evl_str relative; /* relocations that add the load address, by address; empty where there are none */
};

/* Map a file so that libelf may write to its copy of the headers (it does where sections are compressed). */
int elf_source_open(struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Open and look at the headers. EVL_IO, EVL_EMPTY, EVL_NOMEM or EVL_NOT_A_LOG (no executable) with err filled. The bytes of a
 * source have to be writable; it is taken over. */
int elf_file_open(struct elf_file *f, const char *path, struct evl_err *err) EVL_MUST_USE;
int elf_file_from(struct elf_file *f, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;
void elf_file_close(struct elf_file *f);

/* Let go of the pages of the file that were read so far: long passes call it again and again, and so take little memory. */
enum { ELF_RELEASE = 1 << 14, ELF_SCATTERED = 1 << 7 }; /* after this number of symbols in a row, or here and there */
void elf_release(const struct elf_file *f);

const struct elf_section *elf_section(const struct elf_file *f, const char *name);

/* The loaded section that an address is in; NULL: none. */
const struct elf_section *elf_section_at(const struct elf_file *f, uint64_t addr);

/* The bytes [addr, addr + len); NULL where the file has not all of them. */
const uint8_t *elf_at(const struct elf_file *f, uint64_t addr, uint64_t len);

/* Return the pointer that the dynamic linker will write to an address, for files that store it only in their
 * relocations; 0: none. */
uint64_t elf_relocated(const struct elf_file *f, uint64_t addr);

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t le64(const uint8_t *p) { return le32(p) | (uint64_t)le32(p + 4) << 32; }

/* Symbol i < n; its name, at most `most` bytes long, else empty. */
struct elf_symbol elf_symbol(const struct elf_symbols *s, uint64_t i);
struct evl_str elf_symbol_name(const struct elf_symbols *s, const struct elf_symbol *symbol, size_t most);

/* Is it a symbol of code? In a file of debug information, of code in the file that it was split from. */
bool elf_symbol_is_code(const struct elf_symbols *s, const struct elf_symbol *symbol);

/* The text at the start of some bytes, up to its NUL; false where that is not among the first `most`. */
bool elf_text(struct evl_str bytes, size_t most, struct evl_str *out);

/* The version of GHC that compiled it, "9.10.3", as it says itself; empty where it does not. */
struct evl_str elf_ghc(const struct elf_file *f);

/* Go through the names of the shared libraries that it needs (*at: 0 first), and get the directories in which they are looked
 * for, with colons between. False, or empty: no more, none. */
bool elf_next_needed(const struct elf_file *f, uint64_t *at, struct evl_str *name);
struct evl_str elf_library_path(const struct elf_file *f);

/* Open the file of debug information that belongs to a stripped one: by its build-id or its .gnu_debuglink, under
 * /usr/lib/debug, in the file's folder and in its .debug. Return false if there is none. */
bool elf_debug_open(const struct elf_file *f, const char *path, struct elf_file *debug) EVL_MUST_USE;

#endif
