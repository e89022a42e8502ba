/* moment.h - parse times typed in the viewer: a time, 'a (mark), #1,084,416 (event number), a marker's name */
#ifndef EVTUI_MOMENT_H
#define EVTUI_MOMENT_H

#include "base/time_expr.h"
#include "state/model.h"

/* A parsed time. */
struct moment {
	enum moment_kind { MOMENT_TIME, MOMENT_EVENT, MOMENT_MARKER } kind;
	uint64_t t;       /* if MOMENT_TIME: ns, may be outside of the run */
	uint64_t event;   /* if MOMENT_EVENT: number of the event, from 0 */
	const char *name; /* if MOMENT_MARKER: points into the text */
};

/* Parse any of these forms. Return 0, or EVL_USAGE with *err filled. */
int moment_parse(const struct model *m, const char *text, struct moment *out, struct evl_err *err) EVL_MUST_USE;

/* Parse only the forms that denote a time. Return 0, or EVL_USAGE with *err filled. */
int moment_time(const struct model *m, const char *text, uint64_t *t, struct evl_err *err) EVL_MUST_USE;

/* Parse the number of an event as shown, counted from 1: "1,084,416" or "#1,084,416". *from_0: the number counted
 * from 0. Return false if it is not a number. */
bool moment_event(const char *text, uint64_t *from_0);

/* Return the context that time_expr.h needs. */
struct time_expr moment_when(const struct model *m);

#endif
