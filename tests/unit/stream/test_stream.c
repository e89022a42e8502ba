/* Streams: pipes, sockets that come and go, files that grow; cut at any byte, nothing that came is lost, nothing is left. */
#include "logs.h"
#include "stream/live.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LOG "tests/logs/9.10.3-conczoo-thr-N2.eventlog"

static struct source whole; /* LOG */
static char dir[] = "/tmp/evtui-test-XXXXXX";
static char path[sizeof dir + 16];
static uint32_t seed;

static uint32_t dice(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

static void send_all(int fd, const uint8_t *p, uint64_t len, bool fragments)
{
	while (len) {
		size_t n = fragments ? 1 + dice(5000) : 1 << 16;
		ssize_t sent = send(fd, p, n < len ? n : (size_t)len, MSG_NOSIGNAL);
		if (sent < 0)
			sent = write(fd, p, n < len ? n : (size_t)len); /* a pipe */
		assert_true(sent > 0);
		p += sent;
		len -= (uint64_t)sent;
	}
}

static struct stream *open_stream(const struct stream_spec *spec)
{
	struct stream *s;
	struct evl_err err = {0};
	if (stream_open(&s, spec, NULL, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return s;
}

static struct source take_all(struct stream *s, struct stream_news *news)
{
	struct source src;
	struct evl_err err;
	*news = stream_wait(s, -1);
	assert_int_equal(stream_source(s, news, &src, &err), 0);
	return src;
}

/* --- a pipe --------------------------------------------------------------------------------------------------------- */

static void a_pipe_ends_at_any_byte(void **state)
{
	(void)state;
	for (int round = 0; round < 60; round++) {
		int ends[2];
		uint64_t len = 1 + dice((uint32_t)whole.len);
		assert_int_equal(pipe(ends), 0);
		struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0]});
		send_all(ends[1], whole.data, len, true);
		close(ends[1]);
		struct stream_news news;
		struct source got = take_all(s, &news);
		stream_close(s);
		assert_int_equal(news.state, STREAM_ENDED);
		assert_int_equal(got.len, len);
		assert_memory_equal(got.data, whole.data, len);
		source_close(&got);
	}
}

static void nothing_is_an_error(void **state)
{
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0]});
	close(ends[1]);
	struct stream_news news = stream_wait(s, -1);
	assert_int_equal(news.state, STREAM_FAILED);
	assert_int_equal(news.why.code, EVL_EMPTY);
	stream_close(s);
}

static void what_is_no_log_is_refused(void **state)
{
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0]});
	send_all(ends[1], (const uint8_t *)"JOB \"x\"", 7, false);
	assert_int_equal(stream_wait(s, -1).why.code, EVL_NOT_A_LOG);
	stream_close(s);
	close(ends[1]);
}

static void a_header_is_borrowed(void **state)
{
	int ends[2];
	struct header h;
	(void)state;
	assert_int_equal(header_parse(&h, whole.data, whole.len, NULL), 0);
	assert_int_equal(pipe(ends), 0);
	struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0], .header = LOG});
	send_all(ends[1], whole.data + h.data_off, whole.len - h.data_off, true);
	close(ends[1]);
	struct stream_news news;
	struct source got = take_all(s, &news);
	stream_close(s);
	assert_int_equal(got.len, whole.len);
	assert_memory_equal(got.data, whole.data, whole.len);
	source_close(&got);
	header_free(&h);
}

/* The reader never makes the writer wait for what it does with the bytes: a thousand times the size of a pipe is
 * taken without a reader. */
static void a_fast_writer_is_read(void **state)
{
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0], .raw = true});
	for (int i = 0; i < 1500; i++)
		send_all(ends[1], whole.data, whole.len, false);
	close(ends[1]);
	assert_int_equal(stream_wait(s, -1).whole, 1500 * whole.len);
	stream_close(s);
}

/* --- a socket that comes and goes ------------------------------------------------------------------------------------ */

static int listen_at(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	unlink(path);
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(listen(fd, 4), 0);
	return fd;
}

static uint64_t events_in(const struct source *src)
{
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open_memory(&log, src->data, src->len, &err), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	uint64_t n = evl_progress(log).events;
	evl_close(log);
	return n;
}

static uint64_t events_of(const uint8_t *data, uint64_t len)
{
	struct source src;
	source_from_memory(&src, data, len);
	return events_in(&src);
}

/* Wait until the stream has seen the end of a connection that brought something, after `joined` further ones, and all of it is
 * published. The state may still be that of an earlier connection that brought nothing. */
static void wait_for_end(struct stream *s, enum stream_state state, unsigned joined)
{
	struct stream_news news;
	do {
		stream_wait(s, 1);
		news = stream_news(s);
	} while (news.state != state || news.joined < joined || news.whole == 0);
}

/* The first connection is cut at any byte, the second brings all: every event of what came is there, none twice. */
static void a_socket_is_cut_and_connected_again(void **state)
{
	(void)state;
	for (int round = 0; round < 40; round++) {
		uint64_t cut = dice((uint32_t)whole.len);
		char name[sizeof path + 8];
		struct source got;
		struct evl_err err;
		int server = listen_at();
		snprintf(name, sizeof name, "unix:%s", path);
		struct stream *s = open_stream(&(struct stream_spec){.name = name, .fd = -1});
		int first = accept(server, NULL, NULL);
		send_all(first, whole.data, cut, true);
		close(first);
		int second = accept(server, NULL, NULL);
		bool further = stream_news(s).whole > 0;
		send_all(second, whole.data, whole.len, true);
		close(server); /* first: nothing to connect to again */
		close(second);
		wait_for_end(s, STREAM_LOST, further);
		struct stream_news news = stream_news(s);
		assert_int_equal(stream_source(s, &news, &got, &err), 0);
		struct header h;
		uint64_t came = 0;
		if (header_parse(&h, whole.data, cut, NULL) == 0) {
			came = further ? events_of(whole.data, cut) : 0;
			header_free(&h);
		}
		assert_int_equal(events_in(&got), came + events_of(whole.data, whole.len));
		source_close(&got);
		stream_close(s);
	}
	unlink(path);
}

/* Those who do not watch it get all of one connection, to its last byte. */
static void a_socket_is_read_once(void **state)
{
	char name[sizeof path + 8];
	int server = listen_at();
	(void)state;
	snprintf(name, sizeof name, "unix:%s", path);
	struct stream *s = open_stream(&(struct stream_spec){.name = name, .fd = -1, .raw = true, .once = true});
	int fd = accept(server, NULL, NULL);
	send_all(fd, whole.data, whole.len - 5, true);
	close(fd);
	struct stream_news news;
	struct source got = take_all(s, &news);
	assert_int_equal(got.len, whole.len - 5);
	assert_memory_equal(got.data, whole.data, got.len);
	source_close(&got);
	stream_close(s);
	close(server);
	unlink(path);
}

static void commands_go_to_the_other_end(void **state)
{
	char name[sizeof path + 8], got[4];
	struct evl_err err;
	int server = listen_at();
	(void)state;
	snprintf(name, sizeof name, "unix:%s", path);
	struct stream *s = open_stream(&(struct stream_spec){.name = name, .fd = -1});
	int fd = accept(server, NULL, NULL);
	while (stream_send(s, "ask", 3, &err) < 0)
		stream_wait(s, 1);
	assert_int_equal(read(fd, got, sizeof got), 3);
	assert_memory_equal(got, "ask", 3);
	stream_close(s);
	close(fd);
	close(server);
	unlink(path);
}

static void nobody_listens(void **state)
{
	char name[sizeof path + 8];
	(void)state;
	snprintf(name, sizeof name, "unix:%s", path);
	struct stream *s = open_stream(&(struct stream_spec){.name = name, .fd = -1});
	stream_wait(s, 1);
	assert_int_equal(stream_news(s).state, STREAM_CONNECTING);
	stream_close(s); /* at once, whatever it waits for */
	s = open_stream(&(struct stream_spec){.name = name, .fd = -1, .once = true});
	assert_int_equal(stream_wait(s, -1).state, STREAM_FAILED);
	stream_close(s);
}

/* --- a file that grows ----------------------------------------------------------------------------------------------- */

static void wait_for_whole(struct stream *s, uint64_t len)
{
	while (stream_news(s).whole != len)
		stream_wait(s, 1);
}

static void a_file_grows_and_is_begun_anew(void **state)
{
	(void)state;
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	struct stream *s = open_stream(&(struct stream_spec){.name = path, .fd = -1, .follow = true});
	for (uint64_t at = 0; at < whole.len;) {
		uint64_t n = min_u64(1 + dice(9000), whole.len - at);
		assert_int_equal(write(fd, whole.data + at, n), (ssize_t)n);
		at += n;
	}
	wait_for_whole(s, whole.len);
	assert_int_equal(stream_news(s).epoch, 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, whole.data, 5000, 0), 5000);
	while (stream_news(s).epoch == 0)
		stream_wait(s, 1);
	stream_close(s);
	close(fd);
	unlink(path);
}

/* The replacement may be anything; and a hole is not read. */
static void a_file_becomes_something_else(void **state)
{
	(void)state;
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	assert_int_equal(write(fd, whole.data, whole.len), (ssize_t)whole.len);
	struct stream *s = open_stream(&(struct stream_spec){.name = path, .fd = -1, .follow = true});
	wait_for_whole(s, whole.len);
	assert_int_equal(ftruncate(fd, (off_t)1 << 38), 0);
	stream_wait(s, 20);
	assert_in_range(stream_news(s).bytes, whole.len, whole.len + 4096);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(i ? rmdir(path) | mkfifo(path, 0600) : unlink(path) | mkdir(path, 0700), 0);
		while (!stream_news(s).odd)
			stream_wait(s, 1);
		assert_int_equal(stream_news(s).epoch, 0);
	}
	alarm(5);
	stream_close(s);
	alarm(0);
	close(fd);
	unlink(path);
}

/* --- a limit --------------------------------------------------------------------------------------------------------- */

/* Block after block of two capabilities; the oldest are dropped, and what is left is a separate log. */
static void the_oldest_is_dropped(void **state)
{
	enum { BLOCKS = 400, RUNS = 300, MOST = 200000 };
	struct built b = log_begin();
	int ends[2];
	(void)state;
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)1700000000, 0u);
	block_end(&b, 2);
	for (unsigned i = 0; i < BLOCKS; i++) {
		block_begin(&b, (uint16_t)(i % 2), 10000 * i);
		for (unsigned k = 0; k < RUNS; k++) {
			put_run(&b, 10000 * i + 20 * k + 10, 7);
			put_stop(&b, 10000 * i + 20 * k + 15, 7, 1);
		}
		block_end(&b, 10000 * i + 9000);
	}
	assert_int_equal(pipe(ends), 0);
	struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0], .spool_max = MOST});
	send_all(ends[1], b.data, b.len, true);
	close(ends[1]);
	struct stream_news news;
	struct source got = take_all(s, &news);
	stream_release(s, news.base);
	stream_close(s);
	assert_true(news.base > 0);
	assert_in_range(got.len, MOST / 2, MOST + 8192);
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open_source(&log, "spool", &got, &err), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	uint64_t first, last;
	assert_int_equal(log->damage.n, 0);
	assert_true(evl_range(log, &first, &last));
	assert_int_equal(last, 10000 * (BLOCKS - 1) + 20 * (RUNS - 1) + 15);
	assert_int_equal(
		program_get(&log->program).wall_ns, 1700000000ull * 1000000000 - 1); /* of the block that stays */
	evl_close(log);
	free(b.data);
}

/* --- logs in a row --------------------------------------------------------------------------------------------------- */

/* Each is the start of the next; the last is what the file is. */
/* The same after damage, from which a writer may continue. */
static void the_oldest_is_dropped_after_damage(void **state)
{
	(void)state;
	enum { MOST = 100000, TIMES = 30 };
	static const uint8_t junk[7] = {0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe};
	int ends[2];
	struct header h;
	struct stream_news news;
	assert_int_equal(header_parse(&h, whole.data, whole.len, NULL), 0);
	assert_int_equal(pipe(ends), 0);
	struct stream *s = open_stream(&(struct stream_spec){.name = "pipe", .fd = ends[0], .spool_max = MOST});
	send_all(ends[1], whole.data, h.data_off, true);
	for (int i = 0; i < TIMES; i++) {
		send_all(ends[1], whole.data + h.data_off, whole.len - h.data_off, true);
		send_all(ends[1], junk, sizeof junk, false);
	}
	close(ends[1]);
	struct source got = take_all(s, &news);
	stream_close(s);
	assert_int_equal(news.state, STREAM_ENDED);
	assert_in_range(got.len, MOST / 4, MOST + 70000); /* a read more, until it is looked at */
	assert_true(events_in(&got) > 1000);
	source_close(&got);
	header_free(&h);
}

static void a_live_log_grows(void **state)
{
	int ends[2];
	struct live *l;
	struct evl_err err;
	uint64_t sent = 0, len = 0, events = 0;
	unsigned taken = 0;
	bool reset;
	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(live_open(&l, &(struct stream_spec){.name = "pipe", .fd = ends[0]}, 2, NULL, NULL, &err), 0);
	struct evl_log *log = live_first(l, &err);
	assert_non_null(log);
	assert_int_equal(log->source.len, 0);
	while (live_news(l).state != STREAM_ENDED || live_lags(l)) {
		if (sent < whole.len && taken * 8000 >= sent) {
			uint64_t n = min_u64(8000, whole.len - sent);
			send_all(ends[1], whole.data + sent, n, true);
			sent += n;
			if (sent == whole.len)
				close(ends[1]);
		}
		struct evl_log *next = live_take(l, &reset);
		if (!next) {
			taken += sent < whole.len && !live_lags(l); /* no block was whole: send more */
			continue;
		}
		assert_false(reset && taken);
		assert_true(next->source.len > len);
		assert_memory_equal(next->source.data, whole.data, next->source.len);
		assert_true(evl_progress(next).events >= events);
		len = next->source.len;
		events = evl_progress(next).events;
		evl_close(log);
		live_released(l);
		log = next;
		taken++;
	}
	assert_int_equal(len, whole.len);
	assert_int_equal(events, events_of(whole.data, whole.len));
	evl_close(log);
	live_close(l);
}

/* A followed file that ends within an event, or a block marker, has no damage: the rest is to come. Otherwise it does. */
static void a_cut_file_that_grows_is_not_damaged(void **state)
{
	const uint64_t cuts[] = {whole.len - 1, whole.len / 2, whole.len / 3, whole.len / 3 + 1, whole.len / 3 + 2};
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600), cut_events = 0;
	(void)state;
	assert_int_equal(write(fd, whole.data, whole.len), (ssize_t)whole.len);
	for (size_t i = countof(cuts); i-- > 0;) {
		struct live *l;
		struct evl_log *log, *alone;
		struct evl_err err;
		bool reset;
		assert_int_equal(ftruncate(fd, (off_t)cuts[i]), 0);
		assert_int_equal(evl_open(&alone, path, &err), 0);
		assert_int_equal(evl_start(alone, NULL, NULL), 0);
		assert_int_equal(evl_wait(alone), 0);
		cut_events += alone->damage.n > 0;
		assert_int_equal(live_open(&l, &(struct stream_spec){.name = path, .fd = -1, .follow = true}, 2, NULL,
					 NULL, &err),
			0);
		assert_int_equal(evl_open(&log, path, &err), 0);
		live_begin_with(l, log);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		assert_int_equal(log->damage.n, 0);
		assert_int_equal(evl_progress(log).events, evl_progress(alone).events);
		assert_int_equal(pwrite(fd, whole.data + cuts[i], whole.len - cuts[i], (off_t)cuts[i]),
			(ssize_t)(whole.len - cuts[i]));
		for (struct evl_log *next; log->source.len < whole.len;)
			if ((next = live_take(l, &reset))) {
				evl_close(log);
				log = next;
			}
		assert_int_equal(log->damage.n, 0);
		assert_int_equal(evl_progress(log).events, events_of(whole.data, whole.len));
		evl_close(log);
		evl_close(alone);
		live_close(l);
	}
	assert_true(cut_events > 1);
	close(fd);
	unlink(path);
}

/* --- for long ---------------------------------------------------------------------------------------------------------- */

/* Anonymous memory, KiB. */
static long anonymous(void)
{
	char line[128];
	long kb = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "RssAnon: %ld", &kb);
	if (f)
		fclose(f);
	return kb;
}

enum { SOAK_BLOCKS = 1200, SOAK_RUNS = 3400, SOAK_NS = 1000000 };

/* A block of 100 KB after the other, as fast as they are read. */
static void *write_for_long(void *arg)
{
	int fd = *(int *)arg;
	struct built b = log_begin();
	send_all(fd, b.data, b.len, false);
	for (uint64_t i = 0; i < SOAK_BLOCKS; i++) {
		b.len = 0;
		block_begin(&b, (uint16_t)(i % 2), i * SOAK_NS);
		for (unsigned k = 0; k < SOAK_RUNS; k++) {
			put_run(&b, i * SOAK_NS + 200 * k, 7);
			put_stop(&b, i * SOAK_NS + 200 * k + 100, 7, 1);
		}
		block_end(&b, (i + 1) * SOAK_NS);
		send_all(fd, b.data, b.len, false);
	}
	free(b.data);
	close(fd);
	return NULL;
}

/* 140 MB through a limit of 16: memory stays below the bound of an index of 16, though there are two while one is made. */
static void memory_stays_flat(void **state)
{
	enum { MOST = 16 << 20, BOUND_KB = (24 << 10) + (MOST >> 10) / 100 };
	int ends[2];
	struct live *l;
	struct evl_err err;
	pthread_t writer;
	long most = 0;
	bool reset;
	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(live_open(&l, &(struct stream_spec){.name = "pipe", .fd = ends[0], .spool_max = MOST}, 2, NULL,
				 NULL, &err),
		0);
	assert_int_equal(pthread_create(&writer, NULL, write_for_long, &ends[1]), 0);
	struct evl_log *log = live_first(l, &err), *next;
	while (live_news(l).state != STREAM_ENDED || live_lags(l)) {
		if (!(next = live_take(l, &reset)))
			continue;
		evl_close(log);
		live_released(l);
		log = next;
		most = anonymous() > most ? anonymous() : most;
	}
	pthread_join(writer, NULL);
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	assert_int_equal(last, (SOAK_BLOCKS - 1) * (uint64_t)SOAK_NS + 200 * (SOAK_RUNS - 1) + 100);
	assert_true(log->source.len < 2 * MOST);
	assert_int_equal(log->damage.n, 0);
#ifndef PORTABLE /* without mallopt it takes more */
	if (memory_is_ours())
		assert_in_range(most, 0, BOUND_KB);
#endif
	evl_close(log);
	live_close(l);
}

static int open_whole(void **state)
{
	struct evl_err err;
	(void)state;
	seed = 42;
	snprintf(path, sizeof path, "%s/it", mkdtemp(dir));
	return source_open(&whole, LOG, &err);
}

/* All files were without names, and were removed. */
static int close_whole(void **state)
{
	(void)state;
	source_close(&whole);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_pipe_ends_at_any_byte),
		cmocka_unit_test(nothing_is_an_error), cmocka_unit_test(what_is_no_log_is_refused),
		cmocka_unit_test(a_header_is_borrowed), cmocka_unit_test(a_fast_writer_is_read),
		cmocka_unit_test(a_socket_is_cut_and_connected_again), cmocka_unit_test(a_socket_is_read_once),
		cmocka_unit_test(commands_go_to_the_other_end), cmocka_unit_test(nobody_listens),
		cmocka_unit_test(a_file_grows_and_is_begun_anew), cmocka_unit_test(a_file_becomes_something_else),
		cmocka_unit_test(the_oldest_is_dropped), cmocka_unit_test(the_oldest_is_dropped_after_damage),
		cmocka_unit_test(a_live_log_grows), cmocka_unit_test(a_cut_file_that_grows_is_not_damaged),
		cmocka_unit_test(memory_stays_flat)};
	return cmocka_run_group_tests(tests, open_whole, close_whole);
}
