#!/bin/sh
# Ask bash, zsh and fish, each where it is installed, to complete command lines. The program must know all that they offer.
. "$(dirname "$0")/common.sh"
B=${B:-build/cc}
for shell in bash zsh fish; do "$B/mkcompletions" $shell >"$tmp/$shell" || exit 2; done
cp "$tmp/zsh" "$tmp/_evtui"

# offered by SHELL, LINE: a word per line, for the last word of the line
bash_offers() {
	bash --norc -c '. "$1"
		compopt() { :; } # it asks for the line that is typed, and there is none
		COMP_WORDS=()
		for w in $2; do # bash takes = for a word
			case $w in *=*) COMP_WORDS+=("${w%%=*}" = "${w#*=}") ;; *) COMP_WORDS+=("$w") ;; esac
		done
		case $2 in *" ") COMP_WORDS+=("") ;; esac
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		"$(complete -p evtui | sed "s/.*-F \([^ ]*\) .*/\1/")" && printf "%s\n" "${COMPREPLY[@]}"' - "$tmp/bash" "$1"
}
# An interactive zsh in a new terminal completes the line; a function in place of its compadd writes down its arguments.
cat >"$tmp/inner.zsh" <<'END'
PS1= RPS1= PS2= LISTMAX=-1
unsetopt beep
fpath=($offers_of_evtui $fpath)
autoload -U compinit
compinit -u -D
compadd() {
	local all
	builtin compadd -A all "$@"
	print -rl -- $all >>$offers_of_evtui/zsh-offers
	builtin compadd "$@"
}
zle-line-init() { print -n ready } # what comes before is not for the line editor
zle -N zle-line-init
END
cat >"$tmp/outer.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "offers_of_evtui=$1; . $1/inner.zsh"
zpty -r shell said '*ready*'
zpty -w -n shell "$2"$'\t\C-u'
zpty -w shell "print do''ne"
zpty -r shell said '*done*'
zpty -d shell
END
zsh_offers() {
	: >"$tmp/zsh-offers"
	zsh -f "$tmp/outer.zsh" "$tmp" "$1" </dev/null >/dev/null && cat "$tmp/zsh-offers"
}
fish_offers() { HOME=$tmp XDG_CONFIG_HOME=$tmp fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$tmp/fish" "$1" | cut -f 1; }

offers() { # offers LINE WORD…: each of these words, whole or as what follows a =
	line=$1
	shift
	"${shell}_offers" "$line" >"$tmp/offers"
	for word; do grep -qE -- "^(--[a-z-]+=)?$word ?\$" "$tmp/offers" || { echo "no $word in:"; cat "$tmp/offers"; return 1; }; done
}
offers_not() { # offers_not LINE WORD: nor anything without end
	"${shell}_offers" "$1" >"$tmp/offers"
	! grep -qE -- "^$2 ?\$" "$tmp/offers"
}

# All that is offered after LINE is in the file of what there is.
knows() {
	"${shell}_offers" "$1" | sed 's/^--[a-z-]*=//; s/ $//' | grep . | sort -u >"$tmp/offers"
	[ "$(wc -l <"$tmp/offers")" -ge "$3" ] && ! grep -vxFf "$2" "$tmp/offers"
}
"$EVTUI" --list-metrics | awk '{ print $1 }' >"$tmp/metrics"
{ "$EVTUI" stats --help; echo --help; } | grep -oE -- '--[a-z][a-z-]*' >"$tmp/options"
"$EVTUI" export nothing $log 2>&1 | tr -c 'a-z' '\n' | grep . >"$tmp/formats"
"$EVTUI" export csv --table=nothing $log 2>&1 | tr -c 'a-z_' '\n' | grep . >"$tmp/tables"

for shell in bash zsh fish; do
	if ! command -v $shell >/dev/null; then
		echo "skipped: completions of $shell: $shell is not installed"
		continue
	fi
	check "$shell: commands" offers 'evtui ' stats check export query doctor
	check "$shell: commands that begin so" offers 'evtui do' doctor
	check "$shell: options of a command" offers 'evtui check --' --fail-if --baseline --json
	check "$shell: not those of another" offers_not 'evtui stats --' --fail-if
	check "$shell: metrics" offers 'evtui check --fail-if gc.pause.' gc.pause.p99 gc.pause.max
	check "$shell: metrics after =" offers 'evtui compare --metrics=gc.pause.' gc.pause.p99
	check "$shell: tables" offers 'evtui export csv --table ' gc threads spans
	check "$shell: formats" offers 'evtui export ' perfetto html sqlite dataset
	check "$shell: values" offers 'evtui --preset ' gc heap profile full
	check "$shell: the program to run" offers 'evtui --preset gc -- xarg' xargs
	check "$shell: its files" offers 'evtui -- cat Makef' Makefile
	check "$shell: each option is one of the command" knows 'evtui stats --' "$tmp/options" 10
	check "$shell: each metric is one" knows 'evtui check --fail-if gc.' "$tmp/metrics" 20
	check "$shell: each table is one" knows 'evtui export csv --table ' "$tmp/tables" 20
done
# Formats are offered together with files.
if command -v fish >/dev/null; then
	shell=fish
	check "fish: each format is one" knows 'evtui export p' "$tmp/formats" 2
fi
count
