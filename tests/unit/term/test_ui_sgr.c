/* The colours of a frame: less is sent, the same is seen. */
#include "term/sgr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct sgr terminal;

/* Output to a terminal that has received everything so far. */
static const char *sent(const char *frame)
{
	static char text[512];
	struct buf out = {0};
	sgr_compact(&terminal, (const uint8_t *)frame, strlen(frame), &out);
	assert_false(out.failed);
	assert_true(out.len < sizeof text);
	if (out.len)
		memcpy(text, out.p, out.len);
	text[out.len] = '\0';
	buf_free(&out);
	return text;
}

/* A terminal in its default colours, which we know of. */
static int fresh(void **state)
{
	(void)state;
	sgr_forget(&terminal);
	sent("\x1b(B\x1b[mx");
	return 0;
}

static void what_is_there_is_not_sent_again(void **state)
{
	(void)state;
	assert_string_equal(sent("\x1b[38;5;107m\x1b[48;5;235mx"), "\x1b[38;5;107;48;5;235mx");
	assert_string_equal(sent("\x1b[38;5;107m\x1b[48;5;236mx"), "\x1b[48;5;236mx");
	assert_string_equal(sent("\x1b[38;5;107m\x1b[48;5;236mx"), "x");
	assert_string_equal(sent("\x1b[39;49my"), "\x1b[39;49my");
}

static void only_the_last_wish_counts(void **state)
{
	(void)state;
	assert_string_equal(sent("\x1b[31m\x1b[1m\x1b(B\x1b[m\x1b[32mx"), "\x1b[32mx");
	assert_string_equal(sent("\x1b[31m\x1b[44m"), "");
	assert_string_equal(sent("\x1b[91;104my"), "\x1b[91;104my");
}

static void attributes_end_with_a_reset(void **state)
{
	(void)state;
	assert_string_equal(sent("\x1b[1;4;34mx"), "\x1b[1;4;34mx");
	assert_string_equal(sent("\x1b[22mx"), "\x1b[;4;34mx");
	assert_string_equal(sent("\x1b[0mx"), "\x1b[mx");
}

static void a_blank_wants_its_background_alone(void **state)
{
	(void)state;
	assert_string_equal(sent("\x1b[31;44m  x"), "\x1b[44m  \x1b[31mx");
	assert_string_equal(sent("\x1b[32;41m\x1b[K\x1b[33m \x1b[5X"), "\x1b[41m\x1b[K \x1b[5X");
	assert_string_equal(sent("\x1b[4m z"), "\x1b[4;33m z"); /* an underline is seen on blanks */
}

static void motion_wants_nothing(void **state)
{
	(void)state;
	assert_string_equal(sent("\x1b[31m\x1b[5;7H\r\b\x1b[C\x1b[3dx"), "\x1b[5;7H\r\b\x1b[C\x1b[3d\x1b[31mx");
	assert_string_equal(sent("\x1b[42m\n"), "\x1b[42m\n"); /* may scroll a row in, with its background */
}

static void unknown_sequences_pass(void **state)
{
	(void)state;
	assert_string_equal(sent("\x1b[31mx\x1b[?1049hx"),
		"\x1b[31mx\x1b[?1049h\x1b[;31mx"); /* and the state is unknown afterwards */
	assert_string_equal(sent("\x1b[10mx"), "\x1b[10m\x1b[;31mx");
	assert_string_equal(sent("\x1b[38;5mx"), "\x1b[38;5m\x1b[;31mx");
	assert_string_equal(sent("\x1b[38;2;1;2;3m\x1b[48:5:9mx"), "\x1b[38;2;1;2;3;48:5:9mx");
	assert_string_equal(sent("\x1b(0q\x1b(Bq\x1b(Bq"), "\x1b(0q\x1b(Bqq");
	assert_string_equal(sent("\x1b["), "\x1b[");
	assert_string_equal(sent("\x1b"), "\x1b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_is_there_is_not_sent_again, fresh),
		cmocka_unit_test_setup(only_the_last_wish_counts, fresh),
		cmocka_unit_test_setup(attributes_end_with_a_reset, fresh),
		cmocka_unit_test_setup(a_blank_wants_its_background_alone, fresh),
		cmocka_unit_test_setup(motion_wants_nothing, fresh),
		cmocka_unit_test_setup(unknown_sequences_pass, fresh),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
