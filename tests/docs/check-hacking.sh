#!/bin/sh
# The recipes of docs/HACKING.md work: apply its code blocks to a copy of the tree, build it, and see each addition in use.
# B: build directory; its objects are reused, so that only what the additions change is compiled.
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/cc}
case $B in
*-address* | *-thread* | *-undefined* | *-coverage*) echo "skipped: builds the program once more"; exit 0 ;;
esac
compiler=$(basename "$B")
command -v "$compiler" >/dev/null || { echo "skipped: $B is not named after a compiler"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
passed=0
failed=0
check() { # check WHAT PATTERN FILE: the pattern is in the file
	if grep -q -- "$2" "$3"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'not so: %s: no "%s" in:\n' "$1" "$2"
		head -n 30 "$3"
	fi
}

# Copy with times, so that make sees what is new.
(git ls-files src ui docs/rooms.txt Makefile tests/tools 2>/dev/null || find src ui docs/rooms.txt Makefile tests/tools -type f) |
	tar -cf - -T - | tar -xf - -C "$tmp"
for dir in src ui tests/tools rooms; do
	[ ! -d "$B/$dir" ] || { mkdir -p "$tmp/$B/$dir" && cp -a "$B/$dir/." "$tmp/$B/$dir"; }
done

# "Add to `FILE`:", "… after `TEXT`:", "… before `TEXT`:" or "Create `FILE`:", then a block of code.
awk -v root="$tmp/" '
	function apply(   line, all, done) {
		if (how == "create") { printf "%s", block >(root file); close(root file); return }
		while ((getline line <(root file)) > 0) {
			if (how == "before" && !done && index(line, text)) { all = all block; done = 1 }
			all = all line "\n"
			if (how == "after" && !done && index(line, text)) { all = all block; done = 1 }
		}
		close(root file)
		if (how == "end") { all = all block; done = 1 }
		if (!done || all == block) { print "docs/HACKING.md: " file " has no line with " text; failed = 1 }
		printf "%s", all >(root file)
		close(root file)
	}
	BEGIN { tick = sprintf("%c", 96) }
	/^(Add to|Create) `/ {
		split($0, part, tick)
		file = part[2]; text = part[4]
		how = /^Create/ ? "create" : part[3] ~ /after/ ? "after" : part[3] ~ /before/ ? "before" : "end"
		next
	}
	/^```/ && inside { inside = 0; apply(); file = ""; applied++; next }
	/^```/ && file { inside = 1; block = ""; next }
	inside { block = block $0 "\n" }
	END { if (applied < 8) { print "docs/HACKING.md: only " applied + 0 " blocks to apply"; failed = 1 } exit failed }' docs/HACKING.md || exit 1

# A row of these tables adds a name and changes no struct, so only the sources that expand them are compiled again.
for def in format/events.def lanes/lane.def export/export.def; do
	for top in src ui; do [ ! -e "$top/$def" ] || touch -r "$top/$def" "$tmp/$top/$def"; done
	touch $(grep -l "#include \"$def\"" "$tmp"/src/*/*.[ch] "$tmp"/ui/*/*.[ch] | sed -n 's/\.[ch]$/.c/p' | xargs ls 2>/dev/null)
done

cd "$tmp" || exit 2
! command -v ccache >/dev/null || export CCACHE_BASEDIR="$tmp"
make -s CC="$compiler" CFLAGS=-O0 HARDEN= "$B/evtui" "$B/mklog" >"$tmp/make.out" 2>&1 || { head -n 30 "$tmp/make.out"; exit 1; }
cd "$OLDPWD" || exit 2
evtui=$tmp/$B/evtui
log=tests/logs/9.10.3-messages.eventlog

printf '%s\n' '0 BLOCK_MARKER cap_no=0' '1000 TOY_LOOP count=3 label="parse"' | "$tmp/$B/mklog" >"$tmp/toy.eventlog"
"$evtui" show "$tmp/toy.eventlog" >"$tmp/show"
check 'the event as text' 'toy loop parse: 3 rounds' "$tmp/show"
"$evtui" show --json "$tmp/toy.eventlog" >"$tmp/json"
check 'the event as JSON' '"name":"TOY_LOOP".*"count":3,"label":"parse"' "$tmp/json"

"$evtui" stats --json "$log" >"$tmp/stats"
check 'the metric in JSON' '"toy":[0-9]' "$tmp/stats"
check 'the finding in JSON' '"id":"toy"' "$tmp/stats"
"$evtui" stats "$log" >"$tmp/page"
check 'the finding on the page' '[0-9] threads were created' "$tmp/page"
"$evtui" check --fail-if 'threads.toy>=0' "$log" >"$tmp/check" 2>&1
check 'the metric as a bound' 'threads.toy' "$tmp/check"

"$evtui" export toy "$log" >"$tmp/export"
check 'the export' '^toy capability 0$' "$tmp/export"

printf '%s\n' 'size 50 160' "run $log" 'expect toylane' 'screen lane' 'keys q' 'exit 0' >"$tmp/toy.keys"
EVTUI=$evtui "$B/pty" "$tmp/toy.keys" >"$tmp/screen" 2>&1
check 'the lane' 'toylane.*●' "$tmp/screen"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
