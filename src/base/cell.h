/* cell.h - one value of a row (number, text or unknown), and how to write it as CSV and JSON. */
#ifndef EVL_CELL_H
#define EVL_CELL_H

#include "base/json.h"

enum cell_kind { CELL_UNKNOWN, CELL_COUNT, CELL_SIGNED, CELL_REAL, CELL_TEXT, CELL_BOOL };

/* One value. Text is borrowed from the log or from the scan that produced the row. */
struct datum {
	enum cell_kind kind;
	union {
		uint64_t count; /* CELL_BOOL: 0 or 1, which JSON writes as false or true */
		int64_t number; /* CELL_SIGNED */
		double real;
		struct evl_str text;
	};
};

#define CELL_NONE ((struct datum){0}) /* unknown */

/* Return a value of the given kind. cell_known returns unknown if `known` is false; texts are borrowed. */
static inline struct datum cell_count(uint64_t v) { return (struct datum){.kind = CELL_COUNT, .count = v}; }
static inline struct datum cell_known(bool known, uint64_t v) { return known ? cell_count(v) : CELL_NONE; }
static inline struct datum cell_signed(int64_t v) { return (struct datum){.kind = CELL_SIGNED, .number = v}; }
static inline struct datum cell_bool(bool v) { return (struct datum){.kind = CELL_BOOL, .count = v}; }
static inline struct datum cell_text(struct evl_str s) { return (struct datum){.kind = CELL_TEXT, .text = s}; }
struct datum cell_cstr(const char *s);

/* Return text as a value; empty text becomes unknown. */
struct datum cell_name(struct evl_str s);
struct datum cell_word(const char *s);

/* Return v as a value; infinities and NaN become unknown. */
struct datum cell_real(double v);

/* Return the number as a double, or NaN if the value is unknown or text. */
double cell_double(const struct datum *c);

/* Append the value as a CSV cell (RFC 4180). Unknown becomes an empty cell. Text is quoted if needed, and each byte
 * that is not part of valid UTF-8 becomes U+FFFD. */
void cell_csv(struct buf *out, const struct datum *c);
void cell_csv_text(struct buf *out, struct evl_str s);

/* Append the value as a CSV cell for spreadsheets. Text is always quoted, so that it stays one cell in a program that
 * expects another separator than a comma; text that a spreadsheet would evaluate as a formula is preceded by an
 * apostrophe. */
void cell_csv_safe(struct buf *out, const struct datum *c);

/* Append the value to a JSON document; unknown becomes null. */
void cell_json(struct json *j, const struct datum *c);

/* Append an object key that may contain any characters. */
void cell_json_key(struct json *j, struct evl_str name);

#endif
