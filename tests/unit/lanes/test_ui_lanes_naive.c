/* The data of lanes, column by column, against one plain walk over all events: on all real logs, at any zoom.
 * (Capabilities, threads and curves have separate tests: test_cap_shares, test_threads, test_curves.) */
#include "logs.h"
#include "state/plot.h"

#include <glob.h>

enum { ROUNDS = 14, MOST_COLS = 60 };

/* --- the walk: intervals and moments in the order of the file --- */

struct item {
	uint64_t from, to; /* a moment: to is from */
	uint64_t at;       /* a collection: its start after the request */
	uint64_t id;       /* a task */
	uint32_t kind;     /* generation + 1 (0: unknown), phase, capability */
};

struct items {
	struct item *items;
	size_t n, room;
};

enum list { COLLECTIONS, MARKERS, MESSAGES, PHASES, MOVES, RUNS, WORKS, GAPS, LISTS };

struct naive {
	struct items lists[LISTS];
	uint32_t oldest; /* generation */
	bool alone;      /* the log declares no statistics of collections, and has one capability: it leads them all */
};

static void add(struct naive *n, enum list list, struct item item)
{
	struct items *l = &n->lists[list];
	assert_true(GROW(l->items, l->n, l->room));
	l->items[l->n++] = item;
}

/* Open intervals of one chain. */
struct open {
	uint64_t request, start, phase_t, state_t;
	uint32_t gen, phase;
	bool requested, started, has_stats;
	struct cap_pos pos;
};

static void collection(struct naive *n, struct open *o, const struct frame *f)
{
	if (f->tag == EVL_REQUEST_SEQ_GC || f->tag == EVL_REQUEST_PAR_GC) {
		o->requested = true;
		o->request = f->t;
	} else if (f->tag == EVL_GC_START && !o->started) {
		o->started = true;
		o->start = f->t;
	} else if (f->tag == EVL_GC_STATS_GHC) {
		o->has_stats = true;
		o->gen = be16(f->payload.p + 4) + 1u;
	} else if (f->tag == EVL_GC_END || f->tag == EVL_RUN_THREAD) {
		uint64_t from = o->requested && o->request < o->start ? o->request : o->start;
		if (f->tag == EVL_GC_END && o->started && (o->has_stats || n->alone))
			add(n, COLLECTIONS, (struct item){.from = from, .at = o->start, .to = f->t, .kind = o->gen});
		o->started = o->has_stats = o->requested = false;
		o->gen = 0;
	}
}

/* One phase at a time: what begins twice has begun once, marking within a sync is a part of it. */
static void phase(struct naive *n, struct open *o, const struct frame *f)
{
	uint32_t kind = (f->tag - EVL_CONC_MARK_BEGIN) / 2u + 1;
	bool begins = (f->tag - EVL_CONC_MARK_BEGIN) % 2 == 0, in_sync = o->phase == NM_SYNC + 1 && kind == NM_MARK + 1;
	if (in_sync || (begins ? o->phase == kind : o->phase != kind))
		return;
	if (o->phase)
		add(n, PHASES, (struct item){.from = o->phase_t, .to = f->t, .kind = o->phase - 1});
	o->phase = begins ? kind : 0;
	o->phase_t = f->t;
}

static void state(struct naive *n, struct open *o, const struct frame *f)
{
	struct cap_pos was = o->pos;
	if (!cap_step(&o->pos, f->tag, f->t, f->payload.p) || was.state == CAP_IDLE)
		return;
	add(n, was.state == CAP_RUN ? RUNS : WORKS, (struct item){.from = was.since, .to = f->t});
}

static void take(struct naive *n, struct open *o, const struct frame *f)
{
	const uint8_t *p = f->payload.p;
	switch (f->tag) {
	case EVL_HEAP_INFO_GHC: n->oldest = be16(p + 4) - 1u; break;
	case EVL_USER_MARKER: add(n, MARKERS, (struct item){.from = f->t, .to = f->t}); break;
	case EVL_USER_MSG: add(n, MESSAGES, (struct item){.from = f->t, .to = f->t}); break;
	case EVL_TASK_CREATE: add(n, MOVES, (struct item){.from = f->t, .id = be64(p), .kind = be16(p + 8)}); break;
	case EVL_TASK_MIGRATE: add(n, MOVES, (struct item){.from = f->t, .id = be64(p), .kind = be16(p + 10)}); break;
	default: break;
	}
	if (f->tag >= EVL_CONC_MARK_BEGIN && f->tag <= EVL_CONC_SWEEP_END)
		phase(n, o, f);
	collection(n, o, f);
	state(n, o, f);
}

static void walk_chain(struct naive *n, const struct evl_log *log, const struct chain *chain)
{
	struct open o = {0};
	struct cursor c;
	struct frame f;
	const struct block *block;
	cursor_begin(&c, &log->blocks, chain, UINT64_MAX);
	while (cursor_next(&c, &f, &block))
		if (event_readable(&log->header, &f))
			take(n, &o, &f);
	for (struct block a = chain->first, b = a; blocks_next_of(&log->blocks, &b); a = b)
		if (a.head && b.head && b.t >= a.end_t + GAPS_LEAST_NS)
			add(n, GAPS, (struct item){.from = a.end_t, .to = b.t});
	if (o.phase) /* never ended, as far as the log tells */
		add(n, PHASES, (struct item){.from = o.phase_t, .to = UINT64_MAX, .kind = o.phase - 1});
	if (o.pos.state != CAP_IDLE)
		add(n, o.pos.state == CAP_RUN ? RUNS : WORKS, (struct item){.from = o.pos.since, .to = UINT64_MAX});
}

/* --- what a column should hold --- */

static uint64_t overlap(const struct item *x, uint64_t from, uint64_t to)
{
	return sub_or_0(min_u64(x->to, to), max_u64(x->from, from));
}

static uint64_t sum(const struct naive *n, enum list list, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < n->lists[list].n; i++)
		ns += overlap(&n->lists[list].items[i], from, to);
	return ns;
}

/* How many begin in [from, to); *first: the earliest. */
static size_t begins(const struct naive *n, enum list list, uint64_t from, uint64_t to, uint64_t *first)
{
	size_t count = 0;
	*first = UINT64_MAX;
	for (size_t i = 0; i < n->lists[list].n; i++) {
		const struct item *x = &n->lists[list].items[i];
		if (x->from < from || x->from >= to)
			continue;
		*first = min_u64(*first, x->from);
		count++;
	}
	return count;
}

/* --- one column of each lane --- */

struct column {
	const struct naive *naive;
	struct plot *plot;
	int i;
	uint64_t from, to;
};

static void gc_lane(const struct column *c)
{
	struct gc_sum want = {0}, got = c->plot->gc[c->i];
	for (size_t i = 0; i < c->naive->lists[COLLECTIONS].n; i++) {
		const struct item *x = &c->naive->lists[COLLECTIONS].items[i];
		struct item work = {.from = x->at, .to = x->to}, wait = {.from = x->from, .to = x->at};
		bool major = x->kind > c->naive->oldest, touches = x->from < c->to && x->to > c->from;
		want.n += x->at >= c->from && x->at < c->to;
		want.longest = touches ? max_u64(want.longest, x->to - x->from) : want.longest;
		*(major ? &want.major_ns : &want.minor_ns) += overlap(&work, c->from, c->to);
		want.sync_ns += overlap(&wait, c->from, c->to);
		want.major = want.major || (touches && major);
		want.minor = want.minor || (touches && !major);
	}
	assert_int_equal(got.n, want.n);
	assert_int_equal(got.longest, want.longest);
	assert_int_equal(got.major_ns, want.major_ns);
	assert_int_equal(got.minor_ns, want.minor_ns);
	assert_int_equal(got.sync_ns, want.sync_ns);
	assert_int_equal(got.major, want.major);
	assert_int_equal(got.minor, want.minor);
}

static void markers_lane(const struct column *c)
{
	struct point row = {.t = UINT64_MAX};
	uint64_t first;
	size_t n = begins(c->naive, MARKERS, c->from, c->to, &first);
	assert_int_equal(points_in(&c->plot->model->log->markers, c->from, c->to, &row), n);
	assert_int_equal(row.t, first);
}

static void messages_lane(const struct column *c)
{
	const struct message_column *got = &plot_messages(c->plot)[c->i];
	uint64_t first, off = MESSAGES_STRIDE * c->plot->model->log->blocks.n_chains;
	size_t n = begins(c->naive, MESSAGES, c->from, c->to, &first);
	if (got->exact && got->n)
		assert_int_equal(got->t, first);
	assert_true(got->exact ? got->n == n : got->n <= n + 2 * off && n <= got->n + 2 * off);
}

static void nonmoving_lane(const struct column *c)
{
	const struct nm_column *got = &plot_nonmoving(c->plot)[c->i];
	uint64_t ns[NM_KINDS] = {0};
	size_t n[NM_KINDS] = {0};
	for (size_t i = 0; i < c->naive->lists[PHASES].n; i++) {
		const struct item *x = &c->naive->lists[PHASES].items[i];
		ns[x->kind] += overlap(x, c->from, c->to);
		n[x->kind] += x->from < c->to && (x->to > c->from || x->from >= c->from);
	}
	assert_memory_equal(got->ns, ns, sizeof ns);
	assert_memory_equal(got->n, n, sizeof n);
}

/* The sum of a list in [from, to), as far as that lies in the column. */
static uint64_t sum_in(const struct column *c, enum list list, uint64_t from, uint64_t to)
{
	from = max_u64(from, c->from);
	to = min_u64(to, c->to);
	return from < to ? sum(c->naive, list, from, to) : 0;
}

/* Each capability runs, collects, or is held by the sync or the collection that the others are in. */
static void activity_lane(const struct column *c)
{
	size_t a_group = c->plot->n_caps > PLOT_GROUPS / 2 ? (c->plot->n_caps + 7) / 8 : 0; /* one by one, or groups */
	const struct plot_group *got = &plot_busy(c->plot, a_group)[c->i];
	uint64_t sync = 0, collect = 0, held = 0;
	if (!got->known)
		return;
	assert_int_equal(got->ns[SHARE_RUN], sum(c->naive, RUNS, c->from, c->to));
	for (size_t i = 0; i < c->plot->n_caps; i++)
		if (!plot_cap(c->plot, i)[c->i].exact)
			return;
	for (size_t i = 0; i < c->naive->lists[COLLECTIONS].n; i++) {
		const struct item *x = &c->naive->lists[COLLECTIONS].items[i];
		struct item work = {.from = x->at, .to = x->to}, wait = {.from = x->from, .to = x->at};
		uint64_t works = sum_in(c, WORKS, x->at, x->to);
		sync += got->alive * overlap(&wait, c->from, c->to) - sum_in(c, RUNS, x->from, x->at);
		held += got->alive * overlap(&work, c->from, c->to) - sum_in(c, RUNS, x->at, x->to) - works;
		collect += works;
	}
	assert_int_equal(got->ns[SHARE_SYNC], sync);
	assert_int_equal(got->ns[SHARE_STOPPED], held);
	assert_int_equal(got->ns[SHARE_MINOR] + got->ns[SHARE_MAJOR] + got->ns[SHARE_WAIT], collect);
}

static void gaps_lane(const struct column *c)
{
	const struct plot_gap *got = &plot_gaps(c->plot)[c->i];
	uint64_t longest = 0;
	size_t n = 0;
	for (size_t i = 0; i < c->naive->lists[GAPS].n; i++) {
		const struct item *x = &c->naive->lists[GAPS].items[i];
		bool touches = x->from < c->to && x->to > c->from;
		n += touches;
		longest = touches ? max_u64(longest, x->to - x->from) : longest;
	}
	assert_int_equal(got->n, n);
	assert_int_equal(got->longest, longest);
}

/* Where each task is at the end of the column: what its last event before that said. */
static void tasks_lane(const struct column *c)
{
	const struct tasks *tasks = &c->plot->model->log->tasks;
	for (size_t k = 0; k < tasks_count(tasks); k++) {
		const struct task *task = tasks_at(tasks, k);
		struct task_column got = tasks_column(task, c->from, c->to);
		uint64_t died = task->died ? task->died : UINT64_MAX;
		size_t moves = 0;
		uint32_t cap = UINT32_MAX;
		for (size_t i = 0; i < c->naive->lists[MOVES].n; i++) {
			const struct item *x = &c->naive->lists[MOVES].items[i];
			bool ours = x->id == task->id && x->from >= task->born && x->from < min_u64(c->to, died);
			moves += ours && x->from > c->from && x->from > task->born;
			cap = ours ? x->kind : cap;
		}
		assert_int_equal(got.alive, task->born < c->to && died > c->from);
		if (!got.alive || !task->born)
			continue;
		assert_int_equal(got.to, task->roams ? TASK_NO_CAP : cap);
		assert_int_equal(got.moves, moves);
	}
}

static void spans_lane(const struct column *c)
{
	const struct span_table *table = spans_table(&c->plot->model->log->spans);
	for (int row = 0; table && row < table->n_rows; row++) {
		struct span_sum got = spans_in(table, row, c->from, c->to), want = {0};
		for (size_t i = 0; i < table->rows[row].n; i++) {
			const struct span *s = &table->rows[row].items[i];
			bool inside = s->start >= c->from && s->start < c->to,
			     on = s->start < c->from && s->end > c->from;
			want.n += inside || on;
			want.ns += sub_or_0(min_u64(s->end, c->to), max_u64(s->start, c->from));
			want.first = (inside || on) && !want.first ? s : want.first;
		}
		assert_int_equal(got.n, want.n);
		assert_int_equal(got.ns, want.ns);
		assert_ptr_equal(got.first, want.first);
	}
}

static const struct {
	const char *name;
	void (*check)(const struct column *c);
} lanes[] = {{"GC pause", gc_lane}, {"markers", markers_lane}, {"messages", messages_lane},
	{"nonmoving", nonmoving_lane}, {"activity", activity_lane}, {"log writes", gaps_lane}, {"tasks", tasks_lane},
	{"spans", spans_lane}};

/* --- all logs --- */

static uint64_t seed = 7;
static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return below ? (seed >> 11) % below : 0;
}

static void check_window(const struct naive *naive, struct plot *plot, struct model *m, int round)
{
	uint64_t run = m->last - m->first, width = max_u64(run >> any(12), 64);
	model_set_cols(m, 1 + (int)any(MOST_COLS));
	if (round)
		model_fit(m, m->first + any(run), m->first + any(run) + width, 0);
	assert_true(plot_update(plot, m));
	for (int i = 0; i < m->cols; i++) {
		struct column c = {naive, plot, i, model_edge(m, i), model_edge(m, i + 1)};
		for (size_t k = 0; k < countof(lanes); k++)
			lanes[k].check(&c);
	}
}

static void check_log(struct evl_log *log, size_t *seen)
{
	struct naive naive = {.oldest = 1, .alone = !header_find(&log->header, EVL_GC_STATS_GHC) && log->n_caps == 1};
	struct plot plot = {0};
	struct model m;
	for (size_t i = 0; i < log->blocks.n_chains; i++)
		walk_chain(&naive, log, &log->blocks.chains[i]);
	model_init(&m, log);
	for (int round = 0; m.ranged && round < ROUNDS; round++)
		check_window(&naive, &plot, &m, round);
	plot_free(&plot);
	for (int i = 0; i < LISTS; i++) {
		seen[i] += naive.lists[i].n;
		free(naive.lists[i].items);
	}
}

static void columns_are_those_of_a_naive_walk(void **unused)
{
	glob_t found;
	size_t seen[LISTS] = {0};
	(void)unused;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &found), 0);
	assert_int_equal(glob("assets/*.eventlog", GLOB_APPEND, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct evl_log *log;
		struct evl_err err;
		assert_int_equal(evl_open(&log, found.gl_pathv[i], &err), 0);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		print_message("%s\n", found.gl_pathv[i]); /* which one it was, when it fails */
		check_log(log, seen);
		evl_close(log);
	}
	globfree(&found);
	for (int i = 0; i < GAPS; i++) /* there is something to compare, of every kind */
		if (!seen[i])
			fail_msg("list %d is empty in all logs", i);
}

/* Disks were fast where those logs were written. Here blocks of two capabilities are flushed for up to 4 ms. */
static void gaps_of_a_slow_disk(void **unused)
{
	enum { BLOCKS = 120 };
	struct built b = log_begin();
	size_t seen[LISTS] = {0};
	(void)unused;
	for (uint16_t cap = 0; cap < 2; cap++) {
		uint64_t t = 1000;
		for (unsigned i = 0; i < BLOCKS; i++, t += any(4000000)) {
			block_begin(&b, cap, t);
			put_run(&b, t + 10, i + 1);
			put_stop(&b, t += 20 + any(100000), i + 1, 3);
			block_end(&b, t);
		}
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	check_log(log, seen);
	assert_true(seen[GAPS] > BLOCKS && seen[GAPS] < 2 * BLOCKS);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_those_of_a_naive_walk),
		cmocka_unit_test(gaps_of_a_slow_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
