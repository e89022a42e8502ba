/* findings_heap - rules about the heap. */
#include "report/findings_private.h"

#include "base/units.h"

#include <inttypes.h>

static bool grows(const struct finding_case *c)
{
	const struct live_trend *l = &c->f->live;
	return l->n >= 6 && c->v[METRIC_HEAP_LIVE_R2] > 0.8 && l->last / 2 >= l->first && l->last > l->first;
}

bool find_HEAP_GROWS(const struct finding_case *c, struct finding *out)
{
	char slope[TEXT_ROOM], first[TEXT_ROOM], last[TEXT_ROOM];
	const struct live_trend *l = &c->f->live;
	if (!grows(c))
		return false;
	finding_say(out, "live memory grows by %s, from %s to %s over %" PRIu64 " major collections (r2 %.2f)",
		text_value(slope, UNIT_RATE, c->v[METRIC_HEAP_LIVE_SLOPE]), text_bytes(first, l->first),
		text_bytes(last, l->last), l->n, c->v[METRIC_HEAP_LIVE_R2]);
	finding_place(out, l->first_t);
	finding_stake_bytes(out, c, (double)(l->last - l->first));
	return finding_about(out, c, METRIC_HEAP_LIVE_SLOPE);
}

bool find_NO_HEAP(const struct finding_case *c, struct finding *out)
{
	if (!grows(c) || c->log->event_counts.heap.count > 0)
		return false;
	finding_say(out, "no heap profile in the log: -hT would tell what the growing memory is");
	return true;
}
