/* Logs that come from disks, pipes and sockets that fail: at every call of the system once, and from every call on.
 * The result is the whole log, or an error with a text; no descriptor is left. Calls that signals interrupt,
 * everywhere, change nothing. */
#include "everything.h"

#include "exe/exe.h"
#include "for_every.h"
#include "prof/ccdb.h"
#include "stream/live.h"
#include "sys/anon_file.h"
#include "sys/atomic_file.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_S = 240, BLOCKS = 6 };

static struct built b, other; /* other: its types are not those of b */
static char dir[] = "/tmp/evtui-faults-XXXXXX";
static char log_path[64], hp_path[64], socket_path[64], out_path[64];

static const char hp_text[] = "JOB \"prog\"\nBEGIN_SAMPLE 0.1\nmain\t100\ngo\t50\nEND_SAMPLE 0.1\nBEGIN_SAMPLE "
			      "0.2\nmain\t70\nEND_SAMPLE 0.2\n";

static void fill(const char *path, const void *bytes, size_t len)
{
	FILE *f = fopen(path, "w");
	assert_true(f && fwrite(bytes, 1, len, f) == len && fclose(f) == 0);
}

/* A log of another GHC: it declares fewer types. */
static struct built another(void)
{
	struct built log = {0};
	add_word(&log, "hdrb");
	add_word(&log, "hetb");
	add_word(&log, "etb\0");
	add_number(&log, EVL_BLOCK_MARKER, 2);
	add_number(&log, 22 - 8, 2);
	add_number(&log, 0, 4);
	add_number(&log, 0, 4);
	add_word(&log, "ete\0");
	add_word(&log, "hete");
	add_word(&log, "hdre");
	add_word(&log, "datb");
	block_begin(&log, 0, 5);
	block_end(&log, 10);
	log_end(&log);
	return log;
}

/* A hang is a failure. */
static int build(void **state)
{
	(void)state;
	alarm(PATIENCE_S);
	b = everything(BLOCKS);
	other = another();
	assert_non_null(mkdtemp(dir));
	snprintf(log_path, sizeof log_path, "%s/log", dir);
	snprintf(hp_path, sizeof hp_path, "%s/hp", dir);
	snprintf(socket_path, sizeof socket_path, "%s/socket", dir);
	snprintf(out_path, sizeof out_path, "%s/out", dir);
	fill(log_path, b.data, b.len);
	fill(hp_path, hp_text, strlen(hp_text));
	return 0;
}

static int drop(void **state)
{
	(void)state;
	unlink(log_path);
	unlink(hp_path);
	unlink(socket_path);
	free(b.data);
	free(other.data);
	return rmdir(dir); /* nothing else was left there */
}

static int descriptors(void)
{
	int n = 0;
	DIR *d = opendir("/proc/self/fd");
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* --- what came of it ------------------------------------------------------------------------------------------------ */

static uint64_t whole; /* a sum of the bytes of the log when nothing fails; 0: it is not known yet */

static uint64_t sum_of(const uint8_t *p, uint64_t len)
{
	uint64_t sum = len;
	for (uint64_t i = 0; i < len; i++)
		sum = sum * 31 + p[i];
	return sum ? sum : 1;
}

static void check_source(const struct source *src)
{
	uint64_t sum = sum_of(src->data, src->len);
	if (whole && sum != whole)
		fail_msg("fault %llu (%s): another log of %llu bytes, and no word of it", (unsigned long long)faults.at,
			faults.last, (unsigned long long)src->len);
	whole = sum;
}

/* A log, or an error with its text. */
static void check_log(struct evl_log *log, int result, const struct evl_err *err)
{
	if (result < 0 && !err->text[0])
		fail_msg("fault %llu (%s): %d, and no word of it", (unsigned long long)faults.at, faults.last, result);
	if (result == 0)
		check_source(&log->source);
	evl_close(log);
}

/* --- files ---------------------------------------------------------------------------------------------------------- */

static void open_at(const char *path)
{
	struct evl_log *log = NULL;
	struct evl_err err = {0};
	int result = evl_open(&log, path, &err);
	check_log(log, result, &err);
}

static void open_log(void) { open_at(log_path); }
static void open_hp(void) { open_at(hp_path); }
#ifdef HAVE_ZLIB
static void open_gzip(void) { open_at("tests/fuzz/corpus/unpack/gzip"); }
#endif
#ifdef HAVE_ZSTD
static void open_zstd(void) { open_at("tests/fuzz/corpus/unpack/zstd"); }
#endif
#ifdef HAVE_LZMA
static void open_xz(void) { open_at("tests/fuzz/corpus/unpack/xz"); }
#endif

static void check_names(int result, const struct evl_err *err)
{
	if (result < 0 && !err->text[0])
		fail_msg("fault %llu (%s): %d, and no word of it", (unsigned long long)faults.at, faults.last, result);
	whole = result == 0 ? 1 : whole;
}

static void open_centres(void)
{
	struct ccdb *db = NULL;
	struct cost_centre c;
	struct evl_err err = {0};
	int result = ccdb_open(&db, "tests/fuzz/corpus/ipedb/ccdb", &err);
	assert_int_equal(db != NULL, result == 0);
	assert_true(result < 0 || ccdb_find(db, 9, &c));
	ccdb_close(db);
	check_names(result, &err);
}

#ifdef HAVE_ZLIB
static void open_tables(void)
{
	struct exe *exe = NULL;
	struct evl_err err = {0};
	int result = exe_from_ipedb(&exe, "tests/fuzz/corpus/ipedb/archive-gz", &err);
	assert_int_equal(exe != NULL, result == 0);
	exe_close(exe);
	check_names(result, &err);
}
#endif

/* --- streams -------------------------------------------------------------------------------------------------------- */

/* A pipe with the whole log in it and no writer. */
static int full_pipe(void)
{
	int ends[2];
	faults_own = true;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[1], F_SETPIPE_SZ, 1 << 20), 1 << 20);
	assert_int_equal(write(ends[1], b.data, b.len), b.len);
	close(ends[1]);
	faults_own = false;
	return ends[0];
}

static void drain_pipe(void)
{
	struct evl_log *log = NULL;
	struct evl_err err = {0};
	int result = live_drain(&log, &(struct stream_spec){.name = "pipe", .fd = full_pipe()}, NULL, &err);
	check_log(log, result, &err);
}

/* To its end, or to where it failed. */
static void watch_stream(struct stream *s)
{
	struct source src;
	struct evl_err err = {0};
	struct stream_news news = stream_wait(s, -1);
	if (news.state == STREAM_FAILED && !news.why.text[0])
		fail_msg("fault %llu (%s): it failed, and no word of it", (unsigned long long)faults.at, faults.last);
	int result = stream_source(s, &news, &src, &err);
	assert_true(result == 0 || err.text[0]);
	if (result == 0 && news.state == STREAM_ENDED)
		check_source(&src);
	if (result == 0)
		source_close(&src);
}

static void watch(const struct stream_spec *spec)
{
	struct stream *s;
	struct evl_err err = {0};
	if (stream_open(&s, spec, NULL, NULL, &err) < 0)
		assert_true(err.text[0]);
	else
		watch_stream(s);
	stream_close(s);
}

static void watch_pipe(void) { watch(&(struct stream_spec){.name = "pipe", .fd = full_pipe(), .header = log_path}); }
static void watch_short_pipe(void)
{
	watch(&(struct stream_spec){.name = "pipe", .fd = full_pipe(), .spool_max = 2000});
}

/* One who listens: what each of the connections gets. */
struct server {
	int fd;
	char name[80];
	const struct built *logs[2];
	size_t lens[2];
	atomic_int served;
	pthread_t thread;
};

static void send_to(int client, const uint8_t *p, size_t len)
{
	for (ssize_t n; len && (n = send(client, p, len, MSG_NOSIGNAL)) > 0; len -= (size_t)n)
		p += n;
}

static void *serve(void *arg)
{
	struct server *s = arg;
	faults_own = true;
	for (int i = 0, client; i < 2 && s->logs[i] && (client = accept(s->fd, NULL, NULL)) >= 0; i++) {
		char nothing;
		send_to(client, s->logs[i]->data, s->lens[i]);
		shutdown(client, SHUT_WR);
		while (recv(client, &nothing, 1, 0) > 0) /* until the other end has read all, and closed */
			;
		atomic_fetch_add(&s->served, 1);
		close(client);
	}
	shutdown(s->fd, SHUT_RDWR);
	return NULL;
}

static void listen_as(struct server *s, int family, const void *address, socklen_t size)
{
	s->fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(s->fd, address, size), 0);
	assert_int_equal(listen(s->fd, 1), 0);
	assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void begin_path(struct server *s)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	faults_own = true;
	unlink(socket_path);
	snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_path);
	snprintf(s->name, sizeof s->name, "unix:%s", socket_path);
	listen_as(s, AF_UNIX, &address, sizeof address);
	faults_own = false;
}

static void begin_port(struct server *s)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	faults_own = true;
	listen_as(s, AF_INET, &address, sizeof address);
	assert_int_equal(getsockname(s->fd, (struct sockaddr *)&address, &size), 0);
	snprintf(s->name, sizeof s->name, "tcp:127.0.0.1:%d", ntohs(address.sin_port));
	faults_own = false;
}

static void end_server(struct server *s)
{
	faults_own = true;
	shutdown(s->fd, SHUT_RDWR); /* without a connection */
	pthread_join(s->thread, NULL);
	close(s->fd);
	faults_own = false;
}

static void watch_socket(void)
{
	struct server s = {.logs = {&b}, .lens = {b.len}};
	begin_path(&s);
	watch(&(struct stream_spec){.name = s.name, .fd = -1, .once = true});
	end_server(&s);
}

static void watch_port(void)
{
	struct server s = {.logs = {&b}, .lens = {b.len}};
	begin_port(&s);
	watch(&(struct stream_spec){.name = s.name, .fd = -1, .once = true});
	end_server(&s);
}

/* A connection that is lost, and another one; until that is over too. A failure at every call is retried without
 * end: twice will do. */
static void watch_two(const struct built *second)
{
	struct server s = {.logs = {&b, second}, .lens = {b.len - 1000, second->len}};
	struct stream *stream;
	struct evl_err err = {0};
	struct stream_news news = {0};
	struct source src;
	begin_path(&s);
	if (stream_open(&stream, &(struct stream_spec){.name = s.name, .fd = -1}, NULL, NULL, &err) == 0) {
		for (int served = 0; news.state < STREAM_ENDED && (news.state != STREAM_LOST || served < 2)
			&& (!faults.on || atomic_load(&faults.seen) < faults.at + 2);) {
			served = atomic_load(&s.served); /* before what is told of it */
			news = stream_wait(stream, 1);
		}
		assert_true(news.state != STREAM_FAILED || news.why.text[0]);
		if (news.state == STREAM_LOST && news.whole && stream_source(stream, &news, &src, &err) == 0) {
			whole = 1; /* how much of it is there depends on when the first was lost */
			source_close(&src);
		}
	}
	stream_close(stream);
	end_server(&s);
}

static void watch_again(void) { watch_two(&b); }
static void watch_other(void) { watch_two(&other); }

/* A file that grows no more: until all of it is there, or it failed. */
static void follow_file(void)
{
	struct stream *s;
	struct evl_err err = {0};
	struct source src;
	struct stream_news news = {0};
	if (stream_open(&s, &(struct stream_spec){.name = log_path, .fd = -1, .follow = true}, NULL, NULL, &err) < 0) {
		assert_true(err.text[0]);
		return;
	}
	while (news.state < STREAM_ENDED && news.whole < b.len)
		news = stream_wait(s, 1);
	assert_true(news.state != STREAM_FAILED || news.why.text[0]);
	if (news.state != STREAM_FAILED && stream_source(s, &news, &src, &err) == 0) {
		check_source(&src);
		source_close(&src);
	}
	stream_close(s);
}

/* --- what is written ------------------------------------------------------------------------------------------------ */

/* The file is there and whole, or it is not there. */
static void save_file(void)
{
	struct evl_err err = {0};
	struct source src;
	int result = atomic_file_save(out_path, b.data, b.len, false, &err);
	assert_true(result == 0 || err.text[0]);
	faults_own = true;
	int there = source_open(&src, out_path, &err);
	assert_int_equal(there == 0, result == 0);
	if (there == 0) {
		check_source(&src);
		source_close(&src);
		unlink(out_path);
	}
	faults_own = false;
}

/* --- all of it ------------------------------------------------------------------------------------------------------- */

static const struct run {
	const char *name;
	void (*run)(void);
} runs[] = {
	{"a log", open_log},
	{"a heap profile", open_hp},
#ifdef HAVE_ZLIB
	{"gzip", open_gzip},
#endif
#ifdef HAVE_ZSTD
	{"zstd", open_zstd},
#endif
#ifdef HAVE_LZMA
	{"xz", open_xz},
#endif
	{"an archive of cost centres", open_centres},
#ifdef HAVE_ZLIB
	{"an archive of info tables", open_tables},
#endif
	{"a pipe", drain_pipe},
	{"a live pipe", watch_pipe},
	{"a live pipe in little room", watch_short_pipe},
	{"a socket", watch_socket},
	{"a port", watch_port},
	{"a socket that is lost", watch_again},
	{"a socket with another log", watch_other},
	{"a file that grows", follow_file},
	{"a file that is saved", save_file},
};

static void fails_at_every_place(void **state)
{
	const struct run *r = *state;
	uint64_t n[FAULT_INTERRUPT] = {0};
	whole = 0;
	r->run();
	assert_true(whole);
	int before = descriptors();
	for (enum fault kind = FAULT_MEMORY; kind < FAULT_INTERRUPT; kind++)
		n[kind] = kind == FAULT_CALL && r->run == watch_other
			? 1
			: for_every(kind, r->run); /* as for watch_again; it takes long */
	assert_true(n[FAULT_CALL] > 0);
	faults_begin(FAULT_INTERRUPT, 0, false);
	uint64_t same = whole;
	whole = 0;
	r->run();
	assert_true(faults_end() > 0);
	assert_int_equal(whole, same); /* it did not fail either */
	assert_int_equal(descriptors(), before);
	print_message("%s: %llu allocations, %llu threads, %llu writes, %llu other calls\n", r->name,
		(unsigned long long)n[FAULT_MEMORY], (unsigned long long)n[FAULT_THREAD],
		(unsigned long long)n[FAULT_DISK], (unsigned long long)n[FAULT_CALL]);
}

int main(void)
{
	struct CMUnitTest tests[countof(runs)];
	for (size_t i = 0; i < countof(runs); i++)
		tests[i] = (struct CMUnitTest){.name = runs[i].name,
			.test_func = fails_at_every_place,
			.initial_state = (void *)(uintptr_t)&runs[i]};
	return cmocka_run_group_tests(tests, build, drop);
}
