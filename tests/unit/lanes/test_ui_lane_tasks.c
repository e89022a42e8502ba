/* The lanes of OS threads say what slow code finds that takes all events in order of time: alone on a capability, a task did what
 * that did; of several, all are idle if the capability is, and else the log does not say which ran. */
#include "lanes/lanes.h"
#include "slow_threads.h"
#include "state/plot.h"

#include <stdio.h>

enum { COLS = 30, WINDOWS = 30, WIDE = 200 };

/* The time of a task from one event to the next. */
struct stay {
	uint64_t from, to, os;
	unsigned cap; /* UNKNOWN: it may have moved without a logged move */
	size_t task;
};
enum { UNKNOWN = 0xffff };

struct stays {
	struct stay *items;
	size_t n, room, tasks;
};

static uint64_t seed = 3;
static uint64_t alone_seen, idle_seen, shared_seen, moved_seen, unknown_seen;

static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return below ? (seed >> 11) % below : 0;
}

static void read_stays(struct stays *out, const struct slow *s)
{
	struct at_work {
		uint64_t id, since, os;
		unsigned cap;
		size_t task;
	} now[64];
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = &s->events[i].f;
		bool creates = f->tag == EVL_TASK_CREATE, moves = f->tag == EVL_TASK_MIGRATE;
		size_t k = 0;
		if (!creates && !moves && f->tag != EVL_TASK_DELETE)
			continue;
		while (k < n && now[k].id != be64(f->payload.p))
			k++;
		if (k < n) {
			struct stay stay = {now[k].since, f->t, now[k].os, now[k].cap, now[k].task};
			assert_true(!creates && GROW(out->items, out->n, out->room));
			out->items[out->n++] = stay;
		} else {
			assert_true(creates && n < countof(now));
			now[n++] = (struct at_work){
				.id = be64(f->payload.p), .os = be64(f->payload.p + 10), .task = out->tasks++};
		}
		now[k].since = f->t;
		now[k].cap = be16(f->payload.p + (creates ? 8 : 10));
		if (f->tag == EVL_TASK_DELETE)
			now[k] = now[--n];
	}
	for (size_t k = 0; k < n; k++) {
		assert_true(GROW(out->items, out->n, out->room));
		out->items[out->n++] = (struct stay){now[k].since, UINT64_MAX, now[k].os, now[k].cap, now[k].task};
	}
}

/* With threads that migrate, OS threads go along that create a thread before another takes over the capability, or that
 * moved at all; and a move from elsewhere tells of one that is not logged. */
static void forget_unlogged(struct stays *all, const struct slow *s)
{
	bool migrates = false, roams[256] = {false};
	unsigned on[256];
	size_t task = 0;
	for (size_t i = 0; i < s->n; i++)
		migrates = migrates || s->events[i].f.tag == EVL_MIGRATE_THREAD;
	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = &s->events[i].f;
		if (f->tag != EVL_TASK_CREATE)
			continue;
		assert_true(task < countof(roams));
		on[task] = be16(f->payload.p + 8);
		bool worker = false;
		for (size_t k = i + 1; k < s->n && !worker && !roams[task]; k++) {
			const struct frame *next = &s->events[k].f;
			worker = (next->tag == EVL_TASK_CREATE && be16(next->payload.p + 8) == on[task])
				|| (s->events[k].cap == (int)on[task] && next->tag != EVL_CREATE_THREAD);
			roams[task] = migrates && s->events[k].cap == (int)on[task] && next->tag == EVL_CREATE_THREAD;
		}
		roams[task] = roams[task] || (migrates && !worker);
		for (size_t k = i + 1; k < s->n; k++) {
			const struct frame *next = &s->events[k].f;
			if (next->tag < EVL_TASK_CREATE || next->tag > EVL_TASK_DELETE
				|| be64(next->payload.p) != be64(f->payload.p))
				continue;
			if (next->tag != EVL_TASK_MIGRATE)
				break;
			roams[task] = roams[task] || migrates || be16(next->payload.p + 8) != on[task];
			on[task] = be16(next->payload.p + 10);
		}
		task++;
	}
	for (size_t i = 0; i < all->n; i++)
		all->items[i].cap = roams[all->items[i].task] ? UNKNOWN : all->items[i].cap;
}

static bool touches(const struct stay *x, uint64_t from, uint64_t to)
{
	return x->from < to && x->to > from && x->to > x->from;
}

static size_t tasks_on(const struct stays *all, unsigned cap, uint64_t from, uint64_t to)
{
	bool seen[256] = {false};
	size_t n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct stay *x = &all->items[i];
		assert_true(x->task < countof(seen));
		if ((x->cap != cap && x->cap != UNKNOWN) || !touches(x, from, to) || seen[x->task])
			continue;
		seen[x->task] = true;
		n++;
	}
	return n;
}

static uint64_t run_on(const struct slow *s, unsigned cap, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < s->list.n; i++) {
		const struct stretch *x = &s->list.items[i];
		if (x->state == THREAD_RUNNING && x->cap == cap)
			ns += sub_or_0(min_u64(x->to, to), max_u64(x->since, from));
	}
	return ns;
}

static void expect_cell(const char *name, const struct slow *s, const struct stays *all, struct plot *plot,
	const struct lane *lane, uint64_t os, int i)
{
	struct canvas c = {.ascii = true};
	uint64_t from = model_edge(plot->model, i), to = model_edge(plot->model, i + 1);
	size_t moves = 0;
	const struct stay *last = NULL;
	char row[WIDE + 1], share[TEXT_ROOM + 16], shared[64];
	for (size_t k = 0; k < all->n; k++) {
		const struct stay *x = &all->items[k];
		if (x->os != os || !touches(x, from, to))
			continue;
		moves += last && x->cap != UNKNOWN && last->cap != UNKNOWN
			&& (x->cap != last->cap || x->task == last->task);
		last = x;
	}
	assert_int_equal(canvas_resize(&c, 1, WIDE), 0);
	lane_tasks.inspect_column(lane, plot, i, &(struct line){.c = &c, .end = WIDE, .bg = ST_PAGE});
	for (int x = 0; x < WIDE; x++)
		row[x] = (char)(canvas_at(&c, 0, x)->ch & 0x7f);
	row[WIDE] = '\0';
	canvas_free(&c);
	size_t n = last && !moves ? tasks_on(all, last->cap, from, to) : 0;
	uint64_t run = n ? run_on(s, last->cap, from, to) : 0;
	snprintf(share, sizeof share, "  run %s", as_share((double)run / (double)(to - from)));
	snprintf(shared, sizeof shared, "one of the tasks on cap %u, which did:", last ? last->cap : 0);
	bool told = strstr(row, share) != NULL, is_shared = strstr(row, shared) != NULL;
	if (last && last->cap == UNKNOWN) {
		if (!strstr(row, "on which cap is not known") || strstr(row, "  run "))
			fail_msg("%s: task %llu in [%llu, %llu), unknown: %s", name, (unsigned long long)os,
				(unsigned long long)from, (unsigned long long)to, row);
		unknown_seen++;
		return;
	}
	bool right = n == 0 ? !last || !strstr(row, "  run ")
		: n == 1
		? told && !is_shared
		: told && (is_shared || strstr(row, "idle 100.0%")); /* all are idle, or which ran is not known */
	right = right && (n < 2 || run == 0 || is_shared);
	if (!right)
		fail_msg("%s: task %llu in [%llu, %llu) with %zu tasks, %zu moves, %s: %s", name,
			(unsigned long long)os, (unsigned long long)from, (unsigned long long)to, n, moves, share, row);
	alone_seen += n == 1 && run;
	idle_seen += n > 1 && !is_shared;
	shared_seen += is_shared;
	moved_seen += moves > 0;
}

static void compare(struct evl_log *log, const char *name)
{
	static struct slow s;
	struct stays all = {0};
	struct plot plot = {0};
	struct model m;
	memset(&s, 0, sizeof s);
	slow_read(&s, log);
	read_stays(&all, &s);
	forget_unlogged(&all, &s);
	model_init(&m, log);
	for (int i = 0; i < WINDOWS; i++) {
		uint64_t run = m.last - m.first, from = m.first + any(run);
		model_set_cols(&m, 1 + (int)any(COLS));
		if (i)
			model_fit(&m, from, from + max_u64(run >> any(12), 64), 0);
		assert_true(plot_update(&plot, &m));
		for (size_t k = 0; k < tasks_threads(&log->tasks); k++) {
			struct lane lane = {.ops = &lane_tasks, .index = (unsigned)k, .rows = 1};
			uint64_t os = tasks_of_thread(&log->tasks, k)->os_thread;
			for (int col = 0; col < m.cols; col++)
				expect_cell(name, &s, &all, &plot, &lane, os, col);
		}
	}
	plot_free(&plot);
	free(all.items);
	slow_free(&s);
}

static void real_logs(void **state)
{
	static const char *const names[] = {"tests/logs/9.6.6-boundherd.eventlog",
		"tests/logs/9.10.3-conczoo-thr-N2.eventlog", "tests/logs/9.10.3-capdance-N4.eventlog"};
	(void)state;
	for (size_t i = 0; i < countof(names); i++) {
		struct evl_log *log = walked_file(names[i]);
		compare(log, names[i]);
		evl_close(log);
	}
	assert_true(shared_seen > 0 && unknown_seen > 0);
}

/* Tasks of five OS threads, which come and go, and move between three capabilities that run threads now and then. */
static void random_logs(void **state)
{
	enum { CAPS = 3, TASKS = 5, STEPS = 150, END = 100000 };
	(void)state;
	for (int round = 0; round < 10; round++) {
		struct built b = log_begin();
		bool there[TASKS] = {false};
		unsigned on[TASKS] = {0};
		uint64_t t = 100;
		block_begin(&b, EVL_NO_CAP, t);
		for (int i = 0; i < STEPS; i++) {
			unsigned k = (unsigned)any(TASKS);
			unsigned to = (on[k] + 1U + (unsigned)any(CAPS - 1)) % CAPS;
			t += any(END / STEPS);
			bool ends = there[k] && any(4) == 0;
			if (!there[k])
				put(&b, t, EVL_TASK_CREATE, "828", (uint64_t)k + 1, to, (uint64_t)4711 + k);
			else if (ends)
				put(&b, t, EVL_TASK_DELETE, "8", (uint64_t)k + 1);
			else
				put(&b, t, EVL_TASK_MIGRATE, "822", (uint64_t)k + 1, on[k], to);
			there[k] = !ends;
			on[k] = to;
		}
		block_end(&b, END);
		for (unsigned cap = 0; cap < CAPS; cap++) {
			block_begin(&b, (uint16_t)cap, 100);
			for (t = 100 + any(END / 4); t < END; t += any(END / 4)) {
				put_run(&b, t, cap + 1);
				t += any(END / 8);
				put_stop(&b, t, cap + 1, STOP_YIELD);
			}
			put_run(&b, 2 * END, cap + 1);
			put_stop(&b, 2 * END, cap + 1, STOP_YIELD);
			block_end(&b, 2 * END);
		}
		log_end(&b);
		struct evl_log *log = walked(&b);
		compare(log, "a random log");
		done(log, &b);
	}
	assert_true(alone_seen > 0 && idle_seen > 0 && moved_seen > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(random_logs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
