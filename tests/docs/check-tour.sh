#!/bin/sh
# Take the tour (docs/tour.md) in a terminal: start the logs, type the keys after each "Type", and find the indented lines on
# the screen; then run the commands of its last section. B: the build directory, EVTUI: the program.
cd "$(dirname "$0")/../.." || exit 2
: "${B:=build/cc}"
EVTUI=$(realpath "${EVTUI:-$B/evtui}")
export EVTUI
dir=$(mktemp -d "${TMPDIR:-/tmp}/tour.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
ln -s "$PWD/assets" "$dir/assets"

awk '
	BEGIN { print "size 36 120" }
	/^## / { batch = /Without a screen/ }
	batch && /^    \.\/evtui / { print substr($0, 5) >commands; next }
	/^    \.\/evtui / { if (running) print "keys Q\nexit 0"; running = 1; sub(/^ *\.\/evtui /, ""); print "run " $0; next }
	/^    / { sub(/^    /, ""); print "expect " $0; next }
	/^(.*\. )?Type `/ {
		# A sentence may have two: "Type `keys` for this, and `keys` for that."
		sub(/^.*Type `/, "`")
		n = split($0, part, "`")
		print "keys " part[2]
		if (n > 4 && part[3] ~ /, and $/) print "keys " part[4]
	}
	END { print "keys Q\nexit 0" }
' commands="$dir/commands" docs/tour.md >"$dir/tour.keys"

failed=0
"$B/pty" "$dir/tour.keys" >/dev/null || failed=$((failed + 1))
passed=$(grep -c '^expect' "$dir/tour.keys")
[ "$failed" -eq 0 ] || passed=0
while read -r command; do
	if (cd "$dir" && eval "exec $EVTUI ${command#./evtui}") >"$dir/out" 2>&1 </dev/null; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $command"
		cat "$dir/out"
	fi
done <"$dir/commands"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
