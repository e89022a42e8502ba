#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Unit suffixes. */
static const struct factor {
	const char *name;
	double factor;
	uint32_t of; /* units that it goes with: bit 1 << unit */
} factors[] = {
#define TIMES (1u << UNIT_NS | 1u << UNIT_MOMENT)
#define SIZES (1u << UNIT_BYTES)
#define RATES (1u << UNIT_RATE)
	{"ns", 1, TIMES},
	{"us", 1e3, TIMES},
	{"µs", 1e3, TIMES},
	{"ms", 1e6, TIMES},
	{"s", 1e9, TIMES},
	{"min", 60e9, TIMES},
	{"h", 3600e9, TIMES},
	{"B", 1, SIZES},
	{"kB", 1e3, SIZES},
	{"KB", 1e3, SIZES},
	{"MB", 1e6, SIZES},
	{"GB", 1e9, SIZES},
	{"TB", 1e12, SIZES},
	{"KiB", 1024, SIZES},
	{"MiB", 1048576, SIZES},
	{"GiB", 1073741824, SIZES},
	{"TiB", 1099511627776, SIZES},
	{"B/s", 1, RATES},
	{"kB/s", 1e3, RATES},
	{"KB/s", 1e3, RATES},
	{"MB/s", 1e6, RATES},
	{"GB/s", 1e9, RATES},
	{"KiB/s", 1024, RATES},
	{"MiB/s", 1048576, RATES},
	{"GiB/s", 1073741824, RATES},
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
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "invalid value \"%.60s\" for a metric of unit %s", copy,
		unit_name(unit));
}

static char *long_duration(char *out, uint64_t seconds)
{
	static const struct {
		uint64_t seconds;
		const char *big, *small;
		uint64_t part;
	} scale[] = {{86400, "d", "h", 3600}, {3600, "h", "m", 60}, {60, "m", "s", 1}};
	size_t i = 0;
	while (i + 1 < countof(scale) && seconds < scale[i].seconds)
		i++;
	uint64_t count = seconds / scale[i].seconds, rest = seconds % scale[i].seconds / scale[i].part;
	snprintf(out, TEXT_ROOM, "%llu%s %llu%s", (unsigned long long)count, scale[i].big, (unsigned long long)rest,
		scale[i].small);
	return out;
}

/* A unit holds up to the value that would be rounded up to the next one. */
char *text_duration(char *out, uint64_t ns)
{
	double us = (double)ns / 1e3, ms = (double)ns / 1e6, s = (double)ns / 1e9;
	if (ns == 0)
		snprintf(out, TEXT_ROOM, "0 s");
	else if (ns < 1000)
		snprintf(out, TEXT_ROOM, "%u ns", (unsigned)ns);
	else if (us < 999.5)
		snprintf(out, TEXT_ROOM, "%.*f µs", us < 9.995 ? 2 : us < 99.95 ? 1 : 0, us);
	else if (ms < 999.5)
		snprintf(out, TEXT_ROOM, "%.*f ms", ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0, ms);
	else if (s < 59.995)
		snprintf(out, TEXT_ROOM, "%.2f s", s);
	else
		long_duration(out, ns / 1000000000 + (ns % 1000000000 >= 500000000));
	return out;
}

char *text_bytes(char *out, uint64_t bytes)
{
	static const char *const scale[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	size_t i = 0;
	for (; value >= 999.5 && i + 1 < countof(scale); i++)
		value /= 1000;
	snprintf(out, TEXT_ROOM, "%s%.*f %s", bytes == UINT64_MAX ? ">" : "", i > 0 && value < 9.95 ? 1 : 0, value,
		scale[i]);
	return out;
}

char *text_count(char *out, uint64_t n)
{
	char digits[TEXT_ROOM];
	int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	char *to = out;
	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

char *text_share(char *out, double share)
{
	if (!(share > 0)) /* also what is no number */
		snprintf(out, TEXT_ROOM, "0.0%%");
	else if (share >= 1)
		snprintf(out, TEXT_ROOM, "100.0%%");
	else if (share < 0.0005)
		snprintf(out, TEXT_ROOM, "<0.1%%");
	else if (share >= 0.9995)
		snprintf(out, TEXT_ROOM, ">99.9%%");
	else
		snprintf(out, TEXT_ROOM, "%.1f%%", share * 100);
	return out;
}

char *text_time(char *out, uint64_t ns)
{
	snprintf(out, TEXT_ROOM, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
		(unsigned long long)(ns % 1000000000));
	return out;
}

/* --- by unit --- */

/* A double as a number that is not negative. */
static uint64_t whole(double value)
{
	return value >= 18446744073709549568.0 ? UINT64_MAX : value > 0 ? (uint64_t)(value + 0.5) : 0;
}

static char *signed_bytes(char *out, double value, const char *unit)
{
	char size[TEXT_ROOM];
	snprintf(out, TEXT_ROOM, "%s%.20s%s", value < 0 ? "-" : "", text_bytes(size, whole(fabs(value))), unit);
	return out;
}

char *text_of_caps(char *out, double caps, size_t n)
{
	const double least = 0.0001, little = 0.05;
	snprintf(out, TEXT_ROOM, caps >= least && caps < little ? "%.1g/%zu" : "%.1f/%zu", caps, n);
	return out;
}

static char *number(char *out, double value)
{
	snprintf(out, TEXT_ROOM, fabs(value) < 1000 ? "%.3g" : "%.0f", value);
	return out;
}

char *text_value(char *out, enum unit unit, double value)
{
	if (isnan(value)) {
		snprintf(out, TEXT_ROOM, "unknown");
		return out;
	}
	switch (unit) {
	case UNIT_NS: return text_duration(out, whole(value));
	case UNIT_MOMENT: snprintf(out, TEXT_ROOM, "%.6f s", value / 1e9); return out;
	case UNIT_BYTES: return signed_bytes(out, value, "");
	case UNIT_SHARE: return text_share(out, value);
	case UNIT_RATE: return signed_bytes(out, value, "/s");
	case UNIT_COUNT: return text_count(out, whole(value));
	case UNIT_FREQUENCY: return value < 100 ? number(out, value) : text_count(out, whole(value));
	default: return number(out, value);
	}
}

char *text_change(char *out, enum unit unit, double by)
{
	const char *sign = by > 0 ? "+" : by < 0 ? "-" : "";
	bool tiny = *sign && fabs(by) < 0.0005;
	if (unit == UNIT_SHARE)
		snprintf(out, TEXT_CHANGE_ROOM, tiny ? "%s<0.1 points" : "%s%.1f points", sign, fabs(by) * 100);
	else
		snprintf(out, TEXT_CHANGE_ROOM, "%s%s", sign, as_value(unit, fabs(by)));
	return out;
}

char *text_relative(char *out, double from, double by)
{
	enum { TENFOLD = 10, MANY = 1000000 };
	double share = by / fabs(from), percent = 100 * share, factor = share + 1;
	*out = '\0';
	if (!isfinite(share))
		return out;
	if (from > 0 && factor >= MANY)
		snprintf(out, TEXT_ROOM, "%.1ex", factor);
	else if (from > 0 && factor >= 99.95)
		snprintf(out, TEXT_ROOM, "%sx", as_count((uint64_t)(factor + 0.5)));
	else if (from > 0 && factor >= TENFOLD)
		snprintf(out, TEXT_ROOM, "%.1fx", factor);
	else if (share != 0 && fabs(share) < 0.0005)
		snprintf(out, TEXT_ROOM, "%s<0.1%%", share > 0 ? "+" : "-");
	else
		snprintf(out, TEXT_ROOM,
			share == 0                         ? "%.1f%%"
				: fabs(share) <= 1         ? "%+.1f%%"
				: fabs(share) < MANY / 100 ? "%+.0f%%"
							   : "%+.1e%%",
			share == 0 ? 0.0 : percent);
	return out;
}

char *text_wall(char *out, uint64_t wall_ns, bool ms)
{
	enum { NS = 1000000000, MS = 1000000, FRACTION = 8 };
	char day[TEXT_WALL_ROOM / 2], zone[TEXT_WALL_ROOM / 2 - FRACTION] = "", fraction[FRACTION] = "";
	time_t seconds = (time_t)(wall_ns / NS);
	struct tm local;
	*out = '\0';
	if (wall_ns == 0 || !localtime_r(&seconds, &local)
		|| strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S", &local) == 0)
		return out;
	strftime(zone, sizeof zone, " %Z", &local);
	if (ms)
		snprintf(fraction, sizeof fraction, ".%03u", (unsigned)(wall_ns % NS / MS));
	snprintf(out, TEXT_WALL_ROOM, "%s%s%s", day, fraction, zone);
	return out;
}
