/* rows_log.c - tables of the log itself: tasks, blocks, what it is, and the cost centres of its profile. */
#include "format/decode.h"
#include "prof/prof_centres.h"
#include "rows/rows_private.h"
#include "sys/system.h"

#include <stdlib.h>

/* --- tasks ---------------------------------------------------------------------------------------------------------- */

static int open_tasks(struct rows_scan *s, UNUSED void *state)
{
	s->end = tasks_count(&s->source->log->tasks);
	return 0;
}

static struct datum cell_of_tasks(struct rows_scan *s, int column)
{
	const struct task *t = tasks_at(&s->source->log->tasks, s->at - 1);
	uint64_t died = atomic_load(&t->died);
	size_t moves = rows_count(&t->moves);
	switch (column) {
	case tasks_TASK: return cell_count(t->id);
	case tasks_OS_THREAD: return cell_known(t->os_thread, t->os_thread);
	case tasks_BORN: return cell_known(t->born, t->born);
	case tasks_DIED: return cell_known(died, died);
	case tasks_CAP:
		return cell_known(moves && !atomic_load(&t->roams),
			moves ? ((struct task_move *)rows_at(&t->moves, moves - 1))->cap : 0);
	default: return cell_count(sub_or_0(moves, 1));
	}
}

const struct rows_table rows_tasks = {
	ROWS_OF_DEF(tasks), .open = open_tasks, .next = rows_count_up, .cell = cell_of_tasks};

/* --- blocks --------------------------------------------------------------------------------------------------------- */

static int open_blocks(struct rows_scan *s, UNUSED void *state)
{
	s->own = calloc(1, sizeof(struct block));
	return s->own ? 0 : EVL_NOMEM;
}

static int next_block(struct rows_scan *s)
{
	const struct blocks *b = &s->source->log->blocks;
	struct block *block = s->own;
	bool more = s->at++ == 0 ? blocks_first(b, block) : blocks_next(b, block);
	while (more && block->head && (block->end_t < s->source->from || block->t >= s->source->to))
		more = blocks_next(b, block);
	return more;
}

static struct datum cell_of_blocks(struct rows_scan *s, int column)
{
	const struct block *block = s->own;
	uint16_t cap = s->source->log->blocks.chains[block->chain].cap;
	switch (column) {
	case blocks_OFFSET: return cell_count(block->off);
	case blocks_BYTES: return cell_count(block->len);
	case blocks_CAP: return cell_known(cap != EVL_NO_CAP, cap);
	case blocks_T: return cell_known(block->head, block->t);
	default: return cell_known(block->head, block->end_t);
	}
}

static void close_block(struct rows_scan *s)
{
	free(s->own);
	s->own = NULL;
}

const struct rows_table rows_blocks = {
	ROWS_OF_DEF(blocks), .open = open_blocks, .next = next_block, .cell = cell_of_blocks, .close = close_block};

/* --- the log -------------------------------------------------------------------------------------------------------- */

static int open_logs(struct rows_scan *s, UNUSED void *state)
{
	s->end = 1;
	return 0;
}

static struct datum arguments_of(struct rows_scan *s, struct evl_str args)
{
	struct evl_str arg;
	size_t at = s->scratch.len;
	for (bool any = false; decode_next_str(&args, &arg); any = true) {
		if (any)
			buf_char(&s->scratch, ' ');
		buf_str(&s->scratch, arg);
	}
	return cell_name(buf_since(&s->scratch, at));
}

static uint64_t events_of(const struct evl_log *log)
{
	const struct event_counts_counts *tags = &log->event_counts.tags;
	uint64_t n = 0;
	for (unsigned i = 0; i < tags->end; i++)
		n += tags->n[i];
	return n;
}

static struct datum cell_of_logs(struct rows_scan *s, int column)
{
	const struct evl_log *log = s->source->log;
	struct program_facts facts = program_get(&log->program);
	uint64_t first, last;
	bool any = evl_range(log, &first, &last);
	switch (column) {
	case logs_PATH: return cell_cstr(log->path);
	case logs_PROGRAM: return cell_name(program_program(&facts));
	case logs_ARGUMENTS: return arguments_of(s, facts.program);
	case logs_RTS: return cell_name(facts.rts);
	case logs_WALL_START: return cell_known(facts.wall_ns, facts.wall_ns);
	case logs_FIRST: return cell_known(any, first);
	case logs_LAST: return cell_known(any, last);
	case logs_CAPS: return cell_count(log->n_caps);
	case logs_BYTES: return cell_count(log->source.len);
	case logs_EVENTS: return cell_count(events_of(log));
	default: return cell_count(evl_unfinished(log));
	}
}

const struct rows_table rows_logs = {ROWS_OF_DEF(logs), .open = open_logs, .next = rows_count_up, .cell = cell_of_logs};

/* --- cost centres --------------------------------------------------------------------------------------------------- */

struct centres {
	struct prof_centres sums;
	uint32_t *sampled; /* names, n of them, most samples first */
	size_t n;
	uint64_t interval;
};

static void unmake_centres(void *state)
{
	struct centres *c = state;
	prof_centres_free(&c->sums);
	free_all(c->sampled, c);
}

static int make_centres(struct rows_source *s, UNUSED bool deep, void **state)
{
	struct centres *c = *state = calloc(1, sizeof *c);
	const struct prof *p = evl_profile(s->log);
	if (!c)
		return EVL_NOMEM;
	c->interval = prof_interval(p);
	const struct prof_naming naming = evl_naming(s->log);
	int result = prof_samples(p) ? prof_centres_make(&c->sums, p, &naming, s->from, s->to, true, s->cancel) : 0;
	c->sampled = calloc(c->sums.names.n + 1, sizeof *c->sampled);
	if (result < 0 || !c->sampled) {
		unmake_centres(c);
		return result < 0 ? result : EVL_NOMEM;
	}
	for (uint32_t i = 0; i < c->sums.names.n; i++)
		if (c->sums.incl[i])
			c->sampled[c->n++] = i;
	if (c->n)
		sys_sort(c->sampled, c->n, sizeof *c->sampled, prof_centres_order, &c->sums);
	return 0;
}

static int open_centres(struct rows_scan *s, void *state)
{
	const struct centres *c = s->own = state;
	s->end = c->n;
	return 0;
}

static struct datum cell_of_centres(struct rows_scan *s, int column)
{
	const struct centres *c = s->own;
	const struct prof_names *names = &c->sums.names;
	uint32_t name = c->sampled[s->at - 1];
	switch (column) {
	case centres_LABEL: return cell_name(prof_label(names, name));
	case centres_MODULE: return cell_name(prof_module(names, name));
	case centres_SOURCE: return cell_name(prof_location(names, name));
	case centres_SELF: return cell_count(c->sums.self[name]);
	case centres_INCL: return cell_count(c->sums.incl[name]);
	case centres_SELF_TIME: return cell_known(c->interval, c->sums.self[name] * c->interval);
	default: return cell_known(c->interval, c->sums.incl[name] * c->interval);
	}
}

const struct rows_table rows_centres = {ROWS_OF_DEF(centres), .make = make_centres, .unmake = unmake_centres,
	.open = open_centres, .next = rows_count_up, .cell = cell_of_centres, .of_profile = true};
