/* event_row.h - name and details of an event, as text for the event list and for text search */
#ifndef EVTUI_EVENT_ROW_H
#define EVTUI_EVENT_ROW_H

#include "base/buf.h"
#include "format/decode.h"
#include "log/log.h"

enum { EVENT_TEXT_MOST = 4096 }; /* maximum bytes of one field that are shown or searched */

/* Append the name of an event type, as the schema or else the file declares it. */
void event_name(struct buf *out, const struct evl_log *log, uint16_t tag);

/* Append an event's fields: "blocked on an MVar  thread 26 "worker-2"". May wait for the disk to read labels. */
void event_details(struct buf *out, const struct evl_log *log, const struct frame *f);

/* The same; return the length of what a row needs that names the thread that ran: if the event is about it, all that comes
 * before it. */
size_t event_details_of(struct buf *out, const struct evl_log *log, const struct frame *f, uint32_t runner);

/* Return the words shown for a field: "on cap" for other_cap; for most fields their name. */
const char *event_field_words(const char *field);

/* Append one value, without the name of its field. */
void event_value(struct buf *out, const struct evl_log *log, enum evl_kind kind, const struct evl_value *value);

#endif
