#include "query/exe_match.h"

#include "query/census_label.h"

#include <stdlib.h>

enum { SAMPLES = 3 };

static bool add(struct evidence *e, uint64_t id)
{
	if (e->n < EVIDENCE_MOST && id)
		e->ids[e->n++] = id;
	return e->n < EVIDENCE_MOST;
}

/* The bands of some samples: the last have most of what lives long. */
static void add_bands(struct evidence *e, const struct evl_log *log, size_t most)
{
	size_t n = census_count(&log->census);
	for (size_t k = 0; k < SAMPLES && k < n; k++) {
		struct census_reader reader;
		struct census_band band;
		uint64_t id;
		census_read(
			&reader, &log->census, &log->blocks, census_at(&log->census, n - 1 - k * (n - 1) / SAMPLES));
		while (census_next(&reader, &band) && e->n < most)
			if (!band.is_stack && census_address(band.key, &id))
				add(e, id);
	}
}

static void add_calls(struct evidence *e, const struct evl_log *log, size_t most)
{
	const struct rows *frames = &log->prof[PROF_CALLS].calls.frames;
	for (size_t i = 0; i < rows_count(frames) && e->n < most; i++) {
		const struct call_frame *call = rows_at(frames, i);
		if (call->kind == CALL_AT_ADDRESS)
			add(e, call->id);
	}
}

static void add_entries(struct evidence *e, const struct evl_log *log)
{
	struct program_facts facts = program_get(&log->program);
	uint64_t shift = ipe_shift(facts.rts);
	struct ipe_reader reader;
	struct ipe_entry entry;
	ipe_begin(&reader, &log->ipe, &log->blocks);
	while (ipe_next(&reader, &entry) && add(e, entry.id - shift)) {
	}
}

static int by_id(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

int evidence_make(struct evidence *e, const struct evl_log *log)
{
	*e = (struct evidence){.ids = malloc(EVIDENCE_MOST * sizeof *e->ids)};
	if (!e->ids)
		return EVL_NOMEM;
	add_bands(e, log, EVIDENCE_MOST / 3);
	add_calls(e, log, EVIDENCE_MOST / 3 * 2);
	add_entries(e, log);
	qsort(e->ids, e->n, sizeof *e->ids, by_id);
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++)
		if (i == 0 || e->ids[i] != e->ids[n - 1])
			e->ids[n++] = e->ids[i];
	e->n = n;
	return 0;
}

void evidence_free(struct evidence *e)
{
	free(e->ids);
	*e = (struct evidence){0};
}

int exe_match(struct exe **exe, const struct evl_log *log, const char *path, struct evl_err *err)
{
	struct program_facts facts = program_get(&log->program);
	struct evidence e;
	int result = exe_open(exe, path, err);
	if (result < 0)
		return result;
	if (evidence_make(&e, log) < 0) {
		exe_close(*exe);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	const char *why = exe_check(*exe,
		&(struct exe_evidence){.ids = e.ids,
			.n = e.n,
			.ghc = program_ghc(&facts),
			.profiled = facts.rts.len && memmem(facts.rts.p, facts.rts.len, "_p", 2)});
	if (why) {
		result = evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s %s", path, why);
		exe_close(*exe);
		*exe = NULL;
	}
	evidence_free(&e);
	return result;
}
