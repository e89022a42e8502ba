#include "app/script.h"

#include "state/state_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1 << 20 };

int script_load(struct script *s, const char *path, struct evl_err *err)
{
	char *text = malloc(LARGEST);
	if (!text || s->n == SCRIPT_FILES) {
		free(text);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	}
	int64_t len = state_read(path, text, LARGEST);
	if (len >= 0 && strlen(text) == (size_t)len) {
		s->files[s->n++] = (struct script_file){.name = path, .text = text, .at = text};
		return 0;
	}
	int error = errno;
	free(text);
	if (len >= 0)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%.150s: not a text", path);
	return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.150s: %s", path, strerror(error));
}

/* The next line of a file, cut off in place; NULL at its end. */
static char *take(struct script_file *f)
{
	char *line = f->at, *end = strchr(line, '\n');
	if (!*line)
		return NULL;
	f->line++;
	f->at = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

const char *script_line(struct script *s)
{
	while (!s->current && s->i < s->n) {
		char *line = take(&s->files[s->i]);
		if (!line)
			s->i++;
		else if (line[strspn(line, " \t\r")] && line[strspn(line, " \t")] != '#')
			s->current = line;
	}
	return s->current;
}

void script_next(struct script *s) { s->current = NULL; }

char *script_where(const struct script *s, char *out, size_t room)
{
	snprintf(out, room, "%s:%d", s->files[s->i].name, s->files[s->i].line);
	return out;
}

void script_free(struct script *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->files[i].text);
	*s = (struct script){0};
}
