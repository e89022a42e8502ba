/* rts_probe.h - what the run-time system of a Haskell program can do, by what it says itself: PROGRAM +RTS -?
 *
 * A program that is no Haskell program is not asked: it would do whatever it does with such arguments. It is known by the
 * words of GHC's run-time system in its file. */
#ifndef EVTUI_RTS_PROBE_H
#define EVTUI_RTS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct rts_probe {
	bool haskell; /* it is one, as far as its file tells */
	bool threaded;
	bool flushes; /* it has --eventlog-flush-interval, and that does no harm (1.6: without -threaded it does) */
};

/* program: a path, or a name that is looked for in $PATH. */
struct rts_probe rts_probe_ask(const char *program);

/* Why the run-time system refused to write a log, by what the program printed; NULL: that does not tell. */
const char *rts_probe_refusal(const char *printed, size_t len);

#endif
