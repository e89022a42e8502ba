#include "base/unit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const struct {
	const char *suffix, *name;
} units[UNITS] = {
#define U(id, suffix, text) [UNIT_##id] = {suffix, text},
	EVL_UNITS(U)
#undef U
};

const char *unit_suffix(enum unit unit) { return units[unit].suffix; }
const char *unit_name(enum unit unit) { return units[unit].name; }

bool unit_is_whole(enum unit unit)
{
	return unit == UNIT_COUNT || unit == UNIT_NS || unit == UNIT_MOMENT || unit == UNIT_BYTES;
}

/* What may stand behind a number. */
static const struct factor {
	const char *name;
	double factor;
	uint32_t of; /* units that it goes with: bit 1 << unit */
} factors[] = {
#define TIMES  (1u << UNIT_NS | 1u << UNIT_MOMENT)
#define SIZES  (1u << UNIT_BYTES)
#define RATES  (1u << UNIT_RATE)
	{"ns", 1, TIMES}, {"us", 1e3, TIMES}, {"µs", 1e3, TIMES}, {"ms", 1e6, TIMES}, {"s", 1e9, TIMES},
	{"min", 60e9, TIMES}, {"h", 3600e9, TIMES},
	{"B", 1, SIZES}, {"kB", 1e3, SIZES}, {"KB", 1e3, SIZES}, {"MB", 1e6, SIZES}, {"GB", 1e9, SIZES},
	{"TB", 1e12, SIZES}, {"KiB", 1024, SIZES}, {"MiB", 1048576, SIZES}, {"GiB", 1073741824, SIZES},
	{"TiB", 1099511627776, SIZES},
	{"B/s", 1, RATES}, {"kB/s", 1e3, RATES}, {"KB/s", 1e3, RATES}, {"MB/s", 1e6, RATES}, {"GB/s", 1e9, RATES},
	{"KiB/s", 1024, RATES}, {"MiB/s", 1048576, RATES}, {"GiB/s", 1073741824, RATES},
	{"/s", 1, 1u << UNIT_FREQUENCY},
	{"%", 0.01, 1u << UNIT_SHARE},
#undef TIMES
#undef SIZES
#undef RATES
};

static double factor_of(enum unit unit, const char *name)
{
	for (size_t i = 0; i < countof(factors); i++)
		if (factors[i].of >> unit & 1 && strcmp(factors[i].name, name) == 0)
			return factors[i].factor;
	return *name ? (double)NAN : 1;
}

int unit_parse(enum unit unit, struct evl_str text, double *out, struct evl_err *err)
{
	char copy[64], *end;
	while (text.len && text.p[0] == ' ')
		text = (struct evl_str){text.p + 1, text.len - 1};
	while (text.len && text.p[text.len - 1] == ' ')
		text.len--;
	size_t len = min_u64(text.len, sizeof copy - 1);
	memcpy(copy, text.p ? (const char *)text.p : "", len);
	copy[len] = '\0';
	/* strtod knows more than decimal numbers: hexadecimal, "inf", "nan". */
	bool plain = len == text.len && len > 0 && strspn(copy, "+-.0123456789") > 0 && !strpbrk(copy, "xX");
	double number = plain ? strtod(copy, &end) : (double)NAN;
	while (plain && *end == ' ')
		end++;
	*out = plain && end > copy ? number * factor_of(unit, end) : (double)NAN;
	if (isfinite(*out))
		return 0;
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "not a value for a figure of unit %s: %.60s", unit_name(unit), copy);
}
