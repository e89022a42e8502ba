/* units.h - units of metrics and columns (ns, bytes, share, …): format a value for people and parse it back. */
#ifndef EVL_UNITS_H
#define EVL_UNITS_H

#include "base/err.h"

/* U(id, suffix of the key in JSON, what it is called in documents) */
#define EVL_UNITS(U)                                                                                                   \
	U(COUNT, "", "number")                                                                                         \
	U(NS, "_ns", "time")       /* a length of time, ns */                                                          \
	U(MOMENT, "_ns", "moment") /* ns after the log's time 0 */                                                     \
	U(BYTES, "_bytes", "bytes")                                                                                    \
	U(SHARE, "", "share") /* 0 … 1 */                                                                            \
	U(RATE, "", "bytes per second")                                                                                \
	U(FREQUENCY, "", "number per second")                                                                          \
	U(NUMBER, "", "number") /* any other, not necessarily whole */                                                 \
	U(TEXT, "", "text")     /* no number at all */

enum unit {
#define U(id, suffix, text) UNIT_##id,
	EVL_UNITS(U)
#undef U
		UNITS
};

/* "_ns" of UNIT_NS … */
const char *unit_suffix(enum unit unit);

/* "time" of UNIT_NS … */
const char *unit_name(enum unit unit);

/* Is the number whole by its nature? */
bool unit_is_whole(enum unit unit);

/* A value as people write it, for a metric of this unit: 20ms, 1.5s, 250us for times (a bare number is ns), 64MB, 1.5GiB
 * for bytes, 80% or 0.8 for shares, 10MB/s for rates, 1e6 or 1000000 for counts. EVL_USAGE with err filled when it is
 * none. */
int unit_parse(enum unit unit, struct evl_str text, double *out, struct evl_err *err) EVL_MUST_USE;

/* Numbers as people read them, for answers and for the screen. */

/* Times and sizes as people read them, into `out` (TEXT_ROOM bytes, NUL-terminated), which is returned:
 * 0 s, 412 ns, 3.19 ms, 12.48 s, 3 min 20 s … three to four digits; 421 MB, 2.1 GB (powers of 1000);
 * >18 EB for 2^64-1, at which sums stop; 4,213,871; 81.3% (share 0…1; never 0.0% or 100.0% unless exact: <0.1%, >99.9%). */
char *text_duration(char *out, uint64_t ns);
char *text_bytes(char *out, uint64_t bytes);
char *text_count(char *out, uint64_t n);
char *text_share(char *out, double share);
enum { TEXT_ROOM = 32 };

/* A time to the nanosecond: "3.199871104". */
char *text_time(char *out, uint64_t ns);

/* The value of a metric or cell by its unit: "3.19 ms", "421 MB", "81.3%", "2.1 GB/s", "-3.2 MB/s", "4,213,871", "0.97";
 * a moment as "3.199871 s"; "unknown" for NAN. */
char *text_value(char *out, enum unit unit, double value);

/* The same, in a buffer that lives until the end of the enclosing block; for use as arguments of print functions. */
#define as_duration(ns)       text_duration((char[TEXT_ROOM]){0}, ns)
#define as_bytes(bytes)       text_bytes((char[TEXT_ROOM]){0}, bytes)
#define as_count(n)           text_count((char[TEXT_ROOM]){0}, n)
#define as_share(share)       text_share((char[TEXT_ROOM]){0}, share)
#define as_time(ns)           text_time((char[TEXT_ROOM]){0}, ns)
#define as_value(unit, value) text_value((char[TEXT_ROOM]){0}, unit, value)

/* Write a moment of the wall clock to `out` (TEXT_WALL_ROOM bytes), which is returned: "2026-11-20 16:49:18 CET", with `ms`
 * "16:49:18.258"; in the local zone, as time expressions read "@16:49". Empty for 0, and where there is no such date. */
enum { TEXT_WALL_ROOM = 64 };
char *text_wall(char *out, uint64_t wall_ns, bool ms);

#endif
