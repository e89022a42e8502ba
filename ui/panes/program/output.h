/* output.h - ring buffer of the last output of a program, as plain text; one thread writes, another reads */
#ifndef EVTUI_OUTPUT_H
#define EVTUI_OUTPUT_H

#include "base/base.h"

#include <pthread.h>

enum { OUTPUT_KEPT = 1 << 20 }; /* bytes that are kept */

struct output {
	pthread_mutex_t lock;
	char *text; /* buffer of 2 * OUTPUT_KEPT bytes */
	size_t len;
	uint64_t dropped;    /* number of bytes dropped before the text */
	uint64_t lines;      /* number of complete lines, including dropped ones */
	uint64_t first_line; /* number of the first kept line, from 0 */
	int escape;          /* state of an incomplete escape sequence at the end */
};

/* Allocate the buffer. Return false if memory ran out. */
bool output_init(struct output *o) EVL_MUST_USE;
void output_free(struct output *o);

/* Append bytes, without escape sequences that move the cursor or set colours. */
void output_put(struct output *o, const char *bytes, size_t len);

/* Copy at most n lines, starting with line number `first` (from 0), to out[0] to out[n - 1], buffers of `room` bytes
 * each, NUL-terminated. Return the number of lines copied. *all: total number of lines, including an incomplete last
 * one. */
int output_lines(struct output *o, uint64_t first, char **out, int n, size_t room, uint64_t *all);

/* Return a copy of the kept text, *len bytes, which the caller frees; NULL if memory ran out. */
char *output_copy(struct output *o, size_t *len);

#endif
