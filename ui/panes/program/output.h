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
	uint64_t lines;      /* that ended, dropped ones too */
	uint64_t first_line; /* the number of the first that is kept */
	int escape;          /* how far into an escape sequence the bytes ended */
};

bool output_init(struct output *o) EVL_MUST_USE;
void output_free(struct output *o);

/* Append; sequences that move the cursor or set colours are left out. */
void output_put(struct output *o, const char *bytes, size_t len);

/* The lines from number `first` on (from 0), into out, NUL-terminated, at most n of them: how many. *all: how many there
 * are. A last line that has not ended counts. */
int output_lines(struct output *o, uint64_t first, char **out, int n, size_t room, uint64_t *all);

/* A copy of all that is kept; NULL when memory is out. */
char *output_copy(struct output *o, size_t *len);

#endif
