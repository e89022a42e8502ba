#!/bin/sh
# Damaged logs hold what they held: almost nothing is lost, and nothing is invented. docs/robustness.md has the figures of
# 10,000 logs (DAMAGED=10000).
exec "${B:-build/cc}/damage" -n "${DAMAGED:-2000}" tests/logs/[0-9]*.eventlog
