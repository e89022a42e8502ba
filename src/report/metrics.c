#include "report/metrics.h"

static const struct metric_info table[METRICS] = {
#define METRIC(id, name, unit, where, sense, grows, label, meaning, flag)                                              \
	[METRIC_##id] = {name, UNIT_##unit, METRIC_##where, METRIC_##sense, METRIC_##grows, label, meaning, flag},
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

/* The groups, by the part of the name before the last dot. */
static const struct {
	const char *group, *title;
} groups[] = {{"time", "time"}, {"gc", "collections"}, {"gc.pause", "GC pauses"},
	{"gc.sync", "waiting for capabilities to stop"}, {"gc.census", "collections requested by heap censuses"},
	{"gc.without_census", "without those of heap censuses"}, {"gc.minor", "minor collections"},
	{"gc.major", "major collections"}, {"mmu", "minimum mutator utilisation, by length of the window"},
	{"cap", "capabilities"}, {"threads", "threads"}, {"threads.latency", "run-queue wait"},
	{"threads.latency_wait", "run-queue wait, without pauses"}, {"path", "critical path"}, {"heap", "heap"},
	{"sparks", "sparks"}, {"nonmoving", "nonmoving collector"}};

const char *metric_group(enum metric m)
{
	const char *name = table[m].name, *dot = strrchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : 0;
	for (size_t i = 0; i < countof(groups); i++)
		if (strlen(groups[i].group) == len && memcmp(groups[i].group, name, len) == 0)
			return groups[i].title;
	return NULL;
}

bool metric_is_sum(enum metric m) { return table[m].grows == METRIC_SUM; }

bool metric_is_deep(enum metric m)
{
	return (m >= METRIC_THREADS_RUNNABLE && m <= METRIC_PATH_SHARE_UNKNOWN) || m == METRIC_THREADS_RUNS
		|| m == METRIC_FINDINGS_N;
}
