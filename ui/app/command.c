#include "app/command.h"
#include "app/command_table.h"

#include "app/follow.h"
#include "app/names.h"
#include "chrome/export_cmd.h"
#include "draw/screenshot.h"
#include "jobs/files_job.h"
#include "jobs/other_log.h"
#include "lanes/lanes_edit.h"
#include "panes/events/goto.h"
#include "panes/heap/heap_pane.h"
#include "panes/marks/marks_pane.h"
#include "panes/query/query_pane.h"
#include "panes/stats/stats_pane.h"
#include "state/moment.h"
#include "state/state_dir.h"

#include <stdio.h>
#include <stdlib.h>

/* A line, taken apart. */
struct call {
	char *arg;  /* the rest of the line without blanks around it; "" for none */
	bool force; /* the name was followed by ! */
};

typedef int command_fn(struct command_host *h, struct call *call, struct evl_err *err);

enum command_needs { NEEDS_ARG, NEEDS_MAY, NEEDS_NONE };
enum command_when { WHEN_READ, WHEN_ANY };
enum command_words {
	WORDS_NOTHING,
	WORDS_ORDERS,
	WORDS_THEMES,
	WORDS_SETTINGS,
	WORDS_COMMANDS,
	WORDS_FORMATS,
	WORDS_SWITCHES,
	WORDS_QUERIES,
	WORDS_FILES
};

static int refuse(struct evl_err *err, const char *what, const char *value)
{
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s%s", what, value);
}

static int refuse_value(struct evl_err *err, const char *what, const char *value)
{
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s \"%.100s\"", what, value);
}

static int invalid(struct evl_err *err, const char *what, const char *value, const char *use)
{
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "invalid %s \"%.60s\" (use %s)", what, value, use);
}

/* Return the index of a word among those that are allowed, which end with NULL; or EVL_USAGE with *err filled. */
static int choose(const char *word, const char *const *words, const char *what, struct evl_err *err)
{
	static const char *const before[] = {" or ", ", "};
	char list[120];
	size_t used = 0;
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	for (int i = 0; words[i] && used < sizeof list; i++)
		used += (size_t)snprintf(
			list + used, sizeof list - used, "%s%s", i ? before[!!words[i + 1]] : "", words[i]);
	return invalid(err, what, word, list);
}

/* Take the first word of *s and move *s past it; "" at the end. */
static char *take_word(char **s)
{
	char *word = *s + strspn(*s, " \t");
	size_t len = strcspn(word, " \t");
	*s = word + len;
	if (**s)
		*(*s)++ = '\0';
	return word;
}

/* --- the commands --- */

static int do_goto(struct command_host *h, struct call *call, struct evl_err *err)
{
	h->view->now_ms = h->now_ms;
	return go_to_moment(h->view, call->arg, err);
}

/* A number and a key, or its sequence: "3 ]g". */
static int do_key(struct command_host *h, struct call *call, struct evl_err *err)
{
	enum { MOST = 99 };
	struct keymap_state state = {0};
	char *key;
	unsigned long n = strtoul(call->arg, &key, 10);
	key += strspn(key, " \t");
	enum action action = keymap_feed(&state, strcmp(key, "<") == 0 ? "<lt>" : key, NULL);
	enum keymap_owner owner = action > ACT_MORE ? keymap_owner(action) : OWNER_PROGRAM;
	if (!is_digit(*call->arg) || n < 1 || n > MOST)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "key needs a number from 1 to %d: key 3 ]g", MOST);
	if (!*key || (owner != OWNER_TIME && owner != OWNER_MOVE))
		return refuse_value(err, "not a key that moves or jumps:", key);
	h->key = action;
	h->times = (int)n;
	return 0;
}

/* Two times of which the first is earlier. */
static int parse_range(
	const struct command_host *h, const char *a, const char *b, uint64_t *from, uint64_t *to, struct evl_err *err)
{
	if (moment_time(h->model, a, from, err) < 0 || moment_time(h->model, b, to, err) < 0)
		return EVL_USAGE;
	return *from < *to ? 0 : refuse(err, "the range is empty: ", "its end is not after its start");
}

static int do_zoom(struct command_host *h, struct call *call, struct evl_err *err)
{
	char *rest = call->arg, *a = take_word(&rest), *b = take_word(&rest);
	uint64_t from, to;
	if (!*b || *take_word(&rest))
		return refuse(err, "zoom takes two times", "");
	if (parse_range(h, a, b, &from, &to, err) < 0)
		return EVL_USAGE;
	model_fit(h->model, from, to, h->now_ms);
	return 0;
}

static int do_filter(struct command_host *h, struct call *call, struct evl_err *err)
{
	if (strlen(call->arg) >= LIST_FILTER)
		return refuse(err, "this filter is too long", "");
	return timeline_filter(h->timeline, call->arg, err);
}

static int change_lanes(struct command_host *h, const char *glob, const char *(*change)(struct lanes *),
	const char *done, struct evl_err *err)
{
	const char *why;
	size_t n = lanes_glob(&h->timeline->lanes, glob, change, &why);
	if (why)
		return refuse(err, why, "");
	if (n == 0)
		return refuse_value(err, "no lane is named", glob);
	snprintf(h->say, sizeof h->say, "%zu lane%s %s", n, n == 1 ? "" : "s", done);
	return 0;
}

static int do_pin(struct command_host *h, struct call *call, struct evl_err *err)
{
	return change_lanes(h, call->arg, lanes_pin, "pinned", err);
}

static int do_hide(struct command_host *h, struct call *call, struct evl_err *err)
{
	return change_lanes(h, call->arg, lanes_hide, "hidden", err);
}

static const char *const orders[] = {"run", "wait", "wakeups", "id", "name", NULL}; /* enum thread_order */
_Static_assert(countof(orders) == ORDERS + 1, "a word for every order");

static int do_sort(struct command_host *h, struct call *call, struct evl_err *err)
{
	int order = choose(call->arg, orders, "order", err);
	if (order < 0)
		return order;
	h->timeline->lanes.ask.order = (enum thread_order)order;
	return 0;
}

/* Save changes at once. */
static int keep_marks(struct command_host *h, const char *what, const char *name)
{
	const char *why = bookmarks_save(h->marks_file, &h->model->marks);
	if (why)
		snprintf(h->say, sizeof h->say, "%s \"%s\" set, but not saved: %s", what, name, why);
	else
		snprintf(h->say, sizeof h->say, "saved %s \"%s\"", what, name);
	return 0;
}

static int do_mark(struct command_host *h, struct call *call, struct evl_err *err)
{
	char *rest = call->arg, *letter = take_word(&rest);
	uint64_t t = h->model->at.cursor;
	rest += strspn(rest, " \t");
	if (letter[1] || letter[0] < 'a' || letter[0] > 'z')
		return invalid(err, "mark", letter, "a letter from a to z");
	if (*rest && moment_time(h->model, rest, &t, err) < 0)
		return EVL_USAGE;
	bookmarks_set(&h->model->marks, letter[0], t);
	return keep_marks(h, "mark", letter);
}

static int do_range(struct command_host *h, struct call *call, struct evl_err *err)
{
	char *rest = call->arg, *name = take_word(&rest), *a = take_word(&rest), *b = take_word(&rest);
	const struct selection *s = &h->model->selection;
	uint64_t from = selection_from(s), to = selection_to(s);
	if (*a && (!*b || *take_word(&rest)))
		return refuse(err, "range needs a name, optionally followed by two times", "");
	if (*a && parse_range(h, a, b, &from, &to, err) < 0)
		return EVL_USAGE;
	if (!*a && from == to)
		return refuse(err, "no range selected (select one with v, or use :range NAME A B)", "");
	const char *why = bookmarks_add_range(&h->model->marks, name, from, to);
	return why ? refuse(err, why, "") : keep_marks(h, "range", name);
}

static int do_select(struct command_host *h, struct call *call, struct evl_err *err)
{
	char *rest = call->arg, *a = take_word(&rest), *b = take_word(&rest);
	const struct named_range *range = *b ? NULL : bookmarks_range(&h->model->marks, a);
	struct named_range typed = {0};
	if (*take_word(&rest))
		return refuse(err, "select takes the name of a range, or two times", "");
	if (!*b && !range)
		return refuse_value(err, "no range is named", a);
	if (!range && parse_range(h, a, b, &typed.from, &typed.to, err) < 0)
		return EVL_USAGE;
	marks_select(h->model, range ? range : &typed, h->now_ms);
	return 0;
}

static int do_origin(struct command_host *h, struct call *call, struct evl_err *err)
{
	uint64_t t = h->model->at.cursor;
	if (*call->arg && moment_time(h->model, call->arg, &t, err) < 0)
		return EVL_USAGE;
	h->model->origin = t;
	return 0;
}

static const char *const themes[] = {"dark", "light", "safe", "mono", NULL}; /* enum theme; mono is none of its */
_Static_assert(countof(themes) == THEMES + 2, "a word for every theme");

static int do_theme(struct command_host *h, struct call *call, struct evl_err *err)
{
	int theme = choose(call->arg, themes, "theme", err);
	bool mono = theme == THEMES;
	if (theme < 0)
		return theme;
	bool light = theme == THEME_SAFE && (h->traits->theme == THEME_LIGHT || *h->theme == THEME_LIGHT);
	*h->theme = mono ? *h->theme : light ? THEME_LIGHT : (enum theme)theme;
	*h->colours = tty_colours(mono ? TTY_MONO : h->traits->colours, *h->theme);
	h->canvas->mono = *h->colours == 0;
	h->repaint = true;
	return 0;
}

/* --- set --- */

enum { ON, OFF };
static const char *const on_off[] = {"on", "off", NULL};
static const char *const shades[] = {"auto", "on", "off", NULL}; /* enum gc_shade */
static const char *const axes[] = {"log", "wall", NULL};

static int set_letters(struct command_host *h, int value, struct evl_err *err)
{
	if (value == OFF && *h->colours == 0)
		return refuse(err, "without colours there are letters", "");
	h->canvas->mono = value == ON;
	return 0;
}

static int set_mouse(struct command_host *h, int value, UNUSED struct evl_err *err)
{
	h->mouse->on = value == ON;
	tty_mouse(value == ON);
	return 0;
}

static int set_ascii(struct command_host *h, int value, struct evl_err *err)
{
	if (value == OFF && !h->traits->utf8)
		return refuse(err, "the terminal's character set is not UTF-8", "");
	h->canvas->ascii = value == ON;
	return 0;
}

/* Few colours, and lanes of one row. */
static int set_lowbw(struct command_host *h, int value, UNUSED struct evl_err *err)
{
	int most = h->traits->colours;
	*h->colours = tty_colours(value == ON && most > TTY_16 ? TTY_16 : most, *h->theme);
	h->timeline->low = value == ON;
	h->repaint = true;
	return 0;
}

static int set_gcshade(struct command_host *h, int value, UNUSED struct evl_err *err)
{
	h->timeline->lanes.gc_shade = (enum gc_shade)value;
	return 0;
}

/* The time of day is that of the log, which not every log tells. */
static int set_axis(struct command_host *h, int value, struct evl_err *err)
{
	bool wall = value;
	if (wall && evl_progress(h->model->log).done && !program_get(&h->model->log->program).wall_ns)
		return refuse(err, "this log has no wall-clock time", "");
	h->model->wall = wall;
	return 0;
}

static int set_escms(struct command_host *h, int value, UNUSED struct evl_err *err)
{
	input_set_wait(h->input, value);
	return 0;
}

static int parse_ms(const char *value, struct evl_err *err)
{
	size_t digits = strspn(value, "0123456789");
	int ms = digits && digits < 5 && !value[digits] ? atoi(value) : 0;
	return ms >= 1 && ms <= 5000 ? ms : invalid(err, "escms", value, "a number from 1 to 5000");
}

/* SETTING(name, the words that it takes; NULL: milliseconds). */
#define SETTINGS                                                                                                       \
	SETTING(letters, on_off)                                                                                       \
	SETTING(mouse, on_off)                                                                                         \
	SETTING(ascii, on_off)                                                                                         \
	SETTING(lowbw, on_off)                                                                                         \
	SETTING(gcshade, shades)                                                                                       \
	SETTING(axis, axes)                                                                                            \
	SETTING(escms, NULL)

#define SETTING(name, values) #name,
static const char *const settings[] = {SETTINGS NULL};
#undef SETTING
#define SETTING(name, values) {values, set_##name},
static const struct {
	const char *const *values;
	int (*set)(struct command_host *h, int value, struct evl_err *err);
} setting[] = {SETTINGS};
#undef SETTING

static int do_set(struct command_host *h, struct call *call, struct evl_err *err)
{
	char *rest = call->arg, *name = take_word(&rest), *word = take_word(&rest);
	int i = choose(name, settings, "setting", err);
	if (i < 0)
		return i;
	int value = setting[i].values ? choose(word, setting[i].values, name, err) : parse_ms(word, err);
	return value < 0 ? value : setting[i].set(h, value, err);
}

/* How to replace a file that is in the way. */
static int add_hint(struct evl_err *err, const char *hint)
{
	size_t used = strlen(err->text);
	if (err->code == EVL_EXISTS)
		snprintf(err->text + used, sizeof err->text - used, " (%s)", hint);
	return err->code;
}

static int do_screenshot(struct command_host *h, struct call *call, struct evl_err *err)
{
	struct screenshot shot = {.canvas = h->canvas, .theme = *h->theme, .colours = *h->colours};
	const char *file = path_base(call->arg);
	char name[1024];
	snprintf(name, sizeof name, "%s%s", call->arg, *file && !strchr(file, '.') ? ".txt" : "");
	if (screenshot_write(&shot, name, call->force, err) < 0)
		return add_hint(err, "screenshot! replaces it");
	snprintf(h->say, sizeof h->say, "written: %.200s", name);
	return 0;
}

static int do_diff(struct command_host *h, struct call *call, struct evl_err *err)
{
	if (!*call->arg && h->view->other)
		snprintf(h->say, sizeof h->say, "no longer compared with %.200s", other_log_path(h->view->other));
	else if (!*call->arg)
		snprintf(h->say, sizeof h->say, "not compared with another log (:diff FILE compares)");
	const char *why = pane_compare(h->view, call->arg);
	bool own = h->view->shown == PANE_PROF; /* D compares there */
	if (!why && *call->arg && !own)
		why = stats_diff(h->view);
	return why ? refuse(err, why, "") : 0;
}

static int do_group(struct command_host *h, struct call *call, struct evl_err *err)
{
	return heap_pane_group(h->view, call->arg, err);
}

static int do_sql(struct command_host *h, struct call *call, struct evl_err *err)
{
	const char *why = query_run(h->view, call->arg);
	return why ? refuse(err, why, "") : 0;
}

static int do_exe(struct command_host *h, struct call *call, struct evl_err *err)
{
	return names_ask(h->view, call->arg) ? 0 : refuse(err, "out of memory", "");
}

static int do_export(struct command_host *h, struct call *call, struct evl_err *err)
{
	return export_cmd_begin(h->view, call->arg, call->force, err);
}

static int do_help(struct command_host *h, struct call *call, struct evl_err *err)
{
	if (!help_about(h->help, call->arg))
		return refuse_value(err, "no help on", call->arg);
	return 0;
}

static int ask_program(struct command_host *h, enum control what, struct evl_err *err)
{
	int result =
		h->view->following ? follow_ask(h->view->following, what, err) : refuse(err, "there is no stream", "");
	if (result == 0)
		snprintf(h->say, sizeof h->say, "request sent (no acknowledgement is possible)");
	return result;
}

static int do_census(struct command_host *h, UNUSED struct call *call, struct evl_err *err)
{
	return ask_program(h, CONTROL_CENSUS, err);
}

static const char *const start_stop[] = {"start", "stop", NULL};

static int switch_program(
	struct command_host *h, const char *word, enum control start, enum control stop, struct evl_err *err)
{
	int i = choose(word, start_stop, "argument", err);
	return i < 0 ? i : ask_program(h, i == 0 ? start : stop, err);
}

static int do_heap(struct command_host *h, struct call *call, struct evl_err *err)
{
	return switch_program(h, call->arg, CONTROL_START_HEAP, CONTROL_STOP_HEAP, err);
}

static int do_profile(struct command_host *h, struct call *call, struct evl_err *err)
{
	return switch_program(h, call->arg, CONTROL_START_PROFILING, CONTROL_STOP_PROFILING, err);
}

static int keep_log(struct command_host *h, const char *file, bool force, struct evl_err *err)
{
	char what[COMMAND_ROOM];
	snprintf(what, sizeof what, "log %s", file);
	return export_cmd_begin(h->view, what, force, err);
}

static int do_w(struct command_host *h, struct call *call, struct evl_err *err)
{
	if (*call->arg)
		return keep_log(h, call->arg, call->force, err);
	const char *why = bookmarks_save(h->marks_file, &h->model->marks);
	if (why)
		return refuse(err, "the marks cannot be written: ", why);
	snprintf(h->say, sizeof h->say, "marks are in %.230s", h->marks_file->path);
	return 0;
}

static int do_q(struct command_host *h, UNUSED struct call *call, UNUSED struct evl_err *err)
{
	h->leave = true;
	return 0;
}

static const char *const formats[] = {
#define EXPORT_FORMAT(name, tables, help) #name,
#include "export/export.def"
#undef EXPORT_FORMAT
	NULL};

/* --- the table --- */

static const struct {
	const char *name, *args;
	enum command_needs needs;
	enum command_when when;
	enum command_words words;
	command_fn *run;
} commands[] = {
#define COMMAND(name, args, needs, when, completes, help)                                                              \
	{#name, args, NEEDS_##needs, WHEN_##when, WORDS_##completes, do_##name},
#include "app/command.def"
#undef COMMAND
};

/* The names as words to complete, terminated by NULL. */
static const char *const names[] = {
#define COMMAND(name, args, needs, when, completes, help) #name,
#include "app/command.def"
#undef COMMAND
	NULL};

/* Write the words that start with these bytes to out, separated by blanks. Return their number. *common: length of
 * their common prefix. */
static size_t candidates(const char *const *words, const char *text, size_t len, char *out, size_t room, size_t *common)
{
	const char *first = NULL;
	size_t n = 0, used = 0;
	*out = '\0';
	for (; *words; words++) {
		size_t same = 0;
		if (strncmp(*words, text, len) != 0)
			continue;
		if (used < room)
			used += (size_t)snprintf(out + used, room - used, "%s%s", n ? " " : "", *words);
		while (n && same < *common && first[same] == (*words)[same])
			same++;
		first = n++ ? first : *words;
		*common = n == 1 ? strlen(first) : same;
	}
	return n;
}

/* Return the command that a word means: its name or an unambiguous prefix, or a number, which repeats a key. -1 with err
 * filled. */
static int find(const char *word, size_t len, struct evl_err *err)
{
	char list[COMMAND_SAY];
	size_t common;
	for (size_t i = 0; i < countof(commands) && is_digit(*word); i++)
		if (commands[i].run == do_key)
			return (int)i;
	for (size_t i = 0; i < countof(commands); i++)
		if (strlen(commands[i].name) == len && strncmp(commands[i].name, word, len) == 0)
			return (int)i;
	size_t n = candidates(names, word, len, list, sizeof list, &common);
	int shown = len < 60 ? (int)len : 60;
	if (n == 0)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "no such command: \"%.*s\" (:help lists them)", shown,
			       word),
		       -1;
	if (n > 1)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "\"%.*s\" is ambiguous: %.150s", shown, word, list), -1;
	for (size_t i = 0; i < countof(commands); i++)
		if (strncmp(commands[i].name, word, len) == 0)
			return (int)i;
	return -1;
}

static const char *begin_of(const char *line)
{
	line += strspn(line, " \t:");
	return line;
}

static size_t name_length(const char *line) { return is_digit(*line) ? 0 : strcspn(line, " \t!"); }

int command_run(struct command_host *h, const char *line, struct evl_err *err)
{
	char copy[COMMAND_ROOM];
	h->say[0] = '\0';
	line = begin_of(line);
	if (!*line)
		return 0;
	if (strlen(line) >= sizeof copy)
		return refuse(err, "the line is too long", "");
	size_t len = name_length(line);
	int i = find(line, len, err);
	if (i < 0)
		return EVL_USAGE;
	memcpy(copy, line + len, strlen(line + len) + 1);
	struct call call = {.arg = copy, .force = len && copy[0] == '!'};
	call.arg += call.force;
	call.arg += strspn(call.arg, " \t");
	for (size_t end = strlen(call.arg); end && strchr(" \t\r", call.arg[end - 1]);)
		call.arg[--end] = '\0';
	if (call.force && commands[i].run != do_screenshot && commands[i].run != do_export && commands[i].run != do_w)
		return refuse(err, commands[i].name, " does not accept \"!\"");
	if (commands[i].needs == NEEDS_ARG && !*call.arg)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s needs %s", commands[i].name, commands[i].args);
	if (commands[i].needs == NEEDS_NONE && *call.arg)
		return refuse(err, commands[i].name, " takes no argument");
	return commands[i].run(h, &call, err);
}

bool command_waits(const char *line)
{
	struct evl_err err;
	line = begin_of(line);
	int i = find(line, name_length(line), &err);
	return i >= 0 && commands[i].when == WHEN_READ;
}

/* --- completion --- */

/* The words that a setting takes; it is the first word of `args`. */
static const char *const *setting_words(const char *args)
{
	size_t len = strcspn(args, " \t");
	for (int i = 0; settings[i]; i++)
		if (strlen(settings[i]) == len && strncmp(settings[i], args, len) == 0)
			return setting[i].values;
	return NULL;
}

/* Completions of the word at `at`. */
static const char *const *words_for(const struct pane_host *h, const char *text, size_t at)
{
	struct evl_err err;
	const char *line = begin_of(text);
	if (at <= (size_t)(line - text))
		return names;
	int i = find(line, name_length(line), &err);
	const char *args = line + strcspn(line, " \t"), *word = args + strspn(args, " \t");
	const char *second = strpbrk(word, " \t") ? word : NULL;
	switch (i < 0 ? WORDS_NOTHING : commands[i].words) {
	case WORDS_ORDERS: return second ? NULL : orders;
	case WORDS_THEMES: return second ? NULL : themes;
	case WORDS_SETTINGS: return second ? setting_words(second) : settings;
	case WORDS_COMMANDS: return second ? NULL : names;
	case WORDS_SWITCHES: return second ? NULL : start_stop;
	case WORDS_FORMATS: return second ? NULL : formats;
	case WORDS_QUERIES: return query_words(h, !second);
	case WORDS_FILES:
	case WORDS_NOTHING: break;
	}
	return NULL;
}

/* Does the line ask SQL? Its words end at signs, too. */
static bool is_sql(const char *text)
{
	struct evl_err err;
	const char *line = begin_of(text);
	int i = *line ? find(line, name_length(line), &err) : -1;
	return i >= 0 && commands[i].words == WORDS_QUERIES;
}

/* Do files complete the word at `at`? Sets *at to its start: a name may hold blanks, but after a format. */
static bool wants_file(const char *text, size_t *at)
{
	struct evl_err err;
	const char *line = begin_of(text), *arg = line + strcspn(line, " \t");
	int i = *arg ? find(line, name_length(line), &err) : -1;
	arg += strspn(arg, " \t");
	if (i < 0 || (commands[i].words != WORDS_FILES && commands[i].words != WORDS_FORMATS))
		return false;
	if (commands[i].words == WORDS_FORMATS)
		return strpbrk(arg, " \t");
	*at = (size_t)(arg - text);
	return true;
}

static void complete_file(struct pane_host *h, const char *text, size_t at, char *out, size_t room, char *say)
{
	enum { WAIT_MS = 250 };
	char list[COMMAND_SAY];
	const char *slash = strrchr(text + at, '/'), *base = slash ? slash + 1 : text + at;
	size_t common = 0, len = strlen(base);
	struct files_ask *ask = calloc(1, sizeof *ask);
	struct files_found *found = calloc(1, sizeof *found);
	if (ask && found && len < sizeof ask->base && (h->files || (h->files = files_job_new()))) {
		snprintf(ask->dir, sizeof ask->dir, "%.*s", slash ? (int)(slash + 1 - (text + at)) : 1,
			slash ? text + at : ".");
		memcpy(ask->base, base, len + 1);
		job_ask(h->files, ask);
		if (!job_wait(h->files, h->wait_for_jobs ? -1 : WAIT_MS)) {
			snprintf(say, COMMAND_SAY, "reading the directory …: press Tab again");
		} else { /* the next question reads it again */
			job_take(h->files, found);
			job_free(h->files);
			h->files = NULL;
		}
	}
	size_t n = found ? candidates((const char *const *)found->names, base, len, list, sizeof list, &common) : 0;
	bool whole = n == 1 && found->names[0][common - 1] != '/';
	if (n == 1 || common > len)
		snprintf(out, room, "%.*s%.*s%s", (int)(base - text), text, (int)common, found->names[0],
			whole ? " " : "");
	else if (n)
		snprintf(say, COMMAND_SAY, "%s", list);
	if (found)
		files_found_free(found);
	free_all(found, ask);
}

/* "mark LETTER [T]: set a mark at T, or at the cursor" */
static void say_usage(const char *line, char *say)
{
	struct evl_err err;
	int i = find(line, name_length(line), &err);
	size_t n;
	if (i >= 0)
		snprintf(say, COMMAND_SAY, "%s %s: %s", commands[i].name, commands[i].args, command_rows(&n)[i].help);
}

void command_complete(struct pane_host *h, const char *text, char *out, size_t room, char *say)
{
	char list[COMMAND_SAY];
	size_t at = strlen(text), common = 0;
	const char *ends = is_sql(text) ? " \t:(),.=<>+-*/" : " \t:";
	while (at && !strchr(ends, text[at - 1]))
		at--;
	const char *const *words = words_for(h, text, at);
	snprintf(out, room, "%s", text);
	say[0] = '\0';
	if (!words && wants_file(text, &at)) {
		complete_file(h, text, at, out, room, say);
		return;
	}
	size_t len = strlen(text + at), n = words ? candidates(words, text + at, len, list, sizeof list, &common) : 0;
	if (n == 0) {
		say_usage(begin_of(text), say);
		return;
	}
	if (n == 1 || common > len)
		snprintf(out, room, "%.*s%.*s%s", (int)at, text, (int)common, list, n == 1 ? " " : "");
	else
		snprintf(say, COMMAND_SAY, "%s", list);
}
