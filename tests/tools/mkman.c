/* mkman - write the generated parts of the manual page: mkman FILE >NEW
 *
 * The text between the lines `.\" BEGIN name` and `.\" END name` of FILE is replaced: keys from keymap.def, options
 * from options.def, and so on. Everything else is copied. */
#include "base/base.h"
#include "cli/option_where.h"
#include "term/keymap.h"

#include <stdio.h>

static void put_escaped(const char *s)
{
	for (; *s; s++) {
		if (*s == '-' || *s == '\\')
			putchar('\\');
		if (*s == '\\')
			fputs("e", stdout);
		else if (*s == '\'')
			fputs("\\(aq", stdout);
		else
			putchar(*s);
	}
}

/* A paragraph: lines of at most LINE bytes, which roff joins. */
static void put_text(const char *s)
{
	enum { LINE = 76 };
	size_t at = 0;
	while (*s) {
		size_t len = strcspn(s, " "), width = 0;
		for (size_t i = 0; i < len; i++)
			width += s[i] == '\'' ? 4 : s[i] == '-' || s[i] == '\\' ? 2 : 1;
		if (at && at + 1 + width > LINE) {
			fputs(*s == '.' ? "\n\\&" : "\n", stdout);
			at = 0;
		} else if (at) {
			putchar(' ');
			at++;
		}
		char word[200];
		snprintf(word, sizeof word, "%.*s", (int)len, s);
		put_escaped(word);
		at += width;
		s += len + (s[len] == ' ');
	}
	putchar('\n');
}

/* Meaning of keys in panes other than the timeline. */
static void put_notes(void)
{
	char keys[KEYMAP_TEXT];
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || notes[i].pane != notes[i - 1].pane)
			printf(".SS %s PANE\n", keymap_title(notes[i].pane));
		fputs(".TP\n\\fB", stdout);
		put_escaped(keymap_text(notes[i].keys, keys));
		fputs("\\fR\n", stdout);
		put_text(notes[i].help);
	}
}

static void put_keys(void)
{
	char keys[KEYMAP_TEXT];
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || rows[i].section != rows[i - 1].section)
			printf(".SS %s\n", rows[i].section);
		fputs(".TP\n\\fB", stdout);
		put_escaped(keymap_text(rows[i].keys, keys));
		fputs("\\fR\n", stdout);
		put_text(rows[i].help);
	}
	put_notes();
}

static void put_options(void)
{
	static const struct {
		const char *name;
		int letter;
		const char *arg, *help;
	} rows[] = {
#define OPTION(id, name, letter, arg, effect, help) {name, letter, arg, help},
#include "cli/options.def"
#undef OPTION
	};
	for (size_t i = 0; i < countof(rows); i++) {
		fputs(".TP\n\\fB", stdout);
		if (rows[i].letter)
			printf("\\-%c\\fR, \\fB", rows[i].letter);
		fputs("\\-\\-", stdout);
		put_escaped(rows[i].name);
		if (rows[i].arg)
			printf("\\fR=\\fI%s", rows[i].arg);
		fputs("\\fR\n", stdout);
		char where[OPTION_WHERE], text[1000];
		snprintf(text, sizeof text, "%s%s", rows[i].help, option_where(i, where));
		put_text(text);
	}
}

static void put_commands(void)
{
	static const struct {
		const char *name, *args, *help;
	} rows[] = {
#define COMMAND(name, args, needs, when, completes, help) {#name, args, help},
#include "app/command.def"
#undef COMMAND
	};
	for (size_t i = 0; i < countof(rows); i++) {
		printf(".TP\n\\fB%s\\fR", rows[i].name);
		if (*rows[i].args)
			printf(" \\fI%s\\fR", rows[i].args);
		putchar('\n');
		put_text(rows[i].help);
	}
}

static void put_tables(void)
{
	static const char *const rows[][2] = {
#define LISTED(name, help) {#name, help},
#include "rows/rows.def"
	};
	for (size_t i = 0; i < countof(rows); i++) {
		printf(".TP\n\\fBcsv \\-\\-table %s\\fR\n", rows[i][0]);
		put_text(rows[i][1]);
	}
}

static void put_exports(void)
{
	static const char *const rows[][2] = {
#define EXPORT_FORMAT(name, tables, help) {#name, help},
#include "export/export.def"
#undef EXPORT_FORMAT
	};
	for (size_t i = 0; i < countof(rows); i++) {
		printf(".TP\n\\fB%s\\fR\n", rows[i][0]);
		put_text(rows[i][1]);
	}
	put_tables();
}

static const struct {
	const char *begin, *end;
	void (*put)(void);
} parts[] = {
	{".\\\" BEGIN keys\n", ".\\\" END keys\n", put_keys},
	{".\\\" BEGIN options\n", ".\\\" END options\n", put_options},
	{".\\\" BEGIN commands\n", ".\\\" END commands\n", put_commands},
	{".\\\" BEGIN exports\n", ".\\\" END exports\n", put_exports},
};

int main(int argc, char **argv)
{
	char line[4096];
	const char *until = NULL;
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!f) {
		fprintf(stderr, "usage: mkman FILE\n");
		return 2;
	}
	while (fgets(line, sizeof line, f)) {
		if (until && strcmp(line, until) != 0)
			continue;
		until = NULL;
		fputs(line, stdout);
		for (size_t i = 0; i < countof(parts); i++)
			if (strcmp(line, parts[i].begin) == 0) {
				parts[i].put();
				until = parts[i].end;
			}
	}
	return fclose(f) || until;
}
