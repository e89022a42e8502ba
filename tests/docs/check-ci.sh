#!/bin/sh
# Run each shell block of docs/ci.md in a separate folder, in order, with a fake cabal and a fake stack that leave a log
# where the RTS flags say. B: the build directory.
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
B=$root/${B:-build/cc}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/pool" "$tmp/project" && "$B/warp" tests/logs/9.0.2-gcstorm-seqgc.eventlog 1 0 60 "$tmp/pool" || exit 1
ln -s "$root/evtui" "$tmp/bin/evtui"

# The program that a benchmark would be: it understands -l and -ol, in GHCRTS or among the arguments.
cat >"$tmp/bin/cabal" <<'END'
#!/bin/sh
set -eu
flags="${GHCRTS:-} $*"
log=$(printf '%s\n' "$flags" | sed -n 's/.*-ol\([^ ]*\).*/\1/p')
case " $flags " in *" -l "*) ;; *) echo "no -l: $flags" >&2; exit 1 ;; esac
[ "$log" ] || { echo "no -ol: $flags" >&2; exit 1; }
n=$(cat "$POOL/n" 2>/dev/null || echo 0)
echo $((n + 1)) >"$POOL/n"
cp "$POOL/run$((n % 60)).eventlog" "$log"
END
chmod +x "$tmp/bin/cabal"
cp "$tmp/bin/cabal" "$tmp/bin/stack"
POOL=$tmp/pool
PATH=$tmp/bin:$PATH
export POOL PATH

cd "$tmp/project" || exit 2
mkdir -p base nightly assets
cp -r "$root/assets/ci" assets/
for i in 0 1 2 3 4 5 6 7 8 9; do
	cp "$POOL/run$i.eventlog" base/ && cp "$POOL/run$i.eventlog" "nightly/$i.eventlog" && cp "$POOL/run1$i.eventlog" "nightly/1$i.eventlog"
done
git init -q . && git add -A && git -c user.name=x -c user.email=x@example.org commit -qm one &&
	git -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m two || exit 1

passed=0
failed=0
awk -v to="$tmp/block" '/^```sh$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > (to n ".sh") } END { print n + 0 }' "$root/docs/ci.md" >"$tmp/n"
n=$(cat "$tmp/n")
i=0
while [ "$i" -lt "$n" ]; do
	i=$((i + 1))
	if sh -eu "$tmp/block$i.sh" >"$tmp/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "block $i of docs/ci.md:"
		cat "$tmp/block$i.sh" "$tmp/said"
	fi
done
for file in check.xml comment.md compare.xml eventlogs/comment.md eventlogs/junit.xml head/run10.eventlog eventlogs/base/run6.eventlog; do
	if [ -s "$file" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "no $file"; fi
done
# The gate of the script: a figure that does not exist, a command that fails.
if FAIL_IF_WORSE=gc.nn assets/ci/bench.sh HEAD~1 6 cabal bench >/dev/null 2>&1; then failed=$((failed + 1)); echo 'a misspelt figure passes'; else passed=$((passed + 1)); fi
if assets/ci/bench.sh HEAD~1 6 false >/dev/null 2>&1; then failed=$((failed + 1)); echo 'a benchmark that fails passes'; else passed=$((passed + 1)); fi
# The workflows are YAML, where there is a reader.
if command -v python3 >/dev/null && python3 -c 'import yaml' 2>/dev/null; then
	if python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$root/assets/ci/action.yml"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$n" -ge 8 ]
