/* units.h - units of metrics and columns (ns, bytes, share, …): format a value for display, and parse it back. */
#ifndef EVL_UNITS_H
#define EVL_UNITS_H

#include "base/err.h"

/* U(id, suffix of the JSON key, name in the documentation) */
#define EVL_UNITS(U)                                                                                                   \
	U(COUNT, "", "number")                                                                                         \
	U(NS, "_ns", "time")       /* a duration in ns */                                                              \
	U(MOMENT, "_ns", "moment") /* a point in time, in ns after the log's time 0 */                                 \
	U(BYTES, "_bytes", "bytes")                                                                                    \
	U(SHARE, "", "share") /* 0 to 1 */                                                                             \
	U(RATE, "", "bytes per second")                                                                                \
	U(FREQUENCY, "", "number per second")                                                                          \
	U(NUMBER, "", "number") /* any other number, with or without a fraction */                                     \
	U(TEXT, "", "text")     /* not a number */

enum unit {
#define U(id, suffix, text) UNIT_##id,
	EVL_UNITS(U)
#undef U
		UNITS
};

/* Return the suffix of JSON keys: "_ns" for UNIT_NS. */
const char *unit_suffix(enum unit unit);

/* Return the name for the documentation: "time" for UNIT_NS. */
const char *unit_name(enum unit unit);

/* Report whether values of this unit are whole numbers. */
bool unit_is_whole(enum unit unit);

/* Parse a value of a unit as users type it: 20ms, 1.5s, 250us for times (a bare number is in ns), 64MB, 1.5GiB for
 * bytes, 80% or 0.8 for shares, 10MB/s for rates, 1e6 or 1000000 for counts. Return 0, or EVL_USAGE with err filled and
 * *out NaN. */
int unit_parse(enum unit unit, struct evl_str text, double *out, struct evl_err *err) EVL_MUST_USE;

/* Format a number for display. Write it to `out` (TEXT_ROOM bytes, NUL-terminated) and return `out`.
 *   text_duration  0 s, 412 ns, 3.19 ms, 12.48 s, 3m 20s, 2h 5m, 1d 3h
 *   text_bytes     421 MB, 2.1 GB (powers of 1000); >18 EB for 2^64-1, the limit of saturating sums
 *   text_count     4,213,871
 *   text_share     for 0 to 1: 81.3%; <0.1% and >99.9% for values that would wrongly round to 0.0% and 100.0%
 *   text_of_caps   capabilities of n, on average: 2.3/4; 0.02/4 for what would round to 0.0 */
char *text_duration(char *out, uint64_t ns);
char *text_bytes(char *out, uint64_t bytes);
char *text_count(char *out, uint64_t n);
char *text_share(char *out, double share);
char *text_of_caps(char *out, double caps, size_t n);
enum { TEXT_ROOM = 32 };

/* Format a time in seconds, to the nanosecond: "3.199871104". */
char *text_time(char *out, uint64_t ns);

/* Format a value by its unit: "3.19 ms", "421 MB", "81.3%", "2.1 GB/s", "-3.2 MB/s", "4,213,871", "0.97"; a UNIT_MOMENT
 * as "3.199871 s"; NaN as "unknown". */
char *text_value(char *out, enum unit unit, double value);

/* Format a difference with its sign: "+3.19 ms", "-1.2 points" (of percentage) for shares. Write it to `out` (TEXT_CHANGE_ROOM bytes) and
 * return `out`. */
enum { TEXT_CHANGE_ROOM = TEXT_ROOM + 2 };
char *text_change(char *out, enum unit unit, double by);

/* Format a difference as a share of |from|: "+12.3%", "-40.0%", "+512%"; from tenfold on (from > 0) as a factor, that is
 * (from + by) / from: "12.4x", "4,510x", "4.5e+07x". Never cut off at a limit. Write it to `out` (TEXT_ROOM bytes) and
 * return `out`; "" if `from` is 0 or either is unknown. */
char *text_relative(char *out, double from, double by);

/* Format into a buffer that lives until the end of the enclosing block; for arguments of print functions. */
#define as_duration(ns)       text_duration((char[TEXT_ROOM]){0}, ns)
#define as_bytes(bytes)       text_bytes((char[TEXT_ROOM]){0}, bytes)
#define as_count(n)           text_count((char[TEXT_ROOM]){0}, n)
#define as_share(share)       text_share((char[TEXT_ROOM]){0}, share)
#define as_time(ns)           text_time((char[TEXT_ROOM]){0}, ns)
#define as_value(unit, value) text_value((char[TEXT_ROOM]){0}, unit, value)

/* Format a time of the wall clock (Unix time in ns) in the local time zone: "2026-11-20 16:49:18 CET", or with `ms`
 * "2026-11-20 16:49:18.258 CET". Write it to `out` (TEXT_WALL_ROOM bytes) and return `out`; "" if wall_ns is 0 or out
 * of range. */
enum { TEXT_WALL_ROOM = 64 };
char *text_wall(char *out, uint64_t wall_ns, bool ms);

#endif
