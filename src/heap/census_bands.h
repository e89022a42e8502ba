/* census_bands.h - table of the bands of one heap profile: label or cost-centre stack to band number.
 *
 * Bands are numbered 0, 1, … in order of first occurrence. Their labels stay in the map, which outlives the table.
 * 112 bytes per band, for at most MOST_BANDS: if there are more, bands_prune keeps the larger half. */
#ifndef EVL_CENSUS_BANDS_H
#define EVL_CENSUS_BANDS_H

#include "base/buf.h"
#include "heap/census_read.h"

#include <uthash.h>

enum { MOST_BANDS = 1 << 17 };
#define BANDS_REST UINT32_MAX /* bytes of bands without a number */

struct band {
	UT_hash_handle hh;
	uint64_t off;  /* of an event of it */
	uint64_t sum;  /* of its bytes in all samples that were surveyed */
	uint64_t peak; /* the largest in a sample */
	uint64_t ipe;  /* file offset of the info table that it is; 0: not known */
	uint32_t number;
	uint32_t rank; /* by sum, the largest 0 */
	uint32_t next; /* the one that followed it last: samples tend to be in the same order */
	bool is_stack;
	bool opened; /* it is a band of the group that is opened (census_group.h) */
};

struct bands {
	struct rows rows;      /* struct band: they never move */
	struct band *heads[2]; /* of labels, of stacks */
	uint64_t seed;
	uint32_t last;      /* the band that was asked for last, BANDS_REST: none */
	uint64_t dropped;   /* bands that were pruned: about as many are not in the table */
	bool frozen;        /* no band is added any more */
	bool out_of_memory; /* memory was out: bands are missing, or are there twice */
	/* Of groups (census_group.h): the bands in them, NULL if these are bands; the group of each; the text of all keys. */
	struct bands *members;
	uint32_t *group_of;
	struct buf names;
};

void bands_init(struct bands *b);
void bands_free(struct bands *b);

static inline size_t bands_count(const struct bands *b) { return rows_count(&b->rows); }
static inline struct band *bands_at(const struct bands *b, uint32_t number) { return rows_at(&b->rows, number); }

/* Return the number of a band, adding it if it is new; BANDS_REST if the table is full or frozen, or memory ran out. */
uint32_t bands_number(struct bands *b, const struct census_band *band);

/* Return the band of a label, or NULL. */
struct band *bands_find(struct bands *b, struct evl_str label);

/* Keep the half with the larger sums, under new numbers. Return 0, or EVL_NOMEM with the table unchanged. */
int bands_prune(struct bands *b) EVL_MUST_USE;

/* Set the ranks. Return 0 or EVL_NOMEM. */
int bands_rank(struct bands *b) EVL_MUST_USE;

#endif
