#!/bin/sh
# The gate as programs: `evtui check` with files, baselines and reports, `evtui compare`, `evtui diff --fail-if-worse`. B: the build
# directory.
. "$(dirname "$0")/common.sh"

B=${B:-build/cc}
spans=$logs/9.0.2-mixer-N2.eventlog
base=$tmp/base
much=$tmp/much
mkdir "$base" "$much"
"$B/warp" $logs/9.0.2-gcstorm-seqgc.eventlog 1 0 10 "$base" && "$B/warp" $logs/9.0.2-gcstorm-seqgc.eventlog 1.2 20 30 "$much" || exit 1

gate() { # gate STATUS ARGS…: evtui check leaves with STATUS; on 2 with one line
	want=$1
	shift
	run "$want" check "$@" && { [ "$want" -ne 2 ] || [ "$(grep -c '^evtui: ' "$tmp/err")" -eq 1 ]; }
}
names() { # names NAME ARGS…: status 2, and the line holds NAME
	name=$1
	shift
	gate 2 "$@" && grep -qF "$name" "$tmp/err"
}

# --- check: what is not known ---
check 'a misspelt metric' names 'nearest: gc.pause.p99' --fail-if 'gc.pausee.p99>1ms' $spans
check 'a misspelt span' names 'nearest: spans.build.p99' --fail-if 'spans.bulid.p99>1ms' $spans
check 'a misspelt field' names 'spans.build.p90' --fail-if 'spans.build.p98>1ms' $spans
check 'a misspelt label' names 'nearest: threads.label.sender.run' --fail-if 'threads.label.snder.run>1h' $spans
check 'a band that is not there' names 'recorded by +RTS -hT' --fail-if 'heap.band.Map.peak>1' $spans
check 'a phase that is not there' names 'phase.' --fail-if 'phase.none.gc_n>1' $spans
check 'a centre that is not there' names 'nearest: prof.centre.Main.rle.self' --fail-if 'prof.centre.Main.lre.self>1%' \
	$logs/9.6.6-profmix-p.eventlog
for bound in 'gc.pause.p99>1ms' 'mmu.1s<1%' 'threads.latency.p99>1ms'; do
	check "none in a short range: $bound" names "${bound%[<>]*} is unknown: none in this range" --fail-if "$bound" --from 50% --to 50.0001% assets/bazaar.eventlog
done
check 'none in the whole log' names 'mmu.1s is unknown in this log' --fail-if 'mmu.1s<1%' $spans
check 'sparks that this RTS does not count' names 'sparks.run is unknown: none in this log (the threaded RTS counts them)' \
	--fail-if 'sparks.run<1' $logs/9.0.2-conczoo-st.eventlog
check 'also beside bounds that hold or are broken' gate 2 --fail-if 'gc.pausee.p99>1ms' --fail-if 'gc.n>0' --fail-if 'gc.n<0' $spans
check '--allow-unknown' gate 0 --allow-unknown --fail-if 'gc.pausee.p99>1ms' --fail-if 'spans.bulid.p99>1ms' $spans
check '--allow-unknown: a broken bound' gate 1 --allow-unknown --fail-if 'gc.pausee.p99>1ms' --fail-if 'gc.n>0' $spans
misspelt() { # each figure of this log without its first, a middle or its last letter never passes
	"$EVTUI" --list-metrics | awk '{ known[$1]; n = length($1); bad[substr($1, 2)]; bad[substr($1, 1, n - 1)]; bad[substr($1, 1, n - 3) substr($1, n - 1)] }
		END { for (name in bad) if (!(name in known)) print name "<0" }' >"$tmp/bounds"
	run 2 check --json --bounds "$tmp/bounds" --fail-if 'gc.n<0' $log
	grep -o '"bound":"[^"]*"\|"result":"[a-z]*"' "$tmp/out" | paste - - | grep -v '"unknown"' >"$tmp/passed"
	[ "$(grep -o '"result":"unknown"' "$tmp/out" | wc -l)" -eq "$(wc -l <"$tmp/bounds")" ] && [ "$(cat "$tmp/passed")" = '"bound":"gc.n<0"	"result":"holds"' ] ||
		{ head -n 20 "$tmp/passed"; return 1; }
}
check 'a misspelt metric never passes' misspelt

# --- check: named figures ---
check 'a waker and the path by label' gate 1 --fail-if 'wakers.mvar.(unknown).n>0' --fail-if 'path.label.bound-os-thread.total>1ms' --fail-if 'path.share.unknown>1%' $logs/9.10.3-conczoo-thr-N2.eventlog
check 'a span, a label, a phase' gate 1 --fail-if 'spans.build.n=30' --fail-if 'threads.label.sender.n=1' --fail-if 'phase.phase: idle.n>0' $spans
check 'bands and centres' gate 1 --fail-if 'prof.centre.MAIN.MAIN.inclusive=100%' $logs/9.6.6-profmix-p.eventlog
check 'bands' gate 0 --fail-if 'heap.band.ARR_WORDS.peak>1TB' --fail-if 'heap.band.ARR_WORDS.n<1' $logs/9.6.6-leaky-hT.eventlog
check 'operators in a name' names 'prof.centre.M.>>=.self is unknown' --fail-if 'prof.centre.M.>>=.self>=10%' $spans

# --- check: forms ---
json() { run 1 check --json --fail-if 'gc.n<1' --fail-if 'gc.pause.max>1ns' $spans &&
	grep -q '"bounds":\[{"bound":"gc.n<1","name":"gc.n","unit":"number","op":"<","value":17,"limit":1,"baseline":null,"result":"holds"' "$tmp/out" &&
	grep -q '"broken":1,"unknown":0}$' "$tmp/out"; }
check '--json' json
markdown() { run 1 check --markdown --fail-if 'gc.n<1' --fail-if 'gc.pause.max>1ns' $spans && [ "$(grep -c '^|' "$tmp/out")" -eq 4 ] &&
	grep -q '^| `gc.n` | 17 | < 1 | holds |$' "$tmp/out"; }
check '--markdown' markdown
check 'two forms' refuses check --json --markdown --fail-if 'gc.n<1' $spans

# A truncated log: its values may be bounds, in each form; not those of a range that it has all events of.
head -c 200000 assets/bazaar.eventlog >"$tmp/cut.eventlog"
bounds() { run 1 check "$@" --fail-if 'time.run>1s' "$tmp/cut.eventlog" && [ "$(grep -c 'complete until 0.000705 s' "$tmp/err")" -eq 1 ]; }
check 'bounds of a truncated log' bounds
check 'bounds as JSON' eval 'bounds --json && grep -q "\"complete_until_ns\":704585," "$tmp/out"'
check 'bounds in Markdown' eval 'bounds --markdown && grep -q "^The log is complete until 0.000705 s: " "$tmp/out"'
check 'bounds as JUnit' eval 'bounds --junit "$tmp/cut.xml" && grep -q "the log is complete until 0.000705 s: " "$tmp/cut.xml"'
exact() { run 1 check --json --to 0.0007 --fail-if 'gc.n<1' "$tmp/cut.eventlog" && [ ! -s "$tmp/err" ] && grep -q '"complete_until_ns":null,' "$tmp/out"; }
check 'a range before its end' exact

# The part of the JUnit schema that is common to Jenkins, GitLab and GitHub's reporters.
cat >"$tmp/junit.xsd" <<'END'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <xs:complexType name="problem"><xs:simpleContent><xs:extension base="xs:string">
  <xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
 <xs:element name="testsuites"><xs:complexType><xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
 <xs:element name="testsuite"><xs:complexType>
  <xs:sequence><xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
   <xs:choice minOccurs="0"><xs:element name="failure" type="problem"/><xs:element name="error" type="problem"/><xs:element name="skipped" type="problem"/></xs:choice>
   <xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="classname" type="xs:string" use="required"/>
   <xs:attribute name="time" type="xs:decimal"/></xs:complexType></xs:element></xs:sequence>
  <xs:attribute name="name" type="xs:string" use="required"/><xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/><xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="skipped" type="xs:nonNegativeInteger"/><xs:attribute name="time" type="xs:decimal"/></xs:complexType></xs:element>
</xs:schema>
END
valid() { # by the schema where there is a tool; and each count is that of the elements
	if command -v xmllint >/dev/null; then xmllint --noout --schema "$tmp/junit.xsd" "$1" || return 1; fi
	for kind in tests:testcase failures:failure errors:error skipped:skipped; do
		[ "$(sed -n "s/.* ${kind%:*}=\"\([0-9]*\)\".*/\1/p" "$1")" -eq "$(grep -c "<${kind#*:}" "$1")" ] || { echo "$kind"; return 1; }
	done
}
junit() { # junit STATUS FAILURES ERRORS ARGS…
	want=$1 failures=$2 errors=$3
	shift 3
	run "$want" check --junit "$tmp/junit.xml" "$@" && valid "$tmp/junit.xml" &&
		grep -q "failures=\"$failures\" errors=\"$errors\"" "$tmp/junit.xml"
}
check '--junit' junit 1 1 0 --fail-if 'gc.n<1' --fail-if 'gc.pause.max>1ns' $spans
check '--junit replaces its file' junit 0 0 0 --fail-if 'gc.n<1' $spans
check '--junit: unknown is an error' junit 2 0 1 --fail-if 'gc.n<1' --fail-if 'spans.<&">.p99>1ms' $spans
check '--junit: bytes that are no text' junit 2 0 1 --fail-if 'gc.n<1' --fail-if "$(printf 'spans.\001\377.p99>1ms')" $spans
no_file() { complains check --junit "$tmp/none.xml" --fail-if 'gc.n<1' "$tmp/none" && [ ! -e "$tmp/none.xml" ]; }
check '--junit leaves nothing where the log cannot be read' no_file

# --- check: files of bounds, baselines ---
printf '# a comment\n\ngc.n<1   # another\n  gc.pause.max > 1h\r\nspans.build #2.n>1h' >"$tmp/bounds"
check 'a bad value in a file is named with its line' names 'line 5' --bounds "$tmp/bounds" $spans
printf '# a comment\n\ngc.n<1   # another\n  gc.pause.max > 1h\r\n' >"$tmp/bounds"
check '--bounds' gate 0 --bounds "$tmp/bounds" $spans
check '--bounds and --fail-if' gate 1 --bounds "$tmp/bounds" --fail-if 'gc.n>0' $spans
printf '# nothing\n' >"$tmp/bounds"
check 'no bound in the file' names 'no conditions' --bounds "$tmp/bounds" $spans
check 'no file of bounds' complains check --bounds "$tmp/none" $spans
relative() { gate "$1" --baseline "$2" --fail-if "gc.pause.total>$3" "$4"; }
for place in "$base" "$base/*.eventlog" "$base/run3.eventlog"; do
	check "--baseline $(basename "$place"): broken" relative 1 "$place" 110% "$much/run25.eventlog"
	check "--baseline $(basename "$place"): holds" relative 0 "$place" 140% "$much/run25.eventlog"
	check "--baseline $(basename "$place"): itself" relative 0 "$place" 115% "$base/run3.eventlog"
done
check 'a percentage of a length takes a baseline' refuses check --fail-if 'gc.pause.p99>110%' $spans
check 'a baseline that lacks the metric' names 'unknown in the baseline' --baseline $logs/9.10.3-conczoo-nothing.eventlog \
	--fail-if 'gc.pause.total>110%' $spans
check 'no baseline' complains check --baseline "$tmp/none" --fail-if 'gc.n>110%' $spans
mkdir "$tmp/empty"
check 'an empty baseline' complains check --baseline "$tmp/empty" --fail-if 'gc.n>110%' $spans

# --- compare ---
worse() { run 0 compare --base "$base" --head "$much" && grep -q '^  ! gc.pause.total .* worse$' "$tmp/out" && grep -q '^ *base .* detectable  verdict$' "$tmp/out"; }
check 'compare' worse
better() { run 0 compare --base "$much/*.eventlog" --head "$base/*.eventlog" && grep -q '^  + gc.pause.total .* better$' "$tmp/out"; }
check 'the other way' better
same() { run 0 compare --json --base "$base" --head "$base" && grep -q '"worse":0,"better":0,' "$tmp/out"; }
check 'a set against itself' same
few() { run 0 compare --base "$base/run1.eventlog" --base "$base/run2.eventlog" --head "$much/run2[01].eventlog" && grep -q 'too few runs' "$tmp/out"; }
check 'few runs' few
figures() { run 0 compare --json --metrics 'gc.pause.*,heap.max_live' --metrics gc.n --base "$base" --head "$much" && grep -q '"family":9,' "$tmp/out"; }
check '--metrics' figures
main() { run 0 compare --json --metrics main --base "$base" --head "$much" && grep -q '"family":11,' "$tmp/out"; }
check '--metrics main' main
comment() { run 0 compare --markdown --base "$base" --head "$much" && grep -q '^| `gc.pause.total` | .* | \*\*worse\*\* |$' "$tmp/out"; }
check 'compare --markdown' comment
report() { run 0 compare --junit "$tmp/compare.xml" --base "$base" --head "$much" && valid "$tmp/compare.xml" && grep -q '<failure' "$tmp/compare.xml"; }
check 'compare --junit' report
skipped() { run 0 compare --junit "$tmp/compare.xml" --base "$base/run1.eventlog" --head "$much/run20.eventlog" && valid "$tmp/compare.xml"; }
check 'compare --junit of few runs' skipped
judged() { # judged STATUS METRIC BASE HEAD
	run "$1" compare --fail-if-worse "$2" --base "$3" --head "$4" && { [ "$1" -ne 2 ] || [ "$(wc -l <"$tmp/err")" -eq 1 ]; }
}
check '--fail-if-worse: worse' judged 1 gc.pause.total "$base" "$much"
check '--fail-if-worse: better' judged 0 gc.pause.total "$much" "$base"
check '--fail-if-worse: the same' judged 0 gc.n "$base" "$much"
check '--fail-if-worse: no figure' judged 2 gc.pausee.total "$base" "$much"
check '--fail-if-worse: not known' judged 2 spans.none.p99 "$base" "$much"
check '--fail-if-worse: too few runs' judged 2 gc.pause.total "$base/run1.eventlog" "$much/run20.eventlog"
check 'compare: a glob that nothing fits' complains compare --base "$base" --head "$tmp/none*"
check 'compare: no head' refuses compare --base "$base"
check 'compare: no operands' refuses compare
check 'compare: words' refuses compare --base "$base"/*.eventlog --head "$much"
printf 'no log' >"$tmp/broken.eventlog"
check 'compare: no log' complains compare --base "$base" --head "$tmp/broken.eventlog"
gzip -k "$much"/*.eventlog
packed() { mkdir "$tmp/packed" && mv "$much"/*.gz "$tmp/packed" && run 0 compare --json --base "$base" --head "$tmp/packed" &&
	cp "$tmp/out" "$tmp/a" && run 0 compare --json --base "$base" --head "$much" && cmp "$tmp/a" "$tmp/out"; }
! unpacks gzip || check 'compare: compressed logs' packed

# --- series ---
mkdir "$tmp/series"
for i in 0 1 2 3 4 5 6 7 8 9; do
	cp "$base/run$i.eventlog" "$tmp/series/$i.eventlog"
	cp "$much/run2$i.eventlog" "$tmp/series/1$i.eventlog"
done
changed() { run 0 compare --series "$tmp/series" && grep -q '^  ! gc.pause.total .* since .*/10.eventlog$' "$tmp/out"; }
check 'compare --series, in natural order' changed
as_json() { run 0 compare --json --series "$tmp/series/*.eventlog" && grep -q '"name":"gc.pause.total","unit":"time","step":10,' "$tmp/out"; }
check 'compare --series --json' as_json
as_table() { run 0 compare --markdown --series "$tmp/series" && grep -q '^| `gc.pause.total` | .* | worse |$' "$tmp/out"; }
check 'compare --series --markdown' as_table
judged_series() { run "$1" compare --fail-if-worse "$2" --series "$tmp/series"; }
check 'a series that became worse' judged_series 1 gc.pause.total
check 'a figure that did not' judged_series 0 gc.n
folders() { for i in 0 1 2 3 4 5; do
	mkdir -p "$tmp/commits/$i" "$tmp/commits/1$i" && cp "$base/run$i.eventlog" "$base/run$((i + 1)).eventlog" "$base/run$((i + 2)).eventlog" "$tmp/commits/$i" &&
		cp "$much/run2$i.eventlog" "$much/run2$((i + 1)).eventlog" "$much/run2$((i + 2)).eventlog" "$tmp/commits/1$i" || return 1
	done
	run 0 compare --series "$tmp/commits" && grep -q '^  ! gc.pause.total .* since .*/commits/10$' "$tmp/out"; }
check 'a folder per commit' folders

# --- diff ---
check 'diff --fail-if-worse' run 1 diff --fail-if-worse gc.pause.total "$base/run1.eventlog" "$much/run21.eventlog"
check 'diff --fail-if-worse: better' run 0 diff --fail-if-worse gc.pause.total "$much/run21.eventlog" "$base/run1.eventlog"
check 'diff --fail-if-worse: no figure' run 2 diff --fail-if-worse gc.pausee.total "$base/run1.eventlog" "$base/run2.eventlog"
by_name() { run 0 diff $spans $logs/9.0.2-mixer-N4-full.eventlog && grep -q '^threads by label' "$tmp/out" && grep -q ' sender$' "$tmp/out" &&
	run 0 diff --json $logs/9.0.2-leaky-hy.eventlog $logs/9.0.2-leaky-hd.eventlog && grep -q '"bands":\[{"name":' "$tmp/out"; }
check 'diff: labels and bands' by_name

# --- stats ---
listed() { run 0 stats --json $logs/9.6.6-leaky-hT.eventlog && grep -q '"bands":\[{"name":"[^"]*","peak_bytes":[0-9]*,"mean_bytes":[0-9]*,"slope":' "$tmp/out" &&
	run 0 stats --json $spans && grep -q '"by_label":\[{"name":"' "$tmp/out"; }
check 'stats --json lists bands and labels' listed
count
