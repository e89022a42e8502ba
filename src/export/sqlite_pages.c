/* The format: https://www.sqlite.org/fileformat2.html, sections 1.3, 1.6, 2.1. */
#include "export/sqlite_pages.h"

#include "export/proto.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { INDEX_INNER = 2, TABLE_INNER = 5, INDEX_LEAF = 10, TABLE_LEAF = 13 };
enum { LEAF_HEAD = 8, INNER_HEAD = 12, POINTER = 2, CHILD = 4, VARINT_MOST = 9 };
enum { PENDING = 0x40000000 / SQLITE_PAGE + 1 }; /* the page whose bytes SQLite locks: it is never used */
enum {
	TABLE_WHOLE = SQLITE_PAGE - 35, /* longer payloads continue on overflow pages */
	LEAST_LOCAL = (SQLITE_PAGE - 12) * 32 / 255 - 23
};

static inline void put_be(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--, v >>= 8)
		p[i] = (uint8_t)v;
}

/* Write the lowest bytes of a number where there is room for all eight. Return the end of them. */
static inline uint8_t *put_lowest(uint8_t *p, uint64_t v, unsigned bytes)
{
	v = __builtin_bswap64(v << 8 * (8 - bytes) % 64);
	memcpy(p, &v, sizeof v);
	return p + bytes;
}

/* Seven bits a byte, the highest first; the ninth byte has eight. Return the bytes written to p. */
static inline unsigned put_varint(uint8_t *p, uint64_t v)
{
	unsigned n = 1;
	if (v < 0x80) {
		*p = (uint8_t)v;
		return 1;
	}
	if (v < 1 << 14) {
		p[0] = (uint8_t)(v >> 7 | 0x80);
		p[1] = (uint8_t)(v & 0x7f);
		return 2;
	}
	if (v >> 56) {
		p[8] = (uint8_t)v;
		v >>= 8;
		for (int i = 7; i >= 0; i--, v >>= 7)
			p[i] = (uint8_t)(v | 0x80);
		return VARINT_MOST;
	}
	while (n < 8 && v >> 7 * n)
		n++;
	for (unsigned i = n; i-- > 0; v >>= 7)
		p[i] = (uint8_t)((v & 0x7f) | (i + 1 < n ? 0x80 : 0));
	return n;
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

static uint32_t next_page(struct sqlite_pages *p)
{
	if (p->n >= UINT32_MAX - 2) {
		p->error = EVL_IO;
		errno = EFBIG;
	}
	p->n += p->n + 1 == PENDING ? 2 : 1;
	return p->n;
}

static void write_at(struct sqlite_pages *p, const void *bytes, size_t len, uint64_t at)
{
	for (size_t done = 0; done < len && !p->error;) {
		ssize_t put = pwrite(p->fd, (const char *)bytes + done, len - done, (off_t)(at + done));
		if (put > 0)
			done += (size_t)put;
		else if (put == 0 || errno != EINTR)
			p->error = EVL_IO;
	}
}

static void write_page(struct sqlite_pages *p, uint32_t number, const uint8_t *page)
{
	write_at(p, page, SQLITE_PAGE, (uint64_t)(number - 1) * SQLITE_PAGE);
}

/* Pages that list the unused ones, themselves among these: each has the number of the next one, and how many it lists. */
static void write_unused(struct sqlite_pages *p, uint8_t *page)
{
	enum { LISTED = SQLITE_PAGE / CHILD - 8 };
	for (size_t i = 0; i < p->n_unused && !p->error;) {
		const uint32_t number = p->unused[i++];
		const size_t n = min_u64(p->n_unused - i, LISTED);
		memset(page, 0, SQLITE_PAGE);
		put_be(page, i + n < p->n_unused ? p->unused[i + n] : 0, CHILD);
		put_be(page + CHILD, n, CHILD);
		for (size_t k = 0; k < n; k++)
			put_be(page + 2 * CHILD + k * CHILD, p->unused[i + k], CHILD);
		write_page(p, number, page);
		i += n;
	}
}

void sqlite_pages_end(struct sqlite_pages *p)
{
	enum { SIZE_AT = 28, UNUSED_AT = 4 }; /* UNUSED_AT: after it */
	uint8_t head[3 * CHILD];
	uint8_t *page = p->n_unused ? malloc(SQLITE_PAGE) : NULL;
	put_be(head, p->n, CHILD);
	put_be(head + UNUSED_AT, p->n_unused ? p->unused[0] : 0, CHILD);
	put_be(head + UNUSED_AT + CHILD, p->n_unused, CHILD);
	if (page)
		write_unused(p, page);
	else if (p->n_unused)
		p->error = EVL_NOMEM;
	write_at(p, head, p->n_unused ? sizeof head : CHILD, SIZE_AT);
	free(page);
	free(p->unused);
	p->unused = NULL;
	p->n_unused = 0;
}

/* --- trees --------------------------------------------------------------------------------------------------------- */

static unsigned head_of(unsigned level) { return level ? INNER_HEAD : LEAF_HEAD; }

/* Write the page of a level: under a new number, or as the root. Return the number; the level is empty then. */
static uint32_t flush(struct sqlite_tree *t, unsigned level, bool is_root)
{
	struct sqlite_level *l = &t->levels[level];
	unsigned end = head_of(level) + POINTER * l->n;
	uint32_t number = is_root ? t->root : next_page(t->file);
	if (t->is_index && !is_root && GROW(t->pages, t->n_pages, t->room))
		t->pages[t->n_pages++] = number;
	else if (t->is_index && !is_root)
		t->file->error = EVL_NOMEM;
	l->page[0] = t->is_index ? (level ? INDEX_INNER : INDEX_LEAF) : level ? TABLE_INNER : TABLE_LEAF;
	put_be(l->page + 1, 0, 2);
	put_be(l->page + 3, l->n, 2);
	put_be(l->page + 5, l->low, 2);
	l->page[7] = 0;
	memset(l->page + end, 0, l->low - end);
	write_page(t->file, number, l->page);
	l->n = 0;
	l->low = SQLITE_PAGE;
	return number;
}

static bool has_level(struct sqlite_tree *t, unsigned level)
{
	if (level < t->n)
		return true;
	assert(level == t->n && level < countof(t->levels));
	uint8_t *page = malloc(SQLITE_PAGE);
	if (!page) {
		t->file->error = EVL_NOMEM;
		return false;
	}
	t->levels[t->n++] = (struct sqlite_level){.page = page, .low = SQLITE_PAGE};
	return true;
}

/* Append a cell to a page of the level. If it is full, it is written, and its last cell moves up as what divides it from
 * the page after it: of the leaves of a table only a copy of the rowid does. */
static void append(struct sqlite_tree *t, unsigned level, struct evl_str head, struct evl_str rest)
{
	const size_t len = head.len + rest.len;
	uint8_t moved[SQLITE_PAGE / 4], *body = moved + CHILD;
	size_t moved_len = 0;
	if (t->file->error || !has_level(t, level))
		return;
	struct sqlite_level *l = &t->levels[level];
	if (l->low < head_of(level) + POINTER * (l->n + 1) + len) {
		const uint8_t *last = l->page + l->low;
		unsigned first = l->n > 1 ? (unsigned)(l->page[head_of(level) + POINTER * (l->n - 2)] << 8
					 | l->page[head_of(level) + POINTER * (l->n - 2) + 1])
					  : SQLITE_PAGE;
		if (level == 0 && !t->is_index) {
			moved_len = put_varint(body, t->rowid - 1); /* the row before this one */
		} else {
			unsigned skip = level ? CHILD : 0;
			moved_len = first - l->low - skip;
			assert(l->n > 1 && moved_len <= sizeof moved - CHILD);
			memcpy(body, last + skip, moved_len);
			if (level)
				memcpy(l->page + LEAF_HEAD, last, CHILD); /* its child is the last one of this page */
			l->n--;
			l->low = first;
		}
		put_be(moved, flush(t, level, false), CHILD);
		append(t, level + 1, (struct evl_str){moved, CHILD + moved_len}, EVL_STR(""));
		if (t->file->error)
			return;
	}
	l->low -= (unsigned)len;
	memcpy(l->page + l->low, head.p, head.len);
	memcpy(l->page + l->low + head.len, rest.p, rest.len);
	put_be(l->page + head_of(level) + POINTER * l->n++, l->low, POINTER);
}

void sqlite_tree_end(struct sqlite_tree *t)
{
	for (unsigned i = 0; i < t->n && !t->file->error; i++) {
		uint32_t number = flush(t, i, i + 1 == t->n);
		if (i + 1 < t->n)
			put_be(t->levels[i + 1].page + LEAF_HEAD, number, CHILD);
	}
}

void sqlite_tree_free(struct sqlite_tree *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->levels[i].page);
	buf_free(&t->cell);
	buf_free(&t->record);
	free(t->pages);
	t->pages = NULL;
	t->n = 0;
}

void sqlite_tree_drop(struct sqlite_tree *t)
{
	struct sqlite_pages *p = t->file;
	for (size_t i = 0; i < t->n_pages && !p->error; i++)
		if (GROW(p->unused, p->n_unused, p->room))
			p->unused[p->n_unused++] = t->pages[i];
		else
			p->error = EVL_NOMEM;
	sqlite_tree_free(t);
	t->n_pages = 0;
}

/* --- records ------------------------------------------------------------------------------------------------------- */

/* The bytes of an integer, by its serial type; 0 and 1 take none. */
static const uint8_t bytes_of_type[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
enum { REAL_TYPE = 7, TEXT_TYPE = 13 };

static inline unsigned type_of_integer(int64_t v)
{
	uint64_t size = v < 0 ? ~(uint64_t)v : (uint64_t)v;
	if (v == 0 || v == 1)
		return 8 + (unsigned)v;
	unsigned bits = 65 - (unsigned)__builtin_clzll(size | 1);
	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 24 ? 3 : bits <= 32 ? 4 : bits <= 48 ? 5 : 6;
}

/* The cell as its column keeps it: what SQLite's affinities make of it. */
static inline struct datum keep(struct datum c, uint8_t affinity)
{
	const double most = 9007199254740992.0;
	if (c.kind == CELL_BOOL)
		c.kind = CELL_COUNT;
	if (c.kind == CELL_COUNT && c.count > INT64_MAX)
		c = cell_real((double)c.count);
	else if (c.kind == CELL_COUNT)
		c = cell_signed((int64_t)c.count);
	if (c.kind == CELL_REAL && affinity == SQLITE_NUMERICAL && c.real > -most && c.real < most
		&& (double)(int64_t)c.real >= c.real && (double)(int64_t)c.real <= c.real)
		c = cell_signed((int64_t)c.real);
	assert(c.kind == CELL_UNKNOWN || (c.kind == CELL_TEXT) == (affinity == SQLITE_TEXTUAL));
	return c;
}

/* Serial types into types, which has room, and the values into the record. Return the bytes of the types. */
static unsigned put_values(
	struct buf *record, const struct datum *cells, const uint8_t *affinity, int n, uint8_t *types)
{
	unsigned len = 0;
	if (!buf_fits(record, (size_t)n * 8))
		return 0;
	for (int i = 0; i < n; i++) {
		struct datum c = keep(cells[i], affinity[i]);
		uint8_t *p = (uint8_t *)record->p + record->len;
		uint64_t bits;
		size_t at = record->len;
		unsigned type;
		switch (c.kind) {
		case CELL_SIGNED:
			type = type_of_integer(c.number);
			types[len++] = (uint8_t)type;
			put_lowest(p, (uint64_t)c.number, bytes_of_type[type]);
			record->len += bytes_of_type[type];
			break;
		case CELL_REAL:
			types[len++] = REAL_TYPE;
			memcpy(&bits, &c.real, sizeof bits);
			put_lowest(p, bits, sizeof bits);
			record->len += sizeof bits;
			break;
		case CELL_TEXT:
			proto_clean(record, c.text);
			len += put_varint(types + len, TEXT_TYPE + 2 * (uint64_t)(record->len - at));
			if (!buf_fits(record, (size_t)(n - i) * 8))
				return len;
			break;
		default: types[len++] = 0; break;
		}
	}
	return len;
}

/* Write pages with the number of the next one at the start of each. Return the number of the first. */
static uint32_t put_overflow(struct sqlite_tree *t, const uint8_t *p, size_t len)
{
	enum { ROOM = SQLITE_PAGE - CHILD };
	uint8_t *page = calloc(1, SQLITE_PAGE);
	uint32_t first = 0, number = page ? next_page(t->file) : 0;
	if (!page)
		t->file->error = EVL_NOMEM;
	for (first = number; len > 0 && !t->file->error;) {
		size_t part = len < ROOM ? len : ROOM;
		uint32_t next = len > part ? next_page(t->file) : 0;
		put_be(page, next, CHILD);
		memcpy(page + CHILD, p, part);
		memset(page + CHILD + part, 0, ROOM - part);
		write_page(t->file, number, page);
		number = next;
		p += part;
		len -= part;
	}
	free(page);
	return first;
}

void sqlite_tree_row(struct sqlite_tree *t, const struct datum *cells, const uint8_t *affinity, int n)
{
	enum { MOST_COLUMNS = 64 };
	uint8_t head[VARINT_MOST * (MOST_COLUMNS + 3)], types[VARINT_MOST * MOST_COLUMNS];
	assert(n <= MOST_COLUMNS && !t->is_index);
	buf_clear(&t->record);
	unsigned types_len = put_values(&t->record, cells, affinity, n, types);
	unsigned head_len = types_len + (types_len < 0x7f ? 1 : 2); /* with its own length */
	size_t payload = head_len + t->record.len, local = payload;
	unsigned at = put_varint(head, payload);
	at += put_varint(head + at, ++t->rowid);
	at += put_varint(head + at, head_len);
	memcpy(head + at, types, types_len);
	at += types_len;
	if (payload > TABLE_WHOLE) {
		local = LEAST_LOCAL + (payload - LEAST_LOCAL) % (SQLITE_PAGE - CHILD);
		local = local <= TABLE_WHOLE ? local : LEAST_LOCAL;
	}
	assert(local >= head_len);
	if (t->record.failed) {
		t->file->error = EVL_NOMEM;
		return;
	}
	struct evl_str rest = {(const uint8_t *)t->record.p, local - head_len};
	if (payload > local) {
		buf_clear(&t->cell);
		buf_str(&t->cell, rest);
		buf_be(&t->cell, put_overflow(t, rest.p + rest.len, payload - local), CHILD);
		rest = buf_since(&t->cell, 0);
		if (t->cell.failed)
			t->file->error = EVL_NOMEM;
	}
	append(t, 0, (struct evl_str){head, at}, rest);
}

void sqlite_tree_key(struct sqlite_tree *t, uint64_t key, uint64_t rowid)
{
	enum { TYPES = 3 };
	uint8_t cell[1 + TYPES + 2 * sizeof key + sizeof key];
	unsigned key_type = type_of_integer((int64_t)key), row_type = type_of_integer((int64_t)rowid);
	unsigned key_len = bytes_of_type[key_type], row_len = bytes_of_type[row_type];
	assert(t->is_index && key <= INT64_MAX);
	cell[0] = (uint8_t)(TYPES + key_len + row_len);
	cell[1] = TYPES;
	cell[2] = (uint8_t)key_type;
	cell[3] = (uint8_t)row_type;
	const uint8_t *end = put_lowest(put_lowest(cell + 1 + TYPES, key, key_len), rowid, row_len);
	append(t, 0, (struct evl_str){cell, (size_t)(end - cell)}, EVL_STR(""));
}
