/* Programs that are run under the viewer: they end with it, however it ends, and it ends with their status. */
#include "logs.h"
#include "panes/program/child.h"
#include "panes/program/rts_probe.h"

#include <dirent.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOG "tests/logs/9.10.3-conczoo-thr-N2.eventlog"

static char prog[512], viewer[512], dir[] = "/tmp/evtui-test-XXXXXX";
static uint32_t seed = 7;

static uint32_t dice(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

/* Orphans become our children: soon there must be none. */
static void nobody_is_left(void)
{
	alarm(20);
	while (waitpid(-1, NULL, 0) > 0) {
	}
	alarm(0);
}

static void no_files_are_left(void)
{
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "evtui") != 0
			&& strncmp(e->d_name, "tsan.", 5) != 0) /* the sanitizer's, if it is killed as it starts */
			fail_msg("forgotten: %s", e->d_name);
	closedir(d);
}

/* --- child.h -------------------------------------------------------------------------------------------------------- */

static void what_it_logs_comes_through(void **state)
{
	struct child c;
	struct evl_err err;
	char *argv[] = {prog, "-n", "5000", "-s", "3", LOG, NULL}, bytes[8192];
	ssize_t n;
	size_t len = 0, printed;
	(void)state;
	assert_int_equal(child_start(&c, argv, PRESET_NONE, &err), 0);
	assert_true(c.flushes);
	assert_true(child_watch(&c, NULL, NULL));
	while ((n = read(c.log_fd, bytes + len, sizeof bytes - len)) > 0)
		len += (size_t)n;
	child_end(&c);
	assert_int_equal(len, 5000);
	assert_memory_equal(bytes, "hdrb", 4);
	assert_int_equal(c.status, 3);
	char *text = output_copy(&c.output, &printed);
	assert_true(printed > 0 && memmem(text, printed, "written: 5000\n", 14));
	free(text);
	close(c.log_fd);
	child_free(&c);
	nobody_is_left();
}

static void it_is_ended_with_all_it_began(void **state)
{
	struct child c;
	struct evl_err err;
	char *argv[] = {prog, "-w", "-x", LOG, NULL};
	(void)state;
	assert_int_equal(child_start(&c, argv, PRESET_NONE, &err), 0);
	assert_true(child_watch(&c, NULL, NULL));
	child_end(&c);
	assert_int_equal(c.status, 128 + SIGINT);
	close(c.log_fd);
	child_free(&c);
	nobody_is_left();
}

/* Signals that end the viewer, such as that of a terminal that hangs up, may reach its guard too. */
static void the_guard_outlives_the_viewer(void **state)
{
	static const int signals[] = {SIGHUP, SIGTERM, SIGINT, SIGQUIT};
	struct child c;
	struct evl_err err;
	char *argv[] = {prog, "-w", "-x", LOG, NULL};
	(void)state;
	assert_int_equal(child_start(&c, argv, PRESET_NONE, &err), 0);
	for (size_t i = 0; i < countof(signals); i++)
		assert_int_equal(kill(c.guard, signals[i]), 0);
	close(c.guard_fd); /* as the end of the viewer does */
	c.guard_fd = -1;
	nobody_is_left();
	close(c.log_fd);
	child_free(&c);
}

static void count_wake(void *ctx) { atomic_fetch_add((atomic_int *)ctx, 1); }

static double cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A script runs it: its log is read, and no process is left. */
static void a_child_of_a_script_is_found_and_ended(void **state)
{
	struct child c;
	struct evl_err err;
	char script[1024], command[] = "sh", option[] = "-c", *argv[] = {command, option, script, NULL}, bytes[8192];
	size_t len = 0;
	ssize_t n;
#ifdef PORTABLE
	print_message("skipped: a child of a script is found by ptrace\n");
	skip();
#endif
	(void)state;
	snprintf(script, sizeof script, "true; %s -n 5000 -w -x %s; true", prog, LOG);
	assert_int_equal(child_start(&c, argv, PRESET_NONE, &err), 0);
	assert_true(child_watch(&c, NULL, NULL));
	for (; len < 5000 && (n = read(c.log_fd, bytes + len, sizeof bytes - len)) > 0; len += (size_t)n) {
	}
	assert_int_equal(len, 5000);
	child_end(&c);
	child_free(&c);
	close(c.log_fd);
	nobody_is_left();
}

/* A program that prints without end gets a part of our time and is ended; one that escapes is not waited for. */
static void endless_output_costs_little(void **state)
{
	(void)state;
	struct child c;
	struct evl_err err;
	atomic_int wakes = 0;
	char *argv[] = {"tests/unit/panes/program/flood", NULL};
	double before = cpu_s();
	assert_int_equal(child_start(&c, argv, PRESET_NONE, &err), 0);
	assert_true(child_watch(&c, count_wake, &wakes));
	usleep(1500 * 1000);
	assert_true(cpu_s() - before < 0.375);
	assert_in_range(atomic_load(&wakes), 2, 20);
	alarm(5);
	child_end(&c);
	alarm(0);
	assert_true(c.output.lines > 1000); /* its reader has ended */
	child_free(&c);
	nobody_is_left();
}

static void what_cannot_be_run_is_said(void **state)
{
	struct child c;
	struct evl_err err;
	char *nothing[] = {"/no/such/program", NULL}, *text[] = {LOG, NULL};
	(void)state;
	assert_int_equal(child_start(&c, nothing, PRESET_NONE, &err), CHILD_NOT_FOUND);
	assert_non_null(strstr(err.text, "/no/such/program: "));
	assert_int_equal(child_start(&c, text, PRESET_NONE, &err), CHILD_NOT_RUN);
	nobody_is_left();
}

static void who_is_no_haskell_program_is_not_asked(void **state)
{
	static const struct {
		const char *printed, *why;
		bool said;
	} cases[] = {{"ok", "the program wrote none", false},
		{"evtui: true ran no Haskell program", "it ran no Haskell program", true},
		{"evtui: p: built without -eventlog", "see above", true},
		{"p: RTS options are disabled.", "-rtsopts", false}};
	bool said;
	(void)state;
	assert_false(rts_probe_all("true").haskell);
	assert_true(rts_probe_all(prog).flushes);
	for (size_t i = 0; i < countof(cases); i++) {
		const char *printed = cases[i].printed;
		assert_non_null(strstr(rts_probe_refusal(printed, strlen(printed), &said), cases[i].why));
		assert_int_equal(said, cases[i].said);
	}
}

/* --- output.h ------------------------------------------------------------------------------------------------------- */

static void lines_are_plain_text(void **state)
{
	struct output o;
	char rows[4][32], *lines[] = {rows[0], rows[1], rows[2], rows[3]};
	uint64_t all;
	(void)state;
	assert_true(output_init(&o));
	output_put(&o, "\x1b[1;31mred\x1b", 11);
	output_put(&o, "[0m\r\n\x1b]0;title\atwo\nthree", 25);
	assert_int_equal(output_lines(&o, 0, lines, 4, 32, &all), 3);
	assert_int_equal(all, 3);
	assert_string_equal(rows[0], "red");
	assert_string_equal(rows[1], "two");
	assert_string_equal(rows[2], "three");
	output_free(&o);
}

static void the_last_of_it_is_kept(void **state)
{
	struct output o;
	char row[32], *lines[] = {row}, line[32];
	uint64_t all;
	(void)state;
	assert_true(output_init(&o));
	for (int i = 0; i < 500000; i++)
		output_put(&o, line, (size_t)snprintf(line, sizeof line, "line %d\n", i));
	assert_true(o.dropped > 0);
	assert_int_equal(output_lines(&o, 499999, lines, 1, 32, &all), 1);
	assert_int_equal(all, 500000);
	assert_string_equal(row, "line 499999");
	output_free(&o);
}

/* --- the viewer ------------------------------------------------------------------------------------------------------ */

static pid_t run_viewer(int *terminal)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	pid_t pid = forkpty(terminal, NULL, NULL, &size);
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("TMPDIR", dir, 1);
		setenv("XDG_CONFIG_HOME", dir, 1);
		setenv("XDG_STATE_HOME", dir, 1);
		execl(viewer, "evtui", "--", prog, "-w", "-x", LOG, NULL);
		_exit(99);
	}
	assert_true(pid > 0);
	return pid;
}

enum { RESTS_MS = 50, FOR_EVER = -1 };

/* Read that many bytes of what it draws; it may have ended before, or draw less and rest. */
static void read_screen(int terminal, size_t most, int rests_ms)
{
	char bytes[512];
	ssize_t n = 1;
	struct pollfd more = {.fd = terminal, .events = POLLIN};
	for (size_t len = 0; len < most && n > 0 && poll(&more, 1, rests_ms) != 0; len += (size_t)n)
		n = read(terminal, bytes, most - len < sizeof bytes ? most - len : sizeof bytes);
}

/* At any moment, by any means: nothing is left of it. */
static void killing_the_viewer_leaves_nothing(void **state)
{
	static const int signals[] = {SIGKILL, SIGKILL, SIGTERM, SIGHUP, SIGINT};
	(void)state;
	for (int round = 0; round < 70; round++) {
		int terminal;
		pid_t pid = run_viewer(&terminal);
		read_screen(terminal, dice(6000), RESTS_MS);
		uint32_t how = dice(countof(signals) + 1);
		if (how < countof(signals))
			kill(pid, signals[how]);
		close(terminal); /* or hang up */
		nobody_is_left();
		no_files_are_left();
	}
}

/* The program that the viewer runs: its last child. */
static pid_t program_of(pid_t pid)
{
	char path[64];
	int child = 0;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *f = fopen(path, "r");
	while (f && fscanf(f, "%d", &child) == 1) {
	}
	if (f)
		fclose(f);
	return child;
}

/* At any moment: the viewer stays, q leaves it, with the status of the program. */
static void killing_the_program_ends_with_its_status(void **state)
{
	(void)state;
	for (int round = 0; round < 30; round++) {
		int terminal, status = 0;
		pid_t pid = run_viewer(&terminal), program;
		read_screen(terminal, 1, FOR_EVER);
		read_screen(terminal, dice(4000), RESTS_MS);
		assert_true((program = program_of(pid)) > 0);
		kill(program, SIGKILL);
		assert_int_equal(write(terminal, "q", 1), 1);
		read_screen(terminal, 1 << 20, FOR_EVER);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 128 + SIGKILL);
		close(terminal);
		nobody_is_left();
		no_files_are_left();
	}
}

static int begin(void **state)
{
	const char *b = getenv("B");
	(void)state;
	snprintf(prog, sizeof prog, "%s/prog", b ? b : "build/cc");
	snprintf(viewer, sizeof viewer, "%s/evtui", b ? b : "build/cc");
	signal(SIGINT, SIG_DFL); /* ignored by what a shell runs in the background */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	char inner[sizeof dir + 8];
	(void)state;
	snprintf(inner, sizeof inner, "%s/evtui", dir);
	rmdir(inner);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_logs_comes_through),
		cmocka_unit_test(a_child_of_a_script_is_found_and_ended),
		cmocka_unit_test(it_is_ended_with_all_it_began), cmocka_unit_test(the_guard_outlives_the_viewer),
		cmocka_unit_test(endless_output_costs_little), cmocka_unit_test(what_cannot_be_run_is_said),
		cmocka_unit_test(who_is_no_haskell_program_is_not_asked), cmocka_unit_test(lines_are_plain_text),
		cmocka_unit_test(the_last_of_it_is_kept), cmocka_unit_test(killing_the_viewer_leaves_nothing),
		cmocka_unit_test(killing_the_program_ends_with_its_status)};
	return cmocka_run_group_tests(tests, begin, end);
}
