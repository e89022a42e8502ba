/* elfs.h - small executables, made in memory: sections, symbols, info tables. */
#ifndef TESTS_ELFS_H
#define TESTS_ELFS_H

#include "base/buf.h"

#include <elf.h>
#include <stdlib.h>

enum { ELF_SECTIONS = 24, ELF_BASE = 0x400000, ELF_TABLE = 16, ELF_CLOSURE = 48 };

struct made_elf {
	struct buf bytes, symbols, strings, names;
	Elf64_Shdr sections[ELF_SECTIONS];
	unsigned n;
	uint16_t type; /* ET_EXEC, ET_DYN */
	bool stripped;
};

static inline void elf_start(struct made_elf *m, uint16_t type)
{
	*m = (struct made_elf){.n = 1, .type = type};
	buf_put(&m->bytes, (char[sizeof(Elf64_Ehdr)]){0}, sizeof(Elf64_Ehdr));
	buf_put(&m->symbols, (char[sizeof(Elf64_Sym)]){0}, sizeof(Elf64_Sym));
	buf_char(&m->strings, 0);
	buf_char(&m->names, 0);
}

/* The address that the next loaded section will have. */
static inline uint64_t elf_next(struct made_elf *m)
{
	while (m->bytes.len % 64)
		buf_char(&m->bytes, 0);
	return (m->type == ET_EXEC ? ELF_BASE : 0) + m->bytes.len;
}

/* Add a section; its number. */
static inline unsigned elf_add(
	struct made_elf *m, const char *name, uint32_t type, uint64_t flags, const void *p, size_t len)
{
	uint64_t addr = elf_next(m);
	m->sections[m->n] = (Elf64_Shdr){.sh_name = (uint32_t)m->names.len,
		.sh_type = type,
		.sh_flags = flags,
		.sh_addr = flags & SHF_ALLOC ? addr : 0,
		.sh_offset = m->bytes.len,
		.sh_size = len,
		.sh_addralign = 1};
	buf_put(&m->names, name, strlen(name) + 1);
	buf_put(&m->bytes, p, len);
	return m->n++;
}

static inline void elf_sign(struct made_elf *m, const char *name, uint64_t value, unsigned section)
{
	Elf64_Sym row = {.st_name = (uint32_t)m->strings.len,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
		.st_shndx = (uint16_t)section,
		.st_value = value};
	buf_put(&m->symbols, &row, sizeof row);
	buf_put(&m->strings, name, strlen(name) + 1);
}

/* An info table of a closure type, and some code. */
static inline void elf_table(struct buf *text, uint32_t type)
{
	uint32_t table[4] = {1, 0, type, 0};
	buf_put(text, table, sizeof table);
	for (int i = ELF_TABLE; i < ELF_CLOSURE; i++)
		buf_char(text, (char)0xcc);
}

/* Write the headers: m->bytes is the file then. */
static inline void elf_finish(struct made_elf *m)
{
	Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = m->type,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof head,
		.e_shentsize = sizeof(Elf64_Shdr)};
	if (!m->stripped) {
		unsigned table = elf_add(m, ".symtab", SHT_SYMTAB, 0, m->symbols.p, m->symbols.len);
		m->sections[table].sh_entsize = sizeof(Elf64_Sym);
		m->sections[table].sh_link = elf_add(m, ".strtab", SHT_STRTAB, 0, m->strings.p, m->strings.len);
	}
	struct buf names = {0};
	buf_put(&names, m->names.p, m->names.len);
	buf_lit(&names, ".shstrtab\0");
	head.e_shstrndx = (uint16_t)elf_add(m, ".shstrtab", SHT_STRTAB, 0, names.p, names.len);
	buf_free(&names);
	while (m->bytes.len % 8)
		buf_char(&m->bytes, 0);
	head.e_shoff = m->bytes.len;
	head.e_shnum = (uint16_t)m->n;
	buf_put(&m->bytes, m->sections, m->n * sizeof *m->sections);
	memcpy(m->bytes.p, &head, sizeof head);
}

static inline void elf_drop(struct made_elf *m)
{
	buf_free(&m->bytes);
	buf_free(&m->symbols);
	buf_free(&m->strings);
	buf_free(&m->names);
}

/* --- info table maps, in each layout of ipe_buffers.h ---------------------------------------------------------------- */

enum map_layout { MAP_9_2, MAP_9_4, MAP_9_6, MAP_9_8, MAP_9_10, MAP_SECTION, MAP_LAYOUTS };

struct map_entry {
	uint64_t code;
	const char *table, *closure, *type, *label, *module, *file, *span;
};

static inline void elf_le(struct buf *b, uint64_t v, unsigned bytes)
{
	for (; bytes--; v >>= 8)
		buf_char(b, (char)v);
}

static inline uint32_t elf_string(struct buf *strings, const char *s)
{
	uint32_t at = (uint32_t)strings->len;
	buf_put(strings, s, strlen(s) + 1);
	return at;
}

#endif
