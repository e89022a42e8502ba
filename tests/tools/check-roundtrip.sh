#!/bin/sh
# text -> log -> `show --json` -> log: for one event of every type the two logs are the same, byte for byte; of the
# logs in tests/logs, too, `show` says the same.
# B: the build directory, EVTUI: the program.
set -eu
B=${B:-build/cc} EVTUI=${EVTUI:-./evtui}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

again()
{
	"$EVTUI" show --json "$1" >"$tmp/json"
	"$B/mklog" "$tmp/json" >"$tmp/again"
}
events() { "$EVTUI" show "$1" | sed '1,/^Events:$/d'; }

for what in sample sample-old; do
	"$B/mkdocs" $what >"$tmp/text"
	"$B/mklog" "$tmp/text" >"$tmp/log"
	again "$tmp/log"
	cmp "$tmp/log" "$tmp/again"
	# all that went in comes out: one line per event
	test "$("$EVTUI" show --json "$tmp/again" | wc -l)" -eq "$(grep -c '^[0-9]' "$tmp/text")"
done

for log in tests/logs/*.eventlog; do
	again "$log"
	events "$log" >"$tmp/want"
	events "$tmp/again" | cmp - "$tmp/want"
done
