#!/bin/sh
# Heap profiles written out, and read back: `export hp`, `export csv --table census`, PROGRAM.hp as a log.
. "$(dirname "$0")/common.sh"

profiles="$logs/9.0.2-leaky-h?.eventlog $logs/9.0.2-leaky-hc-drag.eventlog $logs/9.6.6-leaky-hT.eventlog
	$logs/9.10.3-leaky-h*.eventlog $logs/census-*.eventlog"

# what is written reads the same; samples without times are written by their numbers
again() {
	run 0 export hp "$1" && grep -v '^DATE' "$tmp/out" >"$tmp/once" && cp "$tmp/out" "$tmp/again.hp" &&
		run 0 export hp "$tmp/again.hp" && grep -v '^DATE' "$tmp/out" >"$tmp/twice" &&
		grep "$(printf '\t')" "$tmp/once" >"$tmp/a" && grep "$(printf '\t')" "$tmp/twice" | cmp - "$tmp/a"
}
for log in $profiles; do check "$(basename "$log") there and back" again "$log"; done

# GHC's own reader takes it, where it is installed
pictured() { run 0 export hp "$1" && cp "$tmp/out" "$tmp/p.hp" && (cd "$tmp" && hp2ps p.hp); }
if command -v hp2ps >/dev/null; then
	for log in $profiles; do check "$(basename "$log") for hp2ps" pictured "$log"; done
fi

# as many bytes in the one as in the other
sums() {
	run 0 export hp "$1" && awk -F '\t' 'NF == 2 { n += $2 } END { printf "%.0f\n", n }' "$tmp/out" >"$tmp/a" &&
		run 0 export csv --table census "$1" && [ "$(head -n 1 "$tmp/out")" = profile,sample,time_ns,band,bytes,name,source ] &&
		awk -F , 'NR > 1 { n += $(NF - 2) } END { printf "%.0f\n", n }' "$tmp/out" | cmp - "$tmp/a"
}
check 'csv has what hp has' sums $logs/9.6.6-leaky-hT.eventlog

# groups: each is in hp with the bytes of its bands, and in stats with its peak
groups() {
	run 0 export csv --table census --group package "$1" &&
		awk -F , 'NR > 1 { n[$(NF - 3)] += $(NF - 2) } END { for (g in n) printf "%s %.0f\n", g, n[g] }' "$tmp/out" | sort >"$tmp/a" &&
		run 0 export hp --group package "$1" &&
		awk -F '\t' 'NF == 2 { n[$1] += $2 } END { for (g in n) printf "%s %.0f\n", g, n[g] }' "$tmp/out" | sort | cmp - "$tmp/a" || return 1
	peak=$(awk -F '\t' '$1 == "ghc-prim" && $2 > most { most = $2 } END { print most }' "$tmp/out")
	run 0 stats --json --group package "$1" && grep -q "\"name\":\"ghc-prim\",\"peak_bytes\":$peak," "$tmp/out" &&
		! grep -q '"name":"ghc-prim:' "$tmp/out" && run 2 stats --group packages "$1"
}
check 'groups in hp and stats' groups $logs/9.6.6-leaky-hT.eventlog

count
