/* event_row.h - name and details of an event as the list shows them and as a search sees them. */
#ifndef EVTUI_EVENT_ROW_H
#define EVTUI_EVENT_ROW_H

#include "base/buf.h"
#include "format/decode.h"
#include "log/log.h"

enum { EVENT_TEXT_MOST = 4096 }; /* bytes of one field that are looked at */

/* Its name, as the schema or the file has it. */
void event_name(struct buf *out, const struct evl_log *log, uint16_t tag);

/* Its fields: "blocked on an MVar  thread 26 “worker-2”". Waits for the disk where labels are there. */
void event_details(struct buf *out, const struct evl_log *log, const struct frame *f);

/* How a field is called: "on cap" for other_cap; most are called by their names. */
const char *event_field_words(const char *field);

/* One value, without the name of its field. */
void event_value(struct buf *out, const struct evl_log *log, enum evl_kind kind, const struct evl_value *value);

#endif
