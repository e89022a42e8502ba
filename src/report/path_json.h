/* path_json.h - write a critical path as one JSON object, for `evtui path --json` */
#ifndef EVL_PATH_JSON_H
#define EVL_PATH_JSON_H

#include "base/buf.h"
#include "query/path.h"

/* Append the object and a newline. If memory ran out, out->failed is set. */
void path_json(const struct evl_log *log, const struct path *p, struct buf *out);

#endif
