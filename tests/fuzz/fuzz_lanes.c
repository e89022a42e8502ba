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
	struct lane_filter filter;
	memcpy(line, data, len < ROOM - 1 ? len : ROOM - 1);
	lane_filter_parse(&filter, line);
	check(filter.n >= 0 && filter.n <= FILTER_TERMS);
	lane_filter_needs_sums(&filter);
	for (size_t i = 0; i < countof(facts); i++)
		check(lane_filter_keeps(&filter, &facts[i]) == lane_filter_keeps(&filter, &facts[i]));
	return 0;
}
