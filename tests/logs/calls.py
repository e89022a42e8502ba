#!/usr/bin/env python3
"""Write calls.eventlog: call stacks as ghc-stack-profiler writes them into a log, and nothing else.

Usage: calls.py >calls.eventlog
"""
import struct
import sys

TEXTS = ["main", "serve", "query", "render", "src/Server.hs", "src/Db.hs"]
PLACES = [(31, 5, 4), (12, 3, 5)]  # line, column, file
IPES = {0x4010: ("parse_info", "parse", "Http.Parse", "src/Http/Parse.hs:20:1-44")}
STACKS = [[("text", 0), ("placed", 1, 0), ("placed", 2, 1)], [("text", 0), ("placed", 1, 0), ("address", 0x4010)],
          [("text", 0), ("text", 3)], [("text", 0), ("placed", 1, 0), ("address", 0x9999)]]
TYPES = {18: (14, b"Block marker"), 169: (0xFFFF, b"Info table"), 181: (0xFFFF, b"User binary message")}


def event(tag, t, payload):
    head = struct.pack(">HQ", tag, t)
    return head + (struct.pack(">H", len(payload)) if TYPES[tag][0] == 0xFFFF else b"") + payload


def entry(what):
    kind = {"address": 1, "text": 2, "placed": 3}[what[0]]
    return bytes([kind]) + b"".join(struct.pack(">Q", n) for n in what[1:])


def stack(tag, cap, entries):
    return struct.pack(">HIIH", tag, cap, 7, len(entries)) + b"".join(entry(e) for e in entries)


def body():
    out = b""
    for n, s in enumerate(TEXTS):
        out += event(181, 1000, struct.pack(">HQH", 0xFFCC, n, len(s)) + s.encode())
    for n, (line, column, file) in enumerate(PLACES):
        out += event(181, 1000, struct.pack(">HQIIQ", 0xFFCD, n, line, column, file))
    for n, (table, label, module, place) in IPES.items():
        out += event(169, 1000, struct.pack(">Q", n) + b"\0".join(
            s.encode() for s in (table, "16", "Request", label, module, place)) + b"\0")
    for i in range(240):
        t, which = 1_000_000 * (i + 1), STACKS[0 if i < 90 else i * 7 % 11 % 4]
        if i % 40 == 0:  # in two parts
            out += event(181, t, stack(0xFFCB, i % 2, which[:1]))
            which = which[1:]
        out += event(181, t, stack(0xFFCA, i % 2, which))
    return out


header = b"hdrbhetb"
for tag, (size, text) in TYPES.items():
    header += b"etb\0" + struct.pack(">HHI", tag, size, len(text)) + text + struct.pack(">I", 0) + b"ete\0"
events = body()
marker = event(18, 0, struct.pack(">IQH", 24 + len(events), 250_000_000, 0))
sys.stdout.buffer.write(header + b"hetehdredatb" + marker + events + b"\xff\xff")
