#include "exe/saved_table.h"

#include "base/find.h"
#include "base/gallop.h"
#include "bytes/decompress.h"
#include "exe/elf_file.h"

#include <stdlib.h>

/* Every lookup may have to search all runs. lsm-tree merges them: their number grows with the logarithm of the entries. */
enum { PAGE = 4096, BLOCK = 512, MAGIC_AT = 257, RUNS_MOST = 128, ENTRIES_MOST = 1 << 22 };
#define ARCHIVE_MOST (1ull << 30) /* bytes */

static uint16_t le16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }

/* --- pages --------------------------------------------------------------------------------------------------------- */

/* A page: number of entries, places of the arrays of operations and of key offsets. */
struct page {
	const uint8_t *p;
	uint64_t room; /* bytes of the run from here */
	unsigned n, operations, offsets;
};

/* An inserted value has operation 0, one that was merged 1; a deleted key 2. */
enum { DELETED = 2 };

/* Bytes of an array of bits, which ends at a word. */
static unsigned bytes_of_bits(unsigned bits) { return (bits + 63) / 64 * 8; }

static bool read_page(struct page *page, const uint8_t *p, uint64_t room)
{
	enum { HEAD = 8 };
	*page = (struct page){.p = p, .room = room};
	if (room < PAGE)
		return false;
	page->n = le16(p);
	page->operations = HEAD + bytes_of_bits(page->n);
	page->offsets = le16(p + 4);
	unsigned last = page->offsets + 2 * page->n + (page->n == 1 ? 6 : 2 * (page->n + 1));
	return page->n && page->operations + bytes_of_bits(2 * page->n) <= page->offsets && last <= PAGE;
}

/* The offsets of values follow those of keys. A single entry ends at an offset of 32 bits. */
static uint64_t offset_at(const struct page *page, unsigned i)
{
	const uint8_t *p = page->p + page->offsets + 2 * i;
	return page->n == 1 && i == 2 ? le32(p) : le16(p);
}

static struct evl_str key_at(const struct page *page, unsigned i)
{
	uint64_t from = offset_at(page, i), to = offset_at(page, i + 1);
	return from <= to && to <= PAGE ? (struct evl_str){page->p + from, to - from} : (struct evl_str){0};
}

/* False if it was deleted, or lies outside of the page; that of a single entry, of the run. */
static bool value_at(const struct page *page, unsigned i, struct evl_str *value)
{
	uint64_t from = offset_at(page, page->n + i), to = offset_at(page, page->n + i + 1);
	unsigned operation = page->p[page->operations + i / 4] >> i % 4 * 2 & 3;
	if (operation >= DELETED || from > to || to > (page->n == 1 ? page->room : PAGE))
		return false;
	*value = (struct evl_str){page->p + from, to - from};
	return true;
}

static bool number_of(struct evl_str key, unsigned size, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < key.len && i < size; i++)
		*out = *out << 8 | key.p[i];
	return key.len == size;
}

/* Note where each page begins, so that pages can be searched. */
static bool add_run(struct saved_table *t, const uint8_t *pages, uint64_t len)
{
	struct page page;
	if (!GROW(t->runs, t->n_runs, t->room_runs))
		return false;
	struct saved_run *run = &t->runs[t->n_runs++];
	*run = (struct saved_run){.pages = pages, .len = len, .first = t->n_starts};
	for (uint64_t at = 0; len - at >= PAGE;) {
		bool good = read_page(&page, pages + at, len - at);
		uint64_t end = good && page.n == 1 ? offset_at(&page, 2) : PAGE;
		if (good && !GROW(t->starts, t->n_starts, t->room_starts))
			return false;
		if (good)
			t->starts[t->n_starts++] = (uint32_t)(at / PAGE);
		uint64_t bytes = end <= PAGE ? PAGE : (end + PAGE - 1) / PAGE * PAGE;
		at = bytes < len - at ? at + bytes : len;
	}
	run->n = t->n_starts - run->first;
	return true;
}

static bool page_of(const struct saved_table *t, const struct saved_run *run, size_t i, struct page *page)
{
	uint64_t at = (uint64_t)t->starts[run->first + i] * PAGE;
	return read_page(page, run->pages + at, run->len - at);
}

/* The first key of a page; keys of another size are before all others. */
static uint64_t first_key(const struct saved_table *t, const struct saved_run *run, size_t i, unsigned size)
{
	struct page page;
	uint64_t key;
	return page_of(t, run, i, &page) && number_of(key_at(&page, 0), size, &key) ? key : 0;
}

static bool find_in(
	const struct saved_table *t, const struct saved_run *run, uint64_t wanted, unsigned size, struct evl_str *value)
{
	struct page page;
	uint64_t key = 0;
	BISECT(after, run->n, first_key(t, run, mid, size) <= wanted);
	if (after == 0 || !page_of(t, run, after - 1, &page))
		return false;
	BISECT(at, page.n, number_of(key_at(&page, (unsigned)mid), size, &key) && key < wanted);
	return at < page.n && number_of(key_at(&page, (unsigned)at), size, &key) && key == wanted
		&& value_at(&page, (unsigned)at, value);
}

bool saved_table_find(const struct saved_table *t, uint64_t key, unsigned size, struct evl_str *value)
{
	for (size_t i = 0; i < t->n_runs; i++)
		if (find_in(t, &t->runs[i], key, size, value))
			return true;
	return false;
}

void saved_table_each(const struct saved_table *t, unsigned size,
	bool (*take)(void *ctx, uint64_t key, struct evl_str value), void *ctx)
{
	struct page page;
	struct evl_str value;
	uint64_t key;
	size_t left = ENTRIES_MOST;
	for (size_t r = 0; r < t->n_runs; r++)
		for (size_t k = 0; k < t->runs[r].n && page_of(t, &t->runs[r], k, &page) && page.n <= left; k++) {
			left -= page.n;
			for (unsigned i = 0; i < page.n; i++)
				if (number_of(key_at(&page, i), size, &key) && value_at(&page, i, &value)
					&& !take(ctx, key, value))
					return;
		}
}

/* --- the archive ----------------------------------------------------------------------------------------------------- */

static bool is_tar(const uint8_t *data, uint64_t len)
{
	return len >= BLOCK && memcmp(data + MAGIC_AT, "ustar", 5) == 0;
}

bool saved_table_is(const uint8_t *data, uint64_t len) { return is_tar(data, len) || unpack_knows(data, len); }

/* In octal, or, if the first bit is set, in binary. UINT64_MAX where it is neither. */
static uint64_t size_of(const uint8_t *head)
{
	enum { AT = 124, DIGITS = 12 };
	const uint8_t *p = head + AT;
	uint64_t size = 0;
	int i = 0;
	if (*p & 0x80) {
		for (i = DIGITS - 8; i < DIGITS; i++)
			size = size << 8 | p[i];
		return size;
	}
	while (i < DIGITS && p[i] == ' ')
		i++;
	for (; i < DIGITS && p[i] >= '0' && p[i] <= '7'; i++)
		size = size << 3 | (uint64_t)(p[i] - '0');
	return i == DIGITS || p[i] == 0 || p[i] == ' ' ? size : UINT64_MAX;
}

static bool is_called(const uint8_t *head, const char *ending)
{
	enum { NAME = 100 };
	const uint8_t *end = memchr(head, 0, NAME);
	return str_ends((struct evl_str){head, end ? (size_t)(end - head) : NAME}, ending);
}

/* Tables of both tools have this label; the number grows with the layout of their values. */
static bool has_label(struct evl_str metadata)
{
	static const char label[] = "ipedb:1";
	const uint8_t *at = find_bytes(metadata.p, metadata.len, label, sizeof label - 1);
	size_t rest = at ? (size_t)(metadata.p + metadata.len - at) - (sizeof label - 1) : 0;
	return at && (rest == 0 || at[sizeof label - 1] < '0' || at[sizeof label - 1] > '9');
}

static int read_archive(struct saved_table *t, const char *path, struct evl_err *err)
{
	enum { TYPE_AT = 156 };
	const uint8_t *data = t->source.data;
	uint64_t len = t->source.len;
	bool labelled = false, cut = false;
	uint64_t at = 0, zeros = 0;
	if (len > ARCHIVE_MOST)
		return evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: too large for a table of ipedb or ccdb", path);
	while (!cut && is_tar(data + at, len - at)) {
		const uint8_t *head = data + at;
		uint64_t size = size_of(head), room = len - at - BLOCK;
		bool is_file = head[TYPE_AT] == '0' || head[TYPE_AT] == 0;
		struct evl_str bytes = {head + BLOCK, min_u64(size, room)};
		if (is_file && is_called(head, "/metadata"))
			labelled = labelled || has_label(bytes);
		if (is_file && is_called(head, ".keyops") && t->n_runs == RUNS_MOST)
			return evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: has too many runs", path);
		if (is_file && is_called(head, ".keyops") && !add_run(t, bytes.p, bytes.len))
			return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
		cut = size > room;
		at = cut ? len : min_u64(len, at + BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK);
	}
	if (!labelled)
		return evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET,
			"%s: not a table of ipedb or ccdb, or of another version than 0.2", path);
	while (zeros < BLOCK && at + zeros < len && data[at + zeros] == 0)
		zeros++;
	cut = t->source.truncated || zeros < BLOCK; /* a block of zeros ends an archive */
	return cut ? evl_fail(err, EVL_NOT_A_LOG, EVL_NO_OFFSET, "%s: the archive is truncated", path) : 0;
}

static bool go_on(UNUSED void *ctx, UNUSED uint64_t done, UNUSED uint64_t total) { return true; }

int saved_table_open(struct saved_table *t, struct source *source, const char *path, struct evl_err *err)
{
	const struct decompress_watch watch = {.tell = go_on, .most = ARCHIVE_MOST, .any = true};
	int result = 0;
	*t = (struct saved_table){.source = *source};
	if (unpack_knows(source->data, source->len))
		result = unpack(&t->source, path, &watch, err);
	if (result < 0) {
		t->source = (struct source){.slot = -1};
		return result;
	}
	result = read_archive(t, path, err);
	if (result < 0)
		saved_table_close(t);
	return result;
}

void saved_table_close(struct saved_table *t)
{
	free_all(t->runs, t->starts);
	source_close(&t->source);
	*t = (struct saved_table){.source = {.slot = -1}};
}

/* --- values -------------------------------------------------------------------------------------------------------- */

static uint8_t byte_of(struct saved_value *v)
{
	v->bad = v->bad || v->rest.len == 0;
	if (v->bad)
		return 0;
	v->rest.len--;
	return *v->rest.p++;
}

/* LEB128: seven bits a byte, the lowest first. */
static uint64_t varying(struct saved_value *v)
{
	enum { MOST = 63 };
	uint64_t n = 0;
	for (unsigned shift = 0; shift <= MOST; shift += 7) {
		uint8_t byte = byte_of(v);
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return n;
	}
	v->bad = true;
	return 0;
}

struct evl_str saved_text(struct saved_value *v)
{
	uint64_t len = varying(v);
	v->bad = v->bad || len > v->rest.len;
	if (v->bad)
		return (struct evl_str){0};
	struct evl_str text = {v->rest.p, len};
	v->rest = (struct evl_str){v->rest.p + len, v->rest.len - len};
	return text;
}

uint64_t saved_number(struct saved_value *v, unsigned bytes)
{
	uint64_t n = 0;
	while (bytes--)
		n = n << 8 | byte_of(v);
	return n;
}

/* As GHC writes it: ":", "12:3", "12:3-9" or "(12,9)-(14,20)" after the file and a colon. */
void saved_place(struct saved_value *v, struct buf *out)
{
	enum { FILE_ONLY = 1, POINT, LINE, LINES, MOST = 1 << 16 };
	uint64_t n[4] = {0};
	struct evl_str file = saved_text(v);
	unsigned kind = byte_of(v);
	v->bad = v->bad || kind < FILE_ONLY || kind > LINES || file.len > MOST;
	for (unsigned i = 0; !v->bad && i < (kind == FILE_ONLY ? 0 : kind); i++)
		n[i] = varying(v);
	if (v->bad)
		return;
	buf_str(out, file);
	buf_char(out, ':');
	if (kind == LINES)
		buf_char(out, '(');
	if (kind != FILE_ONLY) {
		buf_decimal(out, n[0]);
		buf_char(out, kind == LINES ? ',' : ':');
		buf_decimal(out, n[1]);
	}
	if (kind == LINE) {
		buf_char(out, '-');
		buf_decimal(out, n[2]);
	}
	if (kind == LINES) {
		buf_lit(out, ")-(");
		buf_decimal(out, n[2]);
		buf_char(out, ',');
		buf_decimal(out, n[3]);
		buf_char(out, ')');
	}
}
