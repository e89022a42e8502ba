/* sql_private.h - declarations shared by the files of src/sql */
#ifndef EVL_SQL_PRIVATE_H
#define EVL_SQL_PRIVATE_H

#include "sql/sql.h"

/* Register SQLite's VFS for temporary files, once per process. Return false if memory ran out. */
#define SQL_TEMP_VFS "evtui-temporary"
bool sql_temp_files(void);

/* Register the tables as virtual tables of s->db. Return 0 or EVL_NOMEM. */
int sql_add_tables(struct sql *s) EVL_MUST_USE;

#endif
