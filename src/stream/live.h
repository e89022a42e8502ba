/* live.h - a growing log as a sequence of indexed snapshots: when to take the next one, and which is shown.
 *
 * A log never changes once it is indexed, so its readers know nothing of growth; from time to time it is replaced by
 * a longer one. Each replacement costs a walk over everything, so the pause between two walks is PAUSES times the
 * last walk, and at least EVERY_MS: a quiet stream costs nothing, a small log is updated ten times a second, a large
 * one as often as a fifth of the processor time allows (src/stream/README.md). All functions are called by the one
 * thread that owns it. */
#ifndef EVL_LIVE_H
#define EVL_LIVE_H

#include "log/log.h"
#include "stream/stream.h"

struct live;

/* Begin to read. wake(ctx) is called from other threads when there is news. threads: of the walks, as in evl_use_threads.
 * EVL_IO, EVL_USAGE or EVL_NOMEM with err filled. */
int live_open(struct live **out, const struct stream_spec *spec, int threads, void (*wake)(void *), void *ctx,
	struct evl_err *err) EVL_MUST_USE;

/* Logs that were taken stay. NULL is allowed. */
void live_close(struct live *l);

/* A log of nothing, to begin with. The caller closes it, as all that live_take gives. */
struct evl_log *live_first(struct live *l, struct evl_err *err);

/* Or start with a file that is already open: its contents at that time count. */
void live_begin_with(struct live *l, const struct evl_log *log);

/* Return a longer log than the last, indexed to its end, or NULL if there is none yet. *anew: it does not continue
 * the former one. */
struct evl_log *live_take(struct live *l, bool *reset);

/* Return after how many ms live_take is to be called again without being woken, or -1. */
int live_wait_ms(const struct live *l);

/* Report whether bytes that were already sent are still to be read. */
bool live_behind(const struct live *l);

/* The former of the last log that was taken is closed. */
void live_released(struct live *l);

/* Bytes received, and bytes of the log that was taken last. */
struct stream_news live_news(const struct live *l);
struct stream_news live_shown(const struct live *l);
/* Wait until nothing more comes, at most so long. */
void live_finish(struct live *l, int ms);

/* Write all that came, and was not dropped, to a file, which appears whole or not at all. EVL_EXISTS, unless forced, EVL_IO
 * or EVL_NOMEM with err filled. */
int live_save(struct live *l, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

int live_send(struct live *l, const void *bytes, size_t len, struct evl_err *err);

/* For those who do not look at it while it grows: read a stream to its end and open what came, which may be compressed.
 * watch: as for evl_open_watched. */
int live_drain(struct evl_log **log, const struct stream_spec *spec, const struct decompress_watch *watch,
	struct evl_err *err) EVL_MUST_USE;

#endif
