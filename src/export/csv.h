/* csv.h - CSV writer, and the list of CSV tables (csv_tables.def) written by csv_tables.c and csv_census.c.
 *
 * RFC 4180, but lines end in a single newline. The first line names the columns; times are ns after the log's time
 * 0, sizes bytes; unknown values are empty. */
#ifndef EVL_CSV_H
#define EVL_CSV_H

#include "export/export.h"

/* The function that writes a table, by name; NULL where there is none. */
typedef int csv_table(struct export *x);
csv_table *csv_find(const char *name);

/* All names, comma-separated, into out, which is returned. */
char *csv_names(char *out, size_t room);

/* Cells of a row, each followed by its comma; csv_end turns the last comma into a newline. */
void csv_u64(struct buf *b, uint64_t v);
void csv_known(struct buf *b, bool known, uint64_t v); /* empty where it is not known */
void csv_double(struct buf *b, double v);              /* empty for what is no number */
void csv_str(struct buf *b, struct evl_str s);         /* quoted where needed; what is not UTF-8 becomes U+FFFD */
void csv_cstr(struct buf *b, const char *s);
void csv_end(struct buf *b);

#define CSV_TABLE(name, help) csv_table csv_##name;
#include "export/csv_tables.def"
#undef CSV_TABLE

#endif
