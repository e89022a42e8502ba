/* live.h - present a growing log as a sequence of indexed snapshots, and decide when to take the next one
 *
 * An indexed log never changes, so its readers need not know about growth; from time to time it is replaced by a
 * longer snapshot, whose index goes on from that of the last one (growing.h). A quiet stream costs nothing, a small log is
 * updated up to ten times a second, and indexing a large one takes at most a tenth of a processor (src/stream/README.md). All
 * functions must be called by one thread, the owner. */
#ifndef EVL_LIVE_H
#define EVL_LIVE_H

#include "log/log.h"
#include "stream/stream.h"

struct live;

/* Start reading. wake(ctx) is called from other threads when there is news. threads: number of threads for indexing,
 * as for evl_use_threads. Return 0; or EVL_IO, EVL_USAGE or EVL_NOMEM with *err filled. */
int live_open(struct live **out, const struct stream_spec *spec, int threads, void (*wake)(void *), void *ctx,
	struct evl_err *err) EVL_MUST_USE;

/* Stop reading and free *l. Logs returned by live_take stay valid. l may be NULL. */
void live_close(struct live *l);

/* Return an empty log to show until live_take returns one; NULL with *err filled on failure. The caller closes it,
 * like the logs of live_take. */
struct evl_log *live_first(struct live *l, struct evl_err *err);

/* Use instead a log of the same file that is open already: live_take then returns only longer ones, when it is indexed. If its index
 * has not been started, it is the one that they go on from: close the log before l. */
void live_begin_with(struct live *l, struct evl_log *log);

/* Return a log longer than the last one, completely indexed, or NULL if there is none yet. *reset: it does not
 * continue the last one, because its program was restarted or its file replaced. */
struct evl_log *live_take(struct live *l, bool *reset);

/* Return the ms after which to call live_take again even without being woken; -1: only when woken. */
int live_wait_ms(const struct live *l);

/* Return whether bytes have arrived that are not in the log returned last. */
bool live_lags(const struct live *l);

/* Tell that the log before the one returned last is closed, so that its dropped part can be freed on disk. */
void live_released(struct live *l);

/* live_news: the state of the stream. live_shown: its state when the log returned last was made. */
struct stream_news live_news(const struct live *l);
struct stream_news live_shown(const struct live *l);
/* Wait at most ms milliseconds for the end of the stream, then stop reading. */
void live_finish(struct live *l, int ms);

/* Save all bytes received and not dropped to a file, which appears complete or not at all. Return 0; or EVL_EXISTS
 * (unless force), EVL_IO or EVL_NOMEM with *err filled. */
int live_save(struct live *l, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Send bytes to the program, as stream_send. */
int live_send(struct live *l, const void *bytes, size_t len, struct evl_err *err);

/* Read a stream to its end, then open what was received, which may be compressed. For callers that do not show a
 * growing log. watch: as for evl_open_watched. Return 0 or an error code with *err filled. */
int live_drain(struct evl_log **log, const struct stream_spec *spec, const struct decompress_watch *watch,
	struct evl_err *err) EVL_MUST_USE;

#endif
