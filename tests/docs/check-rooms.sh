#!/bin/sh
# The rooms of docs/rooms.txt hold: each file is in a room, an include points to its own room or to a lower one, no room
# has more than 45 files, each header (or source without one) names itself in its first comment, and the map in
# docs/design.md is up to date.
cd "$(dirname "$0")/../.." || exit 2
passed=0
failed=0
check() { # check WHAT COMMAND…: the command succeeds
	what=$1
	shift
	if out=$("$@" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'not so: %s\n%s\n' "$what" "$out"
	fi
}

rooms() { sed '/^#/d; s/[[:blank:]].*//' docs/rooms.txt; }

points_down() {
	rooms >"${TMPDIR:-/tmp}/rooms.$$"
	find src ui -name '*.[ch]' -o -name '*.def' | sort | xargs grep -n '^ *# *include *"' /dev/null | awk -v rooms="${TMPDIR:-/tmp}/rooms.$$" '
		BEGIN { while ((getline r < rooms) > 0) floor[r] = ++n }
		{
			split($0, at, ":"); file = at[1]; room = file; sub(/\/[^\/]*$/, "", room)
			match($0, /"[^"]*"/); path = substr($0, RSTART + 1, RLENGTH - 2)
			if (file == "ui/main.c" || path == "evl.h") next   # above all; below all
			to = path; if (!sub(/\/[^\/]*$/, "", to)) to = "?"
			to = ("src/" to) in floor ? "src/" to : "ui/" to
			if (!(to in floor)) { print at[1] ":" at[2] ": no room has " path; bad = 1 }
			else if (floor[to] > floor[room]) { print at[1] ":" at[2] ": " room " includes " to ", a higher floor"; bad = 1 }
		}
		END { exit bad }'
	status=$?
	rm -f "${TMPDIR:-/tmp}/rooms.$$"
	return $status
}

all_in_rooms() {
	find src ui -type f ! -name README.md ! -path src/evl.h ! -path ui/main.c | sed 's,/[^/]*$,,' | sort -u >"${TMPDIR:-/tmp}/dirs.$$"
	rooms | sort | comm -13 - "${TMPDIR:-/tmp}/dirs.$$" >"${TMPDIR:-/tmp}/stray.$$"
	cat "${TMPDIR:-/tmp}/stray.$$"
	[ ! -s "${TMPDIR:-/tmp}/stray.$$" ]
	status=$?
	rm -f "${TMPDIR:-/tmp}/dirs.$$" "${TMPDIR:-/tmp}/stray.$$"
	return $status
}

small_rooms() {
	for room in $(rooms); do
		n=$(find "$room" -maxdepth 1 -type f | wc -l)
		[ "$n" -le 45 ] || { echo "$room has $n files"; return 1; }
	done
}

headers_say_their_name() { # the header of a source speaks for it
	find src ui -name '*.[ch]' | while read -r file; do
		[ "${file%.c}" = "$file" ] || [ ! -e "${file%.c}.h" ] || continue
		echo "$file"
	done | xargs awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name); if (index($0, "/* " name " - ") != 1) {
		print FILENAME ": its first line is not \"/* " name " - …\""; bad = 1 } } END { exit bad }'
}

tests_mirror_rooms() {
	bad=0
	for dir in $(find tests/unit -name 'test_*.c' | sed 's,^tests/unit/,,; s,/[^/]*$,,' | sort -u); do
		rooms | grep -qxE "(src|ui)/$dir" || { echo "tests/unit/$dir is no room"; bad=1; }
	done
	return $bad
}

# In a clone: a file that a tool or a trial left there was not committed.
top_is_plain() {
	git ls-files 2>/dev/null | sed 's,/.*,,' | sort -u |
		awk '!/^([.].*|CHANGELOG[.]md|LICENSE|Makefile|README[.]md|assets|docs|src|tests|ui)$/ { print; bad = 1 } END { exit bad }'
}

check 'the top level has only what belongs there' top_is_plain
check 'each include points down' points_down
check 'each file is in a room' all_in_rooms
check 'no room has more than 45 files' small_rooms
check 'each header, and each source without one, names itself in its first line' headers_say_their_name
check 'unit tests mirror the rooms' tests_mirror_rooms
check 'docs/design.md has the map of today (make codemap)' tests/tools/codemap --check
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
