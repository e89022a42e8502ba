#!/bin/sh
# `evtui export` as a program: files, standard output, what it refuses.
. "$(dirname "$0")/common.sh"

out=$tmp/slice.eventlog
whole() { run 0 export eventlog $log && "$EVTUI" show --json $log | grep -v BLOCK_MARKER >"$tmp/a" &&
	cp "$tmp/out" "$out" && "$EVTUI" show --json "$out" | grep -v BLOCK_MARKER | cmp - "$tmp/a"; }
check 'an eventlog of all is all' whole
range() { run 0 export eventlog --from 2ms --to=3ms --force -o "$out" $log && [ ! -s "$tmp/out" ] &&
	run 0 stats --json "$out" && grep -q '"damage":\[\]' "$tmp/out"; }
check '--from, --to and --output' range
again() { complains export eventlog -o "$out" $log && grep -q -e '--force' "$tmp/err" && run 0 show "$out"; }
check 'a file that exists is kept' again
gcs() { run 0 export csv --table gc $log && head -n 1 "$tmp/out" | grep -q ',start_ns,' && [ "$(wc -l <"$tmp/out")" -gt 3 ]; }
check 'collections as csv' gcs
blocked() { run 0 export csv --table blocked $log && sed 1d "$tmp/out" | cut -d, -f1-6 >"$tmp/rows" && [ -s "$tmp/rows" ] &&
	"$EVTUI" stats --json $log | tr '{' '\n' | sed -n 's/^"reason":"\([a-z_]*\)","n":\([0-9]*\),"total_ns":\([0-9]*\),"longest_ns":\([0-9]*\),"longest_thread":\([0-9]*\),"longest_at_ns":\([0-9]*\),.*/\1,\2,\3,\4,\5,\6/p' |
	cmp - "$tmp/rows"; }
check 'blocked time as csv is that of stats' blocked
nothing_left() { [ "$(ls "$tmp" | grep -c new)" -eq 0 ]; }
check 'no temporary files' nothing_left
to_stdout() { run 0 export csv --table gc -o - $log && [ ! -e - ] && [ "$(wc -l <"$tmp/out")" -gt 3 ]; }
check '-o - is standard output' to_stdout
mode() { : >"$tmp/secret" && chmod 600 "$tmp/secret" && run 0 export csv --table gc --force -o "$tmp/secret" $log &&
	[ -s "$tmp/secret" ] && [ "$(ls -l "$tmp/secret" | cut -c 1-10)" = -rw------- ]; }
check 'rights are kept' mode
link() { ln -s secret "$tmp/link" && run 0 export csv --table gc --force -o "$tmp/link" $log && [ -h "$tmp/link" ]; }
check 'links are kept' link
# The FIFO has a reader before evtui opens it, and a writer until evtui is done.
pipe() { mkfifo "$tmp/fifo" && exec 8<>"$tmp/fifo" 9<"$tmp/fifo" && { cat <&9 >"$tmp/read" 8<&- & } && exec 9<&- &&
	run 0 export csv --table gc -o "$tmp/fifo" $log && exec 8<&- && wait && [ -p "$tmp/fifo" ] && cmp "$tmp/read" "$tmp/secret"; }
check 'a FIFO is written to' pipe
lists() { [ ! -e /dev/full ] || for a in --help --version --list-keys --list-metrics; do
	"$EVTUI" $a >/dev/full 2>"$tmp/err" && return 1; done; :; }
check 'lists that cannot be written are an error' lists
full() { [ ! -e /dev/full ] || { "$EVTUI" export eventlog $log >/dev/full 2>"$tmp/err"; [ $? -eq 1 ]; }; }
check 'a full disk is an error' full
check 'no such directory' complains export eventlog -o "$tmp/none/x" $log
check 'not a format' refuses export parquet $log
check 'no log' refuses export eventlog
check 'no format' refuses export
check 'which table?' refuses export csv $log
check 'no such table' refuses export csv --table nonsense $log
tables() { run 2 export csv --table nonsense $log && grep -q 'invalid table "nonsense" (use gc, .*, logs; try' "$tmp/err"; }
check 'all tables are named' tables
check 'a table of what has none' refuses export eventlog --table gc $log
# the largest id is a centre like others, not an empty stack
centre() { printf '%s\n' '5 BLOCK_MARKER cap_no=0' '5 PROF_BEGIN interval=1000000' \
	'10 PROF_SAMPLE_COST_CENTRE tick=1 stack=[4294967295]' '20 PROF_SAMPLE_COST_CENTRE tick=2 stack=[4294967295, 1]' \
	'30 PROF_SAMPLE_COST_CENTRE tick=3 stack=[]' | "$B/mklog" >"$tmp/centre" &&
	run 0 stats --json "$tmp/centre" && grep -q '"prof_top10":\[{"cc":4294967295,"name":null,"ticks":2},{"cc":null,[^}]*"ticks":1}\]' "$tmp/out"; }
check 'the largest id of a cost centre' centre
formulas() { printf '%s\n' '10 BLOCK_MARKER cap_no=0 end=100' '20 CREATE_THREAD thread=1' '21 THREAD_LABEL thread=1 label="=cmd|calc!A1"' \
	'22 CREATE_THREAD thread=2' '23 THREAD_LABEL thread=2 label="a;-1+\"b"' '24 CREATE_THREAD thread=3' '25 THREAD_LABEL thread=3 label="\t@x,\"y"' |
	"$B/mklog" >"$tmp/formulas" && run 0 export csv --table threads "$tmp/formulas" && grep -q ',=cmd|calc!A1,' "$tmp/out" &&
	run 0 export csv --table threads --spreadsheet "$tmp/formulas" && grep -q ",\"'=cmd|calc!A1\"," "$tmp/out" &&
	grep -q ',"a;-1+""b",' "$tmp/out" && grep -q ",\"'	@x,\"\"y\"," "$tmp/out"; }
check 'formulas are text for spreadsheets' formulas
check '--spreadsheet is for csv' refuses export folded --spreadsheet $log
escapes() { "$EVTUI" export "$(printf 'x\033]0;y\007\233')" $log 2>"$tmp/err"; [ $? -eq 2 ] && ! LC_ALL=C grep -q "$(printf '[\033\007\233]')" "$tmp/err"; }
check 'no escape sequences in error lines' escapes
check 'not an option of show' refuses show --force $log
count
