#!/bin/sh
# Damaged logs hold what they held: almost nothing is lost, and nothing is invented. docs/robustness.md has the figures.
exec "${B:-build/cc}/damage" -n "${DAMAGED:-10000}" tests/logs/[0-9]*.eventlog
