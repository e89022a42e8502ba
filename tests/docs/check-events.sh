#!/bin/sh
# docs/events.md and tests/fuzz/reader.dict are what src/format/events.def says today; else: make docs.
# B: the build directory.
set -eu
B=${B:-build/cc}
"$B/mkdocs" events | diff -u docs/events.md -
"$B/mkdocs" dict | diff -u tests/fuzz/reader.dict -
