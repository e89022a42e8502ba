#!/bin/sh
# docs/metrics.md is what the tables of figures say today; else: make docs. B: the build directory.
set -eu
"${B:-build/cc}/mkmetrics" | diff -u docs/metrics.md -
