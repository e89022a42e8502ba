#!/bin/sh
# Names from a real program (tests/logs/names: the program, its log, the log without its IPE events): where it is found, in the sandbox
# too; the same screens with and without IPE events; --build-id, files of names.
. "$(dirname "$0")/common.sh"
B=${B:-build/cc}
export EVTUI
names=$logs/names
case $EVTUI in /*) ;; *) EVTUI=$PWD/$EVTUI ;; esac
for d in map bare elsewhere bin other; do mkdir "$tmp/$d"; done
gzip -dc $names/leaky.gz >"$tmp/map/leaky" && chmod +x "$tmp/map/leaky" && cp "$tmp/map/leaky" "$tmp/bare" && cp "$tmp/map/leaky" "$tmp/bin" &&
	cp "$tmp/map/leaky" "$tmp/other" && gzip -dc $names/map.eventlog.gz >"$tmp/map/leaky.eventlog" &&
	gzip -dc $names/bare.eventlog.gz >"$tmp/bare/leaky.eventlog" && cp "$tmp/bare/leaky.eventlog" "$tmp/elsewhere/run1.eventlog" || exit 1
bare=$tmp/bare/leaky.eventlog
elsewhere=$tmp/elsewhere/run1.eventlog

named() { run 0 "$@" && grep -q 'growIndex' "$tmp/out"; }
not_named() { run 0 "$@" && ! grep -q 'growIndex' "$tmp/out"; }
check 'the program beside the log' named export csv --table census "$bare"
check 'no program' not_named export csv --table census "$elsewhere"
on_path() { (PATH=$tmp/bin:$PATH && named export csv --table census "$elsewhere"); }
check 'a program of $PATH' on_path
run_by() { (cd "$tmp/bare" && named stats "$elsewhere"); }
check 'the path that it was run by' run_by
for z in gzip zstd xz; do
	packed=$tmp/other/run1.eventlog.$z
	if command -v $z >/dev/null && $z -c "$bare" >"$packed" 2>/dev/null && "$EVTUI" stats "$packed" >/dev/null 2>&1; then
		check "beside a log packed with $z" named stats --json "$packed"
	fi
done
mkdir "$tmp/set"
dataset() { run 0 export dataset -o "$tmp/set" --force "$bare" && grep -q growIndex "$tmp"/set/census/*.csv; }
check 'a data set' dataset
check 'SQL' named query 'SELECT DISTINCT name, source FROM census' "$bare"
check 'HTML' named export html "$bare"
program() { (cd "$tmp/bare" && named -- "$OLDPWD/$B/prog" leaky.eventlog); }
case $B in /*) ;; *) check 'a program that is run without a terminal' program ;; esac

# the same names with and without IPE events, in every row and on the screen
same_rows() {
	run 0 export csv --table census "$tmp/map/leaky.eventlog" && cp "$tmp/out" "$tmp/rows" && run 0 export csv --table census "$bare" &&
		cmp "$tmp/rows" "$tmp/out" && run 0 annotate --quickfix "$tmp/map/leaky.eventlog" && sed "s|$tmp/map|$tmp/bare|" "$tmp/out" >"$tmp/rows" &&
		run 0 annotate --quickfix "$bare" && cmp "$tmp/rows" "$tmp/out" && grep -q '^Leaky.hs:35:24: ' "$tmp/out"
}
check 'the same rows' same_rows
screens() { # each number of events differs, as it must
	for d in map bare; do
		cat >"$tmp/keys" <<-EOF
			size 50 160
			run $tmp/$d/leaky.eventlog
			await names of info tables: from
			keys 2
			await growIndex
			screen all bands
			colours all bands
			keys j<Enter>
			screen one band
			keys Q
			exit 0
			size 24 80
			run $tmp/$d/leaky.eventlog
			await names of info tables: from
			keys 2
			await growIndex
			screen narrow
			keys Q
			exit 0
		EOF
		"$B/pty" "$tmp/keys" >"$tmp/screen" || return 1
		sed "s|$tmp/$d|DIR|g; s/[0-9]* events/N events/" "$tmp/screen" >"$tmp/screen.$d"
	done
	[ "$(grep -c growIndex "$tmp/screen.bare")" -ge 3 ] && diff "$tmp/screen.map" "$tmp/screen.bare"
}
check 'the same screens' screens
asked_for() { # :exe names what was not found
	cat >"$tmp/keys" <<-EOF
		size 50 160
		run $elsewhere
		keys 2
		reject growIndex
		keys :exe $tmp/nothing<Enter>
		await No such file
		keys :exe $tmp/map/leaky<Enter>
		await names of info tables: from
		await growIndex
		keys Q
		exit 0
		run --build-id 0102030405 --exe $tmp/map/leaky $elsewhere
		await has the build-id f0a345ce
		keys 2
		reject growIndex
		keys Q
		exit 0
	EOF
	"$B/pty" "$tmp/keys" >/dev/null
}
check ':exe in the viewer' asked_for

# the build-id that the user knows
id=f0a345ce292463d3cbc51a6a7019a45ceeb3f98b
check 'the right build' named stats --build-id $id "$bare"
says() { # says TEXT ARGS…: no names, and a line that says why
	text=$1
	shift
	not_named "$@" && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q "^evtui: .*$text" "$tmp/err"
}
check 'another build' says "has the build-id $id, not 0102030405" stats --build-id 0102030405 --exe "$tmp/bin/leaky" "$bare"
check 'another build beside the log' says 'no executable with the build-id' stats --build-id 0102030405 "$bare"
check 'no build-id' refuses stats --build-id leaky "$bare"
doctor() { run 0 doctor "$tmp/bin/leaky" && grep -q "build-id .*$id" "$tmp/out"; }
check 'the build-id of a program' doctor

# files of names
kept() { run 0 export ipedb "$bare" -o "$tmp/names.db" && named export csv --table census --ipedb "$tmp/names.db" "$elsewhere" &&
	cp "$tmp/out" "$tmp/rows" && run 0 export csv --table census "$bare" && cmp "$tmp/rows" "$tmp/out"; }
check 'names kept in a file' kept
check 'an archive of ipedb' says "names none of the log's addresses" stats --ipedb tests/fuzz/corpus/ipedb/archive "$elsewhere"
if unpacks gzip; then
	check 'a packed one' says "names none of the log's addresses" stats --ipedb tests/fuzz/corpus/ipedb/archive-gz "$elsewhere"
fi
check 'centres of another program' says 'another program: it has another name for cost centre 1' stats --ccdb tests/fuzz/corpus/ipedb/ccdb $logs/9.10.3-leaky-hc-late.eventlog
check 'no centres' says 'not a table of ipedb or ccdb' stats --ccdb "$bare" "$elsewhere"
count
