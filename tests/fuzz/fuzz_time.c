/* Any text as a time, of any log: the first 32 bytes are the log's times. It is refused with a word, or is a moment that is
 * read again from its digits, and that a time relative to it comes back to. */
#include "fuzz.h"

#include "base/time_expr.h"

#include <inttypes.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 128, TIMES = 4 };
	uint64_t times[TIMES], t = 0, again = 0, back = 0;
	struct evl_err err = {0};
	char text[ROOM];
	if (len < sizeof times)
		return 0;
	memcpy(times, data, sizeof times);
	for (int i = 0; i < TIMES; i++)
		times[i] &= INT64_MAX; /* as the reader has them */
	struct time_expr when = {.first = times[0] < times[1] ? times[0] : times[1],
		.last = times[0] < times[1] ? times[1] : times[0],
		.wall_ns = times[2],
		.cursor = times[3],
		.has_cursor = times[3] & 1};
	data += sizeof times;
	len -= sizeof times;
	len = len < ROOM - 1 ? len : ROOM - 1;
	if (len)
		memcpy(text, data, len);
	text[len] = '\0';
	int result = time_expr_parse(&when, text, &t, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result < 0)
		return 0;
	if (strchr(text, '%'))
		check(t >= when.first && t <= when.last);
	if (t > INT64_MAX)
		return 0; /* the end of a log that is near the end of time */
	snprintf(text, sizeof text, "%" PRIu64 "ns", t);
	check(time_expr_parse(&when, text, &again, &err) == 0 && again == t);
	when.cursor = 0;
	when.has_cursor = true;
	snprintf(text, sizeof text, "+%" PRIu64 "ns", t);
	check(time_expr_parse(&when, text, &back, &err) == 0 && back == t);
	return 0;
}
