/* prog [+RTS OPTIONS -RTS] [-n BYTES] [-s STATUS] [-w] [-x] LOG - behaves as a Haskell program that wrote LOG does: its log
 * goes to where -ol says, in fragments, and it prints a line for each.
 *
 *   -n BYTES   only the first BYTES of the log
 *   -s STATUS  its exit status
 *   -w         waits for a signal before it ends
 *   -x         leaves an orphaned process
 *   -r         runs the command in the place of LOG instead, as cabal and stack do
 *
 * prog +RTS -? says what its run-time system knows, as that of GHC does, and +RTS --info who it is. It takes options from
 * GHCRTS, too. Its build is set in the environment: PROG_GHC (9.10.3), PROG_WAY (rts_thr), PROG_RTSOPTS (all,
 * some, none; a program named "closed": none). PROG_SAYS: the file to which its name and its options are appended. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Report to LeakSanitizer that it is off: it cannot run in a program that is traced, as these are. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

static const char *own_name;

static const char *built(const char *name, const char *otherwise)
{
	const char *value = getenv(name);
	return value ? value : otherwise;
}

/* Those of -eventlog, -debug and -prof log, and all since GHC 9.4. */
static int logs(void)
{
	const char *way = built("PROG_WAY", "rts_thr");
	unsigned major = 0, minor = 0;
	sscanf(built("PROG_GHC", "9.10.3"), "%3u.%3u", &major, &minor);
	return major > 9 || (major == 9 && minor >= 4) || strstr(way, "_l") || strstr(way, "_debug")
		|| strstr(way, "_p");
}

static int help(void)
{
	if (logs())
		puts("prog:   -l[flags]  Log events to a file");
	puts("prog:   --eventlog-flush-interval=<secs>");
	puts("prog:   -N[<n>]    Use <n> processors (default: 1)");
	puts("prog: RTS options may also be specified using the GHCRTS environment variable.");
	return 0;
}

static int info(void)
{
	printf(" [(\"GHC RTS\", \"YES\")\n ,(\"GHC version\", \"%s\")\n ,(\"RTS way\", \"%s\")\n"
	       " ,(\"Flag -with-rtsopts\", \"%s\")\n ]\n",
		built("PROG_GHC", "9.10.3"), built("PROG_WAY", "rts_thr"), built("PROG_WITH", ""));
	return 0;
}

/* Options that are not of the log want -rtsopts. */
static void look_at(const char *option)
{
	const char *takes = strcmp(own_name, "closed") == 0 ? "none" : built("PROG_RTSOPTS", "all");
	const char *says = getenv("PROG_SAYS");
	FILE *out = says ? fopen(says, "a") : NULL;
	if (out) {
		fprintf(out, "%s %s\n", own_name, option);
		fclose(out);
	}
	if (strcmp(takes, "none") == 0) {
		fputs("prog: RTS options are disabled. Link with -rtsopts to enable them.\n", stderr);
		exit(1);
	}
	if (strcmp(takes, "some") == 0 && strncmp(option, "-l", 2) != 0 && strncmp(option, "-ol", 3) != 0
		&& strncmp(option, "--", 2) != 0 && strcmp(option, "-?") != 0) {
		fputs("prog: Most RTS options are disabled. Link with -rtsopts to enable them.\n", stderr);
		exit(1);
	}
	if (strcmp(option, "-?") == 0)
		exit(help());
	if (strcmp(option, "--info") == 0)
		exit(info());
}

/* The options of the run-time system are taken out of the arguments; where the log goes. */
static const char *take_rts(int *argc, char **argv)
{
	static char given[1024];
	const char *log = NULL;
	int kept = 1;
	snprintf(given, sizeof given, "%s", built("GHCRTS", ""));
	for (char *option = strtok(given, " "); option; option = strtok(NULL, " ")) {
		look_at(option);
		if (strncmp(option, "-ol", 3) == 0)
			log = option + 3;
	}
	for (int i = 1, rts = 0; i < *argc; i++) {
		if (strcmp(argv[i], "+RTS") == 0)
			rts = 1;
		else if (rts && strcmp(argv[i], "-RTS") == 0)
			rts = 0;
		else if (rts) {
			look_at(argv[i]);
			if (strncmp(argv[i], "-ol", 3) == 0)
				log = argv[i] + 3;
		} else
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

static int run(char **command)
{
	int status = 1;
	pid_t pid = fork();
	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	size_t most = (size_t)-1;
	int status = 0, waits = 0, runs = 0;
	own_name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	const char *log = take_rts(&argc, argv);
	for (int c; (c = getopt(argc, argv, "+n:s:wxr")) != -1;) {
		switch (c) {
		case 'n': most = (size_t)atol(optarg); break;
		case 's': status = atoi(optarg); break;
		case 'w': waits = 1; break;
		case 'r': runs = 1; break;
		case 'x':
			if (fork() == 0)
				for (;;)
					pause();
			break;
		default: return 2;
		}
	}
	if (runs)
		return run(argv + optind);
	copy(argv[optind], log, most);
	if (waits)
		pause();
	return status;
}
