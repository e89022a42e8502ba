#include "term/tty_writer.h"

#include "sys/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

/* A second open file description, so that O_NONBLOCK does not reach the shell's. If the terminal cannot be opened
 * again (it belongs to another user), use the first one, which blocks. */
static int reopen(int fd)
{
	int again = sys_open_again(fd, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return again >= 0 ? again : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

int tty_writer_open(struct tty_writer *s, int stdout_fd)
{
	*s = (struct tty_writer){.frame = sys_memory_file("frame"), .tty = -1};
	s->tty = s->frame < 0 ? -1 : reopen(stdout_fd);
	sgr_forget(&s->sgr);
	return s->tty < 0 ? -1 : 0;
}

void tty_writer_close(struct tty_writer *s)
{
	if (s->frame >= 0)
		close(s->frame);
	if (s->tty >= 0)
		close(s->tty);
	buf_free(&s->out);
	*s = (struct tty_writer){.frame = -1, .tty = -1};
}

bool tty_writer_waiting(const struct tty_writer *s) { return s->at < s->out.len; }

void tty_writer_retry(struct tty_writer *s)
{
	while (tty_writer_waiting(s)) {
		ssize_t n = write(s->tty, s->out.p + s->at, s->out.len - s->at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			s->gone = true;
			break;
		}
		s->at += (size_t)n;
	}
	buf_clear(&s->out);
	s->at = 0;
}

void tty_writer_send(struct tty_writer *s, const char *text)
{
	buf_cstr(&s->out, text);
	tty_writer_retry(s);
}

void tty_writer_discard(struct tty_writer *s)
{
	if (ftruncate(s->frame, 0) || lseek(s->frame, 0, SEEK_SET))
		s->gone = true;
}

void tty_writer_frame(struct tty_writer *s)
{
	off_t len = lseek(s->frame, 0, SEEK_END);
	if (len <= 0)
		return;
	void *frame = mmap(NULL, (size_t)len, PROT_READ, MAP_SHARED, s->frame, 0);
	if (frame == MAP_FAILED) {
		s->gone = true;
		return;
	}
	if (s->sync)
		buf_lit(&s->out, "\x1b[?2026h");
	sgr_compact(&s->sgr, frame, (size_t)len, &s->out);
	if (s->sync)
		buf_lit(&s->out, "\x1b[?2026l");
	munmap(frame, (size_t)len);
	tty_writer_discard(s);
	s->gone |= s->out.failed;
	tty_writer_retry(s);
}

void tty_writer_drop(struct tty_writer *s)
{
	if (!tty_writer_waiting(s))
		return;
	buf_clear(&s->out);
	s->at = 0;
	tcflush(s->tty, TCOFLUSH);
	sgr_forget(&s->sgr);
	tty_writer_send(s, "\x18"); /* CAN: the terminal forgets the sequence that was cut */
}

void tty_writer_drain(struct tty_writer *s, int ms)
{
	struct pollfd p = {.fd = s->tty, .events = POLLOUT};
	for (; tty_writer_waiting(s) && !s->gone && ms > 0; ms -= 20) {
		if (poll(&p, 1, 20) > 0)
			tty_writer_retry(s);
	}
}
