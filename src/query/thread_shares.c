#include "query/thread_shares.h"

#include "base/gallop.h"
#include "gc/gc_pauses.h"
#include "query/sched_events.h"
#include "query/thread_find.h"
#include "sys/clock.h"

#include <stdlib.h>

enum {
	INDEX_FIRST = 1024,
	CHECK_EVERY = 1 << 14, /* events between looks at the clock */
	TELL_EVERY_MS = 200,
};

struct scan {
	struct thread_shares *out;
	const struct evl_log *log;
	const struct thread_shares_ask *ask;
	uint64_t *edges; /* of columns: cols + 1 */
	uint64_t *lead;  /* of single threads: since when their state is known; UINT64_MAX: never */
	struct thread_feeds feeds;
	struct gc_pauses pauses;
	uint64_t *paused_before; /* time in pauses before each edge */
	uint64_t t, paused;      /* time of the event that is being taken; time in pauses before it */
	uint64_t known_t;        /* all events before it are indexed: in all of the log, if the walk came to its end */
	uint64_t from;           /* events before it were taken earlier */
	uint64_t paused_from;    /* time in pauses before it */
	bool keeps;              /* threads without a lane, too: a label may give them one later */
};

/* --- the threads met so far --- */

static size_t slot_of(const struct thread_shares *s, uint32_t thread)
{
	size_t i = (thread * 2654435761u) & (s->index_room - 1);
	while (s->index[i] && s->sums[s->index[i] - 1].thread != thread)
		i = (i + 1) & (s->index_room - 1);
	return i;
}

/* Keep the hash at most half full. When memory is out it stays as it is, and takes no more. */
static bool grow_index(struct thread_shares *s)
{
	if (s->n_sums * 2 < s->index_room)
		return true;
	size_t room = s->index_room ? 2 * s->index_room : INDEX_FIRST;
	uint32_t *index = calloc(room, sizeof *index);
	if (!index)
		return false;
	free(s->index);
	s->index = index;
	s->index_room = room;
	for (size_t i = 0; i < s->n_sums; i++)
		index[slot_of(s, s->sums[i].thread)] = (uint32_t)i + 1;
	return true;
}

/* A new thread; NULL past the ceiling or when memory is out. */
static struct thread_sum *add(struct thread_shares *s, uint32_t thread)
{
	if (s->n_sums >= SCAN_THREADS || !grow_index(s) || !GROW(s->sums, s->n_sums, s->sums_room))
		return NULL;
	struct thread_sum *sum = &s->sums[s->n_sums++];
	*sum = (struct thread_sum){
		.thread = thread, .lane = -1, .group = -1, .pos = {.cap = EVL_NO_CAP, .state = THREAD_UNKNOWN}};
	s->index[slot_of(s, thread)] = (uint32_t)s->n_sums;
	return sum;
}

struct thread_sum *thread_shares_find(const struct thread_shares *s, uint32_t thread)
{
	uint32_t place = s->index_room ? s->index[slot_of(s, thread)] : 0;
	return place ? &s->sums[place - 1] : NULL;
}

/* The column that time t in the window lies in. */
static int column_of(const struct scan *s, uint64_t t)
{
	BISECT(low, (size_t)s->ask->cols, s->edges[mid] <= t);
	return low ? (int)low - 1 : 0;
}

static uint64_t paused_at(const struct scan *s, uint64_t t)
{
	return t == s->t ? s->paused : s->paused_from + gc_pauses_before(&s->pauses, t);
}

/* Threads without a lane appear when something happens to them: their earlier state is unknown. */
static struct thread_sum *sum_for(struct scan *s, uint32_t thread, uint64_t t)
{
	struct thread_sum *known = thread_shares_find(s->out, thread);
	if (known)
		return known;
	int lane = s->ask->lane_of ? s->ask->lane_of(s->ask->ctx, thread) : -1;
	if (lane < 0 && !s->ask->sums && !s->keeps)
		return NULL;
	struct thread_sum *sum = add(s->out, thread);
	if (!sum) {
		s->out->others++;
		return NULL;
	}
	sum->lane = lane;
	sum->met = true;
	sum->at = max_u64(t, s->ask->t0);
	sum->paused = t > s->ask->t0 ? paused_at(s, t) : s->paused_before[0];
	sum->col = column_of(s, sum->at);
	return sum;
}

/* --- accounting --- */

/* paused: time in pauses before `end` (fill_columns: before `to`). */
static void fill_column(struct scan *s, const struct thread_sum *sum, int32_t lane, uint64_t end, uint64_t paused)
{
	struct thread_column *c = &s->out->columns[(size_t)lane * (size_t)s->ask->cols + (size_t)sum->col];
	enum thread_state state = (enum thread_state)sum->pos.state;
	c->ns[state] += end - sum->at;
	if (state == THREAD_RUNNABLE)
		c->paused_ns += paused - sum->paused;
	if (sum->at == s->edges[sum->col])
		c->first = (uint8_t)state;
	c->last = (uint8_t)state;
	if (state == THREAD_BLOCKED || state == THREAD_FOREIGN)
		c->stop = sum->pos.stop;
	if (state == THREAD_RUNNING) {
		c->cap = sum->pos.cap;
		c->caps |= 1ull << (c->cap & 63);
	}
}

static void fill_columns(struct scan *s, struct thread_sum *sum, uint64_t to, uint64_t paused)
{
	while (sum->at < to) {
		uint64_t edge = s->edges[sum->col + 1], end = min_u64(edge, to);
		uint64_t before = end == edge ? s->paused_before[sum->col + 1] : paused;
		fill_column(s, sum, sum->lane, end, before);
		if (sum->group >= 0)
			fill_column(s, sum, sum->group, end, before);
		sum->at = end;
		sum->paused = before;
		sum->col += end == edge && sum->col + 1 < s->ask->cols;
	}
}

/* The thread stays what it is until t. */
static void hold(struct scan *s, struct thread_sum *sum, uint64_t t)
{
	uint64_t to = min_u64(t, s->ask->t1);
	if (to <= sum->at)
		return;
	uint64_t paused = t < s->ask->t1 ? paused_at(s, t) : s->paused_before[s->ask->cols];
	if (sum->pos.state == THREAD_RUNNING)
		sum->run_ns += to - sum->at;
	else if (sum->pos.state == THREAD_RUNNABLE)
		sum->wait_ns += to - sum->at - (paused - sum->paused);
	sum->states |= 1u << sum->pos.state;
	if (sum->lane >= 0)
		fill_columns(s, sum, to, paused);
	sum->at = to;
	sum->paused = paused;
}

static void count_switch_in(struct scan *s, const struct thread_sum *sum, int32_t lane, uint64_t t, bool woken)
{
	struct thread_column *c = &s->out->columns[(size_t)lane * (size_t)s->ask->cols + (size_t)sum->col];
	c->switches++;
	c->wakeups += woken;
	c->split = t;
	c->last = sum->pos.state;
}

static void count_switch(struct scan *s, const struct thread_sum *sum, uint64_t t, bool woken)
{
	if (t < s->ask->t0 || sum->lane < 0)
		return;
	count_switch_in(s, sum, sum->lane, t, woken);
	if (sum->group >= 0)
		count_switch_in(s, sum, sum->group, t, woken);
}

/* A thread with its own lane counts in its group's lane from its first event, like the threads without one. */
static void join_group(struct scan *s, struct thread_sum *sum)
{
	if (!sum->met && s->ask->lane_of)
		sum->group = s->ask->lane_of(s->ask->ctx, sum->thread);
	sum->met = true;
}

static void take(struct scan *s, const struct thread_event *e, uint64_t t)
{
	struct thread_sum *sum = sum_for(s, e->thread, t);
	if (!sum)
		return;
	struct thread_event at_t = *e;
	at_t.t = t;
	hold(s, sum, t);
	join_group(s, sum);
	bool changed = thread_step(&sum->pos, &at_t), inside = t >= s->ask->t0, woken = e->tag == EVL_THREAD_WAKEUP;
	if (changed)
		count_switch(s, sum, t, woken);
	if (sum->pos.state != THREAD_UNKNOWN && sum->lane >= 0 && (size_t)sum->lane < s->ask->n_ids)
		s->lead[sum->lane] = min_u64(s->lead[sum->lane], t); /* the state before it is to be searched for */
	if (inside && changed && woken)
		sum->wakeups++;
	if (inside && e->tag == EVL_STOP_THREAD)
		sum->stops |= 1u << e->stop;
}

static void lose(struct scan *s, uint32_t thread, uint16_t cap, uint64_t t)
{
	struct thread_sum *sum = sum_for(s, thread, t);
	if (!sum)
		return;
	hold(s, sum, t);
	join_group(s, sum);
	if (thread_lost(&sum->pos, cap, t))
		count_switch(s, sum, t, false);
}

/* --- the pass --- */

/* Everything before t is accounted: columns that end there are final, as far as the log is indexed. */
static int settle(struct scan *s, uint64_t t)
{
	for (size_t i = 0; i < s->out->n_sums; i++)
		if (s->out->sums[i].lane >= 0)
			hold(s, &s->out->sums[i], t);
	int cols = t >= s->ask->t1 ? s->ask->cols : column_of(s, t);
	for (size_t lane = 0; lane < s->ask->n_ids + s->ask->n_lanes; lane++)
		for (int col = cols; col-- > 0;) {
			struct thread_column *c = &s->out->columns[lane * (size_t)s->ask->cols + (size_t)col];
			if (c->known)
				break;
			c->known = s->edges[col + 1] <= s->known_t;
		}
	return cols;
}

/* Take the events before `limit`. If it is cancelled, all of those before some time are taken, and none from then on. */
static int merge(struct scan *s, uint64_t limit)
{
	int64_t announced = clock_ms();
	bool stops = false;
	const struct sched_event *e;
	for (uint64_t n = 0; (e = thread_feeds_head(&s->feeds)) && e->t < limit; n++) {
		if (e->t < s->from) {
			thread_feeds_pop(&s->feeds);
			continue;
		}
		if (n % CHECK_EVERY == CHECK_EVERY - 1 || stops) {
			stops = is_cancelled(s->ask->cancel);
			if (stops && e->t > s->t)
				return EVL_CANCELLED;
			int64_t now = clock_ms();
			if (s->ask->progress && now - announced >= TELL_EVERY_MS && e->t > s->ask->t0) {
				s->ask->progress(s->ask->ctx, settle(s, e->t));
				announced = now;
			}
		}
		s->t = e->t;
		s->paused = s->paused_from + gc_pauses_before(&s->pauses, e->t);
		if (e->lost != FEED_NO_THREAD)
			lose(s, e->lost, e->is.cap, e->t);
		if (e->is.tag != EVL_GC_START)
			take(s, &e->is, e->t);
		thread_feeds_pop(&s->feeds);
	}
	return 0;
}

/* --- what was before --- */

/* The columns up to a thread's first event: unknown so far. */
static void fill_lead(struct scan *s, size_t lane, uint64_t until, const struct thread_pos *pos)
{
	enum thread_state state = (enum thread_state)pos->state;
	for (int col = 0; col < s->ask->cols && s->edges[col] < until; col++) {
		struct thread_column *c = &s->out->columns[lane * (size_t)s->ask->cols + (size_t)col];
		uint64_t ns = min_u64(min_u64(s->edges[col + 1], until) - s->edges[col], c->ns[THREAD_UNKNOWN]);
		c->ns[THREAD_UNKNOWN] -= ns;
		c->ns[state] += ns;
		if (state == THREAD_RUNNABLE)
			c->paused_ns += min_u64(
				ns, gc_pauses_within(&s->pauses, s->edges[col], min_u64(s->edges[col + 1], until)));
		c->first = (uint8_t)state;
		if (until >= s->edges[col + 1] && c->switches == 0)
			c->last = (uint8_t)state;
		if (state == THREAD_BLOCKED || state == THREAD_FOREIGN)
			c->stop = pos->stop;
	}
}

static void resolve(struct scan *s, size_t lane, const struct thread_last *last)
{
	struct thread_sum *sum = &s->out->sums[s->out->index[slot_of(s->out, last->thread)] - 1];
	const struct thread_row *row = threads_find(&s->log->threads, last->thread);
	struct thread_pos pos = {.cap = EVL_NO_CAP};
	uint64_t until = min_u64(s->lead[lane], s->ask->t1);
	if (last->found)
		thread_step(&pos, &last->event);
	else if (row)
		pos.state = row->born ? THREAD_RUNNABLE : THREAD_UNKNOWN;
	if (pos.state == THREAD_RUNNABLE)
		sum->wait_ns += until - s->ask->t0 - gc_pauses_within(&s->pauses, s->ask->t0, until);
	sum->states |= 1u << pos.state;
	if (pos.state == THREAD_BLOCKED || pos.state == THREAD_FOREIGN)
		sum->stops |= 1u << pos.stop;
	if (s->lead[lane] == UINT64_MAX)
		sum->pos = pos;
	fill_lead(s, lane, until, &pos);
}

ORDER_BY(by_thread, struct thread_last, thread);

/* Threads that were silent for long: look farther back. */
static int look_back(struct scan *s)
{
	const struct thread_shares_ask *ask = s->ask;
	struct thread_last *items = calloc(ask->n_ids ? ask->n_ids : 1, sizeof *items);
	struct thread_budget budget = {.tiles = SIZE_MAX, .cancel = ask->cancel};
	size_t n = 0;
	if (!items)
		return EVL_NOMEM;
	for (size_t i = 0; i < ask->n_ids; i++) {
		const struct thread_column *first = &s->out->columns[i * (size_t)ask->cols];
		if (s->lead[i] > ask->t0 && first->first == THREAD_UNKNOWN && first->ns[THREAD_UNKNOWN])
			items[n++].thread = ask->ids[i];
	}
	qsort(items, n, sizeof *items, by_thread);
	if (n)
		threads_last_before(s->log, ask->t0, items, n, &budget);
	for (size_t i = 0; i < n && !budget.spent; i++)
		for (size_t lane = 0; lane < ask->n_ids; lane++)
			if (ask->ids[lane] == items[i].thread)
				resolve(s, lane, &items[i]);
	free(items);
	return budget.spent ? EVL_CANCELLED : 0;
}

/* --- begin and end --- */

/* A thread with a lane is tracked from the start: absent before its creation, unknown if it was created earlier. */
static bool is_absent(const struct evl_log *log, uint32_t thread, uint64_t t0)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	return row && ((row->died && row->died < t0) || row->born >= t0);
}

static bool seat(struct scan *s, size_t lane)
{
	const struct thread_row *row = threads_find(&s->log->threads, s->ask->ids[lane]);
	struct thread_sum *sum = add(s->out, s->ask->ids[lane]);
	if (!sum)
		return false;
	bool gone = is_absent(s->log, s->ask->ids[lane], s->ask->t0);
	sum->lane = (int32_t)lane;
	sum->at = s->ask->t0;
	sum->paused = s->paused_before[0];
	sum->pos.state = gone ? THREAD_ABSENT : THREAD_UNKNOWN;
	if (row && row->died && row->died < s->ask->t0)
		sum->pos.stop = STOP_FINISHED;
	s->lead[lane] = UINT64_MAX;
	return true;
}

static bool prepare_columns(struct scan *s)
{
	const struct thread_shares_ask *ask = s->ask;
	size_t n = ask->n_ids + ask->n_lanes;
	s->out->columns = calloc((n ? n : 1) * (size_t)ask->cols, sizeof *s->out->columns);
	for (size_t i = 0; s->out->columns && i < n * (size_t)ask->cols; i++)
		s->out->columns[i].cap = EVL_NO_CAP;
	for (size_t i = 0; s->out->columns && i < ask->n_ids; i++)
		if (!seat(s, i))
			return false;
	return s->out->columns;
}

/* Once there are pauses. */
static bool prepare_edges(struct scan *s)
{
	const struct thread_shares_ask *ask = s->ask;
	s->edges = calloc((size_t)ask->cols + 1, sizeof *s->edges);
	s->paused_before = calloc((size_t)ask->cols + 1, sizeof *s->paused_before);
	s->lead = calloc(ask->n_ids ? ask->n_ids : 1, sizeof *s->lead);
	if (!s->edges || !s->paused_before || !s->lead)
		return false;
	for (int i = 0; i <= ask->cols; i++) {
		s->edges[i] = column_edge(ask->t0, ask->t1, ask->cols, i);
		s->paused_before[i] = s->paused_from + gc_pauses_before(&s->pauses, s->edges[i]);
	}
	s->known_t = evl_known(s->log);
	return true;
}

static bool prepare(struct scan *s)
{
	const struct thread_shares_ask *ask = s->ask;
	const struct progress watch = {.cancel = ask->cancel};
	return evl_all_pauses(&s->pauses, s->log, &watch) == 0 && prepare_edges(s) && prepare_columns(s)
		&& thread_feeds_begin(&s->feeds, s->log, ask->t0, ask->t1, true);
}

/* The log ends in a column: the rest of its time is unknown. */
static void end_column(struct thread_column *c, uint64_t from, uint64_t end, uint64_t to)
{
	if (from >= end || end >= to)
		return;
	c->ns[THREAD_UNKNOWN] += to - end;
	c->known = true;
}

static void end_scan(struct scan *s)
{
	free_all(s->edges, s->paused_before, s->lead);
	gc_pauses_free(&s->pauses);
	thread_feeds_free(&s->feeds);
}

int thread_shares_run(struct thread_shares *out, const struct evl_log *log, const struct thread_shares_ask *ask)
{
	struct scan s = {.out = out, .log = log, .ask = ask};
	*out = (struct thread_shares){.cols = ask->cols};
	int result = prepare(&s) ? merge(&s, ask->t1) : is_cancelled(s.ask->cancel) ? EVL_CANCELLED : EVL_NOMEM;
	if (result == 0) {
		uint64_t end = ask->end ? min_u64(ask->end, ask->t1) : ask->t1;
		for (size_t i = 0; i < out->n_sums; i++)
			hold(&s, &out->sums[i], end);
		int cols = settle(&s, end);
		for (size_t lane = 0; lane < ask->n_ids + ask->n_lanes && end < ask->t1; lane++)
			end_column(&out->columns[lane * (size_t)ask->cols + (size_t)cols], s.edges[cols], end,
				s.edges[cols + 1]);
		if (ask->progress)
			ask->progress(ask->ctx, cols);
		result = look_back(&s);
	}
	end_scan(&s);
	return result;
}

void thread_shares_free(struct thread_shares *s)
{
	free_all(s->columns, s->sums, s->index);
	*s = (struct thread_shares){0};
}

/* --- of a growing log ------------------------------------------------------------------------------------------------- */

/* The columns of the screen, too, while the narrow ones are filled. */
struct course_scan {
	struct scan s;
	struct thread_course *course;
	struct thread_shares_ask narrow;     /* what s asks */
	const struct thread_shares_ask *ask; /* what was asked */
	struct thread_shares *out;
};

static size_t narrow_cols(const struct thread_course *c) { return (size_t)c->cols * COURSE_COLS; }
static size_t course_lanes(const struct thread_course *c) { return c->n_ids + c->n_lanes; }

void thread_course_free(struct thread_course *c)
{
	thread_shares_free(&c->at);
	free_all(c->ids, c->absent, c->labels);
	*c = (struct thread_course){0};
}

bool thread_course_can(const struct evl_log *log, const struct thread_shares_ask *ask)
{
	enum { BYTES_MOST = 12 << 20, PART_OF_LOG = 200 };
	uint64_t first, last, most = BYTES_MOST + log->source.len / PART_OF_LOG;
	uint64_t columns = (ask->n_ids + ask->n_lanes) * (uint64_t)ask->cols * COURSE_COLS;
	return log->settled_t && !ask->sums && columns * sizeof(struct thread_column) <= most
		&& evl_range(log, &first, &last) && ask->t0 == first
		&& ask->t1 - ask->t0 == course_window(last + 1 - first, ask->cols);
}

bool thread_course_fits(const struct thread_course *c, const struct evl_log *log, const struct thread_shares_ask *ask)
{
	bool same = c->at.columns && c->t0 == ask->t0 && c->cols == ask->cols && c->until <= log->settled_t
		&& c->n_caps == log->n_caps && c->n_ids == ask->n_ids && c->n_lanes == ask->n_lanes
		&& memcmp(c->ids, ask->ids, c->n_ids * sizeof *c->ids) == 0;
	for (size_t i = 0; same && i < c->n_ids; i++)
		same = c->absent[i] == is_absent(log, c->ids[i], c->t0);
	for (size_t i = 0; same && c->n_lanes && i < c->n_labels; i++)
		same = c->labels[i] == threads_label_at(&log->threads, c->at.sums[i].thread);
	return same;
}

static bool begin_course(struct thread_course *c, const struct evl_log *log, const struct thread_shares_ask *ask)
{
	thread_course_free(c);
	c->t0 = c->until = ask->t0;
	c->cols = c->at.cols = ask->cols;
	c->unit = 1;
	c->n_ids = ask->n_ids;
	c->n_lanes = ask->n_lanes;
	c->n_caps = log->n_caps;
	c->ids = calloc(ask->n_ids + 1, sizeof *c->ids);
	c->absent = calloc(ask->n_ids + 1, sizeof *c->absent);
	for (size_t i = 0; c->ids && c->absent && i < c->n_ids; i++) {
		c->ids[i] = ask->ids[i];
		c->absent[i] = is_absent(log, ask->ids[i], ask->t0);
	}
	return c->ids && c->absent;
}

/* Add a column to the one before it. */
static void add_column(struct thread_column *to, const struct thread_column *next)
{
	uint64_t waits = next->ns[THREAD_BLOCKED] + next->ns[THREAD_FOREIGN], all = waits;
	for (size_t i = 0; i < THREAD_STATES; i++) {
		to->ns[i] += next->ns[i];
		all += next->ns[i];
	}
	to->paused_ns += next->paused_ns;
	to->caps |= next->caps;
	to->split = next->split ? next->split : to->split;
	to->switches += next->switches;
	to->wakeups += next->wakeups;
	to->cap = next->cap != EVL_NO_CAP ? next->cap : to->cap;
	to->last = all || next->switches ? next->last : to->last;
	to->stop = waits ? next->stop : to->stop;
	to->known = to->known && next->known;
}

static const struct thread_column no_column = {.cap = EVL_NO_CAP};

/* Each two columns become one. */
static void double_unit(struct thread_course *c)
{
	size_t n = narrow_cols(c);
	for (size_t lane = 0; c->at.columns && lane < course_lanes(c); lane++) {
		struct thread_column *cols = c->at.columns + lane * n;
		for (size_t i = 0; i < n; i++) {
			struct thread_column sum = 2 * i < n ? cols[2 * i] : no_column;
			if (2 * i < n)
				add_column(&sum, &cols[2 * i + 1]);
			cols[i] = sum;
		}
	}
	for (size_t i = 0; i < c->at.n_sums; i++)
		c->at.sums[i].col /= 2;
	c->unit *= 2;
}

/* The columns of the screen, of which the log ends at `end`; 0: later. The time from then on is unknown. */
static void show_columns(struct course_scan *x, uint64_t end)
{
	const struct thread_course *c = x->course;
	const size_t n = narrow_cols(c), each = (size_t)((x->ask->t1 - c->t0) / c->unit) / (size_t)c->cols;
	for (size_t lane = 0; lane < course_lanes(c); lane++)
		for (size_t i = 0; i < (size_t)c->cols; i++) {
			const struct thread_column *narrow = c->at.columns + lane * n + i * each;
			struct thread_column *to = &x->out->columns[lane * (size_t)c->cols + i];
			uint64_t from = c->t0 + i * each * c->unit, until = from + each * c->unit;
			*to = narrow[0];
			for (size_t k = 1; k < each; k++)
				add_column(to, &narrow[k]);
			end_column(to, from, end, until);
		}
}

static void tell_columns(void *ctx, UNUSED int cols)
{
	struct course_scan *x = ctx;
	show_columns(x, 0);
	if (x->ask->progress)
		x->ask->progress(x->ask->ctx, 0);
}

static int lane_of_asked(void *ctx, uint32_t thread)
{
	const struct course_scan *x = ctx;
	return x->ask->lane_of(x->ask->ctx, thread);
}

/* Note where the labels are by which the lanes of new threads were chosen. */
static bool note_labels(struct thread_course *c, const struct evl_log *log)
{
	while (c->n_labels < c->at.n_sums) {
		if (!GROW(c->labels, c->n_labels, c->labels_room))
			return false;
		c->labels[c->n_labels] = threads_label_at(&log->threads, c->at.sums[c->n_labels].thread);
		c->n_labels++;
	}
	return true;
}

/* Take the events of the settled part. */
static int settle_course(struct course_scan *x)
{
	struct scan *s = &x->s;
	struct thread_course *c = x->course;
	uint64_t limit = min_u64(s->log->settled_t, x->narrow.t1);
	int result = limit > c->until ? merge(s, limit) : 0;
	const struct sched_event *next = thread_feeds_head(&s->feeds);
	if (result == EVL_CANCELLED && next)
		limit = min_u64(limit, next->t);
	if (limit > c->until) {
		s->t = 0;
		settle(s, limit);
		c->paused = s->paused_from + gc_pauses_before(&s->pauses, limit);
		c->until = limit;
	}
	return note_labels(c, s->log) ? result : EVL_NOMEM;
}

/* Take the rest of the events, which may look different in a longer log, show what follows, and forget it. */
static int read_rest(struct course_scan *x, uint64_t end)
{
	struct scan *s = &x->s;
	struct thread_shares *at = &x->course->at;
	const size_t n = narrow_cols(x->course), lanes = course_lanes(x->course), n_sums = at->n_sums;
	const uint64_t others = at->others;
	const int col = column_of(s, x->course->until), most = column_of(s, end);
	struct thread_sum *sums = malloc((n_sums + 1) * sizeof *sums);
	struct thread_column *cols = malloc((lanes + 1) * sizeof *cols);
	int result = sums && cols ? 0 : EVL_NOMEM;
	if (result == 0) {
		if (n_sums)
			memcpy(sums, at->sums, n_sums * sizeof *sums);
		for (size_t lane = 0; lane < lanes; lane++)
			cols[lane] = at->columns[lane * n + (size_t)col];
		s->from = x->course->until;
		result = merge(s, end);
		settle(s, end);
		show_columns(x, end);
		at->n_sums = n_sums;
		at->others = others;
		if (n_sums)
			memcpy(at->sums, sums, n_sums * sizeof *sums);
		for (size_t lane = 0; lane < lanes; lane++) {
			struct thread_column *to = at->columns + lane * n;
			to[col] = cols[lane];
			for (int i = col + 1; i <= most; i++)
				to[i] = no_column;
		}
		if (at->index_room)
			memset(at->index, 0, at->index_room * sizeof *at->index);
		for (size_t i = 0; i < n_sums; i++)
			at->index[slot_of(at, at->sums[i].thread)] = (uint32_t)i + 1;
	}
	free_all(sums, cols);
	return result;
}

static bool prepare_course(struct course_scan *x, const struct evl_log *log)
{
	struct scan *s = &x->s;
	struct thread_course *c = x->course;
	x->narrow = *x->ask;
	x->narrow.cols = (int)narrow_cols(c);
	x->narrow.t1 = c->t0 + c->unit * narrow_cols(c);
	x->narrow.progress = tell_columns;
	x->narrow.lane_of = x->ask->lane_of ? lane_of_asked : NULL;
	x->narrow.ctx = x;
	*s = (struct scan){.out = &c->at,
		.log = log,
		.ask = &x->narrow,
		.from = c->until,
		.paused_from = c->paused,
		.keeps = c->n_lanes > 0};
	x->out->columns = calloc((course_lanes(c) + 1) * (size_t)c->cols, sizeof *x->out->columns);
	const struct progress watch = {.cancel = x->ask->cancel};
	return x->out->columns && gc_pauses_make(&s->pauses, &log->gcs, c->until, UINT64_MAX, &watch) == 0
		&& prepare_edges(s) && (c->at.columns || prepare_columns(s))
		&& thread_feeds_begin_at(&s->feeds, log, c->until, true);
}

int thread_course_run(struct thread_course *c, const struct evl_log *log, const struct thread_shares_ask *ask,
	struct thread_shares *out)
{
	struct course_scan x = {.course = c, .ask = ask, .out = out};
	uint64_t first = 0, last = 0;
	*out = (struct thread_shares){.cols = ask->cols};
	if (!thread_course_fits(c, log, ask) && !begin_course(c, log, ask))
		return EVL_NOMEM;
	(void)evl_range(log, &first, &last);
	while (c->unit < course_unit(last + 1 - first, c->cols))
		double_unit(c);
	int result = prepare_course(&x, log) ? 0 : is_cancelled(ask->cancel) ? EVL_CANCELLED : EVL_NOMEM;
	if (result == 0) {
		if (c->until > c->t0)
			tell_columns(&x, 0);
		result = settle_course(&x);
		result = result ? result : read_rest(&x, last + 1);
	}
	end_scan(&x.s);
	if (result == EVL_NOMEM)
		thread_course_free(c);
	return result;
}
