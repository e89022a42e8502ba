/* The directory of blocks: what hopping finds without reading. */
#include "logs.h"

static void hop(const struct built *b, struct header *h, struct blocks *blocks)
{
	assert_int_equal(header_parse(h, b->data, b->len, NULL), 0);
	assert_int_equal(blocks_hop(blocks, h, b->data, b->len), 0);
}

static void drop(struct built *b, struct header *h, struct blocks *blocks)
{
	blocks_free(blocks);
	header_free(h);
	free(b->data);
}

static void a_row_for_every_block(void **state)
{
	(void)state;
	struct header h;
	struct blocks blocks;
	struct built b = log_begin();
	size_t first = b.len;
	block_begin(&b, 3, 100);
	put_run(&b, 101, 1);
	block_end(&b, 150);
	size_t second = b.len;
	block_begin(&b, EVL_NO_CAP, 90);
	block_end(&b, 160);
	log_end(&b);
	hop(&b, &h, &blocks);
	struct block block;
	assert_int_equal(blocks.n, 2);
	assert_int_equal(blocks.n_rows, 1);
	assert_true(blocks_first(&blocks, &block));
	assert_int_equal(block.off, first);
	assert_int_equal(block.len, second - first);
	assert_int_equal(block.t, 100);
	assert_int_equal(block.end_t, 150);
	assert_int_equal(block.head, BLOCK_HEAD);
	assert_int_equal(blocks.chains[block.chain].cap, 3);
	assert_true(blocks_next(&blocks, &block));
	assert_int_equal(block.len, BLOCK_HEAD);
	assert_int_equal(blocks.chains[block.chain].cap, EVL_NO_CAP);
	assert_false(blocks_next(&blocks, &block));
	assert_int_equal(blocks.max_end, 160);
	assert_true(blocks.ended);
	drop(&b, &h, &blocks);
}

static void blocks_of_a_capability_form_a_chain(void **state)
{
	(void)state;
	struct header h;
	struct blocks blocks;
	struct built b = log_begin();
	uint64_t lens[2] = {0};
	for (unsigned i = 0; i < 6; i++) {
		size_t begin = b.len;
		block_begin(&b, (uint16_t)(i % 2), 10 * i);
		for (unsigned k = 0; k < i; k++)
			put_run(&b, 10 * i + k, k);
		block_end(&b, 10 * i + 9);
		lens[i % 2] += b.len - begin;
	}
	hop(&b, &h, &blocks);
	assert_int_equal(blocks.n_chains, 2);
	for (size_t c = 0; c < 2; c++) {
		const struct chain *chain = &blocks.chains[c];
		struct block block = chain->first;
		size_t n = 0;
		assert_int_equal(chain->n, 3);
		assert_int_equal(chain->len, lens[c]);
		do {
			assert_int_equal(block.chain, c);
			assert_int_equal(block.t, 10 * (2 * n++ + c));
			lens[c] -= block.len;
		} while (blocks_next_of(&blocks, &block));
		assert_int_equal(n, 3);
		assert_int_equal(lens[c], 0);
		assert_int_equal(chain->last.t, 10 * (4 + c));
	}
	assert_false(blocks.ended);
	drop(&b, &h, &blocks);
}

static void what_stands_outside_belongs_to_nobody(void **state)
{
	(void)state;
	struct header h;
	struct blocks blocks;
	struct built b = log_begin();
	put(&b, 5, EVL_STARTUP, "2", 2u);
	put_run(&b, 6, 1);
	size_t begin = b.len;
	block_begin(&b, 0, 0);
	block_end(&b, 9);
	hop(&b, &h, &blocks);
	struct block block;
	assert_int_equal(blocks.n, 2);
	assert_true(blocks_first(&blocks, &block));
	assert_int_equal(block.head, 0);
	assert_int_equal(block.off, h.data_off);
	assert_int_equal(block.len, begin - h.data_off);
	assert_int_equal(blocks.chains[block.chain].cap, EVL_NO_CAP);
	drop(&b, &h, &blocks);
}

static void events_that_a_block_admits(void **state)
{
	(void)state;
	struct block block = {.t = 100, .end_t = 200};
	assert_true(block_admits(&block, EVL_RUN_THREAD, 100));
	assert_true(block_admits(&block, EVL_RUN_THREAD, 200));
	assert_false(block_admits(&block, EVL_RUN_THREAD, 99));
	assert_false(block_admits(&block, EVL_RUN_THREAD, 201));
	assert_true(block_admits(&block, EVL_GC_END, 1));
	assert_false(block_admits(&block, EVL_GC_END, 201));
}

static void damage_side_by_side_is_one_place(void **state)
{
	(void)state;
	struct damage_list list = {0};
	damage_add(&list, 10, 5, DAMAGE_UNDECLARED, 7);
	damage_add(&list, 15, 5, DAMAGE_ZEROS, 0);
	damage_add(&list, 30, 0, DAMAGE_ZEROS, 0); /* nothing */
	damage_add(&list, 40, 1, DAMAGE_ZEROS, 0);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.items[0].len, 10);
	assert_int_equal(list.items[0].reason, DAMAGE_UNDECLARED);
	for (unsigned i = 0; i < MAX_DAMAGE; i++)
		damage_add(&list, 100 + 2 * i, 1, DAMAGE_CUT, 0);
	assert_int_equal(list.n, MAX_DAMAGE);
	assert_int_equal(list.more, 2);
	free(list.items);
}

/* Blocks of two capabilities, damage among them; the last one is the only one of its capability. */
static struct built many(unsigned n)
{
	struct built b = log_begin();
	for (unsigned i = 0; i + 1 < n; i++) {
		block_begin(&b, (uint16_t)(i % 2), 10 * i);
		put_run(&b, 10 * i + 1, 1);
		if (i % 50 == 20)
			add_bytes(&b, "\xff\xff\xff\xff", 4);
		block_end(&b, 10 * i + 9);
	}
	block_begin(&b, 7, 10 * n);
	put_run(&b, 10 * n + 1, 1);
	block_end(&b, 10 * n + 9);
	log_end(&b);
	return b;
}

static void found_step_by_step(void **state)
{
	(void)state;
	struct header h;
	struct blocks all, steps;
	struct built b = many(300);
	hop(&b, &h, &all);
	for (size_t at_once = 1; at_once < 9; at_once += 3) {
		assert_int_equal(blocks_begin(&steps, &h, b.data, b.len), 0);
		for (uint64_t before = 0; steps.found < b.len; before = steps.found) {
			assert_int_equal(blocks_more(&steps, at_once), 0);
			assert_true(steps.found > before);
		}
		assert_int_equal(steps.n, all.n);
		assert_int_equal(steps.n_rows, all.n_rows);
		assert_memory_equal(steps.rows, all.rows, all.n_rows * sizeof *all.rows);
		assert_int_equal(steps.damage.n, all.damage.n);
		assert_memory_equal(steps.damage.items, all.damage.items, all.damage.n * sizeof *all.damage.items);
		assert_int_equal(steps.max_end, all.max_end);
		assert_true(steps.ended);
		blocks_free(&steps);
	}
	drop(&b, &h, &all);
}

static void a_hop_that_is_cancelled(void **state)
{
	(void)state;
	struct header h;
	struct blocks blocks;
	struct built b = many(300);
	atomic_bool cancel = false;
	assert_int_equal(header_parse(&h, b.data, b.len, NULL), 0);
	assert_int_equal(blocks_begin(&blocks, &h, b.data, b.len), 0);
	blocks.cancel = &cancel;
	assert_int_equal(blocks_more(&blocks, 10), 0);
	uint64_t found = blocks.found;
	cancel = true;
	assert_int_equal(blocks_more(&blocks, SIZE_MAX), 0);
	assert_int_equal(blocks.found, found);
	assert_int_equal(blocks.n, 10);
	drop(&b, &h, &blocks);
}

static void assert_sketch(const struct blocks *part, const struct blocks *all, bool last)
{
	struct blocks sketch;
	struct block of_sketch, of_part, end;
	size_t n = 0;
	assert_int_equal(blocks_sketch(&sketch, part), 0);
	assert_true(blocks_first(part, &of_part));
	for (bool more = blocks_first(&sketch, &of_sketch); more; more = blocks_next(&sketch, &of_sketch), n++) {
		if (n < part->n)
			assert_int_equal(of_sketch.off, of_part.off);
		if (n + 1 < part->n)
			assert_true(blocks_next(part, &of_part));
		end = of_sketch;
	}
	assert_int_equal(n, part->n + last);
	assert_int_equal(sketch.max_end, last ? all->max_end : part->max_end);
	assert_int_equal(sketch.n_chains, part->n_chains + last);
	if (last)
		assert_int_equal(end.off, all->chains[all->n_chains - 1].first.off);
	blocks_free(&sketch);
}

static void a_sketch_has_the_first_blocks_and_the_last(void **state)
{
	(void)state;
	struct header h;
	struct blocks all, part;
	struct built b = many(300);
	hop(&b, &h, &all);
	assert_int_equal(blocks_begin(&part, &h, b.data, b.len), 0);
	assert_int_equal(blocks_more(&part, 10), 0);
	assert_sketch(&part, &all, true);
	part.len -= 3; /* a log that is cut: its last block does not end where it does */
	assert_sketch(&part, &all, false);
	blocks_free(&part);
	drop(&b, &h, &all);
}

/* Starts of blocks next to a time, against a look at all of them: in rows whose chains have bits, and in rows that list them. */
static void the_nearest_start_of_a_block(void **state)
{
	enum { BLOCKS = 2000, MOST = 80, ASKED = 400 };
	static uint64_t starts[BLOCKS];
	uint64_t seed = 1;
	(void)state;
	for (unsigned caps = 3; caps <= MOST; caps += MOST - 3) {
		struct header h;
		struct blocks blocks;
		struct built b = log_begin();
		uint64_t began[MOST] = {0}, t = 10;
		for (unsigned i = 0; i < BLOCKS; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			unsigned cap = i < caps ? i : (unsigned)((seed >> 40) % caps);
			t += 2 + (seed >> 33) % 5;
			starts[i] = began[cap] ? began[cap] : t;
			block_begin(&b, (uint16_t)cap, starts[i]);
			block_end(&b, t);
			began[cap] = t + (seed >> 50) % 3;
		}
		log_end(&b);
		hop(&b, &h, &blocks);
		assert_int_equal(blocks.n, BLOCKS);
		assert_int_equal(blocks.n_list > 0, caps > ROW_CHAINS);
		for (uint64_t k = 0; k <= ASKED; k++) {
			uint64_t at = (t + 5) * k / ASKED, after = UINT64_MAX, before = 0, out = 0;
			for (unsigned i = 0; i < BLOCKS; i++) {
				after = starts[i] > at ? min_u64(after, starts[i]) : after;
				before = starts[i] < at ? max_u64(before, starts[i]) : before;
			}
			assert_int_equal(blocks_near(&blocks, at, true, &out), after < UINT64_MAX);
			assert_int_equal(after < UINT64_MAX ? out : after, after);
			assert_int_equal(blocks_near(&blocks, at, false, &out), before > 0);
			assert_int_equal(before > 0 ? out : before, before);
		}
		drop(&b, &h, &blocks);
	}
}

/* --- many chains ---------------------------------------------------------------------------------------------------- */

static unsigned below(uint64_t *seed, unsigned n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*seed >> 33) % n;
}

/* Blocks of that many capabilities, of most sizes, one after another: mostly in turn, as a flush of all of them leaves
 * them. */
static struct built blocks_of(unsigned caps, size_t n, struct block *out)
{
	struct built b = log_begin();
	uint64_t seed = caps;
	for (size_t i = 0; i < n; i++) {
		unsigned cap = below(&seed, 8) ? (unsigned)i % caps : below(&seed, caps);
		unsigned runs = below(&seed, 3) ? below(&seed, 3) : below(&seed, 500) ? below(&seed, 60) : 6000;
		out[i] = (struct block){.off = b.len, .t = 10 * i, .end_t = 10 * i + 9, .chain = cap};
		block_begin(&b, (uint16_t)cap, out[i].t);
		while (runs--)
			put_run(&b, out[i].t + 1, cap);
		block_end(&b, out[i].end_t);
		out[i].len = b.len - out[i].off;
	}
	log_end(&b);
	return b;
}

static void assert_block(const struct blocks *b, const struct block *got, const struct block *want)
{
	assert_int_equal(got->off, want->off);
	assert_int_equal(got->len, want->len);
	assert_int_equal(got->t, want->t);
	assert_int_equal(got->end_t, want->end_t);
	assert_int_equal(b->chains[got->chain].cap, want->chain);
}

/* The blocks of a capability, in each row from each place where one of its blocks starts, and one after another. */
static void check_chain(const struct blocks *b, const struct block *all, size_t n, unsigned cap)
{
	const uint32_t chain = b->chain_of[cap] - 1u;
	struct block at = b->chains[chain].first, in = {0};
	size_t left = b->chains[chain].n;
	bool more = true;
	for (size_t i = 0; i < n; i++) {
		if (all[i].chain != cap)
			continue;
		assert_true(more);
		assert_block(b, &at, &all[i]);
		assert_true(blocks_in_row(b, at.row, at.off, chain, &in));
		assert_block(b, &in, &all[i]);
		size_t row = at.row;
		more = blocks_next_of(b, &at);
		size_t next = more && at.row > row ? blocks_row_after(b, row, chain) : row;
		assert_true(!more || next <= at.row);
		left--;
	}
	assert_false(more);
	assert_int_equal(left, 0);
}

/* Each chain of a row is among those that the row names, and only they are where the chains are listed. */
static void check_rows(const struct blocks *b, bool *named)
{
	for (size_t i = 0; i < b->n_rows; i++) {
		struct block block;
		uint32_t chain, n = 0;
		for (struct row_chains c = row_chains(b, &b->rows[i]); row_chains_next(&c, &chain); n++)
			named[chain] = true;
		assert_true(!b->rows[i].listed || n == b->rows[i].n);
		for (bool more = blocks_from_row(b, i, &block); more && block.row == i; more = blocks_next(b, &block))
			assert_true(named[block.chain]);
		for (struct row_chains c = row_chains(b, &b->rows[i]); row_chains_next(&c, &chain);) {
			assert_true(blocks_in_row(b, i, 0, chain, &block));
			named[chain] = false;
		}
	}
}

/* The sums of each row of several blocks are those of its blocks. */
static void check_sums(const struct blocks *b)
{
	static uint32_t bytes[MAX_CHAINS];
	const uint32_t *sums = b->sums;
	assert_non_null(b->row_bytes);
	assert_int_equal(b->summed, b->n_rows);
	for (size_t i = 0; i < b->n_rows; i++) {
		struct block block;
		uint32_t chain;
		if (b->rows[i].n == 1)
			continue;
		for (bool more = blocks_from_row(b, i, &block); more && block.row == i; more = blocks_next(b, &block))
			bytes[block.chain] += (uint32_t)block.len;
		size_t n = 0;
		for (struct row_chains c = row_chains(b, &b->rows[i]); row_chains_next(&c, &chain); n++) {
			assert_int_equal(*sums++, bytes[chain]);
			bytes[chain] = 0;
		}
		assert_int_equal(n, row_chains_count(&b->rows[i]));
	}
	assert_int_equal(sums - b->sums, b->n_sums);
}

/* All that a directory tells of blocks that are all sound. */
static void check_directory(const struct blocks *b, const struct block *all, size_t n, unsigned caps)
{
	static bool named[MAX_CHAINS];
	struct block block;
	assert_int_equal(b->n, n);
	assert_int_equal(b->n_chains, caps);
	assert_true(b->n_rows < n / 20);
	bool more = blocks_first(b, &block);
	for (size_t i = 0; i < n; i++, more = blocks_next(b, &block)) {
		struct block found;
		assert_true(more);
		assert_block(b, &block, &all[i]);
		assert_true(blocks_at(b, all[i].off + (i % 3 ? 0 : all[i].len - 1), &found));
		assert_block(b, &found, &all[i]);
		assert_true(blocks_starting_at(b, all[i].off, &found));
		assert_block(b, &found, &all[i]);
	}
	assert_false(more);
	for (unsigned cap = 0; cap < caps; cap += 1 + cap / 50)
		check_chain(b, all, n, cap);
	check_rows(b, named);
	check_sums(b);
}

static void rows_that_list_their_chains(void **state)
{
	enum { BLOCKS = 20000 };
	static struct block all[BLOCKS];
	const unsigned caps[] = {ROW_CHAINS, ROW_CHAINS + 1, 200, MAX_CAP + 1};
	(void)state;
	for (size_t k = 0; k < countof(caps); k++) {
		struct header h;
		struct blocks blocks;
		struct built b = blocks_of(caps[k], BLOCKS, all);
		hop(&b, &h, &blocks);
		assert_int_equal(blocks.n_list > 0, caps[k] > ROW_CHAINS);
		check_directory(&blocks, all, BLOCKS, caps[k]);
		drop(&b, &h, &blocks);
	}
}

/* Find all blocks: some first, then those from about `off` on apart from those before. Return whether they were appended. */
static bool hop_ahead(const struct built *b, const struct header *h, size_t first, uint64_t off, struct blocks *out)
{
	struct blocks ahead;
	bool appended = false;
	assert_int_equal(blocks_begin(out, h, b->data, b->len), 0);
	assert_int_equal(blocks_more(out, first), 0);
	if (blocks_ahead(&ahead, out, off)) {
		out->stop = ahead.found;
		assert_true(ahead.found > out->found);
		assert_int_equal(blocks_more_ahead(&ahead), 0);
		assert_int_equal(blocks_more(out, SIZE_MAX), 0);
		if (out->found == out->stop) {
			assert_int_equal(blocks_append(out, &ahead), 0);
			appended = out->found == ahead.found;
		}
		out->stop = 0;
	}
	assert_int_equal(blocks_more(out, SIZE_MAX), 0);
	assert_int_equal(out->found, b->len);
	blocks_free(&ahead);
	return appended;
}

static void found_ahead(void **state)
{
	enum { BLOCKS = 20000 };
	static struct block all[BLOCKS];
	const unsigned caps[] = {3, ROW_CHAINS + 1, 200};
	(void)state;
	for (size_t k = 0; k < countof(caps); k++) {
		struct header h;
		struct built b = blocks_of(caps[k], BLOCKS, all);
		assert_int_equal(header_parse(&h, b.data, b.len, NULL), 0);
		for (size_t first = 0, appended; first <= 600; first += 200) {
			struct blocks blocks;
			appended = hop_ahead(&b, &h, first, all[BLOCKS * (first / 200 + 1) / 5].off - 7, &blocks);
			assert_true(appended || first < 2 * caps[k]); /* some capabilities are not known before */
			check_directory(&blocks, all, BLOCKS, caps[k]);
			blocks_free(&blocks);
		}
		header_free(&h);
		free(b.data);
	}
}

/* Wherever others start, the blocks and the damage are the same. */
static void found_ahead_with_damage(void **state)
{
	struct header h;
	struct blocks all, blocks;
	struct built b = many(300);
	size_t appended = 0;
	(void)state;
	for (size_t at = b.len - 1000; at > b.len - 12000; at -= 2500) /* markers, and events */
		memset(b.data + at, 0xfe, 40);
	hop(&b, &h, &all);
	assert_true(all.damage.n > 2);
	for (uint64_t off = 0; off < b.len + 100; off += 61) {
		struct block got, want;
		appended += hop_ahead(&b, &h, off % 9, off, &blocks);
		bool more = blocks_first(&blocks, &got);
		assert_true(blocks_first(&all, &want));
		for (uint64_t i = 0; i < all.n; i++, more = blocks_next(&blocks, &got)) {
			assert_true(more);
			assert_int_equal(got.off, want.off);
			assert_int_equal(got.len, want.len);
			assert_int_equal(blocks.chains[got.chain].cap, all.chains[want.chain].cap);
			assert_int_equal(blocks_next(&all, &want), i + 1 < all.n);
		}
		assert_false(more);
		assert_int_equal(blocks.n, all.n);
		assert_int_equal(blocks.max_end, all.max_end);
		assert_int_equal(blocks.first_t, all.first_t);
		assert_int_equal(blocks.ended, all.ended);
		assert_int_equal(blocks.damage.n, all.damage.n);
		assert_memory_equal(blocks.damage.items, all.damage.items, all.damage.n * sizeof *all.damage.items);
		blocks_free(&blocks);
	}
	assert_true(appended > 20);
	drop(&b, &h, &all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_for_every_block),
		cmocka_unit_test(blocks_of_a_capability_form_a_chain),
		cmocka_unit_test(what_stands_outside_belongs_to_nobody),
		cmocka_unit_test(events_that_a_block_admits),
		cmocka_unit_test(damage_side_by_side_is_one_place),
		cmocka_unit_test(found_step_by_step),
		cmocka_unit_test(a_hop_that_is_cancelled),
		cmocka_unit_test(a_sketch_has_the_first_blocks_and_the_last),
		cmocka_unit_test(the_nearest_start_of_a_block),
		cmocka_unit_test(rows_that_list_their_chains),
		cmocka_unit_test(found_ahead),
		cmocka_unit_test(found_ahead_with_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
