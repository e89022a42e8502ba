/* follow.h - show a growing log: replace it by longer snapshots, and report the state of the stream */
#ifndef EVTUI_FOLLOW_H
#define EVTUI_FOLLOW_H

#include "chrome/pane.h"
#include "stream/eventlog_socket.h"
#include "stream/live.h"

/* State of a log that is followed. */
struct following {
	struct live *live;         /* NULL: the log is complete or not followed */
	struct evl_log *ready;     /* next snapshot, shown when the jobs on the present one have ended; NULL: none */
	bool reset;                /* `ready` does not continue the shown log */
	int64_t ready_ms, said_ms; /* when `ready` came; when the text was last updated */
	/* Received bytes per second, and the number of bytes received when that was computed. */
	uint64_t rate, rated;
	int64_t rated_ms;
	uint64_t base;  /* start of the shown data in the stream: everything before it was dropped */
	bool clockless; /* for tests: show nothing that depends on the time of day */
	int threads;
};

/* Start reading a stream. h->log must be NULL on entry. It becomes an empty log or, with spec->follow, the present
 * contents of the file. Return 0; or EVL_IO, EVL_USAGE or EVL_NOMEM with *err filled. */
int follow_open(
	struct following *f, struct pane_host *h, const struct stream_spec *spec, struct evl_err *err) EVL_MUST_USE;

/* Stop reading. Call it after panes_close. */
void follow_close(struct following *f);

/* Send a control message to the program at the other end of a socket. Return 0; or EVL_USAGE or EVL_IO with *err
 * filled. */
int follow_ask(struct following *f, enum control what, struct evl_err *err) EVL_MUST_USE;

/* Call this when the log has been read. If its file may still be growing, tell the user that F follows it. */
void follow_offer(const struct following *f, struct pane_host *h);

/* Handle the F key: go to the end of the log and keep following it. If the file is no longer written, only go to the
 * end. */
void follow_end(struct following *f, struct pane_host *h);

/* Take new snapshots. Call this after a wake-up or when follow_wait_ms has passed. Return whether there is something
 * to draw. */
bool follow_news(struct following *f, struct pane_host *h);

/* Update the text about the stream's state, h->live. Return whether it changed. */
bool follow_say(struct following *f, struct pane_host *h);

/* Return whether a longer log is being indexed or waits to be shown. */
bool follow_busy(const struct following *f);

/* Return whether the stream has ended and all of it is shown. */
bool follow_over(const struct following *f);

/* Return the ms after which to call follow_news at the latest; -1: only after a wake-up. */
int follow_wait_ms(const struct following *f);

/* Return err with the stream's error if it failed, else NULL. */
const struct evl_err *follow_failed(const struct following *f, struct evl_err *err);

#endif
