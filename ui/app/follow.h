/* follow.h - the viewer on a growing log: show the next snapshot, report the state of the stream. */
#ifndef EVTUI_FOLLOW_H
#define EVTUI_FOLLOW_H

#include "chrome/pane.h"
#include "stream/eventlog_socket.h"
#include "stream/live.h"

struct following {
	struct live *live;     /* NULL: the log is complete, or not followed */
	struct evl_log *ready; /* a longer log, which waits for the jobs on the former */
	bool reset;
	int64_t ready_ms, said_ms;
	uint64_t rate, rated; /* bytes a second, and what had come when that was found */
	int64_t rated_ms;
	uint64_t base;  /* of what is shown: before it all was dropped */
	bool clockless; /* for tests: nothing is said that depends on the time */
	int threads;
};

/* Read the stream that spec names. h->log must be NULL and becomes an empty log, or with spec->follow the current
 * contents of the file. Return 0, or EVL_IO, EVL_USAGE or EVL_NOMEM with err filled. */
int follow_open(
	struct following *f, struct pane_host *h, const struct stream_spec *spec, struct evl_err *err) EVL_MUST_USE;

/* Call it after panes_close. */
void follow_close(struct following *f);

/* Ask the program at the other end of a socket for something. EVL_USAGE or EVL_IO with err filled. */
int follow_ask(struct following *f, enum control what, struct evl_err *err) EVL_MUST_USE;

/* The log has been read: if its file may still be written, say that F follows it. */
void follow_offer(const struct following *f, struct pane_host *h);

/* F: to the end, and along. A file that is complete, or no more being written: only to its end. */
void follow_end(struct following *f, struct pane_host *h);

/* There was news, or time has passed: take what has come. True: there is something to draw. */
bool follow_news(struct following *f, struct pane_host *h);

/* Bring the line up to date that says how it stands with the log. True: it changed. */
bool follow_say(struct following *f, struct pane_host *h);

/* Report whether a longer log is being read. */
bool follow_busy(const struct following *f);

/* Has all come that will, and is it shown? */
bool follow_over(const struct following *f);

/* Return after how many ms to call follow_news again at the latest; -1: when there is news. */
int follow_wait_ms(const struct following *f);

/* Return the error of the stream, or NULL. If nothing of it could be shown, the program ends with it. */
const struct evl_err *follow_failed(const struct following *f, struct evl_err *err);

#endif
