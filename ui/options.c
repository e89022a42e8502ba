#include "options.h"

#include <getopt.h>
#include <stdlib.h>

enum option_id {
	OPT_NONE = 255, /* above all characters */
#define O(id, name, letter, arg, help) OPT_##id,
#include "options.def"
#undef O
};

static const struct row {
	enum option_id id;
	const char *name;
	int letter;
	const char *arg, *help;
} rows[] = {
#define O(id, name, letter, arg, help) {OPT_##id, name, letter, arg, help},
#include "options.def"
#undef O
};

static int refuse(const char *what, const char *value)
{
	fprintf(stderr, "evtui: %s%s (try evtui --help)\n", what, value);
	return EXIT_USAGE;
}

static int set_colour(struct options *o, const char *value)
{
	static const struct {
		const char *name;
		int colours;
	} names[] = {{"auto", TTY_AUTO}, {"always", TTY_256}, {"never", TTY_MONO}, {"8", TTY_8}, {"16", TTY_16},
		{"256", TTY_256}};
	for (size_t i = 0; i < countof(names); i++)
		if (strcmp(names[i].name, value) == 0) {
			o->tty.colours = names[i].colours;
			return 0;
		}
	return refuse("--color: not one of auto, always, never, 8, 16, 256: ", value);
}

static int set_theme(struct options *o, const char *value)
{
	if (strcmp(value, "light") == 0)
		o->tty.theme = THEME_LIGHT;
	else if (strcmp(value, "mono") == 0)
		o->tty.colours = TTY_MONO;
	else if (strcmp(value, "dark") != 0)
		return refuse("--theme: not one of dark, light, mono: ", value);
	return 0;
}

static int set(struct options *o, int id, const char *value)
{
	switch (id) {
	case OPT_ASCII: o->tty.ascii = true; return 0;
	case OPT_COLOR: return set_colour(o, value);
	case OPT_THEME: return set_theme(o, value);
	case OPT_NO_MOUSE: o->tty.no_mouse = true; return 0;
	case OPT_LIST_KEYS: o->mode = MODE_LIST_KEYS; return 0;
	case OPT_HELP: o->mode = MODE_HELP; return 0;
	case OPT_VERSION: o->mode = MODE_VERSION; return 0;
	default: return EXIT_USAGE;
	}
}

/* The tables that getopt_long wants, and which row an answer of it means. */
static void tables(struct option *longs, char *shorts)
{
	size_t i = 0;
	for (; i < countof(rows); i++) {
		longs[i] = (struct option){rows[i].name, rows[i].arg ? required_argument : no_argument, NULL, rows[i].id};
		if (rows[i].letter)
			*shorts++ = (char)rows[i].letter;
	}
	longs[i] = (struct option){0};
	*shorts = 0;
}

static int id_of(int answer)
{
	for (size_t i = 0; i < countof(rows); i++)
		if (rows[i].letter && rows[i].letter == answer)
			return rows[i].id;
	return answer;
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[countof(rows) + 1];
	char shorts[countof(rows) + 1];
	*o = (struct options){.tty = {.colours = TTY_AUTO}};
	tables(longs, shorts);
	opterr = 0;
	for (int answer; (answer = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		if (answer == '?')
			return refuse("not an option, or its argument is missing: ", argv[optind - 1]);
		if (set(o, id_of(answer), optarg) != 0)
			return EXIT_USAGE;
	}
	if (o->mode != MODE_VIEW)
		return 0;
	if (optind < argc && strcmp(argv[optind], "stats") == 0) {
		o->mode = MODE_STATS;
		optind++;
	}
	if (optind >= argc)
		return refuse("no log given", "");
	if (optind + 1 < argc)
		return refuse("more than one log: ", argv[optind + 1]);
	o->log = argv[optind];
	return 0;
}

void options_help(FILE *out)
{
	fputs("evtui shows what a Haskell program did, from its GHC eventlog (+RTS -l).\n\n"
	      "  evtui [OPTIONS] LOG        the viewer; with standard output not a terminal: evtui stats LOG\n"
	      "  evtui stats LOG            the figures of the whole run\n\n",
		out);
	for (size_t i = 0; i < countof(rows); i++) {
		char name[48];
		snprintf(name, sizeof name, "--%s%s%s", rows[i].name, rows[i].arg ? "=" : "", rows[i].arg ? rows[i].arg : "");
		if (rows[i].letter)
			fprintf(out, "  -%c, %-18s %s\n", rows[i].letter, name, rows[i].help);
		else
			fprintf(out, "      %-18s %s\n", name, rows[i].help);
	}
}
