/* sql_private.h - what the files of SQL share. */
#ifndef EVL_SQL_PRIVATE_H
#define EVL_SQL_PRIVATE_H

#include "sql/sql.h"

/* Register the VFS of temporary files, once. Return false if memory runs out. */
#define SQL_TEMP_VFS "evtui-temporary"
bool sql_temp_files(void);

/* Register the tables with s->db: of sources s->sources[s->n], one per log. Return 0 or EVL_NOMEM. */
int sql_add_tables(struct sql *s) EVL_MUST_USE;

#endif
