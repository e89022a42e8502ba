#include "term/runner.h"

#include "sys/retry.h"
#include "sys/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
	uint32_t job, len;
};

/* One in a process, as there is one terminal. */
static int runner = -1;
static bool is_runner;
static struct sigaction former[2];
static const int ignored[2] = {SIGINT, SIGQUIT}; /* meant for who has the terminal */

static bool read_whole(int fd, void *bytes, size_t len)
{
	for (size_t n = 0; n < len;) {
		ssize_t got = read_again(fd, (char *)bytes + n, len - n);
		if (got <= 0)
			return false;
		n += (size_t)got;
	}
	return true;
}

/* Return false if the requester has ended or can no longer be trusted. */
static bool serve(int fd, runner_do *const jobs[RUNNER_JOBS])
{
	struct request r;
	if (!read_whole(fd, &r, sizeof r) || r.job >= RUNNER_JOBS || r.len > RUNNER_MOST)
		return false;
	char *data = malloc(r.len + 1);
	bool good = data && read_whole(fd, data, r.len);
	int32_t answer = good ? jobs[r.job](data, r.len) : -1;
	free(data);
	return good && write_all(fd, &answer, sizeof answer);
}

/* Close standard input, so that its writer notices that it has no reader. */
static void let_go_of_input(void)
{
	int nothing = isatty(STDIN_FILENO) ? -1 : open_again("/dev/null", O_RDONLY | O_CLOEXEC, 0);
	if (nothing < 0)
		return;
	dup2(nothing, STDIN_FILENO);
	close(nothing);
}

bool runner_start(runner_do *const jobs[RUNNER_JOBS])
{
	int ends[2];
	if (runner >= 0 || sys_socket_pair(ends))
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		is_runner = true;
		close(ends[0]);
		let_go_of_input();
		for (size_t i = 0; i < 2; i++)
			sigaction(ignored[i], &(struct sigaction){.sa_handler = SIG_IGN}, &former[i]);
		while (serve(ends[1], jobs))
			;
		_exit(0);
	}
	int why = errno;
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	else
		runner = ends[0];
	errno = why;
	return pid > 0;
}

bool runner_runs(void) { return runner >= 0; }

int runner_ask(enum runner_job job, const void *data, size_t len)
{
	struct request r = {.job = job, .len = (uint32_t)len};
	int32_t answer;
	if (runner < 0 || len > RUNNER_MOST)
		return -1;
	if (write_all(runner, &r, sizeof r) && write_all(runner, data, len)
		&& read_whole(runner, &answer, sizeof answer))
		return answer;
	close(runner);
	runner = -1;
	return -1;
}

void runner_child(void)
{
	for (size_t i = 0; i < 2 && is_runner; i++)
		sigaction(ignored[i], &former[i], NULL);
}
