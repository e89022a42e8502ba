#!/bin/sh
# Exports for other tools: sqlite, dataset, perfetto, pprof, svg, html.
. "$(dirname "$0")/common.sh"

rows() { [ "$(sqlite3 "$tmp/x.db" "SELECT count(*) FROM \"$1\"")" -eq $(($("$EVTUI" export csv --table "$2" $log | wc -l) - 1)) ]; }
database() { run 0 export sqlite --raw -o "$tmp/x.db" $log && [ "$(sqlite3 "$tmp/x.db" 'PRAGMA integrity_check')" = ok ]; }
check 'a database' database
for t in gc threads runs wakes heap caps blocks metrics; do
	check "its table $t" rows $t $t
done
check 'its table event' rows event events
meta() { [ "$(sqlite3 "$tmp/x.db" "SELECT unit FROM meta WHERE \"table\" = 'gc' AND \"column\" = 'pause_ns'")" = ns ]; }
check 'units' meta
views() { for v in $(sqlite3 "$tmp/x.db" "SELECT name FROM sqlite_master WHERE type = 'view'"); do sqlite3 "$tmp/x.db" "SELECT count(*) FROM $v" || return 1; done; }
check 'views' views
check 'a database needs a file' refuses export sqlite -o - $log
check 'it is not replaced' complains export sqlite -o "$tmp/x.db" $log

other=$logs/9.6.6-leaky-hT.eventlog
dataset() { run 0 export dataset -o "$tmp/set" $log $other && [ "$(ls "$tmp/set/gc" | wc -l)" -eq 2 ] && grep -q '"file":"gc/9.6.6-leaky-hT.csv","table":"gc","rows":' "$tmp/set/manifest.json"; }
check 'a data set' dataset
content() { cut -d, -f2- "$tmp/set/$1/$(basename $2 .eventlog).csv" >"$tmp/a" && "$EVTUI" export csv --table "$1" $2 | cmp - "$tmp/a"; }
for t in gc threads heap runs; do
	check "its table $t" content $t $other
done
for t in heap runs wakes messages markers sparks; do
	check "$t, which one walk fills together" content $t $log
done
# As SQLite itself would keep them: the rows of CSV, with the affinity of the columns.
cells() { "$EVTUI" export csv --table "$1" $log >"$tmp/a.csv" && sqlite3 "$tmp/x.db" "CREATE TEMP TABLE a AS SELECT * FROM \"$1\" LIMIT 0" \
	".import --csv --skip 1 $tmp/a.csv a" "SELECT * FROM \"$1\" ORDER BY rowid" ".print --" "SELECT * FROM a" >"$tmp/a" &&
	sed '/^--$/,$d' "$tmp/a" >"$tmp/b" && sed '1,/^--$/d' "$tmp/a" | cmp - "$tmp/b"; }
for t in gc threads spans heap runs wakes messages sparks; do
	check "the cells of $t" cells $t
done
schema() { sqlite3 :memory: <"$tmp/set/schema.sql"; }
check 'its schema' schema
again() { touch -d '2001-01-01' "$tmp/set/gc/9.6.6-leaky-hT.csv" && run 0 export dataset -o "$tmp/set" $log $other &&
	[ -n "$(find "$tmp/set/gc/9.6.6-leaky-hT.csv" ! -newermt 2002-01-01)" ]; }
check 'what is there stays' again
resumed() { rm "$tmp/set/manifest.json" "$tmp/set/gc/9.6.6-leaky-hT.csv" && run 0 export dataset -o "$tmp/set" $log $other &&
	[ -s "$tmp/set/gc/9.6.6-leaky-hT.csv" ] && [ -s "$tmp/set/manifest.json" ]; }
check 'what is missing is added' resumed
# An export that was killed in the middle leaves files under temporary names.
killed() { echo half >"$tmp/set/gc/.k.csv.new" && echo half >"$tmp/set/.manifest.json.new" && cp $other "$tmp/k.eventlog" &&
	run 0 export dataset -o "$tmp/set" "$tmp/k.eventlog" && [ -e "$tmp/set/gc/k.csv" ] && ! grep -q half "$tmp/set/gc/k.csv" &&
	[ ! -e "$tmp/set/gc/.k.csv.new" ] && [ ! -e "$tmp/set/.manifest.json.new" ]; }
check 'a data set goes on after an export that was killed' killed
packed() { run 0 export dataset --jsonl --compress -o "$tmp/packed" $log && zstd -dcq "$tmp/packed/gc/$(basename $log .eventlog).jsonl.zst" |
	head -n 1 | grep -q '^{"log":"9.10.3-conczoo-thr-N2","index":1,"start_ns":'; }
! unpacks zstd || check 'packed lines of JSON' packed
# Values that are not of the type of their column in the schema.
mistyped() {
	for f in "$tmp"/lines/*/*.jsonl; do
		t=$(basename "$(dirname "$f")")
		sqlite3 :memory: ".read $tmp/lines/schema.sql" "SELECT '$t', v.key, v.type, c.type
			FROM json_each('[' || replace(rtrim(CAST(readfile('$f') AS TEXT), char(10)), char(10), ',') || ']') AS l,
			json_each(l.value) AS v LEFT JOIN pragma_table_info('$t') AS c ON c.name = v.key
			WHERE v.type <> 'null' AND NOT CASE c.type WHEN 'VARCHAR' THEN v.type = 'text' WHEN 'DOUBLE' THEN v.type IN ('integer', 'real')
			ELSE coalesce(c.type LIKE '%BIGINT' AND v.type = 'integer', 0) END LIMIT 1" || echo "$t cannot be read"
	done
}
typed() { run 0 export dataset --jsonl -o "$tmp/lines" $log $other tests/logs/9.0.2-mixer-N2.eventlog &&
	[ -s "$tmp/lines/caps/9.0.2-mixer-N2.jsonl" ] && [ -z "$(mistyped)" ]; }
check 'lines of JSON hold what the schema says' typed
foreign() { mkdir -p "$tmp/own" && : >"$tmp/own/mine" && complains export dataset -o "$tmp/own" $log && [ "$(ls "$tmp/own")" = mine ]; }
check 'the folder of something else' foreign
none() { complains export dataset -o "$tmp/empty" "$tmp/none.eventlog" && [ ! -e "$tmp/empty" ]; }
check 'without a log nothing is left' none
check 'a data set is of files' refuses export dataset -o "$tmp/z" -
counted() { [ "$(tr '{' '\n' <"$1/manifest.json" | sed -n "s|^\"file\":\"gc/$2\",\"table\":\"gc\",\"rows\":\([0-9]*\)}.*|\1|p")" = $(($(wc -l <"$1/gc/$2") - 1)) ]; }
torn() { printf 'gc/torn.csv\tgc\t1' >>"$tmp/set/.progress" && cp $log "$tmp/c.eventlog" && run 0 export dataset -o "$tmp/set" "$tmp/c.eventlog" &&
	counted "$tmp/set" c.csv && ! grep -q torn "$tmp/set/manifest.json"; }
check 'a line that was not written whole' torn
anew() { cp $other "$tmp/c.eventlog" && run 0 export dataset --force -o "$tmp/set" "$tmp/c.eventlog" && counted "$tmp/set" c.csv &&
	run 0 export dataset -o "$tmp/set" "$tmp/c.eventlog" && counted "$tmp/set" c.csv; }
check 'a log that is written again' anew
raw_later() { run 0 export dataset --raw -o "$tmp/set" $log && [ "$(wc -l <"$tmp/set/event/$(basename $log .eventlog).csv")" -gt 1000 ]; }
check 'all events of a log that was there without them' raw_later
clash() { mkdir -p "$tmp/f/a" "$tmp/f/b" && cp $log "$tmp/f/a/x.eventlog" && cp $log "$tmp/f/b/x.eventlog" && cp $log "$tmp/f/a_x.eventlog" &&
	refuses export dataset -o "$tmp/clash" "$tmp/f/a/x.eventlog" "$tmp/f/b/x.eventlog" "$tmp/f/a_x.eventlog" && [ ! -e "$tmp/clash" ] &&
	refuses export dataset -o "$tmp/clash" $log $log && [ ! -e "$tmp/clash" ] && mkdir "$tmp/g" &&
	cp $log "$tmp/g/x.eventlog" && cp $log "$tmp/g/x_.eventlog" && # which are two
	"$EVTUI" export dataset -o "$tmp/g/set" "$tmp/g/x.eventlog" "$tmp/g/x_.eventlog" && [ -e "$tmp/g/set/gc/x_.csv" ]; }
check 'two logs of one name' clash

trace() { run 0 export perfetto $log && grep -aq 'cap 0' "$tmp/out" && grep -aq 'minor GC' "$tmp/out" && [ "$(wc -c <"$tmp/out")" -gt 10000 ]; }
check 'a trace for Perfetto' trace
part() { all=$(wc -c <"$tmp/out") && run 0 export perfetto --from 30% --to 40% $log && [ "$(wc -c <"$tmp/out")" -lt "$all" ]; }
check 'a part of it' part
profile() { run 0 export pprof $logs/9.10.3-profmix-p-hc.eventlog && gzip -dc "$tmp/out" | grep -aq 'nanoseconds'; }
! unpacks gzip || check 'a profile for pprof' profile
check 'no profile' complains export pprof $log
slices() { # each is what the export of its part of the time is; none is replaced unless asked for
	run 0 export perfetto --slice-by 10ms -o "$tmp/s" $log && ! ls "$tmp" | grep -q part && run 0 stats --json $log || return 1
	first=$(grep -o '"first_ns":[0-9]*' "$tmp/out" | sed 's/.*://; q')
	run 0 export perfetto --from "$((first + 10000000))ns" --to "$((first + 20000000))ns" -o "$tmp/one" $log && cmp "$tmp/one" "$tmp/s.0002" &&
		run 1 export perfetto --slice-by 10ms -o "$tmp/s" $log && run 0 export perfetto --force --slice-by 10ms -o "$tmp/s" $log &&
		run 2 export perfetto --slice-by 1ns -o "$tmp/t" $log && run 2 export perfetto --slice-by 10ms $log && run 2 export svg --slice-by 10ms -o "$tmp/t" $log
}
check 'a trace in slices' slices
picture() { run 0 export svg $log && head -n 2 "$tmp/out" | grep -q '<svg ' && grep -q '>cap 1<' "$tmp/out" && tail -n 1 "$tmp/out" | grep -qx '</svg>'; }
check 'a picture' picture
panes() { # each pane of the viewer, of the size and the range that are asked for
	for p in timeline heap profile events stats; do
		run 0 export svg --pane $p --size 120x40 --from 10ms --to 20ms $log && grep -q '^<svg .*width="1080" height="720"' "$tmp/out" && tail -n 1 "$tmp/out" | grep -qx '</svg>' || return 1
	done
	run 0 export svg --pane heap tests/logs/9.10.3-profmix-p-hc.eventlog &&
		run 0 export svg --pane events $log && sed 's/<[^>]*>//g' "$tmp/out" | tr -d '\n' | grep -q RUN_THREAD && run 2 export svg --pane none $log && run 2 export svg --size 0x9 $log &&
		run 2 export html --pane stats $log
}
check 'panes as pictures' panes
page() { run 0 export html $log && grep -q '<h2>Findings</h2>' "$tmp/out" && grep -q '>gc.pause.max<' "$tmp/out" && ! grep -q '<script.*src\|<link\|src=' "$tmp/out"; }
check 'a page' page
heap_page() {
	run 0 export html $other && grep -q '<h2>Heap by closure type</h2>' "$tmp/out" && grep -q 'id="bands"' "$tmp/out" &&
		[ "$(grep -c '<polygon' "$tmp/out")" -eq 14 ] && grep -q '<td>ghc-prim:GHC.Types.:</td><td class="n" data-value="30140064">30 MB</td>' "$tmp/out"
}
check 'the heap on it' heap_page
groups() { # the bytes of a group are those of its bands
	run 0 export csv --table census $other && awk -F, 'NR > 1 { sub(/^"/, "", $4); split($4, f, ":"); s[$2, f[1]] += $(NF - 2) } END { for (k in s) print k, s[k] }' "$tmp/out" |
		sort >"$tmp/want" && run 0 export csv --table census --group '/^([^:]+):.*$/\1/' $other &&
		awk -F, 'NR > 1 { s[$2, $4] += $5; rows++ } END { for (k in s) { print k, s[k]; n++ }; exit n != rows }' "$tmp/out" | sort | cmp - "$tmp/want"
}
check 'bands in groups' groups
check 'of the census only' refuses export csv --table gc --group module $log
check 'a grouping that is none' refuses export csv --table census --group '/x' $other
group_page() { run 0 export html --group package $other && grep -q '<td>ghc-prim</td>' "$tmp/out"; }
check 'a page of groups' group_page
tidied() { tidy -q -e "$tmp/out" 2>"$tmp/tidy" && [ ! -s "$tmp/tidy" ]; }
! command -v tidy >/dev/null || check 'as tidy wants it' tidied
count
