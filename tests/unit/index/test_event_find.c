/* Jumps descend: the sums above the tiles never hide anything, and what is found is what reading everything finds. */
#include "logs.h"

#include "index/event_find.h"

enum { CAPS = 3, BLOCKS = 600, EVENTS = 400 };

/* Three capabilities; messages only here and there, idle times of all lengths. */
static struct built sparse(void)
{
	struct built b = log_begin();
	uint64_t t = 0;
	srand(11);
	for (unsigned n = 0; n < BLOCKS; n++) {
		block_begin(&b, (uint16_t)(n % CAPS), t);
		for (unsigned i = 0; i < EVENTS; i++) {
			put_run(&b, t += 10 + (rand() % 97 == 0 ? (unsigned)rand() % 5000 : 0),
				1 + (unsigned)rand() % 3 + n / 50);
			t += 3;
			put(&b, t, EVL_STOP_THREAD, "424", 1u, 3u, 0u);
			if (n % 90 == 17 && rand() % 50 == 0)
				put(&b, t, EVL_USER_MSG, "s", "rare");
			if (n % 2)
				put(&b, t, EVL_USER_MARKER, "s", "frequent");
		}
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

static void nodes_hide_nothing(void **state)
{
	(void)state;
	struct built b = sparse();
	struct evl_log *log = walked(&b);
	for (size_t c = 0; c < log->blocks.n_chains; c++) {
		struct tile_table *t = &log->tiles[c];
		assert_true(t->n > 256); /* at least two levels */
		for (int k = 0; k < 2; k++) {
			size_t width = (size_t)1 << TILE_BITS * (k + 1);
			for (size_t i = 0; (i + 1) * width < t->ready; i++) {
				struct tile_node want = {0};
				for (size_t j = i * width; j < (i + 1) * width; j++) {
					want.filter |= t->tiles[j].filter;
					want.classes |= t->tiles[j].classes;
					want.idle = max_u64(want.idle, tile_idle(t, t->ready, j));
				}
				assert_int_equal(t->nodes[k][i].filter, want.filter);
				assert_int_equal(t->nodes[k][i].classes, want.classes);
				assert_int_equal(t->nodes[k][i].idle, want.idle);
			}
		}
	}
	done(log, &b);
}

static void assert_search(
	const struct tile_table *t, size_t ready, size_t from, size_t to, const struct tile_want *want)
{
	size_t first = to, last = to;
	for (size_t i = from; i < to; i++) {
		bool is = (!want->classes || t->tiles[i].classes & want->classes)
			&& (!want->filter || t->tiles[i].filter & want->filter) && tile_idle(t, ready, i) >= want->idle;
		first = is && first == to ? i : first;
		last = is ? i : last;
	}
	assert_int_equal(tiles_next(t, ready, from, to, want), first);
	assert_int_equal(tiles_prev(t, ready, from, to, want), last);
}

static void searches_of_tiles(void **state)
{
	(void)state;
	struct built b = sparse();
	struct evl_log *log = walked(&b);
	const struct tile_table *t = &log->tiles[0];
	for (int round = 0; round < 500; round++) {
		size_t ready = 1 + (size_t)rand() % t->n, to = 1 + (size_t)rand() % ready,
		       from = (size_t)rand() % (to + 1);
		struct tile_want wants[] = {{.classes = tile_mark(header_find(&log->header, EVL_USER_MSG))},
			{.filter = 1ull << rand() % 64}, {.idle = (uint64_t)rand() % 20000}, {0}};
		for (size_t i = 0; i < countof(wants); i++)
			assert_search(t, ready, from, to, &wants[i]);
	}
	done(log, &b);
}

/* The times of all messages, ascending. */
static size_t messages_of(const struct evl_log *log, uint64_t *out, size_t room)
{
	size_t n = 0;
	for (size_t i = 0; i < log->blocks.n_chains; i++) {
		struct cursor c;
		struct frame f;
		const struct block *block;
		cursor_begin(&c, &log->blocks, &log->blocks.chains[i], UINT64_MAX);
		while (cursor_next(&c, &f, &block))
			if (f.tag == EVL_USER_MSG && n < room)
				out[n++] = f.t;
	}
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && out[k - 1] > out[k]; k--) {
			uint64_t t = out[k];
			out[k] = out[k - 1];
			out[k - 1] = t;
		}
	return n;
}

static void the_next_message_and_the_last(void **state)
{
	(void)state;
	struct built b = sparse();
	struct evl_log *log = walked(&b);
	uint64_t times[4096], first, last;
	size_t n = messages_of(log, times, countof(times));
	assert_true(n > 20 && n < countof(times));
	assert_true(evl_range(log, &first, &last));
	for (int round = 0; round < 1000; round++) {
		uint64_t t = round % 3 ? first + (uint64_t)rand() % (last - first) : times[(size_t)rand() % n];
		size_t i = 0, after;
		struct found found;
		while (i < n && times[i] < t)
			i++;
		for (after = i; after < n && times[after] == t;)
			after++;
		assert_int_equal(find_before(&log->blocks, log->tiles, EVL_USER_MSG, t, &found), i > 0);
		assert_true(i == 0 || found.t == times[i - 1]);
		assert_int_equal(find_after(&log->blocks, log->tiles, EVL_USER_MSG, t, &found), after < n);
		assert_true(after == n || found.t == times[after]);
		assert_int_equal(find_at(&log->blocks, log->tiles, EVL_USER_MSG, t, &found), after > i);
	}
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_hide_nothing),
		cmocka_unit_test(searches_of_tiles),
		cmocka_unit_test(the_next_message_and_the_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
