#include "base/time_expr.h"

#include <ctype.h>
#include <time.h>

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{"ns", 1},
	{"us", 1000},
	{"µs", 1000},
	{"ms", 1000000},
	{"s", 1000000000},
	{"", 1000000000},
	{"min", 60000000000},
	{"h", 3600000000000},
};

/* Parse a decimal number in units of `scale` at *text, exact to the last ns, and move *text past it. */
static bool number(const char **text, uint64_t scale, uint64_t *out)
{
	const char *p = *text;
	unsigned __int128 sum = 0, part = scale;
	if (!isdigit((unsigned char)*p) && *p != '.')
		return false;
	for (; isdigit((unsigned char)*p); p++) {
		sum = sum * 10 + (unsigned)(*p - '0') * (unsigned __int128)scale;
		if (sum > INT64_MAX)
			return false;
	}
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++)
			sum += (part /= 10) * (unsigned)(*p - '0');
	*text = p;
	*out = (uint64_t)sum;
	return true;
}

static const char *skip_number(const char *p) { return p + strspn(p, "0123456789."); }

/* "3.2s": the unit comes last but determines the scale of the digits before it. */
static bool duration(const char *text, uint64_t *out)
{
	const char *unit = skip_number(text);
	const char *named = unit + strspn(unit, " ");
	for (size_t i = 0; i < countof(units); i++)
		if (strcmp(named, units[i].name) == 0)
			return number(&text, units[i].ns, out) && text == unit;
	return false;
}

static bool percent(const struct time_expr *w, const char *text, uint64_t *out)
{
	uint64_t micro; /* millionths of a percent */
	if (!number(&text, 1000000, &micro) || strcmp(text, "%") != 0 || micro > 100000000)
		return false;
	*out = w->first + (uint64_t)((unsigned __int128)(w->last - w->first) * micro / 100000000);
	return true;
}

/* "14:03", "14:03:22.5": on the local day on which the log starts, or on the next day if that time is before its
 * start. */
static bool wall_clock(const struct time_expr *w, const char *text, uint64_t *out)
{
	static const uint64_t scales[] = {3600000000000, 60000000000, 1000000000};
	uint64_t of_day = 0, part;
	const uint64_t day = 86400000000000;
	size_t n = 0;
	for (; n < countof(scales); n++) {
		if (!number(&text, scales[n], &part))
			return false;
		of_day += part;
		if (*text != ':')
			break;
		text++;
	}
	if (*text || n == 0 || of_day >= day)
		return false;
	time_t begin = (time_t)(w->wall_ns / 1000000000);
	struct tm local;
	localtime_r(&begin, &local);
	local.tm_hour = local.tm_min = local.tm_sec = 0;
	uint64_t at = (uint64_t)mktime(&local) * 1000000000 + of_day;
	if (at < w->wall_ns + w->first && at + day <= w->wall_ns + w->last)
		at += day;
	*out = sub_or_0(at, w->wall_ns);
	return true;
}

static bool relative(const struct time_expr *w, const char *text, uint64_t *out)
{
	uint64_t by;
	if (!duration(text + 1, &by))
		return false;
	*out = *text == '+' ? w->cursor + by : sub_or_0(w->cursor, by);
	return true;
}

int time_expr_parse(const struct time_expr *w, const char *text, uint64_t *out, struct evl_err *err)
{
	bool good;
	text += strspn(text, " ");
	if (*text == '@' && !w->wall_ns)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "this log has no wall-clock time");
	if ((*text == '+' || *text == '-') && !w->has_cursor)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s: there is no cursor to count from", text);
	if (*text == '@')
		good = wall_clock(w, text + 1, out);
	else if (*text == '+' || *text == '-')
		good = relative(w, text, out);
	else
		good = percent(w, text, out) || duration(text, out);
	return good ? 0
		    : evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "invalid time \"%s\" (use 3.2s, 40ms, 50%%, @14:03:22%s)",
			    text, w->has_cursor ? ", +40ms, #5 for an event or 'a for a mark" : "");
}
