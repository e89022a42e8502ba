#!/bin/sh
# The cache of indexes as a program: kept and used in the sandbox, the same answers and pictures from it, --no-cache, folders
# that cannot be written to.
. "$(dirname "$0")/common.sh"
XDG_CACHE_HOME=$tmp/cache
EVTUI_CACHE_LEAST=0 # of all logs
export XDG_CACHE_HOME EVTUI_CACHE_LEAST
cache=$XDG_CACHE_HOME/evtui
profile=$logs/9.10.3-profmix-p-hc.eventlog

files() { find "$XDG_CACHE_HOME" -type f 2>/dev/null | wc -l; }
said() { grep -q "$1" "$tmp/err"; }

without() { run 0 stats --no-cache -v --json $log && [ "$(files)" -eq 0 ] && ! said cache && [ ! -e "$cache" ]; }
check '--no-cache writes nothing' without
kept() { run 0 stats -v --json $log && said 'was written to the cache' && [ "$(files)" -eq 1 ] &&
	[ "$(find "$cache" -type f -perm 600)" ] && [ "$(find "$cache" -type d -perm 700)" ]; }
check 'the index is kept, for this user only' kept
used() { run 0 stats -v --json $log && said 'was read from the cache' && [ "$(files)" -eq 1 ]; }
check 'and used' used
quiet() { run 0 stats --json $log && [ ! -s "$tmp/err" ]; }
check 'without -v nothing is said of it' quiet

# same ARGS…: the same output and status without the cache and from it
same() {
	"$EVTUI" "$@" --no-cache >"$tmp/without" 2>/dev/null </dev/null
	want=$?
	run $want "$@" -v && said 'was read from the cache' && cmp "$tmp/without" "$tmp/out"
}
for args in 'stats --all' 'stats --all --json' 'check --json --fail-if gc.pause.max>1ns' 'export csv --table gc' \
	'export csv --table threads' 'path --json' 'export perfetto -o -'; do
	check "$args" same $args $log
done
# pictures LOG PANE…: panes of the viewer
pictures() {
	pictured=$1
	shift
	run 0 stats "$pictured"
	for pane; do
		same export svg --pane $pane -o - "$pictured" || return 1
	done
}
check 'the panes of the viewer' pictures $log timeline heap events stats

sql() { "$EVTUI" query --no-cache 'SELECT count(*), sum(elapsed) FROM gc' $log >"$tmp/without" && run 0 query 'SELECT count(*), sum(elapsed) FROM gc' $log &&
	cmp "$tmp/without" "$tmp/out"; }
check 'SQL' sql
two() { "$EVTUI" diff --no-cache --json $log $profile >"$tmp/without" && run 0 diff --json $log $profile && cmp "$tmp/without" "$tmp/out"; }
check 'two logs' two

broken() { # what is kept is cut: not believed, and kept anew
	for f in "$cache"/*; do head -c 5000 "$f" >"$tmp/cut" && cat "$tmp/cut" >"$f"; done
	run 0 stats -v --json $log && said 'was written to the cache' && cp "$tmp/out" "$tmp/again" &&
		run 0 stats -v --json $log && said 'was read from the cache' && cmp "$tmp/again" "$tmp/out"
}
check 'a cut file' broken
grown() { # a log that is another one now
	cp $log "$tmp/log.eventlog" && run 0 stats --json "$tmp/log.eventlog" && cp $profile "$tmp/log.eventlog" &&
		"$EVTUI" stats --no-cache --json $profile >"$tmp/without" && run 0 stats --json "$tmp/log.eventlog" &&
		sed "s|$tmp/log.eventlog|$profile|" "$tmp/out" | cmp "$tmp/without" -
}
check 'a log that was replaced' grown
no_folder() {
	before=$(files)
	for dir in /proc /dev/null relative ''; do
		XDG_CACHE_HOME=$dir HOME=/dev/null run 0 stats -v --json $log && ! said cache || return 1
	done
	[ "$(files)" -eq "$before" ]
}
check 'no folder to write to' no_folder
packed() { gzip -c $log >"$tmp/log.gz" && before=$(files) && run 0 stats -v --json "$tmp/log.gz" && [ "$(files)" -eq "$before" ]; }
unpacks gzip && check 'a compressed log is not kept' packed
no_log() { run 0 doctor && run 0 query --schema; }
check 'no log at all' no_log
stream() { before=$(files) && "$EVTUI" stats --json - <$log >"$tmp/out" && [ "$(files)" -eq "$before" ]; }
check 'a stream is not kept' stream
count
