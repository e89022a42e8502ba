#include "chrome/edit_source.h"

#include "chrome/pane.h"
#include "prof/source_loc.h"
#include "state/state_dir.h"
#include "term/runner.h"
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

bool edit_place_find(struct edit_place *place, const struct source_places *where)
{
	char found[SOURCE_PATH];
	bool good = source_find(str_of(place->path), where, found);
	if (good)
		memcpy(place->path, found, strlen(found) + 1);
	return good;
}

/* --- how editors are told ------------------------------------------------------------------------------------------ */

/* Editors that do not take `+LINE FILE`. */
static const struct {
	const char *name, *flag; /* flag: goes before FILE:LINE:COLUMN */
} by_colons[] = {{"code", "-g"}, {"codium", "-g"}, {"hx", NULL}, {"helix", NULL}, {"subl", NULL}, {"zed", NULL}};

static int colons_of(const char *editor)
{
	for (size_t i = 0; i < countof(by_colons); i++)
		if (strcmp(path_base(editor), by_colons[i].name) == 0)
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

/* A regular file by its whole name: nothing that an editor would take for an option or a command. */
static bool is_safe(const struct edit_place *place)
{
	struct stat st;
	return *place->path == '/' && memchr(place->path, 0, sizeof place->path) && stat(place->path, &st) == 0
		&& S_ISREG(st.st_mode);
}

int edit_run(const void *data, size_t len)
{
	struct edit_place place;
	char room[EDIT_ROOM];
	const char *words[EDIT_WORDS];
	if (len != sizeof place)
		return -1;
	memcpy(&place, data, sizeof place);
	char *editor = is_safe(&place) ? editor_of_user() : NULL;
	int status = editor && edit_words(editor, &place, room, words) ? tty_run(words) : -1;
	free(editor);
	return status;
}

static int run_or_ask(void *place)
{
	return runner_runs() ? runner_ask(RUNNER_EDIT, place, sizeof(struct edit_place))
			     : edit_run(place, sizeof(struct edit_place));
}

void edit_source(struct pane_host *h, struct evl_str location)
{
	struct edit_place place;
	if (!edit_place_parse(location, &place)) {
		pane_say(h, true, "the log has no source location here");
		return;
	}
	struct exe *exe = evl_naming(h->log).exe;
	if (!edit_place_find(
		    &place, &(struct source_places){h->source_dir, exe ? exe_path(exe) : NULL, h->log->path})) {
		pane_say(h, true, "source file not found: %.120s; name its directory with --src", place.path);
		return;
	}
	int status = tty_lend(run_or_ask, &place);
	char *editor = status == TTY_NOT_FOUND ? editor_of_user() : NULL;
	if (editor)
		pane_say(h, true, "the editor %.*s cannot be run: set $EDITOR",
			(int)min_u64(strcspn(editor, " \t"), 80), editor);
	else if (status < 0)
		pane_say(h, true, "the editor cannot be run");
	else if (status > 0)
		pane_say(h, true, "the editor ended with status %d", status);
	free(editor);
}
