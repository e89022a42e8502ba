/* other_log.h - the second log that panes compare with (:diff FILE; pane_host.other): opened, indexed and named in the background.
 *
 * It has several owners: :diff replaces it at any time, so a pane whose job reads it holds it until that job is freed.
 * All functions are called by the one thread that draws. */
#ifndef EVTUI_OTHER_LOG_H
#define EVTUI_OTHER_LOG_H

#include "log/log.h"

struct other_log;

/* Start to open a log; the caller is its owner. wake(ctx) is called from another thread when there is news. NULL when memory
 * or threads are out. */
struct other_log *other_log_open(const char *path, void (*wake)(void *), void *ctx);

/* Become one more owner of it; drop it: the last owner closes it. NULL is allowed. */
struct other_log *other_log_hold(struct other_log *other);
void other_log_drop(struct other_log *other);

/* The log when all of it is indexed, after waiting at most ms for that (-1: no limit). NULL: not yet, or never: then
 * other_log_busy is false and other_log_error says why. */
const struct evl_log *other_log_get(struct other_log *other, int ms);
const char *other_log_path(const struct other_log *other);
const char *other_log_error(const struct other_log *other); /* "": none */

/* Is it being read, and how far is it, 0…1? Is there anything new to draw since the last call? Of NULL: no. */
bool other_log_busy(struct other_log *other);
double other_log_share(const struct other_log *other);
bool other_log_news(struct other_log *other);

/* Stop reading. Return false if it is not being read. */
bool other_log_stop(struct other_log *other);

#endif
