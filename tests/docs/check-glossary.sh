#!/bin/sh
# Every word has its sentence: docs/glossary.md is current (else: make docs), and `evtui help` knows each key of stats --json, each
# word of a legend, each heading of a box and of a table, and each word of the labels in inspectors and status rows that is not plain
# English. B: the build directory.
set -eu
: "${B:=build/cc}"
"$B/mkglossary" | diff -u docs/glossary.md -
for log in assets/bazaar-prof 9.10.3-profmix-ticky 9.6.6-nonmover-N2 9.10.3-leaky-hi-live; do
	case $log in assets/*) ;; *) log=tests/logs/$log ;; esac
	"$B/evtui" stats --json "$log.eventlog"
done | grep -o '"[a-z][a-z_0-9]*":' | tr -d '":' | sort -u >"$B/glossary-keys"
sed -n 's/^STYLE(.*, .[^ ]., "\([^"]\{1,\}\)").*/\1/p' ui/draw/style.def >>"$B/glossary-keys"
grep -hoE '\.word = "[^"]+"' -r ui | cut -d'"' -f2 >>"$B/glossary-keys"
grep -hoE '\.title = "[A-Z ]+"' ui/panes/stats/section_*.c | cut -d'"' -f2 >>"$B/glossary-keys"
sed -n 's/^COLUMN([^,]*, [^"]*"\([^"]*\)".*/\1/p' src/table/*_columns.def >>"$B/glossary-keys"

# Labels are drawn dim. The words that need no sentence:
plain="about after away back being between buffer call changed closes collect column data disk does enter errors every
	exclude farther file filter filters focus found grey half here included joined later leaves more mostly nearby next nothing
	object objects only options outside overflow plus point previous searches select sort sorts standard takes that them then there
	these this type under until which whole with within written"
grep -hoE 'line_(put|printf)\([^,]+, ST_DIM, [a-z]+, *"[^"]+"' ui/lanes/*.c ui/chrome/status_bar.c ui/panes/heap/*.c \
	ui/panes/prof/*.c ui/panes/events/*.c | sed 's/.*, *"\(.*\)"/\1/; s/%[-+.0-9*lzu]*[a-z]/ /g' | tr -cs 'A-Za-z_-' '\n' |
	tr A-Z a-z | grep -E '^[a-z][a-z-]{3,}$' | sort -u >"$B/glossary-labels"
[ "$(wc -l <"$B/glossary-labels")" -gt 100 ]
# shellcheck disable=SC2086
printf '%s\n' $plain | grep -vxFf - "$B/glossary-labels" >>"$B/glossary-keys"
[ "$(wc -l <"$B/glossary-keys")" -gt 200 ]
while read -r word; do
	"$B/evtui" help "$word" >/dev/null 2>&1 || "$B/evtui" help "${word%s}" >/dev/null || { echo "no sentence for: $word"; exit 1; }
done <"$B/glossary-keys"
"$B/evtui" help productivity_rts | grep -q 'as in +RTS -s'
! "$B/evtui" help xyzzy 2>/dev/null
