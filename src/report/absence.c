#include "report/absence.h"

#include "log/rts_flags.h"

enum { TAGS = 3 };

#define SPANS_HOW "traceEvent \"START x\", \"STOP x\", or opentelemetry, write them"

static bool any_span(const struct evl_log *log)
{
	const struct span_table *t = spans_table(&log->spans);
	return t && t->n > 0;
}

/* How to tell that the log has some: by events, or by a function. class: of rts_traced; 0: by the flag. */
static const struct {
	char class;
	uint16_t tags[TAGS];
	bool (*any)(const struct evl_log *log);
	const char *flag;
	const char *none, *not_recorded, *either;
} kinds[ABSENCES] = {
	[ABSENCE_GCS] = {'g', {EVL_GC_START}, NULL, "-lg", "none in this log", "not recorded (+RTS -lg)",
		"none, or not recorded (+RTS -lg)"},
	[ABSENCE_REQUESTS] = {'g', {EVL_REQUEST_SEQ_GC, EVL_REQUEST_PAR_GC}, NULL, "-lg",
		"none in this log (the threaded RTS logs them)", "not recorded (threaded RTS, +RTS -lg)",
		"not recorded (threaded RTS, +RTS -lg)"},
	[ABSENCE_HEAP] = {'g', {EVL_HEAP_ALLOCATED, EVL_HEAP_SIZE, EVL_HEAP_LIVE}, NULL, "-lg", "none in this log",
		"not recorded (+RTS -lg)", "none, or not recorded (+RTS -lg)"},
	[ABSENCE_RUNS] = {'s', {EVL_RUN_THREAD}, NULL, "-ls", "none in this log", "not recorded (+RTS -ls)",
		"none, or not recorded (+RTS -ls)"},
	[ABSENCE_THREADS] = {'s', {EVL_CREATE_THREAD, EVL_RUN_THREAD}, NULL, "-ls", "none in this log",
		"not recorded (+RTS -ls)", "none, or not recorded (+RTS -ls)"},
	[ABSENCE_SPARKS] = {'p', {EVL_SPARK_COUNTERS, EVL_SPARK_CREATE, EVL_SPARK_DUD}, NULL, "-lp",
		"none in this log (the threaded RTS counts them)", "not recorded (threaded RTS, +RTS -lp)",
		"none, or not recorded (threaded RTS, +RTS -lp)"},
	[ABSENCE_SPANS] = {'u', {0}, any_span, "-lu", "none in this log: " SPANS_HOW, "not recorded (+RTS -lu)",
		"none: " SPANS_HOW " (+RTS -lu)"},
	[ABSENCE_PHASES] = {'u', {EVL_USER_MARKER}, NULL, "-lu", "none in this log: traceMarker begins them",
		"not recorded (+RTS -lu)", "none: traceMarker begins them (+RTS -lu)"},
	[ABSENCE_TICKY] = {'T', {EVL_TICKY_BEGIN_SAMPLE}, NULL, "-lT", "none in this log (build with -ticky)",
		"none: build with -ticky, run with +RTS -lT", "none: build with -ticky, run with +RTS -lT"},
	[ABSENCE_NONMOVING] = {0, {EVL_CONC_MARK_BEGIN, EVL_CONC_SYNC_BEGIN}, NULL, "--nonmoving-gc", "it did not run",
		"it did not run (+RTS --nonmoving-gc)", NULL},
	[ABSENCE_NM_CENSUS] = {0, {EVL_NONMOVING_HEAP_CENSUS}, NULL, "--nonmoving-gc",
		"none in this log (GHC 9.2 and later write it)", "no census (GHC 9.2 and later, +RTS --nonmoving-gc)",
		NULL},
	[ABSENCE_TASKS] = {'s', {EVL_TASK_CREATE, EVL_TASK_MIGRATE}, NULL, "-ls", "none in this log",
		"not recorded (+RTS -ls)", "none, or not recorded (+RTS -ls)"},
};

static bool seen(const struct evl_log *log, enum absence of)
{
	const struct event_counts_counts *tags = &log->event_counts.tags;
	for (int i = 0; i < TAGS; i++)
		if (kinds[of].tags[i] && kinds[of].tags[i] < tags->end && tags->n[kinds[of].tags[i]])
			return true;
	return kinds[of].any && kinds[of].any(log);
}

static enum rts_traced traced(const struct evl_log *log, enum absence of)
{
	if (kinds[of].class)
		return rts_traced(log, kinds[of].class);
	return rts_flag_given(log, kinds[of].flag) || !rts_flag_helps(log, kinds[of].flag) ? RTS_TRACED
											   : RTS_NOT_TRACED;
}

const char *absence_text(const struct evl_log *log, enum absence of)
{
	if (seen(log, of))
		return "none in this range";
	switch (traced(log, of)) {
	case RTS_TRACED: return kinds[of].none;
	case RTS_NOT_TRACED: return kinds[of].not_recorded;
	default: return kinds[of].either;
	}
}

bool absence_is_recorded(const struct evl_log *log, enum absence of)
{
	return seen(log, of) || traced(log, of) == RTS_TRACED;
}

bool absence_flag_helps(const struct evl_log *log, const char *flag)
{
	for (enum absence of = 0; of < ABSENCES; of++)
		if (strcmp(kinds[of].flag, flag) == 0 && seen(log, of))
			return false;
	return rts_flag_helps(log, flag);
}
