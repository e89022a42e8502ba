/* A frame on its way to a terminal that takes it slowly, or not at all. */
#include "term/tty_writer.h"

#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

enum { FRAME = 200 << 10 }; /* more than any pty holds */

struct line {
	int terminal, program;
	struct tty_writer sink;
};

static int open_line(void **state)
{
	static struct line line;
	struct termios raw;
	if (openpty(&line.terminal, &line.program, NULL, NULL, NULL) || tcgetattr(line.program, &raw))
		return -1;
	cfmakeraw(&raw);
	*state = &line;
	fcntl(line.terminal, F_SETFL, O_NONBLOCK);
	return tcsetattr(line.program, TCSANOW, &raw) || tty_writer_open(&line.sink, line.program);
}

static int close_line(void **state)
{
	struct line *line = *state;
	tty_writer_close(&line->sink);
	close(line->program);
	if (line->terminal >= 0)
		close(line->terminal);
	return 0;
}

/* As curses does. */
static void draw(struct tty_writer *s, size_t len)
{
	char *frame = malloc(len);
	assert_non_null(frame);
	memset(frame, 'x', len);
	assert_int_equal(write(s->frame, frame, len), len);
	free(frame);
}

/* Bytes received by the terminal so far; the last one is kept. */
static size_t receive(const struct line *line, char *last)
{
	char bytes[4096];
	size_t sum = 0;
	for (ssize_t n; (n = read(line->terminal, bytes, sizeof bytes)) > 0; sum += (size_t)n)
		*last = bytes[n - 1];
	return sum;
}

static void a_frame_arrives_whole(void **state)
{
	struct line *line = *state;
	char last = 0;
	draw(&line->sink, 100);
	tty_writer_frame(&line->sink);
	assert_false(tty_writer_waiting(&line->sink));
	assert_int_equal(receive(line, &last), 100 + sizeof "\x1b[m" - 1);
	draw(&line->sink, 100);
	tty_writer_frame(&line->sink);
	tty_writer_frame(&line->sink); /* it is the only one */
	assert_int_equal(receive(line, &last), 100);
}

static void what_is_thrown_away_stays_away(void **state)
{
	struct line *line = *state;
	char last = 0;
	draw(&line->sink, 100);
	tty_writer_discard(&line->sink);
	tty_writer_frame(&line->sink);
	assert_int_equal(receive(line, &last), 0);
}

static void a_slow_terminal_does_not_block(void **state)
{
	struct line *line = *state;
	char last = 0;
	draw(&line->sink, FRAME);
	tty_writer_frame(&line->sink); /* no reader: a blocking write would hang here */
	assert_true(tty_writer_waiting(&line->sink));
	tty_writer_send(&line->sink, "!");
	size_t sum = 0;
	for (int i = 0; i < 10000 && tty_writer_waiting(&line->sink); i++) {
		sum += receive(line, &last);
		tty_writer_retry(&line->sink);
	}
	sum += receive(line, &last);
	assert_int_equal(sum, FRAME + sizeof "\x1b[m!" - 1);
	assert_int_equal(last, '!');
	assert_false(line->sink.gone);
}

static void a_dropped_frame_makes_way(void **state)
{
	struct line *line = *state;
	char last = 0;
	draw(&line->sink, FRAME);
	tty_writer_frame(&line->sink);
	tty_writer_drop(&line->sink);
	tty_writer_send(&line->sink, "restored");
	assert_false(tty_writer_waiting(&line->sink));
	assert_true(receive(line, &last) < FRAME);
	assert_int_equal(last, 'd');
}

static void a_drain_ends(void **state)
{
	struct line *line = *state;
	draw(&line->sink, FRAME);
	tty_writer_frame(&line->sink);
	tty_writer_drain(&line->sink, 40);
	assert_true(tty_writer_waiting(&line->sink));
}

static void a_terminal_that_is_gone_is_noticed(void **state)
{
	struct line *line = *state;
	close(line->terminal);
	line->terminal = -1;
	tty_writer_send(&line->sink, "anybody?");
	assert_true(line->sink.gone);
	assert_false(tty_writer_waiting(&line->sink));
}

static void only_our_description_is_non_blocking(void **state)
{
	const struct line *line = *state;
	assert_true(fcntl(line->sink.tty, F_GETFL) & O_NONBLOCK);
	assert_false(fcntl(line->program, F_GETFL) & O_NONBLOCK);
}

int main(void)
{
#define ON_A_LINE(test) cmocka_unit_test_setup_teardown(test, open_line, close_line)
	const struct CMUnitTest tests[] = {
		ON_A_LINE(a_frame_arrives_whole),
		ON_A_LINE(what_is_thrown_away_stays_away),
		ON_A_LINE(a_slow_terminal_does_not_block),
		ON_A_LINE(a_dropped_frame_makes_way),
		ON_A_LINE(a_drain_ends),
		ON_A_LINE(a_terminal_that_is_gone_is_noticed),
		ON_A_LINE(only_our_description_is_non_blocking),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
