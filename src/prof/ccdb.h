/* ccdb.h - cost centres in a file of the tool ccdb: names for logs that lack their definitions. */
#ifndef EVL_CCDB_H
#define EVL_CCDB_H

#include "prof/cost_centres.h"

enum { CCDB_MOST = 1 << 18, CCDB_TEXTS = 32 << 20 }; /* centres, bytes of their places */

/* Open a file and read all its centres. Return 0, or EVL_NOT_A_LOG, EVL_IO or EVL_NOMEM with err filled. */
int ccdb_open(struct ccdb **db, const char *path, struct evl_err *err) EVL_MUST_USE;
void ccdb_close(struct ccdb *db);

/* Look up an id. The texts last as long as the file is open. Any number of threads may ask. */
bool ccdb_find(const struct ccdb *db, uint32_t id, struct cost_centre *out);

#endif
