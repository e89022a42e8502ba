/* Undrawn output to a terminal is text only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/report.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static int terminal = -1, kept = -1;

/* Standard output is a terminal of ours. */
static int begin(void **state)
{
	(void)state;
	struct termios modes;
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
		return -1;
	int theirs = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	tcgetattr(theirs, &modes);
	cfmakeraw(&modes);
	tcsetattr(theirs, TCSANOW, &modes);
	kept = dup(STDOUT_FILENO);
	dup2(theirs, STDOUT_FILENO);
	return close(theirs);
}

static int end(void **state)
{
	(void)state;
	dup2(kept, STDOUT_FILENO);
	close(kept);
	return close(terminal);
}

static void shows(const char *want)
{
	char got[256] = "";
	struct pollfd p = {terminal, POLLIN, 0};
	size_t len = 0; /* the system hands it on when it has the time */
	do {
		ssize_t n = read(terminal, got + len, sizeof got - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while (len < strlen(want) && poll(&p, 1, 5000) > 0);
	assert_string_equal(got, want);
}

static void text_is_escaped(void **state)
{
	(void)state;
	struct out out = out_gated();
	assert_true(out_put(&out, "a,\x1b[2J\tb\n", 9));
	assert_true(out_put(&out, "\xc2", 1)); /* half of a control */
	assert_true(out_put(&out, "\x9b\xe2", 2));
	assert_int_equal(out_status(&out), EXIT_SUCCESS);
	shows("a,\\x1b[2J\tb\n\\u{9b}\\xe2");
}

static void binary_is_refused(void **state)
{
	(void)state;
	struct out out = out_gated();
	assert_false(out_put(&out, "hdrb\0\1\2", 7));
	assert_int_equal(out_status(&out), EXIT_USAGE);
	shows("");
}

static void what_is_asked_for_comes(void **state)
{
	(void)state;
	struct out out = out_open();
	assert_true(out_put(&out, "\x1b[2J", 4));
	assert_int_equal(out_status(&out), EXIT_SUCCESS);
	shows("\x1b[2J");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(text_is_escaped, begin, end),
		cmocka_unit_test_setup_teardown(binary_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(what_is_asked_for_comes, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
