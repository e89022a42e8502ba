#include "report/findings_private.h"

#include "base/units.h"
#include "base/utf8.h"
#include "log/rts_flags.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Findings about the log keep their place in the table, those about the program are ordered by stake. */
enum about { ABOUT_PROGRAM, ABOUT_LOG };

static const struct {
	const char *name, *flag, *brief, *meaning;
	bool (*find)(const struct finding_case *c, struct finding *out);
	enum finding_severity severity;
	enum about about;
} table[FINDING_IDS] = {
#define FINDING(id, name, about, severity, flag, brief, meaning)                                                       \
	[FINDING_##id] = {name, flag, brief, meaning, find_##id, FINDING_##severity, ABOUT_##about},
#include "report/findings.def"
#undef FINDING
};

bool finding_has_stake(const struct finding *f)
{
	return f->stake_kind != STAKE_UNKNOWN && f->id != FINDING_EXTERNAL_WAITS;
}

const char *finding_name(enum finding_id id) { return table[id].name; }
const char *finding_brief(enum finding_id id) { return table[id].brief; }
const char *finding_meaning(enum finding_id id) { return table[id].meaning; }
const char *finding_flag(enum finding_id id) { return table[id].flag; }

/* --- the pieces of a rule ------------------------------------------------------------------------------------------ */

void finding_say(struct finding *out, const char *form, ...)
{
	va_list args;
	va_start(args, form);
	vsnprintf(out->text, sizeof out->text, form, args);
	va_end(args);
}

bool finding_about(struct finding *out, const struct finding_case *c, enum metric m)
{
	out->metric = m;
	out->value = c->v[m];
	return true;
}

void finding_place(struct finding *out, uint64_t t)
{
	out->has_place = true;
	out->t = t;
}

void finding_stretch(struct finding *out, uint64_t t, uint64_t until)
{
	finding_place(out, t);
	out->until = until;
}

void finding_longest(struct finding *out, uint64_t t, uint64_t until)
{
	finding_stretch(out, t, until);
	out->shows = SHOWS_LONGEST;
}

void finding_part(struct finding *out, uint64_t t, uint64_t until)
{
	finding_stretch(out, t, until);
	out->shows = SHOWS_BUSY;
}

void finding_look_at(struct finding *out, const uint32_t *threads, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t k = 0;
		while (k < out->n_threads && out->threads[k] != threads[i])
			k++;
		if (k == out->n_threads && k < FINDING_THREADS && threads[i])
			out->threads[out->n_threads++] = threads[i];
	}
}

static void set_stake(struct finding *out, enum finding_stake kind, double stake, double whole)
{
	if (!(stake >= 0) || !(whole > 0))
		return;
	out->explains = kind == STAKE_NS ? stake : 0;
	out->stake_kind = kind;
	out->stake = (uint64_t)(kind == STAKE_NS ? fmin(stake, whole) : stake);
	out->stake_share = fmin(stake / whole, 1);
}

void finding_stake_ns(struct finding *out, const struct finding_case *c, double ns)
{
	set_stake(out, STAKE_NS, ns, c->total);
}

void finding_stake_bytes(struct finding *out, const struct finding_case *c, double bytes)
{
	set_stake(out, STAKE_BYTES, bytes, c->v[METRIC_HEAP_MAX_LIVE]);
}

double finding_stake_of(const struct finding_case *c, enum finding_id id)
{
	for (size_t i = 0; i < c->earlier->n; i++) {
		const struct finding *f = &c->earlier->items[i];
		if (f->id == id)
			return f->explains;
	}
	return 0;
}

const char *finding_thread(const struct finding_case *c, uint32_t thread, char *out)
{
	enum { LABEL = 40 };
	struct evl_str label = utf8_cut(evl_label(c->log, thread), LABEL);
	if (label.len)
		snprintf(out, FINDING_NAME, "thread %u \"%.*s\"", thread, (int)label.len, (const char *)label.p);
	else
		snprintf(out, FINDING_NAME, "thread %u", thread);
	return out;
}

/* Write the share of the stake after some words, unless it is unknown. */
static const char *say_share(const struct finding *f, const char *words, char *out)
{
	const bool is_time = f->stake_kind == STAKE_NS;
	*out = '\0';
	if (f->stake_kind != STAKE_UNKNOWN && f->stake && (is_time || f->stake_share < 1))
		snprintf(out, FINDING_SHARE, "%s%s of %s", words, as_share(f->stake_share),
			is_time ? "the time" : "peak live");
	return out;
}

const char *finding_cost(const struct finding *f, char *out)
{
	return say_share(f, f->stake_kind == STAKE_NS ? "costs " : "", out);
}

const char *finding_stake_text(const struct finding *f, char *out)
{
	char share[FINDING_SHARE];
	const enum unit unit = f->stake_kind == STAKE_NS ? UNIT_NS : UNIT_BYTES;
	*out = '\0';
	if (f->stake_kind != STAKE_UNKNOWN && f->stake)
		snprintf(out, FINDING_STAKE_TEXT, "%s%s", as_value(unit, (double)f->stake), say_share(f, ", ", share));
	return out;
}

const char *finding_where(const struct finding *f, char *out)
{
	static const char *const words[] = {
		[SHOWS_ALL] = "from", [SHOWS_LONGEST] = "longest from", [SHOWS_BUSY] = "for example from"};
	const char *at = as_value(UNIT_MOMENT, (double)f->t);
	*out = '\0';
	if (f->has_place && f->until > f->t)
		snprintf(out, FINDING_WHERE, "%s %s to %s", words[f->shows], at,
			as_value(UNIT_MOMENT, (double)f->until));
	else if (f->has_place)
		snprintf(out, FINDING_WHERE, "see %s", at);
	return out;
}

const char *findings_none(const struct figures *f, char *out)
{
	double total = f->values[METRIC_TIME_TOTAL];
	enum { NS_PER_MS = 1000000 };
	unsigned kinds = 0;
	char brief[TEXT_ROOM + 32] = "";
	for (int id = 0; id < FINDING_IDS; id++)
		kinds += table[id].about == ABOUT_PROGRAM;
	if (total < FINDING_LEAST_NS)
		snprintf(brief, sizeof brief, "; this %s has only %s", f->whole ? "run" : "range",
			as_value(UNIT_NS, total));
	snprintf(out, FINDING_TEXT,
		"no findings: none of %u kinds of problem is proved; most must cost at least %u ms, pauses last %u "
		"ms%s%s",
		kinds, FINDING_LEAST_NS / NS_PER_MS, LONG_PAUSE_NS / NS_PER_MS, brief,
		f->deep ? "" : "; how threads waited is not read yet");
	return out;
}

size_t findings_numbered(const struct findings *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += f->items[i].severity != FINDING_HINT;
	return n;
}

const struct finding *findings_of(const struct findings *f, enum finding_id id)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].id == id)
			return &f->items[i];
	return NULL;
}

const struct finding *findings_number(const struct findings *f, size_t number)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].severity != FINDING_HINT && --number == 0)
			return &f->items[i];
	return NULL;
}

size_t findings_number_of(const struct findings *f, const struct finding *item)
{
	size_t n = 0;
	for (const struct finding *i = f->items; i <= item; i++)
		n += i->severity != FINDING_HINT;
	return n;
}

bool finding_is_grave(const struct finding *f)
{
	const double MUCH = 0.5;
	bool usual = f->id == FINDING_GC_CENSUS || f->id == FINDING_EXTERNAL_WAITS; /* of profiling, of servers */
	bool much = f->stake_kind == STAKE_NS && f->stake_share > MUCH && !usual;
	return f->severity == FINDING_WARN || (f->severity == FINDING_NOTE && much);
}

/* 0 comes first. */
static int rank_of(const struct finding *f)
{
	const bool grave = finding_is_grave(f), costs = f->stake_kind != STAKE_UNKNOWN && f->stake;
	if (f->severity == FINDING_HINT)
		return 5;
	if (grave && table[f->id].about == ABOUT_LOG)
		return 0;
	if (!costs)
		return grave ? 3 : 4;
	return grave && f->stake_kind == STAKE_NS && f->stake_share > 0.5 ? 1 : 2;
}

static bool goes_before(const struct finding *a, const struct finding *b)
{
	const int x = rank_of(a), y = rank_of(b);
	return x < y || (x == y && a->stake_kind != STAKE_UNKNOWN && a->stake_share > b->stake_share);
}

void findings_rank(struct findings *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct finding item = f->items[i];
		size_t at = n;
		if (item.repeats)
			continue;
		for (n++; at > 0 && goes_before(&item, &f->items[at - 1]); at--)
			f->items[at] = f->items[at - 1];
		f->items[at] = item;
	}
	f->n = n;
	f->warnings = 0;
	for (size_t i = 0; i < f->n; i++)
		f->warnings += finding_is_grave(&f->items[i]);
}

/* --- advice -------------------------------------------------------------------------------------------------------- */

/* Settings that advice changes. */
enum setting { NO_SETTING, ALLOCATION_AREA, OLD_GENERATION, COLLECTOR, GC_THREADS, CAPABILITIES, PROFILE, PROGRAM };

/* The setting that each advice changes, and whether it makes it larger. Flags that only record more are not among them. */
static const struct {
	const char *advice, *acts_on; /* or the first characters of the advice: -qn2 is -qn */
	enum setting setting;
	bool more;
} changes[] = {
	{"-A64m", "minor collections", ALLOCATION_AREA, true},
	{FINDING_SMALLER_AREA, "minor collections", ALLOCATION_AREA, false},
	{"-F4", "major collections", OLD_GENERATION, true},
	{"--nonmoving-gc", "major collections", COLLECTOR, true},
	{FINDING_BUILD_THREADED, "major collections", COLLECTOR, true},
	{"-qn", "parallel collections", GC_THREADS, false},
	{FINDING_NO_CENSUS, "heap censuses", PROFILE, false},
	{"-N", "waits for a capability", CAPABILITIES, true},
	{FINDING_FEWER_CAPS, "waits for a processor", CAPABILITIES, false},
	{FINDING_YIELDS, "waits for threads to stop", PROGRAM, true},
	{FINDING_SHORT_LOCKS, "waits for locks", PROGRAM, true},
	{FINDING_NO_POLLING, "waits for timers", PROGRAM, true},
};

enum { CHANGES = countof(changes) };

/* The row of changes; CHANGES: nothing is advised, or to record more. */
static size_t change_of(const struct finding *f)
{
	const char *advice = *f->flag ? f->flag : f->advice;
	size_t i = 0;
	while (i < CHANGES && (!*advice || strncmp(advice, changes[i].advice, strlen(changes[i].advice)) != 0))
		i++;
	return i;
}

void finding_advise(struct finding *out, const char *advice)
{
	snprintf(out->advice, sizeof out->advice, "%s", advice);
}

const char *finding_todo(const struct finding *f, char *out)
{
	snprintf(out, FINDING_TODO, "%s%s%s%s", *f->flag ? "+RTS " : "", f->flag, *f->flag && *f->advice ? " " : "",
		f->advice);
	return out;
}

/* The most that each change saves: no time counts in two findings with the same advice. */
static void sum_savings(const struct findings *f, double saves[CHANGES + 1])
{
	memset(saves, 0, (CHANGES + 1) * sizeof *saves);
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].saves > 0)
			saves[change_of(&f->items[i])] += f->items[i].saves;
}

void findings_reconcile(struct findings *f)
{
	double saves[CHANGES + 1];
	size_t best[PROGRAM + 1]; /* the change of each setting that saves most; of equals, that of the first finding */
	sum_savings(f, saves);
	for (size_t i = 0; i < countof(best); i++)
		best[i] = CHANGES;
	for (size_t i = 0; i < f->n; i++) {
		size_t change = change_of(&f->items[i]);
		size_t *most = change < CHANGES ? &best[changes[change].setting] : NULL;
		if (most && (*most == CHANGES || saves[change] > saves[*most]))
			*most = change;
	}
	for (size_t i = 0; i < f->n; i++) {
		size_t change = change_of(&f->items[i]);
		if (change == CHANGES || changes[change].more == changes[best[changes[change].setting]].more)
			continue;
		*f->items[i].flag = *f->items[i].advice = '\0';
		f->items[i].saves = NAN;
	}
}

double findings_saved_by(const struct findings *f, const struct finding *item)
{
	double saves[CHANGES + 1];
	size_t change = change_of(item);
	sum_savings(f, saves);
	return change < CHANGES ? saves[change] : 0;
}

const char *findings_acts_on(const struct findings *f, const struct finding *item, bool syncs)
{
	const size_t change = change_of(item);
	for (size_t i = 0; i < f->n && syncs; i++) /* that of minor collections includes their sync */
		if (f->items[i].id == FINDING_GC_SHARE && f->items[i].saves > 0 && change_of(&f->items[i]) == change
			&& change < CHANGES && changes[change].setting == ALLOCATION_AREA)
			return "minor collections and GC sync";
	return change < CHANGES ? changes[change].acts_on : "";
}

const struct finding *findings_best_advice(const struct findings *f)
{
	double saves[CHANGES + 1], most = 0;
	const struct finding *best = NULL;
	sum_savings(f, saves);
	for (size_t i = 0; i < f->n; i++) {
		size_t change = change_of(&f->items[i]);
		if (change == CHANGES || !(saves[change] > most))
			continue;
		most = saves[change];
		best = &f->items[i];
	}
	return best;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static double order_of(const struct finding *f) { return finding_has_stake(f) ? f->stake_share : -1; }

/* Put a new finding in its place: before those about the program that have less at stake. */
static void insert(struct findings *all, const struct finding *found)
{
	size_t at = all->n++;
	for (; table[found->id].about == ABOUT_PROGRAM && at > 0; at--) {
		const struct finding *before = &all->items[at - 1];
		if (table[before->id].about != ABOUT_PROGRAM || order_of(before) >= order_of(found))
			break;
		all->items[at] = *before;
	}
	all->items[at] = *found;
}

/* A capability that ran nearly all threads is told once to people, not also as the only one that ran. */
static void mark_serial(struct findings *all)
{
	struct finding *serial = NULL, *alone = NULL;
	for (struct finding *f = all->items; f < all->items + all->n; f++) {
		serial = f->id == FINDING_SERIAL ? f : serial;
		alone = f->id == FINDING_CAP_ALONE ? f : alone;
	}
	if (serial && alone)
		serial->repeats = serial->has_cap && serial->cap == alone->cap;
}

void findings_make(struct findings *out, const struct evl_log *log, struct figures *f)
{
	const double *v = f->values;
	struct finding_pauses pauses = {.n = 0};
	struct finding_case c = {log, f, v, v[METRIC_TIME_TOTAL], v[METRIC_TIME_TOTAL] - v[METRIC_TIME_IDLE],
		evl_complete_until(log), out, &pauses};
	*out = (struct findings){0};
	bool recalled = f->whole && !f->deep && findings_recall(out, log);
	for (int id = 0; id < FINDING_IDS && !recalled; id++) {
		struct finding found = {.id = (enum finding_id)id,
			.severity = table[id].severity,
			.metric = METRICS,
			.value = (double)NAN,
			.stake_share = (double)NAN,
			.saves = (double)NAN};
		snprintf(found.flag, sizeof found.flag, "%s", table[id].flag);
		if (!table[id].find(&c, &found))
			continue;
		found.t = max_u64(found.t, f->from); /* a pause may begin before the range in which its GC starts */
		if (*found.flag && !rts_flag_helps(log, found.flag))
			*found.flag = *found.advice = '\0';
		if (isnan(found.saves) && found.stake_kind == STAKE_NS)
			found.saves = (double)found.stake;
		if (!*found.flag && !*found.advice)
			found.saves = NAN;
		if (found.severity == FINDING_WARN && finding_is_minor(&found))
			found.severity = FINDING_NOTE;
		insert(out, &found);
		out->warnings += found.severity == FINDING_WARN;
	}
	mark_serial(out);
	findings_reconcile(out);
	f->values[METRIC_FINDINGS_N] = (double)out->warnings;
}
