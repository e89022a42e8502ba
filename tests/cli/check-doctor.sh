#!/bin/sh
# `evtui doctor`: abilities of logs and programs, never a flag that the log ran with, and what it refuses.
. "$(dirname "$0")/common.sh"
B=${B:-build/cc}
prog=$B/prog

json() { run 0 doctor --json "$@"; }
ability() { # ability ID: its row in $tmp/out
	sed 's/{"id"/\n&/g' "$tmp/out" | grep "^{\"id\":\"$1\""
}
has() { json "$1" && ability "$2" | grep -q "$3"; }
check 'collections are shown' has $log gc '"state":"shown","flag":null,"build":null'
check 'no heap profile: -hT' has $log heap_profile '"state":"not recorded","flag":"-hT"'
check 'a heap profile is shown' has $logs/9.6.6-leaky-hT.eventlog heap_profile '"state":"shown"'
check 'of a killed program, no claim of what it did' has $logs/9.10.3-idler-killed-flush.eventlog gc '"state":"none".*"detail":"no collection is in the log"'
check 'by source: another flag and a build' has $logs/9.6.6-leaky-hT.eventlog heap_source '"flag":"-hi","build":"-finfo-table-map"'

# no flag that is advised is one of the arguments in the log
ran_with() {
	for l in $logs/*.eventlog assets/*.eventlog; do
		json "$l" || return 1
		"$EVTUI" stats --json "$l" | sed -n 's/.*"program":\[\([^]]*\)\].*/\1/p' | tr ',' '\n' | sed -n 's/^"\(-.*\)"$/\1/p' >"$tmp/args"
		sed 's/"flag":"\([^"]*\)"/\n@\1\n/g' "$tmp/out" | sed -n 's/^@//p' >"$tmp/flags"
		! grep -qxFf "$tmp/flags" "$tmp/args" || { echo "$l"; cat "$tmp/flags" "$tmp/args"; return 1; }
	done
}
check 'no flag that the log ran with' ran_with

page() { run 0 doctor "$@" && grep -q '^recorded$' "$tmp/out" && grep -q '^this terminal$' "$tmp/out" && grep -q '^this evtui$' "$tmp/out"; }
check 'the page' page $log
alone() { run 0 doctor && ! grep -q '^this log$' "$tmp/out" && grep -q libtermkey "$tmp/out"; }
check 'of the machine alone' alone
terminal() { TERM=xterm-256color run 0 doctor --json && grep -q '"colours":256' "$tmp/out" && NO_COLOR=1 TERM=xterm run 0 doctor --json && grep -q '"colours":0' "$tmp/out"; }
check 'colours of the terminal' terminal
check 'a log that is not there' run 1 doctor $tmp/none
check 'a text' run 1 doctor tests/cli/check-doctor.sh
check 'two logs' run 2 doctor $log $log

# programs: the stand-in answers as GHC's run-time system does
says() { # says TEXT VARIABLE=VALUE…
	text=$1
	shift
	env "$@" "$EVTUI" doctor --json $prog >"$tmp/out" 2>"$tmp/err" </dev/null && grep -qF -- "$text" "$tmp/out"
}
check 'the version and the way' says '"ghc":"9.10.3","way":"rts_thr","with_rtsopts":null,"rtsopts":"all","threaded":true,"profiled":false,"eventlog":true' A=
check 'safe options only' says '"rtsopts":"some"' PROG_RTSOPTS=some
check 'presets of safe options' says '"presets":{"gc":"-l-asgu","heap":null,"profile":null,"full":null}' PROG_RTSOPTS=some
check 'no options' says '"presets":{"gc":null,' PROG_RTSOPTS=none
check 'an old GHC without -eventlog' says '"eventlog":false' PROG_GHC=9.2.8
check 'an old GHC with it' says '"eventlog":true' PROG_GHC=9.2.8 PROG_WAY=rts_thr_l
check 'an old GHC with -prof' says '"profiled":true,"eventlog":true' PROG_GHC=9.0.2 PROG_WAY=rts_thr_p
check 'with -debug' says '"eventlog":true' PROG_GHC=9.0.2 PROG_WAY=rts_debug
check 'presets without profiling' says '"presets":{"gc":"-l-asgu","heap":"-l -hT -i0.1","profile":null,"full":"-la -hT -i0.1"}' A=
check 'presets with it' says '"presets":{"gc":"-l-asgu","heap":"-l -hc -i0.1","profile":"-l -p","full":"-la -p -hc -i0.1"}' PROG_WAY=rts_thr_p
line() { PROG_GHC=$1 run 0 doctor $prog && grep -qF "heap by source line                  no: $2" "$tmp/out"; } # line GHC TEXT
check 'by source line: a build' line 9.2.8 'build with -finfo-table-map'
check 'by source line: not with this GHC' line 9.0.2 'this GHC is too old for it'
check 'not of GHC' sh -c "'$EVTUI' doctor --json true | grep -q '\"haskell\":false'"
printf '#!/bin/sh\n' >"$tmp/script"
chmod +x "$tmp/script"
check 'a script on $PATH is refused by its path' sh -c "PATH=$tmp:\$PATH '$EVTUI' doctor script 2>&1 | grep -qF '$tmp/script: '"

count
