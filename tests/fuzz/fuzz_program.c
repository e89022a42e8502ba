/* The whole program, again and again in one process: a command line, a log that comes as a file, through a pipe, a FIFO
 * or a socket, whole or packed, or that grows, shrinks and is replaced by anything while it is looked at; keys; a terminal
 * or none. It always ends, with a status of the contract, and a batch command sends to a terminal text only.
 *
 * The first bytes choose, the next are keys, the rest is a log, or else a recipe for one (weird.h). */
#include "fuzz.h"

#include "remove_tree.h"
#include "sys/clock.h"
#include "sys/sandbox.h"
#include "term/runner.h"
#include "weird.h"

/* It would hold all that comes after. */
#define sandbox_enter(...) ((void)(__VA_ARGS__), SANDBOX_ALL)
#define runner_start(...)  ((void)(__VA_ARGS__), false)
int evtui_main(int argc, char **argv);
#define main evtui_main
#include "ui/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <zlib.h>

enum { MOST_SEEN = 1 << 20, MOST_KEYS = 60, MOST_ARGS = 16, STUCK_S = 120, REST_MS = 40, ESC_MS = 100 };

static char dir[] = "/tmp/evtui-fuzz-XXXXXX";
static int terminal[2], nowhere, words = STDERR_FILENO; /* the master, the slave; /dev/null; where findings are told */

static _Noreturn void give_up(const char *why)
{
	dprintf(words, "fuzz_program: %s\n", why);
	abort();
}
#define must(...) ((__VA_ARGS__) ? (void)0 : give_up(#__VA_ARGS__))

/* --- one that watches ----------------------------------------------------------------------------------------------- */

static atomic_int runs, since; /* odd: the program runs; seconds that it has */

static void *watch(void *unused)
{
	int last = 0;
	for (;; usleep(1000 * 1000)) {
		int now = atomic_load(&runs);
		if (now != last || now % 2 == 0)
			atomic_store(&since, 0);
		else if (atomic_fetch_add(&since, 1) > STUCK_S)
			give_up("hangs");
		last = now;
	}
	return unused;
}

static void clean(void)
{
	DIR *d = opendir(dir);
	for (const struct dirent *e; d && (e = readdir(d));) {
		char path[600];
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (e->d_name[0] != '.' && unlink(path))
			rmdir(path);
	}
	if (d)
		closedir(d);
}

static void leave_nothing(void) { remove_tree(dir); }

static void set_up(void)
{
	pthread_t watcher;
	must(mkdtemp(dir) && chdir(dir) == 0 && atexit(leave_nothing) == 0);
	setenv("HOME", dir, true);
	setenv("TMPDIR", dir, true);
	setenv("TERM", "xterm-256color", true);
	setenv("LC_ALL", "C.UTF-8", true);
	setenv("EVTUI_SYNC", "1", true);
	setenv("EDITOR", "true", true);
	unsetenv("VISUAL");
	unsetenv("TMUX");
	must((nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0);
	must((words = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)) >= 0);
	must(pthread_create(&watcher, NULL, watch, NULL) == 0);
}

/* --- the log -------------------------------------------------------------------------------------------------------- */

enum way { A_FILE, PACKED, STDIN, A_FIFO, A_SOCKET, GROWING, SOURCES };

struct feed {
	struct buf log;
	struct recipe choice; /* what to do next, for who feeds */
	enum way from;
	char path[100];
	int fd; /* to write the log to; -1: none */
	size_t at;
	atomic_bool over; /* the program has ended */
};

static void save(const char *path, const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, bytes, len) == (ssize_t)len && close(fd) == 0);
}

static void save_packed(const struct feed *f)
{
	gzFile out = gzopen(f->path, "wb1");
	must(out && (f->log.len == 0 || gzwrite(out, f->log.p, (unsigned)f->log.len) > 0) && gzclose(out) == Z_OK);
}

/* A pipe that is written to from the start, or a socket that waits to be called. */
static int listen_at(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	must(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 8) == 0);
	return fd;
}

/* Now what is at the path is something else. */
static void replace(struct feed *f)
{
	char other[220];
	snprintf(other, sizeof other, "%s.new", f->path);
	size_t part = recipe_byte(&f->choice) * f->log.len / 255;
	switch (recipe_below(&f->choice, 8)) {
	case 0:
		save(other, f->log.p, part);
		rename(other, f->path);
		break;
	case 1:
		save(other, "nothing like a log", part % 18);
		rename(other, f->path);
		break;
	case 2:
		unlink(f->path);
		mkfifo(f->path, 0600);
		break;
	case 3:
		unlink(f->path);
		mkdir(f->path, 0700);
		break;
	case 4: unlink(f->path); break;
	case 5:
		if (truncate(f->path, (off_t)1 << 33)) { /* not where it is no file */
		}
		break;
	case 6:
		rmdir(f->path);
		unlink(f->path);
		save(f->path, f->log.p, part);
		break;
	default:
		if (truncate(f->path, (off_t)part)) {
		}
		break;
	}
}

static void append(struct feed *f)
{
	size_t n = 1 + recipe_byte(&f->choice) * f->log.len / 255;
	n = f->log.len - f->at < n ? f->log.len - f->at : n;
	int fd = f->from == GROWING ? open(f->path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC) : f->fd;
	if (fd < 0)
		return;
	ssize_t put = f->from == GROWING ? write(fd, f->log.p + f->at, n)
					 : send(fd, f->log.p + f->at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
	f->at += put > 0 ? (size_t)put : 0;
	if (fd != f->fd)
		close(fd);
}

/* For the commands without a screen: all at once, or in two pieces. */
static void *pour(void *arg)
{
	struct feed *f = arg;
	int fd = f->fd;
	if (f->from == A_SOCKET) {
		struct pollfd p = {.fd = f->fd, .events = POLLIN};
		while (!atomic_load(&f->over) && poll(&p, 1, 20) == 0)
			;
		fd = p.revents & POLLIN ? accept4(f->fd, NULL, NULL, SOCK_CLOEXEC) : -1;
	} else if (f->from == A_FIFO) {
		while ((fd = open(f->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && !atomic_load(&f->over))
			usleep(1000);
		if (fd >= 0)
			fcntl(fd, F_SETFL, 0);
	}
	for (size_t at = 0, half = f->log.len / 2 + 1; fd >= 0 && at < f->log.len; at += half) {
		size_t n = f->log.len - at < half ? f->log.len - at : half;
		if (write(fd, f->log.p + at, n) < 0)
			break;
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* --- a terminal ------------------------------------------------------------------------------------------------------- */

static char seen[MOST_SEEN];

/* Is the character one that a terminal obeys? */
static bool is_plain(uint32_t c)
{
	return c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7f)
		|| (c >= 0xa0 && !(c >= 0x200e && c <= 0x200f) && !(c >= 0x202a && c <= 0x202e)
			&& !(c >= 0x2066 && c <= 0x2069));
}

/* Colours may be. */
static size_t skip_colour(const char *p, const char *end)
{
	const char *q = p + 2;
	if (end - p < 3 || p[0] != '\x1b' || p[1] != '[')
		return 0;
	while (q < end && ((*q >= '0' && *q <= '9') || *q == ';'))
		q++;
	return q < end && *q == 'm' ? (size_t)(q + 1 - p) : 0;
}

/* returns: of a line that says how far unpacking is. */
static void check_text(const char *p, size_t len, bool returns)
{
	for (const char *end = p + len; p < end;) {
		size_t colour = skip_colour(p, end);
		uint8_t lead = (uint8_t)*p;
		uint32_t c = lead;
		size_t n = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
		if (colour) {
			p += colour;
			continue;
		}
		if (n > (size_t)(end - p))
			return; /* cut by us */
		c = n == 2 ? lead & 0x1fu : n == 3 ? lead & 0xfu : n == 4 ? lead & 7u : c;
		for (size_t i = 1; i < n; i++)
			c = c << 6 | ((uint8_t)p[i] & 0x3f);
		if (n == 0 || !(is_plain(c) || (returns && c == '\r'))) {
			dprintf(words, "on a terminal: %zu bytes, U+%04X: %.60s\n", n, (unsigned)c, p);
			abort();
		}
		p += n;
	}
}

struct typist {
	struct feed *feed;
	bool viewer, ends;
	size_t seen;
	struct recipe keys;
};

static void press(struct recipe *r)
{
	/* no / outside of a search: names of files stay in the folder */
	static const char *const keys[] = {"/a\r", "/GC.*\r", ":filter cap:1\r", ":export csv gc out\r",
		":zoom 1us 5ms\r", ":diff log\r", ":export! eventlog out\r", ":set ascii on\r", ":screenshot! shot\r",
		":goto 50%\r", ":w! kept\r", "]g", "[g", "]M", "]m", "]n", "]l", "]s", "]x", "]w", "]u", "]r", "\x1b[A",
		"\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[<0;20;10M\x1b[<0;20;10m", "\x1b[<64;20;10M",
		"\x1b[200~paste\x1b[201~", "\x1b", "\r", "\t", "ma", "'a", "t3us\r", "fcap\r", "vlllv",
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "1", "2", "3", "4", "5", "6"};
	uint8_t c = recipe_byte(r);
	if (c >= 128)
		(void)!write(terminal[0], keys[c % countof(keys)], strlen(keys[c % countof(keys)]));
	else if (c > 26 && c != '/' && c != 'Q' && c != 'q')
		(void)!write(terminal[0], &c, 1);
}

static void resize(struct recipe *r)
{
	struct winsize size = {.ws_row = recipe_byte(r) % 70, .ws_col = recipe_byte(r)};
	ioctl(terminal[0], TIOCSWINSZ, &size);
	kill(getpid(), SIGWINCH);
}

/* The next thing that happens to the viewer. When all has, it is told to end until it does. */
static void happen(struct typist *t)
{
	struct feed *f = t->feed;
	if (f->from == A_SOCKET && f->fd >= 0 && f->at == 0) { /* a call is answered once */
		int fd = accept4(f->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0) {
			close(f->fd);
			f->fd = fd;
		}
	}
	if (!t->keys.left) {
		t->ends = !t->ends; /* Esc by itself: what is open closes */
		(void)!write(terminal[0], t->ends ? "\x1b" : "Q", 1);
	} else if (t->keys.left % 3 == 0 && f->from >= A_SOCKET) {
		recipe_byte(&t->keys);
		if (f->from == GROWING && f->at >= f->log.len / 2)
			replace(f);
		else
			append(f);
	} else if (t->keys.left % 17 == 5) {
		resize(&t->keys);
	} else {
		press(&t->keys);
	}
}

/* Read what the program shows; after each time that it rests, do the next thing. */
static void *type(void *arg)
{
	static const char idle[] = "\x1b]5959;idle;";
	struct typist *t = arg;
	char bytes[4096 + 1];
	struct pollfd p = {.fd = terminal[0], .events = POLLIN};
	int64_t ended = clock_ms(); /* so Esc and the key after it are not one chord */
	while (!atomic_load(&t->feed->over)) {
		ssize_t n = poll(&p, 1, REST_MS) > 0 ? read(terminal[0], bytes, sizeof bytes - 1) : 0;
		if (n > 0 && !t->viewer) {
			size_t room = MOST_SEEN - t->seen < (size_t)n ? MOST_SEEN - t->seen : (size_t)n;
			memcpy(seen + t->seen, bytes, room);
			t->seen += room;
		}
		bool rests = n <= 0 || memmem(bytes, (size_t)n, idle, sizeof idle - 1);
		if (t->viewer && (t->keys.left ? rests : clock_ms() - ended >= ESC_MS)) {
			happen(t);
			ended = clock_ms();
		}
	}
	for (ssize_t n; !t->viewer && poll(&p, 1, 0) > 0 && (n = read(terminal[0], bytes, sizeof bytes - 1)) > 0;) {
		size_t room = MOST_SEEN - t->seen < (size_t)n ? MOST_SEEN - t->seen : (size_t)n;
		memcpy(seen + t->seen, bytes, room);
		t->seen += room;
	}
	return NULL;
}

/* --- the command line --------------------------------------------------------------------------------------------------- */

enum { // NOLINTNEXTLINE
#define OPTION(id, name, letter, arg, effect, help) OPT_##id,
#include "cli/options.def"
#undef OPTION
	N_OPTIONS
};

static const struct {
	const char *name, *argument;
} options[] = {
#define OPTION(id, name, letter, arg, effect, help) {"--" name, arg},
#include "cli/options.def"
#undef OPTION
};

static const struct {
	const char *word, *words;
	uint64_t takes;
} modes[] = {
#define TAKES(id)                          | UINT64_C(1) << OPT_##id
#define MODE(id, word, words, help, takes) {word, words, 0 takes},
#include "cli/modes.def"
#undef MODE
#undef TAKES
};

static const char *const formats[] = {
#define NO_TABLE
#define TABLE
#define EXPORT_FORMAT(name, tables, help) #name,
#include "export/export.def"
#undef EXPORT_FORMAT
#undef NO_TABLE
#undef TABLE
};

static const char *const tables[] = {
#define LISTED(name, help) #name,
#include "rows/rows.def"
};

static const char *value_of(int option, struct recipe *r)
{
	static const char *const times[] = {
		"0", "1us", "50%", "3ms", "@14:03:22", "99%", "-1", "18446744073709551615ns"};
	static const char *const bounds[] = {
		"gc.pause.p99>1ms", "heap.max_live>1", "time.productivity<2", "x\x1b[2J>1", ">"};
	static const char *const others[] = {
		"a", "1", "GC_*", "*", "4095", "\x1b]0;x\a", "0", "2", "2#9", "b#1", "65536"};
	switch (option) {
	case OPT_FROM:
	case OPT_TO: return times[recipe_below(r, countof(times))];
	case OPT_FAIL_IF: return bounds[recipe_below(r, countof(bounds))];
	case OPT_TABLE: return tables[recipe_below(r, countof(tables))];
	case OPT_COLOR: return recipe_below(r, 2) ? "always" : "8";
	case OPT_THEME: return "light";
	case OPT_SPOOL_MAX: return recipe_below(r, 2) ? "1k" : "8G";
	case OPT_THREADS: return recipe_below(r, 2) ? "1" : "3";
	case OPT_HEADER: return "head";
	case OPT_OUTPUT: return "out";
	default: return others[recipe_below(r, countof(others))];
	}
}

struct command {
	char *argv[MOST_ARGS + 1], name[256];
	int n;
	bool viewer, on_terminal;
};

static void add(struct command *c, const char *word)
{
	if (c->n < MOST_ARGS)
		c->argv[c->n++] = (char *)(uintptr_t)word; /* which only reorders them */
}

static void add_option(struct command *c, int option, struct recipe *r)
{
	add(c, options[option].name);
	if (options[option].argument)
		add(c, value_of(option, r));
}

static void add_options(struct command *c, uint64_t takes, struct recipe *r)
{
	for (size_t n = recipe_below(r, 4); n--;) {
		int option = (int)recipe_below(r, N_OPTIONS);
		for (int i = 0; i < N_OPTIONS && !(takes >> option & 1); i++)
			option = (option + 1) % N_OPTIONS;
		if (!(takes >> option & 1) || option == OPT_CONFIG || option == OPT_SCRIPT || option == OPT_COPY_FILE)
			continue;
		add_option(c, option, r);
	}
}

static void choose(struct command *c, struct feed *f, struct recipe *r)
{
	uint8_t first = recipe_byte(r), how = recipe_byte(r);
	size_t mode = first % (countof(modes) + 1) % countof(modes); /* the viewer twice as often */
	bool evil = how & 64;
	const char *format = "";
	c->viewer = mode == 0 && !(how & 128);
	c->on_terminal = c->viewer || how & 128;
	f->from = (enum way)(how % SOURCES);
	if (c->viewer && (f->from == STDIN || f->from == A_FIFO))
		f->from = GROWING;
	if (!c->viewer && f->from == GROWING)
		f->from = A_FILE;
	snprintf(f->path, sizeof f->path, "%s/log%s", dir,
		evil && f->from != A_SOCKET ? "\x1b]0;TELLTALE\a\xe2\x80\xae\x9b" : "");
	snprintf(c->name, sizeof c->name, "%s%s", f->from == A_SOCKET ? "unix:" : "", f->from == STDIN ? "-" : f->path);
	add(c, "evtui");
	if (mode)
		add(c, modes[mode].word);
	if (strstr(modes[mode].words, "FORMAT"))
		add(c, format = formats[recipe_below(r, countof(formats))]);
	if (modes[mode].takes >> OPT_FAIL_IF & 1)
		add_option(c, OPT_FAIL_IF, r);
	if (strcmp(format, "csv") == 0)
		add_option(c, OPT_TABLE, r);
	if (strstr(modes[mode].words, "A B"))
		add(c, recipe_below(r, 2) ? "head" : c->name);
	if (f->from == GROWING)
		add(c, "--follow");
	add_options(c, modes[mode].takes, r);
	add(c, c->name);
}

/* --- one run --------------------------------------------------------------------------------------------------------------- */

static void put_log(struct feed *f, int *input)
{
	int pipe_ends[2];
	f->fd = -1;
	save("head", f->log.p, f->log.len / 2);
	switch (f->from) {
	case PACKED: save_packed(f); break;
	case STDIN:
		must(pipe2(pipe_ends, O_CLOEXEC) == 0);
		*input = pipe_ends[0];
		f->fd = pipe_ends[1];
		break;
	case A_FIFO: must(mkfifo(f->path, 0600) == 0); break;
	case A_SOCKET: f->fd = listen_at(f->path); break;
	case GROWING:
		f->at = f->log.len / 3;
		save(f->path, f->log.p, f->at);
		break;
	default: save(f->path, f->log.p, f->log.len);
	}
}

/* Standard input, output and error of the program; then as they were. */
static int run_command(struct command *c, int input, int output)
{
	int kept[3];
	for (int i = 0; i < 3; i++)
		must((kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10)) >= 0);
	must(dup2(input, 0) == 0 && dup2(output, 1) == 1);
	if (c->on_terminal)
		must(dup2(output, 2) == 2);
	clearerr(stdout);
	optind = 0;
	atomic_fetch_add(&runs, 1);
	int status = evtui_main(c->n, c->argv);
	atomic_fetch_add(&runs, 1);
	fflush(NULL);
	for (int i = 0; i < 3; i++) {
		must(dup2(kept[i], i) == i);
		close(kept[i]);
	}
	return status;
}

static void try(struct feed *f, struct command *c, struct typist *t)
{
	pthread_t typing, pouring;
	struct winsize size = {.ws_row = 30, .ws_col = 100};
	struct termios raw;
	int input = nowhere, output = nowhere;
	if (c->on_terminal) {
		must(openpty(&terminal[0], &terminal[1], NULL, NULL, &size) == 0 && tcgetattr(terminal[1], &raw) == 0);
		cfmakeraw(&raw);
		must(tcsetattr(terminal[1], TCSANOW, &raw) == 0);
		input = c->viewer ? terminal[1] : input;
		output = terminal[1];
		t->viewer = c->viewer;
	}
	put_log(f, &input);
	bool poured = f->from == STDIN || f->from == A_FIFO || (f->from == A_SOCKET && !c->viewer);
	if (poured)
		must(pthread_create(&pouring, NULL, pour, f) == 0);
	if (c->on_terminal)
		must(pthread_create(&typing, NULL, type, t) == 0);
	int status = run_command(c, input, output);
	atomic_store(&f->over, true);
	if (f->from == STDIN)
		close(input); /* who still writes to it is told */
	if (poured)
		pthread_join(pouring, NULL);
	if (c->on_terminal) {
		pthread_join(typing, NULL);
		close(terminal[0]);
		close(terminal[1]);
	}
	if (f->fd >= 0 && f->from != STDIN)
		close(f->fd);
	bool unpacks = f->from == PACKED || f->log.len < 4 || memcmp(f->log.p, "hdrb", 4) != 0;
	must(status >= 0 && status <= 2);
	if (c->on_terminal && !c->viewer)
		check_text(seen, t->seen, unpacks);
}

/* A log, or what may be one packed, is taken as it is. */
static void make_log(struct buf *log, const uint8_t *data, size_t len)
{
	struct recipe r = {data, len};
	if (len >= 4
		&& (memcmp(data, "hdrb", 4) == 0 || memcmp(data, "JOB", 3) == 0 || memcmp(data, "\x1f\x8b", 2) == 0
			|| memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0
			|| memcmp(data,
				   "\xfd"
				   "7zX",
				   4)
				== 0))
		buf_put(log, data, len);
	else
		weird_log(&r, log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { CHOICES = 12 };
	static bool ready;
	if (len < CHOICES)
		return 0;
	if (!ready)
		set_up();
	ready = true;
	signal(SIGPIPE, SIG_IGN);
	struct recipe r = {data + 1, CHOICES - 1};
	size_t keys = data[0] % MOST_KEYS;
	keys = len - CHOICES < keys ? len - CHOICES : keys;
	struct feed f = {.choice = {data + CHOICES, keys}};
	struct typist t = {.feed = &f, .keys = {data + CHOICES, keys}};
	struct command c = {.n = 0};
	make_log(&f.log, data + CHOICES + keys, len - CHOICES - keys);
	choose(&c, &f, &r);
	try(&f, &c, &t);
	buf_free(&f.log);
	clean();
	return 0;
}
