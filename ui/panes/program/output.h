/* output.h - ring of the last lines a program printed, as plain text; one thread writes, another reads. */
#ifndef EVTUI_OUTPUT_H
#define EVTUI_OUTPUT_H

#include "base/base.h"

#include <pthread.h>

enum { OUTPUT_KEPT = 1 << 20 }; /* bytes */

struct output {
	pthread_mutex_t lock;
	char *text; /* 2 * OUTPUT_KEPT bytes */
	size_t len;
	uint64_t dropped;    /* bytes before the text */
	uint64_t lines;      /* complete lines, with those dropped */
	uint64_t first_line; /* number of the first kept line */
	int escape;          /* state of an incomplete escape sequence at the end */
};

bool output_init(struct output *o) EVL_MUST_USE;
void output_free(struct output *o);

/* Append bytes without the sequences that move the cursor or set colours. */
void output_put(struct output *o, const char *bytes, size_t len);

/* Copy at most n lines, starting with number `first` (from 0), to the buffers out[] of `room` bytes, NUL-terminated. Return
 * their number. Set *all to the number of all lines, including an incomplete last one. */
int output_lines(struct output *o, uint64_t first, char **out, int n, size_t room, uint64_t *all);

/* Return a copy of the kept text, which the caller frees, or NULL if memory runs out. */
char *output_copy(struct output *o, size_t *len);

#endif
