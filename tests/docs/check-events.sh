#!/bin/sh
# docs/events.md and the dictionaries of tests/fuzz are what the tables say today; else: make docs.
# B: the build directory.
set -eu
B=${B:-build/cc}
"$B/mkdocs" events | diff -u docs/events.md -
"$B/mkdocs" dict | diff -u tests/fuzz/reader.dict -
for language in options command filter; do
	"$B/mkdict" $language | diff -u tests/fuzz/$language.dict -
done
