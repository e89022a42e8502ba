#include "query/path_threads.h"

#include "base/minheap.h"
#include "base/order.h"
#include "index/chain_seek.h"
#include "query/sched_back.h"

#include <stdlib.h>

enum { CREATORS_MOST = 100, OLDEST_MOST = 1 << 12 };

void path_threads_free(struct path_threads *p)
{
	idmap_free(&p->roles);
	free(p->creations);
	*p = (struct path_threads){0};
}

enum path_role path_role_by_label(struct evl_str label)
{
	enum thread_title title = thread_title_of(label);
	return title == TITLE_TIMER ? ROLE_TIMER : title == TITLE_IO ? ROLE_IO : ROLE_PROGRAM;
}

/* --- labels --- */

static void look_at_label(void *ctx, uint32_t id, const struct thread_row *row)
{
	struct path_threads *p = ctx;
	if (!p->managers && load_relaxed(&row->label))
		p->managers = path_role_by_label(evl_label(p->log, id)) != ROLE_PROGRAM;
}

/* Creators need not be found if no thread has the label of a manager. */
static bool has_managers(struct path_threads *p)
{
	size_t n;
	const struct thread_titled *titled = threads_titled(&p->log->threads, &n);
	if (!p->looked && !titled)
		threads_all(&p->log->threads, look_at_label, p);
	for (size_t i = 0; !p->looked && titled && i < n; i++)
		p->managers = p->managers || titled[i].title == TITLE_TIMER || titled[i].title == TITLE_IO;
	p->looked = true;
	return p->managers;
}

enum path_role path_role_of(struct path_threads *p, uint32_t thread)
{
	uint32_t chain[CREATORS_MOST], known = ROLE_PROGRAM;
	size_t n = 0;
	if (!has_managers(p))
		return ROLE_PROGRAM;
	for (uint32_t id = thread; id && n < CREATORS_MOST; id = sched_creator(p->log, &p->creations, id)) {
		bool noted = idmap_find(&p->roles, id, &known);
		if (!noted)
			known = path_role_by_label(evl_label(p->log, id));
		chain[n++] = id;
		if (noted || known != ROLE_PROGRAM)
			break;
	}
	for (; n > 0; n--) {
		p->failed = p->failed || !idmap_put(&p->roles, chain[n - 1], known);
		if (n > 1 && known != ROLE_PROGRAM)
			known = ROLE_OF_MANAGER;
	}
	return (enum path_role)known;
}

/* --- the main thread --- */

/* Threads that lived longest, first in the order of age: a heap with the shortest life on top. */
struct oldest {
	struct path_threads *p;
	uint64_t last; /* of the log */
	bool by_label; /* the labels of all threads have to be read */
	uint32_t named;
	uint32_t *running; /* threads that run at the end of the log: their runs are not counted */
	size_t n_running;
	size_t n;
	struct old {
		uint64_t lived, born;
		uint32_t thread;
	} items[OLDEST_MOST];
};

static bool older(const struct old *a, const struct old *b)
{
	return a->lived != b->lived ? a->lived > b->lived : a->thread < b->thread;
}

#define IS_YOUNGER(a, b) older(&(b), &(a))

static void keep(struct oldest *o, const struct old *item)
{
	if (o->n < OLDEST_MOST) {
		o->items[o->n++] = *item;
		if (o->n == OLDEST_MOST)
			MINHEAP_MAKE(o->items, o->n, IS_YOUNGER);
	} else if (older(item, &o->items[0])) {
		o->items[0] = *item;
		MINHEAP_SIFT(o->items, o->n, 0, IS_YOUNGER);
	}
}

static bool ever_ran(const struct oldest *o, uint32_t id, const struct thread_row *row)
{
	bool ran = load_relaxed(&row->runs);
	for (size_t i = 0; !ran && i < o->n_running; i++)
		ran = o->running[i] == id;
	return ran;
}

static void look_at_thread(void *ctx, uint32_t id, const struct thread_row *row)
{
	struct oldest *o = ctx;
	uint64_t born = load_relaxed(&row->born), died = load_relaxed(&row->died);
	bool labelled = load_relaxed(&row->label);
	if (o->by_label && labelled && !o->named && thread_title_of(evl_label(o->p->log, id)) == TITLE_MAIN)
		o->named = id;
	if (!o->named && born && ever_ran(o, id, row))
		keep(o, &(struct old){sub_or_0(died ? died : o->last, born), born, id});
}

COMPARE_BY(by_age, struct old, older(y, x) - older(x, y));

/* The threads that run on any capability at the end of the log. False when memory is out. */
static bool find_running(struct oldest *o)
{
	const struct evl_log *log = o->p->log;
	o->running = calloc(log->n_caps + 1, sizeof *o->running);
	for (size_t i = 0; o->running && i < log->n_caps; i++) {
		struct sched_back s;
		const struct sched_back_event *e = NULL;
		bool good = sched_back_begin_cap(&s, log, i);
		while (good && (e = sched_back_next(&s)) && e->kind != SCHED_RUN && e->kind != SCHED_STOP)
			;
		if (e && e->kind == SCHED_RUN)
			o->running[o->n_running++] = e->thread;
		o->p->failed = o->p->failed || !good || s.failed;
		sched_back_free(&s);
	}
	return o->running;
}

ORDER_BY(by_thread, struct thread_titled, thread);

/* Return the first thread that is labelled as the main thread. Labels are all over the log: few are read. */
static uint32_t named_main(struct path_threads *p, const struct thread_titled *titled, size_t n)
{
	uint32_t found = 0;
	size_t kept = 0;
	struct thread_titled *sorted = malloc((n + 1) * sizeof *sorted);
	p->failed = p->failed || !sorted;
	if (!sorted)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (titled[i].title == TITLE_MAIN)
			sorted[kept++] = titled[i];
	qsort(sorted, kept, sizeof *sorted, by_thread);
	for (size_t i = 0; i < kept && !found; i++)
		if (threads_seen(&p->log->threads, sorted[i].thread)
			&& thread_title_of(evl_label(p->log, sorted[i].thread)) == TITLE_MAIN)
			found = sorted[i].thread;
	free(sorted);
	return found;
}

/* Return the first of n threads that no other thread created and that is no manager; 0: none. */
static uint32_t first_uncreated(struct path_threads *p, const struct old *items, size_t n, const struct progress *watch)
{
	struct sched_creation *created = calloc(n, sizeof *created);
	uint32_t found = 0;
	p->failed = p->failed || !created;
	for (size_t i = 0; created && i < n; i++)
		created[i] = (struct sched_creation){.born = items[i].born, .thread = items[i].thread, .rank = i};
	if (created)
		sched_creators(p->log, created, n, watch);
	for (size_t i = 0, rank = n; created && i < n && !progress_cancelled(watch); i++)
		if (created[i].creator == 0 && created[i].rank < rank && !path_is_manager(p, created[i].thread)) {
			rank = created[i].rank;
			found = created[i].thread;
		}
	free(created);
	return found;
}

uint32_t path_main_thread(struct path_threads *p, const struct progress *watch)
{
	uint64_t first;
	size_t n;
	const struct thread_titled *titled = threads_titled(&p->log->threads, &n);
	uint32_t found = titled ? named_main(p, titled, n) : 0;
	if (found)
		return found;
	struct oldest *o = malloc(sizeof *o);
	if (o)
		*o = (struct oldest){.p = p, .by_label = !titled};
	p->failed = p->failed || !o || !find_running(o);
	bool good = !p->failed && evl_range(p->log, &first, &o->last);
	if (good && !titled)
		threads_all(&p->log->threads, look_at_thread, o);
	for (size_t i = 0; good && titled && i < n; i++)
		if (titled[i].title == TITLE_ROOT && threads_seen(&p->log->threads, titled[i].thread))
			look_at_thread(o, titled[i].thread, threads_find(&p->log->threads, titled[i].thread));
	if (o) {
		found = o->named;
		qsort(o->items, o->n, sizeof *o->items, by_age);
		for (size_t i = 0, most = 1; !found && i < o->n && !progress_cancelled(watch); i += most, most *= 4)
			found = first_uncreated(p, o->items + i, min_u64(most, o->n - i), watch);
		free(o->running);
	}
	free(o);
	return found;
}

/* Report whether an event of any capability names the thread. */
static bool is_named(struct path_threads *p, uint32_t thread, const struct progress *watch)
{
	bool found = false;
	for (size_t i = 0; !found && i < p->log->n_caps && !progress_cancelled(watch); i++) {
		struct sched_back s;
		const struct sched_back_event *e;
		p->failed = !sched_back_begin_cap(&s, p->log, i) || p->failed;
		while (!p->failed && !found && (e = sched_back_next(&s)) && !progress_cancelled(watch))
			found = e->thread == thread;
		p->failed = p->failed || s.failed;
		sched_back_free(&s);
	}
	return found;
}

bool path_thread_is_known(struct path_threads *p, uint32_t thread, const struct progress *watch)
{
	const struct thread_row *row = threads_find(&p->log->threads, thread);
	bool counted = row
		&& (load_relaxed(&row->born) || load_relaxed(&row->died) || load_relaxed(&row->label)
			|| load_relaxed(&row->runs));
	return counted || is_named(p, thread, watch);
}

/* The last run of a capability; one without length is none. */
static bool last_run_of(struct path_threads *p, size_t cap, uint64_t last, uint32_t *thread, uint64_t *end)
{
	struct sched_back s;
	const struct sched_back_event *e;
	bool found = false;
	uint64_t until = min_u64(last, chain_seek_open_until(&p->log->tiles[p->log->cap_chains[cap]]));
	p->failed = !sched_back_begin_cap(&s, p->log, cap) || p->failed;
	if (!p->failed)
		while (!found && (e = sched_back_next(&s))) {
			if (e->kind == SCHED_RUN && e->t < until) {
				*thread = e->thread;
				*end = until;
				found = true;
			}
			if (e->kind == SCHED_RUN || e->kind == SCHED_STOP)
				until = e->t;
		}
	p->failed = p->failed || s.failed;
	sched_back_free(&s);
	return found;
}

bool path_last_run(struct path_threads *p, uint32_t *thread, uint64_t *end)
{
	uint64_t first, last, until;
	uint32_t who;
	bool found = false;
	bool any = evl_range(p->log, &first, &last);
	for (size_t i = 0; any && i < p->log->n_caps; i++) {
		if (!last_run_of(p, i, last, &who, &until)
			|| (found && (until < *end || (until == *end && who > *thread))))
			continue;
		*thread = who;
		*end = until;
		found = true;
	}
	return found;
}
