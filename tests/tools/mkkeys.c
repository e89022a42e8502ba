/* mkkeys - write docs/keys.md: every key and every command, from keymap.def and command.def. */
#include "app/command_table.h"
#include "base/base.h"
#include "term/keymap.h"

#include <stdio.h>

/* In a table of Markdown a bar ends the cell. */
static void put_cell(const char *text)
{
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
}

/* Each sequence as code, "<" also within it. */
static void put_keys(const char *keys)
{
	char text[KEYMAP_TEXT];
	for (const char *at = keymap_text(keys, text); *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		char one[KEYMAP_TEXT];
		memcpy(one, at, len);
		one[len] = '\0';
		printf("%s`", at == text ? "" : " ");
		put_cell(one);
		putchar('`');
		at += len;
	}
}

static void begin(const char *title, const char *what)
{
	printf("\n## %c", *title);
	for (title++; *title; title++)
		putchar(*title >= 'A' && *title <= 'Z' ? *title - 'A' + 'a' : *title);
	printf("\n\n| %s | |\n|---|---|\n", what);
}

static void row(const char *keys, const char *help)
{
	printf("| ");
	put_keys(keys);
	printf(" | ");
	put_cell(help);
	printf(" |\n");
}

static void put_map(void)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || rows[i].section != rows[i - 1].section)
			begin(rows[i].section, "keys");
		row(rows[i].keys, rows[i].help);
	}
}

static void put_notes(void)
{
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || notes[i].pane != notes[i - 1].pane) {
			char title[64];
			snprintf(title, sizeof title, "%s pane", keymap_title(notes[i].pane));
			begin(title, "keys");
		}
		row(notes[i].keys, notes[i].help);
	}
}

static void put_commands(void)
{
	size_t n;
	const struct command_row *rows = command_rows(&n);
	begin("Commands after `:`", "command");
	for (size_t i = 0; i < n; i++) {
		printf("| `%s", rows[i].name);
		printf("%s", *rows[i].args ? " " : "");
		put_cell(rows[i].args);
		printf("` | ");
		put_cell(rows[i].help);
		printf(" |\n");
	}
}

int main(void)
{
	puts("# Keys and commands\n"
	     "\n"
	     "`make docs` writes this page from `ui/term/keymap.def` and `ui/app/command.def`. `evtui "
	     "--list-keys` prints the keys, and `?`\n"
	     "shows those of the current pane. Keys listed under a pane have that meaning only in this pane.");
	put_map();
	put_notes();
	put_commands();
	return 0;
}
