/* other_log.h - the second log, with which panes compare (:diff FILE): open and index it, and find its names, in the
 * background
 *
 * The log is reference-counted: :diff can replace it at any time, so a pane whose job reads it holds a reference
 * until that job is freed. All functions are called by the drawing thread. */
#ifndef EVTUI_OTHER_LOG_H
#define EVTUI_OTHER_LOG_H

#include "log/log.h"

struct other_log;

/* Start opening a log; the caller owns the first reference. wake(ctx) is called from another thread when there is
 * news. Return NULL if memory ran out or the thread could not be started. */
struct other_log *other_log_open(const char *path, void (*wake)(void *), void *ctx);

/* other_log_hold: add a reference and return other. other_log_drop: remove one; the last one closes the log. NULL is
 * allowed. */
struct other_log *other_log_hold(struct other_log *other);
void other_log_drop(struct other_log *other);

/* References that a job holds to the logs that it may read; initialize with zeros. held_logs_add: hold a log; false if memory ran
 * out. held_logs_keep: drop all but those listed in `kept`. */
struct held_logs {
	struct other_log **items;
	size_t n, room;
};
bool held_logs_add(struct held_logs *h, struct other_log *other) EVL_MUST_USE;
void held_logs_keep(struct held_logs *h, struct other_log *const *kept, size_t n);

/* Return the log once it is completely indexed, waiting at most ms milliseconds (-1: no limit); else NULL. After a
 * failure it stays NULL: other_log_busy is then false and other_log_error tells why. */
const struct evl_log *other_log_get(struct other_log *other, int ms);
const char *other_log_path(const struct other_log *other);
const char *other_log_error(const struct other_log *other); /* "": no error */

/* other_log_busy: return whether it is being read. other_log_news: return whether there is anything new to draw since
 * the last call. For both, other may be NULL: false. other_log_share: return the progress, 0 to 1; not for NULL. */
bool other_log_busy(struct other_log *other);
double other_log_share(const struct other_log *other);
bool other_log_news(struct other_log *other);

/* Stop reading. Return false if nothing was being read. */
bool other_log_stop(struct other_log *other);

#endif
