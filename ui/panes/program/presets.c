#include "panes/program/presets.h"

#include "state/state_dir.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *flags, *map, *profiled;
} rows[PRESETS] = {
	[PRESET_NONE] = {"", "-l", NULL, NULL},
#define PRESET(name, flags, map, profiled, help) [PRESET_##name] = {#name, flags, map, profiled},
#include "panes/program/presets.def"
#undef PRESET
};

enum preset preset_named(const char *name)
{
	for (enum preset p = PRESET_NONE + 1; p < PRESETS; p++)
		if (strcmp(rows[p].name, name) == 0)
			return p;
	return PRESET_NONE;
}

const char *preset_name(enum preset preset) { return rows[preset].name; }

bool preset_may_map(const struct rts_probe *rts)
{
	unsigned major = 0, minor = 0;
	return sscanf(rts->ghc, "%3u.%3u", &major, &minor) == 2 && (major > 9 || (major == 9 && minor >= 2));
}

/* Options of the event log are safe, all others want -rtsopts. */
static bool is_safe(const char *flags) { return strncmp(flags, "-l", 2) == 0 && !strchr(flags, ' '); }

/* A program that is built with -prof logs without -eventlog. */
const char *preset_flags(enum preset preset, const struct rts_probe *rts, bool map, unsigned *lacks)
{
	const char *flags = rts->profiled && rows[preset].profiled ? rows[preset].profiled
		: map && preset_may_map(rts) && rows[preset].map   ? rows[preset].map
								   : rows[preset].flags;
	bool unsafe = flags && !is_safe(flags);
	*lacks = (flags ? 0 : LACKS_PROF) | (rts->logs || !flags ? 0 : LACKS_EVENTLOG)
		| (rts->threaded || !rts->way[0] ? 0 : LACKS_THREADED);
	if (rts->takes == RTS_TAKES_NONE || (rts->takes == RTS_TAKES_SOME && (unsafe || !flags)))
		*lacks |= LACKS_RTSOPTS;
	return *lacks & ~(unsigned)LACKS_THREADED ? NULL : flags;
}

/* --- what to add --------------------------------------------------------------------------------------------------- */

static const struct {
	unsigned lack;
	const char *flag;
} flags_of[] = {{LACKS_RTSOPTS, "-rtsopts"}, {LACKS_EVENTLOG, "-eventlog"}, {LACKS_THREADED, "-threaded"}};

enum build_tool build_tool_named(const char *command)
{
	const char *name = path_base(command);
	return strcmp(name, "cabal") == 0 ? BUILD_CABAL : strcmp(name, "stack") == 0 ? BUILD_STACK : BUILD_GHC;
}

static void put_flags(struct buf *out, unsigned lacks, const char *before)
{
	for (size_t i = 0; i < countof(flags_of); i++)
		if (lacks & flags_of[i].lack) {
			buf_cstr(out, before);
			buf_cstr(out, flags_of[i].flag);
			before = " ";
		}
}

static void put_cabal(struct buf *out, unsigned lacks)
{
	buf_lit(out, "add to cabal.project:");
	if (lacks & LACKS_PROF)
		buf_lit(out, "\n\nprofiling: True");
	if (lacks & ~(unsigned)LACKS_PROF)
		put_flags(out, lacks, "\n\nprogram-options\n  ghc-options: ");
}

static void put_stack(struct buf *out, unsigned lacks)
{
	if (lacks & LACKS_PROF)
		buf_lit(out, "run stack with --profile");
	if (lacks & LACKS_PROF && lacks & ~(unsigned)LACKS_PROF)
		buf_lit(out, "; ");
	if (lacks & ~(unsigned)LACKS_PROF) {
		put_flags(out, lacks, "add to stack.yaml:\n\nghc-options:\n  \"$locals\": ");
		buf_lit(out, "\n\nthen run stack clean: stack does not rebuild for these options");
	}
}

static void put_ghc(struct buf *out, unsigned lacks)
{
	buf_lit(out, "compile with: ghc");
	if (lacks & LACKS_PROF)
		buf_lit(out, " -prof -fprof-auto");
	put_flags(out, lacks, " ");
}

void preset_advice(struct buf *out, unsigned lacks, enum build_tool tool)
{
	unsigned needed = lacks & ~(unsigned)LACKS_THREADED;
	buf_lit(out, BUILT_WITHOUT);
	put_flags(out, needed, " ");
	if (needed & LACKS_EVENTLOG)
		buf_lit(out, " (which GHC before 9.4 needs)");
	if (needed & LACKS_PROF)
		buf_lit(out, " -prof");
	buf_lit(out, "; ");
	(tool == BUILD_CABAL ? put_cabal : tool == BUILD_STACK ? put_stack : put_ghc)(out, lacks);
	buf_char(out, '\n');
}
