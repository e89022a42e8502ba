#!/bin/sh
# A real GHC program, watched to its end: run by evtui, and through a FIFO. Needs ghc (Debian's will do); where there is
# none that is said, and nothing is tested.
. "$(dirname "$0")/../cli/common.sh"
B=${B:-build/cc}
EVTUI=$B/evtui
here=$(cd "$B" && pwd)

events() { "$EVTUI" stats "$1" | sed -n 's/^  events  *//p' | tr -d ,; }

# The program under evtui, its log kept: as many events as that log has, its own status, its output on standard error.
run_by_evtui() {
	"$EVTUI" -o "$tmp/kept.eventlog" -- "$tmp/mixer" 20 +RTS -N2 >"$tmp/stats" 2>"$tmp/err"
	[ $? -eq 0 ] || return 1
	[ "$(sed -n "s/^  events  *//p" "$tmp/stats" | tr -d ,)" = "$(events "$tmp/kept.eventlog")" ] &&
		grep -q '^  rts  *GHC-' "$tmp/stats" && ! grep -q unfinished "$tmp/stats" && [ -s "$tmp/kept.eventlog" ]
}

# Under evtui in a terminal; q leaves it, with the program's status.
run_in_viewer() {
	cat >"$tmp/watch.keys" <<-END
		size 24 100
		run -o $tmp/seen.eventlog -- $tmp/mixer 20 +RTS -N2 -RTS
		await the program has ended with status 0
		expect cap 1
		keys q
		exit 0
	END
	EVTUI=$EVTUI "$B/pty" "$tmp/watch.keys" && [ "$(events "$tmp/seen.eventlog")" -gt 1000 ]
}

# Through a FIFO that the program was told of.
through_a_fifo() {
	mkfifo "$tmp/fifo" || return 1
	"$EVTUI" stats "$tmp/fifo" >"$tmp/fifo.stats" &
	"$tmp/mixer" 20 +RTS -l "-ol$tmp/fifo" >/dev/null || return 1
	wait $! && grep -q '^  events  *[0-9]' "$tmp/fifo.stats" && ! grep -q unfinished "$tmp/fifo.stats"
}

# Killed in the middle: flushed events are there, no process is left.
killed() {
	"$EVTUI" -- "$tmp/mixer" 100000000 >"$tmp/stats" 2>/dev/null &
	viewer=$!
	until pgrep -P "$viewer" >/dev/null; do :; done
	kill -9 "$viewer"
	wait "$viewer"
	for _ in 1 2 3 4 5 6 7 8 9 10; do pgrep -f "^$tmp/mixer" >/dev/null || return 0; sleep 0.1; done
	return 1
}

refuses() { # refuses WORD PROGRAM: it says why there is no log
	"$EVTUI" -- "$2" >/dev/null 2>"$tmp/err"
	grep -q "$1" "$tmp/err"
}

build() { # build NAME FLAG…
	name=$1
	shift
	ghc -v0 -O0 "$@" -outputdir "$tmp/o.$name" -o "$tmp/$name" tests/logs/src/Mixer.hs 2>"$tmp/err"
}

# Every preset of a program that is built with -prof, without -eventlog: the log has what the preset is for.
# A census is due after 0.1 s of the program, collections and waits not counted.
records() { # records PRESET KIND: evtui doctor LOG says that this is shown
	(cd "$tmp" && "$here/evtui" --preset "$1" -o "$1.eventlog" -- ./prof 1000 >stats 2>err) &&
		"$EVTUI" doctor --json "$tmp/$1.eventlog" | grep -q "\"$2\"[^}]*\"state\":\"shown\""
}
profiled() {
	"$EVTUI" doctor --json "$tmp/prof" | grep -q '"profiled":true,"eventlog":true'
}

if command -v ghc >/dev/null; then
	ghc=$(ghc --numeric-version)
	if ghc -v0 -O0 -threaded -eventlog -rtsopts -outputdir "$tmp/o" -o "$tmp/mixer" tests/logs/src/Mixer.hs &&
		ghc -v0 -O0 -rtsopts=none -outputdir "$tmp/n" -o "$tmp/none" tests/logs/src/Hello.hs; then
		check "evtui -- PROGRAM to its end ($ghc)" run_by_evtui
		check "watched in the viewer" run_in_viewer
		check "through a FIFO" through_a_fifo
		check "no process is left of a killed viewer" killed
		check "it says that a program takes no options" refuses 'rtsopts' "$tmp/none"
		case $ghc in
		[0-8].* | 9.[0-3].*) build plain -rtsopts && check "that it lacks -eventlog" refuses 'ghc -eventlog -threaded' "$tmp/plain" ;;
		esac
		build ignore -eventlog -rtsopts=ignore
		check "that it does not answer" refuses 'no log' "$tmp/ignore"
		if build prof -prof -fprof-auto -rtsopts; then
			check "a profiled program logs" profiled
			check "--preset gc" records gc gc
			check "--preset heap" records heap heap_profile
			check "--preset profile" records profile time_profile
			check "--preset full" records full time_profile
		else
			echo "skipped: this ghc has no profiled libraries"
		fi
	else
		failed=1
		echo "the test programs do not compile with ghc $ghc"
	fi
else
	echo "skipped: no ghc here"
fi
count
