#include "tiles.h"

#include <stdlib.h>

struct tile_table *tiles_new(const struct blocks *blocks)
{
	struct tile_table *tables = calloc(blocks->n_chains ? blocks->n_chains : 1, sizeof *tables);
	for (size_t i = 0; tables && i < blocks->n_chains; i++) {
		tables[i].first_t = UINT64_MAX;
		tables[i].n = (blocks->chains[i].len + TILE_BYTES - 1) >> TILE_SHIFT;
		tables[i].tiles = calloc(tables[i].n ? tables[i].n : 1, sizeof *tables[i].tiles);
		tables[i].early = calloc(tables[i].n ? tables[i].n : 1, sizeof *tables[i].early);
		if (!tables[i].tiles || !tables[i].early) {
			tiles_free(tables, i + 1);
			return NULL;
		}
	}
	return tables;
}

void tiles_free(struct tile_table *tables, size_t n)
{
	for (size_t i = 0; tables && i < n; i++)
		free(tables[i].tiles), free(tables[i].early);
	free(tables);
}

void tiles_settle(struct tile_table *tables, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = atomic_load_explicit(&tables[i].ready, memory_order_acquire); k-- > 1;)
			tables[i].early[k - 1] = min_u64(tables[i].early[k - 1], tables[i].early[k]);
		atomic_store_explicit(&tables[i].settled, true, memory_order_release);
	}
}

size_t tiles_before(const struct tile_table *table, size_t ready, uint64_t t)
{
	size_t low = 0, high = ready;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (table->tiles[mid].t < t)
			low = mid;
		else
			high = mid;
	}
	return low;
}
