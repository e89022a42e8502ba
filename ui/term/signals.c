#include "term/signals.h"

#include "sys/retry.h"
#include "sys/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* A handler gets no argument of ours, so this is static. */
static int ends[2] = {-1, -1};

/* Those of the terminal, then all others that end a process and are not caused by a fault (see `fatal`). */
static const int taken[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2,
	SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT};
enum { N_NAMED = sizeof taken / sizeof *taken, MOST_TAKEN = N_NAMED + 64 };
static struct sigaction former[MOST_TAKEN];
static bool is_open;

static size_t count_taken(void) { return N_NAMED + (size_t)(SIGRTMAX - SIGRTMIN + 1); }

static int nth_taken(size_t i) { return i < N_NAMED ? taken[i] : SIGRTMIN + (int)(i - N_NAMED); }

static void on_signal(int sig)
{
	int keep = errno;
	char byte = (char)sig;
	if (!write_all(ends[1], &byte, 1)) { /* full: there is enough to read */
	}
	errno = keep;
}

static int handle(int sig, struct sigaction *before)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigemptyset(&action.sa_mask);
	return sigaction(sig, &action, before);
}

int signals_open(void)
{
	if (ends[0] < 0 && sys_pipe(ends, O_NONBLOCK))
		return -1;
	for (size_t i = 0; i < count_taken() && !is_open; i++) {
		sigaction(nth_taken(i), NULL, &former[i]);
		if (former[i].sa_handler != SIG_IGN)
			handle(nth_taken(i), NULL);
	}
	is_open = true;
	return 0;
}

void signals_close(void)
{
	for (size_t i = 0; i < count_taken() && is_open; i++)
		sigaction(nth_taken(i), &former[i], NULL);
	is_open = false;
}

int signals_fd(void) { return ends[0]; }

int signals_next(void)
{
	unsigned char sig = 0;
	return ends[0] >= 0 && read_again(ends[0], &sig, 1) == 1 ? sig : 0;
}

void signals_stop(void)
{
	struct sigaction ours, by_default = {.sa_handler = SIG_DFL};
	sigaction(SIGTSTP, NULL, &ours);
	if (ours.sa_handler == SIG_IGN) /* there is no job control here */
		return;
	sigaction(SIGTSTP, &by_default, NULL);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
}

static const struct {
	int sig;
	void (*meanwhile)(int);
} lent[] = {{SIGTSTP, SIG_DFL}, {SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}};
static struct sigaction before_lent[sizeof lent / sizeof *lent];

void signals_lend(void)
{
	for (size_t i = 0; i < sizeof lent / sizeof *lent; i++) {
		struct sigaction action = {.sa_handler = lent[i].meanwhile};
		sigaction(lent[i].sig, NULL, &before_lent[i]);
		if (before_lent[i].sa_handler != SIG_IGN)
			sigaction(lent[i].sig, &action, NULL);
	}
}

void signals_take_back(void)
{
	for (size_t i = 0; i < sizeof lent / sizeof *lent; i++)
		sigaction(lent[i].sig, &before_lent[i], NULL);
}

/* --- crashes --- */

enum { N_FATAL = 8 };
static const int fatal[N_FATAL] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGSYS, SIGTRAP, SIGXFSZ};
static struct sigaction before_crash[N_FATAL];
static bool armed;

static struct {
	int fd;
	const char *words;
	size_t len;
	struct termios modes;
} last;

static void restore_fatal(int sig)
{
	for (size_t i = 0; i < N_FATAL; i++) {
		if (fatal[i] == sig)
			sigaction(sig, &before_crash[i], NULL);
	}
}

/* Afterwards the fault repeats, or what was sent is sent again, and finds the handler that was there before. */
static void on_crash(int sig, siginfo_t *info, UNUSED void *context)
{
	int error = errno; /* of what was interrupted: a signal that is sent may come in the middle of anything */
	if (last.words) {
		tcsetattr(last.fd, TCSANOW, &last.modes);
		if (!write_all(last.fd, last.words, last.len)) { /* no terminal to report to */
		}
		last.words = NULL;
	}
	restore_fatal(sig);
	if (info->si_code <= 0)
		raise(sig);
	errno = error;
}

/* A handler on a separate stack also survives an exhausted stack. SIGBUS belongs to the log reader if that installed
 * its handler first. */
static void arm(void)
{
	static char stack[64 << 10];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < N_FATAL; i++) {
		sigaction(fatal[i], NULL, &before_crash[i]);
		bool handled = before_crash[i].sa_flags & SA_SIGINFO || before_crash[i].sa_handler != SIG_DFL;
		if (fatal[i] != SIGBUS || !handled)
			sigaction(fatal[i], &action, NULL);
	}
}

void signals_on_crash(int fd, const char *words, const struct termios *modes)
{
	last.words = NULL;
	if (!words)
		return;
	last.fd = fd;
	last.len = strlen(words);
	last.modes = *modes;
	last.words = words;
	if (!armed)
		arm();
	armed = true;
}
