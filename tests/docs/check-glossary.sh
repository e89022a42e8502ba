#!/bin/sh
# Every word has its sentence: docs/glossary.md is current (else: make docs), and `evtui help` knows each key of stats --json and
# each word of the legend. B: the build directory.
set -eu
: "${B:=build/cc}"
"$B/mkglossary" | diff -u docs/glossary.md -
for log in assets/bazaar-prof 9.10.3-profmix-ticky 9.6.6-nonmover-N2 9.10.3-leaky-hi-live; do
	case $log in assets/*) ;; *) log=tests/logs/$log ;; esac
	"$B/evtui" stats --json "$log.eventlog"
done | grep -o '"[a-z][a-z_0-9]*":' | tr -d '":' | sort -u >"$B/glossary-keys"
sed -n 's/^STYLE(.*, .[^ ]., "\([^"]\{1,\}\)").*/\1/p' ui/draw/style.def | sed -n '1,15p' >>"$B/glossary-keys"
[ "$(wc -l <"$B/glossary-keys")" -gt 200 ]
while read -r word; do
	"$B/evtui" help "$word" >/dev/null || { echo "no sentence for: $word"; exit 1; }
done <"$B/glossary-keys"
"$B/evtui" help productivity_rts | grep -q 'as in +RTS -s'
! "$B/evtui" help xyzzy 2>/dev/null
