/* sink.h - the way of a frame to the terminal: gathered whole in memory, made small, and written at once.
 *
 * curses writes to `frame`, a file in memory. The terminal is a file description of our own, which alone is
 * non-blocking: what a slow terminal does not take is kept, and the program goes on listening to its keys. */
#ifndef EVTUI_SINK_H
#define EVTUI_SINK_H

#include "term/sgr.h"

struct sink {
	int frame, tty;
	bool gone; /* the terminal takes nothing any more */
	bool sync; /* it holds back what it is sent until a frame is whole (mode 2026) */
	struct sgr sgr;
	struct buf out; /* from `at` not taken yet */
	size_t at;
};

/* Open both; stdout_fd is the terminal. -1 with errno. */
int sink_open(struct sink *s, int stdout_fd) EVL_MUST_USE;
void sink_close(struct sink *s);

/* What curses has written since the last call: sent, or thrown away. */
void sink_frame(struct sink *s);
void sink_discard(struct sink *s);

/* Bytes of our own, as they are; behind what waits. */
void sink_send(struct sink *s, const char *text);

bool sink_waiting(const struct sink *s);
void sink_retry(struct sink *s);

/* Give up what waits, also in the kernel, so that the next bytes go out at once whatever the terminal is doing. */
void sink_drop(struct sink *s);

/* Wait until all is taken, but no longer than ms. */
void sink_drain(struct sink *s, int ms);

#endif
