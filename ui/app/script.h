/* script.h - read scripts: files of commands, one per line, run one after another.
 *
 * Blank lines and lines that begin with # are skipped. */
#ifndef EVTUI_SCRIPT_H
#define EVTUI_SCRIPT_H

#include "base/err.h"

enum { SCRIPT_FILES = 2 };

struct script {
	struct script_file {
		const char *name; /* borrowed */
		char *text, *at;  /* `at`: the next line that is not taken yet */
		int line;         /* number of the current line, from 1 */
	} files[SCRIPT_FILES];
	int n, i;
	char *current;
};

/* Add a file. 0, or EVL_IO, EVL_USAGE or EVL_NOMEM with err filled. */
int script_load(struct script *s, const char *path, struct evl_err *err) EVL_MUST_USE;

/* The current line; NULL at the end. script_next goes on to the next one. */
const char *script_line(struct script *s);
void script_next(struct script *s);

/* Where it stands: "FILE:7", into out, which is returned. */
char *script_where(const struct script *s, char *out, size_t room);

void script_free(struct script *s);

#endif
