/* Line 2 and the findings, where the log is read to its end between any two questions of a frame. Calls of evl_progress
 * come through here. */
#include "paned.h"

#include <math.h>
#include <pthread.h>

static pthread_t drawing;
static unsigned asked, ready_at; /* questions of the drawing thread; those before are told that the log is being read */

struct evl_progress __real_evl_progress(const struct evl_log *log);
struct evl_progress __wrap_evl_progress(const struct evl_log *log);

struct evl_progress __wrap_evl_progress(const struct evl_log *log)
{
	struct evl_progress p = __real_evl_progress(log);
	if (pthread_equal(pthread_self(), drawing))
		p.done = p.done && asked++ >= ready_at;
	return p;
}

static void draw_frames(struct evl_log *log, unsigned questions)
{
	asked = 0;
	ready_at = questions;
	paned_open(log, PANE_TIMELINE, 40, 120);
}

static void the_end_may_come_at_any_moment(void **state)
{
	struct evl_log *log = walked_file("tests/logs/9.0.2-nonmover-lgn.eventlog");
	(void)state;
	drawing = pthread_self();
	draw_frames(log, 0);
	const double busy = host.caps_busy;
	const size_t warnings = host.warnings, findings = host.findings;
	assert_true(busy > 0);
	assert_true(findings > 0);
	paned_close();
	unsigned n = 0;
	for (bool came = true; came; n++) {
		draw_frames(log, n);
		came = asked > n;
		paned_draw(); /* all later questions are told the end */
		if (came && !(fabs(host.caps_busy - busy) < 1e-9))
			fail_msg("read after %u questions: caps busy %g, not %g", n, host.caps_busy, busy);
		assert_true(!came || (host.warnings == warnings && host.findings == findings));
		paned_close();
	}
	assert_true(n > 20);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_may_come_at_any_moment)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
