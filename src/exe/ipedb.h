/* ipedb.h - read info tables in files of ipedb: SQLite (0.1) or an archive (0.2); write them as SQLite.
 *
 * The file has the tables strings(id, value) and info_prov(info_id, table_name, closure_desc, type_desc, label,
 * module_name, src_loc), whose text columns contain ids of strings; view_info_prov joins the two. A file is not
 * trusted: it is read from memory, cannot execute anything, and the total number of steps of all lookups is limited. */
#ifndef EVL_IPEDB_H
#define EVL_IPEDB_H

#include "base/buf.h"
#include "bytes/source.h"
#include "program/ipe.h"

struct ipedb;

/* Open a file. Take ownership of the source even if this fails. Return 0, or EVL_NOT_A_LOG (the file has another
 * layout), EVL_IO or EVL_NOMEM with err filled. */
int ipedb_open(struct ipedb **db, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Create an empty database in memory. Return 0 or EVL_NOMEM. */
int ipedb_new(struct ipedb **db) EVL_MUST_USE;
void ipedb_close(struct ipedb *db);

/* Find the entry of an info table by its address. Its texts are valid until the next call. Return false if there is
 * none. */
bool ipedb_find(struct ipedb *db, uint64_t id, struct ipe_entry *out);

/* Add an entry unless its address already has one. Return 0 or EVL_NOMEM. */
int ipedb_add(struct ipedb *db, const struct ipe_entry *entry) EVL_MUST_USE;

/* Append the complete file to a buffer. Return 0 or EVL_NOMEM. */
int ipedb_save(struct ipedb *db, struct buf *out) EVL_MUST_USE;

#endif
