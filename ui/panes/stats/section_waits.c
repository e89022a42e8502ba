/* section_waits.c - Stats boxes of blocked threads, their wakers, and concurrency. */
#include "panes/stats/section.h"
#include "panes/stats/stats_tables.h"

#include <math.h>
#include <stdio.h>

/* --- blocked: a row for each reason, then those that woke the blocked, and the owners of black holes --- */

enum { WHO_SHOWN = 3 };

/* Kinds of row: a reason (is_who is false), or a thread below it; of more threads the last row has the rest (who.thread is
 * not set). */
struct blocked_at {
	const struct wait_reason *reason;
	struct wait_who who;
	bool is_who, owner, rest;
};

/* Did the owners of black holes wake those that were blocked on them? Then these rows would say the same twice. */
static bool owners_woke(const struct wait_reason *r)
{
	bool same = r->n_owners && r->n_owners == r->n_wakers;
	for (size_t i = 0; same && i < r->n_owners; i++)
		same = r->owners[i].thread == r->wakers[i].thread && r->owners[i].n == r->wakers[i].n
			&& r->owners[i].ns == r->wakers[i].ns;
	return same;
}

/* Find a row among those of the wakers or the owners. Return their number. */
static int find_who(const struct wait_reason *r, bool owner, int row, struct blocked_at *out)
{
	if (owner && owners_woke(r))
		return 0;
	const struct wait_who *all = owner ? r->owners : r->wakers;
	struct wait_who rest = {.n = r->n, .ns = r->ns};
	int n = (int)min_u64(owner ? r->n_owners : r->n_wakers, WHO_SHOWN);
	for (int i = 0; i < n; i++) {
		rest.n = sub_or_0(rest.n, all[i].n);
		rest.ns = sub_or_0(rest.ns, all[i].ns);
	}
	int rows = n + (n && rest.n);
	if (row >= 0 && row < rows)
		*out = (struct blocked_at){r, row < n ? all[row] : rest, true, owner, row == n};
	return rows;
}

static bool find_blocked(const struct stats_data *d, int row, struct blocked_at *out)
{
	const struct waits *w = d->f->waits;
	for (size_t i = 0; w && row >= 0 && i < w->n_reasons; i++) {
		const struct wait_reason *r = &w->reasons[i];
		*out = (struct blocked_at){.reason = r};
		if (row-- == 0)
			return true;
		row -= find_who(r, false, row, out);
		row -= row >= 0 ? find_who(r, true, row, out) : 0;
		if (row < 0)
			return true;
	}
	return false;
}

/* Threads are recorded and their waits are not read yet: a row says so. */
static bool is_pending(const struct stats_data *d) { return d->f->has_sched && !d->f->waits; }

static int blocked_rows(const struct stats_data *d)
{
	const struct waits *w = d->f->waits;
	int rows = is_pending(d);
	struct blocked_at none;
	for (size_t i = 0; w && i < w->n_reasons; i++)
		rows += 1 + find_who(&w->reasons[i], false, -1, &none) + find_who(&w->reasons[i], true, -1, &none);
	return rows;
}

static void blocked_head(const struct stats_data *d, struct line *l)
{
	if (is_pending(d))
		return;
	line_put(l, ST_DIM, false, "on, and woken by");
	section_right(l, ST_DIM, 8, "times");
	section_right(l, ST_DIM, 9, "total");
}

static void put_who(const struct stats_data *d, struct line *l, const struct blocked_at *at)
{
	enum { WIDTH = 22 };
	const char *word = at->owner || owners_woke(at->reason) ? "  owner " : "  by ";
	char by[64];
	const char *event = at->owner ? NULL : line_waited_for(d->log, at->who.thread);
	line_put(l, ST_DIM, false, word);
	if (event) {
		snprintf(by, sizeof by, "%s, thread %u", event, at->who.thread);
		section_left(l, ST_TEXT, WIDTH - (int)strlen(word), by);
	} else if (at->who.thread)
		section_thread(d, l, WIDTH - (int)strlen(word), at->who.thread);
	else
		section_left(l, ST_DIM, WIDTH - (int)strlen(word),
			at->rest            ? "others"
				: at->owner ? "an unknown one"
					    : waits_no_waker(d->f->waits->wakers_unread, at->reason, at->who.n));
	section_unit(l, ST_DIM, 8, UNIT_COUNT, (double)at->who.n);
	section_unit(l, ST_DIM, 9, UNIT_NS, (double)at->who.ns);
	section_unit(l, ST_DIM, 6, UNIT_SHARE, at->reason->ns ? (double)at->who.ns / (double)at->reason->ns : 0);
}

static void blocked_draw(const struct stats_data *d, int row, struct line *l)
{
	static const char longest[] = " longest ";
	struct blocked_at at;
	if (is_pending(d))
		line_put(l, ST_DIM, false, "not read yet");
	if (!find_blocked(d, row, &at))
		return;
	if (at.is_who) {
		put_who(d, l, &at);
		return;
	}
	section_left(l, ST_BLOCKED, 22, thread_block_name(at.reason->reason));
	section_unit(l, ST_TEXT, 8, UNIT_COUNT, (double)at.reason->n);
	section_unit(l, ST_TEXT, 9, UNIT_NS, (double)at.reason->ns);
	if (line_room(l) < (int)sizeof longest + 8)
		return;
	line_put(l, ST_DIM, false, longest);
	section_unit(l, ST_TEXT, 8, UNIT_NS, (double)at.reason->longest);
}

/* The longest wait for the reason; the thread that woke, then; for those that are no one thread, the list of the wakers. For
 * the title: all reasons. */
static void blocked_place(const struct stats_data *d, int row, struct stats_place *out)
{
	struct blocked_at at;
	if (row < 0 && d->f->has_sched)
		section_place_list(out, &stats_blocked);
	if (!find_blocked(d, row, &at))
		return;
	if (at.is_who && !at.who.thread) {
		section_place_list(out, &stats_wakers);
		snprintf(out->filter, sizeof out->filter, "reason=\"%s\"", thread_block_name(at.reason->reason));
		return;
	}
	out->kind = PLACE_THREAD;
	out->id = at.is_who ? at.who.thread : at.reason->longest_thread;
	out->t = at.reason->longest_at;
	out->end = out->t + at.reason->longest;
}

const struct section_ops section_blocked = {.title = "BLOCKED",
	.exported = "csv blocked",
	.absence = ABSENCE_THREADS,
	.rows = blocked_rows,
	.head = blocked_head,
	.draw = blocked_draw,
	.place = blocked_place};

/* --- how many capabilities ran at once --- */

enum { LEVELS_SHOWN = 16 };

static double level_share(const struct stats_data *d, size_t level)
{
	return table_number(
		&figure_kinds[FIGURES_concurrency], &(struct figure_list){.f = d->f}, level, concurrency_SHARE, false);
}

/* The level of a row: those that occurred, from none on. */
static bool find_level(const struct stats_data *d, int row, size_t *level)
{
	for (*level = 0; d->f->waits && *level < d->f->waits->n_levels; ++*level)
		if ((d->f->waits->levels[*level] || *level == 0) && row-- == 0)
			return true;
	return false;
}

static int levels(const struct stats_data *d)
{
	size_t level;
	int n = 0;
	while (find_level(d, n, &level))
		n++;
	return n;
}

static int concurrency_rows(const struct stats_data *d)
{
	int n = levels(d);
	if (!d->f->has_sched)
		return 0;
	return is_pending(d) ? 1 : n > LEVELS_SHOWN ? LEVELS_SHOWN + 1 : n;
}

static void concurrency_head(const struct stats_data *d, struct line *l)
{
	const double *v = d->f->values, outside = v[METRIC_CONCURRENCY_BUSY],
		     busy = v[METRIC_TIME_RUN] / v[METRIC_TIME_TOTAL];
	char text[TEXT_ROOM];
	if (!d->f->waits)
		return;
	line_printf(l, ST_DIM, false, "busy %s", text_of_caps(text, outside, d->f->n_caps));
	if (busy - outside >= 0.01)
		line_printf(l, ST_DIM, false, ", in GC sync %s", text_of_caps(text, busy - outside, d->f->n_caps));
}

/* "all idle 42.9%, pauses 29.6%": what the time is in which none runs. False: there is no room for it. */
static bool put_none(const struct stats_data *d, struct line *l)
{
	char text[2 * TEXT_ROOM + 32];
	double pauses = d->f->values[METRIC_CONCURRENCY_GC];
	if (isnan(pauses))
		return false;
	snprintf(text, sizeof text, "all idle %s, pauses %s", as_share(level_share(d, 0) - pauses), as_share(pauses));
	if (line_room(l) < (int)strlen(text))
		return false;
	line_put(l, ST_DIM, false, text);
	return true;
}

static void concurrency_draw(const struct stats_data *d, int row, struct line *l)
{
	char name[TEXT_ROOM];
	size_t level;
	if (is_pending(d))
		line_put(l, ST_DIM, false, "not read yet");
	if (row == LEVELS_SHOWN) {
		section_more(l, (uint64_t)(levels(d) - LEVELS_SHOWN));
		return;
	}
	if (!find_level(d, row, &level))
		return;
	snprintf(name, sizeof name, level == 0 ? "none" : "%zu cap%s", level, level == 1 ? "" : "s");
	section_left(l, ST_TEXT, 8, name);
	section_unit(l, ST_TEXT, 7, UNIT_SHARE, level_share(d, level));
	if (level || !put_none(d, l))
		section_bar(l, line_room(l), level_share(d, level), 1, level ? ST_RUN : ST_IDLE);
}

/* All levels. */
static void concurrency_place(const struct stats_data *d, UNUSED int row, struct stats_place *out)
{
	if (d->f->waits)
		section_place_list(out, &stats_concurrency);
}

const struct section_ops section_concurrency = {.title = "CAPS RUNNING AT ONCE",
	.exported = "csv concurrency",
	.absence = ABSENCE_RUNS,
	.rows = concurrency_rows,
	.head = concurrency_head,
	.draw = concurrency_draw,
	.place = concurrency_place};
