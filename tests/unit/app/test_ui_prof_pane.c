/* The Profile pane as it is seen: the hottest centre is selected at first, by numbers; stacks of 1,000 frames; recursion. */
#include "paned.h"

#include "panes/prof/prof_pane.h"
#include "panes/prof/prof_state.h"

#include <stdio.h>

enum { LEVELS = 1000, TIMES = 120, LEAF = LEVELS, MAIN, F, LAST, NAMES, HEAD = 10 };

static struct built bytes;
static struct evl_log *log_;

static void begin_log(void)
{
	bytes = log_begin();
	block_begin(&bytes, EVL_NO_CAP, 0);
}

static void show(uint64_t until)
{
	block_end(&bytes, until);
	log_end(&bytes);
	log_ = walked(&bytes);
	paned_open(log_, PANE_PROF, 50, 160);
}

static void end(void)
{
	paned_close();
	done(log_, &bytes);
}

static void centres(const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put(&bytes, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", i + 1, names[i], 0u, "M", 0u, "M.hs:1:1", 0u, 0u);
}

static void sample(uint64_t t, unsigned depth, const unsigned *innermost_first)
{
	size_t head = bytes.len;
	put(&bytes, t, EVL_PROF_SAMPLE_COST_CENTRE, "481", 0u, t, depth);
	for (unsigned d = 0; d < depth; d++)
		add_number(&bytes, innermost_first[d], 4);
	patch(&bytes, head + HEAD, bytes.len - head - HEAD - 2, 2);
}

/* c has the largest item; leaf has more in all, under a and b; main has the most with its callees but no samples alone. */
static void the_hottest_by_self_is_selected(void **state)
{
	static const char *const names[] = {"main", "a", "b", "c", "leaf"};
	static const struct {
		unsigned n, depth, stack[3];
	} samples[] = {{20, 3, {5, 2, 1}}, {30, 3, {5, 3, 1}}, {40, 2, {4, 1}}, {3, 2, {2, 1}}};
	uint64_t own[countof(names) + 1] = {0}, t = 100, all = 0;
	unsigned hottest = 0;
	char figures[64];
	(void)state;
	begin_log();
	centres(names, countof(names));
	for (size_t s = 0; s < countof(samples); s++)
		for (unsigned i = 0; i < samples[s].n; i++, all++) {
			sample(t++, samples[s].depth, samples[s].stack);
			own[samples[s].stack[0]]++;
		}
	for (unsigned i = 1; i <= countof(names); i++)
		hottest = own[i] > own[hottest] ? i : hottest;
	assert_string_equal(names[hottest - 1], "leaf");
	show(1000);
	snprintf(figures, sizeof figures, "incl %.1f%%  self %.1f%%  %d samples", 100.0 * 30 / (double)all,
		100.0 * 30 / (double)all, 30);
	assert_seen(figures); /* of its items the largest */
	assert_seen(" leaf  M");
	assert_seen("path main > b > leaf");
	end();
}

/* --- stacks of ghc-stack-profiler ---------------------------------------------------------------------------------- */

static void text(unsigned id, const char *name)
{
	size_t head = bytes.len;
	put(&bytes, 1, EVL_USER_BINARY_MSG, "282", 0xffccu, (uint64_t)id, (unsigned)strlen(name));
	add_bytes(&bytes, name, strlen(name));
	patch(&bytes, head + HEAD, bytes.len - head - HEAD - 2, 2);
}

static void calls(uint64_t t, unsigned n, unsigned (*frame)(unsigned))
{
	size_t head = bytes.len;
	put(&bytes, t, EVL_USER_BINARY_MSG, "2442", 0xffcau, 0u, 1u, n);
	for (unsigned i = 0; i < n; i++) {
		add_number(&bytes, 2, 1);
		add_number(&bytes, frame(i), 8);
	}
	patch(&bytes, head + HEAD, bytes.len - head - HEAD - 2, 2);
}

static unsigned level(unsigned i) { return i; }
static unsigned recursive(unsigned i) { return i == 0 ? MAIN : i <= TIMES ? F : LAST; }

static void a_thousand_levels(void **state)
{
	(void)state;
	begin_log();
	for (unsigned i = 0; i < LEVELS; i++) {
		char name[64];
		snprintf(name, sizeof name, "A.Long.Name.Of.A.Module.Of.A.Parser.level%03u", i);
		text(i, name);
	}
	text(MAIN, "main");
	text(F, "f");
	text(LAST, "last");
	for (unsigned i = 0; i < 90; i++)
		calls(1000 + i, i % 9 ? LEVELS : TIMES + 2, i % 9 ? level : recursive);
	show(5000);
	assert_seen("^ 986 levels");
	assert_seen("~.level999"); /* its name, whose last component is whole */
	assert_seen("level999");
	assert_seen("self 88.9%  80 samples");
	assert_seen("path ~ > A.Long.Name.Of.A.Module.Of.A.Parser.level999");
	paned_key(ACT_UP);
	assert_seen("level998  ");
	paned_key(ACT_START);
	assert_seen("v 986 levels");
	assert_false(paned_has("level900"));
	assert_false(paned_has("f x120"));
	paned_key(ACT_REGROUP);
	assert_true(paned_has("f x120"));
	end();
}

/* A filter applies when its prompt ends. */
static void a_filter_is_not_taken_while_it_is_typed(void **state)
{
	(void)state;
	const struct prof_pane *v;
	begin_log();
	text(MAIN, "main");
	for (unsigned i = 0; i < 9; i++)
		calls(1000 + i, 1, recursive);
	show(5000);
	v = host.views[PANE_PROF];
	prof_pane.set_filter(&host, "thread:9", PROMPT_EDITING);
	assert_string_equal(v->only, "");
	prof_pane.set_filter(&host, "thread:9", PROMPT_DONE);
	assert_string_equal(v->only, "thread:9");
	prof_pane.set_filter(&host, "thread:8", PROMPT_EDITING);
	assert_string_equal(v->only, "thread:9");
	prof_pane.set_filter(&host, "", PROMPT_CANCELLED);
	assert_string_equal(v->only, "");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hottest_by_self_is_selected),
		cmocka_unit_test(a_thousand_levels),
		cmocka_unit_test(a_filter_is_not_taken_while_it_is_typed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
