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
without() { complains profile $log && grep -q 'no samples of a time profile in this log (.*-p' "$tmp/err"; }
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

# a program that GHC compiled, of 70 % computing, 20 % waiting for a lock and 10 % sleep: within 2 points of that, and of
# what it measured itself
shares=$logs/9.0.2-shares-p
found() { # found FROM WHAT…: the share of the worker's time that FROM says, of what begins so
	awk -v kind="$2" '/worker/ { n = $NF; all += n; split($0, f, ";"); if (index(f[2], kind) == 1) some += n } END { print some / all * 100 }' "$1"
}
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b - 2 && a < b + 2) }' || { echo "$1, not $2"; return 1; }; }
measured() { tr -d '{}",' <$shares.truth.json | awk -v key="$1:" '{ for (i = 1; i < NF; i += 2) { all += $(i + 1); if ($i == key) one = $(i + 1) } } END { print one / all * 100 }'; }
share() { # share WHAT KEY PERCENT
	is=$(found "$tmp/out" "$1")
	near "$is" "$3" && near "$is" "$(measured "$2")"
}
planted() {
	run 0 export whole $shares.eventlog && share 'on CPU' compute_ns 70 && share 'blocked: mvar' lock_ns 20 && share sleeping sleep_ns 10
}
check 'a real program of 70 % computing, 20 % lock, 10 % sleep' planted
reported() { # the same in words; ms of 1 s
	run 0 profile --whole --thread "$("$EVTUI" export whole $shares.eventlog | sed -n 's/^thread \([0-9]*\) worker.*/\1/p' | head -n 1)" $shares.eventlog &&
		for kind in 'on CPU:70' 'blocked: mvar:20' 'sleeping: woken by the timer manager:10'; do
			near "$(sed -n "s/^ *\([0-9.]*\)% .* ${kind%:*}\$/\1/p" "$tmp/out" | head -n 1)" "${kind##*:}" || return 1
		done
}
check 'and in the report' reported

# pprof, decoded by protoc from the published description, is the folded stacks
unproto() {
	sed 's/\\\\/\\/g' | awk '/^[a-z_]+ \{/ { kind = $1; n = id = value = name = 0 } /^ *[0-9]+[:{ ]/ { bad = 1 }
		kind == "sample" && $1 == "location_id:" { stack[++n] = $2 } kind == "sample" && $1 == "value:" && !value { value = $2 }
		/^  id:/ { id = $2 } $1 == "function_id:" { of[id] = $2 } kind == "function" && $1 == "name:" { named[id] = $2 }
		/^string_table:/ { sub(/^string_table: "/, ""); sub(/"$/, ""); text[strings++] = $0 }
		/^}/ && kind == "sample" { for (line = ""; n > 0; n--) line = line (line == "" ? "" : ";") "@" stack[n]; count[line] = value }
		END { for (l in count) { k = split(l, f, /;?@/); out = ""; for (i = 2; i <= k; i++) out = out (i > 2 ? ";" : "") text[named[of[f[i]]]]
			print out, count[l] } exit bad }'
}
decoded() {
	run 0 export folded "$@" && sort "$tmp/out" >"$tmp/want" && run 0 export pprof "$@" && gzip -d <"$tmp/out" |
		protoc --decode=profiles.Profile -I tests/cli tests/cli/profile.proto >"$tmp/text" && unproto <"$tmp/text" >"$tmp/got" &&
		[ -s "$tmp/got" ] && sort "$tmp/got" | diff "$tmp/want" -
}
if ! command -v protoc >/dev/null; then
	echo 'protoc is not installed: pprof is not decoded by it'
elif unpacks gzip; then
	check 'pprof as protoc reads it' decoded $shares.eventlog
	check 'pprof of several modules as protoc reads it' decoded $quarry.eventlog
	check 'without the centres of the run-time system' decoded --no-rts $quarry.eventlog
fi
count
