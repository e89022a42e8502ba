/* text_number.h - numbers as people read them, for answers and for the screen. */
#ifndef EVL_TEXT_NUMBER_H
#define EVL_TEXT_NUMBER_H

#include "base/unit.h"

/* Times and sizes as people read them, into `out` (TEXT_ROOM bytes, NUL-terminated), which is returned:
 * 0 s, 412 ns, 3.19 ms, 12.48 s, 3 min 20 s … three to four digits; 421 MB, 2.1 GB (powers of 1000);
 * 4,213,871; 81.3% (share 0…1; never 0.0% or 100.0% unless exact: <0.1%, >99.9%). */
char *text_duration(char *out, uint64_t ns);
char *text_bytes(char *out, uint64_t bytes);
char *text_count(char *out, uint64_t n);
char *text_share(char *out, double share);
enum { TEXT_ROOM = 32 };

/* A time to the nanosecond: "3.199871104". */
char *text_time(char *out, uint64_t ns);

/* The value of a figure or cell by its unit: "3.19 ms", "421 MB", "81.3%", "2.1 GB/s", "-3.2 MB/s", "4,213,871", "0.97";
 * a moment as "3.199871 s"; "unknown" for NAN. */
char *text_value(char *out, enum unit unit, double value);

#endif
