/* mkcompletions - completions of the command line for a shell, from the tables: mkcompletions bash|zsh|fish */
#include "report/metrics.h"

#include <stdio.h>
#include <string.h>

enum {
#define OPTION(id, name, letter, arg, effect, help) OPT_##id,
#include "cli/options.def"
#undef OPTION
	OPTIONS
};

static const struct {
	const char *name, *arg, *help;
} options[] = {
#define OPTION(id, name, letter, arg, effect, help) {name, arg, help},
#include "cli/options.def"
#undef OPTION
};

static const struct {
	const char *word, *help;
	unsigned long long takes;
} modes[] = {
#define TAKES(id)                          | 1ull << OPT_##id
#define MODE(id, word, words, help, takes) {word, help, 0 takes},
#include "cli/modes.def"
#undef MODE
#undef TAKES
};

static const char *const formats[] = {
#define EXPORT_FORMAT(name, tables, help) #name,
#include "export/export.def"
#undef EXPORT_FORMAT
};

static const char *const tables[] = {
#define LISTED(name, help) #name,
#include "rows/rows.def"
};

/* Options that take one of a few words. */
static const struct {
	int option;
	const char *words;
} choices[] = {{OPT_THEME, "dark light safe mono"}, {OPT_COLOR, "auto always never 8 16 256"},
	{OPT_PRESET, "gc heap profile full"}, {OPT_PANE, "timeline heap profile events stats"}};

static void put_metrics(void)
{
	for (int m = 0; m < METRICS; m++)
		printf("%s%s", m ? " " : "", metric_info((enum metric)m)->name);
}

static void put_list(const char *const *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%s%s", i ? " " : "", items[i]);
}

static void put_commands(void)
{
	for (size_t i = 1; i < countof(modes); i++)
		printf("%s%s", i > 1 ? " " : "", modes[i].word);
}

/* "--json --from …" of a command, including those of all commands. */
static void put_options(size_t mode)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (modes[mode].takes >> i & 1)
			printf("--%s ", options[i].name);
	fputs("--help", stdout);
}

/* The words that each shell's function chooses from, as variables: zsh has others named commands and options. */
static void put_words(void)
{
	fputs("  local subcommands='", stdout);
	put_commands();
	fputs("'\n  local formats='", stdout);
	put_list(formats, countof(formats));
	fputs("'\n  local tables='", stdout);
	put_list(tables, countof(tables));
	fputs("'\n  local metrics='", stdout);
	put_metrics();
	fputs("'\n  case $command in\n", stdout);
	for (size_t i = 1; i < countof(modes); i++) {
		printf("  %s) flags='", modes[i].word);
		put_options(i);
		fputs("' ;;\n", stdout);
	}
	fputs("  *) flags='", stdout);
	put_options(0);
	fputs(" --version --list-keys --list-metrics' ;;\n  esac\n", stdout);
}

static void put_bash(void)
{
	fputs("# Completions of evtui for bash; made by tests/tools/mkcompletions.c.\n_evtui() {\n"
	      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= flags w\n"
	      "  for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	      "    case $w in -*) ;; *) command=$w; break ;; esac\n  done\n",
		stdout);
	put_words();
	fputs("  local i=1\n  while ((i < COMP_CWORD)) && [ \"${COMP_WORDS[i]}\" != -- ]; do ((i++)); done\n"
	      "  if ((i < COMP_CWORD)) && [[ \" $subcommands \" != *\" $command \"* ]]; then\n"
	      "    if declare -F _command_offset >/dev/null; then _command_offset $((i + 1))\n"
	      "    elif ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- \"$word\"))\n"
	      "    else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
	      "    return\n  fi\n",
		stdout);
	fputs("  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n  case $before in\n"
	      "  --fail-if|--fail-if-worse|--metrics) compopt -o nospace; COMPREPLY=($(compgen -W \"$metrics\" -- "
	      "\"$word\")); return ;;\n"
	      "  --table) COMPREPLY=($(compgen -W \"$tables\" -- \"$word\")); return ;;\n"
	      "  export) COMPREPLY=($(compgen -W \"$formats\" -- \"$word\")); return ;;\n",
		stdout);
	for (size_t i = 0; i < countof(choices); i++)
		printf("  --%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
			options[choices[i].option].name, choices[i].words);
	fputs("  esac\n  case $word in\n  -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")); return ;;\n  esac\n"
	      "  [ \"$command\" ] && [ \"$command\" != \"$word\" ] || COMPREPLY=($(compgen -W \"$subcommands\" -- "
	      "\"$word\"))\n"
	      "  COMPREPLY+=($(compgen -f -- \"$word\"))\n}\ncomplete -o filenames -o bashdefault -F _evtui evtui\n",
		stdout);
}

static void put_zsh(void)
{
	fputs("#compdef evtui\n# Completions of evtui for zsh; made by tests/tools/mkcompletions.c.\n_evtui() {\n"
	      "  local before=${words[CURRENT-1]} command= flags w\n"
	      "  for w in ${words[2,CURRENT-1]}; do\n    case $w in -*) ;; *) command=$w; break ;; esac\n  done\n",
		stdout);
	put_words();
	fputs("  local i=${words[(ie)--]}\n"
	      "  if (( i < CURRENT )) && [[ \" $subcommands \" != *\" $command \"* ]]; then\n"
	      "    shift $i words\n    (( CURRENT -= i ))\n    _normal\n    return\n  fi\n",
		stdout);
	fputs("  if [[ $PREFIX = --*=* ]]; then\n    before=${PREFIX%%=*}\n    compset -P '*='\n  fi\n"
	      "  case $before in\n  --fail-if|--fail-if-worse|--metrics) compadd -S '' -- ${=metrics}; return ;;\n"
	      "  --table) compadd -- ${=tables}; return ;;\n  export) compadd -- ${=formats}; return ;;\n",
		stdout);
	for (size_t i = 0; i < countof(choices); i++)
		printf("  --%s) compadd -- %s; return ;;\n", options[choices[i].option].name, choices[i].words);
	fputs("  esac\n  case $PREFIX in\n  -*) compadd -- ${=flags}; return ;;\n  esac\n"
	      "  [[ -n $command ]] || compadd -- ${=subcommands}\n  _files\n}\n_evtui \"$@\"\n",
		stdout);
}

static void put_quoted(const char *s)
{
	putchar('\'');
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	putchar('\'');
}

static void put_fish(void)
{
	fputs("# Completions of evtui for fish; made by tests/tools/mkcompletions.c.\n", stdout);
	for (size_t i = 1; i < countof(modes); i++) {
		printf("complete -c evtui -n __fish_use_subcommand -a %s -d ", modes[i].word);
		put_quoted(modes[i].help);
		putchar('\n');
	}
	for (size_t m = 0; m < countof(modes); m++)
		for (size_t i = 0; i < OPTIONS; i++) {
			if (!(modes[m].takes >> i & 1))
				continue;
			printf("complete -c evtui -n '%s%s' -l %s%s -d ",
				m ? "__fish_seen_subcommand_from " : "__fish_use_subcommand", modes[m].word,
				options[i].name, options[i].arg ? " -r" : "");
			put_quoted(options[i].help);
			if (i == OPT_TABLE) {
				fputs(" -xa '", stdout);
				put_list(tables, countof(tables));
				putchar('\'');
			} else if (i == OPT_FAIL_IF || i == OPT_FAIL_IF_WORSE || i == OPT_METRICS) {
				fputs(" -xa '", stdout);
				put_metrics();
				putchar('\'');
			}
			for (size_t k = 0; k < countof(choices); k++)
				if (choices[k].option == (int)i)
					printf(" -xa '%s'", choices[k].words);
			putchar('\n');
		}
	fputs("complete -c evtui -n '__fish_seen_subcommand_from export' -a '", stdout);
	put_list(formats, countof(formats));
	fputs("'\nfunction __evtui_program\n  set -l words (commandline -opc)\n  set -e words[1..(contains -i -- -- "
	      "$words)]\n"
	      "  complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))\n"
	      "end\ncomplete -c evtui -n 'contains -- -- (commandline -opc)' -xa '(__evtui_program)'\n",
		stdout);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*put)(void);
	} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
	for (size_t i = 0; argc == 2 && i < countof(shells); i++)
		if (strcmp(argv[1], shells[i].name) == 0) {
			shells[i].put();
			return fflush(stdout) ? 1 : 0;
		}
	return 2;
}
