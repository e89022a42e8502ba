#include "jobs/prof_job.h"

#include "jobs/job.h"
#include "jobs/other_log.h"
#include "jobs/two_profiles.h"
#include "jobs/whole_tree.h"

#include <stdlib.h>

struct axis_ask {
	uint64_t t0, t1;
	int cols;
};

struct question {
	struct prof_ask ask;
	struct axis_ask axis;
	const struct evl_log *other; /* of ask.other */
	bool has_ask, has_axis;
};

struct parts {
	struct prof_picture *picture;
	struct prof_axis *axis;
};

/* `names` is made once, and then read by both threads; `range`, `axis` and what they were made for belong to the job,
 * `question`, `pending` and `taken` to the screen. */
struct prof_job {
	const struct evl_log *log;
	const struct prof *prof;
	struct answer_job *job;

	struct prof_names names;
	struct prof_window range; /* of now.ask */
	struct prof_window base;  /* of what it is compared with */
	struct prof_window axis;  /* of now.axis */
	struct whole_time whole;  /* of now.ask, if it wants that */
	struct whole_time whole_base;
	struct question now;
	const atomic_bool *cancel;
	bool named, has_range, has_axis;
	uint64_t made; /* pictures so far */

	struct prof_names base_names; /* of another log; n = 0: not made */
	struct held_logs held;        /* those that its thread may read, and that pictures name */
	struct question question;
	struct parts pending, taken; /* pending: not asked for yet */
	struct prof_axis *moved;     /* taken.axis in another window; NULL: none */
};

static void free_picture(struct prof_picture *p)
{
	if (!p)
		return;
	prof_tree_free(&p->tree);
	prof_tree_free(&p->callers);
	prof_tree_free(&p->callees);
	prof_names_free(&p->names);
	free_all(p->series, p);
}

static void free_axis(struct prof_axis *a)
{
	for (size_t i = 0; a && a->lanes && i < a->n_lanes; i++)
		free(a->lanes[i].nodes);
	if (a)
		free_all(a->lanes, a->samples, a->off);
	free(a);
}

static bool same_axis(const struct axis_ask *a, const struct axis_ask *b)
{
	return a->t0 == b->t0 && a->t1 == b->t1 && a->cols == b->cols;
}

static bool same_range(const struct prof_ask *a, const struct prof_ask *b)
{
	return a->from == b->from && a->to == b->to && a->cap == b->cap && a->compares == b->compares
		&& a->base_from == b->base_from && a->base_to == b->base_to && a->whole == b->whole
		&& a->other == b->other && strcmp(a->only, b->only) == 0;
}

static bool same_ask(const struct prof_ask *a, const struct prof_ask *b)
{
	return same_range(a, b) && a->hide_rts == b->hide_rts && a->fold == b->fold && a->shape == b->shape
		&& a->order == b->order && a->centre == b->centre;
}

/* --- over time ----------------------------------------------------------------------------------------------------- */

/* The last sample of each capability within an interval before the window: it lasts into it. */
struct before {
	struct prof_sample *items;
	size_t n, room;
};

static bool take_before(void *ctx, const struct prof_sample *s)
{
	struct before *b = ctx;
	size_t i = 0;
	while (i < b->n && b->items[i].cap != s->cap)
		i++;
	if (i == b->n && GROW(b->items, b->n, b->room))
		b->items[b->n++] = *s;
	else if (i < b->n && s->t >= b->items[i].t)
		b->items[i] = *s;
	return true;
}

static int look_before(struct prof_job *job, struct before *b)
{
	uint64_t t0 = job->now.axis.t0;
	struct prof_each ask = {sub_or_0(t0, prof_interval(job->prof)), t0, job->cancel, take_before, b};
	return ask.from < ask.to ? prof_each(job->prof, &job->log->blocks, &ask) : 0;
}

static const struct prof_sample *before_of(const struct before *b, uint16_t cap)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->items[i].cap == cap)
			return &b->items[i];
	return NULL;
}

/* A sample covers an interval: columns narrower than that, up to the next sample, show it too. */
static void carry_on(const struct prof_job *job, struct prof_axis *a, uint32_t *nodes, const struct prof_sample *before)
{
	uint64_t interval = prof_interval(job->prof), until = before ? before->t + interval : 0;
	uint32_t node = before ? before->node : PROF_NO_NODE;
	for (int i = 0; i < a->cols; i++) {
		if (nodes[i] != PROF_NO_NODE) {
			node = nodes[i];
			until = column_edge(a->t0, a->t1, a->cols, i + 1) + interval;
		} else if (node != PROF_NO_NODE && column_edge(a->t0, a->t1, a->cols, i) < until) {
			nodes[i] = node;
		}
	}
}

static bool fill_lane(struct prof_job *job, struct prof_axis *a, uint16_t cap, const struct before *before)
{
	struct prof_lane *lane = &a->lanes[a->n_lanes];
	lane->cap = cap;
	lane->nodes = malloc((size_t)a->cols * sizeof *lane->nodes);
	if (!lane->nodes)
		return false;
	a->n_lanes++;
	if (prof_window_heaviest(&job->axis, &job->prof->stacks, cap, lane->nodes) < 0)
		return false;
	carry_on(job, a, lane->nodes, before_of(before, cap));
	return true;
}

ORDER_BY(by_cap, struct prof_lane, cap);

/* A lane for each capability that was sampled in the window, or just before it. */
static bool fill_lanes(struct prof_job *job, struct prof_axis *a, const struct before *before)
{
	const struct prof_window *w = &job->axis;
	if (!(a->lanes = calloc(w->n_caps + before->n + 1, sizeof *a->lanes)))
		return false;
	for (size_t i = 0; i < w->n_caps; i++)
		if (!fill_lane(job, a, w->caps[i], before))
			return false;
	for (size_t i = 0; i < before->n; i++) {
		bool is_there = false;
		for (size_t k = 0; k < w->n_caps; k++)
			is_there |= w->caps[k] == before->items[i].cap;
		if (!is_there && !fill_lane(job, a, before->items[i].cap, before))
			return false;
	}
	qsort(a->lanes, a->n_lanes, sizeof *a->lanes, by_cap);
	return true;
}

static bool fill_axis(struct prof_job *job, struct prof_axis *a)
{
	const struct prof_window *w = &job->axis;
	struct before before = {0};
	a->samples = calloc((size_t)a->cols, sizeof *a->samples);
	a->off = calloc((size_t)a->cols, sizeof *a->off);
	bool good = a->samples && a->off && look_before(job, &before) == 0 && fill_lanes(job, a, &before);
	free(before.items);
	for (size_t i = 0; i < w->n && good; i++)
		a->samples[w->counts[i].part] += w->counts[i].n;
	for (int i = 0; i < a->cols && good; i++)
		a->off[i] = a->samples[i] == 0
			&& prof_was_off(job->prof, column_edge(a->t0, a->t1, a->cols, i),
				column_edge(a->t0, a->t1, a->cols, i + 1));
	return good;
}

/* NULL: cancelled, or memory is out. */
static struct prof_axis *make_axis(struct prof_job *job)
{
	struct prof_axis *a = calloc(1, sizeof *a);
	prof_window_free(&job->axis);
	int result = prof_window_make(&job->axis, job->prof, &job->log->blocks, job->now.axis.t0, job->now.axis.t1,
		job->now.axis.cols, PROF_ALL_CAPS, job->cancel);
	job->has_axis = result == 0;
	if (a)
		*a = (struct prof_axis){.t0 = job->now.axis.t0,
			.t1 = job->now.axis.t1,
			.cols = job->now.axis.cols,
			.more = job->axis.more};
	if (a && result == 0 && fill_axis(job, a))
		return a;
	job->has_axis = job->has_axis && !atomic_load(job->cancel); /* otherwise it is requested again */
	free_axis(a);
	return NULL;
}

/* --- the profile --------------------------------------------------------------------------------------------------- */

/* Samples by stack, and of what they are compared with. */
struct sums {
	const struct stacks *stacks;
	const struct prof_names *names;
	uint64_t *self, *base; /* base: NULL, or as long as self */
	uint32_t n;
};

static bool make_tree(const struct prof_job *job, struct prof_tree *t, enum prof_shape shape, const struct sums *s,
	const uint64_t *self)
{
	const struct prof_ask *ask = &job->now.ask;
	return prof_tree_make(t, shape, s->stacks, s->names, self, ask->centre) == 0
		&& (!ask->fold || shape != PROF_TREE || prof_tree_fold(t) == 0)
		&& prof_tree_sort(t, s->names, ask->order == PROF_BY_CHANGE ? PROF_BY_INCL : ask->order) == 0;
}

/* The tree of both together, and what it has of the base. */
static bool make_compared(const struct prof_job *job, struct prof_picture *p, const struct sums *s)
{
	struct prof_tree base = {0};
	const struct prof_ask *ask = &p->ask;
	for (uint32_t i = 0; i < s->n; i++)
		s->self[i] += s->base[i];
	bool good = make_tree(job, &p->tree, ask->shape, s, s->self) && make_tree(job, &base, ask->shape, s, s->base)
		&& prof_tree_compare(&p->tree, &base, s->names) == 0;
	prof_tree_free(&base);                     /* one that could not be sorted, too */
	p->tree.by_self = ask->shape == PROF_FLAT; /* bottom-up, incl is what came through */
	for (uint32_t i = 0; i < s->n; i++)
		s->self[i] -= s->base[i];
	p->tree.unit = ask->whole ? prof_interval(job->prof) : 0;
	return good && prof_tree_sort(&p->tree, s->names, ask->order) == 0;
}

static bool make_series(struct prof_job *job, struct prof_picture *p)
{
	if (!job->has_axis || !(p->series = calloc((size_t)job->axis.cols, sizeof *p->series)))
		return job->has_axis;
	p->cols = job->axis.cols;
	p->t0 = job->axis.from;
	p->t1 = job->axis.to;
	return prof_window_series(&job->axis, &job->prof->stacks, &job->names, p->ask.centre, p->ask.cap, p->series)
		== 0;
}

/* Drop the samples to hide, and count the others. */
static void choose(struct prof_picture *p, const struct sums *s)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		all += s->self[i];
		p->base_total += s->base ? s->base[i] : 0;
	}
	p->total = p->ask.hide_rts ? prof_hide_rts(s->names, s->self, s->n) : all;
	p->hidden = all - p->total;
	if (s->base && p->ask.hide_rts)
		p->base_total = prof_hide_rts(s->names, s->base, s->n);
}

static bool make_trees(const struct prof_job *job, struct prof_picture *p, const struct sums *s)
{
	choose(p, s);
	if (!(s->base ? make_compared(job, p, s) : make_tree(job, &p->tree, p->ask.shape, s, s->self)))
		return false;
	return p->ask.centre >= job->names.n
		|| (make_tree(job, &p->callers, PROF_CALLERS, s, s->self)
			&& make_tree(job, &p->callees, PROF_CALLEES, s, s->self));
}

/* Trees of this log alone. */
static bool make_own(const struct prof_job *job, struct prof_picture *p)
{
	uint32_t n = job->range.n_nodes;
	size_t bytes = ((size_t)n + 1) * sizeof(uint64_t);
	struct sums s = {&job->prof->stacks, &job->names, malloc(bytes), NULL, n};
	bool good = s.self;
	if (good)
		memcpy(s.self, job->range.self, n * sizeof *s.self);
	if (good && p->ask.compares && (good = (s.base = calloc(1, bytes))))
		memcpy(s.base, job->base.self, (job->base.n_nodes < n ? job->base.n_nodes : n) * sizeof *s.base);
	good = good && make_trees(job, p, &s);
	free_all(s.self, s.base);
	return good;
}

/* The same profile of another log. */
static const struct prof *prof_of(const struct prof_job *job, const struct evl_log *log)
{
	return &log->prof[job->prof - job->log->prof];
}

/* Trees of this log and another. */
static bool make_of_two(const struct prof_job *job, struct prof_picture *p)
{
	const struct evl_log *other = job->now.other;
	struct two_profiles two;
	const struct one_profile now = {&job->prof->stacks, &job->names, job->range.self, job->range.n_nodes},
				 base = {&prof_of(job, other)->stacks, &job->base_names, job->base.self,
					 job->base.n_nodes};
	if (two_profiles_make(&two, &p->names, &now, &base) < 0)
		return false;
	bool good = make_trees(job, p, &(struct sums){&two.stacks, &two.names, two.self, two.base, two.n});
	two_profiles_free(&two);
	return good;
}

/* The tree of two tries. Samples are ns. */
static bool make_whole_of_two(
	const struct prof_job *job, struct prof_picture *p, const struct whole_trie *now, const struct whole_trie *base)
{
	struct two_profiles two;
	const struct one_profile a = {&now->stacks, &now->names, now->self, now->n},
				 b = {&base->stacks, &base->names, base->self, base->n};
	if (two_profiles_make(&two, &p->names, &a, &b) < 0)
		return false;
	bool good = make_compared(job, p, &(struct sums){&two.stacks, &two.names, two.self, two.base, two.n});
	two_profiles_free(&two);
	if (!good)
		return false;
	p->tree.items[0].name = now->root;
	p->base_total = p->tree.items[0].base_incl;
	return true;
}

static bool make_whole_compared(const struct prof_job *job, struct prof_picture *p)
{
	const struct evl_log *other = p->ask.other ? job->now.other : job->log;
	const struct prof_names *names = p->ask.other ? &job->base_names : &job->names;
	struct whole_trie now, base;
	bool two_logs = p->ask.other;
	if (whole_trie_make(&now, &job->whole, job->log, &job->prof->stacks, &job->names, two_logs) < 0)
		return false;
	bool good = whole_trie_make(&base, &job->whole_base, other, &prof_of(job, other)->stacks, names, two_logs) == 0;
	if (good) {
		good = make_whole_of_two(job, p, &now, &base);
		whole_trie_free(&base);
	}
	whole_trie_free(&now);
	return good;
}

static bool make_whole_alone(const struct prof_job *job, struct prof_picture *p)
{
	const struct prof_ask *ask = &p->ask;
	return whole_tree_make(&p->tree, &p->names, &job->whole, job->log, &job->prof->stacks, &job->names) == 0
		&& (!ask->fold || prof_tree_fold(&p->tree) == 0)
		&& prof_tree_sort(&p->tree, &p->names, ask->order == PROF_BY_CHANGE ? PROF_BY_INCL : ask->order) == 0;
}

static bool make_whole(const struct prof_job *job, struct prof_picture *p)
{
	bool good = p->ask.compares ? make_whole_compared(job, p) : make_whole_alone(job, p);
	p->total = good ? p->tree.items[0].incl : 0;
	return good;
}

static struct prof_picture *make_picture(struct prof_job *job)
{
	struct prof_picture *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->ask = job->now.ask;
	p->serial = ++job->made;
	if (p->ask.whole) {
		p->failed = !make_whole(job, p);
		return p;
	}
	p->failed = !(p->ask.other ? make_of_two(job, p) : make_own(job, p));
	if (!p->failed && p->ask.centre < job->names.n)
		make_series(job, p);
	return p;
}

/* The time of the threads that count, which the lives of all threads are read for. */
static int scan_threads(
	const struct prof_job *job, const struct evl_log *log, uint64_t from, uint64_t to, struct whole_time *out)
{
	const struct progress watch = {.cancel = job->cancel};
	struct whole_only only;
	int result = whole_only_parse(&only, job->now.ask.only, NULL); /* it was refused where it was typed */
	only.profile = prof_of(job, log);
	result = result ? result : whole_time_make(out, log, from, to, &only, &watch);
	whole_only_free(&only);
	return result;
}

/* The samples of a range: of all, or of the threads that count. */
static int scan(
	const struct prof_job *job, const struct evl_log *log, uint64_t from, uint64_t to, struct prof_window *out)
{
	const struct prof_ask *ask = &job->now.ask;
	struct whole_time threads;
	prof_window_free(out);
	int result = prof_window_make(out, prof_of(job, log), &log->blocks, from, to, 1, ask->cap, job->cancel);
	if (result < 0 || !ask->only[0])
		return result;
	result = scan_threads(job, log, from, to, &threads);
	if (result < 0) {
		prof_window_free(out);
		return result;
	}
	out->total = whole_time_samples(&threads, out->self, out->n_nodes);
	whole_time_free(&threads);
	return 0;
}

/* A range, or all of the other log and its names. */
static int scan_base(struct prof_job *job)
{
	const struct prof_ask *ask = &job->now.ask;
	const struct evl_log *log = ask->other ? job->now.other : job->log;
	uint64_t from = ask->other ? 0 : ask->base_from, to = ask->other ? UINT64_MAX : ask->base_to;
	prof_names_free(&job->base_names);
	int result =
		ask->whole ? scan_threads(job, log, from, to, &job->whole_base) : scan(job, log, from, to, &job->base);
	const struct prof_naming naming = evl_naming(log);
	return result || !ask->other ? result : prof_names_make(&job->base_names, prof_of(job, log), &naming);
}

static bool scan_range(struct prof_job *job)
{
	const struct prof_ask *ask = &job->now.ask;
	whole_time_free(&job->whole);
	whole_time_free(&job->whole_base);
	int result = ask->whole ? scan_threads(job, job->log, ask->from, ask->to, &job->whole)
				: scan(job, job->log, ask->from, ask->to, &job->range);
	job->has_range = result == 0 && (!ask->compares || scan_base(job) == 0);
	return job->has_range;
}

/* --- on the job's thread ------------------------------------------------------------------------------------------- */

static void add(void *answer, void *part)
{
	struct parts *to = answer, *from = part;
	if (from->axis) {
		free_axis(to->axis);
		to->axis = from->axis;
	}
	if (from->picture) {
		free_picture(to->picture);
		to->picture = from->picture;
	}
	*from = (struct parts){0};
}

static void drop(void *answer)
{
	struct parts *parts = answer;
	free_axis(parts->axis);
	free_picture(parts->picture);
}

static void make_names(struct prof_job *job)
{
	struct prof_naming naming = evl_naming(job->log);
	if (!job->named && prof_names_make(&job->names, job->prof, &naming) < 0)
		job->names.n = 0; /* then nothing is answered but that it is over */
	job->named = true;
}

/* The profile comes before what was sampled over time; its own curve comes with that. */
static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct prof_job *job = ctx;
	const struct question *q = question;
	struct parts *out = answer;
	bool axis = q->has_axis && (!job->has_axis || !same_axis(&q->axis, &job->now.axis)),
	     range = q->has_ask && (!job->has_range || !same_range(&q->ask, &job->now.ask));
	make_names(job);
	job->now = *q;
	job->cancel = watch->cancel;
	if (job->names.n == 0)
		return;
	bool good = !range || scan_range(job);
	if (good && q->has_ask && axis && (out->picture = make_picture(job)))
		job_publish(watch);
	if (axis && (out->axis = make_axis(job)))
		job_publish(watch);
	if (good && q->has_ask && (out->picture = make_picture(job)))
		job_publish(watch);
}

/* Another shape of the same range is made after the one in progress. */
static bool is_outdated(UNUSED void *ctx, const void *before, const void *after)
{
	const struct question *was = before, *now = after;
	return was->has_ask != now->has_ask || was->has_axis != now->has_axis || !same_range(&was->ask, &now->ask)
		|| !same_axis(&was->axis, &now->axis);
}

/* --- on the screen's thread ---------------------------------------------------------------------------------------- */

struct prof_job *prof_job_new(const struct evl_log *log, enum prof_source source, void (*wake)(void *), void *ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct question),
		.answer = sizeof(struct parts),
		.find = find,
		.is_outdated = is_outdated,
		.parts = true,
		.add = add,
		.drop = drop};
	struct prof_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->log = log;
	job->prof = &log->prof[source];
	if ((job->job = job_new(&ops, job, wake, ctx)))
		return job;
	free(job);
	return NULL;
}

void prof_job_free(struct prof_job *job)
{
	if (!job)
		return;
	job_free(job->job);
	drop(&job->pending);
	drop(&job->taken);
	free_axis(job->moved);
	prof_window_free(&job->range);
	prof_window_free(&job->base);
	prof_window_free(&job->axis);
	whole_time_free(&job->whole);
	whole_time_free(&job->whole_base);
	prof_names_free(&job->names);
	prof_names_free(&job->base_names);
	held_logs_keep(&job->held, NULL, 0);
	free(job);
}

void prof_job_ask_axis(struct prof_job *job, uint64_t t0, uint64_t t1, int cols)
{
	struct axis_ask ask = {t0, t1, cols < 1 ? 1 : cols > PROF_PARTS ? PROF_PARTS : cols};
	if (job->question.has_axis && same_axis(&ask, &job->question.axis))
		return;
	job->question.axis = ask;
	job->question.has_axis = true;
	job_ask(job->job, &job->question);
}

void prof_job_repeat(struct prof_job *job, const struct prof_job *other, uint64_t end, uint64_t new_end)
{
	struct prof_ask ask = other->question.ask;
	const struct axis_ask *axis = &other->question.axis;
	ask.to = ask.to == end ? new_end : ask.to;
	if (other->question.has_axis)
		prof_job_ask_axis(job, axis->t0, axis->t1, axis->cols);
	if (other->question.has_ask)
		prof_job_ask(job, &ask);
}

/* The job's thread has answered the last question: close the logs of former ones. */
static void let_go(struct prof_job *job)
{
	const struct prof_picture *next = job->pending.picture, *seen = job->taken.picture;
	struct other_log *const used[] = {
		job->question.ask.other, next ? next->ask.other : NULL, seen ? seen->ask.other : NULL};
	held_logs_keep(&job->held, used, countof(used));
}

void prof_job_ask(struct prof_job *job, const struct prof_ask *ask)
{
	if (job->question.has_ask && same_ask(ask, &job->question.ask))
		return;
	const struct evl_log *other = ask->other ? other_log_get(ask->other, 0) : NULL;
	if (!held_logs_add(&job->held, ask->other) || (ask->other && !other))
		return;
	job->question.other = other;
	job->question.ask = *ask;
	job->question.has_ask = true;
	job_ask(job->job, &job->question);
}

bool prof_job_take_axis(struct prof_job *job, int ms)
{
	bool all = job_wait(job->job, ms);
	struct parts parts = {0};
	if (job_take(job->job, &parts))
		add(&job->pending, &parts);
	add(&job->taken, &(struct parts){.axis = job->pending.axis});
	job->pending.axis = NULL;
	return all;
}

bool prof_job_take(struct prof_job *job, int ms)
{
	bool all = prof_job_take_axis(job, ms);
	add(&job->taken, &job->pending);
	if (all)
		let_go(job);
	return all;
}

const struct prof_picture *prof_job_picture(const struct prof_job *job) { return job->taken.picture; }

const struct prof_names *prof_job_names(const struct prof_job *job)
{
	const struct prof_picture *p = job->taken.picture;
	if (p && p->names.n)
		return &p->names;
	return p || job->taken.axis ? &job->names : NULL;
}

static bool is_of_window(const struct prof_axis *a, uint64_t t0, uint64_t t1, int cols)
{
	return a && a->t0 == t0 && a->t1 == t1 && a->cols == cols;
}

const struct prof_axis *prof_job_axis(const struct prof_job *job, uint64_t t0, uint64_t t1, int cols)
{
	return is_of_window(job->taken.axis, t0, t1, cols) ? job->taken.axis
		: is_of_window(job->moved, t0, t1, cols)   ? job->moved
							   : NULL;
}

static bool begin_moved(struct prof_axis *to, const struct prof_axis *from)
{
	to->lanes = calloc(from->n_lanes + 1, sizeof *to->lanes);
	to->samples = calloc((size_t)to->cols, sizeof *to->samples);
	to->off = calloc((size_t)to->cols, sizeof *to->off);
	for (; to->lanes && to->n_lanes < from->n_lanes; to->n_lanes++) {
		struct prof_lane *lane = &to->lanes[to->n_lanes];
		lane->cap = from->lanes[to->n_lanes].cap;
		if (!(lane->nodes = malloc((size_t)to->cols * sizeof *lane->nodes)))
			return false;
	}
	return to->lanes && to->samples && to->off;
}

static void move_column(struct prof_axis *to, int i, const struct prof_axis *from, int k)
{
	for (size_t lane = 0; lane < to->n_lanes; lane++)
		to->lanes[lane].nodes[i] = k < from->cols ? from->lanes[lane].nodes[k] : PROF_NO_NODE;
	to->samples[i] = k < from->cols ? from->samples[k] : 0;
	to->off[i] = k < from->cols && from->off[k];
}

void prof_job_move_axis(struct prof_job *job, uint64_t t0, uint64_t t1, int cols)
{
	const struct prof_axis *from = job->taken.axis;
	if (!from || prof_job_axis(job, t0, t1, cols))
		return;
	struct prof_axis *to = calloc(1, sizeof *to);
	free_axis(job->moved);
	job->moved = to;
	if (!to)
		return;
	*to = (struct prof_axis){.t0 = t0, .t1 = t1, .cols = cols, .more = from->more};
	if (!begin_moved(to, from)) {
		free_axis(to);
		job->moved = NULL;
		return;
	}
	for (int i = 0, k = 0; i < cols; i++) {
		uint64_t left = column_edge(t0, t1, cols, i),
			 middle = left + (column_edge(t0, t1, cols, i + 1) - left) / 2;
		while (k < from->cols && column_edge(from->t0, from->t1, from->cols, k + 1) <= middle)
			k++;
		move_column(to, i, from, middle < from->t0 ? from->cols : k);
	}
}

struct answer_job *prof_job_answers(const struct prof_job *job) { return job->job; }

bool prof_job_news(struct prof_job *job) { return job_news(job->job) || job->pending.picture; }

bool prof_job_busy(struct prof_job *job) { return job_busy(job->job); }
