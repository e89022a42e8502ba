/* keys.c - how long the viewer takes to answer keys, in a pseudo-terminal, as a line of JSON.
 *
 *   keys EVTUI LOG READING_MS
 *
 * picture: from the start of the program until a capability's lane is there. reading: of keys pressed in the READING_MS
 * after it, while the log is being walked, until anything is painted. wide, middle, deep: of steps and pans at three
 * zooms, until all of the answer has come: what is painted later than SETTLED_MS after the last byte is not part of it.
 * Medians, and the worst; NAN becomes null. */
#include "../screen/home.h"

#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 24, MOST = 1000, ROOM = 1 << 16, SETTLED_MS = 40, QUIET_MS = 1500, PATIENCE_MS = 20000 };

struct viewer {
	int fd;
	pid_t pid;
};

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static struct viewer start(char *evtui, char *log)
{
	struct viewer v;
	struct winsize size = {.ws_row = 50, .ws_col = 160};
	char *argv[] = {evtui, log, NULL};
	v.pid = forkpty(&v.fd, NULL, NULL, &size);
	if (v.pid == 0) {
		execv(evtui, argv);
		_exit(127);
	}
	if (v.pid < 0) {
		perror("keys: forkpty");
		exit(EXIT_FAILURE);
	}
	return v;
}

/* Read the output of the next ms into out (NULL: dropped); -1: the viewer has ended. */
static long take(const struct viewer *v, char *out, size_t room, int ms)
{
	char buffer[ROOM];
	struct pollfd p = {v->fd, POLLIN, 0};
	if (poll(&p, 1, ms) <= 0)
		return 0;
	return read(v->fd, out ? out : buffer, out && room < ROOM ? room : ROOM);
}

/* Until a lane is there. */
static double picture_ms(const struct viewer *v, double began)
{
	static char seen[1 << 20];
	for (size_t n = 0; now_ms() - began < PATIENCE_MS && n < sizeof seen - 1;) {
		long got = take(v, seen + n, sizeof seen - 1 - n, PATIENCE_MS);
		if (got < 0)
			break;
		n += (size_t)got;
		if (memmem(seen, n, "cap 0", 5))
			return now_ms() - began;
	}
	return NAN;
}

static void press(const struct viewer *v, char key)
{
	if (write(v->fd, &key, 1) != 1)
		exit(EXIT_FAILURE);
}

/* Nothing comes for so long. */
static void settle(const struct viewer *v, int ms)
{
	while (take(v, NULL, 0, ms) > 0)
		;
}

/* Until anything is painted, or (all) until the last byte. */
static double answer_ms(const struct viewer *v, char key, bool all)
{
	double began = now_ms(), last = began;
	press(v, key);
	for (long got = take(v, NULL, 0, PATIENCE_MS); got > 0; got = all ? take(v, NULL, 0, SETTLED_MS) : 0)
		last = now_ms();
	return last - began;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void put_number(const char *name, double value)
{
	if (isnan(value))
		printf("\"%s\":null,", name);
	else
		printf("\"%s\":%.2f,", name, value);
}

static void put_times(const char *name, double *times, int n)
{
	char worst[64];
	qsort(times, (size_t)n, sizeof *times, by_value);
	put_number(name, n ? (times[(n - 1) / 2] + times[n / 2]) / 2 : NAN);
	snprintf(worst, sizeof worst, "%s_worst", name);
	put_number(worst, n ? times[n - 1] : NAN);
}

static char key_of(int i) { return i % 4 < 2 ? 'l' : i % 8 < 4 ? 'd' : 'a'; }

static void put_reading(const struct viewer *v, double until)
{
	double times[MOST];
	int n = 0;
	for (; n < MOST && now_ms() < until; n++) {
		times[n] = answer_ms(v, n % 60 < 30 ? 'l' : 'h',
			false); /* the whole run is in the window: there is nowhere to pan */
		settle(v, 2);
	}
	put_times("key_reading_ms", times, n);
}

static void put_zoom(const struct viewer *v, const char *name, int zooms)
{
	double times[KEYS];
	for (int i = 0; i < zooms; i++) {
		press(v, '+');
		settle(v, SETTLED_MS);
	}
	for (int i = 0; i < KEYS; i++)
		times[i] = answer_ms(v, key_of(i), true);
	put_times(name, times, KEYS);
}

int main(int argc, char **argv)
{
	if (argc != 4 || home_set_up() < 0) {
		fprintf(stderr, "usage: keys EVTUI LOG READING_MS\n");
		return EXIT_FAILURE;
	}
	setenv("TERM", "xterm-256color", 1);
	unsetenv("EVTUI_SYNC"); /* which makes frames wait for all there is to show */
	double began = now_ms();
	struct viewer v = start(argv[1], argv[2]);
	putchar('{');
	put_number("picture_ms", picture_ms(&v, began));
	put_reading(&v, began + 0.8 * atof(argv[3]));
	settle(&v, QUIET_MS);
	put_zoom(&v, "key_wide_ms", 1);
	put_zoom(&v, "key_middle_ms", 8);
	put_zoom(&v, "key_deep_ms", 12);
	kill(v.pid, SIGKILL);
	waitpid(v.pid, NULL, 0);
	printf("\"keys\":%d}\n", KEYS);
	return EXIT_SUCCESS;
}
