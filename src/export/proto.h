/* proto.h - protocol buffers: append the fields of a message to a buffer. */
#ifndef EVL_PROTO_H
#define EVL_PROTO_H

#include "base/buf.h"

/* A field: a number, 64 bits of fixed width, bytes; text, in which each byte that is not UTF-8 becomes U+FFFD. */
void proto_number(struct buf *b, unsigned field, uint64_t v);
void proto_fixed64(struct buf *b, unsigned field, uint64_t v);
void proto_bytes(struct buf *b, unsigned field, const void *p, size_t len);
void proto_text(struct buf *b, unsigned field, struct evl_str s);

/* Append the text with each byte that is not UTF-8 as U+FFFD. */
void proto_clean(struct buf *b, struct evl_str s);

/* A message within the message: the fields that are appended between. Its length takes PROTO_LENGTH bytes. */
enum { PROTO_LENGTH = 4 };
size_t proto_open(struct buf *b, unsigned field);
void proto_close(struct buf *b, size_t opened);

#endif
