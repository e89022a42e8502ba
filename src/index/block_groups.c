/* block_groups.c - directory of tiny blocks, kept in groups to bound its memory. */
#include "index/blocks.h"

#include "base/gallop.h"
#include "bytes/prefetch.h"
#include "index/blocks_private.h"

/* The block at off in a row of several. False where the file is not any more what it was. */
static bool block_of_row(const struct blocks *b, size_t i, uint64_t off, struct block *out)
{
	const struct block_row *row = &b->rows[i];
	struct marker m;
	if (off >= row->off + row->len || !marker_at(b, off, &m) || m.size > row->off + row->len - off)
		return false;
	const uint16_t slot = b->chain_of[b->chain_of[m.cap] ? m.cap : EVL_NO_CAP]; /* as where there are too many */
	if (!slot)
		return false;
	*out = (struct block){.off = off,
		.len = m.size,
		.t = m.t,
		.end_t = m.end_t,
		.chain = slot - 1u,
		.head = b->head,
		.row = (uint32_t)i};
	return true;
}

static struct block only_block(const struct blocks *b, size_t i)
{
	const struct block_row *row = &b->rows[i];
	return (struct block){.off = row->off,
		.len = row->len,
		.t = row->t,
		.end_t = row->end_t,
		.chain = row->chain,
		.head = row->outside ? 0 : b->head,
		.row = (uint32_t)i};
}

bool blocks_from_row(const struct blocks *b, size_t i, struct block *out)
{
	for (; i < b->n_rows; i++) {
		if (b->rows[i].n == 1)
			*out = only_block(b, i);
		if (b->rows[i].n == 1 || block_of_row(b, i, b->rows[i].off, out))
			return true;
	}
	return false;
}

bool blocks_first(const struct blocks *b, struct block *out) { return blocks_from_row(b, 0, out); }

bool blocks_next(const struct blocks *b, struct block *at)
{
	if (b->rows[at->row].n > 1 && block_of_row(b, at->row, at->off + at->len, at))
		return true;
	return blocks_from_row(b, at->row + (size_t)1, at);
}

static bool is_not_after(const void *items, size_t i, uint64_t off)
{
	const struct block_row *rows = items;
	return rows[i].off <= off;
}

static size_t row_at(const struct blocks *b, uint64_t off)
{
	return gallop_between(b->rows, 1, b->n_rows, off, is_not_after) - 1;
}

size_t blocks_row_near(const struct blocks *b, size_t row, uint64_t off)
{
	if (row >= b->n_rows || b->rows[row].off > off)
		return row_at(b, off);
	return gallop(b->rows, row + 1, b->n_rows, 0, off, is_not_after) - 1;
}

static bool starts_by(const void *items, size_t i, uint64_t off)
{
	const struct block_run *list = items;
	return list[i].off <= off;
}

/* The element of the list that the block of a listed row at `off` is in. */
static size_t listed_at(const struct blocks *b, const struct block_row *row, uint64_t off)
{
	const size_t first = row->list.first;
	return gallop_between(b->list, first + 1, first + row->list.n, off - row->off, starts_by) - 1;
}

/* The start of a block of the row that is not after `off`. */
static uint64_t start_before(const struct blocks *b, const struct block_row *row, uint64_t off)
{
	return row->off + (row->listed ? b->list[listed_at(b, row, off)].off : 0);
}

/* The first of the elements [i, end) of the list with a block of the chain, or `end`. */
static size_t listed_of(const struct blocks *b, size_t i, size_t end, uint32_t chain)
{
	while (i < end && chain - b->list[i].chain > b->list[i].more)
		i++;
	return i;
}

bool blocks_at(const struct blocks *b, uint64_t off, struct block *out)
{
	size_t i = b->n_rows ? row_at(b, off) : 0;
	if (i >= b->n_rows || off < b->rows[i].off || off - b->rows[i].off >= b->rows[i].len)
		return false;
	if (b->rows[i].n == 1) {
		*out = only_block(b, i);
		return true;
	}
	bool more = block_of_row(b, i, start_before(b, &b->rows[i], off), out);
	while (more && out->off + out->len <= off)
		more = block_of_row(b, i, out->off + out->len, out);
	return more;
}

bool blocks_starting_at(const struct blocks *b, uint64_t off, struct block *out)
{
	size_t i = b->n_rows ? row_at(b, off) : 0;
	if (i >= b->n_rows || off < b->rows[i].off)
		return false;
	if (b->rows[i].n > 1)
		return block_of_row(b, i, off, out);
	*out = only_block(b, i);
	return out->off == off;
}

void blocks_warm_row(const struct blocks *b, size_t i)
{
	enum { MANY = 32 };
	if (b->rows[i].n >= MANY)
		blocks_warm(b, b->rows[i].off, b->rows[i].off + b->rows[i].len);
}

/* The first block of a chain in a listed row at `at` or later. */
static bool listed_in_row(const struct blocks *b, size_t i, uint64_t at, uint32_t chain, struct block *out)
{
	const struct block_row *row = &b->rows[i];
	const size_t end = row->list.first + (size_t)row->list.n;
	bool found = false;
	if (at >= row->off + row->len)
		return false;
	for (size_t k = !at           ? row->list.first
			: out->listed ? out->listed
				      : listed_at(b, row, at);
		!found && (k = listed_of(b, k, end, chain)) < end; k++) {
		bool more = block_of_row(b, i, row->off + b->list[k].off, out);
		while (more && out->chain != chain)
			more = block_of_row(b, i, out->off + out->len, out);
		if (!more)
			break; /* the file is not any more what it was */
		found = out->off >= at;
		out->listed = (uint32_t)k + 1;
	}
	return found;
}

bool blocks_in_row(const struct blocks *b, size_t i, uint64_t at, uint32_t chain, struct block *out)
{
	const struct block_row *row = &b->rows[i];
	if (row->n == 1) {
		*out = only_block(b, i);
		return row->chain == chain && at <= row->off;
	}
	if (row->listed)
		return listed_in_row(b, i, at, chain, out);
	if (at == 0)
		blocks_warm_row(b, i);
	bool more = block_of_row(b, i, at ? at : row->off, out);
	while (more && out->chain != chain)
		more = block_of_row(b, i, out->off + out->len, out);
	return more;
}

struct row_chains row_chains(const struct blocks *b, const struct block_row *row)
{
	if (row->n == 1)
		return (struct row_chains){.at = row->chain, .end = row->chain + 1u};
	if (row->listed)
		return (struct row_chains){.list = b->list + row->list.first, .n_list = row->list.n};
	return (struct row_chains){.bits = row->chains};
}

size_t row_chains_count(const struct block_row *row)
{
	return row->listed ? row->n : (size_t)__builtin_popcountll(row->chains);
}

static bool may_have(const struct blocks *b, const struct block_row *row, uint32_t chain)
{
	if (row->n == 1)
		return row->chain == chain;
	if (row->listed) {
		const size_t end = row->list.first + (size_t)row->list.n;
		return listed_of(b, row->list.first, end, chain) < end;
	}
	return chain < ROW_CHAINS && row->chains >> chain & 1;
}

size_t blocks_row_after(const struct blocks *b, size_t i, uint32_t chain)
{
	const struct block_row *row = &b->rows[i];
	if (row->n == 1 && row->chain == chain)
		return row->next ? row->next : b->n_rows;
	const size_t last = b->chains[chain].last.row;
	for (i++; i <= last && !may_have(b, &b->rows[i], chain);)
		i++;
	return i <= last ? i : b->n_rows;
}

bool blocks_next_of(const struct blocks *b, struct block *at)
{
	uint32_t chain = at->chain;
	uint64_t from = at->off + at->len;
	for (size_t i = at->row; i < b->n_rows; i = blocks_row_after(b, i, chain), from = 0)
		if (blocks_in_row(b, i, from, chain, at))
			return true;
	return false;
}

/* A search for the start of a block nearest to a time. */
struct near {
	uint64_t at, best;
	bool forward, found;
};

static bool is_nearer(const struct near *n, uint64_t t)
{
	return n->forward ? t > n->at && (!n->found || t < n->best) : t < n->at && (!n->found || t > n->best);
}

/* May one of several blocks, the earliest of which starts at t and the latest of which ends at end_t, start nearer? */
static bool may_be_nearer(const struct near *n, uint64_t t, uint64_t end_t)
{
	return n->forward ? end_t > n->at && (!n->found || t < n->best) : t < n->at && (!n->found || end_t > n->best);
}

static void look_at_row(struct near *n, const struct blocks *b, size_t i)
{
	const struct block_row *row = &b->rows[i];
	struct block block;
	if (!(row->n == 1 ? !row->outside && is_nearer(n, row->t) : may_be_nearer(n, row->t, row->end_t))
		|| (row->n > 1 && b->fetch && !prefetch_ready(b->fetch, row->off, row->len)))
		return;
	for (bool more = blocks_from_row(b, i, &block); more && block.row == i; more = blocks_next(b, &block))
		if (is_nearer(n, block.t)) {
			n->best = block.t;
			n->found = true;
		}
}

bool blocks_near(const struct blocks *b, uint64_t t, bool forward, uint64_t *out)
{
	struct near n = {.at = t, .forward = forward};
	const size_t spans = (b->n_rows + ROWS_A_SPAN - 1) / ROWS_A_SPAN;
	for (size_t k = 0; k < spans;
		k++) { /* from the end of the log that is nearer in file order: the first found is near */
		size_t span = forward ? k : spans - 1 - k;
		size_t first = span * ROWS_A_SPAN, rows = min_u64(b->n_rows - first, ROWS_A_SPAN);
		if (span < b->n_spans && !may_be_nearer(&n, b->spans[span].t, b->spans[span].end_t))
			continue;
		for (size_t i = 0; i < rows; i++)
			look_at_row(&n, b, forward ? first + i : first + rows - 1 - i);
	}
	*out = n.found ? n.best : *out;
	return n.found;
}
