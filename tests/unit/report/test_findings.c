/* Each finding has a real log that raises it, and one that does not; what it says names its figure. */
#include "logs.h"
#include "report/figures.h"
#include "report/findings.h"

#include <stdio.h>

static const struct {
	enum finding_id id;
	const char *raised, *quiet; /* tests/logs/NAME.eventlog */
} logs[] = {
	{FINDING_DAMAGED, "9.10.3-messages-fsize", "9.10.3-messages"},
	{FINDING_GC_SHARE, "9.0.2-trouble-leak", "9.0.2-mixer-N2"},
	{FINDING_GC_PAUSES, "9.6.6-leaky-hT", "9.0.2-mixer-N2"},
	{FINDING_GC_SYNC, "9.0.2-trouble-late", "9.0.2-trouble-leak"},
	{FINDING_GC_MINOR, "9.0.2-trouble-late", "9.0.2-trouble-sparks"},
	{FINDING_GC_BALANCE, "9.0.2-mixer-N4-full", "9.0.2-gcstorm-seqgc"},
	{FINDING_CAP_ALONE, "9.0.2-trouble-late", "9.0.2-mixer-N2"},
	{FINDING_SPARKS_LOST, "9.0.2-trouble-sparks", "9.0.2-mixer-N2"},
	{FINDING_SPARKS_FIZZLED, "9.10.3-sparkler-N2-sampled", "9.0.2-trouble-late"},
	{FINDING_SPARKS_DUD, "9.0.2-trouble-sparks", "9.0.2-mixer-N2"},
	{FINDING_SPARKS_GCD, "9.0.2-mixer-N2", "9.0.2-trouble-late"},
	{FINDING_HEAP_GROWS, "9.0.2-trouble-leak", "9.0.2-trouble-late"},
	{FINDING_THREADS_STUCK, "9.10.3-flush-interval-hung", "9.0.2-mixer-N2"},
	{FINDING_THREADS_LATENCY, "9.6.6-leaky-hT", "9.0.2-mixer-N2"},
	{FINDING_UNFINISHED, "9.10.3-idler-killed-flush", "9.0.2-mixer-N2"},
	{FINDING_NO_SCHED, "9.10.3-leaky-hi-live", "9.0.2-mixer-N2"},
	{FINDING_NO_GC, "9.10.3-conczoo-nothing", "9.0.2-mixer-N2"},
	{FINDING_NO_SPARKS, "9.10.3-conczoo-nothing", "9.0.2-mixer-N2"},
	{FINDING_NO_HEAP, "9.0.2-trouble-leak", "9.6.6-leaky-hT"},
};

static bool find(const char *name, enum finding_id id, struct finding *out)
{
	struct evl_log *log;
	struct figures f;
	struct findings findings;
	char path[128];
	bool found = false;
	snprintf(path, sizeof path, "tests/logs/%s.eventlog", name);
	assert_int_equal(evl_open(&log, path, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&findings, log, &f);
	for (size_t i = 0; i < findings.n; i++)
		if (findings.items[i].id == id) {
			*out = findings.items[i];
			found = true;
			assert_true(!out->has_place || (out->t >= f.from && out->t <= f.to));
		}
	figures_free(&f);
	evl_close(log);
	return found;
}

static void each_is_raised_by_a_log_and_not_by_another(void **state)
{
	bool seen[FINDING_IDS] = {false};
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct finding f, other;
		if (!find(logs[i].raised, logs[i].id, &f))
			fail_msg("%s does not raise %s", logs[i].raised, finding_name(logs[i].id));
		if (find(logs[i].quiet, logs[i].id, &other))
			fail_msg("%s raises %s: %s", logs[i].quiet, finding_name(logs[i].id), other.text);
		assert_true(strlen(f.text) > 20 && strlen(f.text) < FINDING_TEXT - 1);
		assert_null(strstr(f.text, "unknown"));
		seen[logs[i].id] = true;
	}
	for (int id = 0; id < FINDING_IDS; id++)
		if (!seen[id])
			fail_msg("no log for %s", finding_name((enum finding_id)id));
}

static void the_late_one_is_named(void **state)
{
	struct finding f;
	(void)state;
	assert_true(find("9.0.2-trouble-late", FINDING_GC_SYNC, &f));
	assert_non_null(strstr(f.text, "(spinner)"));
	assert_true(f.has_place && f.thread > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_raised_by_a_log_and_not_by_another),
		cmocka_unit_test(the_late_one_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
