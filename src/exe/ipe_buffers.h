/* ipe_buffers.h - read the info table map (-finfo-table-map) in an executable's data, as GHC 9.2 to 9.14 write it.
 *
 * Each module M has a buffer, found by its symbol. Numbers are little-endian, pointers have 8 bytes. The layouts are:
 *   GHC 9.2       symbol TABLE_M_ipe for each table: code, table name, closure type, type, label, module, place; link
 *   GHC 9.4       symbol M_ipe_buf: next, strings, count; entries of 32 bytes: code, u32 offsets of table name, closure
 *                 type, type, label, module, place
 *   GHC 9.6       as in 9.4, with entries of 40 bytes: file, span and padding instead of the place
 *   GHC 9.8       next, compressed, count, tables, entries, their size, strings, their size; entries of 32 bytes: as in
 *                 9.6 without the code, which is in `tables`
 *   GHC 9.10      as in 9.8, then u32 unit, module; entries of 24 bytes: table name, closure type as a number, type,
 *                 label, file, span
 *   section .ipe  as in 9.10, with a node id after `next` and 8 magic bytes before the entries and before the strings
 *
 * A position-independent file may store a pointer as 0 and its value only in the relocations (elf_relocated). The
 * layout is recognised by its sizes and pointers, all of which must lie within a section. Compressed entries and
 * strings are zstd frames. */
#ifndef EVL_IPE_BUFFERS_H
#define EVL_IPE_BUFFERS_H

#include "base/buf.h"
#include "exe/elf_file.h"
#include "program/ipe.h"

enum { IPE_TEXT = 1 << 16 }; /* longest text in bytes */

struct ipe_buffers {
	const struct elf_file *f;
	uint64_t *nodes; /* addresses of the buffers; bit 0 is set for separate tables (GHC 9.2, 9.4) */
	size_t n, room, at;
	/* Limits derived from the size of the file: entries, bytes to decompress, bytes of text. They bound the work if
	 * a damaged file refers to the same bytes again and again. */
	uint64_t budget, unpack_budget, text_budget;
	/* The buffer that is being read. */
	unsigned layout, entry_size;
	uint64_t count, next, module;
	uint64_t at_node, at_tables; /* addresses of the buffer and of its `tables` */
	const uint8_t *tables, *entries;
	struct evl_str strings;
	struct buf unpacked[2];
	struct buf text;     /* "file:span" of the last entry */
	uint64_t unreadable; /* number of buffers of unknown layout */
};

/* Find the buffers by their symbols. Return 0 or EVL_NOMEM. f must outlive b. */
int ipe_buffers_begin(struct ipe_buffers *b, const struct elf_file *f, const struct elf_symbols *symbols) EVL_MUST_USE;
void ipe_buffers_free(struct ipe_buffers *b);

/* Start again at the first table. */
void ipe_buffers_rewind(struct ipe_buffers *b);

/* Store the address of the code of the next info table. Return false at the end. */
bool ipe_buffers_next(struct ipe_buffers *b, uint64_t *code);

/* Store the entry of the info table that ipe_buffers_next returned last; its id and off stay 0. Texts are valid until
 * the next call of either function. Return false if a text lies outside the buffer. */
bool ipe_buffers_entry(struct ipe_buffers *b, struct ipe_entry *out);

#endif
