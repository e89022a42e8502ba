#!/bin/sh
# `evtui -- COMMAND`: a Haskell program gets flags that it takes, alone or as a child of cabal, stack or a script; presets; and
# what it lacks is said. The programs are stand-ins (tests/tools/prog.c).
. "$(dirname "$0")/common.sh"
B=${B:-build/cc}
case $EVTUI in /*) ;; *) EVTUI=$PWD/$EVTUI ;; esac
mkdir "$tmp/bin"
for name in cabal stack Cabal-simple_mPHDZzAJ_3.4.1.0_ghc-9.6.6 ghc-9.6.6 app closed alex haddock-ghc-9.6.6; do cp "$B/prog" "$tmp/bin/$name"; done
PATH=$tmp/bin:$PATH
export PROG_SAYS="$tmp/says"

records() { # records ARGS…: a log came, and what it is of is shown
	: >"$tmp/says"
	run 0 "$@" && grep -q '^  rts ' "$tmp/out"
}
given() { # given NAME OPTION: the program of that name got it, and no other got any but to be asked
	grep -qxF -- "$1 $2" "$tmp/says" && ! grep -v -- ' \(-?\|--info\|-A1m\)$' "$tmp/says" | grep -qv "^$1 "
}
one_line() { [ "$(grep -cxF -- "$1" "$tmp/err")" = 1 ]; } # one_line TEXT: it was said once
check 'a program' records -- app $log
check 'gets -l' given app -l
check 'flushes' given app --eventlog-flush-interval=0.2
case $B in
*-portable*)
	echo 'skipped: programs below cabal, stack and scripts: without ptrace they cannot be watched'
	count
	exit
	;;
esac
check 'of cabal' records -- cabal -r app $log
check 'cabal itself gets nothing' given app -l
check 'of stack, with tools before it' records -- stack -r Cabal-simple_mPHDZzAJ_3.4.1.0_ghc-9.6.6 -r sh -c "alex -r true; haddock-ghc-9.6.6 -r true; ghc-9.6.6 -r app -n 10 $log; app $log"
check 'tools and what the compiler runs get nothing' sh -c "[ \$(grep -c '^app -ol' '$tmp/says') = 1 ] && ! grep -q '^\(alex\|haddock\|ghc\|stack\|Cabal\).* -l' '$tmp/says'"
check 'of the second program, where the first cannot log' records -- sh -c "closed $log; closed $log; app $log"
check 'which is told once' one_line 'evtui: closed: built without -rtsopts; compile with: ghc -rtsopts'
printf '#!/bin/sh\nexec cabal -r "$@"\n' >"$tmp/bin/runs"
chmod +x "$tmp/bin/runs"
check 'of a script' records -- runs app $log
GHCRTS=-N2
export GHCRTS
check 'GHCRTS of the user stays' records -- sh -c "exec app $log"
check 'and comes after ours' given app -N2
unset GHCRTS
check 'the exit status' run 7 -- cabal -r app -s 7 $log
check 'of a signal' run 143 -- sh -c 'kill -TERM $$'
check 'no such command' run 127 -- "$tmp/none"
check 'the log is kept' sh -c "'$EVTUI' -o '$tmp/kept' -- cabal -r app $log >'$tmp/out' 2>&1 && cmp '$tmp/kept' $log"

# presets
for preset in 'gc -l-asgu' 'heap -hT' 'full -la'; do
	check "--preset $preset" records --preset "${preset% *}" -- cabal -r app $log
	check "gives ${preset#* }" given app "${preset#* }"
done
check 'by cost centre where it is profiled' env PROG_WAY=rts_p "$EVTUI" --preset heap -- app $log
check 'gives -hc' given app -hc
check 'a preset that is none' refuses --preset gcs -- app $log
check 'a preset without a program' refuses --preset gc $log

# what it lacks
lacks() { # lacks STATUS TEXT VARIABLE=VALUE… -- ARGS…
	want=$1
	text=$2
	shift 2
	set --  "$@"
	vars=
	while [ "$1" != -- ]; do vars="$vars $1"; shift; done
	shift
	env $vars "$EVTUI" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? = "$want" ] && grep -qF -- "$text" "$tmp/err" || { cat "$tmp/err"; return 1; }
}
check 'nothing else is said' sh -c "! '$EVTUI' -- sh -c 'exec closed $log' 2>&1 | grep 'no log'"
check 'no -rtsopts' lacks 1 'app: built without -rtsopts; compile with: ghc -rtsopts' PROG_RTSOPTS=some -- --preset heap -- app $log
check 'nor any option' lacks 1 'app: built without -rtsopts' PROG_RTSOPTS=none -- -- app $log
check 'no -eventlog' lacks 1 'built without -eventlog (which GHC before 9.4 needs)' PROG_GHC=9.2.8 -- -- app $log
check 'no profiling' lacks 1 'app: built without -prof' A= -- --preset profile -- app $log
check 'which logs without -eventlog' lacks 1 'app: built without -prof; compile with: ghc -prof -fprof-auto' PROG_GHC=9.0.2 -- --preset profile -- app $log
stanza() { # stanza COMMAND VARIABLE=VALUE LINE…: the lines to add, each by itself
	tool=$1
	env "$2" "$EVTUI" --preset heap -- $tool app $log >"$tmp/out" 2>"$tmp/err" </dev/null
	shift 2
	for line in "$@"; do grep -qxF -- "$line" "$tmp/err" || { cat "$tmp/err"; return 1; }; done
}
check 'for cabal' stanza 'cabal -r' PROG_RTSOPTS=some 'program-options' '  ghc-options: -rtsopts'
check 'for cabal that a script runs' stanza runs PROG_RTSOPTS=some 'program-options' '  ghc-options: -rtsopts'
printf '#!/bin/sh\nstack -r true; exec "$@"\n' >"$tmp/bin/builds"
chmod +x "$tmp/bin/builds"
check 'for stack that a script runs' stanza builds PROG_RTSOPTS=some '  "$locals": -rtsopts'
check 'for stack' stanza 'stack -r' PROG_RTSOPTS=none 'ghc-options:' '  "$locals": -rtsopts' \
	'then run stack clean: stack does not rebuild for these options'
nothing() { # nothing NAME COMMAND…: one line says so
	name=$1
	shift
	[ "$("$EVTUI" -- "$@" 2>&1)" = "evtui: $name ran no Haskell program, so there is no log" ]
}
check 'no Haskell program' nothing cabal cabal -r true
check 'no tool, no Haskell program' nothing true true
count
