/* export_ipedb.c - export ipedb: the info tables of the log and of its program as the SQLite file of ipedb.
 *
 * The entries of the log, those of the program's map, and, of addresses in the heap profile and in call stacks that neither
 * has, the names by symbols. The file is made in memory. */
#include "exe/ipedb.h"
#include "export/export.h"
#include "heap/census_survey.h"
#include "query/census_label.h"

static int add_log(struct ipedb *db, const struct evl_log *log, struct export *x)
{
	struct ipe_reader reader;
	struct ipe_entry entry;
	int result = 0;
	ipe_begin(&reader, &log->ipe, &log->blocks);
	while (result == 0 && ipe_next(&reader, &entry)) {
		result = ipedb_add(db, &entry);
		result = result ? result : export_more(x);
	}
	return result;
}

struct adding {
	struct ipedb *db;
	struct export *x;
	int result;
};

static bool add_entry(void *ctx, const struct ipe_entry *entry)
{
	struct adding *a = ctx;
	a->result = ipedb_add(a->db, entry);
	a->result = a->result ? a->result : export_more(a->x);
	return a->result == 0;
}

/* A name by a symbol says its module itself. */
static int add_name(struct ipedb *db, struct exe *exe, uint64_t id)
{
	const struct exe_name *name = exe_find(exe, id);
	if (!name || name->how == EXE_MAP)
		return 0;
	struct ipe_entry entry = {
		.id = id, .table = name->entry.table, .label = name->full, .location = name->entry.location};
	return ipedb_add(db, &entry);
}

static int add_bands(struct ipedb *db, const struct evl_log *log, unsigned profile, const atomic_bool *cancel)
{
	const struct census_run run = census_run_of(log, profile, cancel);
	struct census_survey survey;
	int result = census_survey_named(&survey, log, &run);
	if (result < 0)
		return result;
	for (uint32_t i = 0; i < bands_count(&survey.bands) && result == 0; i++) {
		const struct band *band = bands_at(&survey.bands, i);
		uint64_t id;
		if (!band->is_stack && census_address(band_key(band), &id))
			result = add_name(db, evl_naming(log).exe, id);
	}
	census_survey_free(&survey);
	return result;
}

static int add_calls(struct ipedb *db, const struct evl_log *log)
{
	const struct rows *frames = &log->prof[PROF_CALLS].calls.frames;
	struct prof_naming naming = evl_naming(log);
	struct prof_names names;
	int result = prof_samples(&log->prof[PROF_CALLS])
		? prof_names_make(&names, &log->prof[PROF_CALLS], &naming) /* asks the program for all of them */
		: EVL_EMPTY;
	if (result == EVL_EMPTY)
		return 0;
	if (result == 0)
		prof_names_free(&names);
	for (size_t i = 0; i < rows_count(frames) && result == 0; i++) {
		const struct call_frame *call = rows_at(frames, i);
		if (call->kind == CALL_AT_ADDRESS)
			result = add_name(db, naming.exe, call->id);
	}
	return result;
}

static int add_exe(struct ipedb *db, const struct evl_log *log, struct export *x)
{
	struct adding adding = {.db = db, .x = x};
	int result = exe_each(evl_naming(log).exe, add_entry, &adding);
	result = adding.result ? adding.result : result;
	for (unsigned p = 0; result == 0 && (p = census_profile_from(&log->census, &log->blocks, p)) < CENSUS_PROFILES;
		p++)
		result = add_bands(db, log, p, x->cancel);
	return result ? result : add_calls(db, log);
}

int export_ipedb(struct export *x)
{
	struct ipedb *db;
	int result = ipedb_new(&db);
	if (result < 0)
		return result;
	result = add_log(db, x->log, x);
	if (result == 0 && evl_naming(x->log).exe)
		result = add_exe(db, x->log, x);
	result = result ? result : ipedb_save(db, &x->out);
	ipedb_close(db);
	return result ? result : export_more(x);
}
