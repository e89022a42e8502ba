/* say_form.h - the forms in which say.h puts values into words: what stands behind the colon in {field:form}. */
#ifndef EVL_SAY_FORM_H
#define EVL_SAY_FORM_H

#include "format/decode.h"
#include "show/say.h"

/* v points at the value; those of the fields behind it follow, for forms that say more than one. */
typedef void say_form_fn(struct say *s, const struct evl_value *v);

/* NULL: there is no form of that name. */
say_form_fn *say_form_named(const char *name, size_t len);

/* How a value is said where its sentence names no form. */
say_form_fn *say_form_of_kind(enum evl_kind kind);

/* Text from the log; bytes that are not UTF-8 as \xNN. */
void say_text(struct say *s, struct evl_str text);

#endif
