/* cell.h - one value of a row (number, text or unknown), and how it is written as CSV and JSON. */
#ifndef EVL_CELL_H
#define EVL_CELL_H

#include "base/json.h"

enum cell_kind { CELL_UNKNOWN, CELL_COUNT, CELL_SIGNED, CELL_REAL, CELL_TEXT, CELL_BOOL };

/* Text is borrowed: from the log, or from the scan that gave the cell. */
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
static inline struct datum cell_count(uint64_t v) { return (struct datum){.kind = CELL_COUNT, .count = v}; }
static inline struct datum cell_known(bool known, uint64_t v) { return known ? cell_count(v) : CELL_NONE; }
static inline struct datum cell_signed(int64_t v) { return (struct datum){.kind = CELL_SIGNED, .number = v}; }
static inline struct datum cell_bool(bool v) { return (struct datum){.kind = CELL_BOOL, .count = v}; }
static inline struct datum cell_text(struct evl_str s) { return (struct datum){.kind = CELL_TEXT, .text = s}; }
struct datum cell_cstr(const char *s);

/* Text; unknown where it is empty. */
struct datum cell_name(struct evl_str s);
struct datum cell_word(const char *s);

/* Unknown where it is no number. */
struct datum cell_real(double v);

/* Return the number as a double; NaN where it is unknown or text. */
double cell_double(const struct datum *c);

/* Append the value as a cell of CSV (RFC 4180): nothing where it is unknown; text is quoted where needed, and each byte
 * that is not UTF-8 becomes U+FFFD. */
void cell_csv(struct buf *out, const struct datum *c);
void cell_csv_text(struct buf *out, struct evl_str s);

/* The same for spreadsheets: text is always quoted, so that no other separator divides it, and has an apostrophe in front
 * where a spreadsheet would calculate it. */
void cell_csv_safe(struct buf *out, const struct datum *c);

/* Append the value to JSON: null where it is unknown. */
void cell_json(struct json *j, const struct datum *c);

/* A key of any characters. */
void cell_json_key(struct json *j, struct evl_str name);

#endif
