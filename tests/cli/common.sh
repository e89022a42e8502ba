# common.sh - what the tests of the command line share; EVTUI: the program. Sourced by check-*.sh.
cd "$(dirname "$0")/../.." || exit 2
EVTUI=${EVTUI:-./evtui}
logs=tests/logs
log=$logs/9.10.3-conczoo-thr-N2.eventlog
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

passed=0
failed=0

# check WHAT COMMAND…: the command succeeds
# unpacks gzip|zstd: was evtui built with this codec?
unpacks() {
	case $1 in
	gzip) printf '\037\213' ;;
	zstd) printf '\050\265\057\375' ;;
	esac >"$tmp/magic"
	! "$EVTUI" show "$tmp/magic" 2>&1 | grep -q "it is compressed with $1"
}
check() {
	what=$1
	shift
	if "$@" >"$tmp/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not so: $what"
		head -n 20 "$tmp/said"
	fi
}

run() { # run STATUS ARGS…: evtui leaves with STATUS; what it says is in $tmp/out and $tmp/err
	status=$1
	shift
	"$EVTUI" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	[ $got -eq "$status" ] || { echo "status $got"; cat "$tmp/err"; return 1; }
}
refuses() { # one line that points to --help
	run 2 "$@" && [ ! -s "$tmp/out" ] && [ "$(grep -c '^evtui: .*--help' "$tmp/err")" -eq 1 ] &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ]
}
complains() { run 1 "$@" && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^evtui: ' "$tmp/err"; }

count() { # the last word of a check
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
