#include "state/plot.h"

#include "gc/gc_pauses.h"
#include "heap/alloc_rate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { CAPS_KEPT = 256 }; /* of more, the columns of single ones are not kept */

static bool fits(const struct plot *p, const struct model *m, const struct evl_progress *now)
{
	return p->gc && p->t0 == m->at.t0 && p->t1 == m->at.t1 && p->cols == m->cols && p->walked == now->bytes
		&& p->done == now->done && p->fetched == now->fetched;
}

static void free_caps(struct cap_column **caps, size_t n)
{
	for (size_t i = 0; caps && i < n; i++)
		free(caps[i]);
	free(caps);
}

static void forget_before(struct plot *p)
{
	if (p->before)
		plot_free(p->before);
	free(p->before);
	p->before = NULL;
}

void plot_free(struct plot *p)
{
	free_caps(p->caps, p->n_caps);
	forget_before(p);
	for (size_t i = 0; i < PLOT_KEPT; i++)
		free(p->kept[i]);
	free_all(p->gc, (void *)(uintptr_t)p->gcs.rows);
	*p = (struct plot){0};
}

/* The collections of the window one by one, if it has no more than a few a column. */
static void list_gcs(struct plot *p, const struct gcs *gcs)
{
	enum { A_COLUMN = 8 };
	p->gcs = (struct cap_shares_gcs){.gcs = gcs, .columns = p->gc};
	if (p->gc_all.n <= (size_t)p->cols * A_COLUMN)
		p->gcs.rows = gcs_list(gcs, p->t0, p->t1, &p->gcs.n);
}

/* How far the window was moved, if by whole columns, and nothing else has changed; 0: its columns are all new. */
static int shift_of(const struct plot *p, const struct plot *was)
{
	uint64_t width = p->t1 - p->t0, col = width / (uint64_t)p->cols;
	uint64_t far = p->t0 > was->t0 ? p->t0 - was->t0 : was->t0 - p->t0;
	bool same = was->gc && was->n_caps == p->n_caps && was->model->log == p->model->log && was->done && p->done
		&& was->walked == p->walked && was->fetched == p->fetched && !was->gcs.rows == !p->gcs.rows;
	if (!same || was->cols != p->cols || was->t1 - was->t0 != width || width % (uint64_t)p->cols || far % col
		|| far >= width)
		return 0;
	return p->t0 > was->t0 ? (int)(far / col) : -(int)(far / col);
}

/* Keep the plot of the window before, if columns of it are columns of this one too; else it is forgotten. */
static void take_over(struct plot *p, struct plot *was)
{
	p->shift = shift_of(p, was);
	p->before = p->shift ? malloc(sizeof *p->before) : NULL;
	if (!p->before) {
		plot_free(was);
		return;
	}
	forget_before(was); /* of all windows, only the last */
	*p->before = *was;
}

/* Ask for columns [from, to) of something; `out` is where column 0 goes. */
typedef void fill(struct plot *p, size_t i, void *out, int from, int to);

/* Fill `out` with columns of `width` bytes: those of the previous window (may be NULL) are reused. */
static void slide(struct plot *p, size_t i, void *out, const void *before, size_t width, fill *ask)
{
	int from = p->shift < 0 ? -p->shift : 0, to = p->shift > 0 ? p->cols - p->shift : p->cols; /* that stay */
	if (!before) {
		ask(p, i, out, 0, p->cols);
		return;
	}
	memcpy((uint8_t *)out + (size_t)from * width, (const uint8_t *)before + (size_t)(from + p->shift) * width,
		(size_t)(to - from) * width);
	if (from > 0)
		ask(p, i, out, 0, from);
	if (to < p->cols)
		ask(p, i, out, to, p->cols);
}

static uint64_t edge(const struct plot *p, int i) { return column_edge(p->t0, p->t1, p->cols, i); }

static void fill_gc(struct plot *p, UNUSED size_t i, void *out, int from, int to)
{
	cap_shares_gc_columns(&p->model->log->gcs, edge(p, from), edge(p, to), to - from, (struct gc_sum *)out + from);
}

static void fill_cap(struct plot *p, size_t i, void *out, int from, int to)
{
	const struct evl_log *log = p->model->log;
	uint32_t chain = log->cap_chains[i];
	struct cap_shares_gcs gcs = p->gcs;
	gcs.columns += from;
	cap_shares_columns(&log->blocks, &log->tiles[chain], chain, &gcs, edge(p, from), edge(p, to), to - from,
		(struct cap_column *)out + from);
}

static void fill_heap(struct plot *p, size_t curve, void *out, int from, int to)
{
	heap_columns(&p->model->log->heap, (enum heap_curve)curve, edge(p, from), edge(p, to), to - from,
		(struct heap_column *)out + from);
}

/* Are all columns of a capability read that the log has? */
static bool is_known(const struct plot *p, const struct cap_column *cols)
{
	uint64_t known = evl_known(p->model->log);
	for (int i = 0; i < p->cols && edge(p, i + 1) <= known; i++)
		if (!cols[i].known)
			return false;
	return true;
}

/* The runs of each chain in the columns, where they are known; NULL: with that number of capabilities, it would take long. */
static const struct cap_column **runs_of(struct plot *p)
{
	enum { CAPS_MOST = 64 };
	const struct evl_log *log = p->model->log;
	if (p->n_caps > CAPS_MOST)
		return NULL;
	const struct cap_column **cols = calloc(log->blocks.n_chains, sizeof *cols);
	for (size_t i = 0; cols && i < p->n_caps; i++) {
		const struct cap_column *cap = plot_cap(p, i);
		cols[log->cap_chains[i]] = cap && is_known(p, cap) ? cap : NULL;
	}
	return cols;
}

/* Allocation between two samples depends on all columns between them, so none of the window before is reused. */
static void fill_allocated(struct plot *p, uint64_t *cols)
{
	const struct evl_log *log = p->model->log;
	const struct alloc_pauses pauses = {p->gcs.gcs, p->gcs.rows, p->gcs.n};
	if (pauses.rows) {
		const struct cap_column **runs = runs_of(p);
		alloc_rate_columns(&log->heap, &pauses,
			runs ? &(struct alloc_runs){&log->blocks, log->tiles, runs} : NULL, p->t0, p->t1, p->cols,
			cols);
		free(runs);
		return;
	}
	heap_allocations(&log->heap, p->t0, p->t1, p->cols, cols); /* several pauses in each column */
	for (int i = 0; i < p->cols; i++)
		cols[i] = min_u64(cols[i], ALLOC_MOST) * ALLOC_PARTS;
}

/* Scrolling through thousands of lanes leaves columns that are no longer on the screen. */
static void forget_caps(struct plot *p)
{
	for (size_t i = 0; i < p->n_caps; i++) {
		free(p->caps[i]);
		p->caps[i] = NULL;
	}
	p->n_kept = 0;
}

bool plot_update(struct plot *p, const struct model *m)
{
	const struct evl_log *log = m->log;
	struct evl_progress now = evl_progress(log);
	if (p->n_kept > CAPS_KEPT)
		forget_caps(p);
	if (!m->ranged || fits(p, m, &now))
		return m->ranged;
	struct lanes *lanes = p->lanes;
	struct prof_job *prof = p->prof;
	const struct bands_picture *bands = p->bands;
	struct plot was = *p;
	*p = (struct plot){.model = m,
		.lanes = lanes,
		.prof = prof,
		.bands = bands,
		.t0 = m->at.t0,
		.t1 = m->at.t1,
		.cols = m->cols,
		.walked = now.bytes,
		.done = now.done,
		.fetched = now.fetched};
	p->gc = calloc((size_t)p->cols, sizeof *p->gc);
	p->caps = calloc(log->n_caps ? log->n_caps : 1, sizeof *p->caps);
	if (!p->gc || !p->caps) {
		plot_free(&was);
		plot_free(p);
		return false;
	}
	p->n_caps = log->n_caps;
	gcs_sum(&log->gcs, p->t0, p->t1, &p->gc_all);
	list_gcs(p, &log->gcs);
	take_over(p, &was);
	slide(p, 0, p->gc, p->before ? p->before->gc : NULL, sizeof *p->gc, fill_gc);
	return true;
}

const struct cap_column *plot_cap(struct plot *p, size_t i)
{
	if (i < p->n_caps && !p->caps[i] && (p->caps[i] = calloc((size_t)p->cols, sizeof **p->caps))) {
		slide(p, i, p->caps[i], p->before ? p->before->caps[i] : NULL, sizeof **p->caps, fill_cap);
		p->n_kept++;
	}
	return i < p->n_caps ? p->caps[i] : NULL;
}

static uint64_t width_of(const struct plot *p, int i) { return model_edge(p->model, i + 1) - model_edge(p->model, i); }

/* The unit of sums over all capabilities in a column, as a power of two in ns. */
static unsigned unit_of(const struct plot *p, int i)
{
	uint64_t width = width_of(p, i), all;
	unsigned unit = 0;
	while (__builtin_mul_overflow(width >> unit, p->n_caps, &all))
		unit++;
	return unit;
}

uint64_t plot_group_width(const struct plot *p, int i) { return width_of(p, i) >> unit_of(p, i); }

/* False: nothing is known of it. */
static bool run_share(struct plot *p, size_t cap, double *share)
{
	const struct cap_column *cols = plot_cap(p, cap);
	uint64_t run = 0, all = 0;
	for (int i = 0; cols && i < p->cols; i++) {
		run += cols[i].known ? cols[i].run_ns : 0;
		all += cols[i].known ? width_of(p, i) : 0;
	}
	*share = all ? (double)run / (double)all : 0;
	return all > 0;
}

/* Of those that are too many to be kept one by one: all, or a group. */
static bool running_together(struct plot *p, size_t from, size_t to, double *out)
{
	const struct plot_group *cols = to - from == p->n_caps && p->a_group ? plot_busy(p, p->a_group) : NULL;
	if (!cols && p->a_group)
		cols = plot_group(p, from / p->a_group, p->a_group);
	double run = 0, width = 0;
	for (int i = 0; cols && i < p->cols; i++) {
		run += cols[i].known ? ldexp((double)cols[i].ns[SHARE_RUN], (int)unit_of(p, i)) : 0;
		width += cols[i].known ? (double)width_of(p, i) : 0;
	}
	*out = width > 0 ? run / width : 0;
	return width > 0;
}

bool plot_running(struct plot *p, size_t from, size_t to, double *out)
{
	bool known = false;
	double share;
	if (to - from > 1 && p->n_caps > CAPS_KEPT)
		return running_together(p, from, to, out);
	*out = 0;
	for (size_t i = from; i < to; i++) {
		known = run_share(p, i, &share) || known;
		*out += share;
	}
	return known;
}

/* Room for the columns of a kind; NULL when memory is out. *fresh: they are not filled yet. */
static void *keep(struct plot *p, enum plot_kept kind, size_t width, bool *fresh)
{
	*fresh = !p->kept[kind];
	if (*fresh)
		p->kept[kind] = calloc((size_t)p->cols, width);
	*fresh = *fresh && p->kept[kind];
	return p->kept[kind];
}

const struct heap_column *plot_heap(struct plot *p, enum heap_curve curve)
{
	bool fresh;
	struct heap_column *cols = keep(p, (enum plot_kept)(PLOT_LIVE + curve), sizeof *cols, &fresh);
	if (fresh)
		slide(p, curve, cols, p->before ? p->before->kept[PLOT_LIVE + curve] : NULL, sizeof *cols, fill_heap);
	return cols;
}

const uint64_t *plot_allocated(struct plot *p)
{
	bool fresh;
	uint64_t *cols = keep(p, PLOT_ALLOCATED, sizeof *cols, &fresh);
	if (fresh)
		fill_allocated(p, cols);
	return cols;
}

const struct spark_column *plot_sparks(struct plot *p)
{
	bool fresh;
	struct spark_column *cols = keep(p, PLOT_SPARKS, sizeof *cols, &fresh);
	if (fresh)
		sparks_columns(&p->model->log->sparks, p->t0, p->t1, p->cols, cols);
	return cols;
}

const struct nm_column *plot_nonmoving(struct plot *p)
{
	bool fresh;
	struct nm_column *cols = keep(p, PLOT_NONMOVING, sizeof *cols, &fresh);
	for (int i = 0; fresh && i < p->cols; i++)
		nonmoving_column(
			&p->model->log->nonmoving, model_edge(p->model, i), model_edge(p->model, i + 1), &cols[i]);
	return cols;
}

const struct plot_gap *plot_gaps(struct plot *p)
{
	bool fresh;
	struct plot_gap *cols = keep(p, PLOT_GAPS, sizeof *cols, &fresh);
	for (int i = 0; fresh && i < p->cols; i++)
		cols[i].n = log_gaps_in(
			&p->model->log->gaps, model_edge(p->model, i), model_edge(p->model, i + 1), &cols[i].longest);
	return cols;
}

static void add_to_group(const struct plot *p, const struct cap_column *cap, int from, int to, struct plot_group *cols)
{
	for (int i = from; i < to; i++) {
		unsigned unit = unit_of(p, i);
		for (size_t k = 0; k < CAP_SHARES && cap[i].alive; k++)
			cols[i].ns[k] += cap[i].ns[k] >> unit;
		cols[i].alive += cap[i].alive;
		cols[i].known = cols[i].known && cap[i].known;
	}
}

static void fill_group(struct plot *p, size_t group, void *out, int from, int to)
{
	struct plot_group *cols = out;
	struct cap_column *scratch = calloc((size_t)p->cols, sizeof *scratch);
	size_t first = group * p->a_group, end = min_u64(first + p->a_group, p->n_caps);
	bool keeps = p->n_caps <= CAPS_KEPT && p->a_group < p->n_caps; /* each is drawn or added up elsewhere, too */
	for (int i = from; i < to; i++)
		cols[i] = (struct plot_group){.known = scratch};
	for (size_t i = first; scratch && i < end; i++) {
		const struct cap_column *cap = keeps ? plot_cap(p, i) : p->caps[i];
		if (!cap)
			fill_cap(p, i, scratch, from, to);
		add_to_group(p, cap ? cap : scratch, from, to, cols);
	}
	free(scratch);
}

const struct plot_group *plot_group(struct plot *p, size_t group, size_t a_group)
{
	bool fresh;
	assert(group < PLOT_GROUPS && a_group > 0);
	p->a_group = a_group;
	struct plot_group *cols = keep(p, (enum plot_kept)(PLOT_GROUP + group), sizeof *cols, &fresh);
	if (fresh)
		slide(p, group, cols,
			p->before && p->before->a_group == a_group ? p->before->kept[PLOT_GROUP + group] : NULL,
			sizeof *cols, fill_group);
	return cols;
}

static void add_groups(struct plot *p, size_t a_group, struct plot_group *cols)
{
	for (size_t first = 0; first < p->n_caps; first += a_group) {
		const struct plot_group *group = plot_group(p, first / a_group, a_group);
		for (int i = 0; i < p->cols; i++) {
			for (size_t k = 0; k < CAP_SHARES && group; k++)
				cols[i].ns[k] += group[i].ns[k];
			cols[i].alive += group ? group[i].alive : 0;
			cols[i].known = cols[i].known && group && group[i].known;
		}
	}
}

const struct plot_group *plot_busy(struct plot *p, size_t a_group)
{
	bool fresh;
	struct plot_group *cols = keep(p, PLOT_BUSY, sizeof *cols, &fresh);
	for (int i = 0; fresh && i < p->cols; i++)
		cols[i].known = true;
	if (fresh && a_group)
		add_groups(p, a_group, cols);
	for (size_t i = 0; fresh && !a_group && i < p->n_caps; i++) {
		const struct cap_column *cap = plot_cap(p, i);
		if (cap)
			add_to_group(p, cap, 0, p->cols, cols);
		for (int k = 0; !cap && k < p->cols; k++)
			cols[k].known = false;
	}
	return cols;
}

/* A task counts once in a column, however often it comes back to a capability. */
static void add_stay(uint8_t *counts, uint64_t *seen, uint16_t cap)
{
	if (cap >= PLOT_TASK_CAPS && cap != TASK_NO_CAP)
		return;
	cap = cap == TASK_NO_CAP ? PLOT_TASK_CAPS : cap;
	if (seen[cap / 64] >> cap % 64 & 1)
		return;
	seen[cap / 64] |= 1ull << cap % 64;
	counts[cap] = (uint8_t)(counts[cap] + (counts[cap] < UINT8_MAX));
}

/* The capabilities that a task was on in column i. */
static void add_task(struct plot *p, uint8_t (*cols)[PLOT_TASK_CAPS + 1], const struct task *task, int i)
{
	enum { STAYS = 16 };
	uint64_t t = max_u64(edge(p, i), task->born), end = edge(p, i + 1), from, to = 0;
	uint64_t seen[PLOT_TASK_CAPS / 64 + 1] = {0};
	uint16_t cap;
	for (int n = 0; t < end && tasks_stay(task, t, &cap, &from, &to); t = to, n++) {
		if (n == STAYS) {
			memset(cols[i], UINT8_MAX, sizeof cols[i]);
			return;
		}
		add_stay(cols[i], seen, cap);
	}
}

const uint8_t (*plot_tasks(struct plot *p))[PLOT_TASK_CAPS + 1]
{
	const struct tasks *tasks = &p->model->log->tasks;
	bool fresh;
	uint8_t(*cols)[PLOT_TASK_CAPS + 1] = keep(p, PLOT_TASKS, sizeof *cols, &fresh);
	for (size_t k = 0; fresh && k < tasks_count(tasks); k++)
		for (int i = 0; i < p->cols; i++)
			add_task(p, cols, tasks_at(tasks, k), i);
	return (const uint8_t(*)[PLOT_TASK_CAPS + 1]) cols;
}

const struct message_column *plot_messages(struct plot *p)
{
	const struct evl_log *log = p->model->log;
	bool fresh;
	struct message_column *cols = keep(p, PLOT_MESSAGES, sizeof *cols, &fresh);
	if (fresh)
		messages_columns(&log->messages, &log->blocks, log->tiles, p->t0, p->t1, p->cols, cols);
	return cols;
}
