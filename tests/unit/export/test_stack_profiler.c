/* Call stacks that ghc-stack-profiler wrote: its messages, their names, and that they are a profile like the other. */
#include "logs.h"

#include "exported.h"
#include "prof/prof_figures.h"

#include <stdio.h>

/* A binary message of the profiler's: its tag, then numbers as `form` says; "s": a text. */
#define CALL(b, t, tag, form, ...) put(b, t, EVL_USER_BINARY_MSG, "2" form, tag, __VA_ARGS__)

enum { STACK = 0xffca, PART, TEXT, PLACE };

static void text(struct built *b, uint64_t id, const char *s) { CALL(b, 1, TEXT, "82s", id, (unsigned)strlen(s), s); }

static struct built begun(void)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	text(&b, 0, "serve");
	text(&b, 1, "query");
	text(&b, 2, "src/Db.hs");
	CALL(&b, 1, PLACE, "8448", (uint64_t)0, 12u, 3u, (uint64_t)2);
	CALL(&b, 1, PLACE, "84488", (uint64_t)1, 7u, 9u, (uint64_t)0, (uint64_t)2); /* as older releases write it */
	put(&b, 1, EVL_IPE, "8s1s1s1s1s1s1", (uint64_t)0x4242, "go_info", 0u, "16", 0u, "Int", 0u, "go", 0u, "Main", 0u,
		"src/Main.hs:3:1-9", 0u);
	return b;
}

static void assert_folded(struct built *b, const char *want)
{
	block_end(b, 9000);
	struct evl_log *log = walked(b);
	char *got = exported(log, "folded", 0, UINT64_MAX);
	assert_string_equal(got, want);
	free(got);
	done(log, b);
}

/* Entries from the outside in, after a head. */
static void stack(struct built *b, uint64_t t, unsigned tag, unsigned cap, unsigned n)
{
	put(b, t, EVL_USER_BINARY_MSG, "2442", tag, cap, 7u, n);
}

static void widen(struct built *b, size_t head) { patch(b, head + 10, b->len - head - 12, 2); }

static void named(struct built *b, uint64_t id)
{
	add_number(b, CALL_NAMED, 1);
	add_number(b, id, 8);
}

static void placed(struct built *b, uint64_t id, uint64_t place)
{
	add_number(b, CALL_PLACED, 1);
	add_number(b, id, 8);
	add_number(b, place, 8);
}

static void address(struct built *b, uint64_t id)
{
	add_number(b, CALL_AT_ADDRESS, 1);
	add_number(b, id, 8);
}

static void stacks_have_names(void **state)
{
	(void)state;
	struct built b = begun();
	for (unsigned i = 0; i < 2; i++) {
		size_t head = b.len;
		stack(&b, 100 + i, STACK, 1, 4);
		named(&b, 0);
		placed(&b, 1, i);
		address(&b, 0x4242);
		address(&b, 0x99);
		widen(&b, head);
	}
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	char *folded = exported(log, "folded", 0, UINT64_MAX), *scope = exported(log, "speedscope", 0, UINT64_MAX);
	assert_string_equal(folded, "all;serve;query;Main.go;0x99 1\nall;serve;query;Main.go;0x99 1\n");
	assert_non_null(strstr(scope, "\"file\":\"src/Db.hs\",\"line\":12,\"col\":3"));
	assert_non_null(strstr(scope, "\"file\":\"src/Db.hs\",\"line\":7,\"col\":9"));
	assert_non_null(strstr(scope, "\"name\":\"cap 1\""));
	free(folded);
	free(scope);
	done(log, &b);
}

static void parts_are_one_stack(void **state)
{
	(void)state;
	struct built b = begun();
	for (unsigned i = 0; i < 2; i++) {
		size_t head = b.len;
		stack(&b, 100 + i, PART, 0, 1);
		named(&b, 0);
		widen(&b, head);
		head = b.len;
		stack(&b, 101 + i, STACK, 0, 1);
		named(&b, 1);
		widen(&b, head);
	}
	assert_folded(&b, "all;serve;query 2\n");
}

/* As GHC's own samples: the innermost frames stay. */
static void deep_stacks_keep_their_inside(void **state)
{
	(void)state;
	struct built b = begun();
	size_t head = b.len;
	stack(&b, 100, STACK, 0, 3 * STACK_DEPTH);
	for (unsigned i = 0; i < 3 * STACK_DEPTH; i++)
		named(&b, i < 2 * STACK_DEPTH ? 0 : 1);
	widen(&b, head);
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	char *folded = exported(log, "folded", 0, UINT64_MAX);
	assert_null(strstr(folded, "serve"));
	assert_int_equal(strlen(folded), strlen("all 1\n") + STACK_DEPTH * strlen(";query"));
	free(folded);
	done(log, &b);
}

static void hostile_messages(void **state)
{
	(void)state;
	struct built b = begun();
	size_t head = b.len;
	stack(&b, 100, STACK, 0xffffffffu, 0xffff); /* one entry of 65535, then an odd one */
	named(&b, UINT64_MAX);
	add_number(&b, 9, 1);
	widen(&b, head);
	CALL(&b, 101, STACK, "4", 1u);                                   /* no head */
	CALL(&b, 102, TEXT, "82", UINT64_MAX, 0xffffu);                  /* an id past all tables, no text */
	CALL(&b, 103, TEXT, "82", (uint64_t)5, 0xffffu);                 /* longer than the message */
	CALL(&b, 104, PLACE, "8448", (uint64_t)9, 0u, 0u, (uint64_t)77); /* an undefined file */
	CALL(&b, 105, PLACE, "84", (uint64_t)9, 0u);
	put(&b, 106, EVL_USER_BINARY_MSG, "1", 0xffu);
	head = b.len;
	stack(&b, 107, STACK, 0, 1);
	placed(&b, 5, 9);
	widen(&b, head);
	assert_folded(&b, "all;text 18446744073709551615 1\nall; 1\n");
}

static void figures_of_calls(void **state)
{
	(void)state;
	struct built b = begun();
	for (unsigned i = 0; i < 10; i++) {
		size_t head = b.len;
		stack(&b, 100 + i, STACK, 0, 2);
		named(&b, 0);
		named(&b, i % 5 ? 1 : 0);
		widen(&b, head);
	}
	block_end(&b, 9000);
	struct evl_log *log = walked(&b);
	struct prof_naming naming = evl_naming(log);
	struct prof_figures f;
	assert_int_equal(prof_figures_make(&f, evl_profile(log), &naming, 0, UINT64_MAX, NULL), 0);
	assert_int_equal(f.samples, 10);
	assert_int_equal(f.interval, 0); /* undefined */
	assert_int_equal(f.n, 2);
	assert_true(str_is(prof_label(&f.names, f.top[0].name), "query"));
	assert_int_equal(f.top[0].self, 8);
	assert_int_equal(f.top[1].self, 2);
	assert_int_equal(f.top[1].incl, 10);
	prof_figures_free(&f);
	assert_int_equal(prof_figures_make(&f, evl_profile(log), &naming, 100, 105, NULL), 0);
	assert_int_equal(f.samples, 5);
	prof_figures_free(&f);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_have_names),
		cmocka_unit_test(parts_are_one_stack),
		cmocka_unit_test(deep_stacks_keep_their_inside),
		cmocka_unit_test(hostile_messages),
		cmocka_unit_test(figures_of_calls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
