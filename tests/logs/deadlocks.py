#!/usr/bin/env python3
"""Write the text of deadlock.eventlog for mklog: two deadlocks in one program.

    ./deadlocks.py | mklog >deadlock.eventlog

The threads bank-left and bank-right each take one MVar and wait for the other's: the major collection at 60 ms finds that
nothing can wake them, and both run on without a wake-up to receive their exceptions. Before, the thunks of egg and chicken
wait for each other, a cycle of black holes, which is certain when the second wait begins. The thread customer waits for an
MVar, too, but is woken.
"""
MS = 1000000
MVAR, BLACK_HOLE, YIELD, DONE, DELAY, FOREIGN = 7, 8, 3, 5, 10, 6
MAIN, LEFT, RIGHT, CHICKEN, EGG, CUSTOMER = 1, 2, 3, 4, 5, 6
LABELS = {MAIN: "main", LEFT: "bank-left", RIGHT: "bank-right", CHICKEN: "chicken", EGG: "egg", CUSTOMER: "customer"}

events = {0: [], 1: []}


def say(cap, ms, text):
    events[cap].append((round(ms * MS), text))


def run(cap, thread, from_ms, to_ms, status, info=0):
    say(cap, from_ms, f"RUN_THREAD thread={thread}")
    say(cap, to_ms, f"STOP_THREAD thread={thread} status={status} info={info}")


def collect(request, start, end):
    say(0, request, "REQUEST_PAR_GC")
    say(0, start, "GC_START")
    say(0, start + 0.02, "GC_WORK")
    say(0, end - 0.04, "GC_IDLE")
    say(0, end - 0.02, "GC_DONE")
    say(0, end - 0.01, "GC_STATS_GHC capset=0 gen=1 copied=60000 slop=4000 frag=8000 par_n_threads=2 par_max_copied=40000 "
                       "par_tot_copied=60000 par_balanced_copied=20000")
    say(0, end, "GC_END")
    say(1, request + 0.01, "GC_START")
    say(1, start + 0.03, "GC_WORK")
    say(1, end - 0.06, "GC_IDLE")
    say(1, end - 0.03, "GC_DONE")
    say(1, end + 0.01, "GC_END")


def program():
    for thread in LABELS:
        say(0, 1 + thread * 0.01, f"CREATE_THREAD thread={thread}")
        if thread == MAIN:
            say(0, 1.011, f"RUN_THREAD thread={MAIN}")
        say(0, 1.002 + thread * 0.01, f'THREAD_LABEL thread={thread} label="{LABELS[thread]}"')
    say(0, 2, f"STOP_THREAD thread={MAIN} status={DELAY} info=0")
    run(0, LEFT, 2, 6, YIELD)
    run(1, RIGHT, 2, 7, MVAR)
    run(0, LEFT, 6.05, 8, MVAR)
    run(1, CHICKEN, 8, 12, YIELD)
    run(0, EGG, 9, 14, BLACK_HOLE, CHICKEN)
    run(1, CHICKEN, 12.05, 16, BLACK_HOLE, EGG)
    run(0, CUSTOMER, 15, 20, MVAR)
    say(0, 40, f"THREAD_WAKEUP thread={MAIN} other_cap=0")
    run(0, MAIN, 40.1, 41, DELAY)
    say(0, 40.5, f"THREAD_WAKEUP thread={CUSTOMER} other_cap=0")
    run(0, CUSTOMER, 41, 44, DONE)
    say(0, 58, f"THREAD_WAKEUP thread={MAIN} other_cap=0")
    run(0, MAIN, 58.1, 59.5, FOREIGN)
    collect(59.6, 60, 60.4)
    run(1, RIGHT, 60.5, 60.6, DONE)
    run(0, LEFT, 60.5, 60.7, DONE)
    run(1, CHICKEN, 60.7, 60.8, DONE)
    run(0, EGG, 60.8, 60.9, DONE)
    run(0, MAIN, 61, 62, DONE)


def main():
    print("0 BLOCK_MARKER cap_no=65535")
    print('1000 RTS_IDENTIFIER capset=0 text="GHC-9.10.3 rts_thr"')
    print('1000 PROGRAM_ARGS capset=0 args=["deadlock", "+RTS", "-l", "-N2"]')
    print("1000 WALL_CLOCK_TIME capset=1 sec=1763655000 nsec=0")
    for cap in events:
        print(f"1100 CAP_CREATE cap_no={cap}")
    print(f"1200 HEAP_INFO_GHC capset=0 generations=2 max_heap=0 alloc_area={1 << 20} mblock_size={1 << 20} block_size=4096")
    program()
    for cap, said in events.items():
        print(f"1500 BLOCK_MARKER cap_no={cap}")
        for t, text in sorted(said, key=lambda e: e[0]):
            print(t, text)


if __name__ == "__main__":
    main()
