/* tasks.h - tasks (OS threads of the run-time system), and the capability that each was on over time
 *
 * The log identifies a task by an address, which is reused after the task has ended. A task therefore starts with
 * TASK_CREATE (or its first TASK_MIGRATE, if it is older than the log) and ends with TASK_DELETE. Programs have few
 * tasks: events past MAX_TASKS tasks and MAX_TASK_MOVES moves are only counted. One writer at a time, any number of
 * readers. Times are in ns.
 *
 * Not every move is logged. A worker stays on its capability; but an OS thread that called into Haskell follows its
 * bound thread, and GHC logs a TASK_MIGRATE only when capabilities are disabled, not when it balances their queues. So the
 * capability is unknown (TASK_NO_CAP) if threads migrated, unless the task is a worker: one that takes over its capability
 * without creating a thread first. It is unknown, too, if a move is from another capability than the last one led to. */
#ifndef EVL_TASKS_H
#define EVL_TASKS_H

#include "base/image.h"
#include "base/rows.h"
#include "format/frame.h"
#include "index/tiles.h"

enum { TASK_NO_CAP = EVL_NO_CAP, MAX_TASKS = 1024, MAX_TASK_MOVES = 1 << 17, TASK_SLOTS = 2 * MAX_TASKS };

/* From time t on, the task is on this capability. */
struct task_move {
	uint64_t t;
	uint16_t cap, unused[3]; /* no bytes without a value: the cache of indexes keeps them, too */
};

/* A task. One OS thread can be several tasks, one after another. */
struct task {
	uint64_t id;
	uint64_t os_thread;    /* 0: unknown */
	uint64_t born;         /* 0: before the log */
	_Atomic uint64_t died; /* 0: still there at the end */
	struct rows moves;     /* struct task_move, in time order; at least one */
	atomic_bool roams;     /* it may have moved, or did (strays), without a logged move */
	bool strays;
	/* The previous task of the same OS thread, which left the run-time system and came back; NULL: none. */
	const struct task *earlier;
	size_t thread; /* number of its OS thread, from 0 */
};

struct tasks {
	_Atomic(struct task *) *items;   /* MAX_TASKS pointers */
	_Atomic(struct task *) *threads; /* latest task of each OS thread; MAX_TASKS pointers */
	_Atomic size_t n, n_threads;
	_Atomic uint64_t more; /* events not kept */
	uint32_t *slots;       /* hash table of TASK_SLOTS: latest task of an id, + 1; used by the writer only */
	size_t moves;
};

/* Allocate the tables. Return 0 or EVL_NOMEM. */
int tasks_init(struct tasks *t) EVL_MUST_USE;
void tasks_free(struct tasks *t);

/* Return whether tasks_event uses events of this type. */
bool tasks_wants(uint16_t tag);

/* Add an event to the table. Call it in time order. */
void tasks_event(struct tasks *t, const struct frame *f);

/* Report whether tasks_event will only count the event, whatever comes before it: the table is full, and the task unknown or
 * ended. Any thread may call it. tasks_count_more counts n such events instead. */
bool tasks_is_past(const struct tasks *t, const struct frame *f);
void tasks_count_more(struct tasks *t, uint64_t n);

/* When all of the log is indexed: find the tasks that cannot have moved unnoticed; until then any may have. Worker threads
 * share them. */
struct tasks_settling {
	struct tasks *tasks;
	const struct blocks *blocks;
	const struct tile_table *tables;
	bool runs;           /* the log has scheduler events */
	bool migrates;       /* threads migrated, or may have in a log without scheduler events */
	int workers;         /* as for workers_for */
	_Atomic size_t next; /* private: the task to look at next */
};
void tasks_settle(struct tasks_settling *s);

/* Return the number of tasks, or task i. */
size_t tasks_count(const struct tasks *t);
const struct task *tasks_at(const struct tasks *t, size_t i); /* i < tasks_count; ordered by first event */

/* Return the number of OS threads, or the latest task of OS thread i; its `earlier` leads to the previous tasks. OS
 * threads are ordered by their first event. */
size_t tasks_threads(const struct tasks *t);
const struct task *tasks_of_thread(const struct tasks *t, size_t i);

/* Activity of a task, or an OS thread, in [t0, t1). */
struct task_column {
	bool alive;        /* it existed for part of the interval */
	size_t moves;      /* number of logged moves to another capability */
	uint64_t split;    /* time of the last move */
	uint16_t from, to; /* capability at the two ends of its time in the interval, or TASK_NO_CAP */
};
/* Return the activity of a task. */
struct task_column tasks_column(const struct task *task, uint64_t t0, uint64_t t1);

/* Get the same for an OS thread, given its latest task. Returning as a new task on another capability counts as a
 * move. */
struct task_column tasks_thread_column(const struct task *latest, uint64_t t0, uint64_t t1);

/* Return the OS thread's last task that started at or before t; if there is none, its first task. */
const struct task *tasks_then(const struct task *latest, uint64_t t);

/* Get the capability of a task at t (TASK_NO_CAP: unknown), and the interval [*from, *to) between its logged moves (*to is
 * UINT64_MAX if there is none to the end). Return false if the task does not exist then. */
bool tasks_stay(const struct task *task, uint64_t t, uint16_t *cap, uint64_t *from, uint64_t *to);

/* Return where the log last said that a task that exists at t came to; NULL: it does not exist then. */
const struct task_move *tasks_came(const struct task *task, uint64_t t);

/* Save to, or load from, the index cache (image.h). */
void tasks_image(struct image *im, struct tasks *t);

#endif
