#!/bin/sh
# A program that writes without end, watched in a terminal: memory and descriptors do not grow. B: the build directory;
# SOAK: seconds, skipped without it (memory while a log grows depends on the load); RATE: megabytes per second (20);
# KEEP: spool size (16M).
. "$(dirname "$0")/../cli/common.sh"
B=${B:-build/cc}
EVTUI=$B/evtui
export EVTUI PTY_LIMIT=120

soak() {
	mkfifo "$tmp/log" || return 1
	"$B/pour" assets/bazaar.eventlog "${RATE:-20}" $((${SOAK:-4} + 1)) >"$tmp/log" &
	printf '%s\n' 'size 40 120' "run --spool-max ${KEEP:-16M} $tmp/log" 'await live' "watch ${SOAK:-4}" 'await ended' 'keys 2' 'keys 4' 'keys Q' 'exit 0' \
		>"$tmp/keys"
	"$B/pty" "$tmp/keys"
	status=$?
	wait
	return $status
}

case $B in *address* | *thread*) count && exit ;; esac # their memory is not the program's
[ -n "$SOAK" ] || { count && exit; }
check "a stream of ${SOAK:-4} s" soak
cat "$tmp/said"
count
