#include "report/metrics.h"

static const struct metric_info table[METRICS] = {
#define METRIC(id, name, unit, where, sense, label, meaning, flag)                                                     \
	[METRIC_##id] = {name, UNIT_##unit, METRIC_##where, METRIC_##sense, label, meaning, flag},
#include "report/metrics.def"
#undef METRIC
};

const struct metric_info *metric_info(enum metric m) { return &table[m]; }

enum metric metric_find(struct evl_str name)
{
	for (int i = 0; i < METRICS; i++)
		if (strlen(table[i].name) == name.len && memcmp(table[i].name, name.p, name.len) == 0)
			return (enum metric)i;
	return METRICS;
}

bool metric_is_deep(enum metric m)
{
	return (m >= METRIC_THREADS_RUNNABLE && m <= METRIC_CONCURRENCY_GC) || m == METRIC_THREADS_RUNS
		|| m == METRIC_FINDINGS_N;
}
