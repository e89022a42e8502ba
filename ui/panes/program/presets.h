/* presets.h - choose RTS flags for a purpose (--preset) that work in a given program, or report what it lacks. */
#ifndef EVTUI_PRESETS_H
#define EVTUI_PRESETS_H

#include "base/buf.h"
#include "panes/program/rts_probe.h"

enum preset {
	PRESET_NONE, /* -l alone */
#define PRESET(name, flags, map, profiled, help) PRESET_##name,
#include "panes/program/presets.def"
#undef PRESET
	PRESETS
};

/* Return the preset of that name, or PRESET_NONE. */
enum preset preset_named(const char *name);
const char *preset_name(enum preset preset);

/* Features that a program lacks, as bits. */
enum { LACKS_RTSOPTS = 1, LACKS_EVENTLOG = 2, LACKS_PROF = 4, LACKS_THREADED = 8 };

/* Return the flags of the preset for a program, separated by blanks, as a constant. rts: the result of rts_probe_all; map: the
 * program has an info table map. Set *lacks to the features that the program lacks. Return NULL if one of them is needed;
 * LACKS_THREADED is not, it only tells what would help. */
const char *preset_flags(enum preset preset, const struct rts_probe *rts, bool map, unsigned *lacks);

/* Tool that builds the program, by the name of the command that runs it. */
enum build_tool { BUILD_GHC, BUILD_CABAL, BUILD_STACK };
enum build_tool build_tool_named(const char *command);

/* Append "built without -rtsopts; …" with the lines to add to the build, and a newline. */
void preset_advice(struct buf *out, unsigned lacks, enum build_tool tool);

#endif
