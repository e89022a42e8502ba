/* ccdb.h - cost centres in a file of the tool ccdb: names for logs that lack their definitions. */
#ifndef EVL_CCDB_H
#define EVL_CCDB_H

#include "prof/cost_centres.h"

/* largest number of centres; largest sum of their source locations in bytes */
enum { CCDB_MOST = 1 << 18, CCDB_TEXTS = 32 << 20 };

/* Open a file and read all its cost centres. Return 0, or EVL_NOT_A_LOG, EVL_IO or EVL_NOMEM with err filled and *db
 * NULL. */
int ccdb_open(struct ccdb **db, const char *path, struct evl_err *err) EVL_MUST_USE;
void ccdb_close(struct ccdb *db);

/* Look up the centre with this id. Return false if there is none. The texts are valid until ccdb_close. Any number of
 * threads may call this. */
bool ccdb_find(const struct ccdb *db, uint32_t id, struct cost_centre *out);

#endif
