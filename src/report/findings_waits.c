/* findings_waits.c - findings about waiting: locks, transactions, black holes, capabilities. */
#include "report/findings_private.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>

/* "3 threads "worker"", "a thread without a label" … */
static const char *group_text(struct evl_str name, uint64_t n, char *out)
{
	if (name.len)
		snprintf(out, FINDING_NAME, "%s thread%s \"%.*s\"", as_count(n), n == 1 ? "" : "s",
			(int)min_u64(name.len, 40), (const char *)name.p);
	else
		snprintf(out, FINDING_NAME, "%s thread%s without a label", as_count(n), n == 1 ? "" : "s");
	return out;
}

bool find_THREADS_STUCK(const struct finding_case *c, struct finding *out)
{
	const struct wait_group *most = NULL;
	char group[FINDING_NAME], thread[FINDING_NAME];
	uint64_t n = 0, end;
	if (!c->f->waits || (end = c->f->waits->contention.main_end) > c->shown)
		return false;
	for (size_t i = 0; i < c->f->waits->contention.n; i++) {
		const struct wait_group *g = &c->f->waits->contention.groups[i];
		n += g->stuck;
		if (g->stuck && (!most || g->stuck > most->stuck))
			most = g;
	}
	if (!most)
		return false;
	const struct thread_top *top = &most->stuck_top;
	finding_thread(c, top->threads[0], thread);
	const char *since = as_duration(top->ns[0]);
	if (n == 1)
		finding_say(out, "%s was still blocked when the main thread ended, for %s by then", thread, since);
	else if (n == most->stuck)
		finding_say(out, "%s were still blocked when the main thread ended, for example %s, for %s by then",
			group_text(most->name, n, group), thread, since);
	else
		finding_say(out,
			"%s threads were still blocked when the main thread ended, for example %s, for %s by then",
			as_count(n), thread, since);
	finding_longest(out, end - top->ns[0], end);
	out->thread = top->threads[0];
	finding_look_at(out, top->threads, top->n);
	return finding_about(out, c, METRIC_THREADS_ALIVE_END);
}

bool find_THREADS_LATENCY(const struct finding_case *c, struct finding *out)
{
	const struct waits *w = c->f->waits;
	char thread[FINDING_NAME];
	/* where a part is missing, a thread may have run that seems to wait */
	if (!w || c->shown < c->f->to || w->latency_wait.n < 100 || !(c->v[METRIC_THREADS_WAIT_P99] > 10e6)
		|| w->n_wait == 0)
		return false;
	double own = (double)sub_or_0(w->by_wait[0].runnable_ns, w->by_wait[0].runnable_gc_ns);
	finding_say(out,
		"%s waited for a capability for %s in total, at most %s at a time; 1%% of the waits of all threads "
		"took %s or more, and all of them together %s",
		finding_thread(c, w->by_wait[0].thread, thread), as_value(UNIT_NS, own),
		as_duration(w->by_wait[0].longest_wait), as_value(UNIT_NS, c->v[METRIC_THREADS_WAIT_P99]),
		as_value(UNIT_NS, c->v[METRIC_THREADS_RUNNABLE_WAIT]));
	finding_longest(out, w->by_wait[0].wait_at, w->by_wait[0].wait_to);
	out->thread = w->by_wait[0].thread;
	finding_stake_ns(out, c, own); /* of one thread: a sum over threads is no time of the range */
	return finding_about(out, c, METRIC_THREADS_WAIT_P99);
}

/* --- contention ---------------------------------------------------------------------------------------------------- */

/* Did they end most of the waits of each other? At most what others of the label ended at all was not ended by these. */
static bool free_each_other(const struct wait_group *g)
{
	return g->lock_freed_ns > g->lock_ns / 2 + (g->freed_ns - g->lock_freeing_ns);
}

/* Do they wait in a queue, most of the time, of which the first waits for a thread of another label, as idle workers do for
 * jobs in a Chan? */
static bool wait_for_others(const struct wait_group *g) { return g->queued_ns >= g->lock_freed_ns / 2; }

/* By the time in which a capability was free; if there is none, by the time blocked. Both are means over the threads. */
static bool costs_more(const struct wait_group *a, const struct wait_group *b)
{
	uint64_t room = a->lock_room_ns / a->lock_n, than = b->lock_room_ns / b->lock_n;
	return room != than ? room > than : a->lock_ns / a->lock_n > b->lock_ns / b->lock_n;
}

bool find_LOCK_CONTENTION(const struct finding_case *c, struct finding *out)
{
	const struct wait_group *most = NULL;
	char group[FINDING_NAME], room[2 * TEXT_ROOM + 96] = "";
	for (size_t i = 0; c->f->waits && i < c->f->waits->contention.n; i++) {
		const struct wait_group *g = &c->f->waits->contention.groups[i];
		if (g->lock_n >= 2 && g->lock_most_run_ns <= g->lock_run_ns / 2 && free_each_other(g)
			&& !wait_for_others(g) && g->lock_ns / g->lock_n >= FINDING_LEAST_NS
			&& (!most || costs_more(g, most)))
			most = g;
	}
	if (!most)
		return false;
	double gain = whole_mean(most->lock_room_ns, most->lock_n); /* no more, if the others run meanwhile */
	if (most->lock_room_ns)
		snprintf(room, sizeof room,
			"a capability was free meanwhile for %s of each one's waits on average, at most for %s of one "
			"wait",
			as_value(UNIT_NS, gain), as_duration(most->lock_most_room));
	finding_say(out, "%s waited %s each (%s of the %s) for one another's MVars (locks); %s",
		group_text(most->name, most->lock_n, group), as_duration(most->lock_ns / most->lock_n),
		as_share(whole_mean(most->lock_ns, most->lock_n) / c->total), finding_range(c),
		*room ? room : "no capability was free to run them meanwhile");
	finding_advise(out, FINDING_SHORT_LOCKS);
	finding_part(out, most->lock_at, most->lock_to);
	out->thread = most->lock_thread;
	finding_look_at(out, &most->lock_thread, 1);
	finding_look_at(out, most->lock_top.threads, most->lock_top.n);
	finding_stake_ns(out, c, gain);
	return finding_about(out, c, METRIC_BLOCKED_MVAR);
}

bool find_STM_CONTENTION(const struct finding_case *c, struct finding *out)
{
	enum { LEAST = 100 };
	const struct wait_group *most = NULL;
	char name[FINDING_NAME];
	for (size_t i = 0; c->f->waits && i < c->f->waits->contention.n; i++) {
		const struct wait_group *g = &c->f->waits->contention.groups[i];
		if (g->stm_wakes >= LEAST && g->stm_again > g->stm_wakes / 2 && g->stm_n
			&& (!most || g->stm_again > most->stm_again))
			most = g;
	}
	if (!most)
		return false;
	finding_say(out,
		"%s woke up from STM %s times, and after %s of these waited again within 100 µs, perhaps without "
		"progress; these runs took %s in total, at most %s in a row",
		most->stm_n == 1 ? finding_thread(c, most->stm_thread, name)
				 : group_text(most->name, most->stm_n, name),
		as_count(most->stm_wakes), as_count(most->stm_again), as_duration(most->stm_run_ns),
		as_count(most->stm_row));
	finding_longest(out, most->stm_row_at, most->stm_row_to);
	out->thread = most->stm_thread;
	finding_look_at(out, &most->stm_thread, 1);
	finding_look_at(out, most->stm_top.threads, most->stm_top.n);
	finding_stake_ns(out, c, (double)most->stm_run_ns);
	return finding_about(out, c, METRIC_BLOCKED_STM);
}

/* Are owners of the group in a cycle of threads that wait for each other's black holes? That is a deadlock, not contention. */
static bool has_cycle(const struct finding_case *c, const struct owner_group *g)
{
	const struct deadlock *d = &c->f->waits->contention.deadlock;
	for (size_t i = 0; i < d->n_rows; i++) {
		const struct deadlock_row *r = &d->rows[i];
		bool same = g->name.len ? str_order(label_stem(evl_label(c->log, r->thread)), g->name) == 0
					: r->thread == g->most.thread;
		if (r->cycle && r->proved && same)
			return true;
	}
	return false;
}

const struct owner_group *finding_black_holes(const struct finding_case *c)
{
	const struct owner_group *most = NULL;
	for (size_t i = 0; c->f->waits && i < c->f->waits->n_owner_groups; i++) {
		const struct owner_group *g = &c->f->waits->owner_groups[i];
		if (g->once_ns >= FINDING_LEAST_NS && (double)g->once_ns > 0.02 * c->total
			&& (!most || g->once_ns > most->once_ns
				|| (g->once_ns == most->once_ns && g->most.thread < most->most.thread))
			&& !has_cycle(c, g))
			most = g;
	}
	return most;
}

bool find_BLACKHOLE_CONTENTION(const struct finding_case *c, struct finding *out)
{
	const struct owner_group *g = finding_black_holes(c);
	char owner[FINDING_NAME], group[FINDING_NAME], once[TEXT_ROOM + 32] = "",
									longest[FINDING_NAME + 3 * TEXT_ROOM + 48] = "",
									all[2 * TEXT_ROOM + 48] = "";
	if (!g)
		return false;
	finding_thread(c, g->most.thread, owner);
	if (g->owners > 1)
		snprintf(longest, sizeof longest, "; %s of these, %s, for %s, at most %s at a time",
			as_count(g->most.n), as_duration(g->most.ns), owner, as_duration(g->most.longest));
	else
		snprintf(longest, sizeof longest, "; longest wait %s", as_duration(g->most.longest));
	for (size_t i = 0; i < c->f->waits->n_reasons; i++) {
		const struct wait_reason *r = &c->f->waits->reasons[i];
		if (r->reason == STOP_BLACK_HOLE && r->n > g->n)
			snprintf(all, sizeof all, "; for those of all threads %s, %s", as_count(r->n),
				as_duration(r->ns));
	}
	if (g->once_ns < g->ns)
		snprintf(once, sizeof once, ", within %s of the %s", as_duration(g->once_ns), finding_range(c));
	finding_say(out, "%s wait%s for black holes of %s (values that %s), %s in total%s%s%s", as_count(g->n),
		g->n == 1 ? "" : "s", g->owners > 1 ? group_text(g->name, g->owners, group) : owner,
		g->owners > 1 ? "they evaluate" : "it evaluates", as_duration(g->ns), once, longest, all);
	finding_longest(out, g->most.longest_at, g->most.longest_at + g->most.longest);
	out->thread = g->most.thread;
	finding_look_at(out, (const uint32_t[]){g->most.longest_thread, g->most.thread}, 2);
	finding_look_at(out, g->most.with, g->most.n_with);
	finding_stake_ns(out, c, (double)g->once_ns);
	return finding_about(out, c, METRIC_BLOCKED_BLACKHOLE);
}

double finding_besides(const struct finding_case *c, char *out)
{
	const struct owner_group *g = finding_black_holes(c);
	*out = '\0';
	if (g && g->alone_ns)
		snprintf(out, BESIDES_TEXT, "not counting %s of that in which threads were blocked on black holes, ",
			as_duration(g->alone_ns));
	return g ? (double)g->alone_ns : 0;
}

/* Is the thread of row i proved by one above it, too? */
static bool is_named(const struct deadlock *d, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (d->rows[k].proved && d->rows[k].thread == d->rows[i].thread)
			return true;
	return false;
}

/* Do both threads belong to the same deadlock: a cycle, or those that a collection resurrected? */
static bool is_same_deadlock(const struct deadlock_row *a, const struct deadlock_row *b)
{
	return a->cycle == b->cycle && (a->cycle || a->gc == b->gc);
}

enum { REASONS_TEXT = 40 };

/* "STM and MVars": the reasons for which the threads of a deadlock are blocked. */
static const char *blocked_on(const struct deadlock *d, const struct deadlock_row *first, char *out)
{
	static const char *const names[] = {"MVars", "STM", "black holes"};
	unsigned seen = 0;
	for (size_t i = 0, len = 0; i < d->n_rows; i++) {
		const struct deadlock_row *r = &d->rows[i];
		unsigned kind = r->stop == STOP_STM ? 1 : r->stop == STOP_BLACK_HOLE ? 2 : 0;
		if (!r->proved || !is_same_deadlock(first, r) || seen >> kind & 1)
			continue;
		len += (size_t)snprintf(out + len, REASONS_TEXT - len, "%s%s", seen ? " and " : "", names[kind]);
		seen |= 1u << kind;
	}
	return out;
}

bool find_DEADLOCK(const struct finding_case *c, struct finding *out)
{
	enum { NAMED = 8 };
	const struct deadlock *d = c->f->waits ? &c->f->waits->contention.deadlock : NULL;
	const struct deadlock_row *first = NULL, *last = NULL; /* last: blocked last, which closed the deadlock */
	char names[NAMED * (FINDING_NAME / 2)] = "", thread[FINDING_NAME], more[TEXT_ROOM + 16] = "",
					   rest[TEXT_ROOM + 48] = "", reasons[REASONS_TEXT];
	uint64_t n = 0, others = 0, ns = 0;
	bool labelled = true;
	for (size_t i = 0, len = 0; d && i < d->n_rows; i++) {
		const struct deadlock_row *r = &d->rows[i];
		if (!r->proved)
			continue;
		first = first ? first : r;
		if (is_same_deadlock(first, r)) {
			ns = max_u64(ns, r->ns);
			last = !last || r->since > last->since ? r : last;
		}
		if (is_named(d, i))
			continue;
		if (!is_same_deadlock(first, r)) {
			others++;
			continue;
		}
		labelled = labelled && evl_label(c->log, r->thread).len;
		if (n++ < NAMED && len < sizeof names)
			len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", n > 1 ? ", " : "",
				finding_thread(c, r->thread, thread));
	}
	if (!first)
		return false;
	if (n > NAMED)
		snprintf(more, sizeof more, " and %s more", as_count(n - NAMED));
	if (others)
		snprintf(rest, sizeof rest, "; %s more thread%s in other deadlocks", as_count(others),
			others == 1 ? "" : "s");
	if (first->cycle)
		finding_say(out, "deadlock: a cycle of black holes: %s%s%s", names, more, rest);
	else
		finding_say(out,
			"deadlock on %s: %s%s; found by a major collection %s after the last of them blocked%s; the "
			"log does not tell which thread held which lock",
			blocked_on(d, first, reasons), names, more, as_duration(first->gc - last->since), rest);
	if (!first->cycle)
		finding_advise(out, labelled ? FINDING_TRACE_LOCKS : FINDING_LABEL_THREADS);
	out->saves = 0; /* that shows more */
	uint64_t since = max_u64(last->since, c->f->from);
	finding_stretch(out, since, since + last->ns);
	out->thread = last->thread;
	finding_look_at(out, &last->thread, 1);
	for (size_t i = 0; i < d->n_rows; i++)
		if (d->rows[i].proved && is_same_deadlock(first, &d->rows[i]))
			finding_look_at(out, &d->rows[i].thread, 1);
	finding_stake_ns(out, c, (double)ns);
	return true;
}

/* --- capabilities and stacks --------------------------------------------------------------------------------------- */

/* The label whose threads together ran alone for longest, if they are several and no single thread ran alone for as long. */
static const struct label_waits *alone_label(const struct finding_case *c, uint64_t one)
{
	const struct label_waits *most = NULL;
	if (c->f->labels.failed || c->f->labels.others)
		return NULL;
	for (const struct label_waits *x = c->f->labels.by_label; x; x = x->hh.next)
		if (x->n > 1 && x->is.alone_ns > (most ? most->is.alone_ns : one))
			most = x;
	return most;
}

/* " (cap 0 for nearly all of it)", where all others together ran for less than a tenth of that time, alone or not: that is the capability
 * of the finding. " (cap 0 for at least 82.1% of it)", where that is proved. */
static void alone_cap(const struct finding_case *c, double alone, struct finding *found, char *out, size_t room)
{
	const struct cap_figures *most = c->f->caps;
	double run = 0;
	for (size_t i = 0; i < c->f->n_caps; i++) {
		run += (double)c->f->caps[i].run;
		most = c->f->caps[i].run > most->run ? &c->f->caps[i] : most;
	}
	const double NEARLY = 0.9, MOSTLY = 0.75;
	const bool nearly = c->f->n_caps && run - (double)most->run <= (1 - NEARLY) * alone;
	double least = c->f->n_caps ? finding_least_alone(c, most) : 0;
	*out = '\0';
	if (nearly || least >= NEARLY * alone)
		snprintf(out, room, " (cap %u for nearly all of it)", most->cap);
	else if (least >= MOSTLY * alone)
		snprintf(out, room, " (cap %u for at least %s of it)", most->cap, as_share(least / alone));
	found->has_cap = nearly;
	found->cap = nearly ? most->cap : 0;
}

bool find_SERIAL(const struct finding_case *c, struct finding *out)
{
	const struct waits *w = c->f->waits;
	const struct crowd crowd = finding_crowd(c);
	char thread[FINDING_NAME], whose[2 * FINDING_NAME + 2 * TEXT_ROOM + 96] = "", of_cap[TEXT_ROOM + 40] = "";
	if (!w || crowd.caps < 2 || w->n_levels < 2 || w->n_alone == 0)
		return false;
	const struct thread_waits *most = &w->by_alone[0];
	double alone = (double)w->levels[1] - crowd.unproved, own = (double)most->alone_ns - crowd.unproved;
	if (!(alone > c->active / 2) || !(alone >= FINDING_LEAST_NS))
		return false;
	char besides[BESIDES_TEXT];
	double explained = fmin(finding_besides(c, besides), alone);
	double gain = (alone - explained) * (1 - 1 / (double)crowd.caps);
	if (!(gain > 0)) /* all of it is told elsewhere */
		return false;
	bool at_least = is_bound(&crowd, alone);
	double told = at_least ? alone : (double)w->levels[1];
	alone_cap(c, told, out, of_cap, sizeof of_cap);
	if (own > 0 && most->alone_at + most->longest_alone <= c->shown)
		finding_longest(out, most->alone_at, most->alone_at + most->longest_alone);
	if (own > 0) {
		const struct label_waits *label = at_least ? NULL : alone_label(c, most->alone_ns);
		char together[FINDING_NAME + TEXT_ROOM + 48] = "";
		if (label)
			snprintf(together, sizeof together, "; %s of that in %s threads \"%.*s\"",
				as_share((double)label->is.alone_ns / told), as_count(label->n),
				(int)min_u64(label->hh.keylen, 40), (const char *)label->hh.key);
		double mine = (at_least ? own : (double)most->alone_ns) / told;
		if (label && 2 * most->alone_ns <= label->is.alone_ns) /* one of several like it */
			snprintf(whose, sizeof whose, "%s", together);
		else
			snprintf(whose, sizeof whose, "%s%s %s%s in %s", together, label ? "," : ";", as_share(mine),
				label ? "" : " of that", finding_thread(c, most->thread, thread));
		out->thread = most->thread;
	}
	finding_say(out,
		"only one of %s capabilities ran, for %s%s, %s of the active time%s%s; %sif the work of that "
		"time could be divided among all, it would take %s less",
		as_count(crowd.caps), at_least ? "at least " : "", as_value(UNIT_NS, told), as_share(told / c->active),
		of_cap, whose, besides, as_value(UNIT_NS, gain));
	finding_stake_ns(out, c, gain);
	return finding_about(out, c, METRIC_CONCURRENCY_ONE);
}

bool find_STACK_GROWTH(const struct finding_case *c, struct finding *out)
{
	enum { WORD = 8, LEAST = 8 << 20 };
	const struct contention *k = c->f->waits ? &c->f->waits->contention : NULL;
	char thread[FINDING_NAME];
	if (!k || k->stack_words <= LEAST / WORD)
		return false;
	finding_say(out, "the stack of %s grew to %s", finding_thread(c, k->stack_thread, thread),
		as_bytes(k->stack_words * WORD));
	finding_place(out, sub_or_0(k->stack_at, 1)); /* in the run that it ends */
	finding_advise(out, FINDING_STRICT);
	out->thread = k->stack_thread;
	finding_stake_bytes(out, c, (double)(k->stack_words * WORD));
	return true;
}
