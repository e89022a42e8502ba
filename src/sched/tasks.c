#include "sched/tasks.h"

#include "format/schema.h"
#include "index/cursor.h"
#include "sys/worker.h"

#include <stdlib.h>

enum { CAP_AT = 8, OS_THREAD_AT = 10, OLD_CAP_AT = 8, NEW_CAP_AT = 10 }; /* after the task's id */

int tasks_init(struct tasks *t)
{
	*t = (struct tasks){.items = calloc(MAX_TASKS, sizeof *t->items),
		.threads = calloc(MAX_TASKS, sizeof *t->threads),
		.slots = calloc(TASK_SLOTS, sizeof *t->slots)};
	return t->items && t->threads && t->slots ? 0 : EVL_NOMEM;
}

size_t tasks_count(const struct tasks *t) { return load_acquire(&t->n); }

static struct task *task_at(const struct tasks *t, size_t i) { return load_acquire(&t->items[i]); }

const struct task *tasks_at(const struct tasks *t, size_t i) { return task_at(t, i); }

size_t tasks_threads(const struct tasks *t) { return load_acquire(&t->n_threads); }

const struct task *tasks_of_thread(const struct tasks *t, size_t i) { return load_acquire(&t->threads[i]); }

void tasks_free(struct tasks *t)
{
	for (size_t i = 0; t->items && i < tasks_count(t); i++) {
		struct task *task = task_at(t, i);
		rows_free(&task->moves);
		free(task);
	}
	free_all(t->items, t->threads, t->slots);
	*t = (struct tasks){0};
}

/* The slot of an id: where it is, or where it may go. There are twice as many as tasks, so one is always free. */
static uint32_t *slot_of(const struct tasks *t, uint64_t id)
{
	uint64_t at = (id ^ id >> 29) * 0x9e3779b97f4a7c15 >> 40;
	while (t->slots[at % TASK_SLOTS] && task_at(t, t->slots[at % TASK_SLOTS] - 1)->id != id)
		at++;
	return &t->slots[at % TASK_SLOTS];
}

static const struct task_move *move_at(const struct task *task, size_t i) { return rows_at(&task->moves, i); }

static bool add_move(struct tasks *t, struct task *task, uint64_t at, uint16_t cap)
{
	struct task_move move = {.t = at, .cap = cap};
	size_t n = rows_count(&task->moves);
	bool in_order = n == 0 || move_at(task, n - 1)->t <= at;
	if (!in_order || t->moves >= MAX_TASK_MOVES || !rows_add(&task->moves, &move))
		return false;
	t->moves++;
	return true;
}

/* Find the OS thread of a task that is about to be added. */
static void join_thread(struct tasks *t, struct task *task)
{
	size_t at = 0, n = tasks_threads(t);
	while (at < n && (task->os_thread == 0 || tasks_of_thread(t, at)->os_thread != task->os_thread))
		at++;
	task->thread = at;
	task->earlier = at < n ? tasks_of_thread(t, at) : NULL;
	store_release(&t->threads[at], task);
	if (at == n)
		store_release(&t->n_threads, n + 1);
}

static bool add_task(struct tasks *t, uint64_t id, uint64_t os_thread, uint64_t born, uint16_t cap)
{
	size_t n = tasks_count(t);
	struct task *task = n < MAX_TASKS ? oom_note(calloc(1, sizeof *task)) : NULL;
	if (!task)
		return false;
	rows_init(&task->moves, sizeof(struct task_move));
	task->id = id;
	task->os_thread = os_thread;
	task->born = born;
	if (!add_move(t, task, born, cap)) {
		rows_free(&task->moves);
		free(task);
		return false;
	}
	store_release(&task->roams, true);
	*slot_of(t, id) = (uint32_t)n + 1; /* before the task is at its place: the slot is looked up by id */
	join_thread(t, task);
	store_release(&t->items[n], task);
	store_release(&t->n, n + 1);
	return true;
}

/* The living task of an id, or NULL. */
static struct task *living(const struct tasks *t, uint64_t id)
{
	uint32_t slot = *slot_of(t, id);
	struct task *task = slot ? task_at(t, slot - 1) : NULL;
	return task && load_relaxed(&task->died) == 0 ? task : NULL;
}

static void end_task(struct task *task, uint64_t at) { store_release(&task->died, max_u64(at, 1)); }

static bool take(struct tasks *t, const struct frame *f)
{
	const uint8_t *p = f->payload.p;
	uint64_t id = be64(p);
	struct task *task = living(t, id);
	if (f->tag == EVL_TASK_CREATE) {
		if (task) /* its end was lost */
			end_task(task, f->t);
		return add_task(t, id, be64(p + OS_THREAD_AT), f->t, be16(p + CAP_AT));
	}
	if (f->tag == EVL_TASK_DELETE) {
		if (task)
			end_task(task, f->t);
		return task != NULL;
	}
	if (!task && !(add_task(t, id, 0, 0, be16(p + OLD_CAP_AT)) && (task = living(t, id)) != NULL))
		return false;
	task->strays = task->strays || move_at(task, rows_count(&task->moves) - 1)->cap != be16(p + OLD_CAP_AT);
	return add_move(t, task, f->t, be16(p + NEW_CAP_AT));
}

bool tasks_wants(uint16_t tag) { return tag == EVL_TASK_CREATE || tag == EVL_TASK_MIGRATE || tag == EVL_TASK_DELETE; }

void tasks_count_more(struct tasks *t, uint64_t n) { atomic_fetch_add_explicit(&t->more, n, memory_order_relaxed); }

void tasks_event(struct tasks *t, const struct frame *f)
{
	if (tasks_wants(f->tag) && !take(t, f))
		tasks_count_more(t, 1);
}

bool tasks_is_past(const struct tasks *t, const struct frame *f)
{
	return tasks_count(t) == MAX_TASKS && !living(t, be64(f->payload.p));
}

/* The time of the next task that was created on the same capability. */
static uint64_t next_on(const struct tasks *t, size_t i)
{
	const struct task *task = task_at(t, i);
	while (++i < tasks_count(t))
		if (task_at(t, i)->born >= task->born && move_at(task_at(t, i), 0)->cap == move_at(task, 0)->cap)
			return task_at(t, i)->born;
	return UINT64_MAX;
}

/* Return whether a task takes over its capability without creating a thread first. Until it lets go of the capability, the
 * events there are its own; if it does so without any, the next ones are those of others. */
static bool is_worker(const struct tasks *t, size_t i, const struct blocks *b, const struct tile_table *tables)
{
	const struct task *task = task_at(t, i);
	const uint16_t cap = move_at(task, 0)->cap;
	const uint32_t chain = cap <= MAX_CAP ? b->chain_of[cap] : 0;
	const size_t ready = chain ? load_acquire(&tables[chain - 1].ready) : 0;
	enum { MOST = 1 << 16 }; /* events of a tile, and more: after them, times are not in order */
	struct blocks whole = *b;
	struct cursor c;
	struct cursor_hit hits[CURSOR_HITS];
	if (task->born == 0 || ready == 0)
		return false;
	whole.fetch = NULL; /* wait for the disk: this is not the thread that draws */
	cursor_begin(&c, &whole, &b->chains[chain - 1], load_acquire(&tables[chain - 1].walked));
	cursor_seek(&c, tables[chain - 1].tiles[tiles_before(&tables[chain - 1], ready, task->born)].off);
	for (size_t seen = 0, n; seen < MOST && (n = cursor_list_of(&c, UINT64_MAX, UINT64_MAX, hits)) > 0; seen += n)
		for (size_t k = 0; k < n; k++)
			if (hits[k].t >= task->born && hits[k].tag != EVL_BLOCK_MARKER)
				return hits[k].tag != EVL_CREATE_THREAD || hits[k].t >= next_on(t, i);
	return false;
}

static void *settle(void *arg)
{
	struct tasks_settling *s = arg;
	for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < tasks_count(s->tasks);) {
		struct task *task = task_at(s->tasks, i);
		bool bound = s->migrates
			&& (!s->runs || rows_count(&task->moves) > 1 || !is_worker(s->tasks, i, s->blocks, s->tables));
		store_release(&task->roams, task->strays || bound);
	}
	return NULL;
}

void tasks_settle(struct tasks_settling *s)
{
	enum { A_WORKER = 64 }; /* tasks; to find out about one takes some microseconds */
	workers_share((int)min_u64((uint64_t)workers_for(s->workers), tasks_count(s->tasks) / A_WORKER + 1), settle, s);
}

static uint64_t death(const struct task *task)
{
	uint64_t died = load_acquire(&task->died);
	return died ? died : UINT64_MAX;
}

/* The moves before t. */
static size_t moves_before(const struct task *task, uint64_t t)
{
	return rows_first_at(&task->moves, rows_count(&task->moves), offsetof(struct task_move, t), t);
}

/* The capability after move i. */
static uint16_t cap_after(const struct task *task, size_t i)
{
	return load_acquire(&task->roams) ? TASK_NO_CAP : move_at(task, i)->cap;
}

struct task_column tasks_column(const struct task *task, uint64_t t0, uint64_t t1)
{
	struct task_column col = {0};
	if (task->born >= t1 || death(task) <= t0)
		return col;
	size_t from = moves_before(task, t0 + 1), to = moves_before(task, t1);
	from = from ? from : 1; /* the first row is no move */
	to = to > from ? to : from;
	col.alive = true;
	col.moves = to - from;
	col.from = cap_after(task, from - 1);
	col.to = cap_after(task, to - 1);
	col.split = move_at(task, to - 1)->t;
	return col;
}

struct task_column tasks_thread_column(const struct task *latest, uint64_t t0, uint64_t t1)
{
	struct task_column all = {0};
	for (const struct task *task = latest; task && death(task) > t0; task = task->earlier) {
		struct task_column col = tasks_column(task, t0, t1);
		if (!col.alive)
			continue;
		bool moves = all.alive && col.to != all.from && col.to != TASK_NO_CAP && all.from != TASK_NO_CAP;
		all.split = all.alive ? all.split : col.split;
		all.to = all.alive ? all.to : col.to;
		all.from = col.from;
		all.moves += col.moves + moves;
		all.alive = true;
	}
	return all;
}

const struct task *tasks_then(const struct task *latest, uint64_t t)
{
	while (latest->born > t && latest->earlier)
		latest = latest->earlier;
	return latest;
}

const struct task_move *tasks_came(const struct task *task, uint64_t t)
{
	size_t n = moves_before(task, t + 1);
	return t < task->born || t >= death(task) || n == 0 ? NULL : move_at(task, n - 1);
}

bool tasks_stay(const struct task *task, uint64_t t, uint16_t *cap, uint64_t *from, uint64_t *to)
{
	size_t n = moves_before(task, t + 1);
	if (!tasks_came(task, t))
		return false;
	*cap = cap_after(task, n - 1);
	*from = move_at(task, n - 1)->t;
	*to = n < rows_count(&task->moves) ? min_u64(move_at(task, n)->t, death(task)) : death(task);
	return true;
}

/* Before its tasks are copied one by one: the table has none. */
static void own(struct image *im, struct tasks *t)
{
	image_own(im, (void **)&t->items, MAX_TASKS, sizeof *t->items);
	image_own(im, (void **)&t->threads, MAX_TASKS, sizeof *t->threads);
	image_own(im, (void **)&t->slots, TASK_SLOTS, sizeof *t->slots);
	atomic_store(&t->n, 0);
	atomic_store(&t->n_threads, 0);
}

void tasks_image(struct image *im, struct tasks *t)
{
	size_t n = im->loads ? 0 : tasks_count(t);
	if (im->loads)
		*t = (struct tasks){.items = image_new(im, MAX_TASKS, sizeof *t->items),
			.threads = image_new(im, MAX_TASKS, sizeof *t->threads)};
	if (im->copies)
		own(im, t);
	image_size(im, &n, MAX_TASKS);
	for (size_t i = 0; t->items && t->threads && i < n; i++) {
		struct task *task = im->loads ? image_new(im, 1, sizeof *task) : task_at(t, i);
		image_own(im, (void **)&task, 1, sizeof *task);
		if (!task)
			return;
		IMAGE_VALUE(im, task->id);
		IMAGE_VALUE(im, task->os_thread);
		IMAGE_VALUE(im, task->born);
		IMAGE_VALUE(im, task->died);
		image_flag(im, &task->roams);
		image_rows(im, &task->moves, sizeof(struct task_move));
		image_require(im, rows_count(&task->moves) > 0);
		if (image_fills(im)) {
			join_thread(t, task);
			atomic_store(&t->items[i], task);
		}
		if (im->copies) /* tasks_free frees these, even if memory runs out later */
			atomic_store(&t->n, i + 1);
	}
	IMAGE_VALUE(im, t->more);
	if (image_fills(im) && !im->bad)
		atomic_store(&t->n, n);
}
