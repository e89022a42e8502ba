#include "app/help.h"

#include "app/command_table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { COLUMN_W = 46, KEYS_W = 16, MARGIN_X = 2, MARGIN_Y = 1, MAX_LINES = 256 };

/* A line of the help: the title of a section (keys NULL), a key, or blank (both NULL). */
struct line {
	const char *keys, *text;
};

/* Report whether the topic is "", one of the keys, a word of their help, or a prefix of the section. */
static bool is_about(const char *topic, const char *section, const char *keys, const char *text)
{
	size_t len = strlen(topic);
	if (len == 0 || strncasecmp(section, topic, len) == 0 || strcasestr(text, topic))
		return true;
	for (const char *p = keys; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == len && strncmp(p, topic, len) == 0)
			return true;
	return false;
}

/* A line under its section, whose title comes before its first one. */
static int add_line(
	struct line *out, int lines, const char **section, const char *title, const char *keys, const char *text)
{
	if (lines + 3 > MAX_LINES)
		return lines;
	if (*section != title && lines)
		out[lines++] = (struct line){0};
	if (*section != title)
		out[lines++] = (struct line){NULL, title};
	*section = title;
	out[lines++] = (struct line){keys, text};
	return lines;
}

/* Meaning of keys in a pane other than the timeline. */
static int make_notes(const char *topic, enum keymap_pane pane, struct line *out, int lines)
{
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	const char *section = NULL, *title = keymap_title(pane);
	for (size_t i = 0; i < n; i++)
		if (notes[i].pane == pane && is_about(topic, title, notes[i].keys, notes[i].help))
			lines = add_line(out, lines, &section, title, notes[i].keys, notes[i].help);
	return lines;
}

static int make_keys(const char *topic, struct line *out, int lines)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	const char *section = NULL;
	for (size_t i = 0; i < n; i++)
		if (is_about(topic, rows[i].section, rows[i].keys, rows[i].help))
			lines = add_line(out, lines, &section, rows[i].section, rows[i].keys, rows[i].help);
	return lines;
}

/* First those of the pane, or of all panes on a topic; then all others. */
static int make_lines(const char *topic, enum keymap_pane shown, struct line *out)
{
	static const char title[] = "COMMANDS AFTER :";
	const char *section = NULL;
	size_t n;
	const struct command_row *rows = command_rows(&n);
	int lines = 0;
	for (enum keymap_pane pane = 0; pane < KEYMAP_PANES; pane++)
		if (*topic || pane == shown)
			lines = make_notes(topic, pane, out, lines);
	lines = make_keys(topic, out, lines);
	for (size_t i = 0; i < n; i++)
		if (is_about(topic, title, rows[i].name, rows[i].help))
			lines = add_line(out, lines, &section, title, rows[i].name, rows[i].help);
	return lines;
}

bool help_about(struct help *h, const char *topic)
{
	struct line lines[MAX_LINES];
	if (strlen(topic) >= sizeof h->topic || make_lines(topic, KEYMAP_TIMELINE, lines) == 0)
		return false;
	*h = (struct help){.open = true};
	memcpy(h->topic, topic, strlen(topic) + 1);
	return true;
}

static void draw_line(const struct line *l, struct canvas *c, int y, int x, int width)
{
	char keys[KEYMAP_TEXT];
	if (!l->text)
		return;
	if (!l->keys) {
		canvas_str(c, y, x, width, PEN_BOLD(ST_ACCENT), l->text);
		return;
	}
	canvas_str(c, y, x + 1, KEYS_W - 2, PEN(ST_KEY), keymap_text(l->keys, keys));
	canvas_str(c, y, x + KEYS_W, width - KEYS_W, PEN(ST_TEXT), l->text);
}

/* Wide columns read better: use no more of them than the height requires. */
static int count_columns(int n, int rows, int w)
{
	int columns = 1;
	while ((columns + 1) * COLUMN_W <= w && columns * rows < n)
		columns++;
	return columns;
}

void help_draw(struct help *h, enum keymap_pane pane, struct canvas *c)
{
	struct line lines[MAX_LINES];
	int n = make_lines(h->topic, pane, lines), w = c->cols - 2 * MARGIN_X, rows = c->rows - 2 * MARGIN_Y - 2;
	int columns = count_columns(n, rows, w - 3);
	int column_w = (w - 3) / columns, high = (n + columns - 1) / columns;
	high = high > rows ? rows : high;
	if (w < 4 || high < 1)
		return;
	int shown = high * columns, most = n > shown ? n - shown : 0;
	h->top = h->top > most ? most : h->top < 0 ? 0 : h->top;
	h->page = shown;
	canvas_box(c, MARGIN_Y, MARGIN_X, high + 2, w, PEN(ST_DIM),
		most ? "Keys   j/k scroll   Esc close" : "Keys   Esc close");
	for (int i = 0; i < shown && h->top + i < n; i++)
		draw_line(&lines[h->top + i], c, MARGIN_Y + 1 + i % high, MARGIN_X + 2 + i / high * column_w,
			column_w - 1);
}

void help_scroll(struct help *h, enum action action)
{
	const struct {
		enum action action;
		int by;
	} moves[] = {{ACT_DOWN, 1}, {ACT_UP, -1}, {ACT_HALF_DOWN, h->page / 2}, {ACT_HALF_UP, -h->page / 2},
		{ACT_PAGE_DOWN, h->page}, {ACT_PAGE_UP, -h->page}, {ACT_START, -MAX_LINES}, {ACT_END, MAX_LINES}};
	for (size_t i = 0; i < countof(moves); i++)
		if (moves[i].action == action)
			h->top += moves[i].by;
}

char *help_text(void)
{
	struct line lines[MAX_LINES];
	char *out = NULL, keys[KEYMAP_TEXT];
	size_t size;
	FILE *f = open_memstream(&out, &size);
	if (!f)
		return NULL;
	int n = make_keys("", lines, 0);
	for (enum keymap_pane pane = KEYMAP_TIMELINE + 1; pane < KEYMAP_PANES; pane++)
		n = make_notes("", pane, lines, n);
	for (int i = 0; i < n; i++) {
		if (lines[i].keys)
			fprintf(f, "  %-14s %s\n", keymap_text(lines[i].keys, keys), lines[i].text);
		else
			fprintf(f, "%s\n", lines[i].text ? lines[i].text : "");
	}
	return fclose(f) == 0 ? out : NULL;
}
