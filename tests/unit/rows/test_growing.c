/* The index of a growing log that goes on from the index of its first part, against that of the same bytes indexed at once:
 * the tables, byte for byte, and all answers. */
#include "log/growing.h"

#include "all_answers.h"
#include "everything.h"
#include "log/log_image.h"

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static bool put_bytes(void *buf, const void *bytes, size_t n)
{
	buf_put(buf, bytes, n);
	return true;
}

/* A table as the cache of indexes would keep it. */
static struct buf table_of(struct evl_log *log, int section)
{
	struct buf out = {0};
	struct image im;
	image_save(&im, put_bytes, &out);
	log_image(&im, log, (enum log_section)section);
	assert_false(im.bad);
	return out;
}

static const char *section_name(int section)
{
	static const char *const names[] = {"BLOCKS", "TILES",
#define TABLE(section, type, member, init, image) #section,
#include "log/log_tables.def"
		"FIGURES", "PROGRAM"};
	return names[section];
}

/* Their rows depend on where the parts of the log end. */
static bool is_cut(int section)
{
	return section == LOG_SECTION_BUSY || section == LOG_SECTION_MESSAGES || section == LOG_SECTION_PROF
		|| section == LOG_SECTION_CALLS;
}

static void compare_answers(struct evl_log *got, struct evl_log *want)
{
	struct buf a = all_of(got), b = all_of(want);
	if (a.len != b.len || memcmp(a.p, b.p, a.len) != 0)
		fail_msg("other answers in %llu bytes", (unsigned long long)want->source.len);
	buf_free(&a);
	buf_free(&b);
}

static void compare_tables(struct evl_log *got, struct evl_log *want)
{
	for (int section = 0; section <= LOG_SECTION_PROGRAM; section++) {
		struct buf a = table_of(got, section), b = table_of(want, section);
		if (!is_cut(section) && (a.len != b.len || memcmp(a.p, b.p, a.len) != 0))
			fail_msg("%s differs in %llu bytes", section_name(section),
				(unsigned long long)want->source.len);
		buf_free(&a);
		buf_free(&b);
	}
	assert_int_equal(evl_progress(got).events, evl_progress(want).events);
	assert_int_equal(got->busy.run_ns, want->busy.run_ns);
	assert_memory_equal(&got->busy.all, &want->busy.all, sizeof want->busy.all);
	assert_memory_equal(&got->busy.pause, &want->busy.pause, sizeof want->busy.pause);
	assert_memory_equal(&got->busy.gc, &want->busy.gc, sizeof want->busy.gc);
	assert_memory_equal(&got->busy.delays.rests, &want->busy.delays.rests, sizeof want->busy.delays.rests);
	assert_int_equal(got->busy.delays.thread_ns, want->busy.delays.thread_ns);
	assert_int_equal(got->busy.delays.wakeup_ns, want->busy.delays.wakeup_ns);
}

/* They are in any order. */
static int by_thread(const void *a, const void *b) { return memcmp(a, b, sizeof(struct thread_titled)); }

static void wake(void *ctx) { (void)ctx; }

/* Index the first bytes of the log, going on from g. The bytes move, as those of a file that is mapped again do. */
static struct evl_log *snapshot(struct growing *g, const struct built *b, size_t len, int workers)
{
	struct evl_log *log;
	uint8_t *bytes = malloc(len);
	assert_non_null(bytes);
	memcpy(bytes, b->data, len);
	assert_int_equal(evl_open_memory(&log, bytes, len, NULL), 0);
	evl_use_threads(log, workers);
	if (g)
		growing_use(g, log);
	assert_int_equal(evl_start(log, wake, NULL), 0); /* spans are shown before the end */
	assert_int_equal(evl_wait(log), 0);
	if (log->threads.titled)
		qsort(log->threads.titled, log->threads.n_titled, sizeof *log->threads.titled, by_thread);
	return log;
}

static void drop(struct evl_log *log)
{
	const uint8_t *bytes = log->source.data;
	evl_close(log);
	free((void *)(uintptr_t)bytes);
}

/* --- logs --------------------------------------------------------------------------------------------------------------- */

enum { FEW = 4, CAPS = 90, STEPS = 20, BLOCKS = 12 };

/* The capabilities of a log in the making. */
static struct world {
	uint64_t t[CAPS + 1];
	unsigned running[CAPS], threads;
	unsigned idle;   /* no thread runs on capabilities from this one on, after the first */
	unsigned sample; /* parts of a heap sample that are to come */
} world;

static void put_odd_event(struct built *b, uint64_t t, unsigned cap)
{
	unsigned thread = world.running[cap] ? world.running[cap] : below(60) + 1;
	switch (below(14)) {
	case 0: put(b, t, EVL_USER_MSG, "s", below(2) ? "START work" : "STOP work"); break;
	case 1: put(b, t, EVL_USER_MARKER, "s", "here"); break;
	case 2: put(b, t, EVL_HEAP_ALLOCATED, "48", 0u, t * 8); break;
	case 3: put(b, t, EVL_HEAP_LIVE, "48", 0u, (uint64_t)below(1 << 20)); break;
	case 4: put(b, t, EVL_HEAP_SIZE, "48", 0u, (uint64_t)below(1 << 20)); break;
	case 5:
		put(b, t, EVL_SPARK_COUNTERS, "8888888", t / 3, t / 9, t / 20, t / 30, t, t / 7, (uint64_t)below(9));
		break;
	case 6: put(b, t, EVL_SPARK_CREATE, ""); break;
	case 7: put(b, t, EVL_SPARK_RUN, ""); break;
	case 8: put(b, t, EVL_CREATE_THREAD, "4", ++world.threads); break;
	case 9: put(b, t, EVL_THREAD_LABEL, "4s", thread, below(3) ? "worker" : "main"); break;
	case 10: put(b, t, EVL_THREAD_WAKEUP, "42", thread, below(FEW)); break;
	case 11: put(b, t, EVL_USER_MSG, "s", "a message"); break;
	case 12: put(b, t, EVL_PROF_SAMPLE_COST_CENTRE, "481444", 0u, t / 100, 2u, below(9), below(9)); break;
	default: put(b, t, EVL_CONC_UPD_REM_SET_FLUSH, "2", cap); break;
	}
}

static void put_step(struct built *b, unsigned cap)
{
	uint64_t t = world.t[cap] += 1 + below(300);
	unsigned *running = &world.running[cap];
	unsigned what = cap < world.idle ? below(10) : 6 + below(4);
	if (what < 3) {
		*running = below(60) + 1;
		put_run(b, t, *running);
	} else if (what < 6 && *running) {
		put_stop(b, t, *running, below(12));
		*running = 0;
	} else if (what == 6) {
		put_gc(b, t, t + 5, t + 20, below(2));
		world.t[cap] += 30;
		*running = 0;
	} else {
		put_odd_event(b, t, cap);
	}
}

/* A block of the buffer of no capability: some of a heap sample, an event of a task, a phase of the nonmoving collector. */
static void put_global(struct built *b, uint64_t t)
{
	if (below(2) && world.sample == 0) {
		put_samples(b, t, below(1 << 20));
	} else if (world.sample == 0) {
		put(b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		world.sample = below(4) + 1;
	} else if (--world.sample) {
		put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)below(1 << 20), "Main.Node", 0u);
	} else {
		put(b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	put(b, t + 2, EVL_TASK_MIGRATE, "822", (uint64_t)77, 0u, below(FEW));
	put(b, t + 3, below(2) ? EVL_CONC_MARK_BEGIN : EVL_CONC_SWEEP_BEGIN, "");
	put(b, t + 5, EVL_CONC_SWEEP_END, "");
}

static void put_block(struct built *b, unsigned caps)
{
	unsigned cap = below(4 * caps + 1) / 4;
	uint64_t *t = &world.t[cap < caps ? cap : CAPS];
	for (unsigned i = 0; i < CAPS + 1; i++)
		*t = *t + 400 < world.t[i] && below(3) ? world.t[i] - 200 : *t;
	block_begin(b, (uint16_t)(cap < caps ? cap : EVL_NO_CAP), *t);
	if (cap < caps)
		for (unsigned n = 1 + below(below(4) ? 12 : 200); n--;)
			put_step(b, cap);
	else
		put_global(b, *t += 10);
	*t += 10;
	block_end(b, *t);
	if (below(8) == 0) { /* an empty one */
		block_begin(b, (uint16_t)(cap < caps ? cap : EVL_NO_CAP), *t);
		block_end(b, *t += 5);
	}
}

static struct built begin_log(unsigned caps)
{
	struct built b = log_begin();
	world = (struct world){.idle = CAPS};
	put_definitions(&b);
	for (unsigned i = 0; i <= CAPS; i++)
		world.t[i] = 20;
	for (unsigned cap = 0; cap < caps; cap++) {
		block_begin(&b, (uint16_t)cap, 20);
		put_run(&b, 21, cap + 1);
		world.running[cap] = cap + 1;
		block_end(&b, 22);
	}
	return b;
}

/* --- tests -------------------------------------------------------------------------------------------------------------- */

/* A log in the making, the index of its settled part, and the latest snapshot. */
struct grown {
	struct built b;
	struct growing *g;
	struct evl_log *last;
	unsigned caps, went_on;
};

static struct grown grown_begin(unsigned caps)
{
	struct grown w = {.b = begin_log(caps), .g = growing_new(), .caps = caps};
	assert_non_null(w.g);
	return w;
}

static void grown_free(struct grown *w)
{
	growing_free(w->g);
	drop(w->last); /* does not need it */
	free(w->b.data);
}

/* Compare a snapshot of the first bytes with those bytes indexed at once. The last one is still shown meanwhile. */
static void look(struct grown *w, size_t len, int workers, bool answers)
{
	struct evl_log *got = snapshot(w->g, &w->b, len, workers), *want = snapshot(NULL, &w->b, len, workers);
	compare_tables(got, want);
	if (answers)
		compare_answers(got, want);
	w->went_on += got->grows && growing_index_state(growing_index_of(w->g)) == GROWING_USED;
	if (w->last)
		drop(w->last);
	w->last = got;
	drop(want);
}

/* In random steps; each third snapshot is cut inside a block. */
static void grow(struct grown *w, unsigned steps, int workers)
{
	for (unsigned step = 1; step <= steps; step++) {
		for (unsigned n = below(BLOCKS); n--;)
			put_block(&w->b, w->caps);
		look(w, step % 3 ? w->b.len : w->b.len - below(40), workers, step % 16 == 0);
	}
}

static void as_at_once(void **state)
{
	(void)state;
	for (unsigned i = 1; i <= 7; i++) {
		seed = i;
		struct grown w = grown_begin(1 + i % FEW);
		world.idle = i % 3 ? CAPS : 1;
		grow(&w, STEPS, 1 + (i % 3 == 0));
		assert_int_equal(w.went_on, STEPS);
		grown_free(&w);
	}
}

/* A capability that comes later: the index starts again, and goes on from there. */
static void more_capabilities(void **state)
{
	(void)state;
	seed = 99;
	struct grown w = grown_begin(1);
	grow(&w, 10, 1);
	assert_int_equal(w.went_on, 10);
	w.caps = FEW;
	grow(&w, 20, 1);
	w.went_on = 0;
	grow(&w, 10, 1);
	assert_int_equal(w.went_on, 10);
	grown_free(&w);
}

/* Damage: after it, each snapshot is indexed from its start. */
static void damaged(void **state)
{
	(void)state;
	for (unsigned i = 1; i <= 8; i++) {
		seed = 1000 + i;
		struct grown w = grown_begin(2);
		grow(&w, 6, 1);
		size_t from = w.b.len;
		grow(&w, 1, 1);
		for (unsigned n = 5; n-- && from < w.b.len;)
			w.b.data[from + below((unsigned)(w.b.len - from))] ^= 0x55;
		/* what was taken in already is as it was */
		growing_free(w.g);
		w.g = growing_new();
		grow(&w, 6, 1);
		for (unsigned n = 6; n--;) { /* found by the first walk */
			growing_free(w.g);
			w.g = growing_new();
			grow(&w, 1, 1 + n % 2);
		}
		grown_free(&w);
	}
}

/* A block inside another: the log is read in another way, also by snapshots that do not read that block again. */
static void block_inside(void **state)
{
	(void)state;
	seed = 5;
	struct grown w = grown_begin(2);
	grow(&w, 4, 1);
	block_begin(&w.b, 0, world.t[0]);
	put_step(&w.b, 0);
	put(&w.b, world.t[0], EVL_BLOCK_MARKER, "482", 24u + 12u, world.t[0] + 40, 1u);
	put_run(&w.b, world.t[0] += 20, 7);
	block_end(&w.b, world.t[0] += 30);
	grow(&w, 8, 1);
	assert_true(w.last->reads_inside);
	grown_free(&w);
}

/* Rows past the first chunks, levels of curves, pages of threads. */
static void longer(void **state)
{
	(void)state;
	seed = 7;
	struct grown w = grown_begin(3);
	for (unsigned step = 0; step < 4; step++) {
		for (unsigned n = 1500; n--;)
			put_block(&w.b, w.caps);
		look(&w, w.b.len, 2, step == 3);
	}
	assert_int_equal(w.went_on, 4);
	grown_free(&w);
}

/* More capabilities than a row of small blocks has bits. */
static void many_capabilities(void **state)
{
	(void)state;
	seed = 17;
	struct grown w = grown_begin(CAPS);
	for (unsigned step = 0; step < 4; step++) {
		for (unsigned n = 400; n--;)
			put_block(&w.b, w.caps);
		look(&w, w.b.len, 1 + step % 2, false);
	}
	assert_int_equal(w.went_on, 4);
	assert_true(w.last->blocks.n_list > 100);
	grown_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_at_once),
		cmocka_unit_test(more_capabilities),
		cmocka_unit_test(damaged),
		cmocka_unit_test(block_inside),
		cmocka_unit_test(longer),
		cmocka_unit_test(many_capabilities),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
