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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_for_every_block),
		cmocka_unit_test(blocks_of_a_capability_form_a_chain),
		cmocka_unit_test(what_stands_outside_belongs_to_nobody),
		cmocka_unit_test(events_that_a_block_admits),
		cmocka_unit_test(damage_side_by_side_is_one_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
