/* warp.h - rewrite a log as that of a different run: longer or shorter collections, random variation.
 *
 * Each collection takes `factor` times as long, with a random factor for each (5 %) and one for the run (1 %); the
 * time outside of collections has a random factor for the run (1 %), too. All later events move accordingly. Order,
 * events and payloads stay the same, except for the ends of blocks. For tests of `evtui compare`: one log becomes many
 * runs. */
#ifndef TESTS_WARP_H
#define TESTS_WARP_H

#include "gc/gc_pauses.h"
#include "index/cursor.h"
#include "log/log.h"

#include <math.h>
#include <stdlib.h>

static uint64_t warp_state;

static double warp_uniform(void)
{
	uint64_t z = warp_state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double warp_gauss(void) { return sqrt(-2 * log(warp_uniform())) * cos(6.283185307179586 * warp_uniform()); }

/* From `from` on time runs `slope` times as fast, and begins at `at`. */
struct warp_piece {
	uint64_t from;
	double at, slope;
};

static struct {
	struct warp_piece *items;
	size_t n, room;
} warp_pieces;

static bool warp_add(uint64_t from, double at, double slope)
{
	if (!GROW(warp_pieces.items, warp_pieces.n, warp_pieces.room))
		return false;
	warp_pieces.items[warp_pieces.n++] = (struct warp_piece){from, at, slope};
	return true;
}

static uint64_t warp_moved(uint64_t t)
{
	size_t low = 0, high = warp_pieces.n;
	if (t <= warp_pieces.items[0].from)
		return t;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (warp_pieces.items[middle].from <= t)
			low = middle;
		else
			high = middle;
	}
	const struct warp_piece *p = &warp_pieces.items[low];
	return (uint64_t)(p->at + (double)(t - p->from) * p->slope + 0.5);
}

static void warp_store(uint8_t *p, uint64_t t)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(t >> (56 - 8 * i));
}

/* The pauses, in order: pieces with different slopes. */
static bool warp_make(const struct evl_log *log, double factor)
{
	struct gc_pauses pauses;
	uint64_t first, last;
	double run = factor * exp(0.01 * warp_gauss()), mutator = exp(0.01 * warp_gauss());
	if (!evl_range(log, &first, &last) || gc_pauses_make(&pauses, &log->gcs, 0, UINT64_MAX, NULL) < 0)
		return false;
	double now = (double)first;
	uint64_t at = first;
	bool good = warp_add(first, now, mutator);
	for (size_t i = 0; good && i < pauses.n; i++) {
		struct pause pause = gc_pauses_at(&pauses, i);
		uint64_t from = pause.from, to = pause.to;
		double slope = run * exp(0.05 * warp_gauss());
		if (from < at)
			continue;
		now += (double)(from - at) * mutator;
		good = warp_add(from, now, slope);
		now += (double)(to - from) * slope;
		good = good && warp_add(to, now, mutator);
		at = to;
	}
	gc_pauses_free(&pauses);
	return good;
}

/* Move the times of all events; block markers are among them. out: a copy of the log's bytes. */
static void warp_move(const struct evl_log *log, uint8_t *out)
{
	const uint8_t *data = log->source.data;
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		struct frame f;
		const struct block *block;
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &f, &block)) {
			warp_store(out + f.off + 2, warp_moved(f.t));
			if (f.tag == EVL_BLOCK_MARKER)
				warp_store(out + f.off + 14, warp_moved(be64(data + f.off + 14)));
		}
	}
}

/* The bytes of the log as they would be, source.len of them, malloc'ed; NULL: memory is out, or it has no events. */
static uint8_t *warp(const struct evl_log *log, double factor, uint64_t seed)
{
	uint8_t *out = malloc(log->source.len ? log->source.len : 1);
	warp_state = seed * 1000003;
	warp_pieces.n = 0;
	if (out && warp_make(log, factor)) {
		memcpy(out, log->source.data, log->source.len);
		warp_move(log, out);
		return out;
	}
	free(out);
	return NULL;
}

#endif
