/* json.h - JSON writer: appends one document to a struct buf, front to back.
 *
 * The caller opens and closes brackets in pairs and gives a key before each value of an object; commas are
 * automatic. The only state is whether a comma is due, so a document may be flushed at any point. */
#ifndef EVL_JSON_H
#define EVL_JSON_H

#include "base/buf.h"

struct json {
	struct buf *out;
	bool comma; /* before the next key or value */
};

void json_open(struct json *j, char bracket);  /* '{' or '[' */
void json_close(struct json *j, char bracket); /* '}' or ']' */

/* name: plain ASCII that needs no escapes. */
void json_key(struct json *j, const char *name);

void json_null(struct json *j);
void json_bool(struct json *j, bool v);
void json_u64(struct json *j, uint64_t v);
void json_i64(struct json *j, int64_t v);

/* Append the shortest digits that read back the same, with a decimal point in any locale; null for NaN and
 * infinities. */
void json_double(struct json *j, double v);

/* Any bytes: each that is not UTF-8 becomes U+FFFD. Safe to print: what a terminal would obey is escaped. */
void json_str(struct json *j, struct evl_str s);
void json_cstr(struct json *j, const char *s);

/* A key and its value, or the bracket that opens it. */
void json_put_open(struct json *j, const char *key, char bracket);
void json_put_null(struct json *j, const char *key);
void json_put_bool(struct json *j, const char *key, bool v);
void json_put_str(struct json *j, const char *key, struct evl_str s);
void json_put_cstr(struct json *j, const char *key, const char *s); /* null for NULL */
void json_put_u64(struct json *j, const char *key, uint64_t v);
void json_put_known(struct json *j, const char *key, bool known, uint64_t v); /* null where it is not */
void json_put_double(struct json *j, const char *key, double v);
void json_put_text(struct json *j, const char *key, struct evl_str s); /* null for an empty one */

/* A string of hexadecimal digits, two a byte. */
void json_hex(struct json *j, struct evl_str bytes);

#endif
