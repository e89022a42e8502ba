#!/bin/sh
# `evtui stats`, `evtui check` and `evtui diff` as programs: figures, bounds, differences; what they refuse.
. "$(dirname "$0")/common.sh"

other=$logs/9.0.2-trouble-leak.eventlog
before=$logs/9.0.2-trouble-late.eventlog # the same program

# --- check ---
holds() { run 0 check "$@" && [ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ]; }
broken() { # broken LINES ARGS…
	lines=$1
	shift
	run 1 check "$@" && [ "$(wc -l <"$tmp/out")" -eq "$lines" ] && [ ! -s "$tmp/err" ]
}
check 'a bound that is kept' holds --fail-if 'gc.pause.p99>10s' $log
check 'one that is not' broken 1 --fail-if 'gc.pause.max > 1ns' $log
check 'a line for each' broken 2 --fail-if 'gc.n>0' --fail-if 'time.productivity<101%' --fail-if 'gc.n<0' $log
check 'units' broken 4 --fail-if 'gc.pause.max>0.001ms' --fail-if 'heap.max_live>1KiB' --fail-if 'heap.alloc_rate>1kB/s' \
	--fail-if 'time.productivity<=100%' $log
check 'a range' broken 1 --fail-if 'time.total!=2ms' --fail-if 'time.total=2ms' --from 1ms --to 3ms $log
check 'waits of threads' broken 1 --fail-if 'threads.latency.max>=1ns' $log
check 'spans by their name' broken 2 --fail-if 'spans.build.n=30' --fail-if 'spans.spark fib.p99>0' --fail-if 'spans.build.p50<0' $logs/9.0.2-mixer-N2.eventlog
unknown() { run 2 check --fail-if 'gc.pause.p99>1ns' $logs/9.10.3-conczoo-nothing.eventlog &&
	[ "$(grep -c 'gc.pause.p99 is unknown' "$tmp/err")" -eq 1 ]; }
check 'a metric that is unknown breaks the check' unknown
# The first ran with -l, the second without its g: only there does -lg help.
flags() { killed=$logs/9.10.3-idler-killed-flush.eventlog census=$logs/9.0.2-leaky-hb.eventlog
	run 2 check --fail-if 'gc.pause.p99>1ns' $killed && ! grep -q -e -lg "$tmp/err" &&
	run 2 check --fail-if 'gc.pause.p99>1ns' $census && grep -q -e 'recorded by +RTS -lg' "$tmp/err" &&
	run 0 stats $killed && ! grep -q -e -lg "$tmp/out" && grep -A1 '^collections$' "$tmp/out" | grep -q '^  none in this log$' &&
	run 0 stats $census && grep -A1 '^collections$' "$tmp/out" | grep -q '^  not recorded (+RTS -lg)$'; }
check 'no flag is named that the program ran with' flags
# The page names the thread that JSON names.
delays() { late=$logs/9.0.2-trouble-late.eventlog
	run 0 stats --json $late && thread=$(grep -o '"sync_delays":\[[^]]*' "$tmp/out" | grep -o '"late_thread":[0-9][0-9]*' | head -n 1 | cut -d: -f2) &&
	[ "$thread" -gt 0 ] && run 0 stats $late && grep -A2 '^longest delays of collections' "$tmp/out" | grep -q " thread .* last: cap 1  thread $thread  spinner  which ran "; }
check 'who delayed collections' delays
said() { run 1 check --fail-if 'gc.pause.max>1ns' $log && grep -q '^gc.pause.max>1ns: gc.pause.max is [0-9.]* [mµ]*s$' "$tmp/out"; }
check 'what is said of a broken bound' said
suggests() { run 2 check --fail-if 'gc.pause.p9>20ms' $log && grep -q 'nearest: gc.pause.p90, gc.pause.p99' "$tmp/err"; }
check 'a name that is none: a suggestion' suggests
for bound in 'gc.pause.p99' 'gc.pause.p99>20MB' 'gc.pause.p99>' '>20ms' 'time.productivity<x' 'gc.n>0x10' \
	'gc.n>nan' 'gc.n>inf'; do
	check "refused: $bound" refuses check --fail-if "$bound" $log
done
check 'no bound' refuses check $log
check 'no log' complains check --fail-if 'gc.n>0' "$tmp/none"

# --- the names ---
names() { run 0 --list-metrics && awk '{ print $1 }' "$tmp/out" >"$tmp/names" && [ "$(wc -l <"$tmp/names")" -gt 60 ] &&
	while read -r name; do
		"$EVTUI" check --allow-unknown --fail-if "$name<0" $log >/dev/null 2>&1
		[ $? -le 1 ] || { echo "$name"; return 1; }
	done <"$tmp/names"; }
check 'every name of --list-metrics can be checked' names

# --- diff ---
same() { run 0 diff $log $log && ! grep -q '^  [!+*] ' "$tmp/out"; }
check 'a log does not differ from itself' same
differs() { run 0 diff $before $other && grep -q '^  ! gc.pause.max ' "$tmp/out"; }
check 'what is notable is marked' differs
both_ways() { run 0 diff $before $other && grep -c '^  ! ' "$tmp/out" >"$tmp/a" && run 0 diff $other $before &&
	grep -c '^  + ' "$tmp/out" | cmp - "$tmp/a"; }
check 'what is worse one way is better the other' both_ways
killed=$logs/9.10.3-idler-killed
unfinished() { run 0 diff $killed-noflush.eventlog $killed-flush.eventlog && grep -q '^  \* time.total ' "$tmp/out" &&
	run 0 diff --csv $killed-noflush.eventlog $killed-flush.eventlog && ! grep -qE ',(better|worse),' "$tmp/out"; }
check 'where a log lacks its end, nothing is better or worse' unfinished
strangers() { run 0 diff $log $other && grep -q '^different programs, so neither is called better or worse' "$tmp/out" &&
	grep -q '^  \* gc.pause.max ' "$tmp/out" && grep -q '^  \* B only  [a-z]' "$tmp/out" && ! grep -q '^  [!+] ' "$tmp/out" &&
	run 0 diff --csv $log $other && ! grep -qE ',(better|worse),' "$tmp/out"; }
check 'of different programs neither is better or worse' strangers
json() { run 0 diff --json $log $other && grep -q '"name":"gc.pause.p99","unit":"time","a":[0-9]*,"b":[0-9]*,"by":' "$tmp/out"; }
check 'diff --json' json
spans() { run 0 diff --json $logs/9.10.3-messages.eventlog $log &&
	grep -q '"spans":\[{"name":"io","figures":\[{"name":"n","unit":"number","a":0,"b":2,' "$tmp/out" &&
	grep -q '{"name":"never stopped","figures":\[{"name":"n","unit":"number","a":1,"b":0,' "$tmp/out"; }
check 'diff --json compares spans by name' spans
# The parts of a name's spans, and a phase, are those that `stats` tells.
parts() { run 0 stats --json $mixer && n=$(grep -o '"name":"build".*' "$tmp/out" | grep -o '"run_ns":[0-9]*' | head -n 1 | cut -d: -f2) && [ "$n" -gt 0 ] &&
	run 0 diff --json $mixer $log && grep -o '{"name":"build","figures":.*' "$tmp/out" | grep -q '^[^]]*"name":"run","unit":"time","a":'"$n"',"b":null' &&
	run 0 diff $mixer $log && grep -q '^phases: length' "$tmp/out"; }
mixer=$logs/9.0.2-mixer-N2.eventlog
check 'diff tells the parts of spans, and phases' parts
reasons() { run 0 diff --json $log $other && grep -q '"blocked":\[{"reason":"[a-z_]*","a":{"n":[0-9]*,"total_ns":[0-9]*,"longest_ns":[0-9]*},"b":{"n":' "$tmp/out"; }
check 'diff --json compares waits by reason' reasons
# The metrics of each side are those that `export csv` writes of its log, the findings too.
csv() { run 0 diff --csv $log $other && sed 's/^"[^"]*",/-,/' "$tmp/out" >"$tmp/csv" &&
	head -n 1 "$tmp/csv" | grep -qx 'group,name,figure,unit,a,b,by,ratio,verdict,text' &&
	csv_of A 5 $log && csv_of B 6 $other; }
csv_of() { # csv_of SIDE COLUMN LOG
	awk -F, -v c="$2" 'NR > 1 && $3 == "" && $4 != "" && $c != "" { print $2 "," $c }' "$tmp/csv" >"$tmp/ours"
	awk -F, -v side="$1 only" '$1 == "findings" && ($9 == "" || $9 == side) { print $2 }' "$tmp/csv" | sort >"$tmp/ids"
	run 0 export csv --table metrics "$3" && awk -F, 'NR > 1 && $2 != "" { print $1 "," $2 }' "$tmp/out" | cmp - "$tmp/ours" &&
		[ "$(wc -l <"$tmp/ours")" -gt 50 ] &&
		run 0 export csv --table findings "$3" && sed '1d; s/,.*//' "$tmp/out" | sort | cmp - "$tmp/ids" && [ -s "$tmp/ids" ]
}
check 'diff --csv has the metrics and findings of both logs' csv
named_csv() { run 0 diff --csv $mixer $log && grep -q '^phases: length,[^,]*,total,time,[0-9]' "$tmp/out" &&
	n=$(sed -n 's/^spans by name: total time,build,total,time,\([0-9]*\),.*/\1/p' "$tmp/out") && run 0 stats --json $mixer &&
	grep -q '"name":"build".[^}]*"total_ns":'"$n"',' "$tmp/out"; }
check 'diff --csv has spans and named things' named_csv
check 'CSV or JSON' refuses diff --csv --json $log $log
findings() { run 0 diff --json $log $other && grep -o '"findings":\[.*' "$tmp/out" >"$tmp/found" && grep -q '"a":null,"b":{"text"' "$tmp/found" &&
	run 0 diff $before $other && grep -q '^  ! B only  [a-z]' "$tmp/out" && run 0 diff $other $before && grep -q '^  + A only  [a-z]' "$tmp/out"; }
check 'findings of one log alone are told' findings
windows() { run 0 stats --span parse $bazaar && grep -q '^  range  *420 spans of "parse", 1.66 s' "$tmp/out" &&
	run 0 stats --json --span parse $bazaar && grep -q '"span":"parse","spans":420,"windows":420,"windows_ns":1659207664' "$tmp/out" &&
	grep -q '"max_live_bytes":355005160,' "$tmp/out" && grep -q '"id":"gc-sync-thread"' "$tmp/out" &&
	grep -q '"utilisation":\[{"cap":0,[^}]*"run":0.11' "$tmp/out" && grep -q '"sync_delays":\[{"start_ns":' "$tmp/out" &&
	grep -q '"generations":\[{"gen":0,"n":807,' "$tmp/out"; }
bazaar=assets/bazaar.eventlog
check 'over all spans of a name' windows
check 'of a name that is not there' complains stats --span missing $bazaar
check 'diff of one log' refuses diff $log
check 'diff of three' refuses diff $log $log $log
check 'diff with none' complains diff "$tmp/none" $log

# --- stats ---
LC_ALL=C sed 's/deep-3/d\xc3\xa4p-3/g' $logs/9.10.3-conczoo-thr-N2.eventlog >"$tmp/labels.eventlog"
in_utf8() { (LC_ALL=C.UTF-8 && export LC_ALL && run 0 stats "$tmp/labels.eventlog" && grep -q 'däp-3' "$tmp/out"); }
check 'labels are as they are in a locale of UTF-8' in_utf8
in_ascii() { (LC_ALL=C && export LC_ALL && run 0 stats "$tmp/labels.eventlog" && grep -q 'd?p-3' "$tmp/out"); }
check 'and ASCII in that of C' in_ascii
named() { (LC_ALL=xx_XX.UTF-8 && export LC_ALL && run 0 stats "$tmp/labels.eventlog" && grep -q 'däp-3' "$tmp/out"); }
check 'and as they are where the locale of UTF-8 is not installed' named
for name in $logs/*.eventlog; do
	figures() { run 0 stats --json --from 10% --to 60% --all "$name" && [ "$(wc -l <"$tmp/out")" -eq 1 ]; }
	check "figures of a range of $name" figures
done
summary() { run 0 stats $bazaar && grep -A4 '^summary$' "$tmp/out" | grep -q '^  GC a problem?  yes: 1.31 s, 29.6% of the run' &&
	grep -q '^  ran most       thread 14 "loader", 745 ms' "$tmp/out" && ! grep -q '^  colours' "$tmp/out" &&
	run 0 stats --span parse $bazaar && grep -q '^  idle most      cap 2, idle for [0-9.]*% of the range; cap 3 about as idle; in or stopped by collections ' "$tmp/out"; }
check 'the summary of the pane is on the page' summary
null() { run 0 stats --json $logs/9.10.3-conczoo-nothing.eventlog && grep -q '"mutator_ns":null' "$tmp/out" &&
	grep -q '"p99_ns":null' "$tmp/out" && grep -q '"id":"no-gc"' "$tmp/out"; }
check 'what cannot be known is null' null
tables() {
	for table in gc threads spans heap caps; do
		run 0 export csv --table $table $logs/9.0.2-mixer-N2.eventlog && [ "$(wc -l <"$tmp/out")" -gt 1 ] &&
			[ "$(awk -F '"' '{ for (i = 2; i <= NF; i += 2) $i = ""; print }' "$tmp/out" | awk -F, '{ print NF }' |
				sort -u | wc -l)" -eq 1 ] || { echo $table; return 1; }
	done
}
check 'all rows of a table have as many cells' tables
generations() { awk 'BEGIN { print "5 BLOCK_MARKER cap_no=0"; for (i = 0; i < 25; i++) { t = 100 * (i + 1)
	printf "%d REQUEST_SEQ_GC\n%d GC_START\n%d GC_STATS_GHC gen=%d\n%d GC_END\n", t, t, t + 50, i, t + 60 } }' | "$B/mklog" >"$tmp/gens" &&
	run 0 stats --json "$tmp/gens" && grep -q '{"gen":24,"n":1,' "$tmp/out" && grep -q '{"gen":6,"n":1,' "$tmp/out"; }
check 'each generation has its own figures' generations
count
