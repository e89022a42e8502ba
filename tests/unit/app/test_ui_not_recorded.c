/* The timeline of a log without scheduler events: what is not recorded is neither idle nor none; pauses are told of. */
#include "paned.h"

enum { MS = 1000000, LANES = 10 };

static struct built bytes;
static struct evl_log *log_;

/* 100 ms of two capabilities, with collections of 10 ms and 20 ms if `gcs`. */
static void begin(const char *flags, bool gcs)
{
	bytes = log_begin();
	block_begin(&bytes, EVL_NO_CAP, 0);
	put(&bytes, 1, EVL_CAPSET_CREATE, "42", 0u, 1u);
	put(&bytes, 2, EVL_PROGRAM_ARGS, "4s1s1s", 0u, "./prog", 0u, "+RTS", 0u, flags);
	block_end(&bytes, 100 * MS);
	for (uint16_t cap = 0; cap < 2; cap++) {
		block_begin(&bytes, cap, cap);
		put(&bytes, 3 + cap, EVL_USER_MARKER, "s", "begin");
		if (cap == 0 && gcs) {
			put_gc(&bytes, 10 * MS, 12 * MS, 20 * MS, 0);
			put_gc(&bytes, 0, 50 * MS, 70 * MS, 1);
		}
		put(&bytes, 100 * MS - 1, EVL_USER_MARKER, "s", "end");
		block_end(&bytes, 100 * MS);
	}
	log_end(&bytes);
	log_ = walked(&bytes);
	paned_open(log_, PANE_TIMELINE, 40, 160);
}

static void end(void)
{
	paned_close();
	done(log_, &bytes);
}

static void expect_message(enum action action, const char *text)
{
	uint64_t cursor = host.model.at.cursor;
	paned_key(action);
	assert_non_null(strstr(host.message, text));
	assert_int_equal(host.model.at.cursor, cursor);
}

static void a_log_of_collections(void **state)
{
	(void)state;
	begin("-l-s", true);
	assert_seen("main problem, costs 30.0% of the time: collections took 30.0 ms");
	assert_false(paned_has("of its active time"));
	assert_false(paned_has("stopped")); /* legend: lanes of capabilities have no colours */
	assert_false(paned_has("idle"));
	assert_seen("minor GC");
	expect_message(ACT_NEXT_IDLE, "idle periods: not recorded (+RTS -ls)");
	paned_key(ACT_NEXT_LONGEST);
	assert_int_equal(host.model.at.cursor, 50 * MS);
	assert_seen("cap 0  ");
	assert_seen("longest of 2 pauses: 20.0 ms");
	paned_key(ACT_TASKS); /* all lanes, also that of activity */
	for (int i = 0; i < LANES && !paned_has("what ran: not recorded (+RTS -ls); of 2 capabilities "); i++)
		paned_key(ACT_DOWN);
	assert_seen("what ran: not recorded (+RTS -ls); of 2 capabilities ");
	assert_seen(" collect, ");
	end();
}

static void a_log_of_neither(void **state)
{
	(void)state;
	begin("-l-s-g", false);
	assert_false(paned_has("0 GCs"));
	expect_message(ACT_NEXT_IDLE, "idle periods: not recorded (+RTS -ls)");
	expect_message(ACT_NEXT_GC, "GCs: not recorded (+RTS -lg)");
	expect_message(ACT_PREV_MAJOR, "major GCs: not recorded (+RTS -lg)");
	expect_message(ACT_NEXT_LONGEST, "pauses: not recorded (+RTS -lg)");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_log_of_collections), cmocka_unit_test(a_log_of_neither)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
