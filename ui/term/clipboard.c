#include "term/clipboard.h"

#include "sys/retry.h"
#include "sys/system.h"
#include "term/runner.h"
#include "term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the terminal --- */

static void put_base64(struct buf *out, struct evl_str s)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < s.len; i += 3) {
		size_t n = s.len - i < 3 ? s.len - i : 3;
		uint32_t bits =
			(uint32_t)s.p[i] << 16 | (n > 1 ? (uint32_t)s.p[i + 1] << 8 : 0) | (n > 2 ? s.p[i + 2] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_char(out, k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
}

/* screen passes the content of a device control string on, but none that is long. */
static void wrap(struct evl_str s, struct buf *out)
{
	enum { PIECE = 512 };
	for (size_t i = 0; i < s.len; i += PIECE) {
		buf_lit(out, "\x1bP");
		buf_put(out, s.p + i, s.len - i < PIECE ? s.len - i : PIECE);
		buf_lit(out, "\x1b\\");
	}
}

void clipboard_sequence(struct evl_str text, bool in_screen, struct buf *out)
{
	struct buf plain = {0}, *to = in_screen ? &plain : out;
	buf_lit(to, "\x1b]52;c;");
	put_base64(to, text);
	buf_cstr(to, in_screen ? "\a" : "\x1b\\"); /* an ESC \ would end the string around it */
	if (in_screen)
		wrap((struct evl_str){(const uint8_t *)plain.p, plain.len}, out);
	out->failed |= plain.failed;
	buf_free(&plain);
}

static bool to_terminal(struct evl_str text)
{
	struct buf sequence = {0};
	const char *screen = getenv("STY");
	clipboard_sequence(text, screen && *screen, &sequence);
	buf_char(&sequence, 0);
	bool good = !sequence.failed;
	if (good)
		tty_send(sequence.p);
	buf_free(&sequence);
	return good;
}

/* --- tmux --- */

/* The text as a file to read from: unlike a pipe it never blocks. */
static int readable(struct evl_str text)
{
	int fd = sys_memory_file("copy");
	bool good = fd >= 0 && write_all(fd, text.p, text.len) && lseek(fd, 0, SEEK_SET) == 0;
	if (!good && fd >= 0)
		close(fd);
	return good ? fd : -1;
}

static bool spawn_tmux(int input, pid_t *pid)
{
	char *argv[] = {"tmux", "load-buffer", "-w", "-", NULL};
	extern char **environ;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	if (posix_spawn_file_actions_init(&files))
		return false;
	bool good = posix_spawnattr_init(&attr) == 0;
	if (good) {
		posix_spawnattr_setsigmask(&attr, &none);
		posix_spawnattr_setsigdefault(&attr, &all);
		posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
		posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		good = posix_spawnp(pid, argv[0], &files, &attr, argv, environ) == 0;
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return good;
}

/* Has it done its work? One that takes long is believed. */
static bool succeeds(pid_t pid)
{
	enum { MOMENT_MS = 200 };
	struct pollfd p = {.fd = sys_child_fd(pid), .events = POLLIN};
	int status = 0;
	if (p.fd >= 0) {
		poll_again(&p, 1, MOMENT_MS);
		close(p.fd);
	}
	return waitpid_again(pid, &status, WNOHANG) <= 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int clipboard_tmux(const void *text, size_t len)
{
	pid_t pid;
	int input = readable((struct evl_str){text, len});
	bool good = input >= 0 && spawn_tmux(input, &pid) && succeeds(pid);
	if (input >= 0)
		close(input);
	return good ? 0 : 1;
}

/* --- a file --- */

static const char *to_file(struct evl_str text, const char *path)
{
	int fd = open_again(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	if (fd < 0)
		return strerror(errno);
	bool good = write_all(fd, text.p, text.len) && write_all(fd, "\n", 1);
	int error = errno;
	good = close_written(fd) && good;
	return good ? NULL : strerror(error);
}

/* --- all of them --- */

bool clipboard_copy(struct evl_str text, const char *file, char *say)
{
	const char *tmux = getenv("TMUX"), *where = "", *why = file ? to_file(text, file) : NULL;
	bool fits = text.len <= CLIPBOARD_MOST;
	if (tmux && *tmux
		&& (runner_runs() ? runner_ask(RUNNER_COPY, text.p, text.len) : clipboard_tmux(text.p, text.len)) == 0)
		where = "copied to the tmux buffer and the clipboard";
	else if (fits && to_terminal(text))
		where = "copied: sent to the terminal's clipboard (not confirmed)";
	bool any = *where || (file && !why);
	if (!*where)
		where = fits ? "the clipboard cannot be reached" : "too much for the terminal's clipboard";
	if (why)
		snprintf(say, CLIPBOARD_SAY, "%.120s cannot be written: %s; %s", file, why, where);
	else
		snprintf(say, CLIPBOARD_SAY, "%s%s%.120s", where, file ? "; in " : "", file ? file : "");
	return any && !why;
}
