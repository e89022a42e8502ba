/* dataset.h - a folder of tables of many logs for other engines: a folder per table, a file per log, types, a manifest.
 *
 * DIR/TABLE/NAME.csv (.jsonl, .zst), each with a first column `log`; DIR/schema.sql for DuckDB, DIR/schema-clickhouse.sql,
 * DIR/manifest.json. The files of a log get their names together, when all of them are complete, and are then listed in
 * DIR/.progress, so that an interrupted export continues where it stopped. Several threads may export logs at once. */
#ifndef EVL_DATASET_H
#define EVL_DATASET_H

#include "log/log.h"
#include "rows/rows.h"

#include <pthread.h>

struct dataset {
	int dir;   /* the folder, open */
	bool made; /* the folder is new */
	bool jsonl, compress, raw;
	const atomic_bool *cancel;
	pthread_mutex_t lock; /* of what follows */
	struct dataset_file {
		char *path; /* within the folder: "gc/x.csv" */
		const char *table;
		uint64_t rows;
	} * files;
	size_t n, room;
	int progress; /* DIR/.progress */
};

/* Open the folder and read which logs it has, or create it with its parents. Refuse an existing folder that is not a
 * data set. Return 0, EVL_EXISTS, EVL_IO or EVL_NOMEM with err filled. */
int dataset_open(struct dataset *d, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Report whether the folder already has the files of a log. */
bool dataset_has(struct dataset *d, const char *name);

/* Write all tables of a log; after an error, remove them. Return 0, EVL_CANCELLED, EVL_NOMEM, or EVL_IO with err filled. */
int dataset_add(struct dataset *d, const struct evl_log *log, const char *name, struct evl_err *err) EVL_MUST_USE;

/* Write schemas and manifest; remove a new folder to which no log was added. Frees d in any case. */
int dataset_close(struct dataset *d, const char *path, struct evl_err *err) EVL_MUST_USE;

#endif
