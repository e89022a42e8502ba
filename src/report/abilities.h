/* abilities.h - which kinds of data a log contains, and the RTS flag or build that records the missing ones */
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

#endif
