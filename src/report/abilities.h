/* abilities.h - which kinds of data a log contains, the RTS flag or build that records the missing ones, and why there is
 * nothing to show: none in the range, none in the log, or not recorded */
#ifndef EVL_ABILITIES_H
#define EVL_ABILITIES_H

#include "base/json.h"
#include "log/log.h"

enum ability_id {
#define ABILITY(id, name, class, flag, same, ghc, build, detail) ABILITY_##id,
#include "report/abilities.def"
#undef ABILITY
	ABILITIES
};

/* Whether a log contains a kind of data. */
enum ability_state {
	ABILITY_SHOWN,        /* the log contains this kind of data */
	ABILITY_NONE,         /* it was recorded, but nothing of the kind happened */
	ABILITY_NOT_RECORDED, /* an RTS flag or a build option was missing */
	ABILITY_UNKNOWN       /* absent, and the log does not tell whether it was recorded */
};

/* The strings are constants; NULL if they do not apply. */
struct ability {
	const char *id, *name, *state_name;
	enum ability_state state;
	const char *flag;   /* RTS flag that would record the data; never one that the program ran with */
	const char *build;  /* option that the program must also be built with, e.g. "-threaded" */
	const char *detail; /* why the data is absent */
};

/* Return the state of one ability. Call after the log is indexed. */
struct ability ability_of_log(const struct evl_log *log, enum ability_id id);

/* Return a GHC version as a number, 100 * major + minor: 910 for "9.10.3"; 0 if it cannot be parsed. */
unsigned ghc_number(struct evl_str version);

/* Append all abilities as a JSON array, as in `evtui doctor --json`. */
void abilities_json(const struct evl_log *log, struct json *j);

/* Kinds of data that may be missing. */
enum absence {
	ABSENCE_GCS,
	ABSENCE_REQUESTS, /* GC requests */
	ABSENCE_HEAP,     /* heap sizes */
	ABSENCE_RUNS,
	ABSENCE_THREADS,
	ABSENCE_SPARKS, /* spark counters */
	ABSENCE_SPANS,
	ABSENCE_PHASES,
	ABSENCE_TICKY,
	ABSENCE_NONMOVING,
	ABSENCE_NM_CENSUS,
	ABSENCE_TASKS,
	ABSENCES
};

/* Return "none in this range" if the log has such data elsewhere, "none in this log" if the log would have recorded
 * it ("none readable in …" if parts between others are damaged), else "not recorded" and the RTS flag that records it
 * (never one that the program ran with); of the nonmoving collector "none in what was written" if the log has no end (the
 * program was killed or still runs). The text is a constant. Call after the log is indexed. */
const char *absence_text(const struct evl_log *log, enum absence of);

/* The same, but "none in this run" of a range that is the whole run. */
const char *absence_over(const struct evl_log *log, enum absence of, bool whole);

/* Return the text for a log without samples of cost centres. */
const char *absence_of_samples(const struct evl_log *log);

/* Return "none in this range" or "none in this log" of what an RTS flag, e.g. "-lsg", records: the log may have all of
 * these kinds of data elsewhere, or lacks one. For a flag that would not help. */
const char *absence_by_flag(const struct evl_log *log, const char *flag);

/* Return true if an RTS flag, e.g. "-lg", would record something that the log lacks. */
bool absence_flag_helps(const struct evl_log *log, const char *flag);

/* Return true if the log has such data. Without, nothing is known: a log of -l that lacks collections or runs of threads
 * was cut short, as each program that ends has some. */
bool absence_seen(const struct evl_log *log, enum absence of);

/* Return true if the log is indexed and has no such data. Unlike the others, this may be called while it is indexed. */
bool absence_is_sure(const struct evl_log *log, enum absence of);

#endif
