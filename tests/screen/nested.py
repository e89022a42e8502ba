#!/usr/bin/env python3
"""Write nested.eventlog: blocks of capability 1 inside blocks of capability 0, as ghc-events reads them.

Usage: nested.py >nested.eventlog
"""
import struct
import sys

MS = 1_000_000
TYPES = {0: (4, b"Create thread"), 1: (4, b"Run thread"), 2: (10, b"Stop thread"), 18: (14, b"Block marker")}


def event(tag, t, payload):
    return struct.pack(">HQ", tag, t) + payload


def run(thread, start, end):
    return (event(1, start * MS, struct.pack(">I", thread))
            + event(2, end * MS, struct.pack(">IHI", thread, 5, 0)))


def block(cap, start, end, *events):
    body = b"".join(events)
    return event(18, start * MS, struct.pack(">IQH", 24 + len(body), end * MS, cap)) + body


def number(tag, t, n):
    return event(tag, t * MS, struct.pack(">I", n))


header = b"hdrbhetb"
for tag, (size, text) in TYPES.items():
    header += b"etb\0" + struct.pack(">HHI", tag, size, len(text)) + text + struct.pack(">I", 0) + b"ete\0"
# Of 100 ms capability 0 runs for 20 + 3 and capability 1 for 40 + 2, in blocks inside those of capability 0. The 10 ms after
# the first of these are on no capability.
outer = block(0, 0, 90, number(0, 1, 1), number(0, 1, 2), run(1, 10, 30), block(1, 30, 75, run(2, 35, 75)), run(1, 80, 90))
after = block(0, 90, 100, run(1, 92, 95), block(1, 95, 98, run(2, 96, 98)), number(0, 100, 3))
sys.stdout.buffer.write(header + b"hetehdredatb" + outer + after + b"\xff\xff")
