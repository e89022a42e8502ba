/* script.h - read script files: commands, one per line, run one after another
 *
 * Blank lines and lines that start with # are skipped. */
#ifndef EVTUI_SCRIPT_H
#define EVTUI_SCRIPT_H

#include "base/err.h"

enum { SCRIPT_FILES = 2 };

struct script {
	struct script_file {
		const char *name; /* borrowed */
		char *text, *at;  /* `at`: start of the next line */
		int line;         /* number of the current line, from 1 */
	} files[SCRIPT_FILES];
	int n, i;      /* number of files; index of the current one */
	char *current; /* the current line; NULL: at the end */
};

/* Add a file. Return 0; or EVL_IO, EVL_USAGE or EVL_NOMEM with *err filled. */
int script_load(struct script *s, const char *path, struct evl_err *err) EVL_MUST_USE;

/* script_line: return the current line, or NULL at the end. script_next: go to the next line. */
const char *script_line(struct script *s);
void script_next(struct script *s);

/* Write the position ("FILE:7") to out, and return out. */
char *script_where(const struct script *s, char *out, size_t room);

void script_free(struct script *s);

#endif
