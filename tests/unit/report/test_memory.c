/* Memory of small logs with very many capabilities: within the bound that docs/robustness.md names. */
#include "logs.h"

#include "report/figures.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool read_all(struct built *b)
{
	struct figures f;
	struct evl_log *log = walked(b);
	bool good = figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}) == 0;
	figures_free(&f);
	evl_close(log);
	return good;
}

/* Memory that the walk and all figures need at their peak, in KiB. */
static long kib_to_read(struct built *b)
{
	int ends[2];
	long kib = -1;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct rusage before, after;
		getrusage(RUSAGE_SELF, &before);
		bool good = read_all(b);
		getrusage(RUSAGE_SELF, &after);
		kib = after.ru_maxrss - before.ru_maxrss;
		_exit(!good || write(ends[1], &kib, sizeof kib) != sizeof kib);
	}
	assert_true(child > 0);
	close(ends[1]);
	assert_int_equal(read(ends[0], &kib, sizeof kib), sizeof kib);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ends[0]);
	return kib;
}

static struct built log_of(unsigned caps, unsigned rounds)
{
	struct built b = log_begin();
	for (unsigned i = 0; i < rounds * caps; i++) {
		unsigned cap = i % caps;
		block_begin(&b, (uint16_t)cap, 10 * i);
		put_run(&b, 10 * i + 1, cap + 1);
		put(&b, 10 * i + 5, EVL_STOP_THREAD, "424", cap + 1, 5u, 0u);
		block_end(&b, 10 * i + 9);
	}
	return b;
}

/* 24 MiB, 1 % of the log and 32 bytes per thread at most. */
static void thousands_of_capabilities_take_little_memory(void **state)
{
	(void)state;
	if (!memory_is_ours())
		skip();
	enum { CAPS = 4096, KIB = 1024 };
	for (unsigned rounds = 1; rounds <= 20; rounds += 19) {
		struct built b = log_of(CAPS, rounds);
		assert_in_range(kib_to_read(&b), 1, 24 * KIB + (b.len / 100 + 32 * CAPS) / KIB);
		free(b.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thousands_of_capabilities_take_little_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
