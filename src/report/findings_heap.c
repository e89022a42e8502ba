/* findings_heap.c - findings about the heap. */
#include "report/findings_private.h"

#include "base/units.h"
#include "log/rts_flags.h"

#include <inttypes.h>
#include <stdio.h>

/* The old generation is collected when it has doubled, with -F4 when it has quadrupled. Did enough collections follow the last
 * major one for that, had it grown on? */
static bool stopped(const struct finding_case *c)
{
	enum { GAINED = 3 }; /* of what was live */
	const struct live_trend *l = &c->f->live;
	struct gc_sum during, after;
	if (c->f->windows.label || rts_flag_given(c->log, "-F"))
		return false;
	gcs_sum(&c->log->gcs, l->first_t, l->last_t, &during);
	gcs_sum(&c->log->gcs, l->last_t, c->f->to, &after);
	return (double)after.n / (double)during.n * (double)(l->last - l->first) > GAINED * (double)l->last;
}

enum { SEVERAL = 6, FEW = 4 };

/* Was half as much again live after each of the few major collections than after the one before? */
static bool grows_each_time(const struct finding_case *c)
{
	const struct live_trend *l = &c->f->live;
	const struct heap *h = &c->log->heap;
	struct series_row rows[SEVERAL];
	size_t n = 0;
	for (size_t k = 0; k < h->n; k++) {
		const struct heap_chain *chain = atomic_load(&h->chains[k]);
		const struct series *live = chain ? &chain->curves[HEAP_CURVE_LIVE] : NULL;
		for (size_t i = 0; live && i < rows_count(&live->rows); i++) {
			const struct series_row *row = series_row(live, i);
			size_t at = n;
			if (row->t < l->first_t || row->t > l->last_t)
				continue;
			if (n == SEVERAL)
				return false;
			for (n++; at > 0 && rows[at - 1].t > row->t; at--)
				rows[at] = rows[at - 1];
			rows[at] = *row;
		}
	}
	for (size_t i = 1; i < n; i++)
		if (rows[i].value < rows[i - 1].value + rows[i - 1].value / 2)
			return false;
	return n >= FEW;
}

/* Without a heap profile, each of whose samples is a major collection, there may be few: one when the old generation has
 * doubled. */
static bool is_steady(const struct finding_case *c)
{
	const struct live_trend *l = &c->f->live;
	if (l->n >= SEVERAL)
		return c->v[METRIC_HEAP_LIVE_R2] > 0.8;
	return l->n >= FEW && c->log->event_counts.heap.count == 0 && 2 * (double)(l->last_t - l->first_t) > c->total
		&& grows_each_time(c);
}

/* Memory that fell by more than a quarter of its peak was freed. */
static bool grows(const struct finding_case *c)
{
	const struct live_trend *l = &c->f->live;
	return is_steady(c) && l->last / 2 >= l->first && l->last > l->first && l->last >= l->most - l->most / 4
		&& !stopped(c);
}

/* "Leaked (0.1 MB to 7.9 MB) and Bin (…)" */
static const char *band_text(const struct heap_trend *t, char *out, size_t room)
{
	size_t len = 0;
	*out = '\0';
	for (size_t i = 0; i < t->n_bands && len < room; i++) {
		int n = snprintf(out + len, room - len, "%s%s%s (%s to %s)", i ? " and " : "", t->bands[i].name,
			t->bands[i].cut ? "…" : "", as_bytes(t->bands[i].before), as_bytes(t->bands[i].after));
		len += n > 0 ? (size_t)n : 0;
	}
	return out;
}

/* When as much was live as after the last major collection, for the first time. */
static uint64_t reached_at(const struct finding_case *c)
{
	const struct live_trend *l = &c->f->live;
	const struct heap *h = &c->log->heap;
	uint64_t at = l->last_t;
	for (size_t k = 0; k < h->n; k++) {
		const struct heap_chain *chain = atomic_load(&h->chains[k]);
		const struct series *live = chain ? &chain->curves[HEAP_CURVE_LIVE] : NULL;
		for (size_t i = live ? series_before(live, l->first_t) : 0; live && i < rows_count(&live->rows); i++) {
			const struct series_row *row = series_row(live, i);
			if (row->t < at && row->value >= l->last)
				at = row->t;
			if (row->t >= at)
				break;
		}
	}
	return at;
}

/* Does the collection at exit follow? It finds only what outlives the program, and does not count. */
static bool exit_follows(const struct finding_case *c)
{
	struct series_row last;
	return !evl_unfinished(c->log) && heap_at(&c->log->heap, HEAP_CURVE_LIVE, UINT64_MAX, &last)
		&& last.t > c->f->live.last_t && last.t < c->f->to;
}

bool find_HEAP_GROWS(const struct finding_case *c, struct finding *out)
{
	char bands[TREND_NAMED * 128], then[TEXT_ROOM + 32] = "", after[TEXT_ROOM + 32] = "";
	const struct live_trend *l = &c->f->live;
	const struct heap_trend *t = &c->f->trend;
	bool named = t->known && t->rises && t->n_bands;
	uint64_t of_bands = 0;
	if (!grows(c) || t->step)
		return false;
	uint64_t reached = reached_at(c), length = l->last_t - l->first_t;
	if (reached - l->first_t <= length / 4 * 3)
		snprintf(then, sizeof then, ", and was %s after the last of", as_bytes(l->last));
	uint64_t first, end;
	if (!c->f->windows.label && evl_range(c->log, &first, &end)
		&& sub_or_0(min_u64(end, c->f->to), l->last_t) > length / 4)
		snprintf(after, sizeof after, "; not measured after %s", as_value(UNIT_MOMENT, (double)l->last_t));
	for (size_t i = 0; i < t->n_bands; i++)
		of_bands = add_or_max(of_bands, sub_or_0(t->bands[i].after, t->bands[i].before));
	finding_say(out, "live memory grew from %s to %s%s in %s%s %" PRIu64 " major collections%s%s%s%s%s%s",
		as_bytes(l->first), as_bytes(l->last), *then ? " or more" : "",
		as_duration((*then ? reached : l->last_t) - l->first_t), *then ? then : ", over", l->n,
		exit_follows(c) ? " before the exit" : "",
		!named                                                  ? ""
			: of_bands >= sub_or_0(t->after, t->before) / 2 ? "; mostly since "
									: "; largest rises since ",
		named ? as_value(UNIT_MOMENT, (double)t->since) : "", named ? ": " : "",
		named ? band_text(t, bands, sizeof bands) : "", after);
	finding_stretch(out, l->first_t, reached);
	if (named)
		memcpy(out->band, t->bands[0].name, sizeof out->band);
	if (strcmp(rts_heap_profile(c->log), "-hT") == 0) {
		snprintf(out->flag, sizeof out->flag, "-hi");
		finding_advise(out,
			"shows the source lines that create it, if built with -finfo-table-map; no log tells which "
			"thread does");
	} else {
		finding_advise(out, "shows the types of what holds it; no log tells which thread created it");
	}
	finding_stake_bytes(out, c, (double)(l->last - l->first));
	return finding_about(out, c, METRIC_HEAP_LIVE_SLOPE);
}

bool find_HEAP_STEPS(const struct finding_case *c, struct finding *out)
{
	char bands[TREND_NAMED * 128];
	const struct heap_trend *t = &c->f->trend;
	if (!t->known || !t->rises || !t->step)
		return false;
	finding_say(out, "live memory rose from %s to %s in %s, and stayed there: %s", as_bytes(t->before),
		as_bytes(t->after), as_duration(t->until - t->since), band_text(t, bands, sizeof bands));
	finding_stretch(out, t->since, t->until);
	if (t->n_bands)
		memcpy(out->band, t->bands[0].name, sizeof out->band);
	finding_stake_bytes(out, c, (double)(t->after - t->before));
	return finding_about(out, c, METRIC_HEAP_MAX_LIVE);
}

bool find_HEAP_SUMS(const struct finding_case *c, struct finding *out)
{
	const double most = 18446744073709551615.0;
	bool allocated = c->f->values[METRIC_HEAP_ALLOCATED] >= most, copied = c->f->values[METRIC_GC_COPIED] >= most;
	if (!allocated && !copied && !c->f->trend.cut)
		return false;
	finding_say(out, "sums above 2^64 bytes stop there:%s%s%s", allocated ? " bytes allocated" : "",
		copied ? " bytes copied" : "", c->f->trend.cut ? " bands of the heap profile" : "");
	return true;
}

bool find_NO_HEAP(const struct finding_case *c, struct finding *out)
{
	if (!grows(c) || c->log->event_counts.heap.count > 0)
		return false;
	finding_say(out,
		rts_flag_given(c->log, "-h")
			? "the heap profile has no sample, as the run ended before the first (-i): it would show what "
			  "the growing memory holds"
			: "no heap profile in the log: it would show what the growing memory holds");
	return true;
}
