/* rts_probe.h - probe the RTS flags that a Haskell program supports (PROGRAM +RTS -?).
 *
 * Only programs whose file contains the words of GHC's run-time system are run: any other would do whatever it does
 * with such arguments. */
#ifndef EVTUI_RTS_PROBE_H
#define EVTUI_RTS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Which options it takes from its command line and from GHCRTS: "some" are those that are safe, -l among them. */
enum rts_takes { RTS_TAKES_UNKNOWN, RTS_TAKES_NONE, RTS_TAKES_SOME, RTS_TAKES_ALL };

struct rts_probe {
	bool haskell; /* it is one, as far as its file tells */
	bool threaded;
	bool flushes; /* it has --eventlog-flush-interval, and that does no harm (1.6: without -threaded it does) */

	/* Of rts_probe_all: */
	enum rts_takes takes;
	bool profiled, logs; /* built with -prof; it can write an eventlog */
	char ghc[24];        /* "9.10.3"; empty: unknown */
	char way[32];        /* "rts_thr"; empty: unknown */
	char with[128];      /* its -with-rtsopts */
};

/* Is a file an executable that GHC made, by its words? */
bool rts_probe_is_haskell(const char *program);

/* program: a path, or a name that is looked for in $PATH. */
struct rts_probe rts_probe_ask(const char *program);

/* The same, and its version, its way and the options it takes: it is run up to three times, and ends before its own code. */
struct rts_probe rts_probe_all(const char *program);

/* Find the file that the program's name leads to, into out[RTS_PROBE_PATH]; false: there is none. */
enum { RTS_PROBE_PATH = 4096 };
bool rts_probe_find(const char *program, char *out);

/* Why the run-time system refused to write a log, by what the program printed; NULL: that does not tell. */
const char *rts_probe_refusal(const char *printed, size_t len);

#endif
