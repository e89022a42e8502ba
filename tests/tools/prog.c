/* prog [+RTS OPTIONS -RTS] [-n BYTES] [-s STATUS] [-w] [-x] LOG - behaves as a Haskell program that wrote LOG does: its log
 * goes to where -ol says, in fragments, and it prints a line for each.
 *
 *   -n BYTES   only so much of the log
 *   -s STATUS  its exit status
 *   -w         waits for a signal before it ends
 *   -x         leaves a process of its own behind
 *
 * prog +RTS -? says what its run-time system knows, as that of GHC does (GHCRTS). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int help(void)
{
	puts("prog:   -l[flags]  Log events to a file");
	puts("prog:   --eventlog-flush-interval=<secs>");
	puts("prog:   -N[<n>]    Use <n> processors (default: 1)");
	puts("prog: RTS options may also be specified using the GHCRTS environment variable.");
	return 0;
}

/* The options of the run-time system are taken out of the arguments; where the log goes. */
static const char *take_rts(int *argc, char **argv)
{
	const char *log = NULL;
	int kept = 1;
	for (int i = 1, rts = 0; i < *argc; i++) {
		if (strcmp(argv[i], "+RTS") == 0)
			rts = 1;
		else if (rts && strcmp(argv[i], "-RTS") == 0)
			rts = 0;
		else if (rts && strcmp(argv[i], "-?") == 0)
			exit(help());
		else if (rts && strncmp(argv[i], "-ol", 3) == 0)
			log = argv[i] + 3;
		else if (!rts)
			argv[kept++] = argv[i];
	}
	*argc = kept;
	argv[kept] = NULL;
	return log;
}

static void copy(const char *from, const char *to, size_t most)
{
	enum { FRAGMENT = 1777 };
	char bytes[FRAGMENT];
	int in = open(from, O_RDONLY), out = to ? open(to, O_RDWR | O_CREAT | O_TRUNC, 0666) : -1;
	for (size_t done = 0; in >= 0 && out >= 0 && done < most;) {
		ssize_t n = read(in, bytes, most - done < FRAGMENT ? most - done : FRAGMENT);
		if (n <= 0 || write(out, bytes, (size_t)n) != n)
			break;
		done += (size_t)n;
		printf("written: %zu\n", done);
		fflush(stdout);
	}
	close(in);
	close(out);
}

int main(int argc, char **argv)
{
	size_t most = (size_t)-1;
	int status = 0, waits = 0;
	const char *log = take_rts(&argc, argv);
	for (int c; (c = getopt(argc, argv, "n:s:wx")) != -1;) {
		switch (c) {
		case 'n': most = (size_t)atol(optarg); break;
		case 's': status = atoi(optarg); break;
		case 'w': waits = 1; break;
		case 'x':
			if (fork() == 0)
				for (;;)
					pause();
			break;
		default: return 2;
		}
	}
	copy(argv[optind], log, most);
	if (waits)
		pause();
	return status;
}
