#!/bin/sh
# A profile by closure type (-hT) in which the run-time system wrote a band twice: it is one band, the larger, everywhere.
# B: the build directory.
set -eu
: "${B:=build/cc}"
log="$B/band-twice.eventlog"
"$B/mklog" >"$log" <<'TEXT'
0 BLOCK_MARKER cap_no=65535
1000 PROGRAM_ARGS capset=0 args=["twice", "+RTS", "-l", "-hT"]
2000 HEAP_PROF_BEGIN profile=0 period=1000000 breakdown=7 module="" closure="" type="" cost_centre="" ccs="" retainer="" biography=""
1000000 HEAP_PROF_SAMPLE_BEGIN sample=0
1000000 HEAP_PROF_SAMPLE_STRING profile=0 bytes=700 label="MUT_VAR"
1000000 HEAP_PROF_SAMPLE_STRING profile=0 bytes=300 label="THUNK"
1000000 HEAP_PROF_SAMPLE_STRING profile=0 bytes=1000 label="MUT_VAR"
1000200 HEAP_PROF_SAMPLE_END sample=0
2000000 HEAP_PROF_SAMPLE_BEGIN sample=0
2000000 HEAP_PROF_SAMPLE_STRING profile=0 bytes=2000 label="MUT_VAR"
2000000 HEAP_PROF_SAMPLE_STRING profile=0 bytes=400 label="MUT_VAR"
2000200 HEAP_PROF_SAMPLE_END sample=0
TEXT
evtui="$B/evtui"
[ "$("$evtui" export csv --table census "$log" | cut -d, -f2-5 | tail -n +2 | tr '\n' ' ')" = \
	'1,1000000,MUT_VAR,1000 1,1000000,THUNK,300 2,2000000,MUT_VAR,2000 ' ]
[ "$("$evtui" export csv --table bands "$log" | cut -d, -f2-4 | tail -n +2 | tr '\n' ' ')" = '1,MUT_VAR,3000 2,THUNK,300 ' ]
[ "$("$evtui" export hp "$log" | grep MUT_VAR | tr '\t\n' '  ')" = 'MUT_VAR 1000 MUT_VAR 2000 ' ]
[ "$("$evtui" query --csv "SELECT count(*), sum(bytes) FROM census" "$log" | tail -1)" = 3,3300 ]
"$evtui" stats --json "$log" | grep -q '"name":"MUT_VAR","peak_bytes":2000,"mean_bytes":1500'
