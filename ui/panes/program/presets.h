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

/* Return PRESET_NONE if there is no preset of that name. */
enum preset preset_named(const char *name);
const char *preset_name(enum preset preset);
const char *preset_help(enum preset preset);

/* Features that a program lacks, as bits. */
enum { LACKS_RTSOPTS = 1, LACKS_EVENTLOG = 2, LACKS_PROF = 4, LACKS_THREADED = 8 };

/* Choose flags, with blanks between. rts: of rts_probe_all; map: the program has an info table map. NULL where it lacks
 * something: *lacks says what; LACKS_THREADED only with flags, as it is of use with all. */
const char *preset_flags(enum preset preset, const struct rts_probe *rts, bool map, unsigned *lacks);

/* The tool that builds the program, by the name of what is run. */
enum build_tool { BUILD_GHC, BUILD_CABAL, BUILD_STACK };
enum build_tool build_tool_named(const char *command);

/* Append "built without -rtsopts: …", and the lines to add, and where. */
void preset_advice(struct buf *out, unsigned lacks, enum build_tool tool);

#endif
