/* presets.h - choose RTS flags for a purpose (--preset), as far as a given program supports them */
#ifndef EVTUI_PRESETS_H
#define EVTUI_PRESETS_H

#include "base/buf.h"
#include "panes/program/rts_probe.h"

enum preset {
	PRESET_NONE, /* only -l */
#define PRESET(name, flags, map, profiled, help) PRESET_##name,
#include "panes/program/presets.def"
#undef PRESET
	PRESETS
};

/* Return the preset with this name, or PRESET_NONE. */
enum preset preset_named(const char *name);
const char *preset_name(enum preset preset);

/* Features that a program can lack, as bits. */
enum { LACKS_RTSOPTS = 1, LACKS_EVENTLOG = 2, LACKS_PROF = 4, LACKS_THREADED = 8 };

/* Return the flags of a preset for a program, separated by blanks; a constant. rts: the result of rts_probe_all;
 * map: the program has an info table map. *lacks: the features that the program lacks. Return NULL if a required
 * feature is missing; LACKS_THREADED is only a recommendation. */
const char *preset_flags(enum preset preset, const struct rts_probe *rts, bool map, unsigned *lacks);

/* Report whether the program's GHC has the info table map and -hi: 9.2 or later. */
bool preset_may_map(const struct rts_probe *rts);

/* Tool that builds the program, according to the command that runs it. */
enum build_tool { BUILD_GHC, BUILD_CABAL, BUILD_STACK };
/* Return the tool for a command, BUILD_GHC if it is another one. */
enum build_tool build_tool_named(const char *command);

/* Append advice on how to build the program, with a newline: "built without -rtsopts; …". */
void preset_advice(struct buf *out, unsigned lacks, enum build_tool tool);

#endif
