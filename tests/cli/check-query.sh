#!/bin/sh
# `evtui query`: the statements of docs/sql.md give the rows that SQLite gives over the CSV tables; forms, errors, refusals.
. "$(dirname "$0")/common.sh"

# database LOG: the CSV tables of a log in $tmp/db, typed, with NULL for empty cells
database() {
	rm -f "$tmp/db"
	"$EVTUI" query --schema >"$tmp/schema.sql" || return 1
	{
		cat "$tmp/schema.sql"
		echo '.mode csv'
		for table in $(sed -n 's/^CREATE TABLE \([a-z_]*\) .*/\1/p' "$tmp/schema.sql"); do
			"$EVTUI" export csv --table "$table" "$1" >"$tmp/$table.csv" 2>"$tmp/err" || {
				grep -q 'no samples of a time profile' "$tmp/err" && continue # the table stays empty
				return 1
			}
			echo ".import --skip 1 $tmp/$table.csv $table"
		done
	} >"$tmp/load.sql"
	sqlite3 "$tmp/db" <"$tmp/load.sql" && sqlite3 "$tmp/db" "SELECT 'UPDATE ' || m.name || ' SET \"' || c.name || '\" = NULL WHERE \"' ||
		c.name || '\" = '''';' FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'" >"$tmp/nulls.sql" &&
		sqlite3 "$tmp/db" <"$tmp/nulls.sql"
}
# The statements of docs/sql.md, those of queries.sql, and the questions with names, each a file: 60 and more.
statements() {
	awk -v dir="$tmp" '/^```sql$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >sprintf("%s/q-sql-%02d.sql", dir, n) } END { exit n < 20 }' docs/sql.md &&
		awk -v dir="$tmp" 'BEGIN { RS = "" } { print >sprintf("%s/q-more-%02d.sql", dir, NR) }' tests/cli/queries.sql || return 1
	for q in assets/queries/*.sql; do cp "$q" "$tmp/q-named-$(basename "$q")"; done
	[ "$(ls "$tmp" | grep -c '^q-')" -ge 60 ]
}
check 'there are 60 statements, 20 of them in docs/sql.md' statements

# fractions: numbers with a fraction, to 12 digits, as both write them
fractions() { awk -F , -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9]+[.][0-9]+(e[+-][0-9]+)?$/) $i = sprintf("%.12g", $i); print }'; }
rows=0
same() { # same STATEMENT LOG
	"$EVTUI" query --csv -f "$1" "$2" >"$tmp/ours.raw" && sqlite3 -csv -header "$tmp/db" <"$1" >"$tmp/theirs.raw" || return 1
	tr -d '"\r' <"$tmp/ours.raw" | fractions >"$tmp/ours"
	tr -d '"\r' <"$tmp/theirs.raw" | fractions >"$tmp/theirs"
	[ "$(wc -l <"$tmp/ours")" -gt 1 ] && rows=$((rows + 1))
	[ -s "$tmp/theirs" ] || sed -i 1d "$tmp/ours" # SQLite names no columns where there are no rows
	diff "$tmp/ours" "$tmp/theirs"
}
for l in 9.10.3-conczoo-thr-N2 9.10.3-profmix-p-hc 9.0.2-mixer-N2; do
	check "$l: tables in SQLite" database "$logs/$l.eventlog"
	for q in "$tmp"/q-*.sql; do
		check "$l: $(head -n 1 "$q")" same "$q" "$logs/$l.eventlog"
	done
done
check 'most statements have rows' [ "$rows" -gt 110 ]

form() { run 0 query "$1" 'SELECT "index" AS i, kind, NULL AS none FROM gc ORDER BY start_ns LIMIT 2' $log && sed -n "${2}p" "$tmp/out" | grep -qx "$3"; }
check 'JSON lines' form --json 2 '{"i":2,"kind":"[a-z]*","none":null}'
check 'CSV' form --csv 1 'i,kind,none'
check 'Markdown' form --markdown 2 '| --- | --- | --- |'
table() { run 0 query 'SELECT count(*) AS gcs FROM gc' $log && sed -n 1p "$tmp/out" | grep -qx ' *gcs' && sed -n 2p "$tmp/out" | grep -qx ' *[0-9]*'; }
check 'a table' table
twice() { run 0 query --json 'SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS b' $log && grep -qx '{"a":1,"a_2":2,"a_2_2":3,"b":4}' "$tmp/out"; }
check 'no two keys of a JSON line are equal' twice
names() { run 0 query --json 'SELECT max(pause) = max(pause_ns) AS same, min(wall_ns) > 1e18 AS wall FROM gc' $log && grep -qx '{"same":1,"wall":1}' "$tmp/out"; }
check 'names without units, wall-clock time' names
param() { run 0 query --json --param n=3 --param k=minor 'SELECT kind FROM gc WHERE kind = :k LIMIT $n' $log && [ "$(grep -c minor "$tmp/out")" -eq 3 ]; }
check 'parameters' param
two() { cp $log "$tmp/a.eventlog" && mkdir -p "$tmp/d" && cp $log "$tmp/d/a.eventlog" && run 0 query --csv 'SELECT log, count(*) FROM gc GROUP BY log' \
	"$tmp/a.eventlog" "$tmp/d/a.eventlog" && grep -q '^d/a,' "$tmp/out" && [ "$(wc -l <"$tmp/out")" -eq 3 ]; }
check 'two logs of one name' two
ordered() { run 0 query --csv 'SELECT start_ns FROM runs ORDER BY start_ns' $log && sed 1d "$tmp/out" | sort -n -c; }
check 'the order of the key' ordered
bounded() { # the rows between two times, by the index and by a condition that it does not see
	run 0 query --csv "SELECT * FROM $1 WHERE $2 >= 20000000 AND $2 < 90000000" $log && mv "$tmp/out" "$tmp/a" &&
		run 0 query --csv "SELECT * FROM $1 WHERE $2 + 0 >= 20000000 AND $2 + 0 < 90000000" $log && cmp "$tmp/a" "$tmp/out" && [ "$(wc -l <"$tmp/a")" -gt 2 ]; }
for t in 'gc start_ns' 'runs start_ns' 'wakes t_ns' 'messages t_ns' 'events t_ns' 'heap t_ns'; do
	# shellcheck disable=SC2086  # table and column
	check "bounds of $t" bounded $t
done
limited() { run 0 query --csv "SELECT * FROM events WHERE $1" $log && sort "$tmp/out" >"$tmp/a" && run 0 query --csv "SELECT * FROM events WHERE $2" $log &&
	sort "$tmp/out" | cmp "$tmp/a" - && [ "$(wc -l <"$tmp/a")" -gt 2 ]; }
check 'events of a name' limited "name = 'RUN_THREAD'" "name || '' = 'RUN_THREAD'"
check 'events of some tags' limited 'tag IN (1, 2) AND cap = 1' '+tag IN (1, 2) AND +cap = 1'

wrong() { # wrong STATEMENT WORDS: status 2, one line, nothing on standard output
	run 2 query --json "$1" $log && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q "$2" "$tmp/err"
}
check 'a syntax error says where' wrong 'SELECT count(*) FORM gc' 'character 22$'
check 'no such column: the nearest name' wrong 'SELECT pausee FROM gc' 'pausee; did you mean pause.*character 8$'
check 'no such column: all of the table' wrong 'SELECT x FROM Markers' ': x (t_ns, name), at character 8$'
check 'no such table' wrong 'SELECT 1 FROM nothing' 'nothing.*character 15$'
check 'no such table: the nearest name' wrong 'SELECT 1 FROM gcs' 'no such table: gcs; did you mean gc?.*--schema.*character 15$'
check 'no statement' wrong ' -- nothing' 'no statement'
check 'two statements' wrong 'SELECT 1; SELECT 2' 'one statement.*character 11$'
for s in 'DELETE FROM gc' 'CREATE TABLE x(a)' "ATTACH '$tmp/x.db' AS x" "VACUUM INTO '$tmp/x.db'" 'PRAGMA writable_schema = 1' BEGIN \
	'CREATE VIRTUAL TABLE t USING fts5(a)' "SELECT load_extension('x')" 'WITH x AS (SELECT 1) DELETE FROM gc'; do
	check "refused: $s" wrong "$s" character
done
check 'nothing was written' [ ! -e "$tmp/x.db" ]
check 'a parameter without a value' wrong 'SELECT :x' ':x'
check 'two forms' refuses query --json --csv 'SELECT 1' $log
check 'no log' refuses query 'SELECT 1'
check 'a log that is not there' complains query 'SELECT 1' "$tmp/none.eventlog"
check 'a statement that is not there' complains query -f "$tmp/none.sql" $log
count
