/* Any line as a bound of `evtui check`: it is refused with a word, or it names a figure and a number to compare with. */
#include "fuzz.h"

#include "check.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 256 };
	char line[ROOM] = "";
	struct evl_err err = {0};
	struct check c;
	memcpy(line, data, len < ROOM - 1 ? len : ROOM - 1);
	int result = check_parse(&c, line, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result < 0)
		return 0;
	check(c.metric <= METRICS && c.name.len > 0 && isfinite(c.value) && c.name.p >= (const uint8_t *)line
		&& c.name.p + c.name.len <= (const uint8_t *)line + strlen(line));
	return 0;
}
