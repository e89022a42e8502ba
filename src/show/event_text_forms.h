/* event_text_forms.h - how values are printed in event texts, {field:form} in events.def: stop reasons, sizes, … */
#ifndef EVL_EVENT_TEXT_FORMS_H
#define EVL_EVENT_TEXT_FORMS_H

#include "format/decode.h"
#include "show/event_text.h"

/* Append a value. v points to it; the values of the following fields come after it, for forms that use several. */
typedef void event_text_form_fn(struct event_text *s, const struct evl_value *v);

/* Return the form with this name, or NULL. */
event_text_form_fn *event_text_form_named(const char *name, size_t len);

/* Return the default form, for fields whose text in events.def names no form. */
event_text_form_fn *event_text_form_of_kind(enum evl_kind kind);

/* Append text from the log; bytes that are not UTF-8 are printed as \xNN. */
void say_text(struct event_text *s, struct evl_str text);

#endif
