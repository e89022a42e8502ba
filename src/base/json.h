/* json.h - JSON writer that appends one document to a struct buf, front to back.
 *
 * The caller opens and closes brackets in pairs and writes a key before each value of an object; commas are inserted
 * automatically. The only state is whether a comma is due, so `out` may be flushed and cleared at any point. */
#ifndef EVL_JSON_H
#define EVL_JSON_H

#include "base/buf.h"

struct json {
	struct buf *out;
	bool comma; /* due before the next key or value */
};

void json_open(struct json *j, char bracket);  /* '{' or '[' */
void json_close(struct json *j, char bracket); /* '}' or ']' */

/* Append an object key of plain ASCII that needs no escapes. */
void json_key(struct json *j, const char *name);

/* Append a value. */
void json_null(struct json *j);
void json_bool(struct json *j, bool v);
void json_u64(struct json *j, uint64_t v);
void json_i64(struct json *j, int64_t v);

/* Append the shortest digits that parse to the same value, with a decimal point in any locale; NaN and infinities
 * become null. */
void json_double(struct json *j, double v);

/* Append a string. Any bytes are allowed: each that is not part of valid UTF-8 becomes U+FFFD, and characters that a
 * terminal would interpret are escaped. */
void json_str(struct json *j, struct evl_str s);
void json_cstr(struct json *j, const char *s);

/* Append a key and its value, or a key and the opening bracket of its value. */
void json_put_open(struct json *j, const char *key, char bracket);
void json_put_null(struct json *j, const char *key);
void json_put_bool(struct json *j, const char *key, bool v);
void json_put_str(struct json *j, const char *key, struct evl_str s);
void json_put_cstr(struct json *j, const char *key, const char *s); /* null for NULL */
void json_put_u64(struct json *j, const char *key, uint64_t v);
void json_put_known(struct json *j, const char *key, bool known, uint64_t v); /* null if not known */
void json_put_double(struct json *j, const char *key, double v);
void json_put_text(struct json *j, const char *key, struct evl_str s); /* null if empty */

/* Append a string of hexadecimal digits, two for each byte. */
void json_hex(struct json *j, struct evl_str bytes);

#endif
