/* Any line as a filter of lanes, on any facts: it is read, and answers twice the same. */
#include "fuzz.h"

#include "threads/lane_filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 300 };
	static const struct lane_facts facts[] = {{.is_cap = true, .cap = 2},
		{.thread = 17, .cap = UINT16_MAX, .label = {(const uint8_t *)"Worker \xff", 8}},
		{.thread = UINT32_MAX,
			.run_ns = UINT64_MAX,
			.wait_ns = 1,
			.window_ns = 1,
			.wakeups = 9,
			.stops = 9,
			.states = 3}};
	char line[ROOM] = "";
	struct filter filter;
	char done[ROOM], say[FILTER_SAY];
	memcpy(line, data, len < ROOM - 1 ? len : ROOM - 1);
	struct evl_err err = {0};
	int result = filter_parse(&filter, &lane_filter_fields, line, &err);
	check(result == 0 || (result == EVL_USAGE && strncmp(err.text, "column ", 7) == 0));
	check(filter.n <= FILTER_TERMS && filter.n_nodes <= FILTER_NODES);
	filter_complete(&lane_filter_fields, line, done, sizeof done, say);
	lane_filter_needs_sums(&filter);
	for (size_t i = 0; i < countof(facts); i++)
		check(lane_filter_keeps(&filter, &facts[i]) == lane_filter_keeps(&filter, &facts[i]));
	filter_free(&filter);
	return 0;
}
