#!/bin/sh
# The keys and options of the manual page are those of the tables; else: make docs. B: the build directory.
set -eu
"${B:-build/cc}/mkman" docs/evtui.1 | diff -u docs/evtui.1 -
