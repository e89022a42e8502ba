/* dataset.h - export the tables of many logs to one folder, for database engines: a file per table and log, SQL
 * schemas, and a manifest.
 *
 * The files are DIR/TABLE/LOG.csv (or .jsonl, plus .zst if compressed), each with a first column `log`; DIR/schema.sql
 * for DuckDB; DIR/schema-clickhouse.sql; and DIR/manifest.json. All files of a log get their final names together once
 * they are complete, and are then listed in DIR/.progress, so that an interrupted export can be continued. Several
 * threads may add logs at once. */
#ifndef EVL_DATASET_H
#define EVL_DATASET_H

#include "base/idmap.h"
#include "log/log.h"
#include "rows/rows.h"
#include "sys/progress.h"

#include <pthread.h>

struct dataset {
	int dir;                   /* file descriptor of the folder */
	bool made;                 /* the folder was created by this export */
	bool jsonl, compress, raw; /* JSON lines instead of CSV; compress with zstd; include every event */
	const atomic_bool *cancel;
	const struct progress *watch; /* told now and then that the export is still running; may be NULL */
	pthread_mutex_t lock;         /* protects all members below */
	struct dataset_file {
		char *path; /* path within the folder, such as "gc/x.csv" */
		const char *table;
		uint64_t rows;
		size_t number; /* position in the order in which the files were written */
	} * files;
	size_t n, room;
	struct idmap places; /* hash of a path -> index into files, to list each path once */
	bool opened;         /* dataset_open succeeded: the schemas and the manifest may be written */
	int progress;        /* file descriptor of DIR/.progress */
	bool torn;           /* .progress ends with an incomplete line, so nothing can be added */
};

/* Open a folder and read which logs it contains, or create the folder and its parents. A non-empty folder that is not a
 * dataset is rejected. Return 0; or EVL_EXISTS, EVL_IO or EVL_NOMEM, with the contents of the folder unchanged. */
int dataset_open(struct dataset *d, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Find a name that maps to the same files as another (such as "a/x" and "a_x", or a name given twice). Store it, or
 * NULL if there is none, in *clash. Return 0 or EVL_NOMEM. */
int dataset_clash(const char *const *names, size_t n, const char **clash) EVL_MUST_USE;

/* Report whether the folder already contains the files of a log. */
bool dataset_has(struct dataset *d, const char *name);

/* Write all tables of a log under `name`; after an error, remove them. Return 0, EVL_CANCELLED, EVL_NOMEM, or EVL_IO
 * with err filled. */
int dataset_add(struct dataset *d, const struct evl_log *log, const char *name, struct evl_err *err) EVL_MUST_USE;

/* Write the schemas and the manifest, or remove a new folder to which no log was added. Free the members of *d, even
 * after an error. Return 0 or an error code with err filled. */
int dataset_close(struct dataset *d, const char *path, struct evl_err *err) EVL_MUST_USE;

#endif
