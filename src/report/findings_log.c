/* findings_log.c - findings about the log itself: loss, damage, unknown events. */
#include "report/findings_private.h"

#include "base/units.h"
#include "log/rts_flags.h"

#include <inttypes.h>

bool find_DAMAGED(const struct finding_case *c, struct finding *out)
{
	const struct damage_list *d = &c->log->damage;
	uint64_t lost = damage_lost(d), bytes = 0, first = UINT64_MAX;
	for (size_t i = 0; i < d->n; i++) {
		if (lost && !damage_loses(&d->items[i]))
			continue;
		first = min_u64(first, d->items[i].off);
		bytes += d->items[i].len;
	}
	if (d->n == 0)
		return false;
	if (lost)
		finding_say(out, "%" PRIu64 " part%s of the log cannot be read%s%s; the first at byte %" PRIu64, lost,
			lost == 1 ? "" : "s", bytes ? ", " : "", bytes ? as_bytes(bytes) : "",
			first < UINT64_MAX ? first : d->items[0].off);
	else
		finding_say(out,
			"%" PRIu64 " odd place%s in the log, all of which could be read; the first at byte %" PRIu64,
			d->n + d->more, d->n + d->more == 1 ? "" : "s", first);
	return finding_about(out, c, METRIC_DAMAGE_N);
}

bool find_UNFINISHED(const struct finding_case *c, struct finding *out)
{
	if (!evl_unfinished(c->log))
		return false;
	uint64_t first, last;
	if (!c->f->windows.label && evl_range(c->log, &first, &last) && last < c->f->until)
		finding_place(out, last);
	finding_say(out,
		"the log has no end marker: the program was killed or is still running; the events in its buffers are "
		"missing");
	return true;
}

static bool any_event(const struct finding_case *c) { return evl_progress(c->log).events > 0; }

/* Why events of a class are missing. That nothing happened is never known: a complete log has some of each. */
static const char *absence(const struct finding_case *c, char class)
{
	return rts_traced(c->log, class) == RTS_NOT_TRACED ? "were recorded" : "are in the log";
}

bool find_NO_SCHED(const struct finding_case *c, struct finding *out)
{
	if (c->f->has_sched || !any_event(c))
		return false;
	finding_say(
		out, "no scheduler events %s: the activity of threads and capabilities is not known", absence(c, 's'));
	return true;
}

bool find_NO_GC(const struct finding_case *c, struct finding *out)
{
	if (c->f->has_gc || !any_event(c))
		return false;
	finding_say(out, "no collections %s: pauses and idle time are not known", absence(c, 'g'));
	return true;
}

bool find_NO_SPARKS(const struct finding_case *c, struct finding *out)
{
	if (c->log->n_caps < 2 || !any_event(c) || c->log->event_counts.tags.n[EVL_SPARK_COUNTERS] > 0
		|| spark_events_any(&c->log->sparks.events))
		return false;
	finding_say(out, "%zu capabilities, and no spark counters %s", c->log->n_caps, absence(c, 'p'));
	return true;
}
