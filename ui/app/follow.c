#include "app/follow.h"

#include "app/panes.h"
#include "chrome/export_cmd.h"
#include "panes/events/events_pane.h"
#include "sys/clock.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

/* Time that jobs on the former log have to end before a longer one replaces it. */
enum { GRACE_MS = 500 };
enum { RATE_MS = 1000, SECOND_MS = 1000 };

/* --- beginning ----------------------------------------------------------------------------------------------------- */

/* A file is shown with its current contents while it is read; a stream starts empty. */
static int open_first(struct following *f, struct pane_host *h, const struct stream_spec *spec, struct evl_err *err)
{
	if (spec->follow && evl_open(&h->log, spec->name, err) == 0) {
		evl_use_threads(h->log, f->threads);
		live_begin_with(f->live, h->log);
		return 0;
	}
	h->log = live_first(f->live, err);
	return h->log ? 0 : err->code;
}

int follow_open(struct following *f, struct pane_host *h, const struct stream_spec *spec, struct evl_err *err)
{
	int result = live_open(&f->live, spec, f->threads, h->wake, h->wake_ctx, err);
	return result < 0 ? result : open_first(f, h, spec, err);
}

void follow_close(struct following *f)
{
	evl_close(f->ready);
	live_close(f->live);
	f->ready = NULL;
	f->live = NULL;
}

int follow_ask(struct following *f, enum control what, struct evl_err *err)
{
	uint8_t message[CONTROL_ROOM];
	size_t len = control_message(what, message);
	if (!f->live)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
			"the log does not come from a socket (unix:PATH, tcp:HOST:PORT)");
	return live_send(f->live, message, len, err);
}

/* Is the log that is shown a file without an end, which somebody may still write? *since: how long it was not, s. */
static bool may_grow(const struct evl_log *log, int64_t *since)
{
	struct stat st;
	if (!evl_unfinished(log) || log->unpacked || stat(log->path, &st) || !S_ISREG(st.st_mode)
		|| (uint64_t)st.st_size < log->source.len)
		return false;
	*since = (int64_t)time(NULL) - (int64_t)st.st_mtime;
	return true;
}

void follow_offer(const struct following *f, struct pane_host *h)
{
	enum { RECENT_S = 60 };
	int64_t since;
	if (!f->live && !f->clockless && may_grow(h->log, &since) && since < RECENT_S && !h->message[0])
		pane_say(h, false, "this log has no end marker, and was written %lld s ago: F follows it",
			(long long)(since > 0 ? since : 0));
}

/* Look after the file from now on. */
static const char *begin_following(struct following *f, struct pane_host *h)
{
	int64_t since;
	struct evl_err err;
	struct stream_spec spec = {.name = h->log->path, .fd = -1, .follow = true};
	if (!evl_progress(h->log).done)
		return "possible when the log has been read";
	if (!may_grow(h->log, &since))
		return "this log is complete; moved to its last event";
	if (live_open(&f->live, &spec, f->threads, h->wake, h->wake_ctx, &err) < 0)
		return "the file cannot be followed";
	live_begin_with(f->live, h->log);
	h->model.live = true;
	return NULL;
}

void follow_end(struct following *f, struct pane_host *h)
{
	const char *why = f->live ? NULL : begin_following(f, h);
	if (why) {
		model_goto(&h->model, h->model.last, h->now_ms);
		pane_say(h, false, "%s", why);
		return;
	}
	model_follow_end(&h->model);
	events_follow(h);
}

/* --- taking what came ---------------------------------------------------------------------------------------------- */

static bool is_free(const struct following *f, const struct pane_host *h)
{
	return !export_cmd_busy(h) && (!panes_busy(h) || clock_ms() - f->ready_ms >= GRACE_MS);
}

static void show(struct following *f, struct pane_host *h)
{
	struct evl_log *former = h->log;
	struct stream_news news = live_news(f->live);
	h->goes_on = h->model.growing && !f->reset && f->ready->from_t == former->from_t;
	if (!panes_on_log_replaced(h, f->ready, f->reset))
		pane_say(h, true, "out of memory");
	h->goes_on = false;
	f->ready = NULL;
	evl_close(former);
	live_released(f->live);
	if (news.base > f->base)
		pane_say(h, true, "the oldest part was dropped: --spool-max sets how much is kept");
	f->base = news.base;
}

static void rate(struct following *f, const struct stream_news *news)
{
	int64_t now = clock_ms(), ms = now - f->rated_ms;
	if (ms < RATE_MS)
		return;
	f->rate = sub_or_0(news->bytes, f->rated) * 1000 / (uint64_t)ms;
	f->rated = news->bytes;
	f->rated_ms = now;
}

/* Lag of the display: by wall clocks if they can be compared, otherwise since arrival. */
static int64_t lag_ms(const struct following *f)
{
	enum { FAR_MS = 3600 * 1000 };
	struct stream_news shown = live_shown(f->live), *news = &shown;
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	int64_t wall = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
	int64_t lag = news->wall_ns ? wall - (int64_t)((news->wall_ns + news->end_t) / 1000000) : FAR_MS;
	return lag >= 0 && lag < FAR_MS ? lag : clock_ms() - news->came_ms;
}

static void say_lag(const struct following *f, char *out, size_t room)
{
	int64_t ms = lag_ms(f);
	if (f->clockless)
		snprintf(out, room, "live");
	else if (ms < 60 * SECOND_MS)
		snprintf(out, room, "live, lag %.1f s", (double)ms / SECOND_MS);
	else
		snprintf(out, room, "live, lag %lld min", (long long)(ms / (60 * SECOND_MS)));
	size_t len = strlen(out);
	if (f->rate && !f->clockless)
		snprintf(out + len, room - len, "  %s/s", as_bytes(f->rate));
}

static void say_state(const struct following *f, const struct stream_news *news, char *out, size_t room)
{
	static const char *const texts[] = {[STREAM_CONNECTING] = "not available yet, retrying",
		[STREAM_WAITING] = "connected, waiting for the first flush",
		[STREAM_LOST] = "lost, retrying",
		[STREAM_ENDED] = "ended"};
	if (news->state == STREAM_FAILED && news->why.code == EVL_EMPTY)
		snprintf(out, room, "no log");
	else if (news->state == STREAM_FAILED)
		snprintf(out, room, "failed: %.60s", news->why.text);
	else if (news->odd)
		snprintf(out, room, "the file was replaced by a directory or a device: waiting");
	else if (news->state == STREAM_LOST && news->data_end)
		snprintf(out, room, "ended, waiting for the next log");
	else if (news->state == STREAM_LIVE && news->data_end)
		snprintf(out, room, "ended");
	else if (news->state == STREAM_LIVE)
		say_lag(f, out, room);
	else
		snprintf(out, room, "%s", texts[news->state]);
}

/* The log has ended. */
static bool is_final(const struct stream_news *news)
{
	return news->data_end || news->state == STREAM_ENDED || news->state == STREAM_FAILED;
}

bool follow_say(struct following *f, struct pane_host *h)
{
	char line[sizeof h->live] = "";
	if (!f->live)
		return false;
	struct stream_news news = live_news(f->live), shown = live_shown(f->live);
	rate(f, &news);
	say_state(f, &news, line, sizeof line);
	size_t len = strlen(line);
	if (!h->model.follow && (news.state == STREAM_LIVE || news.state == STREAM_LOST))
		snprintf(line + len, sizeof line - len, "  F follows");
	h->model.growing = !is_final(&news);
	h->model.final_t = is_final(&news) || shown.final_t == UINT64_MAX ? 0 : shown.final_t;
	f->said_ms = clock_ms();
	bool changed = strcmp(line, h->live) != 0;
	memcpy(h->live, line, sizeof line);
	return changed;
}

bool follow_news(struct following *f, struct pane_host *h)
{
	bool changed = false;
	if (!f->live)
		return false;
	if (!f->ready && evl_progress(h->log).done && (f->ready = live_take(f->live, &f->reset)))
		f->ready_ms = clock_ms();
	if (f->ready && is_free(f, h)) {
		show(f, h);
		changed = true;
	}
	return follow_say(f, h) || changed;
}

bool follow_busy(const struct following *f) { return f->live && (f->ready || live_lags(f->live)); }

bool follow_over(const struct following *f)
{
	enum stream_state state = f->live ? live_news(f->live).state : STREAM_ENDED;
	return (state == STREAM_ENDED || state == STREAM_FAILED) && !follow_busy(f);
}

/* The lag grows while nothing arrives; tenths of a second matter only at first. */
static int64_t saying_ms(const struct following *f, const struct stream_news *news)
{
	if (f->clockless || news->state != STREAM_LIVE || news->data_end)
		return -1;
	int64_t quiet = clock_ms() - news->came_ms;
	int64_t every = quiet < 10 * SECOND_MS ? SECOND_MS : quiet < 600 * SECOND_MS ? 10 * SECOND_MS : 60 * SECOND_MS;
	int64_t left = f->said_ms + every - clock_ms();
	return left > 0 ? left : 0;
}

int follow_wait_ms(const struct following *f)
{
	if (!f->live)
		return -1;
	struct stream_news news = live_news(f->live);
	int64_t due[] = {saying_ms(f, &news), f->ready ? -1 : live_wait_ms(f->live),
		f->ready ? f->ready_ms + GRACE_MS - clock_ms() : -1};
	int64_t least = -1;
	if (f->ready && due[2] < 0)
		due[2] = SECOND_MS; /* an export is running and reports its end */
	for (size_t i = 0; i < countof(due); i++)
		if (due[i] >= 0 && (least < 0 || due[i] < least))
			least = due[i];
	return (int)least;
}

const struct evl_err *follow_failed(const struct following *f, struct evl_err *err)
{
	if (!f->live)
		return NULL;
	struct stream_news news = live_news(f->live);
	*err = news.why;
	return news.state == STREAM_FAILED ? err : NULL;
}
