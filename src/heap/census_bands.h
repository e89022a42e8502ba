/* census_bands.h - table of the bands of one heap profile: label or cost-centre stack to band number.
 *
 * A sample of a heap profile consists of bands, each with its bytes. Bands are numbered 0, 1, … in the order in which
 * they first occur in the profile. Their labels stay in the mapped file, which must outlive the table. A band takes
 * 112 bytes. When there are MOST_BANDS, bands_prune keeps the half with the larger sums. */
#ifndef EVL_CENSUS_BANDS_H
#define EVL_CENSUS_BANDS_H

#include "base/buf.h"
#include "heap/census_read.h"

#include <uthash.h>

enum { MOST_BANDS = 1 << 17 };
#define BANDS_REST UINT32_MAX /* number of all bands that have no number in the table */

struct band {
	UT_hash_handle hh;
	uint64_t off;  /* file offset of one of its events */
	uint64_t sum;  /* bytes summed over all samples surveyed */
	uint64_t peak; /* largest bytes in one sample */
	uint64_t ipe;  /* file offset of the IPE event of its info table; 0: unknown */
	uint32_t number;
	uint32_t rank; /* rank by sum; the largest has rank 0 */
	uint32_t next; /* number of the band that followed it last: consecutive samples tend to have the same order */
	bool is_stack;
	bool opened; /* belongs to the group whose bands are not combined (census_group.h) */
};

struct bands {
	struct rows rows;      /* struct band; addresses never change */
	struct band *heads[2]; /* hash tables of labels and of stacks */
	uint64_t seed;
	uint32_t last;      /* last band looked up; BANDS_REST: none */
	uint64_t dropped;   /* number of bands removed by bands_prune */
	bool frozen;        /* no more bands are added */
	bool out_of_memory; /* memory ran out: bands may be missing or duplicated */
	/* If the bands are groups (census_group.h): the grouped bands (else NULL), the group of each, and the text of
	 * all keys. */
	struct bands *members;
	uint32_t *group_of;
	struct buf names;
};

void bands_init(struct bands *b);
void bands_free(struct bands *b);

/* Return the number of bands, or a band by its number. */
static inline size_t bands_count(const struct bands *b) { return rows_count(&b->rows); }
static inline struct band *bands_at(const struct bands *b, uint32_t number) { return rows_at(&b->rows, number); }

/* Return the number of a band, adding the band if it is new; BANDS_REST if the table is full or frozen, or if memory
 * ran out. */
uint32_t bands_number(struct bands *b, const struct census_band *band);

/* Return the band of a label, or NULL. */
struct band *bands_find(struct bands *b, struct evl_str label);

/* Keep the half of the bands with the larger sums, and renumber them. Return 0, or EVL_NOMEM with the table
 * unchanged. */
int bands_prune(struct bands *b) EVL_MUST_USE;

/* Set the rank of all bands. Return 0 or EVL_NOMEM. */
int bands_rank(struct bands *b) EVL_MUST_USE;

#endif
