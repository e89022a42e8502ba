/* rts_probe.h - find out which RTS flags a Haskell program supports (PROGRAM +RTS -?)
 *
 * Only files that contain strings of GHC's run-time system are executed, because other programs could do anything
 * with such arguments. */
#ifndef EVTUI_RTS_PROBE_H
#define EVTUI_RTS_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Which RTS options the program accepts on its command line and in GHCRTS. SOME: the safe ones, including -l. */
enum rts_takes { RTS_TAKES_UNKNOWN, RTS_TAKES_NONE, RTS_TAKES_SOME, RTS_TAKES_ALL };

/* Properties of a program. */
struct rts_probe {
	bool haskell;  /* it is a Haskell program, according to its file */
	bool threaded; /* it has the threaded run-time system */
	/* It has --eventlog-flush-interval and the threaded run-time system, without which the option is not safe in
	 * GHC 9.2 (RTS 1.6). */
	bool flushes;
	enum rts_takes takes;
	bool profiled, logs; /* built with -prof; can write an eventlog */
	char ghc[24];        /* version, "9.10.3"; "": unknown */
	char way[32];        /* RTS way, "rts_thr"; "": unknown */
	char with[128];      /* value of -with-rtsopts */
};

/* Return whether a file is an executable made by GHC, according to strings in it. */
bool rts_probe_is_haskell(const char *program);

/* Probe a program, a path or a name to look up in $PATH. It is executed up to three times, and ends before its own code
 * starts. */
struct rts_probe rts_probe_all(const char *program);

/* Find the file of a program, in $PATH if necessary, and write its path to out[RTS_PROBE_PATH]. Return false if
 * there is none. */
enum { RTS_PROBE_PATH = 4096 };
bool rts_probe_find(const char *program, char *out);

#define RAN_NO_HASKELL " ran no Haskell program"
#define BUILT_WITHOUT  "built without"

/* Return the reason why a program wrote no log, derived from its output. *said: we have written it there ourselves. */
const char *rts_probe_refusal(const char *printed, size_t len, bool *said);

#endif
