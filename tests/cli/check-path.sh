#!/bin/sh
# `evtui path` as a program: its page, its JSON, ranges and threads, what it refuses.
. "$(dirname "$0")/common.sh"

page() { run 0 path $log && grep -q '^critical path$' "$tmp/out" && grep -q '^where its time went$' "$tmp/out" &&
	grep -q '^threads on the path$' "$tmp/out" && grep -q '^longest segments$' "$tmp/out"; }
check 'the page' page
json() { # json ARGS…: the parts of the path add up to its range, and so do its threads
	run 0 path --json "$@" && tr '{' '\n' <"$tmp/out" | awk -F'[:,}]' '
		NR == 2 { from = $2; to = $4 }
		/^"run_ns"/ { for (i = 2; i <= 14; i += 2) parts += $i }
		/"total_ns"/ { sub(/.*"total_ns":/, ""); threads += $0 + 0 }
		END { exit !(to > from && parts == to - from && threads == to - from) }'
}
check 'parts and threads add up' json $log
check 'of a range' json --from 10ms --to 20ms $log
check 'of a thread' json --thread 9 $log
check 'in another log' json $logs/9.6.6-leaky-hT.eventlog
ends() { run 0 path --json --from 10ms --to 20ms $log && grep -q '^{"from_ns":10000000,"to_ns":20000000,' "$tmp/out"; }
check 'the edges of a range' ends
check 'a thread that is not there' complains path --thread 4000000 $log
check 'a thread that is no number' refuses path --thread x $log
check 'no thread 0' refuses path --thread 0 $log
check 'an option of another command' refuses path --type 'GC_*' $log
check 'no log' refuses path
count
