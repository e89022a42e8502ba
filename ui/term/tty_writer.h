/* tty_writer.h - send a frame to the terminal without blocking: gather, shrink (sgr.h), write at once.
 *
 * curses writes to `frame`, a file in memory. The terminal is opened a second time, and only that file description
 * is non-blocking: what a slow terminal does not accept is kept, and the program goes on reading keys. */
#ifndef EVTUI_TTY_WRITER_H
#define EVTUI_TTY_WRITER_H

#include "term/sgr.h"

struct tty_writer {
	int frame, tty;
	bool gone; /* the terminal takes nothing any more */
	bool sync; /* it holds back what it is sent until a frame is whole (mode 2026) */
	struct sgr sgr;
	struct buf out; /* from `at` not taken yet */
	size_t at;
};

/* Open both; stdout_fd is the terminal. -1 with errno. */
int tty_writer_open(struct tty_writer *s, int stdout_fd) EVL_MUST_USE;
void tty_writer_close(struct tty_writer *s);

/* Send or discard what curses has written since the last call. */
void tty_writer_frame(struct tty_writer *s);
void tty_writer_discard(struct tty_writer *s);

/* Queue bytes verbatim, after pending output. */
void tty_writer_send(struct tty_writer *s, const char *text);

bool tty_writer_waiting(const struct tty_writer *s);
void tty_writer_retry(struct tty_writer *s);

/* Discard pending output, also in the kernel, so that the next bytes are sent at once whatever the terminal is
 * doing. */
void tty_writer_drop(struct tty_writer *s);

/* Wait until all is taken, but no longer than ms. */
void tty_writer_drain(struct tty_writer *s, int ms);

#endif
