#!/bin/sh
# docs/keys.md is what the tables of keys and commands say; else: make docs. B: the build directory.
set -eu
"${B:-build/cc}/mkkeys" | diff -u docs/keys.md -
