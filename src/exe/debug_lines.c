#include "exe/debug_lines.h"

#include "base/gallop.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdio.h>

/* Memory limit of a file: libdw keeps some 50 bytes per line of a unit, and a line can be a single byte. */
enum { TEXT_MOST = 1024, LINES_MOST = 2 << 20, INFO_MOST = 256 << 20, LOOK_UP = 1024 };

struct reading {
	const struct elf_file *f;
	const uint64_t *codes;
	size_t n;
	const atomic_bool *cancel;
	debug_line_fn *tell;
	void *ctx;
	uint64_t budget; /* bytes of line programs that may be read yet */
};

static size_t first_at(const struct reading *r, uint64_t code)
{
	BISECT(low, r->n, r->codes[mid] < code);
	return low;
}

/* A text of libdw's that may not end within its section. */
static struct evl_str bounded(const struct elf_file *f, const char *text)
{
	struct evl_str out = {0};
	for (size_t i = 0; text && i < f->n; i++) {
		struct evl_str bytes = f->sections[i].bytes;
		const uint8_t *p = (const uint8_t *)text;
		if (bytes.len == 0 || p < bytes.p || p >= bytes.p + bytes.len)
			continue;
		elf_text((struct evl_str){p, (size_t)(bytes.p + bytes.len - p)}, TEXT_MOST, &out);
		return out;
	}
	return out;
}

/* GHC calls what has no name in the source L and a number. */
static struct evl_str name_of(const struct elf_file *f, Dwarf_Die *function)
{
	struct evl_str name = bounded(f, dwarf_diename(function));
	size_t digits = 1;
	while (digits < name.len && is_digit(name.p[digits]))
		digits++;
	bool made_up = name.len > 1 && name.p[0] == 'L' && digits == name.len;
	if (made_up)
		return (struct evl_str){0};
	return name;
}

/* Is the unit's line program one that may be read? */
static bool may_read_lines(struct reading *r, Dwarf_Die *unit)
{
	const struct elf_section *lines = elf_section(r->f, ".debug_line");
	Dwarf_Attribute attribute;
	Dwarf_Word off;
	if (!lines || !dwarf_attr(unit, DW_AT_stmt_list, &attribute) || dwarf_formudata(&attribute, &off) != 0
		|| off >= lines->bytes.len || lines->bytes.len - off < 4)
		return false;
	uint64_t len = le32(lines->bytes.p + off);
	if (len > lines->bytes.len - off || len > r->budget)
		return false;
	r->budget -= len;
	return true;
}

/* "src/Main.hs:49" of an address, into out. */
static struct evl_str place_of(Dwarf_Die *unit, uint64_t code, char out[TEXT_MOST])
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, code);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number = 0;
	if (!file || dwarf_lineno(line, &number) != 0 || number <= 0)
		return (struct evl_str){0};
	int n = snprintf(out, TEXT_MOST, "%.900s:%d", file, number);
	return (struct evl_str){(const uint8_t *)out, (size_t)n};
}

/* The addresses in a function, which are told. */
static void read_function(struct reading *r, Dwarf_Die *unit, Dwarf_Die *function, bool lines)
{
	char place[TEXT_MOST];
	Dwarf_Addr low, high;
	if (dwarf_tag(function) != DW_TAG_subprogram || dwarf_lowpc(function, &low) != 0
		|| dwarf_highpc(function, &high) != 0)
		return;
	size_t i = first_at(r, low);
	if (i == r->n || r->codes[i] >= high)
		return;
	struct evl_str name = name_of(r->f, function);
	for (; i < r->n && r->codes[i] < high; i++)
		r->tell(r->ctx, i, name, lines ? place_of(unit, r->codes[i], place) : (struct evl_str){0});
}

/* GHC's functions are children of the unit, with blocks below them, which are not looked at. */
static void read_unit(struct reading *r, Dwarf_Die *unit)
{
	Dwarf_Addr low, high;
	Dwarf_Die function;
	Dwarf_Off last = 0;
	if (dwarf_tag(unit) != DW_TAG_compile_unit || dwarf_lowpc(unit, &low) != 0 || dwarf_highpc(unit, &high) != 0)
		return;
	size_t i = first_at(r, low);
	if (i == r->n || r->codes[i] >= high || dwarf_child(unit, &function) != 0)
		return;
	bool lines = may_read_lines(r, unit);
	do {
		Dwarf_Off off = dwarf_dieoffset(&function);
		if (off <= last) /* the file may lead back */
			return;
		last = off;
		read_function(r, unit, &function, lines);
	} while (dwarf_siblingof(&function, &function) == 0);
}

void debug_lines(const struct elf_file *f, const uint64_t *codes, size_t n, const atomic_bool *cancel,
	debug_line_fn *tell, void *ctx)
{
	struct reading r = {f, codes, n, cancel, tell, ctx, LINES_MOST};
	const struct elf_section *info = elf_section(f, ".debug_info");
	bool apart = elf_section(f, ".gnu_debugaltlink"); /* names another file, which is not opened */
	Dwarf *dwarf =
		info && !apart && info->bytes.len <= INFO_MOST ? dwarf_begin_elf(f->elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_Off at = 0, next;
	size_t head;
	for (unsigned i = 1; dwarf && dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0 && next > at; i++) {
		Dwarf_Die unit;
		if (dwarf_offdie(dwarf, at + head, &unit))
			read_unit(&r, &unit);
		if (i % LOOK_UP == 0 && is_cancelled(cancel))
			break;
		at = next;
	}
	dwarf_end(dwarf);
}
