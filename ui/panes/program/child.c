#include "panes/program/child.h"

#include "panes/program/wrapped.h"
#include "sys/clock.h"
#include "sys/retry.h"
#include "sys/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20, MOST_OWN = 16 };

/* --- its arguments ------------------------------------------------------------------------------------------------- */

/* Ours come first: what the user gives after them counts more. flags: with blanks between, which are written to. NULL when
 * memory is out. */
static char **arguments(char *const *argv, char *flags)
{
	static char rts[] = "+RTS", end[] = "-RTS";
	size_t n = 0, at = 0;
	while (argv[n])
		n++;
	char **out = calloc(n + MOST_OWN, sizeof *out);
	if (!out)
		return NULL;
	out[at++] = argv[0];
	out[at++] = rts;
	for (char *flag = strtok(flags, " "); flag && at + 2 < MOST_OWN; flag = strtok(NULL, " "))
		out[at++] = flag;
	out[at++] = end;
	memcpy(out + at, argv + 1, n * sizeof *argv); /* with the NULL after the last */
	return out;
}

/* --- a terminal for what it prints --------------------------------------------------------------------------------- */

/* The end that the program gets; *ours: the other one. */
static int open_terminal(int *ours)
{
	struct termios modes;
	const char *name = NULL;
	int theirs = -1;
	*ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*ours >= 0 && grantpt(*ours) == 0 && unlockpt(*ours) == 0 && (name = ptsname(*ours)))
		theirs = open_again(name, O_RDWR | O_NOCTTY | O_CLOEXEC, 0);
	if (theirs >= 0 && tcgetattr(theirs, &modes) == 0) {
		sys_make_raw(&modes);
		tcsetattr(theirs, TCSANOW, &modes);
	}
	return theirs;
}

/* --- beginning ----------------------------------------------------------------------------------------------------- */

/* A process that does nothing but wait for our end: where we were killed before we said that all is well, the whole group
 * of the program goes too. (The program itself is told by the system; those that it began are not.) */
static void guard(int fd)
{
	pid_t group = 0;
	char word;
	setsid();
	dup2(fd, STDIN_FILENO);
	sys_close_from(STDIN_FILENO + 1);
	if (read_again(STDIN_FILENO, &group, sizeof group) != sizeof group)
		_exit(0); /* it was never run */
	if (read_again(STDIN_FILENO, &word, 1) != 1)
		kill(-group, SIGKILL);
	_exit(0);
}

/* Before the program is: that tells it its group before it runs. No signal ends it: a terminal that hangs up signals all
 * processes of the viewer's session, and it may be before the guard has left that. */
static void post_guard(struct child *c)
{
	int ends[2];
	sigset_t all, before;
	if (sys_pipe(ends, 0))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	c->guard = fork();
	if (c->guard == 0) {
		close(ends[1]);
		guard(ends[0]);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	c->guard_fd = ends[1];
}

static void dismiss_guard(struct child *c)
{
	signal(SIGPIPE, SIG_IGN); /* it may have ended */
	if (c->guard > 0 && write_all(c->guard_fd, "", 1))
		waitpid_again(c->guard, NULL, 0);
	c->guard = 0;
}

/* In the new process. It ends when we do, however that comes. args: of a Haskell program; NULL: it is looked for. */
static void become(char **args, const struct wrapped *w, int terminal, int guard_fd, pid_t parent)
{
	pid_t self = getpid();
	sigset_t none;
	int input = isatty(STDIN_FILENO) ? open_again("/dev/null", O_RDONLY, 0) : STDIN_FILENO;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid(); /* the terminal is ours alone */
	sys_end_with_parent();
	if (getppid() != parent || (guard_fd >= 0 && !write_all(guard_fd, &self, sizeof self)))
		_exit(CHILD_NOT_RUN);
	dup2(input, STDIN_FILENO);
	dup2(terminal, STDOUT_FILENO);
	dup2(terminal, STDERR_FILENO);
	setenv("TERM", "dumb", 1); /* there is nothing that colours would be good for */
	if (args) {
		fcntl(w->log_fd, F_SETFD, 0);
		execvp(args[0], args);
	} else {
		wrapped_run(w);
	}
	int why = errno;
	if (!write_all(w->announced, &why, sizeof why)) {
		/* no reader is left */
	}
	_exit(CHILD_NOT_FOUND);
}

/* 0, or the errno that it could not be run for. */
static int ask_how_it_went(int fd)
{
	int why = 0;
	return read_again(fd, &why, sizeof why) == sizeof why ? why : 0;
}

static void close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int fail(const char *name, struct evl_err *err)
{
	int why = errno;
	evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", name, strerror(why));
	return why == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_RUN;
}

/* The flags of a Haskell program, with a NUL; empty: it is none. 0, CHILD_LACKS with err filled, or EVL_NOMEM. */
static int choose_flags(struct child *c, const struct wrapped *w, struct buf *flags, struct evl_err *err)
{
	char name[32], option[48], path[RTS_PROBE_PATH];
	bool haskell = rts_probe_find(w->argv[0], path) && !wrapped_is_tool(path) && rts_probe_is_haskell(path);
	sys_fd_name(name, sizeof name, 0, w->log_fd);
	snprintf(option, sizeof option, "-ol%s", name);
	c->flushes = true;
	c->seeks = !haskell;
	if (!haskell)
		return 0;
	bool good = wrapped_flags(flags, path, w->preset, option, BUILD_GHC);
	buf_char(flags, '\0');
	if (flags->failed)
		return EVL_NOMEM;
	c->flushes = good && strstr(flags->p, FLUSH_OPTION);
	if (good)
		return 0;
	evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%.60s: %.*s", w->argv[0], (int)strcspn(flags->p, "\n"), flags->p);
	return CHILD_LACKS;
}

/* The log goes to a pipe that has no name in the file system: nothing is left of it however we end. */
static int spawn(struct child *c, const struct wrapped *w, int announced, int theirs, struct evl_err *err)
{
	struct buf flags = {0};
	int result = choose_flags(c, w, &flags, err);
	char **args = result == 0 && flags.len > 1 ? arguments(w->argv, flags.p) : NULL;
	bool good = result == 0 && !flags.failed && (args || flags.len <= 1);
	pid_t parent = getpid();
	if (good)
		post_guard(c);
	c->pid = good ? fork() : -1;
	if (c->pid == 0)
		become(args, w, theirs, c->guard_fd, parent);
	free(args);
	buf_free(&flags);
	close(w->announced);
	if (c->pid < 0) {
		c->pid = 0;
		return result ? result : fail(w->argv[0], err);
	}
	errno = ask_how_it_went(announced);
	if (errno == 0 && (c->pid_fd = sys_child_fd(c->pid)) >= 0)
		return 0;
	result = fail(w->argv[0], err);
	waitpid_again(c->pid, NULL, 0);
	c->pid = 0;
	dismiss_guard(c);
	return result;
}

int child_start(struct child *c, char *const *argv, enum preset preset, struct evl_err *err)
{
	int log[2] = {-1, -1}, announced[2] = {-1, -1};
	*c = (struct child){.guard_fd = -1, .pid_fd = -1, .terminal = -1, .log_fd = -1};
	bool stoppable = waker_open(&c->stop);
	int theirs = open_terminal(&c->terminal), result = CHILD_NOT_RUN;
	if (!output_init(&c->output) || theirs < 0 || !stoppable || sys_pipe(log, 0) || sys_pipe(announced, 0)) {
		fail(argv[0], err);
	} else {
		sys_pipe_room(log[0], PIPE_BYTES);
		result = spawn(c, &(struct wrapped){argv, preset, log[1], announced[1]}, announced[0], theirs, err);
		announced[1] = -1;
	}
	close_all((const int[]){theirs, log[1], announced[0], announced[1], result ? log[0] : -1}, 5);
	c->log_fd = result ? -1 : log[0];
	if (result)
		child_free(c);
	return result;
}

/* --- while it runs ------------------------------------------------------------------------------------------------- */

/* Report whether it has ended. It stays a zombie until child_end, so that its process id is not reused. */
static void look_for_end(struct child *c)
{
	siginfo_t how = {0};
	if (atomic_load(&c->over) || waitid(P_PID, (id_t)c->pid, &how, WEXITED | WNOHANG | WNOWAIT)
		|| how.si_pid != c->pid)
		return;
	c->status = how.si_code == CLD_EXITED ? how.si_status : 128 + how.si_status;
	atomic_store(&c->over, true);
	if (c->wake)
		c->wake(c->ctx);
}

static void take(struct child *c, const char *bytes, size_t len)
{
	output_put(&c->output, bytes, len);
	if (c->echo && !write_all(STDERR_FILENO, bytes, len)) {
		/* no reader is left; its output is kept */
	}
}

enum { WINDOW_MS = 100, BUSY_MS = 12, WAKE_MS = 100, LAST_MS = 200, AT_ONCE = 4096 };

/* Processor time of this thread since the start of the window. */
struct meter {
	int64_t begun_ms, cpu_ns;
};

static int64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* In how many ms this thread may go on; 0: now. A program that prints without end waits for us, not we for it. */
static int64_t rest_ms(struct meter *m, int64_t now)
{
	if (now - m->begun_ms >= WINDOW_MS)
		*m = (struct meter){now, cpu_ns()};
	return cpu_ns() - m->cpu_ns < (int64_t)BUSY_MS * 1000000 ? 0 : m->begun_ms + WINDOW_MS - now;
}

/* Take some output. Return false at its end, when no process has the other end open (EIO). */
static bool take_some(struct child *c)
{
	char bytes[AT_ONCE];
	ssize_t n = read_again(c->terminal, bytes, sizeof bytes);
	if (n > 0)
		take(c, bytes, (size_t)n);
	return n > 0;
}

/* Take the output available at the end, without waiting for processes that escaped. */
static void take_last(struct child *c)
{
	struct pollfd p = {c->terminal, POLLIN, 0};
	for (int64_t until = clock_ms() + LAST_MS; clock_ms() < until && poll_again(&p, 1, 0) > 0;)
		if (!take_some(c))
			return;
}

static int64_t least_wait(int64_t a, int64_t b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

/* Until it has ended and all that it printed is read, or we are told to quit. The owner is woken ten times a second at
 * most. */
static void *watch(void *arg)
{
	struct child *c = arg;
	struct meter meter = {0};
	int64_t told = 0;
	bool open = true, untold = false;
	struct pollfd fds[] = {{c->stop.fd, POLLIN, 0}, {c->pid_fd, POLLIN, 0}, {c->terminal, POLLIN, 0}};
	for (;;) {
		int64_t now = clock_ms(), rest = c->wake ? rest_ms(&meter, now) : 0;
		int64_t due = !untold ? -1 : told + WAKE_MS > now ? told + WAKE_MS - now : 0;
		if (due == 0 && c->wake)
			c->wake(c->ctx);
		told = due == 0 ? now : told;
		untold = untold && due > 0;
		if (!open && !untold && fds[1].fd < 0)
			break;
		fds[2].fd = open && rest == 0 ? c->terminal : -1;
		if (poll_again(fds, countof(fds), (int)least_wait(untold ? due : -1, rest > 0 ? rest : -1)) < 0)
			break;
		if (fds[0].revents) {
			if (open)
				take_last(c);
			break;
		}
		if (fds[1].revents)
			look_for_end(c);
		fds[1].fd = atomic_load(&c->over) ? -1 : fds[1].fd;
		if (fds[2].revents) {
			open = take_some(c);
			untold = true;
		}
	}
	return NULL;
}

bool child_watch(struct child *c, void (*wake)(void *), void *ctx)
{
	c->wake = wake;
	c->ctx = ctx;
	c->reading = worker_start(&c->thread, watch, c);
	return c->reading;
}

/* --- the end ------------------------------------------------------------------------------------------------------- */

static bool ends_within(const struct child *c, int ms)
{
	struct pollfd p = {c->pid_fd, POLLIN, 0};
	return poll_again(&p, 1, ms) > 0;
}

void child_end(struct child *c)
{
	static const struct {
		int signal, ms;
	} words[] = {{SIGINT, 1500}, {SIGTERM, 500}, {SIGKILL, -1}};
	if (!c->pid)
		return;
	for (size_t i = 0; i < countof(words) && !ends_within(c, 0); i++) {
		kill(-c->pid, words[i].signal);
		ends_within(c, words[i].ms);
	}
	kill(-c->pid, SIGKILL); /* its orphans */
	dismiss_guard(c);
	if (c->reading) {
		waker_wake(&c->stop);
		pthread_join(c->thread, NULL);
	}
	c->reading = false;
	c->wake = NULL;
	look_for_end(c);
	waitpid_again(c->pid, NULL, 0);
	c->pid = 0;
}

void child_free(struct child *c)
{
	close_all((const int[]){c->pid_fd, c->terminal, c->guard_fd}, 3);
	waker_close(&c->stop);
	output_free(&c->output);
}
