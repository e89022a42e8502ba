/* bytes.h - bytes that grow. Where memory is out, the test ends. */
#ifndef PTY_BYTES_H
#define PTY_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Starts as {0}; the owner frees p. Not NUL-terminated. */
struct bytes {
	char *p;
	size_t len, room;
};

void bytes_add(struct bytes *b, const void *p, size_t n);
void bytes_add_text(struct bytes *b, const char *text);
void bytes_add_format(struct bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bytes_add_utf8(struct bytes *b, uint32_t c);

/* Return the code point at *p, in a NUL-terminated string, and move *p past it. */
uint32_t bytes_take_utf8(const char **p);

/* Return the bytes of a text with the escapes \e \a \\ \xNN. */
struct bytes bytes_unescape(const char *text);

#endif
