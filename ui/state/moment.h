/* moment.h - parse times typed in the viewer: those of time_expr.h, 'a (mark), #1,084,416 (event number), a marker's
 * name. */
#ifndef EVTUI_MOMENT_H
#define EVTUI_MOMENT_H

#include "base/time_expr.h"
#include "state/model.h"

struct moment {
	enum moment_kind { MOMENT_TIME, MOMENT_EVENT, MOMENT_MARKER } kind;
	uint64_t t;       /* MOMENT_TIME; it may lie outside of the run */
	uint64_t event;   /* MOMENT_EVENT: its number, from 0 */
	const char *name; /* MOMENT_MARKER: within the text */
};

/* 0, or EVL_USAGE with err filled. */
int moment_parse(const struct model *m, const char *text, struct moment *out, struct evl_err *err) EVL_MUST_USE;

/* Only those that are a time at once. */
int moment_time(const struct model *m, const char *text, uint64_t *t, struct evl_err *err) EVL_MUST_USE;

/* "1,084,416", maybe with a # before it: the number of an event, counted from 1. Return false if it is not a number. */
bool moment_event(const char *text, uint64_t *from_0);

/* Fill in the context for time_expr.h. */
struct time_expr moment_when(const struct model *m);

#endif
