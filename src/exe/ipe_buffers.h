/* ipe_buffers.h - the info table map (-finfo-table-map) in an executable's data, as GHC 9.2 to 9.14 lay it out.
 *
 * Each module has a buffer, found by its symbol, of one of these layouts (all little-endian, pointers of 8 bytes):
 *   GHC 9.2, 9.4  M_ipe per table: code, pointers to table name, closure type, type, label, module, place; link
 *   GHC 9.6       M_ipe_buf: next, strings, count; entries of 40 bytes: code, u32 offsets of table name, closure type, type,
 *                 label, module, file, span, padding
 *   GHC 9.8       next, compressed, count, tables, entries, their size, strings, their size; entries of 32 bytes: the same
 *                 without code, which is in `tables`
 *   GHC 9.10      also u32 unit, module; entries of 24 bytes: table name, closure type as a number, type, label, file, span
 *   section .ipe  also a node id after `next`; 8 magic bytes before entries and strings
 * In position-independent files pointers may be 0 and in relocations only (elf_relocated).
 * Which one it is follows from its sizes and pointers: each has to lie within a section. Compressed ones are zstd frames. */
#ifndef EVL_IPE_BUFFERS_H
#define EVL_IPE_BUFFERS_H

#include "base/buf.h"
#include "exe/elf_file.h"
#include "program/ipe.h"

enum { IPE_TEXT = 1 << 16, IPE_TEXTS = 6, IPE_TABLE_CODE = 16 };

struct ipe_buffers {
	const struct elf_file *f;
	uint64_t *nodes; /* addresses; those of separate tables (9.2) have the lowest bit set */
	size_t n, room, at;
	/* Limits by the size of the file: entries, bytes to unpack, bytes of text. They bound the work on repeated
	 * references. */
	uint64_t budget, unpack_budget, text_budget;
	/* The buffer that is being read: */
	unsigned layout, entry_size;
	uint64_t count, next, module;
	uint64_t at_node, at_tables; /* addresses */
	const uint8_t *tables, *entries;
	struct evl_str strings;
	struct buf unpacked[2];
	struct buf text;     /* file and span of the last entry */
	uint64_t unreadable; /* buffers of an unknown layout */
};

/* Find the buffers by their symbols. EVL_NOMEM. */
int ipe_buffers_begin(struct ipe_buffers *b, const struct elf_file *f, const struct elf_symbols *symbols) EVL_MUST_USE;
void ipe_buffers_free(struct ipe_buffers *b);

/* Read them again from the first. */
void ipe_buffers_rewind(struct ipe_buffers *b);

/* Return the address of the next table's code; false at the end. */
bool ipe_buffers_next(struct ipe_buffers *b, uint64_t *code);

/* Give the entry of the table that was returned last; id and off stay 0. Texts are valid until the next call of either.
 * False where a text lies outside of the buffer. */
bool ipe_buffers_entry(struct ipe_buffers *b, struct ipe_entry *out);

#endif
