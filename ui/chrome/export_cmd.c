#include "chrome/export_cmd.h"

#include "export/export.h"
#include "jobs/export_job.h"
#include "sql/questions.h"
#include "state/state_dir.h"

#include <stdio.h>
#include <unistd.h>

/* The format that the pane suggests, NULL if there is nothing to export, and the range: the pane's, or else the selected
 * range, the window, or all. */
static const char *suggest(const struct pane_host *h, uint64_t *from, uint64_t *to)
{
	const struct pane_ops *ops = pane_shown(h);
	const void *view = h->views[h->shown];
	const struct model *m = &h->model;
	const struct selection *s = &m->selection;
	struct export_list list;
	bool window = m->at.t0 > m->first || m->at.t1 <= m->last;
	*from = s->on ? selection_from(s) : window ? m->at.t0 : 0;
	*to = s->on ? selection_to(s) : window ? m->at.t1 : UINT64_MAX;
	if (ops->offers)
		return ops->offers(view, h, from, to);
	if (ops->lists && ops->lists(view, h, &list)) {
		export_list_drop(&list);
		return "csv shown";
	}
	return ops->exports ? ops->exports : "eventlog";
}

/* The name, or with -2, -3, … before its suffix where there is such a file. */
static void free_name(const char *stem, const char *suffix, char *out, size_t room)
{
	enum { TRIES = 1000 };
	snprintf(out, room, "%s.%s", stem, suffix);
	for (int i = 2; i < TRIES && access(out, F_OK) == 0; i++)
		snprintf(out, room, "%s-%d.%s", stem, i, suffix);
}

/* "bazaar-0.100s-0.200s.csv", in the directory one is in: the name of the log, the range, the form. */
static void name_file(
	const struct pane_host *h, const struct export_want *want, const char *table, char *out, size_t room)
{
	enum { MOST = 80 };
	const char *log = path_base(h->log->path);
	size_t len = strcspn(log, " \t");
	const char *end = strstr(log, ".eventlog");
	char range[64] = "";
	len = end && (size_t)(end - log) < len ? (size_t)(end - log) : len;
	if (want->from > h->model.first || want->to <= h->model.last)
		snprintf(range, sizeof range, "-%.3fs-%.3fs", (double)want->from / 1e9, (double)want->to / 1e9);
	char stem[MOST + 2 * sizeof range];
	snprintf(stem, sizeof stem, "%.*s%s%s%.40s", (int)(len < MOST ? len : MOST), log, range, *table ? "-" : "",
		table);
	free_name(stem, want->format->name, out, room);
}

static const char *next_word(const char *s)
{
	s += strcspn(s, " \t");
	return s + strspn(s, " \t");
}

static int find_format(const char *args, const struct export_format **out, struct evl_err *err)
{
	char word[41], names[120];
	snprintf(word, sizeof word, "%.*s", (int)strcspn(args, " \t"), args);
	*out = export_find(word);
	return *out ? 0
		    : evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "invalid format \"%s\" (use %s)", word,
			    export_names(names, sizeof names));
}

/* The word "--spreadsheet" at the start, which is passed. */
static bool take_spreadsheet(const char **rest)
{
	static const char option[] = "--spreadsheet";
	size_t len = strcspn(*rest, " \t");
	bool is = len == strlen(option) && memcmp(*rest, option, len) == 0;
	*rest = is ? next_word(*rest) : *rest;
	return is;
}

/* The rows that the shown pane shows. */
static int take_shown(
	const struct pane_host *h, struct export_want *want, struct export_list *list, struct evl_err *err)
{
	const struct pane_ops *ops = pane_shown(h);
	if (!ops->lists || !ops->lists(h->views[h->shown], h, list))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "no table is open that can be written as shown");
	want->list = list;
	want->sql = list->kind || list->keep ? NULL : h->statement;
	want->from = list->range.from;
	want->to = list->range.to ? list->range.to : UINT64_MAX;
	return 0;
}

/* A table: "query", "shown", the name of a table, or that of a prepared query. */
static int take_table(const struct pane_host *h, const char *table, struct export_want *want, struct export_list *list,
	struct evl_err *err)
{
	const struct question *question = h->questions && *table ? questions_find(h->questions, table) : NULL;
	if (strcmp(table, "shown") == 0)
		return take_shown(h, want, list, err);
	if (strcmp(table, "query") == 0) {
		want->sql = h->statement;
		return h->statement
			? 0
			: evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "no query has been run yet (:sql SELECT …)");
	}
	want->sql = question ? question->text : NULL;
	return question ? 0 : export_check(want->format, *table ? table : NULL, err);
}

/* "FORMAT [--spreadsheet] [TABLE] [FILE]" taken apart; table and file: `room` bytes each. */
static int take_apart(const struct pane_host *h, const char *args, struct export_want *want, struct export_list *list,
	char *table, char *file, size_t room, struct evl_err *err)
{
	if (find_format(args, &want->format, err) < 0)
		return EVL_USAGE;
	const char *rest = next_word(args);
	*table = '\0';
	want->spreadsheet = take_spreadsheet(&rest);
	if (want->spreadsheet && strcmp(want->format->name, "csv") != 0)
		return evl_fail(
			err, EVL_USAGE, EVL_NO_OFFSET, "--spreadsheet is for csv, not for %s", want->format->name);
	if (want->format->wants == TABLE && *rest) {
		snprintf(table, room, "%.*s", (int)strcspn(rest, " \t"), rest);
		rest = next_word(rest);
		want->spreadsheet = take_spreadsheet(&rest) || want->spreadsheet;
	}
	if (take_table(h, table, want, list, err) < 0)
		return EVL_USAGE;
	if (*rest)
		snprintf(file, room, "%s", rest);
	else
		name_file(h, want, table, file, room);
	return 0;
}

char *export_cmd_offer(const struct pane_host *h, char *out, size_t room)
{
	struct export_want want = {0};
	struct export_list list = {0};
	struct evl_err err;
	char table[80], name[160];
	const char *form = suggest(h, &want.from, &want.to);
	if (!form || take_apart(h, form, &want, &list, table, name, sizeof name, &err) < 0)
		return NULL;
	export_list_drop(&list);
	snprintf(out, room, "export %s %s", form, name);
	return out;
}

int export_cmd_begin(struct pane_host *h, const char *args, bool force, struct evl_err *err)
{
	enum { ROOM = 1024 };
	char table[ROOM], file[ROOM];
	struct export_want want = {.force = force, .path = file};
	struct export_list list = {0};
	if (!evl_progress(h->log).done)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "possible when the log has been read");
	if (h->exporting)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "an export is already in progress (Ctrl-C stops it)");
	suggest(h, &want.from, &want.to);
	if (take_apart(h, args, &want, &list, table, file, sizeof file, err) < 0)
		return EVL_USAGE;
	want.table = *table ? table : NULL;
	int result = export_job_new(&h->exporting, h->log, &want, h->wake, h->wake_ctx, err);
	if (result == EVL_EXISTS)
		strncat(err->text, " (! replaces it)", sizeof err->text - strlen(err->text) - 1);
	return result;
}

bool export_cmd_news(struct pane_host *h)
{
	if (!h->exporting)
		return false;
	struct export_state s = export_job_state(h->exporting);
	if (!s.done)
		return true;
	if (s.err.code)
		pane_say(h, true, "%s", s.err.code == EVL_CANCELLED ? "export stopped: no file is left" : s.err.text);
	else
		pane_say(h, false, "written: %.180s, %s", s.path, as_bytes(s.bytes));
	export_job_free(h->exporting);
	h->exporting = NULL;
	return true;
}

bool export_cmd_busy(const struct pane_host *h) { return h->exporting; }

bool export_cmd_cancel(struct pane_host *h)
{
	if (h->exporting)
		export_job_cancel(h->exporting);
	return h->exporting;
}

void export_cmd_status(const struct pane_host *h, char *out, size_t room)
{
	*out = '\0';
	if (h->exporting)
		snprintf(out, room, " exporting %s", as_bytes(export_job_state(h->exporting).bytes));
}
