/* tty_writer.h - send frames to the terminal without blocking: collect, shrink (sgr.h), write at once
 *
 * curses writes to `frame`, a file in memory. The terminal is opened a second time so that only this file
 * description is non-blocking. Bytes that a slow terminal does not accept are kept, and the program continues to
 * read keys. */
#ifndef EVTUI_TTY_WRITER_H
#define EVTUI_TTY_WRITER_H

#include "term/sgr.h"

struct tty_writer {
	int frame, tty; /* descriptors */
	bool gone;      /* the terminal is closed */
	bool sync;      /* mark frames for synchronized output (mode 2026) */
	struct sgr sgr;
	struct buf out; /* pending output, from `at` on */
	size_t at;
};

/* Open the file and the terminal, given by stdout_fd. Return 0, or -1 with errno set. */
int tty_writer_open(struct tty_writer *s, int stdout_fd) EVL_MUST_USE;
void tty_writer_close(struct tty_writer *s);

/* Send, or discard, what curses has written since the last call. */
void tty_writer_frame(struct tty_writer *s);
void tty_writer_discard(struct tty_writer *s);

/* Send bytes unchanged, after pending output. */
void tty_writer_send(struct tty_writer *s, const char *text);

/* tty_writer_waiting: return whether output is pending. tty_writer_retry: try to send it. */
bool tty_writer_waiting(const struct tty_writer *s);
void tty_writer_retry(struct tty_writer *s);

/* Discard pending output, also in the kernel, so that the next bytes are sent at once even if the terminal is
 * stalled. */
void tty_writer_drop(struct tty_writer *s);

/* Wait until all output is sent, at most ms milliseconds. */
void tty_writer_drain(struct tty_writer *s, int ms);

#endif
