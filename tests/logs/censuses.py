#!/usr/bin/env python3
"""Write the text of logs with heap profiles that no compiler at hand writes, for mklog.

    ./censuses.py NAME | mklog >NAME.eventlog

eras         -he, by the layout of GHC 9.10: a phase of the program after the other, each with an era of its own
roots-comma  sets of roots, as the later of two unreleased patches writes them: joined by commas, what none reaches too
roots-dash   the same as the earlier one does: joined by dashes, under the number that info tables have since
odd          two profiles, labels that repeat within a sample, a breakdown without a name, no end of the last sample
"""
import itertools
import sys

MS = 1000000


def head(program, flags, number=None, profile=0, period=50 * MS):
    print("0 BLOCK_MARKER cap_no=65535")
    print('1000 RTS_IDENTIFIER capset=0 text="GHC-9.10.3 rts_p"')
    args = ", ".join(f'"{a}"' for a in [program, "+RTS", *flags])
    print(f"1000 PROGRAM_ARGS capset=0 args=[{args}]")
    print("1000 WALL_CLOCK_TIME capset=1 sec=1763655000 nsec=0")
    if number is not None:
        begin(number, profile, period)


def begin(number, profile=0, period=50 * MS):
    print(f'2000 HEAP_PROF_BEGIN profile={profile} period={period} breakdown={number} module="" closure="" type="" '
          'cost_centre="" ccs="" retainer="" biography=""')


def sample(t, bands, profile=0, end=True):
    print(f"{t} HEAP_PROF_SAMPLE_BEGIN sample=0")
    for label, size in bands:
        if size:
            print(f'{t} HEAP_PROF_SAMPLE_STRING profile={profile} bytes={size} label="{label}"')
    if end:
        print(f"{t + 200} HEAP_PROF_SAMPLE_END sample=0")


def phases():
    """Each era fills the heap for a while and is then let go, but for what it leaks."""
    for i in range(40):
        bands = []
        for era in range(1, 6):
            age = i - 7 * (era - 1)
            live = 0 if age < 0 else 400_000 * min(age, 6) if age < 9 else 60_000 * era
            bands.append((str(era), live))
        yield (i + 1) * 50 * MS, bands


def roots(join, with_none):
    names = ["hsc", "eps", "fc"]
    for i in range(24):
        bands = []
        for n in range(1, len(names) + 1):
            for names_of in itertools.combinations(names, n):
                size = 90_000 * (4 - n) + 7_000 * i * ("eps" in names_of) + 1_000 * len(names_of[0])
                bands.append((join.join(names_of), size))
        if with_none:
            bands.append(("NOROOT", 50_000 + 2_000 * (i % 5)))
        yield (i + 1) * 100 * MS, bands


def odd():
    head("odd", ["-l"], 42)
    begin(3, profile=1)
    for i in range(6):
        t = (i + 1) * 100 * MS
        last = i == 5
        sample(t, [("twice", 1000 * (i + 1)), ("once", 5000), ("twice", 2000)], end=not last)
        if not last:
            sample(t + 10 * MS, [("other profile", 7000 + i)], profile=1)
    print("unfinished")


def main(name):
    if name == "eras":
        head("eras", ["-l", "-he", "-i0.05"], 9)
        for t, bands in phases():
            sample(t, bands)
    elif name == "roots-comma":
        head("roots", ["-l", "-ho"], 10, period=100 * MS)
        for t, bands in roots(",", True):
            sample(t, bands)
    elif name == "roots-dash":
        head("roots", ["-l"], 8, period=100 * MS)
        for t, bands in roots("-", False):
            sample(t, bands)
    elif name == "odd":
        odd()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
