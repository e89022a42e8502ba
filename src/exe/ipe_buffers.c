#include "exe/ipe_buffers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum { WORD = 8, INLINE_HEAD = 24, PLACED_SIZE = 32, INLINE_SIZE = 40, SYMBOL_TAIL = 4096, STRINGS_MOST = 64 << 20 };
enum { UNPACK_LEAST = 64 << 20, UNPACK_RATIO = 64 };

enum layout { SINGLE, PLACED, INLINE, APART, NUMBERED, SECTION };

static uint64_t word_at(const uint8_t *p, unsigned i) { return le64(p + (size_t)WORD * i); }

/* The pointer at p, which is at that address. */
static uint64_t pointer_at(const struct elf_file *f, const uint8_t *p, uint64_t addr)
{
	uint64_t pointer = le64(p);
	return pointer ? pointer : elf_relocated(f, addr);
}

/* The i-th word of a node, a pointer. */
static uint64_t node_pointer(const struct ipe_buffers *b, const uint8_t *node, unsigned i)
{
	return pointer_at(b->f, node + (size_t)WORD * i, b->at_node + (uint64_t)WORD * i);
}

/* --- buffers ------------------------------------------------------------------------------------------------------- */

static bool ends_with(struct evl_str s, const char *tail)
{
	size_t len = strlen(tail);
	return s.len > len && memcmp(s.p + s.len - len, tail, len) == 0;
}

int ipe_buffers_begin(struct ipe_buffers *b, const struct elf_file *f, const struct elf_symbols *symbols)
{
	*b = (struct ipe_buffers){.f = f};
	for (uint64_t i = 0; i < symbols->n; i++) {
		struct elf_symbol s = elf_symbol(symbols, i);
		if (i % ELF_RELEASE == 0)
			elf_release(symbols->of);
		if (s.section == 0 || s.value % WORD || elf_symbol_is_code(symbols, &s))
			continue;
		struct evl_str name = elf_symbol_name(symbols, &s, SYMBOL_TAIL);
		bool single = ends_with(name, "_ipe");
		if (!single && !ends_with(name, "_ipe_buf"))
			continue;
		if (!GROW(b->nodes, b->n, b->room)) {
			ipe_buffers_free(b);
			return EVL_NOMEM;
		}
		b->nodes[b->n++] = s.value | single;
	}
	ipe_buffers_rewind(b);
	return 0;
}

void ipe_buffers_free(struct ipe_buffers *b)
{
	free(b->nodes);
	buf_free(&b->unpacked[0]);
	buf_free(&b->unpacked[1]);
	buf_free(&b->text);
	*b = (struct ipe_buffers){0};
}

void ipe_buffers_rewind(struct ipe_buffers *b)
{
	uint64_t len = b->f->source.len;
	b->at = 0;
	b->count = b->next = b->unreadable = 0;
	b->budget = len / WORD;
	b->unpack_budget = b->text_budget =
		max_u64(UNPACK_LEAST, len > UINT64_MAX / UNPACK_RATIO ? len : len * UNPACK_RATIO);
}

/* --- layouts ------------------------------------------------------------------------------------------------------- */

/* All bytes from an address to the end of its section. */
static struct evl_str bytes_from(const struct elf_file *f, uint64_t addr)
{
	const struct elf_section *s = elf_section_at(f, addr);
	uint64_t at = s ? addr - s->addr : 0;
	return s && at < s->bytes.len ? (struct evl_str){s->bytes.p + at, s->bytes.len - at} : (struct evl_str){0};
}

/* Decompress a zstd frame of `len` bytes. */
static bool unpack(
	UNUSED struct ipe_buffers *b, UNUSED struct evl_str packed, UNUSED uint64_t size, UNUSED struct buf *out)
{
#ifdef HAVE_ZSTD
	buf_clear(out);
	size_t len = ZSTD_findFrameCompressedSize(packed.p, packed.len);
	if (size == 0 || size > STRINGS_MOST || size > b->unpack_budget || ZSTD_isError(len) || !buf_fits(out, size))
		return false;
	b->unpack_budget -= size;
	size_t got = ZSTD_decompress(out->p, size, packed.p, len);
	out->len = ZSTD_isError(got) ? 0 : got;
	return out->len == size;
#else
	return false;
#endif
}

/* The bytes that a pointer of the buffer leads to. */
static bool follow(
	struct ipe_buffers *b, uint64_t pointer, uint64_t size, bool packed, struct buf *room, struct evl_str *out)
{
	static const uint8_t magic[WORD] = {0, 'E', 'P', 'I', 0, 'E', 'P', 'I'};
	struct evl_str bytes = bytes_from(b->f, pointer);
	if (b->layout == SECTION) {
		if (bytes.len < WORD || memcmp(bytes.p, magic, WORD) != 0)
			return false; /* the section was stripped */
		bytes.p += WORD;
		bytes.len -= WORD;
	}
	if (packed) {
		*out = (struct evl_str){NULL, size};
		bool good = unpack(b, bytes, size, room);
		out->p = (const uint8_t *)room->p;
		return good;
	}
	*out = (struct evl_str){bytes.p, size};
	return size <= bytes.len && size <= STRINGS_MOST;
}

/* The layouts since 9.8: first is the word of `compressed`. */
static bool open_apart(
	struct ipe_buffers *b, const uint8_t *node, size_t len, unsigned first, enum layout layout, unsigned size)
{
	enum { WORDS = 7 };
	bool has_module = layout != APART;
	if (len < (size_t)WORD * (first + WORDS + has_module))
		return false;
	uint64_t compressed = word_at(node, first), count = word_at(node, first + 1);
	struct evl_str entries;
	if (compressed > 1 || count == 0 || count > b->budget || word_at(node, first + 4) != count * size)
		return false;
	b->layout = layout;
	b->at_tables = node_pointer(b, node, first + 2);
	b->tables = elf_at(b->f, b->at_tables, count * WORD);
	if (!b->tables
		|| !follow(b, node_pointer(b, node, first + 3), count * size, compressed, &b->unpacked[0], &entries)
		|| !follow(b, node_pointer(b, node, first + 5), word_at(node, first + 6), compressed, &b->unpacked[1],
			&b->strings))
		return false;
	assert(entries.p && entries.len); /* as count is not 0 */
	b->entries = entries.p;
	b->entry_size = size;
	b->count = count;
	b->module = has_module ? le32(node + (size_t)WORD * (first + WORDS) + 4) : 0;
	return true;
}

/* Does the pointer of an entry at this offset in the node lead to code? */
static bool leads_to_code(const struct ipe_buffers *b, const uint8_t *node, size_t len, size_t off)
{
	if (len < WORD || off > len - WORD)
		return false;
	const struct elf_section *s = elf_section_at(b->f, pointer_at(b->f, node + off, b->at_node + off));
	return s && s->is_code;
}

/* Entries of GHC 9.4 have the place as one text and are 8 bytes shorter than those of 9.6: then the pointer of the second is
 * nearer. If there is no second one, the compiler's version decides. */
static bool has_places(const struct ipe_buffers *b, const uint8_t *node, size_t len, uint64_t count)
{
	static const char version[] = "9.4.";
	struct evl_str ghc = elf_ghc(b->f);
	if (count == 1)
		return ghc.len >= sizeof version && memcmp(ghc.p, version, sizeof version - 1) == 0;
	return !leads_to_code(b, node, len, INLINE_HEAD + INLINE_SIZE)
		&& leads_to_code(b, node, len, INLINE_HEAD + PLACED_SIZE);
}

static bool open_inline(struct ipe_buffers *b, const uint8_t *node, size_t len)
{
	if (len < INLINE_HEAD)
		return false;
	b->strings = bytes_from(b->f, node_pointer(b, node, 1));
	uint64_t count = word_at(node, 2);
	bool places = has_places(b, node, len, count);
	unsigned size = places ? PLACED_SIZE : INLINE_SIZE;
	if (b->strings.len == 0 || count == 0 || count > (len - INLINE_HEAD) / size || count > b->budget)
		return false;
	b->layout = places ? PLACED : INLINE;
	b->entries = node + INLINE_HEAD;
	b->entry_size = size;
	b->count = count;
	return true;
}

static bool open_single(struct ipe_buffers *b, const uint8_t *node, size_t len)
{
	enum { SIZE = 56 };
	b->layout = SINGLE;
	b->entries = node;
	b->entry_size = SIZE;
	b->count = len >= SIZE;
	return b->count;
}

static bool open_node(struct ipe_buffers *b, uint64_t addr)
{
	struct evl_str node = bytes_from(b->f, addr & ~(uint64_t)1);
	b->count = b->next = 0;
	b->at_node = addr & ~(uint64_t)1;
	if (node.len == 0)
		return false;
	if ((addr & 1) && leads_to_code(b, node.p, node.len, 0))
		return open_single(b, node.p, node.len);
	return open_apart(b, node.p, node.len, 2, SECTION, 24) || open_apart(b, node.p, node.len, 1, NUMBERED, 24)
		|| open_apart(b, node.p, node.len, 1, APART, 32) || open_inline(b, node.p, node.len);
}

/* --- entries ------------------------------------------------------------------------------------------------------- */

bool ipe_buffers_next(struct ipe_buffers *b, uint64_t *code)
{
	while (b->next == b->count) {
		if (b->at == b->n)
			return false;
		b->unreadable += !open_node(b, b->nodes[b->at++]);
	}
	if (b->budget == 0)
		return false;
	b->budget--;
	bool inside = b->layout <= INLINE;
	uint64_t off = b->next++ * (inside ? b->entry_size : WORD);
	uint64_t head = inside && b->layout != SINGLE ? INLINE_HEAD : 0;
	*code = inside ? pointer_at(b->f, b->entries + off, b->at_node + head + off)
		       : pointer_at(b->f, b->tables + off, b->at_tables + off);
	return true;
}

static bool take_text(struct ipe_buffers *b, struct evl_str bytes, struct evl_str *out)
{
	bool good = elf_text(bytes, IPE_TEXT, out) && out->len <= b->text_budget;
	b->text_budget -= good ? out->len : 0;
	return good;
}

static bool string_at(struct ipe_buffers *b, uint64_t off, struct evl_str *out)
{
	return off < b->strings.len && take_text(b, (struct evl_str){b->strings.p + off, b->strings.len - off}, out);
}

/* Pointers to all texts; the place is one of them. */
static bool single_entry(struct ipe_buffers *b, struct ipe_entry *out)
{
	struct evl_str *const texts[] = {
		&out->table, &out->closure, &out->type, &out->label, &out->module, &out->location};
	for (unsigned i = 0; i < countof(texts); i++)
		if (!take_text(b, bytes_from(b->f, node_pointer(b, b->entries, i + 1)), texts[i]))
			return false;
	return true;
}

/* As the events have it: "file:span", and the type of the closure in decimal. */
static bool put_texts(
	struct ipe_buffers *b, struct ipe_entry *out, struct evl_str file, struct evl_str span, uint32_t number)
{
	char digits[16];
	bool numbered = b->layout >= NUMBERED;
	int n = numbered ? snprintf(digits, sizeof digits, "%" PRIu32, number) : 0;
	buf_clear(&b->text);
	buf_str(&b->text, file);
	buf_char(&b->text, ':');
	buf_str(&b->text, span);
	buf_put(&b->text, digits, (size_t)n);
	if (b->text.failed)
		return false;
	const uint8_t *text = (const uint8_t *)b->text.p;
	out->location = (struct evl_str){text, b->text.len - (size_t)n};
	if (numbered)
		out->closure = (struct evl_str){text + out->location.len, (size_t)n};
	return true;
}

/* Offsets of all texts, in the order of ipe_entry; the place is one of them. */
static bool placed_entry(struct ipe_buffers *b, const uint8_t *e, struct ipe_entry *out)
{
	struct evl_str *const texts[] = {
		&out->table, &out->closure, &out->type, &out->label, &out->module, &out->location};
	for (size_t i = 0; i < countof(texts); i++)
		if (!string_at(b, le32(e + 4 * i), texts[i]))
			return false;
	return true;
}

bool ipe_buffers_entry(struct ipe_buffers *b, struct ipe_entry *out)
{
	struct evl_str file, span;
	*out = (struct ipe_entry){0};
	if (b->layout == SINGLE)
		return single_entry(b, out);
	bool apart = b->layout >= NUMBERED;
	const uint8_t *e = b->entries + (b->next - 1) * b->entry_size + (b->layout <= INLINE ? WORD : 0);
	unsigned place = apart ? 4 : 5; /* the index of the file */
	if (b->layout == PLACED)
		return placed_entry(b, e, out);
	return string_at(b, le32(e), &out->table) && (apart || string_at(b, le32(e + 4), &out->closure))
		&& string_at(b, le32(e + 8), &out->type) && string_at(b, le32(e + 12), &out->label)
		&& string_at(b, apart ? b->module : le32(e + 16), &out->module)
		&& string_at(b, le32(e + (size_t)4 * place), &file)
		&& string_at(b, le32(e + (size_t)4 * (place + 1)), &span) && put_texts(b, out, file, span, le32(e + 4));
}
