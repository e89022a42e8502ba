/* rts_probe.h - probe the RTS flags that a Haskell program supports (PROGRAM +RTS -?).
 *
 * Only programs whose file contains the words of GHC's run-time system are run: any other would do whatever it does
 * with such arguments. */
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
