#include "stream/live.h"

#include "log/growing.h"
#include "log/hp_import.h"
#include "sys/atomic_file.h"
#include "sys/clock.h"

#include <stdlib.h>

/* A log is indexed at most that often. It may take a tenth of a processor's time, or a fifth if it is indexed from its start. The
 * whole program takes a tenth, too, unless the log would be shown later than after SOON_MS. */
enum { EVERY_MS = 100, SOON_MS = 1000, TENTH = 10, FIFTH = 5 };

struct live {
	struct stream *stream;
	char *name;
	int threads;
	void (*wake)(void *);
	void *ctx;
	struct stream_news shown, next_news; /* what the log that was taken last, and the next one, are made of */
	struct evl_log *next;                /* that is being walked; or NULL */
	struct growing *grows;               /* what logs made of `grown` have in common; NULL: nothing */
	struct stream_news grown;
	bool goes_on;                   /* the next log goes on from the last one */
	int64_t begun_ms, begun_cpu_ms; /* when it was begun, or the last one */
	int64_t pause_ms;               /* from then until another is begun, at least */
};

int live_open(struct live **out, const struct stream_spec *spec, int threads, void (*wake)(void *), void *ctx,
	struct evl_err *err)
{
	struct live *l = *out = calloc(1, sizeof *l);
	int result = l ? 0 : EVL_NOMEM;
	if (l) {
		*l = (struct live){.name = strdup(spec->name), .threads = threads, .wake = wake, .ctx = ctx};
		result = l->name ? stream_open(&l->stream, spec, wake, ctx, err) : EVL_NOMEM;
	}
	if (result == EVL_NOMEM)
		evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	if (result < 0) {
		live_close(l);
		*out = NULL;
	}
	return result;
}

void live_close(struct live *l)
{
	if (!l)
		return;
	evl_close(l->next);
	growing_free(l->grows);
	stream_close(l->stream);
	free_all(l->name, l);
}

struct evl_log *live_first(struct live *l, struct evl_err *err)
{
	struct evl_log *log;
	struct source src;
	source_from_memory(&src, "", 0);
	if (evl_open_source(&log, l->name, &src, err) < 0)
		return NULL;
	evl_use_threads(log, l->threads);
	return log;
}

void live_begin_with(struct live *l, struct evl_log *log)
{
	log->grows_on = !log->indexer;
	l->shown.whole = log->source.len;
	l->grown = stream_news(l->stream); /* before: another file may take its place now */
	if (!log->indexer && !log->unpacked && stream_reads(l->stream, &log->source.id) && (l->grows = growing_new()))
		growing_use(l->grows, log);
}

/* Is there more than in a log that was made of `of`? */
static bool has_grown(const struct stream_news *of, const struct stream_news *now)
{
	return now->epoch != of->epoch || now->whole > of->whole;
}

static void drop_next(struct live *l)
{
	evl_close(l->next);
	l->next = NULL;
}

/* Let the next log go on from the last one if the bytes of that are its first. */
static void go_on(struct live *l, const struct stream_news *news)
{
	if (news->epoch != l->grown.epoch || news->base != l->grown.base) {
		growing_free(l->grows);
		l->grows = NULL;
	}
	l->grown = *news;
	if (!l->grows)
		l->grows = growing_new();
	l->goes_on = l->grows && growing_use(l->grows, l->next);
}

static int begin(struct live *l, const struct stream_news *news)
{
	struct source src;
	struct evl_err err = {0};
	int result = stream_source(l->stream, news, &src, &err);
	result = result < 0 ? result : evl_open_source(&l->next, l->name, &src, &err);
	if (result < 0)
		return result;
	evl_use_threads(l->next, l->threads);
	go_on(l, news);
	l->next->from_t = news->base ? news->base_t : 0;
	evl_never_wait(l->next, l->wake, l->ctx);
	result = evl_start(l->next, l->wake, l->ctx);
	if (result < 0)
		drop_next(l);
	return result;
}

/* Walk the bytes received so far. If they are no log, or memory ran out, it is not tried again before more arrive. */
static void try_next(struct live *l, const struct stream_news *news)
{
	l->begun_ms = clock_ms();
	l->begun_cpu_ms = clock_cpu_ms();
	l->pause_ms = EVERY_MS;
	l->next_news = *news;
	if (begin(l, news) < 0)
		l->shown = *news;
}

/* The first log that others go on from does not count: they take much less. */
static int64_t pause_after(const struct live *l, const struct evl_log *log)
{
	int64_t used = evl_index_cpu_ms(log);
	bool goes_on = l->grows && growing_goes_on(l->grows);
	int64_t pause = !goes_on ? FIFTH * used : l->goes_on ? TENTH * used : 0;
	return pause > EVERY_MS ? pause : EVERY_MS;
}

/* How long to wait for the next one. */
static int64_t left_ms(const struct live *l)
{
	int64_t all = TENTH * (clock_cpu_ms() - l->begun_cpu_ms), soon = all < SOON_MS ? all : SOON_MS;
	return l->begun_ms + (soon > l->pause_ms ? soon : l->pause_ms) - clock_ms();
}

static struct evl_log *finish(struct live *l, bool *reset)
{
	struct evl_log *log = l->next;
	evl_wait(log);
	*reset = l->next_news.epoch != l->shown.epoch;
	l->shown = l->next_news;
	l->next = NULL;
	l->pause_ms = pause_after(l, log);
	return log;
}

struct evl_log *live_take(struct live *l, bool *reset)
{
	struct stream_news news = stream_news(l->stream);
	if (l->next) {
		if (!evl_progress(l->next).done)
			return NULL;
		if (!evl_misread(l->next))
			return finish(l, reset);
		if (evl_read_again(l->next) < 0)
			drop_next(l);
		return NULL;
	}
	if (has_grown(&l->shown, &news) && left_ms(l) <= 0)
		try_next(l, &news);
	return NULL;
}

int live_wait_ms(const struct live *l)
{
	struct stream_news news = stream_news(l->stream);
	int64_t left = left_ms(l);
	if (l->next || !has_grown(&l->shown, &news))
		return -1;
	return left > 0 ? (int)left : 0;
}

bool live_lags(const struct live *l)
{
	struct stream_news news = stream_news(l->stream);
	return l->next || has_grown(&l->shown, &news);
}

void live_released(struct live *l)
{
	if (l->shown.base)
		stream_release(l->stream, l->shown.base);
}

struct stream_news live_news(const struct live *l) { return stream_news(l->stream); }

struct stream_news live_shown(const struct live *l) { return l->shown; }

void live_finish(struct live *l, int ms)
{
	stream_wait(l->stream, ms);
	stream_stop(l->stream);
}

int live_save(struct live *l, const char *path, bool force, struct evl_err *err)
{
	struct source src;
	struct stream_news news = stream_news(l->stream);
	int result = stream_source(l->stream, &news, &src, err);
	if (result < 0)
		return result;
	result = atomic_file_save(path, src.data, src.len, force, err);
	source_close(&src);
	return result;
}

int live_send(struct live *l, const void *bytes, size_t len, struct evl_err *err)
{
	return stream_send(l->stream, bytes, len, err);
}

static int open_drained(struct evl_log **log, struct stream *s, const char *name, const struct decompress_watch *watch,
	struct evl_err *err)
{
	struct source src;
	struct stream_news news = stream_wait(s, -1);
	if (news.state == STREAM_FAILED)
		return evl_fail(err, news.why.code, news.why.off, "%.80s: %.110s", name, news.why.text);
	int result = stream_source(s, &news, &src, err);
	result = result < 0 ? result : unpack(&src, name, watch, err);
	result = result < 0 ? result : hp_open(&src, name, watch, err);
	return result < 0 ? result : evl_open_source(log, name, &src, err);
}

int live_drain(
	struct evl_log **log, const struct stream_spec *spec, const struct decompress_watch *watch, struct evl_err *err)
{
	struct stream *s;
	struct stream_spec raw = *spec;
	raw.raw = raw.once = true;
	*log = NULL;
	int result = stream_open(&s, &raw, NULL, NULL, err);
	result = result < 0 ? result : open_drained(log, s, spec->name, watch, err);
	stream_close(s);
	return result;
}
