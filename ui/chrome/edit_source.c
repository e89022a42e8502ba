#include "chrome/edit_source.h"

#include "chrome/pane.h"
#include "prof/source_loc.h"
#include "term/tty.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* --- where it is --------------------------------------------------------------------------------------------------- */

bool edit_place_parse(struct evl_str location, struct edit_place *out)
{
	struct source_loc place;
	*out = (struct edit_place){0};
	if (!source_loc_parse(location, &place) || place.file.len >= EDIT_PATH
		|| memchr(place.file.p, 0, place.file.len))
		return false;
	memcpy(out->path, place.file.p, place.file.len);
	out->line = place.line;
	out->col = place.col;
	return true;
}

/* A regular file DIR/PATH: its absolute name replaces the path. */
static bool try_in(const char *dir, size_t dir_len, struct edit_place *place)
{
	char joined[2 * EDIT_PATH], *real;
	struct stat st;
	int n = snprintf(joined, sizeof joined, "%.*s%s%s", (int)dir_len, dir, dir_len ? "/" : "", place->path);
	if (n < 0 || n >= (int)sizeof joined || !(real = realpath(joined, NULL)))
		return false;
	bool good = strlen(real) < EDIT_PATH && stat(real, &st) == 0 && S_ISREG(st.st_mode);
	if (good)
		memcpy(place->path, real, strlen(real) + 1);
	free(real);
	return good;
}

bool edit_place_find(struct edit_place *place, const char *log_path)
{
	char *log = realpath(log_path, NULL);
	bool found = try_in("", 0, place);
	for (char *slash; !found && log && *place->path != '/' && (slash = strrchr(log, '/'));) {
		*slash = 0;
		found = try_in(slash == log ? "/" : log, slash == log ? 1 : (size_t)(slash - log), place);
	}
	free(log);
	return found;
}

/* --- how editors are told ------------------------------------------------------------------------------------------ */

/* Editors that do not take `+LINE FILE`. */
static const struct {
	const char *name, *flag; /* flag: goes before FILE:LINE:COLUMN */
} by_colons[] = {{"code", "-g"}, {"codium", "-g"}, {"hx", NULL}, {"helix", NULL}, {"subl", NULL}, {"zed", NULL}};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int colons_of(const char *editor)
{
	for (size_t i = 0; i < countof(by_colons); i++)
		if (strcmp(base_name(editor), by_colons[i].name) == 0)
			return (int)i;
	return -1;
}

int edit_words(char *editor, const struct edit_place *place, char *room, const char **words)
{
	enum { OURS = 3 }; /* a flag or a line, the file, NULL */
	int n = 0;
	char *rest = NULL;
	for (char *word = strtok_r(editor, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		if (n + OURS >= EDIT_WORDS)
			return 0;
		words[n++] = word;
	}
	int colons = n ? colons_of(words[0]) : -1;
	if (colons >= 0) {
		snprintf(room, EDIT_ROOM, "%s:%u:%u", place->path, place->line ? place->line : 1,
			place->col ? place->col : 1);
		if (by_colons[colons].flag)
			words[n++] = by_colons[colons].flag;
		words[n++] = room;
	} else if (n) {
		snprintf(room, EDIT_ROOM, "+%u", place->line);
		if (place->line)
			words[n++] = room;
		words[n++] = place->path;
	}
	words[n] = NULL;
	return n;
}

static char *editor_of_user(void)
{
	static const char *const variables[] = {"VISUAL", "EDITOR"};
	for (size_t i = 0; i < countof(variables); i++) {
		const char *value = getenv(variables[i]);
		if (value && value[strspn(value, " \t")])
			return strdup(value);
	}
	return strdup("vi");
}

void edit_source(struct pane_host *h, struct evl_str location)
{
	struct edit_place place;
	char room[EDIT_ROOM], *editor;
	const char *words[EDIT_WORDS];
	if (!edit_place_parse(location, &place)) {
		pane_say(h, true, "the log names no source here");
		return;
	}
	if (!edit_place_find(&place, h->log->path)) {
		pane_say(h, true,
			"%.120s is neither here nor where the log is, nor above: start evtui where it was compiled",
			place.path);
		return;
	}
	editor = editor_of_user();
	int n = editor ? edit_words(editor, &place, room, words) : 0;
	int status = n ? tty_run(words) : -1;
	if (status == TTY_NOT_FOUND)
		pane_say(h, true, "the editor %.80s cannot be run: set $EDITOR", words[0]);
	else if (status < 0)
		pane_say(h, true, "the editor cannot be run");
	else if (status > 0)
		pane_say(h, true, "the editor ended with status %d", status);
	free(editor);
}
