#!/bin/sh
# Keys at random on every log there is, in a terminal; then the whole run is shown as if nothing had been, and the
# program ends as it should. B: the build directory, EVTUI: the program, STORM: multiplies the number of keys.
B=${B:-build/cc}
EVTUI=${EVTUI:-$B/evtui}
. "$(dirname "$0")/../cli/common.sh"
export EVTUI PTY_LIMIT="${PTY_LIMIT:-120}"
export LSAN_OPTIONS="suppressions=$PWD/tests/screen/leaks:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"

storm() {
	printf '%s\n' "size $3" "run $1" "keystorm 150 $2" 'resize 24 80' 'keystorm 50 7' 'keys <Esc>' 'keys <Esc>' 'keys Q' 'exit 0' \
		>"$tmp/keys"
	"$B/pty" "$tmp/keys"
}

seed=0
for log in $logs/*.eventlog assets/*.eventlog; do
	seed=$((seed + 1))
	[ $((seed % 2)) -eq 0 ] && size='50 160' || size='24 80'
	check "$log survives keys, seed $seed" storm "$log" $seed "$size"
done
count
