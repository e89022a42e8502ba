#include "index/downsample.h"

#include "format/schema.h"

/* By tag: the kind of the number + 1, and its offset in the payload. */
static const struct {
	uint8_t kind, value_at;
} kinds[] = {[EVL_HEAP_ALLOCATED] = {1, 4},
	[EVL_HEAP_SIZE] = {2, 4},
	[EVL_HEAP_LIVE] = {3, 4},
	[EVL_BLOCKS_SIZE] = {4, 4},
	[EVL_SPARK_COUNTERS] = {5, 48}};

unsigned downsample_shift(uint64_t log_bytes, uint64_t chains)
{
	enum {
		FEWEST = 14,
		IN_ALL = 16
	}; /* 1 << FEWEST stretches at least; long ones: and 1 << IN_ALL of all chains */
	unsigned shift = 0;
	for (uint64_t n; log_bytes > THIN_ALL_BYTES && shift < THIN_MOST_SHIFT; shift++) {
		n = log_bytes >> (shift + 1);
		if (n < 1u << FEWEST || (shift >= THIN_LONG_SHIFT && n * chains < 1u << IN_ALL))
			break;
	}
	return shift;
}

bool downsample_wants(uint16_t tag) { return tag < countof(kinds) && kinds[tag].kind; }

unsigned downsample_value_at(uint16_t tag) { return kinds[tag].value_at; }
unsigned downsample_kind(uint16_t tag) { return kinds[tag].kind - 1u; }

uint64_t downsample_join(
	struct downsample *before, const struct downsample *part, unsigned shift, unsigned kind, uint64_t *drop)
{
	struct downsample_pick *pick = &before->picks[kind];
	const struct downsample_pick was = *pick, *last = &part->picks[kind];
	const bool one = !part->firsts[kind].off; /* section */
	const struct downsample_pick *first = one ? last : &part->firsts[kind];
	*drop = 0;
	if (!first->off)
		return 0;
	const bool same = was.off && (was.off ^ first->off) >> shift == 0;
	if (same && first->value < was.value) {
		*drop = one ? 0 : first->off;
		*pick = one ? was : *last;
		return one ? 0 : was.off;
	}
	*pick = *last;
	return same ? 0 : was.off;
}

uint64_t downsample_rest(struct downsample *thin)
{
	uint64_t off = 0;
	for (unsigned i = 0; i < THIN_KINDS && !off; i++) {
		off = thin->picks[i].off;
		thin->picks[i].off = 0;
	}
	return off;
}
