#define HASH_NONFATAL_OOM              1
#define HASH_FUNCTION(key, len, value) ((value) = hash_of((key), (len), table_seed))
#define HASH_KEYCMP(a, b, n)           ((n) ? memcmp((a), (b), (n)) : 0)

#include "heap/census_bands.h"

#include "base/order.h"
#include "sys/system.h"

#include <assert.h>
#include <stdlib.h>

/* --- hashing ------------------------------------------------------------------------------------------------------- */

static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Eight bytes at a time, multiplied into a seed that the writer of a log cannot know. */
static unsigned hash_of(const void *key, size_t len, uint64_t seed)
{
	const uint64_t odd = 0x9e3779b97f4a7c15u, other = 0xd6e8feb86659fd93u;
	const uint8_t *p = key;
	uint64_t h = seed ^ len, word;
	for (; len >= sizeof word; p += sizeof word, len -= sizeof word) {
		memcpy(&word, p, sizeof word);
		h = fold(h ^ odd, word ^ seed ^ other);
	}
	word = 0;
	if (len)
		memcpy(&word, p, len);
	return (unsigned)fold(h ^ odd, word ^ seed ^ other);
}

/* --- the table ----------------------------------------------------------------------------------------------------- */

void bands_init(struct bands *b)
{
	*b = (struct bands){.last = BANDS_REST};
	rows_init(&b->rows, sizeof(struct band));
	if (!sys_random(&b->seed, sizeof b->seed))
		b->seed = (uintptr_t)b;
}

void bands_free(struct bands *b)
{
	HASH_CLEAR(hh, b->heads[0]);
	HASH_CLEAR(hh, b->heads[1]);
	rows_free(&b->rows);
	if (b->members)
		bands_free(b->members);
	free_all(b->members, b->group_of);
	buf_free(&b->names);
	b->members = NULL;
	b->group_of = NULL;
}

static struct band *find(struct bands *b, struct evl_str key, bool is_stack)
{
	const uint64_t table_seed = b->seed;
	struct band *found;
	HASH_FIND(hh, b->heads[is_stack], key.p, key.len, found);
	return found;
}

/* NULL when memory is out. */
static struct band *add(struct bands *b, struct evl_str key, const struct band *like)
{
	const uint64_t table_seed = b->seed;
	struct band row = *like, *added;
	row.number = (uint32_t)bands_count(b);
	row.next = BANDS_REST;
	if (!rows_add(&b->rows, &row)) {
		b->out_of_memory = true;
		return NULL;
	}
	added = bands_at(b, row.number);
	assert(bands_count(b) == row.number + 1); /* the number of a band is its place */
	added->hh.tbl = NULL;
	HASH_ADD_KEYPTR(hh, b->heads[added->is_stack], key.p, (unsigned)key.len, added);
	b->out_of_memory = b->out_of_memory || !added->hh.tbl;
	return added;
}

/* Return the band that followed the last one before, if it is this one, or NULL. */
static struct band *expected(const struct bands *b, const struct census_band *band)
{
	if (b->last == BANDS_REST || bands_at(b, b->last)->next >= bands_count(b))
		return NULL;
	struct band *next = bands_at(b, bands_at(b, b->last)->next);
	bool same = next->is_stack == band->is_stack && next->hh.keylen == band->key.len
		&& (band->key.len == 0 || memcmp(next->hh.key, band->key.p, band->key.len) == 0);
	return same ? next : NULL;
}

uint32_t bands_number(struct bands *b, const struct census_band *band)
{
	struct band *found = expected(b, band);
	if (!found)
		found = find(b, band->key, band->is_stack);
	if (!found && !b->frozen && bands_count(b) < MOST_BANDS)
		found = add(b, band->key, &(struct band){.off = band->off, .is_stack = band->is_stack});
	if (found && b->last != BANDS_REST)
		bands_at(b, b->last)->next = found->number;
	b->last = found ? found->number : BANDS_REST;
	return b->last;
}

struct band *bands_find(struct bands *b, struct evl_str label) { return find(b, label, false); }

/* --- sizes --------------------------------------------------------------------------------------------------------- */

/* Larger first; equal ones in order of arrival. */
COMPARE_POINTERS_BY(by_sum, struct band, FALLING(sum) ?: RISING(number));

/* All bands by size; NULL when memory is out. */
static struct band **sorted(const struct bands *b)
{
	size_t n = bands_count(b);
	struct band **all = malloc((n ? n : 1) * sizeof(struct band *));
	for (size_t i = 0; all && i < n; i++)
		all[i] = bands_at(b, (uint32_t)i);
	if (all)
		qsort(all, n, sizeof *all, by_sum);
	return all;
}

int bands_rank(struct bands *b)
{
	struct band **all = sorted(b);
	for (size_t i = 0; all && i < bands_count(b); i++)
		all[i]->rank = (uint32_t)i;
	free(all);
	return all ? 0 : EVL_NOMEM;
}

int bands_prune(struct bands *b)
{
	struct bands kept;
	struct band **all = sorted(b);
	size_t n = bands_count(b), keep = n - n / 2;
	bool good = all != NULL;
	bands_init(&kept);
	for (size_t i = 0; good && i < keep; i++) {
		struct evl_str key = {all[i]->hh.key, all[i]->hh.keylen};
		good = add(&kept, key, all[i]) && !kept.out_of_memory;
	}
	kept.dropped = b->dropped + n - keep;
	free(all);
	if (!good) {
		bands_free(&kept);
		return EVL_NOMEM;
	}
	bands_free(b);
	*b = kept;
	return 0;
}
