#!/bin/sh
# `evtui path` as a program: its page, its JSON, ranges and threads, what it refuses.
. "$(dirname "$0")/common.sh"

page() { run 0 path $log && grep -q '^critical path$' "$tmp/out" && grep -q '^where its time went$' "$tmp/out" &&
	grep -q '^threads on the path$' "$tmp/out" && grep -q '^longest segments, in time order$' "$tmp/out"; }
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
rows() { # rows ARGS…: the table has the segments of the JSON, if that lists all, and they cover the path
	run 0 path --json "$@" && grep -q '"segments_not_listed":0' "$tmp/out" &&
		sed 's/.*"segments":\[//' "$tmp/out" | tr '{' '\n' | sed -n 's/^"from_ns":\([0-9]*\),"to_ns":\([0-9]*\),"thread":\([0-9]*\),"what":"\([a-z]*\)","cap":\([0-9a-z]*\).*/\1,\2,\4,\5,\3/p' |
		sed 's/,null,/,,/' >"$tmp/segments" && run 0 export csv --table path "$@" && [ "$(sed -n 1p "$tmp/out")" = from_ns,to_ns,duration_ns,share,what,cap,thread,label ] &&
		sed 1d "$tmp/out" | cut -d , -f 1,2,5-7 | cmp - "$tmp/segments" && [ -s "$tmp/segments" ] &&
		awk -F, 'NR > 2 && $1 != to { exit 1 } { to = $2 }' "$tmp/out"
}
check 'the table' rows $log
check 'the table of a range' rows --from 10ms --to 20ms $log
check 'the table of another log' rows $logs/9.10.3-conczoo-thr-N2.eventlog
check 'a thread that is not there' complains path --thread 4000000 $log
check 'nor one of the numbers between' complains path --thread 9999 $log
check 'a thread that is no number' refuses path --thread x $log
check 'no thread 0' refuses path --thread 0 $log
check 'an option of another command' refuses path --type 'GC_*' $log
# the longest span of a name, and one by its number
span() { # span NAME TABLE-FILTER…: the path has the begin and the end of the row
	run 0 export csv --table spans $spans && row=$(awk -F, -v n="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$col["name"] == "build" { k++; d = $col["end_ns"] - $col["start_ns"]
			if (n == 0 ? d > best : k == n) { best = d; row = $col["start_ns"] ",\"to_ns\":" $col["end_ns"] } }
		END { print row }' "$tmp/out") && run 0 path --json --span "$1" $spans && grep -q "^{\"from_ns\":$row," "$tmp/out"
}
spans=$logs/9.0.2-mixer-N2.eventlog
check 'the longest span of a name' span build 0
check 'the third' span 'build#3' 3
all() { run 0 path --json --span 'build#*' $spans && tr '{' '\n' <"$tmp/out" | awk -F'[:,}]' '
		NR == 2 { all = $8 }
		/^"run_ns"/ && !parts { for (i = 2; i <= 14; i += 2) parts += $i }
		END { exit !(all > 0 && parts == all) }' && run 0 path --span 'build#*' $spans && grep -q ' windows, .* of thread' "$tmp/out"; }
check 'all spans of a name together' all
check 'all spans of a name that is not there' complains path --span 'nobody#*' $spans
check 'a span that is not there' complains path --span nobody $spans
check 'a number too large' complains path --span 'build#4000' $spans
check 'a span or a thread' refuses path --span build --thread 1 $spans
check 'no log' refuses path
count
