#!/bin/sh
# Run a benchmark of the base commit and of the working tree, alternating, and compare: bench.sh BASE RUNS COMMAND…
#
# COMMAND writes its eventlog where GHCRTS tells it to: the program is linked with -rtsopts, and with -eventlog before GHC 9.4.
# The logs are left in eventlogs/base and eventlogs/head, the report for a pull request in eventlogs/comment.md, the one for
# the CI system in eventlogs/junit.xml. FAIL_IF_WORSE: names of metrics, separated by blanks. METRICS: as for --metrics. EVTUI:
# the program. The status is that of evtui compare.
set -eu
base=$1
runs=$2
shift 2
: "${EVTUI:=evtui}" "${METRICS:=main}" "${FAIL_IF_WORSE:=}" "${RTS_FLAGS:=-l}"
out=$PWD/eventlogs
rm -rf "$out"
mkdir -p "$out/base" "$out/head"
git worktree add --detach "$out/tree" "$base" >/dev/null 2>&1
trap 'git worktree remove --force "$out/tree" >/dev/null 2>&1 || true' EXIT

# One after the other, so that a machine that becomes slower slows down both.
i=0
while [ "$i" -lt "$runs" ]; do
	i=$((i + 1))
	(cd "$out/tree" && GHCRTS="$RTS_FLAGS -ol$out/base/run$i.eventlog" "$@") >/dev/null
	GHCRTS="$RTS_FLAGS -ol$out/head/run$i.eventlog" "$@" >/dev/null
done

set -- --base "$out/base" --head "$out/head" --metrics "$METRICS"
for figure in $FAIL_IF_WORSE; do
	set -- "$@" --fail-if-worse "$figure"
done
status=0
"$EVTUI" compare --markdown --junit "$out/junit.xml" "$@" >"$out/comment.md" || status=$?
cat "$out/comment.md"
exit "$status"
