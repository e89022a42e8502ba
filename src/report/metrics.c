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

enum { NAME_MAX = 40 };

/* Letters to be changed, put in or left out to make one of the other. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned row[NAME_MAX + 1];
	for (unsigned j = 0; j <= m; j++)
		row[j] = j;
	for (unsigned i = 1; i <= n; i++) {
		unsigned diagonal = row[0];
		row[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			unsigned change = diagonal + (a[i - 1] != b[j - 1]),
				 least = row[j] < row[j - 1] ? row[j] : row[j - 1];
			diagonal = row[j];
			row[j] = change < least + 1 ? change : least + 1;
		}
	}
	return row[m];
}

const char *metric_like(struct evl_str name)
{
	const char *best = NULL;
	unsigned least = (unsigned)(name.len / 2) + 1;
	for (int i = 0; name.len <= NAME_MAX && i < METRICS; i++) {
		size_t len = strlen(table[i].name);
		unsigned d = len <= NAME_MAX ? distance((const char *)name.p, name.len, table[i].name, len) : least;
		if (d >= least)
			continue;
		least = d;
		best = table[i].name;
	}
	return best;
}
