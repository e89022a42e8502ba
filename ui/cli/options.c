#include "cli/options.h"

#include "base/nearest.h"
#include "base/units.h"
#include "cli/option_where.h"
#include "cli/report.h"
#include "draw/glossary.h"
#include "draw/say.h"
#include "draw/text.h"
#include "export/export.h"
#include "heap/census_group.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

enum option_id {
	OPT_FIRST = 256, /* above all characters */
	OPT_BEFORE = OPT_FIRST - 1,
#define OPTION(id, name, letter, arg, effect, help) OPT_##id,
#include "cli/options.def"
#undef OPTION
};

static const struct row {
	int id;
	const char *name;
	int letter;
	const char *arg, *help;
} rows[] = {
#define OPTION(id, name, letter, arg, effect, help) {OPT_##id, name, letter, arg, help},
#include "cli/options.def"
#undef OPTION
};
_Static_assert(countof(rows) <= 64, "a bit for each option");

static uint64_t bit(int id) { return 1ull << (id - OPT_FIRST); }

static const struct {
	const char *word, *words, *help;
	uint64_t takes;
} modes[] = {
#define TAKES(id)                          | 1ull << (OPT_##id - OPT_FIRST)
#define MODE(id, word, words, help, takes) [MODE_##id] = {word, words, help, 0 takes},
#include "cli/modes.def"
#undef MODE
#undef TAKES
};

/* The command of this process, whose help an error points to. */
static enum mode asked_of = MODE_VIEW;

static const char *help_option(char out[32])
{
	snprintf(out, 32, "%s%s--help", modes[asked_of].word, *modes[asked_of].word ? " " : "");
	return out;
}

int options_refuse(const char *what, const char *value)
{
	char help[32];
	const char *quote = *value ? "\"" : "";
	say_error("%s%s%s%s (try evtui %s)", what, quote, value, quote, help_option(help));
	return EXIT_USAGE;
}

int options_fail(const char *what, const char *why)
{
	char help[32];
	say_error("%s%s (try evtui %s)", what, why, help_option(help));
	return EXIT_USAGE;
}

int options_invalid(const char *what, const char *value, const char *use)
{
	char help[32];
	say_error("invalid %s \"%s\" (use %s; try evtui %s)", what, value, use, help_option(help));
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
	return options_invalid("--color", value, "auto, always, never, 8, 16 or 256");
}

static int set_preset(struct options *o, const char *value)
{
	o->preset = preset_named(value);
	return o->preset ? 0 : options_invalid("--preset", value, "gc, heap, profile or full");
}

static int set_theme(struct options *o, const char *value)
{
	o->tty.theme_given = true;
	o->tty.theme = style_theme(value);
	if (o->tty.theme != THEMES)
		return 0;
	o->tty.theme = THEME_DARK;
	if (strcmp(value, "mono") != 0)
		return options_invalid("--theme", value, "dark, light, safe or mono");
	o->tty.colours = TTY_MONO;
	return 0;
}

static int set_screen(struct options *o, const char *value)
{
	enum { LEAST = 20, LEAST_ROWS = 5, MOST = 1000 };
	char end;
	if (sscanf(value, "%4dx%4d%c", &o->width, &o->height, &end) == 2 && o->width >= LEAST && o->width <= MOST
		&& o->height >= LEAST_ROWS && o->height <= MOST)
		return 0;
	return options_invalid("--size", value, "COLUMNSxROWS, 20x5 to 1000x1000");
}

static int set_slice(struct options *o, const char *value)
{
	double ns;
	struct evl_err err;
	const struct evl_str text = {(const uint8_t *)value, strlen(value)};
	if (unit_parse(UNIT_NS, text, &ns, &err) < 0 || !(ns >= 1 && ns < 1e18))
		return options_invalid("--slice-by", value, "a duration such as 10s");
	o->slice_by = (uint64_t)ns;
	return 0;
}

static int set_build_id(struct options *o, const char *value)
{
	size_t digits = strspn(value, "0123456789abcdefABCDEF");
	if (value[digits] || digits % 2 || digits < 2 * BUILD_ID_LEAST || digits > 2 * BUILD_ID_MOST)
		return options_invalid("--build-id", value, "hexadecimal digits, an even number of them");
	for (size_t i = 0; i < digits / 2; i++)
		sscanf(value + 2 * i, "%2hhx", &o->build_id[i]);
	o->names.build_id = (struct evl_str){o->build_id, digits / 2};
	return 0;
}

static int set_cap(struct options *o, const char *value)
{
	size_t digits = strspn(value, "0123456789");
	if (digits == 0 || digits > 5 || value[digits])
		return options_invalid("--cap", value, "the number of a capability");
	o->cap = atoi(value);
	return 0;
}

static int set_threads(struct options *o, const char *value)
{
	enum { MOST_DIGITS = 3 };
	size_t digits = strspn(value, "0123456789");
	o->threads = digits <= MOST_DIGITS ? atoi(value) : 0;
	if (digits == 0 || value[digits] || o->threads == 0)
		return options_invalid("--threads", value, "a number from 1 to 999");
	return 0;
}

static int set_thread(struct options *o, const char *value)
{
	enum { MOST_DIGITS = 10 };
	size_t digits = strspn(value, "0123456789");
	unsigned long long id = digits <= MOST_DIGITS ? strtoull(value, NULL, 10) : 0;
	if (digits == 0 || value[digits] || id == 0 || id > UINT32_MAX)
		return options_invalid("--thread", value, "the number of a thread");
	o->thread = (uint32_t)id;
	return 0;
}

/* "500M", "4G", "100000" */
static int set_size(struct options *o, const char *value)
{
	static const char units[] = "KMGT";
	enum { MOST_DIGITS = 9 };
	size_t digits = strspn(value, "0123456789");
	const char *unit = value[digits] ? strchr(units, toupper((unsigned char)value[digits])) : NULL;
	if (digits == 0 || digits > MOST_DIGITS || (value[digits] && (!unit || value[digits + 1])))
		return options_invalid("--spool-max", value, "a size such as 500M or 4G");
	o->spool_max = strtoull(value, NULL, 10) << (unit ? 10 * (unit - units + 1) : 0);
	return 0;
}

static int add(struct option_list *list, const char *value)
{
	if (list->n == MAX_REPEATS)
		return options_refuse("option repeated too often: ", value);
	list->items[list->n++] = value;
	return 0;
}

static int add_param(struct options *o, const char *value)
{
	if (o->n_params == MAX_PARAMS)
		return options_refuse("--param: too many parameters: ", value);
	o->params[o->n_params++] = value;
	return 0;
}

static int set_group(struct options *o, const char *value)
{
	struct census_grouping grouping;
	struct evl_err err = {0};
	if (census_grouping_parse(&grouping, value, &err) < 0)
		return options_fail("--group: ", err.text);
	census_grouping_free(&grouping);
	o->group = value;
	return 0;
}

static int set(struct options *o, int id, const char *value)
{
	int result = 0;
	switch (id) {
#define OPTION(id, name, letter, arg, effect, help)                                                                    \
	case OPT_##id:                                                                                                 \
		effect;                                                                                                \
		break;
#include "cli/options.def"
#undef OPTION
	default: return EXIT_USAGE;
	}
	return result;
}

static enum mode mode_named(const char *word)
{
	for (size_t i = MODE_VIEW + 1; word && i < countof(modes); i++)
		if (strcmp(word, modes[i].word) == 0)
			return (enum mode)i;
	return MODE_VIEW;
}

/* Is the next word the argument of this one, as in `--preset profile`? */
static bool takes_next(const char *word)
{
	for (size_t i = 0; i < countof(rows); i++)
		if (rows[i].arg && strncmp(word, "--", 2) == 0 && strcmp(word + 2, rows[i].name) == 0)
			return true;
	return false;
}

/* The mode, before the options are told from the words: the first word that is one. */
static enum mode mode_ahead(int argc, char **argv)
{
	enum mode mode = MODE_VIEW;
	for (int i = 1; i < argc && mode == MODE_VIEW && strcmp(argv[i], "--") != 0; i++)
		if (takes_next(argv[i]))
			i++;
		else
			mode = mode_named(argv[i]);
	return mode;
}

/* Two options may share a letter: it is that of the one that the mode accepts. */
static bool has_letter(const struct row *row, enum mode mode)
{
	for (size_t i = 0; i < countof(rows); i++)
		if (&rows[i] != row && rows[i].letter == row->letter && row->letter) {
			bool other = modes[mode].takes & bit(rows[i].id);
			return (modes[mode].takes & bit(row->id)) || (!other && row < &rows[i]);
		}
	return row->letter != 0;
}

/* The tables that getopt_long wants, and which row an answer of it means. */
static void tables(struct option *longs, char *shorts, enum mode mode)
{
	size_t i = 0;
	for (; i < countof(rows); i++) {
		int arg = rows[i].arg ? required_argument : no_argument;
		longs[i] = (struct option){rows[i].name, arg, NULL, rows[i].id};
		if (!has_letter(&rows[i], mode))
			continue;
		*shorts++ = (char)rows[i].letter;
		if (rows[i].arg)
			*shorts++ = ':';
	}
	longs[i] = (struct option){0};
	*shorts = 0;
}

static int id_of(int answer, enum mode mode)
{
	for (size_t i = 0; i < countof(rows); i++)
		if (has_letter(&rows[i], mode) && rows[i].letter == answer)
			return rows[i].id;
	return answer;
}

/* An option that means nothing to the mode, or NULL. */
static const struct row *out_of_place(enum mode mode, uint64_t seen)
{
	for (size_t i = 0; i < countof(rows); i++)
		if (seen & bit(rows[i].id) & ~modes[mode].takes)
			return &rows[i];
	return NULL;
}

/* Say what is wrong, and the nearest of the names that were offered. */
static int refuse_near(const char *what, const char *value, const struct nearest *near)
{
	char help[32];
	const char *dashes = strncmp(value, "--", 2) == 0 ? "--" : "", *quote = *dashes ? "" : "\"";
	if (near->n == 0)
		return *dashes ? options_fail(what, value) : options_refuse(what, value);
	say_error("%s%s%s%s; did you mean %s%.*s? (try evtui %s)", what, quote, value, quote, dashes,
		(int)near->names[0].len, (const char *)near->names[0].p, help_option(help));
	return EXIT_USAGE;
}

static struct nearest near_command(const char *word)
{
	struct nearest near = {.wanted = str_of(word)};
	for (size_t i = MODE_VIEW + 1; i < countof(modes); i++)
		nearest_offer(&near, str_of(modes[i].word));
	return near;
}

/* A word that is neither a file nor looks like the name of one. */
static bool is_misspelt(const char *word, struct nearest *near)
{
	*near = near_command(word);
	return !strpbrk(word, "/.:-") && access(word, F_OK) != 0;
}

static int refuse_word(const char *word)
{
	struct nearest near = near_command(word);
	size_t n;
	const struct glossary_word *known = glossary_words(&n);
	for (size_t i = 0; i < n; i++)
		nearest_offer(&near, str_of(known[i].word));
	return refuse_near("no help on ", word, &near);
}

/* evtui help, evtui help COMMAND, evtui help WORD. */
static int take_help(struct options *o, int n, char **words)
{
	o->mode = MODE_HELP;
	o->help_of = n ? mode_named(words[0]) : MODE_VIEW;
	if (n > 1)
		return options_refuse("help takes one command or word (quote words with blanks): ", words[1]);
	if (n == 0 || o->help_of != MODE_VIEW)
		return 0;
	o->mode = MODE_WORD;
	o->log = words[0];
	return report_word_is_known(words[0]) ? 0 : refuse_word(words[0]);
}

/* Not a command that has only options. */
static bool takes_words(const struct options *o) { return *modes[o->mode].words && *modes[o->mode].words != '-'; }

/* How many words come before the log. */
static int words_before(const struct options *o)
{
	int before = 0;
	for (const char *p = modes[o->mode].words; (p = strchr(p, ' ')); p++)
		before++;
	return o->mode == MODE_QUERY && (o->sql_file || o->schema) ? 0 : before;
}

bool options_are_dataset(const struct options *o)
{
	return o->mode == MODE_EXPORT && strcmp(o->words[0], "dataset") == 0;
}

bool options_take_exe(const struct options *o) { return modes[o->mode].takes & bit(OPT_EXE); }

static bool takes_several(const struct options *o) { return o->mode == MODE_QUERY || options_are_dataset(o); }

/* The words after that of the mode; the last is the log, or the last are the logs; one in brackets may follow. */
static int take_words(struct options *o, int n, char **words)
{
	int before = words_before(o);
	struct nearest near;
	for (int i = 0; i < n; i++)
		if (!*words[i])
			return options_refuse("an argument is empty (an unset variable?)", "");
	if (o->mode == MODE_VIEW && n > 0 && strcmp(words[0], "help") == 0 && (n > 1 || access("help", F_OK) != 0))
		return take_help(o, n - 1, words + 1);
	if (o->mode == MODE_VIEW && n > 1) {
		near = near_command(words[0]);
		return refuse_near("not a command: ", words[0], &near);
	}
	if (o->mode == MODE_VIEW && n == 1 && is_misspelt(words[0], &near))
		return refuse_near("neither a command nor a file: ", words[0], &near);
	if (n == 0 && o->mode == MODE_EXPORT)
		return options_fail("export: no format given: use ", export_names((char[256]){0}, 256));
	if (modes[o->mode].words[0] == '[') {
		o->log = n ? words[0] : NULL;
		return n > 1 ? options_refuse("more than one log or program: ", words[1]) : 0;
	}
	if (n == 0 && o->mode == MODE_QUERY && !o->schema && !o->sql_file)
		return options_refuse("no statement given: evtui query 'SELECT …' LOG", "");
	if (n < 2 && o->mode == MODE_DIFF)
		return options_refuse("two logs are needed: evtui diff A B", "");
	if (n == 0 && takes_words(o) && !o->schema)
		return options_refuse("no log given (- is standard input)", "");
	if (strchr(modes[o->mode].words, '[') && n > 0 && n <= 2) {
		o->log = words[0];
		o->words[0] = n == 2 ? words[1] : NULL;
		return 0;
	}
	if (!takes_words(o))
		return n ? options_refuse("unexpected argument (quote patterns): ", words[0]) : 0;
	if (n <= before && !(n == before && o->schema))
		return options_fail(n < before ? "missing argument for: " : "no log given (- is standard input)",
			n < before ? modes[o->mode].words : "");
	for (int i = 0; i < before; i++)
		o->words[i] = words[i];
	if (n > before + 1 && !takes_several(o))
		return options_refuse("more than one log: ", words[before + 1]);
	o->logs = words + before;
	o->n_logs = n - before;
	o->log = words[before];
	return 0;
}

/* Where the first "--" stands, before getopt_long puts the words in another order. 0: nowhere. */
static int find_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0)
			return i;
	return 0;
}

/* A program and its arguments: all words after "--". */
static int take_program(struct options *o, uint64_t seen, char **words)
{
	const struct row *odd = out_of_place(MODE_VIEW, seen);
	o->program = words;
	return odd ? options_fail("not an option of the viewer: --", odd->name) : 0;
}

/* The words that are no options: maybe the mode, and what belongs to it. */
static int parse_words(struct options *o, uint64_t seen, int n, char **words)
{
	o->mode = mode_named(n ? words[0] : NULL);
	int skip = o->mode != MODE_VIEW;
	const struct row *odd = out_of_place(o->mode, seen);
	if (odd)
		return options_fail(
			o->mode == MODE_VIEW ? "not an option of the viewer: --" : "not an option here: --", odd->name);
	return take_words(o, n - skip, words + skip);
}

/* The word that getopt_long rejected: a letter, maybe in the middle of others, or the word before its position. */
static int refuse_option(char **argv)
{
	char letter[] = {'-', (char)optopt, 0};
	bool is_letter = optopt > 0 && optopt < OPT_FIRST;
	const char *word = argv[optind - 1];
	if (is_letter)
		return options_fail("unknown option, or its argument is missing: ", letter);
	if (optopt >= OPT_FIRST)
		return options_fail("missing or unexpected argument: ", word);
	struct nearest near = {.wanted = {(const uint8_t *)word + 2, strcspn(word + 2, "=")}};
	for (size_t i = 0; i < countof(rows); i++)
		nearest_offer(&near, str_of(rows[i].name));
	return refuse_near("not an option: ", word, &near);
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[countof(rows) + 1];
	char shorts[2 * countof(rows) + 1];
	uint64_t seen = 0;
	int dashes = find_dashes(argc, argv);
	enum mode mode = mode_ahead(argc, argv);
	asked_of = mode;
	*o = (struct options){.tty = {.colours = TTY_AUTO}, .cap = -1, .spool_max = 8ull << 30};
	tables(longs, shorts, mode);
	opterr = 0;
	for (int answer; (answer = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
		if (answer == '?')
			return refuse_option(argv);
		if (optarg && !*optarg)
			return options_fail("the argument is empty: --", rows[id_of(answer, mode) - OPT_FIRST].name);
		if (set(o, id_of(answer, mode), optarg) != 0)
			return EXIT_USAGE;
		seen |= bit(id_of(answer, mode));
	}
	o->help_of = mode;
	if (o->mode != MODE_VIEW)
		return 0;
	int n = argc - optind;
	if (dashes && n == argc - dashes - 1)
		return n ? take_program(o, seen, argv + optind)
			 : options_refuse("no program given: evtui -- PROGRAM", "");
	if (o->preset)
		return options_refuse("--preset needs a program to run: -- PROGRAM", "");
	return parse_words(o, seen, n, argv + optind);
}

enum { TEXT_AT = 25, WORDS_AT = 38, WIDTH_MOST = 100, LINE = 1200 };

/* A name, and at column `at` its text, in lines of `width` columns; on a new line if the name is too long. */
static void help_item(FILE *out, const char *name, const char *text, int at, int width)
{
	int col = text_width(str_of(name), false);
	fputs(name, out);
	if (col && col + 1 > at) {
		fputc('\n', out);
		col = 0;
	}
	col += fprintf(out, "%*s", at - col, "");
	for (size_t len; *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		int columns = text_width((struct evl_str){(const uint8_t *)text, len}, false);
		if (col > at && col + 1 + columns > width) {
			fprintf(out, "\n%*s", at, "");
			col = at;
		} else if (col > at) {
			fputc(' ', out);
			col++;
		}
		fprintf(out, "%.*s", (int)len, text);
		col += columns;
	}
	fputc('\n', out);
}

/* The width of the terminal, within limits. */
static int help_width(void)
{
	int height, cols;
	tty_size(&height, &cols);
	return !isatty(STDOUT_FILENO) || cols > WIDTH_MOST ? WIDTH_MOST : cols < 2 * TEXT_AT ? 2 * TEXT_AT : cols;
}

/* The text of an option: that of the command, where it has its own. */
static const char *help_of(const struct row *row, enum mode of)
{
	static const struct {
		int mode, id;
		const char *help;
	} own[] = {
#define TAKES(id)
#define TAKES_AS(option, help)             {0, OPT_##option, help},
#define MODE(id, word, words, help, takes) {MODE_##id, 0, NULL}, takes
#include "cli/modes.def"
#undef MODE
#undef TAKES
	};
	int mode = MODE_VIEW;
	for (size_t i = 0; i < countof(own); i++) {
		mode = own[i].help ? mode : own[i].mode;
		if (own[i].help && mode == (int)of && own[i].id == row->id)
			return own[i].help;
	}
	return row->help;
}

static void help_row(FILE *out, const struct row *row, enum mode of, int width)
{
	char name[48], letter[] = "  -x, ", text[LINE], where[OPTION_WHERE] = "";
	letter[3] = (char)row->letter;
	snprintf(name, sizeof name, "%s--%s%s%s", row->letter ? letter : "      ", row->name, row->arg ? "=" : "",
		row->arg ? row->arg : "");
	if (of == MODE_VIEW)
		option_where((size_t)(row - rows), where);
	snprintf(text, sizeof text, "%s%s", help_of(row, of), where);
	help_item(out, name, text, TEXT_AT, width);
}

static void help_formats(FILE *out, int width)
{
	size_t n;
	char name[48];
	const struct export_format *formats = export_formats(&n);
	fputs("\nExport formats:\n", out);
	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "      %s", formats[i].name);
		help_item(out, name, formats[i].help, TEXT_AT, width);
	}
}

/* Its line, its options, examples. */
static void help_command(FILE *out, enum mode of, int width)
{
	static const struct {
		enum mode mode;
		const char *command, *purpose;
	} examples[] = {
#define EXAMPLE(mode, command, purpose) {MODE_##mode, command, purpose},
#include "cli/examples.def"
#undef EXAMPLE
	};
	fprintf(out, "  evtui %s [OPTIONS] %s\n\n", modes[of].word, modes[of].words);
	help_item(out, "", modes[of].help, 0, width);
	fputc('\n', out);
	for (size_t i = 0; i < countof(rows); i++)
		if (modes[of].takes & bit(rows[i].id))
			help_row(out, &rows[i], of, width);
	if (of == MODE_EXPORT)
		help_formats(out, width);
	fputs("\nExamples:\n", out);
	for (size_t i = 0; i < countof(examples); i++)
		if (examples[i].mode == of)
			fprintf(out, "  evtui %s\n      %s\n", examples[i].command, examples[i].purpose);
}

static void help_mode(FILE *out, const char *word, const char *before, const char *words, const char *help, int width)
{
	char name[100];
	snprintf(name, sizeof name, "  evtui %s%s%s%s", word, *word ? " " : "", before, words);
	help_item(out, name, help, WORDS_AT, width);
}

void options_help(FILE *out, enum mode of)
{
	int width = help_width();
	if (of != MODE_VIEW) {
		help_command(out, of, width);
		return;
	}
	fputs("evtui shows what a Haskell program did, from its GHC eventlog (+RTS -l).\n\n", out);
	for (size_t i = 0; i < countof(modes); i++)
		help_mode(out, modes[i].word, "[OPTIONS] ", modes[i].words, modes[i].help, width);
	help_mode(out, "help", "", "[COMMAND]", "show the options of a command, with examples", width);
	help_mode(out, "", "[OPTIONS] ", "-- PROGRAM ARGS…", "run PROGRAM and show its log while it runs", width);
	fputs("\nOptions, with the commands that accept them in brackets:\n", out);
	for (size_t i = 0; i < countof(rows); i++)
		help_row(out, &rows[i], of, width);
	help_formats(out, width);
}
