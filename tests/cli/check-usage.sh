#!/bin/sh
# Wrong usage: one line that says what is wrong, names the nearest command and points to its help; evtui help.
. "$(dirname "$0")/common.sh"

says() { # says STATUS TEXT ARGS…: one line with the text, and no output
	want=$1
	text=$2
	shift 2
	run "$want" "$@" && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$text" "$tmp/err"
}
check 'a misspelt command' says 2 'did you mean stats? (try evtui --help)' stat $log
check 'without a log' says 2 'neither a command nor a file: "exprot"; did you mean export?' exprot
check 'a file that is not there' says 1 'nowhere.eventlog: No such file' nowhere.eventlog
check 'a word that is no command' says 2 'not a command: "hotspots"' hotspots $log
check 'an option, nearly' says 2 'did you mean --json? (try evtui stats --help)' stats --jsn $log
check 'of another command' says 2 '--fail-if (try evtui stats --help)' stats --fail-if 'gc.n>1' $log
check 'an argument that is named as a command' says 2 'not an option: --bogus (try evtui --help)' --preset profile --bogus -- true
check 'no program' says 2 'no program given: evtui -- PROGRAM (try evtui --help)' --
check 'a preset, and no program' says 2 'no program given: evtui -- PROGRAM (try evtui --help)' --preset profile --
check 'no log' says 2 'no log given (- is standard input) (try evtui path --help)' path
check 'one log of two' says 2 'two logs are needed: evtui diff A B' diff $log
check 'three of two' says 2 'more than one log' diff $log $log $log
check 'no statement' says 2 'no statement given' query
check 'a statement alone' says 2 'no log given' query 'SELECT 1'
check 'no format' says 2 'csv' export
check 'a capability too many' says 1 'no capability 99 in this log (it has 2)' show --cap=99 $log
check 'no sample of a time profile' says 1 '-p' export folded $log
check 'no row of a time profile' says 1 'build with -prof, run with +RTS -p -l' export csv --table samples $log
file_of_none() { says 1 '+RTS -p' export csv --table centres -o "$tmp/samples.csv" $log && [ ! -e "$tmp/samples.csv" ]; }
check 'and no file of it' file_of_none
no_rows() { # no_rows TEXT ARGS…: the heading, and one line that says why
	text=$1
	shift
	run 0 export csv "$@" && [ "$(wc -l <"$tmp/out")" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$text" "$tmp/err"
}
check 'no row, not recorded' no_rows 'the table heap has no rows: not recorded (+RTS -lg)' --table heap $logs/9.10.3-conczoo-nothing.eventlog
check 'no row in the range' no_rows 'the table gc has no rows: none in this range' --table gc --to 100us $log
check 'no row of a damage' no_rows 'the table damage has no rows: none' --table damage $log
check 'past the end' says 2 'no events after --from: it ends at' stats --from 9000s $log
check 'past the end, exported' says 2 'no events after --from: it ends at' export csv --table gc --from 9000s $log
check 'past the end, checked' says 2 'no events after --from: it ends at' check --from 9000s --fail-if 'gc.n>1' $log
check 'before the start' says 2 'no events before --to: it starts at' stats --to 0s $log
check 'an empty name' says 2 'an argument is empty' stats ''
check 'an empty name to view' says 2 'an argument is empty' ''
check 'an empty name of two' says 2 'an argument is empty' diff $log ''
check 'an option of nothing' says 2 'the argument is empty: --output (try evtui export --help)' export csv --table gc -o '' $log
check 'a word alone' says 2 'neither a command nor a file: "hotspots"' hotspots
check 'no sample of a heap profile' says 1 '-hT' export hp $log
input() { "$EVTUI" stats <$log >"$tmp/out" 2>"$tmp/err"; [ $? -eq 2 ] && grep -q -- '- is standard input' "$tmp/err"; }
check 'stats < LOG' input
output() { (cd "$tmp" && "$evtui" export csv --table gc -o - "$top/$log" >gc.csv && [ ! -e ./- ] && grep -q '^index' gc.csv); }
top=$PWD
evtui=$(realpath "$EVTUI")
check '-o - is standard output' output
names() { run 0 diff --exe "$tmp/none" $log $log && [ "$(grep -c 'its names are not used' "$tmp/err")" -eq 2 ]; }
check 'diff takes names' names
bounds() { run 0 check --exe "$tmp/none" --fail-if 'gc.n>1000000' $log && grep -q 'its names are not used' "$tmp/err"; }
check 'check takes names' bounds

help() { # help WORD: the same text as its --help
	run 0 help "$@" && cp "$tmp/out" "$tmp/help" && run 0 "$@" --help && cmp "$tmp/help" "$tmp/out"
}
check 'evtui help' help
for command in stats show export check diff path query compare annotate doctor; do
	check "evtui help $command" help $command
done
check 'help of no command' says 2 'no help on "stast"; did you mean stats?' help stast
word() { run 0 help held && grep -q '^held by GC: ' "$tmp/out"; }
check 'help of a word' word
check 'help of two' says 2 'help takes one command or word' help stats show
count
