#include "draw/say.h"

#include "base/printable.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Does the environment name a UTF-8 locale? In an empty root there is none to be had by that name. */
static bool is_named(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *name = NULL, *dot;
	for (size_t i = 0; i < countof(variables) && !(name && *name); i++)
		name = getenv(variables[i]);
	dot = name ? strchr(name, '.') : NULL;
	return dot && (strcasecmp(dot, ".UTF-8") == 0 || strcasecmp(dot, ".utf8") == 0);
}

bool say_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0
		|| (strcmp(setlocale(LC_CTYPE, NULL), "C") == 0 && is_named());
}

static void put(const char *text)
{
	struct buf line = {0};
	buf_lit(&line, "evtui: ");
	printable_put(&line, str_of(text), (struct printable){.ascii = !say_utf8()});
	buf_char(&line, '\n');
	if (line.failed)
		fputs("evtui: out of memory\n", stderr);
	else
		fwrite(line.p, 1, line.len, stderr);
	buf_free(&line);
}

void say_error(const char *format, ...)
{
	enum { ROOM = 8192 }; /* more than a name of a file can have */
	char text[ROOM];
	va_list args;
	va_start(args, format);
	int len = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	put(len < 0 ? "an error that cannot be said" : text);
}
