/* tasks.h - tasks (OS threads of the run-time system) and the capability each was on over time.
 *
 * Ids are those of the log: addresses, reused after a task has ended. So a task begins with TASK_CREATE (or, if it
 * is older than the log, its first TASK_MIGRATE) and ends with TASK_DELETE. They are few: past MAX_TASKS and
 * MAX_TASK_MOVES the rest is counted. One writer at a time, any number of readers. */
#ifndef EVL_TASKS_H
#define EVL_TASKS_H

#include "base/image.h"
#include "base/rows.h"
#include "format/frame.h"

enum { MAX_TASKS = 1024, MAX_TASK_MOVES = 1 << 17, TASK_SLOTS = 2 * MAX_TASKS };

/* From t on the task is on this capability. */
struct task_move {
	uint64_t t;
	uint16_t cap;
};

struct task {
	uint64_t id;
	uint64_t os_thread;    /* 0: unknown */
	uint64_t born;         /* 0: before the log */
	_Atomic uint64_t died; /* 0: not yet, or it was still there at the end */
	struct rows moves;     /* struct task_move, in order of time; at least one */
	const struct task
		*earlier; /* the task that its OS thread had before, if it left the run-time system and came back */
	size_t thread;    /* which OS thread it is */
};

struct tasks {
	_Atomic(struct task *) *items;   /* MAX_TASKS */
	_Atomic(struct task *) *threads; /* the latest task of each OS thread; MAX_TASKS */
	_Atomic size_t n, n_threads;
	_Atomic uint64_t more; /* events that were not kept */
	uint32_t *slots;       /* of the writer: the latest task of an id, + 1; TASK_SLOTS */
	size_t moves;
};

int tasks_init(struct tasks *t) EVL_MUST_USE;
void tasks_free(struct tasks *t);

/* Does it look at events with this tag? */
bool tasks_wants(uint16_t tag);

/* Feed an event, in order of time. */
void tasks_event(struct tasks *t, const struct frame *f);

size_t tasks_count(const struct tasks *t);
const struct task *tasks_at(const struct tasks *t, size_t i); /* i < tasks_count; in order of their first event */

/* OS threads, in order of their first event: how many, and the latest task of one, which leads to its earlier ones. */
size_t tasks_threads(const struct tasks *t);
const struct task *tasks_of_thread(const struct tasks *t, size_t i);

/* Activity of a task in [t0, t1). */
struct task_column {
	bool alive;        /* it was there for some of it */
	size_t moves;      /* from one capability to another in it */
	uint64_t split;    /* the last of them */
	uint16_t from, to; /* capabilities at both ends (of the part that it was there for) */
};
struct task_column tasks_column(const struct task *task, uint64_t t0, uint64_t t1);

/* The same of an OS thread, by its latest task. To return as another task on another capability is a move. */
struct task_column tasks_thread_column(const struct task *latest, uint64_t t0, uint64_t t1);

/* Return the last task of an OS thread that began at t or before; if there is none, its first. */
const struct task *tasks_then(const struct task *latest, uint64_t t);

/* Get the capability that a task has at t, and when it gets and leaves it (UINT64_MAX: never). Return false if it has none. */
bool tasks_stay(const struct task *task, uint64_t t, uint16_t *cap, uint64_t *from, uint64_t *to);

/* To or from a file (image.h). */
void tasks_image(struct image *im, struct tasks *t);

#endif
