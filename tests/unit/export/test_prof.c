/* The time profile: stacks, sums of pages, shapes of the tree, and that GHC's own report says the same. */
#include "logs.h"

#include "exported.h"
#include "prof/prof_diff.h"
#include "prof/prof_figures.h"
#include "prof/prof_tree.h"
#include "prof/prof_window.h"

#include <math.h>
#include <stdio.h>

enum { GO = 7, MAIN_CC = 1, GC = 2, OUT = 3, ODD = 4 };

static void define(struct built *b, unsigned id, const char *label, const char *module, const char *location)
{
	put(b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", id, label, 0u, module, 0u, location, 0u, 0u);
}

/* A sample whose stack is given from the inside out. */
static void sample(struct built *b, uint64_t t, unsigned cap, uint64_t tick, unsigned n, const unsigned *stack)
{
	size_t head = b->len;
	put(b, t, EVL_PROF_SAMPLE_COST_CENTRE, "481", cap, tick, n);
	for (unsigned i = 0; i < n; i++)
		add_number(b, stack[i], 4);
	patch(b, head + 10, b->len - head - 12, 2);
}

#define SAMPLE(b, t, cap, tick, ...)                                                                                   \
	sample(b, t, cap, tick, (unsigned)countof(((unsigned[]){__VA_ARGS__})), (unsigned[]){__VA_ARGS__})

/* All that a test asks of a log. */
struct profile {
	struct evl_log *log;
	struct prof_names names;
	struct prof_window window;
};

static struct profile profile_of(struct evl_log *log, uint64_t from, uint64_t to, int cols, int cap)
{
	struct profile p = {.log = log};
	struct prof_naming naming = evl_naming(log);
	assert_int_equal(prof_names_make(&p.names, evl_profile(log), &naming), 0);
	assert_int_equal(prof_window_make(&p.window, evl_profile(log), &log->blocks, from, to, cols, cap, NULL), 0);
	return p;
}

static void drop(struct profile *p)
{
	prof_names_free(&p->names);
	prof_window_free(&p->window);
}

static struct prof_tree tree_of(const struct profile *p, enum prof_shape shape, uint32_t centre)
{
	struct prof_tree t;
	assert_int_equal(prof_tree_make(&t, shape, &evl_profile(p->log)->stacks, &p->names, p->window.self, centre), 0);
	assert_int_equal(prof_tree_sort(&t, &p->names, PROF_BY_INCL), 0);
	return t;
}

static uint32_t name_of(const struct profile *p, const char *label)
{
	for (uint32_t i = 0; i < p->names.n; i++)
		if (str_is(prof_label(&p->names, i), label))
			return i;
	fail_msg("no %s", label);
	return 0;
}

/* The child of an item with this label; NULL: there is none. */
static const struct prof_item *child(
	const struct profile *p, const struct prof_tree *t, const struct prof_item *of, const char *label)
{
	for (uint32_t i = of->child; i; i = t->items[i].next)
		if (str_is(prof_label(&p->names, t->items[i].name), label))
			return &t->items[i];
	return NULL;
}

static struct built zoo(void)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	define(&b, MAIN_CC, "main", "Main", "Main.hs:1:1-9");
	define(&b, GC, "GC", "GC", "<built-in>");
	define(&b, OUT, "out", "Lib", "Lib.hs:(2,1)-(3,4)");
	define(&b, ODD, "a;b c", "M\n", "");
	define(&b, GO, "go", "Main", "Main.hs:5");
	put(&b, 2, EVL_PROF_BEGIN, "8", (uint64_t)1000);
	return b;
}

/* --- shapes -------------------------------------------------------------------------------------------------------- */

static void recursion_counts_once(void **state)
{
	(void)state;
	struct built b = zoo();
	SAMPLE(&b, 1000, 0, 1, GO, OUT, GO, MAIN_CC); /* go called by out called by go */
	SAMPLE(&b, 2000, 0, 2, OUT, GO, MAIN_CC);
	SAMPLE(&b, 3000, 0, 3, GO, MAIN_CC);
	sample(&b, 4000, 0, 4, 0, NULL); /* MAIN itself */
	SAMPLE(&b, 5000, 0, 5, GC);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	assert_int_equal(p.window.total, 5);
	struct prof_tree flat = tree_of(&p, PROF_FLAT, 0);
	const struct prof_item *go = child(&p, &flat, flat.items, "go");
	assert_int_equal(go->incl, 3);
	assert_int_equal(go->self, 2);
	assert_int_equal(child(&p, &flat, flat.items, "out")->incl, 2);
	assert_int_equal(child(&p, &flat, flat.items, "MAIN")->incl, 5);
	assert_int_equal(child(&p, &flat, flat.items, "MAIN")->self, 1);
	assert_int_equal(flat.items->incl, 5);
	prof_tree_free(&flat);
	drop(&p);
	done(log, &b);
}

static void callers_and_callees_are_of_the_outermost(void **state)
{
	(void)state;
	struct built b = zoo();
	SAMPLE(&b, 1000, 0, 1, GO, OUT, GO, MAIN_CC);
	SAMPLE(&b, 2000, 0, 2, GO, OUT);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	struct prof_tree callers = tree_of(&p, PROF_CALLERS, name_of(&p, "go"));
	struct prof_tree callees = tree_of(&p, PROF_CALLEES, name_of(&p, "go"));
	struct prof_tree up = tree_of(&p, PROF_BOTTOM_UP, 0);
	assert_int_equal(callers.items->incl, 2);
	assert_int_equal(callers.items->kids, 2);
	assert_int_equal(child(&p, &callers, callers.items, "main")->incl, 1);
	assert_int_equal(child(&p, &callers, callers.items, "out")->incl, 1);
	assert_int_equal(callees.items->incl, 2);
	assert_int_equal(callees.items->self, 1);
	assert_int_equal(child(&p, &callees, child(&p, &callees, callees.items, "out"), "go")->self, 1);
	const struct prof_item *go = child(&p, &up, up.items, "go"), *out = child(&p, &up, go, "out");
	assert_int_equal(up.items->kids, 1);
	assert_int_equal(out->incl, 2);
	assert_int_equal(child(&p, &up, out, "MAIN")->incl, 1);
	prof_tree_free(&callers);
	prof_tree_free(&callees);
	prof_tree_free(&up);
	drop(&p);
	done(log, &b);
}

/* Bottom-up, a row has the samples whose stacks begin, from the innermost centre outwards, with the names of its branch:
 * counted here sample by sample. */
static void bottom_up_is_what_came_through_a_row(void **state)
{
	(void)state;
	static const char *const taken[][4] = {{"go", "out", "go", "main"}, {"out", "go", "main"}, {"go", "main"},
		{"go", "out", "main"}, {"out", "main"}, {"go", "out", "main"}};
	struct built b = zoo();
	SAMPLE(&b, 1000, 0, 1, GO, OUT, GO, MAIN_CC);
	SAMPLE(&b, 2000, 0, 2, OUT, GO, MAIN_CC);
	SAMPLE(&b, 3000, 0, 3, GO, MAIN_CC);
	SAMPLE(&b, 4000, 0, 4, GO, OUT, MAIN_CC);
	SAMPLE(&b, 5000, 0, 5, OUT, MAIN_CC);
	SAMPLE(&b, 6000, 0, 6, GO, OUT, MAIN_CC);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	struct prof_tree up = tree_of(&p, PROF_BOTTOM_UP, 0);
	unsigned checked = 0;
	for (uint32_t i = 1; i < up.n; i++) {
		struct evl_str branch[4];
		uint64_t expected = 0;
		uint32_t depth = up.items[i].depth, at = i;
		if (depth > 4)
			continue; /* MAIN, which every stack has */
		for (uint32_t k = depth; k-- > 0; at = up.items[at].parent)
			branch[k] = prof_label(&p.names, up.items[at].name);
		for (size_t k = 0; k < countof(taken); k++) {
			uint32_t same = 0;
			while (same < depth && taken[k][same] && str_is(branch[same], taken[k][same]))
				same++;
			expected += same == depth;
		}
		if (str_is(branch[depth - 1], "MAIN"))
			continue;
		assert_int_equal(up.items[i].incl, expected);
		assert_int_equal(up.items[i].self, depth == 1 ? expected : 0);
		checked++;
	}
	assert_int_equal(checked, 10);
	prof_tree_free(&up);
	drop(&p);
	done(log, &b);
}

static void the_runtimes_own_can_be_hidden(void **state)
{
	(void)state;
	struct built b = zoo();
	SAMPLE(&b, 1000, 0, 1, GO, MAIN_CC);
	SAMPLE(&b, 2000, 0, 2, GC);
	SAMPLE(&b, 3000, 1, 2, 99); /* not defined */
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	assert_int_equal(prof_hide_rts(&p.names, p.window.self, p.window.n_nodes), 2);
	struct prof_tree t = tree_of(&p, PROF_TREE, 0);
	assert_null(child(&p, &t, t.items, "GC"));
	assert_int_equal(child(&p, &t, t.items, "centre 99")->self, 1);
	assert_int_equal(t.items->incl, 2);
	prof_tree_free(&t);
	drop(&p);
	p = profile_of(log, 0, UINT64_MAX, 1, 1);
	assert_int_equal(p.window.total, 1); /* one capability alone */
	assert_int_equal(p.window.n_caps, 2);
	drop(&p);
	done(log, &b);
}

/* --- sums of pages ------------------------------------------------------------------------------------------------- */

static uint64_t random_next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 33;
}

/* Samples of `stacks` different stacks, one every 10 ns; what each was, into stack_of. */
static struct built many(unsigned n, unsigned stacks, uint32_t *stack_of)
{
	struct built b = zoo();
	uint64_t seed = n;
	for (unsigned i = 0; i < n; i++) {
		stack_of[i] = (uint32_t)(random_next(&seed) % stacks);
		SAMPLE(&b, 100 + 10 * (uint64_t)i, i % 3, i + 1, 1000 + stack_of[i], MAIN_CC);
	}
	block_end(&b, 200 + 10 * (uint64_t)n);
	return b;
}

/* Any range, cut into any number of parts, holds what counting one by one finds. */
static void any_range_is_exact(const struct evl_log *log, const uint32_t *stack_of, unsigned n, unsigned stacks)
{
	uint64_t seed = 5;
	uint64_t *want = calloc(stacks, sizeof *want), *columns = calloc(40, sizeof *columns);
	for (int round = 0; round < 12; round++) {
		uint64_t a = random_next(&seed) % (10 * n + 300), b = random_next(&seed) % (10 * n + 300);
		uint64_t from = min_u64(a, b), to = max_u64(a, b) + 1;
		int cols = 1 + (int)(random_next(&seed) % 40), cap = round % 4 == 3 ? PROF_ALL_CAPS : round % 4;
		struct profile p = profile_of((struct evl_log *)(uintptr_t)log, from, to, cols, cap);
		memset(want, 0, stacks * sizeof *want);
		memset(columns, 0, 40 * sizeof *columns);
		uint64_t total = 0;
		for (unsigned i = 0; i < n; i++) {
			uint64_t t = 100 + 10 * (uint64_t)i;
			int col = 0;
			if (t < from || t >= to || (cap != PROF_ALL_CAPS && i % 3 != (unsigned)cap))
				continue;
			while (column_edge(from, to, cols, col + 1) <= t)
				col++;
			want[stack_of[i]]++;
			columns[col]++;
			total++;
		}
		assert_int_equal(p.window.total, total);
		for (uint32_t node = 0; node < p.window.n_nodes; node++) {
			uint32_t frame = stacks_at(&evl_profile(log)->stacks, node)->frame;
			assert_int_equal(
				p.window.self[node], frame >= 1000 && frame != STACK_NO_FRAME ? want[frame - 1000] : 0);
		}
		uint64_t *series = calloc(40, sizeof *series), in_series = 0;
		assert_int_equal(
			prof_window_series(&p.window, &evl_profile(log)->stacks, &p.names, PROF_MAIN, cap, series), 0);
		for (int i = 0; i < cols; i++) {
			assert_true(p.window.more > 0 || series[i] == columns[i]);
			in_series += series[i];
		}
		assert_true(in_series + p.window.more >= total);
		free(series);
		drop(&p);
	}
	free(want);
	free(columns);
}

static void ranges_of_many_samples(void **state)
{
	(void)state;
	enum { N = 2 * PAGE_SAMPLES + 777, STACKS = 50 };
	uint32_t *stack_of = malloc(N * sizeof *stack_of);
	struct built b = many(N, STACKS, stack_of);
	struct evl_log *log = walked(&b);
	assert_int_equal(prof_samples(evl_profile(log)), N);
	any_range_is_exact(log, stack_of, N, STACKS);
	done(log, &b);
	free(stack_of);
}

/* More sums than may be kept: pages are read again. */
static void ranges_of_pages_without_sums(void **state)
{
	(void)state;
	enum { N = 10 * PAGE_SAMPLES, STACKS = 40000 };
	uint32_t *stack_of = malloc(N * sizeof *stack_of);
	struct built b = many(N, STACKS, stack_of);
	struct evl_log *log = walked(&b);
	const struct prof_chain *chain = &evl_profile(log)->chains[0];
	const struct prof_page *last = rows_at(&chain->pages, rows_count(&chain->pages) - 1);
	assert_int_equal(last->n_sums, 0);
	assert_int_equal(last->samples, PAGE_SAMPLES);
	any_range_is_exact(log, stack_of, N, STACKS);
	done(log, &b);
	free(stack_of);
}

/* The trie is full: samples stay with the part of their stack that is there, and are counted by their innermost. */
static void too_many_stacks(void **state)
{
	(void)state;
	enum { OVER = 1000 };
	struct built b = zoo();
	for (unsigned i = 0; i < MAX_STACKS + OVER; i++)
		SAMPLE(&b, 100 + i, 0, i + 1, 5000 + i, MAIN_CC);
	block_end(&b, 1 << 20);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	uint32_t top[3];
	uint64_t samples[3];
	assert_int_equal(stacks_count(&evl_profile(log)->stacks), MAX_STACKS);
	assert_true(atomic_load(&evl_profile(log)->stacks.cut) >= OVER);
	assert_int_equal(p.window.total, MAX_STACKS + OVER);
	assert_int_equal(p.window.self[1], OVER + 2); /* main, which is on top of none */
	assert_int_equal(by_id_get(&evl_profile(log)->on_top, MAIN_CC), 0);
	assert_int_equal(by_id_get(&evl_profile(log)->on_top, 5000 + MAX_STACKS + OVER - 1), 1);
	assert_int_equal(prof_top(evl_profile(log), top, samples, 3), 3);
	assert_int_equal(top[0], 5000);
	assert_int_equal(samples[0], 1);
	drop(&p);
	done(log, &b);
}

/* Wrong depths, undefined ids, capabilities of 32 bits. */
static void hostile_samples(void **state)
{
	(void)state;
	struct built b = zoo();
	put(&b, 100, EVL_PROF_SAMPLE_COST_CENTRE, "4814", 0u, (uint64_t)1, 255u,
		(unsigned)GO);                                            /* 255 frames, one there */
	put(&b, 101, EVL_PROF_SAMPLE_COST_CENTRE, "48", 0u, (uint64_t)2); /* no depth */
	put(&b, 102, EVL_PROF_SAMPLE_COST_CENTRE, "4", 0u);               /* nothing */
	SAMPLE(&b, 103, 0xffffffffu, UINT64_MAX, 0xffffffffu);
	SAMPLE(&b, 104, 0, 0, 0, 0, 0);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 3, PROF_ALL_CAPS);
	assert_int_equal(p.window.total, 4);
	assert_int_equal(evl_profile(log)->empty, 1); /* no depth */
	assert_int_equal(by_id_get(&evl_profile(log)->on_top, 0xffffffffu), 1);
	assert_int_equal(evl_profile(log)->by_cap[0xffff], 1);
	for (enum prof_shape shape = PROF_TREE; shape <= PROF_CALLEES; shape++) {
		struct prof_tree t = tree_of(&p, shape, 1);
		prof_tree_free(&t);
	}
	drop(&p);
	free(exported(log, "folded", 0, UINT64_MAX));
	free(exported(log, "speedscope", 0, UINT64_MAX));
	done(log, &b);
}

/* An item by its path from the root; fails where there is none. */
static const struct prof_item *at_path(
	const struct profile *p, const struct prof_tree *t, size_t n, const char *const *labels)
{
	uint32_t item = 0;
	for (size_t i = 0; i < n; i++) {
		item = t->items[item].child;
		while (item && !str_is(prof_label(&p->names, t->items[item].name), labels[i]))
			item = t->items[item].next;
		assert_int_not_equal(item, 0);
	}
	return &t->items[item];
}

static void direct_recursion_is_folded(void **state)
{
	static const char *const main_go[] = {"main", "go"}, *const out_go[] = {"main", "go", "out", "go"};
	(void)state;
	struct built b = zoo();
	SAMPLE(&b, 100, 0, 1, GO, MAIN_CC);
	SAMPLE(&b, 110, 0, 2, GO, GO, GO, MAIN_CC);
	SAMPLE(&b, 120, 0, 3, OUT, GO, GO, MAIN_CC);
	SAMPLE(&b, 130, 0, 4, GO, GO, OUT, GO, GO, GO, GO, MAIN_CC);
	SAMPLE(&b, 140, 0, 5, GO, OUT, GO, MAIN_CC);
	sample(&b, 150, 0, 6, 0, NULL);
	block_end(&b, 400);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	struct prof_tree t = tree_of(&p, PROF_TREE, PROF_NO_NAME);
	assert_int_equal(prof_tree_fold(&t), 0);
	assert_int_equal(prof_tree_sort(&t, &p.names, PROF_BY_INCL), 0);
	assert_int_equal(t.n, 5); /* MAIN main go out go */
	assert_int_equal(t.items[0].incl, 6);
	assert_int_equal(t.items[0].self, 1);
	const struct prof_item *go = at_path(&p, &t, 2, main_go), *inner = at_path(&p, &t, 4, out_go);
	assert_int_equal(go->times, 4);
	assert_int_equal(go->incl, 5);
	assert_int_equal(go->self, 2);
	assert_int_equal(inner->times, 2);
	assert_int_equal(inner->self, 2);
	assert_int_equal(at_path(&p, &t, 3, out_go)->self, 1);
	prof_tree_free(&t);
	drop(&p);
	done(log, &b);
}

/* Two ranges, compared: each item has what a tree of each range alone has, in every shape. */
static void ranges_are_compared(void **state)
{
	static const char *const path[] = {"main", "go"};
	(void)state;
	struct built b = zoo();
	for (unsigned i = 0; i < 200; i++)
		if (i % 2)
			SAMPLE(&b, 1000 + i, 0, i + 1, GO, MAIN_CC);
		else
			SAMPLE(&b, 1000 + i, 0, i + 1, OUT, MAIN_CC);
	for (unsigned i = 200; i < 400; i++)
		if (i % 10)
			SAMPLE(&b, 1000 + i, 0, i + 1, GO, MAIN_CC);
		else
			SAMPLE(&b, 1000 + i, 0, i + 1, GO, GO, ODD, MAIN_CC);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct profile all = profile_of(log, 1000, 1400, 1, PROF_ALL_CAPS),
		       base = profile_of(log, 1000, 1200, 1, PROF_ALL_CAPS),
		       now = profile_of(log, 1200, 1400, 1, PROF_ALL_CAPS);
	for (enum prof_shape shape = PROF_TREE; shape <= PROF_FLAT; shape++) {
		struct prof_tree t = tree_of(&all, shape, PROF_NO_NAME), before = tree_of(&base, shape, PROF_NO_NAME),
				 after = tree_of(&now, shape, PROF_NO_NAME);
		uint64_t selfs = 0, bases = 0, want = 0, want_base = 0;
		assert_int_equal(prof_tree_compare(&t, &before, &all.names), 0);
		for (uint32_t i = 0; i < t.n; i++) {
			selfs += t.items[i].incl;
			bases += t.items[i].base_incl;
		}
		for (uint32_t i = 0; i < after.n; i++)
			want += after.items[i].incl;
		for (uint32_t i = 0; i < before.n; i++)
			want_base += before.items[i].incl;
		assert_int_equal(selfs, want);
		assert_int_equal(bases, want_base);
		assert_int_equal(t.items[0].incl, 200);
		assert_int_equal(t.items[0].base_incl, 200);
		for (int by_self = 0; by_self < 2; by_self++) { /* the root is all in any case */
			bool chance;
			t.by_self = by_self;
			assert_int_equal(prof_tree_now(&t, &t.items[0]), 200);
			assert_int_equal(prof_tree_base(&t, &t.items[0]), 200);
			assert_true(prof_tree_change(&t, &t.items[0], &chance) == 0 && chance);
			for (uint32_t i = 1; i < t.n; i++) {
				const struct prof_item *x = &t.items[i];
				assert_int_equal(prof_tree_now(&t, x), by_self ? x->self : x->incl);
				assert_int_equal(prof_tree_base(&t, x), by_self ? x->base_self : x->base_incl);
			}
		}
		t.by_self = false;
		assert_int_equal(prof_tree_sort(&t, &all.names, PROF_BY_CHANGE), 0);
		if (shape == PROF_TREE) {
			bool noise;
			const struct prof_item *go = at_path(&all, &t, 2, path);
			assert_int_equal(go->incl, 180);
			assert_int_equal(go->base_incl, 100);
			assert_true(fabs(prof_tree_change(&t, go, &noise) - 0.4) < 1e-9);
			assert_false(noise);
		}
		prof_tree_free(&t);
		prof_tree_free(&before);
		prof_tree_free(&after);
	}
	drop(&all);
	drop(&base);
	drop(&now);
	done(log, &b);
}

/* --- over time ----------------------------------------------------------------------------------------------------- */

static void jumps_of_ticks_are_gaps(void **state)
{
	(void)state;
	struct built b = zoo();
	SAMPLE(&b, 1000, 0, 1, GO, MAIN_CC);
	SAMPLE(&b, 1001, 1, 1, GC);
	SAMPLE(&b, 2000, 0, 2, GO, MAIN_CC);
	SAMPLE(&b, 2001, 1, 2, GC);
	SAMPLE(&b, 9000, 0, 9, GO, MAIN_CC);
	block_end(&b, 9500);
	struct evl_log *log = walked(&b);
	assert_int_equal(rows_count(&evl_profile(log)->gaps), 1);
	const struct prof_gap *gap = rows_at(&evl_profile(log)->gaps, 0);
	assert_int_equal(gap->from, 2001);
	assert_int_equal(gap->to, 9000);
	assert_int_equal(gap->ticks, 6);
	assert_true(prof_was_off(evl_profile(log), 3000, 4000));
	assert_false(prof_was_off(evl_profile(log), 1000, 3000));
	assert_int_equal(prof_interval(evl_profile(log)), 1000);
	done(log, &b);
}

static void the_heaviest_stack_of_each_column(void **state)
{
	(void)state;
	uint32_t nodes[3];
	struct built b = zoo();
	SAMPLE(&b, 100, 0, 1, GO, MAIN_CC);
	SAMPLE(&b, 110, 0, 2, OUT, MAIN_CC);
	SAMPLE(&b, 120, 0, 3, GO, OUT, MAIN_CC); /* main, then out: 2 of 3, though each stack comes once */
	SAMPLE(&b, 210, 0, 4, GC);
	SAMPLE(&b, 220, 1, 4, GO, MAIN_CC);
	block_end(&b, 400);
	struct evl_log *log = walked(&b);
	struct profile p = profile_of(log, 100, 400, 3, PROF_ALL_CAPS);
	assert_int_equal(prof_window_heaviest(&p.window, &evl_profile(log)->stacks, 0, nodes), 0);
	assert_int_equal(p.names.of_node[nodes[0]], name_of(&p, "out"));
	assert_int_equal(p.names.of_node[nodes[1]], name_of(&p, "GC"));
	assert_int_equal(nodes[2], PROF_NO_NODE);
	assert_int_equal(prof_window_heaviest(&p.window, &evl_profile(log)->stacks, 1, nodes), 0);
	assert_int_equal(nodes[0], PROF_NO_NODE);
	assert_int_equal(p.names.of_node[nodes[1]], name_of(&p, "go"));
	drop(&p);
	done(log, &b);
}

/* --- exports ------------------------------------------------------------------------------------------------------- */

static void folded_stacks(void **state)
{
	(void)state;
	struct built b = zoo();
	SAMPLE(&b, 1000, 0, 1, ODD, MAIN_CC);
	SAMPLE(&b, 2000, 1, 1, ODD, MAIN_CC);
	sample(&b, 3000, 0, 2, 0, NULL);
	SAMPLE(&b, 4000, 0, 3, GO, MAIN_CC);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	char *all = exported(log, "folded", 0, UINT64_MAX), *some = exported(log, "folded", 2000, 4000);
	assert_string_equal(all, "MAIN.MAIN 1\nMAIN.MAIN;Main.main;M?.a,b c 2\nMAIN.MAIN;Main.main;Main.go 1\n");
	assert_string_equal(some, "MAIN.MAIN 1\nMAIN.MAIN;Main.main;M?.a,b c 1\n");
	free(all);
	free(some);
	done(log, &b);
}

/* --- GHC's own report ---------------------------------------------------------------------------------------------- */

/* A line of the report's tree: its depth, label, module, and the share of time alone and with all that it calls. */
struct line {
	unsigned depth;
	char label[64], module[64];
	double self, incl;
};

static bool parse_line(const char *text, struct line *out)
{
	char source[128];
	unsigned number, entries;
	double alloc[2];
	out->depth = (unsigned)strspn(text, " ");
	return sscanf(text, " %63s %63s %127s %u %u %lf %lf %lf %lf", out->label, out->module, source, &number,
		       &entries, &out->self, &alloc[0], &out->incl, &alloc[1])
		== 9;
}

static void assert_share(double share, uint64_t samples, uint64_t total)
{
	assert_true(fabs(share - 100.0 * (double)samples / (double)total) <= 0.0501);
}

/* CAFs of a module have no distinct name: the label alone does not distinguish them. */
static const struct prof_item *find_item(
	const struct profile *p, const struct prof_tree *t, const struct prof_item *parent, const struct line *line)
{
	for (uint32_t i = parent ? parent->child : 0; i; i = t->items[i].next)
		if (str_is(prof_label(&p->names, t->items[i].name), line->label)
			&& str_is(prof_module(&p->names, t->items[i].name), line->module))
			return &t->items[i];
	return NULL;
}

static void the_report_says_the_same(void **state)
{
	(void)state;
	struct evl_log *log = walked_file("tests/logs/9.0.2-quarry-p-N2.eventlog");
	FILE *report = fopen("tests/logs/9.0.2-quarry-p-N2.prof", "r");
	struct profile p = profile_of(log, 0, UINT64_MAX, 1, PROF_ALL_CAPS);
	uint64_t total = prof_hide_rts(&p.names, p.window.self, p.window.n_nodes);
	struct prof_tree t = tree_of(&p, PROF_TREE, 0);
	const struct prof_item *path[64] = {0};
	char text[512];
	unsigned lines = 0, ticks = 0, with_time = 0;
	assert_non_null(report);
	while (fgets(text, sizeof text, report)) {
		struct line line;
		sscanf(text, " total time = %*f secs (%u ticks", &ticks);
		if (!parse_line(text, &line) || line.depth + 1 >= countof(path))
			continue;
		const struct prof_item *item =
			line.depth == 0 ? t.items : find_item(&p, &t, path[line.depth - 1], &line);
		path[line.depth] = item;
		lines++;
		with_time += line.incl > 0;
		assert_share(line.self, item ? item->self : 0, total);
		assert_share(line.incl, item ? item->incl : 0, total);
	}
	assert_int_equal(ticks, total);
	assert_true(lines > 20 && with_time > 10);
	fclose(report);
	prof_tree_free(&t);
	drop(&p);
	evl_close(log);
}

static void the_figures_of_a_range(void **state)
{
	(void)state;
	struct evl_log *log = walked_file("tests/logs/9.0.2-quarry-p-N2.eventlog");
	struct prof_naming naming = evl_naming(log);
	struct prof_figures all, none;
	assert_int_equal(prof_figures_make(&all, evl_profile(log), &naming, 0, UINT64_MAX, NULL), 0);
	assert_int_equal(prof_figures_make(&none, evl_profile(log), &naming, 5, 6, NULL), 0);
	assert_int_equal(none.samples, 0);
	assert_true(str_is(prof_label(&all.names, all.top[0].name), "polish.go")); /* as the report's first line */
	for (size_t i = 1; i < all.n; i++)
		assert_true(all.top[i - 1].self >= all.top[i].self && all.top[i].incl >= all.top[i].self);
	prof_figures_free(&all);
	prof_figures_free(&none);
	evl_close(log);
}

/* --- two runs ------------------------------------------------------------------------------------------------------ */

/* A number of samples of go, of out, and one of the run-time system. */
static struct built run_of(unsigned go, unsigned out)
{
	struct built b = zoo();
	for (unsigned i = 0; i < go; i++)
		SAMPLE(&b, 1000 + i, 0, i + 1, GO, MAIN_CC);
	for (unsigned i = 0; i < out; i++)
		SAMPLE(&b, 5000 + i, 0, 5000 + i, OUT, MAIN_CC);
	SAMPLE(&b, 9000, 0, 9000, GC);
	block_end(&b, 10000);
	return b;
}

static struct prof_centres side_of(const struct evl_log *log)
{
	struct prof_naming naming = evl_naming(log);
	struct prof_centres side;
	assert_int_equal(prof_centres_make(&side, evl_profile(log), &naming, 0, UINT64_MAX, false, NULL), 0);
	return side;
}

/* The difference of the centre with this label between runs with given samples of go and out. */
static enum prof_change change_of(const char *label, const unsigned *a, const unsigned *b)
{
	struct built bytes[] = {run_of(a[0], a[1]), run_of(b[0], b[1])};
	struct evl_log *logs[] = {walked(&bytes[0]), walked(&bytes[1])};
	struct prof_centres sides[] = {side_of(logs[0]), side_of(logs[1])};
	struct prof_diff d;
	enum prof_change change = PROF_STAYED;
	assert_int_equal(prof_diff(&d, &sides[0], &sides[1]), 0);
	assert_int_equal(d.program[0], a[0] + a[1]);
	for (size_t i = 0; i < d.n; i++)
		if (str_is(d.rows[i].label, label))
			change = d.rows[i].change;
	for (size_t i = 0; i < d.n; i++)
		assert_false(str_is(d.rows[i].label, "GC"));
	prof_diff_free(&d);
	for (int i = 0; i < 2; i++) {
		prof_centres_free(&sides[i]);
		done(logs[i], &bytes[i]);
	}
	return change;
}

static void two_runs(void **state)
{
	(void)state;
	assert_int_equal(change_of("out", (unsigned[]){50, 50}, (unsigned[]){50, 0}), PROF_ONLY_A);
	assert_int_equal(change_of("out", (unsigned[]){50, 0}, (unsigned[]){50, 50}), PROF_ONLY_B);
	assert_int_equal(change_of("out", (unsigned[]){50, 50}, (unsigned[]){100, 100}), PROF_STAYED); /* shares */
	assert_int_equal(change_of("out", (unsigned[]){500, 500}, (unsigned[]){800, 200}), PROF_MOVED);
	assert_int_equal(change_of("out", (unsigned[]){5, 5}, (unsigned[]){6, 4}), PROF_STAYED); /* chance */
	assert_int_equal(change_of("main", (unsigned[]){500, 500}, (unsigned[]){800, 200}), PROF_STAYED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(callers_and_callees_are_of_the_outermost),
		cmocka_unit_test(bottom_up_is_what_came_through_a_row),
		cmocka_unit_test(the_runtimes_own_can_be_hidden),
		cmocka_unit_test(ranges_of_many_samples),
		cmocka_unit_test(ranges_of_pages_without_sums),
		cmocka_unit_test(too_many_stacks),
		cmocka_unit_test(hostile_samples),
		cmocka_unit_test(jumps_of_ticks_are_gaps),
		cmocka_unit_test(the_heaviest_stack_of_each_column),
		cmocka_unit_test(direct_recursion_is_folded),
		cmocka_unit_test(ranges_are_compared),
		cmocka_unit_test(folded_stacks),
		cmocka_unit_test(the_report_says_the_same),
		cmocka_unit_test(the_figures_of_a_range),
		cmocka_unit_test(two_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
