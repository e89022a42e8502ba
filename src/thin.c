#include "thin.h"

#include "schema.h"

/* The numbers, and where they stand in their payloads. */
static const struct {
	uint16_t tag, value_at;
} kinds[THIN_KINDS] = {
	{EVL_HEAP_ALLOCATED, 4}, {EVL_HEAP_SIZE, 4}, {EVL_HEAP_LIVE, 4}, {EVL_BLOCKS_SIZE, 4}, {EVL_SPARK_COUNTERS, 48}};

static unsigned kind_of(uint16_t tag)
{
	unsigned kind = 0;
	while (kind < THIN_KINDS && kinds[kind].tag != tag)
		kind++;
	return kind;
}

unsigned thin_shift(uint64_t log_bytes)
{
	enum { FEWEST = 14 }; /* 1 << FEWEST stretches, where they are shorter than the longest */
	unsigned shift = 0;
	while (log_bytes > THIN_ALL_BYTES && shift < THIN_MOST_SHIFT && log_bytes >> (shift + 1) >= 1u << FEWEST)
		shift++;
	return shift;
}

bool thin_wants(uint16_t tag)
{
	return kind_of(tag) < THIN_KINDS;
}

uint64_t thin_take(struct thin *thin, unsigned shift, const struct frame *f)
{
	unsigned kind = kind_of(f->tag);
	struct thin_pick *pick = &thin->picks[kind];
	uint64_t value = be64(f->payload.p + kinds[kind].value_at), kept = 0;
	if (pick->off >> shift != f->off >> shift)
		kept = pick->off;
	else if (value < pick->value)
		return 0;
	*pick = (struct thin_pick){f->off, value};
	return kept;
}

uint64_t thin_rest(struct thin *thin)
{
	uint64_t off = 0;
	for (unsigned i = 0; i < THIN_KINDS && !off; i++) {
		off = thin->picks[i].off;
		thin->picks[i].off = 0;
	}
	return off;
}
