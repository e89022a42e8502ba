#include "base/text_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static char *long_duration(char *out, uint64_t seconds)
{
	static const struct {
		uint64_t seconds;
		const char *big, *small;
		uint64_t part;
	} units[] = {{86400, "d", "h", 3600}, {3600, "h", "min", 60}, {60, "min", "s", 1}};
	size_t i = 0;
	while (i + 1 < countof(units) && seconds < units[i].seconds)
		i++;
	uint64_t count = seconds / units[i].seconds, rest = seconds % units[i].seconds / units[i].part;
	snprintf(out, TEXT_ROOM, "%llu %s %llu %s", (unsigned long long)count, units[i].big, (unsigned long long)rest,
		units[i].small);
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
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	double value = (double)bytes;
	size_t i = 0;
	for (; value >= 999.5 && i + 1 < countof(units); i++)
		value /= 1000;
	snprintf(out, TEXT_ROOM, "%.*f %s", i > 0 && value < 9.95 ? 1 : 0, value, units[i]);
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

static char *signed_rate(char *out, double value)
{
	char size[TEXT_ROOM];
	snprintf(out, TEXT_ROOM, "%s%.20s/s", value < 0 ? "-" : "", text_bytes(size, whole(fabs(value))));
	return out;
}

static char *moment(char *out, double ns)
{
	snprintf(out, TEXT_ROOM, "%.6f s", ns / 1e9);
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
	case UNIT_MOMENT: return moment(out, value);
	case UNIT_BYTES: return text_bytes(out, whole(value));
	case UNIT_SHARE: return text_share(out, value);
	case UNIT_RATE: return signed_rate(out, value);
	case UNIT_COUNT: return text_count(out, whole(value));
	case UNIT_FREQUENCY: return value < 100 ? number(out, value) : text_count(out, whole(value));
	default: return number(out, value);
	}
}
