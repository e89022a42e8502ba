/* saved.h - archives as ipedb and ccdb save them, made in memory: pages of keys and values in a tar archive. */
#ifndef EVL_SAVED_H
#define EVL_SAVED_H

#include "base/buf.h"

#include <stdio.h>

enum { SAVED_PAGE = 4096, SAVED_BLOCK = 512, SAVED_ROOM = 4000 };

struct saved_pair {
	uint64_t key;
	struct buf value;
};

static inline void saved_le(struct buf *b, uint64_t v, unsigned bytes)
{
	for (; bytes--; v >>= 8)
		buf_char(b, (char)v);
}

static inline void saved_be(struct buf *b, uint64_t v, unsigned bytes)
{
	while (bytes--)
		buf_char(b, (char)(v >> 8 * bytes));
}

static inline void saved_leb(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)v);
}

static inline void saved_put_text(struct buf *b, struct evl_str s)
{
	saved_leb(b, s.len);
	buf_str(b, s);
}

/* A place such as "src/Main.hs:12:3-9", "M.hs:(12,9)-(14,20)", "M.hs:1:2" or ":". */
static inline void saved_put_place(struct buf *b, const char *place)
{
	unsigned n[4];
	char file[256] = "";
	int count = 3;
	if (sscanf(place, "%255[^:]:(%u,%u)-(%u,%u)", file, &n[0], &n[1], &n[2], &n[3]) == 5)
		count = 4;
	else if (sscanf(place, "%255[^:]:%u:%u-%u", file, &n[0], &n[1], &n[2]) != 4)
		count = sscanf(place, "%255[^:]:%u:%u", file, &n[0], &n[1]) == 3 ? 2 : 0;
	saved_put_text(b, (struct evl_str){(const uint8_t *)file, strlen(file)});
	buf_char(b, (char)(count ? count : 1));
	for (int i = 0; i < count; i++)
		saved_leb(b, n[i]);
}

/* One page of n pairs; more of them if its only value is large. */
static inline void saved_put_page(struct buf *b, const struct saved_pair *pairs, unsigned n, unsigned size)
{
	size_t begin = b->len;
	unsigned bits = (n + 63) / 64 * 8, operations = (2 * n + 63) / 64 * 8;
	unsigned offsets = 8 + bits + operations;
	unsigned keys = offsets + 2 * n + (n == 1 ? 6 : 2 * (n + 1)), values = keys + n * size;
	saved_le(b, n, 2);
	saved_le(b, 0, 2);
	saved_le(b, offsets, 2);
	saved_le(b, 0, 2 + bits + operations);
	for (unsigned i = 0; i < n; i++)
		saved_le(b, keys + i * size, 2);
	for (unsigned i = 0, at = values; i <= n; at += i < n ? (unsigned)pairs[i].value.len : 0, i++)
		saved_le(b, at, n == 1 && i == 1 ? 4 : 2);
	for (unsigned i = 0; i < n; i++)
		saved_be(b, pairs[i].key, size);
	for (unsigned i = 0; i < n; i++)
		buf_put(b, pairs[i].value.p, pairs[i].value.len);
	while ((b->len - begin) % SAVED_PAGE)
		buf_char(b, 0);
}

static inline void saved_put_file(struct buf *tar, const char *name, const struct buf *bytes)
{
	char head[SAVED_BLOCK] = "";
	snprintf(head, 100, "%s", name);
	snprintf(head + 124, 12, "%011zo", bytes->len);
	head[156] = '0';
	memcpy(head + 257,
		"ustar\000"
		"00",
		8);
	memset(head + 148, ' ', 8);
	unsigned sum = 0;
	for (size_t i = 0; i < sizeof head; i++)
		sum += (uint8_t)head[i];
	snprintf(head + 148, 8, "%06o", sum);
	buf_put(tar, head, sizeof head);
	buf_put(tar, bytes->p, bytes->len);
	while (tar->len % SAVED_BLOCK)
		buf_char(tar, 0);
}

/* Write an archive of pairs with ascending keys of `size` bytes, in two runs: those at even and at odd places. */
static inline void saved_put_archive(struct buf *tar, const struct saved_pair *pairs, size_t n, unsigned size)
{
	struct buf run = {0}, metadata = {0};
	char name[32];
	buf_lit(&metadata, "\x82\x02\x84gipedb:1\x81\x00");
	saved_put_file(tar, "data/metadata", &metadata);
	for (size_t parity = 0; parity < 2; parity++) {
		struct saved_pair page[64];
		unsigned on = 0;
		size_t used = 0;
		buf_clear(&run);
		for (size_t i = parity; i < n; i += 2) {
			if (on && (on == 64 || used + pairs[i].value.len > SAVED_ROOM - 64 * 12)) {
				saved_put_page(&run, page, on, size);
				on = 0;
				used = 0;
			}
			page[on++] = pairs[i];
			used += pairs[i].value.len;
		}
		if (on)
			saved_put_page(&run, page, on, size);
		snprintf(name, sizeof name, "data/%zu.keyops", parity);
		saved_put_file(tar, name, &run);
	}
	buf_put(tar, (char[2 * SAVED_BLOCK]){0}, 2 * (size_t)SAVED_BLOCK);
	buf_free(&run);
	buf_free(&metadata);
}

#endif
