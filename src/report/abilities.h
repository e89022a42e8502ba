/* abilities.h - what a log can show, what it cannot, and the RTS flags and the build that would add it (evtui doctor). */
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

enum ability_state {
	ABILITY_SHOWN,        /* the log has some */
	ABILITY_NONE,         /* it would have, but there were none */
	ABILITY_NOT_RECORDED, /* a flag, or a build, is missing */
	ABILITY_UNKNOWN       /* none, and the log does not tell whether they were recorded */
};

/* Constants; NULL: none. */
struct ability {
	const char *id, *name, *state_name;
	enum ability_state state;
	const char *flag;   /* would record it; never one that the program ran with */
	const char *build;  /* what the program has to be compiled with as well */
	const char *detail; /* why there is none */
};

/* Of a log that was walked. */
struct ability ability_of_log(const struct evl_log *log, enum ability_id id);

/* 100 * major + minor of "9.10.3": 910; 0: unknown. */
unsigned ghc_number(struct evl_str version);

/* The array of them, as in `evtui doctor --json`. */
void abilities_json(const struct evl_log *log, struct json *j);

#endif
