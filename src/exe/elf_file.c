#include "exe/elf_file.h"

#include "base/find.h"
#include "base/gallop.h"
#include "sys/retry.h"
#include "sys/system.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

enum { SECTIONS_MOST = 1 << 16, UNPACKED_MOST = 256 << 20, NAME_MOST = 256 };

/* --- sections ------------------------------------------------------------------------------------------------------ */

static struct evl_str file_bytes(const struct elf_file *f, uint64_t off, uint64_t len)
{
	bool inside = off <= f->source.len && len <= f->source.len - off;
	return inside ? (struct evl_str){f->source.data + off, len} : (struct evl_str){0};
}

/* Unpack for libelf of elfutils before 0.189, which cannot. It and libdw are made to read the bytes as if they had never been
 * compressed. */
static struct evl_str unpacked_zstd(UNUSED Elf_Scn *scn, UNUSED const GElf_Chdr *head, UNUSED void **owned)
{
#ifdef HAVE_ZSTD
	GElf_Shdr section;
	Elf_Data *data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size <= sizeof(Elf64_Chdr) || !gelf_getshdr(scn, &section)
		|| !(*owned = malloc(head->ch_size + 1)))
		return (struct evl_str){0};
	size_t len = ZSTD_decompress(*owned, head->ch_size, (const uint8_t *)data->d_buf + sizeof(Elf64_Chdr),
		data->d_size - sizeof(Elf64_Chdr));
	section.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	section.sh_size = head->ch_size;
	if (ZSTD_isError(len) || len != head->ch_size || !gelf_update_shdr(scn, &section))
		return (struct evl_str){0};
	Elf_Data *const views[] = {data, elf_getdata(scn, NULL)};
	for (size_t i = 0; i < countof(views); i++)
		if (views[i]) {
			views[i]->d_buf = *owned;
			views[i]->d_size = len;
		}
	return (struct evl_str){*owned, len};
#else
	return (struct evl_str){0};
#endif
}

/* The bytes of a compressed section, which libelf keeps, or *owned. */
static struct evl_str unpacked(struct elf_file *f, Elf_Scn *scn, void **owned)
{
	GElf_Chdr head;
	if (!gelf_getchdr(scn, &head) || head.ch_size > UNPACKED_MOST - f->unpacked)
		return (struct evl_str){0};
	f->unpacked += head.ch_size;
	if (head.ch_type == ELFCOMPRESS_ZSTD)
		return unpacked_zstd(scn, &head, owned);
	if (elf_compress(scn, 0, 0) < 0)
		return (struct evl_str){0};
	const Elf_Data *data = elf_rawdata(scn, NULL);
	return data && data->d_buf ? (struct evl_str){data->d_buf, data->d_size} : (struct evl_str){0};
}

static void read_section(struct elf_file *f, Elf_Scn *scn, struct evl_str names)
{
	GElf_Shdr head;
	struct evl_str name;
	struct elf_section *s = &f->sections[f->n++];
	*s = (struct elf_section){.name = ""};
	if (!gelf_getshdr(scn, &head))
		return;
	if (head.sh_name < names.len
		&& elf_text((struct evl_str){names.p + head.sh_name, names.len - head.sh_name}, NAME_MOST, &name))
		s->name = (const char *)name.p;
	s->addr = head.sh_addr;
	s->size = head.sh_size;
	s->is_code = head.sh_flags & SHF_EXECINSTR;
	s->is_loaded = (head.sh_flags & SHF_ALLOC) && s->size && s->size <= UINT64_MAX - s->addr;
	if (head.sh_type == SHT_NOBITS)
		return;
	s->bytes = file_bytes(f, head.sh_offset, head.sh_size);
	if ((head.sh_flags & SHF_COMPRESSED) && s->bytes.len && !s->is_loaded) {
		s->bytes = unpacked(f, scn, &s->owned);
		s->size = s->bytes.len;
	}
}

static int by_address(const void *a, const void *b, void *ctx)
{
	const struct elf_section *all = ctx, *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
	return ORDER(x->addr, y->addr);
}

static void order_sections(struct elf_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->sections[i].is_loaded)
			f->by_addr[f->n_loaded++] = (uint32_t)i;
	sys_sort(f->by_addr, f->n_loaded, sizeof *f->by_addr, by_address, f->sections);
}

/* The larger table of symbols, and its strings. */
static void find_symbols(struct elf_file *f, Elf *elf)
{
	Elf_Scn *scn = NULL;
	bool whole = false;
	for (size_t i = 1; i < f->n && (scn = elf_getscn(elf, i)); i++) {
		GElf_Shdr head;
		bool is_table = gelf_getshdr(scn, &head)
			&& (head.sh_type == SHT_SYMTAB || (head.sh_type == SHT_DYNSYM && !whole));
		if (!is_table || head.sh_link >= f->n || f->sections[i].bytes.len < sizeof(Elf64_Sym))
			continue;
		whole = head.sh_type == SHT_SYMTAB;
		f->symbols = (struct elf_symbols){f->sections[i].bytes.p, f->sections[i].bytes.len / sizeof(Elf64_Sym),
			f->sections[head.sh_link].bytes, f};
	}
}

static int read_sections(struct elf_file *f, const char *path, struct evl_err *err)
{
	size_t n = 0, strings = 0;
	if (elf_getshdrnum(f->elf, &n) < 0 || n > SECTIONS_MOST || elf_getshdrstrndx(f->elf, &strings) < 0)
		return evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: its table of sections is damaged", path);
	if (n == 0)
		return evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: has no sections, so no names", path);
	f->sections = calloc(n, sizeof *f->sections);
	f->by_addr = calloc(n, sizeof *f->by_addr);
	if (!f->sections || !f->by_addr)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	GElf_Shdr head;
	Elf_Scn *scn = elf_getscn(f->elf, strings);
	struct evl_str names = {0};
	if (scn && gelf_getshdr(scn, &head) && head.sh_type != SHT_NOBITS)
		names = file_bytes(f, head.sh_offset, head.sh_size);
	for (size_t i = 0; i < n; i++) {
		scn = elf_getscn(f->elf, i);
		if (!scn)
			return evl_fail(
				err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: its table of sections is damaged", path);
		read_section(f, scn, names);
	}
	GElf_Ehdr file;
	f->heads = gelf_getehdr(f->elf, &file) ? file.e_shoff : 0;
	order_sections(f);
	find_symbols(f, f->elf);
	return 0;
}

const struct elf_section *elf_section(const struct elf_file *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->sections[i].name, name) == 0)
			return &f->sections[i];
	return NULL;
}

const struct elf_section *elf_section_at(const struct elf_file *f, uint64_t addr)
{
	BISECT(low, f->n_loaded, f->sections[f->by_addr[mid]].addr <= addr);
	const struct elf_section *s = low ? &f->sections[f->by_addr[low - 1]] : NULL;
	return s && addr - s->addr < s->size ? s : NULL;
}

const uint8_t *elf_at(const struct elf_file *f, uint64_t addr, uint64_t len)
{
	const struct elf_section *s = elf_section_at(f, addr);
	uint64_t at = s ? addr - s->addr : 0;
	return s && at < s->bytes.len && len <= s->bytes.len - at ? s->bytes.p + at : NULL;
}

/* --- relocations ------------------------------------------------------------------------------------------------------- */

/* The layout of Elf64_Rela. */
enum { RELA = sizeof(Elf64_Rela), TYPE_AT = 8, ADDEND_AT = 16, X86_64_RELATIVE = 8, AARCH64_RELATIVE = 1027 };

/* Linkers put relative relocations first, sorted by address; the others are ignored. */
static void find_relative(struct elf_file *f)
{
	const struct elf_section *s = f->moves ? elf_section(f, ".rela.dyn") : NULL;
	uint64_t before = 0, n = 0;
	for (; s && n < s->bytes.len / RELA; n++) {
		const uint8_t *r = s->bytes.p + n * RELA;
		uint64_t type = le64(r + TYPE_AT), addr = le64(r);
		if ((type != X86_64_RELATIVE && type != AARCH64_RELATIVE) || (n && addr <= before))
			break;
		before = addr;
	}
	if (n)
		f->relative = (struct evl_str){s->bytes.p, n * RELA};
}

uint64_t elf_relocated(const struct elf_file *f, uint64_t addr)
{
	size_t n = f->relative.len / RELA;
	BISECT(at, n, le64(f->relative.p + mid * RELA) < addr);
	const uint8_t *r = at < n ? f->relative.p + at * RELA : NULL;
	return r && le64(r) == addr ? le64(r + ADDEND_AT) : 0;
}

static const char *unfit(const struct elf_file *f)
{
	const uint8_t *p = f->source.data;
	if (f->source.len < sizeof(Elf64_Ehdr) || memcmp(p, ELFMAG, SELFMAG) != 0)
		return "not an executable (ELF)";
	if (p[EI_CLASS] != ELFCLASS64 || p[EI_DATA] != ELFDATA2LSB)
		return "not a 64-bit little-endian executable";
	Elf64_Ehdr head;
	memcpy(&head, p, sizeof head);
	if (head.e_machine != EM_X86_64 && head.e_machine != EM_AARCH64)
		return "not an executable for x86-64 or AArch64";
	if (head.e_type != ET_EXEC && head.e_type != ET_DYN)
		return "not linked: an executable or a library is needed";
	return NULL;
}

int elf_file_from(struct elf_file *f, struct source *source, const char *path, struct evl_err *err)
{
	*f = (struct elf_file){.source = *source};
	const char *why = unfit(f);
	int result = why ? evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: %s", path, why) : 0;
	if (result == 0) {
		elf_version(EV_CURRENT);
		f->moves = f->source.data[offsetof(Elf64_Ehdr, e_type)] == ET_DYN;
		f->elf = elf_memory((char *)(uintptr_t)f->source.data, f->source.len);
		result = f->elf && elf_kind(f->elf) == ELF_K_ELF
			? read_sections(f, path, err)
			: evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: damaged: %s", path, elf_errmsg(-1));
	}
	if (result < 0)
		elf_file_close(f);
	else
		find_relative(f);
	return result;
}

/* A private map: what is written stays in memory. */
int elf_source_open(struct source *source, const char *path, struct evl_err *err)
{
	struct source whole;
	int result = source_open(&whole, path, err);
	if (result < 0)
		return result;
	int fd = open_again(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	result = fd < 0 ? evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: %s", path, strerror(errno))
			: source_from_part(source, fd, (struct evl_str){0}, 0, whole.len, err);
	if (fd >= 0)
		close(fd);
	source_close(&whole);
	if (result < 0 || mprotect((void *)(uintptr_t)source->data, source->len, PROT_READ | PROT_WRITE) == 0)
		return result;
	source_close(source);
	return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: %s", path, strerror(errno));
}

void elf_file_close(struct elf_file *f)
{
	if (f->elf)
		elf_end(f->elf);
	for (size_t i = 0; f->sections && i < f->n; i++)
		free(f->sections[i].owned);
	free_all(f->sections, f->by_addr);
	source_close(&f->source);
	*f = (struct elf_file){.source = {.slot = -1}};
}

/* The whole pages of [from, to). */
static void release(const struct elf_file *f, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (from < to)
		sys_release((void *)(uintptr_t)(f->source.data + from), to - from);
}

void elf_release(const struct elf_file *f)
{
	uint64_t len = f->source.len, after = f->heads + f->n * sizeof(Elf64_Shdr);
	if (!f->source.mapped || f->heads > len || f->heads == 0)
		return;
	release(f, sizeof(Elf64_Ehdr), f->heads);
	release(f, after, len);
}

/* --- symbols ------------------------------------------------------------------------------------------------------- */

struct elf_symbol elf_symbol(const struct elf_symbols *s, uint64_t i)
{
	Elf64_Sym row;
	memcpy(&row, s->rows + i * sizeof row, sizeof row);
	return (struct elf_symbol){row.st_value, row.st_name, row.st_shndx};
}

bool elf_text(struct evl_str bytes, size_t most, struct evl_str *out)
{
	size_t len = bytes.len < most ? bytes.len : most;
	const uint8_t *end = len ? memchr(bytes.p, 0, len) : NULL;
	*out = (struct evl_str){bytes.p, end ? (size_t)(end - bytes.p) : 0};
	return end != NULL;
}

struct evl_str elf_symbol_name(const struct elf_symbols *s, const struct elf_symbol *symbol, size_t most)
{
	struct evl_str name = {0};
	if (symbol->name < s->strings.len)
		elf_text((struct evl_str){s->strings.p + symbol->name, s->strings.len - symbol->name}, most, &name);
	return name;
}

bool elf_symbol_is_code(const struct elf_symbols *s, const struct elf_symbol *symbol)
{
	return symbol->section != SHN_UNDEF && symbol->section < s->of->n && s->of->sections[symbol->section].is_code;
}

/* --- what the file says of itself ---------------------------------------------------------------------------------- */

struct evl_str elf_ghc(const struct elf_file *f)
{
	static const char word[] = "GHC ";
	const struct elf_section *comment = elf_section(f, ".comment");
	struct evl_str text;
	if (!comment || comment->bytes.len < sizeof word)
		return (struct evl_str){0};
	const uint8_t *at = find_bytes(comment->bytes.p, comment->bytes.len, word, sizeof word - 1);
	if (!at)
		return (struct evl_str){0};
	at += sizeof word - 1;
	bool ended =
		elf_text((struct evl_str){at, (size_t)(comment->bytes.p + comment->bytes.len - at)}, NAME_MOST, &text);
	return ended ? text : (struct evl_str){0};
}

/* The text of entry i of the dynamic section, if it has that tag; *end: there are no more. */
static bool dynamic_text(const struct elf_file *f, uint64_t i, uint64_t tag, struct evl_str *out, bool *end)
{
	enum { ENTRY = 16, DYNAMIC_MOST = 4096, PATH_TEXT = 1 << 16 };
	const struct elf_section *dynamic = elf_section(f, ".dynamic"), *strings = elf_section(f, ".dynstr");
	*end = !dynamic || !strings || i >= DYNAMIC_MOST || i >= dynamic->bytes.len / ENTRY;
	if (*end)
		return false;
	const uint8_t *p = dynamic->bytes.p + i * ENTRY;
	uint64_t at = le64(p + 8);
	*end = le64(p) == DT_NULL;
	return le64(p) == tag && at < strings->bytes.len
		&& elf_text((struct evl_str){strings->bytes.p + at, strings->bytes.len - at}, PATH_TEXT, out);
}

bool elf_next_needed(const struct elf_file *f, uint64_t *at, struct evl_str *name)
{
	for (bool end = false; !end;)
		if (dynamic_text(f, (*at)++, DT_NEEDED, name, &end))
			return true;
	return false;
}

struct evl_str elf_library_path(const struct elf_file *f)
{
	struct evl_str path = {0};
	bool end = false;
	for (uint64_t i = 0; !end; i++)
		if (dynamic_text(f, i, DT_RUNPATH, &path, &end) || dynamic_text(f, i, DT_RPATH, &path, &end))
			return path;
	return (struct evl_str){0};
}

struct evl_str elf_build_id(const struct elf_file *f)
{
	enum { HEAD = 12, NAME = 4 };
	const struct elf_section *note = elf_section(f, ".note.gnu.build-id");
	if (!note || note->bytes.len < HEAD + NAME)
		return (struct evl_str){0};
	uint32_t len = le32(note->bytes.p + 4);
	bool good = le32(note->bytes.p) == NAME && le32(note->bytes.p + 8) == NT_GNU_BUILD_ID && len >= BUILD_ID_LEAST
		&& len <= BUILD_ID_MOST && len <= note->bytes.len - HEAD - NAME;
	return good ? (struct evl_str){note->bytes.p + HEAD + NAME, len} : (struct evl_str){0};
}

/* --- debug information in a file apart ----------------------------------------------------------------------------- */

static bool is_same_build(const struct elf_file *f, const struct elf_file *debug)
{
	struct evl_str a = elf_build_id(f), b = elf_build_id(debug);
	return a.len && str_order(a, b) == 0;
}

static bool has_sum(UNUSED const struct elf_file *debug, UNUSED uint32_t sum)
{
#ifdef HAVE_ZLIB
	return crc32_z(0, debug->source.data, debug->source.len) == sum;
#else
	return false;
#endif
}

/* sum: NULL where the build-id alone decides. */
static bool try_debug(const struct elf_file *f, const char *path, const uint32_t *sum, struct elf_file *debug)
{
	struct source source;
	if (elf_source_open(&source, path, NULL) < 0 || elf_file_from(debug, &source, path, NULL) < 0)
		return false;
	if (debug->symbols.n && (is_same_build(f, debug) || (sum && has_sum(debug, *sum))))
		return true;
	elf_file_close(debug);
	return false;
}

static bool try_build_id(const struct elf_file *f, struct elf_file *debug)
{
	char path[192] = "/usr/lib/debug/.build-id/";
	struct evl_str id = elf_build_id(f);
	size_t n = strlen(path);
	for (size_t i = 0; i < id.len; i++)
		n += (size_t)snprintf(path + n, sizeof path - n, "%02x%s", id.p[i], i == 0 ? "/" : "");
	snprintf(path + n, sizeof path - n, ".debug");
	return id.len && try_debug(f, path, NULL, debug);
}

bool elf_debug_open(const struct elf_file *f, const char *path, struct elf_file *debug)
{
	static const struct {
		const char *before, *after; /* of the directory */
	} places[] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
	const struct elf_section *link = elf_section(f, ".gnu_debuglink");
	struct evl_str name;
	if (try_build_id(f, debug))
		return true;
	if (!link || !elf_text(link->bytes, NAME_MOST, &name) || name.len == 0 || memchr(name.p, '/', name.len))
		return false;
	size_t at = (name.len + 4) & ~(size_t)3;
	if (at > link->bytes.len || link->bytes.len - at < 4)
		return false;
	uint32_t sum = le32(link->bytes.p + at);
	char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
	bool found = false;
	for (size_t i = 0; slash && !found && i < countof(places); i++) {
		char full[PATH_MAX];
		int dir = (int)(slash + 1 - real);
		int n = snprintf(full, sizeof full, "%s%.*s%s%s", places[i].before, dir, real, places[i].after,
			(const char *)name.p);
		found = n > 0 && n < (int)sizeof full && strcmp(full, real) != 0 && try_debug(f, full, &sum, debug);
	}
	free(real);
	return found;
}
