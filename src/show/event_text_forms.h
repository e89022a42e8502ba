/* event_text_forms.h - forms of values in event texts, {field:form} in events.def: stop reasons, sizes, names of
 * profiles, … */
#ifndef EVL_EVENT_TEXT_FORMS_H
#define EVL_EVENT_TEXT_FORMS_H

#include "format/decode.h"
#include "show/event_text.h"

/* v points at the value; the values of later fields follow, for forms that use more than one. */
typedef void event_text_form_fn(struct event_text *s, const struct evl_value *v);

/* NULL: there is no form of that name. */
event_text_form_fn *event_text_form_named(const char *name, size_t len);

/* How a value is said where its sentence names no form. */
event_text_form_fn *event_text_form_of_kind(enum evl_kind kind);

/* Text from the log; bytes that are not UTF-8 as \xNN. */
void say_text(struct event_text *s, struct evl_str text);

#endif
