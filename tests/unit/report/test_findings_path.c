/* The critical path and the threads that woke others: metrics by label; metrics of the path; sums by kind; and findings about it:
 * raised in the logs of the tests, whole and cut, where slow code that follows the path says so, with its stake, thread and
 * place. Given files, it looks at these instead. */
#include "base/units.h"
#include "each_log.h"
#include "report/findings.h"
#include "report/named.h"
#include "slow_path.h"
#include "table/lists.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_NS = 5000000 };

static uint64_t raised[FINDING_IDS], seen, measured, unrecorded;

/* Return the thread that ran last, and the end of that run; 0: none ran. */
static uint32_t last_runner(const struct slow *s, uint64_t *end)
{
	uint32_t who = 0;
	*end = 0;
	for (size_t i = 0; i < s->n_past; i++) {
		if (s->past[i].state != THREAD_RUNNING || s->past[i].b <= *end)
			continue;
		*end = s->past[i].b;
		who = s->past[i].thread;
	}
	return who;
}

/* Follow the path of a whole log: that of the main thread to its end; if it has none, that of the thread that ran last. */
static void follow(const struct slow *s, struct slow_path *p)
{
	uint32_t who = main_thread(s);
	*p = (struct slow_path){.from = s->first, .to = who ? s->lives[who].ended : 0};
	if (!p->to)
		who = last_runner(s, &p->to);
	if (who && p->to > p->from)
		slow_make(s, p, who);
}

/* The pauses of a log. */
struct pauses {
	uint64_t from[1 << 16], to[1 << 16];
	size_t n;
};

static bool add_pause(void *ctx, const struct gc_row *gc)
{
	struct pauses *all = ctx;
	assert_true(all->n < countof(all->from));
	all->from[all->n] = gc_requested(gc);
	all->to[all->n++] = gc_end(gc);
	return true;
}

static int by_length(const void *a, const void *b)
{
	const struct path_segment *x = a, *y = b;
	return (y->to - y->from > x->to - x->from) - (y->to - y->from < x->to - x->from);
}

/* The time of pauses in those of the longest segments that are foreign calls. */
static uint64_t paused_abroad(const struct evl_log *log, const struct slow_path *p)
{
	static struct pauses all;
	struct path_segment *longest = malloc((p->n + 1) * sizeof *longest);
	uint64_t ns = 0;
	assert_non_null(longest);
	all.n = 0;
	gcs_each(&log->gcs, 0, UINT64_MAX, add_pause, &all);
	if (p->n)
		memcpy(longest, p->segments, p->n * sizeof *longest);
	qsort(longest, p->n, sizeof *longest, by_length);
	for (size_t i = 0; i < p->n && i < PATH_SEGMENTS; i++)
		for (size_t k = 0; k < all.n && longest[i].what == PATH_FOREIGN; k++)
			ns += sub_or_0(min_u64(all.to[k], longest[i].to), max_u64(all.from[k], longest[i].from));
	free(longest);
	return ns;
}

/* More than so large a part of `whole` is of the kinds from `what` to `last`. */
static void expect_kinds(const struct evl_log *log, const char *name, const struct findings *found,
	const struct slow_path *p, enum finding_id id, enum path_what what, enum path_what last, double part,
	uint64_t whole)
{
	static uint64_t by[MOST_THREADS];
	const struct finding *got = NULL;
	uint64_t ns = 0, longest = 0;
	uint32_t most = 0;
	memset(by, 0, sizeof by);
	for (size_t i = 0; i < p->n; i++) {
		const struct path_segment *x = &p->segments[i];
		if (x->what < what || x->what > last)
			continue;
		ns += x->to - x->from;
		by[x->thread] += x->to - x->from;
		most = by[x->thread] > by[most] ? x->thread : most;
	}
	for (size_t i = 0; i < found->n; i++)
		got = found->items[i].id == id ? &found->items[i] : got;
	ns -= what == PATH_FOREIGN ? paused_abroad(log, p) : 0;
	bool is = (double)ns > part * (double)whole && ns >= LEAST_NS;
	if (is != (got != NULL))
		fail_msg("%s: %s is %sraised: %llu of %llu ns", name, finding_name(id), got ? "" : "not ",
			(unsigned long long)ns, (unsigned long long)whole);
	raised[id] += is;
	if (!is)
		return;
	if (got->stake_kind != STAKE_NS || got->stake != ns || by[got->thread] != by[most])
		fail_msg("%s: %s: %llu at stake, thread %u; not %llu, %u", name, finding_name(id),
			(unsigned long long)got->stake, got->thread, (unsigned long long)ns, most);
	bool there = false;
	for (size_t i = 0; i < p->n; i++)
		if (p->segments[i].what >= what && p->segments[i].what <= last && p->segments[i].thread == got->thread)
			longest = max_u64(longest, p->segments[i].to - p->segments[i].from);
	for (size_t i = 0; i < p->n; i++) {
		const struct path_segment *x = &p->segments[i];
		there = there
			|| (x->from == got->t && x->to - x->from == longest && x->what >= what && x->what <= last);
	}
	if (!got->has_place || !there)
		fail_msg("%s: %s is not at the longest one", name, finding_name(id));
	char time[64];
	snprintf(time, sizeof time, " took %s of the critical path", as_value(UNIT_NS, (double)ns));
	if (!strstr(got->text, time))
		fail_msg("%s: not %s: %s", name, time, got->text);
}

static void expect(const struct evl_log *log, const char *name, const struct findings *found, const struct slow_path *p,
	enum finding_id id, enum path_what what, double part, uint64_t whole)
{
	expect_kinds(log, name, found, p, id, what, what, part, whole);
}

/* Waits for timers, input or output, if timers do not take half of the path. */
static void expect_external(const struct evl_log *log, const char *name, const struct findings *found,
	const struct slow_path *p, uint64_t whole)
{
	bool bound = false;
	for (size_t i = 0; i < found->n; i++)
		bound = bound || found->items[i].id == FINDING_TIMER_BOUND;
	expect_kinds(log, name, found, p, FINDING_EXTERNAL_WAITS, PATH_TIMER, PATH_IO, bound ? 2 : 0.1, whole);
}

/* The metrics path.… say how much of each kind there is. */
static void expect_metrics(const char *name, const struct figures *f, const struct slow_path *p)
{
	static const struct {
		const char *of; /* path.OF, path.share.OF */
		enum path_what first, last;
	} parts[] = {{"run", PATH_RUN, PATH_RUN}, {"gc", PATH_GC, PATH_GC}, {"sync", PATH_SYNC, PATH_SYNC},
		{"runnable", PATH_RUNNABLE, PATH_RUNNABLE}, {"foreign", PATH_FOREIGN, PATH_FOREIGN},
		{"external", PATH_TIMER, PATH_EXTERNAL}, {"unknown", PATH_UNKNOWN, PATH_UNKNOWN}};
	double total = (double)(p->to - p->from), sum = 0;
	for (size_t i = 0; i < countof(parts); i++) {
		char time[64], share[64];
		uint64_t ns = 0;
		for (size_t k = 0; k < p->n; k++)
			if (p->segments[k].what >= parts[i].first && p->segments[k].what <= parts[i].last)
				ns += p->segments[k].to - p->segments[k].from;
		snprintf(time, sizeof time, "path.%s", parts[i].of);
		snprintf(share, sizeof share, "path.share.%s", parts[i].of);
		double is = f->values[metric_find(str_of(time))], part = f->values[metric_find(str_of(share))];
		if (!f->has_gc && (parts[i].first == PATH_GC || parts[i].first == PATH_SYNC)) { /* not recorded */
			assert_true(ns == 0 && isnan(is) && isnan(part));
			unrecorded++;
			continue;
		}
		if (!(is >= (double)ns && is <= (double)ns) || !(fabs(part * total - (double)ns) < 1e-6 * total))
			fail_msg("%s: %s is %f (%f of %f), not %llu", name, time, is, part, total,
				(unsigned long long)ns);
		sum += is;
	}
	assert_true(fabs(sum - total) < 1 && fabs(f->values[METRIC_PATH_TOTAL] - total) < 1);
	assert_int_equal(f->values[METRIC_PATH_HOPS], p->hops);
	measured++;
}

/* Is the name this label, of threads without one "(no label)", after `before`? */
static bool is_named(struct evl_str name, const char *before, const struct evl_log *log, uint32_t thread)
{
	struct evl_str label = evl_label(log, thread);
	size_t skip = strlen(before);
	label = label.len ? label : EVL_STR("(no label)");
	return name.len == skip + label.len && memcmp(name.p, before, skip) == 0
		&& memcmp(name.p + skip, label.p, label.len) == 0;
}

/* The time of the path by label: each row is the sum over all segments, and the rows add up to the path. */
static void expect_path_labels(const struct evl_log *log, const struct named_list *l, const struct slow_path *p)
{
	enum { TOTAL, RUN, UNKNOWN = 7 };
	uint64_t all = 0;
	for (size_t i = 0; i < l->n; i++) {
		const double *v = named_values(l, i);
		uint64_t total = 0, run = 0, unknown = 0;
		for (size_t k = 0; k < p->n; k++) {
			const struct path_segment *x = &p->segments[k];
			if (!is_named(named_name(l, i), "", log, x->thread))
				continue;
			total += x->to - x->from;
			run += x->what == PATH_RUN ? x->to - x->from : 0;
			unknown += x->what == PATH_UNKNOWN ? x->to - x->from : 0;
		}
		assert_int_equal(v[TOTAL], total);
		assert_int_equal(v[RUN], run);
		assert_int_equal(v[UNKNOWN], unknown);
		all += total;
	}
	assert_int_equal(all, p->n ? p->to - p->from : 0);
}

/* The waits by reason and label of the waker: each row is the sum over all stretches, and the rows add up to all waits. */
static void expect_wakers(const struct evl_log *log, const struct named_list *l, const struct slow *s)
{
	enum { TOTAL, N };
	uint64_t all = 0;
	for (size_t k = 0; k < s->n_past; k++)
		all += s->past[k].state == THREAD_BLOCKED ? s->past[k].b - s->past[k].a : 0;
	for (size_t i = 0; i < l->n; i++) {
		const double *v = named_values(l, i);
		struct evl_str name = named_name(l, i);
		uint64_t n = 0, ns = 0;
		for (size_t k = 0; k < s->n_past; k++) {
			const struct slow_stretch *x = &s->past[k];
			char reason[64], unknown[96];
			if (x->state != THREAD_BLOCKED)
				continue;
			snprintf(reason, sizeof reason, "%s.", thread_block_name(x->stop));
			snprintf(unknown, sizeof unknown, "%s(unknown)", reason);
			if (x->by ? !is_named(name, reason, log, x->by) : !str_is(name, unknown))
				continue;
			n++;
			ns += x->b - x->a;
		}
		assert_int_equal(v[TOTAL], ns);
		assert_int_equal(v[N], n);
		all -= ns;
	}
	assert_int_equal(all, 0);
}

/* s: of a whole log; NULL: only the path. */
static void expect_named(
	const struct evl_log *log, const struct figures *f, const struct slow *s, const struct slow_path *p)
{
	struct named named;
	assert_int_equal(named_make(&named, log, f, 1u << NAMED_WAKERS | 1u << NAMED_PATHS, NULL), 0);
	if (s)
		expect_wakers(log, &named.groups[NAMED_WAKERS], s);
	expect_path_labels(log, &named.groups[NAMED_PATHS], p);
	named_free(&named);
}

/* The path of a range ends with the main thread, if it is known, or the one that ran last in the log, in any state. */
static void compare_range(const struct evl_log *log, const char *name, const struct slow *s, uint64_t from, uint64_t to)
{
	struct figures f;
	struct findings found;
	struct slow_path p = {.from = from, .to = to};
	uint32_t who = main_thread(s) ?: last_runner(s, &(uint64_t){0});
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to, .deep = true}), 0);
	findings_make(&found, log, &f);
	if (who) {
		slow_make(s, &p, who);
		expect_metrics(name, &f, &p);
		expect_named(log, &f, NULL, &p);
	}
	expect(log, name, &found, &p, FINDING_FOREIGN_BLOCKING, PATH_FOREIGN, 0.25, to - from);
	expect(log, name, &found, &p, FINDING_TIMER_BOUND, PATH_TIMER, 0.5, to - from);
	expect_external(log, name, &found, &p, to - from);
	seen++;
	free(p.segments);
	figures_free(&f);
}

/* Above the list of a path its time is summed up by kind, most first. */
static void expect_sums(const struct evl_log *log, const char *name, const struct slow_path *p)
{
	struct path_list list = {.of = {.log = log, .to = UINT64_MAX}};
	struct buf remark = {0};
	uint64_t ns[PATH_WHAT_COUNT] = {0}, total = 0, kinds = 0, shares = 0;
	for (size_t i = 0; i < p->n; i++) {
		ns[p->segments[i].what] += p->segments[i].to - p->segments[i].from;
		total += p->segments[i].to - p->segments[i].from;
	}
	assert_int_equal(path_list_kind.make(&list, true, NULL), 0);
	path_list_kind.remark(&list, &remark);
	buf_char(&remark, '\0');
	const char *text = (const char *)remark.p, *length = as_duration(total), *at;
	assert_memory_equal(text, length, strlen(length));
	text += strlen(length);
	char of_run[64] = "";
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	if (total < last - first)
		snprintf(of_run, sizeof of_run, " (%s of the run)", as_share((double)total / (double)(last - first)));
	assert_memory_equal(text, of_run, strlen(of_run));
	text += strlen(of_run) + (total ? 2 : 0); /* ": " */
	at = text;
	for (uint64_t most; at; kinds++) {
		char part[64];
		int what = 0;
		for (int i = 0; i < PATH_WHAT_COUNT; i++)
			what = ns[i] > ns[what] ? i : what;
		most = ns[what];
		ns[what] = 0;
		if (!most)
			break;
		snprintf(part, sizeof part, "%s%s %s", kinds ? ", " : "", path_what_name((enum path_what)what),
			as_share((double)most / (double)total));
		at = strstr(at, part);
		at = at && (kinds || at == text) ? at + strlen(part) : NULL;
	}
	char pauses[64] = "";
	uint64_t paused = paused_abroad(log, p);
	if (paused)
		snprintf(pauses, sizeof pauses, " (foreign call; %s in GC pauses)",
			as_share((double)paused / (double)total));
	if (!strstr(text, pauses))
		fail_msg("%s: not \"%s\" in: %s", name, pauses, text);
	for (const char *c = text; *c && strncmp(c, "; ends with", 11) != 0; c++)
		shares += *c == '%';
	kinds += paused > 0;
	if (!at || shares != kinds)
		fail_msg("%s: %llu kinds in: %s", name, (unsigned long long)kinds, text);
	path_list_kind.unmake(&list);
	buf_free(&remark);
}

/* The whole log, and two parts of it. */
static void compare(const struct evl_log *log, const char *name)
{
	static struct slow s;
	struct figures f;
	struct findings found;
	struct slow_path p = {0};
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&found, log, &f);
	slow_read(&s, log);
	if (s.n)
		follow(&s, &p);
	if (p.n)
		expect_metrics(name, &f, &p);
	else
		assert_true(!(f.values[METRIC_PATH_TOTAL] > 0));
	if (p.n)
		expect_sums(log, name, &p);
	expect_named(log, &f, &s, &p);
	expect(log, name, &found, &p, FINDING_FOREIGN_BLOCKING, PATH_FOREIGN, 0.25, s.last - s.first);
	expect(log, name, &found, &p, FINDING_TIMER_BOUND, PATH_TIMER, 0.5, p.to - p.from);
	expect_external(log, name, &found, &p, s.last - s.first);
	seen++;
	for (unsigned i = 0; s.n && s.last - s.first > 4 && i < 2; i++)
		compare_range(log, name, &s, s.first + (s.last - s.first) / 4 * (i + 1),
			s.first + (s.last - s.first) / 4 * (i + 2));
	free(p.segments);
	slow_free(&s);
	figures_free(&f);
}

static char **given; /* files */

static void real_logs(void **state)
{
	(void)state;
	each_log_of(given, compare);
	print_message("of %d: %d with a path, foreign-blocking %d, timer-bound %d\n", (int)seen, (int)measured,
		(int)raised[FINDING_FOREIGN_BLOCKING], (int)raised[FINDING_TIMER_BOUND]);
	assert_true(*given || (raised[FINDING_TIMER_BOUND] && raised[FINDING_EXTERNAL_WAITS] && unrecorded));
}

/* Thread 1 waits for thread 2, which waits for a timer and then longer for a read; before that it waits for thread 3, which waits
 * for another timer, longer than thread 2 did. */
static void timers_and_reads(void **state)
{
	enum { MS = 1000000 };
	struct built b = log_begin();
	uint64_t before = raised[FINDING_TIMER_BOUND];
	(void)state;
	block_begin(&b, 0, 0);
	put(&b, 1, EVL_THREAD_LABEL, "4s", 1u, "main");
	for (unsigned thread = 1; thread <= 3; thread++) {
		put_run(&b, 100 * thread, thread);
		put_stop(&b, 100 * thread + 50, thread, thread == 3 ? STOP_DELAY : STOP_MVAR);
	}
	put_run(&b, 12 * MS, 3);
	put(&b, 12 * MS + 10, EVL_THREAD_WAKEUP, "42", 2u, 0u);
	put_stop(&b, 12 * MS + 20, 3, STOP_FINISHED);
	put_run(&b, 12 * MS + 30, 2);
	put_stop(&b, 12 * MS + 40, 2, STOP_DELAY);
	put_run(&b, 18 * MS, 2);
	put_stop(&b, 18 * MS + 10, 2, STOP_READ);
	put_run(&b, 26 * MS, 2);
	put(&b, 26 * MS + 10, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_stop(&b, 26 * MS + 20, 2, STOP_FINISHED);
	put_run(&b, 26 * MS + 30, 1);
	put_stop(&b, 26 * MS + 40, 1, STOP_FINISHED);
	block_end(&b, 26 * MS + 50);
	log_end(&b);
	struct evl_log *log = walked(&b);
	compare(log, "timers and reads");
	assert_int_equal(raised[FINDING_TIMER_BOUND] - before, 1);
	done(log, &b);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(timers_and_reads)};
	given = argv + (argc > 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
