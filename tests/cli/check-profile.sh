#!/bin/sh
# `evtui profile`: the same shares as GHC's own .prof of the run, the same samples as `export folded`.
. "$(dirname "$0")/common.sh"

quarry=$logs/9.0.2-quarry-p-N2
hot() { awk '/^COST CENTRE/ { table++ } table == 1 && $4 ~ /^[0-9.]+$/ { print $1, $2, $3, $4 }' "$1" | sort; }
tree() { awk '/^COST CENTRE/ { table++ } table == 2 && $6 != "%time" && NF >= 9 && $8 > 0 { print match($0, /[^ ]/), $1, $2, $6, $8 }' "$1" | sort; }
same() { run 0 profile $quarry.eventlog && "$1" "$tmp/out" >"$tmp/a" && [ -s "$tmp/a" ] && "$1" $quarry.prof | cmp - "$tmp/a"; }
check "the hottest centres, as in GHC's report" same hot
check "the tree, as in GHC's report" same tree
total() { grep -q "$(printf '^\ttotal time  =        0.06 secs   (129 ticks @ 1000 us, 2 processors)')" "$tmp/out"; }
check 'the total' total
alloc() { grep -q "$(printf '^\ttotal alloc = .* bytes  (of the whole program; the log has none per cost centre)')" "$tmp/out"; }
check 'what of allocation is in the log' alloc

# the ticks of the tree are the samples that the folded stacks have
leaves() { awk '{ n = $NF; sub(/ [0-9]+$/, ""); k = split($0, f, ";"); sub(/^[^.]*\./, "", f[k]); s[f[k]] += n } END { for (c in s) print c, s[c] }' "$1" | sort; }
ticks() { awk '/^COST CENTRE/ { table++ } table == 2 && $NF ~ /^[1-9][0-9]*$/ { s[$1] += $NF } END { for (c in s) print c, s[c] }' "$1" | sort; }
sums() {
	run 0 export folded --no-rts "$@" && leaves "$tmp/out" >"$tmp/a" && run 0 profile "$@" && ticks "$tmp/out" | cmp - "$tmp/a"
}
check 'ticks are samples' sums $quarry.eventlog
check 'of a range' sums --from 30% --to 60% $quarry.eventlog
part() { run 0 profile --from 30% --to 60% $quarry.eventlog && head -n 1 "$tmp/out" | grep -q 'Report  (0.* s to 0.* s)$'; }
check 'the range is named' part
fewer() {
	all=$("$EVTUI" export folded $quarry.eventlog | awk '{ n += $NF } END { print n }') &&
		some=$("$EVTUI" export folded --no-rts $quarry.eventlog | awk '{ n += $NF } END { print n }') && [ "$some" -eq 129 ] && [ "$all" -gt 129 ]
}
check "folded with and without the run-time system's centres" fewer
scope() { run 0 export speedscope "$@" $quarry.eventlog && grep -o '"frame":[0-9]*' "$tmp/out" | sort | uniq -c >"$tmp/frames" && [ -s "$tmp/frames" ]; }
both() { scope && cp "$tmp/frames" "$tmp/all" && scope --no-rts && [ "$(wc -l <"$tmp/frames")" -lt "$(wc -l <"$tmp/all")" ]; }
check 'speedscope too' both
check '--no-rts is for profiles' refuses export hp --no-rts $quarry.eventlog
without() { complains profile $log && grep -q 'no samples of a time profile in it (.*-p' "$tmp/err"; }
check 'no profile' without
calls() { run 0 profile $logs/calls.eventlog && grep -q 'total time  = not in the log' "$tmp/out"; }
[ ! -e $logs/calls.eventlog ] || check 'samples without an interval' calls

# on and off the CPU: the lines of each thread add up to its life; threads share out the samples of the program
whole() { run 0 export whole $quarry.eventlog && awk '{ s += $NF } END { exit !(s > 0) }' "$tmp/out" && grep -q ';on CPU;MAIN.MAIN;' "$tmp/out" && grep -q ';in pauses ' "$tmp/out"; }
check 'time on and off the CPU' whole
report() { run 0 profile --whole $quarry.eventlog && grep -q 'on CPU  thread .* polish.go < polish' "$tmp/out"; }
check 'as a report' report
threads() {
	all=0
	for id in $("$EVTUI" export csv --table threads $quarry.eventlog | cut -d, -f1 | grep '^[0-9]'); do
		n=$("$EVTUI" profile --thread "$id" $quarry.eventlog 2>/dev/null | sed -n 's/.*(\([0-9]*\) ticks.*/\1/p')
		all=$((all + ${n:-0}))
	done
	[ "$all" -le 129 ] && [ "$all" -gt 100 ]
}
check 'profiles of threads are parts of that of all' threads
no_such_thread() { complains profile --thread 4000000 $quarry.eventlog && grep -q 'thread 4000000' "$tmp/err"; }
check 'a thread that is not there' no_such_thread
count
