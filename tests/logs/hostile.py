#!/usr/bin/env python3
"""Write hostile.eventlog: a well-formed log in which every string is an attack on the terminal that shows it.

Each string carries the word TELLTALE, so that a test can look for what came through.
Usage: hostile.py >hostile.eventlog
"""
import struct
import sys

EVIL = [
    b"\x1b]0;TELLTALE\x07",                            # set the title
    b"\x1b[2J\x1b[HTELLTALE",                          # clear the screen
    b"\x1b[6nTELLTALE\x1b[c\x1b[5n",                   # make the terminal type answers
    b"\x1b]52;c;VEVMTFRBTEU=\x07TELLTALE",             # write the clipboard
    b"\x1b]8;;http://TELLTALE/\x1b\\link\x1b]8;;\x1b\\",   # hyperlink
    b"\x1bP1;1|TELLTALE\x1b\\\x1b_TELLTALE\x1b\\",     # DCS, APC
    b"\x9b31mTELLTALE\x9d0;x\x9c",                     # C1 as bytes
    b"\xc2\x9b31mTELLTALE\xc2\x9d0;x\xc2\x9c",         # C1 in UTF-8
    b"\rTELLTALE\x08\x08\x08\ttab\nline\x0b\x0c",      # cursor moves
    b"\x0e\x0fTELLTALE\x7f\x00\x01\x02",               # charset shifts, DEL, NUL
    "\u202eTELLTALE\u2066\u2069\u200f\u061c".encode(),  # bidi overrides
    "T\u200bE\u200cL\u200dL\u2060TALE\ufeff\u00ad\u034f".encode(),  # no width
    "TELLTALE".encode() + "\u0301\u0323\u0330".encode() * 40,  # a tower of marks
    "\U000e0001\U000e0054TELLTALE\ufe0f\U000f0000\ue000".encode(),  # tags, selectors, private use
    "漢字TELLTALE🚀👨\u200d👩\u200d👧🇫🇷".encode(),       # wide, joined, flags
    "שלום TELLTALE مرحبا".encode(),                      # right to left
    b"\xff\xfeTELLTALE\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xf0\x9f\x9a",  # no UTF-8
    b"%s%n%x %1000000dTELLTALE \\x1b[31m $(reboot) `reboot` ; rm -rf",  # formats, shells
    b"<b>&amp;\"'TELLTALE\"},{\"a\":[",                # markup, JSON
    b"",
    b"TELLTALE " + b"long " * 1000,
]

FIXED = {0: (4, b"Create thread"), 1: (4, b"Run thread"), 2: (10, b"Stop thread"), 9: (0, b"Starting GC"),
         10: (0, b"Finished GC"), 18: (14, b"Block marker"), 25: (6, b"Create capability set"),
         27: (6, b"Add capability to capability set"), 43: (16, b"Wall clock time"), 45: (2, b"Create capability"),
         162: (8, b"Start of heap profile sample"), 165: (8, b"End of heap profile sample"),
         168: (8, b"Start of a time profile")}
VARIABLE = {16: b"Log message", 19: b"User message", 29: b"RTS name and version", 30: b"Program arguments",
            31: b"Program environment variables", 44: b"Thread label", 58: b"User marker", 160: b"Start of heap profile",
            161: b"Cost-centre definition", 163: b"Heap profile cost-centre sample", 164: b"Heap profile string sample",
            167: b"Time profile cost-centre stack", 169: b"An IPE entry", 181: b"User binary message",
            9000: b"\x1b]0;TELLTALE\x07 an event of tomorrow"}
NO_CAP = 0xFFFF


def header():
    out = b"hdrbhetb"
    for tag, (size, text) in sorted({**FIXED, **{t: (-1, d) for t, d in VARIABLE.items()}}.items()):
        out += b"etb\0" + struct.pack(">HhI", tag, size, len(text)) + text + struct.pack(">I", 0) + b"ete\0"
    return out + b"hetehdre" + b"datb"


def event(time, tag, payload=b""):
    length = struct.pack(">H", len(payload)) if tag in VARIABLE else b""
    return struct.pack(">HQ", tag, time) + length + payload


def block(cap, start, end, body):
    return event(start, 18, struct.pack(">IQH", 24 + len(body), end, cap)) + body


def z(text):
    """A string that ends with a NUL, so it has none inside."""
    return text.replace(b"\0", b"?") + b"\0"


def definitions():
    one = struct.pack(">I", 1)
    args = b"\0".join(z(e)[:-1] for e in EVIL[:6])
    out = event(100, 45, struct.pack(">H", 0)) + event(110, 25, struct.pack(">IH", 1, 2))
    out += event(120, 27, struct.pack(">IH", 1, 0)) + event(130, 43, struct.pack(">IQI", 1, 1700000000, 0))
    out += event(140, 29, one + b"GHC-9.10.3 rts_thr " + EVIL[0]) + event(150, 30, one + b"prog\0" + args)
    out += event(160, 31, one + b"HOME=" + EVIL[1] + b"\0" + EVIL[3])
    for i, text in enumerate(EVIL):
        s = z(text[:2000])
        out += event(200 + i, 161, struct.pack(">I", i + 1) + s + s + s + b"\0")
        out += event(300 + i, 169, struct.pack(">Q", 4096 + 16 * i) + s + b"21\0" + s + s + s + s)
    out += event(400, 160, struct.pack(">BQI", 0, 1000000, 1) + z(EVIL[0]) + z(EVIL[1]) + b"\0" * 5)
    return out + event(410, 168, struct.pack(">Q", 1000000))


def samples():
    out = b""
    for k in range(3):
        t = 20000 + 30000 * k
        out += event(t, 162, struct.pack(">Q", k))
        for i, text in enumerate(EVIL):
            out += event(t, 164, struct.pack(">BQ", 0, (i + 1) * 1000 * (k + 1)) + z(text[:2000]))
        out += event(t, 163, struct.pack(">BQBII", 0, 5000, 2, 1, 2)) + event(t, 165, struct.pack(">Q", k))
        for i in range(len(EVIL)):
            out += event(t + 10 + i, 167, struct.pack(">IQBII", 0, k, 2, i + 1, 1))
    return out


def threads():
    out = b""
    for i, text in enumerate(EVIL):
        t = 1000 + 5000 * i
        thread = struct.pack(">I", i + 1)
        out += event(t, 0, thread) + event(t + 10, 44, thread + text) + event(t + 20, 1, thread)
        for k, tag in enumerate((19, 58, 181, 16, 9000)):
            out += event(t + 100 * (k + 1), tag, text)
        out += event(t + 700, 19, b"START " + text) + event(t + 900, 19, b"STOP " + text)
        out += event(t + 1000, 2, thread + struct.pack(">HI", 5, 0))
        out += event(t + 1100, 9) + event(t + 1500, 10)
    return out


def main():
    end = 1000 + 5000 * len(EVIL) + 2000
    log = header() + block(NO_CAP, 100, 500, definitions()) + block(0, 500, end, threads())
    log += block(NO_CAP, 20000, end, samples()) + b"\xff\xff"
    sys.stdout.buffer.write(log)


main()
